//! The inputs that are kept (the seeds, and those on which a check once failed), and random changes of them.

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::Path;
use std::time::{Duration, Instant};

use kuaimi_fuzz::{CHECKS, Check};
use kuaimi_testing::Repeatable;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The inputs that are kept for a check.
fn kept(name: &str) -> Vec<Vec<u8>> {
    let mut inputs = Vec::new();
    for folder in ["seeds", "found"] {
        let Ok(files) = fs::read_dir(root().join(folder).join(name)) else {
            continue;
        };
        let mut paths: Vec<_> = files.map(|file| file.unwrap().path()).collect();
        paths.sort();
        inputs.extend(paths.iter().map(|path| fs::read(path).unwrap()));
    }
    inputs
}

/// Keeps the input on which the check fails.
fn run(name: &str, check: Check, input: &[u8]) {
    if let Err(panic) = catch_unwind(AssertUnwindSafe(|| check(input))) {
        let path = std::env::temp_dir().join(format!("kuaimi-fuzz-{name}"));
        fs::write(&path, input).unwrap();
        eprintln!("{name} fails on {}", path.display());
        resume_unwind(panic);
    }
}

#[test]
fn inputs_that_are_kept_pass() {
    for (name, check) in CHECKS {
        let inputs = kept(name);
        assert!(!inputs.is_empty(), "{name} has no seed");
        inputs.iter().for_each(|input| run(name, check, input));
    }
}

/// A state of some hundred bytes that names a shared key of 256 MiB, under a tag that anyone can make.
#[test]
fn states_with_long_keys_are_refused() {
    use kuaimi_fuzz::states::{of_sm2, of_sm9};
    let long = |state: &[u8], place: usize| {
        let mut content = state[..state.len() - 32].to_vec();
        assert_eq!(content[place..place + 8], 16u64.to_be_bytes());
        content[place + 4] = 0x10;
        content.extend(kuaimi::sm3::hmac_sm3(&[], &content));
        content
    };
    let [_, state] = of_sm2();
    assert!(kuaimi::sm2::exchange::Response::from_bytes(&state).is_ok());
    let read = kuaimi::sm2::exchange::Response::from_bytes(&long(&state, state.len() - 40));
    assert_eq!(read.err(), Some(kuaimi::sm2::Error::ExchangeState));
    let [_, state] = of_sm9();
    assert!(kuaimi::sm9::exchange::Response::from_bytes(&state).is_ok());
    let read = kuaimi::sm9::exchange::Response::from_bytes(&long(&state, 8));
    assert_eq!(read.err(), Some(kuaimi::sm9::Error::ExchangeState));
}

/// `KUAIMI_FUZZ_SECONDS` for each check; without it, a few inputs only. `KUAIMI_FUZZ_SEED` for others.
#[test]
fn changed_inputs_pass() {
    let number = |name| std::env::var(name).ok().and_then(|it| it.parse().ok());
    let time = number("KUAIMI_FUZZ_SECONDS").map(Duration::from_secs);
    let mut random = Repeatable(number("KUAIMI_FUZZ_SEED").unwrap_or(1));
    let mut total = 0;
    for (name, check) in CHECKS {
        let inputs = kept(name);
        let (started, mut count) = (Instant::now(), 0);
        while time.map_or(count < 20, |time| started.elapsed() < time) {
            let any = |random: &mut Repeatable| &inputs[random.word() as usize % inputs.len()];
            let mut input = any(&mut random).clone();
            for _ in 0..=random.word() % 4 {
                let other = any(&mut random).clone();
                change(&mut input, &other, &mut random);
            }
            run(name, check, &input);
            count += 1;
        }
        eprintln!(
            "{name}: {count} inputs in {:.1} s",
            started.elapsed().as_secs_f64()
        );
        total += count;
    }
    eprintln!("{total} inputs pass");
}

fn change(input: &mut Vec<u8>, other: &[u8], random: &mut Repeatable) {
    let [kind, value, place, end] = std::array::from_fn(|_| random.word() as usize);
    let place = place % (input.len() + 1);
    match kind % 8 {
        0 | 1 => {
            if let Some(byte) = input.get_mut(place) {
                *byte ^= 1 << (value % 8);
            }
        }
        2 => {
            if let Some(byte) = input.get_mut(place) {
                *byte = [0, 1, 0x7f, 0x80, 0xff, value as u8][end % 6];
            }
        }
        3 => input.insert(place, value as u8),
        4 => input.truncate(place),
        5 => {
            let end = place + end % (input.len() - place + 1);
            drop(input.drain(place..end));
        }
        6 => {
            let start = value % (other.len() + 1);
            let end = start + end % (other.len() - start + 1);
            input.splice(place..place, other[start..end].iter().copied());
        }
        _ => {
            let fresh: Vec<u8> = (0..value % 64).map(|_| random.word() as u8).collect();
            input.splice(place..place, fresh);
        }
    }
}
