//! A connection, without input and output.

mod core;
mod io;

use ::core::fmt;
use std::io::{Read, Write};
use std::sync::Arc;

use kuaimi_pki::Certificate;
use kuaimi_pki::chain::PeerName;

pub(crate) use self::core::Core;
use self::core::Record;
pub use self::io::{IoState, Reader, Writer};
use crate::alert::level;
use crate::buffer::Buffer;
use crate::config::SignedTranscript;
use crate::handshake::{Client, Handshake, Server, Summary};
use crate::message::kind;
use crate::record::MAX_CONTENT_LEN;
use crate::transcript::Transcript;
use crate::{AlertDescription, CipherSuite, ClientConfig, Error, ServerConfig};

/// Bytes of the peer's that are read at once, or kept unread by the application.
const READ_LEN: usize = 1 << 14;
const MAX_INCOMING: usize = 1 << 17;
const MAX_RECEIVED: usize = 1 << 18;
/// Bytes that wait to be sent, from which on the writer takes no more.
const MAX_OUTGOING: usize = 1 << 17;

/// A connection of TLCP, a client's or a server's, which does no input or output itself: the caller
/// carries bytes between it and the network. [`Stream`](crate::Stream) does that over `std::io`,
/// and `tokio::Stream` over tokio.
///
/// 1. While [`wants_write`](Self::wants_write), [`write_tls`](Self::write_tls) gives what is to be
///    sent.
/// 2. While [`wants_read`](Self::wants_read), [`read_tls`](Self::read_tls) takes what came, and
///    [`process_new_packets`](Self::process_new_packets) works on it.
/// 3. [`writer`](Self::writer) takes the application's data, and [`reader`](Self::reader) gives it.
///
/// After an error, the connection has an alert to send, and does nothing more.
///
/// ```
/// use std::io::{Read, Write};
/// use kuaimi_tlcp::{Connection, Error};
///
/// /// Carries everything from one side to the other.
/// fn carry(from: &mut Connection, to: &mut Connection) -> Result<(), Box<dyn std::error::Error>> {
///     let mut network = Vec::new();
///     while from.wants_write() {
///         from.write_tls(&mut network)?;
///     }
///     let mut network = &network[..];
///     while !network.is_empty() {
///         to.read_tls(&mut network)?;
///         to.process_new_packets()?;
///     }
///     Ok(())
/// }
/// ```
pub struct Connection {
    core: Core,
    handshake: Option<Handshake>,
    summary: Summary,
    error: Option<Error>,
    /// Data that the application writes before the handshake ends.
    early: Buffer,
    is_server: bool,
    renegotiations: usize,
    close_sent: bool,
    close_received: bool,
    eof: bool,
}

impl Connection {
    /// A client's connection to `server`, whose certificates have to be for that name.
    ///
    /// # Errors
    /// [`Error::Config`] if there is no suite to offer, as those of the configuration need a pair
    /// that it lacks, and if `server` is a mailbox; [`Error::Random`].
    pub fn client(config: Arc<ClientConfig>, server: PeerName) -> Result<Self, Error> {
        if matches!(server, PeerName::Email(_)) {
            return Err(Error::Config("a mailbox is no server"));
        }
        let keeps = config.common.signed_transcript != SignedTranscript::Digest;
        let mut core = Core::new(Transcript::new(keeps));
        let client = Client::start(config, server, &mut core)?;
        Ok(Self::new(core, Handshake::Client(Box::new(client))))
    }

    /// A server's connection.
    pub fn server(config: Arc<ServerConfig>) -> Self {
        let keeps = config.common.signed_transcript != SignedTranscript::Digest
            && config.client_auth.trust().is_some();
        let core = Core::new(Transcript::new(keeps));
        Self::new(core, Handshake::Server(Box::new(Server::new(config))))
    }

    fn new(core: Core, handshake: Handshake) -> Self {
        Self {
            core,
            is_server: matches!(handshake, Handshake::Server(_)),
            handshake: Some(handshake),
            summary: Summary::default(),
            error: None,
            early: Buffer::default(),
            renegotiations: 0,
            close_sent: false,
            close_received: false,
            eof: false,
        }
    }

    /// Reads from the network once, and keeps what was read. 0 is the network's end.
    ///
    /// # Errors
    /// Those of `network`, and `Other` if so much waits for
    /// [`process_new_packets`](Self::process_new_packets) or the application that no more is taken.
    pub fn read_tls(&mut self, network: &mut dyn Read) -> std::io::Result<usize> {
        if self.core.incoming.len() >= MAX_INCOMING || self.core.received.len() >= MAX_RECEIVED {
            return Err(std::io::Error::other("too much of the peer's data waits"));
        }
        let count = self.core.incoming.fill(network, READ_LEN)?;
        self.eof |= count == 0;
        Ok(count)
    }

    /// Works on what was read.
    ///
    /// # Errors
    /// [`Error`], which is the end of the connection: send what [`write_tls`](Self::write_tls)
    /// still gives, which is an alert, and close.
    pub fn process_new_packets(&mut self) -> Result<IoState, Error> {
        if let Some(error) = &self.error {
            return Err(error.clone());
        }
        if let Err(error) = self.process() {
            return Err(self.fail(error));
        }
        Ok(self.io_state())
    }

    /// How the connection stands.
    pub fn io_state(&self) -> IoState {
        IoState {
            tls_bytes_to_write: self.core.outgoing.len(),
            plaintext_bytes_to_read: self.core.received.len(),
            peer_has_closed: self.close_received,
        }
    }

    /// Ends the connection, and says why to the peer.
    fn fail(&mut self, error: Error) -> Error {
        if let Some(alert) = error.alert()
            && !self.close_sent
        {
            // Where the alert cannot be sealed, the first error is told all the same.
            let _unsent = self.core.send_alert(level::FATAL, alert);
        }
        // 6.4.3: a session whose connection failed is not resumed.
        match &self.handshake {
            Some(handshake) => handshake.forget_session(),
            None => self.summary.forget_session(),
        }
        self.early = Buffer::default();
        self.handshake = None;
        self.error = Some(error.clone());
        error
    }

    /// Takes bytes that came from the network, none for its end, and works on them: how many were
    /// taken, and the error that ended the connection. Fewer are taken where so much waits for the
    /// application that the rest has to wait.
    ///
    /// It is [`read_tls`](Self::read_tls) and
    /// [`process_new_packets`](Self::process_new_packets), in pieces, as a connection keeps a
    /// limited number of bytes. Each byte is read once.
    pub fn receive(&mut self, bytes: &[u8]) -> (usize, Result<(), Error>) {
        let mut rest = bytes;
        loop {
            let read = self.read_tls(&mut rest);
            let taken = bytes.len() - rest.len();
            if let Err(error) = self.process_new_packets() {
                return (taken, Err(error));
            }
            // An error of `read_tls` says that data waits for the application.
            if rest.is_empty() || read.is_err() {
                return (taken, Ok(()));
            }
        }
    }

    fn process(&mut self) -> Result<(), Error> {
        // What comes after close_notify is not looked at.
        while !self.close_received
            && let Some(record) = self.core.next_record()?
        {
            // A message that has begun goes on in the next record.
            if !self.core.is_between_messages() && !matches!(record, Record::Handshake(_)) {
                if let Record::Alert(level, alert) = record {
                    return self.alert(level, alert);
                }
                let found = "a record of another type";
                return Err(Error::UnexpectedMessage("the rest of a message", found));
            }
            match record {
                Record::Handshake(fragment) => {
                    self.check_order(&fragment)?;
                    self.core.add_fragment(&fragment);
                    while let Some(message) = self.core.next_message()? {
                        self.message(&message)?;
                    }
                }
                Record::ChangeCipherSpec => match &mut self.handshake {
                    Some(handshake) => handshake.change_cipher_spec(&mut self.core)?,
                    None => {
                        let found = "ChangeCipherSpec";
                        return Err(Error::UnexpectedMessage("application data", found));
                    }
                },
                Record::Alert(level, alert) => self.alert(level, alert)?,
                Record::ApplicationData => {}
            }
        }
        if self.eof && !self.close_received && self.handshake.is_some() {
            return Err(Error::Closed);
        }
        Ok(())
    }

    /// Where ChangeCipherSpec has to come, a message is not even put together: it may be one under
    /// the keys that are not used yet. HelloRequest, which is ignored, may come at any time.
    fn check_order(&self, fragment: &[u8]) -> Result<(), Error> {
        let waits = self
            .handshake
            .as_ref()
            .is_some_and(Handshake::waits_for_change);
        if !waits || (!self.is_server && fragment == [kind::HELLO_REQUEST, 0, 0, 0]) {
            return Ok(());
        }
        let found = fragment
            .first()
            .map_or("a message", |first| kind::name(*first));
        Err(Error::UnexpectedMessage("ChangeCipherSpec", found))
    }

    fn message(&mut self, whole: &[u8]) -> Result<(), Error> {
        let message = core::message(whole)?;
        let Some(handshake) = &mut self.handshake else {
            return self.renegotiation(message.kind);
        };
        // A client that has begun already takes no notice, and HelloRequest is in no transcript.
        if message.kind == kind::HELLO_REQUEST && !self.is_server && message.body.is_empty() {
            return self.core.warned();
        }
        if let Some(summary) = handshake.message(&mut self.core, &message)? {
            self.summary = summary;
            self.handshake = None;
            self.core.is_open = true;
            let mut early = ::core::mem::take(&mut self.early);
            self.core
                .send(crate::record::content::APPLICATION_DATA, early.bytes())?;
            early.consume(usize::MAX);
        }
        Ok(())
    }

    /// A handshake message after the handshake.
    fn renegotiation(&mut self, found: u8) -> Result<(), Error> {
        let begins = match self.is_server {
            true => kind::CLIENT_HELLO,
            false => kind::HELLO_REQUEST,
        };
        if found != begins {
            return Err(Error::UnexpectedMessage(
                "application data",
                kind::name(found),
            ));
        }
        self.renegotiations += 1;
        if self.renegotiations > 1 {
            return Err(Error::Renegotiation);
        }
        self.core
            .send_alert(level::WARNING, AlertDescription::NO_RENEGOTIATION)
    }

    fn alert(&mut self, level: u8, alert: AlertDescription) -> Result<(), Error> {
        if alert == AlertDescription::CLOSE_NOTIFY {
            if self.handshake.is_some() {
                return Err(Error::Closed);
            }
            self.close_received = true;
            return Ok(());
        }
        match level {
            level::FATAL => Err(Error::AlertReceived(alert)),
            _ => self.core.warned(),
        }
    }

    /// Writes to the network once.
    ///
    /// # Errors
    /// Those of `network`.
    pub fn write_tls(&mut self, network: &mut dyn Write) -> std::io::Result<usize> {
        let count = network.write(self.core.outgoing.bytes())?;
        self.core.outgoing.consume(count);
        Ok(count)
    }

    /// Whether there is something to send.
    pub fn wants_write(&self) -> bool {
        !self.core.outgoing.is_empty()
    }

    /// Whether the connection waits for the peer, and the application has read all that came.
    pub fn wants_read(&self) -> bool {
        self.error.is_none()
            && !self.close_received
            && !self.eof
            && self.core.received.is_empty()
            && (!self.is_handshaking() || self.core.outgoing.is_empty())
    }

    /// Whether the handshake has not ended yet.
    pub fn is_handshaking(&self) -> bool {
        self.handshake.is_some()
    }

    /// The application's data that came.
    pub fn reader(&mut self) -> Reader<'_> {
        Reader(self)
    }

    /// Takes the application's data to be sent. What is written before the handshake ends waits.
    pub fn writer(&mut self) -> Writer<'_> {
        Writer(self)
    }

    /// Tells the peer that nothing more will be sent. What the peer sends can still be read.
    pub fn send_close_notify(&mut self) {
        if self.close_sent || self.error.is_some() {
            return;
        }
        if let Err(error) = self
            .core
            .send_alert(level::WARNING, AlertDescription::CLOSE_NOTIFY)
        {
            self.fail(error);
        }
        self.close_sent = true;
    }

    /// The cipher suite, once the handshake has ended.
    pub fn suite(&self) -> Option<CipherSuite> {
        self.summary.suite
    }

    /// The application protocol (ALPN) that was chosen.
    pub fn alpn_protocol(&self) -> Option<&[u8]> {
        self.summary.alpn.as_deref()
    }

    /// The host's name that the client asked for (SNI), at the server.
    pub fn server_name(&self) -> Option<&str> {
        self.summary.server_name.as_deref()
    }

    /// The peer's certificates, as they came in this handshake or in that of the session: signing,
    /// encrypting, authorities. None before the handshake has ended, or of a client without.
    pub fn peer_certificates(&self) -> &[Certificate] {
        &self.summary.peer
    }

    /// Whether a session was resumed.
    pub fn is_resumed(&self) -> bool {
        self.summary.resumed
    }

    /// Why the connection failed, if it did.
    pub fn error(&self) -> Option<&Error> {
        self.error.as_ref()
    }

    /// Whether the peer has sent close_notify: all that it sent has come.
    pub fn peer_has_closed(&self) -> bool {
        self.close_received
    }

    /// Whether the network ended without the peer's close_notify: data may be missing.
    pub fn is_truncated(&self) -> bool {
        self.eof && !self.close_received
    }

    /// The records that were sent and received under the connection's keys.
    pub fn record_counts(&self) -> (u64, u64) {
        self.core.counts()
    }

    /// The longest content of a record that is sent: 16384 bytes if this is not called. Shorter
    /// records arrive sooner over slow networks. 0 is taken for 1.
    pub fn set_record_len(&mut self, length: usize) {
        self.core.record_len = length.clamp(1, MAX_CONTENT_LEN);
    }

    #[cfg(test)]
    pub(crate) fn core(&mut self) -> &mut Core {
        &mut self.core
    }
}

impl fmt::Debug for Connection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Connection")
            .field("is_server", &self.is_server)
            .field("is_handshaking", &self.is_handshaking())
            .field("suite", &self.suite())
            .field("error", &self.error)
            .finish_non_exhaustive()
    }
}
