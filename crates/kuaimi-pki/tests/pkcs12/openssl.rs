//! OpenSSL 3.0 opens what is written here, as far as it knows the algorithms.

use std::process::Command;

use kuaimi_pki::pkcs12::{Profile, Protection};

use crate::path;
use crate::round_trip::pair;

/// What `openssl pkcs12` takes out of a file.
fn open(file: &[u8], password: &str, options: &[&str]) -> Result<String, String> {
    let folder = std::env::temp_dir().join(format!("kuaimi-pkcs12-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let name = folder.join(format!("{:?}.p12", std::thread::current().id()));
    std::fs::write(&name, file).unwrap();
    let output = Command::new("openssl")
        .args([
            "pkcs12",
            "-nodes",
            "-passin",
            &format!("pass:{password}"),
            "-in",
        ])
        .arg(&name)
        .args(options)
        .env("LC_ALL", "C.UTF-8")
        .output()
        .unwrap();
    std::fs::remove_file(&name).unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    if output.status.success() {
        Ok(text(output.stdout))
    } else {
        Err(text(output.stderr))
    }
}

fn openssl_opens(profile: Profile, options: &[&str]) {
    let protection = Protection::from(profile).with_iterations(2048);
    for password in ["密码", "", "🔑 key"] {
        let der = pair()
            .to_der(password, protection, &mut getrandom::SysRng)
            .unwrap();
        let text = open(&der, password, options).unwrap();
        for name in ["sign", "encrypt"] {
            let pem = std::fs::read_to_string(path(&format!("{name}.key"))).unwrap();
            let lines: Vec<&str> = pem.lines().collect();
            assert!(text.contains(&lines[1..].join("\n")), "{profile:?}: {text}");
        }
        assert_eq!(text.matches("BEGIN CERTIFICATE").count(), 4);
        assert!(text.contains("friendlyName"));
        assert_eq!(text.matches("localKeyID").count(), 4);
        assert!(open(&der, "other", options).is_err());
    }
}

/// OpenSSL 3.0 knows SM3 in the MAC, but not in PBKDF2: it accepts the MAC, and then says so.
#[test]
fn accepts_the_mac_of_shangmi() {
    let protection = Protection::from(Profile::ShangMiOpenssl).with_iterations(2048);
    for password in ["密码", "", "🔑 key"] {
        let der = pair()
            .to_der(password, protection, &mut getrandom::SysRng)
            .unwrap();
        match open(&der, password, &[]) {
            Ok(text) => assert_eq!(text.matches("BEGIN PRIVATE KEY").count(), 2),
            Err(text) => assert!(text.contains("unsupported prf"), "{text}"),
        }
        let text = open(&der, "other", &[]).unwrap_err();
        assert!(text.contains("Mac verify error"), "{text}");
    }
}

#[test]
fn opens_compatible() {
    openssl_opens(Profile::Compatible, &[]);
}

#[test]
fn opens_legacy() {
    openssl_opens(Profile::Legacy, &["-legacy"]);
}
