"""What only PostgreSQL has: SQLSTATEs, what the catalogue says, other processes, memory, updates."""

import os
import re
import subprocess
import threading
from pathlib import Path

import psycopg
import pytest
from conftest import WORK, resident
from psycopg import errors

EXTENSIONS = Path(os.environ["KUAIMI_SQL_EXTENSIONS"])
KEY = bytes(range(16))


@pytest.fixture
def connect():
    """Connections that are closed after the test, to a database of its own."""
    made = []

    def connect(**options):
        made.append(psycopg.connect("dbname=own", autocommit=True, **options))
        return made[-1]

    with psycopg.connect("dbname=postgres", autocommit=True) as server:
        server.execute("DROP DATABASE IF EXISTS own WITH (FORCE)")
        server.execute("CREATE DATABASE own")
        connect().execute("CREATE EXTENSION kuaimi")
        yield connect
        for connection in made:
            connection.close()
        server.execute("DROP DATABASE own WITH (FORCE)")


def value(connection, sql, *arguments):
    return connection.execute(sql, arguments or None, binary=True).fetchone()[0]


def test_sqlstates(postgresql, keys):
    for sqlstate, sql in {
        errors.InvalidParameterValue: "sm4_encrypt('', 'short')",
        errors.ExternalRoutineException: "sm4_decrypt('', '0123456789abcdef')",
        errors.UndefinedFunction: "sm3(1)",
    }.items():
        with pytest.raises(sqlstate):
            postgresql.connection.execute(f"SELECT {sql}")
    with pytest.raises(errors.InvalidParameterValue, match="the public key cannot be read"):
        postgresql.rows("SELECT sm2_verify('', '', ?)", "no key")
    with pytest.raises(errors.ExternalRoutineException):
        postgresql.rows("SELECT sm2_decrypt('x', ?)", keys.private)
    with pytest.raises(errors.ProgramLimitExceeded, match="larger than 1 GB"):
        postgresql.connection.execute("SELECT sm4_encrypt(convert_to(repeat('x', (1 << 30) - 30), 'UTF8'), '0123456789abcdef')")


def test_catalogue(postgresql):
    rows = postgresql.connection.execute(
        "SELECT p.proname, p.provolatile, p.proparallel, p.proisstrict FROM pg_proc p JOIN pg_depend d ON d.objid = p.oid"
        " JOIN pg_extension e ON e.oid = d.refobjid WHERE e.extname = 'kuaimi' AND d.deptype = 'e'").fetchall()
    volatility = {name: kind for name, kind, _, _ in rows}
    assert {name for name in volatility if volatility[name] == "v"} == {"sm4_encrypt", "sm2_sign", "sm2_encrypt"}
    assert {name for name in volatility if volatility[name] == "s"} == {"kuaimi_version"}
    assert {parallel for _, _, parallel, _ in rows} == {"s"}
    assert all(strict or name.startswith("sm3_agg") for name, _, _, strict in rows)


def test_text_and_bytea(postgresql):
    c = postgresql.connection
    # A constant without a type is text for sm3, and bytea for all others.
    assert value(c, "SELECT sm3('\\x616263')") != value(c, "SELECT sm3('\\x616263'::bytea)")
    assert value(c, "SELECT sm3('abc')") == value(c, "SELECT sm3('\\x616263'::bytea)")
    assert value(c, "SELECT hmac_sm3('\\x616263', '\\x6b')") == value(c, "SELECT hmac_sm3('abc', 'k')")


def test_stored_values(postgresql):
    """Compressed and in another table, and as short as possible."""
    c = postgresql.connection
    c.execute("CREATE TEMP TABLE stored (data bytea, key bytea)")
    for data in [b"", b"x", bytes(100_000), os.urandom(100_000), bytes(3_000_000)]:
        c.execute("TRUNCATE stored")
        c.execute("INSERT INTO stored VALUES (%b, %b)", [data, KEY])
        assert value(c, "SELECT sm3(data) = sm3(%b) FROM stored", data) is True
        c.execute("UPDATE stored SET data = sm4_encrypt(data, key, 'row 1')")
        assert value(c, "SELECT sm4_decrypt(data, key, 'row 1') FROM stored") == data


def test_sm3_agg(postgresql):
    c = postgresql.connection
    rows = "(SELECT i, decode(lpad(to_hex(i), 8, '0'), 'hex') AS data FROM generate_series(1, 1000) AS i)"
    assert value(c, f"SELECT sm3_agg(data ORDER BY i) = sm3(string_agg(data, '' ORDER BY i)) FROM {rows} AS r") is True
    assert value(c, f"SELECT bool_and(a = b) FROM (SELECT sm3_agg(data ORDER BY i), sm3(string_agg(data, '' ORDER BY i)) FROM {rows} AS r"
                    " GROUP BY i % 7) AS g(a, b)") is True
    # In a window, where the result is asked for while the rows still come.
    assert value(c, f"SELECT bool_and(a = b) FROM (SELECT sm3_agg(data) OVER w, sm3(string_agg(data, '') OVER w) FROM {rows} AS r"
                    " WINDOW w AS (ORDER BY i)) AS g(a, b)") is True
    assert value(c, "SELECT sm3_agg(NULL)") is None
    assert value(c, "SELECT sm3_agg(d) = sm3('ab') FROM (VALUES ('a'::bytea), (NULL), ('b')) AS v(d)") is True
    # Its parts are not for queries.
    with pytest.raises(errors.UndefinedFunction):
        c.execute("SELECT sm3_agg_step(NULL, '')")
    c.execute("CREATE FUNCTION pg_temp.step(bytea, bytea) RETURNS bytea LANGUAGE C AS '$libdir/kuaimi', 'pg_kuaimi_sm3_agg_step'")
    c.execute("CREATE FUNCTION pg_temp.finish(bytea) RETURNS bytea LANGUAGE C AS '$libdir/kuaimi', 'pg_kuaimi_sm3_agg_finish'")
    for call in ["step('', '')", "finish('')"]:
        with pytest.raises(errors.InvalidParameterValue, match="the aggregate sm3_agg alone"):
            c.execute(f"SELECT pg_temp.{call}")


def test_prepared_statement_with_changing_keys(postgresql, keys, other_keys):
    """The keys that one call keeps, through hundreds of others and back."""
    c = postgresql.connection
    signatures = {one: value(c, "SELECT sm2_sign('data', %s)", one.private) for one in [keys, other_keys]}
    c.execute("CREATE TEMP TABLE signed (i int, public text, signature bytea, right_one boolean)")
    many = [keys.public + "\n" * i for i in range(200)]  # the same key, in other bytes
    for i, public in enumerate(many):
        c.execute("INSERT INTO signed VALUES (%b, %b, %b, true)", [2 * i, public, signatures[keys]])
        c.execute("INSERT INTO signed VALUES (%b, %b, %b, %b)", [2 * i + 1, other_keys.public, signatures[[keys, other_keys][i % 2]], i % 2 == 1])
    for _ in range(2):
        assert c.execute("SELECT i FROM signed WHERE sm2_verify('data', signature, public) <> right_one").fetchall() == []


PARALLEL = [
    "SET parallel_setup_cost = 0", "SET parallel_tuple_cost = 0", "SET min_parallel_table_scan_size = 0", "SET max_parallel_workers_per_gather = 2",
]


def test_parallel_workers(connect, keys):
    c = connect()
    c.execute("CREATE TABLE many AS SELECT i, sm3(i::text) AS data FROM generate_series(1, 3000) AS i")
    c.execute("ALTER TABLE many SET (parallel_workers = 2)")
    c.execute("ANALYZE many")
    signature = keys.sign(b"data")
    for setting in PARALLEL:
        c.execute(setting)
    query = f"SELECT count(*) FILTER (WHERE sm2_verify('data', '\\x{signature.hex()}', '{keys.public}')), count(DISTINCT sm3(data)) FROM many"
    plain = query.replace(", count(DISTINCT sm3(data))", "")
    plan = "\n".join(row[0] for row in c.execute("EXPLAIN (ANALYZE) " + plain).fetchall())
    assert re.search("Workers Launched: [12]", plan), plan
    assert c.execute(query).fetchone() == (3000, 3000)
    # Nonces of the workers and of this process: none twice.
    nonces = f"SELECT substr(sm4_encrypt(data, '\\x{KEY.hex()}'), 1, 12) AS nonce FROM many"
    plan = "\n".join(row[0] for row in c.execute("EXPLAIN (ANALYZE) " + nonces).fetchall())
    assert re.search("Workers Launched: [12]", plan), plan
    assert c.execute(f"SELECT count(DISTINCT nonce), count(*) FROM ({nonces}) AS n").fetchone() == (3000, 3000)


def test_processes_never_share_randomness(connect, keys):
    """Many server processes at the same time: nonces of SM4-GCM, r of signatures, and the point of ciphertexts."""
    found, failures = [], []

    def work(connection):
        try:
            found.extend(connection.execute(
                "SELECT substr(sm4_encrypt('', '0123456789abcdef'), 1, 12) FROM generate_series(1, 200)"
                f" UNION ALL SELECT sm2_sign('data', '{keys.private}') FROM generate_series(1, 200)"
                f" UNION ALL SELECT substr(sm2_encrypt('data', '{keys.public}'), 1, 65) FROM generate_series(1, 200)").fetchall())
        except Exception as failure:
            failures.append(failure)

    threads = [threading.Thread(target=work, args=[connect()]) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    assert len(found) == len(set(found)) == 8 * 600


@pytest.mark.parametrize("case", ["keys", "errors", "caught", "groups"])
def test_memory_stays(connect, keys, case):
    """Handles are the library's memory, which PostgreSQL does not see: of queries that end, and of queries that fail."""
    c = connect()
    signature = keys.sign(b"data")
    statements = {
        "keys": f"SELECT sm2_verify('data', '\\x{signature.hex()}', '{keys.public}' || repeat(E'\\n', i % 50)) FROM generate_series(1, 200) AS i",
        "errors": f"SELECT sm2_verify('data', '\\x{signature.hex()}', '{keys.public}'), sm3_agg(sm4_decrypt(CASE WHEN i < 100"
                  " THEN sm4_encrypt('x', '0123456789abcdef') ELSE 'wrong' END, '0123456789abcdef')) FROM generate_series(1, 200) AS i",
        # Many failures in one statement.
        "caught": "DO $$ BEGIN FOR i IN 1..500 LOOP BEGIN PERFORM sm4_decrypt(repeat('x', 40)::bytea, '0123456789abcdef');"
                  f" EXCEPTION WHEN external_routine_exception THEN END; BEGIN PERFORM sm2_decrypt('x', '{keys.private}');"
                  " EXCEPTION WHEN external_routine_exception THEN END; END LOOP; END $$",
        # It fails with the digests of all groups in progress.
        "groups": "SELECT sm3_agg(i::text::bytea), 1 / (max(i) - 500) FROM generate_series(1, 500) AS i GROUP BY i",
    }
    expected = {"errors": errors.ExternalRoutineException, "groups": errors.DivisionByZero}.get(case)

    def run(times):
        for _ in range(times):
            try:
                c.execute(statements[case])
                assert expected is None
            except psycopg.Error as error:
                assert expected is not None and isinstance(error, expected), error

    run(20)
    process = value(c, "SELECT pg_backend_pid()")
    before = resident(process)
    run(150)
    assert resident(process) - before < 3000, "kilobytes were lost"


def test_statement_log(connect, keys):
    """What docs/sql.md says: a parameter does not reach the server's log with an error, and a constant does."""
    log = WORK / "data/log"
    c = connect()
    secret = keys.private.split("\n")[2]
    start = log.stat().st_size
    with pytest.raises(errors.DivisionByZero):
        c.execute("SELECT sm2_sign('data', %b), 1 / %b", [keys.private, 0])
    added = log.read_bytes()[start:].decode()
    assert "division by zero" in added and secret not in added
    with pytest.raises(errors.DivisionByZero):
        c.execute(f"SELECT sm2_sign('data', '{keys.private}'), 1 / 0 FROM pg_class")
    assert secret in log.read_bytes()[start:].decode()


def test_update(connect):
    """A later version adds its objects in a script from this version, and what uses the extension stays."""
    script = EXTENSIONS / "kuaimi--0.1.0--0.1.1.sql"
    script.write_text("CREATE FUNCTION sm3_later(data bytea) RETURNS bytea LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE"
                      " AS 'MODULE_PATHNAME', 'pg_kuaimi_sm3';\n")
    try:
        c = connect()
        c.execute("CREATE TABLE t AS SELECT i, i::text AS data FROM generate_series(1, 100) AS i")
        c.execute("CREATE INDEX t_sm3 ON t (sm3(data))")
        c.execute("CREATE VIEW v AS SELECT i, sm3(data) AS digest FROM t")
        c.execute("ALTER EXTENSION kuaimi UPDATE TO '0.1.1'")
        assert value(c, "SELECT extversion FROM pg_extension WHERE extname = 'kuaimi'") == "0.1.1"
        assert value(c, "SELECT sm3_later('abc') = sm3('abc')") is True
        c.execute("SET enable_seqscan = off")
        assert "t_sm3" in str(c.execute("EXPLAIN SELECT i FROM t WHERE sm3(data) = '\\x00'").fetchall())
        assert value(c, "SELECT i FROM t WHERE sm3(data) = sm3('7')") == 7
        assert value(c, "SELECT count(*) FROM v JOIN t USING (i) WHERE digest = sm3(data)") == 100
        with pytest.raises(errors.DependentObjectsStillExist):
            c.execute("DROP EXTENSION kuaimi")
        c.execute("DROP EXTENSION kuaimi CASCADE")
        assert value(c, "SELECT count(*) FROM pg_proc WHERE proname LIKE 'sm_\\_%' OR proname LIKE '%kuaimi%'") == 0
    finally:
        script.unlink()


def test_who_may_install(connect):
    """A user who may create objects in the database installs it without being a superuser, in a schema of choice."""
    c = connect()
    c.execute("DROP EXTENSION kuaimi")
    c.execute("DROP ROLE IF EXISTS plain")
    c.execute("CREATE ROLE plain LOGIN")
    c.execute("GRANT CREATE ON DATABASE own TO plain")
    c.execute("SET ROLE plain")
    c.execute("CREATE SCHEMA gm")
    c.execute("CREATE EXTENSION kuaimi SCHEMA gm")
    assert len(value(c, "SELECT gm.sm3('abc')")) == 32
    c.execute("DROP EXTENSION kuaimi")
    c.execute("RESET ROLE")
    c.execute("DROP OWNED BY plain CASCADE")
    c.execute("DROP ROLE plain")


def test_dump_and_restore(connect):
    c = connect()
    c.execute("CREATE TABLE t (data text, digest bytea GENERATED ALWAYS AS (sm3(data)) STORED)")
    c.execute("INSERT INTO t VALUES ('abc')")
    dump = subprocess.run(["pg_dump", "own"], capture_output=True, check=True, text=True).stdout
    assert 'CREATE EXTENSION IF NOT EXISTS kuaimi' in dump and "CREATE FUNCTION" not in dump
    c.execute("DROP TABLE t")
    c.execute("DROP EXTENSION kuaimi")
    subprocess.run(["psql", "-qX", "-v", "ON_ERROR_STOP=1", "own"], input=dump, check=True, text=True, stdout=subprocess.DEVNULL)
    assert value(c, "SELECT digest = public.sm3('abc') FROM public.t") is True


def test_static_library(connect):
    """The module that was built with KUAIMI=kuaimi-static works beside the other one, and exports nothing of the library."""
    module = WORK / "kuaimi-static-build/postgresql/kuaimi.so"
    c = connect()
    c.execute(f"CREATE FUNCTION static_sm3(bytea) RETURNS bytea LANGUAGE C STRICT AS '{module}', 'pg_kuaimi_sm3'")
    assert value(c, "SELECT static_sm3('abc') = sm3('abc')") is True
    exported = subprocess.run(["nm", "-D", "--defined-only", module], capture_output=True, check=True, text=True).stdout.split()[2::3]
    assert [name for name in exported if not re.match("(pg_finfo_)?pg_kuaimi_|Pg_magic_func", name)] == []
