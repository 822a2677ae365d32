//! SM4's modes, each under one key made before.

use std::hint::black_box;

use anyhow::Result;
use kuaimi::sm4::{Sm4, Sm4Cbc, Sm4Ctr, Sm4Gcm, Sm4Xts, XtsStandard};

use super::Work;

const KEY: [u8; 16] = [0x5A; 16];
const IV: [u8; 16] = [0xA5; 16];
const KIB: usize = 1 << 10;

pub(super) fn works() -> Result<Vec<Work>> {
    Ok(vec![
        ctr("sm4-ctr-1k", KIB),
        ctr("sm4-ctr-16k", 16 * KIB),
        gcm("sm4-gcm-1k", KIB),
        gcm("sm4-gcm-16k", 16 * KIB),
        gcm_open("sm4-gcm-open-16k", 16 * KIB)?,
        xts("sm4-xts-1k", KIB, Sm4Xts::encrypt)?,
        xts("sm4-xts-16k", 16 * KIB, Sm4Xts::encrypt)?,
        xts("sm4-xts-decrypt-16k", 16 * KIB, Sm4Xts::decrypt)?,
        cbc("sm4-cbc-encrypt-16k", 16 * KIB, Sm4Cbc::encrypt),
        cbc("sm4-cbc-decrypt-1k", KIB, Sm4Cbc::decrypt),
        cbc("sm4-cbc-decrypt-16k", 16 * KIB, Sm4Cbc::decrypt),
        ecb("sm4-ecb-1k", KIB),
        ecb("sm4-ecb-16k", 16 * KIB),
    ])
}

fn ctr(id: &'static str, bytes: usize) -> Work {
    let (mut stream, mut data) = (Sm4Ctr::new(&KEY, &IV), vec![0; bytes]);
    Work::new(id, "one stream, in place", move || {
        stream.apply(black_box(&mut data));
        Ok(())
    })
}

fn gcm(id: &'static str, bytes: usize) -> Work {
    let (cipher, mut data) = (Sm4Gcm::new(&KEY), vec![0; bytes]);
    let condition = "sealed in place, 12-byte nonce, no data beside it";
    Work::new(id, condition, move || {
        let [nonce @ .., _, _, _, _] = &IV;
        black_box(cipher.seal_in_place(nonce, &[], black_box(&mut data))?);
        Ok(())
    })
}

fn gcm_open(id: &'static str, bytes: usize) -> Result<Work> {
    let [nonce @ .., _, _, _, _] = IV;
    let (cipher, mut sealed) = (Sm4Gcm::new(&KEY), vec![0; bytes]);
    let tag = cipher.seal_in_place(&nonce, &[], &mut sealed)?;
    let mut data = sealed.clone();
    let condition =
        "the sealed message copied and opened in place, 12-byte nonce, no data beside it";
    Ok(Work::new(id, condition, move || {
        data.copy_from_slice(black_box(&sealed));
        cipher.open_in_place(&nonce, &[], black_box(&mut data), &tag)?;
        Ok(())
    }))
}

type Crypt<C> = fn(&C, &[u8; 16], &mut [u8]) -> Result<(), kuaimi::sm4::Error>;

fn xts(id: &'static str, bytes: usize, crypt: Crypt<Sm4Xts>) -> Result<Work> {
    let mut keys = [0x5A; 32];
    if let Some(byte) = keys.last_mut() {
        // The two halves must differ.
        *byte = 0xA5;
    }
    let (cipher, mut data) = (Sm4Xts::new(&keys, XtsStandard::Ieee)?, vec![0; bytes]);
    let condition = "one data unit each, its tweak encrypted, in place; IEEE 1619";
    Ok(Work::new(id, condition, move || {
        Ok(crypt(&cipher, &IV, black_box(&mut data))?)
    }))
}

fn cbc(id: &'static str, bytes: usize, crypt: Crypt<Sm4Cbc>) -> Work {
    let (cipher, mut data) = (Sm4Cbc::new(&KEY), vec![0; bytes]);
    Work::new(id, "whole blocks, in place", move || {
        Ok(crypt(&cipher, &IV, black_box(&mut data))?)
    })
}

fn ecb(id: &'static str, bytes: usize) -> Work {
    let (cipher, mut data) = (Sm4::new(&KEY), vec![0; bytes]);
    Work::new(id, "encrypted in place", move || {
        Ok(cipher.encrypt_ecb(black_box(&mut data))?)
    })
}
