//! All figures of a folder as one HTML page that needs nothing else: tables that are sorted and filtered, charts with values on hover
//! and focus, in English and Chinese, light and dark, for screens of any width and for paper.
//!
//! | module | what it does |
//! | --- | --- |
//! | [`model`] | what the template is given |
//! | [`documents`], [`peers`] | comparisons: two or three columns of one run, and many libraries |
//! | [`ladders`], [`table_sizes`] | waterfalls; tables of points, by their size |
//! | [`batches`] | what an item of a batch costs |
//! | [`scale`] | places in charts |
//! | [`words`] | texts in two languages |

mod batches;
mod documents;
mod ladders;
mod model;
mod peers;
mod scale;
mod table_sizes;
#[cfg(test)]
mod tests;
mod words;

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, ensure};
use minijinja::value::{Serde, Value};
use minijinja::{AutoEscape, Environment};

use self::documents::Names;
use self::model::{Heading, Page, Part, Section, Text};
use self::peers::Peers;
use self::words::both;
use crate::ladders::report::Report;
use crate::report::files::Directory;
use crate::report::{Document, put};

/// The figures of `make bench-peers` in a folder.
pub(crate) use crate::comparison::FIGURES as PEERS;

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The folder with the figures' JSON files.
    #[arg(default_value = "docs/bench", value_name = "DIR")]
    directory: PathBuf,
    /// The page.
    #[arg(long, default_value = "report.html", value_name = "FILE")]
    out: PathBuf,
}

/// Writes the page.
pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let path = &arguments.directory;
    ensure!(
        path.is_dir(),
        "there is no folder {}: name the one that --out of a measurement wrote to",
        path.display()
    );
    put(&arguments.out, &html(path)?)?;
    crate::peers::show(&format!(
        "{} is written: open it in a browser\n",
        arguments.out.display()
    ))
}

/// The page of a folder's figures.
fn html(folder: &Path) -> Result<String> {
    let documents = Directory::prepare(folder)?.documents()?;
    let ladders = Report::read(folder)?;
    let peers = peers::read(folder)?;
    ensure!(
        !documents.is_empty() || ladders.is_some() || peers.is_some(),
        "{} has no figures of this program: make bench and make bench-ladders write some",
        folder.display()
    );
    render(&page(&documents, ladders.as_ref(), peers.as_ref()))
}

fn page(documents: &[Document], ladders: Option<&Report>, peers: Option<&Peers>) -> Page {
    let named = |names: &[&str]| -> Vec<&Document> {
        let of = |document: &&Document| names.iter().any(|name| document.name == *name);
        documents.iter().filter(of).collect()
    };
    let (threads, files) = (named(&["threads"]), named(&["files", "files-threads"]));
    let (batches, special) = (
        named(&["batches"]),
        named(&["threads", "files", "files-threads", "batches"]),
    );
    let other = |document: &&Document| special.iter().all(|one| one.name != document.name);
    let compared: Vec<&Document> = documents.iter().filter(other).collect();

    let mut sections = Vec::new();
    sections.extend(comparisons(&compared, peers));
    if let Some(report) = ladders {
        sections.push(self::ladders::section(report));
        sections.extend(table_sizes::section(report));
    }
    sections.extend(threads.first().map(|document| of_threads(document)));
    sections.extend(
        batches
            .first()
            .and_then(|document| self::batches::section(document)),
    );
    if !files.is_empty() {
        sections.push(of_files(&files));
    }
    let mut sources: Vec<_> = peers.map(Peers::source).into_iter().collect();
    sources.extend(documents.iter().map(documents::source));
    sources.extend(ladders.into_iter().flat_map(self::ladders::sources));
    Page { sections, sources }
}

fn comparisons(documents: &[&Document], peers: Option<&Peers>) -> Option<Section> {
    if documents.is_empty() && peers.is_none() {
        return None;
    }
    let rows = peers.map(Peers::rows).unwrap_or_default();
    let names = Names {
        ours: both("Kuaimi", "快密"),
        beside: both("Beside", "对照"),
    };
    let mut parts = Vec::new();
    if let Some(peers) = peers {
        parts.extend(peers.charts());
        parts.extend(peers.libraries().map(Part::Table));
    }
    parts.extend(
        documents
            .iter()
            .flat_map(|document| documents::chart(document)),
    );
    parts.push(Part::Heading(Heading {
        id: "all-comparisons".to_owned(),
        title: both("All of them in a table", "全部列表"),
        about: Text::default(),
    }));
    parts.push(Part::Table(documents::table(documents, names, rows)));
    Some(Section {
        id: "peers".to_owned(),
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

fn of_threads(document: &Document) -> Section {
    let names = Names {
        ours: both("Several threads", "多线程"),
        beside: both("Beside", "对照"),
    };
    let mut parts = documents::chart(document);
    parts.push(Part::Table(documents::table(
        &[document],
        names,
        Vec::new(),
    )));
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

fn of_files(files: &[&Document]) -> Section {
    let names = Names {
        ours: both("The file", "文件"),
        beside: both("Beside", "对照"),
    };
    let mut parts: Vec<Part> = files
        .iter()
        .flat_map(|document| documents::chart(document))
        .collect();
    parts.push(Part::Table(documents::table(files, names, Vec::new())));
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
    let mut environment = Environment::new();
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
