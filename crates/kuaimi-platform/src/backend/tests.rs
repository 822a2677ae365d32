use std::collections::HashSet;

use super::*;

/// The first backend has an implementation of every kind, so that each kind has one on every CPU.
#[test]
fn the_first_backend_is_complete() {
    let first = &BACKENDS[0];
    assert!(first.needs.is_empty() && (first.is_available)());
    assert!(first.field.is_some() && first.lanes.is_some() && first.fq12.is_some());
    assert!(first.sm3.is_some() && first.sm3_many.is_some());
    assert!(first.sm4.is_some() && first.ghash.is_some());
}

/// The tests of this crate and of those above it run everything that this CPU can: both portable
/// backends, and backends that only detection at run time gives.
#[test]
fn tests_detect_the_cpu_and_have_all_backends() {
    // The backend `fiat` is there on request, and nowhere the last.
    let found: Vec<&str> = names().filter(|name| *name != "fiat").collect();
    assert_ne!(BACKENDS[fastest()].name, "fiat");
    let mut portable = ["portable32", "portable64"];
    if cfg!(not(target_pointer_width = "64")) {
        portable.reverse();
    }
    assert_eq!(found[..2], portable);
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    {
        use std::arch::is_x86_feature_detected as detected;
        let adx = detected!("avx2") && detected!("bmi2") && detected!("adx");
        assert_eq!(found.contains(&"adx"), adx);
    }
    #[cfg(all(target_arch = "aarch64", target_feature = "neon", not(miri)))]
    {
        use std::arch::is_aarch64_feature_detected as detected;
        assert!(found.contains(&"neon"), "part of the target");
        let aes = detected!("aes") && detected!("pmull");
        assert_eq!(found.contains(&"armv8-aes"), aes);
        assert_eq!(found.contains(&"armv8-sm"), detected!("sm4"));
    }
    #[cfg(all(target_arch = "aarch64", not(miri)))]
    assert!(found.contains(&"a64"));
}

/// No two backends have the same name, and each is found by its name.
#[test]
fn names_are_unique_and_found() {
    let all: HashSet<_> = BACKENDS.iter().map(|backend| backend.name).collect();
    assert_eq!(all.len(), BACKENDS.len());
    for name in names() {
        assert_eq!(BACKENDS[find(name).expect("a name of this CPU")].name, name);
    }
    for name in ["", "portable33", "ADX"] {
        let unknown = find(name).expect_err("no such backend");
        assert!(unknown.to_string().contains(&format!("{name:?}")));
    }
    for backend in BACKENDS.iter().filter(|backend| !(backend.is_available)()) {
        assert!(
            find(backend.name).is_err(),
            "{} cannot run here",
            backend.name
        );
    }
}

/// A kind gets the last implementation, up to the selected backend, that the CPU can run, and no
/// other.
#[test]
fn a_kind_gets_the_last_supported_implementation() {
    for (selected, backend) in BACKENDS
        .iter()
        .enumerate()
        .filter(|(_, backend)| (backend.is_available)())
    {
        let word = resolve(selected);
        assert_eq!((word & BACKEND_MASK) as usize, selected + 1);
        let expected = BACKENDS[..=selected]
            .iter()
            .filter(|backend| (backend.is_available)());
        let expected = expected.filter_map(|backend| backend.sm4).next_back();
        let found = Sm4::ALL[(word >> shift(Kind::sm4) & MASK) as usize];
        assert_eq!(Some(found), expected, "SM4 of {}", backend.name);
        if let Some(field) = backend.field {
            let found = (word >> shift(Kind::field)) & MASK;
            assert_eq!(Field::ALL[found as usize], field);
        }
    }
}

/// An implementation of several backends is given once, and the order is theirs.
#[test]
fn what_is_available_is_given_once_in_the_order_of_the_backends() {
    let given: Vec<Sm4> = Sm4::available().map(Supported::get).collect();
    let backends = BACKENDS.iter().filter(|backend| (backend.is_available)());
    let mut expected: Vec<Sm4> = backends.filter_map(|backend| backend.sm4).collect();
    expected.dedup();
    assert_eq!(given, expected);
    let forms: Vec<Fq12> = Fq12::available().map(Supported::get).collect();
    let scalar = forms.iter().filter(|form| **form == Fq12::Scalar);
    assert_eq!(scalar.count(), 1);
}

/// Backends with lanes need all the features of ADX, which computes the single elements beside the
/// lanes.
#[cfg(all(target_arch = "x86_64", not(miri)))]
#[test]
fn lanes_need_adx() {
    for (i, backend) in BACKENDS.iter().enumerate() {
        let lanes = backend.lanes.is_some_and(|lanes| lanes != Lanes::None);
        if lanes || backend.fq12.is_some_and(|form| form != Fq12::Scalar) {
            let adx = BACKENDS[..i]
                .iter()
                .find(|backend| backend.field == Some(Field::Adx));
            let adx = adx.expect("a backend with ADX before it");
            assert!(
                adx.needs
                    .iter()
                    .all(|feature| backend.needs.contains(feature)),
                "{}",
                backend.name
            );
        }
    }
}

/// The report names what is selected, and the selection may change at any time.
#[test]
fn a_selection_is_reported() {
    for name in names() {
        select(name).expect("a name of this CPU");
        assert_eq!(report().name(), name);
        let field = Field::selected().get().name();
        assert_eq!(report().implementation("field"), Some(field));
        assert!(
            report()
                .to_string()
                .starts_with(&format!("{name} (field {field}, "))
        );
    }
    assert!(select("no such backend").is_err());
    select(PORTABLE).expect("always there");
    assert!(report().name().starts_with(PORTABLE));
    assert_eq!(Sm4::selected().get(), Sm4::Portable);
}

/// What CPUs that these algorithms often run on get: the selected backend, and the implementation
/// of each kind. `make test-cpus` asks emulated ones.
#[cfg(all(target_arch = "x86_64", not(miri)))]
#[test]
fn cpus_of_the_field() {
    const WESTMERE: &[&str] = &["sse2", "ssse3", "aes", "pclmulqdq"];
    const NO_AVX2: &[&str] = &["sse2", "ssse3", "aes", "pclmulqdq", "avx", "bmi2", "adx"];
    const HASWELL: &[&str] = &["sse2", "ssse3", "aes", "pclmulqdq", "avx", "bmi2", "avx2"];
    const ADX: &[&str] = &[
        "sse2",
        "ssse3",
        "aes",
        "pclmulqdq",
        "avx",
        "bmi2",
        "avx2",
        "adx",
    ];
    const VAES: &[&str] = &["vaes", "vpclmulqdq"];
    const AVX512: &[&str] = &["avx512f", "avx512bw", "avx512vl", "avx512dq"];
    const NO_AES: &[&str] = &["sse2", "ssse3", "avx", "bmi2", "avx2", "adx"];
    let cpus: [(&str, &[&[&str]], &str); 10] = [
        (
            "Westmere",
            &[WESTMERE],
            "aesni: portable64, none, scalar, sse2, sse2x4, aesni, clmul",
        ),
        (
            "Zhaoxin LuJiaZui, which has ADX but no AVX2",
            &[NO_AVX2],
            "bmi2: portable64, none, scalar, bmi2, sse2x4, aesni, clmul",
        ),
        (
            "Haswell",
            &[HASWELL],
            "avx2: portable64, none, scalar, bmi2, avx2x8, aesni-avx2, clmul",
        ),
        (
            "Hygon Dhyana, as QEMU has it",
            &[NO_AES],
            "avx2-lanes: adx, avx2x4, avx2x4, bmi2, avx2x8, portable, portable",
        ),
        (
            "Zen, Skylake without AVX-512",
            &[ADX],
            "avx2-lanes: adx, avx2x4, avx2x4, bmi2, avx2x8, aesni-avx2, clmul",
        ),
        (
            "Zen 3",
            &[ADX, VAES],
            "avx2-lanes: adx, avx2x4, avx2x4, bmi2, avx2x8, vaes, vclmul",
        ),
        (
            "Skylake with AVX-512 but without IFMA, Cascade Lake",
            &[ADX, AVX512],
            "avx512-lanes: adx, avx512x8, avx2x4, bmi2, avx512x16, aesni-avx2, clmul",
        ),
        (
            "Alder Lake",
            &[ADX, VAES, &["gfni"]],
            "avx2-lanes: adx, avx2x4, avx2x4, bmi2, avx2x8, gfni, vclmul",
        ),
        (
            "Arrow Lake S, Lunar Lake",
            &[ADX, VAES, &["gfni", "avxifma", "sm3", "sm4"]],
            "vsm4: adx, avxifmax4, avxifmax4, vsm3, vsm3x2, vsm4, vclmul",
        ),
        (
            "Ice Lake, Zen 4",
            &[ADX, VAES, AVX512, &["gfni", "avx512ifma"]],
            "ifma: adx, ifmax8, ifmax4, bmi2, avx512x16, gfni512, vclmul512",
        ),
    ];
    for (cpu, features, expected) in cpus {
        let has = |feature: &&str| features.concat().contains(feature);
        let backends: Vec<&Backend> = BACKENDS
            .iter()
            .filter(|backend| backend.needs.iter().all(has))
            .collect();
        macro_rules! last {
            ($($field:ident),+) => {
                [$(backends.iter().filter_map(|backend| backend.$field).next_back().map_or("", |it| it.name())),+]
            };
        }
        let kinds = last!(field, lanes, fq12, sm3, sm3_many, sm4, ghash).join(", ");
        let name = backends.last().map_or("", |backend| backend.name);
        assert_eq!(format!("{name}: {kinds}"), expected, "{cpu}");
    }
}
