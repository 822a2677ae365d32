//! Key exchange (GB/T 38635.2-2020, clause 7).

use kuaimi::sm9::G1Point;
use kuaimi::sm9::exchange::{self, Party, Peer, Response};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use super::{ExchangeKey, identity};
use crate::argument::Identity;
use crate::bytes::Input;
use crate::error::{Failure, no_pickle};
use crate::once::Once;
use crate::sm2::confirmation;

/// The side of an SM9 key exchange that begins (GB/T 38635.2-2020, clause 7). Each object serves
/// one exchange.
///
/// Send point to the other side, and give its answer to finish. Constant time in the keys.
///
/// >>> master = kuaimi.sm9.MasterEncryptionKey.generate()
/// >>> alice, bob = master.extract_exchange("alice"), master.extract_exchange("bob")
/// >>> initiator = kuaimi.sm9.KeyExchangeInitiator(alice, "bob")
/// >>> responder = kuaimi.sm9.KeyExchangeResponder(bob, "alice")
/// >>> point, from_bob = responder.respond(initiator.point, 16)
/// >>> key, from_alice = initiator.finish(point, from_bob, 16)
/// >>> responder.confirm(from_alice) == key
/// True
#[pyclass(frozen, name = "KeyExchangeInitiator", module = "kuaimi.sm9")]
pub(crate) struct Initiator {
    state: Once<exchange::Initiator>,
    point: [u8; 64],
}

#[pymethods]
impl Initiator {
    #[new]
    #[pyo3(signature = (key, peer_identity, peer_hid = None))]
    fn new(
        py: Python<'_>,
        key: &ExchangeKey,
        peer_identity: Identity,
        peer_hid: Option<u8>,
    ) -> Result<Self, Failure> {
        let (party, peer) = (
            Party::new(&key.0),
            Peer::new(identity(&peer_identity, peer_hid))?,
        );
        let (state, point) = py.detach(|| exchange::Initiator::start(party, peer))?;
        Ok(Self {
            state: Once::new(state),
            point: point.to_bytes(),
        })
    }

    /// The point R_A for the other side: 64 bytes.
    ///
    /// >>> key = kuaimi.sm9.MasterEncryptionKey.generate().extract_exchange("alice")
    /// >>> len(kuaimi.sm9.KeyExchangeInitiator(key, "bob").point)
    /// 64
    #[getter]
    fn point<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.point)
    }

    /// The shared key of key_length bytes, and the confirmation S_A for the other side, from its
    /// point R_B and its confirmation S_B.
    ///
    /// Raises ExchangeFailed where the other side does not hold the same key; FormatError for what
    /// is no point; AlreadyFinalized the second time.
    ///
    /// >>> key = kuaimi.sm9.MasterEncryptionKey.generate().extract_exchange("alice")
    /// >>> initiator = kuaimi.sm9.KeyExchangeInitiator(key, "bob")
    /// >>> initiator.finish(initiator.point, bytes(32), 16)
    /// Traceback (most recent call last):
    /// kuaimi.errors.ExchangeFailed: the other side of the key exchange does not hold the same key
    fn finish<'py>(
        &self,
        py: Python<'py>,
        point: Input,
        confirmation: Input,
        key_length: usize,
    ) -> Result<(Bound<'py, PyBytes>, Bound<'py, PyBytes>), Failure> {
        let point = G1Point::from_slice(&point)?;
        let confirmation = self::confirmation(&confirmation)?;
        let state = self.state.take()?;
        let (key, ours) = py.detach(|| state.finish(&point, confirmation, key_length))?;
        Ok((PyBytes::new(py, &key), PyBytes::new(py, &ours)))
    }

    /// The shared key without confirmation: whether the other side has the same one shows when it
    /// is used.
    ///
    /// >>> master = kuaimi.sm9.MasterEncryptionKey.generate()
    /// >>> initiator = kuaimi.sm9.KeyExchangeInitiator(master.extract_exchange("alice"), "bob")
    /// >>> responder = kuaimi.sm9.KeyExchangeResponder(master.extract_exchange("bob"), "alice")
    /// >>> point, _ = responder.respond(initiator.point, 16)
    /// >>> initiator.finish_unconfirmed(point, 16) == responder.key_unconfirmed()
    /// True
    fn finish_unconfirmed<'py>(
        &self,
        py: Python<'py>,
        point: Input,
        key_length: usize,
    ) -> Result<Bound<'py, PyBytes>, Failure> {
        let point = G1Point::from_slice(&point)?;
        let state = self.state.take()?;
        let key = py.detach(|| state.finish_unconfirmed(&point, key_length))?;
        Ok(PyBytes::new(py, &key))
    }

    fn __repr__(&self) -> &'static str {
        "<KeyExchangeInitiator>"
    }

    fn __reduce__(&self) -> PyResult<()> {
        Err(no_pickle("a key exchange holds secrets"))
    }
}

/// The side of an SM9 key exchange that answers (GB/T 38635.2-2020, clause 7). Each object serves
/// one exchange.
///
/// >>> key = kuaimi.sm9.MasterEncryptionKey.generate().extract_exchange("bob")
/// >>> responder = kuaimi.sm9.KeyExchangeResponder(key, "alice")
#[pyclass(frozen, name = "KeyExchangeResponder", module = "kuaimi.sm9")]
pub(crate) struct Responder {
    start: Once<exchange::Responder>,
    response: Once<Response>,
}

#[pymethods]
impl Responder {
    #[new]
    #[pyo3(signature = (key, peer_identity, peer_hid = None))]
    fn new(
        key: &ExchangeKey,
        peer_identity: Identity,
        peer_hid: Option<u8>,
    ) -> Result<Self, Failure> {
        let peer = Peer::new(identity(&peer_identity, peer_hid))?;
        Ok(Self {
            start: Once::new(exchange::Responder::new(Party::new(&key.0), peer)),
            response: Once::empty(),
        })
    }

    /// The point R_B (64 bytes) and the confirmation S_B (32 bytes) for the other side, from its
    /// point; the key has key_length bytes.
    ///
    /// >>> master = kuaimi.sm9.MasterEncryptionKey.generate()
    /// >>> initiator = kuaimi.sm9.KeyExchangeInitiator(master.extract_exchange("alice"), "bob")
    /// >>> responder = kuaimi.sm9.KeyExchangeResponder(master.extract_exchange("bob"), "alice")
    /// >>> point, confirmation = responder.respond(initiator.point, 16)
    fn respond<'py>(
        &self,
        py: Python<'py>,
        point: Input,
        key_length: usize,
    ) -> Result<(Bound<'py, PyBytes>, Bound<'py, PyBytes>), Failure> {
        let point = G1Point::from_slice(&point)?;
        let start = self.start.take()?;
        let response = py.detach(|| start.respond(&point, key_length))?;
        let answer = (
            PyBytes::new(py, &response.point().to_bytes()),
            PyBytes::new(py, &response.confirmation()),
        );
        self.response.put(response)?;
        Ok(answer)
    }

    /// The shared key, if the other side's confirmation S_A is right. Raises ExchangeFailed if not.
    ///
    /// >>> master = kuaimi.sm9.MasterEncryptionKey.generate()
    /// >>> initiator = kuaimi.sm9.KeyExchangeInitiator(master.extract_exchange("alice"), "bob")
    /// >>> responder = kuaimi.sm9.KeyExchangeResponder(master.extract_exchange("bob"), "alice")
    /// >>> key, confirmation = initiator.finish(*responder.respond(initiator.point, 16), 16)
    /// >>> responder.confirm(confirmation) == key
    /// True
    fn confirm<'py>(
        &self,
        py: Python<'py>,
        confirmation: Input,
    ) -> Result<Bound<'py, PyBytes>, Failure> {
        let confirmation = self::confirmation(&confirmation)?;
        let key = self.response.take()?.confirm(confirmation)?;
        Ok(PyBytes::new(py, &key))
    }

    /// The shared key without confirmation.
    ///
    /// >>> master = kuaimi.sm9.MasterEncryptionKey.generate()
    /// >>> initiator = kuaimi.sm9.KeyExchangeInitiator(master.extract_exchange("alice"), "bob")
    /// >>> responder = kuaimi.sm9.KeyExchangeResponder(master.extract_exchange("bob"), "alice")
    /// >>> point, _ = responder.respond(initiator.point, 32)
    /// >>> len(responder.key_unconfirmed())
    /// 32
    fn key_unconfirmed<'py>(&self, py: Python<'py>) -> Result<Bound<'py, PyBytes>, Failure> {
        Ok(PyBytes::new(py, &self.response.take()?.key_unconfirmed()))
    }

    fn __repr__(&self) -> &'static str {
        "<KeyExchangeResponder>"
    }

    fn __reduce__(&self) -> PyResult<()> {
        Err(no_pickle("a key exchange holds secrets"))
    }
}
