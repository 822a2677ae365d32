/* Records of TLS 1.2 and before, and of TLCP, as libssl has them protected: Kuaimi's beside the library's own, with right records
   and altered ones; and the premaster secrets of TLCP. */
#include "check.h"

enum { OUR_SIDE, THEIR_SIDE, SIDES };

#define BLOCK 16
#define LONGEST_MAC 64
#define ROOM (16384 + 2048)

static OSSL_LIB_CTX *library;

static EVP_CIPHER_CTX *context(int side, const char *name, const unsigned char *key, const unsigned char *iv, int encrypt)
{
    EVP_CIPHER *cipher = EVP_CIPHER_fetch(library, name, side == OUR_SIDE ? OURS : THEIRS);
    EVP_CIPHER_CTX *made = EVP_CIPHER_CTX_new();
    CHECK(cipher != NULL && made != NULL);
    CHECK(EVP_CipherInit_ex(made, cipher, NULL, key, iv, encrypt));
    EVP_CIPHER_free(cipher);
    return made;
}

/* What is preferred is Kuaimi's. */
static void preferred(void)
{
    EVP_CIPHER *cbc = EVP_CIPHER_fetch(library, "SM4-CBC", NULL);
    EVP_CIPHER *gcm = EVP_CIPHER_fetch(library, "SM4-GCM", NULL);
    EVP_KEYMGMT *keys = EVP_KEYMGMT_fetch(library, "SM2", NULL);
    CHECK(strcmp(OSSL_PROVIDER_get0_name(EVP_CIPHER_get0_provider(cbc)), "kuaimi") == 0);
    CHECK(strcmp(OSSL_PROVIDER_get0_name(EVP_CIPHER_get0_provider(gcm)), "kuaimi") == 0);
    CHECK(strcmp(OSSL_PROVIDER_get0_name(EVP_KEYMGMT_get0_provider(keys)), "kuaimi") == 0);
#ifdef TONGSUO_VERSION_MAJOR
    EVP_KEYEXCH *exchange = EVP_KEYEXCH_fetch(library, "SM2DH", NULL);
    CHECK(strcmp(OSSL_PROVIDER_get0_name(EVP_KEYEXCH_get0_provider(exchange)), "kuaimi") == 0);
    EVP_KEYEXCH_free(exchange);
#endif
    EVP_CIPHER_free(cbc);
    EVP_CIPHER_free(gcm);
    EVP_KEYMGMT_free(keys);
}

/* CBC */

static int set_version(EVP_CIPHER_CTX *made, unsigned int version, size_t mac_length)
{
    OSSL_PARAM params[] = {
        OSSL_PARAM_construct_uint(OSSL_CIPHER_PARAM_TLS_VERSION, &version),
        OSSL_PARAM_construct_size_t(OSSL_CIPHER_PARAM_TLS_MAC_SIZE, &mac_length),
        OSSL_PARAM_construct_end(),
    };
    return EVP_CIPHER_CTX_set_params(made, params);
}

static const unsigned char *get_mac(EVP_CIPHER_CTX *made, size_t mac_length)
{
    void *mac = NULL;
    OSSL_PARAM params[] = {
        OSSL_PARAM_construct_octet_ptr(OSSL_CIPHER_PARAM_TLS_MAC, &mac, mac_length),
        OSSL_PARAM_construct_end(),
    };
    CHECK(EVP_CIPHER_CTX_get_params(made, params));
    CHECK(mac_length == 0 || params[0].return_size == mac_length);
    return mac;
}

/* Several records under one key: both sides give the same. */
static void cbc_encrypts(unsigned int version, size_t mac_length)
{
    static unsigned char record[SIDES][ROOM];
    unsigned char key[16], iv[BLOCK];
    EVP_CIPHER_CTX *made[SIDES];
    random_bytes(key, sizeof key);
    random_bytes(iv, sizeof iv);
    for (int side = 0; side < SIDES; side++) {
        made[side] = context(side, "SM4-CBC", key, iv, 1);
        CHECK(set_version(made[side], version, mac_length));
    }
    for (size_t length = 0; length < 100; length++) {
        size_t input = length < 90 ? length : 16384 - 5 + length;
        int written[SIDES];
        random_bytes(record[OUR_SIDE], input);
        memcpy(record[THEIR_SIDE], record[OUR_SIDE], input);
        for (int side = 0; side < SIDES; side++) {
            memset(record[side] + input, 0xaa, ROOM - input);
            CHECK(EVP_CipherUpdate(made[side], record[side], &written[side], record[side], (int)input));
        }
        CHECK(written[OUR_SIDE] == written[THEIR_SIDE]);
        /* With what is after the record. */
        CHECK(memcmp(record[OUR_SIDE], record[THEIR_SIDE], ROOM) == 0);
    }
    for (int side = 0; side < SIDES; side++) {
        unsigned char out[BLOCK];
        int written;
        CHECK_FAILS(EVP_CipherFinal_ex(made[side], out, &written));
        EVP_CIPHER_CTX_free(made[side]);
    }
}

/* A record with these contents, right or not: both sides agree on it. */
static void cbc_decrypts(EVP_CIPHER_CTX **made, EVP_CIPHER_CTX *plain, unsigned int version, const unsigned char *contents,
                         size_t length, size_t mac_length, int right)
{
    static unsigned char record[SIDES][ROOM];
    const unsigned char *mac[SIDES];
    int written, results[SIDES], lengths[SIDES] = {-1, -1};
    size_t explicit = version == 0x0301 ? 0 : BLOCK;
    CHECK(EVP_CipherUpdate(plain, record[0], &written, contents, (int)length) && written == (int)length);
    memcpy(record[1], record[0], length);
    for (int side = 0; side < SIDES; side++)
        results[side] = EVP_CipherUpdate(made[side], record[side], &lengths[side], record[side], (int)length);
    CHECK(results[OUR_SIDE] == results[THEIR_SIDE]);
    if (results[OUR_SIDE] <= 0) {
        CHECK(!right);
        ERR_clear_error();
        return;
    }
    CHECK(lengths[OUR_SIDE] == lengths[THEIR_SIDE]);
    size_t taken = (size_t)lengths[OUR_SIDE];
    CHECK(memcmp(record[OUR_SIDE] + explicit, contents + explicit, taken) == 0);
    if (mac_length == 0)
        return;
    for (int side = 0; side < SIDES; side++)
        mac[side] = get_mac(made[side], mac_length);
    CHECK((memcmp(mac[OUR_SIDE], contents + explicit + taken, mac_length) == 0) == right);
    CHECK((memcmp(mac[THEIR_SIDE], contents + explicit + taken, mac_length) == 0) == right);
}

static void cbc_opens(unsigned int version, size_t mac_length)
{
    static unsigned char contents[ROOM];
    unsigned char key[16], iv[BLOCK];
    EVP_CIPHER_CTX *made[SIDES], *plain;
    size_t explicit = version == 0x0301 ? 0 : BLOCK;
    random_bytes(key, sizeof key);
    random_bytes(iv, sizeof iv);
    plain = context(THEIR_SIDE, "SM4-CBC", key, iv, 1);
    CHECK(EVP_CIPHER_CTX_set_padding(plain, 0));
    for (int side = 0; side < SIDES; side++) {
        made[side] = context(side, "SM4-CBC", key, iv, 0);
        CHECK(set_version(made[side], version, mac_length));
    }
    for (size_t padding = 1; padding <= 256; padding++) {
        for (int round = 0; round < 8; round++) {
            size_t least = explicit + mac_length + padding;
            size_t length = (least + BLOCK - 1) / BLOCK * BLOCK + BLOCK * (round == 0 ? 0 : random_below(round == 7 ? 1000 : 20));
            random_bytes(contents, length);
            memset(contents + length - padding, (int)(padding - 1), padding);
            cbc_decrypts(made, plain, version, contents, length, mac_length, 1);
            /* One byte of the padding altered, but not the last, with which it might become another padding. */
            size_t at = length - 1 - random_below(padding);
            contents[at] ^= (unsigned char)(1 << random_below(8));
            if (at != length - 1)
                cbc_decrypts(made, plain, version, contents, length, mac_length, 0);
            /* A padding that is longer than the record. */
            if (least <= 256) {
                memset(contents, 255, length);
                if (explicit + mac_length + 256 > length)
                    cbc_decrypts(made, plain, version, contents, length, mac_length, 0);
            }
        }
    }
    /* Too short for the block of the IV, the MAC and a padding. libssl passes on no record that is not whole blocks. */
    for (size_t length = BLOCK; length < explicit + mac_length + 1; length += BLOCK) {
        int written;
        CHECK_FAILS(EVP_CipherUpdate(made[OUR_SIDE], contents, &written, contents, (int)length));
    }
    for (size_t length = 1; length < 64; length++) {
        int written;
        if (length % BLOCK != 0)
            CHECK_FAILS(EVP_CipherUpdate(made[OUR_SIDE], contents, &written, contents, (int)length));
    }
    for (int side = 0; side < SIDES; side++)
        EVP_CIPHER_CTX_free(made[side]);
    EVP_CIPHER_CTX_free(plain);
}

/* No two wrong paddings give the same MAC. */
static void wrong_paddings_give_random_macs(void)
{
    unsigned char key[16] = {1}, iv[BLOCK] = {2}, record[128], copy[128], before[32];
    EVP_CIPHER_CTX *made = context(OUR_SIDE, "SM4-CBC", key, iv, 0);
    int written;
    CHECK(set_version(made, 0x0101, 32));
    random_bytes(record, sizeof record);
    memset(before, 0, sizeof before);
    for (int round = 0; round < 100; round++) {
        memcpy(copy, record, sizeof record);
        CHECK(EVP_CipherInit_ex(made, NULL, NULL, NULL, iv, -1));
        CHECK(EVP_CipherUpdate(made, copy, &written, copy, sizeof copy));
        const unsigned char *mac = get_mac(made, 32);
        CHECK(memcmp(mac, before, sizeof before) != 0);
        memcpy(before, mac, sizeof before);
    }
    EVP_CIPHER_CTX_free(made);
}

static void versions_without_such_records_are_refused(void)
{
    unsigned char key[16] = {1}, iv[BLOCK] = {2};
    EVP_CIPHER_CTX *made = context(OUR_SIDE, "SM4-CBC", key, iv, 0);
    CHECK_FAILS(set_version(made, 0x0300, 32));
    CHECK_FAILS(set_version(made, 0x0304, 32));
    CHECK_FAILS(set_version(made, 0x0303, LONGEST_MAC + 1));
    EVP_CIPHER_CTX_free(made);
}

/* GCM and CCM */

#define EXPLICIT 8
#define HEADER 13

static EVP_CIPHER_CTX *aead(int side, const char *name, const unsigned char *key, unsigned char *fixed, size_t tag_length,
                            int encrypt)
{
    if (strcmp(name, "SM4-GCM") == 0) {
        EVP_CIPHER_CTX *made = context(side, name, key, NULL, encrypt);
        CHECK(EVP_CIPHER_CTX_ctrl(made, EVP_CTRL_GCM_SET_IV_FIXED, 4, fixed) > 0);
        return made;
    }
    EVP_CIPHER_CTX *made = context(side, name, NULL, NULL, encrypt);
    CHECK(EVP_CIPHER_CTX_ctrl(made, EVP_CTRL_AEAD_SET_IVLEN, 12, NULL) > 0);
    CHECK(EVP_CIPHER_CTX_ctrl(made, EVP_CTRL_AEAD_SET_TAG, (int)tag_length, NULL) > 0);
    CHECK(EVP_CIPHER_CTX_ctrl(made, EVP_CTRL_CCM_SET_IV_FIXED, 4, fixed) > 0);
    CHECK(EVP_CipherInit_ex(made, NULL, NULL, key, NULL, encrypt));
    return made;
}

/* The associated data of a record; gives the length that the tag adds. */
static int set_header(EVP_CIPHER_CTX *made, uint64_t sequence, size_t length)
{
    unsigned char header[HEADER];
    for (int i = 0; i < 8; i++)
        header[i] = (unsigned char)(sequence >> (56 - 8 * i));
    header[8] = 23;
    header[9] = 1;
    header[10] = 1;
    header[11] = (unsigned char)(length >> 8);
    header[12] = (unsigned char)length;
    return EVP_CIPHER_CTX_ctrl(made, EVP_CTRL_AEAD_TLS1_AAD, HEADER, header);
}

/* Records of one side are opened by the other, and altered ones by none. */
static void aead_records(const char *name, size_t tag_length, int sender)
{
    static unsigned char contents[ROOM], record[ROOM], copy[ROOM], explicit[EXPLICIT];
    unsigned char key[16], fixed[4];
    EVP_CIPHER_CTX *writer, *reader;
    int written, counts = strcmp(name, "SM4-GCM") == 0;
    random_bytes(key, sizeof key);
    random_bytes(fixed, sizeof fixed);
    writer = aead(sender, name, key, fixed, tag_length, 1);
    reader = aead(!sender, name, key, fixed, tag_length, 0);
    for (uint64_t sequence = 0; sequence < 100; sequence++) {
        size_t length = sequence < 90 ? (size_t)sequence : 16384 + (size_t)sequence - 99;
        size_t whole = EXPLICIT + length + tag_length;
        random_bytes(contents, length);
        memset(record, 0xaa, EXPLICIT);
        memcpy(record + EXPLICIT, contents, length);
        CHECK(set_header(writer, sequence, EXPLICIT + length) == (int)tag_length);
        CHECK(EVP_CipherUpdate(writer, record, &written, record, (int)whole) && written == (int)whole);
        /* Explicit nonces are counted up: from a random number, or as the sequence is. */
        if (sequence > 0 || !counts) {
            uint64_t found = 0, before = 0;
            for (int i = 0; i < EXPLICIT; i++) {
                found = found << 8 | record[i];
                before = before << 8 | explicit[i];
            }
            CHECK(found == (counts ? before + 1 : sequence));
        }
        memcpy(explicit, record, EXPLICIT);

        size_t at[] = {random_below(EXPLICIT), EXPLICIT, EXPLICIT + length, whole - 1};
        for (size_t i = 0; i < sizeof at / sizeof *at; i++) {
            memcpy(copy, record, whole);
            copy[at[i]] ^= 0x10;
            CHECK(set_header(reader, sequence, whole) == (int)tag_length);
            CHECK_FAILS(EVP_CipherUpdate(reader, copy, &written, copy, (int)whole));
            /* No byte of what was decrypted. */
            CHECK(length < 16 || memcmp(copy + EXPLICIT, contents, length) != 0);
        }
        memcpy(copy, record, whole);
        CHECK(set_header(reader, sequence + 1, whole) == (int)tag_length);
        CHECK_FAILS(EVP_CipherUpdate(reader, copy, &written, copy, (int)whole));

        CHECK(set_header(reader, sequence, whole) == (int)tag_length);
        CHECK(EVP_CipherUpdate(reader, record, &written, record, (int)whole) && written == (int)length);
        CHECK(memcmp(record + EXPLICIT, contents, length) == 0);
    }
    EVP_CIPHER_CTX_free(writer);
    EVP_CIPHER_CTX_free(reader);
}

static void aead_refusals(const char *name, size_t tag_length)
{
    unsigned char key[16] = {1}, fixed[5] = {2}, record[EXPLICIT + 16] = {0};
    int written, counts = strcmp(name, "SM4-GCM") == 0;
    EVP_CIPHER_CTX *writer = aead(OUR_SIDE, name, key, fixed, tag_length, 1);
    EVP_CIPHER_CTX *reader = aead(OUR_SIDE, name, key, fixed, tag_length, 0);
    CHECK_FAILS(EVP_CIPHER_CTX_ctrl(writer, EVP_CTRL_AEAD_TLS1_AAD, HEADER - 1, record));
    CHECK_FAILS(set_header(writer, 0, EXPLICIT - 1));
    CHECK_FAILS(set_header(reader, 0, EXPLICIT + tag_length - 1));
    CHECK_FAILS(EVP_CIPHER_CTX_ctrl(writer, EVP_CTRL_GCM_SET_IV_FIXED, counts ? 3 : 5, fixed));
    CHECK_FAILS(EVP_CIPHER_CTX_ctrl(writer, EVP_CTRL_GCM_SET_IV_FIXED, counts ? 5 : 3, fixed));
    CHECK(set_header(reader, 0, EXPLICIT + tag_length) == (int)tag_length);
    CHECK_FAILS(EVP_CipherUpdate(reader, record, &written, record, (int)(EXPLICIT + tag_length - 1)));
    EVP_CIPHER_CTX_free(writer);
    EVP_CIPHER_CTX_free(reader);
}

/* Nonces that are counted, outside of records: EVP_CTRL_GCM_IV_GEN and EVP_CTRL_GCM_SET_IV_INV. */
static void counted_nonces(void)
{
    unsigned char key[16], nonce[12];
    EVP_CIPHER_CTX *writer[SIDES], *reader;
    random_bytes(key, sizeof key);
    random_bytes(nonce, sizeof nonce);
    /* The counter overflows on the way, and nothing before it changes. */
    memset(nonce + 4, 0xff, 7);
    for (int side = 0; side < SIDES; side++) {
        writer[side] = context(side, "SM4-GCM", key, NULL, 1);
        CHECK(EVP_CIPHER_CTX_ctrl(writer[side], EVP_CTRL_GCM_SET_IV_FIXED, -1, nonce) > 0);
    }
    reader = context(OUR_SIDE, "SM4-GCM", key, NULL, 0);
    CHECK(EVP_CIPHER_CTX_ctrl(reader, EVP_CTRL_GCM_SET_IV_FIXED, 4, nonce) > 0);
    for (int round = 0; round < 400; round++) {
        unsigned char message[40], sealed[SIDES][40], tag[SIDES][16], explicit[SIDES][12], last[BLOCK];
        int written, part = 1 + (int)random_below(12);
        random_bytes(message, sizeof message);
        for (int side = 0; side < SIDES; side++) {
            CHECK(EVP_CIPHER_CTX_ctrl(writer[side], EVP_CTRL_GCM_IV_GEN, round % 2 ? 8 : part, explicit[side]) > 0);
            CHECK(EVP_CipherUpdate(writer[side], sealed[side], &written, message, sizeof message));
            CHECK(EVP_CipherFinal_ex(writer[side], last, &written));
            CHECK(EVP_CIPHER_CTX_ctrl(writer[side], EVP_CTRL_AEAD_GET_TAG, 16, tag[side]) > 0);
        }
        CHECK(memcmp(explicit[OUR_SIDE], explicit[THEIR_SIDE], round % 2 ? 8 : (size_t)part) == 0);
        CHECK(memcmp(sealed[OUR_SIDE], sealed[THEIR_SIDE], sizeof message) == 0);
        CHECK(memcmp(tag[OUR_SIDE], tag[THEIR_SIDE], 16) == 0);
        if (round % 2) {
            CHECK(EVP_CIPHER_CTX_ctrl(reader, EVP_CTRL_GCM_SET_IV_INV, 8, explicit[OUR_SIDE]) > 0);
            CHECK(EVP_CIPHER_CTX_ctrl(reader, EVP_CTRL_AEAD_SET_TAG, 16, tag[OUR_SIDE]) > 0);
            CHECK(EVP_CipherUpdate(reader, sealed[0], &written, sealed[0], sizeof message));
            CHECK(EVP_CipherFinal_ex(reader, last, &written));
            CHECK(memcmp(sealed[0], message, sizeof message) == 0);
        }
    }
    /* No message without a nonce of its own. */
    unsigned char out[BLOCK];
    int written;
    CHECK_FAILS(EVP_CipherUpdate(writer[OUR_SIDE], out, &written, out, sizeof out));
    CHECK_FAILS(EVP_CIPHER_CTX_ctrl(writer[OUR_SIDE], EVP_CTRL_GCM_SET_IV_INV, 8, nonce));
    for (int side = 0; side < SIDES; side++)
        EVP_CIPHER_CTX_free(writer[side]);
    EVP_CIPHER_CTX_free(reader);
}

/* Premaster secrets of TLCP */

#define PREMASTER 48

static int decrypt_premaster(EVP_PKEY *key, int side, unsigned int version, const unsigned char *in, size_t length,
                             unsigned char *out)
{
    size_t written = PREMASTER;
    EVP_PKEY_CTX *made = EVP_PKEY_CTX_new_from_pkey(library, key, side == OUR_SIDE ? OURS : THEIRS);
    OSSL_PARAM params[] = {OSSL_PARAM_construct_uint(OSSL_ASYM_CIPHER_PARAM_TLS_CLIENT_VERSION, &version), OSSL_PARAM_construct_end()};
    CHECK(made != NULL && EVP_PKEY_decrypt_init(made) > 0 && EVP_PKEY_CTX_set_params(made, params) > 0);
    int result = EVP_PKEY_decrypt(made, out, &written, in, length);
    CHECK(result <= 0 || version == 0 || written == PREMASTER);
    EVP_PKEY_CTX_free(made);
    return result;
}

static void premaster_secrets(int side)
{
    unsigned char message[PREMASTER + 1], sealed[256], out[PREMASTER], again[PREMASTER], short_out[PREMASTER - 1];
    EVP_PKEY *key = EVP_PKEY_Q_keygen(library, "?" OURS, "SM2");
    CHECK(key != NULL);
    for (size_t length = PREMASTER - 1; length <= PREMASTER + 1; length++) {
        size_t sealed_length = sizeof sealed;
        EVP_PKEY_CTX *made = EVP_PKEY_CTX_new_from_pkey(library, key, OURS);
        random_bytes(message, sizeof message);
        message[0] = message[1] = 1;
        CHECK(made != NULL && EVP_PKEY_encrypt_init(made) > 0);
        CHECK(EVP_PKEY_encrypt(made, sealed, &sealed_length, message, length) > 0);
        EVP_PKEY_CTX_free(made);

        CHECK(decrypt_premaster(key, side, 0x0101, sealed, sealed_length, out) > 0);
        CHECK((memcmp(out, message, PREMASTER) == 0) == (length == PREMASTER));
        /* Another version, in each of its bytes; an altered ciphertext; a part of one. All are random bytes. */
        for (int round = 0; round < 4; round++) {
            unsigned char altered[256];
            unsigned int version = round == 0 ? 0x0102 : round == 1 ? 0x0201 : 0x0101;
            size_t part = sealed_length - (round == 3);
            memcpy(altered, sealed, sealed_length);
            altered[sealed_length - 1] ^= round == 2;
            CHECK(decrypt_premaster(key, side, version, altered, part, out) > 0);
            CHECK(decrypt_premaster(key, side, version, altered, part, again) > 0);
            CHECK(memcmp(out, message, PREMASTER) != 0 && memcmp(out, again, PREMASTER) != 0);
            if (round >= 2)
                CHECK_FAILS(decrypt_premaster(key, side, 0, altered, part, out));
        }
    }
    size_t written = sizeof short_out;
    unsigned int version = 0x0101;
    EVP_PKEY_CTX *made = EVP_PKEY_CTX_new_from_pkey(library, key, OURS);
    OSSL_PARAM params[] = {OSSL_PARAM_construct_uint(OSSL_ASYM_CIPHER_PARAM_TLS_CLIENT_VERSION, &version), OSSL_PARAM_construct_end()};
    CHECK(made != NULL && EVP_PKEY_decrypt_init(made) > 0 && EVP_PKEY_CTX_set_params(made, params) > 0);
    CHECK_FAILS(EVP_PKEY_decrypt(made, short_out, &written, sealed, sizeof sealed));
    EVP_PKEY_CTX_free(made);
    EVP_PKEY_free(key);
}

int main(void)
{
    static const unsigned int versions[] = {0x0301, 0x0302, 0x0303, 0xfeff, 0xfefd,
#ifdef TONGSUO_VERSION_MAJOR
                                            0x0101,
#endif
    };
    static const size_t macs[] = {0, 20, 32, 48};
    library = with_both();
    preferred();
    for (size_t version = 0; version < sizeof versions / sizeof *versions; version++)
        for (size_t mac = 0; mac < sizeof macs / sizeof *macs; mac++) {
            cbc_encrypts(versions[version], macs[mac]);
            cbc_opens(versions[version], macs[mac]);
        }
    wrong_paddings_give_random_macs();
    versions_without_such_records_are_refused();
    for (int sender = 0; sender < SIDES; sender++) {
        aead_records("SM4-GCM", 16, sender);
        aead_records("SM4-CCM", 16, sender);
        aead_records("SM4-CCM", 8, sender);
    }
    aead_refusals("SM4-GCM", 16);
    aead_refusals("SM4-CCM", 16);
    aead_refusals("SM4-CCM", 8);
    counted_nonces();
    premaster_secrets(OUR_SIDE);
#ifdef TONGSUO_VERSION_MAJOR
    premaster_secrets(THEIR_SIDE);
#endif
    free_both(library);
    return 0;
}
