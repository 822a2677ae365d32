//! What tables of points cost in bytes, and how fast an operation is with them.

use super::ladders::{class, legend, time};
use super::model::{Part, Point, Points, Section, Series};
use super::scale::{Logarithmic, upside_down};
use super::words::{both, looked_up};
use crate::ladders::report::{Report, RungReport};

/// Ladders whose rungs differ in their tables.
const WITH_TABLES: [&str; 3] = ["generator", "double-scalar", "tables"];

/// What tables cost in bytes, and how fast the operation is with them.
pub(super) fn section(report: &Report) -> Option<Section> {
    let mut parts = Vec::new();
    for ladder in report
        .ladders
        .iter()
        .filter(|ladder| WITH_TABLES.contains(&ladder.name.as_str()))
    {
        let with: Vec<(&RungReport, f64)> = ladder
            .rungs
            .iter()
            .filter_map(|rung| Some((rung, table_bytes(&rung.cost)?)))
            .collect();
        if with.len() < 2 {
            continue;
        }
        let x = Logarithmic::new(with.iter().map(|(_, bytes)| *bytes));
        let y = Logarithmic::new(with.iter().map(|(rung, _)| rung.ns));
        let points = with.iter().map(|(rung, bytes)| Point {
            class: class(rung),
            x: x.place(*bytes),
            y: 100.0 - y.place(rung.ns),
            label: rung.name.clone(),
            tip: format!("{}: {}, {}", rung.name, size(*bytes), time(rung.ns)),
        });
        let title = looked_up(&ladder.title);
        parts.push(Part::Points(Points {
            x: both("bytes of tables", "表的字节数"),
            y: both("time of an operation", "每次操作的时间"),
            x_ticks: x.ticks((6..24).map(|power| f64::from(1 << power)), 14.0, size),
            y_ticks: upside_down(y.round(14.0, time)),
            legend: legend(),
            series: vec![Series {
                joined: false,
                points: points.collect(),
            }],
            title,
        }));
    }
    (!parts.is_empty()).then(|| Section {
        id: "table-sizes".to_owned(),
        title: both("Table size against speed", "表的大小与速度"),
        about: vec![both(
            "Rungs of the ladders that keep tables of points, by what the tables take in memory. Both scales are logarithmic. In the last chart an \
             operation is the making of the table.",
            "各阶梯中带有点表的级，按表所占内存排列，两轴均为对数刻度。最后一图的“操作”是制表本身。",
        )],
        parts,
    })
}

/// All bytes that a rung's cost names: `32 KiB, and 512 B for each P`.
fn table_bytes(cost: &str) -> Option<f64> {
    let words: Vec<&str> = cost.split([' ', ',', ';']).collect();
    let sizes = words.windows(2).filter_map(|pair| {
        let [number, unit] = pair else { return None };
        let unit = match *unit {
            "B" | "bytes" => 1.0,
            "KiB" => 1024.0,
            "MiB" => 1024.0 * 1024.0,
            _ => return None,
        };
        Some(number.parse::<f64>().ok()? * unit)
    });
    let sum: f64 = sizes.sum();
    (sum > 0.0).then_some(sum)
}

fn size(bytes: f64) -> String {
    match bytes {
        ..1024.0 => format!("{bytes:.0} B"),
        ..1_048_576.0 => format!("{:.0} KiB", bytes / 1024.0),
        _ => format!("{:.0} MiB", bytes / 1_048_576.0),
    }
}

#[cfg(test)]
mod tests {
    use super::{size, table_bytes};

    #[test]
    fn bytes_of_tables() {
        for (cost, bytes) in [
            ("", None),
            ("256 doublings, 128 additions", None),
            ("31 doublings, 64 additions; 2 KiB", Some(2048.0)),
            ("43 windows of 32 entries, 86 KiB", Some(86.0 * 1024.0)),
            (
                "256 doublings, 65 additions; 32 KiB, and 512 B for each P",
                Some(32.0 * 1024.0 + 512.0),
            ),
            ("16 products, a table of 448 bytes", Some(448.0)),
            ("as comb-2x16 of [k]G; 2 KiB", Some(2048.0)),
        ] {
            assert_eq!(table_bytes(cost), bytes, "{cost}");
        }
        assert_eq!(size(512.0), "512 B");
        assert_eq!(size(88064.0), "86 KiB");
    }
}
