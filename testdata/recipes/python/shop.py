"""A client of the pet store as an application has one, with requests."""

import uuid
import warnings
from urllib.parse import urljoin

import requests
from requests.adapters import HTTPAdapter
from urllib3.util import Retry


class Shop:
    def __init__(self, url):
        self.url = url
        self.session = requests.Session()
        # POST is repeated too: its Idempotency-Key makes that safe.
        retry = Retry(total=4, backoff_factor=0.01, status_forcelist=[502, 503, 504], allowed_methods=None)
        self.session.mount("http://", HTTPAdapter(max_retries=retry))
        self.session.hooks["response"].append(warn_if_deprecated)

    def pets(self, **query):
        """Yields all pets that match, page by page."""
        url, query = f"{self.url}/pets", {"limit": 100} | query
        while url:
            response = self.session.get(url, params=query)
            response.raise_for_status()
            yield from response.json()
            # The link has the query.
            url, query = urljoin(url, response.links["next"]["url"]) if "next" in response.links else None, None

    def pet(self, id):
        """Returns a pet, or None."""
        response = self.session.get(f"{self.url}/pets/{id}")
        if response.status_code == 410:
            response = self.session.get(urljoin(response.url, response.links["successor-version"]["url"]))
        if response.status_code == 404:
            return None
        response.raise_for_status()
        found = response.json()
        return next(iter(found), None) if isinstance(found, list) else found

    def add_pet(self, name, category_id):
        """Creates a pet, once, however often it has to ask."""
        key = {"Idempotency-Key": f'"{uuid.uuid4()}"'}
        response = self.session.post(f"{self.url}/pets", json={"name": name, "categoryId": category_id}, headers=key)
        response.raise_for_status()
        return response.json()

    def order(self, pet_id, quantity=1):
        key = {"Idempotency-Key": f'"{uuid.uuid4()}"'}
        response = self.session.post(f"{self.url}/store/orders", json={"petId": pet_id, "quantity": quantity}, headers=key)
        response.raise_for_status()
        return response.json()


def warn_if_deprecated(response, **_):
    if "Deprecation" in response.headers:
        operation = f"{response.request.method} {response.request.path_url}"
        warnings.warn(f"{operation} is removed on {response.headers.get('Sunset')}", DeprecationWarning)
