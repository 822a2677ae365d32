//! Kuaimi in this process: a thread for each core, which stays there and has keys and a pool of its
//! own, as each peer's process has.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

use anyhow::{Context, Result, anyhow};

use crate::harness::cores;
use crate::ours::{Done, Ours};

/// What a thread is asked for: an operation's name, and how many times.
type Request = (&'static str, u64);

/// A thread that measures.
pub(super) struct Worker {
    // In an option, so that its end can be told to the thread.
    requests: Option<Sender<Request>>,
    answers: Receiver<Result<Done>>,
    thread: Option<JoinHandle<()>>,
}

impl Worker {
    /// Starts a thread on a core; `sections` are those whose keys it makes.
    pub(super) fn start(
        core: Option<usize>,
        sections: &[&'static str],
        slice: Duration,
    ) -> Result<Self> {
        let (requests, to_do) = channel::<Request>();
        let (done, answers) = channel();
        let sections = sections.to_vec();
        let thread = cores::with_core(core, || {
            std::thread::spawn(move || {
                let mut ours = ready(&sections);
                for (id, count) in to_do {
                    let result = match &mut ours {
                        Ok((ours, _)) => ours.repeat(id, count, slice),
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
    pub(super) fn begin(&self, id: &'static str, count: u64) -> Result<()> {
        let requests = self.requests.as_ref().context("the thread has ended")?;
        requests.send((id, count)).context("the thread has ended")
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
fn ready(sections: &[&'static str]) -> Result<(Ours, rayon::ThreadPool)> {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(1)
        .use_current_thread()
        .build()?;
    Ok((Ours::new(sections)?, pool))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::Worker;

    /// Two threads work at the same time; what fails on one is told.
    #[test]
    fn threads_work_and_tell_errors() {
        let slice = Duration::from_millis(1);
        let workers = [(); 2].map(|()| Worker::start(None, &["sm3"], slice).unwrap());
        for worker in &workers {
            worker.begin("sm3-many-1k", 2).unwrap();
        }
        for worker in &workers {
            let done = worker.finish().unwrap();
            assert!(done.operations > 2.0 && !done.took.is_zero());
        }
        workers[0].begin("no such operation", 1).unwrap();
        assert!(workers[0].finish().is_err());
    }
}
