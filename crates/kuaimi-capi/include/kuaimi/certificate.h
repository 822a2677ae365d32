/*
 * Certificates, and chains of them. The rules for all functions are in kuaimi.h.
 *
 * MIT OR Apache-2.0. Made from the Rust sources by cbindgen: do not edit.
 */

#ifndef KUAIMI_CERTIFICATE_H
#define KUAIMI_CERTIFICATE_H

#include "base.h"
#include "sm2.h"

/**
 * The most bytes that `kuaimi_verifier_explain` writes.
 */
#define KUAIMI_REFUSAL_MAX_LEN 2048

/**
 * A form in which a certificate is written.
 */
typedef enum {
  /**
   * PEM.
   */
  KUAIMI_CERTIFICATE_PEM = 1,
  /**
   * DER.
   */
  KUAIMI_CERTIFICATE_DER = 2,
} kuaimi_certificate_form;

/**
 * The identities under which SM2's signatures in certificates, lists and messages may be made.
 */
typedef enum {
  /**
   * The usual one, `1234567812345678`, as GM/T 0009 says.
   */
  KUAIMI_IDENTITIES_USUAL = 1,
  /**
   * The usual one, or else the empty one, under which OpenSSL 3 and some authorities sign.
   */
  KUAIMI_IDENTITIES_USUAL_OR_EMPTY = 2,
} kuaimi_identities;

/**
 * What the end certificate of a chain is used for.
 */
typedef enum {
  /**
   * Anything: its keyUsage and extKeyUsage are not looked at.
   */
  KUAIMI_PURPOSE_ANY = 1,
  /**
   * A server of TLS or TLCP.
   */
  KUAIMI_PURPOSE_SERVER = 2,
  /**
   * A client of TLS or TLCP.
   */
  KUAIMI_PURPOSE_CLIENT = 3,
  /**
   * Signing messages and documents: the signing certificate of a pair (GM/T 0015).
   */
  KUAIMI_PURPOSE_SIGNING = 4,
  /**
   * Receiving encrypted messages: the encrypting certificate of a pair (GM/T 0015).
   */
  KUAIMI_PURPOSE_ENCRYPTION = 5,
  /**
   * Signing programs.
   */
  KUAIMI_PURPOSE_CODE = 6,
  /**
   * Signing OCSP responses.
   */
  KUAIMI_PURPOSE_OCSP = 7,
} kuaimi_purpose;

/**
 * What must be known of the revocation of the certificates of a chain.
 */
typedef enum {
  /**
   * Nothing: lists are not looked at.
   */
  KUAIMI_REVOCATION_OFF = 1,
  /**
   * A certificate that a list names is refused; one of which nothing is known is accepted.
   */
  KUAIMI_REVOCATION_IF_GIVEN = 2,
  /**
   * As before, and it must be known that the end certificate is not revoked.
   */
  KUAIMI_REVOCATION_END = 3,
  /**
   * It must be known of each certificate but the trusted one that it is not revoked.
   */
  KUAIMI_REVOCATION_ALL = 4,
} kuaimi_revocation;

/**
 * A certificate of X.509, with the bytes that it was read from. Not changed by any function, so
 * that threads may share it.
 *
 * Reading a certificate checks nothing of it: `kuaimi_verifier_verify` says whether it can be
 * trusted.
 */
typedef struct kuaimi_certificate kuaimi_certificate;

/**
 * The certificates that are trusted, others that are known, and lists of revoked certificates.
 * Threads may share it: chains are verified side by side.
 */
typedef struct kuaimi_verifier kuaimi_verifier;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/**
 * Reads a certificate in DER, PEM, Base64 or hexadecimal; of several in PEM the first. It is at
 * `*out`; free it with `kuaimi_certificate_free`.
 *
 * `KUAIMI_ERROR_TEXT`: there is no certificate in the text. `KUAIMI_ERROR_DER` and the errors of
 * public keys: it is malformed. `KUAIMI_ERROR_INVALID_ARGUMENT`: it has more than 1 MiB.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_certificate_read(const uint8_t *bytes,
                                     size_t len,
                                     kuaimi_certificate **out)
KUAIMI_NONNULL(3);

/**
 * How many certificates are in PEM with other text and other blocks between them, at `count`; for
 * one in another form 1. All of them are read. Errors as of `kuaimi_certificate_read`.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_certificate_count(const uint8_t *bytes,
                                      size_t len,
                                      size_t *count)
KUAIMI_NONNULL(3);

/**
 * Reads the first `count` certificates, with handles at `certificates[0]` to
 * `certificates[count - 1]`: all, if `count` came from `kuaimi_certificate_count`. Free each with
 * `kuaimi_certificate_free`. If one cannot be read, there is none.
 *
 * `KUAIMI_ERROR_INVALID_ARGUMENT`: there are fewer. Other errors as of `kuaimi_certificate_read`.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_certificate_read_all(const uint8_t *bytes,
                                         size_t len,
                                         kuaimi_certificate **certificates,
                                         size_t count);

/**
 * Writes a certificate: the bytes that were read, or PEM of them.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_certificate_write(const kuaimi_certificate *certificate,
                                      kuaimi_certificate_form form,
                                      uint8_t *out,
                                      size_t *out_len)
KUAIMI_NONNULL(1, 4);

/**
 * The subject's name as text in UTF-8: `CN=leaf,O=Example` (RFC 4514). There is no zero byte at
 * its end, and no byte at all if the name is empty.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_certificate_subject(const kuaimi_certificate *certificate,
                                        uint8_t *out,
                                        size_t *out_len)
KUAIMI_NONNULL(1, 3);

/**
 * The issuer's name: see `kuaimi_certificate_subject`.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_certificate_issuer(const kuaimi_certificate *certificate,
                                       uint8_t *out,
                                       size_t *out_len)
KUAIMI_NONNULL(1, 3);

/**
 * The serial number, as in DER: most significant byte first, with a byte 00 before a first byte
 * above 7f.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_certificate_serial(const kuaimi_certificate *certificate,
                                       uint8_t *out,
                                       size_t *out_len)
KUAIMI_NONNULL(1, 3);

/**
 * From when and until when a certificate is valid, in seconds since 1970-01-01 00:00:00 UTC. Both
 * moments belong to the time.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_certificate_validity(const kuaimi_certificate *certificate,
                                         uint64_t *not_before,
                                         uint64_t *not_after)
KUAIMI_NONNULL(1, 2, 3);

/**
 * The public key of a certificate, at `*out`. Free it with `kuaimi_sm2_public_key_free`.
 *
 * `KUAIMI_ERROR_OTHER_ALGORITHM`: it is no key of SM2.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_certificate_public_key(const kuaimi_certificate *certificate,
                                           kuaimi_sm2_public_key **out)
KUAIMI_NONNULL(1, 2);

/**
 * Whether the key of `issuer` signed a certificate. **Names, dates and uses are not looked at**:
 * `kuaimi_verifier_verify` does that. Signatures of SM2, of ECDSA on P-256 and P-384 and of RSA
 * are verified.
 *
 * `KUAIMI_ERROR_INVALID_SIGNATURE`: it did not. `KUAIMI_ERROR_OTHER_ALGORITHM`: the signature or
 * the key is of an algorithm that is not supported.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_certificate_verify_signature(const kuaimi_certificate *certificate,
                                                 const kuaimi_certificate *issuer,
                                                 kuaimi_identities identities)
KUAIMI_NONNULL(1, 2);

/**
 * Frees a certificate. Null is allowed.
 */
void kuaimi_certificate_free(kuaimi_certificate *certificate);

/**
 * A verifier that trusts nobody yet, at `*out`. Free it with `kuaimi_verifier_free`.
 */
KUAIMI_WARN_UNUSED_RESULT kuaimi_error kuaimi_verifier_new(kuaimi_verifier **out) KUAIMI_NONNULL(1);

/**
 * Trusts a certificate, which need not have signed itself. It may be freed.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_verifier_add_anchor(kuaimi_verifier *verifier,
                                        const kuaimi_certificate *certificate)
KUAIMI_NONNULL(1, 2);

/**
 * Adds a certificate over which paths may lead. It is not trusted. It may be freed.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_verifier_add_intermediate(kuaimi_verifier *verifier,
                                              const kuaimi_certificate *certificate)
KUAIMI_NONNULL(1, 2);

/**
 * Adds lists of revoked certificates, complete ones and deltas: one in DER, or any number in PEM.
 * They are not trusted: a list counts once its signature was verified.
 *
 * `KUAIMI_ERROR_TEXT`: there is no list in the text. `KUAIMI_ERROR_DER`: it is malformed, or has a
 * critical extension that is not known.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_verifier_add_crl(kuaimi_verifier *verifier,
                                     const uint8_t *bytes,
                                     size_t len)
KUAIMI_NONNULL(1);

/**
 * Verifies the chain of the certificate `end`: that a path leads over `intermediates`, in any
 * order, and those that were added, to a certificate that is trusted, and that all of them may be
 * used as they are. Signatures, dates, basicConstraints, keyUsage, extKeyUsage, name constraints,
 * policies and revocation are checked, of the trusted certificate, too (RFC 5280). The work is
 * limited, however many certificates there are.
 *
 * `peer`: whom the end certificate must be for, in UTF-8: the name of a host, an address of IP, or
 * a mailbox, of which alternative names alone are looked at; null for anybody. `time`: when all
 * must be valid, in seconds since 1970-01-01 00:00:00 UTC: `(uint64_t)time(NULL)`, for example.
 *
 * `KUAIMI_ERROR_CERTIFICATE_REFUSED`: the chain is refused; `kuaimi_verifier_explain` says why.
 * `KUAIMI_ERROR_INVALID_ARGUMENT`: `peer` is none of these.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_verifier_verify(const kuaimi_verifier *verifier,
                                    const kuaimi_certificate *end,
                                    kuaimi_certificate *const *intermediates,
                                    size_t count,
                                    const uint8_t *peer,
                                    size_t peer_len,
                                    kuaimi_purpose purpose,
                                    kuaimi_revocation revocation,
                                    kuaimi_identities identities,
                                    uint64_t time)
KUAIMI_NONNULL(1, 2);

/**
 * Why `kuaimi_verifier_verify` with the same arguments refuses a chain, as a sentence in English
 * at `out`, which names the certificate and the rule that it breaks: "the certificate of CN=leaf
 * expired on 2026-01-01 00:00:00 UTC". There is a sentence always, also for a chain that is
 * accepted. It is in UTF-8, has no zero byte at its end, and names that others chose.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_verifier_explain(const kuaimi_verifier *verifier,
                                     const kuaimi_certificate *end,
                                     kuaimi_certificate *const *intermediates,
                                     size_t count,
                                     const uint8_t *peer,
                                     size_t peer_len,
                                     kuaimi_purpose purpose,
                                     kuaimi_revocation revocation,
                                     kuaimi_identities identities,
                                     uint64_t time,
                                     uint8_t *out,
                                     size_t *out_len)
KUAIMI_NONNULL(1, 2, 12);

/**
 * Frees a verifier. Null is allowed.
 */
void kuaimi_verifier_free(kuaimi_verifier *verifier);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* KUAIMI_CERTIFICATE_H */
