//! Programs that run beside the tests, the files that they read, and the library's two sides over
//! sockets.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use kuaimi_tlcp::{ClientAuth, ClientConfig, Connection, ServerConfig, Stream};

use crate::common::{Lab, connect};

/// A program of the environment's variable `name`.
pub fn program(name: &str) -> PathBuf {
    std::env::var_os(name)
        .unwrap_or_else(|| panic!("{name}: run make tls-test"))
        .into()
}

/// The files of the lab.
pub fn files() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    Lab::get().write(folder.path()).unwrap();
    folder
}

/// A child that is ended when dropped.
pub struct Running {
    pub child: Child,
    pub out: BufReader<ChildStdout>,
}

impl Running {
    pub fn start(command: &mut Command) -> Self {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let out = BufReader::new(child.stdout.take().unwrap());
        Self { child, out }
    }

    pub fn line(&mut self) -> String {
        let mut line = String::new();
        self.out.read_line(&mut line).unwrap();
        line.trim_end().to_owned()
    }

    /// All lines, and that the program ended well.
    pub fn finish(mut self) -> String {
        let mut rest = String::new();
        self.out.read_to_string(&mut rest).unwrap();
        let status = self.child.wait().unwrap();
        assert!(status.success(), "{status}: {rest}");
        rest
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A port that was free a moment ago.
pub fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap()
        .port()
}

/// Connects to a program that is starting.
pub fn dial(port: u16) -> TcpStream {
    let start = Instant::now();
    loop {
        match TcpStream::connect(("127.0.0.1", port)) {
            Ok(socket) => {
                socket
                    .set_read_timeout(Some(Duration::from_secs(20)))
                    .unwrap();
                socket.set_nodelay(true).unwrap();
                return socket;
            }
            Err(error) if start.elapsed() > Duration::from_secs(20) => panic!("{error}"),
            Err(_) => std::thread::sleep(Duration::from_millis(20)),
        }
    }
}

pub fn client(config: &Arc<ClientConfig>, port: u16) -> Stream<TcpStream> {
    Stream::new(connect(config), dial(port))
}

/// Sends much data, and expects it back.
pub fn echo(stream: &mut Stream<TcpStream>) {
    for length in [1, 1000, 16384, 50_000] {
        let sent: Vec<u8> = (0..length).map(|i| (i % 251) as u8).collect();
        stream.write_all(&sent).unwrap();
        let mut found = vec![0; sent.len()];
        stream.read_exact(&mut found).unwrap();
        assert!(found == sent, "{length}");
    }
}

/// A server that echoes `count` connections, and gives their streams' ends.
pub fn serve(
    listener: TcpListener,
    config: Arc<ServerConfig>,
    count: usize,
) -> std::thread::JoinHandle<Vec<Connection>> {
    std::thread::spawn(move || {
        let mut ended = Vec::new();
        for _ in 0..count {
            let (socket, _) = listener.accept().unwrap();
            socket
                .set_read_timeout(Some(Duration::from_secs(20)))
                .unwrap();
            let mut stream = Stream::new(Connection::server(Arc::clone(&config)), socket);
            let mut data = vec![0; 20_000];
            loop {
                match stream.read(&mut data) {
                    Ok(0) => break,
                    Ok(count) => stream.write_all(&data[..count]).unwrap(),
                    Err(error) if error.kind() == std::io::ErrorKind::UnexpectedEof => break,
                    Err(error) => panic!("{error}"),
                }
            }
            // Some peers are gone already.
            let _ = stream.close();
            ended.push(stream.into_parts().0);
        }
        ended
    })
}

pub fn client_config(auth: bool) -> ClientConfig {
    let config = ClientConfig::new(Lab::get().trust());
    match auth {
        true => config.identity(Lab::get().client()),
        false => config,
    }
}

pub fn server_config(auth: bool) -> ServerConfig {
    let config = ServerConfig::new(Lab::get().server());
    match auth {
        true => config.client_auth(ClientAuth::Required(Lab::get().trust())),
        false => config,
    }
}

pub fn path(folder: &Path, name: &str) -> String {
    folder.join(name).to_str().unwrap().to_owned()
}
