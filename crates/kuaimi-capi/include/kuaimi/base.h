/*
 * What all headers share: errors, bytes, the version, implementations, the memory of tables. The rules for all functions are in kuaimi.h.
 *
 * MIT OR Apache-2.0. Made from the Rust sources by cbindgen: do not edit.
 */

#ifndef KUAIMI_BASE_H
#define KUAIMI_BASE_H

#include <stddef.h>
#include <stdint.h>

/*
 * Marks of functions, for the warnings of compilers and analyzers. A program can define them otherwise before it includes a header, and
 * all of them as nothing with KUAIMI_NO_ATTRIBUTES.
 *
 * KUAIMI_WARN_UNUSED_RESULT: only the result says whether the function succeeded.
 *
 * KUAIMI_NONNULL(1, 4): the first and the fourth argument must not be null. A null pointer is an error at run time all the same
 * (KUAIMI_ERROR_NULL_POINTER). The attribute is there in builds without optimization and for analyzers alone: compilers that optimize would
 * take it for a promise, and remove a program's own comparisons with null.
 */
#ifndef KUAIMI_WARN_UNUSED_RESULT
#if (defined(__GNUC__) || defined(__clang__)) && !defined(KUAIMI_NO_ATTRIBUTES)
#define KUAIMI_WARN_UNUSED_RESULT __attribute__((__warn_unused_result__))
#else
#define KUAIMI_WARN_UNUSED_RESULT
#endif
#endif

#ifndef KUAIMI_NONNULL
#if (defined(__GNUC__) || defined(__clang__)) && (!defined(__OPTIMIZE__) || defined(__clang_analyzer__)) \
    && !defined(KUAIMI_NO_ATTRIBUTES)
#define KUAIMI_NONNULL(...) __attribute__((__nonnull__(__VA_ARGS__)))
#else
#define KUAIMI_NONNULL(...)
#endif
#endif

/**
 * The first number of the version that this header belongs to.
 */
#define KUAIMI_VERSION_MAJOR 0

/**
 * The second number of the version that this header belongs to.
 */
#define KUAIMI_VERSION_MINOR 1

/**
 * The third number of the version that this header belongs to.
 */
#define KUAIMI_VERSION_PATCH 0

/**
 * What a function returns. Numbers are never given a new meaning; later versions may add some.
 */
typedef enum {
  /**
   * Success.
   */
  KUAIMI_OK = 0,
  /**
   * The signature is not this key's over this message under this identity, or it is not a
   * signature at all.
   */
  KUAIMI_ERROR_INVALID_SIGNATURE = 1,
  /**
   * Decryption failed: another key, another form of ciphertext, or altered data. Which of these
   * is not said.
   */
  KUAIMI_ERROR_DECRYPTION_FAILED = 2,
  /**
   * The other side of a key exchange does not hold the same key.
   */
  KUAIMI_ERROR_CONFIRMATION_FAILED = 3,
  /**
   * No public key leads to this signature over this digest with this recovery identifier.
   */
  KUAIMI_ERROR_NOT_RECOVERABLE = 4,
  /**
   * A certificate breaks a rule: it expired, it is another host's, its issuer is not trusted.
   */
  KUAIMI_ERROR_CERTIFICATE_REFUSED = 5,
  /**
   * A connection of TLCP failed. `kuaimi_tlcp_explain` says why.
   */
  KUAIMI_ERROR_TLCP = 6,
  /**
   * A pointer is null that must not be.
   */
  KUAIMI_ERROR_NULL_POINTER = 10,
  /**
   * The handle is of another type, or was freed. Or what it stands for was being changed by
   * another thread when this process was forked.
   */
  KUAIMI_ERROR_INVALID_HANDLE = 11,
  /**
   * The buffer for the result is too small. The length that it needs was written to `*out_len`.
   */
  KUAIMI_ERROR_BUFFER_TOO_SMALL = 12,
  /**
   * An option is none of those documented for the argument, or a length is larger than any
   * object.
   */
  KUAIMI_ERROR_INVALID_ARGUMENT = 13,
  /**
   * This step of a key exchange was taken already, or the message in pieces has ended. Each step
   * can be taken once.
   */
  KUAIMI_ERROR_ALREADY_USED = 14,
  /**
   * No implementation has this name on this machine.
   */
  KUAIMI_ERROR_UNKNOWN_BACKEND = 15,
  /**
   * The operating system's random generator failed.
   */
  KUAIMI_ERROR_RANDOM = 16,
  /**
   * A bug of this library. Please report it.
   */
  KUAIMI_ERROR_INTERNAL = 17,
  /**
   * A signature does not verify although it was just made, so it is not given out. Check this
   * machine.
   */
  KUAIMI_ERROR_SELF_CHECK = 18,
  /**
   * A key has the wrong length.
   */
  KUAIMI_ERROR_KEY_LENGTH = 20,
  /**
   * A private key or a master key is out of range.
   */
  KUAIMI_ERROR_PRIVATE_KEY_RANGE = 21,
  /**
   * A point has the wrong length or first byte, or a coordinate that is too large.
   */
  KUAIMI_ERROR_POINT_ENCODING = 22,
  /**
   * A point is not on the curve or not in the group, or it is the point at infinity.
   */
  KUAIMI_ERROR_POINT_NOT_ON_CURVE = 23,
  /**
   * An SM2 identity has more than 8191 bytes.
   */
  KUAIMI_ERROR_IDENTITY_TOO_LONG = 24,
  /**
   * An SM9 identity is empty.
   */
  KUAIMI_ERROR_EMPTY_IDENTITY = 25,
  /**
   * The bytes are no signature in this form.
   */
  KUAIMI_ERROR_SIGNATURE_ENCODING = 26,
  /**
   * The bytes are no ciphertext in this form.
   */
  KUAIMI_ERROR_CIPHERTEXT_ENCODING = 27,
  /**
   * There is nothing to encrypt.
   */
  KUAIMI_ERROR_EMPTY_MESSAGE = 28,
  /**
   * The message is longer than the algorithm can process.
   */
  KUAIMI_ERROR_MESSAGE_TOO_LONG = 29,
  /**
   * A key of this length cannot be derived.
   */
  KUAIMI_ERROR_DERIVED_KEY_LENGTH = 30,
  /**
   * A recovery identifier is above 3.
   */
  KUAIMI_ERROR_RECOVERY_ID = 31,
  /**
   * The bytes are no state of this side of a key exchange, or were altered.
   */
  KUAIMI_ERROR_EXCHANGE_STATE = 32,
  /**
   * The key exchange was started with another private key.
   */
  KUAIMI_ERROR_EXCHANGE_KEY = 33,
  /**
   * The master key cannot serve this identity. This does not happen by chance.
   */
  KUAIMI_ERROR_UNUSABLE_MASTER_KEY = 40,
  /**
   * An SM9 user's key was not made for this identity under this master key.
   */
  KUAIMI_ERROR_USER_KEY_MISMATCH = 41,
  /**
   * A stored table is of another version, was altered, or belongs to another key.
   */
  KUAIMI_ERROR_TABLE = 42,
  /**
   * The DER is malformed, or has another structure.
   */
  KUAIMI_ERROR_DER = 50,
  /**
   * Bytes follow the end of the DER.
   */
  KUAIMI_ERROR_TRAILING_BYTES = 51,
  /**
   * The PEM, Base64 or hexadecimal text is malformed.
   */
  KUAIMI_ERROR_TEXT = 52,
  /**
   * The bytes are no key in any supported form. `kuaimi_sm2_explain_private_key` and
   * `kuaimi_sm2_explain_public_key` say what they are.
   */
  KUAIMI_ERROR_NOT_A_KEY = 53,
  /**
   * The key is of another kind than the function reads: private, public, enveloped, or another
   * of SM9's.
   */
  KUAIMI_ERROR_OTHER_KEY = 54,
  /**
   * The key is of another algorithm, on another curve, or does not name its curve.
   */
  KUAIMI_ERROR_OTHER_ALGORITHM = 55,
  /**
   * The public key that is stored with a private key does not belong to it.
   */
  KUAIMI_ERROR_PUBLIC_KEY_MISMATCH = 56,
  /**
   * An SM9 user's key is stored without the master public key.
   */
  KUAIMI_ERROR_MASTER_PUBLIC_KEY_MISSING = 57,
  /**
   * The private key is encrypted, and no password was given.
   */
  KUAIMI_ERROR_PASSWORD_NEEDED = 58,
  /**
   * The private key cannot be decrypted with this password.
   */
  KUAIMI_ERROR_WRONG_PASSWORD = 59,
  /**
   * The private key is encrypted in a way that is not supported.
   */
  KUAIMI_ERROR_UNSUPPORTED_ENCRYPTION = 60,
  /**
   * The private key's encryption asks for no iterations, or for more time or memory than is
   * accepted.
   */
  KUAIMI_ERROR_ENCRYPTION_COST = 61,
  /**
   * The two halves of a key for XTS are equal.
   */
  KUAIMI_ERROR_EQUAL_HALVES = 70,
  /**
   * The nonce is empty.
   */
  KUAIMI_ERROR_EMPTY_NONCE = 71,
  /**
   * The data is not whole blocks of 16 bytes.
   */
  KUAIMI_ERROR_PARTIAL_BLOCK = 72,
  /**
   * The data has fewer than the 16 bytes that XTS needs.
   */
  KUAIMI_ERROR_DATA_TOO_SHORT = 73,
  /**
   * A nonce for CCM has fewer than 7 or more than 13 bytes.
   */
  KUAIMI_ERROR_NONCE_LENGTH = 74,
  /**
   * A tag has a length that the mode does not have.
   */
  KUAIMI_ERROR_TAG_LENGTH = 75,
  /**
   * Associated data came after the first byte of the message.
   */
  KUAIMI_ERROR_ASSOCIATED_DATA_LATE = 76,
} kuaimi_error;

/**
 * Bytes that are read: a message among many, for example. `data` may be null if `len` is zero.
 */
typedef struct {
  /**
   * The first byte.
   */
  const uint8_t *data;
  /**
   * The number of bytes.
   */
  size_t len;
} kuaimi_bytes;

/**
 * What a cache holds and has done.
 */
typedef struct {
  /**
   * Keys, or identities, with a table.
   */
  size_t entries;
  /**
   * Bytes that these take.
   */
  size_t bytes;
  /**
   * Uses that found a table.
   */
  uint64_t hits;
  /**
   * Uses that found none.
   */
  uint64_t misses;
  /**
   * Tables dropped to make room.
   */
  uint64_t evictions;
} kuaimi_cache_stats;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/**
 * What an error means and what to do about it, in English: a string that ends with a zero byte and
 * is valid as long as the process runs. The result is never null: an unknown number has a
 * message as well.
 */
const char *kuaimi_error_message(uint32_t error);

/**
 * The version of the library that the program runs with: `"0.1.0"`, for example. It may be newer
 * than the header's.
 */
const char *kuaimi_version(void);

/**
 * The name of the implementation that this process computes with. The library chooses the fastest
 * that the CPU can run; the environment variable `KUAIMI_BACKEND` or `kuaimi_set_backend` selects
 * another.
 */
const char *kuaimi_backend(void);

/**
 * The name of the implementation number `index` of those that this machine can run, from slow to
 * fast; null when there are no more.
 */
const char *kuaimi_backend_at(size_t index);

/**
 * Selects an implementation for the whole process, from the next operation on: for tests and
 * measurements. Results are the same with each. `"portable"` means the one without special
 * instructions.
 *
 * `KUAIMI_ERROR_UNKNOWN_BACKEND`: this machine can run none of this name.
 */
KUAIMI_WARN_UNUSED_RESULT kuaimi_error kuaimi_set_backend(const char *name) KUAIMI_NONNULL(1);

/**
 * Sets what the tables that keys make by themselves may take together in this process, in bytes:
 * see *Tables* in `kuaimi.h`. With 0, keys make none by themselves. Without this call the limit is
 * 16 MiB. Tables that exist stay.
 */
void kuaimi_set_table_limit(size_t bytes);

/**
 * Overwrites `len` bytes with zeros, in a way that the compiler does not remove: for copies of
 * secrets in the caller's memory. Null is allowed.
 */
void kuaimi_wipe(uint8_t *data, size_t len);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* KUAIMI_BASE_H */
