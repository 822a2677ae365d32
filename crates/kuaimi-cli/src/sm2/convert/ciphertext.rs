//! Ciphertexts, of any length.

use std::io::{Cursor, Read, Seek, Write};

use kuaimi::sm2::{CiphertextForm, Error, stream};

use super::{Convert, Form};
use crate::context::Context;
use crate::encryption::failure;
use crate::exit::Answer;
use crate::failure::{Failure, Result};
use crate::input::unreadable;
use crate::output::Secrecy;
use crate::progress::Progress;
use crate::say::show;
use crate::sm2::keys;
use crate::sm2::look::{self, FoundCiphertext};
use crate::spool::Spool;
use crate::text::{self, Encoder};

/// A ciphertext that was read already.
pub fn of_bytes(options: &Convert, found: &FoundCiphertext, context: Context) -> Result<Answer> {
    let strict;
    let bytes = if found.lenient {
        // Nothing but DER can be read leniently; from here on it is strict.
        strict = found
            .read(CiphertextForm::Der)
            .map_err(|error| Failure::file(show(&options.file), error))?
            .to_bytes(CiphertextForm::Der);
        &strict
    } else {
        found.bytes.as_slice()
    };
    let from = choose(options, &found.forms, &mut Cursor::new(bytes), context)?;
    options.found(format_args!(
        "ciphertext, {from}{}, {}",
        if found.lenient { " (not strict)" } else { "" },
        found.encoding.name()
    ));
    rewrite(options, Cursor::new(bytes), from, found.encoding)
}

/// A ciphertext that is too long for memory.
pub fn of_file(options: &Convert, context: Context) -> Result<Answer> {
    let (mut spool, encoding) = Spool::open(&options.file)?;
    let mut forms = Vec::new();
    for &form in CiphertextForm::ALL {
        if fits(&mut spool, form).map_err(|error| unreadable(&options.file, &error))? {
            forms.push(form);
        }
    }
    if forms.is_empty() {
        return Err(options.wrong("is not an SM2 ciphertext in any form; check the name"));
    }
    if let Some(insisted) = options.from.and_then(Form::ciphertext) {
        if !forms.contains(&insisted) {
            return Err(options.wrong(&format!(
                "is not in the form {insisted} that --from insists on; it can be {}",
                look::names(&forms)
            )));
        }
        forms = vec![insisted];
    }
    let from = choose(options, &forms, &mut spool, context)?;
    options.found(format_args!("ciphertext, {from}, {}", encoding.name()));
    spool
        .rewind()
        .map_err(|error| unreadable(&options.file, &error))?;
    rewrite(options, spool, from, encoding)
}

/// Whether the ciphertext begins as one of this form.
fn fits(spool: &mut Spool, form: CiphertextForm) -> std::io::Result<bool> {
    /// Stops at the first byte.
    struct Enough;
    impl Write for Enough {
        fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
            Err(std::io::ErrorKind::Other.into())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    spool.rewind()?;
    let result = stream::convert(&mut *spool, form, Enough, CiphertextForm::C1C3C2);
    spool.rewind()?;
    match result {
        Err(stream::Error::Malformed(_)) => Ok(false),
        Err(stream::Error::Read(error)) => Err(error),
        _ => Ok(true),
    }
}

/// The form of the input: the only one possible, or the one that decrypts.
fn choose(
    options: &Convert,
    forms: &[CiphertextForm],
    input: &mut (impl Read + Seek),
    context: Context,
) -> Result<CiphertextForm> {
    let Some(key) = &options.key else {
        return match forms {
            [form] => Ok(*form),
            _ => Err(options.wrong(&format!(
                "can be {}, which only decryption tells apart; choose one with --from, or give the private key with --key",
                look::names(forms)
            ))),
        };
    };
    let (secret, form) = keys::private(key, &options.password)?;
    context.note(format_args!("{}: private key, {form}", show(key)));
    for &form in forms {
        input
            .rewind()
            .map_err(|error| unreadable(&options.file, &error))?;
        match stream::decrypt(&secret, Some(form), &mut *input, std::io::sink()) {
            Ok(_) => return Ok(form),
            Err(stream::Error::Sm2(Error::DecryptionFailed)) => {}
            Err(error) => return Err(Failure::file(show(&options.file), error)),
        }
    }
    Err(Failure::refused(
        show(&options.file),
        format_args!(
            "does not decrypt with {} as {}: another key, or an altered ciphertext",
            show(key),
            look::names(forms)
        ),
    ))
}

fn rewrite(
    options: &Convert,
    input: impl Read + Seek,
    from: CiphertextForm,
    found: text::Encoding,
) -> Result<Answer> {
    let to = match options.to.ciphertext() {
        Some(form) => form,
        None if options.to.encoding().is_some() => from,
        None => {
            return Err(options.no_form_of(
                "ciphertext",
                "c1c3c2, c1c2c3, bare-c1c3c2, bare-c1c2c3, der, hex, base64, binary",
            ));
        }
    };
    let target = options.output.target(Secrecy::Public);
    let encoding = options.encoding(found, target.is_terminal())?;
    let progress = Progress::new(
        "converting",
        std::fs::metadata(&options.file).map(|file| file.len()).ok(),
    );
    let mut encoder = Encoder::new(target.create()?, encoding);
    stream::convert(progress.reading(input), from, &mut encoder, to)
        .map_err(|error| failure(&options.file, &target, error))?;
    encoder
        .finish()
        .map_err(|error| target.cannot_write(&error))?
        .commit()?;
    Ok(Answer::Yes)
}
