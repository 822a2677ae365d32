/* libgcrypt: SM3, and SM4 in its modes. A key is set once, as a program does that has many messages; each message has its own start. */
#include "line.h"

#include <gcrypt.h>
#include <string.h>

static gcry_cipher_hd_t cipher;
static struct bytes message, sealed, iv;

static int read_message(void) {
    message = input("message");
    return 1;
}

static int hash(void) {
    gcry_md_hash_buffer(GCRY_MD_SM3, result, message.at, message.length);
    result_length = 32;
    return 1;
}

/* XTS has the initial value as its second key. */
static int set_cipher(int mode) {
    unsigned char keys[32];
    struct bytes secret = input("key");
    message = input("message");
    iv = input("iv");
    if (secret.length != 16 || iv.length != 16)
        return 0;
    memcpy(keys, secret.at, 16);
    memcpy(keys + 16, iv.at, 16);
    gcry_cipher_close(cipher);
    return gcry_cipher_open(&cipher, GCRY_CIPHER_SM4, mode, 0) == 0 &&
           gcry_cipher_setkey(cipher, keys, mode == GCRY_CIPHER_MODE_XTS ? 32 : 16) == 0;
}

static int set_cbc(void) { return set_cipher(GCRY_CIPHER_MODE_CBC); }
static int set_ecb(void) { return set_cipher(GCRY_CIPHER_MODE_ECB); }
static int set_ctr(void) { return set_cipher(GCRY_CIPHER_MODE_CTR); }
static int set_gcm(void) {
    sealed = input("ciphertext");
    int good = set_cipher(GCRY_CIPHER_MODE_GCM);
    iv.length = 12;
    return good;
}

static int set_xts(void) { return set_cipher(GCRY_CIPHER_MODE_XTS); }

static int encrypt(void) {
    result_length = message.length;
    return gcry_cipher_encrypt(cipher, result, message.length, message.at, message.length) == 0;
}

static int from_iv(void) { return gcry_cipher_setiv(cipher, iv.at, iv.length) == 0 && encrypt(); }

static int from_counter(void) { return gcry_cipher_setctr(cipher, iv.at, iv.length) == 0 && encrypt(); }

static int decrypt_from_iv(void) {
    result_length = message.length;
    return gcry_cipher_setiv(cipher, iv.at, iv.length) == 0 &&
           gcry_cipher_decrypt(cipher, result, message.length, message.at, message.length) == 0;
}

static int seal(void) {
    if (!from_iv() || gcry_cipher_gettag(cipher, result + message.length, 16) != 0)
        return 0;
    result_length += 16;
    return 1;
}

/* Its tag is behind the ciphertext. */
static int open_sealed(void) {
    size_t length = sealed.length - 16;
    result_length = length;
    return gcry_cipher_setiv(cipher, iv.at, iv.length) == 0 &&
           gcry_cipher_decrypt(cipher, result, length, sealed.at, length) == 0 &&
           gcry_cipher_checktag(cipher, sealed.at + length, 16) == 0;
}

int main(void) {
    static const struct operation operations[] = {
        {"sm3", read_message, hash},
        {"sm4-cbc", set_cbc, from_iv},
        {"sm4-cbc-decrypt", set_cbc, decrypt_from_iv},
        {"sm4-ecb", set_ecb, encrypt},
        {"sm4-ctr", set_ctr, from_counter},
        {"sm4-gcm", set_gcm, seal},
        {"sm4-gcm-open", set_gcm, open_sealed},
        {"sm4-xts", set_xts, from_iv},
        {"sm4-xts-decrypt", set_xts, decrypt_from_iv},
        {NULL, NULL, NULL},
    };
    const char *version = gcry_check_version(NULL);
    gcry_control(GCRYCTL_INITIALIZATION_FINISHED, 0);
    return serve(version, "raw", "c1c3c2", operations);
}
