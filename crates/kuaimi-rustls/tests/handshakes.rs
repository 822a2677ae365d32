//! Handshakes and data between two ends of rustls.

mod common;

use std::sync::Arc;

use common::{Authority, BOTH, HOST, connect, server};
use kuaimi_rustls::{CURVE_SM2, TLS_SM4_CCM_SM3, TLS_SM4_GCM_SM3, strict};
use rustls::ProtocolVersion;

#[test]
fn both_suites_by_both_verifiers() {
    let root = Authority::new("Root");
    let below = root.below("Issuing");
    for authority in [&root, &below] {
        for by in BOTH {
            for suite in [TLS_SM4_GCM_SM3, TLS_SM4_CCM_SM3] {
                let mut provider = strict();
                provider.cipher_suites = vec![suite];
                let client = common::client_with(provider, authority, by, None);
                let server = server(&authority.server(), by, None);
                let mut pair = connect(&Arc::new(client), &Arc::new(server));
                pair.run().unwrap();
                assert_eq!(
                    pair.client.protocol_version(),
                    Some(ProtocolVersion::TLSv1_3)
                );
                assert_eq!(pair.client.negotiated_cipher_suite(), Some(suite));
                assert_eq!(pair.server.negotiated_cipher_suite(), Some(suite));
                let group = pair.client.negotiated_key_exchange_group().unwrap();
                assert_eq!(group.name(), CURVE_SM2.name());
                assert_eq!(pair.server.server_name(), Some(HOST));
                pair.exchange(b"a message");
            }
        }
    }
}
