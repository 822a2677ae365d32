//! A file's name for an identity: one that every file system takes, that no shell trips over, and
//! that two identities never share.
//!
//! Letters, digits and `@ + = , _ -` stand for themselves, and so does a dot that is not the first.
//! Every other byte is `%` and two hexadecimal digits; a name that would be too long ends in a
//! digest of the whole.

use kuaimi::sm3;

use crate::text::hex;

/// Without the extension; most file systems take 255 bytes with it.
const LONGEST: usize = 200;

pub fn for_identity(id: &[u8]) -> String {
    let mut name = String::new();
    for (i, &byte) in id.iter().enumerate() {
        let plain = byte.is_ascii_alphanumeric()
            || b"@+=,_".contains(&byte)
            || (i != 0 && b".-".contains(&byte));
        if plain {
            name.push(char::from(byte));
        } else {
            name += &format!("%{byte:02X}");
        }
        if name.len() > LONGEST {
            name.truncate(100);
            // "%%" comes out of no byte, so that no short identity has such a name.
            return format!("{name}%%{}", hex(sm3::digest(id)));
        }
    }
    name
}

#[cfg(test)]
mod tests {
    use super::for_identity;

    #[test]
    fn names_are_safe_and_differ() {
        for (id, name) in [
            (&b"alice@example.com"[..], "alice@example.com"),
            (b"../../etc/passwd", "%2E.%2F..%2Fetc%2Fpasswd"),
            (b".hidden", "%2Ehidden"),
            (b"-rf", "%2Drf"),
            (b"a b\n", "a%20b%0A"),
            (b"100%", "100%25"),
            (b"C:\\x*?", "C%3A%5Cx%2A%3F"),
            ("快".as_bytes(), "%E5%BF%AB"),
            (b"\0\xff", "%00%FF"),
        ] {
            assert_eq!(for_identity(id), name);
        }
        let (one, other) = (vec![b'a'; 1000], vec![b'a'; 1001]);
        assert_ne!(for_identity(&one), for_identity(&other));
        for id in [one, vec![b' '; 90], vec![0xFF; 5000]] {
            assert!(for_identity(&id).len() <= 200);
        }
        assert_eq!(for_identity(&[b'a'; 200]).len(), 200);
    }
}
