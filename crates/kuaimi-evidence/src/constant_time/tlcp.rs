//! TLCP: keys from a premaster secret, records, and the premaster secret itself. Contents, keys,
//! padding and its length are secret; what goes over the network is public.

use anyhow::{Result, ensure};
use kuaimi::external::hmac::{KeyInit, Mac};
use kuaimi::sm2::{Ciphertext, PrivateKey};
use kuaimi::sm3::HmacSm3;
use kuaimi::sm4::Sm4Cbc;
use kuaimi_platform::memcheck::classify;
use kuaimi_tlcp::evidence::{Records, derived};
use kuaimi_tlcp::{CipherSuite, EncryptionKey, PREMASTER_LEN};

use super::{Checks, Secrets, messages, public_ciphertext, public_point, publish, same, secret};

const CBC: CipherSuite = CipherSuite::EccSm4CbcSm3;
const GCM: CipherSuite = CipherSuite::EccSm4GcmSm3;

/// Of a MAC, and of the cipher.
fn record_keys() -> ([u8; 32], [u8; 16], [u8; 4]) {
    let (mut key, mut salt) = ([0; 16], [0; 4]);
    key.copy_from_slice(&secret(61)[..16]);
    salt.copy_from_slice(&secret(62)[..4]);
    (secret(60), key, salt)
}

fn records(suite: CipherSuite) -> Records {
    let (mac, key, salt) = record_keys();
    Records::new(suite, &mac, &key, &salt)
}

fn premaster(version: [u8; 2]) -> [u8; PREMASTER_LEN] {
    let mut premaster = [0; PREMASTER_LEN];
    premaster[..2].copy_from_slice(&version);
    premaster[2..34].copy_from_slice(&secret(63));
    premaster[34..].copy_from_slice(&secret(64)[..14]);
    classify(&mut premaster);
    premaster
}

pub(super) fn tlcp(checks: &mut Checks) -> Result<()> {
    checks.check("TLCP: keys from a premaster secret", || -> Result<()> {
        for suite in [CBC, GCM] {
            let mut keys = derived(&premaster([1, 1]), suite);
            publish(&mut keys)?;
        }
        Ok(())
    })?;
    for (name, suite) in [("CBC", CBC), ("GCM", GCM)] {
        checks.check(&format!("TLCP: records with SM4-{name}"), || {
            let (mut from, mut to) = (records(suite), records(suite));
            for message in messages() {
                let mut fragment = from.seal(&message)?;
                // An explicit nonce or IV, which is no secret, comes first.
                publish(&mut fragment[16..])?;
                let opened = to.open(&mut fragment)?;
                ensure!(same(opened, &message)?, "another content");
                let mut altered = from.seal(&message)?;
                publish(&mut altered[16..])?;
                altered[20] ^= 1;
                ensure!(to.open(&mut altered).is_err(), "an altered record");
            }
            Ok(())
        })?;
    }
    checks.check("TLCP: padding and MAC of CBC", padding_and_mac)?;
    checks.check("TLCP: a premaster secret, right and wrong", wrong_premaster)
}

/// Records as a sender could make them: with paddings of any length, and wrong ones.
fn padding_and_mac() -> Result<()> {
    for length in [0, 1, 15, 40, 300] {
        // Between the MAC and the padding's length, so that blocks are whole.
        let least = 15 - (length + 32) % 16;
        for padding in [least, least + 16, least + 160, least + 240] {
            // Nothing, a byte of the padding, its length, the MAC, the content.
            for wrong in 0..5 {
                check_record(length, padding, wrong)?;
            }
        }
    }
    Ok(())
}

fn check_record(length: usize, padding: usize, wrong: usize) -> Result<()> {
    let (mac_key, key, _) = record_keys();
    let content = secret(65).repeat(10)[..length].to_vec();
    let mut block = [0; 64];
    block[..32].copy_from_slice(&mac_key);
    let mut mac = HmacSm3::new((&block).into());
    // The first record of application data.
    mac.update(&[0, 0, 0, 0, 0, 0, 0, 0, 23, 1, 1]);
    mac.update(&(length as u16).to_be_bytes());
    mac.update(&content);
    let mut record = [content, mac.finalize().into_bytes().to_vec()].concat();
    record.resize(length + 32 + padding + 1, padding as u8);
    let end = record.len() - 1;
    let is_right = match wrong {
        1 if padding > 0 => {
            record[end - padding] ^= 1;
            false
        }
        2 => {
            record[end] ^= 0xff;
            false
        }
        3 => {
            record[length + 31] ^= 0x80;
            false
        }
        4 if length > 0 => {
            record[0] ^= 1;
            false
        }
        _ => true,
    };
    classify(&mut record);
    let iv = [7; 16];
    Sm4Cbc::new(&key).encrypt(&iv, &mut record)?;
    publish(&mut record)?;
    let mut fragment = [&iv[..], &record].concat();
    let opened = records(CBC).open(&mut fragment);
    ensure!(
        opened
            .as_ref()
            .map_or(!is_right, |content| is_right && content.len() == length),
        "{length} bytes, padding {padding}, wrong {wrong}"
    );
    Ok(())
}

/// What is used in the end is either the client's or the random one, and nothing tells which.
fn wrong_premaster() -> Result<()> {
    let key = PrivateKey::from_bytes(&secret(66))?;
    let recipient = public_point(key.public_key())?;
    for (version, alter) in [([1, 1], false), ([1, 0], false), ([1, 1], true)] {
        let sent = premaster(version);
        let ciphertext = recipient.encrypt_with_rng(&mut Secrets(67), &sent)?;
        let mut ciphertext = public_ciphertext(&ciphertext)?;
        if alter {
            let mut masked = ciphertext.masked().to_vec();
            masked[9] ^= 4;
            ciphertext = Ciphertext::from_parts(*ciphertext.point(), *ciphertext.digest(), masked)?;
        }
        let random = premaster([9, 9]);
        let mut found = random;
        key.decrypt_premaster(&ciphertext, [1, 1], &mut found)?;
        let expected = match (version, alter) {
            ([1, 1], false) => sent,
            _ => random,
        };
        ensure!(same(&found, &expected)?, "{version:?}, altered {alter}");
    }
    Ok(())
}
