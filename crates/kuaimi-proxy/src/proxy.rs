//! All listeners of a proxy: how they start, change and stop.

use core::sync::atomic::{AtomicBool, Ordering::Relaxed};
use core::time::Duration;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::task::{JoinHandle, spawn_blocking};
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tracing::{info, warn};

use crate::config::Config;
use crate::files::Passwords;
use crate::listener::{self, Setup, Side};
use crate::metrics::{CertificateOf, Metrics, Result as Reloaded};
use crate::sides::{Client, Server};
use crate::{Error, admin};

/// A certificate that ends earlier than this is told of.
const SOON: u64 = 14 * 24 * 3600;

/// What all parts of a proxy share.
pub(crate) struct Shared {
    pub(crate) metrics: Arc<Metrics>,
    pub(crate) connections: TaskTracker,
    /// Whether it accepts connections.
    pub(crate) ready: AtomicBool,
    /// Ends all connections.
    pub(crate) end: CancellationToken,
}

/// A proxy that runs.
pub struct Proxy {
    shared: Arc<Shared>,
    listeners: Vec<Running>,
    admin: Option<SocketAddr>,
    config: Config,
    passwords: Passwords,
}

/// A listener that runs.
struct Running {
    /// As the configuration has it: a listener is the same one as long as this is the same.
    listen: String,
    address: SocketAddr,
    setup: watch::Sender<Setup>,
    close: CancellationToken,
    task: JoinHandle<()>,
}

impl Proxy {
    /// Whether `config` could be started: reads the files that it names, and listens on nothing.
    ///
    /// # Errors
    /// [`Error`] says what cannot be used.
    pub fn check(config: &Config, passwords: &Passwords) -> Result<(), Error> {
        read(config, passwords).map(drop)
    }

    /// Reads the files that `config` names, and listens. Call it in a runtime of tokio.
    ///
    /// # Errors
    /// [`Error`] says what cannot be used. Nothing listens then.
    pub async fn start(config: Config, passwords: Passwords) -> Result<Self, Error> {
        let setups = prepare(config.clone(), passwords.clone()).await?;
        Self::begin(config, passwords, setups).await
    }

    /// The same with what [`read`] gave.
    pub(crate) async fn begin(
        config: Config,
        passwords: Passwords,
        setups: Setups,
    ) -> Result<Self, Error> {
        let shared = Arc::new(Shared {
            metrics: Arc::new(Metrics::new()),
            connections: TaskTracker::new(),
            ready: AtomicBool::new(false),
            end: CancellationToken::new(),
        });
        let mut bound = Vec::new();
        for (listen, setup) in setups {
            let listener = bind(&listen).await?;
            bound.push((listen, listener, setup));
        }
        let admin = match &config.admin {
            Some(address) => {
                let listener = bind(address).await?;
                let local = listener.local_addr();
                let local = local.map_err(|error| Error::Listen(address.clone(), error))?;
                tokio::spawn(admin::serve(listener, Arc::clone(&shared)));
                info!(admin = %local, "metrics and health");
                Some(local)
            }
            None => None,
        };
        let mut this = Self {
            shared,
            listeners: Vec::new(),
            admin,
            config,
            passwords,
        };
        for (listen, listener, setup) in bound {
            this.run(listen, listener, setup)?;
        }
        this.shared.ready.store(true, Relaxed);
        Ok(this)
    }

    fn run(&mut self, listen: String, listener: TcpListener, setup: Setup) -> Result<(), Error> {
        let address = listener.local_addr();
        let address = address.map_err(|error| Error::Listen(listen.clone(), error))?;
        info!(
            listener = &*setup.label,
            %address,
            protocols = setup.side.protocols(),
            to = setup.side.target(),
            "listening"
        );
        self.tell_ends(&setup);
        let close = CancellationToken::new();
        let (setup, setups) = watch::channel(setup);
        let shared = Arc::clone(&self.shared);
        let task = tokio::spawn(listener::run(listener, setups, shared, close.clone()));
        self.listeners.push(Running {
            listen,
            address,
            setup,
            close,
            task,
        });
        Ok(())
    }

    /// The addresses of the listeners, in the order of the configuration: servers, then clients.
    pub fn addresses(&self) -> Vec<SocketAddr> {
        self.listeners.iter().map(|one| one.address).collect()
    }

    /// The address for metrics and health.
    pub fn admin_address(&self) -> Option<SocketAddr> {
        self.admin
    }

    /// The metrics, as Prometheus reads them.
    pub fn metrics(&self) -> String {
        self.shared.metrics.text()
    }

    /// Takes a new configuration, and reads all files again. Connections go on under what they
    /// began with, and listeners whose address stays do not close. The address for metrics
    /// and what is logged are taken at the start alone.
    ///
    /// # Errors
    /// [`Error`] says what cannot be used. Nothing has changed then.
    pub async fn reload(&mut self, config: Config) -> Result<(), Error> {
        let result = self.replace(config).await;
        let label = match result {
            Ok(()) => "good",
            Err(_) => "failed",
        };
        let reloads = &self.shared.metrics.reloads;
        reloads.get_or_create(&Reloaded { result: label }).inc();
        result
    }

    async fn replace(&mut self, config: Config) -> Result<(), Error> {
        let setups = prepare(config.clone(), self.passwords.clone()).await?;
        // All that can fail comes first.
        let mut kept = vec![false; self.listeners.len()];
        let mut changes = Vec::new();
        for (listen, setup) in setups {
            let mut old = self.listeners.iter().zip(&kept);
            let place = old.position(|(one, kept)| !kept && one.listen == listen);
            let new = match place {
                Some(place) => {
                    kept[place] = true;
                    None
                }
                None => Some(bind(&listen).await?),
            };
            changes.push((listen, new, setup));
        }
        let fixed = |config: &Config| (config.admin.clone(), config.log, config.log_level);
        if fixed(&config) != fixed(&self.config) {
            warn!("admin, log and log_level are changed by a restart alone");
        }
        self.shared.metrics.certificate_ends.clear();
        let mut old = Vec::new();
        for (one, kept) in core::mem::take(&mut self.listeners).into_iter().zip(kept) {
            if kept {
                old.push(one);
            } else {
                one.close.cancel();
                info!(address = %one.address, "no longer listening");
            }
        }
        for (listen, new, setup) in changes {
            if let Some(listener) = new {
                self.run(listen, listener, setup)?;
            } else if let Some(place) = old.iter().position(|one| one.listen == listen) {
                let one = old.remove(place);
                self.tell_ends(&setup);
                one.setup.send_replace(setup);
                self.listeners.push(one);
            }
        }
        self.config = config;
        Ok(())
    }

    /// Says when certificates end.
    fn tell_ends(&self, setup: &Setup) {
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        let now = now.map_or(0, |now| now.as_secs());
        for (certificate, end) in setup.side.ends() {
            let of = CertificateOf {
                listener: setup.label.to_string(),
                certificate,
            };
            let all = &self.shared.metrics.certificate_ends;
            all.get_or_create(&of).set(*end as i64);
            let listener = &*setup.label;
            if *end < now {
                warn!(listener, certificate, "the certificate has expired");
            } else if *end - now < SOON {
                let days = (*end - now) / 86400;
                warn!(listener, certificate, days, "the certificate expires soon");
            }
        }
    }

    /// Accepts no more, lets connections end for the configured time, and closes those that are
    /// left. How many these were.
    pub async fn stop(mut self) -> usize {
        self.shared.ready.store(false, Relaxed);
        for one in core::mem::take(&mut self.listeners) {
            one.close.cancel();
            // Its socket is closed when it has ended.
            let _ended = one.task.await;
        }
        let connections = &self.shared.connections;
        connections.close();
        let limit = Duration::from_secs(self.config.drain_seconds);
        if timeout(limit, connections.wait()).await.is_ok() {
            self.shared.end.cancel();
            return 0;
        }
        let left = connections.len();
        self.shared.end.cancel();
        connections.wait().await;
        left
    }
}

impl Drop for Proxy {
    /// One that was not stopped ends at once.
    fn drop(&mut self) {
        self.listeners.iter().for_each(|one| one.close.cancel());
        self.shared.end.cancel();
    }
}

impl core::fmt::Debug for Proxy {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Proxy")
            .field("addresses", &self.addresses())
            .finish_non_exhaustive()
    }
}

async fn bind(address: &str) -> Result<TcpListener, Error> {
    let bound = TcpListener::bind(address).await;
    bound.map_err(|error| Error::Listen(address.to_owned(), error))
}

/// The listeners with their addresses, as the configuration has them.
pub(crate) type Setups = Vec<(String, Setup)>;

/// Reads all files of a configuration.
pub(crate) fn read(config: &Config, passwords: &Passwords) -> Result<Setups, Error> {
    config.check()?;
    let mut setups = Vec::new();
    for part in &config.servers {
        let side = Side::Server(Arc::new(Server::new(part, passwords)?));
        let label = part.label().into();
        setups.push((part.listen.clone(), Setup { label, side }));
    }
    for part in &config.clients {
        let side = Side::Client(Arc::new(Client::new(part, passwords)?));
        let label = part.label().into();
        setups.push((part.listen.clone(), Setup { label, side }));
    }
    Ok(setups)
}

/// The same outside the runtime's threads: deriving keys from passwords takes a while.
async fn prepare(config: Config, passwords: Passwords) -> Result<Setups, Error> {
    match spawn_blocking(move || read(&config, &passwords)).await {
        Ok(result) => result,
        Err(error) => {
            let error = std::io::Error::other(error);
            Err(Error::System("reading the files", error))
        }
    }
}
