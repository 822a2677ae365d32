//! Checksums, against the openssl program, sha256sum's manner, and the standard's example.

mod common;

use common::Lab;

const ABC: &str = "66c7f0f462eeedd9d1f2d46bdc10e4e24167c4875cf2f7a2297da02b8f4ba8e0";

#[test]
fn digests() {
    let lab = Lab::new();
    assert_eq!(lab.pipe("sm3", b"abc").ok().text(), format!("{ABC}  -\n"));
    lab.write("abc", "abc");
    lab.write("long", common::noise(1_000_003, 4));
    assert_eq!(lab.sh("sm3 abc").ok().text(), format!("{ABC}  abc\n"));
    assert_eq!(
        lab.sh("sm3 --binary abc").ok().text(),
        format!("{ABC} *abc\n")
    );
    assert_eq!(
        lab.sh("sm3 --tag abc").ok().text(),
        format!("SM3 (abc) = {ABC}\n")
    );
    assert_eq!(lab.sh("sm3 -z abc").ok().text(), format!("{ABC}  abc\0"));
    let theirs = lab.openssl("dgst -sm3 -r long").ok();
    assert_eq!(lab.sh("sm3 -b long").ok().stdout, theirs.stdout);
    // The buffer is as large as a small file.
    for size in [0, 1, 4095, 4096, 4097, 262_143, 262_144, 262_145] {
        lab.write("sized", common::noise(size, 5));
        let theirs = lab.openssl("dgst -sm3 -r sized").ok();
        assert_eq!(lab.sh("sm3 -b sized").ok().stdout, theirs.stdout, "{size}");
    }
    // A file that cannot be read stops none of the others.
    let some = lab
        .sh("sm3 nowhere abc .")
        .status(2)
        .says(&["nowhere", "directory"]);
    assert_eq!(some.text(), format!("{ABC}  abc\n"));
}

#[test]
fn hmac() {
    let lab = Lab::new();
    lab.write("key", "key");
    lab.write("abc", "abc");
    let ours = lab.sh("sm3 --hmac-key-file key --tag abc").ok();
    let theirs = lab.openssl("dgst -sm3 -hmac key abc").ok();
    let digest = |text: &str| text.trim().rsplit(' ').next().unwrap().to_owned();
    assert_eq!(digest(ours.text()), digest(theirs.text()));
    assert!(ours.text().starts_with("HMAC-SM3 (abc) = "));
    lab.write("macs", &ours.stdout);
    lab.sh("sm3 --check --hmac-key-file key macs").ok();
    lab.sh("sm3 --check macs").status(1);
    lab.write("none", "");
    lab.sh("sm3 --hmac-key-file none abc")
        .status(2)
        .says(&["empty"]);
}

#[test]
fn names_are_escaped_as_sha256sum_does() {
    let lab = Lab::new();
    let names = [
        "a b",
        "-dash",
        "line\nfeed",
        "back\\slash",
        "return\r",
        "快密",
    ];
    for name in names {
        lab.write(name, name);
    }
    for options in [&["sm3", "--"][..], &["sm3", "--tag", "--"]] {
        let sums = lab.run(options.iter().copied().chain(names)).ok();
        assert_eq!(sums.text().lines().count(), names.len());
        lab.write("sums", &sums.stdout);
        let checked = lab.sh("sm3 --check sums").ok();
        assert!(
            checked.text().lines().all(|line| line.ends_with(": OK")),
            "{checked:?}"
        );
    }
    // The same lines but for the digests.
    let lines = |ran: common::Ran| -> Vec<String> {
        let text = ran.text().to_owned();
        let line = |line: &str| match line.strip_prefix('\\') {
            Some(rest) => format!("\\{}", &rest[64..]),
            None => line[64..].to_owned(),
        };
        text.split_terminator('\n').map(line).collect()
    };
    let ours = lines(lab.run(["sm3", "--"].into_iter().chain(names)).ok());
    let theirs = lab
        .command("sha256sum")
        .arg("--")
        .args(names)
        .output()
        .expect("sha256sum");
    // Older versions leave a carriage return as it is.
    let theirs: Vec<_> = lines(common::ran(theirs).ok());
    for (ours, theirs) in ours.iter().zip(&theirs) {
        if !ours.contains("return") {
            assert_eq!(ours, theirs);
        }
    }
}

#[test]
fn check() {
    let lab = Lab::new();
    for name in ["one", "two", "three"] {
        lab.write(name, name);
    }
    let sums = lab.sh("sm3 one two three").ok();
    lab.write("sums", &sums.stdout);
    assert_eq!(
        lab.sh("sm3 -c sums").ok().text(),
        "one: OK\ntwo: OK\nthree: OK\n"
    );
    assert_eq!(
        lab.pipe("sm3 -c", &sums.stdout).ok().text().lines().count(),
        3
    );
    assert_eq!(lab.sh("sm3 -c --quiet sums").ok().text(), "");

    lab.write("two", "2");
    let no = lab
        .sh("sm3 -c sums")
        .status(1)
        .says(&["1 checksum did NOT match"]);
    assert_eq!(no.text(), "one: OK\ntwo: FAILED\nthree: OK\n");
    assert_eq!(
        lab.sh("sm3 -c --quiet sums").status(1).text(),
        "two: FAILED\n"
    );
    let silent = lab.sh("sm3 -c --status sums").status(1);
    assert!(silent.stdout.is_empty() && silent.stderr.is_empty());

    std::fs::remove_file(lab.path("two")).unwrap();
    let no = lab
        .sh("sm3 -c sums")
        .status(1)
        .says(&["two", "could not be read"]);
    assert!(no.text().contains("two: FAILED open or read\n"));
    assert_eq!(
        lab.sh("sm3 -c --ignore-missing sums").ok().text(),
        "one: OK\nthree: OK\n"
    );
    lab.write("gone", format!("{ABC}  nowhere\n"));
    lab.sh("sm3 -c --ignore-missing gone")
        .status(1)
        .says(&["nothing was checked"]);

    // Comments and empty lines count for nothing, ill-formed lines for little unless --strict.
    lab.write("two", "two");
    let mut more = b"# made today\r\n\n".to_vec();
    more.extend_from_slice(&sums.stdout);
    more.extend_from_slice(b"no checksum\n");
    lab.write("more", &more);
    lab.sh("sm3 -c more").ok().says(&["1 line is ill-formed"]);
    lab.sh("sm3 -c -w more").ok().says(&["line 6"]);
    lab.sh("sm3 -c --strict more").status(1);
    lab.write(
        "crlf",
        String::from_utf8(sums.stdout)
            .unwrap()
            .replace('\n', "\r\n"),
    );
    lab.sh("sm3 -c --strict crlf").ok();

    lab.sh("sm3 -c one")
        .status(2)
        .says(&["one", "no checksum line"]);
    lab.sh("sm3 -c nowhere sums").status(2).says(&["nowhere"]);
    lab.sh("sm3 --quiet one").status(2);
    lab.sh("sm3 -c --tag sums").status(2);
    lab.openssl("dgst -sm3 -out theirs one").ok();
    lab.sh("sm3 -c theirs").ok();
}

/// Whatever the number of threads: the same lines in the same order, the same errors, the same
/// status.
#[test]
fn threads_change_nothing() {
    let lab = Lab::new();
    lab.write("key", "key");
    let mut names: Vec<String> = Vec::new();
    for i in 0..300_usize {
        let name = format!("file{i}");
        // The first ones are long, so that others are done before them.
        let length = if i < 4 { 3_000_000 } else { i };
        lab.write(&name, common::noise(length, i as u64));
        names.push(name);
    }
    // The name of standard input is not the name of a file.
    lab.write("-", "a file");
    for (place, name) in [(7, "nowhere"), (100, "."), (101, "-"), (250, "-")] {
        names.insert(place, name.to_owned());
    }
    for options in [&["--tag"][..], &["--hmac-key-file", "key"], &["-z"]] {
        let run = |threads: &str| {
            let mut command = lab.kuaimi();
            command.args(["sm3", "--threads", threads]).args(options);
            common::feed(command.args(&names), b"abc").status(2)
        };
        let one = run("1").says(&["nowhere", "directory"]);
        for threads in ["2", "16", "4096"] {
            let many = run(threads);
            assert!(many.stdout == one.stdout, "{options:?} {threads}");
            assert_eq!(many.stderr, one.stderr, "{options:?} {threads}");
        }
    }
    // Standard input was read once, by the first that named it.
    let mut command = lab.kuaimi();
    command.args(["sm3", "--threads", "16", "-", "file9", "-"]);
    let both = common::feed(&mut command, b"abc").ok();
    let lines: Vec<&str> = both.text().lines().collect();
    assert_eq!(lines.len(), 3);
    assert_eq!(lines[0], format!("{ABC}  -"));
    assert!(lines[1].ends_with("  file9"));
    assert_ne!(lines[2], lines[0]);
    // And by one of them at a time.
    let long = common::noise(20_000_000, 1);
    let run = |threads: &str| {
        let mut command = lab.kuaimi();
        command.args(["sm3", "--threads", threads, "-", "-", "-", "-"]);
        common::feed(&mut command, &long).ok().stdout
    };
    assert_eq!(run("4"), run("1"));
    for wrong in ["0", "-1", "x", "5000"] {
        lab.sh(&format!("sm3 --threads {wrong} file1")).status(2);
    }
}

#[test]
fn threads_change_nothing_in_checks() {
    let lab = Lab::new();
    lab.write("key", "key");
    let names: Vec<String> = (0..200).map(|i| format!("file{i}")).collect();
    for (i, name) in names.iter().enumerate() {
        lab.write(name, common::noise(i * 100, i as u64));
    }
    for mac in [&[][..], &["--hmac-key-file", "key"]] {
        let run = |options: &[&str], files: &[String]| {
            lab.run(
                std::iter::once("sm3")
                    .chain(mac.iter().copied())
                    .chain(options.iter().copied())
                    .chain(files.iter().map(String::as_str)),
            )
        };
        let sums = run(&["--threads", "4"], &names).ok();
        lab.write("sums", &sums.stdout);
        let good = run(&["-c", "--threads", "4"], &["sums".into()]).ok();
        assert_eq!(good.text().lines().count(), names.len());
        assert!(good.text().starts_with("file0: OK\nfile1: OK\n"));
        // Under another key, or none, nothing matches.
        let other = match mac.is_empty() {
            true => lab.sh("sm3 -c --threads 4 --hmac-key-file key sums"),
            false => lab.sh("sm3 -c --threads 4 sums"),
        };
        other.status(1).says(&["200 checksums did NOT match"]);

        let text = sums.text().replace("file7\n", "gone\n");
        let text = text.replacen(' ', "x", 1).replace("file99\n", "file98\n");
        lab.write("damaged", format!("# a comment\n{text}\n"));
        for options in [
            &["-c", "-w"][..],
            &["-c", "--quiet"],
            &["-c", "--ignore-missing"],
            &["-c", "--status", "--strict"],
        ] {
            let with = |threads| {
                run(
                    &[options, &["--threads", threads]].concat(),
                    &["damaged".into(), "nowhere".into(), "sums".into()],
                )
                .status(2)
            };
            let one = with("1");
            for threads in ["2", "16"] {
                let many = with(threads);
                assert!(many.stdout == one.stdout, "{options:?} {threads}");
                assert_eq!(many.stderr, one.stderr, "{options:?} {threads}");
            }
        }
        run(&["-c", "--threads", "4"], &["damaged".into()])
            .status(1)
            .says(&[
                "1 line is ill-formed",
                "1 listed file could not be read",
                "1 checksum did NOT match",
            ]);
    }
}

/// What is before a long input is printed before its end.
#[test]
fn lines_come_as_soon_as_they_can() {
    use std::io::{BufRead as _, BufReader, Read as _, Write as _};
    use std::process::Stdio;

    let lab = Lab::new();
    lab.write("abc", "abc");
    let mut child = lab
        .kuaimi()
        .args(["sm3", "--threads", "3", "abc", "-", "abc"])
        .stdin(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap());
    let mut line = String::new();
    lines.read_line(&mut line).unwrap();
    assert_eq!(line, format!("{ABC}  abc\n"));
    // Only now standard input comes to its end.
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(b"abc").unwrap();
    drop(stdin);
    let mut rest = String::new();
    lines.read_to_string(&mut rest).unwrap();
    assert_eq!(rest, format!("{ABC}  -\n{ABC}  abc\n"));
    assert!(child.wait().unwrap().success());
}

/// Nobody reads: the threads stop in the middle of their files.
#[cfg(unix)]
#[test]
fn threads_end_with_the_reader() {
    let lab = Lab::new();
    lab.write("abc", "abc");
    for name in ["long", "longer"] {
        let file = std::fs::File::create(lab.path(name)).unwrap();
        // Hours of work.
        file.set_len(1 << 42).unwrap();
    }
    // Before the program starts: a line that is written earlier stays in the pipe, and the next one
    // comes after hours.
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let mut program = lab.kuaimi();
    program
        .args(["sm3", "--threads", "3", "abc", "long", "longer"])
        .stdout(writer);
    let ran = common::ran(program.output().unwrap());
    assert_eq!((ran.status, ran.stderr.as_str()), (141, ""));
}
