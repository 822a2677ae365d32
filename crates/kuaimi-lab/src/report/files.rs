//! The reports' files. Each is whole or not there: it is written beside its place and then moved into it.

use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};

use super::{Document, plot, summary};

/// The folder's page, of all documents in it.
const SUMMARY: &str = "README.md";
/// The order of the documents on it; others come after these.
const ORDER: [&str; 5] = ["sm2", "sm9", "sm3", "sm4", "threads"];

/// A folder of reports that can be written to.
pub(crate) struct Directory(PathBuf);

impl Directory {
    /// Makes it if need be, and tries whether files can be made in it: better to fail before minutes of measuring.
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
    pub(crate) fn write(&self, documents: &[Document]) -> Result<()> {
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
    pub(super) fn documents(&self) -> Result<Vec<Document>> {
        let list = fs::read_dir(&self.0)
            .with_context(|| format!("the folder {} cannot be read", self.0.display()))?;
        let mut documents = Vec::new();
        for entry in list {
            let path = entry?.path();
            if path.extension().is_none_or(|extension| extension != "json") {
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
        let path = self.0.join(name);
        let written = || -> Result<()> {
            let mut file = new_file(&self.0)?;
            file.write_all(text.as_bytes())?;
            file.as_file().sync_all()?;
            file.persist(&path)?;
            Ok(())
        };
        written().with_context(|| format!("{} cannot be written", path.display()))?;
        // The name too, where folders can be synced.
        if let Ok(folder) = File::open(&self.0) {
            let _ = folder.sync_all();
        }
        Ok(())
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
}

/// Makes pages and plots again, of figures that are there.
pub(crate) fn render(arguments: &Arguments) -> Result<()> {
    let path = &arguments.directory;
    ensure!(
        path.is_dir(),
        "there is no folder {}: name the one that --out wrote to",
        path.display()
    );
    let directory = Directory::prepare(path)?;
    let documents = directory.documents()?;
    ensure!(
        !documents.is_empty(),
        "{} has no JSON files of reports",
        path.display()
    );
    directory.write(&documents)
}
