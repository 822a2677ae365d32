//! Files with a key.

use kuaimi::encoding::sm9::{Key, read_key};
use kuaimi::encoding::{
    DecodeEcPrivateKey, DecodePrivateKey, DecodePublicKey, EncodePrivateKey, EncodePublicKey,
    TextEncoding, read_private_key, read_public_key,
};
use kuaimi::sm2::{PrivateKey, PublicKey};

pub fn check(data: &[u8]) {
    if let Ok((key, form)) = read_public_key(data) {
        let der = key.to_public_key_der().expect("a key is written");
        assert_eq!(PublicKey::from_public_key_der(der.as_bytes()), Ok(key));
        let again = read_public_key(der.as_bytes()).expect("what was written is read");
        assert_eq!(again.0, key, "{form}");
    }
    // Without a password: what costs time is for `passwords`.
    if let Ok((key, form)) = read_private_key(data, None) {
        let der = key.to_pkcs8_der().expect("a key is written");
        let again = PrivateKey::from_pkcs8_der(der.as_bytes()).expect("what was written is read");
        assert_eq!(again.to_bytes(), key.to_bytes(), "{form}");
    }
    let by_trait = PrivateKey::from_pkcs8_der(data).map(|key| key.to_bytes());
    let by_looking = read_private_key(data, None).map(|(key, _)| key.to_bytes());
    if let (Ok(one), Ok(other)) = (&by_trait, &by_looking) {
        assert_eq!(one, other);
    }
    let _ = PrivateKey::from_sec1_der(data);
    let _ = PublicKey::from_public_key_der(data);
    for encoding in [TextEncoding::detect(data), TextEncoding::Pem] {
        let _ = encoding.decode(data);
    }
    sm9_key(data);
    let recipient = PrivateKey::from_bytes(&[7; 32]).expect("in range");
    let _ = recipient.open_enveloped_key(data);
}

fn sm9_key(data: &[u8]) {
    let Ok((key, form)) = read_key(data, None) else {
        return;
    };
    let kind = key.kind();
    let der = match key {
        Key::MasterSigning(key) => key.to_pkcs8_der().expect("written").as_bytes().to_vec(),
        Key::MasterEncryption(key) => key.to_pkcs8_der().expect("written").as_bytes().to_vec(),
        Key::MasterSigningPublic(key) => key.to_public_key_der().expect("written").into_vec(),
        Key::MasterEncryptionPublic(key) => key.to_public_key_der().expect("written").into_vec(),
        Key::UserSigning(key) => {
            let _ = key.signing_key("alice");
            return;
        }
        Key::UserDecryption(key) => {
            let _ = key.decryption_key("bob");
            let _ = key.exchange_key("bob");
            return;
        }
        _ => return,
    };
    let again = read_key(&der, None).expect("what was written is read");
    assert_eq!(again.0.kind(), kind, "{form}");
}
