//! A client's configuration.

use std::sync::Arc;

use kuaimi::sm3::Sm3;

use super::{Common, SignedTranscript, common_options};
use crate::{CipherSuite, Error, Identity, KeyExchange, SessionStore, Trust};

/// What the connections of a client have in common.
///
/// ```
/// use kuaimi_tlcp::{ClientConfig, Trust};
///
/// fn config(trust: Trust) -> Result<ClientConfig, kuaimi_tlcp::Error> {
///     ClientConfig::new(trust).alpn(&["h2", "http/1.1"])
/// }
/// ```
#[derive(Clone, Debug)]
pub struct ClientConfig {
    pub(crate) common: Common,
    pub(crate) trust: Trust,
    pub(crate) identity: Option<Identity>,
    pub(crate) parameters_with_length: bool,
    pub(crate) signing_certificate_alone: bool,
    pub(crate) send_server_name: bool,
}

impl ClientConfig {
    /// A client that trusts these authorities, has no certificates, and takes all suites.
    pub fn new(trust: Trust) -> Self {
        Self {
            common: Common::new(),
            trust,
            identity: None,
            parameters_with_length: false,
            signing_certificate_alone: false,
            send_server_name: true,
        }
    }

    common_options!();

    /// The client's own pair, for servers that ask for it. Without one, the suites with ECDHE are
    /// not offered, as they need it.
    #[must_use]
    pub fn identity(mut self, identity: Identity) -> Self {
        self.identity = Some(identity);
        self
    }

    /// Whether the length of the parameters of ECDHE is sent before them, as some servers expect.
    #[must_use]
    pub fn parameters_with_length(mut self, with: bool) -> Self {
        self.parameters_with_length = with;
        self
    }

    /// Whether the encrypting certificate is left out with ECC, where it takes no part: GmSSL's
    /// servers refuse it there.
    #[must_use]
    pub fn signing_certificate_alone(mut self, alone: bool) -> Self {
        self.signing_certificate_alone = alone;
        self
    }

    /// Whether the server's name is sent (SNI), if it is that of a host. It is if this is not
    /// called; some old servers refuse every extension.
    #[must_use]
    pub fn send_server_name(mut self, send: bool) -> Self {
        self.send_server_name = send;
        self
    }

    /// The suites that can be offered.
    pub(crate) fn offered(&self) -> impl Iterator<Item = CipherSuite> + '_ {
        let has_pair = self.identity.is_some();
        let suites = self.common.suites.iter().copied();
        suites.filter(move |suite| has_pair || suite.key_exchange() == KeyExchange::Ecc)
    }

    /// What a session belongs to: whom the client trusts, and who it is.
    pub(crate) fn context(&self) -> [u8; 32] {
        let mut hash = Sm3::new();
        hash.update(b"client");
        hash.update(self.trust.digest());
        if let Some(identity) = &self.identity {
            hash.update(identity.signing_certificate().as_der());
        }
        hash.finalize()
    }
}
