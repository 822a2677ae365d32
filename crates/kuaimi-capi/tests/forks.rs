//! The library in a process that forks while its threads use it: no child hangs at what another
//! thread of the parent had locked.
#![cfg(target_os = "linux")]

use std::ptr::{null, null_mut};

use kuaimi_c::kuaimi_error::*;
use kuaimi_c::*;
use kuaimi_testing::forks::in_children;

/// How many children there are.
const CHILDREN: usize = 400;

/// A call of the library: the arguments are arrays with their lengths, and handles that are not
/// freed yet.
macro_rules! call {
    ($call:expr) => {{
        // SAFETY: as above.
        let error = unsafe { $call };
        error
    }};
}

/// What parent and children share.
struct Shared {
    key: *mut kuaimi_sm2_verifying_key,
    cache: *mut kuaimi_sm2_key_cache,
    signature: [u8; 64],
    hash: *mut kuaimi_sm3,
    hmac: *mut kuaimi_hmac_sm3,
    stream: *mut kuaimi_sm4_ctr,
}
// SAFETY: what is shared here is used through the library's functions alone, which may be called
// from any thread.
unsafe impl Sync for Shared {}

impl Shared {
    fn new() -> Self {
        let (mut private, mut public, mut signing) = (null_mut(), null_mut(), null_mut());
        let (mut key, mut cache) = (null_mut(), null_mut());
        let (mut hash, mut hmac, mut stream) = (null_mut(), null_mut(), null_mut());
        let (mut signature, mut len) = ([0; 64], 64);
        // A key that has its own table would not ask the cache.
        kuaimi_set_table_limit(0);
        for error in [
            call!(kuaimi_sm2_private_key_generate(&mut private)),
            call!(kuaimi_sm2_private_key_public_key(private, &mut public)),
            call!(kuaimi_sm2_signing_key_new(private, null(), 0, &mut signing)),
            call!(kuaimi_sm2_verifying_key_new(public, null(), 0, &mut key)),
            call!(kuaimi_sm2_sign(
                signing,
                b"message".as_ptr(),
                7,
                KUAIMI_SIGNATURE_RAW,
                signature.as_mut_ptr(),
                &mut len
            )),
            call!(kuaimi_sm2_key_cache_new(1 << 20, &mut cache)),
            call!(kuaimi_sm3_new(&mut hash)),
            call!(kuaimi_hmac_sm3_new([7; 16].as_ptr(), 16, &mut hmac)),
            call!(kuaimi_sm4_ctr_new(
                [7; 16].as_ptr(),
                [9; 16].as_ptr(),
                &mut stream
            )),
        ] {
            assert_eq!(error, KUAIMI_OK);
        }
        // SAFETY: the handles are not used again.
        unsafe {
            kuaimi_sm2_signing_key_free(signing);
            kuaimi_sm2_private_key_free(private);
            kuaimi_sm2_public_key_free(public);
        }
        Self {
            key,
            cache,
            signature,
            hash,
            hmac,
            stream,
        }
    }

    fn verify(&self, message: &[u8]) -> kuaimi_error {
        call!(kuaimi_sm2_key_cache_verify(
            self.cache,
            self.key,
            message.as_ptr(),
            message.len(),
            self.signature.as_ptr(),
            64,
            KUAIMI_SIGNATURE_RAW
        ))
    }

    fn stats(&self) -> kuaimi_error {
        let mut stats = kuaimi_cache_stats::default();
        call!(kuaimi_sm2_key_cache_get_stats(self.cache, &mut stats))
    }

    /// One use of each state that calls change, and a new handle.
    fn use_states(&self) -> [kuaimi_error; 4] {
        let (mut copy, mut block, data) = (null_mut(), [0; 16], [5; 4096]);
        let errors = [
            call!(kuaimi_sm3_update(self.hash, data.as_ptr(), data.len())),
            call!(kuaimi_hmac_sm3_update(self.hmac, data.as_ptr(), data.len())),
            call!(kuaimi_sm4_ctr_apply(
                self.stream,
                block.as_ptr(),
                16,
                block.as_mut_ptr()
            )),
            call!(kuaimi_sm3_clone(self.hash, &mut copy)),
        ];
        // SAFETY: it is null, or a handle of this call alone.
        unsafe { kuaimi_sm3_free(copy) };
        errors
    }

    /// A handle that is made and freed.
    fn make_and_free(&self) -> kuaimi_error {
        let mut hash = null_mut();
        let error = call!(kuaimi_sm3_new(&mut hash));
        // SAFETY: it is null, or a handle of this call alone.
        unsafe { kuaimi_sm3_free(hash) };
        error
    }

    /// All of it in a child. A state that a thread of the parent was changing cannot be used, and
    /// says so.
    fn use_in_child(&self) -> bool {
        let again = |errors: [kuaimi_error; 4]| errors == self.use_states();
        let states = self.use_states();
        (0..3).all(|_| self.verify(b"message") == KUAIMI_OK)
            && self.verify(b"another") == KUAIMI_ERROR_INVALID_SIGNATURE
            && self.stats() == KUAIMI_OK
            && (0..600).all(|_| self.make_and_free() == KUAIMI_OK)
            && states
                .iter()
                .all(|error| [KUAIMI_OK, KUAIMI_ERROR_INVALID_HANDLE].contains(error))
            && again(states)
    }
}

#[test]
fn children_use_a_cache() {
    let shared = Shared::new();
    let verifies = || assert_eq!(shared.verify(b"message"), KUAIMI_OK);
    let looks = || (0..100).for_each(|_| assert_eq!(shared.stats(), KUAIMI_OK));
    in_children(CHILDREN, &[&verifies, &looks], || shared.use_in_child());
}

#[test]
fn children_make_handles() {
    let shared = Shared::new();
    let make = || (0..100).for_each(|_| assert_eq!(shared.make_and_free(), KUAIMI_OK));
    in_children(CHILDREN, &[&make, &make], || shared.use_in_child());
}

#[test]
fn children_use_states() {
    let shared = Shared::new();
    let change = || assert_eq!(shared.use_states(), [KUAIMI_OK; 4]);
    in_children(CHILDREN, &[&change, &change], || shared.use_in_child());
}
