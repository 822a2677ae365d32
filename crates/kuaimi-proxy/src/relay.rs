//! Bytes both ways between a connection with protection and one without.
//!
//! An end of one side is passed on: close_notify becomes FIN, and FIN becomes close_notify, while
//! the other direction goes on. What ends without close_notify may be cut off by somebody on the
//! way, and is no end: the other side is reset, so that it is not taken for one.

use core::pin::Pin;
use core::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use core::task::{Context, Poll, ready};
use core::time::Duration;
use std::io;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf, copy_bidirectional_with_sizes};
use tokio::net::TcpStream;
use tokio::time::{Instant, sleep_until};
use tokio_util::sync::CancellationToken;

use crate::stream::Secured;

/// A record's worth of bytes.
const BUFFER: usize = 16 << 10;

/// How a connection ended.
#[derive(Debug)]
pub(crate) enum End {
    /// Both sides have said that they send nothing more.
    Closed,
    /// Nothing came for too long.
    Idle,
    /// The proxy stops, and its connections have had their time.
    Stopped,
    /// The side with protection failed.
    Secured(io::Error),
    /// The side without protection failed.
    Plain(io::Error),
}

/// What went over a connection.
#[derive(Debug)]
pub(crate) struct Traffic {
    /// Bytes that came from the side with protection.
    pub(crate) from_secured: u64,
    /// Bytes that came from the side without.
    pub(crate) from_plain: u64,
}

/// Carries bytes until the end.
pub(crate) async fn relay(
    mut secured: Secured,
    mut plain: TcpStream,
    idle: Duration,
    stop: &CancellationToken,
) -> (End, Traffic) {
    let moved = Moved {
        start: Instant::now(),
        last: AtomicU64::new(0),
    };
    let mut left = Watched::new(&mut secured, &moved);
    let mut right = Watched::new(&mut plain, &moved);
    let done = tokio::select! {
        done = copy_bidirectional_with_sizes(&mut left, &mut right, BUFFER, BUFFER) => Ok(done),
        () = moved.silence(idle) => Err(End::Idle),
        () = stop.cancelled() => Err(End::Stopped),
    };
    let traffic = Traffic {
        from_secured: left.read.load(Relaxed),
        from_plain: right.read.load(Relaxed),
    };
    let left_failed = left.failed.load(Relaxed);
    let end = match done {
        Ok(Ok(_)) => End::Closed,
        Ok(Err(error)) if left_failed => End::Secured(error),
        Ok(Err(error)) => End::Plain(error),
        Err(end) => end,
    };
    if !matches!(end, End::Closed) {
        // A reset: the side without protection has no other way to tell this from an end.
        let _unlikely = plain.set_zero_linger();
    }
    if matches!(end, End::Idle | End::Stopped) {
        // Elsewhere what was sent still arrives, and the missing close_notify tells.
        let _unlikely = secured.socket().set_zero_linger();
    }
    (end, traffic)
}

/// When bytes last moved.
struct Moved {
    start: Instant,
    /// In milliseconds since the start.
    last: AtomicU64,
}

impl Moved {
    fn now(&self) {
        let since = self.start.elapsed().as_millis();
        self.last.store(since as u64, Relaxed);
    }

    /// Waits until nothing has moved for so long.
    async fn silence(&self, limit: Duration) {
        loop {
            let end = self.start + Duration::from_millis(self.last.load(Relaxed)) + limit;
            if Instant::now() >= end {
                return;
            }
            sleep_until(end).await;
        }
    }
}

/// A stream that counts.
struct Watched<'a, S> {
    inner: &'a mut S,
    moved: &'a Moved,
    read: AtomicU64,
    failed: AtomicBool,
}

impl<'a, S> Watched<'a, S> {
    fn new(inner: &'a mut S, moved: &'a Moved) -> Self {
        Self {
            inner,
            moved,
            read: AtomicU64::new(0),
            failed: AtomicBool::new(false),
        }
    }

    fn check<T>(&self, result: io::Result<T>) -> io::Result<T> {
        if result.is_err() {
            self.failed.store(true, Relaxed);
        }
        result
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Watched<'_, S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        out: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = out.filled().len();
        let result = ready!(Pin::new(&mut *self.inner).poll_read(context, out));
        self.check(result)?;
        self.moved.now();
        let count = out.filled().len() - before;
        self.read.fetch_add(count as u64, Relaxed);
        Poll::Ready(Ok(()))
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Watched<'_, S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        data: &[u8],
    ) -> Poll<io::Result<usize>> {
        let result = ready!(Pin::new(&mut *self.inner).poll_write(context, data));
        self.moved.now();
        Poll::Ready(self.check(result))
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let result = ready!(Pin::new(&mut *self.inner).poll_flush(context));
        Poll::Ready(self.check(result))
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let result = ready!(Pin::new(&mut *self.inner).poll_shutdown(context));
        Poll::Ready(self.check(result))
    }
}
