//! Key exchange (GB/T 32918.3-2016).

use kuaimi::sm2::exchange::{self, Party, Peer, Response};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use super::public_key::point_of;
use super::{PrivateKey, PublicKey};
use crate::argument::{Identity, id_or_default};
use crate::bytes::Input;
use crate::error::{Failure, no_pickle};
use crate::once::Once;

/// A confirmation of 32 bytes. One of another length confirms nothing.
pub(crate) fn confirmation(bytes: &[u8]) -> Result<&[u8; 32], Failure> {
    bytes
        .try_into()
        .map_err(|_| kuaimi::sm2::Error::ConfirmationFailed.into())
}

fn parties(
    private_key: &PrivateKey,
    peer_public_key: &PublicKey,
    id: &Option<Identity>,
    peer_id: &Option<Identity>,
) -> Result<(Party, Peer), Failure> {
    Ok((
        Party::new(private_key.secret(), id_or_default(id))?,
        Peer::new(peer_public_key.point(), id_or_default(peer_id))?,
    ))
}

/// The side of an SM2 key exchange that begins (GB/T 32918.3-2016, clause 6). Each object serves
/// one exchange.
///
/// Send point to the other side, and give its answer to finish. Constant time in the keys.
/// Identities are b"1234567812345678" by default.
///
/// >>> alice, bob = kuaimi.sm2.SM2PrivateKey.generate(), kuaimi.sm2.SM2PrivateKey.generate()
/// >>> initiator = kuaimi.sm2.KeyExchangeInitiator(alice, bob.public_key())
/// >>> responder = kuaimi.sm2.KeyExchangeResponder(bob, alice.public_key())
/// >>> point, from_bob = responder.respond(initiator.point, 16)
/// >>> key, from_alice = initiator.finish(point, from_bob, 16)
/// >>> responder.confirm(from_alice) == key
/// True
#[pyclass(frozen, name = "KeyExchangeInitiator", module = "kuaimi.sm2")]
pub(crate) struct Initiator {
    state: Once<exchange::Initiator>,
    /// Not stored.
    point: Option<[u8; 65]>,
}

#[pymethods]
impl Initiator {
    #[new]
    #[pyo3(signature = (private_key, peer_public_key, id = None, peer_id = None))]
    fn new(
        py: Python<'_>,
        private_key: &PrivateKey,
        peer_public_key: &PublicKey,
        id: Option<Identity>,
        peer_id: Option<Identity>,
    ) -> Result<Self, Failure> {
        let (party, peer) = parties(private_key, peer_public_key, &id, &peer_id)?;
        let (state, point) = py.detach(|| exchange::Initiator::start(party, peer))?;
        Ok(Self {
            state: Once::new(state),
            point: Some(point.to_sec1_bytes()),
        })
    }

    /// The point R_A for the other side: 65 bytes. None of an exchange that was stored: send it
    /// before.
    ///
    /// >>> key = kuaimi.sm2.SM2PrivateKey.generate()
    /// >>> len(kuaimi.sm2.KeyExchangeInitiator(key, key.public_key()).point)
    /// 65
    #[getter]
    fn point<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyBytes>> {
        self.point.map(|point| PyBytes::new(py, &point))
    }

    /// The shared key of key_length bytes, and the confirmation S_A for the other side, from its
    /// point R_B and its confirmation S_B.
    ///
    /// Raises ExchangeFailed where the other side does not hold the same key; FormatError for what
    /// is no point; AlreadyFinalized the second time.
    ///
    /// >>> key = kuaimi.sm2.SM2PrivateKey.generate()
    /// >>> initiator = kuaimi.sm2.KeyExchangeInitiator(key, key.public_key())
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
        let point = point_of(&point)?;
        let confirmation = self::confirmation(&confirmation)?;
        let state = self.state.take()?;
        let (key, ours) = py.detach(|| state.finish(&point, confirmation, key_length))?;
        Ok((PyBytes::new(py, &key), PyBytes::new(py, &ours)))
    }

    /// The shared key without confirmation: whether the other side has the same one shows when it
    /// is used.
    ///
    /// >>> alice, bob = kuaimi.sm2.SM2PrivateKey.generate(), kuaimi.sm2.SM2PrivateKey.generate()
    /// >>> initiator = kuaimi.sm2.KeyExchangeInitiator(alice, bob.public_key())
    /// >>> responder = kuaimi.sm2.KeyExchangeResponder(bob, alice.public_key())
    /// >>> point, _ = responder.respond(initiator.point, 16)
    /// >>> initiator.finish_unconfirmed(point, 16) == responder.key_unconfirmed()
    /// True
    fn finish_unconfirmed<'py>(
        &self,
        py: Python<'py>,
        point: Input,
        key_length: usize,
    ) -> Result<Bound<'py, PyBytes>, Failure> {
        let point = point_of(&point)?;
        let state = self.state.take()?;
        let key = py.detach(|| state.finish_unconfirmed(&point, key_length))?;
        Ok(PyBytes::new(py, &key))
    }

    /// What to store until the other side has answered; secret. It does not hold the private key.
    ///
    /// >>> key = kuaimi.sm2.SM2PrivateKey.generate()
    /// >>> state = kuaimi.sm2.KeyExchangeInitiator(key, key.public_key()).to_bytes()
    /// >>> kuaimi.sm2.KeyExchangeInitiator.from_bytes(state, key)
    /// <KeyExchangeInitiator>
    fn to_bytes<'py>(&self, py: Python<'py>) -> Result<Bound<'py, PyBytes>, Failure> {
        let bytes = self.state.with(exchange::Initiator::to_bytes)?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// The exchange that was stored, with the private key that it was started with.
    ///
    /// Raises FormatError for another key, and for a state that was altered.
    ///
    /// >>> key = kuaimi.sm2.SM2PrivateKey.generate()
    /// >>> kuaimi.sm2.KeyExchangeInitiator.from_bytes(b"no state", key)
    /// Traceback (most recent call last):
    /// kuaimi.errors.FormatError: ...
    #[staticmethod]
    fn from_bytes(state: Input, private_key: &PrivateKey) -> Result<Self, Failure> {
        let state = exchange::Initiator::from_bytes(&state, private_key.secret())?;
        Ok(Self {
            state: Once::new(state),
            point: None,
        })
    }

    fn __repr__(&self) -> &'static str {
        "<KeyExchangeInitiator>"
    }

    fn __reduce__(&self) -> PyResult<()> {
        Err(no_pickle("a key exchange holds secrets"))
    }
}

/// The side of an SM2 key exchange that answers (GB/T 32918.3-2016, clause 6). Each object serves
/// one exchange.
///
/// >>> key = kuaimi.sm2.SM2PrivateKey.generate()
/// >>> responder = kuaimi.sm2.KeyExchangeResponder(key, key.public_key(), "bob", "alice")
#[pyclass(frozen, name = "KeyExchangeResponder", module = "kuaimi.sm2")]
pub(crate) struct Responder {
    start: Once<exchange::Responder>,
    response: Once<Response>,
}

#[pymethods]
impl Responder {
    #[new]
    #[pyo3(signature = (private_key, peer_public_key, id = None, peer_id = None))]
    fn new(
        private_key: &PrivateKey,
        peer_public_key: &PublicKey,
        id: Option<Identity>,
        peer_id: Option<Identity>,
    ) -> Result<Self, Failure> {
        let (party, peer) = parties(private_key, peer_public_key, &id, &peer_id)?;
        Ok(Self {
            start: Once::new(exchange::Responder::new(party, peer)),
            response: Once::empty(),
        })
    }

    /// The point R_B (65 bytes) and the confirmation S_B (32 bytes) for the other side, from its
    /// point; the key has key_length bytes.
    ///
    /// >>> alice, bob = kuaimi.sm2.SM2PrivateKey.generate(), kuaimi.sm2.SM2PrivateKey.generate()
    /// >>> responder = kuaimi.sm2.KeyExchangeResponder(bob, alice.public_key())
    /// >>> initiator = kuaimi.sm2.KeyExchangeInitiator(alice, bob.public_key())
    /// >>> point, confirmation = responder.respond(initiator.point, 16)
    fn respond<'py>(
        &self,
        py: Python<'py>,
        point: Input,
        key_length: usize,
    ) -> Result<(Bound<'py, PyBytes>, Bound<'py, PyBytes>), Failure> {
        let point = point_of(&point)?;
        let start = self.start.take()?;
        let response = py.detach(|| start.respond(&point, key_length))?;
        let answer = (
            PyBytes::new(py, &response.point().to_sec1_bytes()),
            PyBytes::new(py, &response.confirmation()),
        );
        self.response.put(response)?;
        Ok(answer)
    }

    /// The shared key, if the other side's confirmation S_A is right. Raises ExchangeFailed if not.
    ///
    /// >>> alice, bob = kuaimi.sm2.SM2PrivateKey.generate(), kuaimi.sm2.SM2PrivateKey.generate()
    /// >>> initiator = kuaimi.sm2.KeyExchangeInitiator(alice, bob.public_key())
    /// >>> responder = kuaimi.sm2.KeyExchangeResponder(bob, alice.public_key())
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
    /// >>> alice, bob = kuaimi.sm2.SM2PrivateKey.generate(), kuaimi.sm2.SM2PrivateKey.generate()
    /// >>> initiator = kuaimi.sm2.KeyExchangeInitiator(alice, bob.public_key())
    /// >>> responder = kuaimi.sm2.KeyExchangeResponder(bob, alice.public_key())
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
