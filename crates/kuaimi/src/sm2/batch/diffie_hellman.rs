//! Many Diffie–Hellman secrets (SEC 1, clause 3.3.1; RFC 8998, clause 3.2).

use alloc::vec;
use alloc::vec::Vec;

use zeroize::{Zeroize, Zeroizing};

use super::LONG;
use crate::batch::{Threads, in_chunks};
use crate::sm2::{PrivateKey, PublicKey};
use kuaimi_math::arith::U256;
use kuaimi_math::sm2::group::{self, Point};

/// The shared secrets of plain Diffie–Hellman: for each private key and its peer's public key what
/// [`PrivateKey::diffie_hellman`] gives. For servers that have many handshakes of TLS 1.3 to
/// answer.
///
/// The secrets are one after the other, 32 bytes each, and are wiped when dropped. Constant time in
/// the private keys.
///
/// ```
/// # #[cfg(feature = "std")] {
/// use kuaimi::Threads;
/// use kuaimi::sm2::batch::diffie_hellman_batch;
/// use kuaimi::sm2::PrivateKey;
///
/// let (client, server) = (PrivateKey::generate()?, PrivateKey::generate()?);
/// let pairs = [(&client, server.public_key()), (&server, client.public_key())];
/// let secrets = diffie_hellman_batch(&pairs, Threads::One);
/// assert_eq!(secrets[0], *client.diffie_hellman(server.public_key()));
/// assert_eq!(secrets[0], secrets[1]);
/// # }
/// # Ok::<(), kuaimi::sm2::Error>(())
/// ```
pub fn diffie_hellman_batch(
    pairs: &[(&PrivateKey, &PublicKey)],
    threads: Threads,
) -> Zeroizing<Vec<[u8; 32]>> {
    let mut secrets = Zeroizing::new(vec![[0; 32]; pairs.len()]);
    in_chunks(
        (threads, LONG),
        pairs,
        &mut secrets,
        group::chunk(),
        |pairs, out| {
            let integers = pairs.iter().map(|(key, _)| key.integer());
            let d: Zeroizing<Vec<U256>> = Zeroizing::new(integers.collect());
            let peers: Vec<Point> = pairs.iter().map(|(_, peer)| peer.to_point()).collect();
            let mut shared = Zeroizing::new(vec![Point::default(); pairs.len()]);
            group::point_mul_many(&d, &peers, &mut shared);
            for (out, shared) in out.iter_mut().zip(shared.iter()) {
                let mut xy = group::point_to_bytes(shared);
                out.copy_from_slice(&xy[..32]);
                xy.zeroize();
            }
        },
    );
    secrets
}
