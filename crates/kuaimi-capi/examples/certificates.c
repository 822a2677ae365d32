/* Certificates: a chain, a signed and an encrypted message, a file with a key and its certificates. */
#include "check.h"

#include <string.h>

/* In your program, these come from files. */
static const char ca_crt[] =
    "-----BEGIN CERTIFICATE-----\n"
    "MIIBgTCCASegAwIBAgIQXyfPWjNxARQxUBeqlXpIrzAKBggqgRzPVQGDdTAPMQ0w\n"
    "CwYDVQQDDARSb290MCAXDTI2MTEyNjIwNDgzOVoYDzIxMjYxMTAyMjA0ODM5WjAP\n"
    "MQ0wCwYDVQQDDARSb290MFkwEwYHKoZIzj0CAQYIKoEcz1UBgi0DQgAEyKdSCF5m\n"
    "oynPk+IMfXAENikEwW97Ut9Opua+A6DIfeSPpOOhSqj6gmriQziCRG5KWtGitQ6q\n"
    "nyOVPU/5Qk0mU6NjMGEwDwYDVR0TAQH/BAUwAwEB/zAOBgNVHQ8BAf8EBAMCAQYw\n"
    "HQYDVR0OBBYEFKawdF8jbKtwEEgNdYQ5CsxbozrzMB8GA1UdIwQYMBaAFKawdF8j\n"
    "bKtwEEgNdYQ5CsxbozrzMAoGCCqBHM9VAYN1A0gAMEUCIG82kXGxrRA2XYKp3G5z\n"
    "3jLfC4+qk+lzbcxmNZ0r1ZzKAiEA5WbC2I1tEC4XjkQ55HhWXb488AvO7Q0hMh5b\n"
    "SjJkAHY=\n"
    "-----END CERTIFICATE-----\n";

static const char leaf_crt[] =
    "-----BEGIN CERTIFICATE-----\n"
    "MIIBmzCCAUGgAwIBAgIQSOqm7N6kPCbtgA8aoswsjTAKBggqgRzPVQGDdTAPMQ0w\n"
    "CwYDVQQDDARSb290MCAXDTI2MTEyNjIwNDgzOVoYDzIxMjUwNjIwMjA0ODM5WjAh\n"
    "MRAwDgYDVQQKDAdFeGFtcGxlMQ0wCwYDVQQDDARsZWFmMFkwEwYHKoZIzj0CAQYI\n"
    "KoEcz1UBgi0DQgAEmR+lpJ/IF0qQEYzjhZwYllJS77ejYNFc3LCAqZmn8/8Y6tg7\n"
    "Cs+btu10gpLYUT3tTYTKvHauWCju0YFCddj4i6NrMGkwFwYDVR0RBBAwDoIMbGVh\n"
    "Zi5leGFtcGxlMA4GA1UdDwEB/wQEAwID+DAdBgNVHQ4EFgQUbDmsAM07hIqRiln8\n"
    "b6TlJRUhgngwHwYDVR0jBBgwFoAUprB0XyNsq3AQSA11hDkKzFujOvMwCgYIKoEc\n"
    "z1UBg3UDSAAwRQIhAIdkm66ezIRdyH67IxQEIMN4K9h34XA05rK+U9+vm59UAiB/\n"
    "WdnW0bTBXVCNyzH2IhlgZgeZTFTDkoVozOTc/uo6kA==\n"
    "-----END CERTIFICATE-----\n";

static const char leaf_pem[] =
    "-----BEGIN PRIVATE KEY-----\n"
    "MIGHAgEAMBMGByqGSM49AgEGCCqBHM9VAYItBG0wawIBAQQgJ/dcffHGezxuSmfg\n"
    "cSuJc8q9RkgKy0zgj1Tt0YNd8o2hRANCAASZH6Wkn8gXSpARjOOFnBiWUlLvt6Ng\n"
    "0VzcsICpmafz/xjq2DsKz5u27XSCkthRPe1NhMq8dq5YKO7RgUJ12PiL\n"
    "-----END PRIVATE KEY-----\n";

/* 2027-01-15. In your program: (uint64_t)time(NULL). */
static const uint64_t now = 1800000000;

static kuaimi_certificate *read_certificate(const char *pem)
{
    kuaimi_certificate *certificate;
    CHECK(kuaimi_certificate_read((const uint8_t *)pem, strlen(pem), &certificate));
    return certificate;
}

/* A chain to an authority that is trusted, and why another is refused. */
static void verify_chain(const kuaimi_verifier *verifier, const kuaimi_certificate *leaf)
{
    const uint8_t host[] = "leaf.example", other[] = "other.example";
    uint8_t why[KUAIMI_REFUSAL_MAX_LEN], subject[256];
    size_t why_len = sizeof why, subject_len = sizeof subject;

    CHECK(kuaimi_verifier_verify(verifier, leaf, NULL, 0, host, sizeof host - 1, KUAIMI_PURPOSE_SERVER,
                                 KUAIMI_REVOCATION_IF_GIVEN, KUAIMI_IDENTITIES_USUAL, now));
    CHECK(kuaimi_certificate_subject(leaf, subject, &subject_len));
    printf("%.*s is trusted\n", (int)subject_len, (const char *)subject);

    if (kuaimi_verifier_verify(verifier, leaf, NULL, 0, other, sizeof other - 1, KUAIMI_PURPOSE_SERVER,
                               KUAIMI_REVOCATION_IF_GIVEN, KUAIMI_IDENTITIES_USUAL, now)
        != KUAIMI_ERROR_CERTIFICATE_REFUSED)
        exit(1);
    CHECK(kuaimi_verifier_explain(verifier, leaf, NULL, 0, other, sizeof other - 1, KUAIMI_PURPOSE_SERVER,
                                  KUAIMI_REVOCATION_IF_GIVEN, KUAIMI_IDENTITIES_USUAL, now, why, &why_len));
    printf("%.*s\n", (int)why_len, (const char *)why);
}

/* Signed, sent and verified: first the signature, then whether to trust the signer. */
static void signed_message(const kuaimi_verifier *verifier, const kuaimi_certificate *leaf,
                           const kuaimi_sm2_private_key *key)
{
    const uint8_t content[] = "a payment";
    kuaimi_cms_sign_options options = {0};
    options.signing_time = now;
    uint8_t message[4096], found[64];
    size_t message_len = sizeof message, found_len = sizeof found, signers, inside;
    CHECK(kuaimi_cms_sign(key, leaf, NULL, 0, content, sizeof content, KUAIMI_CMS_FORM_CMS, &options, message,
                          &message_len));

    kuaimi_cms_verified *verified;
    CHECK(kuaimi_cms_verify(NULL, 0, message, message_len, NULL, 0, KUAIMI_IDENTITIES_USUAL, &verified));
    kuaimi_certificate *intermediates[16];
    CHECK(kuaimi_cms_verified_certificate_count(verified, &inside));
    if (inside > 16)
        exit(1);
    for (size_t i = 0; i < inside; i++)
        CHECK(kuaimi_cms_verified_certificate(verified, i, &intermediates[i]));
    CHECK(kuaimi_cms_verified_signer_count(verified, &signers));
    for (size_t i = 0; i < signers; i++) {
        kuaimi_certificate *signer;
        uint64_t signing_time;
        CHECK(kuaimi_cms_verified_signer(verified, i, &signer));
        CHECK(kuaimi_verifier_verify(verifier, signer, intermediates, inside, NULL, 0, KUAIMI_PURPOSE_SIGNING,
                                     KUAIMI_REVOCATION_IF_GIVEN, KUAIMI_IDENTITIES_USUAL, now));
        CHECK(kuaimi_cms_verified_signing_time(verified, i, &signing_time));
        if (signing_time != now)
            exit(1);
        kuaimi_certificate_free(signer);
    }
    /* Now the content can be used. */
    CHECK(kuaimi_cms_verified_content(verified, found, &found_len));
    if (found_len != sizeof content || memcmp(found, content, sizeof content) != 0)
        exit(1);
    puts("the message was verified");
    for (size_t i = 0; i < inside; i++)
        kuaimi_certificate_free(intermediates[i]);
    kuaimi_cms_verified_free(verified);
}

/* Encrypted, with authentication. */
static void encrypted_message(kuaimi_certificate *leaf, const kuaimi_sm2_private_key *key)
{
    const uint8_t content[] = "a secret";
    uint8_t message[2048], found[2048];
    size_t message_len = sizeof message, found_len = sizeof found;
    CHECK(kuaimi_cms_encrypt(&leaf, 1, content, sizeof content, KUAIMI_CMS_FORM_CMS, KUAIMI_CMS_CIPHER_SM4_GCM,
                             KUAIMI_CMS_ID_ISSUER, message, &message_len));
    CHECK(kuaimi_cms_decrypt(key, leaf, message, message_len, found, &found_len));
    if (found_len != sizeof content || memcmp(found, content, sizeof content) != 0)
        exit(1);
    puts("the message was decrypted");
    kuaimi_wipe(found, sizeof found);
}

/* The key with its certificate and that of the authority, in one file under a password. */
static void key_file(const kuaimi_certificate *leaf, kuaimi_certificate *ca, const kuaimi_sm2_private_key *key)
{
    const uint8_t password[] = "a long password";
    uint8_t bytes[8192];
    size_t len = sizeof bytes, keys, chain;
    CHECK(kuaimi_pkcs12_write(key, leaf, &ca, 1, password, sizeof password - 1, KUAIMI_PKCS12_COMPATIBLE, bytes, &len));

    kuaimi_pkcs12 *file;
    kuaimi_sm2_private_key *read_key;
    kuaimi_certificate *read_leaf;
    CHECK(kuaimi_pkcs12_read(bytes, len, password, sizeof password - 1, &file));
    CHECK(kuaimi_pkcs12_key_count(file, &keys));
    CHECK(kuaimi_pkcs12_key(file, 0, &read_key));
    CHECK(kuaimi_pkcs12_certificate_count(file, 0, &chain));
    CHECK(kuaimi_pkcs12_certificate(file, 0, 0, &read_leaf));
    printf("%d key with %d certificates\n", (int)keys, (int)chain);
    kuaimi_certificate_free(read_leaf);
    kuaimi_sm2_private_key_free(read_key);
    kuaimi_pkcs12_free(file);
}

int main(void)
{
    kuaimi_certificate *ca = read_certificate(ca_crt), *leaf = read_certificate(leaf_crt);
    kuaimi_sm2_private_key *key;
    kuaimi_verifier *verifier;
    CHECK(kuaimi_sm2_private_key_read((const uint8_t *)leaf_pem, strlen(leaf_pem), NULL, 0, &key));
    CHECK(kuaimi_verifier_new(&verifier));
    CHECK(kuaimi_verifier_add_anchor(verifier, ca));

    verify_chain(verifier, leaf);
    signed_message(verifier, leaf, key);
    encrypted_message(leaf, key);
    key_file(leaf, ca, key);

    kuaimi_verifier_free(verifier);
    kuaimi_sm2_private_key_free(key);
    kuaimi_certificate_free(leaf);
    kuaimi_certificate_free(ca);
    return 0;
}
