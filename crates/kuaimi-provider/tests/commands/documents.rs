//! The commands and the configuration that the documents show.

use super::openssl::{By, Shell, configuration, module};
use std::fs;
use std::path::Path;

const DOCUMENTS: [&str; 4] = [
    "README.md",
    "README.zh-CN.md",
    "docs/openssl.md",
    "docs/openssl.zh-CN.md",
];

fn document(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .join(name);
    fs::read_to_string(path).expect("a document")
}

/// The contents of the blocks of code in a language.
fn blocks<'a>(text: &'a str, language: &str) -> Vec<&'a str> {
    text.split(&format!("```{language}\n"))
        .skip(1)
        .filter_map(|rest| rest.split("```").next())
        .collect()
}

#[test]
fn shown_commands_run() {
    for name in DOCUMENTS {
        let shell = Shell::new();
        shell.write("report.pdf", "a report");
        let text = document(name);
        let [block] = blocks(&text, "sh")
            .into_iter()
            .filter(|block| block.contains("make provider"))
            .collect::<Vec<_>>()[..]
        else {
            panic!("{name}: one block with the provider");
        };
        // As `make provider DEFAULT_ID=…` writes it.
        let id = "1234567812345678";
        assert!(
            block.contains(&format!("make provider DEFAULT_ID={id} ")),
            "{name}"
        );
        let written = configuration(&module(), None).replace("# default_id", "default_id");
        assert!(written.contains(&format!("\ndefault_id = {id}\n")));
        shell.write("kuaimi.cnf", written);
        let mut commands = 0;
        for line in block
            .lines()
            .filter_map(|line| line.strip_prefix("openssl "))
        {
            let line = line.split('#').next().unwrap_or_default();
            shell.run(By::Kuaimi, line);
            commands += 1;
        }
        assert!(commands >= 3, "{name}: {commands} commands");
        // What they made is a signature.
        shell.run(By::Default, "pkey -in key.pem -pubout -out key.pub");
        shell.run(
            By::Default,
            &format!(
                "dgst -sm3 -verify key.pub -sigopt distid:{id} -signature report.sig report.pdf"
            ),
        );
    }
}

/// An `openssl.cnf` as OpenSSL's own, without its comments.
const SYSTEM: &str = "openssl_conf = openssl_init\n[openssl_init]\n[req]\n";

/// The configuration that a document shows, with this module.
fn shown_configuration(name: &str) -> String {
    let text = document(name);
    let [shown] = blocks(&text, "ini")[..] else {
        panic!("{name}: one configuration");
    };
    let module = module();
    shown.replace(
        "/usr/local/lib/ossl-modules/kuaimi.so",
        module.to_str().unwrap(),
    )
}

const CONFIGURED: [&str; 2] = ["docs/openssl.md", "docs/openssl.zh-CN.md"];

/// The documents' configuration is that of `make provider`, without its comments.
#[test]
fn the_shown_configuration_is_the_one_that_is_made() {
    let bare = |text: &str| -> Vec<String> {
        let lines = text.lines().map(str::trim);
        let wanted = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
        wanted.map(str::to_owned).collect()
    };
    let shell = Shell::new();
    shell.write("openssl.cnf", SYSTEM);
    let system = shell.path("openssl.cnf");
    let made = bare(&configuration(&module(), Some(&system)));
    for name in CONFIGURED {
        let shown = shown_configuration(name);
        let shown = shown.replace("/usr/lib/ssl/openssl.cnf", system.to_str().unwrap());
        assert_eq!(bare(&shown), made, "{name}");
    }
}

/// And its sections may be added to a file, as the documents say.
#[test]
fn the_shown_sections_may_be_added_to_a_file() {
    for name in CONFIGURED {
        let shell = Shell::new();
        let shown = shown_configuration(name);
        let at = shown.find("[openssl_init]").expect("the section");
        shell.write("openssl.cnf", [SYSTEM, &shown[at..]].concat());
        let output = shell.try_with(shell.path("openssl.cnf"), "list -providers");
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(text.contains("name: Kuaimi"), "{name}: {text}");
        assert!(text.contains("OpenSSL Default Provider"), "{name}: {text}");
    }
}
