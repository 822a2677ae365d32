/* Chains verified by OpenSSL: a peer of crates/kuaimi-pki/examples/chains/beside.rs, which says what it reads and writes. */

#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/x509_vfy.h>
#include <openssl/x509v3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { CHAINS = 1000, PATH = 4096 };

static const unsigned char ID[] = "1234567812345678";

static void fail(const char *what) {
    printf("error %s\n", what);
    fflush(stdout);
    exit(1);
}

/* A certificate that is verified under the usual identity: OpenSSL 3 takes the empty one. */
static X509 *next(BIO *file) {
    X509 *certificate = PEM_read_bio_X509(file, NULL, NULL, NULL);
    if (certificate != NULL) {
        ASN1_OCTET_STRING *id = ASN1_OCTET_STRING_new();
        if (id == NULL || !ASN1_OCTET_STRING_set(id, ID, sizeof ID - 1)) {
            fail("no memory");
        }
        X509_set0_distinguishing_id(certificate, id);
    }
    return certificate;
}

static BIO *open_file(const char *folder, const char *name) {
    char path[PATH];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    BIO *file = BIO_new_file(path, "r");
    if (file == NULL) {
        fail(path);
    }
    return file;
}

static X509 *only(const char *folder, const char *name) {
    BIO *file = open_file(folder, name);
    X509 *certificate = next(file);
    if (certificate == NULL) {
        fail(name);
    }
    BIO_free(file);
    return certificate;
}

static long long processor_time(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return now.tv_sec * 1000000000LL + now.tv_nsec;
}

static void verify(X509_STORE *store, X509 *end, STACK_OF(X509) *given) {
    X509_STORE_CTX *context = X509_STORE_CTX_new();
    if (context == NULL || !X509_STORE_CTX_init(context, store, end, given)) {
        fail("no memory");
    }
    X509_VERIFY_PARAM *parameters = X509_STORE_CTX_get0_param(context);
    X509_VERIFY_PARAM_set_time(parameters, 1780272000);
    X509_VERIFY_PARAM_set1_host(parameters, "bank.example", 0);
    X509_STORE_CTX_set_purpose(context, X509_PURPOSE_SSL_SERVER);
    if (X509_verify_cert(context) != 1) {
        fail(X509_verify_cert_error_string(X509_STORE_CTX_get_error(context)));
    }
    X509_STORE_CTX_free(context);
}

int main(int count, char **arguments) {
    if (count != 2) {
        fail("which folder?");
    }
    static X509 *ends[CHAINS];
    static STACK_OF(X509) *given[CHAINS];
    X509_STORE *store = X509_STORE_new();
    if (store == NULL || !X509_STORE_add_cert(store, only(arguments[1], "root.pem"))) {
        fail("no store");
    }
    BIO *file = open_file(arguments[1], "ends.pem");
    for (int i = 0; i < CHAINS; i++) {
        ends[i] = next(file);
        given[i] = sk_X509_new_null();
        if (ends[i] == NULL || given[i] == NULL || !sk_X509_push(given[i], only(arguments[1], "middle.pem"))) {
            fail("too few certificates");
        }
    }
    char line[64];
    while (fgets(line, sizeof line, stdin) != NULL) {
        long chains = strtol(line, NULL, 10);
        long long start = processor_time();
        for (long i = 0; i < chains; i++) {
            verify(store, ends[i % CHAINS], given[i % CHAINS]);
        }
        printf("%lld\n", processor_time() - start);
        fflush(stdout);
    }
    return 0;
}
