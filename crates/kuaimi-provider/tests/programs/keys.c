/* SM2 keys of each provider: moved to the other one and back, compared, checked, asked. */
#include "sm2.h"
#include <openssl/bn.h>
#include <openssl/ec.h>
#include <openssl/param_build.h>
#include <openssl/params.h>

static OSSL_LIB_CTX *library;

/* The halves of a key that `selection` names come along, and no others. */
static void move(void)
{
    for (int side = 0; side < 2; side++) {
        EVP_PKEY *key = generate(library, side), *other = generate(library, side);
        CHECK(EVP_PKEY_eq(key, other) == 0);
        for (int there = 0; there < 2; there++) {
            EVP_PKEY *pair = moved(library, key, EVP_PKEY_KEYPAIR, there);
            EVP_PKEY *back = moved(library, pair, EVP_PKEY_KEYPAIR, side);
            EVP_PKEY *public = moved(library, key, EVP_PKEY_PUBLIC_KEY, there);
            EVP_PKEY *curve = moved(library, key, EVP_PKEY_KEY_PARAMETERS, there);
            BIGNUM *number = NULL;
            CHECK(EVP_PKEY_eq(key, pair) == 1 && EVP_PKEY_eq(pair, key) == 1);
            CHECK(EVP_PKEY_eq(key, back) == 1 && EVP_PKEY_eq(pair, back) == 1);
            CHECK(EVP_PKEY_eq(public, key) == 1 && EVP_PKEY_eq(key, public) == 1);
            CHECK(EVP_PKEY_eq(other, pair) == 0 && EVP_PKEY_eq(public, other) == 0);
            CHECK(EVP_PKEY_parameters_eq(curve, key) == 1 && EVP_PKEY_parameters_eq(key, curve) == 1);
            CHECK(EVP_PKEY_missing_parameters(curve) == 0);
            CHECK(EVP_PKEY_eq(key, curve) != 1 && EVP_PKEY_eq(curve, key) != 1);
            CHECK(EVP_PKEY_get_bn_param(public, "priv", &number) == 0 && number == NULL);
            CHECK(EVP_PKEY_get_bn_param(pair, "priv", &number) == 1);
            BN_free(number);
            ERR_clear_error();
            EVP_PKEY_free(pair);
            EVP_PKEY_free(back);
            EVP_PKEY_free(public);
            EVP_PKEY_free(curve);
        }
        EVP_PKEY *copy = EVP_PKEY_dup(key);
        CHECK(copy != NULL && is_of(copy, side) && EVP_PKEY_eq(copy, key) == 1);
        EVP_PKEY_free(copy);
        EVP_PKEY_free(key);
        EVP_PKEY_free(other);
    }
}

/* Both providers' keys with the same contents say the same of themselves. */
static void ask(void)
{
    static const char *const numbers[] = {"qx", "qy", "priv", "p", "a", "b", "order", "cofactor"};
    static const char *const texts[] = {"group", "point-format", "encoding", "field-type", "default-digest"};
    static const char *const octets[] = {"pub", "encoded-pub-key", "generator"};
    static const char *const integers[] = {"bits", "security-bits", "max-size"};
    EVP_PKEY *keys[2], *key = generate(library, 0);
    for (int side = 0; side < 2; side++)
        keys[side] = moved(library, key, EVP_PKEY_KEYPAIR, side);
    EVP_PKEY_free(key);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        BIGNUM *values[2] = {NULL, NULL};
        for (int side = 0; side < 2; side++)
            CHECK(EVP_PKEY_get_bn_param(keys[side], numbers[i], &values[side]) == 1);
        CHECK(BN_cmp(values[0], values[1]) == 0);
        BN_free(values[0]);
        BN_free(values[1]);
    }
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        char values[2][50];
        size_t lengths[2];
        for (int side = 0; side < 2; side++)
            CHECK(EVP_PKEY_get_utf8_string_param(keys[side], texts[i], values[side], 50, &lengths[side]) == 1);
        CHECK(lengths[0] == lengths[1] && strcmp(values[0], values[1]) == 0);
    }
    for (size_t i = 0; i < sizeof octets / sizeof *octets; i++) {
        unsigned char values[2][100], small[64];
        size_t lengths[2];
        for (int side = 0; side < 2; side++) {
            CHECK(EVP_PKEY_get_octet_string_param(keys[side], octets[i], NULL, 0, &lengths[side]) == 1);
            CHECK(lengths[side] == 65);
            CHECK(EVP_PKEY_get_octet_string_param(keys[side], octets[i], values[side], 100, &lengths[side]) == 1);
            CHECK_FAILS(EVP_PKEY_get_octet_string_param(keys[side], octets[i], small, sizeof small, &lengths[side]));
        }
        CHECK(memcmp(values[0], values[1], 65) == 0);
    }
    for (size_t i = 0; i < sizeof integers / sizeof *integers; i++) {
        int values[2];
        for (int side = 0; side < 2; side++)
            CHECK(EVP_PKEY_get_int_param(keys[side], integers[i], &values[side]) == 1);
        CHECK(values[0] == values[1]);
    }
    CHECK(EVP_PKEY_get_bits(keys[0]) == EVP_PKEY_get_bits(keys[1]));
    CHECK(EVP_PKEY_get_size(keys[0]) == EVP_PKEY_get_size(keys[1]));
    CHECK(EVP_PKEY_get_security_bits(keys[0]) == EVP_PKEY_get_security_bits(keys[1]));
    CHECK(EVP_PKEY_get_id(keys[0]) == EVP_PKEY_get_id(keys[1]));
    CHECK(EVP_PKEY_get_base_id(keys[0]) == EVP_PKEY_get_base_id(keys[1]));
    CHECK(EVP_PKEY_get_ec_point_conv_form(keys[0]) == EVP_PKEY_get_ec_point_conv_form(keys[1]));
    CHECK(EVP_PKEY_get_field_type(keys[0]) == EVP_PKEY_get_field_type(keys[1]));
    CHECK(EVP_PKEY_can_sign(keys[0]) == EVP_PKEY_can_sign(keys[1]));
    for (int side = 0; side < 2; side++) {
        char name[50];
        CHECK(EVP_PKEY_get_default_digest_name(keys[side], name, sizeof name) > 0 && strcmp(name, "SM3") == 0);
        EVP_PKEY_free(keys[side]);
    }
}

/* The public key in each form, and a change of the form. */
static void forms(void)
{
    static const char *const names[] = {"uncompressed", "compressed", "hybrid"};
    EVP_PKEY *keys[2];
    keys[0] = generate(library, 0);
    for (size_t i = 0; i < 3; i++) {
        unsigned char values[2][2][65];
        size_t lengths[2][2];
        keys[1] = moved(library, keys[0], EVP_PKEY_KEYPAIR, 1);
        for (int side = 0; side < 2; side++) {
            CHECK(EVP_PKEY_set_utf8_string_param(keys[side], "point-format", names[i]) == 1);
            CHECK(EVP_PKEY_get_octet_string_param(keys[side], "pub", values[side][0], 65, &lengths[side][0]) == 1);
            CHECK(EVP_PKEY_get_octet_string_param(keys[side], "encoded-pub-key", values[side][1], 65, &lengths[side][1]) == 1);
            /* The form moves with the key. */
            EVP_PKEY *there = moved(library, keys[side], EVP_PKEY_KEYPAIR, !side);
            char name[20];
            CHECK(EVP_PKEY_get_utf8_string_param(there, "point-format", name, sizeof name, NULL) == 1);
            CHECK(strcmp(name, names[i]) == 0 && EVP_PKEY_eq(there, keys[side]) == 1);
            EVP_PKEY_free(there);
        }
        for (int which = 0; which < 2; which++) {
            CHECK(lengths[0][which] == lengths[1][which]);
            CHECK(memcmp(values[0][which], values[1][which], lengths[0][which]) == 0);
        }
        CHECK_FAILS(EVP_PKEY_set_utf8_string_param(keys[0], "point-format", "flat"));
        EVP_PKEY_free(keys[1]);
    }
    EVP_PKEY_free(keys[0]);
}

static int check(EVP_PKEY *key, int (*how)(EVP_PKEY_CTX *))
{
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_pkey(library, key, NULL);
    int result = how(context);
    EVP_PKEY_CTX_free(context);
    ERR_clear_error();
    return result == 1;
}

static void checks(void)
{
    int (*const how[])(EVP_PKEY_CTX *) = {EVP_PKEY_check,       EVP_PKEY_public_check,  EVP_PKEY_public_check_quick,
                                          EVP_PKEY_param_check, EVP_PKEY_private_check, EVP_PKEY_pairwise_check};
    EVP_PKEY *pair = generate(library, 0);
    for (size_t i = 0; i < sizeof how / sizeof *how; i++) {
        static const int selections[] = {EVP_PKEY_KEYPAIR, EVP_PKEY_PUBLIC_KEY, EVP_PKEY_KEY_PARAMETERS};
        for (size_t j = 0; j < 3; j++) {
            EVP_PKEY *ours = moved(library, pair, selections[j], 0), *theirs = moved(library, pair, selections[j], 1);
            CHECK(check(ours, how[i]) == check(theirs, how[i]));
            EVP_PKEY_free(ours);
            EVP_PKEY_free(theirs);
        }
    }
    EVP_PKEY_free(pair);
}

/* A key from its parts; null where the provider refuses. */
static EVP_PKEY *from_parts(int side, const char *group, const BIGNUM *private, const unsigned char *public, size_t length)
{
    OSSL_PARAM_BLD *builder = OSSL_PARAM_BLD_new();
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_name(library, "SM2", providers[side]);
    EVP_PKEY *key = NULL;
    if (group != NULL)
        CHECK(OSSL_PARAM_BLD_push_utf8_string(builder, "group", group, 0));
    if (private != NULL)
        CHECK(OSSL_PARAM_BLD_push_BN(builder, "priv", private));
    if (public != NULL)
        CHECK(OSSL_PARAM_BLD_push_octet_string(builder, "pub", public, length));
    OSSL_PARAM *params = OSSL_PARAM_BLD_to_param(builder);
    CHECK(EVP_PKEY_fromdata_init(context) == 1);
    EVP_PKEY_fromdata(context, &key, EVP_PKEY_KEYPAIR, params);
    ERR_clear_error();
    OSSL_PARAM_free(params);
    OSSL_PARAM_BLD_free(builder);
    EVP_PKEY_CTX_free(context);
    return key;
}

static void refusals(void)
{
    EVP_PKEY *key = generate(library, 0), *other = generate(library, 0), *made;
    unsigned char point[65], bad[65] = {0}, others[65];
    BIGNUM *number = NULL, *order = NULL;
    CHECK(EVP_PKEY_get_octet_string_param(key, "pub", point, sizeof point, NULL) == 1);
    CHECK(EVP_PKEY_get_octet_string_param(other, "pub", others, sizeof others, NULL) == 1);
    CHECK(EVP_PKEY_get_bn_param(key, "priv", &number) == 1 && EVP_PKEY_get_bn_param(key, "order", &order) == 1);
    for (int side = 0; side < 2; side++) {
        CHECK((made = from_parts(side, "SM2", number, point, 65)) != NULL && EVP_PKEY_eq(made, key) == 1);
        EVP_PKEY_free(made);
        memcpy(bad, point, 65);
        bad[64] ^= 1;
        CHECK(from_parts(side, "SM2", NULL, bad, 65) == NULL);
        CHECK(from_parts(side, "SM2", NULL, point, 64) == NULL);
        CHECK(from_parts(side, "SM2", NULL, point, 33) == NULL);
        CHECK(from_parts(side, NULL, number, point, 65) == NULL);
        CHECK(from_parts(side, "no curve", number, point, 65) == NULL);
        /* The library's own may read them; its check, if not its import, finds the fault. Kuaimi's lets neither in. */
        BIGNUM *wrong[] = {BN_new(), BN_dup(order), BN_dup(order)};
        CHECK(BN_sub_word(wrong[1], 1));
        for (size_t i = 0; i < 3; i++) {
            made = from_parts(side, "SM2", wrong[i], NULL, 0);
            CHECK(made == NULL || (side == 1 && !check(made, EVP_PKEY_check)));
            EVP_PKEY_free(made);
            BN_free(wrong[i]);
        }
        /* Two halves that are none of one key. */
        CHECK((made = from_parts(side, "SM2", number, others, 65)) != NULL);
        CHECK(!check(made, EVP_PKEY_check) && !check(made, EVP_PKEY_pairwise_check));
        EVP_PKEY_free(made);
        /* The point at infinity is not a public key. */
        made = from_parts(side, "SM2", NULL, (const unsigned char *)"", 1);
        CHECK(made == NULL || (side == 1 && !check(made, EVP_PKEY_public_check)));
        EVP_PKEY_free(made);
    }
    /* The library's own imports any curve under this name. */
    CHECK(from_parts(0, "P-256", NULL, NULL, 0) == NULL);
    BN_free(number);
    BN_free(order);
    EVP_PKEY_free(key);
    EVP_PKEY_free(other);
}

static void generation(void)
{
    for (int side = 0; side < 2; side++) {
        static const char *const names[] = {"SM2", "sm2", "P-256", "no curve"};
        for (size_t i = 0; i < 4; i++) {
            EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_name(library, "SM2", providers[side]);
            EVP_PKEY *key = NULL;
            CHECK(EVP_PKEY_keygen_init(context) == 1);
            int result = EVP_PKEY_CTX_set_group_name(context, names[i]) == 1 && EVP_PKEY_generate(context, &key) == 1;
            /* The library's own generates a key on another curve, with which its own SM2 then does something. */
            CHECK_RESULT(result == (i < 2) || (side == 1 && i == 2));
            EVP_PKEY_free(key);
            EVP_PKEY_CTX_free(context);
        }
        /* From another key's parameters, and the parameters alone. */
        EVP_PKEY *template = generate(library, !side), *key = NULL, *curve = NULL;
        EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_pkey(library, template, providers[side]);
        CHECK(EVP_PKEY_keygen_init(context) == 1 && EVP_PKEY_generate(context, &key) == 1);
        CHECK(EVP_PKEY_parameters_eq(key, template) == 1 && EVP_PKEY_eq(key, template) == 0);
        EVP_PKEY_CTX_free(context);
        context = EVP_PKEY_CTX_new_from_name(library, "SM2", providers[side]);
        CHECK(EVP_PKEY_paramgen_init(context) == 1 && EVP_PKEY_CTX_set_group_name(context, "SM2") == 1);
        CHECK(EVP_PKEY_paramgen(context, &curve) == 1 && EVP_PKEY_parameters_eq(curve, key) == 1);
        CHECK(EVP_PKEY_eq(curve, key) != 1);
        EVP_PKEY_CTX_free(context);
        EVP_PKEY_free(template);
        EVP_PKEY_free(key);
        EVP_PKEY_free(curve);
        ERR_clear_error();
    }
}

/* A key from one parameter for its private key; null where the provider refuses. */
static EVP_PKEY *from_number(unsigned int type, const void *bytes, size_t length)
{
    OSSL_PARAM params[] = {
        OSSL_PARAM_construct_utf8_string("group", "SM2", 0),
        {"priv", type, (void *)bytes, length, OSSL_PARAM_UNMODIFIED},
        OSSL_PARAM_END,
    };
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_name(library, "SM2", OURS);
    EVP_PKEY *key = NULL;
    CHECK(EVP_PKEY_fromdata_init(context) == 1);
    EVP_PKEY_fromdata(context, &key, EVP_PKEY_KEYPAIR, params);
    ERR_clear_error();
    EVP_PKEY_CTX_free(context);
    return key;
}

/* Integers: of either sign or none, of any length but none, negative ones nowhere. */
static void integers(void)
{
    const unsigned char bytes[80] = {0x80, 0}, many[80] = {0x7f};
    static const size_t lengths[] = {1, 2, 4, 31, 32, 33, 64};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        size_t length = lengths[i];
        unsigned char negative[80] = {1};
        EVP_PKEY *key, *same;
        /* The machine's order may be the other one, where these are large, and no keys. */
        negative[length - 1] |= 0x80;
        CHECK(from_number(OSSL_PARAM_INTEGER, negative, length) == NULL);
        CHECK(from_number(OSSL_PARAM_UNSIGNED_INTEGER, bytes, 0) == NULL);
        CHECK(from_number(OSSL_PARAM_INTEGER, bytes, 0) == NULL);
        CHECK(from_number(OSSL_PARAM_UTF8_STRING, many, length) == NULL);
        CHECK(from_number(OSSL_PARAM_OCTET_STRING, many, length) == NULL);
        key = from_number(OSSL_PARAM_UNSIGNED_INTEGER, many, length);
        same = from_number(OSSL_PARAM_INTEGER, many, length);
        CHECK(key != NULL && same != NULL && EVP_PKEY_eq(key, same) == 1);
        EVP_PKEY_free(same);
        EVP_PKEY_free(key);
    }
    /* Numbers that need all bits of their place fit one without a sign, and no other. */
    EVP_PKEY *key = generate(library, 0);
    unsigned char order[34];
    int bits = 0;
    for (size_t room = 0; room <= 34; room++) {
        OSSL_PARAM plain[] = {{"order", OSSL_PARAM_UNSIGNED_INTEGER, order, room, OSSL_PARAM_UNMODIFIED}, OSSL_PARAM_END};
        OSSL_PARAM with_sign[] = {{"order", OSSL_PARAM_INTEGER, order, room, OSSL_PARAM_UNMODIFIED}, OSSL_PARAM_END};
        if (room < 32)
            CHECK_FAILS(EVP_PKEY_get_params(key, plain));
        else
            CHECK(EVP_PKEY_get_params(key, plain) == 1);
        if (room < 33)
            CHECK_FAILS(EVP_PKEY_get_params(key, with_sign));
        else
            CHECK(EVP_PKEY_get_params(key, with_sign) == 1);
    }
    OSSL_PARAM none[] = {{"bits", OSSL_PARAM_INTEGER, &bits, 0, OSSL_PARAM_UNMODIFIED}, OSSL_PARAM_END};
    CHECK_FAILS(EVP_PKEY_get_params(key, none));
    EVP_PKEY_free(key);
}

/* The curve in full: it must be SM2's in every number. */
static void explicit(void)
{
    static const char *const names[] = {"p", "a", "b", "order", "cofactor"};
    EVP_PKEY *key = generate(library, 0);
    unsigned char generator[65], public[65];
    CHECK(EVP_PKEY_get_octet_string_param(key, "generator", generator, 65, NULL) == 1);
    CHECK(EVP_PKEY_get_octet_string_param(key, "pub", public, 65, NULL) == 1);
    /* One of the numbers larger by one, or the generator another point; the last time all are right. */
    for (size_t wrong = 0; wrong < 7; wrong++) {
        OSSL_PARAM_BLD *builder = OSSL_PARAM_BLD_new();
        BIGNUM *numbers[5] = {NULL};
        EVP_PKEY *made = NULL;
        EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_name(library, "SM2", OURS);
        for (size_t i = 0; i < 5; i++) {
            CHECK(EVP_PKEY_get_bn_param(key, names[i], &numbers[i]) == 1);
            CHECK(BN_add_word(numbers[i], i == wrong) && OSSL_PARAM_BLD_push_BN(builder, names[i], numbers[i]));
        }
        CHECK(OSSL_PARAM_BLD_push_octet_string(builder, "generator", wrong == 5 ? public : generator, 65));
        CHECK(OSSL_PARAM_BLD_push_octet_string(builder, "pub", public, 65));
        OSSL_PARAM *params = OSSL_PARAM_BLD_to_param(builder);
        CHECK(EVP_PKEY_fromdata_init(context) == 1);
        CHECK_RESULT((EVP_PKEY_fromdata(context, &made, EVP_PKEY_PUBLIC_KEY, params) == 1) == (wrong == 6));
        CHECK(made == NULL || EVP_PKEY_eq(made, key) == 1);
        for (size_t i = 0; i < 5; i++)
            BN_free(numbers[i]);
        OSSL_PARAM_free(params);
        OSSL_PARAM_BLD_free(builder);
        EVP_PKEY_CTX_free(context);
        EVP_PKEY_free(made);
    }
    EVP_PKEY_free(key);
}

/* Programs ask for a value that a key may not have: that leaves no error. */
static void questions(void)
{
    EVP_PKEY *key = generate(library, 0);
    unsigned char small[10];
    char name[2];
    BIGNUM *number = NULL;
    size_t length;
    int value;
    CHECK(EVP_PKEY_get_bn_param(key, "pub", &number) == 0);
    CHECK(EVP_PKEY_get_bn_param(key, "group", &number) == 0);
    CHECK(EVP_PKEY_get_bn_param(key, "g", &number) == 0);
    CHECK(EVP_PKEY_get_int_param(key, "p", &value) == 0);
    CHECK(EVP_PKEY_get_octet_string_param(key, "p", small, sizeof small, &length) == 0);
    CHECK(EVP_PKEY_get_octet_string_param(key, "pub", small, sizeof small, &length) == 0);
    CHECK(EVP_PKEY_get_utf8_string_param(key, "group", name, sizeof name, &length) == 0);
    CHECK(EVP_PKEY_get_utf8_string_param(key, "pub", name, sizeof name, &length) == 0);
    EVP_PKEY_free(key);
}

int main(void)
{
    library = with_both();
    move();
    ask();
    forms();
    checks();
    refusals();
    generation();
    integers();
    questions();
    explicit();
    free_both(library);
    return 0;
}
