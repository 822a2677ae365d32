//! One bit, at a moment of its own: a signal handler changes what the kernel puts back into the
//! registers.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::SeqCst};

/// Whether the operation runs: a signal before or after it flips nothing.
static RUNNING: AtomicBool = AtomicBool::new(false);
/// Random bits that choose the place.
static PLACE: AtomicU64 = AtomicU64::new(0);
/// Whether the bit was flipped.
static FLIPPED: AtomicBool = AtomicBool::new(false);

/// Where a bit is flipped.
pub const KINDS: [&str; 4] = ["general", "vector", "flags", "stack"];

/// The index in [`KINDS`] that the random bits choose: of sixteen flips, seven, five, one and
/// three.
pub const fn kind_of(place: u64) -> usize {
    match place & 15 {
        0..7 => 0,
        7..12 => 1,
        12 => 2,
        _ => 3,
    }
}

/// Starts of the extended state's parts in a signal frame (Intel SDM, volume 1, chapter 13): the
/// first 128 bits of a vector register, and the second.
const LOW_HALVES: usize = 160;
const HIGH_HALVES: usize = 576;
/// Which parts are in use.
const IN_USE: usize = 512;

extern "C" fn handler(
    _signal: libc::c_int,
    _info: *mut libc::siginfo_t,
    context: *mut libc::c_void,
) {
    if !RUNNING.load(SeqCst) {
        return;
    }
    // SAFETY: the kernel hands out the context of the interrupted code.
    let context = unsafe { &mut (*context.cast::<libc::ucontext_t>()).uc_mcontext };
    let place = PLACE.load(SeqCst);
    let after_call = context.gregs[libc::REG_RIP as usize] as *const [u8; 2];
    // SAFETY: code that has just run. A signal right after the timer was set comes with the end of
    // that call: the operation has not begun.
    if unsafe { after_call.sub(1).read() } == [0x0f, 0x05] {
        return;
    }
    let (register, bit) = ((place >> 4 & 15) as usize, place >> 8);
    match kind_of(place) {
        0 => context.gregs[register] ^= 1 << (bit & 63),
        1 => {
            // The pointer after the general registers, which not every C library's structure names.
            let after = std::ptr::from_mut(&mut context.gregs).cast::<*mut u8>();
            // SAFETY: the kernel's structure has it there.
            let state = unsafe { after.add(context.gregs.len()).read() };
            let (bit, byte) = (bit & 7, (bit >> 3 & 31) as usize);
            // SAFETY: the frame has these 832 bytes wherever the CPU has AVX; without it, the upper
            // halves are not in use.
            unsafe {
                let high = byte >= 16 && state.add(IN_USE).read() & 4 != 0;
                let start = if high { HIGH_HALVES } else { LOW_HALVES };
                *state.add(start + register * 16 + byte % 16) ^= 1 << bit;
            }
        }
        // Carry, zero, sign or overflow.
        2 => context.gregs[libc::REG_EFL as usize] ^= 1 << [0, 6, 7, 11][(bit & 3) as usize],
        // One of 512 words from the 128 bytes below the stack pointer on, which a function may use:
        // below are the registers that are put back.
        _ => {
            let word = (bit >> 6 & 511) as i64 * 8 - 128;
            let address = context.gregs[libc::REG_RSP as usize] + word;
            // SAFETY: the stack reaches further in both directions: the caller has left room.
            unsafe { *(address as *mut u64) ^= 1 << (bit & 63) };
        }
    }
    FLIPPED.store(true, SeqCst);
}

/// Runs `operation` while a bit is flipped after so many nanoseconds; gives its result, and whether
/// it was.
pub fn during<T>(nanoseconds: u64, place: u64, operation: impl FnOnce() -> T) -> (T, bool) {
    PLACE.store(place, SeqCst);
    // SAFETY: a handler that only uses atomics and its context, and a timer of this process.
    unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        action.sa_sigaction = handler as *const () as usize;
        action.sa_flags = libc::SA_SIGINFO;
        libc::sigaction(libc::SIGUSR1, &action, std::ptr::null_mut());
        let mut event: libc::sigevent = std::mem::zeroed();
        event.sigev_notify = libc::SIGEV_SIGNAL;
        event.sigev_signo = libc::SIGUSR1;
        let mut timer: libc::timer_t = std::mem::zeroed();
        assert_eq!(
            libc::timer_create(libc::CLOCK_MONOTONIC, &mut event, &mut timer),
            0
        );
        let mut time: libc::itimerspec = std::mem::zeroed();
        time.it_value.tv_sec = (nanoseconds / 1_000_000_000) as _;
        time.it_value.tv_nsec = (nanoseconds % 1_000_000_000).max(1) as _;
        RUNNING.store(true, SeqCst);
        libc::timer_settime(timer, 0, &time, std::ptr::null_mut());
    }
    let result = operation();
    RUNNING.store(false, SeqCst);
    (result, FLIPPED.load(SeqCst))
}
