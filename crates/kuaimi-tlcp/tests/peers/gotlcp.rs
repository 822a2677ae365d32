//! gotlcp, by the program of `peers/tlcp`.

use std::net::TcpListener;
use std::process::Command;
use std::sync::Arc;

use kuaimi_tlcp::{CipherSuite, KeyExchange};

use crate::process::{self, Running, client, client_config, echo, program, serve, server_config};

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
        for with_length in [false, true] {
            let mut server = Running::start(
                Command::new(program("KUAIMI_GOTLCP"))
                    .arg("server")
                    .arg(files.path())
                    .arg(format!("{:04x}", suite.number()))
                    .args([if auth { "required" } else { "none" }, "3"]),
            );
            let port = server.line().parse().unwrap();
            let config = client_config(auth)
                .suites(&[suite])
                .unwrap()
                .alpn(&["first", "third"])
                .unwrap()
                .parameters_with_length(with_length);
            let config = Arc::new(config);
            for resumed in [false, true, true] {
                let mut stream = client(&config, port);
                stream
                    .handshake()
                    .unwrap_or_else(|error| panic!("{suite} {auth}: {error}"));
                assert_eq!(stream.connection().is_resumed(), resumed, "{suite} {auth}");
                assert_eq!(stream.connection().alpn_protocol(), Some(&b"first"[..]));
                echo(&mut stream);
                stream.close().unwrap();
                let line = server.line();
                let certificates = if auth { 2 } else { 0 };
                let expected = format!("{:04x} {resumed} {certificates} first", suite.number());
                assert_eq!(line, expected, "{suite} {auth}");
            }
            server.finish();
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
        let server = serve(listener, config, 3);
        let peer = Running::start(
            Command::new(program("KUAIMI_GOTLCP"))
                .arg("client")
                .arg(files.path())
                .arg(format!("{:04x}", suite.number()))
                .args([if auth { "pair" } else { "none" }, "3"])
                .arg(port.to_string()),
        );
        let lines = peer.finish();
        let expected: String = [false, true, true]
            .map(|resumed| format!("{:04x} {resumed} 2 first\n", suite.number()))
            .concat();
        assert_eq!(lines, expected, "{suite} {auth}");
        for (connection, resumed) in server.join().unwrap().iter().zip([false, true, true]) {
            assert_eq!(connection.is_resumed(), resumed, "{suite} {auth}");
            assert_eq!(
                connection.peer_certificates().len(),
                if auth { 2 } else { 0 }
            );
            assert_eq!(connection.server_name(), Some("tlcp.example"));
        }
    }
}
