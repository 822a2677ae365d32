//! The same ciphertexts as in memory, and no byte of plaintext that was not verified.

use std::io::{self, Cursor, Read, Seek, SeekFrom, Write};

use zeroize::Zeroizing;

use super::encrypt::{Form, Job};
use super::{Error, RunningMac, decrypt_raw, encrypt_raw, raw_to_der};
use crate::sm4::Sm4;
use crate::sm9::encapsulate::key_stream;
use crate::sm9::encrypt::k2;
use crate::sm9::scalar::random_scalar;
use crate::sm9::{
    Ciphertext, DecryptOptions, DecryptionKey, EncryptOptions, EncryptionKey, Error as Sm9Error,
    G1Point, Mac, MasterEncryptionKey, Mode,
};
use crate::two_pass::ENCRYPTED_PIECE;
use kuaimi_testing::{Repeatable, rounds};

fn keys() -> (EncryptionKey, DecryptionKey) {
    let master = MasterEncryptionKey::from_bytes(&[7; 32]).expect("a master key");
    let bob = master.extract("bob").expect("a user's key");
    (bob.encryption_key().clone(), bob)
}

fn message(length: usize) -> Vec<u8> {
    (0..length).map(|i| (i ^ (i >> 8)) as u8).collect()
}

fn options(mode: Mode, mac: Mac) -> EncryptOptions {
    EncryptOptions::new().with_mode(mode).with_mac(mac)
}

fn with_mac(mac: Mac) -> DecryptOptions {
    DecryptOptions::new().with_mac(mac)
}

/// In pieces of that length, with the generator that `seed` names.
fn encrypt(
    public: &EncryptionKey,
    options: EncryptOptions,
    form: Form,
    piece: usize,
    seed: u64,
    message: &[u8],
) -> Vec<u8> {
    let mut job = Job::new(public, form, options, Some(message.len() as u64));
    job.piece = piece;
    // Not at the start.
    let mut out = Cursor::new(vec![0xEE; 10]);
    out.set_position(5);
    let length = job.encrypt(&mut Repeatable(seed), message, &mut out);
    assert_eq!(length.expect("it encrypts"), message.len() as u64);
    assert_eq!(
        out.position(),
        out.get_ref().len() as u64,
        "left at the end"
    );
    let out = out.into_inner();
    assert_eq!(out[..5], [0xEE; 5]);
    out[5..].to_vec()
}

fn decrypt(
    key: &DecryptionKey,
    options: EncryptOptions,
    form: Form,
    bytes: &[u8],
) -> Result<Vec<u8>, Error> {
    let mut input = Cursor::new([b"before it", bytes].concat());
    input.set_position(9);
    let mut out = Vec::new();
    let (mode, with) = (options.mode(), with_mac(options.mac()));
    let length = match form {
        Form::Der => super::decrypt(key, with, input, &mut out).map(|(length, found)| {
            assert_eq!(found, mode);
            length
        }),
        Form::Raw => decrypt_raw(key, mode, with, input, &mut out),
    };
    match length {
        Ok(length) => {
            assert_eq!(length, out.len() as u64);
            Ok(out)
        }
        Err(error) => {
            assert!(out.is_empty(), "{error}: nothing may be written");
            Err(error)
        }
    }
}

fn in_memory(
    public: &EncryptionKey,
    options: EncryptOptions,
    form: Form,
    seed: u64,
    message: &[u8],
) -> Vec<u8> {
    let ciphertext = public
        .encrypt_with_rng(&mut Repeatable(seed), message, options)
        .expect("it encrypts");
    match form {
        Form::Der => ciphertext.to_der(),
        Form::Raw => ciphertext.to_bytes(),
    }
}

/// Every mode, MAC and form at every short length in short pieces, and at those around the pieces
/// that are in use.
#[test]
fn all_sizes_equal_those_in_memory() {
    let (public, bob) = keys();
    let compare = |options, form, piece, length: usize| {
        let message = message(length);
        let seed = length as u64;
        let bytes = encrypt(&public, options, form, piece, seed, &message);
        assert!(
            bytes == in_memory(&public, options, form, seed, &message),
            "{options:?}, {length} bytes in pieces of {piece}"
        );
        let plain = decrypt(&bob, options, form, &bytes).expect("it decrypts");
        assert!(plain == message, "{options:?}, {length} bytes");
    };
    for length in 1..=rounds(200) {
        for (i, &mode) in Mode::ALL.iter().enumerate() {
            let way = length + i;
            let form = [Form::Der, Form::Raw][way / 2 % 2];
            let piece = [16, 48][way / 4 % 2];
            compare(options(mode, Mac::ALL[way % 2]), form, piece, length);
        }
    }
    let (short, long) = (ENCRYPTED_PIECE, crate::two_pass::PIECE);
    for length in [
        short - 1,
        short,
        short + 1,
        long - 17,
        long - 16,
        long,
        long + 1,
    ] {
        for (i, &mode) in Mode::ALL.iter().enumerate() {
            let form = [Form::Der, Form::Raw][i % 2];
            compare(
                options(mode, Mac::ALL[(length + i) % 2]),
                form,
                short,
                length,
            );
        }
    }
}

/// Lengths that need not be known, and what is made of raw ciphertexts afterwards.
#[test]
fn lengths_that_are_known_at_the_end() {
    let (public, bob) = keys();
    for length in [100, 200_000] {
        let message = message(length);
        for &mode in Mode::ALL {
            for &mac in Mac::ALL {
                let options = options(mode, mac);
                let mut raw = Cursor::new(Vec::new());
                let rng = &mut Repeatable(1);
                let result = encrypt_raw(&public, rng, options, &message[..], &mut raw, None);
                if length > 100 && options == EncryptOptions::GMSSL {
                    assert!(matches!(result, Err(Error::LengthNeeded)), "{result:?}");
                    continue;
                }
                assert_eq!(result.expect("it encrypts"), length as u64);
                assert!(
                    decrypt(&bob, options, Form::Raw, raw.get_ref()).is_ok_and(|it| it == message)
                );
                raw.set_position(0);
                let mut der = Vec::new();
                let c2_len = raw_to_der(mode, &mut raw, &mut der).expect("a ciphertext");
                assert_eq!(c2_len + 96, raw.get_ref().len() as u64);
                assert!(der == in_memory(&public, options, Form::Der, 1, &message));

                let mut out = Cursor::new(Vec::new());
                let result = super::encrypt(&public, rng, options, &message[..], &mut out, None);
                match result {
                    Ok(_) => assert_eq!(length, 100),
                    Err(error) => assert!(matches!(error, Error::LengthNeeded), "{error}"),
                }
            }
        }
    }
}

#[test]
fn what_cannot_be_encrypted() {
    let (public, _) = keys();
    let encrypt = |message: &[u8], announced| {
        let mut out = Cursor::new(Vec::new());
        let (rng, options) = (&mut Repeatable(1), EncryptOptions::default());
        super::encrypt(&public, rng, options, message, &mut out, announced)
    };
    let empty = encrypt(b"", None);
    assert!(
        matches!(empty, Err(Error::Sm9(Sm9Error::EmptyMessage))),
        "{empty:?}"
    );
    let long = encrypt(b"x", Some(u64::MAX));
    assert!(
        matches!(long, Err(Error::Sm9(Sm9Error::MessageTooLong))),
        "{long:?}"
    );
    for length in [50, 1 << 16, 100_000] {
        for announced in [length - 1, length + 1] {
            let other = encrypt(&message(length as usize), Some(announced));
            assert!(
                matches!(other, Err(Error::LengthMismatch(is)) if is == announced),
                "{other:?}"
            );
        }
    }
}

/// A bit of every byte, every cut, and a byte too many: nothing is written.
#[test]
fn what_was_altered_is_refused() {
    let (public, bob) = keys();
    let message = message(40);
    for (mode, mac, form) in [
        (Mode::Stream, Mac::Sm3, Form::Der),
        (Mode::Stream, Mac::HmacSm3, Form::Raw),
        (Mode::Cbc, Mac::Sm3, Form::Raw),
        (Mode::Ofb, Mac::HmacSm3, Form::Der),
    ] {
        let options = options(mode, mac);
        let bytes = encrypt(&public, options, form, 16, 3, &message);
        let refused = |bytes: &[u8]| decrypt(&bob, options, form, bytes).expect_err("refused");
        for place in 0..bytes.len() {
            let mut altered = bytes.clone();
            altered[place] ^= 0x10;
            refused(&altered);
            refused(&bytes[..place]);
        }
        refused(&[&bytes[..], &[0]].concat());
        // Another MAC, and another user's key.
        let other = match mac {
            Mac::Sm3 => Mac::HmacSm3,
            _ => Mac::Sm3,
        };
        let mallory = MasterEncryptionKey::from_bytes(&[7; 32]).expect("a master key");
        let mallory = mallory.extract("Mallory").expect("a user's key");
        for (key, mac) in [(&bob, other), (&mallory, mac)] {
            let (with, mut out) = (with_mac(mac), Vec::new());
            let result = match form {
                Form::Der => super::decrypt(key, with, Cursor::new(&bytes), &mut out).map(|_| ()),
                Form::Raw => {
                    decrypt_raw(key, mode, with, Cursor::new(&bytes), &mut out).map(|_| ())
                }
            };
            let failed = matches!(result, Err(Error::Sm9(Sm9Error::DecryptionFailed)));
            assert!(failed && out.is_empty(), "{result:?}");
        }
    }
    // Late in a long one.
    for &mode in Mode::ALL {
        let options = options(mode, Mac::Sm3);
        let mut bytes = encrypt(&public, options, Form::Der, 1 << 16, 3, &vec![1; 1_100_000]);
        *bytes.last_mut().expect("a byte") ^= 1;
        let error = decrypt(&bob, options, Form::Der, &bytes).expect_err("refused");
        assert!(
            matches!(error, Error::Sm9(Sm9Error::DecryptionFailed)),
            "{error}"
        );
    }
}

/// A ciphertext whose MAC is right, over any `C2`.
fn authentic(mode: Mode, c2: impl FnOnce(&Sm4) -> Vec<u8>) -> Ciphertext {
    let (public, _) = keys();
    let r = random_scalar(&mut Repeatable(5)).expect("a nonce");
    let (c1, w) = public.session(public.used_tables(), &r).expect("a session");
    let mut keys = key_stream(&c1, &w, b"bob");
    let mut k1 = [0; 16];
    keys.fill(&mut k1).expect("a key");
    let k2 = k2(&mut keys).expect("a key");
    let c2 = c2(&Sm4::new(&k1));
    let key = || Ok::<_, Error>(Zeroizing::new(*k2));
    let mut mac = RunningMac::new(Mac::Sm3, key).expect("a MAC");
    mac.update(&c2);
    Ciphertext::from_parts(mode, G1Point(c1), mac.finish(&k2), c2).expect("a ciphertext")
}

/// What is authentic and yet no message: the padding is looked at before anything is written,
/// however long the message.
#[test]
fn wrong_padding_is_refused_before_anything_is_written() {
    let (_, bob) = keys();
    let long = crate::two_pass::PIECE + 32;
    for blocks in [1, 2, long / 16] {
        for (last, good) in [(1, true), (0, false), (2, false), (17, false)] {
            let ciphertext = authentic(Mode::Ecb, |cipher| {
                let mut data = vec![7; 16 * blocks];
                data[16 * blocks - 1] = last;
                cipher.encrypt_ecb(&mut data).expect("whole blocks");
                data
            });
            for form in [Form::Der, Form::Raw] {
                let bytes = match form {
                    Form::Der => ciphertext.to_der(),
                    Form::Raw => ciphertext.to_bytes(),
                };
                let plain = decrypt(&bob, options(Mode::Ecb, Mac::Sm3), form, &bytes);
                match plain {
                    Ok(plain) => assert!(good && plain == vec![7; 16 * blocks - 1]),
                    Err(Error::Sm9(Sm9Error::DecryptionFailed)) => assert!(!good),
                    Err(error) => panic!("{error}"),
                }
                assert_eq!(bob.decrypt(&ciphertext).is_ok(), good);
            }
        }
    }
    // Parts of blocks, an initial value and nothing behind it, or not even all of that.
    for (mode, length) in [
        (Mode::Ecb, 15),
        (Mode::Ecb, 17),
        (Mode::Cbc, 15),
        (Mode::Cbc, 16),
        (Mode::Cbc, 31),
        (Mode::Ofb, 16),
        (Mode::Cfb, 3),
    ] {
        let ciphertext = authentic(mode, |_| vec![9; length]);
        let options = options(mode, Mac::Sm3);
        let error = decrypt(&bob, options, Form::Der, &ciphertext.to_der()).expect_err("refused");
        assert!(
            matches!(error, Error::Sm9(Sm9Error::DecryptionFailed)),
            "{mode}: {error}"
        );
        assert!(bob.decrypt(&ciphertext).is_err());
    }
}

/// An input that someone else writes to between the two passes.
struct Changing {
    content: Cursor<Vec<u8>>,
    /// How often it went to the place of `C2`, and which byte changes then.
    passes: usize,
    place: usize,
}

impl Read for Changing {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.content.read(buffer)
    }
}

impl Seek for Changing {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        if matches!(to, SeekFrom::Start(1..)) {
            self.passes += 1;
            if self.passes == 2 {
                let place = self.place;
                self.content.get_mut()[place] ^= 1;
            }
        }
        self.content.seek(to)
    }
}

#[test]
fn an_input_that_changes_is_noticed() {
    let (public, bob) = keys();
    let message = message(1_100_000);
    for &mode in Mode::ALL {
        let options = options(mode, Mac::Sm3);
        let bytes = encrypt(&public, options, Form::Raw, 1 << 16, 9, &message);
        // In the first piece, where nothing is written yet, and in the last.
        for (place, written) in [(100, 0), (bytes.len() - 40, crate::two_pass::PIECE)] {
            let input = Changing {
                content: Cursor::new(bytes.clone()),
                passes: 0,
                place,
            };
            let mut out = Vec::new();
            let result = decrypt_raw(&bob, mode, with_mac(Mac::Sm3), input, &mut out);
            assert!(
                matches!(result, Err(Error::InputChanged)),
                "{mode}: {result:?}"
            );
            let iv = crate::sm9::layout::iv_len(mode);
            assert_eq!(
                out.len(),
                if written == 0 { 0 } else { written - iv },
                "{mode}"
            );
            assert!(out == message[..out.len()], "what was written was verified");
        }
    }
}

/// A writer that takes nothing, and one that cannot go back.
struct Full;

impl Write for Full {
    fn write(&mut self, _: &[u8]) -> io::Result<usize> {
        Err(io::ErrorKind::StorageFull.into())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn failures_of_the_output_say_so() {
    let (public, bob) = keys();
    let bytes = encrypt(
        &public,
        EncryptOptions::default(),
        Form::Der,
        16,
        1,
        b"a message",
    );
    let result = super::decrypt(&bob, with_mac(Mac::Sm3), Cursor::new(bytes), Full);
    assert!(matches!(result, Err(Error::Write(_))), "{result:?}");
    // An array of few bytes cannot grow.
    let mut small = [0; 50];
    let out = Cursor::new(&mut small[..]);
    let (rng, options) = (&mut Repeatable(1), EncryptOptions::default());
    let result = super::encrypt(&public, rng, options, &b"a message"[..], out, None);
    assert!(matches!(result, Err(Error::Write(_))), "{result:?}");
}
