/*
 * How keys and signatures of SM2 and SM9 are written, and keys encrypted. The rules for all functions are in kuaimi.h.
 *
 * MIT OR Apache-2.0. Made from the Rust sources by cbindgen: do not edit.
 */

#ifndef KUAIMI_FORM_H
#define KUAIMI_FORM_H

#include "base.h"

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

#endif  /* KUAIMI_FORM_H */
