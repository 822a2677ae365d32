//! The library's fastest backend of this machine, for rungs that compute with it.

use std::sync::{Mutex, PoisonError};

use kuaimi_math::arith::Backend;
use kuaimi_math::arith::backend::{Visitor, for_each};

/// A function with the backend as its type parameter.
pub(super) trait OnFastest {
    type Output;

    fn run<B: Backend>(self) -> Self::Output;
}

/// Calls the function with the backend that the library takes here, unless `KUAIMI_BACKEND` says otherwise.
pub(super) fn on_fastest<F: OnFastest>(function: F) -> F::Output
where
    F::Output: Default,
{
    struct Count(usize);
    impl Visitor for Count {
        fn visit<B: Backend>(&mut self) {
            self.0 += 1;
        }
    }
    struct Last<F: OnFastest> {
        left: usize,
        function: Option<F>,
        output: F::Output,
    }
    impl<F: OnFastest> Visitor for Last<F> {
        fn visit<B: Backend>(&mut self) {
            self.left -= 1;
            if self.left == 0
                && let Some(function) = self.function.take()
            {
                self.output = function.run::<B>();
            }
        }
    }
    // They come from slow to fast.
    let mut count = Count(0);
    for_each(&mut count);
    let mut last = Last {
        left: count.0,
        function: Some(function),
        output: F::Output::default(),
    };
    for_each(&mut last);
    last.output
}

/// Held while the choice for the whole process is another one.
static CHOICE: Mutex<()> = Mutex::new(());

/// Does something with a row of the library's table of implementations, and restores the choice. Nobody else does so meanwhile.
pub(crate) fn on_row<T>(name: &str, action: impl FnOnce() -> T) -> T {
    let _held = CHOICE.lock().unwrap_or_else(PoisonError::into_inner);
    let before = kuaimi::backend().name();
    // A row that is not there is not chosen; the names come from the table.
    let _ = kuaimi::set_backend(name);
    let result = action();
    let _ = kuaimi::set_backend(before);
    result
}

/// The rows that a ladder shows, from plain code to what the library takes here: as many as this CPU can run.
pub(super) fn rows() -> Vec<&'static str> {
    let best = kuaimi::backend().name();
    let mut rows: Vec<&str> = ["portable64", "adx"]
        .into_iter()
        .filter(|row| kuaimi::backends().any(|name| name == *row) && *row != best)
        .collect();
    rows.push(best);
    rows
}
