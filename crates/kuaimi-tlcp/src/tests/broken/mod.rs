//! Peers that break one rule of the handshake: the error, and the alert that they are sent.

mod certificates;
mod exchanges;
mod hellos;

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
