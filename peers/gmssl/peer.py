"""GmSSL as a peer: answers requests, one JSON object a line in and one a line out, until the input ends. README.md lists them.

The C functions of GmSSL are called where they are, in the extension module of gmssl-pyx: its Python functions know no SM9
signatures, no signing keys and no PEM but in files. Keys are C structures here, in buffers larger than any version's, and
requests name them by handles.
"""

import ctypes
import inspect
import json
import os
import sys
import traceback

from gmssl_pyx import gmsslext

C = ctypes.CDLL(gmsslext.__file__)
LIBC = ctypes.CDLL(None)
LIBC.tmpfile.restype = ctypes.c_void_p
LIBC.fread.restype = LIBC.fwrite.restype = ctypes.c_size_t

# Larger than a structure of keys, of a signature's state, and than the DER of any of them.
ROOM = 4096

# What a key is for, and whose: the middle of GmSSL's names.
KINDS = {
    "sign master": "sign_master_key",
    "sign user": "sign_key",
    "encrypt master": "enc_master_key",
    "encrypt user": "enc_key",
}

KEYS = {}


class Refused(Exception):
    """GmSSL's own no."""


def octets(digits):
    return bytes.fromhex(digits)


def function(name):
    try:
        return getattr(C, name)
    except AttributeError:
        raise Refused(f"this build of GmSSL has no {name}") from None


def call(name, *arguments):
    """Calls a function that gives 1 when all went well, 0 or -1 when not."""
    if function(name)(*arguments) != 1:
        raise Refused(f"{name} refused")


def new_key(kind):
    if kind not in KINDS:
        raise ValueError(f"unknown kind {kind!r}: one of {', '.join(KINDS)}")
    return ctypes.create_string_buffer(ROOM)


def keep(kind, key):
    handle = len(KEYS) + 1
    KEYS[handle] = (kind, key)
    return {"handle": handle}


def kept(handle, *kinds):
    kind, key = KEYS[handle]
    if kind not in kinds:
        raise ValueError(f"a key for {' or '.join(kinds)} is needed, not for {kind}")
    return key


def written(write):
    """What a function appends at a moving pointer, as GmSSL's `_to_der` do."""
    buffer = ctypes.create_string_buffer(ROOM)
    pointer = ctypes.c_void_p(ctypes.addressof(buffer))
    length = ctypes.c_size_t(0)
    write(ctypes.byref(pointer), ctypes.byref(length))
    return buffer.raw[: length.value]


def read(der, read_at):
    """Gives DER to a function that moves a pointer through it, as GmSSL's `_from_der` do; all of it must be read."""
    buffer = ctypes.create_string_buffer(der, len(der))
    pointer = ctypes.c_void_p(ctypes.addressof(buffer))
    length = ctypes.c_size_t(len(der))
    read_at(ctypes.byref(pointer), ctypes.byref(length))
    if length.value != 0:
        raise Refused(f"{length.value} bytes were left over")


class TemporaryFile:
    """A FILE of the C library, for the functions that read and write PEM."""

    def __enter__(self):
        self.file = ctypes.c_void_p(LIBC.tmpfile())
        if not self.file:
            raise OSError("no temporary file can be made")
        return self

    def __exit__(self, *_):
        LIBC.fclose(self.file)

    def put(self, text):
        content = text.encode()
        if LIBC.fwrite(content, 1, len(content), self.file) != len(content):
            raise OSError("a temporary file cannot be written")
        LIBC.rewind(self.file)

    def get(self):
        buffer = ctypes.create_string_buffer(ROOM)
        LIBC.rewind(self.file)
        length = LIBC.fread(buffer, 1, ROOM, self.file)
        return buffer.raw[:length].decode()


# SM9's keys


def sm9_setup(kind):
    key = new_key(kind)
    call(f"sm9_{KINDS[kind]}_generate", key)
    return keep(kind, key)


def sm9_extract(master, id):
    kind, key = KEYS[master]
    user = new_key(kind.replace("master", "user"))
    identity = octets(id)
    call(f"sm9_{KINDS[kind]}_extract_key", key, identity, ctypes.c_size_t(len(identity)), user)
    return keep(kind.replace("master", "user"), user)


def sm9_read_der(kind, der, password):
    key = new_key(kind)
    name = f"sm9_{KINDS[kind]}_info_decrypt_from_der"
    read(octets(der), lambda *at: call(name, key, octets(password), *at))
    return keep(kind, key)


def sm9_read_pem(kind, pem, password):
    key = new_key(kind)
    with TemporaryFile() as file:
        file.put(pem)
        call(f"sm9_{KINDS[kind]}_info_decrypt_from_pem", key, octets(password), file.file)
    return keep(kind, key)


def sm9_write_der(handle, password):
    kind, key = KEYS[handle]
    name = f"sm9_{KINDS[kind]}_info_encrypt_to_der"
    return {"der": written(lambda *at: call(name, key, octets(password), *at)).hex()}


def sm9_write_pem(handle, password):
    kind, key = KEYS[handle]
    with TemporaryFile() as file:
        call(f"sm9_{KINDS[kind]}_info_encrypt_to_pem", key, octets(password), file.file)
        return {"pem": file.get()}


def sm9_inner(handle):
    """The key as it stands inside a PKCS#8."""
    kind, key = KEYS[handle]
    return {"der": written(lambda *at: call(f"sm9_{KINDS[kind]}_to_der", key, *at)).hex()}


def public_name(kind):
    if kind not in ("sign master", "encrypt master"):
        raise ValueError(f"a master key has a public key, and this is for {kind}")
    return "sm9_" + KINDS[kind].replace("master_key", "master_public_key")


def sm9_public_read(kind, pem):
    key = new_key(kind)
    with TemporaryFile() as file:
        file.put(pem)
        call(f"{public_name(kind)}_from_pem", key, file.file)
    return keep(kind, key)


def sm9_public_write(handle):
    kind, key = KEYS[handle]
    with TemporaryFile() as file:
        call(f"{public_name(kind)}_to_pem", key, file.file)
        return {"pem": file.get()}


# SM9's signatures and ciphertexts


def sm9_sign(key, message):
    state = ctypes.create_string_buffer(ROOM)
    call("sm9_sign_init", state)
    # In two parts, as a program that reads a file does.
    content = octets(message)
    half = len(content) // 2
    for part in (content[:half], content[half:]):
        call("sm9_sign_update", state, part, ctypes.c_size_t(len(part)))
    signature = ctypes.create_string_buffer(ROOM)
    length = ctypes.c_size_t(0)
    call("sm9_sign_finish", state, kept(key, "sign user"), signature, ctypes.byref(length))
    return {"signature": signature.raw[: length.value].hex()}


def sm9_verify(public, id, message, signature):
    state = ctypes.create_string_buffer(ROOM)
    call("sm9_verify_init", state)
    content, identity, der = octets(message), octets(id), octets(signature)
    call("sm9_verify_update", state, content, ctypes.c_size_t(len(content)))
    verdict = function("sm9_verify_finish")(
        state,
        der,
        ctypes.c_size_t(len(der)),
        kept(public, "sign master"),
        identity,
        ctypes.c_size_t(len(identity)),
    )
    # 1 for a good one, 0 for a bad one, and -1 for what is no signature.
    return {"verdict": verdict}


def sm9_encrypt(public, id, message):
    content, identity = octets(message), octets(id)
    ciphertext = ctypes.create_string_buffer(ROOM)
    length = ctypes.c_size_t(0)
    call(
        "sm9_encrypt",
        kept(public, "encrypt master"),
        identity,
        ctypes.c_size_t(len(identity)),
        content,
        ctypes.c_size_t(len(content)),
        ciphertext,
        ctypes.byref(length),
    )
    return {"ciphertext": ciphertext.raw[: length.value].hex()}


def sm9_decrypt(key, id, ciphertext):
    content, identity = octets(ciphertext), octets(id)
    message = ctypes.create_string_buffer(ROOM)
    length = ctypes.c_size_t(0)
    call(
        "sm9_decrypt",
        kept(key, "encrypt user"),
        identity,
        ctypes.c_size_t(len(identity)),
        content,
        ctypes.c_size_t(len(content)),
        message,
        ctypes.byref(length),
    )
    return {"message": message.raw[: length.value].hex()}


# SM2, by gmssl-pyx's own functions: a point without its 04


def sm2_keygen():
    public, d = gmsslext.sm2_key_generate()
    return {"d": d.hex(), "public": "04" + public.hex()}


def point(public):
    content = octets(public)
    if len(content) != 65 or content[0] != 4:
        raise ValueError("a public key is 04, x and y: 65 bytes")
    return content[1:]


def sm2_sign(d, public, id, message):
    signature = gmsslext.sm2_sign(octets(d), point(public), octets(message), signer_id=octets(id))
    return {"signature": signature.hex()}


def sm2_verify(public, id, message, signature):
    return {"valid": gmsslext.sm2_verify(point(public), octets(message), octets(signature), signer_id=octets(id))}


def sm2_encrypt(public, message):
    return {"ciphertext": gmsslext.sm2_encrypt(point(public), octets(message)).hex()}


def sm2_decrypt(d, ciphertext):
    return {"message": gmsslext.sm2_decrypt(octets(d), octets(ciphertext)).hex()}


REQUESTS = {
    answer.__name__: answer
    for answer in (
        sm9_setup,
        sm9_extract,
        sm9_read_der,
        sm9_read_pem,
        sm9_write_der,
        sm9_write_pem,
        sm9_inner,
        sm9_public_read,
        sm9_public_write,
        sm9_sign,
        sm9_verify,
        sm9_encrypt,
        sm9_decrypt,
        sm2_keygen,
        sm2_sign,
        sm2_verify,
        sm2_encrypt,
        sm2_decrypt,
    )
}


def answer(line):
    try:
        request = json.loads(line)
        operation = REQUESTS.get(request.pop("op"))
        if operation is None:
            raise ValueError("unknown op: README.md lists the requests")
        # Fields that are missing or too many are errors, so that a misspelt name never passes in silence.
        inspect.signature(operation).bind(**request)
        return {"ok": True, **operation(**request)}
    except (Refused, gmsslext.GmsslInnerError) as error:
        return {"ok": False, "refused": True, "error": f"{type(error).__name__}: {error}"}
    except Exception:
        return {"ok": False, "refused": False, "error": traceback.format_exc()}


def main():
    # GmSSL prints where it refused something, for each refusal. Everything of account is in the answers.
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    for line in sys.stdin:
        print(json.dumps(answer(line)), flush=True)


main()
