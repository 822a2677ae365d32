//! Trees of DER for all decoders.

use arbitrary::{Arbitrary, Unstructured};

use crate::der::Tree;
use crate::{keys, values};

pub fn check(data: &[u8]) {
    if let Ok(tree) = Tree::arbitrary(&mut Unstructured::new(data)) {
        keys::check(tree.bytes());
        values::check(tree.bytes());
    }
}
