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
