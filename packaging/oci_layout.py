"""An image in OCI's layout (image-spec 1.0), of one layer a machine: `oci_layout.py FOLDER VERSION COMMIT HOMEPAGE LAYER…`.

LAYER.tar is the layer; the last part of its path names the machine.
"""

import datetime
import gzip
import hashlib
import json
import os
import sys

folder, version, commit, homepage, *layers = sys.argv[1:]
created = datetime.datetime.fromtimestamp(int(os.environ["SOURCE_DATE_EPOCH"]), datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
blobs = os.path.join(folder, "blobs", "sha256")
os.makedirs(blobs)
ARCHITECTURES = {"x86_64": "amd64", "aarch64": "arm64"}
ABOUT = {
    "org.opencontainers.image.title": "kuaimi",
    "org.opencontainers.image.version": version,
    "org.opencontainers.image.revision": commit,
    "org.opencontainers.image.source": homepage,
    "org.opencontainers.image.licenses": "MIT OR Apache-2.0",
}


def put(kind, content):
    """Stores a blob, and gives what names it elsewhere."""
    content = content if isinstance(content, bytes) else json.dumps(content, sort_keys=True).encode()
    name = hashlib.sha256(content).hexdigest()
    with open(os.path.join(blobs, name), "wb") as file:
        file.write(content)
    return {"mediaType": f"application/vnd.oci.image.{kind}", "digest": f"sha256:{name}", "size": len(content)}


manifests = []
for layer in layers:
    with open(layer + ".tar", "rb") as file:
        tar = file.read()
    platform = {"architecture": ARCHITECTURES[os.path.basename(layer)], "os": "linux"}
    config = {
        **platform,
        "created": created,
        "config": {"Entrypoint": ["/usr/bin/kuaimi"], "Cmd": ["--help"], "User": "65534:65534", "WorkingDir": "/work", "Labels": ABOUT},
        "rootfs": {"type": "layers", "diff_ids": ["sha256:" + hashlib.sha256(tar).hexdigest()]},
        "history": [{"created": created, "created_by": "make release"}],
    }
    manifest = {
        "schemaVersion": 2,
        "mediaType": "application/vnd.oci.image.manifest.v1+json",
        "config": put("config.v1+json", config),
        "layers": [put("layer.v1.tar+gzip", gzip.compress(tar, 9, mtime=0))],
        "annotations": ABOUT,
    }
    manifests.append({**put("manifest.v1+json", manifest), "platform": platform})

index = {"schemaVersion": 2, "mediaType": "application/vnd.oci.image.index.v1+json", "manifests": manifests, "annotations": ABOUT}
top = {**put("index.v1+json", index), "annotations": {"org.opencontainers.image.ref.name": version}}
for name, content in (
    ("index.json", {"schemaVersion": 2, "mediaType": "application/vnd.oci.image.index.v1+json", "manifests": [top]}),
    ("oci-layout", {"imageLayoutVersion": "1.0.0"}),
):
    with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
        json.dump(content, file)
