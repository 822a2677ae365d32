"""gmssl, which is written in Python. Its results of SM2 are raw; points have no 04 before them."""

from importlib.metadata import version

import line
from gmssl import sm2, sm3, sm4


def crypt(inputs):
    # mode 1: C1C3C2
    return sm2.CryptSM2(inputs["secret"].hex(), inputs["public"][1:].hex(), mode=1)


def sign(inputs):
    key, message = crypt(inputs), inputs["message"]
    return lambda: bytes.fromhex(key.sign_with_sm3(message))


def verify(inputs):
    key, message, signature = crypt(inputs), inputs["message"], inputs["signature"].hex()
    return lambda: bool(key.verify_with_sm3(signature, message))


def encrypt(inputs):
    key, message = crypt(inputs), inputs["message"]
    return lambda: b"\x04" + key.encrypt(message)


def decrypt(inputs):
    key, ciphertext = crypt(inputs), inputs["ciphertext"][1:]
    return lambda: key.decrypt(ciphertext)


def digest(inputs):
    message = list(inputs["message"])
    return lambda: bytes.fromhex(sm3.sm3_hash(message))


def cbc(inputs):
    cipher, iv, message = sm4.CryptSM4(), inputs["iv"], inputs["message"]
    cipher.set_key(inputs["key"], sm4.SM4_ENCRYPT)
    # It pads, which adds a block.
    return lambda: cipher.crypt_cbc(iv, message)[: len(message)]


line.serve(
    version("gmssl"),
    "raw",
    "c1c3c2",
    {"sm2-sign": sign, "sm2-verify": verify, "sm2-encrypt": encrypt, "sm2-decrypt": decrypt, "sm3": digest, "sm4-cbc": cbc},
)
