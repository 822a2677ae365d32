//! Several blocks of the key stream at once, one in each lane of an engine's vectors.

#![forbid(unsafe_code)]

use zeroize::optimization_barrier;

use super::super::backend::lanes::{Engine, States};
use super::super::{BLOCK_LEN, DIGEST_LEN};
use super::{COUNTER_LEN, Kdf};

/// The last blocks of the messages, the states and the digests, one a lane. Wiped when dropped.
struct Lanes<const N: usize> {
    last: [[[u8; BLOCK_LEN]; 2]; N],
    states: States<N>,
    stream: [[u8; DIGEST_LEN]; N],
}

impl<const N: usize> Drop for Lanes<N> {
    fn drop(&mut self) {
        self.last = [[[0; BLOCK_LEN]; 2]; N];
        self.stream = [[0; DIGEST_LEN]; N];
        optimization_barrier(self);
    }
}

impl Kdf {
    /// Applies whole blocks of the stream, several computed at once, as long as enough are left.
    /// Returns the rest of `out`.
    #[inline(always)]
    pub(super) fn apply_lanes<'a, const N: usize, E: Engine<N>>(
        &mut self,
        engine: E,
        mut out: &'a mut [[u8; DIGEST_LEN]],
        op: &impl Fn(&mut u8, u8),
    ) -> &'a mut [[u8; DIGEST_LEN]] {
        if out.len() < E::MIN_LANES {
            return out;
        }
        let mut lanes = Lanes {
            last: [self.last; N],
            states: States::new(),
            stream: [[0; DIGEST_LEN]; N],
        };
        let count = if self.two { 2 } else { 1 };
        let mut seen = 0;
        while out.len() >= E::MIN_LANES {
            let (now, later) = out.split_at_mut(out.len().min(N));
            // In lanes that no output is left for, the counter may pass its end: their blocks are
            // not used.
            for (last, counter) in lanes.last.iter_mut().zip(self.next..) {
                last.as_flattened_mut()[self.counter_at..][..COUNTER_LEN]
                    .copy_from_slice(&(counter as u32).to_be_bytes());
            }
            lanes.states.set_all(&self.prefix);
            let runs = lanes.last.each_ref().map(|last| &last[..count]);
            engine.compress(&mut lanes.states, &runs);
            engine.digests(&lanes.states, &mut lanes.stream);
            for (block, key) in now.iter_mut().zip(&lanes.stream) {
                for (byte, &key) in block.iter_mut().zip(key) {
                    seen |= key;
                    op(byte, key);
                }
            }
            self.next += now.len() as u64;
            out = later;
        }
        self.seen |= u32::from(seen);
        out
    }
}
