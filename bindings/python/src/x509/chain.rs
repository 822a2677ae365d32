//! Chains of certificates.

use kuaimi_pki::chain::{PeerName, Policy, Purpose, Revocation, Verifier};
use kuaimi_pki::crl::Crl;
use pyo3::prelude::*;

use super::{Certificate, identities};
use crate::bytes::Input;
use crate::error::Failure;

/// Trust anchors, and lists of revoked certificates.
#[pyclass(frozen, module = "kuaimi._native.x509")]
pub(crate) struct Store(Verifier);

#[pymethods]
impl Store {
    /// Anchors, and lists in DER or PEM.
    #[new]
    fn new(anchors: Vec<PyRef<'_, Certificate>>, crls: Vec<Input>) -> Result<Self, Failure> {
        let anchors: Vec<_> = anchors.iter().map(|one| one.0.clone()).collect();
        let mut lists = Vec::new();
        for list in &crls {
            lists.extend(Crl::read_all(list)?);
        }
        Ok(Self(Verifier::new(&anchors).with_crls(&lists)))
    }

    /// The certificates from the end certificate to an anchor, in DER.
    #[pyo3(signature = (end, intermediates, *, time, purpose, peer, revocation, max_intermediates, empty_identity))]
    #[allow(clippy::too_many_arguments, reason = "called by one Python class")]
    fn verify(
        &self,
        py: Python<'_>,
        end: &Certificate,
        intermediates: Vec<PyRef<'_, Certificate>>,
        time: u64,
        purpose: &str,
        peer: Option<&str>,
        revocation: &str,
        max_intermediates: usize,
        empty_identity: bool,
    ) -> Result<Vec<Vec<u8>>, Failure> {
        let mut policy = Policy::at(time)
            .purpose(match purpose {
                "server" => Purpose::Server,
                "client" => Purpose::Client,
                "signing" => Purpose::MessageSigning,
                "encryption" => Purpose::Encryption,
                _ => Purpose::Any,
            })
            .revocation(match revocation {
                "end" => Revocation::RequiredForEnd,
                "all" => Revocation::RequiredForAll,
                _ => Revocation::IfPresent,
            })
            .max_intermediates(max_intermediates)
            .identities(identities(empty_identity));
        if let Some(peer) = peer {
            policy = policy.peer(PeerName::new(peer)?);
        }
        let intermediates: Vec<_> = intermediates.iter().map(|one| one.0.clone()).collect();
        let path = py.detach(|| self.0.verify(&end.0, &intermediates, &policy))?;
        let path = path.certificates().iter();
        Ok(path.map(|one| one.as_der().to_vec()).collect())
    }
}
