//! Keys that go to and from the `openssl` program, version 3, which must be on the PATH.

use std::io::Write;
use std::process::{Command, Stdio};

use kuaimi::encoding::{
    Cipher, EncodeEcPrivateKey, EncodePrivateKey, EncodePublicKey, Error, KeyDerivation,
    LineEnding, PasswordEncryption, Prf, PrivateKeyStructure, PublicKeyStructure, TextEncoding,
    read_private_key, read_public_key,
};
use kuaimi::sm2::PrivateKey;

/// What `openssl` with these arguments makes of `input`.
fn openssl(arguments: &str, input: &[u8]) -> Vec<u8> {
    let mut child = Command::new("openssl")
        .args(arguments.split_whitespace())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the openssl program, version 3, must be on the PATH");
    let mut stdin = child.stdin.take().expect("piped");
    // A program that reads nothing may have ended before.
    let _ = stdin.write_all(input);
    drop(stdin);
    let output = child.wait_with_output().expect("openssl ends");
    assert!(
        output.status.success(),
        "openssl {arguments}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    output.stdout
}

#[test]
fn private_keys_from_openssl() {
    let pem = openssl("genpkey -algorithm SM2", &[]);
    let (key, form) = read_private_key(&pem, None).expect("reads");
    assert_eq!(form.structure, PrivateKeyStructure::Pkcs8);
    assert_eq!(form.encoding, TextEncoding::Pem);
    // We write the very same bytes.
    assert_eq!(
        key.to_pkcs8_pem(LineEnding::LF)
            .expect("encodes")
            .as_bytes(),
        pem
    );
    let der = openssl("pkey -outform DER", &pem);
    assert_eq!(
        read_private_key(&der, None).expect("reads").1.encoding,
        TextEncoding::Binary
    );

    let public = openssl("pkey -pubout", &pem);
    let (found, form) = read_public_key(&public).expect("reads");
    assert_eq!(found, *key.public_key());
    assert_eq!(form.structure, PublicKeyStructure::Spki);
    assert_eq!(
        key.public_key()
            .to_public_key_pem(LineEnding::LF)
            .expect("encodes")
            .as_bytes(),
        public
    );
    let compressed = openssl("ec -pubout -conv_form compressed", &pem);
    assert_ne!(compressed, public);
    assert_eq!(
        read_public_key(&compressed).expect("reads").0,
        *key.public_key()
    );

    // SEC 1, which `openssl ec` puts after a block of parameters where it makes a new key.
    let sec1 = openssl("ec", &pem);
    let (found, form) = read_private_key(&sec1, None).expect("reads");
    assert_eq!(found.to_bytes(), key.to_bytes());
    assert_eq!(form.structure, PrivateKeyStructure::Sec1);
    let sec1_der = openssl("ec -outform DER", &pem);
    assert_eq!(key.to_sec1_der().expect("encodes").as_bytes(), sec1_der);
    let made = openssl("ecparam -name SM2 -genkey", &[]);
    assert!(String::from_utf8_lossy(&made).contains("PARAMETERS"));
    read_private_key(&made, None).expect("reads");

    let explicit = openssl("ec -param_enc explicit", &pem);
    let (found, _) = read_private_key(&explicit, None).expect("SM2's own parameters");
    assert_eq!(found.to_bytes(), key.to_bytes());
    let dump = openssl("pkey -text -noout", &pem);
    assert_eq!(
        read_private_key(&dump, None).expect("reads").0.to_bytes(),
        key.to_bytes()
    );
    let other = openssl(
        "genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256",
        &[],
    );
    assert!(matches!(
        read_private_key(&other, None),
        Err(Error::NotSm2Curve(_))
    ));
    let other = openssl("genpkey -algorithm ED25519", &[]);
    assert!(matches!(
        read_private_key(&other, None),
        Err(Error::NotSm2Algorithm(_))
    ));
    let legacy = openssl("ec -aes256 -passout pass:secret", &pem);
    assert_eq!(
        read_private_key(&legacy, Some(b"secret")).map(|_| ()),
        Err(Error::LegacyEncryption)
    );
}

#[test]
fn a_certificate_from_openssl() {
    let pem = openssl("genpkey -algorithm SM2", &[]);
    let (key, _) = read_private_key(&pem, None).expect("reads");
    let directory = std::env::temp_dir().join(format!("kuaimi-encoding-{}", std::process::id()));
    std::fs::create_dir_all(&directory).expect("a temporary directory");
    let path = directory.join("key.pem");
    std::fs::write(&path, &pem).expect("writes");
    let path = path.to_str().expect("a path in UTF-8");
    let certificate = openssl(
        &format!("req -x509 -sm3 -new -key {path} -subj /CN=kuaimi"),
        &[],
    );
    std::fs::remove_dir_all(&directory).expect("removes");
    for (bytes, encoding) in [
        (
            openssl("x509 -outform DER", &certificate),
            TextEncoding::Binary,
        ),
        (openssl("x509 -text", &certificate), TextEncoding::Pem),
        (certificate, TextEncoding::Pem),
    ] {
        let (found, form) = read_public_key(&bytes).expect("reads");
        assert_eq!(found, *key.public_key());
        assert_eq!(
            (form.structure, form.encoding),
            (PublicKeyStructure::Certificate, encoding)
        );
        let private = read_private_key(&bytes, None).map(|_| ());
        assert_eq!(private, Err(Error::UnexpectedPublicKey));
    }
}

#[test]
fn encrypted_keys_from_openssl() {
    let pem = openssl("genpkey -algorithm SM2", &[]);
    let (key, _) = read_private_key(&pem, None).expect("reads");
    use Prf::{HmacSha1, HmacSha224, HmacSha256, HmacSha384, HmacSha512};
    let pbkdf2 = |prf| KeyDerivation::Pbkdf2 {
        prf,
        iterations: 2048,
    };
    for (options, cipher, derivation) in [
        (
            "-v2 aes-128-cbc -v2prf hmacWithSHA1",
            Cipher::Aes128Cbc,
            pbkdf2(HmacSha1),
        ),
        (
            "-v2 aes-192-cbc -v2prf hmacWithSHA224",
            Cipher::Aes192Cbc,
            pbkdf2(HmacSha224),
        ),
        (
            "-v2 aes-256-cbc -v2prf hmacWithSHA384",
            Cipher::Aes256Cbc,
            pbkdf2(HmacSha384),
        ),
        (
            "-v2 aes-256-cbc -v2prf hmacWithSHA512",
            Cipher::Aes256Cbc,
            pbkdf2(HmacSha512),
        ),
        ("-v2 aes-256-cbc", Cipher::Aes256Cbc, pbkdf2(HmacSha256)),
        ("-v2 sm4-cbc", Cipher::Sm4Cbc, pbkdf2(HmacSha256)),
        (
            "-v2 aes-256-cbc -scrypt",
            Cipher::Aes256Cbc,
            KeyDerivation::Scrypt {
                log_n: 14,
                r: 8,
                p: 1,
            },
        ),
    ] {
        let made = openssl(
            &format!("pkcs8 -topk8 {options} -passout pass:secret"),
            &pem,
        );
        let (found, form) = read_private_key(&made, Some(b"secret")).expect(options);
        assert_eq!(found.to_bytes(), key.to_bytes());
        let encryption = PasswordEncryption::AES
            .with_cipher(cipher)
            .with_key_derivation(derivation);
        assert_eq!(
            form.structure,
            PrivateKeyStructure::EncryptedPkcs8(encryption)
        );
        let wrong = read_private_key(&made, Some(b"Secret")).map(|_| ());
        assert_eq!(wrong, Err(Error::WrongPassword));
    }
    let old = openssl("pkcs8 -topk8 -v2 des3 -passout pass:secret", &pem);
    assert!(matches!(
        read_private_key(&old, Some(b"secret")),
        Err(Error::UnsupportedEncryption(_))
    ));
}

#[test]
fn our_keys_in_openssl() {
    let key = PrivateKey::generate().expect("random");
    let pkcs8 = key.to_pkcs8_pem(LineEnding::LF).expect("encodes");
    let same = |input: &[u8], options: &str| {
        let found = openssl(&format!("pkey {options}"), input);
        assert_eq!(found, pkcs8.as_bytes(), "{options}");
    };
    same(pkcs8.as_bytes(), "");
    same(
        key.to_sec1_pem(LineEnding::LF).expect("encodes").as_bytes(),
        "",
    );
    same(
        key.to_sec1_der().expect("encodes").as_bytes(),
        "-inform DER",
    );
    for encryption in [
        PasswordEncryption::AES.with_iterations(1000),
        PasswordEncryption::AES
            .with_cipher(Cipher::Sm4Cbc)
            .with_key_derivation(KeyDerivation::Pbkdf2 {
                prf: Prf::HmacSha512,
                iterations: 1,
            }),
        PasswordEncryption::AES
            .with_cipher(Cipher::Aes192Cbc)
            .with_key_derivation(KeyDerivation::Scrypt {
                log_n: 10,
                r: 4,
                p: 3,
            }),
    ] {
        let text = key
            .to_encrypted_pkcs8_pem(b"secret", encryption, &mut getrandom::SysRng)
            .expect("encrypts");
        same(text.as_bytes(), "-passin pass:secret");
    }
    let public = key
        .public_key()
        .to_public_key_pem(LineEnding::LF)
        .expect("encodes");
    assert_eq!(
        openssl("pkey -pubin -pubout", public.as_bytes()),
        public.as_bytes()
    );
}
