//! Signatures for the rows of a table.

use kuaimi::Threads;
use kuaimi::encoding::SignatureForm;
use kuaimi::sm2::SigningKey;
use kuaimi_bulk::Signer;
use pyo3::prelude::*;

use super::column::Content;
use super::output::Output;
use super::pool;
use super::sm2_sign::Written;
use super::table::{Columns, encoding, messages, plain_encoding, reason};
use crate::argument::{Identity, id_or_default, signature_form};
use crate::error::Failure;
use crate::sm2::PrivateKey;

/// Signs the rows of tables under one key. Constant time in the key.
#[pyclass(frozen, module = "kuaimi._native.batch")]
pub(super) struct TableSigner {
    signer: Signer,
    form: SignatureForm,
    messages: Content,
}

#[pymethods]
impl TableSigner {
    #[new]
    #[pyo3(signature = (key, *, id = None, form = "der", message_encoding = "text", digest_encoding = "auto"))]
    fn new(
        key: &PrivateKey,
        id: Option<Identity>,
        form: &str,
        message_encoding: &str,
        digest_encoding: &str,
    ) -> Result<Self, Failure> {
        let signing_key = SigningKey::with_id(key.secret().clone(), id_or_default(&id))?;
        let message_encoding = plain_encoding("message_encoding", message_encoding)?;
        let signer = Signer::new(signing_key)
            .threads(Threads::Pool)
            .message_encoding(message_encoding)
            .digest_encoding(encoding("digest_encoding", digest_encoding)?);
        Ok(Self {
            signer,
            form: signature_form(form)?,
            messages: messages(message_encoding),
        })
    }

    /// A column of signatures, null where a row cannot be signed, and a column of the reasons.
    #[pyo3(signature = (*, message = None, digest = None, threads = None))]
    fn sign<'py>(
        &self,
        py: Python<'py>,
        message: Option<&Bound<'py, PyAny>>,
        digest: Option<&Bound<'py, PyAny>>,
        threads: Option<usize>,
    ) -> Result<(Bound<'py, PyAny>, Bound<'py, PyAny>), Failure> {
        let columns = Columns::of([None, None, message, digest, None], self.messages)?;
        let signed = pool::run(py, threads, || {
            columns.in_parts(|table| {
                let signatures = self.signer.sign(table).into_iter();
                signatures
                    .map(|made| made.map(|signature| Written::of(&signature, self.form)))
                    .collect()
            })
        })?;
        let reasons: Vec<Option<String>> = signed
            .iter()
            .map(|made| made.as_ref().err().map(reason))
            .collect();
        let signatures: Vec<Option<Written>> = signed.into_iter().map(Result::ok).collect();
        Ok((
            Output::Arrow.bytes(py, &signatures, None)?,
            Output::Arrow.texts(py, &reasons)?,
        ))
    }
}
