"""What only SQLite has: types of values, NULs in text, schemas that must not hold keys, the sqlite3 program, threads."""

import os
import sqlite3
import subprocess
import sys
import threading

import pytest
from conftest import DOORS, WORK, resident

KEY = bytes(range(16))
EXTENSION = str(WORK / "kuaimi-build/sqlite/kuaimi")


def program(script, extension=EXTENSION, database=":memory:", environment=None):
    run = subprocess.run(["sqlite3", "-batch", database], input=f".load {extension}\n{script}", capture_output=True, text=True, env=environment)
    return run.stdout.splitlines(), run.stderr


def test_program():
    lines, complaints = program("SELECT hex(sm3('abc')); SELECT typeof(sm3('')), typeof(kuaimi_version()), typeof(sm3(NULL));")
    assert lines == ["66C7F0F462EEEDD9D1F2D46BDC10E4E24167C4875CF2F7A2297DA02B8F4BA8E0", "blob|text|null"] and complaints == ""
    assert "sm3: argument 1 must be a BLOB or TEXT" in program("SELECT sm3(1);")[1]


def test_static_library():
    """What was built with KUAIMI=kuaimi-static needs no libkuaimi.so."""
    environment = {name: value for name, value in os.environ.items() if name != "LD_LIBRARY_PATH"}
    assert program("SELECT kuaimi_version();", str(WORK / "kuaimi-static-build/sqlite/kuaimi"), environment=environment)[0] == ["0.1.0"]
    assert "libkuaimi.so" in program("SELECT kuaimi_version();", environment=environment)[1]


@pytest.mark.parametrize("value", [1, 1.5])
def test_wrong_types(sqlite, value):
    with pytest.raises(sqlite3.OperationalError, match="sm3: argument 1 must be a BLOB or TEXT"):
        sqlite.rows("SELECT sm3(?)", value)
    with pytest.raises(sqlite3.OperationalError, match="sm4_encrypt: argument 2 must be a BLOB"):
        sqlite.rows("SELECT sm4_encrypt('data', ?)", value)
    with pytest.raises(sqlite3.OperationalError, match="sm4_decrypt: argument 1 must be a BLOB"):
        sqlite.rows("SELECT sm4_decrypt('text', ?)", KEY)
    with pytest.raises(sqlite3.OperationalError, match="sm2_verify: argument 2 must be a BLOB"):
        sqlite.rows("SELECT sm2_verify('data', 'hexadecimal', 'key')")
    with pytest.raises(sqlite3.OperationalError, match="sm2_verify: argument 4 must be TEXT"):
        sqlite.rows("SELECT sm2_verify('data', x'', 'key', x'')")
    with pytest.raises(sqlite3.OperationalError, match="sm3_agg: argument 1 must be a BLOB or TEXT"):
        sqlite.rows("SELECT sm3_agg(?)", value)
    with pytest.raises(sqlite3.OperationalError, match="wrong number of arguments"):
        sqlite.rows("SELECT sm2_verify(x'', x'')")


def test_bytes_of_values(sqlite):
    [[empty, zeros, text]] = sqlite.rows("SELECT sm3(x''), sm3(zeroblob(5)) = sm3(x'0000000000'), sm3(?) = sm3(x'610062')", "a\0b")
    assert empty == sqlite.rows("SELECT sm3('')")[0][0] and zeros == 1 and text == 1
    wide = sqlite3.connect(":memory:")
    wide.enable_load_extension(True)
    wide.load_extension(EXTENSION)
    wide.execute("PRAGMA encoding = 'UTF-16'")
    wide.execute("CREATE TABLE t (a TEXT)")
    wide.execute("INSERT INTO t VALUES ('快密')")
    assert wide.execute("SELECT sm3(a) = sm3(?) FROM t", ["快密".encode()]).fetchone() == (1,)


def test_huge_values(sqlite):
    data = os.urandom(1 << 20) * 100
    sealed = sqlite.rows("SELECT sm4_encrypt(?, ?)", data, KEY)[0][0]
    assert sqlite.rows("SELECT sm4_decrypt(?, ?) = ?", sealed, KEY, data) == [(1,)]
    limit = sqlite.connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, 1 << 20)
    try:
        with pytest.raises(sqlite3.DataError, match="too big"):
            sqlite.rows("SELECT sm4_encrypt(zeroblob((1 << 20) - 20), ?)", KEY)
    finally:
        sqlite.connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, limit)


def test_what_schemas_may_use(sqlite):
    """Public values in indices and generated columns, also of a database from elsewhere; nothing that takes a secret."""
    c = sqlite.connection
    c.execute("CREATE TABLE t (a, d AS (sm3(a)))")
    c.execute("CREATE INDEX t_sm3 ON t (sm3(a))")
    c.execute("PRAGMA trusted_schema = off")
    c.execute("INSERT INTO t (a) VALUES ('abc')")
    assert c.execute("SELECT count(*) FROM t WHERE sm3(a) = sm3('abc') AND d = sm3(a)").fetchone() == (1,)
    plan = c.execute("EXPLAIN QUERY PLAN SELECT * FROM t WHERE sm3(a) = x'00'").fetchall()
    assert "t_sm3" in str(plan)
    for secret in ["hmac_sm3(a, 'k')", "sm4_encrypt(a, x'')", "sm4_decrypt(a, x'')", "sm4_cbc_encrypt(a, x'', x'')",
                   "sm4_cbc_decrypt(a, x'', x'')", "sm2_sign(a, 'k')", "sm2_decrypt(a, 'k')"]:
        with pytest.raises(sqlite3.OperationalError, match="unsafe use of|prohibited"):
            c.execute(f"CREATE VIEW v AS SELECT {secret} FROM t")
            try:
                c.execute("SELECT * FROM v").fetchall()
            finally:
                c.execute("DROP VIEW v")
    for random in ["sm4_encrypt(a, x'')", "sm2_sign(a, 'k')", "sm2_encrypt(a, 'k')", "kuaimi_version()"]:
        with pytest.raises(sqlite3.OperationalError, match="non-deterministic|prohibited|unsafe"):
            c.execute(f"CREATE INDEX wrong ON t ({random})")
    c.execute("DROP TABLE t")


def test_sm3_agg(sqlite):
    assert sqlite.rows("SELECT sm3_agg(a) = sm3('abc') FROM (SELECT 'a' AS a UNION ALL SELECT NULL UNION ALL SELECT x'6263')") == [(1,)]
    assert sqlite.rows("SELECT sm3_agg(1) FROM (SELECT 1) WHERE 0") == [(None,)]
    groups = sqlite.rows("WITH t(g, a) AS (VALUES (1, 'a'), (2, 'b'), (1, 'c')) SELECT sm3_agg(a) = sm3(group_concat(a, '')) FROM t GROUP BY g")
    assert groups == [(1,), (1,)]


def test_keys_in_columns(sqlite, keys, other_keys):
    """The keys that a connection keeps: hundreds of others come between."""
    c = sqlite.connection
    c.execute("CREATE TEMP TABLE signed (public, private, by)")
    for i in range(300):
        signer = [keys, other_keys][i % 3 == 0]
        c.execute("INSERT INTO signed VALUES (?, ?, ?)", [signer.public + "\n" * i, signer.private, int(signer is keys)])
    signatures = [one.sign(b"data") for one in [other_keys, keys]]
    for _ in range(2):
        rows = c.execute("SELECT by, sm2_verify('data', ?1, public), sm2_verify('data', ?2, public),"
                         " sm2_verify('data', sm2_sign('data', private), public) FROM signed", signatures).fetchall()
        assert len(rows) == 300 and all(row == (row[0], 1 - row[0], row[0], 1) for row in rows)
    c.execute("DROP TABLE signed")


def test_memory_stays(sqlite, keys):
    signature = keys.sign(b"data")

    def succeed():
        sqlite.rows("WITH RECURSIVE i(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM i WHERE i < 200)"
                    " SELECT sm2_verify('data', ?1, ?2 || char(i)), sm2_sign('data', ?3), sm2_sign('data', ?3 || char(10)) FROM i",
                    signature, keys.public + "\n", keys.private)
        sqlite.rows("WITH RECURSIVE i(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM i WHERE i < 2000) SELECT sm3_agg(char(i)) FROM i GROUP BY i")

    def fail():
        for sql in ["SELECT sm3_agg(a) FROM (SELECT 'a' AS a UNION ALL SELECT 1)", "SELECT sm2_decrypt(x'00', ?)"]:
            with pytest.raises(sqlite3.Error):
                sqlite.rows(sql, *([keys.private] if "?" in sql else []))

    def open_and_close():
        other = DOORS["sqlite"]()
        for _ in range(2):  # the second time makes a table
            assert other.rows("SELECT sm2_verify('data', ?, ?)", signature, keys.public) == [(1,)]
        other.connection.close()

    for work, times in [(succeed, 20), (fail, 500), (open_and_close, 200)]:
        for _ in range(times):
            work()
        before = resident()
        for _ in range(5 * times):
            work()
        assert resident() - before < 3000, "kilobytes were lost"


def test_memory_of_a_program_with_one_connection_after_another():
    """Nothing else holds the extension, so that SQLite could unload it."""
    script = """
import sqlite3, sys
from conftest import resident
def work():
    for _ in range(100):
        connection = sqlite3.connect(":memory:")
        connection.enable_load_extension(True)
        connection.load_extension(sys.argv[1])
        connection.execute("SELECT sm2_sign('data', '3945208f7b2144b13f36e38ac6d39f95889393692860b51a42fb81ef4df7c5b8')").fetchall()
        connection.close()
work()
before = resident()
work()
print(resident() - before)
"""
    run = subprocess.run([sys.executable, "-c", script, EXTENSION], capture_output=True, check=True, text=True)
    assert int(run.stdout) < 1000, "kilobytes were lost"


def test_threads_and_connections(keys):
    signature = keys.sign(b"data")
    results = []

    def work():
        door = DOORS["sqlite"]()
        for _ in range(50):
            results.append(door.rows("SELECT sm2_verify('data', ?1, ?2), sm2_verify('date', ?1, ?2)", signature, keys.public))
        door.connection.close()

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [[(1, 0)]] * 200
