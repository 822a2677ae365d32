//! Rows and files of any size.

use super::*;

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

/// Three times as many rows take no more memory, in any format. (Chunks of small files are
/// smaller.)
#[test]
fn memory_stays_flat() {
    let lab = Lab::new();
    let padding = "p".repeat(200);
    let signer = ledger::Signer::new("1234567812345678");
    // Few signatures, often; most rows are malformed late, so that this takes seconds and not
    // minutes.
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
