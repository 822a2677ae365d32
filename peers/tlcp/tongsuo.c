/* How many handshakes and megabytes a second Tongsuo does, both sides in memory on one thread: `tongsuo FOLDER`, with the files
 * that peers/tlcp/main.go describes. */
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define CHECK(condition)                                              \
    do {                                                              \
        if (!(condition)) {                                           \
            fprintf(stderr, "line %d: %s\n", __LINE__, #condition);   \
            ERR_print_errors_fp(stderr);                              \
            exit(1);                                                  \
        }                                                             \
    } while (0)

/* How long one figure is measured, in seconds. */
static const double measured = 2;

struct sides {
    SSL_CTX *client, *server;
    SSL_SESSION *session;
};

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static const char *path(const char *folder, const char *name)
{
    static char paths[8][4096];
    static int next;
    char *place = paths[next++ % 8];
    snprintf(place, sizeof paths[0], "%s/%s", folder, name);
    return place;
}

static SSL_CTX *context(const char *folder, const SSL_METHOD *method, const char *suite, const char *pair)
{
    char name[64];
    SSL_CTX *made = SSL_CTX_new(method);
    CHECK(made != NULL);
    SSL_CTX_enable_ntls(made);
    CHECK(SSL_CTX_set_cipher_list(made, suite) == 1);
    CHECK(SSL_CTX_load_verify_locations(made, path(folder, "root.crt"), NULL) == 1);
    if (pair != NULL) {
        snprintf(name, sizeof name, "%s-sign.crt", pair);
        CHECK(SSL_CTX_use_sign_certificate_file(made, path(folder, name), SSL_FILETYPE_PEM) == 1);
        snprintf(name, sizeof name, "%s-sign.pem", pair);
        CHECK(SSL_CTX_use_sign_PrivateKey_file(made, path(folder, name), SSL_FILETYPE_PEM) == 1);
        snprintf(name, sizeof name, "%s-encrypt.crt", pair);
        CHECK(SSL_CTX_use_enc_certificate_file(made, path(folder, name), SSL_FILETYPE_PEM) == 1);
        snprintf(name, sizeof name, "%s-encrypt.pem", pair);
        CHECK(SSL_CTX_use_enc_PrivateKey_file(made, path(folder, name), SSL_FILETYPE_PEM) == 1);
    }
    return made;
}

static void join(const struct sides *sides, SSL *ends[2])
{
    BIO *one, *other;
    CHECK(BIO_new_bio_pair(&one, 1 << 18, &other, 1 << 18) == 1);
    CHECK((ends[0] = SSL_new(sides->client)) != NULL && (ends[1] = SSL_new(sides->server)) != NULL);
    SSL_set_bio(ends[0], one, one);
    SSL_set_bio(ends[1], other, other);
    SSL_set_connect_state(ends[0]);
    SSL_set_accept_state(ends[1]);
    if (sides->session != NULL)
        CHECK(SSL_set_session(ends[0], sides->session) == 1);
    for (int done = 0, turn = 0; done != 3; turn ^= 1) {
        int result = SSL_do_handshake(ends[turn]);
        if (result == 1)
            done |= 1 << turn;
        else
            CHECK(SSL_get_error(ends[turn], result) == SSL_ERROR_WANT_READ);
    }
    CHECK(SSL_session_reused(ends[0]) == (sides->session != NULL));
}

static void part(SSL *ends[2])
{
    /* A session whose connection was not shut down is not resumed. */
    SSL_shutdown(ends[0]);
    SSL_shutdown(ends[1]);
    SSL_free(ends[0]);
    SSL_free(ends[1]);
}

static double handshakes(const struct sides *sides)
{
    SSL *ends[2];
    const double start = now();
    double count = 0;
    while (now() - start < measured) {
        join(sides, ends);
        part(ends);
        count++;
    }
    return count / (now() - start);
}

static double megabytes(const struct sides *sides)
{
    static unsigned char data[1 << 16], found[1 << 16];
    SSL *ends[2];
    join(sides, ends);
    const double start = now();
    double count = 0;
    while (now() - start < measured) {
        CHECK(SSL_write(ends[0], data, sizeof data) == (int)sizeof data);
        for (size_t done = 0; done < sizeof data;) {
            int got = SSL_read(ends[1], found, sizeof found);
            CHECK(got > 0);
            done += (size_t)got;
        }
        count++;
    }
    part(ends);
    return count * sizeof data / (now() - start) / 1e6;
}

int main(int argument_count, char **arguments)
{
    static const char *const names[] = {"ECDHE-SM2-SM4-GCM-SM3", "ECC-SM2-SM4-GCM-SM3", "ECDHE-SM2-SM4-CBC-SM3", "ECC-SM2-SM4-CBC-SM3"};
    if (argument_count != 2) {
        fprintf(stderr, "usage: tongsuo FOLDER\n");
        return 2;
    }
    for (int i = 0; i < 4; i++) {
        const int mutual = i % 2 == 0;
        struct sides sides = {0};
        SSL *ends[2];
        sides.client = context(arguments[1], NTLS_client_method(), names[i], mutual ? "client" : NULL);
        sides.server = context(arguments[1], NTLS_server_method(), names[i], "server");
        SSL_CTX_set_verify(sides.client, SSL_VERIFY_PEER, NULL);
        if (mutual)
            SSL_CTX_set_verify(sides.server, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, NULL);
        CHECK(SSL_CTX_set_session_id_context(sides.server, (const unsigned char *)"bench", 5) == 1);
        const double full = handshakes(&sides), bulk = megabytes(&sides);
        join(&sides, ends);
        sides.session = SSL_get1_session(ends[0]);
        part(ends);
        const double resumed = handshakes(&sides);
        printf("%-20s %8.0f %11.0f %7.0f\n", names[i], full, resumed, bulk);
        fflush(stdout);
        SSL_SESSION_free(sides.session);
        SSL_CTX_free(sides.client);
        SSL_CTX_free(sides.server);
    }
    return 0;
}
