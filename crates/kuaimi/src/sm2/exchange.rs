//! Key exchange (GB/T 32918.3-2016): two parties that know each other's public keys and identities agree on a key, the
//! initiator A in clause 6.1's left column, the responder B in its right.
//!
//! ```text
//! A: Initiator::start ── R_A ──▶ B: Responder::start, respond
//!    finish            ◀── R_B, S_B ──   (S_B only where the key is to be confirmed)
//!    key, S_A ──────────────────▶    confirm → key
//! ```
//!
//! Each step consumes the value of the step before, so that no ephemeral key is used twice and no step is taken out of
//! order. With confirmation, neither side gets the key before it has seen that the other has it; without
//! ([`Initiator::finish_unconfirmed`], [`Response::key_unconfirmed`]), a wrong peer shows only when the keys do not fit.
//! Where a process ends between two steps, [`Initiator::to_bytes`] and [`Response::to_bytes`] keep what the next needs.
//!
//! ```
//! # #[cfg(feature = "std")] {
//! use kuaimi::sm2::{DEFAULT_ID, SecretKey, exchange::{Initiator, Party, Peer, Responder}};
//!
//! let (a, b) = (SecretKey::generate()?, SecretKey::generate()?);
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

mod state;

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
use super::{Error, PublicKey, SecretKey};
use crate::sm3::{self, Kdf, Sm3};

/// One's own side: a private key and the identity under which the peer knows it.
#[derive(Clone, Debug)]
pub struct Party {
    secret: SecretKey,
    z: [u8; 32],
}

impl Party {
    /// # Errors
    /// [`Error::IdTooLong`] for an identity over 8191 bytes.
    pub fn new(secret: &SecretKey, id: &[u8]) -> Result<Self, Error> {
        Ok(Self {
            z: identity_digest(id, secret.public_key())?,
            secret: secret.clone(),
        })
    }
}

/// The other side: a public key, known to be the peer's, and its identity.
#[derive(Clone, Debug)]
pub struct Peer {
    public: PublicKey,
    z: [u8; 32],
}

impl Peer {
    /// # Errors
    /// [`Error::IdTooLong`] for an identity over 8191 bytes.
    pub fn new(public: &PublicKey, id: &[u8]) -> Result<Self, Error> {
        Ok(Self {
            z: identity_digest(id, public)?,
            public: *public,
        })
    }
}

/// The initiator A, waiting for the responder's point. Wiped when dropped.
pub struct Initiator {
    party: Party,
    peer: Peer,
    ephemeral: Ephemeral,
}

impl Initiator {
    /// Steps A1 to A3: draws an ephemeral key with the operating system's generator. Send the point to the responder.
    ///
    /// # Errors
    /// [`Error::Random`] if the generator fails.
    #[cfg(feature = "getrandom")]
    pub fn start(party: Party, peer: Peer) -> Result<(Self, PublicKey), Error> {
        Self::start_with_rng(&mut getrandom::SysRng, party, peer)
    }

    /// As [`start`](Self::start), with the ephemeral key from `rng`.
    ///
    /// # Errors
    /// [`Error::Random`] if the generator fails.
    pub fn start_with_rng<R: TryCryptoRng + ?Sized>(
        rng: &mut R,
        party: Party,
        peer: Peer,
    ) -> Result<(Self, PublicKey), Error> {
        let ephemeral = Ephemeral::new(random_scalar(rng)?);
        let point = ephemeral.point;
        Ok((
            Self {
                party,
                peer,
                ephemeral,
            },
            point,
        ))
    }

    /// As [`start`](Self::start), with the caller's ephemeral key `r`, 32 bytes, most significant first.
    ///
    /// **Dangerous**: an ephemeral key that is known or used twice gives the shared key away. For test vectors.
    ///
    /// # Errors
    /// [`Error::Nonce`] unless `r` is in `[1, n − 1]`.
    #[cfg(feature = "hazmat")]
    pub fn start_with_nonce(
        party: Party,
        peer: Peer,
        r: &[u8; 32],
    ) -> Result<(Self, PublicKey), Error> {
        let ephemeral = Ephemeral::given(r)?;
        let point = ephemeral.point;
        Ok((
            Self {
                party,
                peer,
                ephemeral,
            },
            point,
        ))
    }

    /// Steps A4 to A10: the shared key of `key_len` bytes, and the confirmation `S_A` to send to the responder. `r_b`
    /// and `s_b` are the responder's point and confirmation.
    ///
    /// # Errors
    /// [`Error::ConfirmationFailed`] when `s_b` does not prove that the responder has the same key, and
    /// [`Error::SharedKeyLength`] for a length of zero or over [`MAX_MESSAGE_LEN`](super::MAX_MESSAGE_LEN).
    pub fn finish(
        self,
        r_b: &PublicKey,
        s_b: &[u8; 32],
        key_len: usize,
    ) -> Result<(Zeroizing<Vec<u8>>, [u8; 32]), Error> {
        let shared = self.agree(r_b)?;
        let key = shared.key(key_len)?;
        // A9: S₁ = SM3(02 ‖ y_U ‖ …) must be S_B. Whether it is, the error tells.
        if !declassify(shared.confirmation(2).ct_eq(s_b)) {
            return Err(Error::ConfirmationFailed);
        }
        // A10: S_A = SM3(03 ‖ y_U ‖ …)
        Ok((key, shared.confirmation(3)))
    }

    /// Steps A4 to A8: the shared key of `key_len` bytes, unconfirmed.
    ///
    /// # Errors
    /// [`Error::SharedKeyLength`] for a length of zero or over [`MAX_MESSAGE_LEN`](super::MAX_MESSAGE_LEN);
    /// [`Error::ConfirmationFailed`] when the points cancel each other, which no honest peer's do.
    pub fn finish_unconfirmed(
        self,
        r_b: &PublicKey,
        key_len: usize,
    ) -> Result<Zeroizing<Vec<u8>>, Error> {
        self.agree(r_b)?.key(key_len)
    }

    fn agree(self, r_b: &PublicKey) -> Result<Shared, Error> {
        let u = self
            .ephemeral
            .shared_point(&self.party.secret, &self.peer.public, r_b)?;
        Ok(Shared {
            u,
            z_a: self.party.z,
            z_b: self.peer.z,
            r_a: self.ephemeral.point,
            r_b: *r_b,
        })
    }
}

/// The responder B, before the initiator's point has come.
#[derive(Clone)]
pub struct Responder {
    party: Party,
    peer: Peer,
}

impl Responder {
    /// A responder to this peer.
    pub fn new(party: Party, peer: Peer) -> Self {
        Self { party, peer }
    }

    /// Steps B1 to B8: draws an ephemeral key with the operating system's generator and derives a shared key of
    /// `key_len` bytes. `r_a` is the initiator's point.
    ///
    /// # Errors
    /// [`Error::Random`] if the generator fails; [`Error::SharedKeyLength`] for a length of zero or over
    /// [`MAX_MESSAGE_LEN`](super::MAX_MESSAGE_LEN); [`Error::ConfirmationFailed`] when the points cancel each other, which
    /// no honest peer's do.
    #[cfg(feature = "getrandom")]
    pub fn respond(self, r_a: &PublicKey, key_len: usize) -> Result<Response, Error> {
        self.respond_with_rng(&mut getrandom::SysRng, r_a, key_len)
    }

    /// As [`respond`](Self::respond), with the ephemeral key from `rng`.
    ///
    /// # Errors
    /// As [`respond`](Self::respond).
    pub fn respond_with_rng<R: TryCryptoRng + ?Sized>(
        self,
        rng: &mut R,
        r_a: &PublicKey,
        key_len: usize,
    ) -> Result<Response, Error> {
        self.respond_as(&Ephemeral::new(random_scalar(rng)?), r_a, key_len)
    }

    /// As [`respond`](Self::respond), with the caller's ephemeral key `r`, 32 bytes, most significant first.
    ///
    /// **Dangerous**: an ephemeral key that is known or used twice gives the shared key away. For test vectors.
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
        self.respond_as(&Ephemeral::given(r)?, r_a, key_len)
    }

    fn respond_as(
        self,
        ephemeral: &Ephemeral,
        r_a: &PublicKey,
        key_len: usize,
    ) -> Result<Response, Error> {
        let u = ephemeral.shared_point(&self.party.secret, &self.peer.public, r_a)?;
        let shared = Shared {
            u,
            z_a: self.peer.z,
            z_b: self.party.z,
            r_a: *r_a,
            r_b: ephemeral.point,
        };
        let key = shared.key(key_len)?;
        Ok(Response { shared, key })
    }
}

/// The responder B with its answer ready: send [`point`](Self::point), and [`confirmation`](Self::confirmation) where the
/// key is to be confirmed. Wiped when dropped.
pub struct Response {
    shared: Shared,
    key: Zeroizing<Vec<u8>>,
}

impl Response {
    /// The point `R_B` to send to the initiator.
    pub fn point(&self) -> &PublicKey {
        &self.shared.r_b
    }

    /// Step B8: the confirmation `S_B` to send to the initiator.
    pub fn confirmation(&self) -> [u8; 32] {
        self.shared.confirmation(2)
    }

    /// Step B10: the shared key, once the initiator's confirmation `s_a` proves that it has the same.
    ///
    /// # Errors
    /// [`Error::ConfirmationFailed`] when it does not.
    pub fn confirm(self, s_a: &[u8; 32]) -> Result<Zeroizing<Vec<u8>>, Error> {
        // Whether it has, the error tells.
        if declassify(self.shared.confirmation(3).ct_eq(s_a)) {
            Ok(self.key)
        } else {
            Err(Error::ConfirmationFailed)
        }
    }

    /// The shared key, unconfirmed.
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

    /// Steps A4 to A7, and B3 to B6, which are the same from either side: `U = [t](P' + [x̄']R')` with
    /// `t = d + x̄·r`, where `P'` and `R'` are the peer's points.
    fn shared_point(
        &self,
        secret: &SecretKey,
        peer_public: &PublicKey,
        peer_point: &PublicKey,
    ) -> Result<Zeroizing<[u8; 64]>, Error> {
        let x_bar = reduced_x(&self.point);
        let d = Zeroizing::new(secret.integer());
        let t = Zeroizing::new(scalar_add(&d, &Zeroizing::new(scalar_mul(&x_bar, &self.r))));
        // Of public points with public factors.
        let sum = group::point_mul_add_vartime(
            &reduced_x(peer_point),
            &peer_point.to_point(),
            &peer_public.to_point(),
        );
        // A8, B7: U must not be infinity, which it is where the sum is, or t is zero. With a peer who follows the protocol neither
        // happens, and the error shows it.
        let sum = sum.ok_or(Error::ConfirmationFailed)?;
        if declassify(t.ct_is_zero()) {
            return Err(Error::ConfirmationFailed);
        }
        Ok(group::point_to_bytes(&Zeroizing::new(group::point_mul(
            &t, &sum,
        ))))
    }
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
        // Of a length that the caller, or a kept state, names: there may not be that much memory.
        let mut key = Zeroizing::new(Vec::new());
        key.try_reserve_exact(length)
            .map_err(|_| Error::SharedKeyLength)?;
        key.resize(length, 0);
        sm3::kdf(z.as_ref(), &mut key).map_err(|_| Error::SharedKeyLength)?;
        Ok(key)
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

opaque_debug!(Initiator, Responder, Response);

// Their secrets are a SecretKey and Zeroizing values.
impl ZeroizeOnDrop for Initiator {}
impl ZeroizeOnDrop for Response {}
