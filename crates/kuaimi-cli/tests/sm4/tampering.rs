//! Files that were altered, cut, or made to harm.

use super::*;

#[test]
fn every_byte_counts() {
    let lab = lab();
    lab.sh("sm4 encrypt --key-file k --out c m").ok();
    let file = lab.read("c");
    assert_eq!(file.len(), HEADER + 10 + 16);
    for i in 0..file.len() {
        let mut altered = file.clone();
        altered[i] ^= 1 << (i % 8);
        lab.write("altered", &altered);
        refused(&lab, "altered");
    }
    for length in 0..file.len() {
        lab.write("short", &file[..length]);
        refused(&lab, "short");
    }
    lab.write("long", [&file[..], b"x"].concat());
    refused(&lab, "long").says(&["altered"]);

    // The fields of a password's header; the salt and the tag are as above.
    lab.sh("sm4 encrypt --password-file pw --log-n 14 --out p m")
        .ok();
    let file = lab.read("p");
    for i in (0..16).chain([16, 47, 48, 79, 80, file.len() - 1]) {
        let mut altered = file.clone();
        altered[i] ^= 1;
        lab.write("altered", &altered);
        lab.sh("sm4 decrypt --password-file pw --out never altered")
            .status(1);
        assert!(!lab.exists("never"), "{i}");
    }
    lab.assert_clean();
}

#[test]
fn chunks_that_were_moved() {
    let lab = lab();
    lab.write("three", noise(2 * CHUNK + 100, 1));
    lab.write("even", noise(3 * CHUNK, 2));
    for name in ["three", "even"] {
        for copy in ["1", "2"] {
            lab.sh(&format!(
                "sm4 encrypt --key-file k --out {name}{copy} {name}"
            ))
            .ok();
        }
        let file = lab.read(&format!("{name}1"));
        let twin = lab.read(&format!("{name}2"));
        let (head, body) = file.split_at(HEADER);
        let chunks: Vec<&[u8]> = body.chunks(SEALED).collect();
        let of_twin: Vec<&[u8]> = twin[HEADER..].chunks(SEALED).collect();
        assert_eq!(chunks.len(), 3);
        let build = |parts: &[&[u8]]| [head, &parts.concat()].concat();
        let altered = [
            // Cut off at each edge.
            build(&[]),
            build(&chunks[..1]),
            build(&chunks[..2]),
            // In another order, twice, with one missing, with more.
            build(&[chunks[1], chunks[0], chunks[2]]),
            build(&[chunks[0], chunks[2], chunks[1]]),
            build(&[chunks[0], chunks[0], chunks[2]]),
            build(&[chunks[0], chunks[2]]),
            build(&[chunks[1], chunks[2]]),
            build(&[chunks[2]]),
            build(&[chunks[0], chunks[1], chunks[2], chunks[2]]),
            // Of another file under the same key, which has the same plaintext.
            build(&[chunks[0], of_twin[1], chunks[2]]),
            build(&[chunks[0], chunks[1], of_twin[2]]),
            build(&of_twin),
        ];
        for (i, altered) in altered.iter().enumerate() {
            lab.write("altered", altered);
            let no = refused(&lab, "altered").says(&["not complete"]);
            assert_eq!(no.stderr.lines().count(), 1, "{name} {i}");
        }
        // Within the chunks, too.
        for length in [1, 15, 16, 17, SEALED - 1, SEALED + 1, 2 * SEALED + 15] {
            lab.write("altered", &file[..HEADER + length]);
            refused(&lab, "altered");
        }
    }
    lab.assert_clean();
}

/// A hostile header cannot make the program use gigabytes of memory or hours of time.
#[cfg(target_os = "linux")]
#[test]
fn hostile_headers() {
    let lab = lab();
    for fields in [
        [1, 30, 8, 1, 0, 0, 0],
        [1, 63, 255, 255, 0, 0, 0],
        [1, 255, 8, 1, 0, 0, 0],
        [1, 18, 8, 1, 0, 0, 0],
        [1, 17, 8, 100, 0, 0, 0],
        [1, 0, 8, 1, 0, 0, 0],
        [1, 14, 0, 1, 0, 0, 0],
        [1, 14, 8, 0, 0, 0, 0],
        [2, 255, 255, 255, 255, 0, 0],
        [2, 0, 0, 0, 0, 0, 0],
    ] {
        lab.write("hostile", craft(fields, [0; 32], b"", b"x"));
        let mut shell = lab.command("sh");
        shell.args(["-c", "ulimit -d 60000 && exec \"$0\" \"$@\""]);
        shell.arg(env!("CARGO_BIN_EXE_kuaimi"));
        shell.args("sm4 decrypt --password-file pw --out never hostile".split(' '));
        common::ran(shell.output().unwrap())
            .status(1)
            .says(&["more memory or time"]);
        assert!(!lab.exists("never"));
    }
    // Unknown versions and kinds.
    let mut file = craft([0; 7], [0; 32], b"", b"x");
    file[8] = 3;
    lab.write("newer", &file);
    refused(&lab, "newer").says(&["version 3"]);
    lab.write("kind", craft([3, 0, 0, 0, 0, 0, 0], [0; 32], b"", b"x"));
    refused(&lab, "kind");
    refused(&lab, "m").says(&["m: ", "was not written by `kuaimi sm4 encrypt`"]);
}
