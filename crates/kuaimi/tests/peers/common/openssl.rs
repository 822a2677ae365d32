//! The `openssl` program, version 3, as a peer. Each helper is one command line that was tried on
//! OpenSSL 3.0.19, run in a temporary directory of its own.
//!
//! What OpenSSL 3.0 cannot do with SM2, and these helpers therefore do not offer: key exchange;
//! ciphertexts other than DER; an empty message in encryption; PBES2 with HMAC-SM3 (neither writing
//! nor reading); `SM2EnvelopedKey`.
//!
//! Nothing here skips: a machine without OpenSSL 3 fails these tests with a message that says what
//! to install.

#![allow(
    dead_code,
    reason = "each test program uses its own part of this module"
)]

use std::ffi::OsStr;
use std::path::PathBuf;
use std::process::{Command, Output};
use std::sync::OnceLock;

use tempfile::TempDir;

/// A place to run `openssl` in.
pub(crate) struct OpenSsl {
    folder: TempDir,
    files: std::cell::Cell<u32>,
}

impl OpenSsl {
    /// Checks once that the program is there and of version 3 or newer.
    pub(crate) fn new() -> Self {
        static VERSION: OnceLock<String> = OnceLock::new();
        VERSION.get_or_init(|| {
            let output = Command::new("openssl").arg("version").output().unwrap_or_else(|error| {
                panic!(
                    "these tests compare Kuaimi with OpenSSL and need the `openssl` command, which did not start \
                     ({error}): install OpenSSL 3 (Debian, Ubuntu: apt install openssl) and see that it is on the PATH"
                )
            });
            let version = String::from_utf8_lossy(&output.stdout).trim().to_owned();
            let major = version.strip_prefix("OpenSSL ").and_then(|rest| rest.split('.').next()?.parse::<u32>().ok());
            assert!(
                major.is_some_and(|major| major >= 3),
                "these tests need the `openssl` command of OpenSSL 3 or newer, but it says {version:?}"
            );
            version
        });
        let folder = TempDir::new().expect("a temporary directory can be made");
        Self {
            folder,
            files: std::cell::Cell::new(0),
        }
    }

    // ---- SM4 ----

    /// `openssl enc -sm4-ecb`, `-sm4-cbc`, `-sm4-cfb`, `-sm4-ofb` or `-sm4-ctr`, without padding
    /// (`enc` knows no authenticated mode, nor XTS).
    pub(crate) fn sm4(
        &self,
        mode: &str,
        decrypt: bool,
        key: &[u8],
        iv: &[u8],
        data: &[u8],
    ) -> Vec<u8> {
        let input = self.file(data);
        let (cipher, key, iv) = (format!("-sm4-{mode}"), hex::encode(key), hex::encode(iv));
        let direction = if decrypt { "-d" } else { "-e" };
        let mut arguments = vec![
            "enc", &cipher, direction, "-nopad", "-K", &key, "-in", &input,
        ];
        if mode != "ecb" {
            arguments.extend(["-iv", &iv]);
        }
        self.succeed(&arguments)
    }

    // ---- keys ----

    /// `openssl genpkey -algorithm SM2`: a new private key, PKCS#8 in PEM.
    ///
    /// (With `-outform DER` OpenSSL 3.0 writes SEC 1 rather than PKCS#8, so DER is made by
    /// [`Self::pkcs8_der`].)
    pub(crate) fn generate_key(&self) -> Vec<u8> {
        self.succeed(&["genpkey", "-algorithm", "SM2"])
    }

    /// `openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:SM2`: the same key by the curve's
    /// name.
    pub(crate) fn generate_key_by_curve(&self) -> Vec<u8> {
        self.succeed(&[
            "genpkey",
            "-algorithm",
            "EC",
            "-pkeyopt",
            "ec_paramgen_curve:SM2",
        ])
    }

    /// `openssl pkcs8 -topk8 -nocrypt -outform DER`: PKCS#8 in DER, from any private key form in
    /// PEM or DER.
    pub(crate) fn pkcs8_der(&self, key: &[u8]) -> Vec<u8> {
        let key = self.file(&self.pkcs8_pem(key));
        self.succeed(&[
            "pkcs8", "-topk8", "-nocrypt", "-in", &key, "-outform", "DER",
        ])
    }

    /// `openssl pkey`: PKCS#8 in PEM, from any private key form in PEM or DER.
    pub(crate) fn pkcs8_pem(&self, key: &[u8]) -> Vec<u8> {
        self.succeed(&["pkey", "-in", &self.file(key)])
    }

    /// `openssl ec -outform DER`: SEC 1 `ECPrivateKey` in DER, with the curve and the public key.
    pub(crate) fn sec1_der(&self, key: &[u8]) -> Vec<u8> {
        self.succeed(&["ec", "-in", &self.file(key), "-outform", "DER"])
    }

    /// `openssl ec`: SEC 1 in PEM. OpenSSL 3.0 labels it `SM2 PRIVATE KEY`, and reads that and
    /// `EC PRIVATE KEY`. (`openssl pkey -traditional` fails for SM2 keys in PEM.)
    pub(crate) fn sec1_pem(&self, key: &[u8]) -> Vec<u8> {
        self.succeed(&["ec", "-in", &self.file(key)])
    }

    /// `openssl ec -no_public -outform DER`: SEC 1 without the public key.
    pub(crate) fn sec1_der_without_public(&self, key: &[u8]) -> Vec<u8> {
        self.succeed(&[
            "ec",
            "-in",
            &self.file(key),
            "-no_public",
            "-outform",
            "DER",
        ])
    }

    /// `openssl pkey -pubout -outform DER`: `SubjectPublicKeyInfo` of a private key.
    pub(crate) fn public_der(&self, key: &[u8]) -> Vec<u8> {
        self.succeed(&["pkey", "-in", &self.file(key), "-pubout", "-outform", "DER"])
    }

    /// `openssl pkey -pubout`: `SubjectPublicKeyInfo` of a private key, PEM.
    pub(crate) fn public_pem(&self, key: &[u8]) -> Vec<u8> {
        self.succeed(&["pkey", "-in", &self.file(key), "-pubout"])
    }

    /// `openssl ec -pubout -conv_form FORM -outform DER`: the same with the point `compressed`,
    /// `uncompressed` or `hybrid`. (`openssl pkey -ec_conv_form` fails for SM2 keys in OpenSSL
    /// 3.0.)
    pub(crate) fn public_der_as(&self, key: &[u8], form: &str) -> Vec<u8> {
        self.succeed(&[
            "ec",
            "-in",
            &self.file(key),
            "-pubout",
            "-conv_form",
            form,
            "-outform",
            "DER",
        ])
    }

    /// `openssl pkey -pubin -outform DER`: reads a public key and writes it back, or nothing if
    /// OpenSSL cannot read it.
    pub(crate) fn read_public(&self, public: &[u8]) -> Option<Vec<u8>> {
        let output = self.run(&[
            "pkey",
            "-pubin",
            "-in",
            &self.file(public),
            "-pubout",
            "-outform",
            "DER",
        ]);
        output.status.success().then_some(output.stdout)
    }

    /// `openssl pkcs8 -topk8 -v2 CIPHER -v2prf PRF -iter 2048 -outform DER`: encrypted PKCS#8
    /// (PBES2).
    ///
    /// `aes-256-cbc`, `aes-128-cbc` and `sm4-cbc` work with `hmacWithSHA256` and the other SHA-2
    /// PRFs; OpenSSL 3.0 answers `hmacWithSM3` with "Unknown PRF algorithm", and cannot read such a
    /// key either.
    pub(crate) fn encrypt_key(
        &self,
        key: &[u8],
        password: &str,
        cipher: &str,
        prf: &str,
    ) -> Vec<u8> {
        let key = self.file(&self.pkcs8_pem(key));
        let password = format!("pass:{password}");
        self.succeed(&[
            "pkcs8", "-topk8", "-in", &key, "-v2", cipher, "-v2prf", prf, "-iter", "2048",
            "-passout", &password, "-outform", "DER",
        ])
    }

    /// `openssl pkcs8 -inform DER -passin …`, then PKCS#8 in DER; nothing if the key does not open.
    pub(crate) fn decrypt_key(&self, der: &[u8], password: &str) -> Option<Vec<u8>> {
        let password = format!("pass:{password}");
        let output = self.run(&[
            "pkcs8",
            "-inform",
            "DER",
            "-in",
            &self.file(der),
            "-passin",
            &password,
        ]);
        output
            .status
            .success()
            .then(|| self.pkcs8_der(&output.stdout))
    }

    // ---- signatures ----

    /// `openssl pkeyutl -sign -rawin -digest sm3 -pkeyopt hexdistid:…`: a signature in DER.
    ///
    /// Without `distid` OpenSSL 3.0 takes the *empty* ID, not the default one of the standard:
    /// always name it. It takes IDs of up to 8190 bytes, one byte short of the standard's 8191.
    pub(crate) fn sign(&self, key: &[u8], id: &[u8], message: &[u8]) -> Vec<u8> {
        let (key, message) = (self.file(key), self.file(message));
        self.succeed(&[
            "pkeyutl",
            "-sign",
            "-inkey",
            &key,
            "-rawin",
            "-digest",
            "sm3",
            "-pkeyopt",
            &distid(id),
            "-in",
            &message,
        ])
    }

    /// `openssl pkeyutl -verify -pubin -rawin -digest sm3 -pkeyopt hexdistid:… -sigfile …`.
    pub(crate) fn verify(
        &self,
        public: &[u8],
        id: &[u8],
        message: &[u8],
        signature: &[u8],
    ) -> bool {
        let (public, message, signature) =
            (self.file(public), self.file(message), self.file(signature));
        self.is_verified(&[
            "pkeyutl",
            "-verify",
            "-pubin",
            "-inkey",
            &public,
            "-rawin",
            "-digest",
            "sm3",
            "-pkeyopt",
            &distid(id),
            "-in",
            &message,
            "-sigfile",
            &signature,
        ])
    }

    /// `openssl pkeyutl -sign` over the 32 bytes of `e`, which are signed as they are.
    pub(crate) fn sign_digest(&self, key: &[u8], digest: &[u8]) -> Vec<u8> {
        let (key, digest) = (self.file(key), self.file(digest));
        self.succeed(&["pkeyutl", "-sign", "-inkey", &key, "-in", &digest])
    }

    /// `openssl pkeyutl -verify` of a signature over the 32 bytes of `e`.
    pub(crate) fn verify_digest(&self, public: &[u8], digest: &[u8], signature: &[u8]) -> bool {
        let (public, digest, signature) =
            (self.file(public), self.file(digest), self.file(signature));
        self.is_verified(&[
            "pkeyutl", "-verify", "-pubin", "-inkey", &public, "-in", &digest, "-sigfile",
            &signature,
        ])
    }

    /// `openssl dgst -sm3 -binary`.
    pub(crate) fn sm3(&self, data: &[u8]) -> Vec<u8> {
        self.succeed(&["dgst", "-sm3", "-binary", &self.file(data)])
    }

    /// `openssl dgst -sm3 -mac HMAC -macopt hexkey:… -binary`.
    pub(crate) fn hmac_sm3(&self, key: &[u8], data: &[u8]) -> Vec<u8> {
        let key = format!("hexkey:{}", hex::encode(key));
        self.succeed(&[
            "dgst",
            "-sm3",
            "-mac",
            "HMAC",
            "-macopt",
            &key,
            "-binary",
            &self.file(data),
        ])
    }

    // ---- encryption ----

    /// `openssl pkeyutl -encrypt -pubin`: GM/T 0009 DER, the only form that OpenSSL 3.0 has; not
    /// for an empty message.
    pub(crate) fn encrypt(&self, public: &[u8], message: &[u8]) -> Vec<u8> {
        let (public, message) = (self.file(public), self.file(message));
        self.succeed(&[
            "pkeyutl", "-encrypt", "-pubin", "-inkey", &public, "-in", &message,
        ])
    }

    /// `openssl pkeyutl -decrypt` of DER; nothing if OpenSSL refuses the ciphertext.
    pub(crate) fn decrypt(&self, key: &[u8], ciphertext: &[u8]) -> Option<Vec<u8>> {
        let (key, ciphertext) = (self.file(key), self.file(ciphertext));
        let output = self.run(&["pkeyutl", "-decrypt", "-inkey", &key, "-in", &ciphertext]);
        output.status.success().then_some(output.stdout)
    }

    // ---- certificates ----

    /// `openssl req -x509 -new -key … -sm3 -sigopt distid:… -outform DER`: a certificate that signs
    /// itself.
    pub(crate) fn self_signed_certificate(
        &self,
        key: &[u8],
        id: &[u8],
        common_name: &str,
    ) -> Vec<u8> {
        let (key, subject) = (self.file(key), format!("/CN={common_name}"));
        self.succeed(&[
            "req",
            "-x509",
            "-new",
            "-key",
            &key,
            "-sm3",
            "-sigopt",
            &distid(id),
            "-subj",
            &subject,
            "-days",
            "30",
            "-outform",
            "DER",
        ])
    }

    /// `openssl req -new -key … -sm3 -sigopt distid:… -outform DER`: a request for a certificate,
    /// signed.
    pub(crate) fn certificate_request(&self, key: &[u8], id: &[u8], common_name: &str) -> Vec<u8> {
        let (key, subject) = (self.file(key), format!("/CN={common_name}"));
        self.succeed(&[
            "req",
            "-new",
            "-key",
            &key,
            "-sm3",
            "-sigopt",
            &distid(id),
            "-subj",
            &subject,
            "-outform",
            "DER",
        ])
    }

    /// `openssl req -verify -vfyopt distid:… -noout`: whether a request's own signature holds.
    ///
    /// (There is no such command for a self-signed certificate: `openssl verify -check_ss_sig`
    /// knows the ID of the certificate it was given but not of the trusted copy that it then
    /// checks, so it refuses any ID but the empty one. Take the certificate apart with
    /// `certificate::parts` and use [`Self::verify`].)
    pub(crate) fn verify_request(&self, der: &[u8], id: &[u8]) -> bool {
        let request = self.file(der);
        let output = self.run(&[
            "req",
            "-verify",
            "-vfyopt",
            &distid(id),
            "-inform",
            "DER",
            "-in",
            &request,
            "-noout",
        ]);
        let text = String::from_utf8_lossy(&output.stderr).into_owned()
            + &String::from_utf8_lossy(&output.stdout);
        text.contains("verify OK")
    }

    /// `openssl x509 -req -CA … -CAkey … -sm3 -sigopt distid:… -vfyopt distid:…`: a certificate for
    /// a request, by the holder of a self-signed one. All DER; `request_id` is the ID of the
    /// request's own signature.
    pub(crate) fn issue_certificate(
        &self,
        issuer: &[u8],
        issuer_key: &[u8],
        id: &[u8],
        request: &[u8],
        request_id: &[u8],
    ) -> Vec<u8> {
        let (issuer, issuer_key, request) =
            (self.file(issuer), self.file(issuer_key), self.file(request));
        self.succeed(&[
            "x509",
            "-req",
            "-inform",
            "DER",
            "-in",
            &request,
            "-CA",
            &issuer,
            "-CAkey",
            &issuer_key,
            "-sm3",
            "-sigopt",
            &distid(id),
            "-vfyopt",
            &distid(request_id),
            "-days",
            "30",
            "-outform",
            "DER",
        ])
    }

    /// `openssl verify -vfyopt distid:… -CAfile …`: whether a certificate was signed by a trusted
    /// one.
    pub(crate) fn verify_certificate(&self, trusted: &[u8], certificate: &[u8], id: &[u8]) -> bool {
        let pem = |der: &[u8]| {
            self.file(&self.succeed(&["x509", "-inform", "DER", "-in", &self.file(der)]))
        };
        let (trusted, certificate) = (pem(trusted), pem(certificate));
        let output = self.run(&[
            "verify",
            "-vfyopt",
            &distid(id),
            "-CAfile",
            &trusted,
            &certificate,
        ]);
        output.status.success()
    }

    // ---- the program ----

    /// Writes `content` to a new file in the temporary directory and gives its name.
    fn file(&self, content: &[u8]) -> String {
        let number = self.files.get();
        self.files.set(number + 1);
        let name = number.to_string();
        std::fs::write(self.path(&name), content).expect("the temporary directory can be written");
        name
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn run<S: AsRef<OsStr>>(&self, arguments: &[S]) -> Output {
        Command::new("openssl")
            .args(arguments)
            .current_dir(self.folder.path())
            .output()
            .expect("the openssl program was there a moment ago")
    }

    #[track_caller]
    fn succeed(&self, arguments: &[&str]) -> Vec<u8> {
        let output = self.run(arguments);
        assert!(
            output.status.success(),
            "`{}` failed:\n{}",
            command_line(arguments),
            String::from_utf8_lossy(&output.stderr),
        );
        output.stdout
    }

    /// Whether `pkeyutl -verify` accepted. A signature that is refused must be told from a command
    /// that went wrong.
    #[track_caller]
    fn is_verified(&self, arguments: &[&str]) -> bool {
        let output = self.run(arguments);
        let said = String::from_utf8_lossy(&output.stdout).into_owned()
            + &String::from_utf8_lossy(&output.stderr);
        match output.status.success() {
            true => said.contains("Verified Successfully"),
            false if said.contains("Verification Failure") => false,
            false => panic!("`{}` failed:\n{said}", command_line(arguments)),
        }
    }
}

/// What was run, for a message; long identities are cut.
fn command_line(arguments: &[&str]) -> String {
    arguments
        .iter()
        .fold("openssl".to_owned(), |line, argument| {
            match argument.get(..100) {
                Some(start) => format!("{line} {start}…"),
                None => format!("{line} {argument}"),
            }
        })
}

/// The option that gives the ID: hexadecimal, so that any byte is possible, and none at all for the
/// empty ID.
fn distid(id: &[u8]) -> String {
    format!("hexdistid:{}", hex::encode(id))
}
