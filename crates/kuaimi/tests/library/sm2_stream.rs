//! Files: the same ciphertexts as in memory, and no byte of plaintext that was not verified.

#![cfg(feature = "std")]

use std::io::{self, Cursor, Read, Seek, SeekFrom, Write};

use kuaimi::sm2::stream::{self, Unseekable};
use kuaimi::sm2::{self, Ciphertext, CiphertextForm, PrivateKey};

use CiphertextForm::{BareC1C2C3, BareC1C3C2, C1C2C3, C1C3C2, Der};

fn secret() -> PrivateKey {
    PrivateKey::from_bytes(&[0x42; 32]).expect("a private key")
}

fn message(length: usize) -> Vec<u8> {
    (0..length as u32).map(|i| (i ^ (i >> 8)) as u8).collect()
}

fn encrypt(form: CiphertextForm, message: &[u8]) -> Vec<u8> {
    let mut out = Cursor::new(Vec::new());
    let length = stream::encrypt(
        secret().public_key(),
        &mut getrandom::SysRng,
        form,
        message,
        &mut out,
        Some(message.len() as u64),
    )
    .expect("encrypts");
    assert_eq!(length, message.len() as u64);
    assert_eq!(
        out.position(),
        out.get_ref().len() as u64,
        "left at the end"
    );
    out.into_inner()
}

fn decrypt(form: Option<CiphertextForm>, bytes: &[u8]) -> (Vec<u8>, CiphertextForm) {
    let mut out = Vec::new();
    let (length, form) =
        stream::decrypt(&secret(), form, Cursor::new(bytes), &mut out).expect("decrypts");
    assert_eq!(length, out.len() as u64);
    (out, form)
}

/// Decryption fails, and not a byte is written.
fn fails(form: Option<CiphertextForm>, bytes: &[u8]) {
    let mut out = Vec::new();
    let result = stream::decrypt(&secret(), form, Cursor::new(bytes), &mut out);
    assert!(
        matches!(
            result,
            Err(stream::Error::Sm2(sm2::Error::DecryptionFailed))
        ),
        "{result:?}"
    );
    assert!(out.is_empty(), "nothing may be written");
}

#[test]
fn all_forms_and_sizes_equal_those_in_memory() {
    let (kib64, mib) = (1 << 16, 1 << 20);
    for length in [
        1,
        31,
        32,
        33,
        kib64 - 1,
        kib64,
        kib64 + 1,
        mib - 1,
        mib,
        mib + 1,
        5 * mib,
    ] {
        let message = message(length);
        for &form in CiphertextForm::ALL {
            let bytes = encrypt(form, &message);
            // What the stream wrote decrypts in memory, and the other way round.
            let ciphertext = Ciphertext::from_bytes(form, &bytes).expect("well formed");
            assert!(*secret().decrypt(&ciphertext).expect("decrypts") == message);
            assert!(ciphertext.to_bytes(form) == bytes);
            let (plain, found) = decrypt(Some(form), &bytes);
            assert!(plain == message && found == form, "{form}, {length} bytes");
        }
        let in_memory = secret().public_key().encrypt(&message).expect("encrypts");
        for &form in CiphertextForm::ALL {
            assert!(decrypt(None, &in_memory.to_bytes(form)) == (message.clone(), form));
        }
    }
}

#[test]
fn the_output_may_begin_anywhere() {
    let message = message(100_000);
    for &form in CiphertextForm::ALL {
        let mut file = Cursor::new(vec![0xee; 1000]);
        file.set_position(500);
        stream::encrypt(
            secret().public_key(),
            &mut getrandom::SysRng,
            form,
            &message[..],
            &mut file,
            Some(100_000),
        )
        .expect("encrypts");
        let end = file.position() as usize;
        let bytes = file.into_inner();
        assert_eq!(bytes[..500], [0xee; 500]);
        assert_eq!(bytes.len(), end);
        // And the input too.
        let mut input = Cursor::new(&bytes);
        input.set_position(500);
        let mut out = Vec::new();
        stream::decrypt(&secret(), None, &mut input, &mut out).expect("decrypts");
        assert!(out == message);
        input.set_position(500);
        let mut out = Vec::new();
        stream::convert(&mut input, form, &mut out, Der).expect("converts");
        assert!(decrypt(Some(Der), &out).0 == message);
    }
}

/// A reader that gives a few bytes at a time, and is interrupted in between.
struct Drip<'a>(&'a [u8], bool);

impl Read for Drip<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.1 = !self.1;
        if self.1 {
            return Err(io::ErrorKind::Interrupted.into());
        }
        let length = buffer.len().min(self.0.len()).min(4099);
        buffer[..length].copy_from_slice(&self.0[..length]);
        self.0 = &self.0[length..];
        Ok(length)
    }
}

#[test]
fn pipes() {
    let message = message(200_000);
    let write = |form, length, message: &[u8]| {
        let mut out = Vec::new();
        let result = stream::encrypt(
            secret().public_key(),
            &mut getrandom::SysRng,
            form,
            Drip(message, false),
            Unseekable(&mut out),
            length,
        );
        result.map(|_| out)
    };
    for form in [C1C2C3, BareC1C2C3] {
        let bytes = write(form, None, &message).expect("encrypts");
        assert!(decrypt(None, &bytes) == (message.clone(), form));
    }
    for form in [C1C3C2, BareC1C3C2, Der] {
        let result = write(form, Some(200_000), &message);
        let unsupported = |error: &io::Error| error.kind() == io::ErrorKind::Unsupported;
        assert!(matches!(&result, Err(stream::Error::Write(error)) if unsupported(error)));
        // What fits into one piece needs neither to go back nor the length.
        let bytes = write(form, None, &message[..60_000]).expect("encrypts");
        assert!(decrypt(None, &bytes) == (message[..60_000].to_vec(), form));
    }
    assert!(matches!(
        write(Der, None, &message),
        Err(stream::Error::LengthNeeded)
    ));
}

#[test]
fn lengths_that_do_not_fit() {
    let message = message(100_000);
    let write = |form, length, message: &[u8]| {
        let mut out = Cursor::new(Vec::new());
        let mut rng = getrandom::SysRng;
        stream::encrypt(
            secret().public_key(),
            &mut rng,
            form,
            message,
            &mut out,
            length,
        )
    };
    for &form in CiphertextForm::ALL {
        for (length, announced) in [
            (100_000, 99_999),
            (100_000, 100_001),
            (100_000, 65_536),
            (100_000, 0),
            (65_536, 65_537),
            (10, 9),
            (10, 11),
        ] {
            let result = write(form, Some(announced), &message[..length]);
            assert!(
                matches!(result, Err(stream::Error::LengthMismatch(said)) if said == announced),
                "{form}: {result:?}"
            );
        }
        assert!(matches!(
            write(form, None, &[]),
            Err(stream::Error::Sm2(sm2::Error::EmptyMessage))
        ));
        assert!(matches!(
            write(form, Some(sm2::MAX_MESSAGE_LEN + 1), &message),
            Err(stream::Error::Sm2(sm2::Error::MessageTooLong))
        ));
    }
}

#[test]
fn an_altered_ciphertext_releases_nothing() {
    let message = message((1 << 20) + 100);
    for &form in CiphertextForm::ALL {
        let bytes = encrypt(form, &message);
        // The first and last bytes of all parts, and both sides of the boundaries between pieces;
        // every bit of the header is the next test's.
        let (mib, end) = (1 << 20, bytes.len());
        let places = [
            0,
            1,
            64,
            65,
            96,
            97,
            104,
            65_536,
            500_000,
            mib - 1,
            mib,
            mib + 64,
            mib + 97,
            mib + 104,
            end - 33,
            end - 32,
            end - 1,
        ];
        for (count, place) in places.into_iter().enumerate() {
            let mut altered = bytes.clone();
            altered[place] ^= 1 << ((count + 2) % 8);
            fails(Some(form), &altered);
        }
        // Cut short or gone on.
        for length in [0, 1, 64, 65, 97, 98, 104, 500_000, bytes.len() - 1] {
            fails(Some(form), &bytes[..length]);
            fails(None, &bytes[..length]);
        }
        fails(Some(form), &[&bytes[..], &[0]].concat());
        // In another form than the one insisted on.
        for &other in CiphertextForm::ALL {
            if other != form {
                fails(Some(other), &bytes);
            }
        }
        let other = PrivateKey::from_bytes(&[0x43; 32]).expect("a private key");
        let mut out = Vec::new();
        let result = stream::decrypt(&other, None, Cursor::new(&bytes), &mut out);
        assert!(result.is_err() && out.is_empty());
    }
}

#[test]
fn every_bit_of_a_small_file() {
    for &form in CiphertextForm::ALL {
        let bytes = encrypt(form, b"a few bytes");
        for bit in 0..8 * bytes.len() {
            let mut altered = bytes.clone();
            altered[bit / 8] ^= 1 << (bit % 8);
            if bit == 1 && matches!(form, C1C3C2 | C1C2C3) && bytes[64] & 1 == 0 {
                continue;
            }
            fails(None, &altered);
        }
    }
}

/// A file whose byte at `place` changes once it was read to its end `passes` times.
struct Changing {
    file: Cursor<Vec<u8>>,
    place: usize,
    passes: u32,
}

impl Read for Changing {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let before = self.file.position();
        let length = self.file.read(buffer)?;
        let end = self.file.get_ref().len() as u64;
        if before < end && self.file.position() == end {
            self.passes = self.passes.wrapping_sub(1);
            if self.passes == 0 {
                self.file.get_mut()[self.place] ^= 0x10;
            }
        }
        Ok(length)
    }
}

impl Seek for Changing {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.file.seek(to)
    }
}

#[test]
fn an_input_that_changes_between_the_passes_releases_nothing_unverified() {
    let mib = 1 << 20;
    let message = message(3 * mib + 17);
    let bytes = encrypt(C1C3C2, &message);
    for place in [
        97,
        97 + mib - 1,
        97 + mib,
        97 + 2 * mib + 5,
        bytes.len() - 1,
    ] {
        let reader = Changing {
            file: Cursor::new(bytes.clone()),
            place,
            passes: 1,
        };
        let mut out = Vec::new();
        let result = stream::decrypt(&secret(), Some(C1C3C2), reader, &mut out);
        assert!(
            matches!(result, Err(stream::Error::InputChanged)),
            "{result:?}"
        );
        // Whole pieces before the changed one, and nothing else.
        let verified = (place - 97) / mib * mib;
        assert!(
            out == message[..verified],
            "changed at {place}: {} bytes",
            out.len()
        );
    }
    // What is not masked plaintext is not read again.
    let reader = Changing {
        file: Cursor::new(bytes.clone()),
        place: 70,
        passes: 1,
    };
    let mut out = Vec::new();
    stream::decrypt(&secret(), Some(C1C3C2), reader, &mut out).expect("decrypts");
    assert!(out == message);
}

/// A file that is cut short after the first pass.
#[test]
fn an_input_cut_short_between_the_passes() {
    struct Shrinking(Cursor<Vec<u8>>);
    impl Read for Shrinking {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let length = self.0.read(buffer)?;
            if length != 0 && self.0.position() == self.0.get_ref().len() as u64 {
                self.0.get_mut().truncate((1 << 20) + 500);
            }
            Ok(length)
        }
    }
    impl Seek for Shrinking {
        fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
            self.0.seek(to)
        }
    }
    let message = message((1 << 20) + 1000);
    let bytes = encrypt(C1C3C2, &message);
    let mut out = Vec::new();
    let result = stream::decrypt(
        &secret(),
        Some(C1C3C2),
        Shrinking(Cursor::new(bytes)),
        &mut out,
    );
    assert!(
        matches!(result, Err(stream::Error::InputChanged)),
        "{result:?}"
    );
    assert!(out == message[..1 << 20]);
}

#[test]
fn every_form_converts_to_every_other() {
    for length in [1, 100, 200_000] {
        let ciphertext = secret()
            .public_key()
            .encrypt(&message(length))
            .expect("encrypts");
        for &from in CiphertextForm::ALL {
            for &to in CiphertextForm::ALL {
                let mut out = Vec::new();
                let input = Cursor::new(ciphertext.to_bytes(from));
                let found = stream::convert(input, from, &mut out, to).expect("converts");
                assert_eq!(found, length as u64);
                assert!(out == ciphertext.to_bytes(to), "{from} to {to}");
            }
        }
    }
    // A compressed point is written out.
    let ciphertext = secret().public_key().encrypt(b"message").expect("encrypts");
    let raw = ciphertext.to_bytes(C1C3C2);
    let compressed = [&ciphertext.point().to_compressed_bytes()[..], &raw[65..]].concat();
    let mut out = Vec::new();
    stream::convert(Cursor::new(compressed), C1C3C2, &mut out, C1C3C2).expect("converts");
    assert_eq!(out, raw);

    for &form in CiphertextForm::ALL {
        for bytes in [&[][..], &[4; 64], &[4; 200], &[0x30; 200]] {
            let mut out = Vec::new();
            let result = stream::convert(Cursor::new(bytes), form, &mut out, Der);
            assert!(
                matches!(result, Err(stream::Error::Malformed(_))),
                "{result:?}"
            );
            assert!(out.is_empty());
        }
    }
}

/// A writer that takes a few bytes and then fails, as a full disk does.
struct Full(usize);

impl Write for Full {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.0 == 0 {
            return Err(io::ErrorKind::StorageFull.into());
        }
        let length = bytes.len().min(self.0);
        self.0 -= length;
        Ok(length)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_full_disk_is_an_error() {
    let bytes = encrypt(Der, &message(100_000));
    let decrypted = stream::decrypt(&secret(), None, Cursor::new(&bytes), Full(99_999));
    assert!(matches!(decrypted, Err(stream::Error::Write(_))));
    let converted = stream::convert(Cursor::new(&bytes), Der, Full(100_000), C1C2C3);
    assert!(matches!(converted, Err(stream::Error::Write(_))));
    let encrypted = stream::encrypt(
        secret().public_key(),
        &mut getrandom::SysRng,
        C1C2C3,
        &bytes[..],
        Unseekable(Full(100_000)),
        None,
    );
    assert!(matches!(encrypted, Err(stream::Error::Write(_))));
}
