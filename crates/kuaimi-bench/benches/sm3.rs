//! SM3 beside the `sm3` crate, and what is made from it. One core, one stream, message in memory.
//!
//! `cargo bench -p kuaimi-bench --bench sm3`. Compare within one run: the machine's clock moves
//! between runs.

use std::hint::black_box;
use std::time::Duration;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use kuaimi::Threads;
use kuaimi::sm3::{Kdf, Sm3, digest, digest_many, hmac_sm3};

/// One block with its padding block, and the usual sizes of records and files.
const LENGTHS: [usize; 4] = [64, 1 << 10, 16 << 10, 1 << 20];

fn hash(c: &mut Criterion) {
    let mut group = c.benchmark_group("sm3");
    for len in LENGTHS {
        let message = vec![0xa5u8; len];
        group.throughput(Throughput::Bytes(len as u64));
        group.bench_function(BenchmarkId::new("kuaimi", len), |b| {
            b.iter(|| digest(black_box(&message)));
        });
        group.bench_function(BenchmarkId::new("sm3 0.5.0", len), |b| {
            b.iter(|| <sm3::Sm3 as digest::Digest>::digest(black_box(&message)));
        });
    }
    group.finish();
}

/// 64 messages at once, and the same one by one.
fn many(c: &mut Criterion) {
    let mut group = c.benchmark_group("sm3 of 64 messages");
    for len in [64, 1 << 10] {
        let messages: Vec<Vec<u8>> = (0..64).map(|i| vec![i; len]).collect();
        group.throughput(Throughput::Bytes(64 * len as u64));
        group.bench_function(BenchmarkId::new("at once", len), |b| {
            b.iter(|| digest_many(black_box(&messages), Threads::One));
        });
        group.bench_function(BenchmarkId::new("one by one", len), |b| {
            b.iter(|| -> Vec<_> { black_box(&messages).iter().map(|m| digest(m)).collect() });
        });
    }
    group.finish();
}

fn midstate(c: &mut Criterion) {
    let mut prefix = Sm3::new();
    prefix.update(&[0xa5; 32]);
    c.bench_function("sm3 of 32 bytes after a cloned prefix of 32", |b| {
        b.iter(|| {
            let mut hash = black_box(&prefix).clone();
            hash.update(black_box(&[0x5a; 32]));
            hash.finalize()
        });
    });
}

fn derived(c: &mut Criterion) {
    let z = [0xa5u8; 64];
    let mut group = c.benchmark_group("kdf of 64 bytes");
    for len in [32, 16 << 10] {
        let mut data = vec![0u8; len];
        group.throughput(Throughput::Bytes(len as u64));
        group.bench_function(BenchmarkId::from_parameter(len), |b| {
            b.iter(|| Kdf::new(black_box(&z)).xor_in_place(black_box(&mut data)));
        });
    }
    group.finish();

    let message = [0x5au8; 64];
    c.bench_function("hmac-sm3 of 64 bytes", |b| {
        b.iter(|| hmac_sm3(black_box(&z), black_box(&message)));
    });
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_secs(1));
    targets = hash, many, midstate, derived
}
criterion_main!(benches);
