import pytest

import petstore_sandbox


@pytest.fixture(scope="session")
def petstore():
    with petstore_sandbox.start(pets=500) as store:
        yield store


@pytest.fixture
def pets(petstore, request):
    with petstore.sandbox(request.node.nodeid) as sandbox:
        yield sandbox


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    """A test that fails leaves its world and its requests in the directory "failed"."""
    report = (yield).get_result()
    if report.failed and call.when != "teardown" and "pets" in item.funcargs:
        report.sections.append(("petstore", f"The world is kept in {item.funcargs['pets'].keep('failed').world}"))
