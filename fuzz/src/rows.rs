//! Files of rows, for the readers of `kuaimi-table`.

use std::fs;
use std::io::{Seek as _, Write as _};
use std::path::Path;
use std::sync::OnceLock;

use arbitrary::{Arbitrary, Unstructured};

use kuaimi_bulk::{Options, Verifier};
use kuaimi_table::{Chunk, Error, Format, Hints, Limits, Names, Reader, Source, Wanted};

/// Files that are edited, each a byte at a time: their parts stay where they were.
fn files() -> &'static [Vec<u8>] {
    static FILES: OnceLock<Vec<Vec<u8>>> = OnceLock::new();
    FILES.get_or_init(|| {
        let seeds = Path::new(env!("CARGO_MANIFEST_DIR")).join("seeds/rows");
        ["plain", "dictionary-snappy", "pages-zstd"]
            .map(|name| fs::read(seeds.join(format!("parquet-{name}"))).expect("a seed"))
            .into()
    })
}

#[derive(Arbitrary, Debug)]
struct Edits {
    file: u8,
    edits: Vec<(u16, u8)>,
    cut: Option<u16>,
}

pub fn check(data: &[u8]) {
    match data.split_first() {
        Some((b'E', rest)) => {
            if let Ok(input) = Edits::arbitrary(&mut Unstructured::new(rest)) {
                let mut file = files()[usize::from(input.file) % files().len()].clone();
                let length = file.len();
                for (place, change) in input.edits {
                    file[usize::from(place) % length] ^= change;
                }
                if let Some(cut) = input.cut {
                    file.truncate(cut.into());
                }
                read(&file, Format::Parquet);
            }
        }
        _ if data.starts_with(b"PAR1") => read(data, Format::Parquet),
        _ => {
            read(data, Format::Jsonl);
            read(data, Format::Csv);
        }
    }
}

/// Chunks that are read of a file: some kilobytes can say that they are many rows, and time is no
/// concern here.
const CHUNKS: usize = 16;

/// How much of a file is read at a time.
pub const LIMITS: Limits = Limits {
    rows: 1000,
    bytes: 1 << 20,
};

/// A file with this content, in which columns of these names are looked for.
pub fn open(
    content: &[u8],
    format: Format,
    names: &Names,
    allow_empty: bool,
) -> Result<Reader, Error> {
    let mut file = tempfile::tempfile().expect("a place for files");
    file.write_all(content).expect("room for files");
    file.rewind().expect("a file");
    let wanted = Wanted::to_verify(names, false, false).expect("the names are different");
    let hints = Hints {
        format: Some(format),
        delimiter: None,
        allow_empty,
    };
    Reader::open(Source::File(file), &hints, wanted)
}

fn read(content: &[u8], format: Format) {
    let Ok(mut reader) = open(content, format, &Names::default(), true) else {
        return;
    };
    let verifier = Verifier::new(Options::new());
    for _ in 0..CHUNKS {
        let mut chunk = Chunk::default();
        let Ok(more) = reader.fill(&mut chunk, LIMITS) else {
            return;
        };
        chunk.complete();
        let table = chunk.table();
        assert_eq!(verifier.verify(&table).len(), table.rows);
        if !more {
            return;
        }
    }
}

/// The verdicts on a file of rows.
pub fn verdicts(content: &[u8], format: Format, options: Options) -> Vec<kuaimi_bulk::Verdict> {
    let reader = open(content, format, &Names::default(), false);
    let mut reader = reader.unwrap_or_else(|error| panic!("{error}"));
    let verifier = Verifier::new(options);
    let mut verdicts = Vec::new();
    loop {
        let mut chunk = Chunk::default();
        let limits = Limits {
            rows: 3,
            bytes: 1 << 20,
        };
        let more = reader
            .fill(&mut chunk, limits)
            .unwrap_or_else(|error| panic!("{error}"));
        chunk.complete();
        verdicts.extend(verifier.verify(&chunk.table()));
        if !more {
            return verdicts;
        }
    }
}
