//! A signature and a verification together, in the steps in which a Go implementation became
//! faster: longer digits, unrolled loops, no points on the heap. Then the library's own. No table
//! is stored before the library's rung.

use kuaimi_math::arith::backend::{Portable32, Portable64};
use kuaimi_math::curve::{Affine, Jacobian, scalar_mul};
use kuaimi_math::sm2::curve::Sm2;

use super::heap;
use super::inputs::{Inputs, signs, verifies};
use super::tongsuo::Generic;
use crate::ladders::field::Integers;
use crate::ladders::generator::double_and_add::to_affine;
use crate::ladders::rung::{Ladder, Rung, Unit, Work};

pub(in crate::ladders) const NAME: &str = "sm2-sign-verify";

const GO: &str =
    "the steps of a published optimisation of a Go implementation, with our own code for each";

/// `[k]G` on the heap.
pub(super) fn heap_product<C: Integers>(k: &C::Scalar) -> Affine<C> {
    to_affine(&heap::mul(k, &C::GENERATOR).point)
}

/// `[s]G + [t]P` on the heap.
pub(super) fn heap_sum<C: Integers>(s: &C::Scalar, t: &C::Scalar, p: &Affine<C>) -> Jacobian<C> {
    *heap::mul(s, &C::GENERATOR).add(&heap::mul(t, p)).point
}

/// `[k]G` by the same algorithm without the heap.
pub(super) fn product<C: Integers>(k: &C::Scalar) -> Affine<C> {
    to_affine(&scalar_mul::mul_vartime(k, &C::GENERATOR))
}

/// `[s]G + [t]P` by the same algorithm without the heap.
pub(super) fn sum<C: Integers>(s: &C::Scalar, t: &C::Scalar, p: &Affine<C>) -> Jacobian<C> {
    scalar_mul::mul_vartime(s, &C::GENERATOR).add_vartime(&scalar_mul::mul_vartime(t, p))
}

/// One after the other, as one operation.
fn both(mut sign: Work, mut verify: Work) -> Work {
    Box::new(move |count| {
        sign(count);
        verify(count);
    })
}

fn on_heap<C: Integers>() -> Work {
    both(signs::<C>(heap_product), verifies::<C>(heap_sum))
}

/// The allocations of a signature and a verification.
pub(super) fn allocations() -> usize {
    use kuaimi_math::arith::PrimeField;
    use kuaimi_math::curve::Curve;
    use kuaimi_math::sm2::curve::Scalar;

    type C = Sm2<Portable64>;
    let inputs = Inputs::new();
    let (e, k) = inputs.items[0];
    let product = |k| heap::mul::<C>(&Scalar::from_u256_reduced(k), &C::GENERATOR);
    product(&k).allocations + product(&e).add(&product(&inputs.d)).allocations
}

pub(in crate::ladders) fn ladder() -> Ladder {
    let inputs = Inputs::new();
    let (key, digests, signatures) = (inputs.key(), inputs.digests(), inputs.signatures());
    let verifying = key.verifying_key().clone();
    let library = both(
        crate::ladders::rung::each(digests, move |e| key.sign_digest(e)),
        crate::ladders::rung::each(signatures, move |(e, s)| verifying.verify_digest(e, s)),
    );
    let heap = format!("{} allocations", allocations());
    Ladder {
        name: NAME,
        title: "SM2: a signature and a verification together",
        about: "One operation signs a digest and verifies a signature. The fifth published step, two lanes inside a point operation (4.71 ×), is in the \
                ladders of points.",
        rungs: vec![
            Rung::new(
                "digits-32",
                "Digits of 32 bits; every intermediate point on the heap.",
                GO,
                on_heap::<Sm2<Portable32>>(),
            )
            .cost(heap.clone())
            .published(1.0, Unit::Times)
            .leaks(),
            Rung::new(
                "digits-64",
                "Digits of 64 bits, Montgomery's multiplication for any modulus.",
                GO,
                on_heap::<Generic>(),
            )
            .cost(heap.clone())
            .published(1.73, Unit::Times)
            .leaks(),
            Rung::new(
                "unrolled",
                "Unrolled, with the constant 1.",
                GO,
                on_heap::<Sm2<Portable64>>(),
            )
            .cost(heap)
            .published(2.06, Unit::Times)
            .leaks(),
            Rung::new(
                "no-allocation",
                "The same with all points on the stack.",
                GO,
                both(
                    signs::<Sm2<Portable64>>(product),
                    verifies::<Sm2<Portable64>>(sum),
                ),
            )
            .cost("no allocation")
            .published(3.07, Unit::Times)
            .leaks(),
            Rung::new(
                "library",
                "The library's field, stored tables, division steps; the signature in constant time.",
                "kuaimi, sm2/sign.rs and sm2/verify.rs",
                library,
            )
            .cost("no allocation; 118 KiB")
            .used_by_library().depends_on_cpu(),
        ],
    }
}
