//! The key schedule and the records against a slow model; and what only somebody with the keys can
//! do: a wrong Finished.

mod common;
#[path = "common/model.rs"]
mod model;

use std::io::Write;
use std::sync::{Arc, Mutex};

use common::wire::{Pair, Side};
use common::{Authority, By, connect};
use kuaimi::sm2::{Signature, TLS13_ID, VerifyingKey};
use kuaimi_rustls::{CURVE_SM2, TLS_SM4_CCM_SM3, TLS_SM4_GCM_SM3, strict};
use model::{Hash, Records};
use rustls::crypto::{
    ActiveKeyExchange, CompletedKeyExchange, CryptoProvider, SharedSecret, SupportedKxGroup,
};
use rustls::{AlertDescription, KeyLog, NamedGroup};

/// What the ends log.
#[derive(Debug, Default)]
struct Log(Mutex<Vec<(String, Vec<u8>)>>);

impl Log {
    fn secret(&self, label: &str) -> Hash {
        let found = self.0.lock().unwrap();
        let (_, secret) = found.iter().find(|(name, _)| name == label).unwrap();
        secret.as_slice().try_into().unwrap()
    }
}

impl KeyLog for Log {
    fn log(&self, label: &str, _: &[u8], secret: &[u8]) {
        self.0.lock().unwrap().push((label.into(), secret.to_vec()));
    }
}

/// `curveSM2`, which shows the shared secret.
#[derive(Debug)]
struct Shown(Mutex<Vec<u8>>);

struct ShownKey(Box<dyn ActiveKeyExchange>, &'static Shown);

impl SupportedKxGroup for &'static Shown {
    fn start(&self) -> Result<Box<dyn ActiveKeyExchange>, rustls::Error> {
        Ok(Box::new(ShownKey(CURVE_SM2.start()?, self)))
    }

    fn start_and_complete(&self, peer: &[u8]) -> Result<CompletedKeyExchange, rustls::Error> {
        CURVE_SM2.start_and_complete(peer)
    }

    fn name(&self) -> NamedGroup {
        CURVE_SM2.name()
    }
}

impl ActiveKeyExchange for ShownKey {
    fn complete(self: Box<Self>, peer: &[u8]) -> Result<SharedSecret, rustls::Error> {
        let secret = self.0.complete(peer)?;
        *self.1.0.lock().unwrap() = secret.secret_bytes().to_vec();
        Ok(secret)
    }

    fn pub_key(&self) -> &[u8] {
        self.0.pub_key()
    }

    fn group(&self) -> NamedGroup {
        self.0.group()
    }
}

/// Two ends, and what they show.
struct Shower {
    pair: Pair,
    log: Arc<Log>,
    shared: &'static Shown,
}

fn shower(ccm: bool) -> Shower {
    let authority = Authority::new("Root");
    let mut provider = strict();
    provider.cipher_suites = vec![if ccm {
        TLS_SM4_CCM_SM3
    } else {
        TLS_SM4_GCM_SM3
    }];
    let shared: &'static Shown = Box::leak(Box::new(Shown(Mutex::default())));
    let of_client = CryptoProvider {
        kx_groups: vec![Box::leak(Box::new(shared))],
        ..provider.clone()
    };
    let holder = authority.client();
    let mut client = common::client_with(of_client, &authority, By::Webpki, Some(&holder));
    let log = Arc::new(Log::default());
    client.key_log = log.clone();
    let own = authority.server();
    let mut server = common::server_with(provider, &own, By::Webpki, Some(&authority));
    server.key_log = log.clone();
    Shower {
        pair: connect(&Arc::new(client), &Arc::new(server)),
        log,
        shared,
    }
}

fn records(flight: &[u8]) -> Vec<&[u8]> {
    let (mut found, mut rest) = (Vec::new(), flight);
    while let Some(&[_, _, _, high, low]) = rest.get(..5) {
        let length = 5 + (usize::from(high) << 8 | usize::from(low));
        found.push(&rest[..length]);
        rest = &rest[length..];
    }
    found
}

/// The messages in the encrypted records of a flight.
fn messages(keys: &mut Records, flight: &[u8]) -> Vec<Vec<u8>> {
    let mut stream = Vec::new();
    for record in records(flight) {
        if record[0] == 23 {
            let (kind, content) = keys.open(record);
            assert_eq!(kind, 22);
            stream.extend(content);
        }
    }
    let mut found = Vec::new();
    while !stream.is_empty() {
        let length = u32::from_be_bytes([0, stream[1], stream[2], stream[3]]) as usize;
        let rest = stream.split_off(4 + length);
        found.push(std::mem::replace(&mut stream, rest));
    }
    found
}

#[test]
fn every_secret_and_every_record() {
    for ccm in [false, true] {
        let Shower {
            mut pair,
            log,
            shared,
        } = shower(ccm);
        let mut flights = Vec::new();
        pair.run_with(&mut |_, flight| flights.push(flight.clone()))
            .unwrap();
        let [hello, answer, last, ..] = &flights[..] else {
            panic!("three flights");
        };

        // Clause 7.1: the handshake's secrets, over ClientHello and ServerHello.
        let mut transcript = hello[5..].to_vec();
        transcript.extend(&records(answer)[0][5..]);
        let shared = shared.0.lock().unwrap().clone();
        let handshake = model::handshake_secret(&shared);
        let of_client = model::derive(&handshake, "c hs traffic", &transcript);
        let of_server = model::derive(&handshake, "s hs traffic", &transcript);
        assert_eq!(of_client, log.secret("CLIENT_HANDSHAKE_TRAFFIC_SECRET"));
        assert_eq!(of_server, log.secret("SERVER_HANDSHAKE_TRAFFIC_SECRET"));

        // EncryptedExtensions, CertificateRequest, Certificate, CertificateVerify, Finished.
        let found = messages(&mut Records::new(&of_server, ccm), answer);
        let kinds: Vec<u8> = found.iter().map(|message| message[0]).collect();
        assert_eq!(kinds, [8, 13, 11, 15, 20]);
        check(&mut transcript, &found, "server", &of_server);

        let master = model::master_secret(&handshake);
        let application = |label| model::derive(&master, label, &transcript);
        let to_server = application("c ap traffic");
        let to_client = application("s ap traffic");
        assert_eq!(to_server, log.secret("CLIENT_TRAFFIC_SECRET_0"));
        assert_eq!(to_client, log.secret("SERVER_TRAFFIC_SECRET_0"));
        assert_eq!(application("exp master"), log.secret("EXPORTER_SECRET"));

        // The client's Certificate, CertificateVerify, Finished.
        let found = messages(&mut Records::new(&of_client, ccm), last);
        let kinds: Vec<u8> = found.iter().map(|message| message[0]).collect();
        assert_eq!(kinds, [11, 15, 20]);
        check(&mut transcript, &found, "client", &of_client);

        // Data, and data after an update of the keys (clause 7.2).
        let mut keys = Records::new(&to_server, ccm);
        let sent = |pair: &mut Pair| {
            pair.client.writer().write_all(b"a message").unwrap();
            let mut sent = Vec::new();
            pair.run_with(&mut |side, flight| {
                if side == Side::Client && sent.is_empty() {
                    sent.clone_from(flight);
                }
            })
            .unwrap();
            sent
        };
        let data = sent(&mut pair);
        assert_eq!(keys.open(&data), (23, b"a message".to_vec()));
        pair.client.refresh_traffic_keys().unwrap();
        let flight = sent(&mut pair);
        let [update, data] = records(&flight)[..] else {
            panic!("two records");
        };
        assert_eq!(keys.open(update).0, 22);
        let next = model::expand_label(&to_server, "traffic upd", b"", 32);
        let mut keys = Records::new(&next.try_into().unwrap(), ccm);
        assert_eq!(keys.open(data), (23, b"a message".to_vec()));
    }
}

/// CertificateVerify (clause 4.4.3, RFC 8998's identity) and Finished (clause 4.4.4) of one side.
/// The messages are added to the transcript.
fn check(transcript: &mut Vec<u8>, messages: &[Vec<u8>], side: &str, secret: &Hash) {
    let mut key = None;
    for message in messages {
        match message[0] {
            // The context, the list's length, the first certificate's.
            11 => {
                let context = usize::from(message[4]);
                let at = 5 + context + 3;
                let length = u32::from_be_bytes([0, message[at], message[at + 1], message[at + 2]]);
                let certificate = &message[at + 3..][..length as usize];
                key = Some(kuaimi::encoding::read_public_key(certificate).unwrap().0);
            }
            15 => {
                assert_eq!(message[4..6], [0x07, 0x08]);
                let signed = [
                    &[0x20; 64],
                    format!("TLS 1.3, {side} CertificateVerify\0").as_bytes(),
                    &model::hash(transcript),
                ]
                .concat();
                let key = VerifyingKey::with_id(key.unwrap(), TLS13_ID).unwrap();
                let signature = Signature::from_der(&message[8..]).unwrap();
                key.verify(&signed, &signature).unwrap();
            }
            20 => assert_eq!(message[4..], model::finished(secret, transcript)),
            _ => {}
        }
        transcript.extend(message);
    }
}

/// A Finished that is not of this handshake, in a record that is all right.
#[test]
fn a_wrong_finished() {
    for ccm in [false, true] {
        for at in [Side::Server, Side::Client] {
            let Shower { mut pair, log, .. } = shower(ccm);
            let (number, label) = match at {
                Side::Server => (1, "SERVER_HANDSHAKE_TRAFFIC_SECRET"),
                Side::Client => (2, "CLIENT_HANDSHAKE_TRAFFIC_SECRET"),
            };
            let mut flight_number = 0;
            let refusal = pair.run_with(&mut |_, flight| {
                if flight_number == number {
                    let mut all = records(flight)
                        .iter()
                        .map(|record| record.to_vec())
                        .collect::<Vec<_>>();
                    let secret = log.secret(label);
                    let mut keys = (Records::new(&secret, ccm), Records::new(&secret, ccm));
                    let last = all.len() - 1;
                    for (place, record) in all.iter_mut().enumerate() {
                        if record[0] == 23 {
                            let (kind, mut content) = keys.0.open(record);
                            if place == last {
                                *content.last_mut().unwrap() ^= 1;
                            }
                            *record = keys.1.seal(kind, &content);
                        }
                    }
                    *flight = all.concat();
                }
                flight_number += 1;
            });
            let refusal = refusal.unwrap_err();
            assert_ne!(refusal.by, at);
            assert_eq!(refusal.error, rustls::Error::DecryptError);
            assert_eq!(
                refusal.other,
                Some(rustls::Error::AlertReceived(AlertDescription::DecryptError))
            );
        }
    }
}
