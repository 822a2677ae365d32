//! Many shared secrets of plain Diffie-Hellman on SM2's curve.

use kuaimi::Threads;
use kuaimi::sm2::batch::diffie_hellman_batch;
use kuaimi::sm2::{self, PrivateKey, PublicKey};
use pyo3::prelude::*;
use zeroize::Zeroizing;

use super::column::rows_of;
use super::keys::{KeyOf, PrivateKeys, PublicKeys};
use super::output::{Outcome, Output, all, give, together};
use super::pool;
use crate::error::Failure;

/// Computes many shared secrets of plain Diffie-Hellman, 32 bytes each: the x-coordinate of the
/// product of a private key and a peer's public key, as TLS 1.3 computes it under the name curveSM2
/// (RFC 8998). An Arrow column where Arrow came in.
///
/// keys: an SM2PrivateKey for all rows, or a list of them. peers: public keys, as for
/// encrypt_batch. Use a fresh private key for each exchange, and derive keys from the secret with a
/// KDF that also takes in both public keys. The key exchange of the standard, which authenticates
/// both parties, is another one: KeyExchangeInitiator. Constant time in the private keys.
///
/// Raises InvalidArgument with the first row whose peer is no public key; with reasons=True, such
/// rows are None, and the reasons come beside.
///
/// >>> client, server = kuaimi.sm2.generate_batch(2)
/// >>> keys, peers = [client, server], [server.public_key(), client.public_key()]
/// >>> secrets = kuaimi.sm2.diffie_hellman_batch(keys, peers)
/// >>> secrets[0] == secrets[1], len(secrets[0])
/// (True, 32)
#[pyfunction]
#[pyo3(signature = (keys, peers, *, threads = None, reasons = false, output = None))]
pub(super) fn sm2_diffie_hellman_batch<'py>(
    py: Python<'py>,
    keys: &Bound<'py, PyAny>,
    peers: &Bound<'py, PyAny>,
    threads: Option<usize>,
    reasons: bool,
    output: Option<&str>,
) -> Result<Bound<'py, PyAny>, Failure> {
    let keys = PrivateKeys::of(keys)?;
    let peers = PublicKeys::of(peers)?;
    let rows = rows_of(&[("keys", keys.rows()), ("peers", peers.rows())])?;
    let output = Output::of(output, peers.is_arrow())?;
    let secrets: Vec<Outcome<Zeroizing<[u8; 32]>>> = pool::run(py, threads, || {
        let read = peers.read();
        let decoded = read.decode(rows, None);
        let item = |row: usize| -> Outcome<(&PrivateKey, &PublicKey)> {
            let (key, peer) = (keys.get(row)?.secret(), read.get(&decoded, row)?);
            Some(match peer {
                KeyOf::Object(peer) => Ok((key, peer.recipient().public_key())),
                KeyOf::Decoded(peer) => Ok((key, peer)),
                KeyOf::Signer(peer) => Ok((key, peer.public_key())),
                KeyOf::Malformed(error) => Err(error.clone().into()),
            })
        };
        let items: Vec<Outcome<(&PrivateKey, &PublicKey)>> = (0..rows).map(item).collect();
        together(
            items,
            || sm2::Error::Random,
            |pairs| {
                let secrets = diffie_hellman_batch(pairs, Threads::Pool);
                secrets.iter().map(|one| Ok(Zeroizing::new(*one))).collect()
            },
        )
    })?;
    if reasons {
        return Ok(give(py, output, secrets, Some(32), true)?);
    }
    Ok(output.bytes(py, &all(secrets)?, Some(32))?)
}
