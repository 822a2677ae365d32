/* Eight threads with shared keys and algorithms, then library contexts that come and go with their providers. The first argument is the
 * number of operations, the second that of library contexts. */
#include "sm2.h"
#include <pthread.h>

#define THREADS 8
#define KEYS 4

static OSSL_LIB_CTX *library;
static EVP_PKEY *keys[KEYS];
static EVP_MD *sm3;
static EVP_CIPHER *gcm, *cbc;
static long operations;

/* Contexts that all threads copy. */
static EVP_MD_CTX *begun;
static EVP_CIPHER_CTX *encrypting;

static void sign_and_verify(EVP_PKEY *key, const unsigned char *message, size_t length)
{
    unsigned char signature[72];
    size_t size = sizeof signature;
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    CHECK(EVP_DigestSignInit_ex(context, NULL, "SM3", library, OURS, key, NULL) == 1);
    CHECK(EVP_DigestSign(context, signature, &size, message, length) == 1);
    EVP_MD_CTX_free(context);
    context = EVP_MD_CTX_new();
    CHECK(EVP_DigestVerifyInit_ex(context, NULL, "SM3", library, OURS, key, NULL) == 1);
    CHECK(EVP_DigestVerify(context, signature, size, message, length) == 1);
    EVP_MD_CTX_free(context);
}

static void encrypt_and_decrypt(EVP_PKEY *key, const unsigned char *message, size_t length)
{
    unsigned char ciphertext[256], decrypted[256];
    size_t written = sizeof ciphertext, read = sizeof decrypted;
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_pkey(library, key, OURS);
    CHECK(EVP_PKEY_encrypt_init(context) == 1);
    CHECK(EVP_PKEY_encrypt(context, ciphertext, &written, message, length) == 1);
    CHECK(EVP_PKEY_decrypt_init(context) == 1);
    CHECK(EVP_PKEY_decrypt(context, decrypted, &read, ciphertext, written) == 1);
    CHECK(read == length && memcmp(decrypted, message, length) == 0);
    EVP_PKEY_CTX_free(context);
}

static void protect(EVP_CIPHER *cipher, const unsigned char *message, size_t length)
{
    unsigned char out[256], back[256];
    int first, second, third, last;
    EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
    CHECK(EVP_EncryptInit_ex2(context, cipher, message, message, NULL));
    CHECK(EVP_EncryptUpdate(context, out, &first, message, (int)length));
    CHECK(EVP_EncryptFinal_ex(context, out + first, &second));
    EVP_CIPHER_CTX *reader = EVP_CIPHER_CTX_new();
    CHECK(EVP_DecryptInit_ex2(reader, cipher, message, message, NULL));
    if (cipher == gcm) {
        unsigned char tag[16];
        CHECK(EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, 16, tag));
        CHECK(EVP_CIPHER_CTX_ctrl(reader, EVP_CTRL_AEAD_SET_TAG, 16, tag));
    }
    CHECK(EVP_DecryptUpdate(reader, back, &third, out, first + second));
    CHECK(EVP_DecryptFinal_ex(reader, back + third, &last));
    CHECK((size_t)(third + last) == length && memcmp(back, message, length) == 0);
    EVP_CIPHER_CTX_free(context);
    EVP_CIPHER_CTX_free(reader);
}

/* Another holder of the key, a copy of it, or the same contents in another one. */
static void copy(EVP_PKEY *key)
{
    EVP_PKEY *other = EVP_PKEY_dup(key), *exported = moved(library, key, EVP_PKEY_KEYPAIR, 1);
    CHECK(EVP_PKEY_eq(key, other) == 1 && EVP_PKEY_eq(exported, key) == 1);
    EVP_PKEY_free(other);
    EVP_PKEY_free(exported);
}

/* Goes on with copies of the same contexts: a digest of "abc" that has "ab", and an encryption that has its key. */
static void go_on(void)
{
    static const unsigned char start[4] = {0x66, 0xc7, 0xf0, 0xf4};
    unsigned char digest[32], out[16];
    int length;
    EVP_MD_CTX *copied = EVP_MD_CTX_new();
    EVP_CIPHER_CTX *cipher = EVP_CIPHER_CTX_new();
    CHECK(EVP_MD_CTX_copy_ex(copied, begun) && EVP_DigestUpdate(copied, "c", 1));
    CHECK(EVP_DigestFinal_ex(copied, digest, NULL) && memcmp(digest, start, 4) == 0);
    CHECK(EVP_CIPHER_CTX_get_iv_length(encrypting) == 12);
    CHECK(EVP_CIPHER_CTX_copy(cipher, encrypting) && EVP_EncryptUpdate(cipher, out, &length, digest, 16) && length == 16);
    EVP_MD_CTX_free(copied);
    EVP_CIPHER_CTX_free(cipher);
}

static void *work(void *number)
{
    unsigned char message[200], digest[32];
    unsigned int size;
    for (size_t i = 0; i < sizeof message; i++)
        message[i] = (unsigned char)(i + *(int *)number);
    for (long i = 0; i < operations / THREADS; i++) {
        EVP_PKEY *key = keys[(size_t)i % KEYS];
        size_t length = 33 + (size_t)i % 100;
        switch (i % 8) {
        case 0:
        case 1:
            sign_and_verify(key, message, length);
            break;
        case 2:
            encrypt_and_decrypt(key, message, length);
            break;
        case 3:
            protect(gcm, message, length);
            break;
        case 4:
            protect(cbc, message, length);
            break;
        case 5:
            CHECK(EVP_Digest(message, length, digest, &size, sm3, NULL) && size == 32);
            break;
        case 6:
            go_on();
            break;
        default:
            copy(key);
        }
    }
    OPENSSL_thread_stop();
    return NULL;
}

static void share(void)
{
    pthread_t threads[THREADS];
    int numbers[THREADS];
    library = with_both();
    sm3 = EVP_MD_fetch(library, "SM3", OURS);
    gcm = EVP_CIPHER_fetch(library, "SM4-GCM", OURS);
    cbc = EVP_CIPHER_fetch(library, "SM4-CBC", OURS);
    CHECK(sm3 != NULL && gcm != NULL && cbc != NULL);
    begun = EVP_MD_CTX_new();
    encrypting = EVP_CIPHER_CTX_new();
    CHECK(EVP_DigestInit_ex2(begun, sm3, NULL) && EVP_DigestUpdate(begun, "ab", 2));
    CHECK(EVP_EncryptInit_ex2(encrypting, gcm, (const unsigned char *)"0123456789abcdef", (const unsigned char *)"0123456789ab", NULL));
    for (int i = 0; i < KEYS; i++)
        keys[i] = generate(library, i & 1);
    for (int i = 0; i < THREADS; i++) {
        numbers[i] = i;
        CHECK(pthread_create(&threads[i], NULL, work, &numbers[i]) == 0);
    }
    for (int i = 0; i < THREADS; i++)
        CHECK(pthread_join(threads[i], NULL) == 0);
    for (int i = 0; i < KEYS; i++)
        EVP_PKEY_free(keys[i]);
    EVP_MD_CTX_free(begun);
    EVP_CIPHER_CTX_free(encrypting);
    EVP_MD_free(sm3);
    EVP_CIPHER_free(gcm);
    EVP_CIPHER_free(cbc);
    free_both(library);
}

/* The provider is loaded and unloaded, and what was made of it may outlive that. */
static void come_and_go(int times)
{
    for (int i = 0; i < times; i++) {
        unsigned char digest[32];
        library = OSSL_LIB_CTX_new();
        CHECK(OSSL_PROVIDER_set_default_search_path(library, getenv("KUAIMI_MODULES")));
        OSSL_PROVIDER *own = OSSL_PROVIDER_load(library, "default"), *kuaimi = OSSL_PROVIDER_load(library, "kuaimi");
        CHECK(own != NULL && kuaimi != NULL && OSSL_PROVIDER_self_test(kuaimi) == 1);
        EVP_PKEY *key = generate(library, 0);
        sign_and_verify(key, (const unsigned char *)"message", 7);
        EVP_MD *algorithm = EVP_MD_fetch(library, "SM3", OURS);
        EVP_MD_CTX *context = EVP_MD_CTX_new();
        CHECK(algorithm != NULL && EVP_DigestInit_ex2(context, algorithm, NULL));
        CHECK(OSSL_PROVIDER_unload(kuaimi) == 1);
        CHECK(EVP_DigestUpdate(context, "abc", 3) && EVP_DigestFinal_ex(context, digest, NULL) && digest[0] == 0x66);
        EVP_MD_CTX_free(context);
        EVP_MD_free(algorithm);
        EVP_PKEY_free(key);
        if (i & 1) {
            /* Again in the same context. */
            CHECK((kuaimi = OSSL_PROVIDER_load(library, "kuaimi")) != NULL);
            EVP_PKEY_free(generate(library, 0));
            CHECK(OSSL_PROVIDER_unload(kuaimi) == 1);
        }
        CHECK(OSSL_PROVIDER_unload(own) == 1);
        OSSL_LIB_CTX_free(library);
    }
}

int main(int count, char **arguments)
{
    operations = count > 1 ? atol(arguments[1]) : 100000;
    share();
    come_and_go(count > 2 ? atoi(arguments[2]) : 50);
    return 0;
}
