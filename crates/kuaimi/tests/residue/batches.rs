//! What the child does with several items together.

use kuaimi::Threads;
use kuaimi::sm2::batch::{
    DecryptItem, EncryptItem, FinishItem, RespondItem, SignItem, decrypt_batch,
    diffie_hellman_batch, encrypt_batch_with_rng, finish_batch, generate_batch_with_rng,
    respond_batch_with_rng, sign_batch_with_rng, start_batch_with_rng,
};
use kuaimi::sm2::exchange::{Party, Peer};
use kuaimi::sm2::{Ciphertext, PrivateKey, PublicKey, SigningKey};
use kuaimi::sm4::batch as sm4_batch;
use kuaimi::sm9::batch as sm9_batch;
use kuaimi::sm9::{self, Identity, MasterEncryptionKey, MasterEncryptionPublicKey};
use zeroize::Zeroizing;

use super::operations::Operation;
use super::{BATCH, Input, MESSAGE};

/// Users whose keys are extracted together.
pub(crate) const USERS: [&str; BATCH] = ["alice", "bob", "carol", "dave"];

fn identities() -> [Identity<'static>; BATCH] {
    USERS.map(Identity::from)
}

/// The same keys in a vector that grows as they come: no move leaves a copy of a key.
fn moved<K, E: std::fmt::Debug>(made: Vec<Result<K, E>>) -> Vec<K> {
    let mut keys = Vec::new();
    for key in made {
        keys.push(key.expect("a key"));
    }
    keys
}

pub(crate) fn read(name: &str, input: &Input) -> Operation {
    let (mut random, public) = (input.random(), input.public());
    let key = || PrivateKey::from_bytes(input.secret()).expect("in range");
    let master = || {
        let master = MasterEncryptionKey::from_bytes(input.secret());
        Box::new(master.expect("in range"))
    };
    let message = || Zeroizing::new(input.secret().to_vec());
    match name {
        "sm2 generate" => Box::new(move || {
            let made = generate_batch_with_rng(&mut random, BATCH, Threads::One);
            Box::new(moved(made))
        }),
        "sm2 sign" => {
            let key = Box::new(SigningKey::new(key()));
            Box::new(move || {
                let items = [(); BATCH].map(|()| SignItem::new(&key, MESSAGE));
                let made = sign_batch_with_rng(&mut random, &items, Threads::One);
                assert!(made.iter().all(Result::is_ok));
                key
            })
        }
        "sm2 encrypt" => {
            let recipient = PublicKey::from_sec1_bytes(public).expect("a point");
            let message = message();
            Box::new(move || {
                let items = [(); BATCH].map(|()| EncryptItem::new(&recipient, &message));
                let made = encrypt_batch_with_rng(&mut random, &items, Threads::One);
                assert!(made.iter().all(Result::is_ok));
                Box::new(message)
            })
        }
        "sm2 decrypt" => {
            let key = Box::new(key());
            let ciphertext = Ciphertext::from_der(public).expect("a ciphertext");
            Box::new(move || {
                let items = [(); BATCH].map(|()| DecryptItem::new(&key, &ciphertext));
                let made = decrypt_batch(&items, Threads::One);
                assert!(made.iter().all(Result::is_ok));
                Box::new((key, made))
            })
        }
        "sm2 diffie-hellman" => {
            let key = Box::new(key());
            let peer = PublicKey::from_sec1_bytes(public).expect("a point");
            Box::new(move || {
                let made = diffie_hellman_batch(&[(&*key, &peer); BATCH], Threads::One);
                Box::new((key, made))
            })
        }
        "sm2 exchange: initiator" | "sm2 exchange: respond" => {
            let key = Box::new(key());
            let point = |at: usize| PublicKey::from_sec1_bytes(&public[at..][..65]);
            let (peer, theirs) = (point(0).expect("a point"), point(65).expect("a point"));
            let (id, other): (&[u8], &[u8]) = match name.ends_with("respond") {
                true => (b"bob", b"alice"),
                false => (b"alice", b"bob"),
            };
            let party = Party::new(&key, id).expect("a name");
            let peer = Peer::new(&peer, other).expect("a name");
            if name.ends_with("respond") {
                return Box::new(move || {
                    let items = [(); BATCH].map(|()| RespondItem::new(&party, &peer, &theirs));
                    let made = respond_batch_with_rng(&mut random, &items, 48, Threads::One);
                    assert!(made.iter().all(Result::is_ok));
                    Box::new((key, made))
                });
            }
            let started = start_batch_with_rng(&mut random, &[&party; BATCH], Threads::One);
            Box::new(move || {
                let items = started.into_iter().map(|started| {
                    let (opening, _) = started.expect("numbers");
                    FinishItem::unconfirmed(opening.with_peer(peer.clone()), &theirs)
                });
                let made = finish_batch(items.collect(), 48, Threads::One);
                assert!(made.iter().all(Result::is_ok));
                Box::new((key, made))
            })
        }
        "sm9 extract" => {
            let master = sm9::MasterSigningKey::from_bytes(input.secret()).expect("in range");
            let master = Box::new(master);
            Box::new(move || {
                let made = master.extract_batch(&identities(), Threads::One);
                Box::new((master, moved(made)))
            })
        }
        "sm9 sign" => {
            let master = sm9::MasterSigningKey::from_bytes(input.secret()).expect("in range");
            let key = Box::new(master.extract("alice").expect("usable"));
            let master = Box::new(master);
            Box::new(move || {
                let items = [(); BATCH].map(|()| sm9_batch::SignItem::new(&key, MESSAGE));
                let made = sm9_batch::sign_batch_with_rng(&mut random, &items, Threads::One);
                assert!(made.iter().all(Result::is_ok));
                Box::new((master, key))
            })
        }
        "sm9 encapsulate" => {
            let public = MasterEncryptionPublicKey::from_slice(public).expect("a point");
            let recipient = public.encryption_key("bob").expect("a name");
            Box::new(move || {
                let item = |()| sm9_batch::EncapsulateItem::new(&recipient, 48);
                let items = [(); BATCH].map(item);
                let made = sm9_batch::encapsulate_batch_with_rng(&mut random, &items, Threads::One);
                assert!(made.iter().all(Result::is_ok));
                Box::new(made)
            })
        }
        "sm9 encrypt" => {
            let public = MasterEncryptionPublicKey::from_slice(public).expect("a point");
            let recipient = public.encryption_key("bob").expect("a name");
            let message = message();
            Box::new(move || {
                let item = |()| sm9_batch::EncryptItem::new(&recipient, &message);
                let items = [(); BATCH].map(item);
                let made = sm9_batch::encrypt_batch_with_rng(&mut random, &items, Threads::One);
                assert!(made.iter().all(Result::is_ok));
                Box::new(message)
            })
        }
        "sm9 decapsulate" => {
            let master = master();
            let key = Box::new(master.extract("bob").expect("usable"));
            let point = sm9::G1Point::from_slice(public).expect("a point");
            Box::new(move || {
                let item = |()| sm9_batch::DecapsulateItem::new(&key, &point, 48);
                let made = sm9_batch::decapsulate_batch(&[(); BATCH].map(item), Threads::One);
                assert!(made.iter().all(Result::is_ok));
                Box::new((master, key, made))
            })
        }
        "sm9 decrypt" => {
            let master = master();
            let key = Box::new(master.extract("bob").expect("usable"));
            let ciphertext = sm9::Ciphertext::from_bytes(sm9::Mode::Stream, public);
            let ciphertext = ciphertext.expect("a ciphertext");
            Box::new(move || {
                let item = |()| sm9_batch::DecryptItem::new(&key, &ciphertext);
                let made = sm9_batch::decrypt_batch(&[(); BATCH].map(item), Threads::One);
                assert!(made.iter().all(Result::is_ok));
                Box::new((master, key, made))
            })
        }
        "sm4-gcm open" => {
            let mut key = Box::new(Zeroizing::new([0; 16]));
            key.copy_from_slice(&input.secret()[..16]);
            let sealed = public.to_vec();
            Box::new(move || {
                let item = |()| sm4_batch::OpenItem::new(&key, &[1; 12], b"", &sealed);
                let made = sm4_batch::open_batch(&[(); BATCH].map(item), Threads::One);
                let mut opened = Vec::new();
                for message in made {
                    opened.push(Zeroizing::new(message.expect("right")));
                }
                Box::new((key, opened))
            })
        }
        _ => panic!("{name}"),
    }
}
