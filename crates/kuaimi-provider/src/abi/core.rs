//! What libcrypto offers to a provider: its version and the configuration, the error queue, and
//! input.

use std::ffi::{CStr, CString, c_char, c_int, c_uint, c_void};
use std::ptr::null;

use super::dispatch::Dispatch;
use super::memory::text;
use super::param::Param;
use crate::failure::Failure;

type GetParams = unsafe extern "C" fn(handle: *const c_void, params: *mut Param) -> c_int;
type NewError = unsafe extern "C" fn(handle: *const c_void);
type SetErrorDebug = unsafe extern "C" fn(
    handle: *const c_void,
    file: *const c_char,
    line: c_int,
    function: *const c_char,
);
type VsetError = unsafe extern "C" fn(
    handle: *const c_void,
    reason: c_uint,
    format: *const c_char,
    arguments: *mut c_void,
);
type BioRead = unsafe extern "C" fn(
    bio: *mut c_void,
    data: *mut c_void,
    length: usize,
    read: *mut usize,
) -> c_int;

/// The functions of libcrypto, and the handle that they take. Those that it does not have are none.
pub(crate) struct Core {
    handle: *const c_void,
    get_params: Option<GetParams>,
    new_error: Option<NewError>,
    set_error_debug: Option<SetErrorDebug>,
    vset_error: Option<VsetError>,
    bio_read: Option<BioRead>,
}

// SAFETY: the handle and the functions are valid until the provider is torn down, in every thread.
unsafe impl Send for Core {}
// SAFETY: as above; libcrypto locks what they change.
unsafe impl Sync for Core {}

/// Room for the `va_list` of any ABI: texts without a `%` read nothing of it.
#[repr(C, align(16))]
struct NoArguments([u8; 64]);

impl Core {
    /// # Safety
    /// `functions` is null or a table of libcrypto's, and `handle` came with it.
    pub(super) unsafe fn new(handle: *const c_void, functions: *const Dispatch) -> Self {
        let mut core = Self {
            handle,
            get_params: None,
            new_error: None,
            set_error_debug: None,
            vset_error: None,
            bio_read: None,
        };
        let mut next = functions;
        // SAFETY: the end of the table was not reached yet.
        while let Some(entry) = unsafe { next.as_ref() }
            && entry.id != 0
        {
            // SAFETY: the number says which type the function has (core_dispatch.h), and null is
            // none.
            unsafe {
                match entry.id {
                    2 => {
                        core.get_params =
                            std::mem::transmute::<*const c_void, Option<GetParams>>(entry.function)
                    }
                    5 => {
                        core.new_error =
                            std::mem::transmute::<*const c_void, Option<NewError>>(entry.function)
                    }
                    6 => {
                        core.set_error_debug = std::mem::transmute::<
                            *const c_void,
                            Option<SetErrorDebug>,
                        >(entry.function)
                    }
                    7 => {
                        core.vset_error =
                            std::mem::transmute::<*const c_void, Option<VsetError>>(entry.function)
                    }
                    42 => {
                        core.bio_read =
                            std::mem::transmute::<*const c_void, Option<BioRead>>(entry.function)
                    }
                    _ => {}
                }
            }
            // SAFETY: that was not the end.
            next = unsafe { next.add(1) };
        }
        core
    }

    /// No library.
    #[cfg(test)]
    pub(crate) fn none() -> Self {
        // SAFETY: no handle and no functions.
        unsafe { Self::new(null(), null()) }
    }

    /// A setting of the configuration, or a fact about the library such as `openssl-version`.
    pub(crate) fn setting(&self, key: &CStr) -> Option<String> {
        let mut place: *const c_char = null();
        let mut request = [Param::request(key, &mut place), Param::END];
        // SAFETY: the list has its end, and its only place is a pointer to a string.
        let found = unsafe { self.get_params?(self.handle, request.as_mut_ptr()) };
        // SAFETY: null, or a string that stays as long as the provider is loaded.
        let text = unsafe { text(place) }?;
        (found == 1).then(|| text.to_owned())
    }

    /// Puts a failure into the error queue.
    pub(crate) fn raise(&self, failure: &Failure) {
        let Some((reason, detail)) = failure.report() else {
            return;
        };
        let (Some(new_error), Some(set_error_debug), Some(vset_error)) =
            (self.new_error, self.set_error_debug, self.vset_error)
        else {
            return;
        };
        // libcrypto takes it as a format string.
        let detail = CString::new(detail.replace('%', "%%")).unwrap_or_default();
        let format = if detail.is_empty() {
            null()
        } else {
            detail.as_ptr()
        };
        let mut arguments = NoArguments([0; 64]);
        // SAFETY: the handle is libcrypto's, the strings end with a zero, and the format reads no
        // argument.
        unsafe {
            new_error(self.handle);
            set_error_debug(self.handle, c"kuaimi".as_ptr(), 0, null());
            vset_error(
                self.handle,
                reason as c_uint,
                format,
                (&raw mut arguments).cast(),
            );
        }
    }

    /// Whether Tongsuo has loaded the provider: its version is that of the OpenSSL that it is based
    /// on.
    pub(crate) fn is_tongsuo(&self) -> bool {
        self.symbol(c"Tongsuo_version_num").is_some()
    }

    /// The address of a function of the library that loaded the provider, if that library, or the
    /// program that it is linked into, exports it.
    pub(super) fn symbol(&self, name: &CStr) -> Option<*const c_void> {
        let get_params = self.get_params?;
        // SAFETY: all zeroes is a value of this structure.
        let mut info: libc::Dl_info = unsafe { std::mem::zeroed() };
        // SAFETY: the address of a function of libcrypto's. The path stays as long as that is
        // loaded.
        unsafe {
            if libc::dladdr(get_params as *const c_void, &raw mut info) == 0
                || info.dli_fname.is_null()
            {
                return None;
            }
            // The library, or the program that it is linked into; both are loaded already.
            for file in [info.dli_fname, null()] {
                let library = libc::dlopen(file, libc::RTLD_LAZY | libc::RTLD_NOLOAD);
                if !library.is_null() {
                    let found = libc::dlsym(library, name.as_ptr());
                    let mut owner: libc::Dl_info = std::mem::zeroed();
                    let same = !found.is_null()
                        && libc::dladdr(found, &raw mut owner) != 0
                        && owner.dli_fbase == info.dli_fbase;
                    libc::dlclose(library);
                    if same {
                        return Some(found.cast_const());
                    }
                }
            }
        }
        None
    }
}

/// `OSSL_CORE_BIO`: where a decoder reads.
pub(crate) struct Input<'a> {
    core: &'a Core,
    bio: *mut c_void,
}

impl<'a> Input<'a> {
    /// # Safety
    /// `bio` is libcrypto's, and only this call uses it for `'a`.
    pub(super) unsafe fn new(core: &'a Core, bio: *mut c_void) -> Self {
        Self { core, bio }
    }

    /// Fills `buffer`; false if the input ends before.
    pub(crate) fn read(&mut self, mut buffer: &mut [u8]) -> bool {
        let Some(read_some) = self.core.bio_read else {
            return false;
        };
        while !buffer.is_empty() {
            let mut read = 0;
            // SAFETY: the buffer has as many bytes as are asked for.
            let status = unsafe {
                read_some(
                    self.bio,
                    buffer.as_mut_ptr().cast(),
                    buffer.len(),
                    &raw mut read,
                )
            };
            if status <= 0 || read == 0 || read > buffer.len() {
                return false;
            }
            buffer = &mut buffer[read..];
        }
        true
    }
}
