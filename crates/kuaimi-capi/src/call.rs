//! The boundary of the library: every function's body is one [`call!`].

use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::error::{Error, kuaimi_error};

/// Runs a function's body. A panic, which would be a bug of this library, becomes an error.
pub(crate) fn guard(body: impl FnOnce() -> Result<(), Error>) -> kuaimi_error {
    match catch_unwind(AssertUnwindSafe(body)) {
        Ok(Ok(())) => Error::KUAIMI_OK,
        Ok(Err(error)) => error,
        Err(_) => Error::KUAIMI_ERROR_INTERNAL,
    }
}

/// `call!(key = handle(key), message = input(message, message_len) => { … })`: the arguments as
/// Rust values, each through the function named, which checks what can be checked; then the body,
/// which has no pointers left and is safe code.
///
/// All arguments are looked at before the first that is wrong ends the call: so places for results
/// hold failures, and places for handles null, whichever argument is wrong.
///
/// `#[once] id = input(id, id_len)` is for what is read more than once, such as a key, an identity
/// or a ciphertext: the memory may be shared with others, who change it meanwhile, and what was
/// checked must be what is used. The body has a copy.
macro_rules! call {
    ($($(#[$once:ident])? $name:ident = $reader:ident $(::<$type:tt>)? ($($argument:expr),*)),* $(,)? => $body:block) => {
        $crate::call::guard(|| {
            $(
                // SAFETY: the caller keeps the rules for pointers at the head of the header.
                let $name = unsafe { $crate::buffer::$reader $(::<$type>)? ($($argument),*) };
            )*
            $(
                let $name = $name?;
                $(
                    let copy = $crate::buffer::$once($name);
                    let $name = &copy[..];
                )?
            )*
            $body
        })
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_becomes_an_error() {
        let error = guard(|| panic!("on purpose"));
        assert_eq!(error, Error::KUAIMI_ERROR_INTERNAL);
        assert_eq!(guard(|| Ok(())), Error::KUAIMI_OK);
    }
}
