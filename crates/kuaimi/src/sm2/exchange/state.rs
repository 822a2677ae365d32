//! The stored state of a key exchange that waits for its peer. It is for two people who exchange
//! messages over hours, each with a program that ends in between.
//!
//! Both states are frames of [`crate::stored`]. These are the bodies; numbers have the most
//! significant byte first:
//!
//! | header | body |
//! | --- | --- |
//! | `KM2-xin2`, initiator | own public key, peer's public key (64 bytes each), Z_A, Z_B, r_A (32 bytes each) |
//! | `KM2-xre2`, responder | x_U ‖ y_U (64), Z_A, Z_B (32 each), R_A, R_B (64 each), the key's length (8) |
//!
//! The tag has no key, so it detects accidents only. It does not protect against someone who can
//! write the state: keep the state where only its owner can write.

use alloc::boxed::Box;
use alloc::vec::Vec;

use subtle::ConstantTimeEq;
use zeroize::Zeroizing;

use super::{Ephemeral, Initiator, Party, Peer, Response, Shared};
use crate::sm2::scalar::is_nonzero_scalar;
use crate::sm2::{Error, PrivateKey, PublicKey};
use crate::stored::{self, FRAME_LEN, MAX_KEPT_KEY_LEN, NO_KEY, Reader, Unreadable};
use kuaimi_math::arith::U256;
use kuaimi_platform::declassify;

const INITIATOR: &[u8; 8] = b"KM2-xin2";
const RESPONDER: &[u8; 8] = b"KM2-xre2";

impl Initiator {
    /// The length in bytes of [`to_bytes`](Self::to_bytes).
    ///
    /// ```
    /// use kuaimi::sm2::exchange::Initiator;
    ///
    /// assert_eq!(Initiator::STATE_LEN, 264);
    /// ```
    pub const STATE_LEN: usize = FRAME_LEN + 2 * 64 + 3 * 32;

    /// The state of this exchange, from which [`from_bytes`](Self::from_bytes) continues. The
    /// private key is not in it.
    ///
    /// **The state is secret, and for one use.** Anyone who reads it and has the private key of
    /// either party can compute the shared key. Two exchanges that continue from copies of one
    /// state use one ephemeral key twice. Delete the state after use.
    ///
    /// ```
    /// # #[cfg(feature = "std")] {
    /// # use kuaimi::sm2::{PrivateKey, exchange::{Initiator, Party, Peer, Responder}};
    /// # let (a, b) = (PrivateKey::generate()?, PrivateKey::generate()?);
    /// let party = Party::new(&a, b"alice")?;
    /// let (initiator, r_a) = Initiator::start(party, Peer::new(b.public_key(), b"bob")?)?;
    /// let state = initiator.to_bytes();
    /// assert_eq!(state.len(), Initiator::STATE_LEN);
    /// // Later, in another process:
    /// # let responder = Responder::new(Party::new(&b, b"bob")?, Peer::new(a.public_key(), b"alice")?);
    /// # let response = responder.respond(&r_a, 16)?;
    /// # let (r_b, s_b) = (*response.point(), response.confirmation());
    /// let initiator = Initiator::from_bytes(&state, &a)?;
    /// let (key, s_a) = initiator.finish(&r_b, &s_b, 16)?;
    /// # assert_eq!(key, response.confirm(&s_a)?);
    /// # }
    /// # Ok::<(), kuaimi::sm2::Error>(())
    /// ```
    pub fn to_bytes(&self) -> Zeroizing<Vec<u8>> {
        let r = Zeroizing::new(self.ephemeral.r.to_be_bytes());
        stored::write(
            INITIATOR,
            &[
                &self.party.secret.public_key().to_xy_bytes(),
                &self.peer.public.to_xy_bytes(),
                &self.party.z,
                &self.peer.z,
                r.as_ref(),
            ],
            NO_KEY,
        )
    }

    /// The initiator that [`to_bytes`](Self::to_bytes) stored. `secret` is the private key with
    /// which the exchange started.
    ///
    /// ```
    /// # #[cfg(feature = "getrandom")] {
    /// # use kuaimi::sm2::{PrivateKey, exchange::{Initiator, Party, Peer, Responder}};
    /// #
    /// # let (a, b) = (PrivateKey::from_bytes(&[7; 32])?, PrivateKey::from_bytes(&[8; 32])?);
    /// # let (to_b, to_a) = (Peer::new(b.public_key(), b"bob")?, Peer::new(a.public_key(), b"alice")?);
    /// let (initiator, r_a) = Initiator::start(Party::new(&a, b"alice")?, to_b)?;
    /// let state = initiator.to_bytes();
    /// // Later, in another process:
    /// assert!(Initiator::from_bytes(&state, &b).is_err(), "another private key");
    /// let initiator = Initiator::from_bytes(&state, &a)?;
    /// # }
    /// # Ok::<(), kuaimi::sm2::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::ExchangeState`] for bytes that are not the state of an initiator, or that were
    /// altered; [`Error::ExchangeKey`] when the exchange was started with another private key.
    pub fn from_bytes(state: &[u8], secret: &PrivateKey) -> Result<Self, Error> {
        let mut body = stored::read(INITIATOR, state, NO_KEY)?;
        let (own, peer) = (point(&mut body)?, point(&mut body)?);
        let (z_a, z_b) = (*body.take::<32>()?, *body.take::<32>()?);
        let r = Zeroizing::new(U256::from_be_bytes(body.take::<32>()?));
        body.end()?;
        if !is_nonzero_scalar(&r) {
            return Err(Error::ExchangeState);
        }
        // Public keys, but one was computed from the secret; whether they are the same, the error
        // tells.
        let same = own.to_xy_bytes().ct_eq(&secret.public_key().to_xy_bytes());
        if !declassify(same) {
            return Err(Error::ExchangeKey);
        }
        Ok(Self {
            party: Party {
                secret: secret.clone(),
                z: z_a,
            },
            peer: Peer {
                public: peer,
                z: z_b,
            },
            ephemeral: Box::new(Ephemeral::new(r)),
        })
    }
}

impl Response {
    /// The length in bytes of [`to_bytes`](Self::to_bytes).
    ///
    /// ```
    /// use kuaimi::sm2::exchange::Response;
    ///
    /// assert_eq!(Response::STATE_LEN, 304);
    /// ```
    pub const STATE_LEN: usize = FRAME_LEN + 64 + 2 * 32 + 2 * 64 + 8;

    /// The state of this exchange, from which [`from_bytes`](Self::from_bytes) continues if the
    /// shared key has at most 16 MiB.
    ///
    /// **The state is secret, and for one use**: anyone who reads it can compute the shared key.
    /// Delete it after use.
    ///
    /// ```
    /// # #[cfg(feature = "getrandom")] {
    /// # use kuaimi::sm2::{PrivateKey, exchange::{Initiator, Party, Peer, Responder, Response}};
    /// #
    /// # let (a, b) = (PrivateKey::from_bytes(&[7; 32])?, PrivateKey::from_bytes(&[8; 32])?);
    /// # let (to_b, to_a) = (Peer::new(b.public_key(), b"bob")?, Peer::new(a.public_key(), b"alice")?);
    /// # let (initiator, r_a) = Initiator::start(Party::new(&a, b"alice")?, to_b)?;
    /// let response = Responder::new(Party::new(&b, b"bob")?, to_a).respond(&r_a, 16)?;
    /// let (r_b, s_b) = (*response.point(), response.confirmation());
    /// let state = response.to_bytes();
    /// assert_eq!(state.len(), Response::STATE_LEN);
    /// // Later, in another process:
    /// let response = Response::from_bytes(&state)?;
    /// # let (key, s_a) = initiator.finish(&r_b, &s_b, 16)?;
    /// assert_eq!(response.confirm(&s_a)?, key);
    /// # }
    /// # Ok::<(), kuaimi::sm2::Error>(())
    /// ```
    pub fn to_bytes(&self) -> Zeroizing<Vec<u8>> {
        stored::write(
            RESPONDER,
            &[
                self.shared.u.as_ref(),
                &self.shared.z_a,
                &self.shared.z_b,
                &self.shared.r_a.to_xy_bytes(),
                &self.shared.r_b.to_xy_bytes(),
                &(self.key.len() as u64).to_be_bytes(),
            ],
            NO_KEY,
        )
    }

    /// The responder that [`to_bytes`](Self::to_bytes) stored.
    ///
    /// ```
    /// # #[cfg(feature = "getrandom")] {
    /// # use kuaimi::sm2::{PrivateKey, exchange::{Initiator, Party, Peer, Responder, Response}};
    /// #
    /// # let (a, b) = (PrivateKey::from_bytes(&[7; 32])?, PrivateKey::from_bytes(&[8; 32])?);
    /// # let (to_b, to_a) = (Peer::new(b.public_key(), b"bob")?, Peer::new(a.public_key(), b"alice")?);
    /// # let (initiator, r_a) = Initiator::start(Party::new(&a, b"alice")?, to_b)?;
    /// let response = Responder::new(Party::new(&b, b"bob")?, to_a).respond(&r_a, 16)?;
    /// let (r_b, s_b) = (*response.point(), response.confirmation());
    /// let state = response.to_bytes();
    /// assert_eq!(state.len(), Response::STATE_LEN);
    /// // Later, in another process:
    /// let response = Response::from_bytes(&state)?;
    /// # let (key, s_a) = initiator.finish(&r_b, &s_b, 16)?;
    /// assert_eq!(response.confirm(&s_a)?, key);
    /// # }
    /// # Ok::<(), kuaimi::sm2::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::ExchangeState`] for bytes that are not the state of a responder, or that were
    /// altered; and for a shared key over 16 MiB.
    pub fn from_bytes(state: &[u8]) -> Result<Self, Error> {
        let mut body = stored::read(RESPONDER, state, NO_KEY)?;
        let shared = Box::new(Shared {
            u: Zeroizing::new(*body.take::<64>()?),
            z_a: *body.take()?,
            z_b: *body.take()?,
            r_a: point(&mut body)?,
            r_b: point(&mut body)?,
        });
        let length = u64::from_be_bytes(*body.take()?);
        body.end()?;
        let length = usize::try_from(length)
            .ok()
            .filter(|length| *length <= MAX_KEPT_KEY_LEN)
            .ok_or(Error::ExchangeState)?;
        let key = shared.key(length).map_err(|_| Error::ExchangeState)?;
        Ok(Self { shared, key })
    }
}

fn point(body: &mut Reader<'_>) -> Result<PublicKey, Error> {
    PublicKey::from_xy_bytes(body.take()?).map_err(|_| Error::ExchangeState)
}

impl From<Unreadable> for Error {
    fn from(_: Unreadable) -> Self {
        Self::ExchangeState
    }
}
