//! ServerKeyExchange (6.4.5.4), ClientKeyExchange (6.4.5.8) and the signature of CertificateVerify
//! (6.4.5.9).
//!
//! ```text
//! ServerKeyExchange, ECC     signature
//! ServerKeyExchange, ECDHE   03 ‖ 0029 ‖ point ‖ signature
//! ClientKeyExchange, ECC     encrypted premaster secret
//! ClientKeyExchange, ECDHE   03 ‖ 0029 ‖ point
//! ```
//!
//! A point has a length of 8 bits before it, a signature and a ciphertext have one of 16 bits.

use kuaimi::sm2::{PublicKey, Signature};

use super::{encode, kind};
use crate::Error;
use crate::codec::{Reader, vector};

/// `named_curve`, and SM2's number among the curves.
const CURVE: [u8; 3] = [3, 0, 41];
/// Of [`CURVE`], and of an uncompressed point with its length.
const PARAMETERS_LEN: usize = 3 + 1 + 65;

/// `ServerECDHEParams`, and also `ClientECDHEParams`.
pub(crate) fn parameters(point: &PublicKey) -> [u8; PARAMETERS_LEN] {
    let mut out = [0; PARAMETERS_LEN];
    out[..3].copy_from_slice(&CURVE);
    out[3] = 65;
    out[4..].copy_from_slice(&point.to_sec1_bytes());
    out
}

fn read_parameters(reader: &mut Reader<'_>) -> Result<PublicKey, Error> {
    let [kind, curve @ ..] = reader.array::<3>()?;
    if kind != 3 {
        return Err(Error::IllegalParameter("a curve that has no name"));
    }
    if curve != [0, 41] {
        return Err(Error::IllegalParameter("another curve than SM2's"));
    }
    let point = reader.vec8()?.rest();
    if point.len() != 65 {
        return Err(Error::IllegalParameter("a point that is not uncompressed"));
    }
    PublicKey::from_sec1_bytes(point)
        .map_err(|_| Error::IllegalParameter("a point that is not on the curve"))
}

fn read_signature(reader: &mut Reader<'_>, what: &'static str) -> Result<Signature, Error> {
    let der = reader.vec16()?.rest();
    Signature::from_der(der).map_err(|_| Error::Signature(what))
}

fn write_signature(out: &mut Vec<u8>, signature: &Signature) {
    vector::<2>(out, |out| out.extend(signature.to_der().as_ref()));
}

/// What the server signs with ECC: both randoms, and its encrypting certificate.
pub(crate) fn signed_ecc(
    client_random: &[u8; 32],
    server_random: &[u8; 32],
    encryption_certificate: &[u8],
) -> Vec<u8> {
    let mut out = [*client_random, *server_random].concat();
    vector::<3>(&mut out, |out| out.extend(encryption_certificate));
    out
}

/// What the server signs with ECDHE: both randoms, and its parameters.
pub(crate) fn signed_ecdhe(
    client_random: &[u8; 32],
    server_random: &[u8; 32],
    point: &PublicKey,
) -> Vec<u8> {
    [client_random, server_random, &parameters(point)[..]].concat()
}

/// The server's point, where the suite has one, and the signature.
pub(crate) struct ServerKeyExchange {
    pub(crate) point: Option<PublicKey>,
    pub(crate) signature: Signature,
}

impl ServerKeyExchange {
    pub(crate) fn read(body: &[u8], has_point: bool) -> Result<Self, Error> {
        const WHAT: &str = "ServerKeyExchange";
        let mut reader = Reader::new(body, WHAT);
        let point = match has_point {
            true => Some(read_parameters(&mut reader)?),
            false => None,
        };
        let signature = read_signature(&mut reader, WHAT)?;
        reader.finish()?;
        Ok(Self { point, signature })
    }

    pub(crate) fn encode(&self) -> Vec<u8> {
        encode(kind::SERVER_KEY_EXCHANGE, |out| {
            if let Some(point) = &self.point {
                out.extend(parameters(point));
            }
            write_signature(out, &self.signature);
        })
    }
}

/// The encrypted premaster secret of a ClientKeyExchange.
pub(crate) fn read_encrypted(body: &[u8]) -> Result<&[u8], Error> {
    let mut reader = Reader::new(body, "ClientKeyExchange");
    let ciphertext = reader.vec16()?.rest();
    reader.finish()?;
    Ok(ciphertext)
}

pub(crate) fn encode_encrypted(ciphertext: &[u8]) -> Vec<u8> {
    encode(kind::CLIENT_KEY_EXCHANGE, |out| {
        vector::<2>(out, |out| out.extend(ciphertext));
    })
}

/// The point of a ClientKeyExchange. Some peers put the length of the parameters before them.
pub(crate) fn read_point(body: &[u8]) -> Result<PublicKey, Error> {
    const LENGTH: [u8; 2] = (PARAMETERS_LEN as u16).to_be_bytes();
    let parameters = match body.strip_prefix(&LENGTH) {
        Some(rest) if rest.len() == PARAMETERS_LEN => rest,
        _ => body,
    };
    let mut reader = Reader::new(parameters, "ClientKeyExchange");
    let point = read_parameters(&mut reader)?;
    reader.finish()?;
    Ok(point)
}

pub(crate) fn encode_point(point: &PublicKey, with_length: bool) -> Vec<u8> {
    encode(kind::CLIENT_KEY_EXCHANGE, |out| {
        let parameters = parameters(point);
        match with_length {
            true => vector::<2>(out, |out| out.extend(parameters)),
            false => out.extend(parameters),
        }
    })
}

/// The signature of a CertificateVerify.
pub(crate) fn read_verify(body: &[u8]) -> Result<Signature, Error> {
    const WHAT: &str = "CertificateVerify";
    let mut reader = Reader::new(body, WHAT);
    let signature = read_signature(&mut reader, WHAT)?;
    reader.finish()?;
    Ok(signature)
}

pub(crate) fn encode_verify(signature: &Signature) -> Vec<u8> {
    encode(kind::CERTIFICATE_VERIFY, |out| {
        write_signature(out, signature)
    })
}
