//! SM4 and its modes. Java has the key and what goes on from piece to piece; the key schedule is
//! made for each call.

use std::ffi::c_void;

use jni::objects::{JByteArray, JClass};
use jni::sys::{jboolean, jint};
use jni::{Env, EnvUnowned, jni_str};
use kuaimi::sm4::{BLOCK_LEN, Sm4, Sm4Cbc, Sm4Ccm, Sm4Cfb, Sm4Ctr, Sm4Gcm, Sm4Ofb};

use zeroize::{Zeroize, ZeroizeOnDrop, Zeroizing};

use crate::bytes::{array, copied, in_pieces, in_place, put};
use crate::call::{Entry, Failure, call};

pub(crate) const FUNCTIONS: &[Entry] = &[
    (
        jni_str!("sm4Ecb"),
        jni_str!("([BZ[BII)V"),
        ecb as *mut c_void,
    ),
    (
        jni_str!("sm4Cbc"),
        jni_str!("([B[BZ[BII)V"),
        cbc as *mut c_void,
    ),
    (
        jni_str!("sm4Stream"),
        jni_str!("([BI[B[BII)V"),
        stream as *mut c_void,
    ),
    (
        jni_str!("sm4Seal"),
        jni_str!("([BZ[B[BI[BII)V"),
        seal as *mut c_void,
    ),
    (
        jni_str!("sm4Open"),
        jni_str!("([BZ[B[BI[BII)V"),
        open as *mut c_void,
    ),
];

fn cipher(env: &Env<'_>, key: &JByteArray<'_>) -> Result<Sm4, Failure> {
    Ok(Sm4::new(&*array(env, key)?))
}

/// Java passes whole blocks.
fn whole_blocks(length: jint) -> Result<(), Failure> {
    if length % BLOCK_LEN as jint == 0 {
        Ok(())
    } else {
        Err(kuaimi::sm4::Error::PartialBlock(length.max(0) as usize).into())
    }
}

extern "system" fn ecb<'l>(
    env: EnvUnowned<'l>,
    _: JClass<'l>,
    key: JByteArray<'l>,
    encrypts: jboolean,
    data: JByteArray<'l>,
    offset: jint,
    length: jint,
) {
    call(env, |env| {
        whole_blocks(length)?;
        let cipher = cipher(env, &key)?;
        let mut result = Ok(());
        in_pieces(env, &data, offset, length, |piece| {
            result = result.and(if encrypts {
                cipher.encrypt_ecb(piece)
            } else {
                cipher.decrypt_ecb(piece)
            });
        })?;
        Ok(result?)
    })
}

/// The last block of ciphertext is left in `iv`.
extern "system" fn cbc<'l>(
    env: EnvUnowned<'l>,
    _: JClass<'l>,
    key: JByteArray<'l>,
    iv: JByteArray<'l>,
    encrypts: jboolean,
    data: JByteArray<'l>,
    offset: jint,
    length: jint,
) {
    call(env, |env| {
        whole_blocks(length)?;
        let cipher = Sm4Cbc::with_cipher(cipher(env, &key)?);
        let mut chain = array::<BLOCK_LEN>(env, &iv)?;
        let mut result = Ok(());
        in_pieces(env, &data, offset, length, |piece| {
            result = result.and(if encrypts {
                let done = cipher.encrypt(&chain, piece);
                keep_last(&mut chain, piece);
                done
            } else {
                let before = *chain;
                keep_last(&mut chain, piece);
                cipher.decrypt(&before, piece)
            });
        })?;
        result?;
        put(env, &iv, 0, chain.as_ref())
    })
}

fn keep_last(chain: &mut [u8; BLOCK_LEN], piece: &[u8]) {
    if let Some(last) = piece.last_chunk() {
        *chain = *last;
    }
}

/// CTR, CFB and OFB, where a piece may end within a block.
enum Stream {
    Ctr(Sm4Ctr),
    CfbEncrypt(Sm4Cfb),
    CfbDecrypt(Sm4Cfb),
    Ofb(Sm4Ofb),
}

impl Stream {
    /// By the numbers of `Sm4StreamCipher`'s modes.
    fn new(mode: jint, cipher: Sm4, chain: &[u8; BLOCK_LEN]) -> Result<Self, Failure> {
        Ok(match mode {
            0 => Self::Ctr(Sm4Ctr::with_cipher(cipher, chain)),
            1 => Self::CfbEncrypt(Sm4Cfb::with_cipher(cipher, chain)),
            2 => Self::CfbDecrypt(Sm4Cfb::with_cipher(cipher, chain)),
            3 => Self::Ofb(Sm4Ofb::with_cipher(cipher, chain)),
            _ => return Err(Failure::argument("no such mode")),
        })
    }

    fn apply(&mut self, data: &mut [u8]) {
        match self {
            Self::Ctr(stream) => stream.apply(data),
            Self::CfbEncrypt(stream) => stream.encrypt(data),
            Self::CfbDecrypt(stream) => stream.decrypt(data),
            Self::Ofb(stream) => stream.apply(data),
        }
    }

    /// At the end of a block: with what it goes on.
    fn chain(&self) -> [u8; BLOCK_LEN] {
        match self {
            Self::Ctr(stream) => stream.position().0,
            Self::CfbEncrypt(stream) | Self::CfbDecrypt(stream) => stream.position().0,
            Self::Ofb(stream) => stream.position().0,
        }
    }
}

/// Where a stream stands, as Java keeps it: with what the block began in which it stands, how much
/// of this block is done, and what went in of it. Going on, the beginning of the block is done
/// again. It may hold plaintext or key stream, and is wiped when dropped.
#[derive(Zeroize, ZeroizeOnDrop)]
struct Position {
    chain: [u8; BLOCK_LEN],
    done: usize,
    input: [u8; BLOCK_LEN],
}

/// The bytes of a [`Position`].
const POSITION_LEN: usize = 2 * BLOCK_LEN + 1;

impl Position {
    fn read(bytes: &[u8; POSITION_LEN]) -> Result<Self, Failure> {
        let done = usize::from(bytes[2 * BLOCK_LEN]);
        if done >= BLOCK_LEN {
            return Err(Failure::argument("this is no position in a block"));
        }
        let mut position = Self {
            chain: [0; BLOCK_LEN],
            done,
            input: [0; BLOCK_LEN],
        };
        position.chain.copy_from_slice(&bytes[..BLOCK_LEN]);
        position
            .input
            .copy_from_slice(&bytes[BLOCK_LEN..2 * BLOCK_LEN]);
        Ok(position)
    }

    /// Goes on with a piece, and to where it ends.
    fn advance(&mut self, stream: &mut Stream, piece: &mut [u8]) {
        let first = piece.len().min((BLOCK_LEN - self.done) % BLOCK_LEN);
        let (head, rest) = piece.split_at_mut(first);
        self.within(stream, head);
        let whole = rest.len() - rest.len() % BLOCK_LEN;
        let (blocks, tail) = rest.split_at_mut(whole);
        if !blocks.is_empty() {
            stream.apply(blocks);
            self.chain = stream.chain();
        }
        self.within(stream, tail);
    }

    /// Goes on within a block.
    fn within(&mut self, stream: &mut Stream, part: &mut [u8]) {
        if part.is_empty() {
            return;
        }
        let end = self.done + part.len();
        self.input[self.done..end].copy_from_slice(part);
        stream.apply(part);
        self.done = end % BLOCK_LEN;
        if self.done == 0 {
            self.chain = stream.chain();
        }
    }
}

extern "system" fn stream<'l>(
    env: EnvUnowned<'l>,
    _: JClass<'l>,
    key: JByteArray<'l>,
    mode: jint,
    position: JByteArray<'l>,
    data: JByteArray<'l>,
    offset: jint,
    length: jint,
) {
    call(env, |env| {
        let bytes = array::<POSITION_LEN>(env, &position)?;
        let mut state = Position::read(&bytes)?;
        let mut stream = Stream::new(mode, cipher(env, &key)?, &state.chain)?;
        let mut again = Zeroizing::new(state.input);
        stream.apply(&mut again[..state.done]);
        in_pieces(env, &data, offset, length, |piece| {
            state.advance(&mut stream, piece);
        })?;
        put(env, &position, 0, &state.chain)?;
        put(env, &position, BLOCK_LEN, &state.input)?;
        put(env, &position, 2 * BLOCK_LEN, &[state.done as u8])
    })
}

/// GCM or CCM, under one key.
#[expect(clippy::large_enum_variant, reason = "it is on the stack for one call")]
enum Aead {
    Gcm(Sm4Gcm),
    Ccm(Sm4Ccm),
}

impl Aead {
    fn new(ccm: jboolean, cipher: Sm4) -> Self {
        if ccm {
            Self::Ccm(Sm4Ccm::with_cipher(cipher))
        } else {
            Self::Gcm(Sm4Gcm::with_cipher(cipher))
        }
    }

    fn seal(
        &self,
        nonce: &[u8],
        header: &[u8],
        data: &mut [u8],
        tag: &mut [u8],
    ) -> Result<(), kuaimi::sm4::Error> {
        match self {
            Self::Gcm(gcm) => {
                if tag.len() != Sm4Gcm::TAG_LEN {
                    return Err(kuaimi::sm4::Error::TagLength(tag.len()));
                }
                tag.copy_from_slice(&gcm.seal_in_place(nonce, header, data)?);
                Ok(())
            }
            Self::Ccm(ccm) => ccm.seal_in_place(nonce, header, data, tag),
        }
    }

    fn open(
        &self,
        nonce: &[u8],
        header: &[u8],
        data: &mut [u8],
        tag: &[u8],
    ) -> Result<(), kuaimi::sm4::Error> {
        match self {
            Self::Gcm(gcm) => gcm.open_in_place(nonce, header, data, tag),
            Self::Ccm(ccm) => ccm.open_in_place(nonce, header, data, tag),
        }
    }
}

/// The message and the room for its tag are the `length` bytes.
extern "system" fn seal<'l>(
    env: EnvUnowned<'l>,
    _: JClass<'l>,
    key: JByteArray<'l>,
    ccm: jboolean,
    nonce: JByteArray<'l>,
    header: JByteArray<'l>,
    tag_length: jint,
    data: JByteArray<'l>,
    offset: jint,
    length: jint,
) {
    call(env, |env| {
        let aead = Aead::new(ccm, cipher(env, &key)?);
        let (nonce, header) = (copied(env, &nonce)?, copied(env, &header)?);
        let result = in_place(env, &data, offset, length, |data| {
            let (message, tag) = divided(data, tag_length)?;
            aead.seal(&nonce, &header, message, tag)
        })?;
        Ok(result?)
    })
}

/// The message and the tag behind it are the `length` bytes. They are not changed where the tag is
/// wrong.
extern "system" fn open<'l>(
    env: EnvUnowned<'l>,
    _: JClass<'l>,
    key: JByteArray<'l>,
    ccm: jboolean,
    nonce: JByteArray<'l>,
    header: JByteArray<'l>,
    tag_length: jint,
    data: JByteArray<'l>,
    offset: jint,
    length: jint,
) {
    call(env, |env| {
        let aead = Aead::new(ccm, cipher(env, &key)?);
        let (nonce, header) = (copied(env, &nonce)?, copied(env, &header)?);
        let result = in_place(env, &data, offset, length, |data| {
            let (message, tag) = divided(data, tag_length)?;
            aead.open(&nonce, &header, message, tag)
        })?;
        Ok(result?)
    })
}

/// What is before a tag at the end, and the tag.
fn divided(
    data: &mut [u8],
    tag_length: jint,
) -> Result<(&mut [u8], &mut [u8]), kuaimi::sm4::Error> {
    let tag_length = usize::try_from(tag_length).map_err(|_| kuaimi::sm4::Error::TagLength(0))?;
    let at = data
        .len()
        .checked_sub(tag_length)
        .ok_or(kuaimi::sm4::Error::DecryptionFailed)?;
    Ok(data.split_at_mut(at))
}
