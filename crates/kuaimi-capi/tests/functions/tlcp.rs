//! Connections of TLCP: two of them in one process, with the test as the network between.

use std::ptr::{null, null_mut};

use kuaimi_c::kuaimi_error::*;
use kuaimi_c::*;
use kuaimi_pki::extensions::Purpose;

use crate::pki::{Holder, NOW, der_of, error, new, number};

const HOST: &[u8] = b"bank.example";

/// An authority and a pair of it.
struct Pair {
    root: Holder,
    sign: Holder,
    encrypt: Holder,
}

impl Pair {
    fn new() -> Self {
        let root = Holder::root();
        // The name of the holder is the first part of the host's.
        let sign = Holder::new("bank", Purpose::Signing, Some(&root));
        let encrypt = Holder::new("bank", Purpose::Encryption, Some(&root));
        Self {
            root,
            sign,
            encrypt,
        }
    }

    /// A configuration that trusts the authority, with the pair or without.
    fn config(&self, has_pair: bool) -> *mut kuaimi_tlcp_config {
        let config = new!(kuaimi_tlcp_config_new());
        call!(kuaimi_tlcp_config_add_anchor(config, self.root.handle));
        call!(kuaimi_tlcp_config_set_time(config, NOW));
        if has_pair {
            assert_eq!(self.set_pair(config, &self.sign, &self.encrypt), KUAIMI_OK);
        }
        config
    }

    fn set_pair(
        &self,
        config: *mut kuaimi_tlcp_config,
        sign: &Holder,
        encrypt: &Holder,
    ) -> kuaimi_error {
        error!(kuaimi_tlcp_config_set_pair(
            config,
            sign.handle,
            sign.key,
            encrypt.handle,
            encrypt.key,
            null(),
            0
        ))
    }
}

/// A connection, which ends with the test.
struct Connection(*mut kuaimi_tlcp_connection);

impl Drop for Connection {
    fn drop(&mut self) {
        free!(kuaimi_tlcp_connection_free(self.0));
    }
}

impl Connection {
    fn client(config: *mut kuaimi_tlcp_config) -> Self {
        Self(new!(kuaimi_tlcp_client_new(
            config,
            HOST.as_ptr(),
            HOST.len()
        )))
    }

    fn server(config: *mut kuaimi_tlcp_config) -> Self {
        Self(new!(kuaimi_tlcp_server_new(config)))
    }

    fn state(&self) -> kuaimi_tlcp_state {
        number!(kuaimi_tlcp_get_state(self.0))
    }

    /// The next bytes for the network, `most` of them at most.
    fn send(&self, most: usize) -> Vec<u8> {
        let mut bytes = vec![0xa5; most];
        let mut len = most;
        call!(kuaimi_tlcp_send(self.0, bytes.as_mut_ptr(), &mut len));
        bytes.truncate(len);
        bytes
    }

    fn receive(&self, bytes: &[u8]) -> (usize, kuaimi_error) {
        let mut count = usize::MAX;
        let result = error!(kuaimi_tlcp_receive(
            self.0,
            bytes.as_ptr(),
            bytes.len(),
            &mut count
        ));
        (count, result)
    }

    fn write(&self, data: &[u8]) -> usize {
        number!(kuaimi_tlcp_write(self.0, data.as_ptr(), data.len()))
    }

    fn read(&self, most: usize) -> Result<Vec<u8>, kuaimi_error> {
        let mut bytes = vec![0xa5; most];
        let mut len = most;
        match error!(kuaimi_tlcp_read(self.0, bytes.as_mut_ptr(), &mut len)) {
            KUAIMI_OK => {
                bytes.truncate(len);
                Ok(bytes)
            }
            error => {
                assert_eq!(len, 0, "a length after an error");
                Err(error)
            }
        }
    }

    fn explain(&self) -> String {
        let it = self.0;
        let text = output!(|out, len| kuaimi_tlcp_explain(it, out, len));
        String::from_utf8(text).expect("UTF-8")
    }
}

/// Carries bytes both ways, in pieces, until nobody has any; the first error.
fn carry(client: &Connection, server: &Connection, piece: usize) -> kuaimi_error {
    loop {
        let mut is_quiet = true;
        for (from, to) in [(client, server), (server, client)] {
            let bytes = from.send(piece);
            if bytes.is_empty() {
                continue;
            }
            is_quiet = false;
            let (count, result) = to.receive(&bytes);
            if result != KUAIMI_OK {
                return result;
            }
            assert_eq!(count, bytes.len());
        }
        if is_quiet {
            return KUAIMI_OK;
        }
    }
}

#[test]
fn data_goes_both_ways() {
    let pair = Pair::new();
    let (ours, theirs) = (pair.config(true), pair.config(false));
    for protocol in ["h2", "http/1.1"] {
        call!(kuaimi_tlcp_config_add_protocol(
            ours,
            protocol.as_ptr(),
            protocol.len()
        ));
    }
    call!(kuaimi_tlcp_config_add_protocol(
        theirs,
        "http/1.1".as_ptr(),
        8
    ));
    for piece in [1, 7, 100_000] {
        let (client, server) = (Connection::client(theirs), Connection::server(ours));
        assert_eq!(client.explain(), "the handshake has not ended");
        // Written before the handshake has ended.
        assert_eq!(client.write(b"a payment"), 9);
        assert_eq!(client.state().is_handshaking, 1);
        assert_eq!(carry(&client, &server, piece), KUAIMI_OK);
        let state = server.state();
        assert_eq!(
            (state.is_handshaking, state.to_read, state.to_send),
            (0, 9, 0)
        );
        assert_eq!(server.read(4), Ok(b"a pa".to_vec()));
        assert_eq!(server.read(100), Ok(b"yment".to_vec()));
        assert_eq!(server.read(100), Ok(Vec::new()));
        assert_eq!(server.write(b"done"), 4);
        assert_eq!(carry(&client, &server, piece), KUAIMI_OK);
        assert_eq!(client.read(100), Ok(b"done".to_vec()));

        let suite: kuaimi_tlcp_suite = number!(kuaimi_tlcp_get_suite(client.0));
        assert_eq!(suite, KUAIMI_TLCP_ECC_SM4_GCM_SM3);
        assert_eq!(
            client.explain(),
            "the connection stands, with ECC_SM4_GCM_SM3"
        );
        let (c, s) = (client.0, server.0);
        assert_eq!(
            output!(|out, len| kuaimi_tlcp_get_protocol(c, out, len)),
            b"http/1.1"
        );
        assert_eq!(
            output!(|out, len| kuaimi_tlcp_get_server_name(s, out, len)),
            HOST
        );
        let count: usize = number!(kuaimi_tlcp_certificate_count(client.0));
        assert_eq!(count, 2);
        let certificates = [&pair.sign, &pair.encrypt];
        for (i, holder) in certificates.into_iter().enumerate() {
            let found = new!(kuaimi_tlcp_certificate(client.0, i));
            assert_eq!(der_of(found), holder.certificate.as_der());
        }

        call!(kuaimi_tlcp_close(client.0));
        let more = error!(kuaimi_tlcp_write(c, b"x".as_ptr(), 1, &mut 0));
        assert_eq!(more, KUAIMI_ERROR_ALREADY_USED);
        assert_eq!(carry(&client, &server, piece), KUAIMI_OK);
        assert_eq!(server.state().peer_has_closed, 1);
        assert_eq!(server.read(100), Ok(Vec::new()));
    }
    free!(kuaimi_tlcp_config_free(ours, theirs));
}

#[test]
fn every_suite_and_clients_with_certificates() {
    let pair = Pair::new();
    let (ours, theirs) = (pair.config(true), pair.config(true));
    call!(kuaimi_tlcp_config_set_client_auth(
        ours,
        KUAIMI_TLCP_CLIENT_REQUIRED
    ));
    for suite in [
        KUAIMI_TLCP_ECDHE_SM4_CBC_SM3,
        KUAIMI_TLCP_ECC_SM4_CBC_SM3,
        KUAIMI_TLCP_ECDHE_SM4_GCM_SM3,
        KUAIMI_TLCP_ECC_SM4_GCM_SM3,
    ] {
        call!(kuaimi_tlcp_config_set_suite(theirs, suite));
        let (client, server) = (Connection::client(theirs), Connection::server(ours));
        assert_eq!(carry(&client, &server, 4096), KUAIMI_OK);
        let found: kuaimi_tlcp_suite = number!(kuaimi_tlcp_get_suite(server.0));
        assert_eq!(found, suite);
        let count: usize = number!(kuaimi_tlcp_certificate_count(server.0));
        assert_eq!(count, 2, "the client's pair");
    }
    free!(kuaimi_tlcp_config_free(theirs));

    let without = pair.config(false);
    let (client, server) = (Connection::client(without), Connection::server(ours));
    assert_eq!(
        carry(&client, &server, 4096),
        KUAIMI_ERROR_CERTIFICATE_REFUSED
    );
    assert_eq!(server.explain(), "the peer sent no certificate");
    // The alert is still sent, and the client knows.
    let (_, result) = client.receive(&server.send(4096));
    assert_eq!(result, KUAIMI_ERROR_TLCP);
    assert!(client.explain().contains("alert"), "{}", client.explain());
    free!(kuaimi_tlcp_config_free(ours, without));
}

#[test]
fn peers_that_are_not_trusted_are_refused() {
    let pair = Pair::new();
    let (ours, theirs) = (pair.config(true), pair.config(false));
    // Another host, which the certificates are not for.
    let other = b"other.example";
    let client = Connection(new!(kuaimi_tlcp_client_new(
        theirs,
        other.as_ptr(),
        other.len()
    )));
    let server = Connection::server(ours);
    assert_eq!(
        carry(&client, &server, 4096),
        KUAIMI_ERROR_CERTIFICATE_REFUSED
    );
    assert!(
        client.explain().contains("other.example"),
        "{}",
        client.explain()
    );
    assert_eq!(
        (client.state().has_failed, server.state().has_failed),
        (1, 0)
    );
    assert_eq!(client.read(10), Err(KUAIMI_ERROR_CERTIFICATE_REFUSED));

    // Two years later.
    call!(kuaimi_tlcp_config_set_time(theirs, NOW + 2 * 365 * 86400));
    let (client, server) = (Connection::client(theirs), Connection::server(ours));
    assert_eq!(
        carry(&client, &server, 4096),
        KUAIMI_ERROR_CERTIFICATE_REFUSED
    );
    assert!(client.explain().contains("expired"), "{}", client.explain());

    // Nobody is trusted: not even a connection is made.
    let nobody = new!(kuaimi_tlcp_config_new());
    let mut none = null_mut();
    let made = error!(kuaimi_tlcp_client_new(
        nobody,
        HOST.as_ptr(),
        HOST.len(),
        &mut none
    ));
    assert_eq!((made, none), (KUAIMI_ERROR_INVALID_ARGUMENT, null_mut()));
    call!(kuaimi_tlcp_config_set_dangerous_anyone(nobody));
    let (client, server) = (Connection::client(nobody), Connection::server(ours));
    assert_eq!(carry(&client, &server, 4096), KUAIMI_OK);
    free!(kuaimi_tlcp_config_free(ours, theirs, nobody));
}

#[test]
fn what_a_pair_must_be() {
    let pair = Pair::new();
    let config = pair.config(false);
    let mut none = null_mut();
    let made = error!(kuaimi_tlcp_server_new(config, &mut none));
    assert_eq!(
        made, KUAIMI_ERROR_INVALID_ARGUMENT,
        "a server without a pair"
    );
    let (sign, encrypt) = (&pair.sign, &pair.encrypt);
    let swapped = pair.set_pair(config, encrypt, sign);
    assert_eq!(swapped, KUAIMI_ERROR_INVALID_ARGUMENT, "the wrong order");
    let other = error!(kuaimi_tlcp_config_set_pair(
        config,
        sign.handle,
        pair.root.key,
        encrypt.handle,
        encrypt.key,
        null(),
        0
    ));
    assert_eq!(other, KUAIMI_ERROR_INVALID_ARGUMENT, "another's key");
    free!(kuaimi_tlcp_config_free(config));
}

#[test]
fn sessions_are_resumed_until_they_are_forgotten() {
    let pair = Pair::new();
    let (ours, theirs) = (pair.config(true), pair.config(false));
    let resumed = || {
        let (client, server) = (Connection::client(theirs), Connection::server(ours));
        assert_eq!(carry(&client, &server, 4096), KUAIMI_OK);
        assert_eq!(client.state().is_resumed, server.state().is_resumed);
        client.state().is_resumed
    };
    assert_eq!((resumed(), resumed()), (0, 1));
    call!(kuaimi_tlcp_config_set_sessions(ours, 0, 3600));
    assert_eq!((resumed(), resumed()), (0, 0));
    call!(kuaimi_tlcp_config_set_sessions(ours, 10, 3600));
    assert_eq!((resumed(), resumed()), (0, 1));
    free!(kuaimi_tlcp_config_free(ours, theirs));
}

#[test]
fn an_end_without_close_notify_is_an_error() {
    let pair = Pair::new();
    let (ours, theirs) = (pair.config(true), pair.config(false));
    let (client, server) = (Connection::client(theirs), Connection::server(ours));
    assert_eq!(carry(&client, &server, 4096), KUAIMI_OK);
    client.write(b"half of");
    assert_eq!(carry(&client, &server, 4096), KUAIMI_OK);
    assert_eq!(server.receive(b""), (0, KUAIMI_OK));
    assert_eq!(server.read(100), Ok(b"half of".to_vec()));
    assert_eq!(server.read(100), Err(KUAIMI_ERROR_TLCP));
    assert!(server.explain().contains("close_notify"));

    // During the handshake, and something else than TLCP.
    let server = Connection::server(ours);
    assert_eq!(server.receive(b""), (0, KUAIMI_ERROR_TLCP));
    let server = Connection::server(ours);
    let (_, result) = server.receive(b"GET / HTTP/1.1\r\n\r\n");
    assert_eq!(result, KUAIMI_ERROR_TLCP);
    assert!(
        server.explain().contains("does not speak TLCP"),
        "{}",
        server.explain()
    );
    assert!(!server.send(100).is_empty(), "an alert");
    free!(kuaimi_tlcp_config_free(ours, theirs));
}

/// More data than a connection holds: what is not taken is offered again, and all of it comes, in
/// order.
#[test]
fn a_megabyte_through_small_buffers() {
    let pair = Pair::new();
    let (ours, theirs) = (pair.config(true), pair.config(false));
    let (client, server) = (Connection::client(theirs), Connection::server(ours));
    assert_eq!(carry(&client, &server, 4096), KUAIMI_OK);
    let data: Vec<u8> = (0..1_u32 << 18).flat_map(u32::to_le_bytes).collect();
    let (mut written, mut waiting, mut found) = (0, Vec::new(), Vec::new());
    let mut was_full = false;
    while found.len() < data.len() {
        let taken = client.write(&data[written..]);
        was_full |= written + taken < data.len() && taken == 0;
        written += taken;
        waiting.extend(client.send(5_000_000));
        let (count, result) = server.receive(&waiting);
        assert_eq!(result, KUAIMI_OK);
        was_full |= count < waiting.len();
        waiting.drain(..count);
        let mut asked = 0;
        call!(kuaimi_tlcp_read(server.0, null_mut(), &mut asked));
        assert_eq!(asked, server.state().to_read);
        found.extend(server.read(30_000).expect("data"));
    }
    assert!(found == data && was_full);
    free!(kuaimi_tlcp_config_free(ours, theirs));
}
