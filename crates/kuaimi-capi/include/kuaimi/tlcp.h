/*
 * TLCP, the TLS of ShangMi: connections of clients and servers, without input and output. The rules for all functions are in kuaimi.h.
 *
 * MIT OR Apache-2.0. Made from the Rust sources by cbindgen: do not edit.
 */

#ifndef KUAIMI_TLCP_H
#define KUAIMI_TLCP_H

#include "base.h"
#include "sm2.h"
#include "certificate.h"

/**
 * The most bytes that `kuaimi_tlcp_explain` writes.
 */
#define KUAIMI_TLCP_REASON_MAX_LEN 2048

/**
 * Whether a server asks clients for their certificates.
 */
typedef enum {
  /**
   * It does not. Suites with ECDHE are not chosen, as they need the client's pair.
   */
  KUAIMI_TLCP_CLIENT_NONE = 1,
  /**
   * It does, and accepts clients without certificates.
   */
  KUAIMI_TLCP_CLIENT_OPTIONAL = 2,
  /**
   * It does, and refuses clients without certificates.
   */
  KUAIMI_TLCP_CLIENT_REQUIRED = 3,
} kuaimi_tlcp_client_auth;

/**
 * A cipher suite of TLCP (GB/T 38636-2020, table 2), by its number in messages.
 */
typedef enum {
  /**
   * SM2's key exchange, SM4 in CBC mode.
   */
  KUAIMI_TLCP_ECDHE_SM4_CBC_SM3 = 57361,
  /**
   * The client encrypts the secret for the server, SM4 in CBC mode.
   */
  KUAIMI_TLCP_ECC_SM4_CBC_SM3 = 57363,
  /**
   * SM2's key exchange, SM4 in GCM mode.
   */
  KUAIMI_TLCP_ECDHE_SM4_GCM_SM3 = 57425,
  /**
   * The client encrypts the secret for the server, SM4 in GCM mode.
   */
  KUAIMI_TLCP_ECC_SM4_GCM_SM3 = 57427,
} kuaimi_tlcp_suite;

/**
 * What the connections of a client or of a server have in common: whom they trust, the own pair of
 * certificates, the suites. What is set here is for connections that are made later. Threads may
 * share it.
 */
typedef struct kuaimi_tlcp_config kuaimi_tlcp_config;

/**
 * A connection of a client or of a server. It belongs to one process: a child of a fork must not
 * use it, as both would send under the same keys.
 */
typedef struct kuaimi_tlcp_connection kuaimi_tlcp_connection;

/**
 * How a connection stands.
 */
typedef struct {
  /**
   * 1 until the handshake has ended.
   */
  uint8_t is_handshaking;
  /**
   * 1 if the connection waits for bytes from the network.
   */
  uint8_t wants_receive;
  /**
   * 1 if the peer has sent close_notify: all that it sent has come.
   */
  uint8_t peer_has_closed;
  /**
   * 1 if the connection failed.
   */
  uint8_t has_failed;
  /**
   * 1 if a session was resumed.
   */
  uint8_t is_resumed;
  /**
   * Bytes that wait for `kuaimi_tlcp_send`.
   */
  size_t to_send;
  /**
   * Bytes that wait for `kuaimi_tlcp_read`.
   */
  size_t to_read;
} kuaimi_tlcp_state;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/**
 * A configuration that trusts nobody and has no certificates yet, at `*out`. Free it with
 * `kuaimi_tlcp_config_free`.
 */
KUAIMI_WARN_UNUSED_RESULT kuaimi_error kuaimi_tlcp_config_new(kuaimi_tlcp_config **out) KUAIMI_NONNULL(1);

/**
 * Trusts the peers whose chains end at this certificate. It may be freed.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_tlcp_config_add_anchor(kuaimi_tlcp_config *config,
                                           const kuaimi_certificate *certificate)
KUAIMI_NONNULL(1, 2);

/**
 * Adds lists of revoked certificates, as `kuaimi_verifier_add_crl` does.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_tlcp_config_add_crl(kuaimi_tlcp_config *config,
                                        const uint8_t *bytes,
                                        size_t len)
KUAIMI_NONNULL(1);

/**
 * What must be known of the revocation of the peer's certificates. Without this,
 * `KUAIMI_REVOCATION_IF_GIVEN`.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_tlcp_config_set_revocation(kuaimi_tlcp_config *config,
                                               kuaimi_revocation revocation)
KUAIMI_NONNULL(1);

/**
 * Under which identities the signatures of certificates are accepted. Without this,
 * `KUAIMI_IDENTITIES_USUAL`.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_tlcp_config_set_identities(kuaimi_tlcp_config *config,
                                               kuaimi_identities identities)
KUAIMI_NONNULL(1);

/**
 * **Dangerous**: accepts every peer. Certificates are not verified, so an attacker on the network
 * can read and change everything. For experiments.
 */
KUAIMI_WARN_UNUSED_RESULT kuaimi_error kuaimi_tlcp_config_set_dangerous_anyone(kuaimi_tlcp_config *config) KUAIMI_NONNULL(1);

/**
 * The own pair: a certificate that signs and one that receives keys, each with its key.
 * `certificates`: the intermediate ones, in the order from the pair to the root. All of them may
 * be freed.
 *
 * `KUAIMI_ERROR_INVALID_ARGUMENT`: a key does not belong to its certificate, or a certificate does
 * not permit what it is for, as its keyUsage says: the two may be in the wrong order.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_tlcp_config_set_pair(kuaimi_tlcp_config *config,
                                         const kuaimi_certificate *sign_certificate,
                                         const kuaimi_sm2_private_key *sign_key,
                                         const kuaimi_certificate *encrypt_certificate,
                                         const kuaimi_sm2_private_key *encrypt_key,
                                         kuaimi_certificate *const *certificates,
                                         size_t count)
KUAIMI_NONNULL(1, 2, 3, 4, 5);

/**
 * Another pair of a server, for clients that ask for the host `host` (SNI). Other arguments and
 * errors as of `kuaimi_tlcp_config_set_pair`.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_tlcp_config_add_pair_for(kuaimi_tlcp_config *config,
                                             const kuaimi_certificate *sign_certificate,
                                             const kuaimi_sm2_private_key *sign_key,
                                             const kuaimi_certificate *encrypt_certificate,
                                             const kuaimi_sm2_private_key *encrypt_key,
                                             kuaimi_certificate *const *certificates,
                                             size_t count,
                                             const uint8_t *host,
                                             size_t host_len)
KUAIMI_NONNULL(1, 2, 3, 4, 5);

/**
 * Whether a server asks clients for their certificates. Without this, it does not.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_tlcp_config_set_client_auth(kuaimi_tlcp_config *config,
                                                kuaimi_tlcp_client_auth client_auth)
KUAIMI_NONNULL(1);

/**
 * Adds an application protocol (ALPN), such as `http/1.1`; the first one that was added is
 * preferred.
 *
 * `KUAIMI_ERROR_INVALID_ARGUMENT`: it has no or more than 255 bytes.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_tlcp_config_add_protocol(kuaimi_tlcp_config *config,
                                             const uint8_t *protocol,
                                             size_t protocol_len)
KUAIMI_NONNULL(1);

/**
 * Uses one suite alone. Without this, all suites are used, and GCM is preferred.
 *
 * `KUAIMI_ERROR_INVALID_ARGUMENT`: there is no such suite.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_tlcp_config_set_suite(kuaimi_tlcp_config *config,
                                          kuaimi_tlcp_suite suite)
KUAIMI_NONNULL(1);

/**
 * How many sessions are kept in memory to be resumed, 0 for none and a million at most, and for
 * how many seconds, a day at most. Without this, 1024 for two hours. Forgets those that are kept.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_tlcp_config_set_sessions(kuaimi_tlcp_config *config,
                                             size_t session_count,
                                             uint64_t seconds)
KUAIMI_NONNULL(1);

/**
 * The time, in seconds since 1970-01-01 00:00:00 UTC, at which certificates must be valid, for
 * machines without a clock. Without this, the time of each handshake.
 */
KUAIMI_WARN_UNUSED_RESULT kuaimi_error kuaimi_tlcp_config_set_time(kuaimi_tlcp_config *config, uint64_t time) KUAIMI_NONNULL(1);

/**
 * Frees a configuration, whose connections may still be in use. Null is allowed.
 */
void kuaimi_tlcp_config_free(kuaimi_tlcp_config *config);

/**
 * A client's connection to `server`, the name or the IP address that the server's certificates
 * must be for, in UTF-8. It is at `*out`; free it with `kuaimi_tlcp_connection_free`.
 *
 * `KUAIMI_ERROR_INVALID_ARGUMENT`: `server` is no name, the configuration trusts nobody, or its
 * suites need a pair that it lacks.
 *
 * Source: GB/T 38636-2020, as gotlcp, Tongsuo and GmSSL follow it.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_tlcp_client_new(const kuaimi_tlcp_config *config,
                                    const uint8_t *server,
                                    size_t server_len,
                                    kuaimi_tlcp_connection **out)
KUAIMI_NONNULL(1, 4);

/**
 * A server's connection, at `*out`; free it with `kuaimi_tlcp_connection_free`.
 *
 * `KUAIMI_ERROR_INVALID_ARGUMENT`: the configuration has no pair, or asks clients for certificates
 * and trusts nobody.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_tlcp_server_new(const kuaimi_tlcp_config *config,
                                    kuaimi_tlcp_connection **out)
KUAIMI_NONNULL(1, 2);

/**
 * Takes bytes that came from the network; `*count` is how many. It takes fewer than `len` where so
 * much waits for `kuaimi_tlcp_read` that the rest has to wait. A `len` of 0 says that the network
 * connection has ended, as `recv` does.
 *
 * After an error, send what `kuaimi_tlcp_send` still gives, which is an alert for the peer, and
 * close. `KUAIMI_ERROR_CERTIFICATE_REFUSED`: the peer's certificates are refused.
 * `KUAIMI_ERROR_TLCP`: the connection failed otherwise. `kuaimi_tlcp_explain` says why.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_tlcp_receive(kuaimi_tlcp_connection *connection,
                                 const uint8_t *bytes,
                                 size_t len,
                                 size_t *count)
KUAIMI_NONNULL(1, 4);

/**
 * Writes bytes for the network, at most as many as the buffer has. What is written here has to be
 * sent, in this order. `*out_len` is 0 if there is nothing to send. A null `out` asks how many
 * wait.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_tlcp_send(kuaimi_tlcp_connection *connection,
                              uint8_t *out,
                              size_t *out_len)
KUAIMI_NONNULL(1, 3);

/**
 * Takes data of the application to be sent; `*count` is how many bytes. It takes fewer than `len`
 * where so much waits for `kuaimi_tlcp_send` that the rest has to wait. What is written before the
 * handshake ends waits for its end.
 *
 * `KUAIMI_ERROR_ALREADY_USED`: `kuaimi_tlcp_close` was called. `KUAIMI_ERROR_TLCP`: the connection
 * has failed.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_tlcp_write(kuaimi_tlcp_connection *connection,
                               const uint8_t *data,
                               size_t data_len,
                               size_t *count)
KUAIMI_NONNULL(1, 4);

/**
 * Writes data that came from the peer's application, at most as many bytes as the buffer has.
 * `*out_len` is 0 if none has come yet, or if the peer has closed, as `kuaimi_tlcp_get_state`
 * tells. A null `out` asks how many wait.
 *
 * `KUAIMI_ERROR_TLCP`: the connection has failed, or the network connection ended without
 * close_notify, so that data may be missing.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_tlcp_read(kuaimi_tlcp_connection *connection,
                              uint8_t *out,
                              size_t *out_len)
KUAIMI_NONNULL(1, 3);

/**
 * Tells the peer that nothing more will be sent (close_notify): call `kuaimi_tlcp_send` after it.
 * What the peer sends can still be read.
 */
KUAIMI_WARN_UNUSED_RESULT kuaimi_error kuaimi_tlcp_close(kuaimi_tlcp_connection *connection) KUAIMI_NONNULL(1);

/**
 * How a connection stands, at `out`.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_tlcp_get_state(const kuaimi_tlcp_connection *connection,
                                   kuaimi_tlcp_state *out)
KUAIMI_NONNULL(1, 2);

/**
 * The suite of a connection, at `out`: 0 before the handshake has ended.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_tlcp_get_suite(const kuaimi_tlcp_connection *connection,
                                   kuaimi_tlcp_suite *out)
KUAIMI_NONNULL(1, 2);

/**
 * The application protocol (ALPN) that was chosen, at `out`; `*out_len` is 0 if none was.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_tlcp_get_protocol(const kuaimi_tlcp_connection *connection,
                                      uint8_t *out,
                                      size_t *out_len)
KUAIMI_NONNULL(1, 3);

/**
 * The host that the client asked for (SNI), at a server, in UTF-8 at `out`; `*out_len` is 0 if it
 * named none.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_tlcp_get_server_name(const kuaimi_tlcp_connection *connection,
                                         uint8_t *out,
                                         size_t *out_len)
KUAIMI_NONNULL(1, 3);

/**
 * The number of certificates of the peer, at `count`: its signing one, its encrypting one, and
 * those above them. 0 before the handshake has ended, and of a client without.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_tlcp_certificate_count(const kuaimi_tlcp_connection *connection,
                                           size_t *count)
KUAIMI_NONNULL(1, 2);

/**
 * Certificate number `index` of the peer, counted from 0, at `*out`. Free it with
 * `kuaimi_certificate_free`.
 *
 * `KUAIMI_ERROR_INVALID_ARGUMENT`: there are not so many.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_tlcp_certificate(const kuaimi_tlcp_connection *connection,
                                     size_t index,
                                     kuaimi_certificate **out)
KUAIMI_NONNULL(1, 3);

/**
 * Why a connection failed, as a sentence in English at `out`: "the signing certificate: the
 * certificate of CN=bank expired on 2026-01-01 00:00:00 UTC". There is a sentence always, also for
 * a connection that stands. It is in UTF-8, has no zero byte at its end, and names that others
 * chose.
 */
KUAIMI_WARN_UNUSED_RESULT
kuaimi_error kuaimi_tlcp_explain(const kuaimi_tlcp_connection *connection,
                                 uint8_t *out,
                                 size_t *out_len)
KUAIMI_NONNULL(1, 3);

/**
 * Wipes and frees a connection. Null is allowed.
 */
void kuaimi_tlcp_connection_free(kuaimi_tlcp_connection *connection);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* KUAIMI_TLCP_H */
