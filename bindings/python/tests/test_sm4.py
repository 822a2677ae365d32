"""SM4: its modes beside OpenSSL's, as cryptography has them, and refusals."""

import os
import random

import pytest
from cryptography.hazmat.decrepit.ciphers import modes as decrepit
from cryptography.hazmat.primitives import padding
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

import kuaimi
from kuaimi import sm4

KEY, IV = os.urandom(16), os.urandom(16)
MESSAGE = os.urandom(10_000)
THEIRS = {
    "ECB": (sm4.ECB(), modes.ECB()),
    "CBC": (sm4.CBC(IV), modes.CBC(IV)),
    "CTR": (sm4.CTR(IV), modes.CTR(IV)),
    "CFB": (sm4.CFB(IV), decrepit.CFB(IV)),
    "OFB": (sm4.OFB(IV), decrepit.OFB(IV)),
}


@pytest.mark.parametrize("name", THEIRS)
@pytest.mark.parametrize("blocks", [1, 2, 7, 130, 600])
def test_modes_against_openssl(name: str, blocks: int) -> None:
    ours, theirs = THEIRS[name]
    message = MESSAGE[: 16 * blocks]
    reference = Cipher(algorithms.SM4(KEY), theirs).encryptor()  # type: ignore[arg-type]
    expected = reference.update(message) + reference.finalize()
    cipher = sm4.Cipher(KEY, ours)
    for make, before, after in ((cipher.encryptor, message, expected), (cipher.decryptor, expected, message)):
        for seed in range(5):
            context, rest, out = make(), before, b""
            chance = random.Random(seed)
            while rest:
                piece = chance.randrange(1, 40 if seed else 10_000)
                out += context.update(bytearray(rest[:piece]))
                rest = rest[piece:]
            assert out + context.finalize() == after
            for again in (context.finalize, lambda context=context: context.update(b"x")):
                with pytest.raises(kuaimi.AlreadyFinalized):
                    again()


def test_padding() -> None:
    for length in [0, 1, 15, 16, 17, 5000]:
        message = MESSAGE[:length]
        padder = padding.PKCS7(128).padder()
        padded = padder.update(message) + padder.finalize()
        reference = Cipher(algorithms.SM4(KEY), modes.CBC(IV)).encryptor()
        ciphertext = sm4.encrypt(KEY, sm4.CBC(IV), message)
        assert ciphertext == reference.update(padded) + reference.finalize()
        assert sm4.decrypt(KEY, sm4.CBC(IV), ciphertext) == message
    for wrong in (b"", os.urandom(16)):
        with pytest.raises(kuaimi.DecryptionFailed):
            for _ in range(5000):
                sm4.decrypt(KEY, sm4.CBC(os.urandom(16)), wrong)
    with pytest.raises(kuaimi.InvalidArgument, match="multiple of 16"):
        sm4.decrypt(KEY, sm4.CBC(IV), bytes(17))
    with pytest.raises(kuaimi.InvalidArgument, match="multiple of 16"):
        sm4.encrypt(KEY, sm4.ECB(), bytes(17))
    encryptor = sm4.Cipher(KEY, sm4.CBC(IV)).encryptor()
    encryptor.update(bytes(17))
    with pytest.raises(kuaimi.InvalidArgument, match="1 bytes are left"):
        encryptor.finalize()


def test_xts() -> None:
    key = os.urandom(32)
    for standard in ("gb", "ieee"):
        mode = sm4.XTS(IV, standard)  # type: ignore[arg-type]
        for length in (16, 17, 512, 5000):
            sector = MESSAGE[:length]
            sealed = sm4.encrypt(key, mode, sector)
            assert sm4.decrypt(key, mode, sealed) == sector != sealed
            context = sm4.Cipher(key, mode).encryptor()
            assert context.update(sector) == sealed
            with pytest.raises(kuaimi.AlreadyFinalized, match="sector"):
                context.update(sector)
    assert sm4.encrypt(key, sm4.XTS(IV), bytes(64)) != sm4.encrypt(key, sm4.XTS(IV, "ieee"), bytes(64))
    with pytest.raises(kuaimi.InvalidArgument, match="at least 16"):
        sm4.encrypt(key, sm4.XTS(IV), bytes(15))
    with pytest.raises(kuaimi.InvalidArgument, match="equal"):
        sm4.encrypt(bytes(32), sm4.XTS(IV), bytes(16))
    with pytest.raises(kuaimi.InvalidArgument, match="32 bytes, not 16"):
        sm4.Cipher(KEY, sm4.XTS(IV))
    with pytest.raises(kuaimi.InvalidArgument, match='"gb", "ieee"'):
        sm4.XTS(IV, "nist")  # type: ignore[arg-type]


@pytest.mark.parametrize("aead", [sm4.SM4GCM, sm4.SM4CCM])
@pytest.mark.parametrize("length", [0, 1, 16, 100, 5000])
@pytest.mark.parametrize("associated", [None, b"", b"a header"])
def test_aead(aead: type[sm4.SM4GCM] | type[sm4.SM4CCM], length: int, associated: bytes | None) -> None:
    key, nonce, message = aead.generate_key(), os.urandom(12), MESSAGE[:length]
    sealed = aead(key).encrypt(nonce, message, associated)
    assert len(sealed) == length + 16
    assert aead(key).decrypt(nonce, bytearray(sealed), associated) == message
    for place in range(0, len(sealed), 97):
        altered = bytearray(sealed)
        altered[place] ^= 1
        with pytest.raises(kuaimi.DecryptionFailed):
            aead(key).decrypt(nonce, altered, associated)
    for wrong in (
        lambda: aead(os.urandom(16)).decrypt(nonce, sealed, associated),
        lambda: aead(key).decrypt(os.urandom(12), sealed, associated),
        lambda: aead(key).decrypt(nonce, sealed, b"another"),
        lambda: aead(key).decrypt(nonce, sealed[:15], associated),
    ):
        with pytest.raises(kuaimi.DecryptionFailed):
            wrong()


def test_gcm_against_openssl() -> None:
    for nonce in (os.urandom(12), os.urandom(16)):
        encryptor = Cipher(algorithms.SM4(KEY), modes.GCM(nonce)).encryptor()
        encryptor.authenticate_additional_data(b"a header")
        expected = encryptor.update(MESSAGE) + encryptor.finalize() + encryptor.tag
        assert sm4.SM4GCM(KEY).encrypt(nonce, MESSAGE, b"a header") == expected


def test_ccm() -> None:
    """RFC 8998, A.2; and what nonces and tags may be."""
    key, nonce = bytes.fromhex("0123456789ABCDEFFEDCBA9876543210"), bytes.fromhex("00001234567800000000ABCD")
    header = bytes.fromhex("FEEDFACEDEADBEEFFEEDFACEDEADBEEFABADDAD2")
    message = b"".join(bytes([byte]) * 8 for byte in (0xAA, 0xBB, 0xCC, 0xDD, 0xEE, 0xFF, 0xEE, 0xAA))
    sealed = sm4.SM4CCM(key).encrypt(nonce, message, header)
    assert sealed[-16:].hex().upper() == "16842D4FA186F56AB33256971FA110F4"
    for length in (4, 6, 8, 10, 12, 14):
        short = sm4.SM4CCM(key, length).encrypt(nonce, message, header)
        assert len(short) == len(message) + length
        assert sm4.SM4CCM(key, length).decrypt(nonce, short, header) == message
        with pytest.raises(kuaimi.DecryptionFailed):
            sm4.SM4CCM(key).decrypt(nonce, short, header)
    with pytest.raises(kuaimi.InvalidArgument, match="tag_length"):
        sm4.SM4CCM(key, 15)
    for wrong in (6, 14):
        with pytest.raises(kuaimi.InvalidArgument, match="nonce"):
            sm4.SM4CCM(key).encrypt(bytes(wrong), message)
    with pytest.raises(kuaimi.InvalidArgument):
        sm4.SM4CCM(key).encrypt(bytes(13), bytes(65536))


def test_refusals() -> None:
    for key in (b"", bytes(15), bytes(17)):
        with pytest.raises(kuaimi.InvalidArgument, match="16 bytes"):
            sm4.SM4GCM(key)
        with pytest.raises(kuaimi.InvalidArgument, match="16 bytes"):
            sm4.Cipher(key, sm4.CTR(IV))
    for mode in (sm4.CBC, sm4.CTR, sm4.XTS):
        with pytest.raises(kuaimi.InvalidArgument, match="16 bytes, not 12"):
            mode(bytes(12))
    with pytest.raises(kuaimi.InvalidArgument, match="nonce is empty"):
        sm4.SM4GCM(KEY).encrypt(b"", b"x")
    with pytest.raises(TypeError):
        sm4.Cipher(KEY, "CTR")  # type: ignore[arg-type]
