//! TLS 1.3 after RFC 8998 between OpenSSL 4.0's program and Tongsuo's, and with each itself: with
//! Kuaimi at both ends, at one, or at none.

use std::io::{BufRead, BufReader, Read};
use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use crate::common::library::{Library, configuration, modules, outputs, run, run_with};

/// A library, and whether Kuaimi is loaded.
struct End<'a> {
    library: &'a Library,
    tongsuo: bool,
    kuaimi: bool,
}

impl End<'_> {
    fn openssl(&self, configuration: &Path) -> Command {
        let mut command = self.library.openssl();
        // An empty configuration otherwise: the system's is for another version.
        let file = if self.kuaimi {
            configuration
        } else {
            Path::new("/dev/null")
        };
        command.env("OPENSSL_CONF", file);
        command
    }

    fn tls(&self, configuration: &Path, program: &str, folder: &Path, name: &str) -> Command {
        let mut command = self.openssl(configuration);
        command.arg(program).current_dir(folder).args([
            "-cert",
            &format!("{name}.crt"),
            "-key",
            &format!("{name}.key"),
            "-CAfile",
            "ca.crt",
            "-tls1_3",
            "-ciphersuites",
            "TLS_SM4_GCM_SM3",
            "-groups",
            "curveSM2",
            "-sigalgs",
            "sm2sig_sm3",
        ]);
        if self.tongsuo {
            command.arg("-enable_sm_tls13_strict");
        }
        command
    }
}

const IDENTITY: [&str; 2] = ["-sigopt", "distid:1234567812345678"];

/// An authority, and certificates of the server and the client, in `folder`.
pub fn certificates(library: &Library, folder: &Path) {
    let openssl = |arguments: &[&str]| {
        let mut command = library.openssl();
        command
            .current_dir(folder)
            .env("OPENSSL_CONF", "/dev/null")
            .args(arguments);
        run(&mut command, "");
    };
    let request = "[req]\ndistinguished_name = name\n[name]\n[authority]\nbasicConstraints = critical,CA:TRUE\n";
    std::fs::write(folder.join("req.cnf"), request).expect("a file");
    std::fs::write(folder.join("leaf.ext"), "basicConstraints = CA:FALSE\nsubjectKeyIdentifier = hash\nauthorityKeyIdentifier = keyid\n").expect("a file");
    openssl(&["genpkey", "-algorithm", "SM2", "-out", "ca.key"]);
    openssl(
        &[
            &[
                "req",
                "-x509",
                "-new",
                "-sm3",
                "-key",
                "ca.key",
                "-subj",
                "/CN=authority",
                "-config",
                "req.cnf",
                "-extensions",
                "authority",
                "-out",
                "ca.crt",
            ][..],
            &IDENTITY,
        ]
        .concat(),
    );
    for name in ["server", "client"] {
        let [key, csr, crt, subject] = ["key", "csr", "crt", ""].map(|end| format!("{name}.{end}"));
        let subject = format!("/CN={}", subject.trim_end_matches('.'));
        openssl(&["genpkey", "-algorithm", "SM2", "-out", &key]);
        openssl(
            &[
                &[
                    "req", "-new", "-sm3", "-key", &key, "-subj", &subject, "-config", "req.cnf",
                    "-out", &csr,
                ][..],
                &IDENTITY,
            ]
            .concat(),
        );
        openssl(
            &[
                &[
                    "x509",
                    "-req",
                    "-sm3",
                    "-in",
                    &csr,
                    "-CA",
                    "ca.crt",
                    "-CAkey",
                    "ca.key",
                    "-extfile",
                    "leaf.ext",
                    "-vfyopt",
                    "distid:1234567812345678",
                    "-out",
                    &crt,
                ][..],
                &IDENTITY,
            ]
            .concat(),
        );
    }
}

/// A server that ends when its input does.
struct Server(Child);

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A port that was free a moment ago.
fn port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    listener.local_addr().expect("its number").port()
}

/// A connection, over which the client says something that the server shows.
fn handshake(server: &End, client: &End, folder: &Path, configuration: &Path) {
    let what = format!(
        "server {:?} with Kuaimi: {}; client {:?} with Kuaimi: {}",
        server.library, server.kuaimi, client.library, client.kuaimi
    );
    let port = port();
    let mut listening = server.tls(configuration, "s_server", folder, "server");
    listening.args([
        "-accept",
        &port.to_string(),
        "-Verify",
        "1",
        "-verify_return_error",
        "-naccept",
        "1",
    ]);
    let child = listening
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("it starts");
    let mut listening = Server(child);
    let mut output = BufReader::new(listening.0.stdout.take().expect("an output"));
    let mut line = String::new();
    while !line.starts_with("ACCEPT") {
        line.clear();
        assert_ne!(
            output.read_line(&mut line).expect("text"),
            0,
            "{what}: the server has ended"
        );
    }
    let mut connecting = client.tls(configuration, "s_client", folder, "client");
    connecting.args([
        "-connect",
        &format!("127.0.0.1:{port}"),
        "-verify_return_error",
    ]);
    // "Q" at the beginning of a line ends the client.
    let said = run_with(&mut connecting, "the client says this\nQ\n");
    let text = outputs(&said);
    assert!(said.status.success(), "{what}: {text}");
    assert!(text.contains("Cipher is TLS_SM4_GCM_SM3"), "{what}: {text}");
    assert!(
        text.contains("Verify return code: 0 (ok)"),
        "{what}: {text}"
    );
    let mut rest = String::new();
    output.read_to_string(&mut rest).expect("text");
    assert!(rest.contains("the client says this"), "{what}: {rest}");
    assert!(
        rest.contains("CN=client") || rest.contains("CN = client"),
        "{what}: {rest}"
    );
}

pub fn all(openssl_4: &Library, tongsuo: &Library) {
    let folder = tempfile::tempdir().expect("a folder");
    let configuration = configuration(&modules().join("kuaimi.so"), "activate = 1");
    certificates(openssl_4, folder.path());
    let libraries = [(openssl_4, false), (tongsuo, true)];
    for (server, server_is_tongsuo) in libraries {
        for (client, client_is_tongsuo) in libraries {
            for mix in 0..4 {
                let server = End {
                    library: server,
                    tongsuo: server_is_tongsuo,
                    kuaimi: mix & 1 == 1,
                };
                let client = End {
                    library: client,
                    tongsuo: client_is_tongsuo,
                    kuaimi: mix & 2 == 2,
                };
                handshake(&server, &client, folder.path(), configuration.path());
            }
        }
    }
}
