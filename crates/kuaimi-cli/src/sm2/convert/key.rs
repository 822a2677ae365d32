//! Keys.

use getrandom::SysRng;
use kuaimi::encoding::{PrivateKeyStructure, PublicKeyForm};
use kuaimi::sm2::{PrivateKey, PublicKey};
use zeroize::Zeroizing;

use super::{Convert, Form, OutputEncoding};
use crate::context::Context;
use crate::exit::Answer;
use crate::failure::{Failure, Result};
use crate::key_file::{Document, malformed};
use crate::output::{Secrecy, Target};
use crate::password::PasswordArgs;
use crate::say::{say, show};
use crate::sm2::keys::{self, PrivateStructure, private_document, public_document};
use crate::text::Encoding;

const PRIVATE_FORMS: &str = "pkcs8, encrypted-pkcs8, sec1, enveloped, raw, hex, base64, binary, pem, der; spki, uncompressed, compressed or bare for its public key";
const PUBLIC_FORMS: &str = "spki, uncompressed, compressed, bare, hex, base64, binary, pem, der";

/// A private key, which was found in the structure `found`.
pub fn private(
    options: &Convert,
    key: &PrivateKey,
    found: PrivateKeyStructure,
    context: Context,
) -> Result<Answer> {
    let target = options.output.target(Secrecy::Secret);
    target.check()?;
    let structure = match options.to {
        Form::Pkcs8 => PrivateStructure::Pkcs8,
        Form::Sec1 => PrivateStructure::Sec1,
        Form::EncryptedPkcs8 => PrivateStructure::EncryptedPkcs8(options.cipher),
        // The same structure in another encoding, and not one that gives the key away.
        Form::Pem | Form::Der => match found {
            PrivateKeyStructure::Sec1 => PrivateStructure::Sec1,
            PrivateKeyStructure::EncryptedPkcs8(_) => {
                PrivateStructure::EncryptedPkcs8(options.cipher)
            }
            _ => PrivateStructure::Pkcs8,
        },
        Form::Hex | Form::Raw | Form::Base64 | Form::Binary => {
            let encoding = match options.to {
                Form::Raw => OutputEncoding::Binary,
                _ => OutputEncoding::Hex,
            };
            return number(options, &target, key.to_bytes().as_ref(), encoding);
        }
        Form::Enveloped => return envelope(options, key, context),
        Form::Spki | Form::Uncompressed | Form::Compressed | Form::Bare => {
            say(format_args!(
                "{}: only its public key is written",
                show(&options.file)
            ));
            return write_public(options, key.public_key());
        }
        Form::Certificate | Form::C1c3c2 | Form::C1c2c3 | Form::BareC1c3c2 | Form::BareC1c2c3 => {
            return Err(options.no_form_of("private key", PRIVATE_FORMS));
        }
    };
    let password = match structure {
        PrivateStructure::EncryptedPkcs8(_) => new_password(options, &target)?,
        _ => Zeroizing::default(),
    };
    document(
        options,
        &target,
        &private_document(key, structure, &password)?,
    )
}

/// A public key.
pub fn public(options: &Convert, key: &PublicKey, _found: PublicKeyForm) -> Result<Answer> {
    write_public(options, key)
}

/// An enveloped key, which `--key` opens.
pub fn enveloped(options: &Convert, der: &[u8], context: Context) -> Result<Answer> {
    let Some(recipient) = &options.key else {
        return Err(options.wrong("is for the holder of a private key; give that with --key"));
    };
    let (secret, form) = keys::private(recipient, &options.password)?;
    context.note(format_args!("{}: private key, {form}", show(recipient)));
    let key = secret
        .open_enveloped_key(der)
        .map_err(|error| match error {
            kuaimi::encoding::Error::Sm2(kuaimi::sm2::Error::DecryptionFailed) => Failure::refused(
                show(&options.file),
                format_args!(
                    "does not open with {}: it is for another key, or was altered",
                    show(recipient)
                ),
            ),
            error => malformed(&show(&options.file), &error),
        })?;
    private(options, &key, PrivateKeyStructure::Pkcs8, context)
}

fn envelope(options: &Convert, key: &PrivateKey, context: Context) -> Result<Answer> {
    let Some(recipient) = &options.recipient else {
        return Err(Failure::usage(
            "--recipient: `--to enveloped` needs the public key of the one who may open it; give it",
        ));
    };
    let recipient = keys::public(recipient, context)?;
    let der = key
        .to_enveloped_key(&recipient, &mut SysRng)
        .map_err(|error| Failure::usage(error.to_string()))?;
    let target = options.output.target(Secrecy::Public);
    let encoding = match options.encoding {
        None if target.is_terminal() => Encoding::Base64,
        None => Encoding::Binary,
        Some(encoding) => encoding.without_pem().ok_or_else(|| {
            Failure::usage("--encoding: enveloped keys have no PEM; choose binary, hex or base64")
        })?,
    };
    target.write(&encoding.encode(&der))?;
    Ok(Answer::Yes)
}

fn write_public(options: &Convert, key: &PublicKey) -> Result<Answer> {
    let target = options.output.target(Secrecy::Public);
    match options.to {
        Form::Spki | Form::Pem | Form::Der => document(options, &target, &public_document(key)?),
        Form::Uncompressed | Form::Hex | Form::Base64 | Form::Binary | Form::Raw => {
            number(options, &target, &key.to_sec1_bytes(), OutputEncoding::Hex)
        }
        Form::Compressed => number(
            options,
            &target,
            &key.to_compressed_bytes(),
            OutputEncoding::Hex,
        ),
        Form::Bare => number(options, &target, &key.to_xy_bytes(), OutputEncoding::Hex),
        _ => Err(options.no_form_of("public key", PUBLIC_FORMS)),
    }
}

/// A structure: PEM unless something else is asked for.
fn document(options: &Convert, target: &Target, document: &Document) -> Result<Answer> {
    let asked = match options.to {
        Form::Der => OutputEncoding::Binary,
        Form::Pem => OutputEncoding::Pem,
        _ => options.encoding.unwrap_or(OutputEncoding::Pem),
    };
    let content = match asked.without_pem() {
        None => document.to_pem()?,
        Some(encoding) => encoding.encode(&document.der),
    };
    target.write(&content)?;
    Ok(Answer::Yes)
}

/// A number or a point without structure.
fn number(
    options: &Convert,
    target: &Target,
    bytes: &[u8],
    otherwise: OutputEncoding,
) -> Result<Answer> {
    let asked = options
        .to
        .encoding()
        .or(options.encoding)
        .unwrap_or(otherwise);
    let encoding = asked.without_pem().ok_or_else(|| {
        Failure::usage(format!(
            "--encoding: {} has no PEM; choose binary, hex or base64",
            options.to.name()
        ))
    })?;
    target.write(&encoding.encode(bytes))?;
    Ok(Answer::Yes)
}

fn new_password(options: &Convert, target: &Target) -> Result<Zeroizing<Vec<u8>>> {
    PasswordArgs {
        password_file: options.new_password_file.clone(),
        password_env: options.new_password_env.clone(),
    }
    .to_protect(&target.name())
}
