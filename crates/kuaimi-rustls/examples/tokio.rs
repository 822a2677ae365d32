//! An echo over tokio-rustls: `cargo run -p kuaimi-rustls --example tokio`.

mod shared;

use std::error::Error;

use rustls::pki_types::ServerName;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::{TlsAcceptor, TlsConnector};

#[tokio::main(flavor = "current_thread")]
pub(crate) async fn main() -> Result<(), Box<dyn Error>> {
    let (client, server) = shared::configurations()?;
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let address = listener.local_addr()?;

    let serving = async move {
        let (socket, _) = listener.accept().await?;
        let mut stream = TlsAcceptor::from(server).accept(socket).await?;
        let mut message = [0; 9];
        stream.read_exact(&mut message).await?;
        stream.write_all(&message).await?;
        stream.shutdown().await
    };

    let asking = async move {
        let socket = TcpStream::connect(address).await?;
        let name = ServerName::try_from("localhost").map_err(std::io::Error::other)?;
        let mut stream = TlsConnector::from(client).connect(name, socket).await?;
        stream.write_all(b"a message").await?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await?;
        let suite = stream.get_ref().1.negotiated_cipher_suite();
        Ok::<_, std::io::Error>((answer, suite))
    };

    let (served, answered) = tokio::join!(serving, asking);
    served?;
    let (answer, suite) = answered?;
    println!("{answer:?}, with the suite {suite:?}");
    assert_eq!(answer, "a message");
    Ok(())
}
