//! `kuaimi sm2 inspect`.

use std::path::PathBuf;

use clap::Args;
use kuaimi::encoding::PublicKeyStructure;
use kuaimi::sm2::{CiphertextForm, DEFAULT_ID, PublicKey, identity_digest};
use serde_json::{Map, Value, json};

use super::curve;
use super::look::{self, Found, FoundCiphertext};
use crate::context::Context;
use crate::exit::{Answer, Result, show};
use crate::input;
use crate::output::print;
use crate::password::PasswordArgs;

/// Show what a key, signature or ciphertext is made of.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  kuaimi sm2 inspect alice.pub
  kuaimi sm2 inspect --json report.sig
  kuaimi sm2 inspect --show-secret alice.pem
  kuaimi sm2 inspect --curve

64 bytes can be a signature or a public key: what is a point on the curve is taken for a key.")]
pub struct Inspect {
    /// Show the curve's parameters.
    #[arg(long, conflicts_with_all = ["file", "show_secret", "lenient"])]
    curve: bool,
    /// Show a private key's number too. Mind who looks over your shoulder.
    #[arg(long)]
    show_secret: bool,
    /// Write one JSON object.
    #[arg(long)]
    json: bool,
    /// Read what some vendors emit too: bytes after the DER, padded or negative integers.
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
        let found = look::anything(&content, &show(file), self.lenient, &self.password)?;
        let description = self.describe(&found);
        print(match self.json {
            true => format!("{:#}\n", Value::Object(description)),
            false => text(&description),
        })?;
        Ok(Answer::Yes)
    }

    fn describe(&self, found: &Found) -> Map<String, Value> {
        let mut out = Map::new();
        let mut put = |name: &str, value: Value| {
            out.insert(name.to_owned(), value);
        };
        match found {
            Found::Private(key, form) => {
                put("kind", json!("private key"));
                put("form", json!(form.to_string()));
                put("algorithm", json!("SM2"));
                put_public_key(&mut put, key.public_key());
                if self.show_secret {
                    put("private_key", json!(hex::encode(key.to_bytes())));
                } else if !self.json {
                    put("private_key", json!("hidden; --show-secret shows it"));
                }
            }
            Found::Public(key, form) => {
                let certificate = form.structure == PublicKeyStructure::Certificate;
                put(
                    "kind",
                    json!(if certificate {
                        "certificate"
                    } else {
                        "public key"
                    }),
                );
                put("form", json!(form.to_string()));
                put("algorithm", json!("SM2"));
                put_public_key(&mut put, key);
            }
            Found::Enveloped(der) => {
                put("kind", json!("enveloped key"));
                put("form", json!("SM2EnvelopedKey (GB/T 35276)"));
                put("bytes", json!(der.len()));
                put(
                    "to open it",
                    json!("kuaimi sm2 convert --key RECIPIENT --to pkcs8"),
                );
            }
            Found::Signature(found) => {
                put("kind", json!("signature"));
                put("form", json!(found.description()));
                put("algorithm", json!("SM2"));
                put("r", json!(hex::encode(found.signature.r())));
                put("s", json!(hex::encode(found.signature.s())));
            }
            Found::Ciphertext(found) => describe_ciphertext(&mut put, found),
        }
        out
    }
}

fn put_public_key(put: &mut impl FnMut(&str, Value), key: &PublicKey) {
    put("curve", json!("sm2p256v1"));
    put("bits", json!(256));
    let xy = key.to_xy_bytes();
    let (x, y) = xy.split_at(32);
    put("x", json!(hex::encode(x)));
    put("y", json!(hex::encode(y)));
    put("compressed", json!(hex::encode(key.to_compressed_bytes())));
    if let Ok(z) = identity_digest(DEFAULT_ID, key) {
        put("z_default_id", json!(hex::encode(z)));
    }
}

fn describe_ciphertext(put: &mut impl FnMut(&str, Value), found: &FoundCiphertext) {
    put("kind", json!("ciphertext"));
    put("form", json!(found.description()));
    put("algorithm", json!("SM2"));
    put("bytes", json!(found.bytes.len()));
    let read: Vec<(CiphertextForm, _)> = found
        .forms
        .iter()
        .filter_map(|&form| Some((form, found.read(form).ok()?)))
        .collect();
    if let Some((_, ciphertext)) = read.first() {
        put("message_bytes", json!(ciphertext.masked().len()));
        let xy = ciphertext.point().to_xy_bytes();
        let (x, y) = xy.split_at(32);
        put("c1_x", json!(hex::encode(x)));
        put("c1_y", json!(hex::encode(y)));
    }
    for (form, ciphertext) in &read {
        let name = match read.len() {
            1 => "c3".to_owned(),
            _ => format!("c3_if_{}", form.name().replace('-', "_")),
        };
        put(&name, json!(hex::encode(ciphertext.digest())));
    }
}

/// For people: a line an entry.
fn text(description: &Map<String, Value>) -> String {
    let mut out = String::new();
    for (name, value) in description {
        let value = value
            .as_str()
            .map_or_else(|| value.to_string(), str::to_owned);
        out += &format!("{:<22}{value}\n", name.replace('_', " "));
    }
    out
}
