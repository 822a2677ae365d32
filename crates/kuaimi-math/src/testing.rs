//! Helpers of the unit tests.

pub(crate) use kuaimi_testing::{Repeatable, rounds};
use num_bigint::BigUint;

use crate::arith::U256;

/// Evaluates an expression with every backend that this CPU can run, with a type name bound to the
/// backend. The expression cannot use local variables.
macro_rules! on_every_backend {
    ($backend:ident => $body:expr) => {{
        struct Tests;
        impl $crate::arith::backend::Visitor for Tests {
            fn visit<$backend: $crate::arith::Backend>(&mut self) {
                println!("backend: {}", $backend::NAME);
                $body;
            }
        }
        $crate::arith::backend::for_each(&mut Tests);
    }};
}
pub(crate) use on_every_backend;

pub(crate) fn big(a: &U256) -> BigUint {
    BigUint::from_bytes_be(&a.to_be_bytes())
}

pub(crate) fn from_big(a: &BigUint) -> U256 {
    let bytes = a.to_bytes_be();
    let mut padded = [0; 32];
    padded[32 - bytes.len()..].copy_from_slice(&bytes);
    U256::from_be_bytes(&padded)
}
