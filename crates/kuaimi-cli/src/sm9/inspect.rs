//! `kuaimi sm9 inspect`.

use std::path::PathBuf;

use clap::Args;
use kuaimi::encoding;
use kuaimi::encoding::sm9::{Key, KeyForm, KeyPackage};
use kuaimi::sm9::{Ciphertext, Signature};

use super::keys;
use super::verify::signature;
use crate::context::Context;
use crate::describe::Description;
use crate::exit::Answer;
use crate::failure::{Failure, Result};
use crate::input;
use crate::key_file::malformed;
use crate::password::PasswordArgs;
use crate::say::show;
use crate::text;

/// Show the parts of a key, signature, ciphertext or key package.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  kuaimi sm9 inspect sign.pub
  kuaimi sm9 inspect --json report.sig
  kuaimi sm9 inspect --show-secret alice-sign.pem
  kuaimi sm9 inspect --id alice@example.com alice-sign.pem

With --id it says whether a user's key was made for that name.")]
pub struct Inspect {
    /// Show a private key's number or point, too. Everyone who sees the screen can read it.
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

impl Inspect {
    pub fn run(self, _context: Context) -> Result<Answer> {
        let content = input::read_all(&self.file, 1 << 30)?;
        let found = self.look(&content)?;
        let mut out = Description::new(self.json, self.show_secret);
        self.describe(&found, &mut out)?;
        out.print()?;
        Ok(Answer::Yes)
    }

    fn look(&self, content: &[u8]) -> Result<Found> {
        let name = show(&self.file);
        let not_a_key = match keys::any_in(content, &name, &self.password)? {
            Ok((key, form)) => return Ok(Found::Key(key, form)),
            Err(error) => error,
        };
        let (_, bytes) = text::decode(content).map_err(|error| malformed(&name, &error))?;
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
                "is not an SM9 key, signature, ciphertext or key package in any known form (a raw ciphertext looks like random bytes)",
            ),
            error => malformed(&name, &error),
        })
    }

    fn describe(&self, found: &Found, out: &mut Description) -> Result<()> {
        match found {
            Found::Key(key, form) => {
                out.put("kind", key.kind().to_string());
                out.put("form", form.to_string());
                out.put("algorithm", "SM9");
                let (public, secret) = parts(key);
                out.put_hex("master_public_key", public);
                if let Some(secret) = secret {
                    out.put_secret("private_key", &secret);
                }
                if let Some(verdict) = self.owner(key)? {
                    out.put("made_for_this_id", verdict);
                }
            }
            Found::Signature(signature, form) => {
                out.put("kind", "signature");
                out.put("form", *form);
                out.put("algorithm", "SM9");
                out.put_hex("h", signature.h());
                out.put_hex("s", signature.s().to_bytes());
            }
            Found::Ciphertext(ciphertext) => {
                out.put("kind", "ciphertext");
                out.put("form", "DER");
                out.put("algorithm", "SM9");
                out.put("mode", ciphertext.mode().name());
                out.put_hex("c1", ciphertext.c1().to_bytes());
                out.put_hex("c3", ciphertext.c3());
                out.put("c2_bytes", ciphertext.c2().len());
            }
            Found::Package(package) => {
                out.put("kind", "key package");
                out.put("form", "DER");
                out.put("algorithm", "SM9");
                out.put_hex("c", package.c.to_bytes());
                out.put("key_bytes", package.key.len());
                out.put_secret("key", &package.key);
            }
        }
        Ok(())
    }

    /// Whether a user's key is that of the identity that was asked about, and with which function
    /// identifier.
    fn owner(&self, key: &Key) -> Result<Option<String>> {
        if self.id.is_none() && self.id_hex.is_none() {
            return Ok(None);
        }
        let id = super::identity::bytes("--id", self.id.as_deref(), self.id_hex.as_deref())?;
        let identity = kuaimi::sm9::Identity::new(&id);
        let fits = |hid: u8| match key {
            Key::UserSigning(key) => key.signing_key(identity.with_hid(hid)).is_ok(),
            Key::UserDecryption(key) => key.decryption_key(identity.with_hid(hid)).is_ok(),
            _ => false,
        };
        match key {
            Key::UserSigning(_) | Key::UserDecryption(_) => {}
            other => {
                return Err(Failure::usage(format!(
                    "--id: this is a {}, which belongs to no identity; leave --id out",
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
        Key::UserDecryption(key) => (
            key.master_public_key().to_bytes().to_vec(),
            secret(key.to_bytes().as_ref()),
        ),
        _ => (Vec::new(), None),
    }
}
