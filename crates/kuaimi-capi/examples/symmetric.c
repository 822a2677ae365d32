/* SM3 and SM4: a digest, an HMAC, and authenticated encryption. */
#include "check.h"

#include <string.h>

int main(void)
{
    const uint8_t message[] = "abc";
    uint8_t digest[KUAIMI_SM3_DIGEST_LEN];
    CHECK(kuaimi_sm3_digest(message, 3, digest));
    for (size_t i = 0; i < sizeof digest; i++)
        printf("%02x", digest[i]);
    putchar('\n');

    /* A hash takes a message in pieces, and then another. */
    kuaimi_sm3 *hash;
    uint8_t again[KUAIMI_SM3_DIGEST_LEN];
    CHECK(kuaimi_sm3_new(&hash));
    CHECK(kuaimi_sm3_update(hash, message, 1));
    CHECK(kuaimi_sm3_update(hash, message + 1, 2));
    CHECK(kuaimi_sm3_finish(hash, again));
    kuaimi_sm3_free(hash);
    if (memcmp(digest, again, sizeof digest) != 0)
        return 1;

    uint8_t mac[KUAIMI_SM3_DIGEST_LEN];
    CHECK(kuaimi_hmac_sm3_digest((const uint8_t *)"key", 3, message, 3, mac));

    /* Never use a nonce twice with a key: a counter is best. */
    const uint8_t key[KUAIMI_SM4_KEY_LEN] = {1, 2, 3};
    const uint8_t nonce[KUAIMI_SM4_GCM_NONCE_LEN] = {0};
    uint8_t data[] = "encrypted in place", tag[KUAIMI_SM4_GCM_TAG_LEN];
    kuaimi_sm4_gcm *cipher;
    CHECK(kuaimi_sm4_gcm_new(key, &cipher));
    CHECK(kuaimi_sm4_gcm_seal(cipher, nonce, sizeof nonce, NULL, 0, data, sizeof data, data, tag));
    CHECK(kuaimi_sm4_gcm_open(cipher, nonce, sizeof nonce, NULL, 0, data, sizeof data, tag, data));
    if (strcmp((const char *)data, "encrypted in place") != 0)
        return 1;
    tag[0] ^= 1;
    if (kuaimi_sm4_gcm_open(cipher, nonce, sizeof nonce, NULL, 0, data, sizeof data, tag, data)
        != KUAIMI_ERROR_DECRYPTION_FAILED)
        return 1;
    kuaimi_sm4_gcm_free(cipher);
    printf("libkuaimi %s computes with %s\n", kuaimi_version(), kuaimi_backend());
    return 0;
}
