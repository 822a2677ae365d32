//! All figures of a folder as one HTML page that needs nothing else: tables that are sorted and
//! filtered, charts with values on hover and focus, in English and Chinese, light and dark, for
//! screens of any width and for paper.
//!
//! | module | what it does |
//! | --- | --- |
//! | [`model`] | what the template is given |
//! | [`records`] | comparisons: the contenders of a run |
//! | [`ladders`], [`table_sizes`] | waterfalls; tables of points, by their size |
//! | [`batches`] | what an item of a batch costs |
//! | [`scale`] | places in charts |
//! | [`words`] | texts in two languages |

mod batches;
mod ladders;
mod model;
mod records;
mod scale;
mod table_sizes;
#[cfg(test)]
mod tests;
mod words;

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, ensure};
use minijinja::AutoEscape;
use minijinja::value::{Serde, Value};

use self::model::{Heading, Page, Part, Section, Text};
use self::records::Names;
use self::words::both;
use crate::harness::folder::{self, put};
use crate::harness::record::Record;
use crate::harness::show;
use crate::ladders::FIGURES;
use crate::ladders::report::Report;

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The folder with the records.
    #[arg(default_value = "target/bench", value_name = "DIR")]
    directory: PathBuf,
    /// The page.
    #[arg(long, default_value = "report.html", value_name = "FILE")]
    out: PathBuf,
}

/// Writes the page.
pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    put(&arguments.out, &html(&arguments.directory)?)?;
    show(&format!(
        "{} is written: open it in a browser\n",
        arguments.out.display()
    ))
}

/// The page of a folder's records.
fn html(folder: &Path) -> Result<String> {
    let records = folder::read(folder, FIGURES)?;
    let ladders = Report::read(folder)?;
    ensure!(
        !records.is_empty() || ladders.is_some(),
        "{} has no records: make bench and make bench-ladders write some",
        folder.display()
    );
    render(&page(&records, ladders.as_ref()))
}

fn page(records: &[Record], ladders: Option<&Report>) -> Page {
    let named = |names: &[&str]| -> Vec<&Record> {
        let of = |record: &&Record| names.iter().any(|name| record.name == *name);
        records.iter().filter(of).collect()
    };
    let (threads, files) = (named(&["threads"]), named(&["files", "files-threads"]));
    let (batches, special) = (
        named(&["batches"]),
        named(&["threads", "files", "files-threads", "batches"]),
    );
    let other = |record: &&Record| special.iter().all(|one| one.name != record.name);
    let compared: Vec<&Record> = records.iter().filter(other).collect();

    let mut sections = Vec::new();
    sections.extend(comparisons(&compared));
    if let Some(report) = ladders {
        sections.push(self::ladders::section(report));
        sections.extend(table_sizes::section(report));
    }
    sections.extend(threads.first().map(|record| of_threads(record)));
    sections.extend(
        batches
            .first()
            .and_then(|record| self::batches::section(record)),
    );
    if !files.is_empty() {
        sections.push(of_files(&files));
    }
    let mut sources: Vec<_> = records.iter().map(records::source).collect();
    sources.extend(ladders.into_iter().flat_map(self::ladders::sources));
    Page { sections, sources }
}

fn comparisons(records: &[&Record]) -> Option<Section> {
    if records.is_empty() {
        return None;
    }
    let names = Names {
        ours: both("Kuaimi", "快密"),
        beside: both("Beside", "对照"),
    };
    let mut parts: Vec<Part> = records
        .iter()
        .flat_map(|record| records::chart(record))
        .collect();
    parts.extend(records::libraries(records).map(Part::Table));
    parts.push(Part::Heading(Heading {
        id: "all-comparisons".to_owned(),
        title: both("All of them in a table", "全部列表"),
        about: Text::default(),
    }));
    parts.push(Part::Table(records::table(records, names)));
    Some(Section {
        id: "libraries".to_owned(),
        title: both("Beside other libraries", "与其他库对照"),
        about: vec![both(
            "All libraries do the same operations in slices that take turns within one run; a ratio is formed of slices of one round. Compare \
             ratios, not figures of different runs. Where another library has no batches and prepares no keys, its single operation stands there.",
            "各库在同一次运行中轮流执行相同操作，比值在每一轮之内计算。请比较比值，不要比较不同运行的数字。其他库若无批量接口或预计算密钥，\
             则列其单次操作。",
        )],
        parts,
    })
}

fn of_threads(record: &Record) -> Section {
    let names = Names {
        ours: both("Several threads", "多线程"),
        beside: both("Beside", "对照"),
    };
    let mut parts = records::chart(record);
    parts.push(Part::Table(records::table(&[record], names)));
    Section {
        id: "scaling".to_owned(),
        title: both("Throughput over threads", "吞吐量与线程数"),
        about: vec![both(
            "Batches on one thread, on several, and in as many processes, each kept on a core of its own: what processes gain is what the machine \
             has to give.",
            "批量操作在一个线程、多个线程以及同样多的进程（各占一核）上：进程的收益即机器所能给的上限。",
        )],
        parts,
    }
}

fn of_files(files: &[&Record]) -> Section {
    let names = Names {
        ours: both("The file", "文件"),
        beside: both("Beside", "对照"),
    };
    let mut parts: Vec<Part> = files
        .iter()
        .flat_map(|record| records::chart(record))
        .collect();
    parts.push(Part::Table(records::table(files, names)));
    Section {
        id: "verify-batch".to_owned(),
        title: both("Files of signatures", "签名文件"),
        about: vec![both(
            "kuaimi verify-batch on a file, beside the library with the same items in memory; and two threads beside two processes.",
            "kuaimi verify-batch 处理文件，与库在内存中处理相同条目对照；以及两个线程与两个进程对照。",
        )],
        parts,
    }
}

/// The page as HTML. What comes from figures is escaped by the template engine, always.
fn render(page: &Page) -> Result<String> {
    let mut environment = minijinja::Environment::new();
    environment.set_auto_escape_callback(|_| AutoEscape::Html);
    environment.set_undefined_behavior(minijinja::UndefinedBehavior::Strict);
    environment.add_template("page.html", include_str!("page.html"))?;
    let context = minijinja::context! {
        page => Serde(page),
        version => env!("CARGO_PKG_VERSION"),
        // These two are this program's own: they are not escaped.
        style => Value::from_safe_string(include_str!("style.css").to_owned()),
        script => Value::from_safe_string(include_str!("script.js").to_owned()),
    };
    let text = environment.get_template("page.html")?.render(context);
    text.context("the page cannot be made")
}
