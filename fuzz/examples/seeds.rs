//! Writes `seeds/`: `cargo run --features seeds --example seeds`. The same files each time.

use std::error::Error;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use kuaimi::encoding::{
    EncodeEcPrivateKey, EncodePrivateKey, EncodePublicKey, LineEnding, PasswordEncryption,
};
use kuaimi::sm2::{CiphertextForm, PrivateKey, SigningKey};
use kuaimi::sm9::{MasterEncryptionKey, MasterSigningKey};
use kuaimi_pki::certificate::{CertificateBuilder, Validity};
use kuaimi_pki::cfca::{return_key, write_key_file};
use kuaimi_pki::key_response::KeyResponse;
use kuaimi_pki::name;
use kuaimi_pki::pkcs12::{Pkcs12, Profile, Protection};
use kuaimi_pki::signer::Deterministic;
use kuaimi_testing::Repeatable;
use parquet::basic::{Compression, ZstdLevel};
use parquet::data_type::{ByteArray, ByteArrayType};
use parquet::file::properties::{WriterProperties, WriterPropertiesBuilder, WriterVersion};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;

type Result<T> = std::result::Result<T, Box<dyn Error>>;

fn main() -> Result<()> {
    keys()?;
    values()?;
    rows()?;
    calls()?;
    stores()?;
    certificates()?;
    // The others make their inputs of bytes as they come.
    let mut random = Repeatable(0);
    let names = kuaimi_fuzz::CHECKS.map(|(name, _)| name);
    for name in names
        .into_iter()
        .filter(|name| !APART.contains(name))
        // Added later, so that the others stay what they are.
        .chain(["parquet", "messages", "chains", "tlcp"])
    {
        for i in 0..4usize {
            let mut bytes = Vec::new();
            while bytes.len() < 100 << i {
                bytes.extend(random.word().to_le_bytes());
            }
            write(name, &format!("random-{i}"), &bytes)?;
        }
    }
    Ok(())
}

/// Those with seeds of their own, or that were added later.
const APART: [&str; 11] = [
    "keys",
    "values",
    "rows",
    "capi",
    "provider",
    "parquet",
    "certificates",
    "chains",
    "stores",
    "messages",
    "tlcp",
];

fn certificates() -> Result<()> {
    let world = kuaimi_fuzz::chains::World::get();
    write("certificates", "root.der", world.root.as_der())?;
    write("certificates", "end.pem", world.end.to_pem().as_bytes())?;
    write("certificates", "list.der", world.list.as_der())?;
    write("certificates", "response.der", world.response.as_der())
}

fn write(folder: &str, name: &str, bytes: &[u8]) -> Result<()> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("seeds")
        .join(folder);
    fs::create_dir_all(&folder)?;
    Ok(fs::write(folder.join(name), bytes)?)
}

fn keys() -> Result<()> {
    let mut random = Repeatable(1);
    let secret = PrivateKey::from_bytes(&[7; 32])?;
    let public = secret.public_key();
    write("keys", "pkcs8.der", secret.to_pkcs8_der()?.as_bytes())?;
    write(
        "keys",
        "sec1.pem",
        secret.to_sec1_pem(LineEnding::LF)?.as_bytes(),
    )?;
    write(
        "keys",
        "spki.pem",
        public.to_public_key_pem(LineEnding::CRLF)?.as_bytes(),
    )?;
    write("keys", "spki.der", public.to_public_key_der()?.as_bytes())?;
    write("keys", "point", &public.to_compressed_bytes())?;
    write("keys", "number", format!("{:064x}\n", 77).as_bytes())?;
    let fast = PasswordEncryption::SHANGMI.with_iterations(1);
    let encrypted = secret.to_encrypted_pkcs8_pem(b"password", fast, &mut random)?;
    write("keys", "encrypted.pem", encrypted.as_bytes())?;
    let enveloped = secret.to_enveloped_key(public, &mut random)?;
    write("keys", "enveloped.der", &enveloped)?;
    let signing = MasterSigningKey::from_bytes(&[7; 32])?;
    let encryption = MasterEncryptionKey::from_bytes(&[8; 32])?;
    write(
        "keys",
        "sm9-signing.der",
        signing.to_pkcs8_der()?.as_bytes(),
    )?;
    write(
        "keys",
        "sm9-encryption.der",
        encryption.to_pkcs8_der()?.as_bytes(),
    )?;
    write(
        "keys",
        "sm9-gmssl.pem",
        signing.public_key().to_gmssl_pem()?.as_bytes(),
    )?;
    let alice = signing.extract("alice")?;
    write("keys", "sm9-alice.der", alice.to_pkcs8_der()?.as_bytes())?;
    let bob = encryption.extract("bob")?;
    write("keys", "sm9-bob.der", bob.to_pkcs8_der()?.as_bytes())
}

/// Calls of the C library and of the provider: bytes as they come, and files with keys.
fn calls() -> Result<()> {
    let mut random = Repeatable(3);
    let mut bytes = |start: &[u8], length: usize| {
        let mut bytes = start.to_vec();
        while bytes.len() < length {
            bytes.extend(random.word().to_le_bytes());
        }
        bytes
    };
    for i in 0..8usize {
        write("capi", &format!("random-{i}"), &bytes(&[], 100 << (i % 4)))?;
    }
    for i in 0..4usize {
        write("provider", &format!("random-{i}"), &bytes(&[1], 100 << i))?;
    }
    for name in [
        "pkcs8.der",
        "sec1.pem",
        "spki.pem",
        "spki.der",
        "encrypted.pem",
    ] {
        let key = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("seeds/keys")
            .join(name);
        write("provider", name, &[&[0], &fs::read(key)?[..]].concat())?;
    }
    Ok(())
}

fn values() -> Result<()> {
    let mut random = Repeatable(2);
    let secret = PrivateKey::from_bytes(&[7; 32])?;
    let signature = SigningKey::new(secret.clone()).sign_deterministic(b"a message");
    write("values", "signature.der", signature.to_der().as_bytes())?;
    write("values", "signature.raw", &signature.to_bytes())?;
    let ciphertext = secret
        .public_key()
        .encrypt_with_rng(&mut random, b"a secret")?;
    for form in CiphertextForm::ALL {
        write(
            "values",
            &format!("ciphertext.{form}"),
            &ciphertext.to_bytes(*form),
        )?;
    }
    let alice = MasterSigningKey::from_bytes(&[7; 32])?.extract("alice")?;
    let signature = alice.sign_with_rng(&mut random, b"a message")?;
    write("values", "sm9-signature.der", &signature.to_der())?;
    write("values", "sm9-signature.raw", &signature.to_bytes())?;
    let bob = MasterEncryptionKey::from_bytes(&[8; 32])?.extract("bob")?;
    let ciphertext =
        bob.encryption_key()
            .encrypt_with_rng(&mut random, b"a secret", Default::default())?;
    write("values", "sm9-ciphertext.der", &ciphertext.to_der())?;
    write("values", "sm9-ciphertext.raw", &ciphertext.to_bytes())
}

/// PKCS #12 files in each profile and their contents, which are read without a MAC; what CFCA
/// writes; an authority's answer.
fn stores() -> Result<()> {
    let mut random = Repeatable(4);
    let pair = |byte: u8, subject: &str| -> Result<_> {
        let key = PrivateKey::from_bytes(&[byte; 32])?;
        let validity = Validity::days("2026-01-01T00:00:00Z".parse()?, 3650)?;
        let builder = CertificateBuilder::new(name::parse(subject)?, key.public_key(), validity);
        let signer = Deterministic(SigningKey::new(key.clone()));
        let certificate = builder.serial(&[byte])?.self_sign(&signer)?;
        Ok((key, certificate))
    };
    let (key, certificate) = pair(7, "CN=signing")?;
    let (other, encryption) = pair(8, "CN=encryption")?;
    let mut file = Pkcs12::new();
    file.push_identity(&key, &certificate, Some("name"))?;
    file.push_certificate(&encryption);
    for (profile, name) in [
        (Profile::ShangMi, "shangmi"),
        (Profile::ShangMiOpenssl, "shangmi-openssl"),
        (Profile::Compatible, "compatible"),
        (Profile::Legacy, "legacy"),
    ] {
        let protection = Protection::from(profile).with_iterations(1);
        let der = file.to_der("password", protection, &mut random)?;
        write("stores", &format!("pkcs12-{name}"), &der)?;
        // `SEQUENCE { version, SEQUENCE { OID, [0] { OCTET STRING { content } } }, … }`.
        let start = der.windows(4).position(|part| part[..2] == [0xa0, 0x82]);
        let start = start.ok_or("no content")? + 4;
        let length = usize::from(u16::from_be_bytes([der[start + 2], der[start + 3]]));
        let content = &der[start + 4..][..length];
        write("stores", &format!("content-{name}"), content)?;
    }
    let text = write_key_file(&key, &certificate, "password")?;
    write("stores", "cfca-key-file", text.as_bytes())?;
    let text = return_key(&other, key.public_key(), &mut random)?;
    write("stores", "cfca-returned-key", text.as_bytes())?;
    let answer = KeyResponse::new(vec![certificate])?
        .with_encryption_key(&other, vec![encryption], &mut random)?
        .to_der();
    write("stores", "key-response", &answer)
}

fn rows() -> Result<()> {
    let secret = PrivateKey::from_bytes(&[7; 32])?;
    let signer = SigningKey::new(secret);
    let hex = |bytes: &[u8]| {
        bytes
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect::<String>()
    };
    let key = hex(&signer.public_key().to_compressed_bytes());
    let rows: Vec<[String; 3]> = (0..6)
        .map(|i| {
            let message = format!("message, \"{i}\"\n");
            let signature = hex(&signer.sign_deterministic(message.as_bytes()).to_bytes());
            [key.clone(), message, signature]
        })
        .collect();
    let mut json = String::new();
    for [key, message, signature] in &rows {
        let row = serde_json::json!({ "key": key, "message": message, "signature": signature });
        json.push_str(&format!("{row}\n"));
    }
    write("rows", "rows.jsonl", json.as_bytes())?;
    let mut csv = csv::Writer::from_writer(Vec::new());
    csv.write_record(["key", "message", "signature"])?;
    rows.iter().try_for_each(|row| csv.write_record(row))?;
    write("rows", "rows.csv", &csv.into_inner()?)?;

    let properties = WriterProperties::builder;
    write(
        "rows",
        "parquet-plain",
        &parquet(&rows, properties().set_dictionary_enabled(false))?,
    )?;
    let snappy = properties().set_compression(Compression::SNAPPY);
    write(
        "rows",
        "parquet-dictionary-snappy",
        &parquet(&rows, snappy)?,
    )?;
    let pages = properties()
        .set_compression(Compression::ZSTD(ZstdLevel::default()))
        .set_writer_version(WriterVersion::PARQUET_2_0)
        .set_data_page_row_count_limit(2)
        .set_write_batch_size(2);
    write("rows", "parquet-pages-zstd", &parquet(&rows, pages)?)?;
    // Edits of these files, and none.
    for i in 0..3 {
        write("rows", &format!("edits-{i}"), &[b'E', i, 0, 0, 0, 0])?;
    }
    Ok(())
}

fn parquet(rows: &[[String; 3]], properties: WriterPropertiesBuilder) -> Result<Vec<u8>> {
    let schema = parse_message_type(
        "message m { required binary key (string); optional binary message (string); required binary signature (string); }",
    )?;
    let properties = Arc::new(properties.build());
    let mut out = Vec::new();
    let mut writer = SerializedFileWriter::new(&mut out, Arc::new(schema), properties)?;
    let mut group = writer.next_row_group()?;
    for column in 0..3 {
        let values: Vec<ByteArray> = rows.iter().map(|row| row[column].as_str().into()).collect();
        // One message is null.
        let levels: Vec<i16> = (0..rows.len()).map(|i| i16::from(i != 3)).collect();
        let mut column_writer = group.next_column()?.expect("three columns");
        let typed = column_writer.typed::<ByteArrayType>();
        if column == 1 {
            let present: Vec<_> = values
                .iter()
                .enumerate()
                .filter(|(i, _)| *i != 3)
                .map(|(_, it)| it.clone())
                .collect();
            typed.write_batch(&present, Some(&levels), None)?;
        } else {
            typed.write_batch(&values, None, None)?;
        }
        column_writer.close()?;
    }
    group.close()?;
    writer.close()?;
    Ok(out)
}
