//! An operation that a thread of Node's pool does.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use kuaimi_js::{Handle, Value};
use napi::bindgen_prelude::{Either4, Env, ExternalRef, Result, Task};

use crate::call::Answer;

type Operation = Box<dyn FnOnce() -> kuaimi_js::Result<Value> + Send>;

/// An operation with its own copies of its arguments.
pub(crate) struct Later(Option<Operation>);

impl Later {
    pub(crate) fn new(
        operation: impl FnOnce() -> kuaimi_js::Result<Value> + Send + 'static,
    ) -> Self {
        Self(Some(Box::new(operation)))
    }
}

impl Task for Later {
    type Output = kuaimi_js::Result<Value>;
    type JsValue = Answer<ExternalRef<Arc<Handle>>>;

    fn compute(&mut self) -> Result<Self::Output> {
        // Node-API does not catch a panic here, which would end the process.
        let done = self
            .0
            .take()
            .and_then(|operation| catch_unwind(AssertUnwindSafe(operation)).ok());
        done.ok_or_else(|| napi::Error::from_reason("a bug of Kuaimi: this operation panicked"))
    }

    fn resolve(&mut self, env: Env, done: Self::Output) -> Result<Self::JsValue> {
        Ok(match done {
            Ok(Value::Number(number)) => Either4::A(number),
            Ok(Value::Object(object)) => {
                Either4::B(ExternalRef::new(&env, Arc::new(Handle::new(object)))?)
            }
            Ok(Value::Bytes(mut bytes)) => Either4::C(core::mem::take(&mut *bytes).into()),
            Err(failure) => Either4::D(failure.text()),
        })
    }
}
