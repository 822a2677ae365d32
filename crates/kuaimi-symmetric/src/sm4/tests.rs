//! Every implementation against the model.

mod ccm;
mod feedback;
mod gcm_kept;
mod gcm_many;
mod gcm_stream;

use rand_core::TryRng;

use super::backend::{Direction, GhashKey, Implementation, Masks};
use super::{
    Block, Error, Sm4, Sm4Cbc, Sm4Ccm, Sm4Cfb, Sm4Ctr, Sm4Gcm, Sm4GcmStream, Sm4Ofb, Sm4Xts,
    XtsStandard, plain, tweaks,
};
use kuaimi_testing::{Repeatable, rounds};

fn array<const N: usize>(random: &mut Repeatable) -> [u8; N] {
    let mut bytes = [0; N];
    let Ok(()) = random.try_fill_bytes(&mut bytes);
    bytes
}

fn blocks(random: &mut Repeatable, count: usize) -> Vec<Block> {
    (0..count).map(|_| array(random).into()).collect()
}

/// Every implementation that this CPU can run. The test's output names them.
fn every_implementation() -> impl Iterator<Item = Implementation> {
    Implementation::available().inspect(|implementation| println!("SM4: {implementation:?}"))
}

#[test]
fn every_number_of_blocks() {
    let mut random = Repeatable(1);
    for implementation in every_implementation() {
        for count in (0..=rounds(140)).chain([255, 256, 257]) {
            let key = array(&mut random);
            let plaintext = blocks(&mut random, count);
            let expected: Vec<Block> = plaintext
                .iter()
                .map(|block| plain::encrypt(&key, block.as_ref()).into())
                .collect();
            let keys = implementation.round_keys(&key);

            let mut apart = vec![Block::default(); count];
            let pair = cipher::InOutBuf::new(&plaintext, &mut apart).expect("equal lengths");
            implementation.crypt(&keys, Direction::Encrypt, None, pair);
            assert_eq!(apart, expected, "{implementation:?}, {count} blocks");
            let together = apart.as_mut_slice().into();
            implementation.crypt(&keys, Direction::Decrypt, None, together);
            assert_eq!(apart, plaintext, "{implementation:?}, {count} blocks");
        }
    }
}

/// Masks are added to the result, or before and after the cipher; in place and not.
#[test]
fn masks() {
    let mut random = Repeatable(4);
    let key = array(&mut random);
    let sum = |x: &Block, y: &Block| -> Block { core::array::from_fn(|i| x[i] ^ y[i]).into() };
    for implementation in every_implementation() {
        let keys = implementation.round_keys(&key);
        for count in (0..=rounds(70)).chain([127, 128, 129]) {
            let masks = blocks(&mut random, count);
            let blocks = blocks(&mut random, count);
            let encrypted = |block: &Block| plain::encrypt(&key, block.as_ref()).into();
            let pairs = || blocks.iter().zip(&masks);
            let after: Vec<Block> = pairs().map(|(x, mask)| sum(&encrypted(x), mask)).collect();
            let both: Vec<Block> = pairs()
                .map(|(x, mask)| sum(&encrypted(&sum(x, mask)), mask))
                .collect();
            for (masks, expected) in [(Masks::After(&masks), after), (Masks::Both(&masks), both)] {
                let mut apart = vec![Block::default(); count];
                let pair = cipher::InOutBuf::new(&blocks, &mut apart).expect("equal lengths");
                implementation.crypt(&keys, Direction::Encrypt, Some(masks), pair);
                assert_eq!(apart, expected, "{implementation:?}, {count} blocks");
                let mut together = blocks.clone();
                let in_place = together.as_mut_slice().into();
                implementation.crypt(&keys, Direction::Encrypt, Some(masks), in_place);
                assert_eq!(together, expected, "{implementation:?}, {count} blocks");
            }
        }
    }
}

/// Tweaks in vectors, against single steps: X times each, reduced.
#[test]
fn tweaks_in_vectors() {
    let mut random = Repeatable(5);
    for implementation in every_implementation() {
        for standard in [XtsStandard::Ieee, XtsStandard::Gb] {
            for _ in 0..20 {
                let mut eights = [Default::default(); 9];
                eights[0] = tweaks::first_eight(standard, &array(&mut random));
                implementation.fill_tweaks(standard, &mut eights);
                for pair in eights.as_flattened().windows(2) {
                    let [now, next] = [0, 1].map(|i| match standard {
                        XtsStandard::Ieee => u128::from_le_bytes(pair[i].into()),
                        XtsStandard::Gb => u128::from_be_bytes(pair[i].into()).reverse_bits(),
                    });
                    let reduced = if now >> 127 == 1 { 0x87 } else { 0 };
                    assert_eq!(next, now << 1 ^ reduced, "{implementation:?}, {standard:?}");
                }
            }
        }
    }
}

#[test]
fn ctr32_of_every_length_and_across_the_wrap() {
    let mut random = Repeatable(2);
    for implementation in every_implementation() {
        for length in (0..=rounds(700)).chain([1024, 1025, 2048, 4095, 16384 + 7]) {
            let key = array(&mut random);
            let mut counter: [u8; 16] = array(&mut random);
            if length % 3 == 0 {
                let low = u32::MAX - (length / 40) as u32;
                counter[12..].copy_from_slice(&low.to_be_bytes());
            }
            let mut data = vec![0; length];
            let Ok(()) = random.try_fill_bytes(&mut data);
            let (high, low) = counter.split_last_chunk::<4>().expect("16 bytes");
            let stream = (0..).flat_map(|i| {
                let low = u32::from_be_bytes(*low).wrapping_add(i).to_be_bytes();
                let block: Vec<u8> = high.iter().copied().chain(low).collect();
                plain::encrypt(&key, block.as_slice().try_into().expect("16 bytes"))
            });
            let expected: Vec<u8> = data.iter().zip(stream).map(|(x, y)| x ^ y).collect();

            let keys = implementation.round_keys(&key);
            let mut apart = vec![0; length];
            let pair = cipher::InOutBuf::new(&data, &mut apart).expect("equal lengths");
            implementation.ctr32(&keys, &counter, pair);
            assert_eq!(apart, expected, "{implementation:?}, {length} bytes");
            implementation.ctr32(&keys, &counter, apart.as_mut_slice().into());
            assert_eq!(apart, data, "{implementation:?}, {length} bytes");
        }
    }
}

/// The cipher of an independent implementation.
fn rust_crypto(key: &[u8; 16]) -> sm4::Sm4 {
    cipher::KeyInit::new(key.into())
}

fn data(random: &mut Repeatable, length: usize) -> Vec<u8> {
    let mut data = vec![0; length];
    let Ok(()) = random.try_fill_bytes(&mut data);
    data
}

/// Calls a function with the data in pieces of 0 to `at_most` bytes.
fn in_pieces(
    random: &mut Repeatable,
    at_most: u64,
    mut data: &mut [u8],
    mut call: impl FnMut(&mut [u8]),
) {
    while !data.is_empty() {
        let length = (random.word() % (at_most + 1)) as usize;
        let (piece, after) = data.split_at_mut(length.min(data.len()));
        call(piece);
        data = after;
    }
}

/// GB/T 32907-2016, annex A: one encryption, and a million.
#[test]
fn the_standards_examples() {
    let key = 0x0123_4567_89ab_cdef_fedc_ba98_7654_3210_u128.to_be_bytes();
    for implementation in every_implementation() {
        let cipher = Sm4::with_implementation(implementation, &key);
        let mut block = key;
        cipher.encrypt(&mut block);
        let once = 0x681e_df34_d206_965e_86b3_e94f_536e_4246_u128;
        assert_eq!(u128::from_be_bytes(block), once, "{implementation:?}");
        if rounds(1000) < 1000 {
            continue; // an emulated machine
        }
        for _ in 1..1_000_000 {
            cipher.encrypt(&mut block);
        }
        let million = 0x5952_98c7_c6fd_271f_0402_f804_c33d_3f66_u128;
        assert_eq!(u128::from_be_bytes(block), million, "{implementation:?}");
        for _ in 0..1000 {
            cipher.decrypt(&mut block);
        }
        for _ in 0..1000 {
            cipher.encrypt(&mut block);
        }
        assert_eq!(u128::from_be_bytes(block), million, "{implementation:?}");
    }
}

/// The model, with which all other tests compare, against the `sm4` crate.
#[test]
fn the_model_is_sm4() {
    use cipher::{BlockCipherDecrypt, BlockCipherEncrypt};

    let mut random = Repeatable(3);
    for _ in 0..rounds(1000) {
        let (key, block) = (array(&mut random), array(&mut random));
        let peer = rust_crypto(&key);
        let mut theirs: Block = block.into();
        peer.encrypt_block(&mut theirs);
        assert_eq!(plain::encrypt(&key, &block), theirs.as_slice());
        let mut theirs: Block = block.into();
        peer.decrypt_block(&mut theirs);
        assert_eq!(plain::decrypt(&key, &block), theirs.as_slice());
    }
}

#[test]
fn a_counter_of_128_bits_in_pieces() {
    let mut random = Repeatable(4);
    for implementation in every_implementation() {
        for iv in [
            u128::MAX - 5,
            u128::from(u32::MAX) - 70,
            (1 << 96) - 3,
            0,
            1 << 77,
        ] {
            let key: [u8; 16] = array(&mut random);
            let plaintext = data(&mut random, 3000);
            let expected: Vec<u8> = (0..)
                .flat_map(|i| plain::encrypt(&key, &iv.wrapping_add(i).to_be_bytes()))
                .zip(&plaintext)
                .map(|(stream, byte)| stream ^ byte)
                .collect();

            let new = || {
                Sm4Ctr::with_cipher(
                    Sm4::with_implementation(implementation, &key),
                    &iv.to_be_bytes(),
                )
            };
            let mut whole = plaintext.clone();
            new().apply(&mut whole);
            assert_eq!(whole, expected, "{implementation:?}, {iv:032x}");

            let (mut pieces, mut stream) = (plaintext.clone(), new());
            in_pieces(&mut random, 76, &mut pieces, |piece| stream.apply(piece));
            assert_eq!(pieces, expected, "{implementation:?}, {iv:032x}");
        }
    }
}

#[test]
fn a_stream_can_start_anywhere() {
    use cipher::{StreamCipher, StreamCipherSeek};

    let mut random = Repeatable(5);
    let (key, iv): ([u8; 16], [u8; 16]) = (array(&mut random), array(&mut random));
    let mut stream = vec![0; 500];
    Sm4Ctr::new(&key, &iv).apply(&mut stream);
    let mut cipher = Sm4Ctr::new(&key, &iv);
    assert_eq!(cipher.current_pos::<u64>(), 0);
    for position in [0, 1, 15, 16, 17, 100, 31, 32, 255, 256] {
        cipher.seek(position as u64);
        assert_eq!(cipher.current_pos::<u64>(), position as u64);
        let mut piece = vec![0; 37];
        cipher.apply_keystream(&mut piece);
        assert_eq!(piece, stream[position..position + 37], "{position}");
        assert_eq!(cipher.current_pos::<u64>(), position as u64 + 37);
    }
    // A position that is refused changes nothing.
    for before_the_start in [-1, -15, -16, -17, i32::MIN] {
        assert!(cipher.try_seek(before_the_start).is_err());
        assert_eq!(cipher.current_pos::<u64>(), 256 + 37);
    }
    // The whole of what positions of 128 bits can name, and back.
    cipher.seek(u128::MAX);
    cipher.seek(17_i32);
    let mut piece = [0; 37];
    cipher.apply_keystream(&mut piece);
    assert_eq!(piece, stream[17..17 + 37]);
}

#[test]
fn cbc_of_every_number_of_blocks() {
    let mut random = Repeatable(6);
    for implementation in every_implementation() {
        for count in (0..=rounds(70)).chain([128, 129, 200]) {
            let (key, iv): ([u8; 16], [u8; 16]) = (array(&mut random), array(&mut random));
            let plaintext = data(&mut random, 16 * count);
            let mut chain = iv;
            let expected: Vec<u8> = plaintext
                .as_chunks::<16>()
                .0
                .iter()
                .flat_map(|block| {
                    let sum = u128::from_be_bytes(*block) ^ u128::from_be_bytes(chain);
                    chain = plain::encrypt(&key, &sum.to_be_bytes());
                    chain
                })
                .collect();
            let cipher = Sm4Cbc::with_cipher(Sm4::with_implementation(implementation, &key));
            let mut both = plaintext.clone();
            assert_eq!(cipher.encrypt(&iv, &mut both), Ok(()));
            assert_eq!(both, expected, "{implementation:?}, {count} blocks");
            assert_eq!(cipher.decrypt(&iv, &mut both), Ok(()));
            assert_eq!(both, plaintext, "{implementation:?}, {count} blocks");
        }
    }
}

#[test]
fn padding() {
    let mut random = Repeatable(7);
    let (key, iv): ([u8; 16], [u8; 16]) = (array(&mut random), array(&mut random));
    let cipher = Sm4Cbc::new(&key);
    for length in 0..=50 {
        let message = data(&mut random, length);
        let ciphertext = cipher.encrypt_padded(&iv, &message);
        assert_eq!(ciphertext.len(), length / 16 * 16 + 16);
        assert_eq!(cipher.decrypt_padded(&iv, &ciphertext), Ok(message));
    }
    // Every value of the last byte, and every padding with one byte wrong.
    let decrypt = |block: [u8; 16]| {
        let mut ciphertext = block;
        assert_eq!(cipher.encrypt(&iv, &mut ciphertext), Ok(()));
        cipher.decrypt_padded(&iv, &ciphertext)
    };
    for padding in 0..=255_u8 {
        let good = (1..=16).contains(&padding);
        let mut block = [padding; 16];
        let message = decrypt(block);
        if good {
            assert_eq!(message, Ok(vec![padding; 16 - usize::from(padding)]));
        } else {
            assert_eq!(message, Err(Error::DecryptionFailed), "{padding}");
        }
        for place in 0..15 {
            block[place] ^= 0x11;
            let inside = place + usize::from(padding) >= 16;
            assert_eq!(
                decrypt(block).is_ok(),
                good && !inside,
                "{padding} at {place}"
            );
            block[place] ^= 0x11;
        }
    }
    assert_eq!(
        cipher.decrypt_padded(&iv, &[]),
        Err(Error::DecryptionFailed)
    );
    assert_eq!(
        cipher.decrypt_padded(&iv, &[0; 17]),
        Err(Error::PartialBlock(17))
    );
    assert_eq!(
        cipher.encrypt(&iv, &mut [0; 15]),
        Err(Error::PartialBlock(15))
    );
    assert_eq!(
        Sm4::new(&key).encrypt_ecb(&mut [0; 33]),
        Err(Error::PartialBlock(33))
    );
    assert_eq!(
        Sm4::new(&key).decrypt_ecb(&mut [0; 1]),
        Err(Error::PartialBlock(1))
    );
}

/// XTS bit by bit: the tweak as a polynomial, with the order of coefficients of each standard.
fn xts_model(key: &[u8; 32], standard: XtsStandard, tweak: &[u8; 16], data: &[u8]) -> Vec<u8> {
    let (k1, k2) = (key[..16].try_into().unwrap(), key[16..].try_into().unwrap());
    let place = |i: usize| match standard {
        XtsStandard::Ieee => (i / 8, i % 8),
        XtsStandard::Gb => (i / 8, 7 - i % 8),
    };
    let times_x = |t: [u8; 16]| {
        let bit = |i: usize| t[place(i).0] >> place(i).1 & 1;
        let mut next = [0; 16];
        for i in 0..128 {
            let fed = [0, 1, 2, 7].contains(&i) && bit(127) == 1;
            let value = if i > 0 { bit(i - 1) } else { 0 } ^ u8::from(fed);
            next[place(i).0] |= value << place(i).1;
        }
        next
    };
    let mut t = plain::encrypt(k2, tweak);
    let mut tweaks = Vec::new();
    for _ in 0..=data.len() / 16 {
        tweaks.push(t);
        t = times_x(t);
    }
    let with_tweak = |t: &[u8; 16], block: &[u8]| -> [u8; 16] {
        let sum: Vec<u8> = block.iter().zip(t).map(|(x, t)| x ^ t).collect();
        let sum = plain::encrypt(k1, sum.as_slice().try_into().unwrap());
        core::array::from_fn(|i| sum[i] ^ t[i])
    };
    let mut out: Vec<u8> = Vec::new();
    let (blocks, part) = data.as_chunks::<16>();
    for (block, t) in blocks.iter().zip(&tweaks) {
        out.extend(with_tweak(t, block));
    }
    if !part.is_empty() {
        let last = out.split_off(out.len() - 16);
        let stealing = [part, &last[part.len()..]].concat();
        out.extend(with_tweak(&tweaks[blocks.len()], &stealing));
        out.extend(&last[..part.len()]);
    }
    out
}

#[test]
fn xts_of_every_length() {
    let mut random = Repeatable(8);
    for implementation in every_implementation() {
        for length in (16..=rounds(300)).chain([1024, 1040, 1041, 2047, 4096]) {
            for standard in [XtsStandard::Ieee, XtsStandard::Gb] {
                let (key, tweak): ([u8; 32], [u8; 16]) = (array(&mut random), array(&mut random));
                let plaintext = data(&mut random, length);
                let cipher = Sm4Xts::with_implementation(implementation, &key, standard)
                    .expect("halves that differ");
                let mut both = plaintext.clone();
                assert_eq!(cipher.encrypt(&tweak, &mut both), Ok(()));
                let expected = xts_model(&key, standard, &tweak, &plaintext);
                assert_eq!(
                    both, expected,
                    "{implementation:?}, {standard:?}, {length} bytes"
                );
                assert_eq!(cipher.decrypt(&tweak, &mut both), Ok(()));
                assert_eq!(
                    both, plaintext,
                    "{implementation:?}, {standard:?}, {length} bytes"
                );
            }
        }
    }
    for length in 0..16 {
        let cipher = Sm4Xts::new(&array(&mut random), XtsStandard::Gb).expect("a good key");
        let mut short = vec![0; length];
        assert_eq!(
            cipher.encrypt(&[0; 16], &mut short),
            Err(Error::TooShort(length))
        );
        assert_eq!(
            cipher.decrypt(&[0; 16], &mut short),
            Err(Error::TooShort(length))
        );
    }
    let equal = Sm4Xts::new(&[7; 32], XtsStandard::Ieee);
    assert_eq!(equal.err(), Some(Error::EqualHalves));
}

/// GHASH bit by bit, as in NIST SP 800-38D, 6.3 and 6.4.
fn ghash_model(h: &[u8; 16], blocks: &[Block]) -> [u8; 16] {
    let h = u128::from_be_bytes(*h);
    let times_h = |x: u128| {
        let (mut z, mut v) = (0, h);
        for i in 0..128 {
            if x >> (127 - i) & 1 == 1 {
                z ^= v;
            }
            v = v >> 1 ^ if v & 1 == 1 { 0xe1 << 120 } else { 0 };
        }
        z
    };
    let sum = blocks.iter().fold(0, |sum, block| {
        times_h(sum ^ u128::from_be_bytes((*block).into()))
    });
    sum.to_be_bytes()
}

#[test]
fn ghash_of_every_number_of_blocks() {
    let mut random = Repeatable(9);
    for implementation in kuaimi_platform::backend::Ghash::available() {
        println!("GHASH: {implementation:?}");
        for count in (0..=rounds(70)).chain([255]) {
            let h = match count {
                1 => [0; 16],
                2 => [0xff; 16],
                3 => (1_u128 << 127).to_be_bytes(),
                4 => 1_u128.to_be_bytes(),
                _ => array(&mut random),
            };
            let data = blocks(&mut random, count);
            let key = GhashKey::new(implementation, &h);
            let expected = ghash_model(&h, &data);
            let mut hash = key.start();
            hash.update(&data);
            assert_eq!(
                hash.finish(),
                expected,
                "{implementation:?}, {count} blocks"
            );
            let (first, second) = data.split_at(count / 3);
            let mut hash = key.start();
            hash.update(first);
            hash.update(second);
            assert_eq!(
                hash.finish(),
                expected,
                "{implementation:?}, {count} blocks in two parts"
            );
        }
    }
}

fn gcm_model(
    key: &[u8; 16],
    nonce: &[u8],
    associated_data: &[u8],
    message: &[u8],
) -> (Vec<u8>, [u8; 16]) {
    let h = plain::encrypt(key, &[0; 16]);
    let padded = |data: &[u8]| -> Vec<Block> {
        data.chunks(16)
            .map(|chunk| core::array::from_fn(|i| chunk.get(i).copied().unwrap_or(0)).into())
            .collect()
    };
    let lengths = |a: usize, b: usize| {
        let bits = [a, b].map(|n| (8 * n as u64).to_be_bytes()).concat();
        padded(&bits)
    };
    let first = if nonce.len() == 12 {
        let mut first = [0; 16];
        first[..12].copy_from_slice(nonce);
        first[15] = 1;
        first
    } else {
        ghash_model(&h, &[padded(nonce), lengths(0, nonce.len())].concat())
    };
    let stream = |i: u32| {
        let (high, low) = first.split_last_chunk::<4>().unwrap();
        let low = u32::from_be_bytes(*low).wrapping_add(i).to_be_bytes();
        plain::encrypt(key, [high, &low].concat().as_slice().try_into().unwrap())
    };
    let ciphertext: Vec<u8> = (1..)
        .flat_map(stream)
        .zip(message)
        .map(|(stream, byte)| stream ^ byte)
        .collect();
    let hashed = [
        padded(associated_data),
        padded(&ciphertext),
        lengths(associated_data.len(), message.len()),
    ];
    let hash = ghash_model(&h, &hashed.concat());
    let mask = stream(0);
    (ciphertext, core::array::from_fn(|i| hash[i] ^ mask[i]))
}

#[test]
fn gcm_of_every_length() {
    let mut random = Repeatable(10);
    for implementation in every_implementation() {
        for length in (0..=rounds(300)).chain([
            511, 512, 1007, 1008, 1009, 1024, 1025, 1071, 1072, 1073, 1088, 4096, 8192, 8193,
            16384, 20000,
        ]) {
            let key: [u8; 16] = array(&mut random);
            let nonce_length = if length % 2 == 0 { 12 } else { 1 + length % 40 };
            let nonce = data(&mut random, nonce_length);
            let associated_data = data(&mut random, length * 7 % 53);
            let message = data(&mut random, length);
            let (ciphertext, tag) = gcm_model(&key, &nonce, &associated_data, &message);

            let cipher = Sm4Gcm::with_cipher(Sm4::with_implementation(implementation, &key));
            let sealed = cipher
                .seal(&nonce, &associated_data, &message)
                .expect("a good nonce");
            assert_eq!(
                sealed[..length],
                ciphertext,
                "{implementation:?}, {length} bytes"
            );
            assert_eq!(sealed[length..], tag, "{implementation:?}, {length} bytes");
            let opened = cipher.open(&nonce, &associated_data, &sealed);
            assert_eq!(
                opened.as_ref(),
                Ok(&message),
                "{implementation:?}, {length} bytes"
            );
        }
    }
}

/// A nonce of 16 bytes whose first counter under the key is `wanted`.
///
/// Random trials would be too many, but the counter J0 = ((N·H) + L)·H = N·H² + L·H is linear in N:
/// Gaussian elimination over the 128 bits finds N.
fn nonce_for(key: &[u8; 16], wanted: u128) -> [u8; 16] {
    let h = plain::encrypt(key, &[0; 16]);
    let j0 = |nonce: u128| {
        let length: Block = 128_u128.to_be_bytes().into();
        u128::from_be_bytes(ghash_model(&h, &[nonce.to_be_bytes().into(), length]))
    };
    let constant = j0(0);
    let mut rows: Vec<(u128, u128)> = (0..128)
        .map(|i| (j0(1 << i) ^ constant, 1_u128 << i))
        .collect();
    let (mut target, mut nonce) = (wanted ^ constant, 0);
    for bit in 0..128 {
        let pivot = rows
            .iter()
            .position(|row| row.0 >> bit & 1 == 1)
            .expect("H is invertible");
        let (image, source) = rows.swap_remove(pivot);
        for row in &mut rows {
            if row.0 >> bit & 1 == 1 {
                *row = (row.0 ^ image, row.1 ^ source);
            }
        }
        if target >> bit & 1 == 1 {
            target ^= image;
            nonce ^= source;
        }
    }
    assert_eq!(j0(nonce), wanted);
    nonce.to_be_bytes()
}

/// When the last 32 bits of the counter wrap to zero, the bits above do not change.
#[test]
fn the_counter_of_gcm_wraps_in_32_bits() {
    let mut random = Repeatable(11);
    let key: [u8; 16] = array(&mut random);
    let nonce = nonce_for(&key, 0x1234_5678_9abc_def0_0fed_cba9_ffff_fffa);
    // The wrap is within a pass of 64 blocks, and in the blocks after one.
    for length in [400, 1000, 1030, 1072] {
        let nonce = match length {
            400 => nonce,
            _ => nonce_for(&key, 0x1234_5678_9abc_def0_0fed_cba9_ffff_ffbf),
        };
        let message = data(&mut random, length);
        let (ciphertext, tag) = gcm_model(&key, &nonce, &[], &message);
        for implementation in every_implementation() {
            let cipher = Sm4Gcm::with_cipher(Sm4::with_implementation(implementation, &key));
            let sealed = cipher.seal(&nonce, &[], &message);
            assert_eq!(
                sealed,
                Ok([&ciphertext[..], &tag].concat()),
                "{implementation:?}"
            );
        }
    }
}

#[test]
fn gcm_refuses_every_alteration() {
    let mut random = Repeatable(12);
    let cipher = Sm4Gcm::new(&array(&mut random));
    let (nonce, associated_data, message) = (
        data(&mut random, 12),
        data(&mut random, 20),
        data(&mut random, 33),
    );
    let sealed = cipher
        .seal(&nonce, &associated_data, &message)
        .expect("a good nonce");
    let failed = Err(Error::DecryptionFailed);
    assert_eq!(cipher.open(&nonce, &associated_data, &sealed), Ok(message));
    for bit in 0..8 * sealed.len() {
        let mut altered = sealed.clone();
        altered[bit / 8] ^= 1 << (bit % 8);
        assert_eq!(
            cipher.open(&nonce, &associated_data, &altered),
            failed,
            "bit {bit}"
        );
    }
    for bit in 0..8 * nonce.len() {
        let mut altered = nonce.clone();
        altered[bit / 8] ^= 1 << (bit % 8);
        assert_eq!(
            cipher.open(&altered, &associated_data, &sealed),
            failed,
            "bit {bit}"
        );
    }
    for bit in 0..8 * associated_data.len() {
        let mut altered = associated_data.clone();
        altered[bit / 8] ^= 1 << (bit % 8);
        assert_eq!(cipher.open(&nonce, &altered, &sealed), failed, "bit {bit}");
    }
    for length in 0..sealed.len() {
        assert_eq!(
            cipher.open(&nonce, &associated_data, &sealed[..length]),
            failed,
            "{length} bytes"
        );
    }
    // If the tag is wrong, the data stays the ciphertext. Truncated tags are refused.
    let (ciphertext, tag) = sealed.split_at(33);
    let mut data = ciphertext.to_vec();
    for length in 0..16 {
        let opened = cipher.open_in_place(&nonce, &associated_data, &mut data, &tag[..length]);
        assert_eq!(opened, Err(Error::TagLength(length)));
    }
    let opened = cipher.open_in_place(&nonce, &associated_data, &mut data, &[0; 16]);
    assert_eq!(opened, Err(Error::DecryptionFailed));
    assert_eq!(data, ciphertext);
    assert_eq!(
        cipher.seal(&[], &associated_data, b""),
        Err(Error::EmptyNonce)
    );
    assert_eq!(
        cipher.open(&[], &associated_data, &sealed),
        Err(Error::EmptyNonce)
    );
}

/// The modes of other crates give the same with this cipher as with that of the `sm4` crate.
#[test]
fn modes_of_other_crates() {
    use cipher::block_padding::Pkcs7;
    use cipher::{BlockModeDecrypt, BlockModeEncrypt, KeyIvInit};

    let mut random = Repeatable(13);
    for length in (0..200).chain([1000, 1024, 5000]) {
        let (key, iv): ([u8; 16], [u8; 16]) = (array(&mut random), array(&mut random));
        let message = data(&mut random, length);
        let theirs = cbc::Encryptor::<sm4::Sm4>::new(&key.into(), &iv.into())
            .encrypt_padded_vec::<Pkcs7>(&message);
        let ours = cbc::Encryptor::<Sm4>::new(&key.into(), &iv.into())
            .encrypt_padded_vec::<Pkcs7>(&message);
        assert_eq!(ours, theirs);
        assert_eq!(Sm4Cbc::new(&key).encrypt_padded(&iv, &message), theirs);
        let back = cbc::Decryptor::<Sm4>::new(&key.into(), &iv.into())
            .decrypt_padded_vec::<Pkcs7>(&theirs);
        assert_eq!(back.ok(), Some(message.clone()));

        let sealed = Sm4Gcm::new(&key).seal(&iv[..12], &key, &message);
        aead_traits::<Sm4Gcm>(&key, &iv[..12], &message, &sealed.expect("short enough"));
        let sealed = Sm4Ccm::new(&key).seal(&iv[..12], &key, &message);
        aead_traits::<Sm4Ccm>(&key, &iv[..12], &message, &sealed.expect("short enough"));
    }
}

/// The traits of the `aead` crate give what the type's own functions give; the key is the
/// associated data.
fn aead_traits<A: aead::Aead + aead::KeyInit>(
    key: &[u8; 16],
    nonce: &[u8],
    message: &[u8],
    sealed: &[u8],
) {
    let cipher = A::new_from_slice(key).expect("16 bytes");
    let nonce = aead::Nonce::<A>::try_from(nonce).expect("12 bytes");
    let with = |msg, aad| aead::Payload { msg, aad };
    assert_eq!(
        cipher.encrypt(&nonce, with(message, key)).as_deref(),
        Ok(sealed)
    );
    assert_eq!(
        cipher.decrypt(&nonce, with(sealed, key)).as_deref(),
        Ok(message)
    );
    assert_eq!(cipher.decrypt(&nonce, with(sealed, b"")), Err(aead::Error));
}

#[test]
fn keys_of_wrong_lengths_are_refused_and_debug_shows_nothing() {
    for found in [0, 1, 15, 17, 24, 31, 33, 64] {
        let key = vec![1; found];
        let needed = |needed| Some(Error::KeyLength { found, needed });
        assert_eq!(Sm4::from_slice(&key).err(), needed(16));
        assert_eq!(Sm4Gcm::from_slice(&key).err(), needed(16));
        assert_eq!(Sm4Ccm::from_slice(&key).err(), needed(16));
        assert_eq!(Sm4Xts::from_slice(&key, XtsStandard::Gb).err(), needed(32));
    }
    let key = [0x5a; 16];
    assert_eq!(format!("{:?}", Sm4::new(&key)), "Sm4 { ... }");
    assert_eq!(format!("{:?}", Sm4Gcm::new(&key)), "Sm4Gcm { ... }");
    assert_eq!(format!("{:?}", Sm4Ccm::new(&key)), "Sm4Ccm { ... }");
    assert_eq!(format!("{:?}", Sm4Ctr::new(&key, &key)), "Sm4Ctr { ... }");
    assert_eq!(format!("{:?}", Sm4Cfb::new(&key, &key)), "Sm4Cfb { ... }");
    assert_eq!(format!("{:?}", Sm4Ofb::new(&key, &key)), "Sm4Ofb { ... }");
    assert_eq!(format!("{:?}", Sm4Cbc::new(&key)), "Sm4Cbc(Sm4 { ... })");
}
