//! Many chains together, and OCSP.

use std::ptr::null;

use kuaimi_pki::external::x509_cert::ext::pkix::CrlReason;
use kuaimi_pki::ocsp::{Request, ResponseBuilder, Status};

use super::*;

struct Case<'a> {
    end: *const kuaimi_certificate,
    intermediates: Vec<*mut kuaimi_certificate>,
    peer: &'a [u8],
    result: kuaimi_error,
    rule: kuaimi_rule,
    depth: u32,
    path: Vec<&'a Holder>,
}

#[test]
fn each_chain_of_a_batch_has_its_verdict() {
    let root = Holder::root();
    let authority = Purpose::Authority { path_len: None };
    let middle = Holder::new("middle", authority, Some(&root));
    let leaf = Holder::new("leaf", Purpose::General, Some(&middle));
    let under = Holder::new("under", Purpose::General, Some(&leaf));
    let refused = KUAIMI_ERROR_CERTIFICATE_REFUSED;
    let case = |end: *const _, intermediates: &[&Holder], peer, result, rule, depth| Case {
        end,
        intermediates: intermediates.iter().map(|it| it.handle).collect(),
        peer,
        result,
        rule,
        depth,
        path: Vec::new(),
    };
    let mut cases = [
        case(
            leaf.handle,
            &[&middle],
            b"leaf.example",
            KUAIMI_OK,
            KUAIMI_RULE_NONE,
            0,
        ),
        case(leaf.handle, &[&middle], b"", KUAIMI_OK, KUAIMI_RULE_NONE, 0),
        case(
            leaf.handle,
            &[&middle],
            b"other.example",
            refused,
            KUAIMI_RULE_PEER_NAME,
            0,
        ),
        case(
            leaf.handle,
            &[],
            b"",
            refused,
            KUAIMI_RULE_UNKNOWN_ISSUER,
            0,
        ),
        case(
            under.handle,
            &[&leaf, &middle],
            b"",
            refused,
            KUAIMI_RULE_NOT_AN_AUTHORITY,
            1,
        ),
        case(null(), &[], b"", KUAIMI_ERROR_NULL_POINTER, 0, 0),
        case(
            leaf.handle,
            &[],
            b"not a name!",
            KUAIMI_ERROR_INVALID_ARGUMENT,
            0,
            0,
        ),
        case(root.handle, &[], b"", KUAIMI_OK, KUAIMI_RULE_NONE, 0),
    ];
    cases[0].path = vec![&leaf, &middle, &root];
    cases[1].path = vec![&leaf, &middle, &root];
    cases[7].path = vec![&root];

    let verifier = new!(kuaimi_verifier_new());
    call!(kuaimi_verifier_add_anchor(verifier, root.handle));
    let items = cases.iter().map(|case| kuaimi_chain_item {
        end: case.end,
        intermediates: case.intermediates.as_ptr(),
        count: case.intermediates.len(),
        peer: kuaimi_bytes {
            data: if case.peer.is_empty() {
                null()
            } else {
                case.peer.as_ptr()
            },
            len: case.peer.len(),
        },
    });
    let items: Vec<_> = items.collect();
    let mut verdicts = vec![null_mut(); items.len()];
    let mut results = vec![KUAIMI_OK; items.len()];
    let batch = |purpose, verdicts: &mut [*mut kuaimi_verdict], results: &mut [kuaimi_error]| {
        error!(kuaimi_verifier_verify_batch(
            verifier,
            items.as_ptr(),
            items.len(),
            purpose,
            KUAIMI_REVOCATION_IF_GIVEN,
            KUAIMI_IDENTITIES_USUAL,
            NOW,
            verdicts.as_mut_ptr(),
            results.as_mut_ptr(),
        ))
    };
    assert_eq!(
        batch(KUAIMI_PURPOSE_ANY, &mut verdicts, &mut results),
        refused
    );
    for (place, case) in cases.iter().enumerate() {
        assert_eq!(results[place], case.result, "chain {place}");
        let verdict = verdicts[place];
        assert_eq!(
            verdict.is_null(),
            ![KUAIMI_OK, refused].contains(&case.result),
            "chain {place}"
        );
        if verdict.is_null() {
            continue;
        }
        let rule: kuaimi_rule = number!(kuaimi_verdict_rule(verdict));
        let depth: u32 = number!(kuaimi_verdict_depth(verdict));
        assert_eq!((rule, depth), (case.rule, case.depth), "chain {place}");
        // The sentence is the one of the function for one chain.
        let sentence = output!(|out, len| kuaimi_verdict_explain(verdict, out, len));
        let alone = output!(|out, len| kuaimi_verifier_explain(
            verifier,
            case.end,
            case.intermediates.as_ptr(),
            case.intermediates.len(),
            items[place].peer.data,
            items[place].peer.len,
            KUAIMI_PURPOSE_ANY,
            KUAIMI_REVOCATION_IF_GIVEN,
            KUAIMI_IDENTITIES_USUAL,
            NOW,
            out,
            len,
        ));
        assert_eq!(sentence, alone);
        let count: usize = number!(kuaimi_verdict_certificate_count(verdict));
        let path: Vec<_> = (0..count)
            .map(|index| der_of(new!(kuaimi_verdict_certificate(verdict, index))))
            .collect();
        let expected: Vec<_> = case
            .path
            .iter()
            .map(|it| it.certificate.as_der().to_vec())
            .collect();
        assert_eq!(path, expected, "chain {place}");
        let error = error!(kuaimi_verdict_certificate(verdict, count, &mut null_mut()));
        assert_eq!(error, KUAIMI_ERROR_INVALID_ARGUMENT);
        free!(kuaimi_verdict_free(verdict));
    }
    // What is wrong with the policy is wrong with every item.
    let error = batch(99, &mut verdicts, &mut results);
    assert_eq!(error, KUAIMI_ERROR_INVALID_ARGUMENT);
    assert!(results.iter().all(|it| *it == error) && verdicts.iter().all(|it| it.is_null()));
    free!(kuaimi_verifier_free(verifier));
}

fn request(leaf: &Holder, root: &Holder, nonce: &[u8], hash: kuaimi_ocsp_hash) -> Vec<u8> {
    let (nonce, len) = match nonce {
        [] => (null(), 0),
        nonce => (nonce.as_ptr(), nonce.len()),
    };
    output!(|out, out_len| kuaimi_ocsp_request(
        leaf.handle,
        root.handle,
        nonce,
        len,
        hash,
        out,
        out_len
    ))
}

fn respond(request: &[u8], responder: &Holder, status: Status) -> Vec<u8> {
    let request = Request::from_der(request).expect("a request");
    let mut response = ResponseBuilder::new(&responder.certificate, NOW)
        .expect("a response")
        .answering(&request);
    for id in request.ids() {
        response = response
            .say(id.clone(), status, NOW, Some(NOW + 3600))
            .expect("an answer");
    }
    response
        .sign(&responder.signer)
        .expect("a response")
        .as_der()
        .to_vec()
}

#[test]
fn a_responder_is_asked() {
    let root = Holder::root();
    let leaf = Holder::new("leaf", Purpose::General, Some(&root));
    let other = Holder::new("other", Purpose::General, Some(&root));
    let check = |response: &[u8], about: &Holder, nonce: &[u8], time| {
        let mut answer = kuaimi_ocsp_answer::default();
        let (nonce, len) = match nonce {
            [] => (null(), 0),
            nonce => (nonce.as_ptr(), nonce.len()),
        };
        match error!(kuaimi_ocsp_check(
            about.handle,
            root.handle,
            response.as_ptr(),
            response.len(),
            nonce,
            len,
            KUAIMI_IDENTITIES_USUAL,
            time,
            &mut answer,
        )) {
            KUAIMI_OK => Ok((
                answer.status,
                answer.revoked_at,
                answer.reason,
                answer.this_update,
                answer.next_update,
            )),
            error => {
                assert_eq!(answer.status, 0, "an answer and an error");
                Err(error)
            }
        }
    };
    for hash in [KUAIMI_OCSP_HASH_SM3, KUAIMI_OCSP_HASH_SHA1] {
        for nonce in [&b""[..], b"a nonce"] {
            let asked = request(&leaf, &root, nonce, hash);
            let says = |status| respond(&asked, &root, status);
            let until = NOW + 3600;
            let good = says(Status::Good);
            assert_eq!(
                check(&good, &leaf, nonce, NOW),
                Ok((KUAIMI_OCSP_GOOD, 0, 0, NOW, until))
            );
            let revoked = says(Status::Revoked(NOW - 5, Some(CrlReason::KeyCompromise)));
            let expected = Ok((KUAIMI_OCSP_REVOKED, NOW - 5, 1, NOW, until));
            assert_eq!(check(&revoked, &leaf, nonce, NOW), expected);
            let unknown = says(Status::Unknown);
            assert_eq!(
                check(&unknown, &leaf, nonce, NOW),
                Ok((KUAIMI_OCSP_UNKNOWN, 0, 0, NOW, until))
            );
            let refused = Err(KUAIMI_ERROR_INVALID_SIGNATURE);
            // Another nonce, certificate, time, signer, or content.
            assert_eq!(check(&good, &leaf, b"another", NOW), refused);
            assert_eq!(check(&good, &other, nonce, NOW), refused);
            assert_eq!(check(&good, &leaf, nonce, NOW + DAY), refused);
            assert_eq!(
                check(&respond(&asked, &other, Status::Good), &leaf, nonce, NOW),
                refused
            );
            let mut altered = good.clone();
            *altered.last_mut().expect("a byte") ^= 1;
            assert!(check(&altered, &leaf, nonce, NOW).is_err());
            assert_eq!(check(&asked, &leaf, nonce, NOW), Err(KUAIMI_ERROR_DER));

            let verifier = new!(kuaimi_verifier_new());
            call!(kuaimi_verifier_add_anchor(verifier, root.handle));
            call!(kuaimi_verifier_add_ocsp(
                verifier,
                good.as_ptr(),
                good.len()
            ));
            let verify = || {
                error!(kuaimi_verifier_verify(
                    verifier,
                    leaf.handle,
                    null(),
                    0,
                    null(),
                    0,
                    KUAIMI_PURPOSE_ANY,
                    KUAIMI_REVOCATION_END,
                    KUAIMI_IDENTITIES_USUAL,
                    NOW,
                ))
            };
            assert_eq!(verify(), KUAIMI_OK);
            call!(kuaimi_verifier_add_ocsp(
                verifier,
                revoked.as_ptr(),
                revoked.len()
            ));
            assert_eq!(verify(), KUAIMI_ERROR_CERTIFICATE_REFUSED);
            let error = error!(kuaimi_verifier_add_ocsp(
                verifier,
                asked.as_ptr(),
                asked.len()
            ));
            assert_eq!(error, KUAIMI_ERROR_DER);
            free!(kuaimi_verifier_free(verifier));
        }
    }
    let long = [7; 33];
    let mut size = 0;
    let error = error!(kuaimi_ocsp_request(
        leaf.handle,
        root.handle,
        long.as_ptr(),
        33,
        KUAIMI_OCSP_HASH_SM3,
        null_mut(),
        &mut size
    ));
    assert_eq!(error, KUAIMI_ERROR_INVALID_ARGUMENT);
}
