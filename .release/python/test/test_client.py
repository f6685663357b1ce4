"""Tests of petstore_sandbox."""

import http.server
import json
import multiprocessing
import signal
import subprocess
import sys
import threading
import time
from datetime import datetime, timedelta, timezone

import pytest
import requests

import petstore_sandbox
from cases import DEFAULTS


def test_the_server_ends_with_a_process_that_is_killed():
    code = "import petstore_sandbox; print(petstore_sandbox.start().url, flush=True); input()"
    pipes = dict.fromkeys(["stdin", "stdout"], subprocess.PIPE)
    with subprocess.Popen([sys.executable, "-c", code], text=True, **pipes) as parent:
        with requests.get(parent.stdout.readline().strip() + "/events", stream=True, timeout=60) as events:
            parent.kill()
            events.content  # ends only when the server does
    assert parent.returncode == -signal.SIGKILL


def test_a_server_that_does_not_start(capfd):
    with pytest.raises(RuntimeError, match="^petstore --pets=-1 --addr=127.0.0.1:0 ended with status 2 before it was ready:\n--pets .*-1"):
        petstore_sandbox.start(pets=-1)
    with petstore_sandbox.start() as first:
        port = first.url.rsplit(":", 1)[1]
        with pytest.raises(RuntimeError, match=f"status 1 before it was ready:\n.*{port}.* in use"):
            petstore_sandbox.start(addr=f"127.0.0.1:{port}")
    assert capfd.readouterr().err == ""


def test_a_program_that_announces_nothing(monkeypatch, tmp_path):
    assert petstore_sandbox._server._PATIENCE == DEFAULTS["startSeconds"]
    monkeypatch.setattr(petstore_sandbox._server, "_PATIENCE", 0.5)
    program = tmp_path / "petstore"
    monkeypatch.setenv("PETSTORE_BINARY", str(program))
    program.write_text("#!/bin/sh\necho waiting for Godot >&2\nsleep 60\n")
    program.chmod(0o755)
    with pytest.raises(RuntimeError) as caught:
        petstore_sandbox.start(pets=5)
    command, said = str(caught.value).splitlines()
    assert command == "petstore --pets=5 --addr=127.0.0.1:0 announced no address in 0.5 s:"
    assert said == "waiting for Godot"


def test_the_server_does_not_learn_which_binary_it_is(monkeypatch, tmp_path):
    program = tmp_path / "petstore"
    monkeypatch.setenv("PETSTORE_BINARY", str(program))
    program.write_text('#!/bin/sh\necho "PETSTORE_BINARY is ${PETSTORE_BINARY-unset}"\n')
    program.chmod(0o755)
    with pytest.raises(RuntimeError, match="said 'PETSTORE_BINARY is unset' instead"):
        petstore_sandbox.start()


def test_a_forked_child_does_not_keep_the_server():
    with petstore_sandbox.start(pets=1):
        child = multiprocessing.get_context("fork").Process(target=time.sleep, args=(600,), daemon=True)
        child.start()
    assert child.is_alive()  # although the server has ended
    child.kill()


def test_what_is_no_address():
    with pytest.raises(RuntimeError, match="said 'petstore .*' instead of its address"):
        petstore_sandbox.start(version=True)
    with pytest.raises(RuntimeError, match="--tls=true --addr=127.0.0.1:0 serves HTTPS, but start.. takes HTTP only"):
        petstore_sandbox.start(tls=True)


def test_keys_are_told_to_nobody():
    with pytest.raises(RuntimeError) as caught:
        petstore_sandbox.start(pets=-1, admin_key="topsecret", api_key=["one-secret", "two"])
    assert "secret" not in str(caught.value)


def test_a_key_with_a_comma_is_not_taken_for_two():
    for keys in "a,b", ["a", "b,c"]:
        with pytest.raises(TypeError, match="api_key"):
            petstore_sandbox.start(api_key=keys)


def test_the_last_requests_are_kept(tmp_path):
    with petstore_sandbox.start(journal=2000) as store, store.sandbox("busy") as pets, requests.Session() as client:
        pets.keep(tmp_path / "none")
        assert json.loads((tmp_path / "none" / "busy.har").read_text())["log"]["entries"] == []
        for _ in range(1001):
            client.get(pets.url + "/categories/1")
        client.get(pets.url + "/pets/999")
        pets.keep(tmp_path)
    entries = json.loads((tmp_path / "busy.har").read_text())["log"]["entries"]
    assert [entry["response"]["status"] for entry in entries] == [200] * 999 + [404]


@pytest.mark.parametrize("flags", [{"addr": "0.0.0.0:0"}, {"addr": ":0"}, {"public_url": "http://shop.example/petstore"}])
def test_others_do_not_reach_the_admin_api(flags):
    with petstore_sandbox.start(**flags) as store:
        assert requests.get(store.url + "/admin").status_code == 401
        with store.sandbox("ours") as pets:
            pets.reset()
        key = {"Authorization": f"Bearer {store.admin_key}"}
        assert requests.get(store.url + "/admin", headers=key).status_code == 200
        assert len(store.admin_key) >= 32 and store.admin_key not in store.log


def test_the_key_is_the_one_that_was_given(monkeypatch):
    for addr in None, "localhost:0", "127.0.0.1:0":
        with petstore_sandbox.start(addr=addr) as store:
            assert store.admin_key is None
    monkeypatch.setenv("PETSTORE_ADMIN_KEY", "of-the-environment")
    for flags, key in ({}, "of-the-environment"), ({"admin_key": "given", "addr": "0.0.0.0:0"}, "given"):
        with petstore_sandbox.start(**flags) as store:
            assert store.admin_key == key
            store.reset()


def test_a_server_that_runs_already(monkeypatch):
    for url in None, "localhost:8080", 8080, "http://127.0.0.1:8080/sandboxes/ada":
        with pytest.raises(TypeError, match=f"the address of a server, such as .*, not {url!r}"):
            petstore_sandbox.connect(url)
    with petstore_sandbox.start(admin_key="secret", verbose=True) as own:
        monkeypatch.setenv("PETSTORE_URL", own.url)
        with pytest.raises(petstore_sandbox.PetstoreError, match="GET /admin: .* or set PETSTORE_ADMIN_KEY$"):
            petstore_sandbox.connect()
        monkeypatch.setenv("PETSTORE_ADMIN_KEY", "secret")
        with petstore_sandbox.connect() as store, store.sandbox("here") as pets:
            requests.get(pets.url + "/pets")
            assert len(pets.requests()) == 1 and store.log == ""
        own.reset()  # its server still runs
    assert "operation=listPets" in own.log
    with pytest.raises(ConnectionError, match=f"POST {own.url}/admin/reset: .*Connection refused"):
        store.reset()
    with pytest.raises(ConnectionError, match="/admin/reset: the server ended with status 0:\n(.*\n)*.*operation=listPets"):
        own.reset()


def test_what_is_no_petstore():
    class Welcome(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200)
            self.end_headers()
            self.wfile.write(b"<h1>Welcome</h1>")

        def log_message(self, *_):
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Welcome) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        with pytest.raises(RuntimeError, match="was not answered by a petstore, but with b'<h1>Welcome</h1>'"):
            petstore_sandbox.connect(f"http://127.0.0.1:{server.server_port}")
        server.shutdown()


@pytest.mark.parametrize(
    "message, call",
    [
        ("takes a name, such as that of a test, not None", lambda store, pets: store.sandbox(None)),
        ("takes a name, such as that of a test, not ''", lambda store, pets: store.sandbox("")),
        ("takes the names of parts, such as \"data\", not \\['data'\\]", lambda store, pets: pets.reset(["data"])),
        ("takes a rule, such as status=503, times=2, not {}", lambda store, pets: pets.fault()),
        ("takes a rule, such as status=503, times=2, not '503'", lambda store, pets: pets.fault("503")),
        ("takes a timeout of at most 60 seconds, not '1s'", lambda store, pets: pets.wait_for_requests(timeout="1s")),
        ("takes a timeout of at most 60 seconds, not 61", lambda store, pets: pets.wait_for_requests(timeout=61)),
        ("takes a datetime, or a text such as 2031-01-01T00:00:00Z, not None", lambda store, pets: pets.clock.set(None)),
        ("takes a datetime with a zone, not datetime", lambda store, pets: pets.clock.set(datetime(2031, 1, 1))),
        ("freeze.. takes a datetime, or a text such as 2031-01-01T00:00:00Z, not 3", lambda store, pets: pets.clock.freeze(3)),
        ("takes a timedelta, or a text such as 72h, not 3", lambda store, pets: pets.clock.advance(3)),
        ("no filter order; there are operationId, method, path, status, since, limit$", lambda store, pets: pets.requests(order="desc")),
        ("no filter limit; there are .*, since$", lambda store, pets: pets.wait_for_requests(limit=1)),
        ("a path below /admin that begins with a slash, .* not '/../../pets'", lambda store, pets: pets.admin("GET", "/../../pets")),
        ("a path below /admin that begins with a slash, .* not '/%2e%2e/x'", lambda store, pets: pets.admin("GET", "/%2e%2e/x")),
        ("a path below /admin that begins with a slash, .* not 'clock'", lambda store, pets: pets.admin("GET", "clock")),
    ],
)
def test_arguments_that_cannot_be(petstore, pets, message, call):
    with pytest.raises(TypeError, match=message):
        call(petstore, pets)


def test_a_refusal_says_all_that_is_wrong(pets):
    with pytest.raises(petstore_sandbox.PetstoreError) as caught:
        pets.fault({"status": 900}, probability=2)
    first, *details = str(caught.value).splitlines()
    assert first.startswith(f"POST /sandboxes/{pets.name}/admin/faults: ")
    assert sorted(line.split(": ")[0] for line in details) == ["  /probability", "  /status"]
    with pytest.raises(petstore_sandbox.PetstoreError, match="the body is empty; send a JSON object$"):
        pets.admin("PUT", "/clock")
    with pytest.raises(petstore_sandbox.PetstoreError) as caught:
        pets.clock.advance("3 days")
    assert str(caught.value).count("3 days") == 1


def test_requests_are_limited(pets):
    for _ in range(3):
        requests.get(pets.url + "/pets")
    every = pets.requests()
    assert len(every) == 3 and pets.requests(limit=2) == every[:2]
    assert pets.requests(limit=1, since=every[0]["id"]) == every[1:2]
    assert len(pets.har(limit=2)["log"]["entries"]) == 2
    assert pets.requests(method="GET", path="/pets", limit=1) == every[:1] == pets.requests(method="GET", limit=1)
    assert pets.wait_for_requests(method="GET", path="/*") == every


def test_flags():
    flags = {"pets": 3, "api_key": ["one", "two"], "admin_key": "secret", "strict": True, "replica": None}
    with petstore_sandbox.start(**flags) as store, store.sandbox("flags") as pets:
        assert pets.admin("GET")["counts"]["pets"] == 3
        assert petstore_sandbox.connect(store.url, "secret").admin("GET")["sandbox"] == "default"
        with pytest.raises(petstore_sandbox.PetstoreError) as caught:
            petstore_sandbox.connect(store.url)
        assert (caught.value.status, caught.value.code) == (401, "unauthorized")


def test_a_sandbox_is_as_new_and_goes(petstore):
    for _ in range(2):
        with petstore.sandbox("any text: ä / 100 %") as pets, petstore.sandbox("dropped before") as dropped:
            dropped.drop()
            assert pets.admin("POST", "/data/pets", {"name": "Rex", "categoryId": 1})["id"] == 501
    assert [sandbox["name"] for sandbox in petstore.admin("GET", "/sandboxes")] == ["default"]


def test_reset(pets):
    pets.fault(status=500)
    pets.admin("DELETE", "/data/pets/1")
    pets.reset("data")
    summary = pets.admin("GET")
    assert (summary["counts"]["pets"], summary["faults"]) == (500, 1)
    pets.clear_faults()
    assert pets.admin("GET")["faults"] == 0
    pets.reset()
    assert pets.admin("GET")["counts"]["pets"] == 500
    pets.reset(pets=3)
    assert pets.admin("GET")["counts"]["pets"] == 3


def test_the_clock(pets):
    day = datetime(2031, 1, 1, tzinfo=timezone.utc)
    pets.clock.freeze(day)
    assert pets.clock.now() == day
    pets.clock.set("2030-01-01T00:00:00Z")
    assert pets.clock.read()["frozen"] and pets.clock.now() < day
    pets.clock.set(day)
    pets.clock.advance(timedelta(days=2, milliseconds=500))
    pets.clock.advance("-500ms")
    assert pets.clock.now() == day + timedelta(days=2)
    assert not pets.clock.unfreeze()["frozen"]
    pets.clock.freeze()
    stopped = pets.clock.now()
    assert day + timedelta(days=2) < stopped == pets.clock.now()
    pets.clock.release()
    assert pets.clock.now() < day


def test_a_lifecycle_is_changed_in_part(pets):
    document = pets.lifecycle("getPet", enforceSunset=False)["sunset"]
    pets.lifecycle("getPet", sunset="2028-08-08")
    both = pets.lifecycle("getPet", enforceSunset=True)
    assert (both["sunset"], both["enforceSunset"]) == ("2028-08-08", True)
    assert pets.lifecycle("getPet", sunset=None)["sunset"] == document


def test_waiting_in_vain_says_what_came(pets):
    pets.admin("GET", "/data/pets")  # is in no journal
    requests.get(pets.url + "/pets?limit=1")
    with pytest.raises(TimeoutError, match="not 2 requests for anything after 0.1 s, but .*GET /pets 200"):
        pets.wait_for_requests(2, timeout=0.1)
    with pytest.raises(TimeoutError, match="after 0 s"):
        pets.wait_for_requests(2, timeout=0)


def test_parts_of_a_reset_are_named_first(pets):
    with pytest.raises(TypeError, match=r'such as reset\("clock"\), not'):
        pets.reset(only="clock")


def test_a_world_goes_elsewhere(petstore, pets):
    pets.admin("DELETE", "/data/pets/1")
    pets.clock.freeze("2031-01-01T00:00:00Z")
    with petstore.sandbox("elsewhere") as elsewhere:
        elsewhere.import_world(pets.world())
        assert elsewhere.world(data=True) == pets.world(data=True)
        assert elsewhere.admin("GET")["counts"]["pets"] == 499
