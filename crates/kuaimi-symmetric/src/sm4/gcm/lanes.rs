//! Messages in lanes, a key each.

use alloc::vec::Vec;

use zeroize::optimization_barrier;

use super::super::backend::{GhashKey, Implementation, LANES, LaneKeys, STEP};
use super::super::block::add_bytes;
use super::super::{BLOCK_LEN, Block, Error, KEY_LEN};
use super::many::{Act, Job};
use super::{Counter, Sm4Gcm, check_lengths, confirm, first_counter, lengths, tag};
use kuaimi_platform::backend::{Ghash as GhashImplementation, Supported};

/// The blocks of a message from which on it fills the processor alone.
const LONG: usize = 128;
/// Whether so many messages, the longest of so many blocks, take less time in lanes than one by
/// one: a message alone takes time for its key, and lanes take as long for few as for all.
fn worth_lanes(keys: usize, messages: usize, blocks: usize) -> bool {
    messages > 1 && messages * (200 + 2 * blocks) >= keys * (20 + 3 * blocks)
}

/// The blocks of a message's key stream, the mask of its tag included.
fn blocks(job: &Job<'_>) -> usize {
    job.data.len().div_ceil(BLOCK_LEN) + 1
}

/// Computes jobs with this implementation.
pub(super) fn run(implementation: Implementation, jobs: &mut [Job<'_>], act: Act) {
    let keys = implementation.keys_in_lanes();
    if keys == 0 || jobs.len() <= 1 {
        return jobs
            .iter_mut()
            .for_each(|job| job.alone(implementation, act));
    }
    let mut sorted: Vec<&mut Job<'_>> = jobs.iter_mut().collect();
    sorted.sort_unstable_by_key(|job| blocks(job));
    let long = sorted.partition_point(|job| blocks(job) <= LONG);
    let (short, long) = sorted.split_at_mut(long);
    let in_lanes = |group: &[&mut Job<'_>]| {
        let most = group.last().map_or(0, |job| blocks(job));
        worth_lanes(keys, group.len(), most)
    };
    if short.chunks(keys).any(in_lanes) {
        let mut lanes = Lanes::new(implementation);
        for group in short.chunks_mut(keys) {
            if in_lanes(group) {
                lanes.run(group, act);
            } else {
                group
                    .iter_mut()
                    .for_each(|job| job.alone(implementation, act));
            }
        }
    } else {
        short
            .iter_mut()
            .for_each(|job| job.alone(implementation, act));
    }
    for job in long {
        job.alone(implementation, act);
    }
}

/// The keys of a group of messages and what is computed from them, wiped when dropped.
struct Lanes {
    implementation: Implementation,
    ghash: Supported<GhashImplementation>,
    keys: LaneKeys,
    hash_keys: [[u8; BLOCK_LEN]; LANES],
    /// The counters of the masks.
    counters: [Counter; LANES],
    masks: [[u8; BLOCK_LEN]; LANES],
    stream: [[[u8; BLOCK_LEN]; LANES]; STEP],
}

impl Drop for Lanes {
    fn drop(&mut self) {
        self.hash_keys = Default::default();
        self.masks = Default::default();
        self.stream = Default::default();
        optimization_barrier(self);
    }
}

impl Lanes {
    fn new(implementation: Implementation) -> Self {
        Self {
            implementation,
            ghash: GhashImplementation::selected(),
            keys: LaneKeys::EMPTY,
            hash_keys: Default::default(),
            counters: Default::default(),
            masks: Default::default(),
            stream: Default::default(),
        }
    }

    /// No more jobs than lanes, sorted by their blocks.
    fn run(&mut self, jobs: &mut [&mut Job<'_>], act: Act) {
        let mut keys = [[0; KEY_LEN]; LANES];
        for (lane, job) in keys.iter_mut().zip(&*jobs) {
            *lane = *job.key;
        }
        self.implementation
            .lane_keys(&keys, &mut self.keys, &mut self.hash_keys);
        keys = Default::default();
        optimization_barrier(&keys);
        for (lane, job) in jobs.iter_mut().enumerate() {
            job.result = self.begin(lane, job, act);
        }
        let most = jobs.last().map_or(0, |job| blocks(job));
        self.streams(0, most);
        self.masks = self.stream[0];
        if act == Act::Open {
            for (lane, job) in jobs.iter_mut().enumerate() {
                if job.result.is_ok() {
                    job.result = self.check(lane, job);
                }
            }
        }
        // Block 0 is the mask.
        for from in (0..most).step_by(STEP) {
            if from > 0 {
                self.streams(from, most - from);
            }
            for (lane, job) in jobs.iter_mut().enumerate() {
                if job.result.is_ok() {
                    self.add(lane, job, from);
                }
            }
        }
        if act == Act::Seal {
            for (lane, job) in jobs.iter_mut().enumerate() {
                if job.result.is_ok() {
                    job.tag = self.tag(lane, job);
                }
            }
        }
    }

    /// Sets the counter of a message, if all is well with its lengths.
    fn begin(&mut self, lane: usize, job: &Job<'_>, act: Act) -> Result<(), Error> {
        check_lengths(job.associated_data, job.data.len()).map_err(|error| match act {
            Act::Seal => error,
            Act::Open => Error::DecryptionFailed,
        })?;
        let start = || self.hash_key(lane, job.nonce.len().div_ceil(BLOCK_LEN) + 1);
        self.counters[lane] = first_counter(job.nonce, start)?;
        Ok(())
    }

    /// The key of a message's hash, for so many blocks.
    fn hash_key(&self, lane: usize, blocks: usize) -> GhashKey {
        GhashKey::for_blocks(self.ghash, &self.hash_keys[lane], blocks)
    }

    /// The next blocks of all key streams, no more than a step.
    fn streams(&mut self, from: usize, blocks: usize) {
        let stream = &mut self.stream[..blocks.min(STEP)];
        // A short message has few blocks, of which the number fits.
        self.implementation
            .lane_streams(&self.keys, &self.counters, from as u32, stream);
    }

    /// Adds what the step has of a message's key stream.
    fn add(&self, lane: usize, job: &mut Job<'_>, from: usize) {
        // Block `i` of the message has block `i + 1` of the stream.
        let (skipped, at) = match from {
            0 => (1, 0),
            _ => (0, BLOCK_LEN * (from - 1)),
        };
        let data = job.data.get_mut(at..).unwrap_or_default();
        let (blocks, rest) = Block::slice_as_chunks_mut(data);
        let mut stream = self.stream[skipped..].iter().map(|step| &step[lane]);
        for (block, stream) in blocks.iter_mut().zip(&mut stream) {
            add_bytes(block, stream);
        }
        if let Some(stream) = stream.next() {
            add_bytes(rest, stream);
        }
    }

    /// The tag of a ciphertext.
    fn tag(&self, lane: usize, job: &Job<'_>) -> [u8; Sm4Gcm::TAG_LEN] {
        let associated = job.associated_data.len();
        let blocks = associated.div_ceil(BLOCK_LEN).max(blocks(job));
        let key = self.hash_key(lane, blocks);
        let mut hash = key.start();
        hash.update_padded(job.associated_data);
        let lengths = lengths(associated as u64, job.data.len() as u64);
        tag(&mut hash, &self.masks[lane], job.data, lengths)
    }

    /// Whether the tag is right.
    fn check(&self, lane: usize, job: &Job<'_>) -> Result<(), Error> {
        let mut expected = self.tag(lane, job);
        confirm(&mut expected, &job.tag)
    }
}
