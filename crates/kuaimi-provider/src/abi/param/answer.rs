//! Values for parameters that libcrypto reads.

use std::ffi::{CStr, c_char, c_int};

use super::{INTEGER, OCTET_PTR, OCTET_STRING, Param, UTF8_PTR, UTF8_STRING};
use crate::failure::Failure;

impl Param {
    /// Writes `bytes` into the caller's buffer.
    fn set_bytes(&mut self, bytes: &[u8], ends_with_zero: bool) -> Result<(), Failure> {
        self.return_size = bytes.len();
        if self.data.is_null() {
            return Ok(());
        }
        if self.data_size < bytes.len() {
            return Err(Failure::unanswered());
        }
        let size = self.data_size.min(bytes.len() + 1);
        // SAFETY: the buffer has at least as many bytes.
        let place = unsafe { std::slice::from_raw_parts_mut(self.data.cast::<u8>(), size) };
        place[..bytes.len()].copy_from_slice(bytes);
        if ends_with_zero && place.len() > bytes.len() {
            place[bytes.len()] = 0;
        }
        Ok(())
    }

    /// Writes a string of octets.
    pub(crate) fn set_octets(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        match self.data_type {
            OCTET_STRING => self.set_bytes(bytes, false),
            _ => Err(Failure::unanswered()),
        }
    }

    /// Writes the address of octets that stay as they are until the next call with the same object;
    /// null if there are none.
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

    /// Writes a string of octets, or its address where that is asked for: it stays as it is until
    /// its context changes.
    pub(crate) fn set_kept_octets(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        match self.data_type {
            OCTET_PTR => self.set_place(bytes.as_ptr(), bytes.len()),
            _ => self.set_octets(bytes),
        }
    }

    /// Writes as many of the last octets as the caller's buffer has.
    pub(crate) fn set_suffix(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        let length = self.data_size.min(bytes.len());
        if self.data.is_null() || length == 0 {
            return Err(self.wrong());
        }
        self.set_octets(&bytes[bytes.len() - length..])
    }

    /// Writes as many of the first octets as the caller's buffer has, at least one: a program may
    /// ask for a part of a tag.
    pub(crate) fn set_prefix(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        if self.data.is_null() || self.data_size == 0 || self.data_size > bytes.len() {
            return Err(self.wrong());
        }
        self.set_octets(&bytes[..self.data_size])
    }

    /// Writes a text, with a zero at its end if the buffer has room for it.
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

    /// Writes an integer that is not negative, from its bytes, most significant first. Fills the
    /// caller's buffer.
    pub(crate) fn set_unsigned_be(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        if !self.is_integer() {
            return Err(Failure::unanswered());
        }
        // A signed number needs one more bit.
        let signed = self.data_type == INTEGER;
        self.return_size = bytes.len() + usize::from(signed);
        if self.data.is_null() {
            return Ok(());
        }
        // SAFETY: the buffer has as many bytes as the parameter says.
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

    /// Writes a number.
    pub(crate) fn set_unsigned(&mut self, value: u64) -> Result<(), Failure> {
        if self.data.is_null() {
            self.return_size = size_of::<c_int>();
            return Ok(());
        }
        self.set_unsigned_be(&value.to_be_bytes())
    }
}
