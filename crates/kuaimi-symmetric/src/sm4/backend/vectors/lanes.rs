//! The cipher, for vectors of every length and for every inversion.
//!
//! A vector of `n` lanes of 128 bits holds one word of each of `4·n` blocks. Blocks are loaded in
//! the order of memory, and transposed within lanes only: element `e` of lane `l` belongs to block
//! `n·e + l`. The bytes of a word also stay in the order of memory, the most significant first:
//! rounds on transformed words (see [`field`](crate::sm4::field)) compute on single bytes and move
//! whole bytes, so words need no change of the byte order.
//!
//! A *group* is the four vectors of `4·n` blocks. Several groups are computed at the same time, as
//! a round is a long chain of dependent operations.

use core::array::from_fn;

use cipher::InOutBuf;

use super::super::super::{BLOCK_LEN, Block, ROUNDS};
use super::super::masks::MasksAt;
use super::super::{Direction, Masks, RoundKeys};
use super::constants::SWAP_BYTES;
use super::inversion::Inversion;
use super::machine::V128;
use super::vector::Vector;

/// The words of four vectors of blocks, or the blocks of four vectors of words: transposes the 4 ×
/// 4 matrix in each lane.
#[inline(always)]
pub(super) fn transpose<V: Vector>([a, b, c, d]: [V; 4]) -> [V; 4] {
    let (low_ab, high_ab) = (a.interleave_low(b), a.interleave_high(b));
    let (low_cd, high_cd) = (c.interleave_low(d), c.interleave_high(d));
    [
        low_ab.low_halves(low_cd),
        low_ab.high_halves(low_cd),
        high_ab.low_halves(high_cd),
        high_ab.high_halves(high_cd),
    ]
}

/// # Safety
/// `V::WORDS` blocks must be readable at `at`.
#[inline(always)]
pub(super) unsafe fn load<V: Vector>(at: *const u8) -> [V; 4] {
    let mut vectors = [V::splat(0); 4];
    for (i, vector) in vectors.iter_mut().enumerate() {
        // SAFETY: four vectors are `V::WORDS` blocks.
        *vector = unsafe { V::load(at.add(4 * V::WORDS * i)) };
    }
    vectors
}

/// # Safety
/// `V::WORDS` blocks must be writable at `at`.
#[inline(always)]
pub(super) unsafe fn store<V: Vector>(vectors: [V; 4], at: *mut u8) {
    for (i, vector) in vectors.iter().enumerate() {
        // SAFETY: four vectors are `V::WORDS` blocks.
        unsafe { vector.store(at.add(4 * V::WORDS * i)) }
    }
}

/// Round keys as vectors, in the order of their use.
pub(super) trait Keys<V> {
    /// The keys of round `i`.
    fn round(&self, i: usize) -> V;
}

/// The same key for all blocks.
impl<V: Vector> Keys<V> for (&RoundKeys, Direction) {
    #[inline(always)]
    fn round(&self, i: usize) -> V {
        let (keys, direction) = self;
        V::splat(keys[direction.index(i)])
    }
}

/// Four rounds of groups, from round `i` on.
macro_rules! four_rounds {
    ($inversion:ident, $keys:expr, $i:expr, $groups:expr) => {
        let k0: $inversion::Vector = $inversion::arrange($keys.round($i));
        let k1: $inversion::Vector = $inversion::arrange($keys.round($i + 1));
        let k2: $inversion::Vector = $inversion::arrange($keys.round($i + 2));
        let k3: $inversion::Vector = $inversion::arrange($keys.round($i + 3));
        for [a, b, c, d] in &mut *$groups {
            *a = $inversion::add_round(*a, b.xor(k0).xor3(*c, *d));
        }
        for [a, b, c, d] in &mut *$groups {
            *b = $inversion::add_round(*b, a.xor(c.xor3(*d, k1)));
        }
        for [a, b, c, d] in &mut *$groups {
            *c = $inversion::add_round(*c, d.xor(k2).xor3(*a, *b));
        }
        for [a, b, c, d] in &mut *$groups {
            *d = $inversion::add_round(*d, c.xor(a.xor3(*b, k3)));
        }
    };
}

/// All rounds, on several groups of transformed words. The last four words are returned in reverse
/// order, as in the cipher's output. In WebAssembly they are not copied into each function: all of
/// them would be a tenth of the module.
#[cfg_attr(target_arch = "wasm32", inline(never))]
#[cfg_attr(not(target_arch = "wasm32"), inline(always))]
pub(super) fn rounds<W: Inversion, K: Keys<W::Vector>, const GROUPS: usize>(
    keys: K,
    groups: &mut [[W::Vector; 4]; GROUPS],
) {
    for i in (0..ROUNDS).step_by(4) {
        four_rounds!(W, keys, i, groups);
    }
    for [a, b, c, d] in groups {
        (*a, *b, *c, *d) = (*d, *c, *b, *a);
    }
}

/// As [`rounds`], with a short group beside the others: it takes the processor's time while they
/// wait, where a pass of its own would take as long as that of many blocks.
#[inline(always)]
fn rounds_beside<W: Inversion, Short: Inversion, const GROUPS: usize>(
    keys: (&RoundKeys, Direction),
    groups: &mut [[W::Vector; 4]; GROUPS],
    short: &mut [[Short::Vector; 4]; 1],
) {
    for i in (0..ROUNDS).step_by(4) {
        four_rounds!(W, keys, i, groups);
        four_rounds!(Short, keys, i, short);
    }
    for [a, b, c, d] in groups {
        (*a, *b, *c, *d) = (*d, *c, *b, *a);
    }
    for [a, b, c, d] in short {
        (*a, *b, *c, *d) = (*d, *c, *b, *a);
    }
}

/// # Safety
/// As many bytes as four vectors have must be readable at `masks`, if there are any.
#[inline(always)]
unsafe fn add_masks<V: Vector>(vectors: &mut [V; 4], masks: Option<*const u8>) {
    if let Some(masks) = masks {
        for (i, vector) in vectors.iter_mut().enumerate() {
            // SAFETY: by the contract of this function.
            *vector = vector.xor(unsafe { V::load(masks.add(4 * V::WORDS * i)) });
        }
    }
}

/// # Safety
/// `GROUPS·W::Vector::WORDS` blocks must be readable at `from` and writable at `to`, and so many
/// masks be readable.
#[inline(always)]
unsafe fn crypt_groups<W: Inversion, const GROUPS: usize>(
    keys: &RoundKeys,
    direction: Direction,
    masks: MasksAt,
    from: *const u8,
    to: *mut u8,
) {
    let step = BLOCK_LEN * W::Vector::WORDS;
    let mut groups = [[W::Vector::splat(0); 4]; GROUPS];
    for (g, words) in groups.iter_mut().enumerate() {
        // SAFETY: by the contract of this function.
        unsafe {
            *words = load::<W::Vector>(from.add(step * g));
            add_masks(words, masks.skip(step * g).before);
        }
        *words = transpose(*words);
        transform::<W>(words);
    }
    rounds::<W, _, GROUPS>((keys, direction), &mut groups);
    for (g, words) in groups.iter_mut().enumerate() {
        inverse_transform::<W>(words);
        *words = transpose(*words);
        // SAFETY: by the contract of this function.
        unsafe {
            add_masks(words, masks.skip(step * g).after);
            store(*words, to.add(step * g));
        }
    }
}

/// Encrypts or decrypts one block, in a group of four copies of it.
///
/// # Safety
/// A block must be readable at `from` and writable at `to`, and a mask be readable.
#[inline(always)]
pub(super) unsafe fn crypt_one<W: Inversion>(
    keys: &RoundKeys,
    direction: Direction,
    masks: MasksAt,
    from: *const u8,
    to: *mut u8,
) {
    const { assert!(W::Vector::WORDS == 4) };
    // SAFETY: by the contract of this function.
    let mut block = unsafe { W::Vector::load(from) };
    if let Some(mask) = masks.before {
        // SAFETY: as above.
        block = block.xor(unsafe { W::Vector::load(mask) });
    }
    let mut words = transpose([block; 4]);
    transform::<W>(&mut words);
    let mut words = W::rounds_of_one(keys, direction, words);
    inverse_transform::<W>(&mut words);
    let [mut block, ..] = transpose(words);
    if let Some(mask) = masks.after {
        // SAFETY: as above.
        block = block.xor(unsafe { W::Vector::load(mask) });
    }
    // SAFETY: as above.
    unsafe { block.store(to) }
}

/// Transforms all words of a group.
#[inline(always)]
pub(super) fn transform<W: Inversion>(words: &mut [W::Vector; 4]) {
    for word in words {
        *word = W::arrange(W::transform(*word));
    }
}

/// The inverse of [`transform`].
#[inline(always)]
pub(super) fn inverse_transform<W: Inversion>(words: &mut [W::Vector; 4]) {
    for word in words {
        *word = W::inverse_transform(W::arrange(*word));
    }
}

/// Encrypts or decrypts every block, and adds masks: `GROUPS` groups at a time, then the blocks
/// that are left, all together, in no more groups than they need, of short vectors if these are
/// enough.
#[inline(always)]
pub(super) fn crypt<
    W: Inversion,
    Short: Inversion<Vector = V128>,
    One: Inversion,
    const GROUPS: usize,
>(
    keys: &RoundKeys,
    direction: Direction,
    masks: Option<Masks<'_>>,
    blocks: InOutBuf<'_, '_, Block>,
) {
    let mut left = blocks.len();
    let mut masks = MasksAt::new(masks, left);
    let (from, to) = blocks.into_raw();
    let (mut from, mut to) = (from.cast::<u8>(), to.cast::<u8>());
    macro_rules! crypt_all {
        ($groups:expr) => {
            while left >= $groups * W::Vector::WORDS {
                let step = BLOCK_LEN * $groups * W::Vector::WORDS;
                // SAFETY: at least so many blocks and masks are left, and input and output are the
                // same or do not overlap.
                unsafe {
                    crypt_groups::<W, { $groups }>(keys, direction, masks, from, to);
                    (from, to) = (from.add(step), to.add(step));
                }
                masks = masks.skip(step);
                left -= $groups * W::Vector::WORDS;
            }
        };
    }
    crypt_all!(GROUPS);
    if ONE_BY_ONE {
        crypt_all!(1);
    }
    macro_rules! crypt_last {
        ($inversion:ident, $groups:expr, $room:expr) => {
            // SAFETY: so many blocks and masks are left, at most as many as the groups have, and
            // no vector is longer than the room is for.
            unsafe {
                crypt_last::<$inversion, { $groups }, { $room }>(
                    keys, direction, masks, from, to, left,
                )
            }
        };
    }
    match groups_for::<W, GROUPS>(left) {
        0 => {}
        1 if left == 1 => {
            // SAFETY: one block and mask is left.
            unsafe { crypt_one::<One>(keys, direction, masks, from, to) }
        }
        1 if left <= V128::WORDS => crypt_last!(Short, 1, MIN_WORDS),
        1 => crypt_last!(W, 1, MAX_WORDS),
        2 => crypt_last!(W, 2, 2 * MAX_WORDS),
        _ => crypt_last!(W, GROUPS, 4 * MAX_WORDS),
    }
}

/// Whether the blocks that are left are taken one group after the other. In WebAssembly, where two
/// groups together gain little, the module is smaller so.
const ONE_BY_ONE: bool = cfg!(target_arch = "wasm32");

/// How many groups take these blocks: 0, 1, 2 or `GROUPS`.
#[inline(always)]
fn groups_for<W: Inversion, const GROUPS: usize>(blocks: usize) -> usize {
    const { assert!(2 <= GROUPS && GROUPS <= 4) };
    match blocks.div_ceil(W::Vector::WORDS) {
        few @ 0..=2 => few,
        _ => GROUPS,
    }
}

/// Encrypts or decrypts no more blocks than the groups have, in buffers of `ROOM` blocks if they
/// are fewer.
///
/// # Safety
/// `left` blocks must be readable at `from` and writable at `to`, and so many masks be readable;
/// `left` is at most `GROUPS·W::Vector::WORDS`, and that at most `ROOM`.
#[inline(always)]
unsafe fn crypt_last<W: Inversion, const GROUPS: usize, const ROOM: usize>(
    keys: &RoundKeys,
    direction: Direction,
    masks: MasksAt,
    from: *const u8,
    to: *mut u8,
    left: usize,
) {
    if left == GROUPS * W::Vector::WORDS {
        // SAFETY: by the contract of this function.
        return unsafe { crypt_groups::<W, GROUPS>(keys, direction, masks, from, to) };
    }
    let mut group = [[0; BLOCK_LEN]; ROOM];
    let at = group.as_mut_ptr().cast::<u8>();
    // SAFETY: by the contract of this function, the buffers have room for these blocks and for all
    // of the groups.
    unsafe {
        at.copy_from_nonoverlapping(from, BLOCK_LEN * left);
        if let Some(after) = masks.after {
            let mut copies = [[0; BLOCK_LEN]; ROOM];
            let copy = copies.as_mut_ptr().cast::<u8>();
            copy.copy_from_nonoverlapping(after, BLOCK_LEN * left);
            let masks = MasksAt {
                before: masks.before.map(|_| copy.cast_const()),
                after: Some(copy.cast_const()),
            };
            crypt_groups::<W, GROUPS>(keys, direction, masks, at, at);
            copies = [[0; BLOCK_LEN]; ROOM];
            zeroize::optimization_barrier(&copies);
        } else {
            crypt_groups::<W, GROUPS>(keys, direction, MasksAt::default(), at, at);
        }
        to.copy_from_nonoverlapping(at, BLOCK_LEN * left);
    }
}

/// Words in the longest vector, and in the shortest.
const MAX_WORDS: usize = 16;
const MIN_WORDS: usize = 4;

/// A counter.
struct Counter<W: Inversion> {
    /// Its first three words, transformed.
    high: [W::Vector; 3],
    /// Its last word, which counts the blocks.
    low: u32,
    /// The number of each element's block within a group.
    numbers: W::Vector,
}

impl<W: Inversion> Counter<W> {
    #[inline(always)]
    fn new(counter: &[u8; BLOCK_LEN]) -> Self {
        let words = counter.as_chunks::<4>().0;
        // Element e of lane l, of n lanes, belongs to block n·e + l.
        let lanes = W::Vector::WORDS / 4;
        let numbers: [u32; MAX_WORDS] = from_fn(|i| (i / 4 + lanes * (i % 4)) as u32);
        Self {
            high: [
                Self::high(words[0]),
                Self::high(words[1]),
                Self::high(words[2]),
            ],
            low: u32::from_be_bytes(words[3]),
            // SAFETY: no vector has more words.
            numbers: unsafe { W::Vector::load(numbers.as_ptr().cast()) },
        }
    }

    /// One of the first three words.
    #[inline(always)]
    fn high(word: [u8; 4]) -> W::Vector {
        W::arrange(W::transform(W::Vector::splat(u32::from_le_bytes(word))))
    }

    /// The next `GROUPS·W::Vector::WORDS` counters, in transformed words.
    #[inline(always)]
    fn words<const GROUPS: usize>(&mut self, groups: &mut [[W::Vector; 4]; GROUPS]) {
        let [a, b, c] = self.high;
        for words in groups {
            let d = self.numbers.add(W::Vector::splat(self.low));
            self.low = self.low.wrapping_add(W::Vector::WORDS as u32);
            let d = W::arrange(W::transform(d.shuffle(W::Vector::constant(&SWAP_BYTES))));
            *words = [a, b, c, d];
        }
    }

    /// The key stream of these blocks.
    #[inline(always)]
    fn next<const GROUPS: usize>(
        &mut self,
        keys: &RoundKeys,
        groups: &mut [[W::Vector; 4]; GROUPS],
    ) {
        self.words(groups);
        rounds::<W, _, GROUPS>((keys, Direction::Encrypt), groups);
        blocks::<W, GROUPS>(groups);
    }
}

/// The blocks of transformed words.
#[inline(always)]
fn blocks<W: Inversion, const GROUPS: usize>(groups: &mut [[W::Vector; 4]; GROUPS]) {
    for words in groups {
        inverse_transform::<W>(words);
        *words = transpose(*words);
    }
}

/// XORs the key stream of a counter into data of any length. The last 32 bits of the counter count
/// modulo 2³². Groups are as in [`crypt`].
#[inline(always)]
pub(super) fn ctr32<W: Inversion, Short: Inversion<Vector = V128>, const GROUPS: usize>(
    keys: &RoundKeys,
    counter: &[u8; BLOCK_LEN],
    data: InOutBuf<'_, '_, u8>,
) {
    let mut left = data.len();
    let (mut from, mut to) = data.into_raw();
    let block = counter;
    // Short groups for all that is left, from a number of the counter on.
    macro_rules! short {
        ($groups:expr, $low:expr) => {{
            let mut groups = [[V128::splat(0); 4]; $groups];
            let mut short = Counter::<Short>::new(block);
            short.low = $low;
            short.next(keys, &mut groups);
            // SAFETY: `left` bytes are left, no more than the groups have, and input and output are
            // the same or do not overlap.
            return unsafe { add_last(groups.as_flattened(), from, to, left) };
        }};
    }
    let low = u32::from_be_bytes([12, 13, 14, 15].map(|i| counter[i]));
    // Two short groups take less time than one of the longest vectors, whose halves some processors
    // compute one after the other.
    match left.div_ceil(BLOCK_LEN * V128::WORDS) {
        0 => return,
        1 if W::Vector::WORDS == MAX_WORDS => short!(1, low),
        2 if W::Vector::WORDS == MAX_WORDS => short!(2, low),
        _ => {}
    }
    let mut counter = Counter::<W>::new(block);
    macro_rules! add_once {
        ($groups:expr) => {
            for vector in $groups.as_flattened() {
                // SAFETY: as many bytes are left as the groups have, and input and output are the
                // same or do not overlap.
                unsafe {
                    vector.xor(W::Vector::load(from)).store(to);
                    (from, to) = (from.add(4 * W::Vector::WORDS), to.add(4 * W::Vector::WORDS));
                }
                left -= 4 * W::Vector::WORDS;
            }
        };
    }
    macro_rules! add_all {
        (once $groups:expr) => {
            let mut groups = [[W::Vector::splat(0); 4]; $groups];
            counter.next(keys, &mut groups);
            add_once!(groups);
        };
        ($groups:expr) => {
            while left >= $groups * BLOCK_LEN * W::Vector::WORDS {
                add_all!(once $groups);
            }
        };
    }
    // One to four blocks after `groups` groups, in a short group beside them.
    macro_rules! add_last_beside {
        ($groups:expr) => {{
            let mut groups = [[W::Vector::splat(0); 4]; $groups];
            counter.words(&mut groups);
            let mut short = Counter::<Short>::new(block);
            short.low = counter.low;
            let mut last = [[V128::splat(0); 4]; 1];
            short.words(&mut last);
            let keys = (keys, Direction::Encrypt);
            rounds_beside::<W, Short, { $groups }>(keys, &mut groups, &mut last);
            blocks::<W, { $groups }>(&mut groups);
            blocks::<Short, 1>(&mut last);
            add_once!(groups);
            // SAFETY: `left` bytes are left, no more than the short group has, and input and output
            // are the same or do not overlap.
            return unsafe { add_last(last.as_flattened(), from, to, left) };
        }};
    }
    // There are enough of the longest vectors for a group more.
    if W::Vector::WORDS == MAX_WORDS {
        while left > (GROUPS * W::Vector::WORDS + V128::WORDS) * BLOCK_LEN {
            add_all!(once GROUPS);
        }
        let blocks = left.div_ceil(BLOCK_LEN);
        let beside = |groups: usize| {
            let more = blocks.saturating_sub(groups * W::Vector::WORDS);
            (1..=V128::WORDS).contains(&more)
        };
        if beside(GROUPS) {
            add_last_beside!(GROUPS);
        } else if beside(2) {
            add_last_beside!(2);
        } else if beside(1) {
            add_last_beside!(1);
        }
    }
    add_all!(GROUPS);
    if ONE_BY_ONE {
        add_all!(1);
    }
    macro_rules! add_last {
        ($vector:ty, $groups:expr) => {{
            let mut groups = [[<$vector>::splat(0); 4]; $groups];
            counter.next(keys, &mut groups);
            // SAFETY: `left` bytes are left, no more than the groups have, and input and output are
            // the same or do not overlap.
            unsafe { add_last(groups.as_flattened(), from, to, left) }
        }};
    }
    match groups_for::<W, GROUPS>(left.div_ceil(BLOCK_LEN)) {
        0 => {}
        1 if W::Vector::WORDS != MAX_WORDS && left <= BLOCK_LEN * V128::WORDS => {
            short!(1, counter.low)
        }
        1 => add_last!(W::Vector, 1),
        2 => add_last!(W::Vector, 2),
        _ => add_last!(W::Vector, GROUPS),
    }
}

/// XORs the first `length` bytes of a key stream into data.
///
/// # Safety
/// `length` bytes must be readable at `from` and writable at `to`, and the stream must have so
/// many.
#[inline(always)]
unsafe fn add_last<V: Vector>(stream: &[V], from: *const u8, to: *mut u8, length: usize) {
    let size = 4 * V::WORDS;
    let whole = length / size;
    for (i, vector) in stream.iter().take(whole).enumerate() {
        // SAFETY: by the contract of this function.
        unsafe {
            vector
                .xor(V::load(from.add(size * i)))
                .store(to.add(size * i))
        }
    }
    if length > size * whole {
        let mut last = [0; 4 * MAX_WORDS];
        let rest = length - size * whole;
        // SAFETY: the buffer has room for the longest vector; the rest by the contract.
        unsafe {
            let at = last.as_mut_ptr();
            at.copy_from_nonoverlapping(from.add(size * whole), rest);
            stream[whole].xor(V::load(at)).store(at);
            to.add(size * whole).copy_from_nonoverlapping(at, rest);
        }
        // What follows the data in the buffer is key stream.
        last = [0; 4 * MAX_WORDS];
        zeroize::optimization_barrier(&last);
    }
}
