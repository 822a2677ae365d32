#define _GNU_SOURCE
#include "line.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define INPUTS 16

static struct {
    char name[32];
    struct bytes bytes;
} inputs[INPUTS];

unsigned char result[MAXIMUM_RESULT];
size_t result_length;

struct bytes input(const char *name) {
    for (int i = 0; i < INPUTS; i++)
        if (strcmp(inputs[i].name, name) == 0)
            return inputs[i].bytes;
    return (struct bytes){NULL, 0};
}

int result_is(int yes) {
    result[0] = (unsigned char)yes;
    result_length = 1;
    return 1;
}

/* Puts an input into its place, or into the first free one. The bytes are kept, not copied. */
static int put(const char *name, struct bytes bytes) {
    for (int i = 0; i < INPUTS; i++) {
        if (inputs[i].name[0] != 0 && strcmp(inputs[i].name, name) != 0)
            continue;
        free(inputs[i].bytes.at);
        snprintf(inputs[i].name, sizeof inputs[i].name, "%s", name);
        inputs[i].bytes = bytes;
        return 1;
    }
    free(bytes.at);
    return 0;
}

static int set(const char *name, const char *digits) {
    size_t length = strlen(digits) / 2;
    unsigned char *at = malloc(length + 1);
    for (size_t i = 0; i < length; i++) {
        unsigned value;
        if (sscanf(digits + 2 * i, "%2x", &value) != 1) {
            free(at);
            return 0;
        }
        at[i] = (unsigned char)value;
    }
    return put(name, (struct bytes){at, length});
}

static int fill(const char *name, size_t length) {
    unsigned char *at = malloc(length + 1);
    memset(at, 0x5A, length);
    return put(name, (struct bytes){at, length});
}

static const struct operation *find(const struct operation *operations, const char *name) {
    for (; operations->name != NULL; operations++)
        if (name != NULL && strcmp(operations->name, name) == 0)
            return operations;
    return NULL;
}

static void make(const struct operation *operation) {
    if (!operation->prepare() || !operation->once()) {
        printf("error %s failed\n", operation->name);
        return;
    }
    fputs("ok ", stdout);
    for (size_t i = 0; i < result_length; i++)
        printf("%02x", result[i]);
    putchar('\n');
}

static void run(const struct operation *operation, long count) {
    struct timespec begun, ended;
    if (!operation->prepare()) {
        printf("error %s cannot begin\n", operation->name);
        return;
    }
    clock_gettime(CLOCK_MONOTONIC, &begun);
    for (long i = 0; i < count; i++)
        if (!operation->once()) {
            printf("error %s failed\n", operation->name);
            return;
        }
    clock_gettime(CLOCK_MONOTONIC, &ended);
    printf("ok %lld\n", (long long)(ended.tv_sec - begun.tv_sec) * 1000000000 + (ended.tv_nsec - begun.tv_nsec));
}

int serve(const char *version, const char *signature, const char *ciphertext, const struct operation *operations) {
    char *line = NULL;
    size_t room = 0;
    while (getline(&line, &room, stdin) > 0) {
        char *what = strtok(line, " \n"), *name = strtok(NULL, " \n"), *value = strtok(NULL, " \n");
        const struct operation *operation = find(operations, name);
        if (what != NULL && strcmp(what, "hello") == 0) {
            printf("ok version=%s signature=%s ciphertext=%s operations=", version, signature, ciphertext);
            for (const struct operation *one = operations; one->name != NULL; one++)
                printf("%s%s", one == operations ? "" : ",", one->name);
            putchar('\n');
        } else if (what != NULL && name != NULL && value != NULL && strcmp(what, "set") == 0) {
            puts(set(name, value) ? "ok" : "error no bytes");
        } else if (what != NULL && name != NULL && value != NULL && strcmp(what, "fill") == 0) {
            puts(fill(name, strtoul(value, NULL, 10)) ? "ok" : "error too many inputs");
        } else if (what != NULL && operation != NULL && strcmp(what, "make") == 0) {
            make(operation);
        } else if (what != NULL && operation != NULL && value != NULL && strcmp(what, "run") == 0) {
            run(operation, strtol(value, NULL, 10));
        } else {
            puts("error unknown request");
        }
        fflush(stdout);
    }
    free(line);
    return 0;
}
