//! The headers, made from the sources by cbindgen: one for each subject, and `kuaimi.h`, which
//! includes them.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::OnceLock;

use crate::common::root;
use crate::marks::{MARKS, marked};

/// One header and the sources that it declares, in the order in which it presents them.
pub struct Header {
    pub name: &'static str,
    /// Its first line.
    about: &'static str,
    pub includes: &'static [&'static str],
    sources: &'static [&'static str],
}

/// In the order in which `kuaimi.h` includes them.
pub const HEADERS: &[Header] = &[
    Header {
        name: "base",
        about: "What all headers share: errors, bytes, the version, implementations, the memory of tables.",
        includes: &[],
        sources: &["error", "library", "buffer", "cache"],
    },
    Header {
        name: "form",
        about: "How keys and signatures of SM2 and SM9 are written, and keys encrypted.",
        includes: &["base"],
        sources: &["key_form", "signature_form"],
    },
    Header {
        name: "sm3",
        about: "SM3: the hash, HMAC, and the function that derives keys.",
        includes: &["base"],
        sources: &["sm3/hash", "sm3/hmac"],
    },
    Header {
        name: "sm4",
        about: "SM4 and its modes.",
        includes: &["base"],
        sources: &[
            "sm4/block",
            "sm4/gcm",
            "sm4/gcm_batch",
            "sm4/gcm_stream",
            "sm4/ccm",
            "sm4/cbc",
            "sm4/cfb",
            "sm4/ofb",
            "sm4/ctr",
            "sm4/xts",
        ],
    },
    Header {
        name: "sm2",
        about: "SM2: signatures, encryption, key exchange.",
        includes: &["base", "form", "sm3"],
        sources: &[
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
        ],
    },
    Header {
        name: "sm9",
        about: "SM9: the centre, signatures, encryption, encapsulation, key exchange.",
        includes: &["base", "form"],
        sources: &[
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
        ],
    },
    Header {
        name: "certificate",
        about: "Certificates, and chains of them.",
        includes: &["base", "sm2"],
        sources: &["pki/certificate", "pki/verifier", "pki/verdict", "pki/ocsp"],
    },
    Header {
        name: "authority",
        about: "What holders and authorities make: requests, certificates, and lists of revoked certificates.",
        includes: &["base", "sm2", "certificate"],
        sources: &["pki/request", "pki/issue"],
    },
    Header {
        name: "cms",
        about: "Messages of CMS and GM/T 0010: signed, and encrypted.",
        includes: &["base", "form", "sm2", "certificate"],
        sources: &[
            "pki/cms_sign",
            "pki/cms_signing",
            "pki/cms_verify",
            "pki/cms_encrypt",
            "pki/cms_stream",
        ],
    },
    Header {
        name: "pkcs12",
        about: "Private keys with their certificates in one file: PKCS #12, and the files of CFCA.",
        includes: &["base", "sm2", "certificate"],
        sources: &["pki/pkcs12", "pki/cfca"],
    },
    Header {
        name: "tlcp",
        about: "TLCP, the TLS of ShangMi: connections of clients and servers, without input and output.",
        includes: &["base", "sm2", "certificate"],
        sources: &["tlcp/config", "tlcp/connection"],
    },
];

/// The name of the macro that keeps a header from being read twice.
pub fn guard(name: &str) -> String {
    format!("KUAIMI_{}_H", name.to_uppercase())
}

fn source(name: &str) -> PathBuf {
    root().join("src").join(name).with_extension("rs")
}

/// The types of a source. cbindgen would leave out those that no function of the same header takes.
fn types(source: &str) -> Vec<String> {
    let kinds = ["pub struct ", "pub type ", "pub enum "];
    let named = source.lines().filter_map(|line| {
        let line = line.trim_start();
        let rest = kinds.iter().find_map(|kind| line.strip_prefix(kind))?;
        rest.split([' ', ';']).next()
    });
    named.map(str::to_owned).collect()
}

/// A source with the enumerations of `options!` as such, since cbindgen looks into no macro.
fn enumerations(source: &str) -> String {
    let mut parts = source.split("options! {\n");
    let mut text = parts.next().expect("the part before").to_owned();
    for part in parts {
        let (options, rest) = part.split_once("\n}\n").expect("the end of options!");
        text += &options.replace("pub enum", "#[repr(C)]\npub enum");
        text += "\n";
        text += rest;
    }
    text
}

fn write(mut config: cbindgen::Config, sources: &[&str]) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    let mut builder = cbindgen::Builder::new();
    for name in sources {
        let text = enumerations(&std::fs::read_to_string(source(name)).expect("a source file"));
        config.export.include.extend(types(&text));
        let file = folder
            .path()
            .join(name.replace('/', "_"))
            .with_extension("rs");
        std::fs::write(&file, marked(&text)).expect("a copy of the source");
        builder = builder.with_src(file);
    }
    let mut header = Vec::new();
    builder
        .with_config(config)
        .generate()
        .expect("a header")
        .write(&mut header);
    String::from_utf8(header).expect("text")
}

/// The headers that the sources make, by their places in `include`. If the environment asks for it,
/// they replace the committed ones first.
pub fn generated() -> &'static BTreeMap<String, String> {
    static GENERATED: OnceLock<BTreeMap<String, String>> = OnceLock::new();
    GENERATED.get_or_init(|| {
        let headers = generate();
        if std::env::var_os("KUAIMI_WRITE_HEADER").is_some() {
            let folder = root().join("include");
            std::fs::remove_dir_all(&folder).expect("the old headers go");
            std::fs::create_dir_all(folder.join("kuaimi")).expect("the folders are made");
            for (place, text) in &headers {
                std::fs::write(folder.join(place), text).expect("a header is written");
            }
        }
        headers
    })
}

fn generate() -> BTreeMap<String, String> {
    let common = cbindgen::Config::from_file(root().join("cbindgen.toml")).expect("cbindgen.toml");
    let mut headers = BTreeMap::new();
    for header in HEADERS {
        let mut config = common.clone();
        config.header = Some(format!(
            "/*\n * {} The rules for all functions are in kuaimi.h.\n *\n * MIT OR Apache-2.0. Made from the Rust sources by cbindgen: do not edit.\n */",
            header.about
        ));
        config.include_guard = Some(guard(header.name));
        config.includes = header
            .includes
            .iter()
            .map(|name| format!("{name}.h"))
            .collect();
        if header.includes.is_empty() {
            config.after_includes = Some(MARKS.to_owned());
        } else {
            config.sys_includes.clear();
        }
        let text = write(config, header.sources);
        headers.insert(format!("kuaimi/{}.h", header.name), text);
    }
    let mut first = common;
    first.sys_includes.clear();
    first.includes = HEADERS
        .iter()
        .map(|header| format!("kuaimi/{}.h", header.name))
        .collect();
    headers.insert("kuaimi.h".to_owned(), write(first, &[]));
    headers
}
