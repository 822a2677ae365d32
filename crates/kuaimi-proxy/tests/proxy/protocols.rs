//! All protocols on one port, and what goes over them.

use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};

use crate::common::{
    BOTH, Lab, Which, connect_tlcp, connect_tls, echo, exchange, metric, say, soon, until_metric,
};

#[tokio::test(flavor = "multi_thread")]
async fn tlcp_and_tls_on_one_port() {
    let lab = Lab::new();
    let proxy = lab.start(&lab.server(echo().await, "")).await;
    let address = proxy.addresses()[0];
    for which in BOTH {
        say(&mut lab.connect(which, address).await, "a message").await;
    }
    until_metric(&proxy, &["closed_total", "reason=\"closed\""], 2).await;
    let suite = |suite: &str| metric(&proxy, &["handshakes_total", suite]);
    assert_eq!(suite("ECC_SM4_GCM_SM3"), 1, "{}", proxy.metrics());
    assert_eq!(suite("TLS_SM4_GCM_SM3"), 1, "{}", proxy.metrics());
    assert_eq!(metric(&proxy, &["from_secured_bytes"]), 18);
    assert_eq!(metric(&proxy, &["from_plain_bytes"]), 18);
    assert_eq!(metric(&proxy, &["_active{"]), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn every_suite_of_tlcp() {
    let lab = Lab::new();
    let more = "client_ca = \"ca.crt\"";
    let proxy = lab.start(&lab.server(echo().await, more)).await;
    for suite in kuaimi_tlcp::CipherSuite::ALL {
        let config = kuaimi_tlcp::ClientConfig::clone(&lab.tlcp(true));
        let config = Arc::new(config.suites(&[suite]).unwrap());
        let socket = TcpStream::connect(proxy.addresses()[0]).await.unwrap();
        say(
            &mut connect_tlcp(config, socket).await.unwrap(),
            "a message",
        )
        .await;
        let label = format!("suite=\"{suite}\"");
        assert_eq!(metric(&proxy, &["handshakes_total", &label]), 1);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn sessions_are_resumed() {
    let lab = Lab::new();
    let proxy = lab.start(&lab.server(echo().await, "")).await;
    let (tlcp, tls) = (lab.tlcp(false), lab.tls(false));
    let socket = || TcpStream::connect(proxy.addresses()[0]);
    for _ in 0..2 {
        let stream = connect_tlcp(Arc::clone(&tlcp), socket().await.unwrap()).await;
        say(&mut stream.unwrap(), "a message").await;
        let stream = connect_tls(Arc::clone(&tls), socket().await.unwrap()).await;
        say(&mut stream.unwrap(), "a message").await;
    }
    for suite in ["\"ECC_SM4_GCM_SM3\"", "\"TLS_SM4_GCM_SM3\""] {
        for resumed in ["resumed=\"no\"", "resumed=\"yes\""] {
            assert_eq!(metric(&proxy, &["handshakes_total", suite, resumed]), 1);
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn ordinary_tls_beside_them() {
    let lab = Lab::new();
    let ordinary = lab.ordinary();
    let more = "tls_cert = \"p256.crt\"\ntls_key = \"p256.pem\"";
    let proxy = lab.start(&lab.server(echo().await, more)).await;
    let address = proxy.addresses()[0];
    let mut roots = rustls::RootCertStore::empty();
    roots.add(ordinary).unwrap();
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    for (version, name) in [
        (&rustls::version::TLS12, "TLS 1.2"),
        (&rustls::version::TLS13, "TLS 1.3"),
    ] {
        let config = rustls::ClientConfig::builder_with_provider(Arc::clone(&provider))
            .with_protocol_versions(&[version])
            .unwrap()
            .with_root_certificates(roots.clone())
            .with_no_client_auth();
        let socket = TcpStream::connect(address).await.unwrap();
        let stream = connect_tls(Arc::new(config), socket).await;
        say(&mut stream.unwrap(), "a message").await;
        let label = format!("protocol=\"{name}\"");
        assert_eq!(metric(&proxy, &["handshakes_total", &label]), 1);
    }
    // And ShangMi's get their own certificate.
    for which in BOTH {
        say(&mut lab.connect(which, address).await, "a message").await;
    }
    assert_eq!(metric(&proxy, &["handshakes_total", "TLS_SM4_GCM_SM3"]), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_ordinary_certificate_alone() {
    let lab = Lab::new();
    let ordinary = lab.ordinary();
    let to = echo().await;
    let proxy = lab
        .start(&format!(
            "[[server]]\nlisten = \"127.0.0.1:0\"\nto = \"{to}\"\n\
             tls_cert = \"p256.crt\"\ntls_key = \"p256.pem\"\n"
        ))
        .await;
    let mut roots = rustls::RootCertStore::empty();
    roots.add(ordinary).unwrap();
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = rustls::ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_root_certificates(roots)
        .with_no_client_auth();
    let socket = TcpStream::connect(proxy.addresses()[0]).await.unwrap();
    say(
        &mut connect_tls(Arc::new(config), socket).await.unwrap(),
        "a",
    )
    .await;
    // The others are told that there is nothing for them.
    for which in BOTH {
        assert!(
            lab.try_connect(which, proxy.addresses()[0], false)
                .await
                .is_err()
        );
    }
}

/// A client that has said all it has to say still gets the answer, and the other way round.
#[tokio::test(flavor = "multi_thread")]
async fn half_closes_are_passed_on() {
    let lab = Lab::new();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let proxy = lab
        .start(&lab.server(listener.local_addr().unwrap(), ""))
        .await;
    for which in BOTH {
        // The client ends first.
        let mut stream = lab.connect(which, proxy.addresses()[0]).await;
        stream.write_all(b"question").await.unwrap();
        stream.shutdown().await.unwrap();
        let (mut backend, _) = soon(listener.accept()).await.unwrap();
        let mut question = Vec::new();
        soon(backend.read_to_end(&mut question)).await.unwrap();
        assert_eq!(question, b"question");
        backend.write_all(b"answer").await.unwrap();
        drop(backend);
        let mut answer = Vec::new();
        soon(stream.read_to_end(&mut answer)).await.unwrap();
        assert_eq!(answer, b"answer");

        // The backend ends first.
        let mut stream = lab.connect(which, proxy.addresses()[0]).await;
        stream.write_all(b"x").await.unwrap();
        stream.flush().await.unwrap();
        let (mut backend, _) = soon(listener.accept()).await.unwrap();
        backend.write_all(b"greeting").await.unwrap();
        backend.shutdown().await.unwrap();
        let mut greeting = Vec::new();
        soon(stream.read_to_end(&mut greeting)).await.unwrap();
        assert_eq!(greeting, b"greeting");
        stream.write_all(b" and more").await.unwrap();
        stream.shutdown().await.unwrap();
        let mut rest = Vec::new();
        soon(backend.read_to_end(&mut rest)).await.unwrap();
        assert_eq!(rest, b"x and more");
    }
}

/// The resident memory of this process, in bytes.
#[cfg(target_os = "linux")]
fn resident() -> usize {
    let status = std::fs::read_to_string("/proc/self/statm").unwrap();
    status.split(' ').nth(1).unwrap().parse::<usize>().unwrap() * 4096
}

#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread")]
async fn much_data_in_little_memory() {
    const PIECES: usize = 1024;
    let lab = Lab::new();
    let proxy = lab.start(&lab.server(echo().await, "")).await;
    for which in BOTH {
        let stream = lab.connect(which, proxy.addresses()[0]).await;
        let (mut read, mut write) = tokio::io::split(stream);
        // 64 MiB, of which every piece is another one.
        let before = resident();
        let writing = tokio::spawn(async move {
            let mut piece = vec![0; 64 << 10];
            for i in 0..PIECES {
                piece.fill(i as u8);
                piece[..8].copy_from_slice(&i.to_be_bytes());
                write.write_all(&piece).await.unwrap();
            }
            write.shutdown().await.unwrap();
        });
        let mut piece = vec![0; 64 << 10];
        let mut most = 0;
        for i in 0..PIECES {
            soon(read.read_exact(&mut piece)).await.unwrap();
            assert_eq!(piece[..8], i.to_be_bytes());
            assert!(piece[8..].iter().all(|byte| *byte == i as u8), "{which:?}");
            most = most.max(resident());
        }
        assert_eq!(soon(read.read(&mut piece)).await.unwrap(), 0);
        writing.await.unwrap();
        // Other tests run meanwhile in this process.
        assert!(most < before + (48 << 20), "{which:?}: {before} to {most}");
    }
}

/// A client that does not read what the backend sends holds it up: nothing is kept for it.
#[tokio::test(flavor = "multi_thread")]
async fn who_does_not_read_holds_up_the_backend() {
    let lab = Lab::new();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let proxy = lab
        .start(&lab.server(listener.local_addr().unwrap(), ""))
        .await;
    for which in BOTH {
        let mut stream = lab.connect(which, proxy.addresses()[0]).await;
        let (mut backend, _) = soon(listener.accept()).await.unwrap();
        let piece = vec![7; 1 << 20];
        let mut sent = 0;
        while sent < 256 {
            let sending = backend.write_all(&piece);
            match tokio::time::timeout(Duration::from_millis(500), sending).await {
                Ok(result) => result.unwrap(),
                Err(_) => break,
            }
            sent += 1;
        }
        assert!(sent < 256, "{which:?}: all was taken");
        let mut some = vec![0; 1 << 20];
        soon(stream.read_exact(&mut some)).await.unwrap();
        assert_eq!(some, piece);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn hundreds_of_connections_at_once() {
    const EACH: usize = 150;
    let lab = Arc::new(Lab::new());
    let proxy = lab.start(&lab.server(echo().await, "")).await;
    let address = proxy.addresses()[0];
    let mut open = Vec::new();
    for i in 0..2 * EACH {
        let which = if i % 2 == 0 { Which::Tlcp } else { Which::Tls };
        let mut stream = lab.connect(which, address).await;
        exchange(&mut stream, &format!("connection {i}")).await;
        open.push(stream);
    }
    assert_eq!(metric(&proxy, &["_active{"]), 2 * EACH as u64);
    let all = open.into_iter().enumerate().map(|(i, mut stream)| {
        tokio::spawn(async move { say(&mut stream, &format!("again {i}")).await })
    });
    for one in all.collect::<Vec<_>>() {
        one.await.unwrap();
    }
    until_metric(&proxy, &["_active{"], 0).await;
    assert_eq!(
        metric(&proxy, &["closed_total", "reason=\"closed\""]),
        2 * EACH as u64
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn the_backend_is_told_the_address() {
    let lab = Lab::new();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let more = "proxy_protocol = true";
    let proxy = lab
        .start(&lab.server(listener.local_addr().unwrap(), more))
        .await;
    let _stream = lab.connect(Which::Tlcp, proxy.addresses()[0]).await;
    let (mut backend, _) = soon(listener.accept()).await.unwrap();
    let mut header = [0; 28];
    soon(backend.read_exact(&mut header)).await.unwrap();
    assert_eq!(
        header[12..24],
        [0x21, 0x11, 0, 12, 127, 0, 0, 1, 127, 0, 0, 1]
    );
    assert_eq!(header[26..], proxy.addresses()[0].port().to_be_bytes());
}

/// A pair whose signing certificate is for non-repudiation alone is for TLCP, and not for TLS.
#[tokio::test(flavor = "multi_thread")]
async fn a_pair_for_tlcp_alone() {
    use kuaimi::encoding::{EncodePrivateKey as _, LineEnding};
    use kuaimi_pki::extensions::Purpose;
    use kuaimi_pki::external::x509_cert::ext::pkix::{KeyUsage, KeyUsages};

    let lab = Lab::new();
    let holder = lab.issue_with("localhost", Purpose::Signing, |builder| {
        let usage = KeyUsage(KeyUsages::NonRepudiation.into());
        builder.extensions().set(true, &usage).unwrap();
    });
    lab.write("sign.crt", holder.certificate.to_pem());
    let key = holder.key.to_pkcs8_pem(LineEnding::LF).unwrap();
    lab.write("sign.pem", &key);
    let proxy = lab.start(&lab.server(echo().await, "")).await;
    let address = proxy.addresses()[0];
    say(&mut lab.connect(Which::Tlcp, address).await, "a").await;
    assert!(lab.try_connect(Which::Tls, address, false).await.is_err());
    assert_eq!(metric(&proxy, &["reason=\"no_certificate\""]), 1);
}
