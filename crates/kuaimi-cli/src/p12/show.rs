//! `kuaimi p12 show`.

use std::path::PathBuf;

use clap::Args;

use crate::cert;
use crate::context::Context;
use crate::describe::Description;
use crate::exit::Answer;
use crate::failure::{Failure, Result};
use crate::input;
use crate::output::print;
use crate::password::PasswordArgs;
use crate::say::show;
use crate::sm2::store;

/// Show what is in a PKCS #12 file, or in CFCA's .sm2.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  kuaimi p12 show leaf.p12
  kuaimi p12 show --json --password-env PW leaf.p12")]
pub struct Show {
    /// Write one JSON object for each private key.
    #[arg(long)]
    json: bool,
    /// Show the private keys' numbers, too. Everyone who sees the screen can read them.
    #[arg(long)]
    show_secret: bool,
    #[command(flatten)]
    password: PasswordArgs,
    /// The file; `-` is standard input.
    #[arg(value_name = "FILE")]
    file: PathBuf,
}

impl Show {
    pub fn run(self, _context: Context) -> Result<Answer> {
        let name = show(&self.file);
        let content = input::read_all(&self.file, input::SMALL)?;
        let all = store::identities(&content, &name, &self.password)?;
        if all.is_empty() {
            return Err(Failure::file(&name, "has no private key of SM2"));
        }
        for (i, identity) in all.iter().enumerate() {
            if i > 0 && !self.json {
                print("\n")?;
            }
            let mut out = Description::new(self.json, self.show_secret);
            out.put("index", i + 1);
            if let Some(name) = &identity.name {
                out.put("name", cert::printable(name));
            }
            out.put_secret("private_key", identity.key.to_bytes());
            match &identity.certificate {
                Some(certificate) => cert::describe(certificate, &mut out),
                None => out.put_hex("public_key", identity.key.public_key().to_sec1_bytes()),
            }
            let above = identity
                .chain
                .iter()
                .map(|one| kuaimi_pki::name::to_text(one.fields().subject()));
            let above: Vec<_> = above.collect();
            if !above.is_empty() {
                out.put("certificates above", above);
            }
            out.print()?;
        }
        Ok(Answer::Yes)
    }
}
