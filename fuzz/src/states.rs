//! What the library stores for itself. Anyone can make the tag of a state of an exchange, so this
//! does.

use arbitrary::{Arbitrary, Unstructured};
use kuaimi::sm2::{self, PrivateKey};
use kuaimi::sm3::hmac_sm3;
use kuaimi::sm9;

use crate::identities::{encryption_master, signing_master};

/// A state that was made, with bytes of it changed, or other bytes behind its header.
#[derive(Arbitrary, Debug)]
struct Input<'a> {
    kind: u8,
    edits: Vec<(u16, u8)>,
    cut: Option<u16>,
    body: Option<&'a [u8]>,
}

impl Input<'_> {
    /// `state`, edited, under a tag that is right again.
    fn apply(&self, state: &[u8]) -> Vec<u8> {
        let (content, _) = state.split_at(state.len() - 32);
        let mut content = content.to_vec();
        if let Some(body) = self.body {
            content.truncate(8);
            content.extend_from_slice(body);
        }
        if let Some(cut) = self.cut {
            content.truncate(cut.into());
        }
        for &(place, value) in &self.edits {
            let length = content.len().max(1);
            if let Some(byte) = content.get_mut(usize::from(place) % length) {
                *byte = value;
            }
        }
        let tag = hmac_sm3(&[], &content);
        content.extend_from_slice(&tag);
        content
    }
}

/// The states of SM2's two sides.
pub fn of_sm2() -> [Vec<u8>; 2] {
    use sm2::exchange::{Initiator, Party, Peer, Responder};
    let [a, b] = sm2_keys();
    let mut rng = kuaimi_testing::Repeatable(1);
    let to_b = Peer::new(b.public_key(), b"bob").expect("short");
    let to_a = Peer::new(a.public_key(), b"alice").expect("short");
    let a = Party::new(&a, b"alice").expect("short");
    let b = Party::new(&b, b"bob").expect("short");
    let (initiator, r_a) = Initiator::start_with_rng(&mut rng, a, to_b).expect("numbers");
    let response = Responder::new(b, to_a)
        .respond_with_rng(&mut rng, &r_a, 16)
        .expect("numbers");
    [initiator.to_bytes().to_vec(), response.to_bytes().to_vec()]
}

fn sm2_keys() -> [PrivateKey; 2] {
    [7, 8].map(|byte| PrivateKey::from_bytes(&[byte; 32]).expect("in range"))
}

/// The states of SM9's two sides.
pub fn of_sm9() -> [Vec<u8>; 2] {
    use sm9::exchange::{Initiator, Party, Peer, Responder};
    let mut rng = kuaimi_testing::Repeatable(2);
    let [alice, bob] = ["alice", "bob"].map(|id| {
        let key = encryption_master().extract_exchange(id);
        Party::new(&key.expect("an identity"))
    });
    let [to_alice, to_bob] = ["alice", "bob"].map(|id| Peer::new(id).expect("an identity"));
    let started = Initiator::start_with_rng(&mut rng, alice, to_bob);
    let (initiator, r_a) = started.expect("numbers");
    let response = Responder::new(bob, to_alice)
        .respond_with_rng(&mut rng, &r_a, 16)
        .expect("numbers");
    [initiator.to_bytes().to_vec(), response.to_bytes().to_vec()]
}

pub fn check(data: &[u8]) {
    let Ok(input) = Input::arbitrary(&mut Unstructured::new(data)) else {
        return;
    };
    match input.kind % 6 {
        0 => {
            let state = input.apply(&of_sm2()[0]);
            if let Ok(read) = sm2::exchange::Initiator::from_bytes(&state, &sm2_keys()[0]) {
                assert_eq!(*read.to_bytes(), state);
            }
        }
        1 => {
            let state = input.apply(&of_sm2()[1]);
            if let Ok(read) = sm2::exchange::Response::from_bytes(&state) {
                assert_eq!(*read.to_bytes(), state);
            }
        }
        2 => {
            let state = input.apply(&of_sm9()[0]);
            let _ = sm9::exchange::Initiator::identity_in(&state);
            let alice = encryption_master().extract_exchange("alice");
            let alice = alice.expect("an identity");
            if let Ok(read) = sm9::exchange::Initiator::from_bytes(&state, &alice) {
                assert_eq!(*read.to_bytes(), state);
            }
        }
        3 => {
            let state = input.apply(&of_sm9()[1]);
            if let Ok(read) = sm9::exchange::Response::from_bytes(&state) {
                assert_eq!(*read.to_bytes(), state);
            }
        }
        // The tag of a table needs the key: without it, nothing is accepted.
        4 => {
            let alice = signing_master().extract("alice").expect("an identity");
            let table = input.apply(b"KM9-psk2--------------------------------");
            assert!(alice.with_tables(&table).is_err());
        }
        _ => {
            let bob = encryption_master().extract("bob").expect("an identity");
            let table = input.apply(b"KM9-pdk2--------------------------------");
            assert!(bob.with_tables(&table).is_err());
        }
    }
}
