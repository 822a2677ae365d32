//! One connection, from its acceptance to its end.

use core::time::Duration;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;

use kuaimi_tlcp::protocol::Detected;
use rustls::pki_types::ServerName;
use tokio::io::AsyncWriteExt as _;
use tokio::net::TcpStream;
use tokio::time::{Instant, timeout};
use tokio_rustls::{TlsAcceptor, TlsConnector, TlsStream};
use tokio_util::sync::CancellationToken;
use tracing::{debug, info, warn};

use crate::metrics::{Because, Metrics, Of, Under};
use crate::relay::{End, Traffic, relay};
use crate::sides::{Client, ClientProtocol, Server};
use crate::stream::{Agreed, Prefixed, Secured};

/// Which connection it is, for logs and metrics.
pub(crate) struct Here {
    pub(crate) label: Arc<str>,
    pub(crate) peer: SocketAddr,
    pub(crate) metrics: Arc<Metrics>,
    /// When it was accepted.
    pub(crate) since: Instant,
    /// When all connections have to end.
    pub(crate) stop: CancellationToken,
}

/// Why there is no connection with protection.
enum Unsecured {
    /// The other side said something else than TLCP or TLS.
    NotTls,
    /// It spoke HTTP, and was told what the port is for.
    Http,
    /// There is no certificate for the protocol.
    NoCertificate(&'static str),
    /// The handshake failed.
    Failed(io::Error),
    /// It took too long.
    Slow,
}

/// A client of a port with protection, to the backend.
pub(crate) async fn serve(socket: TcpStream, server: Arc<Server>, here: Here) {
    let accepting = timeout(server.limits.handshake(), accept(socket, &server));
    let accepted = tokio::select! {
        accepted = accepting => accepted.unwrap_or(Err(Unsecured::Slow)),
        () = here.stop.cancelled() => return,
    };
    let mut secured = match accepted {
        Ok(secured) => secured,
        Err(why) => return here.unsecured(&why),
    };
    let agreed = here.secured(&secured);
    let addresses = secured.socket().local_addr();
    let connected = to_backend(&server, here.peer, addresses.ok()).await;
    match connected {
        Ok(plain) => {
            let _slower = plain.set_nodelay(true);
            let ended = relay(secured, plain, server.limits.idle(), &here.stop).await;
            here.ended(&agreed, ended);
        }
        // Without close_notify: the client sees that this is no empty answer.
        Err(error) => here.unreachable(&server.to, &error),
    }
}

/// A program at a port without protection, to the server.
pub(crate) async fn connect(plain: TcpStream, client: Arc<Client>, here: Here) {
    let connecting = async {
        let socket = reach(&client.connect, client.limits.connect()).await;
        let socket = socket.map_err(|error| (false, Unsecured::Failed(error)))?;
        let handshake = timeout(client.limits.handshake(), client.handshake(socket)).await;
        match handshake {
            Ok(Ok(secured)) => Ok(secured),
            Ok(Err(error)) => Err((true, Unsecured::Failed(error))),
            Err(_) => Err((true, Unsecured::Slow)),
        }
    };
    let connected = tokio::select! {
        connected = connecting => connected,
        () = here.stop.cancelled() => return,
    };
    match connected {
        Ok(secured) => {
            let agreed = here.secured(&secured);
            let ended = relay(secured, plain, client.limits.idle(), &here.stop).await;
            here.ended(&agreed, ended);
        }
        Err((reached, why)) => {
            // A reset, as an end would be an empty answer.
            let _unlikely = plain.set_zero_linger();
            match &why {
                Unsecured::Failed(error) if !reached => here.unreachable(&client.connect, error),
                _ => here.unsecured(&why),
            }
        }
    }
}

impl Client {
    async fn handshake(&self, socket: TcpStream) -> io::Result<Secured> {
        let socket = Prefixed::new(socket);
        match &self.protocol {
            ClientProtocol::Tlcp(config, name) => {
                let config = Arc::clone(config);
                let stream = kuaimi_tlcp::tokio::Stream::connect(config, name.clone(), socket);
                Ok(Secured::Tlcp(Box::new(stream.await?)))
            }
            ClientProtocol::Tls(config, name) => {
                let name: ServerName<'static> = name.clone();
                let stream = TlsConnector::from(Arc::clone(config)).connect(name, socket);
                Ok(Secured::Tls(Box::new(TlsStream::Client(stream.await?))))
            }
        }
    }
}

async fn accept(socket: TcpStream, server: &Server) -> Result<Secured, Unsecured> {
    let (mut socket, detected) = Prefixed::detect(socket).await.map_err(Unsecured::Failed)?;
    match (detected, &server.tlcp, &server.tls) {
        (Detected::Tlcp, Some(config), _) => {
            let stream = kuaimi_tlcp::tokio::Stream::accept(Arc::clone(config), socket).await;
            let stream = stream.map_err(Unsecured::Failed)?;
            Ok(Secured::Tlcp(Box::new(stream)))
        }
        (Detected::Tls, _, Some(config)) => {
            let stream = TlsAcceptor::from(Arc::clone(config)).accept(socket).await;
            let stream = stream.map_err(Unsecured::Failed)?;
            Ok(Secured::Tls(Box::new(TlsStream::Server(stream))))
        }
        (Detected::Tlcp, None, _) => {
            // protocol_version, in a record of TLCP.
            let _gone = socket.write_all(&[21, 1, 1, 0, 2, 2, 70]).await;
            Err(Unsecured::NoCertificate("TLCP"))
        }
        (Detected::Tls, ..) => {
            // handshake_failure.
            let _gone = socket.write_all(&[21, 3, 3, 0, 2, 2, 40]).await;
            Err(Unsecured::NoCertificate("TLS"))
        }
        (Detected::Http, ..) => {
            let _gone = socket.write_all(PLAIN_HTTP.as_bytes()).await;
            let _gone = socket.shutdown().await;
            Err(Unsecured::Http)
        }
        _ => Err(Unsecured::NotTls),
    }
}

/// What somebody is told who speaks HTTP where TLS is expected.
const PLAIN_HTTP: &str = "HTTP/1.1 400 Bad Request\r\n\
    content-type: text/plain; charset=utf-8\r\n\
    content-length: 70\r\n\
    connection: close\r\n\
    \r\n\
    This port is for TLCP and TLS: ask it by https:// and not by http://.\n";

async fn reach(address: &str, limit: Duration) -> io::Result<TcpStream> {
    match timeout(limit, TcpStream::connect(address)).await {
        Ok(Ok(socket)) => {
            let _slower = socket.set_nodelay(true);
            Ok(socket)
        }
        Ok(Err(error)) => Err(error),
        Err(_) => Err(io::ErrorKind::TimedOut.into()),
    }
}

async fn to_backend(
    server: &Server,
    from: SocketAddr,
    to: Option<SocketAddr>,
) -> io::Result<TcpStream> {
    let mut socket = reach(&server.to, server.limits.connect()).await?;
    if server.proxy_protocol {
        // A new connection takes so few bytes at once.
        socket.write_all(&proxy_header(from, to)).await?;
    }
    Ok(socket)
}

/// The header of the PROXY protocol, version 2 (haproxy's proxy-protocol.txt, section 2.2).
fn proxy_header(from: SocketAddr, to: Option<SocketAddr>) -> Vec<u8> {
    let mut out = b"\r\n\r\n\0\r\nQUIT\n".to_vec();
    match (from, to) {
        (SocketAddr::V4(from), Some(SocketAddr::V4(to))) => {
            out.extend([0x21, 0x11, 0, 12]);
            out.extend(from.ip().octets());
            out.extend(to.ip().octets());
            out.extend(from.port().to_be_bytes());
            out.extend(to.port().to_be_bytes());
        }
        (SocketAddr::V6(from), Some(SocketAddr::V6(to))) => {
            out.extend([0x21, 0x21, 0, 36]);
            out.extend(from.ip().octets());
            out.extend(to.ip().octets());
            out.extend(from.port().to_be_bytes());
            out.extend(to.port().to_be_bytes());
        }
        // LOCAL: the address is not known.
        _ => out.extend([0x20, 0, 0, 0]),
    }
    out
}

impl Here {
    fn of(&self) -> Of {
        Of {
            listener: self.label.to_string(),
        }
    }

    fn because(&self, reason: &'static str) -> Because {
        Because {
            listener: self.label.to_string(),
            reason,
        }
    }

    /// A handshake succeeded.
    fn secured(&self, secured: &Secured) -> Agreed {
        let agreed = secured.agreed();
        let under = Under {
            listener: self.label.to_string(),
            protocol: agreed.protocol,
            suite: agreed.suite.clone(),
            resumed: if agreed.resumed { "yes" } else { "no" },
        };
        self.metrics.handshakes.get_or_create(&under).inc();
        let seconds = self.since.elapsed().as_secs_f64();
        let all = &self.metrics.handshake_seconds;
        all.get_or_create(&self.of()).observe(seconds);
        agreed
    }

    fn unsecured(&self, why: &Unsecured) {
        let (reason, what) = match why {
            Unsecured::NotTls => ("not_tls", "the first bytes are neither TLCP nor TLS".into()),
            Unsecured::Http => ("plain_http", "HTTP without protection".into()),
            Unsecured::NoCertificate(protocol) => (
                "no_certificate",
                format!("there is no certificate for {protocol}"),
            ),
            Unsecured::Slow => ("timeout", "the handshake took too long".into()),
            Unsecured::Failed(error) => (failure(error), error.to_string()),
        };
        let all = &self.metrics.handshake_failures;
        all.get_or_create(&self.because(reason)).inc();
        info!(listener = &*self.label, peer = %self.peer, reason, what, "no handshake");
    }

    fn unreachable(&self, to: &str, error: &io::Error) {
        let all = &self.metrics.backend_failures;
        all.get_or_create(&self.of()).inc();
        warn!(listener = &*self.label, peer = %self.peer, to, %error, "cannot connect");
    }

    fn ended(&self, agreed: &Agreed, (end, traffic): (End, Traffic)) {
        let (reason, what) = match &end {
            End::Closed => ("closed", String::new()),
            End::Idle => ("idle", String::new()),
            End::Stopped => ("stopped", String::new()),
            End::Secured(error) => ("secured_failed", error.to_string()),
            End::Plain(error) => ("plain_failed", error.to_string()),
        };
        let Traffic {
            from_secured,
            from_plain,
        } = traffic;
        let all = &self.metrics;
        all.closed.get_or_create(&self.because(reason)).inc();
        all.from_secured
            .get_or_create(&self.of())
            .inc_by(from_secured);
        all.from_plain.get_or_create(&self.of()).inc_by(from_plain);
        if !what.is_empty() {
            debug!(listener = &*self.label, peer = %self.peer, reason, what, "failed");
        }
        info!(
            listener = &*self.label,
            peer = %self.peer,
            protocol = agreed.protocol,
            suite = agreed.suite,
            resumed = agreed.resumed,
            server_name = agreed.server_name,
            from_secured,
            from_plain,
            milliseconds = self.since.elapsed().as_millis() as u64,
            reason,
            "connection"
        );
    }
}

/// What kind of failure of a handshake it is.
fn failure(error: &io::Error) -> &'static str {
    if let Some(inner) = error.get_ref() {
        if let Some(error) = inner.downcast_ref::<kuaimi_tlcp::Error>() {
            return match error {
                kuaimi_tlcp::Error::AlertReceived(_) => "alert",
                kuaimi_tlcp::Error::Certificate(..) | kuaimi_tlcp::Error::NoCertificate => {
                    "certificate"
                }
                kuaimi_tlcp::Error::NoCommonSuite => "no_common_suite",
                kuaimi_tlcp::Error::Closed => "closed",
                _ => "protocol",
            };
        }
        if let Some(error) = inner.downcast_ref::<rustls::Error>() {
            return match error {
                rustls::Error::AlertReceived(_) => "alert",
                rustls::Error::InvalidCertificate(_) | rustls::Error::NoCertificatesPresented => {
                    "certificate"
                }
                rustls::Error::PeerIncompatible(_) => "no_common_suite",
                _ => "protocol",
            };
        }
    }
    match error.kind() {
        io::ErrorKind::UnexpectedEof
        | io::ErrorKind::ConnectionReset
        | io::ErrorKind::ConnectionAborted
        | io::ErrorKind::BrokenPipe => "closed",
        _ => "io",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_answer_to_http_has_its_length() {
        let (head, body) = PLAIN_HTTP.split_once("\r\n\r\n").unwrap();
        assert!(
            head.contains(&format!("content-length: {}", body.len())),
            "{}",
            body.len()
        );
    }

    #[test]
    fn headers_of_the_proxy_protocol() {
        let v4 = proxy_header(
            "192.0.2.1:258".parse().unwrap(),
            Some("192.0.2.2:443".parse().unwrap()),
        );
        assert_eq!(
            v4,
            [
                13, 10, 13, 10, 0, 13, 10, 81, 85, 73, 84, 10, 0x21, 0x11, 0, 12, 192, 0, 2, 1,
                192, 0, 2, 2, 1, 2, 1, 187
            ]
        );
        let v6 = proxy_header(
            "[2001:db8::1]:258".parse().unwrap(),
            Some("[2001:db8::2]:443".parse().unwrap()),
        );
        assert_eq!((v6.len(), &v6[12..16]), (52, &[0x21, 0x21, 0, 36][..]));
        assert_eq!(proxy_header("192.0.2.1:1".parse().unwrap(), None).len(), 16);
    }
}
