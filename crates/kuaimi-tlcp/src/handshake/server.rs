//! The server's side of the handshake.

use std::sync::Arc;

use kuaimi::sm2::{Ciphertext, VerifyingKey};
use kuaimi_pki::Certificate;
use zeroize::Zeroizing;

use super::{Agreed, Summary, session, unexpected};
use crate::config::SignedTranscript;
use crate::connection::Core;
use crate::key_schedule::{self, MasterSecret};
use crate::message::certificate_request::{CertificateRequest, ECDSA_SIGN};
use crate::message::client_hello::{ClientHello, RENEGOTIATION_SCSV};
use crate::message::extensions::Extensions;
use crate::message::key_exchange::{self, ServerKeyExchange};
use crate::message::server_hello::ServerHello;
use crate::message::{Message, certificate, encode, kind};
use crate::record::VERSION;
use crate::trust::Presented;
use crate::{
    CipherSuite, ClientAuth, Error, Identity, KeyExchange, PendingExchange, ServerConfig, Session,
};

pub(crate) struct Server {
    config: Arc<ServerConfig>,
    step: Step,
    client_random: [u8; 32],
    server_random: [u8; 32],
    version: [u8; 2],
    session_id: Vec<u8>,
    suite: CipherSuite,
    alpn: Option<Vec<u8>>,
    server_name: Option<String>,
    pending: Option<Box<dyn PendingExchange>>,
    peer: Vec<Certificate>,
    master: Option<MasterSecret>,
    resumed: bool,
}

/// Which message the client sends next.
enum Step {
    ClientHello,
    Certificate,
    ClientKeyExchange,
    CertificateVerify,
    ChangeCipherSpec,
    Finished,
}

impl Step {
    const fn name(&self) -> &'static str {
        match self {
            Self::ClientHello => "ClientHello",
            Self::Certificate => "Certificate",
            Self::ClientKeyExchange => "ClientKeyExchange",
            Self::CertificateVerify => "CertificateVerify",
            Self::ChangeCipherSpec => "ChangeCipherSpec",
            Self::Finished => "Finished",
        }
    }
}

impl Server {
    pub(crate) fn new(config: Arc<ServerConfig>) -> Self {
        Self {
            config,
            step: Step::ClientHello,
            client_random: [0; 32],
            server_random: [0; 32],
            version: [0; 2],
            session_id: Vec::new(),
            suite: CipherSuite::EccSm4GcmSm3,
            alpn: None,
            server_name: None,
            pending: None,
            peer: Vec::new(),
            master: None,
            resumed: false,
        }
    }

    pub(crate) fn message(
        &mut self,
        core: &mut Core,
        message: &Message<'_>,
    ) -> Result<Option<Summary>, Error> {
        self.step = match (&self.step, message.kind) {
            (Step::ClientHello, kind::CLIENT_HELLO) => {
                core.transcript.add(message.whole);
                self.step = self.client_hello(core, message.body)?;
                return Ok(None);
            }
            (Step::Certificate, kind::CERTIFICATE) => self.certificate(message.body)?,
            (Step::ClientKeyExchange, kind::CLIENT_KEY_EXCHANGE) => {
                self.client_key_exchange(message.body)?
            }
            (Step::CertificateVerify, kind::CERTIFICATE_VERIFY) => {
                self.certificate_verify(core, message.body)?
            }
            (Step::Finished, kind::FINISHED) => return self.finished(core, message).map(Some),
            (step, found) => return Err(unexpected(step.name(), found)),
        };
        core.transcript.add(message.whole);
        Ok(None)
    }

    fn client_hello(&mut self, core: &mut Core, body: &[u8]) -> Result<Step, Error> {
        let hello = ClientHello::read(body)?;
        // A client of a later 1.x is answered with the version that there is.
        if hello.version >> 8 != VERSION >> 8 || hello.version < VERSION {
            return Err(Error::ProtocolVersion(hello.version));
        }
        self.version = hello.version.to_be_bytes();
        self.client_random = hello.random;
        crate::random(&mut self.server_random)?;
        self.server_name = hello.extensions.server_name.clone();
        self.choose_protocol(&hello.extensions)?;
        let session = self.session(&hello);
        let suite = match &session {
            Some(session) => Some(session.0.suite),
            None => self.choose_suite(&hello),
        };
        self.suite = suite.ok_or(Error::NoCommonSuite)?;
        self.session_id = match &session {
            Some(session) => session.0.id.clone(),
            None => self.new_session_id()?,
        };
        let extensions = Extensions {
            server_name: self.server_name.as_ref().map(|_| String::new()),
            alpn: self.alpn.clone().map(|protocol| vec![protocol]),
            renegotiation_info: hello.extensions.renegotiation_info
                || hello.suites.contains(&RENEGOTIATION_SCSV),
            ..Extensions::default()
        };
        let answer = ServerHello {
            version: VERSION,
            random: self.server_random,
            session_id: self.session_id.clone(),
            suite: self.suite.number(),
            extensions,
        };
        core.send_message(&answer.encode())?;
        match session {
            Some(session) => {
                self.master = Some(session.0.master.clone());
                self.peer = session.0.peer.clone();
                self.resumed = true;
                self.agreed()?.send_finished(core, false)?;
                Ok(Step::ChangeCipherSpec)
            }
            None => self.answer(core),
        }
    }

    /// A session that the client wants to resume, and that fits what it offers now.
    fn session(&self, hello: &ClientHello) -> Option<Session> {
        if hello.session_id.is_empty() {
            return None;
        }
        let common = &self.config.common;
        let session = common.sessions.as_ref()?.get(&hello.session_id)?;
        let state = &session.0;
        let name = self.server_name.as_deref();
        let fits = session.is_usable(&self.config.context(name), common.now())
            && state.id == hello.session_id
            && common.suites.contains(&state.suite)
            && hello.suites.contains(&state.suite.number())
            && state.server_name.as_deref() == name
            && match &self.config.client_auth {
                ClientAuth::None => state.peer.is_empty(),
                ClientAuth::Optional(_) => true,
                ClientAuth::Required(_) => !state.peer.is_empty(),
            };
        fits.then_some(session)
    }

    fn choose_suite(&self, hello: &ClientHello) -> Option<CipherSuite> {
        let asks = self.config.client_auth.trust().is_some();
        let mut suites = self.config.common.suites.iter().copied();
        suites.find(|suite| {
            hello.suites.contains(&suite.number())
                && (asks || suite.key_exchange() == KeyExchange::Ecc)
        })
    }

    fn choose_protocol(&mut self, offered: &Extensions) -> Result<(), Error> {
        let own = &self.config.common.alpn;
        let Some(offered) = offered.alpn.as_ref().filter(|_| !own.is_empty()) else {
            return Ok(());
        };
        let chosen = own.iter().find(|protocol| offered.contains(protocol));
        self.alpn = Some(chosen.ok_or(Error::NoApplicationProtocol)?.clone());
        Ok(())
    }

    fn new_session_id(&self) -> Result<Vec<u8>, Error> {
        if self.config.common.sessions.is_none() {
            return Ok(Vec::new());
        }
        let mut id = [0; 32];
        crate::random(&mut id)?;
        Ok(id.to_vec())
    }

    fn identity(&self) -> &Identity {
        self.config.identity(self.server_name.as_deref())
    }

    /// Everything from Certificate to ServerHelloDone.
    fn answer(&mut self, core: &mut Core) -> Result<Step, Error> {
        core.send_message(&certificate::encode_all(self.identity().certificates()))?;
        let exchange = self.server_key_exchange()?;
        core.send_message(&exchange.encode())?;
        let step = match self.config.client_auth.trust() {
            Some(trust) => {
                let request = CertificateRequest {
                    types: vec![ECDSA_SIGN],
                    authorities: trust.authorities().to_vec(),
                };
                core.send_message(&request.encode())?;
                Step::Certificate
            }
            None => Step::ClientKeyExchange,
        };
        core.send_message(&encode(kind::SERVER_HELLO_DONE, |_| {}))?;
        Ok(step)
    }

    /// 6.4.5.4.
    fn server_key_exchange(&mut self) -> Result<ServerKeyExchange, Error> {
        let identity = self.identity().clone();
        let (client, server) = (&self.client_random, &self.server_random);
        let (point, signed) = match self.suite.key_exchange() {
            KeyExchange::Ecc => {
                let certificate = identity.encrypting_certificate().as_der();
                (None, key_exchange::signed_ecc(client, server, certificate))
            }
            KeyExchange::Ecdhe => {
                let begun = identity.encryption().begin_exchange();
                let (point, pending) = begun.map_err(Error::PrivateKey)?;
                let signed = key_exchange::signed_ecdhe(client, server, &point);
                self.pending = Some(pending);
                (Some(point), signed)
            }
        };
        let signer = identity.signer();
        let mut hash = VerifyingKey::new(*signer.public_key()).message_hash();
        hash.update(&signed);
        let signature = signer
            .sign_digest(&hash.finalize())
            .map_err(Error::PrivateKey)?;
        Ok(ServerKeyExchange { point, signature })
    }

    fn certificate(&mut self, body: &[u8]) -> Result<Step, Error> {
        self.peer = certificate::read(body)?;
        let exchange = self.suite.key_exchange();
        if self.peer.is_empty() {
            let required = matches!(self.config.client_auth, ClientAuth::Required(_));
            if required || exchange == KeyExchange::Ecdhe {
                return Err(Error::NoCertificate);
            }
            return Ok(Step::ClientKeyExchange);
        }
        if let Some(trust) = self.config.client_auth.trust() {
            let presented = Presented {
                certificates: &self.peer,
                server_name: None,
                now: self.config.common.now(),
            };
            trust.verify(&presented, exchange)?;
        }
        Ok(Step::ClientKeyExchange)
    }

    /// 6.4.5.8.
    fn client_key_exchange(&mut self, body: &[u8]) -> Result<Step, Error> {
        let premaster = match self.pending.take() {
            None => self.decrypt(body)?,
            Some(pending) => {
                let point = key_exchange::read_point(body)?;
                let key = peer_key(&self.peer, 1)?;
                pending
                    .finish(key.public_key(), &point)
                    .map_err(|_| Error::KeyExchange)?
            }
        };
        let (client, server) = (&self.client_random, &self.server_random);
        self.master = Some(key_schedule::master_secret(&premaster, client, server));
        Ok(match self.peer.is_empty() {
            true => Step::ChangeCipherSpec,
            false => Step::CertificateVerify,
        })
    }

    /// The premaster secret, or random bytes for a ciphertext that is wrong in any way: then
    /// Finished is wrong, and nobody learns why (as RFC 5246, 7.4.7.1, against Bleichenbacher).
    fn decrypt(&self, body: &[u8]) -> Result<Zeroizing<[u8; 48]>, Error> {
        let mut premaster = Zeroizing::new([0; 48]);
        crate::random(premaster.as_mut())?;
        let ciphertext = key_exchange::read_encrypted(body)?;
        if let Ok(ciphertext) = Ciphertext::from_der(ciphertext) {
            let key = self.identity().encryption();
            key.decrypt_premaster(&ciphertext, self.version, &mut premaster)
                .map_err(Error::PrivateKey)?;
        }
        Ok(premaster)
    }

    /// 6.4.5.9.
    fn certificate_verify(&mut self, core: &Core, body: &[u8]) -> Result<Step, Error> {
        let signature = key_exchange::read_verify(body)?;
        let key = peer_key(&self.peer, 0)?;
        let signed = self.config.common.signed_transcript;
        let digest = || key.verify(&core.transcript.digest(), &signature).is_ok();
        let messages = || {
            let messages = core.transcript.messages();
            messages.is_some_and(|messages| key.verify(messages, &signature).is_ok())
        };
        let right = match signed {
            SignedTranscript::Digest => digest(),
            SignedTranscript::Messages => messages(),
            SignedTranscript::Either => digest() || messages(),
        };
        match right {
            true => Ok(Step::ChangeCipherSpec),
            false => Err(Error::Signature("CertificateVerify")),
        }
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
        let [client, _] = self.agreed()?.directions();
        core.protect_reading(client);
        self.step = Step::Finished;
        Ok(())
    }

    fn finished(&mut self, core: &mut Core, message: &Message<'_>) -> Result<Summary, Error> {
        let agreed = self.agreed()?;
        agreed.check_finished(core, true, message)?;
        if !self.resumed {
            agreed.send_finished(core, false)?;
        }
        let mut kept = None;
        if let Some(store) = &self.config.common.sessions {
            if !self.resumed {
                let name = self.server_name.as_deref();
                let context = self.config.context(name);
                let common = &self.config.common;
                let session = session(common, &agreed, &self.session_id, &self.peer, name, context);
                store.put(&self.session_id, session);
            }
            kept = Some((Arc::clone(store), self.session_id.clone()));
        }
        Ok(Summary {
            suite: Some(self.suite),
            alpn: self.alpn.take(),
            server_name: self.server_name.take(),
            peer: core::mem::take(&mut self.peer),
            resumed: self.resumed,
            kept,
        })
    }

    pub(crate) fn forget_session(&self) {
        if let (Some(store), true) = (&self.config.common.sessions, self.resumed) {
            store.remove(&self.session_id);
        }
    }
}

fn peer_key(peer: &[Certificate], place: usize) -> Result<&VerifyingKey, Error> {
    let certificate = peer.get(place).ok_or(Error::NoCertificate)?;
    certificate
        .public_key()
        .sm2()
        .map_err(|_| Error::UnsupportedCertificate)
}
