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
            "dgst -sm3 -verify key.pub -signature report.sig report.pdf",
        );
    }
}

/// The documents' configuration is that of `make provider`, without its comments.
#[test]
fn the_shown_configuration_is_the_one_that_is_made() {
    let bare = |text: &str| -> Vec<String> {
        let lines = text.lines().map(str::trim);
        let wanted = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
        wanted.map(str::to_owned).collect()
    };
    let made = bare(&configuration(&module()));
    for name in ["docs/openssl.md", "docs/openssl.zh-CN.md"] {
        let text = document(name);
        let [shown] = blocks(&text, "ini")[..] else {
            panic!("{name}: one configuration");
        };
        let path = module();
        let shown = shown.replace(
            "/usr/local/lib/ossl-modules/kuaimi.so",
            path.to_str().unwrap(),
        );
        assert_eq!(bare(&shown), made, "{name}");
    }
}
