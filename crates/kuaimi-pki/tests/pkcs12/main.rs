//! PKCS #12 files: those of other programs, read; those written here, read by other programs; and
//! hostile ones.

mod building;
mod gm;
mod hostile;
mod openssl;
mod peers;
mod round_trip;

use std::path::PathBuf;

use kuaimi::sm2::PrivateKey;
use kuaimi_pki::Certificate;

/// A file of `tests/data/pkcs12`.
fn path(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("tests/data/pkcs12")
        .join(name)
}

fn data(name: &str) -> Vec<u8> {
    std::fs::read(path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn key(name: &str) -> PrivateKey {
    let pem = data(&format!("{name}.key"));
    kuaimi::encoding::read_private_key(&pem, None).unwrap().0
}

fn certificate(name: &str) -> Certificate {
    let all = Certificate::read_all(&data(&format!("{name}.pem"))).unwrap();
    all.into_iter().next().unwrap()
}
