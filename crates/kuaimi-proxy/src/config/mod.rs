//! What a configuration says: the fields have the names of its keys in TOML.
//!
//! Keys that there are not are errors, so that a typing error is not a limit that does not hold.

mod check;
mod limits;

use std::path::{Path, PathBuf};

use serde::Deserialize;

pub use limits::Limits;

use crate::Error;

/// All that a proxy does.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Config {
    /// The address for metrics and health, such as `127.0.0.1:9100`. Nothing listens without it.
    pub admin: Option<String>,
    /// How the log is written.
    #[serde(default)]
    pub log: LogFormat,
    /// What is logged.
    #[serde(default)]
    pub log_level: LogLevel,
    /// How long connections may go on after the proxy was told to stop.
    #[serde(default = "default_drain")]
    pub drain_seconds: u64,
    /// Ports that speak TLCP and TLS, in front of a backend that does not.
    #[serde(default, rename = "server")]
    pub servers: Vec<ServerPart>,
    /// Ports that speak neither, for programs that cannot, behind which is a server that does.
    #[serde(default, rename = "client")]
    pub clients: Vec<ClientPart>,
}

const fn default_drain() -> u64 {
    30
}

/// How the log is written, to standard error.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LogFormat {
    /// A line of text for each event.
    #[default]
    Text,
    /// A JSON object on a line for each event.
    Json,
}

/// What is logged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LogLevel {
    /// What needs somebody to act.
    Error,
    /// Also what is wrong with the configuration or the backend.
    Warn,
    /// Also a line for each connection.
    #[default]
    Info,
    /// Also what is of use to find an error.
    Debug,
}

/// A port that speaks TLCP and TLS.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct ServerPart {
    /// A name for logs and metrics; without it, `listen`.
    pub name: Option<String>,
    /// The address that clients connect to.
    pub listen: String,
    /// The backend's address.
    pub to: String,
    /// The signing certificate, and those of its authorities after it.
    pub cert: Option<PathBuf>,
    /// Its key, in any form that Kuaimi reads; or PKCS #12 with all of these, and then alone.
    pub key: Option<PathBuf>,
    /// The encrypting certificate, for TLCP.
    pub enc_cert: Option<PathBuf>,
    /// Its key.
    pub enc_key: Option<PathBuf>,
    /// The environment variable with the password of the keys.
    pub password_env: Option<String>,
    /// The file whose first line is the password of the keys.
    pub password_file: Option<PathBuf>,
    /// An ordinary certificate (RSA, P-256 or P-384), for ordinary TLS 1.2 and 1.3.
    pub tls_cert: Option<PathBuf>,
    /// Its key, without a password.
    pub tls_key: Option<PathBuf>,
    /// The authorities whose clients are admitted.
    pub client_ca: Option<PathBuf>,
    /// Whether clients without a certificate are admitted, too.
    #[serde(default)]
    pub client_optional: bool,
    /// The application protocols (ALPN), the preferred one first.
    #[serde(default)]
    pub alpn: Vec<String>,
    /// Whether the backend is told the client's address by a header of the PROXY protocol,
    /// version 2.
    #[serde(default)]
    pub proxy_protocol: bool,
    /// Limits.
    #[serde(default)]
    pub limits: Limits,
}

/// A port for programs that speak plain, behind which is a server of TLCP or TLS.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct ClientPart {
    /// A name for logs and metrics; without it, `listen`.
    pub name: Option<String>,
    /// The address that programs connect to.
    pub listen: String,
    /// The server's host and port.
    pub connect: String,
    /// The protocol of that connection.
    #[serde(default)]
    pub protocol: Protocol,
    /// The authorities that the server's certificates are verified by.
    pub ca: Option<PathBuf>,
    /// The name that they have to be for; without it, the host of `connect`.
    pub server_name: Option<String>,
    /// The signing certificate for servers that ask for one, and those of its authorities after
    /// it.
    pub cert: Option<PathBuf>,
    /// Its key, in any form that Kuaimi reads; or PKCS #12 with all of these, and then alone.
    pub key: Option<PathBuf>,
    /// The encrypting certificate, for TLCP.
    pub enc_cert: Option<PathBuf>,
    /// Its key.
    pub enc_key: Option<PathBuf>,
    /// The environment variable with the password of the keys.
    pub password_env: Option<String>,
    /// The file whose first line is the password of the keys.
    pub password_file: Option<PathBuf>,
    /// The application protocols (ALPN), the preferred one first.
    #[serde(default)]
    pub alpn: Vec<String>,
    /// **Dangerous**: accepts every server, so that anybody on the way can read and change
    /// everything.
    #[serde(default)]
    pub dangerous_accept_any_server: bool,
    /// Limits.
    #[serde(default)]
    pub limits: Limits,
}

/// How a client connects.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Protocol {
    /// TLCP.
    #[default]
    Tlcp,
    /// TLS 1.3 with ShangMi (RFC 8998).
    Tls13,
}

impl Config {
    /// Without listeners.
    pub fn new() -> Self {
        Self {
            drain_seconds: default_drain(),
            ..Self::default()
        }
    }

    /// Reads a file. Names of files in it are relative to its folder.
    ///
    /// # Errors
    /// [`Error::File`] if it cannot be read, and as [`from_toml`](Self::from_toml).
    pub fn from_file(path: &Path) -> Result<Self, Error> {
        let text = std::fs::read_to_string(path).map_err(|error| Error::file(path, error))?;
        Self::from_toml(&text, path)
    }

    /// Reads the text of the file `path`.
    ///
    /// # Errors
    /// [`Error::Syntax`] with the line, and [`Error::Config`].
    pub fn from_toml(text: &str, path: &Path) -> Result<Self, Error> {
        let mut config: Self = toml::from_str(text).map_err(|error| syntax(text, path, &error))?;
        let folder = path.parent().unwrap_or(Path::new(""));
        for server in &mut config.servers {
            let files = [
                &mut server.tls_cert,
                &mut server.tls_key,
                &mut server.client_ca,
            ];
            files.into_iter().for_each(|file| below(folder, file));
            server.key_files_below(folder);
        }
        for client in &mut config.clients {
            below(folder, &mut client.ca);
            client.key_files_below(folder);
        }
        config.check()?;
        Ok(config)
    }
}

/// The keys of one side.
pub(crate) struct KeyFiles<'a> {
    pub(crate) cert: Option<&'a Path>,
    pub(crate) key: Option<&'a Path>,
    pub(crate) enc_cert: Option<&'a Path>,
    pub(crate) enc_key: Option<&'a Path>,
    pub(crate) password_env: Option<&'a str>,
    pub(crate) password_file: Option<&'a Path>,
}

macro_rules! keys {
    ($part:ty) => {
        impl $part {
            pub(crate) fn keys(&self) -> KeyFiles<'_> {
                KeyFiles {
                    cert: self.cert.as_deref(),
                    key: self.key.as_deref(),
                    enc_cert: self.enc_cert.as_deref(),
                    enc_key: self.enc_key.as_deref(),
                    password_env: self.password_env.as_deref(),
                    password_file: self.password_file.as_deref(),
                }
            }

            /// Takes names of files for relative to `folder`.
            fn key_files_below(&mut self, folder: &Path) {
                let files = [
                    &mut self.cert,
                    &mut self.key,
                    &mut self.enc_cert,
                    &mut self.enc_key,
                    &mut self.password_file,
                ];
                files.into_iter().for_each(|file| below(folder, file));
            }
        }
    };
}
keys!(ServerPart);
keys!(ClientPart);

impl KeyFiles<'_> {
    /// Whether there is any.
    pub(crate) fn is_given(&self) -> bool {
        self.cert.is_some() || self.key.is_some() || self.wants_pair()
    }

    /// Whether an encrypting pair is named.
    pub(crate) fn wants_pair(&self) -> bool {
        self.enc_cert.is_some() || self.enc_key.is_some()
    }
}

fn below(folder: &Path, file: &mut Option<PathBuf>) {
    if let Some(file) = file {
        *file = folder.join(&*file);
    }
}

/// With the line: what the reader of TOML says has several lines.
fn syntax(text: &str, path: &Path, error: &toml::de::Error) -> Error {
    let what = error.message().trim_end().replace('\n', " ");
    let what = match error.span() {
        Some(span) => {
            let before = text.get(..span.start).unwrap_or(text);
            let line = before.matches('\n').count() + 1;
            format!("line {line}: {what}")
        }
        None => what,
    };
    Error::Syntax(path.to_owned(), what)
}
