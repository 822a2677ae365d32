/*
 * SM4 and its modes. The rules for all functions are in kuaimi.h.
 *
 * MIT OR Apache-2.0. Made from the Rust sources by cbindgen: do not edit.
 */

#ifndef KUAIMI_SM4_H
#define KUAIMI_SM4_H

#include "base.h"

/**
 * The length of a key in bytes.
 */
#define KUAIMI_SM4_KEY_LEN 16

/**
 * The length of a block in bytes.
 */
#define KUAIMI_SM4_BLOCK_LEN 16

/**
 * The length of a tag in bytes.
 */
#define KUAIMI_SM4_GCM_TAG_LEN 16

/**
 * The recommended length of a nonce in bytes.
 */
#define KUAIMI_SM4_GCM_NONCE_LEN 12

/**
 * The order of the bits in a tweak.
 */
typedef enum {
  /**
   * GB/T 17964-2021, and the default of OpenSSL's `SM4-XTS`.
   */
  KUAIMI_SM4_XTS_GB = 1,
  /**
   * IEEE 1619.
   */
  KUAIMI_SM4_XTS_IEEE = 2,
} kuaimi_sm4_xts_standard;

/**
 * SM4 with a key, block by block. Not changed by any function, so that threads may share it.
 */
typedef struct kuaimi_sm4 kuaimi_sm4;

/**
 * SM4 in CBC mode with a key, for protocols and files that require it. CBC does not detect altered
 * data: use SM4-GCM if you can choose. Not changed by any function, so that threads may share it.
 */
typedef struct kuaimi_sm4_cbc kuaimi_sm4_cbc;

/**
 * SM4 in CCM with a key: authenticated encryption, for protocols that require it; SM4-GCM is
 * faster. Not changed by any function, so that threads may share it.
 */
typedef struct kuaimi_sm4_ccm kuaimi_sm4_ccm;

/**
 * SM4 in CFB mode, with whole blocks fed back (CFB-128), at a place in a message, for protocols
 * and files that require it. It does not detect altered data: use SM4-GCM if you can choose.
 */
typedef struct kuaimi_sm4_cfb kuaimi_sm4_cfb;

/**
 * A key stream of SM4 in counter mode. It does not detect altered data: use SM4-GCM if you can
 * choose.
 */
typedef struct kuaimi_sm4_ctr kuaimi_sm4_ctr;

/**
 * SM4 in GCM with a key: authenticated encryption. Not changed by any function, so that threads
 * may share it.
 */
typedef struct kuaimi_sm4_gcm kuaimi_sm4_gcm;

/**
 * One message of SM4-GCM that comes in pieces of any lengths: the associated data, then the
 * message, then the tag.
 */
typedef struct kuaimi_sm4_gcm_stream kuaimi_sm4_gcm_stream;

/**
 * A key stream of SM4 in OFB mode, for protocols and files that require it. It does not detect
 * altered data: use SM4-GCM if you can choose.
 */
typedef struct kuaimi_sm4_ofb kuaimi_sm4_ofb;

/**
 * SM4 in XTS mode with a key, for sectors of a disk or pages of a database. Not changed by any
 * function, so that threads may share it.
 */
typedef struct kuaimi_sm4_xts kuaimi_sm4_xts;

/**
 * One message to be encrypted.
 */
typedef struct {
  /**
   * The key of 16 bytes. Not read where all items have one key.
   */
  const uint8_t *key;
  /**
   * The nonce.
   */
  kuaimi_bytes nonce;
  /**
   * What is authenticated and not encrypted.
   */
  kuaimi_bytes associated_data;
  /**
   * The message.
   */
  kuaimi_bytes data;
  /**
   * Where the ciphertext goes, as long as the message. It may be the message's own memory.
   */
  uint8_t *out;
  /**
   * Where the tag of 16 bytes goes.
   */
  uint8_t *tag;
} kuaimi_sm4_gcm_seal_item;

/**
 * One message to be decrypted.
 */
typedef struct {
  /**
   * The key of 16 bytes. Not read where all items have one key.
   */
  const uint8_t *key;
  /**
   * The nonce.
   */
  kuaimi_bytes nonce;
  /**
   * What is authenticated and not encrypted.
   */
  kuaimi_bytes associated_data;
  /**
   * The ciphertext.
   */
  kuaimi_bytes data;
  /**
   * The tag of 16 bytes.
   */
  const uint8_t *tag;
  /**
   * Where the message goes, as long as the ciphertext. It may be the ciphertext's own memory.
   */
  uint8_t *out;
} kuaimi_sm4_gcm_open_item;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/**
 * SM4 with the key of 16 bytes at `key`, at `*out`. Constant time. Free it with `kuaimi_sm4_free`.
 */
KUAIMI_WARN_UNUSED_RESULT kuaimi_error kuaimi_sm4_new(const uint8_t *key, kuaimi_sm4 **out) KUAIMI_NONNULL(1, 2);

/**
 * Encrypts each block of 16 bytes on its own (ECB), from `data` to `out`, which may be the same.
 * Equal blocks stay equal, so this does not hide a message.
 *
 * `KUAIMI_ERROR_PARTIAL_BLOCK`: `len` is not a multiple of 16. Then `out` is a copy of `data`.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_sm4_ecb_encrypt(const kuaimi_sm4 *cipher,
                                    const uint8_t *data,
                                    size_t len,
                                    uint8_t *out)
KUAIMI_NONNULL(1);

/**
 * The inverse of `kuaimi_sm4_ecb_encrypt`.
 *
 * `KUAIMI_ERROR_PARTIAL_BLOCK`: `len` is not a multiple of 16. Then `out` is a copy of `data`.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_sm4_ecb_decrypt(const kuaimi_sm4 *cipher,
                                    const uint8_t *data,
                                    size_t len,
                                    uint8_t *out)
KUAIMI_NONNULL(1);

/**
 * Wipes and frees a cipher. Null is allowed.
 */
void kuaimi_sm4_free(kuaimi_sm4 *cipher);

/**
 * SM4-GCM with the key of 16 bytes at `key`, at `*out`. Free it with `kuaimi_sm4_gcm_free`.
 */
KUAIMI_WARN_UNUSED_RESULT kuaimi_error kuaimi_sm4_gcm_new(const uint8_t *key, kuaimi_sm4_gcm **out) KUAIMI_NONNULL(1, 2);

/**
 * Encrypts `len` bytes from `data` to `out`, which may be the same, and writes the tag of 16 bytes
 * over all of it and over the associated data to `tag`. **Never use a nonce twice with a key.** A
 * nonce usually has 12 bytes; other lengths from one on are accepted. Constant time but for the
 * lengths.
 *
 * `KUAIMI_ERROR_EMPTY_NONCE`, `KUAIMI_ERROR_MESSAGE_TOO_LONG` (64 GiB).
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_sm4_gcm_seal(const kuaimi_sm4_gcm *cipher,
                                 const uint8_t *nonce,
                                 size_t nonce_len,
                                 const uint8_t *associated_data,
                                 size_t associated_data_len,
                                 const uint8_t *data,
                                 size_t len,
                                 uint8_t *out,
                                 uint8_t *tag)
KUAIMI_NONNULL(1, 9);

/**
 * Decrypts `len` bytes from `data` to `out`, which may be the same, if the tag of 16 bytes at
 * `tag` is right. The tag is compared in constant time before anything is decrypted.
 *
 * `KUAIMI_ERROR_DECRYPTION_FAILED`: another key, nonce or associated data, or altered data. Then
 * `out` is a copy of `data`. `KUAIMI_ERROR_EMPTY_NONCE`.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_sm4_gcm_open(const kuaimi_sm4_gcm *cipher,
                                 const uint8_t *nonce,
                                 size_t nonce_len,
                                 const uint8_t *associated_data,
                                 size_t associated_data_len,
                                 const uint8_t *data,
                                 size_t len,
                                 const uint8_t *tag,
                                 uint8_t *out)
KUAIMI_NONNULL(1, 8);

/**
 * Wipes and frees a cipher. Null is allowed.
 */
void kuaimi_sm4_gcm_free(kuaimi_sm4_gcm *cipher);

/**
 * Encrypts the messages of all items, each as `kuaimi_sm4_gcm_seal` with a key of its own: much
 * faster than one by one for messages of up to 1 KiB. Memory that an item writes may be its own
 * message, and no other that an item reads or writes. If an item fails, nothing is written for it.
 * `results` has one result for each item; the function returns `KUAIMI_OK` if all are, and else
 * the first that is not. **Never use a nonce twice with a key.**
 *
 * For an item, `KUAIMI_ERROR_EMPTY_NONCE`, `KUAIMI_ERROR_MESSAGE_TOO_LONG`.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_sm4_gcm_seal_batch(const kuaimi_sm4_gcm_seal_item *items,
                                       size_t count,
                                       kuaimi_error *results);

/**
 * Encrypts the messages of all items under the key of `cipher`, each as `kuaimi_sm4_gcm_seal`:
 * faster than one by one for messages of up to 768 bytes. The `key` of an item is not read. All
 * else is as for `kuaimi_sm4_gcm_seal_batch`.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_sm4_gcm_seal_batch_with(const kuaimi_sm4_gcm *cipher,
                                            const kuaimi_sm4_gcm_seal_item *items,
                                            size_t count,
                                            kuaimi_error *results)
KUAIMI_NONNULL(1);

/**
 * Decrypts the messages of all items whose tags are right, each as `kuaimi_sm4_gcm_open` with a
 * key of its own. Memory that an item writes may be its own ciphertext, and no other that an item
 * reads or writes. If an item fails, nothing is written for it. `results` has one result for each
 * item; the function returns `KUAIMI_OK` if all are, and else the first that is not.
 *
 * For an item, `KUAIMI_ERROR_DECRYPTION_FAILED`, `KUAIMI_ERROR_EMPTY_NONCE`.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_sm4_gcm_open_batch(const kuaimi_sm4_gcm_open_item *items,
                                       size_t count,
                                       kuaimi_error *results);

/**
 * Decrypts the messages of all items whose tags are right under the key of `cipher`, each as
 * `kuaimi_sm4_gcm_open`. The `key` of an item is not read. All else is as for
 * `kuaimi_sm4_gcm_open_batch`.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_sm4_gcm_open_batch_with(const kuaimi_sm4_gcm *cipher,
                                            const kuaimi_sm4_gcm_open_item *items,
                                            size_t count,
                                            kuaimi_error *results)
KUAIMI_NONNULL(1);

/**
 * A message under the key of `cipher`, which may be freed before it, and the nonce, at `*out`.
 * **Never use a nonce twice with a key.** Free it with `kuaimi_sm4_gcm_stream_free`.
 *
 * `KUAIMI_ERROR_EMPTY_NONCE`.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_sm4_gcm_stream_new(const kuaimi_sm4_gcm *cipher,
                                       const uint8_t *nonce,
                                       size_t nonce_len,
                                       kuaimi_sm4_gcm_stream **out)
KUAIMI_NONNULL(1, 4);

/**
 * The next `len` bytes of the associated data.
 *
 * `KUAIMI_ERROR_ASSOCIATED_DATA_LATE`: the message has begun. `KUAIMI_ERROR_ALREADY_USED`: it has
 * ended.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_sm4_gcm_stream_associated_data(kuaimi_sm4_gcm_stream *stream,
                                                   const uint8_t *data,
                                                   size_t len)
KUAIMI_NONNULL(1);

/**
 * Encrypts the next `len` bytes of the message, from `data` to `out`, which may be the same.
 *
 * `KUAIMI_ERROR_MESSAGE_TOO_LONG` (64 GiB), `KUAIMI_ERROR_ALREADY_USED`. Then `out` is a copy of
 * `data`.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_sm4_gcm_stream_encrypt(kuaimi_sm4_gcm_stream *stream,
                                           const uint8_t *data,
                                           size_t len,
                                           uint8_t *out)
KUAIMI_NONNULL(1);

/**
 * Decrypts the next `len` bytes of the message, from `data` to `out`, which may be the same. **It
 * may be an attacker's until `kuaimi_sm4_gcm_stream_verify` has succeeded**: keep it where nobody
 * sees it, do nothing that depends on it, and wipe it if the tag is wrong. `kuaimi_sm4_gcm_open`
 * has no such rule.
 *
 * `KUAIMI_ERROR_MESSAGE_TOO_LONG` (64 GiB), `KUAIMI_ERROR_ALREADY_USED`. Then `out` is a copy of
 * `data`.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_sm4_gcm_stream_decrypt_unverified(kuaimi_sm4_gcm_stream *stream,
                                                      const uint8_t *data,
                                                      size_t len,
                                                      uint8_t *out)
KUAIMI_NONNULL(1);

/**
 * Ends a message that was encrypted, and writes its tag of 16 bytes to `tag`.
 *
 * `KUAIMI_ERROR_ALREADY_USED`: it had ended.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_sm4_gcm_stream_tag(kuaimi_sm4_gcm_stream *stream,
                                       uint8_t *tag)
KUAIMI_NONNULL(1, 2);

/**
 * Ends a message that was decrypted, and compares its tag with the 16 bytes at `tag`, in constant
 * time.
 *
 * `KUAIMI_ERROR_DECRYPTION_FAILED`: another key, nonce or associated data, or altered data. Then
 * all that was decrypted must be thrown away. `KUAIMI_ERROR_ALREADY_USED`: it had ended.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_sm4_gcm_stream_verify(kuaimi_sm4_gcm_stream *stream,
                                          const uint8_t *tag)
KUAIMI_NONNULL(1, 2);

/**
 * A copy of `stream`, at the same place, at `*out`. Free it with `kuaimi_sm4_gcm_stream_free`.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_sm4_gcm_stream_clone(const kuaimi_sm4_gcm_stream *stream,
                                         kuaimi_sm4_gcm_stream **out)
KUAIMI_NONNULL(1, 2);

/**
 * Wipes and frees a message. Null is allowed.
 */
void kuaimi_sm4_gcm_stream_free(kuaimi_sm4_gcm_stream *stream);

/**
 * SM4-CCM with the key of 16 bytes at `key`, at `*out`. Free it with `kuaimi_sm4_ccm_free`.
 */
KUAIMI_WARN_UNUSED_RESULT kuaimi_error kuaimi_sm4_ccm_new(const uint8_t *key, kuaimi_sm4_ccm **out) KUAIMI_NONNULL(1, 2);

/**
 * Encrypts `len` bytes from `data` to `out`, which may be the same, and writes the tag over all of
 * it and over the associated data to `tag`. A tag has 16 bytes, or 4, 6, 8, 10, 12 or 14 if a
 * protocol says so. **Never use a nonce twice with a key.** A nonce has 7 to 13 bytes, 12 in TLS
 * 1.3; the longer the nonce, the shorter the message may be: up to 65,535 bytes with a nonce of
 * 13, below 16 MiB with 12, below 4 GiB with 11. Constant time but for the lengths.
 *
 * `KUAIMI_ERROR_NONCE_LENGTH`, `KUAIMI_ERROR_TAG_LENGTH`, `KUAIMI_ERROR_MESSAGE_TOO_LONG`. Then
 * `out` is a copy of `data`.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_sm4_ccm_seal(const kuaimi_sm4_ccm *cipher,
                                 const uint8_t *nonce,
                                 size_t nonce_len,
                                 const uint8_t *associated_data,
                                 size_t associated_data_len,
                                 const uint8_t *data,
                                 size_t len,
                                 uint8_t *out,
                                 uint8_t *tag,
                                 size_t tag_len)
KUAIMI_NONNULL(1);

/**
 * Decrypts `len` bytes from `data` to `out`, which may be the same, if the tag of `tag_len` bytes
 * at `tag` is right. It is compared in constant time before any plaintext is written to `out`. The
 * protocol, and not the sender, must say how long a tag is.
 *
 * `KUAIMI_ERROR_DECRYPTION_FAILED`: another key, nonce or associated data, or altered data. Then
 * `out` is a copy of `data`. `KUAIMI_ERROR_NONCE_LENGTH`, `KUAIMI_ERROR_TAG_LENGTH`.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_sm4_ccm_open(const kuaimi_sm4_ccm *cipher,
                                 const uint8_t *nonce,
                                 size_t nonce_len,
                                 const uint8_t *associated_data,
                                 size_t associated_data_len,
                                 const uint8_t *data,
                                 size_t len,
                                 const uint8_t *tag,
                                 size_t tag_len,
                                 uint8_t *out)
KUAIMI_NONNULL(1);

/**
 * Wipes and frees a cipher. Null is allowed.
 */
void kuaimi_sm4_ccm_free(kuaimi_sm4_ccm *cipher);

/**
 * SM4-CBC with the key of 16 bytes at `key`, at `*out`. Free it with `kuaimi_sm4_cbc_free`.
 */
KUAIMI_WARN_UNUSED_RESULT kuaimi_error kuaimi_sm4_cbc_new(const uint8_t *key, kuaimi_sm4_cbc **out) KUAIMI_NONNULL(1, 2);

/**
 * Encrypts whole blocks from `data` to `out`, which may be the same. The 16 bytes at `iv` must be
 * unpredictable: take them from a random generator for each message.
 *
 * `KUAIMI_ERROR_PARTIAL_BLOCK`: `len` is not a multiple of 16. Then `out` is a copy of `data`.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_sm4_cbc_encrypt(const kuaimi_sm4_cbc *cipher,
                                    const uint8_t *iv,
                                    const uint8_t *data,
                                    size_t len,
                                    uint8_t *out)
KUAIMI_NONNULL(1, 2);

/**
 * The inverse of `kuaimi_sm4_cbc_encrypt`.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_sm4_cbc_decrypt(const kuaimi_sm4_cbc *cipher,
                                    const uint8_t *iv,
                                    const uint8_t *data,
                                    size_t len,
                                    uint8_t *out)
KUAIMI_NONNULL(1, 2);

/**
 * Encrypts a message of any length, with 1 to 16 bytes of padding (PKCS#7): the next multiple of
 * 16 bytes.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_sm4_cbc_encrypt_padded(const kuaimi_sm4_cbc *cipher,
                                           const uint8_t *iv,
                                           const uint8_t *message,
                                           size_t message_len,
                                           uint8_t *out,
                                           size_t *out_len)
KUAIMI_NONNULL(1, 2, 6);

/**
 * Decrypts what `kuaimi_sm4_cbc_encrypt_padded` made, and removes the padding. The size that it
 * asks for is one byte less than the ciphertext's. A program that tells an attacker whether the
 * padding was right lets the attacker decrypt, so authenticate the ciphertext first.
 *
 * `KUAIMI_ERROR_DECRYPTION_FAILED`: the length is zero or not a multiple of 16, or the padding is
 * wrong.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_sm4_cbc_decrypt_padded(const kuaimi_sm4_cbc *cipher,
                                           const uint8_t *iv,
                                           const uint8_t *ciphertext,
                                           size_t ciphertext_len,
                                           uint8_t *out,
                                           size_t *out_len)
KUAIMI_NONNULL(1, 2, 6);

/**
 * Wipes and frees a cipher. Null is allowed.
 */
void kuaimi_sm4_cbc_free(kuaimi_sm4_cbc *cipher);

/**
 * SM4-CFB with the key of 16 bytes at `key` and the initialization vector of 16 bytes at `iv`, at
 * `*out`: for one message, which may come in pieces of any lengths. **Never use an initialization
 * vector twice with a key.** Free it with `kuaimi_sm4_cfb_free`.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_sm4_cfb_new(const uint8_t *key,
                                const uint8_t *iv,
                                kuaimi_sm4_cfb **out)
KUAIMI_NONNULL(1, 2, 3);

/**
 * Encrypts the next `len` bytes of the message, from `data` to `out`, which may be the same.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_sm4_cfb_encrypt(kuaimi_sm4_cfb *state,
                                    const uint8_t *data,
                                    size_t len,
                                    uint8_t *out)
KUAIMI_NONNULL(1);

/**
 * The inverse of `kuaimi_sm4_cfb_encrypt`.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_sm4_cfb_decrypt(kuaimi_sm4_cfb *state,
                                    const uint8_t *data,
                                    size_t len,
                                    uint8_t *out)
KUAIMI_NONNULL(1);

/**
 * A copy of `state`, at the same place, at `*out`. Free it with `kuaimi_sm4_cfb_free`.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_sm4_cfb_clone(const kuaimi_sm4_cfb *state,
                                  kuaimi_sm4_cfb **out)
KUAIMI_NONNULL(1, 2);

/**
 * Wipes and frees the state of a message. Null is allowed.
 */
void kuaimi_sm4_cfb_free(kuaimi_sm4_cfb *state);

/**
 * The key stream of the key of 16 bytes at `key` and the initialization vector of 16 bytes at
 * `iv`, at `*out`. **Never use an initialization vector twice with a key.** Free it with
 * `kuaimi_sm4_ofb_free`.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_sm4_ofb_new(const uint8_t *key,
                                const uint8_t *iv,
                                kuaimi_sm4_ofb **out)
KUAIMI_NONNULL(1, 2, 3);

/**
 * Encrypts or decrypts the next `len` bytes, from `data` to `out`, which may be the same.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_sm4_ofb_apply(kuaimi_sm4_ofb *stream,
                                  const uint8_t *data,
                                  size_t len,
                                  uint8_t *out)
KUAIMI_NONNULL(1);

/**
 * A copy of `stream`, at the same place, at `*out`. Free it with `kuaimi_sm4_ofb_free`.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_sm4_ofb_clone(const kuaimi_sm4_ofb *stream,
                                  kuaimi_sm4_ofb **out)
KUAIMI_NONNULL(1, 2);

/**
 * Wipes and frees a key stream. Null is allowed.
 */
void kuaimi_sm4_ofb_free(kuaimi_sm4_ofb *stream);

/**
 * The key stream of the key of 16 bytes at `key` and the first counter of 16 bytes at `iv`, at
 * `*out`. **Never use a counter twice with a key.** Free it with `kuaimi_sm4_ctr_free`.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_sm4_ctr_new(const uint8_t *key,
                                const uint8_t *iv,
                                kuaimi_sm4_ctr **out)
KUAIMI_NONNULL(1, 2, 3);

/**
 * Encrypts or decrypts the next `len` bytes, from `data` to `out`, which may be the same.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_sm4_ctr_apply(kuaimi_sm4_ctr *stream,
                                  const uint8_t *data,
                                  size_t len,
                                  uint8_t *out)
KUAIMI_NONNULL(1);

/**
 * A copy of `stream`, at the same place, at `*out`. Free it with `kuaimi_sm4_ctr_free`.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_sm4_ctr_clone(const kuaimi_sm4_ctr *stream,
                                  kuaimi_sm4_ctr **out)
KUAIMI_NONNULL(1, 2);

/**
 * Wipes and frees a key stream. Null is allowed.
 */
void kuaimi_sm4_ctr_free(kuaimi_sm4_ctr *stream);

/**
 * SM4-XTS with the key of 32 bytes at `key`, 16 for the data and 16 for the tweak, at `*out`. Free
 * it with `kuaimi_sm4_xts_free`.
 *
 * `KUAIMI_ERROR_EQUAL_HALVES`: the two are equal.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_sm4_xts_new(const uint8_t *key,
                                kuaimi_sm4_xts_standard standard,
                                kuaimi_sm4_xts **out)
KUAIMI_NONNULL(1, 3);

/**
 * Encrypts at least 16 bytes from `data` to `out`, which may be the same. The 16 bytes at `tweak`
 * are the position of the data, usually the number of the sector, least significant byte first.
 *
 * `KUAIMI_ERROR_DATA_TOO_SHORT`: fewer than 16 bytes. Then `out` is a copy of `data`.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_sm4_xts_encrypt(const kuaimi_sm4_xts *cipher,
                                    const uint8_t *tweak,
                                    const uint8_t *data,
                                    size_t len,
                                    uint8_t *out)
KUAIMI_NONNULL(1, 2);

/**
 * The inverse of `kuaimi_sm4_xts_encrypt`.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_sm4_xts_decrypt(const kuaimi_sm4_xts *cipher,
                                    const uint8_t *tweak,
                                    const uint8_t *data,
                                    size_t len,
                                    uint8_t *out)
KUAIMI_NONNULL(1, 2);

/**
 * Wipes and frees a cipher. Null is allowed.
 */
void kuaimi_sm4_xts_free(kuaimi_sm4_xts *cipher);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* KUAIMI_SM4_H */
