//! Encrypting a file in one pass.

use std::io::{Read, Seek, Write};

use kuaimi_platform::declassify;
use rand_core::TryCryptoRng;
use subtle::ConstantTimeEq;
use zeroize::Zeroizing;

use super::{Error, RunningMac, k2_alone};
use crate::encoding::sm9::DerHeader;
use crate::sm3::Kdf;
use crate::sm9::encapsulate::key_stream;
#[cfg(feature = "sm4")]
use crate::sm9::encrypt::k1_cipher;
use crate::sm9::encrypt::{check_message, initial_value, k2};
use crate::sm9::layout::{self, BLOCK_LEN};
#[cfg(feature = "sm4")]
use crate::sm9::modes::Chained;
use crate::sm9::scalar::random_scalar;
use crate::sm9::{self, EncryptOptions, EncryptionKey, G1Point, MAX_MESSAGE_LEN, Mode};
use crate::two_pass::{ENCRYPTED_PIECE, check_length, fill, leave_room, write, write_back};
use crate::wipe_stack;

/// Encrypts the message from `reader`, up to its end, and writes the ciphertext in DER to `writer`.
/// Returns the length of the message.
///
/// If the message has 64 KiB or more, `writer` seeks back once, to write the message authentication
/// code. The ciphertext starts at the current position of `writer`, and `writer` is left at its
/// end.
///
/// `message_len`, if given, is the length of the message, and another length is an error. A message
/// of 64 KiB or more in DER needs it.
///
/// Constant time in the message and the nonce. 64 KiB of memory, and what the ciphertext of a
/// message shorter than that takes.
///
/// # Errors
/// [`Error::LengthNeeded`]; [`Error::LengthMismatch`]; [`Error::Read`], [`Error::Write`];
/// [`Error::Random`] if the generator fails; [`Error::Sm9`] with [`sm9::Error::EmptyMessage`],
/// [`sm9::Error::MessageTooLong`], [`sm9::Error::UnusableMasterKey`]. After an error, remove what
/// was written.
///
/// ```
/// use std::io::Cursor;
///
/// use kuaimi::sm9::{Ciphertext, EncryptOptions, MasterEncryptionKey, stream};
///
/// let bob = MasterEncryptionKey::generate()?.extract("bob")?;
/// let mut der = Cursor::new(Vec::new());
/// let (rng, options) = (&mut getrandom::SysRng, EncryptOptions::default());
/// stream::encrypt(bob.encryption_key(), rng, options, &b"a secret"[..], &mut der, None)?;
/// assert_eq!(*bob.decrypt(&Ciphertext::from_der(der.get_ref())?)?, b"a secret");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn encrypt<G: TryCryptoRng + ?Sized, R: Read, W: Write + Seek>(
    recipient: &EncryptionKey,
    rng: &mut G,
    options: EncryptOptions,
    reader: R,
    writer: W,
    message_len: Option<u64>,
) -> Result<u64, Error> {
    let job = Job::new(recipient, Form::Der, options, message_len);
    wipe_stack(|| job.encrypt(rng, reader, writer))
}

/// As [`encrypt`], in the raw form `C1 ‖ C3 ‖ C2`. The length of a message of 64 KiB or more is
/// needed for [`Mac::HmacSm3`](sm9::Mac::HmacSm3) in the stream mode alone.
///
/// # Errors
/// As [`encrypt`].
///
/// ```
/// use std::io::Cursor;
///
/// use kuaimi::sm9::{Ciphertext, EncryptOptions, MasterEncryptionKey, Mode, stream};
///
/// let bob = MasterEncryptionKey::generate()?.extract("bob")?;
/// let mut raw = Cursor::new(Vec::new());
/// let (rng, options) = (&mut getrandom::SysRng, EncryptOptions::default());
/// stream::encrypt_raw(bob.encryption_key(), rng, options, &b"a secret"[..], &mut raw, None)?;
/// let ciphertext = Ciphertext::from_bytes(Mode::Stream, raw.get_ref())?;
/// assert_eq!(*bob.decrypt(&ciphertext)?, b"a secret");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn encrypt_raw<G: TryCryptoRng + ?Sized, R: Read, W: Write + Seek>(
    recipient: &EncryptionKey,
    rng: &mut G,
    options: EncryptOptions,
    reader: R,
    writer: W,
    message_len: Option<u64>,
) -> Result<u64, Error> {
    let job = Job::new(recipient, Form::Raw, options, message_len);
    wipe_stack(|| job.encrypt(rng, reader, writer))
}

/// The two ways to write a ciphertext.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    Der,
    Raw,
}

/// What is to be encrypted, and how.
pub(super) struct Job<'a> {
    key: &'a EncryptionKey,
    form: Form,
    options: EncryptOptions,
    announced: Option<u64>,
    /// Bytes that are encrypted at a time, a multiple of 16.
    pub(super) piece: usize,
}

impl<'a> Job<'a> {
    pub(super) fn new(
        key: &'a EncryptionKey,
        form: Form,
        options: EncryptOptions,
        announced: Option<u64>,
    ) -> Self {
        Self {
            key,
            form,
            options,
            announced,
            piece: ENCRYPTED_PIECE,
        }
    }

    pub(super) fn encrypt<G: TryCryptoRng + ?Sized, R: Read, W: Write + Seek>(
        &self,
        rng: &mut G,
        mut reader: R,
        mut writer: W,
    ) -> Result<u64, Error> {
        let announced = self.announced;
        if announced.is_some_and(|length| length > MAX_MESSAGE_LEN) {
            return Err(sm9::Error::MessageTooLong.into());
        }
        // With room for padding.
        let mut buffer = Zeroizing::new(vec![0; self.piece + BLOCK_LEN]);
        let mut filled = fill(&mut reader, &mut buffer[..self.piece]).map_err(Error::Read)?;
        if filled < self.piece {
            // All of it. The key of a short message may be all zero, and then another nonce is
            // needed: in memory, that is done.
            check_length(announced, filled as u64, true)?;
            let message = &buffer[..filled];
            check_message(message)?;
            let ciphertext = sm9::encrypt::encrypt(self.key, rng, message, self.options)?;
            let bytes = match self.form {
                Form::Der => ciphertext.to_der(),
                Form::Raw => ciphertext.to_bytes(),
            };
            write(&mut writer, &bytes)?;
            writer.flush().map_err(Error::Write)?;
            return Ok(filled as u64);
        }
        let mut ciphertext = Writing::begin(self, rng, writer)?;
        loop {
            let last = filled < self.piece;
            ciphertext.piece(&mut buffer, filled, last)?;
            if last {
                break;
            }
            filled = fill(&mut reader, &mut buffer[..self.piece]).map_err(Error::Read)?;
        }
        ciphertext.finish()
    }
}

/// How `C2` is computed from the message.
enum Cipher {
    /// The key stream, in which `K2` follows what the message takes.
    Stream(Kdf),
    /// SM4, and `K2`.
    #[cfg(feature = "sm4")]
    Sm4(Chained, Zeroizing<[u8; 32]>),
}

/// A ciphertext whose `C2` is being written.
struct Writing<W> {
    writer: W,
    mode: Mode,
    cipher: Cipher,
    mac: RunningMac,
    c3_at: u64,
    announced: Option<u64>,
    written: u64,
}

impl<W: Write + Seek> Writing<W> {
    /// Writes all that comes before the message, and leaves room for `C3`.
    fn begin<G: TryCryptoRng + ?Sized>(
        job: &Job<'_>,
        rng: &mut G,
        mut writer: W,
    ) -> Result<Self, Error> {
        let (mode, announced) = (job.options.mode(), job.announced);
        let iv_len = layout::iv_len(mode);
        let iv = initial_value(mode, rng)?;
        // As in memory. K1 has 16 bytes, or as many as the message: that it is all zero has a
        // probability of 2⁻¹²⁸ at most.
        let r = random_scalar(rng)?;
        let (c1, w) = job.key.session(job.key.used_tables(), &r)?;

        let mut after = Vec::new();
        match job.form {
            Form::Raw => write(&mut writer, &G1Point(c1).to_bytes())?,
            Form::Der => {
                let length = announced.ok_or(Error::LengthNeeded)?;
                let padding = layout::padding_len(mode, length);
                let header = DerHeader {
                    mode,
                    c1: G1Point(c1),
                    c3: [0; 32],
                    c2_len: length + (iv_len + padding) as u64,
                };
                let (before, rest) = header.write_around_c3();
                write(&mut writer, before.as_slice())?;
                after = rest.as_slice().to_vec();
            }
        }
        let c3_at = leave_room(&mut writer)?;
        write(&mut writer, &after)?;

        let mut mac = RunningMac::new(job.options.mac(), || {
            let length = match mode {
                Mode::Stream => announced.ok_or(Error::LengthNeeded)?,
                #[cfg(feature = "sm4")]
                _ => 0,
            };
            Ok::<_, Error>(k2_alone(&c1, &w, job.key.id(), mode, length)?)
        })?;
        mac.update(&iv[..iv_len]);
        write(&mut writer, &iv[..iv_len])?;

        let keys = key_stream(&c1, &w, job.key.id());
        let cipher = match mode {
            Mode::Stream => Cipher::Stream(keys),
            #[cfg(feature = "sm4")]
            _ => {
                let mut keys = keys;
                let chained = Chained::new(mode, k1_cipher(&mut keys)?, &iv);
                Cipher::Sm4(chained, k2(&mut keys)?)
            }
        };
        Ok(Self {
            writer,
            mode,
            cipher,
            mac,
            c3_at,
            announced,
            written: 0,
        })
    }

    /// Encrypts the `filled` bytes in `buffer`, which has room for padding behind the last of them.
    fn piece(&mut self, buffer: &mut [u8], filled: usize, last: bool) -> Result<(), Error> {
        self.written += filled as u64;
        if self.written > MAX_MESSAGE_LEN {
            return Err(sm9::Error::MessageTooLong.into());
        }
        check_length(self.announced, self.written, last)?;
        let mut end = filled;
        if last {
            let padding = layout::padding_len(self.mode, self.written);
            end += padding;
            buffer[filled..end].fill(padding as u8);
        }
        let piece = &mut buffer[..end];
        match &mut self.cipher {
            Cipher::Stream(keys) => keys
                .xor_in_place(piece)
                .map_err(|_| sm9::Error::MessageTooLong)?,
            #[cfg(feature = "sm4")]
            Cipher::Sm4(chained, _) => chained.encrypt(piece),
        }
        self.mac.update(piece);
        write(&mut self.writer, piece)
    }

    /// Writes `C3`.
    fn finish(mut self) -> Result<u64, Error> {
        let k2 = match self.cipher {
            Cipher::Stream(mut keys) => k2(&mut keys)?,
            #[cfg(feature = "sm4")]
            Cipher::Sm4(_, k2) => k2,
        };
        // This does not happen, and no recipient would accept it.
        if declassify(k2.as_slice().ct_eq(&[0; 32])) {
            return Err(Error::Random);
        }
        let c3 = self.mac.finish(&k2);
        write_back(&mut self.writer, self.c3_at, &c3)?;
        self.writer.flush().map_err(Error::Write)?;
        Ok(self.written)
    }
}
