//! Keys that were used last, with what was computed for them: a bounded store of each kind, shared
//! by all threads. A key makes its table when it is used for the second time, as all keys of the
//! library do, and the store keeps it.
//!
//! Java's keys are bytes. A key is found again under a digest of its bytes and of randomness of
//! this process, which shows nothing of it, so that the time of a search does not depend on a
//! secret.

use std::num::NonZeroUsize;
use std::sync::LazyLock;

use getrandom::SysRng;
use getrandom::rand_core::TryRng;
use kuaimi::sm2::{KeyCache, PrivateKey, SigningKey};
use kuaimi::sm3::Sm3;
use kuaimi_platform::fork::{Guard, Lock};
use lru::LruCache;

use crate::call::{Failure, Kind};

type Name = [u8; 32];

/// The keys of one kind that were used last.
pub(crate) struct Remembered<V> {
    capacity: NonZeroUsize,
    keys: Lock<LruCache<Name, V>>,
}

impl<V: Clone> Remembered<V> {
    pub(crate) fn new(capacity: NonZeroUsize) -> Self {
        Self {
            capacity,
            keys: Lock::new(LruCache::new(capacity)),
        }
    }

    fn locked(&self) -> Guard<'_, LruCache<Name, V>> {
        // A panic under it leaves a store that can be used.
        self.keys.lock(|| LruCache::new(self.capacity))
    }

    /// What is remembered for these bytes, or what `make` makes now.
    pub(crate) fn get(
        &self,
        bytes: &[&[u8]],
        make: impl FnOnce() -> Result<V, Failure>,
    ) -> Result<V, Failure> {
        let name = name(bytes)?;
        if let Some(value) = self.locked().get(&name) {
            return Ok(value.clone());
        }
        // Not under the lock: others need not wait.
        let value = make()?;
        self.locked().put(name, value.clone());
        Ok(value)
    }

    /// Forgets, and wipes, what is remembered for these bytes.
    pub(crate) fn forget(&self, bytes: &[&[u8]]) -> Result<(), Failure> {
        let name = name(bytes)?;
        self.locked().pop(&name);
        Ok(())
    }

    pub(crate) fn count(&self) -> usize {
        self.locked().len()
    }

    pub(crate) fn clear(&self) {
        self.locked().clear();
    }
}

static SALT: LazyLock<Option<[u8; 16]>> = LazyLock::new(|| {
    let mut salt = [0; 16];
    SysRng.try_fill_bytes(&mut salt).ok()?;
    Some(salt)
});

fn name(bytes: &[&[u8]]) -> Result<Name, Failure> {
    let Some(salt) = &*SALT else {
        return Err(Failure::Throw(
            Kind::Provider,
            "the operating system's random generator failed".into(),
        ));
    };
    let mut hash = Sm3::new();
    hash.update(salt);
    for part in bytes {
        hash.update(&(part.len() as u32).to_be_bytes());
        hash.update(part);
    }
    Ok(hash.finalize())
}

/// Keys that sign, about half a kilobyte each.
static SIGNERS: LazyLock<Remembered<SigningKey>> =
    LazyLock::new(|| Remembered::new(NonZeroUsize::new(1024).expect("not zero")));

/// Tables of public keys, for about 600 keys.
pub(crate) static TABLES: LazyLock<KeyCache> = LazyLock::new(|| KeyCache::new(32 << 20));

/// The key that signs under these 32 bytes.
pub(crate) fn signer(d: &[u8; 32]) -> Result<SigningKey, Failure> {
    SIGNERS.get(&[d], || Ok(SigningKey::new(PrivateKey::from_bytes(d)?)))
}

/// How many keys that sign are remembered.
pub(crate) fn signers() -> usize {
    SIGNERS.count()
}

pub(crate) fn forget_signer(d: &[u8; 32]) -> Result<(), Failure> {
    SIGNERS.forget(&[d])
}

/// Makes the stores of this file.
pub(crate) fn make_all() {
    LazyLock::force(&SALT);
    LazyLock::force(&SIGNERS);
    LazyLock::force(&TABLES);
}

/// Forgets what the stores of this file hold, and wipes what is secret of it.
pub(crate) fn forget_all() {
    SIGNERS.clear();
    TABLES.clear();
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::sync::Barrier;
    use std::thread;

    use kuaimi_testing::forks::ends_well;

    use super::*;

    #[test]
    fn a_child_does_not_wait_for_threads_of_its_parent() {
        make_all();
        let key = [7; 32];
        let point = || Some(signer(&key).ok()?.public_key().to_xy_bytes());
        let expected = point();
        let (locked, forked) = (Barrier::new(2), Barrier::new(2));
        thread::scope(|scope| {
            scope.spawn(|| {
                let _guard = SIGNERS.locked();
                locked.wait();
                forked.wait();
            });
            locked.wait();
            let same = ends_well(|| point() == expected && forget_signer(&key).is_ok());
            forked.wait();
            assert!(expected.is_some() && same);
        });
    }
}
