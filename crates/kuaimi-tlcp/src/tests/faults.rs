//! A side that breaks the rules: a fault is asked about each handshake message and ChangeCipherSpec
//! that the side sends, and says what is sent instead.

use crate::Error;
use crate::connection::Core;
use crate::record::content;

/// What is sent.
#[derive(Clone, Debug)]
pub(crate) enum Sent {
    /// A handshake message, which also goes into the transcript of this side.
    Message(Vec<u8>),
    /// A record with this type and content.
    Record(u8, Vec<u8>),
}

/// Given the message, or nothing for ChangeCipherSpec; without an answer, it is sent as it is.
pub(crate) type Fault = Box<dyn FnMut(Option<&[u8]>) -> Option<Vec<Sent>> + Send + Sync>;

/// Whether a fault sent something else.
pub(crate) fn apply(core: &mut Core, message: Option<&[u8]>) -> Result<bool, Error> {
    let Some(mut fault) = core.fault.take() else {
        return Ok(false);
    };
    let answer = fault(message);
    let mut result = Ok(answer.is_some());
    for sent in answer.into_iter().flatten() {
        let done = match sent {
            Sent::Message(message) => {
                core.transcript.add(&message);
                core.send(content::HANDSHAKE, &message)
            }
            Sent::Record(kind, bytes) => core.send_record(kind, &bytes),
        };
        if let Err(error) = done {
            result = Err(error);
        }
    }
    core.fault = Some(fault);
    result
}

/// A fault for messages of one kind; [`CHANGE_CIPHER_SPEC`] is ChangeCipherSpec.
pub(crate) fn edit(
    kind: u8,
    mut fault: impl FnMut(&[u8]) -> Vec<Sent> + Send + Sync + 'static,
) -> Fault {
    Box::new(move |message| match message {
        Some(message) if message[0] == kind => Some(fault(message)),
        None if kind == CHANGE_CIPHER_SPEC => Some(fault(&[])),
        _ => None,
    })
}

/// In the place of a type of message.
pub(crate) const CHANGE_CIPHER_SPEC: u8 = 0xff;
