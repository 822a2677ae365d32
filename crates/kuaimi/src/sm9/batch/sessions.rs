//! What senders and receivers compute in `GT` and `G1`, for many items together.

use alloc::borrow::Cow;
use alloc::vec;
use alloc::vec::Vec;

use kuaimi_math::arith::U256;
use kuaimi_math::sm9::group::{self, G1, G1Table, G2, Gt, Lines};
use kuaimi_platform::declassify;
use zeroize::Zeroizing;

use super::Recipient;
use crate::batch::failed;
use crate::sm9::encapsulate::{Argument, Session};
use crate::sm9::encryption_key::QTable;
use crate::sm9::{DecryptionKey, EncryptionKey, Error, G1Point};

/// Gathers the arguments of those items that are computed in one way, and puts the results back
/// into their places.
struct Part<'a, T> {
    places: Vec<usize>,
    tables: Vec<&'a T>,
}

impl<T> Default for Part<'_, T> {
    fn default() -> Self {
        Self {
            places: Vec::new(),
            tables: Vec::new(),
        }
    }
}

impl<'a, T> Part<'a, T> {
    fn push(&mut self, place: usize, table: &'a T) {
        self.places.push(place);
        self.tables.push(table);
    }

    /// Those of all items that belong to this part. They may be secret.
    fn of<A: Copy + zeroize::Zeroize>(&self, all: &[A]) -> Zeroizing<Vec<A>> {
        Zeroizing::new(self.places.iter().map(|&place| all[place]).collect())
    }

    fn scatter<O: Copy>(&self, results: &[O], out: &mut [O]) {
        for (&place, result) in self.places.iter().zip(results) {
            out[place] = *result;
        }
    }
}

/// The result of `finish` for each item that has a recipient and a nonce `r`, given what follows
/// from these: `C = [r]Q` and `w = g^r`, and the bytes of the identity.
pub(super) fn with_sessions<'a, I, O>(
    items: &'a [I],
    results: &mut [Result<O, Error>],
    start: impl Fn(&'a I) -> Result<(Recipient<'a>, &'a U256), Error>,
    finish: impl Fn(&'a I, &Session, &[u8]) -> Result<O, Error>,
) {
    let opened = open(items, results, start);
    for (place, key, session) in opened.iter() {
        results[place] = match session {
            Ok(session) => finish(&items[place], session, key.id()),
            Err(error) => Err(*error),
        };
    }
}

/// The recipients' keys and the sessions of those items that have them.
pub(super) struct Opened<'a> {
    keys: Vec<(usize, Cow<'a, EncryptionKey>)>,
    sessions: Vec<Result<Session, Error>>,
}

impl Opened<'_> {
    /// The number of the item, the key, and the session.
    pub(super) fn iter(
        &self,
    ) -> impl Iterator<Item = (usize, &EncryptionKey, &Result<Session, Error>)> {
        let keys = self.keys.iter().map(|(place, key)| (*place, &**key));
        keys.zip(&self.sessions)
            .map(|((place, key), session)| (place, key, session))
    }
}

/// The sessions of the items that have a recipient and a nonce `r`; the errors of the others.
pub(super) fn open<'a, I, O>(
    items: &'a [I],
    results: &mut [Result<O, Error>],
    start: impl Fn(&'a I) -> Result<(Recipient<'a>, &'a U256), Error>,
) -> Opened<'a> {
    let mut r = Zeroizing::new(Vec::with_capacity(items.len()));
    let mut keys = Vec::with_capacity(items.len());
    for (place, item) in items.iter().enumerate() {
        match start(item).and_then(|(recipient, r)| Ok((recipient.key()?, r))) {
            Err(error) => results[place] = Err(error),
            Ok((key, drawn)) => {
                r.push(*drawn);
                keys.push((place, key));
            }
        }
    }
    let references: Vec<&EncryptionKey> = keys.iter().map(|(_, key)| &**key).collect();
    let sessions = sessions(&references, &r);
    Opened { keys, sessions }
}

/// `C = [r]Q` and `w = g^r` of each recipient. The results stay where they are put: what is moved
/// out of a vector leaves a copy there.
fn sessions(keys: &[&EncryptionKey], r: &[U256]) -> Vec<Result<Session, Error>> {
    let mut sessions = failed(&Error::UnusableMasterKey, keys.len());
    let (mut g, mut q, mut ppub) = (Part::default(), Part::default(), Part::default());
    let mut products = Zeroizing::new(vec![U256::ZERO; keys.len()]);
    for (place, (key, r)) in keys.iter().zip(r).enumerate() {
        // A master public key has tables from its second use on, so the next item may find them.
        let tables = key.used_tables();
        let (Some(g_table), Some(multiples)) = tables else {
            sessions[place] = key.session(tables, r);
            continue;
        };
        g.push(place, g_table);
        match multiples {
            QTable::Q(table) => q.push(place, table),
            QTable::Master { h1, ppub: table } => {
                ppub.push(place, table);
                products[place] = group::scalar_mul(r, h1);
            }
        }
    }

    let mut w = Zeroizing::new(vec![Gt::default(); keys.len()]);
    let mut results = Zeroizing::new(vec![Gt::default(); g.places.len()]);
    group::gt_table_pow_many(&g.tables, &g.of(r), &mut results);
    g.scatter(&results, &mut w);

    let mut c = vec![G1::default(); keys.len()];
    let points = |part: &Part<'_, G1Table>, c: &mut [G1], multiply: &dyn Fn(&mut [G1])| {
        let mut points = vec![G1::default(); part.places.len()];
        multiply(&mut points);
        part.scatter(&points, c);
    };
    points(&q, &mut c, &|out| {
        group::g1_table_mul_many(&q.tables, &q.of(r), out)
    });
    points(&ppub, &mut c, &|out| {
        group::g1_generator_table_mul_many(&ppub.of(&products), &ppub.of(r), &ppub.tables, out);
    });

    for &place in &g.places {
        // Zeros where Q is infinity, and the result is the error that is there. The point is sent,
        // and so may be known.
        let [x, y] = c[place].map(|coordinate| U256(coordinate).ct_is_zero());
        if !declassify(x & y) {
            sessions[place] = Ok((c[place], Zeroizing::new(w[place])));
        }
    }
    sessions
}

/// `w = e(C, de)` of each user's key.
pub(super) fn pairings(keys: &[&DecryptionKey], c: &[&G1Point]) -> Zeroizing<Vec<Gt>> {
    let mut w = Zeroizing::new(vec![Gt::default(); keys.len()]);
    let (mut lines, mut points) = (Part::<Lines>::default(), Part::<G2>::default());
    for (place, key) in keys.iter().enumerate() {
        match key.0.argument() {
            Argument::Lines(table) => lines.push(place, table),
            Argument::Point(point) => points.push(place, point),
        }
    }
    let c: Vec<G1> = c.iter().map(|c| c.0).collect();
    let mut results = Zeroizing::new(vec![Gt::default(); lines.places.len()]);
    group::pairing_with_many(&lines.of(&c), &lines.tables, &mut results);
    lines.scatter(&results, &mut w);
    let mut results = Zeroizing::new(vec![Gt::default(); points.places.len()]);
    let q: Zeroizing<Vec<G2>> = Zeroizing::new(points.tables.iter().map(|point| **point).collect());
    group::pairing_many(&points.of(&c), &q, &mut results);
    points.scatter(&results, &mut w);
    w
}
