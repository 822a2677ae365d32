//! A message that is encrypted or decrypted in pieces.

use kuaimi::sm4::{BLOCK_LEN, Sm4, Sm4Cbc, Sm4Cfb, Sm4Ctr, Sm4Ofb, Sm4Xts};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use zeroize::Zeroizing;

use crate::bytes::{Message, work};
use crate::error::{Failure, no_pickle};
use crate::lock::Lock;

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Direction {
    Encrypt,
    Decrypt,
}

/// A mode with its key, and what it remembers from piece to piece.
pub(crate) enum State {
    Ecb(Sm4, Direction),
    Cbc(Sm4Cbc, [u8; BLOCK_LEN], Direction),
    Ctr(Sm4Ctr),
    Cfb(Sm4Cfb, Direction),
    Ofb(Sm4Ofb),
    /// Nothing remains after the one sector.
    Xts(Option<Sm4Xts>, [u8; BLOCK_LEN], Direction),
}

impl State {
    /// The next piece, in place: whole blocks in ECB and CBC, all of the sector in XTS.
    pub(crate) fn apply(&mut self, data: &mut [u8]) -> Result<(), Failure> {
        match self {
            Self::Ecb(cipher, Direction::Encrypt) => cipher.encrypt_ecb(data)?,
            Self::Ecb(cipher, Direction::Decrypt) => cipher.decrypt_ecb(data)?,
            Self::Cbc(cipher, chain, Direction::Encrypt) => {
                cipher.encrypt(chain, data)?;
                *chain = data.last_chunk().copied().unwrap_or(*chain);
            }
            Self::Cbc(cipher, chain, Direction::Decrypt) => {
                let next = data.last_chunk().copied().unwrap_or(*chain);
                cipher.decrypt(chain, data)?;
                *chain = next;
            }
            Self::Ctr(stream) => stream.apply(data),
            Self::Cfb(cipher, Direction::Encrypt) => cipher.encrypt(data),
            Self::Cfb(cipher, Direction::Decrypt) => cipher.decrypt(data),
            Self::Ofb(stream) => stream.apply(data),
            Self::Xts(cipher, tweak, direction) => {
                let cipher = cipher.take().ok_or(Failure::Finished(
                    "XTS takes a sector as one piece: make a context for each sector",
                ))?;
                match direction {
                    Direction::Encrypt => cipher.encrypt(tweak, data)?,
                    Direction::Decrypt => cipher.decrypt(tweak, data)?,
                }
            }
        }
        Ok(())
    }

    /// Whether pieces are cut into blocks.
    fn in_blocks(&self) -> bool {
        matches!(self, Self::Ecb(..) | Self::Cbc(..))
    }
}

struct Running {
    state: State,
    /// The beginning of a block.
    rest: Zeroizing<Vec<u8>>,
}

/// A message that is encrypted or decrypted in pieces: what Cipher.encryptor and Cipher.decryptor
/// give.
///
/// >>> context = kuaimi.sm4.Cipher(bytes(16), kuaimi.sm4.CTR(bytes(16))).encryptor()
/// >>> len(context.update(b"a message") + context.finalize())
/// 9
#[pyclass(frozen, name = "CipherContext", module = "kuaimi.sm4")]
pub(crate) struct Context(Lock<Option<Running>>);

impl Context {
    pub(crate) fn new(state: State) -> Self {
        let rest = Zeroizing::new(Vec::with_capacity(BLOCK_LEN));
        Self(Lock::new(Some(Running { state, rest })))
    }
}

const FINISHED: Failure =
    Failure::Finished("the message is finished, or another thread is at it: make another context");

#[pymethods]
impl Context {
    /// The next piece. In ECB and CBC, bytes that fill no block wait for the next call. XTS takes
    /// one piece: the sector.
    ///
    /// Raises AlreadyFinalized after finalize.
    ///
    /// >>> context = kuaimi.sm4.Cipher(bytes(16), kuaimi.sm4.ECB()).encryptor()
    /// >>> context.update(b"ten bytes!"), len(context.update(b"ten bytes!"))
    /// (b'', 16)
    fn update<'py>(&self, py: Python<'py>, data: Message) -> PyResult<Bound<'py, PyBytes>> {
        // The lock is not held while the interpreter is waited for.
        let mut running = self.0.get()?.take().ok_or(FINISHED)?;
        let result = piece(py, &mut running, &data);
        *self.0.get()? = Some(running);
        result
    }

    /// The end. Raises InvalidArgument where bytes are left that fill no block.
    ///
    /// >>> context = kuaimi.sm4.Cipher(bytes(16), kuaimi.sm4.ECB()).encryptor()
    /// >>> context.finalize()
    /// b''
    fn finalize<'py>(&self, py: Python<'py>) -> Result<Bound<'py, PyBytes>, Failure> {
        let running = self.0.get()?.take().ok_or(FINISHED)?;
        if running.rest.is_empty() {
            Ok(PyBytes::new(py, b""))
        } else {
            Err(Failure::Argument(format!(
                "{} bytes are left that fill no block of 16: pad the message first",
                running.rest.len()
            )))
        }
    }

    fn __repr__(&self) -> &'static str {
        "<kuaimi.sm4.CipherContext>"
    }

    fn __reduce__(&self) -> PyResult<()> {
        Err(no_pickle("a CipherContext holds its key"))
    }
}

fn piece<'py>(
    py: Python<'py>,
    running: &mut Running,
    data: &Message,
) -> PyResult<Bound<'py, PyBytes>> {
    let Running { state, rest } = running;
    let total = rest.len() + data.len();
    let length = if state.in_blocks() {
        total - total % BLOCK_LEN
    } else {
        total
    };
    let waiting = rest.len().min(length);
    let now = length - waiting;
    let result = PyBytes::new_with(py, length, |out| {
        work(py, length, || {
            let (before, after) = out.split_at_mut(waiting);
            before.copy_from_slice(&rest[..waiting]);
            data.copy_to(0, after);
            state.apply(out)
        })
        .map_err(Into::into)
    })?;
    if length != 0 {
        rest.clear();
    }
    // Less than a block, for which there is room.
    let before = rest.len();
    rest.resize(before + data.len() - now, 0);
    data.copy_to(now, &mut rest[before..]);
    Ok(result)
}
