"""Messages, files of keys, and chains, beside the openssl program."""

from __future__ import annotations

import datetime
import pathlib

import pytest
from test_x509 import NOW, builder, openssl

import kuaimi
from kuaimi import cms, pkcs12, x509
from kuaimi.serialization import BestAvailableEncryption, Encoding, NoEncryption, PrivateFormat
from kuaimi.x509 import verification

DATA = pathlib.Path(__file__).parents[3] / "crates/kuaimi-pki/tests/data"


class World:
    """An authority, and alice, who has a certificate of it."""

    def __init__(self) -> None:
        self.ca_key, self.key = kuaimi.sm2.SM2PrivateKey.generate(), kuaimi.sm2.SM2PrivateKey.generate()
        usage = x509.KeyUsage(False, False, False, False, False, True, True, False, False)
        authority = builder("CN=Root", self.ca_key).add_extension(x509.BasicConstraints(True, None), critical=True)
        self.ca = authority.add_extension(usage, critical=True).sign(self.ca_key)
        names = x509.SubjectAlternativeName([x509.DNSName("alice.example")])
        self.alice = builder("CN=alice", self.key).add_extension(names, critical=False).sign(self.ca_key, issuer=self.ca)


@pytest.fixture(name="world", scope="module")
def make_world() -> World:
    return World()


@pytest.mark.parametrize("form", ["cms", "gm"])
@pytest.mark.parametrize("attributes", [True, False])
@pytest.mark.parametrize("detached", [True, False])
def test_signed(world: World, form: cms.Form, attributes: bool, detached: bool) -> None:
    message = cms.sign(b"a payment", [(world.alice, world.key)], form=form, attributes=attributes, detached=detached, certificates=[world.ca])
    content = b"a payment" if detached else None
    found = cms.verify(message, content)
    assert found.content == b"a payment"
    assert [one.certificate for one in found.signers] == [world.alice]
    assert (found.signers[0].signing_time is not None) == attributes
    assert set(found.certificates) == {world.alice, world.ca}
    if detached:
        with pytest.raises(kuaimi.InvalidSignature, match="CN=alice"):
            cms.verify(message, b"another")
        with pytest.raises(kuaimi.InvalidArgument):
            cms.verify(message)
    else:
        place = message.index(b"a payment")
        with pytest.raises(kuaimi.InvalidSignature):
            cms.verify(message[:place] + b"A" + message[place + 1 :])


def test_a_message_without_signers_is_not_verified(world: World) -> None:
    bare = bytes.fromhex("301d06092a864886f70d010702a010300e02010131003 0".replace(" ", ""))
    with pytest.raises(kuaimi.Error):
        cms.verify(bare)
    with pytest.raises(kuaimi.InvalidSignature):
        stranger = cms.sign(b"x", [(world.alice, world.key)], include_certificates=False)
        cms.verify(stranger)
    assert cms.verify(stranger, certificates=[world.alice]).content == b"x"


@pytest.mark.parametrize("form", ["cms", "gm"])
@pytest.mark.parametrize("cipher", ["sm4-cbc", "sm4-gcm"])
def test_encrypted(world: World, form: cms.Form, cipher: cms.Cipher) -> None:
    message = cms.encrypt(b"a secret", [world.ca, world.alice], form=form, cipher=cipher)
    assert cms.decrypt(message, world.key, world.alice).content == b"a secret"
    assert cms.decrypt(message, world.ca_key).content == b"a secret"
    with pytest.raises(kuaimi.Error):
        cms.decrypt(message, kuaimi.sm2.SM2PrivateKey.generate())
    if cipher == "sm4-gcm":
        with pytest.raises(kuaimi.DecryptionFailed):
            cms.decrypt(message[:-1] + bytes([message[-1] ^ 1]), world.key)


def test_openssl_verifies(world: World, tmp_path: pathlib.Path) -> None:
    (tmp_path / "m").write_bytes(cms.sign(b"a payment", [(world.alice, world.key)], empty_identity=True))
    openssl("cms", "-verify", "-noverify", "-inform", "DER", "-in", tmp_path / "m", "-out", tmp_path / "got")
    assert (tmp_path / "got").read_bytes() == b"a payment"


@pytest.mark.parametrize("profile", ["compatible", "sm", "sm-openssl", "legacy"])
def test_pkcs12(world: World, profile: pkcs12.Profile, tmp_path: pathlib.Path) -> None:
    data = pkcs12.serialize_key_and_certificates(
        "签名".encode(), world.key, world.alice, [world.ca], BestAvailableEncryption("密码".encode()), profile=profile, iterations=2000
    )
    found = pkcs12.load_pkcs12(data, "密码".encode())
    assert found.key == world.key and found.cert is not None and found.cert.certificate == world.alice
    assert found.cert.friendly_name == "签名".encode()
    assert [one.certificate for one in found.additional_certs] == [world.ca]
    assert pkcs12.load_pairs(data, "密码".encode())[0].chain == [world.ca]
    with pytest.raises(kuaimi.WrongPassword):
        pkcs12.load_pkcs12(data, b"another")
    if profile == "compatible":
        (tmp_path / "f").write_bytes(data)
        shown = openssl("pkcs12", "-in", tmp_path / "f", "-passin", "pass:密码", "-nodes")
        assert shown.count("BEGIN CERTIFICATE") == 2 and "BEGIN PRIVATE KEY" in shown


def test_files_of_others(world: World, tmp_path: pathlib.Path) -> None:
    key, certificate = pkcs12.load_cfca((DATA / "cfca/field.sm2").read_bytes(), b"123456")
    assert certificate.public_key() == key.public_key()
    (tmp_path / "k").write_bytes(world.key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    (tmp_path / "c").write_bytes(world.alice.public_bytes())
    openssl("pkcs12", "-export", "-in", tmp_path / "c", "-inkey", tmp_path / "k", "-passout", "pass:x", "-out", tmp_path / "f")
    assert pkcs12.load_key_and_certificates((tmp_path / "f").read_bytes(), b"x") == (world.key, world.alice, [])


def test_several_keys(world: World) -> None:
    data = pkcs12.serialize_pairs([(world.key, world.alice), (world.ca_key, world.ca)], [], b"x", iterations=1000)
    assert {one.key.to_bytes() for one in pkcs12.load_pairs(data, b"x")} == {world.key.to_bytes(), world.ca_key.to_bytes()}
    with pytest.raises(kuaimi.FormatError, match="load_pairs"):
        pkcs12.load_pkcs12(data, b"x")
    with pytest.raises(kuaimi.InvalidArgument):
        pkcs12.serialize_pairs([(world.key, world.ca)], [], b"x")


def test_chains(world: World) -> None:
    policy = verification.PolicyBuilder().store(verification.Store([world.ca])).time(NOW)
    alice = policy.build_server_verifier(x509.DNSName("alice.example"))
    assert alice.verify(world.alice, []) == [world.alice, world.ca]
    assert policy.build_client_verifier().verify(world.alice, []).chain == [world.alice, world.ca]
    assert policy.build_verifier("signing").verify(world.alice, []) == [world.alice, world.ca]
    late = policy.time(NOW + datetime.timedelta(days=5000))
    for verifier, reason in [
        (policy.build_server_verifier(x509.DNSName("bob.example")), "bob.example"),
        (late.build_verifier("any"), "expired"),
        (policy.revocation("all").build_verifier("any"), "revo"),
    ]:
        with pytest.raises(verification.VerificationError, match=reason):
            verifier.verify(world.alice, [])
    impostor = kuaimi.sm2.SM2PrivateKey.generate()
    forged = builder("CN=alice", impostor).sign(impostor)
    with pytest.raises(verification.VerificationError):
        policy.build_verifier("any").verify(forged, [world.ca])

