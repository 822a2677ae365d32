"""kuaimi.compat.gmssl beside the package gmssl: the same calls, the same results, in both directions."""

import importlib.metadata
import inspect
import os
import re
from typing import Any

import gmssl.func
import gmssl.sm2
import gmssl.sm3
import gmssl.sm4
import pytest

import kuaimi
from kuaimi.compat import gmssl as ours

# The original takes all zeros and fours from the beginning of a public key that begins with 04: this one has none there.
KEY = next(key for key in kuaimi.sm2.generate_batch(100) if key.public_key().to_bytes()[1] >> 4 not in (0, 4))
D, P = KEY.to_bytes().hex(), KEY.public_key().to_bytes()[1:].hex()
K = "59276E27D506861A16680F3AD9C02DCCEF3CC1FA3CDBE4CE6D54B80DEAC1BC21"


def pair(*arguments: Any, **options: Any) -> tuple[ours.sm2.CryptSM2, Any]:
    return ours.sm2.CryptSM2(*arguments, **options), gmssl.sm2.CryptSM2(*arguments, **options)


def test_the_same_names_and_parameters() -> None:
    """Whatever a program calls of the original is here, with parameters of the same names."""
    for name in ("func", "sm2", "sm3", "sm4"):
        theirs, mine = getattr(gmssl, name), getattr(ours, name)
        for attribute, value in vars(theirs).items():
            if attribute.startswith("_") or getattr(value, "__module__", None) not in (theirs.__name__, None):
                continue
            if attribute in INSIDE[name]:
                continue
            assert hasattr(mine, attribute), f"{name}.{attribute}"
            if inspect.isroutine(value):
                assert list(inspect.signature(value).parameters) == list(inspect.signature(getattr(mine, attribute)).parameters)
    for theirs, mine in ((gmssl.sm2.CryptSM2, ours.sm2.CryptSM2), (gmssl.sm4.CryptSM4, ours.sm4.CryptSM4)):
        for attribute, value in vars(theirs).items():
            if inspect.isfunction(value) and attribute not in ("_double_point", "_add_point", "_convert_jacb_to_nor"):
                assert list(inspect.signature(value).parameters) == list(inspect.signature(getattr(mine, attribute)).parameters), attribute


INSIDE = {
    "func": {"choice"},
    "sm2": {"choice", "DerSequence", "DerInteger", "unhexlify", "binascii", "sm3"},
    "sm3": {"IV", "T_j", "sm3_ff_j", "sm3_gg_j", "sm3_p_0", "sm3_p_1", "sm3_cf", "ceil", "binascii", "rotl", "bytes_to_list"},
    "sm4": {"SM4_BOXES_TABLE", "SM4_FK", "SM4_CK", "copy", "xor", "rotl", "get_uint32_be", "put_uint32_be"},
}


@pytest.mark.parametrize("asn1", [False, True])
@pytest.mark.parametrize("prefix", ["", "04"])
def test_signatures(asn1: bool, prefix: str) -> None:
    mine, theirs = pair(D, prefix + P, asn1=asn1)
    digest = os.urandom(32)
    # With the same nonce, the same signature.
    assert mine.sign(digest, K) == theirs.sign(digest, K)
    assert mine.sign_with_sm3(b"a message", K) == theirs.sign_with_sm3(b"a message", K)
    for signer, verifier in ((mine, theirs), (theirs, mine)):
        signature = signer.sign(digest, gmssl.func.random_hex(64))
        assert verifier.verify(signature, digest) and not verifier.verify(signature, os.urandom(32))
        signature = signer.sign_with_sm3(b"a message")
        assert verifier.verify_with_sm3(signature, b"a message") and not verifier.verify_with_sm3(signature, b"another")
    assert not mine.verify("no digits", digest) and not mine.verify("", digest) and not mine.verify("00" * 64, digest)
    assert mine._sm3_z(b"a message") == theirs._sm3_z(b"a message")
    assert mine.sign(digest, "00" * 32) is None


@pytest.mark.parametrize("mode", [0, 1])
@pytest.mark.parametrize("length", [1, 31, 32, 33, 100])
def test_encryption(mode: int, length: int) -> None:
    mine, theirs = pair(D, P, mode=mode)
    message = os.urandom(length)
    assert theirs.decrypt(mine.encrypt(message)) == message
    # The original gives nothing where the key stream is all zeros, which is one time in 256 with a byte.
    sealed = next(filter(None, (theirs.encrypt(message) for _ in range(100))))
    assert mine.decrypt(sealed) == message
    # The original does not compare the check value: an altered ciphertext decrypts to an altered message.
    altered = bytearray(sealed)
    altered[-33 if mode == 0 else -1] ^= 1
    assert theirs.decrypt(bytes(altered)) != message
    with pytest.raises(kuaimi.DecryptionFailed):
        mine.decrypt(bytes(altered))


def test_points_and_attributes() -> None:
    mine, theirs = pair(D, P)
    for k in (1, 2, int(D, 16), int(K, 16)):
        for point in (ours.sm2.default_ecc_table["g"], P):
            assert mine._kg(k, point) == theirs._kg(k, point)
    for name in ("para_len", "ecc_a3", "ecc_table", "mode", "asn1", "public_key", "private_key"):
        assert getattr(mine, name) == getattr(theirs, name)
    assert mine._kg(0, P) is None
    # A key whose x begins with 04 keeps it; keys may be replaced.
    assert ours.sm2.CryptSM2("", "04" + "04" * 64).public_key == "04" * 64
    other = kuaimi.sm2.SM2PrivateKey.generate()
    mine.private_key, mine.public_key = other.to_bytes().hex(), other.public_key().to_bytes()[1:].hex()
    assert mine.verify_with_sm3(mine.sign_with_sm3(b"m") or "", b"m")
    assert D not in repr(mine)
    with pytest.raises(kuaimi.InvalidArgument, match="mode"):
        pair(D, P, mode=2)
    with pytest.raises(kuaimi.InvalidArgument, match="curve"):
        ours.sm2.CryptSM2(D, P, {**ours.sm2.default_ecc_table, "a": "00"})


@pytest.mark.parametrize("length", [0, 1, 15, 16, 17, 100])
def test_sm4(length: int) -> None:
    key, iv, message = os.urandom(16), os.urandom(16), os.urandom(length)
    mine, theirs = ours.sm4.CryptSM4(), gmssl.sm4.CryptSM4()
    sealed = {}
    for crypt in (mine, theirs):
        crypt.set_key(key, ours.sm4.SM4_ENCRYPT)
        sealed[crypt] = crypt.crypt_ecb(message), crypt.crypt_cbc(iv, message)
        crypt.set_key(key, ours.sm4.SM4_DECRYPT)
    assert sealed[mine] == sealed[theirs]
    for crypt in (mine, theirs):
        assert crypt.crypt_ecb(sealed[mine][0]) == message == crypt.crypt_cbc(iv, sealed[mine][1])
    block = os.urandom(16)
    assert mine.one_round(None, block) == theirs.one_round(theirs.sk, block)
    # One random block in 256 ends in padding that is right.
    with pytest.raises(ValueError, match="padding"):
        for _ in range(5000):
            mine.crypt_ecb(sealed[mine][0][:-16] + os.urandom(16))
    padded = ours.sm4.CryptSM4(padding_mode=ours.sm4.ZERO)
    padded.set_key(key, ours.sm4.SM4_ENCRYPT)
    reference = gmssl.sm4.CryptSM4(padding_mode=gmssl.sm4.ZERO)
    reference.set_key(key, gmssl.sm4.SM4_ENCRYPT)
    assert padded.crypt_ecb(b"message" * length) == reference.crypt_ecb(b"message" * length)
    padded.set_key(key, ours.sm4.SM4_DECRYPT)
    assert padded.crypt_ecb(reference.crypt_ecb(b"message")) == b"message"
    with pytest.raises(ValueError, match="set_key"):
        ours.sm4.CryptSM4().crypt_ecb(b"")


def test_sm3_and_func() -> None:
    for length in (0, 1, 55, 56, 64, 200):
        message = os.urandom(length)
        assert ours.sm3.sm3_hash(list(message)) == gmssl.sm3.sm3_hash(list(message))
        z = message.hex().encode()
        for klen in (1, 16, 32, 100):
            assert ours.sm3.sm3_kdf(z, klen) == gmssl.sm3.sm3_kdf(z, klen)
    data = list(os.urandom(21))
    for name, arguments in {
        "xor": ([1, 2, 3], [4, 5, 6]),
        "rotl": (0x12345678, 9),
        "get_uint32_be": ([1, 2, 3, 4],),
        "put_uint32_be": (0x12345678,),
        "pkcs7_padding": (data,),
        "zero_padding": (data,),
        "list_to_bytes": (data,),
        "bytes_to_list": (bytes(data),),
        "pkcs7_unpadding": (gmssl.func.pkcs7_padding(data),),
    }.items():
        assert getattr(ours.func, name)(*arguments) == getattr(gmssl.func, name)(*arguments), name
    for count in (0, 1, 63, 64):
        assert len(ours.func.random_hex(count)) == count == len(bytes.fromhex(ours.func.random_hex(count).zfill(64))) * 0 + count
    assert ours.func.random_hex(64) != ours.func.random_hex(64)


README_KEY = "00B9AB0B828FF68872F21A837FC303668428DEA11DCD1B24429D0C99E24EED83D5"


def test_the_readme_as_it_stands() -> None:
    """Its programs assert their results themselves. Its private key has a zero byte before its 32 bytes."""
    programs = re.findall(r"```python\n(.*?)```", str(importlib.metadata.metadata("gmssl").get_payload()), re.S)
    assert len(programs) == 7 and README_KEY in programs[0]
    names: dict[str, Any] = {}
    for program in programs:
        exec(compile(program.replace("from gmssl", "from kuaimi.compat.gmssl"), "README", "exec"), names)
    assert type(names["sm2_crypt"]).__module__ == "kuaimi.compat.gmssl.sm2"
    # Without asn1, which the README shows, too; and beside the original.
    mine, theirs = pair(README_KEY, names["public_key"])
    for signer, verifier in ((mine, theirs), (theirs, mine)):
        assert verifier.decrypt(signer.encrypt(b"111")) == b"111"
        assert verifier.verify(signer.sign(b"111", gmssl.func.random_hex(64)), b"111")
        assert verifier.verify_with_sm3(signer.sign_with_sm3(b"111"), b"111")


@pytest.mark.parametrize("zeros", [0, 1, 2, 3, 8])
def test_private_keys_with_zeros_before_them(zeros: int) -> None:
    mine, theirs = pair("0" * zeros + D, P)
    assert mine.sign(bytes(32), K) == theirs.sign(bytes(32), K) and mine.private_key == theirs.private_key
    short = ours.sm2.CryptSM2("7", "")
    assert short.sign(bytes(32), K) == ours.sm2.CryptSM2("7".zfill(64), "").sign(bytes(32), K)
    with pytest.raises(kuaimi.InvalidArgument, match="32 bytes, not 33"):
        ours.sm2.CryptSM2("1" + D, P).sign(bytes(32), K)
