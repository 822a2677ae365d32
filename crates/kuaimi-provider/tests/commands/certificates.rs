//! Certificates with `req`, `x509`, `verify` and `pkcs12`.

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
