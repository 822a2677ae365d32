//! Work on many files on several threads, whose results come in the order of the files.

use std::collections::HashMap;
use std::iter::Enumerate;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError, mpsc};
use std::thread;

use zeroize::Zeroizing;

use crate::failure::{Failure, Result, reason};
use crate::input;

/// How many files may be ahead of the one whose result is awaited: a long file does not stop the
/// threads before, and no list, however long, fills the memory with results.
const AHEAD: usize = 1 << 14;

/// What a thread works with.
pub struct Worker<'a> {
    /// For what is read. It is used again and again, as most files are shorter than it.
    pub buffer: Zeroizing<Vec<u8>>,
    /// Set when nobody waits for results any more.
    pub stop: &'a AtomicBool,
}

/// Calls `work` for each item on so many threads, and `each` with the results, on this thread, in
/// the order of the items.
///
/// For what must not be touched before its turn, such as a pipe, `work` gives nothing. With one
/// thread it is not called. Then `each` does the work itself. Its first error ends everything.
pub fn in_order<T: Send, R: Send>(
    threads: usize,
    items: impl Iterator<Item = T> + Send,
    work: impl Fn(&T, &mut Worker<'_>) -> Option<R> + Sync,
    mut each: impl FnMut(T, Option<R>) -> Result<()>,
) -> Result<()> {
    if threads <= 1 {
        return items.into_iter().try_for_each(|item| each(item, None));
    }
    let queue = Queue::new(items);
    let (sender, results) = mpsc::channel();
    thread::scope(|scope| {
        for _ in 0..threads {
            let sender = sender.clone();
            let (queue, work) = (&queue, &work);
            let started = thread::Builder::new().spawn_scoped(scope, move || {
                let mut worker = Worker {
                    buffer: input::buffer(),
                    stop: &queue.stop,
                };
                while let Some((number, item)) = queue.next() {
                    let result = work(&item, &mut worker);
                    if sender.send((number, item, result)).is_err() {
                        return;
                    }
                }
            });
            if let Err(error) = started {
                queue.stop();
                return Err(Failure::usage(format!(
                    "--threads: cannot start {threads} threads: {}; give fewer",
                    reason(&error)
                )));
            }
        }
        drop(sender);
        let mut waiting = HashMap::new();
        let mut next = 0;
        for (number, item, result) in results {
            waiting.insert(number, (item, result));
            while let Some((item, result)) = waiting.remove(&next) {
                next += 1;
                if let Err(failure) = each(item, result) {
                    queue.stop();
                    return Err(failure);
                }
                queue.taken();
            }
        }
        Ok(())
    })
}

/// The items that no thread has yet.
struct Queue<I> {
    state: Mutex<State<I>>,
    /// There may be room ahead.
    room: Condvar,
    stop: AtomicBool,
}

struct State<I> {
    items: Enumerate<I>,
    /// How many were given out, and of how many the result was taken.
    given: usize,
    taken: usize,
}

impl<I: Iterator> Queue<I> {
    fn new(items: I) -> Self {
        Self {
            state: Mutex::new(State {
                items: items.enumerate(),
                given: 0,
                taken: 0,
            }),
            room: Condvar::new(),
            stop: AtomicBool::new(false),
        }
    }

    fn lock(&self) -> MutexGuard<'_, State<I>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The next item and its number, when it is not too far ahead; nothing at the end.
    fn next(&self) -> Option<(usize, I::Item)> {
        let mut state = self
            .room
            .wait_while(self.lock(), |state| {
                state.given - state.taken >= AHEAD && !self.stop.load(Relaxed)
            })
            .unwrap_or_else(PoisonError::into_inner);
        if self.stop.load(Relaxed) {
            return None;
        }
        let next = state.items.next()?;
        state.given += 1;
        Some(next)
    }

    fn taken(&self) {
        self.lock().taken += 1;
        self.room.notify_one();
    }

    fn stop(&self) {
        // Under the lock, so that no thread begins to wait after it was woken.
        let _state = self.lock();
        self.stop.store(true, Relaxed);
        self.room.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicUsize;
    use std::time::{Duration, Instant};

    use super::*;

    /// Results come in order and once each, however the threads' work ends.
    #[test]
    fn in_the_order_of_the_items() {
        for threads in [1, 2, 7] {
            let count = 3 * AHEAD;
            let mut found = Vec::new();
            in_order(
                threads,
                0..count,
                |&item, _| (item % 5 != 0).then_some(item * 2),
                |item, result| {
                    assert!(result.is_none_or(|result| result == item * 2));
                    assert_eq!(result.is_none(), threads == 1 || item % 5 == 0);
                    found.push(item);
                    Ok(())
                },
            )
            .unwrap();
            assert!(found.into_iter().eq(0..count), "{threads}");
        }
    }

    /// The first item takes until so many others are done: these do not wait for it, and no more
    /// than that are done ahead.
    #[test]
    fn a_long_item_holds_up_only_so_many() {
        let done = AtomicUsize::new(0);
        let wait_for = |count| {
            let start = Instant::now();
            while done.load(Relaxed) < count {
                assert!(start.elapsed() < Duration::from_secs(60), "held up");
                thread::sleep(Duration::from_millis(1));
            }
        };
        let mut taken = 0;
        in_order(
            2,
            0..AHEAD * 2,
            |&item, _| {
                if item == 0 {
                    wait_for(AHEAD - 1);
                    // Anything more would be too far ahead.
                    thread::sleep(Duration::from_millis(20));
                    assert_eq!(done.load(Relaxed), AHEAD - 1);
                } else {
                    done.fetch_add(1, Relaxed);
                }
                Some(())
            },
            |_, _| {
                taken += 1;
                Ok(())
            },
        )
        .unwrap();
        assert_eq!(taken, AHEAD * 2);
    }

    /// An error ends the work of all threads, those that wait for room too.
    #[test]
    fn the_first_error_ends_it() {
        let begun = AtomicUsize::new(0);
        let result = in_order(
            4,
            0..usize::MAX,
            |_, _| {
                begun.fetch_add(1, Relaxed);
                Some(())
            },
            |_, _| {
                let start = Instant::now();
                while begun.load(Relaxed) < AHEAD {
                    assert!(start.elapsed() < Duration::from_secs(60), "held up");
                    thread::sleep(Duration::from_millis(1));
                }
                // The threads begin to wait.
                thread::sleep(Duration::from_millis(20));
                Err(Failure::closed_pipe())
            },
        );
        assert!(result.unwrap_err().is_closed_pipe());
        assert_eq!(begun.load(Relaxed), AHEAD);
    }
}
