//! How many chains a second: end certificate, intermediate, trust anchor.
//!
//! ```text
//! cargo run --release --example chains -p kuaimi-pki [FOLDER [ROUNDS NAME=PROGRAM…]]
//! ```
//!
//! With a folder, the certificates are written there in PEM (`root.pem`, `middle.pem` and all ends
//! in `ends.pem`), so that other programs can verify the same ones. With programs, they do, in
//! turns with this one: see `beside.rs` and `scripts/measure-chains`.

mod beside;

use std::time::{Duration, Instant};

use kuaimi::Threads;
use kuaimi::sm2::{PrivateKey, SigningKey};
use kuaimi_pki::certificate::{CertificateBuilder, Validity};
use kuaimi_pki::chain::{PeerName, Policy, Presented, Purpose, Verifier};
use kuaimi_pki::extensions::Purpose as Made;
use kuaimi_pki::{Certificate, name};

const ENDS: u32 = 2000;

type Failure = Box<dyn std::error::Error>;

fn key(number: u32) -> Result<SigningKey, Failure> {
    let secret = kuaimi::sm3::digest(&number.to_be_bytes());
    Ok(SigningKey::new(PrivateKey::from_bytes(&secret)?))
}

fn builder(subject: &str, number: u32, purpose: Made) -> Result<CertificateBuilder, Failure> {
    let validity = Validity::days("2026-01-01T00:00:00Z".parse()?, 3650)?;
    let key = key(number)?;
    Ok(
        CertificateBuilder::new(name::parse(subject)?, key.public_key(), validity)
            .purpose(purpose)?
            .serial(&(number + 1).to_be_bytes())?,
    )
}

/// Rounds of `work`, which does `count` chains, for three seconds.
fn rate(what: &str, count: usize, mut work: impl FnMut() -> usize) {
    assert_eq!(work(), count, "every chain is good");
    let (start, mut done) = (Instant::now(), 0);
    while start.elapsed() < Duration::from_secs(3) {
        done += work();
    }
    let each = start.elapsed().as_secs_f64() / done as f64;
    println!(
        "{what}: {:.0} chains/s ({:.1} µs each)",
        1.0 / each,
        each * 1e6
    );
}

fn main() -> Result<(), Failure> {
    let authority = Made::Authority { path_len: None };
    let root = builder("CN=Root,C=CN", 0, authority)?.self_sign(&key(0)?)?;
    let middle = builder("CN=Middle,C=CN", 1, authority)?.sign(&root, &key(0)?)?;
    let mut ends = Vec::new();
    for i in 0..ENDS {
        let mut end = builder(&format!("CN=end {i},C=CN"), i + 2, Made::Server)?;
        end.extensions().dns("bank.example")?;
        ends.push(end.sign(&middle, &key(1)?)?);
    }
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let Some(folder) = arguments.first() {
        let folder = std::path::Path::new(folder);
        let all: String = ends.iter().map(Certificate::to_pem).collect();
        std::fs::write(folder.join("root.pem"), root.to_pem())?;
        std::fs::write(folder.join("middle.pem"), middle.to_pem())?;
        std::fs::write(folder.join("ends.pem"), all)?;
    }

    let policy = Policy::at(1_780_272_000)
        .purpose(Purpose::Server)
        .peer(PeerName::new("bank.example")?);
    let verifier = Verifier::new([&root]);
    if let [folder, rounds, peers @ ..] = &arguments[..] {
        return beside::run(&verifier, &policy, folder, rounds.parse()?, peers);
    }
    let given = [middle.clone()];
    rate("one by one", ends.len(), || {
        let results = ends.iter().map(|end| verifier.verify(end, &given, &policy));
        results.filter(Result::is_ok).count()
    });
    let chains: Vec<Presented<'_>> = ends
        .iter()
        .map(|end| Presented::new(end).intermediates(&given))
        .collect();
    for size in [16, 100, 2000] {
        rate(&format!("batches of {size}"), chains.len(), || {
            let batches = chains.chunks(size);
            let results =
                batches.flat_map(|batch| verifier.verify_batch(batch, &policy, Threads::One));
            results.filter(Result::is_ok).count()
        });
    }
    // The same with every chain's own copies of the certificates, as they come from a network.
    let read = |certificate: &Certificate| Certificate::from_der(certificate.as_der());
    let own: Vec<[Certificate; 2]> = ends
        .iter()
        .map(|end| Ok([read(end)?, read(&middle)?]))
        .collect::<Result<_, kuaimi_pki::Error>>()?;
    let chains: Vec<Presented<'_>> = own
        .iter()
        .filter_map(|chain| chain.split_first())
        .map(|(end, given)| Presented::new(end).intermediates(given))
        .collect();
    rate(
        "one by one, each with its own intermediate",
        own.len(),
        || {
            let results = chains.iter();
            let results = results.map(|chain| verifier.verify_presented(chain, &policy));
            results.filter(Result::is_ok).count()
        },
    );
    rate(
        "batches of 2000, each with its own intermediate",
        own.len(),
        || {
            let results = verifier.verify_batch(&chains, &policy, Threads::One);
            results.iter().filter(|result| result.is_ok()).count()
        },
    );
    Ok(())
}
