//! A key with or without its table: to the caller, a prepared key is a key of the same type that is faster.

/// A key, or the same key with a table.
pub(crate) enum Key<K, P> {
    /// Without a table.
    Plain(K),
    /// With a table.
    Prepared(P),
}

/// `either!(key => key.sign(message))`: the same expression for both.
macro_rules! either {
    ($key:ident => $use:expr) => {
        match $key {
            $crate::prepared::Key::Plain($key) => $use,
            $crate::prepared::Key::Prepared($key) => $use,
        }
    };
}
pub(crate) use either;
