//! TLCP (GB/T 38636; Tongsuo calls it NTLS) with the provider: all suites of Tongsuo that have SM4,
//! between Tongsuo's own programs, with Kuaimi at one side, at the other, at both, and at none; and
//! its records, byte by byte beside those of Tongsuo.
//!
//! `make test-openssl` sets `KUAIMI_TONGSUO`, the folder of Tongsuo (`scripts/openssl tongsuo`).

use std::ffi::OsStr;
use std::fs::File;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use tempfile::TempDir;

/// The suites, with the kind of their keys.
const SUITES: [(&str, &str); 8] = [
    ("ECC-SM2-SM4-CBC-SM3", "sm2"),
    ("ECC-SM2-SM4-GCM-SM3", "sm2"),
    ("ECDHE-SM2-SM4-CBC-SM3", "sm2"),
    ("ECDHE-SM2-SM4-GCM-SM3", "sm2"),
    ("RSA-SM4-CBC-SM3", "rsa"),
    ("RSA-SM4-GCM-SM3", "rsa"),
    ("RSA-SM4-CBC-SHA256", "rsa"),
    ("RSA-SM4-GCM-SHA256", "rsa"),
];

/// Longer than any step may take, on a machine that does much else.
const LIMIT: Duration = Duration::from_secs(60);

/// The module, which Cargo has built before the tests.
fn built_module() -> PathBuf {
    let test = std::env::current_exe().unwrap();
    test.parent().unwrap().join("libkuaimi_provider.so")
}

/// Tongsuo, and a folder with a configuration for each side.
struct Tongsuo {
    root: PathBuf,
    folder: TempDir,
}

impl Tongsuo {
    fn new() -> Self {
        let root = std::env::var_os("KUAIMI_TONGSUO")
            .expect("KUAIMI_TONGSUO is the folder of Tongsuo: run `make test-openssl`")
            .into();
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("default.cnf"), "").unwrap();
        let module = folder.path().join("kuaimi.so");
        std::fs::copy(built_module(), &module).unwrap();
        let configuration = super::common::library::whole_configuration(&module);
        std::fs::write(folder.path().join("kuaimi.cnf"), configuration).unwrap();
        Self { root, folder }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// The program `openssl` of Tongsuo, with its own algorithms (`default`) or Kuaimi's
    /// (`kuaimi`).
    fn openssl(&self, provider: &str) -> Command {
        let mut command = Command::new(self.root.join("bin/openssl"));
        command
            .current_dir(self.folder.path())
            .env("LD_LIBRARY_PATH", self.root.join("lib"))
            .env("OPENSSL_CONF", self.path(&format!("{provider}.cnf")));
        command
    }

    fn run(&self, provider: &str, arguments: &str) -> String {
        succeed(
            self.openssl(provider)
                .args(arguments.split_ascii_whitespace()),
        )
    }

    /// An authority, and certificates for signatures and for encryption, for both sides.
    fn certificates(&self, kind: &str) {
        let (algorithm, digest) = match kind {
            "rsa" => ("RSA -pkeyopt rsa_keygen_bits:2048", "sha256"),
            _ => ("EC -pkeyopt ec_paramgen_curve:SM2", "sm3"),
        };
        let configuration = "[req]\ndistinguished_name=name\n[name]\n\
            [ca]\nbasicConstraints=critical,CA:TRUE\nkeyUsage=keyCertSign\n\
            [sign]\nkeyUsage=digitalSignature\n\
            [enc]\nkeyUsage=keyEncipherment,dataEncipherment,keyAgreement\n";
        std::fs::write(self.path("req.cnf"), configuration).unwrap();
        let new_key = |name: &str| {
            self.run(
                "default",
                &format!("genpkey -algorithm {algorithm} -out {name}.key"),
            )
        };
        let ca = format!("{kind}-ca");
        new_key(&ca);
        self.run(
            "default",
            &format!(
                "req -config req.cnf -x509 -new -key {ca}.key -{digest} -subj /CN={ca} -extensions ca -out {ca}.crt"
            ),
        );
        for side in ["server", "client"] {
            for usage in ["sign", "enc"] {
                let name = format!("{kind}-{side}-{usage}");
                new_key(&name);
                self.run(
                    "default",
                    &format!(
                        "req -config req.cnf -new -key {name}.key -{digest} -subj /CN={name} -out {name}.csr"
                    ),
                );
                self.run(
                    "default",
                    &format!(
                        "x509 -req -in {name}.csr -CA {ca}.crt -CAkey {ca}.key -{digest} -extfile req.cnf -extensions {usage} -out {name}.crt"
                    ),
                );
            }
        }
    }

    /// Begins the server or the client of a connection. What it is given it sends, and what it
    /// receives it prints.
    fn side(&self, side: &str, provider: &str, suite: &str, kind: &str, socket: &str) -> Side {
        let log = File::create(self.path(&format!("{side}.log"))).unwrap();
        let own = format!("{kind}-{side}");
        let verify = match side {
            "server" => "-Verify 2",
            _ => "-verify 2",
        };
        let child = self
            .openssl(provider)
            .arg(if side == "server" { "s_server" } else { "s_client" })
            .args(
                format!(
                    "-quiet -enable_ntls -ntls -unix {socket} -cipher {suite} {verify} -verify_return_error -CAfile {kind}-ca.crt \
                     -sign_cert {own}-sign.crt -sign_key {own}-sign.key -enc_cert {own}-enc.crt -enc_key {own}-enc.key"
                )
                .split_ascii_whitespace(),
            )
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(log)
            .spawn()
            .unwrap();
        Side(child)
    }

    /// Waits until a server listens.
    fn wait_for(&self, server: &mut Side, socket: &str) {
        let begin = Instant::now();
        loop {
            // A line of this table: address, references, protocol, flags (0x10000 for a socket that
            // listens), …, path.
            let table = std::fs::read_to_string("/proc/net/unix").unwrap();
            let listens = table.lines().any(|line| {
                let fields: Vec<&str> = line.split_ascii_whitespace().collect();
                fields.get(3) == Some(&"00010000")
                    && fields.last().is_some_and(|path| path.ends_with(socket))
            });
            if listens {
                return;
            }
            let ended = server.0.try_wait().unwrap();
            assert!(
                begin.elapsed() < LIMIT && ended.is_none(),
                "{socket}: no server ({ended:?}): {}",
                self.logs()
            );
            thread::sleep(Duration::from_millis(5));
        }
    }

    fn logs(&self) -> String {
        ["server.log", "client.log"]
            .map(|name| {
                let text = std::fs::read_to_string(self.path(name)).unwrap_or_default();
                format!("{name}:\n{text}")
            })
            .join("\n")
    }

    /// A handshake, and data in both directions.
    fn exchange(
        &self,
        number: usize,
        (suite, kind): (&str, &str),
        (at_server, at_client): (&str, &str),
    ) {
        let about = format!("{suite}: server {at_server}, client {at_client}");
        // Tongsuo's server ends at once where the name has more than 31 bytes.
        let socket = format!("{}-{number}", std::process::id());
        let mut server = self.side("server", at_server, suite, kind, &socket);
        self.wait_for(&mut server, &socket);
        let mut client = self.side("client", at_client, suite, kind, &socket);

        let (from_server, from_client) = (data(1), data(2));
        let (results, received) = mpsc::channel();
        // They hold the inputs, with whose end the programs would end.
        let mut senders = Vec::new();
        let to_client = (server.input(), client.output(), "client", from_server);
        let to_server = (client.input(), server.output(), "server", from_client);
        for (mut input, mut output, name, expected) in [to_client, to_server] {
            let sent = expected.clone();
            senders.push(thread::spawn(move || {
                send(&mut input, &sent);
                input
            }));
            let results = results.clone();
            thread::spawn(move || {
                let mut found = vec![0; expected.len()];
                let complete = output.read_exact(&mut found).is_ok();
                // The test may have failed by now.
                let _ = results.send((name, complete && found == expected));
            });
        }
        for _ in 0..2 {
            match received.recv_timeout(LIMIT) {
                Ok((_, true)) => {}
                Ok((name, false)) => panic!("{about}: wrong data at the {name}\n{}", self.logs()),
                Err(error) => panic!("{about}: {error}\n{}", self.logs()),
            }
        }
    }
}

/// A program that ends with the test.
struct Side(Child);

impl Side {
    fn input(&mut self) -> ChildStdin {
        self.0.stdin.take().unwrap()
    }

    fn output(&mut self) -> ChildStdout {
        self.0.stdout.take().unwrap()
    }
}

impl Drop for Side {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Lengths of what is written at once: around blocks, around the longest record, and beyond.
const LENGTHS: [usize; 17] = [
    1, 2, 15, 16, 17, 31, 32, 33, 100, 255, 256, 1000, 5000, 16383, 16384, 16385, 50_000,
];

/// Bytes that are not those of the other direction.
fn data(seed: u32) -> Vec<u8> {
    let mut state = seed;
    (0..LENGTHS.iter().sum())
        .map(|_| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 24) as u8
        })
        .collect()
}

/// Writes piece by piece, with a pause so that each is a record of its own, or several where it is
/// longer than one.
fn send(input: &mut impl Write, mut data: &[u8]) {
    for length in LENGTHS {
        let (piece, rest) = data.split_at(length);
        data = rest;
        // A program that has ended fails the comparison.
        let _ = input.write_all(piece).and_then(|()| input.flush());
        thread::sleep(Duration::from_millis(2));
    }
}

/// Runs a program that must succeed, and gives what it printed.
fn succeed(command: &mut Command) -> String {
    let output = command.output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(
        output.status.success(),
        "{command:?}: {}\n{}",
        text(&output.stdout),
        text(&output.stderr)
    );
    text(&output.stdout)
}

#[test]
fn every_suite_works_with_the_provider_at_either_side() {
    let tongsuo = Tongsuo::new();
    let providers = tongsuo.run("kuaimi", "list -providers");
    assert!(providers.contains("Kuaimi"), "{providers}");
    for kind in ["sm2", "rsa"] {
        tongsuo.certificates(kind);
    }
    let sides = ["default", "kuaimi"];
    let pairs = sides.map(|server| sides.map(|client| (server, client)));
    let mut number = 0;
    for suite in SUITES {
        for providers in pairs.as_flattened() {
            number += 1;
            tongsuo.exchange(number, suite, *providers);
        }
    }
    // All that there are.
    let known = tongsuo.run("default", "ciphers -v ALL");
    let with_sm4: Vec<&str> = known
        .lines()
        .filter(|line| line.contains("NTLS") && line.contains("SM4"))
        .filter_map(|line| line.split_ascii_whitespace().next())
        .collect();
    assert_eq!(with_sm4.len(), SUITES.len(), "{with_sm4:?}");
    for (suite, _) in SUITES {
        assert!(with_sm4.contains(&suite), "{suite}");
    }
}

#[test]
fn records_are_those_of_tongsuo() {
    let tongsuo = Tongsuo::new();
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs/records.c");
    let program = tongsuo.path("records");
    succeed(
        Command::new("cc")
            .args([
                "-std=c99",
                "-O1",
                "-g",
                "-Wall",
                "-Wextra",
                "-Wpedantic",
                "-Werror",
            ])
            .arg("-I")
            .arg(tongsuo.root.join("include"))
            .args([source.as_os_str(), OsStr::new("-o"), program.as_os_str()])
            .arg("-L")
            .arg(tongsuo.root.join("lib"))
            .arg("-lcrypto"),
    );
    succeed(
        Command::new(&program)
            .env("LD_LIBRARY_PATH", tongsuo.root.join("lib"))
            .env("OPENSSL_CONF", tongsuo.path("default.cnf"))
            .env("KUAIMI_MODULES", tongsuo.folder.path()),
    );
}
