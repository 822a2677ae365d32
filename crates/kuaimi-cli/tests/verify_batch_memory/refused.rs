//! What is refused: files that need more, and numbers in a file that are not so.

use super::*;

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
