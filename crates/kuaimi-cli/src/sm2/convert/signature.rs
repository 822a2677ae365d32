//! Signatures.

use super::Convert;
use crate::exit::Answer;
use crate::failure::Result;
use crate::output::Secrecy;
use crate::sm2::look::FoundSignature;

pub fn convert(options: &Convert, found: &FoundSignature) -> Result<Answer> {
    let form = match options.to.signature() {
        Some(form) => form,
        None if options.to.encoding().is_some() => found.form,
        None => return Err(options.no_form_of("signature", "der, raw, hex, base64, binary")),
    };
    let target = options.output.target(Secrecy::Public);
    let encoding = options.encoding(found.encoding, target.is_terminal())?;
    target.write(&encoding.encode(&found.signature.to_form(form)))?;
    Ok(Answer::Yes)
}
