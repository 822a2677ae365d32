//! What a wrong signature of SM2 tells somebody who knows the public key and the message.
//!
//! With `t = r + s`, the point `[s]G + [t]P` is `[k]G` for a right signature. For a wrong one it
//! may still be that point, or differ from it by `±[2ⁱ]G` where a bit of `k + r` was flipped before
//! the multiplication by `(1 + d)⁻¹`: an attacker who tries all 512 points learns that bit. And if
//! it is `[k]G` for a `k` that can be guessed, `d = (k − s)/(r + s)`.

use std::collections::HashMap;

use kuaimi::sm2::{Signature, SigningKey, VerifyingKey};
use kuaimi_math::arith::U256;
use kuaimi_math::sm2::group::{
    ORDER, Point, double_scalar_mul_vartime, generator_mul, point_coordinates, scalar_add,
    scalar_mul, scalar_sub,
};

use crate::operations::Wrong;

/// Nonces that can be guessed: below this, and the same below `n`.
const GUESSES: u64 = 1024;

pub struct Verdicts {
    verifying: VerifyingKey,
    message: Vec<u8>,
    public: Point,
    /// The abscissa of `[k]G` by what it means that it is found.
    known: HashMap<[u8; 32], Wrong>,
}

fn abscissa(point: &Point) -> [u8; 32] {
    point_coordinates(point)[0].to_be_bytes()
}

fn integers(signature: &[u8]) -> [U256; 2] {
    std::array::from_fn(|i| {
        U256::from_be_bytes(signature[32 * i..][..32].try_into().expect("32 bytes"))
    })
}

impl Verdicts {
    pub fn new(key: &SigningKey, message: &[u8], right: &Signature) -> Self {
        let d = U256::from_be_bytes(&key.private_key().to_bytes());
        let [r, s] = integers(&right.to_bytes());
        // k = s·(1 + d) + r·d
        let k = scalar_add(
            &scalar_mul(&s, &scalar_add(&d, &U256::ONE)),
            &scalar_mul(&r, &d),
        );
        let mut known = HashMap::new();
        for i in 1..GUESSES {
            let guess = U256([i, 0, 0, 0]);
            known.insert(abscissa(&generator_mul(&guess)), Wrong::Key);
        }
        for bit in 0..256 {
            let mut power = U256::ZERO;
            power.0[bit / 64] = 1 << (bit % 64);
            let power = if power.lt_vartime(&ORDER) {
                power
            } else {
                power.overflowing_sub(&ORDER).0
            };
            for near in [scalar_add(&k, &power), scalar_sub(&k, &power)] {
                known.insert(abscissa(&generator_mul(&near)), Wrong::NonceBit);
            }
        }
        known.insert(abscissa(&generator_mul(&k)), Wrong::SameNonce);
        Self {
            verifying: key.verifying_key().clone(),
            message: message.to_vec(),
            public: generator_mul(&d),
            known,
        }
    }

    pub fn judge(&self, bytes: &[u8]) -> Wrong {
        if let Ok(signature) = Signature::from_slice(bytes)
            && self.verifying.verify(&self.message, &signature).is_ok()
        {
            return Wrong::OtherNonce;
        }
        if bytes.len() != 64 {
            return Wrong::Useless;
        }
        let numbers = integers(bytes);
        if numbers.iter().any(|number| !number.lt_vartime(&ORDER)) {
            return Wrong::Useless;
        }
        let [r, s] = numbers;
        let point = double_scalar_mul_vartime(&s, &scalar_add(&r, &s), &self.public);
        match point {
            // k = 0.
            None => Wrong::Key,
            Some(point) => *self.known.get(&abscissa(&point)).unwrap_or(&Wrong::Useless),
        }
    }
}

#[cfg(test)]
mod tests {
    use kuaimi::sm2::PrivateKey;

    use super::*;

    /// Signatures with `k + r` changed by a power of two, with `r` changed, and with a small nonce
    /// are what they are.
    #[test]
    fn what_wrong_signatures_tell() {
        let key = SigningKey::new(PrivateKey::from_bytes(&[7; 32]).expect("in range"));
        let d = U256::from_be_bytes(&[7; 32]);
        let inverse = kuaimi_math::sm2::group::scalar_invert(&scalar_add(&d, &U256::ONE));
        let right = key.sign_deterministic(b"a message");
        let verdicts = Verdicts::new(&key, b"a message", &right);
        let [r, s] = integers(&right.to_bytes());
        let k = scalar_add(
            &scalar_mul(&s, &scalar_add(&d, &U256::ONE)),
            &scalar_mul(&r, &d),
        );
        let made = |k: &U256, r: &U256| {
            let s = scalar_sub(&scalar_mul(&inverse, &scalar_add(k, r)), r);
            [r.to_be_bytes(), s.to_be_bytes()].concat()
        };
        assert_eq!(made(&k, &r), right.to_bytes());
        assert_eq!(verdicts.judge(&made(&k, &r)), Wrong::OtherNonce);
        let other = scalar_add(&r, &U256([8, 0, 0, 0]));
        assert_eq!(verdicts.judge(&made(&k, &other)), Wrong::SameNonce);
        let near = scalar_sub(&k, &U256([0, 1 << 9, 0, 0]));
        assert_eq!(verdicts.judge(&made(&near, &r)), Wrong::NonceBit);
        assert_eq!(verdicts.judge(&made(&U256([5, 0, 0, 0]), &r)), Wrong::Key);
        assert_eq!(verdicts.judge(&made(&U256::ZERO, &r)), Wrong::Key);
        assert_eq!(verdicts.judge(&[9; 64]), Wrong::Useless);
    }
}
