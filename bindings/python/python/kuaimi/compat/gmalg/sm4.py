"""gmalg.SM4: single blocks."""

from ... import sm4
from . import errors


class SM4:
    """SM4 under a key of 16 bytes, for one block at a time. Constant time in both. For messages, use kuaimi.sm4.SM4GCM.

    >>> cipher = SM4(bytes(16))
    >>> cipher.decrypt(cipher.encrypt(b"sixteen letters."))
    b'sixteen letters.'
    """

    def __init__(self, key: bytes) -> None:
        if len(key) != self.key_length():
            raise errors.IncorrectLengthError("Key", "16 bytes", f"{len(key)} bytes")
        self._cipher = sm4.Cipher(key, sm4.ECB())

    def __repr__(self) -> str:
        return "<kuaimi.compat.gmalg.SM4>"

    @classmethod
    def key_length(cls) -> int:
        """The length of a key in bytes.

        >>> SM4.key_length()
        16
        """
        return 16

    @classmethod
    def block_length(cls) -> int:
        """The length of a block in bytes.

        >>> SM4.block_length()
        16
        """
        return 16

    def encrypt(self, block: bytes) -> bytes:
        """The ciphertext of a block.

        >>> SM4(bytes(16)).encrypt(bytes(16)).hex()
        '9f1f7bff6f5511384d9430531e538fd3'
        """
        return self._cipher.encryptor().update(self._block(block))

    def decrypt(self, block: bytes) -> bytes:
        """The block of a ciphertext.

        >>> SM4(bytes(16)).decrypt(bytes.fromhex("9f1f7bff6f5511384d9430531e538fd3")) == bytes(16)
        True
        """
        return self._cipher.decryptor().update(self._block(block))

    def _block(self, block: bytes) -> bytes:
        if len(block) != self.block_length():
            raise errors.IncorrectLengthError("Block", "16 bytes", f"{len(block)} bytes")
        return block
