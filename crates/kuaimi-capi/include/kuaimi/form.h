/*
 * How keys and signatures of SM2 and SM9 are written, and keys encrypted. The rules for all functions are in kuaimi.h.
 *
 * MIT OR Apache-2.0. Made from the Rust sources by cbindgen: do not edit.
 */

#ifndef KUAIMI_FORM_H
#define KUAIMI_FORM_H

#include "base.h"

/**
 * The most bytes that an encrypted private key takes, in either form.
 */
#define KUAIMI_ENCRYPTED_KEY_MAX_LEN 1024

/**
 * A form in which a key is written. Each function says which of them it takes.
 */
typedef enum {
  /**
   * The number or the coordinates alone, most significant byte first.
   */
  KUAIMI_KEY_RAW = 1,
  /**
   * PKCS#8 in PEM.
   */
  KUAIMI_KEY_PKCS8_PEM = 2,
  /**
   * PKCS#8 in DER (RFC 5958).
   */
  KUAIMI_KEY_PKCS8_DER = 3,
  /**
   * `ECPrivateKey` in PEM.
   */
  KUAIMI_KEY_SEC1_PEM = 4,
  /**
   * `ECPrivateKey` in DER (RFC 5915).
   */
  KUAIMI_KEY_SEC1_DER = 5,
  /**
   * SubjectPublicKeyInfo in PEM.
   */
  KUAIMI_KEY_SPKI_PEM = 6,
  /**
   * SubjectPublicKeyInfo in DER.
   */
  KUAIMI_KEY_SPKI_DER = 7,
  /**
   * A point with the first byte 04 (SEC 1).
   */
  KUAIMI_KEY_UNCOMPRESSED = 8,
  /**
   * A point's x-coordinate after the byte 02 or 03 (SEC 1).
   */
  KUAIMI_KEY_COMPRESSED = 9,
  /**
   * SM9: the number or point of GB/T 41389 in DER.
   */
  KUAIMI_KEY_DER = 10,
  /**
   * SM9: a master public key in PEM as GmSSL writes it.
   */
  KUAIMI_KEY_GMSSL_PEM = 11,
} kuaimi_key_form;

/**
 * A cipher for private keys under a password.
 */
typedef enum {
  /**
   * SM4-CBC.
   */
  KUAIMI_CIPHER_SM4_CBC = 1,
  /**
   * AES-128-CBC.
   */
  KUAIMI_CIPHER_AES128_CBC = 2,
  /**
   * AES-192-CBC.
   */
  KUAIMI_CIPHER_AES192_CBC = 3,
  /**
   * AES-256-CBC.
   */
  KUAIMI_CIPHER_AES256_CBC = 4,
} kuaimi_password_cipher;

/**
 * A function that derives a key from a password.
 */
typedef enum {
  /**
   * PBKDF2 with HMAC-SM3.
   */
  KUAIMI_PBKDF2_HMAC_SM3 = 1,
  /**
   * PBKDF2 with HMAC-SHA-1.
   */
  KUAIMI_PBKDF2_HMAC_SHA1 = 2,
  /**
   * PBKDF2 with HMAC-SHA-224.
   */
  KUAIMI_PBKDF2_HMAC_SHA224 = 3,
  /**
   * PBKDF2 with HMAC-SHA-256.
   */
  KUAIMI_PBKDF2_HMAC_SHA256 = 4,
  /**
   * PBKDF2 with HMAC-SHA-384.
   */
  KUAIMI_PBKDF2_HMAC_SHA384 = 5,
  /**
   * PBKDF2 with HMAC-SHA-512.
   */
  KUAIMI_PBKDF2_HMAC_SHA512 = 6,
  /**
   * scrypt.
   */
  KUAIMI_SCRYPT = 7,
} kuaimi_password_kdf;

/**
 * A form of a signature.
 */
typedef enum {
  /**
   * The numbers alone: SM2's r and s, 64 bytes; SM9's h and S, 96 bytes.
   */
  KUAIMI_SIGNATURE_RAW = 1,
  /**
   * DER (GM/T 0009; SM9: GB/T 41389). Reading is strict: a signature has one encoding.
   */
  KUAIMI_SIGNATURE_DER = 2,
  /**
   * SM2, for reading alone: DER as some vendors write it against the rules. One signature
   * then has many encodings.
   */
  KUAIMI_SIGNATURE_DER_LENIENT = 3,
  /**
   * SM2, for reading alone: DER or the 64 bytes, whichever it is.
   */
  KUAIMI_SIGNATURE_ANY = 4,
} kuaimi_signature_form;

/**
 * How a private key is encrypted under a password (PBES2, RFC 8018). Where a function takes a
 * pointer to it, null means SM4-CBC and PBKDF2 with HMAC-SM3 and 600000 iterations.
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

#endif  /* KUAIMI_FORM_H */
