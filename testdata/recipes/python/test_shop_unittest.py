"""The same without pytest: python3 -m unittest."""

import petstore_sandbox.unittest
from shop import Shop


class ShopTest(petstore_sandbox.unittest.TestCase):
    petstore_flags = {"pets": 500}

    def setUp(self):
        self.shop = Shop(self.pets.url)
        self.addCleanup(self.shop.session.close)

    def test_a_pet_is_created_when_the_first_two_attempts_fail(self):
        self.pets.fault(match={"operationId": "createPet"}, times=2, status=502)
        self.assertEqual(self.shop.add_pet("Rex", 6)["id"], 501)
        self.assertEqual([entry["status"] for entry in self.pets.requests()], [502, 502, 201])

    def test_a_pet_is_created_once_when_the_answer_is_lost(self):
        self.pets.fault(match={"operationId": "createPet"}, times=1, status=502, when="after")
        rex = self.shop.add_pet("Rex the Only", 6)
        self.assertEqual(list(self.shop.pets(name="Rex the Only")), [rex])

    def test_every_page_is_read(self):
        self.assertEqual(len(list(self.shop.pets())), 500)

    def test_the_day_after_the_sunset(self):
        self.pets.lifecycle("getPet", enforceSunset=True)
        self.pets.clock.set("2031-01-01T00:00:00Z")
        with self.assertWarns(DeprecationWarning):
            self.assertEqual(self.shop.pet(7)["id"], 7)
