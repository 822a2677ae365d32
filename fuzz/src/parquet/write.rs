//! What Parquet's files are made of: Thrift's compact protocol, and the encodings of values.
//!
//! Source: Apache Thrift, "Thrift Compact protocol encoding"; apache/parquet-format, Encodings.md;
//! google/snappy, format_description.txt.

/// Which integers of the metadata are written as others, by their places among all that are
/// written.
#[derive(Debug, Default)]
pub struct Lies {
    pub list: Vec<(u16, Lie)>,
    written: u16,
}

#[derive(Clone, Copy, Debug)]
pub enum Lie {
    Other(i64),
    Plus(i8),
    Shifted(u8),
}

impl Lies {
    fn of(&mut self, value: i64) -> i64 {
        let place = self.written;
        self.written = place.wrapping_add(1);
        match self.list.iter().find(|(at, _)| *at == place) {
            None => value,
            Some((_, Lie::Other(other))) => *other,
            Some((_, Lie::Plus(more))) => value.wrapping_add((*more).into()),
            Some((_, Lie::Shifted(by))) => value.wrapping_shl((*by).into()),
        }
    }
}

/// The types of fields and of elements of lists.
const INT: u8 = 5;
pub const BINARY: u8 = 8;
const LIST: u8 = 9;
pub const STRUCT: u8 = 12;

/// A structure that is being written.
pub struct Thrift<'a> {
    pub out: Vec<u8>,
    lies: &'a mut Lies,
    /// The number of the field before, of each structure that is open.
    last: Vec<u8>,
}

impl<'a> Thrift<'a> {
    pub fn new(lies: &'a mut Lies) -> Self {
        Self {
            out: Vec::new(),
            lies,
            last: vec![0],
        }
    }

    fn field(&mut self, id: u8, kind: u8) {
        let last = self.last.last_mut().expect("a structure is open");
        self.out.push((id - *last) << 4 | kind);
        *last = id;
    }

    pub fn int(&mut self, id: u8, value: i64) {
        self.field(id, INT);
        let value = self.lies.of(value);
        zigzag(&mut self.out, value);
    }

    pub fn bool(&mut self, id: u8, value: bool) {
        self.field(id, if value { 1 } else { 2 });
    }

    pub fn binary(&mut self, id: u8, value: &[u8]) {
        self.field(id, BINARY);
        self.bytes(value);
    }

    pub fn bytes(&mut self, value: &[u8]) {
        let length = self.lies.of(value.len() as i64);
        varint(&mut self.out, length as u64);
        self.out.extend_from_slice(value);
    }

    /// The beginning of a list; its elements follow.
    pub fn list(&mut self, id: u8, kind: u8, count: usize) {
        self.field(id, LIST);
        match self.lies.of(count as i64) as u64 {
            count @ 0..15 => self.out.push((count as u8) << 4 | kind),
            count => {
                self.out.push(0xf0 | kind);
                varint(&mut self.out, count);
            }
        }
    }

    pub fn structure(&mut self, id: u8, content: impl FnOnce(&mut Self)) {
        self.field(id, STRUCT);
        self.element(content);
    }

    /// A structure that is an element of a list.
    pub fn element(&mut self, content: impl FnOnce(&mut Self)) {
        self.last.push(0);
        content(self);
        self.out.push(0);
        self.last.pop();
    }
}

fn varint(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

fn zigzag(out: &mut Vec<u8>, value: i64) {
    varint(out, (value << 1 ^ value >> 63) as u64);
}

/// Values of `width` bits, least significant bit first.
fn bits(values: impl Iterator<Item = u64>, width: u32) -> Vec<u8> {
    let (mut out, mut pending, mut count) = (Vec::new(), 0u128, 0);
    for value in values {
        pending |= u128::from(value) << count;
        count += width;
        while count >= 8 {
            out.push(pending as u8);
            pending >>= 8;
            count -= 8;
        }
    }
    if count > 0 {
        out.push(pending as u8);
    }
    out
}

/// Runs of one value, or one of packed groups of eight.
pub fn hybrid(values: &[u32], width: u32, packed: bool) -> Vec<u8> {
    let mut out = Vec::new();
    if packed && !values.is_empty() {
        let groups = values.len().div_ceil(8);
        varint(&mut out, (groups as u64) << 1 | 1);
        let padded = values.iter().copied().chain(std::iter::repeat(0));
        out.extend(bits(padded.take(groups * 8).map(u64::from), width));
    } else {
        for run in values.chunk_by(|a, b| a == b) {
            varint(&mut out, (run.len() as u64) << 1);
            out.extend(&run[0].to_le_bytes()[..width.div_ceil(8) as usize]);
        }
    }
    out
}

/// DELTA_BINARY_PACKED, in blocks of 128 with four parts.
pub fn deltas(values: &[u32]) -> Vec<u8> {
    let mut out = Vec::new();
    varint(&mut out, 128);
    varint(&mut out, 4);
    varint(&mut out, values.len() as u64);
    zigzag(&mut out, values.first().map_or(0, |&first| first.into()));
    let differences: Vec<i64> = values
        .windows(2)
        .map(|pair| i64::from(pair[1]) - i64::from(pair[0]))
        .collect();
    for block in differences.chunks(128) {
        let least = block.iter().copied().min().expect("not empty");
        zigzag(&mut out, least);
        let parts: Vec<Vec<u64>> = block
            .chunks(32)
            .map(|part| part.iter().map(|it| (it - least) as u64).collect())
            .collect();
        let width =
            |part: &Vec<u64>| 64 - part.iter().max().map_or(64, |most| most.leading_zeros());
        let widths: Vec<u32> = parts.iter().map(width).collect();
        out.extend((0..4).map(|i| widths.get(i).map_or(0, |&width| width as u8)));
        for (part, width) in parts.into_iter().zip(widths) {
            let padded = part.into_iter().chain(std::iter::repeat(0)).take(32);
            out.extend(bits(padded, width));
        }
    }
    out
}

/// Literals, and copies of what is repeated at a distance of four bytes.
pub fn snappy(content: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    varint(&mut out, content.len() as u64);
    let mut place = 0;
    while place < content.len() {
        let rest = &content[place..];
        let same = rest.iter().zip(&content[place.saturating_sub(4)..]);
        let length = match place {
            4.. => same.take_while(|(a, b)| a == b).take(64).count(),
            _ => 0,
        };
        if length >= 4 {
            // A copy with a distance of two bytes.
            out.extend([(length as u8 - 1) << 2 | 2, 4, 0]);
            place += length;
        } else {
            let length = rest.len().min(5);
            out.push((length as u8 - 1) << 2);
            out.extend_from_slice(&rest[..length]);
            place += length;
        }
    }
    out
}
