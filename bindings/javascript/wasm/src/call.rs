//! The memory of a call: its input, its result, and the objects that outlive it.

use alloc::vec::Vec;
use core::cell::RefCell;

use kuaimi_js::{Failure, Handle, Result, Value, argument, finished};
use zeroize::{Zeroize, Zeroizing};

/// A buffer that is longer than this is freed after the call.
const KEPT: usize = 1 << 16;

/// Arguments and results of so many bytes have places of their own, which JavaScript knows and
/// wipes: then there is one call in place of four.
const SHORT: usize = 4096;

struct State {
    short_input: [u8; SHORT],
    short_result: [u8; SHORT],
    input: Vec<u8>,
    result: Vec<u8>,
    /// The length of what the last call gave.
    length: usize,
    /// The objects by their numbers, which start at one.
    objects: Vec<Option<Handle>>,
    free: Vec<usize>,
}

struct Single(RefCell<State>);

// SAFETY: a module without shared memory has one thread.
#[allow(unsafe_code, reason = "a static value that changes")]
unsafe impl Sync for Single {}

static STATE: Single = Single(RefCell::new(State {
    short_input: [0; SHORT],
    short_result: [0; SHORT],
    input: Vec::new(),
    result: Vec::new(),
    length: 0,
    objects: Vec::new(),
    free: Vec::new(),
}));

impl Single {
    fn with_borrow<T>(&self, work: impl FnOnce(&State) -> T) -> T {
        work(&self.0.borrow())
    }

    fn with_borrow_mut<T>(&self, work: impl FnOnce(&mut State) -> T) -> T {
        work(&mut self.0.borrow_mut())
    }
}

impl State {
    fn give(&mut self, mut bytes: Zeroizing<Vec<u8>>) {
        self.length = bytes.len();
        match self.short_result.get_mut(..bytes.len()) {
            Some(place) => place.copy_from_slice(&bytes),
            None => self.result = core::mem::take(&mut *bytes),
        }
    }
}

/// How many bytes are short.
#[allow(unsafe_code, reason = "an export")]
// SAFETY: no other function of this name is linked.
#[unsafe(no_mangle)]
pub extern "C" fn short() -> usize {
    SHORT
}

/// Where JavaScript writes the arguments of a call, if they are short.
#[allow(unsafe_code, reason = "an export")]
// SAFETY: as above.
#[unsafe(no_mangle)]
pub extern "C" fn short_input() -> *mut u8 {
    STATE.with_borrow_mut(|state| state.short_input.as_mut_ptr())
}

/// Where the bytes are that a call gave, if they are short.
#[allow(unsafe_code, reason = "an export")]
// SAFETY: as above.
#[unsafe(no_mangle)]
pub extern "C" fn short_result() -> *const u8 {
    STATE.with_borrow(|state| state.short_result.as_ptr())
}

/// Where JavaScript writes the arguments of the next call, `length` bytes that are not short. Zero:
/// there is no memory for them.
#[allow(unsafe_code, reason = "an export")]
// SAFETY: no other function of this name is linked.
#[unsafe(no_mangle)]
pub extern "C" fn input(length: usize) -> *mut u8 {
    STATE.with_borrow_mut(|state| {
        state.input.clear();
        if state.input.try_reserve_exact(length).is_err() {
            return core::ptr::null_mut();
        }
        state.input.resize(length, 0);
        state.input.as_mut_ptr()
    })
}

/// Where the bytes are that the last call gave, if they are not short.
#[allow(unsafe_code, reason = "an export")]
// SAFETY: as above.
#[unsafe(no_mangle)]
pub extern "C" fn result() -> *const u8 {
    STATE.with_borrow(|state| state.result.as_ptr())
}

/// Wipes the input and the result of the last call, if they are not short.
#[allow(unsafe_code, reason = "an export")]
// SAFETY: as above.
#[unsafe(no_mangle)]
pub extern "C" fn release() {
    STATE.with_borrow_mut(|state| {
        for buffer in [&mut state.input, &mut state.result] {
            // What is wiped is all that was in use: the buffers are cleared before they are filled.
            buffer.as_mut_slice().zeroize();
            buffer.clear();
            if buffer.capacity() > KEPT {
                *buffer = Vec::new();
            }
        }
    });
}

/// The arguments of a call.
pub(crate) struct Arguments<'a> {
    /// What JavaScript gave: numbers, objects' numbers and places of bytes, and zeros behind them.
    pub(crate) numbers: [u32; 7],
    input: &'a [u8],
    objects: &'a [Option<Handle>],
}

impl<'a> Arguments<'a> {
    #[inline(never)]
    pub(crate) fn maybe(&self, at: u32) -> Result<Option<&'a [u8]>> {
        let Some(at) = (at as usize).checked_sub(1) else {
            return Ok(None);
        };
        let bytes = self.input.get(at..).and_then(|rest| {
            let (length, rest) = rest.split_first_chunk::<4>()?;
            rest.get(..u32::from_le_bytes(*length) as usize)
        });
        bytes.map(Some).ok_or_else(wrong)
    }

    #[inline(never)]
    pub(crate) fn bytes(&self, at: u32) -> Result<&'a [u8]> {
        self.maybe(at)?.ok_or_else(wrong)
    }

    #[inline(never)]
    pub(crate) fn object(&self, number: u32) -> Result<&'a Handle> {
        let index = (number as usize).wrapping_sub(1);
        let object = self.objects.get(index).and_then(Option::as_ref);
        object.ok_or_else(|| finished!("this object was disposed of"))
    }

    pub(crate) fn number(&self, number: u32) -> Result<u32> {
        Ok(number)
    }
}

fn wrong() -> Failure {
    argument!("an argument is missing")
}

/// Does an operation, and says what JavaScript is told of it.
pub(crate) fn run(operation: fn(&Arguments<'_>) -> Result<Value>, numbers: [u32; 7]) -> i32 {
    kuaimi_js::random::set_host(crate::host::fill);
    // The operation sees the state alone, so that nothing changes while it works.
    let done = STATE.with_borrow(|state| {
        operation(&Arguments {
            numbers,
            input: match &state.input[..] {
                [] => &state.short_input,
                input => input,
            },
            objects: &state.objects,
        })
    });
    STATE.with_borrow_mut(|state| match done {
        Ok(Value::Number(number)) => number as i32,
        Ok(Value::Bytes(bytes)) => {
            state.give(bytes);
            state.length as i32
        }
        Ok(Value::Object(object)) => {
            let handle = Some(Handle::new(object));
            match state.free.pop() {
                Some(index) => {
                    state.objects[index] = handle;
                    index as i32 + 1
                }
                None => {
                    state.objects.push(handle);
                    state.objects.len() as i32
                }
            }
        }
        Err(failure) => {
            state.give(Zeroizing::new(failure.text().into_bytes()));
            -1
        }
    })
}

/// The length of the last failure's text.
#[allow(unsafe_code, reason = "an export")]
// SAFETY: as above.
#[unsafe(no_mangle)]
pub extern "C" fn result_length() -> usize {
    STATE.with_borrow(|state| state.length)
}

/// Drops an object. Its number is given to another one.
#[allow(unsafe_code, reason = "an export")]
// SAFETY: as above.
#[unsafe(no_mangle)]
pub extern "C" fn drop_object(number: usize) {
    STATE.with_borrow_mut(|state| {
        let index = number.wrapping_sub(1);
        if let Some(place) = state.objects.get_mut(index)
            && place.take().is_some()
        {
            state.free.push(index);
        }
    });
}
