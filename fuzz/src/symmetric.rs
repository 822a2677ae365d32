//! SM3 and SM4: every backend, in pieces and whole.

use arbitrary::{Arbitrary, Unstructured};
use kuaimi::Threads;
use kuaimi::sm3::{self, Kdf, Sm3};
use kuaimi::sm4::{
    Sm4, Sm4Cbc, Sm4Ccm, Sm4Cfb, Sm4Ctr, Sm4Gcm, Sm4GcmStream, Sm4Ofb, Sm4Xts, XtsStandard,
};

use crate::backends::agree;

#[derive(Arbitrary, Debug)]
struct Input<'a> {
    key: [u8; 16],
    iv: [u8; 16],
    /// Where the message is cut into pieces.
    cuts: Vec<u8>,
    repeat: u8,
    nonce_length: u8,
    associated: &'a [u8],
    message: &'a [u8],
}

/// The pieces of something.
fn pieces<'a>(mut data: &'a [u8], cuts: &[u8]) -> Vec<&'a [u8]> {
    let mut out = Vec::new();
    for &cut in cuts {
        let (piece, rest) = data.split_at(data.len().min(cut.into()));
        out.push(piece);
        data = rest;
    }
    out.push(data);
    out
}

pub fn check(data: &[u8]) {
    let Ok(input) = Input::arbitrary(&mut Unstructured::new(data)) else {
        return;
    };
    let message = input.message.repeat(1 + usize::from(input.repeat & 15));
    let cuts = &input.cuts;
    agree(|| {
        let mut out = hashes(&message, cuts);
        out.extend(ciphers(&input, &message));
        out
    });
}

fn hashes(message: &[u8], cuts: &[u8]) -> Vec<Vec<u8>> {
    let mut hash = Sm3::new();
    pieces(message, cuts)
        .into_iter()
        .for_each(|piece| hash.update(piece));
    let digest = hash.finalize();
    assert_eq!(digest, sm3::digest(message));
    // Many messages of different lengths in lanes.
    let many: Vec<&[u8]> = (0..19)
        .map(|i| &message[..message.len() * i / 18])
        .collect();
    let digests = sm3::digest_many(&many, Threads::One);
    for (message, digest) in many.iter().zip(&digests) {
        assert_eq!(*digest, sm3::digest(message));
    }
    let mut whole = vec![0; message.len() + 1];
    sm3::kdf(message, &mut whole).expect("short");
    let mut stream = Kdf::new(message);
    let mut in_pieces = vec![0; whole.len()];
    let mut rest = &mut in_pieces[..];
    for &cut in cuts {
        let (piece, after) = rest.split_at_mut(rest.len().min(cut.into()));
        stream.fill(piece).expect("short");
        rest = after;
    }
    stream.fill(rest).expect("short");
    assert_eq!(in_pieces, whole);
    vec![
        digest.to_vec(),
        whole,
        sm3::hmac_sm3(message, message).to_vec(),
    ]
}

fn ciphers(input: &Input<'_>, message: &[u8]) -> Vec<Vec<u8>> {
    let (key, iv) = (&input.key, &input.iv);
    let mut out = Vec::new();

    let gcm = Sm4Gcm::new(key);
    let nonce = &[*iv; 16].concat()[..1 + usize::from(input.nonce_length % 64)];
    let mut sealed = message.to_vec();
    let tag = gcm
        .seal_in_place(nonce, input.associated, &mut sealed)
        .expect("short");
    let mut stream = Sm4GcmStream::new(&gcm, nonce).expect("a nonce");
    for piece in pieces(input.associated, &input.cuts) {
        stream.associated_data(piece).expect("before the message");
    }
    let mut in_pieces = Vec::new();
    for piece in pieces(message, &input.cuts) {
        let mut piece = piece.to_vec();
        stream.encrypt(&mut piece).expect("short");
        in_pieces.extend(piece);
    }
    assert_eq!((in_pieces, stream.tag()), (sealed.clone(), tag));
    let mut wrong = tag;
    wrong[usize::from(iv[0] & 15)] ^= 1 << (iv[1] & 7);
    let mut opened = sealed.clone();
    assert!(
        gcm.open_in_place(nonce, input.associated, &mut opened, &wrong)
            .is_err()
    );
    let mut opened = sealed.clone();
    gcm.open_in_place(nonce, input.associated, &mut opened, &tag)
        .expect("it is right");
    assert_eq!(opened, message);
    out.extend([sealed, tag.to_vec()]);

    let ccm = Sm4Ccm::new(key);
    let sealed = ccm
        .seal(&iv[..12], input.associated, message)
        .expect("short");
    let opened = ccm
        .open(&iv[..12], input.associated, &sealed)
        .expect("it is right");
    assert_eq!(opened, message);
    out.push(sealed);

    let cbc = Sm4Cbc::new(key);
    let padded = cbc.encrypt_padded(iv, message);
    let opened = cbc.decrypt_padded(iv, &padded).expect("it is right");
    assert_eq!(opened, message);
    out.push(padded);
    let _ = cbc.decrypt_padded(iv, message);

    let mut ctr = Sm4Ctr::new(key, iv);
    let mut ofb = Sm4Ofb::new(key, iv);
    let mut cfb = Sm4Cfb::new(key, iv);
    let mut whole = [message.to_vec(), message.to_vec(), message.to_vec()];
    Sm4Ctr::new(key, iv).apply(&mut whole[0]);
    Sm4Ofb::new(key, iv).apply(&mut whole[1]);
    Sm4Cfb::new(key, iv).encrypt(&mut whole[2]);
    let mut cut: [Vec<u8>; 3] = Default::default();
    for piece in pieces(message, &input.cuts) {
        let mut copies = [piece.to_vec(), piece.to_vec(), piece.to_vec()];
        ctr.apply(&mut copies[0]);
        ofb.apply(&mut copies[1]);
        cfb.encrypt(&mut copies[2]);
        for (all, piece) in cut.iter_mut().zip(copies) {
            all.extend(piece);
        }
    }
    assert_eq!(cut, whole);
    Sm4Cfb::new(key, iv).decrypt(&mut cut[2]);
    assert_eq!(cut[2], message);
    out.extend(whole);

    let mut keys = [0; 32];
    keys[..16].copy_from_slice(key);
    keys[16..].copy_from_slice(iv);
    if let Ok(xts) = Sm4Xts::new(&keys, XtsStandard::Ieee) {
        let mut data = message.to_vec();
        if xts.encrypt(iv, &mut data).is_ok() {
            out.push(data.clone());
            xts.decrypt(iv, &mut data).expect("the same length");
            assert_eq!(data, message);
        }
    }
    let mut blocks = message[..message.len() & !15].to_vec();
    let sm4 = Sm4::new(key);
    sm4.encrypt_ecb(&mut blocks).expect("whole blocks");
    out.push(blocks.clone());
    sm4.decrypt_ecb(&mut blocks).expect("whole blocks");
    assert_eq!(blocks, message[..blocks.len()]);
    out
}
