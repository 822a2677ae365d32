//! Columns of keys: objects, or bytes in any form, of which each that comes again is decoded once.

use std::collections::HashMap;

use kuaimi::encoding::read_public_key;
use kuaimi::precompute::Precompute;
use kuaimi::sm2::{self, VerifyingKey};
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};
use rayon::prelude::*;

use super::column::{Column, Content, Read, Values};
use crate::error::Failure;
use crate::sm2::{PrivateKey, PublicKey};

/// What lends public keys.
pub(super) enum PublicKeys {
    One(Py<PublicKey>),
    Objects(Vec<Option<Py<PublicKey>>>),
    Bytes(Column),
}

impl PublicKeys {
    pub(super) fn of(object: &Bound<'_, PyAny>) -> Result<Self, Failure> {
        if let Ok(key) = object.cast::<PublicKey>() {
            return Ok(Self::One(key.clone().unbind()));
        }
        if let Some(objects) = objects::<PublicKey>(object) {
            return Ok(Self::Objects(objects));
        }
        Column::of("keys", object, Content::Bytes).map(Self::Bytes)
    }

    pub(super) fn rows(&self) -> Option<usize> {
        match self {
            Self::One(_) => None,
            Self::Objects(keys) => Some(keys.len()),
            Self::Bytes(column) => column.rows(),
        }
    }

    pub(super) fn is_arrow(&self) -> bool {
        matches!(self, Self::Bytes(column) if column.is_arrow())
    }

    /// The keys, before any is decoded.
    pub(super) fn read(&self) -> KeyValues<'_> {
        match self {
            Self::One(key) => KeyValues::One(key.get()),
            Self::Objects(keys) => {
                KeyValues::Objects(keys.iter().map(|key| key.as_ref().map(Py::get)).collect())
            }
            Self::Bytes(column) => KeyValues::Bytes(column.read()),
        }
    }
}

/// A list of nothing but objects of a class and None; or none if it is another thing.
fn objects<T: pyo3::PyClass>(object: &Bound<'_, PyAny>) -> Option<Vec<Option<Py<T>>>> {
    let key = |item: Bound<'_, PyAny>| {
        if item.is_none() {
            Some(None)
        } else {
            item.cast::<T>().ok().map(|key| Some(key.clone().unbind()))
        }
    };
    if let Ok(list) = object.cast::<PyList>() {
        list.iter().map(key).collect()
    } else if let Ok(tuple) = object.cast::<PyTuple>() {
        tuple.iter().map(key).collect()
    } else {
        None
    }
}

/// Keys whose objects and bytes are lent. Nothing here needs the interpreter.
pub(super) enum KeyValues<'a> {
    One(&'a PublicKey),
    Objects(Vec<Option<&'a PublicKey>>),
    Bytes(Read<'a>),
}

/// A key of a row.
#[derive(Clone, Copy)]
pub(super) enum KeyOf<'k> {
    Object(&'k PublicKey),
    /// One that was decoded.
    Decoded(&'k sm2::PublicKey),
    /// One that was decoded, with its identity.
    Signer(&'k VerifyingKey),
    Malformed(&'k kuaimi::encoding::Error),
}

/// The distinct keys among bytes.
pub(super) struct Decoded {
    keys: Vec<Result<Distinct, kuaimi::encoding::Error>>,
    /// Which of them a row has.
    places: Vec<Option<u32>>,
}

enum Distinct {
    Key(sm2::PublicKey),
    Signer(VerifyingKey),
}

/// From how many rows on the digest of identity and key is computed once for all of them. Those of
/// single rows are computed in lanes.
const WORTH_Z: u32 = 4;

fn decode(bytes: &[u8]) -> Result<sm2::PublicKey, kuaimi::encoding::Error> {
    match bytes.len() {
        33 | 64 | 65 => Ok(crate::sm2::public_key::point_of(bytes)?),
        _ => read_public_key(bytes).map(|(key, _)| key),
    }
}

impl KeyValues<'_> {
    /// Decodes each key that is given as bytes once, on the threads of the pool. `id` is the
    /// identity, where all rows have one.
    pub(super) fn decode(&self, rows: usize, id: Option<&[u8]>) -> Decoded {
        let Self::Bytes(column) = self else {
            return Decoded {
                keys: Vec::new(),
                places: Vec::new(),
            };
        };
        let mut distinct: Vec<(&[u8], u32)> = Vec::new();
        let mut known: HashMap<&[u8], u32> = HashMap::new();
        let mut place = |bytes| {
            let place = *known.entry(bytes).or_insert_with(|| {
                distinct.push((bytes, 0));
                distinct.len() as u32 - 1
            });
            distinct[place as usize].1 += 1;
            place
        };
        let places = match column.values() {
            Values::One(value) => {
                let place = value.map(&mut place);
                vec![place; rows]
            }
            Values::Many(values) => values.iter().map(|value| value.map(&mut place)).collect(),
        };
        let keys = distinct
            .par_iter()
            .with_min_len(64)
            .map(|(bytes, uses)| {
                let key = decode(bytes)?;
                Ok(match id {
                    // The batch makes the table of such a key, and drops it soon.
                    Some(id) if *uses >= WORTH_Z => Distinct::Signer(
                        VerifyingKey::with_id(key, id)?.with_precompute(Precompute::Never),
                    ),
                    _ => Distinct::Key(key),
                })
            })
            .collect();
        Decoded { keys, places }
    }

    /// The key of a row, or none where it is null.
    pub(super) fn get<'k>(&'k self, decoded: &'k Decoded, row: usize) -> Option<KeyOf<'k>> {
        match self {
            Self::One(key) => Some(KeyOf::Object(key)),
            Self::Objects(keys) => keys.get(row).copied().flatten().map(KeyOf::Object),
            Self::Bytes(_) => {
                let place = decoded.places.get(row).copied().flatten()?;
                Some(match decoded.keys.get(place as usize)? {
                    Ok(Distinct::Key(key)) => KeyOf::Decoded(key),
                    Ok(Distinct::Signer(key)) => KeyOf::Signer(key),
                    Err(error) => KeyOf::Malformed(error),
                })
            }
        }
    }

    /// The one key of all rows, where it is an object.
    pub(super) fn one(&self) -> Option<&PublicKey> {
        match self {
            Self::One(key) => Some(key),
            _ => None,
        }
    }
}

/// What lends private keys: objects alone.
pub(super) enum PrivateKeys {
    One(Py<PrivateKey>),
    Objects(Vec<Option<Py<PrivateKey>>>),
}

impl PrivateKeys {
    pub(super) fn of(object: &Bound<'_, PyAny>) -> Result<Self, Failure> {
        if let Ok(key) = object.cast::<PrivateKey>() {
            return Ok(Self::One(key.clone().unbind()));
        }
        objects::<PrivateKey>(object)
            .map(Self::Objects)
            .ok_or_else(|| {
                let found = object.get_type();
                Failure::Type(format!(
                    "keys is an SM2PrivateKey, or a list of them, not {found}"
                ))
            })
    }

    pub(super) fn rows(&self) -> Option<usize> {
        match self {
            Self::One(_) => None,
            Self::Objects(keys) => Some(keys.len()),
        }
    }

    pub(super) fn get(&self, row: usize) -> Option<&PrivateKey> {
        match self {
            Self::One(key) => Some(key.get()),
            Self::Objects(keys) => keys.get(row)?.as_ref().map(Py::get),
        }
    }
}
