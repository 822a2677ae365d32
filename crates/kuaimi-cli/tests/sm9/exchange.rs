//! Key exchange.

use super::*;

#[test]
fn exchange() {
    let lab = centre();
    for name in ["a", "b"] {
        lab.sh(&format!(
            "sm9 extract --key e.pem --id {name} --for-exchange --out {name}.pem"
        ))
        .ok();
    }
    const START: &str = "sm9 exchange start --key a.pem --id a --peer-id b --out-state a.state";
    const RESPOND: &str = "sm9 exchange respond --key b.pem --id b --peer-id a --out-state b.state";
    lab.write("r_a", &lab.sh(START).ok().stdout);
    lab.write(
        "r_b",
        &lab.sh(&format!("{RESPOND} --message r_a --length 48"))
            .ok()
            .stdout,
    );
    let s_a = lab
        .sh("sm9 exchange finish --key a.pem --state a.state --message r_b --length 48 --out a.key")
        .ok();
    let confirm = [
        "sm9",
        "exchange",
        "confirm",
        "--state",
        "b.state",
        "--out",
        "b.key",
        "--received",
        s_a.text(),
    ];
    lab.run(confirm).ok();
    assert_eq!(lab.read("a.key").len(), 48);
    assert!(lab.same("a.key", "b.key"));
    assert!(!lab.exists("a.state") && !lab.exists("b.state"));

    // Without confirmation.
    lab.write("r_a", &lab.sh(START).ok().stdout);
    let line = RESPOND.replace(
        "--out-state b.state",
        "--unconfirmed --out b2.key --message r_a",
    );
    lab.write("r_b", &lab.sh(&line).ok().stdout);
    lab.sh(
        "sm9 exchange finish --key a.pem --state a.state --message r_b --unconfirmed --out a2.key",
    )
    .ok();
    assert!(lab.same("a2.key", "b2.key"));

    // A peer of another name than was agreed.
    lab.write("r_a", &lab.sh(START).ok().stdout);
    lab.write(
        "r_b",
        &lab.sh(&format!(
            "{} --message r_a",
            RESPOND.replace("--peer-id a", "--peer-id c")
        ))
        .ok()
        .stdout,
    );
    lab.sh("sm9 exchange finish --key a.pem --state a.state --message r_b --out a3.key")
        .status(1)
        .says(&["same key"]);
    assert!(!lab.exists("a3.key") && !lab.exists("a.state"));
    // A key for encryption, and someone else's.
    for key in ["bob.pem", "b.pem"] {
        lab.sh(&START.replace("a.pem", key))
            .status(2)
            .says(&[key, "--for-exchange"]);
    }
    lab.assert_clean();
}
