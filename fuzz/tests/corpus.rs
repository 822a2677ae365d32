//! The inputs that are kept (the seeds, and those on which a check once failed), and random changes
//! of them.

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
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
        // A machine that is made for the tests has no such file afterwards.
        let digits: String = input.iter().map(|byte| format!("{byte:02x}")).collect();
        eprintln!("{name} fails on {}, which is {digits}", path.display());
        resume_unwind(panic);
    }
}

/// The inputs that are kept, and changes of them: `KUAIMI_FUZZ_SECONDS` for each check; without it,
/// a few only. `KUAIMI_FUZZ_SEED` for others.
///
/// Each check has a process of its own, since those that compare backends choose one for the whole
/// process.
#[test]
fn inputs_and_changes_of_them_pass() {
    if let Ok(wanted) = std::env::var("KUAIMI_FUZZ_CHECK") {
        let check = CHECKS.into_iter().find(|(name, _)| *name == wanted);
        let (name, check) = check.expect("the name of a check");
        return one(name, check);
    }
    let next = AtomicUsize::new(0);
    let failed = Mutex::new(Vec::new());
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let work = || {
        while let Some((name, _)) = CHECKS.get(next.fetch_add(1, Ordering::Relaxed)) {
            let status = Command::new(std::env::current_exe().unwrap())
                .args(["--exact", "inputs_and_changes_of_them_pass", "--nocapture"])
                .env("KUAIMI_FUZZ_CHECK", name)
                .stdout(Stdio::null())
                .status();
            if !status.unwrap().success() {
                failed.lock().unwrap().push(*name);
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..cores {
            scope.spawn(work);
        }
    });
    assert_eq!(*failed.lock().unwrap(), [""; 0]);
}

fn one(name: &str, check: Check) {
    let number = |name| {
        std::env::var(name).ok().map(|it| {
            it.parse()
                .unwrap_or_else(|_| panic!("{name}={it} is no whole number"))
        })
    };
    let time = number("KUAIMI_FUZZ_SECONDS").map(Duration::from_secs);
    let seed = number("KUAIMI_FUZZ_SEED").unwrap_or(1);
    let mut random = Repeatable(seed);
    let inputs = kept(name);
    assert!(!inputs.is_empty(), "{name} has no seed");
    inputs.iter().for_each(|input| run(name, check, input));
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
    let took = started.elapsed().as_secs_f64();
    eprintln!("{name}: {count} inputs in {took:.1} s, seed {seed}");
}

/// A state of some hundred bytes that names a shared key of 256 MiB, under a tag that anyone can
/// make.
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
