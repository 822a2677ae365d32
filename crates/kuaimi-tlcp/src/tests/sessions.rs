//! Sessions: when they are resumed, and when they must not be.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::common::{HOST, Holder, Lab, Travel, connect, host, now, run};
use super::faults::{Sent, edit};
use crate::message::server_hello::ServerHello;
use crate::message::{encode, kind};
use crate::record::content;
use crate::{
    AlertDescription as A, CipherSuite, ClientAuth, ClientConfig, Connection, Error, ServerConfig,
    SessionCache, SessionStore,
};

/// A handshake: whether the session was resumed.
fn resumes(client: &Arc<ClientConfig>, server: &Arc<ServerConfig>) -> bool {
    let mut c = connect(client);
    let mut s = Connection::server(Arc::clone(server));
    assert_eq!(run(&mut c, &mut s, Travel::Whole), [None, None]);
    assert_eq!(c.is_resumed(), s.is_resumed());
    assert_eq!(c.peer_certificates().len(), 2);
    c.is_resumed()
}

struct World {
    client: ClientConfig,
    server: ServerConfig,
}

/// Configurations that share their stores with their clones.
fn world() -> World {
    let lab = Lab::get();
    World {
        client: ClientConfig::new(lab.trust()).identity(lab.client()),
        server: ServerConfig::new(lab.server()).client_auth(ClientAuth::Optional(lab.trust())),
    }
}

#[test]
fn under_other_configurations_there_is_a_full_handshake() {
    let lab = Lab::get();
    let other_root = Holder::root("Another Root");
    let both =
        crate::Trust::new(&[lab.root.certificate.clone(), other_root.certificate.clone()]).unwrap();
    let another = lab.root.pair("another server", Some(HOST)).identity(&[]);
    type Edit = Box<dyn Fn(World) -> World>;
    let (trust, identity) = (both.clone(), another.clone());
    let edits: [(&str, bool, Edit); 9] = [
        ("nothing", true, Box::new(|world| world)),
        (
            "whom the client trusts",
            false,
            Box::new(move |w| World {
                client: {
                    let mut c = w.client;
                    c.trust = both.clone();
                    c
                },
                ..w
            }),
        ),
        (
            "whom the server trusts",
            false,
            Box::new(move |w| World {
                server: w.server.client_auth(ClientAuth::Optional(trust.clone())),
                ..w
            }),
        ),
        (
            "that clients are asked for",
            false,
            Box::new(|w| World {
                server: w.server.client_auth(ClientAuth::None),
                ..w
            }),
        ),
        (
            "the server's certificates",
            false,
            Box::new(move |w| World {
                server: {
                    let mut s = ServerConfig::new(identity.clone())
                        .client_auth(w.server.client_auth.clone());
                    s.common = w.server.common;
                    s
                },
                ..w
            }),
        ),
        (
            "the client's suites",
            false,
            Box::new(|w| World {
                client: w.client.suites(&[CipherSuite::EccSm4CbcSm3]).unwrap(),
                ..w
            }),
        ),
        (
            "the server's suites",
            false,
            Box::new(|w| World {
                server: w.server.suites(&[CipherSuite::EccSm4CbcSm3]).unwrap(),
                ..w
            }),
        ),
        (
            "the client's store",
            false,
            Box::new(|w| World {
                client: w.client.sessions(None),
                ..w
            }),
        ),
        (
            "the server's store",
            false,
            Box::new(|w| World {
                server: w.server.sessions(Some(Arc::new(SessionCache::new(1)))),
                ..w
            }),
        ),
    ];
    for (what, expected, edit) in edits {
        let world = world();
        let (client, server) = (
            Arc::new(world.client.clone()),
            Arc::new(world.server.clone()),
        );
        assert!(!resumes(&client, &server), "{what}");
        assert!(resumes(&client, &server), "{what}");
        let other = edit(World {
            client: (*client).clone(),
            server: (*server).clone(),
        });
        let (client, server) = (Arc::new(other.client), Arc::new(other.server));
        assert_eq!(resumes(&client, &server), expected, "{what}");
    }
}

#[test]
fn a_session_ends() {
    let lab = Lab::get();
    let time = Arc::new(AtomicU64::new(now()));
    let clock = |time: &Arc<AtomicU64>| {
        let time = Arc::clone(time);
        move || time.load(Ordering::Relaxed)
    };
    let client = ClientConfig::new(lab.trust())
        .clock(clock(&time))
        .session_seconds(100);
    let server = ServerConfig::new(lab.server())
        .clock(clock(&time))
        .session_seconds(50);
    let (client, server) = (Arc::new(client), Arc::new(server));
    assert!(!resumes(&client, &server));
    time.fetch_add(49, Ordering::Relaxed);
    assert!(
        resumes(&client, &server),
        "a resumed session does not begin anew"
    );
    time.fetch_add(1, Ordering::Relaxed);
    assert!(!resumes(&client, &server), "the server's end");

    // The certificates' end comes first.
    let short = lab.root.issue_with(
        "short",
        kuaimi_pki::extensions::Purpose::Signing,
        Some(HOST),
        |_| {
            let key = super::common::key("short Signing");
            let mut builder = kuaimi_pki::certificate::CertificateBuilder::new(
                kuaimi_pki::name::parse("CN=short").unwrap(),
                key.public_key(),
                super::common::validity(1, 0),
            )
            .purpose(kuaimi_pki::extensions::Purpose::Signing)
            .and_then(|builder| builder.serial(&[9]))
            .unwrap();
            builder.extensions().dns(HOST).unwrap();
            builder
        },
    );
    let pair = super::common::Pair {
        signing: short,
        encrypting: lab.server.encrypting.clone(),
    };
    let start = now() - 1000;
    let cache = Arc::new(SessionCache::new(9));
    let client = ClientConfig::new(lab.trust())
        .clock(move || start)
        .sessions(Some(Arc::clone(&cache) as Arc<dyn SessionStore>));
    resumes(
        &Arc::new(client),
        &Arc::new(ServerConfig::new(pair.identity(&[]))),
    );
    let session = cache.get(HOST.as_bytes()).unwrap();
    assert!(session.expires() <= now() + 1, "{}", session.expires());
}

#[test]
fn a_session_is_the_servers_of_that_name() {
    let lab = Lab::get();
    let world = world();
    let (client, server) = (Arc::new(world.client), Arc::new(world.server));
    assert!(!resumes(&client, &server));
    // A client that asks for another name, with the session of the first.
    let session = client
        .common
        .sessions
        .as_ref()
        .unwrap()
        .get(HOST.as_bytes())
        .unwrap();
    let other = lab.root.pair("other", Some("other.example")).identity(&[]);
    let server = Arc::new((*server).clone().identity_for("Other.Example", other));
    let store = client.common.sessions.as_ref().unwrap();
    store.put(b"other.example", session);
    let name = kuaimi_pki::chain::PeerName::new("other.example").unwrap();
    let mut c = Connection::client(Arc::clone(&client), name).unwrap();
    let mut s = Connection::server(Arc::clone(&server));
    assert_eq!(run(&mut c, &mut s, Travel::Whole), [None, None]);
    assert!(!s.is_resumed());
    assert_eq!(s.server_name(), Some("other.example"));
    assert!(resumes(&client, &server), "the first is still there");
}

#[test]
fn a_session_whose_connection_failed_is_forgotten() {
    for by_client in [false, true] {
        let world = world();
        let (client, server) = (Arc::new(world.client), Arc::new(world.server));
        assert!(!resumes(&client, &server));
        let mut c = connect(&client);
        let mut s = Connection::server(Arc::clone(&server));
        assert_eq!(run(&mut c, &mut s, Travel::Whole), [None, None]);
        assert!(c.is_resumed());
        let failing = if by_client { &mut c } else { &mut s };
        failing
            .core()
            .send(content::HANDSHAKE, &encode(99, |_| {}))
            .unwrap();
        let outcome = run(&mut c, &mut s, Travel::Whole);
        assert!(outcome.iter().all(Option::is_some), "{outcome:?}");
        assert!(!resumes(&client, &server), "{by_client}");
    }
    // An end without a fatal alert changes nothing.
    let world = world();
    let (client, server) = (Arc::new(world.client), Arc::new(world.server));
    let mut c = connect(&client);
    let mut s = Connection::server(Arc::clone(&server));
    assert_eq!(run(&mut c, &mut s, Travel::Whole), [None, None]);
    c.send_close_notify();
    assert_eq!(run(&mut c, &mut s, Travel::Whole), [None, None]);
    assert!(resumes(&client, &server));
}

#[test]
fn a_server_that_resumes_with_another_suite_is_refused() {
    let world = world();
    let (client, server) = (Arc::new(world.client), Arc::new(world.server));
    assert!(!resumes(&client, &server));
    let mut c = connect(&client);
    let mut s = Connection::server(server);
    s.core().fault = Some(edit(kind::SERVER_HELLO, |message| {
        let mut hello = ServerHello::read(&message[4..]).unwrap();
        hello.suite = CipherSuite::EccSm4CbcSm3.number();
        vec![Sent::Message(hello.encode())]
    }));
    let [error, told] = run(&mut c, &mut s, Travel::Whole);
    assert_eq!(
        error,
        Some(Error::IllegalParameter("another suite than the session's"))
    );
    assert_eq!(told, Some(Error::AlertReceived(A::ILLEGAL_PARAMETER)));
}

#[test]
fn a_server_that_made_the_identifier_up_has_no_keys() {
    let world = world();
    let client = Arc::new(world.client);
    assert!(!resumes(&client, &Arc::new(world.server)));
    // Another server, which sends the identifier back that the client offers.
    let mut c = connect(&client);
    let mut hello = Vec::new();
    c.write_tls(&mut hello).unwrap();
    let id = crate::message::client_hello::ClientHello::read(&hello[9..])
        .unwrap()
        .session_id;
    assert_eq!(id.len(), 32);
    let lab = Lab::get();
    let mut s = Connection::server(Arc::new(
        ServerConfig::new(lab.server()).client_auth(ClientAuth::Optional(lab.trust())),
    ));
    s.core().fault = Some(edit(kind::SERVER_HELLO, move |message| {
        let mut hello = ServerHello::read(&message[4..]).unwrap();
        hello.session_id = id.clone();
        vec![Sent::Message(hello.encode())]
    }));
    super::common::give(&mut s, &hello, Travel::Whole).unwrap();
    let [error, _] = run(&mut c, &mut s, Travel::Whole);
    assert_eq!(
        error,
        Some(Error::UnexpectedMessage("ChangeCipherSpec", "Certificate"))
    );
    assert_eq!(host().to_string(), HOST);
}

#[test]
fn the_cache_keeps_the_last_ones() {
    let world = world();
    let client = Arc::new(world.client);
    resumes(&client, &Arc::new(world.server));
    let session = client
        .common
        .sessions
        .as_ref()
        .unwrap()
        .get(HOST.as_bytes())
        .unwrap();
    let cache = SessionCache::new(2);
    for key in [b"a", b"b", b"c"] {
        cache.put(key, session.clone());
    }
    assert!(cache.get(b"a").is_none() && cache.get(b"b").is_some() && cache.get(b"c").is_some());
    cache.remove(b"b");
    assert!(cache.get(b"b").is_none());
    for shown in [format!("{cache:?}"), format!("{session:?}")] {
        assert!(!shown.contains("master"), "{shown}");
    }
}
