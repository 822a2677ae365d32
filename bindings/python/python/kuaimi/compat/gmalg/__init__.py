"""Stands in for the package gmalg 1.1: SM2, SM3, SM4, SM9, and SM9KGC, the key generation centre of SM9. There is no ZUC.

>>> from kuaimi.compat.gmalg import SM9, SM9KGC
>>> master, public = SM9KGC().generate_keypair_sign()
>>> key = SM9KGC(hid_s=b"\\x01", msk_s=master).generate_sk_sign(b"alice")
>>> alice = SM9(hid_s=b"\\x01", mpk_s=public, sk_s=key, uid=b"alice")
>>> alice.verify(b"a message", *alice.sign(b"a message"))
True
"""

from . import errors
from .base import KEYXCHG_MODE, PC_MODE
from .kgc import SM9KGC
from .sm2 import SM2
from .sm3 import SM3
from .sm4 import SM4
from .sm9 import SM9

__all__ = ["KEYXCHG_MODE", "PC_MODE", "SM2", "SM3", "SM4", "SM9", "SM9KGC", "errors"]
