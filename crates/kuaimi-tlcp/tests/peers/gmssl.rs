//! GmSSL's tlcp_server and tlcp_client.

use std::io::{Read, Write};
use std::net::TcpListener;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use kuaimi::encoding::PasswordEncryption;
use kuaimi::external::getrandom::SysRng;
use kuaimi_tlcp::{CipherSuite, KeyExchange, SignedTranscript};

use crate::common::{Holder, Lab};
use crate::process::{
    self, Running, client, client_config, free_port, path, program, serve, server_config,
};

const PASSWORD: &str = "a password";

/// Both private keys in one file, under a password in GmSSL's form.
fn write_keys(folder: &Path) {
    let pem = |holder: &Holder| {
        let encryption = PasswordEncryption::SHANGMI.with_iterations(65536);
        holder
            .key
            .to_encrypted_pkcs8_pem(PASSWORD.as_bytes(), encryption, &mut SysRng)
            .unwrap()
    };
    for (name, pair) in [
        ("server", &Lab::get().server),
        ("client", &Lab::get().client),
    ] {
        let [signing, encrypting] = [&pair.signing, &pair.encrypting].map(pem);
        std::fs::write(
            path(folder, &format!("{name}-keys.pem")),
            signing.clone() + &encrypting,
        )
        .unwrap();
        std::fs::write(path(folder, &format!("{name}-key.pem")), signing).unwrap();
    }
}

fn cases() -> Vec<(CipherSuite, bool)> {
    let all = CipherSuite::ALL.into_iter();
    all.flat_map(|suite| [(suite, false), (suite, true)])
        .filter(|(suite, auth)| *auth || suite.key_exchange() == KeyExchange::Ecc)
        .collect()
}

fn gmssl(folder: &Path, command: &str, suite: CipherSuite) -> Command {
    let mut run = Command::new(program("KUAIMI_GMSSL"));
    run.args([command, "-cipher_suite", &format!("TLS_{suite}")]);
    run.current_dir(folder).stderr(std::process::Stdio::null());
    run
}

#[test]
#[ignore = "make tls-test"]
fn as_server() {
    let files = process::files();
    write_keys(files.path());
    for (suite, auth) in cases() {
        let port = free_port();
        let mut command = gmssl(files.path(), "tlcp_server", suite);
        command.args(["-port", &port.to_string(), "-cert", "server-chain.crt"]);
        command.args(["-key", "server-keys.pem", "-pass", PASSWORD]);
        if auth {
            command.args(["-cert_request", "-cacert", "root.crt"]);
        }
        let _server = Running::start(&mut command);
        let config = client_config(auth).suites(&[suite]).unwrap();
        let config = config
            .signed_transcript(SignedTranscript::Messages)
            .parameters_with_length(true)
            .signing_certificate_alone(true);
        let mut stream = client(&Arc::new(config), port);
        stream
            .handshake()
            .unwrap_or_else(|error| panic!("{suite} {auth}: {error}"));
        stream.write_all(b"hello\n").unwrap();
        let mut found = [0; 6];
        stream.read_exact(&mut found).unwrap();
        assert_eq!(&found, b"hello\n", "{suite} {auth}");
        stream.close().unwrap();
    }
}

#[test]
#[ignore = "make tls-test"]
fn as_client() {
    let files = process::files();
    write_keys(files.path());
    std::fs::write(path(files.path(), "input"), "a line\n").unwrap();
    for (suite, auth) in cases() {
        let config = server_config(auth).suites(&[suite]).unwrap();
        let config = config.signed_transcript(SignedTranscript::Either);
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let server = serve(listener, Arc::new(config), 1);
        let mut command = gmssl(files.path(), "tlcp_client", suite);
        command.args([
            "-host",
            "127.0.0.1",
            "-port",
            &port.to_string(),
            "-cacert",
            "root.crt",
        ]);
        command.args(["-server_name", "tlcp.example", "-in", "input"]);
        if auth {
            let (chain, keys) = match suite.key_exchange() {
                KeyExchange::Ecc => ("client-chain-sign.crt", "client-key.pem"),
                KeyExchange::Ecdhe => ("client-chain.crt", "client-keys.pem"),
            };
            command.args(["-cert", chain, "-key", keys, "-pass", PASSWORD]);
        }
        let mut peer = Running::start(&mut command);
        let mut seen = String::new();
        while !seen.contains("a line") {
            let line = peer.line();
            assert!(
                seen.len() < 10_000
                    && !(line.is_empty() && peer.child.try_wait().unwrap().is_some()),
                "{suite} {auth}: {seen}"
            );
            seen += &line;
        }
        drop(peer);
        let ended = server.join().unwrap();
        assert_eq!(!ended[0].peer_certificates().is_empty(), auth, "{suite}");
    }
}
