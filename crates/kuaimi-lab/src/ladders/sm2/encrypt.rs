//! Encryption with a given nonce (GB/T 32918.4-2016, clause 6.1, steps A2 to A8) and decryption
//! (clause 7.1, steps B1 to B7), with the products of points as parameters. A ciphertext is
//! `C1 ‖ C3 ‖ C2`, where `C1` is two coordinates.

use kuaimi::sm3::{Sm3, kdf};
use kuaimi_math::arith::{PrimeField, U256};
use kuaimi_math::curve::Affine;

use crate::ladders::field::Integers;

/// The ciphertext of a message that is not empty; nothing where the nonce happens to be useless.
pub(crate) fn encrypt<C: Integers>(
    message: &[u8],
    k: &U256,
    public: &Affine<C>,
    generator_mul: impl FnOnce(&C::Scalar) -> Affine<C>,
    mul: impl FnOnce(&C::Scalar, &Affine<C>) -> Affine<C>,
) -> Option<Vec<u8>> {
    let k = C::Scalar::from_u256_reduced(k);
    // A2
    let [x1, y1] = coordinates(&generator_mul(&k));
    // A4 to A7
    let shared = coordinates(&mul(&k, public));
    let masked = mask(message, &shared)?;
    Some([&x1[..], &y1, &check(message, &shared), &masked].concat())
}

/// The message, if it is the one that was encrypted.
pub(crate) fn decrypt<C: Integers>(
    ciphertext: &[u8],
    d: &U256,
    mul: impl FnOnce(&C::Scalar, &Affine<C>) -> Affine<C>,
) -> Option<Vec<u8>> {
    let (x1, rest) = ciphertext.split_first_chunk::<32>()?;
    let (y1, rest) = rest.split_first_chunk::<32>()?;
    let (c3, c2) = rest.split_first_chunk::<32>()?;
    // B1
    let [x, y] = [x1, y1].map(|bytes| C::element(&U256::from_be_bytes(bytes)));
    let point = Affine { x, y };
    if !point.is_on_curve_vartime() {
        return None;
    }
    // B3 to B6
    let shared = coordinates(&mul(&C::Scalar::from_u256_reduced(d), &point));
    let message = mask(c2, &shared)?;
    (check(&message, &shared) == *c3).then_some(message)
}

fn coordinates<C: Integers>(point: &Affine<C>) -> [[u8; 32]; 2] {
    [&point.x, &point.y].map(|coordinate| C::integer(coordinate).to_be_bytes())
}

/// The bytes with the key stream of a point over them.
fn mask(bytes: &[u8], [x2, y2]: &[[u8; 32]; 2]) -> Option<Vec<u8>> {
    let mut stream = vec![0; bytes.len()];
    kdf(&[*x2, *y2].concat(), &mut stream).ok()?;
    if stream.iter().all(|&byte| byte == 0) {
        return None;
    }
    Some(stream.iter().zip(bytes).map(|(a, b)| a ^ b).collect())
}

/// `C3`
fn check(message: &[u8], [x2, y2]: &[[u8; 32]; 2]) -> [u8; 32] {
    let mut hash = Sm3::new();
    hash.update(x2);
    hash.update(message);
    hash.update(y2);
    hash.finalize()
}
