//! Many operations of SM2's at once, over direct buffers: a row has its part of each.

use std::ffi::c_void;

use jni::objects::{JByteArray, JByteBuffer, JClass, JIntArray};
use jni::sys::jint;
use jni::{Env, EnvUnowned, jni_str};
use kuaimi::Threads;
use kuaimi::sm2::batch::{Content, SignItem, Signer, VerifyItem, sign_batch};
use kuaimi::sm2::{MAX_ID_LEN, PrivateKey, Signature, SigningKey};

use crate::bytes::{array, copied, direct, put_direct, separate};
use crate::call::{Entry, Failure, call};
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
];

/// Rows at a time: enough for all threads, in some megabytes.
const CHUNK: usize = 8192;

/// What the signatures are over: 32 bytes a row, or messages one behind the other.
enum Contents {
    Digests,
    Messages(Vec<usize>),
}

impl Contents {
    /// `ends` says where each message ends.
    fn new(env: &Env<'_>, ends: &JIntArray<'_>, rows: usize) -> Result<Self, Failure> {
        if ends.is_null() {
            return Ok(Self::Digests);
        }
        let wrong =
            || Failure::argument("the ends of the messages must not decrease, one for each row");
        if ends.len(env)? != rows {
            return Err(wrong());
        }
        let mut numbers = vec![0; rows];
        ends.get_region(env, 0, &mut numbers)?;
        if numbers.first().is_some_and(|&first| first < 0) || !numbers.is_sorted() {
            return Err(wrong());
        }
        Ok(Self::Messages(
            numbers.into_iter().map(|end| end as usize).collect(),
        ))
    }

    /// Where the contents of row `row` begin.
    fn start(&self, row: usize) -> usize {
        match self {
            Self::Digests => 32 * row,
            Self::Messages(ends) => row.checked_sub(1).map_or(0, |before| ends[before]),
        }
    }

    /// The content of a row, in bytes that begin with row `first`.
    fn row<'a>(&self, bytes: &'a [u8], first: usize, row: usize) -> Content<'a> {
        let base = self.start(first);
        let bytes = &bytes[self.start(row) - base..self.start(row + 1) - base];
        match (self, bytes.try_into()) {
            (Self::Digests, Ok(digest)) => Content::Digest(digest),
            _ => Content::Message(bytes),
        }
    }
}

fn rows(count: jint) -> Result<usize, Failure> {
    usize::try_from(count).map_err(|_| Failure::argument("a number of rows is not negative"))
}

/// The rows in chunks: the first of each, and how many they are.
fn chunks(rows: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..rows)
        .step_by(CHUNK)
        .map(move |first| (first, CHUNK.min(rows - first)))
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
        let columns = Contents::new(env, &ends, rows)?;
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
        for (first, count) in chunks(rows) {
            let mut points = Vec::with_capacity(65 * count);
            for xy in direct(env, &keys, 64 * first, 64 * count)?
                .as_chunks::<64>()
                .0
            {
                points.push(4);
                points.extend_from_slice(xy);
            }
            let start = columns.start(first);
            let bytes = direct(env, &contents, start, columns.start(first + count) - start)?;
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
                        columns.row(&bytes, first, first + row),
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
        let columns = Contents::new(env, &ends, rows)?;
        let secret = PrivateKey::from_bytes(&*array(env, &d)?)?;
        let key = SigningKey::with_id(secret, &copied(env, &id)?)?;
        separate(
            env,
            (&signatures, 64 * rows),
            &[(&contents, columns.start(rows))],
        )?;
        for (first, count) in chunks(rows) {
            let start = columns.start(first);
            let bytes = direct(env, &contents, start, columns.start(first + count) - start)?;
            let items: Vec<SignItem<'_>> = (first..first + count)
                .map(|row| SignItem::new(&key, columns.row(&bytes, first, row)))
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
