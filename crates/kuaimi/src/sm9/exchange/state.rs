//! The stored state of a key exchange that waits for its peer. It is for two people who exchange
//! messages over hours, each with a program that ends in between.
//!
//! Both states are frames of [`crate::stored`]. These are the bodies; numbers have the most
//! significant byte first, and the length of each identity, in 8 bytes, comes before it:
//!
//! | header | body |
//! | --- | --- |
//! | `KM9-xin2`, initiator | a digest of the own key (32 bytes), own `hid` (1), own identity, peer's `hid` (1), peer's identity, r_A (32) |
//! | `KM9-xre2`, responder | the key's length (8), ID_A, ID_B, R_A, R_B (64 each), g1, g2, g3 (384 each) |
//!
//! The tag has no key, so it detects accidents only. It does not protect against someone who can
//! write the state: keep the state where only its owner can write.

use alloc::boxed::Box;
use alloc::vec::Vec;

use subtle::ConstantTimeEq;
use zeroize::Zeroizing;

use super::{Ephemeral, Initiator, Party, Peer, Response, Shared};
use crate::sm3::Sm3;
use crate::sm9::scalar::is_nonzero_scalar;
use crate::sm9::{Error, ExchangeKey, G1Point, Identity};
use crate::stored::{self, MAX_KEPT_KEY_LEN, NO_KEY, Reader, length_of};
use kuaimi_math::arith::U256;
use kuaimi_platform::declassify;

const INITIATOR: &[u8; 8] = b"KM9-xin2";
const RESPONDER: &[u8; 8] = b"KM9-xre2";

impl Initiator {
    /// The state of this exchange, from which [`from_bytes`](Self::from_bytes) continues. The own
    /// key is not in it.
    ///
    /// **The state is secret, and for one use.** Anyone who reads it, and has the own key and the
    /// peer's message, can compute the shared key. Two exchanges that continue from copies of one
    /// state use one ephemeral key twice. Delete the state after use.
    ///
    /// ```
    /// # #[cfg(feature = "std")] {
    /// # use kuaimi::sm9::{MasterEncryptionKey, exchange::{Initiator, Party, Peer, Responder}};
    /// # let master = MasterEncryptionKey::from_bytes(&[7; 32])?;
    /// # let (alice, bob) = (master.extract_exchange("alice")?, master.extract_exchange("bob")?);
    /// let (initiator, r_a) = Initiator::start(Party::new(&alice), Peer::new("bob")?)?;
    /// let state = initiator.to_bytes();
    /// // Later, in another process:
    /// # let response = Responder::new(Party::new(&bob), Peer::new("alice")?).respond(&r_a, 16)?;
    /// # let (r_b, s_b) = (*response.point(), response.confirmation());
    /// let initiator = Initiator::from_bytes(&state, &alice)?;
    /// let (key, s_a) = initiator.finish(&r_b, &s_b, 16)?;
    /// # assert_eq!(key, response.confirm(&s_a)?);
    /// # }
    /// # Ok::<(), kuaimi::sm9::Error>(())
    /// ```
    pub fn to_bytes(&self) -> Zeroizing<Vec<u8>> {
        let r = Zeroizing::new(self.ephemeral.r.to_be_bytes());
        let own = self.party.key();
        stored::write(
            INITIATOR,
            &[
                &*key_digest(self.party.key()),
                &[own.hid()],
                &length_of(own.identity().id()),
                own.identity().id(),
                &[self.peer.hid()],
                &length_of(self.peer.identity().id()),
                self.peer.identity().id(),
                r.as_ref(),
            ],
            NO_KEY,
        )
    }

    /// The identity, with its `hid`, of the side whose state this is: a program that reads the
    /// state needs it to read the key.
    ///
    /// # Errors
    /// [`Error::ExchangeState`] for bytes that are not the state of an initiator, or that were
    /// altered.
    ///
    /// ```
    /// # #[cfg(feature = "std")] {
    /// # use kuaimi::sm9::{MasterEncryptionKey, exchange::{Initiator, Party, Peer}};
    /// # let alice = MasterEncryptionKey::from_bytes(&[7; 32])?.extract_exchange("alice")?;
    /// let state = Initiator::start(Party::new(&alice), Peer::new("bob")?)?.0.to_bytes();
    /// assert_eq!(Initiator::identity_in(&state)?, alice.identity());
    /// # }
    /// # Ok::<(), kuaimi::sm9::Error>(())
    /// ```
    pub fn identity_in(state: &[u8]) -> Result<Identity<'_>, Error> {
        let mut body = Body::read(INITIATOR, state)?;
        body.take::<32>()?;
        body.identity()
    }

    /// The initiator that [`to_bytes`](Self::to_bytes) stored. `key` is the key with which the
    /// exchange started.
    ///
    /// # Errors
    /// [`Error::ExchangeState`] for bytes that are not the state of an initiator, or that were
    /// altered; [`Error::ExchangeKey`] when the exchange was started with another key.
    ///
    /// ```
    /// # #[cfg(feature = "std")] {
    /// # use kuaimi::sm9::{MasterEncryptionKey, exchange::{Initiator, Party, Peer}};
    /// # let alice = MasterEncryptionKey::from_bytes(&[7; 32])?.extract_exchange("alice")?;
    /// let state = Initiator::start(Party::new(&alice), Peer::new("bob")?)?.0.to_bytes();
    /// let initiator = Initiator::from_bytes(&state, &alice)?;
    /// # }
    /// # Ok::<(), kuaimi::sm9::Error>(())
    /// ```
    pub fn from_bytes(state: &[u8], key: &ExchangeKey) -> Result<Self, Error> {
        let mut body = Body::read(INITIATOR, state)?;
        let digest = body.take::<32>()?;
        let own = body.identity()?;
        let peer = body.identity()?;
        let r = Zeroizing::new(U256::from_be_bytes(body.take::<32>()?));
        body.end()?;
        if !is_nonzero_scalar(&r) {
            return Err(Error::ExchangeState);
        }
        // The error tells whether it is.
        let same_key = declassify(key_digest(key).as_slice().ct_eq(digest));
        if !same_key || own != key.identity() {
            return Err(Error::ExchangeKey);
        }
        let party = Party::new(key);
        let peer = Peer::new(peer)
            .map_err(|_| Error::ExchangeState)?
            .key(&party);
        let ephemeral = Ephemeral::new(r, &peer).map_err(|_| Error::ExchangeState)?;
        let ephemeral = Box::new(ephemeral);
        Ok(Self {
            party,
            peer,
            ephemeral,
        })
    }
}

impl Response {
    /// The state of this exchange, from which [`from_bytes`](Self::from_bytes) continues if the
    /// shared key has at most 16 MiB.
    ///
    /// **The state is secret, and for one use**: anyone who reads it can compute the shared key.
    /// Delete it after use.
    ///
    /// ```
    /// # #[cfg(feature = "std")] {
    /// # use kuaimi::sm9::{MasterEncryptionKey, exchange::{Initiator, Party, Peer, Responder, Response}};
    /// # let master = MasterEncryptionKey::from_bytes(&[7; 32])?;
    /// # let (alice, bob) = (master.extract_exchange("alice")?, master.extract_exchange("bob")?);
    /// # let (initiator, r_a) = Initiator::start(Party::new(&alice), Peer::new("bob")?)?;
    /// let response = Responder::new(Party::new(&bob), Peer::new("alice")?).respond(&r_a, 16)?;
    /// let state = response.to_bytes();
    /// // Later, in another process:
    /// let response = Response::from_bytes(&state)?;
    /// # }
    /// # Ok::<(), kuaimi::sm9::Error>(())
    /// ```
    pub fn to_bytes(&self) -> Zeroizing<Vec<u8>> {
        let shared = &self.shared;
        let [g1, g2, g3] = &shared.g;
        stored::write(
            RESPONDER,
            &[
                &(self.key.len() as u64).to_be_bytes(),
                &length_of(&shared.id_a),
                &shared.id_a,
                &length_of(&shared.id_b),
                &shared.id_b,
                &shared.r_a.to_bytes(),
                &shared.r_b.to_bytes(),
                g1.as_ref(),
                g2.as_ref(),
                g3.as_ref(),
            ],
            NO_KEY,
        )
    }

    /// The responder that [`to_bytes`](Self::to_bytes) stored.
    ///
    /// # Errors
    /// [`Error::ExchangeState`] for bytes that are not the state of a responder, or that were
    /// altered; and for a shared key over 16 MiB.
    ///
    /// ```
    /// use kuaimi::sm9::{Error, exchange::Response};
    ///
    /// assert_eq!(Response::from_bytes(b"something else").err(), Some(Error::ExchangeState));
    /// ```
    pub fn from_bytes(state: &[u8]) -> Result<Self, Error> {
        let mut body = Body::read(RESPONDER, state)?;
        let length = u64::from_be_bytes(*body.take()?);
        let (id_a, id_b) = (body.part()?, body.part()?);
        let (r_a, r_b) = (body.point()?, body.point()?);
        let g = [body.gt()?, body.gt()?, body.gt()?];
        body.end()?;
        let shared = Box::new(Shared {
            g,
            id_a: id_a.into(),
            id_b: id_b.into(),
            r_a,
            r_b,
        });
        let length = usize::try_from(length)
            .ok()
            .filter(|length| *length <= MAX_KEPT_KEY_LEN)
            .ok_or(Error::ExchangeState)?;
        let key = shared.key(length).map_err(|_| Error::ExchangeState)?;
        Ok(Self { shared, key })
    }
}

/// Identifies a key, and tells nothing of it.
fn key_digest(key: &ExchangeKey) -> Zeroizing<[u8; 32]> {
    let mut hash = Sm3::new();
    hash.update(b"Kuaimi SM9 exchange state");
    hash.update(&key.master_public_key().to_bytes());
    hash.update(key.to_bytes().as_ref());
    Zeroizing::new(hash.finalize())
}

/// What is left of a body, with this module's error.
struct Body<'a>(Reader<'a>);

impl<'a> Body<'a> {
    fn read(header: &[u8; 8], state: &'a [u8]) -> Result<Self, Error> {
        let body = stored::read(header, state, NO_KEY);
        Ok(Self(body.map_err(|_| Error::ExchangeState)?))
    }

    fn take<const N: usize>(&mut self) -> Result<&'a [u8; N], Error> {
        self.0.take().map_err(|_| Error::ExchangeState)
    }

    fn part(&mut self) -> Result<&'a [u8], Error> {
        self.0.part().map_err(|_| Error::ExchangeState)
    }

    /// An identity behind its `hid`.
    fn identity(&mut self) -> Result<Identity<'a>, Error> {
        let [hid] = *self.take::<1>()?;
        Ok(Identity::new(self.part()?).with_hid(hid))
    }

    fn point(&mut self) -> Result<G1Point, Error> {
        G1Point::from_bytes(self.take()?).map_err(|_| Error::ExchangeState)
    }

    fn gt(&mut self) -> Result<Zeroizing<[u8; 384]>, Error> {
        Ok(Zeroizing::new(*self.take()?))
    }

    fn end(&self) -> Result<(), Error> {
        self.0.end().map_err(|_| Error::ExchangeState)
    }
}
