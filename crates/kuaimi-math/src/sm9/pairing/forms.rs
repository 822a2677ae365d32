//! All forms of `Fq12`, for tests and measurements.

use super::walk::Walk;
use crate::arith::Backend;
use crate::arith::backend::{Visitor, for_each};
use crate::sm9::tower::Fq12;
#[cfg(all(target_arch = "x86_64", not(miri)))]
use crate::sm9::tower::fq12_operations::in_lanes;

/// The argument of [`for_each_form`].
pub trait Fq12Visitor {
    /// Called for each form of `Fq12` that this CPU can run, with its name and its backend.
    fn visit<B: Backend, F: Walk<B>>(&mut self, name: &'static str);
}

/// Calls `visitor` with every form of `Fq12` that this CPU can run, from slow to fast: the scalar
/// form with every backend, then the forms in lanes. For tests and measurements.
pub fn for_each_form(visitor: &mut impl Fq12Visitor) {
    use kuaimi_platform::backend::Fq12 as Form;

    struct Scalar<'a, V>(&'a mut V);

    impl<V: Fq12Visitor> Visitor for Scalar<'_, V> {
        fn visit<B: Backend>(&mut self) {
            self.0.visit::<B, Fq12<B>>(B::NAME);
        }
    }

    for form in Form::available() {
        match form.get() {
            Form::Scalar => for_each(&mut Scalar(visitor)),
            #[cfg(all(target_arch = "x86_64", not(miri)))]
            Form::Avx2 => {
                in_lanes!(B, F, radix29::Avx2 => visitor.visit::<B, F>(form.get().name()))
            }
            #[cfg(all(target_arch = "x86_64", not(miri)))]
            Form::AvxIfma => {
                in_lanes!(B, F, ifma::AvxIfma => visitor.visit::<B, F>(form.get().name()));
            }
            #[cfg(all(target_arch = "x86_64", not(miri)))]
            Form::HalfIfma => {
                in_lanes!(B, F, ifma::HalfIfma => visitor.visit::<B, F>(form.get().name()));
            }
        }
    }
}
