//! Handshakes a second and bytes a second through a proxy: client, proxy and backend in one
//! process. `cargo run --release -p kuaimi-proxy --example proxy_bench`.

use std::error::Error;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use kuaimi::encoding::{EncodePrivateKey as _, LineEnding};
use kuaimi::sm2::{PrivateKey, SigningKey};
use kuaimi_pki::certificate::{CertificateBuilder, Validity};
use kuaimi_pki::chain::PeerName;
use kuaimi_pki::extensions::Purpose;
use kuaimi_pki::external::der::DateTime;
use kuaimi_pki::{Certificate, name};
use kuaimi_proxy::config::{Config, ServerPart};
use kuaimi_proxy::{Passwords, Proxy};
use kuaimi_tlcp::{ClientConfig, Trust, tokio::Stream};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};

const SECONDS: u64 = 5;
const CLIENTS: usize = 8;
const BYTES: usize = 1 << 30;

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let root = certificates(folder.path())?;
    let mut part = ServerPart::default();
    part.listen = "127.0.0.1:0".to_owned();
    part.to = backend().await?.to_string();
    part.cert = Some(folder.path().join("sign.crt"));
    part.key = Some(folder.path().join("sign.pem"));
    part.enc_cert = Some(folder.path().join("enc.crt"));
    part.enc_key = Some(folder.path().join("enc.pem"));
    let mut config = Config::new();
    config.servers.push(part);
    let proxy = Proxy::start(config, Passwords::default()).await?;
    let address = proxy.addresses()[0];
    let client = Arc::new(ClientConfig::new(Trust::new(&[root])?).sessions(None));

    let end = Instant::now() + Duration::from_secs(SECONDS);
    let mut clients = Vec::new();
    for _ in 0..CLIENTS {
        let client = Arc::clone(&client);
        clients.push(tokio::spawn(async move {
            let mut count = 0u64;
            while Instant::now() < end {
                let mut stream = connect(&client, address).await.ok()?;
                stream.shutdown().await.ok()?;
                count += 1;
            }
            Some(count)
        }));
    }
    let mut count = 0;
    for client in clients {
        count += client.await?.ok_or("a handshake failed")?;
    }
    println!("{} full handshakes/s", count / SECONDS);

    let mut stream = connect(&client, address).await?;
    stream.write_all(b"x").await?;
    stream.flush().await?;
    let begin = Instant::now();
    let mut piece = vec![0; 64 << 10];
    let mut bytes = 0;
    loop {
        match stream.read(&mut piece).await? {
            0 => break,
            count => bytes += count,
        }
    }
    let seconds = begin.elapsed().as_secs_f64();
    println!("{:.0} MB/s, one connection", bytes as f64 / 1e6 / seconds);
    Ok(())
}

async fn connect(
    client: &Arc<ClientConfig>,
    address: SocketAddr,
) -> std::io::Result<Stream<TcpStream>> {
    let name = PeerName::new("localhost").map_err(std::io::Error::other)?;
    let socket = TcpStream::connect(address).await?;
    Stream::connect(Arc::clone(client), name, socket).await
}

/// Answers a byte with many.
async fn backend() -> std::io::Result<SocketAddr> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let address = listener.local_addr()?;
    tokio::spawn(async move {
        while let Ok((mut socket, _)) = listener.accept().await {
            tokio::spawn(async move {
                let piece = vec![7; 64 << 10];
                if socket.read_exact(&mut [0]).await.is_ok() {
                    for _ in 0..BYTES / piece.len() {
                        socket.write_all(&piece).await?;
                    }
                }
                Ok::<_, std::io::Error>(())
            });
        }
    });
    Ok(address)
}

/// Writes a pair for localhost, and gives the authority's certificate.
fn certificates(folder: &std::path::Path) -> Result<Certificate, Box<dyn Error>> {
    let since = SystemTime::now().duration_since(UNIX_EPOCH)?;
    let begin = DateTime::from_unix_duration(since - Duration::from_secs(3600))?;
    let validity = Validity::days(begin, 2)?;
    let build = |subject: &str, key: &PrivateKey, purpose| {
        CertificateBuilder::new(name::parse(subject)?, key.public_key(), validity)
            .purpose(purpose)?
            .random_serial(&mut getrandom::SysRng)
    };
    let key = PrivateKey::generate()?;
    let authority = Purpose::Authority { path_len: None };
    let signer = SigningKey::new(key.clone());
    let root = build("CN=Root", &key, authority)?.self_sign(&signer)?;
    for (half, purpose) in [("sign", Purpose::Signing), ("enc", Purpose::Encryption)] {
        let key = PrivateKey::generate()?;
        let mut builder = build("CN=localhost", &key, purpose)?;
        builder.extensions().dns("localhost")?;
        let certificate = builder.sign(&root, &signer)?;
        std::fs::write(folder.join(format!("{half}.crt")), certificate.to_pem())?;
        let key = key.to_pkcs8_pem(LineEnding::LF)?;
        std::fs::write(folder.join(format!("{half}.pem")), key)?;
    }
    Ok(root)
}
