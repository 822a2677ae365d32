//! Records of a run with libraries that are written here.

use std::collections::BTreeMap;

use super::library::{Library, chosen};
use super::measure::{Measured, Who};
use super::operations::OPERATIONS;
use super::records;
use crate::harness::environment::Environment;
use crate::harness::record::Run;

/// A library of the list that did not build.
fn library(name: &str) -> Library {
    let known = chosen(&[name.to_owned()]).unwrap()[0];
    Library {
        name: known.name,
        title: known.title,
        language: known.language,
        state: Err(anyhow::anyhow!("no compiler")),
        failed: BTreeMap::new(),
    }
}

#[test]
fn records_have_every_library_and_why_it_failed() {
    let measured = Measured {
        operation: &OPERATIONS[1],
        ways: OPERATIONS[1].ways.iter().take(2).collect(),
        conditions: vec!["one at a time", "made before"],
        one: [
            (Who::Way(0), vec![40.0, 30.0]),
            (Who::Way(1), vec![80.0, 90.0]),
            (Who::Library(0), vec![10.0]),
        ]
        .into(),
        all: [(Who::Way(0), vec![50.0, 50.0])].into(),
        plans: Vec::new(),
    };
    let mut libraries = [library("gmsm"), library("kona"), library("gmalg")];
    libraries[1].fail(&OPERATIONS[1], &anyhow::anyhow!("a signature is refused"));
    let run = Run {
        environment: Environment::here(),
        core: Some(1),
        seconds: Some(0.05),
        rounds: 2,
    };
    let all = [measured];
    let records = [None, Some(2)]
        .map(|cores| records(&all, &libraries, &run, cores))
        .concat();
    let names: Vec<_> = records.iter().map(|record| record.name.as_str()).collect();
    assert_eq!(names, ["sm2", "sm2-all-cores"]);
    let record = &records[0];
    assert_eq!(record.contenders.len(), 4);
    assert_eq!(record.contenders[3].failed.as_deref(), Some("no compiler"));
    let [sign, pool] = &record.operations[..] else {
        panic!("two ways");
    };
    assert_eq!(
        (sign.id.as_str(), pool.id.as_str()),
        ("sm2-sign", "sm2-sign-pool")
    );
    // Of the round that both took part in.
    assert_eq!(sign.ratio(1).unwrap().median, 4.0);
    assert_eq!(sign.failed(2), Some("a signature is refused"));
    assert_eq!(sign.figures[3], None);
    assert!(sign.goal.is_some() && pool.goal.is_none());
    // Goals are for one core.
    assert_eq!(records[1].operations[0].goal, None);
    assert_eq!(records[1].operations[0].rates(0), [50.0, 50.0]);
}
