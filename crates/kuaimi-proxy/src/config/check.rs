//! What a configuration must say, beyond its form.

use std::collections::HashSet;

use super::{ClientPart, Config, KeyFiles, Limits, ServerPart};
use crate::Error;

/// The longest time that a limit may be: a day.
const MAX_SECONDS: u64 = 24 * 3600;

impl Config {
    /// Checks what needs no files.
    ///
    /// # Errors
    /// [`Error::Config`].
    pub fn check(&self) -> Result<(), Error> {
        let whole = |what: &str| Error::Config("the configuration".to_owned(), what.to_owned());
        if self.servers.is_empty() && self.clients.is_empty() {
            return Err(whole("has no listener; give a [[server]] or a [[client]]"));
        }
        if self.drain_seconds > MAX_SECONDS {
            return Err(whole("drain_seconds: is more than a day (86400)"));
        }
        let mut seen = HashSet::new();
        let listens = self.servers.iter().map(|server| &server.listen);
        for listen in listens.chain(self.clients.iter().map(|client| &client.listen)) {
            // Each of several listeners on port 0 gets a port of its own.
            if !listen.ends_with(":0") && !seen.insert(listen) {
                return Err(Error::Config(
                    listen.clone(),
                    "listen: two listeners have this address".to_owned(),
                ));
            }
        }
        self.servers.iter().try_for_each(ServerPart::check)?;
        self.clients.iter().try_for_each(ClientPart::check)
    }
}

impl ServerPart {
    /// The name in logs and metrics.
    pub(crate) fn label(&self) -> &str {
        self.name.as_deref().unwrap_or(&self.listen)
    }

    fn check(&self) -> Result<(), Error> {
        let wrong = |what: &str| Err(Error::Config(self.label().to_owned(), what.to_owned()));
        if let Some(what) = bad_address("listen", &self.listen).or(bad_address("to", &self.to)) {
            return wrong(&what);
        }
        if let Some(what) = self.keys().wrong().or(self.limits.wrong()) {
            return wrong(what);
        }
        if self.tls_cert.is_some() != self.tls_key.is_some() {
            return wrong("tls_cert and tls_key: one needs the other");
        }
        if !self.keys().is_given() && self.tls_cert.is_none() {
            return wrong("has no certificate; give cert and key, or tls_cert and tls_key");
        }
        if self.client_optional && self.client_ca.is_none() {
            return wrong("client_optional: needs client_ca");
        }
        Ok(())
    }
}

impl ClientPart {
    /// The name in logs and metrics.
    pub(crate) fn label(&self) -> &str {
        self.name.as_deref().unwrap_or(&self.listen)
    }

    /// The host of the server, for its name.
    pub(crate) fn host(&self) -> &str {
        let host = self.connect.rsplit_once(':').map_or("", |(host, _)| host);
        host.trim_start_matches('[').trim_end_matches(']')
    }

    fn check(&self) -> Result<(), Error> {
        let wrong = |what: &str| Err(Error::Config(self.label().to_owned(), what.to_owned()));
        let address = bad_address("listen", &self.listen);
        if let Some(what) = address.or(bad_address("connect", &self.connect)) {
            return wrong(&what);
        }
        if let Some(what) = self.keys().wrong().or(self.limits.wrong()) {
            return wrong(what);
        }
        match (&self.ca, self.dangerous_accept_any_server) {
            (None, false) => wrong("has no ca, by which the server's certificates are verified"),
            (Some(_), true) => wrong("ca and dangerous_accept_any_server contradict each other"),
            _ => Ok(()),
        }
    }
}

impl KeyFiles<'_> {
    fn wrong(&self) -> Option<&'static str> {
        if self.enc_cert.is_some() != self.enc_key.is_some() {
            return Some("enc_cert and enc_key: one needs the other");
        }
        if self.cert.is_some() && self.key.is_none() {
            return Some("cert: needs key");
        }
        if self.wants_pair() && self.cert.is_none() {
            return Some("enc_cert: needs cert and key, the signing pair");
        }
        if self.password_env.is_some() && self.password_file.is_some() {
            return Some("password_env and password_file: give one of them");
        }
        None
    }
}

impl Limits {
    fn wrong(&self) -> Option<&'static str> {
        let times = [
            self.handshake_seconds,
            self.connect_seconds,
            self.idle_seconds,
        ];
        if times.iter().any(|time| !(1..=MAX_SECONDS).contains(time)) {
            return Some("a time limit is between 1 and 86400 seconds");
        }
        if !(1..=1_000_000).contains(&self.max_connections) {
            return Some("max_connections: is between 1 and 1000000");
        }
        if self.rate_burst == 0 {
            return Some("rate_burst: is at least 1");
        }
        None
    }
}

/// What is wrong with `HOST:PORT`.
fn bad_address(key: &str, address: &str) -> Option<String> {
    let good = address.rsplit_once(':').is_some_and(|(host, port)| {
        let bracketed = host.starts_with('[') && host.ends_with(']');
        !host.is_empty() && (bracketed || !host.contains(':')) && port.parse::<u16>().is_ok()
    });
    (!good).then(|| {
        let shown = address.escape_debug();
        format!("{key}: {shown} is no HOST:PORT, such as 127.0.0.1:8443 or [::1]:8443")
    })
}
