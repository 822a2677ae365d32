//! Key exchanges, signatures and Finished.

use super::*;

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
