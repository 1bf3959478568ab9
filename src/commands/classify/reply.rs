//! The reply that the flags describe.

use std::io::{self, IsTerminal};

use clap::{Args as ClapArgs, ValueEnum};
use retrial_policy::replies::Reply;
use retrial_policy::{Progress, Signal};

use crate::commands::input::{self, STDIN};
use crate::experiment::diagnostic::{Diagnostic, Report};
use crate::experiment::source::Sources;

/// What came back.
#[derive(Debug, ClapArgs)]
pub(super) struct ReplyFlags {
    /// The HTTP status
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(100..=999))]
    status: Option<u16>,
    /// A header, as often as there are some; with `date`, waits that are given as dates count
    #[arg(long, value_name = "NAME: VALUE", value_parser = header)]
    header: Vec<(String, String)>,
    /// The body; `-`, or none with something piped in, is stdin
    #[arg(long, value_name = "FILE", conflicts_with = "stream")]
    body: Option<String>,
    /// The raw transcript of a stream, Server-Sent Events or a JSON object a line; `-` is stdin.
    /// Its status is 200 unless --status says otherwise
    #[arg(long, value_name = "FILE")]
    stream: Option<String>,
    /// How there was no response at all
    #[arg(long, value_enum, value_name = "NAME", conflicts_with_all = ["status", "header", "body", "stream"])]
    transport: Option<Transport>,
    /// Whether the request had left [default: false for connect_error and dns_error, else true]
    #[arg(
        long,
        value_name = "BOOL",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "true",
        requires = "transport",
        conflicts_with_all = ["status", "header", "body", "stream"]
    )]
    sent: Option<bool>,
}

/// Ways to get no response.
#[derive(Clone, Copy, Debug, ValueEnum)]
#[value(rename_all = "snake_case")]
enum Transport {
    ConnectError,
    DnsError,
    ConnectionReset,
    ReadTimeout,
}

impl ReplyFlags {
    /// The reply.
    ///
    /// # Errors
    ///
    /// A file can't be read, or nothing says how the attempt ended.
    pub(super) fn reply(&self) -> Result<Reply, Report> {
        if let Some(transport) = self.transport {
            return Ok(self.no_response(transport));
        }
        let headers = self.header.iter().cloned();
        if let Some(path) = &self.stream {
            let bytes = input::read("the stream", path)?;
            return Ok(Reply::transcript(self.status.unwrap_or(200), headers, &bytes));
        }
        let Some(status) = self.status else { return Err(no_ending()) };
        Ok(Reply::response(status, headers, self.body()?))
    }

    fn no_response(&self, by: Transport) -> Reply {
        let signal = match by {
            Transport::ConnectError | Transport::DnsError => Signal::ConnectError,
            Transport::ConnectionReset => Signal::ConnectionReset,
            Transport::ReadTimeout => Signal::AttemptTimeout,
        };
        let progress = match self.sent.unwrap_or(signal != Signal::ConnectError) {
            true => Progress::Sent,
            false => Progress::NotSent,
        };
        Reply::transport(signal, progress)
    }

    fn body(&self) -> Result<String, Report> {
        let path = match &self.body {
            Some(path) => path,
            None if io::stdin().is_terminal() => return Ok(String::new()),
            None => STDIN,
        };
        let bytes = input::read("the body", path)?;
        // A body in another encoding still has a status and codes in ASCII.
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }
}

fn no_ending() -> Report {
    let help = "give --status N, --stream FILE or --transport NAME; or many replies with --cases";
    Diagnostic::new("nothing says how the attempt ended").help(help).report(&Sources::default())
}

fn header(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once(':').ok_or("there is no colon: write NAME: VALUE")?;
    match name.trim() {
        "" => Err("there is no name before the colon".to_string()),
        name => Ok((name.to_string(), value.trim().to_string())),
    }
}
