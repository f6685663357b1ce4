"""What the client does when the service is slow, broken or about to change: pytest, one sandbox a test."""

import threading

import pytest

from shop import Shop


@pytest.fixture
def shop(pets):
    return Shop(pets.url)


def test_a_pet_is_created_when_the_first_two_attempts_fail(pets, shop):
    pets.fault(match={"operationId": "createPet"}, times=2, status=503, headers={"Retry-After": "0"})
    rex = shop.add_pet("Rex", 6)
    assert [entry["status"] for entry in pets.requests(operationId="createPet")] == [503, 503, 201]
    assert rex == {"id": 501, "name": "Rex", "categoryId": 6, "status": "available"}


def test_a_pet_is_created_once_when_the_answer_is_lost(pets, shop):
    pets.fault(match={"operationId": "createPet"}, times=1, status=502, when="after")
    rex = shop.add_pet("Rex the Only", 6)
    assert list(shop.pets(name="Rex the Only")) == [rex]
    assert len(pets.requests(operationId="createPet")) == 2


def test_a_connection_that_is_reset(pets, shop):
    pets.fault(match={"operationId": "listPets"}, times=2, abort="reset")
    assert next(shop.pets(limit=1))["id"] == 1


def test_every_page_is_read(pets, shop):
    assert [pet["id"] for pet in shop.pets()] == list(range(1, 501))
    assert len(pets.requests(operationId="listPets")) == 5


def test_it_gives_up(pets, shop):
    pets.fault(match={"operationId": "createPet"}, status=502)
    with pytest.raises(IOError):
        shop.add_pet("Rex", 6)
    assert len(pets.requests(operationId="createPet")) == 5


def test_the_deprecated_operation_is_known(pets, shop):
    with pytest.warns(DeprecationWarning, match="removed on Tue, 31 Dec 2030"):
        assert shop.pet(7)["id"] == 7


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_the_day_after_the_sunset(pets, shop):
    before = shop.pet(7)
    pets.lifecycle("getPet", enforceSunset=True)
    pets.clock.set("2031-01-01T00:00:00Z")
    assert shop.pet(7) == before
    assert [entry["status"] for entry in pets.requests(operationId="getPet")] == [200, 410]


def test_background_request(pets, shop):
    threading.Thread(target=shop.order, args=(7, 2)).start()
    [order] = pets.wait_for_requests(timeout=60, operationId="createOrder")
    assert order["status"] == 201
