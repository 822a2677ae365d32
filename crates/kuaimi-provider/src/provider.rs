//! What one loaded provider has.

use std::sync::Arc;

use kuaimi::sm2::{DEFAULT_ID, KeyCache, MAX_ID_LEN};

use crate::abi::core::Core;
use crate::abi::object::Loaded;
use crate::failure::{Failure, Reason};

/// A provider that a library context has loaded.
pub(crate) struct Provider {
    core: Arc<Core>,
    default_id: Box<[u8]>,
    major: u32,
    tongsuo: bool,
    /// Public keys that are used again have a table.
    keys: KeyCache,
}

/// The memory for tables of public keys if the configuration does not set it: about 300 tables.
const DEFAULT_CACHE_BYTES: usize = 16 << 20;

impl Provider {
    /// Reads the settings.
    pub(crate) fn new(core: &Arc<Core>) -> Result<Self, Failure> {
        let settings = Settings::read(core)?;
        Ok(Self {
            core: Arc::clone(core),
            default_id: settings.default_id,
            major: settings.major,
            tongsuo: settings.tongsuo,
            keys: KeyCache::new(settings.cache_bytes),
        })
    }

    /// A provider without a library, as OpenSSL 4 would load it.
    #[cfg(test)]
    pub(crate) fn for_tests() -> Arc<Self> {
        Arc::new(Self {
            core: Arc::new(Core::none()),
            default_id: DEFAULT_ID.into(),
            major: 4,
            tongsuo: false,
            keys: KeyCache::new(DEFAULT_CACHE_BYTES),
        })
    }

    /// The identity of signers if the program gives none.
    pub(crate) fn default_id(&self) -> &[u8] {
        &self.default_id
    }

    /// Whether Tongsuo has loaded the provider.
    pub(crate) fn is_tongsuo(&self) -> bool {
        self.tongsuo
    }

    /// Whether libssl takes the group and the signature scheme of RFC 8998 from providers.
    pub(crate) fn serves_libssl(&self) -> bool {
        self.major >= 4 && !self.tongsuo
    }

    /// The tables of public keys that are used again.
    pub(crate) fn keys(&self) -> &KeyCache {
        &self.keys
    }
}

impl Loaded for Provider {
    fn core(&self) -> &Arc<Core> {
        &self.core
    }
}

/// What the configuration and the version of the library say.
struct Settings {
    default_id: Box<[u8]>,
    cache_bytes: usize,
    major: u32,
    tongsuo: bool,
}

impl Settings {
    fn read(core: &Core) -> Result<Self, Failure> {
        let version = core.setting(c"openssl-version").unwrap_or_default();
        let major = version.split('.').next().and_then(|text| text.parse().ok());
        let Some(major @ 3..=4) = major else {
            return Err(Failure::with(
                Reason::WrongVersion,
                format!("the library says that it is version '{version}'"),
            ));
        };
        let tongsuo = core.is_tongsuo();
        let default_id = match core.setting(c"default_id") {
            Some(id) if id.len() > MAX_ID_LEN => {
                return Err(Failure::with(
                    Reason::WrongSetting,
                    format!(
                        "default_id has {} bytes, and may have {MAX_ID_LEN}",
                        id.len()
                    ),
                ));
            }
            Some(id) => id.into_bytes(),
            // Like the library's own SM2: OpenSSL had no default identity before 4.0.
            None if major < 4 && !tongsuo => Vec::new(),
            None => DEFAULT_ID.to_vec(),
        };
        let cache_bytes = match core.setting(c"key_cache_bytes") {
            None => DEFAULT_CACHE_BYTES,
            Some(text) => text.trim().parse().map_err(|_| {
                Failure::with(
                    Reason::WrongSetting,
                    format!("key_cache_bytes is '{text}', which is not a number of bytes"),
                )
            })?,
        };
        if let Err(error) = kuaimi::check_backend_variable() {
            return Err(Failure::with(
                Reason::WrongSetting,
                format!("KUAIMI_BACKEND: {error}"),
            ));
        }
        Ok(Self {
            default_id: default_id.into(),
            cache_bytes,
            major,
            tongsuo,
        })
    }
}
