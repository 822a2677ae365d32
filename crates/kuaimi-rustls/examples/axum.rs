//! axum behind TLS: `cargo run -p kuaimi-rustls --example axum`.

mod shared;

use std::error::Error;
use std::net::SocketAddr;
use std::time::Duration;

use axum::Router;
use axum::routing::get;
use axum::serve::Listener;
use rustls::pki_types::ServerName;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc;
use tokio_rustls::server::TlsStream;
use tokio_rustls::{TlsAcceptor, TlsConnector};

/// Gives axum connections whose handshake is complete. Handshakes run beside each other, so that a
/// slow client keeps nobody waiting.
struct Tls {
    accepted: mpsc::Receiver<(TlsStream<TcpStream>, SocketAddr)>,
    address: SocketAddr,
}

impl Tls {
    fn new(listener: TcpListener, acceptor: TlsAcceptor) -> std::io::Result<Self> {
        let address = listener.local_addr()?;
        let (sender, accepted) = mpsc::channel(64);
        tokio::spawn(async move {
            loop {
                let Ok((socket, from)) = listener.accept().await else {
                    // Too many open files, for example: that passes.
                    tokio::time::sleep(Duration::from_millis(100)).await;
                    continue;
                };
                let (acceptor, sender) = (acceptor.clone(), sender.clone());
                tokio::spawn(async move {
                    let handshake = acceptor.accept(socket);
                    let limited = tokio::time::timeout(Duration::from_secs(10), handshake);
                    match limited.await {
                        // axum may have ended.
                        Ok(Ok(stream)) => drop(sender.send((stream, from)).await),
                        Ok(Err(error)) => eprintln!("{from}: {error}"),
                        Err(_) => eprintln!("{from}: no handshake in ten seconds"),
                    }
                });
            }
        });
        Ok(Self { accepted, address })
    }
}

impl Listener for Tls {
    type Io = TlsStream<TcpStream>;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Self::Io, Self::Addr) {
        match self.accepted.recv().await {
            Some(accepted) => accepted,
            None => std::future::pending().await,
        }
    }

    fn local_addr(&self) -> std::io::Result<Self::Addr> {
        Ok(self.address)
    }
}

#[tokio::main(flavor = "current_thread")]
pub(crate) async fn main() -> Result<(), Box<dyn Error>> {
    let (client, server) = shared::configurations()?;
    let tls = Tls::new(
        TcpListener::bind("127.0.0.1:0").await?,
        TlsAcceptor::from(server),
    )?;
    let address = tls.local_addr()?;
    let app = Router::new().route("/", get(|| async { "hello over RFC 8998" }));
    tokio::spawn(async { axum::serve(tls, app).await });

    let socket = TcpStream::connect(address).await?;
    let name = ServerName::try_from("localhost")?;
    let mut stream = TlsConnector::from(client).connect(name, socket).await?;
    stream
        .write_all(b"GET / HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n")
        .await?;
    let mut response = String::new();
    stream.read_to_string(&mut response).await?;
    println!("{response}");
    assert!(response.ends_with("hello over RFC 8998"), "{response}");
    Ok(())
}
