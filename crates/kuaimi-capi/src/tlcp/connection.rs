//! One connection. It does no input and output: bytes from the network go in, bytes for the network
//! come out.

use std::io::{ErrorKind, Read, Write};

use kuaimi_pki::chain::PeerName;
use kuaimi_tlcp::Connection;

use super::config::{kuaimi_tlcp_config, kuaimi_tlcp_suite};
use super::failure;
use crate::error::{Error, kuaimi_error};
use crate::handle::{free, objects};
use crate::pki::{at, kuaimi_certificate, utf8};
use crate::state::State;

/// A connection of a client or of a server. It belongs to one process: a child of a fork must not
/// use it, as both would send under the same keys.
pub struct kuaimi_tlcp_connection {
    _opaque: [u8; 0],
}
objects!(kuaimi_tlcp_connection: State<Connection>);

/// How a connection stands.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct kuaimi_tlcp_state {
    /// 1 until the handshake has ended.
    pub is_handshaking: u8,
    /// 1 if the connection waits for bytes from the network.
    pub wants_receive: u8,
    /// 1 if the peer has sent close_notify: all that it sent has come.
    pub peer_has_closed: u8,
    /// 1 if the connection failed.
    pub has_failed: u8,
    /// 1 if a session was resumed.
    pub is_resumed: u8,
    /// Bytes that wait for `kuaimi_tlcp_send`.
    pub to_send: usize,
    /// Bytes that wait for `kuaimi_tlcp_read`.
    pub to_read: usize,
}

/// The most bytes that `kuaimi_tlcp_explain` writes.
pub const KUAIMI_TLCP_REASON_MAX_LEN: usize = 2048;

/// A client's connection to `server`, the name or the IP address that the server's certificates
/// must be for, in UTF-8. It is at `*out`; free it with `kuaimi_tlcp_connection_free`.
///
/// `KUAIMI_ERROR_INVALID_ARGUMENT`: `server` is no name, the configuration trusts nobody, or its
/// suites need a pair that it lacks.
///
/// Source: GB/T 38636-2020, as gotlcp, Tongsuo and GmSSL follow it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_tlcp_client_new(
    config: *const kuaimi_tlcp_config,
    server: *const u8,
    server_len: usize,
    out: *mut *mut kuaimi_tlcp_connection,
) -> kuaimi_error {
    call!(
        out = new_handle(out),
        config = handle(config),
        #[once] server = input(server, server_len) => {
            let name = PeerName::new(utf8(server)?)?;
            let config = config.with(|settings| settings.client())?;
            let config = config.map_err(|error| failure(&error))?;
            let client = Connection::client(config, name).map_err(|error| failure(&error))?;
            out.put(State::new(client));
            Ok(())
        }
    )
}

/// A server's connection, at `*out`; free it with `kuaimi_tlcp_connection_free`.
///
/// `KUAIMI_ERROR_INVALID_ARGUMENT`: the configuration has no pair, or asks clients for certificates
/// and trusts nobody.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_tlcp_server_new(
    config: *const kuaimi_tlcp_config,
    out: *mut *mut kuaimi_tlcp_connection,
) -> kuaimi_error {
    call!(out = new_handle(out), config = handle(config) => {
        let config = config.with(|settings| settings.server())?;
        out.put(State::new(Connection::server(config.map_err(|error| failure(&error))?)));
        Ok(())
    })
}

/// Takes bytes that came from the network; `*count` is how many. It takes fewer than `len` where so
/// much waits for `kuaimi_tlcp_read` that the rest has to wait. A `len` of 0 says that the network
/// connection has ended, as `recv` does.
///
/// After an error, send what `kuaimi_tlcp_send` still gives, which is an alert for the peer, and
/// close. `KUAIMI_ERROR_CERTIFICATE_REFUSED`: the peer's certificates are refused.
/// `KUAIMI_ERROR_TLCP`: the connection failed otherwise. `kuaimi_tlcp_explain` says why.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_tlcp_receive(
    connection: *mut kuaimi_tlcp_connection,
    bytes: *const u8,
    len: usize,
    count: *mut usize,
) -> kuaimi_error {
    call!(
        connection = handle(connection),
        bytes = input(bytes, len),
        count = place(count) => {
            connection.with(|connection| {
                let (taken, result) = connection.receive(bytes);
                count.put(taken);
                result.map_err(|error| failure(&error))
            })?
        }
    )
}

/// Writes bytes for the network, at most as many as the buffer has. What is written here has to be
/// sent, in this order. `*out_len` is 0 if there is nothing to send. A null `out` asks how many
/// wait.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_tlcp_send(
    connection: *mut kuaimi_tlcp_connection,
    out: *mut u8,
    out_len: *mut usize,
) -> kuaimi_error {
    call!(connection = handle(connection), out = output(out, out_len) => {
        connection.with(|connection| {
            let waiting = connection.io_state().tls_bytes_to_write;
            out.write_part(waiting, |mut part| {
                connection.write_tls(&mut part).map_err(|_| Error::KUAIMI_ERROR_INTERNAL)?;
                Ok(())
            })
        })?
    })
}

/// Takes data of the application to be sent; `*count` is how many bytes. It takes fewer than `len`
/// where so much waits for `kuaimi_tlcp_send` that the rest has to wait. What is written before the
/// handshake ends waits for its end.
///
/// `KUAIMI_ERROR_ALREADY_USED`: `kuaimi_tlcp_close` was called. `KUAIMI_ERROR_TLCP`: the connection
/// has failed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_tlcp_write(
    connection: *mut kuaimi_tlcp_connection,
    data: *const u8,
    data_len: usize,
    count: *mut usize,
) -> kuaimi_error {
    call!(
        connection = handle(connection),
        data = input(data, data_len),
        count = place(count) => {
            connection.with(|connection| {
                let written = connection.writer().write(data);
                count.put(*written.as_ref().unwrap_or(&0));
                match written.map_err(|error| error.kind()) {
                    Ok(_) | Err(ErrorKind::WouldBlock) => Ok(()),
                    Err(ErrorKind::BrokenPipe) => Err(Error::KUAIMI_ERROR_ALREADY_USED),
                    Err(_) => Err(failed(connection)),
                }
            })?
        }
    )
}

/// Writes data that came from the peer's application, at most as many bytes as the buffer has.
/// `*out_len` is 0 if none has come yet, or if the peer has closed, as `kuaimi_tlcp_get_state`
/// tells. A null `out` asks how many wait.
///
/// `KUAIMI_ERROR_TLCP`: the connection has failed, or the network connection ended without
/// close_notify, so that data may be missing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_tlcp_read(
    connection: *mut kuaimi_tlcp_connection,
    out: *mut u8,
    out_len: *mut usize,
) -> kuaimi_error {
    call!(connection = handle(connection), out = output(out, out_len) => {
        connection.with(|connection| {
            let waiting = connection.io_state().plaintext_bytes_to_read;
            // Errors come after the data.
            if waiting == 0 && (connection.error().is_some() || connection.is_truncated()) {
                out.write_part(0, |_| Ok(()))?;
                return Err(failed(connection));
            }
            out.write_part(waiting, |part| {
                connection.reader().read_exact(part).map_err(|_| Error::KUAIMI_ERROR_INTERNAL)
            })
        })?
    })
}

/// Tells the peer that nothing more will be sent (close_notify): call `kuaimi_tlcp_send` after it.
/// What the peer sends can still be read.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_tlcp_close(
    connection: *mut kuaimi_tlcp_connection,
) -> kuaimi_error {
    call!(connection = handle(connection) => {
        connection.with(Connection::send_close_notify)
    })
}

/// How a connection stands, at `out`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_tlcp_get_state(
    connection: *const kuaimi_tlcp_connection,
    out: *mut kuaimi_tlcp_state,
) -> kuaimi_error {
    call!(connection = handle(connection), out = place(out) => {
        connection.with(|connection| {
            let state = connection.io_state();
            out.put(kuaimi_tlcp_state {
                is_handshaking: connection.is_handshaking().into(),
                wants_receive: connection.wants_read().into(),
                peer_has_closed: connection.peer_has_closed().into(),
                has_failed: connection.error().is_some().into(),
                is_resumed: connection.is_resumed().into(),
                to_send: state.tls_bytes_to_write,
                to_read: state.plaintext_bytes_to_read,
            });
        })
    })
}

/// The suite of a connection, at `out`: 0 before the handshake has ended.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_tlcp_get_suite(
    connection: *const kuaimi_tlcp_connection,
    out: *mut kuaimi_tlcp_suite,
) -> kuaimi_error {
    call!(connection = handle(connection), out = place(out) => {
        let suite = connection.with(|connection| connection.suite())?;
        out.put(suite.map_or(0, |suite| suite.number().into()));
        Ok(())
    })
}

/// The application protocol (ALPN) that was chosen, at `out`; `*out_len` is 0 if none was.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_tlcp_get_protocol(
    connection: *const kuaimi_tlcp_connection,
    out: *mut u8,
    out_len: *mut usize,
) -> kuaimi_error {
    call!(connection = handle(connection), out = output(out, out_len) => {
        let chosen = connection.with(|it| it.alpn_protocol().map(<[u8]>::to_vec))?;
        out.write_bytes(chosen.unwrap_or_default())
    })
}

/// The host that the client asked for (SNI), at a server, in UTF-8 at `out`; `*out_len` is 0 if it
/// named none.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_tlcp_get_server_name(
    connection: *const kuaimi_tlcp_connection,
    out: *mut u8,
    out_len: *mut usize,
) -> kuaimi_error {
    call!(connection = handle(connection), out = output(out, out_len) => {
        let name = connection.with(|it| it.server_name().map(str::to_owned))?;
        out.write_bytes(name.unwrap_or_default())
    })
}

/// The number of certificates of the peer, at `count`: its signing one, its encrypting one, and
/// those above them. 0 before the handshake has ended, and of a client without.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_tlcp_certificate_count(
    connection: *const kuaimi_tlcp_connection,
    count: *mut usize,
) -> kuaimi_error {
    call!(connection = handle(connection), count = place(count) => {
        count.put(connection.with(|connection| connection.peer_certificates().len())?);
        Ok(())
    })
}

/// Certificate number `index` of the peer, counted from 0, at `*out`. Free it with
/// `kuaimi_certificate_free`.
///
/// `KUAIMI_ERROR_INVALID_ARGUMENT`: there are not so many.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_tlcp_certificate(
    connection: *const kuaimi_tlcp_connection,
    index: usize,
    out: *mut *mut kuaimi_certificate,
) -> kuaimi_error {
    call!(out = new_handle(out), connection = handle(connection) => {
        let found = connection.with(|it| at(it.peer_certificates(), index).cloned())?;
        out.put(found?);
        Ok(())
    })
}

/// Why a connection failed, as a sentence in English at `out`: "the signing certificate: the
/// certificate of CN=bank expired on 2026-01-01 00:00:00 UTC". There is a sentence always, also for
/// a connection that stands. It is in UTF-8, has no zero byte at its end, and names that others
/// chose.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_tlcp_explain(
    connection: *const kuaimi_tlcp_connection,
    out: *mut u8,
    out_len: *mut usize,
) -> kuaimi_error {
    call!(connection = handle(connection), out = output(out, out_len) => {
        let reason = connection.with(|connection| {
            if let Some(error) = connection.error() {
                return error.to_string();
            }
            if connection.is_truncated() {
                return "the peer closed the connection without close_notify".to_owned();
            }
            match connection.suite() {
                Some(suite) => format!("the connection stands, with {suite}"),
                None => "the handshake has not ended".to_owned(),
            }
        })?;
        out.write_sentence(KUAIMI_TLCP_REASON_MAX_LEN, || Ok(reason))
    })
}

/// Wipes and frees a connection. Null is allowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_tlcp_connection_free(connection: *mut kuaimi_tlcp_connection) {
    // SAFETY: the caller keeps the rules for handles at the head of the header.
    unsafe { free(connection) }
}

/// The error of a connection that can no longer be used.
fn failed(connection: &Connection) -> Error {
    connection.error().map_or(Error::KUAIMI_ERROR_TLCP, failure)
}
