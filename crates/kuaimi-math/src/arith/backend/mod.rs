//! Implementations of the arithmetic on single field elements.
//!
//! | module | what it does |
//! | --- | --- |
//! | `portable64` | 64-bit limbs and 128-bit products |
//! | `portable32` | limbs of 29 bits and 64-bit products, for 32-bit CPUs and WebAssembly |
//! | `adx` | assembly for x86-64 with MULX, ADCX and ADOX |
//! | `a64` | assembly for AArch64 |
//! | `fiat` | the crate `fiat-crypto`, for SM2's moduli (feature `fiat`) |
//! | `look_up` | constant-time look-ups |
//! | `assembly`, `constants`, `packed_steps` | what the backends in assembly have in common |
//!
//! A [`Backend`] is a type without values. A group operation chooses it once and passes it down as
//! a type parameter, so that no multiplication pays for the choice.
//! [`kuaimi_platform::backend::Field`] says which one is used. All backends give the same results,
//! limb for limb, and pass the same tests.
//!
//! Backends that need CPU features are private to this crate. [`for_each`] gives access to those
//! that the CPU can run.

#[cfg(all(target_arch = "aarch64", not(miri)))]
mod a64;
#[cfg(all(target_arch = "x86_64", not(miri)))]
pub(crate) mod adx;
#[cfg(all(any(target_arch = "aarch64", target_arch = "x86_64"), not(miri)))]
mod assembly;
#[cfg(all(any(target_arch = "aarch64", target_arch = "x86_64"), not(miri)))]
mod constants;
#[cfg(feature = "fiat")]
mod fiat;
mod look_up;
#[cfg(all(any(target_arch = "aarch64", target_arch = "x86_64"), not(miri)))]
mod packed_steps;
#[cfg(any(feature = "all-backends", not(target_pointer_width = "64")))]
pub(crate) mod portable32;
#[cfg(any(feature = "all-backends", test, target_pointer_width = "64"))]
mod portable64;

#[cfg(all(target_arch = "aarch64", not(miri)))]
pub(crate) use a64::A64;
#[cfg(all(target_arch = "x86_64", not(miri)))]
pub(crate) use adx::Adx;
#[cfg(feature = "fiat")]
pub use fiat::Fiat;
#[cfg(feature = "sm9")]
pub(crate) use kuaimi_platform::declassify;
pub(crate) use kuaimi_platform::value_barrier;
pub(crate) use look_up::look_up;
pub use look_up::look_up_words;
#[cfg(any(feature = "all-backends", not(target_pointer_width = "64")))]
pub use portable32::Portable32;
#[cfg(any(feature = "all-backends", test, target_pointer_width = "64"))]
pub use portable64::Portable64;

use kuaimi_platform::backend::Field;

#[cfg(not(feature = "fiat"))]
const _: () = assert!(
    !kuaimi_platform::backend::HAS_FIAT,
    "the feature `fiat` of kuaimi-platform only makes room in its table: enable that of kuaimi-math (or kuaimi), which enables it"
);

use super::modulus::Modulus;
use super::u256::{Limbs, add_limbs, mask, mask_limbs, sbb, sub_limbs};

/// The portable backend for the register width of this target.
#[cfg(target_pointer_width = "64")]
pub type Portable = Portable64;
/// The portable backend for the register width of this target.
#[cfg(not(target_pointer_width = "64"))]
pub type Portable = Portable32;

/// Evaluates an expression with a type name bound to the selected backend.
macro_rules! with_backend {
    ($backend:ident => $body:expr) => {
        match kuaimi_platform::backend::Field::selected().get() {
            #[cfg(feature = "fiat")]
            kuaimi_platform::backend::Field::Fiat => {
                type $backend = $crate::arith::backend::Fiat;
                $body
            }
            #[cfg(any(feature = "all-backends", target_pointer_width = "64"))]
            kuaimi_platform::backend::Field::Portable64 => {
                type $backend = $crate::arith::backend::Portable64;
                $body
            }
            #[cfg(any(feature = "all-backends", not(target_pointer_width = "64")))]
            kuaimi_platform::backend::Field::Portable32 => {
                type $backend = $crate::arith::backend::Portable32;
                $body
            }
            #[cfg(all(target_arch = "x86_64", not(miri)))]
            kuaimi_platform::backend::Field::Adx => {
                type $backend = $crate::arith::backend::Adx;
                $body
            }
            #[cfg(all(target_arch = "aarch64", not(miri)))]
            kuaimi_platform::backend::Field::A64 => {
                type $backend = $crate::arith::backend::A64;
                $body
            }
        }
    };
}
pub(crate) use with_backend;

/// A generic function that [`for_each`] calls.
pub trait Visitor {
    /// Called with each backend that this CPU can run.
    fn visit<B: Backend>(&mut self);
}

/// Calls `visitor` with every backend that this CPU can run, from slow to fast: for tests and
/// measurements.
pub fn for_each(visitor: &mut impl Visitor) {
    for field in Field::available() {
        match field.get() {
            #[cfg(feature = "fiat")]
            Field::Fiat => visitor.visit::<Fiat>(),
            #[cfg(any(feature = "all-backends", target_pointer_width = "64"))]
            Field::Portable64 => visitor.visit::<Portable64>(),
            #[cfg(any(feature = "all-backends", not(target_pointer_width = "64")))]
            Field::Portable32 => visitor.visit::<Portable32>(),
            #[cfg(all(target_arch = "x86_64", not(miri)))]
            Field::Adx => visitor.visit::<Adx>(),
            #[cfg(all(target_arch = "aarch64", not(miri)))]
            Field::A64 => visitor.visit::<A64>(),
        }
    }
}

mod sealed {
    /// Only this crate has backends.
    pub trait Sealed {}
}

/// Arithmetic modulo `M` on limbs below the modulus. Constant time, unless a name ends in
/// `_vartime`.
pub trait Backend:
    sealed::Sealed + Copy + Clone + Default + core::fmt::Debug + Send + Sync + 'static
{
    /// Its name among the implementations, a different one for each type. So code that is given the
    /// type of this name may use the instructions that are checked for it.
    const IMPLEMENTATION: Field;
    /// The same as text.
    const NAME: &'static str = Self::IMPLEMENTATION.name();

    /// `a·b·R⁻¹ mod m`.
    fn mul<M: Modulus>(a: &Limbs, b: &Limbs) -> Limbs;

    /// The lower and the upper half of `a·b`, without a reduction: for measurements of what a
    /// multiplication is made of.
    fn product(a: &Limbs, b: &Limbs) -> [Limbs; 2];

    /// `a²·R⁻¹ mod m`.
    fn square<M: Modulus>(a: &Limbs) -> Limbs;

    /// `a·R⁻¹ mod m`: the integer whose Montgomery form is `a`.
    fn redc<M: Modulus>(a: &Limbs) -> Limbs;

    /// From `a·R` to `a⁻¹·R mod m`, and from 0 to 0.
    fn invert<M: Modulus>(a: &Limbs) -> Limbs;

    /// `a⁻¹ mod m`, and 0 for 0, without a Montgomery factor, in variable time, for public values.
    fn invert_vartime<M: Modulus>(a: &Limbs) -> Limbs;

    /// The entry of `table` at a secret `index`; zeros if the index is not below the length. Every
    /// entry is read.
    ///
    /// An entry is two elements of four words, or of eight.
    #[inline]
    fn look_up<W: AsRef<[u64]> + AsMut<[u64]> + Default>(table: &[[W; 2]], index: u32) -> [W; 2] {
        look_up::look_up(table, index)
    }

    /// `Σ aᵢ·bᵢ·R⁻¹ mod m` of at most six products. A factor may also be `m` itself. Faster
    /// backends have one reduction for all products.
    fn dot<M: Modulus>(terms: &[[&Limbs; 2]]) -> Limbs {
        debug_assert!(terms.len() <= 6);
        let mut sum = [0; 4];
        for [a, b] in terms {
            sum = Self::add::<M>(&sum, &Self::mul::<M>(a, b));
        }
        sum
    }

    /// `a + b mod m`.
    #[inline(always)]
    fn add<M: Modulus>(a: &Limbs, b: &Limbs) -> Limbs {
        add::<M>(a, b)
    }

    /// `2a mod m`.
    #[inline(always)]
    fn double<M: Modulus>(a: &Limbs) -> Limbs {
        Self::add::<M>(a, a)
    }

    /// `−2a mod m`, or `m` itself in place of 0: only for factors of [`dot`](Self::dot).
    #[inline(always)]
    fn minus_twice<M: Modulus>(a: &Limbs) -> Limbs {
        Self::sub::<M>(&[0; 4], &Self::double::<M>(a))
    }

    /// `a − b mod m`.
    #[inline(always)]
    fn sub<M: Modulus>(a: &Limbs, b: &Limbs) -> Limbs {
        sub::<M>(a, b)
    }

    /// `a / 2 mod m`.
    #[inline(always)]
    fn half<M: Modulus>(a: &Limbs) -> Limbs {
        half::<M>(a)
    }
}

/// `a + b mod m`.
#[inline(always)]
fn add<M: Modulus>(a: &Limbs, b: &Limbs) -> Limbs {
    let (sum, carry) = add_limbs(a, b);
    subtract_modulus_once::<M>(&sum, carry)
}

/// `a − b mod m`.
#[inline(always)]
fn sub<M: Modulus>(a: &Limbs, b: &Limbs) -> Limbs {
    let (difference, borrow) = sub_limbs(a, b);
    add_limbs(&difference, &mask_limbs(&M::MODULUS.0, mask(borrow))).0
}

/// `a / 2 mod m`.
#[inline(always)]
fn half<M: Modulus>(a: &Limbs) -> Limbs {
    let odd = mask(a[0] & 1 == 1);
    let (even, carry) = add_limbs(a, &mask_limbs(&M::MODULUS.0, odd));
    // With the barriers the compiler does not use double shifts, which are slow on many CPUs.
    let [a0, a1, a2, a3] = even;
    [
        (a0 >> 1) | value_barrier(a1 << 63),
        (a1 >> 1) | value_barrier(a2 << 63),
        (a2 >> 1) | value_barrier(a3 << 63),
        (a3 >> 1) | value_barrier(u64::from(carry) << 63),
    ]
}

/// `carry·2²⁵⁶ + a mod m`, for a number below `2m`.
#[inline(always)]
fn subtract_modulus_once<M: Modulus>(a: &Limbs, carry: bool) -> Limbs {
    // If the compiler knew the constants, it would turn the chain of borrows into comparisons, with
    // twice the instructions.
    let m = M::MODULUS.0.map(value_barrier);
    let (reduced, borrow) = sub_limbs(a, &m);
    // Carry minus borrow is −1 if the subtraction went below zero and `m` must be added again, else
    // 0: as the number is below 2m, a carry always comes with a borrow.
    let below = value_barrier(sbb(u64::from(carry), 0, borrow).0);
    add_limbs(
        &reduced.map(value_barrier),
        &mask_limbs(&M::MODULUS.0, below),
    )
    .0
}
