//! Connections over sockets and over tokio: much data both ways, ends, and errors that reach both
//! sides.

#[path = "common/mod.rs"]
mod common;

use std::io::{ErrorKind, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::thread;

use common::{Holder, Lab, host};
use kuaimi_tlcp::{AlertDescription, CipherSuite, ClientAuth, ServerConfig, Stream};
pub use kuaimi_tlcp::{ClientConfig, Connection, Error, Identity, Trust};

const LENGTH: usize = 3 << 20;

fn data(seed: u32) -> Vec<u8> {
    (0..LENGTH as u32)
        .map(|i| (i.wrapping_mul(2_654_435_761) >> 24) as u8 ^ seed as u8)
        .collect()
}

/// Sockets on this machine.
fn sockets() -> [TcpStream; 2] {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let one = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
    let (other, _) = listener.accept().unwrap();
    [one, other]
}

fn configs(suite: CipherSuite) -> (Arc<ClientConfig>, Arc<ServerConfig>) {
    let lab = Lab::get();
    let client = ClientConfig::new(lab.trust())
        .identity(lab.client())
        .suites(&[suite])
        .unwrap();
    let server = ServerConfig::new(lab.server())
        .client_auth(ClientAuth::Required(lab.trust()))
        .suites(&[suite])
        .unwrap();
    (Arc::new(client), Arc::new(server))
}

#[test]
fn much_data_both_ways_over_sockets() {
    for suite in CipherSuite::ALL {
        let (client, server) = configs(suite);
        let [one, other] = sockets();
        let serving = thread::spawn(move || {
            let mut stream = Stream::new(Connection::server(server), other);
            let mut found = vec![0; LENGTH];
            stream.read_exact(&mut found).unwrap();
            assert!(found == data(1));
            stream.write_all(&data(2)).unwrap();
            assert_eq!(stream.read(&mut [0]).unwrap(), 0, "close_notify");
            stream.close().unwrap();
        });
        let mut stream = Stream::new(Connection::client(client, host()).unwrap(), one);
        stream.write_all(&data(1)).unwrap();
        let mut found = vec![0; LENGTH];
        stream.read_exact(&mut found).unwrap();
        assert!(found == data(2));
        stream.close().unwrap();
        assert_eq!(stream.read(&mut [0]).unwrap(), 0);
        assert_eq!(stream.connection().suite(), Some(suite));
        serving.join().unwrap();
    }
}

/// The library's error inside of an error of a stream.
fn inner(error: &std::io::Error) -> Option<Error> {
    error.get_ref()?.downcast_ref().cloned()
}

#[test]
fn an_error_reaches_both_sides_of_a_socket() {
    let stranger = Holder::root("Stranger");
    let trust = Trust::new(&[stranger.certificate]).unwrap();
    let client = Arc::new(ClientConfig::new(trust));
    let server = Arc::new(ServerConfig::new(Lab::get().server()));
    let [one, other] = sockets();
    let serving = thread::spawn(move || {
        let mut stream = Stream::new(Connection::server(server), other);
        stream.handshake().unwrap_err()
    });
    let mut stream = Stream::new(Connection::client(client, host()).unwrap(), one);
    let error = stream.write_all(b"secret").unwrap_err();
    assert!(
        matches!(inner(&error), Some(Error::Certificate(..))),
        "{error}"
    );
    assert_eq!(error.kind(), ErrorKind::InvalidData);
    assert!(
        error
            .to_string()
            .contains("of which there is no certificate"),
        "{error}"
    );
    let error = serving.join().unwrap();
    assert_eq!(
        inner(&error),
        Some(Error::AlertReceived(AlertDescription::UNKNOWN_CA))
    );
    // Once and for all.
    assert!(stream.read(&mut [0]).is_err() && stream.write(b"secret").is_err());
}

#[test]
fn a_socket_that_ends_early_is_an_error() {
    let (client, server) = configs(CipherSuite::EccSm4GcmSm3);
    let [one, other] = sockets();
    let serving = thread::spawn(move || {
        let mut stream = Stream::new(Connection::server(server), other);
        stream.write_all(b"half of it").unwrap();
        // Dropped without close_notify.
    });
    let mut stream = Stream::new(Connection::client(client, host()).unwrap(), one);
    let mut all = Vec::new();
    let error = stream.read_to_end(&mut all).unwrap_err();
    serving.join().unwrap();
    assert_eq!(
        (error.kind(), &all[..]),
        (ErrorKind::UnexpectedEof, &b"half of it"[..])
    );
}

#[cfg(feature = "tokio")]
mod over_tokio {
    use kuaimi_tlcp::tokio::Stream;
    use tokio::io::{AsyncReadExt, AsyncWriteExt, duplex};

    use super::*;

    #[tokio::test]
    async fn much_data_both_ways() {
        for suite in CipherSuite::ALL {
            // The smallest pipe has every call wait.
            for size in [5000, 1 << 20] {
                let (client, server) = configs(suite);
                let (one, other) = duplex(size);
                let serving = tokio::spawn(async move {
                    let stream = Stream::accept(server, other).await.unwrap();
                    let (mut reader, mut writer) = tokio::io::split(stream);
                    let count = tokio::io::copy(&mut reader, &mut writer).await.unwrap();
                    writer.shutdown().await.unwrap();
                    count
                });
                let stream = Stream::connect(client, host(), one).await.unwrap();
                assert_eq!(stream.connection().suite(), Some(suite));
                let (mut reader, mut writer) = tokio::io::split(stream);
                let sending = tokio::spawn(async move {
                    writer.write_all(&data(3)).await.unwrap();
                    writer.shutdown().await.unwrap();
                });
                let mut found = Vec::new();
                reader.read_to_end(&mut found).await.unwrap();
                assert!(found == data(3));
                sending.await.unwrap();
                assert_eq!(serving.await.unwrap(), LENGTH as u64);
            }
        }
    }

    #[tokio::test]
    async fn an_error_reaches_both_sides() {
        let trust = Trust::new(&[Holder::root("Stranger").certificate]).unwrap();
        let server = Arc::new(ServerConfig::new(Lab::get().server()));
        let (one, other) = duplex(1 << 16);
        let serving = tokio::spawn(Stream::accept(server, other));
        let client = Arc::new(ClientConfig::new(trust));
        let error = Stream::connect(client, host(), one).await.unwrap_err();
        assert!(
            matches!(inner(&error), Some(Error::Certificate(..))),
            "{error}"
        );
        let error = serving.await.unwrap().unwrap_err();
        assert_eq!(
            inner(&error),
            Some(Error::AlertReceived(AlertDescription::UNKNOWN_CA))
        );
    }

    #[tokio::test]
    async fn an_end_without_close_notify_is_an_error() {
        let (client, server) = configs(CipherSuite::EccSm4GcmSm3);
        let (one, other) = duplex(1 << 16);
        tokio::spawn(async move {
            let mut stream = Stream::accept(server, other).await.unwrap();
            stream.write_all(b"half").await.unwrap();
            stream.flush().await.unwrap();
        });
        let mut stream = Stream::connect(client, host(), one).await.unwrap();
        let mut all = Vec::new();
        let error = stream.read_to_end(&mut all).await.unwrap_err();
        assert_eq!(
            (error.kind(), &all[..]),
            (ErrorKind::UnexpectedEof, &b"half"[..])
        );
    }
}
