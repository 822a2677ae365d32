//! Acceptance of connections, and the limits on them.

use core::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use core::time::Duration;
use std::net::SocketAddr;
use std::sync::Arc;

use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use tracing::{debug, warn};

use crate::config::Limits;
use crate::connection::{self, Here};
use crate::metrics::{Because, Of};
use crate::proxy::Shared;
use crate::rate::Rate;
use crate::sides::{Client, Server};

/// What a port does, which a reload replaces.
#[derive(Clone)]
pub(crate) struct Setup {
    pub(crate) label: Arc<str>,
    pub(crate) side: Side,
}

#[derive(Clone)]
pub(crate) enum Side {
    Server(Arc<Server>),
    Client(Arc<Client>),
}

impl Side {
    fn limits(&self) -> &Limits {
        match self {
            Self::Server(server) => &server.limits,
            Self::Client(client) => &client.limits,
        }
    }

    /// The certificates and when they end.
    pub(crate) fn ends(&self) -> &[(&'static str, u64)] {
        match self {
            Self::Server(server) => &server.ends,
            Self::Client(client) => &client.ends,
        }
    }

    /// What is spoken there, for the log.
    pub(crate) fn protocols(&self) -> &'static str {
        match self {
            Self::Server(server) => match (&server.tlcp, &server.tls) {
                (Some(_), Some(_)) => "TLCP, TLS",
                (Some(_), None) => "TLCP",
                _ => "TLS",
            },
            Self::Client(_) => "none",
        }
    }

    /// Where connections go.
    pub(crate) fn target(&self) -> &str {
        match self {
            Self::Server(server) => &server.to,
            Self::Client(client) => &client.connect,
        }
    }
}

/// Accepts until `close`. Connections that were accepted go on.
pub(crate) async fn run(
    listener: TcpListener,
    setups: watch::Receiver<Setup>,
    shared: Arc<Shared>,
    close: CancellationToken,
) {
    let mut rate = Rate::new();
    let open = Arc::new(AtomicUsize::new(0));
    loop {
        let accepted = tokio::select! {
            biased;
            () = close.cancelled() => return,
            accepted = listener.accept() => accepted,
        };
        let setup = setups.borrow().clone();
        match accepted {
            Ok((socket, peer)) => begin(socket, peer, setup, &shared, &mut rate, &open),
            Err(error) => {
                // Such as too many open files: the connections that end make room.
                warn!(listener = &*setup.label, %error, "cannot accept");
                tokio::time::sleep(Duration::from_millis(100)).await;
            }
        }
    }
}

/// A connection that counts as open until it is dropped.
struct Open {
    open: Arc<AtomicUsize>,
    shared: Arc<Shared>,
    of: Of,
}

impl Drop for Open {
    fn drop(&mut self) {
        self.open.fetch_sub(1, Relaxed);
        self.shared.metrics.active.get_or_create(&self.of).dec();
    }
}

fn begin(
    socket: TcpStream,
    peer: SocketAddr,
    setup: Setup,
    shared: &Arc<Shared>,
    rate: &mut Rate,
    open: &Arc<AtomicUsize>,
) {
    let limits = setup.side.limits();
    let metrics = &shared.metrics;
    let of = Of {
        listener: setup.label.to_string(),
    };
    metrics.accepted.get_or_create(&of).inc();
    let refuse = |reason: &'static str| {
        let because = Because {
            listener: setup.label.to_string(),
            reason,
        };
        metrics.refused.get_or_create(&because).inc();
        debug!(listener = &*setup.label, %peer, reason, "refused");
        // A reset, which leaves nothing behind in the system.
        let _unlikely = socket.set_zero_linger();
    };
    if !rate.permits(peer.ip(), limits) {
        return refuse("rate");
    }
    // This task alone adds.
    if open.load(Relaxed) >= limits.max_connections {
        return refuse("connections");
    }
    open.fetch_add(1, Relaxed);
    metrics.active.get_or_create(&of).inc();
    let _slower = socket.set_nodelay(true);
    let counted = Open {
        open: Arc::clone(open),
        shared: Arc::clone(shared),
        of,
    };
    let here = Here {
        label: Arc::clone(&setup.label),
        peer,
        metrics: Arc::clone(metrics),
        since: Instant::now(),
        stop: shared.end.clone(),
    };
    shared.connections.spawn(async move {
        let _counted = counted;
        match setup.side {
            Side::Server(server) => connection::serve(socket, server, here).await,
            Side::Client(client) => connection::connect(socket, client, here).await,
        }
    });
}
