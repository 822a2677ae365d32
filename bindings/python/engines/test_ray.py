"""Ray Data, with two workers: verdicts, killed actors, memory, secrets."""

from __future__ import annotations

import pathlib
import time
from collections.abc import Iterator

import psutil
import pyarrow.parquet as pq
import pytest
import ray
import ray.data
import rows
from conftest import Killer, Ledger, Peak, descendants, works_with_kuaimi
from secret_key import Secret

import kuaimi.ray
from kuaimi import sm2, sm9
from kuaimi.secrets import SecretFile


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[pathlib.Path]:
    folder = pathlib.Path("/tmp") / f"kuaimi-ray-{time.time_ns():x}"  # The paths of sockets are short.
    ray.init(num_cpus=3, object_store_memory=512 << 20, include_dashboard=False, log_to_driver=False, _temp_dir=str(folder))
    ray.data.DataContext.get_current().enable_progress_bars = False
    yield folder
    ray.shutdown()


def actors() -> list[psutil.Process]:
    return [process for process in descendants("ray::") if works_with_kuaimi(process)]


def test_verdicts_are_the_programs(cluster: pathlib.Path, ledger: Ledger, tmp_path: pathlib.Path) -> None:
    ds = kuaimi.ray.verify_signatures(ray.data.read_parquet(str(ledger.path)), actors=2, id="id", keep=["row"])
    ds.write_parquet(str(tmp_path / "out"))
    ledger.compare(pq.read_table(tmp_path / "out"))


def test_killed_actors(cluster: pathlib.Path, ledger: Ledger, tmp_path: pathlib.Path) -> None:
    """An actor is killed while it works, twice. Nothing is lost, and nothing comes twice."""
    ds = ray.data.read_parquet(str(ledger.path), override_num_blocks=16)
    ds = kuaimi.ray.verify_signatures(ds, actors=2, batch_size=4096, id="id", keep=["row"])
    with Killer(actors, 2) as killer:
        ds.write_parquet(str(tmp_path / "out"))
    assert killer.killed
    ledger.compare(pq.read_table(tmp_path / "out"))


def test_the_actor_for_map_batches(cluster: pathlib.Path, binary_ledger: Ledger) -> None:
    ds = ray.data.read_parquet(str(binary_ledger.path)).map_batches(
        kuaimi.ray.SignatureVerifier,
        fn_constructor_kwargs={"id": "id", "keep": ["row"]},
        batch_format="pyarrow",
        zero_copy_batch=True,
        compute=ray.data.ActorPoolStrategy(size=2),
    )
    found = [ray.get(table) for table in ds.to_arrow_refs()]
    binary_ledger.compare(rows.pa.concat_tables(found))


def test_memory_is_bounded(cluster: pathlib.Path, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The memory of an actor, beside the blocks in the object store, does not grow with the number of rows, but with Ray's blocks."""
    context = ray.data.DataContext.get_current()
    monkeypatch.setattr(context, "target_max_block_size", 16 << 20)
    peaks = []
    for count in (100_000, 400_000):
        table, _ = rows.ledger(count)
        path = rows.write(table, tmp_path / f"{count}.parquet")
        ds = kuaimi.ray.verify_signatures(ray.data.read_parquet(str(path)), actors=1, keep=["row"])
        with Peak(actors) as peak:
            ds.write_parquet(str(tmp_path / f"out-{count}"))
        assert peak.bytes
        peaks.append(peak.bytes)
    print("peak memory of an actor, MiB:", [peak >> 20 for peak in peaks])
    assert peaks[1] < peaks[0] + (64 << 20)


def test_keys_are_nowhere(cluster: pathlib.Path, tmp_path: pathlib.Path) -> None:
    secret = Secret(tmp_path)
    ds = ray.data.from_items([{"message": f"m{row}"} for row in range(1000)])
    signed = kuaimi.ray.sign_column(ds, SecretFile(str(secret.encrypted)), password=SecretFile(str(secret.password_file)), form="raw", actors=1)
    table = rows.pa.concat_tables([ray.get(part) for part in signed.to_arrow_refs()])
    verdicts = sm2.verify_batch(secret.key.public_key(), table["message"].cast("binary"), table["signature"].combine_chunks())
    assert list(verdicts) == [True] * 1000
    wrong = kuaimi.ray.sign_column(ds, SecretFile(str(secret.damaged)), actors=1)
    with pytest.raises(Exception, match="FormatError|PEM|Base64") as caught:
        wrong.materialize()
    texts = [repr(signed), str(signed), str(caught.getrepr()), repr(signed._logical_plan.dag), str(signed.stats())]
    closure = ray.cloudpickle.dumps((kuaimi.ray.Actor, signed._logical_plan.dag))
    secret.assert_absent("Ray's plan, errors and closures", *[text.encode() for text in texts], closure)
    logs = [path.read_bytes() for path in cluster.rglob("*") if path.is_file() and not path.is_socket()]
    assert any(logs)
    secret.assert_absent("Ray's logs", *logs)


def test_sm3_and_sm9(cluster: pathlib.Path) -> None:
    ds = kuaimi.ray.sm3_column(ray.data.from_items([{"message": "abc"}]))
    assert ds.take_all()[0]["sm3"].hex().startswith("66c7f0f4")
    centre = sm9.MasterSigningKey.generate()
    signature = centre.extract("alice").sign(b"one")
    items = [{"identity": name, "message": b"one", "signature": signature} for name in ("alice", "bob")]
    verdicts = kuaimi.ray.sm9_verify_column(ray.data.from_items(items), centre.public_key(), keep=["identity"]).take_all()
    assert sorted((row["identity"], row["valid"]) for row in verdicts) == [("alice", True), ("bob", False)]
