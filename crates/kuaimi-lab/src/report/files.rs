//! The reports' files. Each is whole or not there: it is written beside its place and then moved into it.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};

use serde::de::DeserializeOwned;

use super::{Document, plot, summary};
use crate::{comparison, ladders};

/// The folder's page, of all documents in it.
const SUMMARY: &str = "README.md";
/// JSON files of a folder that are no documents.
const OTHERS: [&str; 2] = [ladders::FIGURES, comparison::FIGURES];
/// The order of the documents on it; others come after these.
const ORDER: [&str; 6] = ["sm2", "sm9", "sm3", "sm4", "threads", "batches"];

/// Where the goals stand in a page that people write.
const BEGIN: &str = "<!-- goals: written by make bench -->\n";
const END: &str = "<!-- end of goals -->\n";

/// Where reports go.
#[derive(clap::Args)]
pub(crate) struct Output {
    /// Write tables, plots and every round's figures into this folder, as well as tables to standard output.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Write what became of all goals that the folder of --out then has into this page, between its two comments about goals.
    #[arg(long, value_name = "FILE", requires = "out")]
    summary: Option<PathBuf>,
}

impl Output {
    #[cfg(test)]
    pub(super) fn new(folder: &Path) -> Self {
        Self {
            out: Some(folder.to_owned()),
            summary: None,
        }
    }

    /// Makes sure that everything can be written: better to fail before minutes of measuring.
    pub(crate) fn prepare(&self) -> Result<()> {
        if let Some(folder) = &self.out {
            Directory::prepare(folder)?.documents()?;
        }
        if let Some(page) = &self.summary {
            with_goals(page, "")?;
        }
        Ok(())
    }

    /// An error if the folder's reports have operations that are not among these: part of a report is not to replace the whole.
    /// `rows` are pairs of a document's name and a row's.
    pub(crate) fn keep_rows(&self, rows: &[(&str, &str)]) -> Result<()> {
        let Some(folder) = &self.out else {
            return Ok(());
        };
        for old in Directory::prepare(folder)?.documents()? {
            let new = |(name, _): &&(&str, &str)| *name == old.name;
            let new: Vec<&str> = rows.iter().filter(new).map(|(_, row)| *row).collect();
            let lost = old.rows.iter().find(|row| !new.contains(&&*row.id));
            if let Some(lost) = lost.filter(|_| !new.is_empty()) {
                bail!(
                    "{} has {} and others that would be lost: name another folder for part of the operations, \
                     or choose all with --filter {}",
                    folder.join(format!("{}.json", old.name)).display(),
                    lost.id,
                    old.name
                );
            }
        }
        Ok(())
    }

    pub(crate) fn write(&self, documents: &[Document]) -> Result<()> {
        let Some(folder) = &self.out else {
            return Ok(());
        };
        let directory = Directory::prepare(folder)?;
        directory.write(documents)?;
        if let Some(page) = &self.summary {
            let goals = summary::goals(&directory.documents()?)?;
            put(page, &with_goals(page, &goals)?)?;
        }
        Ok(())
    }
}

/// A page with other goals in it.
pub(super) fn with_goals(page: &Path, goals: &str) -> Result<String> {
    let text =
        fs::read_to_string(page).with_context(|| format!("{} cannot be read", page.display()))?;
    let parts = text.split_once(BEGIN).and_then(|(before, rest)| {
        let (_, after) = rest.split_once(END)?;
        Some((before, after))
    });
    let (before, after) = parts.with_context(|| {
        format!(
            "{} has no place for the goals: it must have a line {} and after it a line {}",
            page.display(),
            BEGIN.trim(),
            END.trim()
        )
    })?;
    Ok([before, BEGIN, goals, END, after].concat())
}

/// A folder of reports that can be written to.
pub(crate) struct Directory(PathBuf);

impl Directory {
    /// Makes it if need be, and tries whether files can be made in it.
    pub(crate) fn prepare(path: &Path) -> Result<Self> {
        fs::create_dir_all(path)
            .with_context(|| format!("the folder {} cannot be made", path.display()))?;
        tempfile::Builder::new()
            .prefix(".kuaimi-lab")
            .tempfile_in(path)
            .with_context(|| format!("no files can be made in {}", path.display()))?;
        Ok(Self(path.to_owned()))
    }

    /// Writes each document's figures, page and plot, and the page of all that the folder then has.
    pub(super) fn write(&self, documents: &[Document]) -> Result<()> {
        for document in documents {
            let name = &document.name;
            ensure!(
                !name.is_empty() && name.bytes().all(|c| c.is_ascii_alphanumeric() || c == b'-'),
                "{name:?} does not do as a file's name: letters, digits and - are allowed"
            );
            let (json, picture) = (document.json()?, plot::svg(document)?);
            let svg = format!("{name}.svg");
            let page = document.page(picture.is_some().then_some(svg.as_str()))?;
            self.put(&format!("{name}.json"), &json)?;
            match picture {
                Some(picture) => self.put(&svg, &picture)?,
                // One of other figures must not stay beside these.
                None => self.remove(&svg)?,
            }
            self.put(&format!("{name}.md"), &page)?;
        }
        self.put(SUMMARY, &summary::page(&self.documents()?)?)
    }

    /// All documents of the folder, in order.
    pub(crate) fn documents(&self) -> Result<Vec<Document>> {
        let list = fs::read_dir(&self.0)
            .with_context(|| format!("the folder {} cannot be read", self.0.display()))?;
        let mut documents = Vec::new();
        for entry in list {
            let path = entry?.path();
            let name = path.file_name();
            let other = OTHERS.iter().any(|other| name == Some(OsStr::new(other)));
            if other || path.extension().is_none_or(|extension| extension != "json") {
                continue;
            }
            let text = fs::read_to_string(&path)
                .with_context(|| format!("{} cannot be read", path.display()))?;
            let document: Document = serde_json::from_str(&text).with_context(|| {
                format!(
                    "{} is not a report of this program: measure again, or move it away",
                    path.display()
                )
            })?;
            documents.push(document);
        }
        let place = |document: &Document| {
            ORDER
                .iter()
                .position(|name| *name == document.name)
                .unwrap_or(ORDER.len())
        };
        documents.sort_by(|a, b| (place(a), &a.name).cmp(&(place(b), &b.name)));
        Ok(documents)
    }

    fn put(&self, name: &str, text: &str) -> Result<()> {
        put(&self.0.join(name), text)
    }

    fn remove(&self, name: &str) -> Result<()> {
        let path = self.0.join(name);
        match fs::remove_file(&path) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                Err(error).with_context(|| {
                    format!("{}, which is outdated, cannot be removed", path.display())
                })
            }
            _ => Ok(()),
        }
    }
}

/// Makes a folder if need be, and tries whether files can be made in it.
pub(crate) fn prepare(path: &Path) -> Result<()> {
    Directory::prepare(path).map(drop)
}

/// Writes a file that is whole, whenever one looks.
pub(crate) fn put(path: &Path, text: &str) -> Result<()> {
    let folder = match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    let written = || -> Result<()> {
        let mut file = new_file(folder)?;
        file.write_all(text.as_bytes())?;
        file.as_file().sync_all()?;
        file.persist(path)?;
        Ok(())
    };
    written().with_context(|| format!("{} cannot be written", path.display()))?;
    // The name too, where folders can be synced.
    if let Ok(folder) = File::open(folder) {
        let _ = folder.sync_all();
    }
    Ok(())
}

/// A file beside the others, to be read by everyone whom the process's mask allows.
fn new_file(folder: &Path) -> std::io::Result<tempfile::NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".kuaimi-lab");
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder.tempfile_in(folder)
}

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The folder with the reports' JSON files.
    #[arg(default_value = "docs/bench", value_name = "DIR")]
    directory: PathBuf,
    /// Write what became of all goals into this page, between its two comments about goals.
    #[arg(long, value_name = "FILE")]
    summary: Option<PathBuf>,
}

#[cfg(test)]
impl Arguments {
    pub(super) fn new(folder: &Path, summary: &Path) -> Self {
        Self {
            directory: folder.to_owned(),
            summary: Some(summary.to_owned()),
        }
    }

    /// Without a summary.
    pub(crate) fn of(directory: &Path) -> Self {
        Self {
            directory: directory.to_owned(),
            summary: None,
        }
    }
}

/// Figures that a file has, if it is there; `what` they are, for the error.
pub(crate) fn figures<T: DeserializeOwned>(path: &Path, what: &str) -> Result<Option<T>> {
    let text = match fs::read_to_string(path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        text => text.with_context(|| format!("{} cannot be read", path.display()))?,
    };
    let figures = serde_json::from_str(&text).with_context(|| {
        format!(
            "{} has no {what} of this program: measure again, or move it away",
            path.display()
        )
    })?;
    Ok(Some(figures))
}

/// Makes pages and plots again, of figures that are there.
pub(crate) fn render(arguments: &Arguments) -> Result<()> {
    let path = &arguments.directory;
    ensure!(
        path.is_dir(),
        "there is no folder {}: name the one that --out wrote to",
        path.display()
    );
    let documents = Directory::prepare(path)?.documents()?;
    let ladders = ladders::render(path)?;
    let peers = comparison::render(path)?;
    if documents.is_empty() && (ladders || peers) {
        return Ok(());
    }
    ensure!(
        !documents.is_empty(),
        "{} has no JSON files of reports",
        path.display()
    );
    let output = Output {
        out: Some(path.clone()),
        summary: arguments.summary.clone(),
    };
    output.prepare()?;
    output.write(&documents)
}
