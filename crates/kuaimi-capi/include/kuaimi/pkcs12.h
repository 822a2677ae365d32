/*
 * Private keys with their certificates in one file: PKCS #12, and the files of CFCA. The rules for all functions are in kuaimi.h.
 *
 * MIT OR Apache-2.0. Made from the Rust sources by cbindgen: do not edit.
 */

#ifndef KUAIMI_PKCS12_H
#define KUAIMI_PKCS12_H

#include "base.h"
#include "sm2.h"
#include "certificate.h"

/**
 * Whose programs should open a PKCS #12 file.
 */
typedef enum {
  /**
   * AES-256-CBC and HMAC-SHA-256: OpenSSL 1.1.1 and newer, Bouncy Castle, gmsm.
   */
  KUAIMI_PKCS12_COMPATIBLE = 1,
  /**
   * SM4-CBC, HMAC-SM3 and PBMAC1 (RFC 9579): gmsm.
   */
  KUAIMI_PKCS12_SM = 2,
  /**
   * SM4-CBC and HMAC-SM3 with OpenSSL's identifier: OpenSSL 4.0, Tongsuo.
   */
  KUAIMI_PKCS12_SM_OPENSSL = 3,
  /**
   * Triple DES and SHA-1, for old programs: **weak**.
   */
  KUAIMI_PKCS12_LEGACY = 4,
} kuaimi_pkcs12_profile;

/**
 * The keys of SM2 in a PKCS #12 file, with their certificates. Not changed by any function, so
 * that threads may share it.
 */
typedef struct kuaimi_pkcs12 kuaimi_pkcs12;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/**
 * Reads a PKCS #12 file in DER or BER, which must have a MAC. What it has of SM2 is at `*out`;
 * free it with `kuaimi_pkcs12_free`. `password`: in UTF-8. Takes some tenths of a second, and some
 * seconds at most: a file may ask for 10 million iterations.
 *
 * `KUAIMI_ERROR_WRONG_PASSWORD`: another password, or an altered file, which look the same.
 * `KUAIMI_ERROR_DER`: it is no such file, or has no MAC. `KUAIMI_ERROR_OTHER_ALGORITHM`,
 * `KUAIMI_ERROR_UNSUPPORTED_ENCRYPTION`: it is encrypted in a way that is not supported.
 * `KUAIMI_ERROR_ENCRYPTION_COST`, `KUAIMI_ERROR_INVALID_ARGUMENT`: it asks for too much work, is
 * too large, or the password is not UTF-8.
 *
 * Source: RFC 7292; RFC 9579; GM/T 0091-2020.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_pkcs12_read(const uint8_t *bytes,
                                size_t len,
                                const uint8_t *password,
                                size_t password_len,
                                kuaimi_pkcs12 **out)
KUAIMI_NONNULL(5);

/**
 * The number of keys of SM2 in a file, at `count`. A file may have two: a pair of keys to sign and
 * to encrypt.
 */
KUAIMI_WARN_UNUSED_RESULT kuaimi_error kuaimi_pkcs12_key_count(const kuaimi_pkcs12 *file, size_t *count) KUAIMI_NONNULL(1, 2);

/**
 * Key number `index` of a file, counted from 0, at `*out`. Free it with
 * `kuaimi_sm2_private_key_free`.
 *
 * `KUAIMI_ERROR_INVALID_ARGUMENT`: there are not so many.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_pkcs12_key(const kuaimi_pkcs12 *file,
                               size_t index,
                               kuaimi_sm2_private_key **out)
KUAIMI_NONNULL(1, 3);

/**
 * The number of certificates of key number `index`, at `count`: its own and those above it, as far
 * as the file has them; 0 if it has none of this key.
 *
 * `KUAIMI_ERROR_INVALID_ARGUMENT`: there are not so many keys.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_pkcs12_certificate_count(const kuaimi_pkcs12 *file,
                                             size_t index,
                                             size_t *count)
KUAIMI_NONNULL(1, 3);

/**
 * A certificate of key number `index`, at `*out`: `place` 0 is the key's own, 1 its issuer's, and
 * so on, by their names: nothing of them was verified. Free it with `kuaimi_certificate_free`.
 *
 * `KUAIMI_ERROR_INVALID_ARGUMENT`: there are not so many keys, or certificates.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_pkcs12_certificate(const kuaimi_pkcs12 *file,
                                       size_t index,
                                       size_t place,
                                       kuaimi_certificate **out)
KUAIMI_NONNULL(1, 4);

/**
 * Writes a PKCS #12 file in DER with a private key, its certificate, and `certificates` above it.
 * `password`: in UTF-8. Takes some tenths of a second. The size that it asks for is some hundred
 * bytes too many.
 *
 * `KUAIMI_ERROR_INVALID_ARGUMENT`: the certificate is of another key, or the password is not
 * UTF-8.
 *
 * Source: RFC 7292; RFC 9579; GM/T 0091-2020.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_pkcs12_write(const kuaimi_sm2_private_key *key,
                                 const kuaimi_certificate *certificate,
                                 kuaimi_certificate *const *certificates,
                                 size_t count,
                                 const uint8_t *password,
                                 size_t password_len,
                                 kuaimi_pkcs12_profile profile,
                                 uint8_t *out,
                                 size_t *out_len)
KUAIMI_NONNULL(1, 2, 9);

/**
 * As `kuaimi_pkcs12_write`, for several private keys, such as the pair to sign and to encrypt.
 * `holders[0]` is the certificate of `keys[0]`, and so on; `certificates` are those above them.
 *
 * `KUAIMI_ERROR_INVALID_ARGUMENT`: there is no key, or as of `kuaimi_pkcs12_write`.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_pkcs12_write_all(kuaimi_sm2_private_key *const *keys,
                                     kuaimi_certificate *const *holders,
                                     size_t key_count,
                                     kuaimi_certificate *const *certificates,
                                     size_t count,
                                     const uint8_t *password,
                                     size_t password_len,
                                     kuaimi_pkcs12_profile profile,
                                     uint8_t *out,
                                     size_t *out_len)
KUAIMI_NONNULL(10);

/**
 * Wipes and frees the content of a file. Null is allowed.
 */
void kuaimi_pkcs12_free(kuaimi_pkcs12 *file);

/**
 * Reads an `.sm2` file of CFCA, which is Base64, PEM or DER: a private key at `*key`, and its
 * certificate at `*certificate`. `password`: in UTF-8. The form protects the password badly: it
 * has no salt and no iterations. Better write the key with `kuaimi_pkcs12_write`.
 *
 * `KUAIMI_ERROR_WRONG_PASSWORD`: another password, or an altered file, which look the same.
 * `KUAIMI_ERROR_DER` and others from 50 on: it is no such file. `KUAIMI_ERROR_INVALID_ARGUMENT`:
 * it has more than 1 MiB, or the password is not UTF-8.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_cfca_read_key_file(const uint8_t *bytes,
                                       size_t len,
                                       const uint8_t *password,
                                       size_t password_len,
                                       kuaimi_sm2_private_key **key,
                                       kuaimi_certificate **certificate)
KUAIMI_NONNULL(5, 6);

/**
 * Writes an `.sm2` file of CFCA, as lines of Base64, for programs that read nothing else.
 * `password`: in UTF-8; the form protects it badly, so it must be random. `kuaimi_pkcs12_write` is
 * better.
 *
 * `KUAIMI_ERROR_INVALID_ARGUMENT`: the certificate is of another key, or the password is not
 * UTF-8.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_cfca_write_key_file(const kuaimi_sm2_private_key *key,
                                        const kuaimi_certificate *certificate,
                                        const uint8_t *password,
                                        size_t password_len,
                                        uint8_t *out,
                                        size_t *out_len)
KUAIMI_NONNULL(1, 2, 6);

/**
 * Opens the key to encrypt with that CFCA returns for a request with a temporary key, whose
 * private key is `temporary`. The private key is at `*out`; free it with
 * `kuaimi_sm2_private_key_free`. Constant time in the keys.
 *
 * `KUAIMI_ERROR_DECRYPTION_FAILED`: another temporary key, or an altered text.
 * `KUAIMI_ERROR_DER` and others from 50 on: it is no such text.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_cfca_open_returned_key(const kuaimi_sm2_private_key *temporary,
                                           const uint8_t *bytes,
                                           size_t len,
                                           kuaimi_sm2_private_key **out)
KUAIMI_NONNULL(1, 4);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* KUAIMI_PKCS12_H */
