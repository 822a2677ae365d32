//! A proxy for TLCP (GB/T 38636-2020) and TLS 1.3 with ShangMi (RFC 8998).
//!
//! In front of a server that speaks neither, it takes both on one port, and ordinary TLS, too, if
//! it is given an ordinary certificate. For a client that speaks neither, it listens without
//! protection and connects with it. The program `kuaimi proxy` is this crate with options;
//! `docs/tls.md` describes it.
//!
//! | room | what it does |
//! | --- | --- |
//! | [`config`] | what a configuration says, from a TOML file or from options |
//! | `files` | certificates, keys and passwords from files |
//! | `sides` | configurations of TLCP and TLS, made of them |
//! | `stream` | a connection in one of the protocols; which one it is |
//! | `relay` | bytes both ways, with half-closes and the time limit of silence |
//! | `connection` | one connection from its acceptance to its end |
//! | `listener` | acceptance and its limits |
//! | `proxy` | all listeners: start, reload, stop |
//! | `admin`, `metrics` | metrics and health |
//! | `run` | the program: signals, log, systemd |
//!
//! ```no_run
//! use kuaimi_proxy::{Passwords, Proxy, config::Config};
//!
//! async fn serve() -> Result<(), kuaimi_proxy::Error> {
//!     let config = Config::from_toml(
//!         r#"
//!         [[server]]
//!         listen = "127.0.0.1:8443"
//!         to = "127.0.0.1:8080"
//!         cert = "sign.crt"
//!         key = "sign.pem"
//!         enc_cert = "enc.crt"
//!         enc_key = "enc.pem"
//!         "#,
//!         "proxy.toml".as_ref(),
//!     )?;
//!     let proxy = Proxy::start(config, Passwords::default()).await?;
//!     tokio::signal::ctrl_c().await.ok();
//!     proxy.stop().await;
//!     Ok(())
//! }
//! ```

#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]

mod admin;
pub mod config;
mod connection;
mod error;
mod files;
mod listener;
mod metrics;
mod proxy;
mod rate;
mod relay;
mod run;
mod sides;
mod stream;

pub use error::Error;
pub use files::{Password, Passwords};
pub use proxy::Proxy;
pub use run::run;
