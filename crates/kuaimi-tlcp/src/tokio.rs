//! A connection over tokio (feature `tokio`).

use core::pin::Pin;
use core::task::{Context, Poll, ready};
use std::io;
use std::sync::Arc;

use ::tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use kuaimi_pki::chain::PeerName;

use crate::{ClientConfig, Connection, ServerConfig};

/// A connection and its socket as one stream. **Shut it down at the end**
/// (`AsyncWriteExt::shutdown`), which sends close_notify; dropping it sends nothing.
///
/// ```no_run
/// use std::sync::Arc;
/// use kuaimi_pki::chain::PeerName;
/// use kuaimi_tlcp::{ClientConfig, tokio::Stream};
/// use tokio::io::{AsyncReadExt, AsyncWriteExt};
/// use tokio::net::TcpStream;
///
/// async fn get(config: Arc<ClientConfig>) -> Result<String, Box<dyn std::error::Error>> {
///     let socket = TcpStream::connect("bank.example:443").await?;
///     let mut stream = Stream::connect(config, PeerName::new("bank.example")?, socket).await?;
///     stream.write_all(b"GET / HTTP/1.0\r\nHost: bank.example\r\n\r\n").await?;
///     stream.flush().await?;
///     let mut answer = String::new();
///     stream.read_to_string(&mut answer).await?;
///     stream.shutdown().await?;
///     Ok(answer)
/// }
/// ```
#[derive(Debug)]
pub struct Stream<S> {
    connection: Connection,
    socket: S,
}

impl<S: AsyncRead + AsyncWrite + Unpin> Stream<S> {
    /// A client's connection to `server` over `socket`, after the handshake.
    ///
    /// # Errors
    /// Those of the socket, and [`Error`](crate::Error) inside of an [`io::Error`].
    pub async fn connect(
        config: Arc<ClientConfig>,
        server: PeerName,
        socket: S,
    ) -> io::Result<Self> {
        Self::handshake(Connection::client(config, server)?, socket).await
    }

    /// A server's connection over `socket`, after the handshake. A client may take its time: put a
    /// time limit around this.
    ///
    /// # Errors
    /// As [`connect`](Self::connect).
    pub async fn accept(config: Arc<ServerConfig>, socket: S) -> io::Result<Self> {
        Self::handshake(Connection::server(config), socket).await
    }

    async fn handshake(connection: Connection, socket: S) -> io::Result<Self> {
        let mut stream = Self { connection, socket };
        core::future::poll_fn(|context| stream.poll_handshake(context)).await?;
        Ok(stream)
    }

    fn poll_handshake(&mut self, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        while self.connection.is_handshaking() {
            ready!(self.poll_send(context))?;
            if self.connection.is_handshaking() {
                ready!(self.poll_receive(context))?;
            }
        }
        ready!(self.poll_send(context))?;
        Pin::new(&mut self.socket).poll_flush(context)
    }

    /// Sends all that waits.
    fn poll_send(&mut self, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        while self.connection.wants_write() {
            let mut writer = Blocking(&mut self.socket, context);
            match self.connection.write_tls(&mut writer) {
                Ok(0) => return Poll::Ready(Err(io::ErrorKind::WriteZero.into())),
                Ok(_) => {}
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Poll::Pending,
                Err(error) => return Poll::Ready(Err(error)),
            }
        }
        Poll::Ready(Ok(()))
    }

    /// Receives once. An error is also told to the peer, if the socket takes it at once.
    fn poll_receive(&mut self, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let mut reader = Blocking(&mut self.socket, context);
        match self.connection.read_tls(&mut reader) {
            Ok(_) => {}
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Poll::Pending,
            Err(error) => return Poll::Ready(Err(error)),
        }
        match self.connection.process_new_packets() {
            Ok(_) => Poll::Ready(Ok(())),
            Err(error) => {
                // The first error is told, also where the alert cannot be sent.
                let _unsent = self.poll_send(context);
                Poll::Ready(Err(error.into()))
            }
        }
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

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncRead for Stream<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        out: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let this = &mut *self;
        // Nothing is sent here: the socket would wake this task, and no longer the one that writes.
        // The few answers that there are, such as that there is no renegotiation, go with the next
        // write.
        while this.connection.wants_read() {
            ready!(this.poll_receive(context))?;
        }
        match io::Read::read(&mut this.connection.reader(), out.initialize_unfilled()) {
            Ok(count) => {
                out.advance(count);
                Poll::Ready(Ok(()))
            }
            Err(error) => Poll::Ready(Err(error)),
        }
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncWrite for Stream<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        data: &[u8],
    ) -> Poll<io::Result<usize>> {
        let this = &mut *self;
        match io::Write::write(&mut this.connection.writer(), data) {
            Ok(count) => {
                // What the socket does not take now goes with the next write or flush.
                if let Poll::Ready(sent) = this.poll_send(context) {
                    sent?;
                }
                Poll::Ready(Ok(count))
            }
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                ready!(this.poll_send(context))?;
                match io::Write::write(&mut this.connection.writer(), data) {
                    // All was sent, so there is room.
                    Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                        Poll::Ready(Err(io::ErrorKind::WriteZero.into()))
                    }
                    result => Poll::Ready(result),
                }
            }
            Err(error) => Poll::Ready(Err(error)),
        }
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        ready!(self.poll_send(context))?;
        Pin::new(&mut self.socket).poll_flush(context)
    }

    /// Sends close_notify, and shuts the socket's sending half down.
    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.connection.send_close_notify();
        ready!(self.poll_send(context))?;
        Pin::new(&mut self.socket).poll_shutdown(context)
    }
}

/// A socket that says `WouldBlock` where it would wait, and wakes the task later.
struct Blocking<'a, 'c, S>(&'a mut S, &'a mut Context<'c>);

impl<S: AsyncRead + Unpin> io::Read for Blocking<'_, '_, S> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let mut out = ReadBuf::new(out);
        match Pin::new(&mut *self.0).poll_read(self.1, &mut out) {
            Poll::Ready(result) => result.map(|()| out.filled().len()),
            Poll::Pending => Err(io::ErrorKind::WouldBlock.into()),
        }
    }
}

impl<S: AsyncWrite + Unpin> io::Write for Blocking<'_, '_, S> {
    fn write(&mut self, data: &[u8]) -> io::Result<usize> {
        match Pin::new(&mut *self.0).poll_write(self.1, data) {
            Poll::Ready(result) => result,
            Poll::Pending => Err(io::ErrorKind::WouldBlock.into()),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
