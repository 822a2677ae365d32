//! The names of a ciphertext's forms, on the command line.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use kuaimi::sm2::CiphertextForm;

/// Reads a form's name.
pub fn parser() -> impl TypedValueParser<Value = CiphertextForm> {
    PossibleValuesParser::new(
        CiphertextForm::ALL
            .iter()
            .map(|form| PossibleValue::new(form.name()).help(help(*form))),
    )
    .try_map(|name| name.parse::<CiphertextForm>())
}

fn help(form: CiphertextForm) -> &'static str {
    match form {
        CiphertextForm::C1C3C2 => "Point (04 x y), digest, data: the standard's order",
        CiphertextForm::C1C2C3 => {
            "Point (04 x y), data, digest: an older draft's order, still in use"
        }
        CiphertextForm::BareC1C3C2 => "As c1c3c2, without the leading 04",
        CiphertextForm::BareC1C2C3 => "As c1c2c3, without the leading 04",
        CiphertextForm::Der => "ASN.1, as OpenSSL writes it (GM/T 0009)",
        _ => "",
    }
}
