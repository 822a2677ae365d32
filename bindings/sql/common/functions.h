/*
 * The SQL functions, without a database: each takes bytes and writes bytes. The extensions of the databases are doors to this one list.
 * docs/sql.md describes the functions.
 */
#ifndef KUAIMI_SQL_FUNCTIONS_H
#define KUAIMI_SQL_FUNCTIONS_H

#include <kuaimi.h>
#include <stdbool.h>

/* A database may give what an extension exports to all other extensions. */
#ifdef __GNUC__
#pragma GCC visibility push(hidden)
#endif

#define KM_ARGUMENTS_MAX 4

/* What a database reports as its own kind of error. */
typedef enum {
    KM_INVALID_ARGUMENT,
    KM_DECRYPTION_FAILED,
    KM_SYSTEM, /* the random generator or this machine */
    KM_MEMORY,
} km_failure_kind;

typedef struct {
    km_failure_kind kind;
    char text[KUAIMI_EXPLANATION_MAX_LEN + 64];
} km_failure;

/* Keys that were read, for the rows that follow. Zeros are an empty cache; it belongs to one thread at a time. */
#define KM_CACHED_KEYS 64
typedef struct {
    uint8_t *bytes; /* the key and the identity as they were given */
    size_t key_len, identity_len;
    void *handle;
    void (*free_handle)(void *);
} km_cached_key;
typedef struct {
    km_cached_key keys[KM_CACHED_KEYS];
} km_cache;
void km_cache_clear(km_cache *cache);

/* What is known of a function. */
enum {
    KM_RANDOM = 1,   /* two calls give two results */
    KM_SECRET = 2,   /* an argument or the result is secret */
    KM_BOOLEAN = 4,  /* the result is one byte, 0 or 1 */
    KM_HAS_KEYS = 8, /* it uses the cache */
    KM_TEXT = 16,    /* the result is text */
    KM_STABLE = 32   /* the result may be another after an update of the library */
};

/*
 * The arguments of a function, a letter each:
 *   b  bytes
 *   m  bytes, or text of which the bytes are taken
 *   k  a key: PEM as text, DER as bytes
 *   t  text
 */
typedef struct km_function {
    const char *name;
    const char *arguments;
    int required; /* the arguments after these have defaults */
    unsigned flags;
    /* The most bytes that the result takes, for these arguments. False if it would be no length. */
    bool (*size)(const kuaimi_bytes *arguments, size_t *size);
    /*
     * Writes the result to the `*out_len` bytes at `out`, of which there are as many as `size` says, and its length to `*out_len`. `count`
     * arguments are given, none of them with a null pointer. `out` is not null; `cache` may be. After a failure no handle is left but
     * those in the cache.
     */
    bool (*run)(km_cache *cache, const kuaimi_bytes *arguments, int count, uint8_t *out, size_t *out_len, km_failure *failure);
} km_function;

extern const km_function km_sm3, km_hmac_sm3, km_sm4_encrypt, km_sm4_decrypt, km_sm4_cbc_encrypt, km_sm4_cbc_decrypt, km_sm2_sign,
    km_sm2_verify, km_sm2_encrypt, km_sm2_decrypt, km_kuaimi_version;
extern const km_function *const km_functions[];
extern const size_t km_function_count;

/* A verifying key, read from `arguments[0]` and, if `count` is 2, the identity in `arguments[1]`. */
bool km_read_verifying_key(const kuaimi_bytes *arguments, int count, kuaimi_sm2_verifying_key **key, km_failure *failure);

/* A number for the bytes, for tables of public values. */
uint64_t km_hash(uint64_t start, kuaimi_bytes bytes);

/* The failure that an error of the library is. Always false. */
bool km_fail(km_failure *failure, kuaimi_error error);
bool km_fail_text(km_failure *failure, km_failure_kind kind, const char *text);

/* Null pointers become pointers to no bytes: a null identity has a meaning of its own in the library. */
static inline kuaimi_bytes km_bytes(const void *data, size_t len)
{
    kuaimi_bytes bytes;
    bytes.data = data != NULL ? (const uint8_t *)data : (const uint8_t *)"";
    bytes.len = len;
    return bytes;
}

#ifdef __GNUC__
#pragma GCC visibility pop
#endif

#endif
