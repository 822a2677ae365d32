//! Where secrets go: into a new file of the user's own. What others put under an output's name gets
//! nothing of them.

#![cfg(target_os = "linux")]

mod common;

use std::fs;
use std::io::Read as _;
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _, symlink};
use std::path::Path;

use common::{Lab, Ran, ran};
use rustix::fs::{CWD, FileType, Gid, Mode, OFlags, Uid, chownat, mknodat};

/// Commands that write a secret to the file `OUT`, and one after the other what they need.
const SECRETS: [&str; 17] = [
    "sm2 keygen --out OUT",
    "sm2 keygen --form hex --pubout p --out OUT",
    "sm2 decrypt --key a.pem --out OUT c",
    "sm2 convert --to sec1 --out OUT a.pem",
    "sm2 convert --to raw --out OUT a.pem",
    "sm2 convert --to pkcs8 --key b.pem --out OUT a.env",
    "sm2 exchange start --key a.pem --peer b.pub --out-state OUT",
    "sm2 exchange respond --key b.pem --peer a.pub --message r_a --out-state OUT",
    "sm2 exchange respond --key b.pem --peer a.pub --message r_a --unconfirmed --out OUT",
    "sm4 keygen --out OUT",
    "sm4 decrypt --key-file k --out OUT c4",
    "sm4 decrypt --raw ecb --key-file k --out OUT c5",
    "sm9 setup --for encrypt --out OUT",
    "sm9 extract --key enc.pem --id carol --out OUT",
    "sm9 decrypt --key bob.pem --id bob --out OUT c9",
    "sm9 encap --key enc.pub --id bob --out OUT",
    "sm9 decap --key bob.pem --id bob --message C --out OUT",
];

/// Commands whose output is for everyone.
const PUBLIC: [&str; 7] = [
    "sm2 pubkey --key a.pem --out OUT",
    "sm2 sign --key a.pem --out OUT m",
    "sm2 encrypt --key a.pub --out OUT m",
    "sm2 convert --to der --key a.pem --out OUT c",
    "sm4 encrypt --key-file k --out OUT m",
    "sm9 encrypt --key enc.pub --id bob --out OUT m",
    "verify-batch --key a.pub --out OUT --quiet rows",
];

fn lab() -> Lab {
    let lab = Lab::with_keys();
    for line in [
        "sm2 encrypt --key a.pub --out c m",
        "sm2 convert --to enveloped --recipient b.pub --out a.env a.pem",
        "sm4 keygen --out k",
        "sm4 encrypt --key-file k --out c4 m",
        "sm4 encrypt --raw ecb --key-file k --out c5 m",
        "sm9 setup --for encrypt --out enc.pem --pubout enc.pub",
        "sm9 extract --key enc.pem --id bob --out bob.pem",
        "sm9 encrypt --key enc.pub --id bob --out c9 m",
    ] {
        lab.sh(line).ok();
    }
    let start = "sm2 exchange start --key a.pem --peer b.pub --out-state a.state";
    lab.write("r_a", lab.sh(start).ok().stdout);
    let encap = "sm9 encap --key enc.pub --id bob --out x.key";
    lab.write("C", lab.sh(encap).ok().stdout);
    lab.write("rows.jsonl", "{\"message\":\"a message\"}\n");
    lab.sh("sign-batch --key a.pem --out rows rows.jsonl").ok();
    lab
}

fn pipe_at(path: &Path) {
    mknodat(CWD, path, FileType::Fifo, Mode::RWXU, 0).unwrap();
}

/// Runs a command that writes into the pipe `pipe`, and returns what comes out of it.
fn through(lab: &Lab, pipe: &str, line: &str) -> (Ran, Vec<u8>) {
    // A reader that does not wait for a writer: so a command that never opens the pipe is no
    // endless one.
    let mut reader = fs::File::options()
        .read(true)
        .custom_flags(OFlags::NONBLOCK.bits() as i32)
        .open(lab.path(pipe))
        .unwrap();
    let ran = lab.sh(line);
    let mut came = Vec::new();
    let _ = reader.read_to_end(&mut came);
    let _ = fs::remove_file(lab.path("p"));
    (ran, came)
}

/// Gives a file to a user who is not the superuser and not this one, where that is allowed.
fn give_away(path: &Path) -> bool {
    use rustix::fs::AtFlags;
    let (user, group) = (Uid::from_raw(54_321), Gid::from_raw(54_321));
    let flags = AtFlags::SYMLINK_NOFOLLOW;
    chownat(CWD, path, Some(user), Some(group), flags).is_ok()
}

#[test]
fn no_secret_goes_into_a_pipe() {
    let lab = lab();
    pipe_at(&lab.path("pipe"));
    symlink("pipe", lab.path("link")).unwrap();
    for line in SECRETS {
        for name in ["pipe", "link"] {
            let (ran, came) = through(&lab, "pipe", &line.replace("OUT", name));
            assert!(came.is_empty(), "{line}: {came:?}");
            ran.status(2).says(&[name, "is a pipe", "--force"]);
            let forced = format!("{} --force", line.replace("OUT", name));
            let (ran, came) = through(&lab, "pipe", &forced);
            ran.ok();
            assert!(!came.is_empty(), "{line}");
        }
    }
    for line in PUBLIC {
        let (ran, came) = through(&lab, "pipe", &line.replace("OUT", "link"));
        ran.ok();
        assert!(!came.is_empty(), "{line}");
    }
    // Keys for a list of users: one of the names is taken.
    lab.write("ids", "carol\ndave\n");
    fs::create_dir(lab.path("keys")).unwrap();
    pipe_at(&lab.path("keys/dave.pem"));
    lab.sh("sm9 extract --key enc.pem --ids ids --out-dir keys")
        .status(2)
        .says(&["dave.pem", "is a pipe"]);
    assert!(!lab.exists("keys/carol.pem"));
    lab.assert_clean();
}

/// With `--force`, too: a user who gives it means the file that was there before.
#[test]
fn no_secret_goes_through_what_another_user_made() {
    let lab = lab();
    pipe_at(&lab.path("pipe"));
    if !give_away(&lab.path("pipe")) {
        eprintln!("skipped: only the superuser can give a file away");
        return;
    }
    lab.write("theirs", "something");
    symlink("theirs", lab.path("link")).unwrap();
    assert!(give_away(&lab.path("link")));
    for line in SECRETS {
        let forced = |name| format!("{} --force", line.replace("OUT", name));
        let (ran, came) = through(&lab, "pipe", &forced("pipe"));
        assert!(came.is_empty(), "{line}: {came:?}");
        ran.status(2).says(&["pipe", "another user"]);
        lab.sh(&forced("link"))
            .status(2)
            .says(&["is a link that another user made"]);
        assert_eq!(lab.read("theirs"), b"something");
        // A file is replaced, and the new one is the user's own.
        lab.write("file", "something");
        assert!(give_away(&lab.path("file")));
        lab.sh(&forced("file")).ok();
        let found = fs::metadata(lab.path("file")).unwrap();
        assert_eq!(
            (found.uid(), found.mode() & 0o777),
            (rustix::process::geteuid().as_raw(), 0o600)
        );
        fs::remove_file(lab.path("file")).unwrap();
        let _ = fs::remove_file(lab.path("p"));
    }
}

/// A process that has the file open, or another name of it, sees nothing of what replaces it.
#[test]
fn other_names_of_a_file_stay_as_they_are() {
    let lab = lab();
    for line in SECRETS {
        lab.write("file", "something");
        fs::hard_link(lab.path("file"), lab.path("other")).unwrap();
        let mut open = fs::File::open(lab.path("file")).unwrap();
        lab.sh(&format!("{} --force", line.replace("OUT", "file")))
            .ok();
        let mut seen = String::new();
        open.read_to_string(&mut seen).unwrap();
        assert_eq!(
            (seen.as_str(), lab.read("other")),
            ("something", seen.clone().into())
        );
        assert_ne!(lab.read("file"), b"something", "{line}");
        for name in ["file", "other", "p"] {
            let _ = fs::remove_file(lab.path(name));
        }
    }
}

/// Names that people give on purpose.
#[test]
fn devices_and_descriptors() {
    let lab = lab();
    let shell = |line: &str| {
        let line = line.replace("kuaimi", env!("CARGO_BIN_EXE_kuaimi"));
        ran(lab.command("bash").args(["-c", &line]).output().unwrap())
    };
    for line in SECRETS {
        lab.sh(&line.replace("OUT", "/dev/null")).status(2).says(&[
            "/dev/null",
            "is a device",
            "--force",
        ]);
        lab.sh(&format!("{} --force", line.replace("OUT", "/dev/null")))
            .ok();
        let _ = fs::remove_file(lab.path("p"));
    }
    for line in PUBLIC {
        lab.sh(&line.replace("OUT", "/dev/null")).ok();
        shell(&format!(
            "kuaimi {}",
            line.replace("OUT", ">(cat >/dev/null)")
        ))
        .ok();
    }
    // Names of standard output are `-` by other names, whatever it is.
    for name in ["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"] {
        let key = lab.sh(&format!("sm4 keygen --out {name}")).ok();
        assert_eq!(key.stdout.len(), 33, "{name}");
        shell(&format!("kuaimi sm4 keygen --out {name} > key")).ok();
        assert_eq!(lab.read("key").len(), 33, "{name}");
        lab.sh(&format!(
            "sm2 exchange start --key a.pem --peer b.pub --out-state {name}"
        ))
        .status(2)
        .says(&["give a file"]);
        lab.sh(&format!("sm9 encap --key enc.pub --id bob --out {name}"))
            .status(2)
            .says(&["standard output is for C"]);
    }
    // Another descriptor is no file of which one knows who reads it.
    let key = "kuaimi sm4 keygen --out >(cat > key3)";
    shell(key).status(2).says(&["is a pipe", "--force"]);
    shell("kuaimi sm4 keygen --force --out /dev/fd/3 3>&1 >/dev/null | cat > key3").ok();
    assert_eq!(lab.read("key3").len(), 33);
}

/// A used state is wiped in the file that was read, whatever has its name by then; a pipe and
/// standard input have nothing to wipe.
#[test]
fn states_from_elsewhere() {
    let lab = lab();
    let respond = "sm2 exchange respond --key b.pem --peer a.pub --message r_a --out-state b.state";
    lab.write("r_b", lab.sh(respond).ok().stdout);
    let state = lab.read("a.state");
    fs::hard_link(lab.path("a.state"), lab.path("second")).unwrap();
    let finish = "sm2 exchange finish --key a.pem --message r_b --force --out key --state";
    lab.sh(&format!("{finish} a.state")).ok();
    assert!(!lab.exists("a.state"));
    assert_eq!(lab.read("second"), vec![0; state.len()]);
    for name in ["-", "/dev/fd/0", "/proc/self/fd/0"] {
        lab.pipe(&format!("{finish} {name}"), &state).ok();
    }
}
