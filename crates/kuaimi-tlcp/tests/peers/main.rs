//! Other implementations of TLCP in both directions: `make tls-test`, which builds them and says
//! where they are. Without that, these tests are not run.

#[path = "../common/mod.rs"]
mod common;
mod gmssl;
mod gotlcp;
mod process;
mod tongsuo;

pub use kuaimi_tlcp::{ClientConfig, Connection, Error, Identity, Trust};
