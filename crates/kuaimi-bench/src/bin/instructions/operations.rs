//! What is counted: each operation as users call it, on inputs that are the same on every run.

mod sm2;
mod sm9;
mod symmetric;

use std::error::Error;
use std::hint::black_box;

use kuaimi_testing::Repeatable;

pub(super) type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// An operation's name, and what does it once.
pub(super) struct Operation {
    pub(super) name: &'static str,
    work: Box<dyn FnMut() -> Result<()>>,
}

/// Callgrind counts from this function's beginning to its end: it is known to it by its name.
#[inline(never)]
pub(super) fn counted_operation(work: &mut dyn FnMut() -> Result<()>) -> Result<()> {
    black_box(work)()
}

/// All of them, in the order of the baseline.
pub(super) fn all() -> Result<Vec<Operation>> {
    let mut operations = sm2::operations()?;
    operations.extend(sm9::operations()?);
    operations.extend(symmetric::operations());
    Ok(operations)
}

/// Does each operation twice, the second time counted: tables that a process makes once are there
/// by then.
pub(super) fn run() -> Result<()> {
    kuaimi::check_backend_variable()?;
    for Operation { name, mut work } in all()? {
        work().map_err(|error| format!("{name}: {error}"))?;
        counted_operation(&mut work)?;
    }
    Ok(())
}

fn new<T, E: Into<Box<dyn Error>>>(
    name: &'static str,
    mut work: impl FnMut() -> std::result::Result<T, E> + 'static,
) -> Operation {
    Operation {
        name,
        work: Box::new(move || {
            black_box(work().map_err(Into::into)?);
            Ok(())
        }),
    }
}

/// Bytes that are the same on every run.
fn fixed<const N: usize>(seed: u64) -> [u8; N] {
    let mut numbers = Repeatable(seed);
    std::array::from_fn(|_| numbers.word() as u8)
}
