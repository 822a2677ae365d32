//! The C library: any calls in any order, with any handles, bytes and buffers that the rules of its
//! header allow.
//!
//! Handles are of any type, null, or freed. Inputs and outputs are allocations of just the length
//! that is passed, so that AddressSanitizer sees a byte too many. No call may give
//! `KUAIMI_ERROR_INTERNAL`, which is a panic inside.

mod pki;
mod sm2;
mod sm9;
mod symmetric;

use std::ptr::null_mut;

use arbitrary::Unstructured;
use kuaimi_c::kuaimi_error as Error;

/// What a sequence of calls has so far.
struct Calls<'a> {
    input: Unstructured<'a>,
    handles: Vec<*mut ()>,
    free: Vec<Box<dyn Fn()>>,
    /// What earlier calls gave out.
    bytes: Vec<Vec<u8>>,
}

pub fn check(data: &[u8]) {
    let mut calls = Calls {
        input: Unstructured::new(data),
        handles: Vec::new(),
        free: Vec::new(),
        bytes: Vec::new(),
    };
    for _ in 0..24 {
        if calls.input.is_empty() {
            break;
        }
        match calls.number() {
            208.. => pki::call(&mut calls),
            number => match number % 4 {
                0 => symmetric::call(&mut calls),
                1 | 2 => sm2::call(&mut calls),
                _ => sm9::call(&mut calls),
            },
        }
        // A handle is freed before the others, or twice.
        if calls.number().is_multiple_of(16) {
            let which = calls.number();
            if let Some(free) = calls.free.get(which) {
                free();
            }
        }
    }
    calls.free.iter().for_each(|free| free());
}

impl Calls<'_> {
    fn number(&mut self) -> usize {
        self.input.arbitrary::<u8>().unwrap_or(0).into()
    }

    fn constant(&mut self) -> u32 {
        // One more than the largest of any enumeration, and some that are far out.
        match self.number() {
            number @ 0..=200 => number as u32 % 13,
            number => (number as u32) << 24,
        }
    }

    /// Any handle, which is often the newest of those that fit nothing else.
    fn any<T>(&mut self) -> *mut T {
        match self.number() {
            255 => null_mut(),
            number if number < self.handles.len() => {
                self.handles[self.handles.len() - 1 - number].cast()
            }
            _ => self.handles.last().map_or(null_mut(), |it| it.cast()),
        }
    }

    /// What an earlier call gave out, changed or not, or the input's own bytes.
    fn data(&mut self) -> Box<[u8]> {
        let number = self.number();
        if number < 96 && !self.bytes.is_empty() {
            let mut bytes = self.bytes[number % self.bytes.len()].clone();
            if number >= 64 && !bytes.is_empty() {
                let place = self.number() % bytes.len();
                bytes[place] ^= self.number() as u8;
            }
            return bytes.into();
        }
        let length = match number {
            255 => self.input.len(),
            254 => 32,
            number => number % 80,
        };
        let length = length.min(self.input.len());
        self.input.bytes(length).unwrap_or_default().into()
    }

    fn array<const N: usize>(&mut self) -> Box<[u8; N]> {
        let data = self.data();
        Box::new(std::array::from_fn(|i| data.get(i).copied().unwrap_or(0)))
    }

    fn keep(&mut self, bytes: &[u8]) {
        if self.bytes.len() < 32 && bytes.len() <= 1 << 16 {
            self.bytes.push(bytes.to_vec());
        }
    }

    fn done(&self, error: Error) {
        assert_ne!(error, Error::KUAIMI_ERROR_INTERNAL);
    }

    /// A call that makes a handle: null after a failure.
    fn handle<T: 'static>(
        &mut self,
        free: unsafe extern "C" fn(*mut T),
        make: impl FnOnce(*mut *mut T) -> Error,
    ) {
        let mut handle = null_mut();
        let error = make(&mut handle);
        self.done(error);
        assert_eq!(error == Error::KUAIMI_OK, !handle.is_null());
        if !handle.is_null() {
            self.handles.push(handle.cast());
            // SAFETY: a handle from the library; a second time is allowed as fewer than 256 follow.
            self.free.push(Box::new(move || unsafe { free(handle) }));
        }
    }

    /// A call that writes into a buffer, which is enlarged once to what the call asks for.
    fn output(&mut self, write: impl Fn(*mut u8, *mut usize) -> Error) {
        let mut buffer = match self.number() {
            number @ 0..=127 => vec![0u8; number],
            _ => vec![0; 4096],
        };
        for _ in 0..2 {
            let mut length = buffer.len();
            let error = write(buffer.as_mut_ptr(), &mut length);
            self.done(error);
            match error {
                Error::KUAIMI_OK => {
                    self.keep(&buffer[..length]);
                    break;
                }
                Error::KUAIMI_ERROR_BUFFER_TOO_SMALL => {
                    assert!(length > buffer.len() && length < 1 << 21, "{length} bytes");
                    buffer = vec![0; length];
                }
                _ => break,
            }
        }
    }
}
