//! What bytes are that somebody pastes or drops: a line a fact, the name and the value with a tab
//! between them.

use core::fmt::Display;
use core::fmt::Write;

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use kuaimi::encoding::{
    Error, PrivateKeyFile, PublicKeyStructure, SignatureForm, TextEncoding, read_public_key,
};
use kuaimi::sm2::{Ciphertext, CiphertextForm, DEFAULT_ID, PublicKey, Signature, identity_digest};

use crate::{Failure, Result};

#[derive(Default)]
struct Lines(String);

impl Lines {
    fn put(&mut self, name: &str, value: impl Display) {
        // Writing to a String does not fail.
        let _ = writeln!(self.0, "{name}\t{value}");
    }

    fn put_hex(&mut self, name: &str, bytes: &[u8]) {
        let mut hex = String::with_capacity(2 * bytes.len());
        for byte in bytes {
            let _ = write!(hex, "{byte:02x}");
        }
        self.put(name, hex);
    }

    fn put_public_key(&mut self, key: &PublicKey) {
        let xy = key.to_xy_bytes();
        let (x, y) = xy.split_at(32);
        self.put_hex("x", x);
        self.put_hex("y", y);
        self.put_hex("compressed", &key.to_compressed_bytes());
        if let Ok(z) = identity_digest(DEFAULT_ID, key) {
            self.put_hex("z_default_id", &z);
        }
    }
}

/// Describes a key, a certificate's key, a signature or a ciphertext of SM2. Secrets are not
/// shown.
pub fn formats_describe(data: &[u8]) -> Result<Vec<u8>> {
    let mut lines = Lines::default();
    let why = match PrivateKeyFile::open(data) {
        Ok(PrivateKeyFile::Encrypted(_)) => {
            lines.put("kind", "encrypted private key");
            return Ok(lines.0.into_bytes());
        }
        Ok(PrivateKeyFile::Key(key, form)) => {
            lines.put("kind", "private key");
            lines.put("form", form);
            lines.put_public_key(key.public_key());
            return Ok(lines.0.into_bytes());
        }
        Err(why) => why,
    };
    if let Ok((key, form)) = read_public_key(data) {
        let certificate = form.structure == PublicKeyStructure::Certificate;
        lines.put(
            "kind",
            if certificate {
                "certificate"
            } else {
                "public key"
            },
        );
        lines.put("form", form);
        lines.put_public_key(&key);
        return Ok(lines.0.into_bytes());
    }
    let bytes = TextEncoding::detect(data).decode(data)?;
    if let Ok((signature, form)) = Signature::from_any_form(&bytes) {
        lines.put("kind", "signature");
        lines.put("form", name(form));
        lines.put_hex("r", &signature.r());
        lines.put_hex("s", &signature.s());
        return Ok(lines.0.into_bytes());
    }
    if put_ciphertext(&mut lines, &bytes) {
        return Ok(lines.0.into_bytes());
    }
    Err(match why {
        // What it is, in words.
        Error::Other(_) => why.into(),
        _ => Failure::new(
            kuaimi::ErrorKind::NotAKey,
            "this is no key, signature or ciphertext of SM2 in a form that is known",
        ),
    })
}

fn name(form: SignatureForm) -> &'static str {
    match form {
        SignatureForm::Der => "der",
        _ => "raw",
    }
}

fn put_ciphertext(lines: &mut Lines, bytes: &[u8]) -> bool {
    let read: Vec<_> = CiphertextForm::detect(bytes)
        .into_iter()
        .filter_map(|form| Some((form, Ciphertext::from_bytes(form, bytes).ok()?)))
        .collect();
    let Some((_, first)) = read.first() else {
        return false;
    };
    let names: Vec<_> = read.iter().map(|(form, _)| form.name()).collect();
    lines.put("kind", "ciphertext");
    lines.put("form", names.join(" or "));
    lines.put("message_bytes", first.masked().len());
    let xy = first.point().to_xy_bytes();
    let (x, y) = xy.split_at(32);
    lines.put_hex("c1_x", x);
    lines.put_hex("c1_y", y);
    for (form, ciphertext) in &read {
        lines.put_hex(&format!("c3_{}", form.name()), ciphertext.digest());
    }
    true
}
