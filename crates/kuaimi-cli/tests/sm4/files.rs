//! Memory, and outputs that are there already.

use super::*;

/// A hundred megabytes in a few: by file, and by pipe.
#[cfg(target_os = "linux")]
#[test]
fn bounded_memory() {
    let lab = lab();
    let big = std::fs::File::create(lab.path("big")).unwrap();
    big.set_len(100_000_000).unwrap();
    let bounded = |kib: u32, line: &str| {
        let mut shell = lab.command("sh");
        shell.args(["-c", &format!("ulimit -d {kib} && exec \"$0\" sm4 {line}")]);
        shell.arg(env!("CARGO_BIN_EXE_kuaimi"));
        common::ran(shell.output().unwrap()).ok()
    };
    let few = 8000;
    bounded(few, "encrypt --key-file k --out c big");
    bounded(few, "decrypt --key-file k --out back c");
    assert!(lab.same("back", "big"));
    bounded(few, "encrypt --key-file k < big > piped");
    bounded(few, "decrypt --key-file k c > back");
    assert!(lab.same("back", "big"));
    bounded(few, "decrypt --key-file k --force --out back < piped");
    assert!(lab.same("back", "big"));
    // What must be read twice is kept in memory up to 16 MiB, then in a temporary file.
    bounded(60_000, "decrypt --key-file k < piped > back");
    assert!(lab.same("back", "big"));
    for mode in ["cbc", "cfb", "ctr"] {
        let raw = format!("--raw {mode} --key {KEY} --iv {IV}");
        bounded(few, &format!("encrypt {raw} --force --out c big"));
        bounded(few, &format!("decrypt {raw} c > back"));
        assert!(lab.same("back", "big"));
    }
    // The last chunk of many is altered: nothing comes out, though all before it is good.
    lab.sh("sm4 encrypt --key-file k --force --out c big").ok();
    let mut file = lab.read("c");
    *file.last_mut().unwrap() ^= 1;
    lab.write("c", file);
    refused(&lab, "c");
    lab.assert_clean();
}

#[test]
fn outputs_that_are_there() {
    let lab = lab();
    lab.sh("sm4 encrypt --key-file k --out c m").ok();
    lab.sh("sm4 encrypt --key-file k --out c m")
        .status(2)
        .says(&["c: ", "--force"]);
    lab.write("kept", "kept");
    lab.sh("sm4 decrypt --key-file k --out kept c")
        .status(2)
        .says(&["kept", "--force"]);
    lab.sh("sm4 decrypt --key-file other --force --out kept c")
        .status(1);
    assert_eq!(lab.read("kept"), b"kept");
    lab.sh("sm4 decrypt --key-file k --force --out kept c").ok();
    assert!(lab.same("kept", "m"));
    // A file may be replaced by its own decryption.
    lab.sh("sm4 decrypt --key-file k --force --out c c").ok();
    assert!(lab.same("c", "m"));
    lab.sh("sm4 encrypt --key-file k --out new nowhere")
        .status(2)
        .says(&["nowhere"]);
    lab.sh("sm4 encrypt --key-file nowhere --out new m")
        .status(2)
        .says(&["nowhere"]);
    assert!(!lab.exists("new"));
    lab.assert_clean();
}
