//! SM3 and SM4 with `dgst`, `mac`, `kdf` and `enc`: the same bytes with the provider and without.

use super::openssl::{BOTH, By, Shell};

/// A folder with files of many lengths: empty, around blocks, and longer than the program reads at
/// once.
fn with_files() -> (Shell, Vec<String>) {
    let shell = Shell::new();
    let names = [0, 1, 15, 16, 17, 63, 64, 65, 4096, 100_003].map(|length: usize| {
        let name = format!("file{length}");
        let bytes: Vec<u8> = (0..length).map(|i| (i * 7 + i / 256) as u8).collect();
        shell.write(&name, bytes);
        name
    });
    (shell, names.to_vec())
}

#[test]
fn digests_and_what_is_made_of_them_are_the_same() {
    let (shell, names) = with_files();
    for name in &names {
        for line in [
            format!("dgst -sm3 -r {name}"),
            format!("mac -digest SM3 -macopt hexkey:00112233445566778899 -in {name} HMAC"),
            format!(
                "mac -cipher SM4-CBC -macopt hexkey:000102030405060708090a0b0c0d0e0f -in {name} CMAC"
            ),
        ] {
            assert_eq!(
                shell.run(By::Kuaimi, &line),
                shell.run(By::Default, &line),
                "{line}"
            );
        }
    }
    for line in [
        "kdf -keylen 77 -kdfopt digest:SM3 -kdfopt hexkey:0102 -kdfopt hexsalt:03 -kdfopt hexinfo:04 HKDF",
        "kdf -keylen 77 -kdfopt digest:SM3 -kdfopt hexkey:0102 -kdfopt hexinfo:04 X963KDF",
        "kdf -keylen 77 -kdfopt digest:SM3 -kdfopt pass:secret -kdfopt salt:saltsalt -kdfopt iter:1000 PBKDF2",
        "kdf -keylen 77 -kdfopt digest:SM3 -kdfopt mac:HMAC -kdfopt hexkey:0102 -kdfopt hexsalt:03 -kdfopt hexinfo:04 KBKDF",
        "kdf -keylen 77 -kdfopt digest:SM3 -kdfopt hexsecret:0102 -kdfopt hexseed:03 TLS1-PRF",
    ] {
        let ours = shell.run(By::Kuaimi, line);
        assert_eq!(ours, shell.run(By::Default, line), "{line}");
        assert!(ours.len() > 77 * 2, "{line}");
    }
}

#[test]
fn ciphertexts_are_the_same_and_are_decrypted() {
    let (shell, names) = with_files();
    let key = "-K 000102030405060708090a0b0c0d0e0f -iv fffefdfcfbfafff0f9f8f7f6f5f4f3f2";
    for mode in ["sm4", "sm4-ecb", "sm4-cbc", "sm4-ctr", "sm4-cfb", "sm4-ofb"] {
        for name in &names {
            let mut ciphertexts = BOTH.map(|by| {
                shell.run(by, &format!("enc -{mode} {key} -in {name} -out {by:?}"));
                shell.read(&format!("{by:?}"))
            });
            assert_eq!(ciphertexts[0], ciphertexts[1], "{mode} {name}");
            shell.run(
                By::Kuaimi,
                &format!("enc -d -{mode} {key} -in Kuaimi -out plain"),
            );
            assert_eq!(shell.read("plain"), shell.read(name), "{mode} {name}");
            // A piece of a block.
            if mode == "sm4-cbc" {
                ciphertexts[0].pop();
                shell.write("short", &ciphertexts[0]);
                shell.fail(By::Kuaimi, &format!("enc -d -{mode} {key} -in short"));
            }
        }
    }
}

#[test]
fn a_password_and_a_wrong_one() {
    let (shell, _) = with_files();
    let options = "-sm4-cbc -pbkdf2 -md sm3 -iter 1000";
    shell.run(
        By::Kuaimi,
        &format!("enc {options} -pass pass:secret -in file4096 -out encrypted"),
    );
    shell.run(
        By::Default,
        &format!("enc -d {options} -pass pass:secret -in encrypted -out plain"),
    );
    assert_eq!(shell.read("plain"), shell.read("file4096"));
    let said = shell.fail(
        By::Kuaimi,
        &format!("enc -d {options} -pass pass:other -in encrypted"),
    );
    assert!(
        said.contains("decryption failed") || said.contains("bad decrypt"),
        "{said}"
    );
}
