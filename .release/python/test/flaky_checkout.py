"""A test that fails now and then, since its client does not repeat what failed. Run it by name: pytest flaky_checkout.py"""

import requests


def test_twenty_orders(pets):
    pets.fault(match={"operationId": "createOrder"}, probability=0.3, status=503)
    for pet in range(1, 21):
        requests.post(f"{pets.url}/store/orders", json={"petId": pet}).raise_for_status()
