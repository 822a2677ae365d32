//! The client's side of the handshake.

use std::sync::Arc;

use kuaimi::sm2::{PublicKey, Signature};
use kuaimi_pki::Certificate;
use kuaimi_pki::chain::PeerName;
use zeroize::Zeroizing;

use super::{Agreed, Summary, session, unexpected};
use crate::config::SignedTranscript;
use crate::connection::Core;
use crate::key_schedule::{self, MasterSecret};
use crate::message::certificate_request::{CertificateRequest, ECDSA_SIGN};
use crate::message::client_hello::ClientHello;
use crate::message::extensions::Extensions;
use crate::message::key_exchange::{self, ServerKeyExchange};
use crate::message::server_hello::ServerHello;
use crate::message::{Message, certificate, kind};
use crate::record::VERSION;
use crate::trust::Presented;
use crate::{CipherSuite, ClientConfig, Error, Identity, KeyExchange, Session};

pub(crate) struct Client {
    config: Arc<ClientConfig>,
    name: PeerName,
    step: Step,
    /// What was offered.
    suites: Vec<CipherSuite>,
    extensions: Extensions,
    session: Option<Session>,
    client_random: [u8; 32],
    // What the server answers.
    server_random: [u8; 32],
    session_id: Vec<u8>,
    suite: CipherSuite,
    alpn: Option<Vec<u8>>,
    peer: Vec<Certificate>,
    point: Option<PublicKey>,
    request: Option<CertificateRequest>,
    master: Option<MasterSecret>,
    resumed: bool,
}

/// Which message the server sends next.
enum Step {
    ServerHello,
    Certificate,
    ServerKeyExchange,
    CertificateRequest,
    ServerHelloDone,
    ChangeCipherSpec,
    Finished,
}

impl Step {
    const fn name(&self) -> &'static str {
        match self {
            Self::ServerHello => "ServerHello",
            Self::Certificate => "Certificate",
            Self::ServerKeyExchange => "ServerKeyExchange",
            Self::CertificateRequest => "CertificateRequest or ServerHelloDone",
            Self::ServerHelloDone => "ServerHelloDone",
            Self::ChangeCipherSpec => "ChangeCipherSpec",
            Self::Finished => "Finished",
        }
    }
}

impl Client {
    /// Sends ClientHello.
    pub(crate) fn start(
        config: Arc<ClientConfig>,
        name: PeerName,
        core: &mut Core,
    ) -> Result<Self, Error> {
        let suites: Vec<CipherSuite> = config.offered().collect();
        let Some(&suite) = suites.first() else {
            return Err(Error::Config(
                "the suites with ECDHE need a pair of certificates",
            ));
        };
        let mut client_random = [0; 32];
        crate::random(&mut client_random)?;
        let session = config
            .common
            .sessions
            .as_ref()
            .and_then(|store| store.get(name.to_string().as_bytes()))
            .filter(|session| session.is_usable(&config.context(), config.common.now()))
            .filter(|session| suites.contains(&session.0.suite));
        let extensions = Extensions {
            server_name: match &name {
                PeerName::Dns(host) if config.send_server_name => Some(host.clone()),
                _ => None,
            },
            alpn: Some(config.common.alpn.clone()).filter(|protocols| !protocols.is_empty()),
            ..Extensions::default()
        };
        let hello = ClientHello {
            version: VERSION,
            random: client_random,
            session_id: session
                .as_ref()
                .map_or_else(Vec::new, |session| session.0.id.clone()),
            suites: suites.iter().map(|suite| suite.number()).collect(),
            extensions: extensions.clone(),
        };
        core.send_message(&hello.encode())?;
        Ok(Self {
            config,
            name,
            step: Step::ServerHello,
            suites,
            extensions,
            session,
            client_random,
            server_random: [0; 32],
            session_id: Vec::new(),
            suite,
            alpn: None,
            peer: Vec::new(),
            point: None,
            request: None,
            master: None,
            resumed: false,
        })
    }

    pub(crate) fn message(
        &mut self,
        core: &mut Core,
        message: &Message<'_>,
    ) -> Result<Option<Summary>, Error> {
        self.step = match (&self.step, message.kind) {
            (Step::ServerHello, kind::SERVER_HELLO) => self.server_hello(message.body)?,
            (Step::Certificate, kind::CERTIFICATE) => self.certificate(message.body)?,
            (Step::ServerKeyExchange, kind::SERVER_KEY_EXCHANGE) => {
                self.server_key_exchange(message.body)?
            }
            (Step::CertificateRequest, kind::CERTIFICATE_REQUEST) => {
                self.request = Some(CertificateRequest::read(message.body)?);
                Step::ServerHelloDone
            }
            (Step::CertificateRequest | Step::ServerHelloDone, kind::SERVER_HELLO_DONE) => {
                if !message.body.is_empty() {
                    return Err(Error::Decode("ServerHelloDone"));
                }
                core.transcript.add(message.whole);
                self.answer(core)?;
                self.step = Step::ChangeCipherSpec;
                return Ok(None);
            }
            (Step::Finished, kind::FINISHED) => return self.finished(core, message).map(Some),
            (step, found) => return Err(unexpected(step.name(), found)),
        };
        core.transcript.add(message.whole);
        Ok(None)
    }

    fn server_hello(&mut self, body: &[u8]) -> Result<Step, Error> {
        let hello = ServerHello::read(body)?;
        if hello.version != VERSION {
            return Err(Error::ProtocolVersion(hello.version));
        }
        self.suite = CipherSuite::from_number(hello.suite)
            .filter(|suite| self.suites.contains(suite))
            .ok_or(Error::IllegalParameter(
                "a cipher suite that was not offered",
            ))?;
        self.check_extensions(&hello.extensions)?;
        self.server_random = hello.random;
        self.session_id = hello.session_id;
        match &self.session {
            Some(session) if session.0.id == self.session_id => {
                if session.0.suite != self.suite {
                    return Err(Error::IllegalParameter("another suite than the session's"));
                }
                self.master = Some(session.0.master.clone());
                self.peer = session.0.peer.clone();
                self.resumed = true;
                Ok(Step::ChangeCipherSpec)
            }
            _ => Ok(Step::Certificate),
        }
    }

    /// The server answers what was offered, and nothing else.
    fn check_extensions(&mut self, found: &Extensions) -> Result<(), Error> {
        use crate::message::extensions::{ALPN, SERVER_NAME};
        for &number in &found.numbers {
            let offered = match number {
                SERVER_NAME => self.extensions.server_name.is_some(),
                ALPN => self.extensions.alpn.is_some(),
                _ => false,
            };
            if !offered {
                return Err(Error::UnsupportedExtension(number));
            }
        }
        let Some(protocols) = &found.alpn else {
            return Ok(());
        };
        match (&protocols[..], &self.extensions.alpn) {
            ([one], Some(offered)) if offered.contains(one) => self.alpn = Some(one.clone()),
            _ => {
                return Err(Error::IllegalParameter(
                    "a protocol of ALPN that was not offered",
                ));
            }
        }
        Ok(())
    }

    fn certificate(&mut self, body: &[u8]) -> Result<Step, Error> {
        self.peer = certificate::read(body)?;
        if self.peer.len() < 2 {
            return Err(Error::NoCertificate);
        }
        let presented = Presented {
            certificates: &self.peer,
            server_name: Some(&self.name),
            now: self.config.common.now(),
        };
        self.config
            .trust
            .verify(&presented, self.suite.key_exchange())?;
        Ok(Step::ServerKeyExchange)
    }

    fn server_key_exchange(&mut self, body: &[u8]) -> Result<Step, Error> {
        let has_point = self.suite.key_exchange() == KeyExchange::Ecdhe;
        let exchange = ServerKeyExchange::read(body, has_point)?;
        let [signing, encrypting, ..] = &self.peer[..] else {
            return Err(Error::NoCertificate);
        };
        let (client, server) = (&self.client_random, &self.server_random);
        let signed = match &exchange.point {
            None => key_exchange::signed_ecc(client, server, encrypting.as_der()),
            Some(point) => key_exchange::signed_ecdhe(client, server, point),
        };
        let key = signing
            .public_key()
            .sm2()
            .map_err(|_| Error::UnsupportedCertificate)?;
        key.verify(&signed, &exchange.signature)
            .map_err(|_| Error::Signature("ServerKeyExchange"))?;
        self.point = exchange.point;
        Ok(Step::CertificateRequest)
    }

    /// Everything from Certificate to Finished.
    fn answer(&mut self, core: &mut Core) -> Result<(), Error> {
        let identity = self.config.identity.clone();
        let identity = match &self.request {
            None => None,
            Some(request) => {
                // Without a pair of this type, an empty list says so.
                let identity = identity.filter(|_| request.types.contains(&ECDSA_SIGN));
                let mut certificates = identity
                    .as_ref()
                    .map_or_else(Vec::new, |own| own.certificates().to_vec());
                if self.config.signing_certificate_alone
                    && self.suite.key_exchange() == KeyExchange::Ecc
                    && certificates.len() > 1
                {
                    certificates.remove(1);
                }
                core.send_message(&certificate::encode_all(&certificates))?;
                identity
            }
        };
        let premaster = self.client_key_exchange(core, identity.as_ref())?;
        let master =
            key_schedule::master_secret(&premaster, &self.client_random, &self.server_random);
        self.master = Some(master);
        if let Some(identity) = &identity {
            let signature = self.certificate_verify(core, identity)?;
            core.send_message(&key_exchange::encode_verify(&signature))?;
        }
        self.agreed()?.send_finished(core, true)
    }

    fn client_key_exchange(
        &self,
        core: &mut Core,
        identity: Option<&Identity>,
    ) -> Result<Zeroizing<[u8; 48]>, Error> {
        let encrypting = self.peer.get(1).ok_or(Error::NoCertificate)?;
        let key = encrypting
            .public_key()
            .sm2()
            .map_err(|_| Error::UnsupportedCertificate)?;
        let key = key.public_key();
        let Some(point) = &self.point else {
            // 6.4.5.8: the client's version, and 46 random bytes.
            let mut premaster = Zeroizing::new([0; 48]);
            crate::random(premaster.as_mut())?;
            premaster[..2].copy_from_slice(&VERSION.to_be_bytes());
            let ciphertext = key
                .encrypt(premaster.as_ref())
                .map_err(|_| Error::KeyExchange)?;
            core.send_message(&key_exchange::encode_encrypted(&ciphertext.to_der()))?;
            return Ok(premaster);
        };
        // 6.4.5.4: with ECDHE the server asks for the client's certificates.
        let Some(identity) = identity else {
            return Err(unexpected("CertificateRequest", kind::SERVER_HELLO_DONE));
        };
        let (own, premaster) = identity
            .encryption()
            .answer_exchange(key, point)
            .map_err(|_| Error::KeyExchange)?;
        let with_length = self.config.parameters_with_length;
        core.send_message(&key_exchange::encode_point(&own, with_length))?;
        Ok(premaster)
    }

    /// The signature of the messages so far (6.4.5.9).
    fn certificate_verify(&self, core: &Core, identity: &Identity) -> Result<Signature, Error> {
        let signer = identity.signer();
        let mut hash = kuaimi::sm2::VerifyingKey::new(*signer.public_key()).message_hash();
        match (
            self.config.common.signed_transcript,
            core.transcript.messages(),
        ) {
            (SignedTranscript::Messages, Some(messages)) => hash.update(messages),
            _ => hash.update(&core.transcript.digest()),
        }
        signer
            .sign_digest(&hash.finalize())
            .map_err(Error::PrivateKey)
    }

    fn agreed(&self) -> Result<Agreed<'_>, Error> {
        Ok(Agreed {
            suite: self.suite,
            client_random: &self.client_random,
            server_random: &self.server_random,
            master: self.master.as_ref().ok_or(Error::KeyExchange)?,
        })
    }

    pub(crate) fn waits_for_change(&self) -> bool {
        matches!(self.step, Step::ChangeCipherSpec)
    }

    pub(crate) fn change_cipher_spec(&mut self, core: &mut Core) -> Result<(), Error> {
        if !matches!(self.step, Step::ChangeCipherSpec) {
            return Err(Error::UnexpectedMessage(
                self.step.name(),
                "ChangeCipherSpec",
            ));
        }
        let [_, server] = self.agreed()?.directions();
        core.protect_reading(server);
        self.step = Step::Finished;
        Ok(())
    }

    fn finished(&mut self, core: &mut Core, message: &Message<'_>) -> Result<Summary, Error> {
        let agreed = self.agreed()?;
        agreed.check_finished(core, false, message)?;
        if self.resumed {
            agreed.send_finished(core, true)?;
        }
        let mut kept = None;
        if let Some(store) = &self.config.common.sessions
            && !self.session_id.is_empty()
        {
            let key = self.name.to_string().into_bytes();
            if !self.resumed {
                let context = self.config.context();
                let common = &self.config.common;
                let session = session(common, &agreed, &self.session_id, &self.peer, None, context);
                store.put(&key, session);
            }
            kept = Some((Arc::clone(store), key));
        }
        Ok(Summary {
            suite: Some(self.suite),
            alpn: self.alpn.clone(),
            server_name: None,
            peer: core::mem::take(&mut self.peer),
            resumed: self.resumed,
            kept,
        })
    }

    pub(crate) fn forget_session(&self) {
        if let (Some(store), Some(_)) = (&self.config.common.sessions, &self.session) {
            store.remove(self.name.to_string().as_bytes());
        }
    }
}
