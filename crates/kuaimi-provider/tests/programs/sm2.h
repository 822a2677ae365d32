/* SM2 keys of either provider. */
#ifndef SM2_H
#define SM2_H

#include "check.h"

static const char *const providers[2] = {OURS, THEIRS};
static const char *const provider_names[2] = {"kuaimi", "default"};

/* Whether the key is one of provider `side`. */
static inline int is_of(const EVP_PKEY *key, int side)
{
    return strcmp(OSSL_PROVIDER_get0_name(EVP_PKEY_get0_provider(key)), provider_names[side]) == 0;
}

static inline EVP_PKEY *generate(OSSL_LIB_CTX *library, int side)
{
    EVP_PKEY *key = EVP_PKEY_Q_keygen(library, providers[side], "SM2");
    CHECK(key != NULL && is_of(key, side) && EVP_PKEY_is_a(key, "SM2"));
    return key;
}

/* The key as one of provider `side`. */
static inline EVP_PKEY *moved(OSSL_LIB_CTX *library, const EVP_PKEY *key, int selection, int side)
{
    OSSL_PARAM *params = NULL;
    EVP_PKEY *copy = NULL;
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_name(library, "SM2", providers[side]);
    CHECK(EVP_PKEY_todata(key, selection, &params) == 1);
    CHECK(EVP_PKEY_fromdata_init(context) == 1);
    CHECK(EVP_PKEY_fromdata(context, &copy, selection, params) == 1);
    CHECK(is_of(copy, side));
    OSSL_PARAM_free(params);
    EVP_PKEY_CTX_free(context);
    return copy;
}

#endif
