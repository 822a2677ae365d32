//! A document as a picture: a bar for each operation, as long as Kuaimi is times as fast as another library, from
//! zero and on a linear scale.
//!
//! The picture has no background of its own. Its colours stand out from white paper and from dark pages alike; a test computes it.

use anyhow::{Result, anyhow};
use plotters::backend::SVGBackend;
use plotters::coord::Shift;
use plotters::drawing::{DrawingArea, IntoDrawingArea};
use plotters::element::{PathElement, Rectangle, Text};
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{Color, IntoFont, RGBColor, ShapeStyle, TextStyle};

use super::{Document, Spread};

pub(crate) const TEXT: RGBColor = RGBColor(0x6e, 0x77, 0x81);
pub(crate) const GRID: RGBColor = RGBColor(0x8b, 0x94, 0x9e);
pub(super) const BAR: RGBColor = RGBColor(0x3b, 0x82, 0xf6);
const WIDTH: i32 = 920;
/// Where bars begin and where they end at the most.
const LEFT: i32 = 255;
const RIGHT: i32 = 825;
/// Where the first operation begins, and the height of each.
const TOP: i32 = 70;
const STEP: i32 = 28;
/// Below the last operation: the scale.
const BOTTOM: i32 = 50;
/// Half of a bar's thickness.
const HALF: i32 = 7;

/// What is drawn.
pub(super) struct Picture<'a> {
    title: &'a str,
    rival: &'a str,
    bars: Vec<Bar<'a>>,
}

struct Bar<'a> {
    label: &'a str,
    ratio: Spread,
    /// Whether the scale must have room for it.
    fits: bool,
}

/// The picture of a document, if there is anything to compare.
pub(super) fn of(document: &Document) -> Option<Picture<'_>> {
    let rival = document.libraries.get(document.rival()?)?;
    let bars: Vec<Bar<'_>> = document
        .rows
        .iter()
        .filter_map(|row| {
            Some(Bar {
                label: &row.label,
                ratio: document.ratio(row)?,
                fits: row.goal.is_some(),
            })
        })
        .collect();
    (!bars.is_empty()).then_some(Picture {
        title: &document.title,
        rival: &rival.name,
        bars,
    })
}

/// The same as SVG.
pub(super) fn svg(document: &Document) -> Result<Option<String>> {
    let Some(picture) = of(document) else {
        return Ok(None);
    };
    let mut text = String::new();
    picture
        .draw(&mut text)
        .map_err(|error| anyhow!("the plot of {} cannot be drawn: {error}", document.title))?;
    text.push('\n');
    Ok(Some(text))
}

pub(crate) type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
pub(crate) type Drawn = Result<(), Box<dyn std::error::Error>>;

impl Picture<'_> {
    fn draw(&self, text: &mut String) -> Drawn {
        let bottom = TOP + STEP * i32::try_from(self.bars.len())?;
        let size = (u32::try_from(WIDTH)?, u32::try_from(bottom + BOTTOM)?);
        let area = SVGBackend::with_string(text, size).into_drawing_area();
        let scale = Scale::new(self.greatest());
        self.heading(&area)?;
        self.grid(&area, &scale, bottom)?;
        for (bar, y) in self
            .bars
            .iter()
            .zip((0..).map(|i| TOP + STEP / 2 + STEP * i))
        {
            bar.draw(&area, &scale, y)?;
        }
        area.present()?;
        Ok(())
    }

    /// The greatest ratio that the scale must have room for: of operations with goals, if there are any. Another one may be far
    /// beyond, a signature with a nonce made before for example, and would make all the rest small.
    fn greatest(&self) -> f64 {
        let some = self.bars.iter().any(|bar| bar.fits);
        let bars = self.bars.iter().filter(|bar| !some || bar.fits);
        bars.map(|bar| bar.ratio.greatest).fold(1.0, f64::max)
    }

    fn heading(&self, area: &Area<'_>) -> Drawn {
        let title = format!("{}: times as fast as {}", self.title, self.rival);
        write(area, &title, (12, 20), HPos::Left, 20)?;
        let y = 46;
        let square = [(12, y - 6), (24, y + 6)];
        area.draw(&Rectangle::new(square, BAR.filled()))?;
        write(area, "median of the rounds", (30, y), HPos::Left, 15)?;
        whisker(area, (194, 224), y - HALF - 3)?;
        write(area, "least – greatest round", (232, y), HPos::Left, 15)
    }

    fn grid(&self, area: &Area<'_>, scale: &Scale, bottom: i32) -> Drawn {
        for tick in scale.ticks() {
            let x = scale.place(tick);
            let line = PathElement::new(vec![(x, TOP), (x, bottom + 4)], GRID.mix(0.35));
            area.draw(&line)?;
            write(
                area,
                &format!("{tick} ×"),
                (x, bottom + 16),
                HPos::Center,
                15,
            )?;
        }
        let x = scale.place(1.0);
        let stroke = ShapeStyle::from(TEXT).stroke_width(2);
        area.draw(&PathElement::new(vec![(x, TOP), (x, bottom + 4)], stroke))?;
        let mut equal = format!("1 × is {}", self.rival);
        if self.bars.iter().any(|bar| scale.ends_before(bar.ratio)) {
            equal += "; » goes beyond the scale";
        }
        write(area, &equal, (LEFT, bottom + 36), HPos::Left, 15)
    }
}

impl Bar<'_> {
    fn draw(&self, area: &Area<'_>, scale: &Scale, y: i32) -> Drawn {
        let end = scale.place(self.ratio.median);
        let body = [(LEFT, y - HALF), (end, y + HALF)];
        area.draw(&Rectangle::new(body, BAR.filled()))?;
        let ends = (
            scale.place(self.ratio.least),
            scale.place(self.ratio.greatest),
        );
        whisker(area, ends, y)?;
        if scale.ends_before(self.ratio) {
            write(area, "»", (RIGHT + 4, y), HPos::Left, 20)?;
        }
        write(area, self.label, (LEFT - 10, y), HPos::Right, 16)?;
        let figure = format!("{:.2} ×", self.ratio.median);
        write(area, &figure, (WIDTH - 12, y), HPos::Right, 16)
    }
}

/// From the least round to the greatest, under the bar, so that it stands on the page's ground.
fn whisker(area: &Area<'_>, (left, right): (i32, i32), y: i32) -> Drawn {
    let y = y + HALF + 3;
    for line in [
        [(left, y), (right, y)],
        [(left, y - 2), (left, y + 2)],
        [(right, y - 2), (right, y + 2)],
    ] {
        area.draw(&PathElement::new(line.to_vec(), TEXT))?;
    }
    Ok(())
}

/// Text whose middle is at this height.
pub(crate) fn write(
    area: &Area<'_>,
    text: &str,
    place: (i32, i32),
    side: HPos,
    size: i32,
) -> Drawn {
    let style = TextStyle::from(("sans-serif", size).into_font())
        .color(&TEXT)
        .pos(Pos::new(side, VPos::Center));
    area.draw(&Text::new(text.to_owned(), place, style))?;
    Ok(())
}

/// From ratios to places.
struct Scale {
    greatest: f64,
}

impl Scale {
    fn new(greatest: f64) -> Self {
        Self {
            greatest: greatest * 1.03,
        }
    }

    fn ends_before(&self, ratio: Spread) -> bool {
        ratio.greatest > self.greatest
    }

    fn place(&self, ratio: f64) -> i32 {
        // Within the picture whatever the ratio is: the conversion saturates.
        let share = (ratio / self.greatest).clamp(0.0, 1.0);
        LEFT + (share * f64::from(RIGHT - LEFT)).round() as i32
    }

    /// Round numbers, no more than ten of them.
    fn ticks(&self) -> Vec<f64> {
        let steps = [0.25, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0];
        let fits = |step: &&f64| self.greatest / **step <= 10.0;
        let step = steps.iter().find(fits).copied().unwrap_or(self.greatest);
        (0..=10)
            .map(|number| f64::from(number) * step)
            .take_while(|tick| *tick <= self.greatest)
            .collect()
    }
}
