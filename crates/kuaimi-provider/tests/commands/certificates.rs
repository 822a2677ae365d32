//! Certificates with `req`, `x509`, `verify` and `pkcs12`.

use kuaimi::encoding::{EncodePrivateKey, LineEnding};
use kuaimi::sm2::{PrivateKey, SigningKey};
use kuaimi_pki::certificate::{CertificateBuilder, Validity};
use kuaimi_pki::extensions::Purpose;
use kuaimi_pki::message::{Dialect, EncryptOptions, SignOptions, encrypt, sign};
use kuaimi_pki::name;

use super::openssl::{By, MIXTURES, Shell};

const ID: &str = "distid:1234567812345678";

/// A folder with the configuration of requests.
fn shell() -> Shell {
    let shell = Shell::new();
    shell.write(
        "req.cnf",
        "[req]\ndistinguished_name = name\n[name]\n[authority]\nbasicConstraints = critical, CA:TRUE\n\
         [server]\nsubjectAltName = DNS:localhost\n",
    );
    shell
}

/// Makes a key and a certificate for `name`, issued by `issuer`, with options for the identity of
/// those who sign.
fn issue(shell: &Shell, by: By, id: Option<&str>, [name, issuer, section]: [&str; 3]) {
    let option = |option: &str| id.map_or_else(String::new, |id| format!("-{option} {id}"));
    let (sign, verify) = (option("sigopt"), option("vfyopt"));
    shell.run(by, &format!("genpkey -algorithm SM2 -out {name}.key"));
    if name == issuer {
        let line =
            format!("req -config req.cnf -x509 -new -key {name}.key -sm3 {sign} -subj /CN={name}");
        shell.run(
            by,
            &format!("{line} -extensions {section} -days 30 -out {name}.crt"),
        );
        return;
    }
    let line = format!("req -config req.cnf -new -key {name}.key -sm3 {sign} -subj /CN={name}");
    shell.run(by, &format!("{line} -out {name}.csr"));
    shell.run(
        by,
        &format!("req -config req.cnf -in {name}.csr -verify {verify} -noout"),
    );
    let line = format!("x509 -req -in {name}.csr {verify} -CA {issuer}.crt -CAkey {issuer}.key");
    let extensions = format!("-extfile req.cnf -extensions {section}");
    shell.run(
        by,
        &format!("{line} -CAcreateserial -sm3 {sign} {extensions} -days 30 -out {name}.crt"),
    );
}

/// A root, one in the middle, a server and a stranger with a certificate of the root's.
fn issue_all(shell: &Shell, by: By, id: Option<&str>) {
    for names in [
        ["root", "root", "authority"],
        ["middle", "root", "authority"],
        ["server", "middle", "server"],
        ["stranger", "root", "authority"],
    ] {
        issue(shell, by, id, names);
    }
}

const VERIFY: &str = "verify -CAfile root.crt -untrusted";

#[test]
fn a_chain_of_three_is_made_and_verified() {
    for (maker, verifier) in MIXTURES {
        let shell = shell();
        issue_all(&shell, maker, None);
        let text = shell.text(verifier, &format!("{VERIFY} middle.crt server.crt"));
        assert!(
            text.contains("server.crt: OK"),
            "{maker:?}, {verifier:?}: {text}"
        );
        let text = shell.text(verifier, "x509 -in server.crt -text -noout");
        assert!(text.contains("Signature Algorithm: SM2-with-SM3"), "{text}");
        assert!(text.contains("ASN1 OID: SM2"), "{text}");

        // Without the one in the middle, and with an altered signature.
        shell.fail(verifier, &format!("{VERIFY} stranger.crt server.crt"));
        shell.run(maker, "x509 -in server.crt -outform DER -out server.der");
        let mut der = shell.read("server.der");
        *der.last_mut().unwrap() ^= 1;
        shell.write("server.der", der);
        shell.run(maker, "x509 -inform DER -in server.der -out altered.crt");
        shell.fail(verifier, &format!("{VERIFY} middle.crt altered.crt"));
    }
}

/// OpenSSL 3.0 gives an identity to the last certificate of a chain only (`-vfyopt`), and so cannot
/// verify a chain that was signed under the usual identity. With `default_id` in the configuration
/// the provider can.
#[test]
fn a_chain_under_the_usual_identity_is_verified() {
    let shell = shell();
    issue_all(&shell, By::Default, Some(ID));
    shell.fail(
        By::Default,
        &format!("{VERIFY} middle.crt -vfyopt {ID} server.crt"),
    );
    let configuration = String::from_utf8(shell.read("kuaimi.cnf")).unwrap();
    shell.write(
        "kuaimi.cnf",
        configuration.replace("# default_id", "default_id"),
    );
    let text = shell.text(By::Kuaimi, &format!("{VERIFY} middle.crt server.crt"));
    assert!(text.contains("server.crt: OK"), "{text}");
    shell.fail(By::Kuaimi, &format!("{VERIFY} stranger.crt server.crt"));
}

#[test]
fn a_pkcs12_file_goes_both_ways() {
    for (writer, reader) in MIXTURES {
        let shell = shell();
        shell.run(writer, "genpkey -algorithm SM2 -out my.key");
        shell.run(
            writer,
            &format!(
                "req -config req.cnf -x509 -new -key my.key -sm3 -sigopt {ID} -subj /CN=me -days 30 -out my.crt"
            ),
        );
        shell.run(
            writer,
            "pkcs12 -export -inkey my.key -in my.crt -passout pass:secret -out my.p12",
        );
        shell.run(
            reader,
            "pkcs12 -in my.p12 -nodes -nocerts -passin pass:secret -out back.key",
        );
        let key = |name: &str| shell.run(By::Default, &format!("pkey -in {name} -outform DER"));
        assert_eq!(key("my.key"), key("back.key"), "{writer:?}, {reader:?}");
        let said = shell.fail(reader, "pkcs12 -in my.p12 -nodes -passin pass:other");
        assert!(said.contains("invalid password"), "{said}");
    }
}

/// Certificates and messages of the crate `kuaimi-pki`, which are under the usual identity: with
/// `default_id`, OpenSSL 3 verifies and opens them without an option.
#[test]
fn messages_are_verified_and_opened() {
    let shell = shell();
    let configuration = String::from_utf8(shell.read("kuaimi.cnf")).unwrap();
    shell.write(
        "usual.cnf",
        configuration.replace("# default_id", "default_id"),
    );
    let key = |seed| SigningKey::new(PrivateKey::from_bytes(&[seed; 32]).unwrap());
    let (ca_key, leaf_key) = (key(1), key(2));
    let validity = Validity::days("2026-01-01T00:00:00Z".parse().unwrap(), 36_500).unwrap();
    let builder = |subject: &str, key: &SigningKey, serial| {
        CertificateBuilder::new(name::parse(subject).unwrap(), key.public_key(), validity)
            .serial(&[serial])
            .unwrap()
    };
    let ca = builder("CN=Root", &ca_key, 1)
        .purpose(Purpose::Authority { path_len: None })
        .and_then(|ca| ca.self_sign(&ca_key))
        .unwrap();
    let leaf = builder("CN=leaf", &leaf_key, 2).sign(&ca, &ca_key).unwrap();
    let content = b"a payment\n";
    let signed = SignOptions::new().with_dialect(Dialect::Cms);
    let signed = sign(content, &[(&leaf, &leaf_key)], &signed).unwrap();
    let encrypted = EncryptOptions::new().with_dialect(Dialect::Cms);
    let encrypted = encrypt(content, &[&leaf], &encrypted, &mut getrandom::SysRng).unwrap();
    shell.write("ca.crt", ca.to_pem());
    shell.write("leaf.crt", leaf.to_pem());
    let leaf_pem = leaf_key.private_key().to_pkcs8_pem(LineEnding::LF).unwrap();
    shell.write("leaf.key", leaf_pem.as_bytes());
    shell.write("signed", &signed);
    shell.write("encrypted", &encrypted);

    let usual = shell.path("usual.cnf");
    let verify = "cms -verify -inform DER -in signed -CAfile ca.crt -out got";
    for line in [
        "verify -x509_strict -CAfile ca.crt leaf.crt",
        verify,
        "cms -decrypt -inform DER -in encrypted -recip leaf.crt -inkey leaf.key -out got",
    ] {
        let output = shell.try_with(&usual, line);
        let text = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{line}: {text}");
        if line.starts_with("cms") {
            assert_eq!(shell.read("got"), content, "{line}");
        }
    }
    let place = signed.windows(7).position(|part| part == b"payment");
    let mut altered = signed;
    altered[place.unwrap()] ^= 1;
    shell.write("signed", altered);
    assert!(!shell.try_with(&usual, verify).status.success());
}
