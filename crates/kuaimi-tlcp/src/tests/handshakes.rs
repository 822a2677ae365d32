//! Handshakes that succeed: all suites, with and without client certificates, in full and resumed,
//! in pieces of any size.

use std::io::{Read, Write};
use std::sync::Arc;

use super::common::{Lab, Travel, carry, connect, run};
use crate::{
    CipherSuite, ClientAuth, ClientConfig, Connection, Error, KeyExchange, ServerConfig,
    SignedTranscript,
};

/// Both configurations for a suite, with client certificates or without.
pub(super) fn configs(suite: CipherSuite, auth: bool) -> (ClientConfig, ServerConfig) {
    let lab = Lab::get();
    let mut client = ClientConfig::new(lab.trust()).suites(&[suite]).unwrap();
    let mut server = ServerConfig::new(lab.server()).suites(&[suite]).unwrap();
    if auth {
        client = client.identity(lab.client());
        server = server.client_auth(ClientAuth::Required(lab.trust()));
    }
    (client, server)
}

/// The suites, with client certificates where there can be some.
pub(super) fn cases() -> impl Iterator<Item = (CipherSuite, bool)> {
    CipherSuite::ALL.into_iter().flat_map(|suite| {
        let with = match suite.key_exchange() {
            KeyExchange::Ecc => &[false, true][..],
            KeyExchange::Ecdhe => &[true],
        };
        with.iter().map(move |auth| (suite, *auth))
    })
}

/// Data both ways.
pub(super) fn exchange(client: &mut Connection, server: &mut Connection, travel: Travel) {
    for turn in 0..2 {
        let (from, to) = match turn {
            0 => (&mut *client, &mut *server),
            _ => (&mut *server, &mut *client),
        };
        let message: Vec<u8> = (0..40_000u32).map(|i| (i % 251) as u8 ^ turn).collect();
        from.writer().write_all(&message).unwrap();
        carry(from, to, travel).unwrap();
        let mut found = vec![0; message.len()];
        to.reader().read_exact(&mut found).unwrap();
        assert!(found == message, "turn {turn}");
    }
}

#[test]
fn all_suites_in_full_and_resumed() {
    for (suite, auth) in cases() {
        for travel in [Travel::Whole, Travel::Bytes] {
            let (client, server) = configs(suite, auth);
            let (client, server) = (Arc::new(client), Arc::new(server));
            for resumed in [false, true, true] {
                let what = format!("{suite} {auth} {travel:?} {resumed}");
                let mut c = connect(&client);
                let mut s = Connection::server(Arc::clone(&server));
                assert_eq!(run(&mut c, &mut s, travel), [None, None], "{what}");
                for side in [&c, &s] {
                    assert!(!side.is_handshaking(), "{what}");
                    assert_eq!(side.suite(), Some(suite), "{what}");
                    assert_eq!(side.is_resumed(), resumed, "{what}");
                }
                assert_eq!(s.server_name(), Some(super::common::HOST));
                assert_eq!(c.peer_certificates().len(), 2, "{what}");
                assert_eq!(
                    s.peer_certificates().len(),
                    if auth { 2 } else { 0 },
                    "{what}"
                );
                exchange(&mut c, &mut s, travel);

                // close_notify, first of one side alone.
                c.send_close_notify();
                assert!(c.writer().write(b"more").is_err());
                carry(&mut c, &mut s, travel).unwrap();
                assert_eq!(s.reader().read(&mut [0; 9]).unwrap(), 0, "{what}");
                s.writer().write_all(b"still").unwrap();
                s.send_close_notify();
                carry(&mut s, &mut c, travel).unwrap();
                let mut rest = Vec::new();
                c.reader().read_to_end(&mut rest).unwrap();
                assert_eq!(rest, b"still", "{what}");
            }
        }
    }
}

#[test]
fn data_that_is_written_early_comes_after_the_handshake() {
    let (client, server) = configs(CipherSuite::EccSm4GcmSm3, false);
    let mut c = connect(&Arc::new(client));
    let mut s = Connection::server(Arc::new(server));
    c.writer().write_all(b"early").unwrap();
    s.writer().write_all(b"bird").unwrap();
    assert_eq!(run(&mut c, &mut s, Travel::Whole), [None, None]);
    let mut found = [0; 5];
    s.reader().read_exact(&mut found).unwrap();
    assert_eq!(&found, b"early");
    c.reader().read_exact(&mut found[..4]).unwrap();
    assert_eq!(&found[..4], b"bird");
}

#[test]
fn the_peers_quirks() {
    let lab = Lab::get();
    use SignedTranscript::{Digest, Either, Messages};
    let cases = [
        (Digest, Digest, true),
        (Messages, Messages, true),
        (Digest, Either, true),
        (Messages, Either, true),
        (Digest, Messages, false),
        (Messages, Digest, false),
    ];
    for with_length in [false, true] {
        for (signs, accepts, works) in cases {
            let client = ClientConfig::new(lab.trust())
                .identity(lab.client())
                .parameters_with_length(with_length)
                .signed_transcript(signs);
            let server = ServerConfig::new(lab.server())
                .client_auth(ClientAuth::Optional(lab.trust()))
                .signed_transcript(accepts);
            let mut c = connect(&Arc::new(client));
            let mut s = Connection::server(Arc::new(server));
            let [_, error] = run(&mut c, &mut s, Travel::Whole);
            match works {
                true => assert_eq!(error, None),
                false => assert_eq!(error, Some(Error::Signature("CertificateVerify"))),
            }
        }
    }
}
