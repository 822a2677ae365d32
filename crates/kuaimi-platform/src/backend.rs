//! The list of backends, and the choice among them.
//!
//! A *backend* has a name, the CPU features that it needs, and *implementations*, each of one kind
//! of operation. It uses those of the backends before it for all other kinds. `BACKENDS` is the
//! only place that says which CPU features an implementation needs. It goes from slow to fast. For
//! each kind of operation, the choice is the implementation of the last backend, up to the selected
//! one, that has one and that this CPU can run. The last backend that this CPU can run is selected,
//! unless `KUAIMI_BACKEND` (feature `std`) or [`select`] names another.
//!
//! The enumerations here name implementations; the crates above have their code. That code takes a
//! [`Supported`] value, which only this module makes: it proves that the CPU has the instructions.
//!
//! The choice is read once an operation, not once a multiplication, from one atomic word. All
//! implementations give the same results and store keys and tables in the same form, so the choice
//! may change at any time.
//!
//! With `--cfg kuaimi_simd128_alone`, a module of WebAssembly with vector instructions has no SM4
//! without them: a machine that loads it has them, and the other code would be a twelfth of it.

mod cpu;
mod report;

#[cfg(all(target_arch = "x86_64", not(miri)))]
pub use cpu::divides_fast;
pub use report::{Report, UnknownBackend};

use core::sync::atomic::{AtomicU32, Ordering};

use cpu::cpu_has;

/// Whether the list has the backend `fiat`. For `kuaimi-math`, which has its code.
#[doc(hidden)]
pub const HAS_FIAT: bool = cfg!(feature = "fiat");

/// Declares the kinds of operation: an enumeration for each, and the functions that read the choice
/// for it.
macro_rules! kinds {
    ($(
        $(#[$doc:meta])* $kind:ident in $field:ident {
            $($(#[doc = $text:literal])+ $(#[cfg $condition:tt])? $variant:ident = $name:literal,)+
        }
    )+) => {
        $(
            $(#[$doc])*
            #[derive(Clone, Copy, PartialEq, Eq, Debug)]
            #[repr(u8)]
            pub enum $kind { $($(#[doc = $text])+ $(#[cfg $condition])? $variant,)+ }

            impl $kind {
                const ALL: &[Self] = &[$($(#[cfg $condition])? Self::$variant,)+];

                /// The name that [`report`] gives.
                pub const fn name(self) -> &'static str {
                    match self { $($(#[cfg $condition])? Self::$variant => $name,)+ }
                }

                /// The implementation that this process uses now.
                #[inline]
                pub fn selected() -> Supported<Self> {
                    // Where there is one, each of the many places that ask is a few bytes less.
                    if let [only] = Self::ALL {
                        return Supported(*only);
                    }
                    let number = choice() >> shift(Kind::$field);
                    Supported(Self::ALL[(number & MASK) as usize])
                }

                /// Every implementation that this CPU can run, once, from slow to fast: for tests
                /// and measurements.
                pub fn available() -> impl DoubleEndedIterator<Item = Supported<Self>> {
                    let can_run = |this: &Self| {
                        BACKENDS.iter().any(|backend| backend.$field == Some(*this) && (backend.is_available)())
                    };
                    Self::ALL.iter().copied().filter(can_run).map(Supported)
                }
            }
        )+

        /// The order of the kinds' choices in the word, behind the number of the selected backend.
        #[allow(non_camel_case_types, reason = "the names of a backend's fields")]
        #[derive(Clone, Copy)]
        enum Kind { $($field),+ }

        /// The word for a selected backend.
        fn resolve(selected: usize) -> u32 {
            let mut word = selected as u32 + 1;
            for backend in BACKENDS.iter().take(selected + 1).filter(|backend| (backend.is_available)()) {
                $(if let Some(implementation) = backend.$field {
                    let shift = shift(Kind::$field);
                    word = word & !(MASK << shift) | (implementation as u32) << shift;
                })+
            }
            word
        }

        /// The implementations that this process uses now.
        pub fn report() -> Report {
            Report { backend: BACKENDS[selected_backend()].name, kinds: [$((stringify!($field), $kind::selected().get().name())),+] }
        }
    };
}

kinds! {
    /// Arithmetic on single field elements.
    Field in field {
        /// Limbs of 29 bits, 64-bit products.
        #[cfg(any(feature = "all-backends", not(target_pointer_width = "64")))]
        Portable32 = "portable32",
        /// The crate `fiat-crypto`, for SM2's moduli; SM9's are those of the portable backend that
        /// fits the target.
        #[cfg(feature = "fiat")]
        Fiat = "fiat",
        /// 64-bit limbs, 128-bit products.
        #[cfg(any(feature = "all-backends", target_pointer_width = "64"))]
        Portable64 = "portable64",
        /// MULX, ADCX and ADOX, in assembly.
        #[cfg(all(target_arch = "x86_64", not(miri)))]
        Adx = "adx",
        /// MUL, UMULH and chains of carries, in assembly.
        #[cfg(all(target_arch = "aarch64", not(miri)))]
        A64 = "a64",
    }
    /// Several field elements in the lanes of vector registers, for batches.
    Lanes in lanes {
        /// No lanes: one operation after another.
        None = "none",
        /// Four lanes of 29-bit limbs.
        #[cfg(all(target_arch = "x86_64", not(miri)))]
        Avx2 = "avx2x4",
        /// Four lanes of 52-bit limbs.
        #[cfg(all(target_arch = "x86_64", not(miri)))]
        AvxIfma = "avxifmax4",
        /// Eight lanes of 29-bit limbs.
        #[cfg(all(target_arch = "x86_64", not(miri)))]
        Avx512 = "avx512x8",
        /// Eight lanes of 52-bit limbs.
        #[cfg(all(target_arch = "x86_64", not(miri)))]
        Ifma = "ifmax8",
    }
    /// The form of an element of Fq12, for pairings and powers in GT.
    Fq12 in fq12 {
        /// Twelve single field elements.
        Scalar = "scalar",
        /// Three vectors of four lanes, in the form of [`Lanes::Avx2`].
        #[cfg(all(target_arch = "x86_64", not(miri)))]
        Avx2 = "avx2x4",
        /// Three vectors of four lanes, in the form of [`Lanes::AvxIfma`].
        #[cfg(all(target_arch = "x86_64", not(miri)))]
        AvxIfma = "avxifmax4",
        /// Three vectors of four lanes, in half a register of [`Lanes::Ifma`].
        #[cfg(all(target_arch = "x86_64", not(miri)))]
        HalfIfma = "ifmax4",
    }
    /// SM3 of one message.
    Sm3 in sm3 {
        /// Plain Rust.
        Portable = "portable",
        /// Rounds in integer registers, message expansion in vectors.
        #[cfg(all(target_arch = "x86_64", not(miri)))]
        Sse2 = "sse2",
        /// The same, in assembly, with BMI2 rotations.
        #[cfg(all(target_arch = "x86_64", not(miri)))]
        Bmi2 = "bmi2",
        /// The instructions for SM3 of x86-64.
        #[cfg(all(target_arch = "x86_64", not(miri)))]
        Vsm3 = "vsm3",
        /// The instructions for SM3 of ARMv8.2.
        #[cfg(all(target_arch = "aarch64", target_feature = "neon", target_endian = "little", not(miri)))]
        Armv8 = "armv8",
    }
    /// SM3 of many messages.
    Sm3Many in sm3_many {
        /// One after another.
        #[cfg(not(kuaimi_simd128_alone))]
        OneByOne = "one-by-one",
        /// Four in parallel.
        #[cfg(all(target_arch = "x86_64", not(miri)))]
        Sse2 = "sse2x4",
        /// Eight in parallel.
        #[cfg(all(target_arch = "x86_64", not(miri)))]
        Avx2 = "avx2x8",
        /// Two in parallel, with the instructions for SM3 of x86-64.
        #[cfg(all(target_arch = "x86_64", not(miri)))]
        Vsm3 = "vsm3x2",
        /// Sixteen in parallel.
        #[cfg(all(target_arch = "x86_64", not(miri)))]
        Avx512 = "avx512x16",
        /// Four in parallel.
        #[cfg(all(target_arch = "aarch64", target_feature = "neon", target_endian = "little", not(miri)))]
        Neon = "neonx4",
        /// Two in parallel, with the instructions for SM3 of ARMv8.2.
        #[cfg(all(target_arch = "aarch64", target_feature = "neon", target_endian = "little", not(miri)))]
        Armv8 = "armv8x2",
        /// Four in parallel.
        #[cfg(all(target_arch = "wasm32", target_feature = "simd128", not(miri)))]
        Simd128 = "simd128x4",
    }
    /// SM4.
    Sm4 in sm4 {
        /// Bitsliced, in plain Rust; 64 blocks at a time.
        #[cfg(not(kuaimi_simd128_alone))]
        Portable = "portable",
        /// AES-NI on 128-bit vectors; 8 blocks at a time.
        #[cfg(all(target_arch = "x86_64", not(miri)))]
        Aesni = "aesni",
        /// AES-NI on the halves of 256-bit vectors; 16 blocks at a time.
        #[cfg(all(target_arch = "x86_64", not(miri)))]
        AesniAvx2 = "aesni-avx2",
        /// VAES on 256-bit vectors; 32 blocks at a time.
        #[cfg(all(target_arch = "x86_64", not(miri)))]
        Vaes = "vaes",
        /// GFNI on 256-bit vectors; 24 blocks at a time.
        #[cfg(all(target_arch = "x86_64", not(miri)))]
        Gfni = "gfni",
        /// VAES on 512-bit vectors; 64 blocks at a time.
        #[cfg(all(target_arch = "x86_64", not(miri)))]
        Vaes512 = "vaes512",
        /// GFNI on 512-bit vectors; 64 blocks at a time.
        #[cfg(all(target_arch = "x86_64", not(miri)))]
        Gfni512 = "gfni512",
        /// The instructions for SM4 of x86-64, on 256-bit vectors; 16 blocks at a time.
        #[cfg(all(target_arch = "x86_64", not(miri)))]
        Vsm4 = "vsm4",
        /// Look-ups in the whole S-box in NEON registers; 8 blocks at a time.
        #[cfg(all(target_arch = "aarch64", target_feature = "neon", target_endian = "little", not(miri)))]
        Neon = "neon",
        /// The AES instructions of ARMv8; 16 blocks at a time.
        #[cfg(all(target_arch = "aarch64", target_feature = "neon", target_endian = "little", not(miri)))]
        Aese = "aese",
        /// The instructions for SM4 of ARMv8.2; 8 blocks at a time.
        #[cfg(all(target_arch = "aarch64", target_feature = "neon", target_endian = "little", not(miri)))]
        Sm4e = "sm4e",
        /// Look-ups of four bits in registers of WebAssembly; 16 blocks at a time.
        #[cfg(all(target_arch = "wasm32", target_feature = "simd128", not(miri)))]
        Simd128 = "simd128",
    }
    /// GHASH, for GCM.
    Ghash in ghash {
        /// The crate `ghash`.
        #[cfg(not(kuaimi_simd128_alone))]
        Crate = "portable",
        /// Carry-less products in 128-bit vectors.
        #[cfg(all(target_arch = "x86_64", not(miri)))]
        Clmul = "clmul",
        /// The same in 256-bit vectors.
        #[cfg(all(target_arch = "x86_64", not(miri)))]
        Vclmul = "vclmul",
        /// The same in 512-bit vectors.
        #[cfg(all(target_arch = "x86_64", not(miri)))]
        Vclmul512 = "vclmul512",
        /// Carry-less products of ARMv8.
        #[cfg(all(target_arch = "aarch64", target_feature = "neon", target_endian = "little", not(miri)))]
        Pmull = "pmull",
        /// Look-ups of four bits in registers of WebAssembly.
        #[cfg(all(target_arch = "wasm32", target_feature = "simd128", not(miri)))]
        Simd128 = "simd128",
    }
}

/// A backend: a name, the CPU features that it needs, and the implementations that it adds to those
/// of the backends before it.
struct Backend {
    name: &'static str,
    needs: &'static [&'static str],
    is_available: fn() -> bool,
    field: Option<Field>,
    lanes: Option<Lanes>,
    fq12: Option<Fq12>,
    sm3: Option<Sm3>,
    sm3_many: Option<Sm3Many>,
    sm4: Option<Sm4>,
    ghash: Option<Ghash>,
}

/// A backend that needs nothing and adds nothing.
const EMPTY: Backend = Backend {
    name: "",
    needs: &[],
    is_available: || true,
    field: None,
    lanes: None,
    fq12: None,
    sm3: None,
    sm3_many: None,
    sm4: None,
    ghash: None,
};

/// Of each backend the name, the CPU features in brackets, and the implementations.
macro_rules! backends {
    ($($(#[$attribute:meta])* $name:literal [$($feature:tt),*] { $($implementations:tt)* })*) => {
        &[$($(#[$attribute])* Backend {
            name: $name,
            needs: &[$($feature),*],
            is_available: || cpu_has!($($feature),*),
            $($implementations)*
            ..EMPTY
        }),*]
    };
}

/// The backends, from slow to fast ones, which need more CPU features.
#[rustfmt::skip]
#[allow(clippy::needless_update, reason = "the first backends have all implementations")]
const BACKENDS: &[Backend] = backends! {
    // Machine-checked arithmetic for SM2. What follows replaces it, so that it is used only where
    // it is asked for.
    #[cfg(feature = "fiat")]
    "fiat" [] {
        field: Some(Field::Fiat), lanes: Some(Lanes::None), fq12: Some(Fq12::Scalar),
        sm3: Some(Sm3::Portable), sm3_many: Some(Sm3Many::ALL[0]), sm4: Some(Sm4::ALL[0]), ghash: Some(Ghash::ALL[0]),
    }
    // Of the two portable backends, the one that fits the registers of the target comes second.
    #[cfg(all(feature = "all-backends", not(target_pointer_width = "64")))]
    "portable64" [] {
        field: Some(Field::Portable64), lanes: Some(Lanes::None), fq12: Some(Fq12::Scalar),
        sm3: Some(Sm3::Portable), sm3_many: Some(Sm3Many::ALL[0]), sm4: Some(Sm4::ALL[0]), ghash: Some(Ghash::ALL[0]),
    }
    #[cfg(any(feature = "all-backends", not(target_pointer_width = "64")))]
    "portable32" [] {
        field: Some(Field::Portable32), lanes: Some(Lanes::None), fq12: Some(Fq12::Scalar),
        sm3: Some(Sm3::Portable), sm3_many: Some(Sm3Many::ALL[0]), sm4: Some(Sm4::ALL[0]), ghash: Some(Ghash::ALL[0]),
    }
    #[cfg(target_pointer_width = "64")]
    "portable64" [] {
        field: Some(Field::Portable64), lanes: Some(Lanes::None), fq12: Some(Fq12::Scalar),
        sm3: Some(Sm3::Portable), sm3_many: Some(Sm3Many::ALL[0]), sm4: Some(Sm4::ALL[0]), ghash: Some(Ghash::ALL[0]),
    }
    // Every AArch64 CPU has these instructions.
    #[cfg(all(target_arch = "aarch64", not(miri)))]
    "a64" [] { field: Some(Field::A64), }
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    "sse2" ["sse2"] { sm3: Some(Sm3::Sse2), sm3_many: Some(Sm3Many::Sse2), }
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    "aesni" ["aes", "ssse3", "pclmulqdq"] { sm4: Some(Sm4::Aesni), ghash: Some(Ghash::Clmul), }
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    "bmi2" ["avx", "bmi2"] { sm3: Some(Sm3::Bmi2), }
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    "avx2" ["avx2", "aes"] { sm3_many: Some(Sm3Many::Avx2), sm4: Some(Sm4::AesniAvx2), }
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    "vaes" ["avx2", "aes", "vaes", "pclmulqdq", "vpclmulqdq"] { sm4: Some(Sm4::Vaes), ghash: Some(Ghash::Vclmul), }
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    "gfni" ["avx2", "gfni"] { sm4: Some(Sm4::Gfni), }
    // Hygon's first CPUs have AVX2 without AES, and so no use for the backend "avx2".
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    "adx" ["avx2", "bmi2", "adx"] { field: Some(Field::Adx), sm3_many: Some(Sm3Many::Avx2), }
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    "avx2-lanes" ["avx2", "bmi2", "adx"] { lanes: Some(Lanes::Avx2), fq12: Some(Fq12::Avx2), }
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    "avx-ifma" ["avx2", "bmi2", "adx", "avxifma"] { lanes: Some(Lanes::AvxIfma), fq12: Some(Fq12::AvxIfma), }
    // With AVX-512, sixteen messages in lanes take fewer instructions than eight pairs.
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    "vsm3" ["avx2", "sm3"] { sm3: Some(Sm3::Vsm3), sm3_many: Some(Sm3Many::Vsm3), }
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    "avx512" ["avx512f", "avx512bw"] { sm3_many: Some(Sm3Many::Avx512), }
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    "vaes512" ["avx2", "aes", "vaes", "pclmulqdq", "vpclmulqdq", "avx512f", "avx512bw", "avx512vl"] { sm4: Some(Sm4::Vaes512), ghash: Some(Ghash::Vclmul512), }
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    "gfni512" ["avx2", "gfni", "avx512f", "avx512bw", "avx512vl"] { sm4: Some(Sm4::Gfni512), }
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    "vsm4" ["avx2", "aes", "sm4"] { sm4: Some(Sm4::Vsm4), }
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    "avx512-lanes" ["avx2", "bmi2", "adx", "avx512f", "avx512vl", "avx512dq"] { lanes: Some(Lanes::Avx512), }
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    "ifma" ["avx2", "bmi2", "adx", "avx512f", "avx512vl", "avx512dq", "avx512ifma"] { lanes: Some(Lanes::Ifma), fq12: Some(Fq12::HalfIfma), }
    #[cfg(all(target_arch = "aarch64", target_feature = "neon", target_endian = "little", not(miri)))]
    "neon" ["neon"] { sm3_many: Some(Sm3Many::Neon), sm4: Some(Sm4::Neon), }
    #[cfg(all(target_arch = "aarch64", target_feature = "neon", target_endian = "little", not(miri)))]
    "armv8-aes" ["neon", "aes", "pmull"] { sm4: Some(Sm4::Aese), ghash: Some(Ghash::Pmull), }
    #[cfg(all(target_arch = "aarch64", target_feature = "neon", target_endian = "little", not(miri)))]
    "armv8-sm" ["neon", "sm4"] { sm3: Some(Sm3::Armv8), sm3_many: Some(Sm3Many::Armv8), sm4: Some(Sm4::Sm4e), }
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128", not(miri)))]
    "simd128" ["simd128"] { sm3_many: Some(Sm3Many::Simd128), sm4: Some(Sm4::Simd128), ghash: Some(Ghash::Simd128), }
};

/// The name for the portable backend that fits the registers of this target.
const PORTABLE: &str = "portable";

/// An implementation that this CPU can run. Only this module makes such values, so having one
/// proves it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Supported<T>(T);

impl<T: Copy> Supported<T> {
    /// The implementation.
    #[inline(always)]
    pub const fn get(self) -> T {
        self.0
    }
}

/// Bits of the word for the number of the backend, and for each kind of operation.
const BACKEND_BITS: u32 = 8;
const BACKEND_MASK: u32 = (1 << BACKEND_BITS) - 1;
const BITS: u32 = 3;
const MASK: u32 = (1 << BITS) - 1;

/// Where the choice of a kind of operation is in the word.
const fn shift(kind: Kind) -> u32 {
    BACKEND_BITS + kind as u32 * BITS
}

/// The number of the selected backend plus one, and for each kind of operation the number of its
/// implementation. Zero as long as nothing was chosen.
static CHOICE: AtomicU32 = AtomicU32::new(0);

// The longest list of implementations, and the last kind.
const _: () =
    assert!(BACKENDS.len() <= BACKEND_MASK as usize && Sm4::ALL.len() <= MASK as usize + 1);
const _: () = assert!(shift(Kind::ghash) + BITS <= u32::BITS);

#[inline]
fn choice() -> u32 {
    match CHOICE.load(Ordering::Relaxed) {
        0 => choose_at_first_use(),
        word => word,
    }
}

#[cold]
fn choose_at_first_use() -> u32 {
    // A library neither stops the program that uses it nor prints: the program asks
    // `check_environment`.
    let backend = selected_by_environment().unwrap_or_else(|_| fastest());
    let word = resolve(backend);
    // Another thread may have selected a backend meanwhile, which stays.
    match CHOICE.compare_exchange(0, word, Ordering::Relaxed, Ordering::Relaxed) {
        Ok(_) => word,
        Err(selected) => selected,
    }
}

/// The last backend that this CPU can run.
fn fastest() -> usize {
    BACKENDS
        .iter()
        .rposition(|backend| (backend.is_available)())
        .unwrap_or_default()
}

/// The backend that the environment names, or the last one that this CPU can run.
fn selected_by_environment() -> Result<usize, UnknownBackend> {
    #[cfg(feature = "std")]
    if let Some(wanted) = std::env::var_os("KUAIMI_BACKEND") {
        let wanted = wanted.to_string_lossy();
        if !wanted.trim().is_empty() {
            return find(wanted.trim());
        }
    }
    Ok(fastest())
}

/// The backend of this name, if this CPU can run it.
fn find(name: &str) -> Result<usize, UnknownBackend> {
    let wanted = match name {
        PORTABLE if cfg!(target_pointer_width = "64") => "portable64",
        PORTABLE => "portable32",
        _ => name,
    };
    let found = BACKENDS.iter().position(|backend| backend.name == wanted);
    found
        .filter(|found| (BACKENDS[*found].is_available)())
        .ok_or_else(|| UnknownBackend {
            name: name.into(),
            needs: found.map(|found| BACKENDS[found].needs),
        })
}

fn selected_backend() -> usize {
    (choice() & BACKEND_MASK) as usize - 1
}

/// The names of the backends that this CPU can run, from slow to fast. `portable` is accepted, too:
/// it means `portable32` or `portable64`, whichever fits this machine.
pub fn names() -> impl Iterator<Item = &'static str> {
    let available = BACKENDS.iter().filter(|backend| (backend.is_available)());
    available.map(|backend| backend.name)
}

/// Selects a backend for the whole process, from the next operation on: it then uses this backend
/// and those before it.
///
/// # Errors
/// [`UnknownBackend`] for a name that is not among [`names`].
pub fn select(name: &str) -> Result<(), UnknownBackend> {
    CHOICE.store(resolve(find(name)?), Ordering::Relaxed);
    Ok(())
}

/// Whether `KUAIMI_BACKEND` is unset or names a backend that this CPU can run: for programs that
/// report a wrong name as an error.
///
/// # Errors
/// [`UnknownBackend`] for another name.
pub fn check_environment() -> Result<(), UnknownBackend> {
    selected_by_environment().map(|_| ())
}

#[cfg(test)]
mod tests;
