//! The algorithms of the provider for each operation, with their names, properties and tables of
//! functions.

use std::ffi::CStr;

use kuaimi::sm3::Sm3;

use crate::abi::dispatch::{Algorithm, Dispatch, Operation};
use crate::abi::keymgmt::OperationNames;
use crate::abi::{asym_cipher, cipher, decoder, digest, keyexch, keymgmt, signature};
use crate::provider::Provider;
use crate::sm2::decode::{PrivateKeyInfo, SubjectPublicKeyInfo, TypeSpecific};
use crate::sm2::ecdh::Ecdh;
use crate::sm2::encryption::Sm2Encryption;
use crate::sm2::exchange::Sm2Exchange;
use crate::sm2::key::Key;
use crate::sm2::signature::Sm2Signature;
use crate::sm4::block::{Cbc, Ecb};
use crate::sm4::ccm::Ccm;
use crate::sm4::gcm::Gcm;
use crate::sm4::stream::{Cfb, Ctr, Ofb};
use crate::sm4::xts::Xts;

/// The algorithms for an operation, in OpenSSL or in Tongsuo.
pub(crate) fn of(operation: Operation, in_tongsuo: bool) -> &'static [Algorithm] {
    match operation {
        Operation::Digest => &DIGESTS,
        Operation::Cipher => &CIPHERS,
        Operation::KeyManagement if in_tongsuo => &KEYS_IN_TONGSUO,
        Operation::KeyManagement => &KEYS,
        Operation::KeyExchange if in_tongsuo => &EXCHANGES_IN_TONGSUO,
        Operation::KeyExchange => &EXCHANGES,
        Operation::Signature => &SIGNATURES,
        Operation::AsymCipher => &ASYM_CIPHERS,
        Operation::Decoder => &DECODERS,
    }
}

const fn algorithm(
    names: &'static CStr,
    table: &'static [Dispatch],
    description: &'static CStr,
) -> Algorithm {
    Algorithm::new(names, c"provider=kuaimi", table, description)
}

static DIGESTS: [Algorithm; 2] = [
    algorithm(
        c"SM3:1.2.156.10197.1.401",
        const { &digest::table::<Provider, Sm3>() },
        c"SM3 (GB/T 32905)",
    ),
    Algorithm::END,
];

static CIPHERS: [Algorithm; 9] = [
    algorithm(
        c"SM4-ECB:1.2.156.10197.1.104.1",
        const { &cipher::table::<Provider, Ecb>() },
        c"SM4 in ECB mode",
    ),
    algorithm(
        c"SM4-CBC:SM4:1.2.156.10197.1.104.2",
        const { &cipher::table::<Provider, Cbc>() },
        c"SM4 in CBC mode",
    ),
    algorithm(
        c"SM4-CTR:1.2.156.10197.1.104.7",
        const { &cipher::table::<Provider, Ctr>() },
        c"SM4 in CTR mode",
    ),
    algorithm(
        c"SM4-OFB:SM4-OFB128:1.2.156.10197.1.104.3",
        const { &cipher::table::<Provider, Ofb>() },
        c"SM4 in OFB mode",
    ),
    algorithm(
        c"SM4-CFB:SM4-CFB128:1.2.156.10197.1.104.4",
        const { &cipher::table::<Provider, Cfb>() },
        c"SM4 in CFB mode",
    ),
    algorithm(
        c"SM4-GCM:1.2.156.10197.1.104.8",
        const { &cipher::table::<Provider, Gcm>() },
        c"SM4 in GCM mode",
    ),
    algorithm(
        c"SM4-CCM:1.2.156.10197.1.104.9",
        const { &cipher::table::<Provider, Ccm>() },
        c"SM4 in CCM mode",
    ),
    algorithm(
        c"SM4-XTS:1.2.156.10197.1.104.10",
        const { &cipher::table::<Provider, Xts>() },
        c"SM4 in XTS mode",
    ),
    Algorithm::END,
];

const SM2: &CStr = c"SM2:1.2.156.10197.1.301";
const SM2_KEYS: &CStr = c"SM2 keys (GB/T 32918)";

static KEYS: [Algorithm; 3] = [
    algorithm(SM2, const { &keymgmt::table::<Key, OfSm2>() }, SM2_KEYS),
    algorithm(
        c"curveSM2",
        const { &keymgmt::table::<Key, OfCurveSm2>() },
        c"Ephemeral keys on the curve of SM2, for TLS 1.3 (RFC 8998)",
    ),
    Algorithm::END,
];

static KEYS_IN_TONGSUO: [Algorithm; 2] = [
    algorithm(
        SM2,
        const { &keymgmt::table::<Key, OfSm2InTongsuo>() },
        SM2_KEYS,
    ),
    Algorithm::END,
];

struct OfSm2;

impl OperationNames for OfSm2 {
    fn of(operation: Operation) -> Option<&'static CStr> {
        match operation {
            Operation::Signature | Operation::AsymCipher => Some(c"SM2"),
            _ => None,
        }
    }
}

/// Tongsuo has a key exchange for SM2's keys. Its own implementation would mistake the keys of this
/// module for its own.
struct OfSm2InTongsuo;

impl OperationNames for OfSm2InTongsuo {
    fn of(operation: Operation) -> Option<&'static CStr> {
        match operation {
            Operation::KeyExchange => Some(c"SM2DH"),
            other => OfSm2::of(other),
        }
    }
}

struct OfCurveSm2;

impl OperationNames for OfCurveSm2 {
    fn of(operation: Operation) -> Option<&'static CStr> {
        match operation {
            Operation::KeyExchange => Some(c"curveSM2"),
            _ => None,
        }
    }
}

// Not under the name ECDH: programs with a key on another curve would then get this implementation,
// which refuses the key.
static EXCHANGES: [Algorithm; 2] = [
    algorithm(
        c"curveSM2",
        const { &keyexch::table::<Ecdh>() },
        c"ECDH on the curve of SM2, for TLS 1.3 (RFC 8998)",
    ),
    Algorithm::END,
];

static EXCHANGES_IN_TONGSUO: [Algorithm; 2] = [
    algorithm(
        c"SM2DH",
        const { &keyexch::table::<Sm2Exchange>() },
        c"SM2 key exchange (GB/T 32918.3), for TLCP (GB/T 38636)",
    ),
    Algorithm::END,
];

static SIGNATURES: [Algorithm; 2] = [
    algorithm(
        SM2,
        const { &signature::table::<Sm2Signature>() },
        c"SM2 signatures (GB/T 32918.2)",
    ),
    Algorithm::END,
];

static ASYM_CIPHERS: [Algorithm; 2] = [
    algorithm(
        SM2,
        const { &asym_cipher::table::<Sm2Encryption>() },
        c"SM2 encryption (GB/T 32918.4)",
    ),
    Algorithm::END,
];

static DECODERS: [Algorithm; 4] = [
    Algorithm::new(
        SM2,
        c"provider=kuaimi,input=der,structure=PrivateKeyInfo",
        const { &decoder::table::<PrivateKeyInfo>() },
        c"SM2 private keys in PKCS#8",
    ),
    Algorithm::new(
        SM2,
        c"provider=kuaimi,input=der,structure=SubjectPublicKeyInfo",
        const { &decoder::table::<SubjectPublicKeyInfo>() },
        c"SM2 public keys in SubjectPublicKeyInfo",
    ),
    Algorithm::new(
        SM2,
        c"provider=kuaimi,input=der,structure=type-specific",
        const { &decoder::table::<TypeSpecific>() },
        c"SM2 private keys in SEC 1's ECPrivateKey",
    ),
    Algorithm::END,
];
