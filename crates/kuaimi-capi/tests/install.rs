//! The shared library's symbols and name, and `scripts/install`: what it puts in place serves
//! pkg-config and CMake, and goes away again.

#![cfg(target_os = "linux")]

mod common;

use std::collections::BTreeSet;
use std::fs::Permissions;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::Command;

use common::declarations::functions;
use common::{C_FLAGS, all_headers, built, files, root, run};

fn output_of(command: &mut Command) -> String {
    String::from_utf8(run(command).stdout).expect("text")
}

#[test]
fn only_functions_of_the_header_are_exported() {
    let symbols = output_of(
        Command::new("nm")
            .args(["-D", "--defined-only"])
            .arg(built().join("libkuaimi_c.so")),
    );
    let exported: BTreeSet<&str> = symbols
        .lines()
        .filter_map(|line| line.split_whitespace().nth(2))
        .collect();
    let declared = functions(&all_headers());
    let declared: BTreeSet<&str> = declared.iter().map(|f| f.name.as_str()).collect();
    assert_eq!(exported, declared);
}

#[test]
fn the_shared_library_has_a_versioned_name() {
    let dynamic = output_of(
        Command::new("readelf")
            .arg("-d")
            .arg(built().join("libkuaimi_c.so")),
    );
    let name = dynamic
        .lines()
        .find(|line| line.contains("SONAME"))
        .expect("a SONAME");
    assert!(name.ends_with("[libkuaimi.so.0]"), "{name}");
}

/// Runs the script. The provider and the program may not be built, so others stand for them where
/// they are wanted; this program writes two pages of a manual.
fn install(prefix: &Path, destination: &Path, with_program: bool, arguments: &[&str]) {
    let folder = tempfile::tempdir().expect("a folder");
    for file in ["libkuaimi_c.so", "libkuaimi_c.a"] {
        symlink(built().join(file), folder.path().join(file)).expect("a link");
    }
    if with_program {
        std::fs::write(folder.path().join("libkuaimi_provider.so"), "").expect("a file");
        let program = folder.path().join("kuaimi");
        let text = "#!/bin/sh\n[ \"$1 $2\" = \"man --out\" ] && touch \"$3/kuaimi.1\" \"$3/kuaimi-sm2.1\"\n";
        std::fs::write(&program, text).expect("a program");
        std::fs::set_permissions(&program, Permissions::from_mode(0o755)).expect("it can be run");
    }
    run(Command::new(root().join("../../scripts/install"))
        .args(arguments)
        .env("PREFIX", prefix)
        .env("DESTDIR", destination)
        .env("BUILT", folder.path()));
}

const INSTALLED: [&str; 20] = [
    "include/kuaimi.h",
    "include/kuaimi/authority.h",
    "include/kuaimi/base.h",
    "include/kuaimi/certificate.h",
    "include/kuaimi/cms.h",
    "include/kuaimi/form.h",
    "include/kuaimi/pkcs12.h",
    "include/kuaimi/sm2.h",
    "include/kuaimi/sm3.h",
    "include/kuaimi/sm4.h",
    "include/kuaimi/sm9.h",
    "include/kuaimi/tlcp.h",
    "lib/cmake/kuaimi/kuaimi-config-version.cmake",
    "lib/cmake/kuaimi/kuaimi-config.cmake",
    "lib/libkuaimi.a",
    "lib/libkuaimi.so",
    "lib/libkuaimi.so.0",
    "lib/libkuaimi.so.0.1.0",
    "lib/pkgconfig/kuaimi-static.pc",
    "lib/pkgconfig/kuaimi.pc",
];

const PROVIDER_AND_PROGRAM: [&str; 5] = [
    "bin/kuaimi",
    "lib/ossl-modules/kuaimi.so",
    "share/kuaimi/kuaimi.cnf",
    "share/man/man1/kuaimi-sm2.1",
    "share/man/man1/kuaimi.1",
];

#[test]
fn what_is_installed_is_removed() {
    let folder = tempfile::tempdir().expect("a folder");
    let prefix = Path::new("/opt/kuaimi");
    let inside = folder.path().join("opt/kuaimi");
    let mut expected: BTreeSet<String> = INSTALLED.map(str::to_owned).into();
    install(prefix, folder.path(), false, &[]);
    assert_eq!(files(&inside), expected);
    // A second time, over the first.
    install(prefix, folder.path(), true, &[]);
    expected.extend(PROVIDER_AND_PROGRAM.map(str::to_owned));
    assert_eq!(files(&inside), expected);
    let pc = std::fs::read_to_string(inside.join("lib/pkgconfig/kuaimi.pc")).expect("the file");
    // DESTDIR is where the package is put together, and in no file.
    assert!(pc.contains("prefix=/opt/kuaimi\n"), "{pc}");
    assert!(!pc.contains('@'), "{pc}");
    let configuration =
        std::fs::read_to_string(inside.join("share/kuaimi/kuaimi.cnf")).expect("the file");
    assert!(
        configuration.contains("\nmodule = /opt/kuaimi/lib/ossl-modules/kuaimi.so\n"),
        "{configuration}"
    );
    std::fs::write(inside.join("lib/another"), "a file of someone else").expect("a file");
    install(prefix, folder.path(), true, &["--uninstall"]);
    assert_eq!(files(&inside), BTreeSet::from(["lib/another".to_owned()]));
}

#[test]
fn pkg_config_finds_the_library() {
    let folder = tempfile::tempdir().expect("a folder");
    install(folder.path(), Path::new(""), false, &[]);
    let flags = |arguments: &[&str], package: &str| {
        let mut pkg_config = Command::new("pkg-config");
        pkg_config.env("PKG_CONFIG_PATH", folder.path().join("lib/pkgconfig"));
        let text = output_of(pkg_config.args(arguments).arg(package));
        text.split_whitespace()
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    assert_eq!(
        flags(&["--modversion"], "kuaimi"),
        [env!("CARGO_PKG_VERSION")]
    );
    let program = folder.path().join("program");
    let build = |more: &[&str], flags: &[String]| {
        run(Command::new(C_FLAGS[0])
            .args(&C_FLAGS[1..])
            .args(more)
            .arg(root().join("examples/sign.c"))
            .args(flags)
            .arg("-o")
            .arg(&program));
    };
    build(&[], &flags(&["--cflags", "--libs"], "kuaimi"));
    run(Command::new(&program).env("LD_LIBRARY_PATH", folder.path().join("lib")));
    // The archive, although the shared library is beside it.
    build(&[], &flags(&["--cflags", "--libs"], "kuaimi-static"));
    run(&mut Command::new(&program));
    assert_needs_the_c_library_alone(&program);
    // A program without any shared library.
    let all = flags(&["--cflags", "--libs", "--static"], "kuaimi");
    build(&["-static"], &all);
    run(&mut Command::new(&program));
    assert_eq!(needed(&program), [""; 0]);
}

/// The shared libraries that a program needs.
fn needed(program: &Path) -> Vec<String> {
    let dynamic = output_of(Command::new("readelf").arg("-d").arg(program));
    let needed = dynamic.lines().filter(|line| line.contains("(NEEDED)"));
    let name = |line: &str| Some(line.split_once('[')?.1.strip_suffix(']')?.to_owned());
    needed.filter_map(name).collect()
}

/// No unwinder beside it, which a machine with nothing installed may lack.
fn assert_needs_the_c_library_alone(program: &Path) {
    let of_c = [
        "libc.so",
        "libm.so",
        "libpthread.so",
        "libdl.so",
        "ld-linux",
    ];
    for name in needed(program) {
        assert!(of_c.iter().any(|known| name.starts_with(known)), "{name}");
    }
}

/// `make build`, then `make install` by a user who has no cargo, as root often has none.
#[test]
fn make_install_needs_no_cargo() {
    let folder = tempfile::tempdir().expect("a folder");
    let built_files = folder.path().join("built");
    std::fs::create_dir(&built_files).expect("a folder");
    let install = || {
        let mut make = Command::new("make");
        make.args(["install", "CARGO=no-such-cargo", "PREFIX=/opt/kuaimi"])
            .arg(format!("DESTDIR={}", folder.path().display()))
            .current_dir(root().join("../.."))
            .env("BUILT", &built_files);
        make
    };
    let refused = install().output().expect("make runs");
    let message = String::from_utf8_lossy(&refused.stderr);
    assert!(!refused.status.success());
    assert!(
        message.contains("run make build first, as the user who has cargo"),
        "{message}"
    );
    for file in ["libkuaimi_c.so", "libkuaimi_c.a"] {
        symlink(built().join(file), built_files.join(file)).expect("a link");
    }
    run(&mut install());
    let inside = folder.path().join("opt/kuaimi");
    assert_eq!(files(&inside), INSTALLED.map(str::to_owned).into());
}

#[test]
fn cmake_finds_the_library() {
    let folder = tempfile::tempdir().expect("a folder");
    let prefix = folder.path().join("installed");
    install(&prefix, Path::new(""), false, &[]);
    // The package may be moved after it was installed.
    let moved = folder.path().join("moved");
    std::fs::rename(&prefix, &moved).expect("the folder is renamed");
    let project = "cmake_minimum_required(VERSION 3.13)\n\
        project(user C)\n\
        find_package(kuaimi 0.1 REQUIRED)\n\
        add_executable(shared ${EXAMPLES}/sign.c)\n\
        target_link_libraries(shared kuaimi::kuaimi)\n\
        add_executable(static ${EXAMPLES}/sign.c)\n\
        target_link_libraries(static kuaimi::kuaimi_static)\n\
        find_package(kuaimi 0.2 QUIET)\n\
        if(kuaimi_FOUND)\n\
        \x20 message(FATAL_ERROR \"an older version serves\")\n\
        endif()\n";
    std::fs::write(folder.path().join("CMakeLists.txt"), project).expect("the project");
    let build = folder.path().join("build");
    run(Command::new("cmake")
        .arg("-S")
        .arg(folder.path())
        .arg("-B")
        .arg(&build)
        .arg(format!("-DCMAKE_PREFIX_PATH={}", moved.display()))
        .arg(format!("-DEXAMPLES={}", root().join("examples").display())));
    run(Command::new("cmake").arg("--build").arg(&build));
    for program in ["shared", "static"] {
        run(&mut Command::new(build.join(program)));
    }
    assert_needs_the_c_library_alone(&build.join("static"));
}
