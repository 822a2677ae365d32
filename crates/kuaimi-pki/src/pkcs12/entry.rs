//! What a file contains.

use alloc::vec::Vec;
use core::fmt;

use der::Decode;
use der::asn1::{BitStringRef, ObjectIdentifier};
use kuaimi::sm2::PrivateKey;
use zeroize::Zeroizing;

use super::attributes::Attributes;
use crate::ber::{Elements, SEQUENCE, context, element, to_der};
use crate::{Certificate, Error, PublicKey, oid};

/// One thing in a file, with its attributes.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Entry {
    /// The thing.
    pub content: Content,
    /// Its attributes.
    pub attributes: Attributes,
}

impl Entry {
    /// An entry without attributes.
    pub fn new(content: Content) -> Self {
        Self {
            content,
            attributes: Attributes::default(),
        }
    }

    /// The same with these attributes.
    #[must_use]
    pub fn with_attributes(mut self, attributes: Attributes) -> Self {
        self.attributes = attributes;
        self
    }
}

/// The kinds of things in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Content {
    /// A private key of any algorithm.
    Key(Key),
    /// A certificate.
    Certificate(Certificate),
    /// A revocation list of X.509, in DER.
    Crl(Vec<u8>),
    /// A secret of a kind that its object identifier names.
    Secret(Secret),
    /// Something of a kind that is not known here: the bag's identifier, and its value in DER.
    Other(ObjectIdentifier, Zeroizing<Vec<u8>>),
}

/// A secret, such as a symmetric key or a password. `Debug` shows its kind only.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Secret {
    /// What it is.
    pub kind: ObjectIdentifier,
    /// Its value in DER.
    pub value: Zeroizing<Vec<u8>>,
}

impl Secret {
    /// A secret of this kind, whose value is one element of DER.
    ///
    /// # Errors
    /// [`Error::Structure`] if `value` is no element of DER.
    pub fn new(kind: ObjectIdentifier, value: &[u8]) -> Result<Self, Error> {
        let value = to_der(value, "secret")?;
        Ok(Self { kind, value })
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Secret({})", self.kind)
    }
}

/// A private key in PKCS #8, of any algorithm. `Debug` shows its algorithm only.
///
/// ```
/// use kuaimi::sm2::PrivateKey;
/// use kuaimi_pki::pkcs12::Key;
///
/// let key = Key::of_sm2(&PrivateKey::from_bytes(&[7; 32])?)?;
/// assert_eq!(key.sm2()?, PrivateKey::from_bytes(&[7; 32])?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Key {
    der: Zeroizing<Vec<u8>>,
    algorithm: ObjectIdentifier,
    /// The key's bytes in the certificate that it belongs to, where they are known.
    public: Option<Vec<u8>>,
}

const WHAT: &str = "private key (PKCS #8)";

impl Key {
    /// A private key in the DER of PKCS #8.
    ///
    /// # Errors
    /// [`Error::Der`] and [`Error::Structure`] for what is no PKCS #8, and the errors of a
    /// malformed key of SM2. Keys of other algorithms are not looked at closely.
    pub fn from_pkcs8_der(der: &[u8]) -> Result<Self, Error> {
        let mut fields = Elements::inside(der, SEQUENCE, WHAT)?;
        let version: u8 = fields.value()?;
        if version > 1 {
            return Err(Error::Structure(WHAT, "has a version that is not known"));
        }
        let mut identifier = fields.enter(SEQUENCE)?;
        let mut algorithm = identifier.oid()?;
        let parameters = match identifier.is_empty() {
            true => None,
            false => Some(identifier.bytes()?),
        };
        identifier.end()?;
        let inner = fields.octets()?;
        if algorithm == oid::EC_PUBLIC_KEY {
            // The curve says more.
            algorithm = parameters
                .and_then(|curve| ObjectIdentifier::from_der(curve).ok())
                .unwrap_or(algorithm);
        }
        let public = match algorithm {
            oid::SM2 => {
                let (key, _) = kuaimi::encoding::read_private_key(der, None)?;
                Some(key.public_key().to_sec1_bytes().to_vec())
            }
            oid::RSA => rsa_public(inner).ok(),
            _ => ec_public(inner).ok().flatten(),
        };
        Ok(Self {
            der: Zeroizing::new(der.to_vec()),
            algorithm,
            public,
        })
    }

    /// A private key of SM2.
    ///
    /// # Errors
    /// None that is known; the encoder can report one.
    pub fn of_sm2(key: &PrivateKey) -> Result<Self, Error> {
        use kuaimi::encoding::EncodePrivateKey as _;
        let der = key
            .to_pkcs8_der()
            .map_err(|_| Error::Argument("the private key cannot be written"))?;
        Self::from_pkcs8_der(der.as_bytes())
    }

    /// The key in the DER of PKCS #8.
    pub fn as_pkcs8_der(&self) -> &[u8] {
        &self.der
    }

    /// The key's algorithm; for a key on an elliptic curve, the curve.
    pub fn algorithm(&self) -> ObjectIdentifier {
        self.algorithm
    }

    /// The key of SM2.
    ///
    /// # Errors
    /// [`Error::Algorithm`] for a key of another algorithm.
    pub fn sm2(&self) -> Result<PrivateKey, Error> {
        if self.algorithm != oid::SM2 {
            return Err(Error::Algorithm("an SM2 key", self.algorithm));
        }
        Ok(kuaimi::encoding::read_private_key(&self.der, None)?.0)
    }

    /// Whether the key belongs to `certificate`; `None` if it does not say its public key.
    pub fn belongs_to(&self, certificate: &Certificate) -> Option<bool> {
        let public = self.public.as_deref()?;
        if let PublicKey::Sm2(key) = certificate.public_key() {
            // The certificate may have the point in another form.
            return Some(*key.public_key().to_sec1_bytes().as_slice() == *public);
        }
        Some(certificate.key_bits() == public)
    }
}

/// `RSAPublicKey`, from `RSAPrivateKey ::= SEQUENCE { version, modulus, publicExponent, … }`.
fn rsa_public(inner: &[u8]) -> Result<Vec<u8>, Error> {
    let mut fields = Elements::inside(inner, SEQUENCE, WHAT)?;
    let _version = fields.bytes()?;
    let (modulus, exponent) = (fields.bytes()?, fields.bytes()?);
    Ok(element(SEQUENCE, &[modulus, exponent]))
}

/// The point in `[1]` of an `ECPrivateKey`.
fn ec_public(inner: &[u8]) -> Result<Option<Vec<u8>>, Error> {
    let mut fields = Elements::inside(inner, SEQUENCE, WHAT)?;
    let _version = fields.bytes()?;
    let _number = fields.bytes()?;
    let _curve = fields.optional(context(0))?;
    let Some(mut field) = fields.enter_optional(context(1))? else {
        return Ok(None);
    };
    let bits = BitStringRef::from_der(field.bytes()?);
    Ok(bits.ok().map(|bits| bits.raw_bytes().to_vec()))
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Key({})", self.algorithm)
    }
}
