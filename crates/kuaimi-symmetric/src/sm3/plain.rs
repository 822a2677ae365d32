//! SM3 as GB/T 32905-2016 writes it: the oracle in the tests of the fast code.

#![forbid(unsafe_code)]

use alloc::vec::Vec;

/// Clause 5: pad, cut into blocks, iterate.
pub(super) fn digest(message: &[u8]) -> [u8; 32] {
    let mut v = super::IV;
    let padded = pad(message);
    let (blocks, rest) = padded.as_chunks::<64>();
    assert!(rest.is_empty());
    for block in blocks {
        v = cf(v, block);
    }
    let mut out = [0; 32];
    for (bytes, word) in out.chunks_exact_mut(4).zip(v) {
        bytes.copy_from_slice(&word.to_be_bytes());
    }
    out
}

/// 5.2: a bit 1, then `k` bits 0 with `l + 1 + k ≡ 448 mod 512`, then `l` as 64 bits.
fn pad(message: &[u8]) -> Vec<u8> {
    let bits = 8 * message.len() as u64;
    let mut padded = message.to_vec();
    padded.push(0x80);
    while padded.len() % 64 != 56 {
        padded.push(0);
    }
    padded.extend_from_slice(&bits.to_be_bytes());
    padded
}

/// 5.3.3: `V(i+1) = CF(V(i), B(i))`.
pub(super) fn cf(v: [u32; 8], block: &[u8; 64]) -> [u32; 8] {
    let (w, w1) = expand(block);
    let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = v;
    for j in 0..64 {
        let ss1 = a
            .rotate_left(12)
            .wrapping_add(e)
            .wrapping_add(t(j).rotate_left(j as u32 % 32))
            .rotate_left(7);
        let ss2 = ss1 ^ a.rotate_left(12);
        let tt1 = ff(j, a, b, c)
            .wrapping_add(d)
            .wrapping_add(ss2)
            .wrapping_add(w1[j]);
        let tt2 = gg(j, e, f, g)
            .wrapping_add(h)
            .wrapping_add(ss1)
            .wrapping_add(w[j]);
        d = c;
        c = b.rotate_left(9);
        b = a;
        a = tt1;
        h = g;
        g = f.rotate_left(19);
        f = e;
        e = p0(tt2);
    }
    let abcdefgh = [a, b, c, d, e, f, g, h];
    core::array::from_fn(|i| abcdefgh[i] ^ v[i])
}

/// 5.3.2: the 68 words `W_j` and the 64 words `W'_j`.
fn expand(block: &[u8; 64]) -> ([u32; 68], [u32; 64]) {
    let mut w = [0u32; 68];
    for j in 0..16 {
        let bytes = [
            block[4 * j],
            block[4 * j + 1],
            block[4 * j + 2],
            block[4 * j + 3],
        ];
        w[j] = u32::from_be_bytes(bytes);
    }
    for j in 16..68 {
        w[j] = p1(w[j - 16] ^ w[j - 9] ^ w[j - 3].rotate_left(15))
            ^ w[j - 13].rotate_left(7)
            ^ w[j - 6];
    }
    let w1 = core::array::from_fn(|j| w[j] ^ w[j + 4]);
    (w, w1)
}

/// 4.2.
fn t(j: usize) -> u32 {
    if j < 16 { 0x79cc4519 } else { 0x7a879d8a }
}

/// 4.3.
fn ff(j: usize, x: u32, y: u32, z: u32) -> u32 {
    if j < 16 {
        x ^ y ^ z
    } else {
        (x & y) | (x & z) | (y & z)
    }
}

/// 4.3.
fn gg(j: usize, x: u32, y: u32, z: u32) -> u32 {
    if j < 16 {
        x ^ y ^ z
    } else {
        (x & y) | (!x & z)
    }
}

/// 4.4.
fn p0(x: u32) -> u32 {
    x ^ x.rotate_left(9) ^ x.rotate_left(17)
}

/// 4.4.
fn p1(x: u32) -> u32 {
    x ^ x.rotate_left(15) ^ x.rotate_left(23)
}
