//! The entry of the module with a core that is none of a version that it knows: it says so and
//! refuses, whatever is missing.

#![cfg(target_os = "linux")]

use std::cell::RefCell;
use std::ffi::{CStr, CString, c_char, c_int, c_uint, c_void};
use std::ptr::{null, null_mut};

use kuaimi_provider::Dispatch;
use kuaimi_provider::OSSL_provider_init;

/// `OSSL_PARAM`.
#[repr(C)]
struct Param {
    key: *const c_char,
    data_type: c_uint,
    data: *mut c_void,
    data_size: usize,
    return_size: usize,
}

/// `OSSL_DISPATCH`.
#[repr(C)]
struct Entry {
    id: c_int,
    function: *const c_void,
}

thread_local! {
    /// What the core says that its version is.
    static VERSION: RefCell<Option<CString>> = const { RefCell::new(None) };
    /// The reasons that were raised, with their texts.
    static RAISED: RefCell<Vec<(c_uint, String)>> = const { RefCell::new(Vec::new()) };
}

unsafe extern "C" fn get_params(_handle: *const c_void, params: *mut Param) -> c_int {
    VERSION.with_borrow(|version| {
        let mut param = params;
        // SAFETY: a list that ends with a null key; what is asked for is the address of a text.
        unsafe {
            while !(*param).key.is_null() {
                if CStr::from_ptr((*param).key) == c"openssl-version"
                    && let Some(version) = version
                {
                    (*param)
                        .data
                        .cast::<*const c_char>()
                        .write(version.as_ptr());
                }
                param = param.add(1);
            }
        }
    });
    1
}

unsafe extern "C" fn new_error(_handle: *const c_void) {}

unsafe extern "C" fn set_error_debug(
    _handle: *const c_void,
    _file: *const c_char,
    _line: c_int,
    _function: *const c_char,
) {
}

unsafe extern "C" fn vset_error(
    _handle: *const c_void,
    reason: c_uint,
    format: *const c_char,
    _arguments: *mut c_void,
) {
    let text = if format.is_null() {
        String::new()
    } else {
        // SAFETY: a text that ends with a zero.
        unsafe { CStr::from_ptr(format) }
            .to_string_lossy()
            .into_owned()
    };
    RAISED.with_borrow_mut(|raised| raised.push((reason, text)));
}

fn errors() -> [Entry; 3] {
    [
        Entry {
            id: 5,
            function: new_error as *const c_void,
        },
        Entry {
            id: 6,
            function: set_error_debug as *const c_void,
        },
        Entry {
            id: 7,
            function: vset_error as *const c_void,
        },
    ]
}

/// Calls the entry: whether it accepts, and what it raises.
fn init(functions: Vec<Entry>, version: Option<&str>) -> (c_int, Vec<(c_uint, String)>) {
    VERSION.set(version.map(|version| CString::new(version).expect("a text")));
    RAISED.set(Vec::new());
    let mut functions = functions;
    functions.push(Entry {
        id: 0,
        function: null(),
    });
    let mut out: *const Dispatch = null();
    let mut context = null_mut();
    // SAFETY: the table ends with a zero, and its functions have the types that their numbers say.
    let result = unsafe {
        OSSL_provider_init(
            null(),
            functions.as_ptr().cast::<Dispatch>(),
            &raw mut out,
            &raw mut context,
        )
    };
    assert_eq!(result == 1, !out.is_null() && !context.is_null());
    (result, RAISED.take())
}

fn whole() -> Vec<Entry> {
    let mut functions = vec![Entry {
        id: 2,
        function: get_params as *const c_void,
    }];
    functions.extend(errors());
    functions
}

/// `WrongVersion`.
const WRONG_VERSION: c_uint = 30;

#[test]
fn other_versions_are_refused() {
    for version in [
        Some("1.1.1"),
        Some("2.0.0"),
        Some("5.0.0"),
        Some("30.1"),
        Some(""),
        Some("three"),
        Some("-3.0"),
        None,
    ] {
        let (result, raised) = init(whole(), version);
        assert_eq!(result, 0, "{version:?}");
        let [(reason, text)] = &raised[..] else {
            panic!("{version:?}: {raised:?}");
        };
        assert_eq!(*reason, WRONG_VERSION, "{version:?}");
        assert!(
            text.contains(&format!("'{}'", version.unwrap_or_default())),
            "{version:?}: {text}"
        );
    }
}

#[test]
fn known_versions_are_accepted() {
    for version in ["3.0.19", "3.5.0", "4.0.3", "4.1.0-dev"] {
        let (result, raised) = init(whole(), Some(version));
        assert_eq!((result, raised), (1, Vec::new()), "{version}");
    }
}

/// Even the functions that report errors may be missing, and unknown functions may be there.
#[test]
fn missing_functions_do_not_crash() {
    let get = || Entry {
        id: 2,
        function: get_params as *const c_void,
    };
    assert_eq!(init(Vec::new(), Some("3.0.0")).0, 0);
    assert_eq!(init(vec![get()], Some("1.1.1")).0, 0);
    assert_eq!(init(vec![get()], Some("3.0.0")).0, 1);
    let (result, raised) = init(errors().into(), Some("3.0.0"));
    assert_eq!((result, raised[0].0), (0, WRONG_VERSION));
    for missing in 0..3 {
        let mut functions = vec![
            get(),
            Entry {
                id: 999,
                function: null(),
            },
            Entry {
                id: 42,
                function: null(),
            },
        ];
        functions.extend(
            errors()
                .into_iter()
                .enumerate()
                .filter(|(i, _)| *i != missing)
                .map(|(_, entry)| entry),
        );
        let (result, raised) = init(functions, Some("1.1.1"));
        assert_eq!((result, raised), (0, Vec::new()));
    }
    let mut out: *const Dispatch = null();
    let mut context = null_mut();
    // SAFETY: no table at all.
    let result = unsafe { OSSL_provider_init(null(), null(), &raw mut out, &raw mut context) };
    assert_eq!(result, 0);
}
