//! [`Loopback`]: a server on the loopback that answers from a script and remembers what came.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::io;
use std::sync::{Arc, Mutex};
use std::time::Instant;

use bytes::Bytes;
use http::{Request, Response};
use http_body_util::{BodyExt, Full};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use retrial_policy::replies;
use tokio::net::TcpListener;

/// What the server does with one request.
#[derive(Clone, Debug)]
pub enum Answer {
    /// Sends a response.
    Send { status: u16, headers: Vec<(String, String)>, body: String },
    /// Keeps the connection open and never answers.
    Silence,
    /// Takes the request and closes the connection.
    HangUp,
}

impl Answer {
    /// A response with a JSON body.
    pub fn json(status: u16, body: &str) -> Answer {
        Answer::Send { status, headers: Vec::new(), body: body.into() }
    }

    /// The real reply with this id in the catalogue.
    pub fn recorded(id: &str) -> Answer {
        let reply = replies::find(id).unwrap_or_else(|| panic!("no reply is called {id}"));
        let status = reply.status().unwrap_or_else(|| panic!("{id} is no response"));
        Answer::Send { status, headers: reply.headers().to_vec(), body: reply.body().into() }
    }

    /// With one more header, in place of any of that name.
    #[must_use]
    pub fn with_header(mut self, name: &str, value: &str) -> Answer {
        if let Answer::Send { headers, .. } = &mut self {
            headers.retain(|(given, _)| !given.eq_ignore_ascii_case(name));
            headers.push((name.into(), value.into()));
        }
        self
    }
}

/// A request as it came.
#[derive(Clone, Debug)]
pub struct Seen {
    pub at: Instant,
    pub path: String,
    pub idempotency_key: Option<String>,
    pub body: String,
}

/// The server. It lives as long as the runtime it was started on.
#[derive(Clone, Debug)]
pub struct Loopback {
    /// Such as `http://127.0.0.1:41234`.
    pub url: String,
    state: Arc<Mutex<State>>,
}

#[derive(Debug)]
struct State {
    script: VecDeque<Answer>,
    seen: Vec<Seen>,
}

impl Loopback {
    /// Answers the n-th request with the n-th of `script`, and those after the last one with it.
    pub async fn start(script: impl IntoIterator<Item = Answer>) -> io::Result<Loopback> {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await?;
        let url = format!("http://{}", listener.local_addr()?);
        let state = State { script: script.into_iter().collect(), seen: Vec::new() };
        let server = Loopback { url, state: Arc::new(Mutex::new(state)) };
        let answering = server.clone();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let server = answering.clone();
                let service = service_fn(move |request| answer(server.clone(), request));
                let connection =
                    http1::Builder::new().serve_connection(TokioIo::new(stream), service);
                // A client that leaves is no fault of the server's.
                tokio::spawn(async move { drop(connection.await) });
            }
        });
        Ok(server)
    }

    /// The requests so far, in the order in which they came.
    pub fn seen(&self) -> Vec<Seen> {
        self.state.lock().expect("no request panics").seen.clone()
    }

    fn next(&self, seen: Seen) -> Answer {
        let mut state = self.state.lock().expect("no request panics");
        state.seen.push(seen);
        match state.script.len() {
            0 | 1 => state.script.front().cloned().unwrap_or(Answer::HangUp),
            _ => state.script.pop_front().unwrap_or(Answer::HangUp),
        }
    }
}

async fn answer(
    server: Loopback,
    request: Request<Incoming>,
) -> Result<Response<Full<Bytes>>, &'static str> {
    let at = Instant::now();
    let (head, body) = request.into_parts();
    let body = body.collect().await.map_err(|_| "the client broke off")?.to_bytes();
    let key = head.headers.get("idempotency-key").and_then(|key| key.to_str().ok());
    let seen = Seen {
        at,
        path: head.uri.path().into(),
        idempotency_key: key.map(String::from),
        body: String::from_utf8_lossy(&body).into_owned(),
    };
    match server.next(seen) {
        Answer::Send { status, headers, body } => {
            let mut response = Response::builder().status(status);
            for (name, value) in headers {
                response = response.header(name, value);
            }
            response.body(Full::from(body)).map_err(|_| "the script has an impossible header")
        }
        Answer::Silence => match std::future::pending::<Infallible>().await {},
        // An error of the service closes the connection.
        Answer::HangUp => Err("hangs up as told"),
    }
}
