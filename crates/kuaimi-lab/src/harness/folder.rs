//! Folders of records. Each file is whole or not there: it is written beside its place and then
//! moved into it.

use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::record::Record;

/// The order of records; others come after these.
const ORDER: [&str; 6] = ["sm2", "sm9", "sm3", "sm4", "threads", "batches"];

/// Where records go.
#[derive(clap::Args)]
pub(crate) struct Output {
    /// Write every round's figures into this folder, as well as tables to standard output.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

impl Output {
    /// Makes sure that files can be written: better to fail before minutes of measuring.
    pub(crate) fn prepare(&self) -> Result<()> {
        self.out.as_deref().map_or(Ok(()), prepare)
    }

    pub(crate) fn write(&self, records: &[Record]) -> Result<()> {
        match &self.out {
            Some(folder) => write(folder, records),
            None => Ok(()),
        }
    }
}

/// Makes a folder if need be, and tries whether files can be made in it.
pub(crate) fn prepare(folder: &Path) -> Result<()> {
    fs::create_dir_all(folder)
        .with_context(|| format!("the folder {} cannot be made", folder.display()))?;
    tempfile::Builder::new()
        .prefix(".kuaimi-lab")
        .tempfile_in(folder)
        .with_context(|| format!("no files can be made in {}", folder.display()))?;
    Ok(())
}

/// Writes records, each in place of an older one of its name.
pub(crate) fn write(folder: &Path, records: &[Record]) -> Result<()> {
    prepare(folder)?;
    for record in records {
        let name = &record.name;
        ensure!(
            !name.is_empty() && name.bytes().all(|c| c.is_ascii_alphanumeric() || c == b'-'),
            "{name:?} does not do as a file's name: letters, digits and - are allowed"
        );
        put_json(&folder.join(format!("{name}.json")), record)?;
    }
    Ok(())
}

/// All records of a folder, in order. `other` is the name of a file that is none.
pub(crate) fn read(folder: &Path, other: &str) -> Result<Vec<Record>> {
    let list = fs::read_dir(folder).with_context(|| {
        format!(
            "the folder {} cannot be read: name the one that --out of a measurement wrote to",
            folder.display()
        )
    })?;
    let mut records: Vec<Record> = Vec::new();
    for entry in list {
        let path = entry?.path();
        let json = path
            .extension()
            .is_some_and(|extension| extension == "json");
        if json && !path.ends_with(other) {
            records.extend(figures(&path)?);
        }
    }
    let place = |record: &Record| ORDER.iter().position(|name| *name == record.name);
    records.sort_by_key(|record| (place(record).unwrap_or(ORDER.len()), record.name.clone()));
    Ok(records)
}

/// The figures of a file, if it is there.
pub(crate) fn figures<T: DeserializeOwned>(path: &Path) -> Result<Option<T>> {
    let text = match fs::read_to_string(path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        text => text.with_context(|| format!("{} cannot be read", path.display()))?,
    };
    let figures = serde_json::from_str(&text).with_context(|| {
        format!(
            "{} is not a record of this program: measure again, or move it away",
            path.display()
        )
    })?;
    Ok(Some(figures))
}

/// Writes figures.
pub(crate) fn put_json(path: &Path, figures: &impl Serialize) -> Result<()> {
    put(path, &(serde_json::to_string_pretty(figures)? + "\n"))
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
