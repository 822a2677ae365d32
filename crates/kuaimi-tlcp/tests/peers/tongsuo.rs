//! Tongsuo's s_server and s_client.

use std::io::{Read, Write};
use std::net::TcpListener;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use kuaimi_tlcp::{CipherSuite, KeyExchange};

use crate::process::{
    self, Running, client, client_config, free_port, path, program, serve, server_config,
};

fn name(suite: CipherSuite) -> &'static str {
    match suite.number() {
        0xe011 => "ECDHE-SM2-SM4-CBC-SM3",
        0xe051 => "ECDHE-SM2-SM4-GCM-SM3",
        0xe013 => "ECC-SM2-SM4-CBC-SM3",
        _ => "ECC-SM2-SM4-GCM-SM3",
    }
}

fn tongsuo(folder: &Path, command: &str, suite: CipherSuite, own: Option<&str>) -> Command {
    let tongsuo = program("KUAIMI_TONGSUO");
    let mut run = Command::new(tongsuo.join("bin/openssl"));
    run.env("LD_LIBRARY_PATH", tongsuo.join("lib"));
    run.args([command, "-enable_ntls", "-cipher", name(suite)]);
    run.args(["-CAfile", &path(folder, "root.crt")]);
    if let Some(own) = own {
        for (option, half) in [("sign", "sign"), ("enc", "encrypt")] {
            run.args([
                format!("-{option}_cert"),
                path(folder, &format!("{own}-{half}.crt")),
            ]);
            run.args([
                format!("-{option}_key"),
                path(folder, &format!("{own}-{half}.pem")),
            ]);
        }
    }
    run
}

fn cases() -> Vec<(CipherSuite, bool)> {
    let all = CipherSuite::ALL.into_iter();
    all.flat_map(|suite| [(suite, false), (suite, true)])
        .filter(|(suite, auth)| *auth || suite.key_exchange() == KeyExchange::Ecc)
        .collect()
}

#[test]
#[ignore = "make tls-test"]
fn as_server() {
    let files = process::files();
    for (suite, auth) in cases() {
        let port = free_port();
        let mut command = tongsuo(files.path(), "s_server", suite, Some("server"));
        command.args([
            "-port",
            &port.to_string(),
            "-rev",
            "-quiet",
            "-naccept",
            "3",
        ]);
        command.args(["-alpn", "second,first"]);
        if auth {
            command.args(["-Verify", "3", "-verify_return_error"]);
        }
        let _server = Running::start(&mut command);
        let config = client_config(auth).suites(&[suite]).unwrap();
        let config = Arc::new(config.alpn(&["first", "third"]).unwrap());
        for resumed in [false, true, true] {
            let mut stream = client(&config, port);
            stream
                .handshake()
                .unwrap_or_else(|error| panic!("{suite} {auth}: {error}"));
            assert_eq!(stream.connection().is_resumed(), resumed, "{suite} {auth}");
            assert_eq!(stream.connection().alpn_protocol(), Some(&b"first"[..]));
            for length in [1, 1000, 16000] {
                let sent = "abcdefg".repeat(length).split_off(6 * length);
                stream.write_all(format!("{sent}\n").as_bytes()).unwrap();
                let mut found = vec![0; sent.len() + 1];
                stream.read_exact(&mut found).unwrap();
                found.pop();
                found.reverse();
                assert_eq!(String::from_utf8(found).unwrap(), sent);
            }
            stream.close().unwrap();
        }
    }
}

#[test]
#[ignore = "make tls-test"]
fn as_client() {
    let files = process::files();
    for (suite, auth) in cases() {
        let config = server_config(auth).suites(&[suite]).unwrap();
        let config = Arc::new(config.alpn(&["first", "third"]).unwrap());
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let server = serve(listener, config, 2);
        let session = path(files.path(), "session");
        for resumed in [false, true] {
            let mut command = tongsuo(files.path(), "s_client", suite, auth.then_some("client"));
            command.args(["-ntls", "-connect", &format!("127.0.0.1:{port}")]);
            command.args([
                "-servername",
                "tlcp.example",
                "-verify_return_error",
                "-ign_eof",
            ]);
            command.args(["-alpn", "second,first", "-verify_hostname", "tlcp.example"]);
            command.args([if resumed { "-sess_in" } else { "-sess_out" }, &session]);
            command.stderr(std::process::Stdio::null());
            let mut peer = Running::start(&mut command);
            let mut input = peer.child.stdin.take().unwrap();
            let sent = format!("line {suite} {auth} {resumed}");
            writeln!(input, "{sent}").unwrap();
            let mut seen = String::new();
            loop {
                let line = peer.line();
                if line == sent {
                    break;
                }
                seen += &line;
                seen.push('\n');
                assert!(seen.len() < 100_000, "{seen}");
            }
            drop(input);
            drop(peer);
            let word = if resumed {
                "Reused, NTLSv1.1"
            } else {
                "New, NTLSv1.1"
            };
            assert!(seen.contains(word), "{suite} {auth} {resumed}: {seen}");
            assert!(seen.contains("ALPN protocol: first"), "{seen}");
        }
        for (connection, resumed) in server.join().unwrap().iter().zip([false, true]) {
            assert_eq!(connection.is_resumed(), resumed, "{suite} {auth}");
            // s_client sends the root, too.
            assert_eq!(
                connection.peer_certificates().len(),
                if auth { 3 } else { 0 }
            );
        }
    }
}
