//! A server that sends back what it gets, and a client that sends its standard input:
//!
//! ```text
//! echo server ADDRESS SIGN.CRT SIGN.PEM ENCRYPT.CRT ENCRYPT.PEM [CLIENTS-CA.CRT]
//! echo client HOST:PORT CA.CRT [SIGN.CRT SIGN.PEM ENCRYPT.CRT ENCRYPT.PEM]
//! ```

use std::error::Error;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::time::Duration;

use kuaimi_pki::{Certificate, chain::PeerName};
use kuaimi_tlcp::{ClientAuth, ClientConfig, Connection, Identity, ServerConfig, Stream, Trust};

type Result<T> = std::result::Result<T, Box<dyn Error>>;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let result = match &arguments[..] {
        ["server", address, sc, sk, ec, ek] => server(address, [sc, sk, ec, ek], None),
        ["server", address, sc, sk, ec, ek, ca] => server(address, [sc, sk, ec, ek], Some(ca)),
        ["client", address, ca] => client(address, ca, None),
        ["client", address, ca, sc, sk, ec, ek] => client(address, ca, Some([sc, sk, ec, ek])),
        _ => Err("usage: echo server ADDRESS SIGN.CRT SIGN.PEM ENCRYPT.CRT ENCRYPT.PEM [CA.CRT]\n   or: echo client HOST:PORT CA.CRT [SIGN.CRT SIGN.PEM ENCRYPT.CRT ENCRYPT.PEM]".into()),
    };
    if let Err(error) = result {
        eprintln!("error: {error}");
        std::process::exit(1);
    }
}

fn read(path: &str) -> Result<Vec<u8>> {
    std::fs::read(path).map_err(|error| format!("{path}: {error}").into())
}

fn trust(path: &str) -> Result<Trust> {
    let all = Certificate::read_all(&read(path)?).map_err(|error| format!("{path}: {error}"))?;
    Ok(Trust::new(&all)?)
}

fn identity([sc, sk, ec, ek]: [&str; 4]) -> Result<Identity> {
    Ok(Identity::from_files(
        &read(sc)?,
        &read(sk)?,
        &read(ec)?,
        &read(ek)?,
        None,
    )?)
}

fn server(address: &str, files: [&str; 4], clients: Option<&str>) -> Result<()> {
    let mut config = ServerConfig::new(identity(files)?);
    if let Some(path) = clients {
        config = config.client_auth(ClientAuth::Required(trust(path)?));
    }
    let config = Arc::new(config);
    let listener = TcpListener::bind(address).map_err(|error| format!("{address}: {error}"))?;
    println!("listening on {}", listener.local_addr()?);
    for socket in listener.incoming() {
        let (socket, config) = (socket?, Arc::clone(&config));
        std::thread::spawn(move || {
            if let Err(error) = serve(socket, config) {
                eprintln!("{error}");
            }
        });
    }
    Ok(())
}

fn serve(socket: TcpStream, config: Arc<ServerConfig>) -> std::io::Result<()> {
    socket.set_read_timeout(Some(Duration::from_secs(60)))?;
    let mut stream = Stream::new(Connection::server(config), socket);
    let mut data = vec![0; 1 << 14];
    loop {
        match stream.read(&mut data)? {
            0 => return stream.close(),
            count => stream.write_all(&data[..count])?,
        }
    }
}

fn client(address: &str, ca: &str, files: Option<[&str; 4]>) -> Result<()> {
    let mut config = ClientConfig::new(trust(ca)?);
    if let Some(files) = files {
        config = config.identity(identity(files)?);
    }
    let (host, _) = address.rsplit_once(':').ok_or("the address has no port")?;
    let name = PeerName::new(host.trim_matches(['[', ']']))?;
    let socket = TcpStream::connect(address).map_err(|error| format!("{address}: {error}"))?;
    let mut stream = Stream::new(Connection::client(Arc::new(config), name)?, socket);
    stream.handshake()?;
    let connection = stream.connection();
    if let Some(suite) = connection.suite() {
        eprintln!("{suite}");
    }
    let mut input = Vec::new();
    std::io::stdin().read_to_end(&mut input)?;
    // A piece at a time, so that neither side waits for the other with everything sent.
    for piece in input.chunks(1 << 14) {
        stream.write_all(piece)?;
        let mut found = vec![0; piece.len()];
        stream.read_exact(&mut found)?;
        std::io::stdout().write_all(&found)?;
    }
    stream.close()?;
    Ok(())
}
