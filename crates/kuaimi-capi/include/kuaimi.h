/*
 * libkuaimi: the ShangMi algorithms SM2, SM9, SM3 and SM4, certificates and messages. MIT OR Apache-2.0.
 *
 * Made from the Rust sources by cbindgen: do not edit. docs/c.md of the project is a guide with examples.
 *
 * This header includes all others. Each of them, such as kuaimi/sm2.h, can be included alone. Rules for all functions:
 *
 * Errors. A function returns KUAIMI_OK, which is zero, or the reason why it failed; kuaimi_error_message has the text. Do not use the
 *   outputs of a function that failed. An array of results holds errors from the beginning of the call on, whichever argument is
 *   wrong. A verification returns KUAIMI_OK or KUAIMI_ERROR_INVALID_SIGNATURE, and a decryption that fails for whatever reason
 *   KUAIMI_ERROR_DECRYPTION_FAILED, if the other arguments are right. What is no message or no certificate at all has other errors.
 *
 * Arguments. They stand in this order: handles; inputs; options, which are enumerators, structures of them, and numbers such as the length
 *   of a key to be agreed on; outputs, `out` before others. What a function reads and changes is an input. A length follows its buffer;
 *   where an output is as long as an input, only the input has one. The members of structures have the same order.
 *   A number that is none of an enumeration gives KUAIMI_ERROR_INVALID_ARGUMENT.
 *
 * Inputs. Bytes are a pointer and a length. The pointer may be null if the length is zero. Where the documentation names the number
 *   of bytes, there is no length. Several certificates are an array of handles, of which none is null, and their number. An input must
 *   not change during the call. It is not kept after it.
 *
 * Outputs. `uint8_t *out, size_t *out_len` is a buffer and its length. The number of bytes written replaces the length. If `out` is
 *   null, the function returns KUAIMI_OK and only writes the size that a buffer needs to `*out_len`. If the buffer is smaller than
 *   that, it returns KUAIMI_ERROR_BUFFER_TOO_SMALL and writes that size to `*out_len`. An output must not overlap an input, unless
 *   the documentation says so. Text such as PEM has no zero byte at its end.
 *
 * Null. A null pointer where none is allowed is KUAIMI_ERROR_NULL_POINTER. Allowed are an input or an output of length zero, `out` before
 *   `out_len`, and what the documentation names. Compilers warn where they see a null pointer or a result that nobody looks at
 *   (KUAIMI_NONNULL and KUAIMI_WARN_UNUSED_RESULT in kuaimi/base.h).
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
 *   cache that such a thread was looking at is empty in the child, and a hash, an HMAC, a key stream, a message of SM4-GCM, a key
 *   exchange or a verifier that it was changing is lost, so that calls for it give KUAIMI_ERROR_INVALID_HANDLE.
 *
 * Constant time. No branch, memory address or division depends on a private key, a nonce or a plaintext. Verification and the
 *   reading of public values take variable time, as all of it is public.
 */


#ifndef KUAIMI_H
#define KUAIMI_H

#include "kuaimi/base.h"
#include "kuaimi/form.h"
#include "kuaimi/sm3.h"
#include "kuaimi/sm4.h"
#include "kuaimi/sm2.h"
#include "kuaimi/sm9.h"
#include "kuaimi/certificate.h"
#include "kuaimi/authority.h"
#include "kuaimi/cms.h"
#include "kuaimi/pkcs12.h"
#include "kuaimi/tlcp.h"

#endif  /* KUAIMI_H */
