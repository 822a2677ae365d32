//! Products of 256 bits, each of which needs the one before.

use std::hint::black_box;

use anyhow::{Context, Result};
use kuaimi_math::arith::Backend;
use kuaimi_math::arith::backend::{Portable, Visitor, for_each};
use kuaimi_math::arith::u256::Limbs;

use super::Work;

/// The factors that chains of products begin with, 64-bit limbs, the least significant first. Both
/// are below SM2's `p` and `n`, with nothing special about them: the fractional parts of √2 and √3.
pub(crate) const FACTORS: [Limbs; 2] = [
    [
        0xED17_AC85_8333_9915,
        0x1D6F_60BA_893B_A84C,
        0xB2FB_1366_EA95_7D3E,
        0x6A09_E667_F3BC_C908,
    ],
    [
        0xBEE8_B390_43F7_E5C5,
        0xA9DA_2A6C_1F0B_3CD5,
        0xB7AB_F82A_9A4E_7BC0,
        0x3B67_AE85_84CA_A73B,
    ],
];

/// The product, low half first, for those that check others.
pub(crate) fn product(a: &Limbs, b: &Limbs) -> [Limbs; 2] {
    Portable::product(a, b)
}

type Product = fn(&Limbs, &Limbs) -> [Limbs; 2];

/// The last one, which is the fastest.
struct Fastest(Option<Product>);

impl Visitor for Fastest {
    fn visit<B: Backend>(&mut self) {
        self.0 = Some(B::product);
    }
}

pub(super) fn works() -> Result<Vec<Work>> {
    let mut fastest = Fastest(None);
    for_each(&mut fastest);
    let product = fastest.0.context("there is no implementation")?;
    // The compiler is not to know the factor.
    let [mut a, b] = black_box(FACTORS);
    Ok(vec![Work::new(
        "integers-thousand-products",
        "a chain of products, whose halves are added without carries between them",
        move || {
            for _ in 0..1000 {
                let [low, high] = product(&a, &b);
                a = std::array::from_fn(|i| low[i] ^ high[i]);
            }
            black_box(&a);
            Ok(())
        },
    )])
}
