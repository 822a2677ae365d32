//! Many SM2 signatures to verify.

use kuaimi::Threads;
use kuaimi::sm2::batch::{Content as Signed, Signer, VerifyItem, verify_batch};
use kuaimi::sm2::{self, DEFAULT_ID, VerifyingKey};
use pyo3::prelude::*;
use rayon::prelude::*;

use super::column::{Column, Content, Read, Values, rows_of};
use super::keys::{Decoded, KeyOf, KeyValues, PublicKeys};
use super::output::{Outcome, Output, together, verdicts};
use super::pool;
use crate::error::Failure;
use crate::sm2::signature::Reading;

/// Verifies many signatures: a list of True, False, and None where a value of the row is null; an
/// Arrow boolean column where Arrow came in.
///
/// keys: an SM2PublicKey for all rows, a list of them, or a column of keys as bytes, in the forms
/// that load_public_key reads; each that comes again is decoded once, and gets a table where that
/// pays. messages (with digests=True, digests of 32 bytes) and signatures are columns; ids is a
/// column, or one identity for all.
///
/// A column is a list, a NumPy array of dtype V or two-dimensional uint8, or anything with Arrow's
/// PyCapsule interface: Binary, LargeBinary, BinaryView, FixedSizeBinary, text, and dictionaries of
/// them, also in chunks. Arrow's and NumPy's messages are not copied: do not change them meanwhile.
///
/// form: that of all signatures; by default each one's is found. threads: by default as many as
/// there are CPUs. reasons=True: a pair of the verdicts and of the reasons why rows are False.
/// output: "list" or "arrow". Variable time, as all of it is public.
///
/// >>> key = kuaimi.sm2.SM2PrivateKey.generate()
/// >>> signatures = kuaimi.sm2.sign_batch(key, [b"one", b"two"])
/// >>> kuaimi.sm2.verify_batch(key.public_key(), [b"one", b"three"], signatures)
/// [True, False]
#[pyfunction]
#[pyo3(signature = (keys, messages, signatures, ids = None, *, digests = false, form = None, threads = None, reasons = false, output = None))]
#[expect(
    clippy::too_many_arguments,
    reason = "the Python function has them by name"
)]
pub(super) fn sm2_verify_batch<'py>(
    py: Python<'py>,
    keys: &Bound<'py, PyAny>,
    messages: &Bound<'py, PyAny>,
    signatures: &Bound<'py, PyAny>,
    ids: Option<&Bound<'py, PyAny>>,
    digests: bool,
    form: Option<&str>,
    threads: Option<usize>,
    reasons: bool,
    output: Option<&str>,
) -> Result<Bound<'py, PyAny>, Failure> {
    let keys = PublicKeys::of(keys)?;
    let messages = Column::of("messages", messages, signed(digests))?;
    let signatures = Column::of("signatures", signatures, Content::Bytes)?;
    let ids = ids
        .map(|ids| Column::of("ids", ids, Content::BytesOrText))
        .transpose()?;
    let rows = rows_of(&[
        ("keys", keys.rows()),
        ("messages", messages.rows()),
        ("signatures", signatures.rows()),
        ("ids", ids.as_ref().and_then(Column::rows)),
    ])?;
    let arrow_came_in = keys.is_arrow() || messages.is_arrow() || signatures.is_arrow();
    let output = Output::of(output, arrow_came_in)?;
    let reading = Reading::of(form)?;
    let outcomes = pool::run(py, threads, || {
        let (messages, signatures) = (messages.read(), signatures.read());
        let ids = ids.as_ref().map(Column::read);
        let table = Table {
            keys: keys.read(),
            messages: messages.values(),
            signatures: signatures.values(),
            ids: ids.as_ref().map(Read::values),
            digests,
            reading,
        };
        table.verify(rows)
    })?;
    Ok(verdicts(py, output, &outcomes, reasons)?)
}

struct Table<'a> {
    keys: KeyValues<'a>,
    messages: Values<'a>,
    signatures: Values<'a>,
    /// Without them, all rows have the usual one.
    ids: Option<Values<'a>>,
    digests: bool,
    reading: Reading,
}

/// The one key of all rows under the one identity of all, if that is not too long.
type One = Result<VerifyingKey, sm2::Error>;

impl Table<'_> {
    fn verify(&self, rows: usize) -> Vec<Outcome<()>> {
        let decoded = self.keys.decode(rows, self.id());
        let one = self.one();
        let items: Vec<Outcome<VerifyItem<'_>>> = (0..rows)
            .into_par_iter()
            .with_min_len(256)
            .map(|row| self.item(&decoded, one.as_ref(), row))
            .collect();
        together(
            items,
            || sm2::Error::InvalidSignature,
            |items| verify_batch(items, Threads::Pool),
        )
    }

    /// The identity of all rows, where there is one.
    fn id(&self) -> Option<&[u8]> {
        match &self.ids {
            None => Some(DEFAULT_ID),
            Some(Values::One(id)) => *id,
            Some(Values::Many(_)) => None,
        }
    }

    /// The one key of all rows under the one identity of all, where it is so.
    fn one(&self) -> Option<One> {
        let (key, id) = (self.keys.one()?, self.id()?);
        Some(key.usual_verifier().under_id(id))
    }

    fn item<'k>(
        &'k self,
        decoded: &'k Decoded,
        one: Option<&'k One>,
        row: usize,
    ) -> Outcome<VerifyItem<'k>> {
        let key = self.keys.get(decoded, row)?;
        let (message, signature) = (self.messages.get(row)?, self.signatures.get(row)?);
        let id = match &self.ids {
            None => DEFAULT_ID,
            Some(ids) => ids.get(row)?,
        };
        Some(self.signer(key, one, id).and_then(|signer| {
            let content = if self.digests {
                Signed::Digest(digest(message)?)
            } else {
                Signed::Message(message)
            };
            let signature = self.reading.read(signature)?;
            Ok(VerifyItem::new(signer, content, signature))
        }))
    }

    fn signer<'k>(
        &self,
        key: KeyOf<'k>,
        one: Option<&'k One>,
        id: &'k [u8],
    ) -> Result<Signer<'k>, Failure> {
        match one {
            Some(Ok(key)) => return Ok(Signer::Key(key)),
            Some(Err(error)) => return Err((*error).into()),
            None => {}
        }
        Ok(match key {
            KeyOf::Object(key) if self.ids.is_none() => Signer::Key(key.usual_verifier()),
            KeyOf::Object(key) => Signer::Identity {
                key: key.point(),
                id,
            },
            KeyOf::Decoded(key) => Signer::Identity { key, id },
            KeyOf::Signer(key) => Signer::Key(key),
            KeyOf::Malformed(error) => return Err(error.clone().into()),
        })
    }
}

/// What a column of messages, or of digests, holds.
pub(super) fn signed(digests: bool) -> Content {
    if digests {
        Content::Bytes
    } else {
        Content::Message
    }
}

/// A digest in a column.
pub(super) fn digest(bytes: &[u8]) -> Result<&[u8; 32], Failure> {
    bytes.try_into().map_err(|_| {
        let found = bytes.len();
        Failure::Argument(format!("a digest has 32 bytes, not {found}"))
    })
}
