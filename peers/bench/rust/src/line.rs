//! The protocol of `../README.md` for programs in Rust.

use std::collections::HashMap;
use std::io::{BufRead, Write};
use std::time::Instant;

pub type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

/// The bytes that requests name.
#[derive(Default)]
pub struct Inputs(HashMap<String, Vec<u8>>);

impl Inputs {
    pub fn get(&self, name: &str) -> Result<Vec<u8>> {
        Ok(self
            .0
            .get(name)
            .ok_or_else(|| format!("{name} was not set"))?
            .clone())
    }
}

/// What is timed; gives its result.
pub type Once = Box<dyn FnMut() -> Result<Vec<u8>>>;

/// An operation's name, and what reads its inputs and makes what is timed.
pub type Operation = (&'static str, fn(&Inputs) -> Result<Once>);

/// What is timed, of a closure.
pub fn once(run: impl FnMut() -> Result<Vec<u8>> + 'static) -> Result<Once> {
    Ok(Box::new(run))
}

/// Answers requests until the input ends.
pub fn serve(hello: &str, operations: &[Operation]) -> std::io::Result<()> {
    let mut inputs = Inputs::default();
    for line in std::io::stdin().lock().lines() {
        let line = line?;
        let words: Vec<&str> = line.split_whitespace().collect();
        let text = match answer(&words, hello, &mut inputs, operations) {
            Ok(text) => format!("ok {text}"),
            Err(error) => format!("error {}", error.to_string().replace('\n', " ")),
        };
        let mut out = std::io::stdout().lock();
        writeln!(out, "{}", text.trim_end())?;
        out.flush()?;
    }
    Ok(())
}

fn answer(
    words: &[&str],
    hello: &str,
    inputs: &mut Inputs,
    operations: &[Operation],
) -> Result<String> {
    let find = |name: &str| {
        let found = operations.iter().find(|(known, _)| *known == name);
        found
            .map(|(_, make)| make)
            .ok_or_else(|| format!("no operation {name}"))
    };
    match words {
        ["hello"] => {
            let names: Vec<&str> = operations.iter().map(|(name, _)| *name).collect();
            Ok(format!("{hello} operations={}", names.join(",")))
        }
        ["set", name, digits] => {
            inputs.0.insert((*name).to_owned(), hex::decode(digits)?);
            Ok(String::new())
        }
        ["fill", name, length] => {
            inputs
                .0
                .insert((*name).to_owned(), vec![0x5A; length.parse()?]);
            Ok(String::new())
        }
        ["make", name] => Ok(hex::encode(find(name)?(inputs)?()?)),
        ["run", name, count] => {
            let (mut once, count) = (find(name)?(inputs)?, count.parse::<u64>()?);
            let begun = Instant::now();
            for _ in 0..count {
                std::hint::black_box(once()?);
            }
            Ok(begun.elapsed().as_nanos().to_string())
        }
        _ => Err("unknown request".into()),
    }
}
