//! Many operations at once: how they are cut into chunks, and spread over threads.
//!
//! A chunk is what one call of the arithmetic takes: enough to fill its lanes and to share its
//! inversions. Chunks are computed one after another, or by the threads of a pool, as the caller
//! says ([`Threads`]). Either way each result stands where its operation stood, and no operation
//! sees another's.
//!
//! A thread does all that a chunk needs, its random numbers and results included: what is done
//! before the threads start and after they end, one thread does while the others sleep, and waking
//! them takes as long as dozens of operations. A batch that is not worth that stays on the calling
//! thread.

use alloc::vec::Vec;

use rand_core::TryCryptoRng;
use zeroize::Zeroizing;

use crate::nonce::NonceError;

/// Chunks are a multiple of this, so that lanes are full.
const LANES: usize = 8;

/// Which threads compute a batch.
///
/// Results are the same with any. The threads of [`Pool`](Self::Pool) are those of the current
/// rayon pool: to limit them, call the batch in `install` of a pool of your own. A batch of a few
/// items stays on the calling thread, as waking another one takes longer; so does every batch where
/// the system does not let rayon's global pool start its threads, and in the child of a fork, where
/// the threads of its parent's global pool do not exist.
///
/// ```
/// use kuaimi::Threads;
/// use kuaimi::sm2::SigningKey;
/// # use kuaimi::sm2::PrivateKey;
/// # let key = SigningKey::new(PrivateKey::generate()?);
/// let signatures = key.sign_batch(&["one", "two", "three"], Threads::One);
/// # assert_eq!(signatures.len(), 3);
/// # Ok::<(), kuaimi::sm2::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Threads {
    /// The calling thread.
    #[default]
    One,
    /// The threads of the current rayon pool.
    #[cfg(feature = "rayon")]
    Pool,
}

impl Threads {
    /// How many there are for so many items, of which `least` are worth waking a thread.
    pub(crate) fn count(self, least: usize, items: usize) -> usize {
        match self {
            Self::One => {
                let _ = (least, items);
                1
            }
            #[cfg(feature = "rayon")]
            Self::Pool => threads().min(items / least.max(1)).max(1),
        }
    }
}

/// Does `work` on chunks of `items`, of about `chunk` each, whose results it puts into the same
/// places of `out`. `least` items are worth waking a thread.
///
/// `out` must be as long as `items`.
pub(crate) fn in_chunks<I: Sync, O: Send>(
    (threads, least): (Threads, usize),
    items: &[I],
    out: &mut [O],
    chunk: usize,
    work: impl Fn(&[I], &mut [O]) + Sync,
) {
    debug_assert_eq!(items.len(), out.len());
    let threads = threads.count(least, items.len());
    let size = chunk_size(items.len(), chunk, threads);
    #[cfg(feature = "rayon")]
    if threads > 1 && items.len() > size {
        use rayon::prelude::{IndexedParallelIterator, ParallelIterator};
        use rayon::slice::{ParallelSlice, ParallelSliceMut};
        items
            .par_chunks(size)
            .zip(out.par_chunks_mut(size))
            .for_each(|(items, out)| work(items, out));
        return;
    }
    for (items, out) in items.chunks(size).zip(out.chunks_mut(size)) {
        work(items, out);
    }
}

/// Places for results, which hold this error until they are filled. What is put there stays there:
/// a vector that grows, or one made of another, would leave copies of secrets behind.
pub(crate) fn failed<T, E: Clone>(error: &E, count: usize) -> Vec<Result<T, E>> {
    core::iter::repeat_with(|| Err(error.clone()))
        .take(count)
        .collect()
}

/// `count` arrays of random bytes, by one request to the generator.
pub(crate) fn draw<const N: usize, R: TryCryptoRng + ?Sized>(
    rng: &mut R,
    count: usize,
) -> Result<Zeroizing<Vec<[u8; N]>>, NonceError> {
    let mut random = Zeroizing::new(alloc::vec![[0; N]; count]);
    if count != 0 {
        rng.try_fill_bytes(random.as_flattened_mut())
            .map_err(|_| NonceError::Random)?;
    }
    Ok(random)
}

/// How many threads there are: one, if the global pool is meant and cannot start.
#[cfg(feature = "rayon")]
fn threads() -> usize {
    if rayon::current_thread_index().is_some() || global_pool() {
        return rayon::current_num_threads();
    }
    1
}

/// Whether there is a global pool. `rayon` starts it at its first use, and panics if the system
/// lets no thread start, as in a container with a limit. A batch can do without, so it is started
/// here, in the same way, and a failure is remembered.
///
/// The child of a fork has none of the threads, nor does a start end there that another thread had
/// begun: it has no global pool.
#[cfg(feature = "rayon")]
fn global_pool() -> bool {
    // On WebAssembly without threads `rayon` makes do with the calling thread, but not if it was
    // started here.
    #[cfg(not(target_family = "wasm"))]
    {
        use core::error::Error;
        use kuaimi_platform::fork::ForkDetector;
        use once_cell::race::OnceBox;
        static PROCESS: OnceBox<ForkDetector> = OnceBox::new();
        static STARTED: std::sync::OnceLock<bool> = std::sync::OnceLock::new();
        let process = PROCESS.get_or_init(|| std::boxed::Box::new(ForkDetector::new()));
        !process.is_copy()
            && *STARTED.get_or_init(|| match rayon::ThreadPoolBuilder::new().build_global() {
                Ok(()) => true,
                // An error with no source says that somebody else has started it.
                Err(error) => error.source().is_none(),
            })
    }
    #[cfg(target_family = "wasm")]
    true
}

/// At most `chunk`, smaller where threads would have nothing to do; full lanes, if a chunk fills
/// them.
fn chunk_size(items: usize, chunk: usize, threads: usize) -> usize {
    let share = items.div_ceil(threads.max(1)).max(1);
    let chunk = chunk.max(1);
    share.min(chunk).next_multiple_of(LANES.min(chunk))
}

#[cfg(test)]
mod tests {
    use super::{Threads, chunk_size, in_chunks};

    #[test]
    fn every_item_is_worked_on_once_and_in_its_place() {
        for count in [0, 1, 7, 8, 9, 31, 32, 33, 64, 100, 1000] {
            let items: Vec<usize> = (0..count).collect();
            let mut out = vec![0; count];
            in_chunks(
                (Threads::default(), 8),
                &items,
                &mut out,
                32,
                |items, out| {
                    assert!(items.len() <= 32 && items.len() == out.len());
                    for (item, out) in items.iter().zip(out) {
                        *out += item + 1;
                    }
                },
            );
            assert!(
                out.iter().enumerate().all(|(i, &o)| o == i + 1),
                "{count} items"
            );
        }
    }

    #[test]
    fn chunks_fill_the_lanes_and_leave_no_thread_idle() {
        assert_eq!(chunk_size(1000, 32, 1), 32);
        assert_eq!(chunk_size(1000, 32, 16), 32);
        assert_eq!(chunk_size(40, 32, 2), 24);
        assert_eq!(chunk_size(40, 32, 16), 8);
        assert_eq!(chunk_size(0, 32, 2), 8);
        // What is not computed in lanes is not rounded up.
        assert_eq!(chunk_size(40, 1, 2), 1);
    }

    /// A thread that panics: the caller gets the panic, whichever chunk it was, and the threads
    /// serve the next batch.
    #[cfg(panic = "unwind")]
    #[test]
    fn a_panic_in_a_chunk_reaches_the_caller() {
        let items: Vec<usize> = (0..1000).collect();
        let run = |wrong: usize| {
            let mut out = vec![0; items.len()];
            in_chunks(
                (Threads::default(), 8),
                &items,
                &mut out,
                32,
                |items, out| {
                    assert!(!items.contains(&wrong), "on purpose");
                    out.copy_from_slice(items);
                },
            );
            out
        };
        for wrong in [0, 500, 999] {
            assert!(std::panic::catch_unwind(|| run(wrong)).is_err());
            assert_eq!(run(1000), items);
        }
    }
}
