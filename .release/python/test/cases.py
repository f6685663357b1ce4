"""The cases that the clients for JavaScript, Python, Java and Go share: those of testdata/clients, which CI copies here."""

import json
from pathlib import Path

_shared = json.loads(Path(__file__).with_name("cases.json").read_text())

CASES, DEFAULTS, MESSAGES, NAMES, TITLES = (_shared[name] for name in ("cases", "defaults", "messages", "names", "titles"))
