//! The example of docs/rust.md for servers and archives: `cargo run -p kuaimi --example many`.

use kuaimi::encoding::read_private_key;
use kuaimi::encoding::{EncodePrivateKey as _, LineEnding};
use kuaimi::sm2::PrivateKey;
use kuaimi::sm2::batch::{VerifyItem, verify_batch};
use kuaimi::sm2::{KeyCache, NoncePool, SigningKey};
use kuaimi::{Threads, sm3, sm4::Sm4Gcm};

pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    // A file's content; here it is made first.
    let file = PrivateKey::generate()?.to_pkcs8_pem(LineEnding::LF)?;
    let file = file.as_bytes();

    // A private key in whatever form a file has it. The error of one that is none says what it is.
    let (secret, _form) = read_private_key(file, None)?; // None: no password
    let signer = SigningKey::new(secret);
    let messages = ["one", "two", "six"];

    // Many signatures at once. Verification gives a verdict for each signature.
    let signatures = signer
        .sign_batch(&messages, Threads::One)
        .into_iter()
        .collect::<Result<Vec<_>, _>>()?;
    let key = signer.verifying_key();
    let items: Vec<_> = messages
        .iter()
        .zip(&signatures)
        .map(|(message, signature)| VerifyItem::new(key, message.as_bytes(), signature))
        .collect();
    assert!(verify_batch(&items, Threads::One).iter().all(Result::is_ok));

    // A key makes a table of its multiples when it is used for the second time; prepare() makes it
    // now. For keys that come as bytes with each message, a cache keeps those that come back.
    key.prepare();
    key.verify(b"one", &signatures[0])?;
    let cache = KeyCache::new(64 << 20); // bytes; share it between threads
    cache.verify(key, b"two", &signatures[1])?;

    // The slow part of a signature, computed in advance in the background.
    let pool = NoncePool::new(1024)?;
    let signature = signer.sign_with_pool(&pool, b"an answer in a hurry")?;
    key.verify(b"an answer in a hurry", &signature)?;

    // SM3 of many messages side by side, and SM4.
    let digests = sm3::digest_many(&messages, Threads::One);
    assert_eq!(digests[2], sm3::digest(b"six"));
    let cipher = Sm4Gcm::new(&[7; 16]); // a key from a key exchange, or random
    let sealed = cipher.seal(&[0; 12], b"header", b"hello")?; // a nonce never used before with this key
    assert_eq!(cipher.open(&[0; 12], b"header", &sealed)?, b"hello");

    println!("{} signatures verified, {:?}", items.len(), pool.stats());
    Ok(())
}
