//! Kuaimi in this process: a thread for each core, which stays there and has keys and a pool of its own, as each peer's process has.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow};

use super::protocol::Took;
use crate::core;
use crate::peers::Bench;

/// What a thread is asked for: an operation's name, and how many times.
type Request = (&'static str, u64);

/// What a thread has done.
pub(super) struct Done {
    pub(super) took: Took,
    /// A batch is many operations.
    pub(super) operations: f64,
}

/// A thread that measures.
pub(super) struct Worker {
    // In an option, so that its end can be told to the thread.
    requests: Option<Sender<Request>>,
    answers: Receiver<Result<Done>>,
    thread: Option<JoinHandle<()>>,
}

impl Worker {
    /// Starts a thread on a core; `sections` are those whose keys it makes.
    pub(super) fn start(core: Option<usize>, sections: &[&'static str]) -> Result<Self> {
        let (requests, to_do) = channel::<Request>();
        let (done, answers) = channel();
        let sections = sections.to_vec();
        let thread = core::with_core(core, || {
            std::thread::spawn(move || {
                let mut bench = ready(&sections);
                for (work, count) in to_do {
                    let result = match &mut bench {
                        Ok((bench, _)) => time(bench, work, count),
                        Err(error) => Err(anyhow!("{error:#}")),
                    };
                    if done.send(result).is_err() {
                        break;
                    }
                }
            })
        })?;
        Ok(Self {
            requests: Some(requests),
            answers,
            thread: Some(thread),
        })
    }

    /// Asks for so many operations, whose time [`Self::finish`] waits for.
    pub(super) fn begin(&self, work: &'static str, count: u64) -> Result<()> {
        let requests = self.requests.as_ref().context("the thread has ended")?;
        requests.send((work, count)).context("the thread has ended")
    }

    pub(super) fn finish(&self) -> Result<Done> {
        self.answers.recv().context("the thread has ended")?
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.requests = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// The operations, and a pool that has this thread alone: batches stay on it.
fn ready(sections: &[&'static str]) -> Result<(Bench, rayon::ThreadPool)> {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(1)
        .use_current_thread()
        .build()?;
    Ok((Bench::new(sections)?, pool))
}

fn time(bench: &mut Bench, work: &str, count: u64) -> Result<Done> {
    let (wall, processor) = (Instant::now(), core::thread_time());
    let operations = bench.repeat(work, count)?;
    let took = Took {
        wall: wall.elapsed().max(Duration::from_nanos(1)),
        processor: processor
            .zip(core::thread_time())
            .map(|(before, after)| after - before),
    };
    Ok(Done { took, operations })
}

#[cfg(test)]
mod tests {
    use super::Worker;
    use crate::comparison::tasks::{TASKS, sections};

    /// Every way of every task is there, once alone and once beside another thread.
    #[test]
    fn does_every_work() {
        let workers = [(); 2].map(|()| Worker::start(None, &sections()).unwrap());
        for way in TASKS.iter().flat_map(|task| task.ways) {
            workers[0].begin(way.work, 1).unwrap();
            workers[1].begin(way.work, 1).unwrap();
            for worker in &workers {
                assert!(
                    !worker.finish().unwrap().took.wall.is_zero(),
                    "{}",
                    way.work
                );
            }
        }
        workers[0].begin("no such work", 1).unwrap();
        assert!(workers[0].finish().is_err());
    }
}
