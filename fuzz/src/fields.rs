//! The arithmetic modulo SM2's and SM9's primes: every backend.

use arbitrary::{Arbitrary, Unstructured};
use kuaimi_math::arith::Modulus;
use kuaimi_math::arith::backend::{Backend, Visitor, for_each};
use kuaimi_math::{sm2, sm9};

type Limbs = [u64; 4];

/// All operations of a backend on two numbers and their sums.
struct Operations {
    a: Limbs,
    b: Limbs,
    expected: Option<Vec<Limbs>>,
}

impl Operations {
    fn of<B: Backend, M: Modulus>(&self, out: &mut Vec<Limbs>) {
        let reduced = |limbs: &Limbs| B::mul::<M>(&below::<M>(limbs), &below::<M>(&self.a));
        let (a, b) = (below::<M>(&self.a), reduced(&self.b));
        out.extend([
            B::mul::<M>(&a, &b),
            B::square::<M>(&a),
            B::redc::<M>(&b),
            B::add::<M>(&a, &b),
            B::sub::<M>(&a, &b),
            B::double::<M>(&a),
            B::half::<M>(&a),
            B::invert::<M>(&a),
            B::invert_vartime::<M>(&b),
            B::dot::<M>(&[[&a, &b], [&b, &b], [&a, &a]]),
        ]);
    }
}

/// The number if it is below the modulus, else without its upper bits.
fn below<M: Modulus>(limbs: &Limbs) -> Limbs {
    let m = M::MODULUS.0;
    let less = limbs.iter().rev().lt(m.iter().rev());
    if less {
        *limbs
    } else {
        [limbs[0], limbs[1], limbs[2], limbs[3] >> 3]
    }
}

impl Visitor for Operations {
    fn visit<B: Backend>(&mut self) {
        let mut out = Vec::new();
        self.of::<B, sm2::curve::P>(&mut out);
        self.of::<B, sm2::curve::N>(&mut out);
        self.of::<B, sm9::curve::Q>(&mut out);
        self.of::<B, sm9::curve::N>(&mut out);
        match &self.expected {
            None => self.expected = Some(out),
            Some(expected) => assert_eq!(&out, expected, "{}", B::NAME),
        }
    }
}

pub fn check(data: &[u8]) {
    let Ok((a, b)) = <(Limbs, Limbs)>::arbitrary(&mut Unstructured::new(data)) else {
        return;
    };
    for_each(&mut Operations {
        a,
        b,
        expected: None,
    });
}
