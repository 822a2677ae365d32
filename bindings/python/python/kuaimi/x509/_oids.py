"""Object identifiers, under the names of cryptography."""

from dataclasses import dataclass


@dataclass(frozen=True)
class ObjectIdentifier:
    """An object identifier.

    >>> ObjectIdentifier("2.5.4.3").dotted_string
    '2.5.4.3'
    """

    dotted_string: str


class NameOID:
    """Types of attributes in names.

    >>> NameOID.COMMON_NAME.dotted_string
    '2.5.4.3'
    """

    COMMON_NAME = ObjectIdentifier("2.5.4.3")
    SURNAME = ObjectIdentifier("2.5.4.4")
    SERIAL_NUMBER = ObjectIdentifier("2.5.4.5")
    COUNTRY_NAME = ObjectIdentifier("2.5.4.6")
    LOCALITY_NAME = ObjectIdentifier("2.5.4.7")
    STATE_OR_PROVINCE_NAME = ObjectIdentifier("2.5.4.8")
    STREET_ADDRESS = ObjectIdentifier("2.5.4.9")
    ORGANIZATION_NAME = ObjectIdentifier("2.5.4.10")
    ORGANIZATIONAL_UNIT_NAME = ObjectIdentifier("2.5.4.11")
    TITLE = ObjectIdentifier("2.5.4.12")
    GIVEN_NAME = ObjectIdentifier("2.5.4.42")
    INITIALS = ObjectIdentifier("2.5.4.43")
    PSEUDONYM = ObjectIdentifier("2.5.4.65")
    ORGANIZATION_IDENTIFIER = ObjectIdentifier("2.5.4.97")
    EMAIL_ADDRESS = ObjectIdentifier("1.2.840.113549.1.9.1")
    DOMAIN_COMPONENT = ObjectIdentifier("0.9.2342.19200300.100.1.25")
    USER_ID = ObjectIdentifier("0.9.2342.19200300.100.1.1")


class ExtensionOID:
    """Types of extensions.

    >>> ExtensionOID.KEY_USAGE.dotted_string
    '2.5.29.15'
    """

    SUBJECT_KEY_IDENTIFIER = ObjectIdentifier("2.5.29.14")
    KEY_USAGE = ObjectIdentifier("2.5.29.15")
    SUBJECT_ALTERNATIVE_NAME = ObjectIdentifier("2.5.29.17")
    ISSUER_ALTERNATIVE_NAME = ObjectIdentifier("2.5.29.18")
    BASIC_CONSTRAINTS = ObjectIdentifier("2.5.29.19")
    NAME_CONSTRAINTS = ObjectIdentifier("2.5.29.30")
    CRL_DISTRIBUTION_POINTS = ObjectIdentifier("2.5.29.31")
    CERTIFICATE_POLICIES = ObjectIdentifier("2.5.29.32")
    AUTHORITY_KEY_IDENTIFIER = ObjectIdentifier("2.5.29.35")
    EXTENDED_KEY_USAGE = ObjectIdentifier("2.5.29.37")
    AUTHORITY_INFORMATION_ACCESS = ObjectIdentifier("1.3.6.1.5.5.7.1.1")
    CRL_NUMBER = ObjectIdentifier("2.5.29.20")
    DELTA_CRL_INDICATOR = ObjectIdentifier("2.5.29.27")
    ISSUING_DISTRIBUTION_POINT = ObjectIdentifier("2.5.29.28")


class CRLEntryExtensionOID:
    """Types of extensions of a revoked certificate in a list.

    >>> CRLEntryExtensionOID.CRL_REASON.dotted_string
    '2.5.29.21'
    """

    CRL_REASON = ObjectIdentifier("2.5.29.21")
    INVALIDITY_DATE = ObjectIdentifier("2.5.29.24")


class OCSPExtensionOID:
    """Types of extensions of OCSP.

    >>> OCSPExtensionOID.NONCE.dotted_string
    '1.3.6.1.5.5.7.48.1.2'
    """

    NONCE = ObjectIdentifier("1.3.6.1.5.5.7.48.1.2")


class ExtendedKeyUsageOID:
    """Uses of a key.

    >>> ExtendedKeyUsageOID.SERVER_AUTH.dotted_string
    '1.3.6.1.5.5.7.3.1'
    """

    SERVER_AUTH = ObjectIdentifier("1.3.6.1.5.5.7.3.1")
    CLIENT_AUTH = ObjectIdentifier("1.3.6.1.5.5.7.3.2")
    CODE_SIGNING = ObjectIdentifier("1.3.6.1.5.5.7.3.3")
    EMAIL_PROTECTION = ObjectIdentifier("1.3.6.1.5.5.7.3.4")
    TIME_STAMPING = ObjectIdentifier("1.3.6.1.5.5.7.3.8")
    OCSP_SIGNING = ObjectIdentifier("1.3.6.1.5.5.7.3.9")
    ANY_EXTENDED_KEY_USAGE = ObjectIdentifier("2.5.29.37.0")


class AuthorityInformationAccessOID:
    """What an issuer offers.

    >>> AuthorityInformationAccessOID.OCSP.dotted_string
    '1.3.6.1.5.5.7.48.1'
    """

    OCSP = ObjectIdentifier("1.3.6.1.5.5.7.48.1")
    CA_ISSUERS = ObjectIdentifier("1.3.6.1.5.5.7.48.2")


class SignatureAlgorithmOID:
    """Signature algorithms.

    >>> SignatureAlgorithmOID.SM2_WITH_SM3.dotted_string
    '1.2.156.10197.1.501'
    """

    SM2_WITH_SM3 = ObjectIdentifier("1.2.156.10197.1.501")
    ECDSA_WITH_SHA256 = ObjectIdentifier("1.2.840.10045.4.3.2")
    ECDSA_WITH_SHA384 = ObjectIdentifier("1.2.840.10045.4.3.3")
    RSA_WITH_SHA256 = ObjectIdentifier("1.2.840.113549.1.1.11")
    RSA_WITH_SHA384 = ObjectIdentifier("1.2.840.113549.1.1.12")
    RSA_WITH_SHA512 = ObjectIdentifier("1.2.840.113549.1.1.13")
