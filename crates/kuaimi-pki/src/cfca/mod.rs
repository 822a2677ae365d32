//! What CFCA, the China Financial Certification Authority, writes in forms of its own, as its
//! library SADK does. There is no public standard of them; `emmansun/gmsm` has the same.
//!
//! | what | read | written |
//! | --- | --- | --- |
//! | `.sm2` files: a private key under a password, and its certificate | [`open_key_file`] | [`write_key_file`] |
//! | requests that have a temporary key, to which a key pair to encrypt with is returned | [`temporary_key`] | [`RequestBuilder::cfca_temporary_key`](crate::request::RequestBuilder::cfca_temporary_key) |
//! | the key pair that is returned | [`open_returned_key`] | [`return_key`] |
//!
//! ```
//! # #[cfg(feature = "getrandom")] {
//! use kuaimi::sm2::{PrivateKey, SigningKey};
//! use kuaimi_pki::request::RequestBuilder;
//! use kuaimi_pki::{cfca, name};
//!
//! let key = SigningKey::new(PrivateKey::generate()?);
//! let temporary = PrivateKey::generate()?;
//! let request = RequestBuilder::new(name::parse("CN=holder,O=Example,C=CN")?, key.public_key())
//!     .cfca_temporary_key(temporary.public_key(), "111111")?
//!     .sign(&key)?;
//!
//! // What the authority does.
//! let to = cfca::temporary_key(&request)?.expect("the request has one");
//! let pair = PrivateKey::generate()?;
//! let text = cfca::return_key(&pair, &to, &mut getrandom::SysRng)?;
//!
//! assert_eq!(cfca::open_returned_key(&temporary, text.as_bytes())?, pair);
//! # }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod key_file;
mod request;
mod returned_key;

pub use key_file::{open_key_file, write_key_file};
pub use request::temporary_key;
pub use returned_key::{open_returned_key, return_key};
