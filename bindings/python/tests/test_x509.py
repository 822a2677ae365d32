"""Certificates and requests, beside the openssl program and the package cryptography."""

from __future__ import annotations

import datetime
import ipaddress
import pathlib
import pickle
import subprocess

import pytest
from cryptography import x509 as other

import kuaimi
from kuaimi import x509
from kuaimi.serialization import Encoding, NoEncryption, PrivateFormat

NOW = datetime.datetime(2026, 1, 1, tzinfo=datetime.timezone.utc)
ID = "distid:1234567812345678"


def openssl(*arguments: str | pathlib.Path) -> str:
    done = subprocess.run(["openssl", *map(str, arguments)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


def builder(name: str, key: kuaimi.sm2.SM2PrivateKey) -> x509.CertificateBuilder:
    return (
        x509.CertificateBuilder()
        .subject_name(x509.Name.from_rfc4514_string(name))
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(NOW)
        .not_valid_after(NOW + datetime.timedelta(days=3650))
    )


@pytest.fixture(name="root")
def make_root() -> tuple[x509.Certificate, kuaimi.sm2.SM2PrivateKey]:
    key = kuaimi.sm2.SM2PrivateKey.generate()
    made = builder("CN=Root,C=CN", key).add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
    usage = x509.KeyUsage(False, False, False, False, False, True, True, False, False)
    return made.add_extension(usage, critical=True).sign(key), key


def test_openssl_verifies_a_chain(root: tuple[x509.Certificate, kuaimi.sm2.SM2PrivateKey], tmp_path: pathlib.Path) -> None:
    ca, ca_key = root
    key = kuaimi.sm2.SM2PrivateKey.generate()
    names = x509.SubjectAlternativeName(
        [
            x509.DNSName("leaf.example"),
            x509.IPAddress(ipaddress.ip_address("192.0.2.1")),
            x509.RFC822Name("leaf@example"),
            x509.DirectoryName(x509.Name.from_rfc4514_string("CN=网站")),
        ]
    )
    usage = x509.ExtendedKeyUsage([x509.ExtendedKeyUsageOID.SERVER_AUTH])
    leaf = (
        builder("CN=leaf,O=Example", key)
        .issuer_name(ca.subject)
        .add_extension(names, critical=False)
        .add_extension(usage, critical=False)
        .sign(ca_key, issuer=ca)
    )
    (tmp_path / "ca.pem").write_bytes(ca.public_bytes(Encoding.PEM))
    (tmp_path / "leaf.pem").write_bytes(leaf.public_bytes(Encoding.PEM))
    openssl("verify", "-vfyopt", ID, "-purpose", "sslserver", "-CAfile", tmp_path / "ca.pem", tmp_path / "leaf.pem")

    leaf.verify_directly_issued_by(ca)
    with pytest.raises(ValueError, match="issuer's name"):
        ca.verify_directly_issued_by(leaf)
    impostor = builder("CN=Root,C=CN", key).sign(key)
    with pytest.raises(kuaimi.InvalidSignature):
        leaf.verify_directly_issued_by(impostor)

    # What the package cryptography reads of it is the same.
    theirs = leaf.to_cryptography()
    assert theirs.subject.rfc4514_string() == leaf.subject.rfc4514_string() == "CN=leaf,O=Example"
    assert theirs.serial_number == leaf.serial_number
    assert theirs.not_valid_after_utc == leaf.not_valid_after_utc
    assert theirs.tbs_certificate_bytes == leaf.tbs_certificate_bytes
    assert theirs.signature == leaf.signature
    assert len(theirs.extensions) == len(leaf.extensions)
    for one in leaf.extensions:
        same = theirs.extensions.get_extension_for_oid(other.ObjectIdentifier(one.oid.dotted_string))
        assert same.critical == one.critical
        assert same.value.public_bytes() == one.value.public_bytes()
    read = leaf.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    assert read == names
    assert read.get_values_for_type(x509.DNSName) == ["leaf.example"]
    with pytest.raises(x509.ExtensionNotFound):
        leaf.extensions.get_extension_for_class(x509.NameConstraints)
    assert leaf.public_key() == key.public_key()
    assert pickle.loads(pickle.dumps(leaf)) == leaf
    assert hash(x509.load_der_x509_certificate(leaf.public_bytes(Encoding.DER))) == hash(leaf)


def test_parts_of_cryptography_serve(root: tuple[x509.Certificate, kuaimi.sm2.SM2PrivateKey]) -> None:
    ca, ca_key = root
    key = kuaimi.sm2.SM2PrivateKey.generate()
    name = other.Name([other.NameAttribute(other.NameOID.COMMON_NAME, "leaf"), other.NameAttribute(other.NameOID.COUNTRY_NAME, "CN")])
    policies = other.CertificatePolicies([other.PolicyInformation(other.ObjectIdentifier("1.2.3"), None)])
    leaf = (
        builder("CN=x", key)
        .subject_name(name)
        .add_extension(other.SubjectAlternativeName([other.DNSName("a.example")]), critical=False)
        .add_extension(policies, critical=False)
        .sign(ca_key, issuer=ca)
    )
    assert leaf.subject.rfc4514_string() == "C=CN,CN=leaf"
    assert leaf.extensions.get_extension_for_class(x509.SubjectAlternativeName).value == x509.SubjectAlternativeName([x509.DNSName("a.example")])
    found = leaf.extensions.get_extension_for_oid(x509.ExtensionOID.CERTIFICATE_POLICIES).value
    assert found.public_bytes() == policies.public_bytes()


def test_requests(tmp_path: pathlib.Path) -> None:
    key = kuaimi.sm2.SM2PrivateKey.generate()
    names = x509.SubjectAlternativeName([x509.DNSName("leaf.example")])
    request = (
        x509.CertificateSigningRequestBuilder()
        .subject_name(x509.Name.from_rfc4514_string("CN=leaf"))
        .add_extension(names, critical=False)
        .challenge_password("secret 1")
        .sign(key)
    )
    assert request.is_signature_valid
    (tmp_path / "r.pem").write_bytes(request.public_bytes())
    shown = openssl("req", "-in", tmp_path / "r.pem", "-verify", "-vfyopt", ID, "-noout", "-text")
    assert "DNS:leaf.example" in shown and "secret 1" in shown
    read = x509.load_pem_x509_csr(request.public_bytes())
    assert read.extensions.get_extension_for_class(x509.SubjectAlternativeName).value == names
    assert read.challenge_password == "secret 1"
    altered = bytearray(request.public_bytes(Encoding.DER))
    altered[altered.index(b"leaf")] ^= 1
    assert not x509.load_der_x509_csr(bytes(altered)).is_signature_valid

    (tmp_path / "k.pem").write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    openssl("req", "-new", "-key", tmp_path / "k.pem", "-sm3", "-sigopt", ID, "-subj", "/C=CN/CN=a", "-out", tmp_path / "t.pem")
    theirs = x509.load_pem_x509_csr((tmp_path / "t.pem").read_bytes())
    assert theirs.is_signature_valid and theirs.subject.rfc4514_string() == "CN=a,C=CN"


def test_extensions_are_those_of_cryptography() -> None:
    uri = "http://ca.example/a"
    address = ipaddress.ip_network("192.0.2.0/24")
    ours_and_theirs = [
        (x509.BasicConstraints(False, None), other.BasicConstraints(False, None)),
        (x509.BasicConstraints(True, 3), other.BasicConstraints(True, 3)),
        (x509.SubjectKeyIdentifier(b"abc"), other.SubjectKeyIdentifier(b"abc")),
        (x509.AuthorityKeyIdentifier(b"abc"), other.AuthorityKeyIdentifier(b"abc", None, None)),
        (
            x509.CRLDistributionPoints([x509.DistributionPoint([x509.UniformResourceIdentifier(uri)])]),
            other.CRLDistributionPoints([other.DistributionPoint([other.UniformResourceIdentifier(uri)], None, None, None)]),
        ),
        (
            x509.AuthorityInformationAccess(
                [x509.AccessDescription(x509.AuthorityInformationAccessOID.OCSP, x509.UniformResourceIdentifier(uri))]
            ),
            other.AuthorityInformationAccess(
                [other.AccessDescription(other.AuthorityInformationAccessOID.OCSP, other.UniformResourceIdentifier(uri))]
            ),
        ),
        (
            x509.NameConstraints([x509.DNSName("example")], [x509.IPAddress(address)]),
            other.NameConstraints([other.DNSName("example")], [other.IPAddress(address)]),
        ),
        (
            x509.SubjectAlternativeName([x509.RegisteredID(x509.ObjectIdentifier("1.2.3")), x509.OtherName(x509.ObjectIdentifier("1.2"), b"\x05\x00")]),
            other.SubjectAlternativeName([other.RegisteredID(other.ObjectIdentifier("1.2.3")), other.OtherName(other.ObjectIdentifier("1.2"), b"\x05\x00")]),
        ),
    ]
    for i in range(9):
        bits = [one == i or (i in (7, 8) and one == 4) for one in range(9)]
        ours_and_theirs.append((x509.KeyUsage(*bits), other.KeyUsage(*bits)))
    for ours, theirs in ours_and_theirs:
        assert ours.public_bytes() == theirs.public_bytes(), ours
        assert type(ours)._from_der(ours.public_bytes()) == ours


def test_wrong_arguments() -> None:
    key = kuaimi.sm2.SM2PrivateKey.generate()
    with pytest.raises(ValueError, match="some are not set"):
        x509.CertificateBuilder().sign(key)
    with pytest.raises(ValueError, match="already been set"):
        builder("CN=a", key).add_extension(x509.BasicConstraints(False, None), True).add_extension(x509.BasicConstraints(False, None), True)
    with pytest.raises(kuaimi.InvalidArgument, match="does not belong"):
        builder("CN=a", key).sign(kuaimi.sm2.SM2PrivateKey.generate())
    with pytest.raises(kuaimi.InvalidArgument, match="end before it begins"):
        builder("CN=a", key).not_valid_after(NOW - datetime.timedelta(days=1)).sign(key)
    with pytest.raises(ValueError, match="SM3"):
        builder("CN=a", key).sign(key, "sha256")
    for name in ["", "leaf", "C=CHN"]:
        with pytest.raises(kuaimi.InvalidArgument):
            x509.Name.from_rfc4514_string(name)
    with pytest.raises(ValueError, match="xn--"):
        x509.DNSName("网站.example")
    der = builder("CN=a", key).sign(key).public_bytes(Encoding.DER)
    for length in range(0, len(der), 7):
        with pytest.raises(kuaimi.FormatError):
            x509.load_der_x509_certificate(der[:length])
