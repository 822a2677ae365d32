"""gmssl.sm2: CryptSM2, whose keys, signatures and points are hexadecimal digits.

Constant time in the private key and the nonces. decrypt compares the ciphertext's check value, which the original does not.
"""

from typing import Any

from ... import errors, sm2
from ..._native import hazmat
from . import func

default_ecc_table = {
    "n": "FFFFFFFEFFFFFFFFFFFFFFFFFFFFFFFF7203DF6B21C6052B53BBF40939D54123",
    "p": "FFFFFFFEFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF00000000FFFFFFFFFFFFFFFF",
    "g": "32c4ae2c1f1981195f9904466a39c9948fe30bbff2660be1715a4589334c74c7"
    "bc3736a2f4f6779c59bdcee36b692153d0a9877cc62a474002df32e52139f0a0",
    "a": "FFFFFFFEFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF00000000FFFFFFFFFFFFFFFC",
    "b": "28E9FA9E9D9F5E344D5A9E4BCF6509A7F39789F515AB8F92DDBCBD414D940E93",
}


class CryptSM2:
    """SM2 under a private key (64 digits, also with zeros before them) and a public key (128 digits, or 130 with 04), either of which may be "".

    mode is the order of ciphertexts: 0 for C1C2C3, 1 for C1C3C2, both without the byte 04. asn1=True: signatures in DER. There is one
    curve: ecc_table must be the default.

    >>> from kuaimi.sm2 import SM2PrivateKey
    >>> key = SM2PrivateKey.generate()
    >>> crypt = CryptSM2(key.to_bytes().hex(), key.public_key().to_bytes()[1:].hex())
    >>> crypt.verify_with_sm3(crypt.sign_with_sm3(b"a message"), b"a message")
    True
    """

    def __init__(
        self,
        private_key: str,
        public_key: str,
        ecc_table: dict[str, str] = default_ecc_table,
        mode: int = 0,
        asn1: bool = False,
    ) -> None:
        if {name: value.lower() for name, value in ecc_table.items()} != {
            name: value.lower() for name, value in default_ecc_table.items()
        }:
            raise errors.InvalidArgument("SM2 has one curve: leave ecc_table away")
        if mode not in (0, 1):
            raise errors.InvalidArgument("mode must be one of (0, 1)")
        self.private_key = private_key
        # A point may begin with 04 of its own.
        self.public_key = public_key[2:] if len(public_key) == 130 and public_key.startswith("04") else public_key
        self.ecc_table = ecc_table
        self.para_len = len(ecc_table["n"])
        self.ecc_a3 = 0
        self.mode = mode
        self.asn1 = asn1
        self._parsed: tuple[Any, Any] = (None, None)

    def __repr__(self) -> str:
        return "<kuaimi.compat.gmssl.sm2.CryptSM2>"

    def sign(self, data: bytes, K: str) -> str | None:
        """Signs a digest, 32 bytes, with the nonce K, hexadecimal digits: never the same twice. None where the nonce cannot be used.

        >>> from kuaimi.sm2 import SM2PrivateKey
        >>> crypt = CryptSM2(SM2PrivateKey.generate().to_bytes().hex(), "")
        >>> len(crypt.sign(bytes(32), func.random_hex(crypt.para_len)))
        128
        """
        nonce, key = int(K, 16) % _N, self._private()
        if nonce == 0:
            return None
        try:
            raw = hazmat.sm2_sign(key, _digest(data), nonce.to_bytes(32, "big"))
        except errors.FormatError:
            return None
        return (sm2.convert_signature(raw, "der", "raw") if self.asn1 else raw).hex()

    def verify(self, Sign: str, data: bytes) -> bool:
        """Whether a signature is the key's over a digest.

        >>> from kuaimi.sm2 import SM2PrivateKey
        >>> key = SM2PrivateKey.generate()
        >>> crypt = CryptSM2("", key.public_key().to_bytes().hex())
        >>> crypt.verify(key.sign_digest(bytes(32), form="raw").hex(), bytes(32))
        True
        """
        return self._valid(Sign, lambda signature, form: self._public().verify_digest(signature, _digest(data), form=form))

    def encrypt(self, data: bytes) -> bytes:
        """Encrypts bytes, at least one, in the order that mode says.

        >>> from kuaimi.sm2 import SM2PrivateKey
        >>> crypt = CryptSM2("", SM2PrivateKey.generate().public_key().to_bytes().hex())
        >>> len(crypt.encrypt(b"a secret"))
        104
        """
        return self._public().encrypt(data, self._form())

    def decrypt(self, data: bytes) -> bytes:
        """Decrypts bytes in the order that mode says. Raises DecryptionFailed where the check value is wrong.

        >>> from kuaimi.sm2 import SM2PrivateKey
        >>> key = SM2PrivateKey.generate()
        >>> crypt = CryptSM2(key.to_bytes().hex(), key.public_key().to_bytes().hex())
        >>> crypt.decrypt(crypt.encrypt(b"a secret"))
        b'a secret'
        """
        return self._private().decrypt(data, self._form())

    def sign_with_sm3(self, data: bytes, random_hex_str: str | None = None) -> str | None:
        """Signs bytes under the identity 1234567812345678, with the nonce that is given, or with one of its own.

        >>> from kuaimi.sm2 import SM2PrivateKey
        >>> key = SM2PrivateKey.generate()
        >>> crypt = CryptSM2(key.to_bytes().hex(), key.public_key().to_bytes().hex())
        >>> len(crypt.sign_with_sm3(b"a message"))
        128
        """
        if random_hex_str is not None:
            return self.sign(bytes.fromhex(self._sm3_z(data)), random_hex_str)
        return self._private().sign(data, form="der" if self.asn1 else "raw").hex()

    def verify_with_sm3(self, sign: str, data: bytes) -> bool:
        """Whether a signature is the key's over bytes under the identity 1234567812345678.

        >>> from kuaimi.sm2 import SM2PrivateKey
        >>> CryptSM2("", SM2PrivateKey.generate().public_key().to_bytes().hex()).verify_with_sm3("00" * 64, b"a message")
        False
        """
        return self._valid(sign, lambda signature, form: self._public().verify(signature, data, form=form))

    def _sm3_z(self, data: bytes) -> str:
        hash = self._public().message_hash()
        hash.update(data)
        return hash.hexdigest()

    def _kg(self, k: int, Point: str) -> str | None:
        """[k]P of a point of 128 digits, in constant time; None for the point at infinity.

        >>> crypt = CryptSM2("", "")
        >>> crypt._kg(1, default_ecc_table["g"]) == default_ecc_table["g"]
        True
        """
        k %= _N
        if k == 0:
            return None
        return hazmat.sm2_multiply(k.to_bytes(32, "big"), bytes.fromhex(Point)).hex()

    def _private(self) -> sm2.SM2PrivateKey:
        text, key = self._parsed[0] or (None, None)
        if key is None or text != self.private_key:
            key = sm2.SM2PrivateKey.from_bytes(_number(self.private_key))
            self._parsed = ((self.private_key, key), self._parsed[1])
        found: sm2.SM2PrivateKey = key
        return found

    def _public(self) -> sm2.SM2PublicKey:
        if not self.public_key and self.private_key:
            return self._private().public_key()
        text, key = self._parsed[1] or (None, None)
        if key is None or text != self.public_key:
            key = sm2.SM2PublicKey.from_bytes(bytes.fromhex(self.public_key))
            self._parsed = (self._parsed[0], (self.public_key, key))
        found: sm2.SM2PublicKey = key
        return found

    def _form(self) -> Any:
        return "bare-c1c3c2" if self.mode else "bare-c1c2c3"

    def _valid(self, signature: str, check: Any) -> bool:
        try:
            check(bytes.fromhex(signature), "der" if self.asn1 else "raw")
        except errors.InvalidSignature:
            return False
        except ValueError:
            # No hexadecimal digits.
            return False
        return True


_N = int(default_ecc_table["n"], 16)


def _number(digits: str) -> bytes:
    """The 32 bytes of a private key, which Java and the original's own examples write with zeros before them."""
    octets = bytes.fromhex(digits.zfill(len(digits) + len(digits) % 2))
    return octets[max(len(octets) - 32, 0) :].rjust(32, b"\0") if not any(octets[:-32]) else octets


def _digest(data: bytes) -> bytes:
    """The number of a digest, which the original takes in any length."""
    return (int.from_bytes(data, "big") % _N).to_bytes(32, "big")
