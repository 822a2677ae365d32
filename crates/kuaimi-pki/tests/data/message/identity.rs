// A certificate and its private key, for tests and for the examples in the documentation.
{
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/message/");
    let read = |name| std::fs::read(format!("{folder}{name}")).expect("a file of the tests");
    let certificates = kuaimi_pki::Certificate::read_all(&read("alice.pem")).expect("certificates");
    let key = kuaimi::encoding::read_private_key(&read("alice.key"), None).expect("a key");
    (certificates[0].clone(), kuaimi::sm2::SigningKey::new(key.0))
}
