"""Spark: verdicts, killed Python workers and executors, memory, secrets, the job for spark-submit."""

from __future__ import annotations

import contextlib
import io
import json
import os
import pathlib
import subprocess
import sys
from collections.abc import Callable, Iterator
from typing import Any

import psutil
import pyarrow as pa
import pyarrow.parquet as pq
import pyspark
import pytest
import rows
from conftest import Killer, Ledger, Peak, descendants, works_with_kuaimi
from pyspark.sql import SparkSession
from secret_key import Secret

import kuaimi.spark
from kuaimi import sm2, sm3, sm9
from kuaimi.secrets import SecretFile

Starting = Callable[..., SparkSession]


@pytest.fixture(scope="module", autouse=True)
def home(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """Spark's folder, in which a cluster on one machine also keeps its logs: a new one, of links."""
    folder = tmp_path_factory.mktemp("spark")
    for entry in pathlib.Path(pyspark.__file__).parent.iterdir():
        if entry.name != "work":
            (folder / entry.name).symlink_to(entry)
    os.environ["SPARK_HOME"] = str(folder)
    return folder


@pytest.fixture
def start(tmp_path: pathlib.Path) -> Iterator[Starting]:
    """Starts Spark, which ends with the test."""
    sessions = []

    def starting(master: str, **settings: str) -> SparkSession:
        builder = SparkSession.builder.master(master).config("spark.ui.enabled", "false").config("spark.driver.host", "127.0.0.1")
        builder = builder.config("spark.sql.warehouse.dir", str(tmp_path / "warehouse")).config("spark.sql.files.maxPartitionBytes", "4m")
        for name, value in settings.items():
            builder = builder.config(name.replace("__", "."), value)
        session = builder.getOrCreate()
        sessions.append(session)
        return session

    yield starting
    for session in sessions:
        session.stop()


def workers() -> list[psutil.Process]:
    """Python workers that have verified something."""
    return [process for process in descendants("pyspark") if works_with_kuaimi(process)]


def test_verdicts_are_the_programs(start: Starting, ledger: Ledger, tmp_path: pathlib.Path) -> None:
    spark = start("local[2]")
    df = spark.read.parquet(str(ledger.path))
    verdicts = kuaimi.spark.verify_signatures(df, id="id", keep=["row"])
    assert verdicts.columns == ["row", "valid", "reason"]
    verdicts.write.parquet(str(tmp_path / "out"))
    ledger.compare(pq.read_table(tmp_path / "out"))
    # By key, so that tables pay; with all columns.
    verdicts = kuaimi.spark.verify_signatures(df.repartition(4, "key"), id="id")
    assert verdicts.columns == [*df.columns, "valid", "reason"]
    verdicts.select("row", "valid", "reason").write.parquet(str(tmp_path / "by-key"))
    ledger.compare(pq.read_table(tmp_path / "by-key"))


def test_bytes(start: Starting, binary_ledger: Ledger) -> None:
    spark = start("local[2]", spark__sql__execution__arrow__maxRecordsPerBatch="1000")
    verdicts = kuaimi.spark.verify_signatures(spark.read.parquet(str(binary_ledger.path)), id="id", keep=["row"])
    binary_ledger.compare(verdicts.toArrow())


def test_killed_workers(start: Starting, ledger: Ledger, tmp_path: pathlib.Path) -> None:
    """Python workers are killed while they work. Spark does their tasks again; nothing is lost, and nothing comes twice."""
    spark = start("local[2,8]", spark__sql__execution__arrow__maxRecordsPerBatch="2000")
    verdicts = kuaimi.spark.verify_signatures(spark.read.parquet(str(ledger.path)), id="id", keep=["row"])
    with Killer(workers, 2) as killer:
        verdicts.write.parquet(str(tmp_path / "out"))
    assert killer.killed
    ledger.compare(pq.read_table(tmp_path / "out"))


def test_killed_executor(start: Starting, ledger: Ledger, tmp_path: pathlib.Path) -> None:
    """An executor of two is killed, with its Python workers: Spark's own cluster on one machine starts another."""
    spark = start(
        "local-cluster[2,1,1024]",
        spark__executor__memory="512m",
        spark__sql__execution__arrow__maxRecordsPerBatch="2000",
        spark__executorEnv__PYTHONPATH=os.environ["PYTHONPATH"],
    )

    def executors() -> list[psutil.Process]:
        busy = {parent.pid for worker in workers() for parent in worker.parents()}
        return [process for process in descendants("CoarseGrainedExecutorBackend") if process.name() == "java" and process.pid in busy]

    verdicts = kuaimi.spark.verify_signatures(spark.read.parquet(str(ledger.path)), id="id", keep=["row"])
    with Killer(executors, 1) as killer:
        verdicts.write.parquet(str(tmp_path / "out"))
    assert killer.killed
    ledger.compare(pq.read_table(tmp_path / "out"))


def test_memory_is_bounded(start: Starting, tmp_path: pathlib.Path) -> None:
    """The memory of a Python worker does not grow with the number of rows, in one task."""
    spark = start("local[1]", spark__sql__files__maxPartitionBytes="1g", spark__python__worker__reuse="false")
    peaks = []
    for count in (100_000, 400_000):
        table, _ = rows.ledger(count)
        path = rows.write(table, tmp_path / f"{count}.parquet")
        df = spark.read.parquet(str(path))
        assert df.rdd.getNumPartitions() == 1
        with Peak(workers) as peak:
            kuaimi.spark.verify_signatures(df, id="id", keep=["row"]).write.parquet(str(tmp_path / f"out-{count}"))
        assert peak.bytes
        peaks.append(peak.bytes)
    print("peak memory of a Python worker, MiB:", [peak >> 20 for peak in peaks])
    assert peaks[1] < peaks[0] + (64 << 20)


SIGN = """
import pathlib, sys
from pyspark.sql import SparkSession
from pyspark.cloudpickle import dumps
import kuaimi.spark
from kuaimi.secrets import SecretFile

plain, encrypted, password, damaged, out = sys.argv[1:]
spark = SparkSession.builder.config("spark.ui.enabled", "false").config("spark.driver.host", "127.0.0.1").getOrCreate()
spark.sparkContext.setLogLevel("DEBUG")
df = spark.createDataFrame([(f"m{row}",) for row in range(1000)], "message string")

closures = []
original = type(df).mapInArrow
def spying(self, function, schema):
    closures.append(dumps(function))
    return original(self, function, schema)
type(df).mapInArrow = spying

for name, key, words in (("plain", plain, None), ("encrypted", encrypted, password)):
    signed = kuaimi.spark.sign_column(df, SecretFile(key), password=words and SecretFile(words), form="raw")
    signed.explain(True)
    print(signed._jdf.queryExecution().toString(), signed)
    signed.write.parquet(f"{out}/{name}")
for key, words in ((damaged, None), (encrypted, plain)):
    try:
        kuaimi.spark.sign_column(df, SecretFile(key), password=words and SecretFile(words)).collect()
        sys.exit("signed with no key")
    except Exception as error:
        print("as expected:", error)
pathlib.Path(f"{out}/closures").write_bytes(b"".join(closures))
"""


def test_keys_are_nowhere(home: pathlib.Path, tmp_path: pathlib.Path) -> None:
    """Not in plans, not in what is pickled, not in the logs of driver, executors and workers at the level DEBUG, and not in errors."""
    secret = Secret(tmp_path)
    out = tmp_path / "out"
    out.mkdir()
    before = set(home.glob("work/*"))
    program = tmp_path / "sign.py"
    program.write_text(SIGN)
    log = tmp_path / "log4j2.properties"
    log.write_text(
        "rootLogger.level = debug\nrootLogger.appenderRef.stderr.ref = stderr\nappender.stderr.type = Console\nappender.stderr.name = stderr\n"
        "appender.stderr.target = SYSTEM_ERR\nappender.stderr.layout.type = PatternLayout\nappender.stderr.layout.pattern = %d %p %c: %m%n%ex\n"
    )
    submit = pathlib.Path(pyspark.__file__).parent / "bin/spark-submit"
    java = f"-Dlog4j2.configurationFile=file:{log}"
    command = [submit, "--master", "local-cluster[1,1,1024]", "--conf", "spark.executor.memory=512m", "--driver-java-options", java]
    command += ["--conf", f"spark.executor.extraJavaOptions={java}", "--conf", f"spark.executorEnv.PYTHONPATH={os.environ['PYTHONPATH']}"]
    command += [program, secret.plain, secret.encrypted, secret.password_file, secret.damaged, out]
    done = subprocess.run([str(part) for part in command], capture_output=True, cwd=tmp_path, check=False)
    assert done.returncode == 0, done.stdout[-2000:]
    assert done.stdout.count(b"as expected:") == 2 and b"WrongPassword" in done.stdout
    assert b"MapInArrow" in done.stdout and b"DEBUG" in done.stderr
    applications = set(home.glob("work/*")) - before
    logs = [path.read_bytes() for application in applications for path in application.rglob("std*")]
    assert any(b"DEBUG" in text for text in logs), "there is no log of an executor"
    closures = (out / "closures").read_bytes()
    assert b"encrypted.pem" in closures
    secret.assert_absent("plans and errors", done.stdout)
    secret.assert_absent("the driver's log", done.stderr)
    secret.assert_absent("the executors' logs", *logs)
    secret.assert_absent("what is pickled", closures)
    for name in ("plain", "encrypted"):
        table = pq.read_table(out / name)
        messages = table["message"].combine_chunks().cast(pa.binary())
        assert list(sm2.verify_batch(secret.key.public_key(), messages, table["signature"].combine_chunks())) == [True] * 1000


def test_hashes_and_sm9(start: Starting) -> None:
    spark = start("local[2]")
    df = spark.createDataFrame([("abc",), (None,)], "message string")
    found = kuaimi.spark.sm3_column(df).collect()
    assert [row.sm3 for row in found] == [bytearray(sm3.digest(b"abc")), None]
    centre = sm9.MasterSigningKey.generate()
    signature = centre.extract("alice").sign(b"one")
    df = spark.createDataFrame([(name, "one", signature) for name in ("alice", "bob", None)], "identity string, message string, signature binary")
    found = kuaimi.spark.sm9_verify_column(df, centre.public_key(), keep=["identity"]).collect()
    assert [row.valid for row in found] == [True, False, False]
    assert [str(row.reason).partition(":")[0] for row in found] == ["None", "invalid", "malformed"]


def test_what_does_not_fit_is_said_at_once(start: Starting) -> None:
    df = start("local[1]").createDataFrame([(1, "m", "s", "k")], "id int, message string, signature string, key string")
    with pytest.raises(kuaimi.InvalidArgument, match="'pubkey' is not there; there are: 'id', 'message'"):
        kuaimi.spark.verify_signatures(df, key="pubkey")
    with pytest.raises(TypeError, match="'id' is of int"):
        kuaimi.spark.verify_signatures(df, id="id")
    with pytest.raises(kuaimi.InvalidArgument, match="'signature' already"):
        kuaimi.spark.sign_column(df, SecretFile("key.pem"))


def job(*arguments: Any) -> subprocess.CompletedProcess[str]:
    submit = pathlib.Path(pyspark.__file__).parent / "bin/spark-submit"
    path = subprocess.run([sys.executable, "-m", "kuaimi.jobs.spark_verify", "--path"], capture_output=True, text=True, check=True).stdout.strip()
    settings = ["--master", "local[2]", "--conf", "spark.ui.enabled=false", "--conf", "spark.driver.host=127.0.0.1"]
    command = [str(part) for part in (submit, *settings, path, *arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_job(ledger: Ledger, tmp_path: pathlib.Path) -> None:
    done = job("--id-column", "id", "--keep", "row", "--partitions", 4, "--check", "--out", tmp_path / "out", ledger.path)
    assert done.returncode == 1, done.stderr
    ledger.compare(pq.read_table(tmp_path / "out"))
    summary = json.loads(done.stdout.splitlines()[-1])
    valid = sum(ledger.verdicts["valid"].to_pylist())
    assert (summary["total"], summary["valid"], summary["all_valid"]) == (ledger.count, valid, False)
    assert summary["valid"] + summary["invalid"] + summary["malformed"] == summary["total"]


def test_job_failures(binary_ledger: Ledger, tmp_path: pathlib.Path) -> None:
    done = job("--id-column", "id", "--keep", "row", "--failures-only", "--out", tmp_path / "out", binary_ledger.path)
    assert done.returncode == 0, done.stderr
    rows_out = sorted(pq.read_table(tmp_path / "out")["row"].to_pylist())
    assert rows_out == [row + 1 for row, valid in enumerate(binary_ledger.verdicts["valid"].to_pylist()) if not valid]
    # Spark gives both of a program's streams as one.
    for arguments, said in (([], "--out are needed"), (["--out", tmp_path / "2", "--key-column", "pubkey", binary_ledger.path], "'pubkey' is not there")):
        done = job(*arguments)
        assert done.returncode == 2 and said in done.stdout and "Traceback" not in done.stdout, done.stdout


def test_plans_name_no_key_object(start: Starting) -> None:
    """A key itself is refused before there is a plan; the error does not show it."""
    df = start("local[1]").createDataFrame([("m",)], "message string")
    key = sm2.SM2PrivateKey.generate()
    for wrong in (key, key.to_bytes(), key.to_bytes().hex()):
        with pytest.raises(TypeError) as caught:
            kuaimi.spark.sign_column(df, wrong)  # type: ignore[arg-type]
        assert key.to_bytes().hex() not in str(caught.value) and "kuaimi.secrets" in str(caught.value)
    output = io.StringIO()
    with contextlib.redirect_stdout(output):
        kuaimi.spark.sign_column(df, SecretFile("key.pem")).explain(True)
    assert "MapInArrow" in output.getvalue()
