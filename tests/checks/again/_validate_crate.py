"""Validates crates without a network: the base profile 1.3, then the shapes of Process Run Crate without inheritance.

The JSON-LD context comes from the package rocrate. Prints `== CRATE`, then a line an issue: `profile severity
check entity message`.
"""

import io
import json
import sys
from importlib.resources import files

import requests

CONTEXT = (files("rocrate") / "data" / "ro-crate.jsonld").read_bytes()
CONTEXT_ADDRESS = "https://w3id.org/ro/crate/1.3/context"
assert json.loads(CONTEXT)["@id"] == CONTEXT_ADDRESS


def send(_adapter, request, **_options):
    """Answers a request for the context; there is no other network."""
    if request.url != CONTEXT_ADDRESS:
        raise requests.ConnectionError(f"no network: {request.url}")
    response = requests.Response()
    response.status_code = 200
    response.url = request.url
    response.request = request
    response.headers["Content-Type"] = "application/ld+json"
    response.raw = io.BytesIO(CONTEXT)
    return response


requests.adapters.HTTPAdapter.send = send

from rocrate.rocrate import ROCrate  # noqa: E402
from rocrate_validator import services  # noqa: E402
from rocrate_validator.models import Severity, ValidationSettings  # noqa: E402

for crate in sys.argv[1:]:
    print(f"== {crate}")
    ROCrate(crate)
    for profile, inherits in [("ro-crate-1.3", True), ("process-run-crate-0.5", False)]:
        result = services.validate(
            ValidationSettings(
                rocrate_uri=crate,
                profile_identifier=profile,
                enable_profile_inheritance=inherits,
                requirement_severity=Severity.REQUIRED,
                no_cache=True,
            )
        )
        assert result.executed_checks, f"{profile} checked nothing"
        for issue in result.get_issues(Severity.REQUIRED):
            message = " ".join(str(issue.message).split())
            print(f"{profile}\t{issue.severity.name}\t{issue.check.identifier}\t{issue.violatingEntity}\t{message}")
