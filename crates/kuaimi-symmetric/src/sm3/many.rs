//! Many messages at once: a message in each lane of the processor's vectors.
//!
//! Hashing one message is a chain in which each operation waits for the one before it. Messages do not wait for each
//! other: [`lanes`](super::backend::lanes) compresses a block of each of 4, 8 or 16 of them in little more time than one.
//! This file keeps the lanes full. A lane whose message ends gives out its digest and takes the next message, so that
//! lengths may be mixed at will; when too few are left for the lanes to pay, those go on one by one from where they are.
//!
//! A message is whatever a hash has absorbed already and the parts that follow. Its whole blocks are compressed where
//! they lie; blocks that straddle parts, and the last with the padding, are put together in a lane's own three blocks.

#![forbid(unsafe_code)]
#![cfg_attr(
    any(not(target_arch = "x86_64"), miri),
    allow(dead_code, reason = "without vectors, messages go one by one")
)]

use alloc::vec::Vec;
use core::borrow::Borrow;

use zeroize::optimization_barrier;

use super::backend::lanes::{self, Engine, Kind, States, with_engine};
use super::compress::compress_blocks;
use super::hasher::to_bytes;
use super::{BLOCK_LEN, DIGEST_LEN, Sm3, State};

/// The SM3 digests of many messages: faster than one by one, by the number of lanes that this processor has.
///
/// The messages may have any lengths, in any mixture; equal lengths are not needed. Constant time in their content.
/// One allocation, for the digests. [`hash_many`] is the general form: for messages that come in parts or share a
/// beginning, and without an allocation.
///
/// ```
/// use kuaimi::sm3::{digest, digest_many};
///
/// let messages: [&[u8]; 3] = [b"abc", b"", b"a longer one"];
/// assert_eq!(digest_many(&messages), messages.map(digest));
/// ```
///
/// Source: GB/T 32905-2016, clause 5.
pub fn digest_many<M: AsRef<[u8]>>(messages: &[M]) -> Vec<[u8; DIGEST_LEN]> {
    static EMPTY: Sm3 = Sm3::new();
    let mut digests = alloc::vec![[0; DIGEST_LEN]; messages.len()];
    let messages = messages.iter().map(|message| (&EMPTY, [message.as_ref()]));
    hash_many(messages, |i, digest| {
        if let Some(place) = digests.get_mut(i) {
            *place = digest;
        }
    });
    digests
}

/// Goes on with many hashes at once. Each message is a hash, which keeps what it has absorbed, and the parts that come
/// after that; `each` gets the number of the message, from 0 on, and the digest of all of it.
///
/// The digests do not come in the order of the messages. Messages are taken from the iterator as lanes fall free, so
/// there may be more of them than fit in memory. No allocation. Constant time in the content; wiped before it returns.
///
/// ```
/// use kuaimi::sm3::{Sm3, digest, hash_many};
///
/// let mut prefix = Sm3::new();
/// prefix.update(b"shared ");
/// let names = ["alice", "bob"];
/// let messages = names.iter().map(|name| (&prefix, [b"by ".as_slice(), name.as_bytes()]));
///
/// let mut digests = [[0; 32]; 2];
/// hash_many(messages, |i, digest| digests[i] = digest);
/// assert_eq!(digests, [digest(b"shared by alice"), digest(b"shared by bob")]);
/// ```
///
/// Source: GB/T 32905-2016, clause 5.
pub fn hash_many<'a, S, P>(
    messages: impl IntoIterator<Item = (S, P)>,
    each: impl FnMut(usize, [u8; DIGEST_LEN]),
) where
    S: Borrow<Sm3>,
    P: IntoIterator<Item = &'a [u8]>,
{
    hash_many_in(lanes::selected(), messages, each);
}

/// As [`hash_many`], in lanes of this kind.
pub(super) fn hash_many_in<'a, S, P>(
    kind: Kind,
    messages: impl IntoIterator<Item = (S, P)>,
    each: impl FnMut(usize, [u8; DIGEST_LEN]),
) where
    S: Borrow<Sm3>,
    P: IntoIterator<Item = &'a [u8]>,
{
    let messages = messages
        .into_iter()
        .map(|(start, parts)| (start, parts.into_iter()))
        .enumerate();
    with_engine!(kind,
        engine => in_lanes(engine, messages, each),
        one_by_one => one_by_one(messages, each)
    );
}

fn one_by_one<'a, S, P>(
    messages: impl Iterator<Item = (usize, (S, P))>,
    mut each: impl FnMut(usize, [u8; DIGEST_LEN]),
) where
    S: Borrow<Sm3>,
    P: Iterator<Item = &'a [u8]>,
{
    for (number, (start, parts)) in messages {
        let mut hash = start.borrow().clone();
        parts.for_each(|part| hash.update(part));
        each(number, hash.finalize());
    }
}

/// Whole blocks that are put together in a lane's stage before they are compressed: so a short message, with its padding,
/// is one run.
const ENOUGH: usize = 2 * BLOCK_LEN;
/// The stage itself: less than `ENOUGH` bytes, and then zeros for as long as the padding can be.
const STAGE: usize = 4;

/// A message on its way through a lane.
struct Lane<'a, P> {
    number: usize,
    /// Bytes of the message so far, the parts not yet looked at excluded.
    len: u64,
    /// What is left of the current part, and the parts after it. Nothing where there is no message.
    rest: &'a [u8],
    parts: Option<P>,
    /// Blocks of the message where they lie, to be compressed next.
    whole: &'a [[u8; BLOCK_LEN]],
    /// Blocks `staged.0` to `staged.1` are to be compressed next, where `whole` is empty.
    stage: [[u8; BLOCK_LEN]; STAGE],
    staged: (usize, usize),
    /// Bytes from the start state that wait in the stage.
    waiting: usize,
    /// Whether the padding was put in the stage.
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
            stage: [[0; BLOCK_LEN]; STAGE],
            staged: (0, 0),
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
        self.stage[0] = start.buf;
        self.waiting = start.buffered();
        self.padded = false;
        self.fetch();
    }

    #[inline(always)]
    fn is_busy(&self) -> bool {
        self.parts.is_some()
    }

    /// The blocks to be compressed next, at least one in a busy lane.
    #[inline(always)]
    fn run(&self) -> &[[u8; BLOCK_LEN]] {
        if self.whole.is_empty() {
            &self.stage[self.staged.0..self.staged.1]
        } else {
            self.whole
        }
    }

    /// `count` blocks of the run were compressed. Finds the next run where that was all; returns whether there is one.
    #[inline(always)]
    fn advance(&mut self, count: usize) -> bool {
        if self.whole.is_empty() {
            self.staged.0 += count;
            self.staged.0 < self.staged.1 || self.fetch()
        } else {
            self.whole = &self.whole[count..];
            !self.whole.is_empty() || self.fetch()
        }
    }

    /// Finds the next run; returns whether there is one. The last has been compressed.
    #[inline]
    fn fetch(&mut self) -> bool {
        if self.padded {
            self.parts = None;
            return false;
        }
        let mut waiting = core::mem::take(&mut self.waiting);
        while waiting < ENOUGH {
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
            if self.rest.len() >= ENOUGH && waiting.is_multiple_of(BLOCK_LEN) {
                if waiting == 0 {
                    (self.whole, self.rest) = self.rest.as_chunks();
                    return true;
                }
                break;
            }
            let (now, later) = self.rest.split_at(self.rest.len().min(ENOUGH - waiting));
            self.stage.as_flattened_mut()[waiting..][..now.len()].copy_from_slice(now);
            waiting += now.len();
            self.rest = later;
        }
        self.staged = (0, waiting / BLOCK_LEN);
        true
    }

    /// Padding after the bytes in the stage (5.2), less than `ENOUGH`; returns where it ends.
    #[inline(always)]
    fn pad(&mut self, waiting: usize) -> usize {
        /// A bit 1 and no more than a block of zeros with the length.
        static PADDING: [u8; 1 + BLOCK_LEN + 8] = {
            let mut padding = [0; 1 + BLOCK_LEN + 8];
            padding[0] = 0x80;
            padding
        };
        let end = (waiting + 1 + 8).next_multiple_of(BLOCK_LEN);
        let stage = self.stage.as_flattened_mut();
        // All of it, for a copy of a fixed length is a few instructions.
        stage[waiting..][..PADDING.len()].copy_from_slice(&PADDING);
        stage[end - 8..end].copy_from_slice(&self.len.wrapping_mul(8).to_be_bytes());
        self.padded = true;
        end
    }

    /// The rest of the message without company.
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
        self.stage = [[0; BLOCK_LEN]; STAGE];
        optimization_barrier(&self.stage);
    }
}

/// All messages through the lanes of one engine.
pub(super) fn in_lanes<'a, const N: usize, E, S, P>(
    engine: E,
    mut messages: impl Iterator<Item = (usize, (S, P))>,
    mut each: impl FnMut(usize, [u8; DIGEST_LEN]),
) where
    E: Engine<N>,
    S: Borrow<Sm3>,
    P: Iterator<Item = &'a [u8]>,
{
    // Not worth the lanes' preparation.
    if messages.size_hint().1.is_some_and(|most| most < E::FEWEST) {
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
    while busy >= E::FEWEST {
        // A lane without a message goes over another's blocks, to no end.
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
