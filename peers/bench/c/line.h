/* The protocol of ../README.md for programs in C. */
#ifndef KUAIMI_PEER_LINE_H
#define KUAIMI_PEER_LINE_H

#include <stddef.h>

#define DEFAULT_ID "1234567812345678"
#define MAXIMUM_RESULT (1 << 21)

struct bytes {
    unsigned char *at;
    size_t length;
};

struct operation {
    const char *name;
    /* Reads the inputs, before the clock runs; 1 when all went well. */
    int (*prepare)(void);
    /* The operation that is timed, its result in `result`; 1 when all went well. */
    int (*once)(void);
};

/* What the last operation made. */
extern unsigned char result[MAXIMUM_RESULT];
extern size_t result_length;

/* An input by its name; no bytes where it was not set. */
struct bytes input(const char *name);

/* A result of one byte: 1 or 0. */
int result_is(int yes);

/* Answers requests until the input ends. Operations end with one without a name. */
int serve(const char *version, const char *signature, const char *ciphertext, const struct operation *operations);

#endif
