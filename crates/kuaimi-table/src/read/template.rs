//! Lines of JSON that differ in their values only, as nearly all files have them, read without a
//! parser.
//!
//! A template is learnt from a line that a parser has read: its text, cut where the values of its
//! fields stand. A line that has the same text between the cuts is the same object with other
//! values, provided that each is a whole value. Nothing in such a line may need a parser: it has no
//! backslash, no control character, and is UTF-8. Any other line is left to the parser.

use kuaimi_bulk::{COLUMNS, Cell};

use crate::Wanted;
use crate::rows::{Cells, range};

/// What stands between two parts of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Slot {
    /// The content of a string, which is this column's value, or no column's.
    String(Option<usize>),
    /// A number, `true`, `false` or `null` of a field that no column is.
    Scalar,
}

#[derive(Debug, PartialEq, Eq)]
pub struct Template {
    /// Text, and what follows it.
    parts: Vec<(Box<[u8]>, Slot)>,
    end: Box<[u8]>,
}

/// Whether a line has nothing that needs a parser, but for its structure.
pub fn is_simple(line: &[u8]) -> bool {
    let special = line
        .iter()
        .fold(false, |any, &byte| any | (byte < 0x20) | (byte == b'\\'));
    !special && std::str::from_utf8(line).is_ok()
}

impl Template {
    /// From a line that is a JSON object and [`is_simple`], in which no wanted field comes twice.
    pub fn learn(line: &[u8], wanted: &Wanted) -> Option<Self> {
        let mut parts = Vec::new();
        let mut text = 0;
        let mut place = skip_space(line, 0);
        // The object's brace, and then a comma before each field but the first.
        while let Some(b'{' | b',') = line.get(place) {
            place = skip_space(line, place + 1);
            if line.get(place) != Some(&b'"') {
                break;
            }
            let name = place + 1;
            let name_end = name + memchr::memchr(b'"', &line[name..])?;
            let column = wanted.column(std::str::from_utf8(&line[name..name_end]).ok()?);
            place = skip_space(line, name_end + 1);
            // The colon.
            place = skip_space(line, place + 1);
            let cut = |end: usize, slot| (Box::from(&line[text..end]), slot);
            match (line.get(place)?, column) {
                (b'"', column) => {
                    let value = place + 1;
                    parts.push(cut(
                        value,
                        Slot::String(column.map(|column| column as usize)),
                    ));
                    text = value + memchr::memchr(b'"', &line[value..])?;
                    place = text + 1;
                }
                // Of a wanted field, it stays in the text: the value is absent.
                (b'n', Some(_)) => place += 4,
                (_, None) => {
                    parts.push(cut(place, Slot::Scalar));
                    text = scalar(line, place)?;
                    place = text;
                }
                // A value that makes the row malformed.
                (_, Some(_)) => return None,
            }
            place = skip_space(line, place);
        }
        Some(Self {
            parts,
            end: line[text..].into(),
        })
    }

    /// The cells of a line that [`is_simple`] and begins at `start` in the chunk's bytes, if this
    /// is its template.
    pub fn cells(&self, line: &[u8], start: usize) -> Option<Cells> {
        let mut cells: [Cell; COLUMNS] = Cells::default();
        let mut place = 0;
        for (text, slot) in &self.parts {
            place = place_after(line, place, text)?;
            match *slot {
                Slot::String(column) => {
                    let end = place + memchr::memchr(b'"', line.get(place..)?)?;
                    if let Some(cell) = column.and_then(|column| cells.get_mut(column)) {
                        *cell = Cell::Text(range(start + place..start + end));
                    }
                    place = end;
                }
                Slot::Scalar => place = scalar(line, place)?,
            }
        }
        (line.get(place..)? == &*self.end).then_some(cells)
    }
}

fn place_after(line: &[u8], place: usize, text: &[u8]) -> Option<usize> {
    line.get(place..)?
        .starts_with(text)
        .then_some(place + text.len())
}

/// JSON's white space that a simple line may have.
fn skip_space(line: &[u8], place: usize) -> usize {
    let rest = line.get(place..).unwrap_or_default();
    place + rest.iter().take_while(|&&byte| byte == b' ').count()
}

/// Where the number or the word ends that begins here, if it is one (RFC 8259, clauses 3 and 6).
fn scalar(line: &[u8], place: usize) -> Option<usize> {
    let rest = line.get(place..)?;
    let length = [&b"true"[..], b"false", b"null"]
        .into_iter()
        .find(|word| rest.starts_with(word))
        .map_or_else(|| number(rest), |word| Some(word.len()))?;
    // The text that follows in the template begins with a comma, a brace or a space, so the value
    // ends here.
    Some(place + length)
}

/// The length of the number that the text begins with.
fn number(text: &[u8]) -> Option<usize> {
    let digits = |from: usize| {
        let rest = text.get(from..).unwrap_or_default();
        let count = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        (count > 0).then_some(from + count)
    };
    let start = usize::from(text.first() == Some(&b'-'));
    let mut end = digits(start)?;
    if text.get(start) == Some(&b'0') && end > start + 1 {
        return None;
    }
    if text.get(end) == Some(&b'.') {
        end = digits(end + 1)?;
    }
    if let Some(b'e' | b'E') = text.get(end) {
        let sign = matches!(text.get(end + 1), Some(b'+' | b'-'));
        end = digits(end + 1 + usize::from(sign))?;
    }
    Some(end)
}
