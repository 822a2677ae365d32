"""A ZIP archive of files and folders, the same bytes wherever it is made: `zip_folder.py ARCHIVE FOLDER NAME…`.

Names are sorted, times are SOURCE_DATE_EPOCH's, and modes are 644 or 755.
"""

import os
import sys
import time
import zipfile

archive, folder, *names = sys.argv[1:]
# ZIP counts from 1980, in steps of two seconds.
moment = time.gmtime(max(int(os.environ["SOURCE_DATE_EPOCH"]), 315532800))[:6]
files = []
for name in names:
    path = os.path.join(folder, name)
    files += [path] if os.path.isfile(path) else sorted(os.path.join(place, file) for place, _, inside in os.walk(path) for file in inside)
with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as written:
    for path in files:
        entry = zipfile.ZipInfo(os.path.relpath(path, folder).replace(os.sep, "/"), moment)
        entry.create_system = 3
        entry.external_attr = (0o100755 if os.access(path, os.X_OK) else 0o100644) << 16
        entry.compress_type = zipfile.ZIP_DEFLATED
        with open(path, "rb") as content:
            written.writestr(entry, content.read())
