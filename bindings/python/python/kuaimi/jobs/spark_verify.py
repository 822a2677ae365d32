"""Verdicts on tables of signatures, on a cluster: a job for spark-submit.

    spark-submit --master … "$(python -m kuaimi.jobs.spark_verify --path)" --keep row --out hdfs:///verdicts hdfs:///ledger

The rows and the verdicts are as those of `kuaimi verify-batch` (docs/verify-batch.md). All nodes need the package: pip install 'kuaimi[spark]'.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from typing import Any

import kuaimi.spark
from kuaimi import sm2
from kuaimi._engines import columns_of_the_program, need


def _arguments() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="spark_verify.py", description="Verify the SM2 signatures of a table.")
    parser.add_argument("--path", action="store_true", help="print where this file is, for spark-submit, and do nothing else")
    parser.add_argument("input", nargs="*", metavar="INPUT", help="files or folders of rows")
    parser.add_argument("--format", default="parquet", help="the format of INPUT, one that Spark reads [parquet]")
    parser.add_argument("--out", metavar="FOLDER", help="where to write the verdicts; it must not be there yet")
    parser.add_argument("--out-format", default="parquet", help="the format of the verdicts [parquet]")
    parser.add_argument("--failures-only", action="store_true", help="write invalid and malformed rows only")
    parser.add_argument("--keep", metavar="COLUMN,…", help="the columns of INPUT that are written beside valid and reason [all]")
    parser.add_argument("--partitions", type=int, metavar="N", help="first bring the rows of a key together, in N partitions")
    parser.add_argument("--check", action="store_true", help="exit with status 1 if some row is not valid")
    parser.add_argument("--key", metavar="FILE", help="one public key for all rows, read on the driver")
    parser.add_argument("--id", metavar="ID", help="one identity for all rows, in place of a column id")
    for column in ("key", "message", "digest", "signature", "id"):
        parser.add_argument(f"--{column}-column", metavar="NAME", help=f"the column of the {column}")
    for column in ("key", "signature", "digest"):
        parser.add_argument(f"--{column}-encoding", choices=["auto", "hex", "base64", "binary"], help=f"how the {column} is written [auto]")
    for column in ("message", "id"):
        parser.add_argument(f"--{column}-encoding", choices=["text", "hex", "base64"], help=f"what the {column} is [text, as it stands]")
    parser.add_argument("--signature-form", choices=["der", "raw"], help="insist on this structure of the signatures")
    return parser


def _options(arguments: argparse.Namespace) -> dict[str, Any]:
    """What kuaimi.spark.verify_signatures takes."""
    named = {column: getattr(arguments, f"{column}_column") for column in ("key", "message", "digest", "signature", "id")}
    given = vars(arguments)
    named |= {name: given[name] for name in given if name.endswith("_encoding") or name == "signature_form"}
    options = {name: value for name, value in named.items() if value is not None}
    if arguments.key is not None:
        with open(arguments.key, "rb") as file:
            options["public_key"] = sm2.load_public_key(file.read())
    if arguments.id is not None:
        options["identity"] = arguments.id
    return options


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the job; 0 when it is done, 1 with --check when some row is not valid, 2 for wrong options."""
    sql = need("pyspark.sql", "spark")
    functions = need("pyspark.sql.functions", "spark")

    parser = _arguments()
    arguments = parser.parse_args(argv)
    if arguments.path:
        print(__file__)
        return 0
    if not arguments.input or arguments.out is None:
        parser.error("INPUT and --out are needed")
    spark = sql.SparkSession.builder.appName("kuaimi verify").getOrCreate()
    try:
        options = _options(arguments)
        rows = spark.read.format(arguments.format).load(arguments.input)
        if arguments.partitions is not None:
            rows = rows.repartition(arguments.partitions, rows[options.get("key", "key")])
        options = columns_of_the_program(options, rows.columns)
        keep = None if arguments.keep is None else arguments.keep.split(",")
        verdicts = kuaimi.spark.verify_signatures(rows, keep=keep, **options)
    except (kuaimi.Error, TypeError, OSError) as error:
        parser.error(str(error))
    # Counted while they are written, and once even where a task is done again.
    counted = sql.Observation("verdicts")
    count, when = functions.count, functions.when
    verdicts = verdicts.observe(
        counted,
        count(functions.lit(1)).alias("total"),
        count(when(verdicts.valid, 1)).alias("valid"),
        count(when(verdicts.reason.startswith("invalid: "), 1)).alias("invalid"),
        count(when(verdicts.reason.startswith("malformed: "), 1)).alias("malformed"),
    )
    written = verdicts.where(~verdicts.valid) if arguments.failures_only else verdicts
    written.write.format(arguments.out_format).save(arguments.out)
    found = counted.get
    print(json.dumps({"input": arguments.input, **found, "all_valid": found["valid"] == found["total"]}))
    spark.stop()
    return int(arguments.check and found["valid"] != found["total"])


if __name__ == "__main__":
    sys.exit(main())
