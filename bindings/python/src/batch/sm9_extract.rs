//! The keys of many users of SM9.

use kuaimi::Threads;
use kuaimi::sm9;
use pyo3::PyClass;
use pyo3::prelude::*;
use pyo3::pyclass_init::PyClassInitializer;

use super::column::{Column, Content};
use super::pool;
use crate::error::Failure;
use crate::sm9::{DecryptionKey, MasterEncryptionKey, MasterSigningKey, SigningKey, identity};

/// Extracts a key for each identity, which a null is not.
fn extract<K, T>(
    py: Python<'_>,
    identities: &Bound<'_, PyAny>,
    hid: Option<u8>,
    threads: Option<usize>,
    batch: impl FnOnce(&[sm9::Identity<'_>]) -> Vec<Result<K, sm9::Error>> + Send,
    key: impl Fn(K) -> T,
) -> Result<Vec<Py<T>>, Failure>
where
    K: Clone + Send,
    T: PyClass + Into<PyClassInitializer<T>>,
{
    let identities = Column::of("identities", identities, Content::BytesOrText)?;
    let rows = identities.rows().unwrap_or(1);
    let keys = pool::run(py, threads, || {
        let column = identities.read();
        let values = column.values();
        let identities = (0..rows).map(|row| Some(identity(values.get(row)?, hid)));
        let identities = identities.collect::<Option<Vec<sm9::Identity<'_>>>>();
        Some(batch(&identities?))
    })?
    .ok_or_else(|| Failure::Argument("an identity is null".into()))?;
    // Keys that are moved out of a vector, or into one that grows, leave copies in its memory.
    keys.iter()
        .enumerate()
        .map(|(row, made)| match made {
            Ok(made) => Ok(Py::new(py, key(made.clone()))?),
            Err(error) => Err(Failure::Argument(format!("row {row}: {error}"))),
        })
        .collect()
}

/// The signing keys of many users: a list. identities: a column of text or bytes. hid: the function
/// identifier, by default 1.
///
/// Raises InvalidArgument for an empty identity. Constant time in the master key.
///
/// >>> kuaimi.sm9.extract_signing_batch(kuaimi.sm9.MasterSigningKey.generate(), ["alice", "bob"])
/// [<SigningKey "alice">, <SigningKey "bob">]
#[pyfunction]
#[pyo3(signature = (master_key, identities, *, hid = None, threads = None))]
pub(super) fn sm9_extract_signing_batch(
    py: Python<'_>,
    master_key: &MasterSigningKey,
    identities: &Bound<'_, PyAny>,
    hid: Option<u8>,
    threads: Option<usize>,
) -> Result<Vec<Py<SigningKey>>, Failure> {
    let batch =
        |identities: &[sm9::Identity<'_>]| master_key.0.extract_batch(identities, Threads::Pool);
    extract(py, identities, hid, threads, batch, SigningKey)
}

/// The decryption keys of many users: a list. identities: a column of text or bytes. hid: the
/// function identifier, by default 3.
///
/// Raises InvalidArgument for an empty identity. Constant time in the master key.
///
/// >>> kuaimi.sm9.extract_decryption_batch(kuaimi.sm9.MasterEncryptionKey.generate(), ["alice", "bob"])
/// [<DecryptionKey "alice">, <DecryptionKey "bob">]
#[pyfunction]
#[pyo3(signature = (master_key, identities, *, hid = None, threads = None))]
pub(super) fn sm9_extract_decryption_batch(
    py: Python<'_>,
    master_key: &MasterEncryptionKey,
    identities: &Bound<'_, PyAny>,
    hid: Option<u8>,
    threads: Option<usize>,
) -> Result<Vec<Py<DecryptionKey>>, Failure> {
    let batch =
        |identities: &[sm9::Identity<'_>]| master_key.0.extract_batch(identities, Threads::Pool);
    extract(py, identities, hid, threads, batch, DecryptionKey)
}
