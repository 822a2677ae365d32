//! RecipientInfo (GM/T 0010-2012, clause 8; RFC 5652, clause 6.2.1): the content's key, encrypted
//! for one recipient.

use alloc::vec::Vec;

use kuaimi::Threads;
use kuaimi::sm2::batch::{EncryptItem, encrypt_batch_with_rng};
use kuaimi::sm2::{Ciphertext, PrivateKey};
use rand_core::TryCryptoRng;
use zeroize::Zeroizing;

use super::super::WHAT;
use super::super::container::{Container, Part};
use super::super::sign::algorithm;
use super::super::signer_info::{CertificateId, elements_of_set};
use super::super::types::Dialect;
use super::EncryptOptions;
use crate::ber::{Elements, OCTET_STRING, SEQUENCE, SET, element, integer, set_of, to_der};
use crate::{Certificate, Error, oid};

/// The most recipients that a message may have.
pub(crate) const MAX_RECIPIENTS: usize = 10_000;
/// Encrypted keys that are tried.
const MAX_TRIED: usize = 8;
/// SM4's.
pub(crate) const KEY_LEN: usize = 16;

/// A holder of an SM2 private key, which decrypts a message's key: a [`PrivateKey`], or a program's
/// own type for a key in a hardware module.
pub trait KeyHolder {
    /// Decrypts `encrypted`: DER (`SM2Cipher` of GM/T 0009), or what else senders write.
    ///
    /// # Errors
    /// [`Error::Decryption`], whatever the reason; or what keeps the holder from trying.
    fn decrypt_key(&self, encrypted: &[u8]) -> Result<Zeroizing<Vec<u8>>, Error>;
}

/// Tries DER first, also with padded integers; then `C1C3C2` and `C1C2C3`, each with the leading
/// `04`; then both without it, of which CFCA's SADK before 3.2 writes the last.
impl KeyHolder for PrivateKey {
    fn decrypt_key(&self, encrypted: &[u8]) -> Result<Zeroizing<Vec<u8>>, Error> {
        if let Ok(ciphertext) = Ciphertext::from_der_lenient(encrypted)
            && let Ok(key) = self.decrypt(&ciphertext)
        {
            return Ok(key);
        }
        let (key, _) = self
            .decrypt_bytes(encrypted)
            .map_err(|_| Error::Decryption)?;
        Ok(key)
    }
}

/// The recipients in `recipientInfos`, which hold SM2 keys.
pub(crate) fn read(ber: &[u8]) -> Result<Vec<(CertificateId, Vec<u8>)>, Error> {
    const WHAT: &str = "recipients of a message";
    let mut all = Vec::new();
    for info in elements_of_set(WHAT, &to_der(ber, WHAT)?, MAX_RECIPIENTS)? {
        if info.first() != Some(&SEQUENCE) {
            // Key agreement, a key-encryption key, a password: not ours.
            continue;
        }
        let mut elements = Elements::inside(&info, SEQUENCE, "recipient")?;
        let _version = elements.version()?;
        let id = CertificateId::read(&mut elements)?;
        let id = id.ok_or(Error::Structure("recipient", "names no certificate"))?;
        let (algorithm, _) = elements.algorithm()?;
        let key = elements.octets()?.to_vec();
        elements.end()?;
        // GmSSL writes the key exchange, and others the curve.
        if [oid::SM2_ENCRYPT, oid::SM2_EXCHANGE, oid::SM2].contains(&algorithm) {
            all.push((id, key));
        }
    }
    Ok(all)
}

/// The recipients of a message of any size, of which `beginning` is the beginning (in BER, DER or
/// PEM): those with SM2 keys.
///
/// ```
/// # #[cfg(feature = "std")] {
/// use kuaimi_pki::message::{CertificateId, EncryptOptions, encrypt, recipients};
/// # let (certificate, _) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/message/identity.rs"));
///
/// let message = encrypt(b"a content", &[&certificate], &EncryptOptions::new(), &mut getrandom::SysRng)?;
/// assert_eq!(recipients(&message)?, [CertificateId::issuer_of(&certificate)]);
/// # }
/// # Ok::<(), kuaimi_pki::Error>(())
/// ```
///
/// # Errors
/// As [`Decryptor::push`](super::Decryptor::push); [`Error::Structure`] if the recipients are not
/// in `beginning`.
pub fn recipients(beginning: &[u8]) -> Result<Vec<CertificateId>, Error> {
    let beginning = super::super::text::to_ber(beginning)?;
    let mut container = Container::new();
    let mut rest = &*beginning;
    loop {
        let (count, part) = container.next(rest)?;
        rest = rest.get(count..).unwrap_or_default();
        match part {
            Some(Part::Field { tag, ber, .. }) if tag == SET => {
                return Ok(read(&ber)?.into_iter().map(|(id, _)| id).collect());
            }
            Some(Part::Kind(kind, oid)) if !super::decryptor::has_recipients(kind) => {
                return Err(Error::Algorithm("an encrypted message", oid));
            }
            None | Some(Part::End) => {
                return Err(Error::Structure(WHAT, "has no recipients up to here"));
            }
            Some(_) => {}
        }
    }
}

/// The content's key, from the recipients that are one of `holders`.
pub(crate) fn find_key(
    recipients: &[(CertificateId, Vec<u8>)],
    holders: &[(Option<&Certificate>, &dyn KeyHolder)],
) -> Result<Zeroizing<[u8; KEY_LEN]>, Error> {
    let mut found = false;
    let mut tried = 0;
    for (id, encrypted) in recipients {
        for (certificate, holder) in holders {
            if certificate.is_some_and(|certificate| !id.names(certificate)) {
                continue;
            }
            found = true;
            tried += 1;
            if tried > MAX_TRIED {
                return Err(Error::Decryption);
            }
            match holder.decrypt_key(encrypted) {
                Ok(key) => {
                    if let Ok(key) = <[u8; KEY_LEN]>::try_from(key.as_slice()) {
                        return Ok(Zeroizing::new(key));
                    }
                }
                Err(Error::Decryption) => {}
                Err(other) => return Err(other),
            }
        }
    }
    Err(match found {
        true => Error::Decryption,
        false => Error::NotARecipient,
    })
}

/// `recipientInfos` for `key`.
pub(crate) fn write<R: TryCryptoRng + ?Sized>(
    recipients: &[&Certificate],
    key: &[u8; KEY_LEN],
    options: EncryptOptions,
    rng: &mut R,
) -> Result<Vec<u8>, Error> {
    if recipients.is_empty() {
        return Err(Error::Argument("an encrypted message needs a recipient"));
    }
    if recipients.len() > MAX_RECIPIENTS {
        return Err(Error::Limit("more than 10,000 recipients of a message"));
    }
    let mut public = Vec::with_capacity(recipients.len());
    for certificate in recipients {
        public.push(certificate.public_key().sm2()?.public_key());
    }
    let items: Vec<_> = public.iter().map(|it| EncryptItem::new(*it, key)).collect();
    let encrypted = encrypt_batch_with_rng(rng, &items, Threads::One);
    let key_oid = match options.dialect {
        Dialect::GmSsl => oid::SM2_EXCHANGE,
        Dialect::Gm | Dialect::Cms => oid::SM2_ENCRYPT,
    };
    let mut infos = Vec::with_capacity(recipients.len());
    for (certificate, encrypted) in recipients.iter().zip(encrypted) {
        let (version, id) = match (options.by_key, options.dialect) {
            (true, _) => (2, CertificateId::key_of(certificate)?),
            (false, Dialect::Gm | Dialect::GmSsl) => (1, CertificateId::issuer_of(certificate)),
            (false, Dialect::Cms) => (0, CertificateId::issuer_of(certificate)),
        };
        infos.push(element(
            SEQUENCE,
            &[
                &integer(version),
                &id.to_der(),
                &algorithm(options.dialect, key_oid),
                &element(OCTET_STRING, &[&encrypted?.to_der()]),
            ],
        ));
    }
    Ok(set_of(infos))
}
