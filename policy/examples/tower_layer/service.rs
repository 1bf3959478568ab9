//! The layer at work: hyper's client under a policy.

use bytes::Bytes;
use http::{Request, Response, Uri};
use http_body_util::Full;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::client::legacy::{Client, Error};
use hyper_util::rt::TokioExecutor;
use retrial_policy::providers::Provider;
use retrial_policy::{Observer, Policy, Progress, RouteId, Signal};
use tower::{Service, ServiceBuilder};

use crate::layer::RetryLayer;
use crate::support::failure::Failure;

/// A service that sends each attempt to the address of its route.
pub fn new<O: Observer + Clone + Send + 'static>(
    policy: Policy,
    observer: O,
    address: impl Fn(RouteId) -> Uri + Clone + Send + 'static,
) -> Result<
    impl Service<Request<Bytes>, Response = Response<Bytes>, Error = Failure, Future: Send> + Clone,
    Failure,
> {
    let provider = Provider::find("anthropic").expect("it is embedded");
    let client: Client<HttpConnector, Full<Bytes>> =
        Client::builder(TokioExecutor::new()).build_http();
    Ok(ServiceBuilder::new()
        .layer(RetryLayer::new(policy, provider, observer, lost)?)
        .map_request(move |mut request: Request<Full<Bytes>>| {
            let route = request.extensions().get::<RouteId>().copied().unwrap_or_default();
            *request.uri_mut() = address(route);
            request
        })
        .service(client))
}

/// When in doubt it was sent: only then does nobody repeat what took effect.
fn lost(error: &Error) -> (Signal, Progress) {
    match error.is_connect() {
        true => (Signal::ConnectError, Progress::NotSent),
        false => (Signal::ConnectionReset, Progress::Sent),
    }
}
