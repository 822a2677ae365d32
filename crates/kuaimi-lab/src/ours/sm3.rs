//! SM3: one message at a time, and many side by side.

use std::hint::black_box;

use anyhow::Result;
use kuaimi::Threads;
use kuaimi::sm3;

use super::Work;

/// How many messages are hashed at once.
const MANY: usize = 64;
const KIB: usize = 1 << 10;

pub(super) fn works() -> Result<Vec<Work>> {
    Ok(vec![
        one("sm3-64", 64),
        one("sm3-1k", KIB),
        one("sm3-16k", 16 * KIB),
        one("sm3-1m", 1024 * KIB),
        many("sm3-many-64", 64),
        many("sm3-many-1k", KIB),
        many("sm3-many-16k", 16 * KIB),
    ])
}

fn one(id: &'static str, bytes: usize) -> Work {
    let text = vec![0x5A; bytes];
    Work::new(id, "one message at a time", move || {
        black_box(sm3::digest(black_box(&text)));
        Ok(())
    })
}

fn many(id: &'static str, bytes: usize) -> Work {
    let texts = vec![vec![0x5A; bytes]; MANY];
    let condition = "64 messages at once, in the lanes of vectors, on one thread";
    Work::many(id, MANY, condition, move || {
        drop(black_box(sm3::digest_many(
            black_box(&texts),
            Threads::Pool,
        )));
        Ok(())
    })
}
