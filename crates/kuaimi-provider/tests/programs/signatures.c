/* SM2 signatures: made by each provider and verified by both, in every way that EVP has. */
#include "sm2.h"
#include <openssl/bn.h>
#include <openssl/ec.h>
#include <openssl/params.h>

static OSSL_LIB_CTX *library;

/* Room for the largest signature. */
#define ROOM 72

struct signature {
    unsigned char bytes[ROOM];
    size_t length;
};

/* The identity of signers: none is set with NULL. */
struct id {
    const void *bytes;
    size_t length;
};

static const struct id unset = {NULL, 0};

/* A context for digest-sign or digest-verify with a key of each provider's, under an identity. */
static EVP_MD_CTX *begin(int side, EVP_PKEY *key, struct id id, int verify)
{
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    EVP_PKEY_CTX *key_context = NULL;
    int (*init)(EVP_MD_CTX *, EVP_PKEY_CTX **, const char *, OSSL_LIB_CTX *, const char *, EVP_PKEY *, const OSSL_PARAM *) =
        verify ? EVP_DigestVerifyInit_ex : EVP_DigestSignInit_ex;
    CHECK(init(context, &key_context, "SM3", library, providers[side], key, NULL) == 1);
    if (id.bytes != NULL)
        CHECK(EVP_PKEY_CTX_set1_id(key_context, id.bytes, (int)id.length) == 1);
    return context;
}

static struct signature sign(int side, EVP_PKEY *key, struct id id, const unsigned char *message, size_t length)
{
    struct signature signature = {{0}, ROOM};
    EVP_MD_CTX *context = begin(side, key, id, 0);
    CHECK(EVP_DigestSign(context, signature.bytes, &signature.length, message, length) == 1);
    EVP_MD_CTX_free(context);
    return signature;
}

static int verify(int side, EVP_PKEY *key, struct id id, const struct signature *signature, const void *message, size_t length)
{
    EVP_MD_CTX *context = begin(side, key, id, 1);
    int result = EVP_DigestVerify(context, signature->bytes, signature->length, message, length);
    EVP_MD_CTX_free(context);
    ERR_clear_error();
    return result == 1;
}

/* Both verify what both sign, under the same identity and no other one. */
static void identities(EVP_PKEY *keys[2])
{
    static unsigned char longest[8192];
    /* The library's own takes one byte less than fits. The empty identity cannot be set with OpenSSL 4.0, and with Tongsuo's own it
       is the default one. */
    const struct id ids[] = {
        unset, {"1234567812345678", 16}, {"ALICE123@YAHOO.COM", 18}, {"\0\x01\0", 3}, {longest, 8190}, {"", 0},
    };
    const size_t count = sizeof ids / sizeof *ids - (is_openssl_3() ? 0 : 1);
    const unsigned char message[] = "message digest";
    for (size_t i = 0; i < count; i++) {
        for (int signer = 0; signer < 2; signer++) {
            struct signature signature = sign(signer, keys[signer], ids[i], message, sizeof message);
            for (size_t j = 0; j < count; j++) {
                /* Without an identity it is the library's own default one. */
                size_t alike = is_openssl_3() ? 5 : 1;
                int same = i == j || (i == 0 && j == alike) || (j == 0 && i == alike);
                for (int verifier = 0; verifier < 2; verifier++)
                    CHECK(verify(verifier, keys[verifier], ids[j], &signature, message, sizeof message) == same);
            }
        }
    }
    for (int side = 0; side < 2; side++) {
        /* Too long: 65536 bits do not fit the field for them. */
        EVP_MD_CTX *context = begin(side, keys[side], unset, 0);
        struct signature signature = {{0}, ROOM};
        if (EVP_PKEY_CTX_set1_id(EVP_MD_CTX_get_pkey_ctx(context), longest, 8192) == 1)
            CHECK_FAILS(EVP_DigestSign(context, signature.bytes, &signature.length, message, sizeof message));
        ERR_clear_error();
        EVP_MD_CTX_free(context);
        /* Too late. */
        context = begin(side, keys[side], unset, 0);
        CHECK(EVP_DigestSignUpdate(context, message, 1) == 1);
        CHECK_FAILS(EVP_PKEY_CTX_set1_id(EVP_MD_CTX_get_pkey_ctx(context), "late", 4));
        EVP_MD_CTX_free(context);
    }
}

/* As a parameter at the beginning. */
static void identity_as_parameter(EVP_PKEY *keys[2])
{
    const unsigned char message[] = "message";
    /* OpenSSL 3.0's own takes it only later. */
    for (int side = 0; side < (is_openssl_3() ? 1 : 2); side++) {
        OSSL_PARAM params[] = {OSSL_PARAM_construct_octet_string("distid", (char *)"ALICE", 5), OSSL_PARAM_END};
        struct signature signature = {{0}, ROOM};
        EVP_MD_CTX *context = EVP_MD_CTX_new();
        CHECK(EVP_DigestSignInit_ex(context, NULL, NULL, library, providers[side], keys[side], params) == 1);
        CHECK(EVP_DigestSign(context, signature.bytes, &signature.length, message, sizeof message) == 1);
        CHECK(verify(!side, keys[!side], (struct id){"ALICE", 5}, &signature, message, sizeof message));
        EVP_MD_CTX_free(context);
    }
}

/* A message in pieces, with copies of the context on the way. */
static void pieces(EVP_PKEY *keys[2])
{
    unsigned char message[1000];
    for (int round = 0; round < 100; round++) {
        size_t length = random_below(sizeof message);
        int signer = round & 1, verifier = round >> 1 & 1;
        struct signature signature = {{0}, ROOM};
        struct id id = {"identity", 8};
        random_bytes(message, length);
        for (int verifying = 0; verifying < 2; verifying++) {
            int side = verifying ? verifier : signer;
            EVP_MD_CTX *context = begin(side, keys[side], id, verifying);
            for (size_t done = 0, now; done < length; done += now) {
                now = 1 + random_below(length - done);
                CHECK((verifying ? EVP_DigestVerifyUpdate : EVP_DigestSignUpdate)(context, message + done, now) == 1);
                if (random_below(3) == 0) {
                    EVP_MD_CTX *copy = EVP_MD_CTX_new();
                    CHECK(EVP_MD_CTX_copy_ex(copy, context));
                    EVP_DigestUpdate(context, "something else", 14);
                    EVP_MD_CTX_free(context);
                    context = copy;
                }
            }
            if (verifying) {
                CHECK(EVP_DigestVerifyFinal(context, signature.bytes, signature.length) == 1);
            } else {
                size_t room = 0;
                CHECK(EVP_DigestSignFinal(context, NULL, &room) == 1 && room >= 70 && room <= ROOM);
                CHECK(EVP_DigestSignFinal(context, signature.bytes, &signature.length) == 1);
            }
            EVP_MD_CTX_free(context);
        }
        CHECK(verify(0, keys[0], id, &signature, message, length));
        CHECK(verify(1, keys[1], id, &signature, message, length));
    }
}

/* A digest that the program computed. */
static void digests(EVP_PKEY *keys[2])
{
    unsigned char digest[64] = {1, 2, 3};
    for (int signer = 0; signer < 2; signer++) {
        struct signature signature = {{0}, ROOM};
        EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_pkey(library, keys[signer], providers[signer]);
        size_t room = 0;
        CHECK(EVP_PKEY_sign_init(context) == 1);
        CHECK(EVP_PKEY_sign(context, NULL, &room, digest, 32) == 1 && room == ROOM);
        CHECK(EVP_PKEY_sign(context, signature.bytes, &signature.length, digest, 32) == 1);
        EVP_PKEY_CTX *copy = EVP_PKEY_CTX_dup(context);
        signature.length = ROOM;
        CHECK(copy != NULL && EVP_PKEY_sign(copy, signature.bytes, &signature.length, digest, 32) == 1);
        EVP_PKEY_CTX_free(copy);
        if (signer == 0) {
            /* The library's own signs anything of 32 bytes or none, and writes what fits. */
            room = ROOM;
            CHECK_FAILS(EVP_PKEY_sign(context, signature.bytes, &room, digest, 31));
            CHECK_FAILS(EVP_PKEY_sign(context, signature.bytes, &room, digest, 33));
            room = ROOM - 1;
            CHECK_FAILS(EVP_PKEY_sign(context, signature.bytes, &room, digest, 32));
        }
        EVP_PKEY_CTX_free(context);
        for (int verifier = 0; verifier < 2; verifier++) {
            context = EVP_PKEY_CTX_new_from_pkey(library, keys[verifier], providers[verifier]);
            CHECK(EVP_PKEY_verify_init(context) == 1);
            CHECK(EVP_PKEY_verify(context, signature.bytes, signature.length, digest, 32) == 1);
            digest[5] ^= 4;
            CHECK(EVP_PKEY_verify(context, signature.bytes, signature.length, digest, 32) != 1);
            digest[5] ^= 4;
            EVP_PKEY_CTX_free(context);
        }
        ERR_clear_error();
    }
}

/* A place that is too small takes nothing of the message: the call is made again with a larger one. */
static void short_buffers(EVP_PKEY *key)
{
    const unsigned char message[] = "message";
    EVP_MD_CTX *context = begin(0, key, unset, 0);
    struct signature signature = {{0}, 0};
    CHECK(EVP_DigestSignUpdate(context, message, 3) == 1);
    for (size_t room = 0; room < ROOM; room += 23) {
        signature.length = room;
        CHECK_FAILS(EVP_DigestSign(context, signature.bytes, &signature.length, message + 3, sizeof message - 3));
    }
    CHECK(EVP_DigestSign(context, NULL, &signature.length, message + 3, sizeof message - 3) == 1 && signature.length == ROOM);
    CHECK(EVP_DigestSign(context, signature.bytes, &signature.length, message + 3, sizeof message - 3) == 1);
    EVP_MD_CTX_free(context);
    CHECK(verify(0, key, unset, &signature, message, sizeof message));
    CHECK(verify(1, key, unset, &signature, message, sizeof message));
}

/* Each bit of a signature counts, and so does its form. */
static void alterations(EVP_PKEY *keys[2])
{
    const unsigned char message[] = "message";
    struct signature right = sign(0, keys[0], unset, message, sizeof message);
    for (size_t bit = 0; bit < 8 * right.length; bit++) {
        struct signature altered = right;
        altered.bytes[bit / 8] ^= (unsigned char)(1 << bit % 8);
        for (int side = 0; side < 2; side++)
            CHECK(!verify(side, keys[side], unset, &altered, message, sizeof message));
    }
    for (size_t length = 0; length < right.length; length++) {
        struct signature cut = right;
        cut.length = length;
        for (int side = 0; side < 2; side++)
            CHECK(!verify(side, keys[side], unset, &cut, message, sizeof message));
    }
    /* DER that is none: a longer form of a length, a needless zero, a byte more; negative and too large numbers; zero. */
    static const unsigned char wrong[][9] = {
        {8, 0x30, 6, 2, 1, 0, 2, 1, 0}, {8, 0x30, 6, 2, 1, 1, 2, 1, 0}, {8, 0x30, 6, 2, 1, 0x80, 2, 1, 0x80},
        {2, 0x30, 0}, {5, 0x30, 3, 2, 1, 1}, {8, 0x31, 6, 2, 1, 1, 2, 1, 1},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct signature signature = {{0}, wrong[i][0]};
        memcpy(signature.bytes, wrong[i] + 1, signature.length);
        for (int side = 0; side < 2; side++)
            CHECK(!verify(side, keys[side], unset, &signature, message, sizeof message));
    }
    if (right.length < ROOM) {
        struct signature longer = right;
        longer.bytes[longer.length++] = 0;
        for (int side = 0; side < 2; side++)
            CHECK(!verify(side, keys[side], unset, &longer, message, sizeof message));
    }
}

/* What the contexts say and take. */
static void parameters(EVP_PKEY *keys[2])
{
    unsigned char ids[2][64];
    size_t lengths[2];
    for (int side = 0; side < 2; side++) {
        EVP_MD_CTX *context = begin(side, keys[side], unset, 0);
        EVP_PKEY_CTX *key_context = EVP_MD_CTX_get_pkey_ctx(context);
        char digest[20];
        size_t size = 0;
        OSSL_PARAM params[] = {
            OSSL_PARAM_construct_octet_string("algorithm-id", ids[side], sizeof ids[side]),
            OSSL_PARAM_construct_utf8_string("digest", digest, sizeof digest),
            OSSL_PARAM_construct_size_t("digest-size", &size),
            OSSL_PARAM_END,
        };
        const EVP_MD *md = NULL;
        CHECK(EVP_PKEY_CTX_get_params(key_context, params) == 1);
        lengths[side] = params[0].return_size;
        CHECK(strcmp(digest, "SM3") == 0 && size == 32);
        CHECK(EVP_PKEY_CTX_get_signature_md(key_context, &md) == 1 && EVP_MD_is_a(md, "SM3"));
        CHECK(EVP_PKEY_CTX_set_signature_md(key_context, md) == 1);
        EVP_MD_CTX_free(context);
    }
    CHECK(lengths[0] == lengths[1] && memcmp(ids[0], ids[1], lengths[0]) == 0);
    for (int side = 0; side < 2; side++) {
        static const char *const names[] = {"SM3", "sm3", "SHA256", "SHA512", "no digest"};
        for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
            EVP_MD_CTX *context = EVP_MD_CTX_new();
            int taken = EVP_DigestSignInit_ex(context, NULL, names[i], library, providers[side], keys[side], NULL) == 1;
            /* The library's own takes other digests, with which SM2 is not defined. */
            CHECK_RESULT(taken == (i < 2) || (side == 1 && i < 4));
            EVP_MD_CTX_free(context);
        }
    }
}

/* Without a private key there is no signature, and with one there is verification. */
static void halves(EVP_PKEY *keys[2])
{
    const unsigned char message[] = "message";
    for (int side = 0; side < 2; side++) {
        EVP_PKEY *public = moved(library, keys[side], EVP_PKEY_PUBLIC_KEY, side);
        struct signature signature = sign(side, keys[side], unset, message, sizeof message);
        CHECK(verify(side, public, unset, &signature, message, sizeof message));
        struct signature none = {{0}, ROOM};
        EVP_MD_CTX *context = EVP_MD_CTX_new();
        if (EVP_DigestSignInit_ex(context, NULL, "SM3", library, providers[side], public, NULL) == 1)
            CHECK_FAILS(EVP_DigestSign(context, none.bytes, &none.length, message, sizeof message));
        EVP_MD_CTX_free(context);
        ERR_clear_error();
        EVP_PKEY_free(public);
        /* Another key. */
        EVP_PKEY *other = generate(library, side);
        CHECK(!verify(side, other, unset, &signature, message, sizeof message));
        EVP_PKEY_free(other);
        /* The key of the other provider is exported and imported on the way. */
        CHECK(verify(!side, keys[side], unset, &signature, message, sizeof message));
        signature = sign(!side, keys[side], unset, message, sizeof message);
        CHECK(verify(side, keys[side], unset, &signature, message, sizeof message));
    }
}

int main(void)
{
    EVP_PKEY *keys[2];
    library = with_both();
    for (int first = 0; first < 2; first++) {
        keys[first] = generate(library, first);
        keys[!first] = moved(library, keys[first], EVP_PKEY_KEYPAIR, !first);
        identities(keys);
        identity_as_parameter(keys);
        pieces(keys);
        digests(keys);
        short_buffers(keys[0]);
        alterations(keys);
        parameters(keys);
        halves(keys);
        EVP_PKEY_free(keys[0]);
        EVP_PKEY_free(keys[1]);
    }
    free_both(library);
    return 0;
}
