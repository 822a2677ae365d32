//! The prompt for a password, at a pseudo-terminal: however the program ends, the terminal is left
//! as it was.

#![cfg(target_os = "linux")]

mod common;

use std::fs::File;
use std::io::{Read as _, Write as _};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use common::{Lab, ran};
use rustix::process::{Pid, Signal, kill_process};
use rustix::pty::{OpenptFlags, grantpt, ioctl_tiocgptpeer, openpt, unlockpt};
use rustix::termios::{LocalModes, Termios, tcgetattr};

/// Both ends of a pseudo-terminal; nothing where there are none.
fn terminal() -> Option<(File, File)> {
    let flags = OpenptFlags::RDWR | OpenptFlags::NOCTTY;
    let Ok(person) = openpt(flags) else {
        eprintln!("skipped: no pseudo-terminals here");
        return None;
    };
    grantpt(&person).unwrap();
    unlockpt(&person).unwrap();
    let program = ioctl_tiocgptpeer(&person, flags).unwrap();
    Some((person.into(), program.into()))
}

/// What of a terminal's settings a prompt changes.
fn modes(terminal: &File) -> (LocalModes, u8, u8) {
    use rustix::termios::SpecialCodeIndex as Code;
    let Termios {
        local_modes,
        special_codes,
        ..
    } = tcgetattr(terminal).unwrap();
    (
        local_modes,
        special_codes[Code::VMIN],
        special_codes[Code::VTIME],
    )
}

/// A program whose terminal this is, from the moment it asks and shows nothing of what is typed.
fn asking(mut command: Command, person: &File, program: &File) -> Child {
    let mut child = command
        .stdin(Stdio::from(program.try_clone().unwrap()))
        .spawn()
        .expect("setsid, of util-linux, starts");
    let start = Instant::now();
    while modes(program).0.contains(LocalModes::ECHO) {
        assert!(child.try_wait().unwrap().is_none(), "it does not ask");
        assert!(start.elapsed() < Duration::from_secs(60), "it shows");
        std::thread::sleep(Duration::from_millis(5));
    }
    let mut shown = [0; 100];
    let count = (&mut &*person).read(&mut shown).unwrap();
    assert!(shown[..count].starts_with(b"Password for enc.pem: "));
    child
}

/// Runs `kuaimi` with a terminal of its own, ignoring these signals.
fn kuaimi(lab: &Lab, ignored: &str) -> Command {
    let mut command = lab.command("setsid");
    command
        .args(["--ctty", "sh", "-c"])
        .arg(format!("trap '' {ignored}; exec \"$0\" \"$@\""))
        .arg(env!("CARGO_BIN_EXE_kuaimi"))
        .args("sm2 pubkey --key enc.pem".split(' '));
    command
}

#[test]
fn the_terminal_is_left_as_it_was() {
    let lab = Lab::new();
    lab.write("password", "a password\n");
    lab.sh("sm2 keygen --encrypt --password-file password --out enc.pem --pubout pub")
        .ok();
    let type_ = |person: &File, bytes: &[u8]| (&mut &*person).write_all(bytes).unwrap();
    let send = |child: &Child, signal| kill_process(Pid::from_child(child), signal).unwrap();
    for (ignored, status, act) in [
        (
            "USR1",
            0,
            &(|_: &Child, person: &File| type_(person, b"a password\r")) as &dyn Fn(&Child, &File),
        ),
        ("USR1", 130, &|_, person| type_(person, b"a pass\x03")),
        ("INT", 130, &|_, person| type_(person, b"a pass\x03")),
        ("USR1", 130, &|child, _| send(child, Signal::TERM)),
        ("INT", 130, &|child, _| send(child, Signal::TERM)),
    ] {
        let Some((person, program)) = terminal() else {
            return;
        };
        let before = modes(&program);
        assert!(before.0.contains(LocalModes::ECHO | LocalModes::ISIG));
        let child = asking(kuaimi(&lab, ignored), &person, &program);
        act(&child, &person);
        let ran = ran(child.wait_with_output().unwrap()).status(status);
        assert!(ran.stderr.is_empty(), "{ran:?}");
        assert_eq!(ran.stdout.is_empty(), status != 0);
        assert_eq!(modes(&program), before, "{ignored}, {status}");
    }
}
