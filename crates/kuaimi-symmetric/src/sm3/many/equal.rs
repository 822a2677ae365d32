//! Messages of the same length, one in each lane: they end together, so that nothing is done lane
//! by lane but the copy of the last bytes.

#![forbid(unsafe_code)]

use zeroize::optimization_barrier;

use super::super::backend::lanes::{Engine, States};
use super::super::{BLOCK_LEN, DIGEST_LEN, IV};

/// The last bytes of the messages with their padding, and the states. Wiped when dropped.
struct Lanes<const N: usize> {
    last: [[[u8; BLOCK_LEN]; 2]; N],
    states: States<N>,
}

impl<const N: usize> Drop for Lanes<N> {
    fn drop(&mut self) {
        self.last = [[[0; BLOCK_LEN]; 2]; N];
        optimization_barrier(self);
    }
}

/// Hashes messages of `len` bytes, as many as fill the lanes, from the first on. `message` gives a
/// message by its number. The last places, fewer than lanes, are left as they are; returns how many
/// were filled.
pub(in super::super) fn equal_lengths<'a, const N: usize, E: Engine<N>>(
    engine: E,
    len: usize,
    message: &dyn Fn(usize) -> &'a [u8],
    digests: &mut [[u8; DIGEST_LEN]],
) -> usize {
    let (groups, _) = digests.as_chunks_mut::<N>();
    let filled = groups.len() * N;
    let mut lanes = Lanes {
        last: [[[0; BLOCK_LEN]; 2]; N],
        states: States::new(),
    };
    // The padding (5.2): a bit 1, zeros, and the length in bits.
    let whole = len - len % BLOCK_LEN;
    let blocks = (len - whole + 1 + 8).div_ceil(BLOCK_LEN);
    for last in &mut lanes.last {
        let last = last[..blocks].as_flattened_mut();
        last[len - whole] = 0x80;
        let end = last.len();
        last[end - 8..].copy_from_slice(&(len as u64).wrapping_mul(8).to_be_bytes());
    }
    for (group, digests) in groups.iter_mut().enumerate() {
        // If a caller's type gives another length now than before, the digest is that of other
        // bytes.
        let messages: [&[u8]; N] = core::array::from_fn(|l| message(group * N + l));
        lanes.states.set_all(&IV);
        if whole > 0 {
            engine.compress(
                &mut lanes.states,
                &messages.map(|message| message.as_chunks().0),
            );
        }
        for (last, message) in lanes.last.iter_mut().zip(messages) {
            if let Some(bytes) = message.get(whole..len) {
                last.as_flattened_mut()[..bytes.len()].copy_from_slice(bytes);
            }
        }
        let runs = lanes.last.each_ref().map(|last| &last[..blocks]);
        engine.compress(&mut lanes.states, &runs);
        engine.digests(&lanes.states, digests);
    }
    filled
}
