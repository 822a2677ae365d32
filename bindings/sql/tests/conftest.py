"""The three databases with the same face, for the tests of what they have in common."""

import json
import os
import re
import sqlite3
import subprocess
from pathlib import Path

import duckdb
import psycopg
import pytest

WORK = Path(os.environ["KUAIMI_SQL_WORK"])
VECTORS = Path(__file__).parents[3] / "vectors"


class PostgreSQL:
    errors = psycopg.Error
    blob = "bytea"

    def __init__(self):
        self.connection = psycopg.connect("dbname=postgres", autocommit=True)
        self.connection.execute("CREATE EXTENSION IF NOT EXISTS kuaimi")

    def rows(self, sql, *arguments):
        # `binary` has the types of Python's values: bytea for bytes, text for str.
        cursor = self.connection.execute(sql.replace("?", "%b"), arguments)
        return cursor.fetchall() if cursor.description else []


class SQLite:
    errors = sqlite3.Error
    blob = "blob"

    def __init__(self):
        self.connection = sqlite3.connect(":memory:", isolation_level=None)
        self.connection.enable_load_extension(True)
        self.connection.load_extension(str(WORK / "kuaimi-build/sqlite/kuaimi"))

    def rows(self, sql, *arguments):
        return self.connection.execute(sql, arguments).fetchall()


class DuckDB:
    errors = duckdb.Error
    blob = "blob"

    def __init__(self):
        self.connection = duckdb.connect(config={"allow_unsigned_extensions": True})
        self.connection.load_extension(str(WORK / "kuaimi-build/duckdb/kuaimi.duckdb_extension"))

    def rows(self, sql, *arguments):
        return self.connection.execute(sql, arguments).fetchall()


DOORS = {"postgresql": PostgreSQL, "sqlite": SQLite, "duckdb": DuckDB}
opened = {}


def door(name):
    if name not in opened:
        opened[name] = DOORS[name]()
    return opened[name]


@pytest.fixture(params=DOORS)
def database(request):
    return door(request.param)


@pytest.fixture
def call(database):
    """Calls a function with values, and gives its result as Python's value."""

    def call(name, *arguments):
        marks = ", ".join("?" * len(arguments))
        [[result]] = database.rows(f"SELECT {name}({marks})", *arguments)
        # SQLite has no boolean.
        return bool(result) if name == "sm2_verify" and result is not None else result

    call.errors = database.errors
    call.rows = database.rows
    return call


@pytest.fixture
def postgresql():
    return door("postgresql")


@pytest.fixture
def sqlite():
    return door("sqlite")


@pytest.fixture
def duck():
    return door("duckdb")


@pytest.fixture(scope="session")
def vectors():
    return lambda name: json.loads((VECTORS / f"{name}.json").read_text())


def resident(process="self"):
    """The memory of a process, in kilobytes."""
    return int(re.search(r"VmRSS:\s+(\d+)", Path(f"/proc/{process}/status").read_text())[1])


def openssl(*arguments, data=b""):
    return subprocess.run(["openssl", *map(str, arguments)], input=data, capture_output=True, check=True).stdout


class Keys:
    """A key pair of OpenSSL, in files and in the forms that people have."""

    def __init__(self, folder):
        self.folder = folder
        self.private_file, self.public_file = folder / "private.pem", folder / "public.pem"
        openssl("genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:SM2", "-out", self.private_file)
        openssl("pkey", "-in", self.private_file, "-pubout", "-out", self.public_file)
        self.private, self.public = self.private_file.read_text(), self.public_file.read_text()
        self.private_der = openssl("pkey", "-in", self.private_file, "-outform", "DER")
        self.public_der = openssl("pkey", "-pubin", "-in", self.public_file, "-outform", "DER", "-pubout")

    def sign(self, data, identity=b"1234567812345678"):
        (self.folder / "data").write_bytes(data)
        return openssl("pkeyutl", "-sign", "-inkey", self.private_file, "-rawin", "-digest", "sm3", "-in", self.folder / "data",
                       "-pkeyopt", f"hexdistid:{identity.hex()}")

    def verify(self, data, signature, identity=b"1234567812345678"):
        (self.folder / "data").write_bytes(data)
        (self.folder / "signature").write_bytes(signature)
        return subprocess.run(
            ["openssl", "pkeyutl", "-verify", "-pubin", "-inkey", self.public_file, "-rawin", "-digest", "sm3", "-in", self.folder / "data",
             "-sigfile", self.folder / "signature", "-pkeyopt", f"hexdistid:{identity.hex()}"], capture_output=True).returncode == 0

    def encrypt(self, data):
        return openssl("pkeyutl", "-encrypt", "-pubin", "-inkey", self.public_file, data=data)

    def decrypt(self, data):
        return openssl("pkeyutl", "-decrypt", "-inkey", self.private_file, data=data)


@pytest.fixture(scope="session")
def keys(tmp_path_factory):
    return Keys(tmp_path_factory.mktemp("keys"))


@pytest.fixture(scope="session")
def other_keys(tmp_path_factory):
    return Keys(tmp_path_factory.mktemp("other"))
