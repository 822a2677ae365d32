//! Signatures and encryption with `pkeyutl` and `dgst`.

use super::openssl::{BOTH, By, MIXTURES, Shell};

const ID: &str = "distid:1234567812345678";

/// A folder with a key pair and a message.
fn with_keys() -> Shell {
    let shell = Shell::new();
    shell.run(By::Default, "genpkey -algorithm SM2 -out key.pem");
    shell.run(By::Default, "pkey -in key.pem -pubout -out public.pem");
    shell.write("message", "a message\n".repeat(1000));
    shell.write("other", "another message");
    shell
}

#[test]
fn messages_are_signed_and_verified() {
    let shell = with_keys();
    for (signer, verifier) in MIXTURES {
        for (id, other_id) in [(ID, "distid:alice"), ("distid:alice", ID)] {
            shell.run(
                signer,
                &format!("pkeyutl -sign -inkey key.pem -rawin -digest sm3 -pkeyopt {id} -in message -out signature"),
            );
            let verify = |id: &str, file: &str| {
                format!(
                    "pkeyutl -verify -pubin -inkey public.pem -rawin -digest sm3 -pkeyopt {id} -in {file} -sigfile signature"
                )
            };
            shell.run(verifier, &verify(id, "message"));
            shell.fail(verifier, &verify(other_id, "message"));
            shell.fail(verifier, &verify(id, "other"));
        }
    }
}

/// Without an identity: that of the library itself, so that programs find the same as before.
#[test]
fn the_default_identity_is_that_of_the_library() {
    let shell = with_keys();
    for (signer, verifier) in MIXTURES {
        shell.run(signer, "dgst -sm3 -sign key.pem -out signature message");
        shell.run(
            verifier,
            "dgst -sm3 -verify public.pem -signature signature message",
        );
        shell.fail(
            verifier,
            "dgst -sm3 -verify public.pem -signature signature other",
        );
    }
}

#[test]
fn the_default_identity_can_be_set() {
    let shell = with_keys();
    let configuration = String::from_utf8(shell.read("kuaimi.cnf")).unwrap();
    let configuration = configuration.replace("# default_id", "default_id");
    shell.write("kuaimi.cnf", configuration);
    shell.run(By::Kuaimi, "dgst -sm3 -sign key.pem -out signature message");
    let verify = "dgst -sm3 -verify public.pem -signature signature";
    shell.run(By::Default, &format!("{verify} -sigopt {ID} message"));
    shell.fail(By::Default, &format!("{verify} message"));
}

#[test]
fn digests_are_signed_and_verified() {
    let shell = with_keys();
    shell.run(By::Default, "dgst -sm3 -binary -out digest message");
    let verify =
        "pkeyutl -verify -pubin -inkey public.pem -pkeyopt digest:sm3 -sigfile signature -in";
    for (signer, verifier) in MIXTURES {
        shell.run(
            signer,
            "pkeyutl -sign -inkey key.pem -pkeyopt digest:sm3 -in digest -out signature",
        );
        shell.run(verifier, &format!("{verify} digest"));
        shell.write("wrong", [7; 32]);
        shell.fail(verifier, &format!("{verify} wrong"));
    }
}

#[test]
fn another_digest_and_a_long_identity_are_refused_with_a_reason() {
    let shell = with_keys();
    shell.write("digest", [7; 64]);
    let said = shell.fail(
        By::Kuaimi,
        "pkeyutl -sign -inkey key.pem -pkeyopt digest:sha512 -in digest",
    );
    assert!(said.contains("SM2 is defined with SM3"), "{said}");
    let long = "a".repeat(8192);
    let said = shell.fail(
        By::Kuaimi,
        &format!(
            "pkeyutl -sign -inkey key.pem -rawin -digest sm3 -pkeyopt distid:{long} -in message"
        ),
    );
    assert!(said.contains("at most 8191 bytes"), "{said}");
}

#[test]
fn a_public_key_does_not_sign() {
    let shell = with_keys();
    for by in BOTH {
        shell.fail(
            by,
            "pkeyutl -sign -pubin -inkey public.pem -rawin -digest sm3 -in message",
        );
    }
}

#[test]
fn secrets_are_encrypted_and_decrypted() {
    let shell = with_keys();
    for (sender, recipient) in MIXTURES {
        for length in [1, 31, 32, 33, 255, 4096] {
            let secret = vec![0xa5; length];
            shell.write("secret", &secret);
            shell.run(
                sender,
                "pkeyutl -encrypt -pubin -inkey public.pem -in secret -out ciphertext",
            );
            shell.run(
                recipient,
                "pkeyutl -decrypt -inkey key.pem -in ciphertext -out plain",
            );
            assert_eq!(shell.read("plain"), secret, "{sender:?} to {recipient:?}");
        }
        let mut ciphertext = shell.read("ciphertext");
        *ciphertext.last_mut().unwrap() ^= 1;
        shell.write("ciphertext", ciphertext);
        shell.fail(recipient, "pkeyutl -decrypt -inkey key.pem -in ciphertext");
    }
}

#[test]
fn another_key_does_not_decrypt_and_says_so() {
    let shell = with_keys();
    shell.run(
        By::Kuaimi,
        "pkeyutl -encrypt -pubin -inkey public.pem -in message -out ciphertext",
    );
    shell.run(By::Kuaimi, "genpkey -algorithm SM2 -out other.pem");
    let said = shell.fail(
        By::Kuaimi,
        "pkeyutl -decrypt -inkey other.pem -in ciphertext",
    );
    assert!(said.contains("decryption failed"), "{said}");
}
