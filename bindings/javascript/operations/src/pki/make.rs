//! Certificates, requests and lists, made in two steps: what is signed, and then the signature.

use alloc::vec::Vec;
use core::net::IpAddr;

use kuaimi_pki::certificate::{CertificateBuilder, Validity};
use kuaimi_pki::crl::{Crl, CrlBuilder, CrlReason};
use kuaimi_pki::extensions::{Extensions, Purpose};
use kuaimi_pki::external::der::asn1::ObjectIdentifier;
use kuaimi_pki::external::der::flagset::FlagSet;
use kuaimi_pki::external::x509_cert::ext::pkix::name::GeneralName;
use kuaimi_pki::external::x509_cert::ext::pkix::{ExtendedKeyUsage, KeyUsage, KeyUsages};
use kuaimi_pki::external::x509_cert::name::Name;
use kuaimi_pki::request::RequestBuilder;
use kuaimi_pki::{Certificate, Request, name, unsigned};
use zeroize::Zeroizing;

use super::frame::{self, byte, flag, number, text};
use super::{oid, point, signature, time};
use crate::Result;
use crate::object::{Handle, Object};
use crate::random::Random;

/// What waits for its signature.
#[derive(Clone)]
#[allow(missing_docs, reason = "the types say it")]
pub enum Unsigned {
    Certificate(unsigned::Unsigned<Certificate>),
    Request(unsigned::Unsigned<Request>),
    Crl(unsigned::Unsigned<Crl>),
}

/// The options, by the numbers that `src/pki/make.js` has for them.
#[derive(Default)]
struct Fields {
    subject: Name,
    serial: Option<Vec<u8>>,
    not_before: Option<Vec<u8>>,
    not_after: Option<Vec<u8>>,
    extensions: Extensions,
    challenge_password: Option<Vec<u8>>,
    temporary_key: Option<Vec<u8>>,
}

impl Fields {
    fn read(bytes: &[u8]) -> Result<Self> {
        let mut fields = Self::default();
        let mut usages: Vec<ObjectIdentifier> = Vec::new();
        for (option, value) in frame::options(bytes)? {
            let extensions = &mut fields.extensions;
            match option {
                1 => fields.subject = name::parse(text(value)?)?,
                2 => fields.serial = Some(value.to_vec()),
                3 => fields.not_before = Some(value.to_vec()),
                4 => fields.not_after = Some(value.to_vec()),
                5 => _ = extensions.purpose(purpose(value)?)?,
                6 => alternative_name(extensions, value)?,
                7 => _ = extensions.crl_at(text(value)?)?,
                8 => _ = extensions.ocsp_at(text(value)?)?,
                9 => _ = extensions.issuer_at(text(value)?)?,
                10 => _ = extensions.set(true, &KeyUsage(key_usages(value)?))?,
                11 => usages.push(oid(value)?),
                12 => {
                    let [id, critical, der] = frame::exactly(value)?;
                    extensions.set_der(oid(id)?, flag(critical)?, der)?;
                }
                13 => fields.challenge_password = Some(value.to_vec()),
                14 => fields.temporary_key = Some(value.to_vec()),
                _ => return Err(frame::unknown()),
            }
        }
        if !usages.is_empty() {
            fields.extensions.set(false, &ExtendedKeyUsage(usages))?;
        }
        Ok(fields)
    }

    fn validity(&self) -> Result<Validity> {
        let (Some(not_before), Some(not_after)) = (&self.not_before, &self.not_after) else {
            return Err(argument!("a certificate has a first and a last day"));
        };
        Ok(Validity {
            not_before: time(not_before)?,
            not_after: time(not_after)?,
        })
    }
}

fn purpose(value: &[u8]) -> Result<Purpose> {
    Ok(match value {
        [0] => Purpose::Authority { path_len: None },
        [0, most] => Purpose::Authority {
            path_len: Some(*most),
        },
        [1] => Purpose::General,
        [2] => Purpose::Server,
        [3] => Purpose::Client,
        [4] => Purpose::Signing,
        [5] => Purpose::Encryption,
        [6] => Purpose::OcspResponder,
        _ => return Err(argument!("there is no such purpose")),
    })
}

fn key_usages(value: &[u8]) -> Result<FlagSet<KeyUsages>> {
    let bits = value.try_into().map(u16::from_le_bytes).ok();
    bits.and_then(|bits| FlagSet::new(bits).ok())
        .ok_or_else(|| argument!("there is no such key usage"))
}

fn alternative_name(extensions: &mut Extensions, value: &[u8]) -> Result<()> {
    let (kind, value) = value
        .split_first()
        .ok_or_else(|| argument!("a name has a type"))?;
    let value = text(value)?;
    match kind {
        0 => extensions.dns(value)?,
        1 => extensions.email(value)?,
        2 => extensions.uri(value)?,
        3 => {
            let address: IpAddr = value
                .parse()
                .map_err(|_| argument!("this is no address of IP"))?;
            extensions.ip(address)?
        }
        4 => extensions.alternative_name(GeneralName::DirectoryName(name::parse(value)?))?,
        5 => extensions.alternative_name(GeneralName::RegisteredId(oid(value.as_bytes())?))?,
        _ => return Err(argument!("a name of this type cannot be written")),
    };
    Ok(())
}

/// What is signed of a certificate for a point; without an issuer, its own key signs it.
pub fn pki_certificate_prepare(fields: &[u8], key: &[u8], issuer: Option<&[u8]>) -> Result<Object> {
    let fields = Fields::read(fields)?;
    if fields.challenge_password.is_some() || fields.temporary_key.is_some() {
        return Err(frame::unknown());
    }
    let validity = fields.validity()?;
    let mut builder = CertificateBuilder::new(fields.subject, &point(key)?, validity);
    builder = match &fields.serial {
        Some(serial) => builder.serial(serial)?,
        None => builder.random_serial(&mut Random)?,
    };
    *builder.extensions() = fields.extensions;
    let unsigned = match issuer {
        Some(issuer) => builder.prepare(&Certificate::from_der(issuer)?)?,
        None => builder.prepare_self_signed()?,
    };
    Ok(Unsigned::Certificate(unsigned).into())
}

/// What the holder of a point's key signs of a request.
pub fn pki_request_prepare(fields: &[u8], key: &[u8]) -> Result<Object> {
    let fields = Fields::read(fields)?;
    if fields.serial.is_some() || fields.not_before.is_some() || fields.not_after.is_some() {
        return Err(frame::unknown());
    }
    let mut builder = RequestBuilder::new(fields.subject, &point(key)?);
    let password = fields.challenge_password.as_deref().map(text).transpose()?;
    builder = match (&fields.temporary_key, password) {
        (Some(temporary), password) => {
            builder.cfca_temporary_key(&point(temporary)?, password.unwrap_or_default())?
        }
        (None, Some(password)) => builder.challenge_password(password)?,
        (None, None) => builder,
    };
    *builder.extensions() = fields.extensions;
    Ok(Unsigned::Request(builder.prepare()?).into())
}

/// What an authority signs of a list of revoked certificates.
pub fn pki_crl_prepare(fields: &[u8], issuer: &[u8]) -> Result<Object> {
    let issuer = Certificate::from_der(issuer)?;
    let (mut this_update, mut next_update) = (0, 0);
    let (mut list_number, mut base, mut revoked) = (None, None, Vec::new());
    for (option, value) in frame::options(fields)? {
        match option {
            1 => this_update = number(value)?,
            2 => next_update = number(value)?,
            3 => list_number = Some(number(value)?),
            4 => base = Some(number(value)?),
            5 => revoked.push(frame::exactly::<4>(value)?),
            _ => return Err(frame::unknown()),
        }
    }
    let mut builder = CrlBuilder::new(&issuer, this_update, next_update)?;
    if let Some(number) = list_number {
        builder = builder.number(number);
    }
    if let Some(base) = base {
        builder = builder.delta_of(base);
    }
    let maybe = |bytes: &[u8]| match bytes {
        [] => Ok(None),
        bytes => number(bytes).map(Some),
    };
    for [serial, date, reason, invalidity] in revoked {
        let reason = reason_of(byte(reason)?)?;
        builder = builder.revoke_with(serial, number(date)?, Some(reason), maybe(invalidity)?)?;
    }
    Ok(Unsigned::Crl(builder.prepare()?).into())
}

fn reason_of(number: u8) -> Result<CrlReason> {
    use CrlReason::{
        AaCompromise, AffiliationChanged, CaCompromise, CertificateHold, CessationOfOperation,
        KeyCompromise, PrivilegeWithdrawn, RemoveFromCRL, Superseded, Unspecified,
    };
    let all = [
        Unspecified,
        KeyCompromise,
        CaCompromise,
        AffiliationChanged,
        Superseded,
        CessationOfOperation,
        CertificateHold,
        RemoveFromCRL,
        PrivilegeWithdrawn,
        AaCompromise,
    ];
    all.into_iter()
        .find(|reason| *reason as u8 == number)
        .ok_or_else(|| argument!("there is no such reason"))
}

/// The digest that is signed, `SM3(Z ‖ M)`; the point of the key that signs it; and `M`.
pub fn pki_unsigned(unsigned: &Handle) -> Result<Zeroizing<Vec<u8>>> {
    let (digest, key, tbs) = match &unsigned.unsigned()? {
        Unsigned::Certificate(one) => (one.digest(), *one.public_key(), one.tbs().to_vec()),
        Unsigned::Request(one) => (one.digest(), *one.public_key(), one.tbs().to_vec()),
        Unsigned::Crl(one) => (one.digest(), *one.public_key(), one.tbs().to_vec()),
    };
    frame::list(&[&digest, &key.to_sec1_bytes(), &tbs])
}

/// The DER with a signature, which is verified.
pub fn pki_unsigned_finish(unsigned: &Handle, bytes: &[u8]) -> Result<Vec<u8>> {
    let signature = signature(bytes)?;
    Ok(match unsigned.unsigned()? {
        Unsigned::Certificate(one) => one.finish(&signature)?.as_der().to_vec(),
        Unsigned::Request(one) => one.finish(&signature)?.as_der().to_vec(),
        Unsigned::Crl(one) => one.finish(&signature)?.as_der().to_vec(),
    })
}
