//! The cipher suites (RFC 8998, clause 2): SM3, HKDF with SM3, and records under SM4.

use kuaimi::sm3::{DIGEST_LEN, Sm3, digest};
use rustls_0_24::crypto::cipher::{
    AeadKey, EncryptBuffer, InboundOpaque, Iv, Nonce, OutboundPlain, Record, RecordDecrypter,
    RecordEncrypter, Tls13AeadAlgorithm, UnsupportedOperationError, make_tls13_aad,
};
use rustls_0_24::crypto::hash::{Context, Hash, Output};
use rustls_0_24::crypto::hmac::{Hmac, Key, Tag};
use rustls_0_24::crypto::tls13::HkdfUsingHmac;
use rustls_0_24::crypto::{CipherSuite, CipherSuiteCommon, HashAlgorithm};
use rustls_0_24::enums::{ContentType, ProtocolVersion};
use rustls_0_24::version::TLS13_VERSION;
use rustls_0_24::{ConnectionTrafficSecrets, Error, Tls13CipherSuite};

use crate::mac::MacKey;
use crate::names;
use crate::record::{Aead, Mode, TAG_LEN};

/// `TLS_SM4_GCM_SM3` (0x00C6).
pub static TLS_SM4_GCM_SM3: &Tls13CipherSuite = &Tls13CipherSuite {
    common: CipherSuiteCommon {
        suite: CipherSuite::TLS13_SM4_GCM_SM3,
        hash_provider: &Sm3Hash,
        // As for AES-GCM, whose blocks have the same length (RFC 8446, clause 5.5).
        confidentiality_limit: 1 << 24,
    },
    protocol_version: TLS13_VERSION,
    hkdf_provider: &HkdfUsingHmac(&HmacSm3),
    aead_alg: &Records(Mode::Gcm),
    // RFC 9001, clause 5.3: there is no protection of headers with SM4.
    quic: None,
};

/// `TLS_SM4_CCM_SM3` (0x00C7): for peers that have no GCM, as CCM takes ten times as long.
pub static TLS_SM4_CCM_SM3: &Tls13CipherSuite = &Tls13CipherSuite {
    common: CipherSuiteCommon {
        suite: CipherSuite::TLS13_SM4_CCM_SM3,
        hash_provider: &Sm3Hash,
        // As for AES-CCM (RFC 9147, clause 4.5.3).
        confidentiality_limit: 1 << 23,
    },
    protocol_version: TLS13_VERSION,
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
        HashAlgorithm((names::SM2SIG_SM3 >> 8) as u8)
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
    fn encrypter(&self, key: AeadKey, iv: Iv) -> Box<dyn RecordEncrypter> {
        let aead = Aead::new(self.0, key.as_ref());
        Box::new(Protected { aead, iv })
    }

    fn decrypter(&self, key: AeadKey, iv: Iv) -> Box<dyn RecordDecrypter> {
        let aead = Aead::new(self.0, key.as_ref());
        Box::new(Protected { aead, iv })
    }

    fn key_len(&self) -> usize {
        kuaimi::sm4::KEY_LEN
    }

    fn extract_keys(
        &self,
        key: AeadKey,
        iv: Iv,
    ) -> Result<ConnectionTrafficSecrets, UnsupportedOperationError> {
        Ok(match self.0 {
            Mode::Gcm => ConnectionTrafficSecrets::Sm4Gcm { key, iv },
            Mode::Ccm => ConnectionTrafficSecrets::Sm4Ccm { key, iv },
        })
    }
}

struct Protected {
    aead: Aead,
    iv: Iv,
}

impl RecordEncrypter for Protected {
    fn encrypt<'a>(
        &mut self,
        record: Record<OutboundPlain<'_>>,
        sequence: u64,
        out: &'a mut [u8],
    ) -> Result<Record<&'a [u8]>, Error> {
        let length = self.encrypted_payload_len(record.payload.len());
        let mut payload = EncryptBuffer::new(out, length)?;
        payload.extend_from_chunks(&record.payload);
        payload.extend_from_slice(&[u8::from(record.typ)]);
        let nonce = Nonce::new(&self.iv, sequence).to_array()?;
        // The version is TLS 1.2's, for those between (RFC 8446, clause 5.2).
        let kind = ContentType::ApplicationData;
        let header = make_tls13_aad(kind, ProtocolVersion::TLSv1_2, length);
        let tag = self
            .aead
            .seal(&nonce, &header, payload.as_mut())
            .map_err(|_| Error::EncryptError)?;
        payload.extend_from_slice(&tag);
        Ok(Record::new(kind, record.version, payload.into_written()))
    }

    /// With the byte of the type.
    fn encrypted_payload_len(&self, length: usize) -> usize {
        length + 1 + TAG_LEN
    }
}

impl RecordDecrypter for Protected {
    fn decrypt<'a>(
        &mut self,
        mut record: Record<InboundOpaque<'a>>,
        sequence: u64,
    ) -> Result<Record<&'a [u8]>, Error> {
        let nonce = Nonce::new(&self.iv, sequence).to_array()?;
        let kind = ContentType::ApplicationData;
        let header = make_tls13_aad(kind, ProtocolVersion::TLSv1_2, record.payload.len());
        let length = self
            .aead
            .open(&nonce, &header, &mut record.payload)
            .map_err(|_| Error::DecryptError)?;
        record.payload.truncate(length);
        record.into_tls13_unpadded_record()
    }
}
