//! Clients and backends that do not do what they should.

use std::io::ErrorKind;
use std::time::Duration;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};

use crate::common::{BOTH, Lab, Which, echo, exchange, metric, say, soon, until_metric};

#[tokio::test(flavor = "multi_thread")]
async fn plain_http_gets_an_answer() {
    let lab = Lab::new();
    let proxy = lab.start(&lab.server(echo().await, "")).await;
    let mut socket = TcpStream::connect(proxy.addresses()[0]).await.unwrap();
    socket.write_all(b"GET").await.unwrap();
    let mut answer = String::new();
    soon(socket.read_to_string(&mut answer)).await.unwrap();
    assert!(answer.starts_with("HTTP/1.1 400 "), "{answer}");
    assert_eq!(metric(&proxy, &["reason=\"plain_http\""]), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_no_handshake_is_closed() {
    let lab = Lab::new();
    let proxy = lab.start(&lab.server(echo().await, "")).await;
    let cases: [(&[u8], &str); 7] = [
        (b"\0\0\0\0\0", "not_tls"),
        (b"SSH-2.0-x\r\n", "not_tls"),
        (b"\xff", "not_tls"),
        // Records of either protocol with rubbish in them.
        (&[22, 1, 1, 0, 5, 9, 9, 9, 9, 9], "protocol"),
        (&[22, 3, 1, 0, 5, 9, 9, 9, 9, 9], "protocol"),
        (&[23, 1, 1, 0, 1, 0], "protocol"),
        (&[21, 1, 1, 0, 2, 2, 40], "alert"),
    ];
    for (bytes, reason) in cases {
        let label = format!("reason=\"{reason}\"");
        let before = metric(&proxy, &["handshake_failures_total", &label]);
        let mut socket = TcpStream::connect(proxy.addresses()[0]).await.unwrap();
        socket.write_all(bytes).await.unwrap();
        let mut answer = Vec::new();
        // An alert, or nothing; a reset where more was sent than was read.
        let _reset = soon(socket.read_to_end(&mut answer)).await;
        assert!(answer.len() < 100, "{bytes:?}");
        until_metric(&proxy, &["handshake_failures_total", &label], before + 1).await;
    }
    // It goes on.
    for which in BOTH {
        say(&mut lab.connect(which, proxy.addresses()[0]).await, "a").await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_handshake_that_stops_is_closed() {
    let lab = Lab::new();
    let more = "[server.limits]\nhandshake_seconds = 1";
    let proxy = lab.start(&lab.server(echo().await, more)).await;
    // Hellos whose rest does not come, from nothing to most of one.
    let tlcp = [22, 1, 1, 0, 100, 1, 0, 0, 96, 1, 1];
    let tls = [22, 3, 1, 0, 100, 1, 0, 0, 96, 3, 3];
    let pieces = [
        &[][..],
        &tlcp[..1],
        &tlcp[..2],
        &tlcp[..5],
        &tlcp,
        &tls[..3],
        &tls,
    ];
    for piece in pieces {
        let mut socket = TcpStream::connect(proxy.addresses()[0]).await.unwrap();
        socket.write_all(piece).await.unwrap();
        let mut answer = Vec::new();
        let _reset = soon(socket.read_to_end(&mut answer)).await;
        assert_eq!(answer, b"");
    }
    let count = metric(&proxy, &["handshake_failures_total", "reason=\"timeout\""]);
    assert_eq!(count, pieces.len() as u64);
    until_metric(&proxy, &["_active{"], 0).await;
}

/// Whatever part of a hello comes before the end, the connection ends with it.
#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_leaves() {
    let lab = Lab::new();
    let proxy = lab.start(&lab.server(echo().await, "")).await;
    for count in 0..6 {
        let mut socket = TcpStream::connect(proxy.addresses()[0]).await.unwrap();
        socket
            .write_all(&[22, 1, 1, 0, 100, 1][..count])
            .await
            .unwrap();
        drop(socket);
    }
    until_metric(
        &proxy,
        &["handshake_failures_total", "reason=\"closed\""],
        6,
    )
    .await;
    until_metric(&proxy, &["_active{"], 0).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_backend_that_is_down() {
    let lab = Lab::new();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let to = listener.local_addr().unwrap();
    drop(listener);
    let proxy = lab.start(&lab.server(to, "")).await;
    for which in BOTH {
        let mut stream = lab.connect(which, proxy.addresses()[0]).await;
        let mut answer = Vec::new();
        // Not an end as of an empty answer.
        let error = soon(stream.read_to_end(&mut answer)).await.unwrap_err();
        let kinds = [ErrorKind::UnexpectedEof, ErrorKind::ConnectionReset];
        assert!(kinds.contains(&error.kind()), "{error:?}");
    }
    assert_eq!(metric(&proxy, &["backend_failures_total"]), 2);
}

/// A backend that breaks off in the middle of an answer must not look as if that were all of it.
#[tokio::test(flavor = "multi_thread")]
async fn a_backend_that_breaks_off() {
    let lab = Lab::new();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let proxy = lab
        .start(&lab.server(listener.local_addr().unwrap(), ""))
        .await;
    for which in BOTH {
        let mut stream = lab.connect(which, proxy.addresses()[0]).await;
        let (mut backend, _) = soon(listener.accept()).await.unwrap();
        backend.write_all(b"half").await.unwrap();
        let mut half = [0; 4];
        soon(stream.read_exact(&mut half)).await.unwrap();
        backend.set_zero_linger().unwrap();
        drop(backend);
        let error = soon(stream.read_to_end(&mut Vec::new())).await.unwrap_err();
        let kinds = [ErrorKind::UnexpectedEof, ErrorKind::ConnectionReset];
        assert!(kinds.contains(&error.kind()), "{which:?} {error:?}");
    }
    until_metric(&proxy, &["closed_total", "reason=\"plain_failed\""], 2).await;
}

/// A connection that is cut off without close_notify is a reset for the backend, and no end.
#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_is_cut_off() {
    let lab = Lab::new();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let proxy = lab
        .start(&lab.server(listener.local_addr().unwrap(), ""))
        .await;
    for which in BOTH {
        let mut stream = lab.connect(which, proxy.addresses()[0]).await;
        stream.write_all(b"half").await.unwrap();
        stream.flush().await.unwrap();
        let (mut backend, _) = soon(listener.accept()).await.unwrap();
        let mut half = [0; 4];
        soon(backend.read_exact(&mut half)).await.unwrap();
        drop(stream);
        let error = soon(backend.read_to_end(&mut Vec::new()))
            .await
            .unwrap_err();
        assert_eq!(error.kind(), ErrorKind::ConnectionReset, "{which:?}");
    }
    until_metric(&proxy, &["closed_total", "reason=\"secured_failed\""], 2).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn silence_is_closed() {
    let lab = Lab::new();
    let more = "[server.limits]\nidle_seconds = 1";
    let proxy = lab.start(&lab.server(echo().await, more)).await;
    for which in BOTH {
        let mut stream = lab.connect(which, proxy.addresses()[0]).await;
        // What goes on stays open.
        for _ in 0..5 {
            tokio::time::sleep(Duration::from_millis(400)).await;
            exchange(&mut stream, "a").await;
        }
        let error = soon(stream.read_to_end(&mut Vec::new())).await;
        assert!(error.is_err(), "{which:?}");
    }
    until_metric(&proxy, &["closed_total", "reason=\"idle\""], 2).await;
}

/// One that has ended, while the other side does not.
#[tokio::test(flavor = "multi_thread")]
async fn half_an_end_and_silence_is_closed() {
    let lab = Lab::new();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let more = "[server.limits]\nidle_seconds = 1";
    let proxy = lab
        .start(&lab.server(listener.local_addr().unwrap(), more))
        .await;
    let mut stream = lab.connect(Which::Tls, proxy.addresses()[0]).await;
    let (_backend, _) = soon(listener.accept()).await.unwrap();
    stream.shutdown().await.unwrap();
    until_metric(&proxy, &["closed_total", "reason=\"idle\""], 1).await;
}
