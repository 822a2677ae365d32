//! The comparison as tables: one for each section and number of threads, with a line for each peer and a column for each operation.

use super::report::{Operation, PeerState, Report, Section, Status};
use crate::report::markdown::{Side, table};
use crate::report::thousands;

/// The page of all sections.
pub(super) fn page(report: &Report) -> String {
    let compilers: Vec<String> = report
        .compilers
        .iter()
        .map(|(name, version)| format!("{name}: {version}"))
        .collect();
    let mut out = format!(
        "# Kuaimi beside its peers\n\n\
         Written by `make bench-peers`; the figures are in [peers.json](peers.json).\n\n\
         - Machine: {}.\n- Compilers: {}.\n- {}\n\n\
         Every peer runs in a process of its own, Kuaimi in threads of the measuring one; each process and each thread stays on a core, and\n\
         uses one key. Slices of all take turns. Time is that on the processor, of all threads of a process. All threads: as many processes of a\n\
         peer, or threads of Kuaimi, at once, and their speeds added. Before that, each peer's results were accepted by Kuaimi and by every peer\n\
         that reads them, and altered ones were refused.\n\n\
         A cell has the median of the rounds and, after ×, how many times as fast Kuaimi is: the median [lower quartile – upper quartile] of\n\
         ratios formed within rounds.\n",
        report.machine,
        compilers.join("; "),
        manner(report)
    );
    out += &sections(report);
    out += &format!("\n## The peers\n\n{}", peers(&report.peers));
    out
}

/// What a terminal gets.
pub(super) fn text(report: &Report) -> String {
    format!(
        "{}\n## The peers\n\n{}",
        sections(report),
        peers(&report.peers)
    )
}

fn manner(report: &Report) -> String {
    let manner = &report.manner;
    let load = manner
        .load
        .map_or(String::new(), |load| format!("; load {load:.1} before"));
    format!(
        "{} rounds of slices of {} s{load}; commit {}; `{}`.",
        manner.rounds, manner.seconds, manner.commit, manner.command
    )
}

fn sections(report: &Report) -> String {
    let mut out = String::new();
    for section in &report.sections {
        let mut threads: Vec<usize> = section.operations.iter().map(|one| one.threads).collect();
        threads.sort_unstable();
        threads.dedup();
        for threads in threads {
            let plural = if threads == 1 { "" } else { "s" };
            out += &format!(
                "\n## {}, {threads} thread{plural}\n\n",
                section.name.to_uppercase()
            );
            let operations: Vec<&Operation> = section
                .operations
                .iter()
                .filter(|one| one.threads == threads)
                .collect();
            for operations in operations.chunks(4) {
                out += &columns(operations, &report.peers);
                out += "\n";
            }
        }
        out += &conditions(section);
    }
    out
}

/// A table of some operations.
fn columns(operations: &[&Operation], peers: &[PeerState]) -> String {
    let heading = operations
        .iter()
        .map(|one| format!("{}, {}", one.name, one.unit));
    let mut lines = vec![
        [String::new()]
            .into_iter()
            .chain(heading)
            .collect::<Vec<_>>(),
    ];
    let ours = operations
        .iter()
        .map(|one| format!("**{}**", thousands(one.kuaimi.value)));
    lines.push(["**Kuaimi**".to_owned()].into_iter().chain(ours).collect());
    for peer in peers {
        let cells: Vec<String> = operations.iter().map(|one| cell(one, peer)).collect();
        if cells.iter().any(|cell| !cell.is_empty()) {
            lines.push([label(peer)].into_iter().chain(cells).collect());
        }
    }
    let sides: Vec<Side> = [Side::Left]
        .into_iter()
        .chain(operations.iter().map(|_| Side::Right))
        .collect();
    table(&sides, &lines)
}

fn cell(operation: &Operation, peer: &PeerState) -> String {
    if let Some(figure) = operation.peers.iter().find(|one| one.name == peer.name) {
        let ratio = &figure.ratio;
        return format!(
            "{} × {} [{} – {}]",
            thousands(figure.value),
            times(ratio.median),
            times(ratio.q1),
            times(ratio.q3)
        );
    }
    let failed = operation.failed.iter().any(|one| one.name == peer.name);
    if failed || peer.status == Status::Failed {
        "failed".to_owned()
    } else {
        String::new()
    }
}

/// A ratio: three digits that tell.
fn times(ratio: f64) -> String {
    match ratio {
        100.0.. => thousands(ratio),
        10.0.. => format!("{ratio:.1}"),
        _ => format!("{ratio:.2}"),
    }
}

fn label(peer: &PeerState) -> String {
    match &peer.version {
        Some(version) => format!("{} {version}", peer.title),
        None => peer.title.clone(),
    }
}

/// What the operations of a section include, and what failed.
fn conditions(section: &Section) -> String {
    let mut out = String::new();
    let mut failures: Vec<String> = Vec::new();
    for one in section.operations.iter().filter(|one| one.threads == 1) {
        let keys = if one.keys == 1 {
            String::new()
        } else {
            format!("; Kuaimi: {} keys", one.keys)
        };
        out += &format!("- *{}*: {}{keys}.\n", one.name, one.conditions);
        for failure in &one.failed {
            let line = format!(
                "- **{} failed** at *{}*: {}\n",
                failure.name,
                one.name,
                escaped(&failure.error)
            );
            failures.push(line);
        }
    }
    out + &failures.concat()
}

fn peers(peers: &[PeerState]) -> String {
    let mut lines = vec![
        ["name", "peer", "version", "language", "status"]
            .map(str::to_owned)
            .to_vec(),
    ];
    for peer in peers {
        let status = match &peer.error {
            Some(error) => format!("**failed**: {}", escaped(error)),
            None => "ok".to_owned(),
        };
        let version = peer.version.clone().unwrap_or_default();
        lines.push(vec![
            peer.name.clone(),
            peer.title.clone(),
            version,
            peer.language.clone(),
            status,
        ]);
    }
    table(&[Side::Left; 5], &lines)
}

/// A text that cannot end a cell, nor put anything else into the page.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    for character in text.chars() {
        match character {
            '|' | '<' | '>' | '*' | '_' | '`' | '[' | ']' | '\\' => out.extend(['\\', character]),
            '\n' | '\r' => out.push(' '),
            _ => out.push(character),
        }
    }
    out
}
