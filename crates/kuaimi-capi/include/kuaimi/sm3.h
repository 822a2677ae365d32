/*
 * SM3: the hash, HMAC, and the function that derives keys. The rules for all functions are in kuaimi.h.
 *
 * MIT OR Apache-2.0. Made from the Rust sources by cbindgen: do not edit.
 */

#ifndef KUAIMI_SM3_H
#define KUAIMI_SM3_H

#include "base.h"

/**
 * The length of a digest in bytes.
 */
#define KUAIMI_SM3_DIGEST_LEN 32

/**
 * An HMAC in progress: `kuaimi_hmac_sm3_new`, `kuaimi_hmac_sm3_update` any number of times, then
 * `kuaimi_hmac_sm3_finish` or `kuaimi_hmac_sm3_verify`.
 */
typedef struct kuaimi_hmac_sm3 kuaimi_hmac_sm3;

/**
 * A hash in progress: `kuaimi_sm3_new`, `kuaimi_sm3_update` any number of times,
 * `kuaimi_sm3_finish`.
 */
typedef struct kuaimi_sm3 kuaimi_sm3;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/**
 * The digest of `data`: 32 bytes at `digest`. Constant time in the content.
 *
 * Source: GB/T 32905-2016, clause 5.
 */
KUAIMI_WARN_UNUSED_RESULT kuaimi_error kuaimi_sm3_digest(const uint8_t *data, size_t len, uint8_t *digest) KUAIMI_NONNULL(3);

/**
 * The digests of `count` messages, 32 bytes each, one after another at `digests`. Faster than one
 * by one on CPUs with vector instructions.
 */
KUAIMI_WARN_UNUSED_RESULT kuaimi_error kuaimi_sm3_digest_many(const kuaimi_bytes *messages, size_t count, uint8_t *digests);

/**
 * A new hash at `*out`. Free it with `kuaimi_sm3_free`.
 */
KUAIMI_WARN_UNUSED_RESULT kuaimi_error kuaimi_sm3_new(kuaimi_sm3 **out) KUAIMI_NONNULL(1);

/**
 * Absorbs `data`.
 */
KUAIMI_WARN_UNUSED_RESULT kuaimi_error kuaimi_sm3_update(kuaimi_sm3 *hash, const uint8_t *data, size_t len) KUAIMI_NONNULL(1);

/**
 * The digest of all that was absorbed: 32 bytes at `digest`. The hash is then as new: it can take
 * another message.
 */
KUAIMI_WARN_UNUSED_RESULT kuaimi_error kuaimi_sm3_finish(kuaimi_sm3 *hash, uint8_t *digest) KUAIMI_NONNULL(1, 2);

/**
 * Forgets all that was absorbed.
 */
KUAIMI_WARN_UNUSED_RESULT kuaimi_error kuaimi_sm3_reset(kuaimi_sm3 *hash) KUAIMI_NONNULL(1);

/**
 * A copy of `hash`, with all that it has absorbed, at `*out`: for several messages that begin
 * alike.
 */
KUAIMI_WARN_UNUSED_RESULT kuaimi_error kuaimi_sm3_clone(const kuaimi_sm3 *hash, kuaimi_sm3 **out) KUAIMI_NONNULL(1, 2);

/**
 * Wipes and frees a hash. Null is allowed.
 */
void kuaimi_sm3_free(kuaimi_sm3 *hash);

/**
 * The compression function alone, over `count` blocks of 64 bytes at `blocks`. The 32 bytes at
 * `state` are the words A to H, most significant byte first: those of clause 4.1 at the start, the
 * digest after the last block, which has the padding of clause 5.2. For programs that keep the
 * state of a hash themselves, to save it or to copy it: all others take `kuaimi_sm3`, which also
 * wipes it. The state of a hash says as much as what was hashed: where that is a secret, so is the
 * state. Constant time.
 *
 * Source: GB/T 32905-2016, clause 5.3.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_sm3_compress(uint8_t *state,
                                 const uint8_t *blocks,
                                 size_t count)
KUAIMI_NONNULL(1);

/**
 * Fills `out_len` bytes at `out` with the key derivation function's output for the secret `z`.
 * Constant time but for the lengths.
 *
 * `KUAIMI_ERROR_DERIVED_KEY_LENGTH`: more than about 128 GiB.
 *
 * Source: GB/T 32918.4-2016, clause 5.4.3.
 */
KUAIMI_WARN_UNUSED_RESULT kuaimi_error kuaimi_sm3_kdf(const uint8_t *z, size_t z_len, uint8_t *out, size_t out_len);

/**
 * The HMAC-SM3 of `data` under a key of any length: 32 bytes at `mac`. Constant time but for the
 * lengths. To compare it with one that was received, use `kuaimi_hmac_sm3_verify`.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_hmac_sm3_digest(const uint8_t *key,
                                    size_t key_len,
                                    const uint8_t *data,
                                    size_t len,
                                    uint8_t *mac)
KUAIMI_NONNULL(5);

/**
 * A new HMAC under a key of any length at `*out`. Free it with `kuaimi_hmac_sm3_free`.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_hmac_sm3_new(const uint8_t *key,
                                 size_t key_len,
                                 kuaimi_hmac_sm3 **out)
KUAIMI_NONNULL(3);

/**
 * Absorbs `data`.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_hmac_sm3_update(kuaimi_hmac_sm3 *hmac,
                                    const uint8_t *data,
                                    size_t len)
KUAIMI_NONNULL(1);

/**
 * The HMAC of all that was absorbed: 32 bytes at `mac`. It can then take another message under the
 * same key.
 */
KUAIMI_WARN_UNUSED_RESULT kuaimi_error kuaimi_hmac_sm3_finish(kuaimi_hmac_sm3 *hmac, uint8_t *mac) KUAIMI_NONNULL(1, 2);

/**
 * Compares the HMAC of all that was absorbed with the 32 bytes at `mac`, in constant time. It can
 * then take another message under the same key.
 *
 * `KUAIMI_ERROR_INVALID_SIGNATURE`: they differ.
 */
KUAIMI_WARN_UNUSED_RESULT kuaimi_error kuaimi_hmac_sm3_verify(kuaimi_hmac_sm3 *hmac, const uint8_t *mac) KUAIMI_NONNULL(1, 2);

/**
 * A copy of `hmac`, with its key and all that it has absorbed, at `*out`: to have the HMAC so far
 * and go on.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_hmac_sm3_clone(const kuaimi_hmac_sm3 *hmac,
                                   kuaimi_hmac_sm3 **out)
KUAIMI_NONNULL(1, 2);

/**
 * Wipes and frees an HMAC. Null is allowed.
 */
void kuaimi_hmac_sm3_free(kuaimi_hmac_sm3 *hmac);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* KUAIMI_SM3_H */
