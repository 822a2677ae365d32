/* SM4's modes without a tag, call for call beside the library's own: the same bytes, lengths, IVs, successes and failures. */
#include "pair.h"

static const char *const names[] = {"SM4-ECB", "SM4-CBC", "SM4-CTR", "SM4-CFB", "SM4-OFB", "SM4-XTS"};

static void reinitialise(struct pair *pair)
{
    unsigned char key[32], iv[16];
    int mode = EVP_CIPHER_get_mode(pair->algorithm[OUR_SIDE]);
    int streamed = mode == EVP_CIPH_CTR_MODE || mode == EVP_CIPH_CFB_MODE || mode == EVP_CIPH_OFB_MODE;
    int direction = (int)random_below(2);
    random_bytes(key, sizeof key);
    random_bytes(iv, sizeof iv);
    switch (random_below(4)) {
    case 0:
        pair_init(pair, key, iv, direction);
        break;
    case 1:
        pair_init(pair, NULL, iv, -1);
        break;
    case 2:
        /* With a new direction and no key, the library's own goes on with the round keys of the other direction, and gives
           neither plaintext nor ciphertext. Kuaimi's does what was asked for. */
        pair_init(pair, NULL, NULL, streamed ? direction : -1);
        break;
    default:
        pair_init(pair, key, NULL, direction);
    }
}

/* A message with random calls. Ends with the first failure, which both contexts must have. */
static void conversation(struct pair *pair)
{
    unsigned char key[32], iv[16];
    int mode = EVP_CIPHER_get_mode(pair->algorithm[OUR_SIDE]);
    int blocks = mode == EVP_CIPH_ECB_MODE || mode == EVP_CIPH_CBC_MODE;
    int encrypt = (int)random_below(2);
    size_t given = 0;
    random_bytes(key, sizeof key);
    random_bytes(iv, sizeof iv);
    pair_begin(pair);
    if (random_below(2)) {
        pair_init(pair, key, iv, encrypt);
    } else if (random_below(2)) {
        pair_init(pair, key, NULL, encrypt);
        pair_init(pair, NULL, iv, encrypt);
    } else {
        pair_init(pair, NULL, iv, encrypt);
        pair_init(pair, key, NULL, encrypt);
    }
    int going_on = 1;
    for (size_t calls = random_below(12); going_on && calls > 0; calls--) {
        int written;
        switch (random_below(8)) {
        case 0:
            pair_copy(pair);
            break;
        case 1:
            if (blocks)
                pair_compare(pair);
            break;
        case 2:
            if (random_below(3) == 0) {
                reinitialise(pair);
                given = 0;
            }
            break;
        case 3:
            if (given == 0) {
                LOG(pair, " padding off");
                for (int side = 0; side < SIDES; side++)
                    CHECK(EVP_CIPHER_CTX_set_padding(pair->context[side], 0));
            }
            break;
        default: {
            size_t length = random_length();
            /* Nothing is too short for the library's own XTS, and nothing to do for Kuaimi's. */
            if (mode == EVP_CIPH_XTS_MODE && length == 0)
                length = 1;
            /* OpenSSL's own writes over input that it did not read yet, where it holds a part of a block. */
            enum where where = !blocks || given == 0 ? (enum where)random_below(2) : OUT_OF_PLACE;
            if (where == IN_PLACE && blocks)
                length -= length % 16;
            given += length;
            going_on = pair_update(pair, length, where, &written);
        }
        }
    }
    if (going_on) {
        pair_compare(pair);
        going_on = pair_final(pair);
    }
    if (going_on && random_below(2)) {
        /* Another message in the same context. */
        int written;
        reinitialise(pair);
        if (pair_update(pair, 1 + random_below(100), OUT_OF_PLACE, &written))
            pair_final(pair);
    }
    pair_end(pair);
}

/* What goes wrong before there is a message. */
static void mistakes(struct pair *pair)
{
    unsigned char key[32] = {1}, iv[16] = {2}, out[64];
    int length, results[SIDES];
    for (int missing = 0; missing < 3; missing++) {
        pair_begin(pair);
        pair_init(pair, missing == 1 ? key : NULL, missing == 2 ? iv : NULL, 1);
        if (missing == 1 && EVP_CIPHER_CTX_get_iv_length(pair->context[OUR_SIDE]) != 0) {
            /* The library's own takes an IV of zeros, or of what was there before. Kuaimi's refuses. */
            CHECK_FAILS(EVP_CipherUpdate(pair->context[OUR_SIDE], out, &length, key, 16));
        } else {
            pair_update(pair, 32, OUT_OF_PLACE, &length);
        }
        pair_end(pair);
    }
    for (size_t keylen = 0; keylen < 40; keylen++) {
        pair_begin(pair);
        pair_init(pair, NULL, NULL, 1);
        for (int side = 0; side < SIDES; side++)
            results[side] = EVP_CIPHER_CTX_set_key_length(pair->context[side], (int)keylen);
        LOG(pair, " key length %zu", keylen);
        pair_agree(pair, results);
        pair_end(pair);
    }
    /* Every byte where the padding is, in every place. */
    for (int byte = 0; byte < 256; byte++) {
        unsigned char block[32];
        memset(block, byte, sizeof block);
        block[15 + byte % 17] ^= (unsigned char)(byte & 3);
        for (int side = 0; side < SIDES; side++) {
            EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
            CHECK(EVP_EncryptInit_ex2(context, pair->algorithm[THEIR_SIDE], key, iv, NULL));
            CHECK(EVP_CIPHER_CTX_set_padding(context, 0));
            CHECK(EVP_EncryptUpdate(context, out, &length, block, 32) && length == 32);
            CHECK(EVP_DecryptInit_ex2(context, pair->algorithm[side], key, iv, NULL));
            CHECK(EVP_CIPHER_CTX_set_padding(context, 1));
            CHECK(EVP_DecryptUpdate(context, out, &length, out, 32));
            results[side] = EVP_DecryptFinal_ex(context, out + length, &length) > 0 ? 1 + length : 0;
            EVP_CIPHER_CTX_free(context);
            ERR_clear_error();
        }
        ALIKE(pair, results[OUR_SIDE] == results[THEIR_SIDE]);
    }
}

int main(int count, char **arguments)
{
    OSSL_LIB_CTX *library = with_both();
    int rounds = count > 1 ? atoi(arguments[1]) : 3000, compared = 0;
    if (count > 2)
        random_state = (uint64_t)strtoull(arguments[2], NULL, 10);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct pair pair;
        if (!pair_fetch(&pair, library, names[i]))
            continue;
        for (int round = 0; round < rounds; round++)
            conversation(&pair);
        mistakes(&pair);
        pair_free(&pair);
        compared++;
    }
    CHECK(compared >= (is_openssl_3() ? 5 : 6));
    free_both(library);
    printf("%d\n", compared);
    return 0;
}
