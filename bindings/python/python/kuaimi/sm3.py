"""SM3 (GB/T 32905-2016): the hash, HMAC, and key derivation.

The module itself is what hmac and others expect of a hash: hmac.new(key, data, kuaimi.sm3).

>>> import kuaimi.sm3
>>> kuaimi.sm3.hexdigest(b"abc")
'66c7f0f462eeedd9d1f2d46bdc10e4e24167c4875cf2f7a2297da02b8f4ba8e0'
"""

from . import _files
from ._native.batch import sm3_digest_batch as digest_batch
from ._native.sm3 import HMAC, Hash, digest, hexdigest, hmac_digest, kdf, new, pbkdf2_hmac

__all__ = [
    "HMAC",
    "Hash",
    "block_size",
    "digest",
    "digest_batch",
    "digest_size",
    "file_digest",
    "hexdigest",
    "hmac_digest",
    "kdf",
    "new",
    "pbkdf2_hmac",
]

digest_size = 32
block_size = 64


def file_digest(file: _files.Source) -> Hash:
    """The hash of a file of any size: a path, or an object opened in binary mode. It is read in pieces of a megabyte.

    >>> import io
    >>> kuaimi.sm3.file_digest(io.BytesIO(b"abc")).hexdigest()[:8]
    '66c7f0f4'
    """
    hash = Hash()
    _files.update(hash, file)
    return hash
