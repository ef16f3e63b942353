"""Tests of the wheels in a folder: WHEELS=release python3 site/python/test_wheels.py. The one of this system is installed into a
new environment, without a network."""

from __future__ import annotations

import base64
import csv
import email
import hashlib
import io
import os
import re
import subprocess
import sys
import tarfile
import tempfile
import unittest
import venv
import zipfile
from pathlib import Path

FOLDER = Path(os.environ["WHEELS"]).resolve()
WHEELS = sorted(FOLDER.glob("*.whl"))
SOURCES = next(FOLDER.glob("cpsrl-[0-9]*.tar.gz"))


class Wheels(unittest.TestCase):
    def test_files(self) -> None:
        """RECORD names every file with its hash, the tags are those of the name, and only the program may be run."""
        self.assertGreater(len(WHEELS), 0)
        for path in WHEELS:
            with self.subTest(path.name), zipfile.ZipFile(path) as wheel:
                name, version, *tags = path.stem.split("-")
                info = f"{name}-{version}.dist-info"
                record = dict((row[0], row[1:]) for row in csv.reader(io.StringIO(wheel.read(f"{info}/RECORD").decode())))
                self.assertEqual(sorted(record), sorted(wheel.namelist()))
                for file, (digest, size) in record.items():
                    if not file.endswith("/RECORD"):
                        content = wheel.read(file)
                        want = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
                        self.assertEqual((digest, size), (f"sha256={want}", str(len(content))), file)
                of = email.message_from_bytes(wheel.read(f"{info}/WHEEL"))
                self.assertEqual(of.get_all("Tag"), [f"{tags[0]}-{tags[1]}-{platform}" for platform in tags[2].split(".")])
                said = email.message_from_bytes(wheel.read(f"{info}/METADATA"))
                self.assertEqual((said["Name"], said["Version"], said["License"], said["Requires-Dist"]), (name, version, "MIT", None))
                self.assertIn("cpsrl.run", said.get_payload())
                self.assertIn("MIT", wheel.read(f"{info}/LICENSE").decode())
                self.assertIn("gonum", wheel.read(f"{info}/licences.txt").decode())
                run = [entry.filename for entry in wheel.infolist() if entry.external_attr >> 16 & 0o111]
                self.assertEqual([re.sub(r"\.exe$", "", file) for file in run], [f"{name}-{version}.data/scripts/cpsrl"])

    def test_sources(self) -> None:
        """Without the program the client says where it has looked."""
        with tempfile.TemporaryDirectory() as folder:
            with tarfile.open(SOURCES) as sources:
                names = sources.getnames()
                sources.extractall(folder)
            at = SOURCES.name[: -len(".tar.gz")]
            self.assertEqual({name.partition("/")[0] for name in names}, {at})
            self.assertIn(f"{at}/PKG-INFO", names)
            said = subprocess.run([sys.executable, "-m", "cpsrl", "version"], cwd=Path(folder, at), env={"PATH": folder}, capture_output=True, text=True)
            self.assertEqual((said.returncode, said.stdout), (1, ""))
            self.assertRegex(said.stderr, r"not on the PATH; name it by program= or by the environment variable CPSRL")

    def test_installed(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            venv.create(folder, with_pip=True)
            scripts = Path(folder, "Scripts" if os.name == "nt" else "bin")
            python = str(scripts / "python")
            plain = {name: value for name, value in os.environ.items() if name not in ("CPSRL", "PYTHONPATH", "PATH")}  # nothing but what is installed
            run = lambda *command: subprocess.run(command, cwd=folder, env=plain, check=True, capture_output=True, text=True).stdout  # noqa: E731
            run(python, "-m", "pip", "install", "--quiet", "--no-index", "--find-links", str(FOLDER), "--only-binary", ":all:", "cpsrl")
            run(python, "-m", "cpsrl", "run", "-preset", "fig1-quick", "-o", "records.jsonl")
            records = Path(folder, "records.jsonl").read_bytes()
            here = 'import cpsrl, sys; runs = cpsrl.run("fig1-quick"); sys.stdout.write(runs.files[0].read_text())'
            self.assertEqual(run(python, "-c", here).encode(), records)
            self.assertEqual(run(str(scripts / "cpsrl"), "run", "-preset", "fig1-quick").encode(), records)
            run(python, "-m", "pip", "uninstall", "--quiet", "--yes", "cpsrl")
            self.assertEqual([path.name for path in scripts.glob("cpsrl*")], [])


if __name__ == "__main__":
    unittest.main()
