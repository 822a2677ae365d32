//! What the connections of a client or of a server have in common.

use std::sync::Arc;

use kuaimi::sm2::SigningKey;
use kuaimi_pki::Certificate;
use kuaimi_pki::chain::Revocation;
use kuaimi_pki::crl::Crl;
use kuaimi_pki::public_key::Identities;
use kuaimi_tlcp::{
    CipherSuite, ClientAuth, ClientConfig, Identity, ServerConfig, SessionCache, SessionStore,
    Trust,
};

use super::failure;
use crate::error::{Error, kuaimi_error};
use crate::handle::{free, objects};
use crate::pki::{
    accepted, found, kuaimi_certificate, kuaimi_identities, kuaimi_revocation, revocation_of, utf8,
};
use crate::sm2::kuaimi_sm2_private_key;
use crate::state::State;

/// What the connections of a client or of a server have in common: whom they trust, the own pair of
/// certificates, the suites. What is set here is for connections that are made later. Threads may
/// share it.
pub struct kuaimi_tlcp_config {
    _opaque: [u8; 0],
}
objects!(kuaimi_tlcp_config: State<Settings>);

options! {
    /// A cipher suite of TLCP (GB/T 38636-2020, table 2), by its number in messages.
    pub enum kuaimi_tlcp_suite {
        /// SM2's key exchange, SM4 in CBC mode.
        KUAIMI_TLCP_ECDHE_SM4_CBC_SM3 = 0xe011,
        /// The client encrypts the secret for the server, SM4 in CBC mode.
        KUAIMI_TLCP_ECC_SM4_CBC_SM3 = 0xe013,
        /// SM2's key exchange, SM4 in GCM mode.
        KUAIMI_TLCP_ECDHE_SM4_GCM_SM3 = 0xe051,
        /// The client encrypts the secret for the server, SM4 in GCM mode.
        KUAIMI_TLCP_ECC_SM4_GCM_SM3 = 0xe053,
    }
}

options! {
    /// Whether a server asks clients for their certificates.
    pub enum kuaimi_tlcp_client_auth {
        /// It does not. Suites with ECDHE are not chosen, as they need the client's pair.
        KUAIMI_TLCP_CLIENT_NONE = 1,
        /// It does, and accepts clients without certificates.
        KUAIMI_TLCP_CLIENT_OPTIONAL = 2,
        /// It does, and refuses clients without certificates.
        KUAIMI_TLCP_CLIENT_REQUIRED = 3,
    }
}

/// What both kinds of configuration take under the same names.
macro_rules! common {
    ($settings:expr, $config:expr) => {{
        let store = $settings.sessions.clone();
        let config = $config
            .alpn(&$settings.protocols)?
            .suites(&$settings.suites)?
            .sessions(store.map(|store| store as Arc<dyn SessionStore>))
            .session_seconds($settings.session_seconds);
        match $settings.time {
            Some(time) => config.clock(move || time),
            None => config,
        }
    }};
}

pub(crate) struct Settings {
    anchors: Vec<Certificate>,
    lists: Vec<Crl>,
    revocation: Revocation,
    identities: Identities,
    dangerous_anyone: bool,
    pair: Option<Identity>,
    pairs_for: Vec<(String, Identity)>,
    client_auth: kuaimi_tlcp_client_auth,
    protocols: Vec<Vec<u8>>,
    suites: Vec<CipherSuite>,
    sessions: Option<Arc<SessionCache>>,
    session_seconds: u64,
    time: Option<u64>,
    client: Option<Arc<ClientConfig>>,
    server: Option<Arc<ServerConfig>>,
}

impl Settings {
    fn new() -> Self {
        Self {
            anchors: Vec::new(),
            lists: Vec::new(),
            revocation: Revocation::IfPresent,
            identities: Identities::default(),
            dangerous_anyone: false,
            pair: None,
            pairs_for: Vec::new(),
            client_auth: KUAIMI_TLCP_CLIENT_NONE,
            protocols: Vec::new(),
            suites: CipherSuite::ALL.to_vec(),
            sessions: Some(Arc::new(SessionCache::new(1024))),
            session_seconds: 2 * 3600,
            time: None,
            client: None,
            server: None,
        }
    }

    fn trust(&self) -> Result<Trust, kuaimi_tlcp::Error> {
        if self.dangerous_anyone {
            return Ok(Trust::dangerous_anyone());
        }
        Ok(Trust::new(&self.anchors)?
            .crls(&self.lists)
            .revocation(self.revocation)
            .identities(self.identities))
    }

    /// The configuration of clients, made when the first connection needs it.
    pub(super) fn client(&mut self) -> Result<Arc<ClientConfig>, kuaimi_tlcp::Error> {
        if let Some(made) = &self.client {
            return Ok(Arc::clone(made));
        }
        let mut config = ClientConfig::new(self.trust()?);
        if let Some(pair) = &self.pair {
            config = config.identity(pair.clone());
        }
        let config = common!(self, config);
        Ok(Arc::clone(self.client.insert(Arc::new(config))))
    }

    /// The configuration of servers, made when the first connection needs it.
    pub(super) fn server(&mut self) -> Result<Arc<ServerConfig>, kuaimi_tlcp::Error> {
        if let Some(made) = &self.server {
            return Ok(Arc::clone(made));
        }
        let none = kuaimi_tlcp::Error::Config("a server needs a pair of certificates");
        let pair = self.pair.clone().ok_or(none)?;
        let mut config = ServerConfig::new(pair).client_auth(match self.client_auth {
            KUAIMI_TLCP_CLIENT_OPTIONAL => ClientAuth::Optional(self.trust()?),
            KUAIMI_TLCP_CLIENT_REQUIRED => ClientAuth::Required(self.trust()?),
            _ => ClientAuth::None,
        });
        for (host, pair) in &self.pairs_for {
            config = config.identity_for(host, pair.clone());
        }
        let config = common!(self, config);
        Ok(Arc::clone(self.server.insert(Arc::new(config))))
    }
}

/// Changes the settings, of which the configurations then have to be made again.
fn change(config: &State<Settings>, change: impl FnOnce(&mut Settings)) -> Result<(), Error> {
    config.with(|settings| {
        (settings.client, settings.server) = (None, None);
        change(settings);
    })
}

/// A configuration that trusts nobody and has no certificates yet, at `*out`. Free it with
/// `kuaimi_tlcp_config_free`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_tlcp_config_new(out: *mut *mut kuaimi_tlcp_config) -> kuaimi_error {
    call!(out = new_handle(out) => {
        out.put(State::new(Settings::new()));
        Ok(())
    })
}

/// Trusts the peers whose chains end at this certificate. It may be freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_tlcp_config_add_anchor(
    config: *mut kuaimi_tlcp_config,
    certificate: *const kuaimi_certificate,
) -> kuaimi_error {
    call!(config = handle(config), certificate = handle(certificate) => {
        change(config, |settings| settings.anchors.push(certificate.clone()))
    })
}

/// Adds lists of revoked certificates, as `kuaimi_verifier_add_crl` does.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_tlcp_config_add_crl(
    config: *mut kuaimi_tlcp_config,
    bytes: *const u8,
    len: usize,
) -> kuaimi_error {
    call!(config = handle(config), #[once] bytes = input(bytes, len) => {
        let mut lists = found(Crl::read_all(bytes))?;
        change(config, |settings| settings.lists.append(&mut lists))
    })
}

/// What must be known of the revocation of the peer's certificates. Without this,
/// `KUAIMI_REVOCATION_IF_GIVEN`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_tlcp_config_set_revocation(
    config: *mut kuaimi_tlcp_config,
    revocation: kuaimi_revocation,
) -> kuaimi_error {
    call!(config = handle(config) => {
        let revocation = revocation_of(revocation)?;
        change(config, |settings| settings.revocation = revocation)
    })
}

/// Under which identities the signatures of certificates are accepted. Without this,
/// `KUAIMI_IDENTITIES_USUAL`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_tlcp_config_set_identities(
    config: *mut kuaimi_tlcp_config,
    identities: kuaimi_identities,
) -> kuaimi_error {
    call!(config = handle(config) => {
        let identities = accepted(identities)?;
        change(config, |settings| settings.identities = identities)
    })
}

/// **Dangerous**: accepts every peer. Certificates are not verified, so an attacker on the network
/// can read and change everything. For experiments.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_tlcp_config_set_dangerous_anyone(
    config: *mut kuaimi_tlcp_config,
) -> kuaimi_error {
    call!(config = handle(config) => {
        change(config, |settings| settings.dangerous_anyone = true)
    })
}

/// The own pair: a certificate that signs and one that receives keys, each with its key.
/// `certificates`: the intermediate ones, in the order from the pair to the root. All of them may
/// be freed.
///
/// `KUAIMI_ERROR_INVALID_ARGUMENT`: a key does not belong to its certificate, or a certificate does
/// not permit what it is for, as its keyUsage says: the two may be in the wrong order.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_tlcp_config_set_pair(
    config: *mut kuaimi_tlcp_config,
    sign_certificate: *const kuaimi_certificate,
    sign_key: *const kuaimi_sm2_private_key,
    encrypt_certificate: *const kuaimi_certificate,
    encrypt_key: *const kuaimi_sm2_private_key,
    certificates: *const *mut kuaimi_certificate,
    count: usize,
) -> kuaimi_error {
    call!(
        config = handle(config),
        sign_certificate = handle(sign_certificate),
        sign_key = handle(sign_key),
        encrypt_certificate = handle(encrypt_certificate),
        encrypt_key = handle(encrypt_key),
        certificates = handles(certificates, count) => {
            let keys = (sign_key, encrypt_key);
            let pair = pair(sign_certificate, encrypt_certificate, keys, &certificates)?;
            change(config, |settings| settings.pair = Some(pair))
        }
    )
}

/// Another pair of a server, for clients that ask for the host `host` (SNI). Other arguments and
/// errors as of `kuaimi_tlcp_config_set_pair`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_tlcp_config_add_pair_for(
    config: *mut kuaimi_tlcp_config,
    sign_certificate: *const kuaimi_certificate,
    sign_key: *const kuaimi_sm2_private_key,
    encrypt_certificate: *const kuaimi_certificate,
    encrypt_key: *const kuaimi_sm2_private_key,
    certificates: *const *mut kuaimi_certificate,
    count: usize,
    host: *const u8,
    host_len: usize,
) -> kuaimi_error {
    call!(
        config = handle(config),
        sign_certificate = handle(sign_certificate),
        sign_key = handle(sign_key),
        encrypt_certificate = handle(encrypt_certificate),
        encrypt_key = handle(encrypt_key),
        certificates = handles(certificates, count),
        #[once] host = input(host, host_len) => {
            let keys = (sign_key, encrypt_key);
            let pair = pair(sign_certificate, encrypt_certificate, keys, &certificates)?;
            let host = utf8(host)?.to_owned();
            change(config, |settings| settings.pairs_for.push((host, pair)))
        }
    )
}

/// Whether a server asks clients for their certificates. Without this, it does not.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_tlcp_config_set_client_auth(
    config: *mut kuaimi_tlcp_config,
    client_auth: kuaimi_tlcp_client_auth,
) -> kuaimi_error {
    call!(config = handle(config) => {
        if !(KUAIMI_TLCP_CLIENT_NONE..=KUAIMI_TLCP_CLIENT_REQUIRED).contains(&client_auth) {
            return Err(Error::KUAIMI_ERROR_INVALID_ARGUMENT);
        }
        change(config, |settings| settings.client_auth = client_auth)
    })
}

/// Adds an application protocol (ALPN), such as `http/1.1`; the first one that was added is
/// preferred.
///
/// `KUAIMI_ERROR_INVALID_ARGUMENT`: it has no or more than 255 bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_tlcp_config_add_protocol(
    config: *mut kuaimi_tlcp_config,
    protocol: *const u8,
    protocol_len: usize,
) -> kuaimi_error {
    call!(config = handle(config), #[once] protocol = input(protocol, protocol_len) => {
        if !(1..=255).contains(&protocol.len()) {
            return Err(Error::KUAIMI_ERROR_INVALID_ARGUMENT);
        }
        change(config, |settings| settings.protocols.push(protocol.to_vec()))
    })
}

/// Uses one suite alone. Without this, all suites are used, and GCM is preferred.
///
/// `KUAIMI_ERROR_INVALID_ARGUMENT`: there is no such suite.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_tlcp_config_set_suite(
    config: *mut kuaimi_tlcp_config,
    suite: kuaimi_tlcp_suite,
) -> kuaimi_error {
    call!(config = handle(config) => {
        let suite = u16::try_from(suite).ok().and_then(CipherSuite::from_number);
        let suite = suite.ok_or(Error::KUAIMI_ERROR_INVALID_ARGUMENT)?;
        change(config, |settings| settings.suites = vec![suite])
    })
}

/// How many sessions are kept in memory to be resumed, 0 for none and a million at most, and for
/// how many seconds, a day at most. Without this, 1024 for two hours. Forgets those that are kept.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_tlcp_config_set_sessions(
    config: *mut kuaimi_tlcp_config,
    session_count: usize,
    seconds: u64,
) -> kuaimi_error {
    call!(config = handle(config) => {
        if session_count > 1_000_000 {
            return Err(Error::KUAIMI_ERROR_INVALID_ARGUMENT);
        }
        let cache = (session_count > 0).then(|| Arc::new(SessionCache::new(session_count)));
        change(config, |settings| {
            (settings.sessions, settings.session_seconds) = (cache, seconds);
        })
    })
}

/// The time, in seconds since 1970-01-01 00:00:00 UTC, at which certificates must be valid, for
/// machines without a clock. Without this, the time of each handshake.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_tlcp_config_set_time(
    config: *mut kuaimi_tlcp_config,
    time: u64,
) -> kuaimi_error {
    call!(config = handle(config) => {
        change(config, |settings| settings.time = Some(time))
    })
}

/// Frees a configuration, whose connections may still be in use. Null is allowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_tlcp_config_free(config: *mut kuaimi_tlcp_config) {
    // SAFETY: the caller keeps the rules for handles at the head of the header.
    unsafe { free(config) }
}

fn pair(
    sign: &Certificate,
    encrypt: &Certificate,
    (sign_key, encrypt_key): (&kuaimi::sm2::PrivateKey, &kuaimi::sm2::PrivateKey),
    above: &[&Certificate],
) -> Result<Identity, Error> {
    let above: Vec<_> = above.iter().map(|&one| one.clone()).collect();
    let signer = SigningKey::new(sign_key.clone());
    Identity::new(
        sign.clone(),
        signer,
        encrypt.clone(),
        encrypt_key.clone(),
        &above,
    )
    .map_err(|error| failure(&error))
}
