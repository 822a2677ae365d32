//! A message in each lane of an engine's vectors.
//!
//! This module keeps the lanes full. A lane whose message ends gives out its digest and takes the
//! next message, so that messages of all lengths may be mixed. When too few are left to be worth
//! the lanes, those are finished one by one from where they are.
//!
//! Whole blocks of a message are compressed in place, without a copy. Blocks that lie in more than
//! one part, and the last ones with the padding, are put together in a buffer of the lane.

#![forbid(unsafe_code)]

use core::borrow::Borrow;

use zeroize::optimization_barrier;

use super::super::backend::lanes::{Engine, States};
use super::super::compress::compress_blocks;
use super::super::hasher::to_bytes;
use super::super::{BLOCK_LEN, DIGEST_LEN, Sm3, State};
use super::one_by_one;

/// When the buffer has this many bytes, it is compressed: so a short message with its padding is
/// one run.
const FULL: usize = 2 * BLOCK_LEN;
/// Blocks of the buffer: it holds at most `FULL` bytes of the message, and the padding after them.
const BUFFER_BLOCKS: usize = 4;

/// A lane, and the message in it.
struct Lane<'a, P> {
    /// The number of the message.
    number: usize,
    /// Bytes of the message in the parts taken so far.
    len: u64,
    /// The rest of the current part.
    rest: &'a [u8],
    /// The parts after the current one. `None` in an idle lane.
    parts: Option<P>,
    /// Blocks of the current part that are compressed next, in place.
    whole: &'a [[u8; BLOCK_LEN]],
    buffer: [[u8; BLOCK_LEN]; BUFFER_BLOCKS],
    /// Where `whole` is empty, blocks `buffered.0` to `buffered.1` of the buffer are compressed
    /// next.
    buffered: (usize, usize),
    /// Bytes in the buffer that the start state had not compressed.
    waiting: usize,
    /// Whether the padding is in the buffer.
    padded: bool,
}

impl<'a, P: Iterator<Item = &'a [u8]>> Lane<'a, P> {
    const fn idle() -> Self {
        Self {
            number: 0,
            len: 0,
            rest: &[],
            parts: None,
            whole: &[],
            buffer: [[0; BLOCK_LEN]; BUFFER_BLOCKS],
            buffered: (0, 0),
            waiting: 0,
            padded: true,
        }
    }

    /// Starts a message, and finds its first run.
    #[inline(always)]
    fn begin(&mut self, number: usize, start: &Sm3, parts: P) {
        self.number = number;
        self.len = start.len;
        self.rest = &[];
        self.parts = Some(parts);
        self.buffer[0] = start.buf;
        self.waiting = start.buffered();
        self.padded = false;
        self.fetch();
    }

    #[inline(always)]
    fn is_busy(&self) -> bool {
        self.parts.is_some()
    }

    /// The blocks that are compressed next: at least one in a busy lane.
    #[inline(always)]
    fn run(&self) -> &[[u8; BLOCK_LEN]] {
        if self.whole.is_empty() {
            &self.buffer[self.buffered.0..self.buffered.1]
        } else {
            self.whole
        }
    }

    /// Drops the first `count` blocks of the run, which were compressed. If none are left, finds
    /// the next run. Returns whether there is a run.
    #[inline(always)]
    fn advance(&mut self, count: usize) -> bool {
        if self.whole.is_empty() {
            self.buffered.0 += count;
            self.buffered.0 < self.buffered.1 || self.fetch()
        } else {
            self.whole = &self.whole[count..];
            !self.whole.is_empty() || self.fetch()
        }
    }

    /// Finds the next run, and returns whether there is one. All of the last run was compressed.
    #[inline]
    fn fetch(&mut self) -> bool {
        if self.padded {
            self.parts = None;
            return false;
        }
        let mut waiting = core::mem::take(&mut self.waiting);
        while waiting < FULL {
            if self.rest.is_empty() {
                match self.parts.as_mut().and_then(Iterator::next) {
                    Some(part) => {
                        self.rest = part;
                        self.len = self.len.wrapping_add(part.len() as u64);
                        continue;
                    }
                    None => {
                        waiting = self.pad(waiting);
                        break;
                    }
                }
            }
            // Long parts are not copied.
            if self.rest.len() >= FULL && waiting.is_multiple_of(BLOCK_LEN) {
                if waiting == 0 {
                    (self.whole, self.rest) = self.rest.as_chunks();
                    return true;
                }
                break;
            }
            let (now, later) = self.rest.split_at(self.rest.len().min(FULL - waiting));
            self.buffer.as_flattened_mut()[waiting..][..now.len()].copy_from_slice(now);
            waiting += now.len();
            self.rest = later;
        }
        self.buffered = (0, waiting / BLOCK_LEN);
        true
    }

    /// Appends the padding (5.2) to the `waiting < FULL` bytes in the buffer, and returns where it
    /// ends.
    #[inline(always)]
    fn pad(&mut self, waiting: usize) -> usize {
        /// A bit 1, and zeros for at most a block and the length.
        static PADDING: [u8; 1 + BLOCK_LEN + 8] = {
            let mut padding = [0; 1 + BLOCK_LEN + 8];
            padding[0] = 0x80;
            padding
        };
        let end = (waiting + 1 + 8).next_multiple_of(BLOCK_LEN);
        let buffer = self.buffer.as_flattened_mut();
        // All of it, as a copy of a fixed length is a few instructions.
        buffer[waiting..][..PADDING.len()].copy_from_slice(&PADDING);
        buffer[end - 8..end].copy_from_slice(&self.len.wrapping_mul(8).to_be_bytes());
        self.padded = true;
        end
    }

    /// Hashes the rest of the message alone, from the given state.
    fn finish(&mut self, mut state: State) -> [u8; DIGEST_LEN] {
        loop {
            let run = self.run();
            compress_blocks(&mut state, run);
            let count = run.len();
            if !self.advance(count) {
                return to_bytes(&state);
            }
        }
    }
}

impl<P> Drop for Lane<'_, P> {
    fn drop(&mut self) {
        self.buffer = [[0; BLOCK_LEN]; BUFFER_BLOCKS];
        optimization_barrier(&self.buffer);
    }
}

/// Hashes all messages in the lanes of an engine.
pub(in super::super) fn in_lanes<'a, const N: usize, E, S, P>(
    engine: E,
    mut messages: impl Iterator<Item = (usize, (S, P))>,
    mut each: impl FnMut(usize, [u8; DIGEST_LEN]),
) where
    E: Engine<N>,
    S: Borrow<Sm3>,
    P: Iterator<Item = &'a [u8]>,
{
    // Too few to be worth setting up the lanes.
    if messages
        .size_hint()
        .1
        .is_some_and(|most| most < E::MIN_LANES)
    {
        return one_by_one(messages, each);
    }
    let mut states = States::new();
    let mut lanes: [Lane<'a, P>; N] = [const { Lane::idle() }; N];
    let mut take_next = |lane: &mut Lane<'a, P>, state: (usize, &mut States<N>)| {
        let Some((number, (start, parts))) = messages.next() else {
            return false;
        };
        let (l, states) = state;
        let start = start.borrow();
        states.set(l, &start.state);
        lane.begin(number, start, parts);
        true
    };
    let mut busy = 0;
    for (l, lane) in lanes.iter_mut().enumerate() {
        if !take_next(lane, (l, &mut states)) {
            break;
        }
        busy += 1;
    }
    while busy >= E::MIN_LANES {
        // An idle lane compresses the blocks of a busy one, and its result is ignored.
        let any = lanes.iter().find(|lane| lane.is_busy());
        let any = any.map_or(&[][..], Lane::run);
        let runs = lanes
            .each_ref()
            .map(|lane| if lane.is_busy() { lane.run() } else { any });
        let count = engine.compress(&mut states, &runs);
        for (l, lane) in lanes.iter_mut().enumerate() {
            if lane.is_busy() && !lane.advance(count) {
                each(lane.number, to_bytes(&states.get(l)));
                if !take_next(lane, (l, &mut states)) {
                    busy -= 1;
                }
            }
        }
    }
    for (l, lane) in lanes.iter_mut().enumerate() {
        if lane.is_busy() {
            each(lane.number, lane.finish(states.get(l)));
        }
    }
}
