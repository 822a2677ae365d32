//! New certificates and configurations while it runs.

use kuaimi_proxy::Error;
use tokio::net::TcpStream;

use crate::common::{BOTH, Lab, Which, echo, exchange, metric, say, soon};

#[tokio::test(flavor = "multi_thread")]
async fn new_certificates_for_new_connections() {
    let lab = Lab::new();
    let text = lab.server(echo().await, "");
    let mut proxy = lab.start(&text).await;
    let address = proxy.addresses()[0];
    let mut before = Vec::new();
    for which in BOTH {
        before.push(lab.connect(which, address).await);
    }
    // Of another authority, so that it is seen which ones are used.
    let new = Lab::new();
    for file in ["sign.crt", "sign.pem", "enc.crt", "enc.pem"] {
        lab.write(file, new.read(file));
    }
    proxy.reload(lab.config(&text)).await.unwrap();
    assert_eq!(proxy.addresses(), [address]);
    for which in BOTH {
        assert!(lab.try_connect(which, address, false).await.is_err());
        say(&mut new.connect(which, address).await, "new").await;
    }
    for mut stream in before {
        say(&mut stream, "old").await;
    }
    assert_eq!(metric(&proxy, &["reloads_total", "good"]), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_wrong_changes_nothing() {
    let lab = Lab::new();
    let text = lab.server(echo().await, "");
    let mut proxy = lab.start(&text).await;
    let address = proxy.addresses()[0];
    let mut open = lab.connect(Which::Tlcp, address).await;
    let (certificate, key) = (lab.read("sign.crt"), lab.read("sign.pem"));

    lab.write("sign.crt", "nothing");
    let error = proxy.reload(lab.config(&text)).await.unwrap_err();
    assert!(error.to_string().contains("sign.crt: "), "{error}");
    lab.write("sign.crt", &certificate);
    lab.write("sign.pem", lab.read("client-sign.pem"));
    let error = proxy.reload(lab.config(&text)).await.unwrap_err();
    assert!(error.to_string().contains("another key"), "{error}");
    lab.write("sign.pem", &key);
    std::fs::remove_file(lab.path("enc.crt")).unwrap();
    let error = proxy.reload(lab.config(&text)).await.unwrap_err();
    assert!(matches!(error, Error::File(..)), "{error}");
    // Of a second listener, the address: the first one does not change either.
    lab.pair("", "localhost");
    let taken = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let second = taken.local_addr().unwrap().to_string();
    let second = text.replace("127.0.0.1:0\"", &format!("{second}\""));
    let error = proxy.reload(lab.config(&format!("{text}{second}"))).await;
    assert!(matches!(error, Err(Error::Listen(..))), "{error:?}");

    assert_eq!(metric(&proxy, &["reloads_total", "failed"]), 4);
    exchange(&mut open, "still").await;
    for which in BOTH {
        say(&mut lab.connect(which, address).await, "as before").await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn listeners_come_and_go() {
    let lab = Lab::new();
    let port = || {
        let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        free.local_addr().unwrap()
    };
    let (one, other) = (port(), port());
    let to = echo().await;
    let text = |address| {
        lab.server(to, "")
            .replace("127.0.0.1:0", &format!("{address}"))
    };
    let mut proxy = lab.start(&text(one)).await;
    let mut open = lab.connect(Which::Tls, one).await;
    exchange(&mut open, "before").await;

    proxy
        .reload(lab.config(&format!("{}{}", text(one), text(other))))
        .await
        .unwrap();
    assert_eq!(proxy.addresses(), [one, other]);
    say(&mut lab.connect(Which::Tlcp, other).await, "second").await;

    proxy.reload(lab.config(&text(other))).await.unwrap();
    assert_eq!(proxy.addresses(), [other]);
    while TcpStream::connect(one).await.is_ok() {
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
    say(&mut lab.connect(Which::Tlcp, other).await, "second").await;
    // What was accepted at the first goes on.
    say(&mut open, "after").await;
    soon(proxy.stop()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn another_backend_and_other_limits() {
    let lab = Lab::new();
    let mut proxy = lab.start(&lab.server(echo().await, "")).await;
    let address = proxy.addresses()[0];
    let mut open = lab.connect(Which::Tlcp, address).await;
    exchange(&mut open, "before").await;
    let more = "[server.limits]\nmax_connections = 1";
    let config = lab.config(&lab.server("127.0.0.1:1".parse().unwrap(), more));
    proxy.reload(config).await.unwrap();
    // The old connection counts for the new limit.
    assert!(lab.try_connect(Which::Tlcp, address, false).await.is_err());
    say(&mut open, "after").await;
    crate::common::until_metric(&proxy, &["_active{"], 0).await;
    let _stream = lab.connect(Which::Tlcp, address).await;
    crate::common::until_metric(&proxy, &["backend_failures_total"], 1).await;
}
