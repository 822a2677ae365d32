//! The elements of a structure in DER, read in order, with errors that name the structure.

use der::asn1::{AnyRef, ObjectIdentifier, OctetStringRef};
use der::{Decode, Reader, SliceReader, Tag, TagNumber, Tagged};

use crate::Error;
use crate::error::Reading;

/// The elements that are left of a structure.
pub(crate) struct Fields<'a> {
    reader: SliceReader<'a>,
    what: &'static str,
}

/// The tag `[number]` of a constructed element.
pub(crate) const fn context(number: u32) -> Tag {
    Tag::ContextSpecific {
        constructed: true,
        number: TagNumber(number),
    }
}

impl<'a> Fields<'a> {
    /// Those of the SEQUENCE `bytes`, after which nothing may follow.
    pub(crate) fn of_sequence(bytes: &'a [u8], what: &'static str) -> Result<Self, Error> {
        Self::within(AnyRef::from_der(bytes).of(what)?, Tag::Sequence, what)
    }

    /// Those in `element`, whose tag must be `tag`.
    pub(crate) fn within(element: AnyRef<'a>, tag: Tag, what: &'static str) -> Result<Self, Error> {
        element.tag().assert_eq(tag).of(what)?;
        let reader = SliceReader::new(element.value()).of(what)?;
        Ok(Self { reader, what })
    }

    pub(crate) fn is_finished(&self) -> bool {
        self.reader.is_finished()
    }

    /// The next element, of any type.
    pub(crate) fn any(&mut self) -> Result<AnyRef<'a>, Error> {
        self.reader.decode().of(self.what)
    }

    /// The next element in its bytes.
    pub(crate) fn bytes(&mut self) -> Result<&'a [u8], Error> {
        self.reader.tlv_bytes().of(self.what)
    }

    /// The next element as a value of the type `T`.
    pub(crate) fn value<T: Decode<'a, Error = der::Error>>(&mut self) -> Result<T, Error> {
        self.reader.decode().of(self.what)
    }

    pub(crate) fn oid(&mut self) -> Result<ObjectIdentifier, Error> {
        self.value()
    }

    pub(crate) fn octets(&mut self) -> Result<&'a [u8], Error> {
        Ok(self.value::<&OctetStringRef>()?.as_bytes())
    }

    /// The elements of the SEQUENCE that is next.
    pub(crate) fn sequence(&mut self) -> Result<Self, Error> {
        Self::within(self.any()?, Tag::Sequence, self.what)
    }

    /// The elements in the next element, if its tag is `tag`.
    pub(crate) fn optional(&mut self, tag: Tag) -> Result<Option<Self>, Error> {
        if self.is_finished() || Tag::peek(&self.reader).of(self.what)? != tag {
            return Ok(None);
        }
        Self::within(self.any()?, tag, self.what).map(Some)
    }

    /// The elements in `[number]`, which is explicit and must be next.
    pub(crate) fn explicit(&mut self, number: u32) -> Result<Self, Error> {
        Self::within(self.any()?, context(number), self.what)
    }

    /// Checks that no element is left.
    pub(crate) fn finish(self) -> Result<(), Error> {
        self.reader.finish().of(self.what)
    }
}
