//! Writes a message of each kind into a folder, for other programs to read:
//! `cargo run -p kuaimi-pki --example messages FOLDER`.
//!
//! Alice signs, and Bob is the recipient, or Alice where a key identifier names her. Their keys are
//! those of the tests.

use std::error::Error;
use std::fs;
use std::path::PathBuf;

use getrandom::SysRng;
use kuaimi::sm2::SigningKey;
use kuaimi_pki::message::{
    ContentCipher, Dialect, EncryptOptions, EnvelopeWriter, SignOptions, SignedWriter, encrypt,
    encrypt_under, sign, sign_and_encrypt,
};
use kuaimi_pki::{Certificate, Signer};

const DATA: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/message/");
const CONTENT: &[u8] = "a content by Kuaimi, 快密".as_bytes();

fn main() -> Result<(), Box<dyn Error>> {
    let folder = PathBuf::from(std::env::args().nth(1).ok_or("which folder?")?);
    let write = |name: String, message: &[u8]| fs::write(folder.join(name), message);
    let certificate = |name: &str| -> Result<Certificate, Box<dyn Error>> {
        let file = fs::read(format!("{DATA}{name}.pem"))?;
        let mut all = Certificate::read_all(&file)?.into_iter();
        Ok(all.next().ok_or("no certificate")?)
    };
    let (alice, bob) = (certificate("alice")?, certificate("bob")?);
    let key = fs::read(format!("{DATA}alice.key"))?;
    let key = SigningKey::new(kuaimi::encoding::read_private_key(&key, None)?.0);
    let signers: [(_, &dyn Signer); 1] = [(&alice, &key)];
    write("content".into(), CONTENT)?;

    for (dialect, prefix) in [
        (Dialect::Gm, "gm"),
        (Dialect::GmSsl, "gmssl"),
        (Dialect::Cms, "cms"),
    ] {
        let attributes = SignOptions::new().with_dialect(dialect);
        for (options, kind) in [
            (attributes.clone(), ""),
            (attributes.clone().without_attributes(), "-plain"),
            (attributes.clone().by_key_identifier(), "-key"),
        ] {
            let message = sign(CONTENT, &signers, &options)?;
            write(format!("kuaimi-{prefix}-signed{kind}.der"), &message)?;
            let message = sign(CONTENT, &signers, &options.clone().detached())?;
            write(
                format!("kuaimi-{prefix}-signed{kind}-detached.der"),
                &message,
            )?;
            let mut message = Vec::new();
            let certificates = [alice.clone()];
            let mut writer = SignedWriter::new(&certificates, options, None, &mut message)?;
            for piece in CONTENT.chunks(7) {
                writer.push(piece, &mut message)?;
            }
            writer.finish(&[&key], &mut message)?;
            write(format!("kuaimi-{prefix}-signed{kind}-ber.der"), &message)?;
        }
        for (cipher, name) in [
            (ContentCipher::Sm4Cbc, "cbc"),
            (ContentCipher::Sm4CbcNamedSm4, "sm4"),
            (ContentCipher::Sm4Gcm, "gcm"),
        ] {
            let options = EncryptOptions::new()
                .with_dialect(dialect)
                .with_cipher(cipher);
            let kind = if name == "gcm" { "auth" } else { "enveloped" };
            let message = encrypt(CONTENT, &[&alice, &bob], &options, &mut SysRng)?;
            write(format!("kuaimi-{prefix}-{kind}-{name}.der"), &message)?;
            let message = encrypt(
                CONTENT,
                &[&alice],
                &options.by_key_identifier(),
                &mut SysRng,
            )?;
            write(format!("kuaimi-{prefix}-{kind}-key-{name}.der"), &message)?;
            let mut message = Vec::new();
            let recipients = [&bob];
            let mut writer =
                EnvelopeWriter::new(&recipients, &options, None, &mut SysRng, &mut message)?;
            for piece in CONTENT.chunks(7) {
                writer.push(piece, &mut message)?;
            }
            writer.finish(&mut message)?;
            write(format!("kuaimi-{prefix}-{kind}-{name}-ber.der"), &message)?;
        }
        let options = EncryptOptions::new().with_dialect(dialect);
        let under = core::array::from_fn(|i| i as u8);
        let message = encrypt_under(CONTENT, &under, &options, &mut SysRng)?;
        write(format!("kuaimi-{prefix}-encrypted.der"), &message)?;
        let plain = SignOptions::new().without_attributes();
        let message = sign_and_encrypt(CONTENT, &signers, &plain, &[&bob], &options, &mut SysRng)?;
        write(format!("kuaimi-{prefix}-both.der"), &message)?;
    }
    Ok(())
}
