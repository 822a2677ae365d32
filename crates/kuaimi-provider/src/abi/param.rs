//! `OSSL_PARAM`: named values in both directions (OSSL_PARAM(3)).

use std::ffi::{CStr, c_char, c_int, c_uint, c_void};
use std::marker::PhantomData;

use crate::failure::{Failure, Reason};

const INTEGER: c_uint = 1;
const UNSIGNED_INTEGER: c_uint = 2;
const UTF8_STRING: c_uint = 4;
const OCTET_STRING: c_uint = 5;
const UTF8_PTR: c_uint = 6;
const OCTET_PTR: c_uint = 7;

/// What `return_size` is until a value was written.
const UNMODIFIED: usize = usize::MAX;

/// `OSSL_PARAM`.
#[repr(C)]
pub(crate) struct Param {
    key: *const c_char,
    data_type: c_uint,
    data: *mut c_void,
    data_size: usize,
    return_size: usize,
}

// SAFETY: those that are constants have no data, only a name and a type.
unsafe impl Sync for Param {}

/// The kind of a value, in a list of the parameters that a function takes or gives.
#[derive(Clone, Copy)]
pub(crate) enum Kind {
    Integer,
    Unsigned,
    Text,
    Octets,
    /// Octets that stay where they are.
    OctetPointer,
}

impl Param {
    /// The end of a list.
    pub(crate) const END: Self = Self {
        key: std::ptr::null(),
        data_type: 0,
        data: std::ptr::null_mut(),
        data_size: 0,
        return_size: 0,
    };

    /// An entry of a list of parameters that exist.
    pub(crate) const fn known(key: &'static CStr, kind: Kind) -> Self {
        let data_type = match kind {
            Kind::Integer => INTEGER,
            Kind::Unsigned => UNSIGNED_INTEGER,
            Kind::Text => UTF8_STRING,
            Kind::Octets => OCTET_STRING,
            Kind::OctetPointer => OCTET_PTR,
        };
        Self {
            key: key.as_ptr(),
            data_type,
            data: std::ptr::null_mut(),
            data_size: 0,
            return_size: UNMODIFIED,
        }
    }

    fn value(key: &'static CStr, data_type: c_uint, data: *const c_void, size: usize) -> Self {
        Self {
            key: key.as_ptr(),
            data_type,
            data: data.cast_mut(),
            data_size: size,
            return_size: UNMODIFIED,
        }
    }

    /// A request for a text that stays where it is: its address comes back in `place`.
    pub(super) fn request(key: &CStr, place: &mut *const c_char) -> Self {
        Self {
            key: key.as_ptr(),
            data_type: UTF8_PTR,
            data: (&raw mut *place).cast(),
            data_size: 0,
            return_size: UNMODIFIED,
        }
    }

    /// The bytes of a text or of a string of octets.
    fn contents(&self) -> Option<&[u8]> {
        let data: *const u8 = match self.data_type {
            UTF8_STRING | OCTET_STRING => self.data.cast(),
            // SAFETY: the data of these types is the address of a pointer.
            UTF8_PTR | OCTET_PTR => unsafe { self.data.cast::<*const u8>().as_ref() }.copied()?,
            _ => return None,
        };
        // A negative length of a program's comes as a large one.
        if data.is_null() && self.data_size != 0 || isize::try_from(self.data_size).is_err() {
            return None;
        }
        // SAFETY: the length of the data is what the parameter says, or it is null.
        Some(unsafe { super::bytes(data, self.data_size) })
    }

    /// A string of octets.
    pub(crate) fn octets(&self) -> Result<&[u8], Failure> {
        match self.data_type {
            OCTET_STRING | OCTET_PTR => self.contents(),
            _ => None,
        }
        .ok_or_else(|| self.wrong())
    }

    /// A string of octets with its length, or a length alone.
    pub(crate) fn octets_or_length(&self) -> Result<(Option<&[u8]>, usize), Failure> {
        if self.data_type == OCTET_STRING && self.data.is_null() {
            return Ok((None, self.data_size));
        }
        let octets = self.octets()?;
        Ok((Some(octets), octets.len()))
    }

    /// A string of octets, or, where its length is the largest number that there is, `all` octets.
    pub(crate) fn octets_or_all(&self, all: usize) -> Result<&[u8], Failure> {
        if self.data_type == OCTET_STRING && self.data_size == usize::MAX && !self.data.is_null() {
            // SAFETY: who gives this length, as EVP_CTRL_GCM_SET_IV_FIXED does for -1, has as many as the context's IV has.
            return Ok(unsafe { super::bytes(self.data.cast(), all) });
        }
        self.octets()
    }

    /// A text. Those who make one may or may not count the zero at its end.
    pub(crate) fn text(&self) -> Result<&str, Failure> {
        let bytes = match self.data_type {
            UTF8_STRING | UTF8_PTR => self.contents(),
            _ => None,
        }
        .ok_or_else(|| self.wrong())?;
        let end = bytes
            .iter()
            .position(|&byte| byte == 0)
            .unwrap_or(bytes.len());
        std::str::from_utf8(&bytes[..end]).map_err(|_| self.wrong())
    }

    /// Whether it is an integer of at least a byte. A length of a program's that is negative comes as a large one.
    fn is_integer(&self) -> bool {
        matches!(self.data_type, INTEGER | UNSIGNED_INTEGER)
            && (self.data.is_null() || (1..=isize::MAX as usize).contains(&self.data_size))
    }

    /// The bytes of an integer, in the order of the machine: one or more.
    fn native(&self) -> Result<&[u8], Failure> {
        if !self.is_integer() || self.data.is_null() {
            return Err(self.wrong());
        }
        // SAFETY: the length of the data is what the parameter says.
        Ok(unsafe { super::bytes(self.data.cast(), self.data_size) })
    }

    /// An integer of up to `N` bytes that is not negative, most significant byte first. Constant time in its value, but for its
    /// sign, and bytes above `N`, which must be zero.
    pub(crate) fn unsigned_be<const N: usize>(&self) -> Result<[u8; N], Failure> {
        let native = self.native()?;
        let mut bytes = [0; N];
        let most = native.len().min(N);
        let excess = if cfg!(target_endian = "little") {
            bytes[N - most..].copy_from_slice(&native[..most]);
            bytes[N - most..].reverse();
            &native[most..]
        } else {
            bytes[N - most..].copy_from_slice(&native[native.len() - most..]);
            &native[..native.len() - most]
        };
        let negative =
            self.data_type == INTEGER && excess.is_empty() && bytes[N - most] & 0x80 != 0;
        if negative || excess.iter().fold(0, |all, byte| all | byte) != 0 {
            return Err(self.wrong());
        }
        Ok(bytes)
    }

    /// An integer that is not negative.
    pub(crate) fn unsigned(&self) -> Result<u64, Failure> {
        Ok(u64::from_be_bytes(self.unsigned_be()?))
    }

    /// A length in bytes.
    pub(crate) fn size(&self) -> Result<usize, Failure> {
        usize::try_from(self.unsigned()?).map_err(|_| self.wrong())
    }

    /// Writes `bytes` for a value that may be copied where it is asked for.
    fn set_bytes(&mut self, bytes: &[u8], ends_with_zero: bool) -> Result<(), Failure> {
        self.return_size = bytes.len();
        if self.data.is_null() {
            return Ok(());
        }
        if self.data_size < bytes.len() {
            return Err(Failure::unanswered());
        }
        let size = self.data_size.min(bytes.len() + 1);
        // SAFETY: there is place for at least as many bytes.
        let place = unsafe { std::slice::from_raw_parts_mut(self.data.cast::<u8>(), size) };
        place[..bytes.len()].copy_from_slice(bytes);
        if ends_with_zero && place.len() > bytes.len() {
            place[bytes.len()] = 0;
        }
        Ok(())
    }

    /// Gives a string of octets.
    pub(crate) fn set_octets(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        match self.data_type {
            OCTET_STRING => self.set_bytes(bytes, false),
            _ => Err(Failure::unanswered()),
        }
    }

    /// The address that is the value of a pointer to octets, where it is that of an object of libcrypto's.
    pub(super) fn pointer(&self) -> Result<*const c_void, Failure> {
        if self.data_type != OCTET_PTR || self.data.is_null() {
            return Err(self.wrong());
        }
        // SAFETY: the data of this type is the address of a pointer.
        let pointer = unsafe { self.data.cast::<*const c_void>().read() };
        if pointer.is_null() {
            return Err(self.wrong());
        }
        Ok(pointer)
    }

    /// Gives the place of octets that stay as they are until the next call with the same object; null if there are none.
    pub(crate) fn set_pointer(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        let place = if bytes.is_empty() {
            std::ptr::null()
        } else {
            bytes.as_ptr()
        };
        self.set_place(place, bytes.len())
    }

    fn set_place(&mut self, place: *const u8, length: usize) -> Result<(), Failure> {
        if self.data_type != OCTET_PTR {
            return Err(Failure::unanswered());
        }
        self.return_size = length;
        if !self.data.is_null() {
            // SAFETY: the data of this type is the address of a pointer.
            unsafe { self.data.cast::<*const u8>().write(place) };
        }
        Ok(())
    }

    /// Gives a string of octets that stays where it is until its context changes, and may be asked for by its address.
    pub(crate) fn set_kept_octets(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        match self.data_type {
            OCTET_PTR => self.set_place(bytes.as_ptr(), bytes.len()),
            _ => self.set_octets(bytes),
        }
    }

    /// Gives as many of the last octets as there is place for.
    pub(crate) fn set_suffix(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        let length = self.data_size.min(bytes.len());
        if self.data.is_null() || length == 0 {
            return Err(self.wrong());
        }
        self.set_octets(&bytes[bytes.len() - length..])
    }

    /// Gives as many of the first octets as there is place for, at least one: of a tag, a program may ask for a part.
    pub(crate) fn set_prefix(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        if self.data.is_null() || self.data_size == 0 || self.data_size > bytes.len() {
            return Err(self.wrong());
        }
        self.set_octets(&bytes[..self.data_size])
    }

    /// Gives a text, with a zero at its end where there is place.
    pub(crate) fn set_text(&mut self, text: &'static CStr) -> Result<(), Failure> {
        match self.data_type {
            UTF8_STRING => self.set_bytes(text.to_bytes(), true),
            UTF8_PTR if self.data.is_null() => {
                self.return_size = text.to_bytes().len();
                Ok(())
            }
            UTF8_PTR => {
                self.return_size = text.to_bytes().len();
                // SAFETY: the data of this type is the address of a pointer.
                unsafe { self.data.cast::<*const c_char>().write(text.as_ptr()) };
                Ok(())
            }
            _ => Err(Failure::unanswered()),
        }
    }

    /// Gives an integer that is not negative, from its bytes, most significant first. Fills the place that there is.
    pub(crate) fn set_unsigned_be(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        if !self.is_integer() {
            return Err(Failure::unanswered());
        }
        // A place for numbers of either sign needs a bit for it.
        let signed = self.data_type == INTEGER;
        self.return_size = bytes.len() + usize::from(signed);
        if self.data.is_null() {
            return Ok(());
        }
        // SAFETY: there is place for as many bytes as the parameter says.
        let place =
            unsafe { std::slice::from_raw_parts_mut(self.data.cast::<u8>(), self.data_size) };
        let excess = bytes.len().saturating_sub(place.len());
        let sign = if signed && place.len() <= bytes.len() {
            bytes[excess] & 0x80
        } else {
            0
        };
        if bytes[..excess].iter().fold(sign, |all, byte| all | byte) != 0 {
            return Err(Failure::unanswered());
        }
        let bytes = &bytes[excess..];
        place.fill(0);
        let start = place.len() - bytes.len();
        place[start..].copy_from_slice(bytes);
        if cfg!(target_endian = "little") {
            place.reverse();
        }
        self.return_size = place.len();
        Ok(())
    }

    /// Gives a number.
    pub(crate) fn set_unsigned(&mut self, value: u64) -> Result<(), Failure> {
        if self.data.is_null() {
            self.return_size = size_of::<c_int>();
            return Ok(());
        }
        self.set_unsigned_be(&value.to_be_bytes())
    }

    fn wrong(&self) -> Failure {
        // SAFETY: a parameter in a list has a name.
        let key = unsafe { super::text(self.key) }.unwrap_or("?");
        Failure::with(Reason::InvalidParameter, key)
    }
}

/// Parameters from libcrypto.
#[derive(Clone, Copy)]
pub(crate) struct Params<'a>(&'a [Param]);

/// Parameters that libcrypto asks for.
pub(crate) struct Requests<'a>(&'a mut [Param]);

/// # Safety
/// `list` is null or a list that ends with a null key.
unsafe fn length(list: *const Param) -> usize {
    let mut count = 0;
    if !list.is_null() {
        // SAFETY: the end was not reached yet.
        while !unsafe { &*list.add(count) }.key.is_null() {
            count += 1;
        }
    }
    count
}

fn has_key(param: &Param, key: &CStr) -> bool {
    // SAFETY: a parameter in a list has a name.
    (unsafe { CStr::from_ptr(param.key) }) == key
}

impl<'a> Params<'a> {
    /// No parameters.
    #[cfg(test)]
    pub(crate) fn none() -> Self {
        Self(&[])
    }

    /// # Safety
    /// `list` is null or a list that ends with a null key and stays as it is for `'a`.
    pub(super) unsafe fn new(list: *const Param) -> Self {
        // SAFETY: as the caller says.
        match unsafe { length(list) } {
            0 => Self(&[]),
            // SAFETY: as many were counted.
            count => Self(unsafe { std::slice::from_raw_parts(list, count) }),
        }
    }

    pub(crate) fn find(&self, key: &CStr) -> Option<&'a Param> {
        self.0.iter().find(|param| has_key(param, key))
    }
}

impl<'a> Requests<'a> {
    /// # Safety
    /// `list` is null or a list that ends with a null key, and that only this call uses for `'a`.
    pub(super) unsafe fn new(list: *mut Param) -> Self {
        // SAFETY: as the caller says.
        match unsafe { length(list) } {
            0 => Self(&mut []),
            // SAFETY: as many were counted.
            count => Self(unsafe { std::slice::from_raw_parts_mut(list, count) }),
        }
    }

    /// Lets `give` write the parameter `key`, if it is asked for.
    pub(crate) fn answer(
        &mut self,
        key: &CStr,
        give: impl FnOnce(&mut Param) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        match self.0.iter_mut().find(|param| has_key(param, key)) {
            Some(param) => give(param),
            None => Ok(()),
        }
    }
}

/// A list of values for libcrypto, which borrows them.
pub(crate) struct List<'a> {
    params: Vec<Param>,
    values: PhantomData<&'a [u8]>,
}

impl<'a> List<'a> {
    pub(crate) fn new() -> Self {
        Self {
            params: Vec::new(),
            values: PhantomData,
        }
    }

    pub(crate) fn octets(mut self, key: &'static CStr, value: &'a [u8]) -> Self {
        self.params.push(Param::value(
            key,
            OCTET_STRING,
            value.as_ptr().cast(),
            value.len(),
        ));
        self
    }

    pub(crate) fn text(mut self, key: &'static CStr, value: &'a CStr) -> Self {
        self.params.push(Param::value(
            key,
            UTF8_STRING,
            value.as_ptr().cast(),
            value.to_bytes().len(),
        ));
        self
    }

    /// An integer that is not negative, from its bytes in the order of the machine.
    pub(crate) fn unsigned(mut self, key: &'static CStr, native: &'a [u8]) -> Self {
        self.params.push(Param::value(
            key,
            UNSIGNED_INTEGER,
            native.as_ptr().cast(),
            native.len(),
        ));
        self
    }

    pub(crate) fn integer(mut self, key: &'static CStr, value: &'a c_int) -> Self {
        self.params.push(Param::value(
            key,
            INTEGER,
            (&raw const *value).cast(),
            size_of::<c_int>(),
        ));
        self
    }

    /// A string of octets that is the pointer at `place`, which who is called may change.
    pub(super) fn pointer(mut self, key: &'static CStr, place: *mut *mut c_void) -> Self {
        self.params.push(Param::value(
            key,
            OCTET_STRING,
            place.cast(),
            size_of::<*mut c_void>(),
        ));
        self
    }

    /// The list with its end, for a function of libcrypto.
    pub(super) fn finish(mut self) -> Vec<Param> {
        self.params.push(Param::END);
        self.params
    }
}

/// `OSSL_CALLBACK`.
type CallbackFn = unsafe extern "C" fn(params: *const Param, argument: *mut c_void) -> c_int;

/// A function of libcrypto that takes a list of values.
#[derive(Clone, Copy)]
pub(crate) struct Callback {
    function: Option<CallbackFn>,
    argument: *mut c_void,
}

impl Callback {
    pub(super) fn new(function: Option<CallbackFn>, argument: *mut c_void) -> Self {
        Self { function, argument }
    }

    /// Calls it with the list. It tells libcrypto itself what went wrong, if something did.
    pub(crate) fn call(&self, list: List<'_>) -> Result<(), Failure> {
        let function = self.function.ok_or_else(Failure::internal)?;
        let list = list.finish();
        // SAFETY: the list has its end, its values are still borrowed, and the argument came with the function.
        match unsafe { function(list.as_ptr(), self.argument) } {
            1.. => Ok(()),
            _ => Err(Failure::told()),
        }
    }
}

pub(super) type CallbackPointer = Option<CallbackFn>;
