/*
 * What holders and authorities make: requests, certificates, and lists of revoked certificates. The rules for all functions are in kuaimi.h.
 *
 * MIT OR Apache-2.0. Made from the Rust sources by cbindgen: do not edit.
 */

#ifndef KUAIMI_AUTHORITY_H
#define KUAIMI_AUTHORITY_H

#include "base.h"
#include "sm2.h"
#include "certificate.h"

/**
 * What a certificate is made for. It decides basicConstraints, keyUsage and extKeyUsage.
 */
typedef enum {
  /**
   * Signatures, encryption and key exchange of a person or a service.
   */
  KUAIMI_ISSUE_GENERAL = 1,
  /**
   * A server of TLS.
   */
  KUAIMI_ISSUE_SERVER = 2,
  /**
   * A client of TLS.
   */
  KUAIMI_ISSUE_CLIENT = 3,
  /**
   * The signing certificate of a pair.
   */
  KUAIMI_ISSUE_SIGNING = 4,
  /**
   * The encrypting certificate of a pair.
   */
  KUAIMI_ISSUE_ENCRYPTION = 5,
  /**
   * An authority, which may certify other authorities.
   */
  KUAIMI_ISSUE_AUTHORITY = 6,
  /**
   * An authority that certifies no other authorities.
   */
  KUAIMI_ISSUE_LAST_AUTHORITY = 7,
  /**
   * OCSP responses in the issuer's place.
   */
  KUAIMI_ISSUE_OCSP = 8,
} kuaimi_issue_purpose;

/**
 * A request for a certificate. Not changed by any function, so that threads may share it.
 *
 * Reading a request checks nothing of it: `kuaimi_request_verify` says whether the holder of its
 * key made it. What it asks for is for an authority to judge.
 */
typedef struct kuaimi_request kuaimi_request;

/**
 * What a certificate is to say. Texts are in UTF-8, and times seconds since 1970-01-01 00:00:00
 * UTC.
 */
typedef struct {
  /**
   * The holder's name: `CN=leaf,O=Example` (RFC 4514).
   */
  kuaimi_bytes subject;
  /**
   * Alternative names: hosts, IP addresses, mailboxes, or URIs with `://`.
   */
  const kuaimi_bytes *names;
  /**
   * Their number.
   */
  size_t name_count;
  /**
   * The URI of the issuer's list of revoked certificates; nothing with null `data`.
   */
  kuaimi_bytes crl_uri;
  /**
   * The URI of the issuer's OCSP responder; nothing with null `data`.
   */
  kuaimi_bytes ocsp_uri;
  /**
   * From when on the certificate is valid.
   */
  uint64_t not_before;
  /**
   * Until when.
   */
  uint64_t not_after;
  /**
   * What it is for.
   */
  kuaimi_issue_purpose purpose;
} kuaimi_certificate_template;

/**
 * A certificate that was revoked.
 */
typedef struct {
  /**
   * Its serial number, as `kuaimi_certificate_serial` gives it.
   */
  kuaimi_bytes serial;
  /**
   * When it was revoked, in seconds since 1970-01-01 00:00:00 UTC.
   */
  uint64_t date;
  /**
   * Why: a number of RFC 5280, 5.3.1, such as 1 if the key was compromised; 0 for no reason.
   */
  uint32_t reason;
} kuaimi_revoked_item;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/**
 * Makes a request for a certificate of the key, which signs it, at `*out`; free it with
 * `kuaimi_request_free`. Constant time in the key.
 *
 * `subject`: the holder's name in UTF-8, `CN=leaf,O=Example` (RFC 4514). `names`: alternative
 * names that are asked for: hosts, IP addresses, mailboxes, or URIs with `://`.
 *
 * `KUAIMI_ERROR_INVALID_ARGUMENT`: a name is none.
 *
 * Source: GM/T 0092-2020; RFC 2986.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_request_new(const kuaimi_sm2_private_key *key,
                                const uint8_t *subject,
                                size_t subject_len,
                                const kuaimi_bytes *names,
                                size_t count,
                                kuaimi_request **out)
KUAIMI_NONNULL(1, 6);

/**
 * Reads a request in DER, PEM, Base64 or hexadecimal. It is at `*out`; free it with
 * `kuaimi_request_free`.
 *
 * `KUAIMI_ERROR_TEXT`: there is no request in the text. `KUAIMI_ERROR_DER` and the errors of
 * public keys: it is malformed.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_request_read(const uint8_t *bytes,
                                 size_t len,
                                 kuaimi_request **out)
KUAIMI_NONNULL(3);

/**
 * Writes a request: the bytes that were read or made, or PEM of them.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_request_write(const kuaimi_request *request,
                                  kuaimi_certificate_form form,
                                  uint8_t *out,
                                  size_t *out_len)
KUAIMI_NONNULL(1, 4);

/**
 * Whether the holder of the request's key made it.
 *
 * `KUAIMI_ERROR_INVALID_SIGNATURE`: not. `KUAIMI_ERROR_OTHER_ALGORITHM`: the signature or the key
 * is of an algorithm that is not supported.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_request_verify(const kuaimi_request *request,
                                   kuaimi_identities identities)
KUAIMI_NONNULL(1);

/**
 * The name that is asked for: see `kuaimi_certificate_subject`.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_request_subject(const kuaimi_request *request,
                                    uint8_t *out,
                                    size_t *out_len)
KUAIMI_NONNULL(1, 3);

/**
 * The public key, at `*out`. Free it with `kuaimi_sm2_public_key_free`.
 *
 * `KUAIMI_ERROR_OTHER_ALGORITHM`: it is no key of SM2.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_request_public_key(const kuaimi_request *request,
                                       kuaimi_sm2_public_key **out)
KUAIMI_NONNULL(1, 2);

/**
 * How many alternative names are asked for, at `count`: hosts, IP addresses, mailboxes and URIs.
 * Other kinds are passed over.
 *
 * `KUAIMI_ERROR_DER`: the names are malformed.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_request_name_count(const kuaimi_request *request,
                                       size_t *count)
KUAIMI_NONNULL(1, 2);

/**
 * Alternative name number `index`, counted from 0, as `kuaimi_request_new` takes it.
 *
 * `KUAIMI_ERROR_INVALID_ARGUMENT`: there are not so many.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_request_name(const kuaimi_request *request,
                                 size_t index,
                                 uint8_t *out,
                                 size_t *out_len)
KUAIMI_NONNULL(1, 4);

/**
 * Frees a request. Null is allowed.
 */
void kuaimi_request_free(kuaimi_request *request);

/**
 * Makes a certificate for a public key, signed by the authority `issuer` with its private key, at
 * `*out`; free it with `kuaimi_certificate_free`. Its serial number is random. Constant time in
 * the private key.
 *
 * For a request, the authority takes the key, and those names that it has checked:
 * `kuaimi_request_verify`, `kuaimi_request_public_key`, `kuaimi_request_subject`,
 * `kuaimi_request_name`.
 *
 * `KUAIMI_ERROR_INVALID_ARGUMENT`: a field of the template is none, or the private key is not the
 * issuer's.
 *
 * Source: GM/T 0015-2023; RFC 5280.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_certificate_issue(const kuaimi_sm2_private_key *issuer_key,
                                      const kuaimi_certificate *issuer,
                                      const kuaimi_sm2_public_key *key,
                                      const kuaimi_certificate_template *template_,
                                      kuaimi_certificate **out)
KUAIMI_NONNULL(1, 2, 3, 4, 5);

/**
 * Makes a certificate that its own key signs, such as that of an authority: see
 * `kuaimi_certificate_issue`.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_certificate_self_sign(const kuaimi_sm2_private_key *key,
                                          const kuaimi_certificate_template *template_,
                                          kuaimi_certificate **out)
KUAIMI_NONNULL(1, 2, 3);

/**
 * Writes a list of revoked certificates in DER, of the authority `issuer`, signed with its private
 * key. Constant time in that. The size that it asks for is some hundred bytes too many.
 *
 * `number`: one more than that of the list before. `this_update`: now, and `next_update`: when the
 * next list will be there at the latest, in seconds since 1970-01-01 00:00:00 UTC.
 *
 * `KUAIMI_ERROR_INVALID_ARGUMENT`: an item's field is none, the times are none, or the private key
 * is not the issuer's.
 *
 * Source: RFC 5280, clause 5.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_crl_write(const kuaimi_sm2_private_key *issuer_key,
                              const kuaimi_certificate *issuer,
                              const kuaimi_revoked_item *items,
                              size_t count,
                              uint64_t number,
                              uint64_t this_update,
                              uint64_t next_update,
                              uint8_t *out,
                              size_t *out_len)
KUAIMI_NONNULL(1, 2, 9);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* KUAIMI_AUTHORITY_H */
