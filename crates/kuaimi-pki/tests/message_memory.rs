//! Memory while messages of 256 MiB pass: counted by the allocator, in a program of its own.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::Instant;

use getrandom::SysRng;
use kuaimi::sm2::SigningKey;
use kuaimi_pki::Certificate;
use kuaimi_pki::message::{
    ContentCipher, Decryptor, EncryptOptions, EnvelopeWriter, SignOptions, SignedWriter, Verifier,
    VerifyOptions,
};

/// A certificate and its key.
fn identity() -> (Certificate, SigningKey) {
    include!("data/message/identity.rs")
}

struct Counting;

static NOW: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

// SAFETY: the system's allocator does all, and the sizes are counted beside it.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let now = NOW.fetch_add(layout.size(), Relaxed) + layout.size();
        PEAK.fetch_max(now, Relaxed);
        // SAFETY: the caller's promises are the same.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        NOW.fetch_sub(layout.size(), Relaxed);
        // SAFETY: the caller's promises are the same.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

const CONTENT: u64 = 256 << 20;
const PIECE: usize = 64 << 10;
const LIMIT: usize = 1 << 20;

/// Runs `pass`, and checks how much more memory was taken than there was before.
fn measured<T>(what: &str, pass: impl FnOnce() -> T) -> T {
    let before = NOW.load(Relaxed);
    PEAK.store(before, Relaxed);
    let start = Instant::now();
    let result = pass();
    let peak = PEAK.load(Relaxed) - before;
    let seconds = start.elapsed().as_secs_f64();
    println!("{what}: {} KiB, {:.0} MiB/s", peak >> 10, 256.0 / seconds);
    assert!(peak < LIMIT, "{what}: {peak} bytes");
    result
}

/// One after the other, as the allocator counts for all threads.
#[test]
fn constant_memory() {
    let (certificate, key) = identity();
    let piece = vec![7; PIECE];
    for attributes in [true, false] {
        signed(&certificate, &key, &piece, attributes);
    }
    for cipher in [ContentCipher::Sm4Cbc, ContentCipher::Sm4Gcm] {
        for length in [None, Some(CONTENT)] {
            enveloped(&certificate, &key, &piece, cipher, length);
        }
    }
}

/// The writer's output goes to the reader at once: no message is ever whole.
fn signed(certificate: &Certificate, key: &SigningKey, piece: &[u8], attributes: bool) {
    let mut options = SignOptions::new();
    if !attributes {
        options = options.without_attributes();
    }
    let certificates = std::slice::from_ref(certificate);
    measured("signed and verified", || {
        let mut out = Vec::new();
        let mut content = Vec::new();
        let mut verifier = Verifier::new(VerifyOptions::new().with_certificates(certificates));
        let mut writer = SignedWriter::new(certificates, options, None, &mut out).expect("begun");
        let mut total = 0;
        for _ in 0..CONTENT / PIECE as u64 {
            writer.push(piece, &mut out).expect("pushed");
            verifier.push(&out, &mut content).expect("a message");
            total += content.len() as u64;
            out.clear();
            content.clear();
        }
        writer.finish(&[key], &mut out).expect("finished");
        verifier.push(&out, &mut content).expect("a message");
        assert_eq!(verifier.finish().expect("a message").check(), Ok(()));
        assert_eq!(total, CONTENT);
    });
}

fn enveloped(
    certificate: &Certificate,
    key: &SigningKey,
    piece: &[u8],
    cipher: ContentCipher,
    length: Option<u64>,
) {
    let options = EncryptOptions::new().with_cipher(cipher);
    measured("encrypted and decrypted", || {
        let mut out = Vec::new();
        let mut content = Vec::new();
        let mut decryptor = Decryptor::new(certificate, key.private_key());
        let mut writer =
            EnvelopeWriter::new(&[certificate], &options, length, &mut SysRng, &mut out)
                .expect("begun");
        let mut total = 0;
        for _ in 0..CONTENT / PIECE as u64 {
            writer.push(piece, &mut out).expect("pushed");
            decryptor.push(&out, &mut content).expect("a message");
            total += content.len() as u64;
            assert!(content.iter().all(|byte| *byte == 7));
            out.clear();
            content.clear();
        }
        writer.finish(&mut out).expect("finished");
        decryptor.push(&out, &mut content).expect("a message");
        let _ = decryptor.finish(&mut content).expect("decrypted");
        assert_eq!(total + content.len() as u64, CONTENT);
    });
}
