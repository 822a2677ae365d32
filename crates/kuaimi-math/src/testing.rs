//! What the unit tests share.

pub(crate) use kuaimi_testing::{Repeatable, rounds};
use num_bigint::BigUint;

use crate::arith::U256;

/// Evaluates an expression under every backend that this CPU runs, with a type name bound to it, and says which it does not run.
macro_rules! on_every_backend {
    ($backend:ident => $body:expr) => {{
        {
            type $backend = $crate::arith::backend::Portable64;
            $body;
        }
        #[cfg(any(feature = "all-backends", not(target_pointer_width = "64")))]
        {
            type $backend = $crate::arith::backend::Portable32;
            $body;
        }
        #[cfg(all(target_arch = "x86_64", not(miri)))]
        if $crate::arith::backend::Adx::is_available() {
            type $backend = $crate::arith::backend::Adx;
            $body;
        } else {
            eprintln!("note: this CPU has not BMI2, ADX and AVX2: nothing was tested under the backend adx");
        }
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
