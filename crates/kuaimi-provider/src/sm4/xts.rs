//! XTS: each call is one data unit (GB/T 17964-2021, or IEEE 1619 if `xts_standard` says so).

use kuaimi::sm4::{Sm4Xts, XtsStandard};
use zeroize::Zeroizing;

use super::{BLOCK_LEN, KEY_LEN, NO_IV, block_iv, key};
use crate::abi::cipher::{Cipher, Direction, Info};
use crate::abi::param::{Kind, Param, Params, Requests};
use crate::failure::{Failure, Reason};

#[derive(Clone)]
pub(crate) struct Xts {
    /// For another `xts_standard`. On the heap, since copying a context leaves its fields on the
    /// stack.
    key: Option<Zeroizing<Vec<u8>>>,
    cipher: Option<Sm4Xts>,
    standard: XtsStandard,
    tweak: Option<[u8; BLOCK_LEN]>,
    direction: Direction,
}

impl Xts {
    fn schedule(&mut self) -> Result<(), Failure> {
        if let Some(key) = &self.key {
            let cipher =
                Sm4Xts::new(super::key(key)?, self.standard).map_err(|_| Reason::KeysEqual)?;
            self.cipher = Some(cipher);
        }
        Ok(())
    }
}

impl Cipher for Xts {
    const INFO: Info = Info {
        mode: 0x1_0001,
        key_len: 2 * KEY_LEN,
        iv_len: BLOCK_LEN,
        block_len: 1,
        aead: false,
        custom_iv: true,
    };
    const GETTABLE: &'static [Param] = &[
        Param::known(c"keylen", Kind::Unsigned),
        Param::known(c"ivlen", Kind::Unsigned),
        Param::known(c"iv", Kind::Octets),
        Param::known(c"updated-iv", Kind::Octets),
        Param::END,
    ];
    const SETTABLE: &'static [Param] = &[
        Param::known(c"keylen", Kind::Unsigned),
        Param::known(c"padding", Kind::Unsigned),
        Param::known(c"xts_standard", Kind::Text),
        Param::END,
    ];

    fn new() -> Self {
        Self {
            key: None,
            cipher: None,
            standard: XtsStandard::Gb,
            tweak: None,
            direction: Direction::Encrypt,
        }
    }

    fn init(
        &mut self,
        direction: Direction,
        key_bytes: Option<&[u8]>,
        iv: Option<&[u8]>,
    ) -> Result<(), Failure> {
        self.direction = direction;
        if let Some(iv) = iv {
            self.tweak = Some(block_iv(iv)?);
        }
        if let Some(bytes) = key_bytes {
            kuaimi::wipe_stack(|| {
                self.key = Some(Zeroizing::new(key::<{ 2 * KEY_LEN }>(bytes)?.to_vec()));
                self.schedule()
            })?;
        }
        Ok(())
    }

    fn process(&mut self, buffer: &mut [u8]) -> Result<(), Failure> {
        let (Some(cipher), Some(tweak)) = (&self.cipher, &self.tweak) else {
            return Err(Reason::NotInitialised.into());
        };
        match self.direction {
            Direction::Encrypt => cipher.encrypt(tweak, buffer),
            Direction::Decrypt => cipher.decrypt(tweak, buffer),
        }
        .map_err(|_| Reason::DataTooShort.into())
    }

    fn finish(&mut self, _out: &mut [u8]) -> Result<usize, Failure> {
        Ok(0)
    }

    fn set(&mut self, params: &Params<'_>) -> Result<(), Failure> {
        if let Some(param) = params.find(c"xts_standard") {
            self.standard = match param.text()? {
                name if name.eq_ignore_ascii_case("GB") => XtsStandard::Gb,
                name if name.eq_ignore_ascii_case("IEEE") => XtsStandard::Ieee,
                other => {
                    return Err(Failure::with(
                        Reason::InvalidParameter,
                        format!("xts_standard {other}: GB or IEEE"),
                    ));
                }
            };
            self.schedule()?;
        }
        Ok(())
    }

    fn answer(&self, requests: &mut Requests<'_>) -> Result<(), Failure> {
        let tweak = self.tweak.as_ref().unwrap_or(&NO_IV);
        requests.answer(c"ivlen", |param| param.set_unsigned(BLOCK_LEN as u64))?;
        requests.answer(c"iv", |param| param.set_kept_octets(tweak))?;
        requests.answer(c"updated-iv", |param| param.set_kept_octets(tweak))
    }
}
