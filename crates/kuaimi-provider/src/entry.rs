//! The entry of the module, and the provider as libcrypto sees it.

use std::ffi::CStr;
use std::sync::Arc;

use crate::abi;
use crate::abi::core::Core;
use crate::abi::dispatch::{Algorithm, Operation};
use crate::abi::param::Callback;
use crate::failure::Failure;
use crate::provider::Provider;
use crate::{algorithms, capabilities, self_test};

abi::provider::entry!(Provider);

impl abi::provider::Provider for Provider {
    const NAME: &'static CStr = c"Kuaimi";
    const VERSION: &'static CStr =
        match CStr::from_bytes_with_nul(concat!(env!("CARGO_PKG_VERSION"), "\0").as_bytes()) {
            Ok(version) => version,
            Err(_) => unreachable!(),
        };

    fn load(core: &Arc<Core>) -> Result<Self, Failure> {
        let provider = Self::new(core)?;
        self_test::once()?;
        Ok(provider)
    }

    fn algorithms(&self, operation: Operation) -> &'static [Algorithm] {
        algorithms::of(operation, self.is_tongsuo())
    }

    fn report(&self, capability: &str, callback: &Callback) -> Result<(), Failure> {
        capabilities::report(self, capability, callback)
    }

    fn self_test(&self) -> Result<(), Failure> {
        self_test::run()
    }
}
