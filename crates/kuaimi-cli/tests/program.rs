//! What belongs to the program as a whole: help, version, completions, manual, wrong use.

mod common;

use common::{Lab, PORTABLE};

/// Every command, as its words.
const COMMANDS: [&str; 66] = [
    "",
    "sm2",
    "sm2 keygen",
    "sm2 pubkey",
    "sm2 sign",
    "sm2 verify",
    "sm2 encrypt",
    "sm2 decrypt",
    "sm2 exchange",
    "sm2 exchange start",
    "sm2 exchange respond",
    "sm2 exchange finish",
    "sm2 exchange confirm",
    "sm2 inspect",
    "sm2 convert",
    "sm3",
    "sm4",
    "sm4 keygen",
    "sm4 encrypt",
    "sm4 decrypt",
    "sm9",
    "sm9 setup",
    "sm9 extract",
    "sm9 sign",
    "sm9 verify",
    "sm9 encrypt",
    "sm9 decrypt",
    "sm9 encap",
    "sm9 decap",
    "sm9 exchange",
    "sm9 exchange start",
    "sm9 exchange respond",
    "sm9 exchange finish",
    "sm9 exchange confirm",
    "sm9 inspect",
    "cert",
    "cert show",
    "cert self-sign",
    "cert request",
    "cert issue",
    "cert pair",
    "cert open-key",
    "cert renew",
    "cert verify",
    "cert crl",
    "cert ocsp",
    "cert ocsp request",
    "cert ocsp respond",
    "cert ocsp check",
    "cms",
    "cms sign",
    "cms verify",
    "cms encrypt",
    "cms decrypt",
    "p12",
    "p12 create",
    "p12 show",
    "p12 extract",
    "verify-batch",
    "sign-batch",
    "proxy",
    "tls-check",
    "speed",
    "completions",
    "man",
    "help",
];

#[test]
fn help_with_examples() {
    let lab = Lab::new();
    for command in COMMANDS
        .iter()
        .filter(|command| !matches!(**command, "help"))
    {
        let help = lab.sh(&format!("{command} --help")).ok();
        assert!(help.text().contains("Usage: kuaimi"), "{command}");
        let example = help
            .text()
            .find("Example")
            .unwrap_or_else(|| panic!("no example: {command}"));
        assert!(help.text()[example..].contains("kuaimi "), "{command}");
        for line in help.text().lines() {
            assert!(line.chars().count() <= 100, "{command}: {line}");
        }
    }
    assert_eq!(
        lab.sh("--version").ok().text(),
        format!("kuaimi {}\n", env!("CARGO_PKG_VERSION"))
    );
}

/// A command that the first words name is built alone, `help` builds all of them.
#[test]
fn help_of_a_command_built_alone_is_that_of_all() {
    let lab = Lab::new();
    for command in COMMANDS
        .iter()
        .filter(|command| !matches!(**command, "help"))
    {
        let alone = lab.sh(&format!("{command} --help")).ok();
        let among_all = lab.sh(&format!("help {command}")).ok();
        assert_eq!(alone.text(), among_all.text(), "{command}");
    }
}

#[test]
fn wrong_use() {
    let lab = Lab::new();
    for line in [
        "",
        "sm2",
        "nonsense",
        "sm2 nonsense",
        "sm2 sign",
        "sm2 verify --key k",
        "sm3 --nonsense",
        "man",
        "completions",
        "completions csh",
    ] {
        let ran = lab.sh(line).status(2);
        assert!(ran.stdout.is_empty() && !ran.stderr.is_empty(), "{line}");
    }
}

/// What a newcomer types.
#[test]
fn commands_without_their_scheme() {
    let lab = Lab::new();
    for (line, said) in [
        (
            "sign --key a.pem m",
            "`kuaimi sm2 sign` or `kuaimi sm9 sign`",
        ),
        ("keygen", "`kuaimi sm2 keygen` or `kuaimi sm4 keygen`"),
        ("verify", "`kuaimi sm2 verify`"),
        ("-v encrypt m", "`kuaimi sm2 encrypt`"),
        ("decrypt --key a.pem", "`kuaimi sm4 decrypt`"),
        ("help pubkey", "use `kuaimi sm2 pubkey`"),
        ("convert", "`kuaimi sm2 convert`"),
        ("extract", "`kuaimi sm9 extract`"),
    ] {
        let ran = lab.sh(line).status(2).says(&[said]);
        assert_eq!(ran.stderr.lines().count(), 1, "{}", ran.stderr);
    }
    for line in ["sing", "sm9 keygen", "sm2 setup"] {
        lab.sh(line)
            .status(2)
            .says(&["unrecognized subcommand", "Usage: kuaimi"]);
    }
}

#[test]
fn a_backend_that_is_none() {
    let lab = Lab::new();
    let run = |name: &str| {
        let mut command = lab.kuaimi();
        command.env("KUAIMI_BACKEND", name).args(["sm2", "keygen"]);
        common::ran(command.output().unwrap())
    };
    run("abacus")
        .status(2)
        .says(&["KUAIMI_BACKEND", "abacus", "portable"]);
    run("portable").ok();
    run(PORTABLE).ok();
}

#[test]
fn completions_for_every_shell() {
    let lab = Lab::new();
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = lab.sh(&format!("completions {shell}")).ok();
        for word in [
            "kuaimi",
            "keygen",
            "lenient",
            "bare-c1c3c2",
            "verify-batch",
            "signature-column",
        ] {
            assert!(script.text().contains(word), "{shell}: {word}");
        }
    }
    lab.write("kuaimi.bash", lab.sh("completions bash").ok().stdout);
    let loaded = lab
        .command("bash")
        .args(["-c", "source kuaimi.bash && complete -p kuaimi"])
        .output();
    common::ran(loaded.expect("bash")).ok();
}

#[test]
fn a_manual_page_for_every_command() {
    let lab = Lab::new();
    lab.sh("man --out pages/man1").ok();
    for command in COMMANDS
        .iter()
        .filter(|command| !matches!(**command, "help"))
    {
        let name = format!("kuaimi {command}").trim().replace(' ', "-");
        let page = String::from_utf8(lab.read(&format!("pages/man1/{name}.1"))).unwrap();
        assert!(page.contains(".TH"), "{name}");
        assert!(page.contains(".SH SYNOPSIS"), "{name}");
        assert!(!page.contains("\\-help(1)"), "{name}");
        assert!(page.contains(".SH \"EXAMPLES AND NOTES\""), "{name}");
    }
    // Options are shown with their values.
    for (name, said) in [
        ("kuaimi", r"\fBkuaimi\fR [\fB\-v\fR|\fB\-\-verbose\fR]"),
        ("kuaimi", r"\fICOMMAND\fR"),
        ("kuaimi-sm4-encrypt", r"[\fB\-\-key\-file\fR \fI<FILE>\fR]"),
        (
            "kuaimi-sm2-sign",
            r"sign\fR \fB\-k\fR|\fB\-\-key\fR \fI<FILE>\fR [",
        ),
        ("kuaimi-sm2-sign", r"[\fB\-\-deterministic\fR]"),
        ("kuaimi-sm2-sign", r"[\fIFILE\fR]"),
    ] {
        let page = String::from_utf8(lab.read(&format!("pages/man1/{name}.1"))).unwrap();
        assert!(page.contains(said), "{name}: {said} in {page}");
    }
    let count = std::fs::read_dir(lab.path("pages/man1")).unwrap().count();
    assert_eq!(count, COMMANDS.len() - 1);
    lab.sh("man --out pages/man1").ok();
    lab.write("file", "");
    lab.sh("man --out file/man1").status(2).says(&["file/man1"]);
}
