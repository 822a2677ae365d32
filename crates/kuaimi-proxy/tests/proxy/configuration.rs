//! Files and passwords, good ones and bad ones.

use kuaimi::encoding::read_private_key;
use kuaimi_pki::Certificate;
use kuaimi_pki::pkcs12::{Pkcs12, Profile};
use kuaimi_proxy::config::Config;
use kuaimi_proxy::{Error, Passwords, Proxy};

use crate::common::{BOTH, Lab, Which, echo, say};

#[test]
fn syntax_errors_have_their_line() {
    let good =
        "[[server]]\nlisten = \"127.0.0.1:1\"\nto = \"127.0.0.1:2\"\ncert = \"c\"\nkey = \"k\"\n";
    let read = |text: &str| Config::from_toml(text, "/etc/kuaimi/proxy.toml".as_ref());
    read(good).unwrap();
    for (text, line, word) in [
        (format!("{good}ca = \"x\"\n"), 6, "`ca`"),
        (format!("{good}enc-cert = \"x\"\n"), 6, "`enc-cert`"),
        (format!("logg = \"json\"\n{good}"), 1, "`logg`"),
        (format!("log = \"xml\"\n{good}"), 1, "`xml`"),
        (
            format!("{good}[server.limits]\nmax_conn = 1\n"),
            7,
            "`max_conn`",
        ),
        (
            format!("{good}[server.limits]\nmax_connections = \"1\"\n"),
            7,
            "string",
        ),
        (format!("{good}name = \n"), 6, ""),
        (format!("{good}[[servers]]\n"), 6, "`servers`"),
        (good.replace("to = \"127.0.0.1:2\"\n", ""), 1, "`to`"),
    ] {
        let error = read(&text).unwrap_err();
        let Error::Syntax(_, _) = error else {
            panic!("{error:?}");
        };
        let shown = error.to_string();
        let start = format!("/etc/kuaimi/proxy.toml: line {line}: ");
        assert!(
            shown.starts_with(&start) && shown.contains(word),
            "{text}{shown}"
        );
        assert!(!shown.contains('\n'), "{shown}");
    }
}

#[test]
fn what_does_not_fit_is_named() {
    let server = "[[server]]\nlisten = \"127.0.0.1:1\"\nto = \"127.0.0.1:2\"\n";
    let client = "[[client]]\nlisten = \"127.0.0.1:1\"\nconnect = \"a.example:2\"\n";
    let keys = "cert = \"c\"\nkey = \"k\"\n";
    for (text, words) in [
        (String::new(), "has no listener"),
        (server.to_owned(), "has no certificate"),
        (format!("{server}cert = \"c\""), "cert: needs key"),
        (
            format!("{server}{keys}enc_key = \"c\""),
            "enc_cert and enc_key",
        ),
        (
            format!("{server}{keys}tls_key = \"c\""),
            "tls_cert and tls_key",
        ),
        (
            format!("{server}{keys}client_optional = true"),
            "needs client_ca",
        ),
        (format!("{server}{keys}{server}{keys}"), "two listeners"),
        (
            format!("{server}{keys}limits = {{ idle_seconds = 0 }}"),
            "between 1 and",
        ),
        (
            format!("{server}{keys}limits = {{ max_connections = 0 }}"),
            "max_connections",
        ),
        (
            format!("{server}{keys}limits = {{ rate_burst = 0 }}"),
            "rate_burst",
        ),
        (
            format!("drain_seconds = 100000\n{server}{keys}"),
            "drain_seconds",
        ),
        (
            format!("{server}{keys}password_env = \"A\"\npassword_file = \"b\""),
            "give one of them",
        ),
        (client.to_owned(), "has no ca"),
        (
            format!("{client}ca = \"x\"\ndangerous_accept_any_server = true"),
            "contradict",
        ),
    ] {
        let error = Config::from_toml(&text, "p.toml".as_ref()).unwrap_err();
        assert!(matches!(error, Error::Config(..)), "{error:?}");
        assert!(error.to_string().contains(words), "{error}");
    }
    for address in ["", "127.0.0.1", ":1", "::1:443", "a:b", "a:70000", "a:1\n"] {
        let text = server.replace("127.0.0.1:2", &address.escape_default().to_string());
        let error = Config::from_toml(&format!("{text}{keys}"), "p.toml".as_ref());
        let error = error.unwrap_err().to_string();
        assert!(
            error.contains("to: ") && !error.contains('\n'),
            "{address:?} {error}"
        );
    }
}

#[test]
fn names_of_files_are_relative_to_the_configuration() {
    let lab = Lab::new();
    let config = lab.config(&lab.server("127.0.0.1:1".parse().unwrap(), "client_ca = \"/ca\""));
    assert_eq!(
        config.servers[0].key.as_deref(),
        Some(lab.folder().join("sign.pem").as_path())
    );
    assert_eq!(config.servers[0].client_ca.as_deref(), Some("/ca".as_ref()));
}

#[tokio::test(flavor = "multi_thread")]
async fn keys_under_a_password() {
    let lab = Lab::new();
    lab.encrypt_keys(b"a password");
    lab.write("password", "a password\nanother line\n");
    lab.write("wrong", "wrong\n");
    let to = echo().await;
    let secret = lab
        .server(to, "")
        .replace("sign.pem", "sign.secret")
        .replace("enc.pem", "enc.secret");
    let with = |more: &str| lab.config(&format!("{secret}{more}"));
    // From a file.
    let config = with("password_file = \"password\"");
    let proxy = Proxy::start(config, Passwords::default()).await.unwrap();
    say(
        &mut lab.connect(Which::Tlcp, proxy.addresses()[0]).await,
        "a",
    )
    .await;
    // Asked for, once for each file and not again by a reload.
    let asked = std::sync::Arc::new(std::sync::Mutex::new(Vec::new()));
    let asking = std::sync::Arc::clone(&asked);
    let passwords = Passwords::ask(move |path| {
        asking.lock().unwrap().push(path.to_owned());
        Ok(b"a password".to_vec().into())
    });
    let mut proxy = Proxy::start(with(""), passwords).await.unwrap();
    proxy.reload(with("")).await.unwrap();
    for which in BOTH {
        say(&mut lab.connect(which, proxy.addresses()[0]).await, "a").await;
    }
    assert_eq!(
        *asked.lock().unwrap(),
        [lab.path("sign.secret"), lab.path("enc.secret")]
    );
    // Passwords that are missing, and wrong ones.
    for (config, words) in [
        (with(""), "is under a password"),
        (
            with("password_env = \"KUAIMI_NOT_THERE\""),
            "KUAIMI_NOT_THERE",
        ),
        (with("password_file = \"wrong\""), "sign.secret: "),
        (with("password_file = \"nowhere\""), "nowhere: cannot read"),
    ] {
        let error = Proxy::start(config, Passwords::default())
            .await
            .unwrap_err();
        let error = error.to_string();
        assert!(error.contains(words), "{error}");
        assert!(!error.contains("a password\n"), "{error}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn both_pairs_in_pkcs12() {
    let lab = Lab::new();
    let mut store = Pkcs12::new();
    for half in ["enc", "sign"] {
        let (key, _) = read_private_key(&lab.read(&format!("{half}.pem")), None).unwrap();
        let own = Certificate::read_all(&lab.read(&format!("{half}.crt"))).unwrap();
        store.push_identity(&key, &own[0], Some(half)).unwrap();
    }
    let der = store
        .to_der("a password", Profile::ShangMi, &mut getrandom::SysRng)
        .unwrap();
    lab.write("pair.p12", &der);
    lab.write("password", "a password");
    let to = echo().await;
    let text = format!(
        "[[server]]\nlisten = \"127.0.0.1:0\"\nto = \"{to}\"\nkey = \"pair.p12\"\n\
         password_file = \"password\"\n"
    );
    let proxy = lab.start(&text).await;
    for which in BOTH {
        say(&mut lab.connect(which, proxy.addresses()[0]).await, "a").await;
    }
    lab.write("password", "another");
    let error = Proxy::start(lab.config(&text), Passwords::default()).await;
    assert!(matches!(error, Err(Error::File(..))), "{error:?}");
    lab.write("pair.p12", lab.read("sign.pem"));
    let error = Proxy::start(lab.config(&text), Passwords::default()).await;
    assert!(error.unwrap_err().to_string().contains("is a key alone"));
}

#[tokio::test(flavor = "multi_thread")]
async fn files_that_are_something_else() {
    let lab = Lab::new();
    lab.ordinary();
    lab.write("empty", "");
    lab.write("large", vec![b'0'; 5 << 20]);
    lab.write(
        "two.crt",
        [lab.read("ca.crt"), lab.read("sign.crt")].concat(),
    );
    let to = echo().await;
    let text = lab.server(to, "");
    for (old, new, words) in [
        ("sign.crt", "nowhere", "nowhere: cannot read"),
        ("sign.crt", "empty", "empty: "),
        ("sign.crt", "large", "too large"),
        ("sign.crt", "sign.pem", "sign.pem: "),
        ("sign.crt", "client-sign.crt", "another key"),
        (
            "sign.crt",
            "two.crt",
            "certificate 2 of the file, which has to come first",
        ),
        ("sign.crt", "p256.crt", "no certificate of SM2"),
        ("sign.pem", "sign.crt", "sign.crt: "),
        ("sign.pem", "empty", "empty: "),
        ("sign.pem", "p256.pem", "p256.pem: "),
        ("enc.crt", "sign.crt", "another key"),
    ] {
        let config = lab.config(&text.replace(&format!("\"{old}\""), &format!("\"{new}\"")));
        let error = Proxy::start(config, Passwords::default())
            .await
            .unwrap_err();
        assert!(error.to_string().contains(words), "{old} {new}: {error}");
    }
    // The pair in the wrong order.
    let swapped = text
        .replace("\"sign.", "\"x.")
        .replace("\"enc.", "\"sign.")
        .replace("\"x.", "\"enc.");
    let error = Proxy::start(lab.config(&swapped), Passwords::default()).await;
    assert!(
        error
            .unwrap_err()
            .to_string()
            .contains("does not permit signatures")
    );
    // Ordinary ones.
    for (files, words) in [
        (
            "tls_cert = \"sign.crt\"\ntls_key = \"sign.pem\"",
            "is a certificate of SM2",
        ),
        (
            "tls_cert = \"p256.crt\"\ntls_key = \"sign.crt\"",
            "no private key",
        ),
        (
            "tls_cert = \"p256.crt\"\ntls_key = \"sign.pem\"",
            "sign.pem: ",
        ),
        ("client_ca = \"empty\"", "empty: "),
    ] {
        let config = lab.config(&lab.server(to, files));
        let error = Proxy::start(config, Passwords::default())
            .await
            .unwrap_err();
        assert!(error.to_string().contains(words), "{files}: {error}");
    }
}
