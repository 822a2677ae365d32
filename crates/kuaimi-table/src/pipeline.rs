//! Chunks of rows to results, on several threads, in the order of the file.
//!
//! One thread reads. Each of the others takes a chunk, finds its rows, and does all that is to be
//! done with them: threads that shared a chunk would wait for each other at every step. The caller
//! gets the results in order. A gate bounds what is between the reader and the caller, in chunks
//! and in bytes.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use rayon::ThreadPoolBuilder;

use crate::{Chunk, Error, Format, Limits, Reader, Result, guarded};

/// Bytes between the reader and the caller, but for one chunk.
const BYTES: usize = 32 << 20;
/// Bytes of a chunk: at first few, so that a small file is work for all threads.
const FIRST: usize = 128 << 10;
const LEAST: usize = 512 << 10;
const MOST: usize = 8 << 20;

/// How large the next chunk may be: large ones cost less, but at the end there must be work for all
/// threads.
fn limits(reader: &Reader, number: u64, position: u64, threads: usize) -> Limits {
    let doublings = (number / threads as u64).min(16);
    let most = (BYTES / (2 * threads)).clamp(LEAST, MOST);
    let mut limits = Limits {
        rows: Limits::ROWS,
        bytes: (FIRST << doublings).min(most),
    };
    if let Some(length) = reader.length() {
        let share = length.saturating_sub(position) / (4 * threads as u64);
        let share = usize::try_from(share).unwrap_or(usize::MAX);
        if reader.format() == Format::Parquet {
            limits.rows = limits.rows.min(share.max(1024));
        } else {
            limits.bytes = limits.bytes.min(share.max(LEAST));
        }
    }
    limits
}

/// Does `work` with all chunks of a file on so many threads, one or more. What ends the rows before
/// the file's end is an error, after which no result comes: a reader that panics over a damaged
/// file must not leave the rows that it did not read out of the results.
///
/// # Errors
/// [`Error::Threads`].
pub fn map<T: Send + 'static>(
    reader: Reader,
    threads: usize,
    work: impl Fn(&mut Chunk) -> T + Send + Sync + 'static,
) -> Result<Results<T>> {
    let gate = Arc::new(Gate::new(2 * threads + 1));
    let emptied: Emptied = Emptied::default();
    let (to_workers, chunks) = mpsc::channel();
    let (to_caller, results) = mpsc::channel();
    let start = |what: &str, run: Box<dyn FnOnce() + Send>| {
        // Not waited for: if writing fails while the reader waits for a pipe that says nothing, the
        // program ends all the same.
        std::thread::Builder::new()
            .name(what.to_owned())
            .spawn(run)
            .map(drop)
            .map_err(Error::Threads)
    };
    {
        let (gate, emptied, to_caller) = (gate.clone(), emptied.clone(), to_caller.clone());
        let read = move || read(reader, threads, &gate, &emptied, &to_workers, &to_caller);
        start("reader", Box::new(read))?;
    }
    let chunks = Arc::new(Mutex::new(chunks));
    let work = Arc::new(work);
    for _ in 0..threads {
        let (chunks, to_caller) = (chunks.clone(), to_caller.clone());
        let (work, emptied) = (work.clone(), emptied.clone());
        let run = move || work_on(&*work, &chunks, &emptied, &to_caller);
        start("worker", Box::new(run))?;
    }
    Ok(Results {
        received: results,
        early: BTreeMap::new(),
        next: 0,
        gate,
        ended: false,
    })
}

/// The results of [`map`], in the order of the file.
pub struct Results<T> {
    received: Receiver<Numbered<Result<Option<Done<T>>>>>,
    /// Those that came before the ones that precede them.
    early: BTreeMap<u64, Result<Option<Done<T>>>>,
    next: u64,
    gate: Arc<Gate>,
    ended: bool,
}

impl<T> Iterator for Results<T> {
    type Item = Result<T>;

    fn next(&mut self) -> Option<Result<T>> {
        if self.ended {
            return None;
        }
        let result = loop {
            if let Some(result) = self.early.remove(&self.next) {
                break result;
            }
            match self.received.recv() {
                Ok((number, result)) => drop(self.early.insert(number, result)),
                // Every thread ends with a message that is taken above.
                Err(_) => break Err(Error::Panicked("a thread has ended".to_owned())),
            }
        };
        self.next += 1;
        match result {
            Ok(Some(Done { result, bytes })) => {
                self.gate.leave(bytes);
                Some(Ok(result))
            }
            Ok(None) => {
                self.ended = true;
                None
            }
            Err(error) => {
                self.ended = true;
                Some(Err(error))
            }
        }
    }
}

impl<T> fmt::Debug for Results<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Results")
            .field("next", &self.next)
            .finish_non_exhaustive()
    }
}

type Numbered<T> = (u64, T);

/// What came of a chunk.
struct Done<T> {
    result: T,
    /// The chunk's bytes, as they were when it passed the gate.
    bytes: usize,
}

/// Chunks that are done, whose memory serves the next ones: memory that is given back to the system
/// costs time to get again.
type Emptied = Arc<Mutex<Vec<Chunk>>>;

/// Chunks of more bytes, which had long rows, are not kept.
const KEPT: usize = MOST + MOST / 2;

fn read<T>(
    mut reader: Reader,
    threads: usize,
    gate: &Gate,
    emptied: &Mutex<Vec<Chunk>>,
    to_workers: &Sender<Numbered<Chunk>>,
    to_caller: &Sender<Numbered<Result<Option<Done<T>>>>>,
) {
    let mut position = 0;
    for number in 0.. {
        gate.wait();
        let limits = limits(&reader, number, position, threads);
        let kept = emptied.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut chunk = kept.unwrap_or_default();
        let more = guarded(|| reader.fill(&mut chunk, limits));
        position = chunk.position;
        let end = match more {
            Ok(more) => {
                gate.enter(chunk.bytes.len());
                if to_workers.send((number, chunk)).is_err() {
                    return;
                }
                if more {
                    continue;
                }
                (number + 1, Ok(None))
            }
            Err(error) => (number, Err(error)),
        };
        // Nobody to tell: the caller has ended.
        let _ = to_caller.send(end);
        return;
    }
}

fn work_on<T>(
    work: &(impl Fn(&mut Chunk) -> T + ?Sized),
    chunks: &Mutex<Receiver<Numbered<Chunk>>>,
    emptied: &Mutex<Vec<Chunk>>,
    to_caller: &Sender<Numbered<Result<Option<Done<T>>>>>,
) {
    // The library spreads batches over the threads of its pool, which here is this thread.
    let _pool = ThreadPoolBuilder::new()
        .num_threads(1)
        .use_current_thread()
        .build();
    loop {
        let next = chunks.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok((number, mut chunk)) = next else {
            return;
        };
        let bytes = chunk.bytes.len();
        let done = guarded(|| {
            chunk.complete();
            let result = work(&mut chunk);
            Ok(Some(Done { result, bytes }))
        });
        if to_caller.send((number, done)).is_err() {
            return;
        }
        if chunk.bytes.capacity() <= KEPT {
            let mut emptied = emptied.lock().unwrap_or_else(PoisonError::into_inner);
            emptied.push(chunk.emptied());
        }
    }
}

/// Bounds what is between the reader and the caller.
struct Gate {
    chunks: usize,
    /// Chunks and bytes that are inside.
    inside: Mutex<(usize, usize)>,
    left: Condvar,
}

impl Gate {
    fn new(chunks: usize) -> Self {
        Self {
            chunks,
            inside: Mutex::default(),
            left: Condvar::new(),
        }
    }

    fn lock(&self) -> MutexGuard<'_, (usize, usize)> {
        self.inside.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until one more may enter.
    fn wait(&self) {
        let full = |inside: &mut (usize, usize)| inside.0 >= self.chunks || inside.1 > BYTES;
        drop(self.left.wait_while(self.lock(), full));
    }

    fn enter(&self, bytes: usize) {
        let mut inside = self.lock();
        inside.0 += 1;
        inside.1 += bytes;
    }

    fn leave(&self, bytes: usize) {
        let mut inside = self.lock();
        inside.0 -= 1;
        inside.1 -= bytes;
        self.left.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::Rows;

    /// Some chunks, the end of which is a panic.
    struct Dies(u8);

    impl Rows for Dies {
        fn fill(&mut self, chunk: &mut Chunk, _: Limits) -> Result<bool> {
            self.0 += 1;
            assert!(self.0 < 30, "a reader that panics");
            for i in 0..self.0 {
                chunk.push(Some(i.into()), Err("no row".to_owned()));
            }
            chunk.position = self.0.into();
            Ok(true)
        }
    }

    fn reader() -> Reader {
        Reader::new(Box::new(Dies(0)), Format::Parquet, None)
    }

    #[test]
    fn chunks_come_in_order_and_a_panic_is_not_the_end_of_the_file() {
        for threads in [1, 2, 5] {
            let work = |chunk: &mut Chunk| (chunk.position, std::mem::take(&mut chunk.lines));
            let mut results = map(reader(), threads, work).unwrap();
            for expected in 1..30 {
                let (position, lines) = results.next().unwrap().unwrap();
                assert!(position == expected && lines.into_iter().eq(0..position));
            }
            let error = results.next().unwrap().unwrap_err().to_string();
            assert!(
                error.contains("cannot be read: a reader that panics"),
                "{error}"
            );
            assert!(results.next().is_none());
        }
    }

    /// A caller that ends early ends it, whatever the threads do.
    #[test]
    fn a_caller_can_end_early() {
        let mut results = map(reader(), 2, |_| ()).unwrap();
        assert!(results.next().unwrap().is_ok());
        drop(results);
    }

    #[test]
    fn the_gate_lets_one_in_when_one_has_left() {
        let gate = Gate::new(2);
        gate.enter(10);
        gate.wait();
        gate.enter(BYTES + 1);
        std::thread::scope(|scope| {
            let waiting = scope.spawn(|| gate.wait());
            gate.leave(10);
            // One chunk, but too many bytes still.
            std::thread::sleep(std::time::Duration::from_millis(20));
            assert!(!waiting.is_finished());
            gate.leave(BYTES + 1);
        });
    }
}
