/*
 * SM2: signatures, encryption, key exchange. The rules for all functions are in kuaimi.h.
 *
 * MIT OR Apache-2.0. Made from the Rust sources by cbindgen: do not edit.
 */

#ifndef KUAIMI_SM2_H
#define KUAIMI_SM2_H

#include "base.h"
#include "form.h"
#include "sm3.h"

/**
 * The length of a point with its first byte 04, as the functions of key exchange write it.
 */
#define KUAIMI_SM2_POINT_LEN 65

/**
 * The length of an SM2 signature in the form `KUAIMI_SIGNATURE_RAW`.
 */
#define KUAIMI_SM2_SIGNATURE_LEN 64

/**
 * The most bytes of an SM2 signature in DER.
 */
#define KUAIMI_SM2_SIGNATURE_DER_MAX_LEN 72

/**
 * The most bytes that an explanation takes.
 */
#define KUAIMI_EXPLANATION_MAX_LEN 512

/**
 * The length of a shared secret in bytes.
 */
#define KUAIMI_SM2_SHARED_SECRET_LEN 32

/**
 * A form of an SM2 ciphertext.
 */
typedef enum {
  /**
   * Point, digest, masked plaintext: the standard's order. 97 bytes more than the plaintext.
   */
  KUAIMI_SM2_CIPHERTEXT_C1C3C2 = 1,
  /**
   * Point, masked plaintext, digest: the order of an older draft, still in use. 97 bytes
   * more than the plaintext.
   */
  KUAIMI_SM2_CIPHERTEXT_C1C2C3 = 2,
  /**
   * As `KUAIMI_SM2_CIPHERTEXT_C1C3C2`, without the point's first byte 04. 96 bytes more than
   * the plaintext.
   */
  KUAIMI_SM2_CIPHERTEXT_BARE_C1C3C2 = 3,
  /**
   * As `KUAIMI_SM2_CIPHERTEXT_C1C2C3`, without the point's first byte 04. 96 bytes more than
   * the plaintext.
   */
  KUAIMI_SM2_CIPHERTEXT_BARE_C1C2C3 = 4,
  /**
   * DER (GM/T 0009). At most 124 bytes more than the plaintext.
   */
  KUAIMI_SM2_CIPHERTEXT_DER = 5,
  /**
   * For decryption alone: DER as some vendors write it against the rules.
   */
  KUAIMI_SM2_CIPHERTEXT_DER_LENIENT = 6,
  /**
   * For decryption alone: whichever of the first five it is. Those that the bytes may be are
   * tried in turn.
   */
  KUAIMI_SM2_CIPHERTEXT_ANY = 7,
} kuaimi_sm2_ciphertext_form;

/**
 * What is signed, of one item of a batch.
 */
typedef enum {
  /**
   * The bytes are a message.
   */
  KUAIMI_CONTENT_MESSAGE = 0,
  /**
   * The bytes are the 32 bytes of a digest `SM3(Z, message)`.
   */
  KUAIMI_CONTENT_DIGEST = 1,
} kuaimi_content_kind;

/**
 * The initiator of a key exchange, waiting for the responder's point. It finishes once.
 */
typedef struct kuaimi_sm2_initiator kuaimi_sm2_initiator;

/**
 * A bounded store of tables of public keys, for keys that come as bytes with each message. A key
 * gets a table at its second use, and loses it when the memory is needed for others that were used
 * later. Threads may share it.
 */
typedef struct kuaimi_sm2_key_cache kuaimi_sm2_key_cache;

/**
 * A store of nonces with their points, which a thread of its own computes: a signature with one
 * costs little more than hashing the message. Threads may share it, and one pool serves any number
 * of keys.
 *
 * **Use a pool only where the machine's random generator is good, and the memory of the process is
 * never restored from a snapshot**: two signatures with one nonce give the private key away. Forks
 * are detected on Linux 4.14 and newer.
 */
typedef struct kuaimi_sm2_nonce_pool kuaimi_sm2_nonce_pool;

/**
 * An SM2 private key, with its public key. Not changed by any function, so that threads may share
 * it.
 */
typedef struct kuaimi_sm2_private_key kuaimi_sm2_private_key;

/**
 * An SM2 public key: a point that was checked. Threads may share it.
 */
typedef struct kuaimi_sm2_public_key kuaimi_sm2_public_key;

/**
 * The responder of a key exchange, waiting for the initiator's confirmation. It gives its key
 * once.
 */
typedef struct kuaimi_sm2_response kuaimi_sm2_response;

/**
 * An SM2 private key that signs under one identity, with what signatures share. Not changed by any
 * function, so that threads may share it.
 */
typedef struct kuaimi_sm2_signing_key kuaimi_sm2_signing_key;

/**
 * An SM2 public key that verifies under one identity. Threads may share it.
 */
typedef struct kuaimi_sm2_verifying_key kuaimi_sm2_verifying_key;

/**
 * One signature to be verified.
 */
typedef struct {
  /**
   * Whose signature it should be.
   */
  const kuaimi_sm2_verifying_key *key;
  /**
   * The message, or its digest.
   */
  kuaimi_bytes content;
  /**
   * The signature.
   */
  kuaimi_bytes signature;
  /**
   * Whether `content` is the message or the digest.
   */
  kuaimi_content_kind content_kind;
  /**
   * The form of the signature.
   */
  kuaimi_signature_form form;
} kuaimi_sm2_verify_item;

/**
 * What a pool holds and has done.
 */
typedef struct {
  /**
   * Nonces that are ready.
   */
  size_t ready;
  /**
   * Nonces that signatures have taken.
   */
  uint64_t served;
  /**
   * Signatures that found no nonce ready, and were computed without the pool.
   */
  uint64_t missed;
} kuaimi_sm2_nonce_pool_stats;

/**
 * One signature to be made.
 */
typedef struct {
  /**
   * Who signs.
   */
  const kuaimi_sm2_signing_key *key;
  /**
   * The message, or its digest.
   */
  kuaimi_bytes content;
  /**
   * Whether `content` is the message or the digest.
   */
  kuaimi_content_kind content_kind;
} kuaimi_sm2_sign_item;

/**
 * One signature whose public key is to be recovered.
 */
typedef struct {
  /**
   * The digest, 32 bytes.
   */
  kuaimi_bytes digest;
  /**
   * The signature.
   */
  kuaimi_bytes signature;
  /**
   * What `kuaimi_sm2_sign_digest_recoverable` gave.
   */
  uint8_t recovery_id;
  /**
   * The form of the signature.
   */
  kuaimi_signature_form form;
} kuaimi_sm2_recover_item;

/**
 * One message to be encrypted.
 */
typedef struct {
  /**
   * To whom.
   */
  const kuaimi_sm2_public_key *key;
  /**
   * The message.
   */
  kuaimi_bytes message;
  /**
   * A buffer for the ciphertext.
   */
  uint8_t *out;
  /**
   * The length of the buffer; afterwards that of the ciphertext.
   */
  size_t out_len;
} kuaimi_sm2_encrypt_item;

/**
 * One ciphertext to be decrypted.
 */
typedef struct {
  /**
   * By whom.
   */
  const kuaimi_sm2_private_key *key;
  /**
   * The ciphertext.
   */
  kuaimi_bytes ciphertext;
  /**
   * A buffer for the plaintext.
   */
  uint8_t *out;
  /**
   * The length of the buffer; afterwards that of the plaintext.
   */
  size_t out_len;
} kuaimi_sm2_decrypt_item;

/**
 * One shared secret to be computed.
 */
typedef struct {
  /**
   * One party's private key.
   */
  const kuaimi_sm2_private_key *key;
  /**
   * The other party's public key.
   */
  const kuaimi_sm2_public_key *peer;
} kuaimi_sm2_diffie_hellman_item;

/**
 * One key exchange to be answered.
 */
typedef struct {
  /**
   * The responder's private key.
   */
  const kuaimi_sm2_private_key *key;
  /**
   * The initiator's public key.
   */
  const kuaimi_sm2_public_key *peer;
  /**
   * The responder's identity; null data mean the default one.
   */
  kuaimi_bytes id;
  /**
   * The initiator's identity; null data mean the default one.
   */
  kuaimi_bytes peer_id;
  /**
   * The initiator's point, 33, 64 or 65 bytes.
   */
  kuaimi_bytes r_a;
  /**
   * Is set to the responder's point, to send to the initiator.
   */
  uint8_t r_b[65];
  /**
   * Is set to the responder's confirmation, to send to the initiator.
   */
  uint8_t s_b[32];
} kuaimi_sm2_respond_item;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/**
 * A new private key at `*out`, from the operating system's random generator. Free it with
 * `kuaimi_sm2_private_key_free`.
 *
 * Source: GB/T 32918.1-2016, clause 6.1.
 */
KUAIMI_WARN_UNUSED_RESULT kuaimi_error kuaimi_sm2_private_key_generate(kuaimi_sm2_private_key **out) KUAIMI_NONNULL(1);

/**
 * The private key that is the integer in the 32 bytes at `bytes`, most significant byte first.
 * Constant time.
 *
 * `KUAIMI_ERROR_KEY_LENGTH`: `len` is not 32. `KUAIMI_ERROR_PRIVATE_KEY_RANGE`: the integer is not
 * in `[1, n - 2]`.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_sm2_private_key_from_bytes(const uint8_t *bytes,
                                               size_t len,
                                               kuaimi_sm2_private_key **out)
KUAIMI_NONNULL(3);

/**
 * Reads the content of a key file in any form: PEM, DER or 32 bytes; PKCS#8, encrypted PKCS#8 or
 * SEC 1; DER and the 32 bytes also as hexadecimal or Base64. `password` may be null; it is not
 * used for a key that is not encrypted.
 *
 * `KUAIMI_ERROR_PASSWORD_NEEDED`, `KUAIMI_ERROR_WRONG_PASSWORD`, `KUAIMI_ERROR_NOT_A_KEY`,
 * `KUAIMI_ERROR_OTHER_KEY`, `KUAIMI_ERROR_OTHER_ALGORITHM` and the other errors from 50 on say
 * what is wrong with the file; `kuaimi_sm2_explain_private_key` says what the file is.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_sm2_private_key_read(const uint8_t *bytes,
                                         size_t len,
                                         const uint8_t *password,
                                         size_t password_len,
                                         kuaimi_sm2_private_key **out)
KUAIMI_NONNULL(5);

/**
 * Writes a private key, not encrypted. Wipe the buffer with `kuaimi_wipe` after use.
 *
 * `form`: `KUAIMI_KEY_RAW` (32 bytes), `KUAIMI_KEY_PKCS8_PEM`, `KUAIMI_KEY_PKCS8_DER`,
 * `KUAIMI_KEY_SEC1_PEM` or `KUAIMI_KEY_SEC1_DER`. PEM is ASCII text without a zero byte at the
 * end.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_sm2_private_key_write(const kuaimi_sm2_private_key *key,
                                          kuaimi_key_form form,
                                          uint8_t *out,
                                          size_t *out_len)
KUAIMI_NONNULL(1, 4);

/**
 * Writes a private key, encrypted under a password, in at most `KUAIMI_ENCRYPTED_KEY_MAX_LEN`
 * bytes, which is the size that it asks for. Takes some tenths of a second with the default
 * `encryption`, which is null.
 *
 * `form`: `KUAIMI_KEY_PKCS8_PEM` or `KUAIMI_KEY_PKCS8_DER`.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_sm2_private_key_write_encrypted(const kuaimi_sm2_private_key *key,
                                                    const uint8_t *password,
                                                    size_t password_len,
                                                    const kuaimi_password_encryption *encryption,
                                                    kuaimi_key_form form,
                                                    uint8_t *out,
                                                    size_t *out_len)
KUAIMI_NONNULL(1, 7);

/**
 * The public key that belongs to a private key, at `*out`. Free it with
 * `kuaimi_sm2_public_key_free`.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_sm2_private_key_public_key(const kuaimi_sm2_private_key *key,
                                               kuaimi_sm2_public_key **out)
KUAIMI_NONNULL(1, 2);

/**
 * Writes a key pair as an enveloped key in DER, which the holder of the `recipient`'s private key
 * can open.
 *
 * Source: GB/T 35276-2017, clause 7.4.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_sm2_private_key_write_enveloped(const kuaimi_sm2_private_key *key,
                                                    const kuaimi_sm2_public_key *recipient,
                                                    uint8_t *out,
                                                    size_t *out_len)
KUAIMI_NONNULL(1, 2, 4);

/**
 * Opens an enveloped key in DER with the recipient's private key. The key pair in it is at `*out`.
 *
 * `KUAIMI_ERROR_DECRYPTION_FAILED`: it is for another key or was altered.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_sm2_private_key_open_enveloped(const kuaimi_sm2_private_key *recipient,
                                                   const uint8_t *bytes,
                                                   size_t len,
                                                   kuaimi_sm2_private_key **out)
KUAIMI_NONNULL(1, 4);

/**
 * Wipes and frees a private key. Null is allowed.
 */
void kuaimi_sm2_private_key_free(kuaimi_sm2_private_key *key);

/**
 * The public key that is a point: 64 bytes (x and y), 65 bytes (04, x and y; or hybrid) or 33
 * bytes (02 or 03, and x). Variable time, as it is public. Free it with
 * `kuaimi_sm2_public_key_free`.
 *
 * `KUAIMI_ERROR_POINT_ENCODING` and `KUAIMI_ERROR_POINT_NOT_ON_CURVE`: it is no point.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_sm2_public_key_from_bytes(const uint8_t *bytes,
                                              size_t len,
                                              kuaimi_sm2_public_key **out)
KUAIMI_NONNULL(3);

/**
 * Reads the content of a key file in any form: PEM or DER, of a SubjectPublicKeyInfo or a
 * certificate; or a point of 33, 64 or 65 bytes; DER and points also as hexadecimal or Base64. Of
 * a certificate only the key is read: nothing else in it is checked.
 *
 * `KUAIMI_ERROR_NOT_A_KEY`, `KUAIMI_ERROR_OTHER_KEY`, `KUAIMI_ERROR_OTHER_ALGORITHM` and the other
 * errors from 50 on say what is wrong with the file; `kuaimi_sm2_explain_public_key` says what it
 * is.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_sm2_public_key_read(const uint8_t *bytes,
                                        size_t len,
                                        kuaimi_sm2_public_key **out)
KUAIMI_NONNULL(3);

/**
 * Writes a public key.
 *
 * `form`: `KUAIMI_KEY_RAW` (64 bytes, x and y), `KUAIMI_KEY_UNCOMPRESSED` (65 bytes),
 * `KUAIMI_KEY_COMPRESSED` (33 bytes), `KUAIMI_KEY_SPKI_PEM` or `KUAIMI_KEY_SPKI_DER`. PEM is ASCII
 * text without a zero byte at the end.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_sm2_public_key_write(const kuaimi_sm2_public_key *key,
                                         kuaimi_key_form form,
                                         uint8_t *out,
                                         size_t *out_len)
KUAIMI_NONNULL(1, 4);

/**
 * Makes the table of a public key now, 52 KiB: encryption of short messages takes about half the
 * time with it. The verifying keys that were made from this handle have the same table. Making it
 * takes as long as about three verifications.
 */
KUAIMI_WARN_UNUSED_RESULT kuaimi_error kuaimi_sm2_public_key_prepare(const kuaimi_sm2_public_key *key) KUAIMI_NONNULL(1);

/**
 * The identity digest `Z` of a public key and an identity: 32 bytes at `z`. `id` null means the
 * default identity.
 *
 * `KUAIMI_ERROR_IDENTITY_TOO_LONG`: more than 8191 bytes.
 *
 * Source: GB/T 32918.2-2016, clause 5.5.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_sm2_identity_digest(const kuaimi_sm2_public_key *key,
                                        const uint8_t *id,
                                        size_t id_len,
                                        uint8_t *z)
KUAIMI_NONNULL(1, 4);

/**
 * Frees a public key. Null is allowed.
 */
void kuaimi_sm2_public_key_free(kuaimi_sm2_public_key *key);

/**
 * Writes a signature in another form.
 *
 * `from`: any form. `to`: `KUAIMI_SIGNATURE_RAW` or `KUAIMI_SIGNATURE_DER`.
 *
 * `KUAIMI_ERROR_SIGNATURE_ENCODING` and the errors of DER: the bytes are no signature in the form
 * `from`.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_sm2_signature_convert(const uint8_t *signature,
                                          size_t signature_len,
                                          kuaimi_signature_form from,
                                          kuaimi_signature_form to,
                                          uint8_t *out,
                                          size_t *out_len)
KUAIMI_NONNULL(6);

/**
 * A private key that signs under the identity `id`, at `*out`. `id` null means the default
 * identity, `1234567812345678`; a pointer with `id_len` zero means the empty one. The private key
 * may be freed. Free the new key with `kuaimi_sm2_signing_key_free`.
 *
 * `KUAIMI_ERROR_IDENTITY_TOO_LONG`: more than 8191 bytes.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_sm2_signing_key_new(const kuaimi_sm2_private_key *key,
                                        const uint8_t *id,
                                        size_t id_len,
                                        kuaimi_sm2_signing_key **out)
KUAIMI_NONNULL(1, 4);

/**
 * Signs a message. Constant time in the key, and the nonce is derived from the key, the message
 * and fresh randomness together, so that a broken random generator does not give the key away.
 *
 * `form`: `KUAIMI_SIGNATURE_RAW` (64 bytes) or `KUAIMI_SIGNATURE_DER` (a buffer of 72 bytes).
 *
 * `KUAIMI_ERROR_RANDOM`: the operating system's random generator failed.
 *
 * Source: GB/T 32918.2-2016, clause 6.1.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_sm2_sign(const kuaimi_sm2_signing_key *key,
                             const uint8_t *message,
                             size_t message_len,
                             kuaimi_signature_form form,
                             uint8_t *out,
                             size_t *out_len)
KUAIMI_NONNULL(1, 6);

/**
 * As `kuaimi_sm2_sign`, with the nonce by RFC 6979 with HMAC-SM3 and no randomness: the same
 * message always gets the same signature.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_sm2_sign_deterministic(const kuaimi_sm2_signing_key *key,
                                           const uint8_t *message,
                                           size_t message_len,
                                           kuaimi_signature_form form,
                                           uint8_t *out,
                                           size_t *out_len)
KUAIMI_NONNULL(1, 6);

/**
 * As `kuaimi_sm2_sign`, for the 32 bytes `SM3(Z, message)` at `digest`, which
 * `kuaimi_sm2_signing_key_hash` helps to compute.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_sm2_sign_digest(const kuaimi_sm2_signing_key *key,
                                    const uint8_t *digest,
                                    kuaimi_signature_form form,
                                    uint8_t *out,
                                    size_t *out_len)
KUAIMI_NONNULL(1, 2, 5);

/**
 * As `kuaimi_sm2_sign_digest`, with the nonce of `kuaimi_sm2_sign_deterministic`.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_sm2_sign_digest_deterministic(const kuaimi_sm2_signing_key *key,
                                                  const uint8_t *digest,
                                                  kuaimi_signature_form form,
                                                  uint8_t *out,
                                                  size_t *out_len)
KUAIMI_NONNULL(1, 2, 5);

/**
 * As `kuaimi_sm2_sign_digest`, with the number 0 to 3 that `kuaimi_sm2_recover` needs, at
 * `recovery_id`.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_sm2_sign_digest_recoverable(const kuaimi_sm2_signing_key *key,
                                                const uint8_t *digest,
                                                kuaimi_signature_form form,
                                                uint8_t *out,
                                                size_t *out_len,
                                                uint8_t *recovery_id)
KUAIMI_NONNULL(1, 2, 5, 6);

/**
 * A hash that has absorbed the identity digest `Z` of a signing key, at `*out`: absorb the message
 * in pieces with `kuaimi_sm3_update`, and sign the digest that `kuaimi_sm3_finish` gives with
 * `kuaimi_sm2_sign_digest`. The hash serves one message: take another from here for the next. Free
 * it with `kuaimi_sm3_free`.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_sm2_signing_key_hash(const kuaimi_sm2_signing_key *key,
                                         kuaimi_sm3 **out)
KUAIMI_NONNULL(1, 2);

/**
 * Wipes and frees a signing key. Null is allowed.
 */
void kuaimi_sm2_signing_key_free(kuaimi_sm2_signing_key *key);

/**
 * A public key that verifies under the identity `id`, at `*out`. `id` null means the default
 * identity, `1234567812345678`; a pointer with `id_len` zero means the empty one. The two keys
 * share one table. The public key may be freed. Free the new key with
 * `kuaimi_sm2_verifying_key_free`.
 *
 * `KUAIMI_ERROR_IDENTITY_TOO_LONG`: more than 8191 bytes.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_sm2_verifying_key_new(const kuaimi_sm2_public_key *key,
                                          const uint8_t *id,
                                          size_t id_len,
                                          kuaimi_sm2_verifying_key **out)
KUAIMI_NONNULL(1, 4);

/**
 * Makes the table of a key now, 52 KiB: verification takes about a third of the time with it.
 * Making it takes as long as about three verifications.
 */
KUAIMI_WARN_UNUSED_RESULT kuaimi_error kuaimi_sm2_verifying_key_prepare(const kuaimi_sm2_verifying_key *key) KUAIMI_NONNULL(1);

/**
 * Verifies a signature over a message. Variable time, as all of it is public.
 *
 * `KUAIMI_ERROR_INVALID_SIGNATURE`: it is not this key's signature over this message under its
 * identity, or no signature in the form `form`. `kuaimi_sm2_explain_signature` looks for what it
 * fits instead.
 *
 * Source: GB/T 32918.2-2016, clause 7.1.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_sm2_verify(const kuaimi_sm2_verifying_key *key,
                               const uint8_t *message,
                               size_t message_len,
                               const uint8_t *signature,
                               size_t signature_len,
                               kuaimi_signature_form form)
KUAIMI_NONNULL(1);

/**
 * As `kuaimi_sm2_verify`, for the 32 bytes `SM3(Z, message)` at `digest`, which
 * `kuaimi_sm2_verifying_key_hash` helps to compute.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_sm2_verify_digest(const kuaimi_sm2_verifying_key *key,
                                      const uint8_t *digest,
                                      const uint8_t *signature,
                                      size_t signature_len,
                                      kuaimi_signature_form form)
KUAIMI_NONNULL(1, 2);

/**
 * A hash that has absorbed the identity digest `Z` of a verifying key, at `*out`: see
 * `kuaimi_sm2_signing_key_hash`.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_sm2_verifying_key_hash(const kuaimi_sm2_verifying_key *key,
                                           kuaimi_sm3 **out)
KUAIMI_NONNULL(1, 2);

/**
 * Frees a verifying key. Null is allowed.
 */
void kuaimi_sm2_verifying_key_free(kuaimi_sm2_verifying_key *key);

/**
 * The public key, at `*out`, under which `signature` is valid for the 32 bytes at `digest`.
 * `recovery_id` is what `kuaimi_sm2_sign_digest_recoverable` gave. Variable time. As every
 * identity leads to some key, compare it with one that you trust.
 *
 * `KUAIMI_ERROR_NOT_RECOVERABLE`: there is none. `KUAIMI_ERROR_RECOVERY_ID`: `recovery_id` is
 * above 3.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_sm2_recover(const uint8_t *digest,
                                const uint8_t *signature,
                                size_t signature_len,
                                uint8_t recovery_id,
                                kuaimi_signature_form form,
                                kuaimi_sm2_public_key **out)
KUAIMI_NONNULL(1, 6);

/**
 * Encrypts a message of at least one byte. Constant time in the message but for its length.
 *
 * `form`: any but `KUAIMI_SM2_CIPHERTEXT_DER_LENIENT` and `KUAIMI_SM2_CIPHERTEXT_ANY`. In DER, the
 * size that it asks for may be some bytes more than it writes.
 *
 * `KUAIMI_ERROR_EMPTY_MESSAGE`: there is nothing to encrypt. `KUAIMI_ERROR_RANDOM`: the random
 * generator failed.
 *
 * Source: GB/T 32918.4-2016, clause 6.1.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_sm2_encrypt(const kuaimi_sm2_public_key *key,
                                const uint8_t *message,
                                size_t message_len,
                                kuaimi_sm2_ciphertext_form form,
                                uint8_t *out,
                                size_t *out_len)
KUAIMI_NONNULL(1, 6);

/**
 * Decrypts a ciphertext. Constant time in the key and the plaintext but for its length. A
 * plaintext is written only after it was found to be right.
 *
 * `KUAIMI_ERROR_DECRYPTION_FAILED`: for whatever reason.
 *
 * Source: GB/T 32918.4-2016, clause 7.1.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_sm2_decrypt(const kuaimi_sm2_private_key *key,
                                const uint8_t *ciphertext,
                                size_t ciphertext_len,
                                kuaimi_sm2_ciphertext_form form,
                                uint8_t *out,
                                size_t *out_len)
KUAIMI_NONNULL(1, 6);

/**
 * Writes a ciphertext in another form, without a key.
 *
 * `from`: any form but `KUAIMI_SM2_CIPHERTEXT_ANY`. `to`: one of the first five.
 *
 * `KUAIMI_ERROR_CIPHERTEXT_ENCODING` and the errors of points and DER: the bytes are no ciphertext
 * in the form `from`.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_sm2_ciphertext_convert(const uint8_t *ciphertext,
                                           size_t ciphertext_len,
                                           kuaimi_sm2_ciphertext_form from,
                                           kuaimi_sm2_ciphertext_form to,
                                           uint8_t *out,
                                           size_t *out_len)
KUAIMI_NONNULL(6);

/**
 * The initiator's first step. `key` and `id` are the initiator's own, `peer` and `peer_id` the
 * responder's; an identity that is null means the default one. Send the 65 bytes at `r_a` to the
 * responder. Free the initiator with `kuaimi_sm2_initiator_free`.
 *
 * Source: GB/T 32918.3-2016, clause 6.1, steps A1 to A3.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_sm2_exchange_start(const kuaimi_sm2_private_key *key,
                                       const kuaimi_sm2_public_key *peer,
                                       const uint8_t *id,
                                       size_t id_len,
                                       const uint8_t *peer_id,
                                       size_t peer_id_len,
                                       kuaimi_sm2_initiator **out,
                                       uint8_t *r_a)
KUAIMI_NONNULL(1, 2, 7, 8);

/**
 * The responder's step. `key` and `id` are the responder's own, `peer` and `peer_id` the
 * initiator's, `r_a` the initiator's point (33, 64 or 65 bytes), and `shared_len` the length of
 * the key to agree on. Send the 65 bytes at `r_b` and the 32 bytes at `s_b` to the initiator. Free
 * the response with `kuaimi_sm2_response_free`.
 *
 * `KUAIMI_ERROR_POINT_ENCODING`, `KUAIMI_ERROR_POINT_NOT_ON_CURVE`: `r_a` is no point.
 * `KUAIMI_ERROR_DERIVED_KEY_LENGTH`: `shared_len` is zero or too large.
 *
 * Source: GB/T 32918.3-2016, clause 6.1, steps B1 to B8.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_sm2_exchange_respond(const kuaimi_sm2_private_key *key,
                                         const kuaimi_sm2_public_key *peer,
                                         const uint8_t *id,
                                         size_t id_len,
                                         const uint8_t *peer_id,
                                         size_t peer_id_len,
                                         const uint8_t *r_a,
                                         size_t r_a_len,
                                         size_t shared_len,
                                         kuaimi_sm2_response **out,
                                         uint8_t *r_b,
                                         uint8_t *s_b)
KUAIMI_NONNULL(1, 2, 10, 11, 12);

/**
 * The initiator's last step: `r_b` and `s_b` are the responder's point and confirmation. The
 * shared key of `shared_len` bytes is written to `shared`. Send the 32 bytes at `s_a` to the
 * responder. Whether it succeeds or not, the initiator cannot be used again, unless an argument
 * was wrong (errors 10 to 23).
 *
 * `KUAIMI_ERROR_CONFIRMATION_FAILED`: the responder does not hold the same key.
 *
 * Source: GB/T 32918.3-2016, clause 6.1, steps A4 to A10.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_sm2_initiator_finish(kuaimi_sm2_initiator *initiator,
                                         const uint8_t *r_b,
                                         size_t r_b_len,
                                         const uint8_t *s_b,
                                         uint8_t *shared,
                                         size_t shared_len,
                                         uint8_t *s_a)
KUAIMI_NONNULL(1, 4, 7);

/**
 * As `kuaimi_sm2_initiator_finish`, without confirmations: a wrong peer shows only when the keys
 * do not fit.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_sm2_initiator_finish_unconfirmed(kuaimi_sm2_initiator *initiator,
                                                     const uint8_t *r_b,
                                                     size_t r_b_len,
                                                     uint8_t *shared,
                                                     size_t shared_len)
KUAIMI_NONNULL(1);

/**
 * Writes what a process needs to go on with `kuaimi_sm2_initiator_finish` later, a secret: keep it
 * where only its owner can read or write it. The initiator can still be used.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_sm2_initiator_to_bytes(const kuaimi_sm2_initiator *initiator,
                                           uint8_t *out,
                                           size_t *out_len)
KUAIMI_NONNULL(1, 3);

/**
 * The initiator that `kuaimi_sm2_initiator_to_bytes` wrote. `key` is the private key that it
 * started with.
 *
 * `KUAIMI_ERROR_EXCHANGE_STATE`: the bytes are no such state. `KUAIMI_ERROR_EXCHANGE_KEY`: it is
 * another private key.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_sm2_initiator_from_bytes(const kuaimi_sm2_private_key *key,
                                             const uint8_t *bytes,
                                             size_t len,
                                             kuaimi_sm2_initiator **out)
KUAIMI_NONNULL(1, 4);

/**
 * Wipes and frees an initiator. Null is allowed.
 */
void kuaimi_sm2_initiator_free(kuaimi_sm2_initiator *initiator);

/**
 * The responder's last step: `s_a` is the initiator's confirmation. The shared key, of the length
 * that `kuaimi_sm2_exchange_respond` was given, is written to `shared`. Whether it succeeds or
 * not, the response cannot be used again, unless an argument was wrong (errors 10 to 13).
 *
 * `KUAIMI_ERROR_CONFIRMATION_FAILED`: the initiator does not hold the same key.
 * `KUAIMI_ERROR_DERIVED_KEY_LENGTH`: `shared_len` is another length.
 *
 * Source: GB/T 32918.3-2016, clause 6.1, step B10.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_sm2_response_confirm(kuaimi_sm2_response *response,
                                         const uint8_t *s_a,
                                         uint8_t *shared,
                                         size_t shared_len)
KUAIMI_NONNULL(1, 2);

/**
 * As `kuaimi_sm2_response_confirm`, without a confirmation: a wrong peer shows only when the keys
 * do not fit.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_sm2_response_key_unconfirmed(kuaimi_sm2_response *response,
                                                 uint8_t *shared,
                                                 size_t shared_len)
KUAIMI_NONNULL(1);

/**
 * Writes what a process needs to go on with `kuaimi_sm2_response_confirm` later, a secret: keep it
 * where only its owner can read or write it. The response can still be used.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_sm2_response_to_bytes(const kuaimi_sm2_response *response,
                                          uint8_t *out,
                                          size_t *out_len)
KUAIMI_NONNULL(1, 3);

/**
 * The response that `kuaimi_sm2_response_to_bytes` wrote.
 *
 * `KUAIMI_ERROR_EXCHANGE_STATE`: the bytes are no such state.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_sm2_response_from_bytes(const uint8_t *bytes,
                                            size_t len,
                                            kuaimi_sm2_response **out)
KUAIMI_NONNULL(3);

/**
 * Wipes and frees a response. Null is allowed.
 */
void kuaimi_sm2_response_free(kuaimi_sm2_response *response);

/**
 * A cache of at most `capacity` bytes, at `*out`; a key takes 52 KiB. Free it with
 * `kuaimi_sm2_key_cache_free`.
 */
KUAIMI_WARN_UNUSED_RESULT kuaimi_error kuaimi_sm2_key_cache_new(size_t capacity, kuaimi_sm2_key_cache **out) KUAIMI_NONNULL(2);

/**
 * Verifies as `kuaimi_sm2_verify`, with a table from the second use of the public key on.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_sm2_key_cache_verify(const kuaimi_sm2_key_cache *cache,
                                         const kuaimi_sm2_verifying_key *key,
                                         const uint8_t *message,
                                         size_t message_len,
                                         const uint8_t *signature,
                                         size_t signature_len,
                                         kuaimi_signature_form form)
KUAIMI_NONNULL(1, 2);

/**
 * Verifies as `kuaimi_sm2_verify_digest`, with a table from the second use of the public key on.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_sm2_key_cache_verify_digest(const kuaimi_sm2_key_cache *cache,
                                                const kuaimi_sm2_verifying_key *key,
                                                const uint8_t *digest,
                                                const uint8_t *signature,
                                                size_t signature_len,
                                                kuaimi_signature_form form)
KUAIMI_NONNULL(1, 2, 3);

/**
 * Verifies as `kuaimi_sm2_verify_batch`, with the tables of the cache. Keys that come back, in
 * this batch or in another, get one.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_sm2_key_cache_verify_batch(const kuaimi_sm2_key_cache *cache,
                                               const kuaimi_sm2_verify_item *items,
                                               size_t count,
                                               kuaimi_error *results)
KUAIMI_NONNULL(1);

/**
 * What the cache holds and has done.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_sm2_key_cache_get_stats(const kuaimi_sm2_key_cache *cache,
                                            kuaimi_cache_stats *stats)
KUAIMI_NONNULL(1, 2);

/**
 * Drops all tables, and forgets which keys were seen.
 */
KUAIMI_WARN_UNUSED_RESULT kuaimi_error kuaimi_sm2_key_cache_clear(const kuaimi_sm2_key_cache *cache) KUAIMI_NONNULL(1);

/**
 * Frees a cache. Null is allowed.
 */
void kuaimi_sm2_key_cache_free(kuaimi_sm2_key_cache *cache);

/**
 * A pool of at most `capacity` nonces of 128 bytes each, and never more than 2²⁰ of them, at
 * `*out`. Its thread starts to fill it at once. Free it with `kuaimi_sm2_nonce_pool_free`.
 *
 * `KUAIMI_ERROR_RANDOM`: the operating system's random generator failed.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_sm2_nonce_pool_new(size_t capacity,
                                       kuaimi_sm2_nonce_pool **out)
KUAIMI_NONNULL(2);

/**
 * Signs as `kuaimi_sm2_sign`, with a nonce of the pool if one is ready. Does not wait.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_sm2_nonce_pool_sign(const kuaimi_sm2_nonce_pool *pool,
                                        const kuaimi_sm2_signing_key *key,
                                        const uint8_t *message,
                                        size_t message_len,
                                        kuaimi_signature_form form,
                                        uint8_t *out,
                                        size_t *out_len)
KUAIMI_NONNULL(1, 2, 7);

/**
 * Signs as `kuaimi_sm2_sign_digest`, with a nonce of the pool if one is ready. Does not wait.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_sm2_nonce_pool_sign_digest(const kuaimi_sm2_nonce_pool *pool,
                                               const kuaimi_sm2_signing_key *key,
                                               const uint8_t *digest,
                                               kuaimi_signature_form form,
                                               uint8_t *out,
                                               size_t *out_len)
KUAIMI_NONNULL(1, 2, 3, 6);

/**
 * What the pool holds and has done.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_sm2_nonce_pool_get_stats(const kuaimi_sm2_nonce_pool *pool,
                                             kuaimi_sm2_nonce_pool_stats *stats)
KUAIMI_NONNULL(1, 2);

/**
 * Wipes the nonces, ends the pool's thread and frees it. Null is allowed.
 */
void kuaimi_sm2_nonce_pool_free(kuaimi_sm2_nonce_pool *pool);

/**
 * Why a signature may not fit, as a sentence in English at `out`, such as "it fits under the empty
 * identity". What people often get wrong is tried: another identity, the message in hexadecimal or
 * Base64 or with another end of line, a digest in place of the message, r and s swapped or
 * reversed. **It is a hint for people, and makes no signature valid.** All values are public; the
 * time is variable, and bounded: about a second.
 *
 * `id` null means the default identity. `form`: any form of a signature. There is a sentence
 * always, also for a signature that fits, for bytes that are none, and where no reason was found.
 * It has no zero byte at its end.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_sm2_explain_signature(const kuaimi_sm2_public_key *key,
                                          const uint8_t *id,
                                          size_t id_len,
                                          const uint8_t *message,
                                          size_t message_len,
                                          const uint8_t *signature,
                                          size_t signature_len,
                                          kuaimi_signature_form form,
                                          uint8_t *out,
                                          size_t *out_len)
KUAIMI_NONNULL(1, 10);

/**
 * As `kuaimi_sm2_explain_signature`, for the 32 bytes at `digest` in place of the identity and the
 * message: see `kuaimi_sm2_verify_digest`.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_sm2_explain_digest_signature(const kuaimi_sm2_public_key *key,
                                                 const uint8_t *digest,
                                                 const uint8_t *signature,
                                                 size_t signature_len,
                                                 kuaimi_signature_form form,
                                                 uint8_t *out,
                                                 size_t *out_len)
KUAIMI_NONNULL(1, 2, 7);

/**
 * What the content of a file is, if `kuaimi_sm2_private_key_read` with the same arguments does not
 * read it, as a sentence in English at `out`: a certificate request, a key on another curve, a
 * password that is missing. There is a sentence always, also for a key that is read. It has no
 * zero byte at its end, and nothing of the key in it.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_sm2_explain_private_key(const uint8_t *bytes,
                                            size_t len,
                                            const uint8_t *password,
                                            size_t password_len,
                                            uint8_t *out,
                                            size_t *out_len)
KUAIMI_NONNULL(6);

/**
 * What the content of a file is, if `kuaimi_sm2_public_key_read` does not read it: see
 * `kuaimi_sm2_explain_private_key`.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_sm2_explain_public_key(const uint8_t *bytes,
                                           size_t len,
                                           uint8_t *out,
                                           size_t *out_len)
KUAIMI_NONNULL(4);

/**
 * Makes `count` private keys from the operating system's random generator, with handles at
 * `keys[0]` to `keys[count - 1]`. An item that fails has a null handle. `results` has one result
 * for each; the function returns `KUAIMI_OK` if all are.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_sm2_private_key_generate_batch(kuaimi_sm2_private_key **keys,
                                                   size_t count,
                                                   kuaimi_error *results);

/**
 * Makes the signatures of all items: 64 bytes each, r and s, one after another at `signatures`.
 * `results` has one result for each item; the function returns `KUAIMI_OK` if all are, and else
 * the first that is not. Constant time as `kuaimi_sm2_sign`.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_sm2_sign_batch(const kuaimi_sm2_sign_item *items,
                                   size_t count,
                                   uint8_t *signatures,
                                   kuaimi_error *results);

/**
 * Verifies all items. `results` has one result for each, `KUAIMI_OK` or
 * `KUAIMI_ERROR_INVALID_SIGNATURE` if the item's other fields are right; the function returns
 * `KUAIMI_OK` if all are, and else the first that is not. Any mixture of keys, messages
 * and digests. A key with six signatures or more in the batch gets a table for it.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_sm2_verify_batch(const kuaimi_sm2_verify_item *items,
                                     size_t count,
                                     kuaimi_error *results);

/**
 * Recovers the public keys of all items, with handles at `keys[0]` to `keys[count - 1]`. An item
 * that fails has a null handle. `results` has one result for each; the function returns
 * `KUAIMI_OK` if all are, and else the first that is not.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_sm2_recover_batch(const kuaimi_sm2_recover_item *items,
                                      size_t count,
                                      kuaimi_sm2_public_key **keys,
                                      kuaimi_error *results);

/**
 * Encrypts the messages of all items into their buffers, in one form: see `kuaimi_sm2_encrypt`.
 * `results` has one result for each; the function returns `KUAIMI_OK` if all are, and else the
 * first that is not. With `KUAIMI_ERROR_BUFFER_TOO_SMALL`, the item's `out_len` is what it needs.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_sm2_encrypt_batch(kuaimi_sm2_encrypt_item *items,
                                      size_t count,
                                      kuaimi_sm2_ciphertext_form form,
                                      kuaimi_error *results);

/**
 * Decrypts the ciphertexts of all items into their buffers, from one form: see
 * `kuaimi_sm2_decrypt`; not `KUAIMI_SM2_CIPHERTEXT_ANY`. `results` has one result for each; the
 * function returns `KUAIMI_OK` if all are, and else the first that is not. With
 * `KUAIMI_ERROR_BUFFER_TOO_SMALL`, the item's `out_len` is what it needs.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_sm2_decrypt_batch(kuaimi_sm2_decrypt_item *items,
                                      size_t count,
                                      kuaimi_sm2_ciphertext_form form,
                                      kuaimi_error *results);

/**
 * Computes the shared secrets of plain Diffie-Hellman of all items: the x-coordinate of the
 * product of the private key and the public key, 32 bytes each, one after another at `secrets`.
 * This is what TLS 1.3 does with the group `curveSM2` (RFC 8998); the standard's key exchange,
 * which authenticates both parties, is `kuaimi_sm2_initiator`. Use a fresh private key for each
 * exchange, and derive keys from the secret with a KDF that also takes in both public keys.
 * `results` has one result for each item; the function returns `KUAIMI_OK` if all are, and else
 * the first that is not. The secret of an item that fails is zeros. Constant time in the private
 * keys.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_sm2_diffie_hellman_batch(const kuaimi_sm2_diffie_hellman_item *items,
                                             size_t count,
                                             uint8_t *secrets,
                                             kuaimi_error *results);

/**
 * Answers all items: for each what `kuaimi_sm2_exchange_respond` does, with shared keys of
 * `shared_len` bytes, and handles at `responses[0]` to `responses[count - 1]`. For servers that
 * have many initiators. An item that fails has a null handle, and zeros for the initiator.
 * `results` has one result for each; the function returns `KUAIMI_OK` if all are, and else the
 * first that is not. Constant time as `kuaimi_sm2_exchange_respond`.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_sm2_exchange_respond_batch(kuaimi_sm2_respond_item *items,
                                               size_t count,
                                               size_t shared_len,
                                               kuaimi_sm2_response **responses,
                                               kuaimi_error *results);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* KUAIMI_SM2_H */
