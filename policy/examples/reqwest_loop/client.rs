//! [`Client`]: the retry loop around reqwest.

use std::time::SystemTime;

use retrial_policy::providers::Provider;
use retrial_policy::replies::Reply;
use retrial_policy::*;

use crate::prompt::Prompt;
use crate::support::cancel_on_drop::CancelOnDrop;
use crate::support::failure::Failure;
use crate::support::shared_budget::SharedBudget;

/// Where a route of the policy leads.
pub struct Route {
    pub url: String,
    pub model: String,
    /// How its replies are read.
    pub provider: Provider,
}

/// One for a process: all its calls share the budget and the connections.
pub struct Client {
    http: reqwest::Client,
    policy: Policy,
    /// By number: `primary`, then the routes of the policy's fallback lists.
    routes: Vec<Route>,
    budget: SharedBudget,
    /// Makes the keys of this process differ from those of all others.
    process: u64,
}

impl Client {
    /// `route` says where each of the policy's routes leads, by name.
    pub fn new(policy: Policy, route: impl Fn(&str) -> Route) -> Result<Client, Failure> {
        Ok(Client {
            // For HTTPS enable reqwest's feature `rustls`. It must not retry on its own: two
            // layers of retries multiply, and only one of them has a budget.
            http: reqwest::Client::builder()
                .retry(reqwest::retry::never())
                .build()
                .expect("there is no TLS to set up, and nothing else can fail"),
            routes: policy.route_names().iter().map(|name| route(name)).collect(),
            budget: SharedBudget::new(&policy),
            policy,
            process: getrandom::u64()?,
        })
    }

    // README: the loop
    /// Sends `prompt` as often as the policy allows, and gives the body of the accepted answer.
    pub async fn send(
        &self,
        mut prompt: Prompt,
        observer: &mut (dyn Observer + Send),
    ) -> Result<String, Failure> {
        let Client { policy, routes, budget, .. } = self;
        let key = CallKey::new(getrandom::u64()?);
        let idempotency_key = format!("{:016x}-{key}", self.process);
        let request = Request { reducible: prompt.is_reducible(), ..Request::default() };
        let (call, mut attempt) =
            budget.step(|budget, now| Call::start(policy, request, key, budget, now));
        let mut call = CancelOnDrop::new(call, budget);
        loop {
            let route = &routes[usize::from(attempt.route.0)];
            let reply = self.exchange(&attempt, route, &prompt, &idempotency_key).await;
            let reading = route.provider.read(&reply);
            let outcome = Outcome { model: Some(&route.model), ..reading.outcome() };
            let decision = budget.step(|budget, now| {
                call.on_outcome(policy, &reading, &outcome, now, budget, observer)
            });
            if decision.wait().is_none() {
                call.over();
            }
            let wait = match decision {
                Decision::Accept => return Ok(reply.body().into()),
                Decision::Stop(stop) => return Err(Failure::Stopped(stop)),
                Decision::Reconcile(stop) => {
                    return Err(Failure::Reconcile { stop, idempotency_key });
                }
                Decision::RetrySameRoute(wait) | Decision::RetryAfterHint(wait) => wait,
                Decision::Fallback(wait) => wait, // the next attempt names the other route
                Decision::ReduceAndRetryOnce(wait) => {
                    prompt.reduce();
                    wait
                }
                Decision::ContinueTurn(wait) => {
                    prompt.continue_with(reply.body());
                    wait
                }
            };
            tokio::time::sleep(wait.delay.into()).await;
            let next = budget.step(|budget, now| call.next_attempt(policy, now, budget, observer));
            attempt = next.map_err(|stop| {
                call.over();
                Failure::Stopped(stop)
            })?;
        }
    }
    // README: end

    /// Makes one attempt, or says why it was not to be made.
    async fn exchange(
        &self,
        attempt: &Attempt,
        route: &Route,
        prompt: &Prompt,
        idempotency_key: &str,
    ) -> Reply {
        if attempt.refused {
            return Reply::transport(Signal::NotAdmitted, Progress::NotSent);
        }
        if attempt.timeout == Some(Nanos::ZERO) {
            return Reply::transport(Signal::AttemptTimeout, Progress::NotSent);
        }
        tokio::time::sleep(attempt.hold.into()).await;
        let mut request = self.http.post(&route.url).body(prompt.body(&route.model));
        if let Some(timeout) = attempt.timeout {
            request = request.timeout(timeout.into()); // for the whole response, body included
        }
        if self.policy.sends_key() {
            request = request.header("idempotency-key", idempotency_key);
        }
        receive(request).await.unwrap_or_else(|error| lost(&error))
    }
}

/// The whole response.
async fn receive(request: reqwest::RequestBuilder) -> Result<Reply, reqwest::Error> {
    let response = request.send().await?;
    let status = response.status().as_u16();
    let text = |value: &http::HeaderValue| String::from_utf8_lossy(value.as_bytes()).into_owned();
    let headers: Vec<_> =
        response.headers().iter().map(|(name, value)| (name.to_string(), text(value))).collect();
    let body = response.bytes().await?;
    let reply = Reply::response(status, headers, String::from_utf8_lossy(&body).into_owned());
    Ok(reply.received_at(SystemTime::now().into())) // for a wait that is given as a date
}

/// What an error says of how far the request had come. When in doubt it was sent: only then does
/// nobody repeat what took effect.
fn lost(error: &reqwest::Error) -> Reply {
    if error.is_connect() || error.is_builder() {
        Reply::transport(Signal::ConnectError, Progress::NotSent)
    } else if error.is_timeout() {
        Reply::transport(Signal::AttemptTimeout, Progress::Sent)
    } else {
        Reply::transport(Signal::ConnectionReset, Progress::Sent)
    }
}
