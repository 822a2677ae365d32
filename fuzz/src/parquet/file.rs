//! The file itself: pages of the columns, and the metadata behind them.
//!
//! Source: apache/parquet-format, README.md, Encodings.md and parquet.thrift.

use super::write::{BINARY, Lies, STRUCT, Thrift, deltas, hybrid, snappy};
use super::{Codec, Encoding, File, Layout, Leaf, Physical, READ};

impl File {
    /// The definition level of values of a column that are there.
    fn defined(&self, leaf: &Leaf) -> u32 {
        u32::from(self.structure == Some(true)) + u32::from(leaf.optional)
    }

    pub fn content(&mut self) -> Vec<u8> {
        let mut lies = std::mem::take(&mut self.lies);
        let mut out = b"PAR1".to_vec();
        let mut groups = Vec::new();
        for (rows, layouts) in &self.groups {
            let mut chunks = Vec::new();
            for (i, (leaf, layout)) in self.leaves.iter().zip(layouts).enumerate() {
                let values: Vec<_> = rows.iter().map(|row| row[i].as_deref()).collect();
                chunks.push(self.chunk(leaf, layout, &values, &mut out, &mut lies));
            }
            groups.push((rows.len(), chunks));
        }
        let footer = self.footer(&groups, &mut lies);
        out.extend_from_slice(&footer);
        out.extend((footer.len() as u32).to_le_bytes());
        out.extend(b"PAR1");
        self.lies = lies;
        out
    }

    fn footer(&self, groups: &[(usize, Vec<Place>)], lies: &mut Lies) -> Vec<u8> {
        let mut thrift = Thrift::new(lies);
        thrift.int(1, 2);
        let wrapped = usize::from(self.structure.is_some());
        let elements = 1 + wrapped + usize::from(self.numbers) + READ.len();
        thrift.list(2, STRUCT, elements);
        thrift.element(|thrift| {
            thrift.binary(4, b"root");
            let children = if wrapped == 1 { 1 } else { READ.len() };
            thrift.int(5, (children + usize::from(self.numbers)) as i64);
        });
        if self.numbers {
            thrift.element(|thrift| {
                thrift.int(1, 1);
                thrift.int(3, 0);
                thrift.binary(4, b"number");
            });
        }
        if let Some(optional) = self.structure {
            thrift.element(|thrift| {
                thrift.int(3, optional.into());
                thrift.binary(4, b"s");
                thrift.int(5, READ.len() as i64);
            });
        }
        for (leaf, column) in self.leaves.iter().zip(READ) {
            thrift.element(|thrift| {
                match leaf.physical {
                    Physical::Bytes => thrift.int(1, 6),
                    Physical::Fixed(_) => {
                        thrift.int(1, 7);
                        thrift.int(2, leaf.width() as i64);
                    }
                }
                thrift.int(3, leaf.optional.into());
                thrift.binary(4, column.name().as_bytes());
                if leaf.text {
                    thrift.int(6, 0);
                    thrift.structure(10, |thrift| thrift.structure(1, |_| {}));
                }
            });
        }
        thrift.int(3, groups.iter().map(|(rows, _)| *rows as i64).sum());
        thrift.list(4, STRUCT, groups.len());
        for (rows, places) in groups {
            thrift.element(|thrift| {
                thrift.list(1, STRUCT, places.len() + usize::from(self.numbers));
                if self.numbers {
                    // Nobody goes there.
                    column(thrift, 1, &Place::default(), *rows);
                }
                for (place, leaf) in places.iter().zip(&self.leaves) {
                    let physical = if leaf.physical == Physical::Bytes {
                        6
                    } else {
                        7
                    };
                    column(thrift, physical, place, *rows);
                }
                thrift.int(2, 0);
                thrift.int(3, *rows as i64);
            });
        }
        thrift.out.push(0);
        thrift.out
    }

    /// Writes the pages of a column.
    fn chunk(
        &self,
        leaf: &Leaf,
        layout: &Layout,
        values: &[Option<&[u8]>],
        out: &mut Vec<u8>,
        lies: &mut Lies,
    ) -> Place {
        let encoding = match (layout.encoding, leaf.physical) {
            (Encoding::DeltaLength, Physical::Fixed(_)) | (Encoding::Split, Physical::Bytes) => {
                Encoding::Plain
            }
            (encoding, _) => encoding,
        };
        let codec = layout.codec;
        let mut place = Place {
            codec: codec as i64 * if let Codec::Zstd = codec { 3 } else { 1 },
            ..Place::default()
        };
        let first = out.len();
        if layout.index {
            page(out, lies, b"an index", (8, 1), |_| {});
        }
        let mut dictionary: Vec<&[u8]> = values.iter().flatten().copied().collect();
        dictionary.sort_unstable();
        dictionary.dedup();
        if let Encoding::Dictionary = encoding {
            place.dictionary = out.len() as i64;
            let content = plain(leaf, &dictionary);
            let body = compressed(codec, &content);
            page(out, lies, &body, (content.len(), 2), |thrift| {
                thrift.structure(7, |thrift| {
                    thrift.int(1, dictionary.len() as i64);
                    thrift.int(2, if layout.packed { 0 } else { 2 });
                });
            });
        }
        // Readers start at the first of the two places.
        place.data = if layout.index { first } else { out.len() } as i64;
        for values in values.chunks(usize::from(layout.page % 20) + 1) {
            let there: Vec<&[u8]> = values.iter().flatten().copied().collect();
            let (number, encoded) = encoded(encoding, leaf, &there, &dictionary, layout.packed);
            let defined = self.defined(leaf);
            let levels: Vec<u32> = values
                .iter()
                .enumerate()
                .map(|(row, value)| match value {
                    Some(_) => defined,
                    // Null is the value, or the structure that it is in.
                    None => defined.min(row as u32 & 1) % defined.max(1),
                })
                .collect();
            let levels = match defined {
                0 => Vec::new(),
                _ => hybrid(&levels, u32::BITS - defined.leading_zeros(), layout.packed),
            };
            let count = values.len() as i64;
            if layout.second_version {
                let uncompressed = layout.uncompressed_anyway;
                let mut body = levels.clone();
                body.extend(match uncompressed {
                    true => encoded.clone(),
                    false => compressed(codec, &encoded),
                });
                let length = levels.len() + encoded.len();
                page(out, lies, &body, (length, 3), |thrift| {
                    thrift.structure(8, |thrift| {
                        thrift.int(1, count);
                        thrift.int(2, count - there.len() as i64);
                        thrift.int(3, count);
                        thrift.int(4, number);
                        thrift.int(5, levels.len() as i64);
                        thrift.int(6, 0);
                        thrift.bool(7, !uncompressed);
                    });
                });
            } else {
                let mut content = Vec::new();
                if defined > 0 {
                    content.extend((levels.len() as u32).to_le_bytes());
                    content.extend(&levels);
                }
                content.extend(encoded);
                let body = compressed(codec, &content);
                page(out, lies, &body, (content.len(), 0), |thrift| {
                    thrift.structure(5, |thrift| {
                        thrift.int(1, count);
                        thrift.int(2, number);
                        thrift.int(3, 3);
                        thrift.int(4, 3);
                    });
                });
            }
        }
        place
    }
}

/// Where a column of a row group is.
#[derive(Default)]
struct Place {
    codec: i64,
    data: i64,
    dictionary: i64,
}

fn column(thrift: &mut Thrift, physical: i64, place: &Place, rows: usize) {
    thrift.element(|thrift| {
        thrift.int(2, place.data);
        thrift.structure(3, |thrift| {
            thrift.int(1, physical);
            thrift.list(3, BINARY, 1);
            thrift.bytes(b"a name");
            thrift.int(4, place.codec);
            thrift.int(5, rows as i64);
            thrift.int(9, place.data);
            if place.dictionary > 0 {
                thrift.int(11, place.dictionary);
            }
        });
    });
}

/// Writes a page: its header, to which `own` adds what its kind has, and what it holds.
fn page(
    out: &mut Vec<u8>,
    lies: &mut Lies,
    body: &[u8],
    (length, kind): (usize, i64),
    own: impl FnOnce(&mut Thrift),
) {
    let mut thrift = Thrift::new(lies);
    thrift.int(1, kind);
    thrift.int(2, length as i64);
    thrift.int(3, body.len() as i64);
    own(&mut thrift);
    thrift.out.push(0);
    out.extend(thrift.out);
    out.extend_from_slice(body);
}

fn compressed(codec: Codec, content: &[u8]) -> Vec<u8> {
    match codec {
        Codec::Uncompressed => content.to_vec(),
        Codec::Snappy => snappy(content),
        Codec::Zstd => zstd::bulk::compress(content, 1).expect("memory"),
    }
}

fn plain(leaf: &Leaf, values: &[&[u8]]) -> Vec<u8> {
    let mut out = Vec::new();
    for value in values {
        if leaf.physical == Physical::Bytes {
            out.extend((value.len() as u32).to_le_bytes());
        }
        out.extend_from_slice(value);
    }
    out
}

/// The number of an encoding, and values in it.
fn encoded(
    encoding: Encoding,
    leaf: &Leaf,
    values: &[&[u8]],
    dictionary: &[&[u8]],
    packed: bool,
) -> (i64, Vec<u8>) {
    let lengths = |values: &[&[u8]]| {
        let lengths: Vec<u32> = values.iter().map(|value| value.len() as u32).collect();
        deltas(&lengths)
    };
    match encoding {
        Encoding::Plain => (0, plain(leaf, values)),
        Encoding::Dictionary => {
            let place = |value: &&[u8]| dictionary.binary_search(value).expect("in it") as u32;
            let places: Vec<u32> = values.iter().map(place).collect();
            let width = u32::BITS - (dictionary.len() as u32).leading_zeros();
            let mut out = vec![width as u8];
            out.extend(hybrid(&places, width, packed));
            (if packed { 8 } else { 2 }, out)
        }
        Encoding::DeltaLength => (6, [lengths(values), values.concat()].concat()),
        Encoding::Delta => {
            let mut before: &[u8] = &[];
            let (mut prefixes, mut ends) = (Vec::new(), Vec::new());
            for value in values {
                let same = before.iter().zip(*value).take_while(|(a, b)| a == b);
                let same = same.count();
                prefixes.push(same as u32);
                ends.push(&value[same..]);
                before = value;
            }
            (
                7,
                [deltas(&prefixes), lengths(&ends), ends.concat()].concat(),
            )
        }
        Encoding::Split => {
            let bytes = (0..leaf.width()).flat_map(|i| values.iter().map(move |value| value[i]));
            (9, bytes.collect())
        }
    }
}
