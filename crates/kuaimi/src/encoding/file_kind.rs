//! Things that are given in place of a key or a signature, recognised by their labels, lengths and
//! first elements, so that an error can name them.

use core::fmt;

use der::asn1::{AnyRef, ObjectIdentifier};
use der::{Reader, SliceReader, Tag, TagNumber, Tagged};

/// What a file is that is neither the key nor the signature that it was read as. `Display` says it,
/// and what to do.
///
/// ```
/// use kuaimi::encoding::{Error, FileKind, read_private_key};
///
/// let error = read_private_key(b"-----BEGIN CERTIFICATE REQUEST-----\n-----END CERTIFICATE REQUEST-----\n", None).unwrap_err();
/// assert_eq!(error, Error::Other(FileKind::CertificateRequest));
/// assert!(error.to_string().starts_with("this is a certificate request"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FileKind {
    /// A certificate request (PKCS #10).
    CertificateRequest,
    /// A certificate revocation list.
    RevocationList,
    /// A PKCS #12 file.
    Pkcs12,
    /// A key file of CFCA (`.sm2`): a certificate, and a private key under a password.
    Cfca,
    /// A signed or encrypted message (PKCS #7, CMS, GM/T 0010).
    Message,
    /// The parameters of a curve, without a key.
    CurveParameters,
    /// `ECCrefPublicKey` of GM/T 0018 (SDF), `ECCPUBLICKEYBLOB` of GM/T 0016 (SKF).
    SdfPublicKey,
    /// `ECCrefPrivateKey` of GM/T 0018, `ECCPRIVATEKEYBLOB` of GM/T 0016.
    SdfPrivateKey,
    /// `ECCSignature` of GM/T 0018, `ECCSIGNATUREBLOB` of GM/T 0016.
    SdfSignature,
    /// `ECCCipher` of GM/T 0018, `ECCCIPHERBLOB` of GM/T 0016.
    SdfCiphertext,
    /// `EnvelopedKeyBlob` of GM/T 0018, `ENVELOPEDKEYBLOB` of GM/T 0016.
    SdfEnvelopedKey,
    /// An SM9 key in PEM or in the DER of the standard alone, which does not say what it is for.
    Sm9Key,
    /// An SM2 signature in DER.
    Signature,
    /// An SM2 ciphertext in DER.
    Ciphertext,
    /// An RSA key in its own form (PKCS #1).
    RsaKey,
    /// A DSA or Diffie-Hellman key or its parameters.
    DsaKey,
    /// A key of OpenSSH.
    OpensshKey,
    /// A key or message of OpenPGP.
    Openpgp,
    /// A key as JSON (JWK, RFC 7517).
    Jwk,
    /// A key store of Java (JKS, JCEKS).
    JavaKeyStore,
}

impl fmt::Display for FileKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::CertificateRequest => {
                "a certificate request: `openssl req -in FILE -pubkey -noout` takes its public key out"
            }
            Self::RevocationList => "a certificate revocation list, which has no key",
            Self::Pkcs12 => {
                "a PKCS #12 file: `kuaimi p12 extract` or `openssl pkcs12 -in FILE -nodes` takes its keys and certificates out"
            }
            Self::Cfca => {
                "a key file of CFCA (.sm2): `kuaimi p12 extract` takes its key and its certificate out"
            }
            Self::Message => "a signed or encrypted message (PKCS #7, CMS), not a key",
            Self::CurveParameters => "the parameters of a curve, without a key: give the file of the key",
            Self::SdfPublicKey => {
                "an ECCrefPublicKey of a cryptographic device (SDF, SKF): x is its bytes 36 to 67 and y its bytes 100 to 131; give these 64 bytes"
            }
            Self::SdfPrivateKey => {
                "an ECCrefPrivateKey of a cryptographic device (SDF, SKF): the key is its bytes 36 to 67; give these 32 bytes"
            }
            Self::SdfSignature => {
                "an ECCSignature of a cryptographic device (SDF, SKF): r is its bytes 32 to 63 and s its bytes 96 to 127; give these 64 bytes"
            }
            Self::SdfCiphertext => {
                "an ECCCipher of a cryptographic device (SDF, SKF): x is its bytes 32 to 63, y its bytes 96 to 127, C3 its bytes 128 to 159, and C2 is all from byte 164 on; give 04, x, y, C3, C2"
            }
            Self::SdfEnvelopedKey => {
                "an EnvelopedKeyBlob of a cryptographic device (SDF, SKF), which only the device of its receiver opens"
            }
            Self::Sm9Key => "an SM9 key, not one for SM2",
            Self::Signature => "an SM2 signature, not a key",
            Self::Ciphertext => "an SM2 ciphertext, not a key",
            Self::RsaKey => "an RSA key, not one for SM2",
            Self::DsaKey => "a DSA or Diffie-Hellman key, not one for SM2",
            Self::OpensshKey => "a key of OpenSSH, not one for SM2",
            Self::Openpgp => "a key or message of OpenPGP, not a key for SM2",
            Self::Jwk => "a key as JSON (JWK): give x and y in hexadecimal, or the private key d",
            Self::JavaKeyStore => {
                "a key store of Java (JKS): `keytool -importkeystore -deststoretype pkcs12` makes a PKCS #12 file of it"
            }
        })
    }
}

/// The first OID in the messages of GM/T 0010, whose last number says which message it is.
const GM_MESSAGE: &str = "1.2.156.10197.6.1.4.2";
const PKCS7_MESSAGE: &str = "1.2.840.113549.1.7";

impl FileKind {
    /// From the label of a PEM block.
    pub(super) fn of_label(label: &str) -> Option<Self> {
        Some(match label {
            "CERTIFICATE REQUEST" | "NEW CERTIFICATE REQUEST" => Self::CertificateRequest,
            "X509 CRL" => Self::RevocationList,
            "PKCS7" | "PKCS #7 SIGNED DATA" | "CMS" => Self::Message,
            "PKCS12" => Self::Pkcs12,
            "EC PARAMETERS" | "SM2 PARAMETERS" => Self::CurveParameters,
            "RSA PRIVATE KEY" | "RSA PUBLIC KEY" => Self::RsaKey,
            "DSA PRIVATE KEY" | "DSA PARAMETERS" | "DH PARAMETERS" => Self::DsaKey,
            "OPENSSH PRIVATE KEY" | "SSH2 PUBLIC KEY" => Self::OpensshKey,
            label if label.starts_with("PGP ") => Self::Openpgp,
            label if label.contains("SM9 ") => Self::Sm9Key,
            _ => return None,
        })
    }

    /// From bytes that are not PEM.
    pub(super) fn of_bytes(bytes: &[u8]) -> Option<Self> {
        match bytes {
            [0xfe, 0xed, 0xfe, 0xed, ..] | [0xce, 0xce, 0xce, 0xce, ..] => {
                return Some(Self::JavaKeyStore);
            }
            [b's', b's', b'h', b'-', ..] => return Some(Self::OpensshKey),
            _ if bytes.starts_with(b"ecdsa-sha2-") => return Some(Self::OpensshKey),
            _ if is_jwk(bytes) => return Some(Self::Jwk),
            _ => {}
        }
        Self::of_device(bytes).or_else(|| Self::of_der(bytes))
    }

    /// From the structures of cryptographic devices: numbers of 512 bits, so that 32 bytes before
    /// each number of SM2 are zero.
    pub(super) fn of_device(bytes: &[u8]) -> Option<Self> {
        let zeros = |from: usize| {
            bytes
                .get(from..from + 32)
                .is_some_and(|bytes| bytes.iter().all(|&byte| byte == 0))
        };
        let word = |from: usize| {
            let word: Option<[u8; 4]> = bytes.get(from..from + 4)?.try_into().ok();
            word.map(|word| [u32::from_le_bytes(word), u32::from_be_bytes(word)])
        };
        // Devices write words in the byte order of the machine.
        let is_word = |from: usize, value: usize| {
            word(from).is_some_and(|read| read.contains(&(value as u32)))
        };
        let is_point = |from: usize| zeros(from) && zeros(from + 64);
        match bytes.len() {
            68 if is_word(0, 256) && zeros(4) => Some(Self::SdfPrivateKey),
            132 if is_word(0, 256) && is_point(4) => Some(Self::SdfPublicKey),
            128 if is_point(0) => Some(Self::SdfSignature),
            length @ 165.. if is_point(0) && is_word(160, length - 164) => {
                Some(Self::SdfCiphertext)
            }
            // Version, cipher, number of bits, private key, public key, and the ciphertext of the
            // cipher's key. In SKF's order the encrypted private key is last but one as well.
            208.. if is_word(0, 1) && is_word(8, 256) && is_word(76, 256) && is_point(80) => {
                Some(Self::SdfEnvelopedKey)
            }
            _ => None,
        }
    }

    /// From DER, by the types of its first elements.
    pub(super) fn of_der(bytes: &[u8]) -> Option<Self> {
        let outer = Elements::of_sequence(bytes)?;
        match outer.tags() {
            [Tag::Integer, Tag::Sequence, ..] => match outer.get(1)?.first_oid() {
                Some(oid) if is_under(oid, GM_MESSAGE) => Some(Self::Cfca),
                Some(oid) if is_under(oid, PKCS7_MESSAGE) => Some(Self::Pkcs12),
                _ => None,
            },
            [Tag::ObjectIdentifier, CONTEXT_0, ..] => outer
                .first_oid()
                .is_some_and(|oid| is_under(oid, GM_MESSAGE) || is_under(oid, PKCS7_MESSAGE))
                .then_some(Self::Message),
            [Tag::Sequence, Tag::Sequence, Tag::BitString, Tag::Null] => {
                let signed = outer.get(0)?;
                let is_time = |tag: &Tag| matches!(tag, Tag::UtcTime | Tag::GeneralizedTime);
                if signed.tags()[2..].iter().any(is_time) {
                    return Some(Self::RevocationList);
                }
                // A request has the key third, a certificate the issuer.
                let key = signed.get(2)?;
                (key.tags()[..2] == [Tag::Sequence, Tag::BitString])
                    .then_some(Self::CertificateRequest)
            }
            // An RSA key of this length is not in use.
            [Tag::Integer, Tag::Integer, Tag::Null, _] if bytes.len() > 80 => Some(Self::RsaKey),
            [Tag::Integer, Tag::Integer, Tag::Null, _] => Some(Self::Signature),
            [Tag::Integer, Tag::Integer, Tag::Integer, Tag::Integer] => Some(Self::RsaKey),
            [
                Tag::Integer,
                Tag::Integer,
                Tag::OctetString,
                Tag::OctetString,
            ] => Some(Self::Ciphertext),
            [Tag::Integer | Tag::BitString, Tag::BitString, Tag::Null, _]
            | [Tag::BitString, Tag::Null, ..] => Some(Self::Sm9Key),
            _ => None,
        }
    }
}

const CONTEXT_0: Tag = Tag::ContextSpecific {
    constructed: true,
    number: TagNumber(0),
};

fn is_under(oid: ObjectIdentifier, parent: &str) -> bool {
    oid.parent() == Some(ObjectIdentifier::new_unwrap(parent))
}

fn is_jwk(bytes: &[u8]) -> bool {
    let text = bytes.trim_ascii();
    text.starts_with(b"{") && text.windows(5).take(4096).any(|key| key == b"\"kty\"")
}

/// The first four elements of a SEQUENCE.
pub(super) struct Elements<'a> {
    elements: [Option<AnyRef<'a>>; 4],
    tags: [Tag; 4],
}

impl<'a> Elements<'a> {
    /// Of the SEQUENCE at the beginning of `bytes`; bytes after it are not looked at.
    pub(super) fn of_sequence(bytes: &'a [u8]) -> Option<Self> {
        let sequence: AnyRef<'a> = SliceReader::new(bytes).ok()?.decode().ok()?;
        Self::within(sequence)
    }

    fn within(sequence: AnyRef<'a>) -> Option<Self> {
        if sequence.tag() != Tag::Sequence {
            return None;
        }
        let mut elements = [None; 4];
        let mut tags = [Tag::Null; 4];
        let mut fields = SliceReader::new(sequence.value()).ok()?;
        for (element, tag) in elements.iter_mut().zip(&mut tags) {
            if fields.is_finished() {
                break;
            }
            let found: AnyRef<'a> = fields.decode().ok()?;
            *tag = found.tag();
            *element = Some(found);
        }
        Some(Self { elements, tags })
    }

    /// The types; NULL for those that are not there.
    pub(super) fn tags(&self) -> [Tag; 4] {
        self.tags
    }

    fn get(&self, index: usize) -> Option<Self> {
        Self::within((*self.elements.get(index)?)?)
    }

    fn first_oid(&self) -> Option<ObjectIdentifier> {
        self.elements[0]?.decode_as().ok()
    }
}
