"""GmSSL's C code, both ways."""

import os

from conftest import Gmssl

from kuaimi import sm2, sm9
from kuaimi.serialization import Encoding, PasswordEncryption, PrivateFormat, PublicFormat


def test_sm2(gmssl_c: Gmssl) -> None:
    theirs = gmssl_c.ask("sm2_keygen")
    key = sm2.SM2PrivateKey.from_bytes(bytes.fromhex(theirs["d"]))
    assert key.public_key().to_bytes().hex() == theirs["public"]
    message, id = os.urandom(100), b"alice@example.com"
    signature = key.sign(message, id)
    assert gmssl_c.ask("sm2_verify", public=theirs["public"], id=id, message=message, signature=signature)["valid"]
    assert not gmssl_c.ask("sm2_verify", public=theirs["public"], id=id, message=b"another", signature=signature)["valid"]
    signature = bytes.fromhex(gmssl_c.ask("sm2_sign", d=theirs["d"], public=theirs["public"], id=id, message=message)["signature"])
    key.public_key().verify(signature, message, id, form="der")
    ciphertext = key.public_key().encrypt(message, "der")
    assert gmssl_c.ask("sm2_decrypt", d=theirs["d"], ciphertext=ciphertext)["message"] == message.hex()
    ciphertext = bytes.fromhex(gmssl_c.ask("sm2_encrypt", public=theirs["public"], message=message)["ciphertext"])
    assert key.decrypt(ciphertext) == message


def test_sm9(gmssl_c: Gmssl) -> None:
    message, how = os.urandom(50), PasswordEncryption(b"secret", iterations=10_000)
    # A number without a leading zero: GmSSL 3.1 does not read the others.
    master = sm9.MasterSigningKey.from_bytes(b"\x7f" + os.urandom(31))
    alice = master.extract("alice")
    pem = master.public_key().public_bytes(Encoding.PEM, PublicFormat.GmSSL).decode()
    public = gmssl_c.ask("sm9_public_read", kind="sign master", pem=pem)["handle"]
    verdict = gmssl_c.ask("sm9_verify", public=public, id=b"alice", message=message, signature=alice.sign(message))
    assert verdict["verdict"] == 1
    der = alice.private_bytes(Encoding.DER, PrivateFormat.PKCS8, how)
    key = gmssl_c.ask("sm9_read_der", kind="sign user", der=der, password=b"secret")["handle"]
    signature = bytes.fromhex(gmssl_c.ask("sm9_sign", key=key, message=message)["signature"])
    alice.verifying_key().verify(signature, message)

    encryption = sm9.MasterEncryptionKey.from_bytes(b"\x7f" + os.urandom(31))
    bob = encryption.extract("bob")
    pem = encryption.public_key().public_bytes(Encoding.PEM, PublicFormat.GmSSL).decode()
    public = gmssl_c.ask("sm9_public_read", kind="encrypt master", pem=pem)["handle"]
    ciphertext = bytes.fromhex(gmssl_c.ask("sm9_encrypt", public=public, id=b"bob", message=message)["ciphertext"])
    assert bob.decrypt(ciphertext, mac="hmac-sm3") == message
    der = bob.private_bytes(Encoding.DER, PrivateFormat.PKCS8, how)
    key = gmssl_c.ask("sm9_read_der", kind="encrypt user", der=der, password=b"secret")["handle"]
    ciphertext = bob.encryption_key().encrypt(message, mac="hmac-sm3")
    assert gmssl_c.ask("sm9_decrypt", key=key, id=b"bob", ciphertext=ciphertext)["message"] == message.hex()
