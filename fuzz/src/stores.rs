//! Files with keys and certificates: PKCS #12, CFCA's forms, and answers to requests.

use kuaimi::sm2::PrivateKey;
use kuaimi_pki::cfca::{open_key_file, open_returned_key, write_key_file};
use kuaimi_pki::key_response::KeyResponse;
use kuaimi_pki::pkcs12::{Content, Entry, Pkcs12, Profile, Protection, ReadOptions};
use kuaimi_testing::Repeatable;

use crate::der::value;

const DATA: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 7, 1];

pub fn check(data: &[u8]) {
    // No change of a file keeps its MAC right: the content alone is read as well, without one.
    let content = [value(6, DATA), value(0xa0, &value(4, data))].concat();
    let file = value(0x30, &[value(2, &[3]), value(0x30, &content)].concat());
    for bytes in [data, &file] {
        let options = ReadOptions::default()
            .allow_missing_mac()
            .with_max_iterations(1000);
        if let Ok(read) = Pkcs12::from_bytes_with(bytes, "password", options) {
            pkcs12(&read);
        }
    }
    if let Ok((key, certificate)) = open_key_file(data, "password") {
        let text = write_key_file(&key, &certificate, "password").expect("a pair is written");
        let again = open_key_file(text.as_bytes(), "password");
        assert_eq!(again, Ok((key, certificate)));
    }
    let key = PrivateKey::from_bytes(&[7; 32]).expect("in range");
    let _ = open_returned_key(&key, data);
    if let Ok(answer) = KeyResponse::from_bytes(data) {
        let again = KeyResponse::from_bytes(&answer.to_der());
        assert_eq!(again.as_ref(), Ok(&answer));
        let _ = answer.open(&key);
    }
}

fn pkcs12(read: &Pkcs12) {
    let mut identities = 0;
    for identity in read.identities() {
        identities += 1;
        let _ = identity.key.sm2();
    }
    assert!(identities <= read.keys().count());
    for profile in [Profile::ShangMi, Profile::Legacy] {
        let protection = Protection::from(profile).with_iterations(1);
        let Ok(der) = read.to_der("password", protection, &mut Repeatable(1)) else {
            // More entries than a file may have, with the parts.
            assert!(read.entries().len() > 4000);
            return;
        };
        let again = Pkcs12::from_bytes(&der, "password").expect("what was written is read");
        let contents = |file: &Pkcs12, keys: bool| -> Vec<Content> {
            let is_key = |entry: &&Entry| matches!(entry.content, Content::Key(_)) == keys;
            let entries = file.entries().iter().filter(is_key);
            entries.map(|entry| entry.content.clone()).collect()
        };
        for keys in [false, true] {
            assert_eq!(contents(read, keys), contents(&again, keys));
        }
        let third = again.to_der("password", protection, &mut Repeatable(1));
        assert_eq!(third, Ok(der), "the same random numbers");
    }
}
