/* What the generated calls of misuse.c use: a good handle of each type, a closed one, and arguments that are right. */
#ifndef FIXTURE_H
#define FIXTURE_H

#include <kuaimi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A failure is reported, and the next call is made. */
static int failures = 0;

#define EXPECT(condition, ...)                  \
    do {                                        \
        if (!(condition)) {                     \
            failures++;                         \
            printf("line %d: ", __LINE__);      \
            printf(__VA_ARGS__);                \
            putchar('\n');                      \
        }                                       \
    } while (0)

#define MUST(call)                                                                       \
    do {                                                                                 \
        kuaimi_error error_ = (call);                                                    \
        if (error_ != KUAIMI_OK) {                                                       \
            printf("fixture, line %d: %s\n", __LINE__, kuaimi_error_message(error_));    \
            exit(1);                                                                     \
        }                                                                                \
    } while (0)

/* X(type): every type that is used by pointer. The generator checks that none of the header's is missing. */
#define HANDLES(X)                                                                                            \
    X(kuaimi_sm3) X(kuaimi_hmac_sm3)                                                                          \
    X(kuaimi_sm4) X(kuaimi_sm4_gcm) X(kuaimi_sm4_gcm_stream) X(kuaimi_sm4_ccm) X(kuaimi_sm4_cbc)              \
    X(kuaimi_sm4_cfb) X(kuaimi_sm4_ofb) X(kuaimi_sm4_ctr) X(kuaimi_sm4_xts)                                   \
    X(kuaimi_sm2_private_key) X(kuaimi_sm2_public_key) X(kuaimi_sm2_signing_key) X(kuaimi_sm2_verifying_key)  \
    X(kuaimi_sm2_initiator) X(kuaimi_sm2_response) X(kuaimi_sm2_key_cache) X(kuaimi_sm2_nonce_pool)           \
    X(kuaimi_sm9_master_signing_key) X(kuaimi_sm9_master_signing_public_key)                                  \
    X(kuaimi_sm9_master_encryption_key) X(kuaimi_sm9_master_encryption_public_key)                            \
    X(kuaimi_sm9_signing_key) X(kuaimi_sm9_verifying_key) X(kuaimi_sm9_message_hash)                          \
    X(kuaimi_sm9_encryption_key) X(kuaimi_sm9_decryption_key) X(kuaimi_sm9_exchange_key)                      \
    X(kuaimi_sm9_initiator) X(kuaimi_sm9_response) X(kuaimi_sm9_identity_cache)                               \
    X(kuaimi_certificate) X(kuaimi_request) X(kuaimi_verifier) X(kuaimi_verdict) X(kuaimi_pkcs12)             \
    X(kuaimi_cms_signing) X(kuaimi_cms_verified) X(kuaimi_cms_detached) X(kuaimi_cms_encryption)     \
    X(kuaimi_tlcp_config) X(kuaimi_tlcp_connection)

struct handles {
#define MEMBER(type) type *type;
    HANDLES(MEMBER)
#undef MEMBER
};

static struct handles good, closed;

/* Inputs: 32 bytes that are a private key, a key for XTS, a digest, an identity, a message. */
static uint8_t in[32];
static uint8_t sm2_signature[KUAIMI_SM2_SIGNATURE_LEN], sm9_signature[KUAIMI_SM9_SIGNATURE_LEN];
static uint8_t sm2_ciphertext[32 + 97], sm9_ciphertext[32 + KUAIMI_SM9_CIPHERTEXT_OVERHEAD], cbc_ciphertext[48];
static size_t sm9_ciphertext_len = sizeof sm9_ciphertext;

/* A certificate of the private key above. */
static const char certificate_pem[] =
    "-----BEGIN CERTIFICATE-----\n"
    "MIIBczCCARqgAwIBAgIQZ/HMB6wLjkDxWEe7KmDotzAKBggqgRzPVQGDdTARMQ8w\n"
    "DQYDVQQDDAZtaXN1c2UwIBcNMjYxMTI2MjA0ODM5WhgPMjEyNjExMDIyMDQ4Mzla\n"
    "MBExDzANBgNVBAMMBm1pc3VzZTBZMBMGByqGSM49AgEGCCqBHM9VAYItA0IABEbR\n"
    "CG9uXJOER/BSgNtwfCeae0WcOPGeTZowrS2t+fKK9F/B3Fs3dza1fpfn4FY8zKJM\n"
    "l/RA4dE35ZQdhNLrQ8mjUjBQMA4GA1UdDwEB/wQEAwID+DAdBgNVHQ4EFgQUIQhm\n"
    "NlKO65HLGG7gHDlIlDOIIZYwHwYDVR0jBBgwFoAUIQhmNlKO65HLGG7gHDlIlDOI\n"
    "IZYwCgYIKoEcz1UBg3UDRwAwRAIgahYSPsU5l+zuVu7g9tPBWPvj6e6gi/TygWWe\n"
    "1rbsrX4CIAw0x8dhNSIpg1cRWEXe/wgNpx0FxLzRSuAI7sF2upqj\n"
    "-----END CERTIFICATE-----\n";
static kuaimi_certificate *certificates[1];
static kuaimi_sm2_private_key *private_keys[1];
static uint8_t cms_signed[2048], cms_encrypted[2048];
static size_t cms_signed_len = sizeof cms_signed, cms_encrypted_len = sizeof cms_encrypted;

/* Outputs. */
static uint8_t scratch[1 << 20], scratch_2[256], scratch_3[256];
static size_t scratch_len;
static kuaimi_error results[1];
static kuaimi_cache_stats cache_stats;
static kuaimi_sm2_nonce_pool_stats nonce_pool_stats;
static size_t number;
static uint64_t moment;
static uint32_t depth;
static kuaimi_rule rule;
static kuaimi_ocsp_answer ocsp_answers[1];

/* What a caller may have left in places for outputs: results that say success, and other bytes than those of the input. */
static void forget_outputs(void)
{
    results[0] = KUAIMI_OK;
    memset(scratch, 0xa5, 64);
}

/* Structures. */
static kuaimi_bytes messages[1];
static kuaimi_sm9_identity identities[1];
static const kuaimi_sm9_options options = {0, 0, 0};
static const kuaimi_password_encryption encryption = {KUAIMI_CIPHER_SM4_CBC, KUAIMI_PBKDF2_HMAC_SM3, 1, 0, 0, 0};
static const kuaimi_cms_sign_options cms_sign_options = {0, KUAIMI_CMS_CONTENT_DETACHED, KUAIMI_CMS_ATTRIBUTES_SIGNED,
                                                         KUAIMI_CMS_IDENTITY_USUAL, KUAIMI_CMS_ID_ISSUER};
static kuaimi_sm2_sign_item sm2_sign_items[1];
static kuaimi_sm2_verify_item sm2_verify_items[1];
static kuaimi_sm2_recover_item sm2_recover_items[1];
static kuaimi_sm2_encrypt_item sm2_encrypt_items[1];
static kuaimi_sm2_decrypt_item sm2_decrypt_items[1];
static kuaimi_sm2_diffie_hellman_item sm2_diffie_hellman_items[1];
static kuaimi_sm2_respond_item sm2_respond_items[1];
static uint8_t gcm_ciphertext[sizeof in], gcm_tag[16];
static kuaimi_sm4_gcm_seal_item sm4_gcm_seal_items[1];
static kuaimi_sm4_gcm_open_item sm4_gcm_open_items[1];
static kuaimi_sm9_sign_item sm9_sign_items[1];
static kuaimi_sm9_verify_item sm9_verify_items[1];
static kuaimi_sm9_encrypt_item sm9_encrypt_items[1];
static kuaimi_sm9_decrypt_item sm9_decrypt_items[1];
static kuaimi_sm9_encapsulate_item sm9_encapsulate_items[1];
static kuaimi_sm9_decapsulate_item sm9_decapsulate_items[1];
static kuaimi_chain_item chain_items[1];
static kuaimi_bytes host_names[1];
static kuaimi_certificate_template certificate_templates[1];
static kuaimi_revoked_item revoked_items[1];
static kuaimi_tlcp_state tlcp_states[1];
static kuaimi_tlcp_suite tlcp_suites[1];

/* What one side has to send, taken by the other; returns how many bytes these were. */
static size_t carry(kuaimi_tlcp_connection *from, kuaimi_tlcp_connection *to)
{
    size_t taken;
    scratch_len = sizeof scratch;
    MUST(kuaimi_tlcp_send(from, scratch, &scratch_len));
    if (scratch_len > 0)
        MUST(kuaimi_tlcp_receive(to, scratch, scratch_len, &taken));
    return scratch_len;
}

/* A client whose handshake has ended, with a byte to read. */
static void make_connection(struct handles *h)
{
    kuaimi_tlcp_connection *server;
    MUST(kuaimi_tlcp_config_new(&h->kuaimi_tlcp_config));
    MUST(kuaimi_tlcp_config_set_dangerous_anyone(h->kuaimi_tlcp_config));
    MUST(kuaimi_tlcp_config_set_pair(h->kuaimi_tlcp_config, h->kuaimi_certificate, h->kuaimi_sm2_private_key,
                                     h->kuaimi_certificate, h->kuaimi_sm2_private_key, NULL, 0));
    MUST(kuaimi_tlcp_server_new(h->kuaimi_tlcp_config, &server));
    MUST(kuaimi_tlcp_client_new(h->kuaimi_tlcp_config, (const uint8_t *)"leaf.example", 12, &h->kuaimi_tlcp_connection));
    while (carry(h->kuaimi_tlcp_connection, server) + carry(server, h->kuaimi_tlcp_connection) > 0)
        continue;
    MUST(kuaimi_tlcp_write(server, in, 1, &number));
    carry(server, h->kuaimi_tlcp_connection);
    kuaimi_tlcp_connection_free(server);
}

static void make_handles(struct handles *h)
{
    MUST(kuaimi_sm3_new(&h->kuaimi_sm3));
    MUST(kuaimi_hmac_sm3_new(in, sizeof in, &h->kuaimi_hmac_sm3));
    MUST(kuaimi_sm4_new(in, &h->kuaimi_sm4));
    MUST(kuaimi_sm4_gcm_new(in, &h->kuaimi_sm4_gcm));
    MUST(kuaimi_sm4_gcm_stream_new(h->kuaimi_sm4_gcm, in, sizeof in, &h->kuaimi_sm4_gcm_stream));
    MUST(kuaimi_sm4_ccm_new(in, &h->kuaimi_sm4_ccm));
    MUST(kuaimi_sm4_cbc_new(in, &h->kuaimi_sm4_cbc));
    MUST(kuaimi_sm4_cfb_new(in, in, &h->kuaimi_sm4_cfb));
    MUST(kuaimi_sm4_ofb_new(in, in, &h->kuaimi_sm4_ofb));
    MUST(kuaimi_sm4_ctr_new(in, in, &h->kuaimi_sm4_ctr));
    MUST(kuaimi_sm4_xts_new(in, KUAIMI_SM4_XTS_GB, &h->kuaimi_sm4_xts));
    MUST(kuaimi_sm2_private_key_from_bytes(in, sizeof in, &h->kuaimi_sm2_private_key));
    MUST(kuaimi_sm2_private_key_public_key(h->kuaimi_sm2_private_key, &h->kuaimi_sm2_public_key));
    MUST(kuaimi_sm2_signing_key_new(h->kuaimi_sm2_private_key, NULL, 0, &h->kuaimi_sm2_signing_key));
    MUST(kuaimi_sm2_verifying_key_new(h->kuaimi_sm2_public_key, NULL, 0, &h->kuaimi_sm2_verifying_key));
    MUST(kuaimi_sm2_exchange_start(h->kuaimi_sm2_private_key, h->kuaimi_sm2_public_key, NULL, 0, NULL, 0,
                                   &h->kuaimi_sm2_initiator, scratch));
    MUST(kuaimi_sm2_exchange_respond(h->kuaimi_sm2_private_key, h->kuaimi_sm2_public_key, NULL, 0, NULL, 0, scratch, 65,
                                     32, &h->kuaimi_sm2_response, scratch_2, scratch_3));
    MUST(kuaimi_sm2_key_cache_new((size_t)1 << 20, &h->kuaimi_sm2_key_cache));
    MUST(kuaimi_sm2_nonce_pool_new(4, &h->kuaimi_sm2_nonce_pool));
    MUST(kuaimi_sm9_master_signing_key_from_bytes(in, sizeof in, &h->kuaimi_sm9_master_signing_key));
    MUST(kuaimi_sm9_master_signing_key_public_key(h->kuaimi_sm9_master_signing_key,
                                                  &h->kuaimi_sm9_master_signing_public_key));
    MUST(kuaimi_sm9_master_encryption_key_from_bytes(in, sizeof in, &h->kuaimi_sm9_master_encryption_key));
    MUST(kuaimi_sm9_master_encryption_key_public_key(h->kuaimi_sm9_master_encryption_key,
                                                     &h->kuaimi_sm9_master_encryption_public_key));
    MUST(kuaimi_sm9_master_signing_key_extract(h->kuaimi_sm9_master_signing_key, in, sizeof in, 0,
                                               &h->kuaimi_sm9_signing_key));
    MUST(kuaimi_sm9_master_encryption_key_extract(h->kuaimi_sm9_master_encryption_key, in, sizeof in, 0,
                                                  &h->kuaimi_sm9_decryption_key));
    MUST(kuaimi_sm9_master_encryption_key_extract_exchange(h->kuaimi_sm9_master_encryption_key, in, sizeof in, 0,
                                                           &h->kuaimi_sm9_exchange_key));
    MUST(kuaimi_sm9_verifying_key_new(h->kuaimi_sm9_master_signing_public_key, in, sizeof in, 0,
                                      &h->kuaimi_sm9_verifying_key));
    MUST(kuaimi_sm9_message_hash_new(&h->kuaimi_sm9_message_hash));
    MUST(kuaimi_sm9_encryption_key_new(h->kuaimi_sm9_master_encryption_public_key, in, sizeof in, 0,
                                       &h->kuaimi_sm9_encryption_key));
    MUST(kuaimi_sm9_exchange_start(h->kuaimi_sm9_exchange_key, in, sizeof in, 0, &h->kuaimi_sm9_initiator, scratch));
    MUST(kuaimi_sm9_exchange_respond(h->kuaimi_sm9_exchange_key, in, sizeof in, 0, scratch, 65, 32,
                                     &h->kuaimi_sm9_response, scratch_2, scratch_3));
    MUST(kuaimi_sm9_identity_cache_new(h->kuaimi_sm9_master_signing_public_key, (size_t)1 << 20,
                                       &h->kuaimi_sm9_identity_cache));
    MUST(kuaimi_certificate_read((const uint8_t *)certificate_pem, sizeof certificate_pem - 1, &h->kuaimi_certificate));
    MUST(kuaimi_request_new(h->kuaimi_sm2_private_key, (const uint8_t *)"CN=leaf", 7, host_names, 1, &h->kuaimi_request));
    MUST(kuaimi_verifier_new(&h->kuaimi_verifier));
    MUST(kuaimi_verifier_add_anchor(h->kuaimi_verifier, h->kuaimi_certificate));
    chain_items[0].end = h->kuaimi_certificate;
    MUST(kuaimi_verifier_verify_batch(h->kuaimi_verifier, chain_items, 1, KUAIMI_PURPOSE_ANY, KUAIMI_REVOCATION_OFF,
                                      KUAIMI_IDENTITIES_USUAL, 1800000000, &h->kuaimi_verdict, results));
    scratch_len = sizeof scratch;
    MUST(kuaimi_cms_sign(h->kuaimi_sm2_private_key, h->kuaimi_certificate, NULL, 0, in, sizeof in, KUAIMI_CMS_FORM_CMS,
                         NULL, scratch, &scratch_len));
    MUST(kuaimi_cms_verify(NULL, 0, scratch, scratch_len, NULL, 0, KUAIMI_IDENTITIES_USUAL, &h->kuaimi_cms_verified));
    MUST(kuaimi_cms_signing_new(&h->kuaimi_certificate, 1, NULL, 0, KUAIMI_CMS_FORM_CMS, &cms_sign_options,
                                &h->kuaimi_cms_signing));
    MUST(kuaimi_cms_signing_digest(h->kuaimi_cms_signing, 0, scratch));
    size_t signature_len = sizeof scratch_2;
    MUST(kuaimi_sm2_sign_digest(h->kuaimi_sm2_signing_key, scratch, KUAIMI_SIGNATURE_DER, scratch_2, &signature_len));
    MUST(kuaimi_cms_signing_put(h->kuaimi_cms_signing, scratch_2, signature_len, 0, KUAIMI_SIGNATURE_DER));
    scratch_len = sizeof scratch;
    MUST(kuaimi_cms_signing_finish(h->kuaimi_cms_signing, scratch, &scratch_len));
    MUST(kuaimi_cms_detached_new(NULL, 0, scratch, scratch_len, KUAIMI_IDENTITIES_USUAL, &h->kuaimi_cms_detached));
    kuaimi_cms_signing_free(h->kuaimi_cms_signing);
    /* Again, with its signature and not ended. */
    MUST(kuaimi_cms_signing_new(&h->kuaimi_certificate, 1, NULL, 0, KUAIMI_CMS_FORM_CMS, &cms_sign_options,
                                &h->kuaimi_cms_signing));
    MUST(kuaimi_cms_signing_put(h->kuaimi_cms_signing, scratch_2, signature_len, 0, KUAIMI_SIGNATURE_DER));
    MUST(kuaimi_cms_encryption_new(&h->kuaimi_certificate, 1, KUAIMI_CMS_FORM_CMS, KUAIMI_CMS_CIPHER_SM4_GCM,
                                   KUAIMI_CMS_ID_ISSUER, KUAIMI_CMS_LENGTH_UNKNOWN, &h->kuaimi_cms_encryption));
    scratch_len = sizeof scratch;
    MUST(kuaimi_pkcs12_write(h->kuaimi_sm2_private_key, h->kuaimi_certificate, NULL, 0, in, sizeof in,
                             KUAIMI_PKCS12_LEGACY, scratch, &scratch_len));
    MUST(kuaimi_pkcs12_read(scratch, scratch_len, in, sizeof in, &h->kuaimi_pkcs12));
    make_connection(h);
}

static void free_handles(struct handles *h)
{
#define FREE(type) type##_free(h->type);
    HANDLES(FREE)
#undef FREE
}

static void make_fixture(void)
{
    size_t len;
    for (size_t i = 0; i < sizeof in; i++)
        in[i] = (uint8_t)(i + 1);
    host_names[0].data = (const uint8_t *)"leaf.example";
    host_names[0].len = 12;
    certificate_templates[0].subject = host_names[0];
    certificate_templates[0].subject.data = (const uint8_t *)"CN=leaf,O=Ex";
    certificate_templates[0].names = host_names;
    certificate_templates[0].name_count = 1;
    certificate_templates[0].not_after = 1800000000;
    certificate_templates[0].purpose = KUAIMI_ISSUE_GENERAL;
    revoked_items[0].serial = host_names[0];
    revoked_items[0].date = 1800000000;
    revoked_items[0].reason = 1;
    make_handles(&good);
    make_handles(&closed);
    free_handles(&closed);

    len = sizeof sm2_signature;
    MUST(kuaimi_sm2_sign(good.kuaimi_sm2_signing_key, in, sizeof in, KUAIMI_SIGNATURE_RAW, sm2_signature, &len));
    len = sizeof sm9_signature;
    MUST(kuaimi_sm9_sign(good.kuaimi_sm9_signing_key, in, sizeof in, KUAIMI_SIGNATURE_RAW, sm9_signature, &len));
    len = sizeof sm2_ciphertext;
    MUST(kuaimi_sm2_encrypt(good.kuaimi_sm2_public_key, in, sizeof in, KUAIMI_SM2_CIPHERTEXT_C1C3C2, sm2_ciphertext,
                            &len));
    MUST(kuaimi_sm9_encrypt(good.kuaimi_sm9_encryption_key, in, sizeof in, NULL, sm9_ciphertext, &sm9_ciphertext_len));
    len = sizeof cbc_ciphertext;
    MUST(kuaimi_sm4_cbc_encrypt_padded(good.kuaimi_sm4_cbc, in, in, sizeof in, cbc_ciphertext, &len));

    certificates[0] = good.kuaimi_certificate;
    private_keys[0] = good.kuaimi_sm2_private_key;
    chain_items[0].end = good.kuaimi_certificate;
    MUST(kuaimi_cms_sign(good.kuaimi_sm2_private_key, good.kuaimi_certificate, NULL, 0, in, sizeof in,
                         KUAIMI_CMS_FORM_CMS, &cms_sign_options, cms_signed, &cms_signed_len));
    MUST(kuaimi_cms_encrypt(certificates, 1, in, sizeof in, KUAIMI_CMS_FORM_CMS, KUAIMI_CMS_CIPHER_SM4_GCM,
                            KUAIMI_CMS_ID_ISSUER, cms_encrypted, &cms_encrypted_len));

    messages[0].data = in;
    messages[0].len = sizeof in;
    identities[0].id = messages[0];
    sm2_sign_items[0].key = good.kuaimi_sm2_signing_key;
    sm2_sign_items[0].content = messages[0];
    sm2_verify_items[0].key = good.kuaimi_sm2_verifying_key;
    sm2_verify_items[0].content = messages[0];
    sm2_verify_items[0].form = KUAIMI_SIGNATURE_RAW;
    sm2_verify_items[0].signature.data = sm2_signature;
    sm2_verify_items[0].signature.len = sizeof sm2_signature;
    sm2_recover_items[0].digest = messages[0];
    sm2_recover_items[0].form = KUAIMI_SIGNATURE_RAW;
    sm2_recover_items[0].signature = sm2_verify_items[0].signature;
    sm2_encrypt_items[0].key = good.kuaimi_sm2_public_key;
    sm2_encrypt_items[0].message = messages[0];
    sm2_encrypt_items[0].out = scratch;
    sm2_encrypt_items[0].out_len = sizeof scratch;
    sm2_decrypt_items[0].key = good.kuaimi_sm2_private_key;
    sm2_decrypt_items[0].ciphertext.data = sm2_ciphertext;
    sm2_decrypt_items[0].ciphertext.len = sizeof sm2_ciphertext;
    sm2_decrypt_items[0].out = scratch;
    sm2_decrypt_items[0].out_len = sizeof scratch;
    sm2_diffie_hellman_items[0].key = good.kuaimi_sm2_private_key;
    sm2_diffie_hellman_items[0].peer = good.kuaimi_sm2_public_key;
    sm2_respond_items[0].key = good.kuaimi_sm2_private_key;
    sm2_respond_items[0].peer = good.kuaimi_sm2_public_key;
    /* A ciphertext begins with a point. */
    sm2_respond_items[0].r_a.data = sm2_ciphertext;
    sm2_respond_items[0].r_a.len = KUAIMI_SM2_POINT_LEN;
    sm4_gcm_seal_items[0].key = in;
    sm4_gcm_seal_items[0].nonce = messages[0];
    sm4_gcm_seal_items[0].data = messages[0];
    sm4_gcm_seal_items[0].out = gcm_ciphertext;
    sm4_gcm_seal_items[0].tag = gcm_tag;
    MUST(kuaimi_sm4_gcm_seal_batch(sm4_gcm_seal_items, 1, results));
    sm4_gcm_seal_items[0].out = scratch;
    sm4_gcm_seal_items[0].tag = scratch_2;
    sm4_gcm_open_items[0].key = in;
    sm4_gcm_open_items[0].nonce = messages[0];
    sm4_gcm_open_items[0].data.data = gcm_ciphertext;
    sm4_gcm_open_items[0].data.len = sizeof gcm_ciphertext;
    sm4_gcm_open_items[0].tag = gcm_tag;
    sm4_gcm_open_items[0].out = scratch;
    sm9_sign_items[0].key = good.kuaimi_sm9_signing_key;
    sm9_sign_items[0].message = messages[0];
    sm9_verify_items[0].key = good.kuaimi_sm9_verifying_key;
    sm9_verify_items[0].message = messages[0];
    sm9_verify_items[0].form = KUAIMI_SIGNATURE_RAW;
    sm9_verify_items[0].signature.data = sm9_signature;
    sm9_verify_items[0].signature.len = sizeof sm9_signature;
    sm9_encrypt_items[0].key = good.kuaimi_sm9_encryption_key;
    sm9_encrypt_items[0].message = messages[0];
    sm9_encrypt_items[0].out = scratch;
    sm9_encrypt_items[0].out_len = sizeof scratch;
    sm9_decrypt_items[0].key = good.kuaimi_sm9_decryption_key;
    sm9_decrypt_items[0].ciphertext.data = sm9_ciphertext;
    sm9_decrypt_items[0].ciphertext.len = sm9_ciphertext_len;
    sm9_decrypt_items[0].out = scratch;
    sm9_decrypt_items[0].out_len = sizeof scratch;
    sm9_encapsulate_items[0].key = good.kuaimi_sm9_encryption_key;
    sm9_encapsulate_items[0].derived = scratch;
    sm9_encapsulate_items[0].derived_len = 32;
    sm9_encapsulate_items[0].c = scratch_2;
    MUST(kuaimi_sm9_encapsulate(good.kuaimi_sm9_encryption_key, scratch, 32, scratch_3));
    sm9_decapsulate_items[0].key = good.kuaimi_sm9_decryption_key;
    sm9_decapsulate_items[0].c.data = scratch_3;
    sm9_decapsulate_items[0].c.len = 65;
    sm9_decapsulate_items[0].derived = scratch;
    sm9_decapsulate_items[0].derived_len = 32;
}

#endif
