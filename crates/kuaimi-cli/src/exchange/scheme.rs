//! What the steps of an exchange need of the two schemes, SM2 and SM9.

use std::fmt::{Debug, Display};

use clap::Args;
use kuaimi::sm2::PublicKey;
use kuaimi::sm9::G1Point;
use kuaimi::{sm2, sm9};
use zeroize::Zeroizing;

use super::message::Point;
use crate::context::Context;
use crate::failure::Result;

type Key = Zeroizing<Vec<u8>>;

/// A scheme: what takes part, and the texts of `--help`.
pub trait Scheme: Debug {
    /// The command that `exchange` belongs to.
    const NAME: &'static str;
    /// What `exchange` does, and the end of its help.
    const ABOUT: &'static str;
    const HELP: &'static str;
    /// Examples for the first steps, which differ in what they are given.
    const START: &'static str;
    const RESPOND: &'static str;

    type Point: Point;
    type Error: Error;
    type Initiator: Initiator<Point = Self::Point, Error = Self::Error>;
    type Response: Response<Point = Self::Point, Error = Self::Error>;

    /// The own key and identity, and the other side's.
    type Parties: Args + Debug;
    /// The own key.
    type OwnKey: Args + Debug;

    /// Side A's state and R_A.
    fn start(parties: &Self::Parties, context: Context) -> Result<(Self::Initiator, Self::Point)>;

    /// Side B's response to R_A. The inner error is about the message.
    fn respond(
        parties: &Self::Parties,
        r_a: &Self::Point,
        length: usize,
        context: Context,
    ) -> Result<Result<Self::Response, Self::Error>>;

    /// Side A's state again. The inner error is about the state.
    fn resume(
        key: &Self::OwnKey,
        state: &[u8],
        context: Context,
    ) -> Result<Result<Self::Initiator, Self::Error>>;
}

/// Side A, between its steps.
pub trait Initiator: Sized {
    type Point: Point;
    type Error: Error;

    fn to_bytes(&self) -> Key;
    /// The key, and S_A.
    fn finish(
        self,
        r_b: &Self::Point,
        s_b: &[u8; 32],
        length: usize,
    ) -> Result<(Key, [u8; 32]), Self::Error>;
    fn finish_unconfirmed(self, r_b: &Self::Point, length: usize) -> Result<Key, Self::Error>;
}

/// Side B, between its steps.
pub trait Response: Sized {
    type Point: Point;
    type Error: Error;

    fn to_bytes(&self) -> Key;
    fn from_bytes(bytes: &[u8]) -> Result<Self, Self::Error>;
    /// R_B.
    fn point(&self) -> &Self::Point;
    /// S_B.
    fn confirmation(&self) -> [u8; 32];
    fn confirm(self, s_a: &[u8; 32]) -> Result<Key, Self::Error>;
    fn key_unconfirmed(self) -> Key;
}

pub trait Error: Display {
    /// Whether the other side has another key.
    fn is_mismatch(&self) -> bool;
}

/// The library's types, whose methods have these names already.
macro_rules! sides {
    ($scheme:ident, $point:ty) => {
        impl Point for $point {
            fn read(bytes: &[u8]) -> Result<Self, String> {
                Self::from_sec1_bytes(bytes).map_err(|error| error.to_string())
            }

            fn uncompressed(&self) -> [u8; 65] {
                self.to_sec1_bytes()
            }
        }

        impl Initiator for $scheme::exchange::Initiator {
            type Point = $point;
            type Error = $scheme::Error;

            fn to_bytes(&self) -> Key {
                self.to_bytes()
            }

            fn finish(
                self,
                r_b: &$point,
                s_b: &[u8; 32],
                length: usize,
            ) -> Result<(Key, [u8; 32]), $scheme::Error> {
                self.finish(r_b, s_b, length)
            }

            fn finish_unconfirmed(
                self,
                r_b: &$point,
                length: usize,
            ) -> Result<Key, $scheme::Error> {
                self.finish_unconfirmed(r_b, length)
            }
        }

        impl Response for $scheme::exchange::Response {
            type Point = $point;
            type Error = $scheme::Error;

            fn to_bytes(&self) -> Key {
                self.to_bytes()
            }

            fn from_bytes(bytes: &[u8]) -> Result<Self, $scheme::Error> {
                Self::from_bytes(bytes)
            }

            fn point(&self) -> &$point {
                self.point()
            }

            fn confirmation(&self) -> [u8; 32] {
                self.confirmation()
            }

            fn confirm(self, s_a: &[u8; 32]) -> Result<Key, $scheme::Error> {
                self.confirm(s_a)
            }

            fn key_unconfirmed(self) -> Key {
                self.key_unconfirmed()
            }
        }

        impl Error for $scheme::Error {
            fn is_mismatch(&self) -> bool {
                matches!(self, Self::ConfirmationFailed)
            }
        }
    };
}

sides!(sm2, PublicKey);
sides!(sm9, G1Point);
