//! CFB and OFB against the definitions, whole and in pieces of every kind.

use super::*;

/// `C = P + E(the ciphertext block before)`, byte by byte.
fn cfb_model(key: &[u8; 16], iv: &[u8; 16], plaintext: &[u8]) -> Vec<u8> {
    let mut out: Vec<u8> = Vec::new();
    let mut before = *iv;
    for piece in plaintext.chunks(16) {
        let stream = plain::encrypt(key, &before);
        out.extend(piece.iter().zip(stream).map(|(byte, stream)| byte ^ stream));
        before = *out.last_chunk().unwrap_or(&before);
    }
    out
}

/// `C = P + E(E(… E(iv)))`, byte by byte.
fn ofb_model(key: &[u8; 16], iv: &[u8; 16], plaintext: &[u8]) -> Vec<u8> {
    let mut stream = *iv;
    let mut out = Vec::new();
    for piece in plaintext.chunks(16) {
        stream = plain::encrypt(key, &stream);
        out.extend(piece.iter().zip(stream).map(|(byte, stream)| byte ^ stream));
    }
    out
}

#[test]
fn cfb_and_ofb_of_every_length_and_in_pieces() {
    let mut random = Repeatable(14);
    for implementation in every_implementation() {
        for length in (0..=rounds(300)).chain([1023, 1024, 1025, 1040, 2048, 3007, 5000]) {
            let (key, iv): ([u8; 16], [u8; 16]) = (array(&mut random), array(&mut random));
            let plaintext = data(&mut random, length);
            let cipher = Sm4::with_implementation(implementation, &key);
            let what = format!("{implementation:?}, {length} bytes");

            let expected = cfb_model(&key, &iv, &plaintext);
            let mut whole = plaintext.clone();
            Sm4Cfb::with_cipher(cipher.clone(), &iv).encrypt(&mut whole);
            assert_eq!(whole, expected, "{what}");
            Sm4Cfb::with_cipher(cipher.clone(), &iv).decrypt(&mut whole);
            assert_eq!(whole, plaintext, "{what}");
            for at_most in [1, 16, 17, 77, 2000] {
                let (mut pieces, mut state) =
                    (plaintext.clone(), Sm4Cfb::with_cipher(cipher.clone(), &iv));
                in_pieces(&mut random, at_most, &mut pieces, |piece| {
                    state.encrypt(piece)
                });
                assert_eq!(pieces, expected, "{what}, pieces to {at_most}");
                let mut state = Sm4Cfb::with_cipher(cipher.clone(), &iv);
                in_pieces(&mut random, at_most, &mut pieces, |piece| {
                    state.decrypt(piece)
                });
                assert_eq!(pieces, plaintext, "{what}, pieces to {at_most}");
            }

            let expected = ofb_model(&key, &iv, &plaintext);
            let mut whole = plaintext.clone();
            Sm4Ofb::with_cipher(cipher.clone(), &iv).apply(&mut whole);
            assert_eq!(whole, expected, "{what}");
            for at_most in [1, 16, 17, 77, 2000] {
                let (mut pieces, mut state) =
                    (plaintext.clone(), Sm4Ofb::with_cipher(cipher.clone(), &iv));
                in_pieces(&mut random, at_most, &mut pieces, |piece| {
                    state.apply(piece)
                });
                assert_eq!(pieces, expected, "{what}, pieces to {at_most}");
            }
        }
    }
}

/// A copy made inside a block goes on from there, on its own.
#[test]
fn a_copy_has_the_position() {
    let mut random = Repeatable(15);
    let (key, iv): ([u8; 16], [u8; 16]) = (array(&mut random), array(&mut random));
    let plaintext = data(&mut random, 100);
    let mut cfb = Sm4Cfb::new(&key, &iv);
    let mut both = plaintext.clone();
    cfb.encrypt(&mut both[..37]);
    let mut copy = cfb.clone();
    let mut end = both[37..].to_vec();
    cfb.encrypt(&mut both[37..]);
    copy.encrypt(&mut end);
    assert_eq!(end, both[37..]);
    assert_eq!(both, cfb_model(&key, &iv, &plaintext));
    let mut ofb = Sm4Ofb::new(&key, &iv);
    let mut both = plaintext.clone();
    ofb.apply(&mut both[..37]);
    let mut copy = ofb.clone();
    let mut end = both[37..].to_vec();
    ofb.apply(&mut both[37..]);
    copy.apply(&mut end);
    assert_eq!(end, both[37..]);
    assert_eq!(both, ofb_model(&key, &iv, &plaintext));
}
