//! Before anything is timed: each peer's results are given to Kuaimi and to every other peer, and
//! results that were altered must be refused. An operation that fails here is told in the record,
//! and not measured.

use anyhow::{Context, Result, ensure};
use kuaimi::sm2::{Ciphertext, CiphertextForm, PrivateKey, Signature, SigningKey};
use kuaimi::sm4::{Sm4, Sm4Cbc, Sm4Ctr, Sm4Gcm, Sm4Xts, XtsStandard};
use kuaimi::sm9::{
    EncryptionKey, G1Point, MasterEncryptionKey, MasterSigningKey, Mode, VerifyingKey,
};
use kuaimi::{sm3, sm9};
use kuaimi_math::arith::U256;

use super::library::{Library, Running};
use super::operations::Operation;
use super::protocol::{Hello, Peer};
use crate::ours::integers::{FACTORS, product};

/// What the peers' operations work with. All peers have the same.
const SECRET: [u8; 32] = [0x39; 32];
const MASTER: [u8; 32] = [0x13; 32];
const KEY: [u8; 16] = [0x5A; 16];
const IV: [u8; 16] = [0xA5; 16];
/// As the peers have it.
const IDENTITY: &[u8] = b"alice@example.com";
/// Results for longer messages are checked with Kuaimi's alone: what differs from those for short
/// ones is the hash, which takes some libraries many seconds.
const SHORT: usize = 1 << 10;
/// Bytes of a key that is encapsulated.
const KEY_LENGTH: usize = 32;
/// Each byte of a message, as the protocol's `fill` makes it.
const FILLING: u8 = 0x5A;

/// Kuaimi's keys.
pub(super) struct Keys {
    signer: SigningKey,
    signing: MasterSigningKey,
    encryption: MasterEncryptionKey,
}

/// What has signatures or ciphertexts.
#[derive(Clone, Copy)]
enum Scheme {
    Sm2,
    Sm4,
    Sm9,
}

impl Keys {
    pub(super) fn new() -> Result<Self> {
        Ok(Self {
            signer: SigningKey::new(PrivateKey::from_bytes(&SECRET)?),
            signing: MasterSigningKey::from_bytes(&MASTER)?,
            encryption: MasterEncryptionKey::from_bytes(&MASTER)?,
        })
    }

    /// Gives a peer what every operation may need.
    pub(super) fn hand_over(&self, peer: &mut Peer) -> Result<()> {
        peer.set("secret", &SECRET)?;
        let public = self.signer.private_key().public_key();
        peer.set("public", &public.to_sec1_bytes())?;
        peer.set("master", &MASTER)?;
        peer.set("key", &KEY)?;
        peer.set("iv", &IV)?;
        let [a, b] = FACTORS.map(|factor| U256(factor).to_be_bytes());
        peer.set("a", &a)?;
        peer.set("b", &b)
    }

    /// Gives a peer the input of one operation: the message, and what was signed or encrypted by
    /// Kuaimi.
    pub(super) fn prepare(
        &self,
        peer: &mut Peer,
        hello: &Hello,
        operation: &Operation,
    ) -> Result<()> {
        peer.fill("message", operation.message)?;
        match given(operation) {
            None => Ok(()),
            Some((scheme, name)) => {
                let ours = self.make(scheme, name, operation.message)?;
                peer.set(name, &to_form(scheme, name, &ours, hello)?)
            }
        }
    }

    /// The same for all peers of a library.
    pub(super) fn prepare_all(&self, running: &mut Running, operation: &Operation) -> Result<()> {
        let mut peers = running.peers.iter_mut();
        peers.try_for_each(|peer| self.prepare(peer, &running.hello, operation))
    }

    /// A signature or a ciphertext of Kuaimi's, in the raw form.
    fn make(&self, scheme: Scheme, what: &str, length: usize) -> Result<Vec<u8>> {
        let message = vec![FILLING; length];
        Ok(match (scheme, what) {
            (Scheme::Sm2, "signature") => self.signer.sign(&message)?.to_bytes().to_vec(),
            (Scheme::Sm2, _) => {
                let public = self.signer.private_key().public_key();
                public.encrypt(&message)?.to_bytes(CiphertextForm::C1C3C2)
            }
            (Scheme::Sm9, "signature") => {
                let signature = self.signing.extract(IDENTITY)?.sign(&message)?;
                with_prefix(&signature.to_bytes(), 32)
            }
            (Scheme::Sm9, "encapsulated") => {
                let key = EncryptionKey::new(self.encryption.public_key(), IDENTITY)?;
                with_prefix(&key.encapsulate(KEY_LENGTH)?.1.to_bytes(), 0)
            }
            (Scheme::Sm9, _) => {
                let key = EncryptionKey::new(self.encryption.public_key(), IDENTITY)?;
                with_prefix(&key.encrypt(&message)?.to_bytes(), 0)
            }
            (Scheme::Sm4, _) => sealed(message)?,
        })
    }

    /// An error unless Kuaimi accepts a result that is raw.
    fn accept(&self, scheme: Scheme, what: &str, raw: &[u8], length: usize) -> Result<()> {
        let message = vec![FILLING; length];
        let opened = match (scheme, what) {
            (Scheme::Sm2, "signature") => {
                let signature = Signature::from_slice(raw)?;
                return Ok(self.signer.verifying_key().verify(&message, &signature)?);
            }
            (Scheme::Sm9, "signature") => {
                let signature = sm9::Signature::from_slice(&without_prefix(raw, 32)?)?;
                let key = VerifyingKey::new(self.signing.public_key(), IDENTITY)?;
                return Ok(key.verify(&message, &signature)?);
            }
            (Scheme::Sm2, _) => {
                let ciphertext = Ciphertext::from_bytes(CiphertextForm::C1C3C2, raw)?;
                self.signer.private_key().decrypt(&ciphertext)?
            }
            (Scheme::Sm9, _) => {
                let ciphertext =
                    sm9::Ciphertext::from_bytes(Mode::Stream, &without_prefix(raw, 0)?)?;
                self.encryption.extract(IDENTITY)?.decrypt(&ciphertext)?
            }
            (Scheme::Sm4, _) => anyhow::bail!("what SM4 gives is compared, not accepted"),
        };
        ensure!(*opened == message, "Kuaimi decrypts it to another message");
        Ok(())
    }

    /// Checks one operation of a peer, with the results that others made; gives its own result,
    /// raw, where it makes one for others.
    fn check(
        &self,
        peer: &mut Peer,
        hello: &Hello,
        operation: &Operation,
        others: &[Made],
    ) -> Result<Option<Vec<u8>>> {
        self.prepare(peer, hello, operation)?;
        let scheme = scheme(operation);
        match operation.name {
            "sm2-sign" | "sm9-sign" | "sm2-encrypt" | "sm9-encrypt" => {
                let what = if operation.name.ends_with("sign") {
                    "signature"
                } else {
                    "ciphertext"
                };
                let raw = to_raw(scheme, what, &peer.make(operation.name)?, hello)?;
                self.accept(scheme, what, &raw, operation.message)
                    .with_context(|| format!("Kuaimi refuses the {what}"))?;
                return Ok((operation.message <= SHORT).then_some(raw));
            }
            "sm2-verify" | "sm9-verify" | "sm2-decrypt" | "sm9-decrypt" | "sm4-gcm-open" => {
                self.check_reading(peer, hello, operation, others)?;
            }
            "sm9-extract" => {
                let ours = self.signing.extract(IDENTITY)?;
                same_key(&peer.make(operation.name)?, &*ours.to_bytes())?;
            }
            "sm9-extract-encryption" => {
                let ours = self.encryption.extract(IDENTITY)?;
                same_key(&peer.make(operation.name)?, &*ours.to_bytes())?;
            }
            "sm9-encapsulate" => {
                let made = peer.make(operation.name)?;
                let (point, key) = made
                    .split_at_checked(65)
                    .context("the point and the key are too short")?;
                ensure!(
                    self.decapsulate(point)? == key,
                    "Kuaimi gets another key from the point"
                );
            }
            "sm9-decapsulate" | "sm9-pairing" => {
                let point = self.make(scheme, "encapsulated", operation.message)?;
                peer.set("encapsulated", &point)?;
                ensure!(
                    peer.make(operation.name)? == self.decapsulate(&point)?,
                    "the key is not Kuaimi's"
                );
            }
            "sm2-exchange" | "sm2-exchange-confirmed" | "sm9-exchange" => ensure!(
                peer.make(operation.name)? == [1],
                "the two sides have different keys"
            ),
            "sm2-keygen" => drop(peer.make(operation.name)?),
            // What is timed gives nothing back: the product itself is checked.
            "integers-thousand-products" => {
                let [a, b] = FACTORS;
                let [low, high] = product(&a, &b).map(|half| U256(half).to_be_bytes());
                ensure!(
                    peer.make("integers-product")? == [high, low].concat(),
                    "the product is wrong"
                );
            }
            _ => ensure!(
                peer.make(operation.name)? == symmetric(operation)?,
                "the result is not Kuaimi's"
            ),
        }
        Ok(None)
    }

    /// The key of a point that was encapsulated.
    fn decapsulate(&self, point: &[u8]) -> Result<Vec<u8>> {
        let point = G1Point::from_slice(point)?;
        let key = self.encryption.extract(IDENTITY)?;
        Ok(key.decapsulate(&point, KEY_LENGTH)?.to_vec())
    }

    /// Results of Kuaimi and of the others must be accepted, altered ones must not.
    fn check_reading(
        &self,
        peer: &mut Peer,
        hello: &Hello,
        operation: &Operation,
        others: &[Made],
    ) -> Result<()> {
        let (scheme, name) = given(operation).context("nothing is given to this operation")?;
        let message = vec![FILLING; operation.message];
        let wanted = if name == "signature" {
            vec![1]
        } else {
            message
        };
        let ours = Made {
            library: "Kuaimi",
            maker: maker(operation),
            message: operation.message,
            raw: self.make(scheme, name, operation.message)?,
        };
        let same = |made: &&Made| made.maker == ours.maker && made.message == operation.message;
        for made in others.iter().filter(same).chain([&ours]) {
            peer.set(name, &to_form(scheme, name, &made.raw, hello)?)?;
            let result = peer
                .make(operation.name)
                .with_context(|| format!("with a {name} of {}", made.library))?;
            ensure!(result == wanted, "a {name} of {} is refused", made.library);
        }
        if operation.message > SHORT {
            return self.prepare(peer, hello, operation);
        }
        let mut altered = ours.raw;
        // Of a signature the first number's last byte, of a ciphertext the message's: both leave
        // its form as it is.
        let place = if name == "signature" {
            31
        } else {
            altered.len() - 1
        };
        altered[place] ^= 1;
        peer.set(name, &to_form(scheme, name, &altered, hello)?)?;
        ensure!(
            peer.make(operation.name)
                .map_or(true, |result| result != wanted),
            "an altered {name} is accepted"
        );
        // What is timed is Kuaimi's.
        self.prepare(peer, hello, operation)
    }
}

/// A peer's result, for the others.
struct Made {
    library: &'static str,
    maker: &'static str,
    message: usize,
    raw: Vec<u8>,
}

/// Checks all operations of all libraries. What fails is noted with the library.
pub(super) fn all(
    keys: &Keys,
    libraries: &mut [Library],
    operations: &[&'static Operation],
    step: &mut dyn FnMut(&str),
) {
    let mut made = Vec::new();
    // First what makes results, then what reads them.
    let (makers, readers): (Vec<&Operation>, Vec<&Operation>) = operations
        .iter()
        .partition(|operation| given(operation).is_none());
    for operation in makers.into_iter().chain(readers) {
        for library in libraries.iter_mut() {
            step(&format!("{}: {}", library.name, operation.name));
            let Some(Running { hello, peers }) = library.running(operation) else {
                continue;
            };
            let Some(peer) = peers.first_mut() else {
                continue;
            };
            match keys.check(peer, hello, operation, &made) {
                Ok(Some(raw)) => made.push(Made {
                    library: library.name,
                    maker: operation.name,
                    message: operation.message,
                    raw,
                }),
                Ok(None) => {}
                Err(error) => library.fail(operation, &error),
            }
        }
    }
}

fn scheme(operation: &Operation) -> Scheme {
    match operation.section {
        "sm9" => Scheme::Sm9,
        "sm4" => Scheme::Sm4,
        _ => Scheme::Sm2,
    }
}

/// What an operation reads that another one made.
fn given(operation: &Operation) -> Option<(Scheme, &'static str)> {
    match operation.name {
        "sm2-verify" | "sm9-verify" => Some((scheme(operation), "signature")),
        "sm2-decrypt" | "sm9-decrypt" | "sm4-gcm-open" => Some((scheme(operation), "ciphertext")),
        "sm9-decapsulate" | "sm9-pairing" => Some((scheme(operation), "encapsulated")),
        _ => None,
    }
}

/// The operation whose results this one reads.
fn maker(operation: &Operation) -> &'static str {
    match operation.name {
        "sm2-verify" => "sm2-sign",
        "sm9-verify" => "sm9-sign",
        "sm2-decrypt" => "sm2-encrypt",
        "sm4-gcm-open" => "sm4-gcm",
        _ => "sm9-encrypt",
    }
}

/// What SM3 and SM4 must give.
fn symmetric(operation: &Operation) -> Result<Vec<u8>> {
    let mut data = vec![FILLING; operation.message];
    match operation.name {
        "sm3" => return Ok(sm3::digest(&data).to_vec()),
        "sm4-cbc" => Sm4Cbc::new(&KEY).encrypt(&IV, &mut data)?,
        "sm4-cbc-decrypt" => Sm4Cbc::new(&KEY).decrypt(&IV, &mut data)?,
        "sm4-ctr" => Sm4Ctr::new(&KEY, &IV).apply(&mut data),
        "sm4-ecb" => Sm4::new(&KEY).encrypt_ecb(&mut data)?,
        "sm4-xts" => xts()?.encrypt(&IV, &mut data)?,
        "sm4-xts-decrypt" => xts()?.decrypt(&IV, &mut data)?,
        _ => return sealed(data),
    }
    Ok(data)
}

/// The two keys of XTS are the key and the initialization vector.
fn xts() -> Result<Sm4Xts> {
    let mut keys = [0; 32];
    keys[..16].copy_from_slice(&KEY);
    keys[16..].copy_from_slice(&IV);
    Ok(Sm4Xts::new(&keys, XtsStandard::Ieee)?)
}

/// A ciphertext of GCM and its tag.
fn sealed(mut data: Vec<u8>) -> Result<Vec<u8>> {
    let [nonce @ .., _, _, _, _] = &IV;
    let tag = Sm4Gcm::new(&KEY).seal_in_place(nonce, &[], &mut data)?;
    data.extend_from_slice(tag.as_ref());
    Ok(data)
}

/// Some libraries keep a user key to themselves, and show by using it that it is right.
fn same_key(theirs: &[u8], ours: &[u8]) -> Result<()> {
    ensure!(
        theirs == [1] || theirs.ends_with(ours),
        "the key is not the standard's"
    );
    Ok(())
}

/// A result of a peer's in the raw form, in which points begin with 04.
fn to_raw(scheme: Scheme, what: &str, bytes: &[u8], hello: &Hello) -> Result<Vec<u8>> {
    Ok(match (scheme, what) {
        (Scheme::Sm2, "signature") if hello.signature == "der" => {
            Signature::from_der(bytes)?.to_bytes().to_vec()
        }
        (Scheme::Sm9, "signature") if hello.signature == "der" => {
            with_prefix(&sm9::Signature::from_der(bytes)?.to_bytes(), 32)
        }
        (Scheme::Sm2, "ciphertext") => {
            Ciphertext::from_bytes(form(hello), bytes)?.to_bytes(CiphertextForm::C1C3C2)
        }
        (Scheme::Sm9, "ciphertext") if hello.ciphertext == "der" => {
            with_prefix(&sm9::Ciphertext::from_der(bytes)?.to_bytes(), 0)
        }
        _ => bytes.to_vec(),
    })
}

/// A raw result in the form that a peer reads.
fn to_form(scheme: Scheme, what: &str, raw: &[u8], hello: &Hello) -> Result<Vec<u8>> {
    Ok(match (scheme, what) {
        (Scheme::Sm2, "signature") if hello.signature == "der" => {
            Signature::from_slice(raw)?.to_der().as_bytes().to_vec()
        }
        (Scheme::Sm9, "signature") if hello.signature == "der" => {
            sm9::Signature::from_slice(&without_prefix(raw, 32)?)?.to_der()
        }
        (Scheme::Sm2, "ciphertext") => {
            Ciphertext::from_bytes(CiphertextForm::C1C3C2, raw)?.to_bytes(form(hello))
        }
        (Scheme::Sm9, "ciphertext") if hello.ciphertext == "der" => {
            sm9::Ciphertext::from_bytes(Mode::Stream, &without_prefix(raw, 0)?)?.to_der()
        }
        _ => raw.to_vec(),
    })
}

fn form(hello: &Hello) -> CiphertextForm {
    match hello.ciphertext.as_str() {
        "der" => CiphertextForm::Der,
        "c1c2c3" => CiphertextForm::C1C2C3,
        _ => CiphertextForm::C1C3C2,
    }
}

/// Bytes with a 04 before the point that begins at this place.
fn with_prefix(bytes: &[u8], place: usize) -> Vec<u8> {
    let (before, point) = bytes.split_at(place.min(bytes.len()));
    [before, &[4], point].concat()
}

/// Bytes without the 04 at this place.
fn without_prefix(bytes: &[u8], place: usize) -> Result<Vec<u8>> {
    ensure!(
        bytes.get(place) == Some(&4),
        "a point does not begin with 04"
    );
    Ok([&bytes[..place], &bytes[place + 1..]].concat())
}

#[cfg(test)]
mod tests {
    use super::{Keys, Scheme, to_form, to_raw, with_prefix, without_prefix};
    use crate::libraries::protocol::Hello;

    fn hello(signature: &str, ciphertext: &str) -> Hello {
        Hello {
            version: String::new(),
            signature: signature.to_owned(),
            ciphertext: ciphertext.to_owned(),
            operations: Vec::new(),
        }
    }

    /// Every form comes back, and is accepted; one byte changed is not.
    #[test]
    fn forms_come_back() {
        let keys = Keys::new().unwrap();
        for scheme in [Scheme::Sm2, Scheme::Sm9] {
            for what in ["signature", "ciphertext"] {
                let raw = keys.make(scheme, what, 32).unwrap();
                for form in ["der", "c1c3c2", "c1c2c3"] {
                    if matches!(scheme, Scheme::Sm9) && form == "c1c2c3" {
                        continue;
                    }
                    let signature = if form == "der" { "der" } else { "raw" };
                    let hello = hello(signature, form);
                    let theirs = to_form(scheme, what, &raw, &hello).unwrap();
                    assert_eq!(
                        theirs == raw,
                        form == "c1c3c2" || (what == "signature" && signature == "raw")
                    );
                    assert_eq!(to_raw(scheme, what, &theirs, &hello).unwrap(), raw);
                }
                keys.accept(scheme, what, &raw, 32).unwrap();
                assert!(keys.accept(scheme, what, &raw, 31).is_err());
                let mut altered = raw.clone();
                altered[31] ^= 1;
                assert!(keys.accept(scheme, what, &altered, 32).is_err());
            }
        }
    }

    #[test]
    fn prefixes() {
        assert_eq!(with_prefix(&[1, 2], 1), [1, 4, 2]);
        assert_eq!(without_prefix(&[1, 4, 2], 1).unwrap(), [1, 2]);
        assert!(without_prefix(&[1, 2], 1).is_err() && without_prefix(&[], 0).is_err());
    }
}
