//! What a file's columns may keep in memory, all together: dictionaries, levels, lengths.

use std::io::Read;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::error::{Result, too_large};

/// Bytes for all columns.
const LIMIT: usize = 64 << 20;
/// Bytes read at a time, so that nothing is reserved for what is not there.
const STEP: usize = 64 << 10;

/// What is left of it.
#[derive(Clone)]
pub struct Budget(Arc<AtomicUsize>);

/// A list whose memory comes out of the budget, and goes back when it is dropped.
pub struct Kept<T> {
    budget: Budget,
    /// Bytes.
    taken: usize,
    pub list: Vec<T>,
}

impl Budget {
    pub fn new() -> Self {
        Self(Arc::new(AtomicUsize::new(LIMIT)))
    }

    pub fn keep<T>(&self) -> Kept<T> {
        Kept {
            budget: self.clone(),
            taken: 0,
            list: Vec::new(),
        }
    }

    fn take(&self, bytes: usize) -> Result<()> {
        self.0
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| {
                left.checked_sub(bytes)
            })
            .map(drop)
            .map_err(|_| {
                too_large(
                    "its columns' dictionaries need",
                    LIMIT,
                    "write it again with smaller dictionaries or without",
                )
            })
    }
}

impl<T> Kept<T> {
    /// Makes room for `more` items.
    pub fn reserve(&mut self, more: usize) -> Result<()> {
        let room = self.list.capacity() - self.list.len();
        if more > room {
            let step = more.max(self.list.capacity() / 2);
            let bytes = step.saturating_mul(size_of::<T>());
            self.budget.take(bytes)?;
            self.taken += bytes;
            self.list
                .reserve_exact(step + self.list.capacity() - self.list.len());
        }
        Ok(())
    }

    pub fn push(&mut self, item: T) -> Result<()> {
        self.reserve(1)?;
        self.list.push(item);
        Ok(())
    }
}

impl Kept<u8> {
    /// Appends what the reader gives, `most` bytes at most.
    pub fn read(&mut self, reader: &mut impl Read, most: u64) -> Result<()> {
        let mut left = most;
        while left > 0 {
            let count = left.min(STEP as u64) as usize;
            self.reserve(count)?;
            let read = reader.take(count as u64).read_to_end(&mut self.list)?;
            left -= read as u64;
            if read < count {
                break;
            }
        }
        Ok(())
    }
}

impl<T> Drop for Kept<T> {
    fn drop(&mut self) {
        self.budget.0.fetch_add(self.taken, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn taken_and_given_back() {
        let budget = Budget::new();
        let mut one = budget.keep::<u32>();
        one.reserve(LIMIT / 4 - 1).unwrap();
        let mut other = budget.keep::<u8>();
        assert!(other.reserve(5).is_err());
        other.reserve(4).unwrap();
        drop(one);
        other.reserve(LIMIT - 4).unwrap();
        assert!(budget.keep::<u8>().push(0).is_err());
        drop(other);
        let mut all = budget.keep::<u8>();
        all.read(&mut std::io::repeat(1), 3 * STEP as u64 / 2)
            .unwrap();
        assert_eq!(all.list.len(), 3 * STEP / 2);
        // More than there is: as much as there is.
        let mut few = budget.keep::<u8>();
        few.read(&mut &[1, 2, 3][..], u64::MAX).unwrap();
        assert_eq!(few.list, [1, 2, 3]);
        assert!(few.read(&mut std::io::repeat(1), u64::MAX).is_err());
        assert!(few.list.capacity() + all.list.capacity() <= LIMIT);
    }
}
