"""A private key in files, and the search for it in all that a program says."""

from __future__ import annotations

import base64
import pathlib

from kuaimi import sm2
from kuaimi.serialization import BestAvailableEncryption, Encoding, PrivateFormat


class Secret:
    def __init__(self, folder: pathlib.Path) -> None:
        self.key = sm2.SM2PrivateKey.generate()
        self.password = b"a password that is nowhere else"
        self.plain, self.encrypted, self.damaged, self.password_file = (
            folder / name for name in ("plain.pem", "encrypted.pem", "damaged.pem", "password")
        )
        pem = self.key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8)
        self.plain.write_bytes(pem)
        self.encrypted.write_bytes(self.key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, BestAvailableEncryption(self.password)))
        self.damaged.write_bytes(pem.replace(b"-----BEGIN PRIVATE KEY-----\n", b"-----BEGIN PRIVATE KEY-----\n!"))
        self.password_file.write_bytes(self.password + b"\n")
        number = self.key.to_bytes()
        lines = pem.splitlines()[1:-1]
        # Base64 of the number has three beginnings, as it may stand at any place of what is encoded.
        shifted = [base64.b64encode(bytes(shift) + number)[4:-4] for shift in range(3)]
        hexadecimal = number.hex().encode()
        decimal = str(int.from_bytes(number)).encode()
        self.traces = [number, number[::-1], hexadecimal, hexadecimal.upper(), decimal, self.password, *shifted, *lines[1:2]]
        assert all(len(trace) >= 16 for trace in self.traces)

    def found(self, *texts: bytes) -> bool:
        return any(trace in text for trace in self.traces for text in texts)

    def assert_absent(self, where: str, *texts: bytes) -> None:
        # The search itself works.
        assert self.found(b"x" + self.plain.read_bytes()) and self.found(repr(self.key.to_bytes().hex()).encode())
        assert self.found(base64.b64encode(b"ab" + self.key.to_bytes() + b"c"))
        assert not self.found(*texts), f"the key is in {where}"
