//! Lists of revoked certificates, read.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use kuaimi_pki::Certificate;
use kuaimi_pki::crl::{Crl, Entry};
use serde::Serialize;
use zeroize::Zeroizing;

use super::facts::{hex, serial, signature_algorithm};
use super::{frame, identities, json, verdict};
use crate::Result;
use crate::object::{Handle, Object};

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct CrlFacts {
    issuer: String,
    this_update: u64,
    next_update: Option<u64>,
    number: Option<String>,
    base_number: Option<String>,
    size: usize,
    signature_algorithm: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct EntryFacts {
    serial_number: String,
    date: u64,
    reason: Option<u8>,
    invalidity_date: Option<u64>,
}

fn entry(entry: Entry<'_>) -> EntryFacts {
    EntryFacts {
        serial_number: serial(entry.serial()),
        date: entry.date(),
        reason: entry.reason().map(|reason| reason as u8),
        invalidity_date: entry.invalidity_date(),
    }
}

/// The lists in any form that files have.
pub fn pki_crls_read(data: &[u8]) -> Result<Zeroizing<Vec<u8>>> {
    let all = Crl::read_all(data)?;
    let all: Vec<&[u8]> = all.iter().map(Crl::as_der).collect();
    frame::list(&all)
}

/// A list in DER, as an object: it may be long.
pub fn pki_crl_new(list: &[u8]) -> Result<Object> {
    Ok(Crl::from_der(list)?.into())
}

/// The DER of a list.
pub fn pki_crl_der(list: &Handle) -> Result<Vec<u8>> {
    Ok(list.crl()?.as_der().to_vec())
}

/// What a list says, without the certificates.
pub fn pki_crl_facts(list: &Handle) -> Result<Vec<u8>> {
    let list = list.crl()?;
    json(&CrlFacts {
        issuer: list.issuer().to_string(),
        this_update: list.this_update(),
        next_update: list.next_update(),
        number: list.number().map(hex),
        base_number: list.base_number().map(hex),
        size: list.len(),
        signature_algorithm: signature_algorithm(list.signature_algorithm(), String::new),
    })
}

/// Some of a list's certificates, in the order of their serial numbers.
pub fn pki_crl_entries(list: &Handle, from: u32, count: u32) -> Result<Vec<u8>> {
    let list = list.crl()?;
    let some = list.entries().skip(from as usize).take(count as usize);
    json(&some.map(entry).collect::<Vec<_>>())
}

/// What a list says of a serial number; nothing, if it is not in it.
pub fn pki_crl_find(list: &Handle, serial: &[u8]) -> Result<Vec<u8>> {
    let list = list.crl()?;
    match list.find(serial) {
        Some(found) => json(&entry(found)),
        None => Ok(Vec::new()),
    }
}

/// Whether the key of a certificate signed a list. Nothing else is looked at.
pub fn pki_crl_verify(list: &Handle, issuer: &[u8], empty: u32) -> Result<bool> {
    let issuer = Certificate::from_der(issuer)?;
    verdict(
        list.crl()?
            .verify_signature(issuer.public_key(), identities(empty)),
    )
}
