//! Peers that break one rule of the handshake: the error, and the alert that they are sent.

use std::sync::{Arc, Mutex};

use kuaimi::sm2::{PublicKey, SigningKey};
use kuaimi_pki::certificate::CertificateBuilder;
use kuaimi_pki::chain::Rule;
use kuaimi_pki::extensions::Purpose;

use super::common::{HOST, Holder, Lab, Outcome, Travel, connect, give, key, run};
use super::faults::{Sent, edit};
use super::handshakes::configs;
use crate::message::{certificate, certificate_request, client_hello, encode, key_exchange, kind};
use crate::message::{extensions::Extensions, server_hello};
use crate::record::content;
use crate::{AlertDescription as A, CipherSuite, ClientAuth, Connection, Error, Half};

const ECC: CipherSuite = CipherSuite::EccSm4GcmSm3;
const ECDHE: CipherSuite = CipherSuite::EcdheSm4CbcSm3;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Client,
    Server,
}

/// A handshake in which one side has a fault for messages of one kind.
fn broken(
    side: Side,
    suite: CipherSuite,
    auth: bool,
    kind: u8,
    fault: impl FnMut(&[u8]) -> Vec<Sent> + Send + Sync + 'static,
) -> Outcome {
    let (client, server) = configs(suite, auth);
    let client = client.alpn(&["a", "b"]).unwrap();
    let mut c = Connection::client(Arc::new(client), super::common::host()).unwrap();
    let mut s = Connection::server(Arc::new(server));
    match side {
        // ClientHello is made already: it is made anew.
        Side::Client if kind == kind::CLIENT_HELLO => {
            let mut fault = fault;
            let mut network = Vec::new();
            c.write_tls(&mut network).unwrap();
            for sent in fault(&network[5..]) {
                match sent {
                    Sent::Message(message) => {
                        c.core().send(content::HANDSHAKE, &message).unwrap();
                    }
                    Sent::Record(kind, bytes) => c.core().send_record(kind, &bytes).unwrap(),
                    Sent::Raw(bytes) => c.core().send_raw(&bytes),
                }
            }
        }
        Side::Client => c.core().fault = Some(edit(kind, fault)),
        Side::Server => s.core().fault = Some(edit(kind, fault)),
    }
    run(&mut c, &mut s, Travel::Whole)
}

/// The error of the honest side, which told it to the other.
#[track_caller]
fn refused(side: Side, outcome: Outcome, expected: Error, alert: A) {
    let [client, server] = outcome;
    let (honest, faulty) = match side {
        Side::Client => (server, client),
        Side::Server => (client, server),
    };
    assert_eq!(honest, Some(expected.clone()));
    assert_eq!(expected.alert(), Some(alert));
    assert_eq!(
        faulty,
        Some(Error::AlertReceived(alert)),
        "what it was told"
    );
}

#[track_caller]
fn check(
    side: Side,
    (suite, auth): (CipherSuite, bool),
    kind: u8,
    fault: impl FnMut(&[u8]) -> Vec<Sent> + Send + Sync + 'static,
    expected: Error,
    alert: A,
) {
    refused(
        side,
        broken(side, suite, auth, kind, fault),
        expected,
        alert,
    );
}

/// As [`check`], where the message is another.
#[track_caller]
fn replaced(
    side: Side,
    how: (CipherSuite, bool),
    kind: u8,
    message: Vec<u8>,
    expected: Error,
    alert: A,
) {
    check(
        side,
        how,
        kind,
        move |_| vec![Sent::Message(message.clone())],
        expected,
        alert,
    );
}

fn body(message: &[u8]) -> &[u8] {
    &message[4..]
}

fn hello(
    edit: impl Fn(&mut client_hello::ClientHello) + Send + Sync + 'static,
) -> impl FnMut(&[u8]) -> Vec<Sent> + Send + Sync {
    move |message| {
        let mut hello = client_hello::ClientHello::read(body(message)).unwrap();
        edit(&mut hello);
        vec![Sent::Message(hello.encode())]
    }
}

fn answer(
    edit: impl Fn(&mut server_hello::ServerHello) + Send + Sync + 'static,
) -> impl FnMut(&[u8]) -> Vec<Sent> + Send + Sync {
    move |message| {
        let mut hello = server_hello::ServerHello::read(body(message)).unwrap();
        edit(&mut hello);
        vec![Sent::Message(hello.encode())]
    }
}

/// A message whose body is changed.
fn changed(
    edit: impl Fn(&mut Vec<u8>) + Send + Sync + 'static,
) -> impl FnMut(&[u8]) -> Vec<Sent> + Send + Sync {
    move |message| {
        let mut new = body(message).to_vec();
        edit(&mut new);
        vec![Sent::Message(encode(message[0], |out| out.extend(&new)))]
    }
}

#[test]
fn client_hellos() {
    let check = |fault: Box<dyn FnMut(&[u8]) -> Vec<Sent> + Send + Sync>, expected, alert| {
        check(
            Side::Client,
            (ECC, false),
            kind::CLIENT_HELLO,
            fault,
            expected,
            alert,
        );
    };
    for version in [
        0x0000, 0x0001, 0x0100, 0x0200, 0x0300, 0x0301, 0x0303, 0x0304, 0xffff,
    ] {
        let fault = hello(move |hello| hello.version = version);
        check(
            Box::new(fault),
            Error::ProtocolVersion(version),
            A::PROTOCOL_VERSION,
        );
    }
    for suites in [
        vec![0xe013],
        vec![0xe051, 0xe011],
        vec![0x1301, 0xc02b, 0x00ff],
    ] {
        let fault = hello(move |hello| hello.suites = suites.clone());
        check(Box::new(fault), Error::NoCommonSuite, A::HANDSHAKE_FAILURE);
    }
    let decode = || Error::Decode("ClientHello");
    check(
        Box::new(hello(|hello| hello.suites.clear())),
        decode(),
        A::DECODE_ERROR,
    );
    check(
        Box::new(hello(|hello| hello.session_id = vec![1; 33])),
        decode(),
        A::DECODE_ERROR,
    );
    // What follows the random: a session's length, a list of suites, compressions, extensions.
    let tails: [(&[u8], Error, A); 17] = [
        (&[], decode(), A::DECODE_ERROR),
        (&[0, 0, 2, 0xe0], decode(), A::DECODE_ERROR),
        (
            &[0, 0, 3, 0xe0, 0x53, 0xe0, 1, 0],
            decode(),
            A::DECODE_ERROR,
        ),
        (&[0, 0, 2, 0xe0, 0x53], decode(), A::DECODE_ERROR),
        (&[0, 0, 2, 0xe0, 0x53, 0], decode(), A::DECODE_ERROR),
        (
            &[0, 0, 2, 0xe0, 0x53, 1, 1],
            Error::IllegalParameter("no compression method null"),
            A::ILLEGAL_PARAMETER,
        ),
        (&[0, 0, 2, 0xe0, 0x53, 1, 0, 0], decode(), A::DECODE_ERROR),
        (
            &[0, 0, 2, 0xe0, 0x53, 1, 0, 0, 0, 0],
            decode(),
            A::DECODE_ERROR,
        ),
        (
            &[0, 0, 2, 0xe0, 0x53, 1, 0, 0, 3, 0, 99, 0],
            decode(),
            A::DECODE_ERROR,
        ),
        (
            &[0, 0, 2, 0xe0, 0x53, 1, 0, 0, 8, 0, 99, 0, 0, 0, 99, 0, 0],
            Error::IllegalParameter("an extension twice"),
            A::ILLEGAL_PARAMETER,
        ),
        // SNI: an empty list, an empty name, a NUL, two names.
        (
            &[0, 0, 2, 0xe0, 0x53, 1, 0, 0, 6, 0, 0, 0, 2, 0, 0],
            decode(),
            A::DECODE_ERROR,
        ),
        (
            &[0, 0, 2, 0xe0, 0x53, 1, 0, 0, 9, 0, 0, 0, 5, 0, 3, 0, 0, 0],
            decode(),
            A::DECODE_ERROR,
        ),
        (
            &[
                0, 0, 2, 0xe0, 0x53, 1, 0, 0, 10, 0, 0, 0, 6, 0, 4, 0, 0, 1, 0,
            ],
            decode(),
            A::DECODE_ERROR,
        ),
        (
            &[
                0, 0, 2, 0xe0, 0x53, 1, 0, 0, 14, 0, 0, 0, 10, 0, 8, 0, 0, 1, b'a', 0, 0, 1, b'b',
            ],
            Error::IllegalParameter("two names of a host"),
            A::ILLEGAL_PARAMETER,
        ),
        // ALPN: an empty list, an empty protocol.
        (
            &[0, 0, 2, 0xe0, 0x53, 1, 0, 0, 6, 0, 16, 0, 2, 0, 0],
            decode(),
            A::DECODE_ERROR,
        ),
        (
            &[0, 0, 2, 0xe0, 0x53, 1, 0, 0, 7, 0, 16, 0, 3, 0, 1, 0],
            decode(),
            A::DECODE_ERROR,
        ),
        // A renegotiation.
        (
            &[0, 0, 2, 0xe0, 0x53, 1, 0, 0, 6, 0xff, 1, 0, 2, 1, 7],
            Error::IllegalParameter("a renegotiation"),
            A::ILLEGAL_PARAMETER,
        ),
    ];
    for (tail, expected, alert) in tails {
        let fault = changed(move |body| {
            body.truncate(34);
            body.extend(tail);
        });
        check(Box::new(fault), expected, alert);
    }
    for length in 0..34 {
        check(
            Box::new(changed(move |body| body.truncate(length))),
            decode(),
            A::DECODE_ERROR,
        );
    }
    let other = Error::UnexpectedMessage("ClientHello", "Finished");
    let fault = |_: &[u8]| {
        vec![Sent::Message(encode(kind::FINISHED, |out| {
            out.extend([0; 12])
        }))]
    };
    check(Box::new(fault), other, A::UNEXPECTED_MESSAGE);
    let twice = |message: &[u8]| {
        vec![
            Sent::Message(message.to_vec()),
            Sent::Message(message.to_vec()),
        ]
    };
    let other = Error::UnexpectedMessage("ClientKeyExchange", "ClientHello");
    check(Box::new(twice), other, A::UNEXPECTED_MESSAGE);
}

#[test]
fn a_hello_of_a_later_version_or_without_extensions_is_answered() {
    for version in [0x0101, 0x0102, 0x01ff] {
        let fault = hello(move |hello| {
            hello.version = version;
            hello.suites = vec![0x1301, ECC.number()];
            hello.extensions = Extensions::default();
        });
        let [_, server] = broken(Side::Client, ECC, false, kind::CLIENT_HELLO, fault);
        // The two sides have other transcripts, and that is all that is wrong.
        let expected = match version {
            0x0101 => Error::Finished,
            // The premaster secret has the version that was offered.
            _ => Error::BadRecordMac,
        };
        assert_eq!(server, Some(expected), "{version:04x}");
    }
}

#[test]
fn no_protocol_in_common() {
    let lab = Lab::get();
    let client = crate::ClientConfig::new(lab.trust()).alpn(&["a"]).unwrap();
    let server = crate::ServerConfig::new(lab.server())
        .alpn(&["c", "d"])
        .unwrap();
    let mut c = connect(&Arc::new(client));
    let mut s = Connection::server(Arc::new(server));
    let outcome = run(&mut c, &mut s, Travel::Whole);
    refused(
        Side::Client,
        outcome,
        Error::NoApplicationProtocol,
        A::NO_APPLICATION_PROTOCOL,
    );
}

#[test]
fn server_hellos() {
    let check = |fault: Box<dyn FnMut(&[u8]) -> Vec<Sent> + Send + Sync>, expected, alert| {
        check(
            Side::Server,
            (ECC, false),
            kind::SERVER_HELLO,
            fault,
            expected,
            alert,
        );
    };
    for version in [0x0000, 0x0100, 0x0102, 0x0300, 0x0301, 0x0303, 0x0304] {
        let fault = answer(move |hello| hello.version = version);
        check(
            Box::new(fault),
            Error::ProtocolVersion(version),
            A::PROTOCOL_VERSION,
        );
    }
    for suite in [0, 0xe013, 0xe051, 0xe011, 0x1301, 0xffff] {
        let expected = Error::IllegalParameter("a cipher suite that was not offered");
        let fault = answer(move |hello| hello.suite = suite);
        check(Box::new(fault), expected, A::ILLEGAL_PARAMETER);
    }
    let decode = || Error::Decode("ServerHello");
    check(
        Box::new(answer(|hello| hello.session_id = vec![1; 33])),
        decode(),
        A::DECODE_ERROR,
    );
    for length in 0..35 {
        check(
            Box::new(changed(move |body| body.truncate(length))),
            decode(),
            A::DECODE_ERROR,
        );
    }
    let compressed = changed(|body| {
        body.truncate(34);
        body.extend([0, 0xe0, 0x53, 1]);
    });
    check(
        Box::new(compressed),
        Error::IllegalParameter("a compression method"),
        A::ILLEGAL_PARAMETER,
    );
    for number in [1u16, 10, 13, 23, 35, 43, 0xff01] {
        let fault = changed(move |body| {
            body.truncate(34);
            body.extend([0, 0xe0, 0x53, 0]);
            let content: &[u8] = if number == 0xff01 {
                &[0, 1, 0]
            } else {
                &[0, 0]
            };
            body.extend(((2 + content.len()) as u16).to_be_bytes());
            body.extend(number.to_be_bytes());
            body.extend(content);
        });
        check(
            Box::new(fault),
            Error::UnsupportedExtension(number),
            A::UNSUPPORTED_EXTENSION,
        );
    }
    let alpn = |protocols: &'static [&'static [u8]]| {
        answer(move |hello| {
            hello.extensions.alpn = Some(protocols.iter().map(|one| one.to_vec()).collect());
        })
    };
    const LISTS: [&[&[u8]]; 3] = [&[b"c"], &[b"a", b"b"], &[b""]];
    for protocols in LISTS {
        let (expected, alert) = match protocols[0].is_empty() {
            true => (decode(), A::DECODE_ERROR),
            false => (
                Error::IllegalParameter("a protocol of ALPN that was not offered"),
                A::ILLEGAL_PARAMETER,
            ),
        };
        check(Box::new(alpn(protocols)), expected, alert);
    }
}

/// The server's certificates, which are signed rightly but are not those that they should be.
#[test]
fn certificates_of_servers() {
    let lab = Lab::get();
    let good = &lab.server;
    let root = &lab.root;
    let other_root = Holder::root("Another Root");
    let stranger = other_root.pair("server", Some(HOST));
    let elsewhere = root.pair("elsewhere", Some("other.example"));
    let client = root.issue("server", Purpose::Client, Some(HOST));
    let dates = |before, after| {
        move |_: CertificateBuilder| {
            let key = key("server Signing");
            let mut builder = CertificateBuilder::new(
                kuaimi_pki::name::parse("CN=server").unwrap(),
                key.public_key(),
                super::common::validity(before, after),
            )
            .purpose(Purpose::Signing)
            .and_then(|builder| builder.serial(&[7]))
            .unwrap();
            builder.extensions().dns(HOST).unwrap();
            builder
        }
    };
    let expired = root.issue_with("server", Purpose::Signing, None, dates(30, 0));
    let not_yet = root.issue_with("server", Purpose::Signing, None, dates(0, 30));
    let now = super::common::now();

    let cases: [(&Holder, &Holder, u64, Half, fn(&Rule) -> bool, A); 9] = [
        (
            &stranger.signing,
            &stranger.encrypting,
            now,
            Half::Signing,
            |rule| matches!(rule, Rule::UnknownIssuer),
            A::UNKNOWN_CA,
        ),
        (
            &good.signing,
            &stranger.encrypting,
            now,
            Half::Encryption,
            |rule| matches!(rule, Rule::UnknownIssuer),
            A::UNKNOWN_CA,
        ),
        (
            &elsewhere.signing,
            &good.encrypting,
            now,
            Half::Signing,
            |rule| matches!(rule, Rule::PeerName(_)),
            A::BAD_CERTIFICATE,
        ),
        (
            &good.signing,
            &elsewhere.encrypting,
            now,
            Half::Encryption,
            |rule| matches!(rule, Rule::PeerName(_)),
            A::BAD_CERTIFICATE,
        ),
        (
            &good.encrypting,
            &good.encrypting,
            now,
            Half::Signing,
            |rule| matches!(rule, Rule::KeyUsage(_)),
            A::UNSUPPORTED_CERTIFICATE,
        ),
        (
            &good.signing,
            &good.signing,
            now,
            Half::Encryption,
            |rule| matches!(rule, Rule::KeyUsage(_)),
            A::UNSUPPORTED_CERTIFICATE,
        ),
        (
            &client,
            &good.encrypting,
            now,
            Half::Signing,
            |rule| matches!(rule, Rule::ExtendedKeyUsage(_)),
            A::UNSUPPORTED_CERTIFICATE,
        ),
        (
            &expired,
            &good.encrypting,
            now + 10,
            Half::Signing,
            |rule| matches!(rule, Rule::Expired(_)),
            A::CERTIFICATE_EXPIRED,
        ),
        (
            &not_yet,
            &good.encrypting,
            now - 100,
            Half::Signing,
            |rule| matches!(rule, Rule::NotYetValid(_)),
            A::CERTIFICATE_EXPIRED,
        ),
    ];
    for (i, (signing, encrypting, now, half, rule, alert)) in cases.into_iter().enumerate() {
        let (config, server) = configs(ECC, false);
        let mut c = connect(&Arc::new(config.clock(move || now)));
        let mut s = Connection::server(Arc::new(server));
        let list = [signing.certificate.clone(), encrypting.certificate.clone()];
        let list = certificate::encode_all(&list);
        s.core().fault = Some(edit(kind::CERTIFICATE, move |_| {
            vec![Sent::Message(list.clone())]
        }));
        let [client, server] = run(&mut c, &mut s, Travel::Whole);
        match &client {
            Some(Error::Certificate(found, refusal)) => {
                assert_eq!(*found, half, "{i}");
                assert!(rule(refusal.rule()), "{i}: {refusal}");
            }
            other => panic!("{i}: {other:?}"),
        }
        assert_eq!(server, Some(Error::AlertReceived(alert)), "{i}");
    }

    let lists: [(Vec<u8>, fn(&Error) -> bool, A); 8] = [
        (
            certificate::encode_all(&[]),
            |error| *error == Error::NoCertificate,
            A::HANDSHAKE_FAILURE,
        ),
        (
            certificate::encode_all(&[good.signing.certificate.clone()]),
            |error| *error == Error::NoCertificate,
            A::HANDSHAKE_FAILURE,
        ),
        (
            certificate::encode_all(&vec![good.signing.certificate.clone(); 17]),
            |error| matches!(error, Error::IllegalParameter(_)),
            A::ILLEGAL_PARAMETER,
        ),
        (
            encode(kind::CERTIFICATE, |out| out.extend([0, 0, 4, 0, 0, 1, 7])),
            |error| matches!(error, Error::MalformedCertificate(_)),
            A::BAD_CERTIFICATE,
        ),
        (
            encode(kind::CERTIFICATE, |out| out.extend([0, 0, 3, 0, 0, 0])),
            |error| *error == Error::Decode("Certificate"),
            A::DECODE_ERROR,
        ),
        (
            encode(kind::CERTIFICATE, |out| out.extend([0, 0, 3, 0, 0, 9])),
            |error| *error == Error::Decode("Certificate"),
            A::DECODE_ERROR,
        ),
        (
            encode(kind::CERTIFICATE, |out| out.extend([0, 0, 0, 0])),
            |error| *error == Error::Decode("Certificate"),
            A::DECODE_ERROR,
        ),
        (
            encode(kind::CERTIFICATE, |out| out.extend([0, 0])),
            |error| *error == Error::Decode("Certificate"),
            A::DECODE_ERROR,
        ),
    ];
    for (i, (list, expected, alert)) in lists.into_iter().enumerate() {
        for side in [Side::Server, Side::Client] {
            // An empty list is well formed, and one certificate enough of a client with ECC.
            if side == Side::Client && i == 1 {
                continue;
            }
            let list = list.clone();
            let fault = move |_: &[u8]| vec![Sent::Message(list.clone())];
            let [client, server] = broken(side, ECC, true, kind::CERTIFICATE, fault);
            let (honest, faulty) = match side {
                Side::Server => (client, server),
                Side::Client => (server, client),
            };
            assert!(
                honest.as_ref().is_some_and(expected),
                "{side:?} {i}: {honest:?}"
            );
            assert_eq!(faulty, Some(Error::AlertReceived(alert)), "{side:?} {i}");
        }
    }
}

#[test]
fn certificates_of_clients() {
    let lab = Lab::get();
    let stranger = Holder::root("Another Root").pair("client", None);
    let server = lab.root.issue("client", Purpose::Server, Some(HOST));
    let good = &lab.client;
    let cases: [(&Holder, &Holder, CipherSuite, A); 5] = [
        (&stranger.signing, &stranger.encrypting, ECC, A::UNKNOWN_CA),
        (
            &good.encrypting,
            &good.encrypting,
            ECC,
            A::UNSUPPORTED_CERTIFICATE,
        ),
        (&server, &good.encrypting, ECC, A::UNSUPPORTED_CERTIFICATE),
        (&good.signing, &stranger.encrypting, ECDHE, A::UNKNOWN_CA),
        (
            &good.signing,
            &good.signing,
            ECDHE,
            A::UNSUPPORTED_CERTIFICATE,
        ),
    ];
    for (i, (signing, encrypting, suite, alert)) in cases.into_iter().enumerate() {
        let list = [signing.certificate.clone(), encrypting.certificate.clone()];
        let list = certificate::encode_all(&list);
        let fault = move |_: &[u8]| vec![Sent::Message(list.clone())];
        let [client, server] = broken(Side::Client, suite, true, kind::CERTIFICATE, fault);
        assert!(
            matches!(server, Some(Error::Certificate(..))),
            "{i}: {server:?}"
        );
        assert_eq!(client, Some(Error::AlertReceived(alert)), "{i}");
    }
    let one = certificate::encode_all(&[good.signing.certificate.clone()]);
    let how = (ECDHE, true);
    replaced(
        Side::Client,
        how,
        kind::CERTIFICATE,
        one,
        Error::NoCertificate,
        A::HANDSHAKE_FAILURE,
    );

    // None, where they are required, and where ECDHE needs them.
    for (suite, optional, works) in [(ECC, false, false), (ECC, true, true), (ECDHE, true, false)] {
        let (_, server) = configs(suite, true);
        let server = match optional {
            true => server.client_auth(ClientAuth::Optional(lab.trust())),
            false => server,
        };
        let (client, _) = configs(suite, suite == ECDHE);
        let mut c = connect(&Arc::new(client));
        let mut s = Connection::server(Arc::new(server));
        if suite == ECDHE {
            let none = certificate::encode_all(&[]);
            c.core().fault = Some(edit(kind::CERTIFICATE, move |_| {
                vec![Sent::Message(none.clone())]
            }));
        }
        let outcome = run(&mut c, &mut s, Travel::Whole);
        match works {
            true => assert_eq!(outcome, [None, None]),
            false => refused(
                Side::Client,
                outcome,
                Error::NoCertificate,
                A::HANDSHAKE_FAILURE,
            ),
        }
    }
}

#[test]
fn server_key_exchanges() {
    let lab = Lab::get();
    let wrong = || Error::Signature("ServerKeyExchange");
    let sign =
        |holder: &Holder, id: &'static [u8]| SigningKey::with_id(holder.key.clone(), id).unwrap();
    let default = b"1234567812345678";
    // Right but for one thing.
    let signers = [
        ("nothing", sign(&lab.server.signing, default)),
        ("the empty identity", sign(&lab.server.signing, b"")),
        (
            "TLS 1.3's identity",
            sign(&lab.server.signing, b"TLSv1.3+GM+Cipher+Suite"),
        ),
        ("another key", sign(&lab.client.signing, default)),
        ("the encrypting key", sign(&lab.server.encrypting, default)),
    ];
    for suite in [ECC, ECDHE] {
        for (what, signer) in signers.clone() {
            let (client, server) = configs(suite, true);
            let mut c = connect(&Arc::new(client));
            let mut s = Connection::server(Arc::new(server));
            let mut hello = Vec::new();
            c.write_tls(&mut hello).unwrap();
            let client_random = client_hello::ClientHello::read(&hello[9..]).unwrap().random;
            let randoms = Randoms(Arc::new(Mutex::new([client_random, [0; 32]])));
            s.core().fault = Some(Box::new(move |message| {
                let message = randoms.see(message)?;
                let has_point = suite == ECDHE;
                let mut exchange =
                    key_exchange::ServerKeyExchange::read(body(message), has_point).unwrap();
                exchange.signature = signer.sign_deterministic(&randoms.signed(&exchange.point));
                Some(vec![Sent::Message(exchange.encode())])
            }));
            give(&mut s, &hello, Travel::Whole).unwrap();
            let outcome = run(&mut c, &mut s, Travel::Whole);
            match what {
                "nothing" => assert_eq!(outcome, [None, None]),
                _ => refused(Side::Server, outcome, wrong(), A::DECRYPT_ERROR),
            }
        }
    }
    let how = (ECC, true);
    let kind = kind::SERVER_KEY_EXCHANGE;
    let altered = |place: usize| changed(move |body| body[place] ^= 1);
    // r, s, and the DER around them.
    for place in [2, 3, 4, 5, 20, 40, 60] {
        check(
            Side::Server,
            how,
            kind,
            altered(place),
            wrong(),
            A::DECRYPT_ERROR,
        );
    }
    let decode = Error::Decode("ServerKeyExchange");
    for edit in [
        (|body: &mut Vec<u8>| body.push(0)) as fn(&mut Vec<u8>),
        |body| body.truncate(body.len() - 1),
        Vec::clear,
    ] {
        check(
            Side::Server,
            how,
            kind,
            changed(edit),
            decode.clone(),
            A::DECODE_ERROR,
        );
    }
    check(
        Side::Server,
        how,
        kind,
        changed(|body| {
            body.clear();
            body.extend([0, 0]);
        }),
        wrong(),
        A::DECRYPT_ERROR,
    );
    let parameters: [(&[u8], &str); 6] = [
        (&[1, 0, 41], "a curve that has no name"),
        (&[2, 0, 41], "a curve that has no name"),
        (&[3, 0, 23], "another curve than SM2's"),
        (&[3, 41, 0], "another curve than SM2's"),
        (&[3, 0, 41, 33, 2], "a point that is not uncompressed"),
        (&[3, 0, 41, 65, 5], "a point that is not on the curve"),
    ];
    for (start, why) in parameters {
        for (side, kind) in [
            (Side::Server, kind),
            (Side::Client, kind::CLIENT_KEY_EXCHANGE),
        ] {
            let fault = changed(move |body| body[..start.len()].copy_from_slice(start));
            let expected = Error::IllegalParameter(why);
            check(
                side,
                (ECDHE, true),
                kind,
                fault,
                expected,
                A::ILLEGAL_PARAMETER,
            );
        }
    }
    for side in [Side::Server, Side::Client] {
        let kind = match side {
            Side::Server => kind,
            Side::Client => kind::CLIENT_KEY_EXCHANGE,
        };
        let expected = Error::IllegalParameter("a point that is not on the curve");
        let fault = changed(|body| body[40] ^= 1);
        check(
            side,
            (ECDHE, true),
            kind,
            fault,
            expected,
            A::ILLEGAL_PARAMETER,
        );
    }
    // Another point, which nobody signed.
    let point = key_exchange::parameters(lab.client.signing.key.public_key());
    let fault = changed(move |body| body[..69].copy_from_slice(&point));
    check(
        Side::Server,
        (ECDHE, true),
        kind,
        fault,
        wrong(),
        A::DECRYPT_ERROR,
    );
}

/// The randoms of client and server, the second as a server's fault sees it.
#[derive(Clone)]
struct Randoms(Arc<Mutex<[[u8; 32]; 2]>>);

impl Randoms {
    /// The ServerKeyExchange; of other messages nothing.
    fn see<'a>(&self, message: Option<&'a [u8]>) -> Option<&'a [u8]> {
        let message = message?;
        if message[0] == kind::SERVER_HELLO {
            let hello = server_hello::ServerHello::read(body(message)).unwrap();
            self.0.lock().unwrap()[1] = hello.random;
        }
        (message[0] == kind::SERVER_KEY_EXCHANGE).then_some(message)
    }

    fn signed(&self, point: &Option<PublicKey>) -> Vec<u8> {
        let [client, server] = *self.0.lock().unwrap();
        let encrypting = Lab::get().server.encrypting.certificate.as_der();
        match point {
            None => key_exchange::signed_ecc(&client, &server, encrypting),
            Some(point) => key_exchange::signed_ecdhe(&client, &server, point),
        }
    }
}

#[test]
fn requests_and_dones() {
    let how = (ECC, true);
    let decode = |what| Error::Decode(what);
    let request = kind::CERTIFICATE_REQUEST;
    for bytes in [
        &[][..],
        &[0, 0, 0],
        &[1, 64],
        &[1, 64, 0],
        &[1, 64, 0, 0, 0],
        &[1, 64, 0, 3, 0, 9, 1],
    ] {
        let message = encode(request, |out| out.extend(bytes));
        let expected = decode("CertificateRequest");
        replaced(
            Side::Server,
            how,
            request,
            message,
            expected,
            A::DECODE_ERROR,
        );
    }
    let done = kind::SERVER_HELLO_DONE;
    let message = encode(done, |out| out.push(0));
    replaced(
        Side::Server,
        how,
        done,
        message,
        decode("ServerHelloDone"),
        A::DECODE_ERROR,
    );
    let twice = |message: &[u8]| {
        vec![
            Sent::Message(message.to_vec()),
            Sent::Message(message.to_vec()),
        ]
    };
    let expected = Error::UnexpectedMessage("ServerHelloDone", "CertificateRequest");
    check(
        Side::Server,
        how,
        request,
        twice,
        expected,
        A::UNEXPECTED_MESSAGE,
    );
    // ECDHE needs the client's certificates, so it asks for them.
    let expected = Error::UnexpectedMessage("CertificateRequest", "ServerHelloDone");
    check(
        Side::Server,
        (ECDHE, true),
        request,
        |_| vec![],
        expected,
        A::UNEXPECTED_MESSAGE,
    );

    // A request for other types is answered without certificates.
    let other = certificate_request::CertificateRequest {
        types: vec![1, 80],
        authorities: vec![],
    };
    let message = other.encode();
    let [_, server] = broken(Side::Server, ECC, true, request, move |_| {
        vec![Sent::Message(message.clone())]
    });
    assert_eq!(server, Some(Error::NoCertificate));
}

/// Whatever is wrong with the encrypted premaster secret, the server says the same.
#[test]
fn premaster_secrets() {
    let lab = Lab::get();
    let key = lab.server.encrypting.key.public_key();
    let encrypt = |premaster: &[u8]| key.encrypt(premaster).unwrap().to_der();
    let mut premaster = [7; 48];
    premaster[..2].copy_from_slice(&[1, 1]);
    let of_version = |version: [u8; 2]| {
        let mut premaster = premaster;
        premaster[..2].copy_from_slice(&version);
        encrypt(&premaster)
    };
    let right = encrypt(&premaster);
    let flipped = |place: usize| {
        let mut bytes = right.clone();
        bytes[place] ^= 1;
        bytes
    };
    let cases = [
        ("another version", of_version([3, 3])),
        ("a later version", of_version([1, 2])),
        ("47 bytes", encrypt(&premaster[..47])),
        ("49 bytes", encrypt(&[premaster.as_slice(), &[0]].concat())),
        ("one byte", encrypt(&premaster[..1])),
        (
            "another key",
            lab.client
                .signing
                .key
                .public_key()
                .encrypt(&premaster)
                .unwrap()
                .to_der(),
        ),
        ("a point off the curve", flipped(30)),
        ("another digest", flipped(right.len() - 70)),
        ("another ciphertext", flipped(right.len() - 1)),
        ("no DER", vec![0; 150]),
        ("nothing", vec![]),
        ("a longer one", [right.as_slice(), &[0]].concat()),
        ("one that was cut", right[..right.len() - 1].to_vec()),
    ];
    for suite in [ECC, CipherSuite::EccSm4CbcSm3] {
        for (what, ciphertext) in &cases {
            let message = key_exchange::encode_encrypted(ciphertext);
            let fault = move |_: &[u8]| vec![Sent::Message(message.clone())];
            let [_, server] = broken(Side::Client, suite, false, kind::CLIENT_KEY_EXCHANGE, fault);
            assert_eq!(server, Some(Error::BadRecordMac), "{what}");
        }
    }
    let kind = kind::CLIENT_KEY_EXCHANGE;
    let expected = Error::Decode("ClientKeyExchange");
    for edit in [
        (|body: &mut Vec<u8>| body.push(0)) as fn(&mut Vec<u8>),
        Vec::clear,
    ] {
        let fault = changed(edit);
        check(
            Side::Client,
            (ECC, false),
            kind,
            fault,
            expected.clone(),
            A::DECODE_ERROR,
        );
        let fault = changed(edit);
        check(
            Side::Client,
            (ECDHE, true),
            kind,
            fault,
            expected.clone(),
            A::DECODE_ERROR,
        );
    }
}

#[test]
fn certificate_verifies() {
    let how = (ECC, true);
    let verify = kind::CERTIFICATE_VERIFY;
    let wrong = || Error::Signature("CertificateVerify");
    for place in [2, 3, 5, 30, 60] {
        let fault = changed(move |body| body[place] ^= 1);
        check(Side::Client, how, verify, fault, wrong(), A::DECRYPT_ERROR);
    }
    let other = SigningKey::new(Lab::get().client.signing.key.clone());
    let message = key_exchange::encode_verify(&other.sign_deterministic(b"something else"));
    replaced(
        Side::Client,
        how,
        verify,
        message,
        wrong(),
        A::DECRYPT_ERROR,
    );
    for edit in [
        (|body: &mut Vec<u8>| body.push(0)) as fn(&mut Vec<u8>),
        Vec::clear,
    ] {
        let expected = Error::Decode("CertificateVerify");
        check(
            Side::Client,
            how,
            verify,
            changed(edit),
            expected,
            A::DECODE_ERROR,
        );
    }
    // A client that does not show that it has the key.
    let expected = Error::UnexpectedMessage("CertificateVerify", "ChangeCipherSpec");
    check(
        Side::Client,
        how,
        verify,
        |_| vec![],
        expected,
        A::UNEXPECTED_MESSAGE,
    );
    let twice = |message: &[u8]| {
        vec![
            Sent::Message(message.to_vec()),
            Sent::Message(message.to_vec()),
        ]
    };
    let expected = Error::UnexpectedMessage("ChangeCipherSpec", "CertificateVerify");
    check(
        Side::Client,
        how,
        verify,
        twice,
        expected,
        A::UNEXPECTED_MESSAGE,
    );
    // One without certificates has nothing to show.
    let message = key_exchange::encode_verify(&other.sign_deterministic(b"something"));
    let fault = move |exchange: &[u8]| {
        vec![
            Sent::Message(exchange.to_vec()),
            Sent::Message(message.clone()),
        ]
    };
    let expected = Error::UnexpectedMessage("ChangeCipherSpec", "CertificateVerify");
    let kind = kind::CLIENT_KEY_EXCHANGE;
    check(
        Side::Client,
        (ECC, false),
        kind,
        fault,
        expected,
        A::UNEXPECTED_MESSAGE,
    );
}

#[test]
fn finisheds() {
    for side in [Side::Client, Side::Server] {
        for suite in [ECC, ECDHE] {
            let how = (suite, true);
            let finished = kind::FINISHED;
            for place in 0..12 {
                let fault = changed(move |body| body[place] ^= 0x10);
                check(
                    side,
                    how,
                    finished,
                    fault,
                    Error::Finished,
                    A::DECRYPT_ERROR,
                );
            }
            for edit in [
                (|body: &mut Vec<u8>| body.push(0)) as fn(&mut Vec<u8>),
                |body| body.truncate(11),
                Vec::clear,
            ] {
                let expected = Error::Decode("Finished");
                check(
                    side,
                    how,
                    finished,
                    changed(edit),
                    expected,
                    A::DECODE_ERROR,
                );
            }
        }
    }
}
