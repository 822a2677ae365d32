//! Encrypting a file in one pass.

use core::fmt;
use std::io::{Read, Seek, SeekFrom, Write};

use rand_core::TryCryptoRng;
use subtle::ConstantTimeEq;
use zeroize::Zeroizing;

use super::{Check, Error, k2_alone};
use crate::encoding::sm9::DerHeader;
use crate::sm3::Kdf;
use crate::sm4::BLOCK_LEN;
use crate::sm9::encapsulate::{check_point, key_stream};
use crate::sm9::encrypt::{check_message, encrypt, k1_cipher, k2};
use crate::sm9::modes::{self, Chained};
use crate::sm9::points::G1;
use crate::sm9::scalar::random_scalar;
use crate::sm9::{
    self, EncryptOptions, G1Point, HID_ENCRYPT, Identity, MAX_MESSAGE_LEN,
    MasterEncryptionPublicKey, Mode,
};
use crate::two_pass::fill;
use kuaimi_platform::declassify;

/// Bytes read and encrypted at a time.
pub(super) const PIECE: usize = 1 << 16;

/// Encrypts messages of any length for one recipient; see [the module](super).
#[derive(Clone)]
pub struct Encryptor<'a> {
    public: &'a MasterEncryptionPublicKey,
    id: &'a [u8],
    q: G1,
    options: EncryptOptions,
}

impl fmt::Debug for Encryptor<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Encryptor")
            .field("master", self.public)
            .field("options", &self.options)
            .finish_non_exhaustive()
    }
}

/// The two ways to write a ciphertext.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    Der,
    Raw,
}

impl<'a> Encryptor<'a> {
    /// For the holder of `identity` (with [`HID_ENCRYPT`] by default).
    ///
    /// # Errors
    /// [`sm9::Error::EmptyIdentity`], [`sm9::Error::UnusableMasterKey`].
    pub fn new(
        public: &'a MasterEncryptionPublicKey,
        identity: impl Into<Identity<'a>>,
        options: EncryptOptions,
    ) -> Result<Self, sm9::Error> {
        let identity = identity.into();
        Ok(Self {
            public,
            id: identity.id(),
            q: public.point_of(&identity, HID_ENCRYPT)?,
            options,
        })
    }

    /// Encrypts the message that `reader` gives until it ends, in DER, into `writer`; the message's length.
    ///
    /// A message of 64 KiB or more makes `writer` go back once, to put the check value in its place: it may begin anywhere, not only
    /// at 0, and is left at the end of the ciphertext.
    ///
    /// `message_len`, where it is given, is what `reader` must give. In DER a message of 64 KiB or more needs it.
    ///
    /// Constant time in the message and the nonce. 64 KiB of memory, and what the ciphertext of a message shorter than that takes.
    ///
    /// # Errors
    /// [`Error::LengthNeeded`]; [`Error::LengthMismatch`]; [`Error::Read`], [`Error::Write`]; [`Error::Sm9`] with
    /// [`sm9::Error::EmptyMessage`], [`sm9::Error::MessageTooLong`], or [`sm9::Error::Random`] if the generator fails. After an error,
    /// remove what was written.
    pub fn encrypt<G: TryCryptoRng + ?Sized, R: Read, W: Write + Seek>(
        &self,
        rng: &mut G,
        reader: R,
        writer: W,
        message_len: Option<u64>,
    ) -> Result<u64, Error> {
        self.encrypt_in(Form::Der, PIECE, rng, reader, writer, message_len)
    }

    /// As [`encrypt`](Self::encrypt), in the raw form `C1 ‖ C3 ‖ C2`. The length of a message of 64 KiB or more is needed for
    /// [`CheckValue::HmacSm3`](sm9::CheckValue::HmacSm3) in the stream mode alone.
    ///
    /// # Errors
    /// As [`encrypt`](Self::encrypt).
    pub fn encrypt_raw<G: TryCryptoRng + ?Sized, R: Read, W: Write + Seek>(
        &self,
        rng: &mut G,
        reader: R,
        writer: W,
        message_len: Option<u64>,
    ) -> Result<u64, Error> {
        self.encrypt_in(Form::Raw, PIECE, rng, reader, writer, message_len)
    }

    /// In pieces of `piece` bytes, which is a multiple of 16.
    pub(super) fn encrypt_in<G: TryCryptoRng + ?Sized, R: Read, W: Write + Seek>(
        &self,
        form: Form,
        piece: usize,
        rng: &mut G,
        mut reader: R,
        mut writer: W,
        message_len: Option<u64>,
    ) -> Result<u64, Error> {
        if message_len.is_some_and(|length| length > MAX_MESSAGE_LEN) {
            return Err(sm9::Error::MessageTooLong.into());
        }
        // With room for padding.
        let mut buffer = Zeroizing::new(vec![0; piece + BLOCK_LEN]);
        let filled = fill(&mut reader, &mut buffer[..piece]).map_err(Error::Read)?;
        if filled < piece {
            // All of it. A short message's key may be all zero, and then another nonce is needed: that is seen to there.
            check_length(message_len, filled as u64, true)?;
            let message = &buffer[..filled];
            check_message(message)?;
            let session = |r: &_| self.public.session(&self.q, r);
            let ciphertext = encrypt(rng, self.id, message, self.options, session)?;
            let bytes = match form {
                Form::Der => ciphertext.to_der(),
                Form::Raw => ciphertext.to_bytes(),
            };
            write(&mut writer, &bytes)?;
            writer.flush().map_err(Error::Write)?;
            return Ok(filled as u64);
        }
        let mut ciphertext = Writing::begin(self, form, rng, writer, message_len)?;
        let mut filled = filled;
        loop {
            let last = filled < piece;
            ciphertext.piece(&mut buffer, filled, last)?;
            if last {
                break;
            }
            filled = fill(&mut reader, &mut buffer[..piece]).map_err(Error::Read)?;
        }
        ciphertext.finish()
    }
}

/// How `C2` comes from the message.
enum Cover {
    /// The key stream, which comes to `K2` when the message ends.
    Stream(Kdf),
    /// SM4, and `K2`.
    Sm4(Chained, Zeroizing<[u8; 32]>),
}

/// A ciphertext whose `C2` is being written.
struct Writing<W> {
    writer: W,
    mode: Mode,
    cover: Cover,
    check: Check,
    c3_at: u64,
    announced: Option<u64>,
    written: u64,
}

impl<W: Write + Seek> Writing<W> {
    /// Writes all that comes before the message, and leaves room for `C3`.
    fn begin<G: TryCryptoRng + ?Sized>(
        of: &Encryptor<'_>,
        form: Form,
        rng: &mut G,
        mut writer: W,
        announced: Option<u64>,
    ) -> Result<Self, Error> {
        let EncryptOptions { mode, check_value } = of.options;
        let iv_len = modes::iv_len(mode);
        let mut iv = [0; BLOCK_LEN];
        rng.try_fill_bytes(&mut iv[..iv_len])
            .map_err(|_| sm9::Error::Random)?;
        // As in memory. That K1 is all zero, of 16 bytes or as many as the message has, has a probability of 2⁻¹²⁸ at most.
        let r = random_scalar(rng)?;
        let (c1, w) = of.public.session(&of.q, &r);
        check_point(&c1)?;

        let mut after = Vec::new();
        match form {
            Form::Raw => write(&mut writer, &G1Point(c1).to_bytes())?,
            Form::Der => {
                let length = announced.ok_or(Error::LengthNeeded)?;
                let padding = modes::padding_len(mode, length);
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
        let c3_at = writer.stream_position().map_err(Error::Write)?;
        write(&mut writer, &[0; 32])?;
        write(&mut writer, &after)?;

        let mut check = Check::new(check_value, || {
            let length = match mode {
                Mode::Stream => announced.ok_or(Error::LengthNeeded)?,
                _ => 0,
            };
            Ok::<_, Error>(k2_alone(&c1, &w, of.id, mode, length)?)
        })?;
        check.update(&iv[..iv_len]);
        write(&mut writer, &iv[..iv_len])?;

        let mut keys = key_stream(&c1, &w, of.id);
        let cover = match mode {
            Mode::Stream => Cover::Stream(keys),
            _ => {
                let chained = Chained::new(mode, k1_cipher(&mut keys)?, &iv);
                Cover::Sm4(chained, k2(&mut keys)?)
            }
        };
        Ok(Self {
            writer,
            mode,
            cover,
            check,
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
            let padding = modes::padding_len(self.mode, self.written);
            end += padding;
            buffer[filled..end].fill(padding as u8);
        }
        let piece = &mut buffer[..end];
        match &mut self.cover {
            Cover::Stream(keys) => keys
                .xor_in_place(piece)
                .map_err(|_| sm9::Error::MessageTooLong)?,
            Cover::Sm4(chained, _) => chained.encrypt(piece),
        }
        self.check.update(piece);
        write(&mut self.writer, piece)
    }

    /// Puts `C3` in its place.
    fn finish(mut self) -> Result<u64, Error> {
        let k2 = match self.cover {
            Cover::Stream(mut keys) => k2(&mut keys)?,
            Cover::Sm4(_, k2) => k2,
        };
        // It does not happen, and no recipient would take it.
        if declassify(k2.as_slice().ct_eq(&[0; 32])) {
            return Err(sm9::Error::Random.into());
        }
        let c3 = self.check.finish(&k2);
        let writer = &mut self.writer;
        let end = writer.stream_position().map_err(Error::Write)?;
        writer
            .seek(SeekFrom::Start(self.c3_at))
            .map_err(Error::Write)?;
        write(writer, &c3)?;
        writer.seek(SeekFrom::Start(end)).map_err(Error::Write)?;
        writer.flush().map_err(Error::Write)?;
        Ok(self.written)
    }
}

/// Whether what was read so far, or all there is, fits the length announced.
fn check_length(announced: Option<u64>, read: u64, all: bool) -> Result<(), Error> {
    match announced {
        Some(length) if read > length || (all && read != length) => {
            Err(Error::LengthMismatch(length))
        }
        _ => Ok(()),
    }
}

fn write(writer: &mut impl Write, bytes: &[u8]) -> Result<(), Error> {
    writer.write_all(bytes).map_err(Error::Write)
}
