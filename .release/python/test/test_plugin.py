"""Tests of the fixtures for pytest and unittest. Each test runs another one in a process of its own."""

import json
import os
import subprocess
import sys

import pytest

import petstore_sandbox
from cases import DEFAULTS, MESSAGES, TITLES


@pytest.fixture
def run(tmp_path, monkeypatch):
    """Runs a file of tests in an empty directory, and returns the exit code and what was printed."""
    monkeypatch.delenv("PETSTORE_URL", raising=False)

    def run(text, *command):
        (tmp_path / "test_it.py").write_text(text)
        done = subprocess.run([sys.executable, "-m", *command], cwd=tmp_path, capture_output=True, text=True)
        return done.returncode, done.stdout + done.stderr

    return run


PYTEST = "pytest", "-p", "no:cacheprovider"


FAILS = """
def test_it(pets):
    pets.admin("DELETE", "/data/pets/1")
    assert pets.title == "no title"
"""


@pytest.mark.parametrize("option, directory", [([], DEFAULTS["directory"]), (["--petstore-keep", "kept/here"], "kept/here")])
def test_a_test_that_fails_keeps_its_world(run, tmp_path, option, directory):
    code, printed = run(FAILS, *PYTEST, *option)
    [world] = (tmp_path / directory).glob("*.world.json")
    assert code == 1 and MESSAGES["kept"].replace("{world}", str(world.relative_to(tmp_path))) in printed
    assert json.loads(world.read_text())["state"]["removed"]["pets"] == [1]


def test_a_world_that_cannot_be_kept_hides_no_failure(run, tmp_path):
    (tmp_path / "failed").touch()
    code, printed = run(FAILS + "\ndef test_next(pets):\n    pass\n", *PYTEST)
    assert code == 1 and "The world is not kept: " in printed and "no title" in printed and "1 failed, 1 passed" in printed


def test_a_set_up_that_fails_keeps_its_world(run, tmp_path):
    fails = "import pytest\n@pytest.fixture\ndef shop(pets):\n    assert pets.title == 'no title'\ndef test_it(shop):\n    pass\n"
    code, printed = run(fails, *PYTEST)
    assert code == 1 and len(list((tmp_path / "failed").glob("*.world.json"))) == 1, printed


def test_a_test_that_passes_keeps_nothing(run, tmp_path):
    passes = "def test_it(pets):\n    assert pets.admin('GET')['counts']['pets'] == 100\n"
    code, printed = run(passes, *PYTEST)
    assert code == 0 and not (tmp_path / "failed").exists(), printed


def test_flags_of_the_server(run, tmp_path):
    (tmp_path / "pytest.ini").write_text("[pytest]\npetstore_flags = --pets=3 --strict\n")
    code, printed = run("def test_it(pets):\n    assert pets.admin('GET')['counts']['pets'] == 3\n", *PYTEST)
    assert code == 0, printed


def test_a_server_that_runs_already(run, monkeypatch):
    with petstore_sandbox.start(pets=7) as store:
        monkeypatch.setenv("PETSTORE_URL", store.url)
        passes = f"def test_it(petstore, pets):\n    assert petstore.url == '{store.url}'\n"
        code, printed = run(passes, *PYTEST)
        assert code == 0, printed
        assert store.admin("GET")["sandboxes"] == 1


WHO = """
import os, pytest

@pytest.mark.parametrize("n", range(8))
def test_it(petstore, pets, n):
    print("server", petstore.url)
"""


@pytest.mark.parametrize("option, servers", [([], 2), (["--petstore-shared"], 1)])
def test_workers_of_xdist(run, option, servers):
    code, printed = run(WHO, *PYTEST, "-n", "2", "--dist", "load", "-rP", *option)
    assert code == 0 and "8 passed" in printed
    assert len({line for line in printed.splitlines() if line.startswith("server ")}) == servers, printed


def test_a_sandbox_is_named_after_its_test(run, tmp_path):
    wanted = TITLES[2]
    file, group, test = wanted["parts"]
    (tmp_path / "tests").mkdir()
    (tmp_path / file).write_text(
        f"import pytest\nclass {group}:\n    @pytest.mark.parametrize('n', [7])\n    def {test.removesuffix('[7]')}(self, pets, n):\n"
        f"        assert pets.title == {wanted['title']!r}\n"
    )
    code, printed = run("", *PYTEST)
    assert code == 0 and "1 passed" in printed, printed


def test_a_traceback_ends_at_the_line_of_the_test(run):
    code, printed = run("def test_it(pets):\n    pets.clock.set(None)\n", *PYTEST)
    assert code == 1 and "TypeError: clock.set() takes a datetime" in printed
    assert "_clock.py" not in printed and "_check.py" not in printed, printed


UNITTEST = """
import petstore_sandbox.unittest

class ShopTest(petstore_sandbox.unittest.TestCase):
    petstore_flags = {"pets": 5}

    def setUp(self):
        self.assertEqual(self.pets.title, "test_it.ShopTest " + self._testMethodName)
        self.assertEqual(self.petstore.admin("GET")["sandboxes"], 2)

    def test_passes(self):
        self.assertEqual(self.pets.admin("GET")["counts"]["pets"], 5)

    def test_fails(self):
        self.fail("on purpose")

    def test_fails_in_part(self):
        with self.subTest("a part"):
            self.fail("on purpose")

    def test_breaks(self):
        raise OSError("on purpose")

class NoSandbox(petstore_sandbox.unittest.TestCase):
    def test_fails(self):
        self.fail("on purpose")
"""


@pytest.mark.parametrize("command", [("unittest", "test_it"), PYTEST], ids=lambda command: command[0])
def test_unittest_keeps_the_worlds_of_failed_tests(run, tmp_path, monkeypatch, command):
    monkeypatch.delenv("CI", raising=False)  # with it, the summary of pytest repeats each message
    code, printed = run(UNITTEST, *command)
    assert code == 1 and "Traceback" in printed or command[0] == "pytest"
    kept = sorted(path.name for path in (tmp_path / "failed").glob("*.world.json"))
    assert [name.partition("test_it.shoptest-")[2].rpartition("-")[0] for name in kept] == ["test_breaks", "test_fails", "test_fails_in_part"]
    for name in kept:
        assert printed.count(f"The world is kept in {os.path.join('failed', name)}") == 1, printed


def test_unittest_uses_a_server_that_runs_already(run, monkeypatch):
    with petstore_sandbox.start(pets=7) as store:
        monkeypatch.setenv("PETSTORE_URL", store.url)
        text = UNITTEST.partition("class ShopTest")[0] + (
            "class ShopTest(petstore_sandbox.unittest.TestCase):\n    def test_it(self):\n"
            "        self.assertEqual(self.pets.admin('GET')['counts']['pets'], 7)\n"
        )
        code, printed = run(text, "unittest", "test_it")
        assert code == 0, printed
