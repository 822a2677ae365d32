//! `kuaimi proxy`, begun as its users begin it.

#![cfg(unix)]

mod common;

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::process::{Child, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use common::Lab;
use rustix::process::{Pid, Signal, kill_process};

/// Long enough for a loaded machine: what takes longer hangs.
const LONG: Duration = Duration::from_secs(60);

/// With an authority in `ca`, and the pair of a server for localhost.
fn lab() -> Lab {
    let lab = Lab::new();
    lab.sh("cert self-sign --ca --ca-folder ca --subject CN=Root")
        .ok();
    pair(&lab);
    lab
}

/// `sign.crt`, `sign.pem`, `enc.crt` and `enc.pem`, as docs/tls.md makes them.
fn pair(lab: &Lab) {
    for line in [
        "cert request --key sign.pem --subject CN=localhost --dns localhost --ip 127.0.0.1 --out r.csr --force",
        "cert pair --ca-folder ca --out-sign sign.crt --out-encrypt enc.crt --out-key enc.env --force r.csr",
        "cert open-key --key sign.pem --out enc.pem --force enc.env",
    ] {
        lab.sh(line).ok();
    }
}

/// A backend that answers every request of HTTP alike.
fn backend() -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        for socket in listener.incoming() {
            std::thread::spawn(move || {
                let mut socket = socket.unwrap();
                let mut reader = BufReader::new(socket.try_clone().unwrap());
                let mut line = String::new();
                while reader.read_line(&mut line).is_ok_and(|count| count > 2) {
                    line.clear();
                }
                let answer =
                    "HTTP/1.1 200 OK\r\ncontent-length: 6\r\nconnection: close\r\n\r\nhello\n";
                let _gone = socket.write_all(answer.as_bytes());
            });
        }
    });
    address
}

/// A proxy that runs, and is ended with the test.
struct Running {
    child: Child,
    log: Receiver<String>,
}

impl Running {
    fn start(lab: &Lab, line: &str) -> Self {
        let mut command = lab.kuaimi();
        command.args(line.split_whitespace());
        let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
        let stderr = BufReader::new(child.stderr.take().unwrap());
        let (send, log) = channel();
        std::thread::spawn(move || {
            for line in stderr.lines() {
                let _gone = send.send(line.unwrap());
            }
        });
        Self { child, log }
    }

    /// The first line of the log from now on with all of these.
    #[track_caller]
    fn says(&self, words: &[&str]) -> String {
        let mut seen = String::new();
        loop {
            match self.log.recv_timeout(LONG) {
                Ok(line) if words.iter().all(|word| line.contains(word)) => return line,
                Ok(line) => seen += &format!("{line}\n"),
                Err(_) => panic!("no {words:?} in:\n{seen}"),
            }
        }
    }

    /// The address of a listener, from the line that says it.
    #[track_caller]
    fn address(&self) -> SocketAddr {
        let line = self.says(&["listening"]);
        let (_, rest) = line.split_once("address=").expect("an address");
        rest.split(' ').next().unwrap().parse().unwrap()
    }

    fn send(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.child), signal).unwrap();
    }

    fn end(mut self) -> i32 {
        self.send(Signal::TERM);
        self.child.wait().unwrap().code().unwrap_or(-1)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ended = self.child.kill();
        let _ended = self.child.wait();
    }
}

/// The answer to a request without protection.
fn get(to: SocketAddr, path: &str) -> String {
    let mut socket = TcpStream::connect(to).unwrap();
    socket.set_read_timeout(Some(LONG)).unwrap();
    socket
        .write_all(
            format!("GET {path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n")
                .as_bytes(),
        )
        .unwrap();
    let mut answer = String::new();
    socket.read_to_string(&mut answer).unwrap();
    answer
}

const KEYS: &str = "--cert sign.crt --key sign.pem --enc-cert enc.crt --enc-key enc.pem";

#[test]
fn first_use_on_both_sides() {
    let lab = lab();
    let to = backend();
    let server = Running::start(
        &lab,
        &format!("proxy --listen 127.0.0.1:0 --to {to} {KEYS}"),
    );
    let secure = server.address();
    for (protocol, suite) in [("tlcp", "ECC_SM4_GCM_SM3"), ("tls13", "TLS_SM4_GCM_SM3")] {
        let client = Running::start(
            &lab,
            &format!(
                "proxy --listen 127.0.0.1:0 --connect localhost:{} --ca ca/ca.crt --protocol {protocol}",
                secure.port()
            ),
        );
        assert!(get(client.address(), "/").ends_with("hello\n"));
        server.says(&["connection", suite, "reason=\"closed\""]);
        assert_eq!(client.end(), 0);
    }
    // And it is what `tls-check` calls good.
    let check = format!("tls-check localhost:{} --ca ca/ca.crt", secure.port());
    let ran = lab.sh(&check).ok();
    for word in ["ECC_SM4_GCM_SM3", "TLS_SM4_GCM_SM3", "no problem was found"] {
        assert!(ran.text().contains(word), "{}", ran.text());
    }
    assert_eq!(server.end(), 0);
}

/// Whether these tests were begun by `nohup`: what they start then takes no notice of SIGHUP.
fn hangups_are_ignored() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    line.is_some_and(|line| u64::from_str_radix(line.trim(), 16).is_ok_and(|set| set & 1 == 1))
}

#[test]
fn a_configuration_and_its_reload() {
    let lab = lab();
    let to = backend();
    let part = format!(
        "listen = \"127.0.0.1:0\"\nto = \"{to}\"\ncert = \"sign.crt\"\nkey = \"sign.pem\"\n\
         enc_cert = \"enc.crt\"\nenc_key = \"enc.pem\"\n"
    );
    let text = format!("log = \"json\"\nadmin = \"127.0.0.1:0\"\n[[server]]\n{part}");
    lab.write("proxy.toml", &text);
    lab.sh("proxy --config proxy.toml --check")
        .ok()
        .says(&["can be used"]);
    if hangups_are_ignored() {
        return;
    }
    let proxy = Running::start(&lab, "proxy --config proxy.toml");
    let admin = proxy.says(&["\"admin\":\"127.0.0.1:"]);
    assert!(admin.starts_with('{') && admin.ends_with('}'), "{admin}");
    proxy.says(&["\"message\":\"listening\""]);

    lab.write("proxy.toml", text.replace("cert =", "certt ="));
    proxy.send(Signal::HUP);
    proxy.says(&["not reloaded", "line 6", "certt"]);
    pair(&lab);
    lab.write("proxy.toml", &text);
    proxy.send(Signal::HUP);
    proxy.says(&["\"message\":\"reloaded\""]);
    lab.write("enc.pem", "nothing");
    proxy.send(Signal::HUP);
    proxy.says(&["not reloaded", "enc.pem"]);
    assert_eq!(proxy.end(), 0);
}

#[test]
fn two_signals_end_it_at_once() {
    let lab = lab();
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let to = silent.local_addr().unwrap();
    let proxy = Running::start(
        &lab,
        &format!("proxy --listen 127.0.0.1:0 --to {to} --drain 3600 --admin 127.0.0.1:0 {KEYS}"),
    );
    let line = proxy.says(&["admin="]);
    let admin: SocketAddr = line.rsplit_once('=').unwrap().1.parse().unwrap();
    let _open = TcpStream::connect(proxy.address()).unwrap();
    let accepted = |metrics: &str| {
        let mut lines = metrics.lines();
        lines.any(|line| line.starts_with("kuaimi_proxy_active{") && line.ends_with(" 1"))
    };
    while !accepted(&get(admin, "/metrics")) {
        std::thread::sleep(Duration::from_millis(10));
    }
    proxy.send(Signal::TERM);
    proxy.says(&["stopping"]);
    proxy.send(Signal::TERM);
    proxy.says(&["stopped at once"]);
    let mut proxy = proxy;
    assert_eq!(proxy.child.wait().unwrap().code(), Some(0));
}

#[test]
fn passwords() {
    let lab = lab();
    lab.write("pw", "a password\n");
    lab.write("wrong", "another\n");
    for half in ["sign", "enc"] {
        lab.sh(&format!(
            "sm2 convert --to encrypted-pkcs8 --new-password-file pw --out {half}.secret {half}.pem"
        ))
        .ok();
    }
    let keys = KEYS
        .replace("sign.pem", "sign.secret")
        .replace("enc.pem", "enc.secret");
    let line = format!("proxy --listen 127.0.0.1:0 --to 127.0.0.1:1 --check {keys}");
    lab.sh(&format!("{line} --password-file pw")).ok();
    lab.sh(&format!("{line} --password-file wrong"))
        .status(2)
        .says(&["sign.secret: ", "password"]);
    lab.sh(&format!("{line} --password-env KUAIMI_NOT_THERE"))
        .status(2)
        .says(&["sign.secret: ", "KUAIMI_NOT_THERE"]);
    let mut command = lab.kuaimi();
    command.args(line.split(' ')).args(["--password-env", "PW"]);
    common::ran(command.env("PW", "a password").output().unwrap()).ok();
}

#[test]
fn what_cannot_begin() {
    let lab = lab();
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let taken = taken.local_addr().unwrap();
    let to = "--to 127.0.0.1:1";
    for (line, words) in [
        (
            format!("--listen {taken} {to} {KEYS}"),
            &["cannot listen", "in use"][..],
        ),
        (format!("--listen 127.0.0.1:0 {KEYS}"), &["--to"]),
        (format!("--listen nonsense {to} {KEYS}"), &["HOST:PORT"]),
        (format!("--listen 127.0.0.1:0 {to}"), &["no certificate"]),
        (
            format!("--listen 127.0.0.1:0 {to} --cert sign.crt"),
            &["--key"],
        ),
        (
            format!("--listen 127.0.0.1:0 {to} --cert nowhere --key sign.pem"),
            &["nowhere: cannot read"],
        ),
        (
            format!("--listen 127.0.0.1:0 {to} --cert sign.crt --key enc.pem"),
            &["sign.crt: belongs to another key"],
        ),
        (
            format!(
                "--listen 127.0.0.1:0 {to} --cert enc.crt --key enc.pem --enc-cert sign.crt --enc-key sign.pem"
            ),
            &["does not permit signatures"],
        ),
        (
            "--listen 127.0.0.1:0 --connect localhost:1".to_owned(),
            &["has no ca"],
        ),
        ("--config nowhere.toml".to_owned(), &["nowhere.toml: "]),
        ("--config sign.crt".to_owned(), &["sign.crt: line 1: "]),
        (String::new(), &["--listen"]),
    ] {
        lab.sh(&format!("proxy {line}")).status(2).says(words);
    }
}

/// With the program `openssl` of version 3.0, which knows nothing of ShangMi in TLS.
#[test]
fn ordinary_tls_with_openssl() {
    let lab = lab();
    lab.openssl(
        "req -x509 -newkey rsa:2048 -nodes -keyout rsa.pem -out rsa.crt -days 30 -subj /CN=localhost",
    )
    .ok();
    let to = backend();
    let proxy = Running::start(
        &lab,
        &format!(
            "proxy --listen 127.0.0.1:0 --to {to} {KEYS} --tls-cert rsa.crt --tls-key rsa.pem"
        ),
    );
    let address = proxy.address();
    for version in ["-tls1_2", "-tls1_3"] {
        let mut client = lab.command("openssl");
        client.args(["s_client", "-quiet", "-no_ign_eof", "-CAfile", "rsa.crt"]);
        client.args([
            "-verify_return_error",
            version,
            "-connect",
            &address.to_string(),
        ]);
        let mut child = client.stdin(Stdio::piped()).spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        stdin.write_all(b"GET / HTTP/1.1\r\n\r\n").unwrap();
        let mut answer = String::new();
        let mut stdout = child.stdout.take().unwrap();
        stdout.read_to_string(&mut answer).unwrap();
        drop(stdin);
        child.wait().unwrap();
        assert!(answer.ends_with("hello\n"), "{version} {answer}");
    }
}
