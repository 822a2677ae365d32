//! The counts that are committed, and how new ones differ from them.

use std::fmt::Write as _;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::callgrind::Counts;
use crate::operations::Result;

/// What a count may differ by.
pub(super) const PERCENT: u64 = 2;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Baseline {
    /// The version of the compiler, as rustup names it. It comes first: `scripts/bench-check` reads
    /// it, too.
    rustc: String,
    /// The counts by backend and operation.
    counts: Counts,
}

/// Old counts beside new ones.
pub(super) struct Comparison {
    pub(super) text: String,
    /// How many differ by too much, are new, or are gone.
    pub(super) differences: usize,
}

impl Baseline {
    pub(super) fn new(rustc: &str, counts: Counts) -> Self {
        Self {
            rustc: rustc.to_owned(),
            counts,
        }
    }

    pub(super) fn read(path: &Path) -> Result<Self> {
        let text = std::fs::read_to_string(path)
            .map_err(|error| format!("{} cannot be read: {error}", path.display()))?;
        let read = serde_json::from_str(&text);
        Ok(read.map_err(|error| format!("{} is no baseline: {error}", path.display()))?)
    }

    pub(super) fn write(&self, path: &Path) -> Result<()> {
        let text = serde_json::to_string_pretty(self)? + "\n";
        std::fs::write(path, text)
            .map_err(|error| format!("{} cannot be written: {error}", path.display()))?;
        Ok(())
    }

    fn figures(&self) -> impl Iterator<Item = (&str, &str, u64)> {
        self.counts.iter().flat_map(|(backend, figures)| {
            let of_backend = figures.iter();
            of_backend.map(move |(name, count)| (backend.as_str(), name.as_str(), *count))
        })
    }

    fn figure(&self, backend: &str, name: &str) -> Option<u64> {
        self.counts.get(backend)?.get(name).copied()
    }

    pub(super) fn compare(&self, now: &Self) -> Comparison {
        let mut text = String::new();
        let mut differences = 0;
        let _ = writeln!(
            text,
            "{:10}  {:32}  {:>11}  {:>11}  change",
            "backend", "operation", "baseline", "now"
        );
        for (backend, name, count) in now.figures() {
            let (before, change, differs) = match self.figure(backend, name) {
                None => ("-".to_owned(), "new".to_owned(), true),
                Some(before) => {
                    let percent = (count as f64 / before as f64 - 1.0) * 100.0;
                    // In integers, where 2 % is 2 %. A count of zero in a damaged file is a
                    // difference, too.
                    let within = before != 0 && 100 * count.abs_diff(before) <= PERCENT * before;
                    (before.to_string(), format!("{percent:+.2} %"), !within)
                }
            };
            differences += usize::from(differs);
            let mark = if differs { "  <==" } else { "" };
            let _ = writeln!(
                text,
                "{backend:10}  {name:32}  {before:>11}  {count:>11}  {change}{mark}"
            );
        }
        for (backend, name, before) in self.figures() {
            if now.figure(backend, name).is_none() {
                differences += 1;
                let _ = writeln!(
                    text,
                    "{backend:10}  {name:32}  {before:>11}  {:>11}  gone  <==",
                    "-"
                );
            }
        }
        Comparison { text, differences }
    }
}

#[cfg(test)]
mod tests {
    use super::Baseline;

    fn baseline(figures: &[(&str, u64)]) -> Baseline {
        let figures = figures
            .iter()
            .map(|(name, count)| ((*name).to_owned(), *count));
        Baseline::new("1.95.0", [("adx".to_owned(), figures.collect())].into())
    }

    #[test]
    fn two_per_cent_either_way() {
        let old = baseline(&[("sign", 1000), ("verify", 1000)]);
        for (sign, verify, differences) in [
            (1000, 1000, 0),
            (1020, 980, 0),
            (1021, 1000, 1),
            (1000, 979, 1),
            (1021, 979, 2),
        ] {
            let now = baseline(&[("sign", sign), ("verify", verify)]);
            let comparison = old.compare(&now);
            assert_eq!(comparison.differences, differences, "{}", comparison.text);
            assert_eq!(comparison.text.matches("<==").count(), differences);
        }
    }

    /// What is not compared is not silently right.
    #[test]
    fn new_and_gone() {
        let (old, now) = (baseline(&[("sign", 1000)]), baseline(&[("verify", 1000)]));
        let comparison = old.compare(&now);
        assert_eq!(comparison.differences, 2);
        assert!(comparison.text.contains("new  <==") && comparison.text.contains("gone  <=="));
        assert_eq!(
            baseline(&[("sign", 0)])
                .compare(&baseline(&[("sign", 0)]))
                .differences,
            1
        );
    }

    #[test]
    fn kept_in_a_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("instructions.json");
        assert!(
            Baseline::read(&path)
                .unwrap_err()
                .to_string()
                .contains("cannot be read")
        );
        let old = baseline(&[("b", 2), ("a", 1)]);
        old.write(&path).unwrap();
        assert_eq!(Baseline::read(&path).unwrap(), old);
        std::fs::write(&path, "{}").unwrap();
        assert!(
            Baseline::read(&path)
                .unwrap_err()
                .to_string()
                .contains("is no baseline")
        );
    }
}
