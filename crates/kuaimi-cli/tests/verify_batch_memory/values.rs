//! Values that are large or many.

use super::*;

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

/// Values that fit, and are many: what a page or a dictionary holds is more than memory may, and
/// what rows copy of it.
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

/// Values that are long where they cannot be: keys, identities, digests, signatures, and all at
/// once.
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

/// All that a file may make the program keep, at once: dictionaries, zstd's windows, values of the
/// largest size, and chunks of them.
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
