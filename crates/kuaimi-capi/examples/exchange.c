/* SM2: two parties, each with the other's public key, agree on a key. */
#include "check.h"

#include <string.h>

#define NAME(text) (const uint8_t *)(text), strlen(text)

int main(void)
{
    kuaimi_sm2_private_key *alice, *bob;
    kuaimi_sm2_public_key *alice_public, *bob_public;
    CHECK(kuaimi_sm2_private_key_generate(&alice));
    CHECK(kuaimi_sm2_private_key_generate(&bob));
    CHECK(kuaimi_sm2_private_key_public_key(alice, &alice_public));
    CHECK(kuaimi_sm2_private_key_public_key(bob, &bob_public));

    /* Alice sends r_a. */
    kuaimi_sm2_initiator *initiator;
    uint8_t r_a[KUAIMI_SM2_POINT_LEN];
    CHECK(kuaimi_sm2_exchange_start(alice, bob_public, NAME("alice"), NAME("bob"), &initiator, r_a));

    /* Bob sends r_b and s_b. */
    kuaimi_sm2_response *response;
    uint8_t r_b[KUAIMI_SM2_POINT_LEN], s_b[KUAIMI_SM3_DIGEST_LEN];
    CHECK(kuaimi_sm2_exchange_respond(bob, alice_public, NAME("bob"), NAME("alice"), r_a, sizeof r_a, 16, &response,
                                      r_b, s_b));

    /* Alice has the key, and sends s_a. */
    uint8_t alices_key[16], s_a[KUAIMI_SM3_DIGEST_LEN];
    CHECK(kuaimi_sm2_initiator_finish(initiator, r_b, sizeof r_b, s_b, alices_key, sizeof alices_key, s_a));

    /* Bob has the key. */
    uint8_t bobs_key[16];
    CHECK(kuaimi_sm2_response_confirm(response, s_a, bobs_key, sizeof bobs_key));
    if (memcmp(alices_key, bobs_key, sizeof bobs_key) != 0)
        return 1;
    puts("both have the same key");

    kuaimi_wipe(alices_key, sizeof alices_key);
    kuaimi_wipe(bobs_key, sizeof bobs_key);
    kuaimi_sm2_response_free(response);
    kuaimi_sm2_initiator_free(initiator);
    kuaimi_sm2_public_key_free(bob_public);
    kuaimi_sm2_public_key_free(alice_public);
    kuaimi_sm2_private_key_free(bob);
    kuaimi_sm2_private_key_free(alice);
    return 0;
}
