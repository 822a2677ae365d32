//! What a user sees when the module or its configuration is wrong. libcrypto goes on without a word
//! where a configuration activates a provider that cannot be loaded, so it is asked for by its
//! name.

use std::path::Path;

use super::library::{Library, configuration, modules, outputs, run_with};

/// What `openssl list -providers -provider kuaimi` says with a module and settings, and whether it
/// succeeded.
fn providers(
    library: &Library,
    module: &Path,
    settings: &str,
    environment: &[(&str, &str)],
) -> (bool, String) {
    let file = configuration(module, settings);
    let mut command = library.openssl();
    command
        .args(["list", "-providers", "-provider", "kuaimi"])
        .env("OPENSSL_CONF", file.path())
        .envs(environment.iter().copied());
    let output = run_with(&mut command, "");
    (output.status.success(), outputs(&output))
}

fn active(library: &Library, module: &Path, settings: &str, environment: &[(&str, &str)]) -> bool {
    let (success, text) = providers(library, module, settings, environment);
    success && text.contains("Kuaimi")
}

/// A module that is empty, cut off or not one at all does not load, which the message says with its
/// path. One whose code was changed finds it out itself, where it changes an answer of the
/// self-test.
pub fn broken_modules(library: &Library) {
    let right = std::fs::read(modules().join("kuaimi.so")).expect("the module");
    assert!(active(library, &modules().join("kuaimi.so"), "", &[]));
    let folder = tempfile::tempdir().expect("a folder");
    let broken: [(&str, Vec<u8>); 5] = [
        ("empty", Vec::new()),
        ("text", b"not a module".to_vec()),
        ("header", right[..64].to_vec()),
        ("half", right[..1 << 16].to_vec()),
        ("entry", renamed_entry(&right)),
    ];
    for (name, contents) in broken {
        let module = folder.path().join(name).with_extension("so");
        std::fs::write(&module, contents).expect("a file");
        let (_, text) = providers(library, &module, "", &[]);
        assert!(!text.contains("Kuaimi"), "{name}: {text}");
        // The dynamic loader maps what is not there, and the system ends the program, before
        // anybody could say something.
        if name != "half" {
            assert!(text.contains("error"), "{name}: {text}");
            assert!(
                text.contains(&format!("{name}.so")) || name == "entry",
                "{name}: {text}"
            );
        }
    }
    let (_, text) = providers(library, &folder.path().join("missing.so"), "", &[]);
    assert!(text.contains("missing.so"), "{text}");

    let module = folder.path().join("changed.so");
    std::fs::write(&module, with_other_answer(&right)).expect("a file");
    let (_, text) = providers(library, &module, "", &[]);
    assert!(!text.contains("name: Kuaimi"), "{text}");
    assert!(
        text.contains("self-test failed") && text.contains("SM3"),
        "{text}"
    );
}

fn replaced(module: &[u8], from: &[u8], to: &[u8]) -> Vec<u8> {
    let mut changed = module.to_vec();
    let mut count = 0;
    for start in 0..=module.len() - from.len() {
        if module[start..].starts_with(from) {
            changed[start..start + to.len()].copy_from_slice(to);
            count += 1;
        }
    }
    assert!(count > 0, "the module has no such bytes");
    changed
}

fn renamed_entry(module: &[u8]) -> Vec<u8> {
    replaced(module, b"OSSL_provider_init", b"OSSL_provider_exit")
}

/// With another digest of `abc` in the self-test.
fn with_other_answer(module: &[u8]) -> Vec<u8> {
    let answer = hex::decode("66c7f0f462eeedd9d1f2d46bdc10e4e24167c4875cf2f7a2297da02b8f4ba8e0")
        .expect("hex");
    let mut other = answer.clone();
    other[31] ^= 1;
    replaced(module, &answer, &other)
}

/// The setting and its value are in the message, and the provider does not serve.
pub fn wrong_settings(library: &Library) {
    let module = modules().join("kuaimi.so");
    let long = "x".repeat(8192);
    let wrong = |settings: &str, environment: &[(&str, &str)], words: &[&str]| {
        let (_, text) = providers(library, &module, settings, environment);
        assert!(!text.contains("name: Kuaimi"), "{settings}: {text}");
        for word in words {
            assert!(text.contains(word), "{settings:.30}: no {word} in {text}");
        }
    };
    for number in ["abc", "-1", "99999999999999999999"] {
        let quoted = format!("'{number}'");
        wrong(
            &format!("key_cache_bytes = {number}"),
            &[],
            &["key_cache_bytes", &quoted],
        );
    }
    wrong(
        &format!("default_id = {long}"),
        &[],
        &["default_id", "8192", "8191"],
    );
    wrong(
        "",
        &[("KUAIMI_BACKEND", "abacus")],
        &["KUAIMI_BACKEND", "abacus"],
    );
    for right in [
        "key_cache_bytes = 0",
        "default_id = ALICE",
        &format!("default_id = {}", &long[1..]),
    ] {
        assert!(active(library, &module, right, &[]), "{right:.30}");
    }
    assert!(active(
        library,
        &module,
        "",
        &[("KUAIMI_BACKEND", "portable")]
    ));
}
