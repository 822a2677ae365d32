//! What a machine that errs gives out: `faults [FLIPS [SEED [OPERATION…]]]`. For each flip, a child
//! process runs an operation once, and a timer stops it at a random moment and flips one random bit
//! of a register, a flag or the stack. Its result is compared with the right one. The status is 1
//! if a signature that was verified before it was given out reveals the key or some of its nonce.
//!
//! | module | what |
//! | --- | --- |
//! | `operations` | what is run, and the right results |
//! | `flip` | the timer, and the bit |
//! | `trial` | a child process with one flip, and how it ended |
//! | `leak` | what a wrong signature of SM2 reveals |
//!
//! Linux on x86-64, all cores. `docs/evidence.md` has figures.

#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod flip;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod leak;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod operations;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod trial;

#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
fn main() {
    let mut arguments = std::env::args().skip(1);
    let mut number = |default: u64| match arguments.next().map(|text| text.parse()) {
        Some(Ok(number)) => number,
        None => default,
        Some(Err(_)) => {
            eprintln!("error: faults [FLIPS [SEED [OPERATION…]]], with numbers for the first two");
            std::process::exit(2);
        }
    };
    let (flips, seed) = (number(10_000), number(1));
    let chosen: Vec<String> = arguments.collect();
    let operations = operations::all();
    for name in &chosen {
        if !operations.iter().any(|operation| operation.name == name) {
            let names: Vec<_> = operations.iter().map(|operation| operation.name).collect();
            eprintln!(
                "error: there is no operation {name}; there are: {}",
                names.join(", ")
            );
            std::process::exit(2);
        }
    }
    println!("backend {}, seed {seed}", kuaimi::backend());
    // What the check after signing costs; with no flips, that is all.
    for operation in &operations {
        let microseconds = trial::duration(operation) as f64 / 1000.0;
        println!("{}: {microseconds:.1} µs", operation.name);
    }
    if flips == 0 {
        return;
    }
    trial::print_head();
    let mut promise_broken = false;
    for operation in &operations {
        if chosen.is_empty() || chosen.iter().any(|name| name == operation.name) {
            let counts = trial::run(operation, flips, seed);
            trial::print_row(operation, counts);
            promise_broken |= operation.name.ends_with("-checked") && trial::revealing(counts) != 0;
        }
    }
    if promise_broken {
        eprintln!("error: a signature that was verified reveals the key, or some of its nonce");
        std::process::exit(1);
    }
}

#[cfg(not(all(target_os = "linux", target_arch = "x86_64")))]
fn main() {
    eprintln!("error: bits are flipped on Linux for x86-64 only");
    std::process::exit(2);
}
