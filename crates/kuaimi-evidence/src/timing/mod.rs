//! Whether the time of an operation depends on its secrets, by statistics on this machine: the
//! method of dudect (Reparaz, Balasch and Verbauwhede, "Dude, is my code constant time?", 2017).
//!
//! Each operation is timed with a secret that is always the same and with random ones, in random
//! order, and the two distributions are compared ([`difference`]). This sees what valgrind does
//! not: how long an instruction takes for its operands. It does not see differences that are
//! smaller than the noise of the machine.

mod cpu;
mod difference;
mod operations;
mod stack;

use std::hint::black_box;
use std::time::{Duration, Instant};

use anyhow::{Result, bail, ensure};
use kuaimi_testing::Repeatable;

use difference::Times;

/// `|t|` from which on two distributions are taken to differ: the value that dudect's authors use.
const DIFFERENT: f64 = 10.0;
/// Nanoseconds, one or two cycles, from which on a difference is a leak. Over millions of times,
/// smaller ones show for single secrets though the instructions are the same (docs/evidence.md); a
/// branch, a miss of a cache or a division is many times as long.
const LEAK: f64 = 0.5;

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Seconds for each operation.
    #[arg(long, default_value_t = 20.0, value_name = "S")]
    seconds: f64,
    /// Operations whose names contain this; all by default.
    #[arg(long, default_value = "", value_name = "TEXT")]
    operation: String,
    /// Where the random secrets begin: another number gives others.
    #[arg(long, default_value_t = 1, value_name = "NUMBER")]
    seed: u64,
}

type Pass = dyn Fn(&mut Repeatable, &mut Times) -> Result<()>;

/// An operation, whose inputs are made anew again and again.
pub(crate) struct Operation {
    name: &'static str,
    /// Planted: it must be found.
    leaks: bool,
    /// Makes inputs, and times the operation on them.
    pass: Box<Pass>,
}

/// Inputs in memory at a time. Each has tables of its own, so that both classes find the caches
/// alike.
const INPUTS: usize = 64;
/// Times that each input is used, on average, before others are made.
const USES: usize = 10;

impl Operation {
    fn new<T: Clone + 'static>(
        name: &'static str,
        make: impl Fn(&mut Repeatable, Class) -> Result<T> + 'static,
        call: impl Fn(&T) + 'static,
    ) -> Self {
        let pass = move |rng: &mut Repeatable, times: &mut Times| {
            let mut inputs = Vec::with_capacity(INPUTS);
            for _ in 0..INPUTS {
                // By chance, as a place in memory may be faster than another one.
                let class = [Class::Fixed, Class::Random][(rng.word() & 1) as usize];
                inputs.push((class, make(rng, class)?));
            }
            // Tables are made at the first uses.
            for (_, input) in inputs.iter().chain(&inputs).chain(&inputs) {
                call(input);
            }
            stack::moved(rng.word(), || {
                for _ in 0..USES * INPUTS {
                    let (class, input) = &inputs[(rng.word() % INPUTS as u64) as usize];
                    // At the same place for the whole pass.
                    let input = black_box(input.clone());
                    let start = Instant::now();
                    call(&input);
                    let time = start.elapsed();
                    times.push(*class as usize, time.as_nanos() as f64);
                }
            });
            times.end_pass();
            Ok(())
        };
        Self {
            name,
            leaks: false,
            pass: Box::new(pass),
        }
    }

    fn planted(self) -> Self {
        Self {
            leaks: true,
            ..self
        }
    }
}

/// What secret an input has.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Class {
    Fixed,
    Random,
}

impl Class {
    /// The generator that secrets come from.
    fn secrets(self, rng: &mut Repeatable) -> Repeatable {
        let random = rng.word();
        Repeatable(match self {
            Self::Fixed => 0x5EC2_E75E,
            Self::Random => random,
        })
    }
}

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    ensure!(
        arguments.seconds.is_finite() && arguments.seconds > 0.0,
        "--seconds is a number above 0"
    );
    if cfg!(debug_assertions) {
        eprintln!(
            "kuaimi-evidence: built without --release: what users run may behave differently"
        );
    }
    cpu::stay_on_one();
    let operations: Vec<_> = operations::all()
        .into_iter()
        .filter(|operation| operation.name.contains(&arguments.operation))
        .collect();
    ensure!(
        !operations.is_empty(),
        "no operation has a name with {:?}",
        arguments.operation
    );
    println!("backend: {}", kuaimi::backend());
    println!(
        "{:<44} {:>10} {:>8} {:>12}",
        "operation", "times", "max |t|", "difference"
    );
    let count = operations.len();
    let mut wrong = Vec::new();
    for operation in operations {
        let times = measure(&operation, arguments)?;
        let Some((t, difference)) = times.largest() else {
            bail!(
                "{}: too few times in {} s; give it more with --seconds",
                operation.name,
                arguments.seconds
            );
        };
        let leaks = times.differ(DIFFERENT, LEAK);
        let verdict = match (leaks, operation.leaks) {
            (true, true) => "planted, and found",
            (false, true) => "PLANTED, AND NOT FOUND",
            (true, false) => "DEPENDS ON THE SECRET",
            (false, false) if t > DIFFERENT => "less than a leak's",
            (false, false) => "",
        };
        let line = format!(
            "{:<44} {:>10} {t:>8.1} {difference:>9.1} ns  {verdict}",
            operation.name,
            times.count()
        );
        println!("{}", line.trim_end());
        if leaks != operation.leaks {
            wrong.push(operation.name);
        }
    }
    ensure!(
        wrong.is_empty(),
        "not as it should be: {}",
        wrong.join(", ")
    );
    println!("{count} operations: every planted leak is found, and no other.");
    Ok(())
}

fn measure(operation: &Operation, arguments: &Arguments) -> Result<Times> {
    let end = Instant::now() + Duration::from_secs_f64(arguments.seconds);
    let (mut rng, mut times) = (Repeatable(arguments.seed), Times::default());
    while Instant::now() < end {
        (operation.pass)(&mut rng, &mut times)?;
    }
    Ok(times)
}
