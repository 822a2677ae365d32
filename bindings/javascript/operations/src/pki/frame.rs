//! What is not one argument: lists of bytes, and options. A list has each item behind its length,
//! in four bytes, least significant first; of options, each has a byte before that, which says
//! which one it is (`src/pki/frame.js`).

use alloc::vec::Vec;

use zeroize::Zeroizing;

use crate::Result;

/// The items of a list.
pub(super) fn items(mut bytes: &[u8]) -> Result<Vec<&[u8]>> {
    let mut all = Vec::new();
    while !bytes.is_empty() {
        let (item, rest) = next(bytes)?;
        all.push(item);
        bytes = rest;
    }
    Ok(all)
}

/// Exactly `N` items.
pub(super) fn exactly<const N: usize>(bytes: &[u8]) -> Result<[&[u8]; N]> {
    items(bytes)?
        .try_into()
        .map_err(|_| argument!("a list has another number of items"))
}

/// Options: which, and its value.
pub(super) fn options(mut bytes: &[u8]) -> Result<Vec<(u8, &[u8])>> {
    let mut all = Vec::new();
    while let Some((name, rest)) = bytes.split_first() {
        let (value, rest) = next(rest)?;
        all.push((*name, value));
        bytes = rest;
    }
    Ok(all)
}

fn next(bytes: &[u8]) -> Result<(&[u8], &[u8])> {
    let split = bytes.split_first_chunk::<4>().and_then(|(length, rest)| {
        rest.split_at_checked(usize::try_from(u32::from_le_bytes(*length)).ok()?)
    });
    split.ok_or_else(|| argument!("a list ends in the middle of an item"))
}

/// A list. It is never moved while it is written, so that no copy of a secret stays.
pub(super) fn list(items: &[&[u8]]) -> Result<Zeroizing<Vec<u8>>> {
    let length = items.iter().map(|item| 4 + item.len()).sum();
    let mut out = Zeroizing::new(Vec::with_capacity(length));
    for item in items {
        let length = u32::try_from(item.len()).map_err(|_| argument!("more than 4 GiB"))?;
        out.extend_from_slice(&length.to_le_bytes());
        out.extend_from_slice(item);
    }
    Ok(out)
}

/// A text.
pub(super) fn text(bytes: &[u8]) -> Result<&str> {
    core::str::from_utf8(bytes).map_err(|_| argument!("a text is UTF-8"))
}

/// A number of eight bytes, as numbers of seconds do not fit into the engines' numbers.
pub(super) fn number(bytes: &[u8]) -> Result<u64> {
    let bytes = bytes
        .try_into()
        .map_err(|_| argument!("a number has eight bytes"))?;
    Ok(u64::from_le_bytes(bytes))
}

/// A value of one byte.
pub(super) fn byte(bytes: &[u8]) -> Result<u8> {
    match bytes {
        [byte] => Ok(*byte),
        _ => Err(argument!("an option has one byte")),
    }
}

/// A flag.
pub(super) fn flag(bytes: &[u8]) -> Result<bool> {
    Ok(byte(bytes)? != 0)
}

/// An option that no operation has.
pub(super) fn unknown() -> crate::Failure {
    argument!("there is no such option")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_is_read_as_it_was_written() {
        let parts: [&[u8]; 3] = [b"", b"a", &[7; 300]];
        let bytes = list(&parts).unwrap();
        assert_eq!(items(&bytes).unwrap(), parts);
        assert_eq!(exactly::<3>(&bytes).unwrap(), parts);
        assert!(exactly::<2>(&bytes).is_err());
        // Every end but that of an item is an error, and no panic.
        let ends = [0, 4, 9, bytes.len()];
        for end in 0..bytes.len() {
            assert_eq!(items(&bytes[..end]).is_ok(), ends.contains(&end), "{end}");
        }
    }

    #[test]
    fn options_have_names() {
        assert_eq!(options(&[3, 1, 0, 0, 0, 9]).unwrap(), [(3, &[9][..])]);
        assert!(options(&[3]).is_err());
        assert!(options(&[3, 255, 255, 255, 255, 9]).is_err());
    }
}
