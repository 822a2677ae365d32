//! The pseudorandom function and what it derives (GB/T 38636-2020, 5.2 and 6.5).

use kuaimi::external::hmac::{KeyInit, Mac};
use kuaimi::sm3::HmacSm3;
use zeroize::{Zeroize, ZeroizeOnDrop, Zeroizing};

pub(crate) const MASTER_LEN: usize = 48;
pub(crate) const VERIFY_DATA_LEN: usize = 12;

pub(crate) type MasterSecret = Zeroizing<[u8; MASTER_LEN]>;

/// `PRF(secret, label, seed) = P_SM3(secret, label ‖ seed)` (5.2.3), where `seed` is two parts.
///
/// ```text
/// P_SM3(secret, seed) = HMAC(secret, A(1) ‖ seed) ‖ HMAC(secret, A(2) ‖ seed) ‖ …
/// A(0) = seed, A(i) = HMAC(secret, A(i − 1))
/// ```
fn prf(secret: &[u8], label: &[u8], seed: [&[u8]; 2], out: &mut [u8]) {
    let keyed = hmac(secret);
    let seeded = |mut mac: HmacSm3| {
        mac.update(label);
        mac.update(seed[0]);
        mac.update(seed[1]);
        mac
    };
    let mut a = Zeroizing::new(<[u8; 32]>::from(
        seeded(keyed.clone()).finalize().into_bytes(),
    ));
    for part in out.chunks_mut(32) {
        let mut mac = keyed.clone();
        mac.update(a.as_ref());
        let mut block: [u8; 32] = seeded(mac).finalize().into_bytes().into();
        part.copy_from_slice(&block[..part.len()]);
        block.zeroize();
        let mut mac = keyed.clone();
        mac.update(a.as_ref());
        *a = mac.finalize().into_bytes().into();
    }
}

fn hmac(secret: &[u8]) -> HmacSm3 {
    // Secrets here have 48 bytes, less than a block: HMAC pads them with zeros.
    let mut block = Zeroizing::new([0; 64]);
    block[..secret.len()].copy_from_slice(secret);
    HmacSm3::new((&*block).into())
}

/// `master_secret = PRF(pre_master_secret, "master secret", client_random + server_random)`
/// (6.5.1).
pub(crate) fn master_secret(
    premaster: &[u8; MASTER_LEN],
    client_random: &[u8; 32],
    server_random: &[u8; 32],
) -> MasterSecret {
    let mut master = Zeroizing::new([0; MASTER_LEN]);
    let seed: [&[u8]; 2] = [client_random, server_random];
    prf(premaster, b"master secret", seed, master.as_mut());
    master
}

/// `verify_data = PRF(master_secret, finished_label, SM3(handshake_messages))[0..11]` (6.4.5.10).
pub(crate) fn verify_data(
    master: &[u8; MASTER_LEN],
    is_client: bool,
    transcript: &[u8; 32],
) -> [u8; VERIFY_DATA_LEN] {
    let label: &[u8] = match is_client {
        true => b"client finished",
        false => b"server finished",
    };
    let mut out = [0; VERIFY_DATA_LEN];
    prf(master, label, [transcript, &[]], &mut out);
    out
}

/// The keys of one direction.
#[derive(Clone, Zeroize, ZeroizeOnDrop)]
pub(crate) struct Keys {
    /// Of CBC's MAC.
    pub(crate) mac: [u8; 32],
    pub(crate) key: [u8; 16],
    /// The first four bytes of GCM's nonces.
    pub(crate) salt: [u8; 4],
}

/// `key_block = PRF(master_secret, "key expansion", server_random + client_random)` (6.5.2), which
/// is cut into the MAC keys, the cipher's keys and the IVs, the client's before the server's. GCM
/// has no MAC keys, and CBC sends its IVs.
pub(crate) fn keys(
    master: &[u8; MASTER_LEN],
    client_random: &[u8; 32],
    server_random: &[u8; 32],
    has_mac: bool,
) -> [Keys; 2] {
    let mut block = Zeroizing::new([0; 2 * (32 + 16 + 4)]);
    let seed: [&[u8]; 2] = [server_random, client_random];
    prf(master, b"key expansion", seed, block.as_mut());
    let macs = if has_mac { 64 } else { 0 };
    [0, 1].map(|side| {
        let mut keys = Keys {
            mac: [0; 32],
            key: [0; 16],
            salt: [0; 4],
        };
        if has_mac {
            keys.mac.copy_from_slice(&block[32 * side..][..32]);
        }
        keys.key.copy_from_slice(&block[macs + 16 * side..][..16]);
        keys.salt
            .copy_from_slice(&block[macs + 32 + 4 * side..][..4]);
        keys
    })
}
