//! The README's first use: `cargo run -p kuaimi --example first_use`.

use kuaimi::sm2::{CiphertextForm, PrivateKey, PublicKey, SigningKey, VerifyingKey};

pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    // Sign and verify, here under an identity; SigningKey::new takes the default one.
    let secret = PrivateKey::generate()?;
    let signer = SigningKey::with_id(secret.clone(), b"alice@example.com")?;
    let signature = signer.sign(b"a message")?;
    let on_the_wire = signature.to_der(); // or to_bytes(): r and s, 64 bytes

    let public = PublicKey::from_sec1_bytes(&secret.public_key().to_sec1_bytes())?;
    VerifyingKey::with_id(public, b"alice@example.com")?.verify(b"a message", &signature)?;
    println!(
        "a signature of {} bytes, verified",
        on_the_wire.as_ref().len()
    );

    // Encrypt and decrypt.
    let ciphertext = public
        .encrypt(b"a secret")?
        .to_bytes(CiphertextForm::C1C3C2);
    let (plaintext, _form) = secret.decrypt_bytes(&ciphertext)?;
    assert_eq!(*plaintext, b"a secret");
    println!(
        "{} bytes encrypted to {}",
        plaintext.len(),
        ciphertext.len()
    );
    Ok(())
}
