//! Handshakes a second, and megabytes a second, of both sides together on one thread:
//! `cargo run --release -p kuaimi-tlcp --example bench`. With a folder as an argument, it writes
//! the certificates and keys there first, for other programs: `scripts/tls-bench`.

use std::io::{Read, Write};
use std::sync::Arc;
use std::time::{Duration, Instant};

#[path = "../tests/common/mod.rs"]
mod common;

use common::{Lab, Travel, carry, connect, run};
use kuaimi_tlcp::{CipherSuite, ClientAuth, KeyExchange, ServerConfig};
pub use kuaimi_tlcp::{ClientConfig, Connection, Error, Identity, Trust};

const TIME: Duration = Duration::from_secs(2);

/// How often `work` can be done in a second.
fn rate(mut work: impl FnMut()) -> f64 {
    work();
    let (start, mut count) = (Instant::now(), 0);
    while start.elapsed() < TIME {
        work();
        count += 1;
    }
    f64::from(count) / start.elapsed().as_secs_f64()
}

fn handshake(client: &Arc<ClientConfig>, server: &Arc<ServerConfig>) -> [Connection; 2] {
    let mut c = connect(client);
    let mut s = Connection::server(Arc::clone(server));
    assert_eq!(run(&mut c, &mut s, Travel::Whole), [None, None]);
    [c, s]
}

fn main() {
    println!("{}", kuaimi_tlcp::external::kuaimi::backend());
    println!("both sides on one thread; a side alone does about twice as much\n");
    println!("suite                  full/s   resumed/s    MB/s");
    let lab = Lab::get();
    if let Some(folder) = std::env::args_os().nth(1) {
        lab.write(folder.as_ref()).expect("a folder");
    }
    for suite in CipherSuite::ALL {
        let mut client = ClientConfig::new(lab.trust())
            .suites(&[suite])
            .expect("a suite");
        let mut server = ServerConfig::new(lab.server())
            .suites(&[suite])
            .expect("a suite");
        if suite.key_exchange() == KeyExchange::Ecdhe {
            client = client.identity(lab.client());
            server = server.client_auth(ClientAuth::Required(lab.trust()));
        }
        let (resuming, server) = (Arc::new(client.clone()), Arc::new(server));
        let full = Arc::new(client.sessions(None));
        let full_rate = rate(|| drop(handshake(&full, &server)));
        let resumed_rate = rate(|| drop(handshake(&resuming, &server)));

        let [mut c, mut s] = handshake(&resuming, &server);
        assert!(c.is_resumed());
        let (data, mut found) = (vec![7; 1 << 16], vec![0; 1 << 16]);
        let bulk = rate(|| {
            c.writer().write_all(&data).expect("there is room");
            carry(&mut c, &mut s, Travel::Whole).expect("an open connection");
            s.reader().read_exact(&mut found).expect("all of it");
        });
        let megabytes = bulk * data.len() as f64 / 1e6;
        println!(
            "{:20} {full_rate:8.0} {resumed_rate:11.0} {megabytes:7.0}",
            suite.name()
        );
    }
}
