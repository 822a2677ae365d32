"""What a user of the wheel does first: a signature, and a wrong one refused. It writes the key and the signature into the folder that is named."""

import platform
import sys

from kuaimi import sm2, sm3
from kuaimi.errors import InvalidSignature
from kuaimi.serialization import Encoding, PublicFormat

folder = sys.argv[1]
key = sm2.SM2PrivateKey.generate()
with open(f"{folder}/python.pub", "wb") as file:
    file.write(key.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo))
with open(f"{folder}/python.sig", "wb") as file:
    file.write(key.sign(b"a contract"))
assert sm3.digest(b"abc").hex().startswith("66c7f0f4")
try:
    key.public_key().verify(key.sign(b"m"), b"another")
    raise SystemExit("a wrong signature was accepted")
except InvalidSignature:
    pass
print(platform.python_version(), platform.machine())
