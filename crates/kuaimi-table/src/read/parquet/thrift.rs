//! Thrift's compact protocol, in which Parquet's metadata is written: read as a stream.
//!
//! Nothing is reserved by a number that stands in the file, and nesting ends at [`DEPTH`]. Fields
//! with an unexpected type are skipped, so they are missing afterwards.
//!
//! Source: Apache Thrift, "Thrift Compact protocol encoding"
//! (doc/specs/thrift-compact-protocol.md).

use std::io::Read;

use super::error::{Error, Result};

/// How deep structures may be nested in a field that is skipped. Parquet's own have fewer than ten
/// levels.
const DEPTH: usize = 32;

/// The type of a field or of a list's elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A Boolean field. Its value is in the type.
    Bool(bool),
    Byte,
    /// 16, 32 or 64 bits.
    Int,
    Double,
    Binary,
    /// A list or a set.
    List,
    Map,
    Struct,
    Uuid,
}

impl Kind {
    fn new(code: u8) -> Result<Self> {
        Ok(match code {
            1 => Self::Bool(true),
            2 => Self::Bool(false),
            3 => Self::Byte,
            4..=6 => Self::Int,
            7 => Self::Double,
            8 => Self::Binary,
            9 | 10 => Self::List,
            11 => Self::Map,
            12 => Self::Struct,
            13 => Self::Uuid,
            _ => return Err(Error::Damaged("its metadata has a value of no known type")),
        })
    }
}

/// A reader of the compact protocol.
pub struct Thrift<R> {
    reader: R,
    /// Bytes read so far.
    pub position: u64,
}

impl<R: Read> Thrift<R> {
    pub fn new(reader: R) -> Self {
        Self {
            reader,
            position: 0,
        }
    }

    fn byte(&mut self) -> Result<u8> {
        let mut byte = [0];
        self.reader.read_exact(&mut byte)?;
        self.position += 1;
        Ok(byte[0])
    }

    /// An unsigned integer, least significant seven bits first.
    fn varint(&mut self) -> Result<u64> {
        let mut value = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            value |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Ok(value);
            }
        }
        Err(Error::Damaged(
            "its metadata has an integer that is too long",
        ))
    }

    /// The value of a [`Kind::Int`]: zigzag, so that the sign is the lowest bit.
    pub fn int(&mut self) -> Result<i64> {
        let value = self.varint()?;
        Ok((value >> 1) as i64 ^ -((value & 1) as i64))
    }

    /// The value of a [`Kind::Binary`] of at most `limit` bytes.
    pub fn binary(&mut self, limit: usize) -> Result<Vec<u8>> {
        let length = self.varint()?;
        if length > limit as u64 {
            return Err(Error::Damaged("a name in its metadata is too long"));
        }
        let mut bytes = vec![0; length as usize];
        self.reader.read_exact(&mut bytes)?;
        self.position += length;
        Ok(bytes)
    }

    /// The beginning of a [`Kind::List`]: the type of its elements and their number.
    pub fn list(&mut self) -> Result<(Kind, u64)> {
        let header = self.byte()?;
        let count = match header >> 4 {
            15 => self.varint()?,
            count => u64::from(count),
        };
        match (count, header & 15) {
            // Some writers give an empty list no type.
            (0, 0) => Ok((Kind::Byte, 0)),
            (_, code) => Ok((Kind::new(code)?, count)),
        }
    }

    /// Reads a structure: `each` is called with every field's number and type, and must read or
    /// skip its value.
    pub fn structure(
        &mut self,
        mut each: impl FnMut(&mut Self, i16, Kind) -> Result<()>,
    ) -> Result<()> {
        let mut id = 0;
        while let Some(kind) = self.field(&mut id)? {
            each(self, id, kind)?;
        }
        Ok(())
    }

    /// The type of a structure's next field; `None` at its end. `id` is the number of the field
    /// before, then of this.
    pub fn field(&mut self, id: &mut i16) -> Result<Option<Kind>> {
        let header = self.byte()?;
        if header & 15 == 0 {
            return Ok(None);
        }
        let next = match header >> 4 {
            0 => i16::try_from(self.int()?).ok(),
            delta => id.checked_add(i16::from(delta)),
        };
        *id = next.ok_or(Error::Damaged(
            "its metadata has a field of no known number",
        ))?;
        Kind::new(header & 15).map(Some)
    }

    /// Passes over a value.
    pub fn skip(&mut self, kind: Kind) -> Result<()> {
        self.skip_in(kind, DEPTH)
    }

    fn skip_in(&mut self, kind: Kind, depth: usize) -> Result<()> {
        let Some(depth) = depth.checked_sub(1) else {
            return Err(Error::Damaged("its metadata is nested too deep"));
        };
        match kind {
            Kind::Bool(_) => Ok(()),
            Kind::Byte => self.byte().map(drop),
            Kind::Int => self.varint().map(drop),
            Kind::Double => self.pass(8),
            Kind::Uuid => self.pass(16),
            Kind::Binary => {
                let length = self.varint()?;
                self.pass(length)
            }
            Kind::Struct => self.structure(|thrift, _, kind| thrift.skip_in(kind, depth)),
            Kind::List => {
                let (kind, count) = self.list()?;
                for _ in 0..count {
                    self.skip_element(kind, depth)?;
                }
                Ok(())
            }
            Kind::Map => {
                let count = self.varint()?;
                if count == 0 {
                    return Ok(());
                }
                let kinds = self.byte()?;
                let (key, value) = (Kind::new(kinds >> 4)?, Kind::new(kinds & 15)?);
                for _ in 0..count {
                    self.skip_element(key, depth)?;
                    self.skip_element(value, depth)?;
                }
                Ok(())
            }
        }
    }

    /// In a list or a map, a Boolean has a byte of its own.
    fn skip_element(&mut self, kind: Kind, depth: usize) -> Result<()> {
        match kind {
            Kind::Bool(_) => self.byte().map(drop),
            kind => self.skip_in(kind, depth),
        }
    }

    fn pass(&mut self, length: u64) -> Result<()> {
        let passed = std::io::copy(&mut self.reader.by_ref().take(length), &mut std::io::sink())?;
        self.position += passed;
        if passed < length {
            return Err(Error::Damaged("it ends too early"));
        }
        Ok(())
    }
}
