"""gmalg, which is written in Python: SM2, SM3 and SM9."""

from importlib.metadata import version

import gmalg
import line


def sm2(inputs):
    return gmalg.SM2(inputs["secret"], line.ID, inputs["public"])


def keygen(inputs):
    key = gmalg.SM2()
    return lambda: b"".join(key.generate_keypair())


def sign(inputs):
    key, message = sm2(inputs), inputs["message"]
    return lambda: b"".join(key.sign(message))


def verify(inputs):
    key, message, signature = sm2(inputs), inputs["message"], inputs["signature"]
    return lambda: key.verify(message, signature[:32], signature[32:])


def encrypt(inputs):
    key, message = sm2(inputs), inputs["message"]
    return lambda: key.encrypt(message)


def decrypt(inputs):
    key, ciphertext = sm2(inputs), inputs["ciphertext"]
    return lambda: key.decrypt(ciphertext)


def digest(inputs):
    message = inputs["message"]

    def once():
        state = gmalg.SM3()
        state.update(message)
        return state.value()

    return once


def center(inputs):
    return gmalg.SM9KGC(hid_s=b"\x01", msk_s=inputs.get("master"), hid_e=b"\x03", msk_e=inputs.get("master"))


def sm9_signer(inputs):
    kgc = center(inputs)
    public = kgc.generate_mpk_sign(inputs["master"])
    return gmalg.SM9(hid_s=b"\x01", mpk_s=public, sk_s=kgc.generate_sk_sign(line.IDENTITY), uid=line.IDENTITY)


def sm9_reader(inputs):
    kgc = center(inputs)
    public = kgc.generate_mpk_encrypt(inputs["master"])
    return gmalg.SM9(hid_e=b"\x03", mpk_e=public, sk_e=kgc.generate_sk_encrypt(line.IDENTITY), uid=line.IDENTITY)


def sm9_extract(inputs):
    kgc = center(inputs)
    return lambda: kgc.generate_sk_sign(line.IDENTITY)


def sm9_sign(inputs):
    key, message = sm9_signer(inputs), inputs["message"]
    return lambda: b"".join(key.sign(message))


def sm9_verify(inputs):
    key, message, signature = sm9_signer(inputs), inputs["message"], inputs["signature"]
    return lambda: key.verify(message, signature[:32], signature[32:])


def sm9_encrypt(inputs):
    key, message = sm9_reader(inputs), inputs["message"]
    return lambda: key.encrypt(message, line.IDENTITY)


def sm9_decrypt(inputs):
    key, ciphertext = sm9_reader(inputs), inputs["ciphertext"]
    return lambda: key.decrypt(ciphertext)


line.serve(
    version("gmalg"),
    "raw",
    "c1c3c2",
    {
        "sm2-keygen": keygen,
        "sm2-sign": sign,
        "sm2-verify": verify,
        "sm2-encrypt": encrypt,
        "sm2-decrypt": decrypt,
        "sm3": digest,
        "sm9-extract": sm9_extract,
        "sm9-sign": sm9_sign,
        "sm9-verify": sm9_verify,
        "sm9-encrypt": sm9_encrypt,
        "sm9-decrypt": sm9_decrypt,
    },
)
