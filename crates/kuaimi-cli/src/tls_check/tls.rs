//! TLS 1.3 with ShangMi, and ordinary TLS, by rustls.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use kuaimi::encoding::read_public_key;
use kuaimi::sm2::{DEFAULT_ID, Signature, VerifyingKey};
use kuaimi_pki::Certificate;
use kuaimi_pki::chain::PeerName;
use kuaimi_rustls::{
    CURVE_SM2, CURVE_SM2_MLKEM768, SM2SIG_SM3, TLS_SM4_CCM_SM3, TLS_SM4_GCM_SM3, in_front_of,
};
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{
    CryptoProvider, SupportedKxGroup, WebPkiSupportedAlgorithms, ring, verify_tls12_signature,
    verify_tls13_signature,
};
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{
    CertificateError, ClientConfig, ClientConnection, DigitallySignedStruct, Error,
    SignatureScheme, SupportedCipherSuite, SupportedProtocolVersion,
};

use super::socket::{Target, words};
use super::{Outcome, Probe, Seen};
use crate::failure::{Failure, Result};

/// What is offered in one connection.
struct Offer {
    protocol: &'static str,
    what: &'static str,
    version: &'static SupportedProtocolVersion,
    suites: Vec<SupportedCipherSuite>,
    groups: Vec<&'static dyn SupportedKxGroup>,
}

/// What TLS 1.3 with ShangMi showed, and then what ordinary TLS did.
pub fn probe(target: &Target, name: &PeerName) -> Result<[Seen; 2]> {
    let server = ServerName::try_from(name.to_string())
        .map_err(|error| Failure::usage(format!("--name: {error}")))?;
    let ordinary = ring::default_provider();
    let both = in_front_of(ordinary.clone());
    let rfc_8998 = "TLS 1.3 (RFC 8998)";
    let offer = |what, suites: &[SupportedCipherSuite], groups: Vec<_>| Offer {
        protocol: rfc_8998,
        what,
        version: &rustls::version::TLS13,
        suites: suites.to_vec(),
        groups,
    };
    let all = [TLS_SM4_GCM_SM3, TLS_SM4_CCM_SM3];
    let shangmi = [
        offer("TLS_SM4_GCM_SM3", &all[..1], both.kx_groups.clone()),
        offer("TLS_SM4_CCM_SM3", &all[1..], both.kx_groups.clone()),
        offer("curveSM2", &all, vec![CURVE_SM2]),
        offer("curveSM2MLKEM768", &all, vec![CURVE_SM2_MLKEM768]),
    ];
    let plain = |protocol, version| Offer {
        protocol,
        what: "",
        version,
        suites: ordinary.cipher_suites.clone(),
        groups: ordinary.kx_groups.clone(),
    };
    let others = [
        plain("TLS 1.3", &rustls::version::TLS13),
        plain("TLS 1.2", &rustls::version::TLS12),
    ];
    let mut seen = [Seen::default(), Seen::default()];
    for offer in &shangmi {
        one(target, &server, offer, &both, &mut seen[0]);
    }
    for offer in &others {
        one(target, &server, offer, &ordinary, &mut seen[1]);
    }
    Ok(seen)
}

fn one(
    target: &Target,
    server: &ServerName<'static>,
    offer: &Offer,
    provider: &CryptoProvider,
    seen: &mut Seen,
) {
    let capture = Arc::new(Capture {
        algorithms: provider.signature_verification_algorithms,
        seen: Mutex::default(),
    });
    let outcome = match connect(target, server, offer, provider, &capture) {
        Ok(connection) => Outcome::Spoken(agreed(&connection, &capture)),
        Err(what) => Outcome::Not(what),
    };
    let mut captured = capture.seen();
    seen.keep(core::mem::take(&mut captured.certificates));
    if let Some(what) = captured.wrong {
        seen.problem(format!("{}: {what}", offer.protocol));
    }
    seen.probes.push(Probe {
        protocol: offer.protocol,
        what: offer.what.to_owned(),
        outcome,
    });
}

/// What both sides chose, beyond what was the only offer.
fn agreed(connection: &ClientConnection, capture: &Capture) -> String {
    let mut words = Vec::new();
    if let Some(suite) = connection.negotiated_cipher_suite() {
        words.push(match u16::from(suite.suite()) {
            0x00c6 => "TLS_SM4_GCM_SM3".to_owned(),
            0x00c7 => "TLS_SM4_CCM_SM3".to_owned(),
            _ => format!("{:?}", suite.suite()).replace("TLS13_", "TLS_"),
        });
    }
    if let Some(group) = connection.negotiated_key_exchange_group() {
        words.push(match u16::from(group.name()) {
            0x0029 => "curveSM2".to_owned(),
            4590 => "curveSM2MLKEM768".to_owned(),
            _ => format!("{:?}", group.name()),
        });
    }
    if let Some(scheme) = capture.seen().scheme {
        words.push(match scheme == SM2SIG_SM3 {
            true => "sm2sig_sm3".to_owned(),
            false => format!("{scheme:?}"),
        });
    }
    words.join(", ")
}

fn connect(
    target: &Target,
    server: &ServerName<'static>,
    offer: &Offer,
    provider: &CryptoProvider,
    capture: &Arc<Capture>,
) -> Result<ClientConnection, String> {
    let provider = CryptoProvider {
        cipher_suites: offer.suites.clone(),
        kx_groups: offer.groups.clone(),
        ..provider.clone()
    };
    let verifier = Arc::clone(capture) as Arc<dyn ServerCertVerifier>;
    let config = ClientConfig::builder_with_provider(Arc::new(provider))
        .with_protocol_versions(&[offer.version])
        .map_err(|error| error.to_string())?
        .dangerous()
        .with_custom_certificate_verifier(verifier)
        .with_no_client_auth();
    let mut connection = ClientConnection::new(Arc::new(config), server.clone())
        .map_err(|error| error.to_string())?;
    let mut socket = target.connect().map_err(|error| words(&error))?;
    while connection.is_handshaking() {
        connection.complete_io(&mut socket).map_err(|error| {
            let inner = error
                .get_ref()
                .and_then(|inner| inner.downcast_ref::<Error>());
            inner.map_or_else(|| words(&error), said)
        })?;
    }
    connection.send_close_notify();
    // It is done; a server that is gone is no matter.
    let _gone = connection.complete_io(&mut socket);
    Ok(connection)
}

/// An error of rustls in fewer words.
fn said(error: &Error) -> String {
    match error {
        Error::AlertReceived(alert) => {
            let mut name = String::new();
            for letter in format!("{alert:?}").chars() {
                if letter.is_uppercase() && !name.is_empty() {
                    name.push('_');
                }
                name.extend(letter.to_lowercase());
            }
            format!("the server sent the alert {name}")
        }
        Error::InvalidMessage(_) => "the server does not speak TLS".to_owned(),
        error => error.to_string(),
    }
}

/// Takes what the server shows, and accepts it: what is wrong with it is said later.
#[derive(Debug)]
struct Capture {
    algorithms: WebPkiSupportedAlgorithms,
    seen: Mutex<Captured>,
}

#[derive(Debug, Default)]
struct Captured {
    certificates: Vec<Certificate>,
    scheme: Option<SignatureScheme>,
    wrong: Option<&'static str>,
}

impl Capture {
    fn seen(&self) -> MutexGuard<'_, Captured> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What is wrong with a signature of a handshake under SM2.
    fn wrong_sm2(
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Option<&'static str> {
        let Ok((key, _)) = read_public_key(certificate) else {
            return Some("the signature of the handshake is SM2's, and the certificate is not");
        };
        let Ok(signature) = Signature::from_der(signed.signature()) else {
            return Some("the signature of the handshake is malformed");
        };
        let fits = |id: &[u8]| {
            let key = VerifyingKey::with_id(key, id);
            key.is_ok_and(|key| key.verify(message, &signature).is_ok())
        };
        if fits(b"TLSv1.3+GM+Cipher+Suite") {
            None
        } else if fits(DEFAULT_ID) {
            Some(
                "the signature of the handshake was made under the identity of certificates \
                 (1234567812345678) and not under TLSv1.3+GM+Cipher+Suite",
            )
        } else {
            Some("the signature of the handshake does not fit the certificate's key")
        }
    }
}

impl ServerCertVerifier for Capture {
    fn verify_server_cert(
        &self,
        end: &CertificateDer<'_>,
        others: &[CertificateDer<'_>],
        _: &ServerName<'_>,
        _: &[u8],
        _: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        let mut all = Vec::new();
        for der in core::iter::once(end).chain(others) {
            let read = Certificate::from_der(der);
            all.push(read.map_err(|_| CertificateError::BadEncoding)?);
        }
        self.seen().certificates = all;
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.seen().scheme = Some(signed.scheme);
        verify_tls12_signature(message, certificate, signed, &self.algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.seen().scheme = Some(signed.scheme);
        if signed.scheme != SM2SIG_SM3 {
            return verify_tls13_signature(message, certificate, signed, &self.algorithms);
        }
        match Self::wrong_sm2(message, certificate, signed) {
            None => Ok(HandshakeSignatureValid::assertion()),
            Some(what) => {
                self.seen().wrong = Some(what);
                Err(CertificateError::BadSignature.into())
            }
        }
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.algorithms.supported_schemes()
    }
}
