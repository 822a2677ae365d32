"""What the functions do alike in all three databases: the standards' examples, OpenSSL both ways, errors."""

import os

import pytest
from conftest import openssl
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

KEY, IV = bytes(range(16)), bytes(range(16, 32))
LENGTHS = [0, 1, 15, 16, 17, 31, 32, 33, 55, 56, 64, 1000, 70_000]


def test_version(call):
    assert call("kuaimi_version") == "0.1.0"


def test_sm3(call, vectors):
    for example in vectors("sm3_sm4")["sm3"]:
        assert call("sm3", bytes.fromhex(example["message"])) == bytes.fromhex(example["digest"])
    for length in LENGTHS:
        data = os.urandom(length)
        assert call("sm3", data) == openssl("dgst", "-sm3", "-binary", data=data), length
    # Text is its bytes in UTF-8.
    assert call("sm3", "快密") == call("sm3", "快密".encode())


def test_hmac(call):
    for key in [b"k", b"key", os.urandom(64), os.urandom(65)]:
        for length in LENGTHS:
            data = os.urandom(length)
            expected = openssl("dgst", "-sm3", "-mac", "HMAC", "-macopt", f"hexkey:{key.hex()}", "-binary", data=data)
            assert call("hmac_sm3", data, key) == expected
    assert len(call("hmac_sm3", b"data", b"")) == 32


def test_sm4_gcm(call, vectors):
    [example] = [example for example in vectors("sm4_modes")["aead"] if example["mode"] == "gcm"]
    [key, nonce, aad, plain, cipher, tag] = [
        bytes.fromhex(example[name]) for name in ["key", "nonce", "associated_data", "plaintext", "ciphertext", "tag"]]
    assert call("sm4_decrypt", nonce + cipher + tag, key, aad) == plain
    for length in LENGTHS:
        data, aad = os.urandom(length), os.urandom(length % 40)
        sealed = call("sm4_encrypt", data, KEY, aad)
        assert len(sealed) == length + 28
        # The format, by another implementation in both directions: nonce, ciphertext, tag.
        nonce, cipher, tag = sealed[:12], sealed[12:-16], sealed[-16:]
        decryptor = Cipher(algorithms.SM4(KEY), modes.GCM(nonce, tag)).decryptor()
        decryptor.authenticate_additional_data(aad)
        assert decryptor.update(cipher) + decryptor.finalize() == data
        encryptor = Cipher(algorithms.SM4(KEY), modes.GCM(nonce := os.urandom(12))).encryptor()
        encryptor.authenticate_additional_data(aad)
        sealed = nonce + encryptor.update(data) + encryptor.finalize() + encryptor.tag
        assert call("sm4_decrypt", sealed, KEY, aad) == data
    # No associated data and empty ones are the same.
    assert call("sm4_decrypt", call("sm4_encrypt", b"data", KEY), KEY, b"") == b"data"


def test_sm4_gcm_refuses_what_was_altered(call):
    sealed = call("sm4_encrypt", b"data", KEY, b"aad")
    messages = set()
    altered = [sealed[:i] + bytes([sealed[i] ^ 1]) + sealed[i + 1 :] for i in range(len(sealed))]
    for wrong in [(one, KEY, b"aad") for one in altered] + [
        (sealed, IV, b"aad"), (sealed, KEY, b"AAD"), (sealed, KEY), (sealed[:-1], KEY, b"aad"), (sealed + b"\0", KEY, b"aad"),
        (sealed[:27], KEY, b"aad"), (b"", KEY, b"aad"),
    ]:
        with pytest.raises(call.errors) as error:
            call("sm4_decrypt", *wrong)
        messages.add(str(error.value).split("\n")[0])
    # One sentence, whatever was altered.
    assert len(messages) == 1 and "decryption failed" in messages.pop()


def test_sm4_cbc(call):
    for length in LENGTHS:
        data = os.urandom(length)
        expected = openssl("enc", "-sm4-cbc", "-K", KEY.hex(), "-iv", IV.hex(), data=data)
        assert call("sm4_cbc_encrypt", data, KEY, IV) == expected
        assert call("sm4_cbc_decrypt", expected, KEY, IV) == data
    for wrong in [b"", b"x", bytes(15), bytes(32)]:
        with pytest.raises(call.errors, match="decryption failed"):
            call("sm4_cbc_decrypt", wrong, KEY, IV)


@pytest.mark.parametrize("identity", [None, b"1234567812345678", "Алиса 愛麗絲".encode(), b"a" * 8191])
def test_sm2_signatures(call, keys, identity):
    given = [] if identity is None else [identity.decode()]
    theirs = [] if identity is None else [identity]
    if len(identity or b"") > 4000:
        theirs = None  # OpenSSL's command line takes no such identity
    for length in [0, 1, 1000]:
        data = os.urandom(length)
        for private in [keys.private, keys.private_der]:
            signature = call("sm2_sign", data, private, *given)
            assert theirs is None or keys.verify(data, signature, *theirs)
        if theirs is not None:
            signature = keys.sign(data, *theirs)
        for public in [keys.public, keys.public_der]:
            assert call("sm2_verify", data, signature, public, *given) is True
            # The same key again has its table.
            assert call("sm2_verify", data, signature, public, *given) is True
            assert call("sm2_verify", data + b"x", signature, public, *given) is False
            assert call("sm2_verify", data, signature, public, "another") is False


def test_sm2_empty_identity_is_not_the_usual_one(call, keys):
    signature = call("sm2_sign", b"data", keys.private, "")
    assert call("sm2_verify", b"data", signature, keys.public, "") is True
    assert call("sm2_verify", b"data", signature, keys.public) is False


def test_sm2_example_of_the_standard(call, vectors):
    example = vectors("sm2")["signature"]
    r, s = example["r"], example["s"]
    # DER puts a zero before a first byte of 80 and more.
    signature = bytes.fromhex(f"3046022100{r}022100{s}")
    public = f"04{example['px']}{example['py']}"
    message = example["message_ascii"].encode()
    assert call("sm2_verify", message, signature, public) is True
    assert call("sm2_verify", message, signature, bytes.fromhex(public)) is True
    assert call("sm2_verify", message, call("sm2_sign", message, example["d"]), public) is True
    # Neither the numbers alone nor bytes behind them are the signature.
    for wrong in [bytes.fromhex(r + s), signature + b"\0", b"", b"\x30\x00", signature[:-1], bytes(70)]:
        assert call("sm2_verify", message, wrong, public) is False


def test_sm2_keys_do_not_get_mixed_up(call, keys, other_keys):
    # One call after another with other keys, as rows have them.
    signatures = {one: call("sm2_sign", b"data", one.private) for one in [keys, other_keys]}
    for _ in range(3):
        for key in signatures:
            for signer, signature in signatures.items():
                assert call("sm2_verify", b"data", signature, key.public) is (key is signer)
                assert signer.verify(b"data", call("sm2_sign", b"data", signer.private))


def test_sm2_identities_do_not_get_mixed_up(database, keys):
    """Identities of one length in the rows of one query, with the same key."""
    identities = [f"user {i}" for i in range(100, 300)]
    rows = ", ".join(f"('{identity}', '{other}')" for identity, other in zip(identities, identities[1:]))
    data = f"CAST('data' AS {database.blob})"
    signed = database.rows(f"WITH users(name, other) AS (VALUES {rows}), signed AS (SELECT name, other,"
                           f" sm2_sign({data}, CAST(? AS text), name) AS signature FROM users)"
                           f" SELECT name, signature, sm2_verify({data}, signature, CAST(? AS text), name),"
                           f" sm2_verify({data}, signature, CAST(? AS text), other) FROM signed", keys.private, keys.public, keys.public)
    assert len(signed) == 199 and {(bool(right), bool(wrong)) for _, _, right, wrong in signed} == {(True, False)}
    for name, signature, _, _ in signed[::40]:
        assert keys.verify(b"data", signature, name.encode())


def test_sm2_encryption(call, keys, vectors):
    for length in [1, 31, 32, 33, 1000]:
        data = os.urandom(length)
        assert keys.decrypt(call("sm2_encrypt", data, keys.public, "der")) == data
        assert call("sm2_decrypt", keys.encrypt(data), keys.private_der, "der") == data
        assert call("sm2_decrypt", call("sm2_encrypt", data, keys.public_der), keys.private) == data
        for form in ["c1c3c2", "c1c2c3", "bare-c1c3c2", "bare-c1c2c3", "der"]:
            ciphertext = call("sm2_encrypt", data, keys.public, form)
            assert call("sm2_decrypt", ciphertext, keys.private, form) == data
    example = vectors("sm2")["encryption"]
    [c1, c2, c3] = [bytes.fromhex(example[name]) for name in ["c1", "c2", "c3"]]
    message = example["message_ascii"].encode()
    assert call("sm2_decrypt", c1 + c3 + c2, example["d"]) == message
    assert call("sm2_decrypt", c1 + c2 + c3, example["d"], "c1c2c3") == message
    assert call("sm2_decrypt", bytes.fromhex(example["der_gmt0009"]), example["d"], "der") == message
    messages = set()
    for wrong in [c1 + c2 + c3, c1 + c3 + bytes([c2[0] ^ 1]) + c2[1:], c1, b"", b"x", bytes(200)]:
        with pytest.raises(call.errors) as error:
            call("sm2_decrypt", wrong, example["d"])
        messages.add(str(error.value).split("\n")[0])
    assert len(messages) == 1 and "decryption failed" in messages.pop()


def test_null_gives_null(call, keys):
    signature = keys.sign(b"data")
    for name, arguments in {
        "sm3": [b"data"],
        "hmac_sm3": [b"data", b"key"],
        "sm4_encrypt": [b"data", KEY, b"aad"],
        "sm4_decrypt": [bytes(40), KEY, b"aad"],
        "sm4_cbc_encrypt": [b"data", KEY, IV],
        "sm4_cbc_decrypt": [bytes(32), KEY, IV],
        "sm2_sign": [b"data", keys.private, "identity"],
        "sm2_verify": [b"data", signature, keys.public, "identity"],
        "sm2_encrypt": [b"data", keys.public, "der"],
        "sm2_decrypt": [bytes(99), keys.private, "der"],
    }.items():
        for i, value in enumerate(arguments):
            kind = "text" if isinstance(value, str) else "bytea" if call.errors.__module__ == "psycopg" else "blob"
            marks = ["?"] * len(arguments)
            marks[i] = f"CAST(NULL AS {kind})"
            rest = arguments[:i] + arguments[i + 1 :]
            assert call.rows(f"SELECT {name}({', '.join(marks)})", *rest) == [(None,)], (name, i)


def test_wrong_arguments_are_named(call, keys):
    for arguments, words in {
        ("sm4_encrypt", b"data", bytes(15)): "an SM4 key has 16 bytes",
        ("sm4_decrypt", bytes(40), bytes(17)): "an SM4 key has 16 bytes",
        ("sm4_cbc_encrypt", b"data", bytes(32), IV): "an SM4 key has 16 bytes",
        ("sm4_cbc_encrypt", b"data", KEY, bytes(12)): "an initialization vector has 16 bytes",
        ("sm4_cbc_decrypt", bytes(16), KEY, b""): "an initialization vector has 16 bytes",
        ("sm2_sign", b"data", "no key"): "the private key cannot be read: this is no key",
        ("sm2_sign", b"data", b""): "the private key cannot be read: this is no key",
        ("sm2_sign", b"data", keys.public): "the private key cannot be read",
        ("sm2_sign", b"data", bytes(32)): "the private key cannot be read",
        ("sm2_sign", b"data", keys.private, "a" * 8192): "at most 8191 bytes",
        ("sm2_verify", b"data", b"", "no key"): "the public key cannot be read: this is no key",
        ("sm2_verify", b"data", b"", keys.private): "this is a private key",
        ("sm2_verify", b"data", b"", b"\x04" + bytes(64)): "the public key cannot be read",
        ("sm2_encrypt", b"", keys.public): "an empty message cannot be encrypted",
        ("sm2_encrypt", b"data", keys.public, "C1C3C2"): "one of the forms c1c3c2",
        ("sm2_decrypt", bytes(120), keys.private, "any"): "one of the forms c1c3c2",
    }.items():
        with pytest.raises(call.errors, match=words):
            call(*arguments)


def test_encrypted_private_key(call, keys, tmp_path):
    openssl("pkcs8", "-topk8", "-in", keys.private_file, "-passout", "pass:word", "-out", tmp_path / "key.pem")
    with pytest.raises(call.errors, match="it is encrypted, and these functions take no password"):
        call("sm2_sign", b"data", (tmp_path / "key.pem").read_text())


def test_errors_say_nothing_of_the_key(call, keys):
    secret = keys.private.replace("A", "B", 3)
    for name in ["sm2_sign", "sm2_decrypt"]:
        with pytest.raises(call.errors) as error:
            call(name, bytes(120), secret[:-40])
        assert secret[40:80] not in str(error.value)


def test_random_results_differ(call, database, keys):
    for sql, argument in {"sm4_encrypt('x', ?)": KEY, "sm2_sign('x', ?)": keys.private, "sm2_encrypt('x', ?)": keys.public}.items():
        sql = sql.replace("'x'", f"CAST('x' AS {database.blob})")
        # The arguments are the same in all rows of a query.
        rows = database.rows(f"WITH four(i) AS (VALUES (1), (2), (3), (4)) SELECT {sql} FROM four", argument)
        assert len(set(rows)) == 4
