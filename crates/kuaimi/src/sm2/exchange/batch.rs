//! Many key exchanges (GB/T 32918.3-2016, clause 6.1): the products of points of all of them
//! together.

use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;

use rand_core::TryCryptoRng;
use zeroize::Zeroizing;

use kuaimi_math::arith::U256;
use kuaimi_math::sm2::group::{self, Point};
use kuaimi_platform::declassify;

use super::{
    Ephemeral, Initiator, Opening, Party, Peer, Responder, Response, own_factor, reduced_x,
};
use crate::batch::{Threads, failed, in_chunks};
use crate::sm2::batch::{LONG, SHORT, draw, none};
use crate::sm2::scalar::is_nonzero_scalar;
use crate::sm2::{Error, PrivateKey, PublicKey};

/// The initiators of many exchanges: steps A1 to A3 of each. An [`Opening`] becomes an
/// [`Initiator`] when it knows its peer; [`finish_batch`] takes many of them.
///
/// Constant time in the ephemeral keys.
///
/// # Errors
/// For a party, [`Error::Random`] if the generator fails.
///
/// ```
/// # use kuaimi::Threads;
/// use kuaimi::sm2::batch::{FinishItem, RespondItem, finish_batch, respond_batch, start_batch};
/// use kuaimi::sm2::exchange::{Party, Peer};
/// # use kuaimi::sm2::{Error, PrivateKey};
///
/// let (a, b) = (PrivateKey::generate()?, PrivateKey::generate()?);
/// let (alice, bob) = (Party::new(&a, b"alice")?, Party::new(&b, b"bob")?);
/// let (to_a, to_b) = (Peer::new(a.public_key(), b"alice")?, Peer::new(b.public_key(), b"bob")?);
///
/// // A has three exchanges with B, and sends the points.
/// let started = start_batch(&[&alice, &alice, &alice], Threads::One);
/// let started = started.into_iter().collect::<Result<Vec<_>, Error>>()?;
/// // B answers all of them.
/// let items: Vec<_> = started.iter().map(|(_, r_a)| RespondItem::new(&bob, &to_a, r_a)).collect();
/// let responses = respond_batch(&items, 16, Threads::One);
/// let responses = responses.into_iter().collect::<Result<Vec<_>, Error>>()?;
/// // A finishes them.
/// let confirmations: Vec<_> = responses.iter().map(|response| response.confirmation()).collect();
/// let items = started.into_iter().zip(&responses).zip(&confirmations);
/// let items = items.map(|(((opening, _), response), s_b)| {
///     FinishItem::new(opening.with_peer(to_b.clone()), response.point(), s_b)
/// });
/// for (finished, response) in finish_batch(items.collect(), 16, Threads::One).into_iter().zip(responses) {
///     let finished = finished?;
///     let s_a = finished.confirmation.expect("there was one");
///     assert_eq!(response.confirm(&s_a)?, finished.key);
/// }
/// # Ok::<(), Error>(())
/// ```
#[cfg(feature = "getrandom")]
pub fn start_batch(
    parties: &[&Party],
    threads: Threads,
) -> Vec<Result<(Opening, PublicKey), Error>> {
    let mut started = failed(&Error::Random, parties.len());
    in_chunks(
        (threads, SHORT),
        parties,
        &mut started,
        group::chunk(),
        |parties, started| start_on(Threads::One, &mut getrandom::SysRng, parties, started),
    );
    started
}

/// As [`start_batch`], from `rng`: 32 bytes for each party in one request, and more if a number is
/// out of range.
///
/// # Errors
/// As [`start_batch`].
pub fn start_batch_with_rng<R: TryCryptoRng + ?Sized>(
    rng: &mut R,
    parties: &[&Party],
    threads: Threads,
) -> Vec<Result<(Opening, PublicKey), Error>> {
    let mut started = failed(&Error::Random, parties.len());
    start_on(threads, rng, parties, &mut started);
    started
}

/// Starts on these threads, with all randomness drawn by this one.
fn start_on<R: TryCryptoRng + ?Sized>(
    threads: Threads,
    rng: &mut R,
    parties: &[&Party],
    started: &mut [Result<(Opening, PublicKey), Error>],
) {
    let random = match draw::<32, R>(rng, parties.len()) {
        Ok(random) => random,
        Err(error) => return started.fill_with(|| Err(error)),
    };
    let jobs: Vec<(&Party, &[u8; 32])> = parties.iter().copied().zip(random.iter()).collect();
    in_chunks(
        (threads, SHORT),
        &jobs,
        started,
        group::chunk(),
        start_chunk,
    );
    for (started, party) in started.iter_mut().zip(parties) {
        // A number out of range, which happens once in 2³².
        if started.is_err() {
            *started = Opening::start_with_rng(rng, (*party).clone());
        }
    }
}

fn start_chunk(jobs: &[(&Party, &[u8; 32])], out: &mut [Result<(Opening, PublicKey), Error>]) {
    let (r, points) = ephemeral_keys(jobs.iter().map(|(_, random)| *random));
    for (((out, (party, _)), r), point) in out.iter_mut().zip(jobs).zip(r.iter()).zip(&points) {
        if is_nonzero_scalar(r) {
            let opening = Opening {
                party: (*party).clone(),
                ephemeral: Box::new(Ephemeral {
                    r: Zeroizing::new(*r),
                    point: *point,
                }),
            };
            *out = Ok((opening, *point));
        }
    }
}

/// `r`, which may be out of range, and `[r]G`.
fn ephemeral_keys<'a>(
    random: impl ExactSizeIterator<Item = &'a [u8; 32]>,
) -> (Zeroizing<Vec<U256>>, Vec<PublicKey>) {
    let r: Zeroizing<Vec<U256>> = Zeroizing::new(random.map(U256::from_be_bytes).collect());
    let mut products = vec![Point::default(); r.len()];
    group::generator_mul_many(&r, &mut products);
    (r, products.iter().map(PublicKey::from_point).collect())
}

/// The point of an initiator, and who answers it, for [`respond_batch`].
///
/// ```
/// use kuaimi::sm2::batch::RespondItem;
/// use kuaimi::sm2::exchange::{Party, Peer};
/// use kuaimi::sm2::{Error, PrivateKey};
///
/// let (a, b) = (PrivateKey::from_bytes(&[7; 32])?, PrivateKey::from_bytes(&[8; 32])?);
/// let (bob, to_a) = (Party::new(&b, b"bob")?, Peer::new(a.public_key(), b"alice")?);
/// # let r_a = *PrivateKey::from_bytes(&[9; 32])?.public_key();
/// let item = RespondItem::new(&bob, &to_a, &r_a);
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct RespondItem<'a> {
    party: &'a Party,
    peer: &'a Peer,
    r_a: &'a PublicKey,
}

impl<'a> RespondItem<'a> {
    /// The answer of `party` to the initiator `peer`, whose point is `r_a`.
    pub fn new(party: &'a Party, peer: &'a Peer, r_a: &'a PublicKey) -> Self {
        Self { party, peer, r_a }
    }

    fn respond_alone<R: TryCryptoRng + ?Sized>(
        &self,
        rng: &mut R,
        key_len: usize,
    ) -> Result<Response, Error> {
        Responder::new(self.party.clone(), self.peer.clone())
            .respond_with_rng(rng, self.r_a, key_len)
    }
}

/// The responders of many exchanges: for each item what [`Responder::respond`] gives, with keys of
/// `key_len` bytes. For servers that have many peers to answer. [`start_batch`] has an example.
///
/// Constant time in the private keys, the ephemeral keys and the shared keys.
///
/// # Errors
/// For an item, the errors of [`Responder::respond`].
#[cfg(feature = "getrandom")]
pub fn respond_batch(
    items: &[RespondItem<'_>],
    key_len: usize,
    threads: Threads,
) -> Vec<Result<Response, Error>> {
    let mut responses = failed(&Error::Random, items.len());
    in_chunks(
        (threads, LONG),
        items,
        &mut responses,
        group::chunk(),
        |items, responses| {
            let rng = &mut getrandom::SysRng;
            respond_on(Threads::One, rng, items, key_len, responses);
        },
    );
    responses
}

/// As [`respond_batch`], with ephemeral keys from `rng`: 32 bytes for each item in one request, and
/// more if a number is out of range.
///
/// # Errors
/// As [`respond_batch`].
pub fn respond_batch_with_rng<R: TryCryptoRng + ?Sized>(
    rng: &mut R,
    items: &[RespondItem<'_>],
    key_len: usize,
    threads: Threads,
) -> Vec<Result<Response, Error>> {
    let mut responses = failed(&Error::Random, items.len());
    respond_on(threads, rng, items, key_len, &mut responses);
    responses
}

/// Responds on these threads, with all randomness drawn by this one.
fn respond_on<R: TryCryptoRng + ?Sized>(
    threads: Threads,
    rng: &mut R,
    items: &[RespondItem<'_>],
    key_len: usize,
    responses: &mut [Result<Response, Error>],
) {
    if let ([item], [response]) = (items, &mut *responses) {
        *response = item.respond_alone(rng, key_len);
        return;
    }
    let random = match draw::<32, R>(rng, items.len()) {
        Ok(random) => random,
        Err(error) => return responses.fill_with(|| Err(error)),
    };
    let jobs: Vec<(&RespondItem<'_>, &[u8; 32])> = items.iter().zip(random.iter()).collect();
    let mut computed = none(items.len());
    in_chunks(
        (threads, LONG),
        &jobs,
        &mut computed,
        group::chunk(),
        |jobs, out| respond_chunk(jobs, key_len, out),
    );
    for ((response, computed), item) in responses.iter_mut().zip(computed).zip(items) {
        *response = computed.unwrap_or_else(|| {
            // A number out of range, which happens once in 2³².
            item.respond_alone(rng, key_len)
        });
    }
}

fn respond_chunk(
    jobs: &[(&RespondItem<'_>, &[u8; 32])],
    key_len: usize,
    out: &mut [Option<Result<Response, Error>>],
) {
    // B1, B2: r_B ∈ [1, n − 1] and R_B = [r_B]G
    let (r, points) = ephemeral_keys(jobs.iter().map(|(_, random)| *random));
    // B3 to B6
    let sides: Vec<Side<'_>> = jobs
        .iter()
        .zip(r.iter().zip(&points))
        .map(|((item, _), own)| Side {
            secret: &item.party.secret,
            own,
            peer: [&item.peer.public, item.r_a],
        })
        .collect();
    let shared = shared_points(&sides);
    // B7, and the confirmation of B8 when it is asked for
    for ((((out, (item, _)), u), r), point) in out
        .iter_mut()
        .zip(jobs)
        .zip(&*shared)
        .zip(r.iter())
        .zip(&points)
    {
        if !is_nonzero_scalar(r) {
            continue;
        }
        let respond = |u| {
            let sides = (item.party, item.peer);
            Response::new(group::point_to_bytes(u), sides, [item.r_a, point], key_len)
        };
        *out = Some(
            u.as_ref()
                .ok_or(Error::ConfirmationFailed)
                .and_then(respond),
        );
    }
}

/// An initiator and what it got from its responder, for [`finish_batch`]. It is used up, as an
/// ephemeral key serves one exchange.
pub struct FinishItem<'a> {
    initiator: Initiator,
    r_b: &'a PublicKey,
    s_b: Option<&'a [u8; 32]>,
}

impl<'a> FinishItem<'a> {
    /// An exchange whose key is confirmed: the responder's point and its confirmation.
    pub fn new(initiator: Initiator, r_b: &'a PublicKey, s_b: &'a [u8; 32]) -> Self {
        Self {
            initiator,
            r_b,
            s_b: Some(s_b),
        }
    }

    /// An exchange whose key is not confirmed: the responder's point.
    pub fn unconfirmed(initiator: Initiator, r_b: &'a PublicKey) -> Self {
        Self {
            initiator,
            r_b,
            s_b: None,
        }
    }

    fn finish_alone(self, key_len: usize) -> Result<Finished, Error> {
        let (key, confirmation) = match self.s_b {
            Some(s_b) => {
                let (key, s_a) = self.initiator.finish(self.r_b, s_b, key_len)?;
                (key, Some(s_a))
            }
            None => (self.initiator.finish_unconfirmed(self.r_b, key_len)?, None),
        };
        Ok(Finished { key, confirmation })
    }

    /// Steps A8 to A10, with `U`.
    fn finish(&self, u: &Point, key_len: usize) -> Result<Finished, Error> {
        let shared = self.initiator.shared(group::point_to_bytes(u), self.r_b);
        Ok(Finished {
            key: shared.key(key_len)?,
            confirmation: self.s_b.map(|s_b| shared.confirmed(s_b)).transpose()?,
        })
    }
}

impl fmt::Debug for FinishItem<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FinishItem")
            .field("r_b", &self.r_b)
            .field("s_b", &self.s_b)
            .finish_non_exhaustive()
    }
}

/// What an initiator has at the end.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Finished {
    /// The shared key. Wiped when dropped.
    pub key: Zeroizing<Vec<u8>>,
    /// The confirmation `S_A` to send to the responder, if there was one of the responder.
    pub confirmation: Option<[u8; 32]>,
}

impl fmt::Debug for Finished {
    /// Without the key.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Finished")
            .field("confirmation", &self.confirmation)
            .finish_non_exhaustive()
    }
}

/// The initiators of many exchanges, when they have the answers of their responders: for each item
/// what [`Initiator::finish`] or [`Initiator::finish_unconfirmed`] gives, with keys of `key_len`
/// bytes. [`start_batch`] has an example.
///
/// Constant time in the private keys, the ephemeral keys and the shared keys.
///
/// # Errors
/// For an item, the errors of [`Initiator::finish`].
pub fn finish_batch(
    items: Vec<FinishItem<'_>>,
    key_len: usize,
    threads: Threads,
) -> Vec<Result<Finished, Error>> {
    if items.len() == 1 {
        let alone = |item: FinishItem<'_>| item.finish_alone(key_len);
        return items.into_iter().map(alone).collect();
    }
    let mut finished = failed(&Error::ConfirmationFailed, items.len());
    in_chunks(
        (threads, LONG),
        &items,
        &mut finished,
        group::chunk(),
        |items, out| finish_chunk(items, key_len, out),
    );
    finished
}

fn finish_chunk(items: &[FinishItem<'_>], key_len: usize, out: &mut [Result<Finished, Error>]) {
    // A4 to A7
    let sides: Vec<Side<'_>> = items
        .iter()
        .map(|FinishItem { initiator, r_b, .. }| Side {
            secret: &initiator.party.secret,
            own: (&initiator.ephemeral.r, &initiator.ephemeral.point),
            peer: [&initiator.peer.public, r_b],
        })
        .collect();
    let shared = shared_points(&sides);
    // A8 to A10
    for ((out, item), u) in out.iter_mut().zip(items).zip(&*shared) {
        if let Some(u) = u {
            *out = item.finish(u, key_len);
        }
    }
}

/// What one side of an exchange has for `U`.
struct Side<'a> {
    secret: &'a PrivateKey,
    /// `r` and `R = [r]G`.
    own: (&'a U256, &'a PublicKey),
    /// `P'` and `R'`.
    peer: [&'a PublicKey; 2],
}

/// `U = [t](P' + [x̄']R')` of each side, as in [`Ephemeral::shared_point`]; `None` for infinity.
fn shared_points(sides: &[Side<'_>]) -> Zeroizing<Vec<Option<Point>>> {
    let factors: Vec<U256> = sides.iter().map(|side| reduced_x(side.peer[1])).collect();
    let publics: Vec<Point> = sides.iter().map(|side| side.peer[0].to_point()).collect();
    let points: Vec<Point> = sides.iter().map(|side| side.peer[1].to_point()).collect();
    // Of public points with public factors.
    let mut sums = vec![None; sides.len()];
    group::point_mul_add_many_vartime(&factors, &points, &publics, &mut sums);

    let mut t = Zeroizing::new(vec![U256::ONE; sides.len()]);
    for ((t, sum), side) in t.iter_mut().zip(&mut sums).zip(sides) {
        let (r, point) = side.own;
        let factor = own_factor(side.secret, r, point);
        // Neither happens with a peer who follows the protocol, and the error shows it.
        if declassify(factor.ct_is_zero()) {
            *sum = None;
        } else {
            *t = *factor;
        }
    }
    // Sides without a sum multiply another point, which is not used.
    let bases: Vec<Point> = sums
        .iter()
        .zip(&points)
        .map(|(sum, point)| sum.unwrap_or(*point))
        .collect();
    let mut products = Zeroizing::new(vec![Point::default(); sides.len()]);
    group::point_mul_many(&t, &bases, &mut products);
    let mut shared = Zeroizing::new(vec![None; sides.len()]);
    for ((shared, product), sum) in shared.iter_mut().zip(products.iter()).zip(&sums) {
        *shared = sum.map(|_| *product);
    }
    shared
}
