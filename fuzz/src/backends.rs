//! The same with every backend of this machine.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Which backend the best one is compared with, where not all are; 0 for all.
static OTHER: AtomicUsize = AtomicUsize::new(0);

/// From here on, only the best backend and another one, which depends on these bytes: a
/// coverage-guided run wants many inputs, of which each finds some backend; and an input that
/// failed fails again.
pub fn compare_two(data: &[u8]) {
    let mut hasher = DefaultHasher::new();
    data.hash(&mut hasher);
    let number = usize::try_from(hasher.finish() % 1_000_000).expect("small");
    OTHER.store(1 + number, Ordering::Relaxed);
}

/// What `run` gives with each backend; a panic where two differ.
pub fn agree<T: PartialEq + std::fmt::Debug>(run: impl Fn() -> T) -> T {
    static ALL: OnceLock<Vec<&'static str>> = OnceLock::new();
    let all = ALL.get_or_init(|| kuaimi::backends().collect());
    let (best, others) = all.split_last().expect("there is a backend");
    let others = match OTHER.load(Ordering::Relaxed) {
        0 => others,
        _ if others.is_empty() => others,
        number => std::slice::from_ref(&others[number % others.len()]),
    };
    let with = |name: &str| {
        kuaimi::set_backend(name).expect("it is listed");
        run()
    };
    let expected = with(best);
    for name in others {
        assert_eq!(with(name), expected, "{name} and {best} differ");
    }
    expected
}
