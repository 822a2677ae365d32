//! The header is the one that the sources make, and it compiles alone.

mod common;

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use common::{C_FLAGS, CPP_FLAGS, compile, root};

/// The sources, in the order in which the header presents them.
const SOURCES: &[&str] = &[
    "error",
    "library",
    "buffer",
    "key_form",
    "cache",
    "sm3/hash",
    "sm3/hmac",
    "sm2/private_key",
    "sm2/public_key",
    "sm2/signature",
    "sm2/sign",
    "sm2/verify",
    "sm2/ciphertext",
    "sm2/exchange",
    "sm2/key_cache",
    "sm2/nonce_pool",
    "sm2/explain",
    "sm2/batch",
    "sm4/block",
    "sm4/gcm",
    "sm4/gcm_stream",
    "sm4/ccm",
    "sm4/cbc",
    "sm4/cfb",
    "sm4/ofb",
    "sm4/ctr",
    "sm4/xts",
    "sm9/identity",
    "sm9/master_signing",
    "sm9/signing_key",
    "sm9/verifying_key",
    "sm9/signature",
    "sm9/master_encryption",
    "sm9/extract_exchange",
    "sm9/encryption_key",
    "sm9/decryption_key",
    "sm9/encryption",
    "sm9/encapsulation",
    "sm9/exchange_key",
    "sm9/exchange",
    "sm9/identity_cache",
    "sm9/batch",
];

fn source(name: &str) -> PathBuf {
    root().join("src").join(name).with_extension("rs")
}

/// The header that the sources make. If the environment asks for it, it replaces the committed one first.
fn generated() -> &'static str {
    static HEADER: OnceLock<String> = OnceLock::new();
    HEADER.get_or_init(|| {
        let header = generate();
        if std::env::var_os("KUAIMI_WRITE_HEADER").is_some() {
            std::fs::write(root().join(HEADER_FILE), &header).expect("the header is written");
        }
        header
    })
}

const HEADER_FILE: &str = "include/kuaimi.h";

fn generate() -> String {
    let config = cbindgen::Config::from_file(root().join("cbindgen.toml")).expect("cbindgen.toml");
    let builder = SOURCES
        .iter()
        .fold(cbindgen::Builder::new(), |builder, name| {
            builder.with_src(source(name))
        });
    let mut header = Vec::new();
    builder
        .with_config(config)
        .generate()
        .expect("a header")
        .write(&mut header);
    String::from_utf8(header).expect("text")
}

#[test]
fn the_header_is_up_to_date() {
    let generated = generated();
    let committed = std::fs::read_to_string(root().join(HEADER_FILE)).expect("the header");
    assert!(
        committed == generated,
        "include/kuaimi.h is not what the sources make: run KUAIMI_WRITE_HEADER=1 cargo test -p kuaimi-capi --test header"
    );
}

/// A file that is missing in [`SOURCES`] would have functions without a declaration.
#[test]
fn every_function_is_declared_and_documented() {
    fn collect(folder: &Path, names: &mut Vec<String>) {
        for entry in std::fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                collect(&path, names);
                continue;
            }
            let text = std::fs::read_to_string(&path).expect("a source file");
            names.extend(text.lines().filter_map(|line| {
                let (_, rest) = line.split_once("extern \"C\" fn ")?;
                Some(rest.split('(').next()?.to_owned())
            }));
        }
    }
    let mut names = Vec::new();
    collect(&root().join("src"), &mut names);
    assert!(names.len() > 150, "{} functions", names.len());
    let header = generated();
    let lines: Vec<&str> = header.lines().collect();
    for name in names {
        let call = format!("{name}(");
        let declared = lines.iter().position(|line| {
            !line.starts_with(" *") && line.split([' ', '*']).any(|word| word.starts_with(&call))
        });
        let declared = declared.unwrap_or_else(|| panic!("{name} is not declared"));
        assert_eq!(lines[declared - 1], " */", "{name} has no documentation");
    }
}

#[test]
fn the_header_compiles_alone() {
    generated();
    let folder = tempfile::tempdir().expect("a folder");
    for (name, flags) in [("alone.c", C_FLAGS), ("alone.cpp", CPP_FLAGS)] {
        let file = folder.path().join(name);
        // Twice, as the guard must keep the second from declaring anything again.
        let text =
            "#include <kuaimi.h>\n#include <kuaimi.h>\nint main(void) { return KUAIMI_OK; }\n";
        std::fs::write(&file, text).expect("a source file");
        compile(flags, &file, &["-c", "-o", "/dev/null"]);
    }
}
