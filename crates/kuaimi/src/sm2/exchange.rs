//! Key exchange (GB/T 32918.3-2016, clause 6.1): two parties that know each other's public keys and
//! identities agree on a key. The initiator is the standard's user A, the responder its user B.
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
//! All steps are constant time in the private keys, the ephemeral keys and the shared key.
//!
//! ```
//! # #[cfg(feature = "std")] {
//! use kuaimi::sm2::{DEFAULT_ID, PrivateKey, exchange::{Initiator, Party, Peer, Responder}};
//!
//! let (a, b) = (PrivateKey::generate()?, PrivateKey::generate()?);
//! let (a_public, b_public) = (*a.public_key(), *b.public_key());
//!
//! // A sends r_a.
//! let (initiator, r_a) = Initiator::start(Party::new(&a, b"alice")?, Peer::new(&b_public, b"bob")?)?;
//! // B sends r_b and s_b.
//! let responder = Responder::new(Party::new(&b, b"bob")?, Peer::new(&a_public, b"alice")?);
//! let response = responder.respond(&r_a, 16)?;
//! let (r_b, s_b) = (*response.point(), response.confirmation());
//! // A has the key, and sends s_a.
//! let (key_a, s_a) = initiator.finish(&r_b, &s_b, 16)?;
//! // B has the key.
//! let key_b = response.confirm(&s_a)?;
//! assert_eq!(key_a, key_b);
//! # }
//! # Ok::<(), kuaimi::sm2::Error>(())
//! ```

#[cfg(feature = "batch")]
pub(super) mod batch;
mod opening;
mod state;

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::fmt;

use rand_core::TryCryptoRng;
use subtle::ConstantTimeEq;
use zeroize::{ZeroizeOnDrop, Zeroizing};

use kuaimi_math::arith::U256;
use kuaimi_math::sm2::group::{self, scalar_add, scalar_mul};
use kuaimi_platform::declassify;

use super::identity::identity_digest;
use super::scalar::random_scalar;
use super::{Error, PrivateKey, PublicKey};
use crate::memory::zeroed;
use crate::sm3::{self, Kdf, Sm3};
use crate::stack::{POINT_WORDS, wiped_after};

pub use opening::Opening;

/// The own side of a key exchange: a private key, and the identity under which the peer knows it.
///
/// ```
/// use kuaimi::sm2::{Error, PrivateKey, exchange::Party};
///
/// let secret = PrivateKey::from_bytes(&[7; 32])?;
/// let party = Party::new(&secret, b"alice")?;
/// assert_eq!(Party::new(&secret, &[b'a'; 8192]).err(), Some(Error::IdTooLong(8192)));
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Party {
    secret: PrivateKey,
    z: [u8; 32],
}

impl Party {
    /// The side of the holder of `secret`, under the identity `id`.
    ///
    /// # Errors
    /// [`Error::IdTooLong`] for an identity over 8191 bytes.
    pub fn new(secret: &PrivateKey, id: &[u8]) -> Result<Self, Error> {
        Ok(Self {
            z: identity_digest(id, secret.public_key())?,
            secret: secret.clone(),
        })
    }
}

/// The other side of a key exchange: the public key of the peer, and its identity.
///
/// The caller must know that the key belongs to the peer, from a certificate for example: the
/// exchange proves only that the other side has the private key.
///
/// ```
/// use kuaimi::sm2::{PrivateKey, exchange::Peer};
///
/// let public = *PrivateKey::from_bytes(&[8; 32])?.public_key();
/// let peer = Peer::new(&public, b"bob")?;
/// # Ok::<(), kuaimi::sm2::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Peer {
    public: PublicKey,
    z: [u8; 32],
}

impl Peer {
    /// The peer with this public key and the identity `id`.
    ///
    /// # Errors
    /// [`Error::IdTooLong`] for an identity over 8191 bytes.
    pub fn new(public: &PublicKey, id: &[u8]) -> Result<Self, Error> {
        Ok(Self {
            z: identity_digest(id, public)?,
            public: *public,
        })
    }
}

/// The initiator A, which waits for the responder's point. Wiped when dropped.
///
/// ```
/// # #[cfg(feature = "getrandom")] {
/// use kuaimi::sm2::{PrivateKey, exchange::{Initiator, Party, Peer, Responder}};
///
/// let (a, b) = (PrivateKey::from_bytes(&[7; 32])?, PrivateKey::from_bytes(&[8; 32])?);
/// let (to_b, to_a) = (Peer::new(b.public_key(), b"bob")?, Peer::new(a.public_key(), b"alice")?);
/// let (initiator, r_a) = Initiator::start(Party::new(&a, b"alice")?, to_b)?;
/// // Send r_a; the responder answers with its point and its confirmation.
/// # let response = Responder::new(Party::new(&b, b"bob")?, to_a).respond(&r_a, 16)?;
/// let (key, s_a) = initiator.finish(response.point(), &response.confirmation(), 16)?;
/// // Send s_a.
/// # assert_eq!(response.confirm(&s_a)?, key);
/// # }
/// # Ok::<(), kuaimi::sm2::Error>(())
/// ```
pub struct Initiator {
    party: Party,
    peer: Peer,
    // In the heap, as is what a response holds: these values are moved from step to step, and a
    // move leaves a copy that nobody wipes.
    ephemeral: Box<Ephemeral>,
}

impl Initiator {
    /// Steps A1 to A3: draws an ephemeral key with the operating system's generator. Send the point
    /// to the responder.
    ///
    /// # Errors
    /// [`Error::Random`] if the generator fails.
    #[cfg(feature = "getrandom")]
    pub fn start(party: Party, peer: Peer) -> Result<(Self, PublicKey), Error> {
        Self::start_with_rng(&mut getrandom::SysRng, party, peer)
    }

    /// As [`start`](Self::start), with the ephemeral key from `rng`.
    ///
    /// ```
    /// # #[cfg(feature = "getrandom")] {
    /// # use kuaimi::sm2::{PrivateKey, exchange::{Initiator, Party, Peer, Responder}};
    /// #
    /// # let (a, b) = (PrivateKey::from_bytes(&[7; 32])?, PrivateKey::from_bytes(&[8; 32])?);
    /// # let (to_b, to_a) = (Peer::new(b.public_key(), b"bob")?, Peer::new(a.public_key(), b"alice")?);
    /// let rng = &mut getrandom::SysRng;
    /// let (initiator, r_a) = Initiator::start_with_rng(rng, Party::new(&a, b"alice")?, to_b)?;
    /// # let response = Responder::new(Party::new(&b, b"bob")?, to_a).respond(&r_a, 16)?;
    /// let (key, s_a) = initiator.finish(response.point(), &response.confirmation(), 16)?;
    /// # assert_eq!(response.confirm(&s_a)?, key);
    /// # }
    /// # Ok::<(), kuaimi::sm2::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Random`] if the generator fails.
    pub fn start_with_rng<R: TryCryptoRng + ?Sized>(
        rng: &mut R,
        party: Party,
        peer: Peer,
    ) -> Result<(Self, PublicKey), Error> {
        Self::start_as(party, peer, || Ok(Ephemeral::new(random_scalar(rng)?)))
    }

    /// As [`start`](Self::start), with the caller's ephemeral key `r`, 32 bytes, most significant
    /// first.
    ///
    /// **Dangerous**: for test vectors only. An ephemeral key that is known or used twice reveals
    /// the shared key.
    ///
    /// ```
    /// # use kuaimi::sm2::{PrivateKey, exchange::{Initiator, Party, Peer, Responder}};
    /// #
    /// # let (a, b) = (PrivateKey::from_bytes(&[7; 32])?, PrivateKey::from_bytes(&[8; 32])?);
    /// # let (to_b, to_a) = (Peer::new(b.public_key(), b"bob")?, Peer::new(a.public_key(), b"alice")?);
    /// let (_, r_a) = Initiator::start_with_nonce(Party::new(&a, b"alice")?, to_b.clone(), &[5; 32])?;
    /// let (_, again) = Initiator::start_with_nonce(Party::new(&a, b"alice")?, to_b, &[5; 32])?;
    /// assert_eq!(r_a, again);
    /// # Ok::<(), kuaimi::sm2::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Nonce`] unless `r` is in `[1, n − 1]`.
    #[cfg(feature = "hazmat")]
    pub fn start_with_nonce(
        party: Party,
        peer: Peer,
        r: &[u8; 32],
    ) -> Result<(Self, PublicKey), Error> {
        Self::start_as(party, peer, || Ephemeral::given(r))
    }

    fn start_as(
        party: Party,
        peer: Peer,
        draw: impl FnOnce() -> Result<Ephemeral, Error>,
    ) -> Result<(Self, PublicKey), Error> {
        let ephemeral = wiped_after::<POINT_WORDS, _>(|| draw().map(Box::new))?;
        let point = ephemeral.point;
        let initiator = Self {
            party,
            peer,
            ephemeral,
        };
        Ok((initiator, point))
    }

    /// Steps A4 to A10: the shared key of `key_len` bytes, and the confirmation `S_A` to send to
    /// the responder. `r_b` and `s_b` are the responder's point and confirmation.
    ///
    /// # Errors
    /// [`Error::ConfirmationFailed`] when `s_b` does not prove that the responder has the same key,
    /// and [`Error::SharedKeyLength`] for a length of zero or over
    /// [`MAX_MESSAGE_LEN`](super::MAX_MESSAGE_LEN).
    pub fn finish(
        self,
        r_b: &PublicKey,
        s_b: &[u8; 32],
        key_len: usize,
    ) -> Result<(Zeroizing<Vec<u8>>, [u8; 32]), Error> {
        wiped_after::<POINT_WORDS, _>(|| {
            let shared = self.agree(r_b)?;
            Ok((shared.key(key_len)?, shared.confirmed(s_b)?))
        })
    }

    /// Steps A4 to A8: the shared key of `key_len` bytes, unconfirmed.
    ///
    /// ```
    /// # #[cfg(feature = "getrandom")] {
    /// # use kuaimi::sm2::{PrivateKey, exchange::{Initiator, Party, Peer, Responder}};
    /// #
    /// # let (a, b) = (PrivateKey::from_bytes(&[7; 32])?, PrivateKey::from_bytes(&[8; 32])?);
    /// # let (to_b, to_a) = (Peer::new(b.public_key(), b"bob")?, Peer::new(a.public_key(), b"alice")?);
    /// let (initiator, r_a) = Initiator::start(Party::new(&a, b"alice")?, to_b)?;
    /// # let response = Responder::new(Party::new(&b, b"bob")?, to_a).respond(&r_a, 16)?;
    /// let key = initiator.finish_unconfirmed(response.point(), 16)?;
    /// assert_eq!(response.key_unconfirmed(), key);
    /// # }
    /// # Ok::<(), kuaimi::sm2::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::SharedKeyLength`] for a length of zero or over
    /// [`MAX_MESSAGE_LEN`](super::MAX_MESSAGE_LEN); [`Error::ConfirmationFailed`] when the points
    /// cancel each other, which never happens with an honest peer.
    pub fn finish_unconfirmed(
        self,
        r_b: &PublicKey,
        key_len: usize,
    ) -> Result<Zeroizing<Vec<u8>>, Error> {
        wiped_after::<POINT_WORDS, _>(|| self.agree(r_b)?.key(key_len))
    }

    fn agree(self, r_b: &PublicKey) -> Result<Shared, Error> {
        let u = self
            .ephemeral
            .shared_point(&self.party.secret, &self.peer.public, r_b)?;
        Ok(self.shared(u, r_b))
    }

    /// What both sides know, with `U`.
    fn shared(&self, u: Zeroizing<[u8; 64]>, r_b: &PublicKey) -> Shared {
        Shared {
            u,
            z_a: self.party.z,
            z_b: self.peer.z,
            r_a: self.ephemeral.point,
            r_b: *r_b,
        }
    }
}

/// The responder B, which waits for the initiator's point.
///
/// ```
/// # #[cfg(feature = "getrandom")] {
/// use kuaimi::sm2::{PrivateKey, exchange::{Initiator, Party, Peer, Responder}};
///
/// let (a, b) = (PrivateKey::from_bytes(&[7; 32])?, PrivateKey::from_bytes(&[8; 32])?);
/// let (to_b, to_a) = (Peer::new(b.public_key(), b"bob")?, Peer::new(a.public_key(), b"alice")?);
/// # let (initiator, r_a) = Initiator::start(Party::new(&a, b"alice")?, to_b)?;
/// let responder = Responder::new(Party::new(&b, b"bob")?, to_a);
/// let response = responder.respond(&r_a, 16)?; // r_a came from the initiator
/// // Send response.point() and response.confirmation().
/// # let (key, s_a) = initiator.finish(response.point(), &response.confirmation(), 16)?;
/// # assert_eq!(response.confirm(&s_a)?, key);
/// # }
/// # Ok::<(), kuaimi::sm2::Error>(())
/// ```
#[derive(Clone)]
pub struct Responder {
    party: Party,
    peer: Peer,
}

impl Responder {
    /// A responder on the side `party`, to the initiator `peer`.
    pub fn new(party: Party, peer: Peer) -> Self {
        Self { party, peer }
    }

    /// Steps B1 to B8: draws an ephemeral key with the operating system's generator and derives a
    /// shared key of `key_len` bytes. `r_a` is the initiator's point.
    ///
    /// # Errors
    /// [`Error::Random`] if the generator fails; [`Error::SharedKeyLength`] for a length of zero or
    /// over [`MAX_MESSAGE_LEN`](super::MAX_MESSAGE_LEN); [`Error::ConfirmationFailed`] when the
    /// points cancel each other, which never happens with an honest peer.
    #[cfg(feature = "getrandom")]
    pub fn respond(self, r_a: &PublicKey, key_len: usize) -> Result<Response, Error> {
        self.respond_with_rng(&mut getrandom::SysRng, r_a, key_len)
    }

    /// As [`respond`](Self::respond), with the ephemeral key from `rng`.
    ///
    /// ```
    /// # #[cfg(feature = "getrandom")] {
    /// # use kuaimi::sm2::{PrivateKey, exchange::{Initiator, Party, Peer, Responder}};
    /// #
    /// # let (a, b) = (PrivateKey::from_bytes(&[7; 32])?, PrivateKey::from_bytes(&[8; 32])?);
    /// # let (to_b, to_a) = (Peer::new(b.public_key(), b"bob")?, Peer::new(a.public_key(), b"alice")?);
    /// # let (initiator, r_a) = Initiator::start(Party::new(&a, b"alice")?, to_b)?;
    /// let responder = Responder::new(Party::new(&b, b"bob")?, to_a);
    /// let response = responder.respond_with_rng(&mut getrandom::SysRng, &r_a, 16)?;
    /// # let (key, s_a) = initiator.finish(response.point(), &response.confirmation(), 16)?;
    /// # assert_eq!(response.confirm(&s_a)?, key);
    /// # }
    /// # Ok::<(), kuaimi::sm2::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`respond`](Self::respond).
    pub fn respond_with_rng<R: TryCryptoRng + ?Sized>(
        self,
        rng: &mut R,
        r_a: &PublicKey,
        key_len: usize,
    ) -> Result<Response, Error> {
        wiped_after::<POINT_WORDS, _>(|| {
            self.respond_as(&Ephemeral::new(random_scalar(rng)?), r_a, key_len)
        })
    }

    /// As [`respond`](Self::respond), with the caller's ephemeral key `r`, 32 bytes, most
    /// significant first.
    ///
    /// **Dangerous**: for test vectors only. An ephemeral key that is known or used twice reveals
    /// the shared key.
    ///
    /// ```
    /// # use kuaimi::sm2::{PrivateKey, exchange::{Initiator, Party, Peer, Responder}};
    /// #
    /// # let (a, b) = (PrivateKey::from_bytes(&[7; 32])?, PrivateKey::from_bytes(&[8; 32])?);
    /// # let (to_b, to_a) = (Peer::new(b.public_key(), b"bob")?, Peer::new(a.public_key(), b"alice")?);
    /// let (_, r_a) = Initiator::start_with_nonce(Party::new(&a, b"alice")?, to_b, &[5; 32])?;
    /// let responder = Responder::new(Party::new(&b, b"bob")?, to_a);
    /// let response = responder.clone().respond_with_nonce(&r_a, 16, &[6; 32])?;
    /// let again = responder.respond_with_nonce(&r_a, 16, &[6; 32])?;
    /// assert_eq!(response.confirmation(), again.confirmation());
    /// # Ok::<(), kuaimi::sm2::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Nonce`] unless `r` is in `[1, n − 1]`, and as [`respond`](Self::respond).
    #[cfg(feature = "hazmat")]
    pub fn respond_with_nonce(
        self,
        r_a: &PublicKey,
        key_len: usize,
        r: &[u8; 32],
    ) -> Result<Response, Error> {
        wiped_after::<POINT_WORDS, _>(|| self.respond_as(&Ephemeral::given(r)?, r_a, key_len))
    }

    fn respond_as(
        self,
        ephemeral: &Ephemeral,
        r_a: &PublicKey,
        key_len: usize,
    ) -> Result<Response, Error> {
        let u = ephemeral.shared_point(&self.party.secret, &self.peer.public, r_a)?;
        Response::new(
            u,
            (&self.party, &self.peer),
            [r_a, &ephemeral.point],
            key_len,
        )
    }
}

/// The answer of the responder B: send [`point`](Self::point), and also
/// [`confirmation`](Self::confirmation) if the key is confirmed. Wiped when dropped.
///
/// ```
/// # #[cfg(feature = "getrandom")] {
/// # use kuaimi::sm2::{PrivateKey, exchange::{Initiator, Party, Peer, Responder}};
/// #
/// # let (a, b) = (PrivateKey::from_bytes(&[7; 32])?, PrivateKey::from_bytes(&[8; 32])?);
/// # let (to_b, to_a) = (Peer::new(b.public_key(), b"bob")?, Peer::new(a.public_key(), b"alice")?);
/// # let (initiator, r_a) = Initiator::start(Party::new(&a, b"alice")?, to_b)?;
/// let response = Responder::new(Party::new(&b, b"bob")?, to_a).respond(&r_a, 16)?;
/// // Send these two; the initiator answers with its confirmation s_a.
/// let (r_b, s_b) = (*response.point(), response.confirmation());
/// # let (key, s_a) = initiator.finish(&r_b, &s_b, 16)?;
/// assert_eq!(response.confirm(&s_a)?, key);
/// # }
/// # Ok::<(), kuaimi::sm2::Error>(())
/// ```
pub struct Response {
    shared: Box<Shared>,
    key: Zeroizing<Vec<u8>>,
}

impl Response {
    /// Steps B7 and B8, with `U`, and the points `R_A` and `R_B`.
    fn new(
        u: Zeroizing<[u8; 64]>,
        (party, peer): (&Party, &Peer),
        [r_a, r_b]: [&PublicKey; 2],
        key_len: usize,
    ) -> Result<Self, Error> {
        let shared = Box::new(Shared {
            u,
            z_a: peer.z,
            z_b: party.z,
            r_a: *r_a,
            r_b: *r_b,
        });
        let key = shared.key(key_len)?;
        Ok(Self { shared, key })
    }

    /// The point `R_B` to send to the initiator.
    pub fn point(&self) -> &PublicKey {
        &self.shared.r_b
    }

    /// Step B8: the confirmation `S_B` to send to the initiator.
    pub fn confirmation(&self) -> [u8; 32] {
        wiped_after::<POINT_WORDS, _>(|| self.shared.confirmation(2))
    }

    /// Step B10: the shared key, once the initiator's confirmation `s_a` proves that it has the
    /// same.
    ///
    /// # Errors
    /// [`Error::ConfirmationFailed`] when it does not.
    pub fn confirm(self, s_a: &[u8; 32]) -> Result<Zeroizing<Vec<u8>>, Error> {
        // Whether it has, the error tells.
        let expected = wiped_after::<POINT_WORDS, _>(|| self.shared.confirmation(3));
        if declassify(expected.ct_eq(s_a)) {
            Ok(self.key)
        } else {
            Err(Error::ConfirmationFailed)
        }
    }

    /// The shared key, unconfirmed.
    ///
    /// ```
    /// # #[cfg(feature = "getrandom")] {
    /// # use kuaimi::sm2::{PrivateKey, exchange::{Initiator, Party, Peer, Responder}};
    /// #
    /// # let (a, b) = (PrivateKey::from_bytes(&[7; 32])?, PrivateKey::from_bytes(&[8; 32])?);
    /// # let (to_b, to_a) = (Peer::new(b.public_key(), b"bob")?, Peer::new(a.public_key(), b"alice")?);
    /// # let (initiator, r_a) = Initiator::start(Party::new(&a, b"alice")?, to_b)?;
    /// let response = Responder::new(Party::new(&b, b"bob")?, to_a).respond(&r_a, 16)?;
    /// let (r_b, key) = (*response.point(), response.key_unconfirmed());
    /// assert_eq!(initiator.finish_unconfirmed(&r_b, 16)?, key);
    /// # }
    /// # Ok::<(), kuaimi::sm2::Error>(())
    /// ```
    pub fn key_unconfirmed(self) -> Zeroizing<Vec<u8>> {
        self.key
    }
}

/// An ephemeral key pair `(r, R = [r]G)`.
struct Ephemeral {
    r: Zeroizing<U256>,
    point: PublicKey,
}

impl Ephemeral {
    fn new(r: Zeroizing<U256>) -> Self {
        let point = PublicKey::from_point(&group::generator_mul(&r));
        Self { r, point }
    }

    #[cfg(feature = "hazmat")]
    fn given(r: &[u8; 32]) -> Result<Self, Error> {
        let r = Zeroizing::new(U256::from_be_bytes(r));
        if super::scalar::is_nonzero_scalar(&r) {
            Ok(Self::new(r))
        } else {
            Err(Error::Nonce)
        }
    }

    /// Steps A4 to A7, and B3 to B6, which are the same from either side: `U = [t](P' + [x̄']R')`
    /// with `t = d + x̄·r`, where `P'` and `R'` are the peer's points.
    fn shared_point(
        &self,
        secret: &PrivateKey,
        peer_public: &PublicKey,
        peer_point: &PublicKey,
    ) -> Result<Zeroizing<[u8; 64]>, Error> {
        let t = own_factor(secret, &self.r, &self.point);
        // Of public points with public factors.
        let sum = group::point_mul_add_vartime(
            &reduced_x(peer_point),
            &peer_point.to_point(),
            &peer_public.to_point(),
        );
        // A8, B7: U must not be infinity, which it is where the sum is, or t is zero. With a peer
        // who follows the protocol neither happens, and the error shows it.
        let sum = sum.ok_or(Error::ConfirmationFailed)?;
        if declassify(t.ct_is_zero()) {
            return Err(Error::ConfirmationFailed);
        }
        Ok(group::point_to_bytes(&Zeroizing::new(group::point_mul(
            &t, &sum,
        ))))
    }
}

/// Steps A4 and A5, B3 and B4: `t = d + x̄·r`, where `[r]G` is `point`.
fn own_factor(secret: &PrivateKey, r: &U256, point: &PublicKey) -> Zeroizing<U256> {
    let d = Zeroizing::new(secret.integer());
    let product = Zeroizing::new(scalar_mul(&reduced_x(point), r));
    Zeroizing::new(scalar_add(&d, &product))
}

/// `x̄ = 2^w + (x mod 2^w)` with `w = 127`, of a point's x-coordinate.
fn reduced_x(point: &PublicKey) -> U256 {
    let [x, _] = group::point_coordinates(&point.to_point());
    U256([x.0[0], x.0[1] | 1 << 63, 0, 0])
}

/// What both sides know at the end.
struct Shared {
    /// `x_U ‖ y_U`.
    u: Zeroizing<[u8; 64]>,
    z_a: [u8; 32],
    z_b: [u8; 32],
    r_a: PublicKey,
    r_b: PublicKey,
}

impl Shared {
    /// `K = KDF(x_U ‖ y_U ‖ Z_A ‖ Z_B, klen)`.
    fn key(&self, length: usize) -> Result<Zeroizing<Vec<u8>>, Error> {
        if length == 0 || length as u64 > Kdf::MAX_LEN {
            return Err(Error::SharedKeyLength);
        }
        let mut z = Zeroizing::new([0u8; 128]);
        z[..64].copy_from_slice(self.u.as_ref());
        z[64..96].copy_from_slice(&self.z_a);
        z[96..].copy_from_slice(&self.z_b);
        let mut key = zeroed(length).ok_or(Error::SharedKeyLength)?;
        sm3::kdf(z.as_ref(), &mut key).map_err(|_| Error::SharedKeyLength)?;
        Ok(key)
    }

    /// Steps A9 and A10: the confirmation `S_A`, if `S_B` is the responder's.
    fn confirmed(&self, s_b: &[u8; 32]) -> Result<[u8; 32], Error> {
        // S₁ = SM3(02 ‖ y_U ‖ …) must be S_B. Whether it is, the error tells.
        if !declassify(self.confirmation(2).ct_eq(s_b)) {
            return Err(Error::ConfirmationFailed);
        }
        // S_A = SM3(03 ‖ y_U ‖ …)
        Ok(self.confirmation(3))
    }

    /// `SM3(tag ‖ y_U ‖ SM3(x_U ‖ Z_A ‖ Z_B ‖ x₁ ‖ y₁ ‖ x₂ ‖ y₂))`.
    fn confirmation(&self, tag: u8) -> [u8; 32] {
        let mut inner = Sm3::new();
        inner.update(&self.u[..32]);
        inner.update(&self.z_a);
        inner.update(&self.z_b);
        inner.update(&self.r_a.to_xy_bytes());
        inner.update(&self.r_b.to_xy_bytes());
        let mut outer = Sm3::new();
        outer.update(&[tag]);
        outer.update(&self.u[32..]);
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

opaque_debug!(Initiator, Opening, Responder, Response);

// Their secrets are a PrivateKey and Zeroizing values.
impl ZeroizeOnDrop for Initiator {}
impl ZeroizeOnDrop for Response {}
