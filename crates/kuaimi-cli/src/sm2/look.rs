//! What a file holds, detected: a key, a signature or a ciphertext, in whatever form and encoding.

use kuaimi::encoding::{
    self, FileKind, PrivateKeyForm, PublicKeyForm, SignatureForm, TextEncoding,
};
use kuaimi::sm2::{Ciphertext, CiphertextForm, PrivateKey, PublicKey, Signature};
use zeroize::Zeroizing;

use super::keys;
use crate::failure::{Failure, Result};
use crate::key_file::malformed;
use crate::password::PasswordArgs;
use crate::text::{self, Encoding};

/// What was found.
pub enum Found {
    Private(PrivateKey, PrivateKeyForm),
    Public(PublicKey, PublicKeyForm),
    /// An enveloped key, which only its recipient can open: its DER.
    Enveloped(Zeroizing<Vec<u8>>),
    Signature(FoundSignature),
    Ciphertext(FoundCiphertext),
}

/// A signature and how it was written.
pub struct FoundSignature {
    pub signature: Signature,
    pub form: SignatureForm,
    pub encoding: Encoding,
    /// The DER was not strict.
    pub lenient: bool,
}

impl FoundSignature {
    pub fn description(&self) -> String {
        let lenient = if self.lenient { " (not strict)" } else { "" };
        format!("{}{lenient}, {}", self.form, self.encoding.name())
    }
}

/// A ciphertext and how it was written.
pub struct FoundCiphertext {
    /// The forms that it can have, the likeliest first. Never empty.
    pub forms: Vec<CiphertextForm>,
    /// What the encoding stood for.
    pub bytes: Zeroizing<Vec<u8>>,
    pub encoding: Encoding,
    /// The DER was not strict.
    pub lenient: bool,
}

impl FoundCiphertext {
    pub fn description(&self) -> String {
        let lenient = if self.lenient { " (not strict)" } else { "" };
        format!("{}{lenient}, {}", names(&self.forms), self.encoding.name())
    }

    /// The ciphertext, read in the form `form`.
    pub fn read(&self, form: CiphertextForm) -> Result<Ciphertext, encoding::Error> {
        if self.lenient && form == CiphertextForm::Der {
            Ciphertext::from_der_lenient(&self.bytes)
        } else {
            Ciphertext::from_bytes(form, &self.bytes)
        }
    }
}

/// "c1c3c2 or c1c2c3".
pub fn names(forms: &[CiphertextForm]) -> String {
    let names: Vec<_> = forms.iter().map(|form| form.name()).collect();
    names.join(" or ")
}

/// A signature in `content`; of this form, where one is insisted on.
pub fn signature(
    content: &[u8],
    form: Option<SignatureForm>,
    lenient: bool,
) -> Result<FoundSignature, encoding::Error> {
    let (encoding, bytes) = text::decode(content)?;
    let strict = match form {
        None => Signature::from_any_form(&bytes),
        Some(form) => Signature::from_form(form, &bytes).map(|signature| (signature, form)),
    };
    match strict {
        Ok((signature, form)) => Ok(FoundSignature {
            signature,
            form,
            encoding,
            lenient: false,
        }),
        Err(_) if lenient && form != Some(SignatureForm::Raw) => Ok(FoundSignature {
            signature: Signature::from_der_lenient(&bytes)?,
            form: SignatureForm::Der,
            encoding,
            lenient: true,
        }),
        Err(error) => Err(error),
    }
}

/// A ciphertext in `content`; of this form, where one is insisted on.
pub fn ciphertext(
    content: &[u8],
    form: Option<CiphertextForm>,
    lenient: bool,
) -> Result<FoundCiphertext, encoding::Error> {
    let (encoding, bytes) = text::decode(content)?;
    let (forms, lenient) = ciphertext_in_binary(&bytes, form, lenient)?;
    Ok(FoundCiphertext {
        forms,
        bytes,
        encoding,
        lenient,
    })
}

/// The forms that a ciphertext can have, and whether it is DER that is not strict.
pub fn ciphertext_in_binary(
    bytes: &[u8],
    form: Option<CiphertextForm>,
    lenient: bool,
) -> Result<(Vec<CiphertextForm>, bool), encoding::Error> {
    let forms = match form {
        Some(form) => match Ciphertext::from_bytes(form, bytes) {
            Ok(_) => vec![form],
            Err(_) if lenient && form == CiphertextForm::Der => Vec::new(),
            Err(error) => return Err(error),
        },
        None => CiphertextForm::detect(bytes),
    };
    if !forms.is_empty() {
        return Ok((forms, false));
    }
    if lenient {
        Ciphertext::from_der_lenient(bytes)?;
    } else {
        // What is wrong with it, as DER or as the standard's form.
        match bytes.first() {
            Some(0x30) => Ciphertext::from_der(bytes)?,
            _ => Ciphertext::from_bytes(CiphertextForm::C1C3C2, bytes)?,
        };
    }
    Ok((vec![CiphertextForm::Der], true))
}

/// Whatever is in `content`, the content of the file `name`.
pub fn anything(
    content: &[u8],
    name: &str,
    lenient: bool,
    password: &PasswordArgs,
) -> Result<Found> {
    // A key that is one, but damaged, is the better guess only where nothing else fits.
    let mut damaged_key = None;
    match keys::private_in(content, name, password)? {
        Ok((key, form)) => return Ok(Found::Private(key, form)),
        Err(encoding::Error::UnexpectedEnvelopedKey) => {
            let encoding = TextEncoding::detect(content);
            return encoding
                .decode(content)
                .map(Found::Enveloped)
                .map_err(|error| malformed(name, &error));
        }
        Err(
            encoding::Error::UnexpectedPublicKey
            | encoding::Error::NotAKey
            | encoding::Error::Other(FileKind::Signature | FileKind::Ciphertext),
        ) => {}
        Err(error) => damaged_key = Some(error),
    }
    match encoding::read_public_key(content) {
        Ok((key, form)) => return Ok(Found::Public(key, form)),
        Err(
            encoding::Error::UnexpectedPrivateKey
            | encoding::Error::NotAKey
            | encoding::Error::Other(FileKind::Signature | FileKind::Ciphertext),
        ) => {}
        Err(encoding::Error::Other(FileKind::CertificateRequest)) => {
            if let Ok(request) = kuaimi_pki::Request::read(content)
                && let Ok(key) = request.public_key().sm2()
            {
                // The form that it has inside.
                let inside = keys::public_document(key.public_key())?;
                let (key, form) = encoding::read_public_key(&inside.der)
                    .map_err(|error| malformed(name, &error))?;
                return Ok(Found::Public(key, form));
            }
            damaged_key =
                damaged_key.or(Some(encoding::Error::Other(FileKind::CertificateRequest)));
        }
        Err(error) => damaged_key = damaged_key.or(Some(error)),
    }
    if TextEncoding::detect(content) == TextEncoding::Pem {
        return Err(malformed(
            name,
            &damaged_key.unwrap_or(encoding::Error::NotAKey),
        ));
    }
    let as_signature = match signature(content, None, lenient) {
        Ok(found) => return Ok(Found::Signature(found)),
        Err(error) => error,
    };
    let as_ciphertext = match ciphertext(content, None, lenient) {
        Ok(found) => return Ok(Found::Ciphertext(found)),
        Err(error) => error,
    };
    let (_, bytes) = text::decode(content).map_err(|error| malformed(name, &error))?;
    Err(match (damaged_key, bytes.as_slice()) {
        (Some(error), _) => malformed(name, &error),
        (None, []) => Failure::file(name, "is empty; check how it was made"),
        // DER: the lengths tell a signature from a ciphertext.
        (None, [0x30, ..]) => {
            let (kind, error) = match bytes.len() {
                ..=90 => ("signature", as_signature),
                _ => ("ciphertext", as_ciphertext),
            };
            Failure::file(name, format_args!("as a {kind}: {error}{}", hint(&error)))
        }
        (None, bytes) => Failure::file(
            name,
            format_args!(
                "{} bytes that are not an SM2 key, signature or ciphertext; check that it is complete, and not encrypted or compressed by another program",
                bytes.len()
            ),
        ),
    })
}

/// What helps against an encoding that is not strict.
pub fn hint(error: &encoding::Error) -> &'static str {
    match error {
        encoding::Error::TrailingBytes
        | encoding::Error::NonMinimalLength
        | encoding::Error::NonMinimalInteger
        | encoding::Error::NegativeInteger => " (--lenient)",
        _ => "",
    }
}
