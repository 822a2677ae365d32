/* The list of SQL functions over libkuaimi. */
#include "functions.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#ifdef __APPLE__
#include <sys/random.h>
#endif

#define NONCE_LEN KUAIMI_SM4_GCM_NONCE_LEN
#define TAG_LEN KUAIMI_SM4_GCM_TAG_LEN

/* Failures. */

bool km_fail_text(km_failure *failure, km_failure_kind kind, const char *text)
{
    failure->kind = kind;
    snprintf(failure->text, sizeof failure->text, "%s", text);
    return false;
}

bool km_fail(km_failure *failure, kuaimi_error error)
{
    km_failure_kind kind = KM_INVALID_ARGUMENT;
    switch (error) {
    case KUAIMI_ERROR_DECRYPTION_FAILED:
        kind = KM_DECRYPTION_FAILED;
        break;
    case KUAIMI_ERROR_RANDOM:
    case KUAIMI_ERROR_INTERNAL:
    case KUAIMI_ERROR_SELF_CHECK:
        kind = KM_SYSTEM;
        break;
    default:
        break;
    }
    return km_fail_text(failure, kind, kuaimi_error_message(error));
}

static bool fail_explained(km_failure *failure, const char *what, const uint8_t *why, size_t why_len)
{
    failure->kind = KM_INVALID_ARGUMENT;
    snprintf(failure->text, sizeof failure->text, "%s: %.*s", what, (int)why_len, (const char *)why);
    return false;
}

/* Keys, read once where the same come again. */

uint64_t km_hash(uint64_t start, kuaimi_bytes bytes)
{
    uint64_t hash = start ^ 0xcbf29ce484222325;
    for (size_t i = 0; i < bytes.len; i++)
        hash = (hash ^ bytes.data[i]) * 0x100000001b3;
    return hash;
}

/* In constant time but for the length, as the bytes may be a private key. */
static bool equal(const uint8_t *a, const uint8_t *b, size_t len)
{
    uint8_t difference = 0;
    for (size_t i = 0; i < len; i++)
        difference |= a[i] ^ b[i];
    return difference == 0;
}

static void cached_key_clear(km_cached_key *cached)
{
    if (cached->handle != NULL)
        cached->free_handle(cached->handle);
    if (cached->bytes != NULL) {
        kuaimi_wipe(cached->bytes, cached->key_len + cached->identity_len);
        free(cached->bytes);
    }
    memset(cached, 0, sizeof *cached);
}

void km_cache_clear(km_cache *cache)
{
    for (size_t i = 0; i < KM_CACHED_KEYS; i++)
        cached_key_clear(&cache->keys[i]);
}

/* A key with its identity: `read` makes the handle, `arguments[1]` is the identity if `count` is 2. */
typedef struct {
    bool (*read)(const kuaimi_bytes *arguments, int count, void **handle, km_failure *failure);
    void (*free_handle)(void *);
    bool secret;
} key_type;

/* The handle, and whether the caller must free it: not where the cache has it. */
static bool get_key(km_cache *cache, const key_type *type, const kuaimi_bytes *arguments, int count, void **handle, bool *owned,
                    km_failure *failure)
{
    static const kuaimi_bytes usual = {(const uint8_t *)"1234567812345678", 16};
    const kuaimi_bytes key = arguments[0], identity = count > 1 ? arguments[1] : usual;
    km_cached_key *cached = NULL;
    if (cache != NULL) {
        /* The place of a private key does not depend on it. */
        cached = &cache->keys[type->secret ? 0 : km_hash(km_hash(0, key), identity) % KM_CACHED_KEYS];
        if (cached->handle != NULL && cached->free_handle == type->free_handle && cached->key_len == key.len
            && cached->identity_len == identity.len && equal(cached->bytes, key.data, key.len)
            && equal(cached->bytes + key.len, identity.data, identity.len)) {
            *handle = cached->handle;
            *owned = false;
            return true;
        }
    }
    if (!type->read(arguments, count, handle, failure))
        return false;
    *owned = true;
    if (cached != NULL) {
        uint8_t *bytes = malloc(key.len + identity.len + 1);
        if (bytes == NULL)
            return true;
        cached_key_clear(cached);
        memcpy(bytes, key.data, key.len);
        memcpy(bytes + key.len, identity.data, identity.len);
        cached->bytes = bytes;
        cached->key_len = key.len;
        cached->identity_len = identity.len;
        cached->handle = *handle;
        cached->free_handle = type->free_handle;
        *owned = false;
    }
    return true;
}

static bool read_public_key(const kuaimi_bytes *arguments, int count, void **handle, km_failure *failure)
{
    uint8_t why[KUAIMI_EXPLANATION_MAX_LEN];
    size_t why_len = sizeof why;
    kuaimi_sm2_public_key *key;
    (void)count;
    const kuaimi_error error = kuaimi_sm2_public_key_read(arguments[0].data, arguments[0].len, &key);
    if (error == KUAIMI_OK) {
        *handle = key;
        return true;
    }
    if (kuaimi_sm2_explain_public_key(arguments[0].data, arguments[0].len, why, &why_len) == KUAIMI_OK)
        return fail_explained(failure, "the public key cannot be read", why, why_len);
    return km_fail(failure, error);
}

static bool read_private_key(const kuaimi_bytes *arguments, int count, void **handle, km_failure *failure)
{
    uint8_t why[KUAIMI_EXPLANATION_MAX_LEN];
    size_t why_len = sizeof why;
    kuaimi_sm2_private_key *key;
    (void)count;
    const kuaimi_error error = kuaimi_sm2_private_key_read(arguments[0].data, arguments[0].len, NULL, 0, &key);
    if (error == KUAIMI_OK) {
        *handle = key;
        return true;
    }
    if (error == KUAIMI_ERROR_PASSWORD_NEEDED)
        return km_fail_text(failure, KM_INVALID_ARGUMENT,
                            "the private key cannot be read: it is encrypted, and these functions take no password");
    if (kuaimi_sm2_explain_private_key(arguments[0].data, arguments[0].len, NULL, 0, why, &why_len) == KUAIMI_OK)
        return fail_explained(failure, "the private key cannot be read", why, why_len);
    return km_fail(failure, error);
}

bool km_read_verifying_key(const kuaimi_bytes *arguments, int count, kuaimi_sm2_verifying_key **key, km_failure *failure)
{
    void *handle;
    if (!read_public_key(arguments, count, &handle, failure))
        return false;
    const kuaimi_error error = kuaimi_sm2_verifying_key_new(handle, count > 1 ? arguments[1].data : NULL,
                                                            count > 1 ? arguments[1].len : 0, key);
    kuaimi_sm2_public_key_free(handle);
    return error == KUAIMI_OK || km_fail(failure, error);
}

static bool read_verifying_key(const kuaimi_bytes *arguments, int count, void **handle, km_failure *failure)
{
    kuaimi_sm2_verifying_key *key;
    if (!km_read_verifying_key(arguments, count, &key, failure))
        return false;
    *handle = key;
    return true;
}

static bool read_signing_key(const kuaimi_bytes *arguments, int count, void **handle, km_failure *failure)
{
    void *private_key;
    kuaimi_sm2_signing_key *key;
    if (!read_private_key(arguments, count, &private_key, failure))
        return false;
    const kuaimi_error error = kuaimi_sm2_signing_key_new(private_key, count > 1 ? arguments[1].data : NULL,
                                                          count > 1 ? arguments[1].len : 0, &key);
    kuaimi_sm2_private_key_free(private_key);
    if (error != KUAIMI_OK)
        return km_fail(failure, error);
    *handle = key;
    return true;
}

static void free_public_key(void *key)
{
    kuaimi_sm2_public_key_free(key);
}
static void free_private_key(void *key)
{
    kuaimi_sm2_private_key_free(key);
}
static void free_verifying_key(void *key)
{
    kuaimi_sm2_verifying_key_free(key);
}
static void free_signing_key(void *key)
{
    kuaimi_sm2_signing_key_free(key);
}

static const key_type public_key = {read_public_key, free_public_key, false};
static const key_type private_key = {read_private_key, free_private_key, true};
static const key_type verifying_key = {read_verifying_key, free_verifying_key, false};
static const key_type signing_key = {read_signing_key, free_signing_key, true};

/* Sizes. */

static bool longer_by(size_t len, size_t more, size_t *size)
{
    *size = len + more;
    return *size >= len;
}

static bool size_digest(const kuaimi_bytes *arguments, size_t *size)
{
    (void)arguments;
    *size = KUAIMI_SM3_DIGEST_LEN;
    return true;
}

static bool size_boolean(const kuaimi_bytes *arguments, size_t *size)
{
    (void)arguments;
    *size = 1;
    return true;
}

static bool size_signature(const kuaimi_bytes *arguments, size_t *size)
{
    (void)arguments;
    *size = KUAIMI_SM2_SIGNATURE_DER_MAX_LEN;
    return true;
}

static bool size_sealed(const kuaimi_bytes *arguments, size_t *size)
{
    return longer_by(arguments[0].len, NONCE_LEN + TAG_LEN, size);
}

static bool size_padded(const kuaimi_bytes *arguments, size_t *size)
{
    return longer_by(arguments[0].len, KUAIMI_SM4_BLOCK_LEN, size);
}

static bool size_sm2_ciphertext(const kuaimi_bytes *arguments, size_t *size)
{
    return longer_by(arguments[0].len, 128, size);
}

/* A plaintext is no longer than its ciphertext. */
static bool size_same(const kuaimi_bytes *arguments, size_t *size)
{
    *size = arguments[0].len;
    return true;
}

static bool size_version(const kuaimi_bytes *arguments, size_t *size)
{
    (void)arguments;
    *size = strlen(kuaimi_version());
    return true;
}

/* The functions. What all have in common: the last lines of each turn an error of the library into a failure. */

#define ARGUMENTS km_cache *cache, const kuaimi_bytes *arguments, int count, uint8_t *out, size_t *out_len, km_failure *failure

static bool run_sm3(ARGUMENTS)
{
    (void)cache, (void)count;
    *out_len = KUAIMI_SM3_DIGEST_LEN;
    const kuaimi_error error = kuaimi_sm3_digest(arguments[0].data, arguments[0].len, out);
    return error == KUAIMI_OK || km_fail(failure, error);
}

static bool run_hmac_sm3(ARGUMENTS)
{
    (void)cache, (void)count;
    *out_len = KUAIMI_SM3_DIGEST_LEN;
    const kuaimi_error error = kuaimi_hmac_sm3_digest(arguments[1].data, arguments[1].len, arguments[0].data, arguments[0].len, out);
    return error == KUAIMI_OK || km_fail(failure, error);
}

static bool check_sm4_key(kuaimi_bytes key, km_failure *failure)
{
    return key.len == KUAIMI_SM4_KEY_LEN || km_fail_text(failure, KM_INVALID_ARGUMENT, "an SM4 key has 16 bytes");
}

/* The nonce, the ciphertext, the tag. */
static bool run_sm4_encrypt(ARGUMENTS)
{
    const kuaimi_bytes data = arguments[0], associated = count > 2 ? arguments[2] : km_bytes(NULL, 0);
    kuaimi_sm4_gcm *cipher;
    (void)cache;
    if (!check_sm4_key(arguments[1], failure))
        return false;
    /* From the operating system for each message: no state that a fork could copy. */
    if (getentropy(out, NONCE_LEN) != 0)
        return km_fail(failure, KUAIMI_ERROR_RANDOM);
    *out_len = NONCE_LEN + data.len + TAG_LEN;
    kuaimi_error error = kuaimi_sm4_gcm_new(arguments[1].data, &cipher);
    if (error == KUAIMI_OK) {
        error = kuaimi_sm4_gcm_seal(cipher, out, NONCE_LEN, associated.data, associated.len, data.data, data.len, out + NONCE_LEN,
                                    out + NONCE_LEN + data.len);
        kuaimi_sm4_gcm_free(cipher);
    }
    return error == KUAIMI_OK || km_fail(failure, error);
}

static bool run_sm4_decrypt(ARGUMENTS)
{
    const kuaimi_bytes sealed = arguments[0], associated = count > 2 ? arguments[2] : km_bytes(NULL, 0);
    kuaimi_sm4_gcm *cipher;
    (void)cache;
    if (!check_sm4_key(arguments[1], failure))
        return false;
    if (sealed.len < NONCE_LEN + TAG_LEN)
        return km_fail(failure, KUAIMI_ERROR_DECRYPTION_FAILED);
    *out_len = sealed.len - NONCE_LEN - TAG_LEN;
    kuaimi_error error = kuaimi_sm4_gcm_new(arguments[1].data, &cipher);
    if (error == KUAIMI_OK) {
        error = kuaimi_sm4_gcm_open(cipher, sealed.data, NONCE_LEN, associated.data, associated.len, sealed.data + NONCE_LEN, *out_len,
                                    sealed.data + sealed.len - TAG_LEN, out);
        kuaimi_sm4_gcm_free(cipher);
    }
    return error == KUAIMI_OK || km_fail(failure, error);
}

static bool new_cbc(const kuaimi_bytes *arguments, kuaimi_sm4_cbc **cipher, km_failure *failure)
{
    if (!check_sm4_key(arguments[1], failure))
        return false;
    if (arguments[2].len != KUAIMI_SM4_BLOCK_LEN)
        return km_fail_text(failure, KM_INVALID_ARGUMENT, "an initialization vector has 16 bytes");
    const kuaimi_error error = kuaimi_sm4_cbc_new(arguments[1].data, cipher);
    return error == KUAIMI_OK || km_fail(failure, error);
}

static bool run_sm4_cbc_encrypt(ARGUMENTS)
{
    kuaimi_sm4_cbc *cipher;
    (void)cache, (void)count;
    if (!new_cbc(arguments, &cipher, failure))
        return false;
    const kuaimi_error error =
        kuaimi_sm4_cbc_encrypt_padded(cipher, arguments[2].data, arguments[0].data, arguments[0].len, out, out_len);
    kuaimi_sm4_cbc_free(cipher);
    return error == KUAIMI_OK || km_fail(failure, error);
}

static bool run_sm4_cbc_decrypt(ARGUMENTS)
{
    kuaimi_sm4_cbc *cipher;
    (void)cache, (void)count;
    if (!new_cbc(arguments, &cipher, failure))
        return false;
    const kuaimi_error error =
        kuaimi_sm4_cbc_decrypt_padded(cipher, arguments[2].data, arguments[0].data, arguments[0].len, out, out_len);
    kuaimi_sm4_cbc_free(cipher);
    return error == KUAIMI_OK || km_fail(failure, error);
}

static bool run_sm2_sign(ARGUMENTS)
{
    void *key;
    bool owned;
    if (!get_key(cache, &signing_key, arguments + 1, count - 1, &key, &owned, failure))
        return false;
    const kuaimi_error error = kuaimi_sm2_sign(key, arguments[0].data, arguments[0].len, KUAIMI_SIGNATURE_DER, out, out_len);
    if (owned)
        free_signing_key(key);
    return error == KUAIMI_OK || km_fail(failure, error);
}

static bool run_sm2_verify(ARGUMENTS)
{
    void *key;
    bool owned;
    if (!get_key(cache, &verifying_key, arguments + 2, count - 2, &key, &owned, failure))
        return false;
    const kuaimi_error error =
        kuaimi_sm2_verify(key, arguments[0].data, arguments[0].len, arguments[1].data, arguments[1].len, KUAIMI_SIGNATURE_DER);
    if (owned)
        free_verifying_key(key);
    *out_len = 1;
    out[0] = error == KUAIMI_OK;
    return error == KUAIMI_OK || error == KUAIMI_ERROR_INVALID_SIGNATURE || km_fail(failure, error);
}

/* The form of an SM2 ciphertext by its name in the other languages. */
static bool ciphertext_form(const kuaimi_bytes *name, kuaimi_sm2_ciphertext_form *form, km_failure *failure)
{
    static const struct {
        const char *name;
        kuaimi_sm2_ciphertext_form form;
    } forms[] = {
        {"c1c3c2", KUAIMI_SM2_CIPHERTEXT_C1C3C2},
        {"c1c2c3", KUAIMI_SM2_CIPHERTEXT_C1C2C3},
        {"bare-c1c3c2", KUAIMI_SM2_CIPHERTEXT_BARE_C1C3C2},
        {"bare-c1c2c3", KUAIMI_SM2_CIPHERTEXT_BARE_C1C2C3},
        {"der", KUAIMI_SM2_CIPHERTEXT_DER},
    };
    *form = KUAIMI_SM2_CIPHERTEXT_C1C3C2;
    if (name == NULL)
        return true;
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        if (strlen(forms[i].name) == name->len && memcmp(forms[i].name, name->data, name->len) == 0) {
            *form = forms[i].form;
            return true;
        }
    }
    return km_fail_text(failure, KM_INVALID_ARGUMENT,
                        "a ciphertext has one of the forms c1c3c2, c1c2c3, bare-c1c3c2, bare-c1c2c3 and der");
}

static bool run_sm2_encrypt(ARGUMENTS)
{
    void *key;
    bool owned;
    kuaimi_sm2_ciphertext_form form;
    if (!ciphertext_form(count > 2 ? &arguments[2] : NULL, &form, failure)
        || !get_key(cache, &public_key, arguments + 1, 1, &key, &owned, failure))
        return false;
    const kuaimi_error error = kuaimi_sm2_encrypt(key, arguments[0].data, arguments[0].len, form, out, out_len);
    if (owned)
        free_public_key(key);
    return error == KUAIMI_OK || km_fail(failure, error);
}

static bool run_sm2_decrypt(ARGUMENTS)
{
    void *key;
    bool owned;
    kuaimi_sm2_ciphertext_form form;
    if (!ciphertext_form(count > 2 ? &arguments[2] : NULL, &form, failure)
        || !get_key(cache, &private_key, arguments + 1, 1, &key, &owned, failure))
        return false;
    const kuaimi_error error = kuaimi_sm2_decrypt(key, arguments[0].data, arguments[0].len, form, out, out_len);
    if (owned)
        free_private_key(key);
    return error == KUAIMI_OK || km_fail(failure, error);
}

static bool run_version(ARGUMENTS)
{
    (void)cache, (void)arguments, (void)count, (void)failure;
    *out_len = strlen(kuaimi_version());
    memcpy(out, kuaimi_version(), *out_len);
    return true;
}

const km_function km_sm3 = {"sm3", "m", 1, 0, size_digest, run_sm3};
const km_function km_hmac_sm3 = {"hmac_sm3", "mm", 2, KM_SECRET, size_digest, run_hmac_sm3};
const km_function km_sm4_encrypt = {"sm4_encrypt", "mbm", 2, KM_RANDOM | KM_SECRET, size_sealed, run_sm4_encrypt};
const km_function km_sm4_decrypt = {"sm4_decrypt", "bbm", 2, KM_SECRET, size_same, run_sm4_decrypt};
const km_function km_sm4_cbc_encrypt = {"sm4_cbc_encrypt", "mbb", 3, KM_SECRET, size_padded, run_sm4_cbc_encrypt};
const km_function km_sm4_cbc_decrypt = {"sm4_cbc_decrypt", "bbb", 3, KM_SECRET, size_same, run_sm4_cbc_decrypt};
const km_function km_sm2_sign = {"sm2_sign", "mkt", 2, KM_RANDOM | KM_SECRET | KM_HAS_KEYS, size_signature, run_sm2_sign};
const km_function km_sm2_verify = {"sm2_verify", "mbkt", 3, KM_BOOLEAN | KM_HAS_KEYS, size_boolean, run_sm2_verify};
const km_function km_sm2_encrypt = {"sm2_encrypt", "mkt", 2, KM_RANDOM | KM_HAS_KEYS, size_sm2_ciphertext, run_sm2_encrypt};
const km_function km_sm2_decrypt = {"sm2_decrypt", "bkt", 2, KM_SECRET | KM_HAS_KEYS, size_same, run_sm2_decrypt};
const km_function km_kuaimi_version = {"kuaimi_version", "", 0, KM_TEXT | KM_STABLE, size_version, run_version};

const km_function *const km_functions[] = {
    &km_sm3,      &km_hmac_sm3,   &km_sm4_encrypt, &km_sm4_decrypt, &km_sm4_cbc_encrypt, &km_sm4_cbc_decrypt,
    &km_sm2_sign, &km_sm2_verify, &km_sm2_encrypt, &km_sm2_decrypt, &km_kuaimi_version,
};
const size_t km_function_count = sizeof km_functions / sizeof km_functions[0];
