//! Memory of the largest PKCS #12 files that are read: counted by the allocator, in a
//! program of its own.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use kuaimi_pki::pkcs12::{MAX_LEN, Pkcs12, ReadOptions};

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

fn tlv(tag: u8, parts: &[&[u8]]) -> Vec<u8> {
    let content = parts.concat();
    [
        &[tag, 0x84],
        &(content.len() as u32).to_be_bytes()[..],
        &content,
    ]
    .concat()
}

/// `contentInfo` with bytes.
fn info(content: &[u8]) -> Vec<u8> {
    let data = [6, 9, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 7, 1];
    tlv(0x30, &[&data, &tlv(0xa0, &[content])])
}

/// A file without a MAC, whose content is `content` in an element of its own.
fn file(content: &[u8]) -> Vec<u8> {
    tlv(0x30, &[&[2, 1, 3], &info(content)])
}

/// One after the other, as the allocator counts for all threads.
#[test]
fn memory_is_a_few_times_the_file() {
    let room = MAX_LEN - 200;
    // A bag of a kind that is not known, with all of the room.
    let kind = [6, 2, 0x29, 1];
    let bag = tlv(0x30, &[&kind, &tlv(0xa0, &[&tlv(4, &[&vec![7; room]])])]);
    let contents = tlv(4, &[&tlv(0x30, &[&bag])]);
    let one = file(&tlv(4, &[&tlv(0x30, &[&info(&contents)])]));
    // Strings in the smallest pieces, elements without an end, and elements that are never closed.
    let pieces = file(&[&[0x24, 0x80], &[4, 0].repeat(room / 2)[..], &[0, 0]].concat());
    let empty = file(
        &[
            &[0x30, 0x80],
            &[0x30, 0x80, 0, 0].repeat(room / 4)[..],
            &[0, 0],
        ]
        .concat(),
    );
    let open = [0x30, 0x80].repeat(room / 2);
    for (name, bytes, right) in [
        ("one bag", one, true),
        ("pieces", pieces, false),
        ("empty elements", empty, false),
        ("open elements", open, false),
    ] {
        assert!(bytes.len() <= MAX_LEN);
        let before = NOW.load(Relaxed);
        PEAK.store(before, Relaxed);
        let read = Pkcs12::from_bytes_with(&bytes, "x", ReadOptions::default().allow_missing_mac());
        let peak = PEAK.load(Relaxed) - before;
        println!("{name}: {} KiB", peak >> 10);
        assert_eq!(read.is_ok(), right, "{name}: {:?}", read.err());
        assert!(peak < 6 * MAX_LEN, "{name}: {peak} bytes");
    }
}
