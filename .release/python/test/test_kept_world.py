"""Tests that a flaky failure happens again on another server, with the file that the failed test has left."""

import json
import subprocess
import sys
from pathlib import Path

import requests

import petstore_sandbox


def test_the_same_requests_fail_again(tmp_path):
    flaky = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", Path(__file__).with_name("flaky_checkout.py")]
    run = subprocess.run(flaky, cwd=tmp_path, capture_output=True, text=True)
    [file] = (tmp_path / "failed").glob("*.world.json")
    assert run.returncode == 1 and f"The world is kept in failed/{file.name}" in run.stdout

    world = json.loads(file.read_text())
    before = [entry["status"] for entry in world["journal"]]
    assert before[:-1] == [201] * (len(before) - 1) and before[-1] == 503
    har = json.loads(Path(str(file).replace(".world.json", ".har")).read_text())
    assert [entry["response"]["status"] for entry in har["log"]["entries"]] == before

    with petstore_sandbox.start(world=file) as elsewhere:
        for entry in reversed(world["journal"]):
            elsewhere.import_world(world, draw=entry["draw"])
            response = requests.request(entry["method"], elsewhere.url + entry["path"], json=json.loads(entry["body"]))
            assert response.status_code == entry["status"]
