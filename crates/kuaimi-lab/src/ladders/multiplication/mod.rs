//! The product of two numbers of 256 bits, without a reduction. What is counted: products of two
//! digits, and additions of a digit with a carry in or out.
//!
//! | module | what it does |
//! | --- | --- |
//! | [`digit`] | digits of 32 and 64 bits |
//! | [`schoolbook`] | row by row |
//! | [`comba`] | column by column |
//! | [`karatsuba`] | three half-length products in place of four |
//! | `ifma` | eight products at once, with AVX-512 IFMA |
//!
//! The others are the products of the library's backends.

pub(super) mod comba;
pub(super) mod digit;
#[cfg(target_arch = "x86_64")]
mod ifma;
pub(super) mod karatsuba;
pub(super) mod schoolbook;
#[cfg(test)]
mod tests;

use core::hint::black_box;

use kuaimi_math::arith::Backend;
use kuaimi_math::arith::backend::{Visitor, for_each};
use kuaimi_math::arith::u256::Limbs;

use super::integer::{A, B, from_words, to_words};
use super::rung::{Ladder, Rung, Work, chain};

pub(super) const NAME: &str = "multiplication";

pub(super) fn ladder() -> Ladder {
    let mut rungs = vec![
        Rung::new(
            "schoolbook-32",
            "Row by row, digits of 32 bits, a carry of one digit.",
            "Knuth, The Art of Computer Programming, volume 2, 4.3.1, algorithm M",
            work(schoolbook_32),
        )
        .cost("64 products, 128 additions"),
        Rung::new(
            "comba-32",
            "Column by column, digits of 32 bits, a sum of three digits.",
            "Comba, Exponentiation cryptosystems on the IBM PC, 1990",
            work(comba_32),
        )
        .cost("64 products, 192 additions"),
        Rung::new(
            "karatsuba-32",
            "One level: three schoolbook products of 128 bits, digits of 32 bits.",
            "Karatsuba and Ofman, Multiplication of many-digital numbers by automatic computers, 1962",
            work(karatsuba_32),
        )
        .cost("48 products, 142 additions"),
        Rung::new(
            "comba-64",
            "Column by column, digits of 64 bits, a sum of three digits.",
            "Comba, as above",
            work(comba_64),
        )
        .cost("16 products, 48 additions"),
        Rung::new(
            "karatsuba-64",
            "One level: three schoolbook products of 128 bits, digits of 64 bits.",
            "Karatsuba and Ofman, as above",
            work(karatsuba_64),
        )
        .cost("12 products, 54 additions"),
        Rung::new(
            "schoolbook-64",
            "Row by row, digits of 64 bits, a carry of one digit.",
            "Knuth, as above",
            work(schoolbook_64),
        )
        .cost("16 products, 32 additions"),
    ];
    rungs.extend(library());
    #[cfg(target_arch = "x86_64")]
    rungs.extend(eight_at_once());
    Ladder {
        name: NAME,
        title: "Multiplication, 256 × 256 bits",
        about: "One operation is the product of two numbers, all 512 bits of it. The next operation's factor is made of both halves of \
                the product, so that each begins when the one before has ended. Of eight products at once, it is one.",
        rungs,
    }
}

/// The products of the library's backends; the last one is what it uses here.
fn library() -> Vec<Rung> {
    let mut library = Library(Vec::new());
    for_each(&mut library);
    if let Some(last) = library.0.pop() {
        library.0.push(last.used_by_library());
    }
    library.0
}

/// Where the CPU has the instructions; the library's lanes multiply so.
#[cfg(target_arch = "x86_64")]
fn eight_at_once() -> Option<Rung> {
    let ifma = ifma::Ifma::new()?;
    let mut a = ifma::split(&[A; ifma::LANES]);
    let b = black_box(ifma::split(&[B; ifma::LANES]));
    let work: Work = Box::new(move |count| {
        ifma.chain(&mut a, &b, count.div_ceil(ifma::LANES as u64));
        black_box(&a);
    });
    let rung = Rung::new(
        "ifma-eight",
        "Eight products at once, column by column, limbs of 52 bits: the halves of products are added by fused multiplications, and carried once.",
        "Gueron and Krasnov, Accelerating big integer arithmetic using Intel IFMA extensions, 2016; kuaimi-math, arith/lanes/ifma",
        work,
    );
    Some(
        rung.cost("50 fused products, 9 additions for all eight")
            .used_by_library(),
    )
}

/// The 64-bit backends of the library that this CPU can run.
struct Library(Vec<Rung>);

impl Visitor for Library {
    fn visit<C: Backend>(&mut self) {
        let what = match C::NAME {
            "adx" => "MULX with two chains of carries, ADCX and ADOX, in assembly.",
            "portable64" => {
                "Row by row, four products and then one chain of carries, in plain Rust."
            }
            _ => return,
        };
        let source = "kuaimi-math, arith/backend; Ozturk, Guilford and Gopal, Large integer squaring on Intel architecture \
                      processors, 2013, for the two chains";
        let rung = Rung::new(C::NAME, what, source, work(C::product));
        self.0.push(rung.cost("16 products, 32 additions"));
    }
}

fn work(multiply: impl Fn(&Limbs, &Limbs) -> [Limbs; 2] + 'static) -> Work {
    // The compiler is not to know the factor.
    let b = black_box(B);
    chain(A, move |a| {
        let [low, high] = multiply(a, &b);
        core::array::from_fn(|i| low[i] ^ high[i])
    })
}

fn schoolbook_32(a: &Limbs, b: &Limbs) -> [Limbs; 2] {
    schoolbook::multiply(&to_words(a), &to_words(b)).map(|half| from_words(&half))
}

fn comba_32(a: &Limbs, b: &Limbs) -> [Limbs; 2] {
    comba::multiply(&to_words(a), &to_words(b)).map(|half| from_words(&half))
}

fn karatsuba_32(a: &Limbs, b: &Limbs) -> [Limbs; 2] {
    let halves = |a: &Limbs| -> [[u32; 4]; 2] {
        let [a0, a1, a2, a3, a4, a5, a6, a7] = to_words(a);
        [[a0, a1, a2, a3], [a4, a5, a6, a7]]
    };
    karatsuba::multiply(&halves(a), &halves(b)).map(|[low, high]| {
        let words: [u32; 8] = core::array::from_fn(|i| if i < 4 { low[i] } else { high[i - 4] });
        from_words(&words)
    })
}

fn comba_64(a: &Limbs, b: &Limbs) -> [Limbs; 2] {
    comba::multiply(a, b)
}

fn karatsuba_64(a: &Limbs, b: &Limbs) -> [Limbs; 2] {
    let halves = |a: &Limbs| [[a[0], a[1]], [a[2], a[3]]];
    karatsuba::multiply(&halves(a), &halves(b))
        .map(|[low, high]| [low[0], low[1], high[0], high[1]])
}

fn schoolbook_64(a: &Limbs, b: &Limbs) -> [Limbs; 2] {
    schoolbook::multiply(a, b)
}
