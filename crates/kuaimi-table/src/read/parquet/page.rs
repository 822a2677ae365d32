//! Headers of pages.
//!
//! Source: apache/parquet-format, parquet.thrift, `PageHeader`.

use std::io::Read;

use super::error::{Error, Result};
use super::thrift::{Kind, Thrift};

/// What a page is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Page {
    /// Values; before them, also compressed, their levels.
    Data {
        levels: i64,
    },
    /// Values; before them, never compressed, levels of these lengths.
    DataV2 {
        repetition: u64,
        definition: u64,
        compressed: bool,
    },
    Dictionary,
    /// An index or something newer, which is passed over.
    Other,
}

#[derive(Debug)]
pub struct Header {
    pub page: Page,
    /// Bytes in the file, without the header's own.
    pub size: u64,
    /// How many values it has, nulls among them.
    pub values: u64,
    pub encoding: i64,
}

fn unsigned(value: Option<i64>) -> Result<u64> {
    value
        .and_then(|value| u64::try_from(value).ok())
        .ok_or(Error::Damaged("the header of a page is incomplete"))
}

impl Header {
    pub fn read<R: Read>(thrift: &mut Thrift<R>) -> Result<Self> {
        let (mut kind, mut size) = (None, None);
        // The first numbers of the three kinds' own headers, in the order of their fields.
        let mut own = [None; 8];
        let mut compressed = true;
        thrift.structure(|thrift, id, field| {
            match (id, field) {
                (1, Kind::Int) => kind = Some(thrift.int()?),
                (3, Kind::Int) => size = Some(thrift.int()?),
                (5 | 7 | 8, Kind::Struct) => thrift.structure(|thrift, id, field| {
                    match (id, field) {
                        (1..=7, Kind::Int) => own[id as usize] = Some(thrift.int()?),
                        (7, Kind::Bool(value)) => compressed = value,
                        (_, field) => thrift.skip(field)?,
                    }
                    Ok(())
                })?,
                (_, field) => thrift.skip(field)?,
            }
            Ok(())
        })?;
        let (page, encoding) = match kind {
            Some(0) => (
                Page::Data {
                    levels: own[3].unwrap_or(-1),
                },
                own[2],
            ),
            Some(2) => (Page::Dictionary, own[2]),
            Some(3) => (
                Page::DataV2 {
                    definition: unsigned(own[5])?,
                    repetition: unsigned(own[6])?,
                    compressed,
                },
                own[4],
            ),
            _ => (Page::Other, Some(0)),
        };
        let header = Self {
            page,
            size: unsigned(size)?,
            values: if page == Page::Other {
                0
            } else {
                unsigned(own[1])?
            },
            encoding: encoding.ok_or(Error::Damaged("the header of a page is incomplete"))?,
        };
        Ok(header)
    }
}
