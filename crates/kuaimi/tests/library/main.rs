//! The library by itself: vectors, behaviour, refusals. Run some with a filter:
//! `cargo test -p kuaimi --test library sm2_batch::`.

mod common {
    pub(crate) mod keys;
    pub(crate) mod numbers;
}

mod encoding;
mod encoding_forms;
mod encoding_keys;
mod encoding_password;
mod published_refusals;
mod random_generators;
mod readme;
mod sm2_batch;
mod sm2_behaviour;
mod sm2_edge_signatures;
mod sm2_exchange_state;
mod sm2_explain;
mod sm2_refusals;
mod sm2_stream;
mod sm2_tables;
mod sm2_vectors;
mod sm3;
#[cfg(feature = "batch")]
mod sm4_batch;
mod sm4_vectors;
mod sm9_batch;
mod sm9_refusals;
mod sm9_tables;
mod sm9_vectors;
mod wycheproof;
