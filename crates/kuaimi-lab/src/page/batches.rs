//! What an item of a batch costs, by how many items the batch has: a record whose contenders are
//! sizes of batches.

use super::ladders::time;
use super::model::{Cell, Column, Legend, Part, Point, Points, Section, Series, Table};
use super::records::title;
use super::scale::{Logarithmic, upside_down};
use super::words::{both, looked_up};
use crate::harness::record::Record;

/// Colours of the lines, which repeat where there are more.
const CLASSES: [&str; 9] = ["s1", "s2", "s3", "s4", "s5", "s6", "s7", "s8", "s9"];

pub(super) fn section(record: &Record) -> Option<Section> {
    let sizes: Vec<f64> = record
        .contenders
        .iter()
        .filter_map(|one| one.id.parse().ok())
        .collect();
    if sizes.len() != record.contenders.len() || sizes.is_empty() {
        return None;
    }
    // Nanoseconds of an item, by operation and size.
    let costs: Vec<Vec<Option<f64>>> = record
        .operations
        .iter()
        .map(|operation| {
            (0..sizes.len())
                .map(|place| Some(1e9 / operation.rate(place)?))
                .collect()
        })
        .collect();
    let x = Logarithmic::new(sizes.iter().copied());
    let y = Logarithmic::new(costs.iter().flatten().flatten().copied());
    let class = |number: usize| CLASSES[number % CLASSES.len()];
    let series =
        record
            .operations
            .iter()
            .zip(&costs)
            .enumerate()
            .map(|(number, (operation, costs))| Series {
                joined: true,
                points: sizes
                    .iter()
                    .zip(costs)
                    .filter_map(|(size, cost)| {
                        let cost = (*cost)?;
                        Some(Point {
                            class: class(number),
                            x: x.place(*size),
                            y: 100.0 - y.place(cost),
                            label: operation.label.clone(),
                            tip: format!("{}, {size}: {}", operation.label, time(cost)),
                        })
                    })
                    .collect(),
            });
    let legend = record
        .operations
        .iter()
        .enumerate()
        .map(|(number, operation)| Legend {
            class: class(number),
            text: looked_up(&operation.label),
        });
    let points = Points {
        title: title(record),
        x: both("items of a batch", "每批条数"),
        y: both("time of an item", "每条的时间"),
        x_ticks: x.ticks(sizes.iter().copied(), 9.0, |size| size.to_string()),
        y_ticks: upside_down(y.round(14.0, time)),
        legend: legend.collect(),
        series: series.collect(),
    };
    let mut columns = vec![Column::text(both("Operation", "操作"))];
    columns.extend(
        record
            .contenders
            .iter()
            .map(|size| Column::number(looked_up(&size.name))),
    );
    let rows = record
        .operations
        .iter()
        .zip(&costs)
        .map(|(operation, costs)| {
            let mut cells = vec![Cell::text(looked_up(&operation.label))];
            cells.extend(
                costs
                    .iter()
                    .map(|cost| Cell::number(cost.map_or_else(String::new, time), *cost)),
            );
            cells
        });
    let table = Table {
        caption: both(
            "The time of an item, by how many a batch has.",
            "每条的时间，按每批条数。",
        ),
        filter: false,
        columns,
        rows: rows.collect(),
    };
    Some(Section {
        id: "batch-sizes".to_owned(),
        title: both("Batch size against cost", "批量大小与代价"),
        about: vec![both(
            "What an item costs when so many are computed together, on one thread. Lanes of vector registers are filled from a few items on; inversions \
             are shared among all of a chunk.",
            "在一个线程上一次计算若干条时每条的代价。条数够填满向量寄存器的各通道时即受益；求逆由一组共享。",
        )],
        parts: vec![Part::Points(points), Part::Table(table)],
    })
}
