//! The messages of a handshake so far, hashed.

use kuaimi::sm3::Sm3;

/// The hash of the messages, and the messages themselves where a peer signs those.
pub(crate) struct Transcript {
    hash: Sm3,
    messages: Option<Vec<u8>>,
}

impl Transcript {
    pub(crate) fn new(keep_messages: bool) -> Self {
        Self {
            hash: Sm3::new(),
            messages: keep_messages.then(Vec::new),
        }
    }

    /// Adds a message with its type and length.
    pub(crate) fn add(&mut self, message: &[u8]) {
        self.hash.update(message);
        if let Some(messages) = &mut self.messages {
            messages.extend_from_slice(message);
        }
    }

    pub(crate) fn digest(&self) -> [u8; 32] {
        self.hash.clone().finalize()
    }

    /// The messages, where they are kept.
    pub(crate) fn messages(&self) -> Option<&[u8]> {
        self.messages.as_deref()
    }
}
