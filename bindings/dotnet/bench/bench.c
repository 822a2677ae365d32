/* The same items as Program.cs, by the C library alone: a line of a name and nanoseconds for each. */

#define _POSIX_C_SOURCE 199309L
#include <kuaimi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define CHECK(call) do { if ((call) != KUAIMI_OK) { fprintf(stderr, "line %d failed\n", __LINE__); exit(1); } } while (0)

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1e9 + t.tv_nsec;
}

#define TIME(name, items, call) do { \
        for (int i = 0; i < 20; i++) { CHECK(call); } \
        double start = now(), end = start; \
        long count = 0; \
        for (; end - start < 1e8; end = now()) { for (int i = 0; i < 20; i++) { CHECK(call); } count += 20; } \
        printf("%s %.1f\n", name, (end - start) / count / (items)); \
    } while (0)

enum { ITEMS = 1000 };
static kuaimi_sm2_verify_item items[ITEMS];
static kuaimi_error results[ITEMS];

int main(void)
{
    static uint8_t message[64], signature[72], place[72], digest[32], kibibyte[1024], ciphertext[1024], nonce[12], tag[16], secret[16], number[32];
    memset(number, 0x11, sizeof number);
    kuaimi_sm2_private_key *key;
    kuaimi_sm2_public_key *public_key;
    kuaimi_sm2_signing_key *signing;
    kuaimi_sm2_verifying_key *verifying;
    kuaimi_sm4_gcm *gcm;
    CHECK(kuaimi_sm2_private_key_from_bytes(number, 32, &key));
    CHECK(kuaimi_sm2_private_key_public_key(key, &public_key));
    CHECK(kuaimi_sm2_signing_key_new(key, NULL, 0, &signing));
    CHECK(kuaimi_sm2_verifying_key_new(public_key, NULL, 0, &verifying));
    CHECK(kuaimi_sm2_verifying_key_prepare(verifying));
    CHECK(kuaimi_sm4_gcm_new(secret, &gcm));
    size_t len = sizeof signature;
    CHECK(kuaimi_sm2_sign(signing, message, 64, KUAIMI_SIGNATURE_DER, signature, &len));
    for (int i = 0; i < ITEMS; i++) {
        items[i] = (kuaimi_sm2_verify_item){verifying, {message, 64}, {signature, len}, KUAIMI_CONTENT_MESSAGE, KUAIMI_SIGNATURE_DER};
    }
    size_t place_len;
    TIME("sign", 1, (place_len = sizeof place, kuaimi_sm2_sign(signing, message, 64, KUAIMI_SIGNATURE_DER, place, &place_len)));
    TIME("verify", 1, kuaimi_sm2_verify(verifying, message, 64, signature, len, KUAIMI_SIGNATURE_DER));
    TIME("verify-batch-1000", ITEMS, kuaimi_sm2_verify_batch(items, ITEMS, results));
    TIME("sm3-64", 1, kuaimi_sm3_digest(message, 64, digest));
    TIME("gcm-seal-1024", 1, kuaimi_sm4_gcm_seal(gcm, nonce, 12, NULL, 0, kibibyte, 1024, ciphertext, tag));
    return 0;
}
