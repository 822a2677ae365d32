"""gmalg.SM9: a user, who signs, verifies, encrypts, decrypts and exchanges keys."""

from collections.abc import Callable

from ... import errors as kuaimi_errors
from ... import sm9
from ..._native import hazmat
from . import _points, errors
from .base import KEYXCHG_MODE, PC_MODE


class SM9:
    """A user of SM9. Which arguments are needed depends on what is done.

    Keys are checked when they are first used: a user's key needs the user's identity uid, the master public key and the function identifier,
    also to sign and to decrypt. Constant time in the keys. rnd_fn, where it is given, draws the nonces; mac_klen must be 32.

    >>> from kuaimi.compat.gmalg import SM9KGC
    >>> kgc = SM9KGC(hid_e=b"\\x03", msk_e=b"\\x07")
    >>> public = kgc.generate_mpk_encrypt(b"\\x07")
    >>> bob = SM9(hid_e=b"\\x03", mpk_e=public, sk_e=kgc.generate_sk_encrypt(b"bob"), uid=b"bob")
    >>> bob.decrypt(bob.encrypt(b"a secret", b"bob"))
    b'a secret'
    """

    def __init__(
        self,
        hid_s: bytes | None = None,
        mpk_s: bytes | None = None,
        sk_s: bytes | None = None,
        hid_e: bytes | None = None,
        mpk_e: bytes | None = None,
        sk_e: bytes | None = None,
        uid: bytes | None = None,
        *,
        rnd_fn: Callable[[int], int] | None = None,
        pc_mode: PC_MODE = PC_MODE.RAW,
        mac_klen: int = 32,
    ) -> None:
        if mac_klen != 32:
            raise errors.InvalidArgumentError("mac_klen must be 32, as in the standard")
        self._hid_s, self._sk_s = hid_s, sk_s
        self._hid_e, self._sk_e = hid_e, sk_e
        self._uid, self._rnd_fn, self._pc_mode = uid, rnd_fn, pc_mode
        try:
            self._mpk_s = sm9.MasterSigningPublicKey.from_bytes(_points.read(mpk_s)) if mpk_s else None
            self._mpk_e = sm9.MasterEncryptionPublicKey.from_bytes(_points.read(mpk_e)) if mpk_e else None
        except kuaimi_errors.Error as error:
            raise errors.of(error) from error
        self._signing: sm9.SigningKey | None = None
        self._decryption: sm9.DecryptionKey | None = None
        self._exchange: sm9.ExchangeKey | None = None

    def __repr__(self) -> str:
        return "<kuaimi.compat.gmalg.SM9>"

    @property
    def can_sign(self) -> bool:
        """Whether it has what signing needs.

        >>> SM9().can_sign
        False
        """
        return bool(self._mpk_s and self._sk_s and self._uid and self._hid_s)

    @property
    def can_verify(self) -> bool:
        """Whether it has what verifying needs.

        >>> SM9().can_verify
        False
        """
        return bool(self._hid_s and self._mpk_s and self._uid)

    @property
    def can_exchange_key(self) -> bool:
        """Whether it has what key exchange needs.

        >>> SM9().can_exchange_key
        False
        """
        return bool(self._hid_e and self._mpk_e and self._sk_e and self._uid)

    @property
    def can_encapsulate(self) -> bool:
        """Whether it has what encapsulation needs.

        >>> SM9().can_encapsulate
        False
        """
        return bool(self._hid_e and self._mpk_e)

    @property
    def can_decapsulate(self) -> bool:
        """Whether it has what decapsulation needs.

        >>> SM9().can_decapsulate
        False
        """
        return self.can_exchange_key

    @property
    def can_encrypt(self) -> bool:
        """Whether it has what encryption needs.

        >>> SM9().can_encrypt
        False
        """
        return self.can_encapsulate

    @property
    def can_decrypt(self) -> bool:
        """Whether it has what decryption needs.

        >>> SM9().can_decrypt
        False
        """
        return self.can_decapsulate

    def sign(self, message: bytes) -> tuple[bytes, bytes]:
        """A signature: h, 32 bytes, and S, a point.

        >>> SM9().sign(b"a message")
        Traceback (most recent call last):
        kuaimi.compat.gmalg.errors.RequireArgumentError: sign requires mpk_s, sk_s, uid, hid_s.
        """
        key = self._signing_key()
        if self._rnd_fn is None:
            signature = key.sign(message, form="raw")
        else:
            signature = hazmat.sm9_sign(key, message, _points.random_number(self._rnd_fn))
        return signature[:32], _points.write(signature[32:], self._pc_mode)

    def verify(self, message: bytes, h: bytes, S: bytes) -> bool:
        """Whether h and S are this user's signature.

        >>> SM9().verify(b"a message", bytes(32), bytes(65))
        Traceback (most recent call last):
        kuaimi.compat.gmalg.errors.RequireArgumentError: verify requires hid_s, mpk_s, ID.
        """
        if not self._hid_s or not self._mpk_s or not self._uid:
            raise errors.RequireArgumentError("verify", "hid_s", "mpk_s", "ID")
        point = _points.read(S)
        if len(point) != 65:
            point = _uncompressed(point)
        try:
            verifier = self._mpk_s.verifying_key(self._uid, self._hid_s[0])
            verifier.verify(_points.number(h) + point[1:], message, form="raw")
        except kuaimi_errors.InvalidSignature:
            return False
        return True

    def begin_key_exchange(self, uid: bytes) -> tuple[int, bytes]:
        """The secret number r of an exchange with another user, and the point R for that user.

        >>> SM9().begin_key_exchange(b"bob")
        Traceback (most recent call last):
        kuaimi.compat.gmalg.errors.RequireArgumentError: key exchange requires hid_e, mpk_e, sk_e, ID.
        """
        key, hid = self._exchange_key()
        r = _points.random_number(self._rnd_fn)
        point, _ = hazmat.sm9_exchange(key, uid, hid, r, None, 0, True)
        return int.from_bytes(r, "big"), _points.write(point, self._pc_mode)

    def end_key_exchange(self, klen: int, r: int, R: bytes, uid: bytes, R2: bytes, mode: KEYXCHG_MODE) -> bytes:
        """The shared key of klen bytes: r and R are what begin_key_exchange gave, R2 is the other user's point.

        >>> SM9().end_key_exchange(16, 1, b"", b"bob", b"", KEYXCHG_MODE.INITIATOR)
        Traceback (most recent call last):
        kuaimi.compat.gmalg.errors.RequireArgumentError: key exchange requires hid_e, mpk_e, sk_e, ID.
        """
        key, hid = self._exchange_key()
        if mode not in (KEYXCHG_MODE.INITIATOR, KEYXCHG_MODE.RESPONDER):
            raise TypeError(f"Invalid key exchange mode: {mode}")
        begins = mode is KEYXCHG_MODE.INITIATOR
        try:
            _, shared = hazmat.sm9_exchange(key, uid, hid, r.to_bytes(32, "big"), _points.read(R2), klen, begins)
        except kuaimi_errors.Error as error:
            raise errors.of(error) from error
        return shared or b""

    def encapsulate(self, klen: int, uid: bytes) -> tuple[bytes, bytes]:
        """A new key of klen bytes for a user, and its encapsulation, a point.

        >>> SM9().encapsulate(16, b"bob")
        Traceback (most recent call last):
        kuaimi.compat.gmalg.errors.RequireArgumentError: encapsulate requires hid_e, mpk_e.
        """
        key = self._encryption_key("encapsulate", uid, "hid_e", "mpk_e")
        if self._rnd_fn is None:
            shared, point = key.encapsulate(klen)
        else:
            shared, point = hazmat.sm9_encapsulate(key, klen, _points.random_number(self._rnd_fn))
        return shared, _points.write(point, self._pc_mode)

    def decapsulate(self, C: bytes, klen: int) -> bytes:
        """The key of klen bytes in an encapsulation.

        >>> SM9().decapsulate(b"", 16)
        Traceback (most recent call last):
        kuaimi.compat.gmalg.errors.RequireArgumentError: decapsulate requires sk_e, uid, mpk_e, hid_e.
        """
        key = self._decryption_key("decapsulate", "sk_e", "uid", "mpk_e", "hid_e")
        point = _points.read(C)
        try:
            return key.decapsulate(_uncompressed(point)[1:] if len(point) == 33 else point, klen)
        except kuaimi_errors.Error as error:
            raise errors.PointNotOnCurveError(str(error)) from error

    def encrypt(self, plain: bytes, uid: bytes) -> bytes:
        """A ciphertext for a user: the point C1, C3 and C2.

        >>> SM9().encrypt(b"a secret", b"bob")
        Traceback (most recent call last):
        kuaimi.compat.gmalg.errors.RequireArgumentError: encrypt requires hid_e, mpk_e, mac_klen.
        """
        key = self._encryption_key("encrypt", uid, "hid_e", "mpk_e", "mac_klen")
        if self._rnd_fn is None:
            raw = key.encrypt(plain, form="raw")
        else:
            raw = hazmat.sm9_encrypt(key, plain, _points.random_number(self._rnd_fn), bytes(16), "stream", "sm3")
        return _points.write(raw[:64], self._pc_mode) + raw[64:]

    def decrypt(self, cipher: bytes) -> bytes:
        """The message of a ciphertext. Raises CheckFailedError, whatever is wrong.

        >>> SM9().decrypt(b"")
        Traceback (most recent call last):
        kuaimi.compat.gmalg.errors.RequireArgumentError: decrypt requires sk_e, uid, mpk_e, hid_e.
        """
        key = self._decryption_key("decrypt", "sk_e", "uid", "mpk_e", "hid_e")
        length = 33 if cipher[:1] in (b"\x02", b"\x03") else 65
        point = _points.read(cipher[:length])
        try:
            raw = (_uncompressed(point) if length == 33 else point)[1:] + cipher[length:]
            return key.decrypt(raw, form="raw")
        except kuaimi_errors.Error as error:
            raise errors.CheckFailedError("Invalid MAC value.") from error

    def _signing_key(self) -> sm9.SigningKey:
        if self._signing is None:
            if not self._mpk_s or not self._sk_s or not self._uid or not self._hid_s:
                raise errors.RequireArgumentError("sign", "mpk_s", "sk_s", "uid", "hid_s")
            try:
                self._signing = sm9.SigningKey.from_bytes(
                    _points.read(self._sk_s), self._uid, self._mpk_s, self._hid_s[0]
                )
            except kuaimi_errors.Error as error:
                raise errors.of(error) from error
        return self._signing

    def _encryption_key(self, what: str, uid: bytes, *needed: str) -> sm9.EncryptionKey:
        if not self._hid_e or not self._mpk_e:
            raise errors.RequireArgumentError(what, *needed)
        return self._mpk_e.encryption_key(uid, self._hid_e[0])

    def _decryption_key(self, what: str, *needed: str) -> sm9.DecryptionKey:
        if self._decryption is None:
            if not self._hid_e or not self._mpk_e or not self._sk_e or not self._uid:
                raise errors.RequireArgumentError(what, *needed)
            try:
                self._decryption = sm9.DecryptionKey.from_bytes(
                    _points.read(self._sk_e), self._uid, self._mpk_e, self._hid_e[0]
                )
            except kuaimi_errors.Error as error:
                raise errors.of(error) from error
        return self._decryption

    def _exchange_key(self) -> tuple[sm9.ExchangeKey, int]:
        if not self._hid_e or not self._mpk_e or not self._sk_e or not self._uid:
            raise errors.RequireArgumentError("key exchange", "hid_e", "mpk_e", "sk_e", "ID")
        if self._exchange is None:
            try:
                self._exchange = sm9.ExchangeKey.from_bytes(
                    _points.read(self._sk_e), self._uid, self._mpk_e, self._hid_e[0]
                )
            except kuaimi_errors.Error as error:
                raise errors.of(error) from error
        return self._exchange, self._hid_e[0]


def _uncompressed(point: bytes) -> bytes:
    """A compressed point of G1 with both coordinates: a master public key for encryption is such a point."""
    try:
        return sm9.MasterEncryptionPublicKey.from_bytes(point).to_bytes()
    except kuaimi_errors.Error:
        # Nothing that verifies or decrypts.
        return b"\x04" + bytes(64)
