//! The marks of functions: what each `call!` checks says which arguments must not be null.

/// What `kuaimi/base.h` says of the marks. An optimizer takes `nonnull` for a promise: after a
/// call, GCC removes the caller's own comparisons of the argument with null.
pub const MARKS: &str = r#"
/*
 * Marks of functions, for the warnings of compilers and analyzers. A program can define them otherwise before it includes a header, and
 * all of them as nothing with KUAIMI_NO_ATTRIBUTES.
 *
 * KUAIMI_WARN_UNUSED_RESULT: only the result says whether the function succeeded.
 *
 * KUAIMI_NONNULL(1, 4): the first and the fourth argument must not be null. A null pointer is an error at run time all the same
 * (KUAIMI_ERROR_NULL_POINTER). The attribute is there in builds without optimization and for analyzers alone: compilers that optimize would
 * take it for a promise, and remove a program's own comparisons with null.
 */
#ifndef KUAIMI_WARN_UNUSED_RESULT
#if (defined(__GNUC__) || defined(__clang__)) && !defined(KUAIMI_NO_ATTRIBUTES)
#define KUAIMI_WARN_UNUSED_RESULT __attribute__((__warn_unused_result__))
#else
#define KUAIMI_WARN_UNUSED_RESULT
#endif
#endif

#ifndef KUAIMI_NONNULL
#if (defined(__GNUC__) || defined(__clang__)) && (!defined(__OPTIMIZE__) || defined(__clang_analyzer__)) \
    && !defined(KUAIMI_NO_ATTRIBUTES)
#define KUAIMI_NONNULL(...) __attribute__((__nonnull__(__VA_ARGS__)))
#else
#define KUAIMI_NONNULL(...)
#endif
#endif"#;

const EXPORTED: &str = "#[unsafe(no_mangle)]\n";

/// A source with the marks of its functions, as cbindgen takes them.
pub fn marked(source: &str) -> String {
    let mut functions = source.split(EXPORTED);
    let mut text = functions.next().expect("the part before").to_owned();
    for function in functions {
        let (signature, body) = function.split_once(" {\n").expect("a function");
        let (body, _) = body.split_once("\n}\n").expect("the end of a function");
        let numbers = never_null(signature, body);
        if !numbers.is_empty() {
            text += &format!(
                "/// cbindgen:postfix=KUAIMI_NONNULL({})\n",
                numbers.join(", ")
            );
        }
        if signature.ends_with("-> kuaimi_error") {
            text += "#[must_use]\n";
        }
        text += EXPORTED;
        text += function;
    }
    text
}

/// The numbers of the arguments for which null is always an error.
fn never_null(signature: &str, body: &str) -> Vec<String> {
    let (_, parameters) = signature.split_once('(').expect("parameters");
    let (parameters, _) = parameters.rsplit_once(')').expect("their end");
    let names = parameters
        .split(',')
        .map(|it| it.split(':').next().unwrap_or(it).trim());
    let Some((_, call)) = body.split_once("call!(") else {
        return Vec::new();
    };
    let (readers, _) = call.split_once("=>").expect("the arguments of call!");
    let read: Vec<&str> = readers.split(" = ").skip(1).filter_map(checked).collect();
    let places = names.enumerate().filter(|(_, name)| read.contains(name));
    places.map(|(place, _)| (place + 1).to_string()).collect()
}

/// The pointer that a reader of `buffer.rs` or `handle.rs` refuses if it is null, whatever its
/// length: `handle(key)`.
fn checked(call: &str) -> Option<&str> {
    let (reader, arguments) = call.split_once('(').expect("a reader");
    let (arguments, _) = arguments.split_once(')').expect("its arguments");
    let mut arguments = arguments.split(", ");
    match reader.split("::").next().unwrap_or(reader) {
        "handle" | "new_handle" | "array" | "array_mut" | "array_out" | "digest" | "place"
        | "structure" | "text" => arguments.next(),
        // A null buffer asks for the size.
        "output" => arguments.nth(1),
        "input" | "items" | "handles" | "items_mut" | "new_handles" | "region" | "results"
        | "in_place" => None,
        reader if reader.starts_with("optional_") => None,
        reader => panic!("{reader}: may its pointer be null?"),
    }
}
