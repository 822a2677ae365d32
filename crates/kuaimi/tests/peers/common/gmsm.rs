//! The Go library `github.com/emmansun/gmsm` as a peer: builds `peers/gmsm`, starts it, and asks it
//! one JSON line at a time. `peers/gmsm/README.md` lists the requests.
//!
//! Nothing here skips: a machine without Go fails these tests with a message that says what to
//! install.

#![allow(
    dead_code,
    reason = "each test program uses its own part of this module"
)]

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use super::lines::Lines;
pub(crate) use super::lines::octets;
use serde_json::{Map, Value, json};

/// The shortest message that gmsm is asked to encrypt with SM2. Where its mask is all zero, once in
/// 256 messages of one byte, gmsm 0.44 starts over with a public key that it has overwritten, and
/// nobody can open what it makes, itself included.
pub(crate) const SHORTEST_OF_GMSM: usize = 16;

/// A running peer. Each test starts its own: a process costs a few milliseconds.
pub(crate) struct Gmsm(Lines);

/// A key pair: the private number, 32 bytes big-endian, and the point, 65 bytes that begin with 04.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct KeyPair {
    pub(crate) d: Vec<u8>,
    pub(crate) public: Vec<u8>,
}

/// A signature in both encodings.
pub(crate) struct Signature {
    pub(crate) der: Vec<u8>,
    /// `r || s`, 64 bytes.
    pub(crate) raw: Vec<u8>,
}

/// How a private key is encrypted.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Pbes {
    /// PBES2 with a cipher and a PRF by the peer's names, such as `aes-256-cbc` and `hmac-sha256`.
    Pbes2 {
        cipher: &'static str,
        prf: &'static str,
    },
    /// GM/T 0091's scheme: SM4-CBC and HMAC-SM3 under object identifiers of their own.
    Gm,
}

/// One side's part in a key exchange.
pub(crate) struct Party<'a> {
    pub(crate) role: &'static str,
    pub(crate) d: &'a [u8],
    pub(crate) id: Option<&'a [u8]>,
    pub(crate) peer_public: &'a [u8],
    pub(crate) peer_id: Option<&'a [u8]>,
    pub(crate) key_length: usize,
}

/// What a step of a key exchange gives: the key and the confirmation to send.
pub(crate) struct Agreed {
    pub(crate) key: Vec<u8>,
    pub(crate) confirmation: Vec<u8>,
}

impl Gmsm {
    /// Builds the program if this process has not yet done so, and starts it.
    pub(crate) fn start() -> Self {
        Self(Lines::start(
            Command::new(program()).arg("serve"),
            "the Go peer",
        ))
    }

    /// Sends one request and gives the answer's fields, or the peer's error text.
    pub(crate) fn try_ask(
        &mut self,
        op: &str,
        fields: Value,
    ) -> Result<Map<String, Value>, String> {
        self.0.ask(op, fields).map_err(|answer| {
            let text = answer["error"].as_str();
            text.unwrap_or("(no error text)").to_owned()
        })
    }

    /// Sends one request that must succeed.
    #[track_caller]
    pub(crate) fn ask(&mut self, op: &str, fields: Value) -> Map<String, Value> {
        match self.try_ask(op, fields) {
            Ok(answer) => answer,
            Err(error) => panic!("the Go peer refused {op}: {error}"),
        }
    }

    pub(crate) fn sm3(&mut self, data: &[u8]) -> Vec<u8> {
        octets(
            &self.ask("sm3", json!({ "data": hex::encode(data) })),
            "digest",
        )
    }

    pub(crate) fn hmac_sm3(&mut self, key: &[u8], data: &[u8]) -> Vec<u8> {
        octets(
            &self.ask(
                "hmac_sm3",
                json!({ "key": hex::encode(key), "data": hex::encode(data) }),
            ),
            "mac",
        )
    }

    /// SM4 in a mode: `ecb`, `cbc`, `cfb`, `ofb`, `ctr`, `xts`, `xts_gb`, and with the tag after
    /// the ciphertext `gcm`, `ccm`, and `ccm_8` with a tag of 8 bytes; the error is the peer's
    /// text.
    pub(crate) fn sm4(
        &mut self,
        mode: &str,
        decrypt: bool,
        [key, iv, beside]: [&[u8]; 3],
        data: &[u8],
    ) -> Result<Vec<u8>, String> {
        let fields = json!({
            "mode": mode,
            "decrypt": decrypt,
            "key": hex::encode(key),
            "iv": hex::encode(iv),
            "beside": hex::encode(beside),
            "data": hex::encode(data),
        });
        Ok(octets(&self.try_ask("sm4", fields)?, "data"))
    }

    pub(crate) fn generate_key(&mut self) -> KeyPair {
        key_pair(&self.ask("sm2_keygen", json!({})))
    }

    pub(crate) fn key_from(&mut self, d: &[u8]) -> KeyPair {
        key_pair(&self.ask("sm2_public", json!({ "d": hex::encode(d) })))
    }

    /// Signs `message`; `None` is the default ID. gmsm does not know the empty ID.
    pub(crate) fn sign(&mut self, d: &[u8], id: Option<&[u8]>, message: &[u8]) -> Signature {
        let mut fields = json!({ "d": hex::encode(d), "message": hex::encode(message) });
        insert_id(&mut fields, "id", id);
        signature(&self.ask("sm2_sign", fields))
    }

    /// Signs `e = SM3(Z || M)`, 32 bytes, as it is.
    pub(crate) fn sign_digest(&mut self, d: &[u8], digest: &[u8]) -> Signature {
        signature(&self.ask(
            "sm2_sign_digest",
            json!({ "d": hex::encode(d), "digest": hex::encode(digest) }),
        ))
    }

    /// Signs 32 bytes as they are, with the nonce of RFC 6979 with HMAC-SM3.
    pub(crate) fn sign_digest_deterministic(&mut self, d: &[u8], digest: &[u8]) -> Signature {
        let fields = json!({
            "d": hex::encode(d),
            "digest": hex::encode(digest),
            "deterministic": true,
        });
        signature(&self.ask("sm2_sign_digest", fields))
    }

    /// Verifies a signature in DER; `None` is the default ID.
    pub(crate) fn verify(
        &mut self,
        public: &[u8],
        id: Option<&[u8]>,
        message: &[u8],
        der: &[u8],
    ) -> bool {
        let mut fields = json!({
            "public": hex::encode(public),
            "message": hex::encode(message),
            "signature": hex::encode(der),
        });
        insert_id(&mut fields, "id", id);
        self.ask("sm2_verify", fields)["valid"] == true
    }

    pub(crate) fn verify_digest(&mut self, public: &[u8], digest: &[u8], der: &[u8]) -> bool {
        let fields = json!({
            "public": hex::encode(public),
            "digest": hex::encode(digest),
            "signature": hex::encode(der),
        });
        self.ask("sm2_verify_digest", fields)["valid"] == true
    }

    /// Encrypts at least [`SHORTEST_OF_GMSM`] bytes to `c1c3c2`, `c1c2c3` or `der`, with an
    /// uncompressed point.
    pub(crate) fn encrypt(&mut self, public: &[u8], message: &[u8], form: &str) -> Vec<u8> {
        self.encrypt_as(public, message, form, "uncompressed", true)
    }

    /// Encrypts with the point `uncompressed` or `compressed`; without `prefix`, the leading 04 is
    /// left out.
    pub(crate) fn encrypt_as(
        &mut self,
        public: &[u8],
        message: &[u8],
        form: &str,
        point: &str,
        prefix: bool,
    ) -> Vec<u8> {
        assert!(message.len() >= SHORTEST_OF_GMSM);
        let fields = json!({
            "public": hex::encode(public),
            "message": hex::encode(message),
            "form": form,
            "point": point,
            "prefix": prefix,
        });
        octets(&self.ask("sm2_encrypt", fields), "ciphertext")
    }

    /// Decrypts; the error is the peer's text.
    pub(crate) fn decrypt(
        &mut self,
        d: &[u8],
        ciphertext: &[u8],
        form: &str,
    ) -> Result<Vec<u8>, String> {
        self.decrypt_as(d, ciphertext, form, true)
    }

    /// Decrypts; without `prefix`, the ciphertext lacks the leading 04.
    pub(crate) fn decrypt_as(
        &mut self,
        d: &[u8],
        ciphertext: &[u8],
        form: &str,
        prefix: bool,
    ) -> Result<Vec<u8>, String> {
        let fields = json!({
            "d": hex::encode(d),
            "ciphertext": hex::encode(ciphertext),
            "form": form,
            "prefix": prefix,
        });
        Ok(octets(&self.try_ask("sm2_decrypt", fields)?, "message"))
    }

    pub(crate) fn compress(&mut self, public: &[u8]) -> Vec<u8> {
        octets(
            &self.ask("point_compress", json!({ "public": hex::encode(public) })),
            "compressed",
        )
    }

    pub(crate) fn decompress(&mut self, compressed: &[u8]) -> Result<Vec<u8>, String> {
        let answer = self.try_ask(
            "point_decompress",
            json!({ "compressed": hex::encode(compressed) }),
        )?;
        Ok(octets(&answer, "public"))
    }

    pub(crate) fn pkcs8_encode(&mut self, d: &[u8]) -> Vec<u8> {
        octets(
            &self.ask("pkcs8_encode", json!({ "d": hex::encode(d) })),
            "der",
        )
    }

    /// PKCS#8 under a password, which must not be empty: gmsm would leave such a key in the clear.
    pub(crate) fn pkcs8_encrypt(&mut self, d: &[u8], password: &[u8], pbes: Pbes) -> Vec<u8> {
        let mut fields = json!({ "d": hex::encode(d), "password": hex::encode(password) });
        match pbes {
            Pbes::Pbes2 { cipher, prf } => {
                fields["cipher"] = cipher.into();
                fields["prf"] = prf.into();
            }
            Pbes::Gm => fields["scheme"] = "gm".into(),
        }
        octets(&self.ask("pkcs8_encode", fields), "der")
    }

    pub(crate) fn pkcs8_decode(&mut self, der: &[u8]) -> Result<KeyPair, String> {
        Ok(key_pair(&self.try_ask(
            "pkcs8_decode",
            json!({ "der": hex::encode(der) }),
        )?))
    }

    pub(crate) fn pkcs8_decrypt(&mut self, der: &[u8], password: &[u8]) -> Result<KeyPair, String> {
        let fields = json!({ "der": hex::encode(der), "password": hex::encode(password) });
        Ok(key_pair(&self.try_ask("pkcs8_decode", fields)?))
    }

    pub(crate) fn sec1_encode(&mut self, d: &[u8]) -> Vec<u8> {
        octets(
            &self.ask("sec1_encode", json!({ "d": hex::encode(d) })),
            "der",
        )
    }

    pub(crate) fn sec1_decode(&mut self, der: &[u8]) -> Result<KeyPair, String> {
        Ok(key_pair(&self.try_ask(
            "sec1_decode",
            json!({ "der": hex::encode(der) }),
        )?))
    }

    pub(crate) fn spki_encode(&mut self, public: &[u8]) -> Vec<u8> {
        octets(
            &self.ask("spki_encode", json!({ "public": hex::encode(public) })),
            "der",
        )
    }

    pub(crate) fn spki_decode(&mut self, der: &[u8]) -> Result<Vec<u8>, String> {
        Ok(octets(
            &self.try_ask("spki_decode", json!({ "der": hex::encode(der) }))?,
            "public",
        ))
    }

    /// GB/T 35276 `SM2EnvelopedKey`: the key `d`, encrypted for `recipient`.
    pub(crate) fn envelope_wrap(&mut self, recipient: &[u8], d: &[u8]) -> Vec<u8> {
        let fields = json!({ "recipient": hex::encode(recipient), "d": hex::encode(d) });
        octets(&self.ask("envelope_wrap", fields), "der")
    }

    pub(crate) fn envelope_unwrap(
        &mut self,
        recipient_d: &[u8],
        der: &[u8],
    ) -> Result<KeyPair, String> {
        let fields = json!({ "d": hex::encode(recipient_d), "der": hex::encode(der) });
        Ok(key_pair(&self.try_ask("envelope_unwrap", fields)?))
    }

    /// Begins a key exchange: a handle for the next steps, and the peer's ephemeral point (65
    /// bytes).
    pub(crate) fn exchange_start(&mut self, party: &Party<'_>) -> (u64, Vec<u8>) {
        let mut fields = json!({
            "role": party.role,
            "d": hex::encode(party.d),
            "peer_public": hex::encode(party.peer_public),
            "key_length": party.key_length,
        });
        insert_id(&mut fields, "id", party.id);
        insert_id(&mut fields, "peer_id", party.peer_id);
        let answer = self.ask("exchange_start", fields);
        let handle = answer["handle"].as_u64().expect("a handle is a number");
        (handle, octets(&answer, "ephemeral_public"))
    }

    /// The responder's step, on the initiator's ephemeral point; its confirmation is SB.
    pub(crate) fn exchange_respond(
        &mut self,
        handle: u64,
        peer_ephemeral: &[u8],
    ) -> Result<Agreed, String> {
        let fields = json!({ "handle": handle, "peer_ephemeral": hex::encode(peer_ephemeral) });
        Ok(agreed(&self.try_ask("exchange_respond", fields)?))
    }

    /// The initiator's step, on the responder's ephemeral point and, if it sent one, SB; its
    /// confirmation is SA.
    pub(crate) fn exchange_finish(
        &mut self,
        handle: u64,
        peer_ephemeral: &[u8],
        confirmation: Option<&[u8]>,
    ) -> Result<Agreed, String> {
        let mut fields = json!({ "handle": handle, "peer_ephemeral": hex::encode(peer_ephemeral) });
        insert_id(&mut fields, "confirmation", confirmation);
        Ok(agreed(&self.try_ask("exchange_finish", fields)?))
    }

    /// The responder's last step: whether SA is right.
    pub(crate) fn exchange_check(
        &mut self,
        handle: u64,
        confirmation: &[u8],
    ) -> Result<(), String> {
        let fields = json!({ "handle": handle, "confirmation": hex::encode(confirmation) });
        self.try_ask("exchange_check", fields).map(|_| ())
    }
}

fn insert_id(fields: &mut Value, name: &str, octets: Option<&[u8]>) {
    if let Some(octets) = octets {
        fields[name] = hex::encode(octets).into();
    }
}

fn key_pair(answer: &Map<String, Value>) -> KeyPair {
    KeyPair {
        d: octets(answer, "d"),
        public: octets(answer, "public"),
    }
}

fn signature(answer: &Map<String, Value>) -> Signature {
    Signature {
        der: octets(answer, "signature"),
        raw: octets(answer, "raw"),
    }
}

fn agreed(answer: &Map<String, Value>) -> Agreed {
    Agreed {
        key: octets(answer, "key"),
        confirmation: octets(answer, "confirmation"),
    }
}

/// The built program. Each process builds into a file of its own and then renames it into place, so
/// that test programs that run at the same time never start a half-written one; Go's cache makes
/// every build after the first a quick one.
fn program() -> &'static Path {
    static PROGRAM: OnceLock<PathBuf> = OnceLock::new();
    PROGRAM.get_or_init(|| {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let source = root.join("peers/gmsm");
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
        let unfinished = folder.join(format!("gmsm-peer-{}{}", std::process::id(), std::env::consts::EXE_SUFFIX));
        let finished = folder.join(format!("gmsm-peer{}", std::env::consts::EXE_SUFFIX));
        let build = Command::new("bash")
            .arg(root.join("scripts/go"))
            .args(["build", "-buildvcs=false", "-o"])
            .arg(&unfinished)
            .arg(".")
            .current_dir(&source)
            .env("GOWORK", "off")
            .output();
        let build = build.unwrap_or_else(|error| {
            panic!(
                "these tests compare Kuaimi with the Go library emmansun/gmsm and need bash to find or install Go, which did \
                 not start: {error}"
            )
        });
        assert!(
            build.status.success(),
            "`scripts/go build` in {} failed. The first time it needs the Go module proxy:\n{}",
            source.display(),
            String::from_utf8_lossy(&build.stderr),
        );
        std::fs::rename(&unfinished, &finished).expect("the built peer can be moved within the target directory");
        finished
    })
}
