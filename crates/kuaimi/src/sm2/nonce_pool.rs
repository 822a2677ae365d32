//! Nonces ahead of time: `[k]G`, nearly all the work of a signature, done before there is a message.
//!
//! A nonce made before its message cannot depend on it, which is what hedged nonces have over random ones. The nonces of a pool
//! are `k = SM3(pool key ‖ 0³² ‖ random ‖ counter)`, with a pool key of 32 random bytes drawn when the pool is made, 32 fresh
//! random bytes and a counter for each: a generator that goes bad later, or repeats itself within this process, does no harm. But
//! one that gives two processes the same bytes from the beginning makes their nonces the same, and two signatures with one nonce
//! over two messages give the private key away. So a pool is an option, for whoever trusts the machine's generator; without one
//! a signature needs no trust of that kind.

use std::fmt;
use std::mem;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};

use rand_core::TryCryptoRng;
use zeroize::{Zeroize, ZeroizeOnDrop, Zeroizing};

use super::scalar::is_nonzero_scalar;
use super::{Error, Signature, SigningKey};
use crate::sm3::Sm3;
use kuaimi_math::arith::U256;
use kuaimi_math::sm2::group::{self, Point};

/// A store of nonces with their points `[k]G`, made in batches by a thread of its own: a signature with one of them takes little
/// more than hashing the message.
///
/// - Each nonce is used once: taking one removes it, under a lock.
/// - A pool holds at most as many as it was made for, 128 bytes each. It fills up again when half of them are gone. When it is
///   empty, signatures take the time they take without it: nobody waits.
/// - Nonces are wiped when used and when the pool is dropped, and written nowhere.
/// - After a `fork` the child does not touch the nonces it inherits: it wipes its copy of them and starts a pool and a thread of
///   its own.
/// - A nonce belongs to no key and no message: one pool serves any number of keys and threads. See the module's text in the
///   source for how nonces are made, and what is lost against nonces that depend on the message: **the operating system's
///   generator must be good**, also at the start of a virtual machine that was cloned.
///
/// Dropping the pool ends its thread, and waits for the batch that it may be computing (well under a millisecond).
///
/// ```
/// use kuaimi::sm2::{NoncePool, SecretKey, SigningKey};
///
/// let pool = NoncePool::new(256)?;
/// let key = SigningKey::new(SecretKey::generate()?);
/// let signature = key.sign_with_pool(&pool, b"a message")?;
/// key.verifying_key().verify(b"a message", &signature)?;
/// # Ok::<(), kuaimi::sm2::Error>(())
/// ```
pub struct NoncePool {
    capacity: usize,
    first: Process,
    /// The pool of a child process, which has a copy of all this. It is never waited for, as whoever held the lock in the
    /// parent does not exist in the child.
    forked: Mutex<Option<Process>>,
    served: AtomicU64,
    missed: AtomicU64,
}

/// What a [`NoncePool`] holds and has done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct NoncePoolStats {
    /// Nonces ready.
    pub ready: usize,
    /// Nonces taken.
    pub served: u64,
    /// Times that none was ready, and a signature did without.
    pub missed: u64,
}

/// The part of a pool that belongs to one process.
struct Process {
    id: u32,
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

struct Shared {
    state: Mutex<State>,
    /// To the thread: nonces are wanted, or it is over.
    wake: Condvar,
    capacity: usize,
}

struct State {
    ready: Vec<Nonce>,
    closed: bool,
}

/// A nonce and its point; wiped when dropped.
#[derive(Default, Zeroize, ZeroizeOnDrop)]
struct Nonce {
    k: U256,
    point: Point,
}

impl NoncePool {
    /// A pool of at most `capacity` nonces, which begins to fill at once.
    ///
    /// # Errors
    /// [`Error::Random`] if the operating system's generator fails.
    pub fn new(capacity: usize) -> Result<Self, Error> {
        Ok(Self {
            capacity,
            first: Process::start(capacity)?,
            forked: Mutex::new(None),
            served: AtomicU64::new(0),
            missed: AtomicU64::new(0),
        })
    }

    /// How many nonces are ready, and what became of those that were asked for.
    pub fn stats(&self) -> NoncePoolStats {
        let ready = self.here(|shared| shared.lock().ready.len());
        NoncePoolStats {
            ready: ready.unwrap_or(0),
            served: self.served.load(Ordering::Relaxed),
            missed: self.missed.load(Ordering::Relaxed),
        }
    }

    fn take(&self) -> Option<Nonce> {
        let taken = self.here(Shared::take).flatten();
        let count = if taken.is_some() {
            &self.served
        } else {
            &self.missed
        };
        count.fetch_add(1, Ordering::Relaxed);
        taken
    }

    /// Calls `with` on what belongs to this process, which a child makes when it first comes here. Nothing where that fails or
    /// another thread is at it.
    fn here<T>(&self, with: impl FnOnce(&Shared) -> T) -> Option<T> {
        let id = std::process::id();
        if self.first.id == id {
            return Some(with(&self.first.shared));
        }
        let mut forked = match self.forked.try_lock() {
            Ok(forked) => forked,
            Err(std::sync::TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
            Err(std::sync::TryLockError::WouldBlock) => return None,
        };
        let process = match forked.take() {
            Some(process) if process.id == id => process,
            inherited => {
                if inherited.is_none() {
                    self.first.shared.wipe_copy();
                }
                drop(inherited);
                Process::start(self.capacity).ok()?
            }
        };
        Some(with(&forked.insert(process).shared))
    }
}

impl Process {
    fn start(capacity: usize) -> Result<Self, Error> {
        let mut maker = Maker::new()?;
        let shared = Arc::new(Shared {
            state: Mutex::new(State {
                ready: Vec::with_capacity(capacity),
                closed: false,
            }),
            wake: Condvar::new(),
            capacity,
        });
        let seen = Arc::clone(&shared);
        // Without a thread the pool stays empty, and signatures do without it.
        let thread = thread::Builder::new()
            .name("kuaimi-nonces".into())
            .spawn(move || seen.keep_full(&mut maker))
            .ok();
        Ok(Self {
            id: std::process::id(),
            shared,
            thread,
        })
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        if self.id != std::process::id() {
            // A copy that a child has inherited: its thread does not exist here.
            self.shared.wipe_copy();
            mem::forget(self.thread.take());
            return;
        }
        self.shared.lock().closed = true;
        self.shared.wake.notify_all();
        if let Some(thread) = self.thread.take() {
            // It has nothing to tell, and what it may have panicked with was printed.
            drop(thread.join());
        }
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn take(&self) -> Option<Nonce> {
        let mut state = self.lock();
        // Nothing of it stays in the memory that is free for others.
        let nonce = state.ready.last_mut().map(mem::take);
        state.ready.pop();
        if state.ready.len() <= self.capacity / 2 {
            self.wake.notify_one();
        }
        nonce
    }

    /// Wipes the nonces that a child process has inherited. Not if the lock was held at the fork: nobody will ever give it back;
    /// but neither will anybody ever come here for a nonce.
    fn wipe_copy(&self) {
        let state = match self.state.try_lock() {
            Ok(state) => Some(state),
            Err(std::sync::TryLockError::Poisoned(poisoned)) => Some(poisoned.into_inner()),
            Err(std::sync::TryLockError::WouldBlock) => None,
        };
        if let Some(mut state) = state {
            state.ready.clear();
        }
    }

    /// What the thread does: fills the pool, and waits until half of it is gone.
    fn keep_full(&self, maker: &mut Maker) {
        let mut state = self.lock();
        loop {
            while !state.closed
                && (state.ready.len() > self.capacity / 2 || state.ready.len() == self.capacity)
            {
                state = self
                    .wake
                    .wait(state)
                    .unwrap_or_else(PoisonError::into_inner);
            }
            while !state.closed && state.ready.len() < self.capacity {
                let count = group::chunk().min(self.capacity - state.ready.len());
                drop(state);
                let made = maker.make(count, &mut getrandom::SysRng);
                state = self.lock();
                match made {
                    // There is room for as many: they are never moved about, so that no copy is left behind.
                    Ok((k, points)) => state.ready.extend(
                        k.iter()
                            .zip(points.iter())
                            .map(|(&k, &point)| Nonce { k, point }),
                    ),
                    // The generator fails: signatures that need it will say so. Nothing is tried again until one asks.
                    Err(_) => {
                        state = self
                            .wake
                            .wait(state)
                            .unwrap_or_else(PoisonError::into_inner);
                    }
                }
            }
            if state.closed {
                return;
            }
        }
    }
}

/// Nonces and their points.
type Made = (Zeroizing<Vec<U256>>, Zeroizing<Vec<Point>>);

/// Makes nonces.
struct Maker {
    /// SM3 after the block that holds the pool key.
    key: Sm3,
    counter: u64,
}

impl Maker {
    fn new() -> Result<Self, Error> {
        let mut block = Zeroizing::new([0; 64]);
        fill(&mut getrandom::SysRng, &mut block[..32])?;
        let mut key = Sm3::new();
        key.update(block.as_ref());
        Ok(Self { key, counter: 0 })
    }

    /// About `count` new nonces and their points: one in 2³² candidates is out of range, and left out.
    fn make<R: TryCryptoRng + ?Sized>(&mut self, count: usize, rng: &mut R) -> Result<Made, Error> {
        let mut random = Zeroizing::new(vec![[0; 32]; count]);
        fill(rng, random.as_flattened_mut())?;
        let mut k = Zeroizing::new(Vec::with_capacity(count));
        for random in random.iter() {
            let mut hash = self.key.clone();
            hash.update(random);
            hash.update(&self.counter.to_be_bytes());
            self.counter += 1;
            let candidate = Zeroizing::new(hash.finalize());
            k.push(U256::from_be_bytes(&candidate));
        }
        k.retain(is_nonzero_scalar);
        let mut points = Zeroizing::new(vec![Point::default(); k.len()]);
        group::generator_mul_many(&k, &mut points);
        Ok((k, points))
    }
}

fn fill<R: TryCryptoRng + ?Sized>(rng: &mut R, out: &mut [u8]) -> Result<(), Error> {
    rng.try_fill_bytes(out).map_err(|_| Error::Random)?;
    // The system's generator does not say so itself.
    #[cfg(feature = "memcheck")]
    kuaimi_platform::memcheck::classify(out);
    Ok(())
}

impl SigningKey {
    /// Signs `message` with a nonce from `pool`, or as [`sign`](Self::sign) does while the pool is empty. Constant time in the
    /// key, the nonce and the message.
    ///
    /// # Errors
    /// [`Error::Random`] if the pool is empty and the generator fails.
    pub fn sign_with_pool(&self, pool: &NoncePool, message: &[u8]) -> Result<Signature, Error> {
        self.sign_digest_with_pool(pool, &self.verifying_key().digest(message))
    }

    /// As [`sign_with_pool`](Self::sign_with_pool), of the digest `e = SM3(Z ‖ M)`.
    ///
    /// # Errors
    /// [`Error::Random`] if the pool is empty and the generator fails.
    pub fn sign_digest_with_pool(
        &self,
        pool: &NoncePool,
        e: &[u8; 32],
    ) -> Result<Signature, Error> {
        // A nonce that does not serve, which happens once in 2²⁵⁶, is not tried on another digest.
        match pool.take() {
            Some(nonce) => match self.sign_with_point(e, &nonce.k, &nonce.point) {
                Some((signature, _)) => Ok(signature),
                None => self.sign_digest(e),
            },
            None => self.sign_digest(e),
        }
    }
}

impl fmt::Debug for NoncePool {
    /// Counts, and nothing of the nonces.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("NoncePool")
            .field("capacity", &self.capacity)
            .field("stats", &self.stats())
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kuaimi_testing::Stuck;

    /// With a generator that is stuck no nonce comes twice, in a batch or in the next; two pools do not share a key.
    #[test]
    fn a_stuck_generator_repeats_no_nonce() {
        let mut all = Vec::new();
        for mut maker in [Maker::new(), Maker::new()].map(|m| m.expect("the generator works")) {
            for count in [5, 1, 40] {
                let (made, points) = maker.make(count, &mut Stuck(7)).expect("it does not fail");
                assert_eq!((made.len(), points.len()), (count, count));
                all.extend(made.iter().copied());
            }
        }
        for (i, k) in all.iter().enumerate() {
            assert!(!all[..i].contains(k), "nonce {i}");
        }
    }
}
