//! Where the masks of the next blocks are, for implementations that add them in the same pass.

use super::super::Block;
use super::Masks;

#[derive(Clone, Copy, Default)]
pub(super) struct MasksAt {
    /// Those that are added to the blocks.
    pub(super) before: Option<*const u8>,
    /// Those that are added to the results.
    pub(super) after: Option<*const u8>,
}

impl MasksAt {
    #[inline(always)]
    pub(super) fn new(masks: Option<Masks<'_>>, blocks: usize) -> Self {
        let (before, after) = match masks {
            None => (None, None),
            Some(Masks::After(masks)) => (None, Some(masks)),
            Some(Masks::Both(masks)) => (Some(masks), Some(masks)),
        };
        let start = |masks: &[Block]| {
            assert!(masks.len() >= blocks, "a mask for each block");
            masks.as_ptr().cast::<u8>()
        };
        Self {
            before: before.map(start),
            after: after.map(start),
        }
    }

    /// Those of the blocks after `bytes` bytes.
    #[inline(always)]
    pub(super) fn skip(self, bytes: usize) -> Self {
        Self {
            before: self.before.map(|at| at.wrapping_add(bytes)),
            after: self.after.map(|at| at.wrapping_add(bytes)),
        }
    }
}
