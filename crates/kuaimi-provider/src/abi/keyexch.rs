//! Key exchange (provider-keyexch(7)).

use std::ffi::{c_int, c_void};
use std::sync::Arc;

use zeroize::Zeroizing;

use super::key_operation::{
    Duplicate, Free, GetParams, Init, KeyOperation, KnownParams, NewContext, SetParams,
    duplicate_context, free, get_params, gettable_params, give, init, material, new_context,
    set_params, settable_params,
};
use super::{Algorithm, Dispatch, Given, Slot, with};
use crate::failure::Failure;
use crate::provider::Provider;
use crate::sm2::ecdh::Ecdh;
use crate::sm2::exchange::Sm2Exchange;
use crate::sm2::key::Material;

/// An exchange: a private key and a peer's public key make a secret.
pub(crate) trait Exchange: KeyOperation {
    fn set_peer(&mut self, peer: Option<Arc<Material>>) -> Result<(), Failure>;

    /// The shared secret, for a place of this size; its length where there is none.
    fn derive(&self, place: Option<usize>) -> Result<Given<Zeroizing<Vec<u8>>>, Failure>;
}

type Derive = unsafe extern "C" fn(
    context: *mut c_void,
    secret: *mut u8,
    length: *mut usize,
    size: usize,
) -> c_int;
type SetPeer = unsafe extern "C" fn(context: *mut c_void, peer: *mut c_void) -> c_int;

const fn table<E: Exchange>() -> [Dispatch; 11] {
    [
        Slot::<NewContext>::new(1).is(new_context::<E>),
        Slot::<Init>::new(2).is(init::<E>),
        Slot::<Derive>::new(3).is(derive::<E>),
        Slot::<SetPeer>::new(4).is(set_peer::<E>),
        Slot::<Free>::new(5).is(free::<E>),
        Slot::<Duplicate>::new(6).is(duplicate_context::<E>),
        Slot::<SetParams>::new(7).is(set_params::<E>),
        Slot::<KnownParams>::new(8).is(settable_params::<E>),
        Slot::<GetParams>::new(9).is(get_params::<E>),
        Slot::<KnownParams>::new(10).is(gettable_params::<E>),
        Dispatch::END,
    ]
}

static ECDH: [Dispatch; 11] = table::<Ecdh>();
static SM2DH: [Dispatch; 11] = table::<Sm2Exchange>();

// Not under the name ECDH: every program with a key on another curve would then ask here first, and be sent away.
static ALGORITHMS: [Algorithm; 2] = [
    Algorithm::new(
        c"curveSM2",
        Provider::PROPERTIES,
        &ECDH,
        c"ECDH on the curve of SM2, for TLS 1.3 (RFC 8998)",
    ),
    Algorithm::END,
];

static IN_TONGSUO: [Algorithm; 2] = [
    Algorithm::new(
        c"SM2DH",
        Provider::PROPERTIES,
        &SM2DH,
        c"SM2 key exchange (GB/T 32918.3), for TLCP (GB/T 38636)",
    ),
    Algorithm::END,
];

/// The exchanges that the library behind `provider` asks for.
pub(super) fn algorithms(provider: &Provider) -> &'static [Algorithm] {
    if provider.is_tongsuo() {
        &IN_TONGSUO
    } else {
        &ALGORITHMS
    }
}

unsafe extern "C" fn set_peer<E: Exchange>(context: *mut c_void, peer: *mut c_void) -> c_int {
    // SAFETY: a context of this table, and a key of this module.
    unsafe { with::<E>(context, |exchange| exchange.set_peer(material(peer))) }
}

unsafe extern "C" fn derive<E: Exchange>(
    context: *mut c_void,
    secret: *mut u8,
    length: *mut usize,
    size: usize,
) -> c_int {
    // The secret, which the caller gets, is left nowhere else.
    kuaimi::wipe_stack(|| {
        // SAFETY: a context of this table, and the places for its output.
        unsafe {
            give::<E, _>(context, secret, length, size, |exchange, place| {
                exchange.derive(place)
            })
        }
    })
}
