//! Users' keys for key exchange, which the key generation centre makes.

use super::exchange_key::kuaimi_sm9_exchange_key;
use super::identity::{identity, kuaimi_sm9_identity};
use super::master_encryption::kuaimi_sm9_master_encryption_key;
use crate::error::kuaimi_error;
use crate::sm2::run;
use kuaimi::Threads;

/// The key for key exchange of the user `id` at `*out`. `hid` is the function identifier; 0 means
/// the usual one, 2. Free the key with `kuaimi_sm9_exchange_key_free`.
///
/// `KUAIMI_ERROR_EMPTY_IDENTITY`. `KUAIMI_ERROR_UNUSABLE_MASTER_KEY`: this master key cannot serve
/// this identity, which does not happen by chance.
///
/// Source: GB/T 38635.2-2020, clause 7.1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm9_master_encryption_key_extract_exchange(
    master: *const kuaimi_sm9_master_encryption_key,
    id: *const u8,
    id_len: usize,
    hid: u8,
    out: *mut *mut kuaimi_sm9_exchange_key,
) -> kuaimi_error {
    call!(out = new_handle(out), master = handle(master), #[once] id = input(id, id_len) => {
        out.put(master.extract_exchange(identity(id, hid))?);
        Ok(())
    })
}

/// As `kuaimi_sm9_master_encryption_key_extract_exchange`, for many users: faster than one by one.
/// The handles are at `keys[0]` to `keys[count - 1]`; one that fails is null. `results` has one
/// result for each; the function returns `KUAIMI_OK` if all are, and else the first that is not.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm9_master_encryption_key_extract_exchange_batch(
    master: *const kuaimi_sm9_master_encryption_key,
    identities: *const kuaimi_sm9_identity,
    count: usize,
    keys: *mut *mut kuaimi_sm9_exchange_key,
    results: *mut kuaimi_error,
) -> kuaimi_error {
    call!(
        keys = new_handles(keys, count),
        master = handle(master),
        identities = items(identities, count),
        results = results(results, count) => {
            let mut keys = keys;
            let read = identities.iter().map(kuaimi_sm9_identity::get);
            run(read, results, |identities| master.extract_exchange_batch(identities, Threads::One), |place, key| {
                keys.put(place, key.clone());
                Ok(())
            })
        }
    )
}
