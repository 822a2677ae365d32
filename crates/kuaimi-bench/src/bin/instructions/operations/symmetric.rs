//! SM3 and SM4 on a kilobyte.

use std::convert::Infallible;

use kuaimi::Threads;
use kuaimi::sm3;
use kuaimi::sm4::{Sm4Cbc, Sm4Ctr, Sm4Gcm, Sm4Xts, XtsStandard};

use super::{Operation, fixed, new};

pub(super) fn operations() -> Vec<Operation> {
    let message: [u8; 1024] = fixed(40);
    let messages = vec![message; 16];
    let key: [u8; 16] = fixed(41);
    let iv: [u8; 16] = fixed(42);
    vec![
        new("sm3 digest of 1 KiB", move || {
            Ok::<_, Infallible>(sm3::digest(&message))
        }),
        new("sm3 16 digests of 1 KiB", move || {
            Ok::<_, Infallible>(sm3::digest_many(&messages, Threads::One))
        }),
        new("sm3 HMAC of 1 KiB", move || {
            Ok::<_, Infallible>(sm3::hmac_sm3(&key, &message))
        }),
        new("sm4 CTR of 1 KiB", move || {
            let mut data = message;
            Sm4Ctr::new(&key, &iv).apply(&mut data);
            Ok::<_, Infallible>(data)
        }),
        new("sm4 CBC of 1 KiB", move || {
            let mut data = message;
            Sm4Cbc::new(&key).encrypt(&iv, &mut data).map(|()| data)
        }),
        new("sm4 GCM of 1 KiB", move || {
            Sm4Gcm::new(&key).seal(&fixed::<12>(43), b"header", &message)
        }),
        new("sm4 XTS of 1 KiB", move || {
            let mut data = message;
            let cipher = Sm4Xts::new(&fixed(44), XtsStandard::Ieee)?;
            cipher.encrypt(&iv, &mut data).map(|()| data)
        }),
    ]
}
