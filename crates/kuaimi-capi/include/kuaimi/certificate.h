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
   * Nothing: lists and responses are not looked at.
   */
  KUAIMI_REVOCATION_OFF = 1,
  /**
   * A certificate that was revoked is refused; one of which nothing is known is accepted.
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
 * A rule that a certificate of a chain breaks.
 */
typedef enum {
  /**
   * None: the chain is accepted.
   */
  KUAIMI_RULE_NONE = 0,
  /**
   * A part of it is malformed.
   */
  KUAIMI_RULE_MALFORMED = 1,
  /**
   * It has extensions, but is not of version 3.
   */
  KUAIMI_RULE_VERSION = 2,
  /**
   * It has an extension twice.
   */
  KUAIMI_RULE_REPEATED_EXTENSION = 3,
  /**
   * It has a critical extension that is not known.
   */
  KUAIMI_RULE_UNKNOWN_CRITICAL_EXTENSION = 4,
  /**
   * It is not valid yet.
   */
  KUAIMI_RULE_NOT_YET_VALID = 5,
  /**
   * It expired.
   */
  KUAIMI_RULE_EXPIRED = 6,
  /**
   * There is no certificate of its issuer.
   */
  KUAIMI_RULE_UNKNOWN_ISSUER = 7,
  /**
   * It signed itself, and is not trusted.
   */
  KUAIMI_RULE_SELF_SIGNED = 8,
  /**
   * The name of its issuer is empty.
   */
  KUAIMI_RULE_EMPTY_ISSUER = 9,
  /**
   * Its signature does not fit its issuer's key.
   */
  KUAIMI_RULE_SIGNATURE = 10,
  /**
   * The algorithm of its signature, or of its issuer's key, is not supported.
   */
  KUAIMI_RULE_ALGORITHM = 11,
  /**
   * Its key is too short.
   */
  KUAIMI_RULE_WEAK_KEY = 12,
  /**
   * It is no authority's, and another certificate of the chain was signed with its key.
   */
  KUAIMI_RULE_NOT_AN_AUTHORITY = 13,
  /**
   * More authorities stand below it than it permits.
   */
  KUAIMI_RULE_PATH_LENGTH = 14,
  /**
   * The path would have too many certificates.
   */
  KUAIMI_RULE_TOO_MANY_CERTIFICATES = 15,
  /**
   * Its keyUsage does not permit what the key is used for.
   */
  KUAIMI_RULE_KEY_USAGE = 16,
  /**
   * Its extKeyUsage does not permit the purpose.
   */
  KUAIMI_RULE_EXTENDED_KEY_USAGE = 17,
  /**
   * It is not for the host, the address or the mailbox.
   */
  KUAIMI_RULE_PEER_NAME = 18,
  /**
   * It has a name that an authority above it may not name.
   */
  KUAIMI_RULE_NAME_CONSTRAINTS = 19,
  /**
   * Its name constraints have a form that is not supported.
   */
  KUAIMI_RULE_UNSUPPORTED_CONSTRAINT = 20,
  /**
   * No policy is valid for the whole path, but one is required.
   */
  KUAIMI_RULE_POLICY = 21,
  /**
   * It was revoked.
   */
  KUAIMI_RULE_REVOKED = 22,
  /**
   * Whether it was revoked is not known, but must be.
   */
  KUAIMI_RULE_REVOCATION_UNKNOWN = 23,
  /**
   * There is too much work to do.
   */
  KUAIMI_RULE_LIMIT = 24,
  /**
   * Another rule, which this enumeration has no number for.
   */
  KUAIMI_RULE_OTHER = 25,
} kuaimi_rule;

/**
 * With what a request names a certificate's issuer. It protects nothing.
 */
typedef enum {
  /**
   * SM3.
   */
  KUAIMI_OCSP_HASH_SM3 = 1,
  /**
   * SHA-1, which every responder knows.
   */
  KUAIMI_OCSP_HASH_SHA1 = 2,
} kuaimi_ocsp_hash;

/**
 * What a responder says of a certificate.
 */
typedef enum {
  /**
   * It is not revoked.
   */
  KUAIMI_OCSP_GOOD = 1,
  /**
   * It was revoked.
   */
  KUAIMI_OCSP_REVOKED = 2,
  /**
   * The responder does not know it.
   */
  KUAIMI_OCSP_UNKNOWN = 3,
} kuaimi_ocsp_status;

/**
 * A certificate of X.509, with the bytes that it was read from. Not changed by any function, so
 * that threads may share it.
 *
 * Reading a certificate checks nothing of it: `kuaimi_verifier_verify` says whether it can be
 * trusted.
 */
typedef struct kuaimi_certificate kuaimi_certificate;

/**
 * What was found of one chain. Not changed by any function, so that threads may share it.
 */
typedef struct kuaimi_verdict kuaimi_verdict;

/**
 * The certificates that are trusted, others that are known, lists of revoked certificates, and
 * OCSP responses.
 * Threads may share it: chains are verified side by side.
 */
typedef struct kuaimi_verifier kuaimi_verifier;

/**
 * One chain to be verified.
 */
typedef struct {
  /**
   * The end certificate.
   */
  const kuaimi_certificate *end;
  /**
   * Certificates over which the path may lead, in any order.
   */
  kuaimi_certificate *const *intermediates;
  /**
   * Their number.
   */
  size_t count;
  /**
   * Whom the end certificate must be for, in UTF-8: the name of a host, an address of IP, or a
   * mailbox; with null `data` for anybody.
   */
  kuaimi_bytes peer;
} kuaimi_chain_item;

/**
 * The answer about a certificate. Times are seconds since 1970-01-01 00:00:00 UTC.
 */
typedef struct {
  /**
   * When this was known to be right.
   */
  uint64_t this_update;
  /**
   * When there will be newer knowledge; 0 if that is not said.
   */
  uint64_t next_update;
  /**
   * When the certificate was revoked; else 0.
   */
  uint64_t revoked_at;
  /**
   * What is said.
   */
  kuaimi_ocsp_status status;
  /**
   * Why it was revoked: a number of RFC 5280, 5.3.1, where 0 is that no reason is given.
   */
  uint32_t reason;
} kuaimi_ocsp_answer;

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

/**
 * Verifies many chains, each as `kuaimi_verifier_verify` does, with what was found at
 * `verdicts[0]` to `verdicts[count - 1]`; free each with `kuaimi_verdict_free`. The signatures are
 * verified together, and one that several chains have in common once. For one chain, too, if the
 * path is wanted.
 *
 * `results` has one result for each chain: `KUAIMI_OK`, or `KUAIMI_ERROR_CERTIFICATE_REFUSED`, of
 * which the verdict says why. If the fields of an item are wrong, its result is another one, and
 * its verdict is null. The function returns the first result that is not `KUAIMI_OK`.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_verifier_verify_batch(const kuaimi_verifier *verifier,
                                          const kuaimi_chain_item *items,
                                          size_t count,
                                          kuaimi_purpose purpose,
                                          kuaimi_revocation revocation,
                                          kuaimi_identities identities,
                                          uint64_t time,
                                          kuaimi_verdict **verdicts,
                                          kuaimi_error *results)
KUAIMI_NONNULL(1);

/**
 * Which rule is broken, at `rule`.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_verdict_rule(const kuaimi_verdict *verdict,
                                 kuaimi_rule *rule)
KUAIMI_NONNULL(1, 2);

/**
 * Which certificate breaks the rule, at `depth`: 0 is the end certificate, 1 its issuer. 0 for a
 * chain that is accepted.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_verdict_depth(const kuaimi_verdict *verdict,
                                  uint32_t *depth)
KUAIMI_NONNULL(1, 2);

/**
 * The verdict as a sentence in English: see `kuaimi_verifier_explain`.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_verdict_explain(const kuaimi_verdict *verdict,
                                    uint8_t *out,
                                    size_t *out_len)
KUAIMI_NONNULL(1, 3);

/**
 * How many certificates are in the path that was found, at `count`: 0 for a chain that is refused.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_verdict_certificate_count(const kuaimi_verdict *verdict,
                                              size_t *count)
KUAIMI_NONNULL(1, 2);

/**
 * Certificate number `index` of the path, at `*out`: 0 is the end certificate, and the last one is
 * trusted. Free it with `kuaimi_certificate_free`.
 *
 * `KUAIMI_ERROR_INVALID_ARGUMENT`: there are not so many.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_verdict_certificate(const kuaimi_verdict *verdict,
                                        size_t index,
                                        kuaimi_certificate **out)
KUAIMI_NONNULL(1, 3);

/**
 * Frees a verdict. Null is allowed.
 */
void kuaimi_verdict_free(kuaimi_verdict *verdict);

/**
 * Writes a request about a certificate, in DER, for the responder of its issuer.
 *
 * `nonce`: null, or 1 to 32 random bytes, which `kuaimi_ocsp_check` compares: then an old response
 * is no answer to a new request.
 *
 * `KUAIMI_ERROR_INVALID_ARGUMENT`: the nonce has another length.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_ocsp_request(const kuaimi_certificate *certificate,
                                 const kuaimi_certificate *issuer,
                                 const uint8_t *nonce,
                                 size_t nonce_len,
                                 kuaimi_ocsp_hash hash,
                                 uint8_t *out,
                                 size_t *out_len)
KUAIMI_NONNULL(1, 2, 7);

/**
 * Verifies a response in DER, and puts at `answer` what it says of a certificate. The responder
 * must be the issuer, or the holder of a certificate that the issuer signed for this purpose; the
 * response must be in force at `time`, and repeat `nonce` if it is not null.
 *
 * `issuer`: the chain of it must have been verified.
 *
 * `KUAIMI_ERROR_DER`: it is no response. `KUAIMI_ERROR_INVALID_SIGNATURE`: it is no answer that
 * counts: it has another signer, time or nonce, or says nothing of the certificate.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_ocsp_check(const kuaimi_certificate *certificate,
                               const kuaimi_certificate *issuer,
                               const uint8_t *response,
                               size_t response_len,
                               const uint8_t *nonce,
                               size_t nonce_len,
                               kuaimi_identities identities,
                               uint64_t time,
                               kuaimi_ocsp_answer *answer)
KUAIMI_NONNULL(1, 2, 9);

/**
 * Adds a response, in DER, to what a verifier knows of revocation. It is not trusted: it counts
 * once its signature was verified.
 *
 * `KUAIMI_ERROR_DER`: it is no response.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_verifier_add_ocsp(kuaimi_verifier *verifier,
                                      const uint8_t *bytes,
                                      size_t len)
KUAIMI_NONNULL(1);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* KUAIMI_CERTIFICATE_H */
