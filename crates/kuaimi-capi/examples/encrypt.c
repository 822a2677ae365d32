/* SM2: encrypts a message to a public key, and decrypts it; a private key in a file under a password. */
#include "check.h"

#include <string.h>

int main(void)
{
    const uint8_t message[] = "a secret";
    const uint8_t password[] = "correct horse battery staple";

    kuaimi_sm2_private_key *key;
    kuaimi_sm2_public_key *recipient;
    CHECK(kuaimi_sm2_private_key_generate(&key));
    CHECK(kuaimi_sm2_private_key_public_key(key, &recipient));

    /* C1C3C2 is the order of the standard; KUAIMI_SM2_CIPHERTEXT_DER is that of GM/T 0009. */
    uint8_t ciphertext[sizeof message + 97];
    size_t ciphertext_len = sizeof ciphertext;
    CHECK(kuaimi_sm2_encrypt(recipient, message, sizeof message, KUAIMI_SM2_CIPHERTEXT_C1C3C2, ciphertext,
                             &ciphertext_len));

    /* The private key as it is kept in a file, and read again. */
    uint8_t file[KUAIMI_ENCRYPTED_KEY_MAX_LEN];
    size_t file_len = sizeof file;
    /* Few iterations, so that this example ends at once: in your program, give NULL for the usual 600000. */
    kuaimi_password_encryption encryption = {KUAIMI_CIPHER_SM4_CBC, KUAIMI_PBKDF2_HMAC_SM3, 1000, 0, 0, 0};
    CHECK(kuaimi_sm2_private_key_write_encrypted(key, password, sizeof password - 1, &encryption,
                                                 KUAIMI_KEY_PKCS8_PEM, file, &file_len));
    fwrite(file, 1, file_len, stdout);
    kuaimi_sm2_private_key_free(key);
    CHECK(kuaimi_sm2_private_key_read(file, file_len, password, sizeof password - 1, &key));

    uint8_t plaintext[sizeof message];
    size_t plaintext_len = sizeof plaintext;
    CHECK(kuaimi_sm2_decrypt(key, ciphertext, ciphertext_len, KUAIMI_SM2_CIPHERTEXT_ANY, NULL, &plaintext_len));
    plaintext_len = sizeof plaintext;
    CHECK(kuaimi_sm2_decrypt(key, ciphertext, ciphertext_len, KUAIMI_SM2_CIPHERTEXT_C1C3C2, plaintext, &plaintext_len));
    if (plaintext_len != sizeof message || memcmp(plaintext, message, sizeof message) != 0)
        return 1;

    /* Whatever is wrong, the error is the same. */
    ciphertext[80] ^= 1;
    if (kuaimi_sm2_decrypt(key, ciphertext, ciphertext_len, KUAIMI_SM2_CIPHERTEXT_C1C3C2, plaintext, &plaintext_len)
        != KUAIMI_ERROR_DECRYPTION_FAILED)
        return 1;
    puts("the message was decrypted");

    kuaimi_wipe(plaintext, sizeof plaintext);
    kuaimi_sm2_public_key_free(recipient);
    kuaimi_sm2_private_key_free(key);
    return 0;
}
