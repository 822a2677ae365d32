//! Many SM2 signatures to make.

use std::collections::HashMap;

use kuaimi::Threads;
use kuaimi::encoding::SignatureForm;
use kuaimi::sm2::batch::{Content as Signed, SignItem, sign_batch};
use kuaimi::sm2::{self, Signature, SigningKey};
use pyo3::prelude::*;
use rayon::prelude::*;

use super::column::{Column, Content, Read, Values, rows_of};
use super::keys::PrivateKeys;
use super::output::{Outcome, Output, all, give, together};
use super::pool;
use super::sm2_verify::{digest, signed};
use crate::argument::signature_form;
use crate::error::Failure;

/// Signs many messages: a list of signatures, and of None where a value of the row is null; an
/// Arrow column where Arrow came in.
///
/// keys: an SM2PrivateKey for all rows, or a list of them. messages (with digests=True, digests of
/// 32 bytes) is a column, as for verify_batch; ids is a column, or one identity for all. form:
/// "der" or "raw". Constant time in the keys.
///
/// Raises InvalidArgument with the first row that cannot be signed; with reasons=True, such rows
/// are None, and the reasons come beside.
///
/// >>> key = kuaimi.sm2.SM2PrivateKey.generate()
/// >>> [len(signature) for signature in kuaimi.sm2.sign_batch(key, [b"one", b"two"], form="raw")]
/// [64, 64]
#[pyfunction]
#[pyo3(signature = (keys, messages, ids = None, *, digests = false, form = "der", threads = None, reasons = false, output = None))]
#[expect(
    clippy::too_many_arguments,
    reason = "the Python function has them by name"
)]
pub(super) fn sm2_sign_batch<'py>(
    py: Python<'py>,
    keys: &Bound<'py, PyAny>,
    messages: &Bound<'py, PyAny>,
    ids: Option<&Bound<'py, PyAny>>,
    digests: bool,
    form: &str,
    threads: Option<usize>,
    reasons: bool,
    output: Option<&str>,
) -> Result<Bound<'py, PyAny>, Failure> {
    let form = signature_form(form)?;
    let keys = PrivateKeys::of(keys)?;
    let messages = Column::of("messages", messages, signed(digests))?;
    let ids = ids
        .map(|ids| Column::of("ids", ids, Content::BytesOrText))
        .transpose()?;
    let rows = rows_of(&[
        ("keys", keys.rows()),
        ("messages", messages.rows()),
        ("ids", ids.as_ref().and_then(Column::rows)),
    ])?;
    let output = Output::of(output, messages.is_arrow())?;
    let signatures = pool::run(py, threads, || {
        let (messages, ids) = (messages.read(), ids.as_ref().map(Column::read));
        let ids = ids.as_ref().map(Read::values);
        let made = sign(&keys, &messages.values(), ids.as_ref(), digests, rows);
        made.into_par_iter()
            .with_min_len(256)
            .map(|outcome| Some(outcome?.map(|signature| Written::of(&signature, form))))
            .collect::<Vec<Outcome<Written>>>()
    })?;
    let width = (form == SignatureForm::Raw).then_some(64);
    if reasons {
        return Ok(give(py, output, signatures, width, true)?);
    }
    Ok(output.bytes(py, &all(signatures)?, width)?)
}

/// A signature in its form.
pub(super) enum Written {
    Raw([u8; 64]),
    Der(kuaimi::encoding::DerSignature),
}

impl Written {
    pub(super) fn of(signature: &Signature, form: SignatureForm) -> Self {
        match form {
            SignatureForm::Der => Self::Der(signature.to_der()),
            _ => Self::Raw(signature.to_bytes()),
        }
    }
}

impl AsRef<[u8]> for Written {
    fn as_ref(&self) -> &[u8] {
        match self {
            Self::Raw(bytes) => bytes,
            Self::Der(der) => der.as_bytes(),
        }
    }
}

fn sign(
    keys: &PrivateKeys,
    messages: &Values<'_>,
    ids: Option<&Values<'_>>,
    digests: bool,
    rows: usize,
) -> Vec<Outcome<Signature>> {
    // A key with its identity is made once for all rows that have it.
    let mut signers: Vec<Result<SigningKey, sm2::Error>> = Vec::new();
    let mut known: HashMap<(*const crate::sm2::PrivateKey, &[u8]), usize> = HashMap::new();
    let mut places: Vec<Option<usize>> = Vec::with_capacity(rows);
    if let Some(ids) = ids {
        for row in 0..rows {
            places.push(keys.get(row).zip(ids.get(row)).map(|(key, id)| {
                *known
                    .entry((std::ptr::from_ref(key), id))
                    .or_insert_with(|| {
                        signers.push(SigningKey::with_id(key.secret().clone(), id));
                        signers.len() - 1
                    })
            }));
        }
    }
    let item = |row: usize| -> Outcome<SignItem<'_>> {
        let signer = match ids {
            None => Ok(keys.get(row)?.usual_signer()),
            Some(_) => signers.get(places.get(row).copied().flatten()?)?.as_ref(),
        };
        let message = messages.get(row)?;
        Some(signer.map_err(|error| (*error).into()).and_then(|signer| {
            Ok(SignItem::new(
                signer,
                if digests {
                    Signed::Digest(digest(message)?)
                } else {
                    Signed::Message(message)
                },
            ))
        }))
    };
    let items: Vec<Outcome<SignItem<'_>>> = (0..rows).map(item).collect();
    together(
        items,
        || sm2::Error::Random,
        |items| sign_batch(items, Threads::Pool),
    )
}
