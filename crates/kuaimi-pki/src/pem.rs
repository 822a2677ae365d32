//! PEM (RFC 7468): blocks with labels between other text.

use alloc::string::String;
use alloc::vec::Vec;

use der::pem;

use crate::Error;

/// The contents of the blocks in `bytes` whose label is one of `labels`; `bytes` itself if it is
/// DER.
pub(crate) fn blocks(bytes: &[u8], labels: &[&str]) -> Result<Vec<Vec<u8>>, Error> {
    // A SEQUENCE: in text, the first byte would be the digit 0 before other digits.
    if bytes.first() == Some(&0x30) && !bytes.is_ascii() {
        return Ok(alloc::vec![bytes.to_vec()]);
    }
    let text = kuaimi::encoding::Error::Base64;
    let malformed = || Error::Encoding(text.clone());
    let text = core::str::from_utf8(bytes).map_err(|_| malformed())?;
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(start) = rest.find("-----BEGIN ") {
        rest = &rest[start..];
        let label_end = rest[11..].find("-----").ok_or_else(malformed)? + 11;
        let label = &rest[11..label_end];
        let end = alloc::format!("-----END {label}-----");
        let end = rest
            .find(&end)
            .map(|place| place + end.len())
            .ok_or(Error::Encoding(kuaimi::encoding::Error::PemEnd))?;
        if labels.contains(&label) {
            let (_, der) = pem::decode_vec(&rest.as_bytes()[..end]).map_err(|_| malformed())?;
            found.push(der);
        }
        rest = &rest[end..];
    }
    if found.is_empty() {
        return Err(Error::Argument("the text has no PEM block of this kind"));
    }
    Ok(found)
}

/// `der` in PEM with `label`.
pub(crate) fn encode(label: &'static str, der: &[u8]) -> String {
    pem::encode_string(label, pem::LineEnding::LF, der).unwrap_or_default()
}
