/* SM2: many signatures at once, verified with a result for each; keys that come back, with a cache. */
#include "check.h"

#include <string.h>

enum { COUNT = 100 };

int main(void)
{
    kuaimi_sm2_private_key *private_key;
    kuaimi_sm2_public_key *public_key;
    kuaimi_sm2_signing_key *signer;
    kuaimi_sm2_verifying_key *verifier;
    CHECK(kuaimi_sm2_private_key_generate(&private_key));
    CHECK(kuaimi_sm2_private_key_public_key(private_key, &public_key));
    CHECK(kuaimi_sm2_signing_key_new(private_key, NULL, 0, &signer));
    CHECK(kuaimi_sm2_verifying_key_new(public_key, NULL, 0, &verifier));

    static char messages[COUNT][32];
    static uint8_t signatures[COUNT][KUAIMI_SM2_SIGNATURE_LEN];
    kuaimi_sm2_sign_item to_sign[COUNT];
    kuaimi_sm2_verify_item to_verify[COUNT];
    kuaimi_error results[COUNT];
    for (int i = 0; i < COUNT; i++) {
        kuaimi_bytes message;
        snprintf(messages[i], sizeof messages[i], "message number %d", i);
        message.data = (const uint8_t *)messages[i];
        message.len = strlen(messages[i]);
        to_sign[i].key = signer;
        to_sign[i].content = message;
        to_sign[i].content_kind = KUAIMI_CONTENT_MESSAGE;
        to_verify[i].key = verifier;
        to_verify[i].content = message;
        to_verify[i].signature.data = signatures[i];
        to_verify[i].signature.len = sizeof signatures[i];
        to_verify[i].content_kind = KUAIMI_CONTENT_MESSAGE;
        to_verify[i].form = KUAIMI_SIGNATURE_RAW;
    }
    CHECK(kuaimi_sm2_sign_batch(to_sign, COUNT, signatures[0], results));
    CHECK(kuaimi_sm2_verify_batch(to_verify, COUNT, results));

    /* One altered signature: the function says so, and the results say which. */
    signatures[42][7] ^= 1;
    if (kuaimi_sm2_verify_batch(to_verify, COUNT, results) != KUAIMI_ERROR_INVALID_SIGNATURE)
        return 1;
    for (int i = 0; i < COUNT; i++)
        if (results[i] != KUAIMI_OK)
            printf("signature %d: %s\n", i, kuaimi_error_message(results[i]));

    /* A server that sees the same signers again and again keeps their tables in a cache. */
    kuaimi_sm2_key_cache *cache;
    kuaimi_cache_stats stats;
    CHECK(kuaimi_sm2_key_cache_new((size_t)16 << 20, &cache));
    for (int i = 0; i < 10; i++)
        CHECK(kuaimi_sm2_key_cache_verify(cache, verifier, to_verify[i].content.data, to_verify[i].content.len,
                                          signatures[i], sizeof signatures[i], KUAIMI_SIGNATURE_RAW));
    CHECK(kuaimi_sm2_key_cache_get_stats(cache, &stats));
    printf("%d of 10 verifications found a table\n", (int)stats.hits);

    kuaimi_sm2_key_cache_free(cache);
    kuaimi_sm2_verifying_key_free(verifier);
    kuaimi_sm2_signing_key_free(signer);
    kuaimi_sm2_public_key_free(public_key);
    kuaimi_sm2_private_key_free(private_key);
    return 0;
}
