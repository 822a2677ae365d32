//! The values of parameters that libcrypto gives.

use std::ffi::c_void;

use super::{INTEGER, OCTET_PTR, OCTET_STRING, Param, UTF8_PTR, UTF8_STRING};
use crate::abi::memory;
use crate::failure::Failure;

impl Param {
    /// The bytes of a text or of a string of octets.
    fn contents(&self) -> Option<&[u8]> {
        let data: *const u8 = match self.data_type {
            UTF8_STRING | OCTET_STRING => self.data.cast(),
            // SAFETY: the data of these types is the address of a pointer.
            UTF8_PTR | OCTET_PTR => unsafe { self.data.cast::<*const u8>().as_ref() }.copied()?,
            _ => return None,
        };
        // A negative length from a program arrives as a large one.
        if data.is_null() && self.data_size != 0 || isize::try_from(self.data_size).is_err() {
            return None;
        }
        // SAFETY: the length of the data is what the parameter says, or it is null.
        Some(unsafe { memory::bytes(data, self.data_size) })
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

    /// A string of octets; `all` octets where its length is `SIZE_MAX`.
    pub(crate) fn octets_or_all(&self, all: usize) -> Result<&[u8], Failure> {
        if self.data_type == OCTET_STRING && self.data_size == usize::MAX && !self.data.is_null() {
            // SAFETY: a caller that gives this length, as EVP_CTRL_GCM_SET_IV_FIXED does for -1,
            // has as many as the context's IV has.
            return Ok(unsafe { memory::bytes(self.data.cast(), all) });
        }
        self.octets()
    }

    /// A text. Its length may or may not include the zero at its end.
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

    /// The bytes of an integer, in the order of the machine: one or more.
    fn native(&self) -> Result<&[u8], Failure> {
        if !self.is_integer() || self.data.is_null() {
            return Err(self.wrong());
        }
        // SAFETY: the length of the data is what the parameter says.
        Ok(unsafe { memory::bytes(self.data.cast(), self.data_size) })
    }

    /// An integer of up to `N` bytes that is not negative, most significant byte first. Constant
    /// time in its value, but for its sign, and bytes above `N`, which must be zero.
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

    /// The value of a pointer to octets that is the address of an object of libcrypto's.
    pub(in crate::abi) fn pointer(&self) -> Result<*const c_void, Failure> {
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
}
