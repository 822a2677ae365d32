//! The block cipher, one implementation a file.
//!
//! An implementation makes round keys, puts blocks through the cipher, and runs a counter through it. All else is made of
//! these. Every implementation gives the same results, and is constant time in keys and data: none reads an address that
//! depends on them.

mod circuit;
mod ghash;
mod portable;
#[cfg(all(target_arch = "x86_64", not(miri)))]
mod x86_64;

use cipher::InOutBuf;
use kuaimi_platform::backend::{Runs, Sm4};

pub(super) use self::ghash::{Ghash, GhashKey};
use super::{BLOCK_LEN, Block, KEY_LEN, ROUNDS};

/// Round keys, in the order of encryption, as the implementation that made them wants them.
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

/// Runs a function of the module that `$code` names.
macro_rules! dispatch {
    ($code:expr, $function:ident($($argument:expr),*)) => {
        match $code.0.get() {
            Sm4::Portable => portable::$function($($argument),*),
            // SAFETY of all that follow: the CPU has the instructions, of which the `Runs` value is the proof.
            #[cfg(all(target_arch = "x86_64", not(miri)))]
            Sm4::Aesni => unsafe { x86_64::aesni::$function($($argument),*) },
            #[cfg(all(target_arch = "x86_64", not(miri)))]
            Sm4::AesniAvx2 => unsafe { x86_64::aesni_avx2::$function($($argument),*) },
            #[cfg(all(target_arch = "x86_64", not(miri)))]
            Sm4::Vaes => unsafe { x86_64::vaes::$function($($argument),*) },
            #[cfg(all(target_arch = "x86_64", not(miri)))]
            Sm4::Gfni => unsafe { x86_64::gfni::$function($($argument),*) },
            #[cfg(all(target_arch = "x86_64", not(miri)))]
            Sm4::Vaes512 => unsafe { x86_64::vaes512::$function($($argument),*) },
            #[cfg(all(target_arch = "x86_64", not(miri)))]
            Sm4::Gfni512 => unsafe { x86_64::gfni512::$function($($argument),*) },
        }
    };
}

/// An implementation of the cipher that this CPU can run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Code(Runs<Sm4>);

#[allow(unsafe_code, reason = "implementations that need CPU features")]
impl Code {
    /// The one that this process uses now.
    #[inline]
    pub(super) fn selected() -> Self {
        Self(Sm4::selected())
    }

    /// Those that this CPU can run, the fastest last.
    #[cfg(test)]
    pub(super) fn available() -> impl Iterator<Item = Self> {
        Sm4::available().map(Self)
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

/// [`Code::counters`] by encrypting `N` blocks at a time that hold nothing but counters.
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
