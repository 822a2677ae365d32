//! Batches, caches and the pool of nonces: each item has its own result, and the function tells
//! whether all are good.

use kuaimi_c::kuaimi_error::KUAIMI_OK;
use kuaimi_c::*;

const COUNT: usize = 40;

fn of(bytes: &[u8]) -> kuaimi_bytes {
    kuaimi_bytes {
        data: bytes.as_ptr(),
        len: bytes.len(),
    }
}

/// Messages of different lengths.
fn messages() -> Vec<Vec<u8>> {
    (0..COUNT).map(|i| vec![i as u8; 1 + 5 * i]).collect()
}

/// What a batch gives: the function's result, and the items'.
macro_rules! batch {
    ($name:ident($($argument:expr),* $(,)?)) => {{
        let mut results = vec![KUAIMI_ERROR_RANDOM; COUNT];
        // SAFETY: arrays with the number of their elements, and handles that are not freed yet.
        let all = unsafe { $name($($argument,)* results.as_mut_ptr()) };
        (all, results)
    }};
}

/// All good but these.
fn expected(wrong: &[(usize, kuaimi_error)]) -> (kuaimi_error, Vec<kuaimi_error>) {
    let mut results = vec![KUAIMI_OK; COUNT];
    for &(place, error) in wrong {
        results[place] = error;
    }
    (
        wrong.first().map_or(KUAIMI_OK, |&(_, error)| error),
        results,
    )
}

mod sm2;
mod sm4;
mod sm9;
