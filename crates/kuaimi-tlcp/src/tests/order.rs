//! Messages that are missing, come twice, in another order, too early, too late or as others; peers
//! that stop.

use std::io::{Read, Write};
use std::sync::Arc;

use super::broken::Side;
use super::common::{Travel, carry, connect, give, run};
use super::faults::{CHANGE_CIPHER_SPEC, Fault, Sent, edit};
use super::handshakes::{cases, configs};
use crate::message::{encode, kind};
use crate::record::content;
use crate::{AlertDescription as A, CipherSuite, Connection, Error};

const ECC: CipherSuite = CipherSuite::EccSm4GcmSm3;

/// Two sides with a session to resume, or without.
fn sides(suite: CipherSuite, auth: bool, resumes: bool) -> (Connection, Connection) {
    let (client, server) = configs(suite, auth);
    let (client, server) = (Arc::new(client), Arc::new(server));
    if resumes {
        let mut c = connect(&client);
        let mut s = Connection::server(Arc::clone(&server));
        assert_eq!(run(&mut c, &mut s, Travel::Whole), [None, None]);
    }
    (connect(&client), Connection::server(server))
}

fn pick(side: Side, sides: &mut (Connection, Connection)) -> (&mut Connection, &mut Connection) {
    let (client, server) = sides;
    match side {
        Side::Client => (client, server),
        Side::Server => (server, client),
    }
}

/// The messages that a side sends after ClientHello, in order.
fn messages(side: Side, suite: CipherSuite, auth: bool, resumes: bool) -> Vec<Sent> {
    let seen = Arc::new(std::sync::Mutex::new(Vec::new()));
    let mut both = sides(suite, auth, resumes);
    let record = Arc::clone(&seen);
    let fault: Fault = Box::new(move |message| {
        record.lock().unwrap().push(as_sent(message));
        None
    });
    pick(side, &mut both).0.core().fault = Some(fault);
    assert_eq!(run(&mut both.0, &mut both.1, Travel::Whole), [None, None]);
    drop(both);
    Arc::try_unwrap(seen).unwrap().into_inner().unwrap()
}

fn as_sent(message: Option<&[u8]>) -> Sent {
    match message {
        Some(message) => Sent::Message(message.to_vec()),
        None => Sent::Record(content::CHANGE_CIPHER_SPEC, vec![1]),
    }
}

/// Runs a handshake in which the `place`-th message of `side` is replaced by what `change` makes of
/// it, and gives the honest side's error, and what the other was told.
fn with_change(
    side: Side,
    (suite, auth, resumes): (CipherSuite, bool, bool),
    place: usize,
    mut change: impl FnMut(Sent) -> Vec<Sent> + Send + Sync + 'static,
) -> (Connection, Option<Error>, Option<Error>) {
    let mut both = sides(suite, auth, resumes);
    let mut count = 0;
    let fault: Fault = Box::new(move |message| {
        count += 1;
        (count == place + 1).then(|| change(as_sent(message)))
    });
    pick(side, &mut both).0.core().fault = Some(fault);
    let [client, server] = run(&mut both.0, &mut both.1, Travel::Whole);
    match side {
        Side::Client => (both.1, server, client),
        Side::Server => (both.0, client, server),
    }
}

/// All ways to a handshake, and how many messages either side sends in it.
fn ways() -> impl Iterator<Item = (Side, (CipherSuite, bool, bool), usize)> {
    cases().flat_map(|(suite, auth)| {
        [false, true].into_iter().flat_map(move |resumes| {
            [Side::Client, Side::Server].into_iter().map(move |side| {
                let count = messages(side, suite, auth, resumes).len();
                (side, (suite, auth, resumes), count)
            })
        })
    })
}

/// What a side may answer to a message that does not belong there.
fn is_refusal(error: &Option<Error>) -> bool {
    matches!(
        error,
        Some(
            Error::UnexpectedMessage(..)
                | Error::Decode(_)
                | Error::IllegalParameter(_)
                | Error::BadRecordMac
                | Error::Signature(_)
                | Error::Finished
        )
    )
}

#[test]
fn missing_messages() {
    for (side, how, count) in ways() {
        for place in 0..count {
            let (mut honest, error, told) = with_change(side, how, place, |_| vec![]);
            // Without the last of a flight, both sides wait.
            match &error {
                None => assert!(honest.is_handshaking(), "{side:?} {how:?} {place}"),
                // Without CertificateRequest it is the server that waits for a Certificate.
                Some(Error::AlertReceived(A::UNEXPECTED_MESSAGE)) => {
                    assert_eq!((side, place), (Side::Server, 3), "{how:?}");
                }
                Some(error) => {
                    assert!(
                        is_refusal(&Some(error.clone())),
                        "{side:?} {how:?} {place}: {error}"
                    );
                    let told_alert = told.clone() == error.alert().map(Error::AlertReceived);
                    // After ChangeCipherSpec is left out, one side reads what the other protects.
                    assert!(
                        told_alert || how.2 || place + 2 >= count,
                        "{side:?} {how:?} {place}: {told:?}"
                    );
                }
            }
            assert!(honest.suite().is_none(), "{side:?} {how:?} {place}");
            assert!(honest.reader().read(&mut [0; 9]).is_err());
        }
    }
}

#[test]
fn repeated_messages() {
    for (side, how, count) in ways() {
        for place in 0..count {
            let twice = |sent: Sent| vec![sent.clone(), sent];
            let (honest, error, _) = with_change(side, how, place, twice);
            let finished = honest.suite().is_some();
            // A Finished that comes again is a message after the handshake.
            match place + 1 == count {
                true => assert!(finished || is_refusal(&error)),
                false => assert!(!finished),
            }
            assert!(is_refusal(&error), "{side:?} {how:?} {place}: {error:?}");
        }
    }
}

#[test]
fn messages_in_another_order() {
    for (side, how, count) in ways() {
        // The last two are ChangeCipherSpec and Finished: they change the keys between them.
        for place in 0..count.saturating_sub(2) {
            let mut both = sides(how.0, how.1, how.2);
            let mut held = None;
            let mut seen = 0;
            let fault: Fault = Box::new(move |message| {
                seen += 1;
                match seen {
                    n if n == place + 1 => {
                        held = Some(as_sent(message));
                        Some(vec![])
                    }
                    n if n == place + 2 => {
                        let first = as_sent(message);
                        Some([Some(first), held.take()].into_iter().flatten().collect())
                    }
                    _ => None,
                }
            });
            pick(side, &mut both).0.core().fault = Some(fault);
            let [client, server] = run(&mut both.0, &mut both.1, Travel::Whole);
            let error = match side {
                Side::Client => server,
                Side::Server => client,
            };
            let what = format!("{side:?} {how:?} {place}: {error:?}");
            // A message that waits for one of the next flight is a missing one.
            let waits = error.is_none() && both.0.is_handshaking() && both.1.is_handshaking();
            assert!(waits || is_refusal(&error), "{what}");
        }
    }
}

/// Every message in the place of every other.
#[test]
fn other_messages() {
    let kinds = [0, 1, 2, 3, 4, 11, 12, 13, 14, 15, 16, 20, 22, 67, 254];
    for (side, how, count) in ways().filter(|(_, (suite, _, _), _)| *suite == ECC) {
        let sent = messages(side, how.0, how.1, how.2);
        for (place, right) in sent.iter().enumerate().take(count) {
            for kind in kinds {
                if matches!(right, Sent::Message(message) if message[0] == kind) {
                    continue;
                }
                // The client may be asked for a certificate or not.
                let optional = |message: &Sent| matches!(message, Sent::Message(m) if m[0] == kind::SERVER_HELLO_DONE || m[0] == kind::CERTIFICATE_REQUEST);
                if optional(right)
                    && [kind::SERVER_HELLO_DONE, kind::CERTIFICATE_REQUEST].contains(&kind)
                {
                    continue;
                }
                let message = encode(kind, |out| out.extend([0; 12]));
                let change = move |_| vec![Sent::Message(message.clone())];
                let (honest, error, _) = with_change(side, how, place, change);
                assert!(
                    matches!(error, Some(Error::UnexpectedMessage(..))),
                    "{side:?} {how:?} {place} {kind}: {error:?}"
                );
                assert!(honest.suite().is_none());
            }
        }
    }
}

/// Other records before every message.
#[test]
fn other_records() {
    let unexpected = |error: &Option<Error>| matches!(error, Some(Error::UnexpectedMessage(..)));
    for (side, how, count) in ways().filter(|(_, (suite, _, _), _)| *suite == ECC) {
        let sent = messages(side, how.0, how.1, how.2);
        for place in 0..count {
            let before = |kind: u8, content: &'static [u8]| {
                with_change(side, how, place, move |sent| {
                    vec![Sent::Record(kind, content.to_vec()), sent]
                })
                .1
            };
            let what = format!("{side:?} {how:?} {place}");
            assert!(
                unexpected(&before(content::APPLICATION_DATA, b"early")),
                "{what}"
            );
            assert!(
                unexpected(&before(content::APPLICATION_DATA, b"")),
                "{what}"
            );
            assert!(unexpected(&before(content::HANDSHAKE, b"")), "{what}");
            let other = before(24, b"heartbeat");
            let first = other == Some(Error::NotTlcp("something else"));
            assert!(
                unexpected(&other) || first && place == 0,
                "{what}: {other:?}"
            );
            let early = before(content::CHANGE_CIPHER_SPEC, &[1]);
            match sent[place] {
                // Then it comes twice.
                Sent::Record(..) => assert!(is_refusal(&early), "{what}: {early:?}"),
                _ => assert!(unexpected(&early), "{what}: {early:?}"),
            }
            for content in [&[0][..], &[2], &[1, 1], &[]] {
                let error = before(content::CHANGE_CIPHER_SPEC, content);
                assert_eq!(error, Some(Error::Decode("ChangeCipherSpec")), "{what}");
            }
            for content in [&[][..], &[1], &[2], &[1, 0, 0]] {
                let error = before(content::ALERT, content);
                assert_eq!(error, Some(Error::Decode("alert")), "{what}");
            }
            for content in [&[0, 10][..], &[3, 10], &[255, 0]] {
                let expected = Error::IllegalParameter("an alert of another level");
                assert_eq!(before(content::ALERT, content), Some(expected), "{what}");
            }
            for alert in [10, 40, 80, 100, 7, 205, 255] {
                let error = with_change(side, how, place, move |sent| {
                    vec![Sent::Record(content::ALERT, vec![2, alert]), sent]
                });
                assert_eq!(error.1, Some(Error::AlertReceived(A(alert))), "{what}");
            }
            assert_eq!(
                before(content::ALERT, &[1, 0]),
                Some(Error::Closed),
                "{what}"
            );
            // A warning is no reason to fail; many are.
            assert_eq!(before(content::ALERT, &[1, 112]), None, "{what}");
            let many = with_change(side, how, place, move |sent| {
                let warning = Sent::Record(content::ALERT, vec![1, 90]);
                let mut all = vec![warning; 17];
                all.push(sent);
                all
            });
            assert_eq!(many.1, Some(Error::TooMany("warnings")), "{what}");
        }
    }
}

/// Messages in fragments of all lengths, and with another record between them.
#[test]
fn fragments() {
    for length in [1, 2, 3, 5, 11, 100] {
        let mut both = sides(ECC, true, false);
        both.0.set_record_len(length);
        both.1.set_record_len(length);
        assert_eq!(
            run(&mut both.0, &mut both.1, Travel::Whole),
            [None, None],
            "{length}"
        );
    }
    let cut = |middle: Option<(u8, Vec<u8>)>| {
        move |message: &[u8]| {
            let (head, tail) = message.split_at(message.len() / 2);
            let mut all = vec![Sent::Record(content::HANDSHAKE, head.to_vec())];
            all.extend(
                middle
                    .clone()
                    .map(|(kind, content)| Sent::Record(kind, content)),
            );
            all.push(Sent::Record(content::HANDSHAKE, tail.to_vec()));
            all
        }
    };
    let rest = Error::UnexpectedMessage("the rest of a message", "a record of another type");
    for (middle, expected) in [
        (None, None),
        (
            Some((content::CHANGE_CIPHER_SPEC, vec![1])),
            Some(rest.clone()),
        ),
        (
            Some((content::ALERT, vec![2, 40])),
            Some(Error::AlertReceived(A::HANDSHAKE_FAILURE)),
        ),
        (Some((content::ALERT, vec![1, 0])), Some(Error::Closed)),
    ] {
        let mut both = sides(ECC, false, false);
        both.1.core().fault = Some(edit(kind::CERTIFICATE, cut(middle)));
        let [client, _] = run(&mut both.0, &mut both.1, Travel::Whole);
        match expected {
            // The server's own transcript lacks it, and that is all that is wrong.
            None => assert_eq!(client, Some(Error::AlertReceived(A::DECRYPT_ERROR))),
            expected => assert_eq!(client, expected),
        }
    }
    // A message that begins where ChangeCipherSpec has to come.
    let early = Error::UnexpectedMessage("ChangeCipherSpec", "Finished");
    let mut both = sides(ECC, false, false);
    both.1.core().fault = Some(edit(CHANGE_CIPHER_SPEC, |_| {
        vec![
            Sent::Record(content::HANDSHAKE, vec![20, 0, 0, 12]),
            Sent::Record(content::CHANGE_CIPHER_SPEC, vec![1]),
        ]
    }));
    assert_eq!(run(&mut both.0, &mut both.1, Travel::Whole)[0], Some(early));
    // Several messages in one record.
    let mut both = sides(ECC, true, false);
    let mut held: Vec<u8> = Vec::new();
    both.1.core().fault = Some(Box::new(move |message| {
        let message = message?;
        if message[0] == kind::FINISHED {
            return None;
        }
        held.extend(message);
        match message[0] {
            kind::SERVER_HELLO_DONE => Some(vec![Sent::Message(held.clone())]),
            _ => Some(vec![]),
        }
    }));
    assert_eq!(run(&mut both.0, &mut both.1, Travel::Whole), [None, None]);
}

/// Messages that claim to be long are refused before they have come.
#[test]
fn long_messages() {
    for (kind, most) in [
        (kind::CLIENT_HELLO, 1 << 16),
        (kind::CERTIFICATE, 1 << 17),
        (kind::CLIENT_KEY_EXCHANGE, 1 << 14),
        (kind::FINISHED, 1 << 14),
        (99, 1 << 14),
    ] {
        for length in [most + 1, 0xff_ffff] {
            let (_, server) = configs(ECC, false);
            let mut s = Connection::server(Arc::new(server));
            let [_, a, b, c] = (length as u32).to_be_bytes();
            let record = [22, 1, 1, 0, 4, kind, a, b, c];
            let error = give(&mut s, &record, Travel::Whole);
            assert_eq!(error, Err(Error::MessageTooLong(length)));
            let mut out = Vec::new();
            s.write_tls(&mut out).unwrap();
            assert_eq!(out, [21, 1, 1, 0, 2, 2, 47]);
        }
    }
}

/// A peer that stops at any byte: the other side says so when the network ends, and not before.
#[test]
fn peers_that_stop() {
    for (suite, auth) in cases() {
        for side in [Side::Client, Side::Server] {
            let mut records = 0;
            loop {
                let mut both = sides(suite, auth, false);
                let stopped = stop_after(side, &mut both, records);
                let (_, honest) = pick(side, &mut both);
                if !stopped {
                    assert!(!honest.is_handshaking());
                    break;
                }
                assert!(honest.is_handshaking(), "{suite} {side:?} {records}");
                honest.read_tls(&mut &[][..]).unwrap();
                assert_eq!(honest.process_new_packets(), Err(Error::Closed));
                assert_eq!(
                    honest.process_new_packets(),
                    Err(Error::Closed),
                    "and again"
                );
                assert!(honest.writer().write(b"data").is_err());
                assert!(!honest.wants_read());
                records += 1;
            }
            assert!(records >= 4, "{records}");
        }
    }
}

/// Runs a handshake in which `side` sends no more than so many records. Whether that stopped it.
fn stop_after(side: Side, both: &mut (Connection, Connection), most: usize) -> bool {
    let mut sent = 0;
    loop {
        let (stopper, honest) = pick(side, both);
        carry(honest, stopper, Travel::Whole).unwrap();
        let mut network = Vec::new();
        stopper.write_tls(&mut network).unwrap();
        if network.is_empty() && !stopper.wants_write() {
            return false;
        }
        let mut rest = &network[..];
        while let Some(header) = rest.first_chunk::<5>() {
            if sent == most {
                return true;
            }
            let length = 5 + usize::from(u16::from_be_bytes([header[3], header[4]]));
            give(honest, &rest[..length], Travel::Whole).unwrap();
            rest = &rest[length..];
            sent += 1;
        }
    }
}
