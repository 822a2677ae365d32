//! Trees of DER, made of arbitrary bytes: their lengths fit, so that decoders are entered deeper
//! than by chance.

use arbitrary::{Arbitrary, Result, Unstructured};

/// The object identifiers that the library knows, with some that it does not.
const OIDS: [&[u8]; 22] = [
    // id-ecPublicKey, SM2's curve, prime256v1.
    &[0x2a, 0x86, 0x48, 0xce, 0x3d, 2, 1],
    &[0x2a, 0x81, 0x1c, 0xcf, 0x55, 1, 0x82, 0x2d],
    &[0x2a, 0x86, 0x48, 0xce, 0x3d, 3, 1, 7],
    // SM9 and its three uses.
    &[0x2a, 0x81, 0x1c, 0xcf, 0x55, 1, 0x82, 0x2e],
    &[0x2a, 0x81, 0x1c, 0xcf, 0x55, 1, 0x82, 0x2e, 1],
    &[0x2a, 0x81, 0x1c, 0xcf, 0x55, 1, 0x82, 0x2e, 2],
    &[0x2a, 0x81, 0x1c, 0xcf, 0x55, 1, 0x82, 0x2e, 3],
    // SM4, SM4-CBC, SM4-ECB, SM3, HMAC-SM3.
    &[0x2a, 0x81, 0x1c, 0xcf, 0x55, 1, 0x68],
    &[0x2a, 0x81, 0x1c, 0xcf, 0x55, 1, 0x68, 2],
    &[0x2a, 0x81, 0x1c, 0xcf, 0x55, 1, 0x68, 1],
    &[0x2a, 0x81, 0x1c, 0xcf, 0x55, 1, 0x83, 0x11],
    &[0x2a, 0x81, 0x1c, 0xcf, 0x55, 1, 0x83, 0x11, 2],
    &[0x2a, 0x81, 0x1c, 0xcf, 0x55, 1, 0x83, 0x11, 3],
    // PBES2, PBKDF2, scrypt.
    &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 5, 0x0d],
    &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 5, 0x0c],
    &[0x2b, 6, 1, 4, 1, 0xda, 0x47, 4, 0x0b],
    // HMAC-SHA-256, AES-128-CBC, AES-256-CBC.
    &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 2, 9],
    &[0x60, 0x86, 0x48, 1, 0x65, 3, 4, 1, 2],
    &[0x60, 0x86, 0x48, 1, 0x65, 3, 4, 1, 0x2a],
    // SM2 for signatures, as some vendors have it.
    &[0x2a, 0x81, 0x1c, 0xcf, 0x55, 1, 0x82, 0x2d, 1],
    &[],
    &[0x80],
];

/// A value: its tag and content.
#[derive(Debug)]
pub struct Tree(Vec<u8>);

/// Appends a value.
pub fn value(tag: u8, content: &[u8]) -> Vec<u8> {
    let mut out = vec![tag];
    let length = content.len();
    match length {
        0..0x80 => out.push(length as u8),
        0x80..0x100 => out.extend([0x81, length as u8]),
        _ => out.extend([0x82, (length >> 8) as u8, length as u8]),
    }
    out.extend_from_slice(content);
    out
}

impl Tree {
    pub fn bytes(&self) -> &[u8] {
        &self.0
    }

    fn grow(u: &mut Unstructured<'_>, depth: usize) -> Result<Vec<u8>> {
        let leaf = depth == 0 || u.is_empty();
        Ok(match u.int_in_range(0..=if leaf { 9 } else { 15 })? {
            0 => value(6, u.choose(&OIDS)?),
            1 => value(2, &[u.arbitrary()?]),
            2 => value(2, &number(u)?),
            3 => value(4, &point_or(u)?),
            4 => value(3, &[&[0][..], &point_or(u)?].concat()),
            5 => value(5, &[]),
            6 => value(4, &number(u)?),
            7 => value(u.arbitrary()?, <&[u8]>::arbitrary(u)?),
            8 => value(0x80 | (u.arbitrary::<u8>()? & 3), &number(u)?),
            // Without structure: lengths that do not fit.
            9 => <&[u8]>::arbitrary(u)?.to_vec(),
            kind => {
                let mut content = Vec::new();
                for _ in 0..u.int_in_range(0..=5)? {
                    content.extend(Self::grow(u, depth - 1)?);
                }
                let tag = match kind {
                    10..=12 => 0x30,
                    13 => 0x31,
                    14 => 0xa0 | (u.arbitrary::<u8>()? & 3),
                    // A structure in an octet string, as PKCS#8 has it.
                    _ => 4,
                };
                value(tag, &content)
            }
        })
    }
}

/// 32 bytes, or so.
fn number(u: &mut Unstructured<'_>) -> Result<Vec<u8>> {
    let length = *u.choose(&[32usize, 33, 16, 31, 64, 0, 2])?;
    let mut bytes = vec![u.arbitrary::<u8>()?; length];
    let some = u.bytes(u.len().min(length.min(4)))?;
    bytes[..some.len()].copy_from_slice(some);
    Ok(bytes)
}

/// A point of SM2 or SM9 in one of its forms, or a number.
fn point_or(u: &mut Unstructured<'_>) -> Result<Vec<u8>> {
    let secret = [u.int_in_range(1..=4)?; 32];
    Ok(match u.int_in_range(0..=6)? {
        0 => sm2(secret).to_sec1_bytes().to_vec(),
        1 => sm2(secret).to_compressed_bytes().to_vec(),
        2 => encryption(secret).to_sec1_bytes().to_vec(),
        3 => encryption(secret).to_bytes().to_vec(),
        4 => signing(secret).to_sec1_bytes().to_vec(),
        5 => signing(secret).to_bytes().to_vec(),
        _ => number(u)?,
    })
}

fn sm2(secret: [u8; 32]) -> kuaimi::sm2::PublicKey {
    let key = kuaimi::sm2::PrivateKey::from_bytes(&secret);
    *key.expect("in range").public_key()
}

fn encryption(secret: [u8; 32]) -> kuaimi::sm9::MasterEncryptionPublicKey {
    let key = kuaimi::sm9::MasterEncryptionKey::from_bytes(&secret);
    key.expect("in range").public_key().clone()
}

fn signing(secret: [u8; 32]) -> kuaimi::sm9::MasterSigningPublicKey {
    let key = kuaimi::sm9::MasterSigningKey::from_bytes(&secret);
    key.expect("in range").public_key().clone()
}

impl<'a> Arbitrary<'a> for Tree {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        let mut content = Vec::new();
        for _ in 0..u.int_in_range(1..=5)? {
            content.extend(Self::grow(u, 4)?);
        }
        Ok(Self(value(0x30, &content)))
    }
}
