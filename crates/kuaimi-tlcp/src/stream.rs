//! A connection over `std::io`.

use std::io::{self, Read, Write};

use crate::Connection;

/// A connection and its socket, or anything that is read and written, as one stream.
///
/// The handshake is made by the first call that needs it, or by [`handshake`](Self::handshake).
/// **Call [`close`](Self::close) at the end**: without it, the peer cannot tell the end from an
/// attack that cuts the connection. Dropping a stream sends nothing.
///
/// ```no_run
/// use std::io::{Read, Write};
/// use std::net::TcpStream;
/// use std::sync::Arc;
/// use kuaimi_pki::chain::PeerName;
/// use kuaimi_tlcp::{ClientConfig, Connection, Stream};
///
/// fn get(config: Arc<ClientConfig>) -> Result<String, Box<dyn std::error::Error>> {
///     let connection = Connection::client(config, PeerName::new("bank.example")?)?;
///     let mut stream = Stream::new(connection, TcpStream::connect("bank.example:443")?);
///     stream.write_all(b"GET / HTTP/1.0\r\nHost: bank.example\r\n\r\n")?;
///     let mut answer = String::new();
///     stream.read_to_string(&mut answer)?;
///     stream.close()?;
///     Ok(answer)
/// }
/// ```
#[derive(Debug)]
pub struct Stream<S> {
    connection: Connection,
    socket: S,
}

impl<S: Read + Write> Stream<S> {
    /// A stream over `socket`.
    pub fn new(connection: Connection, socket: S) -> Self {
        Self { connection, socket }
    }

    /// Makes the handshake, if it has not been made.
    ///
    /// # Errors
    /// Those of the socket, and [`Error`](crate::Error) inside of an [`io::Error`].
    pub fn handshake(&mut self) -> io::Result<()> {
        while self.connection.is_handshaking() {
            self.send()?;
            if self.connection.is_handshaking() {
                self.receive()?;
            }
        }
        self.send()
    }

    /// Sends all that waits.
    fn send(&mut self) -> io::Result<()> {
        while self.connection.wants_write() {
            match self.connection.write_tls(&mut self.socket) {
                Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                result => {
                    result?;
                }
            }
        }
        Ok(())
    }

    /// Receives once. An error is also told to the peer.
    fn receive(&mut self) -> io::Result<()> {
        match self.connection.read_tls(&mut self.socket) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => return Ok(()),
            result => result?,
        };
        match self.connection.process_new_packets() {
            Ok(_) => Ok(()),
            Err(error) => {
                // The first error is told, also where the alert cannot be sent.
                let _unsent = self.send();
                Err(error.into())
            }
        }
    }

    /// Sends close_notify, and all that waits. What the peer sends can still be read.
    ///
    /// # Errors
    /// Those of the socket.
    pub fn close(&mut self) -> io::Result<()> {
        self.connection.send_close_notify();
        self.send()?;
        self.socket.flush()
    }

    /// The connection.
    pub fn connection(&self) -> &Connection {
        &self.connection
    }

    /// The connection and the socket.
    pub fn get_mut(&mut self) -> (&mut Connection, &mut S) {
        (&mut self.connection, &mut self.socket)
    }

    /// Takes the two apart.
    pub fn into_parts(self) -> (Connection, S) {
        (self.connection, self.socket)
    }
}

impl<S: Read + Write> Read for Stream<S> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        self.handshake()?;
        while self.connection.wants_read() {
            self.receive()?;
            self.send()?;
        }
        self.connection.reader().read(out)
    }
}

impl<S: Read + Write> Write for Stream<S> {
    fn write(&mut self, data: &[u8]) -> io::Result<usize> {
        self.handshake()?;
        let count = self.connection.writer().write(data)?;
        self.send()?;
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.send()?;
        self.socket.flush()
    }
}
