//! The formulas of SM2's curve that machines have in one piece. The arithmetic of the field is in
//! [`arith::backend`](crate::arith::backend).
//!
//! | module | what it does |
//! | --- | --- |
//! | `adx` | doublings and mixed additions in assembly for x86-64 with MULX, ADCX and ADOX |
//! | `portable32` | the same on limbs of 29 bits, for 32-bit CPUs and WebAssembly |

#[allow(unused_imports, reason = "some targets have no formulas here")]
use kuaimi_platform::backend::Field;

use super::curve::Sm2;
use crate::arith::Backend;
use crate::curve::{Affine, Formulas, Jacobian, Xyzz};

#[cfg(all(target_arch = "x86_64", not(miri)))]
mod adx;
#[cfg(any(feature = "all-backends", not(target_pointer_width = "64")))]
mod portable32;

/// The functions of `adx` may run only on CPUs that the backend `Adx` runs on. It is the only
/// backend with this name, and is used only there.
impl<B: Backend> Formulas for Sm2<B> {
    #[inline(always)]
    fn double(point: &mut Jacobian<Self>) {
        match B::IMPLEMENTATION {
            #[cfg(all(target_arch = "x86_64", not(miri)))]
            Field::Adx => {
                let Jacobian { x, y, z } = point;
                adx::double([x.limbs_mut(), y.limbs_mut(), z.limbs_mut()]);
            }
            #[cfg(any(feature = "all-backends", not(target_pointer_width = "64")))]
            Field::Portable32 => {
                let Jacobian { x, y, z } = point;
                portable32::double([x.limbs_mut(), y.limbs_mut(), z.limbs_mut()]);
            }
            #[allow(unreachable_patterns, reason = "some targets have no other backend")]
            _ => *point = point.double_by_operations(),
        }
    }

    #[inline(always)]
    fn add_affine(sum: &mut Jacobian<Self>, other: &Affine<Self>) {
        match B::IMPLEMENTATION {
            #[cfg(all(target_arch = "x86_64", not(miri)))]
            Field::Adx => {
                let Jacobian { x, y, z } = sum;
                let sum = [x.limbs_mut(), y.limbs_mut(), z.limbs_mut()];
                adx::add_jacobian(sum, [other.x.limbs(), other.y.limbs()]);
            }
            #[cfg(any(feature = "all-backends", not(target_pointer_width = "64")))]
            Field::Portable32 => {
                let Jacobian { x, y, z } = sum;
                let sum = [x.limbs_mut(), y.limbs_mut(), z.limbs_mut()];
                portable32::add_jacobian(sum, [other.x.limbs(), other.y.limbs()]);
            }
            #[allow(unreachable_patterns, reason = "as above")]
            _ => *sum = sum.add_affine_by_operations(other),
        }
    }

    #[inline(always)]
    fn add_affine_xyzz(sum: &mut Xyzz<Self>, other: &Affine<Self>) {
        match B::IMPLEMENTATION {
            #[cfg(all(target_arch = "x86_64", not(miri)))]
            Field::Adx => {
                let Xyzz { x, y, zz, zzz } = sum;
                let sum = [x, y, zz, zzz].map(|coordinate| coordinate.limbs_mut());
                adx::add_xyzz(sum, [other.x.limbs(), other.y.limbs()]);
            }
            #[cfg(any(feature = "all-backends", not(target_pointer_width = "64")))]
            Field::Portable32 => {
                let Xyzz { x, y, zz, zzz } = sum;
                let sum = [x, y, zz, zzz].map(|coordinate| coordinate.limbs_mut());
                portable32::add_xyzz(sum, [other.x.limbs(), other.y.limbs()]);
            }
            #[allow(unreachable_patterns, reason = "as above")]
            _ => *sum = sum.add_affine_by_operations(other),
        }
    }
}

#[cfg(test)]
mod tests;
