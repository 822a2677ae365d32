//! Keeping a measurement on one core, so that it is not moved from one to another in the middle.

use anyhow::Result;

/// Keeps this process, and the programs that it starts from now on, on one core: the one asked for,
/// or else the last that this process may run on. Gives the core's number, or nothing on a system
/// where this is not done.
#[cfg(target_os = "linux")]
pub(crate) fn stay_on_one(wanted: Option<usize>) -> Result<Option<usize>> {
    use anyhow::{Context, bail};
    use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

    let allowed =
        sched_getaffinity(None).context("the system does not say which cores may be used")?;
    let core = match wanted {
        Some(core) if core < CpuSet::MAX_CPU && allowed.is_set(core) => core,
        Some(core) => bail!(
            "core {core} is not among the cores that this process may run on: choose another --core"
        ),
        None => match (0..CpuSet::MAX_CPU)
            .rev()
            .find(|&core| allowed.is_set(core))
        {
            Some(core) => core,
            None => return Ok(None),
        },
    };
    let mut only = CpuSet::new();
    only.set(core);
    sched_setaffinity(None, &only)
        .with_context(|| format!("the system refuses to keep this process on core {core}"))?;
    Ok(Some(core))
}

/// The cores that this process may run on; none where the system does not tell.
#[cfg(target_os = "linux")]
pub(crate) fn available() -> Vec<usize> {
    use rustix::thread::{CpuSet, sched_getaffinity};

    let allowed = sched_getaffinity(None).unwrap_or_default();
    (0..CpuSet::MAX_CPU)
        .filter(|&core| allowed.is_set(core))
        .collect()
}

/// Other systems do not tell.
#[cfg(not(target_os = "linux"))]
pub(crate) fn available() -> Vec<usize> {
    Vec::new()
}

/// Other systems: nothing is done, and `--core` is an error rather than a promise not kept.
#[cfg(not(target_os = "linux"))]
pub(crate) fn stay_on_one(wanted: Option<usize>) -> Result<Option<usize>> {
    anyhow::ensure!(
        wanted.is_none(),
        "--core works on Linux only: leave it out here"
    );
    Ok(None)
}

/// Does something with this thread on a core, and puts it back after that: what it starts stays
/// there. Without a core, or on other systems, it only does it.
#[cfg(target_os = "linux")]
pub(crate) fn with_core<T>(core: Option<usize>, action: impl FnOnce() -> T) -> Result<T> {
    use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

    let Some(core) = core.filter(|&core| core < CpuSet::MAX_CPU) else {
        return Ok(action());
    };
    let before = sched_getaffinity(None)?;
    let mut only = CpuSet::new();
    only.set(core);
    sched_setaffinity(None, &only)?;
    let result = action();
    sched_setaffinity(None, &before)?;
    Ok(result)
}

/// Other systems do it anywhere.
#[cfg(not(target_os = "linux"))]
pub(crate) fn with_core<T>(_core: Option<usize>, action: impl FnOnce() -> T) -> Result<T> {
    Ok(action())
}
