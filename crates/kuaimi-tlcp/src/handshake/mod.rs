//! The handshake (GB/T 38636-2020, 6.4.4 and 6.4.5).
//!
//! ```text
//! client                                   server
//! ClientHello              ───────▶
//!                          ◀───────   ServerHello
//!                                     Certificate
//!                                     ServerKeyExchange
//!                                     CertificateRequest  (if the client shall authenticate)
//!                                     ServerHelloDone
//! Certificate              ───────▶   (if it was asked for)
//! ClientKeyExchange
//! CertificateVerify                   (if there were certificates)
//! [ChangeCipherSpec]
//! Finished
//!                          ◀───────   [ChangeCipherSpec]
//!                                     Finished
//! ```
//!
//! A session is resumed by the hellos, and then ChangeCipherSpec and Finished of the server before
//! those of the client.

mod client;
mod server;

use std::sync::Arc;

use kuaimi_pki::Certificate;
use kuaimi_platform::declassify;
use subtle::ConstantTimeEq;
use zeroize::Zeroizing;

pub(crate) use client::Client;
pub(crate) use server::Server;

use crate::codec::Reader;
use crate::config::Common;
use crate::connection::Core;
use crate::key_schedule::{self, MasterSecret, VERIFY_DATA_LEN};
use crate::message::{Message, encode, kind};
use crate::record::Direction;
use crate::session::SessionState;
use crate::suite::Protection;
use crate::{CipherSuite, Error, Session, SessionStore};

/// Either side.
pub(crate) enum Handshake {
    Client(Box<Client>),
    Server(Box<Server>),
}

impl Handshake {
    /// Takes a message. At the end there is a summary.
    pub(crate) fn message(
        &mut self,
        core: &mut Core,
        message: &Message<'_>,
    ) -> Result<Option<Summary>, Error> {
        match self {
            Self::Client(client) => client.message(core, message),
            Self::Server(server) => server.message(core, message),
        }
    }

    pub(crate) fn change_cipher_spec(&mut self, core: &mut Core) -> Result<(), Error> {
        match self {
            Self::Client(client) => client.change_cipher_spec(core),
            Self::Server(server) => server.change_cipher_spec(core),
        }
    }

    /// Whether the next is ChangeCipherSpec.
    pub(crate) fn waits_for_change(&self) -> bool {
        match self {
            Self::Client(client) => client.waits_for_change(),
            Self::Server(server) => server.waits_for_change(),
        }
    }

    /// Forgets the session that this handshake wants to resume.
    pub(crate) fn forget_session(&self) {
        match self {
            Self::Client(client) => client.forget_session(),
            Self::Server(server) => server.forget_session(),
        }
    }
}

/// What is known at the end.
#[derive(Default)]
pub(crate) struct Summary {
    pub(crate) suite: Option<CipherSuite>,
    pub(crate) alpn: Option<Vec<u8>>,
    pub(crate) server_name: Option<String>,
    pub(crate) peer: Vec<Certificate>,
    pub(crate) resumed: bool,
    /// Where the session is kept, and under which key.
    pub(crate) kept: Option<(Arc<dyn SessionStore>, Vec<u8>)>,
}

impl Summary {
    pub(crate) fn forget_session(&self) {
        if let Some((store, key)) = &self.kept {
            store.remove(key);
        }
    }
}

/// What is agreed on: the suite, the randoms and the master secret, from which all keys come.
struct Agreed<'a> {
    suite: CipherSuite,
    client_random: &'a [u8; 32],
    server_random: &'a [u8; 32],
    master: &'a MasterSecret,
}

impl Agreed<'_> {
    /// The directions of the client and of the server.
    fn directions(&self) -> [Direction; 2] {
        let has_mac = self.suite.protection() == Protection::Cbc;
        let keys = key_schedule::keys(self.master, self.client_random, self.server_random, has_mac);
        keys.map(|keys| Direction::new(self.suite, &keys))
    }

    /// Sends ChangeCipherSpec, and then Finished under the new keys (6.4.5.10).
    fn send_finished(&self, core: &mut Core, is_client: bool) -> Result<(), Error> {
        let [client, server] = self.directions();
        core.send_change_cipher_spec(if is_client { client } else { server })?;
        let data = key_schedule::verify_data(self.master, is_client, &core.transcript.digest());
        core.send_message(&encode(kind::FINISHED, |out| out.extend(data)))
    }

    /// Whether the peer's Finished is right.
    fn check_finished(
        &self,
        core: &mut Core,
        is_client: bool,
        message: &Message<'_>,
    ) -> Result<(), Error> {
        let mut reader = Reader::new(message.body, "Finished");
        let found: [u8; VERIFY_DATA_LEN] = reader.array()?;
        reader.finish()?;
        let expected = Zeroizing::new(key_schedule::verify_data(
            self.master,
            is_client,
            &core.transcript.digest(),
        ));
        core.transcript.add(message.whole);
        // The alert reveals it.
        match declassify(expected.as_ref().ct_eq(&found)) {
            true => Ok(()),
            false => Err(Error::Finished),
        }
    }
}

/// A session that can be resumed from now on, no longer than the peer's certificates are valid.
fn session(
    common: &Common,
    agreed: &Agreed<'_>,
    id: &[u8],
    peer: &[Certificate],
    server_name: Option<&str>,
    context: [u8; 32],
) -> Session {
    let ends = peer.iter().take(2).map(|certificate| {
        let validity = certificate.fields().validity();
        validity.not_after.to_unix_duration().as_secs()
    });
    let limit = common.now().saturating_add(common.session_seconds);
    Session(Arc::new(SessionState {
        id: id.to_vec(),
        suite: agreed.suite,
        master: agreed.master.clone(),
        peer: peer.to_vec(),
        server_name: server_name.map(str::to_owned),
        context,
        expires: ends.fold(limit, u64::min),
    }))
}

fn unexpected(expected: &'static str, found: u8) -> Error {
    Error::UnexpectedMessage(expected, kind::name(found))
}
