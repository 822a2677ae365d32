//! Evidence that operations on secrets are constant time: each runs under valgrind's memcheck with
//! its secrets declared undefined, and memcheck reports every branch and every memory address that
//! depends on them. On this project's emulated CPU the same requests mark the same secrets
//! (`make constant-time-avx512`), for instructions that valgrind does not know.
//!
//! What an operation gives out is declared public here, where it leaves the library: public keys,
//! ephemeral points, signatures, ciphertexts, confirmations. The few conditions that the library
//! itself makes known are declared public in the library, at the place, with the reason
//! (`declassify` in `kuaimi-platform`). Nothing else is.
//!
//! Memcheck does not report divisions, the emulator does. Both see the code that this compiler made
//! for this machine.

mod allocator;
mod batches;
mod ciphers;
mod doors;
mod identities;
mod key_files;
mod sm2;
mod tlcp;

use std::hint::black_box;

use anyhow::{Context, Result, bail, ensure};
use kuaimi::sm2::{Ciphertext, PublicKey, Signature};
use kuaimi::sm3::{self, HmacSm3, Kdf, Sm3};
use kuaimi_platform::memcheck::{classify, declassify, faults, is_secret, reports_times, running};
use rand_core::{TryCryptoRng, TryRng};

#[global_allocator]
static ALLOCATOR: allocator::Clearing = allocator::Clearing;

/// Runs every operation on secrets; an error if memcheck reported any, or if it misses what it must
/// report.
pub(crate) fn run() -> Result<()> {
    ensure!(
        running(),
        "this command tells something only under valgrind or on the emulated CPU: run `make constant-time`, `make constant-time-avx512` or `make constant-time-aarch64`"
    );
    kuaimi::check_backend_variable().context("nothing was checked")?;
    println!("backend            {}", kuaimi::backend());
    start_threads()?;
    self_check()?;
    let mut checks = Checks::default();
    ciphers::ciphers(&mut checks)?;
    hashes(&mut checks)?;
    sm2::keys(&mut checks)?;
    key_files::key_files(&mut checks)?;
    doors::c_library(&mut checks)?;
    sm2::signatures(&mut checks)?;
    sm2::encryption(&mut checks)?;
    batches::batches(&mut checks)?;
    batches::products(&mut checks)?;
    sm2::exchanges(&mut checks)?;
    identities::identities(&mut checks)?;
    tlcp::tlcp(&mut checks)?;
    checks.verdict()
}

/// The first threads read the environment, by functions of the C library that compare more bytes
/// than there are: later these may be secrets on the stack. For AArch64, QEMU does not hand over
/// the signal by which valgrind ends other threads, so there are none.
fn start_threads() -> Result<()> {
    let builder = rayon::ThreadPoolBuilder::new();
    let builder = match cfg!(target_arch = "aarch64") {
        true => builder.num_threads(1).use_current_thread(),
        false => builder,
    };
    Ok(builder.build_global()?)
}

/// The faults found so far.
#[derive(Default)]
struct Checks {
    operations: usize,
    faulty: usize,
}

impl Checks {
    /// Runs `operation`, and prints how many faults memcheck saw in it.
    fn check<T>(&mut self, name: &str, operation: impl FnOnce() -> T) -> T {
        self.check_verdicts(name, 0, operation)
    }

    /// The same where a library that this project uses branches on a few conditions that may show,
    /// and cannot say so.
    fn check_verdicts<T>(&mut self, name: &str, most: usize, operation: impl FnOnce() -> T) -> T {
        let before = faults();
        let result = operation();
        let found = faults() - before;
        self.operations += 1;
        self.faulty += usize::from(found > most);
        match found {
            0 => println!("constant time      {name}"),
            _ if found <= most => println!("but for {found} verdicts {name}"),
            _ => println!("FAULTS: {found:<10} {name}"),
        }
        result
    }

    fn verdict(&self) -> Result<()> {
        if self.faulty != 0 {
            bail!(
                "{} of {} operations branch on secrets or look them up: the reports above say where",
                self.faulty,
                self.operations
            );
        }
        println!(
            "No branch and no memory address in these {} operations depends on a secret.",
            self.operations
        );
        Ok(())
    }
}

/// Memcheck must report code that branches on a secret and code that looks one up, or it would see
/// nothing in the library. The emulator must report a division, too.
fn self_check() -> Result<()> {
    #[inline(never)]
    fn branch(secret: &[u8; 32]) -> u32 {
        if black_box(secret[0]) & 1 == 1 {
            black_box(std::process::id())
        } else {
            7
        }
    }
    #[inline(never)]
    fn look_up(secret: &[u8; 32], table: &[u8; 256]) -> u8 {
        table[usize::from(black_box(secret[1]))]
    }
    #[inline(never)]
    fn divide(secret: &[u8; 32]) -> u32 {
        1_000_000 / (u32::from(black_box(secret[2])) + 1)
    }
    let secret = secret(0);
    eprintln!("== Some reports must follow, of code that is wrong on purpose.");
    let before = faults();
    black_box(branch(&secret));
    let branches = faults() - before;
    black_box(look_up(&secret, &black_box([1; 256])));
    let look_ups = faults() - before - branches;
    black_box(divide(&secret));
    let divisions = faults() - before - branches - look_ups;
    eprintln!("== No other report must follow.");
    ensure!(
        branches != 0 && look_ups != 0,
        "no report of a branch on a secret and a look-up of one: the other silence proves nothing"
    );
    println!("reported           a branch on a secret, on purpose");
    println!("reported           a look-up of a secret, on purpose");
    // Memcheck does not look at divisions; the emulator must.
    if reports_times() {
        ensure!(
            divisions != 0,
            "no report of a division by a secret: the other silence proves nothing"
        );
        println!("reported           a division by a secret, on purpose");
    }
    Ok(())
}

/// 32 secret bytes, the same on every run for the same `seed`; below `n` as a number, and not zero.
fn secret(seed: u8) -> [u8; 32] {
    let mut bytes = [0; 32];
    Secrets(seed.into()).fill(&mut bytes);
    bytes
}

/// A random generator whose output is secret. SplitMix64: here it need only be spread out.
struct Secrets(u64);

impl Secrets {
    fn fill(&mut self, out: &mut [u8]) {
        for chunk in out.chunks_mut(8) {
            self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
            let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
            let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
            chunk.copy_from_slice(&(z ^ (z >> 31)).to_le_bytes()[..chunk.len()]);
        }
        classify(out);
    }
}

impl TryRng for Secrets {
    type Error = std::convert::Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Self::Error> {
        let mut word = [0; 4];
        self.fill(&mut word);
        Ok(u32::from_le_bytes(word))
    }

    fn try_next_u64(&mut self) -> Result<u64, Self::Error> {
        let mut word = [0; 8];
        self.fill(&mut word);
        Ok(u64::from_le_bytes(word))
    }

    fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), Self::Error> {
        self.fill(out);
        Ok(())
    }
}

impl TryCryptoRng for Secrets {}

/// Makes public what an operation gave out. It must be secret until then: else memcheck lost sight
/// of the secrets on the way, and had nothing to report.
fn publish(bytes: &mut [u8]) -> Result<()> {
    ensure!(
        is_secret(bytes),
        "valgrind does not see that what an operation gave out comes from secrets"
    );
    declassify(bytes);
    Ok(())
}

fn public<const N: usize>(mut bytes: [u8; N]) -> Result<[u8; N]> {
    publish(&mut bytes)?;
    Ok(bytes)
}

fn public_point(point: &PublicKey) -> Result<PublicKey> {
    Ok(PublicKey::from_xy_bytes(&public(point.to_xy_bytes())?)?)
}

fn public_signature(signature: &Signature) -> Result<Signature> {
    Ok(Signature::from_scalars(
        &public(signature.r())?,
        &public(signature.s())?,
    )?)
}

fn public_ciphertext(ciphertext: &Ciphertext) -> Result<Ciphertext> {
    let mut masked = ciphertext.masked().to_vec();
    publish(&mut masked)?;
    let point = public_point(ciphertext.point())?;
    Ok(Ciphertext::from_parts(
        point,
        public(*ciphertext.digest())?,
        masked,
    )?)
}

/// Whether secret bytes are the expected ones, known from here on.
fn same(secret: &[u8], expected: &[u8]) -> Result<bool> {
    let (mut secret, mut expected) = (secret.to_vec(), expected.to_vec());
    publish(&mut secret)?;
    publish(&mut expected)?;
    Ok(secret == expected)
}

/// Secret bytes of every length that pads or fills blocks in another way.
fn messages() -> impl Iterator<Item = Vec<u8>> {
    [1, 31, 32, 51, 52, 55, 56, 63, 64, 65, 128, 1000]
        .into_iter()
        .map(|length| {
            let mut message = vec![0; length];
            Secrets(length as u64).fill(&mut message);
            message
        })
}

fn hashes(checks: &mut Checks) -> Result<()> {
    use hmac::{KeyInit, Mac};

    checks.check("SM3", || {
        for message in messages() {
            black_box(sm3::digest(&message));
            let mut hash = Sm3::new();
            for piece in message.chunks(13) {
                hash.update(piece);
            }
            black_box(hash.finalize_reset());
        }
    });
    checks.check("HMAC-SM3", || {
        for message in messages() {
            black_box(sm3::hmac_sm3(&message, &message));
        }
    });
    checks.check("HMAC-SM3 in pieces", || -> Result<()> {
        let key = secret(1);
        let mut mac = HmacSm3::new_from_slice(&key)?;
        mac.update(&secret(2));
        let tag = mac.finalize().into_bytes();
        ensure!(
            same(&tag, &sm3::hmac_sm3(&key, &secret(2)))?,
            "HMAC in pieces is HMAC"
        );
        Ok(())
    })?;
    checks.check("SM3 of many messages at once", || -> Result<()> {
        let starts: Vec<Sm3> = (0..40)
            .map(|i| {
                let mut hash = Sm3::new();
                hash.update(&secret(i));
                hash
            })
            .collect();
        // Three times, for these are fewer than the lanes there may be.
        let contents: Vec<Vec<u8>> = messages().chain(messages()).chain(messages()).collect();
        let parts = contents.iter().map(|message| message.chunks(300));
        let mut digests = Vec::new();
        sm3::hash_many(starts.iter().zip(parts), |i, digest| {
            digests.push((i, digest))
        });
        ensure!(
            digests.len() == contents.len(),
            "every message has a digest"
        );
        for (i, digest) in digests {
            let (start, message) = starts
                .get(i)
                .zip(contents.get(i))
                .context("a digest of no message")?;
            let mut alone = start.clone();
            alone.update(message);
            ensure!(
                same(&digest, &alone.finalize())?,
                "a message has the same digest among others as alone"
            );
        }
        Ok(())
    })?;
    checks.check("KDF of long streams", || -> Result<()> {
        for z in messages() {
            let (mut once, mut pieces) = ([0; 2000], [0; 2000]);
            sm3::kdf(&z, &mut once)?;
            let mut stream = Kdf::new(&z);
            // A block at a time.
            for piece in pieces.chunks_mut(32) {
                stream.xor_in_place(piece)?;
            }
            black_box(stream.all_zero());
            ensure!(
                same(&once, &pieces)?,
                "the key stream side by side is the key stream"
            );
        }
        Ok(())
    })?;
    checks.check("KDF", || -> Result<()> {
        for z in messages() {
            let (mut once, mut pieces) = ([0; 100], [0; 100]);
            sm3::kdf(&z, &mut once)?;
            let mut stream = Kdf::new(&z);
            for piece in pieces.chunks_mut(33) {
                stream.fill(piece)?;
            }
            black_box(stream.all_zero());
            ensure!(
                same(&once, &pieces)?,
                "the key stream in pieces is the key stream"
            );
        }
        Ok(())
    })
}
