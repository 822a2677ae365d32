//! The headers are those that the sources make, and each compiles alone.

#[path = "../common/mod.rs"]
mod common;
mod generate;
mod marks;

use std::collections::BTreeSet;
use std::process::Command;

use common::declarations::{Group, Kind, functions};
use common::{C_FLAGS, CPP_FLAGS, Link, compile, compiled, files, headers, link, root, run};
use generate::{HEADERS, generated, guard};

#[test]
fn the_headers_are_up_to_date() {
    let (folder, wanted) = (root().join("include"), generated());
    let how = "run KUAIMI_WRITE_HEADER=1 cargo test -p kuaimi-capi --test header";
    let committed = headers();
    let expected: BTreeSet<String> = wanted.keys().cloned().collect();
    assert_eq!(committed, expected, "the files in include: {how}");
    for (place, text) in wanted {
        let found = std::fs::read_to_string(folder.join(place)).expect("the header");
        assert!(
            found == *text,
            "include/{place} is not what the sources make: {how}"
        );
    }
}

/// All headers that the sources make.
fn all_text() -> String {
    generated().values().map(String::as_str).collect()
}

/// A file that is missing in [`HEADERS`] would have functions without a declaration.
#[test]
fn every_function_is_declared_and_documented() {
    let folder = root().join("src");
    let mut names = Vec::new();
    for place in files(&folder) {
        let text = std::fs::read_to_string(folder.join(place)).expect("a source file");
        names.extend(text.lines().filter_map(|line| {
            let (_, rest) = line.split_once("extern \"C\" fn ")?;
            Some(rest.split('(').next()?.to_owned())
        }));
    }
    assert!(names.len() > 150, "{} functions", names.len());
    let all = all_text();
    let lines: Vec<&str> = all.lines().collect();
    for name in names {
        let call = format!("{name}(");
        let mut declared = (0..lines.len()).filter(|&line| {
            !lines[line].starts_with(" *")
                && lines[line]
                    .split([' ', '*'])
                    .any(|word| word.starts_with(&call))
        });
        let first = declared
            .next()
            .unwrap_or_else(|| panic!("{name} is not declared"));
        assert_eq!(declared.next(), None, "{name} is declared twice");
        let before = match lines[first - 1] {
            "KUAIMI_WARN_UNUSED_RESULT" => lines[first - 2],
            before => before,
        };
        assert_eq!(before, " */", "{name} has no documentation");
    }
}

/// The first page of `kuaimi.h` states the order.
#[test]
fn arguments_stand_in_one_order() {
    for function in functions(&all_text()) {
        let (name, groups) = (&function.name, function.groups());
        assert!(groups.is_sorted(), "{name}: {groups:?}");
        let is_output = |&place: &usize| groups[place] == Group::Outputs;
        let first = (0..groups.len()).find(is_output);
        for (place, parameter) in function.parameters.iter().enumerate() {
            let is = |wanted: &str| parameter.name == wanted;
            assert!(
                !is("out") || first == Some(place),
                "{name}: an output before out"
            );
            assert!(
                parameter.kind != Kind::OutputLength
                    || function.parameters[place - 1].name == "out",
                "{name}: no buffer before {}",
                parameter.name
            );
        }
    }
}

#[test]
fn the_results_that_are_errors_are_marked() {
    for function in functions(&all_text()) {
        let name = &function.name;
        assert_eq!(
            function.is_marked,
            function.returns == "kuaimi_error",
            "{name}"
        );
        if name.ends_with("_free") {
            assert!(function.nonnull.is_empty(), "{name} takes null");
        }
    }
}

/// Whether a function body of these lines compiles as C and as C++, which must agree.
fn compiles(lines: &str, more: &[&str]) -> bool {
    let folder = tempfile::tempdir().expect("a folder");
    let mut results = [("body.c", C_FLAGS), ("body.cpp", CPP_FLAGS)].map(|(name, flags)| {
        let file = folder.path().join(name);
        let text = format!(
            "#include <kuaimi.h>\nint body(kuaimi_sm3 *hash);\nint body(kuaimi_sm3 *hash)\n{{\n{lines}\n}}\n"
        );
        std::fs::write(&file, text).expect("a source file");
        let output = compiled(flags, &file, &[more, &["-c", "-o", "/dev/null"]].concat());
        (output.status.success(), String::from_utf8_lossy(&output.stderr).into_owned())
    });
    assert_eq!(
        results[0].0, results[1].0,
        "{lines} with {more:?}: {results:?}"
    );
    let [(success, message), _] = &mut results;
    assert!(
        *success || message.contains("nonnull]") || message.contains("unused-result]"),
        "{message}"
    );
    *success
}

#[test]
fn the_marks_warn_and_can_be_changed() {
    generated();
    let (unused, null) = (
        "kuaimi_sm3_reset(hash); return 0;",
        "(void)hash; return kuaimi_sm3_reset(NULL);",
    );
    assert!(compiles("return kuaimi_sm3_reset(hash);", &[]));
    assert!(!compiles(unused, &[]));
    assert!(!compiles(unused, &["-O2"]));
    assert!(!compiles(null, &[]));
    assert!(compiles(null, &["-O2"]));
    for lines in [unused, null] {
        assert!(compiles(lines, &["-DKUAIMI_NO_ATTRIBUTES"]));
        let own = ["-DKUAIMI_WARN_UNUSED_RESULT=", "-DKUAIMI_NONNULL(...)="];
        assert!(compiles(lines, &own));
    }
}

/// A program that compares with null after a call, with optimization: the call fails, and the
/// comparison is still there.
#[test]
#[cfg(target_os = "linux")]
fn an_optimizer_keeps_comparisons_with_null() {
    generated();
    let folder = tempfile::tempdir().expect("a folder");
    let (file, program) = (folder.path().join("null.c"), folder.path().join("null"));
    let text = "#include <kuaimi.h>\n\
        int main(int count, char **arguments)\n{\n\
        \x20   kuaimi_sm3 *hash = count > 1 ? (kuaimi_sm3 *)(void *)arguments[1] : NULL;\n\
        \x20   kuaimi_error error = kuaimi_sm3_reset(hash);\n\
        \x20   if (hash == NULL)\n        return error == KUAIMI_ERROR_NULL_POINTER ? 0 : 2;\n\
        \x20   return 1;\n}\n";
    std::fs::write(&file, text).expect("a source file");
    link(&[C_FLAGS, &["-O2"]].concat(), &file, &program, Link::Static);
    run(&mut Command::new(&program));
}

/// Compiles a program of these lines, as C and as C++.
fn compile_lines(lines: &str) {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, flags) in [("alone.c", C_FLAGS), ("alone.cpp", CPP_FLAGS)] {
        let file = folder.path().join(name);
        std::fs::write(&file, lines).expect("a source file");
        compile(flags, &file, &["-c", "-o", "/dev/null"]);
    }
}

#[test]
fn each_header_compiles_alone() {
    generated();
    for place in headers() {
        // Twice, as the guard must keep the second from declaring anything again.
        compile_lines(&format!(
            "#include <{place}>\n#include <{place}>\nint main(void) {{ return KUAIMI_OK; }}\n"
        ));
    }
}

/// The library passes and takes numbers of 32 bits where the header has an enumeration.
#[test]
fn enumerations_have_the_width_of_the_library() {
    let all = all_text();
    let ends = all.split("typedef enum {").skip(1);
    let names: Vec<&str> = ends
        .map(|rest| {
            let (_, after) = rest.split_once("\n} ").expect("the end of an enumeration");
            after.split(';').next().unwrap_or(after)
        })
        .collect();
    assert!(
        names.len() > 10 && names.contains(&"kuaimi_key_form"),
        "{names:?}"
    );
    let checks = names
        .iter()
        .map(|name| format!("typedef char {name}_has_32_bits[sizeof({name}) == 4 ? 1 : -1];\n"));
    compile_lines(&format!(
        "#include <kuaimi.h>\n{}",
        checks.collect::<String>()
    ));
}

/// With the guard of one defined, which leaves its content out, a header that includes it does not
/// compile.
#[test]
fn no_header_includes_what_it_does_not_need() {
    generated();
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("without.c");
    for header in HEADERS {
        std::fs::write(&file, format!("#include <kuaimi/{}.h>\n", header.name))
            .expect("a source file");
        let compiles = |defined: &[&str]| {
            let arguments = [&["-c", "-o", "/dev/null"], defined].concat();
            compiled(C_FLAGS, &file, &arguments).status.success()
        };
        assert!(compiles(&[]), "{}", header.name);
        for include in header.includes {
            let without = format!("-D{}", guard(include));
            assert!(
                !compiles(&[&without]),
                "{}.h needs no {include}.h",
                header.name
            );
        }
    }
}
