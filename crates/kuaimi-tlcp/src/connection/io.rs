//! The application's side of a connection.

use std::io::{self, Read, Write};

use super::{Connection, MAX_OUTGOING};
use crate::record::content;

/// How a connection stands after [`Connection::process_new_packets`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct IoState {
    /// Bytes that wait to be sent.
    pub tls_bytes_to_write: usize,
    /// Bytes that wait for the application.
    pub plaintext_bytes_to_read: usize,
    /// Whether the peer has sent close_notify.
    pub peer_has_closed: bool,
}

/// Reads the application's data: see [`Connection::reader`].
///
/// `Ok(0)` is the peer's close_notify. `UnexpectedEof` says that the network ended without it, and
/// that data may be missing; `WouldBlock` that nothing has come yet.
#[derive(Debug)]
pub struct Reader<'a>(pub(super) &'a mut Connection);

impl Read for Reader<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let connection = &mut *self.0;
        let count = connection.core.received.read(out);
        if count > 0 || out.is_empty() {
            return Ok(count);
        }
        if let Some(error) = &connection.error {
            return Err(error.clone().into());
        }
        if connection.close_received {
            return Ok(0);
        }
        if connection.is_truncated() {
            return Err(io::Error::new(
                io::ErrorKind::UnexpectedEof,
                "the peer closed the connection without close_notify",
            ));
        }
        Err(io::ErrorKind::WouldBlock.into())
    }
}

/// Writes the application's data: see [`Connection::writer`].
///
/// `WouldBlock` says that so much waits to be sent that no more is taken; `BrokenPipe` that
/// close_notify was sent.
#[derive(Debug)]
pub struct Writer<'a>(pub(super) &'a mut Connection);

impl Write for Writer<'_> {
    fn write(&mut self, data: &[u8]) -> io::Result<usize> {
        let connection = &mut *self.0;
        if let Some(error) = &connection.error {
            return Err(error.clone().into());
        }
        if connection.close_sent {
            return Err(io::ErrorKind::BrokenPipe.into());
        }
        if data.is_empty() {
            return Ok(0);
        }
        let waiting = connection.early.len() + connection.core.outgoing.len();
        let count = data.len().min(MAX_OUTGOING.saturating_sub(waiting));
        if count == 0 {
            return Err(io::ErrorKind::WouldBlock.into());
        }
        let data = &data[..count];
        if connection.is_handshaking() {
            connection.early.end().extend_from_slice(data);
        } else if let Err(error) = connection.core.send(content::APPLICATION_DATA, data) {
            return Err(connection.fail(error).into());
        }
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
