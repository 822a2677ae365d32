//! Certificates: read, written, looked at.

use super::*;

#[test]
fn a_certificate_is_read_in_all_forms() {
    let root = Holder::root();
    let der = root.certificate.as_der().to_vec();
    let pem =
        output!(|out, len| kuaimi_certificate_write(root.handle, KUAIMI_CERTIFICATE_PEM, out, len));
    assert_eq!(pem, root.certificate.to_pem().as_bytes());
    let text = String::from_utf8(pem.clone()).expect("text");
    let base64: String = text.lines().filter(|it| !it.starts_with('-')).collect();
    for form in [
        &der,
        &pem,
        &base64.into_bytes(),
        &hex::encode(&der).into_bytes(),
    ] {
        assert_eq!(der_of(read(form).expect("a certificate")), der);
    }
    for (wrong, error) in [
        (&b""[..], KUAIMI_ERROR_TEXT),
        (b"a text", KUAIMI_ERROR_TEXT),
        (b"-----BEGIN CERTIFICATE-----\n", KUAIMI_ERROR_TEXT),
        (&der[..der.len() - 1], KUAIMI_ERROR_DER),
        (&[&der[..], b"\xff"].concat(), KUAIMI_ERROR_DER),
        (&[0x30; 2 << 20], KUAIMI_ERROR_TEXT),
        (
            &[&[0x30][..], &[0xff; 2 << 20]].concat(),
            KUAIMI_ERROR_INVALID_ARGUMENT,
        ),
    ] {
        assert_eq!(read(wrong), Err(error));
    }
}

#[test]
fn several_certificates_are_read() {
    let root = Holder::root();
    let leaf = Holder::new("leaf", Purpose::General, Some(&root));
    let all = [root.certificate.to_pem(), leaf.certificate.to_pem()].join("text\n");
    let (start, len) = (all.as_ptr(), all.len());
    let count: usize = number!(kuaimi_certificate_count(start, len));
    assert_eq!(count, 2);
    let mut handles = [null_mut(); 3];
    call!(kuaimi_certificate_read_all(
        start,
        len,
        handles.as_mut_ptr(),
        2
    ));
    assert_eq!(der_of(handles[0]), root.certificate.as_der());
    assert_eq!(der_of(handles[1]), leaf.certificate.as_der());
    // The first of them, or none.
    call!(kuaimi_certificate_read_all(start, len, null_mut(), 0));
    call!(kuaimi_certificate_read_all(
        start,
        len,
        handles.as_mut_ptr(),
        1
    ));
    assert_eq!(der_of(handles[0]), root.certificate.as_der());
    let error = error!(kuaimi_certificate_read_all(
        start,
        len,
        handles.as_mut_ptr(),
        3
    ));
    assert_eq!(error, KUAIMI_ERROR_INVALID_ARGUMENT);
    assert_eq!(handles, [null_mut(); 3]);
    assert_eq!(
        der_of(read(all.as_bytes()).expect("one")),
        root.certificate.as_der()
    );
}

#[test]
fn what_is_in_a_certificate() {
    let root = Holder::root();
    let leaf = Holder::new("leaf", Purpose::General, Some(&root));
    let subject = output!(|out, len| kuaimi_certificate_subject(leaf.handle, out, len));
    assert_eq!(subject, b"CN=leaf,O=Example");
    let issuer = output!(|out, len| kuaimi_certificate_issuer(leaf.handle, out, len));
    assert_eq!(issuer, b"CN=root,O=Example");
    let serial = output!(|out, len| kuaimi_certificate_serial(leaf.handle, out, len));
    assert_eq!(serial, leaf.certificate.serial());
    let (mut from, mut until) = (0, 0);
    call!(kuaimi_certificate_validity(
        leaf.handle,
        &mut from,
        &mut until
    ));
    assert_eq!(from, START);
    assert!(until.abs_diff(START + 365 * DAY) <= DAY, "{until}");
    let key = new!(kuaimi_certificate_public_key(leaf.handle));
    let raw = output!(|out, len| kuaimi_sm2_public_key_write(key, KUAIMI_KEY_RAW, out, len));
    assert_eq!(raw, leaf.signer.public_key().to_xy_bytes());
    free!(kuaimi_sm2_public_key_free(key));

    let usual = KUAIMI_IDENTITIES_USUAL;
    for (certificate, issuer, expected) in [
        (&leaf, &root, KUAIMI_OK),
        (&root, &root, KUAIMI_OK),
        (&leaf, &leaf, KUAIMI_ERROR_INVALID_SIGNATURE),
        (&root, &leaf, KUAIMI_ERROR_INVALID_SIGNATURE),
    ] {
        for identities in [usual, KUAIMI_IDENTITIES_USUAL_OR_EMPTY] {
            let error = error!(kuaimi_certificate_verify_signature(
                certificate.handle,
                issuer.handle,
                identities
            ));
            assert_eq!(error, expected);
        }
    }
}

/// Those of real authorities, of other algorithms, too.
#[test]
fn real_certificates_are_read() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    for name in ["cfca-test-sm2-oca1.pem", "sheca-sm2.pem"] {
        let place = folder
            .join("../kuaimi-pki/tests/data/certificates")
            .join(name);
        let handle = read(&std::fs::read(place).expect("a file")).expect("a certificate");
        let subject = output!(|out, len| kuaimi_certificate_subject(handle, out, len));
        assert!(String::from_utf8(subject).expect("text").contains("CN="));
        let key = new!(kuaimi_certificate_public_key(handle));
        free!(kuaimi_sm2_public_key_free(key); kuaimi_certificate_free(handle));
    }
}
