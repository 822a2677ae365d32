//! Reports of figures that are written here.

use std::fs;
use std::io::Read as _;

use kuaimi_testing::Repeatable;
use plotters::style::RGBColor;

use super::files::{Directory, Output, with_goals};
use super::{Cell, Document, Goal, Row, Spread, Verdict, plot, summary, thousands};

/// Three rounds of three libraries: one goal of each fate, an operation without a goal, one that only the first library has, and one
/// told in bytes.
const JSON: &str = include_str!("../page/fixture/sm2.json");

fn document() -> Document {
    serde_json::from_str(JSON).unwrap()
}

/// The same as another algorithm's.
fn renamed(name: &str) -> Document {
    Document {
        name: name.to_owned(),
        title: name.to_uppercase(),
        ..document()
    }
}

#[test]
fn medians() {
    let spread = |figures: &[f64]| {
        Spread::of(figures).map(|spread| (spread.least, spread.median, spread.greatest))
    };
    assert_eq!(spread(&[]), None);
    assert_eq!(spread(&[3.0]), Some((3.0, 3.0, 3.0)));
    assert_eq!(spread(&[9.0, 1.0, 2.0]), Some((1.0, 2.0, 9.0)));
    assert_eq!(spread(&[4.0, 9.0, 1.0, 2.0]), Some((1.0, 3.0, 9.0)));
}

#[test]
fn numbers_for_people() {
    assert_eq!(thousands(7.0), "7");
    assert_eq!(thousands(999.6), "1,000");
    assert_eq!(thousands(123_456.2), "123,456");
    assert_eq!(thousands(1_234_567.0), "1,234,567");
}

/// Ratios are formed within rounds: of the medians, sign would be 3 times as fast, and not 4.
#[test]
fn ratios_and_verdicts() {
    let document = document();
    let ratio = |row: usize| document.ratio(&document.rows[row]);
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
    let verdicts: Vec<Verdict> = document
        .rows
        .iter()
        .map(|row| document.verdict(row))
        .collect();
    assert_eq!(
        verdicts,
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

/// Without the library that goals are about nothing is judged, even if another stands in its place.
#[test]
fn goals_are_about_one_library() {
    let mut document = document();
    for row in &mut document.rows {
        row.cells.remove(1);
    }
    document.libraries.remove(1);
    assert!(
        document
            .rows
            .iter()
            .all(|row| document.verdict(row) == Verdict::None)
    );
    assert!(!document.page(None).unwrap().contains("goal"));
    assert!(plot::svg(&document).unwrap().is_none());
}

#[test]
fn a_page() {
    let page = document().page(Some("sm2.svg")).unwrap();
    let expected = "\
# SM2

![SM2: each operation's speed as a multiple of that of gmsm 2](sm2.svg)

|            |   Kuaimi 1 |     gmsm 2 |                  × | OpenSSL 3 |                     × |
| ---------- | ---------: | ---------: | -----------------: | --------: | --------------------: |
| key <pair> |     100 /s |      80 /s | 1.25 [1.00 – 2.00] |           |                       |
| sign       |  30,000 /s |  10,000 /s | 4.00 [3.00 – 5.00] |  1,000 /s | 30.00 [20.00 – 40.00] |
| verify     |     300 /s |     100 /s | 3.00 [2.00 – 4.00] |           |                       |
| hash       | 1,235 MB/s | 1,235 MB/s | 1.00 [1.00 – 1.00] |           |                       |
| pool       |       8 /s |            |                    |           |                       |

×: the first column's speed divided by the other's, formed in each round: median [least – greatest].

## How it was measured

```sh
cargo run --release -p kuaimi-lab -- peers --out docs/bench
```

- Machine: A CPU (adx, avx2), 4 CPUs, 2 to a core; Linux 6.18; load 0.2 before.
- Compilers: Go: go1.26; Rust: rustc 1.89.0.
- Backends of Kuaimi: SM2: portable.
- Commit: 0123456789ab.
- Manner: core 3; 3 rounds, slices of 0.2 s, in turn.

## What each figure includes

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
    assert_eq!(page, expected);
}

#[test]
fn a_plot() {
    let svg = plot::svg(&document()).unwrap().unwrap();
    let RGBColor(r, g, b) = plot::BAR;
    let fill = format!("fill=\"#{r:02X}{g:02X}{b:02X}\"");
    let squares = svg
        .lines()
        .filter(|line| line.starts_with("<rect") && line.contains(&fill));
    // A bar each, and the legend's square; the operation that cannot be compared has none.
    assert_eq!(squares.count(), 4 + 1);
    for text in [
        "key &lt;pair&gt;",
        "sign",
        "1.25 ×",
        "SM2: times as fast as gmsm 2",
    ] {
        assert!(svg.contains(text), "{text}");
    }
    assert!(!svg.contains("pool"));
    // The scale ends at the greatest round, not at the greatest median.
    assert!(svg.contains("5 ×") && !svg.contains("6 ×"));
}

/// An operation without a goal does not make the others small: its bar is cut, and that is said.
#[test]
fn a_bar_beyond_the_scale() {
    let mut document = document();
    assert!(!plot::svg(&document).unwrap().unwrap().contains('»'));
    if let Some(Some(cell)) = document.rows[3].cells.first_mut() {
        cell.operations_per_second = vec![1234567e3; 3];
    }
    let svg = plot::svg(&document).unwrap().unwrap();
    assert!(svg.contains("» goes beyond the scale") && svg.contains("1000.00 ×"));
    assert!(svg.contains("5 ×") && !svg.contains("6 ×"));
}

/// Bars begin at zero, and are as long as ratios are.
#[test]
fn bars_are_to_scale() {
    let svg = plot::svg(&document()).unwrap().unwrap();
    let number = |line: &str, name: &str| -> f64 {
        let (_, rest) = line.split_once(&format!(" {name}=\"")).unwrap();
        rest.split('"').next().unwrap().parse().unwrap()
    };
    // The legend's squares are small.
    let widths: Vec<f64> = svg
        .lines()
        .filter(|line| line.starts_with("<rect") && number(line, "width") > 20.0)
        .map(|line| number(line, "width"))
        .collect();
    assert_eq!(widths.len(), 4);
    for (width, ratio) in widths.iter().zip([1.25, 4.0, 3.0, 1.0]) {
        assert!((width / widths[3] - ratio).abs() < 0.03, "{widths:?}");
    }
}

/// The contrast of two colours, as the W3C's accessibility guidelines compute it.
fn contrast(a: RGBColor, b: RGBColor) -> f64 {
    let luminance = |RGBColor(r, g, b): RGBColor| {
        let linear = |value: u8| {
            let value = f64::from(value) / 255.0;
            if value <= 0.04045 {
                value / 12.92
            } else {
                ((value + 0.055) / 1.055).powf(2.4)
            }
        };
        0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b)
    };
    let (a, b) = (luminance(a), luminance(b));
    (a.max(b) + 0.05) / (a.min(b) + 0.05)
}

#[test]
fn colours_stand_out_from_light_and_dark_pages() {
    for ground in [RGBColor(255, 255, 255), RGBColor(0x0d, 0x11, 0x17)] {
        let text = contrast(plot::TEXT, ground);
        assert!(text >= 4.0, "text: {text}");
        let bar = contrast(plot::BAR, ground);
        assert!(bar >= 3.0, "bars: {bar}");
    }
}

/// Users see the project beside its peers; what its makers aimed at is in the table of goals alone.
#[test]
fn the_summary_has_ratios_and_no_goals() {
    let page = summary::page(&[document(), renamed("sm3")]).unwrap();
    for line in [
        "|            |           × gmsm 2 |",
        "| key <pair> | 1.25 [1.00 – 2.00] |",
        "| hash       | 1.00 [1.00 – 1.00] |",
        "[![SM3](sm3.svg)](sm3.md)",
    ] {
        assert!(page.contains(line), "{line} is not in\n{page}");
    }
    // Not measured.
    assert!(!page.contains("| pool"));
    for word in ["oal", "missed", " aim", "at least"] {
        assert!(!page.contains(word), "{word} is in\n{page}");
    }
    let none = summary::goals(&[]).unwrap();
    assert!(none.contains("No operation that has a goal was measured."));
}

/// The committed tables and goals are what `kuaimi-lab render` makes of the committed figures, and the figures are read and written to
/// the last digit.
#[test]
fn the_committed_reports_are_rendered() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let (bench, goals) = (root.join("docs/bench"), root.join("docs/goals.md"));
    let temporary = tempfile::tempdir().unwrap();
    let folder = temporary.path();
    for name in names(&bench).iter().filter(|name| name.ends_with(".json")) {
        fs::copy(bench.join(name), folder.join(name)).unwrap();
    }
    let page = folder.join("goals.md");
    fs::copy(&goals, &page).unwrap();
    super::render(&super::Arguments::new(folder, &page)).unwrap();
    let advice = "cargo run --release -p kuaimi-lab -- render docs/bench --summary docs/goals.md";
    let same = |a: &std::path::Path, b: &std::path::Path| {
        assert!(
            fs::read(a).unwrap() == fs::read(b).unwrap(),
            "{} is not what {advice} makes",
            a.display()
        );
    };
    same(&goals, &page);
    fs::remove_file(&page).unwrap();
    for name in names(folder) {
        same(&bench.join(&name), &folder.join(&name));
    }
}

/// Without serde_json's `float_roundtrip` some figures come back with another last digit, and drawing again would rewrite the files.
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

fn names(folder: &std::path::Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[test]
fn a_folder_of_reports() {
    let temporary = tempfile::tempdir().unwrap();
    let folder = temporary.path().join("docs/bench");
    let directory = Directory::prepare(&folder).unwrap();
    directory.write(&[renamed("threads"), document()]).unwrap();
    let all = [
        "README.md",
        "sm2.json",
        "sm2.md",
        "sm2.svg",
        "threads.json",
        "threads.md",
        "threads.svg",
    ];
    assert_eq!(names(&folder), all);
    let kept: Document =
        serde_json::from_str(&fs::read_to_string(folder.join("sm2.json")).unwrap()).unwrap();
    assert_eq!(kept, document());

    // One more later: the folder's page has them all, in its order.
    directory.write(&[renamed("sm3")]).unwrap();
    let page = fs::read_to_string(folder.join("README.md")).unwrap();
    let place = |name: &str| page.find(&format!("]({name}.md)\n")).unwrap();
    assert!(place("sm2") < place("sm3") && place("sm3") < place("threads"));

    // Made anew, everything is as it was.
    let before: Vec<_> = names(&folder)
        .iter()
        .map(|name| fs::read(folder.join(name)).unwrap())
        .collect();
    let documents = directory.documents().unwrap();
    assert_eq!(documents.len(), 3);
    directory.write(&documents).unwrap();
    let after: Vec<_> = names(&folder)
        .iter()
        .map(|name| fs::read(folder.join(name)).unwrap())
        .collect();
    assert_eq!(before, after);

    // A plot of figures that are no longer there goes.
    let mut alone = document();
    for row in &mut alone.rows {
        row.cells.truncate(1);
    }
    alone.libraries.truncate(1);
    directory.write(&[alone]).unwrap();
    assert!(!names(&folder).contains(&"sm2.svg".to_owned()));
    assert!(
        !fs::read_to_string(folder.join("sm2.md"))
            .unwrap()
            .contains(".svg")
    );
}

/// Whoever reads a report while it is replaced reads the old one to its end; what fails leaves no remains.
#[test]
fn files_are_whole() {
    let temporary = tempfile::tempdir().unwrap();
    let folder = temporary.path();
    let directory = Directory::prepare(folder).unwrap();
    directory.write(&[document()]).unwrap();
    let old = fs::read_to_string(folder.join("sm2.md")).unwrap();
    let mut reader = fs::File::open(folder.join("sm2.md")).unwrap();
    let mut changed = document();
    changed.environment.commit = "another".to_owned();
    directory.write(&[changed]).unwrap();
    let mut read = String::new();
    reader.read_to_string(&mut read).unwrap();
    #[cfg(unix)]
    assert_eq!(read, old);
    assert!(
        fs::read_to_string(folder.join("sm2.md"))
            .unwrap()
            .contains("Commit: another.")
    );

    fs::create_dir(folder.join("sm3.md")).unwrap();
    let error = directory.write(&[renamed("sm3")]).unwrap_err().to_string();
    assert!(error.contains("sm3.md cannot be written"), "{error}");
    assert!(
        names(folder)
            .iter()
            .all(|name| !name.starts_with(".kuaimi-lab"))
    );
}

#[test]
fn reports_that_are_none_are_refused() {
    let temporary = tempfile::tempdir().unwrap();
    let folder = temporary.path();
    let directory = Directory::prepare(folder).unwrap();
    for name in ["", "../sm2", "a/b", "sm2.json"] {
        assert!(directory.write(&[renamed(name)]).is_err(), "{name:?}");
        assert_eq!(names(folder), [""; 0]);
    }
    fs::write(folder.join("other.json"), "{\"name\": 1}").unwrap();
    let error = directory.documents().unwrap_err().to_string();
    assert!(
        error.contains("other.json is not a report of this program"),
        "{error}"
    );
    fs::write(folder.join("file"), "").unwrap();
    assert!(Directory::prepare(&folder.join("file")).is_err());
}

/// Figures with cells missing, which a damaged file may have, are no reason to fall over.
#[test]
fn fewer_cells_than_libraries() {
    let mut document = document();
    document.rows.push(Row {
        id: "f".to_owned(),
        label: "short".to_owned(),
        bytes: None,
        goal: None,
        cells: vec![Some(Cell {
            condition: "seven".to_owned(),
            operations_per_second: Vec::new(),
        })],
    });
    assert!(document.page(None).unwrap().contains("| short "));
    assert!(!plot::svg(&document).unwrap().unwrap().contains("short"));
}

#[test]
fn goals_in_a_page_that_people_write() {
    let temporary = tempfile::tempdir().unwrap();
    let page = temporary.path().join("performance.md");
    let goals = summary::goals(&[document()]).unwrap();
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
        "<!-- goals: written by make bench -->\n",
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

#[test]
fn part_of_a_report_does_not_replace_the_whole() {
    let temporary = tempfile::tempdir().unwrap();
    let output = Output::new(temporary.path());
    let all: Vec<(&str, &str)> = ["a", "b", "c", "d", "e"].map(|row| ("sm2", row)).to_vec();
    output.keep_rows(&all[..1]).unwrap();
    output.write(&[document()]).unwrap();
    output.keep_rows(&all).unwrap();
    let error = output.keep_rows(&all[..4]).unwrap_err().to_string();
    assert!(
        error.contains("sm2.json has e and others that would be lost"),
        "{error}"
    );
    // Another report is not touched.
    output.keep_rows(&[("sm3", "a")]).unwrap();
}
