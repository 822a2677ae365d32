//! TLCP, one suite after the other.

use std::io;
use std::sync::{Arc, Mutex, PoisonError};

use kuaimi::sm2::{PrivateKey, SigningKey};
use kuaimi_pki::certificate::{CertificateBuilder, Validity};
use kuaimi_pki::chain::PeerName;
use kuaimi_pki::extensions::Purpose;
use kuaimi_pki::{Certificate, name};
use kuaimi_tlcp::{
    AlertDescription, CipherSuite, ClientConfig, Connection, DangerousVerifier, Error, Identity,
    KeyExchange, Presented, Trust,
};

use super::socket::{Target, Timed, words};
use super::{Outcome, Probe, Seen};
use crate::cert::{now, unusable};
use crate::failure::{Failure, Result};

/// Takes what the server shows, and accepts it: what is wrong with it is said later.
#[derive(Default)]
struct Capture(Mutex<Vec<Certificate>>);

impl DangerousVerifier for Capture {
    fn verify(&self, presented: &Presented<'_>) -> Result<(), AlertDescription> {
        let mut seen = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        *seen = presented.certificates.to_vec();
        Ok(())
    }
}

/// Tries every suite.
pub fn probe(target: &Target, name: &PeerName) -> Result<Seen> {
    let mut seen = Seen::default();
    let identity = passing_identity()?;
    for suite in CipherSuite::ALL {
        let outcome = one(target, name, suite, &identity, &mut seen);
        seen.probes.push(Probe {
            protocol: "TLCP",
            what: suite.name().to_owned(),
            outcome,
        });
    }
    Ok(seen)
}

fn one(
    target: &Target,
    name: &PeerName,
    suite: CipherSuite,
    identity: &Identity,
    seen: &mut Seen,
) -> Outcome {
    let capture = Arc::new(Capture::default());
    let shown = Arc::clone(&capture) as Arc<dyn DangerousVerifier>;
    let config = ClientConfig::new(Trust::dangerous(shown, &[])).sessions(None);
    let ephemeral = suite.key_exchange() == KeyExchange::Ecdhe;
    let config = match ephemeral {
        true => config.identity(identity.clone()),
        false => config,
    };
    let result = config
        .suites(&[suite])
        .and_then(|config| Connection::client(Arc::new(config), name.clone()));
    let mut connection = match result {
        Ok(connection) => connection,
        Err(error) => return Outcome::Not(error.to_string()),
    };
    let result = target
        .connect()
        .map_err(Ended::Network)
        .and_then(|mut socket| handshake(&mut connection, &mut socket));
    let certificates =
        core::mem::take(&mut *capture.0.lock().unwrap_or_else(PoisonError::into_inner));
    // It chose the suite, as it was the only one, and went on with it.
    let chosen = !certificates.is_empty();
    seen.keep(certificates);
    match result {
        Ok(()) => Outcome::Spoken(match ephemeral {
            true => "took a client certificate that nobody vouches for".to_owned(),
            false => String::new(),
        }),
        Err(Ended::Tlcp(Error::AlertReceived(alert))) if chosen => {
            Outcome::Spoken(format!("wants a client certificate of its own ({alert})"))
        }
        // A server need not say why.
        Err(Ended::Tlcp(Error::Closed) | Ended::Network(_)) if chosen && ephemeral => {
            Outcome::Spoken("wants a client certificate of its own".to_owned())
        }
        Err(Ended::Tlcp(Error::Signature(what))) => {
            seen.problem(format!(
                "TLCP: the signature of {what} is wrong: it was made by another key, over other \
                 data, or under another identity than 1234567812345678"
            ));
            Outcome::Not("a wrong signature".to_owned())
        }
        Err(Ended::Tlcp(error)) => {
            if chosen {
                seen.problem(format!("TLCP, {suite}: {error}"));
            }
            Outcome::Not(error.to_string())
        }
        Err(Ended::Network(error)) => Outcome::Not(words(&error)),
    }
}

enum Ended {
    Network(io::Error),
    Tlcp(Error),
}

fn handshake(connection: &mut Connection, socket: &mut Timed) -> Result<(), Ended> {
    let done = loop {
        while connection.wants_write() {
            connection.write_tls(socket).map_err(Ended::Network)?;
        }
        if !connection.is_handshaking() {
            break Ok(());
        }
        connection.read_tls(socket).map_err(Ended::Network)?;
        if let Err(error) = connection.process_new_packets() {
            break Err(Ended::Tlcp(error));
        }
    };
    // A server that waits for the end need not wait for its time limit.
    connection.send_close_notify();
    while connection.wants_write() {
        if connection.write_tls(socket).is_err() {
            break;
        }
    }
    done
}

/// A pair for the moment, as the suites ECDHE need one. Nobody vouches for it.
fn passing_identity() -> Result<Identity> {
    let validity = Validity::days(now()?, 1).map_err(unusable)?;
    let make = |purpose| {
        let key = PrivateKey::generate().map_err(|error| Failure::usage(error.to_string()))?;
        let subject = name::parse("CN=kuaimi tls-check").map_err(unusable)?;
        let certificate = CertificateBuilder::new(subject, key.public_key(), validity)
            .purpose(purpose)
            .and_then(|builder| builder.random_serial(&mut getrandom::SysRng))
            .and_then(|builder| builder.self_sign(&SigningKey::new(key.clone())))
            .map_err(unusable)?;
        Ok::<_, Failure>((key, certificate))
    };
    let (signing_key, signing) = make(Purpose::Signing)?;
    let (encrypting_key, encrypting) = make(Purpose::Encryption)?;
    Identity::new(
        signing,
        SigningKey::new(signing_key),
        encrypting,
        encrypting_key,
        &[],
    )
    .map_err(|error| Failure::usage(error.to_string()))
}
