//! Records of TLS 1.2 with GCM and CCM (RFC 5288 and RFC 6655; TLCP's are the same).
//!
//! libssl sets the 13 bytes of associated data of each record (sequence number, type, version,
//! length), and then has the record processed in one piece, in place: 8 bytes of the nonce, which
//! begin it; the contents; and the tag.

use crate::abi::cipher::Direction;
use crate::failure::{Failure, Reason};

/// The part of a nonce that comes from the handshake, and the part that is in the record.
pub(crate) const FIXED_LEN: usize = 4;
pub(crate) const EXPLICIT_LEN: usize = 8;
pub(crate) const NONCE_LEN: usize = FIXED_LEN + EXPLICIT_LEN;

/// The associated data of a record.
pub(crate) const HEADER_LEN: usize = 13;

/// The associated data as it is authenticated: libssl sets it with the length of the record, which
/// is replaced by that of the contents.
pub(crate) fn header(
    data: &[u8],
    direction: Direction,
    tag_len: usize,
) -> Result<[u8; HEADER_LEN], Failure> {
    let wrong = || Failure::with(Reason::InvalidParameter, "tlsaad");
    let mut header: [u8; HEADER_LEN] = data.try_into().map_err(|_| wrong())?;
    let (_, length) = header.split_last_chunk_mut().ok_or_else(wrong)?;
    let excess = match direction {
        Direction::Encrypt => EXPLICIT_LEN,
        Direction::Decrypt => EXPLICIT_LEN + tag_len,
    };
    let contents = usize::from(u16::from_be_bytes(*length))
        .checked_sub(excess)
        .ok_or_else(wrong)?;
    *length = (contents as u16).to_be_bytes();
    Ok(header)
}

/// The three parts of a record.
pub(crate) struct Parts<'a> {
    pub(crate) explicit: &'a mut [u8; EXPLICIT_LEN],
    pub(crate) contents: &'a mut [u8],
    pub(crate) tag: &'a mut [u8],
}

impl<'a> Parts<'a> {
    pub(crate) fn new(record: &'a mut [u8], tag_len: usize) -> Result<Self, Failure> {
        let (explicit, rest) = record.split_first_chunk_mut().ok_or(Reason::DataTooShort)?;
        let length = rest
            .len()
            .checked_sub(tag_len)
            .ok_or(Reason::DataTooShort)?;
        let (contents, tag) = rest.split_at_mut(length);
        Ok(Self {
            explicit,
            contents,
            tag,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_length_in_the_header_becomes_that_of_the_contents() {
        let mut data = [7; HEADER_LEN];
        for (direction, tag_len, excess) in [
            (Direction::Encrypt, 16, 8),
            (Direction::Decrypt, 16, 24),
            (Direction::Decrypt, 8, 16),
        ] {
            for contents in [0u16, 1, 0x1ff, 1 << 14] {
                data[11..].copy_from_slice(&(contents + excess).to_be_bytes());
                let header = header(&data, direction, tag_len).unwrap();
                assert_eq!(header[..11], data[..11]);
                assert_eq!(header[11..], contents.to_be_bytes());
            }
            data[11..].copy_from_slice(&(excess - 1).to_be_bytes());
            assert!(header(&data, direction, tag_len).is_err());
        }
        for wrong in [0, 12, 14] {
            assert!(header(&vec![0xff; wrong], Direction::Encrypt, 16).is_err());
        }
    }

    #[test]
    fn a_record_has_three_parts() {
        for (tag_len, contents) in [(16, 0), (16, 5), (8, 100)] {
            let mut record: Vec<u8> = (0..8 + contents + tag_len).map(|at| at as u8).collect();
            let whole = record.clone();
            let parts = Parts::new(&mut record, tag_len).unwrap();
            assert_eq!(*parts.explicit, whole[..8]);
            assert_eq!(*parts.contents, whole[8..8 + contents]);
            assert_eq!(*parts.tag, whole[8 + contents..]);
        }
        for length in 0..24 {
            assert!(Parts::new(&mut vec![0; length], 16).is_err());
        }
    }
}
