/* SM2 keys of each provider in files: written by the library's encoders, read by the decoders of both. */
#include "sm2.h"
#include <openssl/bio.h>
#include <openssl/decoder.h>
#include <openssl/encoder.h>
#include <openssl/pem.h>
#include <openssl/x509.h>

static OSSL_LIB_CTX *library;

static const struct {
    const char *structure;
    int selection;
    /* A cipher for PKCS#8. */
    const char *cipher;
} kinds[] = {
    {"PrivateKeyInfo", EVP_PKEY_KEYPAIR, NULL},
    {"EncryptedPrivateKeyInfo", EVP_PKEY_KEYPAIR, "AES-256-CBC"},
    {"EncryptedPrivateKeyInfo", EVP_PKEY_KEYPAIR, "SM4-CBC"},
    {"type-specific", EVP_PKEY_KEYPAIR, NULL},
    {"SubjectPublicKeyInfo", EVP_PKEY_PUBLIC_KEY, NULL},
    {"type-specific", EVP_PKEY_KEY_PARAMETERS, NULL},
};
#define KINDS (sizeof kinds / sizeof *kinds)

static const unsigned char password[] = "password";

/* The properties of what reads: the decoders of the library turn PEM and encrypted keys into others in any case. */
static const char *const preferred[2] = {"?" OURS, "?" THEIRS};

static size_t encode(const EVP_PKEY *key, size_t kind, const char *form, unsigned char **data)
{
    size_t length = 0;
    OSSL_ENCODER_CTX *context =
        OSSL_ENCODER_CTX_new_for_pkey(key, kinds[kind].selection, form, kinds[kind].structure, NULL);
    CHECK(context != NULL && OSSL_ENCODER_CTX_get_num_encoders(context) > 0);
    if (kinds[kind].cipher != NULL) {
        CHECK(OSSL_ENCODER_CTX_set_cipher(context, kinds[kind].cipher, NULL));
        CHECK(OSSL_ENCODER_CTX_set_passphrase(context, password, sizeof password - 1));
    }
    *data = NULL;
    CHECK(OSSL_ENCODER_to_data(context, data, &length));
    OSSL_ENCODER_CTX_free(context);
    return length;
}

/* Null where it cannot be read. */
static EVP_PKEY *decode(const unsigned char *data, size_t length, const char *form, const char *structure, const char *type,
                        int selection, const char *secret, int side)
{
    EVP_PKEY *key = NULL;
    OSSL_DECODER_CTX *context =
        OSSL_DECODER_CTX_new_for_pkey(&key, form, structure, type, selection, library, preferred[side]);
    CHECK(context != NULL);
    if (secret != NULL)
        CHECK(OSSL_DECODER_CTX_set_passphrase(context, (const unsigned char *)secret, strlen(secret)));
    if (!OSSL_DECODER_from_data(context, &data, &length)) {
        EVP_PKEY_free(key);
        key = NULL;
    }
    OSSL_DECODER_CTX_free(context);
    ERR_clear_error();
    return key;
}

static int equal(const EVP_PKEY *one, const EVP_PKEY *two, int selection)
{
    return (selection == EVP_PKEY_KEY_PARAMETERS ? EVP_PKEY_parameters_eq(one, two) : EVP_PKEY_eq(one, two)) == 1;
}

/* Whichever provider has read the key, both can use it. */
static void usable(EVP_PKEY *key, int selection)
{
    for (int side = 0; side < 2 && selection != EVP_PKEY_KEY_PARAMETERS; side++) {
        EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_pkey(library, key, providers[side]);
        CHECK(selection == EVP_PKEY_PUBLIC_KEY ? EVP_PKEY_encrypt_init(context) == 1 : EVP_PKEY_sign_init(context) == 1);
        EVP_PKEY_CTX_free(context);
    }
}

/* Everything that one writes, the other reads; and nothing is read that was cut off. */
static void exchange(EVP_PKEY *keys[2])
{
    static const char *const forms[] = {"DER", "PEM"};
    for (size_t kind = 0; kind < KINDS; kind++) {
        for (size_t form = 0; form < 2; form++) {
            unsigned char *data[2];
            size_t lengths[2];
            for (int side = 0; side < 2; side++)
                lengths[side] = encode(keys[side], kind, forms[form], &data[side]);
            if (kinds[kind].cipher == NULL) {
                CHECK(lengths[0] == lengths[1] && memcmp(data[0], data[1], lengths[0]) == 0);
            }
            for (int written = 0; written < 2; written++) {
                for (int side = 0; side < 2; side++) {
                    int selection = kinds[kind].selection;
                    const char *secret = kinds[kind].cipher ? (const char *)password : NULL;
                    /* OpenSSL's chain from PEM or from an encrypted key has no place for the name of the type. */
                    if (form == 0 && secret == NULL) {
                        EVP_PKEY *named = decode(data[written], lengths[written], forms[form], kinds[kind].structure, "SM2",
                                                 selection, secret, side);
                        CHECK(named != NULL && equal(named, keys[written], selection));
                        /* OpenSSL 3.0 does not choose decoders by preference. */
                        CHECK(is_of(named, side) || (is_openssl_3() && is_of(named, 0)));
                        EVP_PKEY_free(named);
                    }
                    EVP_PKEY *guessed = decode(data[written], lengths[written], NULL, NULL, NULL, selection, secret, side);
                    CHECK(guessed != NULL && EVP_PKEY_is_a(guessed, "SM2") && equal(guessed, keys[written], selection));
                    usable(guessed, selection);
                    EVP_PKEY_free(guessed);
                    if (secret != NULL) {
                        CHECK(decode(data[written], lengths[written], NULL, NULL, NULL, selection, "wrong", side)
                              == NULL);
                    }
                    if (form == 0) {
                        for (size_t cut = 1; cut < lengths[written]; cut += 1 + cut / 16)
                            CHECK(decode(data[written], lengths[written] - cut, "DER", NULL, NULL, selection, secret, side)
                                  == NULL);
                    }
                }
            }
            OPENSSL_free(data[0]);
            OPENSSL_free(data[1]);
        }
    }
}

/* The functions that programs of before OpenSSL 3 call. */
static void older_functions(EVP_PKEY *keys[2])
{
    for (int side = 0; side < 2; side++) {
        unsigned char *der = NULL;
        const unsigned char *place;
        int length = i2d_PUBKEY(keys[side], &der);
        CHECK(length > 0);
        place = der;
        EVP_PKEY *public = d2i_PUBKEY_ex(NULL, &place, length, library, NULL);
        CHECK(public != NULL && is_of(public, 0) && place == der + length && EVP_PKEY_eq(public, keys[side]) == 1);
        EVP_PKEY_free(public);
        OPENSSL_free(der);

        der = NULL;
        CHECK((length = i2d_PrivateKey(keys[side], &der)) > 0);
        place = der;
        EVP_PKEY *private = d2i_PrivateKey_ex(EVP_PKEY_SM2, NULL, &place, length, library, NULL);
        CHECK(private != NULL && is_of(private, 0) && EVP_PKEY_eq(private, keys[side]) == 1);
        EVP_PKEY_free(private);
        place = der;
        CHECK((private = d2i_AutoPrivateKey_ex(NULL, &place, length, library, NULL)) != NULL);
        CHECK(EVP_PKEY_eq(private, keys[side]) == 1);
        EVP_PKEY_free(private);
        OPENSSL_free(der);

        PKCS8_PRIV_KEY_INFO *info = EVP_PKEY2PKCS8(keys[side]);
        CHECK(info != NULL);
        CHECK((private = EVP_PKCS82PKEY_ex(info, library, NULL)) != NULL && is_of(private, 0));
        CHECK(EVP_PKEY_eq(private, keys[side]) == 1);
        EVP_PKEY_free(private);
        PKCS8_PRIV_KEY_INFO_free(info);

        /* OpenSSL finds no old form for a key that was made of its parts. */
        for (int traditional = 0; traditional <= (EVP_PKEY_get_id(keys[side]) == EVP_PKEY_SM2); traditional++) {
            BIO *file = BIO_new(BIO_s_mem());
            CHECK(traditional ? PEM_write_bio_PrivateKey_traditional(file, keys[side], NULL, NULL, 0, NULL, NULL)
                              : PEM_write_bio_PrivateKey(file, keys[side], NULL, NULL, 0, NULL, NULL));
            CHECK((private = PEM_read_bio_PrivateKey_ex(file, NULL, NULL, NULL, library, NULL)) != NULL);
            CHECK(EVP_PKEY_eq(private, keys[side]) == 1);
            usable(private, EVP_PKEY_KEYPAIR);
            EVP_PKEY_free(private);
            BIO_free(file);
        }

        char *texts[2];
        long lengths[2];
        BIO *files[2];
        for (int i = 0; i < 2; i++) {
            files[i] = BIO_new(BIO_s_mem());
            CHECK(EVP_PKEY_print_private(files[i], keys[i], 0, NULL) == 1);
            lengths[i] = BIO_get_mem_data(files[i], &texts[i]);
        }
        CHECK(lengths[0] == lengths[1] && memcmp(texts[0], texts[1], (size_t)lengths[0]) == 0);
        BIO_free(files[0]);
        BIO_free(files[1]);
    }
}

/* A key on another curve is none of ours, under every name. */
static void other_curves(void)
{
    EVP_PKEY *key = EVP_PKEY_Q_keygen(library, NULL, "EC", "P-256");
    CHECK(key != NULL);
    for (size_t kind = 0; kind < KINDS; kind++) {
        unsigned char *data;
        size_t length = encode(key, kind, "DER", &data);
        const char *secret = kinds[kind].cipher ? (const char *)password : NULL;
        EVP_PKEY *read = decode(data, length, "DER", NULL, NULL, kinds[kind].selection, secret, 0);
        CHECK(read != NULL && EVP_PKEY_is_a(read, "EC") && is_of(read, 1) && equal(read, key, kinds[kind].selection));
        EVP_PKEY_free(read);
        OPENSSL_free(data);
    }
    EVP_PKEY_free(key);
}

/* A public key with a bad point is refused, whichever provider reads it. */
static void bad_points(EVP_PKEY *key)
{
    unsigned char *data;
    size_t length = encode(key, 4, "DER", &data);
    for (size_t bit = 0; bit < 8 * 65; bit++) {
        data[length - 65 + bit / 8] ^= (unsigned char)(1 << bit % 8);
        for (int side = 0; side < 2; side++) {
            EVP_PKEY *read = decode(data, length, "DER", "SubjectPublicKeyInfo", NULL, EVP_PKEY_PUBLIC_KEY, NULL, side);
            /* 06 and 07 are hybrid forms of the same point. */
            CHECK(read == NULL || (bit < 8 && (data[length - 65] & ~1) == 6 && EVP_PKEY_eq(read, key) == 1));
            EVP_PKEY_free(read);
        }
        data[length - 65 + bit / 8] ^= (unsigned char)(1 << bit % 8);
    }
    OPENSSL_free(data);
}

int main(void)
{
    static const char *const forms[] = {"uncompressed", "compressed", "hybrid"};
    library = with_both();
    for (size_t form = 0; form < 3; form++) {
        EVP_PKEY *keys[2];
        keys[0] = generate(library, 0);
        keys[1] = moved(library, keys[0], EVP_PKEY_KEYPAIR, 1);
        for (int side = 0; side < 2; side++)
            CHECK(EVP_PKEY_set_utf8_string_param(keys[side], "point-format", forms[form]) == 1);
        exchange(keys);
        older_functions(keys);
        if (form == 0)
            bad_points(keys[0]);
        EVP_PKEY_free(keys[0]);
        EVP_PKEY_free(keys[1]);
    }
    other_curves();
    free_both(library);
    return 0;
}
