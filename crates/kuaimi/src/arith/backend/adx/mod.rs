//! 64-bit limbs with the instructions MULX (BMI2), ADCX and ADOX (ADX) of x86-64 processors.

#![allow(unsafe_code, reason = "inline assembly")]

mod dot;
mod euclid;
mod inverse;
mod montgomery;
mod product;
mod scan;
mod sm2p;
mod sums;

use super::Backend;
use crate::arith::divsteps::d62;
use crate::arith::modulus::{Modulus, Reduction};
use crate::arith::u256::Limbs;
use crate::choice::cpu_has;

/// MULX and two chains of carries; AVX2, which every CPU with these has, for look-ups.
///
/// **Its functions must only be called where [`Adx::is_available`] has said so.**
#[derive(Clone, Copy, Default, Debug)]
pub struct Adx;

impl Adx {
    /// Whether this CPU has what is needed.
    pub fn is_available() -> bool {
        // Valgrind computes ADCX and ADOX on any CPU, but the CPU that it shows to programs lacks them.
        #[cfg(feature = "memcheck")]
        if super::memcheck::running() {
            return cpu_has!("bmi2", "avx2");
        }
        cpu_has!("bmi2", "adx", "avx2")
    }
}

impl Backend for Adx {
    const NAME: &'static str = "adx";

    #[inline(always)]
    fn mul<M: Modulus>(a: &Limbs, b: &Limbs) -> Limbs {
        match M::REDUCTION {
            Reduction::Montgomery => montgomery::mul::<M>(a, b),
            Reduction::Sm2Prime => sm2p::mul(a, b),
        }
    }

    #[inline(always)]
    fn square<M: Modulus>(a: &Limbs) -> Limbs {
        match M::REDUCTION {
            Reduction::Montgomery => montgomery::square::<M>(a),
            Reduction::Sm2Prime => sm2p::square(a),
        }
    }

    #[inline(always)]
    fn dot<M: Modulus>(terms: &[[&Limbs; 2]]) -> Limbs {
        dot::dot::<M>(terms)
    }

    #[inline]
    fn redc<M: Modulus>(a: &Limbs) -> Limbs {
        match M::REDUCTION {
            Reduction::Montgomery => montgomery::redc::<M>(a),
            Reduction::Sm2Prime => sm2p::redc(a),
        }
    }

    fn invert<M: Modulus>(a: &Limbs) -> Limbs {
        d62::invert_with::<M>(a, inverse::run)
    }

    fn invert_vartime<M: Modulus>(a: &Limbs) -> Limbs {
        // No processor says whether it divides fast. Those that do have these instructions too: AMD's since Zen, Intel's since
        // Ice Lake; of those that take 40 cycles for a division of words and have ADX, none has.
        if cpu_has!("sha") {
            euclid::invert_vartime::<M>(a)
        } else {
            d62::invert_vartime::<M>(a)
        }
    }

    #[inline(always)]
    fn add<M: Modulus>(a: &Limbs, b: &Limbs) -> Limbs {
        match M::REDUCTION {
            Reduction::Montgomery => sums::add::<M>(a, b),
            Reduction::Sm2Prime => sm2p::add(a, b),
        }
    }

    #[inline(always)]
    fn double<M: Modulus>(a: &Limbs) -> Limbs {
        match M::REDUCTION {
            Reduction::Montgomery => sums::double::<M>(a),
            Reduction::Sm2Prime => sm2p::double(a),
        }
    }

    #[inline(always)]
    fn minus_twice<M: Modulus>(a: &Limbs) -> Limbs {
        sums::minus_twice::<M>(a)
    }

    #[inline(always)]
    fn sub<M: Modulus>(a: &Limbs, b: &Limbs) -> Limbs {
        match M::REDUCTION {
            Reduction::Montgomery => sums::sub::<M>(a, b),
            Reduction::Sm2Prime => sm2p::sub(a, b),
        }
    }

    #[inline(always)]
    fn half<M: Modulus>(a: &Limbs) -> Limbs {
        match M::REDUCTION {
            Reduction::Montgomery => super::half::<M>(a),
            Reduction::Sm2Prime => sm2p::half(a),
        }
    }

    #[inline]
    fn scan<W: AsRef<[u64]> + AsMut<[u64]> + Default>(table: &[[W; 2]], index: u32) -> [W; 2] {
        // SAFETY: this backend is chosen only where the CPU has AVX2.
        unsafe { scan::scan(table, index) }
    }
}
