//! Batches of SM4-GCM give what the single functions give.

use kuaimi::Threads;
use kuaimi::sm4::batch::{
    OpenItem, OpenMessage, SealItem, SealMessage, open_batch, open_batch_with, seal_batch,
    seal_batch_with,
};
use kuaimi::sm4::{Error, Sm4Gcm};

/// A key, a nonce, what is authenticated, and a message.
type Message = ([u8; 16], Vec<u8>, Vec<u8>, Vec<u8>);

/// Many messages of many lengths, in no order, each under its own key.
fn messages() -> Vec<Message> {
    (0..300_usize)
        .map(|i| {
            let byte = |j: usize| (31 * i + 7 * j) as u8;
            let bytes = |count: usize| (0..count).map(byte).collect::<Vec<u8>>();
            let nonce = bytes(if i % 5 == 0 { i % 33 } else { 12 });
            let length = match i % 12 {
                0 => 0,
                11 => 5000,
                _ => 97 * i % 1500,
            };
            let key = std::array::from_fn(byte);
            (key, nonce, bytes(i % 23), bytes(length))
        })
        .collect()
}

#[test]
fn each_result_is_that_of_the_single_function() {
    let messages = messages();
    let alone: Vec<Result<Vec<u8>, Error>> = messages
        .iter()
        .map(|(key, nonce, beside, message)| Sm4Gcm::new(key).seal(nonce, beside, message))
        .collect();
    assert_eq!(alone[0], Err(Error::EmptyNonce));
    let items: Vec<SealItem<'_>> = messages
        .iter()
        .map(|(key, nonce, beside, message)| SealItem::new(key, nonce, beside, message))
        .collect();
    for count in [0, 1, 2, 15, 16, 17, 129, 300] {
        let sealed = seal_batch(&items[..count], Threads::default());
        assert_eq!(sealed, alone[..count], "{count} messages");
    }
    #[cfg(feature = "rayon")]
    assert_eq!(seal_batch(&items, Threads::Pool), alone);

    let (sealed, expected) = altered(&messages, &alone);
    let items: Vec<OpenItem<'_>> = messages
        .iter()
        .zip(&sealed)
        .map(|((key, nonce, beside, _), sealed)| OpenItem::new(key, nonce, beside, sealed))
        .collect();
    assert_eq!(open_batch(&items, Threads::default()), expected);
    #[cfg(feature = "rayon")]
    assert_eq!(open_batch(&items, Threads::Pool), expected);
}

#[test]
fn each_result_under_a_kept_key_is_that_of_the_single_function() {
    let messages = messages();
    let cipher = Sm4Gcm::new(&[0x5a; 16]);
    let alone: Vec<Result<Vec<u8>, Error>> = messages
        .iter()
        .map(|(_, nonce, beside, message)| cipher.seal(nonce, beside, message))
        .collect();
    let items: Vec<SealMessage<'_>> = messages
        .iter()
        .map(|(_, nonce, beside, message)| SealMessage::new(nonce, beside, message))
        .collect();
    for count in [0, 1, 2, 7, 8, 9, 33, 100, 129, 300] {
        let sealed = seal_batch_with(&cipher, &items[..count], Threads::default());
        assert_eq!(sealed, alone[..count], "{count} messages");
    }
    #[cfg(feature = "rayon")]
    assert_eq!(seal_batch_with(&cipher, &items, Threads::Pool), alone);

    let (sealed, expected) = altered(&messages, &alone);
    let items: Vec<OpenMessage<'_>> = messages
        .iter()
        .zip(&sealed)
        .map(|((_, nonce, beside, _), sealed)| OpenMessage::new(nonce, beside, sealed))
        .collect();
    for count in [0, 1, 2, 7, 8, 9, 33, 100, 129, 300] {
        let opened = open_batch_with(&cipher, &items[..count], Threads::default());
        assert_eq!(opened, expected[..count], "{count} messages");
    }
    #[cfg(feature = "rayon")]
    assert_eq!(open_batch_with(&cipher, &items, Threads::Pool), expected);
    assert_eq!(format!("{:?}", items[0]), "OpenMessage { ... }");
}

type Opened = Vec<Result<Vec<u8>, Error>>;

/// Sealed messages, every third altered, every tenth too short for a tag, and what becomes of them.
fn altered(messages: &[Message], alone: &[Result<Vec<u8>, Error>]) -> (Vec<Vec<u8>>, Opened) {
    let mut sealed: Vec<Vec<u8>> = alone
        .iter()
        .map(|one| one.clone().unwrap_or_default())
        .collect();
    let mut expected: Opened = messages
        .iter()
        .zip(alone)
        .map(|((_, _, _, message), alone)| match alone {
            Ok(_) => Ok(message.clone()),
            Err(_) => Err(Error::DecryptionFailed),
        })
        .collect();
    for (i, (sealed, expected)) in sealed.iter_mut().zip(&mut expected).enumerate() {
        if sealed.is_empty() || (i % 3 != 0 && i % 10 != 0) {
            continue;
        }
        if i % 10 == 0 {
            sealed.truncate(15);
        } else {
            let place = i % sealed.len();
            sealed[place] ^= 1 << (i % 8);
        }
        *expected = Err(Error::DecryptionFailed);
    }
    (sealed, expected)
}

#[test]
fn an_empty_nonce_is_refused_for_its_item_alone() {
    let key = [7; 16];
    let sealed = Sm4Gcm::new(&key).seal(&[1; 12], b"", b"a message");
    let sealed = sealed.expect("a nonce");
    let items = [
        OpenItem::new(&key, b"", b"", &sealed),
        OpenItem::new(&key, &[1; 12], b"", &sealed),
    ];
    assert_eq!(
        open_batch(&items, Threads::default()),
        [Err(Error::EmptyNonce), Ok(b"a message".to_vec())]
    );
    assert_eq!(format!("{:?}", items[0]), "OpenItem { ... }");
}
