//! A connection over tokio.
