//! Certificates of either side.

use super::*;

/// A pair, the time, and what it is refused for.
type Refused<'a> = (&'a Holder, &'a Holder, u64, Half, fn(&Rule) -> bool, A);
/// A message, and what it is refused for.
type List = (Vec<u8>, fn(&Error) -> bool, A);

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
                super::super::common::validity(before, after),
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
    let now = super::super::common::now();

    let cases: [Refused<'_>; 9] = [
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

    let lists: [List; 8] = [
        (
            certificate::encode_all(&[]),
            |error| *error == Error::NoCertificate,
            A::HANDSHAKE_FAILURE,
        ),
        (
            certificate::encode_all(std::slice::from_ref(&good.signing.certificate)),
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
    let one = certificate::encode_all(std::slice::from_ref(&good.signing.certificate));
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
