//! From figures to tables, and a whole run with a peer that is a script.

use super::markdown;
use super::report::{
    Failure, Figure, Manner, Operation, PeerFigure, PeerState, Quartiles, Report, Section, Status,
};

fn operation(threads: usize) -> Operation {
    Operation {
        name: "sign".to_owned(),
        unit: "operations/s".to_owned(),
        conditions: "message 32 bytes".to_owned(),
        threads,
        keys: 1,
        kuaimi: Figure { value: 123_456.0 },
        peers: vec![PeerFigure {
            name: "quick".to_owned(),
            version: "1.2".to_owned(),
            value: 41_152.0,
            ratio: Quartiles {
                q1: 2.95,
                median: 3.0,
                q3: 12.34,
            },
        }],
        failed: vec![Failure {
            name: "odd".to_owned(),
            error: "a signature of Kuaimi is refused".to_owned(),
        }],
    }
}

fn peer(name: &str, error: Option<&str>) -> PeerState {
    PeerState {
        name: name.to_owned(),
        title: format!("The {name}"),
        version: error.is_none().then(|| "1.2".to_owned()),
        language: "C".to_owned(),
        status: if error.is_none() {
            Status::Ok
        } else {
            Status::Failed
        },
        error: error.map(str::to_owned),
    }
}

fn report() -> Report {
    Report {
        machine: "a machine".to_owned(),
        compilers: [("Rust".to_owned(), "rustc 1".to_owned())].into(),
        manner: Manner {
            seconds: 0.05,
            rounds: 5,
            load: Some(0.25),
            commit: "abc".to_owned(),
            command: "kuaimi-lab compare".to_owned(),
        },
        sections: vec![Section {
            name: "sm2".to_owned(),
            operations: vec![operation(1), operation(2)],
        }],
        peers: vec![
            peer("quick", None),
            peer("odd", None),
            peer("broken", Some("cc: no | such <file>")),
            peer("other", None),
        ],
    }
}

#[test]
fn tables_show_every_peer_that_has_the_operation() {
    let page = markdown::page(&report());
    let lines: Vec<&str> = page.lines().collect();
    let words = |start: &str| {
        let line = lines.iter().find(|line| line.starts_with(start));
        line.map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "))
    };
    assert_eq!(
        words("| **Kuaimi**").unwrap(),
        "| **Kuaimi** | **123,456** |"
    );
    assert_eq!(
        words("| The quick").unwrap(),
        "| The quick 1.2 | 41,152 × 3.00 [2.95 – 12.3] |"
    );
    // What fails is there, with its reason.
    assert_eq!(words("| The odd").unwrap(), "| The odd 1.2 | failed |");
    assert_eq!(words("| The broken").unwrap(), "| The broken | failed |");
    assert!(page.contains("- **odd failed** at *sign*: a signature of Kuaimi is refused\n"));
    assert!(page.contains("**failed**: cc: no \\| such \\<file\\>"));
    // What has not the operation is in the list of peers alone.
    assert_eq!(words("| The other"), None);
    assert!(lines.iter().any(|line| line.starts_with("| other ")));
    assert!(page.contains("## SM2, 1 thread\n") && page.contains("## SM2, 2 threads\n"));
    assert!(page.contains("a machine") && page.contains("load 0.2 before"));
}

#[test]
fn figures_come_back_from_json() {
    let report = report();
    let json = serde_json::to_string(&report).unwrap();
    assert_eq!(serde_json::from_str::<Report>(&json).unwrap(), report);
    // What readers of the file go by.
    let value: serde_json::Value = serde_json::from_str(&json).unwrap();
    let operation = &value["sections"][0]["operations"][1];
    assert_eq!(operation["threads"], 2);
    assert_eq!(operation["kuaimi"]["value"], 123_456.0);
    assert_eq!(operation["peers"][0]["ratio"]["q3"], 12.34);
    assert_eq!(value["peers"][0]["status"], "ok");
    assert_eq!(value["peers"][2]["status"], "failed");
    assert_eq!(value["peers"][2]["error"], "cc: no | such <file>");
    assert!(value["peers"][0].get("error").is_none());
}

/// What is in a folder comes back, and is no report of another kind.
#[test]
fn figures_come_back_from_a_folder() {
    let folder = tempfile::tempdir().unwrap();
    assert!(!super::render(folder.path()).unwrap());
    let report = report();
    report.write(folder.path()).unwrap();
    assert_eq!(Report::read(folder.path()).unwrap().unwrap(), report);
    let page = folder.path().join("peers.md");
    std::fs::remove_file(&page).unwrap();
    assert!(super::render(folder.path()).unwrap());
    assert_eq!(
        std::fs::read_to_string(&page).unwrap(),
        markdown::page(&report)
    );
    let rendered = crate::report::render(&crate::report::Arguments::of(folder.path()));
    assert!(rendered.is_ok(), "{rendered:?}");
    std::fs::write(folder.path().join("peers.json"), "{}").unwrap();
    assert!(super::render(folder.path()).is_err());
}
