//! Proxies before backends, with clients of their own.

mod client;
mod common;
mod configuration;
mod faults;
mod limits;
mod protocols;
mod reload;
