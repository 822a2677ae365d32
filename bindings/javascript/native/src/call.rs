//! A call from JavaScript: its arguments and its result.

use std::sync::Arc;

use kuaimi_js::{Handle, Value};
use napi::bindgen_prelude::{
    Either4, External, FromNapiValue, FunctionCallContext, Result, Uint8Array,
};

/// What the garbage collector should know that an object takes: a public key with its table takes
/// more, most objects less.
pub(crate) const OBJECT_SIZE: usize = 1024;

/// What JavaScript gets: a number, a handle, bytes, or a failure.
pub(crate) type Answer<H> = Either4<u32, H, Uint8Array, String>;

/// The arguments, one after another.
pub(crate) struct Call<'a> {
    context: FunctionCallContext<'a>,
    next: usize,
}

impl<'a> Call<'a> {
    pub(crate) fn new(context: FunctionCallContext<'a>) -> Self {
        Self { context, next: 0 }
    }

    fn next<T: FromNapiValue>(&mut self) -> Result<T> {
        self.next += 1;
        self.context.get(self.next - 1)
    }

    /// Where a result may be written.
    pub(crate) fn room(&mut self) -> Result<&'a mut [u8]> {
        self.next()
    }

    pub(crate) fn bytes(&mut self) -> Result<&'a [u8]> {
        self.next()
    }

    pub(crate) fn maybe(&mut self) -> Result<Option<&'a [u8]>> {
        self.next()
    }

    pub(crate) fn number(&mut self) -> Result<u32> {
        self.next()
    }

    pub(crate) fn object(&mut self) -> Result<&'a Arc<Handle>> {
        self.next::<&External<Arc<Handle>>>().map(AsRef::as_ref)
    }
}

/// What JavaScript gets of it. Few bytes are written into `room`, which JavaScript wipes.
pub(crate) fn answer(
    value: kuaimi_js::Result<Value>,
    room: &mut [u8],
) -> Answer<External<Arc<Handle>>> {
    match value {
        Ok(Value::Number(number)) => Either4::A(number),
        Ok(Value::Object(object)) => Either4::B(External::new_with_size_hint(
            Arc::new(Handle::new(object)),
            OBJECT_SIZE,
        )),
        Ok(Value::Bytes(mut bytes)) => match room.get_mut(..bytes.len()) {
            Some(room) => {
                room.copy_from_slice(&bytes);
                // At most as long as the room.
                Either4::A(bytes.len() as u32)
            }
            None => Either4::C(core::mem::take(&mut *bytes).into()),
        },
        Err(failure) => Either4::D(failure.text()),
    }
}
