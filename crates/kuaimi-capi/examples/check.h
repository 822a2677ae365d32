/* What the examples do about errors: say which call failed and why, and end. */
#ifndef CHECK_H
#define CHECK_H

#include <kuaimi.h>
#include <stdio.h>
#include <stdlib.h>

#define CHECK(call)                                                                        \
    do {                                                                                   \
        kuaimi_error error_ = (call);                                                      \
        if (error_ != KUAIMI_OK) {                                                         \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, kuaimi_error_message(error_)); \
            exit(1);                                                                       \
        }                                                                                  \
    } while (0)

#endif
