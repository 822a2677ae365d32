//! Many operations of SM2's at once: a row has its part of each direct buffer or array.

use std::ffi::c_void;

use jni::objects::{JByteArray, JByteBuffer, JClass, JIntArray};
use jni::sys::jint;
use jni::{EnvUnowned, jni_str};
use kuaimi::Threads;
use kuaimi::sm2::batch::{Content, SignItem, Signer, VerifyItem, diffie_hellman_batch, sign_batch};
use kuaimi::sm2::{MAX_ID_LEN, PrivateKey, PublicKey, Signature, SigningKey};
use zeroize::Zeroizing;

use crate::bytes::{array, call_bytes, copied, direct, put_direct, separate};
use crate::call::{Entry, Failure, call};
use crate::columns::{Column, chunks, rows};
use crate::remembered::TABLES;

pub(crate) const FUNCTIONS: &[Entry] = &[
    (
        jni_str!("sm2VerifyBatch"),
        jni_str!(
            "(Ljava/nio/ByteBuffer;Ljava/nio/ByteBuffer;[I[BLjava/nio/ByteBuffer;Ljava/nio/ByteBuffer;I)V"
        ),
        verify as *mut c_void,
    ),
    (
        jni_str!("sm2SignBatch"),
        jni_str!("([BLjava/nio/ByteBuffer;[I[BLjava/nio/ByteBuffer;I)V"),
        sign as *mut c_void,
    ),
    (
        jni_str!("sm2DiffieHellmanBatch"),
        jni_str!("([B[B)[B"),
        diffie_hellman as *mut c_void,
    ),
];

/// The length of a digest.
const DIGEST_LEN: usize = 32;

/// What a signature is over: a message, or without `ends` a digest of 32 bytes.
fn content<'a>(ends: &JIntArray<'_>, bytes: &'a [u8]) -> Content<'a> {
    match bytes.try_into() {
        Ok(digest) if ends.is_null() => Content::Digest(digest),
        _ => Content::Message(bytes),
    }
}

extern "system" fn verify<'l>(
    env: EnvUnowned<'l>,
    _: JClass<'l>,
    keys: JByteBuffer<'l>,
    contents: JByteBuffer<'l>,
    ends: JIntArray<'l>,
    id: JByteArray<'l>,
    signatures: JByteBuffer<'l>,
    verdicts: JByteBuffer<'l>,
    count: jint,
) {
    call(env, |env| {
        let rows = rows(count)?;
        let columns = Column::new(env, &ends, DIGEST_LEN, rows)?;
        let id = copied(env, &id)?;
        if id.len() > MAX_ID_LEN {
            return Err(kuaimi::sm2::Error::IdTooLong(id.len()).into());
        }
        separate(
            env,
            (&verdicts, rows),
            &[
                (&keys, 64 * rows),
                (&contents, columns.start(rows)),
                (&signatures, 64 * rows),
            ],
        )?;
        for chunk in chunks(rows, |row| columns.start(row)) {
            let (first, count) = (chunk.start, chunk.len());
            let mut points = Vec::with_capacity(65 * count);
            for xy in direct(env, &keys, 64 * first, 64 * count)?
                .as_chunks::<64>()
                .0
            {
                points.push(4);
                points.extend_from_slice(xy);
            }
            let part = columns.range(chunk.clone());
            let bytes = direct(env, &contents, part.start, part.len())?;
            let signatures = direct(env, &signatures, 64 * first, 64 * count)?;
            let items: Vec<VerifyItem<'_>> = points
                .as_chunks::<65>()
                .0
                .iter()
                .zip(signatures.as_chunks().0)
                .enumerate()
                .map(|(row, (point, signature))| {
                    VerifyItem::new(
                        Signer::Sec1 { point, id: &id },
                        content(&ends, columns.row(&bytes, first, first + row)),
                        Signature::from_bytes(signature),
                    )
                })
                .collect();
            let results: Vec<u8> = TABLES
                .verify_batch(&items, Threads::Pool)
                .iter()
                .map(|result| u8::from(result.is_ok()))
                .collect();
            put_direct(env, &verdicts, first, &results)?;
        }
        Ok(())
    })
}

extern "system" fn sign<'l>(
    env: EnvUnowned<'l>,
    _: JClass<'l>,
    d: JByteArray<'l>,
    contents: JByteBuffer<'l>,
    ends: JIntArray<'l>,
    id: JByteArray<'l>,
    signatures: JByteBuffer<'l>,
    count: jint,
) {
    call(env, |env| {
        let rows = rows(count)?;
        let columns = Column::new(env, &ends, DIGEST_LEN, rows)?;
        let secret = PrivateKey::from_bytes(&*array(env, &d)?)?;
        let key = SigningKey::with_id(secret, &copied(env, &id)?)?;
        separate(
            env,
            (&signatures, 64 * rows),
            &[(&contents, columns.start(rows))],
        )?;
        for chunk in chunks(rows, |row| columns.start(row)) {
            let (first, count) = (chunk.start, chunk.len());
            let part = columns.range(chunk.clone());
            let bytes = direct(env, &contents, part.start, part.len())?;
            let items: Vec<SignItem<'_>> = chunk
                .map(|row| SignItem::new(&key, content(&ends, columns.row(&bytes, first, row))))
                .collect();
            let mut out = Vec::with_capacity(64 * count);
            for signature in sign_batch(&items, Threads::Pool) {
                out.extend_from_slice(&signature?.to_bytes());
            }
            put_direct(env, &signatures, 64 * first, &out)?;
        }
        Ok(())
    })
}

/// The shared secrets, 32 bytes a row, of private keys of 32 bytes and points of 64 bytes.
extern "system" fn diffie_hellman<'l>(
    env: EnvUnowned<'l>,
    _: JClass<'l>,
    keys: JByteArray<'l>,
    points: JByteArray<'l>,
) -> JByteArray<'l> {
    call_bytes(env, |env| {
        let (keys, points) = (copied(env, &keys)?, copied(env, &points)?);
        let (keys, points) = (keys.as_chunks::<32>(), points.as_chunks::<64>());
        if keys.0.len() != points.0.len() || !keys.1.is_empty() || !points.1.is_empty() {
            return Err(Failure::argument(
                "as many private keys of 32 bytes as points of 64 bytes are needed",
            ));
        }
        let read = |(key, point): (&[u8; 32], &[u8; 64])| -> Result<_, Failure> {
            Ok((
                PrivateKey::from_bytes(key)?,
                PublicKey::from_xy_bytes(point)?,
            ))
        };
        let rows = keys.0.iter().zip(points.0).map(read);
        let read: Vec<(PrivateKey, PublicKey)> = rows.collect::<Result<_, _>>()?;
        let pairs: Vec<(&PrivateKey, &PublicKey)> =
            read.iter().map(|(key, peer)| (key, peer)).collect();
        let secrets = diffie_hellman_batch(&pairs, Threads::Pool);
        Ok(Zeroizing::new(secrets.as_flattened().to_vec()))
    })
}
