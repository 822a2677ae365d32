//! SM9.

use std::ptr::null_mut;

use kuaimi_c::kuaimi_error::*;
use kuaimi_c::*;

use super::{ascii, bytes, vectors};

/// A master key of the standard's examples.
macro_rules! master {
    ($from_bytes:ident, $number:expr) => {{
        let (number, mut master) = (bytes(&$number), null_mut());
        call!($from_bytes(number.as_ptr(), number.len(), &mut master));
        master
    }};
}

#[test]
fn sm9_signature() {
    let vectors = vectors("sm9.json");
    let example = &vectors["signature"];
    let (message, id) = (
        ascii(&example["message_ascii"]),
        ascii(&example["id_ascii"]),
    );
    let signature = [bytes(&example["h"]), bytes(&example["s"])].concat();
    let master = master!(kuaimi_sm9_master_signing_key_from_bytes, example["ks"]);
    let (mut public, mut alice, mut verifying) = (null_mut(), null_mut(), null_mut());
    call!(kuaimi_sm9_master_signing_key_public_key(
        master,
        &mut public
    ));
    call!(kuaimi_sm9_master_signing_key_extract(
        master,
        id.as_ptr(),
        id.len(),
        0,
        &mut alice
    ));
    call!(kuaimi_sm9_verifying_key_new(
        public,
        id.as_ptr(),
        id.len(),
        1,
        &mut verifying
    ));
    let raw = output!(|out, len| kuaimi_sm9_signing_key_write(alice, KUAIMI_KEY_RAW, out, len));
    assert_eq!(raw, bytes(&example["ds"]));
    // Another function identifier is another key, with which this one's signatures do not verify.
    let mut other = null_mut();
    call!(kuaimi_sm9_verifying_key_new(
        public,
        id.as_ptr(),
        id.len(),
        4,
        &mut other
    ));
    // SAFETY: slices with their lengths, and a handle that is not freed yet.
    let refused = unsafe {
        kuaimi_sm9_verify(
            other,
            message.as_ptr(),
            message.len(),
            signature.as_ptr(),
            96,
            KUAIMI_SIGNATURE_RAW,
        )
    };
    assert_eq!(refused, KUAIMI_ERROR_INVALID_SIGNATURE);
    free!(kuaimi_sm9_verifying_key_free(other));
    let raw = output!(|out, len| kuaimi_sm9_master_signing_public_key_write(
        public,
        KUAIMI_KEY_RAW,
        out,
        len
    ));
    assert_eq!(raw, bytes(&example["p_pub_s"]));

    let (mut prepared_alice, mut prepared, mut from_table) = (null_mut(), null_mut(), null_mut());
    call!(kuaimi_sm9_master_signing_key_extract(
        master,
        id.as_ptr(),
        id.len(),
        0,
        &mut prepared_alice
    ));
    call!(kuaimi_sm9_verifying_key_new(
        public,
        id.as_ptr(),
        id.len(),
        0,
        &mut prepared
    ));
    call!(kuaimi_sm9_signing_key_prepare(prepared_alice));
    call!(kuaimi_sm9_verifying_key_prepare(prepared));
    let table = output!(|out, len| kuaimi_sm9_signing_key_write_table(prepared_alice, out, len));
    call!(kuaimi_sm9_signing_key_read_table(
        alice,
        table.as_ptr(),
        table.len(),
        &mut from_table
    ));
    let mut hash = null_mut();
    call!(kuaimi_sm9_message_hash_new(&mut hash));
    call!(kuaimi_sm9_message_hash_update(hash, message.as_ptr(), 3));
    call!(kuaimi_sm9_message_hash_update(
        hash,
        message[3..].as_ptr(),
        message.len() - 3
    ));
    for key in [verifying, prepared] {
        let verify = |message: &[u8], form, signature: &[u8]| {
            // SAFETY: slices with their lengths, and a handle that is not freed yet.
            unsafe {
                kuaimi_sm9_verify(
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
        assert_eq!(
            verify(b"another", KUAIMI_SIGNATURE_RAW, &signature),
            KUAIMI_ERROR_INVALID_SIGNATURE
        );
        assert_eq!(
            verify(message, KUAIMI_SIGNATURE_RAW, &signature[1..]),
            KUAIMI_ERROR_INVALID_SIGNATURE
        );
        call!(kuaimi_sm9_verify_hash(
            key,
            hash,
            signature.as_ptr(),
            96,
            KUAIMI_SIGNATURE_RAW
        ));
        for signer in [alice, prepared_alice, from_table] {
            let signed = output!(|out, len| kuaimi_sm9_sign_hash(
                signer,
                hash,
                KUAIMI_SIGNATURE_DER,
                out,
                len
            ));
            assert_eq!(signed.len(), KUAIMI_SM9_SIGNATURE_DER_LEN);
            assert_eq!(verify(message, KUAIMI_SIGNATURE_DER, &signed), KUAIMI_OK);
            let signed = output!(|out, len| kuaimi_sm9_sign(
                signer,
                message.as_ptr(),
                message.len(),
                KUAIMI_SIGNATURE_RAW,
                out,
                len
            ));
            assert_eq!(verify(message, KUAIMI_SIGNATURE_RAW, &signed), KUAIMI_OK);
        }
    }
    free!(kuaimi_sm9_master_signing_key_free(master); kuaimi_sm9_master_signing_public_key_free(public); kuaimi_sm9_signing_key_free(alice, prepared_alice, from_table); kuaimi_sm9_verifying_key_free(verifying, prepared); kuaimi_sm9_message_hash_free(hash));
}

#[test]
fn sm9_encryption_and_encapsulation() {
    let vectors = vectors("sm9.json");
    let example = &vectors["encryption"];
    let (message, id) = (
        ascii(&example["message_ascii"]),
        ascii(&example["id_ascii"]),
    );
    let master = master!(kuaimi_sm9_master_encryption_key_from_bytes, example["ke"]);
    let (mut public, mut plain, mut prepared) = (null_mut(), null_mut(), null_mut());
    let (mut to, mut to_prepared) = (null_mut(), null_mut());
    call!(kuaimi_sm9_master_encryption_key_public_key(
        master,
        &mut public
    ));
    call!(kuaimi_sm9_master_encryption_public_key_prepare(public));
    call!(kuaimi_sm9_master_encryption_key_extract(
        master,
        id.as_ptr(),
        id.len(),
        3,
        &mut plain
    ));
    call!(kuaimi_sm9_master_encryption_key_extract(
        master,
        id.as_ptr(),
        id.len(),
        3,
        &mut prepared
    ));
    call!(kuaimi_sm9_decryption_key_prepare(prepared));
    call!(kuaimi_sm9_encryption_key_new(
        public,
        id.as_ptr(),
        id.len(),
        0,
        &mut to
    ));
    call!(kuaimi_sm9_encryption_key_new(
        public,
        id.as_ptr(),
        id.len(),
        0,
        &mut to_prepared
    ));
    call!(kuaimi_sm9_encryption_key_prepare(to_prepared));
    let encapsulation = &vectors["key_encapsulation"];
    assert_eq!(encapsulation["ke"], example["ke"]);
    for bob in [plain, prepared] {
        let modes = [
            ("stream_kdf", KUAIMI_SM9_MODE_STREAM),
            ("sm4_ecb_pkcs7", KUAIMI_SM9_MODE_ECB),
        ];
        for (name, mode) in modes {
            let ciphertext = bytes(&example[name]["c1_c3_c2"]);
            let options = kuaimi_sm9_options {
                mode,
                mac: KUAIMI_SM9_MAC_SM3,
                form: KUAIMI_SM9_CIPHERTEXT_RAW,
            };
            let decrypt = |ciphertext: &[u8]| {
                let (mut out, mut len) = ([0; 200], 200);
                // SAFETY: slices with their lengths, and handles that are not freed yet.
                let result = unsafe {
                    kuaimi_sm9_decrypt(
                        bob,
                        ciphertext.as_ptr(),
                        ciphertext.len(),
                        &options,
                        out.as_mut_ptr(),
                        &mut len,
                    )
                };
                (result, out[..len].to_vec())
            };
            assert_eq!(decrypt(&ciphertext), (KUAIMI_OK, message.to_vec()));
            for length in 0..ciphertext.len() {
                assert_eq!(
                    decrypt(&ciphertext[..length]).0,
                    KUAIMI_ERROR_DECRYPTION_FAILED
                );
            }
        }
        for mode in [0, 1, 2, 4, 8] {
            for (mac, form) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
                let options = kuaimi_sm9_options { mode, mac, form };
                for (key, length) in [(to, 1), (to_prepared, 16), (to, 70_000)] {
                    let message = vec![7; length];
                    let sealed = output!(|out, len| kuaimi_sm9_encrypt(
                        key,
                        message.as_ptr(),
                        length,
                        &options,
                        out,
                        len
                    ));
                    let opened = output!(|out, len| kuaimi_sm9_decrypt(
                        bob,
                        sealed.as_ptr(),
                        sealed.len(),
                        &options,
                        out,
                        len
                    ));
                    assert_eq!(opened, message);
                }
            }
        }
        let (c, mut derived) = (bytes(&encapsulation["c"]), [0; 32]);
        assert_eq!(
            derived.len() as u64,
            encapsulation["key_length_bytes"]
                .as_u64()
                .expect("a number")
        );
        call!(kuaimi_sm9_decapsulate(
            bob,
            c.as_ptr(),
            c.len(),
            derived.as_mut_ptr(),
            derived.len()
        ));
        assert_eq!(derived[..], bytes(&encapsulation["k"]));
        let (mut fresh, mut c) = ([0; 40], [0; 65]);
        call!(kuaimi_sm9_encapsulate(
            to,
            fresh.as_mut_ptr(),
            40,
            c.as_mut_ptr()
        ));
        let mut found = [1; 40];
        call!(kuaimi_sm9_decapsulate(
            bob,
            c.as_ptr(),
            65,
            found.as_mut_ptr(),
            40
        ));
        assert_eq!(found, fresh);
    }
    free!(kuaimi_sm9_master_encryption_key_free(master); kuaimi_sm9_master_encryption_public_key_free(public); kuaimi_sm9_decryption_key_free(plain, prepared); kuaimi_sm9_encryption_key_free(to, to_prepared));
}

#[test]
fn sm9_key_exchange() {
    let vectors = vectors("sm9.json");
    let example = &vectors["key_exchange"];
    let master = master!(kuaimi_sm9_master_encryption_key_from_bytes, example["ke"]);
    let users = ["a", "b"].map(|user| {
        let id = ascii(&example[format!("id_{user}_ascii")]);
        let mut key = null_mut();
        call!(kuaimi_sm9_master_encryption_key_extract_exchange(
            master,
            id.as_ptr(),
            id.len(),
            0,
            &mut key
        ));
        let raw = output!(|out, len| kuaimi_sm9_exchange_key_write(key, KUAIMI_KEY_RAW, out, len));
        assert_eq!(raw, bytes(&example[format!("de_{user}")]));
        (id, key)
    });
    let [(id_a, a), (id_b, b)] = users;
    call!(kuaimi_sm9_exchange_key_prepare(b));
    let (mut initiator, mut response) = (null_mut(), null_mut());
    let (mut r_a, mut r_b, mut s_a, mut s_b) = ([0; 65], [0; 65], [0; 32], [0; 32]);
    let (mut key_a, mut key_b) = ([0; 16], [1; 16]);
    call!(kuaimi_sm9_exchange_start(
        a,
        id_b.as_ptr(),
        id_b.len(),
        0,
        &mut initiator,
        r_a.as_mut_ptr()
    ));
    call!(kuaimi_sm9_exchange_respond(
        b,
        id_a.as_ptr(),
        id_a.len(),
        2,
        r_a.as_ptr(),
        65,
        16,
        &mut response,
        r_b.as_mut_ptr(),
        s_b.as_mut_ptr()
    ));
    let state = output!(|out, len| kuaimi_sm9_initiator_to_bytes(initiator, out, len));
    let mut resumed = null_mut();
    call!(kuaimi_sm9_initiator_from_bytes(
        a,
        state.as_ptr(),
        state.len(),
        &mut resumed
    ));
    call!(kuaimi_sm9_initiator_finish(
        resumed,
        r_b.as_ptr(),
        65,
        s_b.as_ptr(),
        key_a.as_mut_ptr(),
        16,
        s_a.as_mut_ptr()
    ));
    let state = output!(|out, len| kuaimi_sm9_response_to_bytes(response, out, len));
    let mut again = null_mut();
    call!(kuaimi_sm9_response_from_bytes(
        state.as_ptr(),
        state.len(),
        &mut again
    ));
    call!(kuaimi_sm9_response_confirm(
        again,
        s_a.as_ptr(),
        key_b.as_mut_ptr(),
        16
    ));
    assert_eq!(key_a, key_b);
    key_b = [1; 16];
    s_a[0] ^= 1;
    // SAFETY: arrays with their lengths, and a handle that is not freed yet.
    let refused =
        unsafe { kuaimi_sm9_response_confirm(response, s_a.as_ptr(), key_b.as_mut_ptr(), 16) };
    assert_eq!(
        (refused, key_b),
        (KUAIMI_ERROR_CONFIRMATION_FAILED, [0; 16])
    );
    for (_, key) in users {
        free!(kuaimi_sm9_exchange_key_free(key));
    }
    free!(
        kuaimi_sm9_master_encryption_key_free(master);
        kuaimi_sm9_initiator_free(initiator, resumed);
        kuaimi_sm9_response_free(response, again)
    );
}

/// The standard's example, whose ephemeral keys come in with the stored states.
#[test]
fn sm9_key_exchange_of_the_standard() {
    use kuaimi::sm9::exchange::{Initiator, Party, Peer, Responder};
    use kuaimi::sm9::{G1Point, MasterEncryptionKey};
    let vectors = vectors("sm9.json");
    let example = &vectors["key_exchange"];
    // Numbers are printed without leading zeros.
    let array = |name: &str| {
        let (number, mut array) = (bytes(&example[name]), [0; 32]);
        array[32 - number.len()..].copy_from_slice(&number);
        array
    };
    let point = |name: &str| G1Point::from_slice(&bytes(&example[name])).expect("a point");
    let (id_a, id_b) = (ascii(&example["id_a_ascii"]), ascii(&example["id_b_ascii"]));
    let master = MasterEncryptionKey::from_bytes(&array("ke")).expect("a master key");
    let party = |id| Party::new(&master.extract_exchange(id).expect("a user's key"));
    let peer = |id| Peer::new(id).expect("a name");

    let (initiator, r_a) =
        Initiator::start_with_nonce(party(id_a), peer(id_b), &array("r_a")).expect("a state");
    assert_eq!(r_a, point("point_r_a"));
    let response = Responder::new(party(id_b), peer(id_a))
        .respond_with_nonce(&r_a, 16, &array("r_b"))
        .expect("a state");

    let (state, mut key, mut handle) = (initiator.to_bytes(), null_mut(), null_mut());
    let centre = master!(kuaimi_sm9_master_encryption_key_from_bytes, example["ke"]);
    call!(kuaimi_sm9_master_encryption_key_extract_exchange(
        centre,
        id_a.as_ptr(),
        id_a.len(),
        0,
        &mut key
    ));
    call!(kuaimi_sm9_initiator_from_bytes(
        key,
        state.as_ptr(),
        state.len(),
        &mut handle
    ));
    let (r_b, s_b, mut shared, mut s_a) = (
        bytes(&example["point_r_b"]),
        bytes(&example["s_b"]),
        [0; 16],
        [0; 32],
    );
    call!(kuaimi_sm9_initiator_finish(
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
        (bytes(&example["sk"]), bytes(&example["s_a"]))
    );

    let (state, mut again) = (response.to_bytes(), null_mut());
    call!(kuaimi_sm9_response_from_bytes(
        state.as_ptr(),
        state.len(),
        &mut again
    ));
    shared = [0; 16];
    call!(kuaimi_sm9_response_confirm(
        again,
        s_a.as_ptr(),
        shared.as_mut_ptr(),
        16
    ));
    assert_eq!(shared[..], bytes(&example["sk"]));
    free!(
        kuaimi_sm9_master_encryption_key_free(centre);
        kuaimi_sm9_exchange_key_free(key);
        kuaimi_sm9_initiator_free(handle);
        kuaimi_sm9_response_free(again)
    );
}
