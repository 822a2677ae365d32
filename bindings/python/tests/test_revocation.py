"""Lists of revoked certificates and OCSP, beside the openssl program and the package cryptography."""

from __future__ import annotations

import datetime
import pathlib
import pickle
import subprocess

import pytest
from cryptography import x509 as other
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.x509 import ocsp as other_ocsp
from test_x509 import NOW, builder, openssl

import kuaimi
from kuaimi import x509
from kuaimi.serialization import Encoding, NoEncryption, PrivateFormat
from kuaimi.x509 import ocsp, verification

DAY = datetime.timedelta(days=1)
KEY = kuaimi.sm2.SM2PrivateKey.generate()
OTHER_KEY = kuaimi.sm2.SM2PrivateKey.generate()
USAGE = x509.KeyUsage(False, False, False, False, False, True, True, False, False)
CA = builder("CN=Root,C=CN", KEY).add_extension(x509.BasicConstraints(True, None), critical=True).add_extension(USAGE, critical=True).sign(KEY)
LEAF_KEY = kuaimi.sm2.SM2PrivateKey.generate()
LEAF = builder("CN=leaf", LEAF_KEY).sign(KEY, issuer=CA)


def revoked(serial: int, reason: x509.ReasonFlags | None = None) -> x509.RevokedCertificate:
    made = x509.RevokedCertificateBuilder().serial_number(serial).revocation_date(NOW)
    if reason is not None:
        made = made.add_extension(x509.CRLReason(reason), critical=False)
    return made.build()


def crl_builder() -> x509.CertificateRevocationListBuilder:
    made = x509.CertificateRevocationListBuilder().issuer_name(CA.subject)
    return made.last_update(NOW).next_update(NOW + 30 * DAY)


def test_lists_as_cryptography_reads_them() -> None:
    reasons = [None, *(one for one in x509.ReasonFlags if one is not x509.ReasonFlags.unspecified)]
    made = crl_builder().add_extension(x509.CRLNumber(300), critical=False)
    # Serial numbers with a first byte of 0x80 and more, too.
    serials = [0x80 + 1000 * place for place in range(len(reasons))]
    for serial, reason in zip(serials, reasons, strict=True):
        made = made.add_revoked_certificate(revoked(serial, reason))
    crl = made.sign(KEY)
    theirs = crl.to_cryptography()
    for read in (crl, theirs):
        assert read.issuer.public_bytes() == CA.subject.public_bytes()
        assert (read.last_update_utc, read.next_update_utc, len(read)) == (NOW, NOW + 30 * DAY, len(reasons))
        assert read.signature_algorithm_oid.dotted_string == "1.2.156.10197.1.501"
    assert crl.tbs_certlist_bytes == theirs.tbs_certlist_bytes and crl.signature == theirs.signature
    assert crl.fingerprint(hashes.SHA256()) == theirs.fingerprint(hashes.SHA256())
    assert len(crl.fingerprint()) == 32
    assert [one.oid.dotted_string for one in crl.extensions] == [one.oid.dotted_string for one in theirs.extensions]
    assert crl.extensions.get_extension_for_class(x509.CRLNumber).value.crl_number == 300
    identifier = crl.extensions.get_extension_for_class(x509.AuthorityKeyIdentifier).value.key_identifier
    assert identifier == CA.extensions.get_extension_for_class(x509.SubjectKeyIdentifier).value.digest
    for ours, their in zip(crl, theirs, strict=True):
        assert (ours.serial_number, ours.revocation_date_utc) == (their.serial_number, their.revocation_date_utc)
        names = [[one.value.reason.name for one in entry.extensions] for entry in (ours, their)]
        assert names[0] == names[1]
    assert [one.serial_number for one in crl] == serials and [crl[0], crl[-1]] == crl[:: len(serials) - 1]
    assert crl.get_revoked_certificate_by_serial_number(serials[3]) == crl[3]
    for missing in (serials[3] + 1, 3, -serials[3], 2**200):
        assert crl.get_revoked_certificate_by_serial_number(missing) is None
    for place in (len(serials), -len(serials) - 1):
        with pytest.raises(IndexError):
            crl[place]
    assert x509.load_der_x509_crl(crl.public_bytes(Encoding.DER)) == crl == x509.load_pem_x509_crl(crl.public_bytes())
    assert pickle.loads(pickle.dumps(crl)) == crl and hash(crl) == hash(pickle.loads(pickle.dumps(crl)))


def test_signatures_of_lists() -> None:
    crl = crl_builder().add_revoked_certificate(revoked(5)).sign(KEY, issuer=CA)
    assert crl.is_signature_valid(KEY.public_key())
    assert not crl.is_signature_valid(OTHER_KEY.public_key())
    altered = bytearray(crl.public_bytes(Encoding.DER))
    altered[altered.index(b"Root")] ^= 1
    assert not x509.load_der_x509_crl(bytes(altered)).is_signature_valid(KEY.public_key())
    with pytest.raises(kuaimi.InvalidArgument):
        crl_builder().sign(OTHER_KEY, issuer=CA)
    # Without the issuer's certificate, and with it, it says the same.
    without = crl_builder().add_revoked_certificate(revoked(5)).sign(KEY)
    assert without.tbs_certlist_bytes == crl.tbs_certlist_bytes


def test_openssl_and_lists(tmp_path: pathlib.Path) -> None:
    (tmp_path / "ca").write_bytes(CA.public_bytes())
    (tmp_path / "key").write_bytes(KEY.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    crl = crl_builder().add_extension(x509.CRLNumber(7), critical=False).add_revoked_certificate(revoked(0x99, x509.ReasonFlags.key_compromise)).sign(KEY)
    (tmp_path / "crl").write_bytes(crl.public_bytes())
    shown = openssl("crl", "-in", tmp_path / "crl", "-noout", "-text")
    assert "Serial Number: 99" in shown and "Key Compromise" in shown and "X509v3 CRL Number: \n                7" in shown

    (tmp_path / "index").write_text("R\t350101000000Z\t260101000000Z,superseded\tABCD\tunknown\t/CN=a\n")
    config = "[ca]\ndefault_ca=d\n[d]\ndatabase=index\ncertificate=ca\nprivate_key=key\ndefault_md=sm3\ndefault_crl_days=9\n"
    (tmp_path / "config").write_text(config)
    (tmp_path / "serial").write_text("01")
    done = subprocess.run(
        ["openssl", "ca", "-gencrl", "-config", "config", "-out", "theirs"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    theirs = x509.load_pem_x509_crl((tmp_path / "theirs").read_bytes())
    assert [one.serial_number for one in theirs] == [0xABCD]
    assert theirs[0].extensions.get_extension_for_class(x509.CRLReason).value.reason is x509.ReasonFlags.superseded
    # OpenSSL 3.0 signs lists under the empty identity.
    assert not theirs.is_signature_valid(KEY.public_key())
    assert theirs.is_signature_valid(KEY.public_key(), empty_identity=True)


def test_lists_in_chains_and_deltas() -> None:
    crl = crl_builder().add_extension(x509.CRLNumber(1), critical=False).add_revoked_certificate(revoked(LEAF.serial_number)).sign(KEY)
    policy = verification.PolicyBuilder().time(NOW + DAY)
    for lists, good in (([], True), ([crl.public_bytes()], False), ([crl_builder().sign(KEY).public_bytes(Encoding.DER)], True)):
        verifier = policy.store(verification.Store([CA], lists)).build_verifier("any")
        if good:
            assert verifier.verify(LEAF, []) == [LEAF, CA]
        else:
            with pytest.raises(verification.VerificationError, match="revoked"):
                verifier.verify(LEAF, [])

    removed = revoked(LEAF.serial_number, x509.ReasonFlags.remove_from_crl)
    delta = crl_builder().add_extension(x509.CRLNumber(2), critical=False).add_extension(x509.DeltaCRLIndicator(1), critical=True)
    read = delta.add_revoked_certificate(removed).sign(KEY)
    assert read.extensions.get_extension_for_class(x509.DeltaCRLIndicator).critical
    assert read.extensions.get_extension_for_class(x509.DeltaCRLIndicator).value.crl_number == 1
    assert read.to_cryptography().extensions.get_extension_for_class(other.DeltaCRLIndicator).value.crl_number == 1
    with pytest.raises(kuaimi.InvalidArgument, match="number"):
        crl_builder().add_extension(x509.DeltaCRLIndicator(1), critical=True).sign(KEY)


def test_parts_of_cryptography_serve() -> None:
    date = datetime.datetime(2025, 12, 31, 23, 59, 58)
    entry = (
        x509.RevokedCertificateBuilder()
        .serial_number(7)
        .revocation_date(date)
        .add_extension(other.CRLReason(other.ReasonFlags.aa_compromise), critical=False)
        .add_extension(other.InvalidityDate(date), critical=False)
        .build()
    )
    made = crl_builder().issuer_name(other.Name.from_rfc4514_string("CN=x")).add_extension(other.CRLNumber(2**40), critical=False)
    made = made.add_extension(other.AuthorityKeyIdentifier(b"an id", None, None), critical=False)
    crl = made.add_revoked_certificate(entry).sign(KEY)
    assert crl.issuer.rfc4514_string() == "CN=x"
    assert crl.extensions.get_extension_for_class(x509.AuthorityKeyIdentifier).value.key_identifier == b"an id"
    for read in (crl, crl.to_cryptography()):
        assert [one.value.public_bytes() for one in read[0].extensions] == [one.value.public_bytes() for one in entry.extensions]
        assert read[0].revocation_date_utc == date.replace(tzinfo=datetime.timezone.utc)
    assert crl[0].extensions.get_extension_for_class(x509.InvalidityDate).value.invalidity_date_utc == date.replace(tzinfo=datetime.timezone.utc)
    assert crl[0] == entry
    # And a list of one goes into another.
    assert crl_builder().add_revoked_certificate(crl[0]).sign(KEY)[0] == entry


def test_wrong_arguments_of_lists() -> None:
    for wrong in (0, -1, 1 << 159):
        with pytest.raises(ValueError):
            x509.RevokedCertificateBuilder().serial_number(wrong)
    with pytest.raises(ValueError):
        x509.RevokedCertificateBuilder().serial_number(1).build()
    reason = x509.CRLReason(x509.ReasonFlags.superseded)
    with pytest.raises(ValueError):
        x509.RevokedCertificateBuilder().add_extension(reason, critical=False).add_extension(reason, critical=False)
    for extension, critical in ((x509.CRLNumber(1), True), (x509.DeltaCRLIndicator(1), False), (x509.BasicConstraints(True, None), False)):
        with pytest.raises(ValueError):
            crl_builder().add_extension(extension, critical)
    with pytest.raises(ValueError):
        crl_builder().issuer_name(LEAF.subject).sign(KEY, issuer=CA)
    with pytest.raises(kuaimi.InvalidArgument):
        crl_builder().next_update(NOW).sign(KEY)
    with pytest.raises(ValueError, match="SM3"):
        crl_builder().sign(KEY, "sha256")
    der = crl_builder().add_revoked_certificate(revoked(5, x509.ReasonFlags.superseded)).sign(KEY).public_bytes(Encoding.DER)
    for length in range(len(der)):
        with pytest.raises(kuaimi.FormatError):
            x509.load_der_x509_crl(der[:length])


def test_many_entries() -> None:
    made = x509.CertificateRevocationListBuilder(_revoked=tuple(revoked(serial) for serial in range(5000, 0, -1)))
    crl = made.issuer_name(CA.subject).last_update(NOW).next_update(NOW + DAY).sign(KEY)
    assert [one.serial_number for one in crl] == [one.serial_number for one in crl.to_cryptography()] == list(range(5000, 0, -1))
    assert crl[4999].serial_number == 1 and [one.serial_number for one in crl[1022:1026]] == [3978, 3977, 3976, 3975]
    for serial in (1, 127, 128, 255, 256, 5000):
        assert crl.get_revoked_certificate_by_serial_number(serial) == revoked(serial)


# OCSP


def answer(status: ocsp.OCSPCertStatus = ocsp.OCSPCertStatus.GOOD) -> ocsp.OCSPResponseBuilder:
    when, why = (NOW, x509.ReasonFlags.superseded) if status is ocsp.OCSPCertStatus.REVOKED else (None, None)
    return ocsp.OCSPResponseBuilder().add_response(LEAF, CA, "sha1", status, NOW, NOW + DAY, when, why)


@pytest.mark.parametrize(("algorithm", "hash"), [(None, "sm3"), ("sha1", "sha1"), (hashes.SHA256(), "sha256")])
def test_requests_as_cryptography_reads_them(algorithm: object, hash: str) -> None:
    request = ocsp.OCSPRequestBuilder().add_certificate(LEAF, CA, algorithm).add_extension(x509.OCSPNonce(b"n" * 32), critical=False).build()
    theirs = other_ocsp.load_der_ocsp_request(request.public_bytes(Encoding.DER))
    for read in (request, theirs, ocsp.load_der_ocsp_request(theirs.public_bytes(serialization.Encoding.DER))):  # type: ignore[arg-type]
        assert read.serial_number == LEAF.serial_number
        assert read.issuer_name_hash == request.issuer_name_hash and read.issuer_key_hash == request.issuer_key_hash
        assert [one.value.nonce for one in read.extensions] == [b"n" * 32]
    assert request.hash_algorithm == hash
    if algorithm is None:
        assert request.issuer_name_hash == kuaimi.sm3.digest(CA.subject.public_bytes())


@pytest.mark.parametrize("status", list(ocsp.OCSPCertStatus))
def test_responses_as_cryptography_reads_them(status: ocsp.OCSPCertStatus) -> None:
    response = answer(status).responder_id(ocsp.OCSPResponderEncoding.HASH, CA).certificates([CA]).sign(KEY, produced_at=NOW)
    theirs = other_ocsp.load_der_ocsp_response(response.public_bytes(Encoding.DER))
    for name in (
        "serial_number",
        "issuer_name_hash",
        "issuer_key_hash",
        "produced_at_utc",
        "this_update_utc",
        "next_update_utc",
        "revocation_time_utc",
        "tbs_response_bytes",
        "signature",
        "responder_key_hash",
        "responder_name",
    ):
        assert getattr(response, name) == getattr(theirs, name), name
    assert response.certificate_status.name == theirs.certificate_status.name == status.name
    assert response.response_status.name == theirs.response_status.name == "SUCCESSFUL"
    assert response.signature_algorithm_oid.dotted_string == theirs.signature_algorithm_oid.dotted_string
    assert [one.public_bytes(serialization.Encoding.DER) for one in theirs.certificates] == [CA.public_bytes(Encoding.DER)]
    assert response.certificates == [CA] and len(list(response.responses)) == 1
    ours, their = response.revocation_reason, theirs.revocation_reason
    assert (ours and ours.value) == (their and their.value)
    assert response.verify(LEAF, CA, time=NOW).certificate_status is status


def test_what_a_response_must_fulfil() -> None:
    builder_ = answer().responder_id(ocsp.OCSPResponderEncoding.HASH, CA).add_extension(x509.OCSPNonce(b"asked"), critical=False)
    response = builder_.sign(KEY, produced_at=NOW)
    assert response.verify(LEAF, CA, time=NOW + DAY, nonce=b"asked").next_update_utc == NOW + DAY
    for arguments, reason in (
        ({"nonce": b"other"}, "nonce"),
        ({"time": NOW + 2 * DAY}, "not in force"),
        ({"time": NOW - DAY}, "after the given time"),
        ({"time": NOW + DAY + datetime.timedelta(minutes=1), "skew": datetime.timedelta(0)}, "not in force"),
    ):
        with pytest.raises(kuaimi.FormatError, match=reason):
            response.verify(LEAF, CA, **({"time": NOW} | arguments))  # type: ignore[arg-type]
    with pytest.raises(kuaimi.FormatError, match="not about"):
        response.verify(CA, CA, time=NOW)
    altered = bytearray(response.public_bytes())
    altered[altered.index(b"asked")] ^= 1
    with pytest.raises(kuaimi.InvalidSignature):
        ocsp.load_der_ocsp_response(bytes(altered)).verify(LEAF, CA, time=NOW)

    # A responder of its own needs a certificate for that.
    key = kuaimi.sm2.SM2PrivateKey.generate()
    plain = builder("CN=responder", key).sign(KEY, issuer=CA)
    purpose = x509.ExtendedKeyUsage([x509.ExtendedKeyUsageOID.OCSP_SIGNING])
    usage = x509.KeyUsage(True, False, False, False, False, False, False, False, False)
    right = builder("CN=responder", key).add_extension(purpose, critical=False).add_extension(usage, critical=True).sign(KEY, issuer=CA)
    for responder, good in ((plain, False), (right, True)):
        delegated = answer().responder_id(ocsp.OCSPResponderEncoding.HASH, responder)
        sent, kept = delegated.certificates([responder]).sign(key, produced_at=NOW), delegated.sign(key, produced_at=NOW)
        if good:
            assert sent.verify(LEAF, CA, time=NOW).certificate_status is ocsp.OCSPCertStatus.GOOD
            assert kept.verify(LEAF, CA, time=NOW, responders=[responder]).certificate_status is ocsp.OCSPCertStatus.GOOD
        else:
            with pytest.raises(kuaimi.FormatError, match="authorise"):
                sent.verify(LEAF, CA, time=NOW)
    with pytest.raises(kuaimi.FormatError):
        kept.verify(LEAF, CA, time=NOW)


def test_openssl_and_ocsp(tmp_path: pathlib.Path) -> None:
    for name, certificate in (("ca", CA), ("leaf", LEAF)):
        (tmp_path / name).write_bytes(certificate.public_bytes())
    openssl("ocsp", "-sha1", "-issuer", tmp_path / "ca", "-cert", tmp_path / "leaf", "-reqout", tmp_path / "q")
    asked = ocsp.load_der_ocsp_request((tmp_path / "q").read_bytes())
    assert asked.serial_number == LEAF.serial_number and asked.hash_algorithm == "sha1"
    response = answer(ocsp.OCSPCertStatus.REVOKED).answering(asked).responder_id(ocsp.OCSPResponderEncoding.HASH, CA).sign(KEY)
    nonce = asked.extensions[0].value
    assert isinstance(nonce, x509.OCSPNonce)
    assert response.verify(LEAF, CA, nonce=nonce.nonce, time=NOW + DAY, skew=100_000 * DAY).revocation_reason is x509.ReasonFlags.superseded
    (tmp_path / "r").write_bytes(response.public_bytes())
    shown = openssl("ocsp", "-respin", tmp_path / "r", "-noverify", "-resp_text", "-issuer", tmp_path / "ca", "-cert", tmp_path / "leaf")
    assert "Cert Status: revoked" in shown and "superseded" in shown and "SM2-with-SM3" in shown
    request = ocsp.OCSPRequestBuilder().add_certificate(LEAF, CA).build()
    (tmp_path / "ours").write_bytes(request.public_bytes())
    shown = openssl("ocsp", "-reqin", tmp_path / "ours", "-req_text", "-noverify")
    assert f"{LEAF.serial_number:X}" in shown and "Hash Algorithm: sm3" in shown


def test_responders_that_do_not_answer() -> None:
    for status in ocsp.OCSPResponseStatus:
        if status is ocsp.OCSPResponseStatus.SUCCESSFUL:
            with pytest.raises(ValueError):
                ocsp.OCSPResponseBuilder.build_unsuccessful(status)
            continue
        response = ocsp.OCSPResponseBuilder.build_unsuccessful(status)
        assert response.response_status is status
        assert other_ocsp.load_der_ocsp_response(response.public_bytes()).response_status.name == status.name
        with pytest.raises(ValueError, match="does not answer"):
            response.certificate_status
        with pytest.raises(kuaimi.FormatError):
            response.verify(LEAF, CA, time=NOW)


def test_wrong_arguments_of_ocsp() -> None:
    request = ocsp.OCSPRequestBuilder().add_certificate(LEAF, CA)
    with pytest.raises(ValueError, match="one certificate"):
        request.add_certificate(LEAF, CA)
    with pytest.raises(ValueError):
        request.add_extension(x509.BasicConstraints(True, None), critical=False)
    for nonce in (b"", bytes(129)):
        with pytest.raises(kuaimi.InvalidArgument, match="nonce"):
            request.add_extension(x509.OCSPNonce(nonce), critical=False).build()
    with pytest.raises(kuaimi.InvalidArgument, match="sm3"):
        ocsp.OCSPRequestBuilder().add_certificate(LEAF, CA, "md5").build()
    for status, when in ((ocsp.OCSPCertStatus.REVOKED, None), (ocsp.OCSPCertStatus.GOOD, NOW)):
        with pytest.raises(ValueError, match="revocation_time"):
            ocsp.OCSPResponseBuilder().add_response(LEAF, CA, None, status, NOW, None, when, None)
    with pytest.raises(ValueError, match="HASH"):
        answer().responder_id(ocsp.OCSPResponderEncoding.NAME, CA)
    with pytest.raises(kuaimi.InvalidArgument):
        answer().responder_id(ocsp.OCSPResponderEncoding.HASH, CA).sign(OTHER_KEY)
    with pytest.raises(ValueError, match="DER"):
        request.build().public_bytes(Encoding.PEM)
    der = answer().responder_id(ocsp.OCSPResponderEncoding.HASH, CA).sign(KEY).public_bytes()
    for length in range(len(der)):
        with pytest.raises(kuaimi.FormatError):
            ocsp.load_der_ocsp_response(der[:length])
