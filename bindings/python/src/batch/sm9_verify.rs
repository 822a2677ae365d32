//! Many SM9 signatures to verify.

use kuaimi::Threads;
use kuaimi::sm9;
use kuaimi::sm9::batch::{Signer, VerifyItem, verify_batch};
use pyo3::prelude::*;
use rayon::prelude::*;

use super::column::{Column, Content, Read, rows_of};
use super::output::{Outcome, Output, together, verdicts};
use super::pool;
use crate::error::Failure;
use crate::sm9::{MasterSigningPublicKey, SignatureReading, identity};

/// Verifies many signatures of users of one centre: a list of True, False, and None where a value
/// of the row is null; an Arrow boolean column where Arrow came in.
///
/// identities: a column of text or bytes, or one for all. messages and signatures are columns:
/// lists, NumPy arrays of dtype V or two-dimensional uint8, or anything with Arrow's PyCapsule
/// interface. hid: the function identifier, by default 1. form: "der" or "raw"; by default each
/// one's is found. threads: by default as many as there are CPUs. reasons=True: a pair of the
/// verdicts and of the reasons. output: "list" or "arrow". Variable time.
///
/// >>> master = kuaimi.sm9.MasterSigningKey.generate()
/// >>> signature = master.extract("alice").sign(b"a message")
/// >>> kuaimi.sm9.verify_batch(master.public_key(), ["alice", "bob"], b"a message", signature)
/// [True, False]
#[pyfunction]
#[pyo3(signature = (master_public_key, identities, messages, signatures, *, hid = None, form = None, threads = None, reasons = false, output = None))]
#[expect(
    clippy::too_many_arguments,
    reason = "the Python function has them by name"
)]
pub(super) fn sm9_verify_batch<'py>(
    py: Python<'py>,
    master_public_key: &MasterSigningPublicKey,
    identities: &Bound<'py, PyAny>,
    messages: &Bound<'py, PyAny>,
    signatures: &Bound<'py, PyAny>,
    hid: Option<u8>,
    form: Option<&str>,
    threads: Option<usize>,
    reasons: bool,
    output: Option<&str>,
) -> Result<Bound<'py, PyAny>, Failure> {
    let reading = SignatureReading::of(form)?;
    let identities = Column::of("identities", identities, Content::BytesOrText)?;
    let messages = Column::of("messages", messages, Content::Message)?;
    let signatures = Column::of("signatures", signatures, Content::Bytes)?;
    let columns = [
        ("identities", &identities),
        ("messages", &messages),
        ("signatures", &signatures),
    ];
    let rows = rows_of(&columns.map(|(name, column)| (name, column.rows())))?;
    let arrow_came_in = columns.iter().any(|(_, column)| column.is_arrow());
    let output = Output::of(output, arrow_came_in)?;
    let master = &master_public_key.0;
    let outcomes: Vec<Outcome<()>> = pool::run(py, threads, || {
        let columns = columns.map(|(_, column)| column.read());
        let [identities, messages, signatures] = columns.each_ref().map(Read::values);
        let item = |row: usize| -> Outcome<VerifyItem<'_>> {
            let (id, message) = (identities.get(row)?, messages.get(row)?);
            let signature = signatures.get(row)?;
            let signer = Signer::Identity {
                master,
                identity: identity(id, hid),
            };
            let signature = reading.read(signature).map_err(Failure::from);
            Some(signature.map(|signature| VerifyItem::new(signer, message, signature)))
        };
        let items: Vec<Outcome<VerifyItem<'_>>> = (0..rows)
            .into_par_iter()
            .with_min_len(64)
            .map(item)
            .collect();
        together(
            items,
            || sm9::Error::InvalidSignature,
            |items| verify_batch(items, Threads::Pool),
        )
    })?;
    Ok(verdicts(py, output, &outcomes, reasons)?)
}
