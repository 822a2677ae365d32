/* SM2 encryption: by each provider, for both, and what neither decrypts. */
#include "sm2.h"

static OSSL_LIB_CTX *library;

/* The longest message here. */
#define LONGEST 70000

static unsigned char message[LONGEST], ciphertext[LONGEST + 200], decrypted[LONGEST + 200];

static EVP_PKEY_CTX *begin(int side, EVP_PKEY *key, int encrypt)
{
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_pkey(library, key, providers[side]);
    CHECK(context != NULL && (encrypt ? EVP_PKEY_encrypt_init(context) : EVP_PKEY_decrypt_init(context)) == 1);
    return context;
}

static size_t encrypt(int side, EVP_PKEY *key, size_t length)
{
    EVP_PKEY_CTX *context = begin(side, key, 1);
    size_t largest = 0, written = sizeof ciphertext;
    CHECK(EVP_PKEY_encrypt(context, NULL, &largest, message, length) == 1);
    CHECK(largest <= sizeof ciphertext);
    do {
        written = largest;
        CHECK(EVP_PKEY_encrypt(context, ciphertext, &written, message, length) == 1);
        CHECK(written <= largest);
        /* The standard asks for another nonce where the key stream is all zeros, one time in 256 for one byte; OpenSSL 3.0 does not do it. */
    } while (length == 1 && side != 0 && ciphertext[written - 1] == message[0]);
    EVP_PKEY_CTX_free(context);
    return written;
}

/* The length of the message, or -1. */
static long decrypt(int side, EVP_PKEY *key, size_t length)
{
    EVP_PKEY_CTX *context = begin(side, key, 0);
    size_t largest = 0, written;
    long result = -1;
    if (EVP_PKEY_decrypt(context, NULL, &largest, ciphertext, length) == 1) {
        written = largest;
        CHECK(largest <= sizeof decrypted);
        if (EVP_PKEY_decrypt(context, decrypted, &written, ciphertext, length) == 1)
            result = (long)written;
    }
    ERR_clear_error();
    EVP_PKEY_CTX_free(context);
    return result;
}

static void both_ways(EVP_PKEY *keys[2])
{
    static const size_t lengths[] = {1, 2, 15, 16, 31, 32, 33, 100, 127, 128, 255, 256, 1000, 65535, 65536, LONGEST};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        random_bytes(message, lengths[i]);
        for (int encrypter = 0; encrypter < 2; encrypter++) {
            /* The third time Kuaimi has a table for the key. */
            for (int times = 0; times < 3; times++) {
                size_t length = encrypt(encrypter, keys[encrypter], lengths[i]);
                for (int decrypter = 0; decrypter < 2; decrypter++) {
                    CHECK(decrypt(decrypter, keys[decrypter], length) == (long)lengths[i]);
                    CHECK(memcmp(decrypted, message, lengths[i]) == 0);
                }
            }
        }
    }
}

static void alterations(EVP_PKEY *keys[2])
{
    EVP_PKEY *other = generate(library, 0);
    size_t length = encrypt(0, keys[0], 20);
    CHECK(decrypt(0, other, length) == -1);
    CHECK(decrypt(1, other, length) == -1);
    for (size_t bit = 0; bit < 8 * length; bit++) {
        ciphertext[bit / 8] ^= (unsigned char)(1 << bit % 8);
        for (int side = 0; side < 2; side++)
            CHECK(decrypt(side, keys[side], length) == -1);
        ciphertext[bit / 8] ^= (unsigned char)(1 << bit % 8);
    }
    for (size_t cut = 0; cut < length; cut++) {
        for (int side = 0; side < 2; side++)
            CHECK(decrypt(side, keys[side], cut) == -1);
    }
    EVP_PKEY_free(other);
}

/* A header of DER for contents of `length` bytes, with `extra` bytes more in the length than it needs. */
static size_t header(unsigned char *out, unsigned char tag, size_t length, size_t extra)
{
    size_t count = (length < 128 ? 0 : 1) + extra;
    out[0] = tag;
    if (count == 0) {
        out[1] = (unsigned char)length;
        return 2;
    }
    out[1] = (unsigned char)(0x80 | count);
    for (size_t i = 0; i < count; i++)
        out[2 + i] = i + 1 == count ? (unsigned char)length : 0;
    return 2 + count;
}

enum { SEQUENCE_LENGTH, FIRST_LENGTH, FIRST_ZERO = 5, FOLLOWS = 7, INSIDE, FIRST_NEGATIVE, RIGHT = 11 };

/* One message in each form that is nearly DER: a length with a byte too many, an integer with a zero too many, something that follows or is
 * inside, an integer that is negative. One ciphertext has one form. */
static void forms(EVP_PKEY *key)
{
    unsigned char whole[256], *part[4], tag[4];
    size_t length[4], end = encrypt(0, key, 20), at;
    memcpy(whole, ciphertext, end);
    at = whole[1] < 128 ? 2 : 3;
    for (int i = 0; i < 4; i++) {
        tag[i] = whole[at];
        length[i] = whole[at + 1];
        part[i] = whole + at + 2;
        at += 2 + length[i];
    }
    CHECK(at == end && tag[0] == 2 && tag[3] == 4);
    for (int form = SEQUENCE_LENGTH; form <= RIGHT; form++) {
        unsigned char contents[256];
        size_t used = 0, start;
        int possible = 1;
        for (int i = 0; i < 4; i++) {
            size_t zero = i < 2 && form == FIRST_ZERO + i, without = i < 2 && form == FIRST_NEGATIVE + i;
            /* Half of all coordinates have a zero that makes them positive. */
            if (without && part[i][0] != 0)
                possible = 0;
            used += header(contents + used, tag[i], length[i] + zero - without, form == FIRST_LENGTH + i);
            memset(contents + used, 0, zero);
            memcpy(contents + used + zero, part[i] + without, length[i] - without);
            used += zero + length[i] - without;
        }
        contents[used] = 0;
        used += form == INSIDE;
        start = header(ciphertext, 0x30, used, form == SEQUENCE_LENGTH);
        memcpy(ciphertext + start, contents, used);
        ciphertext[start + used] = 0;
        used += start + (form == FOLLOWS);
        if (possible && decrypt(0, key, used) != (form == RIGHT ? 20 : -1)) {
            fprintf(stderr, "form %d\n", form);
            exit(1);
        }
    }
}

/* A message is encrypted and decrypted in its own place, and to where it overlaps. */
static void in_place(EVP_PKEY *key)
{
    static unsigned char buffer[1000], expected[500];
    for (size_t shift = 0; shift < 200; shift += 7) {
        size_t length = 100 + shift, written = sizeof buffer - shift, read = sizeof buffer - shift;
        EVP_PKEY_CTX *context = begin(0, key, 1);
        random_bytes(buffer, length);
        memcpy(expected, buffer, length);
        CHECK(EVP_PKEY_encrypt(context, buffer + shift, &written, buffer, length) == 1);
        EVP_PKEY_CTX_free(context);
        context = begin(0, key, 0);
        memmove(buffer, buffer + shift, written);
        CHECK(EVP_PKEY_decrypt(context, buffer + shift, &read, buffer, written) == 1);
        CHECK(read == length && memcmp(buffer + shift, expected, length) == 0);
        EVP_PKEY_CTX_free(context);
    }
}

static void short_buffers(EVP_PKEY *keys[2])
{
    random_bytes(message, 50);
    for (int side = 0; side < 2; side++) {
        EVP_PKEY_CTX *context = begin(side, keys[side], 1);
        size_t length = 40, written = sizeof ciphertext;
        /* OpenSSL 3.0's and Tongsuo's own write beyond the end. */
        if (side == 0)
            CHECK_FAILS(EVP_PKEY_encrypt(context, ciphertext, &length, message, 50));
        CHECK(EVP_PKEY_encrypt(context, ciphertext, &written, message, 50) == 1);
        EVP_PKEY_CTX_free(context);
        context = begin(side, keys[side], 0);
        for (length = 0; length < 50; length += 7) {
            size_t room = length;
            memset(decrypted, 0xaa, 64);
            CHECK_FAILS(EVP_PKEY_decrypt(context, decrypted, &room, ciphertext, written));
            for (size_t i = length; i < 64; i++)
                CHECK(decrypted[i] == 0xaa);
        }
        /* Exactly as long as the message. */
        length = 50;
        CHECK(EVP_PKEY_decrypt(context, decrypted, &length, ciphertext, written) == 1 && length == 50);
        EVP_PKEY_CTX_free(context);
    }
}

static void halves(EVP_PKEY *keys[2])
{
    for (int side = 0; side < 2; side++) {
        EVP_PKEY *public = moved(library, keys[side], EVP_PKEY_PUBLIC_KEY, side);
        EVP_PKEY_CTX *context;
        size_t length = encrypt(side, public, 10);
        CHECK(decrypt(side, keys[side], length) == 10 && decrypt(!side, keys[side], length) == 10);
        context = EVP_PKEY_CTX_new_from_pkey(library, public, providers[side]);
        if (EVP_PKEY_decrypt_init(context) == 1) {
            size_t room = sizeof decrypted;
            CHECK_FAILS(EVP_PKEY_decrypt(context, decrypted, &room, ciphertext, length));
        }
        EVP_PKEY_CTX_free(context);
        EVP_PKEY_free(public);
        ERR_clear_error();
    }
}

static void digests(EVP_PKEY *keys[2])
{
    for (int side = 0; side < 2; side++) {
        static const char *const names[] = {"SM3", "SHA256", "no digest"};
        for (size_t i = 0; i < 3; i++) {
            OSSL_PARAM params[] = {OSSL_PARAM_construct_utf8_string("digest", (char *)names[i], 0), OSSL_PARAM_END};
            EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_pkey(library, keys[side], providers[side]);
            int taken = EVP_PKEY_encrypt_init_ex(context, params) == 1;
            /* The library's own takes other digests, with which SM2 is not defined. */
            CHECK_RESULT(taken == (i == 0) || (side == 1 && i == 1));
            EVP_PKEY_CTX_free(context);
        }
    }
    /* A ciphertext holds at least one byte: nothing would be hidden otherwise. */
    EVP_PKEY_CTX *context = begin(0, keys[0], 1);
    size_t length = sizeof ciphertext;
    CHECK_FAILS(EVP_PKEY_encrypt(context, ciphertext, &length, message, 0));
    EVP_PKEY_CTX_free(context);
}

int main(void)
{
    EVP_PKEY *keys[2];
    library = with_both();
    for (int first = 0; first < 2; first++) {
        keys[first] = generate(library, first);
        keys[!first] = moved(library, keys[first], EVP_PKEY_KEYPAIR, !first);
        both_ways(keys);
        alterations(keys);
        for (int i = 0; i < 8; i++)
            forms(keys[0]);
        in_place(keys[0]);
        short_buffers(keys);
        halves(keys);
        digests(keys);
        EVP_PKEY_free(keys[0]);
        EVP_PKEY_free(keys[1]);
    }
    free_both(library);
    return 0;
}
