//! How values are written, and what is not guessed.

use super::*;

#[test]
fn keys_and_signatures_in_all_forms() {
    use base64::Engine as _;
    let base64 = |bytes: &[u8]| base64::engine::general_purpose::STANDARD.encode(bytes);
    let url = |bytes: &[u8]| base64::engine::general_purpose::URL_SAFE_NO_PAD.encode(bytes);
    let lab = Lab::new();
    let signer = Signer::new(ALICE);
    let row = signer.row("hello");
    let public = signer.key.public_key();
    lab.write("point", hex::encode(&row.key));
    lab.sh("sm2 convert --to pem --out key.pem point").ok();
    lab.sh("sm2 convert --to der --out key.der point").ok();
    let pem = String::from_utf8(lab.read("key.pem")).unwrap();
    let der = lab.read("key.der");
    let mut keys = vec![pem.clone(), format!("\n{}", pem.replace('\n', "\r\n"))];
    for bytes in [
        &row.key[..],
        &row.key[1..],
        &public.to_compressed_bytes(),
        &der,
    ] {
        let digits = hex::encode(bytes);
        keys.extend([
            digits.to_uppercase(),
            format!("0x{digits}"),
            digits,
            base64(bytes),
            url(bytes),
        ]);
    }
    let mut signatures = Vec::new();
    for bytes in [&row.signature, &row.der()] {
        signatures.extend([hex::encode(bytes), base64(bytes), url(bytes)]);
    }
    let mut text = String::new();
    for key in &keys {
        for signature in &signatures {
            let object = serde_json::json!({"key": key, "id": ALICE, "message": "hello", "signature": signature});
            text += &format!("{object}\n");
        }
    }
    lab.write("all.jsonl", &text);
    lab.sh("verify-batch all.jsonl").ok();
    // An option that says how they are written holds for all of them.
    let malformed = |line: &str| {
        lab.sh(&format!(
            "verify-batch --force --summary-json s {line} all.jsonl"
        ))
        .status(1);
        let summary: Value = serde_json::from_slice(&lab.read("s")).unwrap();
        assert_eq!(summary["invalid"], 0);
        summary["malformed"].as_u64().unwrap() as usize
    };
    assert_eq!(malformed("--key-encoding hex"), (2 + 8) * 6);
    assert_eq!(malformed("--key-encoding base64"), (2 + 12) * 6);
    assert_eq!(malformed("--signature-encoding hex"), 4 * keys.len());
    assert_eq!(malformed("--signature-encoding base64"), 2 * keys.len());
    assert_eq!(malformed("--signature-form der"), 3 * keys.len());
    assert_eq!(malformed("--signature-form raw"), 3 * keys.len());
    lab.sh("verify-batch --key-encoding binary all.jsonl")
        .status(2)
        .says(&["--key-encoding", "Parquet"]);
}

#[test]
fn keys_that_are_none() {
    let lab = Lab::with_keys();
    let row = ledger::rows(1).remove(0);
    let private = String::from_utf8(lab.read("a.pem")).unwrap();
    let mut off_curve = row.key.clone();
    off_curve[64] ^= 1;
    let twice = hex::encode(hex::encode(&row.key));
    for (key, word) in [
        (private.as_str(), "private key"),
        (&hex::encode(&row.key[..63]), "no public key"),
        (&hex::encode(&off_curve), "curve"),
        (&twice, "no public key"),
        ("", "empty"),
        ("  ", "empty"),
        ("not a key", "hexadecimal or Base64"),
        ("-----BEGIN PUBLIC KEY-----", "PEM"),
    ] {
        let good = ledger::jsonl(std::slice::from_ref(&row));
        let object = serde_json::json!({"key": key, "id": row.id, "message": row.message, "signature": hex::encode(&row.signature)});
        lab.write("k.jsonl", format!("{good}{object}\n"));
        let ran = lab
            .sh("verify-batch k.jsonl")
            .status(1)
            .says(&["row 2: malformed: line 2: key: ", word]);
        assert!(!ran.stderr.contains("row 1"));
    }
}

/// A message is what stands there. That it might stand for other bytes is never guessed.
#[test]
fn messages_are_not_guessed() {
    use base64::Engine as _;
    let lab = Lab::new();
    let signer = Signer::new(ALICE);
    let text = "68656c6c6f21";
    let as_text = signer.row(text);
    let mut as_bytes = signer.row("hello!");
    as_bytes.message = text.to_owned();
    lab.write("text.jsonl", ledger::jsonl(&[as_text]));
    lab.write("hex.jsonl", ledger::jsonl(&[as_bytes.clone()]));
    as_bytes.message = base64::engine::general_purpose::STANDARD.encode("hello!");
    lab.write("base64.jsonl", ledger::jsonl(&[as_bytes]));
    lab.sh("verify-batch text.jsonl").ok();
    lab.sh("verify-batch hex.jsonl")
        .status(1)
        .says(&["--message-encoding hex"]);
    lab.sh("verify-batch --message-encoding hex hex.jsonl").ok();
    lab.sh("verify-batch --message-encoding hex text.jsonl")
        .status(1);
    lab.sh("verify-batch --message-encoding base64 base64.jsonl")
        .ok();
    lab.sh("verify-batch --message-encoding hex base64.jsonl")
        .status(1)
        .says(&["malformed", "message: is not hexadecimal"]);
    let hex_id = ledger::jsonl(&[signer.row("m")]).replace(ALICE, &hex::encode(ALICE));
    lab.write("id.jsonl", hex_id);
    lab.sh("verify-batch id.jsonl").status(1);
    lab.sh("verify-batch --id-encoding hex id.jsonl").ok();
}

#[test]
fn digests_in_place_of_messages() {
    use base64::Engine as _;
    let lab = Lab::new();
    let signer = Signer::new(ALICE);
    let row = signer.row("hello");
    let mut hash = signer.key.verifying_key().message_hash();
    hash.update(b"hello");
    let e = hash.finalize();
    let (key, signature) = (hex::encode(&row.key), hex::encode(&row.signature));
    let mut text = "key,digest,signature\n".to_owned();
    text += &format!("{key},{},{signature}\n", hex::encode(e));
    text += &format!(
        "{key},{},{signature}\n",
        base64::engine::general_purpose::STANDARD.encode(e)
    );
    lab.write("e.csv", &text);
    lab.sh("verify-batch e.csv").ok();
    lab.write("h.csv", text.replace("digest", "hash"));
    lab.sh("verify-batch h.csv")
        .status(2)
        .says(&["--digest-column"]);
    lab.sh("verify-batch --digest-column hash h.csv").ok();
    lab.write(
        "short.csv",
        text.replace(&hex::encode(e), &hex::encode(&e[1..])),
    );
    lab.sh("verify-batch short.csv")
        .status(1)
        .says(&["row 1: malformed", "31 bytes in place of 32"]);
    // The identity is in the digest already: to give one means something else.
    lab.sh("verify-batch --id x --digest-column digest e.csv")
        .status(2);
    // Which of the two is meant is not guessed.
    lab.write(
        "both.csv",
        format!(
            "key,digest,signature,message\n{key},{},{signature},hello\n",
            hex::encode(e)
        ),
    );
    lab.sh("verify-batch both.csv")
        .status(2)
        .says(&["--message-column message", "--digest-column digest"]);
    lab.sh("verify-batch --digest-column digest both.csv").ok();
    lab.sh(&format!(
        "verify-batch --message-column message --id {ALICE} both.csv"
    ))
    .ok();
    lab.write(
        "both.jsonl",
        format!(
            "{}\n",
            serde_json::json!({"key": key, "digest": hex::encode(e), "message": "hello", "signature": signature})
        ),
    );
    lab.sh("verify-batch both.jsonl")
        .status(2)
        .says(&["--message-column message", "--digest-column digest"]);
}

/// A signature that is well-formed in two ways is refused until someone says which.
#[test]
fn two_readings_are_none() {
    let lab = Lab::new();
    let row = ledger::rows(1).remove(0);
    // DER of 64 bytes: r of 32 and s of 26. Of these bytes, the halves are in range, too.
    let mut der = vec![0x30, 62, 2, 32, 0x11];
    der.extend([0x22; 31]);
    der.extend([2, 26, 0x33]);
    der.extend([0x44; 25]);
    assert_eq!(der.len(), 64);
    // DER of 43 bytes, whose 86 hexadecimal digits are Base64 of 64 bytes, too.
    let mut short = vec![0x30, 41, 2, 19, 0x11];
    short.extend([0x22; 18]);
    short.extend([2, 18, 0x33]);
    short.extend([0x44; 16]);
    short.push(0x4a);
    for (signature, word, settled) in [
        (
            hex::encode(&der),
            "--signature-form",
            "--signature-form der",
        ),
        (
            hex::encode_upper(&short),
            "--signature-encoding",
            "--signature-encoding hex",
        ),
    ] {
        let object = serde_json::json!({"key": hex::encode(&row.key), "message": "m", "signature": signature});
        lab.write("two.jsonl", format!("{object}\n"));
        lab.sh("verify-batch two.jsonl").status(1).says(&[
            "malformed: line 1: signature: can be read in two ways",
            word,
        ]);
        lab.sh(&format!("verify-batch {settled} two.jsonl"))
            .status(1)
            .says(&["invalid: "]);
    }
}
