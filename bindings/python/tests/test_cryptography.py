"""The package cryptography: its serialization members serve, and its objects are taken where they can carry the curve."""

import subprocess

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import serialization as theirs
from cryptography.hazmat.primitives.asymmetric import ec

import kuaimi
from kuaimi import sm2

KEY = sm2.SM2PrivateKey.generate()


def test_its_enumerations_and_encryptions() -> None:
    pem = KEY.private_bytes(theirs.Encoding.PEM, theirs.PrivateFormat.PKCS8, theirs.BestAvailableEncryption(b"secret"))
    assert sm2.load_pem_private_key(pem, b"secret") == KEY
    der = KEY.private_bytes(theirs.Encoding.DER, theirs.PrivateFormat.TraditionalOpenSSL, theirs.NoEncryption())
    assert sm2.load_der_private_key(der, None) == KEY
    public = KEY.public_key()
    for encoding, form in (
        (theirs.Encoding.PEM, theirs.PublicFormat.SubjectPublicKeyInfo),
        (theirs.Encoding.X962, theirs.PublicFormat.CompressedPoint),
        (theirs.Encoding.X962, theirs.PublicFormat.UncompressedPoint),
    ):
        assert sm2.load_public_key(public.public_bytes(encoding, form)) == public
    with pytest.raises(kuaimi.InvalidArgument, match="OpenSSH"):
        public.public_bytes(theirs.Encoding.OpenSSH, theirs.PublicFormat.OpenSSH)


def test_a_certificate() -> None:
    pem = KEY.private_bytes(theirs.Encoding.PEM, theirs.PrivateFormat.PKCS8)
    request = ["openssl", "req", "-x509", "-new", "-key", "/dev/stdin", "-subj", "/CN=a", "-sm3"]
    certificate = subprocess.run(request, input=pem, capture_output=True, check=True).stdout
    assert sm2.SM2PublicKey.from_cryptography(x509.load_pem_x509_certificate(certificate)) == KEY.public_key()
    assert sm2.load_pem_public_key(certificate) == KEY.public_key()


def test_its_keys() -> None:
    """This version has no SM2 curve: keys on other curves are refused, and there is nothing to go to."""
    other = ec.generate_private_key(ec.SECP256R1())
    with pytest.raises(kuaimi.FormatError, match="curve"):
        sm2.SM2PrivateKey.from_cryptography(other)
    with pytest.raises(kuaimi.FormatError, match="curve"):
        sm2.SM2PublicKey.from_cryptography(other.public_key())
    for convert in (KEY.to_cryptography, KEY.public_key().to_cryptography):
        with pytest.raises(kuaimi.FormatError, match="no SM2 curve: use private_bytes"):
            convert()


def test_its_keys_where_they_have_the_curve() -> None:
    """An object that gives SM2's DER, as a version with the curve would."""

    class Key:
        def private_bytes(self, *_: object) -> bytes:
            return KEY.private_bytes(theirs.Encoding.DER, theirs.PrivateFormat.PKCS8)

        def public_bytes(self, *_: object) -> bytes:
            return KEY.public_key().public_bytes(theirs.Encoding.DER, theirs.PublicFormat.SubjectPublicKeyInfo)

    assert sm2.SM2PrivateKey.from_cryptography(Key()) == KEY
    assert sm2.SM2PublicKey.from_cryptography(Key()) == KEY.public_key()
