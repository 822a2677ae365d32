"""Certificates of SM2 (GM/T 0015, RFC 5280), in the shapes of cryptography.x509.

What code for cryptography.x509 does with a certificate, a request, a name or an extension, it does with these. A builder also takes
names and extensions that are cryptography's. Signatures are SM2 with SM3 under the default identity.

>>> import datetime
>>> import kuaimi
>>> from kuaimi import x509
>>> key = kuaimi.sm2.SM2PrivateKey.generate()
>>> name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "Root")])
>>> now = datetime.datetime(2026, 1, 1, tzinfo=datetime.timezone.utc)
>>> certificate = (
...     x509.CertificateBuilder()
...     .subject_name(name)
...     .issuer_name(name)
...     .public_key(key.public_key())
...     .serial_number(x509.random_serial_number())
...     .not_valid_before(now)
...     .not_valid_after(now + datetime.timedelta(days=365))
...     .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
...     .sign(key)
... )
>>> certificate.verify_directly_issued_by(certificate)
>>> certificate.subject.rfc4514_string()
'CN=Root'
"""

from ._builders import CertificateBuilder, CertificateSigningRequestBuilder, random_serial_number
from ._certificate import (
    Certificate,
    CertificateSigningRequest,
    load_der_x509_certificate,
    load_der_x509_csr,
    load_pem_x509_certificate,
    load_pem_x509_certificates,
    load_pem_x509_csr,
)
from ._crl import (
    CertificateRevocationList,
    CertificateRevocationListBuilder,
    RevokedCertificate,
    RevokedCertificateBuilder,
    load_der_x509_crl,
    load_pem_x509_crl,
)
from ._extensions import (
    AccessDescription,
    AuthorityInformationAccess,
    AuthorityKeyIdentifier,
    BasicConstraints,
    CRLDistributionPoints,
    DistributionPoint,
    ExtendedKeyUsage,
    Extension,
    ExtensionNotFound,
    Extensions,
    ExtensionType,
    IssuerAlternativeName,
    KeyUsage,
    NameConstraints,
    SubjectAlternativeName,
    SubjectKeyIdentifier,
    UnrecognizedExtension,
)
from ._names import (
    DirectoryName,
    DNSName,
    GeneralName,
    IPAddress,
    Name,
    NameAttribute,
    OtherName,
    RegisteredID,
    RelativeDistinguishedName,
    RFC822Name,
    UniformResourceIdentifier,
)
from ._oids import (
    AuthorityInformationAccessOID,
    CRLEntryExtensionOID,
    ExtendedKeyUsageOID,
    ExtensionOID,
    NameOID,
    ObjectIdentifier,
    OCSPExtensionOID,
    SignatureAlgorithmOID,
)
from ._revocation import CRLNumber, CRLReason, DeltaCRLIndicator, InvalidityDate, OCSPNonce, ReasonFlags
from ._version import Version

__all__ = [
    "AccessDescription",
    "AuthorityInformationAccess",
    "AuthorityInformationAccessOID",
    "AuthorityKeyIdentifier",
    "BasicConstraints",
    "CRLDistributionPoints",
    "CRLEntryExtensionOID",
    "CRLNumber",
    "CRLReason",
    "Certificate",
    "CertificateBuilder",
    "CertificateRevocationList",
    "CertificateRevocationListBuilder",
    "CertificateSigningRequest",
    "CertificateSigningRequestBuilder",
    "DNSName",
    "DeltaCRLIndicator",
    "DirectoryName",
    "DistributionPoint",
    "ExtendedKeyUsage",
    "ExtendedKeyUsageOID",
    "Extension",
    "ExtensionNotFound",
    "ExtensionOID",
    "ExtensionType",
    "Extensions",
    "GeneralName",
    "IPAddress",
    "InvalidityDate",
    "IssuerAlternativeName",
    "KeyUsage",
    "Name",
    "NameAttribute",
    "NameConstraints",
    "NameOID",
    "OCSPExtensionOID",
    "OCSPNonce",
    "ObjectIdentifier",
    "OtherName",
    "RFC822Name",
    "ReasonFlags",
    "RegisteredID",
    "RelativeDistinguishedName",
    "RevokedCertificate",
    "RevokedCertificateBuilder",
    "SignatureAlgorithmOID",
    "SubjectAlternativeName",
    "SubjectKeyIdentifier",
    "UniformResourceIdentifier",
    "UnrecognizedExtension",
    "Version",
    "load_der_x509_certificate",
    "load_der_x509_crl",
    "load_der_x509_csr",
    "load_pem_x509_certificate",
    "load_pem_x509_certificates",
    "load_pem_x509_crl",
    "load_pem_x509_csr",
    "random_serial_number",
]
