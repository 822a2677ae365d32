"""Stands in for SM9 of the package gmalg 1.1: SM9KGC, the key generation centre, and SM9, a user.

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
from .sm9 import SM9

__all__ = ["KEYXCHG_MODE", "PC_MODE", "SM9", "SM9KGC", "errors"]
