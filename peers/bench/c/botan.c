/* Botan, through its C interface. Its operation objects are kept between operations, as it means them to be: they hold Z. */
#include "line.h"

#include <botan/ffi.h>
#include <stdio.h>

static botan_rng_t generator;
static botan_privkey_t secret_key;
static botan_pubkey_t public_key;
static botan_pk_op_sign_t signer;
static botan_pk_op_verify_t verifier;
static botan_pk_op_encrypt_t encrypter;
static botan_pk_op_decrypt_t decrypter;
static botan_hash_t hasher;
static botan_cipher_t cipher;
static struct bytes message, given, iv;

static void number(botan_mp_t *value, const unsigned char *at, size_t length) {
    botan_mp_init(value);
    botan_mp_from_bin(*value, at, length);
}

static int read_keys(void) {
    struct bytes secret = input("secret"), public = input("public");
    botan_mp_t d, x, y;
    if (secret.length != 32 || public.length != 65)
        return 0;
    number(&d, secret.at, 32);
    number(&x, public.at + 1, 32);
    number(&y, public.at + 33, 32);
    botan_privkey_destroy(secret_key);
    botan_pubkey_destroy(public_key);
    int good = botan_privkey_load_sm2(&secret_key, d, "sm2p256v1") == 0 &&
               botan_pubkey_load_sm2(&public_key, x, y, "sm2p256v1") == 0;
    botan_mp_destroy(d);
    botan_mp_destroy(x);
    botan_mp_destroy(y);
    message = input("message");
    return good;
}

static int begin_sign(void) {
    botan_pk_op_sign_destroy(signer);
    return read_keys() && botan_pk_op_sign_create(&signer, secret_key, DEFAULT_ID ",SM3", 0) == 0;
}

static int begin_verify(void) {
    given = input("signature");
    botan_pk_op_verify_destroy(verifier);
    return read_keys() && botan_pk_op_verify_create(&verifier, public_key, DEFAULT_ID ",SM3", 0) == 0;
}

static int begin_encrypt(void) {
    botan_pk_op_encrypt_destroy(encrypter);
    return read_keys() && botan_pk_op_encrypt_create(&encrypter, public_key, "SM3", 0) == 0;
}

static int begin_decrypt(void) {
    given = input("ciphertext");
    botan_pk_op_decrypt_destroy(decrypter);
    return read_keys() && botan_pk_op_decrypt_create(&decrypter, secret_key, "SM3", 0) == 0;
}

static int nothing(void) { return 1; }

static int keygen(void) {
    botan_privkey_t made;
    int good = botan_privkey_create(&made, "SM2", "sm2p256v1", generator) == 0;
    return good && botan_privkey_destroy(made) == 0 && result_is(1);
}

static int sign(void) {
    result_length = sizeof result;
    return botan_pk_op_sign_update(signer, message.at, message.length) == 0 &&
           botan_pk_op_sign_finish(signer, generator, result, &result_length) == 0;
}

static int verify(void) {
    return botan_pk_op_verify_update(verifier, message.at, message.length) == 0 &&
           result_is(botan_pk_op_verify_finish(verifier, given.at, given.length) == 0);
}

static int encrypt(void) {
    result_length = sizeof result;
    return botan_pk_op_encrypt(encrypter, generator, result, &result_length, message.at, message.length) == 0;
}

static int decrypt(void) {
    result_length = sizeof result;
    return botan_pk_op_decrypt(decrypter, result, &result_length, given.at, given.length) == 0;
}

static int begin_hash(void) {
    message = input("message");
    return hasher != NULL || botan_hash_init(&hasher, "SM3", 0) == 0;
}

static int hash(void) {
    result_length = 32;
    return botan_hash_update(hasher, message.at, message.length) == 0 && botan_hash_final(hasher, result) == 0;
}

static int set_cipher(const char *name) {
    struct bytes secret = input("key");
    message = input("message");
    iv = input("iv");
    botan_cipher_destroy(cipher);
    cipher = NULL;
    return botan_cipher_init(&cipher, name, BOTAN_CIPHER_INIT_FLAG_ENCRYPT) == 0 &&
           botan_cipher_set_key(cipher, secret.at, secret.length) == 0;
}

static int set_cbc(void) { return set_cipher("SM4/CBC/NoPadding"); }
static int set_ctr(void) { return set_cipher("CTR-BE(SM4)"); }
static int set_gcm(void) { return set_cipher("SM4/GCM"); }

static int crypt_with(size_t nonce) {
    size_t consumed = 0;
    return botan_cipher_start(cipher, iv.at, nonce) == 0 &&
           botan_cipher_update(cipher, BOTAN_CIPHER_UPDATE_FLAG_FINAL, result, sizeof result, &result_length, message.at,
                               message.length, &consumed) == 0;
}

static int crypt_message(void) { return crypt_with(16); }
static int seal(void) { return crypt_with(12); }

int main(void) {
    static const struct operation operations[] = {
        {"sm2-keygen", nothing, keygen},       {"sm2-sign", begin_sign, sign},
        {"sm2-verify", begin_verify, verify},  {"sm2-encrypt", begin_encrypt, encrypt},
        {"sm2-decrypt", begin_decrypt, decrypt}, {"sm3", begin_hash, hash},
        {"sm4-cbc", set_cbc, crypt_message},   {"sm4-ctr", set_ctr, crypt_message},
        {"sm4-gcm", set_gcm, seal},            {NULL, NULL, NULL},
    };
    char version[32];
    snprintf(version, sizeof version, "%u.%u.%u", botan_version_major(), botan_version_minor(), botan_version_patch());
    /* The process's own generator, which is seeded by the operating system's. */
    if (botan_rng_init(&generator, "user") != 0)
        return 1;
    return serve(version, "raw", "der", operations);
}
