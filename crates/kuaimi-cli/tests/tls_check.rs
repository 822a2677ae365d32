//! `kuaimi tls-check`, of servers that are good and of servers that are not.

#![cfg(unix)]

mod common;

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpListener};
use std::process::{Child, Stdio};

use common::{Lab, Ran};

/// A server: `kuaimi proxy` before nothing.
struct Server {
    child: Child,
    address: SocketAddr,
}

impl Server {
    fn start(lab: &Lab, keys: &str) -> Self {
        let mut command = lab.kuaimi();
        let line = format!("proxy --listen 127.0.0.1:0 --to 127.0.0.1:1 {keys}");
        command.args(line.split_whitespace());
        let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
        let line = lines
            .find(|line| line.as_ref().unwrap().contains(" listening "))
            .unwrap()
            .unwrap();
        // The rest is read, so that the server does not wait for it.
        std::thread::spawn(move || lines.for_each(drop));
        let (_, rest) = line.split_once("address=").unwrap();
        let address = rest.split(' ').next().unwrap().parse().unwrap();
        Self { child, address }
    }

    fn check(&self, lab: &Lab, options: &str) -> Ran {
        lab.sh(&format!("tls-check {} {options}", self.address))
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ended = self.child.kill();
        let _ended = self.child.wait();
    }
}

const KEYS: &str = "--cert sign.crt --key sign.pem --enc-cert enc.crt --enc-key enc.pem";
const NAMED: &str = "--name localhost --ca ca.crt";

/// An authority, and what it issues for localhost with these options.
fn lab(options: &str) -> Lab {
    let lab = Lab::new();
    lab.sh("cert self-sign --ca --key ca.pem --subject CN=Root --not-before 2020-01-01 --not-after 2080-01-01 --out ca.crt")
        .ok();
    for (half, purpose) in [("sign", "signing"), ("enc", "encryption")] {
        lab.sh(&format!(
            "cert request --key {half}.pem --subject CN=localhost --dns localhost --out {half}.csr"
        ))
        .ok();
        lab.sh(&format!(
            "cert issue --ca ca.crt --ca-key ca.pem --for {purpose} {options} --out {half}.crt {half}.csr"
        ))
        .ok();
    }
    lab
}

#[test]
fn a_good_server() {
    let lab = lab("--days 365");
    let server = Server::start(&lab, KEYS);
    let text = server.check(&lab, NAMED).ok();
    let text = text.text();
    assert!(text.contains("no problem was found"), "{text}");
    let ran = server.check(&lab, &format!("--json {NAMED}")).ok();
    let found: serde_json::Value = serde_json::from_slice(&ran.stdout).unwrap();
    assert_eq!(found["good"], true);
    assert_eq!(found["problems"], serde_json::json!([]));
    assert_eq!(found["certificates"]["TLCP"].as_array().unwrap().len(), 2);
    assert_eq!(found["certificates"]["TLCP"][0]["subject"], "CN=localhost");
    let spoken = found["protocols"].as_array().unwrap().iter();
    let spoken: Vec<_> = spoken
        .filter(|one| one["spoken"] == true)
        .map(|one| one["offered"].as_str().unwrap())
        .collect();
    assert_eq!(
        spoken,
        [
            "ECC_SM4_GCM_SM3",
            "ECC_SM4_CBC_SM3",
            "TLS_SM4_GCM_SM3",
            "TLS_SM4_CCM_SM3",
            "curveSM2",
            "curveSM2MLKEM768"
        ]
    );
}

/// A server that asks for client certificates speaks ECDHE, though it refuses the check's.
#[test]
fn a_server_that_wants_client_certificates() {
    let lab = lab("--days 365");
    let server = Server::start(&lab, &format!("{KEYS} --client-ca ca.crt"));
    let ran = server.check(&lab, &format!("--json {NAMED}")).ok();
    let found: serde_json::Value = serde_json::from_slice(&ran.stdout).unwrap();
    for protocol in found["protocols"].as_array().unwrap() {
        let expected = !protocol["offered"].as_str().unwrap().is_empty();
        assert_eq!(protocol["spoken"], expected, "{protocol}");
    }
}

#[test]
fn what_is_wrong_is_said() {
    let good = lab("--days 365");
    let server = Server::start(&good, KEYS);
    let says = |ran: Ran, words: &[&str]| {
        let ran = ran.status(1);
        for word in words {
            assert!(ran.text().contains(word), "no {word:?} in {}", ran.text());
        }
    };
    says(
        server.check(&good, "--name other.example --ca ca.crt"),
        &["PROBLEM: TLCP: the encrypting certificate is not for other.example"],
    );
    let other = lab("--days 365");
    good.write("other.crt", other.read("ca.crt"));
    says(
        server.check(&good, "--name localhost --ca other.crt"),
        &["PROBLEM: TLCP: the signing certificate: "],
    );
    // Without an authority, only a note.
    let ran = server.check(&good, "--name localhost").ok();
    assert!(
        ran.text()
            .contains("note: the certificates were not verified")
    );

    let expired = lab("--not-before 2020-01-01 --not-after 2021-01-01");
    let server = Server::start(&expired, KEYS);
    says(
        server.check(&expired, NAMED),
        &[
            "TLCP: the signing certificate has expired, at 2021-01-01",
            "TLCP: the encrypting certificate has expired",
            "TLS 1.3 with ShangMi: the certificate has expired",
        ],
    );
    let early = lab("--not-before 2070-01-01 --not-after 2071-01-01");
    let server = Server::start(&early, KEYS);
    says(
        server.check(&early, NAMED),
        &["is not valid before 2070-01-01"],
    );
    let soon = lab("--days 3");
    let server = Server::start(&soon, KEYS);
    assert!(
        server
            .check(&soon, NAMED)
            .ok()
            .text()
            .contains("expires in ")
    );
}

/// What speaks none of the protocols, and what cannot be reached.
#[test]
fn what_is_no_server() {
    let lab = Lab::new();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let answers: [&[u8]; 3] = [b"HTTP/1.1 400 Bad Request\r\n\r\n", b"\x16\x03\x03", b""];
    std::thread::spawn(move || {
        for (i, socket) in listener.incoming().enumerate() {
            let mut socket = socket.unwrap();
            let _gone = socket.write_all(answers[i % answers.len()]);
            // Some stay open, and say nothing more.
            if i % 2 == 0 {
                std::thread::spawn(move || socket.read_to_end(&mut Vec::new()));
            }
        }
    });
    let ran = lab
        .sh(&format!("tls-check {address} --timeout 1"))
        .status(1);
    assert!(ran.text().contains("speaks none of the protocols"));
    drop(lab.sh("tls-check 127.0.0.1:1 --timeout 1").status(2));
    for wrong in ["a:b", ":443", "localhost:99999"] {
        lab.sh(&format!("tls-check {wrong}"))
            .status(2)
            .says(&["HOST:PORT"]);
    }
    lab.sh("tls-check 127.0.0.1:1 --ca nowhere").status(2);
}
