//! Counters, as Prometheus reads them.

use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::Registry;

/// Of a listener.
#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
pub(crate) struct Of {
    pub(crate) listener: String,
}

/// Of a listener, and why.
#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
pub(crate) struct Because {
    pub(crate) listener: String,
    pub(crate) reason: &'static str,
}

/// A listener's connections under a suite.
#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
pub(crate) struct Under {
    pub(crate) listener: String,
    pub(crate) protocol: &'static str,
    pub(crate) suite: String,
    pub(crate) resumed: &'static str,
}

/// A listener's certificate.
#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
pub(crate) struct CertificateOf {
    pub(crate) listener: String,
    pub(crate) certificate: &'static str,
}

/// How a reload went.
#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
pub(crate) struct Result {
    pub(crate) result: &'static str,
}

/// All of a proxy's.
#[derive(Debug)]
pub(crate) struct Metrics {
    registry: Registry,
    pub(crate) accepted: Family<Of, Counter>,
    pub(crate) active: Family<Of, Gauge>,
    pub(crate) refused: Family<Because, Counter>,
    pub(crate) handshakes: Family<Under, Counter>,
    pub(crate) handshake_failures: Family<Because, Counter>,
    pub(crate) handshake_seconds: Family<Of, Histogram>,
    pub(crate) backend_failures: Family<Of, Counter>,
    pub(crate) closed: Family<Because, Counter>,
    pub(crate) from_secured: Family<Of, Counter>,
    pub(crate) from_plain: Family<Of, Counter>,
    pub(crate) certificate_ends: Family<CertificateOf, Gauge>,
    pub(crate) reloads: Family<Result, Counter>,
}

impl Metrics {
    pub(crate) fn new() -> Self {
        const BUCKETS: [f64; 10] = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 2.0, 10.0];
        let mut this = Self {
            registry: Registry::with_prefix("kuaimi_proxy"),
            accepted: Family::default(),
            active: Family::default(),
            refused: Family::default(),
            handshakes: Family::default(),
            handshake_failures: Family::default(),
            handshake_seconds: Family::new_with_constructor(|| Histogram::new(BUCKETS)),
            backend_failures: Family::default(),
            closed: Family::default(),
            from_secured: Family::default(),
            from_plain: Family::default(),
            certificate_ends: Family::default(),
            reloads: Family::default(),
        };
        let all = &mut this.registry;
        all.register("accepted", "Accepted connections", this.accepted.clone());
        all.register("active", "Connections that are open", this.active.clone());
        all.register(
            "refused",
            "Connections closed at once, by a limit",
            this.refused.clone(),
        );
        all.register(
            "handshakes",
            "Handshakes that succeeded",
            this.handshakes.clone(),
        );
        all.register(
            "handshake_failures",
            "Handshakes that failed",
            this.handshake_failures.clone(),
        );
        all.register(
            "handshake_seconds",
            "Time from acceptance to the end of the handshake",
            this.handshake_seconds.clone(),
        );
        all.register(
            "backend_failures",
            "Connections to the other side that failed",
            this.backend_failures.clone(),
        );
        all.register("closed", "Ends of connections", this.closed.clone());
        all.register(
            "from_secured_bytes",
            "Bytes from the side with protection",
            this.from_secured.clone(),
        );
        all.register(
            "from_plain_bytes",
            "Bytes from the side without protection",
            this.from_plain.clone(),
        );
        all.register(
            "certificate_not_after_seconds",
            "When a certificate ends, in seconds since 1970",
            this.certificate_ends.clone(),
        );
        all.register(
            "reloads",
            "Reloads of the configuration",
            this.reloads.clone(),
        );
        this
    }

    /// The text for Prometheus.
    pub(crate) fn text(&self) -> String {
        let mut text = String::new();
        match encode(&mut text, &self.registry) {
            Ok(()) => text,
            // Writing to memory does not fail.
            Err(_) => String::new(),
        }
    }
}
