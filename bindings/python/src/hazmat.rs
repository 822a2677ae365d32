//! Nonces that the caller chooses: for `kuaimi.compat`, whose originals take them, and for the
//! standards' examples. A nonce that is used twice, is known, or is not uniform gives the private
//! key away. Not part of the public interface.

use kuaimi::sm2::exchange as sm2_steps;
use kuaimi::sm9::{G1Point, exchange as sm9_steps};
use kuaimi_math::arith::U256;
use kuaimi_math::sm2::group;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use zeroize::Zeroizing;

use crate::argument::Identity;
use crate::bytes::Input;
use crate::error::Failure;
use crate::sm4::cipher::block;
use crate::{sm2, sm9};

pub(crate) fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(sm2_multiply, module)?)?;
    module.add_function(wrap_pyfunction!(sm2_sign, module)?)?;
    module.add_function(wrap_pyfunction!(sm2_encrypt, module)?)?;
    module.add_function(wrap_pyfunction!(sm2_exchange, module)?)?;
    module.add_function(wrap_pyfunction!(sm9_sign, module)?)?;
    module.add_function(wrap_pyfunction!(sm9_encrypt, module)?)?;
    module.add_function(wrap_pyfunction!(sm9_encapsulate, module)?)?;
    module.add_function(wrap_pyfunction!(sm9_exchange, module)?)
}

fn number(bytes: &[u8]) -> Result<&[u8; 32], Failure> {
    bytes.try_into().map_err(|_| {
        let found = bytes.len();
        Failure::Argument(format!("a number has 32 bytes, not {found}"))
    })
}

/// [k]P in constant time: 64 bytes, from k (32 bytes, no multiple of n) and P (64 bytes).
#[pyfunction]
fn sm2_multiply<'py>(
    py: Python<'py>,
    k: Input,
    point: Input,
) -> Result<Bound<'py, PyBytes>, Failure> {
    let k = Zeroizing::new(group::scalar_reduce(&U256::from_be_bytes(number(&k)?)));
    // A multiple of n is an error, which may show.
    if bool::from(k.ct_is_zero()) {
        return Err(kuaimi::sm2::Error::PointAtInfinity.into());
    }
    let point = sm2::public_key::point_of(&point)?.to_xy_bytes();
    let point = group::point_from_bytes_vartime(&point)
        .map_err(|_| Failure::Format("the point is not on the SM2 curve".into()))?;
    let product =
        py.detach(|| group::point_to_bytes(&Zeroizing::new(group::point_mul(&k, &point))));
    Ok(PyBytes::new(py, product.as_ref()))
}

/// A signature over a digest, r and s of 32 bytes each.
#[pyfunction]
fn sm2_sign<'py>(
    py: Python<'py>,
    key: &sm2::PrivateKey,
    digest: Input,
    k: Input,
) -> Result<Bound<'py, PyBytes>, Failure> {
    let (digest, k) = (number(&digest)?, number(&k)?);
    let signature = py.detach(|| key.usual_signer().sign_digest_with_nonce(digest, k))?;
    Ok(PyBytes::new(py, &signature.to_bytes()))
}

/// A ciphertext.
#[pyfunction]
fn sm2_encrypt<'py>(
    py: Python<'py>,
    key: &sm2::PublicKey,
    message: Input,
    k: Input,
    form: &str,
) -> Result<Bound<'py, PyBytes>, Failure> {
    let (form, k) = (sm2::ciphertext::form(form)?, number(&k)?);
    let ciphertext = py.detach(|| key.point().encrypt_with_nonce(&message, k))?;
    Ok(PyBytes::new(py, &ciphertext.to_bytes(form)))
}

/// The point [r]G of this side of a key exchange and the shared key, from the other side's point.
/// `begins`: this side is A.
#[pyfunction]
#[expect(
    clippy::too_many_arguments,
    reason = "the Python function has them by name"
)]
fn sm2_exchange<'py>(
    py: Python<'py>,
    key: &sm2::PrivateKey,
    peer: &sm2::PublicKey,
    id: Identity,
    peer_id: Identity,
    r: Input,
    point: Input,
    length: usize,
    begins: bool,
) -> Result<(Bound<'py, PyBytes>, Bound<'py, PyBytes>), Failure> {
    let party = sm2_steps::Party::new(key.secret(), &id)?;
    let peer = sm2_steps::Peer::new(peer.point(), &peer_id)?;
    let (r, theirs) = (number(&r)?, sm2::public_key::point_of(&point)?);
    let (ours, key) = if begins {
        let (initiator, ours) = sm2_steps::Initiator::start_with_nonce(party, peer, r)?;
        (ours, initiator.finish_unconfirmed(&theirs, length)?)
    } else {
        let responder = sm2_steps::Responder::new(party, peer);
        let response = responder.respond_with_nonce(&theirs, length, r)?;
        (*response.point(), response.key_unconfirmed())
    };
    Ok((
        PyBytes::new(py, &ours.to_sec1_bytes()),
        PyBytes::new(py, &key),
    ))
}

/// A signature, h and S.
#[pyfunction]
fn sm9_sign<'py>(
    py: Python<'py>,
    key: &sm9::SigningKey,
    message: Input,
    r: Input,
) -> Result<Bound<'py, PyBytes>, Failure> {
    let r = number(&r)?;
    let signature = py.detach(|| key.0.sign_with_nonce(&message, r))?;
    Ok(PyBytes::new(py, &signature.to_bytes()))
}

/// A ciphertext in the raw form.
#[pyfunction]
fn sm9_encrypt<'py>(
    py: Python<'py>,
    key: &sm9::EncryptionKey,
    message: Input,
    r: Input,
    iv: Input,
    mode: &str,
    mac: &str,
) -> Result<Bound<'py, PyBytes>, Failure> {
    let (options, r) = (sm9::Options::of(mode, mac)?.to_encrypt(), number(&r)?);
    let iv = block("initialization vector", &iv)?;
    let ciphertext = py.detach(|| key.0.encrypt_with_nonce(&message, options, r, &iv))?;
    Ok(PyBytes::new(py, &ciphertext.to_bytes()))
}

/// A key and its encapsulation, 64 bytes.
#[pyfunction]
fn sm9_encapsulate<'py>(
    py: Python<'py>,
    key: &sm9::EncryptionKey,
    length: usize,
    r: Input,
) -> Result<(Bound<'py, PyBytes>, Bound<'py, PyBytes>), Failure> {
    let r = number(&r)?;
    let (shared, point) = py.detach(|| key.0.encapsulate_with_nonce(length, r))?;
    Ok((
        PyBytes::new(py, &shared),
        PyBytes::new(py, &point.to_bytes()),
    ))
}

/// The point of this side of a key exchange and, where the other side's is given, the shared key.
/// `begins`: this side is A.
#[pyfunction]
#[expect(
    clippy::too_many_arguments,
    reason = "the Python function has them by name"
)]
fn sm9_exchange<'py>(
    py: Python<'py>,
    key: &sm9::ExchangeKey,
    peer_identity: Identity,
    peer_hid: Option<u8>,
    r: Input,
    point: Option<Input>,
    length: usize,
    begins: bool,
) -> Result<(Bound<'py, PyBytes>, Option<Bound<'py, PyBytes>>), Failure> {
    let r = number(&r)?;
    let party = sm9_steps::Party::new(&key.0);
    let peer = sm9_steps::Peer::new(sm9::identity(&peer_identity, peer_hid))?;
    let (initiator, ours) = sm9_steps::Initiator::start_with_nonce(party.clone(), peer.clone(), r)?;
    let ours = PyBytes::new(py, &ours.to_bytes());
    let Some(point) = point else {
        return Ok((ours, None));
    };
    let theirs = G1Point::from_slice(&point)?;
    let shared = if begins {
        initiator.finish_unconfirmed(&theirs, length)?
    } else {
        sm9_steps::Responder::new(party, peer)
            .respond_with_nonce(&theirs, length, r)?
            .key_unconfirmed()
    };
    Ok((ours, Some(PyBytes::new(py, &shared))))
}
