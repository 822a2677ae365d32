//! The ladders: a waterfall and a table each.

use super::model::{
    Bar, Bars, Cell, Column, Group, Heading, Legend, Part, Section, Source, Table, Text,
};
use super::records::{source_id, source_of};
use super::scale::Logarithmic;
use super::words::{both, looked_up};
use crate::harness::statistics::thousands;
use crate::ladders::report::{LadderReport, Report, RungReport};
use crate::ladders::rung::Unit;

pub(super) fn section(report: &Report) -> Section {
    let mut parts = Vec::new();
    for ladder in &report.ladders {
        parts.push(Part::Heading(Heading {
            id: format!("ladder-{}", ladder.name),
            title: looked_up(&ladder.title),
            about: looked_up(&ladder.about),
        }));
        parts.push(Part::Bars(waterfall(ladder)));
        parts.push(Part::Table(table(ladder)));
    }
    Section {
        id: "ladders".to_owned(),
        title: both("Ladders", "阶梯"),
        about: vec![
            both(
                "Each optimisation beside what it replaces, from the slowest way to compute something to the library's. A rung's bar goes from \
                 where the rung before ended to how many times as fast as the first rung it is, on a logarithmic scale. The diamond is where it \
                 would end if the step were as large as others published it, on a machine of theirs.",
                "每项优化与它所取代的做法并列，从最慢的算法直到本库所用者。每一级的横条从上一级的终点画到它相对第一级的倍数，对数刻度。\
                 菱形表示：若这一步的收益与他人（在其机器上）发表的相同，横条应到之处。",
            ),
            both(
                "A rung that leaks takes time, or reads addresses, that depend on its operands; the library does so with public operands only.",
                "“泄漏”指所用时间或访问的地址取决于操作数；本库只对公开数据这样做。",
            ),
        ],
        parts,
    }
}

pub(super) fn class(rung: &RungReport) -> &'static str {
    match (rung.used_by_library, rung.leaks) {
        (true, _) => "ours",
        (false, true) => "leaks",
        (false, false) => "plain",
    }
}

pub(super) fn legend() -> Vec<Legend> {
    [
        ("ours", both("the library", "本库所用")),
        ("plain", both("constant time", "常数时间")),
        ("leaks", both("leaks", "泄漏")),
    ]
    .map(|(class, text)| Legend { class, text })
    .into()
}

fn waterfall(ladder: &LadderReport) -> Bars {
    let times = ladder.rungs.iter().map(|rung| rung.times_first);
    let published = ladder.rungs.iter().filter_map(published_end);
    let scale = Logarithmic::new(times.chain(published).chain([1.0]));
    let mut before = 1.0;
    let mut bars = Vec::new();
    for rung in &ladder.rungs {
        let (from, to) = (scale.place(before), scale.place(rung.times_first));
        before = rung.times_first;
        bars.push(Bar {
            label: rung.name.clone().into(),
            class: class(rung),
            from: from.min(to),
            // What is no step at all is still to be seen.
            width: (from - to).abs().max(0.6),
            mark: published_end(rung).map(|end| scale.place(end)),
            figure: format!("{:.2} ×", rung.times_first),
            tip: tip(rung),
        });
    }
    let title = looked_up(&ladder.title);
    let mut legend = legend();
    if bars.iter().any(|bar| bar.mark.is_some()) {
        legend.push(Legend {
            class: "mark",
            text: both("the step as published", "发表的收益"),
        });
    }
    Bars {
        title: both(
            format!("{}: times as fast as the first rung", title.en),
            format!(
                "{}：相对第一级的倍数",
                title.zh.as_ref().unwrap_or(&title.en)
            ),
        ),
        legend,
        ticks: scale.round(18.0, |times| format!("{times} ×")),
        groups: vec![Group { title: None, bars }],
    }
}

/// Where a rung would end if its step were as large as published.
fn published_end(rung: &RungReport) -> Option<f64> {
    Some(rung.times_first / rung.times_same_pair? * rung.published_times?)
}

fn tip(rung: &RungReport) -> Text {
    let time = time(rung.ns);
    let (mut en, mut zh) = (
        format!("{}: {time}", rung.name),
        format!("{}：{time}", rung.name),
    );
    if let Some(times) = rung.times_previous {
        en += &format!("; {times:.2} × the rung before");
        zh += &format!("；上一级的 {times:.2} 倍");
    }
    if let (Some(published), Some(here)) = (rung.published_times, rung.times_same_pair) {
        en += &format!("; published step {published:.2} ×, the same pair here {here:.2} ×");
        zh += &format!("；发表的收益 {published:.2} 倍，此处同一对 {here:.2} 倍");
    }
    both(en, zh)
}

/// Three figures that count, in a unit that has room for them.
pub(super) fn time(ns: f64) -> String {
    let (figure, unit) = match ns {
        ..1e3 => (ns, "ns"),
        ..1e6 => (ns / 1e3, "µs"),
        _ => (ns / 1e6, "ms"),
    };
    match figure {
        ..10.0 => format!("{figure:.2} {unit}"),
        ..100.0 => format!("{figure:.1} {unit}"),
        _ => format!("{figure:.0} {unit}"),
    }
}

fn table(ladder: &LadderReport) -> Table {
    let published = ladder.rungs.iter().any(|rung| rung.published.is_some());
    let counted = ladder.rungs.iter().any(|rung| rung.instructions.is_some());
    let mut columns = vec![
        Column::text(both("Rung", "级")),
        Column::number(both("Time", "时间")),
        Column::number(both("× previous", "× 上一级")),
        Column::number(both("× first", "× 第一级")),
    ];
    if counted {
        columns.push(Column::number(both("Instructions", "指令数")));
    }
    if published {
        columns.push(Column::number(both("Published", "发表值")));
        columns.push(Column::number(both("Published ×", "发表 ×")));
        columns.push(Column::number(both("Same pair here ×", "此处同一对 ×")));
    }
    columns.push(Column::text(both("Cost", "代价")));
    columns.push(Column::text(both("Kind", "类别")));
    columns.push(Column::text(both("What it does", "做法")));
    let times = |times: Option<f64>| {
        Cell::number(times.map_or_else(String::new, |t| format!("{t:.2}")), times)
    };
    let rows = ladder.rungs.iter().map(|rung| {
        let previous = match (rung.times_previous, rung.times_previous_quartiles) {
            (Some(times), Some([low, high])) => format!("{times:.2} [{low:.2} – {high:.2}]"),
            _ => String::new(),
        };
        let mut cells = vec![
            Cell {
                link: Some(source_id(&ladder.name)),
                ..Cell::text(rung.name.clone().into())
            },
            Cell::number(time(rung.ns), Some(rung.ns)),
            Cell::number(previous, rung.times_previous),
            times(Some(rung.times_first)),
        ];
        if counted {
            let count = rung.instructions;
            cells.push(Cell::number(
                count.map_or_else(String::new, thousands),
                count,
            ));
        }
        if published {
            cells.push(Cell::number(
                published_figure(rung),
                rung.published.map(|figure| figure.value),
            ));
            cells.push(times(rung.published_times));
            cells.push(times(rung.times_same_pair));
        }
        cells.push(Cell::text(looked_up(&rung.cost)));
        cells.push(Cell::text(kind(rung)));
        cells.push(Cell::text(both(
            format!("{} {}.", rung.what, rung.source),
            format!(
                "{} {}。",
                looked_up(&rung.what)
                    .zh
                    .unwrap_or_else(|| rung.what.clone()),
                rung.source
            ),
        )));
        cells
    });
    Table {
        caption: looked_up(&ladder.title),
        filter: false,
        columns,
        rows: rows.collect(),
    }
}

fn kind(rung: &RungReport) -> Text {
    match (rung.used_by_library, rung.leaks) {
        (true, true) => both("the library, on public numbers", "本库所用，限公开数据"),
        (true, false) => both("the library", "本库所用"),
        (false, true) => both("leaks", "泄漏"),
        (false, false) => both("constant time", "常数时间"),
    }
}

fn published_figure(rung: &RungReport) -> String {
    rung.published
        .map_or_else(String::new, |published| match published.unit {
            Unit::Nanoseconds => format!("{} ns", published.value),
            Unit::PerSecond => format!("{} /s", thousands(published.value)),
            Unit::Times => format!("{} ×", published.value),
        })
}

/// How the ladders were measured.
pub(super) fn sources(report: &Report) -> impl Iterator<Item = Source> {
    let ladders = report.ladders.iter();
    ladders.map(|ladder| source_of(&ladder.name, &ladder.title, &ladder.run, Vec::new()))
}

#[cfg(test)]
mod tests {
    use super::time;

    #[test]
    fn times_for_people() {
        assert_eq!(time(9.557), "9.56 ns");
        assert_eq!(time(55.02), "55.0 ns");
        assert_eq!(time(741.2), "741 ns");
        assert_eq!(time(38262.1), "38.3 µs");
        assert_eq!(time(1_357_338.9), "1.36 ms");
    }
}
