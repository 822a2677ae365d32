//! Secrets in the memory of another process.
//!
//! A child process does an operation; its parent, which knows the secrets, reads all of the child's
//! memory that can be written. The child is the test program itself, with one test, which does
//! nothing without a variable of the environment.

use std::collections::HashMap;
use std::fs::File;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::os::unix::fs::FileExt as _;
use std::process::{Command, Stdio};

/// The name of the variable that has the operation that a child does.
pub const CHILD: &str = "KUAIMI_RESIDUE_CHILD";

/// What a child reads, in bytes.
pub const INPUT_LEN: usize = 2048;

/// Bytes that may not stay, and what they are called.
pub struct Secret {
    name: String,
    bytes: Vec<u8>,
}

impl Secret {
    /// At least sixteen bytes.
    pub fn new(name: &str, bytes: &[u8]) -> Self {
        assert!(
            bytes.len() >= 16,
            "{name}: too short to be told from others"
        );
        Self {
            name: name.to_string(),
            bytes: bytes.to_vec(),
        }
    }

    /// A number below `modulus`, both of 32 bytes, most significant first: as it is written, as
    /// limbs in memory, and as limbs of the Montgomery form.
    pub fn integer(name: &str, number: &[u8; 32], modulus: &[u8; 32]) -> [Self; 3] {
        let limbs = |bytes: &[u8; 32]| {
            let mut bytes = *bytes;
            bytes.reverse();
            bytes
        };
        [
            Self::new(name, number),
            Self::new(name, &limbs(number)),
            Self::new(
                &format!("{name}, Montgomery form"),
                &limbs(&montgomery(number, modulus)),
            ),
        ]
    }
}

/// `2²⁵⁶·number` modulo `modulus`, by doubling.
fn montgomery(number: &[u8; 32], modulus: &[u8; 32]) -> [u8; 32] {
    let mut product = *number;
    for _ in 0..256 {
        let mut carry = 0;
        for byte in product.iter_mut().rev() {
            (*byte, carry) = (*byte << 1 | carry, *byte >> 7);
        }
        if carry == 1 || product >= *modulus {
            let mut borrow = false;
            for (byte, m) in product.iter_mut().zip(modulus).rev() {
                let (difference, under) = byte.overflowing_sub(*m);
                let (difference, again) = difference.overflowing_sub(u8::from(borrow));
                (*byte, borrow) = (difference, under || again);
            }
        }
    }
    product
}

/// The name of the region in which the child's stack is.
pub const STACK: &str = "the stack";

/// In the child: fills `input` with what the parent gave, from a file without a buffer.
pub fn read_input(input: &mut [u8; INPUT_LEN]) {
    let mut file = File::open("/dev/stdin").expect("a pipe");
    file.read_exact(input).expect("all of the input");
}

/// In the child: lets the parent read the memory, and ends where it has.
pub fn wait_until_read() {
    let here = 0u8;
    println!("\nready {}", std::ptr::from_ref(&here).addr());
    let _ = File::open("/dev/stdin").expect("a pipe").read(&mut [0]);
}

/// Runs this program's test `child` with the operation `name` and `input`, and says where in its
/// memory secrets are.
pub fn found_in_child(name: &str, input: &[u8; INPUT_LEN], secrets: &[Secret]) -> Vec<String> {
    let mut child = Command::new(std::env::current_exe().expect("this test"))
        .args(["child", "--exact", "--nocapture", "--test-threads=1"])
        .env(CHILD, name)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("this test again");
    let mut pipe = child.stdin.take().expect("a pipe");
    pipe.write_all(input).expect("it reads");
    let mut output = BufReader::new(child.stdout.take().expect("a pipe")).lines();
    let stack = output
        .find_map(|line| line.expect("text").strip_prefix("ready ")?.parse().ok())
        .unwrap_or_else(|| panic!("{name} ended early"));
    let found = found(&memory(child.id(), stack), secrets);
    drop(pipe);
    assert!(child.wait().expect("it ends").success());
    found
}

/// All memory of a process that can be written, by the names that the system gives; the region with
/// the address `stack` has that name.
fn memory(process: u32, stack: u64) -> Vec<(String, Vec<u8>)> {
    let maps = std::fs::read_to_string(format!("/proc/{process}/maps")).expect("it runs");
    let file = File::open(format!("/proc/{process}/mem")).expect("a child's memory");
    let mut all = Vec::new();
    for line in maps.lines() {
        let mut fields = line.split_whitespace();
        let range = fields.next().expect("a range");
        if !fields.next().expect("permissions").starts_with("rw") {
            continue;
        }
        let bound = |text: &str| u64::from_str_radix(text, 16).expect("hexadecimal");
        let (start, end) = range.split_once('-').expect("two bounds");
        let (start, end) = (bound(start), bound(end));
        let name = match (start..end).contains(&stack) {
            true => STACK,
            false => fields.nth(3).unwrap_or("mapped"),
        };
        let mut bytes = vec![0; (end - start) as usize];
        // Some pages of the system's own cannot be read.
        if file.read_exact_at(&mut bytes, start).is_ok() {
            all.push((name.to_string(), bytes));
        }
    }
    all
}

/// Where any sixteen bytes of a secret are, that begin at a multiple of eight of it.
fn found(memory: &[(String, Vec<u8>)], secrets: &[Secret]) -> Vec<String> {
    // By the first eight bytes.
    let mut parts: HashMap<[u8; 8], Vec<(&str, &[u8])>> = HashMap::new();
    // Most places have not even the first two in common with a secret, and need no look into the
    // table.
    let mut begins = vec![false; 1 << 16];
    for Secret { name, bytes } in secrets {
        for start in (0..=bytes.len() - 16).step_by(8) {
            let part = &bytes[start..][..16];
            begins[usize::from(u16::from_le_bytes([part[0], part[1]]))] = true;
            let first = part[..8].try_into().expect("eight bytes");
            parts.entry(first).or_default().push((name, part));
        }
    }
    let mut all = Vec::new();
    for (region, bytes) in memory {
        for (place, window) in bytes.windows(16).enumerate() {
            if !begins[usize::from(u16::from_le_bytes([window[0], window[1]]))] {
                continue;
            }
            let first: &[u8; 8] = window[..8].try_into().expect("eight bytes");
            for (name, part) in parts.get(first).into_iter().flatten() {
                if *part == window {
                    all.push(format!(
                        "{region}: {name}, {:#x} from its end",
                        bytes.len() - place
                    ));
                }
            }
        }
    }
    all.sort();
    all.dedup();
    all
}
