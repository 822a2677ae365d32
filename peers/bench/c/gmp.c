/* GMP's product of two numbers of four limbs. */
#include "line.h"

#include <gmp.h>
#include <stdio.h>
#include <string.h>

static mp_limb_t a[4], b[4];

/* Least significant limb first, of bytes with the most significant first. */
static void limbs(mp_limb_t *out, struct bytes bytes) {
    mpz_t number;
    mpz_init(number);
    mpz_import(number, bytes.length, 1, 1, 1, 0, bytes.at);
    for (int i = 0; i < 4; i++)
        out[i] = mpz_getlimbn(number, i);
    mpz_clear(number);
}

static int begin(void) {
    struct bytes first = input("a"), second = input("b");
    if (first.length != 32 || second.length != 32)
        return 0;
    limbs(a, first);
    limbs(b, second);
    return 1;
}

static int product(void) {
    mp_limb_t all[8];
    mpn_mul_n(all, a, b, 4);
    for (int i = 0; i < 64; i++)
        result[63 - i] = (unsigned char)(all[i / 8] >> (8 * (i % 8)));
    result_length = 64;
    return 1;
}

static int thousand(void) {
    mp_limb_t all[8];
    for (int i = 0; i < 1000; i++) {
        mpn_mul_n(all, a, b, 4);
        /* The low half is the next factor. */
        memcpy(a, all, sizeof a);
    }
    result_length = 0;
    return 1;
}

int main(void) {
    static const struct operation operations[] = {
        {"integers-product", begin, product},
        {"integers-thousand-products", begin, thousand},
        {NULL, NULL, NULL},
    };
    return serve(gmp_version, "raw", "c1c3c2", operations);
}
