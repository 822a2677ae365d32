//! SM2 keys: making, showing, converting, in all forms that the program reads and writes.

use super::openssl::{BOTH, By, MIXTURES, Shell};

#[test]
fn generated_keys_are_valid_for_both() {
    let shell = Shell::new();
    for maker in BOTH {
        for options in [
            "",
            "-pkeyopt group:SM2",
            "-pkeyopt ec_param_enc:named_curve",
        ] {
            shell.run(
                maker,
                &format!("genpkey -algorithm SM2 {options} -out key.pem"),
            );
            for reader in BOTH {
                let text = shell.text(reader, "pkey -in key.pem -check -noout");
                assert!(
                    text.contains("Key is valid"),
                    "{maker:?}, {reader:?}: {text}"
                );
            }
        }
    }
}

#[test]
fn another_group_is_refused_with_a_reason() {
    let said = Shell::new().fail(By::Kuaimi, "genpkey -algorithm SM2 -pkeyopt group:P-256");
    assert!(
        said.contains("the only group of an SM2 key is SM2"),
        "{said}"
    );
    assert!(said.contains("P-256"), "{said}");
}

/// Both providers write the same text and the same files for a key.
#[test]
fn every_form_comes_out_alike() {
    let shell = Shell::new();
    shell.run(By::Default, "genpkey -algorithm SM2 -out key.pem");
    for line in [
        "pkey -in key.pem -text -noout",
        "pkey -in key.pem -text_pub -noout",
        "pkey -in key.pem",
        "pkey -in key.pem -pubout",
        "pkey -in key.pem -outform DER",
        "pkey -in key.pem -pubout -outform DER",
    ] {
        let (ours, theirs) = (shell.run(By::Kuaimi, line), shell.run(By::Default, line));
        assert_eq!(ours, theirs, "openssl {line}");
        assert!(!ours.is_empty());
    }
}

/// Written by one, read by the other, and the key is still the same.
#[test]
fn every_form_is_read() {
    let shell = Shell::new();
    for (writer, reader) in MIXTURES {
        shell.run(writer, "genpkey -algorithm SM2 -out key.pem");
        let original = shell.run(By::Default, "pkey -in key.pem -outform DER");
        for form in [
            "-out copy",
            "-outform DER -out copy",
            "-aes256 -passout pass:secret -out copy",
            "-sm4-cbc -passout pass:secret -out copy",
        ] {
            shell.run(writer, &format!("pkey -in key.pem {form}"));
            let copy = shell.run(reader, "pkey -in copy -passin pass:secret -outform DER");
            assert_eq!(copy, original, "{writer:?} writes {form}, {reader:?} reads");
        }
        let public = shell.run(By::Default, "pkey -in key.pem -pubout -outform DER");
        for form in ["-out copy", "-outform DER -out copy"] {
            shell.run(writer, &format!("pkey -in key.pem -pubout {form}"));
            let copy = shell.run(reader, "pkey -pubin -in copy -pubout -outform DER");
            assert_eq!(
                copy, public,
                "{writer:?} writes the public key {form}, {reader:?} reads"
            );
        }
    }
}

/// `ecparam` writes SEC 1's form, after the curve's name.
#[test]
fn keys_of_ecparam_are_read() {
    let shell = Shell::new();
    shell.run(By::Default, "ecparam -name SM2 -genkey -out key.pem");
    let ours = shell.run(By::Kuaimi, "pkey -in key.pem -outform DER");
    assert_eq!(
        ours,
        shell.run(By::Default, "pkey -in key.pem -outform DER")
    );
}

#[test]
fn a_wrong_password_and_a_broken_key_fail() {
    let shell = Shell::new();
    shell.run(
        By::Kuaimi,
        "genpkey -algorithm SM2 -aes256 -pass pass:secret -out key.pem",
    );
    shell.fail(By::Kuaimi, "pkey -in key.pem -passin pass:other -noout");
    shell.run(
        By::Kuaimi,
        "pkey -in key.pem -passin pass:secret -outform DER -out key.der",
    );
    let der = shell.read("key.der");
    for length in [0, 1, 2, 10, der.len() / 2, der.len() - 1] {
        shell.write("short.der", &der[..length]);
        shell.fail(By::Kuaimi, "pkey -inform DER -in short.der -noout");
    }
    // The public key inside is another one: its last byte.
    let mut altered = der;
    *altered.last_mut().unwrap() ^= 1;
    shell.write("altered.der", altered);
    let said = shell.try_run(By::Kuaimi, "pkey -inform DER -in altered.der -check -noout");
    let said = String::from_utf8_lossy(&said.stdout).into_owned();
    assert!(!said.contains("Key is valid"), "{said}");
}
