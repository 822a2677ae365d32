"""SM4 (GB/T 32907-2016): SM4GCM authenticates what it encrypts; the modes of Cipher do not.

>>> import kuaimi.sm4
>>> kuaimi.sm4.SM4GCM(kuaimi.sm4.generate_key())
<kuaimi.sm4.SM4GCM>
"""

from ._native.sm4 import CBC, CTR, ECB, SM4GCM, XTS, Cipher, CipherContext, decrypt, encrypt, generate_key

__all__ = [
    "CBC",
    "CTR",
    "ECB",
    "SM4GCM",
    "XTS",
    "Cipher",
    "CipherContext",
    "decrypt",
    "encrypt",
    "generate_key",
]
