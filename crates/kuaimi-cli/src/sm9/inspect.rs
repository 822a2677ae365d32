//! `kuaimi sm9 inspect`.

use std::path::PathBuf;

use clap::Args;
use kuaimi::encoding;
use kuaimi::encoding::sm9::{Key, KeyForm, KeyPackage};
use kuaimi::sm9::{Ciphertext, Signature};
use serde_json::{Map, Value, json};

use super::keys;
use super::verify::signature;
use crate::context::Context;
use crate::exit::{Answer, Failure, Result, show};
use crate::input;
use crate::output::print;
use crate::password::PasswordArgs;
use crate::text;

/// Show what a key, signature, ciphertext or key package is made of.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  kuaimi sm9 inspect sign.pub
  kuaimi sm9 inspect --json report.sig
  kuaimi sm9 inspect --show-secret alice-sign.pem
  kuaimi sm9 inspect --id alice@example.com alice-sign.pem

With --id it says whether a user's key was made for that name.")]
pub struct Inspect {
    /// Show a private key's number or point too. Mind who looks over your shoulder.
    #[arg(long)]
    show_secret: bool,
    /// Write one JSON object.
    #[arg(long)]
    json: bool,
    /// Say whether a user's key was made for this identity.
    #[arg(long, value_name = "ID", conflicts_with = "id_hex")]
    id: Option<String>,
    /// The same, as bytes in hexadecimal.
    #[arg(long, value_name = "HEX")]
    id_hex: Option<String>,
    #[command(flatten)]
    password: PasswordArgs,
    /// What to look at; `-` is standard input.
    #[arg(value_name = "FILE")]
    file: PathBuf,
}

/// What was found.
enum Found {
    Key(Key, KeyForm),
    Signature(Signature, &'static str),
    Ciphertext(Ciphertext),
    Package(KeyPackage),
}

type Description = Map<String, Value>;

impl Inspect {
    pub fn run(self, _context: Context) -> Result<Answer> {
        let content = input::read_all(&self.file, 1 << 30)?;
        let found = self.look(&content)?;
        let mut out = Map::new();
        self.describe(&found, &mut out)?;
        print(match self.json {
            true => format!("{:#}\n", Value::Object(out)),
            false => lines(&out),
        })?;
        Ok(Answer::Yes)
    }

    fn look(&self, content: &[u8]) -> Result<Found> {
        let name = show(&self.file);
        let not_a_key = match keys::any_in(content, &name, &self.password)? {
            Ok((key, form)) => return Ok(Found::Key(key, form)),
            Err(error) => error,
        };
        let (_, bytes) = text::decode(content);
        if let Ok(ciphertext) = Ciphertext::from_der(&bytes) {
            return Ok(Found::Ciphertext(ciphertext));
        }
        if let Ok((signature, form)) = signature(&bytes, None) {
            return Ok(Found::Signature(signature, form.name()));
        }
        if let Ok(package) = KeyPackage::from_der(&bytes) {
            return Ok(Found::Package(package));
        }
        // Of what begins as a key does, what is wrong with the key is of interest.
        Err(match not_a_key {
            encoding::Error::NotAnSm9Key => Failure::file(
                name,
                "is no SM9 key, signature, ciphertext or key package in any form that is known here (a raw ciphertext looks like noise)",
            ),
            error => keys::malformed(&name, &error),
        })
    }

    fn describe(&self, found: &Found, out: &mut Description) -> Result<()> {
        let mut put = |name: &str, value: Value| {
            out.insert(name.to_owned(), value);
        };
        match found {
            Found::Key(key, form) => {
                put("kind", json!(key.kind().to_string()));
                put("form", json!(form.to_string()));
                put("algorithm", json!("SM9"));
                let (public, secret) = parts(key);
                put("master_public_key", json!(hex::encode(public)));
                if let Some(secret) = secret {
                    if self.show_secret {
                        put("private_key", json!(hex::encode(&secret)));
                    } else if !self.json {
                        put("private_key", json!("hidden; --show-secret shows it"));
                    }
                }
                if let Some(verdict) = self.owner(key)? {
                    put("made_for_this_id", json!(verdict));
                }
            }
            Found::Signature(signature, form) => {
                put("kind", json!("signature"));
                put("form", json!(form));
                put("algorithm", json!("SM9"));
                put("h", json!(hex::encode(signature.h())));
                put("s", json!(hex::encode(signature.s().to_bytes())));
            }
            Found::Ciphertext(ciphertext) => {
                put("kind", json!("ciphertext"));
                put("form", json!("DER"));
                put("algorithm", json!("SM9"));
                put("mode", json!(ciphertext.mode().name()));
                put("c1", json!(hex::encode(ciphertext.c1().to_bytes())));
                put("c3", json!(hex::encode(ciphertext.c3())));
                put("c2_bytes", json!(ciphertext.c2().len()));
            }
            Found::Package(package) => {
                put("kind", json!("key package"));
                put("form", json!("DER"));
                put("algorithm", json!("SM9"));
                put("c", json!(hex::encode(package.c.to_bytes())));
                put("key_bytes", json!(package.key.len()));
                if self.show_secret {
                    put("key", json!(hex::encode(&package.key)));
                } else if !self.json {
                    put("key", json!("hidden; --show-secret shows it"));
                }
            }
        }
        Ok(())
    }

    /// Whether a user's key is that of the identity that was asked about, and with which function identifier.
    fn owner(&self, key: &Key) -> Result<Option<String>> {
        if self.id.is_none() && self.id_hex.is_none() {
            return Ok(None);
        }
        let id = super::identity::bytes("--id", self.id.as_deref(), self.id_hex.as_deref())?;
        let identity = kuaimi::sm9::Identity::new(&id);
        let fits = |hid: u8| match key {
            Key::UserSigning(key) => key.check(identity.with_hid(hid)).is_ok(),
            Key::UserEncryption(key) => key.check(identity.with_hid(hid)).is_ok(),
            _ => false,
        };
        match key {
            Key::UserSigning(_) | Key::UserEncryption(_) => {}
            other => {
                return Err(Failure::usage(format!(
                    "--id: this is a {}, which is nobody's own; leave --id out",
                    other.kind()
                )));
            }
        }
        let found = [1u8, 2, 3].into_iter().find(|&hid| fits(hid));
        Ok(Some(match found {
            Some(hid) => format!("yes, with hid {hid}"),
            None => "no".to_owned(),
        }))
    }
}

/// A key's public and secret bytes.
fn parts(key: &Key) -> (Vec<u8>, Option<zeroize::Zeroizing<Vec<u8>>>) {
    let secret = |bytes: &[u8]| Some(zeroize::Zeroizing::new(bytes.to_vec()));
    match key {
        Key::MasterSigning(key) => (
            key.public_key().to_bytes().to_vec(),
            secret(key.to_bytes().as_ref()),
        ),
        Key::MasterEncryption(key) => (
            key.public_key().to_bytes().to_vec(),
            secret(key.to_bytes().as_ref()),
        ),
        Key::MasterSigningPublic(key) => (key.to_bytes().to_vec(), None),
        Key::MasterEncryptionPublic(key) => (key.to_bytes().to_vec(), None),
        Key::UserSigning(key) => (
            key.master_public_key().to_bytes().to_vec(),
            secret(key.to_bytes().as_ref()),
        ),
        Key::UserEncryption(key) => (
            key.master_public_key().to_bytes().to_vec(),
            secret(key.to_bytes().as_ref()),
        ),
        _ => (Vec::new(), None),
    }
}

/// For people: a line an entry.
fn lines(description: &Description) -> String {
    let mut out = String::new();
    for (name, value) in description {
        let value = value
            .as_str()
            .map_or_else(|| value.to_string(), str::to_owned);
        out += &format!("{:<22}{value}\n", name.replace('_', " "));
    }
    out
}
