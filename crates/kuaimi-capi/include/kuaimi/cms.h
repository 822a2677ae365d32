/*
 * Messages of CMS and GM/T 0010: signed, and encrypted. The rules for all functions are in kuaimi.h.
 *
 * MIT OR Apache-2.0. Made from the Rust sources by cbindgen: do not edit.
 */

#ifndef KUAIMI_CMS_H
#define KUAIMI_CMS_H

#include "base.h"
#include "form.h"
#include "sm2.h"
#include "certificate.h"

/**
 * The length of a content that is not known beforehand.
 */
#define KUAIMI_CMS_LENGTH_UNKNOWN UINT64_MAX

/**
 * What the object identifiers of a message are written after. All forms are read, without an
 * option.
 */
typedef enum {
  /**
   * CMS (RFC 5652): what OpenSSL and Bouncy Castle read.
   */
  KUAIMI_CMS_FORM_CMS = 1,
  /**
   * GM/T 0010 (GB/T 35275): what Chinese banks and authorities expect.
   */
  KUAIMI_CMS_FORM_GM = 2,
  /**
   * Encrypted messages alone: GM/T 0010 with the names of algorithms that GmSSL 3 reads.
   */
  KUAIMI_CMS_FORM_GMSSL = 3,
} kuaimi_cms_form;

/**
 * Where the content of a signed message is.
 */
typedef enum {
  /**
   * In the message.
   */
  KUAIMI_CMS_CONTENT_INSIDE = 0,
  /**
   * Elsewhere: who verifies the message needs it, too.
   */
  KUAIMI_CMS_CONTENT_DETACHED = 1,
} kuaimi_cms_content;

/**
 * What the signature of a message is of.
 */
typedef enum {
  /**
   * Signed attributes, with the digest of the content among them.
   */
  KUAIMI_CMS_ATTRIBUTES_SIGNED = 0,
  /**
   * The content alone, as CFCA's SADK signs. There is no signing time.
   */
  KUAIMI_CMS_ATTRIBUTES_NONE = 1,
} kuaimi_cms_attributes;

/**
 * The identity under which a message is signed.
 */
typedef enum {
  /**
   * The usual one, `1234567812345678`.
   */
  KUAIMI_CMS_IDENTITY_USUAL = 0,
  /**
   * The empty one, which OpenSSL 3 needs and others refuse.
   */
  KUAIMI_CMS_IDENTITY_EMPTY = 1,
} kuaimi_cms_identity;

/**
 * How a message names the certificates of signers or recipients.
 */
typedef enum {
  /**
   * By issuer and serial number.
   */
  KUAIMI_CMS_ID_ISSUER = 0,
  /**
   * By the identifier of the key, as CFCA's SADK does: that in the certificate, or else
   * SHA-1 of the key.
   */
  KUAIMI_CMS_ID_KEY = 1,
} kuaimi_cms_id;

/**
 * The cipher of a message's content.
 */
typedef enum {
  /**
   * SM4-CBC: what most programs read. **It is not authenticated**: who can change the
   * message can change the content.
   */
  KUAIMI_CMS_CIPHER_SM4_CBC = 1,
  /**
   * SM4-GCM (RFC 5083): any change is detected.
   */
  KUAIMI_CMS_CIPHER_SM4_GCM = 2,
  /**
   * SM4-CBC, named without the mode, as CFCA's SADK does.
   */
  KUAIMI_CMS_CIPHER_SM4_CBC_SADK = 3,
} kuaimi_cms_cipher;

/**
 * A message whose content is elsewhere, being verified.
 */
typedef struct kuaimi_cms_detached kuaimi_cms_detached;

/**
 * A content that is being encrypted.
 */
typedef struct kuaimi_cms_encryption kuaimi_cms_encryption;

/**
 * A message that is being signed.
 */
typedef struct kuaimi_cms_signing kuaimi_cms_signing;

/**
 * A signed message whose signatures are all right. Not changed by any function, so that threads
 * may share it.
 */
typedef struct kuaimi_cms_verified kuaimi_cms_verified;

/**
 * The choices of who signs a message. Where a function takes a pointer to it, null means all
 * zeros.
 */
typedef struct {
  /**
   * When the signer says that it signed, in seconds since 1970-01-01 00:00:00 UTC; 0 for
   * nothing.
   */
  uint64_t signing_time;
  /**
   * Where the content is.
   */
  kuaimi_cms_content content;
  /**
   * What is signed.
   */
  kuaimi_cms_attributes attributes;
  /**
   * The identity.
   */
  kuaimi_cms_identity identity;
  /**
   * How the signer's certificate is named.
   */
  kuaimi_cms_id id;
} kuaimi_cms_sign_options;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/**
 * Signs a content, and writes the message in DER. The certificate of the signer is in it, and the
 * `certificates`, which should be those of the authorities above it but the last. Constant time in
 * the key. The size that it asks for is some hundred bytes too many.
 *
 * `form`: `KUAIMI_CMS_FORM_CMS` or `KUAIMI_CMS_FORM_GM`.
 *
 * `KUAIMI_ERROR_INVALID_ARGUMENT`: the certificate is of another key, or options do not fit
 * together. `KUAIMI_ERROR_OTHER_ALGORITHM`: the certificate is not of SM2.
 *
 * Source: GM/T 0010-2012, clause 7; RFC 5652, clause 5.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_cms_sign(const kuaimi_sm2_private_key *key,
                             const kuaimi_certificate *certificate,
                             kuaimi_certificate *const *certificates,
                             size_t count,
                             const uint8_t *content,
                             size_t content_len,
                             kuaimi_cms_form form,
                             const kuaimi_cms_sign_options *options,
                             uint8_t *out,
                             size_t *out_len)
KUAIMI_NONNULL(1, 2, 10);

/**
 * Begins a message that the holders of these certificates' keys will sign, at `*out`; free it with
 * `kuaimi_cms_signing_free`. For several signers, a key in a device, or a large content that is
 * not to be in the message: then it is given in pieces, and not kept. `kuaimi_cms_sign` is
 * simpler.
 *
 * ```c
 * kuaimi_cms_signing_new(signers, 1, NULL, 0, KUAIMI_CMS_FORM_GM, &options, &signing);
 * kuaimi_cms_signing_update(signing, content, content_len);
 * kuaimi_cms_signing_digest(signing, 0, digest);
 * // The device signs the digest.
 * kuaimi_cms_signing_put(signing, signature, 64, 0, KUAIMI_SIGNATURE_RAW);
 * kuaimi_cms_signing_finish(signing, message, &message_len);
 * ```
 *
 * `certificates`: others that the message is to have. `form`, `options` and errors as of
 * `kuaimi_cms_sign`; `KUAIMI_ERROR_INVALID_ARGUMENT`: there is no signer, or more than 64.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_cms_signing_new(kuaimi_certificate *const *signers,
                                    size_t signer_count,
                                    kuaimi_certificate *const *certificates,
                                    size_t count,
                                    kuaimi_cms_form form,
                                    const kuaimi_cms_sign_options *options,
                                    kuaimi_cms_signing **out)
KUAIMI_NONNULL(7);

/**
 * Takes the next bytes of the content.
 *
 * `KUAIMI_ERROR_ALREADY_USED`: the content ended, as a digest was asked for.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_cms_signing_update(kuaimi_cms_signing *signing,
                                       const uint8_t *content,
                                       size_t content_len)
KUAIMI_NONNULL(1);

/**
 * Ends the content, and writes the 32 bytes that signer number `index`, counted from 0, has to
 * sign: SM3(Z ‖ M), the input of a signature of SM2 after its hash.
 *
 * `KUAIMI_ERROR_INVALID_ARGUMENT`: there are not so many signers.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_cms_signing_digest(kuaimi_cms_signing *signing,
                                       size_t index,
                                       uint8_t *digest)
KUAIMI_NONNULL(1, 3);

/**
 * Takes the signature of signer number `index`.
 *
 * `KUAIMI_ERROR_SIGNATURE_ENCODING` and the errors of DER: the bytes are no signature in this
 * form. Whether it fits is seen by `kuaimi_cms_signing_finish`.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_cms_signing_put(kuaimi_cms_signing *signing,
                                    const uint8_t *signature,
                                    size_t signature_len,
                                    size_t index,
                                    kuaimi_signature_form form)
KUAIMI_NONNULL(1);

/**
 * Verifies the signatures and writes the message in DER. It can be done once; asking for the size
 * ends the content. The size that it asks for is some hundred bytes too many.
 *
 * `KUAIMI_ERROR_INVALID_SIGNATURE`: a signature does not fit its certificate and the digest.
 * `KUAIMI_ERROR_INVALID_ARGUMENT`: there is none of some signer.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_cms_signing_finish(kuaimi_cms_signing *signing,
                                       uint8_t *out,
                                       size_t *out_len)
KUAIMI_NONNULL(1, 3);

/**
 * Wipes and frees a message that was being signed. Null is allowed.
 */
void kuaimi_cms_signing_free(kuaimi_cms_signing *signing);

/**
 * Verifies a signed message in BER, DER or PEM. If it has signers and every signature is right,
 * what is in it is at `*out`; free it with `kuaimi_cms_verified_free`.
 *
 * **Anybody can sign a message.** Whether to trust the signers is for `kuaimi_verifier_verify`
 * with the certificates that `kuaimi_cms_verified_signer` gives, those of
 * `kuaimi_cms_verified_certificate` as intermediates, and `KUAIMI_PURPOSE_SIGNING`.
 *
 * `certificates`: those that signers may have, besides those in the message. `content`: null, or
 * the content of a message that does not have it inside.
 *
 * `KUAIMI_ERROR_INVALID_SIGNATURE`: a signature is not right, or the certificate of a signer is
 * not there. `KUAIMI_ERROR_DER` and others from 50 on: it is no signed message, or has no signer.
 * `KUAIMI_ERROR_INVALID_ARGUMENT`: the content is inside and was given, or is neither.
 *
 * Source: GM/T 0010-2012, clause 7; RFC 5652, clause 5.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_cms_verify(kuaimi_certificate *const *certificates,
                               size_t count,
                               const uint8_t *message,
                               size_t message_len,
                               const uint8_t *content,
                               size_t content_len,
                               kuaimi_identities identities,
                               kuaimi_cms_verified **out)
KUAIMI_NONNULL(8);

/**
 * Writes the content of a message that has it inside; nothing if the caller gave it.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_cms_verified_content(const kuaimi_cms_verified *message,
                                         uint8_t *out,
                                         size_t *out_len)
KUAIMI_NONNULL(1, 3);

/**
 * The number of signers, at `count`: one at least.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_cms_verified_signer_count(const kuaimi_cms_verified *message,
                                              size_t *count)
KUAIMI_NONNULL(1, 2);

/**
 * The certificate whose key signer number `index`, counted from 0, signed with, at `*out`. Free it
 * with `kuaimi_certificate_free`.
 *
 * `KUAIMI_ERROR_INVALID_ARGUMENT`: there are not so many signers.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_cms_verified_signer(const kuaimi_cms_verified *message,
                                        size_t index,
                                        kuaimi_certificate **out)
KUAIMI_NONNULL(1, 3);

/**
 * When signer number `index` says that it signed, in seconds since 1970-01-01 00:00:00 UTC, at
 * `signing_time`; 0 if it does not say. **Nothing proves it.**
 *
 * `KUAIMI_ERROR_INVALID_ARGUMENT`: there are not so many signers.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_cms_verified_signing_time(const kuaimi_cms_verified *message,
                                              size_t index,
                                              uint64_t *signing_time)
KUAIMI_NONNULL(1, 3);

/**
 * The number of certificates in the message, at `count`.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_cms_verified_certificate_count(const kuaimi_cms_verified *message,
                                                   size_t *count)
KUAIMI_NONNULL(1, 2);

/**
 * Certificate number `index` in the message, for which nobody has vouched, at `*out`. Free it with
 * `kuaimi_certificate_free`.
 *
 * `KUAIMI_ERROR_INVALID_ARGUMENT`: there are not so many.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_cms_verified_certificate(const kuaimi_cms_verified *message,
                                             size_t index,
                                             kuaimi_certificate **out)
KUAIMI_NONNULL(1, 3);

/**
 * Frees a verified message. Null is allowed.
 */
void kuaimi_cms_verified_free(kuaimi_cms_verified *message);

/**
 * Encrypts a content for the holders of these certificates, of which there must be one or more,
 * and writes the message in DER. Of a pair, give the encrypting certificate. **The certificates
 * are not verified**: `kuaimi_verifier_verify` with `KUAIMI_PURPOSE_ENCRYPTION` does that. The
 * size that it asks for is some hundred bytes too many.
 *
 * `KUAIMI_ERROR_OTHER_ALGORITHM`: a certificate is not of SM2. `KUAIMI_ERROR_INVALID_ARGUMENT`:
 * there is no certificate.
 *
 * Source: GM/T 0010-2012, clause 8; RFC 5652, clause 6; RFC 5083.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_cms_encrypt(kuaimi_certificate *const *certificates,
                                size_t count,
                                const uint8_t *content,
                                size_t content_len,
                                kuaimi_cms_form form,
                                kuaimi_cms_cipher cipher,
                                kuaimi_cms_id id,
                                uint8_t *out,
                                size_t *out_len)
KUAIMI_NONNULL(9);

/**
 * Decrypts a message in BER, DER or PEM with a private key. The size that it asks for is that of
 * the message.
 *
 * `certificate`: the certificate of the key, by which its part of the message is found; null to
 * try the key on the first eight recipients.
 *
 * The signers of signedAndEnvelopedData (GM/T 0010, clause 9) must be right, too, but are not
 * given out: nothing says whether to trust them.
 *
 * `KUAIMI_ERROR_DECRYPTION_FAILED`: another key, or an altered message. Which of these is not
 * said. **Do not tell senders of messages without authentication even that**: from many such
 * answers an attacker reads the content. `KUAIMI_ERROR_OTHER_KEY`: the message was not encrypted
 * for this certificate. `KUAIMI_ERROR_DER` and others from 50 on: it is no such message.
 *
 * Source: GM/T 0010-2012, clauses 8 and 9; RFC 5652, clause 6; RFC 5083.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_cms_decrypt(const kuaimi_sm2_private_key *key,
                                const kuaimi_certificate *certificate,
                                const uint8_t *message,
                                size_t message_len,
                                uint8_t *out,
                                size_t *out_len)
KUAIMI_NONNULL(1, 6);

/**
 * Begins to verify a message that does not have the content inside, with the content in pieces, at
 * `*out`; free it with `kuaimi_cms_detached_free`. Arguments and errors as of `kuaimi_cms_verify`.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_cms_detached_new(kuaimi_certificate *const *certificates,
                                     size_t count,
                                     const uint8_t *message,
                                     size_t message_len,
                                     kuaimi_identities identities,
                                     kuaimi_cms_detached **out)
KUAIMI_NONNULL(6);

/**
 * Takes the next bytes of the content.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_cms_detached_update(kuaimi_cms_detached *detached,
                                        const uint8_t *content,
                                        size_t content_len)
KUAIMI_NONNULL(1);

/**
 * Ends the content. If every signature is right, what is in the message is at `*out`, as from
 * `kuaimi_cms_verify`; free it with `kuaimi_cms_verified_free`. It can be done once.
 *
 * `KUAIMI_ERROR_INVALID_SIGNATURE`: a signature is not right. `KUAIMI_ERROR_ALREADY_USED`: this
 * was called before.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_cms_detached_finish(kuaimi_cms_detached *detached,
                                        kuaimi_cms_verified **out)
KUAIMI_NONNULL(1, 2);

/**
 * Frees what was being verified. Null is allowed.
 */
void kuaimi_cms_detached_free(kuaimi_cms_detached *detached);

/**
 * Begins to encrypt a content in pieces, at `*out`; free it with `kuaimi_cms_encryption_free`. The
 * message is what `kuaimi_cms_encryption_update` and `_finish` write, one after another.
 *
 * `content_len`: the number of bytes of the content, with which the message is DER, or
 * `KUAIMI_CMS_LENGTH_UNKNOWN`: then it is BER, which most programs read, too. Other arguments and
 * errors as of `kuaimi_cms_encrypt`.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_cms_encryption_new(kuaimi_certificate *const *certificates,
                                       size_t count,
                                       kuaimi_cms_form form,
                                       kuaimi_cms_cipher cipher,
                                       kuaimi_cms_id id,
                                       uint64_t content_len,
                                       kuaimi_cms_encryption **out)
KUAIMI_NONNULL(7);

/**
 * Takes the next bytes of the content, and writes the next bytes of the message. The size that it
 * asks for is some hundred bytes too many.
 *
 * `KUAIMI_ERROR_INVALID_ARGUMENT`: there are more bytes than `content_len` said.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_cms_encryption_update(kuaimi_cms_encryption *encryption,
                                          const uint8_t *content,
                                          size_t content_len,
                                          uint8_t *out,
                                          size_t *out_len)
KUAIMI_NONNULL(1, 5);

/**
 * Ends the content, and writes the last bytes of the message. It can be done once. The size that
 * it asks for is some hundred bytes too many.
 *
 * `KUAIMI_ERROR_INVALID_ARGUMENT`: there were fewer bytes than `content_len` said.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_cms_encryption_finish(kuaimi_cms_encryption *encryption,
                                          uint8_t *out,
                                          size_t *out_len)
KUAIMI_NONNULL(1, 3);

/**
 * Wipes and frees what was being encrypted. Null is allowed.
 */
void kuaimi_cms_encryption_free(kuaimi_cms_encryption *encryption);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* KUAIMI_CMS_H */
