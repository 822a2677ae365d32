//! What both sides of a connection do alike: records in and out, alerts, and the joining of
//! fragments to handshake messages.

use crate::alert::level;
use crate::buffer::Buffer;
use crate::message::{Message, kind};
use crate::record::{Direction, HEADER_LEN, MAX_CONTENT_LEN, MAX_FRAGMENT_LEN, VERSION, content};
use crate::transcript::Transcript;
use crate::{AlertDescription, Error, protocol};

/// Records without content, or warnings, that may come one after the other.
const MAX_IDLE: usize = 16;

/// A record that came in.
pub(super) enum Record {
    Handshake(Vec<u8>),
    ChangeCipherSpec,
    Alert(u8, AlertDescription),
    /// Its content is in `received` already.
    ApplicationData,
}

pub(crate) struct Core {
    pub(super) read: Direction,
    write: Direction,
    pub(super) incoming: Buffer,
    pub(super) outgoing: Buffer,
    /// Data for the application.
    pub(super) received: Buffer,
    /// Fragments of handshake messages.
    fragments: Buffer,
    pub(crate) transcript: Transcript,
    /// Whether application data may come.
    pub(super) is_open: bool,
    has_first: bool,
    idle: usize,
    /// The longest content of a record that is sent.
    pub(super) record_len: usize,
    #[cfg(test)]
    pub(crate) fault: Option<crate::tests::Fault>,
}

impl Core {
    pub(super) fn new(transcript: Transcript) -> Self {
        Self {
            read: Direction::unprotected(),
            write: Direction::unprotected(),
            incoming: Buffer::default(),
            outgoing: Buffer::default(),
            received: Buffer::default(),
            fragments: Buffer::default(),
            transcript,
            is_open: false,
            has_first: false,
            idle: 0,
            record_len: MAX_CONTENT_LEN,
            #[cfg(test)]
            fault: None,
        }
    }

    // What comes in.

    /// The next record, if all of it is there.
    pub(super) fn next_record(&mut self) -> Result<Option<Record>, Error> {
        let bytes = self.incoming.bytes();
        if !self.has_first {
            match protocol::detect(bytes) {
                protocol::Detected::More => return Ok(None),
                protocol::Detected::Tlcp => self.has_first = true,
                other => return Err(Error::NotTlcp(other.name())),
            }
        }
        let Some(header) = bytes.first_chunk::<HEADER_LEN>() else {
            return Ok(None);
        };
        let (kind, version) = (header[0], u16::from_be_bytes([header[1], header[2]]));
        let length = usize::from(u16::from_be_bytes([header[3], header[4]]));
        if !(content::CHANGE_CIPHER_SPEC..=content::APPLICATION_DATA).contains(&kind) {
            return Err(Error::UnexpectedMessage(
                "a record of TLCP",
                "one of another type",
            ));
        }
        if version != VERSION {
            return Err(Error::ProtocolVersion(version));
        }
        let most = match self.read.is_protected() {
            true => MAX_FRAGMENT_LEN,
            false => MAX_CONTENT_LEN,
        };
        if length > most {
            return Err(Error::RecordOverflow);
        }
        if bytes.len() < HEADER_LEN + length {
            return Ok(None);
        }
        let fragment = &mut self.incoming.bytes_mut()[HEADER_LEN..][..length];
        let content = self.read.open(kind, fragment)?;
        let record = match kind {
            content::APPLICATION_DATA => {
                if !self.is_open {
                    let found = "application data";
                    return Err(Error::UnexpectedMessage(
                        "a message of the handshake",
                        found,
                    ));
                }
                if content.is_empty() {
                    count(&mut self.idle, "records without content")?;
                } else {
                    self.idle = 0;
                }
                self.received.end().extend_from_slice(content);
                Record::ApplicationData
            }
            content::HANDSHAKE => {
                if content.is_empty() {
                    let found = "a record without one";
                    return Err(Error::UnexpectedMessage(
                        "a message of the handshake",
                        found,
                    ));
                }
                Record::Handshake(content.to_vec())
            }
            content::CHANGE_CIPHER_SPEC => match content {
                [1] => Record::ChangeCipherSpec,
                _ => return Err(Error::Decode("ChangeCipherSpec")),
            },
            _ => match content {
                [level @ (level::WARNING | level::FATAL), description] => {
                    Record::Alert(*level, AlertDescription(*description))
                }
                [_, _] => return Err(Error::IllegalParameter("an alert of another level")),
                _ => return Err(Error::Decode("alert")),
            },
        };
        self.incoming.consume(HEADER_LEN + length);
        Ok(Some(record))
    }

    /// Counts a warning.
    pub(super) fn warned(&mut self) -> Result<(), Error> {
        count(&mut self.idle, "warnings")
    }

    pub(super) fn add_fragment(&mut self, fragment: &[u8]) {
        self.fragments.end().extend_from_slice(fragment);
    }

    /// Whether the fragments so far end with a message.
    pub(super) fn is_between_messages(&self) -> bool {
        self.fragments.is_empty()
    }

    /// The next handshake message, with its type and length, if all of it is there.
    pub(super) fn next_message(&mut self) -> Result<Option<Vec<u8>>, Error> {
        let bytes = self.fragments.bytes();
        let Some([kind, length @ ..]) = bytes.first_chunk::<4>() else {
            return Ok(None);
        };
        let [a, b, c] = *length;
        let length = u32::from_be_bytes([0, a, b, c]) as usize;
        // Before the rest of it comes.
        if length > kind::max_len(*kind) {
            return Err(Error::MessageTooLong(length));
        }
        let Some(whole) = bytes.get(..4 + length) else {
            return Ok(None);
        };
        let whole = whole.to_vec();
        self.fragments.consume(whole.len());
        Ok(Some(whole))
    }

    /// From now on records come under these keys: ChangeCipherSpec has come.
    pub(crate) fn protect_reading(&mut self, direction: Direction) {
        self.read = direction;
    }

    // What goes out.

    /// Sends content in as many records as it needs.
    pub(crate) fn send(&mut self, kind: u8, bytes: &[u8]) -> Result<(), Error> {
        for part in bytes.chunks(self.record_len) {
            self.write.seal(kind, part, self.outgoing.end())?;
        }
        Ok(())
    }

    /// Sends a handshake message, and adds it to the transcript.
    pub(crate) fn send_message(&mut self, message: &[u8]) -> Result<(), Error> {
        #[cfg(test)]
        if crate::tests::apply(self, Some(message))? {
            return Ok(());
        }
        self.transcript.add(message);
        self.send(content::HANDSHAKE, message)
    }

    /// Sends ChangeCipherSpec, and everything else under these keys.
    pub(crate) fn send_change_cipher_spec(&mut self, direction: Direction) -> Result<(), Error> {
        #[cfg(test)]
        if crate::tests::apply(self, None)? {
            self.write = direction;
            return Ok(());
        }
        self.send(content::CHANGE_CIPHER_SPEC, &[1])?;
        self.write = direction;
        Ok(())
    }

    pub(super) fn send_alert(&mut self, level: u8, alert: AlertDescription) -> Result<(), Error> {
        self.write
            .seal(content::ALERT, &[level, alert.0], self.outgoing.end())
    }

    /// Records sent and received under the last keys.
    pub(super) fn counts(&self) -> (u64, u64) {
        (self.write.count(), self.read.count())
    }

    #[cfg(test)]
    pub(crate) fn directions(&mut self) -> (&mut Direction, &mut Direction) {
        (&mut self.read, &mut self.write)
    }

    /// Sends one record, of any content.
    #[cfg(test)]
    pub(crate) fn send_record(&mut self, kind: u8, content: &[u8]) -> Result<(), Error> {
        self.write.seal(kind, content, self.outgoing.end())
    }
}

fn count(idle: &mut usize, what: &'static str) -> Result<(), Error> {
    *idle += 1;
    match *idle > MAX_IDLE {
        true => Err(Error::TooMany(what)),
        false => Ok(()),
    }
}

/// A message with its parts.
pub(super) fn message(whole: &[u8]) -> Result<Message<'_>, Error> {
    let (&kind, rest) = whole.split_first().ok_or(Error::Decode("message"))?;
    let body = rest.get(3..).ok_or(Error::Decode("message"))?;
    Ok(Message { kind, whole, body })
}
