"""gmalg.SM2: a user, who signs, verifies, encrypts, decrypts and exchanges keys."""

from __future__ import annotations

from collections.abc import Callable

from ... import errors as kuaimi_errors
from ... import sm2
from ..._native import hazmat
from . import _points, errors
from .base import KEYXCHG_MODE, PC_MODE

_N = 0xFFFFFFFEFFFFFFFFFFFFFFFFFFFFFFFF7203DF6B21C6052B53BBF40939D54123
_G = bytes.fromhex(
    "32c4ae2c1f1981195f9904466a39c9948fe30bbff2660be1715a4589334c74c7bc3736a2f4f6779c59bdcee36b692153d0a9877cc62a474002df32e52139f0a0"
)


class SM2:
    """A user of SM2: a private key sk, an identity uid, a public key pk. Which are needed depends on what is done.

    Constant time in the keys. rnd_fn, where it is given, draws the nonces; pc_mode says how points are written, and all forms are read.

    >>> alice = SM2(bytes(31) + b"\\x07", b"alice")
    >>> alice.verify(b"a message", *alice.sign(b"a message"))
    True
    """

    def __init__(
        self,
        sk: bytes | None = None,
        uid: bytes | None = None,
        pk: bytes | None = None,
        *,
        rnd_fn: Callable[[int], int] | None = None,
        pc_mode: PC_MODE = PC_MODE.RAW,
    ) -> None:
        self._uid, self._rnd_fn, self._pc_mode = uid, rnd_fn, pc_mode
        try:
            self._sk = sm2.SM2PrivateKey.from_bytes(_points.number(sk)) if sk else None
        except kuaimi_errors.Error as error:
            raise errors.of(error) from error
        self._pk = _public(pk) if pk else self._sk.public_key() if self._sk else None

    def __repr__(self) -> str:
        return "<kuaimi.compat.gmalg.SM2>"

    @property
    def can_sign(self) -> bool:
        """Whether it has what signing needs.

        >>> SM2().can_sign
        False
        """
        return bool(self._sk and self._uid)

    @property
    def can_verify(self) -> bool:
        """Whether it has what verifying needs.

        >>> SM2().can_verify
        False
        """
        return bool(self._pk and self._uid)

    @property
    def can_encrypt(self) -> bool:
        """Whether it has what encryption needs.

        >>> SM2().can_encrypt
        False
        """
        return self._pk is not None

    @property
    def can_decrypt(self) -> bool:
        """Whether it has what decryption needs.

        >>> SM2().can_decrypt
        False
        """
        return self._sk is not None

    @property
    def can_exchange_key(self) -> bool:
        """Whether it has what key exchange needs.

        >>> SM2().can_exchange_key
        False
        """
        return self.can_sign

    def generate_pk(self, sk: bytes) -> bytes:
        """The public key of a private key.

        >>> len(SM2().generate_pk(bytes(31) + b"\\x07"))
        65
        """
        try:
            return self._written(sm2.SM2PrivateKey.from_bytes(_points.number(sk)).public_key().to_bytes()[1:])
        except kuaimi_errors.Error as error:
            raise errors.of(error) from error

    def generate_keypair(self) -> tuple[bytes, bytes]:
        """A new private key, and its public key.

        >>> [len(key) for key in SM2().generate_keypair()]
        [32, 65]
        """
        while True:
            try:
                key = sm2.SM2PrivateKey.generate() if self._rnd_fn is None else sm2.SM2PrivateKey.from_bytes(self._random())
            except kuaimi_errors.FormatError:
                # n - 1 is no private key.
                continue
            return key.to_bytes(), self._written(key.public_key().to_bytes()[1:])

    def verify_pk(self, pk: bytes) -> bool:
        """Whether a public key is a point of the curve.

        >>> SM2().verify_pk(b"\\x04" + bytes(64))
        False
        """
        try:
            _public(pk)
        except errors.PointNotOnCurveError:
            return False
        return True

    def sign(self, message: bytes) -> tuple[bytes, bytes]:
        """A signature: r and s, 32 bytes each.

        >>> SM2().sign(b"a message")
        Traceback (most recent call last):
        kuaimi.compat.gmalg.errors.RequireArgumentError: sign requires sk, ID.
        """
        if not self._sk or not self._uid:
            raise errors.RequireArgumentError("sign", "sk", "ID")
        try:
            if self._rnd_fn is None:
                signature = self._sk.sign(message, self._uid, form="raw")
            else:
                hash = self._sk.message_hash(self._uid)
                hash.update(message)
                signature = hazmat.sm2_sign(self._sk, hash.digest(), self._random())
        except kuaimi_errors.Error as error:
            raise errors.of(error) from error
        return signature[:32], signature[32:]

    def verify(self, message: bytes, r: bytes, s: bytes) -> bool:
        """Whether r and s are this user's signature.

        >>> SM2().verify(b"a message", bytes(32), bytes(32))
        Traceback (most recent call last):
        kuaimi.compat.gmalg.errors.RequireArgumentError: verify requires pk, ID.
        """
        if not self._pk or not self._uid:
            raise errors.RequireArgumentError("verify", "pk", "ID")
        r, s = _points.number(r), _points.number(s)
        try:
            self._pk.verify(r + s, message, self._uid, form="raw")
        except kuaimi_errors.InvalidSignature:
            return False
        except kuaimi_errors.Error as error:
            raise errors.of(error) from error
        return len(r) == len(s) == 32

    def encrypt(self, plain: bytes) -> bytes:
        """A ciphertext: the point C1, C3 and C2.

        >>> SM2().encrypt(b"a secret")
        Traceback (most recent call last):
        kuaimi.compat.gmalg.errors.RequireArgumentError: encrypt requires pk.
        """
        if not self._pk:
            raise errors.RequireArgumentError("encrypt", "pk")
        try:
            if self._rnd_fn is None:
                cipher = self._pk.encrypt(plain, "bare-c1c3c2")
            else:
                cipher = hazmat.sm2_encrypt(self._pk, plain, self._random(), "bare-c1c3c2")
        except kuaimi_errors.Error as error:
            raise errors.of(error) from error
        return self._written(cipher[:64]) + cipher[64:]

    def decrypt(self, cipher: bytes) -> bytes:
        """The message of a ciphertext. Raises CheckFailedError, whatever is wrong.

        >>> SM2().decrypt(b"")
        Traceback (most recent call last):
        kuaimi.compat.gmalg.errors.RequireArgumentError: decrypt requires sk.
        """
        if not self._sk:
            raise errors.RequireArgumentError("decrypt", "sk")
        length = 33 if cipher[:1] in (b"\x02", b"\x03") else 65
        point = _points.read(cipher[:length])
        try:
            return self._sk.decrypt(sm2.SM2PublicKey.from_bytes(point).to_bytes() + cipher[length:], "c1c3c2")
        except kuaimi_errors.Error as error:
            raise errors.CheckFailedError("Incorrect hash value.") from error

    def begin_key_exchange(self) -> tuple[bytes, int]:
        """The point R for the other user, and the secret number t, which end_key_exchange of this class takes.

        >>> SM2().begin_key_exchange()
        Traceback (most recent call last):
        kuaimi.compat.gmalg.errors.RequireArgumentError: key exchange requires sk, ID.
        """
        if not self.can_exchange_key:
            raise errors.RequireArgumentError("key exchange", "sk", "ID")
        t = self._random()
        return self._written(hazmat.sm2_multiply(t, _G)), int.from_bytes(t, "big")

    def end_key_exchange(self, klen: int, t: int, R: bytes, uid: bytes, pk: bytes, mode: KEYXCHG_MODE) -> bytes:
        """The shared key of klen bytes: t is what begin_key_exchange gave, the others are the other user's.

        >>> SM2().end_key_exchange(16, 1, b"", b"bob", b"", KEYXCHG_MODE.INITIATOR)
        Traceback (most recent call last):
        kuaimi.compat.gmalg.errors.RequireArgumentError: key exchange requires sk, ID.
        """
        if not self._sk or not self._uid:
            raise errors.RequireArgumentError("key exchange", "sk", "ID")
        if mode not in (KEYXCHG_MODE.INITIATOR, KEYXCHG_MODE.RESPONDER):
            raise TypeError(f"Invalid key exchange mode: {mode}")
        begins, peer, point = mode is KEYXCHG_MODE.INITIATOR, _public(pk), _public(R).to_bytes()
        try:
            _, shared = hazmat.sm2_exchange(self._sk, peer, self._uid, uid, t.to_bytes(32, "big"), point, klen, begins)
        except kuaimi_errors.Error as error:
            raise errors.of(error) from error
        return shared

    def _written(self, coordinates: bytes) -> bytes:
        return _points.write(coordinates, self._pc_mode)

    def _random(self) -> bytes:
        return _points.random_number(self._rnd_fn, _N)


def _public(point: bytes) -> sm2.SM2PublicKey:
    try:
        return sm2.SM2PublicKey.from_bytes(_points.read(point))
    except kuaimi_errors.Error as error:
        raise errors.of(error) from error
