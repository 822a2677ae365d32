//! SM4 against OpenSSL 3 and the Go library emmansun/gmsm, in both directions.

use crate::common::cases::{Cases, rounds};
use crate::common::gmsm::Gmsm;
use crate::common::openssl::OpenSsl;
use kuaimi::sm4::{
    Error, Sm4, Sm4Cbc, Sm4Ccm, Sm4Cfb, Sm4Ctr, Sm4Gcm, Sm4Ofb, Sm4Xts, XtsStandard,
};

fn array<const N: usize>(cases: &mut Cases) -> [u8; N] {
    cases.bytes(N).try_into().expect("so many bytes")
}

#[test]
fn every_mode_with_openssl() {
    let (openssl, mut cases) = (OpenSsl::new(), Cases::new(401));
    for length in [0, 16, 48, 64, 1040, 16_400] {
        let (key, iv): ([u8; 16], [u8; 16]) = (array(&mut cases), array(&mut cases));
        let data = cases.bytes(length);
        let there_and_back = |mode: &str, ours: &[u8]| {
            assert_eq!(
                openssl.sm4(mode, false, &key, &iv, &data),
                ours,
                "{mode}, {length} bytes"
            );
            assert_eq!(
                openssl.sm4(mode, true, &key, &iv, ours),
                data,
                "{mode}, {length} bytes"
            );
        };
        let mut ours = data.clone();
        assert_eq!(Sm4::new(&key).encrypt_ecb(&mut ours), Ok(()));
        there_and_back("ecb", &ours);
        let mut ours = data.clone();
        assert_eq!(Sm4Cbc::new(&key).encrypt(&iv, &mut ours), Ok(()));
        there_and_back("cbc", &ours);
    }
    for length in [1, 15, 17, 63, 1000, 16_385] {
        let key: [u8; 16] = array(&mut cases);
        // The counter goes through all ones.
        let iv = (u128::MAX - 20).to_be_bytes();
        let data = cases.bytes(length);
        let mut ours = data.clone();
        Sm4Ctr::new(&key, &iv).apply(&mut ours);
        assert_eq!(
            openssl.sm4("ctr", false, &key, &iv, &data),
            ours,
            "{length} bytes"
        );
    }
    for length in [0, 1, 15, 16, 17, 63, 1000, 1024, 1040, 16_385] {
        let (key, iv): ([u8; 16], [u8; 16]) = (array(&mut cases), array(&mut cases));
        let data = cases.bytes(length);
        let there = |mode, decrypt, data: &[u8]| openssl.sm4(mode, decrypt, &key, &iv, data);
        let mut ours = data.clone();
        Sm4Ofb::new(&key, &iv).apply(&mut ours);
        assert_eq!(there("ofb", false, &data), ours, "{length} bytes");
        let mut ours = data.clone();
        Sm4Cfb::new(&key, &iv).encrypt(&mut ours);
        assert_eq!(there("cfb", false, &data), ours, "{length} bytes");
        assert_eq!(there("cfb", true, &ours), data, "{length} bytes");
        Sm4Cfb::new(&key, &iv).decrypt(&mut ours);
        assert_eq!(ours, data, "{length} bytes");
    }
}

#[test]
fn every_mode_with_gmsm() {
    let (mut gmsm, mut cases) = (Gmsm::start(), Cases::new(402));
    let lengths: Vec<usize> = (0..70)
        .chain([127, 128, 129, 255, 256, 257, 1024, 4099, 16_384])
        .collect();
    for round in rounds(lengths.len()) {
        let length = lengths[round % lengths.len()];
        let (key, iv): ([u8; 16], [u8; 16]) = (array(&mut cases), array(&mut cases));
        let (data, beside) = (cases.bytes(length), cases.bytes(length % 37));
        let mut there_and_back = |mode: &str, key: &[u8], iv: &[u8], ours: &[u8]| {
            let theirs = gmsm.sm4(mode, false, [key, iv, &beside], &data);
            assert_eq!(theirs.as_deref(), Ok(ours), "{mode}, {length} bytes");
            // gmsm v0.44.0 reads beyond its memory, and dies, where it decrypts 64 bytes or more in
            // XTS with a part of a block after them; that we decrypt what both encrypt to is
            // compared below.
            if mode.starts_with("xts") && length >= 64 && !length.is_multiple_of(16) {
                return;
            }
            let back = gmsm.sm4(mode, true, [key, iv, &beside], ours);
            assert_eq!(back.as_deref(), Ok(&data[..]), "{mode}, {length} bytes");
        };

        let mut ours = data.clone();
        Sm4Ctr::new(&key, &iv).apply(&mut ours);
        there_and_back("ctr", &key, &iv, &ours);
        let mut ours = data.clone();
        Sm4Ofb::new(&key, &iv).apply(&mut ours);
        there_and_back("ofb", &key, &iv, &ours);
        let mut ours = data.clone();
        Sm4Cfb::new(&key, &iv).encrypt(&mut ours);
        there_and_back("cfb", &key, &iv, &ours);
        Sm4Cfb::new(&key, &iv).decrypt(&mut ours);
        assert_eq!(ours, data, "{length} bytes");
        if length.is_multiple_of(16) {
            let mut ours = data.clone();
            assert_eq!(Sm4Cbc::new(&key).encrypt(&iv, &mut ours), Ok(()));
            there_and_back("cbc", &key, &iv, &ours);
            assert_eq!(Sm4Cbc::new(&key).decrypt(&iv, &mut ours), Ok(()));
            assert_eq!(ours, data);
            assert_eq!(Sm4::new(&key).encrypt_ecb(&mut ours), Ok(()));
            there_and_back("ecb", &key, &iv, &ours);
        }
        for nonce in [&iv[..12], &iv[..], &iv[..7]] {
            let sealed = Sm4Gcm::new(&key)
                .seal(nonce, &beside, &data)
                .expect("a nonce");
            there_and_back("gcm", &key, nonce, &sealed);
        }
        for nonce in [&iv[..7], &iv[..12], &iv[..13]] {
            let cipher = Sm4Ccm::new(&key);
            let sealed = cipher.seal(nonce, &beside, &data).expect("a nonce");
            there_and_back("ccm", &key, nonce, &sealed);
            let (mut sealed, mut tag) = (data.clone(), [0; 8]);
            let done = cipher.seal_in_place(nonce, &beside, &mut sealed, &mut tag);
            assert_eq!(done, Ok(()));
            there_and_back("ccm_8", &key, nonce, &[&sealed[..], &tag].concat());
        }
        if length >= 16 {
            let long_key: [u8; 32] = array(&mut cases);
            for (standard, mode) in [(XtsStandard::Ieee, "xts"), (XtsStandard::Gb, "xts_gb")] {
                let cipher = Sm4Xts::new(&long_key, standard).expect("halves that differ");
                let mut ours = data.clone();
                assert_eq!(cipher.encrypt(&iv, &mut ours), Ok(()));
                there_and_back(mode, &long_key, &iv, &ours);
                assert_eq!(cipher.decrypt(&iv, &mut ours), Ok(()));
                assert_eq!(ours, data);
            }
        }
    }
}

#[test]
fn both_refuse_what_was_altered() {
    let (mut gmsm, mut cases) = (Gmsm::start(), Cases::new(403));
    let (key, nonce): ([u8; 16], [u8; 12]) = (array(&mut cases), array(&mut cases));
    let (gcm, ccm) = (Sm4Gcm::new(&key), Sm4Ccm::new(&key));
    for mode in ["gcm", "ccm"] {
        let sealed = match mode {
            "gcm" => gcm.seal(&nonce, b"beside", b"a message"),
            _ => ccm.seal(&nonce, b"beside", b"a message"),
        }
        .expect("a nonce");
        for place in 0..sealed.len() {
            let mut altered = sealed.clone();
            altered[place] ^= 0x20;
            let opened = match mode {
                "gcm" => gcm.open(&nonce, b"beside", &altered),
                _ => ccm.open(&nonce, b"beside", &altered),
            };
            assert_eq!(opened, Err(Error::DecryptionFailed), "{mode}");
            assert!(
                gmsm.sm4(mode, true, [&key, &nonce, b"beside"], &altered)
                    .is_err(),
                "{mode}"
            );
        }
    }
}
