//! OCSP: requests and responses, made and read, and beside OpenSSL's.

#[path = "common/authority.rs"]
mod authority;
mod common;

use authority::{CA, DAY, Holder, NOW, key, root, validity};
use common::{Folder, openssl};
use kuaimi::encoding::{EncodePrivateKey, EncodePublicKey};
use kuaimi::sm2::PrivateKey;
use kuaimi_pki::certificate::Validity;
use kuaimi_pki::crl::CrlReason;
use kuaimi_pki::extensions::Purpose;
use kuaimi_pki::ocsp::{
    CertId, Check, HashAlgorithm, Request, RequestBuilder, Response, ResponseBuilder,
    ResponseStatus, Status,
};
use kuaimi_pki::{Certificate, Error, Signer, oid};

struct World {
    ca: Holder,
    end: Holder,
    responder: Holder,
}

impl World {
    fn new() -> Self {
        let ca = root("root");
        Self {
            end: ca.issue("end", Purpose::Server),
            responder: ca.issue("responder", Purpose::OcspResponder),
            ca,
        }
    }

    fn id(&self, hash: HashAlgorithm) -> CertId {
        CertId::new(hash, &self.ca.certificate, self.end.certificate.serial())
    }

    fn builder(&self, responder: &Holder, status: Status) -> ResponseBuilder {
        ResponseBuilder::new(&responder.certificate, NOW)
            .unwrap()
            .say(self.id(HashAlgorithm::Sm3), status, NOW, Some(NOW + 3600))
            .unwrap()
            .with_certificate(&responder.certificate)
    }

    fn response(&self, responder: &Holder) -> Response {
        let builder = self.builder(responder, Status::Good);
        builder.sign(&responder.key).unwrap()
    }

    fn check(&self) -> Check<'_> {
        Check::new(&self.ca.certificate, NOW)
    }

    fn status(&self, response: &Response, check: &Check<'_>) -> Result<Status, Error> {
        response.verify(check)?.status_of(&self.end.certificate)
    }
}

const HASHES: [HashAlgorithm; 3] = [
    HashAlgorithm::Sm3,
    HashAlgorithm::Sha1,
    HashAlgorithm::Sha256,
];

#[test]
fn requests() {
    let world = World::new();
    for hash in HASHES {
        let id = world.id(hash);
        let request = RequestBuilder::new()
            .about(id.clone())
            .about(CertId::new(hash, &world.ca.certificate, &[5]))
            .nonce(&[7; 32])
            .build()
            .unwrap();
        let read = Request::from_der(request.as_der()).unwrap();
        assert_eq!(read, request);
        assert_eq!(read.nonce(), Some(&[7; 32][..]));
        assert_eq!(read.ids()[0], id);
        assert_eq!(read.ids()[0].hash_algorithm(), Ok(hash));
        assert_eq!(read.ids()[1].serial(), [5]);
        assert!(id.is_of(&world.ca.certificate, world.end.certificate.serial()));
        assert!(!id.is_of(&world.ca.certificate, &[5]));
        assert!(!id.is_of(&world.end.certificate, world.end.certificate.serial()));
        for end in 0..request.as_der().len() {
            assert!(Request::from_der(&request.as_der()[..end]).is_err());
        }
    }
    assert!(RequestBuilder::new().build().is_err());
    let about = || RequestBuilder::new().about(world.id(HashAlgorithm::Sm3));
    assert!(about().nonce(&[]).build().is_err());
    assert!(about().nonce(&[1; 129]).build().is_err());
}

#[test]
fn responses_of_the_issuer_and_of_its_delegate() {
    let world = World::new();
    for responder in [&world.ca, &world.responder] {
        for status in [
            Status::Good,
            Status::Unknown,
            Status::Revoked(NOW - DAY, None),
            Status::Revoked(NOW - DAY, Some(CrlReason::KeyCompromise)),
        ] {
            let response = world.builder(responder, status);
            let response = response.sign(&responder.key).unwrap();
            let read = Response::from_der(response.as_der()).unwrap();
            assert_eq!(read.status(), ResponseStatus::Successful);
            assert_eq!(read.produced_at(), Some(NOW));
            assert_eq!(read.signature_oid(), Some(oid::SM2_WITH_SM3));
            // The identifier of the key in the certificate is its SHA-1, too.
            let id = responder.certificate.subject_key_identifier().unwrap();
            assert_eq!(read.responder_key_hash(), id.as_deref());
            assert_eq!(read.responder_name(), None);
            assert_eq!(world.status(&read, &world.check()), Ok(status));
            let verified = world.check();
            let verified = read.verify(&verified).unwrap();
            let single = verified.answer_to(&world.id(HashAlgorithm::Sha1)).unwrap();
            assert_eq!(single.next_update(), Some(NOW + 3600));
            assert!(verified.single(&[9]).is_err());
        }
    }
    // In two steps.
    let prepared = world
        .builder(&world.responder, Status::Good)
        .prepare()
        .unwrap();
    let signature = world.responder.key.sign_digest(&prepared.digest()).unwrap();
    assert!(prepared.clone().finish(&signature).is_ok());
    let wrong = world.ca.key.sign_digest(&prepared.digest()).unwrap();
    assert_eq!(prepared.finish(&wrong).unwrap_err(), Error::Signature);
}

#[test]
fn responders_without_authority() {
    let world = World::new();
    let other = root("other");
    let unauthorised = |response: &Response| {
        let error = world.status(response, &world.check()).unwrap_err();
        assert!(error.to_string().contains("did not authorise"), "{error}");
    };
    // A stranger, a server, another authority's responder.
    unauthorised(&world.response(&other));
    unauthorised(&world.response(&world.ca.issue("server", Purpose::Server)));
    unauthorised(&world.response(&other.issue("responder", Purpose::OcspResponder)));
    // One that has expired.
    let short = Validity::days(authority::date("2026-01-01T00:00:00Z"), 10).unwrap();
    let expired = world.ca.issue_full(
        "CN=expired",
        key("expired"),
        Purpose::OcspResponder,
        short,
        |_| {},
    );
    unauthorised(&world.response(&expired));
    // Of a false authority of the same name: the certificate's signature does not fit.
    let impostor = other.issue_full("CN=root", key("impostor"), CA, validity(), |_| {});
    let delegate = impostor.issue("responder", Purpose::OcspResponder);
    assert_eq!(
        world.status(&world.response(&delegate), &world.check()),
        Err(Error::Signature)
    );
    // The delegate's certificate must come along, or be known.
    let response = ResponseBuilder::new(&world.responder.certificate, NOW)
        .unwrap()
        .say(world.id(HashAlgorithm::Sm3), Status::Good, NOW, None)
        .unwrap()
        .sign(&world.responder.key)
        .unwrap();
    unauthorised(&response);
    let known = [world.responder.certificate.clone()];
    let check = world.check().delegates(&known);
    assert_eq!(world.status(&response, &check), Ok(Status::Good));
}

#[test]
fn times_and_nonces() {
    let world = World::new();
    let response = world.response(&world.ca);
    let at = |time, skew| {
        let check = Check::new(&world.ca.certificate, time).skew(skew);
        world.status(&response, &check).is_ok()
    };
    for (time, skew, accepted) in [
        (NOW, 0, true),
        (NOW - 1, 0, false),
        (NOW - 1, 1, true),
        (NOW + 3600, 0, true),
        (NOW + 3601, 0, false),
        (NOW + 3610, 10, true),
        (u64::MAX, u64::MAX, true),
        (0, 0, false),
    ] {
        assert_eq!(at(time, skew), accepted, "{time} {skew}");
    }
    let request = RequestBuilder::new()
        .about(world.id(HashAlgorithm::Sm3))
        .nonce(b"once")
        .build()
        .unwrap();
    let check = world.check().nonce(request.nonce());
    assert!(world.status(&response, &check).is_err());
    let answering = world.builder(&world.ca, Status::Good).answering(&request);
    let answering = answering.sign(&world.ca.key).unwrap();
    assert_eq!(answering.nonce(), Some(&b"once"[..]));
    assert_eq!(world.status(&answering, &check), Ok(Status::Good));
    assert!(
        world
            .status(&answering, &world.check().nonce(Some(b"twice")))
            .is_err()
    );
    assert!(world.status(&answering, &world.check()).is_ok());
}

#[test]
fn refusals() {
    let world = World::new();
    for status in [
        ResponseStatus::MalformedRequest,
        ResponseStatus::InternalError,
        ResponseStatus::TryLater,
        ResponseStatus::SignatureRequired,
        ResponseStatus::Unauthorized,
    ] {
        let response = Response::refusing(status).unwrap();
        assert_eq!(
            Response::from_der(response.as_der()).unwrap().status(),
            status
        );
        assert!(world.status(&response, &world.check()).is_err());
    }
    assert!(Response::refusing(ResponseStatus::Successful).is_err());
    assert!(Response::from_der(&[0x30, 3, 10, 1, 0]).is_err());
    assert!(Response::from_der(&[0x30, 3, 10, 1, 4]).is_err());
}

/// No byte can be changed or taken away so that a status comes out: but for those that nobody
/// signs, such as the certificates that come along.
#[test]
fn altered_responses() {
    let world = World::new();
    let response = world.response(&world.responder);
    let der = response.as_der();
    for place in 0..der.len() {
        assert!(Response::from_der(&der[..place]).is_err());
        for bit in [1, 0x10, 0x80] {
            let mut altered = der.to_vec();
            altered[place] ^= bit;
            let Ok(read) = Response::from_der(&altered) else {
                continue;
            };
            if let Ok(status) = world.status(&read, &world.check()) {
                assert_eq!(status, Status::Good);
                assert_eq!(read.tbs(), response.tbs(), "{place}");
            }
        }
    }
}

fn files(folder: &Folder, holder: &Holder, name: &str) -> (String, String, String) {
    let secret = PrivateKey::from_bytes(&kuaimi::sm3::digest(name.as_bytes())).unwrap();
    let pem = secret.to_pkcs8_pem(Default::default()).unwrap();
    let public = holder.key.0.public_key();
    let public = public.to_public_key_pem(Default::default()).unwrap();
    (
        folder.write(&format!("{name}.pem"), holder.certificate.to_pem()),
        folder.write(&format!("{name}.key"), pem.as_bytes()),
        folder.write(&format!("{name}.public"), public),
    )
}

#[test]
fn openssls_requests_and_responses() {
    let world = World::new();
    let folder = Folder::new();
    let (ca, _, _) = files(&folder, &world.ca, "root");
    let (end, _, _) = files(&folder, &world.end, "end");
    let (responder, responder_key, _) = files(&folder, &world.responder, "responder");
    let serial = hex::encode_upper(world.end.certificate.serial());
    for (hash, name) in HASHES.iter().zip(["-sm3", "-sha1", "-sha256"]) {
        let request_file = folder.path("request");
        openssl(&[
            "ocsp",
            name,
            "-issuer",
            &ca,
            "-cert",
            &end,
            "-reqout",
            &request_file,
            "-nonce",
        ]);
        let request = Request::from_der(&std::fs::read(&request_file).unwrap()).unwrap();
        assert_eq!(request.ids(), [world.id(*hash)]);
        assert_eq!(request.nonce().map(<[u8]>::len), Some(16));
        for (line, good) in [
            (
                format!("V\t270101000000Z\t\t{serial}\tunknown\t/CN=end\n"),
                true,
            ),
            (
                format!("R\t270101000000Z\t260501120000Z,superseded\t{serial}\tunknown\t/CN=end\n"),
                false,
            ),
        ] {
            let out = folder.path("response");
            openssl(&[
                "ocsp",
                "-index",
                &folder.write("index", line),
                "-CA",
                &ca,
                "-rsigner",
                &responder,
                "-rkey",
                &responder_key,
                "-rmd",
                "sm3",
                "-rsigopt",
                "distid:1234567812345678",
                "-reqin",
                &request_file,
                "-respout",
                &out,
                "-ndays",
                "1",
            ]);
            let response = Response::from_der(&std::fs::read(out).unwrap()).unwrap();
            // OpenSSL takes the time from the clock.
            let time = response.produced_at().unwrap();
            let check = Check::new(&world.ca.certificate, time).nonce(request.nonce());
            let expected = if good {
                Status::Good
            } else {
                Status::Revoked(1_777_636_800, Some(CrlReason::Superseded))
            };
            // By its clock, the responder's certificate may have expired.
            if time <= 1_798_761_600 {
                assert_eq!(world.status(&response, &check), Ok(expected));
            }
            assert_eq!(response.singles()[0].status(), expected);
        }
    }
}

#[test]
fn openssl_reads_ours() {
    let world = World::new();
    let folder = Folder::new();
    let request = RequestBuilder::new()
        .about(world.id(HashAlgorithm::Sm3))
        .nonce(&[1, 2, 3])
        .build()
        .unwrap();
    let shown = openssl(&[
        "ocsp",
        "-req_text",
        "-reqin",
        &folder.write("request", request.as_der()),
    ]);
    assert!(shown.contains("Hash Algorithm: sm3"), "{shown}");
    let status = Status::Revoked(NOW - DAY, Some(CrlReason::KeyCompromise));
    let response = world.builder(&world.responder, status).answering(&request);
    let response = response.sign(&world.responder.key).unwrap();
    let shown = openssl(&[
        "ocsp",
        "-resp_text",
        "-noverify",
        "-respin",
        &folder.write("response", response.as_der()),
    ]);
    for part in [
        "successful (0x0)",
        "Cert Status: revoked",
        "Revocation Reason: keyCompromise",
        "SM2-with-SM3",
        "CN=responder",
    ] {
        let found = shown.contains(part) || shown.contains(&part.replace('=', " = "));
        assert!(found, "{part}: {shown}");
    }
    let (_, _, public) = files(&folder, &world.responder, "responder");
    let shown = openssl(&[
        "dgst",
        "-sm3",
        "-sigopt",
        "distid:1234567812345678",
        "-verify",
        &public,
        "-signature",
        &folder.write("signature", response.signature()),
        &folder.write("tbs", response.tbs()),
    ]);
    assert!(shown.contains("Verified OK"), "{shown}");
    let _: Vec<Certificate> = response.certificates().to_vec();
}
