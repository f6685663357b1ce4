"""What petstore_sandbox promises."""

import multiprocessing
import signal
import subprocess
import sys
import time
from datetime import datetime, timedelta, timezone

import pytest
import requests

import petstore_sandbox


def test_the_server_ends_with_a_process_that_is_killed():
    code = "import petstore_sandbox; print(petstore_sandbox.start(log_format='json').url, flush=True); input()"
    pipes = dict.fromkeys(["stdin", "stdout", "stderr"], subprocess.PIPE)
    with subprocess.Popen([sys.executable, "-c", code], text=True, **pipes) as parent:
        assert parent.stdout.readline().startswith("http://127.0.0.1:")
        parent.kill()
        # The server has this pipe too, so it has an end when both have ended.
        assert "stopping" in parent.communicate(timeout=60)[1]
    assert parent.returncode == -signal.SIGKILL


def test_a_server_that_does_not_start(capfd):
    with pytest.raises(RuntimeError, match="--pets=-1 ended with exit code 2"):
        petstore_sandbox.start(pets=-1)
    assert "--pets" in capfd.readouterr().err
    with pytest.raises(RuntimeError, match="PETSTORE_BINARY"):
        petstore_sandbox.start("no-such-program")


def test_a_forked_child_does_not_keep_the_server():
    with petstore_sandbox.start(pets=1):
        child = multiprocessing.get_context("fork").Process(target=time.sleep, args=(600,), daemon=True)
        child.start()
    assert child.is_alive()  # and the server has ended
    child.kill()


def test_what_is_no_address():
    with pytest.raises(RuntimeError, match="said 'petstore .*' instead of its address"):
        petstore_sandbox.start(version=True)
    with pytest.raises(RuntimeError, match="said 'petstore listening on https://.*' instead of its address"):
        petstore_sandbox.start(tls=True)


def test_keys_are_told_to_nobody():
    with pytest.raises(RuntimeError) as caught:
        petstore_sandbox.start(pets=-1, admin_key="topsecret", api_key=["one-secret", "two"])
    assert "secret" not in str(caught.value)


def test_flags():
    flags = {"pets": 3, "api_key": ["one", "two"], "admin_key": "secret", "strict": True, "replica": None}
    with petstore_sandbox.start(**flags) as store, store.sandbox("flags") as pets:
        assert pets.admin("GET")["counts"]["pets"] == 3
        assert petstore_sandbox.Store(store.url, "secret").default.admin("GET")["sandbox"] == "default"
        with pytest.raises(petstore_sandbox.PetstoreError) as caught:
            petstore_sandbox.Store(store.url).default.admin("GET")
        assert (caught.value.status, caught.value.code) == (401, "unauthorized")


def test_a_sandbox_is_as_new_and_goes(petstore):
    for _ in range(2):
        with petstore.sandbox("any text: ä / 100 %") as pets, petstore.sandbox("dropped before") as dropped:
            dropped.drop()
            assert pets.admin("POST", "/data/pets", {"name": "Rex", "categoryId": 1})["id"] == 501
    assert [sandbox["name"] for sandbox in petstore.default.admin("GET", "/sandboxes")] == ["default"]


def test_reset(pets):
    pets.fault(status=500)
    pets.admin("DELETE", "/data/pets/1")
    pets.reset("data")
    summary = pets.admin("GET")
    assert (summary["counts"]["pets"], summary["faults"]) == (500, 1)
    pets.reset()
    assert pets.admin("GET")["faults"] == 0


def test_the_clock(pets):
    day = datetime(2031, 1, 1, tzinfo=timezone.utc)
    pets.clock.set(day, frozen=True)
    assert pets.clock.now() == day
    pets.clock.advance(timedelta(days=2, milliseconds=500))
    pets.clock.advance("-500ms")
    assert pets.clock.now() == day + timedelta(days=2)
    pets.clock.release()
    assert pets.clock.now() < day


def test_waiting_in_vain_says_what_came(pets):
    pets.admin("GET", "/data/pets")  # is in no journal
    requests.get(pets.url + "/pets?limit=1")
    with pytest.raises(TimeoutError, match="not 2 requests for anything after 0.1 s, but .*GET /pets 200"):
        pets.wait_for_requests(2, timeout=0.1)


def test_a_world_goes_elsewhere(petstore, pets):
    pets.admin("DELETE", "/data/pets/1")
    pets.clock.set("2031-01-01T00:00:00Z", frozen=True)
    with petstore.sandbox("elsewhere") as elsewhere:
        elsewhere.import_world(pets.world())
        assert elsewhere.world(data=True) == pets.world(data=True)
        assert elsewhere.admin("GET")["counts"]["pets"] == 499
