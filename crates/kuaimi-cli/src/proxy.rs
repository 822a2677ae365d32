//! `kuaimi proxy`: options for the crate `kuaimi-proxy`.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use kuaimi_proxy::config::{ClientPart, Config, Limits, LogFormat, LogLevel, Protocol, ServerPart};
use kuaimi_proxy::{Error, Passwords, Proxy};

use crate::exit::Answer;
use crate::failure::{Failure, Result};
use crate::interrupt;
use crate::password::PasswordArgs;
use crate::say::{say, show};

const EXAMPLE: &str = "\
Examples:
  kuaimi proxy --listen 127.0.0.1:8443 --to 127.0.0.1:8080 \\
      --cert sign.crt --key sign.pem --enc-cert enc.crt --enc-key enc.pem
  kuaimi proxy --listen 127.0.0.1:9000 --connect bank.example:443 --ca ca.crt
  kuaimi proxy --config proxy.toml --check
  kuaimi proxy --config proxy.toml

With --to, it speaks TLCP (GB/T 38636) and TLS 1.3 with ShangMi (RFC 8998) on one port, and ordinary
TLS with --tls-cert; behind it is a server that speaks neither. With --connect, it is the other way
round: programs that speak neither connect to it, and it connects to a server by TLCP, or by RFC
8998 with --protocol tls13. That server is verified.

It runs until SIGTERM or Ctrl-C; connections may then end for --drain seconds. SIGHUP reads all
files again without closing a connection; what cannot be used is logged, and the old stays.
docs/tls.md describes the file of --config.

Exit status: 0 after it was told to stop, 2 if it cannot begin.";

/// Put TLCP and TLS with ShangMi in front of a server, or of a client, that speaks neither.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLE)]
pub struct ProxyCommand {
    /// Read the configuration from FILE, in TOML, which has names for all options.
    #[arg(long, value_name = "FILE", conflicts_with = "listen")]
    config: Option<PathBuf>,
    /// Read all files, say whether they can be used, and end.
    #[arg(long)]
    check: bool,
    /// The address to listen on, such as 127.0.0.1:8443 or '[::]:8443'.
    #[arg(long, value_name = "ADDRESS", required_unless_present = "config")]
    listen: Option<String>,
    /// The address of the server behind it.
    #[arg(long, value_name = "ADDRESS", requires = "listen")]
    to: Option<String>,
    /// The server to connect to by TLCP or RFC 8998, for programs that connect plainly.
    #[arg(
        long,
        value_name = "HOST:PORT",
        requires = "listen",
        conflicts_with = "to"
    )]
    connect: Option<String>,
    #[command(flatten)]
    keys: Keys,
    #[command(flatten)]
    server: Server,
    #[command(flatten)]
    client: Client,
    /// Application protocols (ALPN), the preferred one first; repeatable.
    #[arg(long, value_name = "NAME", requires = "listen")]
    alpn: Vec<String>,
    #[command(flatten)]
    limits: LimitArgs,
    #[command(flatten)]
    whole: Whole,
}

/// Who it is: certificates and keys.
#[derive(Args, Debug)]
struct Keys {
    /// The signing certificate, followed by those of authorities in between.
    #[arg(long, value_name = "FILE", requires = "key", requires = "listen")]
    cert: Option<PathBuf>,
    /// Its key; or PKCS #12 with certificates and keys, which is given alone.
    #[arg(long, value_name = "FILE", requires = "listen")]
    key: Option<PathBuf>,
    /// The encrypting certificate, which TLCP needs.
    #[arg(long, value_name = "FILE", requires = "enc_key")]
    enc_cert: Option<PathBuf>,
    /// Its key.
    #[arg(long, value_name = "FILE", requires = "enc_cert", requires = "cert")]
    enc_key: Option<PathBuf>,
    #[command(flatten)]
    password: PasswordArgs,
}

/// With --to.
#[derive(Args, Debug)]
struct Server {
    /// An ordinary certificate (RSA or ECDSA), for ordinary TLS 1.2 and 1.3 on the same port.
    #[arg(long, value_name = "FILE", requires = "tls_key", requires = "to")]
    tls_cert: Option<PathBuf>,
    /// Its key, without a password.
    #[arg(long, value_name = "FILE", requires = "tls_cert")]
    tls_key: Option<PathBuf>,
    /// Admit clients with certificates of these authorities alone.
    #[arg(long, value_name = "FILE", requires = "to")]
    client_ca: Option<PathBuf>,
    /// Also admit clients without a certificate.
    #[arg(long, requires = "client_ca")]
    client_optional: bool,
    /// Tell the server behind it the client's address by the PROXY protocol, version 2.
    #[arg(long, requires = "to")]
    proxy_protocol: bool,
}

/// With --connect.
#[derive(Args, Debug)]
struct Client {
    /// The authorities by which the server is verified.
    #[arg(long, value_name = "FILE", requires = "connect")]
    ca: Option<PathBuf>,
    /// The name that the server's certificates must have [default: the host of --connect].
    #[arg(long, value_name = "NAME", requires = "connect")]
    server_name: Option<String>,
    /// How it connects to the server.
    #[arg(long, value_enum, default_value_t = By::Tlcp)]
    protocol: By,
    /// Accept every server: anybody on the way can then read and change everything.
    #[arg(long, requires = "connect", conflicts_with = "ca")]
    dangerous_accept_any_server: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum By {
    /// TLCP.
    Tlcp,
    /// TLS 1.3 with ShangMi (RFC 8998).
    Tls13,
}

#[derive(Args, Debug)]
struct LimitArgs {
    /// The most connections at a time.
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    max_connections: usize,
    /// Seconds that a handshake may take.
    #[arg(long, value_name = "S", default_value_t = 10)]
    handshake_timeout: u64,
    /// Seconds that connecting to the other side may take.
    #[arg(long, value_name = "S", default_value_t = 10)]
    connect_timeout: u64,
    /// Seconds without a byte after which a connection is closed.
    #[arg(long, value_name = "S", default_value_t = 300)]
    idle_timeout: u64,
    /// The most new connections a second from one address; 0 is no limit.
    #[arg(long, value_name = "N", default_value_t = 0)]
    rate: u32,
    /// How many may come at once above that.
    #[arg(long, value_name = "N", default_value_t = 20)]
    burst: u32,
}

/// Of the program.
#[derive(Args, Debug)]
struct Whole {
    /// Seconds that connections may go on after it was told to stop.
    #[arg(long, value_name = "S", default_value_t = 30)]
    drain: u64,
    /// Serve /metrics, /healthz and /readyz over HTTP on this address.
    #[arg(long, value_name = "ADDRESS", requires = "listen")]
    admin: Option<String>,
    /// How the log is written, to standard error.
    #[arg(long, value_enum, default_value_t = Log::Text)]
    log: Log,
    /// What is logged.
    #[arg(long, value_enum, default_value_t = Level::Info)]
    log_level: Level,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Log {
    /// A line of text for each event.
    Text,
    /// A JSON object for each event.
    Json,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Level {
    /// What needs somebody to act.
    Error,
    /// Also what is wrong with the configuration or the other side.
    Warn,
    /// Also a line for each connection.
    Info,
    /// Also what is of use to find an error.
    Debug,
}

impl ProxyCommand {
    pub fn run(self) -> Result<Answer> {
        let passwords = Passwords::ask(|path: &Path| {
            let password = PasswordArgs::default().to_open(&show(path));
            // From here on, signals are the proxy's.
            interrupt::release();
            password.map_err(|failure| advice(&failure, path))
        });
        if self.check {
            let config = self.configuration().map_err(|error| failed(&error))?;
            Proxy::check(&config, &passwords).map_err(|error| failed(&error))?;
            say("the configuration can be used");
            return Ok(Answer::Yes);
        }
        kuaimi_proxy::run(|| self.configuration(), passwords).map_err(|error| failed(&error))?;
        Ok(Answer::Yes)
    }

    fn configuration(&self) -> std::result::Result<Config, Error> {
        if let Some(file) = &self.config {
            return Config::from_file(file);
        }
        let mut config = Config::new();
        config.admin = self.whole.admin.clone();
        config.log = match self.whole.log {
            Log::Text => LogFormat::Text,
            Log::Json => LogFormat::Json,
        };
        config.log_level = match self.whole.log_level {
            Level::Error => LogLevel::Error,
            Level::Warn => LogLevel::Warn,
            Level::Info => LogLevel::Info,
            Level::Debug => LogLevel::Debug,
        };
        config.drain_seconds = self.whole.drain;
        let listen = self.listen.clone().unwrap_or_default();
        match (&self.to, &self.connect) {
            (Some(to), _) => config.servers.push(self.server(listen, to.clone())),
            (_, Some(connect)) => config.clients.push(self.client(listen, connect.clone())),
            _ => {
                let what = "needs --to, or --connect";
                return Err(Error::Config("--listen".to_owned(), what.to_owned()));
            }
        }
        config.check()?;
        Ok(config)
    }

    fn server(&self, listen: String, to: String) -> ServerPart {
        let (keys, own) = (&self.keys, &self.server);
        let mut part = ServerPart::default();
        part.listen = listen;
        part.to = to;
        part.cert = keys.cert.clone();
        part.key = keys.key.clone();
        part.enc_cert = keys.enc_cert.clone();
        part.enc_key = keys.enc_key.clone();
        part.password_env = keys.password.password_env.clone();
        part.password_file = keys.password.password_file.clone();
        part.tls_cert = own.tls_cert.clone();
        part.tls_key = own.tls_key.clone();
        part.client_ca = own.client_ca.clone();
        part.client_optional = own.client_optional;
        part.alpn = self.alpn.clone();
        part.proxy_protocol = own.proxy_protocol;
        part.limits = self.limits();
        part
    }

    fn client(&self, listen: String, connect: String) -> ClientPart {
        let (keys, own) = (&self.keys, &self.client);
        let mut part = ClientPart::default();
        part.listen = listen;
        part.connect = connect;
        part.protocol = match own.protocol {
            By::Tlcp => Protocol::Tlcp,
            By::Tls13 => Protocol::Tls13,
        };
        part.ca = own.ca.clone();
        part.server_name = own.server_name.clone();
        part.cert = keys.cert.clone();
        part.key = keys.key.clone();
        part.enc_cert = keys.enc_cert.clone();
        part.enc_key = keys.enc_key.clone();
        part.password_env = keys.password.password_env.clone();
        part.password_file = keys.password.password_file.clone();
        part.alpn = self.alpn.clone();
        part.dangerous_accept_any_server = own.dangerous_accept_any_server;
        part.limits = self.limits();
        part
    }

    fn limits(&self) -> Limits {
        let mut limits = Limits::default();
        limits.max_connections = self.limits.max_connections;
        limits.handshake_seconds = self.limits.handshake_timeout;
        limits.connect_seconds = self.limits.connect_timeout;
        limits.idle_seconds = self.limits.idle_timeout;
        limits.rate_per_address = self.limits.rate;
        limits.rate_burst = self.limits.burst;
        limits
    }
}

/// The reason of a failure without the file's name, which the proxy adds.
fn advice(failure: &Failure, path: &Path) -> String {
    let line = failure.to_string();
    let name = format!("{}: ", show(path));
    line.strip_prefix(&name).map_or(line.clone(), str::to_owned)
}

fn failed(error: &Error) -> Failure {
    match error {
        Error::File(path, what) | Error::Syntax(path, what) | Error::Password(path, what) => {
            Failure::file(show(path), what)
        }
        error => Failure::usage(error.to_string()),
    }
}
