//! TLS 1.3's key schedule (RFC 8446, clause 7) and records (clause 5.2) with SM3 and SM4 of the
//! crates `sm3` and `sm4`, written down as the standards have them: slow, and nothing of Kuaimi.

use sm3::Digest;
use sm4::cipher::{BlockCipherEncrypt, KeyInit};

pub type Hash = [u8; 32];

pub fn hash(data: &[u8]) -> Hash {
    sm3::Sm3::digest(data).into()
}

/// RFC 2104.
pub fn hmac(key: &[u8], data: &[u8]) -> Hash {
    let mut block = [0; 64];
    block[..key.len()].copy_from_slice(key);
    let inner = [block.map(|byte| byte ^ 0x36).as_slice(), data].concat();
    hash(&[block.map(|byte| byte ^ 0x5c).as_slice(), &hash(&inner)].concat())
}

/// HKDF-Expand-Label (RFC 8446, clause 7.1), for results of one block.
pub fn expand_label(secret: &Hash, label: &str, context: &[u8], length: usize) -> Vec<u8> {
    let label = ["tls13 ", label].concat();
    let mut info = (length as u16).to_be_bytes().to_vec();
    info.push(label.len() as u8);
    info.extend(label.as_bytes());
    info.push(context.len() as u8);
    info.extend(context);
    // HKDF-Expand: T(1) = HMAC(secret, info ‖ 01).
    info.push(1);
    hmac(secret, &info)[..length].to_vec()
}

/// Derive-Secret.
pub fn derive(secret: &Hash, label: &str, messages: &[u8]) -> Hash {
    let derived = expand_label(secret, label, &hash(messages), 32);
    derived.try_into().unwrap()
}

/// The secrets up to that of the handshake, with this shared secret.
pub fn handshake_secret(shared: &[u8]) -> Hash {
    let early = hmac(&[0; 32], &[0; 32]);
    hmac(&derive(&early, "derived", b""), shared)
}

pub fn master_secret(handshake: &Hash) -> Hash {
    hmac(&derive(handshake, "derived", b""), &[0; 32])
}

/// The content of a Finished.
pub fn finished(secret: &Hash, messages: &[u8]) -> Hash {
    let key = expand_label(secret, "finished", b"", 32);
    hmac(&key, &hash(messages))
}

/// The keys of one direction.
pub struct Records {
    cipher: sm4::Sm4,
    iv: [u8; 12],
    sequence: u64,
    ccm: bool,
}

impl Records {
    pub fn new(secret: &Hash, ccm: bool) -> Self {
        let key = expand_label(secret, "key", b"", 16);
        Self {
            cipher: sm4::Sm4::new_from_slice(&key).unwrap(),
            iv: expand_label(secret, "iv", b"", 12).try_into().unwrap(),
            sequence: 0,
            ccm,
        }
    }

    /// Decrypts a record, and gives the type and the content.
    pub fn open(&mut self, record: &[u8]) -> (u8, Vec<u8>) {
        let (header, sealed) = record.split_at(5);
        let (ciphertext, tag) = sealed.split_at(sealed.len() - 16);
        let nonce = self.nonce();
        let mut plaintext = ciphertext.to_vec();
        let found = match self.ccm {
            false => {
                let found = self.gcm_tag(&nonce, header, ciphertext);
                self.count(&nonce, 2, &mut plaintext);
                found
            }
            true => {
                self.count_ccm(&nonce, &mut plaintext);
                self.ccm_tag(&nonce, header, &plaintext)
            }
        };
        assert_eq!(found, tag, "the tag of record {}", self.sequence - 1);
        while plaintext.last() == Some(&0) {
            plaintext.pop();
        }
        let kind = plaintext.pop().unwrap();
        (kind, plaintext)
    }

    /// A record.
    pub fn seal(&mut self, kind: u8, content: &[u8]) -> Vec<u8> {
        let mut data = [content, &[kind]].concat();
        let length = (data.len() + 16) as u16;
        let header = [&[23, 3, 3], length.to_be_bytes().as_slice()].concat();
        let nonce = self.nonce();
        let tag = match self.ccm {
            false => {
                self.count(&nonce, 2, &mut data);
                self.gcm_tag(&nonce, &header, &data)
            }
            true => {
                let tag = self.ccm_tag(&nonce, &header, &data);
                self.count_ccm(&nonce, &mut data);
                tag
            }
        };
        [header, data, tag.to_vec()].concat()
    }

    fn nonce(&mut self) -> [u8; 12] {
        let mut nonce = self.iv;
        for (byte, sequence) in nonce[4..].iter_mut().zip(self.sequence.to_be_bytes()) {
            *byte ^= sequence;
        }
        self.sequence += 1;
        nonce
    }

    fn encrypt(&self, block: [u8; 16]) -> [u8; 16] {
        let mut block = block.into();
        self.cipher.encrypt_block(&mut block);
        block.into()
    }

    /// GCM's counter mode, from the counter `first`.
    fn count(&self, nonce: &[u8; 12], first: u32, data: &mut [u8]) {
        for (number, block) in data.chunks_mut(16).enumerate() {
            let counter = (first + number as u32).to_be_bytes();
            let key = self.encrypt([nonce.as_slice(), &counter].concat().try_into().unwrap());
            block
                .iter_mut()
                .zip(key)
                .for_each(|(one, other)| *one ^= other);
        }
    }

    fn gcm_tag(&self, nonce: &[u8; 12], header: &[u8], ciphertext: &[u8]) -> [u8; 16] {
        let h = u128::from_be_bytes(self.encrypt([0; 16]));
        let lengths = [8 * header.len() as u64, 8 * ciphertext.len() as u64];
        let lengths = lengths.map(u64::to_be_bytes).concat();
        let mut sum = 0;
        for block in header
            .chunks(16)
            .chain(ciphertext.chunks(16))
            .chain([&*lengths])
        {
            let mut padded = [0; 16];
            padded[..block.len()].copy_from_slice(block);
            sum = product(sum ^ u128::from_be_bytes(padded), h);
        }
        let mut tag = sum.to_be_bytes();
        self.count(nonce, 1, &mut tag);
        tag
    }

    /// CCM's (RFC 3610): L = 3.
    fn count_ccm(&self, nonce: &[u8; 12], data: &mut [u8]) {
        for (number, block) in data.chunks_mut(16).enumerate() {
            let key = self.encrypt(ccm_block(2, nonce, number as u32 + 1));
            block
                .iter_mut()
                .zip(key)
                .for_each(|(one, other)| *one ^= other);
        }
    }

    fn ccm_tag(&self, nonce: &[u8; 12], header: &[u8], plaintext: &[u8]) -> [u8; 16] {
        // Flags: associated data, a tag of 16 bytes, L = 3.
        let mut sum = self.encrypt(ccm_block(0x40 + 8 * 7 + 2, nonce, plaintext.len() as u32));
        let header = [&(header.len() as u16).to_be_bytes(), header].concat();
        for block in header.chunks(16).chain(plaintext.chunks(16)) {
            sum.iter_mut()
                .zip(block)
                .for_each(|(one, other)| *one ^= other);
            sum = self.encrypt(sum);
        }
        let mask = self.encrypt(ccm_block(2, nonce, 0));
        sum.iter_mut()
            .zip(mask)
            .for_each(|(one, other)| *one ^= other);
        sum
    }
}

fn ccm_block(flags: u8, nonce: &[u8; 12], number: u32) -> [u8; 16] {
    let block = [&[flags], nonce.as_slice(), &number.to_be_bytes()[1..]].concat();
    block.try_into().unwrap()
}

/// The product in GCM's field, a bit at a time (SP 800-38D, algorithm 1).
fn product(x: u128, y: u128) -> u128 {
    let (mut z, mut v) = (0, y);
    for bit in (0..128).rev() {
        if x >> bit & 1 == 1 {
            z ^= v;
        }
        v = match v & 1 {
            0 => v >> 1,
            _ => v >> 1 ^ 0xe1 << 120,
        };
    }
    z
}
