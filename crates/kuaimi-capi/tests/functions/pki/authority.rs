//! Requests, and what an authority makes of them.

use std::ptr::null;

use kuaimi_pki::crl::Crl;
use kuaimi_pki::public_key::Identities;
use kuaimi_pki::request::Request;

use super::*;

fn text(text: &str) -> kuaimi_bytes {
    kuaimi_bytes {
        data: text.as_ptr(),
        len: text.len(),
    }
}

const NOTHING: kuaimi_bytes = kuaimi_bytes {
    data: null(),
    len: 0,
};

fn template(subject: &str, names: &[kuaimi_bytes], purpose: u32) -> kuaimi_certificate_template {
    kuaimi_certificate_template {
        subject: text(subject),
        names: names.as_ptr(),
        name_count: names.len(),
        crl_uri: NOTHING,
        ocsp_uri: NOTHING,
        not_before: NOW,
        not_after: NOW + DAY,
        purpose,
    }
}

fn new_key(secret: u8) -> *mut kuaimi_sm2_private_key {
    new!(kuaimi_sm2_private_key_from_bytes([secret; 32].as_ptr(), 32))
}

#[test]
fn an_authority_answers_a_request() {
    let (root_key, leaf_key) = (new_key(7), new_key(8));
    let root = new!(kuaimi_certificate_self_sign(
        root_key,
        &template("CN=Root", &[], KUAIMI_ISSUE_AUTHORITY)
    ));
    // The holder.
    let asked = [
        "leaf.example",
        "192.0.2.1",
        "2001:db8::1",
        "a@leaf.example",
        "https://leaf.example/",
    ];
    let names = asked.map(text);
    let subject = "CN=leaf,O=Example";
    let made = new!(kuaimi_request_new(
        leaf_key,
        subject.as_ptr(),
        subject.len(),
        names.as_ptr(),
        names.len()
    ));
    let der = output!(|out, len| kuaimi_request_write(made, KUAIMI_CERTIFICATE_DER, out, len));
    let pem = output!(|out, len| kuaimi_request_write(made, KUAIMI_CERTIFICATE_PEM, out, len));
    free!(kuaimi_request_free(made));
    assert_eq!(
        Request::from_der(&der).map(|it| it.verify(Identities::Default)),
        Ok(Ok(()))
    );

    // The authority.
    let request = new!(kuaimi_request_read(pem.as_ptr(), pem.len()));
    call!(kuaimi_request_verify(request, KUAIMI_IDENTITIES_USUAL));
    let asked_subject = output!(|out, len| kuaimi_request_subject(request, out, len));
    assert_eq!(asked_subject, subject.as_bytes());
    let count: usize = number!(kuaimi_request_name_count(request));
    let found: Vec<_> = (0..count)
        .map(|index| output!(|out, len| kuaimi_request_name(request, index, out, len)))
        .collect();
    assert_eq!(found, asked.map(|it| it.as_bytes().to_vec()));
    let mut size = 0;
    let error = error!(kuaimi_request_name(request, count, null_mut(), &mut size));
    assert_eq!(error, KUAIMI_ERROR_INVALID_ARGUMENT);
    let key = new!(kuaimi_request_public_key(request));
    let mut wanted = template(subject, &names, KUAIMI_ISSUE_SERVER);
    wanted.crl_uri = text("http://ca.example/crl");
    wanted.ocsp_uri = text("http://ca.example/ocsp");
    let leaf = new!(kuaimi_certificate_issue(root_key, root, key, &wanted));

    let verifier = new!(kuaimi_verifier_new());
    call!(kuaimi_verifier_add_anchor(verifier, root));
    let verify = |peer: &str| {
        error!(kuaimi_verifier_verify(
            verifier,
            leaf,
            null(),
            0,
            peer.as_ptr(),
            peer.len(),
            KUAIMI_PURPOSE_SERVER,
            KUAIMI_REVOCATION_IF_GIVEN,
            KUAIMI_IDENTITIES_USUAL,
            NOW,
        ))
    };
    assert_eq!(verify("leaf.example"), KUAIMI_OK);
    assert_eq!(verify("192.0.2.1"), KUAIMI_OK);
    assert_eq!(verify("other.example"), KUAIMI_ERROR_CERTIFICATE_REFUSED);

    // It revokes the certificate.
    let serial = output!(|out, len| kuaimi_certificate_serial(leaf, out, len));
    assert_eq!(serial.len(), 16);
    let revoked = kuaimi_revoked_item {
        serial: kuaimi_bytes {
            data: serial.as_ptr(),
            len: serial.len(),
        },
        date: NOW,
        reason: 1,
    };
    let list = output!(|out, len| kuaimi_crl_write(
        root_key,
        root,
        &revoked,
        1,
        5,
        NOW,
        NOW + DAY,
        out,
        len
    ));
    let read = Crl::from_der(&list).expect("a list");
    assert_eq!((read.number(), read.len()), (Some(&[5][..]), 1));
    call!(kuaimi_verifier_add_crl(verifier, list.as_ptr(), list.len()));
    assert_eq!(verify("leaf.example"), KUAIMI_ERROR_CERTIFICATE_REFUSED);

    let der = der_of(leaf);
    for part in [
        "http://ca.example/crl",
        "http://ca.example/ocsp",
        "https://leaf.example/",
    ] {
        assert!(
            der.windows(part.len()).any(|it| it == part.as_bytes()),
            "{part}"
        );
    }
    free!(kuaimi_verifier_free(verifier); kuaimi_request_free(request);
        kuaimi_sm2_public_key_free(key); kuaimi_certificate_free(root);
        kuaimi_sm2_private_key_free(root_key); kuaimi_sm2_private_key_free(leaf_key));
}

#[test]
fn what_an_authority_does_not_sign() {
    let (root_key, other_key) = (new_key(7), new_key(8));
    let good = template("CN=Root", &[], KUAIMI_ISSUE_AUTHORITY);
    let root = new!(kuaimi_certificate_self_sign(root_key, &good));
    let key = new!(kuaimi_sm2_private_key_public_key(other_key));
    let wrong = KUAIMI_ERROR_INVALID_ARGUMENT;
    let names = [text("not a host!")];
    let long = "x".repeat(70) + ".example";
    let long = [text(&long)];
    for template in [
        kuaimi_certificate_template { purpose: 9, ..good },
        kuaimi_certificate_template {
            not_after: NOW,
            ..good
        },
        kuaimi_certificate_template {
            not_after: u64::MAX,
            ..good
        },
        kuaimi_certificate_template {
            subject: text("no name"),
            ..good
        },
        kuaimi_certificate_template {
            names: names.as_ptr(),
            name_count: 1,
            ..good
        },
        kuaimi_certificate_template {
            names: long.as_ptr(),
            name_count: 1,
            ..good
        },
        kuaimi_certificate_template {
            crl_uri: text("no uri"),
            ..good
        },
        kuaimi_certificate_template {
            ocsp_uri: text("no uri"),
            ..good
        },
    ] {
        let mut none = null_mut();
        let error = error!(kuaimi_certificate_self_sign(root_key, &template, &mut none));
        assert_eq!((error, none.is_null()), (wrong, true));
        let error = error!(kuaimi_certificate_issue(
            root_key, root, key, &template, &mut none
        ));
        assert_eq!((error, none.is_null()), (wrong, true));
    }
    // Another private key than the authority's.
    let error = error!(kuaimi_certificate_issue(
        other_key,
        root,
        key,
        &good,
        &mut null_mut()
    ));
    assert_eq!(error, wrong);
    let serial = text("\u{1}");
    let item = |serial, reason| kuaimi_revoked_item {
        serial,
        date: NOW,
        reason,
    };
    let mut buffer = [0; 4096];
    let mut list = |key, item: kuaimi_revoked_item, next| {
        let mut size = buffer.len();
        error!(kuaimi_crl_write(
            key,
            root,
            &item,
            1,
            1,
            NOW,
            next,
            buffer.as_mut_ptr(),
            &mut size
        ))
    };
    assert_eq!(list(root_key, item(serial, 0), NOW + DAY), KUAIMI_OK);
    assert_eq!(list(other_key, item(serial, 0), NOW + DAY), wrong);
    assert_eq!(list(root_key, item(serial, 7), NOW + DAY), wrong);
    assert_eq!(list(root_key, item(NOTHING, 0), NOW + DAY), wrong);
    assert_eq!(list(root_key, item(serial, 0), NOW), wrong);
    // An altered request was made by nobody.
    let subject = "CN=leaf";
    let made = new!(kuaimi_request_new(
        root_key,
        subject.as_ptr(),
        subject.len(),
        null(),
        0
    ));
    let mut der = output!(|out, len| kuaimi_request_write(made, KUAIMI_CERTIFICATE_DER, out, len));
    let place = der
        .windows(4)
        .position(|it| it == b"leaf")
        .expect("the name");
    der[place] = b'r';
    let altered = new!(kuaimi_request_read(der.as_ptr(), der.len()));
    let error = error!(kuaimi_request_verify(
        altered,
        KUAIMI_IDENTITIES_USUAL_OR_EMPTY
    ));
    assert_eq!(error, KUAIMI_ERROR_INVALID_SIGNATURE);
    for (bytes, expected) in [
        (&b"text"[..], KUAIMI_ERROR_TEXT),
        (&der[1..], KUAIMI_ERROR_TEXT),
    ] {
        let error = error!(kuaimi_request_read(
            bytes.as_ptr(),
            bytes.len(),
            &mut null_mut()
        ));
        assert_eq!(error, expected);
    }
    free!(kuaimi_request_free(made); kuaimi_request_free(altered); kuaimi_certificate_free(root);
        kuaimi_sm2_public_key_free(key); kuaimi_sm2_private_key_free(root_key);
        kuaimi_sm2_private_key_free(other_key));
}
