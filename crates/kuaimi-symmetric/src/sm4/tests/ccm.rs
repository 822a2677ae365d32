//! CCM against SP 800-38C as written, and what it refuses.

use super::*;

/// SP 800-38C, 6.1 and annex A, step by step.
fn ccm_model(
    key: &[u8; 16],
    nonce: &[u8],
    associated_data: &[u8],
    message: &[u8],
    tag_length: usize,
) -> (Vec<u8>, Vec<u8>) {
    let q = 15 - nonce.len();
    let number = |value: usize| (value as u64).to_be_bytes()[8 - q..].to_vec();
    let to_block = |bytes: &mut Vec<u8>| bytes.resize(bytes.len().next_multiple_of(16), 0);

    let beside = u8::from(!associated_data.is_empty());
    let flags = 64 * beside + 8 * ((tag_length as u8 - 2) / 2) + (q as u8 - 1);
    let mut blocks = [&[flags], nonce, &number(message.len())].concat();
    if beside == 1 {
        let length = associated_data.len();
        if length < 0xff00 {
            blocks.extend((length as u16).to_be_bytes());
        } else {
            blocks.extend([0xff, 0xfe]);
            blocks.extend((length as u32).to_be_bytes());
        }
        blocks.extend(associated_data);
        to_block(&mut blocks);
    }
    blocks.extend(message);
    to_block(&mut blocks);
    let mac = blocks.as_chunks::<16>().0.iter().fold([0; 16], |y, block| {
        plain::encrypt(key, &core::array::from_fn(|i| y[i] ^ block[i]))
    });
    let stream = |i: usize| {
        let counter = [&[q as u8 - 1], nonce, &number(i)].concat();
        plain::encrypt(key, counter.as_slice().try_into().expect("16 bytes"))
    };
    let tag = mac.iter().zip(stream(0)).map(|(x, y)| x ^ y);
    let ciphertext = message.iter().zip((1..).flat_map(stream));
    (
        ciphertext.map(|(x, y)| x ^ y).collect(),
        tag.take(tag_length).collect(),
    )
}

#[test]
fn ccm_of_every_length() {
    let mut random = Repeatable(16);
    for implementation in every_implementation() {
        for length in (0..=rounds(200)).chain([1023, 1024, 1025, 2048, 5000]) {
            let key: [u8; 16] = array(&mut random);
            let nonce = data(&mut random, 7 + length % 7);
            let tag_length = 4 + 2 * (length / 7 % 7);
            let associated_data = data(&mut random, length * 5 % 53);
            let message = data(&mut random, length);
            let (ciphertext, tag) = ccm_model(&key, &nonce, &associated_data, &message, tag_length);
            let what = format!("{implementation:?}, {length} bytes, tag of {tag_length}");

            let cipher = Sm4Ccm::with_cipher(Sm4::with_implementation(implementation, &key));
            let (mut both, mut made) = (message.clone(), vec![0; tag_length]);
            let sealed = cipher.seal_in_place(&nonce, &associated_data, &mut both, &mut made);
            assert_eq!(sealed, Ok(()), "{what}");
            assert_eq!((&both, &made), (&ciphertext, &tag), "{what}");
            let opened = cipher.open_in_place(&nonce, &associated_data, &mut both, &tag);
            assert_eq!((opened, &both), (Ok(()), &message), "{what}");

            let (ciphertext, tag) = ccm_model(&key, &nonce, &associated_data, &message, 16);
            let sealed = [ciphertext, tag].concat();
            assert_eq!(
                cipher.seal(&nonce, &associated_data, &message).as_ref(),
                Ok(&sealed),
                "{what}"
            );
            assert_eq!(
                cipher.open(&nonce, &associated_data, &sealed),
                Ok(message),
                "{what}"
            );
        }
    }
}

/// The length of the associated data is written in two bytes below 2¹⁶ − 2⁸, and in six from there
/// on.
#[test]
fn ccm_with_long_associated_data() {
    let mut random = Repeatable(17);
    let key: [u8; 16] = array(&mut random);
    let cipher = Sm4Ccm::new(&key);
    for length in [0xfeff, 0xff00, 0xff01, 0xffff, 0x1_0000, 0x1_0007] {
        let associated_data = data(&mut random, length);
        let (ciphertext, tag) = ccm_model(&key, &[5; 12], &associated_data, b"a message", 16);
        let sealed = cipher.seal(&[5; 12], &associated_data, b"a message");
        assert_eq!(sealed, Ok([ciphertext, tag].concat()), "{length} bytes");
    }
}

#[test]
fn ccm_refuses_every_alteration() {
    let mut random = Repeatable(18);
    let cipher = Sm4Ccm::new(&array(&mut random));
    let (nonce, beside) = (data(&mut random, 13), data(&mut random, 20));
    for tag_length in [4, 6, 8, 10, 12, 14, 16] {
        let message = data(&mut random, 33);
        let (mut ciphertext, mut tag) = (message.clone(), vec![0; tag_length]);
        let sealed = cipher.seal_in_place(&nonce, &beside, &mut ciphertext, &mut tag);
        assert_eq!(sealed, Ok(()));
        let parts = [&nonce, &beside, &ciphertext, &tag].map(Vec::clone);
        for place in 0..parts.len() {
            for bit in 0..8 * parts[place].len() {
                let mut altered = parts.clone();
                altered[place][bit / 8] ^= 1 << (bit % 8);
                let [nonce, beside, mut ciphertext, tag] = altered;
                let before = ciphertext.clone();
                let opened = cipher.open_in_place(&nonce, &beside, &mut ciphertext, &tag);
                assert_eq!(opened, Err(Error::DecryptionFailed), "{place}, bit {bit}");
                assert_eq!(ciphertext, before, "no plaintext is handed out");
            }
        }
        // A shorter tag is another one, and not the beginning of this one.
        for length in (4..tag_length).step_by(2) {
            let mut ciphertext = ciphertext.clone();
            let opened = cipher.open_in_place(&nonce, &beside, &mut ciphertext, &tag[..length]);
            assert_eq!(opened, Err(Error::DecryptionFailed), "{length} bytes");
        }
        assert_eq!(
            cipher.open_in_place(&nonce, &beside, &mut ciphertext, &tag),
            Ok(())
        );
        assert_eq!(ciphertext, message);
    }
    let sealed = cipher.seal(&nonce, &beside, b"a message").expect("a nonce");
    for length in 0..sealed.len() {
        assert_eq!(
            cipher.open(&nonce, &beside, &sealed[..length]),
            Err(Error::DecryptionFailed),
            "{length} bytes"
        );
    }
}

#[test]
fn ccm_lengths() {
    let cipher = Sm4Ccm::new(&[7; 16]);
    for length in [0, 1, 6, 14, 15, 16, 100] {
        let nonce = vec![0; length];
        let refused = Error::NonceLength(length);
        assert_eq!(cipher.seal(&nonce, b"", b""), Err(refused));
        assert_eq!(cipher.open(&nonce, b"", &[0; 16]), Err(refused));
    }
    for length in [0, 1, 2, 3, 5, 7, 9, 11, 13, 15, 17, 18, 32] {
        let (mut data, mut tag) = (*b"a message", vec![0; length]);
        let refused = Err(Error::TagLength(length));
        assert_eq!(
            cipher.seal_in_place(&[0; 12], b"", &mut data, &mut tag),
            refused
        );
        assert_eq!(data, *b"a message");
        assert_eq!(
            cipher.open_in_place(&[0; 12], b"", &mut data, &tag),
            refused
        );
    }
    // Two bytes for the length beside a nonce of 13, three beside one of 12.
    for (nonce, most) in [(13, 0xffff), (12, 0xff_ffff)] {
        let (nonce, mut message) = (vec![1; nonce], vec![0; most]);
        let sealed = cipher.seal(&nonce, b"", &message).expect("short enough");
        assert_eq!(cipher.open(&nonce, b"", &sealed).as_ref(), Ok(&message));
        message.push(0);
        assert_eq!(cipher.seal(&nonce, b"", &message), Err(Error::TooLong));
        assert_eq!(
            cipher.open(&nonce, b"", &[&message[..], &[0; 16]].concat()),
            Err(Error::DecryptionFailed)
        );
    }
}
