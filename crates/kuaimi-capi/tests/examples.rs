//! The examples compile without a warning, and run.

#![cfg(target_os = "linux")]

mod common;

use common::{C_FLAGS, CPP_FLAGS, Link, compile, link, root, run, run_everywhere};

#[test]
fn examples_run() {
    let mut count = 0;
    for entry in std::fs::read_dir(root().join("examples")).expect("the examples") {
        let file = entry.expect("an entry").path();
        let flags = match file.extension().and_then(|extension| extension.to_str()) {
            Some("c") => C_FLAGS,
            Some("cpp") => CPP_FLAGS,
            _ => continue,
        };
        for how in [Link::Static, Link::Shared] {
            run_everywhere(flags, &file, how);
        }
        count += 1;
    }
    assert!(count >= 8, "{count} examples");
}

/// The C code of the documents compiles, too, and runs. What is no whole program is the body of
/// one; what has its own headers and no `main` is a function, and is compiled alone.
#[test]
fn documented_code_runs() {
    let documents = [
        "docs/c.md",
        "docs/c.zh-CN.md",
        "README.md",
        "README.zh-CN.md",
        "docs/tls.md",
        "docs/tls.zh-CN.md",
    ];
    for (document, blocks) in documents.into_iter().zip([5, 5, 1, 1, 1, 1]) {
        let text =
            std::fs::read_to_string(root().join("../..").join(document)).expect("a document");
        let code: Vec<&str> = text
            .split("```c\n")
            .skip(1)
            .map(|rest| rest.split("```").next().expect("the end of the code"))
            .collect();
        assert_eq!(code.len(), blocks, "{document}");
        for code in code {
            let folder = tempfile::tempdir().expect("a folder");
            let (file, program) = (folder.path().join("code.c"), folder.path().join("code"));
            let is_function = code.starts_with("#include") && !code.contains("int main(");
            if is_function {
                std::fs::write(&file, code).expect("the file is written");
                compile(C_FLAGS, &file, &["-c", "-o", "/dev/null"]);
                continue;
            }
            let whole = if code.contains("int main(") {
                code.to_owned()
            } else {
                let includes =
                    ["kuaimi.h", "stdio.h", "stdlib.h"].map(|name| format!("#include <{name}>\n"));
                format!(
                    "{}int main(void)\n{{\n{code}return 0;\n}}\n",
                    includes.concat()
                )
            };
            std::fs::write(&file, whole).expect("the file is written");
            link(C_FLAGS, &file, &program, Link::Static);
            let output = run(&mut std::process::Command::new(&program)).stdout;
            let output = String::from_utf8(output).expect("text");
            let expected = [
                "success\n",
                "-----BEGIN PRIVATE KEY-----\n",
                "it fits under the empty identity\n",
            ];
            assert!(
                expected.iter().any(|start| output.starts_with(start)),
                "{document}: {output}"
            );
        }
    }
}
