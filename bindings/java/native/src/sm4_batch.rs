//! Many messages in SM4-GCM at once, each with a key of its own, over direct buffers: a row has its
//! part of each.

use std::ffi::c_void;
use std::ops::Range;

use jni::objects::{JByteBuffer, JClass, JIntArray};
use jni::sys::jint;
use jni::{Env, EnvUnowned, jni_str};
use kuaimi::Threads;
use kuaimi::sm4::batch::{OpenItem, SealItem, open_batch, seal_batch};
use kuaimi::sm4::{KEY_LEN, Sm4Gcm};
use zeroize::Zeroizing;

use crate::bytes::{direct, put_direct, separate};
use crate::call::{Entry, Failure, call};
use crate::columns::{Column, chunks, rows};

pub(crate) const FUNCTIONS: &[Entry] = &[
    (
        jni_str!("sm4SealBatch"),
        jni_str!(
            "(Ljava/nio/ByteBuffer;Ljava/nio/ByteBuffer;[ILjava/nio/ByteBuffer;[ILjava/nio/ByteBuffer;[ILjava/nio/ByteBuffer;I)V"
        ),
        seal as *mut c_void,
    ),
    (
        jni_str!("sm4OpenBatch"),
        jni_str!(
            "(Ljava/nio/ByteBuffer;Ljava/nio/ByteBuffer;[ILjava/nio/ByteBuffer;[ILjava/nio/ByteBuffer;[ILjava/nio/ByteBuffer;Ljava/nio/ByteBuffer;I)V"
        ),
        open as *mut c_void,
    ),
];

/// The usual length of a nonce.
const NONCE_LEN: usize = 12;

/// What both directions read beside the messages.
struct Beside<'a, 'l> {
    keys: &'a JByteBuffer<'l>,
    nonces: (&'a JByteBuffer<'l>, Column),
    headers: (&'a JByteBuffer<'l>, Column),
}

/// The keys, nonces and headers of some rows, and the first of these.
struct Read {
    first: usize,
    keys: Zeroizing<Vec<u8>>,
    nonces: Zeroizing<Vec<u8>>,
    headers: Zeroizing<Vec<u8>>,
}

impl<'a, 'l> Beside<'a, 'l> {
    fn new(
        env: &Env<'_>,
        keys: &'a JByteBuffer<'l>,
        nonces: (&'a JByteBuffer<'l>, &JIntArray<'_>),
        headers: (&'a JByteBuffer<'l>, &JIntArray<'_>),
        rows: usize,
    ) -> Result<Self, Failure> {
        Ok(Self {
            keys,
            nonces: (nonces.0, Column::new(env, nonces.1, NONCE_LEN, rows)?),
            // Without ends, there are none.
            headers: (headers.0, Column::new(env, headers.1, 0, rows)?),
        })
    }

    /// The buffers, and the bytes that are read of each.
    fn inputs(&self, rows: usize) -> [(&'a JByteBuffer<'l>, usize); 3] {
        [
            (self.keys, KEY_LEN * rows),
            (self.nonces.0, self.nonces.1.start(rows)),
            (self.headers.0, self.headers.1.start(rows)),
        ]
    }

    /// How many bytes are before a row.
    fn start(&self, row: usize) -> usize {
        self.nonces.1.start(row) + self.headers.1.start(row)
    }

    fn read(&self, env: &Env<'_>, rows: &Range<usize>) -> Result<Read, Failure> {
        let column = |(buffer, column): &(&JByteBuffer<'_>, Column)| {
            let part = column.range(rows.clone());
            direct(env, buffer, part.start, part.len())
        };
        Ok(Read {
            first: rows.start,
            keys: direct(env, self.keys, KEY_LEN * rows.start, KEY_LEN * rows.len())?,
            nonces: column(&self.nonces)?,
            headers: column(&self.headers)?,
        })
    }

    /// The key, the nonce and the header of a row.
    fn row<'r>(&self, read: &'r Read, row: usize) -> (&'r [u8; KEY_LEN], &'r [u8], &'r [u8]) {
        (
            &read.keys.as_chunks().0[row - read.first],
            self.nonces.1.row(&read.nonces, read.first, row),
            self.headers.1.row(&read.headers, read.first, row),
        )
    }
}

/// Where the sealed messages are: each has a tag behind it, so that a row is that much longer.
fn sealed_range(messages: &Column, rows: &Range<usize>) -> Range<usize> {
    let part = messages.range(rows.clone());
    part.start + Sm4Gcm::TAG_LEN * rows.start..part.end + Sm4Gcm::TAG_LEN * rows.end
}

extern "system" fn seal<'l>(
    env: EnvUnowned<'l>,
    _: JClass<'l>,
    keys: JByteBuffer<'l>,
    nonces: JByteBuffer<'l>,
    nonce_ends: JIntArray<'l>,
    headers: JByteBuffer<'l>,
    header_ends: JIntArray<'l>,
    messages: JByteBuffer<'l>,
    ends: JIntArray<'l>,
    sealed: JByteBuffer<'l>,
    count: jint,
) {
    call(env, |env| {
        let rows = rows(count)?;
        let column = Column::new(env, &ends, 0, rows)?;
        let (nonces, headers) = ((&nonces, &nonce_ends), (&headers, &header_ends));
        let beside = Beside::new(env, &keys, nonces, headers, rows)?;
        let [keys, nonces, headers] = beside.inputs(rows);
        separate(
            env,
            (&sealed, sealed_range(&column, &(0..rows)).end),
            &[keys, nonces, headers, (&messages, column.start(rows))],
        )?;
        for chunk in chunks(rows, |row| column.start(row) + beside.start(row)) {
            let read = beside.read(env, &chunk)?;
            let part = column.range(chunk.clone());
            let bytes = direct(env, &messages, part.start, part.len())?;
            let items: Vec<SealItem<'_>> = chunk
                .clone()
                .map(|row| {
                    let (key, nonce, header) = beside.row(&read, row);
                    SealItem::new(key, nonce, header, column.row(&bytes, chunk.start, row))
                })
                .collect();
            let place = sealed_range(&column, &chunk);
            let mut out = Vec::with_capacity(place.len());
            for result in seal_batch(&items, Threads::Pool) {
                out.extend_from_slice(&result?);
            }
            put_direct(env, &sealed, place.start, &out)?;
        }
        Ok(())
    })
}

/// The verdict of a row is 1 if it was opened, else its message is zeros.
extern "system" fn open<'l>(
    env: EnvUnowned<'l>,
    _: JClass<'l>,
    keys: JByteBuffer<'l>,
    nonces: JByteBuffer<'l>,
    nonce_ends: JIntArray<'l>,
    headers: JByteBuffer<'l>,
    header_ends: JIntArray<'l>,
    sealed: JByteBuffer<'l>,
    ends: JIntArray<'l>,
    messages: JByteBuffer<'l>,
    verdicts: JByteBuffer<'l>,
    count: jint,
) {
    call(env, |env| {
        let rows = rows(count)?;
        let column = Column::new(env, &ends, 0, rows)?;
        let (nonces, headers) = ((&nonces, &nonce_ends), (&headers, &header_ends));
        let beside = Beside::new(env, &keys, nonces, headers, rows)?;
        let [keys, nonces, headers] = beside.inputs(rows);
        let sealed_all = (&sealed, sealed_range(&column, &(0..rows)).end);
        let written = (&messages, column.start(rows));
        separate(env, written, &[keys, nonces, headers, sealed_all])?;
        separate(
            env,
            (&verdicts, rows),
            &[keys, nonces, headers, sealed_all, written],
        )?;
        for chunk in chunks(rows, |row| column.start(row) + beside.start(row)) {
            let read = beside.read(env, &chunk)?;
            let part = sealed_range(&column, &chunk);
            let bytes = direct(env, &sealed, part.start, part.len())?;
            let items: Vec<OpenItem<'_>> = chunk
                .clone()
                .map(|row| {
                    let (key, nonce, header) = beside.row(&read, row);
                    let at = sealed_range(&column, &(row..row + 1));
                    let own = &bytes[at.start - part.start..at.end - part.start];
                    OpenItem::new(key, nonce, header, own)
                })
                .collect();
            let place = column.range(chunk.clone());
            let mut out = Zeroizing::new(vec![0; place.len()]);
            let mut opened = Vec::with_capacity(chunk.len());
            for (row, result) in chunk.clone().zip(open_batch(&items, Threads::Pool)) {
                opened.push(u8::from(result.is_ok()));
                if let Ok(message) = result {
                    let at = column.range(row..row + 1);
                    let own = &mut out[at.start - place.start..at.end - place.start];
                    own.copy_from_slice(&Zeroizing::new(message));
                }
            }
            put_direct(env, &messages, place.start, &out)?;
            put_direct(env, &verdicts, chunk.start, &opened)?;
        }
        Ok(())
    })
}
