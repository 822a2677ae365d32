//! A server of HTTP that says how it was reached, with certificates and a key from files:
//! `cargo run -p kuaimi-rustls --example serve -- server.crt server.pem 8443`.

use std::error::Error;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use kuaimi_rustls::{TLS_SM4_GCM_SM3, Ticketer, certified_key, strict};
use rustls::sign::SingleCertAndKey;
use rustls::{ServerConfig, ServerConnection, Stream};

fn main() -> ExitCode {
    match serve() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn serve() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [certificates, key, port] = &arguments[..] else {
        return Err("three arguments: CERTIFICATES KEY PORT".into());
    };
    let own = certified_key(&std::fs::read(certificates)?, &std::fs::read(key)?, None)?;
    let mut config = ServerConfig::builder_with_provider(Arc::new(strict()))
        .with_safe_default_protocol_versions()?
        .with_no_client_auth()
        .with_cert_resolver(Arc::new(SingleCertAndKey::from(own)));
    config.ticketer = Ticketer::new()?;
    let config = Arc::new(config);

    let listener = TcpListener::bind(("127.0.0.1", port.parse()?))?;
    println!("https://{}", listener.local_addr()?);
    for socket in listener.incoming() {
        let (socket, config) = (socket?, config.clone());
        std::thread::spawn(move || {
            if let Err(error) = answer(socket, config) {
                eprintln!("{error}");
            }
        });
    }
    Ok(())
}

fn answer(mut socket: TcpStream, config: Arc<ServerConfig>) -> Result<(), Box<dyn Error>> {
    socket.set_read_timeout(Some(Duration::from_secs(10)))?;
    let mut connection = ServerConnection::new(config)?;
    let mut stream = BufReader::new(Stream::new(&mut connection, &mut socket));
    // The request's lines, which nobody here is interested in.
    let mut line = String::new();
    while stream.read_line(&mut line)? > 2 {
        line.clear();
    }
    let mut stream = stream.into_inner();
    let suite = match stream.conn.negotiated_cipher_suite() {
        suite if suite == Some(TLS_SM4_GCM_SM3) => "TLS_SM4_GCM_SM3",
        _ => "TLS_SM4_CCM_SM3",
    };
    let kind = stream.conn.handshake_kind();
    let text = format!("{suite}, {kind:?}\n");
    write!(
        stream,
        "HTTP/1.1 200 OK\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{text}",
        text.len()
    )?;
    stream.conn.send_close_notify();
    stream.flush()?;
    Ok(())
}
