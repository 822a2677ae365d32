//! A C program that misuses every function of the header: null pointers, handles of other types,
//! closed handles, short buffers.
//!
//! The calls are made from the header, so that no function and no argument is left out; `fixture.h`
//! has the arguments that are right. Each call gets one wrong argument, after the call without a
//! wrong one has shown that nothing else is. Before each, the results of items say success, as a
//! caller may have left them: no call that fails may leave them so.

#![cfg(target_os = "linux")]

#[path = "../common/mod.rs"]
mod common;

use std::fmt::Write;

use common::declarations::{Function, Kind, Parameter, functions, handle_types};
use common::{C_FLAGS, Link, all_headers, root, run_everywhere};

/// Whether the function verifies a message without its content.
fn is_verified(name: &str) -> bool {
    matches!(name, "kuaimi_cms_verify" | "kuaimi_cms_detached_new")
}

/// The argument that is right.
fn right(function: &Function, parameter: &Parameter) -> String {
    let (name, sm) = (function.name.as_str(), function.family());
    match (&parameter.kind, parameter.name.as_str()) {
        (Kind::Handle(handle), _) => format!("good.{handle}"),
        (Kind::NewHandle(handle), _) => format!("&made_{handle}"),
        (Kind::Handles(element), _) if element == "kuaimi_sm2_private_key" => {
            "private_keys".to_owned()
        }
        (Kind::Handles(_), _) => "certificates".to_owned(),
        (Kind::Input, "bytes") if name.starts_with("kuaimi_certificate_") => {
            "(const uint8_t *)certificate_pem".to_owned()
        }
        (Kind::Length, "len") if name.starts_with("kuaimi_certificate_") => {
            "sizeof certificate_pem - 1".to_owned()
        }
        (Kind::Input, "subject") => "(const uint8_t *)\"CN=leaf\"".to_owned(),
        (Kind::Length, "subject_len") => "7".to_owned(),
        (Kind::Structure(_), "names") => "host_names".to_owned(),
        (Kind::Input, "peer" | "host" | "server") => "(const uint8_t *)\"leaf.example\"".to_owned(),
        (Kind::Length, "peer_len" | "host_len" | "server_len") => "12".to_owned(),
        (Kind::Number, "suite") => "KUAIMI_TLCP_ECC_SM4_GCM_SM3".to_owned(),
        (Kind::Input, "message") if is_verified(name) => "cms_signed".to_owned(),
        (Kind::Length, "message_len") if is_verified(name) => "cms_signed_len".to_owned(),
        (Kind::Input, "message") if name == "kuaimi_cms_decrypt" => "cms_encrypted".to_owned(),
        (Kind::Length, "message_len") if name == "kuaimi_cms_decrypt" => {
            "cms_encrypted_len".to_owned()
        }
        (Kind::Input, "signature") if sm.is_empty() => "sm2_signature".to_owned(),
        (Kind::Length, "signature_len") if sm.is_empty() => "sizeof sm2_signature".to_owned(),
        (Kind::Input, "signature") => format!("{sm}_signature"),
        (Kind::Length, "signature_len") => format!("sizeof {sm}_signature"),
        (Kind::Input, "ciphertext") if name.contains("_cbc_") => "cbc_ciphertext".to_owned(),
        (Kind::Length, "ciphertext_len") if name.contains("_cbc_") => {
            "sizeof cbc_ciphertext".to_owned()
        }
        (Kind::Input, "ciphertext") => format!("{sm}_ciphertext"),
        (Kind::Length, "ciphertext_len") if sm == "sm9" => "sm9_ciphertext_len".to_owned(),
        (Kind::Length, "ciphertext_len") => format!("sizeof {sm}_ciphertext"),
        (Kind::Input, "blocks") => "scratch_2".to_owned(),
        (Kind::Input, _) => "in".to_owned(),
        (Kind::Output, "r_b" | "recovery_id" | "c") => "scratch_2".to_owned(),
        (Kind::Output, "s_a" | "s_b" | "tag") => "scratch_3".to_owned(),
        (Kind::Output, _) => "scratch".to_owned(),
        (Kind::OutputLength, _) => "&scratch_len".to_owned(),
        (Kind::Length, "nonce_len") => "12".to_owned(),
        (Kind::Length, "tag_len") => "16".to_owned(),
        (Kind::Length, "count" | "signer_count" | "key_count") => "1".to_owned(),
        (Kind::Length, "capacity") => "4".to_owned(),
        (Kind::Length, "index" | "place") => "0".to_owned(),
        (Kind::Length, _) => "32".to_owned(),
        (Kind::Structure(structure), _) => match structure.as_str() {
            "kuaimi_bytes" => "messages".to_owned(),
            "kuaimi_sm9_identity" => "identities".to_owned(),
            "kuaimi_sm9_options" => "&options".to_owned(),
            "kuaimi_password_encryption" => "&encryption".to_owned(),
            "kuaimi_cms_sign_options" => "&cms_sign_options".to_owned(),
            "size_t" => "&number".to_owned(),
            "uint64_t" => "&moment".to_owned(),
            "uint32_t" => "&depth".to_owned(),
            "kuaimi_rule" => "&rule".to_owned(),
            "kuaimi_error" => "results".to_owned(),
            "kuaimi_cache_stats" => "&cache_stats".to_owned(),
            "kuaimi_sm2_nonce_pool_stats" => "&nonce_pool_stats".to_owned(),
            item => format!("{}s", item.trim_start_matches("kuaimi_")),
        },
        (Kind::Text, _) => "\"portable\"".to_owned(),
        (Kind::Number, "form") if name.ends_with("_write_encrypted") => {
            "KUAIMI_KEY_PKCS8_DER".to_owned()
        }
        // Few iterations.
        (Kind::Number, "profile") => "KUAIMI_PKCS12_LEGACY".to_owned(),
        (Kind::Number, "hid" | "peer_hid" | "recovery_id" | "id") => "0".to_owned(),
        (Kind::Number, "time" | "this_update") => "1800000000".to_owned(),
        (Kind::Number, "next_update") => "1800003600".to_owned(),
        (Kind::Number, _) => "1".to_owned(),
    }
}

/// Whether the documentation allows null here.
fn may_be_null(function: &Function, parameter: &Parameter) -> bool {
    match &parameter.kind {
        Kind::Structure(structure) => matches!(
            structure.as_str(),
            "kuaimi_sm9_options" | "kuaimi_password_encryption" | "kuaimi_cms_sign_options"
        ),
        Kind::Handle(_) => function.name == "kuaimi_cms_decrypt" && parameter.name == "certificate",
        _ => false,
    }
}

/// A call with null in one place, and with no lengths: so a pointer that is marked is never null
/// without an error, and any other may be.
fn truth_of_the_mark(function: &Function, place: usize) -> [String; 3] {
    let (name, argument) = (&function.name, &function.parameters[place].name);
    let arguments: Vec<String> = function
        .parameters
        .iter()
        .enumerate()
        .map(|(i, parameter)| match parameter.kind {
            _ if i == place => "NULL".to_owned(),
            Kind::Length => "0".to_owned(),
            _ => right(function, parameter),
        })
        .collect();
    let is_marked = function.nonnull.contains(&(place + 1));
    let comparison = if is_marked { "==" } else { "!=" };
    [
        format!("error = {name}({});", arguments.join(", ")),
        format!(
            "EXPECT(error {comparison} KUAIMI_ERROR_NULL_POINTER, \"{name}, {argument} = NULL without lengths: %s\", kuaimi_error_message(error));"
        ),
        // A null buffer has asked for a size.
        "scratch_len = sizeof scratch;".to_owned(),
    ]
}

/// The call with one argument replaced.
fn call(function: &Function, wrong: Option<(usize, &str)>) -> String {
    let arguments: Vec<String> = function
        .parameters
        .iter()
        .enumerate()
        .map(|(i, parameter)| match wrong {
            Some((place, wrong)) if place == i => wrong.to_owned(),
            _ => right(function, parameter),
        })
        .collect();
    format!("{}({})", function.name, arguments.join(", "))
}

/// The calls of one function, as a C function.
fn misuses(function: &Function) -> String {
    let name = &function.name;
    let mut body = String::new();
    let mut add = |line: String| {
        let line = line.replace("\n", "\n    ");
        writeln!(body, "    {line}").expect("a string takes it");
    };
    if name.ends_with("_free") {
        for wrong in [
            "NULL".to_owned(),
            wrong_handle(function, 0),
            closed_handle(function, 0),
        ] {
            add(format!("{};", call(function, Some((0, &wrong)))));
        }
        return format!("static void misuse_{name}(void)\n{{\n{body}}}\n\n");
    }
    if name == "kuaimi_wipe" {
        // As `free` it has no result: it leaves alone what it cannot wipe.
        add(call(function, Some((0, "NULL"))) + ";");
        add(call(function, Some((1, "SIZE_MAX"))) + ";");
        return format!("static void misuse_{name}(void)\n{{\n{body}}}\n\n");
    }
    let has_results = function
        .parameters
        .iter()
        .any(|parameter| parameter.name == "results");
    let new_handles: Vec<&String> = function
        .parameters
        .iter()
        .filter_map(|parameter| match &parameter.kind {
            Kind::NewHandle(handle) => Some(handle),
            _ => None,
        })
        .collect();
    for handle in &new_handles {
        add(format!("{handle} *made_{handle} = NULL;"));
    }
    add("kuaimi_error error;".to_owned());
    add("scratch_len = sizeof scratch;".to_owned());
    let attempt = |wrong: Option<(usize, &str)>| format!("error = {};", call(function, wrong));

    // Without a wrong argument.
    add(attempt(None));
    add(format!(
        "EXPECT(error != KUAIMI_ERROR_NULL_POINTER && error != KUAIMI_ERROR_INVALID_HANDLE && error != KUAIMI_ERROR_INTERNAL\n\
         \x20   && error != KUAIMI_ERROR_INVALID_ARGUMENT && error != KUAIMI_ERROR_BUFFER_TOO_SMALL,\n\
         \x20   \"{name}: %s\", kuaimi_error_message(error));"
    ));
    for handle in &new_handles {
        add(format!(
            "EXPECT((error == KUAIMI_OK) == (made_{handle} != NULL), \"{name}: a handle and an error\");"
        ));
        add(format!("{handle}_free(made_{handle});"));
    }
    for (place, parameter) in function.parameters.iter().enumerate() {
        let argument = &parameter.name;
        let mut wrong = |value: String, expected: &str| {
            add("forget_outputs();".to_owned());
            add(attempt(Some((place, &value))));
            add(format!(
                "EXPECT(error == {expected}, \"{name}, {argument} = {value}: %s\", kuaimi_error_message(error));"
            ));
            if has_results && argument != "results" {
                add(format!(
                    "EXPECT(results[0] != KUAIMI_OK, \"{name}, {argument} = {value}: a result says success\");"
                ));
            }
            add(format!(
                "EXPECT(memcmp(scratch, in, 16) != 0, \"{name}, {argument} = {value}: the input is in the output\");"
            ));
            for handle in &new_handles {
                // A call that fails leaves null, or what was there if the place itself is not
                // known.
                let is_place = matches!(parameter.kind, Kind::NewHandle(_));
                let left = if is_place {
                    "1"
                } else {
                    &format!("made_{handle} == NULL")
                };
                add(format!(
                    "EXPECT({left}, \"{name}, {argument} = {value}: a stale handle\");"
                ));
            }
        };
        let is_size_query = matches!(parameter.kind, Kind::Output) && function.is_sized(place);
        if parameter.kind.is_pointer() && !may_be_null(function, parameter) && !is_size_query {
            wrong("NULL".to_owned(), "KUAIMI_ERROR_NULL_POINTER");
        }
        if matches!(parameter.kind, Kind::Handle(_)) {
            wrong(wrong_handle(function, place), "KUAIMI_ERROR_INVALID_HANDLE");
            wrong(
                closed_handle(function, place),
                "KUAIMI_ERROR_INVALID_HANDLE",
            );
            wrong(
                misaligned_handle(function, place),
                "KUAIMI_ERROR_INVALID_HANDLE",
            );
        }
        if let Kind::Handles(element) = &parameter.kind {
            let list = |pointer: &str| format!("({element} *[]){{{pointer}}}");
            wrong(list("NULL"), "KUAIMI_ERROR_NULL_POINTER");
            wrong(
                list(&format!("({element} *)(void *)good.kuaimi_sm3")),
                "KUAIMI_ERROR_INVALID_HANDLE",
            );
            wrong(
                list(&format!("closed.{element}")),
                "KUAIMI_ERROR_INVALID_HANDLE",
            );
        }
        if matches!(parameter.kind, Kind::Number)
            && !matches!(
                argument.as_str(),
                "hid"
                    | "peer_hid"
                    | "recovery_id"
                    | "time"
                    | "content_len"
                    | "number"
                    | "this_update"
                    | "next_update"
                    | "seconds"
            )
        {
            wrong("99".to_owned(), "KUAIMI_ERROR_INVALID_ARGUMENT");
        }
        if parameter.kind.is_pointer() {
            for line in truth_of_the_mark(function, place) {
                add(line);
            }
            for handle in &new_handles {
                add(format!("{handle}_free(made_{handle});"));
                add(format!("made_{handle} = NULL;"));
            }
        }
        if matches!(parameter.kind, Kind::Length)
            && !matches!(argument.as_str(), "capacity" | "shared_len")
        {
            // No object is so large. Of a fixed length, another is refused as such.
            add(attempt(Some((place, "SIZE_MAX"))));
            add(format!(
                "EXPECT(error == KUAIMI_ERROR_INVALID_ARGUMENT, \"{name}, {argument} = SIZE_MAX: %s\", kuaimi_error_message(error));"
            ));
        }
    }
    format!("static void misuse_{name}(void)\n{{\n{body}}}\n\n")
}

fn handle_type(function: &Function, place: usize) -> &str {
    match &function.parameters[place].kind {
        Kind::Handle(handle) => handle,
        other => panic!("{}: {other:?} is no handle", function.name),
    }
}

fn wrong_handle(function: &Function, place: usize) -> String {
    let wanted = handle_type(function, place);
    let other = if wanted == "kuaimi_sm3" {
        "kuaimi_sm4"
    } else {
        "kuaimi_sm3"
    };
    format!("({wanted} *)(void *)good.{other}")
}

fn closed_handle(function: &Function, place: usize) -> String {
    format!("closed.{}", handle_type(function, place))
}

fn misaligned_handle(function: &Function, place: usize) -> String {
    let wanted = handle_type(function, place);
    format!("({wanted} *)(void *)((char *)good.{wanted} + 1)")
}

/// The calls with buffers of the size that the function asks for, and of one byte less.
fn short_buffers(function: &Function) -> Option<String> {
    let out = (0..function.parameters.len()).find(|&place| {
        matches!(function.parameters[place].kind, Kind::Output) && function.is_sized(place)
    })?;
    let name = &function.name;
    // These write as much as there is room for, or may have nothing to write.
    if name.starts_with("kuaimi_tlcp_") && name != "kuaimi_tlcp_explain" {
        return None;
    }
    let query = call(function, Some((out, "NULL")));
    let write = call(function, Some((out, "buffer")));
    Some(format!(
        "static void short_{name}(void)\n{{
    uint8_t *buffer;
    size_t needed;
    kuaimi_error error;
    scratch_len = 0;
    error = {query};
    EXPECT(error == KUAIMI_OK, \"{name} for the size: %s\", kuaimi_error_message(error));
    EXPECT(scratch_len > 0, \"{name} needs nothing\");
    needed = scratch_len;
    /* Exactly as large, so that one byte more would be found by the tools that watch memory. */
    buffer = malloc(needed);
    if (buffer == NULL)
        exit(1);
    const size_t given[2] = {{0, needed - 1}};
    for (int i = 0; i < 2; i++) {{
        scratch_len = given[i];
        error = {write};
        EXPECT(error == KUAIMI_ERROR_BUFFER_TOO_SMALL, \"{name} with %d bytes: %s\", (int)given[i], kuaimi_error_message(error));
        EXPECT(scratch_len == needed, \"{name} asks for %d bytes and then for %d\", (int)needed, (int)scratch_len);
    }}
    scratch_len = needed;
    error = {write};
    EXPECT(error == KUAIMI_OK, \"{name} with the size that it asks for: %s\", kuaimi_error_message(error));
    EXPECT(scratch_len <= needed && scratch_len > 0, \"{name} wrote %d of %d bytes\", (int)scratch_len, (int)needed);
    free(buffer);
}}

"
    ))
}

/// How many functions have results of items.
fn with_results(functions: &[Function]) -> usize {
    let is_results = |parameter: &Parameter| parameter.name == "results";
    let has_results = |function: &&Function| function.parameters.iter().any(is_results);
    functions.iter().filter(has_results).count()
}

fn program() -> String {
    let header = all_headers();
    let functions = functions(&header);
    let fixture =
        std::fs::read_to_string(root().join("tests/misuse/fixture.h")).expect("the fixture");
    for handle in handle_types(&header) {
        assert!(
            fixture.contains(&format!("X({handle})")),
            "fixture.h has no {handle}"
        );
    }
    assert!(with_results(&functions) >= 18, "functions with results");
    let mut text = "#include \"fixture.h\"\n\n".to_owned();
    let mut main = String::new();
    let mut short = 0;
    for function in &functions {
        if let Some(calls) = short_buffers(function) {
            short += 1;
            text += &calls;
            main += &format!("    short_{}();\n", function.name);
        }
    }
    assert!(short > 30, "{short} functions with a buffer");
    let misused = functions.iter().filter(|function| {
        function
            .parameters
            .iter()
            .any(|parameter| parameter.kind.is_pointer())
    });
    for function in misused {
        text += &misuses(function);
        main += &format!("    misuse_{}();\n", function.name);
    }
    text + &format!(
        "int main(void)\n{{\n    make_fixture();\n{main}    free_handles(&good);\n    printf(\"{} functions, %d failures\\n\", failures);\n    return failures != 0;\n}}\n",
        functions.len()
    )
}

/// The program passes null on purpose. With the marks or without, the library refuses it.
fn misuse(how: Link, flag: &str) {
    let folder = tempfile::tempdir().expect("a folder");
    let fixture = folder.path().join("fixture.h");
    std::fs::copy(root().join("tests/misuse/fixture.h"), fixture).expect("a copy");
    let file = folder.path().join("misuse.c");
    std::fs::write(&file, program()).expect("the program is written");
    run_everywhere(&[C_FLAGS, &[flag]].concat(), &file, how);
}

#[test]
fn the_static_library_refuses_what_is_wrong() {
    misuse(Link::Static, "-Wno-nonnull");
}

#[test]
fn the_shared_library_refuses_what_is_wrong() {
    misuse(Link::Shared, "-DKUAIMI_NO_ATTRIBUTES");
}
