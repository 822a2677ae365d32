"""Messages of any size: paths, objects and pipes; contents that appear when all is verified, or not at all."""

from __future__ import annotations

import base64
import io
import itertools
import os
import pathlib
import resource
import subprocess
import sys
from typing import Any

import pytest
from test_files import Pipe, message
from test_x509 import builder, openssl

import kuaimi
from kuaimi import cms, x509
from kuaimi.serialization import Encoding, NoEncryption, PrivateFormat

DATA = pathlib.Path(__file__).parents[3] / "crates/kuaimi-pki/tests/data/message"
KEY, BOB_KEY = kuaimi.sm2.SM2PrivateKey.generate(), kuaimi.sm2.SM2PrivateKey.generate()
ALICE, BOB = builder("CN=alice", KEY).sign(KEY), builder("CN=bob", BOB_KEY).sign(BOB_KEY)
LENGTHS = [0, 1, 255, 262143, 262144, 3_000_000]


class Observed(io.BytesIO):
    """A file that counts what is written into it."""

    writes = 0

    def write(self, data: Any, /) -> int:
        self.writes += 1
        return super().write(data)


def sources(data: bytes, tmp_path: pathlib.Path) -> list[Any]:
    path = tmp_path / "source"
    path.write_bytes(data)
    return [path, str(path), io.BytesIO(data), Pipe(data)]


def place_of(part: bytes, whole: bytes) -> int:
    assert whole.count(part) == 1
    return whole.index(part)


@pytest.mark.parametrize("form", ["cms", "gm"])
@pytest.mark.parametrize("attributes", [True, False])
def test_signed(tmp_path: pathlib.Path, form: cms.Form, attributes: bool) -> None:
    for length in LENGTHS:
        content = message(length)
        for source in sources(content, tmp_path):
            signed = io.BytesIO()
            count = cms.sign_file(source, signed, [(ALICE, KEY)], form=form, attributes=attributes, certificates=[BOB])
            assert count == length
            # What reads a message in memory reads it, too.
            assert cms.verify(signed.getvalue()).content == content
        for source in sources(signed.getvalue(), tmp_path):
            for target in (tmp_path / "out", io.BytesIO(), Pipe(), None):
                found = cms.verify_file(source, target)
                assert [one.certificate for one in found.signers] == [ALICE] and set(found.certificates) == {ALICE, BOB}
                assert (found.signers[0].signing_time is not None) == attributes and found.content == b""
                if isinstance(target, pathlib.Path):
                    assert target.read_bytes() == content
                if isinstance(target, io.BytesIO):
                    assert target.getvalue() == content
                if isinstance(target, Pipe):
                    assert target.written == content
                if isinstance(source, io.BytesIO | Pipe):
                    # One object serves for one reading.
                    source = sources(signed.getvalue(), tmp_path)[2]


@pytest.mark.parametrize("attributes", [True, False])
def test_nothing_is_written_that_was_not_verified(tmp_path: pathlib.Path, attributes: bool) -> None:
    content = message(1_000_000)
    signed = cms.sign(content, [(ALICE, KEY)], attributes=attributes)
    place = place_of(content[:500], signed[:1000])
    altered = bytearray(signed)
    altered[place + 999_999] ^= 1
    for wrong, error in (
        (bytes(altered), kuaimi.InvalidSignature),
        (signed[:-1], kuaimi.Error),
        (signed + b"\x00", kuaimi.Error),
        (cms.sign(content, [(ALICE, KEY)], include_certificates=False), kuaimi.InvalidSignature),
    ):
        target, path = Observed(), tmp_path / "out"
        path.write_bytes(b"before")
        for source, to in itertools.product(sources(wrong, tmp_path)[::2], (target, path)):
            source = io.BytesIO(wrong) if isinstance(source, io.BytesIO) else source
            with pytest.raises(error):
                cms.verify_file(source, to)
        assert target.writes == 0 and target.getvalue() == b""
        assert path.read_bytes() == b"before" and sorted(os.listdir(tmp_path)) == ["out", "source"]
    assert cms.verify_file(io.BytesIO(signed), target := Observed()) and target.getvalue() == content


def test_a_source_that_changes_between_readings(tmp_path: pathlib.Path) -> None:
    """What is written is what was verified: of an object, and of a path that goes into an object, there is a copy."""
    right, other = (cms.sign(bytes([byte]) * 100_000, [(ALICE, KEY)]) for byte in b"ab")

    class Changing(io.BytesIO):
        def seek(self, *arguments: int) -> int:
            self.getbuffer()[:] = other[: len(right)].ljust(len(right), b"\x00")
            return super().seek(*arguments)

    target = io.BytesIO()
    cms.verify_file(Changing(right), target)
    assert target.getvalue() == b"a" * 100_000

    path = tmp_path / "m"
    path.write_bytes(right)

    class Replacing(io.BytesIO):
        def write(self, data: Any, /) -> int:
            path.write_bytes(other)
            return super().write(data)

    target = Replacing()
    cms.verify_file(path, target)
    assert target.getvalue() == b"a" * 100_000


def test_detached(tmp_path: pathlib.Path) -> None:
    content = message(700_000)
    for source in sources(content, tmp_path):
        target = io.BytesIO()
        cms.sign_file(source, target, [(ALICE, KEY), (BOB, BOB_KEY)], detached=True)
        assert len(target.getvalue()) < 3000
        assert {one.certificate for one in cms.verify(target.getvalue(), content).signers} == {ALICE, BOB}
    for source in sources(content, tmp_path):
        assert len(cms.verify_file(io.BytesIO(target.getvalue()), content=source).signers) == 2
    with pytest.raises(kuaimi.InvalidSignature):
        cms.verify_file(io.BytesIO(target.getvalue()), content=io.BytesIO(content[:-1]))
    with pytest.raises(kuaimi.InvalidArgument, match="not in the message"):
        cms.verify_file(io.BytesIO(target.getvalue()))
    with pytest.raises(ValueError, match="no target"):
        cms.verify_file(io.BytesIO(target.getvalue()), io.BytesIO(), content=io.BytesIO(content))


@pytest.mark.parametrize("form", ["cms", "gm"])
@pytest.mark.parametrize("cipher", ["sm4-cbc", "sm4-gcm"])
def test_encrypted(tmp_path: pathlib.Path, form: cms.Form, cipher: cms.Cipher) -> None:
    for length in LENGTHS:
        content = message(length)
        for source in sources(content, tmp_path):
            target = io.BytesIO()
            assert cms.encrypt_file(source, target, [ALICE, BOB], form=form, cipher=cipher) == length
            assert cms.decrypt(target.getvalue(), BOB_KEY, BOB).content == content
        for source in sources(target.getvalue(), tmp_path):
            out = io.BytesIO()
            assert cms.decrypt_file(source, out, KEY, ALICE) == cms.Decrypted(b"", [], [])
            assert out.getvalue() == content
        cms.decrypt_file(tmp_path / "source", tmp_path / "out", BOB_KEY)
        assert (tmp_path / "out").read_bytes() == content


def test_nothing_is_written_that_does_not_decrypt(tmp_path: pathlib.Path) -> None:
    content = message(1_000_000)
    sealed = cms.encrypt(content, [ALICE], cipher="sm4-gcm")
    texts = set()
    for wrong, key in ((sealed[:-1] + bytes([sealed[-1] ^ 1]), KEY), (sealed, BOB_KEY)):
        target, path = Observed(), tmp_path / "out"
        for to in (target, path):
            with pytest.raises(kuaimi.DecryptionFailed) as raised:
                cms.decrypt_file(io.BytesIO(wrong), to, key, ALICE)
            texts.add(str(raised.value))
        assert target.writes == 0 and not path.exists()
    assert len(texts) == 1


def test_signed_and_encrypted_fails_as_every_decryption() -> None:
    """Its signers must be right, but why they are not would say that the padding was."""
    key = kuaimi.sm2.load_private_key((DATA / "alice.key").read_bytes())
    sealed = (DATA / "gmsm-both.der").read_bytes()
    found, target = cms.decrypt(sealed, key), io.BytesIO()
    assert found.signers and cms.decrypt_file(io.BytesIO(sealed), target, key).signers == found.signers
    assert target.getvalue() == found.content
    for place in range(len(sealed) - 60, len(sealed)):
        altered = sealed[:place] + bytes([sealed[place] ^ 1]) + sealed[place + 1 :]
        target = io.BytesIO()
        for decrypt in (lambda: cms.decrypt(altered, key), lambda: cms.decrypt_file(io.BytesIO(altered), target, key)):
            with pytest.raises((kuaimi.DecryptionFailed, kuaimi.FormatError)) as raised:
                decrypt()
            if isinstance(raised.value, kuaimi.DecryptionFailed):
                with pytest.raises(kuaimi.DecryptionFailed) as other:
                    cms.decrypt(cms.encrypt(b"x", [ALICE], cipher="sm4-gcm"), BOB_KEY, ALICE)
                assert str(raised.value) == str(other.value) and raised.value.kind == other.value.kind
        assert target.getvalue() == b""


def test_text_and_files_of_others(tmp_path: pathlib.Path) -> None:
    signed = cms.sign(b"a payment", [(ALICE, KEY)])
    pem = b"-----BEGIN CMS-----\n" + base64.encodebytes(signed) + b"-----END CMS-----\n"
    target = io.BytesIO()
    cms.verify_file(io.BytesIO(pem), target)
    assert target.getvalue() == b"a payment"
    with pytest.raises(kuaimi.Error):
        cms.verify_file(io.BytesIO(b""))
    count = 0
    for path in sorted(DATA.glob("gmsm-signed*.der")) + sorted(DATA.glob("bc-signed*.der")):
        content = "a content by gmsm, 密信" if path.name.startswith("gmsm") else "a content by Bouncy Castle, 密信"
        if "detached" in path.name:
            cms.verify_file(path, content=io.BytesIO(content.encode()))
        else:
            cms.verify_file(path, tmp_path / "out")
            assert (tmp_path / "out").read_text() == content
        count += 1
    assert count == 14

    (tmp_path / "m").write_bytes(message(500_000))
    (tmp_path / "key").write_bytes(KEY.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    (tmp_path / "cert").write_bytes(ALICE.public_bytes())
    cms.sign_file(tmp_path / "m", tmp_path / "s", [(ALICE, KEY)], empty_identity=True)
    openssl("cms", "-verify", "-binary", "-noverify", "-inform", "DER", "-in", tmp_path / "s", "-out", tmp_path / "got")
    assert (tmp_path / "got").read_bytes() == message(500_000)
    cms.encrypt_file(Pipe(message(500_000)), tmp_path / "e", [ALICE])
    openssl("cms", "-decrypt", "-binary", "-inform", "DER", "-in", tmp_path / "e", "-recip", tmp_path / "cert", "-inkey", tmp_path / "key", "-out", tmp_path / "got")
    assert (tmp_path / "got").read_bytes() == message(500_000)


def test_exceptions_of_files_come_back(tmp_path: pathlib.Path) -> None:
    class Broken(io.RawIOBase):
        def read(self, size: int = -1, /) -> bytes:
            raise KeyError("gone")

        def write(self, data: Any, /) -> int:
            raise KeyError("full")

    sealed = cms.encrypt(b"x", [ALICE])
    calls = [
        lambda: cms.sign_file(Broken(), io.BytesIO(), [(ALICE, KEY)]),
        lambda: cms.sign_file(io.BytesIO(b"x"), Broken(), [(ALICE, KEY)]),
        lambda: cms.verify_file(Broken()),
        lambda: cms.verify_file(io.BytesIO(cms.sign(b"x", [(ALICE, KEY)])), Broken()),
        lambda: cms.encrypt_file(io.BytesIO(b"x"), Broken(), [ALICE]),
        lambda: cms.decrypt_file(Broken(), io.BytesIO(), KEY),
        lambda: cms.decrypt_file(io.BytesIO(sealed), Broken(), KEY),
    ]
    for call in calls:
        with pytest.raises(KeyError):
            call()
    with pytest.raises(FileNotFoundError):
        cms.verify_file(tmp_path / "none")


def test_memory_does_not_grow(tmp_path: pathlib.Path) -> None:
    with open(tmp_path / "big", "wb") as file:
        for _ in range(300):
            file.write(os.urandom(1 << 20))
    program = """
import datetime, pathlib, resource, sys
from kuaimi import cms, sm2, sm3, x509
folder = pathlib.Path(sys.argv[1])
key, day = sm2.SM2PrivateKey.generate(), datetime.datetime(2026, 1, 1)
builder = x509.CertificateBuilder().subject_name(x509.Name.from_rfc4514_string("CN=alice")).public_key(key.public_key())
alice = builder.serial_number(1).not_valid_before(day).not_valid_after(day + datetime.timedelta(days=365)).sign(key)
pages = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (pages + (100 << 20), resource.RLIM_INFINITY))
digest = sm3.file_digest(folder / "big").digest()
for attributes in (True, False):
    cms.sign_file(folder / "big", folder / "signed", [(alice, key)], attributes=attributes)
    cms.verify_file(folder / "signed", folder / "content")
    assert sm3.file_digest(folder / "content").digest() == digest
# Of a message whose content goes into an object there is a copy, but not in memory.
with open(folder / "object", "wb") as target:
    cms.verify_file(folder / "signed", target)
assert sm3.file_digest(folder / "object").digest() == digest
for cipher in ("sm4-cbc", "sm4-gcm"):
    cms.encrypt_file(folder / "big", folder / "sealed", [alice], cipher=cipher)
    cms.decrypt_file(folder / "sealed", folder / "opened", key, alice)
    assert sm3.file_digest(folder / "opened").digest() == digest
"""
    assert resource.getpagesize() and os.path.exists("/proc/self/statm")
    subprocess.run([sys.executable, "-c", program, str(tmp_path)], check=True)
