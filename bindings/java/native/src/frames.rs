//! Lists of bytes in one array of Java's: before each item stand its length and four bytes for it,
//! the most significant first. The class `Frames` has the same.

use zeroize::Zeroizing;

use crate::call::Failure;

/// The items of a list.
pub(crate) fn items(list: &[u8]) -> Result<Vec<&[u8]>, Failure> {
    let mut rest = list;
    let mut items = Vec::new();
    while !rest.is_empty() {
        let cut = |bytes: &[u8]| Failure::argument(format!("{} bytes are no item", bytes.len()));
        let (length, behind) = rest.split_first_chunk::<4>().ok_or_else(|| cut(rest))?;
        let length = u32::from_be_bytes(*length) as usize;
        let (item, behind) = behind.split_at_checked(length).ok_or_else(|| cut(behind))?;
        items.push(item);
        rest = behind;
    }
    Ok(items)
}

/// A list, which is wiped: contents are secrets, perhaps.
pub(crate) fn list<I: AsRef<[u8]>>(items: &[I]) -> Result<Zeroizing<Vec<u8>>, Failure> {
    let length = items.iter().map(|item| 4 + item.as_ref().len()).sum();
    // It never grows, so no copy is left behind.
    let mut list = Zeroizing::new(Vec::with_capacity(length));
    for item in items {
        let item = item.as_ref();
        let length = u32::try_from(item.len())
            .map_err(|_| Failure::argument("a list has items below 4 GiB"))?;
        list.extend_from_slice(&length.to_be_bytes());
        list.extend_from_slice(item);
    }
    Ok(list)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_come_back() {
        let all: [&[u8]; 3] = [b"", b"one", &[7; 300]];
        let list = list(&all).unwrap();
        assert_eq!(items(&list).unwrap(), all);
        for length in 1..list.len() {
            // Between two items, a shorter list ends.
            let whole = length == 4 || length == 11;
            assert_eq!(items(&list[..length]).is_ok(), whole, "{length}");
        }
    }
}
