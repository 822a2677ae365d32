//! `kuaimi cms encrypt`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use getrandom::SysRng;
use kuaimi_pki::Certificate;
use kuaimi_pki::external::x509_cert::ext::pkix::KeyUsage;
use kuaimi_pki::message::{ContentCipher, EncryptOptions, EnvelopeWriter, to_pem};

use super::Form;
use super::input::{Pieces, content};
use crate::cert::{certificate, failed};
use crate::context::Context;
use crate::exit::Answer;
use crate::failure::Result;
use crate::output::{OutputArgs, Secrecy};
use crate::say::{say, show};

/// Encrypt a file of any size for the holders of certificates.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  kuaimi cms encrypt --cert leaf.crt --out m.p7m m.txt
  kuaimi cms encrypt --cert alice.crt --cert bob.crt --cipher sm4-gcm --out m.p7m m.txt

With sm4-cbc, which is what most programs read, the message is not authenticated: who can change it
can change the text. sm4-gcm shows every change. The certificates themselves are not verified:
`kuaimi cert verify` does that.")]
pub struct Encrypt {
    /// The certificate of a recipient, or of a pair the encrypting one; repeatable.
    #[arg(long, value_name = "FILE", required = true)]
    cert: Vec<PathBuf>,
    /// Whose object identifiers are written.
    #[arg(long, value_enum, default_value_t = Form::Cms)]
    form: Form,
    /// The cipher.
    #[arg(long, value_enum, default_value_t = Cipher::Sm4Cbc)]
    cipher: Cipher,
    /// Name the recipients by the identifiers of their keys, in place of issuers and serial
    /// numbers.
    #[arg(long)]
    key_id: bool,
    /// Write PEM instead of DER.
    #[arg(long)]
    pem: bool,
    #[command(flatten)]
    output: OutputArgs,
    /// What to encrypt; `-` is standard input.
    #[arg(value_name = "FILE", default_value = "-")]
    file: PathBuf,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Cipher {
    /// CBC mode (envelopedData).
    Sm4Cbc,
    /// GCM mode (authEnvelopedData).
    Sm4Gcm,
}

/// Whether the key usage permits to encrypt for the holder.
fn can_receive(certificate: &Certificate) -> Result<bool, kuaimi_pki::Error> {
    let usage = certificate.extension::<KeyUsage>()?;
    Ok(usage.is_none_or(|(_, usage)| {
        usage.key_encipherment() || usage.data_encipherment() || usage.key_agreement()
    }))
}

impl Encrypt {
    pub fn run(self, _context: Context) -> Result<Answer> {
        let target = self.output.target(Secrecy::Public);
        target.check()?;
        let mut recipients: Vec<Certificate> = Vec::new();
        for cert in &self.cert {
            let first = certificate(cert)?;
            first
                .public_key()
                .sm2()
                .map_err(|error| failed(show(cert), &error))?;
            if !can_receive(&first).map_err(|error| failed(show(cert), &error))? {
                say(format_args!(
                    "{}: is not for encryption, by its key usage; of a pair, take the encrypting certificate",
                    show(cert)
                ));
            }
            recipients.push(first);
        }
        let recipients: Vec<&Certificate> = recipients.iter().collect();
        let mut options = EncryptOptions::new()
            .with_dialect(self.form.into())
            .with_cipher(match self.cipher {
                Cipher::Sm4Cbc => ContentCipher::Sm4Cbc,
                Cipher::Sm4Gcm => ContentCipher::Sm4Gcm,
            });
        if self.key_id {
            options = options.by_key_identifier();
        }
        let cannot = |error: kuaimi_pki::Error| failed(show(&self.file), &error);
        let sink = match self.pem {
            true => None,
            false => Some(target.create()?),
        };
        let mut out = Pieces::new(&target, sink);
        let mut writer: Option<EnvelopeWriter> = None;
        content(&self.file, |piece, length| {
            if writer.is_none() {
                let made =
                    EnvelopeWriter::new(&recipients, &options, length, &mut SysRng, &mut out.bytes);
                writer = Some(made.map_err(cannot)?);
            }
            if let Some(writer) = &mut writer {
                writer.push(piece, &mut out.bytes).map_err(cannot)?;
            }
            if self.pem { Ok(()) } else { out.flush() }
        })?;
        if let Some(writer) = writer {
            writer.finish(&mut out.bytes).map_err(cannot)?;
        }
        match self.pem {
            true => target.write(to_pem(&out.bytes).as_bytes())?,
            false => out.commit()?,
        }
        Ok(Answer::Yes)
    }
}
