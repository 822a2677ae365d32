"""gmalg.SM9KGC: the key generation centre."""

from collections.abc import Callable

from ... import errors as kuaimi_errors
from ... import sm9
from . import _points, errors
from .base import PC_MODE


def _master(digits: bytes, kind: type[sm9.MasterSigningKey] | type[sm9.MasterEncryptionKey]) -> bytes:
    try:
        return kind.from_bytes(_points.number(digits)).public_key().to_bytes()[1:]
    except kuaimi_errors.Error as error:
        raise errors.of(error) from error


class SM9KGC:
    """A key generation centre. Identities and numbers are bytes; hid_s and hid_e are the function identifiers, one byte each.

    rnd_fn, where it is given, draws master keys in place of the operating system's generator. Constant time in the master keys.

    >>> master, public = SM9KGC().generate_keypair_encrypt()
    >>> len(SM9KGC(hid_e=b"\\x03", msk_e=master).generate_sk_encrypt(b"bob"))
    129
    """

    def __init__(
        self,
        hid_s: bytes | None = None,
        msk_s: bytes | None = None,
        mpk_s: bytes | None = None,
        hid_e: bytes | None = None,
        msk_e: bytes | None = None,
        mpk_e: bytes | None = None,
        *,
        rnd_fn: Callable[[int], int] | None = None,
        pc_mode: PC_MODE = PC_MODE.RAW,
    ) -> None:
        self._hid_s, self._msk_s = hid_s, msk_s
        self._hid_e, self._msk_e = hid_e, msk_e
        self._rnd_fn, self._pc_mode = rnd_fn, pc_mode

    def __repr__(self) -> str:
        return "<kuaimi.compat.gmalg.SM9KGC>"

    @property
    def can_generate_sk_sign(self) -> bool:
        """Whether it has what signing keys are made from.

        >>> SM9KGC().can_generate_sk_sign
        False
        """
        return bool(self._msk_s and self._hid_s)

    @property
    def can_generate_sk_encrypt(self) -> bool:
        """Whether it has what decryption keys are made from.

        >>> SM9KGC().can_generate_sk_encrypt
        False
        """
        return bool(self._msk_e and self._hid_e)

    def generate_mpk_sign(self, msk_s: bytes) -> bytes:
        """The master public key of a master key for signatures.

        >>> len(SM9KGC().generate_mpk_sign(b"\\x07"))
        129
        """
        return _points.write(_master(msk_s, sm9.MasterSigningKey), self._pc_mode)

    def generate_keypair_sign(self) -> tuple[bytes, bytes]:
        """A master key for signatures, 32 bytes, and its master public key.

        >>> [len(key) for key in SM9KGC().generate_keypair_sign()]
        [32, 129]
        """
        master = _points.random_number(self._rnd_fn)
        return master, self.generate_mpk_sign(master)

    def generate_mpk_encrypt(self, msk_e: bytes) -> bytes:
        """The master public key of a master key for encryption.

        >>> len(SM9KGC().generate_mpk_encrypt(b"\\x07"))
        65
        """
        return _points.write(_master(msk_e, sm9.MasterEncryptionKey), self._pc_mode)

    def generate_keypair_encrypt(self) -> tuple[bytes, bytes]:
        """A master key for encryption, 32 bytes, and its master public key.

        >>> [len(key) for key in SM9KGC().generate_keypair_encrypt()]
        [32, 65]
        """
        master = _points.random_number(self._rnd_fn)
        return master, self.generate_mpk_encrypt(master)

    def generate_sk_sign(self, uid: bytes) -> bytes:
        """A user's signing key.

        >>> len(SM9KGC(hid_s=b"\\x01", msk_s=b"\\x07").generate_sk_sign(b"alice"))
        65
        """
        if not self._msk_s or not self._hid_s:
            raise errors.RequireArgumentError("generate sk sign", "msk_s", "hid_s")
        try:
            master = sm9.MasterSigningKey.from_bytes(_points.number(self._msk_s))
            key = master.extract(uid, self._hid_s[0])
        except kuaimi_errors.Error as error:
            raise errors.of(error) from error
        return _points.write(key.to_bytes(), self._pc_mode)

    def generate_sk_encrypt(self, uid: bytes) -> bytes:
        """A user's decryption key.

        >>> len(SM9KGC(hid_e=b"\\x03", msk_e=b"\\x07").generate_sk_encrypt(b"bob"))
        129
        """
        if not self._msk_e or not self._hid_e:
            raise errors.RequireArgumentError("generate sk encrypt", "msk_e", "hid_e")
        try:
            master = sm9.MasterEncryptionKey.from_bytes(_points.number(self._msk_e))
            key = master.extract(uid, self._hid_e[0])
        except kuaimi_errors.Error as error:
            raise errors.of(error) from error
        return _points.write(key.to_bytes(), self._pc_mode)
