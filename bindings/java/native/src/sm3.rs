//! SM3: the compression of blocks, as Java keeps the state of a hash; PBKDF2.

use std::ffi::c_void;

use jni::objects::{JByteArray, JClass};
use jni::sys::jint;
use jni::{EnvUnowned, jni_str};
use kuaimi::encoding::{KeyDerivation, Prf};
use kuaimi::sm3::{DIGEST_LEN, compress};
use zeroize::Zeroizing;

use crate::bytes::{call_bytes, copied, prefix, put, read_copied, read_pieces};
use crate::call::{Entry, Failure, call};

pub(crate) const FUNCTIONS: &[Entry] = &[
    (
        jni_str!("sm3Compress"),
        jni_str!("([B[BII)V"),
        compress_blocks as *mut c_void,
    ),
    (
        jni_str!("sm3CompressBuffer"),
        jni_str!("([BI)V"),
        compress_buffer as *mut c_void,
    ),
    (
        jni_str!("sm3Pbkdf2"),
        jni_str!("([B[BII)[B"),
        pbkdf2 as *mut c_void,
    ),
];

extern "system" fn compress_blocks<'l>(
    env: EnvUnowned<'l>,
    _: JClass<'l>,
    state: JByteArray<'l>,
    data: JByteArray<'l>,
    offset: jint,
    length: jint,
) {
    call(env, |env| {
        let mut words = prefix::<DIGEST_LEN>(env, &state)?;
        read_pieces(env, &data, offset, length, |piece| {
            compress(&mut words, piece.as_chunks().0);
        })?;
        put(env, &state, 0, words.as_ref())
    })
}

extern "system" fn compress_buffer<'l>(
    env: EnvUnowned<'l>,
    _: JClass<'l>,
    work: JByteArray<'l>,
    length: jint,
) {
    call(env, |env| {
        let total = length.saturating_add(DIGEST_LEN as jint);
        let state = read_copied(env, &work, 0, total, |bytes| {
            let (state, blocks) = bytes
                .split_first_chunk_mut::<DIGEST_LEN>()
                .ok_or_else(|| Failure::argument("the state is missing"))?;
            compress(state, blocks.as_chunks().0);
            Ok(Zeroizing::new(*state))
        })?;
        put(env, &work, 0, state.as_ref())
    })
}

extern "system" fn pbkdf2<'l>(
    env: EnvUnowned<'l>,
    _: JClass<'l>,
    password: JByteArray<'l>,
    salt: JByteArray<'l>,
    iterations: jint,
    length: jint,
) -> JByteArray<'l> {
    call_bytes(env, |env| {
        let derivation = KeyDerivation::Pbkdf2 {
            prf: Prf::HmacSm3,
            iterations: u32::try_from(iterations).map_err(Failure::argument)?,
        };
        let length = usize::try_from(length).map_err(Failure::argument)?;
        let (password, salt) = (copied(env, &password)?, copied(env, &salt)?);
        derivation
            .derive(&password, &salt, length)
            .map_err(Failure::argument)
    })
}
