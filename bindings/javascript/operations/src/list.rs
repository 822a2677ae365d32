//! The list of operations.
//!
//! Each line is a function of this crate with the kinds of its arguments and its result:
//!
//! | kind | argument | result |
//! | --- | --- | --- |
//! | `object` | a [`Handle`](crate::Handle) | an [`Object`](crate::Object), which gets one |
//! | `bytes` | `&[u8]` | `Vec<u8>`, `[u8; N]` or `Zeroizing` of one |
//! | `maybe` | `Option<&[u8]>` | |
//! | `number` | `u32` | `u32` |
//! | `flag` | | `bool` |
//! | `nothing` | | `()` |
//!
//! An engine calls the macro with the name of one of its own, which exports the functions.

/// Calls `$export!` with the operations that every module of WebAssembly has.
#[macro_export]
macro_rules! common_operations {
    ($export:ident) => {
        $export! {
            common
            fn dispose(object: object) -> nothing;
            fn random_seed(seed: bytes) -> nothing;
        }
    };
}

/// Calls `$export!` with the operations of SM3, SM4 and random bytes.
#[cfg(feature = "sm2")]
#[macro_export]
macro_rules! symmetric_operations {
    ($export:ident) => {
        $export! {
            symmetric
            fn random_bytes(length: number) -> bytes;
            fn sm3_digest(data: bytes) -> bytes;
            fn sm3_digest_many(data: bytes, lengths: bytes) -> bytes;
            fn sm3_new() -> object;
            fn sm3_update(hash: object, data: bytes) -> nothing;
            fn sm3_finish(hash: object) -> bytes;
            fn sm3_clone(hash: object) -> object;
            fn sm3_kdf(z: bytes, length: number) -> bytes;
            fn sm3_hmac(key: bytes, data: bytes) -> bytes;
            fn sm3_hmac_new(key: bytes) -> object;
            fn sm3_hmac_verify(hmac: object, code: bytes) -> flag;
            fn sm3_pbkdf2(password: bytes, salt: bytes, iterations: number, length: number) -> bytes;
            fn equal(a: bytes, b: bytes) -> flag;
            fn sm4_new(key: bytes, mode: number, iv: bytes, settings: number) -> object;
            fn sm4_update(stream: object, data: bytes) -> bytes;
            fn sm4_finish(stream: object) -> bytes;
            fn sm4_crypt(key: bytes, mode: number, iv: bytes, settings: number, data: bytes) -> bytes;
            fn sm4_aead_new(key: bytes, mode: number, tag_length: number) -> object;
            fn sm4_aead_seal(cipher: object, nonce: bytes, associated: bytes, data: bytes) -> bytes;
            fn sm4_aead_open(cipher: object, nonce: bytes, associated: bytes, data: bytes) -> bytes;
            fn sm4_seal_new(key: bytes, nonce: bytes, associated: bytes) -> object;
            fn sm4_seal_update(stream: object, data: bytes) -> bytes;
            fn sm4_seal_finish(stream: object) -> bytes;
        }
    };
}

/// Calls `$export!` with the operations of SM2.
#[cfg(feature = "sm2")]
#[macro_export]
macro_rules! sm2_operations {
    ($export:ident) => {
        $export! {
            sm2
            fn sm2_generate() -> object;
            fn sm2_private_of_bytes(data: bytes) -> object;
            fn sm2_private_to_bytes(key: object) -> bytes;
            fn sm2_private_equal(a: object, b: object) -> flag;
            fn sm2_public_of_private(key: object) -> object;
            fn sm2_public_of_bytes(data: bytes) -> object;
            fn sm2_public_to_bytes(key: object, compressed: number) -> bytes;
            fn sm2_public_prepare(key: object) -> nothing;
            fn sm2_identity_digest(key: object, id: maybe) -> bytes;
            fn sm2_message_hash(key: object, id: maybe) -> object;
            fn sm2_sign(key: object, message: bytes, id: maybe, settings: number) -> bytes;
            fn sm2_sign_digest(key: object, digest: bytes, settings: number) -> bytes;
            fn sm2_sign_recoverable(key: object, digest: bytes, settings: number) -> bytes;
            fn sm2_verify(key: object, signature: bytes, message: bytes, id: maybe, form: number) -> flag;
            fn sm2_verify_digest(key: object, signature: bytes, digest: bytes, form: number) -> flag;
            fn sm2_recover(digest: bytes, signature: bytes, recovery_id: number, form: number) -> object;
            fn sm2_encrypt(key: object, message: bytes, form: number) -> bytes;
            fn sm2_decrypt(key: object, ciphertext: bytes, form: number) -> bytes;
            fn sm2_diffie_hellman(key: object, peer: object) -> bytes;
            fn sm2_diffie_hellman_point(key: object, peer: object) -> bytes;
            fn sm2_convert_signature(signature: bytes, from: number, to: number) -> bytes;
            fn sm2_convert_ciphertext(ciphertext: bytes, from: number, to: number) -> bytes;
            fn sm2_detect_ciphertext(ciphertext: bytes) -> bytes;
            fn sm2_exchange_start(key: object, peer: object, id: maybe, peer_id: maybe, nonce: maybe) -> object;
            fn sm2_exchange_point(exchange: object) -> bytes;
            fn sm2_exchange_finish(exchange: object, point: bytes, confirmation: maybe, length: number) -> bytes;
            fn sm2_exchange_respond(key: object, peer: object, id: maybe, peer_id: maybe, point: bytes, length: number, nonce: maybe) -> object;
            fn sm2_exchange_answer(exchange: object) -> bytes;
            fn sm2_exchange_confirm(exchange: object, confirmation: maybe) -> bytes;
            fn sm2_generate_batch(count: number, threads: number) -> bytes;
            fn sm2_sign_batch(key: object, digests: bytes, threads: number) -> bytes;
            fn sm2_verify_batch(keys: bytes, digests: bytes, signatures: bytes, threads: number) -> bytes;
            fn sm2_verify_batch_with(key: object, digests: bytes, signatures: bytes, threads: number) -> bytes;
        }
    };
}

/// Calls `$export!` with the operations that only Node's addon has: in WebAssembly they would be
/// loops over other operations, which JavaScript has in their place.
#[cfg(all(feature = "native", feature = "sm2"))]
#[macro_export]
macro_rules! native_operations {
    ($export:ident) => {
        $export! {
            native
            fn sm2_diffie_hellman_batch(keys: bytes, peers: bytes, threads: number) -> bytes;
            fn sm4_gcm_seal_batch(keys: bytes, nonces: bytes, associated: bytes, data: bytes, lengths: bytes, threads: number) -> bytes;
            fn sm4_gcm_open_batch(keys: bytes, nonces: bytes, associated: bytes, data: bytes, lengths: bytes, threads: number) -> bytes;
        }
    };
}

/// Calls `$export!` with the operations on files.
#[cfg(feature = "formats")]
#[macro_export]
macro_rules! formats_operations {
    ($export:ident) => {
        $export! {
            formats
            fn formats_private_read(data: bytes, password: maybe) -> bytes;
            fn formats_private_write(key: bytes, form: number, password: maybe) -> bytes;
            fn formats_public_read(data: bytes) -> bytes;
            fn formats_public_write(point: bytes, form: number) -> bytes;
            fn formats_sm9_read(data: bytes, password: maybe) -> bytes;
            fn formats_sm9_private_write(parts: bytes, form: number, password: maybe) -> bytes;
            fn formats_sm9_public_write(parts: bytes, form: number) -> bytes;
            fn formats_envelope(key: bytes, recipient: bytes) -> bytes;
            fn formats_open_envelope(key: bytes, envelope: bytes) -> bytes;
            fn formats_explain(point: bytes, signature: bytes, message: bytes, id: maybe, form: number) -> bytes;
            fn formats_describe(data: bytes) -> bytes;
        }
    };
}

/// Calls `$export!` with the operations of SM9.
#[cfg(feature = "sm9")]
#[macro_export]
macro_rules! sm9_operations {
    ($export:ident) => {
        $export! {
            sm9
            fn sm9_master_generate(purpose: number) -> object;
            fn sm9_master_of_bytes(purpose: number, data: bytes) -> object;
            fn sm9_master_of_parts(purpose: number, parts: bytes) -> object;
            fn sm9_master_of_der(purpose: number, data: bytes) -> object;
            fn sm9_master_public_of_bytes(purpose: number, data: bytes) -> object;
            fn sm9_master_public_of_parts(purpose: number, parts: bytes) -> object;
            fn sm9_master_public_of_der(purpose: number, data: bytes) -> object;
            fn sm9_master_public_key(key: object) -> object;
            fn sm9_extract(master: object, purpose: number, id: bytes, hid: number) -> object;
            fn sm9_user_of_bytes(purpose: number, data: bytes, id: bytes, hid: number, master: object) -> object;
            fn sm9_user_of_parts(purpose: number, parts: bytes, id: bytes, hid: number, master: maybe) -> object;
            fn sm9_user_of_der(purpose: number, data: bytes, id: bytes, hid: number, master: bytes) -> object;
            fn sm9_user_public(master: object, id: bytes, hid: number) -> object;
            fn sm9_public_key(key: object) -> object;
            fn sm9_parts(key: object) -> bytes;
            fn sm9_private_write(key: object, form: number) -> bytes;
            fn sm9_public_write(key: object, form: number) -> bytes;
            fn sm9_identity(key: object) -> bytes;
            fn sm9_hid(key: object) -> number;
            fn sm9_prepare(key: object) -> nothing;
            fn sm9_equal(a: object, b: object) -> flag;
            fn sm9_sign(key: object, message: bytes, form: number) -> bytes;
            fn sm9_verify(key: object, signature: bytes, message: bytes, form: number) -> flag;
            fn sm9_encrypt(key: object, message: bytes, mode: number, mac: number, form: number) -> bytes;
            fn sm9_decrypt(key: object, ciphertext: bytes, mode: number, mac: number, form: number) -> bytes;
            fn sm9_encapsulate(key: object, length: number) -> bytes;
            fn sm9_decapsulate(key: object, encapsulated: bytes, length: number) -> bytes;
            fn sm9_exchange_start(key: object, peer: bytes, peer_hid: number) -> object;
            fn sm9_exchange_point(exchange: object) -> bytes;
            fn sm9_exchange_finish(exchange: object, point: bytes, confirmation: maybe, length: number) -> bytes;
            fn sm9_exchange_respond(key: object, peer: bytes, peer_hid: number, point: bytes, length: number) -> object;
            fn sm9_exchange_answer(exchange: object) -> bytes;
            fn sm9_exchange_confirm(exchange: object, confirmation: maybe) -> bytes;
        }
    };
}

/// Calls `$export!` with the operations on certificates and messages.
#[cfg(feature = "pki")]
#[macro_export]
macro_rules! pki_operations {
    ($export:ident) => {
        $export! {
            pki
            fn pki_fingerprint(data: bytes, hash: number) -> bytes;
            fn pki_certificates_read(data: bytes) -> bytes;
            fn pki_certificate_facts(certificate: bytes) -> bytes;
            fn pki_certificate_verify(certificate: bytes, issuer: bytes, identities: number) -> flag;
            fn pki_request_read(data: bytes) -> bytes;
            fn pki_request_facts(request: bytes) -> bytes;
            fn pki_request_verify(request: bytes, identities: number) -> flag;
            fn pki_certificate_prepare(fields: bytes, point: bytes, issuer: maybe) -> object;
            fn pki_request_prepare(fields: bytes, point: bytes) -> object;
            fn pki_crl_prepare(fields: bytes, issuer: bytes) -> object;
            fn pki_unsigned(unsigned: object) -> bytes;
            fn pki_unsigned_finish(unsigned: object, signature: bytes) -> bytes;
            fn pki_crls_read(data: bytes) -> bytes;
            fn pki_crl_new(list: bytes) -> object;
            fn pki_crl_der(list: object) -> bytes;
            fn pki_crl_facts(list: object) -> bytes;
            fn pki_crl_entries(list: object, from: number, count: number) -> bytes;
            fn pki_crl_find(list: object, serial: bytes) -> bytes;
            fn pki_crl_verify(list: object, issuer: bytes, identities: number) -> flag;
            fn pki_verifier_new(roots: bytes, intermediates: bytes, lists: bytes, responses: bytes) -> object;
            fn pki_verifier_verify(verifier: object, chains: bytes, policy: bytes, threads: number) -> bytes;
            fn pki_message_kind(message: bytes) -> bytes;
            fn pki_message_prepare(content: bytes, signers: bytes, certificates: bytes, settings: number, time: maybe) -> object;
            fn pki_message_digests(message: object) -> bytes;
            fn pki_message_finish(message: object, signatures: bytes) -> bytes;
            fn pki_message_verify(message: bytes, content: maybe, certificates: bytes, identities: number) -> bytes;
            fn pki_message_encrypt(content: bytes, recipients: bytes, settings: number, cipher: number) -> bytes;
            fn pki_message_sign_and_encrypt(content: bytes, signers: bytes, signatures: bytes, certificates: bytes, recipients: bytes, settings: number, cipher: number) -> bytes;
            fn pki_message_decrypt(message: bytes, key: bytes, certificate: maybe, certificates: bytes, identities: number) -> bytes;
            fn pki_pkcs12_read(data: bytes, password: bytes) -> bytes;
            fn pki_pkcs12_write(identities: bytes, certificates: bytes, password: bytes, profile: number, iterations: number) -> bytes;
            fn pki_key_response_open(data: bytes, key: bytes) -> bytes;
            fn pki_cfca_read(data: bytes, password: bytes) -> bytes;
            fn pki_cfca_write(key: bytes, certificate: bytes, password: bytes) -> bytes;
            fn pki_cfca_returned_key(key: bytes, text: bytes) -> bytes;
        }
    };
}
