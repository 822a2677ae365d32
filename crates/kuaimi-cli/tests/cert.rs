//! Certificates on the command line, with the openssl program on the other side.

mod common;

use common::{Lab, Ran};

/// OpenSSL 3 takes the empty identity unless it is told.
const ID: &str = "-vfyopt distid:1234567812345678";

/// With an authority, `ca.crt` and `ca.pem`, and a request, `leaf.csr`.
fn lab() -> Lab {
    let lab = Lab::new();
    run(
        &lab,
        &[
            "cert",
            "self-sign",
            "--ca",
            "--key",
            "ca.pem",
            "--subject",
            "CN=Root",
            "--days",
            "3650",
            "--out",
            "ca.crt",
        ],
    )
    .ok()
    .says(&["ca.pem", "new private key"]);
    run(
        &lab,
        &[
            "cert",
            "request",
            "--key",
            "leaf.pem",
            "--subject",
            "CN=leaf,O=Example",
            "--dns",
            "leaf.example",
            "--out",
            "leaf.csr",
        ],
    )
    .ok();
    lab
}

fn run(lab: &Lab, words: &[&str]) -> Ran {
    lab.run(words)
}

#[test]
fn an_authority_issues() {
    let lab = lab();
    lab.sh("cert issue --ca ca.crt --ca-key ca.pem --days 365 --out leaf.crt leaf.csr")
        .ok();
    lab.openssl(&format!(
        "verify {ID} -x509_strict -verify_hostname leaf.example -CAfile ca.crt leaf.crt"
    ))
    .ok();
    let shown = lab.sh("cert show leaf.crt").ok();
    for line in [
        "subject               CN=leaf,O=Example",
        "issuer                CN=Root",
        "names                 host leaf.example",
        "algorithm             SM2",
    ] {
        assert!(shown.text().contains(line), "{line} in {}", shown.text());
    }
    let json = lab.sh("cert show --json leaf.crt").ok();
    let json: serde_json::Value = serde_json::from_slice(&json.stdout).unwrap();
    assert_eq!(json["names"][0], "host leaf.example");
    #[cfg(unix)]
    assert_eq!(lab.mode("ca.pem"), 0o600);

    // Nothing is overwritten unasked, and another authority's key is refused.
    lab.sh("cert issue --ca ca.crt --ca-key ca.pem --out leaf.crt leaf.csr")
        .status(2)
        .says(&["leaf.crt", "exists already"]);
    lab.sh("cert issue --ca ca.crt --ca-key leaf.pem --out x.crt leaf.csr")
        .status(2)
        .says(&["does not belong"]);
    lab.sh("cert issue --ca leaf.crt --ca-key leaf.pem --out x.crt leaf.csr")
        .status(2)
        .says(&["no authority"]);
    assert!(!lab.exists("x.crt"));
    lab.assert_clean();
}

#[test]
fn an_altered_request_is_refused() {
    let lab = lab();
    lab.openssl("req -in leaf.csr -outform DER -out leaf.der")
        .ok();
    let mut der = lab.read("leaf.der");
    let place = der.windows(4).position(|bytes| bytes == b"leaf").unwrap();
    der[place] ^= 1;
    lab.write("altered.der", der);
    lab.sh("cert issue --ca ca.crt --ca-key ca.pem --out x.crt altered.der")
        .status(1)
        .says(&["altered.der", "not signed with its own key"]);
    assert!(!lab.exists("x.crt"));
    assert!(
        lab.sh("cert show altered.der")
            .ok()
            .text()
            .contains("INVALID")
    );
}

/// OpenSSL 3 signs requests under the empty identity unless it is told.
#[test]
fn requests_of_openssl() {
    let lab = lab();
    let version = lab.openssl("version").ok();
    lab.openssl("req -new -key leaf.pem -sm3 -subj /C=CN/CN=made -addext subjectAltName=DNS:a.example -addext basicConstraints=CA:TRUE -out empty.csr")
        .ok();
    if version.text().starts_with("OpenSSL 3.") {
        lab.sh("cert issue --ca ca.crt --ca-key ca.pem --out x.crt empty.csr")
            .status(1)
            .says(&["--empty-identity"]);
    }
    lab.sh("cert issue --empty-identity --ca ca.crt --ca-key ca.pem --out made.crt empty.csr")
        .ok()
        .says(&["1 other extensions", "not taken over"]);
    let shown = lab.sh("cert show made.crt").ok();
    assert!(shown.text().contains("host a.example"), "{}", shown.text());
    assert!(
        !shown.text().contains("authority"),
        "nobody becomes one by asking"
    );
}

#[test]
fn a_pair_of_certificates() {
    let lab = lab();
    lab.sh("cert pair --ca ca.crt --ca-key ca.pem --out-sign s.crt --out-encrypt e.crt --out-key e.env leaf.csr")
        .ok();
    lab.openssl(&format!("verify {ID} -CAfile ca.crt s.crt e.crt"))
        .ok();
    lab.sh("sm2 convert --key leaf.pem --to pkcs8 --out e.pem e.env")
        .ok();
    lab.write("note", "for the encrypting key");
    lab.sh("sm2 encrypt --key e.crt --out c note").ok();
    assert_eq!(
        lab.sh("sm2 decrypt --key e.pem c").ok().text(),
        "for the encrypting key"
    );
    let shown = lab.sh("cert show e.crt").ok();
    assert!(
        shown.text().contains("key encipherment") && !shown.text().contains("digital signature")
    );
    lab.sh("cert open-key --key leaf.pem --out e2.pem e.env")
        .ok();
    assert!(lab.same("e.pem", "e2.pem"));
    #[cfg(unix)]
    assert_eq!(lab.mode("e2.pem"), 0o600);
    // The same as one answer.
    lab.sh("cert pair --ca ca.crt --ca-key ca.pem --force --out-sign s.crt --out-encrypt e.crt --out-key e.env --out-answer a leaf.csr")
        .ok();
    lab.sh("cert open-key --key leaf.pem --cert-out pair.crt --out e3.pem a")
        .ok();
    assert_eq!(
        lab.read("pair.crt"),
        [lab.read("s.crt"), lab.read("e.crt")].concat()
    );
    lab.sh("sm2 encrypt --key e.crt --force --out c note").ok();
    lab.sh("sm2 decrypt --key e3.pem c").ok();
    for sent in ["a", "e.env"] {
        lab.sh(&format!("cert open-key --key ca.pem --out no.pem {sent}"))
            .status(1);
    }
    lab.sh("cert open-key --key leaf.pem --out no.pem note")
        .status(2)
        .says(&["no key that an authority sent"]);
    assert!(!lab.exists("no.pem"));
    // Another holder cannot open it.
    lab.sh("sm2 convert --key ca.pem --to pkcs8 --out no.pem e.env")
        .status(1);
}

#[test]
fn a_folder_remembers() {
    let lab = lab();
    run(
        &lab,
        &[
            "cert",
            "self-sign",
            "--ca",
            "--ca-folder",
            "ca",
            "--subject",
            "CN=Root",
        ],
    )
    .ok();
    #[cfg(unix)]
    assert_eq!(lab.mode("ca/ca.pem"), 0o600);
    // Several at the same time: each has a serial number of its own, and all are remembered.
    let children: Vec<_> = (0..8)
        .map(|i| {
            lab.kuaimi()
                .args([
                    "cert",
                    "issue",
                    "--ca-folder",
                    "ca",
                    "--out",
                    &format!("{i}.crt"),
                    "leaf.csr",
                ])
                .spawn()
                .unwrap()
        })
        .collect();
    for child in children {
        assert!(child.wait_with_output().unwrap().status.success());
    }
    assert_eq!(std::fs::read_dir(lab.path("ca/issued")).unwrap().count(), 8);
    run(
        &lab,
        &[
            "cert",
            "self-sign",
            "--ca",
            "--ca-folder",
            "ca",
            "--subject",
            "CN=Other",
        ],
    )
    .status(2)
    .says(&["has an authority already"]);
    lab.sh("cert issue --ca-folder nothing --out x.crt leaf.csr")
        .status(2)
        .says(&["is no folder of an authority"]);
}

#[test]
fn renewed_certificates_keep_their_names() {
    let lab = lab();
    lab.sh("cert issue --ca ca.crt --ca-key ca.pem --for server --out leaf.crt leaf.csr")
        .ok();
    lab.sh("cert renew --ca ca.crt --ca-key ca.pem --days 30 --out new.crt leaf.crt")
        .ok();
    lab.openssl(&format!(
        "verify {ID} -purpose sslserver -verify_hostname leaf.example -CAfile ca.crt new.crt"
    ))
    .ok();
    lab.sh("cert renew --ca ca.crt --ca-key ca.pem --days 7300 --out new-ca.crt ca.crt")
        .ok();
    lab.openssl(&format!("verify {ID} -CAfile new-ca.crt new.crt"))
        .ok();
    run(
        &lab,
        &[
            "cert",
            "self-sign",
            "--ca",
            "--key",
            "b.pem",
            "--subject",
            "CN=Root",
            "--out",
            "b.crt",
        ],
    )
    .ok();
    lab.sh("cert renew --ca b.crt --ca-key b.pem --out x.crt leaf.crt")
        .status(1)
        .says(&["not issued by this authority"]);
}

#[test]
fn wrong_names_and_times_are_said() {
    let lab = lab();
    for (name, words) in [
        ("leaf", &["--subject", "no `=`"][..]),
        ("CN=", &["is empty"]),
        ("C=CHN", &["longer"]),
        ("XX=a", &["no known type"]),
    ] {
        run(
            &lab,
            &[
                "cert",
                "request",
                "--key",
                "leaf.pem",
                "--subject",
                name,
                "--out",
                "x",
            ],
        )
        .status(2)
        .says(words);
    }
    for options in [
        &["--dns", "a b"][..],
        &["--email", "a"],
        &["--ip", "1.2.3"],
        &["--not-before", "yesterday"],
        &["--not-after", "1999-01-01"],
        &["--days", "0"],
        &["--path-len", "1"],
    ] {
        let mut words = vec![
            "cert",
            "self-sign",
            "--key",
            "leaf.pem",
            "--subject",
            "CN=a",
            "--out",
            "x",
        ];
        words.extend(options);
        run(&lab, &words).status(2);
        assert!(!lab.exists("x"), "{options:?}");
    }
    lab.write("m", "text");
    lab.sh("cert show m").status(2).says(&["no certificate"]);
    lab.sh("cert issue --ca ca.crt --ca-key ca.pem --out x m")
        .status(2);
}

/// An expired authority issues nothing that anybody would accept.
#[test]
fn an_expired_authority_is_refused() {
    let lab = lab();
    run(
        &lab,
        &[
            "cert",
            "self-sign",
            "--ca",
            "--key",
            "ca.pem",
            "--subject",
            "CN=Old",
            "--not-before",
            "2020-01-01",
            "--not-after",
            "2021-01-01",
            "--out",
            "old.crt",
        ],
    )
    .ok();
    lab.sh("cert issue --ca old.crt --ca-key ca.pem --out x.crt leaf.csr")
        .status(2)
        .says(&["expired", "2021-01-01 00:00:00 UTC"]);
}

#[test]
fn chains_are_verified() {
    let lab = lab();
    lab.sh("cert request --key sub.pem --subject CN=Sub --out sub.csr")
        .ok();
    lab.sh("cert issue --ca ca.crt --ca-key ca.pem --for ca --path-len 0 --out sub.crt sub.csr")
        .ok();
    lab.sh("cert issue --ca sub.crt --ca-key sub.pem --for server --out leaf.crt leaf.csr")
        .ok();
    let good = "cert verify --ca ca.crt --with sub.crt --for server --host leaf.example leaf.crt";
    assert_eq!(lab.sh(good).ok().text(), "OK\n");
    for (line, words) in [
        (
            "cert verify --ca ca.crt leaf.crt",
            &["CN=leaf", "issued by CN=Sub"][..],
        ),
        (
            "cert verify --ca ca.crt --with sub.crt --host other.example leaf.crt",
            &["other.example"],
        ),
        (
            "cert verify --ca ca.crt --with sub.crt --for client leaf.crt",
            &["CN=leaf"],
        ),
        (
            "cert verify --ca ca.crt --with sub.crt --at 2000-01-01 leaf.crt",
            &["is valid from"],
        ),
        (
            "cert verify --ca ca.crt --with sub.crt --revocation all leaf.crt",
            &["revo"],
        ),
    ] {
        let refused = lab.sh(line).status(1);
        assert_eq!(refused.text(), "INVALID\n", "{line}");
        refused.says(words);
    }
    // The other certificates of a file may be authorities in between.
    lab.write(
        "chain.crt",
        [lab.read("leaf.crt"), lab.read("sub.crt")].concat(),
    );
    lab.sh("cert verify --ca ca.crt chain.crt").ok();
    let two = lab
        .sh("cert verify --ca ca.crt chain.crt leaf.crt")
        .status(1);
    assert_eq!(two.text(), "chain.crt: OK\nleaf.crt: INVALID\n");
    // An authority below an authority that may have none.
    lab.sh("cert request --key subsub.pem --subject CN=SubSub --out subsub.csr")
        .ok();
    lab.sh("cert issue --ca sub.crt --ca-key sub.pem --for ca --out subsub.crt subsub.csr")
        .ok();
    lab.sh("cert issue --ca subsub.crt --ca-key subsub.pem --out low.crt leaf.csr")
        .ok();
    lab.sh("cert verify --ca ca.crt --with sub.crt --with subsub.crt low.crt")
        .status(1)
        .says(&["CN=Sub"]);
}

#[test]
fn revoked_certificates_are_refused() {
    let lab = lab();
    run(
        &lab,
        &[
            "cert",
            "self-sign",
            "--ca",
            "--ca-folder",
            "ca",
            "--subject",
            "CN=Root",
        ],
    )
    .ok();
    for name in ["one", "two"] {
        lab.sh(&format!(
            "cert issue --ca-folder ca --out {name}.crt leaf.csr"
        ))
        .ok();
    }
    lab.sh("cert crl --ca-folder ca --out 1.crl").ok();
    let verify = |list: &str, name: &str| {
        lab.sh(&format!(
            "cert verify --ca ca/ca.crt --crl {list} --revocation all {name}.crt"
        ))
    };
    verify("1.crl", "one").ok();
    lab.sh("cert crl --ca-folder ca --revoke one.crt --reason key-compromise --out 2.crl")
        .ok();
    verify("2.crl", "one")
        .status(1)
        .says(&["CN=leaf", "revoked"]);
    verify("2.crl", "two").ok();
    lab.openssl("crl -in 2.crl -noout -text").ok();
    // It stays revoked, and the numbers grow.
    lab.sh("cert crl --ca-folder ca").ok();
    verify("ca/ca.crl", "one").status(1);
    let shown = lab.sh("cert show ca/ca.crl").ok();
    for part in [
        "number                03",
        "keyCompromise",
        "certificates          1",
    ] {
        assert!(shown.text().contains(part), "{part} in {}", shown.text());
    }
    // The same without a folder, from the list before.
    lab.sh("cert crl --ca ca/ca.crt --ca-key ca/ca.pem --from 2.crl --revoke two.crt --out 3.crl")
        .ok();
    verify("3.crl", "one").status(1);
    verify("3.crl", "two").status(1);
    // Another authority's certificates cannot be revoked, and its lists count for nothing.
    lab.sh("cert self-sign --ca --key b.pem --subject CN=Root --out b.crt")
        .ok();
    lab.sh("cert crl --ca b.crt --ca-key b.pem --revoke one.crt --out x")
        .status(1)
        .says(&["not issued"]);
    lab.sh("cert crl --ca b.crt --ca-key b.pem --out b.crl")
        .ok();
    verify("b.crl", "two").status(1);

    // Programs that revoke at the same time lose nothing.
    for i in 0..6 {
        lab.sh(&format!(
            "cert issue --ca-folder ca --out p{i}.crt leaf.csr"
        ))
        .ok();
    }
    let children: Vec<_> = (0..6)
        .map(|i| {
            lab.kuaimi()
                .args([
                    "cert",
                    "crl",
                    "--ca-folder",
                    "ca",
                    "--revoke",
                    &format!("p{i}.crt"),
                ])
                .spawn()
                .unwrap()
        })
        .collect();
    for child in children {
        assert!(child.wait_with_output().unwrap().status.success());
    }
    for i in 0..6 {
        verify("ca/ca.crl", &format!("p{i}")).status(1);
    }
    let shown = lab.sh("cert show ca/ca.crl").ok();
    assert!(
        shown.text().contains("number                09"),
        "{}",
        shown.text()
    );
}

#[test]
fn questions_about_revocation() {
    let lab = lab();
    run(
        &lab,
        &[
            "cert",
            "self-sign",
            "--ca",
            "--ca-folder",
            "ca",
            "--subject",
            "CN=Root",
        ],
    )
    .ok();
    lab.sh("cert issue --ca-folder ca --out leaf.crt leaf.csr")
        .ok();
    let ask = |status: i32, said: &str| {
        lab.sh("cert ocsp request --ca ca/ca.crt --force --out q leaf.crt")
            .ok();
        lab.sh("cert ocsp respond --ca-folder ca --force --out r q")
            .ok();
        let checked = lab
            .sh("cert ocsp check --ca ca/ca.crt --request q --response r leaf.crt")
            .status(status);
        assert_eq!(checked.text(), said);
    };
    ask(0, "good\n");
    lab.sh("cert verify --ca ca/ca.crt --ocsp r --revocation end leaf.crt")
        .ok();
    // An old response is no answer to a new question.
    lab.sh("cert ocsp request --ca ca/ca.crt --out new leaf.crt")
        .ok();
    lab.sh("cert ocsp check --ca ca/ca.crt --request new --response r leaf.crt")
        .status(1)
        .says(&["nonce"]);
    lab.sh("cert crl --ca-folder ca --revoke leaf.crt").ok();
    ask(1, "revoked\n");
    lab.sh("cert verify --ca ca/ca.crt --ocsp r leaf.crt")
        .status(1);
    // A responder of its own, and one that nobody authorised.
    lab.sh("cert request --key o.pem --subject CN=ocsp --out o.csr")
        .ok();
    lab.sh("cert issue --ca-folder ca --for ocsp --out o.crt o.csr")
        .ok();
    lab.sh("cert ocsp respond --ca-folder ca --responder o.crt --responder-key o.pem --out r2 q")
        .ok();
    lab.sh("cert ocsp check --ca ca/ca.crt --request q --response r2 leaf.crt")
        .status(1)
        .says(&["revoked"]);
    lab.sh(
        "cert ocsp respond --ca-folder ca --responder leaf.crt --responder-key leaf.pem --out r3 q",
    )
    .ok();
    let refused = lab
        .sh("cert ocsp check --ca ca/ca.crt --request q --response r3 leaf.crt")
        .status(1);
    assert!(refused.stdout.is_empty(), "no answer");
    refused.says(&["authorise"]);
    // Of another authority nothing is known.
    lab.sh("cert issue --ca ca.crt --ca-key ca.pem --out other.crt leaf.csr")
        .ok();
    lab.sh("cert ocsp check --ca ca.crt --response r other.crt")
        .status(1);
}

/// The request of CFCA, and the key that comes back for its temporary key.
#[test]
fn cfca_returns_a_key() {
    let lab = lab();
    run(
        &lab,
        &[
            "cert",
            "request",
            "--key",
            "leaf.pem",
            "--subject",
            "CN=leaf",
            "--challenge-password",
            "111111",
            "--cfca-temporary-key",
            "t.pem",
            "--out",
            "cfca.csr",
        ],
    )
    .ok()
    .says(&["t.pem", "new private key"]);
    let shown = lab.sh("cert show cfca.csr").ok();
    for part in ["fits the key", "challenge password    111111"] {
        assert!(shown.text().contains(part), "{part} in {}", shown.text());
    }
    lab.sh("cert issue --ca ca.crt --ca-key ca.pem --out leaf.crt cfca.csr")
        .ok();
    run(
        &lab,
        &[
            "cert",
            "request",
            "--key",
            "leaf.pem",
            "--subject",
            "CN=leaf",
            "--cfca-temporary-key",
            "t.pem",
        ],
    )
    .status(2)
    .says(&["--challenge-password"]);

    // What gmsm returned for `sign.key`: the key `encrypt.key`.
    let data = |name: &str| {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../kuaimi-pki/tests/data/");
        std::fs::read(format!("{folder}{name}")).unwrap()
    };
    lab.write("sign.key", data("pkcs12/sign.key"));
    lab.write("encrypt.key", data("pkcs12/encrypt.key"));
    lab.write("returned", data("cfca/returned-c1c2c3.txt"));
    lab.sh("cert open-key --key sign.key --out returned.pem returned")
        .ok();
    let public = |name: &str| lab.sh(&format!("sm2 pubkey --key {name}")).ok().stdout;
    assert_eq!(public("returned.pem"), public("encrypt.key"));
    lab.sh("cert open-key --key leaf.pem --out no.pem returned")
        .status(1)
        .says(&["returned"]);
    assert!(!lab.exists("no.pem"));
}
