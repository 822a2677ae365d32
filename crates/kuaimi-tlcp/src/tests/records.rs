//! Records after the handshake that were altered, repeated, left out or made up, and the ends of a
//! connection.

use std::io::{ErrorKind, Read, Write};
use std::sync::Arc;

use super::common::{Travel, carry, connect, give, run};
use super::handshakes::{cases, configs};
use crate::message::{encode, kind};
use crate::record::content;
use crate::{AlertDescription as A, CipherSuite, Connection, Error, Protection};

const ECC: CipherSuite = CipherSuite::EccSm4GcmSm3;

fn open(suite: CipherSuite, auth: bool) -> [Connection; 2] {
    let (client, server) = configs(suite, auth);
    let mut c = connect(&Arc::new(client));
    let mut s = Connection::server(Arc::new(server));
    assert_eq!(run(&mut c, &mut s, Travel::Whole), [None, None]);
    [c, s]
}

fn sent(from: &mut Connection, data: &[u8]) -> Vec<u8> {
    from.writer().write_all(data).unwrap();
    let mut network = Vec::new();
    while from.wants_write() {
        from.write_tls(&mut network).unwrap();
    }
    network
}

/// Refused, and told so under the connection's keys.
#[track_caller]
fn refused(to: &mut Connection, from: &mut Connection, network: &[u8], expected: Error) {
    assert_eq!(give(to, network, Travel::Whole), Err(expected.clone()));
    let alert = expected.alert().unwrap();
    assert_eq!(
        carry(to, from, Travel::Whole),
        Err(Error::AlertReceived(alert))
    );
    assert!(
        to.reader().read(&mut [0; 99]).is_err(),
        "nothing of it is given out"
    );
    assert!(to.writer().write(b"more").is_err());
}

#[test]
fn altered_records() {
    for (suite, auth) in cases() {
        let [mut client, _] = open(suite, auth);
        let length = sent(&mut client, b"a message").len();
        for place in 0..length {
            let [mut client, mut server] = open(suite, auth);
            let mut network = sent(&mut client, b"a message");
            assert_eq!(network.len(), length);
            network[place] ^= 4;
            let what = format!("{suite} {place}");
            match place {
                // 23 becomes 19, a type that there is not.
                0 => {
                    let error = give(&mut server, &network, Travel::Whole);
                    assert!(matches!(error, Err(Error::UnexpectedMessage(..))), "{what}");
                }
                1 | 2 => {
                    let version = u16::from_be_bytes([network[1], network[2]]);
                    refused(
                        &mut server,
                        &mut client,
                        &network,
                        Error::ProtocolVersion(version),
                    );
                }
                // A longer record, of which the rest has not come.
                3 => assert_eq!(give(&mut server, &network, Travel::Whole), Ok(())),
                4 => {
                    let now = usize::from(network[4]) + 5;
                    match now > length {
                        true => assert_eq!(give(&mut server, &network, Travel::Whole), Ok(())),
                        false => refused(&mut server, &mut client, &network, Error::BadRecordMac),
                    }
                }
                _ => refused(&mut server, &mut client, &network, Error::BadRecordMac),
            }
        }
        // Another type: a handshake message, an alert, ChangeCipherSpec.
        for kind in [20, 21, 22] {
            let [mut client, mut server] = open(suite, auth);
            let mut network = sent(&mut client, b"a message");
            network[0] = kind;
            refused(&mut server, &mut client, &network, Error::BadRecordMac);
        }
    }
}

#[test]
fn records_that_are_repeated_left_out_or_exchanged() {
    for (suite, auth) in cases() {
        let [mut client, mut server] = open(suite, auth);
        let first = sent(&mut client, b"one");
        give(&mut server, &first, Travel::Whole).unwrap();
        server.reader().read_exact(&mut [0; 3]).unwrap();
        refused(&mut server, &mut client, &first, Error::BadRecordMac);

        let [mut client, mut server] = open(suite, auth);
        sent(&mut client, b"one");
        let second = sent(&mut client, b"two");
        refused(&mut server, &mut client, &second, Error::BadRecordMac);

        // A record of the other direction.
        let [_, mut server] = open(suite, auth);
        let own = sent(&mut server, b"one");
        assert_eq!(
            give(&mut server, &own, Travel::Whole),
            Err(Error::BadRecordMac)
        );

        // Records without protection.
        for record in [
            &[23, 1, 1, 0, 3, 1, 2, 3][..],
            &[21, 1, 1, 0, 2, 1, 0],
            &[21, 1, 1, 0, 2, 2, 40],
            &[22, 1, 1, 0, 4, 0, 0, 0, 0],
            &[20, 1, 1, 0, 1, 1],
            &[23, 1, 1, 0, 0],
        ] {
            let [mut client, mut server] = open(suite, auth);
            refused(&mut server, &mut client, record, Error::BadRecordMac);
        }
    }
}

#[test]
fn records_of_all_short_lengths() {
    for (suite, auth) in cases() {
        for length in 0..200 {
            let [mut client, mut server] = open(suite, auth);
            let header = [23, 1, 1, 0, length];
            let record = [&header[..], &vec![0x5a; length.into()]].concat();
            refused(&mut server, &mut client, &record, Error::BadRecordMac);
        }
    }
}

#[test]
fn long_records() {
    for (suite, auth) in cases() {
        // More content than a record may have, sealed as if it were right.
        let [mut client, mut server] = open(suite, auth);
        client
            .core()
            .send_record(content::APPLICATION_DATA, &[7; 16384])
            .unwrap();
        carry(&mut client, &mut server, Travel::Whole).unwrap();
        server.reader().read_exact(&mut [0; 16384]).unwrap();
        client
            .core()
            .send_record(content::APPLICATION_DATA, &[7; 16385])
            .unwrap();
        let mut network = Vec::new();
        client.write_tls(&mut network).unwrap();
        refused(&mut server, &mut client, &network, Error::RecordOverflow);

        // A header is enough.
        for length in [16384 + 2049u16, 0xffff] {
            let [mut client, mut server] = open(suite, auth);
            let [a, b] = length.to_be_bytes();
            refused(
                &mut server,
                &mut client,
                &[23, 1, 1, a, b],
                Error::RecordOverflow,
            );
        }
    }
    let (_, config) = configs(ECC, false);
    let mut server = Connection::server(Arc::new(config));
    let error = give(&mut server, &[22, 1, 1, 0x40, 1], Travel::Whole);
    assert_eq!(
        error,
        Err(Error::RecordOverflow),
        "16385 bytes without protection"
    );
}

#[test]
fn records_without_content() {
    for (suite, auth) in cases() {
        let [mut client, mut server] = open(suite, auth);
        for _ in 0..3 {
            for _ in 0..16 {
                client
                    .core()
                    .send_record(content::APPLICATION_DATA, &[])
                    .unwrap();
            }
            client.writer().write_all(b"x").unwrap();
        }
        carry(&mut client, &mut server, Travel::Whole).unwrap();
        server.reader().read_exact(&mut [0; 3]).unwrap();
        for _ in 0..17 {
            client
                .core()
                .send_record(content::APPLICATION_DATA, &[])
                .unwrap();
        }
        let mut network = Vec::new();
        client.write_tls(&mut network).unwrap();
        refused(
            &mut server,
            &mut client,
            &network,
            Error::TooMany("records without content"),
        );
    }
}

#[test]
fn the_last_number_of_a_record() {
    for suite in [ECC, CipherSuite::EccSm4CbcSm3] {
        let [mut client, mut server] = open(suite, false);
        client.core().directions().1.set_count(u64::MAX - 1);
        server.core().directions().0.set_count(u64::MAX - 1);
        let network = sent(&mut client, b"the last");
        give(&mut server, &network, Travel::Whole).unwrap();
        assert_eq!(server.record_counts().1, u64::MAX);
        let error = client.writer().write(b"one more").unwrap_err();
        let error = error.get_ref().unwrap().downcast_ref::<Error>().unwrap();
        assert_eq!(*error, Error::RecordCounter);
        assert!(
            !client.wants_write(),
            "nothing is sent under a number that was used"
        );
        assert_eq!(
            give(&mut server, &network, Travel::Whole),
            Err(Error::RecordCounter)
        );
    }
}

#[test]
fn messages_after_the_handshake() {
    let begin = [
        encode(kind::HELLO_REQUEST, |_| {}),
        encode(kind::CLIENT_HELLO, |_| {}),
    ];
    for (suite, auth) in cases() {
        for [request, other] in [[0, 1], [1, 0]] {
            // A new handshake is refused by a warning, and the connection goes on; then by a fatal
            // alert.
            let [client, server] = open(suite, auth);
            let (mut from, mut to) = match request {
                0 => (server, client),
                _ => (client, server),
            };
            from.core()
                .send(content::HANDSHAKE, &begin[request])
                .unwrap();
            carry(&mut from, &mut to, Travel::Whole).unwrap();
            let network = sent(&mut to, b"still here");
            give(&mut from, &network, Travel::Whole).unwrap();
            from.reader().read_exact(&mut [0; 10]).unwrap();
            from.core()
                .send(content::HANDSHAKE, &begin[request])
                .unwrap();
            let mut network = Vec::new();
            from.write_tls(&mut network).unwrap();
            refused(&mut to, &mut from, &network, Error::Renegotiation);

            for found in [other as u8, 2, 4, 11, 12, 13, 14, 15, 16, 20, 99] {
                let [client, server] = open(suite, auth);
                let (mut from, mut to) = match request {
                    0 => (server, client),
                    _ => (client, server),
                };
                from.core()
                    .send(content::HANDSHAKE, &encode(found, |_| {}))
                    .unwrap();
                let mut network = Vec::new();
                from.write_tls(&mut network).unwrap();
                let expected = Error::UnexpectedMessage("application data", kind::name(found));
                refused(&mut to, &mut from, &network, expected);
            }
        }
        let [mut client, mut server] = open(suite, auth);
        client
            .core()
            .send(content::CHANGE_CIPHER_SPEC, &[1])
            .unwrap();
        let mut network = Vec::new();
        client.write_tls(&mut network).unwrap();
        let expected = Error::UnexpectedMessage("application data", "ChangeCipherSpec");
        refused(&mut server, &mut client, &network, expected);

        // Data between the parts of a message.
        let [mut client, mut server] = open(suite, auth);
        client.core().send(content::HANDSHAKE, &[0, 0]).unwrap();
        let network = sent(&mut client, b"data");
        let error = give(&mut server, &network, Travel::Whole);
        assert!(matches!(error, Err(Error::UnexpectedMessage(..))));
    }
}

#[test]
fn alerts_after_the_handshake() {
    for (suite, auth) in cases() {
        for alert in (1..=255).step_by(if suite == ECC { 1 } else { 50 }) {
            let [mut client, mut server] = open(suite, auth);
            client.core().send(content::ALERT, &[2, alert]).unwrap();
            let result = carry(&mut client, &mut server, Travel::Whole);
            assert_eq!(result, Err(Error::AlertReceived(A(alert))));
            assert!(!server.wants_write(), "an alert is not answered by one");

            let [mut client, mut server] = open(suite, auth);
            client.core().send(content::ALERT, &[1, alert]).unwrap();
            client.writer().write_all(b"x").unwrap();
            carry(&mut client, &mut server, Travel::Whole).unwrap();
            server.reader().read_exact(&mut [0]).unwrap();
        }
    }
}

#[test]
fn ends_of_connections() {
    for (suite, auth) in cases() {
        // Without close_notify, data may be missing.
        let [mut client, mut server] = open(suite, auth);
        let network = sent(&mut client, b"data");
        give(&mut server, &network, Travel::Whole).unwrap();
        server.read_tls(&mut &[][..]).unwrap();
        assert_eq!(
            server
                .process_new_packets()
                .map(|state| state.peer_has_closed),
            Ok(false)
        );
        let mut all = Vec::new();
        let error = server.reader().read_to_end(&mut all).unwrap_err();
        assert_eq!(
            (error.kind(), &all[..]),
            (ErrorKind::UnexpectedEof, &b"data"[..])
        );
        assert!(!server.wants_read());

        // With it, the end is told, and what follows is not looked at.
        let [mut client, mut server] = open(suite, auth);
        let mut network = sent(&mut client, b"data");
        client.send_close_notify();
        client.send_close_notify();
        client.write_tls(&mut network).unwrap();
        network.extend([99; 20]);
        give(&mut server, &network, Travel::Whole).unwrap();
        server.read_tls(&mut &[][..]).unwrap();
        assert_eq!(
            server
                .process_new_packets()
                .map(|state| state.peer_has_closed),
            Ok(true)
        );
        let mut all = Vec::new();
        server.reader().read_to_end(&mut all).unwrap();
        assert_eq!(all, b"data");
        assert!(server.peer_has_closed() && !server.wants_read());
        assert_eq!(
            client.writer().write(b"x").unwrap_err().kind(),
            ErrorKind::BrokenPipe
        );
    }
    // Nothing has come yet.
    let [mut client, _] = open(ECC, false);
    assert_eq!(
        client.reader().read(&mut [0]).unwrap_err().kind(),
        ErrorKind::WouldBlock
    );
}

#[test]
fn other_protocols() {
    let cases: [(&[u8], Error); 6] = [
        (&[22, 3, 1, 0, 5], Error::NotTlcp("TLS")),
        (&[22, 3, 3, 0, 5], Error::NotTlcp("TLS")),
        (
            b"GET / HTTP/1.1\r\n",
            Error::NotTlcp("HTTP without protection"),
        ),
        (
            b"HTTP/1.1 400 Bad Request\r\n",
            Error::NotTlcp("HTTP without protection"),
        ),
        (b"SSH-2.0-OpenSSH\r\n", Error::NotTlcp("something else")),
        (&[0x80, 0x2e, 1, 3, 1], Error::NotTlcp("something else")),
    ];
    for (bytes, expected) in cases {
        for travel in [Travel::Whole, Travel::Bytes] {
            let (client, server) = configs(ECC, false);
            let mut server = Connection::server(Arc::new(server));
            assert_eq!(give(&mut server, bytes, travel), Err(expected.clone()));
            let mut out = Vec::new();
            server.write_tls(&mut out).unwrap();
            assert_eq!(out, [21, 1, 1, 0, 2, 2, 70]);
            let mut client = connect(&Arc::new(client));
            assert_eq!(give(&mut client, bytes, travel), Err(expected.clone()));
        }
    }
}

#[test]
fn buffers_have_limits() {
    let [mut client, mut server] = open(ECC, false);
    // The writer takes no more than can be kept.
    let block = vec![0; 1 << 16];
    let mut taken = 0;
    loop {
        match client.writer().write(&block) {
            Ok(count) => taken += count,
            Err(error) => break assert_eq!(error.kind(), ErrorKind::WouldBlock),
        }
    }
    assert!(taken <= 1 << 18, "{taken}");
    // Nor does the reader.
    let mut refused = false;
    'all: for _ in 0..100 {
        let mut network = Vec::new();
        while client.wants_write() {
            client.write_tls(&mut network).unwrap();
        }
        let mut network = &network[..];
        while !network.is_empty() {
            if server.read_tls(&mut network).is_err() {
                refused = true;
                break 'all;
            }
            server.process_new_packets().unwrap();
        }
        client.writer().write_all(&block).unwrap();
    }
    assert!(refused && !server.wants_read());
    // Early data, too.
    let (config, _) = configs(ECC, false);
    let mut client = connect(&Arc::new(config));
    while client.writer().write(&block).is_ok() {}
    assert_eq!(ECC.protection(), Protection::Gcm);
}
