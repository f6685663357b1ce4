"""Tests of the installed package: the version, its search for the binary, and its types."""

import importlib.metadata
import inspect
import re
import subprocess
import sys
import typing

import pytest

import petstore_sandbox
from petstore_sandbox import _binary


def test_the_version_is_that_of_the_binary():
    said = subprocess.check_output([_binary.find_binary(None), "--version"], text=True)
    number, _, snapshot = said.split()[1].removeprefix("v").partition("-snapshot-")
    assert petstore_sandbox.__version__ == (f"{number}.dev0+{snapshot}" if snapshot else number)
    assert importlib.metadata.version("petstore-sandbox-binary") == petstore_sandbox.__version__


def test_where_the_binary_is(monkeypatch, tmp_path):
    monkeypatch.delenv("PETSTORE_BINARY", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert _binary.find_binary(None).endswith("site-packages/petstore_sandbox_binary/petstore")
    first = tmp_path / "petstore"
    first.write_text("")
    first.chmod(0o755)
    assert _binary.find_binary(None) == str(first)
    monkeypatch.setenv("PETSTORE_BINARY", sys.executable)
    assert _binary.find_binary(None) == sys.executable


def test_a_binary_that_is_nowhere(monkeypatch, tmp_path):
    monkeypatch.delenv("PETSTORE_BINARY", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    monkeypatch.setattr(_binary, "__file__", str(tmp_path / "petstore_sandbox" / "_binary.py"))
    with pytest.raises(RuntimeError) as caught:
        petstore_sandbox.start()
    assert re.match(
        f"there is no petstore binary: PETSTORE_BINARY is not set, there is no petstore in PATH \\({tmp_path}\\), "
        f"and no {tmp_path}/petstore_sandbox_binary/petstore; install petstore-sandbox-binary, ",
        str(caught.value),
    )


def fields_of(schema, schemas):
    """Returns the fields of a schema, and which of them are required."""
    fields, required = {**schema.get("properties", {})}, {*schema.get("required", [])}
    for part in schema.get("allOf", []):
        part = schemas[part["$ref"].rpartition("/")[2]] if "$ref" in part else part
        more, needed = fields_of(part, schemas)
        fields, required = fields | more, required | needed
    return fields, required


SCHEMAS = {"Baseline": "BaselineRequest", "ClockReading": "Clock"}


@pytest.mark.parametrize("name", [
    "Baseline", "ClockReading", "Delay", "ErrorDetail", "FaultMatch", "FaultRule", "JournalEntry", "JournalResponse", "LifecyclePatch",
    "NewFaultRule", "OperationStatus",
])
def test_types_have_the_fields_of_the_document(document, name):
    fields, required = fields_of(document[SCHEMAS.get(name, name)], document)
    declared = getattr(petstore_sandbox, name)
    assert {*declared.__annotations__} == {*fields}
    assert declared.__required_keys__ == required


def test_parts_are_those_of_the_document(document):
    assert [*typing.get_args(petstore_sandbox.Part)] == document["Part"]["enum"]


def test_filters_are_parameters_of_the_document(petstore):
    operations = petstore._server.ask("GET", "/admin/openapi.json")["paths"]["/admin/requests"]
    parameters = [*operations.get("parameters", []), *operations["get"]["parameters"]]
    assert {*petstore_sandbox.Filter.__annotations__} <= {parameter.get("name") for parameter in parameters}


@pytest.fixture(scope="module")
def document(petstore):
    return petstore._server.ask("GET", "/admin/openapi.json")["components"]["schemas"]


def test_flags_are_those_of_the_program():
    printed = subprocess.check_output([_binary.find_binary(None), "--help"], text=True)
    flags = {flag.replace("-", "_") for flag in re.findall(r"^ +(?:-\w, )?--([a-z-]+)", printed, re.M)}
    left = {"exit_with_stdin", "mcp", "completion", "help", "version", "wait_ready", "tls", "tls_cert", "tls_key"}
    assert {*petstore_sandbox.Flags.__annotations__} == flags - left


def test_every_name_is_documented():
    for name in petstore_sandbox.__all__:
        value = getattr(petstore_sandbox, name)
        assert not inspect.isclass(value) or value.__doc__, name
