//! Which backend this process uses: decided once, from what the CPU is and what `KUAIMI_BACKEND` says.

use core::sync::atomic::{AtomicU8, Ordering};

/// The backends that can be selected at run time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Kind {
    /// Rust on 64-bit limbs with 128-bit products.
    Portable64 = 1,
    /// Rust on 32-bit words with 64-bit products.
    Portable32 = 2,
}

/// The names that `KUAIMI_BACKEND` may have.
pub const NAMES: &[&str] = &["portable", "portable64", "portable32"];

impl Kind {
    /// Portable code in the width of this target's registers.
    const PORTABLE: Self = if cfg!(target_pointer_width = "64") {
        Self::Portable64
    } else {
        Self::Portable32
    };

    /// The name that `kuaimi speed` prints.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Portable64 => "portable",
            Self::Portable32 => "portable32",
        }
    }

    /// The kind that `KUAIMI_BACKEND` names; `portable` is the portable code in this target's width.
    #[cfg(feature = "std")]
    fn from_name(name: &str) -> Option<Self> {
        match name {
            "portable" => Some(Self::PORTABLE),
            "portable64" => Some(Self::Portable64),
            "portable32" => Some(Self::Portable32),
            _ => None,
        }
    }

    #[cfg(feature = "std")]
    fn decide() -> Self {
        // A name this build does not know is ignored rather than fatal: a library must not bring its host down.
        std::env::var("KUAIMI_BACKEND")
            .ok()
            .and_then(|name| Self::from_name(name.trim()))
            .unwrap_or(Self::PORTABLE)
    }

    #[cfg(not(feature = "std"))]
    fn decide() -> Self {
        Self::PORTABLE
    }
}

static SELECTED: AtomicU8 = AtomicU8::new(0);

/// The backend of this process.
#[inline]
pub fn selected() -> Kind {
    match SELECTED.load(Ordering::Relaxed) {
        1 => Kind::Portable64,
        2 => Kind::Portable32,
        _ => decide_and_keep(),
    }
}

#[cold]
fn decide_and_keep() -> Kind {
    let kind = Kind::decide();
    SELECTED.store(kind as u8, Ordering::Relaxed);
    kind
}

/// Evaluates an expression with a type name bound to the selected backend: the door through which protocols enter
/// generic code.
macro_rules! with_backend {
    ($backend:ident => $body:expr) => {
        match $crate::arith::backend::selected() {
            $crate::arith::backend::Kind::Portable64 => {
                type $backend = $crate::arith::backend::Portable64;
                $body
            }
            $crate::arith::backend::Kind::Portable32 => {
                type $backend = $crate::arith::backend::Portable32;
                $body
            }
        }
    };
}
pub(crate) use with_backend;

#[cfg(all(test, feature = "std"))]
mod tests {
    use super::{Kind, NAMES};

    /// What is offered is taken, what is printed is offered, and nothing else is.
    #[test]
    fn names_are_known() {
        for name in NAMES {
            let kind = Kind::from_name(name).expect("a name on the list");
            assert!(NAMES.contains(&kind.name()));
        }
        assert_eq!(Kind::from_name("portable33"), None);
    }
}
