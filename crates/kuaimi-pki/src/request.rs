//! Requests for certificates (PKCS #10, RFC 2986; GM/T 0092).

use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;

use der::asn1::{Any, BitString, ObjectIdentifier, SetOfVec};
use der::oid::AssociatedOid;
use der::{Decode, Encode, Reader, SliceReader, Tag, TagNumber};
use kuaimi::sm2;
use spki::{AlgorithmIdentifierOwned, SubjectPublicKeyInfoOwned};
use x509_cert::attr::Attribute;
use x509_cert::ext::Extension;
use x509_cert::name::Name;
use x509_cert::request::ExtensionReq;

use crate::certificate::builder::public_key_info;
use crate::error::Reading;
use crate::extensions::Extensions;
use crate::oid::CHALLENGE_PASSWORD;
use crate::public_key::{Identities, SignatureAlgorithm};
use crate::unsigned::{FromSigned, Unsigned};
use crate::{Error, PublicKey, Signer};

const WHAT: &str = "certificate request";

/// A request for a certificate, as it was signed. Clones share it.
#[derive(Clone)]
pub struct Request(Arc<Inner>);

struct Inner {
    der: Vec<u8>,
    info: core::ops::Range<usize>,
    subject: Name,
    key: PublicKey,
    attributes: Vec<(ObjectIdentifier, Vec<Any>)>,
    algorithm: AlgorithmIdentifierOwned,
    signature: Vec<u8>,
}

impl Request {
    /// Reads a request in DER. Nothing may follow it. Its signature is checked by
    /// [`verify`](Self::verify).
    ///
    /// # Errors
    /// [`Error::Der`], [`Error::Structure`] and [`Error::Encoding`] for what is no request, or has
    /// a malformed public key; [`Error::Limit`] for more than 1 MiB.
    pub fn from_der(der: &[u8]) -> Result<Self, Error> {
        if der.len() > crate::certificate::MAX_LEN {
            return Err(Error::Limit("a certificate request of more than 1 MiB"));
        }
        let read = || -> der::Result<_> {
            let mut reader = SliceReader::new(der)?;
            let parts = reader.sequence(|request| {
                let info = request.tlv_bytes()?;
                let algorithm: AlgorithmIdentifierOwned = request.decode()?;
                let signature: BitString = request.decode()?;
                Ok::<_, der::Error>((info, algorithm, signature))
            })?;
            reader.finish()?;
            Ok(parts)
        };
        let (info, algorithm, signature) = read().of(WHAT)?;
        let (subject, key, attributes) = read_info(info).of(WHAT)?;
        let signature = signature.as_bytes().ok_or(Error::Structure(
            WHAT,
            "has a signature that is not whole bytes",
        ))?;
        Ok(Self(Arc::new(Inner {
            info: crate::ber::place(der, info),
            subject,
            key: PublicKey::read(&key)?,
            attributes,
            algorithm,
            signature: signature.to_vec(),
            der: der.to_vec(),
        })))
    }

    /// Reads the request in `bytes`, in DER or PEM.
    ///
    /// # Errors
    /// As [`from_der`](Self::from_der), and [`Error::Argument`] if there is none.
    pub fn read(bytes: &[u8]) -> Result<Self, Error> {
        let blocks =
            crate::pem::blocks(bytes, &["CERTIFICATE REQUEST", "NEW CERTIFICATE REQUEST"])?;
        match blocks.as_slice() {
            [der] => Self::from_der(der),
            _ => Err(Error::Argument(
                "the file has more than one certificate request",
            )),
        }
    }

    /// The request in DER, as it was read.
    pub fn as_der(&self) -> &[u8] {
        &self.0.der
    }

    /// The request in PEM.
    pub fn to_pem(&self) -> String {
        crate::pem::encode("CERTIFICATE REQUEST", &self.0.der)
    }

    /// The name that the holder of the key asks for.
    pub fn subject(&self) -> &Name {
        &self.0.subject
    }

    /// The public key.
    pub fn public_key(&self) -> &PublicKey {
        &self.0.key
    }

    /// The attributes: their types and values.
    pub fn attributes(&self) -> &[(ObjectIdentifier, Vec<Any>)] {
        &self.0.attributes
    }

    /// The extensions that the holder of the key asks for. An issuer copies those that it has
    /// checked, and no others.
    ///
    /// # Errors
    /// [`Error::Der`] if they are malformed.
    pub fn extensions(&self) -> Result<Extensions, Error> {
        let Some(value) = self.attribute(ExtensionReq::OID) else {
            return Ok(Extensions::default());
        };
        let der = value.to_der().of("extension request")?;
        let extensions = Vec::<Extension>::from_der(&der).of("extension request")?;
        Ok(extensions.into())
    }

    /// The challenge password.
    pub fn challenge_password(&self) -> Option<String> {
        crate::name::string(self.attribute(CHALLENGE_PASSWORD)?)
    }

    /// The first value of the attribute of this type.
    pub fn attribute(&self, oid: ObjectIdentifier) -> Option<&Any> {
        let found = self.0.attributes.iter().find(|(found, _)| *found == oid);
        found.and_then(|(_, values)| values.first())
    }

    /// Verifies that the holder of the private key made this request.
    ///
    /// # Errors
    /// [`Error::Signature`] if not.
    pub fn verify(&self, identities: Identities) -> Result<(), Error> {
        let inner = &*self.0;
        inner.key.verify(
            SignatureAlgorithm::read(&inner.algorithm)?,
            &inner.der[inner.info.clone()],
            &inner.signature,
            identities,
        )
    }
}

type Info = (
    Name,
    SubjectPublicKeyInfoOwned,
    Vec<(ObjectIdentifier, Vec<Any>)>,
);

/// The fields that are signed. Some programs leave the attributes out, or do not sort them.
fn read_info(der: &[u8]) -> der::Result<Info> {
    const ATTRIBUTES: Tag = Tag::ContextSpecific {
        constructed: true,
        number: TagNumber(0),
    };
    let mut reader = SliceReader::new(der)?;
    reader.sequence(|fields| {
        let version: u8 = fields.decode()?;
        if version != 0 {
            return Err(Tag::Integer.value_error().into());
        }
        let subject = fields.decode()?;
        let key = fields.decode()?;
        let mut attributes = Vec::new();
        if !fields.is_finished() {
            let all = fields.tlv_bytes()?;
            let all = der::asn1::AnyRef::from_der(all)?;
            der::Tagged::tag(&all).assert_eq(ATTRIBUTES)?;
            let mut all = SliceReader::new(all.value())?;
            while !all.is_finished() {
                attributes.push(all.sequence(|attribute| {
                    let oid = attribute.decode()?;
                    let set: Any = attribute.decode()?;
                    let mut values = Vec::new();
                    if der::Tagged::tag(&set) != Tag::Set {
                        // CFCA's attributes have their value without the SET around it.
                        values.push(set);
                        return Ok::<_, der::Error>((oid, values));
                    }
                    let mut set = SliceReader::new(set.value())?;
                    while !set.is_finished() {
                        values.push(set.decode()?);
                    }
                    Ok::<_, der::Error>((oid, values))
                })?);
            }
        }
        Ok((subject, key, attributes))
    })
}

/// A request in the making, for a key of SM2.
///
/// ```
/// use kuaimi::sm2::{PrivateKey, SigningKey};
/// use kuaimi_pki::{name, public_key::Identities, request::RequestBuilder};
///
/// let key = SigningKey::new(PrivateKey::generate()?);
/// let mut builder = RequestBuilder::new(name::parse("CN=leaf,O=Example")?, key.public_key());
/// builder.extensions().dns("leaf.example")?;
/// let request = builder.sign(&key)?;
/// assert!(request.verify(Identities::Default).is_ok());
/// assert_eq!(request.extensions()?.iter().count(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
#[must_use]
pub struct RequestBuilder {
    subject: Name,
    key: sm2::PublicKey,
    extensions: Extensions,
    /// Their types, and each in DER.
    attributes: Vec<(ObjectIdentifier, Any)>,
}

#[derive(der::Sequence)]
struct Signed {
    version: u8,
    subject: Name,
    key: SubjectPublicKeyInfoOwned,
    #[asn1(context_specific = "0", tag_mode = "IMPLICIT")]
    attributes: SetOfVec<Any>,
}

impl RequestBuilder {
    /// A request for a certificate of `key`, whose holder has the name `subject`.
    pub fn new(subject: Name, key: &sm2::PublicKey) -> Self {
        Self {
            subject,
            key: *key,
            extensions: Extensions::default(),
            attributes: Vec::new(),
        }
    }

    /// The extensions that are asked for, to add to them.
    pub fn extensions(&mut self) -> &mut Extensions {
        &mut self.extensions
    }

    /// Adds the challenge password, which some authorities want. The request shows it to everybody.
    ///
    /// # Errors
    /// [`Error::Argument`] for an empty one and for more than 255 characters.
    pub fn challenge_password(self, password: &str) -> Result<Self, Error> {
        let wrong = Error::Argument("a challenge password has 1 to 255 characters");
        if password.is_empty() || password.chars().count() > 255 {
            return Err(wrong);
        }
        // PrintableString where it can be: older authorities read no other.
        let printable = |c: u8| c.is_ascii_alphanumeric() || b" '()+,-./:=?".contains(&c);
        let tag = if password.bytes().all(printable) {
            Tag::PrintableString
        } else {
            Tag::Utf8String
        };
        let value = Any::new(tag, password.as_bytes()).map_err(|_| wrong)?;
        self.attribute(CHALLENGE_PASSWORD, value)
    }

    /// Adds an attribute with one value.
    ///
    /// # Errors
    /// [`Error::Argument`] if there is one of this type.
    pub fn attribute(self, oid: ObjectIdentifier, value: Any) -> Result<Self, Error> {
        let mut values = SetOfVec::new();
        values.insert(value).of(WHAT)?;
        let attribute = Any::encode_from(&Attribute { oid, values }).of(WHAT)?;
        self.encoded_attribute(oid, attribute)
    }

    /// Adds an attribute as it is written.
    pub(crate) fn encoded_attribute(
        mut self,
        oid: ObjectIdentifier,
        attribute: Any,
    ) -> Result<Self, Error> {
        if oid == ExtensionReq::OID || self.attributes.iter().any(|(old, _)| *old == oid) {
            return Err(Error::Argument("the request has this attribute already"));
        }
        self.attributes.push((oid, attribute));
        Ok(self)
    }

    /// What the holder of the key has to sign.
    ///
    /// # Errors
    /// [`Error::Der`] if a part is too long.
    pub fn prepare(mut self) -> Result<Unsigned<Request>, Error> {
        if !self.extensions.is_empty() {
            let extensions = ExtensionReq(self.extensions.into_vec());
            let attribute = Attribute::try_from(extensions).of(WHAT)?;
            let attribute = Any::encode_from(&attribute).of(WHAT)?;
            self.attributes.push((ExtensionReq::OID, attribute));
        }
        let attributes: Vec<Any> = self.attributes.into_iter().map(|(_, one)| one).collect();
        let info = Signed {
            version: 0,
            subject: self.subject,
            key: public_key_info(&self.key)?,
            attributes: SetOfVec::try_from(attributes).of(WHAT)?,
        };
        Ok(Unsigned::new(info.to_der().of(WHAT)?, &self.key))
    }

    /// The request, signed with its own key.
    ///
    /// # Errors
    /// [`Error::Argument`] if `signer` has another key, and the errors of `signer`.
    pub fn sign(self, signer: &(impl Signer + ?Sized)) -> Result<Request, Error> {
        if self.key != *signer.public_key() {
            return Err(Error::Argument(
                "the private key does not belong to the public key",
            ));
        }
        self.prepare()?.sign(signer)
    }
}

impl FromSigned for Request {
    fn from_signed(der: &[u8]) -> Result<Self, Error> {
        Self::from_der(der)
    }
}

impl PartialEq for Request {
    fn eq(&self, other: &Self) -> bool {
        self.0.der == other.0.der
    }
}

impl Eq for Request {}

impl fmt::Debug for Request {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Request")
            .field("subject", &format_args!("{}", self.subject()))
            .finish_non_exhaustive()
    }
}
