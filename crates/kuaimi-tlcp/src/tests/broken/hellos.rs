//! ClientHello and ServerHello.

use super::*;

type Answer = Box<dyn FnMut(&[u8]) -> Vec<Sent> + Send + Sync>;

#[test]
fn client_hellos() {
    let check = |fault: Answer, expected, alert| {
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
    let check = |fault: Answer, expected, alert| {
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
