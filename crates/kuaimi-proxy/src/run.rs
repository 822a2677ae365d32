//! The program: log, signals, systemd.

use tokio::runtime::Builder;
use tracing::{error, info, warn};
use tracing_subscriber::filter::LevelFilter;

use crate::config::{Config, LogFormat, LogLevel};
use crate::{Error, Passwords, Proxy, proxy};

/// Runs a proxy until SIGTERM or SIGINT, after which its connections may end for `drain_seconds`; a
/// second signal ends it at once. SIGHUP calls `load` again, and takes what it gives: what cannot
/// be used is logged, and the old configuration stays.
///
/// The log goes to standard error. Call it once in a process, from a thread without a runtime of
/// tokio.
///
/// # Errors
/// [`Error`] if it cannot begin.
pub fn run(
    mut load: impl FnMut() -> Result<Config, Error>,
    passwords: Passwords,
) -> Result<(), Error> {
    let config = load()?;
    begin_log(&config);
    // Here, where nothing listens for signals yet, somebody may be asked for passwords.
    let setups = proxy::read(&config, &passwords)?;
    passwords.ask_no_more();
    let runtime = Builder::new_multi_thread().enable_all().build();
    let runtime = runtime.map_err(|error| Error::System("the runtime", error))?;
    runtime.block_on(async {
        // Before it listens: a program that sees the port open may send a signal.
        let mut signals = Signals::new()?;
        let mut proxy = Proxy::begin(config, passwords, setups).await?;
        notify(State::Ready);
        while let Asked::Reload = signals.next().await {
            let reloaded = match load() {
                Ok(config) => proxy.reload(config).await,
                Err(error) => Err(error),
            };
            match reloaded {
                Ok(()) => info!("reloaded"),
                Err(error) => error!(%error, "not reloaded; the old configuration stays"),
            }
        }
        notify(State::Stopping);
        info!("stopping");
        let left = tokio::select! {
            left = proxy.stop() => left,
            () = signals.stop() => {
                warn!("stopped at once");
                return Ok(());
            }
        };
        info!(closed = left, "stopped");
        Ok(())
    })
}

fn begin_log(config: &Config) {
    let level = match config.log_level {
        LogLevel::Error => LevelFilter::ERROR,
        LogLevel::Warn => LevelFilter::WARN,
        LogLevel::Info => LevelFilter::INFO,
        LogLevel::Debug => LevelFilter::DEBUG,
    };
    let log = tracing_subscriber::fmt()
        .with_max_level(level)
        .with_writer(std::io::stderr)
        .with_target(false);
    // Another log of this process stays.
    let _other = match config.log {
        LogFormat::Text => log.with_ansi(false).try_init(),
        LogFormat::Json => log.json().flatten_event(true).try_init(),
    };
}

/// What a signal asks for.
enum Asked {
    #[cfg_attr(not(unix), allow(dead_code, reason = "there is no such signal"))]
    Reload,
    Stop,
}

#[cfg(unix)]
struct Signals {
    hangup: tokio::signal::unix::Signal,
    terminate: tokio::signal::unix::Signal,
    interrupt: tokio::signal::unix::Signal,
}

#[cfg(unix)]
impl Signals {
    fn new() -> Result<Self, Error> {
        use tokio::signal::unix::{SignalKind, signal};

        let listen = |kind| signal(kind).map_err(|error| Error::System("signals", error));
        Ok(Self {
            hangup: listen(SignalKind::hangup())?,
            terminate: listen(SignalKind::terminate())?,
            interrupt: listen(SignalKind::interrupt())?,
        })
    }

    async fn next(&mut self) -> Asked {
        tokio::select! {
            _ = self.hangup.recv() => Asked::Reload,
            _ = self.terminate.recv() => Asked::Stop,
            _ = self.interrupt.recv() => Asked::Stop,
        }
    }
}

#[cfg(not(unix))]
struct Signals;

#[cfg(not(unix))]
impl Signals {
    fn new() -> Result<Self, Error> {
        Ok(Self)
    }

    async fn next(&mut self) -> Asked {
        if tokio::signal::ctrl_c().await.is_err() {
            core::future::pending::<()>().await;
        }
        Asked::Stop
    }
}

impl Signals {
    /// Waits for another one that asks to stop.
    async fn stop(&mut self) {
        while !matches!(self.next().await, Asked::Stop) {}
    }
}

enum State {
    Ready,
    Stopping,
}

/// Tells systemd, where it has begun this program (`Type=notify`).
fn notify(state: State) {
    #[cfg(target_os = "linux")]
    {
        use sd_notify::NotifyState;

        let state = match state {
            State::Ready => NotifyState::Ready,
            State::Stopping => NotifyState::Stopping,
        };
        // Elsewhere there is nobody to tell.
        let _untold = sd_notify::notify(false, &[state]);
    }
    #[cfg(not(target_os = "linux"))]
    let _ = state;
}
