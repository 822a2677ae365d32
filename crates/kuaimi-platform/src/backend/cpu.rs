//! What this CPU can do.

/// Whether this CPU has all the features named and the operating system saves their registers.
/// Without `std` the answer is whether the whole build was compiled for them.
macro_rules! cpu_has {
    ($($feature:tt),*) => { true $(&& cpu_has!(@ $feature))* };
    // Valgrind executes ADCX and ADOX, but the CPU that it shows to programs lacks them.
    (@ "adx") => { cpu_has!(@@ "adx") || $crate::backend::cpu::under_valgrind() };
    // For the compiler it is part of `aes`, for the detection it is not.
    (@ "pmull") => {{
        #[cfg(feature = "std")]
        let has = std::arch::is_aarch64_feature_detected!("pmull");
        #[cfg(not(feature = "std"))]
        let has = cfg!(target_feature = "aes");
        has
    }};
    // A module is compiled for an engine with these instructions, or without.
    (@ "simd128") => { cfg!(target_feature = "simd128") };
    (@ $feature:tt) => { cpu_has!(@@ $feature) };
    (@@ $feature:tt) => {{
        #[cfg(all(feature = "std", target_arch = "x86_64"))]
        let has = std::arch::is_x86_feature_detected!($feature);
        #[cfg(all(feature = "std", target_arch = "aarch64"))]
        let has = std::arch::is_aarch64_feature_detected!($feature);
        #[cfg(not(feature = "std"))]
        let has = cfg!(target_feature = $feature);
        has
    }};
}

pub(super) use cpu_has;

#[cfg(all(target_arch = "x86_64", not(miri)))]
pub(super) fn under_valgrind() -> bool {
    #[cfg(feature = "memcheck")]
    return crate::memcheck::running();
    #[cfg(not(feature = "memcheck"))]
    false
}

/// Whether this CPU divides 128-bit words in a few cycles.
///
/// There is no feature flag for this. The CPUs with fast division (AMD since Zen, Intel since Ice
/// Lake) also have the SHA instructions; no CPU that has ADX and takes 40 cycles for a division has
/// them.
#[cfg(all(target_arch = "x86_64", not(miri)))]
pub fn divides_fast() -> bool {
    cpu_has!("sha")
}
