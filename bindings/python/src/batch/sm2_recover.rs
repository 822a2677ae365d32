//! Public keys from many SM2 signatures.

use kuaimi::Threads;
use kuaimi::sm2::batch::{RecoverItem, recover_batch};
use kuaimi::sm2::{self, RecoveryId, Signature};
use pyo3::prelude::*;

use super::column::{Column, Content, Values, rows_of};
use super::output::{Outcome, Output, give, together};
use super::pool;
use super::sm2_verify::digest;
use crate::error::Failure;
use crate::sm2::signature::Reading;

/// The public keys that made many signatures: a list of points of 65 bytes, and of None where there
/// is none or a value of the row is null; an Arrow column where Arrow came in.
///
/// digests (of 32 bytes, e = SM3(Z ‖ M)) and signatures are columns, as for verify_batch.
/// recovery_ids: a number from 0 to 3 for all rows, or a number for each, in a list, an array or
/// bytes. reasons=True: a pair of the keys and of the reasons. Variable time.
///
/// >>> key = kuaimi.sm2.SM2PrivateKey.generate()
/// >>> signature, recovery_id = key.sign_digest_recoverable(bytes(32))
/// >>> points = kuaimi.sm2.recover_batch([bytes(32)], [signature], [recovery_id])
/// >>> points == [key.public_key().to_bytes()]
/// True
#[pyfunction]
#[pyo3(signature = (digests, signatures, recovery_ids, *, form = None, threads = None, reasons = false, output = None))]
#[expect(
    clippy::too_many_arguments,
    reason = "the Python function has them by name"
)]
pub(super) fn sm2_recover_batch<'py>(
    py: Python<'py>,
    digests: &Bound<'py, PyAny>,
    signatures: &Bound<'py, PyAny>,
    recovery_ids: &Bound<'py, PyAny>,
    form: Option<&str>,
    threads: Option<usize>,
    reasons: bool,
    output: Option<&str>,
) -> Result<Bound<'py, PyAny>, Failure> {
    let reading = Reading::of(form)?;
    let digests = Column::of("digests", digests, Content::Bytes)?;
    let signatures = Column::of("signatures", signatures, Content::Bytes)?;
    let ids = Ids::of(recovery_ids)?;
    let rows = rows_of(&[
        ("digests", digests.rows()),
        ("signatures", signatures.rows()),
        ("recovery_ids", ids.rows()),
    ])?;
    let output = Output::of(output, digests.is_arrow() || signatures.is_arrow())?;
    let keys = pool::run(py, threads, || {
        let (digests, signatures) = (digests.read(), signatures.read());
        recover(&digests.values(), &signatures.values(), &ids, reading, rows)
    })?;
    Ok(give(py, output, keys, Some(65), reasons)?)
}

enum Ids {
    One(u8),
    Many(Vec<u8>),
}

impl Ids {
    fn of(object: &Bound<'_, PyAny>) -> Result<Self, Failure> {
        if let Ok(one) = object.extract::<u8>() {
            return Ok(Self::One(one));
        }
        // Item by item, so that one which is none ends it, however many come after it.
        let ids = object.try_iter()?.map(|item| id(&item?));
        ids.collect::<Result<_, Failure>>().map(Self::Many)
    }

    fn rows(&self) -> Option<usize> {
        match self {
            Self::One(_) => None,
            Self::Many(ids) => Some(ids.len()),
        }
    }

    fn get(&self, row: usize) -> Option<u8> {
        match self {
            Self::One(id) => Some(*id),
            Self::Many(ids) => ids.get(row).copied(),
        }
    }
}

fn id(item: &Bound<'_, PyAny>) -> Result<u8, Failure> {
    // A scalar of Arrow has another value inside.
    let number = if item.hasattr("as_py")? {
        item.call_method0("as_py")?.extract()
    } else {
        item.extract()
    };
    number.map_err(|_: PyErr| {
        Failure::Type("recovery_ids is a number from 0 to 3, or one for each row".into())
    })
}

fn recover(
    digests: &Values<'_>,
    signatures: &Values<'_>,
    ids: &Ids,
    reading: Reading,
    rows: usize,
) -> Vec<Outcome<[u8; 65]>> {
    type Parts<'a> = (&'a [u8; 32], Signature, RecoveryId);
    let parts = |row: usize| -> Outcome<Parts<'_>> {
        let (e, signature, id) = (digests.get(row)?, signatures.get(row)?, ids.get(row)?);
        let parts = || {
            Ok((
                digest(e)?,
                reading.read(signature)?,
                RecoveryId::try_from(id)?,
            ))
        };
        Some(parts())
    };
    let parts: Vec<Outcome<Parts<'_>>> = (0..rows).map(parts).collect();
    let points = |parts: &[Parts<'_>]| {
        let items: Vec<RecoverItem<'_>> = parts
            .iter()
            .map(|(e, signature, id)| RecoverItem::new(e, signature, *id))
            .collect();
        recover_batch(&items, Threads::Pool)
            .into_iter()
            .map(|key| key.map(|key| key.to_sec1_bytes()))
            .collect()
    };
    together(parts, || sm2::Error::NotRecoverable, points)
}
