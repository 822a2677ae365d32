//! What the child does with a key.

use std::any::Any;
use std::io::{Cursor, Read};

use kuaimi::sm2::{self, Ciphertext, CiphertextForm, PrivateKey, PublicKey, SigningKey};
use kuaimi::sm4::Sm4Gcm;
use kuaimi::sm9;
use zeroize::{Zeroize as _, Zeroizing};

use super::{FILE_LEN, Input, MESSAGE, batches};

/// What an operation makes, with its key: in the heap, so that no copy on the stack is this
/// program's own.
pub(crate) type Made = Box<dyn Any>;

/// With what was read for it. What it uses up lies in the heap, too, and is not moved to the stack.
pub(crate) type Operation = Box<dyn FnOnce() -> Made>;

#[inline(never)]
pub(crate) fn operate(name: &str) -> Made {
    read(name)()
}

#[inline(never)]
pub(crate) fn run(operation: Operation) {
    drop(operation());
}

/// Reads the key, and gives the operation with it.
#[inline(never)]
pub(crate) fn read(name: &str) -> Operation {
    let input = Input::read();
    if let Some(name) = name.strip_suffix(" in a batch") {
        return batches::read(name, &input);
    }
    match name.split_once(' ') {
        Some(("sm2", name)) => sm2(name, &input),
        Some(("sm9", name)) => sm9(name, &input),
        _ => sm4(name, &input),
    }
}

fn sm2(name: &str, input: &Input) -> Operation {
    let (mut random, public) = (input.random(), input.public());
    let key = || Box::new(PrivateKey::from_bytes(input.secret()).expect("in range"));
    let signing_key = || {
        // Not out of a box, which would keep a copy.
        let key = PrivateKey::from_bytes(input.secret()).expect("in range");
        Box::new(SigningKey::new(key))
    };
    match name {
        "generate" => Box::new(move || {
            let key = PrivateKey::generate_with_rng(&mut random);
            Box::new(key.expect("numbers"))
        }),
        "key" => {
            let key = key();
            Box::new(move || key)
        }
        "sign" => {
            let key = signing_key();
            Box::new(move || {
                let signature = key.sign_with_rng(&mut random, MESSAGE);
                signature.expect("numbers");
                key
            })
        }
        "sign, deterministic" => {
            let key = signing_key();
            Box::new(move || {
                key.sign_deterministic(MESSAGE);
                key
            })
        }
        "encrypt" => {
            let recipient = PublicKey::from_sec1_bytes(public).expect("a point");
            let message = Zeroizing::new(input.secret().to_vec());
            Box::new(move || {
                let ciphertext = recipient.encrypt_with_rng(&mut random, &message);
                ciphertext.expect("numbers");
                Box::new(message)
            })
        }
        "decrypt" => {
            let key = key();
            let ciphertext = Ciphertext::from_der(public).expect("a ciphertext");
            Box::new(move || {
                let plaintext = key.decrypt(&ciphertext).expect("it is right");
                assert_eq!(plaintext.len(), 48);
                Box::new((key, plaintext))
            })
        }
        "diffie-hellman" => {
            let key = key();
            let peer = PublicKey::from_sec1_bytes(public).expect("a point");
            let mut shared = Box::new(Zeroizing::new([0; 32]));
            Box::new(move || {
                shared.copy_from_slice(&*key.diffie_hellman(&peer));
                Box::new((key, shared))
            })
        }
        "encrypt a file" => {
            let recipient = PublicKey::from_sec1_bytes(public).expect("a point");
            let message = Again::new(input.secret());
            Box::new(move || {
                let mut ciphertext = Cursor::new(Vec::new());
                let form = CiphertextForm::C1C3C2;
                let reader = message.read();
                sm2::stream::encrypt(&recipient, &mut random, form, reader, &mut ciphertext, None)
                    .expect("it is written");
                Box::new(message)
            })
        }
        "decrypt a file" | "decrypt a wrong file" => {
            let (key, file) = (key(), Cursor::new(public.to_vec()));
            let right = match name {
                "decrypt a file" => (true, 48),
                // Only the first pass.
                _ => (false, 0),
            };
            // With room, so that it does not move.
            let mut plaintext = Zeroizing::new(Vec::with_capacity(64));
            Box::new(move || {
                let form = Some(CiphertextForm::Der);
                let result = sm2::stream::decrypt(&key, form, file, &mut *plaintext);
                assert_eq!((result.is_ok(), plaintext.len()), right);
                Box::new((key, plaintext))
            })
        }
        _ => sm2_exchange(name, input),
    }
}

fn sm2_exchange(name: &str, input: &Input) -> Operation {
    use sm2::exchange::{Initiator, Party, Peer, Responder};

    let (mut random, public) = (input.random(), input.public());
    let key = Box::new(PrivateKey::from_bytes(input.secret()).expect("in range"));
    let point = |at: usize| PublicKey::from_sec1_bytes(&public[at..][..65]).expect("a point");
    let (peer, theirs, confirmation) = (point(0), point(65), &public[130..]);
    let confirmation: [u8; 32] = confirmation.try_into().expect("32 bytes");
    match name {
        "exchange: start" => {
            let party = Party::new(&key, b"alice").expect("a name");
            let peer = Peer::new(&peer, b"bob").expect("a name");
            Box::new(move || {
                let started = Initiator::start_with_rng(&mut random, party, peer);
                Box::new((key, Box::new(started.expect("numbers"))))
            })
        }
        "exchange: initiator" | "exchange: initiator, unconfirmed" => {
            let party = Party::new(&key, b"alice").expect("a name");
            let peer = Peer::new(&peer, b"bob").expect("a name");
            let (initiator, _) =
                Initiator::start_with_rng(&mut random, party, peer).expect("numbers");
            match name.ends_with("unconfirmed") {
                false => Box::new(move || {
                    let (shared, _) = initiator
                        .finish(&theirs, &confirmation, 48)
                        .expect("it is right");
                    Box::new((key, shared))
                }),
                true => Box::new(move || {
                    let shared = initiator.finish_unconfirmed(&theirs, 48);
                    Box::new((key, shared.expect("a length")))
                }),
            }
        }
        "exchange: respond" | "exchange: confirmation" | "exchange: confirm" => {
            let party = Party::new(&key, b"bob").expect("a name");
            let peer = Peer::new(&peer, b"alice").expect("a name");
            let responder = Responder::new(party, peer);
            let respond = move || {
                let response = responder.respond_with_rng(&mut random, &theirs, 48);
                response.expect("numbers")
            };
            // Each step alone, as the next one overwrites the same part of the stack.
            match name {
                "exchange: respond" => Box::new(move || Box::new((key, respond()))),
                "exchange: confirmation" => {
                    let response = respond();
                    Box::new(move || {
                        response.confirmation();
                        Box::new((key, response))
                    })
                }
                _ => {
                    let response = respond();
                    Box::new(move || {
                        let shared = response.confirm(&confirmation);
                        Box::new((key, shared.expect("it is right")))
                    })
                }
            }
        }
        _ => panic!("{name}"),
    }
}

fn sm9(name: &str, input: &Input) -> Operation {
    use sm9::{DecryptOptions, EncryptOptions, Mode};

    let (mut random, public) = (input.random(), input.public());
    let master = || {
        let master = sm9::MasterEncryptionKey::from_bytes(input.secret());
        Box::new(master.expect("in range"))
    };
    let recipient = || {
        let master = sm9::MasterEncryptionPublicKey::from_slice(public).expect("a point");
        master.encryption_key("bob").expect("a name")
    };
    match name {
        "generate" => Box::new(move || {
            let key = sm9::MasterSigningKey::generate_with_rng(&mut random);
            Box::new(key.expect("numbers"))
        }),
        "sign" => {
            let master = sm9::MasterSigningKey::from_bytes(input.secret()).expect("in range");
            let key = Box::new(master.extract("alice").expect("usable"));
            let master = Box::new(master);
            Box::new(move || {
                let signature = key.sign_with_rng(&mut random, MESSAGE);
                signature.expect("numbers");
                Box::new((master, key))
            })
        }
        "encapsulate" => {
            let recipient = recipient();
            Box::new(move || {
                let made = recipient.encapsulate_with_rng(&mut random, 48);
                let (shared, _) = made.expect("numbers");
                Box::new(shared)
            })
        }
        "decapsulate" => {
            let master = master();
            let key = Box::new(master.extract("bob").expect("usable"));
            let point = sm9::G1Point::from_slice(public).expect("a point");
            Box::new(move || {
                let shared = key.decapsulate(&point, 48).expect("a key");
                Box::new((master, key, shared))
            })
        }
        "encrypt" => {
            let recipient = recipient();
            let message = Zeroizing::new(input.secret().to_vec());
            Box::new(move || {
                let options = EncryptOptions::default();
                let ciphertext = recipient.encrypt_with_rng(&mut random, &message, options);
                ciphertext.expect("numbers");
                Box::new(message)
            })
        }
        "decrypt" => {
            let master = master();
            let key = Box::new(master.extract("bob").expect("usable"));
            let ciphertext = sm9::Ciphertext::from_bytes(Mode::Stream, public);
            let ciphertext = ciphertext.expect("a ciphertext");
            Box::new(move || {
                let plaintext = key.decrypt(&ciphertext).expect("it is right");
                assert_eq!(plaintext.len(), 48);
                Box::new((master, key, plaintext))
            })
        }
        "encrypt a file" | "encrypt a raw file" => {
            let (recipient, message) = (recipient(), Again::new(input.secret()));
            let raw = name.contains("raw");
            Box::new(move || {
                let (mut out, options) = (Cursor::new(Vec::new()), EncryptOptions::default());
                let (reader, length) = (message.read(), Some(FILE_LEN as u64));
                match raw {
                    false => sm9::stream::encrypt(
                        &recipient,
                        &mut random,
                        options,
                        reader,
                        &mut out,
                        length,
                    ),
                    true => sm9::stream::encrypt_raw(
                        &recipient,
                        &mut random,
                        options,
                        reader,
                        &mut out,
                        length,
                    ),
                }
                .expect("it is written");
                Box::new(message)
            })
        }
        "decrypt a file" | "decrypt a raw file" => {
            let master = master();
            let key = Box::new(master.extract("bob").expect("usable"));
            let file = Cursor::new(public.to_vec());
            let mut plaintext = Zeroizing::new(Vec::with_capacity(64));
            let raw = name.contains("raw");
            Box::new(move || {
                let (options, mode) = (DecryptOptions::default(), Mode::Stream);
                let length = match raw {
                    false => sm9::stream::decrypt(&key, options, file, &mut *plaintext)
                        .map(|(length, _)| length),
                    true => sm9::stream::decrypt_raw(&key, mode, options, file, &mut *plaintext),
                };
                assert_eq!(length.expect("it is right"), 48);
                Box::new((master, key, plaintext))
            })
        }
        _ => sm9_exchange(name, input),
    }
}

fn sm9_exchange(name: &str, input: &Input) -> Operation {
    use sm9::exchange::{Initiator, Party, Peer, Responder};

    let (mut random, public) = (input.random(), input.public());
    let master = sm9::MasterEncryptionKey::from_bytes(input.secret()).expect("in range");
    let master = Box::new(master);
    let key = |name| Box::new(master.extract_exchange(name).expect("usable"));
    let (theirs, confirmation) = public.split_at(64);
    let theirs = sm9::G1Point::from_slice(theirs).expect("a point");
    let confirmation: [u8; 32] = confirmation.try_into().expect("32 bytes");
    match name {
        "exchange: start" => {
            let key = key("alice");
            Box::new(move || {
                let started = Initiator::start_with_rng(
                    &mut random,
                    Party::new(&key),
                    Peer::new("bob").expect("a name"),
                );
                Box::new((master, key, Box::new(started.expect("numbers"))))
            })
        }
        "exchange: initiator" | "exchange: initiator, unconfirmed" => {
            let key = key("alice");
            let (initiator, _) = Initiator::start_with_rng(
                &mut random,
                Party::new(&key),
                Peer::new("bob").expect("a name"),
            )
            .expect("numbers");
            match name.ends_with("unconfirmed") {
                false => Box::new(move || {
                    let (shared, _) = initiator
                        .finish(&theirs, &confirmation, 48)
                        .expect("it is right");
                    Box::new((master, key, shared))
                }),
                true => Box::new(move || {
                    let shared = initiator.finish_unconfirmed(&theirs, 48);
                    Box::new((master, key, shared.expect("a length")))
                }),
            }
        }
        "exchange: respond" | "exchange: confirmation" | "exchange: confirm" => {
            let key = key("bob");
            let responder = Responder::new(Party::new(&key), Peer::new("alice").expect("a name"));
            let respond = move || {
                let response = responder.respond_with_rng(&mut random, &theirs, 48);
                response.expect("numbers")
            };
            // Each step alone, as the next one overwrites the same part of the stack.
            match name {
                "exchange: respond" => Box::new(move || Box::new((master, key, respond()))),
                "exchange: confirmation" => {
                    let response = respond();
                    Box::new(move || {
                        response.confirmation();
                        Box::new((master, key, response))
                    })
                }
                _ => {
                    let response = respond();
                    Box::new(move || {
                        let shared = response.confirm(&confirmation);
                        Box::new((master, key, shared.expect("it is right")))
                    })
                }
            }
        }
        _ => panic!("{name}"),
    }
}

fn sm4(name: &str, input: &Input) -> Operation {
    assert_eq!(name, "sm4-gcm open");
    let mut key = [0; 16];
    key.copy_from_slice(&input.secret()[..16]);
    let cipher = Box::new(Sm4Gcm::new(&key));
    key.zeroize();
    let (data, tag) = input.public().split_at(48);
    let mut data = Zeroizing::new(data.to_vec());
    let tag: [u8; 16] = tag.try_into().expect("16 bytes");
    Box::new(move || {
        cipher
            .open_in_place(&[1; 12], b"", &mut data, &tag)
            .expect("right");
        Box::new((cipher, data))
    })
}

/// A long message: a secret of 32 bytes, again and again.
struct Again(Box<Zeroizing<[u8; 32]>>);

impl Again {
    fn new(secret: &[u8; 32]) -> Self {
        Self(Box::new(Zeroizing::new(*secret)))
    }

    fn read(&self) -> impl Read {
        Reader {
            secret: &self.0,
            at: 0,
        }
    }
}

struct Reader<'a> {
    secret: &'a [u8; 32],
    at: usize,
}

impl Read for Reader<'_> {
    fn read(&mut self, out: &mut [u8]) -> std::io::Result<usize> {
        let length = out.len().min(FILE_LEN - self.at);
        for byte in &mut out[..length] {
            *byte = self.secret[self.at % 32];
            self.at += 1;
        }
        Ok(length)
    }
}
