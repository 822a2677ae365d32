//! SM3, SM4 and its modes: keys and data are secret, initialisation vectors and nonces are not.

use kuaimi::Threads;
use kuaimi::sm3;
use kuaimi::sm4::{Sm4, Sm4Cbc, Sm4Ccm, Sm4Cfb, Sm4Ctr, Sm4Gcm, Sm4Ofb, Sm4Xts, XtsStandard};

use crate::{Secret, drive_each};

const IV: [u8; 16] = [0xfe; 16];

/// More blocks than any code has at a time, and a part of one.
const LENGTH: usize = 16 * 83 + 5;
type Data = [u8; LENGTH];
/// A key, and data.
type Input = ([u8; 16], Data);

fn key_and_data(secret: Secret) -> Input {
    (secret.bytes(1), secret.bytes(2))
}

fn data(secret: Secret) -> Data {
    secret.bytes(2)
}

#[inline(never)]
fn traced_sm3(data: Data) -> [[u8; 32]; 4] {
    [0, 55, 64, LENGTH].map(|length| sm3::digest(&data[..length]))
}

#[inline(never)]
fn traced_hmac_sm3((key, data): Input) -> [u8; 32] {
    sm3::hmac_sm3(&key, &data)
}

#[inline(never)]
fn traced_sm3_of_many_messages(data: Data) -> Vec<[u8; 32]> {
    sm3::digest_many(&data.chunks(160).collect::<Vec<_>>(), Threads::One)
}

#[inline(never)]
fn traced_sm3_key_stream(data: Data) -> Data {
    let mut out = data;
    sm3::kdf(&data[..64], &mut out).expect("a short stream");
    out
}

/// Each number of blocks: SM4 takes so many at once, or one.
#[inline(never)]
fn traced_sm4_blocks((key, mut data): Input) -> Data {
    let cipher = Sm4::new(&key);
    for blocks in [1, 7, 8, 16, 83] {
        let data = &mut data[..16 * blocks];
        cipher.encrypt_ecb(data).expect("whole blocks");
        cipher.decrypt_ecb(data).expect("whole blocks");
        cipher.encrypt_ecb(data).expect("whole blocks");
    }
    data
}

#[inline(never)]
fn traced_sm4_cbc((key, mut data): Input) -> Data {
    let cipher = Sm4Cbc::new(&key);
    let blocks = &mut data[..16 * 83];
    cipher.encrypt(&IV, blocks).expect("whole blocks");
    cipher
        .decrypt(&IV, &mut blocks[..16 * 40])
        .expect("whole blocks");
    data
}

#[inline(never)]
fn traced_sm4_ctr((key, mut data): Input) -> Data {
    Sm4Ctr::new(&key, &IV).apply(&mut data);
    data
}

#[inline(never)]
fn traced_sm4_cfb_and_ofb((key, mut data): Input) -> Data {
    Sm4Cfb::new(&key, &IV).encrypt(&mut data);
    Sm4Ofb::new(&key, &IV).apply(&mut data);
    Sm4Cfb::new(&key, &IV).decrypt(&mut data);
    data
}

#[inline(never)]
fn traced_sm4_xts((key, mut data): Input) -> Data {
    let mut keys = [0x55; 32];
    keys[..16].copy_from_slice(&key);
    for standard in [XtsStandard::Gb, XtsStandard::Ieee] {
        let cipher = Sm4Xts::new(&keys, standard).expect("two keys");
        cipher.encrypt(&IV, &mut data).expect("long enough");
        cipher.decrypt(&IV, &mut data[..999]).expect("long enough");
    }
    data
}

/// Sealed and opened again; and a tag that is wrong.
macro_rules! sealed {
    ($name:ident, $cipher:ident) => {
        #[inline(never)]
        fn $name((key, data): Input) -> Vec<u8> {
            let cipher = $cipher::new(&key);
            let mut sealed = cipher.seal(&IV[..12], &data[..40], &data).expect("short");
            let opened = cipher.open(&IV[..12], &data[..40], &sealed);
            assert_eq!(opened.map(|data| data.len()), Ok(LENGTH));
            sealed[LENGTH] ^= 1;
            assert!(cipher.open(&IV[..12], &data[..40], &sealed).is_err());
            sealed
        }
    };
}
sealed!(traced_sm4_gcm, Sm4Gcm);
sealed!(traced_sm4_ccm, Sm4Ccm);

pub(super) fn operations() {
    drive_each(data, traced_sm3);
    drive_each(key_and_data, traced_hmac_sm3);
    drive_each(data, traced_sm3_of_many_messages);
    drive_each(data, traced_sm3_key_stream);
    drive_each(key_and_data, traced_sm4_blocks);
    drive_each(key_and_data, traced_sm4_cbc);
    drive_each(key_and_data, traced_sm4_ctr);
    drive_each(key_and_data, traced_sm4_cfb_and_ofb);
    drive_each(key_and_data, traced_sm4_xts);
    drive_each(key_and_data, traced_sm4_gcm);
    drive_each(key_and_data, traced_sm4_ccm);
}
