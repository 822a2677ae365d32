//! A server's configuration.

use std::collections::HashMap;
use std::sync::Arc;

use kuaimi::sm3::Sm3;

use super::{Common, SignedTranscript, common_options};
use crate::{CipherSuite, Error, Identity, SessionStore, Trust};

/// Whether a server asks clients for their certificates.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub enum ClientAuth {
    /// It does not. The suites with ECDHE are not chosen, as they need them.
    #[default]
    None,
    /// It does, and clients without certificates are accepted with ECC.
    Optional(Trust),
    /// It does, and clients without certificates are refused.
    Required(Trust),
}

impl ClientAuth {
    pub(crate) fn trust(&self) -> Option<&Trust> {
        match self {
            Self::None => None,
            Self::Optional(trust) | Self::Required(trust) => Some(trust),
        }
    }
}

/// What the connections of a server have in common.
///
/// ```
/// use kuaimi_tlcp::{ClientAuth, Identity, ServerConfig, Trust};
///
/// fn config(identity: Identity, clients: Trust) -> ServerConfig {
///     ServerConfig::new(identity).client_auth(ClientAuth::Required(clients))
/// }
/// ```
#[derive(Clone, Debug)]
pub struct ServerConfig {
    pub(crate) common: Common,
    identity: Identity,
    names: HashMap<String, Identity>,
    pub(crate) client_auth: ClientAuth,
}

impl ServerConfig {
    /// A server with this pair, which asks for no certificates and takes all suites.
    pub fn new(identity: Identity) -> Self {
        Self {
            common: Common::new(),
            identity,
            names: HashMap::new(),
            client_auth: ClientAuth::None,
        }
    }

    common_options!();

    /// Whether clients are asked for certificates.
    #[must_use]
    pub fn client_auth(mut self, auth: ClientAuth) -> Self {
        self.client_auth = auth;
        self
    }

    /// Another pair for clients that ask for the host `name` (SNI).
    #[must_use]
    pub fn identity_for(mut self, name: &str, identity: Identity) -> Self {
        self.names.insert(name.to_ascii_lowercase(), identity);
        self
    }

    /// The pair for a client that asks for `name`: the first one where there is no other.
    pub(crate) fn identity(&self, name: Option<&str>) -> &Identity {
        name.and_then(|name| self.names.get(name))
            .unwrap_or(&self.identity)
    }

    /// What a session belongs to: who the server is, and which clients it trusts.
    pub(crate) fn context(&self, name: Option<&str>) -> [u8; 32] {
        let mut hash = Sm3::new();
        hash.update(b"server");
        hash.update(match self.client_auth.trust() {
            None => &[0; 32],
            Some(trust) => trust.digest(),
        });
        hash.update(self.identity(name).signing_certificate().as_der());
        hash.finalize()
    }
}
