//! Signed messages.

use std::ptr::null;

use super::*;

fn sign(
    signer: &Holder,
    others: &[&Holder],
    content: &[u8],
    form: kuaimi_cms_form,
    options: Option<kuaimi_cms_sign_options>,
) -> Vec<u8> {
    let others: Vec<_> = others.iter().map(|it| it.handle).collect();
    let options = options.as_ref().map_or(null(), std::ptr::from_ref);
    output!(|out, len| kuaimi_cms_sign(
        signer.key,
        signer.handle,
        others.as_ptr(),
        others.len(),
        content.as_ptr(),
        content.len(),
        form,
        options,
        out,
        len,
    ))
}

type Verified = Result<*mut kuaimi_cms_verified, kuaimi_error>;

fn verify(message: &[u8], content: Option<&[u8]>, known: &[&Holder], identities: u32) -> Verified {
    let known: Vec<_> = known.iter().map(|it| it.handle).collect();
    let (content, content_len) = content.map_or((null(), 0), |it| (it.as_ptr(), it.len()));
    let mut out = null_mut();
    let error = error!(kuaimi_cms_verify(
        known.as_ptr(),
        known.len(),
        message.as_ptr(),
        message.len(),
        content,
        content_len,
        identities,
        &mut out,
    ));
    assert_eq!(error == KUAIMI_OK, !out.is_null());
    if error == KUAIMI_OK {
        Ok(out)
    } else {
        Err(error)
    }
}

fn content(message: *mut kuaimi_cms_verified) -> Vec<u8> {
    output!(|out, len| kuaimi_cms_verified_content(message, out, len))
}

#[test]
fn messages_are_signed_and_verified() {
    let root = Holder::root();
    let leaf = Holder::new("leaf", Purpose::Signing, Some(&root));
    let usual = KUAIMI_IDENTITIES_USUAL;
    let mut count = 0;
    // A long content has longer headers.
    for text in [b"".to_vec(), b"a payment".to_vec(), vec![7; 1 << 20]] {
        for form in [KUAIMI_CMS_FORM_CMS, KUAIMI_CMS_FORM_GM] {
            for choice in 0..16 {
                let bit = |place: u32| (choice >> place) & 1;
                let options = kuaimi_cms_sign_options {
                    signing_time: if bit(1) == 0 { NOW } else { 0 },
                    content: bit(0),
                    attributes: bit(1),
                    identity: bit(2),
                    id: bit(3),
                };
                let message = sign(&leaf, &[&root], &text, form, Some(options));
                let given = (bit(0) == 1).then_some(&text[..]);
                if bit(2) == 1 {
                    let refused = verify(&message, given, &[], usual);
                    assert_eq!(refused, Err(KUAIMI_ERROR_INVALID_SIGNATURE));
                }
                let both = KUAIMI_IDENTITIES_USUAL_OR_EMPTY;
                let verified = verify(&message, given, &[], both).expect("a good signature");
                let inside = if bit(0) == 1 { &b""[..] } else { &text };
                assert_eq!(content(verified), inside);
                let signers: usize = number!(kuaimi_cms_verified_signer_count(verified));
                assert_eq!(signers, 1);
                let signer = new!(kuaimi_cms_verified_signer(verified, 0));
                assert_eq!(der_of(signer), leaf.certificate.as_der());
                let time: u64 = number!(kuaimi_cms_verified_signing_time(verified, 0));
                assert_eq!(time, options.signing_time);
                let certificates: usize = number!(kuaimi_cms_verified_certificate_count(verified));
                let mut all: Vec<_> = (0..certificates)
                    .map(|i| der_of(new!(kuaimi_cms_verified_certificate(verified, i))))
                    .collect();
                let mut expected = [&root, &leaf].map(|it| it.certificate.as_der().to_vec());
                all.sort();
                expected.sort();
                assert_eq!(all, expected);
                free!(kuaimi_cms_verified_free(verified));
                count += 1;
            }
        }
    }
    assert_eq!(count, 96);
}

#[test]
fn a_message_that_was_altered_is_refused() {
    let root = Holder::root();
    let leaf = Holder::new("leaf", Purpose::Signing, Some(&root));
    let (usual, form) = (KUAIMI_IDENTITIES_USUAL, KUAIMI_CMS_FORM_CMS);
    let message = sign(&leaf, &[], b"a payment", form, None);
    let place = message.windows(9).position(|it| it == b"a payment");
    let mut altered = message.clone();
    altered[place.expect("the content")] ^= 1;
    let refused = verify(&altered, None, &[], usual);
    assert_eq!(refused, Err(KUAIMI_ERROR_INVALID_SIGNATURE));
    // Whatever byte was altered, there is an error, or what was signed.
    for place in 0..message.len() {
        let mut altered = message.clone();
        altered[place] ^= 0x10;
        if let Ok(verified) = verify(&altered, None, &[], usual) {
            assert_eq!(content(verified), b"a payment", "byte {place}");
            free!(kuaimi_cms_verified_free(verified));
        }
    }
    for (wrong, error) in [
        // It has no content.
        (&b""[..], KUAIMI_ERROR_INVALID_ARGUMENT),
        (b"text", KUAIMI_ERROR_DER),
        (&message[..message.len() - 1], KUAIMI_ERROR_DER),
        (leaf.certificate.as_der(), KUAIMI_ERROR_DER),
    ] {
        assert_eq!(verify(wrong, None, &[], usual), Err(error), "{wrong:?}");
    }
    // The content is inside and was given, or is neither.
    let wrong = KUAIMI_ERROR_INVALID_ARGUMENT;
    assert_eq!(verify(&message, Some(b"a payment"), &[], usual), Err(wrong));
    let options = kuaimi_cms_sign_options {
        content: KUAIMI_CMS_CONTENT_DETACHED,
        ..Default::default()
    };
    let detached = sign(&leaf, &[], b"a payment", form, Some(options));
    assert_eq!(verify(&detached, None, &[], usual), Err(wrong));
    let refused = verify(&detached, Some(b"another"), &[], usual);
    assert_eq!(refused, Err(KUAIMI_ERROR_INVALID_SIGNATURE));
    let verified = verify(&detached, Some(b"a payment"), &[], usual).expect("a good signature");
    for error in [
        error!(kuaimi_cms_verified_signer(verified, 1, &mut null_mut())),
        error!(kuaimi_cms_verified_certificate(
            verified,
            1,
            &mut null_mut()
        )),
        error!(kuaimi_cms_verified_signing_time(verified, 1, &mut 0)),
    ] {
        assert_eq!(error, wrong);
    }
    free!(kuaimi_cms_verified_free(verified));
}

/// Without the signer's certificate inside, it has to be given.
#[test]
fn the_certificate_of_a_signer_can_be_given() {
    use kuaimi_pki::message::SignOptions;
    let root = Holder::root();
    let leaf = Holder::new("leaf", Purpose::Signing, Some(&root));
    let options = SignOptions::new().without_certificates();
    let signers: [(&Certificate, &dyn kuaimi_pki::Signer); 1] = [(&leaf.certificate, &leaf.signer)];
    let message = kuaimi_pki::message::sign(b"a payment", &signers, &options).expect("a message");
    let usual = KUAIMI_IDENTITIES_USUAL;
    for known in [&[][..], &[&root]] {
        let refused = verify(&message, None, known, usual);
        assert_eq!(refused, Err(KUAIMI_ERROR_INVALID_SIGNATURE));
    }
    let text = kuaimi_pki::message::to_pem(&message);
    for message in [&message[..], text.as_bytes()] {
        let verified = verify(message, None, &[&root, &leaf], usual).expect("a good signature");
        assert_eq!(content(verified), b"a payment");
        let inside: usize = number!(kuaimi_cms_verified_certificate_count(verified));
        assert_eq!(inside, 0);
        free!(kuaimi_cms_verified_free(verified));
    }
}

#[test]
fn options_that_are_none() {
    let root = Holder::root();
    let leaf = Holder::new("leaf", Purpose::Signing, Some(&root));
    let attempt = |key, form, options: kuaimi_cms_sign_options| {
        let (mut buffer, mut size) = ([0; 4096], 4096);
        error!(kuaimi_cms_sign(
            key,
            leaf.handle,
            null(),
            0,
            b"text".as_ptr(),
            4,
            form,
            &options,
            buffer.as_mut_ptr(),
            &mut size,
        ))
    };
    let usual = kuaimi_cms_sign_options::default();
    let cms = KUAIMI_CMS_FORM_CMS;
    assert_eq!(attempt(leaf.key, cms, usual), KUAIMI_OK);
    let wrong = [
        kuaimi_cms_sign_options {
            content: 2,
            ..usual
        },
        kuaimi_cms_sign_options {
            attributes: 2,
            ..usual
        },
        kuaimi_cms_sign_options {
            identity: 2,
            ..usual
        },
        kuaimi_cms_sign_options { id: 2, ..usual },
        kuaimi_cms_sign_options {
            signing_time: u64::MAX,
            ..usual
        },
        // Nothing would have it.
        kuaimi_cms_sign_options {
            signing_time: NOW,
            attributes: KUAIMI_CMS_ATTRIBUTES_NONE,
            ..usual
        },
    ];
    for options in wrong {
        assert_eq!(
            attempt(leaf.key, cms, options),
            KUAIMI_ERROR_INVALID_ARGUMENT
        );
    }
    let gmssl = KUAIMI_CMS_FORM_GMSSL;
    assert_eq!(
        attempt(leaf.key, gmssl, usual),
        KUAIMI_ERROR_INVALID_ARGUMENT
    );
    // The key of another certificate.
    assert_eq!(attempt(root.key, cms, usual), KUAIMI_ERROR_INVALID_ARGUMENT);
}
