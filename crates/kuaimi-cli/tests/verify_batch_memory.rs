//! The bulk job keeps within its memory, whatever a file holds or says of itself.

#![cfg(target_os = "linux")]

mod common;

use std::process::{Command, Stdio};

use common::crafted::{self, Column, Kind, Page, Thrift, plain};
use common::ledger::{self, Row};
use common::{Lab, Ran, feed};
use serde_json::Value;

/// What `docs/verify-batch.md` promises, in KiB.
const BOUND: usize = 200 << 10;

const GIB: u64 = 1 << 30;
const MIB: usize = 1 << 20;

/// Runs `verify-batch` with no more memory than was promised; with more, it would abort.
#[track_caller]
fn bounded(lab: &Lab, line: &str) -> Ran {
    let mut shell = lab.command("sh");
    shell.args(["-c", &format!("ulimit -d {BOUND} && exec \"$0\" \"$@\"")]);
    shell.arg(env!("CARGO_BIN_EXE_kuaimi"));
    shell.args("verify-batch --threads 2".split(' '));
    shell.args(line.split_whitespace());
    let ran = feed(&mut shell, b"");
    assert!((0..=2).contains(&ran.status), "{line}: {ran:?}");
    assert!(!ran.stderr.contains("panicked"), "{line}: {ran:?}");
    ran
}

/// Signed rows, with the columns of the first one's values replaced.
struct Ledger {
    keys: Vec<Vec<u8>>,
    messages: Vec<Vec<u8>>,
    signatures: Vec<Vec<u8>>,
}

impl Ledger {
    fn new(rows: usize) -> Self {
        let signer = ledger::Signer::new("1234567812345678");
        let rows: Vec<Row> = (0..rows)
            .map(|i| signer.row(&format!("message {i}")))
            .collect();
        Self {
            keys: rows.iter().map(|row| row.key.clone()).collect(),
            messages: rows
                .iter()
                .map(|row| row.message.clone().into_bytes())
                .collect(),
            signatures: rows.iter().map(|row| row.signature.clone()).collect(),
        }
    }

    /// A file whose messages are in this column.
    fn file(&self, messages: Column) -> Vec<u8> {
        fn slices(values: &[Vec<u8>]) -> Vec<&[u8]> {
            values.iter().map(Vec::as_slice).collect()
        }
        let columns = [
            Column::plain("key", &slices(&self.keys)),
            messages,
            Column::plain("signature", &slices(&self.signatures)),
        ];
        crafted::file(self.keys.len() as i64, &columns)
    }

    /// Pages of all messages in which the one at `place` has `length` zeros, as parts to compress.
    fn with_zeros(&self, place: usize, length: u64) -> Vec<(Vec<u8>, u64)> {
        let head = |i: usize| -> Vec<u8> {
            if i == place {
                (length as u32).to_le_bytes().to_vec()
            } else {
                plain(&self.messages[i])
            }
        };
        (0..self.messages.len())
            .map(|i| (head(i), if i == place { length } else { 0 }))
            .collect()
    }
}

fn parts(parts: &[(Vec<u8>, u64)]) -> Vec<(&[u8], u64)> {
    parts
        .iter()
        .map(|(bytes, zeros)| (&bytes[..], *zeros))
        .collect()
}

/// The limit is one: a third of it is not enough for a row of the largest size.
#[test]
fn the_limit_limits() {
    let lab = Lab::new();
    let large = ledger::Signer::new("1234567812345678").row(&"m".repeat(15 * MIB));
    lab.write("a.jsonl", ledger::jsonl(&[large]));
    bounded(&lab, "a.jsonl").ok();
    let mut shell = lab.command("sh");
    shell.args(["-c", "ulimit -d 30000 && exec \"$0\" verify-batch a.jsonl"]);
    shell.arg(env!("CARGO_BIN_EXE_kuaimi"));
    assert!(!(0..=2).contains(&feed(&mut shell, b"").status));
}

/// The numbers of rows: valid, invalid, malformed.
#[track_caller]
fn counts(lab: &Lab, name: &str) -> [u64; 3] {
    let ran = bounded(lab, &format!("--summary-json - {name}"));
    assert_ne!(ran.status, 2, "{ran:?}");
    let summary: Value = serde_json::from_slice(&ran.stdout).expect("a summary");
    ["valid", "invalid", "malformed"].map(|name| summary[name].as_u64().expect("a number"))
}

/// A row without an end does not fill the memory.
#[test]
fn giant_rows() {
    let lab = Lab::new();
    let signer = ledger::Signer::new("1234567812345678");
    let large = signer.row(&"m".repeat(15 << 20));
    let rows = ledger::rows(2);
    let giant = "x".repeat(17 << 20);
    let line = |row: &Row| ledger::jsonl(std::slice::from_ref(row));
    lab.write(
        "a.jsonl",
        [
            &line(&rows[0]),
            &giant,
            "\n",
            &line(&large),
            &line(&rows[1]),
            &giant,
        ]
        .concat(),
    );
    assert_eq!(counts(&lab, "a.jsonl"), [3, 0, 2]);
    bounded(&lab, "a.jsonl").says(&[
        "row 2: malformed: line 2: the row has more than 16 MiB",
        "row 5",
    ]);
    let csv = ledger::csv(&[rows[0].clone(), large, rows[1].clone()]);
    let mut lines: Vec<&str> = csv.lines().collect();
    let quoted = format!("\"{}\n\",1,2,3,4", "x,".repeat(9 << 20));
    let wide = ",".repeat(100_000);
    lines.insert(2, &giant);
    lines.insert(2, &quoted);
    lines.push(&wide);
    lab.write("a.csv", lines.join("\n"));
    assert_eq!(counts(&lab, "a.csv"), [3, 0, 3]);
    bounded(&lab, "a.csv").says(&[
        "row 2: malformed: line 3: the row has more than 16 MiB (the row goes to line 4)",
        "row 3: malformed: line 5",
        "row 6: malformed: line 8",
    ]);
}

/// The most memory that a command had.
fn peak(command: &mut Command) -> u64 {
    let mut child = command.stdin(Stdio::null()).spawn().expect("it starts");
    let mut peak = 0;
    loop {
        let status = std::fs::read_to_string(format!("/proc/{}/status", child.id()));
        let high = status.ok().and_then(|text| {
            let line = text.lines().find(|line| line.starts_with("VmHWM:"))?;
            line.split_whitespace().nth(1)?.parse().ok()
        });
        peak = peak.max(high.unwrap_or(0));
        if let Some(status) = child.try_wait().expect("it runs") {
            assert_eq!(status.code(), Some(1));
            return peak << 10;
        }
        std::thread::sleep(std::time::Duration::from_millis(2));
    }
}

/// Three times as many rows take no more memory, in any format. (Chunks of small files are smaller.)
#[test]
fn memory_stays_flat() {
    let lab = Lab::new();
    let padding = "p".repeat(200);
    let signer = ledger::Signer::new("1234567812345678");
    // Few signatures, often; most rows are malformed late, so that this takes seconds and not minutes.
    let good = signer.row(&padding);
    let bad = good.clone().malformed();
    let mut hundred = vec![bad; 100];
    hundred[50] = good;
    let many =
        |times: usize| -> Vec<Row> { hundred.iter().cycle().take(100 * times).cloned().collect() };
    for format in ["jsonl", "csv", "parquet"] {
        let peaks = [1500, 4500].map(|times| {
            let name = format!("{times}.{format}");
            match format {
                "jsonl" => lab.write(&name, ledger::jsonl(&hundred).repeat(times)),
                "csv" => {
                    let text = ledger::csv(&hundred);
                    let (header, rows) = text.split_once('\n').unwrap();
                    lab.write(&name, format!("{header}\n{}", rows.repeat(times)));
                }
                _ => ledger::parquet(&lab.path(&name), &many(times), 1 << 20),
            }
            let mut command = lab.kuaimi();
            command
                .args(["verify-batch", "--quiet", "--force", "--threads", "2"])
                .args(["--out", &format!("out.{format}"), &name]);
            peak(&mut command)
        });
        let size = std::fs::metadata(lab.path(&format!("4500.{format}")))
            .unwrap()
            .len();
        // 450,000 rows are this large when they are read: all of them at once would show.
        let content = 450_000 * 300;
        assert!(
            peaks[1] < peaks[0] + content / 3,
            "{format}: {peaks:?} of {size}"
        );
        assert!(peaks[1] > 1 << 20);
    }
}

/// A column of messages, compressed by zstd, in one page.
fn messages(kind: Kind, rows: usize, encoding: i64, content: &[(&[u8], u64)]) -> Column {
    let page = Page::zstd(kind, rows as i64, encoding, content);
    Column::new("message", crafted::ZSTD, vec![page])
}

/// A value that is too long makes its row malformed, and the others are verified.
#[test]
fn giant_values() {
    let lab = Lab::new();
    let ledger = Ledger::new(5);
    let zeros = ledger.with_zeros(2, GIB);
    let fewer = ledger.with_zeros(2, 300 << 20);
    for (codec, zeros) in [(crafted::ZSTD, &zeros), (crafted::SNAPPY, &fewer)] {
        for kind in [Kind::Data, Kind::DataV2] {
            let page = Page::of(kind, 5, crafted::PLAIN, codec, &parts(zeros));
            lab.write(
                "a.parquet",
                ledger.file(Column::new("message", codec, vec![page])),
            );
            assert_eq!(counts(&lab, "a.parquet"), [4, 0, 1], "{codec}");
            bounded(&lab, "a.parquet").says(&["row 3: malformed: the row has more than 16 MiB"]);
        }
    }
    // The same in a dictionary: the places 0 1 2 3 4, packed in three bits each.
    let mut column = messages(Kind::Dictionary, 5, crafted::PLAIN, &parts(&zeros));
    let places = [3, 3, 0b1000_1000, 0b1100_0110, 0b1111_1010];
    column.pages.push(Page::zstd(
        Kind::Data,
        5,
        crafted::DICTIONARY,
        &[(&places, 0)],
    ));
    lab.write("a.parquet", ledger.file(column));
    assert_eq!(counts(&lab, "a.parquet"), [4, 0, 1]);
    // The same with all lengths first: a block of 128 values, of which one is 2^30.
    let mut lengths = vec![0x80, 1, 1, 5, 18, 1, 31];
    let mut deltas = [0_u32; 128];
    // From 9 to 2^30, to 9: in steps beyond the least one, which is 9 - 2^30, below zero.
    let least = 9_i64 - (1 << 30);
    lengths.splice(5..6, zigzag(least));
    for (delta, (from, to)) in deltas
        .iter_mut()
        .zip([(9, 9), (9, 1 << 30), (1 << 30, 9), (9, 9)])
    {
        *delta = (to - from - least) as u32;
    }
    lengths.extend(pack(&deltas, 31));
    let mut content: Vec<(&[u8], u64)> = vec![(&lengths, 0)];
    for (i, message) in ledger.messages.iter().enumerate() {
        content.push(if i == 2 { (&[], GIB) } else { (message, 0) });
    }
    lab.write(
        "a.parquet",
        ledger.file(messages(Kind::Data, 5, crafted::DELTA_LENGTH, &content)),
    );
    assert_eq!(counts(&lab, "a.parquet"), [4, 0, 1]);
    // Not compressed, in a file with a hole.
    let body = [
        plain(b"message 0"),
        plain(b"message 1"),
        (GIB as u32).to_le_bytes().to_vec(),
    ];
    hole(&lab, &ledger, &body.concat());
    assert_eq!(counts(&lab, "a.parquet"), [2, 0, 1]);
}

fn zigzag(value: i64) -> Vec<u8> {
    let mut value = (value << 1 ^ value >> 63) as u64;
    let mut out = Vec::new();
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
    out
}

/// Values of `width` bits each.
fn pack(values: &[u32], width: u32) -> Vec<u8> {
    let (mut bits, mut count, mut out) = (0_u64, 0, Vec::new());
    for &value in values {
        bits |= u64::from(value) << count;
        count += width;
        while count >= 8 {
            out.push(bits as u8);
            bits >>= 8;
            count -= 8;
        }
    }
    out
}

/// Three rows, whose messages are a page that begins as `body` and goes on with 1 GiB of zeros, which the disk does not hold.
fn hole(lab: &Lab, ledger: &Ledger, body: &[u8]) {
    use std::io::{Seek as _, SeekFrom, Write as _};
    let mut page = Page::new(Kind::Data, 3, crafted::PLAIN, body.to_vec());
    page.size += GIB as i64;
    let three =
        |values: &[Vec<u8>]| -> Vec<u8> { values[..3].iter().flat_map(|v| plain(v)).collect() };
    let column = |name, values| {
        let page = Page::new(Kind::Data, 3, crafted::PLAIN, three(values));
        Column::new(name, crafted::UNCOMPRESSED, vec![page])
    };
    let whole = crafted::file(
        3,
        &[
            column("key", &ledger.keys),
            column("signature", &ledger.signatures),
            Column::new("message", crafted::UNCOMPRESSED, vec![page]),
        ],
    );
    // The last column's page ends where the footer begins.
    let length = u32::from_le_bytes(whole[whole.len() - 8..][..4].try_into().unwrap()) as usize;
    let (pages, footer) = whole.split_at(whole.len() - 8 - length);
    let mut file = std::fs::File::create(lab.path("a.parquet")).unwrap();
    file.write_all(pages).unwrap();
    file.seek(SeekFrom::Current(GIB as i64)).unwrap();
    file.write_all(footer).unwrap();
}

/// Values that fit, and are many: what a page or a dictionary holds is more than memory may, and what rows copy of it.
#[test]
fn many_large_values() {
    let lab = Lab::new();
    let long = vec![b'm'; 15 * MIB];
    let mut ledger = Ledger::new(1);
    ledger.messages = vec![long.clone(); 15];
    let signer = ledger::Signer::new("1234567812345678");
    let row = signer.row(&"m".repeat(15 * MIB));
    ledger.keys = vec![row.key; 15];
    ledger.signatures = vec![row.signature; 15];
    let value = plain(&long);

    // Fifteen of them in one page.
    let content: Vec<(&[u8], u64)> = vec![(&value, 0); 15];
    lab.write(
        "a.parquet",
        ledger.file(messages(Kind::Data, 15, crafted::PLAIN, &content)),
    );
    assert_eq!(counts(&lab, "a.parquet"), [15, 0, 0]);
    // One, shared by all rows: a run of fifteen times place 0.
    let mut column = messages(Kind::Dictionary, 1, crafted::PLAIN, &[(&value, 0)]);
    column.pages.push(Page::zstd(
        Kind::Data,
        15,
        crafted::DICTIONARY,
        &[(&[1, 30, 0], 0)],
    ));
    lab.write("a.parquet", ledger.file(column));
    assert_eq!(counts(&lab, "a.parquet"), [15, 0, 0]);
    // One, with which all others begin: prefixes 0, then 15 MiB; ends of 15 MiB, then none.
    let mut lengths = Vec::new();
    for (first, next) in [(0, 15 * MIB as i64), (15 * MIB as i64, 0)] {
        lengths.extend([0x80, 1, 1, 15]);
        lengths.extend(zigzag(first));
        // Steps of which the first is the one other than zero.
        let step = next - first;
        lengths.extend(zigzag(step.min(0)));
        lengths.push(24);
        let mut deltas = [(-step.min(0)) as u32; 128];
        deltas[0] = (step - step.min(0)) as u32;
        lengths.extend(pack(&deltas, 24));
    }
    let content: [(&[u8], u64); 2] = [(&lengths, 0), (&long, 0)];
    lab.write(
        "a.parquet",
        ledger.file(messages(Kind::Data, 15, crafted::DELTA, &content)),
    );
    assert_eq!(counts(&lab, "a.parquet"), [15, 0, 0]);
}

/// Values that are long where they cannot be: keys, identities, digests, signatures, and all at once.
#[test]
fn large_values_in_every_column() {
    let lab = Lab::new();
    for text in [b'0', b'A', b'+'] {
        let value = vec![text; 4 * MIB - 100];
        let run = [1, 40, 0];
        let column = |name| {
            let value = [(&plain(&value)[..], 0)];
            let dictionary = Page::zstd(Kind::Dictionary, 1, crafted::PLAIN, &value);
            let run = Page::zstd(Kind::Data, 20, crafted::DICTIONARY, &[(&run, 0)]);
            Column::new(name, crafted::ZSTD, vec![dictionary, run])
        };
        let columns = ["key", "id", "message", "signature"].map(column);
        lab.write("a.parquet", crafted::file(20, &columns));
        assert_eq!(counts(&lab, "a.parquet"), [0, 0, 20]);
        assert_eq!(counts(&lab, "--message-encoding base64 a.parquet")[2], 20);
        let columns = ["key", "digest", "signature"].map(column);
        lab.write("a.parquet", crafted::file(20, &columns));
        assert_eq!(counts(&lab, "a.parquet"), [0, 0, 20]);
    }
}

/// All that a file may make the program keep, at once: dictionaries, zstd's windows, values of the largest size, and
/// chunks of them.
#[test]
fn everything_at_once() {
    let lab = Lab::new();
    let noise = common::noise(MIB, 2);
    // A value of 15 MiB in a page with a window of 8 MiB, in which nothing is repeated.
    let mut large: Vec<(&[u8], u64)> = vec![(&noise, 0); 15];
    let length = (15 * MIB as u32).to_le_bytes();
    large.insert(0, (&length, 0));
    let dictionary = |name| {
        let page = Page::zstd(Kind::Dictionary, 1, crafted::PLAIN, &large);
        let places = Page::zstd(Kind::Data, 4, crafted::DICTIONARY, &[(&[1, 8, 0], 0)]);
        Column::new(name, crafted::ZSTD, vec![page, places])
    };
    let mut values: Vec<(&[u8], u64)> = Vec::new();
    for _ in 0..4 {
        values.extend(&large);
    }
    let body = crafted::zstd_window(&values, 23);
    let message = Page::new(Kind::Data, 4, crafted::PLAIN, body);
    let columns = [
        dictionary("key"),
        dictionary("id"),
        Column::new("message", crafted::ZSTD, vec![message]),
        dictionary("signature"),
    ];
    lab.write("a.parquet", crafted::file(4, &columns));
    for arguments in ["", "--key-column message --message-column key"] {
        assert_eq!(counts(&lab, &format!("{arguments} a.parquet")), [0, 0, 4]);
    }
}

/// What cannot be read within the bound is refused, by its name and with advice.
#[test]
fn more_than_may_be_kept() {
    let lab = Lab::new();
    let ledger = Ledger::new(2);
    let refused = |column: Column, words: &[&str]| {
        lab.write("a.parquet", ledger.file(column));
        bounded(&lab, "a.parquet")
            .status(2)
            .says(&["a.parquet"])
            .says(words);
    };
    let dictionaries = &["dictionaries need more than 64 MiB", "write it again"];
    // Dictionaries of a hundred million values of no bytes, and of a hundred of 15 MiB.
    let empty = [(&[][..], 400_000_000)];
    refused(
        messages(Kind::Dictionary, 100_000_000, crafted::PLAIN, &empty),
        dictionaries,
    );
    let long = plain(&vec![b'm'; 15 * MIB]);
    let content: Vec<(&[u8], u64)> = vec![(&long, 0); 15];
    refused(
        messages(Kind::Dictionary, 100, crafted::PLAIN, &content),
        dictionaries,
    );
    // Values whose bytes are not side by side.
    let mut split = messages(Kind::Data, 100, crafted::SPLIT, &[(&[], GIB)]);
    split.width = Some(10 << 20);
    refused(split, dictionaries);
    // A window of 128 MiB, which zstd would keep.
    let noise = common::noise(MIB, 1);
    let content: Vec<(&[u8], u64)> = vec![(&noise, 0); 150];
    let page = Page::new(
        Kind::Data,
        2,
        crafted::PLAIN,
        crafted::zstd_window(&content, 27),
    );
    refused(
        Column::new("message", crafted::ZSTD, vec![page]),
        &["zstd with a very large window", "a level of at most 19"],
    );
}

/// Numbers that a file says of itself and that are not so: nothing is reserved for them.
#[test]
fn sizes_that_are_not_so() {
    let lab = Lab::new();
    let ledger = Ledger::new(2);
    let damaged = |what: &str, file: &[u8]| {
        lab.write("a.parquet", file);
        let ran = bounded(&lab, "a.parquet").status(2);
        let words = ["cannot be read as Parquet", "fetch it again"];
        assert!(
            words.iter().all(|word| ran.stderr.contains(word)),
            "{what}: {ran:?}"
        );
    };
    let most = i64::from(i32::MAX);
    let values: Vec<u8> = ledger
        .messages
        .iter()
        .flat_map(|message| plain(message))
        .collect();
    let page = || Page::zstd(Kind::Data, 2, crafted::PLAIN, &[(&values, 0)]);
    let column = |page: Page| ledger.file(Column::new("message", crafted::ZSTD, vec![page]));
    // What a page is said to be once it is decompressed is not needed at all.
    lab.write(
        "a.parquet",
        column(Page {
            content: most,
            ..page()
        }),
    );
    assert_eq!(counts(&lab, "a.parquet"), [2, 0, 0]);
    damaged(
        "size",
        &column(Page {
            size: most,
            ..page()
        }),
    );
    damaged("size", &column(Page { size: -1, ..page() }));
    damaged(
        "values",
        &column(Page {
            values: most,
            ..page()
        }),
    );
    damaged(
        "values",
        &column(Page {
            values: -1,
            ..page()
        }),
    );
    damaged(
        "values",
        &column(Page {
            values: most,
            kind: Kind::Dictionary,
            ..page()
        }),
    );
    damaged(
        "levels",
        &column(Page {
            levels: most,
            kind: Kind::DataV2,
            ..page()
        }),
    );
    damaged(
        "levels",
        &column(Page {
            levels: -1,
            kind: Kind::DataV2,
            ..page()
        }),
    );
    // Lengths: 2^40 of them; and one of 4 GiB.
    let many = [0x80, 1, 4, 0x80, 0x80, 0x80, 0x80, 0x80, 0x20, 0];
    let lengths = |encoding, bytes: &[u8]| {
        let page = Page::zstd(Kind::Data, most, encoding, &[(bytes, 0)]);
        column(page)
    };
    damaged("lengths", &lengths(crafted::DELTA_LENGTH, &many));
    damaged("lengths", &lengths(crafted::DELTA, &many));
    damaged(
        "lengths",
        &lengths(crafted::DELTA, &[&[0x80, 1, 4, 0, 0][..], &many].concat()),
    );
    damaged("length", &lengths(crafted::PLAIN, &[0xff; 4]));
    // Levels that have 4 GiB, and the width of places.
    let mut levels = messages(Kind::Data, 2, crafted::PLAIN, &[(&[0xff; 8], 0)]);
    levels.optional = true;
    damaged("levels", &ledger.file(levels));
    damaged("width", &lengths(crafted::DICTIONARY, &[255, 2, 0]));
}

/// The same of the metadata.
#[test]
fn metadata_that_is_not_so() {
    let lab = Lab::new();
    let refused = |what: &str, write: &dyn Fn(&mut Thrift)| {
        let mut footer = Thrift::default();
        footer.int(1, 1);
        write(&mut footer);
        lab.write(
            "a.parquet",
            crafted::end(b"PAR1".to_vec(), &footer.finish()),
        );
        let ran = bounded(&lab, "a.parquet").status(2);
        assert!(ran.stderr.contains("a.parquet"), "{what}: {ran:?}");
        assert!(ran.stderr.contains("again"), "{what}: {ran:?}");
    };
    let most = u64::from(u32::MAX >> 1);
    let root = |thrift: &mut Thrift, children: i64| {
        thrift.element(|root| {
            root.text(4, b"root").int(5, children);
        });
    };
    refused("elements", &|thrift| {
        thrift.list(2, most);
    });
    refused("children", &|thrift| {
        thrift.list(2, 1);
        root(thrift, most as i64);
    });
    refused("children", &|thrift| {
        thrift.list(2, 1);
        root(thrift, -1);
    });
    // A structure in a structure, a hundred thousand times.
    refused("nesting", &|thrift| {
        thrift.list(2, 100_000);
        root(thrift, 1);
        for _ in 1..100_000 {
            root(thrift, 1);
        }
    });
    // A long name, which is a part of many others.
    refused("names", &|thrift| {
        thrift.list(2, 10_002);
        root(thrift, 1);
        thrift.element(|group| {
            group.int(3, 0).text(4, &vec![b'n'; MIB]).int(5, 10_000);
        });
        for _ in 0..10_000 {
            thrift.element(|leaf| {
                leaf.int(1, 6).int(3, 0).text(4, b"n");
            });
        }
    });
    refused("columns", &|thrift| {
        thrift.list(2, 1_000_001);
        root(thrift, 1_000_000);
        for _ in 0..1_000_000 {
            thrift.element(|leaf| {
                leaf.int(1, 6).int(3, 0).text(4, b"");
            });
        }
    });
    let columns = |thrift: &mut Thrift| {
        thrift.list(2, 4);
        root(thrift, 3);
        for name in ["key", "message", "signature"] {
            thrift.element(|leaf| {
                leaf.int(1, 6).int(3, 0).text(4, name.as_bytes());
            });
        }
    };
    refused("row groups", &|thrift| {
        columns(thrift);
        thrift.int(3, 1).list(4, most);
    });
    refused("columns of a row group", &|thrift| {
        columns(thrift);
        thrift.int(3, 1).list(4, 1);
        thrift.element(|group| {
            group.list(1, most);
        });
    });
    refused("rows", &|thrift| {
        columns(thrift);
        thrift.int(3, i64::MAX).list(4, 0);
    });
    // Structures in a field that nobody knows, a hundred thousand deep.
    refused("an unknown field", &|thrift| {
        fn deep(thrift: &mut Thrift, depth: usize) {
            if depth > 0 {
                thrift.within(1, |thrift| deep(thrift, depth - 1));
            }
        }
        thrift.within(100, |thrift| deep(thrift, 1000));
        columns(thrift);
    });
    // A footer of 32 MiB.
    refused("size", &|thrift| {
        thrift.text(1, &vec![0; 32 * MIB]);
    });
}
