//! The groups for key exchange.

use rustls_0_24::Error;
use rustls_0_24::crypto::GetRandomFailed;
use rustls_0_24::crypto::kx::{
    ActiveKeyExchange, CompletedKeyExchange, NamedGroup, SharedSecret, StartedKeyExchange,
    SupportedKxGroup,
};
use rustls_0_24::error::PeerMisbehaved;

#[cfg(feature = "mlkem")]
pub use self::hybrid::CURVE_SM2_MLKEM768;
use crate::share::{Ephemeral, InvalidShare};

/// `curveSM2` (0x0029).
pub static CURVE_SM2: &dyn SupportedKxGroup = &CurveSm2;

/// The group `curveSM2` as a type.
#[derive(Debug)]
pub struct CurveSm2;

impl From<InvalidShare> for Error {
    fn from(_: InvalidShare) -> Self {
        PeerMisbehaved::InvalidKeyShare.into()
    }
}

fn generate() -> Result<Ephemeral, Error> {
    Ephemeral::generate().map_err(|_| GetRandomFailed.into())
}

impl SupportedKxGroup for CurveSm2 {
    fn start(&self) -> Result<StartedKeyExchange, Error> {
        Ok(StartedKeyExchange::Single(Box::new(generate()?)))
    }

    fn start_and_complete(&self, peer: &[u8]) -> Result<CompletedKeyExchange, Error> {
        let key = generate()?;
        Ok(CompletedKeyExchange {
            group: self.name(),
            pub_key: key.share().to_vec(),
            secret: key.agree(peer)?.as_slice().into(),
        })
    }

    fn name(&self) -> NamedGroup {
        NamedGroup::curveSM2
    }
}

impl ActiveKeyExchange for Ephemeral {
    fn complete(self: Box<Self>, peer: &[u8]) -> Result<SharedSecret, Error> {
        Ok(self.agree(peer)?.as_slice().into())
    }

    fn pub_key(&self) -> &[u8] {
        self.share()
    }

    fn group(&self) -> NamedGroup {
        NamedGroup::curveSM2
    }
}

#[cfg(feature = "mlkem")]
mod hybrid {
    use rustls_0_24::crypto::kx::HybridKeyExchange;

    use super::*;
    use crate::hybrid::{Client, Failure, answer};
    use crate::names;

    /// `curveSM2MLKEM768` (4590): SM2's curve with ML-KEM-768.
    ///
    /// The providers do not have it on their own: put it first in their `kx_groups`. A client then
    /// sends shares for it and for `curveSM2`.
    pub static CURVE_SM2_MLKEM768: &dyn SupportedKxGroup = &CurveSm2MlKem768;

    const HYBRID: NamedGroup = NamedGroup(names::CURVE_SM2_MLKEM768);

    #[derive(Debug)]
    struct CurveSm2MlKem768;

    impl From<Failure> for Error {
        fn from(failure: Failure) -> Self {
            match failure {
                Failure::Random => GetRandomFailed.into(),
                Failure::InvalidShare => PeerMisbehaved::InvalidKeyShare.into(),
            }
        }
    }

    impl SupportedKxGroup for CurveSm2MlKem768 {
        fn start(&self) -> Result<StartedKeyExchange, Error> {
            Ok(StartedKeyExchange::Hybrid(Box::new(Client::generate()?)))
        }

        fn start_and_complete(&self, peer: &[u8]) -> Result<CompletedKeyExchange, Error> {
            let (share, secret) = answer(peer)?;
            Ok(CompletedKeyExchange {
                group: HYBRID,
                pub_key: share,
                secret: secret.as_slice().into(),
            })
        }

        fn name(&self) -> NamedGroup {
            HYBRID
        }
    }

    impl ActiveKeyExchange for Client {
        fn complete(self: Box<Self>, peer: &[u8]) -> Result<SharedSecret, Error> {
            Ok(self.agree(peer)?.as_slice().into())
        }

        fn pub_key(&self) -> &[u8] {
            self.share()
        }

        fn group(&self) -> NamedGroup {
            HYBRID
        }
    }

    impl HybridKeyExchange for Client {
        fn component(&self) -> (NamedGroup, &[u8]) {
            (NamedGroup::curveSM2, self.classical().share())
        }

        fn complete_component(self: Box<Self>, peer: &[u8]) -> Result<SharedSecret, Error> {
            Ok(self.classical().agree(peer)?.as_slice().into())
        }

        fn as_key_exchange(&self) -> &(dyn ActiveKeyExchange + 'static) {
            self
        }

        fn into_key_exchange(self: Box<Self>) -> Box<dyn ActiveKeyExchange> {
            self
        }
    }
}
