//! Connections of TLCP whose bytes are changed on the way, or are made up: no panic, little memory,
//! and both sides are open only if they agree on everything.

use std::io::{Read, Write};
use std::sync::{Arc, OnceLock};

use arbitrary::{Arbitrary, Unstructured};
use kuaimi::sm2::{PrivateKey, SigningKey};
use kuaimi_pki::Certificate;
use kuaimi_pki::certificate::{CertificateBuilder, Validity};
use kuaimi_pki::chain::PeerName;
use kuaimi_pki::extensions::Purpose;
use kuaimi_pki::name;
use kuaimi_pki::signer::Deterministic;
use kuaimi_tlcp::{
    CipherSuite, ClientAuth, ClientConfig, Connection, Error, Identity, ServerConfig,
    SignedTranscript, Trust,
};

use crate::chains::NOW;

const HOST: &str = "a.example";

fn key(seed: u8) -> PrivateKey {
    PrivateKey::from_bytes(&[seed; 32]).expect("in range")
}

fn make(seed: u8, purpose: Purpose, issuer: Option<&Certificate>) -> Certificate {
    let first = "2026-01-01T00:00:00Z".parse().expect("a date");
    let validity = Validity::days(first, 365).expect("not too long");
    let subject = name::parse(&format!("CN={seed}")).expect("a name");
    let mut builder = CertificateBuilder::new(subject, key(seed).public_key(), validity)
        .purpose(purpose)
        .and_then(|builder| builder.serial(&[seed]))
        .expect("well formed");
    builder.extensions().dns(HOST).expect("a host");
    let root = Deterministic(SigningKey::new(key(31)));
    match issuer {
        Some(issuer) => builder.sign(issuer, &root),
        None => builder.self_sign(&root),
    }
    .expect("well formed")
}

/// Configurations of all suites, with client certificates.
fn configs(suite: CipherSuite, edit: u8) -> (Arc<ClientConfig>, Arc<ServerConfig>) {
    static WORLD: OnceLock<(Trust, [Identity; 2])> = OnceLock::new();
    let (trust, [server, client]) = WORLD.get_or_init(|| {
        let root = make(31, Purpose::Authority { path_len: None }, None);
        let pair = |seed| {
            let signing = make(seed, Purpose::Signing, Some(&root));
            let encrypting = make(seed + 1, Purpose::Encryption, Some(&root));
            let signer = SigningKey::new(key(seed));
            Identity::new(signing, signer, encrypting, key(seed + 1), &[]).expect("a pair")
        };
        let trust = Trust::new(std::slice::from_ref(&root)).expect("an authority");
        (trust, [pair(32), pair(34)])
    });
    let mut transcript = SignedTranscript::Digest;
    if edit & 1 != 0 {
        transcript = SignedTranscript::Either;
    }
    let client = ClientConfig::new(trust.clone())
        .identity(client.clone())
        .suites(&[suite])
        .and_then(|config| config.alpn(&["h2", "x"]))
        .expect("well formed")
        .clock(|| NOW)
        .parameters_with_length(edit & 2 != 0);
    let server = ServerConfig::new(server.clone())
        .suites(&[suite])
        .and_then(|config| config.alpn(&["x"]))
        .expect("well formed")
        .client_auth(match edit & 4 {
            0 => ClientAuth::Required(trust.clone()),
            _ => ClientAuth::Optional(trust.clone()),
        })
        .signed_transcript(transcript)
        .clock(|| NOW);
    (Arc::new(client), Arc::new(server))
}

/// A change of what one side sends.
#[derive(Arbitrary, Debug)]
enum Change<'a> {
    Flip(u16, u8),
    Cut(u16, u8),
    Insert(u16, &'a [u8]),
    /// A record of its own, with any type and content.
    Record(u8, &'a [u8]),
    /// A message of the handshake, with any type and body.
    Message(u8, &'a [u8]),
    Repeat,
}

impl Change<'_> {
    fn apply(&self, bytes: &mut Vec<u8>) {
        let place = |place: &u16| usize::from(*place) % bytes.len().max(1);
        match self {
            Self::Flip(at, bits) => {
                let at = place(at);
                if let Some(byte) = bytes.get_mut(at) {
                    *byte ^= bits;
                }
            }
            Self::Cut(at, count) => {
                let at = place(at).min(bytes.len());
                let end = (at + usize::from(*count)).min(bytes.len());
                bytes.drain(at..end);
            }
            Self::Insert(at, content) => {
                let at = place(at).min(bytes.len());
                bytes.splice(at..at, content.iter().copied());
            }
            Self::Record(kind, content) => {
                *bytes = [record(*kind, content), bytes.clone()].concat()
            }
            Self::Message(kind, body) => {
                let length = (body.len() as u32).to_be_bytes();
                let message = [&[*kind], &length[1..], body].concat();
                *bytes = [record(22, &message), bytes.clone()].concat();
            }
            Self::Repeat => bytes.extend_from_within(..),
        }
    }
}

fn record(kind: u8, content: &[u8]) -> Vec<u8> {
    let content = &content[..content.len().min(1 << 14)];
    [
        &[kind, 1, 1][..],
        &(content.len() as u16).to_be_bytes(),
        content,
    ]
    .concat()
}

fn give(to: &mut Connection, mut network: &[u8], length: usize) -> Result<(), Error> {
    while !network.is_empty() {
        let (mut part, rest) = network.split_at(length.clamp(1, network.len()));
        while !part.is_empty() {
            if to.read_tls(&mut part).is_err() {
                return Ok(());
            }
            to.process_new_packets()?;
        }
        network = rest;
    }
    Ok(())
}

fn sent(from: &mut Connection) -> Vec<u8> {
    let mut network = Vec::new();
    while from.wants_write() {
        from.write_tls(&mut network).expect("a vector takes all");
    }
    network
}

/// Checks a connection that is changed on the way, or bytes that are given to one side.
pub fn check(data: &[u8]) {
    let _ = one(&mut Unstructured::new(data));
}

fn one(u: &mut Unstructured<'_>) -> arbitrary::Result<()> {
    let suite = *u.choose(&CipherSuite::ALL)?;
    let (client, server) = configs(suite, u.arbitrary()?);
    let name = PeerName::new(HOST).expect("a host");
    let mut c = Connection::client(client, name).expect("well formed");
    let mut s = Connection::server(server);
    let length = usize::from(u.arbitrary::<u16>()?);
    if u.ratio(1, 4)? {
        // Bytes as they come, of records or not.
        let side = if u.arbitrary()? { &mut c } else { &mut s };
        let bytes = match u.arbitrary()? {
            true => <&[u8]>::arbitrary(u)?.to_vec(),
            false => record(u.int_in_range(20..=23)?, <&[u8]>::arbitrary(u)?),
        };
        let _ = give(side, &bytes, length);
        assert!(side.suite().is_none(), "no handshake without keys");
        return Ok(());
    }
    let mut failed = false;
    for turn in 0..8 {
        let (from, to) = match turn % 2 {
            0 => (&mut c, &mut s),
            _ => (&mut s, &mut c),
        };
        let mut network = sent(from);
        if u.ratio(1, 3)? {
            Change::arbitrary(u)?.apply(&mut network);
        }
        failed |= give(to, &network, length).is_err();
    }
    if c.suite().is_some() && s.suite().is_some() && !failed {
        assert_eq!((c.suite(), s.suite()), (Some(suite), Some(suite)));
        assert_eq!(c.alpn_protocol(), s.alpn_protocol());
        assert_eq!(
            (c.peer_certificates().len(), s.peer_certificates().len()),
            (2, 2)
        );
        // Changes of the last turns may have left less or more on the way: data that arrives is
        // what was sent.
        c.writer().write_all(b"data").expect("there is room");
        let mut found = [0; 4];
        if give(&mut s, &sent(&mut c), length).is_ok() && s.reader().read_exact(&mut found).is_ok()
        {
            assert_eq!(&found, b"data");
        }
    }
    Ok(())
}
