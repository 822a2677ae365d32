//! Where results go: to standard output, which may be closed, full or gone, and to files, which are
//! there as a whole or not at all.

#![cfg(unix)]

mod common;

use std::io::Write as _;
use std::process::Stdio;
use std::time::{Duration, Instant};

use common::ledger;
use common::{Lab, Ran, feed, noise, ran};

/// Commands that write to standard output, and nothing that the lab does not have.
const WRITERS: [&str; 32] = [
    "--help",
    "--version",
    "help sm2 sign",
    "sm2 sign --help",
    "completions bash",
    "sm2 keygen",
    "sm2 keygen --out x --pubout -",
    "sm2 pubkey --key a.pem",
    "sm2 sign --key a.pem m",
    "sm2 verify --key a.pub --signature s m",
    "sm2 encrypt --key a.pub m",
    "sm2 decrypt --key a.pem c",
    "sm2 inspect a.pub",
    "sm2 convert --to raw s",
    "sm2 exchange start --key a.pem --peer b.pub --out-state x",
    "sm3 m",
    "sm3 --check sums",
    "sm9 setup --for sign",
    "sm9 extract --key sm9.pem --id alice",
    "sm9 sign --key user.pem --id alice m",
    "sm9 verify --key sm9.pub --id alice --signature sm9.sig m",
    "sm9 encrypt --key enc.pub --id bob m",
    "sm9 decrypt --key bob.pem --id bob sm9.enc",
    "sm9 encap --key enc.pub --id bob --out x",
    "sm9 inspect sm9.pub",
    "verify-batch a.csv",
    "verify-batch --out - a.csv",
    "verify-batch --out - --out-format csv a.csv",
    "verify-batch --out - --out-format parquet a.csv",
    "verify-batch --out x --summary-json - a.csv",
    "speed sm3 --seconds 0.01 --no-openssl",
    "speed sm3 --seconds 0.01 --no-openssl --json",
];

fn lab() -> Lab {
    let lab = Lab::with_keys();
    for line in [
        "sm2 sign --key a.pem --out s m",
        "sm2 encrypt --key a.pub --out c m",
        "sm9 setup --for sign --out sm9.pem --pubout sm9.pub",
        "sm9 setup --for encrypt --out enc.pem --pubout enc.pub",
        "sm9 extract --key sm9.pem --id alice --out user.pem",
        "sm9 extract --key enc.pem --id bob --out bob.pem",
        "sm9 sign --key user.pem --id alice --out sm9.sig m",
        "sm9 encrypt --key enc.pub --id bob --out sm9.enc m",
    ] {
        lab.sh(line).ok();
    }
    lab.write("sums", lab.sh("sm3 m").ok().stdout);
    lab.write("a.csv", ledger::csv(&ledger::rows(1)));
    lab
}

/// Runs `kuaimi` in a shell, with standard output or input redirected.
fn redirected(lab: &Lab, line: &str, how: &str) -> Ran {
    let mut shell = lab.command("sh");
    shell.args(["-c", &format!("exec \"$0\" \"$@\" {how}")]);
    shell.arg(env!("CARGO_BIN_EXE_kuaimi"));
    shell.args(line.split_whitespace());
    feed(&mut shell, b"")
}

/// A result that gets lost is an error.
#[test]
fn standard_output_that_is_closed_or_full() {
    let lab = lab();
    for line in WRITERS {
        redirected(&lab, line, ">&-")
            .status(2)
            .says(&["standard output: is closed"]);
        let _ = std::fs::remove_file(lab.path("x"));
        // What nobody wants is no error.
        redirected(&lab, line, ">/dev/null").ok();
        let _ = std::fs::remove_file(lab.path("x"));
        redirected(&lab, line, "1<>/dev/null").ok();
        let _ = std::fs::remove_file(lab.path("x"));
        if cfg!(target_os = "linux") {
            redirected(&lab, line, ">/dev/full")
                .status(2)
                .says(&["standard output: cannot write", "make room"]);
            // What is of use only with the line that was lost is not there. (Verdicts are good
            // without their summary.)
            assert!(
                !lab.exists("x") || line.starts_with("verify-batch"),
                "{line}"
            );
            let _ = std::fs::remove_file(lab.path("x"));
        }
    }
    // Where nothing is written to it, it may be closed.
    redirected(&lab, "sm2 keygen --out k", ">&-").ok();
    redirected(&lab, "verify-batch --quiet a.csv", ">&-").ok();
    lab.assert_clean();
}

/// With a standard output that is closed, nothing else is done before that is said.
#[test]
fn a_closed_output_costs_nothing() {
    let lab = lab();
    let start = "sm2 exchange start --key a.pem --peer b.pub --out-state";
    lab.write("r_a", lab.sh(&format!("{start} a.state")).ok().stdout);
    let respond = "sm2 exchange respond --key b.pem --peer a.pub --message r_a --out-state b.state";
    lab.write("r_b", lab.sh(respond).ok().stdout);
    let finish = "sm2 exchange finish --key a.pem --state a.state --message r_b --out key";
    redirected(&lab, finish, ">&-").status(2);
    assert!(lab.exists("a.state") && !lab.exists("key"));
    lab.sh(finish).ok();
    redirected(&lab, &format!("{start} x.state"), ">&-").status(2);
    redirected(&lab, "sm2 keygen --pubout x.pub", ">&-").status(2);
    redirected(&lab, "sm9 setup --for sign --pubout x.pub", ">&-").status(2);
    redirected(&lab, "sm9 encap --key enc.pub --id bob --out x.key", ">&-").status(2);
    for name in ["x.state", "x.pub", "x.key"] {
        assert!(!lab.exists(name), "{name}");
    }
}

/// A closed standard input is no empty one.
#[test]
fn standard_input_that_is_closed() {
    let lab = lab();
    for line in [
        "sm3",
        "sm2 sign --key a.pem",
        "sm2 encrypt --key a.pub",
        "sm2 decrypt --key a.pem",
        "sm2 inspect -",
        "verify-batch",
        "verify-batch --allow-empty",
    ] {
        redirected(&lab, line, "<&-")
            .status(2)
            .says(&["standard input: is closed"]);
    }
    redirected(&lab, "sm3", "</dev/null").ok();
}

/// A program that is told to end takes its temporary file with it.
#[test]
fn interrupted() {
    let lab = Lab::with_keys();
    let mut child = lab
        .kuaimi()
        .args("sm2 encrypt --key a.pub --out c".split_whitespace())
        .stdin(Stdio::piped())
        .spawn()
        .unwrap();
    lab.wait_for_unfinished(&child, 0);
    let start = Instant::now();
    common::interrupt(&child);
    // Its standard input stays open: it is the signal that ends it.
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        assert!(
            start.elapsed() < Duration::from_secs(60),
            "the signal is not heard"
        );
        std::thread::sleep(Duration::from_millis(5));
    };
    assert_eq!(status.code(), Some(130));
    assert!(!lab.exists("c"));
    lab.assert_clean();
}

/// A program that is killed leaves nothing, where files can be without a name; elsewhere the next
/// run removes it.
#[test]
fn killed() {
    let lab = Lab::with_keys();
    let content = noise(1 << 20, 1);
    let mut child = lab
        .kuaimi()
        .args("sm2 encrypt --key a.pub --out c".split_whitespace())
        .stdin(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    for _ in 0..8 {
        stdin.write_all(&content).unwrap();
    }
    lab.wait_for_unfinished(&child, 1 << 20);
    child.kill().unwrap();
    let ran = ran(child.wait_with_output().unwrap());
    assert_eq!(ran.status, -1);
    assert!(!lab.exists("c"));
    #[cfg(target_os = "linux")]
    {
        use rustix::fs::{Mode, OFlags, open};
        let flags = OFlags::TMPFILE | OFlags::RDWR;
        match open(lab.path("."), flags, Mode::RWXU) {
            Ok(_) => lab.assert_clean(),
            Err(error) => eprintln!("no files without a name here: {error}"),
        }
    }
    lab.sh("sm2 encrypt --key a.pub --out c m").ok();
    lab.sh("sm2 decrypt --key a.pem c").ok();
    lab.assert_clean();
}
