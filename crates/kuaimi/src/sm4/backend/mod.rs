//! The block cipher, once for every way of running it, and the choice among them.
//!
//! A way has three things to do: make round keys, put blocks through the cipher, and run a counter through it. All else is made
//! of these. Every way gives the same results, and is constant time in keys and data: none looks anything up at an address that
//! depends on them.

mod circuit;
mod ghash;
mod portable;
#[cfg(all(target_arch = "x86_64", not(miri)))]
mod x86_64;

use cipher::InOutBuf;

#[cfg(all(test, target_arch = "x86_64", not(miri)))]
pub(super) use self::ghash::Way;
pub(super) use self::ghash::{Ghash, GhashKey};
use super::{BLOCK_LEN, Block, KEY_LEN, ROUNDS};
use crate::choice::{Choice, with_wanted};

/// Round keys, in the order of encryption, as the way that made them wants them.
pub(super) type RoundKeys = [u32; ROUNDS];

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Direction {
    Encrypt,
    Decrypt,
}

impl Direction {
    /// The round key of round `i`.
    #[inline(always)]
    const fn index(self, i: usize) -> usize {
        match self {
            Self::Encrypt => i,
            Self::Decrypt => ROUNDS - 1 - i,
        }
    }
}

/// A way of running the cipher.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// Bit planes, in plain Rust.
    Portable,
    /// AES-NI, 128-bit vectors.
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    Aes,
    /// AVX2, with AES-NI on halves of vectors.
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    AesAvx2,
    /// AVX2 and VAES.
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    Vaes,
    /// AVX2 and GFNI.
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    Gfni,
    /// AVX-512 and VAES.
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    Vaes512,
    /// AVX-512 and GFNI.
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    Gfni512,
}

/// Runs a function of the module of the way that `$kind` is.
macro_rules! dispatch {
    ($kind:expr, $function:ident($($argument:expr),*)) => {
        match $kind {
            Kind::Portable => portable::$function($($argument),*),
            #[cfg(all(target_arch = "x86_64", not(miri)))]
            Kind::Aes => x86_64::aes::$function($($argument),*),
            #[cfg(all(target_arch = "x86_64", not(miri)))]
            Kind::AesAvx2 => x86_64::aes_avx2::$function($($argument),*),
            #[cfg(all(target_arch = "x86_64", not(miri)))]
            Kind::Vaes => x86_64::vaes::$function($($argument),*),
            #[cfg(all(target_arch = "x86_64", not(miri)))]
            Kind::Gfni => x86_64::gfni::$function($($argument),*),
            #[cfg(all(target_arch = "x86_64", not(miri)))]
            Kind::Vaes512 => x86_64::vaes512::$function($($argument),*),
            #[cfg(all(target_arch = "x86_64", not(miri)))]
            Kind::Gfni512 => x86_64::gfni512::$function($($argument),*),
        }
    };
}

impl Kind {
    /// All that this build knows, the best last.
    const ALL: &[Self] = &[
        Self::Portable,
        #[cfg(all(target_arch = "x86_64", not(miri)))]
        Self::Aes,
        #[cfg(all(target_arch = "x86_64", not(miri)))]
        Self::AesAvx2,
        #[cfg(all(target_arch = "x86_64", not(miri)))]
        Self::Vaes,
        #[cfg(all(target_arch = "x86_64", not(miri)))]
        Self::Gfni,
        #[cfg(all(target_arch = "x86_64", not(miri)))]
        Self::Vaes512,
        #[cfg(all(target_arch = "x86_64", not(miri)))]
        Self::Gfni512,
    ];

    /// Those that this machine has, the best last.
    pub(super) fn available() -> impl DoubleEndedIterator<Item = Self> {
        Self::ALL.iter().copied().filter(|kind| kind.is_available())
    }

    fn is_available(self) -> bool {
        dispatch!(self, is_available())
    }

    /// The name that `kuaimi speed` prints, and that `KUAIMI_BACKEND` may have.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Portable => "portable",
            #[cfg(all(target_arch = "x86_64", not(miri)))]
            Self::Aes => "aesni",
            #[cfg(all(target_arch = "x86_64", not(miri)))]
            Self::AesAvx2 => "aesni-avx2",
            #[cfg(all(target_arch = "x86_64", not(miri)))]
            Self::Vaes => "vaes",
            #[cfg(all(target_arch = "x86_64", not(miri)))]
            Self::Gfni => "gfni",
            #[cfg(all(target_arch = "x86_64", not(miri)))]
            Self::Vaes512 => "vaes512",
            #[cfg(all(target_arch = "x86_64", not(miri)))]
            Self::Gfni512 => "gfni512",
        }
    }

    /// Whether the vectors have more than 256 bits.
    const fn is_wide(self) -> bool {
        match self {
            #[cfg(all(target_arch = "x86_64", not(miri)))]
            Self::Vaes512 | Self::Gfni512 => true,
            _ => false,
        }
    }

    /// The best one, unless `KUAIMI_BACKEND` asks for portable code, for vectors of 256 bits at most, or for one of these by name.
    fn decide(wanted: Option<&str>) -> Self {
        if let Some(name) = wanted {
            if name.starts_with("portable") {
                return Self::Portable;
            }
            let asked = |kind: &Self| kind.name() == name || name == "avx2" && !kind.is_wide();
            if let Some(kind) = Self::available().rfind(asked) {
                return kind;
            }
        }
        Self::available().next_back().unwrap_or(Self::Portable)
    }

    /// The round keys of `key`.
    pub(super) fn round_keys(self, key: &[u8; KEY_LEN]) -> RoundKeys {
        dispatch!(self, round_keys(key))
    }

    /// Encrypts or decrypts every block.
    #[inline]
    pub(super) fn crypt(
        self,
        keys: &RoundKeys,
        direction: Direction,
        blocks: InOutBuf<'_, '_, Block>,
    ) {
        dispatch!(self, crypt(keys, direction, blocks));
    }

    /// Adds the key stream that begins with the encryption of `counter` to the data. The last 32 bits of the counter, big-endian,
    /// count blocks modulo 2³².
    #[inline]
    pub(super) fn counters(
        self,
        keys: &RoundKeys,
        counter: &[u8; BLOCK_LEN],
        data: InOutBuf<'_, '_, u8>,
    ) {
        dispatch!(self, counters(keys, counter, data));
    }
}

/// The one that this process uses, decided at its first key.
#[inline]
pub(super) fn selected() -> Kind {
    static CHOICE: Choice<Kind> = Choice::new();
    *CHOICE.among(Kind::ALL, || {
        let decided = with_wanted(Kind::decide);
        let place = Kind::ALL.iter().position(|kind| *kind == decided);
        place.unwrap_or(0)
    })
}

/// [`Kind::counters`] by encrypting `N` blocks at a time that hold nothing but counters.
#[inline(always)]
fn apply_counters<const N: usize>(
    counter: &[u8; BLOCK_LEN],
    mut data: InOutBuf<'_, '_, u8>,
    encrypt: impl Fn(&mut [Block]),
) {
    let mut stream = [Block::default(); N];
    let [.., c0, c1, c2, c3] = *counter;
    let mut low = u32::from_be_bytes([c0, c1, c2, c3]);
    while !data.is_empty() {
        let length = data.len().min(N * BLOCK_LEN);
        let (mut piece, rest) = data.split_at(length);
        let stream = &mut stream[..length.div_ceil(BLOCK_LEN)];
        for block in &mut *stream {
            *block = (*counter).into();
            block[12..].copy_from_slice(&low.to_be_bytes());
            low = low.wrapping_add(1);
        }
        encrypt(stream);
        piece.xor_in2out(&Block::cast_slice_to_core(stream).as_flattened()[..length]);
        data = rest;
    }
    stream = [Block::default(); N];
    zeroize::optimization_barrier(&stream);
}
