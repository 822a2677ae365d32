//! The two sides of an exchange, of SM2 and of SM9: what the steps need of either.

use std::fmt::Display;

use kuaimi::sm2::PublicKey;
use kuaimi::sm9::G1Point;
use kuaimi::{sm2, sm9};
use zeroize::Zeroizing;

use super::message::Point;

type Key = Zeroizing<Vec<u8>>;

/// Side A, between its steps.
pub trait Initiator: Sized {
    type Point: Point;
    type Error: Error;

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
