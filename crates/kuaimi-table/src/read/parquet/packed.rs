//! Integers in few bits: Parquet's RLE / bit-packing hybrid, and DELTA_BINARY_PACKED.
//!
//! Source: apache/parquet-format, Encodings.md.

use std::io::Read;

use super::budget::Kept;
use super::error::{Error, Result};

fn byte(reader: &mut impl Read) -> Result<u8> {
    let mut byte = [0];
    reader.read_exact(&mut byte)?;
    Ok(byte[0])
}

/// An unsigned integer, least significant seven bits first.
fn varint(reader: &mut impl Read) -> Result<u64> {
    let mut value = 0;
    for shift in (0..64).step_by(7) {
        let byte = byte(reader)?;
        value |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return Ok(value);
        }
    }
    Err(Error::Damaged("an integer in a page is too long"))
}

fn zigzag(reader: &mut impl Read) -> Result<i64> {
    let value = varint(reader)?;
    Ok((value >> 1) as i64 ^ -((value & 1) as i64))
}

/// Values of a fixed number of bits, least significant bit first.
#[derive(Default)]
struct Bits {
    pending: u128,
    count: u32,
}

impl Bits {
    /// The next value of `width` bits, which are at most 64.
    fn next(&mut self, reader: &mut impl Read, width: u32) -> Result<u64> {
        while self.count < width {
            self.pending |= u128::from(byte(reader)?) << self.count;
            self.count += 8;
        }
        let value = self.pending & ((1 << width) - 1);
        self.pending >>= width;
        self.count -= width;
        Ok(value as u64)
    }
}

/// Runs of one value, and groups of eight packed ones: definition levels, and indices of a
/// dictionary.
pub struct Hybrid<R> {
    reader: R,
    width: u32,
    /// Values of the current run that are still to come.
    left: u64,
    /// The value of a run; `None` where they are packed.
    value: Option<u32>,
    bits: Bits,
}

impl<R: Read> Hybrid<R> {
    /// Values of `width` bits, which are at most 32.
    pub fn new(reader: R, width: u32) -> Self {
        Self {
            reader,
            width,
            left: 0,
            value: None,
            bits: Bits::default(),
        }
    }

    pub fn next(&mut self) -> Result<u32> {
        while self.left == 0 {
            let header = varint(&mut self.reader)?;
            if header & 1 == 0 {
                self.left = header >> 1;
                let mut bytes = [0; 4];
                self.reader
                    .read_exact(&mut bytes[..self.width.div_ceil(8) as usize])?;
                self.value = Some(u32::from_le_bytes(bytes));
            } else {
                self.left = (header >> 1).saturating_mul(8);
                self.value = None;
                self.bits = Bits::default();
            }
        }
        self.left -= 1;
        match self.value {
            Some(value) => Ok(value),
            None => Ok(self.bits.next(&mut self.reader, self.width)? as u32),
        }
    }
}

/// Values of a DELTA_BINARY_PACKED block: far more than any writer's.
const LARGEST_BLOCK: u64 = 1 << 16;

/// All lengths of a DELTA_BINARY_PACKED sequence, of which there may be `most`; the reader is
/// behind it then.
pub fn lengths(reader: &mut impl Read, most: u64, out: &mut Kept<u32>) -> Result<()> {
    let block = varint(reader)?;
    let parts = varint(reader)?;
    let count = varint(reader)?;
    if count > most {
        return Err(Error::Damaged("a page has more lengths than values"));
    }
    if block == 0 || block > LARGEST_BLOCK || parts == 0 || !block.is_multiple_of(parts) {
        return Err(Error::Damaged("a page has blocks of an impossible size"));
    }
    let per_part = block / parts;
    if !per_part.is_multiple_of(8) {
        return Err(Error::Damaged("a page has blocks of an impossible size"));
    }
    let mut value = zigzag(reader)?;
    let mut left = count;
    if left > 0 {
        out.push(length(value)?)?;
        left -= 1;
    }
    while left > 0 {
        let least = zigzag(reader)?;
        let mut widths = vec![0; parts as usize];
        reader.read_exact(&mut widths)?;
        for width in widths {
            // Parts without values are not written, whatever their width.
            if left == 0 {
                break;
            }
            if width > 64 {
                return Err(Error::Damaged("a page has integers of an impossible size"));
            }
            let mut bits = Bits::default();
            for _ in 0..per_part {
                let delta = bits.next(reader, u32::from(width))? as i64;
                if left > 0 {
                    value = value.wrapping_add(least).wrapping_add(delta);
                    out.push(length(value)?)?;
                    left -= 1;
                }
            }
        }
    }
    Ok(())
}

/// Lengths are integers of 32 bits, and their differences wrap around.
fn length(value: i64) -> Result<u32> {
    u32::try_from(value as i32).map_err(|_| Error::Damaged("a page has a negative length"))
}

#[cfg(test)]
mod tests {
    use super::super::budget::Budget;
    use super::*;

    #[test]
    fn runs_and_packed_groups() {
        // Eight threes, the standard's example 0..8 in three bits, and a run of no values.
        let bytes = [
            16,
            3, // a run
            3,
            0b1000_1000,
            0b1100_0110,
            0b1111_1010, // packed
            0,
            1, // nothing
            2,
            7, // a run of one
        ];
        let mut hybrid = Hybrid::new(&bytes[..], 3);
        let values: Vec<_> = (0..17).map(|_| hybrid.next().unwrap()).collect();
        assert_eq!(values[..8], [3; 8]);
        assert_eq!(values[8..16], [0, 1, 2, 3, 4, 5, 6, 7]);
        assert_eq!(values[16], 7);
        assert!(hybrid.next().is_err());
        // Wide values, and such of no bits.
        let mut hybrid = Hybrid::new(&[2, 1, 2, 3, 4][..], 32);
        assert_eq!(hybrid.next().unwrap(), 0x0403_0201);
        let mut hybrid = Hybrid::new(&[3][..], 0);
        assert_eq!(hybrid.next().unwrap(), 0);
    }

    fn lengths(reader: &mut &[u8], most: u64) -> Result<Vec<u32>> {
        let mut out = Budget::new().keep();
        super::lengths(reader, most, &mut out)?;
        Ok(out.list.clone())
    }

    #[test]
    fn deltas() {
        // The standard's examples: 1 2 3 4 5, and 7 5 3 1 2 3 4 5; the widths of parts without
        // values do not count.
        let steady = [0x80, 1, 4, 5, 2, 2, 0, 9, 9, 9];
        assert_eq!(lengths(&mut &steady[..], 5).unwrap(), [1, 2, 3, 4, 5]);
        let mut falling = vec![0x80, 1, 4, 8, 14, 3, 2, 0, 0, 0];
        falling.extend([0b1100_0000, 0b0011_1111, 0, 0, 0, 0, 0, 0]);
        falling.push(0xee);
        let mut reader = &falling[..];
        assert_eq!(lengths(&mut reader, 8).unwrap(), [7, 5, 3, 1, 2, 3, 4, 5]);
        assert_eq!(reader, [0xee]);
        assert!(lengths(&mut &falling[..], 7).is_err());
        assert!(lengths(&mut &falling[..17], 8).is_err());
        // Below zero.
        assert!(lengths(&mut &[0x80, 1, 4, 1, 1][..], 5).is_err());
    }

    /// Numbers that cannot be are refused before anything is reserved for them.
    #[test]
    fn impossible_numbers() {
        for bytes in [
            // 2^62 values, blocks of none, of 2^40, of no parts, of parts that do not divide them.
            &[
                0x80, 1, 4, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x40, 0,
            ][..],
            &[0, 4, 1, 0],
            &[0x80, 0x80, 0x80, 0x80, 0x80, 0x20, 1, 2, 0],
            &[0x80, 1, 0, 2, 0],
            &[0x80, 1, 3, 2, 0],
        ] {
            assert!(matches!(
                lengths(&mut &bytes[..], 1000),
                Err(Error::Damaged(_))
            ));
        }
    }
}
