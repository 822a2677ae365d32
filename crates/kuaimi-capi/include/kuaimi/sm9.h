/*
 * SM9: the centre, signatures, encryption, encapsulation, key exchange. The rules for all functions are in kuaimi.h.
 *
 * MIT OR Apache-2.0. Made from the Rust sources by cbindgen: do not edit.
 */

#ifndef KUAIMI_SM9_H
#define KUAIMI_SM9_H

#include "base.h"
#include "form.h"

/**
 * The length of an SM9 signature in the form `KUAIMI_SIGNATURE_RAW`.
 */
#define KUAIMI_SM9_SIGNATURE_LEN 96

/**
 * The length of an SM9 signature in DER.
 */
#define KUAIMI_SM9_SIGNATURE_DER_LEN 104

/**
 * The most bytes that a ciphertext takes more than its message, in any mode and form: the header
 * of DER, an initial value and padding.
 */
#define KUAIMI_SM9_CIPHERTEXT_OVERHEAD 192

/**
 * The length of a point with its first byte 04, as encapsulation and key exchange write it.
 */
#define KUAIMI_SM9_POINT_LEN 65

/**
 * How SM9 encrypts a message. The numbers are the `EnType` of GB/T 41389.
 */
typedef enum {
  /**
   * A key stream as long as the message: the usual mode.
   */
  KUAIMI_SM9_MODE_STREAM = 0,
  /**
   * SM4-ECB with padding. It shows which blocks of the message are equal.
   */
  KUAIMI_SM9_MODE_ECB = 1,
  /**
   * SM4-CBC with padding.
   */
  KUAIMI_SM9_MODE_CBC = 2,
  /**
   * SM4-OFB.
   */
  KUAIMI_SM9_MODE_OFB = 4,
  /**
   * SM4-CFB.
   */
  KUAIMI_SM9_MODE_CFB = 8,
} kuaimi_sm9_mode;

/**
 * How SM9 authenticates a ciphertext.
 */
typedef enum {
  /**
   * The standard's: SM3 over the ciphertext and the key.
   */
  KUAIMI_SM9_MAC_SM3 = 0,
  /**
   * GmSSL's: HMAC-SM3.
   */
  KUAIMI_SM9_MAC_HMAC_SM3 = 1,
} kuaimi_sm9_mac;

/**
 * A form of an SM9 ciphertext.
 */
typedef enum {
  /**
   * DER (GB/T 41389), which names the mode.
   */
  KUAIMI_SM9_CIPHERTEXT_DER = 0,
  /**
   * Point (64 bytes), digest (32 bytes), encrypted message. It does not name the mode.
   */
  KUAIMI_SM9_CIPHERTEXT_RAW = 1,
} kuaimi_sm9_ciphertext_form;

/**
 * A user's key for SM9 decryption and decapsulation. Threads may share it.
 */
typedef struct kuaimi_sm9_decryption_key kuaimi_sm9_decryption_key;

/**
 * A user's public key for SM9 encryption: an identity under a master public key. Threads may share
 * it.
 */
typedef struct kuaimi_sm9_encryption_key kuaimi_sm9_encryption_key;

/**
 * A user's key for SM9 key exchange. Threads may share it.
 */
typedef struct kuaimi_sm9_exchange_key kuaimi_sm9_exchange_key;

/**
 * A bounded store of identities under one master public key, with their tables, for verifying keys
 * that come and go. An identity gets a table at its second use, and loses it when the memory is
 * needed for others that were used later. Threads may share it.
 */
typedef struct kuaimi_sm9_identity_cache kuaimi_sm9_identity_cache;

/**
 * The initiator of a key exchange, waiting for the responder's point. It finishes once.
 */
typedef struct kuaimi_sm9_initiator kuaimi_sm9_initiator;

/**
 * A master key for encryption and key exchange, with its public key: the secret of the key
 * generation centre. Threads may share it.
 */
typedef struct kuaimi_sm9_master_encryption_key kuaimi_sm9_master_encryption_key;

/**
 * A master public key for encryption and key exchange, which all users know. Threads may share it.
 */
typedef struct kuaimi_sm9_master_encryption_public_key kuaimi_sm9_master_encryption_public_key;

/**
 * A master key for signatures, with its public key: the secret of the key generation centre.
 * Threads may share it.
 */
typedef struct kuaimi_sm9_master_signing_key kuaimi_sm9_master_signing_key;

/**
 * A master public key for signatures, which all users know. Threads may share it.
 */
typedef struct kuaimi_sm9_master_signing_public_key kuaimi_sm9_master_signing_public_key;

/**
 * A message on its way into SM9 signatures: it is read once, and serves signing and verifying
 * under any number of keys.
 */
typedef struct kuaimi_sm9_message_hash kuaimi_sm9_message_hash;

/**
 * The responder of a key exchange, waiting for the initiator's confirmation. It gives its key
 * once.
 */
typedef struct kuaimi_sm9_response kuaimi_sm9_response;

/**
 * A user's key for SM9 signatures. Threads may share it.
 */
typedef struct kuaimi_sm9_signing_key kuaimi_sm9_signing_key;

/**
 * A user's public key for SM9 signatures: an identity under a master public key. Threads may share
 * it.
 */
typedef struct kuaimi_sm9_verifying_key kuaimi_sm9_verifying_key;

/**
 * A user among many: the identity, and the function identifier.
 */
typedef struct {
  /**
   * The identity: a name, a mail address, a number. Not empty.
   */
  kuaimi_bytes id;
  /**
   * The function identifier; 0 means the usual one for the operation.
   */
  uint8_t hid;
} kuaimi_sm9_identity;

/**
 * The choices of who encrypts with SM9. Who decrypts must know them, but for the mode in DER,
 * which is then ignored. Where a function takes a pointer to it, null means all zeros: a key
 * stream, the standard's authentication, DER.
 */
typedef struct {
  /**
   * How the message is encrypted.
   */
  kuaimi_sm9_mode mode;
  /**
   * How the ciphertext is authenticated.
   */
  kuaimi_sm9_mac mac;
  /**
   * How the ciphertext is written.
   */
  kuaimi_sm9_ciphertext_form form;
} kuaimi_sm9_options;

/**
 * One signature to be verified.
 */
typedef struct {
  /**
   * Whose signature it should be.
   */
  const kuaimi_sm9_verifying_key *key;
  /**
   * The message.
   */
  kuaimi_bytes message;
  /**
   * The signature.
   */
  kuaimi_bytes signature;
  /**
   * The form of the signature.
   */
  kuaimi_signature_form form;
} kuaimi_sm9_verify_item;

/**
 * One signature to be made.
 */
typedef struct {
  /**
   * Who signs.
   */
  const kuaimi_sm9_signing_key *key;
  /**
   * The message.
   */
  kuaimi_bytes message;
} kuaimi_sm9_sign_item;

/**
 * One message to be encrypted.
 */
typedef struct {
  /**
   * To whom.
   */
  const kuaimi_sm9_encryption_key *key;
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
} kuaimi_sm9_encrypt_item;

/**
 * One ciphertext to be decrypted.
 */
typedef struct {
  /**
   * By whom.
   */
  const kuaimi_sm9_decryption_key *key;
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
} kuaimi_sm9_decrypt_item;

/**
 * One key to be encapsulated.
 */
typedef struct {
  /**
   * To whom.
   */
  const kuaimi_sm9_encryption_key *key;
  /**
   * A place for the key.
   */
  uint8_t *derived;
  /**
   * The length of the key.
   */
  size_t derived_len;
  /**
   * A place for 65 bytes, the point to send.
   */
  uint8_t *c;
} kuaimi_sm9_encapsulate_item;

/**
 * One key to be decapsulated.
 */
typedef struct {
  /**
   * By whom.
   */
  const kuaimi_sm9_decryption_key *key;
  /**
   * The point: 33, 64 or 65 bytes.
   */
  kuaimi_bytes c;
  /**
   * A place for the key.
   */
  uint8_t *derived;
  /**
   * The length of the key.
   */
  size_t derived_len;
} kuaimi_sm9_decapsulate_item;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/**
 * A new master key at `*out`, from the operating system's random generator. Free it with
 * `kuaimi_sm9_master_signing_key_free`.
 *
 * Source: GB/T 38635.2-2020, clause 6.1.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_sm9_master_signing_key_generate(kuaimi_sm9_master_signing_key **out)
KUAIMI_NONNULL(1);

/**
 * The master key that is the integer in the 32 bytes at `bytes`, most significant byte first.
 * Constant time.
 *
 * `KUAIMI_ERROR_KEY_LENGTH`: `len` is not 32. `KUAIMI_ERROR_PRIVATE_KEY_RANGE`: the integer is not
 * in `[1, N - 1]`.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_sm9_master_signing_key_from_bytes(const uint8_t *bytes,
                                                      size_t len,
                                                      kuaimi_sm9_master_signing_key **out)
KUAIMI_NONNULL(3);

/**
 * Reads the content of a key file: PKCS#8, encrypted or not, in PEM, DER, hexadecimal or Base64.
 * `password` may be null; it is not used for a key that is not encrypted.
 *
 * The errors from 50 on say what is wrong with the file.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_sm9_master_signing_key_read(const uint8_t *bytes,
                                                size_t len,
                                                const uint8_t *password,
                                                size_t password_len,
                                                kuaimi_sm9_master_signing_key **out)
KUAIMI_NONNULL(5);

/**
 * Writes a master key, not encrypted. Wipe the buffer with `kuaimi_wipe` after use.
 *
 * `form`: `KUAIMI_KEY_RAW` (32 bytes), `KUAIMI_KEY_DER`, `KUAIMI_KEY_PKCS8_PEM` or
 * `KUAIMI_KEY_PKCS8_DER`.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_sm9_master_signing_key_write(const kuaimi_sm9_master_signing_key *key,
                                                 kuaimi_key_form form,
                                                 uint8_t *out,
                                                 size_t *out_len)
KUAIMI_NONNULL(1, 4);

/**
 * Writes a master key, encrypted under a password: see `kuaimi_sm2_private_key_write_encrypted`.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_sm9_master_signing_key_write_encrypted(const kuaimi_sm9_master_signing_key *key,
                                                           const uint8_t *password,
                                                           size_t password_len,
                                                           const kuaimi_password_encryption *encryption,
                                                           kuaimi_key_form form,
                                                           uint8_t *out,
                                                           size_t *out_len)
KUAIMI_NONNULL(1, 7);

/**
 * The master public key that belongs to a master key, at `*out`. Free it with
 * `kuaimi_sm9_master_signing_public_key_free`.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_sm9_master_signing_key_public_key(const kuaimi_sm9_master_signing_key *key,
                                                      kuaimi_sm9_master_signing_public_key **out)
KUAIMI_NONNULL(1, 2);

/**
 * The signing key of the user `id` at `*out`. `hid` is the function identifier; 0 means the usual
 * one, 1. Free the key with `kuaimi_sm9_signing_key_free`.
 *
 * `KUAIMI_ERROR_EMPTY_IDENTITY`. `KUAIMI_ERROR_UNUSABLE_MASTER_KEY`: this master key cannot serve
 * this identity, which does not happen by chance.
 *
 * Source: GB/T 38635.2-2020, clause 6.1.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_sm9_master_signing_key_extract(const kuaimi_sm9_master_signing_key *master,
                                                   const uint8_t *id,
                                                   size_t id_len,
                                                   uint8_t hid,
                                                   kuaimi_sm9_signing_key **out)
KUAIMI_NONNULL(1, 5);

/**
 * As `kuaimi_sm9_master_signing_key_extract`, for many users: faster than one by one. The handles
 * are at `keys[0]` to `keys[count - 1]`; one that fails is null. `results` has one result for
 * each; the function returns `KUAIMI_OK` if all are, and else the first that is not.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_sm9_master_signing_key_extract_batch(const kuaimi_sm9_master_signing_key *master,
                                                         const kuaimi_sm9_identity *identities,
                                                         size_t count,
                                                         kuaimi_sm9_signing_key **keys,
                                                         kuaimi_error *results)
KUAIMI_NONNULL(1);

/**
 * Wipes and frees a master key. Null is allowed.
 */
void kuaimi_sm9_master_signing_key_free(kuaimi_sm9_master_signing_key *key);

/**
 * The master public key that is a point: 128 bytes (coordinates), 129 bytes (after 04), or 65
 * bytes (compressed).
 *
 * `KUAIMI_ERROR_POINT_ENCODING` and `KUAIMI_ERROR_POINT_NOT_ON_CURVE`: it is no point.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_sm9_master_signing_public_key_from_bytes(const uint8_t *bytes,
                                                             size_t len,
                                                             kuaimi_sm9_master_signing_public_key **out)
KUAIMI_NONNULL(3);

/**
 * Reads the content of a key file: SubjectPublicKeyInfo, or GmSSL's form, in PEM, DER, hexadecimal
 * or Base64.
 *
 * The errors from 50 on say what is wrong with the file.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_sm9_master_signing_public_key_read(const uint8_t *bytes,
                                                       size_t len,
                                                       kuaimi_sm9_master_signing_public_key **out)
KUAIMI_NONNULL(3);

/**
 * Writes a master public key.
 *
 * `form`: `KUAIMI_KEY_RAW` (128 bytes), `KUAIMI_KEY_UNCOMPRESSED` (129 bytes), `KUAIMI_KEY_DER`,
 * `KUAIMI_KEY_SPKI_PEM`, `KUAIMI_KEY_SPKI_DER` or `KUAIMI_KEY_GMSSL_PEM`.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_sm9_master_signing_public_key_write(const kuaimi_sm9_master_signing_public_key *key,
                                                        kuaimi_key_form form,
                                                        uint8_t *out,
                                                        size_t *out_len)
KUAIMI_NONNULL(1, 4);

/**
 * Makes the table of a master public key now, 76 KiB, which all keys under it share: signing and
 * verification are faster with it.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_sm9_master_signing_public_key_prepare(const kuaimi_sm9_master_signing_public_key *key)
KUAIMI_NONNULL(1);

/**
 * Frees a master public key. Null is allowed.
 */
void kuaimi_sm9_master_signing_public_key_free(kuaimi_sm9_master_signing_public_key *key);

/**
 * The key that is the point of 64 bytes, or 65 bytes after 04, at `bytes`, of the user `id` under
 * a master public key. `hid` is the function identifier; 0 means the usual one, 1. It is checked
 * that they belong together. Free the key with `kuaimi_sm9_signing_key_free`.
 *
 * `KUAIMI_ERROR_USER_KEY_MISMATCH`: they do not.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_sm9_signing_key_from_bytes(const kuaimi_sm9_master_signing_public_key *master,
                                               const uint8_t *bytes,
                                               size_t len,
                                               const uint8_t *id,
                                               size_t id_len,
                                               uint8_t hid,
                                               kuaimi_sm9_signing_key **out)
KUAIMI_NONNULL(1, 7);

/**
 * Reads the content of a key file of the user `id`: PKCS#8, encrypted or not, with the master
 * public key, in PEM, DER, hexadecimal or Base64. `password` may be null. `hid` 0 means the usual
 * function identifier, 1.
 *
 * `KUAIMI_ERROR_USER_KEY_MISMATCH`: it is another user's. The errors from 50 on say what is wrong
 * with the file.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_sm9_signing_key_read(const uint8_t *bytes,
                                         size_t len,
                                         const uint8_t *password,
                                         size_t password_len,
                                         const uint8_t *id,
                                         size_t id_len,
                                         uint8_t hid,
                                         kuaimi_sm9_signing_key **out)
KUAIMI_NONNULL(8);

/**
 * Writes a user's key, not encrypted. Wipe the buffer with `kuaimi_wipe` after use.
 *
 * `form`: `KUAIMI_KEY_RAW` (64 bytes), `KUAIMI_KEY_DER`, `KUAIMI_KEY_PKCS8_PEM` or
 * `KUAIMI_KEY_PKCS8_DER`.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_sm9_signing_key_write(const kuaimi_sm9_signing_key *key,
                                          kuaimi_key_form form,
                                          uint8_t *out,
                                          size_t *out_len)
KUAIMI_NONNULL(1, 4);

/**
 * Writes a user's key, encrypted under a password: see `kuaimi_sm2_private_key_write_encrypted`.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_sm9_signing_key_write_encrypted(const kuaimi_sm9_signing_key *key,
                                                    const uint8_t *password,
                                                    size_t password_len,
                                                    const kuaimi_password_encryption *encryption,
                                                    kuaimi_key_form form,
                                                    uint8_t *out,
                                                    size_t *out_len)
KUAIMI_NONNULL(1, 7);

/**
 * Makes the table of a key now, 52 KiB, and of its master public key what signing needs, 66 KiB,
 * or 149 KiB with AVX-512 IFMA: signing is faster with both.
 */
KUAIMI_WARN_UNUSED_RESULT kuaimi_error kuaimi_sm9_signing_key_prepare(const kuaimi_sm9_signing_key *key) KUAIMI_NONNULL(1);

/**
 * Writes the table of a key, to be stored beside the key: `kuaimi_sm9_signing_key_read_table`
 * reads it faster than `kuaimi_sm9_signing_key_prepare` makes it. If the key has no table, it is
 * made. **A secret**, as the key is.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_sm9_signing_key_write_table(const kuaimi_sm9_signing_key *key,
                                                uint8_t *out,
                                                size_t *out_len)
KUAIMI_NONNULL(1, 3);

/**
 * The same key with the table that `kuaimi_sm9_signing_key_write_table` wrote, at `*out`.
 *
 * `KUAIMI_ERROR_TABLE`: the table is of another version, was altered, or belongs to another key.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_sm9_signing_key_read_table(const kuaimi_sm9_signing_key *key,
                                               const uint8_t *table,
                                               size_t table_len,
                                               kuaimi_sm9_signing_key **out)
KUAIMI_NONNULL(1, 4);

/**
 * Wipes and frees a user's key. Null is allowed.
 */
void kuaimi_sm9_signing_key_free(kuaimi_sm9_signing_key *key);

/**
 * The public key of the user `id` under a master public key, at `*out`. `hid` is the function
 * identifier; 0 means the usual one, 1. Free it with `kuaimi_sm9_verifying_key_free`.
 *
 * `KUAIMI_ERROR_EMPTY_IDENTITY`.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_sm9_verifying_key_new(const kuaimi_sm9_master_signing_public_key *master,
                                          const uint8_t *id,
                                          size_t id_len,
                                          uint8_t hid,
                                          kuaimi_sm9_verifying_key **out)
KUAIMI_NONNULL(1, 5);

/**
 * Makes the table of a key now, 10 KiB, and of its master public key what is needed with it, 66
 * KiB: verification is faster with both.
 */
KUAIMI_WARN_UNUSED_RESULT kuaimi_error kuaimi_sm9_verifying_key_prepare(const kuaimi_sm9_verifying_key *key) KUAIMI_NONNULL(1);

/**
 * Frees a key. Null is allowed.
 */
void kuaimi_sm9_verifying_key_free(kuaimi_sm9_verifying_key *key);

/**
 * The hash of the empty message, at `*out`. Free it with `kuaimi_sm9_message_hash_free`.
 *
 * Source: GB/T 38635.2-2020, clause 5.3.2.3.
 */
KUAIMI_WARN_UNUSED_RESULT kuaimi_error kuaimi_sm9_message_hash_new(kuaimi_sm9_message_hash **out) KUAIMI_NONNULL(1);

/**
 * Absorbs the next piece of the message.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_sm9_message_hash_update(kuaimi_sm9_message_hash *hash,
                                            const uint8_t *data,
                                            size_t len)
KUAIMI_NONNULL(1);

/**
 * Wipes and frees a hash. Null is allowed.
 */
void kuaimi_sm9_message_hash_free(kuaimi_sm9_message_hash *hash);

/**
 * Signs a message. Constant time in the key, and the nonce is derived from the key, the message
 * and fresh randomness together, so that a broken random generator does not give the key away.
 *
 * `form`: `KUAIMI_SIGNATURE_RAW` (96 bytes, h and S) or `KUAIMI_SIGNATURE_DER` (104 bytes).
 *
 * `KUAIMI_ERROR_RANDOM`: the operating system's random generator failed.
 *
 * Source: GB/T 38635.2-2020, clause 6.2.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_sm9_sign(const kuaimi_sm9_signing_key *key,
                             const uint8_t *message,
                             size_t message_len,
                             kuaimi_signature_form form,
                             uint8_t *out,
                             size_t *out_len)
KUAIMI_NONNULL(1, 6);

/**
 * As `kuaimi_sm9_sign`, for a message in pieces.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_sm9_sign_hash(const kuaimi_sm9_signing_key *key,
                                  const kuaimi_sm9_message_hash *hash,
                                  kuaimi_signature_form form,
                                  uint8_t *out,
                                  size_t *out_len)
KUAIMI_NONNULL(1, 2, 5);

/**
 * Verifies a signature over a message. Variable time, as all of it is public.
 *
 * `KUAIMI_ERROR_INVALID_SIGNATURE`: it is not this user's signature over this message, or no
 * signature in the form `form`.
 *
 * Source: GB/T 38635.2-2020, clause 6.3.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_sm9_verify(const kuaimi_sm9_verifying_key *key,
                               const uint8_t *message,
                               size_t message_len,
                               const uint8_t *signature,
                               size_t signature_len,
                               kuaimi_signature_form form)
KUAIMI_NONNULL(1);

/**
 * As `kuaimi_sm9_verify`, for a message in pieces.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_sm9_verify_hash(const kuaimi_sm9_verifying_key *key,
                                    const kuaimi_sm9_message_hash *hash,
                                    const uint8_t *signature,
                                    size_t signature_len,
                                    kuaimi_signature_form form)
KUAIMI_NONNULL(1, 2);

/**
 * Writes a signature in another form. `from` and `to`: `KUAIMI_SIGNATURE_RAW` or
 * `KUAIMI_SIGNATURE_DER`.
 *
 * `KUAIMI_ERROR_SIGNATURE_ENCODING` and the errors of points and DER: the bytes are no signature
 * in the form `from`.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_sm9_signature_convert(const uint8_t *signature,
                                          size_t signature_len,
                                          kuaimi_signature_form from,
                                          kuaimi_signature_form to,
                                          uint8_t *out,
                                          size_t *out_len)
KUAIMI_NONNULL(6);

/**
 * A new master key at `*out`, from the operating system's random generator. Free it with
 * `kuaimi_sm9_master_encryption_key_free`.
 *
 * Source: GB/T 38635.2-2020, clause 7.1.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_sm9_master_encryption_key_generate(kuaimi_sm9_master_encryption_key **out)
KUAIMI_NONNULL(1);

/**
 * The master key that is the integer in the 32 bytes at `bytes`, most significant byte first.
 * Constant time.
 *
 * `KUAIMI_ERROR_KEY_LENGTH`: `len` is not 32. `KUAIMI_ERROR_PRIVATE_KEY_RANGE`: the integer is not
 * in `[1, N - 1]`.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_sm9_master_encryption_key_from_bytes(const uint8_t *bytes,
                                                         size_t len,
                                                         kuaimi_sm9_master_encryption_key **out)
KUAIMI_NONNULL(3);

/**
 * Reads the content of a key file: PKCS#8, encrypted or not, in PEM, DER, hexadecimal or Base64.
 * `password` may be null; it is not used for a key that is not encrypted.
 *
 * The errors from 50 on say what is wrong with the file.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_sm9_master_encryption_key_read(const uint8_t *bytes,
                                                   size_t len,
                                                   const uint8_t *password,
                                                   size_t password_len,
                                                   kuaimi_sm9_master_encryption_key **out)
KUAIMI_NONNULL(5);

/**
 * Writes a master key, not encrypted. Wipe the buffer with `kuaimi_wipe` after use.
 *
 * `form`: `KUAIMI_KEY_RAW` (32 bytes), `KUAIMI_KEY_DER`, `KUAIMI_KEY_PKCS8_PEM` or
 * `KUAIMI_KEY_PKCS8_DER`.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_sm9_master_encryption_key_write(const kuaimi_sm9_master_encryption_key *key,
                                                    kuaimi_key_form form,
                                                    uint8_t *out,
                                                    size_t *out_len)
KUAIMI_NONNULL(1, 4);

/**
 * Writes a master key, encrypted under a password: see `kuaimi_sm2_private_key_write_encrypted`.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_sm9_master_encryption_key_write_encrypted(const kuaimi_sm9_master_encryption_key *key,
                                                              const uint8_t *password,
                                                              size_t password_len,
                                                              const kuaimi_password_encryption *encryption,
                                                              kuaimi_key_form form,
                                                              uint8_t *out,
                                                              size_t *out_len)
KUAIMI_NONNULL(1, 7);

/**
 * The master public key that belongs to a master key, at `*out`. Free it with
 * `kuaimi_sm9_master_encryption_public_key_free`.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_sm9_master_encryption_key_public_key(const kuaimi_sm9_master_encryption_key *key,
                                                         kuaimi_sm9_master_encryption_public_key **out)
KUAIMI_NONNULL(1, 2);

/**
 * The decryption key of the user `id` at `*out`. `hid` is the function identifier; 0 means the
 * usual one, 3. Free the key with `kuaimi_sm9_decryption_key_free`.
 *
 * `KUAIMI_ERROR_EMPTY_IDENTITY`. `KUAIMI_ERROR_UNUSABLE_MASTER_KEY`: this master key cannot serve
 * this identity, which does not happen by chance.
 *
 * Source: GB/T 38635.2-2020, clause 7.1.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_sm9_master_encryption_key_extract(const kuaimi_sm9_master_encryption_key *master,
                                                      const uint8_t *id,
                                                      size_t id_len,
                                                      uint8_t hid,
                                                      kuaimi_sm9_decryption_key **out)
KUAIMI_NONNULL(1, 5);

/**
 * As `kuaimi_sm9_master_encryption_key_extract`, for many users: faster than one by one. The
 * handles are at `keys[0]` to `keys[count - 1]`; one that fails is null. `results` has one result
 * for each; the function returns `KUAIMI_OK` if all are, and else the first that is not.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_sm9_master_encryption_key_extract_batch(const kuaimi_sm9_master_encryption_key *master,
                                                            const kuaimi_sm9_identity *identities,
                                                            size_t count,
                                                            kuaimi_sm9_decryption_key **keys,
                                                            kuaimi_error *results)
KUAIMI_NONNULL(1);

/**
 * Wipes and frees a master key. Null is allowed.
 */
void kuaimi_sm9_master_encryption_key_free(kuaimi_sm9_master_encryption_key *key);

/**
 * The master public key that is a point: 64 bytes (coordinates), 65 bytes (after 04), or 33 bytes
 * (compressed).
 *
 * `KUAIMI_ERROR_POINT_ENCODING` and `KUAIMI_ERROR_POINT_NOT_ON_CURVE`: it is no point.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_sm9_master_encryption_public_key_from_bytes(const uint8_t *bytes,
                                                                size_t len,
                                                                kuaimi_sm9_master_encryption_public_key **out)
KUAIMI_NONNULL(3);

/**
 * Reads the content of a key file: SubjectPublicKeyInfo, or GmSSL's form, in PEM, DER, hexadecimal
 * or Base64.
 *
 * The errors from 50 on say what is wrong with the file.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_sm9_master_encryption_public_key_read(const uint8_t *bytes,
                                                          size_t len,
                                                          kuaimi_sm9_master_encryption_public_key **out)
KUAIMI_NONNULL(3);

/**
 * Writes a master public key.
 *
 * `form`: `KUAIMI_KEY_RAW` (64 bytes), `KUAIMI_KEY_UNCOMPRESSED` (65 bytes), `KUAIMI_KEY_DER`,
 * `KUAIMI_KEY_SPKI_PEM`, `KUAIMI_KEY_SPKI_DER` or `KUAIMI_KEY_GMSSL_PEM`.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_sm9_master_encryption_public_key_write(const kuaimi_sm9_master_encryption_public_key *key,
                                                           kuaimi_key_form form,
                                                           uint8_t *out,
                                                           size_t *out_len)
KUAIMI_NONNULL(1, 4);

/**
 * Makes the table of a master public key now, 118 KiB, which all keys under it share: encryption
 * and key exchange are faster with it.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_sm9_master_encryption_public_key_prepare(const kuaimi_sm9_master_encryption_public_key *key)
KUAIMI_NONNULL(1);

/**
 * Frees a master public key. Null is allowed.
 */
void kuaimi_sm9_master_encryption_public_key_free(kuaimi_sm9_master_encryption_public_key *key);

/**
 * The key for key exchange of the user `id` at `*out`. `hid` is the function identifier; 0 means
 * the usual one, 2. Free the key with `kuaimi_sm9_exchange_key_free`.
 *
 * `KUAIMI_ERROR_EMPTY_IDENTITY`. `KUAIMI_ERROR_UNUSABLE_MASTER_KEY`: this master key cannot serve
 * this identity, which does not happen by chance.
 *
 * Source: GB/T 38635.2-2020, clause 7.1.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_sm9_master_encryption_key_extract_exchange(const kuaimi_sm9_master_encryption_key *master,
                                                               const uint8_t *id,
                                                               size_t id_len,
                                                               uint8_t hid,
                                                               kuaimi_sm9_exchange_key **out)
KUAIMI_NONNULL(1, 5);

/**
 * As `kuaimi_sm9_master_encryption_key_extract_exchange`, for many users: faster than one by one.
 * The handles are at `keys[0]` to `keys[count - 1]`; one that fails is null. `results` has one
 * result for each; the function returns `KUAIMI_OK` if all are, and else the first that is not.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_sm9_master_encryption_key_extract_exchange_batch(const kuaimi_sm9_master_encryption_key *master,
                                                                     const kuaimi_sm9_identity *identities,
                                                                     size_t count,
                                                                     kuaimi_sm9_exchange_key **keys,
                                                                     kuaimi_error *results)
KUAIMI_NONNULL(1);

/**
 * The public key of the user `id` under a master public key, at `*out`. `hid` is the function
 * identifier; 0 means the usual one, 3. Free it with `kuaimi_sm9_encryption_key_free`.
 *
 * `KUAIMI_ERROR_EMPTY_IDENTITY`.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_sm9_encryption_key_new(const kuaimi_sm9_master_encryption_public_key *master,
                                           const uint8_t *id,
                                           size_t id_len,
                                           uint8_t hid,
                                           kuaimi_sm9_encryption_key **out)
KUAIMI_NONNULL(1, 5);

/**
 * Makes the table of a key now, 52 KiB, and of its master public key what is needed with it, 66
 * KiB: encryption is faster with both.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_sm9_encryption_key_prepare(const kuaimi_sm9_encryption_key *key)
KUAIMI_NONNULL(1);

/**
 * Frees a key. Null is allowed.
 */
void kuaimi_sm9_encryption_key_free(kuaimi_sm9_encryption_key *key);

/**
 * The key that is the point of 128 bytes, or 129 bytes after 04, at `bytes`, of the user `id`
 * under a master public key. `hid` is the function identifier; 0 means the usual one, 3. It is
 * checked that they belong together. Free the key with `kuaimi_sm9_decryption_key_free`.
 *
 * `KUAIMI_ERROR_USER_KEY_MISMATCH`: they do not.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_sm9_decryption_key_from_bytes(const kuaimi_sm9_master_encryption_public_key *master,
                                                  const uint8_t *bytes,
                                                  size_t len,
                                                  const uint8_t *id,
                                                  size_t id_len,
                                                  uint8_t hid,
                                                  kuaimi_sm9_decryption_key **out)
KUAIMI_NONNULL(1, 7);

/**
 * Reads the content of a key file of the user `id`: PKCS#8, encrypted or not, with the master
 * public key, in PEM, DER, hexadecimal or Base64. `password` may be null. `hid` 0 means the usual
 * function identifier, 3.
 *
 * `KUAIMI_ERROR_USER_KEY_MISMATCH`: it is another user's. The errors from 50 on say what is wrong
 * with the file.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_sm9_decryption_key_read(const uint8_t *bytes,
                                            size_t len,
                                            const uint8_t *password,
                                            size_t password_len,
                                            const uint8_t *id,
                                            size_t id_len,
                                            uint8_t hid,
                                            kuaimi_sm9_decryption_key **out)
KUAIMI_NONNULL(8);

/**
 * Writes a user's key, not encrypted. Wipe the buffer with `kuaimi_wipe` after use.
 *
 * `form`: `KUAIMI_KEY_RAW` (128 bytes), `KUAIMI_KEY_DER`, `KUAIMI_KEY_PKCS8_PEM` or
 * `KUAIMI_KEY_PKCS8_DER`.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_sm9_decryption_key_write(const kuaimi_sm9_decryption_key *key,
                                             kuaimi_key_form form,
                                             uint8_t *out,
                                             size_t *out_len)
KUAIMI_NONNULL(1, 4);

/**
 * Writes a user's key, encrypted under a password: see `kuaimi_sm2_private_key_write_encrypted`.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_sm9_decryption_key_write_encrypted(const kuaimi_sm9_decryption_key *key,
                                                       const uint8_t *password,
                                                       size_t password_len,
                                                       const kuaimi_password_encryption *encryption,
                                                       kuaimi_key_form form,
                                                       uint8_t *out,
                                                       size_t *out_len)
KUAIMI_NONNULL(1, 7);

/**
 * Makes the table of a key now, 10 KiB: decryption is faster with it.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_sm9_decryption_key_prepare(const kuaimi_sm9_decryption_key *key)
KUAIMI_NONNULL(1);

/**
 * Writes the table of a key, to be stored beside the key: `kuaimi_sm9_decryption_key_read_table`
 * reads it faster than `kuaimi_sm9_decryption_key_prepare` makes it. If the key has no table, it
 * is made. **A secret**, as the key is.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_sm9_decryption_key_write_table(const kuaimi_sm9_decryption_key *key,
                                                   uint8_t *out,
                                                   size_t *out_len)
KUAIMI_NONNULL(1, 3);

/**
 * The same key with the table that `kuaimi_sm9_decryption_key_write_table` wrote, at `*out`.
 *
 * `KUAIMI_ERROR_TABLE`: the table is of another version, was altered, or belongs to another key.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_sm9_decryption_key_read_table(const kuaimi_sm9_decryption_key *key,
                                                  const uint8_t *table,
                                                  size_t table_len,
                                                  kuaimi_sm9_decryption_key **out)
KUAIMI_NONNULL(1, 4);

/**
 * Wipes and frees a user's key. Null is allowed.
 */
void kuaimi_sm9_decryption_key_free(kuaimi_sm9_decryption_key *key);

/**
 * Encrypts a message of at least one byte. Constant time in the message but for its length.
 * `options` may be null. The size that it asks for is `KUAIMI_SM9_CIPHERTEXT_OVERHEAD` more than
 * the message's, some bytes more than it writes.
 *
 * `KUAIMI_ERROR_EMPTY_MESSAGE`: there is nothing to encrypt. `KUAIMI_ERROR_RANDOM`: the random
 * generator failed.
 *
 * Source: GB/T 38635.2-2020, clause 9.2.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_sm9_encrypt(const kuaimi_sm9_encryption_key *key,
                                const uint8_t *message,
                                size_t message_len,
                                const kuaimi_sm9_options *options,
                                uint8_t *out,
                                size_t *out_len)
KUAIMI_NONNULL(1, 6);

/**
 * Decrypts a ciphertext. Constant time in the key and the plaintext but for its length. `options`
 * may be null. A plaintext is written only after it was found to be right. In the modes with
 * padding, the size that it asks for is up to 32 bytes more than it writes.
 *
 * `KUAIMI_ERROR_DECRYPTION_FAILED`: for whatever reason.
 *
 * Source: GB/T 38635.2-2020, clause 9.3.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_sm9_decrypt(const kuaimi_sm9_decryption_key *key,
                                const uint8_t *ciphertext,
                                size_t ciphertext_len,
                                const kuaimi_sm9_options *options,
                                uint8_t *out,
                                size_t *out_len)
KUAIMI_NONNULL(1, 6);

/**
 * A fresh key of `derived_len` bytes at `derived`, and what the recipient needs to get the same
 * key: the 65 bytes at `c`.
 *
 * `KUAIMI_ERROR_DERIVED_KEY_LENGTH`: `derived_len` is zero or too large. `KUAIMI_ERROR_RANDOM`:
 * the random generator failed.
 *
 * Source: GB/T 38635.2-2020, clause 8.2.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_sm9_encapsulate(const kuaimi_sm9_encryption_key *key,
                                    uint8_t *derived,
                                    size_t derived_len,
                                    uint8_t *c)
KUAIMI_NONNULL(1, 4);

/**
 * The key of `derived_len` bytes that was encapsulated in `c` (33, 64 or 65 bytes), at `derived`.
 * Another key or an altered `c` gives another result: nothing here detects it.
 *
 * `KUAIMI_ERROR_DECRYPTION_FAILED`: `c` is no point, or no key can come of it.
 * `KUAIMI_ERROR_DERIVED_KEY_LENGTH`: `derived_len` is zero or too large.
 *
 * Source: GB/T 38635.2-2020, clause 8.3.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_sm9_decapsulate(const kuaimi_sm9_decryption_key *key,
                                    const uint8_t *c,
                                    size_t c_len,
                                    uint8_t *derived,
                                    size_t derived_len)
KUAIMI_NONNULL(1);

/**
 * The key that is the point of 128 bytes, or 129 bytes after 04, at `bytes`, of the user `id`
 * under a master public key. `hid` is the function identifier; 0 means the usual one, 2. It is
 * checked that they belong together. Free the key with `kuaimi_sm9_exchange_key_free`.
 *
 * `KUAIMI_ERROR_USER_KEY_MISMATCH`: they do not.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_sm9_exchange_key_from_bytes(const kuaimi_sm9_master_encryption_public_key *master,
                                                const uint8_t *bytes,
                                                size_t len,
                                                const uint8_t *id,
                                                size_t id_len,
                                                uint8_t hid,
                                                kuaimi_sm9_exchange_key **out)
KUAIMI_NONNULL(1, 7);

/**
 * Reads the content of a key file of the user `id`: PKCS#8, encrypted or not, with the master
 * public key, in PEM, DER, hexadecimal or Base64. `password` may be null. `hid` 0 means the usual
 * function identifier, 2.
 *
 * `KUAIMI_ERROR_USER_KEY_MISMATCH`: it is another user's. The errors from 50 on say what is wrong
 * with the file.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_sm9_exchange_key_read(const uint8_t *bytes,
                                          size_t len,
                                          const uint8_t *password,
                                          size_t password_len,
                                          const uint8_t *id,
                                          size_t id_len,
                                          uint8_t hid,
                                          kuaimi_sm9_exchange_key **out)
KUAIMI_NONNULL(8);

/**
 * Writes a user's key, not encrypted. Wipe the buffer with `kuaimi_wipe` after use.
 *
 * `form`: `KUAIMI_KEY_RAW` (128 bytes), `KUAIMI_KEY_DER`, `KUAIMI_KEY_PKCS8_PEM` or
 * `KUAIMI_KEY_PKCS8_DER`.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_sm9_exchange_key_write(const kuaimi_sm9_exchange_key *key,
                                           kuaimi_key_form form,
                                           uint8_t *out,
                                           size_t *out_len)
KUAIMI_NONNULL(1, 4);

/**
 * Writes a user's key, encrypted under a password: see `kuaimi_sm2_private_key_write_encrypted`.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_sm9_exchange_key_write_encrypted(const kuaimi_sm9_exchange_key *key,
                                                     const uint8_t *password,
                                                     size_t password_len,
                                                     const kuaimi_password_encryption *encryption,
                                                     kuaimi_key_form form,
                                                     uint8_t *out,
                                                     size_t *out_len)
KUAIMI_NONNULL(1, 7);

/**
 * Makes the table of a key now, 10 KiB, and that of its master public key, 118 KiB: key exchange
 * is faster with both.
 */
KUAIMI_WARN_UNUSED_RESULT kuaimi_error kuaimi_sm9_exchange_key_prepare(const kuaimi_sm9_exchange_key *key) KUAIMI_NONNULL(1);

/**
 * Writes the table of a key, to be stored beside the key: `kuaimi_sm9_exchange_key_read_table`
 * reads it faster than `kuaimi_sm9_exchange_key_prepare` makes it. If the key has no table, it is
 * made. **A secret**, as the key is.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_sm9_exchange_key_write_table(const kuaimi_sm9_exchange_key *key,
                                                 uint8_t *out,
                                                 size_t *out_len)
KUAIMI_NONNULL(1, 3);

/**
 * The same key with the table that `kuaimi_sm9_exchange_key_write_table` wrote, at `*out`.
 *
 * `KUAIMI_ERROR_TABLE`: the table is of another version, was altered, or belongs to another key.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_sm9_exchange_key_read_table(const kuaimi_sm9_exchange_key *key,
                                                const uint8_t *table,
                                                size_t table_len,
                                                kuaimi_sm9_exchange_key **out)
KUAIMI_NONNULL(1, 4);

/**
 * Wipes and frees a user's key. Null is allowed.
 */
void kuaimi_sm9_exchange_key_free(kuaimi_sm9_exchange_key *key);

/**
 * The initiator's first step. `key` is the initiator's own, `peer_id` the responder, with the
 * function identifier `peer_hid` (0 means the usual one, 2). Send the 65 bytes at `r_a` to the
 * responder. Free the initiator with `kuaimi_sm9_initiator_free`.
 *
 * Source: GB/T 38635.2-2020, clause 7.2, steps A1 to A4.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_sm9_exchange_start(const kuaimi_sm9_exchange_key *key,
                                       const uint8_t *peer_id,
                                       size_t peer_id_len,
                                       uint8_t peer_hid,
                                       kuaimi_sm9_initiator **out,
                                       uint8_t *r_a)
KUAIMI_NONNULL(1, 5, 6);

/**
 * The responder's step. `key` is the responder's own, `peer_id` the initiator, with the function
 * identifier `peer_hid` (0 means the usual one, 2), `r_a` the initiator's point (33, 64 or 65
 * bytes), and `shared_len` the length of the key to agree on. Send the 65 bytes at `r_b` and the
 * 32 bytes at `s_b` to the initiator. Free the response with `kuaimi_sm9_response_free`.
 *
 * `KUAIMI_ERROR_POINT_ENCODING`, `KUAIMI_ERROR_POINT_NOT_ON_CURVE`: `r_a` is no point.
 * `KUAIMI_ERROR_DERIVED_KEY_LENGTH`: `shared_len` is zero or too large.
 *
 * Source: GB/T 38635.2-2020, clause 7.2, steps B1 to B7.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_sm9_exchange_respond(const kuaimi_sm9_exchange_key *key,
                                         const uint8_t *peer_id,
                                         size_t peer_id_len,
                                         uint8_t peer_hid,
                                         const uint8_t *r_a,
                                         size_t r_a_len,
                                         size_t shared_len,
                                         kuaimi_sm9_response **out,
                                         uint8_t *r_b,
                                         uint8_t *s_b)
KUAIMI_NONNULL(1, 8, 9, 10);

/**
 * The initiator's last step: `r_b` and `s_b` are the responder's point and confirmation. The
 * shared key of `shared_len` bytes is written to `shared`. Send the 32 bytes at `s_a` to the
 * responder. Whether it succeeds or not, the initiator cannot be used again, unless an argument
 * was wrong (errors 10 to 23).
 *
 * `KUAIMI_ERROR_CONFIRMATION_FAILED`: the responder does not hold the same key.
 *
 * Source: GB/T 38635.2-2020, clause 7.2, steps A5 to A8.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_sm9_initiator_finish(kuaimi_sm9_initiator *initiator,
                                         const uint8_t *r_b,
                                         size_t r_b_len,
                                         const uint8_t *s_b,
                                         uint8_t *shared,
                                         size_t shared_len,
                                         uint8_t *s_a)
KUAIMI_NONNULL(1, 4, 7);

/**
 * As `kuaimi_sm9_initiator_finish`, without confirmations: a wrong peer shows only when the keys
 * do not fit.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_sm9_initiator_finish_unconfirmed(kuaimi_sm9_initiator *initiator,
                                                     const uint8_t *r_b,
                                                     size_t r_b_len,
                                                     uint8_t *shared,
                                                     size_t shared_len)
KUAIMI_NONNULL(1);

/**
 * Writes what a process needs to go on with `kuaimi_sm9_initiator_finish` later, a secret: keep it
 * where only its owner can read or write it. The initiator can still be used.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_sm9_initiator_to_bytes(const kuaimi_sm9_initiator *initiator,
                                           uint8_t *out,
                                           size_t *out_len)
KUAIMI_NONNULL(1, 3);

/**
 * The initiator that `kuaimi_sm9_initiator_to_bytes` wrote. `key` is the key that it started with.
 *
 * `KUAIMI_ERROR_EXCHANGE_STATE`: the bytes are no such state. `KUAIMI_ERROR_EXCHANGE_KEY`: it is
 * another key.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_sm9_initiator_from_bytes(const kuaimi_sm9_exchange_key *key,
                                             const uint8_t *bytes,
                                             size_t len,
                                             kuaimi_sm9_initiator **out)
KUAIMI_NONNULL(1, 4);

/**
 * Wipes and frees an initiator. Null is allowed.
 */
void kuaimi_sm9_initiator_free(kuaimi_sm9_initiator *initiator);

/**
 * The responder's last step: `s_a` is the initiator's confirmation. The shared key, of the length
 * that `kuaimi_sm9_exchange_respond` was given, is written to `shared`. Whether it succeeds or
 * not, the response cannot be used again, unless an argument was wrong (errors 10 to 13).
 *
 * `KUAIMI_ERROR_CONFIRMATION_FAILED`: the initiator does not hold the same key.
 * `KUAIMI_ERROR_DERIVED_KEY_LENGTH`: `shared_len` is another length.
 *
 * Source: GB/T 38635.2-2020, clause 7.2, step B8.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_sm9_response_confirm(kuaimi_sm9_response *response,
                                         const uint8_t *s_a,
                                         uint8_t *shared,
                                         size_t shared_len)
KUAIMI_NONNULL(1, 2);

/**
 * As `kuaimi_sm9_response_confirm`, without a confirmation: a wrong peer shows only when the keys
 * do not fit.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_sm9_response_key_unconfirmed(kuaimi_sm9_response *response,
                                                 uint8_t *shared,
                                                 size_t shared_len)
KUAIMI_NONNULL(1);

/**
 * Writes what a process needs to go on with `kuaimi_sm9_response_confirm` later, a secret: keep it
 * where only its owner can read or write it. The response can still be used.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_sm9_response_to_bytes(const kuaimi_sm9_response *response,
                                          uint8_t *out,
                                          size_t *out_len)
KUAIMI_NONNULL(1, 3);

/**
 * The response that `kuaimi_sm9_response_to_bytes` wrote.
 *
 * `KUAIMI_ERROR_EXCHANGE_STATE`: the bytes are no such state.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_sm9_response_from_bytes(const uint8_t *bytes,
                                            size_t len,
                                            kuaimi_sm9_response **out)
KUAIMI_NONNULL(3);

/**
 * Wipes and frees a response. Null is allowed.
 */
void kuaimi_sm9_response_free(kuaimi_sm9_response *response);

/**
 * A cache of at most `capacity` bytes, at `*out`; an identity takes 10 KiB. Free it with
 * `kuaimi_sm9_identity_cache_free`.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_sm9_identity_cache_new(const kuaimi_sm9_master_signing_public_key *master,
                                           size_t capacity,
                                           kuaimi_sm9_identity_cache **out)
KUAIMI_NONNULL(1, 3);

/**
 * Verifies as `kuaimi_sm9_verify`, with a table from the second use of the identity on.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_sm9_identity_cache_verify(const kuaimi_sm9_identity_cache *cache,
                                              const kuaimi_sm9_verifying_key *key,
                                              const uint8_t *message,
                                              size_t message_len,
                                              const uint8_t *signature,
                                              size_t signature_len,
                                              kuaimi_signature_form form)
KUAIMI_NONNULL(1, 2);

/**
 * Verifies as `kuaimi_sm9_verify_batch`, with the tables of the cache. Identities that come back,
 * in this batch or in another, get one.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_sm9_identity_cache_verify_batch(const kuaimi_sm9_identity_cache *cache,
                                                    const kuaimi_sm9_verify_item *items,
                                                    size_t count,
                                                    kuaimi_error *results)
KUAIMI_NONNULL(1);

/**
 * What the cache holds and has done.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_sm9_identity_cache_get_stats(const kuaimi_sm9_identity_cache *cache,
                                                 kuaimi_cache_stats *stats)
KUAIMI_NONNULL(1, 2);

/**
 * Drops all tables, and forgets which identities were seen.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_sm9_identity_cache_clear(const kuaimi_sm9_identity_cache *cache)
KUAIMI_NONNULL(1);

/**
 * Frees a cache. Null is allowed.
 */
void kuaimi_sm9_identity_cache_free(kuaimi_sm9_identity_cache *cache);

/**
 * Makes the signatures of all items: 96 bytes each, h and S, one after another at `signatures`.
 * `results` has one result for each item; the function returns `KUAIMI_OK` if all are, and else
 * the first that is not. Constant time as `kuaimi_sm9_sign`.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_sm9_sign_batch(const kuaimi_sm9_sign_item *items,
                                   size_t count,
                                   uint8_t *signatures,
                                   kuaimi_error *results);

/**
 * Verifies all items. `results` has one result for each, `KUAIMI_OK` or
 * `KUAIMI_ERROR_INVALID_SIGNATURE` if the item's other fields are right; the function returns
 * `KUAIMI_OK` if all are, and else the first that is not.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_sm9_verify_batch(const kuaimi_sm9_verify_item *items,
                                     size_t count,
                                     kuaimi_error *results);

/**
 * Encrypts the messages of all items into their buffers, with the same options, which may be null:
 * see `kuaimi_sm9_encrypt`. `results` has one result for each; the function returns `KUAIMI_OK` if
 * all are, and else the first that is not. With `KUAIMI_ERROR_BUFFER_TOO_SMALL`, the item's
 * `out_len` is what it needs.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_sm9_encrypt_batch(kuaimi_sm9_encrypt_item *items,
                                      size_t count,
                                      const kuaimi_sm9_options *options,
                                      kuaimi_error *results);

/**
 * Decrypts the ciphertexts of all items into their buffers, with the same options, which may be
 * null: see `kuaimi_sm9_decrypt`. `results` has one result for each; the function returns
 * `KUAIMI_OK` if all are, and else the first that is not. With `KUAIMI_ERROR_BUFFER_TOO_SMALL`,
 * the item's `out_len` is what it needs.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_sm9_decrypt_batch(kuaimi_sm9_decrypt_item *items,
                                      size_t count,
                                      const kuaimi_sm9_options *options,
                                      kuaimi_error *results);

/**
 * Encapsulates a fresh key for each item: see `kuaimi_sm9_encapsulate`. `results` has one result
 * for each; the function returns `KUAIMI_OK` if all are, and else the first that is not.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_sm9_encapsulate_batch(const kuaimi_sm9_encapsulate_item *items,
                                          size_t count,
                                          kuaimi_error *results);

/**
 * Decapsulates the key of each item: see `kuaimi_sm9_decapsulate`. `results` has one result for
 * each; the function returns `KUAIMI_OK` if all are, and else the first that is not.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_sm9_decapsulate_batch(const kuaimi_sm9_decapsulate_item *items,
                                          size_t count,
                                          kuaimi_error *results);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* KUAIMI_SM9_H */
