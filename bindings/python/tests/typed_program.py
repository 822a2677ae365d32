"""A program that type checkers read, strictly: what they find of the results is asserted."""

import pathlib
from typing import assert_type

import numpy as np
import pyarrow as pa  # type: ignore[import-untyped]

import kuaimi
from kuaimi import sm2, sm3, sm4, sm9
from kuaimi.serialization import BestAvailableEncryption, Encoding, PrivateFormat

key = sm2.SM2PrivateKey.generate()
assert_type(key.public_key(), sm2.SM2PublicKey)
assert_type(key.sign(bytearray(b"x"), id="alice", form="raw"), bytes)
assert_type(key.sign_digest_recoverable(bytes(32)), tuple[bytes, int])
key.public_key().verify(memoryview(b"x"), b"x", form="der-lenient")
key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, BestAvailableEncryption(b"x"))
sm2.sign_file(key, pathlib.Path("x"))

signatures = sm2.sign_batch(key, [b"x", None], ["alice", b"bob"])
verdicts = sm2.verify_batch(key.public_key(), [b"x"], signatures)
assert_type(verdicts, "list[bool | None] | sm2.ArrowColumn")
for verdict in verdicts:
    print(verdict)
found, reasons = sm2.verify_batch([key.public_key()], np.zeros((1, 32), "u1"), signatures, reasons=True)
print(len(found), reasons[0])
print(sm3.digest_batch(pa.array([b"x"])), sm3.Hash().digest_size)

master = sm9.MasterSigningKey.generate()
assert_type(master.extract("alice"), sm9.SigningKey)
assert_type(sm9.SigningKey.load(b"", "alice"), sm9.SigningKey)
assert_type(sm4.Cipher(bytes(16), sm4.XTS(bytes(16), "ieee")).encryptor().update(b""), bytes)
try:
    sm4.SM4GCM(bytes(16)).decrypt(bytes(12), b"")
except kuaimi.DecryptionFailed as error:
    print(error)
