//! SM2 (GB/T 32918-2016).

pub(crate) mod ciphertext;
mod exchange;
mod load;
mod private_key;
pub(crate) mod public_key;
pub(crate) mod signature;
mod stream;

use pyo3::prelude::*;

pub(crate) use exchange::confirmation;
pub(crate) use private_key::{PrivateKey, unwritable};
pub(crate) use public_key::PublicKey;

pub(crate) fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<PrivateKey>()?;
    module.add_class::<PublicKey>()?;
    module.add_class::<exchange::Initiator>()?;
    module.add_class::<exchange::Responder>()?;
    load::add_to(module)?;
    ciphertext::add_to(module)?;
    signature::add_to(module)?;
    stream::add_to(module)
}
