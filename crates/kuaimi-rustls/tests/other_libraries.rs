//! Against the programs of OpenSSL 4.0 and Tongsuo, in both directions.
//!
//! `make test-openssl` sets `KUAIMI_OPENSSL_4` and `KUAIMI_TONGSUO`, the folders of both.

mod common;

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use common::{Authority, BOTH, By, HOST, Holder, NOW};
use kuaimi_rustls::{
    CURVE_SM2, CURVE_SM2_MLKEM768, TLS_SM4_CCM_SM3, TLS_SM4_GCM_SM3, Ticketer, in_front_of, strict,
};
use rustls::crypto::{CryptoProvider, ring};
use rustls::pki_types::ServerName;
use rustls::{
    ClientConfig, ClientConnection, HandshakeKind, ServerConfig, ServerConnection, Stream,
};
use tempfile::TempDir;

/// Longer than any step may take, on a machine that does much else.
const LIMIT: Duration = Duration::from_secs(60);

const SUITES: [(rustls::SupportedCipherSuite, &str); 2] = [
    (TLS_SM4_GCM_SM3, "TLS_SM4_GCM_SM3"),
    (TLS_SM4_CCM_SM3, "TLS_SM4_CCM_SM3"),
];

const ML_KEM: &str = "curveSM2MLKEM768";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Library {
    Openssl4,
    Tongsuo,
}

const LIBRARIES: [Library; 2] = [Library::Openssl4, Library::Tongsuo];

impl Library {
    fn folder(self) -> PathBuf {
        let name = match self {
            Self::Openssl4 => "KUAIMI_OPENSSL_4",
            Self::Tongsuo => "KUAIMI_TONGSUO",
        };
        std::env::var_os(name)
            .unwrap_or_else(|| panic!("{name} is a folder: run `make test-openssl`"))
            .into()
    }

    fn openssl(self, program: &str, arguments: &[&str]) -> Command {
        let folder = self.folder();
        let mut command = Command::new(folder.join("bin/openssl"));
        command
            .env("LD_LIBRARY_PATH", folder.join("lib"))
            .env("OPENSSL_CONF", "/dev/null")
            .arg(program)
            .args(["-tls1_3", "-attime", &NOW.to_string()])
            .args(arguments);
        // This way, it takes no other group than `curveSM2`.
        if self == Self::Tongsuo && !arguments.contains(&ML_KEM) {
            command.arg("-enable_sm_tls13_strict");
        }
        command
    }
}

/// The files of an authority, a server and a client.
struct Files {
    folder: TempDir,
    authority: Authority,
    server: Holder,
    client: Holder,
}

impl Files {
    fn new() -> Self {
        let root = Authority::new("Root");
        let authority = root.below("Issuing");
        let (server, client) = (authority.server(), authority.client());
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text);
        write("ca.crt", &root.certificate().to_pem()).unwrap();
        for (name, holder) in [("server", &server), ("client", &client)] {
            write(&format!("{name}.crt"), &holder.chain).unwrap();
            write(&format!("{name}.key"), &holder.key).unwrap();
        }
        Self {
            folder,
            authority,
            server,
            client,
        }
    }

    fn path(&self, name: &str) -> String {
        self.folder.path().join(name).to_str().unwrap().to_owned()
    }

    fn of(&self, side: &str) -> [String; 8] {
        let (certificate, key) = (
            self.path(&format!("{side}.crt")),
            self.path(&format!("{side}.key")),
        );
        let authority = self.path("ca.crt");
        [
            "-cert",
            &certificate,
            "-cert_chain",
            &certificate,
            "-key",
            &key,
            "-CAfile",
            &authority,
        ]
        .map(str::to_owned)
    }
}

/// A program that ends with the test, and what it prints.
struct Program {
    child: Child,
    input: Option<ChildStdin>,
    output: Option<thread::JoinHandle<String>>,
}

impl Drop for Program {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Program {
    fn start(command: &mut Command) -> Self {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::inherit())
            .spawn()
            .unwrap();
        let output = child.stdout.take().unwrap();
        Self {
            input: child.stdin.take(),
            child,
            output: Some(thread::spawn(move || {
                let mut text = Vec::new();
                // What it printed before it was stopped counts.
                let _ = BufReader::new(output).read_to_end(&mut text);
                String::from_utf8_lossy(&text).into_owned()
            })),
        }
    }

    /// Waits for its end, and gives what it printed.
    fn end(mut self) -> String {
        drop(self.input.take());
        self.child.wait().unwrap();
        self.output.take().unwrap().join().unwrap()
    }

    fn stop(mut self) -> String {
        // It may have ended already.
        let _ = self.child.kill();
        self.end()
    }
}

/// `s_server` on a port of its own.
fn s_server(library: Library, files: &Files, arguments: &[&str]) -> (Program, u16) {
    // It is asked for any port, and says which.
    let mut command = library.openssl("s_server", arguments);
    command
        .args(files.of("server"))
        .args(["-accept", "127.0.0.1:0"])
        .current_dir(files.folder.path());
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::inherit())
        .spawn()
        .unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    let mut line = String::new();
    let port = loop {
        line.clear();
        assert_ne!(output.read_line(&mut line).unwrap(), 0, "it has ended");
        if let Some(address) = line.strip_prefix("ACCEPT ") {
            break address.trim().rsplit(':').next().unwrap().parse().unwrap();
        }
    };
    let program = Program {
        input: child.stdin.take(),
        child,
        output: Some(thread::spawn(move || {
            let mut text = Vec::new();
            // As above.
            let _ = output.read_to_end(&mut text);
            String::from_utf8_lossy(&text).into_owned()
        })),
    };
    (program, port)
}

fn dial(port: u16) -> TcpStream {
    let stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
    stream.set_read_timeout(Some(LIMIT)).unwrap();
    stream
}

/// Sends a line to `s_server -rev`, and reads it back.
fn reversed(connection: &mut ClientConnection, socket: &mut TcpStream) {
    let mut stream = Stream::new(connection, socket);
    stream.write_all(b"a message\n").unwrap();
    let mut found = [0; 10];
    stream.read_exact(&mut found).unwrap();
    assert_eq!(&found, b"egassem a\n");
}

fn connection(config: &Arc<ClientConfig>) -> ClientConnection {
    ClientConnection::new(config.clone(), ServerName::try_from(HOST).unwrap()).unwrap()
}

fn only(suite: rustls::SupportedCipherSuite) -> CryptoProvider {
    CryptoProvider {
        cipher_suites: vec![suite],
        ..strict()
    }
}

#[test]
fn clients_of_other_servers() {
    let files = Files::new();
    for library in LIBRARIES {
        for (suite, name) in SUITES {
            let (server, port) = s_server(
                library,
                &files,
                &[
                    "-rev",
                    "-ciphersuites",
                    name,
                    "-Verify",
                    "3",
                    "-verify_return_error",
                ],
            );
            for by in BOTH {
                let client =
                    common::client_with(only(suite), &files.authority, by, Some(&files.client));
                let client = Arc::new(client);
                for kind in [HandshakeKind::Full, HandshakeKind::Resumed] {
                    let (mut connection, mut socket) = (connection(&client), dial(port));
                    reversed(&mut connection, &mut socket);
                    assert_eq!(
                        connection.handshake_kind(),
                        Some(kind),
                        "{library:?} {name}"
                    );
                    assert_eq!(connection.negotiated_cipher_suite(), Some(suite));
                    for _ in 0..2 {
                        connection.refresh_traffic_keys().unwrap();
                        reversed(&mut connection, &mut socket);
                    }
                }
            }
            // Without a certificate it refuses us.
            let client = Arc::new(common::client(&files.authority, By::Kuaimi, None));
            let (mut connection, mut socket) = (connection(&client), dial(port));
            let mut stream = Stream::new(&mut connection, &mut socket);
            let mut nothing = [0; 1];
            assert!(stream.read_exact(&mut nothing).is_err(), "{library:?}");
            server.stop();
        }
    }
}

#[test]
fn large_files_of_other_servers() {
    let files = Files::new();
    let data: Vec<u8> = (0..5_000_000u32)
        .map(|i| (i.wrapping_mul(i) >> 7) as u8)
        .collect();
    std::fs::write(files.path("large"), &data).unwrap();
    for library in LIBRARIES {
        for (suite, name) in SUITES {
            let (server, port) = s_server(library, &files, &["-HTTP", "-ciphersuites", name]);
            let client = common::client_with(only(suite), &files.authority, By::Webpki, None);
            let (mut connection, mut socket) = (connection(&Arc::new(client)), dial(port));
            let mut stream = Stream::new(&mut connection, &mut socket);
            stream.write_all(b"GET /large HTTP/1.0\r\n\r\n").unwrap();
            let mut found = vec![0; data.len()];
            stream.read_exact(&mut found).unwrap();
            // `-HTTP`: the file has to have the headers itself.
            assert!(found == data, "{library:?} {name}");
            server.stop();
        }
    }
}

#[test]
fn a_server_that_wants_another_share() {
    let files = Files::new();
    for library in LIBRARIES {
        let (server, port) = s_server(library, &files, &["-rev", "-groups", "curveSM2"]);
        let mut provider = in_front_of(ring::default_provider());
        provider.kx_groups = vec![ring::kx_group::X25519, CURVE_SM2];
        let client = common::client_with(provider, &files.authority, By::Webpki, None);
        let (mut connection, mut socket) = (connection(&Arc::new(client)), dial(port));
        reversed(&mut connection, &mut socket);
        let kind = Some(HandshakeKind::FullWithHelloRetryRequest);
        assert_eq!(connection.handshake_kind(), kind, "{library:?}");
        server.stop();
    }
}

#[test]
fn ml_kem_with_other_servers_and_clients() {
    let files = Files::new();
    let mut provider = strict();
    provider.kx_groups.insert(0, CURVE_SM2_MLKEM768);
    for library in LIBRARIES {
        let arguments = ["-groups", ML_KEM, "-ciphersuites", "TLS_SM4_GCM_SM3"];
        let (server, port) = s_server(library, &files, &[&["-rev"], &arguments[..]].concat());
        let client = common::client_with(provider.clone(), &files.authority, By::Webpki, None);
        let (mut connection, mut socket) = (connection(&Arc::new(client)), dial(port));
        reversed(&mut connection, &mut socket);
        let found = connection.negotiated_key_exchange_group().unwrap();
        assert_eq!(found.name(), CURVE_SM2_MLKEM768.name(), "{library:?}");
        server.stop();

        let server = common::server_with(provider.clone(), &files.server, By::Webpki, None);
        let text = s_client(library, &files, server, &arguments, "one\nQ\n", 1);
        assert!(text.contains("Verify return code: 0 (ok)"), "{text}");
        assert!(text.contains("answer to one"), "{text}");
    }
}

/// Runs `s_client` against a server of ours that answers each line, and gives what it prints.
fn s_client(
    library: Library,
    files: &Files,
    server: ServerConfig,
    arguments: &[&str],
    input: &str,
    connections: usize,
) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let server = Arc::new(server);
    let serving = thread::spawn(move || {
        for _ in 0..connections {
            let (mut socket, _) = listener.accept().unwrap();
            socket.set_read_timeout(Some(LIMIT)).unwrap();
            let mut connection = ServerConnection::new(server.clone()).unwrap();
            let stream = Stream::new(&mut connection, &mut socket);
            let mut stream = BufReader::new(stream);
            let mut line = String::new();
            // A client that ends, and one that refuses us.
            while stream.read_line(&mut line).is_ok_and(|length| length > 0) {
                let answer = format!("answer to {line}");
                stream.get_mut().write_all(answer.as_bytes()).unwrap();
                line.clear();
            }
        }
    });
    let mut text = String::new();
    for _ in 0..connections {
        let mut command = library.openssl("s_client", arguments);
        command
            .args(files.of("client"))
            .args(["-connect", &format!("127.0.0.1:{port}")])
            .args(["-servername", HOST, "-verify_hostname", HOST])
            .args(["-verify_return_error"])
            .current_dir(files.folder.path());
        let mut program = Program::start(&mut command);
        let mut stdin = program.input.take().unwrap();
        for line in input.split_inclusive('\n') {
            // So that each is read by itself, and answers come before the end.
            thread::sleep(Duration::from_millis(300));
            // A program that refused us has ended.
            let _ = stdin
                .write_all(line.as_bytes())
                .and_then(|()| stdin.flush());
        }
        drop(stdin);
        text += &program.end();
    }
    serving.join().unwrap();
    text
}

#[test]
fn servers_of_other_clients() {
    let files = Files::new();
    for library in LIBRARIES {
        for (suite, name) in SUITES {
            for by in BOTH {
                let server =
                    common::server_with(only(suite), &files.server, by, Some(&files.authority));
                // K: its keys are updated; k: ours, too.
                let input = "one\nK\ntwo\nk\nthree\nQ\n";
                let text = s_client(library, &files, server, &["-ciphersuites", name], input, 1);
                for expected in [
                    &format!("Cipher is {name}"),
                    "Verify return code: 0 (ok)",
                    "answer to one",
                    "answer to two",
                    "answer to three",
                ] {
                    assert!(text.contains(expected), "{library:?}, {expected}: {text}");
                }
            }
        }
    }
}

#[test]
fn sessions_of_other_clients() {
    let files = Files::new();
    for library in LIBRARIES {
        for (suite, name) in SUITES {
            for stateless in [false, true] {
                let mut server = common::server_with(only(suite), &files.server, By::Webpki, None);
                if stateless {
                    server.ticketer = Ticketer::new().unwrap();
                }
                let session = files.path("session");
                // The first has no session yet.
                let server = Arc::new(server);
                let _ = std::fs::remove_file(&session);
                let run = |arguments: &[&str]| {
                    let arguments = [&["-ciphersuites", name], arguments].concat();
                    let server = ServerConfig::clone(&server);
                    s_client(library, &files, server, &arguments, "one\nQ\n", 1)
                };
                let text = run(&["-sess_out", &session]);
                assert!(text.contains("New, TLSv1.3"), "{library:?}: {text}");
                let text = run(&["-sess_in", &session]);
                assert!(text.contains("Reused, TLSv1.3"), "{library:?}: {text}");
                assert!(text.contains("answer to one"), "{library:?}: {text}");
            }
        }
    }
}

#[test]
fn clients_that_have_nothing_in_common() {
    let files = Files::new();
    for arguments in [
        ["-ciphersuites", "TLS_AES_128_GCM_SHA256"],
        ["-groups", "X25519"],
        ["-sigalgs", "ecdsa_secp256r1_sha256"],
    ] {
        let server = common::server(&files.server, By::Webpki, None);
        let text = s_client(Library::Openssl4, &files, server, &arguments, "Q\n", 1);
        assert!(text.contains("New, (NONE)"), "{arguments:?}: {text}");
    }
}
