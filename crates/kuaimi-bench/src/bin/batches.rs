//! The library's batches, for `make python-bench`: what the Python package is measured against.
//!
//! Reads a file of rows, a message of 32 bytes and a raw signature of 64 each, after the signer's
//! private key of 32 bytes. Then answers requests on standard input, `sign`, `verify` or `digest`
//! on a line, with the seconds of processor time that the batch of all rows took on one thread. As
//! in Python, bytes come in and bytes go out.

use std::error::Error;
use std::io::{self, BufRead, Write};

use kuaimi::Threads;
use kuaimi::sm2::batch::{VerifyItem, verify_batch};
use kuaimi::sm2::{PrivateKey, Signature, SigningKey};
use kuaimi::sm3::digest_many;

/// Seconds that this process was on a processor.
fn processor_time() -> f64 {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
}

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).ok_or("which file of rows?")?;
    let bytes = std::fs::read(path)?;
    let (key, rows) = bytes.split_at_checked(32).ok_or("the file is too short")?;
    let key = SigningKey::new(PrivateKey::from_slice(key)?);
    let verifier = key.verifying_key().clone();
    // In buffers of their own, as Python has them.
    let rows: Vec<(Vec<u8>, Vec<u8>)> = rows
        .chunks_exact(96)
        .map(|row| (row[..32].to_vec(), row[32..].to_vec()))
        .collect();
    let messages: Vec<&[u8]> = rows.iter().map(|(message, _)| message.as_slice()).collect();

    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    for request in io::stdin().lock().lines() {
        let request = request?;
        let began = processor_time();
        let good = pool.install(|| match request.as_str() {
            "sign" => {
                let signatures = key.sign_batch(&messages, Threads::One);
                let bytes: Option<Vec<[u8; 64]>> = signatures
                    .iter()
                    .map(|signature| Some(signature.as_ref().ok()?.to_bytes()))
                    .collect();
                bytes.is_some()
            }
            "verify" => {
                let items: Vec<VerifyItem<'_>> = rows
                    .iter()
                    .map(|(message, signature)| {
                        VerifyItem::new(&verifier, message, Signature::from_slice(signature))
                    })
                    .collect();
                verify_batch(&items, Threads::One).iter().all(Result::is_ok)
            }
            "digest" => digest_many(&messages, Threads::One).len() == rows.len(),
            _ => false,
        });
        let seconds = processor_time() - began;
        if !good {
            return Err(format!("{request} failed").into());
        }
        println!("{seconds}");
        io::stdout().flush()?;
    }
    Ok(())
}
