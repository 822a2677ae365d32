//! SM2.

use std::ptr::{null, null_mut};

use kuaimi_c::kuaimi_error::*;
use kuaimi_c::*;
use serde_json::Value;

use super::{ascii, bytes, vectors};

fn sm2_private_key(d: &Value) -> *mut kuaimi_sm2_private_key {
    let (d, mut key) = (bytes(d), null_mut());
    call!(kuaimi_sm2_private_key_from_bytes(
        d.as_ptr(),
        d.len(),
        &mut key
    ));
    key
}

fn sm2_public_key(point: &[u8]) -> *mut kuaimi_sm2_public_key {
    let mut key = null_mut();
    call!(kuaimi_sm2_public_key_from_bytes(
        point.as_ptr(),
        point.len(),
        &mut key
    ));
    key
}

#[test]
fn sm2_signature() {
    let vectors = vectors("sm2.json");
    let example = &vectors["signature"];
    let point = [bytes(&example["px"]), bytes(&example["py"])].concat();
    let signature = [bytes(&example["r"]), bytes(&example["s"])].concat();
    let (message, id, e) = (
        ascii(&example["message_ascii"]),
        ascii(&example["id_ascii"]),
        bytes(&example["e"]),
    );

    let private = sm2_private_key(&example["d"]);
    let mut public = null_mut();
    call!(kuaimi_sm2_private_key_public_key(private, &mut public));
    assert_eq!(
        output!(|out, len| kuaimi_sm2_public_key_write(public, KUAIMI_KEY_RAW, out, len)),
        point
    );
    let mut z = [0; 32];
    call!(kuaimi_sm2_identity_digest(
        public,
        id.as_ptr(),
        id.len(),
        z.as_mut_ptr()
    ));
    assert_eq!(z[..], bytes(&example["z"]));

    let (mut plain, mut prepared, mut of_prepared) = (null_mut(), null_mut(), null_mut());
    let prepared_public = sm2_public_key(&point);
    call!(kuaimi_sm2_verifying_key_new(
        public,
        id.as_ptr(),
        id.len(),
        &mut plain
    ));
    call!(kuaimi_sm2_verifying_key_new(
        prepared_public,
        id.as_ptr(),
        id.len(),
        &mut prepared
    ));
    call!(kuaimi_sm2_verifying_key_prepare(prepared));
    call!(kuaimi_sm2_verifying_key_new(
        prepared_public,
        null(),
        0,
        &mut of_prepared
    ));
    let der = output!(|out, len| kuaimi_sm2_signature_convert(
        signature.as_ptr(),
        64,
        KUAIMI_SIGNATURE_RAW,
        KUAIMI_SIGNATURE_DER,
        out,
        len
    ));
    for key in [plain, prepared, of_prepared] {
        let verify = |message: &[u8], form, signature: &[u8]| {
            // SAFETY: slices with their lengths, and a handle that is not freed yet.
            unsafe {
                kuaimi_sm2_verify(
                    key,
                    message.as_ptr(),
                    message.len(),
                    signature.as_ptr(),
                    signature.len(),
                    form,
                )
            }
        };
        assert_eq!(verify(message, KUAIMI_SIGNATURE_RAW, &signature), KUAIMI_OK);
        assert_eq!(verify(message, KUAIMI_SIGNATURE_ANY, &der), KUAIMI_OK);
        assert_eq!(verify(message, KUAIMI_SIGNATURE_ANY, &signature), KUAIMI_OK);
        // A zero byte too many at the front of r: lenient readers accept it, strict ones do not.
        let mut padded = [&[0x30, der[1] + 1, 0x02, der[3] + 1, 0], &der[4..]].concat();
        let lenient = verify(message, KUAIMI_SIGNATURE_DER_LENIENT, &padded);
        assert_eq!(lenient, KUAIMI_OK);
        let strict = verify(message, KUAIMI_SIGNATURE_DER, &padded);
        assert_eq!(strict, KUAIMI_ERROR_INVALID_SIGNATURE);
        padded[20] ^= 1;
        let altered = verify(message, KUAIMI_SIGNATURE_DER_LENIENT, &padded);
        assert_eq!(altered, KUAIMI_ERROR_INVALID_SIGNATURE);
        assert_eq!(
            verify(b"another", KUAIMI_SIGNATURE_RAW, &signature),
            KUAIMI_ERROR_INVALID_SIGNATURE
        );
        assert_eq!(
            verify(message, KUAIMI_SIGNATURE_DER, &signature),
            KUAIMI_ERROR_INVALID_SIGNATURE
        );
        assert_eq!(
            verify(message, KUAIMI_SIGNATURE_RAW, &[0; 64]),
            KUAIMI_ERROR_INVALID_SIGNATURE
        );
        assert_eq!(
            verify(message, 99, &signature),
            KUAIMI_ERROR_INVALID_ARGUMENT
        );
        call!(kuaimi_sm2_verify_digest(
            key,
            e.as_ptr(),
            der.as_ptr(),
            der.len(),
            KUAIMI_SIGNATURE_DER
        ));

        let (mut hash, mut digest) = (null_mut(), [0; 32]);
        call!(kuaimi_sm2_verifying_key_hash(key, &mut hash));
        call!(kuaimi_sm3_update(hash, message.as_ptr(), message.len()));
        call!(kuaimi_sm3_finish(hash, digest.as_mut_ptr()));
        assert_eq!(digest[..], e);
        free!(kuaimi_sm3_free(hash));
    }

    // What is signed here verifies under this identity and not under another.
    let (mut signing, mut other) = (null_mut(), null_mut());
    call!(kuaimi_sm2_signing_key_new(
        private,
        b"alice".as_ptr(),
        5,
        &mut signing
    ));
    call!(kuaimi_sm2_verifying_key_new(
        public,
        b"alice".as_ptr(),
        5,
        &mut other
    ));
    let signed = output!(|out, len| kuaimi_sm2_sign(
        signing,
        message.as_ptr(),
        message.len(),
        KUAIMI_SIGNATURE_DER,
        out,
        len
    ));
    call!(kuaimi_sm2_verify(
        other,
        message.as_ptr(),
        message.len(),
        signed.as_ptr(),
        signed.len(),
        KUAIMI_SIGNATURE_DER
    ));
    // SAFETY: slices with their lengths, and handles that are not freed yet.
    let default = unsafe {
        kuaimi_sm2_verify(
            plain,
            message.as_ptr(),
            message.len(),
            signed.as_ptr(),
            signed.len(),
            KUAIMI_SIGNATURE_DER,
        )
    };
    assert_eq!(default, KUAIMI_ERROR_INVALID_SIGNATURE);

    // Recovery leads back to the key.
    let (mut recoverable, mut len, mut recovery_id, mut recovered) = ([0; 64], 64, 9, null_mut());
    call!(kuaimi_sm2_sign_digest_recoverable(
        signing,
        e.as_ptr(),
        KUAIMI_SIGNATURE_RAW,
        recoverable.as_mut_ptr(),
        &mut len,
        &mut recovery_id
    ));
    call!(kuaimi_sm2_recover(
        e.as_ptr(),
        recoverable.as_ptr(),
        64,
        recovery_id,
        KUAIMI_SIGNATURE_RAW,
        &mut recovered
    ));
    assert_eq!(
        output!(|out, len| kuaimi_sm2_public_key_write(recovered, KUAIMI_KEY_RAW, out, len)),
        point
    );

    // Two of the deterministic kind are the same.
    let twice = [0, 1].map(|_| {
        output!(|out, len| kuaimi_sm2_sign_digest_deterministic(
            signing,
            e.as_ptr(),
            KUAIMI_SIGNATURE_RAW,
            out,
            len
        ))
    });
    assert_eq!(twice[0], twice[1]);
    free!(kuaimi_sm2_verifying_key_free(plain, prepared, of_prepared, other); kuaimi_sm2_public_key_free(public, prepared_public, recovered); kuaimi_sm2_signing_key_free(signing); kuaimi_sm2_private_key_free(private));
}

#[test]
fn sm2_ciphertext() {
    let vectors = vectors("sm2.json");
    let example = &vectors["encryption"];
    let [c1, c2, c3] = ["c1", "c2", "c3"].map(|part| bytes(&example[part]));
    let (message, der) = (
        ascii(&example["message_ascii"]),
        bytes(&example["der_gmt0009"]),
    );
    let private = sm2_private_key(&example["d"]);
    let forms = [
        (KUAIMI_SM2_CIPHERTEXT_C1C3C2, [&c1[..], &c3, &c2].concat()),
        (KUAIMI_SM2_CIPHERTEXT_C1C2C3, [&c1[..], &c2, &c3].concat()),
        (
            KUAIMI_SM2_CIPHERTEXT_BARE_C1C3C2,
            [&c1[1..], &c3, &c2].concat(),
        ),
        (
            KUAIMI_SM2_CIPHERTEXT_BARE_C1C2C3,
            [&c1[1..], &c2, &c3].concat(),
        ),
        (KUAIMI_SM2_CIPHERTEXT_DER, der),
    ];
    for (from, ciphertext) in &forms {
        for form in [*from, KUAIMI_SM2_CIPHERTEXT_ANY] {
            let plaintext = output!(|out, len| kuaimi_sm2_decrypt(
                private,
                ciphertext.as_ptr(),
                ciphertext.len(),
                form,
                out,
                len
            ));
            assert_eq!(plaintext, message, "form {from} as {form}");
            for length in 0..ciphertext.len() {
                let (mut out, mut len) = ([0x5a; 200], 200);
                // SAFETY: slices with their lengths, and a handle that is not freed yet.
                let result = unsafe {
                    kuaimi_sm2_decrypt(
                        private,
                        ciphertext.as_ptr(),
                        length,
                        form,
                        out.as_mut_ptr(),
                        &mut len,
                    )
                };
                assert_eq!(
                    result, KUAIMI_ERROR_DECRYPTION_FAILED,
                    "{length} bytes of form {from}"
                );
                assert_eq!((out, len), ([0x5a; 200], 200), "nothing is written");
            }
        }
        for (to, converted) in &forms {
            let found = output!(|out, len| kuaimi_sm2_ciphertext_convert(
                ciphertext.as_ptr(),
                ciphertext.len(),
                *from,
                *to,
                out,
                len
            ));
            assert_eq!(&found, converted, "form {from} to {to}");
        }
        // What is encrypted here is decrypted here.
        let (mut public, mut prepared) = (null_mut(), null_mut());
        call!(kuaimi_sm2_private_key_public_key(private, &mut public));
        call!(kuaimi_sm2_private_key_public_key(private, &mut prepared));
        call!(kuaimi_sm2_public_key_prepare(prepared));
        for key in [public, prepared] {
            for length in [1, 94, 95, 127, 128, 300, 70_000] {
                let message = vec![7; length];
                let sealed = output!(|out, len| kuaimi_sm2_encrypt(
                    key,
                    message.as_ptr(),
                    length,
                    *from,
                    out,
                    len
                ));
                let opened = output!(|out, len| kuaimi_sm2_decrypt(
                    private,
                    sealed.as_ptr(),
                    sealed.len(),
                    *from,
                    out,
                    len
                ));
                assert_eq!(opened, message);
            }
            free!(kuaimi_sm2_public_key_free(key));
        }
    }
    free!(kuaimi_sm2_private_key_free(private));
}

#[test]
fn sm2_key_exchange() {
    let vectors = vectors("sm2.json");
    let example = &vectors["key_exchange"];
    let (a, b) = (
        sm2_private_key(&example["d_a"]),
        sm2_private_key(&example["d_b"]),
    );
    let (p_a, p_b) = (
        sm2_public_key(&bytes(&example["p_a"])),
        sm2_public_key(&bytes(&example["p_b"])),
    );

    let (mut initiator, mut r_a) = (null_mut(), [0; 65]);
    call!(kuaimi_sm2_exchange_start(
        a,
        p_b,
        null(),
        0,
        null(),
        0,
        &mut initiator,
        r_a.as_mut_ptr()
    ));
    let state = output!(|out, len| kuaimi_sm2_initiator_to_bytes(initiator, out, len));
    let (mut response, mut r_b, mut s_b) = (null_mut(), [0; 65], [0; 32]);
    call!(kuaimi_sm2_exchange_respond(
        b,
        p_a,
        null(),
        0,
        null(),
        0,
        r_a.as_ptr(),
        65,
        16,
        &mut response,
        r_b.as_mut_ptr(),
        s_b.as_mut_ptr()
    ));
    let (mut key_a, mut key_b, mut s_a) = ([0; 16], [1; 16], [0; 32]);

    // An initiator that goes on from its state: a wrong confirmation ends it.
    let mut resumed = null_mut();
    call!(kuaimi_sm2_initiator_from_bytes(
        a,
        state.as_ptr(),
        state.len(),
        &mut resumed
    ));
    let finish = |initiator, s_b: &[u8; 32], key: &mut [u8; 16], s_a: &mut [u8; 32]| {
        // SAFETY: arrays with their lengths, and handles that are not freed yet.
        unsafe {
            kuaimi_sm2_initiator_finish(
                initiator,
                r_b.as_ptr(),
                65,
                s_b.as_ptr(),
                key.as_mut_ptr(),
                16,
                s_a.as_mut_ptr(),
            )
        }
    };
    assert_eq!(
        finish(resumed, &[0; 32], &mut key_a, &mut s_a),
        KUAIMI_ERROR_CONFIRMATION_FAILED
    );
    assert_eq!(key_a, [0; 16]);
    assert_eq!(
        finish(resumed, &s_b, &mut key_a, &mut s_a),
        KUAIMI_ERROR_ALREADY_USED
    );
    assert_eq!(finish(initiator, &s_b, &mut key_a, &mut s_a), KUAIMI_OK);

    let state = output!(|out, len| kuaimi_sm2_response_to_bytes(response, out, len));
    let mut again = null_mut();
    call!(kuaimi_sm2_response_from_bytes(
        state.as_ptr(),
        state.len(),
        &mut again
    ));
    call!(kuaimi_sm2_response_confirm(
        response,
        s_a.as_ptr(),
        key_b.as_mut_ptr(),
        16
    ));
    assert_eq!(key_a, key_b);
    key_b = [1; 16];
    call!(kuaimi_sm2_response_key_unconfirmed(
        again,
        key_b.as_mut_ptr(),
        16
    ));
    assert_eq!(key_a, key_b);
    free!(kuaimi_sm2_initiator_free(initiator, resumed); kuaimi_sm2_response_free(response, again); kuaimi_sm2_private_key_free(a, b); kuaimi_sm2_public_key_free(p_a, p_b));
}

/// The standard's example, whose ephemeral keys come in with the stored states.
#[test]
fn sm2_key_exchange_of_the_standard() {
    use kuaimi::sm2::exchange::{Initiator, Party, Peer, Responder};
    use kuaimi::sm2::{PrivateKey, PublicKey};
    let vectors = vectors("sm2.json");
    let example = &vectors["key_exchange"];
    let array = |name: &str| bytes(&example[name]).try_into().expect("32 bytes");
    let secret = |name| PrivateKey::from_bytes(&array(name)).expect("a private key");
    let point = |name: &str| PublicKey::from_sec1_bytes(&bytes(&example[name])).expect("a point");
    let (id_a, id_b) = (ascii(&example["id_a_ascii"]), ascii(&example["id_b_ascii"]));
    let party = |name, id| Party::new(&secret(name), id).expect("a party");
    let peer = |name, id| Peer::new(&point(name), id).expect("a peer");

    let (initiator, r_a) =
        Initiator::start_with_nonce(party("d_a", id_a), peer("p_b", id_b), &array("r_a"))
            .expect("a state");
    assert_eq!(r_a, point("point_r_a"));
    let response = Responder::new(party("d_b", id_b), peer("p_a", id_a))
        .respond_with_nonce(&r_a, 16, &array("r_b"))
        .expect("a state");

    let (state, key, mut handle) = (
        initiator.to_bytes(),
        sm2_private_key(&example["d_a"]),
        null_mut(),
    );
    call!(kuaimi_sm2_initiator_from_bytes(
        key,
        state.as_ptr(),
        state.len(),
        &mut handle
    ));
    let (r_b, s_b, mut shared, mut s_a) = (
        bytes(&example["point_r_b"]),
        bytes(&example["s_1_and_s_b"]),
        [0; 16],
        [0; 32],
    );
    call!(kuaimi_sm2_initiator_finish(
        handle,
        r_b.as_ptr(),
        r_b.len(),
        s_b.as_ptr(),
        shared.as_mut_ptr(),
        16,
        s_a.as_mut_ptr()
    ));
    assert_eq!(
        (shared.to_vec(), s_a.to_vec()),
        (bytes(&example["k_ab"]), bytes(&example["s_2_and_s_a"]))
    );

    let (state, mut again) = (response.to_bytes(), null_mut());
    call!(kuaimi_sm2_response_from_bytes(
        state.as_ptr(),
        state.len(),
        &mut again
    ));
    shared = [0; 16];
    call!(kuaimi_sm2_response_confirm(
        again,
        s_a.as_ptr(),
        shared.as_mut_ptr(),
        16
    ));
    assert_eq!(shared[..], bytes(&example["k_ab"]));
    free!(
        kuaimi_sm2_private_key_free(key);
        kuaimi_sm2_initiator_free(handle);
        kuaimi_sm2_response_free(again)
    );
}
