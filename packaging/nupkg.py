"""Unpacks a NuGet package, and gives what has a name of chance in it one that is always the same: `nupkg.py PACKAGE FOLDER`."""

import pathlib
import re
import sys
import zipfile

package, folder = sys.argv[1], pathlib.Path(sys.argv[2])
with zipfile.ZipFile(package) as archive:
    archive.extractall(folder)
(properties,) = folder.glob("package/services/metadata/core-properties/*.psmdcp")
properties.rename(properties.with_name("kuaimi.psmdcp"))
relations = folder / "_rels" / ".rels"
text = relations.read_text(encoding="utf-8").replace(properties.name, "kuaimi.psmdcp")
number = iter(range(1, 100))
relations.write_text(re.sub(r'Id="[^"]*"', lambda _: f'Id="R{next(number)}"', text), encoding="utf-8")
