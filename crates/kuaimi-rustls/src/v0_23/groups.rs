//! The groups for key exchange.

use rustls::crypto::{
    ActiveKeyExchange, CompletedKeyExchange, GetRandomFailed, SharedSecret, SupportedKxGroup,
};
use rustls::ffdhe_groups::FfdheGroup;
use rustls::{Error, NamedGroup, PeerMisbehaved, ProtocolVersion};

use crate::names;
use crate::share::{Ephemeral, InvalidShare};

/// `curveSM2` (0x0029).
pub static CURVE_SM2: &dyn SupportedKxGroup = &CurveSm2;

/// The group `curveSM2` as a type.
#[derive(Debug)]
pub struct CurveSm2;

const NAME: NamedGroup = NamedGroup::Unknown(names::CURVE_SM2);

impl From<InvalidShare> for Error {
    fn from(_: InvalidShare) -> Self {
        PeerMisbehaved::InvalidKeyShare.into()
    }
}

fn generate() -> Result<Ephemeral, Error> {
    Ephemeral::generate().map_err(|_| GetRandomFailed.into())
}

impl SupportedKxGroup for CurveSm2 {
    fn start(&self) -> Result<Box<dyn ActiveKeyExchange>, Error> {
        Ok(Box::new(generate()?))
    }

    fn start_and_complete(&self, peer: &[u8]) -> Result<CompletedKeyExchange, Error> {
        let key = generate()?;
        Ok(CompletedKeyExchange {
            group: NAME,
            pub_key: key.share().to_vec(),
            secret: key.agree(peer)?.as_slice().into(),
        })
    }

    fn ffdhe_group(&self) -> Option<FfdheGroup<'static>> {
        None
    }

    fn name(&self) -> NamedGroup {
        NAME
    }

    /// RFC 8998 is about TLS 1.3 alone.
    fn usable_for_version(&self, version: ProtocolVersion) -> bool {
        version == ProtocolVersion::TLSv1_3
    }
}

impl ActiveKeyExchange for Ephemeral {
    fn complete(self: Box<Self>, peer: &[u8]) -> Result<SharedSecret, Error> {
        Ok(self.agree(peer)?.as_slice().into())
    }

    fn pub_key(&self) -> &[u8] {
        self.share()
    }

    fn ffdhe_group(&self) -> Option<FfdheGroup<'static>> {
        None
    }

    fn group(&self) -> NamedGroup {
        NAME
    }
}

#[cfg(feature = "mlkem")]
pub use self::hybrid::CURVE_SM2_MLKEM768;

#[cfg(feature = "mlkem")]
mod hybrid {
    use super::*;
    use crate::hybrid::{Client, Failure, answer};

    /// `curveSM2MLKEM768` (4590): SM2's curve with ML-KEM-768.
    ///
    /// The providers do not have it on their own: put it first in their `kx_groups`. A client then
    /// sends shares for it and for `curveSM2`.
    pub static CURVE_SM2_MLKEM768: &dyn SupportedKxGroup = &CurveSm2MlKem768;

    const HYBRID: NamedGroup = NamedGroup::Unknown(names::CURVE_SM2_MLKEM768);

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
        fn start(&self) -> Result<Box<dyn ActiveKeyExchange>, Error> {
            Ok(Box::new(Client::generate()?))
        }

        fn start_and_complete(&self, peer: &[u8]) -> Result<CompletedKeyExchange, Error> {
            let (share, secret) = answer(peer)?;
            Ok(CompletedKeyExchange {
                group: HYBRID,
                pub_key: share,
                secret: secret.as_slice().into(),
            })
        }

        fn ffdhe_group(&self) -> Option<FfdheGroup<'static>> {
            None
        }

        fn name(&self) -> NamedGroup {
            HYBRID
        }

        fn usable_for_version(&self, version: ProtocolVersion) -> bool {
            version == ProtocolVersion::TLSv1_3
        }
    }

    impl ActiveKeyExchange for Client {
        fn complete(self: Box<Self>, peer: &[u8]) -> Result<SharedSecret, Error> {
            Ok(self.agree(peer)?.as_slice().into())
        }

        fn hybrid_component(&self) -> Option<(NamedGroup, &[u8])> {
            Some((NAME, self.classical().share()))
        }

        fn complete_hybrid_component(self: Box<Self>, peer: &[u8]) -> Result<SharedSecret, Error> {
            Ok(self.classical().agree(peer)?.as_slice().into())
        }

        fn pub_key(&self) -> &[u8] {
            self.share()
        }

        fn ffdhe_group(&self) -> Option<FfdheGroup<'static>> {
            None
        }

        fn group(&self) -> NamedGroup {
            HYBRID
        }
    }
}
