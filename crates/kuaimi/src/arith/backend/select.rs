//! Which backend this process uses: decided once, from what the CPU is and what `KUAIMI_BACKEND` says.
//!
//! A name stands for two decisions: how single numbers are computed ([`Kind`]), and what batches compute several at a time with
//! ([`LanesKind`]). [`ROWS`] is the one place that says which.

#[cfg(all(target_arch = "x86_64", not(miri)))]
use crate::arith::lanes::{avx2::Avx2, ifma::AvxIfma, ifma::Ifma};
use crate::choice::Choice;
use crate::choice::with_wanted;

/// The scalar backends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Rust on 64-bit limbs with 128-bit products.
    Portable64,
    /// Rust on 32-bit words with 64-bit products.
    Portable32,
    /// MULX, ADCX and ADOX.
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    Adx,
}

impl Kind {
    /// Portable code in the width of this target's registers.
    const PORTABLE: Self = if cfg!(target_pointer_width = "64") {
        Self::Portable64
    } else {
        Self::Portable32
    };

    /// Whether this CPU can run it.
    fn is_available(self) -> bool {
        match self {
            Self::Portable64 | Self::Portable32 => true,
            #[cfg(all(target_arch = "x86_64", not(miri)))]
            Self::Adx => super::Adx::is_available(),
        }
    }
}

/// What batches compute several numbers at a time with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LanesKind {
    /// Nothing: one after the other.
    None,
    /// Four lanes in the registers of AVX2.
    Avx2,
    /// Eight lanes in the registers of AVX-512 with its 52-bit multiplier, or four where that comes with AVX alone.
    Ifma,
}

impl LanesKind {
    /// Whether this CPU can run it.
    fn is_available(self) -> bool {
        match self {
            Self::None => true,
            #[cfg(all(target_arch = "x86_64", not(miri)))]
            Self::Avx2 => Avx2::available(),
            #[cfg(all(target_arch = "x86_64", not(miri)))]
            Self::Ifma => Ifma::available() || AvxIfma::available(),
            #[cfg(not(all(target_arch = "x86_64", not(miri))))]
            _ => false,
        }
    }
}

/// A name and what it stands for.
struct Row {
    name: &'static str,
    scalar: Kind,
    lanes: LanesKind,
}

/// The names that `KUAIMI_BACKEND` may have, from the slowest to the fastest: a CPU that can run one can run those above it.
const ROWS: &[Row] = &[
    Row {
        name: "portable32",
        scalar: Kind::Portable32,
        lanes: LanesKind::None,
    },
    Row {
        name: "portable64",
        scalar: Kind::Portable64,
        lanes: LanesKind::None,
    },
    Row {
        name: "portable",
        scalar: Kind::PORTABLE,
        lanes: LanesKind::None,
    },
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    Row {
        name: "adx",
        scalar: Kind::Adx,
        lanes: LanesKind::None,
    },
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    Row {
        name: "avx2",
        scalar: Kind::Adx,
        lanes: LanesKind::Avx2,
    },
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    Row {
        name: "ifma",
        scalar: Kind::Adx,
        lanes: LanesKind::Ifma,
    },
];

const NAMES: [&str; ROWS.len()] = {
    let mut names = [""; ROWS.len()];
    let mut i = 0;
    while i < names.len() {
        names[i] = ROWS[i].name;
        i += 1;
    }
    names
};

/// How many rows this CPU can run.
fn available() -> usize {
    ROWS.iter()
        .take_while(|row| row.scalar.is_available() && row.lanes.is_available())
        .count()
}

/// The names that this CPU can run.
pub fn names() -> &'static [&'static str] {
    &NAMES[..available()]
}

/// The row that `wanted` names, else the last one that this CPU can run. A name that this build or this CPU does not know is
/// ignored rather than fatal: a library must not bring its host down.
fn choose(wanted: Option<&str>) -> usize {
    let names = names();
    names
        .iter()
        .position(|name| Some(*name) == wanted)
        // The portable rows are always there.
        .unwrap_or(names.len().saturating_sub(1))
}

#[inline]
fn row() -> &'static Row {
    static CHOICE: Choice<Row> = Choice::new();
    CHOICE.among(ROWS, || with_wanted(choose))
}

/// The scalar backend of this process.
#[inline]
pub fn selected() -> Kind {
    row().scalar
}

/// What this process computes batches with.
#[inline]
pub fn selected_lanes() -> LanesKind {
    row().lanes
}

/// The name that stands for both.
pub fn selected_name() -> &'static str {
    row().name
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
            #[cfg(all(target_arch = "x86_64", not(miri)))]
            $crate::arith::backend::Kind::Adx => {
                type $backend = $crate::arith::backend::Adx;
                $body
            }
        }
    };
}
pub(crate) use with_backend;

#[cfg(test)]
mod tests {
    use super::*;

    /// What is offered is taken, whatever else is asked for gives the best, and the best is the last.
    #[test]
    fn names_are_taken() {
        for (i, name) in names().iter().enumerate() {
            assert_eq!(choose(Some(name)), i);
            assert_eq!(ROWS[i].name, *name);
        }
        let best = names().len() - 1;
        for wanted in [None, Some("portable33"), Some("")] {
            assert_eq!(choose(wanted), best);
        }
        for row in &ROWS[names().len()..] {
            assert_eq!(choose(Some(row.name)), best, "{} cannot run here", row.name);
        }
    }

    /// `portable` is the best that needs nothing of the CPU, and follows the target's width.
    #[test]
    fn portable_is_always_there() {
        let row = &ROWS[choose(Some("portable"))];
        assert_eq!((row.name, row.lanes), ("portable", LanesKind::None));
        let wide = cfg!(target_pointer_width = "64");
        let expected = if wide {
            Kind::Portable64
        } else {
            Kind::Portable32
        };
        assert_eq!(row.scalar, expected);
    }

    /// A CPU that runs a row runs those above it, on which `available` relies.
    #[test]
    fn rows_build_on_each_other() {
        let runs: Vec<bool> = ROWS
            .iter()
            .map(|row| row.scalar.is_available() && row.lanes.is_available())
            .collect();
        assert!(runs.is_sorted_by(|a, b| a >= b), "{runs:?}");
    }
}
