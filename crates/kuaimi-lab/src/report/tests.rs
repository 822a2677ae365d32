//! Reports of figures that are written here.

use std::fs;
use std::io::Read as _;
use std::path::Path;

use kuaimi_testing::Repeatable;

use super::summary::{goals, summary, with_goals};
use super::text;
use crate::harness::folder;
use crate::harness::record::{Figures, Goal, Operation, Record, Verdict};
use crate::harness::statistics::Spread;
use crate::ladders;

/// Three rounds of three contenders: one goal of each fate, an operation without a goal, one that
/// only the first contender has, and one told in bytes.
const SM2: &str = include_str!("../page/fixture/sm2.json");
/// Five contenders, of which one fails at the operation, and one does not build.
const SM9: &str = include_str!("../page/fixture/sm9.json");
const LADDERS: &str = include_str!("../page/fixture/ladders.json");

fn record() -> Record {
    serde_json::from_str(SM2).unwrap()
}

fn many() -> Record {
    serde_json::from_str(SM9).unwrap()
}

/// The same as another one.
fn renamed(name: &str) -> Record {
    Record {
        name: name.to_owned(),
        title: name.to_uppercase(),
        ..record()
    }
}

/// Ratios are formed within rounds: of the medians, sign would be 3 times as fast, and not 4.
#[test]
fn ratios_and_verdicts() {
    let record = record();
    let ratio = |number: usize| record.ratio(&record.operations[number]);
    let spread = |least, median, greatest| {
        Some(Spread {
            least,
            median,
            greatest,
        })
    };
    assert_eq!(ratio(0), spread(1.0, 1.25, 2.0));
    assert_eq!(ratio(1), spread(3.0, 4.0, 5.0));
    assert_eq!(ratio(2), spread(2.0, 3.0, 4.0));
    assert_eq!(ratio(4), None);
    let verdicts = record.operations.iter().map(|one| record.verdict(one));
    assert_eq!(
        verdicts.collect::<Vec<_>>(),
        [
            Verdict::Missed,
            Verdict::Aim,
            Verdict::AtLeast,
            Verdict::None,
            Verdict::None
        ]
    );
}

#[test]
fn a_goal_is_reached_by_equality() {
    let goal = Goal {
        at_least: 1.5,
        aim: Some(2.0),
    };
    assert_eq!(goal.verdict(1.499), Verdict::Missed);
    assert_eq!(goal.verdict(1.5), Verdict::AtLeast);
    assert_eq!(goal.verdict(1.999), Verdict::AtLeast);
    assert_eq!(goal.verdict(2.0), Verdict::Aim);
    let alone = Goal {
        at_least: 1.9,
        aim: None,
    };
    assert_eq!(alone.verdict(1.89), Verdict::Missed);
    assert_eq!(alone.verdict(1.9), Verdict::Aim);
}

/// Without the contender that goals are about nothing is judged, even if another stands in its
/// place.
#[test]
fn goals_are_about_one_contender() {
    let mut record = record();
    for operation in &mut record.operations {
        operation.figures.remove(1);
    }
    record.contenders.remove(1);
    let verdicts = record.operations.iter().map(|one| record.verdict(one));
    assert!(verdicts.into_iter().all(|one| one == Verdict::None));
}

#[test]
fn few_contenders_are_columns() {
    let expected = "\
SM2
A CPU (adx, avx2), 4 CPUs, 2 to a core; Linux 6.18; load 0.2 before; core 3; 3 rounds, slices of 0.2 s, in turn

|            |   Kuaimi 1 |     gmsm 2 |                  × | OpenSSL 3 |                     × |
| ---------- | ---------: | ---------: | -----------------: | --------: | --------------------: |
| key <pair> |     100 /s |    80.0 /s | 1.25 [1.00 – 2.00] |           |                       |
| sign       |  30,000 /s |  10,000 /s | 4.00 [3.00 – 5.00] |  1,000 /s | 30.00 [20.00 – 40.00] |
| verify     |     300 /s |     100 /s | 3.00 [2.00 – 4.00] |           |                       |
| hash       | 1,235 MB/s | 1,235 MB/s | 1.00 [1.00 – 1.00] |           |                       |
| pool       |     8.0 /s |            |                    |           |                       |

×: the first one's speed divided by the other's, formed in each round: median [least – greatest].

- Kuaimi 1
  - key <pair>; sign: one
  - verify: five
  - hash; pool: six
- gmsm 2
  - key <pair>; verify; hash: two
  - sign: three
- OpenSSL 3
  - sign: four
";
    assert_eq!(text::record(&record()).unwrap(), expected);
}

/// What fails is there, with its reason; what has not the operation is among the reasons alone.
#[test]
fn many_contenders_are_lines() {
    let text = text::record(&many()).unwrap();
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    for line in [
        "| Kuaimi 1 | 120,000 /s |",
        "| slow<er> 1 | 440 /s × 275.00 [250.00 – 300.00] |",
        "| Fast & co 2 | 240,000 /s × 0.50 [0.40 – 0.60] |",
        "| halting 3 | failed |",
        "- Kuaimi 1; slow<er> 1; Fast & co 2; halting 3 - sign: message 32 bytes",
        "- **halting 3 failed** at *sign*: it \\<stops\\>",
        "- **broken failed**: no \\<compiler\\>",
    ] {
        assert!(words(&text).contains(line), "{line} is not in\n{text}");
    }
    assert!(!text.contains("| broken"));
}

/// Readers see headline figures; what the makers aimed at is in the table of goals alone.
#[test]
fn the_summary_has_ratios_and_no_goals() {
    let report = serde_json::from_str(LADDERS).unwrap();
    let records = [record(), renamed("sm3"), many()];
    let page = summary(&records, Some(&report)).unwrap();
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    for line in [
        "| | Kuaimi 1 | × gmsm 2 | × OpenSSL 3 |",
        "| key <pair> | 100 /s | 1.25 [1.00 – 2.00] | |",
        "| | Kuaimi 1 | × the fastest other | × Fast & co 2 |",
        "| sign | 120,000 /s | Fast & co 2: 0.50 [0.40 – 0.60] | 0.50 [0.40 – 0.60] |",
        "| `generator` | `tables` 4.00 |",
        "- Commit: 0123456789ab.",
    ] {
        assert!(words(&page).contains(line), "{line} is not in\n{page}");
    }
    // Two records of one run have one machine; the third is of another run, and so are the ladders.
    assert_eq!(page.matches("- Machine: ").count(), 3);
    for word in ["oal", "missed", " aim", "at least"] {
        assert!(!page.contains(word), "{word} is in\n{page}");
    }
    let none = goals(&[]).unwrap();
    assert!(none.contains("No operation that has a goal was measured."));
}

/// Without serde_json's `float_roundtrip` some figures come back with another last digit, and what
/// is made of them again differs.
#[test]
fn figures_come_back_to_the_last_digit() {
    let mut numbers = Repeatable(1);
    for _ in 0..100_000 {
        // From a nanosecond to millions a second.
        let figure = numbers.word() as f64 / f64::from(1 << (numbers.word() % 31));
        let text = serde_json::to_string(&figure).unwrap();
        let back: f64 = serde_json::from_str(&text).unwrap();
        assert_eq!(back.to_bits(), figure.to_bits(), "{text}");
    }
}

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[test]
fn a_folder_of_records() {
    let temporary = tempfile::tempdir().unwrap();
    let folder = temporary.path().join("target/bench");
    let read = || folder::read(&folder, ladders::FIGURES);
    assert!(read().is_err());
    folder::write(&folder, &[renamed("threads"), many()]).unwrap();
    fs::write(folder.join(ladders::FIGURES), LADDERS).unwrap();
    // One more later, and one again: in the records' order.
    folder::write(&folder, &[record(), renamed("threads")]).unwrap();
    assert_eq!(
        names(&folder),
        ["ladders.json", "sm2.json", "sm9.json", "threads.json"]
    );
    assert_eq!(read().unwrap(), [record(), many(), renamed("threads")]);

    for name in ["", "../sm2", "a/b", "sm2.json"] {
        assert!(
            folder::write(&folder, &[renamed(name)]).is_err(),
            "{name:?}"
        );
    }
    fs::write(folder.join("other.json"), "{\"name\": 1}").unwrap();
    let error = read().unwrap_err().to_string();
    assert!(
        error.contains("other.json is not a record of this program"),
        "{error}"
    );
    assert!(folder::prepare(&folder.join("other.json")).is_err());
}

/// A reader of a file that is replaced reads the old one to its end; what fails leaves no remains.
#[test]
fn files_are_whole() {
    let temporary = tempfile::tempdir().unwrap();
    let folder = temporary.path();
    folder::write(folder, &[record()]).unwrap();
    let path = folder.join("sm2.json");
    let old = fs::read_to_string(&path).unwrap();
    let mut reader = fs::File::open(&path).unwrap();
    let mut changed = record();
    changed.run.environment.commit = "another".to_owned();
    folder::write(folder, &[changed]).unwrap();
    let mut read = String::new();
    reader.read_to_string(&mut read).unwrap();
    #[cfg(unix)]
    assert_eq!(read, old);
    assert!(fs::read_to_string(&path).unwrap().contains("\"another\""));

    fs::create_dir(folder.join("sm3.json")).unwrap();
    let error = folder::write(folder, &[renamed("sm3")]);
    let error = error.unwrap_err().to_string();
    assert!(error.contains("sm3.json cannot be written"), "{error}");
    assert_eq!(names(folder), ["sm2.json", "sm3.json"]);
}

/// Figures that are missing, which a damaged file may have, are no reason to fall over.
#[test]
fn fewer_figures_than_contenders() {
    let mut record = record();
    record.operations.push(Operation {
        id: "f".to_owned(),
        label: "short".to_owned(),
        bytes: None,
        goal: None,
        figures: vec![Some(Figures::new("seven", Vec::new()))],
    });
    assert!(text::record(&record).unwrap().contains("| short "));
    assert!(!summary(&[record], None).unwrap().contains("short"));
}

#[test]
fn goals_in_a_page_that_people_write() {
    let temporary = tempfile::tempdir().unwrap();
    let page = temporary.path().join("goals.md");
    let goals = goals(&[record()]).unwrap();
    let table = "\
Goals measured: 3. The aim is reached by 1, what is asked at least by 1, neither by 1.

|                 |                  × | than   | at least |  aim | reached     |
| --------------- | -----------------: | ------ | -------: | ---: | ----------- |
| SM2: key <pair> | 1.25 [1.00 – 2.00] | gmsm 2 |      1.8 |  2.2 | **missed**  |
| SM2: sign       | 4.00 [3.00 – 5.00] | gmsm 2 |        3 |    4 | aim reached |
| SM2: verify     | 3.00 [2.00 – 4.00] | gmsm 2 |        3 |    4 | at least    |
";
    assert_eq!(goals, table);
    let (begin, end) = (
        "<!-- goals: written by make summary -->\n",
        "<!-- end of goals -->\n",
    );
    fs::write(&page, format!("before\n{begin}old\n{end}after\n")).unwrap();
    let text = with_goals(&page, &goals).unwrap();
    assert_eq!(text, format!("before\n{begin}{table}{end}after\n"));
    // Again, the same.
    fs::write(&page, &text).unwrap();
    assert_eq!(with_goals(&page, &goals).unwrap(), text);

    for wrong in [String::new(), format!("{end}{begin}"), begin.to_owned()] {
        fs::write(&page, wrong).unwrap();
        let error = with_goals(&page, &goals).unwrap_err().to_string();
        assert!(error.contains("has no place for the goals"), "{error}");
    }
}
