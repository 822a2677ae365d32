//! What is measured: the table of operations. A new one is a line here, one in `ours` and one in `peers/gmsm`.

use crate::report::Goal;

/// An operation that libraries can be compared in.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Operation {
    /// `--filter` finds it by this, and `ours` has it under this name.
    pub(crate) id: &'static str,
    /// The report that it belongs to: `sm2`.
    pub(crate) algorithm: &'static str,
    /// The operation, in the report's words.
    pub(crate) label: &'static str,
    /// The message's length where speed is told in bytes a second.
    pub(crate) bytes: Option<usize>,
    /// What the Go peer does.
    pub(crate) gmsm: Option<Gmsm>,
    /// What `openssl speed` measures.
    pub(crate) openssl: Option<OpenSsl>,
    /// How many times as fast as the Go peer.
    pub(crate) goal: Option<Goal>,
}

/// A measurement of the Go peer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Gmsm {
    /// Its name in `gmsm-peer bench --operations`.
    pub(crate) name: &'static str,
    /// It has this operation only one at a time and with nothing prepared, and is measured at that.
    pub(crate) plain: bool,
}

/// A measurement of `openssl speed`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum OpenSsl {
    Sm2Sign,
    Sm2Verify,
    /// A hash, or a cipher that encrypts.
    Evp(&'static str),
    /// A cipher that decrypts.
    EvpDecrypt(&'static str),
}

const fn new(algorithm: &'static str, id: &'static str, label: &'static str) -> Operation {
    Operation {
        id,
        algorithm,
        label,
        bytes: None,
        gmsm: None,
        openssl: None,
        goal: None,
    }
}

const fn sm2(id: &'static str, label: &'static str) -> Operation {
    new("sm2", id, label)
}

const fn sm3(id: &'static str, label: &'static str, bytes: usize) -> Operation {
    new("sm3", id, label).bytes(bytes).evp("sm3")
}

const fn sm9(id: &'static str, label: &'static str) -> Operation {
    new("sm9", id, label)
}

const fn sm4(id: &'static str, label: &'static str, bytes: usize) -> Operation {
    new("sm4", id, label).bytes(bytes)
}

impl Operation {
    const fn bytes(mut self, bytes: usize) -> Self {
        self.bytes = Some(bytes);
        self
    }

    /// The Go peer has it, under this name.
    const fn gmsm(mut self, name: &'static str) -> Self {
        self.gmsm = Some(Gmsm { name, plain: false });
        self
    }

    /// The Go peer has it only one at a time and with nothing prepared.
    const fn gmsm_plain(mut self, name: &'static str) -> Self {
        self.gmsm = Some(Gmsm { name, plain: true });
        self
    }

    const fn openssl(mut self, openssl: OpenSsl) -> Self {
        self.openssl = Some(openssl);
        self
    }

    const fn evp(self, name: &'static str) -> Self {
        self.openssl(OpenSsl::Evp(name))
    }

    const fn evp_decrypt(self, name: &'static str) -> Self {
        self.openssl(OpenSsl::EvpDecrypt(name))
    }

    const fn goal(mut self, at_least: f64, aim: f64) -> Self {
        self.goal = Some(Goal {
            at_least,
            aim: Some(aim),
        });
        self
    }
}

const KIB: usize = 1 << 10;

/// All of them, in the reports' order.
#[rustfmt::skip]
pub(crate) const OPERATIONS: &[Operation] = &[
    sm2("sm2-keygen", "key pair").gmsm("keygen").goal(2.8, 3.5),
    sm2("sm2-keygen-batch", "key pair, batch").gmsm_plain("keygen").goal(5.0, 8.0),
    sm2("sm2-sign", "sign").gmsm("sign").openssl(OpenSsl::Sm2Sign).goal(4.5, 6.0),
    sm2("sm2-sign-pool", "sign, nonce pool").gmsm_plain("sign"),
    sm2("sm2-sign-batch", "sign, batch").gmsm_plain("sign").goal(9.0, 13.0),
    sm2("sm2-verify", "verify, unknown key").gmsm("verify").openssl(OpenSsl::Sm2Verify).goal(1.8, 2.0),
    sm2("sm2-verify-prepared", "verify, prepared key").gmsm_plain("verify").goal(8.0, 10.0),
    sm2("sm2-verify-batch", "verify, batch, all keys different").gmsm_plain("verify").goal(9.0, 11.0),
    sm2("sm2-verify-batch-prepared", "verify, batch, prepared keys").gmsm_plain("verify").goal(20.0, 26.0),
    sm2("sm2-encrypt", "encrypt 32 B").gmsm("encrypt").goal(1.6, 1.8),
    sm2("sm2-encrypt-prepared", "encrypt 32 B, prepared recipient").gmsm_plain("encrypt").goal(5.0, 7.0),
    sm2("sm2-encrypt-batch", "encrypt 32 B, batch").gmsm_plain("encrypt"),
    sm2("sm2-encrypt-batch-prepared", "encrypt 32 B, batch, prepared").gmsm_plain("encrypt"),
    sm2("sm2-decrypt", "decrypt 32 B").gmsm("decrypt").goal(1.5, 1.7),
    sm2("sm2-decrypt-batch", "decrypt 32 B, batch").gmsm_plain("decrypt"),
    sm2("sm2-exchange", "key exchange").gmsm("exchange"),
    sm2("sm2-exchange-confirmed", "key exchange, confirmed").gmsm("exchange_confirmed"),
    sm3("sm3-64", "one stream, 64 B", 64).gmsm("sm3_64"),
    sm3("sm3-1k", "one stream, 1 KiB", KIB).gmsm("sm3_1k"),
    sm3("sm3-16k", "one stream, 16 KiB", 16 * KIB).gmsm("sm3_16k").goal(1.1, 1.3),
    sm3("sm3-1m", "one stream, 1 MiB", 1024 * KIB).gmsm("sm3_1m"),
    sm3("sm3-many-64", "many streams, 64 B", 64).gmsm_plain("sm3_64"),
    sm3("sm3-many-1k", "many streams, 1 KiB", KIB).gmsm_plain("sm3_1k"),
    sm3("sm3-many-16k", "many streams, 16 KiB", 16 * KIB).gmsm_plain("sm3_16k").goal(6.0, 10.0),
    sm4("sm4-ctr-1k", "CTR, 1 KiB", KIB).gmsm("sm4_ctr_1k").evp("sm4-ctr"),
    sm4("sm4-ctr-16k", "CTR, 16 KiB", 16 * KIB).gmsm("sm4_ctr_16k").evp("sm4-ctr").goal(4.0, 8.0),
    sm4("sm4-gcm-1k", "GCM, 1 KiB", KIB).gmsm("sm4_gcm_1k"),
    sm4("sm4-gcm-16k", "GCM, 16 KiB", 16 * KIB).gmsm("sm4_gcm_16k").goal(2.5, 5.0),
    sm4("sm4-gcm-open-16k", "GCM, open 16 KiB", 16 * KIB).gmsm("sm4_gcm_open_16k"),
    sm4("sm4-xts-1k", "XTS, 1 KiB", KIB).gmsm("sm4_xts_1k"),
    sm4("sm4-xts-16k", "XTS, 16 KiB", 16 * KIB).gmsm("sm4_xts_16k"),
    sm4("sm4-xts-decrypt-16k", "XTS, decrypt 16 KiB", 16 * KIB).gmsm("sm4_xts_decrypt_16k"),
    sm4("sm4-cbc-encrypt-16k", "CBC, encrypt 16 KiB", 16 * KIB).gmsm("sm4_cbc_encrypt_16k").evp("sm4-cbc"),
    sm4("sm4-cbc-decrypt-1k", "CBC, decrypt 1 KiB", KIB).gmsm("sm4_cbc_decrypt_1k"),
    sm4("sm4-cbc-decrypt-16k", "CBC, decrypt 16 KiB", 16 * KIB).gmsm("sm4_cbc_decrypt_16k").evp_decrypt("sm4-cbc"),
    sm4("sm4-ecb-1k", "ECB, 1 KiB", KIB).gmsm("sm4_ecb_1k"),
    sm4("sm4-ecb-16k", "ECB, 16 KiB", 16 * KIB).gmsm("sm4_ecb_16k").evp("sm4-ecb"),
    sm9("sm9-extract-sign", "extract a signing key").gmsm("sm9_extract_sign").goal(8.0, 12.0),
    sm9("sm9-extract-sign-batch", "extract signing keys, batch").gmsm_plain("sm9_extract_sign"),
    sm9("sm9-extract-enc", "extract an encryption key").gmsm("sm9_extract_enc").goal(8.0, 12.0),
    sm9("sm9-extract-enc-batch", "extract encryption keys, batch").gmsm_plain("sm9_extract_enc"),
    sm9("sm9-sign", "sign, nothing prepared by hand").gmsm("sm9_sign").goal(8.0, 15.0),
    sm9("sm9-sign-prepared", "sign").gmsm("sm9_sign").goal(11.0, 18.0),
    sm9("sm9-sign-batch", "sign, batch").gmsm_plain("sm9_sign").goal(25.0, 40.0),
    sm9("sm9-verify", "verify, nothing prepared by hand").gmsm("sm9_verify"),
    sm9("sm9-verify-prepared", "verify").gmsm("sm9_verify").goal(5.5, 7.0),
    sm9("sm9-verify-known", "verify, known identity").gmsm_plain("sm9_verify").goal(8.0, 10.0),
    sm9("sm9-verify-batch", "verify, batch").gmsm_plain("sm9_verify").goal(10.0, 14.0),
    sm9("sm9-encrypt", "encrypt 32 B, nothing prepared by hand").gmsm("sm9_encrypt"),
    sm9("sm9-encrypt-prepared", "encrypt 32 B").gmsm("sm9_encrypt").goal(9.0, 14.0),
    sm9("sm9-decrypt", "decrypt 32 B, nothing prepared by hand").gmsm("sm9_decrypt"),
    sm9("sm9-decrypt-prepared", "decrypt 32 B, key prepared").gmsm("sm9_decrypt").goal(2.0, 4.0),
    sm9("sm9-encap", "encapsulate, nothing prepared by hand").gmsm("sm9_encap").goal(8.0, 15.0),
    sm9("sm9-encap-prepared", "encapsulate").gmsm("sm9_encap").goal(9.0, 14.0),
    sm9("sm9-encap-batch", "encapsulate, batch").gmsm_plain("sm9_encap").goal(20.0, 30.0),
    sm9("sm9-decap", "decapsulate, nothing prepared by hand").gmsm("sm9_decap"),
    sm9("sm9-decap-prepared", "decapsulate, key prepared").gmsm("sm9_decap").goal(6.0, 8.0),
    sm9("sm9-decap-batch", "decapsulate, batch").gmsm_plain("sm9_decap").goal(10.0, 14.0),
    sm9("sm9-exchange", "key exchange, nothing prepared by hand").gmsm("sm9_exchange"),
    sm9("sm9-exchange-prepared", "key exchange").gmsm("sm9_exchange").goal(2.5, 5.0),
    sm9("sm9-pairing", "pairing").gmsm("sm9_pairing").goal(4.0, 5.0),
];

/// The operations whose names contain one of these words; all of them where there are no words.
pub(crate) fn chosen(words: &[String]) -> anyhow::Result<Vec<&'static Operation>> {
    let has = |operation: &&Operation, word: &String| operation.id.contains(word.as_str());
    for word in words {
        anyhow::ensure!(
            !word.is_empty() && OPERATIONS.iter().any(|operation| has(&operation, word)),
            "--filter {word:?} is in no operation's name; the names are {}",
            OPERATIONS
                .iter()
                .map(|operation| operation.id)
                .collect::<Vec<_>>()
                .join(", ")
        );
    }
    Ok(OPERATIONS
        .iter()
        .filter(|operation| words.is_empty() || words.iter().any(|word| has(operation, word)))
        .collect())
}

#[cfg(test)]
mod tests {
    use super::{OPERATIONS, chosen};

    fn ids(words: &[&str]) -> Vec<&'static str> {
        let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
        let chosen = chosen(&words).unwrap();
        chosen.iter().map(|operation| operation.id).collect()
    }

    #[test]
    fn names_are_unique_and_begin_with_the_algorithm() {
        for (place, operation) in OPERATIONS.iter().enumerate() {
            let prefix = format!("{}-", operation.algorithm);
            assert!(operation.id.starts_with(&prefix), "{}", operation.id);
            let rest = &OPERATIONS[place + 1..];
            assert!(rest.iter().all(|other| other.id != operation.id));
            let same_table = |other: &&super::Operation| other.algorithm == operation.algorithm;
            assert!(
                rest.iter()
                    .filter(same_table)
                    .all(|other| other.label != operation.label),
                "{}",
                operation.id
            );
        }
    }

    #[test]
    fn filters() {
        assert_eq!(ids(&[]).len(), OPERATIONS.len());
        assert_eq!(ids(&["exchange-conf"]), ["sm2-exchange-confirmed"]);
        // In the table's order, each once.
        assert_eq!(
            ids(&["sm2-decrypt", "keygen-b", "decrypt-batch"]),
            ["sm2-keygen-batch", "sm2-decrypt", "sm2-decrypt-batch"]
        );
        let error = chosen(&["sm5".to_owned()]).unwrap_err().to_string();
        assert!(error.contains("\"sm5\"") && error.contains("sm4-ctr-16k"));
        assert!(chosen(&[String::new()]).is_err());
    }

    /// Every goal is against the Go peer, and no aim lies below what is asked at least.
    #[test]
    fn goals_can_be_judged() {
        let goals: Vec<_> = OPERATIONS.iter().filter(|o| o.goal.is_some()).collect();
        assert_eq!(goals.len(), 32);
        for operation in goals {
            let goal = operation.goal.unwrap();
            assert!(operation.gmsm.is_some(), "{}", operation.id);
            assert!(goal.aim.is_some_and(|aim| aim > goal.at_least));
        }
    }
}
