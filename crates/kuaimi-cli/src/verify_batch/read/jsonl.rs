//! JSON Lines: one object a line. Fields that no column is named after are passed over; a field that comes twice is a
//! fault of its row, for readers differ in which of the two they take.

use std::fmt;
use std::io::{BufRead, BufReader, Read};

use serde::de::{DeserializeSeed, Error as _, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::{LONGEST, Rows, too_long};
use crate::exit::{Failure, Result, reason};
use crate::verify_batch::columns::Wanted;
use crate::verify_batch::rows::{COLUMNS, Cell, Cells, Chunk, Column, Row};

pub struct Lines {
    name: String,
    reader: BufReader<Box<dyn Read + Send>>,
    wanted: Wanted,
    line: Vec<u8>,
    number: u64,
    position: u64,
    /// What the first chunk shows of the columns; judged at its end.
    first: Option<Columns>,
}

/// Columns met so far.
#[derive(Default)]
struct Columns {
    /// Objects met, and those of them with both a message and a digest.
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
    pub fn new(name: String, reader: Box<dyn Read + Send>, position: u64, wanted: Wanted) -> Self {
        Self {
            name,
            reader: BufReader::with_capacity(crate::input::CHUNK, reader),
            wanted,
            line: Vec::new(),
            number: 0,
            position,
            first: Some(Columns::default()),
        }
    }

    /// Reads the next line into `line`, without its end. `None` at the end of the file, false for a line too long.
    fn next_line(&mut self) -> std::io::Result<Option<bool>> {
        self.line.clear();
        let (mut any, mut fits) = (false, true);
        loop {
            let buffer = match self.reader.fill_buf() {
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
                result => result?,
            };
            if buffer.is_empty() {
                break;
            }
            any = true;
            let end = memchr::memchr(b'\n', buffer);
            let part = &buffer[..end.unwrap_or(buffer.len())];
            fits &= self.line.len() + part.len() <= LONGEST;
            if fits {
                self.line.extend_from_slice(part);
            }
            let used = part.len() + usize::from(end.is_some());
            self.reader.consume(used);
            self.position += used as u64;
            if end.is_some() {
                break;
            }
        }
        self.number += u64::from(any);
        Ok(any.then_some(fits))
    }

    /// Whether the first chunk has what is needed: a file without is the wrong file, or has other names.
    fn judge(&self, columns: &Columns, rows: usize) -> Result<()> {
        if rows == 0 {
            return Ok(());
        }
        if columns.objects == 0 {
            return Err(Failure::file(
                &self.name,
                format_args!(
                    "is not JSON Lines: none of its first {rows} lines is a JSON object; check the name, or say what it is with --format"
                ),
            ));
        }
        self.wanted
            .check(&self.name, columns.present, &columns.names)?;
        if columns.both == columns.objects {
            return Err(self.wanted.both(&self.name));
        }
        Ok(())
    }
}

impl Rows for Lines {
    fn fill(&mut self, chunk: &mut Chunk) -> Result<bool> {
        let mut more = true;
        let mut columns = self.first.take();
        while more && !chunk.is_full() {
            let cells = match self.next_line() {
                Err(error) => {
                    return Err(Failure::file(
                        &self.name,
                        format_args!("cannot read: {}", reason(&error)),
                    ));
                }
                Ok(None) => {
                    more = false;
                    continue;
                }
                Ok(Some(false)) => Err(too_long()),
                Ok(Some(true)) if self.line.iter().all(u8::is_ascii_whitespace) => continue,
                Ok(Some(true)) => parse(&self.line, &self.wanted, chunk, columns.as_mut()),
            };
            chunk.rows.push(Row {
                line: Some(self.number),
                cells,
            });
        }
        chunk.position = self.position;
        if let Some(columns) = columns {
            self.judge(&columns, chunk.rows.len())?;
        }
        Ok(more)
    }
}

/// The cells of one line.
fn parse(
    line: &[u8],
    wanted: &Wanted,
    chunk: &mut Chunk,
    columns: Option<&mut Columns>,
) -> Result<Cells, String> {
    use serde_json::error::Category;
    let before = chunk.bytes.len();
    let mut doubled = None;
    let mut deserializer = serde_json::Deserializer::from_slice(line);
    let object = Object {
        wanted,
        chunk: &mut *chunk,
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
    chunk.bytes.truncate(before);
    Err(problem)
}

struct Object<'a> {
    wanted: &'a Wanted,
    chunk: &'a mut Chunk,
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
                    cells[column as usize] = map.next_value_seed(Value(&mut *self.chunk))?;
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
struct Value<'a>(&'a mut Chunk);

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
        Ok(Cell::Text(self.0.keep(text.as_bytes())))
    }

    fn visit_unit<E>(self) -> Result<Cell, E> {
        Ok(Cell::Absent)
    }

    fn visit_bool<E>(self, _: bool) -> Result<Cell, E> {
        Ok(Cell::Other("true or false"))
    }

    fn visit_i64<E>(self, _: i64) -> Result<Cell, E> {
        Ok(Cell::Other("a number"))
    }

    fn visit_u64<E>(self, _: u64) -> Result<Cell, E> {
        Ok(Cell::Other("a number"))
    }

    fn visit_f64<E>(self, _: f64) -> Result<Cell, E> {
        Ok(Cell::Other("a number"))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Cell, A::Error> {
        while list.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Cell::Other("a list"))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Cell, A::Error> {
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(Cell::Other("an object"))
    }
}
