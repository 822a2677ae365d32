//! SM3: the compression of blocks, as Java keeps the state of a hash; PBKDF2.

use std::ffi::c_void;

use jni::objects::{JByteArray, JClass};
use jni::sys::jint;
use jni::{EnvUnowned, jni_str};
use kuaimi::encoding::{KeyDerivation, Prf};
use kuaimi::sm3::{DIGEST_LEN, compress};

use crate::bytes::{array, copied, put, read_pieces};
use crate::call::{Entry, Failure, call, call_bytes};

pub(crate) const FUNCTIONS: &[Entry] = &[
    (
        jni_str!("sm3Compress"),
        jni_str!("([B[BII)V"),
        compress_blocks as *mut c_void,
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
        let mut words = array::<DIGEST_LEN>(env, &state)?;
        read_pieces(env, &data, offset, length, |piece| {
            compress(&mut words, piece.as_chunks().0);
        })?;
        put(env, &state, 0, words.as_ref())
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
