//! Nonces computed in advance: `[k]G`, nearly all the work of a signature, is done before there is
//! a message.
//!
//! A nonce that is made before its message cannot depend on it, as hedged nonces do. The nonces of
//! a pool are `k = SM3(pool key ‖ 0³² ‖ random ‖ counter)`, with a pool key of 32 random bytes that
//! is drawn when the pool is made, and 32 fresh random bytes and a counter for each nonce. A random
//! generator that fails later, or repeats itself within this process, does no harm. But a generator
//! that gives two processes the same bytes from the beginning makes their nonces the same, and two
//! signatures with one nonce over two messages give the private key away. So a pool is an option,
//! for those who trust the machine's generator; a signature without a pool needs no such trust.
//!
//! **Forks.** A child has a copy of its parent's nonces. Every use of the pool first asks
//! [`ForkDetector`] whether this process is such a child. A nonce that was taken before the fork,
//! into a signature in progress, does no harm: the digest is fixed before a nonce is taken, so that
//! parent and child, if both go on, compute one and the same signature. Only a signal handler that
//! forks can bring this about, as a child has no other thread than the one that forked.

use std::fmt;
use std::mem;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};

use rand_core::TryCryptoRng;
use zeroize::{Zeroize, ZeroizeOnDrop, Zeroizing};

use super::scalar::is_nonzero_scalar;
use super::{Error, Signature, SigningKey};
use crate::sm3::Sm3;
use kuaimi_math::arith::U256;
use kuaimi_math::sm2::group::{self, Point};
use kuaimi_platform::fork::ForkDetector;

/// A store of nonces with their points `[k]G`, which a background thread computes in batches. A
/// signature with such a nonce costs little more than hashing the message.
///
/// - Each nonce is used once: it is removed when it is taken, under a lock.
/// - A pool holds at most `capacity` nonces, 128 bytes each, and is filled again when half of them
///   are used. While it is empty, signatures are computed without it: no call waits for the thread.
/// - Nonces are wiped when they are used and when the pool is dropped. They are never written to a
///   file.
/// - A nonce belongs to no key and no message: one pool serves any number of keys and threads.
///
/// Dropping the pool ends its thread. This waits for the batch that the thread is computing, well
/// under a millisecond.
///
/// # Security
///
/// Two signatures with one nonce over two messages give the private key away. A pool relies on two
/// things that signatures without one do not need:
///
/// - **The operating system's random generator** is good when the pool is made. A nonce is
///   `SM3(pool key ‖ 0³² ‖ random ‖ counter)`, where the pool key has 32 random bytes that are
///   drawn when the pool is made.
/// - **The memory of the process is not copied**, except by a fork, which the pool detects. A child
///   does not use the nonces that it inherits: it wipes them at its first signature and starts a
///   pool and a thread of its own. On Linux 4.14 and newer, and on Android, the pool detects every
///   fork, whatever system call made the child and whatever its process number (`MADV_WIPEONFORK`).
///   On other Unix systems, it detects forks by the C library's `fork` (`pthread_atfork`) and
///   children with another process number. **Not detected** are a virtual machine, a container or a
///   process that is restored more than once from one snapshot; and, outside Linux, a child that is
///   made without the C library and has the process number of its parent. Do not use a pool where
///   these occur.
///
/// ```
/// use kuaimi::sm2::{NoncePool, PrivateKey, SigningKey};
///
/// let pool = NoncePool::new(256)?;
/// let key = SigningKey::new(PrivateKey::generate()?);
/// let signature = key.sign_with_pool(&pool, b"a message")?;
/// key.verifying_key().verify(b"a message", &signature)?;
/// # Ok::<(), kuaimi::sm2::Error>(())
/// ```
pub struct NoncePool {
    capacity: usize,
    first: Process,
    /// The pool of a child process, which has a copy of all this. No call waits for the lock: the
    /// thread that held it in the parent does not exist in the child.
    forked: Mutex<Option<Process>>,
    // 64-bit counters do not exist on all targets.
    served: AtomicUsize,
    missed: AtomicUsize,
}

/// The counts of a [`NoncePool`].
///
/// ```
/// use kuaimi::sm2::{NoncePool, PrivateKey, SigningKey};
///
/// let pool = NoncePool::new(256)?;
/// let key = SigningKey::new(PrivateKey::generate()?);
/// key.sign_with_pool(&pool, b"a message")?;
/// let stats = pool.stats();
/// assert_eq!(stats.served + stats.missed, 1);
/// assert!(stats.ready <= 256);
/// # Ok::<(), kuaimi::sm2::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct NoncePoolStats {
    /// Nonces that are ready.
    pub ready: usize,
    /// Nonces that signatures have taken.
    pub served: u64,
    /// Signatures that found no nonce ready, and were computed without the pool.
    pub missed: u64,
}

/// The part of a pool that belongs to one process.
struct Process {
    detector: ForkDetector,
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

struct Shared {
    state: Mutex<State>,
    /// Wakes the thread, to make nonces or to end.
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
    /// The most nonces that a pool holds: 128 MiB.
    pub const MAX_CAPACITY: usize = 1 << 20;

    /// A pool of at most `capacity` nonces, or [`MAX_CAPACITY`](Self::MAX_CAPACITY) where that is
    /// less. Its thread starts to fill it at once.
    ///
    /// # Errors
    /// [`Error::Random`] if the operating system's generator fails.
    pub fn new(capacity: usize) -> Result<Self, Error> {
        let capacity = capacity.min(Self::MAX_CAPACITY);
        Ok(Self {
            capacity,
            first: Process::start(capacity)?,
            forked: Mutex::new(None),
            served: AtomicUsize::new(0),
            missed: AtomicUsize::new(0),
        })
    }

    /// How many nonces are ready, and how many signatures found one.
    ///
    /// ```
    /// let pool = kuaimi::sm2::NoncePool::new(256)?;
    /// assert_eq!(pool.stats().served, 0);
    /// # Ok::<(), kuaimi::sm2::Error>(())
    /// ```
    pub fn stats(&self) -> NoncePoolStats {
        let ready = self.here(|shared| shared.lock().ready.len());
        NoncePoolStats {
            ready: ready.unwrap_or(0),
            served: self.served.load(Ordering::Relaxed) as u64,
            missed: self.missed.load(Ordering::Relaxed) as u64,
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

    /// Calls `with` on the part that belongs to this process; a child makes its own at its first
    /// call. `None` if the random generator fails, or another thread of a child holds the lock.
    fn here<T>(&self, with: impl FnOnce(&Shared) -> T) -> Option<T> {
        if !self.first.detector.is_copy() {
            return Some(with(&self.first.shared));
        }
        let mut forked = match self.forked.try_lock() {
            Ok(forked) => forked,
            Err(std::sync::TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
            Err(std::sync::TryLockError::WouldBlock) => return None,
        };
        let process = match forked.take() {
            Some(process) if !process.detector.is_copy() => process,
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
        // Before there is a key or a nonce that a fork could copy.
        let detector = ForkDetector::new();
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
            detector,
            shared,
            thread,
        })
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        if self.detector.is_copy() {
            // A child has inherited this copy: the thread does not exist here, and cannot be joined
            // or detached.
            self.shared.wipe_copy();
            mem::forget(self.thread.take());
            return;
        }
        self.shared.lock().closed = true;
        self.shared.wake.notify_all();
        if let Some(thread) = self.thread.take() {
            // It returns nothing. If it panicked, the message was printed.
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
        // Moves the nonce out and leaves zeros, so that no copy stays in the vector's free space.
        let nonce = state.ready.last_mut().map(mem::take);
        state.ready.pop();
        if state.ready.len() <= self.capacity / 2 {
            self.wake.notify_one();
        }
        nonce
    }

    /// Wipes the nonces that a child has inherited. They stay in its memory, unused, if another
    /// thread of the parent held the lock at the fork: that thread does not exist in the child, and
    /// the lock is never released.
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

    /// Runs in the thread: fills the pool, and waits until half of the nonces are used.
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
                    // The vector has room for all: it never grows, which would leave a copy behind.
                    Ok((k, points)) => state.ready.extend(
                        k.iter()
                            .zip(points.iter())
                            .map(|(&k, &point)| Nonce { k, point }),
                    ),
                    // The generator fails. Signatures that need it return the error; the thread
                    // tries again when one has taken a nonce.
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

    /// About `count` new nonces and their points: one in 2³² candidates is out of range, and left
    /// out.
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
    // The system's generator does not declare its output secret.
    #[cfg(feature = "memcheck")]
    kuaimi_platform::memcheck::classify(out);
    Ok(())
}

impl SigningKey {
    /// Signs `message` with a nonce from `pool`, or as [`sign`](Self::sign) if the pool is empty.
    /// Constant time in the key, the nonce and the message. Read the section *Security* of
    /// [`NoncePool`] first.
    ///
    /// ```
    /// use kuaimi::sm2::{NoncePool, PrivateKey, SigningKey};
    ///
    /// let pool = NoncePool::new(256)?;
    /// let key = SigningKey::new(PrivateKey::generate()?);
    /// let signature = key.sign_with_pool(&pool, b"a message")?;
    /// key.verifying_key().verify(b"a message", &signature)?;
    /// # Ok::<(), kuaimi::sm2::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Random`] if the pool is empty and the generator fails.
    pub fn sign_with_pool(&self, pool: &NoncePool, message: &[u8]) -> Result<Signature, Error> {
        self.sign_digest_with_pool(pool, &self.verifying_key().digest(message))
    }

    /// As [`sign_with_pool`](Self::sign_with_pool), for the 32-byte digest `e = SM3(Z ‖ M)`.
    ///
    /// ```
    /// use kuaimi::sm2::{NoncePool, PrivateKey, SigningKey};
    ///
    /// let pool = NoncePool::new(256)?;
    /// let key = SigningKey::new(PrivateKey::generate()?);
    /// let e = [9; 32]; // SM3(Z ‖ M), computed elsewhere
    /// let signature = key.sign_digest_with_pool(&pool, &e)?;
    /// key.verifying_key().verify_digest(&e, &signature)?;
    /// # Ok::<(), kuaimi::sm2::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Random`] if the pool is empty and the generator fails.
    pub fn sign_digest_with_pool(
        &self,
        pool: &NoncePool,
        e: &[u8; 32],
    ) -> Result<Signature, Error> {
        // `e` is fixed before the nonce is taken: see the head of this file. A nonce that leads to
        // no signature (once in 2²⁵⁶) is not used for another digest.
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

    /// With a generator that is stuck no nonce comes twice, in a batch or in the next; two pools do
    /// not share a key.
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
