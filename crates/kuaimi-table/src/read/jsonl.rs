//! JSON Lines: one object a line. Fields that no column is named after are passed over; a field
//! that comes twice is a fault of its row, for readers differ in which of the two they take.

use std::fmt;
use std::io::Read;

use kuaimi_bulk::{COLUMNS, Cell, Column, Other};
use serde::de::{DeserializeSeed, Error as _, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::blocks::{Block, Blocks};
use super::template::{Template, is_simple};
use super::{LONGEST, Rows, too_long};
use crate::rows::{Cells, range};
use crate::{Chunk, Error, Limits, Result, Wanted};

pub struct Lines {
    blocks: Blocks,
    wanted: Wanted,
    /// Lines before the next block.
    line: u64,
    /// Whether rows were read, so that the columns have been judged.
    judged: bool,
}

/// Columns found so far.
#[derive(Default)]
struct Columns {
    /// Objects found, and those of them with both a message and a digest.
    objects: u64,
    both: u64,
    present: [bool; COLUMNS],
    names: Vec<String>,
}

impl Columns {
    fn meet(&mut self, name: &str) {
        const ENOUGH: usize = 64;
        if self.names.len() < ENOUGH && !self.names.iter().any(|known| known == name) {
            self.names.push(name.to_owned());
        }
    }
}

impl Lines {
    pub fn new(reader: Box<dyn Read + Send>, position: u64, wanted: Wanted) -> Self {
        Self {
            blocks: Blocks::new(reader, position),
            wanted,
            line: 0,
            judged: false,
        }
    }

    /// Whether the first chunk has what is needed: a file without is the wrong file, or has other
    /// names.
    fn judge(&self, columns: &Columns, rows: usize) -> Result<()> {
        if rows == 0 {
            return Ok(());
        }
        if columns.objects == 0 {
            return Err(Error::NotJsonLines(rows));
        }
        self.wanted.check(columns.present, &columns.names)?;
        if columns.both == columns.objects {
            return Err(self.wanted.both());
        }
        Ok(())
    }
}

impl Rows for Lines {
    fn fill(&mut self, chunk: &mut Chunk, limits: Limits) -> Result<bool> {
        let spare = std::mem::take(&mut chunk.bytes);
        let block = self.blocks.next(limits, spare)?;
        chunk.position = self.blocks.position;
        let before = self.line;
        match block {
            Block::End => return Ok(false),
            Block::TooLong => {
                self.line += 1;
                chunk.push(Some(self.line), Err(too_long()));
            }
            Block::Lines(lines) => {
                self.line += memchr::memchr_iter(b'\n', &lines).count() as u64;
                chunk.bytes = lines;
                if self.judged {
                    let wanted = self.wanted.clone();
                    chunk.postpone(move |chunk| parse_block(chunk, &wanted, before, None));
                } else {
                    let mut columns = Columns::default();
                    parse_block(chunk, &self.wanted, before, Some(&mut columns));
                    self.judge(&columns, chunk.len())?;
                    self.judged = chunk.len() > 0;
                }
            }
        }
        Ok(true)
    }
}

/// Templates that are tried on a line. More forms than this are read by the parser.
const TEMPLATES: usize = 4;

/// The rows of the lines that are a chunk's bytes. `before` lines came before them.
fn parse_block(chunk: &mut Chunk, wanted: &Wanted, before: u64, mut columns: Option<&mut Columns>) {
    let mut templates: Vec<Template> = Vec::new();
    let end = chunk.bytes.len();
    let (mut start, mut number) = (0, before);
    while start < end {
        number += 1;
        let next = memchr::memchr(b'\n', &chunk.bytes[start..end]).map(|at| start + at);
        let line = start..next.unwrap_or(end);
        start = next.map_or(end, |next| next + 1);
        let text = &chunk.bytes[line.clone()];
        let text = text.strip_suffix(b"\r").unwrap_or(text);
        if text.len() > LONGEST {
            chunk.push(Some(number), Err(too_long()));
            continue;
        }
        let simple = is_simple(text);
        if simple && columns.is_none() {
            let found = templates
                .iter()
                .find_map(|template| template.cells(text, line.start));
            if let Some(cells) = found {
                chunk.push(Some(number), Ok(cells));
                continue;
            }
        }
        if text.iter().all(u8::is_ascii_whitespace) {
            continue;
        }
        let mut values = Vec::new();
        let cells = parse(text, wanted, &mut values, columns.as_deref_mut());
        if simple && cells.is_ok() && templates.len() < TEMPLATES {
            templates.extend(Template::learn(text, wanted));
        }
        let offset = chunk.bytes.len();
        chunk.bytes.append(&mut values);
        let cells = cells.map(|cells| {
            cells.map(|cell| match cell {
                Cell::Text(value) => Cell::Text(range(
                    offset + value.start as usize..offset + value.end as usize,
                )),
                other => other,
            })
        });
        chunk.push(Some(number), cells);
    }
}

/// The cells of one line, whose values are put into `values`.
fn parse(
    line: &[u8],
    wanted: &Wanted,
    values: &mut Vec<u8>,
    columns: Option<&mut Columns>,
) -> Result<Cells, String> {
    use serde_json::error::Category;
    let mut doubled = None;
    let mut deserializer = serde_json::Deserializer::from_slice(line);
    let object = Object {
        wanted,
        values: &mut *values,
        columns,
        doubled: &mut doubled,
    };
    let cells = object
        .deserialize(&mut deserializer)
        .and_then(|cells| deserializer.end().map(|()| cells));
    let problem = match (cells, doubled) {
        (Ok(cells), None) => return Ok(cells),
        (_, Some(column)) => format!(
            "the field {:?} is there twice",
            wanted.name(column).unwrap_or_default()
        ),
        // What serde_json says of syntax quotes nothing of the line.
        (Err(error), None) => match error.classify() {
            Category::Data => "is not a JSON object".to_owned(),
            Category::Eof => "the JSON ends too early".to_owned(),
            Category::Syntax | Category::Io => {
                let text = error.to_string();
                let text = text.split(" at line ").next().unwrap_or_default();
                format!("is not JSON: {text}, at column {}", error.column())
            }
        },
    };
    values.clear();
    Err(problem)
}

struct Object<'a> {
    wanted: &'a Wanted,
    values: &'a mut Vec<u8>,
    columns: Option<&'a mut Columns>,
    doubled: &'a mut Option<Column>,
}

impl<'de> DeserializeSeed<'de> for Object<'_> {
    type Value = Cells;

    fn deserialize<D: serde::Deserializer<'de>>(self, from: D) -> Result<Cells, D::Error> {
        from.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Object<'_> {
    type Value = Cells;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut map: A) -> Result<Cells, A::Error> {
        let mut cells = Cells::default();
        let mut met = [false; COLUMNS];
        loop {
            let field = Field {
                wanted: self.wanted,
                columns: self.columns.as_deref_mut(),
            };
            match map.next_key_seed(field)? {
                None => break,
                Some(None) => {
                    map.next_value::<IgnoredAny>()?;
                }
                Some(Some(column)) => {
                    if std::mem::replace(&mut met[column as usize], true) {
                        *self.doubled = Some(column);
                        return Err(A::Error::custom("a field comes twice"));
                    }
                    cells[column as usize] = map.next_value_seed(Value(&mut *self.values))?;
                }
            }
        }
        if let Some(columns) = self.columns {
            columns.objects += 1;
            columns.both +=
                u64::from(met[Column::Message as usize] && met[Column::Digest as usize]);
            for (present, met) in columns.present.iter_mut().zip(met) {
                *present |= met;
            }
        }
        Ok(cells)
    }
}

/// The name of a field: which column it is.
struct Field<'a> {
    wanted: &'a Wanted,
    columns: Option<&'a mut Columns>,
}

impl<'de> DeserializeSeed<'de> for Field<'_> {
    type Value = Option<Column>;

    fn deserialize<D: serde::Deserializer<'de>>(self, from: D) -> Result<Self::Value, D::Error> {
        from.deserialize_str(self)
    }
}

impl Visitor<'_> for Field<'_> {
    type Value = Option<Column>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a field's name")
    }

    fn visit_str<E>(self, name: &str) -> Result<Self::Value, E> {
        if let Some(columns) = self.columns {
            columns.meet(name);
        }
        Ok(self.wanted.column(name))
    }
}

/// The value of a field.
struct Value<'a>(&'a mut Vec<u8>);

impl<'de> DeserializeSeed<'de> for Value<'_> {
    type Value = Cell;

    fn deserialize<D: serde::Deserializer<'de>>(self, from: D) -> Result<Cell, D::Error> {
        from.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Value<'_> {
    type Value = Cell;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string")
    }

    fn visit_str<E>(self, text: &str) -> Result<Cell, E> {
        let start = self.0.len();
        self.0.extend_from_slice(text.as_bytes());
        Ok(Cell::Text(range(start..self.0.len())))
    }

    fn visit_unit<E>(self) -> Result<Cell, E> {
        Ok(Cell::Absent)
    }

    fn visit_bool<E>(self, _: bool) -> Result<Cell, E> {
        Ok(Cell::Other(Other::Boolean))
    }

    fn visit_i64<E>(self, _: i64) -> Result<Cell, E> {
        Ok(Cell::Other(Other::Number))
    }

    fn visit_u64<E>(self, _: u64) -> Result<Cell, E> {
        Ok(Cell::Other(Other::Number))
    }

    fn visit_f64<E>(self, _: f64) -> Result<Cell, E> {
        Ok(Cell::Other(Other::Number))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Cell, A::Error> {
        while list.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Cell::Other(Other::List))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Cell, A::Error> {
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(Cell::Other(Other::Object))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Names;
    use crate::rows::testing::Row;

    fn rows(text: &[u8], parser_only: bool) -> Vec<Row> {
        let wanted = Wanted::to_verify(&Names::default(), false, false).unwrap();
        let mut chunk = Chunk::default();
        chunk.bytes = text.to_vec();
        let mut columns = Columns::default();
        let columns = parser_only.then_some(&mut columns);
        parse_block(&mut chunk, &wanted, 0, columns);
        chunk.rows()
    }

    /// Lines that differ in a little, some of them from valid JSON.
    fn lines(seed: u64) -> Vec<u8> {
        let mut state = 2 * seed + 1;
        let mut next = move |below: usize| {
            state = state
                .wrapping_mul(0x5851_f42d_4c95_7f2d)
                .wrapping_add(0x1405);
            (state >> 33) as usize % below
        };
        let shapes = [
            r#"{"key":"K","message":"M","signature":"S"}"#,
            r#"{"n":N, "key": "K","id":"I","message":"M","x":X,"signature":"S" }"#,
            r#"{"signature":"S","y":"M","digest":"I","key":"K","id":null}"#,
            r#"{"key":"K","message":"M","signature":"S","z":{"key":"I"}}"#,
            r#"  {"key":"K","key":"I","message":N,"signature":"S"}"#,
            r#"{"":X,"key":"K","message":true,"signature":["S"]}"#,
        ];
        let numbers = [
            "0",
            "-1",
            "12.5",
            "1e9",
            "-0.0E-7",
            "01",
            "1.",
            ".5",
            "-",
            "+1",
            "1e",
            "0x1",
            "1E400",
            "12345678901234567890123",
            "NaN",
            "1 ",
            "1\t",
            "",
        ];
        let scalars = [
            "true", "false", "null", "tru", "nullx", "trueee", "TRUE", "7", "\"q\"", "{}", "[1]",
        ];
        let strings = [
            "",
            "a",
            "04ab",
            "with space",
            "\u{7f16}\u{7801}",
            "q\"q",
            "b\\n",
            "b\\",
            "\u{1}",
            "tab\t",
            "}",
            "\",\"id\":\"x",
            "\\u0041",
            "\u{2028}",
            "{\"key\":\"\"}",
        ];
        let base = shapes[next(shapes.len())];
        let mut out = Vec::new();
        for _ in 0..40 {
            let shape = if next(8) == 0 {
                shapes[next(shapes.len())]
            } else {
                base
            };
            for letter in shape.chars() {
                // Mostly values that leave the line as simple as it is.
                let rare = next(6) == 0;
                let mut of = |list: &[&'static str], usual: usize| {
                    list[next(if rare { list.len() } else { usual })].bytes()
                };
                match letter {
                    'K' | 'M' | 'I' | 'S' => out.extend(of(&strings, 4)),
                    'N' => out.extend(of(&numbers, 5)),
                    'X' => out.extend(of(&scalars, 3)),
                    letter => out.extend(letter.to_string().bytes()),
                }
            }
            match next(30) {
                0 => out.truncate(out.len() - 1),
                1 => out.extend(b"x"),
                2 => out.extend(b"\r"),
                3 => out.extend(b" \r"),
                4 => out.extend(b"\n \t\n\n"),
                5 => out.push(0xff),
                6 => {
                    let place = next(out.len());
                    out[place] = b"{}\":, 0\\"[next(8)];
                }
                _ => {}
            }
            out.push(b'\n');
        }
        if next(2) == 0 {
            out.pop();
        }
        out
    }

    /// With templates and without, every row is the same.
    #[test]
    fn templates_change_nothing() {
        for seed in 0..3000 {
            let text = lines(seed);
            assert_eq!(
                rows(&text, false),
                rows(&text, true),
                "{}",
                String::from_utf8_lossy(&text)
            );
        }
    }

    /// And they are used: else the test above would show nothing.
    #[test]
    fn templates_fit_lines_with_other_values() {
        let wanted = Wanted::to_verify(&Names::default(), false, false).unwrap();
        let learn = |line: &str| Template::learn(line.as_bytes(), &wanted);
        let fits = |template: &Template, line: &str| {
            is_simple(line.as_bytes()) && template.cells(line.as_bytes(), 0).is_some()
        };
        let template =
            learn(r#"{"key": "a", "n": 1, "ok":true,"id":null,"message":"","signature":"b"}"#)
                .unwrap();
        for (line, expected) in [
            (
                r#"{"key": "04", "n": -2.5e3, "ok":false,"id":null,"message":"hello","signature":""}"#,
                true,
            ),
            (
                r#"{"key": "04", "n": 02, "ok":false,"id":null,"message":"hello","signature":""}"#,
                false,
            ),
            (
                r#"{"key": "04", "n": 2, "ok":false,"id":"x","message":"hello","signature":""}"#,
                false,
            ),
            (
                r#"{"key": "04", "n": 2, "ok":1,"id":null,"message":"a\"b","signature":""}"#,
                false,
            ),
            (
                r#"{"key": "04", "n": 2, "ok":1,"id":null,"message":"","signature":""} "#,
                false,
            ),
        ] {
            assert_eq!(fits(&template, line), expected, "{line}");
        }
        // What makes a row malformed is left to the parser.
        assert!(learn(r#"{"key":1,"message":"","signature":""}"#).is_none());
    }
}
