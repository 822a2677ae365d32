/*
 * libkuaimi: the ShangMi algorithms SM2, SM9, SM3 and SM4. MIT OR Apache-2.0.
 *
 * Made from the Rust sources by cbindgen: do not edit. docs/c.md of the project is a guide with examples.
 *
 * Rules for all functions:
 *
 * Errors. A function returns KUAIMI_OK, which is zero, or the reason why it failed; kuaimi_error_message has the text. Do not use the
 *   outputs of a function that failed. An array of results holds errors from the beginning of the call on, whichever argument is
 *   wrong. A verification returns KUAIMI_OK or KUAIMI_ERROR_INVALID_SIGNATURE, and a decryption that fails for whatever reason
 *   KUAIMI_ERROR_DECRYPTION_FAILED, if the other arguments are right.
 *
 * Inputs. Bytes are a pointer and a length. The pointer may be null if the length is zero. Where the documentation names the number
 *   of bytes, there is no length. An input must not change during the call. It is not kept after it.
 *
 * Outputs. `uint8_t *out, size_t *out_len` is a buffer and its length. The number of bytes written replaces the length. If `out` is
 *   null, the function returns KUAIMI_OK and only writes the size that a buffer needs to `*out_len`. If the buffer is smaller than
 *   that, it returns KUAIMI_ERROR_BUFFER_TOO_SMALL and writes that size to `*out_len`. An output must not overlap an input, unless
 *   the documentation says so. Text such as PEM has no zero byte at its end.
 *
 * Handles. The structures without members are used by pointer only. A function that makes one writes it to `*out`, and null if it
 *   fails. Each is freed once, with the function whose name ends in `_free`, which takes null, too, and wipes secrets. A handle of
 *   another type and a handle that was freed give KUAIMI_ERROR_INVALID_HANDLE, as long as no new one has taken its place; `_free`
 *   leaves them alone. This cannot be detected, and must not happen: a pointer that was never a handle, a handle used by one thread
 *   while another frees it, and a freed one whose place a new handle of the same type has taken.
 *
 * Tables. A key that is used for the second time makes a table, and is faster with it: verification with SM2 takes about a third of the
 *   time. Making it takes as long as a few operations, and keeping it takes memory, 10 to 118 KiB. A function `_prepare` makes it before
 *   the first use. Threads share the table, and none waits for it. The tables that keys make by themselves take at most 16 MiB together,
 *   but for those of master public keys; beyond that, keys work without. kuaimi_set_table_limit sets another limit. Results are the same
 *   with a table and without.
 *
 * Threads. All functions may be called from any thread, with the same handles. A hash, an HMAC, a key stream and a key exchange
 *   change with each call, under a lock; calls for one such handle from several threads take effect in any order.
 *
 * Forks. A child can use all that its parent had made. No call waits for a thread of the parent, which does not exist in the child: a
 *   cache that such a thread was looking at is empty in the child, and a hash, an HMAC, a key stream, a message of SM4-GCM or a key
 *   exchange that it was changing is lost, so that calls for it give KUAIMI_ERROR_INVALID_HANDLE.
 *
 * Constant time. No branch, memory address or division depends on a private key, a nonce or a plaintext. Verification and the
 *   reading of public values take variable time, as all of it is public.
 */


#ifndef KUAIMI_H
#define KUAIMI_H

#include <stddef.h>
#include <stdint.h>

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
 * The number or the coordinates alone, most significant byte first.
 */
#define KUAIMI_KEY_RAW 1

/**
 * PKCS#8 in PEM.
 */
#define KUAIMI_KEY_PKCS8_PEM 2

/**
 * PKCS#8 in DER (RFC 5958).
 */
#define KUAIMI_KEY_PKCS8_DER 3

/**
 * `ECPrivateKey` in PEM.
 */
#define KUAIMI_KEY_SEC1_PEM 4

/**
 * `ECPrivateKey` in DER (RFC 5915).
 */
#define KUAIMI_KEY_SEC1_DER 5

/**
 * SubjectPublicKeyInfo in PEM.
 */
#define KUAIMI_KEY_SPKI_PEM 6

/**
 * SubjectPublicKeyInfo in DER.
 */
#define KUAIMI_KEY_SPKI_DER 7

/**
 * A point with the first byte 04 (SEC 1).
 */
#define KUAIMI_KEY_UNCOMPRESSED 8

/**
 * A point's x-coordinate after the byte 02 or 03 (SEC 1).
 */
#define KUAIMI_KEY_COMPRESSED 9

/**
 * SM9: the number or point of GB/T 41389 in DER.
 */
#define KUAIMI_KEY_DER 10

/**
 * SM9: a master public key in PEM as GmSSL writes it.
 */
#define KUAIMI_KEY_GMSSL_PEM 11

/**
 * SM4-CBC.
 */
#define KUAIMI_CIPHER_SM4_CBC 1

/**
 * AES-128-CBC.
 */
#define KUAIMI_CIPHER_AES128_CBC 2

/**
 * AES-192-CBC.
 */
#define KUAIMI_CIPHER_AES192_CBC 3

/**
 * AES-256-CBC.
 */
#define KUAIMI_CIPHER_AES256_CBC 4

/**
 * PBKDF2 with HMAC-SM3.
 */
#define KUAIMI_PBKDF2_HMAC_SM3 1

/**
 * PBKDF2 with HMAC-SHA-1.
 */
#define KUAIMI_PBKDF2_HMAC_SHA1 2

/**
 * PBKDF2 with HMAC-SHA-224.
 */
#define KUAIMI_PBKDF2_HMAC_SHA224 3

/**
 * PBKDF2 with HMAC-SHA-256.
 */
#define KUAIMI_PBKDF2_HMAC_SHA256 4

/**
 * PBKDF2 with HMAC-SHA-384.
 */
#define KUAIMI_PBKDF2_HMAC_SHA384 5

/**
 * PBKDF2 with HMAC-SHA-512.
 */
#define KUAIMI_PBKDF2_HMAC_SHA512 6

/**
 * scrypt.
 */
#define KUAIMI_SCRYPT 7

/**
 * The most bytes that an encrypted private key takes, in either form.
 */
#define KUAIMI_ENCRYPTED_KEY_MAX_LEN 1024

/**
 * The length of a digest in bytes.
 */
#define KUAIMI_SM3_DIGEST_LEN 32

/**
 * The length of a point with its first byte 04, as the functions of key exchange write it.
 */
#define KUAIMI_SM2_POINT_LEN 65

/**
 * The numbers alone: SM2's r and s, 64 bytes; SM9's h and S, 96 bytes.
 */
#define KUAIMI_SIGNATURE_RAW 1

/**
 * DER (GM/T 0009; SM9: GB/T 41389). Reading is strict: a signature has one encoding.
 */
#define KUAIMI_SIGNATURE_DER 2

/**
 * SM2, for reading alone: DER as some vendors write it against the rules. One signature then has many encodings.
 */
#define KUAIMI_SIGNATURE_DER_LENIENT 3

/**
 * SM2, for reading alone: DER or the 64 bytes, whichever it is.
 */
#define KUAIMI_SIGNATURE_ANY 4

/**
 * The length of an SM2 signature in the form `KUAIMI_SIGNATURE_RAW`.
 */
#define KUAIMI_SM2_SIGNATURE_LEN 64

/**
 * The most bytes of an SM2 signature in DER.
 */
#define KUAIMI_SM2_SIGNATURE_DER_MAX_LEN 72

/**
 * Point, digest, masked plaintext: the standard's order. 97 bytes more than the plaintext.
 */
#define KUAIMI_SM2_CIPHERTEXT_C1C3C2 1

/**
 * Point, masked plaintext, digest: the order of an older draft, still in use. 97 bytes more than the plaintext.
 */
#define KUAIMI_SM2_CIPHERTEXT_C1C2C3 2

/**
 * As `KUAIMI_SM2_CIPHERTEXT_C1C3C2`, without the point's first byte 04. 96 bytes more than the plaintext.
 */
#define KUAIMI_SM2_CIPHERTEXT_BARE_C1C3C2 3

/**
 * As `KUAIMI_SM2_CIPHERTEXT_C1C2C3`, without the point's first byte 04. 96 bytes more than the plaintext.
 */
#define KUAIMI_SM2_CIPHERTEXT_BARE_C1C2C3 4

/**
 * DER (GM/T 0009). At most 124 bytes more than the plaintext.
 */
#define KUAIMI_SM2_CIPHERTEXT_DER 5

/**
 * For decryption alone: DER as some vendors write it against the rules.
 */
#define KUAIMI_SM2_CIPHERTEXT_DER_LENIENT 6

/**
 * For decryption alone: whichever of the first five it is. Those that the bytes may be are tried in turn.
 */
#define KUAIMI_SM2_CIPHERTEXT_ANY 7

/**
 * The most bytes that an explanation takes.
 */
#define KUAIMI_EXPLANATION_MAX_LEN 512

/**
 * The bytes are a message.
 */
#define KUAIMI_CONTENT_MESSAGE 0

/**
 * The bytes are the 32 bytes of a digest `SM3(Z, message)`.
 */
#define KUAIMI_CONTENT_DIGEST 1

/**
 * The length of a key in bytes.
 */
#define KUAIMI_SM4_KEY_LEN 16

/**
 * The length of a block in bytes.
 */
#define KUAIMI_SM4_BLOCK_LEN 16

/**
 * The length of a tag in bytes.
 */
#define KUAIMI_SM4_GCM_TAG_LEN 16

/**
 * The recommended length of a nonce in bytes.
 */
#define KUAIMI_SM4_GCM_NONCE_LEN 12

/**
 * GB/T 17964-2021, and the default of OpenSSL's `SM4-XTS`.
 */
#define KUAIMI_SM4_XTS_GB 1

/**
 * IEEE 1619.
 */
#define KUAIMI_SM4_XTS_IEEE 2

/**
 * The length of an SM9 signature in the form `KUAIMI_SIGNATURE_RAW`.
 */
#define KUAIMI_SM9_SIGNATURE_LEN 96

/**
 * The length of an SM9 signature in DER.
 */
#define KUAIMI_SM9_SIGNATURE_DER_LEN 104

/**
 * A key stream as long as the message: the usual mode.
 */
#define KUAIMI_SM9_MODE_STREAM 0

/**
 * SM4-ECB with padding. It shows which blocks of the message are equal.
 */
#define KUAIMI_SM9_MODE_ECB 1

/**
 * SM4-CBC with padding.
 */
#define KUAIMI_SM9_MODE_CBC 2

/**
 * SM4-OFB.
 */
#define KUAIMI_SM9_MODE_OFB 4

/**
 * SM4-CFB.
 */
#define KUAIMI_SM9_MODE_CFB 8

/**
 * The standard's: SM3 over the ciphertext and the key.
 */
#define KUAIMI_SM9_MAC_SM3 0

/**
 * GmSSL's: HMAC-SM3.
 */
#define KUAIMI_SM9_MAC_HMAC_SM3 1

/**
 * DER (GB/T 41389), which names the mode.
 */
#define KUAIMI_SM9_CIPHERTEXT_DER 0

/**
 * Point (64 bytes), digest (32 bytes), encrypted message. It does not name the mode.
 */
#define KUAIMI_SM9_CIPHERTEXT_RAW 1

/**
 * The most bytes that a ciphertext takes more than its message, in any mode and form: the header of DER, an initial value and
 * padding.
 */
#define KUAIMI_SM9_CIPHERTEXT_OVERHEAD 192

/**
 * The length of a point with its first byte 04, as encapsulation and key exchange write it.
 */
#define KUAIMI_SM9_POINT_LEN 65

/**
 * What a function returns. Numbers are never given a new meaning; later versions may add some.
 */
typedef enum {
  /**
   * Success.
   */
  KUAIMI_OK = 0,
  /**
   * The signature is not this key's over this message under this identity, or it is not a signature at all.
   */
  KUAIMI_ERROR_INVALID_SIGNATURE = 1,
  /**
   * Decryption failed: another key, another form of ciphertext, or altered data. Which of these is not said.
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
   * A pointer is null that must not be.
   */
  KUAIMI_ERROR_NULL_POINTER = 10,
  /**
   * The handle is of another type, or was freed. Or what it stands for was being changed by another thread when this process was forked.
   */
  KUAIMI_ERROR_INVALID_HANDLE = 11,
  /**
   * The buffer for the result is too small. The length that it needs was written to `*out_len`.
   */
  KUAIMI_ERROR_BUFFER_TOO_SMALL = 12,
  /**
   * A constant is none of those documented for the argument, or a length is larger than any object.
   */
  KUAIMI_ERROR_INVALID_ARGUMENT = 13,
  /**
   * This step of a key exchange was taken already, or the message in pieces has ended. Each step can be taken once.
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
   * A signature does not verify although it was just made, so it is not given out. Check this machine.
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
   * The bytes are no key in any supported form. `kuaimi_sm2_explain_private_key` and `kuaimi_sm2_explain_public_key` say what they are.
   */
  KUAIMI_ERROR_NOT_A_KEY = 53,
  /**
   * The key is of another kind than the function reads: private, public, enveloped, or another of SM9's.
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
   * The private key's encryption asks for no iterations, or for more time or memory than is accepted.
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
 * An HMAC in progress: `kuaimi_hmac_sm3_new`, `kuaimi_hmac_sm3_update` any number of times, then `kuaimi_hmac_sm3_finish` or
 * `kuaimi_hmac_sm3_verify`.
 */
typedef struct kuaimi_hmac_sm3 kuaimi_hmac_sm3;

/**
 * The initiator of a key exchange, waiting for the responder's point. It finishes once.
 */
typedef struct kuaimi_sm2_initiator kuaimi_sm2_initiator;

/**
 * A bounded store of tables of public keys, for keys that come as bytes with each message. A key gets a table at its second use,
 * and loses it when the memory is needed for others that were used later. Threads may share it.
 */
typedef struct kuaimi_sm2_key_cache kuaimi_sm2_key_cache;

/**
 * A store of nonces with their points, which a thread of its own computes: a signature with one costs little more than hashing
 * the message. Threads may share it, and one pool serves any number of keys.
 *
 * **Use a pool only where the machine's random generator is good, and the memory of the process is never restored from a
 * snapshot**: two signatures with one nonce give the private key away. Forks are detected on Linux 4.14 and newer.
 */
typedef struct kuaimi_sm2_nonce_pool kuaimi_sm2_nonce_pool;

/**
 * An SM2 private key, with its public key. Not changed by any function, so that threads may share it.
 */
typedef struct kuaimi_sm2_private_key kuaimi_sm2_private_key;

/**
 * An SM2 public key: a point that was checked. Threads may share it.
 */
typedef struct kuaimi_sm2_public_key kuaimi_sm2_public_key;

/**
 * The responder of a key exchange, waiting for the initiator's confirmation. It gives its key once.
 */
typedef struct kuaimi_sm2_response kuaimi_sm2_response;

/**
 * An SM2 private key that signs under one identity, with what signatures share. Not changed by any function, so that threads
 * may share it.
 */
typedef struct kuaimi_sm2_signing_key kuaimi_sm2_signing_key;

/**
 * An SM2 public key that verifies under one identity. Threads may share it.
 */
typedef struct kuaimi_sm2_verifying_key kuaimi_sm2_verifying_key;

/**
 * A hash in progress: `kuaimi_sm3_new`, `kuaimi_sm3_update` any number of times, `kuaimi_sm3_finish`.
 */
typedef struct kuaimi_sm3 kuaimi_sm3;

/**
 * SM4 with a key, block by block. Not changed by any function, so that threads may share it.
 */
typedef struct kuaimi_sm4 kuaimi_sm4;

/**
 * SM4 in CBC mode with a key, for protocols and files that require it. CBC does not detect altered data: use SM4-GCM if you
 * can choose. Not changed by any function, so that threads may share it.
 */
typedef struct kuaimi_sm4_cbc kuaimi_sm4_cbc;

/**
 * SM4 in CCM with a key: authenticated encryption, for protocols that require it; SM4-GCM is faster. Not changed by any function,
 * so that threads may share it.
 */
typedef struct kuaimi_sm4_ccm kuaimi_sm4_ccm;

/**
 * SM4 in CFB mode, with whole blocks fed back (CFB-128), at a place in a message, for protocols and files that require it. It does
 * not detect altered data: use SM4-GCM if you can choose.
 */
typedef struct kuaimi_sm4_cfb kuaimi_sm4_cfb;

/**
 * A key stream of SM4 in counter mode. It does not detect altered data: use SM4-GCM if you can choose.
 */
typedef struct kuaimi_sm4_ctr kuaimi_sm4_ctr;

/**
 * SM4 in GCM with a key: authenticated encryption. Not changed by any function, so that threads may share it.
 */
typedef struct kuaimi_sm4_gcm kuaimi_sm4_gcm;

/**
 * One message of SM4-GCM that comes in pieces of any lengths: the associated data, then the message, then the tag.
 */
typedef struct kuaimi_sm4_gcm_stream kuaimi_sm4_gcm_stream;

/**
 * A key stream of SM4 in OFB mode, for protocols and files that require it. It does not detect altered data: use SM4-GCM if you
 * can choose.
 */
typedef struct kuaimi_sm4_ofb kuaimi_sm4_ofb;

/**
 * SM4 in XTS mode with a key, for sectors of a disk or pages of a database. Not changed by any function, so that threads may
 * share it.
 */
typedef struct kuaimi_sm4_xts kuaimi_sm4_xts;

/**
 * A user's key for SM9 decryption and decapsulation. Threads may share it.
 */
typedef struct kuaimi_sm9_decryption_key kuaimi_sm9_decryption_key;

/**
 * A user's public key for SM9 encryption: an identity under a master public key. Threads may share it.
 */
typedef struct kuaimi_sm9_encryption_key kuaimi_sm9_encryption_key;

/**
 * A user's key for SM9 key exchange. Threads may share it.
 */
typedef struct kuaimi_sm9_exchange_key kuaimi_sm9_exchange_key;

/**
 * A bounded store of identities under one master public key, with their tables, for verifying keys that come and go. An identity
 * gets a table at its second use, and loses it when the memory is needed for others that were used later. Threads may share it.
 */
typedef struct kuaimi_sm9_identity_cache kuaimi_sm9_identity_cache;

/**
 * The initiator of a key exchange, waiting for the responder's point. It finishes once.
 */
typedef struct kuaimi_sm9_initiator kuaimi_sm9_initiator;

/**
 * A master key for encryption and key exchange, with its public key: the secret of the key generation centre. Threads may share it.
 */
typedef struct kuaimi_sm9_master_encryption_key kuaimi_sm9_master_encryption_key;

/**
 * A master public key for encryption and key exchange, which all users know. Threads may share it.
 */
typedef struct kuaimi_sm9_master_encryption_public_key kuaimi_sm9_master_encryption_public_key;

/**
 * A master key for signatures, with its public key: the secret of the key generation centre. Threads may share it.
 */
typedef struct kuaimi_sm9_master_signing_key kuaimi_sm9_master_signing_key;

/**
 * A master public key for signatures, which all users know. Threads may share it.
 */
typedef struct kuaimi_sm9_master_signing_public_key kuaimi_sm9_master_signing_public_key;

/**
 * A message on its way into SM9 signatures: it is read once, and serves signing and verifying under any number of keys.
 */
typedef struct kuaimi_sm9_message_hash kuaimi_sm9_message_hash;

/**
 * The responder of a key exchange, waiting for the initiator's confirmation. It gives its key once.
 */
typedef struct kuaimi_sm9_response kuaimi_sm9_response;

/**
 * A user's key for SM9 signatures. Threads may share it.
 */
typedef struct kuaimi_sm9_signing_key kuaimi_sm9_signing_key;

/**
 * A user's public key for SM9 signatures: an identity under a master public key. Threads may share it.
 */
typedef struct kuaimi_sm9_verifying_key kuaimi_sm9_verifying_key;

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
 * A form in which a key is written: one of the constants `KUAIMI_KEY_…`. Each function says which of them it takes.
 */
typedef uint32_t kuaimi_key_form;

/**
 * A cipher for private keys under a password: one of the constants `KUAIMI_CIPHER_…`.
 */
typedef uint32_t kuaimi_password_cipher;

/**
 * A function that derives a key from a password: one of the constants `KUAIMI_PBKDF2_…`, or `KUAIMI_SCRYPT`.
 */
typedef uint32_t kuaimi_password_kdf;

/**
 * How a private key is encrypted under a password (PBES2, RFC 8018). Where a function takes a pointer to it, null means
 * SM4-CBC and PBKDF2 with HMAC-SM3 and 600000 iterations.
 */
typedef struct {
  /**
   * The cipher.
   */
  kuaimi_password_cipher cipher;
  /**
   * The function that derives its key.
   */
  kuaimi_password_kdf kdf;
  /**
   * PBKDF2: the number of iterations, 1 to 10 million. Ignored for scrypt.
   */
  uint32_t iterations;
  /**
   * scrypt: the binary logarithm of the cost. Ignored for PBKDF2, as are the next two.
   */
  uint32_t scrypt_log_n;
  /**
   * scrypt: the block size.
   */
  uint32_t scrypt_r;
  /**
   * scrypt: the parallelization.
   */
  uint32_t scrypt_p;
} kuaimi_password_encryption;

/**
 * A form of a signature: one of the constants `KUAIMI_SIGNATURE_…`.
 */
typedef uint32_t kuaimi_signature_form;

/**
 * A form of an SM2 ciphertext: one of the constants `KUAIMI_SM2_CIPHERTEXT_…`.
 */
typedef uint32_t kuaimi_sm2_ciphertext_form;

/**
 * What is signed, of one item of a batch: one of the constants `KUAIMI_CONTENT_…`.
 */
typedef uint32_t kuaimi_content_kind;

/**
 * One signature to be verified.
 */
typedef struct {
  /**
   * Whose signature it should be.
   */
  const kuaimi_sm2_verifying_key *key;
  /**
   * The message, or its digest.
   */
  kuaimi_bytes content;
  /**
   * Which of the two it is.
   */
  kuaimi_content_kind content_kind;
  /**
   * The form of the signature.
   */
  kuaimi_signature_form form;
  /**
   * The signature.
   */
  kuaimi_bytes signature;
} kuaimi_sm2_verify_item;

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

/**
 * What a pool holds and has done.
 */
typedef struct {
  /**
   * Nonces that are ready.
   */
  size_t ready;
  /**
   * Nonces that signatures have taken.
   */
  uint64_t served;
  /**
   * Signatures that found no nonce ready, and were computed without the pool.
   */
  uint64_t missed;
} kuaimi_sm2_nonce_pool_stats;

/**
 * One signature to be made.
 */
typedef struct {
  /**
   * Who signs.
   */
  const kuaimi_sm2_signing_key *key;
  /**
   * The message, or its digest.
   */
  kuaimi_bytes content;
  /**
   * Which of the two it is.
   */
  kuaimi_content_kind content_kind;
} kuaimi_sm2_sign_item;

/**
 * One signature whose public key is to be recovered.
 */
typedef struct {
  /**
   * The digest, 32 bytes.
   */
  kuaimi_bytes digest;
  /**
   * The form of the signature.
   */
  kuaimi_signature_form form;
  /**
   * What `kuaimi_sm2_sign_digest_recoverable` gave.
   */
  uint8_t recovery_id;
  /**
   * The signature.
   */
  kuaimi_bytes signature;
} kuaimi_sm2_recover_item;

/**
 * One message to be encrypted.
 */
typedef struct {
  /**
   * To whom.
   */
  const kuaimi_sm2_public_key *key;
  /**
   * The message.
   */
  kuaimi_bytes message;
  /**
   * A buffer for the ciphertext.
   */
  uint8_t *out;
  /**
   * The length of the buffer; afterwards that of the ciphertext.
   */
  size_t out_len;
} kuaimi_sm2_encrypt_item;

/**
 * One ciphertext to be decrypted.
 */
typedef struct {
  /**
   * By whom.
   */
  const kuaimi_sm2_private_key *key;
  /**
   * The ciphertext.
   */
  kuaimi_bytes ciphertext;
  /**
   * A buffer for the plaintext.
   */
  uint8_t *out;
  /**
   * The length of the buffer; afterwards that of the plaintext.
   */
  size_t out_len;
} kuaimi_sm2_decrypt_item;

/**
 * The order of the bits in a tweak: one of the constants `KUAIMI_SM4_XTS_…`.
 */
typedef uint32_t kuaimi_sm4_xts_standard;

/**
 * A user among many: the identity, and the function identifier.
 */
typedef struct {
  /**
   * The identity: a name, a mail address, a number. Not empty.
   */
  kuaimi_bytes id;
  /**
   * The function identifier; 0 means the usual one for the operation.
   */
  uint8_t hid;
} kuaimi_sm9_identity;

/**
 * How SM9 encrypts a message: one of the constants `KUAIMI_SM9_MODE_…`, whose numbers are the `EnType` of GB/T 41389.
 */
typedef uint32_t kuaimi_sm9_mode;

/**
 * How SM9 authenticates a ciphertext: one of the constants `KUAIMI_SM9_MAC_…`.
 */
typedef uint32_t kuaimi_sm9_mac;

/**
 * A form of an SM9 ciphertext: one of the constants `KUAIMI_SM9_CIPHERTEXT_…`.
 */
typedef uint32_t kuaimi_sm9_ciphertext_form;

/**
 * The choices of who encrypts with SM9. Who decrypts must know them, but for the mode in DER, which is then ignored. Where a
 * function takes a pointer to it, null means all zeros: a key stream, the standard's authentication, DER.
 */
typedef struct {
  /**
   * How the message is encrypted.
   */
  kuaimi_sm9_mode mode;
  /**
   * How the ciphertext is authenticated.
   */
  kuaimi_sm9_mac mac;
  /**
   * How the ciphertext is written.
   */
  kuaimi_sm9_ciphertext_form form;
} kuaimi_sm9_options;

/**
 * One signature to be verified.
 */
typedef struct {
  /**
   * Whose signature it should be.
   */
  const kuaimi_sm9_verifying_key *key;
  /**
   * The message.
   */
  kuaimi_bytes message;
  /**
   * The form of the signature.
   */
  kuaimi_signature_form form;
  /**
   * The signature.
   */
  kuaimi_bytes signature;
} kuaimi_sm9_verify_item;

/**
 * One signature to be made.
 */
typedef struct {
  /**
   * Who signs.
   */
  const kuaimi_sm9_signing_key *key;
  /**
   * The message.
   */
  kuaimi_bytes message;
} kuaimi_sm9_sign_item;

/**
 * One message to be encrypted.
 */
typedef struct {
  /**
   * To whom.
   */
  const kuaimi_sm9_encryption_key *key;
  /**
   * The message.
   */
  kuaimi_bytes message;
  /**
   * A buffer for the ciphertext.
   */
  uint8_t *out;
  /**
   * The length of the buffer; afterwards that of the ciphertext.
   */
  size_t out_len;
} kuaimi_sm9_encrypt_item;

/**
 * One ciphertext to be decrypted.
 */
typedef struct {
  /**
   * By whom.
   */
  const kuaimi_sm9_decryption_key *key;
  /**
   * The ciphertext.
   */
  kuaimi_bytes ciphertext;
  /**
   * A buffer for the plaintext.
   */
  uint8_t *out;
  /**
   * The length of the buffer; afterwards that of the plaintext.
   */
  size_t out_len;
} kuaimi_sm9_decrypt_item;

/**
 * One key to be encapsulated.
 */
typedef struct {
  /**
   * To whom.
   */
  const kuaimi_sm9_encryption_key *key;
  /**
   * A place for the key.
   */
  uint8_t *derived;
  /**
   * The length of the key.
   */
  size_t derived_len;
  /**
   * A place for 65 bytes, the point to send.
   */
  uint8_t *c;
} kuaimi_sm9_encapsulate_item;

/**
 * One key to be decapsulated.
 */
typedef struct {
  /**
   * By whom.
   */
  const kuaimi_sm9_decryption_key *key;
  /**
   * The point: 33, 64 or 65 bytes.
   */
  kuaimi_bytes c;
  /**
   * A place for the key.
   */
  uint8_t *derived;
  /**
   * The length of the key.
   */
  size_t derived_len;
} kuaimi_sm9_decapsulate_item;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/**
 * What an error means and what to do about it, in English: a string that ends with a zero byte and lives as long as the
 * process. A number that is no error has a text, too. Never null.
 */
const char *kuaimi_error_message(uint32_t error);

/**
 * The version of the library that the program runs with: `"0.1.0"`, for example. It may be newer than the header's.
 */
const char *kuaimi_version(void);

/**
 * The name of the implementation that this process computes with. The library chooses the fastest that the CPU can run; the
 * environment variable `KUAIMI_BACKEND` or `kuaimi_set_backend` selects another.
 */
const char *kuaimi_backend(void);

/**
 * The name of the implementation number `index` of those that this machine can run, from slow to fast; null when there are no
 * more.
 */
const char *kuaimi_backend_at(size_t index);

/**
 * Selects an implementation for the whole process, from the next operation on: for tests and measurements. Results are the
 * same with each. `"portable"` means the one without special instructions.
 *
 * `KUAIMI_ERROR_UNKNOWN_BACKEND`: this machine can run none of this name.
 */
kuaimi_error kuaimi_set_backend(const char *name);

/**
 * Sets what the tables that keys make by themselves may take together in this process, in bytes: see *Tables* above. With 0, keys make
 * none by themselves. Without this call the limit is 16 MiB. Tables that exist stay.
 */
void kuaimi_set_table_limit(size_t bytes);

/**
 * Overwrites `len` bytes with zeros, in a way that the compiler does not remove: for copies of secrets in the caller's memory.
 */
kuaimi_error kuaimi_wipe(uint8_t *data, size_t len);

/**
 * The digest of `data`: 32 bytes at `digest`. Constant time in the content.
 *
 * Source: GB/T 32905-2016, clause 5.
 */
kuaimi_error kuaimi_sm3_digest(const uint8_t *data, size_t len, uint8_t *digest);

/**
 * The digests of `count` messages, 32 bytes each, one after another at `digests`. Faster than one by one on CPUs with vector
 * instructions.
 */
kuaimi_error kuaimi_sm3_digest_many(const kuaimi_bytes *messages, size_t count, uint8_t *digests);

/**
 * A new hash at `*out`. Free it with `kuaimi_sm3_free`.
 */
kuaimi_error kuaimi_sm3_new(kuaimi_sm3 **out);

/**
 * Absorbs `data`.
 */
kuaimi_error kuaimi_sm3_update(kuaimi_sm3 *hash, const uint8_t *data, size_t len);

/**
 * The digest of all that was absorbed: 32 bytes at `digest`. The hash is then as new: it can take another message.
 */
kuaimi_error kuaimi_sm3_finish(kuaimi_sm3 *hash, uint8_t *digest);

/**
 * Forgets all that was absorbed.
 */
kuaimi_error kuaimi_sm3_reset(kuaimi_sm3 *hash);

/**
 * A copy of `hash`, with all that it has absorbed, at `*out`: for several messages that begin alike.
 */
kuaimi_error kuaimi_sm3_clone(const kuaimi_sm3 *hash, kuaimi_sm3 **out);

/**
 * Wipes and frees a hash. Null is allowed.
 */
void kuaimi_sm3_free(kuaimi_sm3 *hash);

/**
 * The compression function alone, over `count` blocks of 64 bytes at `blocks`. The 32 bytes at `state` are the words A to H,
 * most significant byte first: those of clause 4.1 at the start, the digest after the last block, which has the padding of
 * clause 5.2. For programs that keep the state of a hash themselves, to save it or to copy it: all others take `kuaimi_sm3`,
 * which also wipes it. The state of a hash says as much as what was hashed: where that is a secret, so is the state. Constant
 * time.
 *
 * Source: GB/T 32905-2016, clause 5.3.
 */
kuaimi_error kuaimi_sm3_compress(uint8_t *state, const uint8_t *blocks, size_t count);

/**
 * Fills `out_len` bytes at `out` with the key derivation function's output for the secret `z`. Constant time but for the
 * lengths.
 *
 * `KUAIMI_ERROR_DERIVED_KEY_LENGTH`: more than about 128 GiB.
 *
 * Source: GB/T 32918.4-2016, clause 5.4.3.
 */
kuaimi_error kuaimi_sm3_kdf(const uint8_t *z, size_t z_len, uint8_t *out, size_t out_len);

/**
 * The HMAC-SM3 of `data` under a key of any length: 32 bytes at `mac`. Constant time but for the lengths. To compare it with
 * one that was received, use `kuaimi_hmac_sm3_verify`.
 */
kuaimi_error kuaimi_hmac_sm3_digest(const uint8_t *key, size_t key_len, const uint8_t *data, size_t len, uint8_t *mac);

/**
 * A new HMAC under a key of any length at `*out`. Free it with `kuaimi_hmac_sm3_free`.
 */
kuaimi_error kuaimi_hmac_sm3_new(const uint8_t *key, size_t key_len, kuaimi_hmac_sm3 **out);

/**
 * Absorbs `data`.
 */
kuaimi_error kuaimi_hmac_sm3_update(kuaimi_hmac_sm3 *hmac, const uint8_t *data, size_t len);

/**
 * The HMAC of all that was absorbed: 32 bytes at `mac`. It can then take another message under the same key.
 */
kuaimi_error kuaimi_hmac_sm3_finish(kuaimi_hmac_sm3 *hmac, uint8_t *mac);

/**
 * Compares the HMAC of all that was absorbed with the 32 bytes at `mac`, in constant time. It can then take another message
 * under the same key.
 *
 * `KUAIMI_ERROR_INVALID_SIGNATURE`: they differ.
 */
kuaimi_error kuaimi_hmac_sm3_verify(kuaimi_hmac_sm3 *hmac, const uint8_t *mac);

/**
 * A copy of `hmac`, with its key and all that it has absorbed, at `*out`: to have the HMAC so far and go on.
 */
kuaimi_error kuaimi_hmac_sm3_clone(const kuaimi_hmac_sm3 *hmac, kuaimi_hmac_sm3 **out);

/**
 * Wipes and frees an HMAC. Null is allowed.
 */
void kuaimi_hmac_sm3_free(kuaimi_hmac_sm3 *hmac);

/**
 * A new private key at `*out`, from the operating system's random generator. Free it with `kuaimi_sm2_private_key_free`.
 *
 * Source: GB/T 32918.1-2016, clause 6.1.
 */
kuaimi_error kuaimi_sm2_private_key_generate(kuaimi_sm2_private_key **out);

/**
 * The private key that is the integer in the 32 bytes at `bytes`, most significant byte first. Constant time.
 *
 * `KUAIMI_ERROR_KEY_LENGTH`: `len` is not 32. `KUAIMI_ERROR_PRIVATE_KEY_RANGE`: the integer is not in `[1, n - 2]`.
 */
kuaimi_error kuaimi_sm2_private_key_from_bytes(const uint8_t *bytes, size_t len, kuaimi_sm2_private_key **out);

/**
 * Reads the content of a key file in any form: PEM, DER or 32 bytes; PKCS#8, encrypted PKCS#8 or SEC 1; DER and the 32 bytes
 * also as hexadecimal or Base64. `password` may be null; it is not used for a key that is not encrypted.
 *
 * `KUAIMI_ERROR_PASSWORD_NEEDED`, `KUAIMI_ERROR_WRONG_PASSWORD`, `KUAIMI_ERROR_NOT_A_KEY`, `KUAIMI_ERROR_OTHER_KEY`,
 * `KUAIMI_ERROR_OTHER_ALGORITHM` and the other errors from 50 on say what is wrong with the file; `kuaimi_sm2_explain_private_key` says
 * what the file is.
 */
kuaimi_error kuaimi_sm2_private_key_read(const uint8_t *bytes,
                                         size_t len,
                                         const uint8_t *password,
                                         size_t password_len,
                                         kuaimi_sm2_private_key **out);

/**
 * Writes a private key, not encrypted. Wipe the buffer with `kuaimi_wipe` after use.
 *
 * `form`: `KUAIMI_KEY_RAW` (32 bytes), `KUAIMI_KEY_PKCS8_PEM`, `KUAIMI_KEY_PKCS8_DER`, `KUAIMI_KEY_SEC1_PEM` or
 * `KUAIMI_KEY_SEC1_DER`. PEM is ASCII text without a zero byte at the end.
 */
kuaimi_error kuaimi_sm2_private_key_write(const kuaimi_sm2_private_key *key,
                                          kuaimi_key_form form,
                                          uint8_t *out,
                                          size_t *out_len);

/**
 * Writes a private key, encrypted under a password, in at most `KUAIMI_ENCRYPTED_KEY_MAX_LEN` bytes, which is the size that it
 * asks for. Takes some tenths of a second with the default `encryption`, which is null.
 *
 * `form`: `KUAIMI_KEY_PKCS8_PEM` or `KUAIMI_KEY_PKCS8_DER`.
 */
kuaimi_error kuaimi_sm2_private_key_write_encrypted(const kuaimi_sm2_private_key *key,
                                                    const uint8_t *password,
                                                    size_t password_len,
                                                    const kuaimi_password_encryption *encryption,
                                                    kuaimi_key_form form,
                                                    uint8_t *out,
                                                    size_t *out_len);

/**
 * The public key that belongs to a private key, at `*out`. Free it with `kuaimi_sm2_public_key_free`.
 */
kuaimi_error kuaimi_sm2_private_key_public_key(const kuaimi_sm2_private_key *key, kuaimi_sm2_public_key **out);

/**
 * Writes a key pair as an enveloped key in DER, which the holder of the `recipient`'s private key can open.
 *
 * Source: GB/T 35276-2017, clause 7.4.
 */
kuaimi_error kuaimi_sm2_private_key_write_enveloped(const kuaimi_sm2_private_key *key,
                                                    const kuaimi_sm2_public_key *recipient,
                                                    uint8_t *out,
                                                    size_t *out_len);

/**
 * Opens an enveloped key in DER with the recipient's private key. The key pair in it is at `*out`.
 *
 * `KUAIMI_ERROR_DECRYPTION_FAILED`: it is for another key or was altered.
 */
kuaimi_error kuaimi_sm2_private_key_open_enveloped(const kuaimi_sm2_private_key *recipient,
                                                   const uint8_t *bytes,
                                                   size_t len,
                                                   kuaimi_sm2_private_key **out);

/**
 * Wipes and frees a private key. Null is allowed.
 */
void kuaimi_sm2_private_key_free(kuaimi_sm2_private_key *key);

/**
 * The public key that is a point: 64 bytes (x and y), 65 bytes (04, x and y; or hybrid) or 33 bytes (02 or 03, and x).
 * Variable time, as it is public. Free it with `kuaimi_sm2_public_key_free`.
 *
 * `KUAIMI_ERROR_POINT_ENCODING` and `KUAIMI_ERROR_POINT_NOT_ON_CURVE`: it is no point.
 */
kuaimi_error kuaimi_sm2_public_key_from_bytes(const uint8_t *bytes, size_t len, kuaimi_sm2_public_key **out);

/**
 * Reads the content of a key file in any form: PEM or DER, of a SubjectPublicKeyInfo or a certificate; or a point of 33, 64 or
 * 65 bytes; DER and points also as hexadecimal or Base64. Of a certificate only the key is read: nothing else in it is
 * checked.
 *
 * `KUAIMI_ERROR_NOT_A_KEY`, `KUAIMI_ERROR_OTHER_KEY`, `KUAIMI_ERROR_OTHER_ALGORITHM` and the other errors from 50 on say what
 * is wrong with the file; `kuaimi_sm2_explain_public_key` says what it is.
 */
kuaimi_error kuaimi_sm2_public_key_read(const uint8_t *bytes, size_t len, kuaimi_sm2_public_key **out);

/**
 * Writes a public key.
 *
 * `form`: `KUAIMI_KEY_RAW` (64 bytes, x and y), `KUAIMI_KEY_UNCOMPRESSED` (65 bytes), `KUAIMI_KEY_COMPRESSED` (33 bytes),
 * `KUAIMI_KEY_SPKI_PEM` or `KUAIMI_KEY_SPKI_DER`. PEM is ASCII text without a zero byte at the end.
 */
kuaimi_error kuaimi_sm2_public_key_write(const kuaimi_sm2_public_key *key, kuaimi_key_form form, uint8_t *out, size_t *out_len);

/**
 * Makes the table of a public key now, 52 KiB: encryption of short messages takes about half the time with it. The verifying keys
 * that were made from this handle have the same table. Making it takes as long as about three verifications.
 */
kuaimi_error kuaimi_sm2_public_key_prepare(const kuaimi_sm2_public_key *key);

/**
 * The identity digest `Z` of a public key and an identity: 32 bytes at `z`. `id` null means the default identity.
 *
 * `KUAIMI_ERROR_IDENTITY_TOO_LONG`: more than 8191 bytes.
 *
 * Source: GB/T 32918.2-2016, clause 5.5.
 */
kuaimi_error kuaimi_sm2_identity_digest(const kuaimi_sm2_public_key *key, const uint8_t *id, size_t id_len, uint8_t *z);

/**
 * Frees a public key. Null is allowed.
 */
void kuaimi_sm2_public_key_free(kuaimi_sm2_public_key *key);

/**
 * Writes a signature in another form.
 *
 * `from`: any form. `to`: `KUAIMI_SIGNATURE_RAW` or `KUAIMI_SIGNATURE_DER`.
 *
 * `KUAIMI_ERROR_SIGNATURE_ENCODING` and the errors of DER: the bytes are no signature in the form `from`.
 */
kuaimi_error kuaimi_sm2_signature_convert(const uint8_t *signature,
                                          size_t signature_len,
                                          kuaimi_signature_form from,
                                          kuaimi_signature_form to,
                                          uint8_t *out,
                                          size_t *out_len);

/**
 * A private key that signs under the identity `id`, at `*out`. `id` null means the default identity, `1234567812345678`; a
 * pointer with `id_len` zero means the empty one. The private key may be freed. Free the new key with
 * `kuaimi_sm2_signing_key_free`.
 *
 * `KUAIMI_ERROR_IDENTITY_TOO_LONG`: more than 8191 bytes.
 */
kuaimi_error kuaimi_sm2_signing_key_new(const kuaimi_sm2_private_key *key,
                                        const uint8_t *id,
                                        size_t id_len,
                                        kuaimi_sm2_signing_key **out);

/**
 * Signs a message. Constant time in the key, and the nonce is derived from the key, the message and fresh randomness together,
 * so that a broken random generator does not give the key away.
 *
 * `form`: `KUAIMI_SIGNATURE_RAW` (64 bytes) or `KUAIMI_SIGNATURE_DER` (a buffer of 72 bytes).
 *
 * `KUAIMI_ERROR_RANDOM`: the operating system's random generator failed.
 *
 * Source: GB/T 32918.2-2016, clause 6.1.
 */
kuaimi_error kuaimi_sm2_sign(const kuaimi_sm2_signing_key *key,
                             const uint8_t *message,
                             size_t message_len,
                             kuaimi_signature_form form,
                             uint8_t *out,
                             size_t *out_len);

/**
 * As `kuaimi_sm2_sign`, with the nonce by RFC 6979 with HMAC-SM3 and no randomness: the same message always gets the same
 * signature.
 */
kuaimi_error kuaimi_sm2_sign_deterministic(const kuaimi_sm2_signing_key *key,
                                           const uint8_t *message,
                                           size_t message_len,
                                           kuaimi_signature_form form,
                                           uint8_t *out,
                                           size_t *out_len);

/**
 * As `kuaimi_sm2_sign`, for the 32 bytes `SM3(Z, message)` at `digest`, which `kuaimi_sm2_signing_key_hash` helps to compute.
 */
kuaimi_error kuaimi_sm2_sign_digest(const kuaimi_sm2_signing_key *key,
                                    const uint8_t *digest,
                                    kuaimi_signature_form form,
                                    uint8_t *out,
                                    size_t *out_len);

/**
 * As `kuaimi_sm2_sign_digest`, with the nonce of `kuaimi_sm2_sign_deterministic`.
 */
kuaimi_error kuaimi_sm2_sign_digest_deterministic(const kuaimi_sm2_signing_key *key,
                                                  const uint8_t *digest,
                                                  kuaimi_signature_form form,
                                                  uint8_t *out,
                                                  size_t *out_len);

/**
 * As `kuaimi_sm2_sign_digest`, with the number 0 to 3 that `kuaimi_sm2_recover` needs, at `recovery_id`.
 */
kuaimi_error kuaimi_sm2_sign_digest_recoverable(const kuaimi_sm2_signing_key *key,
                                                const uint8_t *digest,
                                                kuaimi_signature_form form,
                                                uint8_t *out,
                                                size_t *out_len,
                                                uint8_t *recovery_id);

/**
 * A hash that has absorbed the identity digest `Z` of a signing key, at `*out`: absorb the message in pieces with
 * `kuaimi_sm3_update`, and sign the digest that `kuaimi_sm3_finish` gives with `kuaimi_sm2_sign_digest`. The hash serves one
 * message: take another from here for the next. Free it with `kuaimi_sm3_free`.
 */
kuaimi_error kuaimi_sm2_signing_key_hash(const kuaimi_sm2_signing_key *key, kuaimi_sm3 **out);

/**
 * Wipes and frees a signing key. Null is allowed.
 */
void kuaimi_sm2_signing_key_free(kuaimi_sm2_signing_key *key);

/**
 * A public key that verifies under the identity `id`, at `*out`. `id` null means the default identity, `1234567812345678`; a
 * pointer with `id_len` zero means the empty one. The two keys share one table. The public key may be freed. Free the
 * new key with `kuaimi_sm2_verifying_key_free`.
 *
 * `KUAIMI_ERROR_IDENTITY_TOO_LONG`: more than 8191 bytes.
 */
kuaimi_error kuaimi_sm2_verifying_key_new(const kuaimi_sm2_public_key *key,
                                          const uint8_t *id,
                                          size_t id_len,
                                          kuaimi_sm2_verifying_key **out);

/**
 * Makes the table of a key now, 52 KiB: verification takes about a third of the time with it. Making it takes as long as about
 * three verifications.
 */
kuaimi_error kuaimi_sm2_verifying_key_prepare(const kuaimi_sm2_verifying_key *key);

/**
 * Verifies a signature over a message. Variable time, as all of it is public.
 *
 * `KUAIMI_ERROR_INVALID_SIGNATURE`: it is not this key's signature over this message under its identity, or no signature in
 * the form `form`. `kuaimi_sm2_explain_signature` looks for what it fits instead.
 *
 * Source: GB/T 32918.2-2016, clause 7.1.
 */
kuaimi_error kuaimi_sm2_verify(const kuaimi_sm2_verifying_key *key,
                               const uint8_t *message,
                               size_t message_len,
                               kuaimi_signature_form form,
                               const uint8_t *signature,
                               size_t signature_len);

/**
 * As `kuaimi_sm2_verify`, for the 32 bytes `SM3(Z, message)` at `digest`, which `kuaimi_sm2_verifying_key_hash` helps to
 * compute.
 */
kuaimi_error kuaimi_sm2_verify_digest(const kuaimi_sm2_verifying_key *key,
                                      const uint8_t *digest,
                                      kuaimi_signature_form form,
                                      const uint8_t *signature,
                                      size_t signature_len);

/**
 * A hash that has absorbed the identity digest `Z` of a verifying key, at `*out`: see `kuaimi_sm2_signing_key_hash`.
 */
kuaimi_error kuaimi_sm2_verifying_key_hash(const kuaimi_sm2_verifying_key *key, kuaimi_sm3 **out);

/**
 * Frees a verifying key. Null is allowed.
 */
void kuaimi_sm2_verifying_key_free(kuaimi_sm2_verifying_key *key);

/**
 * The public key, at `*out`, under which `signature` is valid for the 32 bytes at `digest`. `recovery_id` is what
 * `kuaimi_sm2_sign_digest_recoverable` gave. Variable time. As every identity leads to some key, compare it with one that you
 * trust.
 *
 * `KUAIMI_ERROR_NOT_RECOVERABLE`: there is none. `KUAIMI_ERROR_RECOVERY_ID`: `recovery_id` is above 3.
 */
kuaimi_error kuaimi_sm2_recover(const uint8_t *digest,
                                kuaimi_signature_form form,
                                const uint8_t *signature,
                                size_t signature_len,
                                uint8_t recovery_id,
                                kuaimi_sm2_public_key **out);

/**
 * Encrypts a message of at least one byte. Constant time in the message but for its length.
 *
 * `form`: any but `KUAIMI_SM2_CIPHERTEXT_DER_LENIENT` and `KUAIMI_SM2_CIPHERTEXT_ANY`. In DER, the size that it asks for may
 * be some bytes more than it writes.
 *
 * `KUAIMI_ERROR_EMPTY_MESSAGE`: there is nothing to encrypt. `KUAIMI_ERROR_RANDOM`: the random generator failed.
 *
 * Source: GB/T 32918.4-2016, clause 6.1.
 */
kuaimi_error kuaimi_sm2_encrypt(const kuaimi_sm2_public_key *key,
                                const uint8_t *message,
                                size_t message_len,
                                kuaimi_sm2_ciphertext_form form,
                                uint8_t *out,
                                size_t *out_len);

/**
 * Decrypts a ciphertext. Constant time in the key and the plaintext but for its length. A plaintext is written only after it
 * was found to be right.
 *
 * `KUAIMI_ERROR_DECRYPTION_FAILED`: for whatever reason.
 *
 * Source: GB/T 32918.4-2016, clause 7.1.
 */
kuaimi_error kuaimi_sm2_decrypt(const kuaimi_sm2_private_key *key,
                                const uint8_t *ciphertext,
                                size_t ciphertext_len,
                                kuaimi_sm2_ciphertext_form form,
                                uint8_t *out,
                                size_t *out_len);

/**
 * Writes a ciphertext in another form, without a key.
 *
 * `from`: any form but `KUAIMI_SM2_CIPHERTEXT_ANY`. `to`: one of the first five.
 *
 * `KUAIMI_ERROR_CIPHERTEXT_ENCODING` and the errors of points and DER: the bytes are no ciphertext in the form `from`.
 */
kuaimi_error kuaimi_sm2_ciphertext_convert(const uint8_t *ciphertext,
                                           size_t ciphertext_len,
                                           kuaimi_sm2_ciphertext_form from,
                                           kuaimi_sm2_ciphertext_form to,
                                           uint8_t *out,
                                           size_t *out_len);

/**
 * The initiator's first step. `key` and `id` are the initiator's own, `peer` and `peer_id` the responder's; an identity that
 * is null means the default one. Send the 65 bytes at `r_a` to the responder. Free the initiator with
 * `kuaimi_sm2_initiator_free`.
 *
 * Source: GB/T 32918.3-2016, clause 6.1, steps A1 to A3.
 */
kuaimi_error kuaimi_sm2_exchange_start(const kuaimi_sm2_private_key *key,
                                       const uint8_t *id,
                                       size_t id_len,
                                       const kuaimi_sm2_public_key *peer,
                                       const uint8_t *peer_id,
                                       size_t peer_id_len,
                                       kuaimi_sm2_initiator **out,
                                       uint8_t *r_a);

/**
 * The responder's step. `key` and `id` are the responder's own, `peer` and `peer_id` the initiator's, `r_a` the initiator's
 * point (33, 64 or 65 bytes), and `shared_len` the length of the key to agree on. Send the 65 bytes at `r_b` and the 32 bytes
 * at `s_b` to the initiator. Free the response with `kuaimi_sm2_response_free`.
 *
 * `KUAIMI_ERROR_POINT_ENCODING`, `KUAIMI_ERROR_POINT_NOT_ON_CURVE`: `r_a` is no point. `KUAIMI_ERROR_DERIVED_KEY_LENGTH`:
 * `shared_len` is zero or too large.
 *
 * Source: GB/T 32918.3-2016, clause 6.1, steps B1 to B8.
 */
kuaimi_error kuaimi_sm2_exchange_respond(const kuaimi_sm2_private_key *key,
                                         const uint8_t *id,
                                         size_t id_len,
                                         const kuaimi_sm2_public_key *peer,
                                         const uint8_t *peer_id,
                                         size_t peer_id_len,
                                         const uint8_t *r_a,
                                         size_t r_a_len,
                                         size_t shared_len,
                                         kuaimi_sm2_response **out,
                                         uint8_t *r_b,
                                         uint8_t *s_b);

/**
 * The initiator's last step: `r_b` and `s_b` are the responder's point and confirmation. The shared key of `shared_len` bytes
 * is written to `shared`. Send the 32 bytes at `s_a` to the responder. Whether it succeeds or not, the initiator cannot be
 * used again, unless an argument was wrong (errors 10 to 23).
 *
 * `KUAIMI_ERROR_CONFIRMATION_FAILED`: the responder does not hold the same key.
 *
 * Source: GB/T 32918.3-2016, clause 6.1, steps A4 to A10.
 */
kuaimi_error kuaimi_sm2_initiator_finish(kuaimi_sm2_initiator *initiator,
                                         const uint8_t *r_b,
                                         size_t r_b_len,
                                         const uint8_t *s_b,
                                         uint8_t *shared,
                                         size_t shared_len,
                                         uint8_t *s_a);

/**
 * As `kuaimi_sm2_initiator_finish`, without confirmations: a wrong peer shows only when the keys do not fit.
 */
kuaimi_error kuaimi_sm2_initiator_finish_unconfirmed(kuaimi_sm2_initiator *initiator,
                                                     const uint8_t *r_b,
                                                     size_t r_b_len,
                                                     uint8_t *shared,
                                                     size_t shared_len);

/**
 * Writes what a process needs to go on with `kuaimi_sm2_initiator_finish` later, a secret: keep it where only its owner can
 * read or write it. The initiator can still be used.
 */
kuaimi_error kuaimi_sm2_initiator_to_bytes(const kuaimi_sm2_initiator *initiator, uint8_t *out, size_t *out_len);

/**
 * The initiator that `kuaimi_sm2_initiator_to_bytes` wrote. `key` is the private key that it started with.
 *
 * `KUAIMI_ERROR_EXCHANGE_STATE`: the bytes are no such state. `KUAIMI_ERROR_EXCHANGE_KEY`: it is another private key.
 */
kuaimi_error kuaimi_sm2_initiator_from_bytes(const uint8_t *bytes,
                                             size_t len,
                                             const kuaimi_sm2_private_key *key,
                                             kuaimi_sm2_initiator **out);

/**
 * Wipes and frees an initiator. Null is allowed.
 */
void kuaimi_sm2_initiator_free(kuaimi_sm2_initiator *initiator);

/**
 * The responder's last step: `s_a` is the initiator's confirmation. The shared key, of the length that
 * `kuaimi_sm2_exchange_respond` was given, is written to `shared`. Whether it succeeds or not, the response cannot be used
 * again, unless an argument was wrong (errors 10 to 13).
 *
 * `KUAIMI_ERROR_CONFIRMATION_FAILED`: the initiator does not hold the same key. `KUAIMI_ERROR_DERIVED_KEY_LENGTH`:
 * `shared_len` is another length.
 *
 * Source: GB/T 32918.3-2016, clause 6.1, step B10.
 */
kuaimi_error kuaimi_sm2_response_confirm(kuaimi_sm2_response *response, const uint8_t *s_a, uint8_t *shared, size_t shared_len);

/**
 * As `kuaimi_sm2_response_confirm`, without a confirmation: a wrong peer shows only when the keys do not fit.
 */
kuaimi_error kuaimi_sm2_response_key_unconfirmed(kuaimi_sm2_response *response, uint8_t *shared, size_t shared_len);

/**
 * Writes what a process needs to go on with `kuaimi_sm2_response_confirm` later, a secret: keep it where only its owner can
 * read or write it. The response can still be used.
 */
kuaimi_error kuaimi_sm2_response_to_bytes(const kuaimi_sm2_response *response, uint8_t *out, size_t *out_len);

/**
 * The response that `kuaimi_sm2_response_to_bytes` wrote.
 *
 * `KUAIMI_ERROR_EXCHANGE_STATE`: the bytes are no such state.
 */
kuaimi_error kuaimi_sm2_response_from_bytes(const uint8_t *bytes, size_t len, kuaimi_sm2_response **out);

/**
 * Wipes and frees a response. Null is allowed.
 */
void kuaimi_sm2_response_free(kuaimi_sm2_response *response);

/**
 * A cache of at most `capacity` bytes, at `*out`; a key takes 53 KiB. Free it with `kuaimi_sm2_key_cache_free`.
 */
kuaimi_error kuaimi_sm2_key_cache_new(size_t capacity, kuaimi_sm2_key_cache **out);

/**
 * Verifies as `kuaimi_sm2_verify`, with a table from the second use of the public key on.
 */
kuaimi_error kuaimi_sm2_key_cache_verify(const kuaimi_sm2_key_cache *cache,
                                         const kuaimi_sm2_verifying_key *key,
                                         const uint8_t *message,
                                         size_t message_len,
                                         kuaimi_signature_form form,
                                         const uint8_t *signature,
                                         size_t signature_len);

/**
 * Verifies as `kuaimi_sm2_verify_digest`, with a table from the second use of the public key on.
 */
kuaimi_error kuaimi_sm2_key_cache_verify_digest(const kuaimi_sm2_key_cache *cache,
                                                const kuaimi_sm2_verifying_key *key,
                                                const uint8_t *digest,
                                                kuaimi_signature_form form,
                                                const uint8_t *signature,
                                                size_t signature_len);

/**
 * Verifies as `kuaimi_sm2_verify_batch`, with the tables of the cache. Keys that come back, in this batch or in another, get
 * one.
 */
kuaimi_error kuaimi_sm2_key_cache_verify_batch(const kuaimi_sm2_key_cache *cache,
                                               const kuaimi_sm2_verify_item *items,
                                               size_t count,
                                               kuaimi_error *results);

/**
 * What the cache holds and has done.
 */
kuaimi_error kuaimi_sm2_key_cache_get_stats(const kuaimi_sm2_key_cache *cache, kuaimi_cache_stats *stats);

/**
 * Drops all tables, and forgets which keys were seen.
 */
kuaimi_error kuaimi_sm2_key_cache_clear(const kuaimi_sm2_key_cache *cache);

/**
 * Frees a cache. Null is allowed.
 */
void kuaimi_sm2_key_cache_free(kuaimi_sm2_key_cache *cache);

/**
 * A pool of at most `capacity` nonces of 128 bytes each, and never more than 2²⁰ of them, at `*out`. Its thread starts to fill it at once. Free it with
 * `kuaimi_sm2_nonce_pool_free`.
 *
 * `KUAIMI_ERROR_RANDOM`: the operating system's random generator failed.
 */
kuaimi_error kuaimi_sm2_nonce_pool_new(size_t capacity,
                                       kuaimi_sm2_nonce_pool **out);

/**
 * Signs as `kuaimi_sm2_sign`, with a nonce of the pool if one is ready. Does not wait.
 */
kuaimi_error kuaimi_sm2_nonce_pool_sign(const kuaimi_sm2_nonce_pool *pool,
                                        const kuaimi_sm2_signing_key *key,
                                        const uint8_t *message,
                                        size_t message_len,
                                        kuaimi_signature_form form,
                                        uint8_t *out,
                                        size_t *out_len);

/**
 * Signs as `kuaimi_sm2_sign_digest`, with a nonce of the pool if one is ready. Does not wait.
 */
kuaimi_error kuaimi_sm2_nonce_pool_sign_digest(const kuaimi_sm2_nonce_pool *pool,
                                               const kuaimi_sm2_signing_key *key,
                                               const uint8_t *digest,
                                               kuaimi_signature_form form,
                                               uint8_t *out,
                                               size_t *out_len);

/**
 * What the pool holds and has done.
 */
kuaimi_error kuaimi_sm2_nonce_pool_get_stats(const kuaimi_sm2_nonce_pool *pool, kuaimi_sm2_nonce_pool_stats *stats);

/**
 * Wipes the nonces, ends the pool's thread and frees it. Null is allowed.
 */
void kuaimi_sm2_nonce_pool_free(kuaimi_sm2_nonce_pool *pool);

/**
 * Why a signature may not fit, as a sentence in English at `out`, such as "it fits under the empty identity". What people often get wrong
 * is tried: another identity, the message in hexadecimal or Base64 or with another end of line, a digest in place of the message, r and s
 * swapped or reversed. **It is a hint for people, and makes no signature valid.** All values are public; the time is variable, and
 * bounded: about a second.
 *
 * `id` null means the default identity. `form`: any form of a signature. There is a sentence always, also for a signature that fits, for
 * bytes that are none, and where no reason was found. It has no zero byte at its end.
 */
kuaimi_error kuaimi_sm2_explain_signature(const kuaimi_sm2_public_key *key,
                                          const uint8_t *id,
                                          size_t id_len,
                                          const uint8_t *message,
                                          size_t message_len,
                                          kuaimi_signature_form form,
                                          const uint8_t *signature,
                                          size_t signature_len,
                                          uint8_t *out,
                                          size_t *out_len);

/**
 * As `kuaimi_sm2_explain_signature`, for the 32 bytes at `digest` in place of the identity and the message: see
 * `kuaimi_sm2_verify_digest`.
 */
kuaimi_error kuaimi_sm2_explain_digest_signature(const kuaimi_sm2_public_key *key,
                                                 const uint8_t *digest,
                                                 kuaimi_signature_form form,
                                                 const uint8_t *signature,
                                                 size_t signature_len,
                                                 uint8_t *out,
                                                 size_t *out_len);

/**
 * What the content of a file is, if `kuaimi_sm2_private_key_read` with the same arguments does not read it, as a sentence in English at
 * `out`: a certificate request, a key on another curve, a password that is missing. There is a sentence always, also for a key that is
 * read. It has no zero byte at its end, and nothing of the key in it.
 */
kuaimi_error kuaimi_sm2_explain_private_key(const uint8_t *bytes,
                                            size_t len,
                                            const uint8_t *password,
                                            size_t password_len,
                                            uint8_t *out,
                                            size_t *out_len);

/**
 * What the content of a file is, if `kuaimi_sm2_public_key_read` does not read it: see `kuaimi_sm2_explain_private_key`.
 */
kuaimi_error kuaimi_sm2_explain_public_key(const uint8_t *bytes, size_t len, uint8_t *out, size_t *out_len);

/**
 * Makes `count` private keys from the operating system's random generator, with handles at `keys[0]` to `keys[count - 1]`. An
 * item that fails has a null handle. `results` has one result for each; the function returns `KUAIMI_OK` if all are.
 */
kuaimi_error kuaimi_sm2_private_key_generate_batch(kuaimi_sm2_private_key **keys, size_t count, kuaimi_error *results);

/**
 * Makes the signatures of all items: 64 bytes each, r and s, one after another at `signatures`. `results` has one result for
 * each item; the function returns `KUAIMI_OK` if all are, and else the first that is not. Constant time as `kuaimi_sm2_sign`.
 */
kuaimi_error kuaimi_sm2_sign_batch(const kuaimi_sm2_sign_item *items, size_t count, uint8_t *signatures, kuaimi_error *results);

/**
 * Verifies all items. `results` has one result for each, `KUAIMI_OK` or `KUAIMI_ERROR_INVALID_SIGNATURE` if the item's other
 * fields are right; the function returns `KUAIMI_OK` if all are, and else the first that is not. Any mixture of keys, messages
 * and digests. A key with six signatures or more in the batch gets a table for it.
 */
kuaimi_error kuaimi_sm2_verify_batch(const kuaimi_sm2_verify_item *items, size_t count, kuaimi_error *results);

/**
 * Recovers the public keys of all items, with handles at `keys[0]` to `keys[count - 1]`. An item that fails has a null handle.
 * `results` has one result for each; the function returns `KUAIMI_OK` if all are, and else the first that is not.
 */
kuaimi_error kuaimi_sm2_recover_batch(const kuaimi_sm2_recover_item *items,
                                      size_t count,
                                      kuaimi_sm2_public_key **keys,
                                      kuaimi_error *results);

/**
 * Encrypts the messages of all items into their buffers, in one form: see `kuaimi_sm2_encrypt`. `results` has one result for
 * each; the function returns `KUAIMI_OK` if all are, and else the first that is not. With `KUAIMI_ERROR_BUFFER_TOO_SMALL`, the
 * item's `out_len` is what it needs.
 */
kuaimi_error kuaimi_sm2_encrypt_batch(kuaimi_sm2_encrypt_item *items,
                                      size_t count,
                                      kuaimi_sm2_ciphertext_form form,
                                      kuaimi_error *results);

/**
 * Decrypts the ciphertexts of all items into their buffers, from one form: see `kuaimi_sm2_decrypt`; not
 * `KUAIMI_SM2_CIPHERTEXT_ANY`. `results` has one result for each; the function returns `KUAIMI_OK` if all are, and else the
 * first that is not. With `KUAIMI_ERROR_BUFFER_TOO_SMALL`, the item's `out_len` is what it needs.
 */
kuaimi_error kuaimi_sm2_decrypt_batch(kuaimi_sm2_decrypt_item *items,
                                      size_t count,
                                      kuaimi_sm2_ciphertext_form form,
                                      kuaimi_error *results);

/**
 * SM4 with the key of 16 bytes at `key`, at `*out`. Constant time. Free it with `kuaimi_sm4_free`.
 */
kuaimi_error kuaimi_sm4_new(const uint8_t *key, kuaimi_sm4 **out);

/**
 * Encrypts each block of 16 bytes on its own (ECB), from `data` to `out`, which may be the same. Equal blocks stay equal, so
 * this does not hide a message.
 *
 * `KUAIMI_ERROR_PARTIAL_BLOCK`: `len` is not a multiple of 16. Then `out` is a copy of `data`.
 */
kuaimi_error kuaimi_sm4_ecb_encrypt(const kuaimi_sm4 *cipher, const uint8_t *data, size_t len, uint8_t *out);

/**
 * The inverse of `kuaimi_sm4_ecb_encrypt`.
 *
 * `KUAIMI_ERROR_PARTIAL_BLOCK`: `len` is not a multiple of 16. Then `out` is a copy of `data`.
 */
kuaimi_error kuaimi_sm4_ecb_decrypt(const kuaimi_sm4 *cipher, const uint8_t *data, size_t len, uint8_t *out);

/**
 * Wipes and frees a cipher. Null is allowed.
 */
void kuaimi_sm4_free(kuaimi_sm4 *cipher);

/**
 * SM4-GCM with the key of 16 bytes at `key`, at `*out`. Free it with `kuaimi_sm4_gcm_free`.
 */
kuaimi_error kuaimi_sm4_gcm_new(const uint8_t *key, kuaimi_sm4_gcm **out);

/**
 * Encrypts `len` bytes from `data` to `out`, which may be the same, and writes the tag of 16 bytes over all of it and over the
 * associated data to `tag`. **Never use a nonce twice with a key.** A nonce usually has 12 bytes; other lengths from one on
 * are accepted. Constant time but for the lengths.
 *
 * `KUAIMI_ERROR_EMPTY_NONCE`, `KUAIMI_ERROR_MESSAGE_TOO_LONG` (64 GiB).
 */
kuaimi_error kuaimi_sm4_gcm_seal(const kuaimi_sm4_gcm *cipher,
                                 const uint8_t *nonce,
                                 size_t nonce_len,
                                 const uint8_t *associated_data,
                                 size_t associated_data_len,
                                 const uint8_t *data,
                                 size_t len,
                                 uint8_t *out,
                                 uint8_t *tag);

/**
 * Decrypts `len` bytes from `data` to `out`, which may be the same, if the tag of 16 bytes at `tag` is right. The tag is
 * compared in constant time before anything is decrypted.
 *
 * `KUAIMI_ERROR_DECRYPTION_FAILED`: another key, nonce or associated data, or altered data. Then `out` is a copy of `data`.
 * `KUAIMI_ERROR_EMPTY_NONCE`.
 */
kuaimi_error kuaimi_sm4_gcm_open(const kuaimi_sm4_gcm *cipher,
                                 const uint8_t *nonce,
                                 size_t nonce_len,
                                 const uint8_t *associated_data,
                                 size_t associated_data_len,
                                 const uint8_t *data,
                                 size_t len,
                                 const uint8_t *tag,
                                 uint8_t *out);

/**
 * Wipes and frees a cipher. Null is allowed.
 */
void kuaimi_sm4_gcm_free(kuaimi_sm4_gcm *cipher);

/**
 * A message under the key of `cipher`, which may be freed before it, and the nonce, at `*out`. **Never use a nonce twice with a
 * key.** Free it with `kuaimi_sm4_gcm_stream_free`.
 *
 * `KUAIMI_ERROR_EMPTY_NONCE`.
 */
kuaimi_error kuaimi_sm4_gcm_stream_new(const kuaimi_sm4_gcm *cipher,
                                       const uint8_t *nonce,
                                       size_t nonce_len,
                                       kuaimi_sm4_gcm_stream **out);

/**
 * The next `len` bytes of the associated data.
 *
 * `KUAIMI_ERROR_ASSOCIATED_DATA_LATE`: the message has begun. `KUAIMI_ERROR_ALREADY_USED`: it has ended.
 */
kuaimi_error kuaimi_sm4_gcm_stream_associated_data(kuaimi_sm4_gcm_stream *stream, const uint8_t *data, size_t len);

/**
 * Encrypts the next `len` bytes of the message, from `data` to `out`, which may be the same.
 *
 * `KUAIMI_ERROR_MESSAGE_TOO_LONG` (64 GiB), `KUAIMI_ERROR_ALREADY_USED`. Then `out` is a copy of `data`.
 */
kuaimi_error kuaimi_sm4_gcm_stream_encrypt(kuaimi_sm4_gcm_stream *stream, const uint8_t *data, size_t len, uint8_t *out);

/**
 * Decrypts the next `len` bytes of the message, from `data` to `out`, which may be the same. **It may be an attacker's until
 * `kuaimi_sm4_gcm_stream_verify` has succeeded**: keep it where nobody sees it, do nothing that depends on it, and wipe it if the
 * tag is wrong. `kuaimi_sm4_gcm_open` has no such rule.
 *
 * `KUAIMI_ERROR_MESSAGE_TOO_LONG` (64 GiB), `KUAIMI_ERROR_ALREADY_USED`. Then `out` is a copy of `data`.
 */
kuaimi_error kuaimi_sm4_gcm_stream_decrypt_unverified(kuaimi_sm4_gcm_stream *stream,
                                                      const uint8_t *data,
                                                      size_t len,
                                                      uint8_t *out);

/**
 * Ends a message that was encrypted, and writes its tag of 16 bytes to `tag`.
 *
 * `KUAIMI_ERROR_ALREADY_USED`: it had ended.
 */
kuaimi_error kuaimi_sm4_gcm_stream_tag(kuaimi_sm4_gcm_stream *stream, uint8_t *tag);

/**
 * Ends a message that was decrypted, and compares its tag with the 16 bytes at `tag`, in constant time.
 *
 * `KUAIMI_ERROR_DECRYPTION_FAILED`: another key, nonce or associated data, or altered data. Then all that was decrypted must be
 * thrown away. `KUAIMI_ERROR_ALREADY_USED`: it had ended.
 */
kuaimi_error kuaimi_sm4_gcm_stream_verify(kuaimi_sm4_gcm_stream *stream, const uint8_t *tag);

/**
 * A copy of `stream`, at the same place, at `*out`. Free it with `kuaimi_sm4_gcm_stream_free`.
 */
kuaimi_error kuaimi_sm4_gcm_stream_clone(const kuaimi_sm4_gcm_stream *stream, kuaimi_sm4_gcm_stream **out);

/**
 * Wipes and frees a message. Null is allowed.
 */
void kuaimi_sm4_gcm_stream_free(kuaimi_sm4_gcm_stream *stream);

/**
 * SM4-CCM with the key of 16 bytes at `key`, at `*out`. Free it with `kuaimi_sm4_ccm_free`.
 */
kuaimi_error kuaimi_sm4_ccm_new(const uint8_t *key, kuaimi_sm4_ccm **out);

/**
 * Encrypts `len` bytes from `data` to `out`, which may be the same, and writes the tag over all of it and over the associated data
 * to `tag`. A tag has 16 bytes, or 4, 6, 8, 10, 12 or 14 if a protocol says so. **Never use a nonce twice with a key.** A nonce
 * has 7 to 13 bytes, 12 in TLS 1.3; the longer the nonce, the shorter the message may be: up to 65,535 bytes with a nonce of 13,
 * below 16 MiB with 12, below 4 GiB with 11. Constant time but for the lengths.
 *
 * `KUAIMI_ERROR_NONCE_LENGTH`, `KUAIMI_ERROR_TAG_LENGTH`, `KUAIMI_ERROR_MESSAGE_TOO_LONG`. Then `out` is a copy of `data`.
 */
kuaimi_error kuaimi_sm4_ccm_seal(const kuaimi_sm4_ccm *cipher,
                                 const uint8_t *nonce,
                                 size_t nonce_len,
                                 const uint8_t *associated_data,
                                 size_t associated_data_len,
                                 const uint8_t *data,
                                 size_t len,
                                 uint8_t *out,
                                 uint8_t *tag,
                                 size_t tag_len);

/**
 * Decrypts `len` bytes from `data` to `out`, which may be the same, if the tag of `tag_len` bytes at `tag` is right. It is compared
 * in constant time before any plaintext is written to `out`. The protocol, and not the sender, must say how long a tag is.
 *
 * `KUAIMI_ERROR_DECRYPTION_FAILED`: another key, nonce or associated data, or altered data. Then `out` is a copy of `data`.
 * `KUAIMI_ERROR_NONCE_LENGTH`, `KUAIMI_ERROR_TAG_LENGTH`.
 */
kuaimi_error kuaimi_sm4_ccm_open(const kuaimi_sm4_ccm *cipher,
                                 const uint8_t *nonce,
                                 size_t nonce_len,
                                 const uint8_t *associated_data,
                                 size_t associated_data_len,
                                 const uint8_t *data,
                                 size_t len,
                                 const uint8_t *tag,
                                 size_t tag_len,
                                 uint8_t *out);

/**
 * Wipes and frees a cipher. Null is allowed.
 */
void kuaimi_sm4_ccm_free(kuaimi_sm4_ccm *cipher);

/**
 * SM4-CBC with the key of 16 bytes at `key`, at `*out`. Free it with `kuaimi_sm4_cbc_free`.
 */
kuaimi_error kuaimi_sm4_cbc_new(const uint8_t *key, kuaimi_sm4_cbc **out);

/**
 * Encrypts whole blocks from `data` to `out`, which may be the same. The 16 bytes at `iv` must be unpredictable: take them
 * from a random generator for each message.
 *
 * `KUAIMI_ERROR_PARTIAL_BLOCK`: `len` is not a multiple of 16. Then `out` is a copy of `data`.
 */
kuaimi_error kuaimi_sm4_cbc_encrypt(const kuaimi_sm4_cbc *cipher,
                                    const uint8_t *iv,
                                    const uint8_t *data,
                                    size_t len,
                                    uint8_t *out);

/**
 * The inverse of `kuaimi_sm4_cbc_encrypt`.
 */
kuaimi_error kuaimi_sm4_cbc_decrypt(const kuaimi_sm4_cbc *cipher,
                                    const uint8_t *iv,
                                    const uint8_t *data,
                                    size_t len,
                                    uint8_t *out);

/**
 * Encrypts a message of any length, with 1 to 16 bytes of padding (PKCS#7): the next multiple of 16 bytes.
 */
kuaimi_error kuaimi_sm4_cbc_encrypt_padded(const kuaimi_sm4_cbc *cipher,
                                           const uint8_t *iv,
                                           const uint8_t *message,
                                           size_t message_len,
                                           uint8_t *out,
                                           size_t *out_len);

/**
 * Decrypts what `kuaimi_sm4_cbc_encrypt_padded` made, and removes the padding. The size that it asks for is one byte less than
 * the ciphertext's. A program that tells an attacker whether the padding was right lets the attacker decrypt, so authenticate
 * the ciphertext first.
 *
 * `KUAIMI_ERROR_DECRYPTION_FAILED`: the length is zero or not a multiple of 16, or the padding is wrong.
 */
kuaimi_error kuaimi_sm4_cbc_decrypt_padded(const kuaimi_sm4_cbc *cipher,
                                           const uint8_t *iv,
                                           const uint8_t *ciphertext,
                                           size_t ciphertext_len,
                                           uint8_t *out,
                                           size_t *out_len);

/**
 * Wipes and frees a cipher. Null is allowed.
 */
void kuaimi_sm4_cbc_free(kuaimi_sm4_cbc *cipher);

/**
 * SM4-CFB with the key of 16 bytes at `key` and the initialization vector of 16 bytes at `iv`, at `*out`: for one message, which
 * may come in pieces of any lengths. **Never use an initialization vector twice with a key.** Free it with `kuaimi_sm4_cfb_free`.
 */
kuaimi_error kuaimi_sm4_cfb_new(const uint8_t *key,
                                const uint8_t *iv,
                                kuaimi_sm4_cfb **out);

/**
 * Encrypts the next `len` bytes of the message, from `data` to `out`, which may be the same.
 */
kuaimi_error kuaimi_sm4_cfb_encrypt(kuaimi_sm4_cfb *state, const uint8_t *data, size_t len, uint8_t *out);

/**
 * The inverse of `kuaimi_sm4_cfb_encrypt`.
 */
kuaimi_error kuaimi_sm4_cfb_decrypt(kuaimi_sm4_cfb *state, const uint8_t *data, size_t len, uint8_t *out);

/**
 * A copy of `state`, at the same place, at `*out`. Free it with `kuaimi_sm4_cfb_free`.
 */
kuaimi_error kuaimi_sm4_cfb_clone(const kuaimi_sm4_cfb *state, kuaimi_sm4_cfb **out);

/**
 * Wipes and frees the state of a message. Null is allowed.
 */
void kuaimi_sm4_cfb_free(kuaimi_sm4_cfb *state);

/**
 * The key stream of the key of 16 bytes at `key` and the initialization vector of 16 bytes at `iv`, at `*out`. **Never use an
 * initialization vector twice with a key.** Free it with `kuaimi_sm4_ofb_free`.
 */
kuaimi_error kuaimi_sm4_ofb_new(const uint8_t *key, const uint8_t *iv, kuaimi_sm4_ofb **out);

/**
 * Encrypts or decrypts the next `len` bytes, from `data` to `out`, which may be the same.
 */
kuaimi_error kuaimi_sm4_ofb_apply(kuaimi_sm4_ofb *stream, const uint8_t *data, size_t len, uint8_t *out);

/**
 * A copy of `stream`, at the same place, at `*out`. Free it with `kuaimi_sm4_ofb_free`.
 */
kuaimi_error kuaimi_sm4_ofb_clone(const kuaimi_sm4_ofb *stream, kuaimi_sm4_ofb **out);

/**
 * Wipes and frees a key stream. Null is allowed.
 */
void kuaimi_sm4_ofb_free(kuaimi_sm4_ofb *stream);

/**
 * The key stream of the key of 16 bytes at `key` and the first counter of 16 bytes at `iv`, at `*out`. **Never use a counter
 * twice with a key.** Free it with `kuaimi_sm4_ctr_free`.
 */
kuaimi_error kuaimi_sm4_ctr_new(const uint8_t *key, const uint8_t *iv, kuaimi_sm4_ctr **out);

/**
 * Encrypts or decrypts the next `len` bytes, from `data` to `out`, which may be the same.
 */
kuaimi_error kuaimi_sm4_ctr_apply(kuaimi_sm4_ctr *stream, const uint8_t *data, size_t len, uint8_t *out);

/**
 * A copy of `stream`, at the same place, at `*out`. Free it with `kuaimi_sm4_ctr_free`.
 */
kuaimi_error kuaimi_sm4_ctr_clone(const kuaimi_sm4_ctr *stream, kuaimi_sm4_ctr **out);

/**
 * Wipes and frees a key stream. Null is allowed.
 */
void kuaimi_sm4_ctr_free(kuaimi_sm4_ctr *stream);

/**
 * SM4-XTS with the key of 32 bytes at `key`, 16 for the data and 16 for the tweak, at `*out`. Free it with
 * `kuaimi_sm4_xts_free`.
 *
 * `KUAIMI_ERROR_EQUAL_HALVES`: the two are equal.
 */
kuaimi_error kuaimi_sm4_xts_new(const uint8_t *key, kuaimi_sm4_xts_standard standard, kuaimi_sm4_xts **out);

/**
 * Encrypts at least 16 bytes from `data` to `out`, which may be the same. The 16 bytes at `tweak` are the position of the
 * data, usually the number of the sector, least significant byte first.
 *
 * `KUAIMI_ERROR_DATA_TOO_SHORT`: fewer than 16 bytes. Then `out` is a copy of `data`.
 */
kuaimi_error kuaimi_sm4_xts_encrypt(const kuaimi_sm4_xts *cipher,
                                    const uint8_t *tweak,
                                    const uint8_t *data,
                                    size_t len,
                                    uint8_t *out);

/**
 * The inverse of `kuaimi_sm4_xts_encrypt`.
 */
kuaimi_error kuaimi_sm4_xts_decrypt(const kuaimi_sm4_xts *cipher,
                                    const uint8_t *tweak,
                                    const uint8_t *data,
                                    size_t len,
                                    uint8_t *out);

/**
 * Wipes and frees a cipher. Null is allowed.
 */
void kuaimi_sm4_xts_free(kuaimi_sm4_xts *cipher);

/**
 * A new master key at `*out`, from the operating system's random generator. Free it with `kuaimi_sm9_master_signing_key_free`.
 *
 * Source: GB/T 38635.2-2020, clause 6.1.
 */
kuaimi_error kuaimi_sm9_master_signing_key_generate(kuaimi_sm9_master_signing_key **out);

/**
 * The master key that is the integer in the 32 bytes at `bytes`, most significant byte first. Constant time.
 *
 * `KUAIMI_ERROR_KEY_LENGTH`: `len` is not 32. `KUAIMI_ERROR_PRIVATE_KEY_RANGE`: the integer is not in `[1, N - 1]`.
 */
kuaimi_error kuaimi_sm9_master_signing_key_from_bytes(const uint8_t *bytes, size_t len, kuaimi_sm9_master_signing_key **out);

/**
 * Reads the content of a key file: PKCS#8, encrypted or not, in PEM, DER, hexadecimal or Base64. `password` may be null; it is
 * not used for a key that is not encrypted.
 *
 * The errors from 50 on say what is wrong with the file.
 */
kuaimi_error kuaimi_sm9_master_signing_key_read(const uint8_t *bytes,
                                                size_t len,
                                                const uint8_t *password,
                                                size_t password_len,
                                                kuaimi_sm9_master_signing_key **out);

/**
 * Writes a master key, not encrypted. Wipe the buffer with `kuaimi_wipe` after use.
 *
 * `form`: `KUAIMI_KEY_RAW` (32 bytes), `KUAIMI_KEY_DER`, `KUAIMI_KEY_PKCS8_PEM` or `KUAIMI_KEY_PKCS8_DER`.
 */
kuaimi_error kuaimi_sm9_master_signing_key_write(const kuaimi_sm9_master_signing_key *key,
                                                 kuaimi_key_form form,
                                                 uint8_t *out,
                                                 size_t *out_len);

/**
 * Writes a master key, encrypted under a password: see `kuaimi_sm2_private_key_write_encrypted`.
 */
kuaimi_error kuaimi_sm9_master_signing_key_write_encrypted(const kuaimi_sm9_master_signing_key *key,
                                                           const uint8_t *password,
                                                           size_t password_len,
                                                           const kuaimi_password_encryption *encryption,
                                                           kuaimi_key_form form,
                                                           uint8_t *out,
                                                           size_t *out_len);

/**
 * The master public key that belongs to a master key, at `*out`. Free it with `kuaimi_sm9_master_signing_public_key_free`.
 */
kuaimi_error kuaimi_sm9_master_signing_key_public_key(const kuaimi_sm9_master_signing_key *key,
                                                      kuaimi_sm9_master_signing_public_key **out);

/**
 * The signing key of the user `id` at `*out`. `hid` is the function identifier; 0 means the usual one, 1. Free the key with
 * `kuaimi_sm9_signing_key_free`.
 *
 * `KUAIMI_ERROR_EMPTY_IDENTITY`. `KUAIMI_ERROR_UNUSABLE_MASTER_KEY`: this master key cannot serve this identity, which does
 * not happen by chance.
 *
 * Source: GB/T 38635.2-2020, clause 6.1.
 */
kuaimi_error kuaimi_sm9_master_signing_key_extract(const kuaimi_sm9_master_signing_key *master,
                                                   const uint8_t *id,
                                                   size_t id_len,
                                                   uint8_t hid,
                                                   kuaimi_sm9_signing_key **out);

/**
 * As `kuaimi_sm9_master_signing_key_extract`, for many users: faster than one by one. The handles are at `keys[0]` to
 * `keys[count - 1]`; one that fails is null. `results` has one result for each; the function returns `KUAIMI_OK` if all are,
 * and else the first that is not.
 */
kuaimi_error kuaimi_sm9_master_signing_key_extract_batch(const kuaimi_sm9_master_signing_key *master,
                                                         const kuaimi_sm9_identity *identities,
                                                         size_t count,
                                                         kuaimi_sm9_signing_key **keys,
                                                         kuaimi_error *results);

/**
 * Wipes and frees a master key. Null is allowed.
 */
void kuaimi_sm9_master_signing_key_free(kuaimi_sm9_master_signing_key *key);

/**
 * The master public key that is a point: 128 bytes (coordinates), 129 bytes (after 04), or 65 bytes (compressed).
 *
 * `KUAIMI_ERROR_POINT_ENCODING` and `KUAIMI_ERROR_POINT_NOT_ON_CURVE`: it is no point.
 */
kuaimi_error kuaimi_sm9_master_signing_public_key_from_bytes(const uint8_t *bytes,
                                                             size_t len,
                                                             kuaimi_sm9_master_signing_public_key **out);

/**
 * Reads the content of a key file: SubjectPublicKeyInfo, or GmSSL's form, in PEM, DER, hexadecimal or Base64.
 *
 * The errors from 50 on say what is wrong with the file.
 */
kuaimi_error kuaimi_sm9_master_signing_public_key_read(const uint8_t *bytes,
                                                       size_t len,
                                                       kuaimi_sm9_master_signing_public_key **out);

/**
 * Writes a master public key.
 *
 * `form`: `KUAIMI_KEY_RAW` (128 bytes), `KUAIMI_KEY_UNCOMPRESSED` (129 bytes), `KUAIMI_KEY_DER`, `KUAIMI_KEY_SPKI_PEM`,
 * `KUAIMI_KEY_SPKI_DER` or `KUAIMI_KEY_GMSSL_PEM`.
 */
kuaimi_error kuaimi_sm9_master_signing_public_key_write(const kuaimi_sm9_master_signing_public_key *key,
                                                        kuaimi_key_form form,
                                                        uint8_t *out,
                                                        size_t *out_len);

/**
 * Makes the table of a master public key now, 76 KiB, which all keys under it share: signing and verification are faster with it.
 */
kuaimi_error kuaimi_sm9_master_signing_public_key_prepare(const kuaimi_sm9_master_signing_public_key *key);

/**
 * Frees a master public key. Null is allowed.
 */
void kuaimi_sm9_master_signing_public_key_free(kuaimi_sm9_master_signing_public_key *key);

/**
 * The key that is the point of 64 bytes, or 65 bytes after 04, at `bytes`, of the user `id` under a master public key. `hid`
 * is the function identifier; 0 means the usual one, 1. It is checked that they belong together. Free the key with
 * `kuaimi_sm9_signing_key_free`.
 *
 * `KUAIMI_ERROR_USER_KEY_MISMATCH`: they do not.
 */
kuaimi_error kuaimi_sm9_signing_key_from_bytes(const uint8_t *bytes,
                                               size_t len,
                                               const uint8_t *id,
                                               size_t id_len,
                                               uint8_t hid,
                                               const kuaimi_sm9_master_signing_public_key *master,
                                               kuaimi_sm9_signing_key **out);

/**
 * Reads the content of a key file of the user `id`: PKCS#8, encrypted or not, with the master public key, in PEM, DER,
 * hexadecimal or Base64. `password` may be null. `hid` 0 means the usual function identifier, 1.
 *
 * `KUAIMI_ERROR_USER_KEY_MISMATCH`: it is another user's. The errors from 50 on say what is wrong with the file.
 */
kuaimi_error kuaimi_sm9_signing_key_read(const uint8_t *bytes,
                                         size_t len,
                                         const uint8_t *password,
                                         size_t password_len,
                                         const uint8_t *id,
                                         size_t id_len,
                                         uint8_t hid,
                                         kuaimi_sm9_signing_key **out);

/**
 * Writes a user's key, not encrypted. Wipe the buffer with `kuaimi_wipe` after use.
 *
 * `form`: `KUAIMI_KEY_RAW` (64 bytes), `KUAIMI_KEY_DER`, `KUAIMI_KEY_PKCS8_PEM` or `KUAIMI_KEY_PKCS8_DER`.
 */
kuaimi_error kuaimi_sm9_signing_key_write(const kuaimi_sm9_signing_key *key,
                                          kuaimi_key_form form,
                                          uint8_t *out,
                                          size_t *out_len);

/**
 * Writes a user's key, encrypted under a password: see `kuaimi_sm2_private_key_write_encrypted`.
 */
kuaimi_error kuaimi_sm9_signing_key_write_encrypted(const kuaimi_sm9_signing_key *key,
                                                    const uint8_t *password,
                                                    size_t password_len,
                                                    const kuaimi_password_encryption *encryption,
                                                    kuaimi_key_form form,
                                                    uint8_t *out,
                                                    size_t *out_len);

/**
 * Makes the table of a key now, 52 KiB, and of its master public key what signing needs, 66 KiB: signing is faster with both.
 */
kuaimi_error kuaimi_sm9_signing_key_prepare(const kuaimi_sm9_signing_key *key);

/**
 * Writes the table of a key, to be stored beside the key: `kuaimi_sm9_signing_key_read_table` reads it faster than
 * `kuaimi_sm9_signing_key_prepare` makes it. If the key has no table, it is made. **A secret**, as the key is.
 */
kuaimi_error kuaimi_sm9_signing_key_write_table(const kuaimi_sm9_signing_key *key, uint8_t *out, size_t *out_len);

/**
 * The same key with the table that `kuaimi_sm9_signing_key_write_table` wrote, at `*out`.
 *
 * `KUAIMI_ERROR_TABLE`: the table is of another version, was altered, or belongs to another key.
 */
kuaimi_error kuaimi_sm9_signing_key_read_table(const kuaimi_sm9_signing_key *key,
                                               const uint8_t *table,
                                               size_t table_len,
                                               kuaimi_sm9_signing_key **out);

/**
 * Wipes and frees a user's key. Null is allowed.
 */
void kuaimi_sm9_signing_key_free(kuaimi_sm9_signing_key *key);

/**
 * The public key of the user `id` under a master public key, at `*out`. `hid` is the function identifier; 0 means the usual
 * one, 1. Free it with `kuaimi_sm9_verifying_key_free`.
 *
 * `KUAIMI_ERROR_EMPTY_IDENTITY`.
 */
kuaimi_error kuaimi_sm9_verifying_key_new(const kuaimi_sm9_master_signing_public_key *master,
                                          const uint8_t *id,
                                          size_t id_len,
                                          uint8_t hid,
                                          kuaimi_sm9_verifying_key **out);

/**
 * Makes the table of a key now, 10 KiB, and of its master public key what is needed with it, 66 KiB: verification is faster with
 * both.
 */
kuaimi_error kuaimi_sm9_verifying_key_prepare(const kuaimi_sm9_verifying_key *key);

/**
 * Frees a key. Null is allowed.
 */
void kuaimi_sm9_verifying_key_free(kuaimi_sm9_verifying_key *key);

/**
 * The hash of the empty message, at `*out`. Free it with `kuaimi_sm9_message_hash_free`.
 *
 * Source: GB/T 38635.2-2020, clause 5.3.2.3.
 */
kuaimi_error kuaimi_sm9_message_hash_new(kuaimi_sm9_message_hash **out);

/**
 * Absorbs the next piece of the message.
 */
kuaimi_error kuaimi_sm9_message_hash_update(kuaimi_sm9_message_hash *hash, const uint8_t *data, size_t len);

/**
 * Wipes and frees a hash. Null is allowed.
 */
void kuaimi_sm9_message_hash_free(kuaimi_sm9_message_hash *hash);

/**
 * Signs a message. Constant time in the key, and the nonce is derived from the key, the message and fresh randomness together,
 * so that a broken random generator does not give the key away.
 *
 * `form`: `KUAIMI_SIGNATURE_RAW` (96 bytes, h and S) or `KUAIMI_SIGNATURE_DER` (104 bytes).
 *
 * `KUAIMI_ERROR_RANDOM`: the operating system's random generator failed.
 *
 * Source: GB/T 38635.2-2020, clause 6.2.
 */
kuaimi_error kuaimi_sm9_sign(const kuaimi_sm9_signing_key *key,
                             const uint8_t *message,
                             size_t message_len,
                             kuaimi_signature_form form,
                             uint8_t *out,
                             size_t *out_len);

/**
 * As `kuaimi_sm9_sign`, for a message in pieces.
 */
kuaimi_error kuaimi_sm9_sign_hash(const kuaimi_sm9_signing_key *key,
                                  const kuaimi_sm9_message_hash *hash,
                                  kuaimi_signature_form form,
                                  uint8_t *out,
                                  size_t *out_len);

/**
 * Verifies a signature over a message. Variable time, as all of it is public.
 *
 * `KUAIMI_ERROR_INVALID_SIGNATURE`: it is not this user's signature over this message, or no signature in the form `form`.
 *
 * Source: GB/T 38635.2-2020, clause 6.3.
 */
kuaimi_error kuaimi_sm9_verify(const kuaimi_sm9_verifying_key *key,
                               const uint8_t *message,
                               size_t message_len,
                               kuaimi_signature_form form,
                               const uint8_t *signature,
                               size_t signature_len);

/**
 * As `kuaimi_sm9_verify`, for a message in pieces.
 */
kuaimi_error kuaimi_sm9_verify_hash(const kuaimi_sm9_verifying_key *key,
                                    const kuaimi_sm9_message_hash *hash,
                                    kuaimi_signature_form form,
                                    const uint8_t *signature,
                                    size_t signature_len);

/**
 * Writes a signature in another form. `from` and `to`: `KUAIMI_SIGNATURE_RAW` or `KUAIMI_SIGNATURE_DER`.
 *
 * `KUAIMI_ERROR_SIGNATURE_ENCODING` and the errors of points and DER: the bytes are no signature in the form `from`.
 */
kuaimi_error kuaimi_sm9_signature_convert(const uint8_t *signature,
                                          size_t signature_len,
                                          kuaimi_signature_form from,
                                          kuaimi_signature_form to,
                                          uint8_t *out,
                                          size_t *out_len);

/**
 * A new master key at `*out`, from the operating system's random generator. Free it with `kuaimi_sm9_master_encryption_key_free`.
 *
 * Source: GB/T 38635.2-2020, clause 7.1.
 */
kuaimi_error kuaimi_sm9_master_encryption_key_generate(kuaimi_sm9_master_encryption_key **out);

/**
 * The master key that is the integer in the 32 bytes at `bytes`, most significant byte first. Constant time.
 *
 * `KUAIMI_ERROR_KEY_LENGTH`: `len` is not 32. `KUAIMI_ERROR_PRIVATE_KEY_RANGE`: the integer is not in `[1, N - 1]`.
 */
kuaimi_error kuaimi_sm9_master_encryption_key_from_bytes(const uint8_t *bytes,
                                                         size_t len,
                                                         kuaimi_sm9_master_encryption_key **out);

/**
 * Reads the content of a key file: PKCS#8, encrypted or not, in PEM, DER, hexadecimal or Base64. `password` may be null; it is
 * not used for a key that is not encrypted.
 *
 * The errors from 50 on say what is wrong with the file.
 */
kuaimi_error kuaimi_sm9_master_encryption_key_read(const uint8_t *bytes,
                                                   size_t len,
                                                   const uint8_t *password,
                                                   size_t password_len,
                                                   kuaimi_sm9_master_encryption_key **out);

/**
 * Writes a master key, not encrypted. Wipe the buffer with `kuaimi_wipe` after use.
 *
 * `form`: `KUAIMI_KEY_RAW` (32 bytes), `KUAIMI_KEY_DER`, `KUAIMI_KEY_PKCS8_PEM` or `KUAIMI_KEY_PKCS8_DER`.
 */
kuaimi_error kuaimi_sm9_master_encryption_key_write(const kuaimi_sm9_master_encryption_key *key,
                                                    kuaimi_key_form form,
                                                    uint8_t *out,
                                                    size_t *out_len);

/**
 * Writes a master key, encrypted under a password: see `kuaimi_sm2_private_key_write_encrypted`.
 */
kuaimi_error kuaimi_sm9_master_encryption_key_write_encrypted(const kuaimi_sm9_master_encryption_key *key,
                                                              const uint8_t *password,
                                                              size_t password_len,
                                                              const kuaimi_password_encryption *encryption,
                                                              kuaimi_key_form form,
                                                              uint8_t *out,
                                                              size_t *out_len);

/**
 * The master public key that belongs to a master key, at `*out`. Free it with `kuaimi_sm9_master_encryption_public_key_free`.
 */
kuaimi_error kuaimi_sm9_master_encryption_key_public_key(const kuaimi_sm9_master_encryption_key *key,
                                                         kuaimi_sm9_master_encryption_public_key **out);

/**
 * The decryption key of the user `id` at `*out`. `hid` is the function identifier; 0 means the usual one, 3. Free the key with
 * `kuaimi_sm9_decryption_key_free`.
 *
 * `KUAIMI_ERROR_EMPTY_IDENTITY`. `KUAIMI_ERROR_UNUSABLE_MASTER_KEY`: this master key cannot serve this identity, which does
 * not happen by chance.
 *
 * Source: GB/T 38635.2-2020, clause 7.1.
 */
kuaimi_error kuaimi_sm9_master_encryption_key_extract(const kuaimi_sm9_master_encryption_key *master,
                                                      const uint8_t *id,
                                                      size_t id_len,
                                                      uint8_t hid,
                                                      kuaimi_sm9_decryption_key **out);

/**
 * As `kuaimi_sm9_master_encryption_key_extract`, for many users: faster than one by one. The handles are at `keys[0]` to
 * `keys[count - 1]`; one that fails is null. `results` has one result for each; the function returns `KUAIMI_OK` if all are,
 * and else the first that is not.
 */
kuaimi_error kuaimi_sm9_master_encryption_key_extract_batch(const kuaimi_sm9_master_encryption_key *master,
                                                            const kuaimi_sm9_identity *identities,
                                                            size_t count,
                                                            kuaimi_sm9_decryption_key **keys,
                                                            kuaimi_error *results);

/**
 * Wipes and frees a master key. Null is allowed.
 */
void kuaimi_sm9_master_encryption_key_free(kuaimi_sm9_master_encryption_key *key);

/**
 * The master public key that is a point: 64 bytes (coordinates), 65 bytes (after 04), or 33 bytes (compressed).
 *
 * `KUAIMI_ERROR_POINT_ENCODING` and `KUAIMI_ERROR_POINT_NOT_ON_CURVE`: it is no point.
 */
kuaimi_error kuaimi_sm9_master_encryption_public_key_from_bytes(const uint8_t *bytes,
                                                                size_t len,
                                                                kuaimi_sm9_master_encryption_public_key **out);

/**
 * Reads the content of a key file: SubjectPublicKeyInfo, or GmSSL's form, in PEM, DER, hexadecimal or Base64.
 *
 * The errors from 50 on say what is wrong with the file.
 */
kuaimi_error kuaimi_sm9_master_encryption_public_key_read(const uint8_t *bytes,
                                                          size_t len,
                                                          kuaimi_sm9_master_encryption_public_key **out);

/**
 * Writes a master public key.
 *
 * `form`: `KUAIMI_KEY_RAW` (64 bytes), `KUAIMI_KEY_UNCOMPRESSED` (65 bytes), `KUAIMI_KEY_DER`, `KUAIMI_KEY_SPKI_PEM`,
 * `KUAIMI_KEY_SPKI_DER` or `KUAIMI_KEY_GMSSL_PEM`.
 */
kuaimi_error kuaimi_sm9_master_encryption_public_key_write(const kuaimi_sm9_master_encryption_public_key *key,
                                                           kuaimi_key_form form,
                                                           uint8_t *out,
                                                           size_t *out_len);

/**
 * Makes the table of a master public key now, 118 KiB, which all keys under it share: encryption and key exchange are faster with it.
 */
kuaimi_error kuaimi_sm9_master_encryption_public_key_prepare(const kuaimi_sm9_master_encryption_public_key *key);

/**
 * Frees a master public key. Null is allowed.
 */
void kuaimi_sm9_master_encryption_public_key_free(kuaimi_sm9_master_encryption_public_key *key);

/**
 * The key for key exchange of the user `id` at `*out`. `hid` is the function identifier; 0 means the usual one, 2. Free the
 * key with `kuaimi_sm9_exchange_key_free`.
 *
 * `KUAIMI_ERROR_EMPTY_IDENTITY`. `KUAIMI_ERROR_UNUSABLE_MASTER_KEY`: this master key cannot serve this identity, which does
 * not happen by chance.
 *
 * Source: GB/T 38635.2-2020, clause 7.1.
 */
kuaimi_error kuaimi_sm9_master_encryption_key_extract_exchange(const kuaimi_sm9_master_encryption_key *master,
                                                               const uint8_t *id,
                                                               size_t id_len,
                                                               uint8_t hid,
                                                               kuaimi_sm9_exchange_key **out);

/**
 * As `kuaimi_sm9_master_encryption_key_extract_exchange`, for many users: faster than one by one. The handles are at `keys[0]`
 * to `keys[count - 1]`; one that fails is null. `results` has one result for each; the function returns `KUAIMI_OK` if all
 * are, and else the first that is not.
 */
kuaimi_error kuaimi_sm9_master_encryption_key_extract_exchange_batch(const kuaimi_sm9_master_encryption_key *master,
                                                                     const kuaimi_sm9_identity *identities,
                                                                     size_t count,
                                                                     kuaimi_sm9_exchange_key **keys,
                                                                     kuaimi_error *results);

/**
 * The public key of the user `id` under a master public key, at `*out`. `hid` is the function identifier; 0 means the usual
 * one, 3. Free it with `kuaimi_sm9_encryption_key_free`.
 *
 * `KUAIMI_ERROR_EMPTY_IDENTITY`.
 */
kuaimi_error kuaimi_sm9_encryption_key_new(const kuaimi_sm9_master_encryption_public_key *master,
                                           const uint8_t *id,
                                           size_t id_len,
                                           uint8_t hid,
                                           kuaimi_sm9_encryption_key **out);

/**
 * Makes the table of a key now, 52 KiB, and of its master public key what is needed with it, 66 KiB: encryption is faster with
 * both.
 */
kuaimi_error kuaimi_sm9_encryption_key_prepare(const kuaimi_sm9_encryption_key *key);

/**
 * Frees a key. Null is allowed.
 */
void kuaimi_sm9_encryption_key_free(kuaimi_sm9_encryption_key *key);

/**
 * The key that is the point of 128 bytes, or 129 bytes after 04, at `bytes`, of the user `id` under a master public key. `hid`
 * is the function identifier; 0 means the usual one, 3. It is checked that they belong together. Free the key with
 * `kuaimi_sm9_decryption_key_free`.
 *
 * `KUAIMI_ERROR_USER_KEY_MISMATCH`: they do not.
 */
kuaimi_error kuaimi_sm9_decryption_key_from_bytes(const uint8_t *bytes,
                                                  size_t len,
                                                  const uint8_t *id,
                                                  size_t id_len,
                                                  uint8_t hid,
                                                  const kuaimi_sm9_master_encryption_public_key *master,
                                                  kuaimi_sm9_decryption_key **out);

/**
 * Reads the content of a key file of the user `id`: PKCS#8, encrypted or not, with the master public key, in PEM, DER,
 * hexadecimal or Base64. `password` may be null. `hid` 0 means the usual function identifier, 3.
 *
 * `KUAIMI_ERROR_USER_KEY_MISMATCH`: it is another user's. The errors from 50 on say what is wrong with the file.
 */
kuaimi_error kuaimi_sm9_decryption_key_read(const uint8_t *bytes,
                                            size_t len,
                                            const uint8_t *password,
                                            size_t password_len,
                                            const uint8_t *id,
                                            size_t id_len,
                                            uint8_t hid,
                                            kuaimi_sm9_decryption_key **out);

/**
 * Writes a user's key, not encrypted. Wipe the buffer with `kuaimi_wipe` after use.
 *
 * `form`: `KUAIMI_KEY_RAW` (128 bytes), `KUAIMI_KEY_DER`, `KUAIMI_KEY_PKCS8_PEM` or `KUAIMI_KEY_PKCS8_DER`.
 */
kuaimi_error kuaimi_sm9_decryption_key_write(const kuaimi_sm9_decryption_key *key,
                                             kuaimi_key_form form,
                                             uint8_t *out,
                                             size_t *out_len);

/**
 * Writes a user's key, encrypted under a password: see `kuaimi_sm2_private_key_write_encrypted`.
 */
kuaimi_error kuaimi_sm9_decryption_key_write_encrypted(const kuaimi_sm9_decryption_key *key,
                                                       const uint8_t *password,
                                                       size_t password_len,
                                                       const kuaimi_password_encryption *encryption,
                                                       kuaimi_key_form form,
                                                       uint8_t *out,
                                                       size_t *out_len);

/**
 * Makes the table of a key now, 10 KiB: decryption is faster with it.
 */
kuaimi_error kuaimi_sm9_decryption_key_prepare(const kuaimi_sm9_decryption_key *key);

/**
 * Writes the table of a key, to be stored beside the key: `kuaimi_sm9_decryption_key_read_table` reads it faster than
 * `kuaimi_sm9_decryption_key_prepare` makes it. If the key has no table, it is made. **A secret**, as the key is.
 */
kuaimi_error kuaimi_sm9_decryption_key_write_table(const kuaimi_sm9_decryption_key *key, uint8_t *out, size_t *out_len);

/**
 * The same key with the table that `kuaimi_sm9_decryption_key_write_table` wrote, at `*out`.
 *
 * `KUAIMI_ERROR_TABLE`: the table is of another version, was altered, or belongs to another key.
 */
kuaimi_error kuaimi_sm9_decryption_key_read_table(const kuaimi_sm9_decryption_key *key,
                                                  const uint8_t *table,
                                                  size_t table_len,
                                                  kuaimi_sm9_decryption_key **out);

/**
 * Wipes and frees a user's key. Null is allowed.
 */
void kuaimi_sm9_decryption_key_free(kuaimi_sm9_decryption_key *key);

/**
 * Encrypts a message of at least one byte. Constant time in the message but for its length. `options` may be null. The size
 * that it asks for is `KUAIMI_SM9_CIPHERTEXT_OVERHEAD` more than the message's, some bytes more than it writes.
 *
 * `KUAIMI_ERROR_EMPTY_MESSAGE`: there is nothing to encrypt. `KUAIMI_ERROR_RANDOM`: the random generator failed.
 *
 * Source: GB/T 38635.2-2020, clause 9.2.
 */
kuaimi_error kuaimi_sm9_encrypt(const kuaimi_sm9_encryption_key *key,
                                const uint8_t *message,
                                size_t message_len,
                                const kuaimi_sm9_options *options,
                                uint8_t *out,
                                size_t *out_len);

/**
 * Decrypts a ciphertext. Constant time in the key and the plaintext but for its length. `options` may be null. A plaintext is
 * written only after it was found to be right. In the modes with padding, the size that it asks for is up to 32 bytes more
 * than it writes.
 *
 * `KUAIMI_ERROR_DECRYPTION_FAILED`: for whatever reason.
 *
 * Source: GB/T 38635.2-2020, clause 9.3.
 */
kuaimi_error kuaimi_sm9_decrypt(const kuaimi_sm9_decryption_key *key,
                                const uint8_t *ciphertext,
                                size_t ciphertext_len,
                                const kuaimi_sm9_options *options,
                                uint8_t *out,
                                size_t *out_len);

/**
 * A fresh key of `derived_len` bytes at `derived`, and what the recipient needs to get the same key: the 65 bytes at `c`.
 *
 * `KUAIMI_ERROR_DERIVED_KEY_LENGTH`: `derived_len` is zero or too large. `KUAIMI_ERROR_RANDOM`: the random generator failed.
 *
 * Source: GB/T 38635.2-2020, clause 8.2.
 */
kuaimi_error kuaimi_sm9_encapsulate(const kuaimi_sm9_encryption_key *key, uint8_t *derived, size_t derived_len, uint8_t *c);

/**
 * The key of `derived_len` bytes that was encapsulated in `c` (33, 64 or 65 bytes), at `derived`. Another key or an altered
 * `c` gives another result: nothing here detects it.
 *
 * `KUAIMI_ERROR_DECRYPTION_FAILED`: `c` is no point, or no key can come of it. `KUAIMI_ERROR_DERIVED_KEY_LENGTH`:
 * `derived_len` is zero or too large.
 *
 * Source: GB/T 38635.2-2020, clause 8.3.
 */
kuaimi_error kuaimi_sm9_decapsulate(const kuaimi_sm9_decryption_key *key,
                                    const uint8_t *c,
                                    size_t c_len,
                                    uint8_t *derived,
                                    size_t derived_len);

/**
 * The key that is the point of 128 bytes, or 129 bytes after 04, at `bytes`, of the user `id` under a master public key. `hid`
 * is the function identifier; 0 means the usual one, 2. It is checked that they belong together. Free the key with
 * `kuaimi_sm9_exchange_key_free`.
 *
 * `KUAIMI_ERROR_USER_KEY_MISMATCH`: they do not.
 */
kuaimi_error kuaimi_sm9_exchange_key_from_bytes(const uint8_t *bytes,
                                                size_t len,
                                                const uint8_t *id,
                                                size_t id_len,
                                                uint8_t hid,
                                                const kuaimi_sm9_master_encryption_public_key *master,
                                                kuaimi_sm9_exchange_key **out);

/**
 * Reads the content of a key file of the user `id`: PKCS#8, encrypted or not, with the master public key, in PEM, DER,
 * hexadecimal or Base64. `password` may be null. `hid` 0 means the usual function identifier, 2.
 *
 * `KUAIMI_ERROR_USER_KEY_MISMATCH`: it is another user's. The errors from 50 on say what is wrong with the file.
 */
kuaimi_error kuaimi_sm9_exchange_key_read(const uint8_t *bytes,
                                          size_t len,
                                          const uint8_t *password,
                                          size_t password_len,
                                          const uint8_t *id,
                                          size_t id_len,
                                          uint8_t hid,
                                          kuaimi_sm9_exchange_key **out);

/**
 * Writes a user's key, not encrypted. Wipe the buffer with `kuaimi_wipe` after use.
 *
 * `form`: `KUAIMI_KEY_RAW` (128 bytes), `KUAIMI_KEY_DER`, `KUAIMI_KEY_PKCS8_PEM` or `KUAIMI_KEY_PKCS8_DER`.
 */
kuaimi_error kuaimi_sm9_exchange_key_write(const kuaimi_sm9_exchange_key *key,
                                           kuaimi_key_form form,
                                           uint8_t *out,
                                           size_t *out_len);

/**
 * Writes a user's key, encrypted under a password: see `kuaimi_sm2_private_key_write_encrypted`.
 */
kuaimi_error kuaimi_sm9_exchange_key_write_encrypted(const kuaimi_sm9_exchange_key *key,
                                                     const uint8_t *password,
                                                     size_t password_len,
                                                     const kuaimi_password_encryption *encryption,
                                                     kuaimi_key_form form,
                                                     uint8_t *out,
                                                     size_t *out_len);

/**
 * Makes the table of a key now, 10 KiB, and that of its master public key, 118 KiB: key exchange is faster with both.
 */
kuaimi_error kuaimi_sm9_exchange_key_prepare(const kuaimi_sm9_exchange_key *key);

/**
 * Writes the table of a key, to be stored beside the key: `kuaimi_sm9_exchange_key_read_table` reads it faster than
 * `kuaimi_sm9_exchange_key_prepare` makes it. If the key has no table, it is made. **A secret**, as the key is.
 */
kuaimi_error kuaimi_sm9_exchange_key_write_table(const kuaimi_sm9_exchange_key *key, uint8_t *out, size_t *out_len);

/**
 * The same key with the table that `kuaimi_sm9_exchange_key_write_table` wrote, at `*out`.
 *
 * `KUAIMI_ERROR_TABLE`: the table is of another version, was altered, or belongs to another key.
 */
kuaimi_error kuaimi_sm9_exchange_key_read_table(const kuaimi_sm9_exchange_key *key,
                                                const uint8_t *table,
                                                size_t table_len,
                                                kuaimi_sm9_exchange_key **out);

/**
 * Wipes and frees a user's key. Null is allowed.
 */
void kuaimi_sm9_exchange_key_free(kuaimi_sm9_exchange_key *key);

/**
 * The initiator's first step. `key` is the initiator's own, `peer_id` the responder, with the function identifier `peer_hid`
 * (0 means the usual one, 2). Send the 65 bytes at `r_a` to the responder. Free the initiator with
 * `kuaimi_sm9_initiator_free`.
 *
 * Source: GB/T 38635.2-2020, clause 7.2, steps A1 to A4.
 */
kuaimi_error kuaimi_sm9_exchange_start(const kuaimi_sm9_exchange_key *key,
                                       const uint8_t *peer_id,
                                       size_t peer_id_len,
                                       uint8_t peer_hid,
                                       kuaimi_sm9_initiator **out,
                                       uint8_t *r_a);

/**
 * The responder's step. `key` is the responder's own, `peer_id` the initiator, with the function identifier `peer_hid` (0
 * means the usual one, 2), `r_a` the initiator's point (33, 64 or 65 bytes), and `shared_len` the length of the key to agree
 * on. Send the 65 bytes at `r_b` and the 32 bytes at `s_b` to the initiator. Free the response with
 * `kuaimi_sm9_response_free`.
 *
 * `KUAIMI_ERROR_POINT_ENCODING`, `KUAIMI_ERROR_POINT_NOT_ON_CURVE`: `r_a` is no point. `KUAIMI_ERROR_DERIVED_KEY_LENGTH`:
 * `shared_len` is zero or too large.
 *
 * Source: GB/T 38635.2-2020, clause 7.2, steps B1 to B7.
 */
kuaimi_error kuaimi_sm9_exchange_respond(const kuaimi_sm9_exchange_key *key,
                                         const uint8_t *peer_id,
                                         size_t peer_id_len,
                                         uint8_t peer_hid,
                                         const uint8_t *r_a,
                                         size_t r_a_len,
                                         size_t shared_len,
                                         kuaimi_sm9_response **out,
                                         uint8_t *r_b,
                                         uint8_t *s_b);

/**
 * The initiator's last step: `r_b` and `s_b` are the responder's point and confirmation. The shared key of `shared_len` bytes
 * is written to `shared`. Send the 32 bytes at `s_a` to the responder. Whether it succeeds or not, the initiator cannot be
 * used again, unless an argument was wrong (errors 10 to 23).
 *
 * `KUAIMI_ERROR_CONFIRMATION_FAILED`: the responder does not hold the same key.
 *
 * Source: GB/T 38635.2-2020, clause 7.2, steps A5 to A8.
 */
kuaimi_error kuaimi_sm9_initiator_finish(kuaimi_sm9_initiator *initiator,
                                         const uint8_t *r_b,
                                         size_t r_b_len,
                                         const uint8_t *s_b,
                                         uint8_t *shared,
                                         size_t shared_len,
                                         uint8_t *s_a);

/**
 * As `kuaimi_sm9_initiator_finish`, without confirmations: a wrong peer shows only when the keys do not fit.
 */
kuaimi_error kuaimi_sm9_initiator_finish_unconfirmed(kuaimi_sm9_initiator *initiator,
                                                     const uint8_t *r_b,
                                                     size_t r_b_len,
                                                     uint8_t *shared,
                                                     size_t shared_len);

/**
 * Writes what a process needs to go on with `kuaimi_sm9_initiator_finish` later, a secret: keep it where only its owner can
 * read or write it. The initiator can still be used.
 */
kuaimi_error kuaimi_sm9_initiator_to_bytes(const kuaimi_sm9_initiator *initiator, uint8_t *out, size_t *out_len);

/**
 * The initiator that `kuaimi_sm9_initiator_to_bytes` wrote. `key` is the key that it started with.
 *
 * `KUAIMI_ERROR_EXCHANGE_STATE`: the bytes are no such state. `KUAIMI_ERROR_EXCHANGE_KEY`: it is another key.
 */
kuaimi_error kuaimi_sm9_initiator_from_bytes(const uint8_t *bytes,
                                             size_t len,
                                             const kuaimi_sm9_exchange_key *key,
                                             kuaimi_sm9_initiator **out);

/**
 * Wipes and frees an initiator. Null is allowed.
 */
void kuaimi_sm9_initiator_free(kuaimi_sm9_initiator *initiator);

/**
 * The responder's last step: `s_a` is the initiator's confirmation. The shared key, of the length that
 * `kuaimi_sm9_exchange_respond` was given, is written to `shared`. Whether it succeeds or not, the response cannot be used
 * again, unless an argument was wrong (errors 10 to 13).
 *
 * `KUAIMI_ERROR_CONFIRMATION_FAILED`: the initiator does not hold the same key. `KUAIMI_ERROR_DERIVED_KEY_LENGTH`:
 * `shared_len` is another length.
 *
 * Source: GB/T 38635.2-2020, clause 7.2, step B8.
 */
kuaimi_error kuaimi_sm9_response_confirm(kuaimi_sm9_response *response, const uint8_t *s_a, uint8_t *shared, size_t shared_len);

/**
 * As `kuaimi_sm9_response_confirm`, without a confirmation: a wrong peer shows only when the keys do not fit.
 */
kuaimi_error kuaimi_sm9_response_key_unconfirmed(kuaimi_sm9_response *response, uint8_t *shared, size_t shared_len);

/**
 * Writes what a process needs to go on with `kuaimi_sm9_response_confirm` later, a secret: keep it where only its owner can
 * read or write it. The response can still be used.
 */
kuaimi_error kuaimi_sm9_response_to_bytes(const kuaimi_sm9_response *response, uint8_t *out, size_t *out_len);

/**
 * The response that `kuaimi_sm9_response_to_bytes` wrote.
 *
 * `KUAIMI_ERROR_EXCHANGE_STATE`: the bytes are no such state.
 */
kuaimi_error kuaimi_sm9_response_from_bytes(const uint8_t *bytes, size_t len, kuaimi_sm9_response **out);

/**
 * Wipes and frees a response. Null is allowed.
 */
void kuaimi_sm9_response_free(kuaimi_sm9_response *response);

/**
 * A cache of at most `capacity` bytes, at `*out`; an identity takes 10 KiB. Free it with `kuaimi_sm9_identity_cache_free`.
 */
kuaimi_error kuaimi_sm9_identity_cache_new(const kuaimi_sm9_master_signing_public_key *master,
                                           size_t capacity,
                                           kuaimi_sm9_identity_cache **out);

/**
 * Verifies as `kuaimi_sm9_verify`, with a table from the second use of the identity on.
 */
kuaimi_error kuaimi_sm9_identity_cache_verify(const kuaimi_sm9_identity_cache *cache,
                                              const kuaimi_sm9_verifying_key *key,
                                              const uint8_t *message,
                                              size_t message_len,
                                              kuaimi_signature_form form,
                                              const uint8_t *signature,
                                              size_t signature_len);

/**
 * Verifies as `kuaimi_sm9_verify_batch`, with the tables of the cache. Identities that come back, in this batch or in another,
 * get one.
 */
kuaimi_error kuaimi_sm9_identity_cache_verify_batch(const kuaimi_sm9_identity_cache *cache,
                                                    const kuaimi_sm9_verify_item *items,
                                                    size_t count,
                                                    kuaimi_error *results);

/**
 * What the cache holds and has done.
 */
kuaimi_error kuaimi_sm9_identity_cache_get_stats(const kuaimi_sm9_identity_cache *cache, kuaimi_cache_stats *stats);

/**
 * Drops all tables, and forgets which identities were seen.
 */
kuaimi_error kuaimi_sm9_identity_cache_clear(const kuaimi_sm9_identity_cache *cache);

/**
 * Frees a cache. Null is allowed.
 */
void kuaimi_sm9_identity_cache_free(kuaimi_sm9_identity_cache *cache);

/**
 * Makes the signatures of all items: 96 bytes each, h and S, one after another at `signatures`. `results` has one result for
 * each item; the function returns `KUAIMI_OK` if all are, and else the first that is not. Constant time as `kuaimi_sm9_sign`.
 */
kuaimi_error kuaimi_sm9_sign_batch(const kuaimi_sm9_sign_item *items, size_t count, uint8_t *signatures, kuaimi_error *results);

/**
 * Verifies all items. `results` has one result for each, `KUAIMI_OK` or `KUAIMI_ERROR_INVALID_SIGNATURE` if the item's other
 * fields are right; the function returns `KUAIMI_OK` if all are, and else the first that is not.
 */
kuaimi_error kuaimi_sm9_verify_batch(const kuaimi_sm9_verify_item *items, size_t count, kuaimi_error *results);

/**
 * Encrypts the messages of all items into their buffers, with the same options, which may be null: see `kuaimi_sm9_encrypt`.
 * `results` has one result for each; the function returns `KUAIMI_OK` if all are, and else the first that is not. With
 * `KUAIMI_ERROR_BUFFER_TOO_SMALL`, the item's `out_len` is what it needs.
 */
kuaimi_error kuaimi_sm9_encrypt_batch(kuaimi_sm9_encrypt_item *items,
                                      size_t count,
                                      const kuaimi_sm9_options *options,
                                      kuaimi_error *results);

/**
 * Decrypts the ciphertexts of all items into their buffers, with the same options, which may be null: see
 * `kuaimi_sm9_decrypt`. `results` has one result for each; the function returns `KUAIMI_OK` if all are, and else the first
 * that is not. With `KUAIMI_ERROR_BUFFER_TOO_SMALL`, the item's `out_len` is what it needs.
 */
kuaimi_error kuaimi_sm9_decrypt_batch(kuaimi_sm9_decrypt_item *items,
                                      size_t count,
                                      const kuaimi_sm9_options *options,
                                      kuaimi_error *results);

/**
 * Encapsulates a fresh key for each item: see `kuaimi_sm9_encapsulate`. `results` has one result for each; the function
 * returns `KUAIMI_OK` if all are, and else the first that is not.
 */
kuaimi_error kuaimi_sm9_encapsulate_batch(const kuaimi_sm9_encapsulate_item *items, size_t count, kuaimi_error *results);

/**
 * Decapsulates the key of each item: see `kuaimi_sm9_decapsulate`. `results` has one result for each; the function returns
 * `KUAIMI_OK` if all are, and else the first that is not.
 */
kuaimi_error kuaimi_sm9_decapsulate_batch(const kuaimi_sm9_decapsulate_item *items, size_t count, kuaimi_error *results);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* KUAIMI_H */
