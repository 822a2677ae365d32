"""What only DuckDB has: rows in vectors, which are verified as batches, on several threads."""

import os

import duckdb
import pytest
from conftest import WORK, Keys, resident

KEY = bytes(range(16))


def test_only_where_allowed():
    with pytest.raises(duckdb.Error, match="signature"):
        duckdb.connect().load_extension(str(WORK / "kuaimi-build/duckdb/kuaimi.duckdb_extension"))


def test_wrong_types(duck):
    for call in ["sm3(1)", "sm4_encrypt('a'::BLOB, 'text'::VARCHAR)", "sm2_verify('a', 'b'::VARCHAR, 'c')", "sm2_sign('a')"]:
        with pytest.raises(duckdb.BinderException):
            duck.rows(f"SELECT {call}")


def test_sm3_of_many_rows(duck):
    """Lengths of both kinds of strings that DuckDB has, with NULLs between, over several vectors."""
    duck.rows("CREATE OR REPLACE TABLE t AS SELECT i, CASE WHEN i % 7 = 3 THEN NULL ELSE repeat(chr((97 + i % 26)::INT), i % 90) END AS a"
              " FROM range(10000) AS r(i)")
    rows = dict(duck.rows("SELECT a, sm3(a) FROM t"))
    assert rows.pop(None) is None and len(rows) > 1000
    for text in list(rows)[::10]:
        assert rows[text] == duck.rows("SELECT sm3(?)", text)[0][0]
    assert duck.rows("SELECT count(*) FROM t WHERE (a IS NULL) <> (sm3(a) IS NULL) OR sm3(a) <> sm3(encode(a))") == [(0,)]
    # A filter hands on some rows of a vector.
    assert duck.rows("SELECT count(*) FROM (SELECT * FROM t WHERE i % 3 = 1) WHERE sm3(a) <> sm3(encode(a))") == [(0,)]


@pytest.mark.parametrize("identity", [False, True])
def test_verification_of_many_rows(duck, tmp_path_factory, identity):
    """Right and wrong signatures by several signers, with NULLs between: each row has its own answer."""
    signers = [Keys(tmp_path_factory.mktemp("signer")) for _ in range(5)]
    duck.rows("CREATE OR REPLACE TABLE signers (id BIGINT, public VARCHAR, private VARCHAR)")
    for i, signer in enumerate(signers):
        duck.rows("INSERT INTO signers VALUES (?, ?, ?)", i, signer.public, signer.private)
    extra = ", 'user ' || (i % 3)" if identity else ""
    duck.rows("CREATE OR REPLACE TABLE signed AS SELECT i, public, encode('message ' || i) AS message,"
              f" sm2_sign(encode('message ' || i), private{extra}) AS signature"
              " FROM range(6000) AS r(i) JOIN signers ON id = i % 5 ORDER BY i")
    duck.rows("CREATE OR REPLACE TABLE changed AS SELECT i, signature,"
              " CASE WHEN i % 11 = 1 THEN NULL ELSE public END AS public,"
              " CASE WHEN i % 13 = 2 THEN encode('other') ELSE message END AS message FROM signed ORDER BY i")
    rows = duck.rows(f"SELECT i, sm2_verify(message, signature, public{extra}) FROM changed")
    assert len(rows) == 6000
    for i, answer in rows:
        assert answer is (None if i % 11 == 1 else i % 13 != 2), i
    # The next row's signature is of another message, and of another signer.
    assert duck.rows(f"SELECT count(*) FROM signed AS a JOIN signed AS b ON b.i = a.i + 1"
                     f" WHERE sm2_verify(a.message, b.signature, b.public{extra.replace('i %', 'b.i %')})") == [(0,)]
    # Another implementation agrees on some.
    for i, message, signature in duck.rows("SELECT i, message, signature FROM signed WHERE i % 600 = 0"):
        assert signers[i % 5].verify(message, signature, f"user {i % 3}".encode() if identity else b"1234567812345678")


def test_one_bad_key_fails_the_query(duck, keys):
    signature = keys.sign(b"data")
    sql = "SELECT sm2_verify('data'::BLOB, ?, CASE WHEN i = 1500 THEN 'no key' ELSE ? END) FROM range(2000) AS r(i)"
    with pytest.raises(duckdb.Error, match="sm2_verify: the public key cannot be read"):
        duck.rows(sql, signature, keys.public)
    rows = duck.rows(sql.replace("sm2_verify(", "TRY(sm2_verify(").replace(" FROM", ") FROM"), signature, keys.public)
    assert rows == [(None if i == 1500 else True,) for i in range(2000)]
    # With the bad key left out, the others are answered.
    assert set(duck.rows(sql.replace("'no key'", "NULL"), signature, keys.public)) == {(True,), (None,)}


def test_random_results_of_constants(duck):
    [[distinct]] = duck.rows("SELECT count(DISTINCT sm4_encrypt('x', ?)) FROM range(100000)", KEY)
    assert distinct == 100_000


def test_threads(duck, keys):
    duck.rows("SET threads = 4")
    signature = keys.sign(b"data")
    duck.rows("CREATE OR REPLACE TABLE big AS SELECT i, CASE WHEN i % 2 = 0 THEN 'data' ELSE 'date' END AS a FROM range(300000) AS r(i)")
    assert duck.rows("SELECT count(*) FROM (SELECT * FROM big WHERE i % 30 < 2) WHERE sm2_verify(a, ?, ?)", signature, keys.public) == [(10_000,)]
    duck.rows("RESET threads")


def test_large_values(duck):
    data = os.urandom(1 << 20) * 20
    [[same]] = duck.rows("SELECT sm4_decrypt(sm4_encrypt(a, k), k) = a FROM (SELECT ?::BLOB AS a, ?::BLOB AS k)", data, KEY)
    assert same


def test_memory_stays(duck, keys):
    signature = keys.sign(b"data")

    def run(times):
        for _ in range(times):
            duck.rows("SELECT sm2_verify('data', ?, ? || repeat(chr(10), i::INT % 50)), sm2_sign('data', ?) FROM range(100) AS r(i)",
                      signature, keys.public, keys.private)
            # It fails with hundreds of keys read.
            with pytest.raises(duckdb.Error):
                duck.rows("SELECT sm2_verify('data', ?, CASE WHEN i = 999 THEN 'no key' ELSE ? || repeat(chr(10), i::INT) END)"
                          " FROM range(1000) AS r(i)", signature, keys.public)

    run(20)
    before = resident()
    run(80)
    assert resident() - before < 10_000, "kilobytes were lost"
