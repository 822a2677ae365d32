/* Two cipher contexts, Kuaimi's and the library's own, that get the same calls and must answer alike. */
#ifndef PAIR_H
#define PAIR_H

#include "check.h"
#include <openssl/params.h>

enum { OUR_SIDE, THEIR_SIDE, SIDES };

/* The longest input of a call. */
#define LONGEST 4200

struct pair {
    EVP_CIPHER *algorithm[SIDES];
    EVP_CIPHER_CTX *context[SIDES];
    /* The calls so far, for a report. */
    char log[4096];
};

#define LOG(pair, ...)                                                                               \
    do {                                                                                             \
        size_t used_ = strlen((pair)->log);                                                          \
        snprintf((pair)->log + used_, sizeof (pair)->log - used_, __VA_ARGS__);                      \
    } while (0)

#define ALIKE(pair, condition)                                                                            \
    do {                                                                                                  \
        if (!(condition)) {                                                                               \
            fprintf(stderr, "%s:%d: not alike: %s\n%s:%s\n", __FILE__, __LINE__, #condition,              \
                    EVP_CIPHER_get0_name((pair)->algorithm[OUR_SIDE]), (pair)->log);                      \
            ERR_print_errors_fp(stderr);                                                                  \
            exit(1);                                                                                      \
        }                                                                                                 \
    } while (0)

/* False where the library has no such cipher. Kuaimi has all. */
static inline int pair_fetch(struct pair *pair, OSSL_LIB_CTX *library, const char *name)
{
    memset(pair, 0, sizeof *pair);
    pair->algorithm[OUR_SIDE] = EVP_CIPHER_fetch(library, name, OURS);
    CHECK(pair->algorithm[OUR_SIDE] != NULL);
    pair->algorithm[THEIR_SIDE] = EVP_CIPHER_fetch(library, name, THEIRS);
    ERR_clear_error();
    if (pair->algorithm[THEIR_SIDE] == NULL)
        EVP_CIPHER_free(pair->algorithm[OUR_SIDE]);
    return pair->algorithm[THEIR_SIDE] != NULL;
}

static inline void pair_begin(struct pair *pair)
{
    pair->log[0] = 0;
    for (int side = 0; side < SIDES; side++)
        CHECK((pair->context[side] = EVP_CIPHER_CTX_new()) != NULL);
}

static inline void pair_end(struct pair *pair)
{
    for (int side = 0; side < SIDES; side++)
        EVP_CIPHER_CTX_free(pair->context[side]);
    ERR_clear_error();
}

static inline void pair_free(struct pair *pair)
{
    for (int side = 0; side < SIDES; side++)
        EVP_CIPHER_free(pair->algorithm[side]);
}

/* Both results of a call: whether it succeeded. */
static inline int pair_agree(struct pair *pair, const int *results)
{
    ALIKE(pair, (results[OUR_SIDE] > 0) == (results[THEIR_SIDE] > 0));
    if (results[OUR_SIDE] <= 0)
        ERR_clear_error();
    return results[OUR_SIDE] > 0;
}

/* `encrypt` is -1 for the direction of before. */
static inline int pair_init(struct pair *pair, const unsigned char *key, const unsigned char *iv, int encrypt)
{
    int results[SIDES];
    LOG(pair, " init(%s%s%d)", key ? "key " : "", iv ? "iv " : "", encrypt);
    /* Only the first time with the algorithm, which would throw away the key. */
    int first = EVP_CIPHER_CTX_get0_cipher(pair->context[OUR_SIDE]) == NULL;
    for (int side = 0; side < SIDES; side++)
        results[side] = EVP_CipherInit_ex2(pair->context[side], first ? pair->algorithm[side] : NULL, key, iv, encrypt, NULL);
    return pair_agree(pair, results);
}

static inline int pair_control(struct pair *pair, int what, int number, const void *data)
{
    int results[SIDES];
    unsigned char copy[64] = {0};
    LOG(pair, " control(%d %d%s)", what, number, data ? " data" : "");
    for (int side = 0; side < SIDES; side++) {
        if (data != NULL)
            memcpy(copy, data, number > 0 && number < 64 ? (size_t)number : sizeof copy);
        results[side] = EVP_CIPHER_CTX_ctrl(pair->context[side], what, number, data ? copy : NULL);
    }
    return pair_agree(pair, results);
}

enum where { OUT_OF_PLACE, IN_PLACE, NOWHERE };

/* An input of `length` bytes. With NOWHERE they are associated data. */
static inline int pair_give(struct pair *pair, const unsigned char *in, size_t length, enum where where, int *written)
{
    static unsigned char out[SIDES][LONGEST + 64];
    int results[SIDES], lengths[SIDES] = {0, 0};
    LOG(pair, " update(%zu%s)", length, where == IN_PLACE ? " in place" : where == NOWHERE ? " associated" : "");
    for (int side = 0; side < SIDES; side++) {
        memset(out[side], 0xaa, sizeof out[side]);
        if (where == IN_PLACE)
            memcpy(out[side], in, length);
        results[side] = EVP_CipherUpdate(pair->context[side], where == NOWHERE ? NULL : out[side], &lengths[side],
                                         where == IN_PLACE ? out[side] : in, (int)length);
    }
    int success = pair_agree(pair, results);
    if (success) {
        ALIKE(pair, lengths[OUR_SIDE] == lengths[THEIR_SIDE]);
        ALIKE(pair, where == NOWHERE || memcmp(out[OUR_SIDE], out[THEIR_SIDE], (size_t)lengths[OUR_SIDE]) == 0);
        *written = lengths[OUR_SIDE];
    }
    return success;
}

/* An input of `length` random bytes. */
static inline int pair_update(struct pair *pair, size_t length, enum where where, int *written)
{
    static unsigned char in[LONGEST];
    CHECK(length <= LONGEST);
    random_bytes(in, length);
    return pair_give(pair, in, length, where, written);
}

static inline int pair_final(struct pair *pair)
{
    unsigned char out[SIDES][EVP_MAX_BLOCK_LENGTH];
    int results[SIDES], lengths[SIDES] = {0, 0};
    LOG(pair, " final()");
    for (int side = 0; side < SIDES; side++)
        results[side] = EVP_CipherFinal_ex(pair->context[side], out[side], &lengths[side]);
    int success = pair_agree(pair, results);
    if (success) {
        ALIKE(pair, lengths[OUR_SIDE] == lengths[THEIR_SIDE]);
        ALIKE(pair, memcmp(out[OUR_SIDE], out[THEIR_SIDE], (size_t)lengths[OUR_SIDE]) == 0);
    }
    return success;
}

/* Goes on with copies of the contexts: new ones, or ones that were used for something else. */
static inline void pair_copy(struct pair *pair)
{
    LOG(pair, " copy()");
    for (int side = 0; side < SIDES; side++) {
        EVP_CIPHER_CTX *copy = EVP_CIPHER_CTX_new();
        CHECK(copy != NULL && EVP_CIPHER_CTX_copy(copy, pair->context[side]));
        EVP_CIPHER_CTX_free(pair->context[side]);
        pair->context[side] = copy;
    }
}

/* What the contexts say of themselves. */
static inline void pair_compare(struct pair *pair)
{
    unsigned char first[SIDES][EVP_MAX_IV_LENGTH], next[SIDES][EVP_MAX_IV_LENGTH];
    int original[SIDES], updated[SIDES];
    EVP_CIPHER_CTX **context = pair->context;
    LOG(pair, " compare()");
    size_t length = (size_t)EVP_CIPHER_CTX_get_iv_length(context[OUR_SIDE]);
    ALIKE(pair, (int)length == EVP_CIPHER_CTX_get_iv_length(context[THEIR_SIDE]));
    ALIKE(pair, EVP_CIPHER_CTX_get_key_length(context[OUR_SIDE]) == EVP_CIPHER_CTX_get_key_length(context[THEIR_SIDE]));
    ALIKE(pair, EVP_CIPHER_CTX_get_tag_length(context[OUR_SIDE]) == EVP_CIPHER_CTX_get_tag_length(context[THEIR_SIDE]));
    ALIKE(pair, EVP_CIPHER_CTX_get_num(context[OUR_SIDE]) == EVP_CIPHER_CTX_get_num(context[THEIR_SIDE]));
    ALIKE(pair, EVP_CIPHER_CTX_get_block_size(context[OUR_SIDE]) == EVP_CIPHER_CTX_get_block_size(context[THEIR_SIDE]));
    if (length > EVP_MAX_IV_LENGTH)
        return;
    for (int side = 0; side < SIDES; side++) {
        original[side] = EVP_CIPHER_CTX_get_original_iv(context[side], first[side], length);
        updated[side] = EVP_CIPHER_CTX_get_updated_iv(context[side], next[side], length);
    }
    if (pair_agree(pair, original)) {
        ALIKE(pair, memcmp(first[OUR_SIDE], first[THEIR_SIDE], length) == 0);
        /* By its address, as CMS asks for it. */
        void *place = NULL;
        OSSL_PARAM params[] = {OSSL_PARAM_construct_octet_ptr("iv", &place, length), OSSL_PARAM_END};
        ALIKE(pair, EVP_CIPHER_CTX_get_params(context[OUR_SIDE], params) == 1 && place != NULL);
        ALIKE(pair, params[0].return_size == length && memcmp(place, first[OUR_SIDE], length) == 0);
    }
    if (pair_agree(pair, updated))
        ALIKE(pair, memcmp(next[OUR_SIDE], next[THEIR_SIDE], length) == 0);
}

/* Many short inputs, some long ones, and the lengths around a block. */
static inline size_t random_length(void)
{
    switch (random_below(6)) {
    case 0:
        return random_below(3) * 16 + 15 + random_below(3);
    case 1:
        return 16 * random_below(16);
    case 2:
        return random_below(LONGEST + 1);
    default:
        return random_below(40);
    }
}

#endif
