//! The types of messages (GM/T 0010-2012, clause 5; RFC 5652, clause 14; RFC 5083).

use core::fmt;

use der::asn1::ObjectIdentifier;

use crate::oid;

/// What the object identifiers of a message are written after. Both are read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Dialect {
    /// GM/T 0010-2012 (GB/T 35275): types `1.2.156.10197.6.1.4.2.*`, versions 1, signatures named
    /// `1.2.156.10197.1.301.1`. What Chinese banks and authorities expect.
    #[default]
    Gm,
    /// As `Gm`, with the names that GmSSL 3 has for algorithms and reads alone: signatures
    /// `1.2.156.10197.1.501`, encryption `1.2.156.10197.1.301.2`. It opens what is encrypted so.
    /// Its signatures are not the standard's: they are without `Z`, over the DER around the
    /// content.
    GmSsl,
    /// CMS (RFC 5652): types `1.2.840.113549.1.7.*`, signatures named `1.2.156.10197.1.501`. What
    /// OpenSSL reads.
    Cms,
}

/// What a message, or its content, is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Kind {
    /// Bytes.
    Data,
    /// A content and its signatures.
    Signed,
    /// An encrypted content for recipients.
    Enveloped,
    /// An encrypted content for recipients, and signatures of it.
    SignedAndEnveloped,
    /// A content encrypted under a key that both sides have.
    Encrypted,
    /// As `Enveloped`, with a tag that shows alterations (RFC 5083).
    AuthEnveloped,
    /// The parameters of a key agreement (GM/T 0010, clause 11), which are not read.
    KeyAgreement,
}

impl Kind {
    const ALL: [(Self, ObjectIdentifier, Option<ObjectIdentifier>); 7] = [
        (Self::Data, oid::GM_DATA, Some(oid::DATA)),
        (Self::Signed, oid::GM_SIGNED_DATA, Some(oid::SIGNED_DATA)),
        (
            Self::Enveloped,
            oid::GM_ENVELOPED_DATA,
            Some(oid::ENVELOPED_DATA),
        ),
        (
            Self::SignedAndEnveloped,
            oid::GM_SIGNED_AND_ENVELOPED_DATA,
            Some(oid::SIGNED_AND_ENVELOPED_DATA),
        ),
        (
            Self::Encrypted,
            oid::GM_ENCRYPTED_DATA,
            Some(oid::ENCRYPTED_DATA),
        ),
        (
            Self::AuthEnveloped,
            oid::AUTH_ENVELOPED_DATA,
            Some(oid::AUTH_ENVELOPED_DATA),
        ),
        (Self::KeyAgreement, oid::GM_KEY_AGREEMENT, None),
    ];

    /// The kind that `oid` names, in either dialect.
    ///
    /// ```
    /// use kuaimi_pki::message::Kind;
    ///
    /// let oid = "1.2.156.10197.6.1.4.2.2".parse()?;
    /// assert_eq!(Kind::from_oid(oid), Some(Kind::Signed));
    /// # Ok::<(), kuaimi_pki::external::der::oid::Error>(())
    /// ```
    pub fn from_oid(oid: ObjectIdentifier) -> Option<Self> {
        let mut all = Self::ALL.iter();
        all.find(|(_, gm, cms)| *gm == oid || *cms == Some(oid))
            .map(|(kind, ..)| *kind)
    }

    /// The object identifier. GM/T 0010 has none for [`Kind::AuthEnveloped`], and CMS has none for
    /// [`Kind::KeyAgreement`]: both have one for all dialects.
    pub fn oid(self, dialect: Dialect) -> ObjectIdentifier {
        let found = Self::ALL.iter().find(|(kind, ..)| *kind == self);
        let (_, gm, cms) = found.unwrap_or(&Self::ALL[0]);
        match dialect {
            Dialect::Gm | Dialect::GmSsl => *gm,
            Dialect::Cms => cms.unwrap_or(*gm),
        }
    }

    /// The name in the standards: `signedData` and so on.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Data => "data",
            Self::Signed => "signedData",
            Self::Enveloped => "envelopedData",
            Self::SignedAndEnveloped => "signedAndEnvelopedData",
            Self::Encrypted => "encryptedData",
            Self::AuthEnveloped => "authEnvelopedData",
            Self::KeyAgreement => "keyAgreementInfo",
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Whether two content types are the same, as the two dialects name it.
pub(crate) fn same_type(one: ObjectIdentifier, other: ObjectIdentifier) -> bool {
    one == other || Kind::from_oid(one).is_some_and(|kind| Kind::from_oid(other) == Some(kind))
}
