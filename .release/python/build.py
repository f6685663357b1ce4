"""Builds the wheels of a release, with Python's standard library alone: petstore_sandbox, and petstore_sandbox_binary for
each platform with the binary that goreleaser has built. The same commit gives the same bytes.

    python3 .release/python/build.py DIST

DIST is goreleaser's directory; the wheels are in its directory python afterwards.
"""

import base64
import hashlib
import json
import re
import shutil
import subprocess
import sys
import time
import zipfile
from pathlib import Path

HERE = Path(__file__).parent
TOP = HERE.parents[1]

# The platforms of wheels, by those of Go. The binaries are static, so any Linux will do.
PLATFORMS = {
    "linux_amd64": "manylinux_2_17_x86_64.manylinux2014_x86_64.musllinux_1_1_x86_64",
    "linux_arm64": "manylinux_2_17_aarch64.manylinux2014_aarch64.musllinux_1_1_aarch64",
    "darwin_amd64": "macosx_12_0_x86_64",
    "darwin_arm64": "macosx_12_0_arm64",
    "windows_amd64": "win_amd64",
    "windows_arm64": "win_arm64",
}

METADATA = """\
Metadata-Version: 2.1
Name: {name}
Version: {version}
Summary: {summary}
License: MIT
Requires-Python: >=3.11
{more}Description-Content-Type: text/markdown

{text}"""


class Wheel:
    """A wheel while it is written: a zip file with a list of its files."""

    def __init__(self, out, name, version, tags, date):
        self._info = f"{name}-{version}.dist-info"
        self._date, self._record = date, []
        pure, python = tags == "any", "py3-none-"
        self._zip = zipfile.ZipFile(out / f"{name}-{version}-{python}{tags}.whl", "w", zipfile.ZIP_DEFLATED)
        self._about = f"Wheel-Version: 1.0\nGenerator: petstore\nRoot-Is-Purelib: {str(pure).lower()}\n"
        self._about += "".join(f"Tag: {python}{tag}\n" for tag in tags.split("."))

    def add(self, name, data, mode=0o644):
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).decode().rstrip("=")
        self._record.append(f"{name},sha256={digest},{len(data)}\n")
        self._write(name, data, mode)

    def about(self, name, text):
        """Adds a file about the package."""
        self.add(f"{self._info}/{name}", text.encode())

    def close(self):
        self.about("WHEEL", self._about)
        self.about("LICENSE", (TOP / "LICENSE").read_text())
        record = f"{self._info}/RECORD"
        self._write(record, "".join([*self._record, f"{record},,\n"]).encode(), 0o644)
        self._zip.close()
        print(self._zip.filename)

    def _write(self, name, data, mode):
        entry = zipfile.ZipInfo(name, self._date)
        entry.external_attr = (0o100000 | mode) << 16
        entry.compress_type = zipfile.ZIP_DEFLATED
        entry.create_system = 3  # Unix, so that the mode counts
        self._zip.writestr(entry, data)


def version_of(semantic):
    """Returns a version of Semantic Versioning as PEP 440 has it: 1.2.3-rc.1 as 1.2.3rc1, a snapshot as 0.0.0.dev0+COMMIT."""
    number, _, rest = semantic.partition("-")
    if rest.startswith("snapshot"):
        return f"{number}.dev0+{rest.rpartition('-')[2]}"
    return number + re.sub(r"^(alpha|beta|rc)\.?", lambda kind: {"alpha": "a", "beta": "b", "rc": "rc"}[kind[1]], rest)


def build_sandbox(out, version, date):
    wheel = Wheel(out, "petstore_sandbox", version, "any", date)
    for file in sorted((HERE / "petstore_sandbox").glob("*.py*")) + [HERE / "petstore_sandbox/py.typed"]:
        if file.is_file():
            wheel.add(f"petstore_sandbox/{file.name}", file.read_bytes())
    more = f"Provides-Extra: binary\nRequires-Dist: petstore-sandbox-binary=={version}; extra == 'binary'\nClassifier: Framework :: Pytest\n"
    summary = "Sandboxes of a pet store for tests, with fixtures for pytest"
    text = (HERE / "README.md").read_text()
    wheel.about("METADATA", METADATA.format(name="petstore-sandbox", version=version, summary=summary, more=more, text=text))
    wheel.about("entry_points.txt", "[pytest11]\npetstore = petstore_sandbox.pytest_plugin\n")
    wheel.close()


def build_binary(out, version, date, binary):
    platform = f"{binary['goos']}_{binary['goarch']}"
    wheel = Wheel(out, "petstore_sandbox_binary", version, PLATFORMS[platform], date)
    wheel.add("petstore_sandbox_binary/__init__.py", (HERE / "petstore_sandbox_binary/__init__.py").read_bytes())
    wheel.add(f"petstore_sandbox_binary/petstore{binary['extra']['Ext']}", (TOP / binary["path"]).read_bytes(), 0o755)
    summary = f"The program petstore for {binary['goos']} on {binary['goarch']}"
    text = "The program that petstore-sandbox runs.\n"
    wheel.about("METADATA", METADATA.format(name="petstore-sandbox-binary", version=version, summary=summary, more="", text=text))
    wheel.close()


def main(dist):
    metadata = json.loads((dist / "metadata.json").read_text())
    binaries = [artifact for artifact in json.loads((dist / "artifacts.json").read_text()) if artifact["type"] == "Binary"]
    version = version_of(metadata["version"])
    committed = subprocess.check_output(["git", "show", "--no-patch", "--format=%ct", metadata["commit"]], cwd=TOP)
    date = time.gmtime(int(committed))[:6]
    out = dist / "python"
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir()
    build_sandbox(out, version, date)
    for binary in binaries:
        build_binary(out, version, date, binary)


main(Path(sys.argv[1]))
