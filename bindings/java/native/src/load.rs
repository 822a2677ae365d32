//! What the JVM calls when it loads the library, and the functions that are about the library as a
//! whole.

#![allow(unsafe_code)]

use std::ffi::c_void;

use jni::objects::{JByteArray, JClass};
use jni::sys::{JNI_ERR, JNI_VERSION_1_8, jint};
use jni::{EnvUnowned, JavaVM, NativeMethod, jni_str};

use crate::bytes::call_bytes;
use crate::call::{Entry, Failure, call};
use crate::{batch, cfca, cms, remembered, sm2, sm3, sm4, sm4_batch, sm9};

extern "system" fn version<'local>(
    env: EnvUnowned<'local>,
    _: JClass<'local>,
) -> JByteArray<'local> {
    call_bytes(env, |_| Ok(env!("CARGO_PKG_VERSION")))
}

extern "system" fn backend<'local>(
    env: EnvUnowned<'local>,
    _: JClass<'local>,
) -> JByteArray<'local> {
    call_bytes(env, |_| Ok(kuaimi::backend().to_string()))
}

/// Panics, so that a test sees what becomes of a panic.
extern "system" fn panic<'local>(env: EnvUnowned<'local>, _: JClass<'local>) {
    call(env, |_| -> Result<(), Failure> { panic!("as asked") })
}

/// Forgets all keys, and wipes what is secret of them.
extern "system" fn forget_all<'l>(env: EnvUnowned<'l>, _: JClass<'l>) {
    call(env, |_| {
        remembered::forget_all();
        sm9::forget_all();
        Ok(())
    })
}

const LIBRARY: &[Entry] = &[
    (
        jni_str!("version"),
        jni_str!("()[B"),
        version as *mut c_void,
    ),
    (
        jni_str!("backend"),
        jni_str!("()[B"),
        backend as *mut c_void,
    ),
    (jni_str!("panic"), jni_str!("()V"), panic as *mut c_void),
    (
        jni_str!("forgetAll"),
        jni_str!("()V"),
        forget_all as *mut c_void,
    ),
];

/// What the JVM calls when it has loaded the library.
#[unsafe(no_mangle)]
extern "system" fn JNI_OnLoad(vm: *mut jni::sys::JavaVM, _: *mut c_void) -> jint {
    // SAFETY: the JVM passes its own address.
    let vm = unsafe { JavaVM::from_raw(vm) };
    // Before other threads come: a child of a fork would wait for ever for a store that a thread of
    // its parent was making.
    remembered::make_all();
    sm9::make_all();
    let tables = [
        LIBRARY,
        sm2::FUNCTIONS,
        sm3::FUNCTIONS,
        sm4::FUNCTIONS,
        sm9::FUNCTIONS,
        batch::FUNCTIONS,
        sm4_batch::FUNCTIONS,
        cms::FUNCTIONS,
        cfca::FUNCTIONS,
    ];
    let registered = vm.attach_current_thread(|env| {
        let class = env.find_class(jni_str!("io/github/kuaimi/internal/Native"))?;
        // SAFETY: each entry's function has the arguments and the result that its type says, after
        // the environment and the class.
        let methods: Vec<_> = tables
            .concat()
            .into_iter()
            .map(|(name, signature, function)| unsafe {
                NativeMethod::from_raw_parts(name, signature, function)
            })
            .collect();
        // SAFETY: all of them are static methods.
        unsafe { env.register_native_methods(class, &methods) }
    });
    match registered {
        Ok(()) => JNI_VERSION_1_8,
        Err(_) => JNI_ERR,
    }
}
