/* TLS 1.3 after RFC 8998 in memory, with OpenSSL 4.0 and Tongsuo: server and client have certificates of SM2 keys, and each uses Kuaimi's
 * algorithms or the library's own. With the argument "measure": handshakes with Kuaimi's beside those with the library's own. */
#include "sm2.h"
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <time.h>

/* An entity's private key and its certificate, as PEM. */
struct identity {
    BUF_MEM *key, *certificate;
};

/* The library context of each provider: the first has both, and prefers Kuaimi's. */
static OSSL_LIB_CTX *libraries[2];
static struct identity authority, server, client;

static BUF_MEM *contents(BIO *file)
{
    BUF_MEM *memory;
    CHECK(BIO_get_mem_ptr(file, &memory) == 1 && BIO_set_close(file, BIO_NOCLOSE) == 1);
    BIO_free(file);
    return memory;
}

static BIO *reader(const BUF_MEM *memory)
{
    return BIO_new_mem_buf(memory->data, (int)memory->length);
}

/* A certificate for a new key, by an issuer or by itself. It and the key are made by provider `side`. */
static struct identity certify(const char *name, const struct identity *issuer, int side)
{
    struct identity made;
    OSSL_LIB_CTX *library = libraries[side];
    EVP_PKEY *key = EVP_PKEY_Q_keygen(library, NULL, "SM2"), *signer = key;
    X509 *certificate = X509_new_ex(library, NULL);
    X509_NAME *subject = X509_NAME_new(), *above = X509_NAME_new();
    BIO *file;
    CHECK(key != NULL && certificate != NULL && is_of(key, side));
    CHECK(X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_ASC, (const unsigned char *)name, -1, -1, 0));
    CHECK(X509_NAME_add_entry_by_txt(above, "CN", MBSTRING_ASC, (const unsigned char *)"authority", -1, -1, 0));
    CHECK(X509_set_version(certificate, X509_VERSION_3));
    CHECK(ASN1_INTEGER_set(X509_get_serialNumber(certificate), 1 + (long)random_below(1000000)));
    CHECK(X509_gmtime_adj(X509_getm_notBefore(certificate), -60) && X509_gmtime_adj(X509_getm_notAfter(certificate), 86400));
    CHECK(X509_set_subject_name(certificate, subject) && X509_set_issuer_name(certificate, above));
    CHECK(X509_set_pubkey(certificate, key));
    X509_EXTENSION *constraints = X509V3_EXT_conf_nid(NULL, NULL, NID_basic_constraints, issuer ? "CA:FALSE" : "critical,CA:TRUE");
    CHECK(constraints != NULL && X509_add_ext(certificate, constraints, -1));
    X509_EXTENSION_free(constraints);
    if (issuer != NULL) {
        file = reader(issuer->key);
        CHECK((signer = PEM_read_bio_PrivateKey_ex(file, NULL, NULL, NULL, library, NULL)) != NULL);
        BIO_free(file);
    }
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    CHECK(EVP_DigestSignInit_ex(context, NULL, "SM3", library, NULL, signer, NULL) == 1);
    CHECK(X509_sign_ctx(certificate, context) > 0);
    EVP_MD_CTX_free(context);
    file = BIO_new(BIO_s_mem());
    CHECK(PEM_write_bio_X509(file, certificate));
    made.certificate = contents(file);
    file = BIO_new(BIO_s_mem());
    CHECK(PEM_write_bio_PrivateKey(file, key, NULL, NULL, 0, NULL, NULL));
    made.key = contents(file);
    if (signer != key)
        EVP_PKEY_free(signer);
    EVP_PKEY_free(key);
    X509_free(certificate);
    X509_NAME_free(subject);
    X509_NAME_free(above);
    return made;
}

static X509 *certificate_of(const struct identity *identity, OSSL_LIB_CTX *library)
{
    X509 *certificate = X509_new_ex(library, NULL);
    BIO *file = reader(identity->certificate);
    CHECK(PEM_read_bio_X509(file, &certificate, NULL, NULL) != NULL);
    BIO_free(file);
    return certificate;
}

/* A side of connections: `identity` is null for a client without a certificate. */
static SSL_CTX *configure(int side, const SSL_METHOD *method, const struct identity *identity, const char *suite, int verify)
{
    OSSL_LIB_CTX *library = libraries[side];
    SSL_CTX *context = SSL_CTX_new_ex(library, NULL, method);
    CHECK(context != NULL);
    CHECK(SSL_CTX_set_min_proto_version(context, TLS1_3_VERSION));
    CHECK(SSL_CTX_set_ciphersuites(context, suite));
    CHECK(SSL_CTX_set1_groups_list(context, "curveSM2"));
    CHECK(SSL_CTX_set1_sigalgs_list(context, "sm2sig_sm3"));
#ifdef TONGSUO_VERSION_MAJOR
    SSL_CTX_enable_sm_tls13_strict(context);
#endif
    X509 *root = certificate_of(&authority, library);
    CHECK(X509_STORE_add_cert(SSL_CTX_get_cert_store(context), root));
    X509_free(root);
    if (identity != NULL) {
        X509 *certificate = certificate_of(identity, library);
        BIO *file = reader(identity->key);
        EVP_PKEY *key = PEM_read_bio_PrivateKey_ex(file, NULL, NULL, NULL, library, NULL);
        CHECK(key != NULL && SSL_CTX_use_certificate(context, certificate) == 1 && SSL_CTX_use_PrivateKey(context, key) == 1);
        CHECK(SSL_CTX_check_private_key(context) == 1);
        EVP_PKEY_free(key);
        X509_free(certificate);
        BIO_free(file);
    }
    CHECK(SSL_CTX_set_session_id_context(context, (const unsigned char *)"tls", 3));
    SSL_CTX_set_verify(context, verify ? SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT : SSL_VERIFY_NONE, NULL);
    return context;
}

struct connection {
    SSL *ends[2];
};

/* Both ends in memory. False where the handshake fails. */
static int connect_both(struct connection *connection, SSL_CTX *client_context, SSL_CTX *server_context, SSL_SESSION *session)
{
    BIO *pipes[2];
    int done[2] = {0, 0};
    CHECK(BIO_new_bio_pair(&pipes[0], 1 << 17, &pipes[1], 1 << 17));
    connection->ends[0] = SSL_new(client_context);
    connection->ends[1] = SSL_new(server_context);
    for (int end = 0; end < 2; end++)
        SSL_set_bio(connection->ends[end], pipes[end], pipes[end]);
    SSL_set_connect_state(connection->ends[0]);
    SSL_set_accept_state(connection->ends[1]);
    if (session != NULL)
        CHECK(SSL_set_session(connection->ends[0], session));
    for (int turn = 0; turn < 20 && !(done[0] && done[1]); turn++) {
        int end = turn & 1, result = SSL_do_handshake(connection->ends[end]);
        if (result == 1)
            done[end] = 1;
        else if (SSL_get_error(connection->ends[end], result) != SSL_ERROR_WANT_READ)
            return 0;
    }
    return done[0] && done[1];
}

static void disconnect(struct connection *connection)
{
    for (int end = 0; end < 2; end++) {
        SSL_shutdown(connection->ends[end]);
        SSL_free(connection->ends[end]);
    }
}

/* Data in both directions, in records of many sizes. */
static void talk(struct connection *connection)
{
    static unsigned char sent[60000], received[60000];
    for (int round = 0; round < 20; round++) {
        SSL *from = connection->ends[round & 1], *to = connection->ends[!(round & 1)];
        size_t length = 1 + random_below(round < 18 ? 2000 : sizeof sent), written, read = 0;
        random_bytes(sent, length);
        CHECK(SSL_write_ex(from, sent, length, &written) && written == length);
        while (read < length) {
            size_t now;
            CHECK(SSL_read_ex(to, received + read, length - read, &now));
            read += now;
        }
        CHECK(memcmp(sent, received, length) == 0);
    }
}

static void mixture(int client_side, int server_side, const char *suite)
{
    SSL_CTX *client_context = configure(client_side, TLS_client_method(), &client, suite, 1);
    SSL_CTX *server_context = configure(server_side, TLS_server_method(), &server, suite, 1);
    struct connection connection;
    CHECK(connect_both(&connection, client_context, server_context, NULL));
    for (int end = 0; end < 2; end++) {
        X509 *peer = SSL_get1_peer_certificate(connection.ends[end]);
        CHECK(peer != NULL && SSL_get_verify_result(connection.ends[end]) == X509_V_OK);
        X509_free(peer);
        CHECK(SSL_version(connection.ends[end]) == TLS1_3_VERSION);
        CHECK(strcmp(SSL_get_cipher_name(connection.ends[end]), suite) == 0);
        CHECK(OPENSSL_strcasecmp(SSL_get0_group_name(connection.ends[end]), "curveSM2") == 0);
    }
    CHECK(SSL_session_reused(connection.ends[0]) == 0);
    talk(&connection);
    /* Other keys for the records of both directions. */
    CHECK(SSL_key_update(connection.ends[0], SSL_KEY_UPDATE_REQUESTED) == 1);
    talk(&connection);
    SSL_SESSION *session = SSL_get1_session(connection.ends[0]);
    CHECK(session != NULL && SSL_SESSION_is_resumable(session));
    disconnect(&connection);
    CHECK(connect_both(&connection, client_context, server_context, session));
    CHECK(SSL_session_reused(connection.ends[0]) == 1 && SSL_session_reused(connection.ends[1]) == 1);
    talk(&connection);
    disconnect(&connection);
    SSL_SESSION_free(session);
    SSL_CTX_free(client_context);
    SSL_CTX_free(server_context);
}

/* Without a certificate, or with one from another issuer, there is no connection. */
static void strangers(int side, const char *suite)
{
    struct identity others_root = certify("authority", NULL, side), stranger = certify("stranger", &others_root, side);
    struct connection connection;
    SSL_CTX *server_context = configure(side, TLS_server_method(), &server, suite, 1), *client_context;
    for (int which = 0; which < 2; which++) {
        client_context = configure(side, TLS_client_method(), which ? &stranger : NULL, suite, 1);
        CHECK(!connect_both(&connection, client_context, server_context, NULL));
        disconnect(&connection);
        ERR_clear_error();
        SSL_CTX_free(client_context);
    }
    SSL_CTX_free(server_context);
    BUF_MEM_free(others_root.key);
    BUF_MEM_free(others_root.certificate);
    BUF_MEM_free(stranger.key);
    BUF_MEM_free(stranger.certificate);
}

/* Full handshakes in turn with each provider's algorithms, and the processor time that they take. */
static void measure(int mutual, const char *suite)
{
    double times[2] = {0, 0};
    const int batches = 20, handshakes = 10;
    SSL_CTX *contexts[2][2];
    for (int side = 0; side < 2; side++) {
        contexts[side][0] = configure(side, TLS_client_method(), mutual ? &client : NULL, suite, 1);
        contexts[side][1] = configure(side, TLS_server_method(), &server, suite, mutual);
        SSL_CTX_set_num_tickets(contexts[side][1], 0);
    }
    for (int batch = -1; batch < batches; batch++) {
        for (int side = 0; side < 2; side++) {
            clock_t start = clock();
            for (int i = 0; i < handshakes; i++) {
                struct connection connection;
                CHECK(connect_both(&connection, contexts[side][0], contexts[side][1], NULL));
                disconnect(&connection);
            }
            /* The first batch makes tables. */
            if (batch >= 0)
                times[side] += (double)(clock() - start) / CLOCKS_PER_SEC;
        }
    }
    printf("%s, %s: Kuaimi %.0f handshakes a second, the library's own %.0f: %.2f x\n", suite,
           mutual ? "both with certificates" : "server with a certificate", batches * handshakes / times[0],
           batches * handshakes / times[1], times[1] / times[0]);
    for (int side = 0; side < 2; side++) {
        SSL_CTX_free(contexts[side][0]);
        SSL_CTX_free(contexts[side][1]);
    }
}

int main(int count, char **arguments)
{
    static const char *const suites[] = {"TLS_SM4_GCM_SM3", "TLS_SM4_CCM_SM3"};
    libraries[0] = with_both();
    libraries[1] = OSSL_LIB_CTX_new();
    authority = certify("authority", NULL, 0);
    server = certify("server", &authority, 1);
    client = certify("client", &authority, 0);
    if (count > 1 && strcmp(arguments[1], "measure") == 0) {
        measure(0, suites[0]);
        measure(1, suites[0]);
        return 0;
    }
    for (size_t suite = 0; suite < 2; suite++) {
        for (int mix = 0; mix < 4; mix++)
            mixture(mix & 1, mix >> 1, suites[suite]);
        strangers(0, suites[suite]);
    }
    struct identity *all[] = {&authority, &server, &client};
    for (size_t i = 0; i < 3; i++) {
        BUF_MEM_free(all[i]->key);
        BUF_MEM_free(all[i]->certificate);
    }
    OSSL_LIB_CTX_free(libraries[1]);
    free_both(libraries[0]);
    return 0;
}
