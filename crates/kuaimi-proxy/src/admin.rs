//! Metrics and health over HTTP, on an address of its own.

use core::convert::Infallible;
use core::sync::atomic::Ordering::Relaxed;
use core::time::Duration;
use std::sync::Arc;

use http_body_util::Full;
use hyper::body::{Bytes, Incoming};
use hyper::header::{CONTENT_TYPE, HeaderValue};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use tokio::time::timeout;

use crate::proxy::Shared;

/// Connections at a time, and how long one may be.
const CONNECTIONS: usize = 64;
const LONGEST: Duration = Duration::from_secs(60);

/// Answers until the end of the proxy, drain included.
pub(crate) async fn serve(listener: TcpListener, shared: Arc<Shared>) {
    let room = Arc::new(Semaphore::new(CONNECTIONS));
    loop {
        let accepted = tokio::select! {
            () = shared.end.cancelled() => return,
            accepted = listener.accept() => accepted,
        };
        let Ok((socket, _)) = accepted else {
            // Such as too many open files: it passes, or nothing helps.
            tokio::time::sleep(Duration::from_millis(100)).await;
            continue;
        };
        let Ok(permit) = Arc::clone(&room).try_acquire_owned() else {
            continue;
        };
        let shared = Arc::clone(&shared);
        tokio::spawn(async move {
            let _permit = permit;
            let answer = service_fn(|request| core::future::ready(answer(&request, &shared)));
            let connection = http1::Builder::new()
                .timer(TokioTimer::new())
                .header_read_timeout(Duration::from_secs(10))
                .serve_connection(TokioIo::new(socket), answer);
            // A connection that fails is not logged.
            let _ended = timeout(LONGEST, connection).await;
        });
    }
}

fn answer(
    request: &Request<Incoming>,
    shared: &Shared,
) -> Result<Response<Full<Bytes>>, Infallible> {
    let text = "text/plain; charset=utf-8";
    let metrics = "application/openmetrics-text; version=1.0.0; charset=utf-8";
    let (status, kind, body) = match (request.method(), request.uri().path()) {
        (&Method::GET, "/metrics") => (StatusCode::OK, metrics, shared.metrics.text()),
        (&Method::GET, "/healthz") => (StatusCode::OK, text, "ok\n".to_owned()),
        (&Method::GET, "/readyz") => match shared.ready.load(Relaxed) {
            true => (StatusCode::OK, text, "ready\n".to_owned()),
            false => {
                let body = "stopping\n".to_owned();
                (StatusCode::SERVICE_UNAVAILABLE, text, body)
            }
        },
        (&Method::GET, _) => (StatusCode::NOT_FOUND, text, "not found\n".to_owned()),
        _ => {
            let body = "GET alone\n".to_owned();
            (StatusCode::METHOD_NOT_ALLOWED, text, body)
        }
    };
    let mut response = Response::new(Full::new(Bytes::from(body)));
    *response.status_mut() = status;
    response
        .headers_mut()
        .insert(CONTENT_TYPE, HeaderValue::from_static(kind));
    Ok(response)
}
