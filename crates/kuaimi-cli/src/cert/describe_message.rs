//! What messages say, for people.

use kuaimi_pki::message::{self, CertificateId, Kind, SignerResult, VerifyOptions};
use kuaimi_pki::name;
use kuaimi_pki::public_key::Identities;

use super::time;
use crate::describe::Description;
use crate::text::hex;

/// A message: who signed it, or for whom it is encrypted.
pub fn describe_message(content: &[u8], kind: Kind, out: &mut Description) {
    out.put("kind", format!("message: {kind}"));
    let Ok(content) = message::to_ber(content) else {
        return;
    };
    match kind {
        Kind::Signed => describe_signed(&content, out),
        Kind::Enveloped | Kind::SignedAndEnveloped | Kind::AuthEnveloped => {
            let recipients = message::recipients(&content).unwrap_or_default();
            let recipients: Vec<_> = recipients.iter().map(describe_id).collect();
            out.put("recipients", recipients);
        }
        _ => {}
    }
}

fn describe_signed(content: &[u8], out: &mut Description) {
    let options = VerifyOptions::new().with_identities(Identities::DefaultOrEmpty);
    let examined = match message::examine(content, None, &options) {
        Ok(examined) => {
            out.put("content_bytes", examined.content.len());
            examined
        }
        // The content is elsewhere: no signature fits an empty one, but the signers are named.
        Err(kuaimi_pki::Error::Argument(_)) => {
            out.put("content", "not in the message");
            match message::examine(content, Some(b""), &options) {
                Ok(examined) => examined,
                Err(_) => return,
            }
        }
        Err(error) => {
            out.put("malformed", error.to_string());
            return;
        }
    };
    let verification = examined.verification;
    let signers: Vec<_> = verification.signers.iter().map(describe_signer).collect();
    out.put("signers", signers);
    let certificates = verification.certificates.iter();
    let certificates: Vec<_> = certificates
        .map(|certificate| name::to_text(certificate.fields().subject()))
        .collect();
    if !certificates.is_empty() {
        out.put("certificates_inside", certificates);
    }
}

fn describe_signer(signer: &SignerResult) -> String {
    let who = match &signer.certificate {
        Some(certificate) => name::to_text(certificate.fields().subject()),
        None => describe_id(&signer.id),
    };
    let time = signer.signing_time.map(time::show);
    let time = time.map_or(String::new(), |time| format!(", says at {time}"));
    format!("{who}{time}")
}

/// How a message names a certificate.
pub fn describe_id(id: &CertificateId) -> String {
    match id {
        CertificateId::Key(id) => format!("key {}", hex(id)),
        CertificateId::Issuer { serial, .. } => format!("certificate {}", hex(serial)),
        _ => "unknown".to_owned(),
    }
}
