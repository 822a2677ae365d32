//! Parquet files written by hand, so that they can say of themselves what no writer would.
//!
//! Source: apache/parquet-format, parquet.thrift; Apache Thrift's compact protocol.

use std::io::Read as _;

/// Metadata in Thrift's compact protocol. Fields are written in the order of their numbers.
#[derive(Default)]
pub struct Thrift {
    bytes: Vec<u8>,
    last: i16,
    outer: Vec<i16>,
}

impl Thrift {
    fn varint(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.bytes.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.bytes.push(value as u8);
    }

    fn zigzag(&mut self, value: i64) {
        self.varint((value << 1 ^ value >> 63) as u64);
    }

    fn field(&mut self, id: i16, kind: u8) {
        let delta = id - self.last;
        if (1..16).contains(&delta) {
            self.bytes.push((delta as u8) << 4 | kind);
        } else {
            self.bytes.push(kind);
            self.zigzag(id.into());
        }
        self.last = id;
    }

    pub fn int(&mut self, id: i16, value: i64) -> &mut Self {
        self.field(id, 5);
        self.zigzag(value);
        self
    }

    pub fn bool(&mut self, id: i16, value: bool) -> &mut Self {
        self.field(id, if value { 1 } else { 2 });
        self
    }

    pub fn text(&mut self, id: i16, text: &[u8]) -> &mut Self {
        self.field(id, 8);
        self.varint(text.len() as u64);
        self.bytes.extend_from_slice(text);
        self
    }

    /// A list that says it has `count` structures; `begin` and `end` each.
    pub fn list(&mut self, id: i16, count: u64) -> &mut Self {
        self.field(id, 9);
        self.bytes.push(0xfc);
        self.varint(count);
        self
    }

    /// A list of one number, and one of one text.
    fn one_int(&mut self, id: i16, value: i64) -> &mut Self {
        self.field(id, 9);
        self.bytes.push(0x15);
        self.zigzag(value);
        self
    }

    fn one_text(&mut self, id: i16, text: &[u8]) -> &mut Self {
        self.field(id, 9);
        self.bytes.push(0x18);
        self.varint(text.len() as u64);
        self.bytes.extend_from_slice(text);
        self
    }

    /// A structure in a field.
    pub fn within(&mut self, id: i16, write: impl FnOnce(&mut Self)) -> &mut Self {
        self.field(id, 12);
        self.element(write)
    }

    /// A structure in a list.
    pub fn element(&mut self, write: impl FnOnce(&mut Self)) -> &mut Self {
        self.outer.push(std::mem::take(&mut self.last));
        write(self);
        self.bytes.push(0);
        self.last = self.outer.pop().unwrap_or_default();
        self
    }

    pub fn finish(mut self) -> Vec<u8> {
        self.bytes.push(0);
        self.bytes
    }
}

/// What a page is, with its number in a header and that of its own part.
#[derive(Clone, Copy)]
pub enum Kind {
    Data,
    DataV2,
    Dictionary,
}

/// A page as a header describes it, truly or not.
pub struct Page {
    pub kind: Kind,
    pub body: Vec<u8>,
    /// Bytes in the file, and once decompressed.
    pub size: i64,
    pub content: i64,
    pub values: i64,
    pub encoding: i64,
    /// Of the levels of a page of version 2.
    pub levels: i64,
}

impl Page {
    /// Of what these parts are: some bytes, and then so many zeros.
    pub fn of(kind: Kind, values: i64, encoding: i64, codec: i64, parts: &[(&[u8], u64)]) -> Self {
        let body = match codec {
            SNAPPY => snappy(parts),
            _ => zstd(parts),
        };
        Self {
            content: length(parts) as i64,
            ..Self::new(kind, values, encoding, body)
        }
    }

    pub fn zstd(kind: Kind, values: i64, encoding: i64, parts: &[(&[u8], u64)]) -> Self {
        Self::of(kind, values, encoding, ZSTD, parts)
    }

    pub fn new(kind: Kind, values: i64, encoding: i64, body: Vec<u8>) -> Self {
        let size = body.len() as i64;
        Self {
            kind,
            body,
            size,
            content: size,
            values,
            encoding,
            levels: 0,
        }
    }

    pub fn write(&self) -> Vec<u8> {
        let mut header = Thrift::default();
        let (kind, own) = match self.kind {
            Kind::Data => (0, 5),
            Kind::Dictionary => (2, 7),
            Kind::DataV2 => (3, 8),
        };
        header.int(1, kind).int(2, self.content).int(3, self.size);
        header.within(own, |header| {
            header.int(1, self.values);
            match self.kind {
                Kind::Data => header.int(2, self.encoding).int(3, 3).int(4, 3),
                Kind::Dictionary => header.int(2, self.encoding),
                Kind::DataV2 => header
                    .int(2, 0)
                    .int(3, self.values)
                    .int(4, self.encoding)
                    .int(5, self.levels)
                    .int(6, 0)
                    .bool(7, true),
            };
        });
        [header.finish(), self.body.clone()].concat()
    }
}

pub const UNCOMPRESSED: i64 = 0;
pub const SNAPPY: i64 = 1;
pub const ZSTD: i64 = 6;

pub const PLAIN: i64 = 0;
pub const DELTA_LENGTH: i64 = 6;
pub const DELTA: i64 = 7;
pub const DICTIONARY: i64 = 8;
pub const SPLIT: i64 = 9;

/// A column of the one row group.
pub struct Column {
    pub name: &'static str,
    /// The length of its values, where that is fixed.
    pub width: Option<i64>,
    pub optional: bool,
    pub codec: i64,
    pub pages: Vec<Page>,
}

impl Column {
    pub fn new(name: &'static str, codec: i64, pages: Vec<Page>) -> Self {
        Self {
            name,
            width: None,
            optional: false,
            codec,
            pages,
        }
    }

    /// One page of these values, not compressed.
    pub fn plain(name: &'static str, values: &[&[u8]]) -> Self {
        let body = values.iter().flat_map(|value| plain(value)).collect();
        let page = Page::new(Kind::Data, values.len() as i64, PLAIN, body);
        Self::new(name, UNCOMPRESSED, vec![page])
    }
}

/// A value behind its length.
pub fn plain(value: &[u8]) -> Vec<u8> {
    [&(value.len() as u32).to_le_bytes(), value].concat()
}

/// A file of one row group with these columns.
pub fn file(rows: i64, columns: &[Column]) -> Vec<u8> {
    let mut file = b"PAR1".to_vec();
    let mut places = Vec::new();
    for column in columns {
        let start = file.len() as i64;
        for page in &column.pages {
            file.extend(page.write());
        }
        places.push((start, file.len() as i64));
    }
    let mut footer = Thrift::default();
    footer.int(1, 1).list(2, columns.len() as u64 + 1);
    footer.element(|root| {
        root.text(4, b"root").int(5, columns.len() as i64);
    });
    for column in columns {
        footer.element(|leaf| {
            match column.width {
                Some(width) => leaf.int(1, 7).int(2, width),
                None => leaf.int(1, 6),
            };
            leaf.int(3, column.optional.into())
                .text(4, column.name.as_bytes());
        });
    }
    footer.int(3, rows).list(4, 1).element(|group| {
        group.list(1, columns.len() as u64);
        for (column, (start, end)) in columns.iter().zip(&places) {
            let size = end - start;
            group.element(|chunk| {
                chunk.int(2, *start).within(3, |chunk| {
                    chunk
                        .int(1, column.width.map_or(6, |_| 7))
                        .one_int(2, PLAIN)
                        .one_text(3, column.name.as_bytes())
                        .int(4, column.codec)
                        .int(5, rows)
                        .int(6, size)
                        .int(7, size)
                        .int(9, *start);
                });
            });
        }
        group.int(2, 1).int(3, rows);
    });
    end(file, &footer.finish())
}

/// A file whose footer is this.
pub fn end(mut file: Vec<u8>, footer: &[u8]) -> Vec<u8> {
    file.extend_from_slice(footer);
    file.extend((footer.len() as u32).to_le_bytes());
    file.extend(b"PAR1");
    file
}

fn length(parts: &[(&[u8], u64)]) -> u64 {
    parts
        .iter()
        .map(|(bytes, zeros)| bytes.len() as u64 + zeros)
        .sum()
}

fn zstd(parts: &[(&[u8], u64)]) -> Vec<u8> {
    zstd_window(parts, 21)
}

pub fn zstd_window(parts: &[(&[u8], u64)], window: u32) -> Vec<u8> {
    let mut encoder = zstd::stream::Encoder::new(Vec::new(), 3).expect("an encoder");
    encoder.window_log(window).expect("a window");
    for (bytes, zeros) in parts {
        let mut part = bytes.chain(std::io::repeat(0).take(*zeros));
        std::io::copy(&mut part, &mut encoder).expect("memory");
    }
    encoder.finish().expect("memory")
}

/// The same of Snappy, with the longest copies there are.
fn snappy(parts: &[(&[u8], u64)]) -> Vec<u8> {
    let mut out = Thrift::default();
    out.varint(length(parts));
    let mut out = out.bytes;
    for (bytes, zeros) in parts {
        for piece in bytes.chunks(60) {
            out.push((piece.len() as u8 - 1) << 2);
            out.extend_from_slice(piece);
        }
        let mut left = *zeros;
        if left > 0 {
            out.extend([0, 0]);
            left -= 1;
        }
        while left > 0 {
            let length = left.min(64);
            out.extend([(length as u8 - 1) << 2 | 2, 1, 0]);
            left -= length;
        }
    }
    out
}
