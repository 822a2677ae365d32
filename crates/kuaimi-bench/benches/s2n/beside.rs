//! The measurement, for Linux on x86-64.

use std::ffi::{CStr, CString, c_void};
use std::hint::black_box;

use kuaimi_math::arith::backend::{Backend, Visitor, for_each};
use kuaimi_math::arith::{Field, PrimeField, U256};
use kuaimi_math::curve::{Curve, Jacobian, Xyzz, scalar_mul};
use kuaimi_math::sm2::curve::{Fp, Scalar, Sm2};
use rustix::time::{ClockId, clock_gettime};

const ROUNDS: usize = 101;
/// Nanoseconds.
const SLICE: f64 = 20_000.0;

/// A routine of s2n-bignum. One with fewer arguments ignores the last ones.
type Routine = unsafe extern "C" fn(*mut u64, *const u64, *const u64);

type Work<'a> = Box<dyn FnMut() + 'a>;

struct Row<'a> {
    name: &'a str,
    ours: Work<'a>,
    theirs: Vec<Work<'a>>,
}

/// How many nanoseconds this thread has been on a processor.
fn now() -> f64 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    time.tv_sec as f64 * 1e9 + time.tv_nsec as f64
}

/// The mean time of so many operations.
fn time(work: &mut Work, count: usize) -> f64 {
    let start = now();
    (0..count).for_each(|_| work());
    (now() - start) / count as f64
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}

/// The medians of each kind of work, and those of its ratios to the first.
fn measure(all: &mut [&mut Work]) -> Vec<(f64, f64)> {
    let counts: Vec<usize> = all
        .iter_mut()
        .map(|work| {
            time(work, 20);
            (SLICE / time(work, 20)) as usize + 1
        })
        .collect();
    let mut times = vec![Vec::new(); all.len()];
    for round in 0..ROUNDS {
        for i in 0..all.len() {
            let i = (i + round) % all.len();
            times[i].push(time(all[i], counts[i]));
        }
    }
    let ratio =
        |other: &Vec<f64>| median(other.iter().zip(&times[0]).map(|(a, b)| a / b).collect());
    times
        .iter()
        .map(|each| (median(each.clone()), ratio(each)))
        .collect()
}

/// The instructions of one call.
fn instructions(work: &mut dyn FnMut()) -> u64 {
    single_steps(work) - single_steps(&mut || ())
}

fn single_steps(work: &mut dyn FnMut()) -> u64 {
    work();
    let mut status = 0;
    let null = std::ptr::null_mut::<c_void>();
    // SAFETY: the child only computes, and ends. The parent steps it and waits, and no pointer is
    // passed.
    unsafe {
        let child = libc::fork();
        if child == 0 {
            libc::ptrace(libc::PTRACE_TRACEME, 0, null, null);
            libc::raise(libc::SIGSTOP);
            work();
            libc::_exit(0);
        }
        assert_eq!(libc::waitpid(child, &mut status, 0), child, "no process");
        let mut steps = 0;
        while !libc::WIFEXITED(status) {
            assert!(libc::WIFSTOPPED(status), "the child was ended");
            assert_eq!(libc::ptrace(libc::PTRACE_SINGLESTEP, child, null, null), 0);
            assert_eq!(libc::waitpid(child, &mut status, 0), child);
            steps += 1;
        }
        steps
    }
}

/// The routines of a shared library.
struct Library(*mut c_void);

impl Library {
    fn open(path: &str) -> Self {
        let path = CString::new(path).expect("a path without zeros");
        // SAFETY: s2n-bignum runs no code when it is loaded.
        let library = unsafe { libc::dlopen(path.as_ptr(), libc::RTLD_NOW) };
        assert!(!library.is_null(), "{path:?} cannot be loaded");
        Self(library)
    }

    fn routine(&self, name: &CStr) -> Routine {
        // SAFETY: the routines of this name have this signature, or one with fewer arguments, which
        // on x86-64 are ignored.
        unsafe {
            let address = libc::dlsym(self.0, name.as_ptr());
            assert!(!address.is_null(), "no {name:?}");
            std::mem::transmute::<*mut c_void, Routine>(address)
        }
    }

    /// The routine of this name on its own results and another operand, with and without ADX.
    fn work<'a, const N: usize>(
        &self,
        names: [Option<&CStr>; 2],
        start: [u64; N],
        other: &'a [u64],
    ) -> Vec<Work<'a>> {
        let both = names.into_iter().flatten();
        both.map(|name| {
            let routine = self.routine(name);
            let mut state = start;
            // SAFETY: `start` and `other` are as long as the routine needs, which may write its
            // operand.
            Box::new(move || unsafe { routine(state.as_mut_ptr(), state.as_ptr(), other.as_ptr()) })
                as Work
        })
        .collect()
    }
}

fn limbs<B: Backend, const N: usize>(numbers: &[Fp<B>]) -> [u64; N] {
    let limbs: Vec<u64> = numbers.iter().flat_map(Field::to_limbs).collect();
    limbs.try_into().expect("four limbs a number")
}

fn compare<B: Backend>(library: &Library) {
    let g = Sm2::<B>::GENERATOR;
    let p = Jacobian::from(g).double().double();
    let other = Jacobian::from(g).double();
    let k = Scalar::<B>::from_u256_reduced(&U256([1, 2, 3, u64::MAX]));
    let affine: [u64; 8] = limbs(&[g.x, g.y]);
    let point: [u64; 12] = limbs(&[p.x, p.y, p.z]);
    let second: [u64; 12] = limbs(&[other.x, other.y, other.z]);
    let same: [u64; 12] = limbs(&[g.x, g.y, Fp::ONE]);
    let scalar_mul_theirs: Work = {
        let routine = library.routine(c"sm2_montjscalarmul");
        let mut state = same;
        // SAFETY: a Jacobian point, a scalar of four limbs, and a Jacobian point.
        Box::new(move || unsafe {
            routine(state.as_mut_ptr(), k.to_u256().0.as_ptr(), same.as_ptr())
        })
    };

    let (mut x, mut y, mut z) = (g.x, g.x, g.x);
    let mut s = k;
    let (mut doubled, mut sum, mut xyzz, mut full) = (p, p, Xyzz::from(p), p);
    let mut product = p;
    let rows = [
        Row {
            name: "multiplication mod p",
            ours: Box::new(|| x = x * g.y),
            theirs: library.work(
                [Some(c"bignum_montmul_sm2"), Some(c"bignum_montmul_sm2_alt")],
                limbs::<B, 4>(&[g.x]),
                &affine[4..],
            ),
        },
        Row {
            name: "squaring mod p",
            ours: Box::new(|| y = y.square()),
            theirs: library.work(
                [Some(c"bignum_montsqr_sm2"), Some(c"bignum_montsqr_sm2_alt")],
                limbs::<B, 4>(&[g.x]),
                &[],
            ),
        },
        Row {
            name: "inversion mod p",
            ours: Box::new(|| z = z.invert()),
            theirs: library.work(
                [Some(c"bignum_montinv_sm2"), None],
                limbs::<B, 4>(&[g.x]),
                &[],
            ),
        },
        Row {
            name: "inversion mod n",
            ours: Box::new(|| s = s.invert()),
            theirs: Vec::new(),
        },
        Row {
            name: "doubling",
            ours: Box::new(|| doubled.double_in_place()),
            theirs: library.work(
                [Some(c"sm2_montjdouble"), Some(c"sm2_montjdouble_alt")],
                point,
                &[],
            ),
        },
        Row {
            name: "mixed addition",
            ours: Box::new(|| sum.add_affine_in_place(&g)),
            theirs: library.work(
                [Some(c"sm2_montjmixadd"), Some(c"sm2_montjmixadd_alt")],
                point,
                &affine,
            ),
        },
        Row {
            name: "mixed addition, XYZZ",
            ours: Box::new(|| xyzz.add_affine_in_place(&g)),
            theirs: library.work(
                [Some(c"sm2_montjmixadd"), Some(c"sm2_montjmixadd_alt")],
                point,
                &affine,
            ),
        },
        Row {
            name: "addition",
            ours: Box::new(|| full = full.add_vartime(&other)),
            theirs: library.work(
                [Some(c"sm2_montjadd"), Some(c"sm2_montjadd_alt")],
                point,
                &second,
            ),
        },
        Row {
            name: "[k]P",
            ours: Box::new(|| product = scalar_mul::mul(black_box(&k), &g)),
            theirs: vec![scalar_mul_theirs],
        },
    ];
    println!(
        "{:22} {:>10} {:>10} {:>6} {:>12} {:>10} {:>6}",
        "", "ours, ns", "s2n, ns", "×", "instructions", "s2n", "×"
    );
    for mut row in rows {
        let mut all = vec![&mut row.ours];
        all.extend(row.theirs.iter_mut());
        let times = measure(&mut all);
        let ours = instructions(&mut row.ours);
        let fastest = (1..times.len()).min_by(|a, b| times[*a].0.total_cmp(&times[*b].0));
        let Some(fastest) = fastest else {
            println!(
                "{:22} {:>10.2} {:>10} {:>6} {ours:>12}",
                row.name, times[0].0, "—", ""
            );
            continue;
        };
        let theirs = instructions(&mut row.theirs[fastest - 1]);
        println!(
            "{:22} {:>10.2} {:>10.2} {:>6.2} {ours:>12} {theirs:>10} {:>6.2}",
            row.name,
            times[0].0,
            times[fastest].0,
            times[fastest].1,
            theirs as f64 / ours as f64
        );
    }
    black_box((&x, &y, &z, &s, &doubled, &sum, &xyzz, &full, &product));
}

struct Adx<'a>(&'a Library);

impl Visitor for Adx<'_> {
    fn visit<B: Backend>(&mut self) {
        if B::NAME == "adx" {
            compare::<B>(self.0);
        }
    }
}

pub(super) fn main() {
    let Some(path) = std::env::args()
        .skip(1)
        .find(|argument| !argument.starts_with("--"))
    else {
        eprintln!(
            "usage: cargo bench -p kuaimi-bench --bench s2n -- LIBRARY, which `make bench-s2n` does"
        );
        return;
    };
    for_each(&mut Adx(&Library::open(&path)));
}
