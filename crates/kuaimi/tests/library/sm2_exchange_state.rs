//! Key exchange in four processes: each side's state goes through bytes between its two steps.

use kuaimi::sm2::exchange::{Initiator, Party, Peer, Responder, Response};
use kuaimi::sm2::{Error, PrivateKey, PublicKey};

struct Run {
    a: PrivateKey,
    initiator: Initiator,
    response: Response,
    r_b: PublicKey,
    s_b: [u8; 32],
}

fn run() -> Run {
    let (a, b) = (
        PrivateKey::generate().unwrap(),
        PrivateKey::generate().unwrap(),
    );
    let peer_b = Peer::new(b.public_key(), b"bob").unwrap();
    let (initiator, r_a) = Initiator::start(Party::new(&a, b"alice").unwrap(), peer_b).unwrap();
    let peer_a = Peer::new(a.public_key(), b"alice").unwrap();
    let response = Responder::new(Party::new(&b, b"bob").unwrap(), peer_a)
        .respond(&r_a, 48)
        .unwrap();
    let (r_b, s_b) = (*response.point(), response.confirmation());
    Run {
        a,
        initiator,
        response,
        r_b,
        s_b,
    }
}

#[test]
fn both_sides_go_on_from_bytes() {
    let run = run();
    let (state_a, state_b) = (run.initiator.to_bytes(), run.response.to_bytes());
    assert_eq!(state_a.len(), Initiator::STATE_LEN);
    assert_eq!(state_b.len(), Response::STATE_LEN);
    let (direct, direct_s_a) = run.initiator.finish(&run.r_b, &run.s_b, 48).unwrap();

    let (key, s_a) = Initiator::from_bytes(&state_a, &run.a)
        .unwrap()
        .finish(&run.r_b, &run.s_b, 48)
        .unwrap();
    assert_eq!((&key, s_a), (&direct, direct_s_a));
    let response = Response::from_bytes(&state_b).unwrap();
    assert_eq!(response.point(), &run.r_b);
    assert_eq!(response.confirmation(), run.s_b);
    assert_eq!(response.confirm(&s_a).unwrap(), key);
}

/// The private key is not in the state: it may lie encrypted while the state waits.
#[test]
fn the_private_key_stays_out() {
    let run = run();
    let d = run.a.to_bytes();
    let state = run.initiator.to_bytes();
    assert!(!state.windows(32).any(|window| window == &d[..]));
}

#[test]
fn another_key_or_altered_bytes_are_refused() {
    let run = run();
    let other = PrivateKey::generate().unwrap();
    let state = run.initiator.to_bytes();
    assert_eq!(
        Initiator::from_bytes(&state, &other).unwrap_err(),
        Error::ExchangeKey
    );
    let response_state = run.response.to_bytes();
    for i in 0..state.len() {
        let mut altered = state.clone();
        altered[i] ^= 1;
        assert_eq!(
            Initiator::from_bytes(&altered, &run.a).unwrap_err(),
            Error::ExchangeState
        );
        assert!(Initiator::from_bytes(&state[..i], &run.a).is_err());
    }
    for i in 0..response_state.len() {
        let mut altered = response_state.clone();
        altered[i] ^= 1;
        assert_eq!(
            Response::from_bytes(&altered).unwrap_err(),
            Error::ExchangeState
        );
    }
    // One side's state is not the other's.
    assert!(Response::from_bytes(&state).is_err());
    assert!(Initiator::from_bytes(&response_state, &run.a).is_err());
}

/// Bytes whose digest is right but whose content no program writes.
#[test]
fn impossible_content_is_refused() {
    let run = run();
    let resealed = |state: &[u8], range: std::ops::Range<usize>, fill: u8| {
        let mut content = state[..state.len() - 32].to_vec();
        content[range].fill(fill);
        let digest = kuaimi::sm3::hmac_sm3(&[], &content);
        content.extend_from_slice(&digest);
        content
    };
    let state = run.initiator.to_bytes();
    let r = state.len() - 64..state.len() - 32;
    for (range, fill) in [
        (0..1, 2),
        (8..72, 1),
        (72..136, 0xff),
        (r.clone(), 0),
        (r, 0xff),
    ] {
        let altered = resealed(&state, range, fill);
        assert_eq!(
            Initiator::from_bytes(&altered, &run.a).unwrap_err(),
            Error::ExchangeState
        );
    }
    let state = run.response.to_bytes();
    let length = state.len() - 40..state.len() - 32;
    for (range, fill) in [
        (136..200, 1),
        (200..264, 0xff),
        (length.clone(), 0),
        (length.clone(), 0xff),
        // A shared key of 256 MiB: some hundred bytes would fill memory.
        (length.start + 4..length.start + 5, 0x10),
    ] {
        let altered = resealed(&state, range, fill);
        assert_eq!(
            Response::from_bytes(&altered).unwrap_err(),
            Error::ExchangeState
        );
    }
}
