//! [`RetryLayer`]: the policy around any HTTP service.

use std::mem;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use bytes::Bytes;
use http::{HeaderName, HeaderValue, Request, Response};
use http_body_util::{BodyExt, Full};
use hyper::body::Body;
use retrial_policy::providers::Provider;
use retrial_policy::replies::Reply;
use retrial_policy::{Attempt, Call, CallKey, Decision, Nanos, Observer, Policy, Progress, Signal};
use tower::{Layer, Service, ServiceExt};

use crate::support::cancel_on_drop::CancelOnDrop;
use crate::support::failure::Failure;
use crate::support::shared_budget::SharedBudget;

const IDEMPOTENCY_KEY: HeaderName = HeaderName::from_static("idempotency-key");

/// Puts a policy around a service. All services that one layer makes share its budget.
pub struct RetryLayer<O, E> {
    driver: Arc<Driver>,
    observer: O,
    lost: fn(&E) -> (Signal, Progress),
}

struct Driver {
    policy: Policy,
    provider: Provider,
    budget: SharedBudget,
    process: u64,
}

impl<O, E> RetryLayer<O, E> {
    /// `provider` reads the replies, and `lost` says how far a request had come that the service
    /// failed with an error.
    pub fn new(
        policy: Policy,
        provider: Provider,
        observer: O,
        lost: fn(&E) -> (Signal, Progress),
    ) -> Result<Self, Failure> {
        let budget = SharedBudget::new(&policy);
        let process = getrandom::u64()?;
        let driver = Arc::new(Driver { policy, provider, budget, process });
        Ok(RetryLayer { driver, observer, lost })
    }
}

impl<S, O: Clone, E> Layer<S> for RetryLayer<O, E> {
    type Service = Retry<S, O, E>;

    fn layer(&self, inner: S) -> Self::Service {
        let RetryLayer { driver, observer, lost } = self;
        Retry { inner, driver: driver.clone(), observer: observer.clone(), lost: *lost }
    }
}

/// A service under a policy.
///
/// The [`RouteId`](retrial_policy::RouteId) of each attempt is among the extensions of its request:
/// a service inside sends it where that route leads. The failure that ends a call is handed on as
/// it came, if it was a response.
pub struct Retry<S, O, E> {
    inner: S,
    driver: Arc<Driver>,
    observer: O,
    lost: fn(&E) -> (Signal, Progress),
}

/// Derived, it would ask errors to be `Clone`.
impl<S: Clone, O: Clone, E> Clone for Retry<S, O, E> {
    fn clone(&self) -> Self {
        let Retry { inner, driver, observer, lost } = self;
        Retry {
            inner: inner.clone(),
            driver: driver.clone(),
            observer: observer.clone(),
            lost: *lost,
        }
    }
}

impl<S, B, O> Service<Request<Bytes>> for Retry<S, O, S::Error>
where
    S: Service<Request<Full<Bytes>>, Response = Response<B>> + Clone + Send + 'static,
    S::Future: Send,
    S::Error: Send + 'static,
    B: Body + Send,
    B::Data: Send,
    B::Error: Send,
    O: Observer + Clone + Send + 'static,
{
    type Response = Response<Bytes>;
    type Error = Failure;
    type Future = Pin<Box<dyn Future<Output = Result<Response<Bytes>, Failure>> + Send>>;

    /// Each attempt waits for the service inside: an error of its is the end of that attempt only.
    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Failure>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<Bytes>) -> Self::Future {
        let (driver, mut observer, lost) = (self.driver.clone(), self.observer.clone(), self.lost);
        // What has been asked to be ready stays with this call, and a clone takes its place.
        let clone = self.inner.clone();
        let mut inner = mem::replace(&mut self.inner, clone);
        Box::pin(async move { driver.drive(&mut inner, request, &mut observer, lost).await })
    }
}

impl Driver {
    async fn drive<S, B, O>(
        &self,
        inner: &mut S,
        mut request: Request<Bytes>,
        observer: &mut O,
        lost: fn(&S::Error) -> (Signal, Progress),
    ) -> Result<Response<Bytes>, Failure>
    where
        S: Service<Request<Full<Bytes>>, Response = Response<B>>,
        B: Body,
        O: Observer,
    {
        let Driver { policy, provider, budget, process } = self;
        let key = CallKey::new(getrandom::u64()?);
        let idempotency_key = format!("{process:016x}-{key}");
        if policy.sends_key() {
            let value = HeaderValue::try_from(&idempotency_key).expect("it is hexadecimal");
            request.headers_mut().insert(IDEMPOTENCY_KEY, value);
        }
        // A layer does not understand bodies, so that nothing here can be made smaller.
        let start = retrial_policy::Request::default();
        let (call, mut attempt) =
            budget.step(|budget, now| Call::start(policy, start, key, budget, now));
        let mut call = CancelOnDrop::new(call, budget);
        loop {
            let (reply, response) = exchange(inner, &request, &attempt, lost).await;
            let reading = provider.read(&reply);
            let decision = budget.step(|budget, now| {
                call.on_outcome(policy, &reading, &reading.outcome(), now, budget, observer)
            });
            if decision.wait().is_none() {
                call.over();
            }
            let wait = match decision {
                Decision::RetrySameRoute(wait)
                | Decision::RetryAfterHint(wait)
                | Decision::Fallback(wait) => wait,
                Decision::Stop(stop) => return response.ok_or(Failure::Stopped(stop)),
                Decision::Reconcile(stop) => {
                    return Err(Failure::Reconcile { stop, idempotency_key });
                }
                // A paused turn is the caller's to go on with: to its own call this is an answer.
                Decision::Accept | Decision::ContinueTurn(_) | Decision::ReduceAndRetryOnce(_) => {
                    return Ok(response.expect("only a response is accepted, paused or too large"));
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
}

/// Makes one attempt, or says why it was not to be made.
async fn exchange<S, B>(
    inner: &mut S,
    request: &Request<Bytes>,
    attempt: &Attempt,
    lost: fn(&S::Error) -> (Signal, Progress),
) -> (Reply, Option<Response<Bytes>>)
where
    S: Service<Request<Full<Bytes>>, Response = Response<B>>,
    B: Body,
{
    let none = |(signal, progress)| (Reply::transport(signal, progress), None);
    if attempt.refused {
        return none((Signal::NotAdmitted, Progress::NotSent));
    }
    if attempt.timeout == Some(Nanos::ZERO) {
        return none((Signal::AttemptTimeout, Progress::NotSent));
    }
    tokio::time::sleep(attempt.hold.into()).await;
    // The body is counted by reference: a copy costs nothing.
    let mut request = request.clone().map(Full::new);
    request.extensions_mut().insert(attempt.route);
    let receive = async {
        let service = inner.ready().await.map_err(|error| lost(&error))?;
        let (head, body) = service.call(request).await.map_err(|error| lost(&error))?.into_parts();
        let cut = |_| (Signal::ConnectionReset, Progress::Sent);
        Ok(Response::from_parts(head, body.collect().await.map_err(cut)?.to_bytes()))
    };
    let received = match attempt.timeout {
        Some(timeout) => tokio::time::timeout(timeout.into(), receive)
            .await
            .unwrap_or(Err((Signal::AttemptTimeout, Progress::Sent))),
        None => receive.await,
    };
    match received {
        Ok(response) => (reply(&response), Some(response)),
        Err(how) => none(how),
    }
}

/// As the provider's table takes it.
fn reply(response: &Response<Bytes>) -> Reply {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let headers = response.headers().iter();
    let headers = headers.map(|(name, value)| (name.to_string(), text(value.as_bytes())));
    Reply::response(response.status().as_u16(), headers, text(response.body()))
        .received_at(std::time::SystemTime::now().into())
}
