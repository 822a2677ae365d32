/* SM9: the centre's two steps, and what users do with names in place of certificates. */
#include "check.h"

#include <string.h>

#define NAME(text) (const uint8_t *)(text), strlen(text), 0 /* the usual function identifier */

int main(void)
{
    const uint8_t message[] = "a message";
    const size_t message_len = sizeof message - 1;

    /* The centre: setup, and a key for a user. */
    kuaimi_sm9_master_signing_key *centre;
    kuaimi_sm9_master_signing_public_key *published;
    kuaimi_sm9_signing_key *alice;
    CHECK(kuaimi_sm9_master_signing_key_generate(&centre));
    CHECK(kuaimi_sm9_master_signing_key_public_key(centre, &published));
    CHECK(kuaimi_sm9_master_signing_key_extract(centre, NAME("alice@example.com"), &alice));

    uint8_t signature[KUAIMI_SM9_SIGNATURE_LEN];
    size_t signature_len = sizeof signature;
    CHECK(kuaimi_sm9_sign(alice, message, message_len, KUAIMI_SIGNATURE_RAW, signature, &signature_len));

    /* A verifier needs the name and what the centre has published. */
    kuaimi_sm9_verifying_key *verifier;
    CHECK(kuaimi_sm9_verifying_key_new(published, NAME("alice@example.com"), &verifier));
    CHECK(kuaimi_sm9_verify(verifier, message, message_len, signature, signature_len, KUAIMI_SIGNATURE_RAW));
    puts("the signature is alice's");

    /* Encryption has master keys of its own. */
    kuaimi_sm9_master_encryption_key *encryption_centre;
    kuaimi_sm9_master_encryption_public_key *encryption_published;
    kuaimi_sm9_encryption_key *to_bob;
    kuaimi_sm9_decryption_key *bob;
    CHECK(kuaimi_sm9_master_encryption_key_generate(&encryption_centre));
    CHECK(kuaimi_sm9_master_encryption_key_public_key(encryption_centre, &encryption_published));
    CHECK(kuaimi_sm9_encryption_key_new(encryption_published, NAME("bob"), &to_bob));
    CHECK(kuaimi_sm9_master_encryption_key_extract(encryption_centre, NAME("bob"), &bob));

    uint8_t ciphertext[sizeof message + KUAIMI_SM9_CIPHERTEXT_OVERHEAD], plaintext[sizeof message];
    size_t ciphertext_len = sizeof ciphertext, plaintext_len = sizeof plaintext;
    CHECK(kuaimi_sm9_encrypt(to_bob, message, message_len, NULL, ciphertext, &ciphertext_len));
    CHECK(kuaimi_sm9_decrypt(bob, ciphertext, ciphertext_len, NULL, plaintext, &plaintext_len));
    if (plaintext_len != message_len || memcmp(plaintext, message, message_len) != 0)
        return 1;

    uint8_t sent[32], received[32], c[KUAIMI_SM9_POINT_LEN];
    CHECK(kuaimi_sm9_encapsulate(to_bob, sent, sizeof sent, c));
    CHECK(kuaimi_sm9_decapsulate(bob, c, sizeof c, received, sizeof received));
    if (memcmp(sent, received, sizeof sent) != 0)
        return 1;
    puts("bob decrypts");

    kuaimi_sm9_decryption_key_free(bob);
    kuaimi_sm9_encryption_key_free(to_bob);
    kuaimi_sm9_master_encryption_public_key_free(encryption_published);
    kuaimi_sm9_master_encryption_key_free(encryption_centre);
    kuaimi_sm9_verifying_key_free(verifier);
    kuaimi_sm9_signing_key_free(alice);
    kuaimi_sm9_master_signing_public_key_free(published);
    kuaimi_sm9_master_signing_key_free(centre);
    return 0;
}
