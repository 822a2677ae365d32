//! The initiator before it knows the responder.

use alloc::boxed::Box;

use rand_core::TryCryptoRng;
use zeroize::ZeroizeOnDrop;

use super::{Ephemeral, Initiator, Party, Peer};
use crate::sm2::scalar::random_scalar;
use crate::sm2::{Error, PublicKey};
use crate::stack::{POINT_WORDS, wiped_after};

/// The initiator A, which has sent its point and does not know the responder yet: in TLCP (GB/T
/// 38636) the server sends its point before it sees the client's certificate. Wiped when dropped.
///
/// ```
/// # #[cfg(feature = "getrandom")] {
/// use kuaimi::sm2::{PrivateKey, exchange::{Opening, Party, Peer, Responder}};
///
/// let (a, b) = (PrivateKey::from_bytes(&[7; 32])?, PrivateKey::from_bytes(&[8; 32])?);
/// let (opening, r_a) = Opening::start(Party::new(&a, b"alice")?)?;
/// // Send r_a; the responder answers with its certificate and its point.
/// # let to_a = Peer::new(a.public_key(), b"alice")?;
/// # let response = Responder::new(Party::new(&b, b"bob")?, to_a).respond(&r_a, 48)?;
/// let initiator = opening.with_peer(Peer::new(b.public_key(), b"bob")?);
/// let key = initiator.finish_unconfirmed(response.point(), 48)?;
/// # assert_eq!(response.key_unconfirmed(), key);
/// # }
/// # Ok::<(), kuaimi::sm2::Error>(())
/// ```
pub struct Opening {
    pub(super) party: Party,
    pub(super) ephemeral: Box<Ephemeral>,
}

impl Opening {
    /// Steps A1 to A3: draws an ephemeral key with the operating system's generator. Send the point
    /// to the responder.
    ///
    /// # Errors
    /// [`Error::Random`] if the generator fails.
    #[cfg(feature = "getrandom")]
    pub fn start(party: Party) -> Result<(Self, PublicKey), Error> {
        Self::start_with_rng(&mut getrandom::SysRng, party)
    }

    /// As [`start`](Self::start), with the ephemeral key from `rng`.
    ///
    /// # Errors
    /// [`Error::Random`] if the generator fails.
    pub fn start_with_rng<R: TryCryptoRng + ?Sized>(
        rng: &mut R,
        party: Party,
    ) -> Result<(Self, PublicKey), Error> {
        let ephemeral = wiped_after::<POINT_WORDS, _>(|| {
            Ok::<_, Error>(Box::new(Ephemeral::new(random_scalar(rng)?)))
        })?;
        let point = ephemeral.point;
        Ok((Self { party, ephemeral }, point))
    }

    /// The initiator, which now knows the responder.
    #[must_use]
    pub fn with_peer(self, peer: Peer) -> Initiator {
        Initiator {
            party: self.party,
            peer,
            ephemeral: self.ephemeral,
        }
    }
}

// Its secrets are a PrivateKey and a Zeroizing value.
impl ZeroizeOnDrop for Opening {}
