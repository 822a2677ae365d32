//! MIRACL Core's integers of 256 bits: digits of 56 bits, as it has them for SM2's curve.

use miracl_core::sm2::big::BIG;
use miracl_core::sm2::dbig::DBIG;

use crate::line::{Inputs, Operation, Result, once};

fn number(inputs: &Inputs, name: &str) -> Result<BIG> {
    let bytes = inputs.get(name)?;
    if bytes.len() != 32 {
        return Err(format!("{name} has {} bytes", bytes.len()).into());
    }
    Ok(BIG::frombytes(&bytes))
}

/// All 512 bits.
fn bytes(mut product: DBIG) -> Vec<u8> {
    let mut out = vec![0; 64];
    let high = product.split(256);
    high.tobytes(&mut out[..32]);
    BIG::new_dcopy(&product).tobytes(&mut out[32..]);
    out
}

pub const OPERATIONS: &[Operation] = &[
    ("integers-product", |inputs| {
        let (a, b) = (number(inputs, "a")?, number(inputs, "b")?);
        once(move || Ok(bytes(BIG::mul(&a, &b))))
    }),
    ("integers-thousand-products", |inputs| {
        let (start, b) = (number(inputs, "a")?, number(inputs, "b")?);
        once(move || {
            let mut a = BIG::new_copy(&start);
            for _ in 0..1000 {
                let product = BIG::mul(&a, &b);
                // Its low digits are the next factor.
                a.dcopy(&product);
            }
            std::hint::black_box(&a);
            Ok(Vec::new())
        })
    }),
];
