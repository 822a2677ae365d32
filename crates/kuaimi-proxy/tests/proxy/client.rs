//! Programs that speak plain, to servers of both protocols; and clients' certificates.

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use crate::common::{
    BOTH, Lab, Which, echo, is_reset, metric, say, secure_echo, soon, until_metric,
};

fn client(to: std::net::SocketAddr, protocol: &str, more: &str) -> String {
    format!(
        "[[client]]\nlisten = \"127.0.0.1:0\"\nconnect = \"{to}\"\nprotocol = \"{protocol}\"\n{more}\n"
    )
}

const PROTOCOLS: [&str; 2] = ["tlcp", "tls13"];
const GOOD: &str = "ca = \"ca.crt\"\nserver_name = \"localhost\"";

#[tokio::test(flavor = "multi_thread")]
async fn a_plain_program_and_a_server_of_either_protocol() {
    let lab = Lab::new();
    let server = secure_echo(&lab, "").await;
    for protocol in PROTOCOLS {
        let text = client(server.addresses()[0], protocol, GOOD);
        let proxy = lab.start(&text).await;
        let mut socket = TcpStream::connect(proxy.addresses()[0]).await.unwrap();
        say(&mut socket, "a message").await;
        until_metric(&proxy, &["closed_total", "reason=\"closed\""], 1).await;
    }
    assert_eq!(metric(&server, &["ECC_SM4_GCM_SM3"]), 1);
    assert_eq!(metric(&server, &["TLS_SM4_GCM_SM3"]), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_is_not_verified_gets_nothing() {
    let lab = Lab::new();
    let other = Lab::new();
    lab.write("other.crt", other.read("ca.crt"));
    let server = secure_echo(&lab, "").await;
    for protocol in PROTOCOLS {
        for wrong in [
            "ca = \"other.crt\"\nserver_name = \"localhost\"",
            "ca = \"ca.crt\"\nserver_name = \"other.example\"",
            // The name is taken from the address, for which the certificate is not.
            "ca = \"ca.crt\"",
        ] {
            let proxy = lab
                .start(&client(server.addresses()[0], protocol, wrong))
                .await;
            is_reset(proxy.addresses()[0], b"a secret").await;
            until_metric(&proxy, &["handshake_failures_total", "certificate"], 1).await;
        }
        // Only under its dangerous name.
        let any = "dangerous_accept_any_server = true\nserver_name = \"other.example\"";
        let proxy = lab
            .start(&client(server.addresses()[0], protocol, any))
            .await;
        let mut socket = TcpStream::connect(proxy.addresses()[0]).await.unwrap();
        say(&mut socket, "a message").await;
    }
    assert_eq!(metric(&server, &["closed_total", "reason=\"closed\""]), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_is_down() {
    let lab = Lab::new();
    let proxy = lab
        .start(&client("127.0.0.1:1".parse().unwrap(), "tlcp", GOOD))
        .await;
    is_reset(proxy.addresses()[0], b"").await;
    assert_eq!(metric(&proxy, &["backend_failures_total"]), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_does_not_answer() {
    let lab = Lab::new();
    let silent = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    for protocol in PROTOCOLS {
        let more = format!("{GOOD}\n[client.limits]\nhandshake_seconds = 1");
        let text = client(silent.local_addr().unwrap(), protocol, &more);
        let proxy = lab.start(&text).await;
        is_reset(proxy.addresses()[0], b"").await;
        assert_eq!(metric(&proxy, &["reason=\"timeout\""]), 1);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn clients_certificates() {
    let lab = Lab::new();
    let required = lab
        .start(&lab.server(echo().await, "client_ca = \"ca.crt\""))
        .await;
    let more = "client_ca = \"ca.crt\"\nclient_optional = true";
    let optional = lab.start(&lab.server(echo().await, more)).await;
    for which in BOTH {
        for (proxy, with) in [(&required, true), (&optional, true), (&optional, false)] {
            let stream = lab.try_connect(which, proxy.addresses()[0], with).await;
            say(&mut stream.unwrap(), "a message").await;
        }
        assert!(!works(&lab, which, &required, false).await, "{which:?}");
        // One of another authority.
        let mut stranger = Lab::new();
        stranger.root.certificate = lab.root.certificate.clone();
        for proxy in [&required, &optional] {
            assert!(!works(&stranger, which, proxy, true).await, "{which:?}");
        }
    }
    assert_eq!(
        metric(&required, &["handshake_failures_total", "\"certificate\""]),
        4
    );
    assert_eq!(
        metric(&optional, &["handshake_failures_total", "\"certificate\""]),
        2
    );
}

/// In TLS 1.3 a client learns only after its handshake that it is not admitted.
async fn works(lab: &Lab, which: Which, proxy: &kuaimi_proxy::Proxy, with: bool) -> bool {
    let Ok(mut stream) = lab.try_connect(which, proxy.addresses()[0], with).await else {
        return false;
    };
    let _closed = stream.write_all(b"a").await;
    let _closed = stream.flush().await;
    soon(stream.read_exact(&mut [0])).await.is_ok()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_plain_program_with_the_proxys_certificates() {
    let lab = Lab::new();
    let server = secure_echo(&lab, "client_ca = \"ca.crt\"").await;
    let keys = "cert = \"client-sign.crt\"\nkey = \"client-sign.pem\"\n\
                enc_cert = \"client-enc.crt\"\nenc_key = \"client-enc.pem\"";
    for protocol in PROTOCOLS {
        let text = client(server.addresses()[0], protocol, &format!("{GOOD}\n{keys}"));
        let proxy = lab.start(&text).await;
        let mut socket = TcpStream::connect(proxy.addresses()[0]).await.unwrap();
        say(&mut socket, "a message").await;
    }
    // With its pair, the client of TLCP has ephemeral keys.
    assert_eq!(metric(&server, &["ECDHE_SM4_GCM_SM3"]), 1);
    assert_eq!(metric(&server, &["TLS_SM4_GCM_SM3"]), 1);
}
