//! Many messages under one key.
//!
//! A message of few blocks leaves most of the processor idle. Here the counters of many messages
//! are encrypted in one pass, which has all their blocks side by side. Lengths are public, so the
//! way messages are grouped shows nothing.

use alloc::vec::Vec;

use zeroize::optimization_barrier;

use super::super::backend::Direction;
use super::super::block::add_bytes;
use super::super::{BLOCK_LEN, Block, Error};
use super::many::Act;
use super::{Sm4Gcm, add_to_counter, check_lengths, confirm, lengths, tag};

/// What is encrypted or decrypted in place under a key, and the result. Users of the library need
/// `kuaimi::sm4::batch`.
pub struct Message<'a> {
    /// The nonce.
    pub nonce: &'a [u8],
    /// What is authenticated only.
    pub associated_data: &'a [u8],
    /// The message, and then its ciphertext; or the other way round.
    pub data: &'a mut [u8],
    /// The tag: the result of encryption, or what decryption compares.
    pub tag: [u8; Sm4Gcm::TAG_LEN],
    /// What became of it.
    pub result: Result<(), Error>,
}

/// Blocks of a pass, those of the masks included.
const PASS: usize = 256;
/// The most blocks of a message that shares a pass: longer ones fill the processor alone.
const SHORT: usize = 49;

/// Encrypts all messages in place, as [`Sm4Gcm::seal_in_place`] does. A message that fails is
/// unchanged.
pub fn seal_each_with(gcm: &Sm4Gcm, messages: &mut [Message<'_>]) {
    run(gcm, messages, Act::Seal);
}

/// Decrypts all messages in place, as [`Sm4Gcm::open_in_place`] does. A message that fails is
/// unchanged.
pub fn open_each_with(gcm: &Sm4Gcm, messages: &mut [Message<'_>]) {
    run(gcm, messages, Act::Open);
}

impl Message<'_> {
    /// The blocks of its key stream, the mask of its tag included.
    fn blocks(&self) -> usize {
        self.data.len().div_ceil(BLOCK_LEN) + 1
    }

    fn alone(&mut self, gcm: &Sm4Gcm, act: Act) {
        let (nonce, beside) = (self.nonce, self.associated_data);
        self.result = act.alone(gcm, nonce, beside, self.data, &mut self.tag);
    }

    /// Writes the counters of its key stream, if all is well with its lengths.
    fn counters(&self, gcm: &Sm4Gcm, out: &mut [Block], act: Act) -> Result<(), Error> {
        let checked = check_lengths(self.associated_data, self.data.len())
            .and_then(|()| gcm.first_counter(self.nonce));
        let mut counter = match checked {
            // `seal` makes no such message.
            Err(Error::TooLong) if act == Act::Open => return Err(Error::DecryptionFailed),
            checked => checked?,
        };
        for block in out {
            *block = counter.into();
            add_to_counter(&mut counter, 1);
        }
        Ok(())
    }

    /// Encrypts it with its key stream.
    fn seal(&mut self, gcm: &Sm4Gcm, stream: &[Block]) {
        let (mask, stream) = parts(stream);
        add_bytes(self.data, &stream[..self.data.len()]);
        self.tag = self.expected(gcm, mask);
    }

    /// Decrypts it with its key stream, if the tag is right.
    fn open(&mut self, gcm: &Sm4Gcm, stream: &[Block]) -> Result<(), Error> {
        let (mask, stream) = parts(stream);
        confirm(&mut self.expected(gcm, mask), &self.tag)?;
        add_bytes(self.data, &stream[..self.data.len()]);
        Ok(())
    }

    /// The tag of a ciphertext.
    #[inline(always)]
    fn expected(&self, gcm: &Sm4Gcm, mask: &Block) -> [u8; Sm4Gcm::TAG_LEN] {
        let mut hash = gcm.ghash.start();
        hash.update_padded(self.associated_data);
        let lengths = lengths(self.associated_data.len() as u64, self.data.len() as u64);
        tag(&mut hash, mask, self.data, lengths)
    }
}

/// The mask of a tag, and the key stream of its message.
fn parts(stream: &[Block]) -> (&Block, &[u8]) {
    (&stream[0], Block::slice_as_flattened(&stream[1..]))
}

/// The key streams of a pass, wiped when dropped.
struct Streams([Block; PASS]);

impl Drop for Streams {
    fn drop(&mut self) {
        self.0 = [Block::default(); PASS];
        optimization_barrier(self);
    }
}

fn run(gcm: &Sm4Gcm, messages: &mut [Message<'_>], act: Act) {
    if let [message] = messages {
        return message.alone(gcm, act);
    }
    let mut streams = Streams([Block::default(); PASS]);
    let mut now: Vec<&mut Message<'_>> = Vec::with_capacity(messages.len().min(PASS));
    let mut blocks = 0;
    for message in messages {
        let more = message.blocks();
        if more > SHORT {
            message.alone(gcm, act);
            continue;
        }
        if blocks + more > PASS {
            pass(gcm, &mut now, &mut streams.0[..blocks], act);
            now.clear();
            blocks = 0;
        }
        blocks += more;
        now.push(message);
    }
    pass(gcm, &mut now, &mut streams.0[..blocks], act);
}

/// Messages of so many blocks together as `streams` has.
fn pass(gcm: &Sm4Gcm, messages: &mut [&mut Message<'_>], streams: &mut [Block], act: Act) {
    if let [message] = messages {
        return message.alone(gcm, act);
    }
    let mut left = &mut *streams;
    for message in &mut *messages {
        let (own, after) = left.split_at_mut(message.blocks());
        message.result = message.counters(gcm, own, act);
        left = after;
    }
    let all: &mut [Block] = &mut *streams;
    gcm.cipher.crypt(Direction::Encrypt, all.into());
    let mut left = &*streams;
    for message in messages {
        let (own, after) = left.split_at(message.blocks());
        if message.result.is_ok() {
            match act {
                Act::Seal => message.seal(gcm, own),
                Act::Open => message.result = message.open(gcm, own),
            }
        }
        left = after;
    }
}
