//! `kuaimi sm2 inspect`.

use std::path::PathBuf;

use clap::Args;
use kuaimi::encoding::PublicKeyStructure;
use kuaimi::sm2::{CiphertextForm, DEFAULT_ID, PublicKey, identity_digest};

use super::curve;
use super::look::{self, Found, FoundCiphertext};
use crate::cert::{self, IdentityArgs};
use crate::context::Context;
use crate::describe::Description;
use crate::exit::Answer;
use crate::failure::Result;
use crate::input;
use crate::output::print;
use crate::password::PasswordArgs;
use crate::say::show;

/// Show the parts of a key, signature, ciphertext, certificate or message.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  kuaimi sm2 inspect alice.pub
  kuaimi sm2 inspect --json report.sig
  kuaimi sm2 inspect --show-secret alice.pem
  kuaimi sm2 inspect --curve

64 bytes can be a signature or a public key: a point on the curve is taken to be a key.")]
pub struct Inspect {
    /// Show the curve's parameters.
    #[arg(long, conflicts_with_all = ["file", "show_secret", "lenient"])]
    curve: bool,
    /// Show a private key's number, too. Everyone who sees the screen can read it.
    #[arg(long)]
    show_secret: bool,
    /// Write one JSON object.
    #[arg(long)]
    json: bool,
    /// Also read what some vendors write: bytes after the DER, padded or negative integers.
    #[arg(long)]
    lenient: bool,
    #[command(flatten)]
    password: PasswordArgs,
    /// What to look at; `-` is standard input.
    #[arg(value_name = "FILE", required_unless_present = "curve")]
    file: Option<PathBuf>,
}

impl Inspect {
    pub fn run(self, _context: Context) -> Result<Answer> {
        let Some(file) = &self.file else {
            print(match self.json {
                true => format!("{:#}\n", curve::json()),
                false => curve::text(),
            })?;
            return Ok(Answer::Yes);
        };
        let content = input::read_all(file, 1 << 30)?;
        // Certificates and messages say more than their key.
        if !self.lenient && cert::describe_any(&content, self.json, IdentityArgs::default())? {
            return Ok(Answer::Yes);
        }
        let found = look::anything(&content, &show(file), self.lenient, &self.password)?;
        let mut out = Description::new(self.json, self.show_secret);
        describe(&found, &mut out);
        out.print()?;
        Ok(Answer::Yes)
    }
}

fn describe(found: &Found, out: &mut Description) {
    match found {
        Found::Private(key, form) => {
            out.put("kind", "private key");
            out.put("form", form.to_string());
            out.put("algorithm", "SM2");
            put_public_key(out, key.public_key());
            out.put_secret("private_key", key.to_bytes());
        }
        Found::Public(key, form) => {
            let certificate = form.structure == PublicKeyStructure::Certificate;
            out.put(
                "kind",
                if certificate {
                    "certificate"
                } else {
                    "public key"
                },
            );
            out.put("form", form.to_string());
            out.put("algorithm", "SM2");
            put_public_key(out, key);
        }
        Found::Enveloped(der) => {
            out.put("kind", "enveloped key");
            out.put("form", "SM2EnvelopedKey (GB/T 35276)");
            out.put("bytes", der.len());
            out.put(
                "to open it",
                "kuaimi sm2 convert --key RECIPIENT --to pkcs8",
            );
        }
        Found::Signature(found) => {
            out.put("kind", "signature");
            out.put("form", found.description());
            out.put("algorithm", "SM2");
            out.put_hex("r", found.signature.r());
            out.put_hex("s", found.signature.s());
        }
        Found::Ciphertext(found) => describe_ciphertext(out, found),
    }
}

fn put_public_key(out: &mut Description, key: &PublicKey) {
    out.put("curve", "sm2p256v1");
    out.put("bits", 256);
    let xy = key.to_xy_bytes();
    let (x, y) = xy.split_at(32);
    out.put_hex("x", x);
    out.put_hex("y", y);
    out.put_hex("compressed", key.to_compressed_bytes());
    if let Ok(z) = identity_digest(DEFAULT_ID, key) {
        out.put_hex("z_default_id", z);
    }
}

fn describe_ciphertext(out: &mut Description, found: &FoundCiphertext) {
    out.put("kind", "ciphertext");
    out.put("form", found.description());
    out.put("algorithm", "SM2");
    out.put("bytes", found.bytes.len());
    let read: Vec<(CiphertextForm, _)> = found
        .forms
        .iter()
        .filter_map(|&form| Some((form, found.read(form).ok()?)))
        .collect();
    if let Some((_, ciphertext)) = read.first() {
        out.put("message_bytes", ciphertext.masked().len());
        let xy = ciphertext.point().to_xy_bytes();
        let (x, y) = xy.split_at(32);
        out.put_hex("c1_x", x);
        out.put_hex("c1_y", y);
    }
    for (form, ciphertext) in &read {
        let name = match read.len() {
            1 => "c3".to_owned(),
            _ => format!("c3_if_{}", form.name().replace('-', "_")),
        };
        out.put_hex(&name, ciphertext.digest());
    }
}
