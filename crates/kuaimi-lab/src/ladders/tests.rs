//! Numbers for the tests of the rungs; and the ladders as a whole.

use std::time::Duration;

use indicatif::ProgressBar;
use kuaimi_math::arith::U256;
use kuaimi_math::arith::u256::Limbs;
use kuaimi_testing::{Repeatable, rounds};
use num_bigint::BigUint;

use super::measure;
use super::report::{LadderReport, Report};
use super::rung::{Ladder, Published, Rung, Unit, chain};
use super::{LADDERS, chosen, text};
use crate::harness::environment::Environment;
use crate::harness::record::Run;

pub(super) fn big(a: &Limbs) -> BigUint {
    BigUint::from_bytes_be(&U256(*a).to_be_bytes())
}

pub(super) fn from_big(a: &BigUint) -> Limbs {
    let mut limbs = [0; 4];
    for (limb, digit) in limbs.iter_mut().zip(a.iter_u64_digits()) {
        *limb = digit;
    }
    limbs
}

/// Pairs of all edges with each other, and random ones, many with limbs of zeros and of ones.
pub(super) fn pairs() -> Vec<(Limbs, Limbs)> {
    let ones = u64::MAX;
    let edges = [
        [0; 4],
        [1, 0, 0, 0],
        [ones; 4],
        [ones - 1, ones, ones, ones],
        [0, 0, 0, 1 << 63],
        [0, ones, 0, ones],
        [ones, 0, ones, 0],
        [ones, ones, 0, 0],
        [0, 0, ones, ones],
        [0, 0, 1, 0],
    ];
    let mut pairs = Vec::new();
    for a in edges {
        pairs.extend(edges.map(|b| (a, b)));
    }
    // 2ⁿ − 1 and 2ⁿ + 1: products of ones alone, which leave the most above the fourth limb when
    // they are folded.
    pairs.extend((1..=255_u32).map(|n| {
        let power = BigUint::from(1_u8) << n;
        (from_big(&(&power - 1_u8)), from_big(&(power + 1_u8)))
    }));
    let mut numbers = Repeatable(7);
    pairs.extend((0..rounds(20_000)).map(|_| (numbers.number(), numbers.number())));
    pairs
}

/// The same modulo a number, with the edges near it.
pub(super) fn pairs_below(modulus: &Limbs) -> Vec<(Limbs, Limbs)> {
    let m = big(modulus);
    let mut pairs: Vec<_> = pairs()
        .into_iter()
        .map(|(a, b)| (from_big(&(big(&a) % &m)), from_big(&(big(&b) % &m))))
        .collect();
    let small = |k: u8| from_big(&BigUint::from(k));
    let near: Vec<Limbs> = (1..4_u8)
        .flat_map(|k| [small(k), from_big(&(&m - k)), from_big(&(&m / 2_u8 - k))])
        .collect();
    for a in &near {
        pairs.extend(near.iter().map(|b| (*a, *b)));
    }
    pairs
}

#[test]
fn names_and_flags() {
    for (name, make) in LADDERS {
        let ladder = make();
        assert_eq!(ladder.name, name);
        assert!(ladder.rungs.len() >= 3, "{name}");
        let used: Vec<usize> = (0..ladder.rungs.len())
            .filter(|&i| ladder.rungs[i].used_by_library)
            .collect();
        assert!(
            used.contains(&(ladder.rungs.len() - 1)),
            "{name} ends with what the library does"
        );
        for rung in &ladder.rungs {
            let same = ladder.rungs.iter().filter(|other| other.name == rung.name);
            assert_eq!(same.count(), 1, "{name}: {}", rung.name);
            assert!(
                rung.what.ends_with('.') && !rung.source.ends_with('.'),
                "{}",
                rung.name
            );
        }
    }
    let error = chosen(&["reduction".into(), "redaction".into()])
        .map(|_| ())
        .unwrap_err();
    assert!(error.to_string().contains("\"redaction\""), "{error}");
    assert!(
        error.to_string().contains("multiplication, reduction"),
        "{error}"
    );
    assert_eq!(chosen(&["reduction".into()]).unwrap().len(), 1);
    assert_eq!(chosen(&[]).unwrap().len(), LADDERS.len());
}

/// Every rung of every ladder runs, and gives a figure in each round.
#[test]
fn every_rung_is_measured() {
    let progress = ProgressBar::hidden();
    for mut ladder in chosen(&[]).unwrap() {
        let figures = measure::ladder(&mut ladder, Duration::from_micros(1), 2, &progress).unwrap();
        assert_eq!(figures.len(), ladder.rungs.len());
        let sensible = |figure: &f64| figure.is_finite() && *figure >= 0.0;
        assert!(
            figures
                .iter()
                .all(|f| f.len() == 2 && f.iter().all(sensible)),
            "{}",
            ladder.name
        );
    }
}

fn run() -> Run {
    Run {
        environment: Environment::here(),
        core: Some(1),
        seconds: Some(0.02),
        rounds: 3,
    }
}

/// Three rungs with figures that are written here.
fn report() -> Report {
    let rung = |name| Rung::new(name, "What it does.", "a book", chain(0, |x: &u64| x + 1));
    let ladder = Ladder {
        name: "reduction",
        title: "Reduction",
        about: "One of them.",
        rungs: vec![
            rung("division").published(190.0, Unit::Nanoseconds).leaks(),
            rung("middle").cost("16 products"),
            rung("folding-64")
                .published(38.0, Unit::Nanoseconds)
                .used_by_library(),
        ],
    };
    let figures = [
        vec![100.0, 200.0, 300.0],
        vec![50.0, 50.0, 100.0],
        vec![25.0, 40.0, 20.0],
    ];
    Report {
        ladders: vec![LadderReport::new(&ladder, run(), &figures)],
    }
}

/// Ratios are formed within rounds: 100/50, 200/50, 300/100.
#[test]
fn ratios() {
    let report = report();
    let [division, middle, folding] = &report.ladders[0].rungs[..] else {
        panic!("three rungs");
    };
    assert_eq!(
        (division.ns, division.times_previous, division.times_first),
        (200.0, None, 1.0)
    );
    assert_eq!(
        (middle.ns, middle.times_previous, middle.times_first),
        (50.0, Some(3.0), 3.0)
    );
    assert_eq!(middle.times_previous_quartiles, Some([2.5, 3.5]));
    assert_eq!(
        (folding.times_previous, folding.times_first),
        (Some(2.0), 5.0)
    );
    // The published pair is division and folding: the rung between has no figure.
    assert_eq!(division.published_times, None);
    assert_eq!(
        (folding.published_times, folding.times_same_pair),
        (Some(5.0), Some(5.0))
    );
    let per_second = |value| Published {
        value,
        unit: Unit::PerSecond,
    };
    assert_eq!(per_second(300.0).times(per_second(100.0)), Some(3.0));
    assert_eq!(
        per_second(300.0).times(Published {
            value: 1.0,
            unit: Unit::Times
        }),
        None
    );
}

#[test]
fn files_are_written_read_and_kept() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(Report::read(folder.path()).unwrap(), None);
    let report = report();
    report.write(folder.path()).unwrap();
    assert_eq!(Report::read(folder.path()).unwrap().as_ref(), Some(&report));
    let json = std::fs::read_to_string(folder.path().join("ladders.json")).unwrap();
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    let rung = &json["ladders"][0]["rungs"][2];
    assert_eq!(json["ladders"][0]["name"], "reduction");
    assert_eq!(
        (&rung["name"], &rung["used_by_library"]),
        (&"folding-64".into(), &true.into())
    );
    assert_eq!(
        (&rung["times_first"], &rung["times_previous"]),
        (&5.0.into(), &2.0.into())
    );
    assert_eq!(
        (&rung["published"]["value"], &rung["published"]["unit"]),
        (&38.0.into(), &"ns".into())
    );

    // Another ladder is added to it; the same one takes its place; another machine's are not mixed
    // with it.
    let here = Environment::here();
    let mut next = Report::default();
    next.keep(report.clone(), &here, folder.path()).unwrap();
    let other = LadderReport {
        name: "multiplication".to_owned(),
        ..report.ladders[0].clone()
    };
    next.put(other);
    next.put(report.ladders[0].clone());
    let names: Vec<&str> = next
        .ladders
        .iter()
        .map(|ladder| ladder.name.as_str())
        .collect();
    assert_eq!(names, ["multiplication", "reduction"]);
    let elsewhere = Environment {
        processor: "Another CPU".to_owned(),
        ..here
    };
    let error = next.keep(report, &elsewhere, folder.path()).unwrap_err();
    let error = error.to_string();
    assert!(error.contains("another machine or compiler"), "{error}");

    std::fs::write(folder.path().join("ladders.json"), "{}").unwrap();
    let error = Report::read(folder.path()).unwrap_err().to_string();
    assert!(error.contains("ladders.json is not a record"), "{error}");
}

#[test]
fn tables() {
    let table = text::ladder(&report().ladders[0]);
    for line in [
        "| division   |  200 |                    |    1.00 |                          190 ns |             | leaks           |",
        "| middle     | 50.0 | 3.00 [2.50 – 3.50] |    3.00 |                                 | 16 products |                 |",
        "| folding-64 | 25.0 | 2.00 [1.62 – 3.50] |    5.00 | 38 ns (5.00 ×; here 5.00 ×) |             | **the library** |",
    ] {
        let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(words(&table).contains(&words(line)), "{line}\n{table}");
    }
    assert!(!table.contains("| instructions |"));
}

/// A count has a column of its own, and a rung without one an empty cell. The figures' file keeps
/// it.
#[test]
fn instructions_are_beside_times() {
    let mut report = report();
    report.ladders[0].rungs[1].instructions = Some(1234.25);
    let page = text::ladder(&report.ladders[0]);
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    for line in [
        "| rung | ns | × previous | × first | instructions | published |",
        "| division | 200 | | 1.00 | | 190 ns |",
        "| middle | 50.0 | 3.00 [2.50 – 3.50] | 3.00 | 1,234 | | 16 products |",
    ] {
        assert!(words(&page).contains(line), "{line}\n{page}");
    }
    let folder = tempfile::tempdir().unwrap();
    report.write(folder.path()).unwrap();
    assert_eq!(Report::read(folder.path()).unwrap(), Some(report));
}

/// The page for readers says for every ladder which of its rungs the library uses: those of the
/// last summary.
#[test]
fn performance_names_the_rungs_of_the_library() {
    let docs = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    let read = |name| std::fs::read_to_string(docs.join(name)).unwrap();
    let (page, summary) = (read("performance.md"), read("bench.md"));
    let line = |text: &str, name: &str| {
        let begin = format!("| `{name}` ");
        let mut lines = text.lines().filter_map(|line| line.strip_prefix(&begin));
        let line = lines.next().map(|line| line.trim_start_matches([' ', '|']));
        let line = line.unwrap_or_else(|| panic!("there is no line for the ladder {name}"));
        line.to_owned()
    };
    let names = |cell: &str| {
        let mut names: Vec<String> = cell
            .split('`')
            .skip(1)
            .step_by(2)
            .map(str::to_owned)
            .collect();
        names.sort_unstable();
        names
    };
    for (name, _) in LADDERS {
        let (page, summary) = (line(&page, name), line(&summary, name));
        let (rungs, why) = page.split_once('|').unwrap();
        assert!(why.len() > 20, "{name}: why?");
        assert_eq!(names(rungs), names(&summary), "performance.md, {name}");
    }
}
