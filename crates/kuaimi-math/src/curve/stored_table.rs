//! Tables of the generators, from files of this crate.
//!
//! A file has the words of the entries, least significant byte first. The tests named
//! `stored_tables` compute each table and compare it; with `KUAIMI_WRITE_TABLES=1` they write the
//! files.

#![allow(unsafe_code, reason = "bytes read as words")]

/// A table whose entries do not cross cache lines.
#[repr(C, align(64))]
pub struct Aligned<T>(pub T);

/// A table of `N` entries of two coordinates of `W` words.
pub type Table<const W: usize, const N: usize> = Aligned<[[[u64; W]; 2]; N]>;

/// The table from the bytes of a file.
pub const fn read<const W: usize, const N: usize, const BYTES: usize>(
    bytes: &[u8; BYTES],
) -> Table<W, N> {
    assert!(BYTES == size_of::<[[[u64; W]; 2]; N]>());
    // SAFETY: the file has the size of the type, every bit pattern is a value of it, and the read
    // needs no alignment.
    let table = unsafe { bytes.as_ptr().cast::<[[[u64; W]; 2]; N]>().read_unaligned() };
    Aligned(if cfg!(target_endian = "big") {
        swap_bytes(table)
    } else {
        table
    })
}

#[allow(long_running_const_eval, reason = "as many steps as there are words")]
const fn swap_bytes<const W: usize, const N: usize>(
    mut table: [[[u64; W]; 2]; N],
) -> [[[u64; W]; 2]; N] {
    let mut i = 0;
    while i < 2 * W * N {
        let word = &mut table[i / (2 * W)][i / W % 2][i % W];
        *word = word.swap_bytes();
        i += 1;
    }
    table
}

/// Compares a stored table with the computed one, or writes the file.
#[cfg(test)]
pub(crate) fn check<L: AsRef<[u64]>>(file: &str, stored: &[[L; 2]], computed: &[[L; 2]]) {
    let words = |table: &[[L; 2]]| -> Vec<u64> {
        let coordinates = table.iter().flatten();
        coordinates
            .flat_map(|c| c.as_ref().iter().copied())
            .collect()
    };
    let computed = words(computed);
    if std::env::var_os("KUAIMI_WRITE_TABLES").is_some() {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("src")
            .join(file);
        let bytes: Vec<u8> = computed
            .iter()
            .flat_map(|word| word.to_le_bytes())
            .collect();
        std::fs::write(path, bytes).expect("the file can be written");
        return;
    }
    assert!(
        words(stored) == computed,
        "{file}: the stored table is not the computed one"
    );
}
