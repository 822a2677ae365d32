//! Many operations at once: columns of values in, columns of results out.
//!
//! | room | what it does |
//! | --- | --- |
//! | `column` | a column from a value, a list, NumPy or Arrow |
//! | `arrow` | Arrow's C data interface, in and out |
//! | `keys` | columns of keys: objects, or bytes of which each is decoded once |
//! | `output` | results as lists or as Arrow arrays, with reasons |
//! | `pool` | threads |
//! | `sm2_verify`, … | the operations |
//! | `table`, `table_verify`, `table_sign` | columns of a table, read as the program reads files: `kuaimi-bulk` |
//! | `text` | hexadecimal and Base64 |

mod arrow;
mod column;
mod keys;
mod output;
mod pool;
mod sm2_decrypt;
mod sm2_diffie_hellman;
mod sm2_encrypt;
mod sm2_generate;
mod sm2_recover;
mod sm2_sign;
mod sm2_verify;
mod sm3_digest;
pub(crate) mod sm4_gcm;
mod sm9_extract;
mod sm9_verify;
mod table;
mod table_sign;
mod table_verify;
mod text;

use pyo3::prelude::*;

pub(crate) fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    pool::pools(module.py());
    module.add_class::<output::ArrowColumn>()?;
    module.add_class::<table_verify::TableVerifier>()?;
    module.add_class::<table_sign::TableSigner>()?;
    module.add_function(wrap_pyfunction!(text::decode_text_batch, module)?)?;
    module.add_function(wrap_pyfunction!(sm2_verify::sm2_verify_batch, module)?)?;
    module.add_function(wrap_pyfunction!(sm2_sign::sm2_sign_batch, module)?)?;
    module.add_function(wrap_pyfunction!(sm2_encrypt::sm2_encrypt_batch, module)?)?;
    module.add_function(wrap_pyfunction!(sm2_decrypt::sm2_decrypt_batch, module)?)?;
    module.add_function(wrap_pyfunction!(sm2_recover::sm2_recover_batch, module)?)?;
    module.add_function(wrap_pyfunction!(sm2_generate::sm2_generate_batch, module)?)?;
    module.add_function(wrap_pyfunction!(
        sm2_diffie_hellman::sm2_diffie_hellman_batch,
        module
    )?)?;
    module.add_function(wrap_pyfunction!(sm3_digest::sm3_digest_batch, module)?)?;
    module.add_function(wrap_pyfunction!(sm4_gcm::sm4_gcm_encrypt_batch, module)?)?;
    module.add_function(wrap_pyfunction!(sm4_gcm::sm4_gcm_decrypt_batch, module)?)?;
    module.add_function(wrap_pyfunction!(sm9_verify::sm9_verify_batch, module)?)?;
    module.add_function(wrap_pyfunction!(
        sm9_extract::sm9_extract_signing_batch,
        module
    )?)?;
    module.add_function(wrap_pyfunction!(
        sm9_extract::sm9_extract_decryption_batch,
        module
    )?)
}
