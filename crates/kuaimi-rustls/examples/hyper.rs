//! A server and a client of HTTP with hyper: `cargo run -p kuaimi-rustls --example hyper`.

mod shared;

use std::convert::Infallible;
use std::error::Error;

use http_body_util::{BodyExt, Full};
use hyper::body::{Bytes, Incoming};
use hyper::service::service_fn;
use hyper::{Request, Response, client, server};
use hyper_util::rt::TokioIo;
use rustls::pki_types::ServerName;
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::{TlsAcceptor, TlsConnector};

async fn answer(request: Request<Incoming>) -> Result<Response<Full<Bytes>>, Infallible> {
    let text = format!("this is {}", request.uri().path());
    Ok(Response::new(Full::from(text)))
}

#[tokio::main(flavor = "current_thread")]
pub(crate) async fn main() -> Result<(), Box<dyn Error>> {
    let (client_config, server_config) = shared::configurations()?;
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let address = listener.local_addr()?;

    tokio::spawn(async move {
        let acceptor = TlsAcceptor::from(server_config);
        while let Ok((socket, _)) = listener.accept().await {
            let acceptor = acceptor.clone();
            tokio::spawn(async move {
                // A client that does not speak RFC 8998 is told so by an alert.
                let stream = acceptor.accept(socket).await?;
                let connection = server::conn::http1::Builder::new()
                    .serve_connection(TokioIo::new(stream), service_fn(answer));
                connection.await.map_err(std::io::Error::other)
            });
        }
    });

    let socket = TcpStream::connect(address).await?;
    let name = ServerName::try_from("localhost")?;
    let stream = TlsConnector::from(client_config)
        .connect(name, socket)
        .await?;
    let (mut sender, connection) = client::conn::http1::handshake(TokioIo::new(stream)).await?;
    tokio::spawn(connection);
    let request = Request::get("/path").header("host", "localhost");
    let response = sender
        .send_request(request.body(Full::<Bytes>::default())?)
        .await?;
    let body = response.into_body().collect().await?.to_bytes();
    println!("{}", str::from_utf8(&body)?);
    assert_eq!(body, "this is /path");
    Ok(())
}
