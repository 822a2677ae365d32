/* SM3 beside the library's own, and what the library builds on a digest: HMAC, key derivations and random generators. */
#include "check.h"
#include <openssl/kdf.h>
#include <openssl/params.h>

static OSSL_LIB_CTX *library;

/* What fetches the digest of each provider, and everything else from the default one. */
static const char *const preferred[2] = {"?" OURS, THEIRS};

/* Random data in random pieces, copied on the way: into a new context, or over one with another message. */
static void messages(void)
{
    static unsigned char data[20000];
    unsigned char digests[2][EVP_MAX_MD_SIZE], whole[EVP_MAX_MD_SIZE];
    const char *properties[2] = {OURS, THEIRS};
    EVP_MD *algorithms[2];
    for (int side = 0; side < 2; side++)
        CHECK((algorithms[side] = EVP_MD_fetch(library, "SM3", properties[side])) != NULL);
    CHECK(EVP_MD_get_size(algorithms[0]) == EVP_MD_get_size(algorithms[1]));
    CHECK(EVP_MD_get_block_size(algorithms[0]) == EVP_MD_get_block_size(algorithms[1]));
    CHECK(EVP_MD_get_type(algorithms[0]) == EVP_MD_get_type(algorithms[1]));
    CHECK(EVP_MD_get_flags(algorithms[0]) == EVP_MD_get_flags(algorithms[1]));
    for (int round = 0; round < 2000; round++) {
        size_t length = random_below(random_below(10) ? 300 : sizeof data);
        uint64_t state;
        random_bytes(data, length);
        state = random_state;
        for (int side = 0; side < 2; side++) {
            EVP_MD_CTX *context = EVP_MD_CTX_new(), *copy = EVP_MD_CTX_new();
            unsigned int size = 0;
            random_state = state;
            CHECK(EVP_DigestInit_ex2(context, algorithms[side], NULL));
            CHECK(EVP_DigestInit_ex2(copy, algorithms[side], NULL) && EVP_DigestUpdate(copy, "other", 5));
            for (size_t done = 0, now; done < length; done += now) {
                now = 1 + random_below(length - done);
                CHECK(EVP_DigestUpdate(context, data + done, now));
                if (random_below(3) == 0) {
                    EVP_MD_CTX *swap = context;
                    CHECK(EVP_MD_CTX_copy_ex(copy, context));
                    /* The one that stays behind takes something else. */
                    CHECK(EVP_DigestUpdate(context, "else", 4));
                    context = copy;
                    copy = swap;
                }
            }
            CHECK(EVP_DigestFinal_ex(context, digests[side], &size) && size == 32);
            /* The context serves again. */
            CHECK(EVP_DigestInit_ex2(context, NULL, NULL) && EVP_DigestUpdate(context, data, length));
            CHECK(EVP_DigestFinal_ex(context, whole, &size) && memcmp(whole, digests[side], 32) == 0);
            CHECK(EVP_Digest(data, length, whole, &size, algorithms[side], NULL));
            CHECK(size == 32 && memcmp(whole, digests[side], 32) == 0);
            EVP_MD_CTX_free(context);
            EVP_MD_CTX_free(copy);
        }
        CHECK(memcmp(digests[0], digests[1], 32) == 0);
    }
    for (int side = 0; side < 2; side++)
        EVP_MD_free(algorithms[side]);
}

static void hmac(void)
{
    for (int round = 0; round < 300; round++) {
        unsigned char key[200], data[500], macs[2][EVP_MAX_MD_SIZE];
        size_t key_length = 1 + random_below(sizeof key), length = random_below(sizeof data), sizes[2];
        random_bytes(key, key_length);
        random_bytes(data, length);
        for (int side = 0; side < 2; side++) {
            OSSL_PARAM params[] = {
                OSSL_PARAM_construct_utf8_string("digest", (char *)"SM3", 0),
                OSSL_PARAM_construct_utf8_string("properties", (char *)preferred[side], 0),
                OSSL_PARAM_END,
            };
            EVP_MAC *algorithm = EVP_MAC_fetch(library, "HMAC", NULL);
            EVP_MAC_CTX *context = EVP_MAC_CTX_new(algorithm), *copy;
            CHECK(EVP_MAC_init(context, key, key_length, params));
            CHECK(EVP_MAC_update(context, data, length / 2));
            CHECK((copy = EVP_MAC_CTX_dup(context)) != NULL);
            CHECK(EVP_MAC_update(context, data, length));
            CHECK(EVP_MAC_update(copy, data + length / 2, length - length / 2));
            CHECK(EVP_MAC_final(copy, macs[side], &sizes[side], sizeof macs[side]));
            EVP_MAC_CTX_free(context);
            EVP_MAC_CTX_free(copy);
            EVP_MAC_free(algorithm);
        }
        CHECK(sizes[0] == 32 && sizes[1] == 32 && memcmp(macs[0], macs[1], 32) == 0);
    }
}

/* A key derivation over SM3 of each provider. */
static void derive(const char *name, const char *text_name, const char *text, const char *const *octet_names)
{
    for (int round = 0; round < 100; round++) {
        unsigned char octets[3][64], keys[2][200];
        size_t lengths[3], length = 1 + random_below(sizeof keys[0]);
        EVP_KDF *algorithm = EVP_KDF_fetch(library, name, NULL);
        CHECK(algorithm != NULL);
        for (int i = 0; i < 3; i++) {
            lengths[i] = 1 + random_below(sizeof octets[i]);
            random_bytes(octets[i], lengths[i]);
        }
        for (int side = 0; side < 2; side++) {
            OSSL_PARAM params[7];
            int count = 0;
            params[count++] = OSSL_PARAM_construct_utf8_string("digest", (char *)"SM3", 0);
            params[count++] = OSSL_PARAM_construct_utf8_string("properties", (char *)preferred[side], 0);
            if (text_name != NULL)
                params[count++] = OSSL_PARAM_construct_utf8_string(text_name, (char *)text, 0);
            for (int i = 0; i < 3 && octet_names[i] != NULL; i++)
                params[count++] = OSSL_PARAM_construct_octet_string(octet_names[i], octets[i], lengths[i]);
            params[count] = OSSL_PARAM_construct_end();
            EVP_KDF_CTX *context = EVP_KDF_CTX_new(algorithm);
            CHECK(EVP_KDF_derive(context, keys[side], length, params) == 1);
            EVP_KDF_CTX_free(context);
        }
        CHECK(memcmp(keys[0], keys[1], length) == 0);
        EVP_KDF_free(algorithm);
    }
}

/* A random generator over SM3 of each provider, which gets the same entropy. */
static void generate(const char *name, const char *mac)
{
    unsigned char entropy[64], nonce[32], personal[10], more[20], outputs[2][300];
    unsigned int strength = 256;
    random_bytes(entropy, sizeof entropy);
    random_bytes(nonce, sizeof nonce);
    random_bytes(personal, sizeof personal);
    random_bytes(more, sizeof more);
    for (int side = 0; side < 2; side++) {
        EVP_RAND *test = EVP_RAND_fetch(library, "TEST-RAND", NULL), *algorithm = EVP_RAND_fetch(library, name, NULL);
        EVP_RAND_CTX *parent = EVP_RAND_CTX_new(test, NULL), *context = EVP_RAND_CTX_new(algorithm, parent);
        OSSL_PARAM source[] = {
            OSSL_PARAM_construct_uint("strength", &strength),
            OSSL_PARAM_construct_octet_string("test_entropy", entropy, sizeof entropy),
            OSSL_PARAM_construct_octet_string("test_nonce", nonce, sizeof nonce),
            OSSL_PARAM_END,
        };
        OSSL_PARAM params[4] = {
            OSSL_PARAM_construct_utf8_string("digest", (char *)"SM3", 0),
            OSSL_PARAM_construct_utf8_string("properties", (char *)preferred[side], 0),
            OSSL_PARAM_END,
            OSSL_PARAM_END,
        };
        if (mac != NULL)
            params[2] = OSSL_PARAM_construct_utf8_string("mac", (char *)mac, 0);
        CHECK(parent != NULL && context != NULL);
        CHECK(EVP_RAND_CTX_set_params(parent, source));
        CHECK(EVP_RAND_instantiate(parent, strength, 0, NULL, 0, NULL));
        CHECK(EVP_RAND_instantiate(context, strength, 0, personal, sizeof personal, params));
        CHECK(EVP_RAND_generate(context, outputs[side], 100, strength, 0, more, sizeof more));
        CHECK(EVP_RAND_CTX_set_params(parent, source));
        CHECK(EVP_RAND_reseed(context, 0, entropy, sizeof entropy, more, sizeof more));
        CHECK(EVP_RAND_generate(context, outputs[side] + 100, 200, strength, 0, NULL, 0));
        EVP_RAND_CTX_free(context);
        EVP_RAND_CTX_free(parent);
        EVP_RAND_free(algorithm);
        EVP_RAND_free(test);
    }
    CHECK(memcmp(outputs[0], outputs[1], sizeof outputs[0]) == 0);
}

/* A digest in the place of its message. */
static void in_place(void)
{
    unsigned char buffers[2][32] = {"of this", "of this"};
    for (int side = 0; side < 2; side++) {
        EVP_MD *md = EVP_MD_fetch(library, "SM3", side == 0 ? OURS : THEIRS);
        for (int i = 0; i < 100; i++)
            CHECK(EVP_Digest(buffers[side], 32, buffers[side], NULL, md, NULL));
        EVP_MD_free(md);
    }
    CHECK(memcmp(buffers[0], buffers[1], 32) == 0);
}

int main(void)
{
    library = with_both();
    messages();
    in_place();
    hmac();
    derive("HKDF", NULL, NULL, (const char *const[]){"key", "salt", "info"});
    derive("KBKDF", "mac", "HMAC", (const char *const[]){"key", "salt", "info"});
    derive("X963KDF", NULL, NULL, (const char *const[]){"key", "info", NULL});
    derive("PBKDF2", NULL, NULL, (const char *const[]){"pass", "salt", NULL});
    derive("SSKDF", NULL, NULL, (const char *const[]){"key", "info", NULL});
    generate("HASH-DRBG", NULL);
    generate("HMAC-DRBG", "HMAC");
    free_both(library);
    return 0;
}
