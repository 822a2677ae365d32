//! Connections with a time limit for all that is done on them.

use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpStream, ToSocketAddrs as _};
use std::time::{Duration, Instant};

use crate::failure::{Failure, Result, reason};

/// The server.
pub struct Target {
    pub host: String,
    pub port: u16,
    pub address: SocketAddr,
    limit: Duration,
}

impl Target {
    /// Resolves `HOST:PORT`, and connects once to the address that it then keeps.
    pub fn resolve(text: &str, limit: Duration) -> Result<Self> {
        let shown = text.escape_debug();
        let (host, port) = split(text).ok_or_else(|| {
            Failure::usage(format!(
                "{shown}: is no HOST:PORT, such as bank.example:443 or [::1]:443"
            ))
        })?;
        let unreachable = |error: &io::Error| Failure::file(&shown, reason(error));
        let addresses = (host, port)
            .to_socket_addrs()
            .map_err(|error| unreachable(&error))?;
        let mut last = None;
        for address in addresses {
            match TcpStream::connect_timeout(&address, limit) {
                Ok(_) => {
                    return Ok(Self {
                        host: host.to_owned(),
                        port,
                        address,
                        limit,
                    });
                }
                Err(error) => last = Some(error),
            }
        }
        Err(match last {
            Some(error) => unreachable(&error),
            None => Failure::file(&shown, "has no address"),
        })
    }

    pub fn connect(&self) -> io::Result<Timed> {
        let end = Instant::now() + self.limit;
        let socket = TcpStream::connect_timeout(&self.address, self.limit)?;
        socket.set_nodelay(true)?;
        Ok(Timed { socket, end })
    }
}

fn split(text: &str) -> Option<(&str, u16)> {
    let (host, port) = match text.rsplit_once(':') {
        // An address of IPv6 without a port.
        Some((before, _)) if before.contains(':') && !before.ends_with(']') => (text, 443),
        Some((host, port)) => (host, port.parse().ok()?),
        None => (text, 443),
    };
    let host = host.strip_prefix('[').unwrap_or(host);
    let host = host.strip_suffix(']').unwrap_or(host);
    (!host.is_empty()).then_some((host, port))
}

/// A socket on which everything together has a time limit, whatever a server dribbles.
pub struct Timed {
    socket: TcpStream,
    end: Instant,
}

impl Timed {
    fn left(&self) -> io::Result<Duration> {
        let left = self.end.saturating_duration_since(Instant::now());
        match left.is_zero() {
            true => Err(io::ErrorKind::TimedOut.into()),
            false => Ok(left),
        }
    }
}

/// The system says of a time limit that it would block.
fn late(error: io::Error) -> io::Error {
    match error.kind() {
        io::ErrorKind::WouldBlock => io::ErrorKind::TimedOut.into(),
        _ => error,
    }
}

impl Read for Timed {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        self.socket.set_read_timeout(Some(self.left()?))?;
        self.socket.read(out).map_err(late)
    }
}

impl Write for Timed {
    fn write(&mut self, data: &[u8]) -> io::Result<usize> {
        self.socket.set_write_timeout(Some(self.left()?))?;
        self.socket.write(data).map_err(late)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.socket.flush()
    }
}

/// What a failed connection is, in a few words.
pub fn words(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::TimedOut => "no answer in time".to_owned(),
        io::ErrorKind::UnexpectedEof
        | io::ErrorKind::ConnectionReset
        | io::ErrorKind::ConnectionAborted
        | io::ErrorKind::BrokenPipe => "the server closed the connection".to_owned(),
        _ => reason(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn servers_are_split() {
        for (text, expected) in [
            ("a.example:8443", Some(("a.example", 8443))),
            ("a.example", Some(("a.example", 443))),
            ("192.0.2.1:1", Some(("192.0.2.1", 1))),
            ("[::1]:8443", Some(("::1", 8443))),
            ("[::1]", Some(("::1", 443))),
            ("::1", Some(("::1", 443))),
            ("a.example:", None),
            ("a.example:x", None),
            ("a.example:70000", None),
            (":443", None),
            ("", None),
        ] {
            assert_eq!(split(text), expected, "{text}");
        }
    }
}
