//! GCM in pieces of every kind against GCM as a whole.

use super::*;

#[test]
fn gcm_in_pieces_is_gcm() {
    let mut random = Repeatable(19);
    for implementation in every_implementation() {
        for length in (0..=rounds(150)).chain([1024, 8191, 8192, 8193, 16384, 20001]) {
            let key: [u8; 16] = array(&mut random);
            let nonce_length = if length % 2 == 0 { 12 } else { 1 + length % 40 };
            let nonce = data(&mut random, nonce_length);
            let associated_data = data(&mut random, length * 7 % 100);
            let message = data(&mut random, length);
            let cipher = Sm4Gcm::with_cipher(Sm4::with_implementation(implementation, &key));
            let sealed = cipher.seal(&nonce, &associated_data, &message);
            let sealed = sealed.expect("a good nonce");
            let (ciphertext, tag) = sealed.split_at(length);
            for at_most in [1, 16, 17, 77, 9000] {
                let what = format!("{implementation:?}, {length} bytes, pieces to {at_most}");
                let mut start = || {
                    let mut stream = Sm4GcmStream::new(&cipher, &nonce).expect("a good nonce");
                    let mut beside = associated_data.clone();
                    in_pieces(&mut random, at_most, &mut beside, |piece| {
                        assert_eq!(stream.associated_data(piece), Ok(()));
                    });
                    stream
                };
                let (mut encryption, mut decryption) = (start(), start());
                let mut both = message.clone();
                in_pieces(&mut random, at_most, &mut both, |piece| {
                    assert_eq!(encryption.encrypt(piece), Ok(()));
                });
                assert_eq!(both, ciphertext, "{what}");
                assert_eq!(encryption.tag(), tag, "{what}");
                in_pieces(&mut random, at_most, &mut both, |piece| {
                    assert_eq!(decryption.decrypt_unverified(piece), Ok(()));
                });
                assert_eq!(both, message, "{what}");
                assert_eq!(decryption.verify(tag), Ok(()), "{what}");
            }
        }
    }
}

#[test]
fn gcm_in_pieces_refuses() {
    let mut random = Repeatable(20);
    let cipher = Sm4Gcm::new(&array(&mut random));
    let nonce = [3; 12];
    assert_eq!(
        Sm4GcmStream::new(&cipher, &[]).err(),
        Some(Error::EmptyNonce)
    );
    let sealed = cipher
        .seal(&nonce, b"beside", b"a message")
        .expect("a nonce");
    let (ciphertext, tag) = sealed.split_at(9);
    let decrypted = |beside: &[u8], ciphertext: &[u8]| {
        let mut stream = Sm4GcmStream::new(&cipher, &nonce).expect("a nonce");
        assert_eq!(stream.associated_data(beside), Ok(()));
        assert_eq!(stream.decrypt_unverified(&mut ciphertext.to_vec()), Ok(()));
        stream
    };
    let right = decrypted(b"beside", ciphertext);
    for bit in 0..128 {
        let mut altered = tag.to_vec();
        altered[bit / 8] ^= 1 << (bit % 8);
        let verified = right.clone().verify(&altered);
        assert_eq!(verified, Err(Error::DecryptionFailed), "bit {bit}");
    }
    for length in (0..16).chain([17]) {
        let wrong = vec![0; length];
        assert_eq!(right.clone().verify(&wrong), Err(Error::TagLength(length)));
    }
    assert_eq!(right.verify(tag), Ok(()));
    let mut altered = ciphertext.to_vec();
    altered[8] ^= 1;
    for (beside, ciphertext) in [
        (&b"besides"[..], ciphertext),
        (b"", ciphertext),
        (b"beside", &altered),
        (b"beside", &ciphertext[..8]),
        (b"besid", &[b"e", ciphertext].concat()),
    ] {
        let verified = decrypted(beside, ciphertext).verify(tag);
        assert_eq!(verified, Err(Error::DecryptionFailed));
    }

    // After an empty piece there may still be associated data; after a byte, there may not.
    let mut stream = Sm4GcmStream::new(&cipher, &nonce).expect("a nonce");
    let mut message = *b"a message";
    assert_eq!(stream.encrypt(&mut []), Ok(()));
    assert_eq!(stream.associated_data(b"beside"), Ok(()));
    assert_eq!(stream.encrypt(&mut message[..1]), Ok(()));
    assert_eq!(
        stream.associated_data(b"more"),
        Err(Error::AssociatedDataLate)
    );
    assert_eq!(stream.encrypt(&mut message[1..]), Ok(()));
    assert_eq!(message, ciphertext);
    assert_eq!(stream.tag(), tag);
}
