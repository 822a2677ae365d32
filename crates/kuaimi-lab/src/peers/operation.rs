//! What is measured.

use clap::ValueEnum;

/// An operation that libraries can be compared in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, ValueEnum)]
pub(crate) enum Operation {
    /// SM2 key pair.
    Keygen,
    /// SM2 signature.
    Sign,
    /// SM2 verification.
    Verify,
    /// SM2 encryption of 32 bytes.
    Encrypt,
    /// SM2 decryption of 32 bytes.
    Decrypt,
    /// SM2 verification with a prepared key.
    VerifyPrepared,
    /// SM2 encryption of 32 bytes for a prepared recipient.
    EncryptPrepared,
    /// SM2 signature with a nonce from a pool that never runs empty.
    SignPool,
    /// SM2 key pair, many at a time.
    KeygenBatch,
    /// SM2 signature, many at a time, one key.
    SignBatch,
    /// SM2 verification, many at a time, all keys different.
    VerifyBatch,
    /// SM2 verification, many at a time, with prepared keys.
    VerifyBatchPrepared,
    /// SM2 encryption of 32 bytes, many at a time.
    EncryptBatch,
    /// SM2 encryption of 32 bytes, many at a time, for a prepared recipient.
    EncryptBatchPrepared,
    /// SM2 decryption of 32 bytes, many at a time.
    DecryptBatch,
    /// SM2 key exchange, both sides, without confirmation.
    Exchange,
    /// SM2 key exchange, both sides, with confirmation.
    ExchangeConfirmed,
    /// SM3 of 64 bytes.
    #[value(name = "sm3-64")]
    Sm3Of64,
    /// SM3 of 1 KiB.
    #[value(name = "sm3-1k")]
    Sm3Of1K,
    /// SM3 of 16 KiB.
    #[value(name = "sm3-16k")]
    Sm3Of16K,
    /// SM3 of 1 MiB.
    #[value(name = "sm3-1m")]
    Sm3Of1M,
    /// SM3 of many messages of 64 bytes.
    #[value(name = "sm3-many-64")]
    Sm3OfMany64,
    /// SM3 of many messages of 1 KiB.
    #[value(name = "sm3-many-1k")]
    Sm3OfMany1K,
}

impl Operation {
    /// The algorithm, in the report's words.
    pub(crate) fn algorithm(self) -> &'static str {
        if self.sm3_bytes().is_some() {
            "sm3"
        } else {
            "sm2"
        }
    }

    /// The operation, in the report's words.
    pub(crate) fn label(self) -> &'static str {
        match self {
            Self::Keygen => "key pair",
            Self::Sign => "sign",
            Self::Verify => "verify",
            Self::Encrypt => "encrypt 32 B",
            Self::Decrypt => "decrypt 32 B",
            Self::VerifyPrepared => "verify, prepared key",
            Self::EncryptPrepared => "encrypt 32 B, prepared",
            Self::SignPool => "sign, nonce pool",
            Self::KeygenBatch => "key pair, batch",
            Self::SignBatch => "sign, batch",
            Self::VerifyBatch => "verify, batch",
            Self::VerifyBatchPrepared => "verify, batch, prepared",
            Self::EncryptBatch => "encrypt 32 B, batch",
            Self::EncryptBatchPrepared => "encrypt 32 B, batch, prepared",
            Self::DecryptBatch => "decrypt 32 B, batch",
            Self::Exchange => "key exchange",
            Self::ExchangeConfirmed => "key exchange, confirmed",
            Self::Sm3Of64 => "64 B",
            Self::Sm3Of1K => "1 KiB",
            Self::Sm3Of16K => "16 KiB",
            Self::Sm3Of1M => "1 MiB",
            Self::Sm3OfMany64 => "many streams, 64 B",
            Self::Sm3OfMany1K => "many streams, 1 KiB",
        }
    }

    /// The operation one at a time and with nothing prepared, which is what other libraries have.
    pub(crate) fn single(self) -> Self {
        match self {
            Self::KeygenBatch => Self::Keygen,
            Self::SignBatch | Self::SignPool => Self::Sign,
            Self::VerifyPrepared | Self::VerifyBatch | Self::VerifyBatchPrepared => Self::Verify,
            Self::EncryptPrepared | Self::EncryptBatch | Self::EncryptBatchPrepared => {
                Self::Encrypt
            }
            Self::DecryptBatch => Self::Decrypt,
            other => other,
        }
    }

    /// The message's length where the operation is a hash.
    pub(crate) fn sm3_bytes(self) -> Option<usize> {
        match self {
            Self::Sm3Of64 | Self::Sm3OfMany64 => Some(64),
            Self::Sm3Of1K | Self::Sm3OfMany1K => Some(1 << 10),
            Self::Sm3Of16K => Some(16 << 10),
            Self::Sm3Of1M => Some(1 << 20),
            _ => None,
        }
    }
}
