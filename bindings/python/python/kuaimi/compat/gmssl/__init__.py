"""Stands in for the package gmssl 3.2 (the one in Python): its modules sm2, sm3, sm4 and func.

>>> from kuaimi.compat.gmssl import func, sm3
>>> sm3.sm3_hash(func.bytes_to_list(b"abc"))[:8]
'66c7f0f4'
"""

from . import func, sm2, sm3, sm4

__all__ = ["func", "sm2", "sm3", "sm4"]
