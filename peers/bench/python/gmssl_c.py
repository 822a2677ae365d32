"""GmSSL's C functions, called where they are in the extension module of gmssl-pyx. A call through ctypes costs about a microsecond,
so that operations which take less are left out. Keys and states are C structures, in buffers larger than any of them."""

import ctypes
import sys

import line
from gmssl_pyx import gmsslext

C = ctypes.CDLL(gmsslext.__file__)
SIZE = ctypes.c_size_t
ROOM = 1 << 16
# 3.2 renamed functions, and the wheel that has it carries no signatures of SM9.
NEWER = hasattr(C, "sm2_sign_reset")


def room(length=ROOM):
    return ctypes.create_string_buffer(length)


def call(name, *arguments):
    """A function that gives 1 when all went well."""
    if getattr(C, name)(*arguments) != 1:
        raise ValueError(f"{name} refused")


def read(name, der):
    """Gives DER to a function that moves a pointer through it, as GmSSL's `_from_der` do."""
    structure, buffer = room(), ctypes.create_string_buffer(der, len(der))
    pointer, left = ctypes.c_void_p(ctypes.addressof(buffer)), SIZE(len(der))
    call(name, structure, ctypes.byref(pointer), ctypes.byref(left))
    return structure


def sm2_key(inputs):
    """SEC 1's ECPrivateKey, which every version reads."""
    curve = bytes.fromhex("a00a06082a811ccf5501822da144034200")
    return read("sm2_private_key_from_der", bytes.fromhex("30770201010420") + inputs["secret"] + curve + inputs["public"])


def keygen(inputs):
    key = room()
    return lambda: C.sm2_key_generate(key) == 1


def sign(inputs):
    key, message, state, result, length = sm2_key(inputs), inputs["message"], room(), room(), SIZE(0)
    size, at = SIZE(len(message)), ctypes.byref(length)
    call("sm2_sign_init", state, key, line.ID, SIZE(16))

    def once():
        # From 3.2 on, a state makes nonces for 32 signatures at its beginning, and is to be used again.
        if NEWER:
            call("sm2_sign_reset", state)
        else:
            call("sm2_sign_init", state, key, line.ID, SIZE(16))
        call("sm2_sign_update", state, message, size)
        call("sm2_sign_finish", state, result, at)
        return result.raw[: length.value]

    return once


def verify(inputs):
    key, message, signature, state = sm2_key(inputs), inputs["message"], inputs["signature"], room()
    size, length = SIZE(len(message)), SIZE(len(signature))

    def once():
        call("sm2_verify_init", state, key, line.ID, SIZE(16))
        call("sm2_verify_update", state, message, size)
        return C.sm2_verify_finish(state, signature, length) == 1

    return once


def crypt(function, key, given):
    result, length, size = room(), SIZE(0), SIZE(len(given))

    def once():
        call(function, key, given, size, result, ctypes.byref(length))
        return result.raw[: length.value]

    return once


def encrypt(inputs):
    return crypt("sm2_encrypt", sm2_key(inputs), inputs["message"])


def decrypt(inputs):
    return crypt("sm2_decrypt", sm2_key(inputs), inputs["ciphertext"])


def digest(inputs):
    message, state, result = inputs["message"], room(), room(32)
    size = SIZE(len(message))

    def once():
        C.sm3_init(state)
        C.sm3_update(state, message, size)
        C.sm3_finish(state, result)
        return result.raw

    return once


def sm4_key(inputs):
    key = room()
    C.sm4_set_encrypt_key(key, inputs["key"])
    return key


def cbc(inputs):
    key, message, iv = sm4_key(inputs), inputs["message"], room(16)
    result, blocks = room(len(message)), SIZE(len(message) // 16)
    encrypt_blocks = C.sm4_cbc_encrypt_blocks if NEWER else C.sm4_cbc_encrypt

    def once():
        ctypes.memmove(iv, inputs["iv"], 16)
        encrypt_blocks(key, iv, message, blocks, result)
        return result.raw

    return once


def ctr(inputs):
    key, message = sm4_key(inputs), inputs["message"]
    counter, result, size = room(16), room(len(message)), SIZE(len(message))

    def once():
        ctypes.memmove(counter, inputs["iv"], 16)
        C.sm4_ctr_encrypt(key, counter, message, size, result)
        return result.raw

    return once


def gcm(inputs):
    key, message, iv, tag = sm4_key(inputs), inputs["message"], inputs["iv"][:12], room(16)
    result, size = room(len(message)), SIZE(len(message))

    def once():
        call("sm4_gcm_encrypt", key, iv, SIZE(12), b"", SIZE(0), message, size, result, SIZE(16), tag)
        return result.raw + tag.raw

    return once


IDENTITY = (line.IDENTITY, SIZE(len(line.IDENTITY)))


def master_key(kind, inputs):
    """The secret key and its public point: SM9SignMasterKey and SM9EncMasterKey of GM/T 0080, which GmSSL reads."""
    secret = inputs["master"]
    number, point, text = room(), room(), room(129)
    names = "sm9_z256" if NEWER else "sm9"
    getattr(C, "sm9_z256_from_bytes" if NEWER else "sm9_bn_from_bytes")(number, secret)
    which, length = ("twist_point", 129) if kind == "sign" else ("point", 65)
    getattr(C, f"{names}_{which}_mul_generator")(point, number)
    getattr(C, f"{names}_{which}_to_uncompressed_octets")(point, text)
    content = b"\x02\x20" + secret + b"\x03" + (b"\x81" if length > 126 else b"") + bytes([length + 1, 0]) + text.raw[:length]
    der = b"\x30" + (b"\x81" if len(content) > 127 else b"") + bytes([len(content)]) + content
    return read(f"sm9_{kind}_master_key_from_der", der)


def user_key(kind, inputs):
    key = room()
    call(f"sm9_{kind}_master_key_extract_key", master_key(kind, inputs), *IDENTITY, key)
    return key


def sm9_extract(inputs):
    master, key = master_key("sign", inputs), room()
    return lambda: C.sm9_sign_master_key_extract_key(master, *IDENTITY, key) == 1


def sm9_sign(inputs):
    key, message, state, result, length = user_key("sign", inputs), inputs["message"], room(), room(), SIZE(0)

    def once():
        call("sm9_sign_init", state)
        call("sm9_sign_update", state, message, SIZE(len(message)))
        call("sm9_sign_finish", state, key, result, ctypes.byref(length))
        return result.raw[: length.value]

    return once


def sm9_verify(inputs):
    master, message, signature, state = master_key("sign", inputs), inputs["message"], inputs["signature"], room()

    def once():
        call("sm9_verify_init", state)
        call("sm9_verify_update", state, message, SIZE(len(message)))
        return C.sm9_verify_finish(state, signature, SIZE(len(signature)), master, *IDENTITY) == 1

    return once


def sm9_encrypt(inputs):
    master, message, result, length = master_key("enc", inputs), inputs["message"], room(), SIZE(0)

    def once():
        call("sm9_encrypt", master, *IDENTITY, message, SIZE(len(message)), result, ctypes.byref(length))
        return result.raw[: length.value]

    return once


def sm9_decrypt(inputs):
    key, ciphertext, result, length = user_key("enc", inputs), inputs["ciphertext"], room(), SIZE(0)

    def once():
        call("sm9_decrypt", key, *IDENTITY, ciphertext, SIZE(len(ciphertext)), result, ctypes.byref(length))
        return result.raw[: length.value]

    return once


OPERATIONS = {
    "sm2-keygen": keygen,
    "sm2-sign": sign,
    "sm2-verify": verify,
    "sm2-encrypt": encrypt,
    "sm2-decrypt": decrypt,
    "sm3": digest,
    "sm4-cbc": cbc,
    "sm4-ctr": ctr,
    "sm4-gcm": gcm,
    "sm9-extract": sm9_extract,
    "sm9-sign": sm9_sign,
    "sm9-verify": sm9_verify,
    "sm9-encrypt": sm9_encrypt,
    "sm9-decrypt": sm9_decrypt,
}
if not hasattr(C, "sm9_sign_init"):
    del OPERATIONS["sm9-sign"], OPERATIONS["sm9-verify"]
# The package does not tell GmSSL's version: it is the first argument.
line.serve(sys.argv[1], "der", "der", OPERATIONS)
