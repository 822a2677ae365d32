//! How the multiples of one fixed-base product are summed: one after another, or in the lanes of an
//! engine.

#[cfg(all(target_arch = "x86_64", not(miri)))]
use alloc::vec;
#[cfg(all(target_arch = "x86_64", not(miri)))]
use alloc::vec::Vec;

#[cfg(all(target_arch = "x86_64", not(miri)))]
use zeroize::Zeroize;

#[cfg(all(target_arch = "x86_64", not(miri)))]
use super::Entry;
#[cfg(any(test, all(target_arch = "x86_64", not(miri))))]
use super::lanes::fixed_base;
use super::{Curve, FixedBaseTable, Xyzz};
#[cfg(any(test, all(target_arch = "x86_64", not(miri))))]
use crate::arith::lanes::Lanes;
use crate::arith::{Backend, Fe, Modulus};
#[cfg(all(target_arch = "x86_64", not(miri)))]
use crate::arith::{Field, PrimeField, U256, batch_invert};

/// A way of summing, for curves over a prime field with the backend `B`.
pub trait Summation<B: Backend> {
    /// Its name among the implementations.
    const NAME: &'static str;

    /// `[k]P` for a secret `k` other than zero, from the table of `P`. (Zero gives infinity.)
    /// Constant time.
    fn product<M: Modulus, C: Curve<Field = Fe<M, B>>>(
        table: &FixedBaseTable<'_, C>,
        k: &C::Scalar,
    ) -> Xyzz<C>;

    /// The sum of products from one table or more, for public scalars. `None` if it is to be
    /// computed in another way: nothing faster is known, or an addition had equal or opposite
    /// operands. The sum is not infinity.
    fn sum_of_products_vartime<M: Modulus, C: Curve<Field = Fe<M, B>>>(
        products: &[(&FixedBaseTable<'_, C>, &C::Scalar)],
    ) -> Option<Xyzz<C>>;
}

/// One after another.
pub struct Serial;

impl<B: Backend> Summation<B> for Serial {
    const NAME: &'static str = "serial";

    #[inline]
    fn product<M: Modulus, C: Curve<Field = Fe<M, B>>>(
        table: &FixedBaseTable<'_, C>,
        k: &C::Scalar,
    ) -> Xyzz<C> {
        table.mul(k)
    }

    #[inline]
    fn sum_of_products_vartime<M: Modulus, C: Curve<Field = Fe<M, B>>>(
        _: &[(&FixedBaseTable<'_, C>, &C::Scalar)],
    ) -> Option<Xyzz<C>> {
        None
    }
}

/// In the lanes of the engine `L`: see [`lanes::fixed_base`](super::lanes::fixed_base).
#[cfg(any(test, all(target_arch = "x86_64", not(miri))))]
pub struct InLanes<L>(core::marker::PhantomData<L>);

#[cfg(any(test, all(target_arch = "x86_64", not(miri))))]
impl<L: Lanes, B: Backend> Summation<B> for InLanes<L> {
    const NAME: &'static str = L::NAME;

    fn product<M: Modulus, C: Curve<Field = Fe<M, B>>>(
        table: &FixedBaseTable<'_, C>,
        k: &C::Scalar,
    ) -> Xyzz<C> {
        fixed_base::mul::<L, M, B, C>(table, k)
    }

    fn sum_of_products_vartime<M: Modulus, C: Curve<Field = Fe<M, B>>>(
        products: &[(&FixedBaseTable<'_, C>, &C::Scalar)],
    ) -> Option<Xyzz<C>> {
        let count = products.iter().map(|(table, _)| table.windows()).sum();
        let terms = products
            .iter()
            .flat_map(|(table, k)| table.terms_vartime(k));
        fixed_base::sum_vartime::<L, M, B, C>(count, terms)
    }
}

/// `[k]P` of each secret number and the point of the table that `table` gives for its place: one
/// product after another, and one inversion for all of them. Zero gives `(0, 0)`. Constant time.
///
/// Where one product fills the lanes, this is faster for few products than a lane for each.
#[cfg(all(target_arch = "x86_64", not(miri)))]
pub fn products<'a, B: Backend, S: Summation<B>, M: Modulus, C: Curve<Field = Fe<M, B>>>(
    k: &[U256],
    table: impl Fn(usize) -> FixedBaseTable<'a, C>,
    out: &mut [Entry<C>],
) where
    C::Scalar: Zeroize,
{
    if k.is_empty() {
        return;
    }
    let mut products = Vec::with_capacity(k.len());
    let mut inverses = Vec::with_capacity(k.len());
    for (i, k) in k.iter().enumerate() {
        let mut k = C::Scalar::from_u256_reduced(k);
        let product = S::product(&table(i), &k);
        k.zeroize();
        inverses.push(*product.denominator());
        products.push(product);
    }
    let mut scratch = vec![Fe::<M, B>::ZERO; k.len()];
    batch_invert(&mut inverses, &mut scratch, Field::invert);
    for ((out, product), inverse) in out.iter_mut().zip(&products).zip(&inverses) {
        *out = product.affine_with(inverse).to_entry();
    }
    products.iter_mut().zeroize();
    inverses.iter_mut().zeroize();
    scratch.iter_mut().zeroize();
}

/// Evaluates an expression with type names bound to the selected backend and to the fastest
/// [`Summation`] of the selected implementations. Lanes are used where measurements show that they
/// are faster: eight of them.
macro_rules! with_summation {
    ($backend:ident, $summation:ident => $body:expr) => {
        match kuaimi_platform::backend::Lanes::selected().get() {
            #[cfg(all(target_arch = "x86_64", not(miri)))]
            kuaimi_platform::backend::Lanes::Ifma => {
                type $backend = $crate::arith::backend::Adx;
                type $summation =
                    $crate::curve::summation::InLanes<$crate::arith::lanes::ifma::Ifma>;
                $body
            }
            _ => $crate::arith::backend::with_backend!($backend => {
                type $summation = $crate::curve::summation::Serial;
                $body
            }),
        }
    };
}
pub(crate) use with_summation;
