//! A ladder as a waterfall: each bar begins where the rung before ends, and goes as far as the rung is times as fast as the first
//! one, on a logarithmic scale. A diamond shows where the bar would end if the step were as large as published.
//!
//! The picture has no background of its own; its colours stand out from white paper and from dark pages alike.

use anyhow::{Result, anyhow};
use plotters::backend::SVGBackend;
use plotters::drawing::IntoDrawingArea;
use plotters::element::{PathElement, Polygon, Rectangle};
use plotters::style::text_anchor::HPos;
use plotters::style::{Color, RGBColor, ShapeStyle};

use super::report::{LadderReport, RungReport};
use crate::report::plot::{Area, Drawn, GRID, TEXT, write};

const WIDTH: i32 = 920;
/// Where the scale begins and where it ends.
const LEFT: i32 = 260;
const RIGHT: i32 = 790;
/// Where the first rung begins, and the height of each.
const TOP: i32 = 66;
const STEP: i32 = 28;
const BOTTOM: i32 = 34;
/// Half of a bar's thickness.
const HALF: i32 = 8;

const LIBRARY: RGBColor = RGBColor(0x2b, 0x9a, 0x4b);
const PLAIN: RGBColor = RGBColor(0x3b, 0x82, 0xf6);
const LEAKS: RGBColor = RGBColor(0xd0, 0x6a, 0x0c);

/// The picture's file beside the page.
pub(super) fn file(ladder: &LadderReport) -> String {
    format!("ladders-{}.svg", ladder.name)
}

pub(super) fn svg(ladder: &LadderReport) -> Result<String> {
    let mut text = String::new();
    draw(ladder, &mut text)
        .map_err(|error| anyhow!("the plot of {} cannot be drawn: {error}", ladder.title))?;
    text.push('\n');
    Ok(text)
}

fn draw(ladder: &LadderReport, text: &mut String) -> Drawn {
    let bottom = TOP + STEP * i32::try_from(ladder.rungs.len())?;
    let size = (u32::try_from(WIDTH)?, u32::try_from(bottom + BOTTOM)?);
    let area = SVGBackend::with_string(text, size).into_drawing_area();
    let title = format!("{}: times as fast as the first rung", ladder.title);
    write(&area, &title, (12, 20), HPos::Left, 20)?;
    let mut x = 12;
    for (colour, label, width) in [
        (LIBRARY, "the library", 110),
        (PLAIN, "constant time", 125),
        (LEAKS, "leaks", 75),
    ] {
        area.draw(&Rectangle::new([(x, 38), (x + 12, 50)], colour.filled()))?;
        write(&area, label, (x + 18, 44), HPos::Left, 15)?;
        x += width;
    }
    diamond(&area, (x + 8, 44))?;
    write(&area, "the step as published", (x + 20, 44), HPos::Left, 15)?;

    let scale = Scale::of(ladder);
    for tick in scale.ticks() {
        let x = scale.place(tick);
        let line = vec![(x, TOP), (x, bottom + 4)];
        area.draw(&PathElement::new(line, GRID.mix(0.35)))?;
        write(
            &area,
            &format!("{tick} ×"),
            (x, bottom + 16),
            HPos::Center,
            15,
        )?;
    }
    let mut before = 1.0;
    for (rung, y) in ladder
        .rungs
        .iter()
        .zip((0..).map(|i| TOP + STEP / 2 + STEP * i))
    {
        bar(&area, &scale, rung, before, y)?;
        before = rung.times_first;
    }
    area.present()?;
    Ok(())
}

fn bar(area: &Area<'_>, scale: &Scale, rung: &RungReport, before: f64, y: i32) -> Drawn {
    let colour = match (rung.used_by_library, rung.leaks) {
        (true, _) => LIBRARY,
        (false, true) => LEAKS,
        (false, false) => PLAIN,
    };
    let (from, to) = (scale.place(before), scale.place(rung.times_first));
    // What is no step at all is still to be seen, beside the mark at its end.
    let (left, right) = (from.min(to) - 2, from.max(to) + 2);
    area.draw(&Rectangle::new(
        [(left, y - HALF), (right, y + HALF)],
        colour.filled(),
    ))?;
    let stroke = ShapeStyle::from(TEXT).stroke_width(2);
    let end = vec![(to, y - HALF - 3), (to, y + HALF + 3)];
    area.draw(&PathElement::new(end, stroke))?;
    if let (Some(times), Some(here)) = (rung.published_times, rung.times_same_pair) {
        let published = rung.times_first / here * times;
        if (scale.least..=scale.greatest).contains(&published) {
            diamond(area, (scale.place(published), y))?;
        }
    }
    write(area, &rung.name, (LEFT - 10, y), HPos::Right, 16)?;
    let figure = format!("{:.2} ×", rung.times_first);
    write(area, &figure, (WIDTH - 12, y), HPos::Right, 16)
}

fn diamond(area: &Area<'_>, (x, y): (i32, i32)) -> Drawn {
    let corners = vec![(x - 5, y), (x, y - 5), (x + 5, y), (x, y + 5)];
    area.draw(&Polygon::new(corners, TEXT.filled()))?;
    Ok(())
}

/// From ratios to places.
struct Scale {
    least: f64,
    greatest: f64,
}

impl Scale {
    fn of(ladder: &LadderReport) -> Self {
        let times = || ladder.rungs.iter().map(|rung| rung.times_first);
        Self {
            least: times().fold(1.0, f64::min) / 1.1,
            greatest: times().fold(1.5, f64::max) * 1.1,
        }
    }

    fn place(&self, times: f64) -> i32 {
        let share = (times / self.least).ln() / (self.greatest / self.least).ln();
        // Within the picture whatever the ratio is.
        LEFT + (share.clamp(0.0, 1.0) * f64::from(RIGHT - LEFT)).round() as i32
    }

    /// Round numbers, from one to the next at least a tenth of the scale.
    fn ticks(&self) -> Vec<f64> {
        let mut ticks: Vec<f64> = vec![1.0];
        for power in -2..6 {
            for factor in [1.0, 1.5, 2.0, 3.0, 5.0] {
                let tick = factor * 10_f64.powi(power);
                let far = |other: &f64| (self.place(tick) - self.place(*other)).abs() >= 60;
                if (self.least..=self.greatest).contains(&tick) && ticks.iter().all(far) {
                    ticks.push(tick);
                }
            }
        }
        ticks
    }
}
