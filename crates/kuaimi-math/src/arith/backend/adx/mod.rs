//! 64-bit limbs with the instructions MULX (BMI2), ADCX and ADOX (ADX) of x86-64 CPUs.
//!
//! | module | what it does |
//! | --- | --- |
//! | `product` | products and squares, as text for `asm!` |
//! | `montgomery` | products modulo any odd number |
//! | `sm2p` | products, sums and halves modulo SM2's prime |
//! | `sm2p_text`, `sm2p_sums` | the same with operands in memory, as text for longer pieces of assembly |
//! | `sums` | sums, differences and halves modulo any odd number |
//! | `dot` | sums of products with one reduction |
//! | `inverse` | division steps in constant time |
//! | `inverse_in_lanes` | inversion by these steps, with the long numbers in lanes of 52-bit limbs |
//! | `euclid` | inversion in variable time |
//! | `look_up` | constant-time look-up with AVX2 |

#![allow(unsafe_code, reason = "inline assembly")]

mod dot;
mod euclid;
mod inverse;
mod inverse_in_lanes;
mod look_up;
mod montgomery;
mod product;
mod sm2p;
pub(crate) mod sm2p_sums;
pub(crate) mod sm2p_text;
mod sums;

use kuaimi_platform::backend::Field;

use super::Backend;
use crate::arith::divsteps::d62;
use crate::arith::modulus::{Modulus, Reduction};
use crate::arith::u256::Limbs;

/// MULX with two carry chains. It also uses AVX2, which all CPUs with ADX have, for look-ups.
///
/// Its functions must be called only on CPUs that can run the backend `adx`. So the type is private
/// to this crate, and is used only where this implementation, or one that needs `adx`, was chosen.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Adx;

impl super::sealed::Sealed for Adx {}

impl Backend for Adx {
    const IMPLEMENTATION: Field = Field::Adx;

    super::assembly::methods_in_assembly!();

    fn invert<M: Modulus>(a: &Limbs) -> Limbs {
        use kuaimi_platform::backend::Lanes;
        if const { M::MODULUS.0[3] >> 63 == 1 } && Lanes::selected().get() == Lanes::Ifma {
            // SAFETY: the lanes that are selected need the instructions.
            unsafe { inverse_in_lanes::invert::<M, Self>(a) }
        } else {
            d62::invert_with::<M, Self>(a, inverse::round)
        }
    }

    fn invert_vartime<M: Modulus>(a: &Limbs) -> Limbs {
        if kuaimi_platform::backend::divides_fast() {
            euclid::invert_vartime::<M>(a)
        } else {
            d62::invert_vartime::<M>(a)
        }
    }

    #[inline]
    fn look_up<W: AsRef<[u64]> + AsMut<[u64]> + Default>(table: &[[W; 2]], index: u32) -> [W; 2] {
        // SAFETY: `Adx` is used only on CPUs with AVX2.
        unsafe { look_up::look_up(table, index) }
    }
}
