//! Keeping this process on one core, so that it is not moved to another in the middle of a
//! measurement.

/// The last core that this process may use: the system's own work tends to be on the first. Where
/// the system does not allow it, or is not Linux, nothing is done.
pub(super) fn stay_on_one() {
    #[cfg(target_os = "linux")]
    {
        use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

        let allowed = sched_getaffinity(None).unwrap_or_default();
        let last = (0..CpuSet::MAX_CPU)
            .rev()
            .find(|&core| allowed.is_set(core));
        if let Some(core) = last {
            let mut only = CpuSet::new();
            only.set(core);
            let _ = sched_setaffinity(None, &only);
        }
    }
}
