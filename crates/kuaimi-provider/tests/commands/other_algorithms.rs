//! What is not ShangMi goes on as before.

use super::openssl::{By, Shell};

#[test]
fn other_keys_sign_agree_and_encrypt() {
    let shell = Shell::new();
    shell.write("message", "a message");
    for (name, options) in [
        ("rsa", "-algorithm RSA -pkeyopt rsa_keygen_bits:2048"),
        ("p256", "-algorithm EC -pkeyopt ec_paramgen_curve:P-256"),
    ] {
        shell.run(By::Kuaimi, &format!("genpkey {options} -out {name}.key"));
        shell.run(
            By::Kuaimi,
            &format!("pkey -in {name}.key -pubout -out {name}.pub"),
        );
        shell.run(
            By::Kuaimi,
            &format!("dgst -sha256 -sign {name}.key -out signature message"),
        );
        let verify = format!("dgst -sha256 -verify {name}.pub -signature signature message");
        for by in [By::Kuaimi, By::Default] {
            shell.run(by, &verify);
        }
    }
    shell.run(By::Kuaimi, "genpkey -algorithm ED25519 -out ed25519.key");
    shell.run(
        By::Kuaimi,
        "pkeyutl -sign -inkey ed25519.key -rawin -in message -out signature",
    );
    for name in ["p256", "x25519"] {
        if name == "x25519" {
            shell.run(By::Kuaimi, "genpkey -algorithm X25519 -out x25519.key");
            shell.run(By::Kuaimi, "pkey -in x25519.key -pubout -out x25519.pub");
        }
        let derive = format!("pkeyutl -derive -inkey {name}.key -peerkey {name}.pub");
        assert_eq!(
            shell.run(By::Kuaimi, &derive),
            shell.run(By::Default, &derive)
        );
    }
    for line in [
        "dgst -sha256 message",
        "enc -aes-128-ctr -K 00 -iv 00 -in message",
    ] {
        assert_eq!(shell.run(By::Kuaimi, line), shell.run(By::Default, line));
    }
}
