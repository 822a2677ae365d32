"""Messages for people with certificates: signed and encrypted (GM/T 0010, CMS, PKCS #7).

`form` says whose object identifiers a message gets: "cms", which OpenSSL reads, or "gm" (GM/T 0010), which banks and authorities in
China expect. Both are read, in BER, DER and PEM.

>>> import datetime
>>> import kuaimi
>>> from kuaimi import cms, x509
>>> key = kuaimi.sm2.SM2PrivateKey.generate()
>>> day = datetime.datetime(2026, 1, 1)
>>> builder = x509.CertificateBuilder().subject_name(x509.Name.from_rfc4514_string("CN=alice")).public_key(key.public_key())
>>> builder = builder.serial_number(1).not_valid_before(day).not_valid_after(day + datetime.timedelta(days=365))
>>> certificate = builder.sign(key)
>>> message = cms.sign(b"a payment", [(certificate, key)])
>>> verified = cms.verify(message)
>>> verified.content, verified.signers[0].certificate == certificate
(b'a payment', True)
>>> cms.decrypt(cms.encrypt(b"a secret", [certificate]), key, certificate).content
b'a secret'

The functions for files take messages and contents of any size, in a few megabytes of memory:

>>> import io
>>> signed, content = io.BytesIO(), io.BytesIO()
>>> cms.sign_file(io.BytesIO(b"a payment"), signed, [(certificate, key)])
9
>>> cms.verify_file(io.BytesIO(signed.getvalue()), content).signers[0].certificate == certificate
True
>>> content.getvalue()
b'a payment'
"""

from __future__ import annotations

import datetime
from collections.abc import Iterable
from dataclasses import dataclass
from typing import IO, Literal, TypeAlias

from . import _cms_files, _files
from ._native import cms as _native
from ._native.x509 import Certificate as NativeCertificate
from .errors import DecryptionFailed, InvalidSignature
from .sm2 import SM2PrivateKey
from .x509 import Certificate

__all__ = [
    "Cipher",
    "Decrypted",
    "Form",
    "Signer",
    "Verified",
    "decrypt",
    "decrypt_file",
    "encrypt",
    "encrypt_file",
    "sign",
    "sign_file",
    "verify",
    "verify_file",
]

Form: TypeAlias = Literal["cms", "gm"]
Cipher: TypeAlias = Literal["sm4-cbc", "sm4-gcm"]


@dataclass(frozen=True)
class Signer:
    """A signer whose signature is right. Whether its certificate can be trusted is another question: see kuaimi.x509.verification.

    >>> Signer(None, b"id", None).name
    b'id'
    """

    certificate: Certificate | None
    name: bytes
    signing_time: datetime.datetime | None


@dataclass(frozen=True)
class Verified:
    """A content with its signers, all of whose signatures are right; and the certificates in the message, for which nobody vouches.

    >>> Verified(b"a content", [], []).content
    b'a content'
    """

    content: bytes
    signers: list[Signer]
    certificates: list[Certificate]


@dataclass(frozen=True)
class Decrypted:
    """A content; and its signers, if the message was signed, too.

    >>> Decrypted(b"a content", [], []).signers
    []
    """

    content: bytes
    signers: list[Signer]
    certificates: list[Certificate]


def sign(
    content: bytes,
    signers: Iterable[tuple[Certificate, SM2PrivateKey]],
    *,
    form: Form = "cms",
    detached: bool = False,
    attributes: bool = True,
    certificates: Iterable[Certificate] = (),
    include_certificates: bool = True,
    key_identifier: bool = False,
    empty_identity: bool = False,
    signing_time: datetime.datetime | None = None,
) -> bytes:
    """A signed message in DER.

    detached leaves the content out; attributes=False signs the content alone, without the time. certificates go into the message
    beside the signers' own. empty_identity is what OpenSSL 3 expects.

    Raises InvalidArgument where a certificate is of another key.

    >>> sign(b"a content", [])
    Traceback (most recent call last):
    kuaimi.errors.InvalidArgument: ...
    """
    time = signing_time or datetime.datetime.now(datetime.timezone.utc)
    return _native.sign(
        content,
        [(certificate._native, key) for certificate, key in signers],
        certificates=[one._native for one in certificates],
        form=form,
        detached=detached,
        attributes=attributes,
        key_identifier=key_identifier,
        include=include_certificates,
        empty_identity=empty_identity,
        signing_time=int(time.timestamp()) if attributes else None,
    )


def _signers(found: _native.Verified) -> list[Signer]:
    signers = []
    for one in found.signers:
        certificate = None if one.certificate is None else Certificate(one.certificate)
        time = None if one.signing_time is None else datetime.datetime.fromtimestamp(one.signing_time, datetime.timezone.utc)
        if one.refusal is not None:
            who = one.name.hex() if certificate is None else certificate.subject.rfc4514_string()
            raise InvalidSignature(f"signed by {who}: {one.refusal}")
        signers.append(Signer(certificate, one.name, time))
    return signers


def _both(found: _native.Verified) -> None:
    """That every signature of an encrypted message is right. Not why: who altered the message would learn that its padding was right."""
    if any(one.refusal is not None for one in found.signers):
        raise DecryptionFailed("decryption failed: another key, another form of ciphertext, or altered data", "DecryptionFailed")


def _certificates(found: _native.Verified) -> list[Certificate]:
    return [Certificate(der) for der in found.certificates]


def verify(
    message: bytes,
    content: bytes | None = None,
    *,
    certificates: Iterable[Certificate] = (),
    empty_identity: bool = False,
) -> Verified:
    """The content of a signed message, if somebody signed it and every signature is right.

    content is given where it is not inside of the message; certificates are those of signers that are not in the message. Nothing is
    said of whether the certificates can be trusted.

    Raises InvalidSignature with the signer and the reason, and FormatError for what is no signed message.

    >>> verify(b"no message")
    Traceback (most recent call last):
    kuaimi.errors.FormatError: ...
    """
    known = [one._native for one in certificates]
    found = _native.verify(message, content, certificates=known, empty_identity=empty_identity)
    if not found.signers:
        raise InvalidSignature("nobody signed the message")
    return Verified(found.content, _signers(found), _certificates(found))


def encrypt(
    content: bytes,
    recipients: Iterable[Certificate],
    *,
    form: Form = "cms",
    cipher: Cipher = "sm4-cbc",
    key_identifier: bool = False,
) -> bytes:
    """A message in DER for the holders of certificates; of a pair, the encrypting one.

    With sm4-cbc, which most programs read, whoever can change the message can change the content; sm4-gcm shows every change.

    >>> encrypt(b"a content", [])
    Traceback (most recent call last):
    kuaimi.errors.InvalidArgument: ...
    """
    return _native.encrypt(content, [one._native for one in recipients], form=form, cipher=cipher, key_identifier=key_identifier)


def decrypt(
    message: bytes,
    key: SM2PrivateKey,
    certificate: Certificate | None = None,
    *,
    certificates: Iterable[Certificate] = (),
    empty_identity: bool = False,
) -> Decrypted:
    """The content of an encrypted message, and its signers, if it is signed, too.

    Without the certificate, the key is tried on the first recipients. Raises DecryptionFailed, whatever the reason, a wrong signature,
    too; and FormatError for what is no such message.

    >>> import kuaimi
    >>> decrypt(b"no message", kuaimi.sm2.SM2PrivateKey.generate())
    Traceback (most recent call last):
    kuaimi.errors.FormatError: ...
    """
    own = None if certificate is None else certificate._native
    known = [one._native for one in certificates]
    found = _native.decrypt(message, own, key, certificates=known, empty_identity=empty_identity)
    return Decrypted(found.content, _signers(found), _certificates(found))


def sign_file(
    source: _files.Source,
    target: _files.Target,
    signers: Iterable[tuple[Certificate, SM2PrivateKey]],
    *,
    form: Form = "cms",
    detached: bool = False,
    attributes: bool = True,
    certificates: Iterable[Certificate] = (),
    include_certificates: bool = True,
    key_identifier: bool = False,
    empty_identity: bool = False,
    signing_time: datetime.datetime | None = None,
) -> int:
    """Signs a content of any size, as sign does; returns its length. Source and target are paths, or objects opened in binary mode.

    The message is in BER, since the signatures come behind the content; a detached one is in DER. A target that is a path appears when it
    is whole.

    >>> import io
    >>> sign_file(io.BytesIO(b"a content"), io.BytesIO(), [])
    Traceback (most recent call last):
    kuaimi.errors.InvalidArgument: ...
    """
    time = signing_time or datetime.datetime.now(datetime.timezone.utc)
    with _files.reading(source) as read, _files.writing(target) as written:
        return _native.sign_stream(
            read,
            written,
            [(certificate._native, key) for certificate, key in signers],
            certificates=[one._native for one in certificates],
            form=form,
            detached=detached,
            attributes=attributes,
            key_identifier=key_identifier,
            include=include_certificates,
            empty_identity=empty_identity,
            signing_time=int(time.timestamp()) if attributes else None,
            length=_files.length(read),
        )


def _signed(found: _native.Verified) -> None:
    if not found.signers:
        raise InvalidSignature("nobody signed the message")
    _signers(found)


def verify_file(
    source: _files.Source,
    target: _files.Target | None = None,
    *,
    content: _files.Source | None = None,
    certificates: Iterable[Certificate] = (),
    empty_identity: bool = False,
) -> Verified:
    """Verifies a message of any size, as verify does, and writes its content into `target`. What is returned has no content.

    Nothing is written before all of it was verified: a path appears when it is whole, and an object is written to from another reading of
    the message, of which a copy is kept meanwhile. content is the file that was signed, where it is not inside of the message.

    >>> import io
    >>> verify_file(io.BytesIO(b"no message"))
    Traceback (most recent call last):
    kuaimi.errors.FormatError: ...
    """
    known = [one._native for one in certificates]
    if content is not None:
        if target is not None:
            raise ValueError("a content that is elsewhere is not written: give no target")
        with _files.reading(source) as file, _files.reading(content) as signed:
            # The signatures alone.
            message = file.read(_cms_files.TEXT)
            found = _native.verify_detached_stream(message, signed, certificates=known, empty_identity=empty_identity)
        _signed(found)
        return Verified(b"", _signers(found), _certificates(found))

    def one_pass(message: IO[bytes], written: IO[bytes] | None, known: list[NativeCertificate]) -> _native.Verified:
        return _native.verify_stream(message, written, certificates=known, empty_identity=empty_identity)

    found = _cms_files.opened(source, target, known, one_pass, _signed)
    return Verified(b"", _signers(found), _certificates(found))


def encrypt_file(
    source: _files.Source,
    target: _files.Target,
    recipients: Iterable[Certificate],
    *,
    form: Form = "cms",
    cipher: Cipher = "sm4-cbc",
    key_identifier: bool = False,
) -> int:
    """Encrypts a content of any size, as encrypt does; returns its length. The message is in DER where the source can tell its length.

    >>> import io
    >>> encrypt_file(io.BytesIO(b"a content"), io.BytesIO(), [])
    Traceback (most recent call last):
    kuaimi.errors.InvalidArgument: ...
    """
    with _files.reading(source) as read, _files.writing(target) as written:
        return _native.encrypt_stream(
            read,
            written,
            [one._native for one in recipients],
            form=form,
            cipher=cipher,
            key_identifier=key_identifier,
            length=_files.length(read),
        )


def decrypt_file(
    source: _files.Source,
    target: _files.Target,
    key: SM2PrivateKey,
    certificate: Certificate | None = None,
    *,
    certificates: Iterable[Certificate] = (),
    empty_identity: bool = False,
) -> Decrypted:
    """Decrypts a message of any size, as decrypt does, and writes its content into `target`. What is returned has no content.

    Nothing is written before the end of the message was read and is right, as in verify_file.

    >>> import io
    >>> import kuaimi
    >>> decrypt_file(io.BytesIO(b"no message"), io.BytesIO(), kuaimi.sm2.SM2PrivateKey.generate())
    Traceback (most recent call last):
    kuaimi.errors.FormatError: ...
    """
    own = None if certificate is None else certificate._native

    def one_pass(message: IO[bytes], written: IO[bytes] | None, known: list[NativeCertificate]) -> _native.Verified:
        return _native.decrypt_stream(message, written, own, key, certificates=known, empty_identity=empty_identity)

    found = _cms_files.opened(source, target, [one._native for one in certificates], one_pass, _both)
    return Decrypted(b"", _signers(found), _certificates(found))
