//! Whom a side trusts: the peer's certificates, verified by [`kuaimi_pki::chain`].

use core::fmt;
use std::sync::Arc;

use kuaimi::sm3::Sm3;
use kuaimi_pki::Certificate;
use kuaimi_pki::chain::{KeyUse, PeerName, Policy, Purpose, Revocation, Verifier};
use kuaimi_pki::crl::Crl;
use kuaimi_pki::public_key::Identities;

use crate::error::Half;
use crate::{AlertDescription, Error, KeyExchange};

/// The authorities that a side trusts, and how strictly it verifies. Clones share it.
///
/// Both certificates of the pair are verified: the path to an authority, dates, the key usage of
/// either half, revocation, and of a server the name. A client with ECC needs the signing
/// certificate alone, as its encrypting key takes no part.
///
/// ```
/// use kuaimi_pki::Certificate;
/// use kuaimi_tlcp::{Error, Trust};
///
/// fn trust(file: &[u8]) -> Result<Trust, Error> {
///     let roots = Certificate::read_all(file).map_err(Error::OwnCertificate)?;
///     Trust::new(&roots)
/// }
/// ```
#[derive(Clone)]
pub struct Trust(Arc<Inner>);

#[derive(Clone)]
struct Inner {
    verify: Verify,
    /// The subjects of the authorities in DER, for CertificateRequest.
    authorities: Vec<Vec<u8>>,
    /// Of the authorities, so that a session is not resumed under others.
    digest: [u8; 32],
}

#[derive(Clone)]
enum Verify {
    Chain(Box<ByChain>),
    Dangerous(Arc<dyn DangerousVerifier>),
}

#[derive(Clone)]
struct ByChain {
    roots: Vec<Certificate>,
    lists: Vec<Crl>,
    verifier: Arc<Verifier>,
    revocation: Revocation,
    identities: Identities,
    common_name: bool,
}

/// What a peer shows of itself.
#[derive(Clone, Copy, Debug)]
pub struct Presented<'a> {
    /// Its certificates, as they came: signing, encrypting, authorities.
    pub certificates: &'a [Certificate],
    /// The name that a server is asked to have; nothing for a client.
    pub server_name: Option<&'a PeerName>,
    /// The time, in seconds since 1970.
    pub now: u64,
}

/// A verifier of the caller's, in the place of this library's. **Dangerous**: one that accepts too
/// much lets anybody be the peer.
pub trait DangerousVerifier: Send + Sync {
    /// Whether the peer is the one that it should be.
    ///
    /// # Errors
    /// The alert to refuse the peer with.
    fn verify(&self, presented: &Presented<'_>) -> Result<(), AlertDescription>;
}

impl Trust {
    /// Trusts these authorities, and no others. There is no list of the system's for SM2.
    ///
    /// # Errors
    /// [`Error::Config`] without an authority, as then nobody would be accepted.
    pub fn new(roots: &[Certificate]) -> Result<Self, Error> {
        if roots.is_empty() {
            return Err(Error::Config("there is no authority to trust"));
        }
        let mut digest = Sm3::new();
        for root in roots {
            digest.update(&kuaimi::sm3::digest(root.as_der()));
        }
        Ok(Self(Arc::new(Inner {
            verify: Verify::Chain(Box::new(ByChain {
                roots: roots.to_vec(),
                lists: Vec::new(),
                verifier: Arc::new(Verifier::new(roots)),
                revocation: Revocation::IfPresent,
                identities: Identities::Default,
                common_name: false,
            })),
            authorities: roots
                .iter()
                .map(|root| root.subject_der().to_vec())
                .collect(),
            digest: digest.finalize(),
        })))
    }

    /// **Dangerous**: leaves the verification to `verifier`. `authorities` are those whose names a
    /// server sends to clients.
    pub fn dangerous(verifier: Arc<dyn DangerousVerifier>, authorities: &[Certificate]) -> Self {
        Self(Arc::new(Inner {
            verify: Verify::Dangerous(verifier),
            authorities: authorities
                .iter()
                .map(|one| one.subject_der().to_vec())
                .collect(),
            digest: kuaimi::sm3::digest(b"dangerous"),
        }))
    }

    /// **Dangerous**: accepts every peer with any certificates, so that anybody on the way can read
    /// and change everything. For tests.
    pub fn dangerous_anyone() -> Self {
        struct Anyone;
        impl DangerousVerifier for Anyone {
            fn verify(&self, _: &Presented<'_>) -> Result<(), AlertDescription> {
                Ok(())
            }
        }
        Self::dangerous(Arc::new(Anyone), &[])
    }

    fn edit(mut self, edit: impl FnOnce(&mut ByChain)) -> Self {
        if let Verify::Chain(chain) = &mut Arc::make_mut(&mut self.0).verify {
            edit(chain);
        }
        self
    }

    /// Lists of revoked certificates. They count once their signatures were verified.
    #[must_use]
    pub fn crls(self, lists: &[Crl]) -> Self {
        self.edit(|chain| {
            chain.lists.extend_from_slice(lists);
            chain.verifier = Arc::new(Verifier::new(&chain.roots).with_crls(&chain.lists));
        })
    }

    /// When revocation is asked about.
    #[must_use]
    pub fn revocation(self, revocation: Revocation) -> Self {
        self.edit(|chain| chain.revocation = revocation)
    }

    /// The identities under which authorities may have signed.
    #[must_use]
    pub fn identities(self, identities: Identities) -> Self {
        self.edit(|chain| chain.identities = identities)
    }

    /// Takes the common name for the server's name if a certificate has no subjectAltName, as old
    /// programs did.
    #[must_use]
    pub fn accept_common_name(self, accept: bool) -> Self {
        self.edit(|chain| chain.common_name = accept)
    }

    pub(crate) fn authorities(&self) -> &[Vec<u8>] {
        &self.0.authorities
    }

    pub(crate) fn digest(&self) -> &[u8; 32] {
        &self.0.digest
    }

    /// Verifies a server, which has to have the name, or else a client.
    pub(crate) fn verify(
        &self,
        presented: &Presented<'_>,
        exchange: KeyExchange,
    ) -> Result<(), Error> {
        match &self.0.verify {
            Verify::Chain(chain) => chain.verify(presented, exchange),
            Verify::Dangerous(verifier) => verifier.verify(presented).map_err(Error::Refused),
        }
    }
}

impl ByChain {
    fn verify(&self, presented: &Presented<'_>, exchange: KeyExchange) -> Result<(), Error> {
        let mut policy = Policy::at(presented.now)
            .revocation(self.revocation)
            .identities(self.identities)
            .accept_common_name(self.common_name)
            .purpose(match presented.server_name {
                Some(_) => Purpose::Server,
                None => Purpose::Client,
            });
        if let Some(name) = presented.server_name {
            policy = policy.peer(name.clone());
        }
        let certificates = presented.certificates;
        let end = certificates.first().ok_or(Error::NoCertificate)?;
        self.one(Half::Signing, end, &certificates[1..], &policy)?;
        if presented.server_name.is_some() || exchange == KeyExchange::Ecdhe {
            let end = certificates.get(1).ok_or(Error::NoCertificate)?;
            self.one(Half::Encryption, end, &certificates[2..], &policy)?;
        }
        Ok(())
    }

    fn one(
        &self,
        half: Half,
        end: &Certificate,
        others: &[Certificate],
        policy: &Policy,
    ) -> Result<(), Error> {
        let policy = policy.clone().key_use(match half {
            Half::Signing => KeyUse::Signing,
            Half::Encryption => KeyUse::Encryption,
        });
        match self.verifier.verify(end, others, &policy) {
            Ok(_) => Ok(()),
            Err(refusal) => Err(Error::Certificate(half, refusal)),
        }
    }
}

impl fmt::Debug for Trust {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let how = match &self.0.verify {
            Verify::Chain(chain) => return f.debug_tuple("Trust").field(&chain.roots).finish(),
            Verify::Dangerous(_) => "dangerous",
        };
        f.debug_tuple("Trust").field(&how).finish()
    }
}
