//! Keys that come again and again are read once: what a key's text and an identity stand for is remembered, within
//! bounds.

use std::collections::HashMap;
use std::sync::Arc;

use kuaimi::sm2::VerifyingKey;

/// A key under an identity, or what is wrong with it.
pub type Entry = Arc<Result<VerifyingKey, String>>;

/// What a key and an identity are written as.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Label(Box<[u8]>);

impl Label {
    /// Of a key's value and the identity's bytes. No two pairs have the same label.
    pub fn new(key: Option<super::decode::Value<'_>>, id: &[u8]) -> Self {
        let (kind, key) = match key {
            None => (0, &[][..]),
            Some(value) => (1 + u8::from(value.text), value.bytes),
        };
        let mut label = Vec::with_capacity(9 + key.len() + id.len());
        label.push(kind);
        label.extend_from_slice(&(key.len() as u64).to_le_bytes());
        label.extend_from_slice(key);
        label.extend_from_slice(id);
        Self(label.into())
    }
}

/// The entries used last. There are two generations: when the young one is full it becomes the old one, and what is
/// still used moves over, so that what is not used is forgotten without a list of who came when.
#[derive(Default)]
pub struct Keys {
    young: HashMap<Label, Entry>,
    old: HashMap<Label, Entry>,
    young_bytes: usize,
}

impl Keys {
    /// Bytes of a generation, about.
    const CAPACITY: usize = 8 << 20;
    /// Bytes of an entry beside its label, about.
    const ENTRY: usize = 512;

    pub fn get(&mut self, label: &Label) -> Option<Entry> {
        if let Some(entry) = self.young.get(label) {
            return Some(entry.clone());
        }
        let (label, entry) = self.old.remove_entry(label)?;
        self.insert(label, entry.clone());
        Some(entry)
    }

    pub fn insert(&mut self, label: Label, entry: Entry) {
        let size = label.0.len() + Self::ENTRY;
        if self.young_bytes + size > Self::CAPACITY {
            self.old = std::mem::take(&mut self.young);
            self.young_bytes = 0;
        }
        self.young_bytes += size;
        self.young.insert(label, entry);
    }
}

#[cfg(test)]
mod tests {
    use super::super::decode::Value;
    use super::*;

    fn label(key: &[u8], id: &[u8]) -> Label {
        let value = Value {
            bytes: key,
            text: true,
        };
        Label::new(Some(value), id)
    }

    #[test]
    fn labels_tell_pairs_apart() {
        assert_ne!(label(b"ab", b"c"), label(b"a", b"bc"));
        assert_ne!(label(b"a", b"x"), label(b"a", b"y"));
        assert_ne!(label(b"", b"abc"), label(b"abc", b""));
        let bytes = Value {
            bytes: b"ab",
            text: false,
        };
        assert_ne!(label(b"ab", b"c"), Label::new(Some(bytes), b"c"));
        assert_ne!(Label::new(None, b"x"), label(b"", b"x"));
        assert_eq!(label(b"ab", b"c"), label(b"ab", b"c"));
    }

    #[test]
    fn bounded_and_yet_remembering_what_is_used() {
        let mut keys = Keys::default();
        let entry = |i: usize| Arc::new(Err(i.to_string()));
        keys.insert(label(b"used", b""), entry(0));
        for i in 0..200_000 {
            keys.insert(label(i.to_string().as_bytes(), b""), entry(i));
            if i % 100 == 0 {
                assert!(keys.get(&label(b"used", b"")).is_some(), "{i}");
            }
        }
        let most = 2 * Keys::CAPACITY / Keys::ENTRY;
        assert!(keys.young.len() + keys.old.len() <= most);
        assert!(keys.get(&label(b"1", b"")).is_none());
        let last = keys.get(&label(b"199999", b"")).unwrap();
        assert_eq!(last.as_ref().as_ref().unwrap_err(), "199999");
    }
}
