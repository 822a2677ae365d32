//! The provider itself: that it is found, and that it is what does the work.

use std::fs;

use super::openssl::{By, Shell, module};

#[test]
fn is_listed() {
    let text = Shell::new().text(By::Kuaimi, "list -providers");
    assert!(text.contains("name: Kuaimi"), "{text}");
    assert!(
        text.contains(concat!("version: ", env!("CARGO_PKG_VERSION"))),
        "{text}"
    );
    assert!(text.contains("OpenSSL Default Provider"), "{text}");
}

#[test]
fn offers_each_algorithm() {
    let shell = Shell::new();
    let has = |list: &str, names: &[&str]| {
        let text = shell.text(By::Kuaimi, &format!("list -{list}"));
        for name in names {
            let there = text
                .lines()
                .any(|line| line.contains(name) && line.contains("@ kuaimi"));
            assert!(there, "no {name} of kuaimi in: {text}");
        }
    };
    has("digest-algorithms", &["SM3"]);
    let modes = ["ECB", "CBC", "CTR", "OFB", "CFB", "GCM", "CCM", "XTS"];
    has(
        "cipher-algorithms",
        &modes
            .map(|mode| format!("SM4-{mode}"))
            .each_ref()
            .map(String::as_str),
    );
    has("signature-algorithms", &["SM2"]);
    has("asymcipher-algorithms", &["SM2"]);
    has("key-managers", &["SM2", "curveSM2"]);
    has("key-exchange-algorithms", &["curveSM2"]);
    has("decoders", &["SM2"]);
}

/// With `provider=kuaimi` instead of `?provider=kuaimi` no other provider could have done it.
#[test]
fn does_the_work() {
    let shell = Shell::new();
    shell.write("message", "abc");
    let digest = shell.text(By::Kuaimi, "dgst -sm3 -propquery provider=kuaimi message");
    assert!(
        digest.contains("66c7f0f462eeedd9d1f2d46bdc10e4e24167c4875cf2f7a2297da02b8f4ba8e0"),
        "{digest}"
    );
    let fails = shell.fail(By::Default, "dgst -sm3 -propquery provider=kuaimi message");
    assert!(!fails.contains("66c7f0f4"), "{fails}");
    shell.run(
        By::Kuaimi,
        "enc -sm4-ctr -propquery provider=kuaimi -K 00 -iv 00 -in message -out out",
    );
    shell.run(
        By::Kuaimi,
        "genpkey -algorithm SM2 -propquery provider=kuaimi -out key.pem",
    );
}

/// By the command line alone, without a configuration.
#[test]
fn is_loaded_by_name_from_a_folder() {
    let shell = Shell::new();
    fs::copy(module(), shell.path("kuaimi.so")).expect("the module can be copied");
    shell.write("message", "abc");
    let line = "dgst -sm3 -provider-path . -provider kuaimi -propquery provider=kuaimi message";
    assert!(shell.text(By::Default, line).contains("66c7f0f4"));
}

/// The program's own measurement, which is what users try first.
#[test]
fn speed_runs() {
    let shell = Shell::new();
    for what in ["sm2", "-bytes 16384 -evp sm3", "-bytes 16384 -evp sm4-ctr"] {
        let output = shell.try_run(By::Kuaimi, &format!("speed -seconds 1 {what}"));
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(output.status.success(), "{text}");
        let last = text
            .trim_end()
            .lines()
            .last()
            .unwrap_or_default()
            .to_owned();
        assert!(last.to_lowercase().contains("sm"), "{text}");
        let nothing = last.split_whitespace().last() == Some("0.00k");
        assert!(!nothing, "{text}");
    }
}
