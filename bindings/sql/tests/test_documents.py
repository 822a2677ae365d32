"""The SQL of docs/sql.md and its Chinese twin, word for word: a comment behind a statement is its result."""

import re
import shutil
import subprocess
from pathlib import Path

import psycopg
import pytest
from conftest import WORK, DuckDB

DOCS = Path(__file__).parents[3] / "docs"


def blocks(page, database):
    [section] = re.findall(rf"^## {database}$(.*?)(?=^## )", (DOCS / page).read_text(), re.M | re.S)
    return "".join(re.findall(r"^```sql\n(.*?)^```", section, re.M | re.S))


def expected(sql):
    return re.findall(r";  -- (.*)$", sql, re.M)


@pytest.mark.parametrize("page", ["sql.md", "sql.zh-CN.md"])
def test_postgresql(page):
    sql = blocks(page, "PostgreSQL")
    with psycopg.connect("dbname=postgres", autocommit=True) as server:
        server.execute("DROP DATABASE IF EXISTS documents")
        server.execute("CREATE DATABASE documents")
        run = subprocess.run(["psql", "-qXAt", "-v", "ON_ERROR_STOP=1", "documents"], input=sql, capture_output=True, text=True)
        server.execute("DROP DATABASE documents")
        server.execute("DROP ROLE clerk")
    assert run.stderr == "" and run.stdout.splitlines() == expected(sql) and len(expected(sql)) == 8


@pytest.mark.parametrize("page", ["sql.md", "sql.zh-CN.md"])
def test_sqlite(page):
    sql = blocks(page, "SQLite")
    run = subprocess.run(["sqlite3", "-batch"], input=sql, capture_output=True, text=True, cwd=WORK / "kuaimi-build/sqlite")
    assert run.stderr == "" and run.stdout.splitlines() == expected(sql) and len(expected(sql)) == 4


@pytest.mark.parametrize("page", ["sql.md", "sql.zh-CN.md"])
def test_duckdb(page, tmp_path, monkeypatch):
    sql = blocks(page, "DuckDB")
    shutil.copy(WORK / "kuaimi-build/duckdb/kuaimi.duckdb_extension", tmp_path)
    monkeypatch.chdir(tmp_path)
    connection, printed = DuckDB().connection, []
    for statement in connection.extract_statements(sql):
        rows = connection.execute(statement).fetchall()
        if statement.type.name == "SELECT":
            printed += [str(value) for row in rows for value in row]
    assert printed == expected(sql) and len(expected(sql)) == 3


def test_twins():
    """Both pages have the same examples, tables and sections."""
    pages = [(DOCS / name).read_text() for name in ["sql.md", "sql.zh-CN.md"]]
    for database in ["PostgreSQL", "SQLite", "DuckDB"]:
        one, other = [[line for line in blocks(name, database).splitlines() if not line.startswith("-- ")] for name in ["sql.md", "sql.zh-CN.md"]]
        assert one == other
    for pattern in [r"^#+ ", r"^\|", r"^- ", r"^```"]:
        assert len(re.findall(pattern, pages[0], re.M)) == len(re.findall(pattern, pages[1], re.M)), pattern
