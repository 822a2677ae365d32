//! Batches of SM9: each item has the result that the single operation gives, whatever the others
//! are.

use crate::common::numbers::Broken;
use getrandom::SysRng;
use kuaimi::Threads;
use kuaimi::precompute::Precompute;
use kuaimi::sm9::batch::{
    DecapsulateItem, DecryptItem, EncapsulateItem, EncryptItem, Recipient, SignItem, Signer,
    VerifyItem, decapsulate_batch, decrypt_batch, encapsulate_batch, encapsulate_batch_with_rng,
    encrypt_batch, encrypt_batch_with_rng, sign_batch, sign_batch_with_rng, verify_batch,
};
use kuaimi::sm9::{
    DecryptOptions, EncryptOptions, Error, G1Point, Identity, IdentityCache, Mac,
    MasterEncryptionKey, MasterSigningKey, MasterSigningPublicKey, MessageHash, Mode, Signature,
    VerifyingKey,
};

fn signing(seed: u8) -> MasterSigningKey {
    MasterSigningKey::from_bytes(&[seed; 32]).expect("a master key")
}

fn encryption(seed: u8) -> MasterEncryptionKey {
    MasterEncryptionKey::from_bytes(&[seed; 32]).expect("a master key")
}

/// Many items of users under two master keys, with every kind of signer, and mistakes among them.
#[test]
fn verifications_are_the_single_ones() {
    let masters = [signing(7), signing(8)];
    let public = masters.each_ref().map(|master| master.public_key().clone());
    // Masters that were read apart share no tables.
    let again = MasterSigningPublicKey::from_bytes(&public[0].to_bytes()).expect("a public key");
    let users: Vec<String> = (0..3).map(|i| format!("user{i}@example.com")).collect();
    let mut keys: Vec<Vec<VerifyingKey>> = Vec::new();
    let mut signed: Vec<(usize, usize, Vec<u8>, Signature)> = Vec::new();
    for (m, master) in masters.iter().enumerate() {
        let signers: Vec<_> = users
            .iter()
            .map(|id| master.extract(&id[..]).expect("a key"))
            .collect();
        for i in 0..33_u8 {
            let (user, message) = (usize::from(i) % 3, vec![i; usize::from(i) * 5]);
            let signature = signers[user].sign(&message).expect("a signature");
            signed.push((m, user, message, signature));
        }
        keys.push(
            signers
                .iter()
                .map(|key| key.verifying_key().clone())
                .collect(),
        );
    }
    let prepared = keys[1][2].with_precompute(Precompute::AtOnce);
    let hashes: Vec<MessageHash> = signed
        .iter()
        .map(|(_, _, m, _)| MessageHash::of(m))
        .collect();
    let mut items = Vec::new();
    let mut expected: Vec<Result<(), Error>> = Vec::new();
    for (i, ((m, user, message, signature), hash)) in signed.iter().zip(&hashes).enumerate() {
        let signer: Signer<'_> = match (i % 3, m, user) {
            (_, 1, 2) => (&prepared).into(),
            (0, ..) => (&keys[*m][*user]).into(),
            (1, 0, _) => Signer::Identity {
                master: &again,
                identity: users[*user].as_str().into(),
            },
            _ => Signer::Identity {
                master: &public[*m],
                identity: users[*user].as_str().into(),
            },
        };
        let invalid = Err(Error::InvalidSignature);
        let (item, result) = match i % 11 {
            3 => (VerifyItem::new(signer, b"another", signature), invalid),
            4 => {
                let decoded = Signature::from_slice(&[1; 12]);
                let item = VerifyItem::new(signer, message, decoded);
                (item, Err(Error::SignatureLength(12)))
            }
            5 => {
                let decoded = Signature::from_der(&[1; 12]);
                let item = VerifyItem::new(signer, message, decoded);
                (item, Err(Error::SignatureEncoding))
            }
            6 => {
                let (master, identity) = (&public[*m], "".into());
                let item =
                    VerifyItem::new(Signer::Identity { master, identity }, message, signature);
                (item, Err(Error::EmptyIdentity))
            }
            7 => {
                let identity = Identity::new(users[*user].as_bytes()).with_hid(9);
                let master = &public[*m];
                let item =
                    VerifyItem::new(Signer::Identity { master, identity }, message, signature);
                (item, invalid)
            }
            8 => {
                let stranger = &keys[1 - *m][*user];
                (VerifyItem::new(stranger, message, signature), invalid)
            }
            9 => (VerifyItem::new(signer, hash, signature), Ok(())),
            _ => (VerifyItem::new(signer, message, signature), Ok(())),
        };
        items.push(item);
        expected.push(result);
    }
    assert!(expected.iter().filter(|result| result.is_ok()).count() >= 30);
    assert_eq!(verify_batch(&items, Threads::Pool), expected);
    for length in [0, 1, 2, 9] {
        assert_eq!(
            verify_batch(&items[..length], Threads::Pool),
            expected[..length]
        );
    }
    let cache = IdentityCache::new(&public[0], 1 << 20);
    for round in 0..3 {
        assert_eq!(
            cache.verify_batch(&items, Threads::Pool),
            expected,
            "round {round}"
        );
    }
    assert!(cache.stats().hits >= 30);
}

#[test]
fn signatures_are_valid_and_hedged_by_their_items() {
    let master = signing(7);
    let keys = ["a", "b"].map(|id| master.extract(id).expect("a key"));
    let prepared = keys[1].with_precompute(Precompute::AtOnce);
    let messages: Vec<Vec<u8>> = (0..20).map(|i| vec![i; 3]).collect();
    let hash = MessageHash::of(b"hashed");
    let mut items: Vec<SignItem<'_>> = Vec::new();
    let mut signers = Vec::new();
    for (i, message) in messages.iter().enumerate() {
        let (item, signer) = match i % 3 {
            0 => (SignItem::new(&keys[0], message), &keys[0]),
            1 => (SignItem::new(&keys[1], message), &keys[1]),
            _ => (SignItem::new(&prepared, message), &keys[1]),
        };
        items.push(item);
        signers.push(signer.verifying_key());
    }
    items.push(SignItem::new(&keys[0], &hash));
    let mut contents: Vec<&[u8]> = messages.iter().map(|message| &message[..]).collect();
    contents.push(b"hashed");
    signers.push(keys[0].verifying_key());

    let check = |signatures: Vec<Result<Signature, Error>>| {
        assert_eq!(signatures.len(), items.len());
        let signatures: Vec<Signature> = signatures
            .into_iter()
            .map(|made| made.expect("a signature"))
            .collect();
        for ((signature, signer), message) in signatures.iter().zip(&signers).zip(&contents) {
            assert_eq!(signer.verify(message, signature), Ok(()));
        }
        let mut distinct: Vec<_> = signatures.iter().map(Signature::to_bytes).collect();
        distinct.sort_unstable();
        distinct.dedup();
        assert_eq!(distinct.len(), signatures.len(), "no nonce is used twice");
        signatures
    };
    assert_ne!(
        check(sign_batch(&items, Threads::Pool)),
        check(sign_batch(&items, Threads::Pool))
    );
    // With a stuck generator they are those of the single operation with the same bytes.
    let stuck = check(sign_batch_with_rng(
        &mut Broken::Constant(5),
        &items,
        Threads::Pool,
    ));
    let single =
        |i: usize, message: &[u8]| keys[i].sign_with_rng(&mut Broken::Constant(5), message);
    for (i, message) in messages.iter().enumerate() {
        assert_eq!(
            single(usize::from(i % 3 != 0), message),
            Ok(stuck[i]),
            "{i}"
        );
    }
    assert_eq!(single(0, b"hashed"), Ok(stuck[20]));
    let failed = sign_batch_with_rng(&mut Broken::Fails, &items, Threads::Pool);
    assert_eq!(failed, vec![Err(Error::Random); items.len()]);
    assert_eq!(sign_batch(&[], Threads::Pool), []);
    let many = keys[0].sign_batch(&["one", "two"], Threads::Pool);
    let second = many[1].as_ref().expect("a signature");
    assert_eq!(keys[0].verifying_key().verify(b"two", second), Ok(()));
    assert_eq!(prepared.sign_batch(&["one"; 9], Threads::Pool).len(), 9);
}

#[test]
fn encapsulations_go_both_ways() {
    let master = encryption(7);
    let keys = ["a", "b"].map(|id| master.extract(id).expect("a key"));
    let prepared = (
        keys[1].encryption_key().with_precompute(Precompute::AtOnce),
        keys[1].with_precompute(Precompute::AtOnce),
    );
    let lengths = [1, 16, 32, 0, 100, 1, usize::MAX, 7, 64, 1, 1, 1];
    let empty = Recipient::Identity {
        master: master.public_key(),
        identity: "".into(),
    };
    let by_name = Recipient::Identity {
        master: master.public_key(),
        identity: "a".into(),
    };
    let mut items: Vec<EncapsulateItem<'_>> = Vec::new();
    for (i, &length) in lengths.iter().cycle().take(300).enumerate() {
        items.push(match i % 3 {
            0 => EncapsulateItem::new(keys[0].encryption_key(), length),
            1 => EncapsulateItem::new(&prepared.0, length),
            _ => EncapsulateItem::new(by_name, length),
        });
    }
    items.push(EncapsulateItem::new(empty, 16));
    let made = encapsulate_batch(&items, Threads::Pool);
    assert_eq!(made.len(), 301);
    assert_eq!(made[300].as_ref().err(), Some(&Error::EmptyIdentity));
    let mut decapsulated: Vec<DecapsulateItem<'_>> = Vec::new();
    let mut expected = Vec::new();
    for ((i, &length), made) in lengths.iter().cycle().take(300).enumerate().zip(&made) {
        match made {
            Ok((key, c)) => {
                assert!(key.len() == length && key.iter().any(|&byte| byte != 0));
                decapsulated.push(match i % 6 {
                    0 | 2 | 3 | 5 => DecapsulateItem::new(&keys[0], c, length),
                    1 => DecapsulateItem::new(&keys[1], c, length),
                    _ => DecapsulateItem::new(&prepared.1, c, length),
                });
                expected.push(Ok(key.clone()));
            }
            Err(error) => {
                assert_eq!(*error, Error::KeyLength);
                assert!(matches!(length, 0 | usize::MAX));
            }
        }
    }
    assert_eq!(expected.len(), 250);
    assert_eq!(decapsulate_batch(&decapsulated, Threads::Pool), expected);
    let (_, c) = made[0].as_ref().expect("an encapsulation");
    let none = decapsulate_batch(&[DecapsulateItem::new(&keys[0], c, 0)], Threads::Pool);
    assert_eq!(none, [Err(Error::KeyLength)]);

    // With a stuck generator they are those of the single operation.
    let items: Vec<EncapsulateItem<'_>> = items
        .iter()
        .copied()
        .filter(|item| !format!("{item:?}").contains("length: 1,"))
        .collect();
    let stuck = encapsulate_batch_with_rng(&mut Broken::Constant(5), &items[..20], Threads::Pool);
    let one_by_one = items[..20].iter().map(|item| {
        encapsulate_batch_with_rng(
            &mut Broken::Constant(5),
            core::slice::from_ref(item),
            Threads::Pool,
        )
        .remove(0)
    });
    assert_eq!(stuck, one_by_one.collect::<Vec<_>>());
    let alone = keys[0]
        .encryption_key()
        .encapsulate_with_rng(&mut Broken::Constant(5), 16);
    let items = [
        EncapsulateItem::new(by_name, 16),
        EncapsulateItem::new(by_name, 0),
        EncapsulateItem::new(by_name, 16),
    ];
    let of_three = encapsulate_batch_with_rng(&mut Broken::Constant(5), &items, Threads::Pool);
    assert_eq!(of_three, [alone.clone(), Err(Error::KeyLength), alone]);

    let failed = encapsulate_batch_with_rng(&mut Broken::Fails, &items, Threads::Pool);
    let errors: Vec<_> = failed.iter().map(|made| made.as_ref().err()).collect();
    let random = Some(&Error::Random);
    assert_eq!(errors, [random, Some(&Error::KeyLength), random]);
}

#[test]
fn encryptions_go_both_ways() {
    let master = encryption(7);
    let keys = ["a", "b"].map(|id| master.extract(id).expect("a key"));
    let prepared = (
        keys[1].encryption_key().with_precompute(Precompute::AtOnce),
        keys[1].with_precompute(Precompute::AtOnce),
    );
    let messages: Vec<Vec<u8>> = (0..400).map(|i: usize| vec![b'M'; i % 40]).collect();
    let options = |i: usize| {
        let mode = Mode::ALL[i % Mode::ALL.len()];
        let mac = Mac::ALL[i / 5 % 2];
        (
            mode,
            mac,
            EncryptOptions::new().with_mode(mode).with_mac(mac),
        )
    };
    let items: Vec<EncryptItem<'_>> = messages
        .iter()
        .enumerate()
        .map(|(i, message)| {
            let item = match i % 2 {
                0 => EncryptItem::new(keys[0].encryption_key(), message),
                _ => EncryptItem::new(&prepared.0, message),
            };
            item.with_options(options(i).2)
        })
        .collect();
    let made = encrypt_batch(&items, Threads::Pool);
    let mut ciphertexts = Vec::new();
    for ((i, message), made) in messages.iter().enumerate().zip(made) {
        match made {
            Ok(ciphertext) => {
                assert_eq!(ciphertext.mode(), options(i).0);
                assert_ne!(ciphertext.c2(), message);
                ciphertexts.push((i, ciphertext));
            }
            Err(error) => assert!(error == Error::EmptyMessage && message.is_empty()),
        }
    }
    assert_eq!(ciphertexts.len(), 390);
    let item = |i: usize, ciphertext, mac: Mac| {
        let item = match i % 4 {
            0 | 2 => DecryptItem::new(&keys[0], ciphertext),
            1 => DecryptItem::new(&keys[1], ciphertext),
            _ => DecryptItem::new(&prepared.1, ciphertext),
        };
        item.with_options(DecryptOptions::new().with_mac(mac))
    };
    // Every seventh with another key.
    let decrypted: Vec<DecryptItem<'_>> = ciphertexts
        .iter()
        .map(|(i, ciphertext)| match i % 7 {
            0 => item(i + 1, ciphertext, options(*i).1),
            _ => item(*i, ciphertext, options(*i).1),
        })
        .collect();
    for ((i, _), plain) in ciphertexts
        .iter()
        .zip(decrypt_batch(&decrypted, Threads::Pool))
    {
        match plain {
            Ok(plain) => assert!(i % 7 != 0 && *plain == messages[*i]),
            Err(error) => assert!(i % 7 == 0 && error == Error::DecryptionFailed),
        }
    }

    let failed = encrypt_batch_with_rng(&mut Broken::Fails, &items[39..42], Threads::Pool);
    let errors: Vec<_> = failed.into_iter().map(Result::err).collect();
    let random = Some(Error::Random);
    assert_eq!(errors, [random, Some(Error::EmptyMessage), random]);
    assert_eq!(encrypt_batch_with_rng(&mut SysRng, &[], Threads::Pool), []);
}

#[test]
fn keys_of_many_users_are_those_of_single_ones() {
    let names: Vec<String> = (0..300).map(|i| format!("user{i}")).collect();
    let mut identities: Vec<Identity<'_>> = names.iter().map(|name| name.as_str().into()).collect();
    identities[20] = "".into();
    identities[270] = identities[270].with_hid(77);
    let (sign, encrypt) = (signing(7), encryption(7));
    let signing = sign.extract_batch(&identities, Threads::Pool);
    let decryption = encrypt.extract_batch(&identities, Threads::Pool);
    let exchange = encrypt.extract_exchange_batch(&identities, Threads::Pool);
    assert!(signing.len() == 300 && decryption.len() == 300 && exchange.len() == 300);
    assert_eq!(signing[20], Err(Error::EmptyIdentity));
    for i in [0, 1, 19, 20, 21, 255, 256, 270, 299] {
        assert_eq!(signing[i], sign.extract(identities[i]), "{i}");
        assert_eq!(decryption[i], encrypt.extract(identities[i]), "{i}");
        assert_eq!(exchange[i], encrypt.extract_exchange(identities[i]), "{i}");
    }
    assert_eq!(exchange[270].as_ref().map(|key| key.hid()), Ok(77));
    assert_eq!(exchange[271].as_ref().map(|key| key.hid()), Ok(2));
}

/// A master key for which `H1(ID ‖ hid) + k` is zero serves all but that identity.
#[test]
fn an_identity_that_cannot_be_served_fails_alone() {
    // H1("Alice" ‖ 01) + k = N
    let n = "B640000002A3A6F1D603AB4FF58EC74449F2934B18EA8BEEE56EE19CD69ECF25";
    let h1 = "2ACC468C3926B0BDB2767E99FF26E084DE9CED8DBC7D5FBF418027B667862FAB";
    let number = |digits: &str| num_bigint::BigUint::parse_bytes(digits.as_bytes(), 16);
    let (n, h1) = (number(n).expect("digits"), number(h1).expect("digits"));
    let k: [u8; 32] = (n - h1).to_bytes_be().try_into().expect("32 bytes");
    let master = MasterEncryptionKey::from_bytes(&k).expect("in range");
    let alice = Identity::new(b"Alice").with_hid(1);
    let of = |identity| Recipient::Identity {
        master: master.public_key(),
        identity,
    };
    for precomputed in [false, true] {
        let mut items = vec![EncryptItem::new(of("Bob".into()), b"more than a byte"); 11];
        items[6] = EncryptItem::new(of(alice), b"more than a byte");
        for count in [11, 7] {
            for (i, made) in encrypt_batch(&items[..count], Threads::Pool)
                .into_iter()
                .enumerate()
            {
                let expected = (i == 6).then_some(Error::UnusableMasterKey);
                assert_eq!(made.err(), expected, "{i} of {count}, {precomputed}");
            }
        }
        master.public_key().prepare();
    }
    // The point of that identity's verifying key is infinity, so no signature is valid.
    let master = MasterSigningKey::from_bytes(&k).expect("in range");
    master.public_key().prepare();
    let bob = master.extract("Bob").expect("a key");
    let signature = bob.sign(b"a message").expect("a signature");
    let alice = VerifyingKey::new(master.public_key(), alice).expect("a key");
    let prepared = alice.with_precompute(Precompute::AtOnce);
    let mut items = vec![VerifyItem::new(bob.verifying_key(), b"a message", signature); 12];
    items[3] = VerifyItem::new(&alice, b"a message", signature);
    items[8] = VerifyItem::new(&prepared, b"a message", signature);
    for (i, result) in verify_batch(&items, Threads::Pool).into_iter().enumerate() {
        let expected = if i == 3 || i == 8 {
            Err(Error::InvalidSignature)
        } else {
            Ok(())
        };
        assert_eq!(result, expected, "{i}");
    }
    let master = MasterEncryptionKey::from_bytes(&k).expect("in range");
    let point = G1Point::from_bytes(&master.public_key().to_bytes()).expect("a point");
    let bob = master.extract("Bob").expect("a key");
    assert!(decapsulate_batch(&[DecapsulateItem::new(&bob, &point, 16)], Threads::Pool)[0].is_ok());
}
