"""SM4 (GB/T 32907-2016): SM4GCM and SM4CCM authenticate what they encrypt; the modes of Cipher do not.

>>> import kuaimi.sm4
>>> kuaimi.sm4.SM4GCM(kuaimi.sm4.generate_key())
<kuaimi.sm4.SM4GCM>
"""

from ._native.batch import sm4_gcm_decrypt_batch as gcm_decrypt_batch
from ._native.batch import sm4_gcm_encrypt_batch as gcm_encrypt_batch
from ._native.sm4 import CBC, CFB, CTR, ECB, OFB, SM4CCM, SM4GCM, XTS, Cipher, CipherContext, decrypt, encrypt, generate_key

__all__ = [
    "CBC",
    "CFB",
    "CTR",
    "ECB",
    "OFB",
    "SM4CCM",
    "SM4GCM",
    "XTS",
    "Cipher",
    "CipherContext",
    "decrypt",
    "encrypt",
    "gcm_decrypt_batch",
    "gcm_encrypt_batch",
    "generate_key",
]
