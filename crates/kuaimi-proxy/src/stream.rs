//! A connection in one of the protocols, and which one it is.

use core::pin::Pin;
use core::task::{Context, Poll};
use std::io;

use kuaimi_tlcp::protocol::{Detected, detect};
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio_rustls::TlsStream;

/// A socket whose first bytes were read already, to see what they are.
#[derive(Debug)]
pub(crate) struct Prefixed {
    prefix: [u8; 3],
    /// Which bytes of the prefix are still to be read.
    start: usize,
    end: usize,
    socket: TcpStream,
}

impl Prefixed {
    /// Nothing was read.
    pub(crate) fn new(socket: TcpStream) -> Self {
        Self {
            prefix: [0; 3],
            start: 0,
            end: 0,
            socket,
        }
    }

    /// Reads as many bytes as are needed to tell the protocol.
    pub(crate) async fn detect(mut socket: TcpStream) -> io::Result<(Self, Detected)> {
        let mut prefix = [0; 3];
        let mut end = 0;
        loop {
            let found = detect(&prefix[..end]);
            // What is too short to be told after three bytes is not one of the protocols.
            if found != Detected::More || end == prefix.len() {
                let this = Self {
                    prefix,
                    start: 0,
                    end,
                    socket,
                };
                return Ok((this, found));
            }
            match socket.read(&mut prefix[end..]).await? {
                0 => return Err(io::ErrorKind::UnexpectedEof.into()),
                count => end += count,
            }
        }
    }

    pub(crate) fn socket(&mut self) -> &mut TcpStream {
        &mut self.socket
    }
}

impl AsyncRead for Prefixed {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        out: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let this = &mut *self;
        if this.start < this.end {
            let count = out.remaining().min(this.end - this.start);
            out.put_slice(&this.prefix[this.start..this.start + count]);
            this.start += count;
            return Poll::Ready(Ok(()));
        }
        Pin::new(&mut this.socket).poll_read(context, out)
    }
}

impl AsyncWrite for Prefixed {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        data: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.socket).poll_write(context, data)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.socket).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.socket).poll_shutdown(context)
    }
}

/// A connection after its handshake.
#[derive(Debug)]
pub(crate) enum Secured {
    Tlcp(Box<kuaimi_tlcp::tokio::Stream<Prefixed>>),
    Tls(Box<TlsStream<Prefixed>>),
}

/// What the two sides of a connection agreed on.
#[derive(Debug)]
pub(crate) struct Agreed {
    pub(crate) protocol: &'static str,
    pub(crate) suite: String,
    pub(crate) resumed: bool,
    /// The host that the client asked for.
    pub(crate) server_name: String,
}

impl Secured {
    pub(crate) fn agreed(&self) -> Agreed {
        match self {
            Self::Tlcp(stream) => {
                let connection = stream.connection();
                Agreed {
                    protocol: "TLCP",
                    suite: connection
                        .suite()
                        .map_or("", |suite| suite.name())
                        .to_owned(),
                    resumed: connection.is_resumed(),
                    server_name: connection.server_name().unwrap_or_default().to_owned(),
                }
            }
            Self::Tls(stream) => {
                let (_, connection) = stream.get_ref();
                let suite = connection
                    .negotiated_cipher_suite()
                    .map(|suite| suite.suite());
                let kind = connection.handshake_kind();
                Agreed {
                    protocol: match connection.protocol_version() {
                        Some(rustls::ProtocolVersion::TLSv1_2) => "TLS 1.2",
                        _ => "TLS 1.3",
                    },
                    suite: suite.map(suite_name).unwrap_or_default(),
                    resumed: kind == Some(rustls::HandshakeKind::Resumed),
                    server_name: match &**stream {
                        TlsStream::Server(stream) => stream.get_ref().1.server_name(),
                        TlsStream::Client(_) => None,
                    }
                    .unwrap_or_default()
                    .to_owned(),
                }
            }
        }
    }

    /// The socket below.
    pub(crate) fn socket(&mut self) -> &mut TcpStream {
        match self {
            Self::Tlcp(stream) => stream.get_mut().1.socket(),
            Self::Tls(stream) => stream.get_mut().0.socket(),
        }
    }
}

/// The name of a suite of TLS; rustls 0.23 has none for those with SM4.
pub(crate) fn suite_name(suite: rustls::CipherSuite) -> String {
    match u16::from(suite) {
        0x00c6 => "TLS_SM4_GCM_SM3".to_owned(),
        0x00c7 => "TLS_SM4_CCM_SM3".to_owned(),
        _ => format!("{suite:?}").replace("TLS13_", "TLS_"),
    }
}

impl AsyncRead for Secured {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        out: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        match &mut *self {
            Self::Tlcp(stream) => Pin::new(stream).poll_read(context, out),
            Self::Tls(stream) => Pin::new(stream).poll_read(context, out),
        }
    }
}

impl AsyncWrite for Secured {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        data: &[u8],
    ) -> Poll<io::Result<usize>> {
        match &mut *self {
            Self::Tlcp(stream) => Pin::new(stream).poll_write(context, data),
            Self::Tls(stream) => Pin::new(stream).poll_write(context, data),
        }
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        match &mut *self {
            Self::Tlcp(stream) => Pin::new(stream).poll_flush(context),
            Self::Tls(stream) => Pin::new(stream).poll_flush(context),
        }
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        match &mut *self {
            Self::Tlcp(stream) => Pin::new(stream).poll_shutdown(context),
            Self::Tls(stream) => Pin::new(stream).poll_shutdown(context),
        }
    }
}
