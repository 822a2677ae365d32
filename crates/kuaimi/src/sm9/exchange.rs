//! Key exchange (GB/T 38635.2-2020, clause 7.2): two users under one master key, who know each
//! other's identities, agree on a key. The initiator is the standard's user A, the responder its
//! user B.
//!
//! ```text
//! A: Initiator::start ── R_A ──────▶  B: Responder::new, respond
//!    finish          ◀── R_B, S_B ──     (S_B only if the key is confirmed)
//!    key             ── S_A ──────▶     confirm → key
//! ```
//!
//! Each step consumes the value of the step before. So no ephemeral key is used twice, and no step
//! comes out of order. With confirmation, a side gets the key only after it has seen that the other
//! side has the same key. Without confirmation ([`Initiator::finish_unconfirmed`],
//! [`Response::key_unconfirmed`]), a wrong peer is noticed only when the keys differ in use. If a
//! process ends between two steps, [`Initiator::to_bytes`] and [`Response::to_bytes`] store what
//! the next step needs.
//!
//! The users' keys are [`ExchangeKey`]s, from
//! [`MasterEncryptionKey::extract_exchange`](super::MasterEncryptionKey::extract_exchange). The
//! standard derives the shared key from the two identities written one after the other without
//! their lengths; the two points tell them apart.
//!
//! ```
//! # #[cfg(feature = "std")] {
//! use kuaimi::sm9::{MasterEncryptionKey, exchange::{Initiator, Party, Peer, Responder}};
//!
//! let master = MasterEncryptionKey::generate()?;
//! let alice = master.extract_exchange("alice")?;
//! let bob = master.extract_exchange("bob")?;
//!
//! // A sends r_a.
//! let (initiator, r_a) = Initiator::start(Party::new(&alice), Peer::new("bob")?)?;
//! // B sends r_b and s_b.
//! let response = Responder::new(Party::new(&bob), Peer::new("alice")?).respond(&r_a, 16)?;
//! let (r_b, s_b) = (*response.point(), response.confirmation());
//! // A has the key, and sends s_a.
//! let (key_a, s_a) = initiator.finish(&r_b, &s_b, 16)?;
//! // B has the key.
//! let key_b = response.confirm(&s_a)?;
//! assert_eq!(key_a, key_b);
//! # }
//! # Ok::<(), kuaimi::sm9::Error>(())
//! ```

mod state;

use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;

use kuaimi_math::arith::U256;
use kuaimi_math::sm9::group::{self, Gt};
use kuaimi_platform::declassify;
use rand_core::TryCryptoRng;
use subtle::ConstantTimeEq;
use zeroize::{ZeroizeOnDrop, Zeroizing};

use super::encapsulate::check_length;
use super::identity::KeyIdentity;
use super::scalar::random_scalar;
use super::{
    EncryptionKey, Error, ExchangeKey, G1Point, HID_EXCHANGE, Identity, MasterEncryptionPublicKey,
};
use crate::memory::zeroed;
use crate::sm3::{Kdf, Sm3};
use crate::stack::{PAIRING_WORDS, POINT_WORDS, wiped_after};

/// The own side of a key exchange: an [`ExchangeKey`], which knows its identity.
///
/// ```
/// # use kuaimi::sm9::{MasterEncryptionKey, exchange::Party};
/// # let alice = MasterEncryptionKey::from_bytes(&[7; 32])?.extract_exchange("alice")?;
/// let party = Party::new(&alice);
/// # Ok::<(), kuaimi::sm9::Error>(())
/// ```
#[derive(Clone)]
pub struct Party(ExchangeKey);

impl Party {
    /// The side of the holder of `key`.
    pub fn new(key: &ExchangeKey) -> Self {
        Self(key.clone())
    }

    fn key(&self) -> &ExchangeKey {
        &self.0
    }

    fn id(&self) -> Arc<[u8]> {
        self.0.0.id().into()
    }

    fn master(&self) -> &MasterEncryptionPublicKey {
        self.0.master_public_key()
    }

    /// `e(Ppub-e, P2)^r`.
    fn g_power(&self, r: &U256) -> Zeroizing<Gt> {
        self.master().g_power(self.master().used_g_table(), r)
    }

    /// `e(R, de)`.
    fn pair(&self, point: &G1Point) -> Zeroizing<Gt> {
        self.0.0.pair(point)
    }
}

/// The other side of a key exchange: its identity, with [`HID_EXCHANGE`] unless it names another
/// `hid`.
///
/// The peer has a key under the same master key. A name is enough: the exchange proves that the
/// other side has the key of this identity.
///
/// ```
/// use kuaimi::sm9::{Error, exchange::Peer};
///
/// let peer = Peer::new("bob")?;
/// assert_eq!(Peer::new("").err(), Some(Error::EmptyIdentity));
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Peer(KeyIdentity);

impl Peer {
    /// The peer with this identity.
    ///
    /// # Errors
    /// [`Error::EmptyIdentity`].
    pub fn new<'a>(identity: impl Into<Identity<'a>>) -> Result<Self, Error> {
        KeyIdentity::new(identity.into(), HID_EXCHANGE).map(Self)
    }

    /// `Q = [H1(ID ‖ hid)]P1 + Ppub-e` of the peer (step A1, B1), under the master key of `party`.
    fn key(self, party: &Party) -> EncryptionKey {
        EncryptionKey::from_parts(self.0, party.master().clone())
    }
}

/// The initiator A, which waits for the responder's point. Wiped when dropped.
///
/// ```
/// # #[cfg(feature = "std")] {
/// # use kuaimi::sm9::{MasterEncryptionKey, exchange::{Initiator, Party, Peer}};
/// # let alice = MasterEncryptionKey::from_bytes(&[7; 32])?.extract_exchange("alice")?;
/// let (initiator, r_a) = Initiator::start(Party::new(&alice), Peer::new("bob")?)?;
/// # }
/// # Ok::<(), kuaimi::sm9::Error>(())
/// ```
pub struct Initiator {
    party: Party,
    peer: EncryptionKey,
    // In the heap, as is what a response holds: these values are moved from step to step, and a
    // move leaves a copy that nobody wipes.
    ephemeral: Box<Ephemeral>,
}

impl Initiator {
    /// Steps A1 to A4: draws an ephemeral key with the operating system's random generator. Send
    /// the point to the responder, `peer`.
    ///
    /// # Errors
    /// [`Error::UnusableMasterKey`]; [`Error::Random`] if the generator fails.
    ///
    /// ```
    /// # use kuaimi::sm9::{MasterEncryptionKey, exchange::{Initiator, Party, Peer}};
    /// # let alice = MasterEncryptionKey::from_bytes(&[7; 32])?.extract_exchange("alice")?;
    /// let (initiator, r_a) = Initiator::start(Party::new(&alice), Peer::new("bob")?)?;
    /// # Ok::<(), kuaimi::sm9::Error>(())
    /// ```
    #[cfg(feature = "getrandom")]
    pub fn start(party: Party, peer: Peer) -> Result<(Self, G1Point), Error> {
        Self::start_with_rng(&mut getrandom::SysRng, party, peer)
    }

    /// As [`start`](Self::start), with the ephemeral key from `rng`.
    ///
    /// # Errors
    /// As [`start`](Self::start).
    ///
    /// ```
    /// # use kuaimi::sm9::{MasterEncryptionKey, exchange::{Initiator, Party, Peer}};
    /// # let alice = MasterEncryptionKey::from_bytes(&[7; 32])?.extract_exchange("alice")?;
    /// let (initiator, r_a) = Initiator::start_with_rng(&mut getrandom::SysRng, Party::new(&alice), Peer::new("bob")?)?;
    /// # Ok::<(), kuaimi::sm9::Error>(())
    /// ```
    pub fn start_with_rng<R: TryCryptoRng + ?Sized>(
        rng: &mut R,
        party: Party,
        peer: Peer,
    ) -> Result<(Self, G1Point), Error> {
        Self::start_as(party, peer, || random_scalar(rng))
    }

    /// As [`start`](Self::start), with the caller's ephemeral key `r`, 32 bytes, most significant
    /// first.
    ///
    /// **Dangerous**: for test vectors only. An ephemeral key that is known or used twice reveals
    /// the shared key.
    ///
    /// # Errors
    /// As [`start`](Self::start), and [`Error::Nonce`] unless `r` is in `[1, N − 1]`.
    ///
    /// ```
    /// # use kuaimi::sm9::{MasterEncryptionKey, exchange::{Initiator, Party, Peer}};
    /// # let alice = MasterEncryptionKey::from_bytes(&[7; 32])?.extract_exchange("alice")?;
    /// let (initiator, r_a) = Initiator::start_with_nonce(Party::new(&alice), Peer::new("bob")?, &[7; 32])?;
    /// # Ok::<(), kuaimi::sm9::Error>(())
    /// ```
    #[cfg(feature = "hazmat")]
    pub fn start_with_nonce(
        party: Party,
        peer: Peer,
        r: &[u8; 32],
    ) -> Result<(Self, G1Point), Error> {
        Self::start_as(party, peer, || super::scalar::given(r))
    }

    fn start_as(
        party: Party,
        peer: Peer,
        draw: impl FnOnce() -> Result<Zeroizing<U256>, Error>,
    ) -> Result<(Self, G1Point), Error> {
        wiped_after::<PAIRING_WORDS, _>(|| {
            let r = draw()?;
            let peer = peer.key(&party);
            let ephemeral = Box::new(Ephemeral::new(r, &peer)?);
            let point = ephemeral.point;
            let initiator = Self {
                party,
                peer,
                ephemeral,
            };
            Ok((initiator, point))
        })
    }

    /// Steps A5 to A8: the shared key of `key_len` bytes, and the confirmation `S_A` to send to the
    /// responder. `r_b` and `s_b` are the responder's point and confirmation.
    ///
    /// # Errors
    /// [`Error::ConfirmationFailed`] when `s_b` does not prove that the responder has the same key,
    /// and [`Error::KeyLength`] for a length of zero or over [`MAX_KEY_LEN`](super::MAX_KEY_LEN).
    ///
    /// ```
    /// # #[cfg(feature = "std")] {
    /// # use kuaimi::sm9::{MasterEncryptionKey, exchange::{Initiator, Party, Peer, Responder}};
    /// # let master = MasterEncryptionKey::from_bytes(&[7; 32])?;
    /// # let (alice, bob) = (master.extract_exchange("alice")?, master.extract_exchange("bob")?);
    /// # let (initiator, r_a) = Initiator::start(Party::new(&alice), Peer::new("bob")?)?;
    /// # let response = Responder::new(Party::new(&bob), Peer::new("alice")?).respond(&r_a, 16)?;
    /// # let (r_b, s_b) = (*response.point(), response.confirmation());
    /// let (key, s_a) = initiator.finish(&r_b, &s_b, 16)?;
    /// # }
    /// # Ok::<(), kuaimi::sm9::Error>(())
    /// ```
    pub fn finish(
        self,
        r_b: &G1Point,
        s_b: &[u8; 32],
        key_len: usize,
    ) -> Result<(Zeroizing<Vec<u8>>, [u8; 32]), Error> {
        wiped_after::<PAIRING_WORDS, _>(|| {
            let shared = self.agree(r_b);
            let key = shared.key(key_len)?;
            // A6: S1 = SM3(82 ‖ g1 ‖ …) must be S_B. The error tells whether it is.
            if !declassify(shared.confirmation(0x82).ct_eq(s_b)) {
                return Err(Error::ConfirmationFailed);
            }
            // A8: S_A = SM3(83 ‖ g1 ‖ …)
            Ok((key, shared.confirmation(0x83)))
        })
    }

    /// Steps A5 to A7: the shared key of `key_len` bytes, unconfirmed.
    ///
    /// # Errors
    /// [`Error::KeyLength`] for a length of zero or over [`MAX_KEY_LEN`](super::MAX_KEY_LEN).
    ///
    /// ```
    /// # #[cfg(feature = "std")] {
    /// # use kuaimi::sm9::{MasterEncryptionKey, exchange::{Initiator, Party, Peer, Responder}};
    /// # let master = MasterEncryptionKey::from_bytes(&[7; 32])?;
    /// # let (alice, bob) = (master.extract_exchange("alice")?, master.extract_exchange("bob")?);
    /// # let (initiator, r_a) = Initiator::start(Party::new(&alice), Peer::new("bob")?)?;
    /// # let response = Responder::new(Party::new(&bob), Peer::new("alice")?).respond(&r_a, 16)?;
    /// let key = initiator.finish_unconfirmed(response.point(), 16)?;
    /// # }
    /// # Ok::<(), kuaimi::sm9::Error>(())
    /// ```
    pub fn finish_unconfirmed(
        self,
        r_b: &G1Point,
        key_len: usize,
    ) -> Result<Zeroizing<Vec<u8>>, Error> {
        wiped_after::<PAIRING_WORDS, _>(|| self.agree(r_b).key(key_len))
    }

    /// Step A5: `g1 = e(Ppub-e, P2)^rA`, `g2 = e(R_B, deA)`, `g3 = g2^rA`. A `G1Point` is in `G1`.
    fn agree(self, r_b: &G1Point) -> Shared {
        let g1 = self.party.g_power(&self.ephemeral.r);
        let g2 = self.party.pair(r_b);
        let g3 = Zeroizing::new(group::gt_pow(&g2, &self.ephemeral.r));
        Shared {
            g: [g1, g2, g3].map(|g| Zeroizing::new(group::gt_to_bytes(&g))),
            id_a: self.party.id(),
            id_b: self.peer.identity().id().into(),
            r_a: self.ephemeral.point,
            r_b: *r_b,
        }
    }
}

/// The responder B, which waits for the initiator's point.
///
/// ```
/// # use kuaimi::sm9::{MasterEncryptionKey, exchange::{Party, Peer, Responder}};
/// # let bob = MasterEncryptionKey::from_bytes(&[7; 32])?.extract_exchange("bob")?;
/// let responder = Responder::new(Party::new(&bob), Peer::new("alice")?);
/// # Ok::<(), kuaimi::sm9::Error>(())
/// ```
#[derive(Clone)]
pub struct Responder {
    party: Party,
    peer: EncryptionKey,
}

impl Responder {
    /// A responder to this peer.
    ///
    /// ```
    /// # use kuaimi::sm9::{MasterEncryptionKey, exchange::{Party, Peer, Responder}};
    /// # let bob = MasterEncryptionKey::from_bytes(&[7; 32])?.extract_exchange("bob")?;
    /// let responder = Responder::new(Party::new(&bob), Peer::new("alice")?);
    /// # Ok::<(), kuaimi::sm9::Error>(())
    /// ```
    pub fn new(party: Party, peer: Peer) -> Self {
        let peer = peer.key(&party);
        Self { party, peer }
    }

    /// Steps B1 to B7: draws an ephemeral key with the operating system's random generator and
    /// derives a shared key of `key_len` bytes. `r_a` is the initiator's point.
    ///
    /// # Errors
    /// [`Error::Random`] if the generator fails; [`Error::KeyLength`] for a length of zero or over
    /// [`MAX_KEY_LEN`](super::MAX_KEY_LEN); [`Error::UnusableMasterKey`].
    ///
    /// ```
    /// # use kuaimi::sm9::{MasterEncryptionKey, exchange::{Initiator, Party, Peer, Responder}};
    /// # let master = MasterEncryptionKey::from_bytes(&[7; 32])?;
    /// # let (alice, bob) = (master.extract_exchange("alice")?, master.extract_exchange("bob")?);
    /// # let (initiator, r_a) = Initiator::start(Party::new(&alice), Peer::new("bob")?)?;
    /// let response = Responder::new(Party::new(&bob), Peer::new("alice")?).respond(&r_a, 16)?;
    /// # Ok::<(), kuaimi::sm9::Error>(())
    /// ```
    #[cfg(feature = "getrandom")]
    pub fn respond(self, r_a: &G1Point, key_len: usize) -> Result<Response, Error> {
        self.respond_with_rng(&mut getrandom::SysRng, r_a, key_len)
    }

    /// As [`respond`](Self::respond), with the ephemeral key from `rng`.
    ///
    /// # Errors
    /// As [`respond`](Self::respond).
    ///
    /// ```
    /// # #[cfg(feature = "std")] {
    /// # use kuaimi::sm9::{MasterEncryptionKey, exchange::{Initiator, Party, Peer, Responder}};
    /// # let master = MasterEncryptionKey::from_bytes(&[7; 32])?;
    /// # let (alice, bob) = (master.extract_exchange("alice")?, master.extract_exchange("bob")?);
    /// # let (initiator, r_a) = Initiator::start(Party::new(&alice), Peer::new("bob")?)?;
    /// let responder = Responder::new(Party::new(&bob), Peer::new("alice")?);
    /// let response = responder.respond_with_rng(&mut getrandom::SysRng, &r_a, 16)?;
    /// # }
    /// # Ok::<(), kuaimi::sm9::Error>(())
    /// ```
    pub fn respond_with_rng<R: TryCryptoRng + ?Sized>(
        self,
        rng: &mut R,
        r_a: &G1Point,
        key_len: usize,
    ) -> Result<Response, Error> {
        wiped_after::<PAIRING_WORDS, _>(|| self.respond_as(random_scalar(rng)?, r_a, key_len))
    }

    /// As [`respond`](Self::respond), with the caller's ephemeral key `r`, 32 bytes, most
    /// significant first.
    ///
    /// **Dangerous**: for test vectors only. An ephemeral key that is known or used twice reveals
    /// the shared key.
    ///
    /// # Errors
    /// [`Error::Nonce`] unless `r` is in `[1, N − 1]`, and as [`respond`](Self::respond).
    ///
    /// ```
    /// # #[cfg(feature = "std")] {
    /// # use kuaimi::sm9::{MasterEncryptionKey, exchange::{Initiator, Party, Peer, Responder}};
    /// # let master = MasterEncryptionKey::from_bytes(&[7; 32])?;
    /// # let (alice, bob) = (master.extract_exchange("alice")?, master.extract_exchange("bob")?);
    /// # let (initiator, r_a) = Initiator::start(Party::new(&alice), Peer::new("bob")?)?;
    /// let response = Responder::new(Party::new(&bob), Peer::new("alice")?).respond_with_nonce(&r_a, 16, &[7; 32])?;
    /// # }
    /// # Ok::<(), kuaimi::sm9::Error>(())
    /// ```
    #[cfg(feature = "hazmat")]
    pub fn respond_with_nonce(
        self,
        r_a: &G1Point,
        key_len: usize,
        r: &[u8; 32],
    ) -> Result<Response, Error> {
        wiped_after::<PAIRING_WORDS, _>(|| self.respond_as(super::scalar::given(r)?, r_a, key_len))
    }

    /// Step B5: `g1 = e(R_A, deB)`, `g2 = e(Ppub-e, P2)^rB`, `g3 = g1^rB`. A `G1Point` is in `G1`.
    fn respond_as(
        self,
        r: Zeroizing<U256>,
        r_a: &G1Point,
        key_len: usize,
    ) -> Result<Response, Error> {
        check_length(key_len)?;
        let ephemeral = Ephemeral::new(r, &self.peer)?;
        let g1 = self.party.pair(r_a);
        let g2 = self.party.g_power(&ephemeral.r);
        let g3 = Zeroizing::new(group::gt_pow(&g1, &ephemeral.r));
        let shared = Box::new(Shared {
            g: [g1, g2, g3].map(|g| Zeroizing::new(group::gt_to_bytes(&g))),
            id_a: self.peer.identity().id().into(),
            id_b: self.party.id(),
            r_a: *r_a,
            r_b: ephemeral.point,
        });
        let key = shared.key(key_len)?;
        Ok(Response { shared, key })
    }
}

/// The answer of the responder B: send [`point`](Self::point), and also
/// [`confirmation`](Self::confirmation) if the key is confirmed. Wiped when dropped.
///
/// ```
/// # #[cfg(feature = "std")] {
/// # use kuaimi::sm9::{MasterEncryptionKey, exchange::{Initiator, Party, Peer, Responder}};
/// # let master = MasterEncryptionKey::from_bytes(&[7; 32])?;
/// # let (alice, bob) = (master.extract_exchange("alice")?, master.extract_exchange("bob")?);
/// # let (initiator, r_a) = Initiator::start(Party::new(&alice), Peer::new("bob")?)?;
/// let response = Responder::new(Party::new(&bob), Peer::new("alice")?).respond(&r_a, 16)?;
/// let to_send = (*response.point(), response.confirmation());
/// # }
/// # Ok::<(), kuaimi::sm9::Error>(())
/// ```
pub struct Response {
    shared: Box<Shared>,
    key: Zeroizing<Vec<u8>>,
}

impl Response {
    /// The point `R_B` to send to the initiator.
    ///
    /// ```
    /// # #[cfg(feature = "std")] {
    /// # use kuaimi::sm9::{MasterEncryptionKey, exchange::{Initiator, Party, Peer, Responder}};
    /// # let master = MasterEncryptionKey::from_bytes(&[7; 32])?;
    /// # let (alice, bob) = (master.extract_exchange("alice")?, master.extract_exchange("bob")?);
    /// # let (initiator, r_a) = Initiator::start(Party::new(&alice), Peer::new("bob")?)?;
    /// let response = Responder::new(Party::new(&bob), Peer::new("alice")?).respond(&r_a, 16)?;
    /// let to_send = response.point().to_sec1_bytes();
    /// # }
    /// # Ok::<(), kuaimi::sm9::Error>(())
    /// ```
    pub fn point(&self) -> &G1Point {
        &self.shared.r_b
    }

    /// Step B6: the confirmation `S_B` to send to the initiator, 32 bytes.
    ///
    /// ```
    /// # #[cfg(feature = "std")] {
    /// # use kuaimi::sm9::{MasterEncryptionKey, exchange::{Initiator, Party, Peer, Responder}};
    /// # let master = MasterEncryptionKey::from_bytes(&[7; 32])?;
    /// # let (alice, bob) = (master.extract_exchange("alice")?, master.extract_exchange("bob")?);
    /// # let (initiator, r_a) = Initiator::start(Party::new(&alice), Peer::new("bob")?)?;
    /// let response = Responder::new(Party::new(&bob), Peer::new("alice")?).respond(&r_a, 16)?;
    /// let to_send = response.confirmation();
    /// # }
    /// # Ok::<(), kuaimi::sm9::Error>(())
    /// ```
    pub fn confirmation(&self) -> [u8; 32] {
        wiped_after::<POINT_WORDS, _>(|| self.shared.confirmation(0x82))
    }

    /// Step B8: the shared key, once the initiator's confirmation `s_a` proves that it has the
    /// same.
    ///
    /// # Errors
    /// [`Error::ConfirmationFailed`] when it does not.
    ///
    /// ```
    /// # #[cfg(feature = "std")] {
    /// # use kuaimi::sm9::{MasterEncryptionKey, exchange::{Initiator, Party, Peer, Responder}};
    /// # let master = MasterEncryptionKey::from_bytes(&[7; 32])?;
    /// # let (alice, bob) = (master.extract_exchange("alice")?, master.extract_exchange("bob")?);
    /// # let (initiator, r_a) = Initiator::start(Party::new(&alice), Peer::new("bob")?)?;
    /// let response = Responder::new(Party::new(&bob), Peer::new("alice")?).respond(&r_a, 16)?;
    /// let (key, s_a) = initiator.finish(response.point(), &response.confirmation(), 16)?;
    /// assert_eq!(response.confirm(&s_a)?, key);
    /// # }
    /// # Ok::<(), kuaimi::sm9::Error>(())
    /// ```
    pub fn confirm(self, s_a: &[u8; 32]) -> Result<Zeroizing<Vec<u8>>, Error> {
        // The error tells whether it has.
        let expected = wiped_after::<POINT_WORDS, _>(|| self.shared.confirmation(0x83));
        if declassify(expected.ct_eq(s_a)) {
            Ok(self.key)
        } else {
            Err(Error::ConfirmationFailed)
        }
    }

    /// The shared key, unconfirmed.
    ///
    /// ```
    /// # #[cfg(feature = "std")] {
    /// # use kuaimi::sm9::{MasterEncryptionKey, exchange::{Initiator, Party, Peer, Responder}};
    /// # let master = MasterEncryptionKey::from_bytes(&[7; 32])?;
    /// # let (alice, bob) = (master.extract_exchange("alice")?, master.extract_exchange("bob")?);
    /// # let (initiator, r_a) = Initiator::start(Party::new(&alice), Peer::new("bob")?)?;
    /// let response = Responder::new(Party::new(&bob), Peer::new("alice")?).respond(&r_a, 16)?;
    /// let key = initiator.finish_unconfirmed(response.point(), 16)?;
    /// assert_eq!(response.key_unconfirmed(), key);
    /// # }
    /// # Ok::<(), kuaimi::sm9::Error>(())
    /// ```
    pub fn key_unconfirmed(self) -> Zeroizing<Vec<u8>> {
        self.key
    }
}

/// An ephemeral key pair `(r, R = [r]Q)`, with the peer's `Q`.
struct Ephemeral {
    r: Zeroizing<U256>,
    point: G1Point,
}

impl Ephemeral {
    fn new(r: Zeroizing<U256>, peer: &EncryptionKey) -> Result<Self, Error> {
        let point = G1Point(peer.multiple(peer.used_q_table(), &r)?);
        Ok(Self { r, point })
    }
}

/// What both sides know at the end.
struct Shared {
    /// `g1`, `g2`, `g3`, which are hashed and nothing else.
    g: [Zeroizing<[u8; 384]>; 3],
    id_a: Arc<[u8]>,
    id_b: Arc<[u8]>,
    r_a: G1Point,
    r_b: G1Point,
}

impl Shared {
    /// Absorbs `ID_A ‖ ID_B ‖ R_A ‖ R_B`.
    fn absorb_names(&self, hash: &mut Sm3) {
        hash.update(&self.id_a);
        hash.update(&self.id_b);
        hash.update(&self.r_a.to_bytes());
        hash.update(&self.r_b.to_bytes());
    }

    /// `SK = KDF(ID_A ‖ ID_B ‖ R_A ‖ R_B ‖ g1 ‖ g2 ‖ g3, klen)`.
    fn key(&self, length: usize) -> Result<Zeroizing<Vec<u8>>, Error> {
        check_length(length)?;
        let mut z = Sm3::new();
        self.absorb_names(&mut z);
        for g in &self.g {
            z.update(g.as_ref());
        }
        let mut key = zeroed(length).ok_or(Error::KeyLength)?;
        Kdf::from_prefix(&z)
            .fill(&mut key)
            .map_err(|_| Error::KeyLength)?;
        Ok(key)
    }

    /// `SM3(tag ‖ g1 ‖ SM3(g2 ‖ g3 ‖ ID_A ‖ ID_B ‖ R_A ‖ R_B))`.
    fn confirmation(&self, tag: u8) -> [u8; 32] {
        let [g1, g2, g3] = &self.g;
        let mut inner = Sm3::new();
        inner.update(g2.as_ref());
        inner.update(g3.as_ref());
        self.absorb_names(&mut inner);
        let mut outer = Sm3::new();
        outer.update(&[tag]);
        outer.update(g1.as_ref());
        outer.update(&inner.finalize());
        outer.finalize()
    }
}

macro_rules! opaque_debug {
    ($($type:ident),*) => {$(
        impl fmt::Debug for $type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(concat!(stringify!($type), "(..)"))
            }
        }
    )*};
}

opaque_debug!(Party, Initiator, Responder, Response);

// Their secrets are a user's key and Zeroizing values.
impl ZeroizeOnDrop for Initiator {}
impl ZeroizeOnDrop for Response {}
