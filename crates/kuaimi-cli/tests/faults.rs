//! Files that cannot be written, at every command that writes one: a folder where nothing can be
//! made, a disk that gets full at the first byte or in the middle, and a pipe that nobody reads. No
//! half file stays, and nothing that was there is lost.

#![cfg(target_os = "linux")]

mod common;

use std::process::Stdio;

use common::{Lab, Ran, feed, ledger, noise, ran};

/// Commands that write one file, which is put in the place of `OUT`. The first ones write more than
/// a few kilobytes.
const WRITERS: [&str; 20] = [
    "sm2 encrypt --key a.pub --out OUT big",
    "sm2 decrypt --key a.pem --out OUT big.sm2",
    "sm4 encrypt --key-file k --out OUT big",
    "sm4 decrypt --key-file k --out OUT big.sm4",
    "sm9 encrypt --key enc.pub --id bob --out OUT big",
    "sm9 decrypt --key bob.pem --id bob --out OUT big.sm9",
    "verify-batch --out OUT --quiet rows.csv",
    "verify-batch --out OUT --out-format csv --quiet rows.csv",
    "sign-batch --key a.pem --out OUT --quiet rows.jsonl",
    "verify-batch --out OUT --out-format parquet --quiet rows.csv",
    "verify-batch --summary-json OUT --quiet rows.csv",
    "sm2 keygen --out OUT",
    "sm2 pubkey --key a.pem --out OUT",
    "sm2 sign --key a.pem --out OUT m",
    "sm2 convert --to raw --out OUT s",
    "sm2 exchange start --key a.pem --peer b.pub --out-state OUT",
    "sm4 keygen --out OUT",
    "sm9 setup --for sign --out OUT",
    "sm9 extract --key enc.pem --id carol --out OUT",
    "sm9 encap --key enc.pub --id bob --out OUT",
];

/// So many of them write more than `HALF` bytes.
const LARGE: usize = 9;
const HALF: usize = 8192;

fn lab() -> Lab {
    let lab = Lab::with_keys();
    lab.write("big", noise(200_000, 1));
    for line in [
        "sm2 sign --key a.pem --out s m",
        "sm4 keygen --out k",
        "sm9 setup --for encrypt --out enc.pem --pubout enc.pub",
        "sm9 extract --key enc.pem --id bob --out bob.pem",
        "sm2 encrypt --key a.pub --out big.sm2 big",
        "sm4 encrypt --key-file k --out big.sm4 big",
        "sm9 encrypt --key enc.pub --id bob --out big.sm9 big",
    ] {
        lab.sh(line).ok();
    }
    lab.write("rows.csv", ledger::csv(&ledger::rows(2000)));
    lab.write("rows.jsonl", "{\"message\":\"a message\"}\n".repeat(2000));
    lab
}

/// Runs `kuaimi` with files of `bytes` at most, where a disk would be full.
fn with_room(lab: &Lab, bytes: usize, line: &str) -> Ran {
    let mut shell = lab.command("sh");
    let script = format!(
        "trap '' XFSZ; ulimit -f {}; exec \"$0\" \"$@\"",
        bytes / 512
    );
    shell.args(["-c", &script, env!("CARGO_BIN_EXE_kuaimi")]);
    shell.args(line.split_whitespace());
    feed(&mut shell, b"")
}

#[test]
fn folders_where_nothing_can_be_made() {
    use std::os::unix::fs::PermissionsExt as _;
    let lab = lab();
    let folder = lab.path("read-only");
    std::fs::create_dir(&folder).unwrap();
    std::fs::set_permissions(&folder, std::fs::Permissions::from_mode(0o555)).unwrap();
    // The superuser writes there all the same, and finds no room in folders of the kernel.
    let mut places = vec!["/proc/self/out".to_owned()];
    if std::fs::write(folder.join("probe"), b"").is_err() {
        places.push("read-only/out".to_owned());
    }
    for place in &places {
        for line in WRITERS {
            lab.sh(&line.replace("OUT", place))
                .status(2)
                .says(&[place, "cannot write"]);
        }
    }
    lab.assert_clean();
}

#[test]
fn disks_that_are_full() {
    let lab = lab();
    for (number, line) in WRITERS.iter().enumerate() {
        let rooms: &[usize] = if number < LARGE { &[0, HALF] } else { &[0] };
        for &room in rooms {
            let new = line.replace("OUT", "new");
            with_room(&lab, room, &new)
                .status(2)
                .says(&["new", "cannot write"]);
            assert!(!lab.exists("new"), "{new}: half a file");
            lab.write("old", "something");
            let forced = line.replace("OUT", "old --force");
            with_room(&lab, room, &forced).status(2);
            assert_eq!(lab.read("old"), b"something", "{forced}");
            lab.assert_clean();
        }
        // With room it works, so it was the room that was missing.
        with_room(&lab, 1 << 24, &line.replace("OUT", "old --force")).ok();
        assert_ne!(lab.read("old"), b"something", "{line}");
    }
    lab.assert_clean();
}

/// The reader is gone before the first byte: the status is that of a program that SIGPIPE ended,
/// and no error is printed.
#[test]
fn pipes_that_nobody_reads() {
    let lab = lab();
    for line in WRITERS {
        // A state, a summary and SM9's key have no place on standard output, or share it.
        if ["--out-state", "--summary-json", "sm9 encap"]
            .iter()
            .any(|word| line.contains(word))
        {
            continue;
        }
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let mut program = lab.kuaimi();
        let line = line.replace("OUT", "-");
        program
            .args(line.split_whitespace())
            .stdout(Stdio::from(writer));
        let ran = ran(program.output().unwrap());
        assert_eq!(ran.status, 141, "{line}: {}", ran.stderr);
        assert!(!ran.stderr.contains("cannot"), "{line}: {}", ran.stderr);
    }
    lab.assert_clean();
}
