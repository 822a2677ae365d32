/* SM2: makes a key, writes and reads it as PEM, signs and verifies a message, whole and in pieces. */
#include "check.h"

#include <string.h>

int main(void)
{
    const uint8_t message[] = "a message";
    const size_t message_len = sizeof message - 1;

    /* A key, and its public key as a file. */
    kuaimi_sm2_private_key *private_key;
    kuaimi_sm2_public_key *public_key;
    CHECK(kuaimi_sm2_private_key_generate(&private_key));
    CHECK(kuaimi_sm2_private_key_public_key(private_key, &public_key));

    size_t pem_len;
    CHECK(kuaimi_sm2_public_key_write(public_key, KUAIMI_KEY_SPKI_PEM, NULL, &pem_len));
    uint8_t *pem = malloc(pem_len);
    if (pem == NULL)
        return 1;
    CHECK(kuaimi_sm2_public_key_write(public_key, KUAIMI_KEY_SPKI_PEM, pem, &pem_len));
    fwrite(pem, 1, pem_len, stdout);

    /* The signer's side: a null identity is the usual one. */
    kuaimi_sm2_signing_key *signer;
    CHECK(kuaimi_sm2_signing_key_new(private_key, NULL, 0, &signer));
    uint8_t signature[KUAIMI_SM2_SIGNATURE_DER_MAX_LEN];
    size_t signature_len = sizeof signature;
    CHECK(kuaimi_sm2_sign(signer, message, message_len, KUAIMI_SIGNATURE_DER, signature, &signature_len));

    /* The verifier's side, which has the file alone. */
    kuaimi_sm2_public_key *read;
    kuaimi_sm2_verifying_key *verifier;
    CHECK(kuaimi_sm2_public_key_read(pem, pem_len, &read));
    CHECK(kuaimi_sm2_verifying_key_new(read, NULL, 0, &verifier));
    CHECK(kuaimi_sm2_verify(verifier, message, message_len, signature, signature_len, KUAIMI_SIGNATURE_DER));
    if (kuaimi_sm2_verify(verifier, (const uint8_t *)"a massage", 9, signature, signature_len, KUAIMI_SIGNATURE_DER)
        != KUAIMI_ERROR_INVALID_SIGNATURE)
        return 1;

    /* A long message goes through a hash, in pieces. */
    kuaimi_sm3 *hash;
    uint8_t digest[KUAIMI_SM3_DIGEST_LEN];
    CHECK(kuaimi_sm2_verifying_key_hash(verifier, &hash));
    CHECK(kuaimi_sm3_update(hash, message, 2));
    CHECK(kuaimi_sm3_update(hash, message + 2, message_len - 2));
    CHECK(kuaimi_sm3_finish(hash, digest));
    CHECK(kuaimi_sm2_verify_digest(verifier, digest, signature, signature_len, KUAIMI_SIGNATURE_DER));
    puts("the signature is valid");

    kuaimi_sm3_free(hash);
    kuaimi_sm2_verifying_key_free(verifier);
    kuaimi_sm2_public_key_free(read);
    kuaimi_sm2_signing_key_free(signer);
    kuaimi_sm2_public_key_free(public_key);
    kuaimi_sm2_private_key_free(private_key);
    free(pem);
    return 0;
}
