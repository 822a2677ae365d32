"""Rows a second and core: the program, Arrow in one process, Spark, Ray, Polars, DataFusion and DuckDB, on the same rows in one run.

    make bench-engines                       all, three times in turn; the best of each
    scripts/engines-run bench.py --rows 1000000 --rounds 1 program arrow spark

Each contender is a process of its own, on one core with one worker and on two with two. A small job and a large one are measured, and what the
large one takes more: so what starts once, or with each job, does not count. A core's rows are those of a second of processor time, of all the contender's processes together: the Java
machine's, the workers' and the object store's too. So other programs on the machine matter less. The times on the wall are beside them.
"""

from __future__ import annotations

import argparse
import json
import os
import pathlib
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from typing import Any

import psutil
import pyarrow as pa
import pyarrow.parquet as pq

import kuaimi.arrow
from kuaimi import sm2

KEYS = 64
Job = Callable[[str], object]


def rows(count: int, text: bool = False) -> pa.Table:
    """Valid rows of a few signers, whose keys and signatures are bytes, or hexadecimal."""
    keys = [sm2.SM2PrivateKey.generate() for _ in range(KEYS)]
    signed = 4096
    messages = [f"{row:032d}".encode() for row in range(signed)]
    signers = [keys[row % KEYS] for row in range(signed)]
    signatures = [signature or b"" for signature in sm2.sign_batch(signers, messages, form="raw")]
    points = [signer.public_key().to_bytes() for signer in signers]

    def column(values: list[bytes]) -> Any:
        array = pa.array([value.hex() for value in values]) if text else pa.array(values)
        places = pa.array([row * 2654435761 % signed for row in range(count)])
        return array.take(places)

    columns = {"row": pa.array(range(count)), "key": column(points), "signature": column(signatures)}
    return pa.table({**columns, "message": pa.array(messages).take(pa.array([row * 2654435761 % signed for row in range(count)]))})


# What is measured. Each gives a job, which is done with all rows of a file.


def program(workers: int, out: str) -> Job:
    command = [os.environ["KUAIMI_PROGRAM"], "verify-batch", "--quiet", "--force", "--threads", str(workers), "--out", f"{out}.parquet"]
    return lambda path: subprocess.run([*command, path], check=True)


def arrow(workers: int, out: str) -> Job:
    tables: dict[str, pa.Table] = {}

    def job(path: str) -> None:
        # The rows are in memory: nothing is read and nothing is written.
        table = tables.setdefault(path, pq.read_table(path))
        kuaimi.arrow.verify_signatures(table, keep=["row"], threads=workers)

    return job


def arrow_files(workers: int, out: str) -> Job:
    def job(path: str) -> None:
        table = pq.read_table(path, use_threads=workers > 1)
        pq.write_table(kuaimi.arrow.verify_signatures(table, keep=["row"], threads=workers), f"{out}.parquet")

    return job


def spark_with(work: Callable[[Any], Any]) -> Callable[[int, str], Job]:
    def contender(workers: int, out: str) -> Job:
        from pyspark.sql import SparkSession

        builder = SparkSession.builder.master(f"local[{workers}]").config("spark.ui.enabled", "false")
        builder = builder.config("spark.log.level", "ERROR").config("spark.driver.host", "127.0.0.1")
        builder = builder.config("spark.sql.files.maxPartitionBytes", "16m").config("spark.sql.execution.arrow.maxRecordsPerBatch", "32768")
        session = builder.getOrCreate()
        return lambda path: work(session.read.parquet(path)).write.format("noop").mode("overwrite").save()

    return contender


def spark_verify(df: Any) -> Any:
    import kuaimi.spark

    return kuaimi.spark.verify_signatures(df, keep=["row"])


def spark_transfer(df: Any) -> Any:
    """To the Python workers and back, as much as verify_signatures sends, without work."""
    return df.select("row", "key", "message", "signature").mapInArrow(lambda batches: (batch.select(["row"]) for batch in batches), "row bigint")


def ray_with(work: Callable[[Any, int], Any]) -> Callable[[int, str], Job]:
    def contender(workers: int, out: str) -> Job:
        import ray
        import ray.data

        # A third for what reads: an actor's CPU is its own as long as it lives.
        ray.init(num_cpus=workers + 1, object_store_memory=1 << 30, include_dashboard=False, log_to_driver=False)
        ray.data.DataContext.get_current().enable_progress_bars = False

        def job(path: str) -> None:
            for _ in work(ray.data.read_parquet(path, override_num_blocks=2 * workers), workers).iter_internal_ref_bundles():
                pass

        return job

    return contender


def ray_verify(ds: Any, workers: int) -> Any:
    import kuaimi.ray

    return kuaimi.ray.verify_signatures(ds, actors=workers, keep=["row"])


class RowNumbers:
    def __call__(self, batch: Any) -> Any:
        return batch.select(["row"])


def ray_transfer(ds: Any, workers: int) -> Any:
    import ray.data

    pool = ray.data.ActorPoolStrategy(size=workers)
    return ds.map_batches(RowNumbers, batch_format="pyarrow", zero_copy_batch=True, batch_size=32_768, compute=pool)


def polars(workers: int, out: str) -> Job:
    import polars as pl

    import kuaimi.polars

    return lambda path: kuaimi.polars.verify_signatures(pl.read_parquet(path), keep=["row"], threads=workers)


def datafusion(workers: int, out: str) -> Job:
    import datafusion

    import kuaimi.datafusion

    context = datafusion.SessionContext(datafusion.SessionConfig().with_target_partitions(workers).with_batch_size(32_768))
    return lambda path: kuaimi.datafusion.verify_signatures(context.read_parquet(path), keep=["row"]).to_arrow_table()


def duckdb(workers: int, out: str) -> Job:
    import duckdb

    import kuaimi.duckdb

    connection = duckdb.connect(config={"threads": workers})
    return lambda path: kuaimi.duckdb.verify_signatures(connection.read_parquet(path), keep=["row"], threads=workers).read_all()


CONTENDERS: dict[str, Callable[[int, str], Job]] = {
    "program": program,
    "arrow": arrow,
    "arrow, files": arrow_files,
    "spark": spark_with(spark_verify),
    "ray": ray_with(ray_verify),
    "polars": polars,
    "datafusion": datafusion,
    "duckdb": duckdb,
    "spark, read": spark_with(lambda df: df.select("row", "key", "message", "signature")),
    "spark, transfer": spark_with(spark_transfer),
    "ray, transfer": ray_with(ray_transfer),
    "arrow, read": lambda workers, out: lambda path: pq.read_table(path, use_threads=workers > 1),
}


def processor_time() -> float:
    """Of this process and all that it has started."""
    total = 0.0
    this = psutil.Process()
    for process in [this, *this.children(recursive=True)]:
        try:
            times = process.cpu_times()
        except psutil.Error:
            continue
        total += times.user + times.system + times.children_user + times.children_system
    return total


def measure(name: str, workers: int, small: str, large: str, difference: int) -> dict[str, float]:
    """In a process of its own: what a large job takes more than a small one, which is what its additional rows take. The least of two."""
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[-workers:])
    with tempfile.TemporaryDirectory() as folder:
        job = CONTENDERS[name](workers, f"{folder}/out")

        def costs(path: str) -> tuple[float, float]:
            wall, processor = time.perf_counter(), processor_time()
            job(path)
            wall = time.perf_counter() - wall
            # Workers that end are counted when their parents have taken notice.
            time.sleep(0.3)
            return wall, processor_time() - processor

        job(small)
        found = [[large - small for large, small in zip(costs(large), costs(small), strict=True)] for _ in range(2)]
    return {kind: difference / max(min(times), 1e-9) for kind, times in zip(("wall", "core"), zip(*found, strict=True), strict=True)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("contender", nargs="*", help="some of: " + "; ".join(CONTENDERS))
    parser.add_argument("--rows", type=int, default=500_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--one", nargs=3, metavar=("NAME", "WORKERS", "FILES"), help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.one:
        name, workers, path = arguments.one
        small, large = path.split(",")
        print(json.dumps(measure(name, int(workers), small, large, arguments.rows)))
        return
    names = arguments.contender or list(CONTENDERS)
    best: dict[tuple[str, int], dict[str, float]] = {}
    with tempfile.TemporaryDirectory() as folder:
        paths = {"": files(arguments.rows, False, folder), ", hexadecimal": files(arguments.rows, True, folder)}
        runs = [(name, "") for name in names] + [("arrow", ", hexadecimal")] * ("arrow" in names)
        for turn in range(arguments.rounds):
            for name, form in runs:
                for workers in (1, 2):
                    command = [sys.executable, __file__, "--rows", str(arguments.rows), "--one", name, str(workers), paths[form]]
                    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
                    if done.returncode != 0:
                        sys.exit(f"{name} failed:\n{done.stderr}")
                    found = json.loads(done.stdout.splitlines()[-1])
                    kept = best.setdefault((name + form, workers), found)
                    best[name + form, workers] = {kind: max(kept[kind], found[kind]) for kind in found}
                    print(f"{turn + 1}: {name + form}, {workers}: {found['wall']:,.0f} rows/s, {found['core']:,.0f} a core", file=sys.stderr, flush=True)
    report(best, arguments)


def files(count: int, text: bool, folder: str) -> str:
    """Two files of which one has so many rows more."""
    paths = []
    for size in (count // 4, count // 4 + count):
        paths.append(f"{folder}/{'hexadecimal' if text else 'bytes'}-{size}.parquet")
        pq.write_table(rows(size, text), paths[-1], row_group_size=1 << 16, use_dictionary=False, compression="zstd")
    return ",".join(paths)


def report(best: dict[tuple[str, int], dict[str, float]], arguments: argparse.Namespace) -> None:
    reference = best.get(("arrow", 1), {}).get("core")
    cpu = next((line.partition(":")[2].strip() for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines() if line.startswith("model name")), "")
    print(f"{cpu}, backend {kuaimi.backend()}, CPython {platform.python_version()}; {arguments.rows:,} rows of {KEYS} keys, best of {arguments.rounds}\n")
    print("| | rows/s and core | of Arrow in one process | µs a row | rows/s on the wall: 1 worker | 2 workers | 2 workers / 1 |")
    print("| --- | ---: | ---: | ---: | ---: | ---: | ---: |")
    for name in dict.fromkeys(name for name, _ in best):
        one, two = best[name, 1], best[name, 2]
        ratio = f"{one['core'] / reference:.2f}" if reference else ""
        print(
            f"| {name} | {one['core']:,.0f} | {ratio} | {1e6 / one['core']:.2f} | {one['wall']:,.0f} | {two['wall']:,.0f} | {two['wall'] / one['wall']:.2f} |"
        )


if __name__ == "__main__":
    main()
