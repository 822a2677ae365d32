//! What `kuaimi-evidence` runs under valgrind, with these keys and contents declared secret: what
//! keys are derived by, and the record layer. No promise of stability.

use crate::key_schedule::{self, Keys};
use crate::record::{Direction, content};
use crate::{CipherSuite, Error, PREMASTER_LEN};

/// The keys that the two sides derive, one after another, and what both Finished have.
pub fn derived(premaster: &[u8; PREMASTER_LEN], suite: CipherSuite) -> Vec<u8> {
    let (client, server) = ([1; 32], [2; 32]);
    let master = key_schedule::master_secret(premaster, &client, &server);
    let has_mac = suite.protection() == crate::Protection::Cbc;
    let mut all = master.to_vec();
    for keys in key_schedule::keys(&master, &client, &server, has_mac) {
        all.extend(keys.mac);
        all.extend(keys.key);
        all.extend(keys.salt);
    }
    for is_client in [true, false] {
        all.extend(key_schedule::verify_data(&master, is_client, &[3; 32]));
    }
    all
}

/// One direction of a connection, from its first record on.
pub struct Records(Direction);

impl core::fmt::Debug for Records {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Records").finish_non_exhaustive()
    }
}

impl Records {
    /// Under these keys.
    pub fn new(suite: CipherSuite, mac: &[u8; 32], key: &[u8; 16], salt: &[u8; 4]) -> Self {
        let (mac, key, salt) = (*mac, *key, *salt);
        Self(Direction::new(suite, &Keys { mac, key, salt }))
    }

    /// The fragment of a record of application data.
    ///
    /// # Errors
    /// Those of the record layer.
    pub fn seal(&mut self, data: &[u8]) -> Result<Vec<u8>, Error> {
        let mut record = Vec::new();
        self.0.seal(content::APPLICATION_DATA, data, &mut record)?;
        Ok(record.split_off(5))
    }

    /// The content of the fragment of a record of application data.
    ///
    /// # Errors
    /// Those of the record layer.
    pub fn open<'a>(&mut self, fragment: &'a mut [u8]) -> Result<&'a [u8], Error> {
        self.0.open(content::APPLICATION_DATA, fragment)
    }
}
