"""gmssl.sm4: SM4 in ECB and CBC, with padding. Constant time, where the original reads tables by secret indices."""

from collections.abc import Iterable

from ... import sm4
from .func import bytes_to_list, list_to_bytes, pkcs7_padding, pkcs7_unpadding, zero_padding, zero_unpadding

SM4_ENCRYPT = 0
SM4_DECRYPT = 1

PKCS7 = 0
ZERO = 1


class CryptSM4:
    """SM4 under a key that set_key sets, to encrypt (SM4_ENCRYPT) or to decrypt (SM4_DECRYPT).

    >>> crypt_sm4 = CryptSM4()
    >>> crypt_sm4.set_key(b"3l5butlj26hvv313", SM4_ENCRYPT)
    >>> encrypted = crypt_sm4.crypt_ecb(b"a message")
    >>> crypt_sm4.set_key(b"3l5butlj26hvv313", SM4_DECRYPT)
    >>> crypt_sm4.crypt_ecb(encrypted)
    b'a message'
    """

    def __init__(self, mode: int = SM4_ENCRYPT, padding_mode: int = PKCS7) -> None:
        self.mode = mode
        self.padding_mode = padding_mode
        self._key: bytes | None = None

    def set_key(self, key: Iterable[int], mode: int) -> None:
        """The key, of which the first 16 bytes count, and the direction.

        >>> CryptSM4().set_key(bytes(16), SM4_DECRYPT)
        """
        self._key = bytes(key)[:16]
        self.mode = mode

    def one_round(self, sk: object, in_put: Iterable[int]) -> list[int]:
        """One block of 16 bytes. The key is the one that was set, whatever sk is: the round keys stay inside.

        >>> crypt_sm4 = CryptSM4()
        >>> crypt_sm4.set_key(bytes(16), SM4_ENCRYPT)
        >>> crypt_sm4.one_round(None, bytes(16))[:4]
        [159, 31, 123, 255]
        """
        return list(self._blocks(bytes(in_put)[:16]))

    def crypt_ecb(self, input_data: Iterable[int]) -> bytes:
        """ECB, with the padding that was chosen.

        >>> crypt_sm4 = CryptSM4()
        >>> crypt_sm4.set_key(bytes(16), SM4_ENCRYPT)
        >>> len(crypt_sm4.crypt_ecb(b"a message"))
        16
        """
        data = bytes_to_list(input_data)
        if self.mode == SM4_ENCRYPT:
            if self.padding_mode == PKCS7:
                data = pkcs7_padding(data)
            elif self.padding_mode == ZERO:
                data = zero_padding(data)
        data = list(self._blocks(list_to_bytes(data)))
        if self.mode == SM4_DECRYPT:
            if self.padding_mode == PKCS7:
                return list_to_bytes(pkcs7_unpadding(data))
            if self.padding_mode == ZERO:
                return list_to_bytes(zero_unpadding(data))
        return list_to_bytes(data)

    def crypt_cbc(self, iv: Iterable[int], input_data: Iterable[int]) -> bytes:
        """CBC from an initialization vector of 16 bytes, with PKCS#7's padding.

        >>> crypt_sm4 = CryptSM4()
        >>> crypt_sm4.set_key(bytes(16), SM4_ENCRYPT)
        >>> len(crypt_sm4.crypt_cbc(bytes(16), b"a message"))
        16
        """
        mode, data = sm4.CBC(bytes(iv)[:16]), bytes(input_data)
        if self.mode == SM4_ENCRYPT:
            return sm4.encrypt(self._needed(), mode, data)
        return sm4.decrypt(self._needed(), mode, data)

    def _blocks(self, data: bytes) -> bytes:
        if self.mode == SM4_ENCRYPT:
            return sm4.encrypt(self._needed(), sm4.ECB(), data)
        return sm4.decrypt(self._needed(), sm4.ECB(), data)

    def _needed(self) -> bytes:
        if self._key is None:
            raise ValueError("there is no key: call set_key first")
        return self._key
