//! SM2: keys, signatures, encryption and key exchange.

use std::hint::black_box;
use std::io::Cursor;

use anyhow::{Context, Result, anyhow, ensure};
use kuaimi::encoding::DecodeEcPrivateKey as _;
use kuaimi::sm2::exchange::{Initiator, Party, Peer, Responder, Response};
use kuaimi::sm2::{
    Ciphertext, CiphertextForm, NoncePool, PrivateKey, PublicKey, RecoveryId, SigningKey, stream,
};
use kuaimi_platform::memcheck::{classify, declassify};

use super::{
    Checks, Secrets, messages, public, public_ciphertext, public_point, public_signature, publish,
    same, secret,
};

pub(super) fn keys(checks: &mut Checks) -> Result<()> {
    checks.check("PrivateKey::from_bytes and its public key", || {
        PrivateKey::from_bytes(&secret(3)).map(black_box)
    })?;
    checks.check("PrivateKey::from_bytes, out of range", || {
        for byte in [0, 0xff] {
            let mut bytes = [byte; 32];
            classify(&mut bytes);
            ensure!(
                PrivateKey::from_bytes(&bytes).is_err(),
                "0 and 2^256 - 1 are no keys"
            );
        }
        Ok(())
    })?;
    checks.check("PrivateKey from DER", || {
        // SEQUENCE { INTEGER 1, OCTET STRING }: without the public key, which would be compared
        // with the one computed.
        let mut der = vec![0x30, 0x25, 0x02, 0x01, 0x01, 0x04, 0x20];
        der.extend(secret(3));
        PrivateKey::from_sec1_der(&der)
            .map(black_box)
            .map_err(|e| anyhow!("the DER of a private key is not read: {e}"))
    })?;
    let key = checks.check("PrivateKey::generate_with_rng", || {
        PrivateKey::generate_with_rng(&mut Secrets(4))
    })?;
    checks.check("PrivateKey::to_bytes", || black_box(key.to_bytes()));
    checks.check("PrivateKey == PrivateKey", || black_box(key == key.clone()));
    Ok(())
}

pub(super) fn signatures(checks: &mut Checks) -> Result<()> {
    let secret_key = PrivateKey::from_bytes(&secret(5))?;
    let key = checks.check("SigningKey::with_id", || {
        SigningKey::with_id(secret_key, b"alice@example.com")
    })?;
    let mut made = Vec::new();
    checks.check("signing, hedged", || -> Result<()> {
        for (i, message) in messages().enumerate() {
            made.push((
                key.sign_with_rng(&mut Secrets(i as u64), &message)?,
                message,
            ));
        }
        Ok(())
    })?;
    checks.check("signing, deterministic", || {
        for message in messages() {
            made.push((key.sign_deterministic(&message), message));
        }
    });
    checks.check("signing with a pool of nonces", || -> Result<()> {
        let pool = NoncePool::new(40)?;
        while pool.stats().ready < 40 {
            std::thread::yield_now();
        }
        for message in messages() {
            made.push((key.sign_with_pool(&pool, &message)?, message));
        }
        ensure!(
            pool.stats().missed == 0,
            "the pool had nonces enough for all signatures"
        );
        Ok(())
    })?;
    let e = secret(6);
    let (signature, id) = checks.check("signing a digest, recoverable", || {
        key.sign_digest_recoverable_with_rng(&mut Secrets(7), &e)
    })?;

    // All public from here on: that the signatures are right.
    let public_key = public_point(key.public_key())?;
    let verifier = kuaimi::sm2::VerifyingKey::with_id(public_key, b"alice@example.com")?;
    for (signature, mut message) in made {
        declassify(&mut message);
        verifier.verify(&message, &public_signature(&signature)?)?;
    }
    let id = RecoveryId::try_from(public([id.to_byte()])?[0])?;
    let recovered = PublicKey::recover(&public(e)?, &public_signature(&signature)?, id)?;
    ensure!(
        recovered == public_key,
        "the public key is recovered from a signature"
    );
    Ok(())
}

pub(super) fn encryption(checks: &mut Checks) -> Result<()> {
    let key = PrivateKey::from_bytes(&secret(8))?;
    let recipient = public_point(key.public_key())?;
    let mut made = Vec::new();
    checks.check("encryption", || -> Result<()> {
        for (i, message) in messages().enumerate() {
            made.push((
                recipient.encrypt_with_rng(&mut Secrets(i as u64), &message)?,
                message,
            ));
        }
        Ok(())
    })?;
    let made = made
        .iter()
        .map(|(ciphertext, message)| Ok((public_ciphertext(ciphertext)?, message)))
        .collect::<Result<Vec<_>>>()?;
    checks.check("decryption", || -> Result<()> {
        for (ciphertext, message) in &made {
            ensure!(
                same(&key.decrypt(ciphertext)?, message)?,
                "it decrypts to what was encrypted"
            );
        }
        Ok(())
    })?;
    checks.check("decryption that fails", || -> Result<()> {
        for (ciphertext, _) in &made {
            let mut digest = *ciphertext.digest();
            digest[31] ^= 1;
            let altered =
                Ciphertext::from_parts(*ciphertext.point(), digest, ciphertext.masked().to_vec())?;
            ensure!(
                key.decrypt(&altered).is_err(),
                "an altered ciphertext does not decrypt"
            );
        }
        Ok(())
    })?;

    let mut message = vec![0; 150_000];
    Secrets(9).fill(&mut message);
    let mut file = Cursor::new(Vec::new());
    checks.check("encryption of a file", || {
        stream::encrypt(
            &recipient,
            &mut Secrets(10),
            CiphertextForm::C1C3C2,
            &message[..],
            &mut file,
            None,
        )
    })?;
    publish(file.get_mut())?;
    file.set_position(0);
    let mut decrypted = Vec::new();
    checks.check("decryption of a file", || {
        stream::decrypt(&key, None, &mut file, &mut decrypted)
    })?;
    ensure!(
        same(&decrypted, &message)?,
        "the file decrypts to what was encrypted"
    );
    file.get_mut()[100] ^= 1;
    file.set_position(0);
    checks.check("decryption of a file that fails", || {
        ensure!(
            stream::decrypt(&key, None, &mut file, Vec::new()).is_err(),
            "an altered file does not decrypt"
        );
        Ok(())
    })
}

pub(super) fn exchanges(checks: &mut Checks) -> Result<()> {
    let (a, b) = (
        PrivateKey::from_bytes(&secret(11))?,
        PrivateKey::from_bytes(&secret(12))?,
    );
    let (a_public, b_public) = (public_point(a.public_key())?, public_point(b.public_key())?);
    checks.check("Diffie-Hellman", || a.diffie_hellman(&b_public));
    let start = || -> Result<(Initiator, PublicKey)> {
        let (initiator, r_a) = Initiator::start_with_rng(
            &mut Secrets(13),
            Party::new(&a, b"alice")?,
            Peer::new(&b_public, b"bob")?,
        )?;
        Ok((initiator, public_point(&r_a)?))
    };
    let respond = |r_a: &PublicKey| -> Result<Response> {
        let responder = Responder::new(Party::new(&b, b"bob")?, Peer::new(&a_public, b"alice")?);
        Ok(responder.respond_with_rng(&mut Secrets(14), r_a, 48)?)
    };

    let (initiator, r_a) = checks.check("key exchange: the initiator starts", start)?;
    let response = checks.check("key exchange: the responder answers", || respond(&r_a))?;
    let (r_b, s_b) = (
        public_point(response.point())?,
        public(response.confirmation())?,
    );
    let initiator = checks.check(
        "key exchange: the initiator kept as bytes, and read",
        || {
            let mut kept = initiator.to_bytes();
            // Both public keys; reading them is not constant time.
            declassify(&mut kept[8..136]);
            Initiator::from_bytes(&kept, &a)
        },
    )?;
    let response = checks.check(
        "key exchange: the responder kept as bytes, and read",
        || {
            let mut kept = response.to_bytes();
            // The two ephemeral points, which went over the wire; reading them is not constant
            // time.
            declassify(&mut kept[136..264]);
            Response::from_bytes(&kept)
        },
    )?;
    let (key_a, s_a) = checks.check("key exchange: the initiator confirms", || {
        initiator.finish(&r_b, &s_b, 48)
    })?;
    let s_a = public(s_a)?;
    let key_b = checks.check("key exchange: the responder confirms", || {
        response.confirm(&s_a)
    })?;
    ensure!(same(&key_a, &key_b)?, "both sides have the same key");

    let (initiator, _) = start()?;
    checks.check("key exchange: a wrong confirmation", || {
        ensure!(
            initiator.finish(&r_b, &s_a, 48).is_err(),
            "a wrong confirmation is refused"
        );
        ensure!(
            respond(&r_a)?.confirm(&s_b).is_err(),
            "a wrong confirmation is refused"
        );
        Ok(())
    })?;
    let (initiator, _) = start()?;
    checks
        .check("key exchange: unconfirmed", || {
            initiator.finish_unconfirmed(&r_b, 48)
        })
        .context("the key exchange without confirmation")?;
    Ok(())
}
