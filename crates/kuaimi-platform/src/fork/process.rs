//! A process, as its children see it in their copies of its memory.

use once_cell::race::OnceBox;

use super::handler;
use super::wiped_page::WipedPage;

/// The process that asked first, with its line of children down to this one.
///
/// Nobody waits here: a process that is not in the line adds itself, and of two threads that do so
/// one wins.
static FIRST: OnceBox<Process> = OnceBox::new();

/// What tells a process from its children.
#[derive(Debug)]
pub(super) struct Process {
    page: Option<WipedPage>,
    forks: usize,
    /// The process number, where there is no page.
    number: Option<u32>,
    child: OnceBox<Process>,
}

impl Process {
    /// This process.
    pub(super) fn current() -> &'static Self {
        let new = || Box::new(Self::with_page(WipedPage::new()));
        let mut process = FIRST.get_or_init(new);
        while process.is_copy() {
            process = process.child.get_or_init(new);
        }
        process
    }

    pub(super) fn with_page(page: Option<WipedPage>) -> Self {
        // WebAssembly has neither processes nor forks.
        let has_number = page.is_none() && cfg!(not(target_family = "wasm"));
        handler::register();
        Self {
            page,
            forks: handler::forks(),
            number: has_number.then(std::process::id),
            child: OnceBox::new(),
        }
    }

    /// Whether this process is a child, or the child of a child, of that one.
    #[inline]
    pub(super) fn is_copy(&self) -> bool {
        self.page.as_ref().is_some_and(WipedPage::is_wiped)
            || self.forks != handler::forks()
            || self
                .number
                .is_some_and(|number| number != std::process::id())
    }
}
