/* Published examples. A line of the standard input is one: words between spaces, bytes in hexadecimal digits, "-" where there are none.
 *
 *   digest NAME MESSAGE DIGEST
 *   mac DIGEST-NAME KEY MESSAGE MAC
 *   cipher NAME KEY IV AAD TAG PLAINTEXT CIPHERTEXT STANDARD
 *   verify PKCS8 DIGEST SIGNATURE
 *   decrypt PKCS8 CIPHERTEXT MESSAGE
 */
#include "check.h"
#include <openssl/x509.h>

static OSSL_LIB_CTX *library;

/* The properties of what is tested: Kuaimi's, or the library's own, for which the program itself is tested. */
static const char *properties = OURS;

struct bytes {
    unsigned char *data;
    size_t length;
};

static struct bytes parse(const char *digits)
{
    struct bytes bytes = {OPENSSL_zalloc(1), 0};
    long length;
    if (strcmp(digits, "-") == 0)
        return bytes;
    OPENSSL_free(bytes.data);
    CHECK((bytes.data = OPENSSL_hexstr2buf(digits, &length)) != NULL);
    bytes.length = (size_t)length;
    return bytes;
}

static int same(struct bytes expected, const unsigned char *data, size_t length)
{
    return expected.length == length && memcmp(expected.data, data, length) == 0;
}

static void digest(char **words)
{
    struct bytes message = parse(words[1]), expected = parse(words[2]);
    EVP_MD *algorithm = EVP_MD_fetch(library, words[0], properties);
    CHECK(algorithm != NULL);
    for (size_t cut = 0; cut <= message.length; cut++) {
        unsigned char out[EVP_MAX_MD_SIZE];
        unsigned int length;
        EVP_MD_CTX *context = EVP_MD_CTX_new();
        CHECK(EVP_DigestInit_ex2(context, algorithm, NULL));
        CHECK(EVP_DigestUpdate(context, message.data, cut));
        CHECK(EVP_DigestUpdate(context, message.data + cut, message.length - cut));
        CHECK(EVP_DigestFinal_ex(context, out, &length));
        CHECK(same(expected, out, length));
        EVP_MD_CTX_free(context);
    }
    EVP_MD_free(algorithm);
    OPENSSL_free(message.data);
    OPENSSL_free(expected.data);
}

static void mac(char **words)
{
    struct bytes key = parse(words[1]), message = parse(words[2]), expected = parse(words[3]);
    unsigned char out[EVP_MAX_MD_SIZE];
    size_t length;
    CHECK(EVP_Q_mac(library, "HMAC", THEIRS, words[0], NULL, key.data, key.length, message.data, message.length, out,
                    sizeof out, &length));
    CHECK(same(expected, out, length));
    OPENSSL_free(key.data);
    OPENSSL_free(message.data);
    OPENSSL_free(expected.data);
}

/* Encrypts or decrypts in pieces of `piece` bytes. */
static void crypt_in_pieces(const EVP_CIPHER *algorithm, char **words, int encrypt, size_t piece)
{
    struct bytes key = parse(words[1]), iv = parse(words[2]), aad = parse(words[3]), tag = parse(words[4]);
    struct bytes from = parse(words[encrypt ? 5 : 6]), to = parse(words[encrypt ? 6 : 5]);
    int mode = EVP_CIPHER_get_mode(algorithm);
    int aead = mode == EVP_CIPH_GCM_MODE || mode == EVP_CIPH_CCM_MODE;
    /* Of these the message comes whole. */
    if (mode == EVP_CIPH_CCM_MODE || mode == EVP_CIPH_XTS_MODE)
        piece = from.length;
    EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
    CHECK(EVP_CipherInit_ex2(context, algorithm, NULL, NULL, encrypt, NULL));
    OSSL_PARAM params[2] = {OSSL_PARAM_END, OSSL_PARAM_END};
    if (strcmp(words[7], "-") != 0)
        params[0] = OSSL_PARAM_construct_utf8_string("xts_standard", words[7], 0);
    if (aead) {
        CHECK(EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_IVLEN, (int)iv.length, NULL));
        if (!encrypt || mode == EVP_CIPH_CCM_MODE)
            CHECK(EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, (int)tag.length, encrypt ? NULL : tag.data));
    }
    CHECK(EVP_CipherInit_ex2(context, NULL, key.data, iv.length ? iv.data : NULL, encrypt, params));
    CHECK(EVP_CIPHER_CTX_set_padding(context, 0));
    unsigned char *out = OPENSSL_zalloc(from.length + EVP_MAX_BLOCK_LENGTH), last[EVP_MAX_BLOCK_LENGTH];
    int length, total = 0;
    if (mode == EVP_CIPH_CCM_MODE)
        CHECK(EVP_CipherUpdate(context, NULL, &length, NULL, (int)from.length));
    if (aad.length != 0)
        CHECK(EVP_CipherUpdate(context, NULL, &length, aad.data, (int)aad.length));
    for (size_t done = 0; done < from.length; done += piece) {
        size_t now = from.length - done < piece ? from.length - done : piece;
        CHECK(EVP_CipherUpdate(context, out + total, &length, from.data + done, (int)now));
        total += length;
    }
    CHECK(EVP_CipherFinal_ex(context, last, &length));
    CHECK(length == 0);
    CHECK(same(to, out, (size_t)total));
    if (aead && encrypt) {
        unsigned char computed[16];
        CHECK(EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, (int)tag.length, computed));
        CHECK(same(tag, computed, tag.length));
    }
    EVP_CIPHER_CTX_free(context);
    OPENSSL_free(out);
    OPENSSL_free(key.data);
    OPENSSL_free(iv.data);
    OPENSSL_free(aad.data);
    OPENSSL_free(tag.data);
    OPENSSL_free(from.data);
    OPENSSL_free(to.data);
}

static void cipher(char **words)
{
    EVP_CIPHER *algorithm = EVP_CIPHER_fetch(library, words[0], properties);
    CHECK(algorithm != NULL);
    for (size_t piece = 1; piece <= 1 + strlen(words[5]) / 2; piece++) {
        crypt_in_pieces(algorithm, words, 1, piece);
        crypt_in_pieces(algorithm, words, 0, piece);
    }
    EVP_CIPHER_free(algorithm);
}

/* A context for the private key in `der`. */
static EVP_PKEY_CTX *with_key(struct bytes der)
{
    const unsigned char *place = der.data;
    EVP_PKEY *key = d2i_AutoPrivateKey_ex(NULL, &place, (long)der.length, library, NULL);
    CHECK(key != NULL);
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_pkey(library, key, properties);
    CHECK(context != NULL);
    EVP_PKEY_free(key);
    return context;
}

static void verify(char **words)
{
    struct bytes der = parse(words[0]), digest = parse(words[1]), signature = parse(words[2]);
    EVP_PKEY_CTX *context = with_key(der);
    CHECK(EVP_PKEY_verify_init(context) == 1);
    CHECK(EVP_PKEY_verify(context, signature.data, signature.length, digest.data, digest.length) == 1);
    digest.data[0] ^= 1;
    CHECK_FAILS(EVP_PKEY_verify(context, signature.data, signature.length, digest.data, digest.length));
    EVP_PKEY_CTX_free(context);
    OPENSSL_free(der.data);
    OPENSSL_free(digest.data);
    OPENSSL_free(signature.data);
}

static void decrypt(char **words)
{
    struct bytes der = parse(words[0]), ciphertext = parse(words[1]), message = parse(words[2]);
    unsigned char out[256];
    size_t length = sizeof out;
    EVP_PKEY_CTX *context = with_key(der);
    CHECK(EVP_PKEY_decrypt_init(context) == 1);
    CHECK(EVP_PKEY_decrypt(context, out, &length, ciphertext.data, ciphertext.length) == 1);
    CHECK(same(message, out, length));
    EVP_PKEY_CTX_free(context);
    OPENSSL_free(der.data);
    OPENSSL_free(ciphertext.data);
    OPENSSL_free(message.data);
}

static const struct {
    const char *name;
    int words;
    void (*test)(char **words);
} kinds[] = {{"digest", 3, digest}, {"mac", 4, mac}, {"cipher", 8, cipher}, {"verify", 3, verify}, {"decrypt", 3, decrypt}};

int main(int count, char **arguments)
{
    static char line[1 << 16];
    int lines = 0;
    library = with_both();
    if (count > 1)
        properties = arguments[1];
    while (fgets(line, sizeof line, stdin) != NULL) {
        char *words[9] = {0};
        int number = 0;
        for (char *word = strtok(line, " \n"); word != NULL && number < 9; word = strtok(NULL, " \n"))
            words[number++] = word;
        size_t kind = 0;
        while (kind < sizeof kinds / sizeof *kinds && (number == 0 || strcmp(words[0], kinds[kind].name) != 0))
            kind++;
        CHECK(kind < sizeof kinds / sizeof *kinds);
        CHECK(number == kinds[kind].words + 1);
        kinds[kind].test(words + 1);
        lines++;
    }
    free_both(library);
    printf("%d\n", lines);
    return 0;
}
