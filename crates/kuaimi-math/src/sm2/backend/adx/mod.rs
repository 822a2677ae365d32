//! The formulas of SM2's curve in the assembly of [`Adx`](crate::arith::backend::Adx), whose text
//! for numbers modulo SM2's prime they are made of.
//!
//! | module | what it does |
//! | --- | --- |
//! | `double` | a doubling |
//! | `add` | mixed additions |

#![allow(unsafe_code, reason = "inline assembly")]

mod add;
mod double;

use kuaimi_platform::backend::Field;

use crate::arith::Backend;
use crate::curve::{Affine, Formulas, Jacobian, Xyzz};
use crate::sm2::curve::Sm2;

/// The functions of this module may run only on CPUs that the backend `Adx` runs on. It is the only
/// backend with this name, and is used only there.
const fn is_adx<B: Backend>() -> bool {
    matches!(B::IMPLEMENTATION, Field::Adx)
}

impl<B: Backend> Formulas for Sm2<B> {
    #[inline(always)]
    fn double(point: &mut Jacobian<Self>) {
        if const { is_adx::<B>() } {
            let Jacobian { x, y, z } = point;
            double::double([x.limbs_mut(), y.limbs_mut(), z.limbs_mut()]);
        } else {
            *point = point.double_by_operations();
        }
    }

    #[inline(always)]
    fn add_affine(sum: &mut Jacobian<Self>, other: &Affine<Self>) {
        if const { is_adx::<B>() } {
            let Jacobian { x, y, z } = sum;
            let sum = [x.limbs_mut(), y.limbs_mut(), z.limbs_mut()];
            add::jacobian(sum, [other.x.limbs(), other.y.limbs()]);
        } else {
            *sum = sum.add_affine_by_operations(other);
        }
    }

    #[inline(always)]
    fn add_affine_xyzz(sum: &mut Xyzz<Self>, other: &Affine<Self>) {
        if const { is_adx::<B>() } {
            let Xyzz { x, y, zz, zzz } = sum;
            let sum = [x, y, zz, zzz].map(|coordinate| coordinate.limbs_mut());
            add::xyzz(sum, [other.x.limbs(), other.y.limbs()]);
        } else {
            *sum = sum.add_affine_by_operations(other);
        }
    }
}
