/* What all programs here share: a check that ends the program, the two providers, and random numbers that repeat. */
#ifndef CHECK_H
#define CHECK_H

#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/provider.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FAIL(what, condition)                                                      \
    do {                                                                           \
        fprintf(stderr, "%s:%d: " what ": %s\n", __FILE__, __LINE__, #condition); \
        ERR_print_errors_fp(stderr);                                               \
        exit(1);                                                                   \
    } while (0)

/* Whether an error of Kuaimi's is in the queue. */
static inline int left_error(void)
{
    const char *first = "", *last = "";
    ERR_peek_error_all(&first, NULL, NULL, NULL, NULL);
    ERR_peek_last_error_all(&last, NULL, NULL, NULL, NULL);
    return strcmp(first, "kuaimi") == 0 || strcmp(last, "kuaimi") == 0;
}

/* That something is so, and that the calls before it, which all succeeded, left no error of Kuaimi's: programs take an error in the
 * queue for that of their next call. */
#define CHECK(condition)                                      \
    do {                                                      \
        if (!(condition))                                     \
            FAIL("not so", condition);                        \
        if (left_error())                                     \
            FAIL("succeeds, and leaves an error", condition); \
    } while (0)

/* That something is so, where a call may have failed. Its errors are not of interest. */
#define CHECK_RESULT(condition)        \
    do {                               \
        if (!(condition))              \
            FAIL("not so", condition); \
        ERR_clear_error();             \
    } while (0)

/* That a call fails. Its errors are not of interest. */
#define CHECK_FAILS(call)           \
    do {                            \
        if ((call) > 0)             \
            FAIL("succeeds", call); \
        ERR_clear_error();          \
    } while (0)

#define OURS "provider=kuaimi"
#define THEIRS "provider=default"

static OSSL_PROVIDER *loaded[2];

/* A library context with the library's own algorithms and Kuaimi's, which it prefers. KUAIMI_MODULES is the module's folder. */
static inline OSSL_LIB_CTX *with_both(void)
{
    OSSL_LIB_CTX *library = OSSL_LIB_CTX_new();
    CHECK(library != NULL);
    CHECK(getenv("KUAIMI_MODULES") != NULL);
    CHECK(OSSL_PROVIDER_set_default_search_path(library, getenv("KUAIMI_MODULES")));
    CHECK((loaded[0] = OSSL_PROVIDER_load(library, "default")) != NULL);
    CHECK((loaded[1] = OSSL_PROVIDER_load(library, "kuaimi")) != NULL);
    CHECK(EVP_set_default_properties(library, "?" OURS));
    return library;
}

static inline void free_both(OSSL_LIB_CTX *library)
{
    CHECK(OSSL_PROVIDER_unload(loaded[1]) == 1 && OSSL_PROVIDER_unload(loaded[0]) == 1);
    OSSL_LIB_CTX_free(library);
}

/* Whether the library is OpenSSL 3, whose own SM2 has no default identity, and which has fewer modes of SM4. */
static inline int is_openssl_3(void)
{
#ifdef TONGSUO_VERSION_MAJOR
    return 0;
#else
    return OPENSSL_version_major() == 3;
#endif
}

/* Random numbers that repeat (SplitMix64). */
static uint64_t random_state = 1;

static inline uint64_t random_word(void)
{
    uint64_t word = random_state += UINT64_C(0x9e3779b97f4a7c15);
    word = (word ^ (word >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    word = (word ^ (word >> 27)) * UINT64_C(0x94d049bb133111eb);
    return word ^ (word >> 31);
}

static inline size_t random_below(size_t bound)
{
    return (size_t)(random_word() % bound);
}

static inline void random_bytes(unsigned char *bytes, size_t length)
{
    for (size_t i = 0; i < length; i++)
        bytes[i] = (unsigned char)random_word();
}

#endif
