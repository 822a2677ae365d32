//! Key exchange between two people with a program each.

mod common;

use common::Lab;

const START: &str =
    "sm2 exchange start --key a.pem --id alice --peer b.pub --peer-id bob --out-state a.state";
const RESPOND: &str =
    "sm2 exchange respond --key b.pem --id bob --peer a.pub --peer-id alice --out-state b.state";
const FINISH: &str = "sm2 exchange finish --key a.pem --state a.state";
const CONFIRM: &str = "sm2 exchange confirm --state b.state";

/// Both sides up to where A has to finish.
fn half_way() -> Lab {
    let lab = Lab::with_keys();
    let r_a = lab.sh(START).ok();
    lab.write("r_a", &r_a.stdout);
    let r_b = lab.sh(&format!("{RESPOND} --message r_a --length 48")).ok();
    lab.write("r_b", &r_b.stdout);
    lab
}

#[test]
fn both_have_the_key() {
    let lab = half_way();
    assert!(lab.read("r_a").starts_with(b"R_A 04"));
    #[cfg(unix)]
    for state in ["a.state", "b.state"] {
        assert_eq!(lab.mode(state), 0o600);
    }
    let s_a = lab
        .sh(&format!("{FINISH} --message r_b --length 48 --out a.key"))
        .ok();
    assert!(s_a.text().starts_with("S_A "));
    let by_paste = ["--received", s_a.text(), "--out", "b.key"];
    lab.run(CONFIRM.split_whitespace().chain(by_paste)).ok();
    assert_eq!(lab.read("a.key").len(), 48);
    assert!(lab.same("a.key", "b.key"));
    #[cfg(unix)]
    assert_eq!((lab.mode("a.key"), lab.mode("b.key")), (0o600, 0o600));
    // The states served once.
    assert!(!lab.exists("a.state") && !lab.exists("b.state"));
    lab.sh(&format!("{FINISH} --message r_b --out again"))
        .status(2)
        .says(&["a.state", "once"]);
    lab.assert_clean();
}

#[test]
fn without_confirmation() {
    let lab = Lab::with_keys();
    let r_a = lab.sh(START).ok();
    let line = RESPOND.replace("--out-state b.state", "--unconfirmed --out b.key");
    let r_b = lab.pipe(&line, &r_a.stdout).ok();
    assert!(!r_b.text().contains("S_B"));
    lab.write("r_b", &r_b.stdout);
    lab.sh(&format!("{FINISH} --message r_b --out a.key"))
        .status(2)
        .says(&["S_B"]);
    let nothing = lab
        .sh(&format!(
            "{FINISH} --message r_b --unconfirmed --encoding hex --out a.key"
        ))
        .ok();
    assert!(nothing.stdout.is_empty());
    assert_eq!(
        lab.read("a.key"),
        format!("{}\n", hex::encode(lab.read("b.key"))).as_bytes()
    );
}

/// Someone else's line, or an altered one: no key, status 1, and the state is spent.
#[test]
fn sides_that_do_not_agree() {
    let lab = half_way();
    let other = lab
        .sh(&format!(
            "{} --force",
            START.replace("a.state", "other.state")
        ))
        .ok();
    let r_b = lab
        .pipe(&RESPOND.replace("b.state", "other-b.state"), &other.stdout)
        .ok();
    lab.write("other_r_b", &r_b.stdout);
    lab.sh(&format!("{FINISH} --message other_r_b --out a.key"))
        .status(1)
        .says(&["same key"]);
    assert!(!lab.exists("a.key") && !lab.exists("a.state"));

    let wrong = format!("S_A {}", "00".repeat(32));
    let line = CONFIRM
        .split_whitespace()
        .chain(["--out", "b.key", "--received", &wrong]);
    lab.run(line).status(1).says(&["same key"]);
    assert!(!lab.exists("b.key") && !lab.exists("b.state"));
    lab.assert_clean();
}

/// What can be put right does not cost the state.
#[test]
fn mistakes_that_can_be_put_right() {
    let lab = half_way();
    lab.sh(START).status(2).says(&["a.state", "--force"]);
    lab.sh(&format!("{FINISH} --message r_a --out a.key"))
        .status(2)
        .says(&["your own side"]);
    lab.sh(&format!("{FINISH} --message m --out a.key"))
        .status(2)
        .says(&["hexadecimal"]);
    lab.sh(&format!("{FINISH} --message r_b"))
        .status(2)
        .says(&["--out"]);
    lab.sh(&format!("{FINISH} --message r_b --out m"))
        .status(2)
        .says(&["--force"]);
    lab.sh(&format!(
        "{} --message r_b --out a.key",
        FINISH.replace("a.pem", "b.pem")
    ))
    .status(2)
    .says(&["another private key"]);
    lab.sh(&format!(
        "{} --message r_b --out a.key",
        FINISH.replace("a.state", "b.state")
    ))
    .status(2)
    .says(&["b.state"]);
    let cut = String::from_utf8(lab.read("r_b")).unwrap();
    lab.write("cut", &cut[..100]);
    lab.sh(&format!("{FINISH} --message cut --out a.key"))
        .status(2)
        .says(&["copy all"]);
    lab.sh(&RESPOND.replace("a.pub", "b.pub")).status(2);
    lab.sh(&RESPOND.replace("--out-state b.state", ""))
        .status(2);
    lab.sh(&format!("{FINISH} --message r_b --length 48 --out a.key"))
        .ok();
}
