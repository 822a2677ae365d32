/* SM4-GCM and SM4-CCM, call for call beside the library's own. OpenSSL 3.0 has neither: there is nothing to compare then, and what
 * Kuaimi encrypts is only decrypted again. */
#include "pair.h"

/* A message with what protects it. */
struct message {
    unsigned char key[16], nonce[16], aad[64], plaintext[600], ciphertext[600], tag[16];
    size_t nonce_length, aad_length, length, tag_length;
};

static int is_ccm(const EVP_CIPHER *algorithm)
{
    return EVP_CIPHER_get_mode(algorithm) == EVP_CIPH_CCM_MODE;
}

/* Encrypts a random message whole. */
static void compose(struct message *message, const EVP_CIPHER *algorithm)
{
    int ccm = is_ccm(algorithm), length;
    random_bytes((unsigned char *)message, sizeof *message);
    message->nonce_length = ccm ? 7 + random_below(7) : random_below(2) ? 12 : 1 + random_below(16);
    message->aad_length = random_below(2) ? 0 : random_below(sizeof message->aad + 1);
    message->length = random_below(4) == 0 ? 0 : random_below(sizeof message->plaintext + 1);
    message->tag_length = ccm ? 4 + 2 * random_below(7) : 1 + random_below(16);
    EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
    CHECK(EVP_EncryptInit_ex2(context, algorithm, NULL, NULL, NULL));
    CHECK(EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_IVLEN, (int)message->nonce_length, NULL) == 1);
    if (ccm)
        CHECK(EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, (int)message->tag_length, NULL) == 1);
    CHECK(EVP_EncryptInit_ex2(context, NULL, message->key, message->nonce, NULL));
    if (ccm)
        CHECK(EVP_EncryptUpdate(context, NULL, &length, NULL, (int)message->length));
    if (message->aad_length != 0)
        CHECK(EVP_EncryptUpdate(context, NULL, &length, message->aad, (int)message->aad_length));
    CHECK(EVP_EncryptUpdate(context, message->ciphertext, &length, message->plaintext, (int)message->length));
    CHECK((size_t)length == message->length);
    CHECK(EVP_EncryptFinal_ex(context, message->ciphertext + length, &length) && length == 0);
    CHECK(EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, (int)message->tag_length, message->tag) == 1);
    EVP_CIPHER_CTX_free(context);
}

/* Sets up the contexts for the message in one of the usual orders. */
static int prepare(struct pair *pair, struct message *message, int encrypt)
{
    int ccm = is_ccm(pair->algorithm[OUR_SIDE]), tag_first = random_below(2) || ccm;
    if (!pair_init(pair, NULL, NULL, encrypt))
        return 0;
    if (tag_first && (ccm || !encrypt)
        && !pair_control(pair, EVP_CTRL_AEAD_SET_TAG, (int)message->tag_length, encrypt ? NULL : message->tag))
        return 0;
    if (!pair_control(pair, EVP_CTRL_AEAD_SET_IVLEN, (int)message->nonce_length, NULL))
        return 0;
    int ready;
    switch (random_below(3)) {
    case 0:
        ready = pair_init(pair, message->key, message->nonce, -1);
        break;
    case 1:
        ready = pair_init(pair, message->key, NULL, -1) && pair_init(pair, NULL, message->nonce, -1);
        break;
    default:
        ready = pair_init(pair, NULL, message->nonce, -1) && pair_init(pair, message->key, NULL, -1);
    }
    if (ready && !tag_first && !encrypt)
        ready = pair_control(pair, EVP_CTRL_AEAD_SET_TAG, (int)message->tag_length, message->tag);
    return ready;
}

static void pieces(struct pair *pair, const unsigned char *data, size_t length, int whole, enum where where, int *going_on)
{
    int written;
    for (size_t done = 0, now; *going_on && done < length; done += now) {
        now = whole ? length : 1 + random_below(length - done);
        *going_on = pair_give(pair, data + done, now, where, &written);
        if (*going_on && !whole && random_below(4) == 0)
            pair_copy(pair);
    }
}

/* A right message or a wrong one, in pieces. */
static void conversation(struct pair *pair)
{
    struct message message;
    int ccm = is_ccm(pair->algorithm[OUR_SIDE]), encrypt = (int)random_below(2), written;
    compose(&message, pair->algorithm[THEIR_SIDE]);
    if (random_below(3) == 0) {
        unsigned char *places[] = {message.key, message.nonce, message.aad, message.ciphertext, message.tag};
        size_t lengths[] = {16, message.nonce_length, message.aad_length, message.length, message.tag_length};
        size_t which = random_below(5), place = random_below(lengths[which] + 1);
        LOG(pair, " altered(%zu %zu)", which, place);
        if (place < lengths[which])
            places[which][place] ^= (unsigned char)(1 << random_below(8));
    }
    pair_begin(pair);
    int going_on = prepare(pair, &message, encrypt);
    if (going_on && random_below(3) == 0)
        pair_copy(pair);
    if (going_on)
        pair_compare(pair);
    if (going_on && ccm && (message.aad_length != 0 || random_below(2)))
        going_on = pair_give(pair, NULL, message.length, NOWHERE, &written);
    pieces(pair, message.aad, message.aad_length, ccm, NOWHERE, &going_on);
    pieces(pair, encrypt ? message.plaintext : message.ciphertext, message.length, ccm, (enum where)random_below(2), &going_on);
    if (going_on && pair_final(pair) && encrypt) {
        unsigned char tags[SIDES][16];
        int results[SIDES];
        for (int side = 0; side < SIDES; side++)
            results[side] = EVP_CIPHER_CTX_ctrl(pair->context[side], EVP_CTRL_AEAD_GET_TAG, (int)message.tag_length, tags[side]);
        LOG(pair, " tag(%zu)", message.tag_length);
        if (pair_agree(pair, results))
            ALIKE(pair, memcmp(tags[OUR_SIDE], tags[THEIR_SIDE], message.tag_length) == 0);
        pair_compare(pair);
    }
    pair_end(pair);
}

/* Lengths of nonces and tags, right and wrong. */
static void lengths(struct pair *pair)
{
    struct message message;
    unsigned char longest[256] = {1};
    memset(&message, 1, sizeof message);
    for (int encrypt = 0; encrypt < 2; encrypt++) {
        for (int length = -1; length < 40; length++) {
            pair_begin(pair);
            pair_init(pair, NULL, NULL, encrypt);
            pair_control(pair, EVP_CTRL_AEAD_SET_IVLEN, length, NULL);
            pair_end(pair);
            for (int data = 0; data < 2; data++) {
                pair_begin(pair);
                pair_init(pair, NULL, NULL, encrypt);
                pair_control(pair, EVP_CTRL_AEAD_SET_TAG, length, data ? longest : NULL);
                pair_end(pair);
            }
        }
    }
}

/* A nonce that was used encrypts nothing more, and a message that has ended takes nothing more. */
static void reuse(struct pair *pair)
{
    unsigned char key[16] = {1}, nonce[16] = {2};
    int written, ccm = is_ccm(pair->algorithm[OUR_SIDE]);
    pair_begin(pair);
    pair_init(pair, key, nonce, 1);
    pair_update(pair, 20, OUT_OF_PLACE, &written);
    pair_final(pair);
    CHECK_FAILS(EVP_CipherUpdate(pair->context[OUR_SIDE], key, &written, key, 16));
    pair_end(pair);
    /* A new nonce under the same key. */
    for (int again = 0; again < 3; again++) {
        pair_begin(pair);
        pair_init(pair, key, nonce, 1);
        for (int messages = 0; messages < 3; messages++) {
            random_bytes(nonce, sizeof nonce);
            CHECK(pair_init(pair, NULL, nonce, -1));
            if (ccm && again == 1)
                CHECK(pair_update(pair, 0, NOWHERE, &written));
            CHECK(ccm || pair_update(pair, 13, NOWHERE, &written));
            CHECK(pair_update(pair, 33, again == 2 ? IN_PLACE : OUT_OF_PLACE, &written));
            CHECK(pair_final(pair));
            /* The library's own CCM has not ended the message before. */
            CHECK(pair_control(pair, EVP_CTRL_AEAD_GET_TAG, 12, nonce));
        }
        pair_end(pair);
    }
}

/* What OpenSSL 3.0 can be asked: that decryption gives the message back, and not an altered one. */
static void round_trip(const EVP_CIPHER *algorithm)
{
    struct message message;
    compose(&message, algorithm);
    for (int altered = 0; altered < 2; altered++) {
        unsigned char out[sizeof message.ciphertext];
        int length, ccm = is_ccm(algorithm), whole = 1;
        EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
        message.tag[0] ^= (unsigned char)altered;
        CHECK(EVP_DecryptInit_ex2(context, algorithm, NULL, NULL, NULL));
        CHECK(EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_IVLEN, (int)message.nonce_length, NULL) == 1);
        CHECK(EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, (int)message.tag_length, message.tag) == 1);
        CHECK(EVP_DecryptInit_ex2(context, NULL, message.key, message.nonce, NULL));
        if (ccm)
            CHECK(EVP_DecryptUpdate(context, NULL, &length, NULL, (int)message.length));
        if (message.aad_length != 0)
            CHECK(EVP_DecryptUpdate(context, NULL, &length, message.aad, (int)message.aad_length));
        if (!ccm || message.length != 0)
            whole = EVP_DecryptUpdate(context, out, &length, message.ciphertext, (int)message.length);
        CHECK_RESULT(ccm || whole);
        whole = whole && EVP_DecryptFinal_ex(context, out + message.length, &length);
        CHECK_RESULT(whole == !altered);
        CHECK(altered || memcmp(out, message.plaintext, message.length) == 0);
        EVP_CIPHER_CTX_free(context);
        ERR_clear_error();
    }
}

int main(int count, char **arguments)
{
    OSSL_LIB_CTX *library = with_both();
    static const char *const names[] = {"SM4-GCM", "SM4-CCM"};
    int rounds = count > 1 ? atoi(arguments[1]) : 3000, compared = 0;
    if (count > 2)
        random_state = (uint64_t)strtoull(arguments[2], NULL, 10);
    for (size_t i = 0; i < 2; i++) {
        struct pair pair;
        EVP_CIPHER *ours = EVP_CIPHER_fetch(library, names[i], OURS);
        for (int round = 0; round < rounds; round++)
            round_trip(ours);
        EVP_CIPHER_free(ours);
        if (!pair_fetch(&pair, library, names[i]))
            continue;
        for (int round = 0; round < rounds; round++)
            conversation(&pair);
        lengths(&pair);
        reuse(&pair);
        pair_free(&pair);
        compared++;
    }
    CHECK(compared == (is_openssl_3() ? 0 : 2));
    free_both(library);
    printf("%d\n", compared);
    return 0;
}
