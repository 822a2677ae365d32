//! The cipher suites (RFC 8998, clause 2): SM3, HKDF with SM3, and records under SM4.

use kuaimi::sm3::{DIGEST_LEN, Sm3, digest};
use rustls::crypto::CipherSuiteCommon;
use rustls::crypto::cipher::{
    AeadKey, InboundOpaqueMessage, InboundPlainMessage, Iv, MessageDecrypter, MessageEncrypter,
    Nonce, OutboundOpaqueMessage, OutboundPlainMessage, PrefixedPayload, Tls13AeadAlgorithm,
    UnsupportedOperationError, make_tls13_aad,
};
use rustls::crypto::hash::{Context, Hash, HashAlgorithm, Output};
use rustls::crypto::hmac::{Hmac, Key, Tag};
use rustls::crypto::tls13::HkdfUsingHmac;
use rustls::{
    CipherSuite, ConnectionTrafficSecrets, ContentType, Error, ProtocolVersion,
    SupportedCipherSuite, Tls13CipherSuite,
};

use crate::mac::MacKey;
use crate::names;
use crate::record::{Aead, Mode, TAG_LEN};

/// `TLS_SM4_GCM_SM3` (0x00C6).
pub static TLS_SM4_GCM_SM3: SupportedCipherSuite = SupportedCipherSuite::Tls13(&GCM);

/// `TLS_SM4_CCM_SM3` (0x00C7): for peers that have no GCM, as CCM takes ten times as long.
pub static TLS_SM4_CCM_SM3: SupportedCipherSuite = SupportedCipherSuite::Tls13(&CCM);

// QUIC: RFC 9001, clause 5.3, forbids suites without a scheme for the protection of headers, and
// no standard has one with SM4.
static GCM: Tls13CipherSuite = Tls13CipherSuite {
    common: CipherSuiteCommon {
        suite: CipherSuite::Unknown(names::TLS_SM4_GCM_SM3),
        hash_provider: &Sm3Hash,
        // As for AES-GCM, whose blocks have the same length (RFC 8446, clause 5.5).
        confidentiality_limit: 1 << 24,
    },
    hkdf_provider: &HkdfUsingHmac(&HmacSm3),
    aead_alg: &Records(Mode::Gcm),
    quic: None,
};

static CCM: Tls13CipherSuite = Tls13CipherSuite {
    common: CipherSuiteCommon {
        suite: CipherSuite::Unknown(names::TLS_SM4_CCM_SM3),
        hash_provider: &Sm3Hash,
        // As for AES-CCM (RFC 9147, clause 4.5.3).
        confidentiality_limit: 1 << 23,
    },
    hkdf_provider: &HkdfUsingHmac(&HmacSm3),
    aead_alg: &Records(Mode::Ccm),
    quic: None,
};

struct Sm3Hash;

impl Hash for Sm3Hash {
    fn start(&self) -> Box<dyn Context> {
        Box::new(Transcript(Sm3::new()))
    }

    fn hash(&self, data: &[u8]) -> Output {
        Output::new(&digest(data))
    }

    fn output_len(&self) -> usize {
        DIGEST_LEN
    }

    /// TLS 1.2's list of hashes, which this enumeration is, has no SM3. This is the number in
    /// `sm2sig_sm3`; rustls uses it to compare the hashes of two suites.
    fn algorithm(&self) -> HashAlgorithm {
        HashAlgorithm::Unknown((names::SM2SIG_SM3 >> 8) as u8)
    }
}

struct Transcript(Sm3);

impl Context for Transcript {
    fn fork_finish(&self) -> Output {
        Output::new(&self.0.clone().finalize())
    }

    fn fork(&self) -> Box<dyn Context> {
        Box::new(Self(self.0.clone()))
    }

    fn finish(self: Box<Self>) -> Output {
        Output::new(&self.0.finalize())
    }

    fn update(&mut self, data: &[u8]) {
        self.0.update(data);
    }
}

struct HmacSm3;

impl Hmac for HmacSm3 {
    fn with_key(&self, key: &[u8]) -> Box<dyn Key> {
        Box::new(MacKey::new(key))
    }

    fn hash_output_len(&self) -> usize {
        DIGEST_LEN
    }
}

impl Key for MacKey {
    fn sign_concat(&self, first: &[u8], middle: &[&[u8]], last: &[u8]) -> Tag {
        let middle = middle.iter().copied();
        Tag::new(&self.tag([first].into_iter().chain(middle).chain([last])))
    }

    fn tag_len(&self) -> usize {
        DIGEST_LEN
    }
}

/// The protection of records (RFC 8446, clause 5.2).
struct Records(Mode);

impl Tls13AeadAlgorithm for Records {
    fn encrypter(&self, key: AeadKey, iv: Iv) -> Box<dyn MessageEncrypter> {
        let aead = Aead::new(self.0, key.as_ref());
        Box::new(Protected { aead, iv })
    }

    fn decrypter(&self, key: AeadKey, iv: Iv) -> Box<dyn MessageDecrypter> {
        let aead = Aead::new(self.0, key.as_ref());
        Box::new(Protected { aead, iv })
    }

    fn key_len(&self) -> usize {
        kuaimi::sm4::KEY_LEN
    }

    /// rustls 0.23 has no variants for SM4.
    fn extract_keys(
        &self,
        _: AeadKey,
        _: Iv,
    ) -> Result<ConnectionTrafficSecrets, UnsupportedOperationError> {
        Err(UnsupportedOperationError)
    }
}

struct Protected {
    aead: Aead,
    iv: Iv,
}

impl MessageEncrypter for Protected {
    fn encrypt(
        &mut self,
        message: OutboundPlainMessage<'_>,
        sequence: u64,
    ) -> Result<OutboundOpaqueMessage, Error> {
        let length = self.encrypted_payload_len(message.payload.len());
        let mut payload = PrefixedPayload::with_capacity(length);
        payload.extend_from_chunks(&message.payload);
        payload.extend_from_slice(&[u8::from(message.typ)]);
        let nonce = Nonce::new(&self.iv, sequence);
        let header = make_tls13_aad(length);
        let tag = self
            .aead
            .seal(&nonce.0, &header, payload.as_mut())
            .map_err(|_| Error::EncryptError)?;
        payload.extend_from_slice(&tag);
        Ok(OutboundOpaqueMessage::new(
            ContentType::ApplicationData,
            ProtocolVersion::TLSv1_2,
            payload,
        ))
    }

    /// With the byte of the type.
    fn encrypted_payload_len(&self, length: usize) -> usize {
        length + 1 + TAG_LEN
    }
}

impl MessageDecrypter for Protected {
    fn decrypt<'a>(
        &mut self,
        mut message: InboundOpaqueMessage<'a>,
        sequence: u64,
    ) -> Result<InboundPlainMessage<'a>, Error> {
        let nonce = Nonce::new(&self.iv, sequence);
        let header = make_tls13_aad(message.payload.len());
        let length = self
            .aead
            .open(&nonce.0, &header, &mut message.payload)
            .map_err(|_| Error::DecryptError)?;
        message.payload.truncate(length);
        message.into_tls13_unpadded_message()
    }
}
