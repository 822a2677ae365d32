/* OpenSSL and Tongsuo, through EVP. Keys and algorithms are fetched before; contexts are made anew for each operation of SM2, as a
 * program that serves requests does. */
#include "line.h"

#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/param_build.h>
#include <stdio.h>

static EVP_PKEY *key;
static EVP_MD *sm3;
static EVP_CIPHER_CTX *cipher;
static struct bytes message, given, iv;

/* The inputs of SM2: the pair where the secret key was set, the public key alone otherwise. */
static int read_key(void) {
    struct bytes secret = input("secret"), public = input("public");
    OSSL_PARAM_BLD *parts = OSSL_PARAM_BLD_new();
    BIGNUM *d = BN_bin2bn(secret.at, (int)secret.length, NULL);
    OSSL_PARAM_BLD_push_utf8_string(parts, OSSL_PKEY_PARAM_GROUP_NAME, "SM2", 0);
    OSSL_PARAM_BLD_push_octet_string(parts, OSSL_PKEY_PARAM_PUB_KEY, public.at, public.length);
    OSSL_PARAM_BLD_push_BN(parts, OSSL_PKEY_PARAM_PRIV_KEY, d);
    OSSL_PARAM *parameters = OSSL_PARAM_BLD_to_param(parts);
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_name(NULL, "SM2", NULL);
    EVP_PKEY_free(key);
    key = NULL;
    int good = EVP_PKEY_fromdata_init(context) == 1 &&
               EVP_PKEY_fromdata(context, &key, EVP_PKEY_KEYPAIR, parameters) == 1;
    EVP_PKEY_CTX_free(context);
    OSSL_PARAM_free(parameters);
    OSSL_PARAM_BLD_free(parts);
    BN_free(d);
    message = input("message");
    return good;
}

static int read_signed(void) {
    given = input("signature");
    return read_key();
}

static int read_sealed(void) {
    given = input("ciphertext");
    return read_key();
}

static int nothing(void) { return 1; }

static int keygen(void) {
    EVP_PKEY *made = EVP_PKEY_Q_keygen(NULL, NULL, "SM2");
    EVP_PKEY_free(made);
    return made != NULL && result_is(1);
}

static int with_digest(int signs) {
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    EVP_PKEY_CTX *inner = EVP_PKEY_CTX_new(key, NULL);
    EVP_PKEY_CTX_set1_id(inner, DEFAULT_ID, 16);
    EVP_MD_CTX_set_pkey_ctx(context, inner);
    int good;
    if (signs) {
        result_length = sizeof result;
        good = EVP_DigestSignInit(context, NULL, sm3, NULL, key) == 1 &&
               EVP_DigestSign(context, result, &result_length, message.at, message.length) == 1;
    } else {
        good = EVP_DigestVerifyInit(context, NULL, sm3, NULL, key) == 1;
        if (good)
            result_is(EVP_DigestVerify(context, given.at, given.length, message.at, message.length) == 1);
    }
    EVP_MD_CTX_free(context);
    EVP_PKEY_CTX_free(inner);
    return good;
}

static int sign(void) { return with_digest(1); }
static int verify(void) { return with_digest(0); }

static int encrypt(void) {
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new(key, NULL);
    result_length = sizeof result;
    int good = EVP_PKEY_encrypt_init(context) == 1 &&
               EVP_PKEY_encrypt(context, result, &result_length, message.at, message.length) == 1;
    EVP_PKEY_CTX_free(context);
    return good;
}

static int decrypt(void) {
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new(key, NULL);
    result_length = sizeof result;
    int good = EVP_PKEY_decrypt_init(context) == 1 &&
               EVP_PKEY_decrypt(context, result, &result_length, given.at, given.length) == 1;
    EVP_PKEY_CTX_free(context);
    return good;
}

static int read_message(void) {
    message = input("message");
    return sm3 != NULL;
}

static int hash(void) {
    unsigned length = 0;
    int good = EVP_Digest(message.at, message.length, result, &length, sm3, NULL) == 1;
    result_length = length;
    return good;
}

static int set_cipher_to(const char *name, int encrypts) {
    struct bytes secret = input("key");
    EVP_CIPHER *algorithm = EVP_CIPHER_fetch(NULL, name, NULL);
    message = input("message");
    iv = input("iv");
    if (cipher == NULL)
        cipher = EVP_CIPHER_CTX_new();
    EVP_CIPHER_CTX_reset(cipher);
    int good = algorithm != NULL && EVP_CipherInit_ex(cipher, algorithm, NULL, secret.at, iv.at, encrypts) == 1 &&
               EVP_CIPHER_CTX_set_padding(cipher, 0) == 1;
    EVP_CIPHER_free(algorithm);
    return good;
}

static int set_cipher(const char *name) { return set_cipher_to(name, 1); }
static int set_cbc(void) { return set_cipher("SM4-CBC"); }
static int set_cbc_decrypt(void) { return set_cipher_to("SM4-CBC", 0); }
static int set_ecb(void) { return set_cipher("SM4-ECB"); }
static int set_ctr(void) { return set_cipher("SM4-CTR"); }
static int set_gcm(void) { return set_cipher("SM4-GCM"); }

static int crypt_message(void) {
    int length = 0;
    if (EVP_CipherInit_ex(cipher, NULL, NULL, NULL, iv.at, -1) != 1 ||
        EVP_CipherUpdate(cipher, result, &length, message.at, (int)message.length) != 1)
        return 0;
    result_length = (size_t)length;
    return 1;
}

static int seal(void) {
    int more = 0;
    if (!crypt_message() || EVP_EncryptFinal_ex(cipher, result + result_length, &more) != 1 ||
        EVP_CIPHER_CTX_ctrl(cipher, EVP_CTRL_AEAD_GET_TAG, 16, result + result_length) != 1)
        return 0;
    result_length += 16;
    return 1;
}

static BIGNUM *a, *b, *r;
static BN_CTX *numbers;

static int read_numbers(void) {
    struct bytes first = input("a"), second = input("b");
    if (numbers == NULL) {
        numbers = BN_CTX_new();
        r = BN_new();
    }
    a = BN_bin2bn(first.at, (int)first.length, a);
    b = BN_bin2bn(second.at, (int)second.length, b);
    return a != NULL && b != NULL;
}

static int product(void) {
    result_length = 64;
    return BN_mul(r, a, b, numbers) == 1 && BN_bn2binpad(r, result, 64) == 64;
}

static int thousand(void) {
    for (int i = 0; i < 1000; i++) {
        if (BN_mul(r, a, b, numbers) != 1)
            return 0;
        /* The low half is the next factor. */
        if (BN_num_bits(r) > 256)
            BN_mask_bits(r, 256);
        BN_swap(a, r);
    }
    result_length = 0;
    return 1;
}

int main(void) {
    /* The last one is not in every version. */
    struct operation operations[] = {
        {"sm2-keygen", nothing, keygen},
        {"sm2-sign", read_key, sign},
        {"sm2-verify", read_signed, verify},
        {"sm2-encrypt", read_key, encrypt},
        {"sm2-decrypt", read_sealed, decrypt},
        {"sm3", read_message, hash},
        {"sm4-cbc", set_cbc, crypt_message},
        {"sm4-cbc-decrypt", set_cbc_decrypt, crypt_message},
        {"sm4-ecb", set_ecb, crypt_message},
        {"sm4-ctr", set_ctr, crypt_message},
        {"integers-product", read_numbers, product},
        {"integers-thousand-products", read_numbers, thousand},
        {"sm4-gcm", set_gcm, seal},
        {NULL, NULL, NULL},
    };
    sm3 = EVP_MD_fetch(NULL, "SM3", NULL);
    EVP_CIPHER *gcm = EVP_CIPHER_fetch(NULL, "SM4-GCM", NULL);
    if (gcm == NULL)
        operations[12].name = NULL;
    EVP_CIPHER_free(gcm);
    char version[64];
#ifdef TONGSUO_VERSION_MAJOR
    snprintf(version, sizeof version, "%d.%d.%d", TONGSUO_VERSION_MAJOR, TONGSUO_VERSION_MINOR, TONGSUO_VERSION_PATCH);
#else
    snprintf(version, sizeof version, "%s", OpenSSL_version(OPENSSL_VERSION_STRING));
#endif
    return serve(version, "der", "der", operations);
}
