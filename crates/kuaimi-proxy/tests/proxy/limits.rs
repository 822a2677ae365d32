//! Limits, metrics and health, and the end.

use std::time::Duration;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use crate::common::{BOTH, Lab, Which, echo, exchange, metric, say, soon, until_metric};

#[tokio::test(flavor = "multi_thread")]
async fn the_most_connections() {
    let lab = Lab::new();
    let more = "[server.limits]\nmax_connections = 3";
    let proxy = lab.start(&lab.server(echo().await, more)).await;
    let address = proxy.addresses()[0];
    let mut open = Vec::new();
    for _ in 0..3 {
        open.push(lab.connect(Which::Tlcp, address).await);
    }
    for which in BOTH {
        assert!(lab.try_connect(which, address, false).await.is_err());
    }
    assert_eq!(
        metric(&proxy, &["refused_total", "reason=\"connections\""]),
        2
    );
    // Those that are open go on, and one that ends makes room.
    say(&mut open.remove(0), "a message").await;
    until_metric(&proxy, &["_active{"], 2).await;
    open.push(lab.connect(Which::Tls, address).await);
    for mut stream in open {
        say(&mut stream, "a message").await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_rate_of_an_address() {
    let lab = Lab::new();
    let more = "[server.limits]\nrate_per_address = 1\nrate_burst = 4";
    let proxy = lab.start(&lab.server(echo().await, more)).await;
    for _ in 0..20 {
        // Refused ones are reset, perhaps before they are seen here.
        let _socket = TcpStream::connect(proxy.addresses()[0]).await;
    }
    until_metric(&proxy, &["accepted_total"], 20).await;
    let refused = metric(&proxy, &["refused_total", "reason=\"rate\""]);
    // More on a machine that needs seconds for this.
    assert!((1..=16).contains(&refused), "{refused}");
}

#[tokio::test(flavor = "multi_thread")]
async fn connections_may_end_when_it_stops() {
    let lab = Lab::new();
    let proxy = lab.start(&lab.server(echo().await, "")).await;
    let address = proxy.addresses()[0];
    let mut streams = Vec::new();
    for which in BOTH {
        let mut stream = lab.connect(which, address).await;
        exchange(&mut stream, "before").await;
        streams.push(stream);
    }
    let stopping = tokio::spawn(proxy.stop());
    // Nobody is accepted any more.
    while TcpStream::connect(address).await.is_ok() {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    for mut stream in streams {
        say(&mut stream, "after").await;
    }
    assert_eq!(soon(stopping).await.unwrap(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn connections_that_do_not_end_are_closed() {
    let lab = Lab::new();
    let text = format!("drain_seconds = 1\n{}", lab.server(echo().await, ""));
    let proxy = lab.start(&text).await;
    let mut streams = Vec::new();
    for which in BOTH {
        let mut stream = lab.connect(which, proxy.addresses()[0]).await;
        exchange(&mut stream, "before").await;
        streams.push(stream);
    }
    // And one in its handshake.
    let mut silent = TcpStream::connect(proxy.addresses()[0]).await.unwrap();
    until_metric(&proxy, &["_active{"], 3).await;
    assert_eq!(soon(proxy.stop()).await, 3);
    for mut stream in streams {
        assert!(soon(stream.read_to_end(&mut Vec::new())).await.is_err());
    }
    let _reset = soon(silent.read_to_end(&mut Vec::new())).await;
}

/// The answer to a request of HTTP.
async fn get(to: std::net::SocketAddr, request: &str) -> String {
    let mut socket = TcpStream::connect(to).await.unwrap();
    let request = format!("{request} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n");
    socket.write_all(request.as_bytes()).await.unwrap();
    let mut answer = String::new();
    soon(socket.read_to_string(&mut answer)).await.unwrap();
    answer
}

#[tokio::test(flavor = "multi_thread")]
async fn metrics_and_health() {
    let lab = Lab::new();
    let text = format!(
        "admin = \"127.0.0.1:0\"\n{}",
        lab.server(echo().await, "name = \"web\"")
    );
    let proxy = lab.start(&text).await;
    let admin = proxy.admin_address().unwrap();
    let mut stream = lab.connect(Which::Tlcp, proxy.addresses()[0]).await;
    exchange(&mut stream, "a").await;
    for (request, status) in [
        ("GET /healthz", "200"),
        ("GET /readyz", "200"),
        ("GET /", "404"),
        ("POST /metrics", "405"),
    ] {
        let answer = get(admin, request).await;
        assert!(
            answer.starts_with(&format!("HTTP/1.1 {status} ")),
            "{answer}"
        );
    }
    let metrics = get(admin, "GET /metrics").await;
    for line in [
        "kuaimi_proxy_active{listener=\"web\"} 1\n",
        "kuaimi_proxy_accepted_total{listener=\"web\"} 1\n",
        "kuaimi_proxy_certificate_not_after_seconds{listener=\"web\",certificate=\"encrypting\"} ",
        "# EOF",
    ] {
        assert!(metrics.contains(line), "no {line} in {metrics}");
    }
    // While it stops it is not ready, but alive.
    let stopping = tokio::spawn(proxy.stop());
    while !get(admin, "GET /readyz").await.starts_with("HTTP/1.1 503 ") {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    assert!(
        get(admin, "GET /healthz")
            .await
            .starts_with("HTTP/1.1 200 ")
    );
    say(&mut stream, "b").await;
    soon(stopping).await.unwrap();
}
