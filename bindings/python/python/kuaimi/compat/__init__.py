"""Stand-ins for other packages: change the import, and keep the program.

    from gmssl import sm2, sm3, sm4, func          →  from kuaimi.compat.gmssl import sm2, sm3, sm4, func
    from gmalg import SM9, SM9KGC                  →  from kuaimi.compat.gmalg import SM9, SM9KGC

docs/python.md says where they differ from the originals, which is where these are unsafe.
"""
