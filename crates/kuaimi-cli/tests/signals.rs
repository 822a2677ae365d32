//! Signals: what was ignored when the program began stays ignored, everything else ends it.

#![cfg(target_os = "linux")]

mod common;

use std::io::Write as _;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use common::{Lab, ledger};
use rustix::process::{Pid, Signal, kill_process};

/// A bulk job of several threads, begun by a shell that ignores these signals, in the middle of its
/// work.
fn job(lab: &Lab, ignored: &str) -> Child {
    let line = "verify-batch --threads 3 --format jsonl --quiet --out o.csv -";
    let mut child = lab
        .command("sh")
        .args(["-c", &format!("trap '' {ignored}; exec \"$0\" \"$@\"")])
        .arg(env!("CARGO_BIN_EXE_kuaimi"))
        .args(line.split(' '))
        .stdin(Stdio::piped())
        .spawn()
        .unwrap();
    // More than a chunk, so that something is written.
    let rows = ledger::jsonl(&[ledger::rows(1).remove(0).malformed()]).repeat(10_000);
    let stdin = child.stdin.as_mut().unwrap();
    stdin.write_all(rows.as_bytes()).unwrap();
    lab.wait_for_unfinished(&child, 1);
    child
}

fn send(child: &Child, signal: Signal) {
    kill_process(Pid::from_child(child), signal).unwrap();
}

/// Whether these tests themselves were begun with this signal ignored, by `nohup` or in the
/// background; a shell cannot undo that.
fn is_ignored_here(signal: Signal) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let mut lines = status.lines();
    let ignored = lines.find_map(|line| line.strip_prefix("SigIgn:")).unwrap();
    u64::from_str_radix(ignored.trim(), 16).unwrap() >> (signal.as_raw() - 1) & 1 == 1
}

/// Waits for a program that a signal ends, though its standard input stays open.
fn ended(child: &mut Child) -> Option<i32> {
    let start = Instant::now();
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            return status.code();
        }
        assert!(start.elapsed() < Duration::from_secs(60), "it is not heard");
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn ignored_ones_stay_ignored() {
    for (ignored, signals) in [
        ("HUP", &[Signal::HUP][..]),
        ("INT", &[Signal::INT]),
        ("HUP INT TERM", &[Signal::HUP, Signal::INT, Signal::TERM]),
    ] {
        let lab = Lab::new();
        let child = job(&lab, ignored);
        for &signal in signals {
            send(&child, signal);
        }
        // It reads to the end, and says that there were bad rows.
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(1), "{ignored}: {output:?}");
        let rows = lab.read("o.csv").split(|&byte| byte == b'\n').count();
        assert_eq!(rows, 10_002, "{ignored}");
        lab.assert_clean();
    }
}

#[test]
fn the_others_end_it() {
    for (ignored, signal) in [
        ("USR1", Signal::HUP),
        ("USR1", Signal::INT),
        ("USR1", Signal::TERM),
        ("HUP", Signal::INT),
        ("HUP", Signal::TERM),
        ("INT", Signal::HUP),
    ] {
        if is_ignored_here(signal) {
            eprintln!("skipped: {signal:?} is ignored here");
            continue;
        }
        let lab = Lab::new();
        let mut child = job(&lab, ignored);
        send(&child, signal);
        assert_eq!(ended(&mut child), Some(130), "{ignored}, {signal:?}");
        assert!(!lab.exists("o.csv"));
        lab.assert_clean();
    }
}
