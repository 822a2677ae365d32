//! A key exchange that waits for its peer, written down: for two people who exchange messages over hours, each with a
//! program that ends in between.
//!
//! Both states are `version ‖ role ‖ body ‖ SM3(version ‖ role ‖ body)`, all numbers most significant byte first:
//!
//! | role | body |
//! | --- | --- |
//! | 1, initiator | own public key, peer's public key (64 bytes each), Z_A, Z_B, r_A (32 bytes each) |
//! | 2, responder | x_U ‖ y_U (64), Z_A, Z_B (32 each), R_A, R_B (64 each), the key's length (8) |
//!
//! The digest finds accidents. It is no protection from someone who can write the state: keep it where only its owner can.

use alloc::vec::Vec;

use subtle::ConstantTimeEq;
use zeroize::Zeroizing;

use super::{Ephemeral, Initiator, Party, Peer, Response, Shared};
use crate::sm2::scalar::is_nonzero_scalar;
use crate::sm2::{Error, PublicKey, SecretKey};
use crate::sm3;
use kuaimi_math::arith::U256;
use kuaimi_platform::declassify;

const VERSION: u8 = 1;
const INITIATOR: u8 = 1;
const RESPONDER: u8 = 2;

impl Initiator {
    /// The bytes of [`to_bytes`](Self::to_bytes).
    pub const STATE_LEN: usize = 2 + 2 * 64 + 3 * 32 + 32;

    /// What [`from_bytes`](Self::from_bytes) needs to go on, beside the private key, which is not in it.
    ///
    /// **A secret, to be used once.** Whoever reads it and holds either party's private key has the shared key; and two
    /// exchanges finished from one state are two uses of one ephemeral key, which the type prevents and a copy of the
    /// state does not. Delete it when it is used.
    ///
    /// ```
    /// # #[cfg(feature = "std")] {
    /// # use kuaimi::sm2::{SecretKey, exchange::{Initiator, Party, Peer, Responder}};
    /// # let (a, b) = (SecretKey::generate()?, SecretKey::generate()?);
    /// let party = Party::new(&a, b"alice")?;
    /// let (initiator, r_a) = Initiator::start(party, Peer::new(b.public_key(), b"bob")?)?;
    /// let state = initiator.to_bytes();
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
        seal(
            INITIATOR,
            &[
                &self.party.secret.public_key().to_xy_bytes(),
                &self.peer.public.to_xy_bytes(),
                &self.party.z,
                &self.peer.z,
                r.as_ref(),
            ],
        )
    }

    /// An initiator as [`to_bytes`](Self::to_bytes) left it; `secret` is the private key it was started with.
    ///
    /// # Errors
    /// [`Error::ExchangeState`] for bytes that are not the state of an initiator, or an altered one;
    /// [`Error::ExchangeKey`] when the exchange was started with another private key.
    pub fn from_bytes(state: &[u8], secret: &SecretKey) -> Result<Self, Error> {
        let mut body = Reader(unseal(INITIATOR, state)?);
        let (own, peer) = (body.point()?, body.point()?);
        let (z_a, z_b) = (*body.take::<32>()?, *body.take::<32>()?);
        let r = Zeroizing::new(U256::from_be_bytes(body.take::<32>()?));
        body.end()?;
        if !is_nonzero_scalar(&r) {
            return Err(Error::ExchangeState);
        }
        // Public keys, but one was computed from the secret; whether they are the same, the error tells.
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
            ephemeral: Ephemeral::new(r),
        })
    }
}

impl Response {
    /// The bytes of [`to_bytes`](Self::to_bytes).
    pub const STATE_LEN: usize = 2 + 64 + 2 * 32 + 2 * 64 + 8 + 32;

    /// What [`from_bytes`](Self::from_bytes) needs to go on.
    ///
    /// **A secret, to be used once**: the shared key follows from it alone. Delete it when it is used.
    pub fn to_bytes(&self) -> Zeroizing<Vec<u8>> {
        seal(
            RESPONDER,
            &[
                self.shared.u.as_ref(),
                &self.shared.z_a,
                &self.shared.z_b,
                &self.shared.r_a.to_xy_bytes(),
                &self.shared.r_b.to_xy_bytes(),
                &(self.key.len() as u64).to_be_bytes(),
            ],
        )
    }

    /// A responder as [`to_bytes`](Self::to_bytes) left it.
    ///
    /// # Errors
    /// [`Error::ExchangeState`] for bytes that are not the state of a responder, or an altered one.
    pub fn from_bytes(state: &[u8]) -> Result<Self, Error> {
        let mut body = Reader(unseal(RESPONDER, state)?);
        let shared = Shared {
            u: Zeroizing::new(*body.take::<64>()?),
            z_a: *body.take()?,
            z_b: *body.take()?,
            r_a: body.point()?,
            r_b: body.point()?,
        };
        let length = u64::from_be_bytes(*body.take()?);
        body.end()?;
        let length = usize::try_from(length).map_err(|_| Error::ExchangeState)?;
        let key = shared.key(length).map_err(|_| Error::ExchangeState)?;
        Ok(Self { shared, key })
    }
}

/// The parts behind version and role, and the digest behind them.
fn seal(role: u8, parts: &[&[u8]]) -> Zeroizing<Vec<u8>> {
    let length: usize = parts.iter().map(|part| part.len()).sum();
    // In one piece from the start: growing would leave copies of the secrets behind.
    let mut out = Zeroizing::new(Vec::with_capacity(2 + length + sm3::DIGEST_LEN));
    out.extend_from_slice(&[VERSION, role]);
    for part in parts {
        out.extend_from_slice(part);
    }
    let digest = sm3::digest(&out);
    out.extend_from_slice(&digest);
    out
}

/// The body of a state of this version and role whose digest is right.
fn unseal(role: u8, state: &[u8]) -> Result<&[u8], Error> {
    let (content, digest) = state
        .split_last_chunk::<{ sm3::DIGEST_LEN }>()
        .ok_or(Error::ExchangeState)?;
    // Whether it is, the error tells; how much of it is, nothing.
    if !declassify(sm3::digest(content).ct_eq(digest)) {
        return Err(Error::ExchangeState);
    }
    content
        .strip_prefix(&[VERSION, role])
        .ok_or(Error::ExchangeState)
}

struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn take<const N: usize>(&mut self) -> Result<&'a [u8; N], Error> {
        let (first, rest) = self.0.split_first_chunk().ok_or(Error::ExchangeState)?;
        self.0 = rest;
        Ok(first)
    }

    fn point(&mut self) -> Result<PublicKey, Error> {
        PublicKey::from_xy_bytes(self.take()?).map_err(|_| Error::ExchangeState)
    }

    fn end(&self) -> Result<(), Error> {
        if self.0.is_empty() {
            Ok(())
        } else {
            Err(Error::ExchangeState)
        }
    }
}
