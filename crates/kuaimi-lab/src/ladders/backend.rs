//! The library's fastest backend of this machine, for rungs that compute with it.

use kuaimi_math::arith::Backend;
use kuaimi_math::arith::backend::{Visitor, for_each};

/// A function with the backend as its type parameter.
pub(super) trait OnFastest {
    type Output;

    fn run<B: Backend>(self) -> Self::Output;
}

/// Calls the function with the backend that the library takes here, unless `KUAIMI_BACKEND` says
/// otherwise.
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

/// The implementations that a ladder shows, from plain code to what the library takes here: as many
/// as this CPU can run.
pub(super) fn implementations() -> Vec<&'static str> {
    let best = kuaimi::backend().name();
    let mut names: Vec<&str> = ["portable64", "adx"]
        .into_iter()
        .filter(|name| kuaimi::backends().any(|one| one == *name) && *name != best)
        .collect();
    names.push(best);
    names
}
