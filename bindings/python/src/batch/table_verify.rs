//! Verdicts on the rows of a table, as the program gives them.

use kuaimi::Threads;
use kuaimi::sm2::{Error, MAX_ID_LEN};
use kuaimi_bulk::{INVALID, Options, Verdict, Verifier};
use pyo3::prelude::*;

use super::column::Content;
use super::output::Output;
use super::pool;
use super::table::{Columns, encoding, messages, plain_encoding, reason};
use crate::argument::{Identity, signature_form};
use crate::error::Failure;
use crate::sm2::PublicKey;

/// Verifies tables of signatures, and remembers the keys that come again from one table to the
/// next.
#[pyclass(frozen, module = "kuaimi._native.batch")]
pub(super) struct TableVerifier {
    verifier: Verifier,
    messages: Content,
}

#[pymethods]
impl TableVerifier {
    #[new]
    #[pyo3(signature = (*, public_key = None, id = None, key_encoding = "auto", signature_encoding = "auto", signature_form = None, digest_encoding = "auto", message_encoding = "text", id_encoding = "text"))]
    #[expect(
        clippy::too_many_arguments,
        reason = "the Python class has them by name"
    )]
    fn new(
        public_key: Option<&PublicKey>,
        id: Option<Identity>,
        key_encoding: &str,
        signature_encoding: &str,
        signature_form: Option<&str>,
        digest_encoding: &str,
        message_encoding: &str,
        id_encoding: &str,
    ) -> Result<Self, Failure> {
        let message_encoding = plain_encoding("message_encoding", message_encoding)?;
        let mut options = Options::new()
            .key_encoding(encoding("key_encoding", key_encoding)?)
            .signature_encoding(encoding("signature_encoding", signature_encoding)?)
            .digest_encoding(encoding("digest_encoding", digest_encoding)?)
            .message_encoding(message_encoding)
            .id_encoding(plain_encoding("id_encoding", id_encoding)?);
        if let Some(key) = public_key {
            options = options.key(*key.point());
        }
        if let Some(id) = id {
            if id.len() > MAX_ID_LEN {
                return Err(Error::IdTooLong(id.len()).into());
            }
            options = options.id(&id);
        }
        if let Some(name) = signature_form {
            options = options.signature_form(self::signature_form(name)?);
        }
        Ok(Self {
            verifier: Verifier::new(options.threads(Threads::Pool)),
            messages: messages(message_encoding),
        })
    }

    /// A Boolean column and a column of reasons, which are null for valid rows.
    #[pyo3(signature = (*, key = None, id = None, message = None, digest = None, signature = None, threads = None))]
    #[expect(
        clippy::too_many_arguments,
        reason = "the Python method has them by name"
    )]
    fn verify<'py>(
        &self,
        py: Python<'py>,
        key: Option<&Bound<'py, PyAny>>,
        id: Option<&Bound<'py, PyAny>>,
        message: Option<&Bound<'py, PyAny>>,
        digest: Option<&Bound<'py, PyAny>>,
        signature: Option<&Bound<'py, PyAny>>,
        threads: Option<usize>,
    ) -> Result<(Bound<'py, PyAny>, Bound<'py, PyAny>), Failure> {
        let columns = Columns::of([key, id, message, digest, signature], self.messages)?;
        let verdicts = pool::run(py, threads, || {
            columns.in_parts(|table| self.verifier.verify(table))
        })?;
        let valid: Vec<Option<bool>> = verdicts
            .iter()
            .map(|verdict| Some(*verdict == Verdict::Valid))
            .collect();
        let reasons: Vec<Option<String>> = verdicts
            .iter()
            .map(|verdict| match verdict {
                Verdict::Valid => None,
                Verdict::Invalid => Some(INVALID.to_owned()),
                Verdict::Malformed(fault) => Some(reason(fault)),
            })
            .collect();
        Ok((
            Output::Arrow.booleans(py, &valid)?,
            Output::Arrow.texts(py, &reasons)?,
        ))
    }
}
