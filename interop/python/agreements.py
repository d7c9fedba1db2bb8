"""A reader of agreements: passes their vectors with nothing but the protocol's documents.

    pip install cryptography
    python3 interop/python/agreements.py
"""
import base64
import hashlib
import json
import sys
from pathlib import Path

import strict_json
from signed import instant, is_signed, without_signatures

FILE = Path(__file__).parent.parent / "vectors" / "records" / "agreements.json"


def digest(data):
    return "sha-256:" + base64.urlsafe_b64encode(hashlib.sha256(data).digest()).decode().rstrip("=")


def good(file, record, type_):
    if record.get("home") != file["home"] or record.get("type") != type_ or instant(record.get("issued_at")) is None:
        return False
    return is_signed(record, record.get("signature"), "svc-record+jws", file["keys"])


def card_keys(case, address):
    """The keys of a card, as if a home listed them."""
    return [
        {
            "kid": key["kid"],
            "x": key["x"],
            "uses": ["record"],
            "status": "retired" if "until" in key else "active",
            "not_before": key["from"],
            "not_after": key.get("until"),
        }
        for key in case["cards"].get(address, [])
    ]


def signing(record):
    """The object over which a side signs with a key of its own, from the record alone."""
    agreement = record["agreement"]
    made = {
        "purpose": "sign_agreement",
        "home": record["home"],
        "agreement": agreement["id"],
        "title": agreement["title"],
        "terms_digest": agreement["terms_digest"],
        "sides": [side["address"] for side in record["sides"]],
        "needs_owners": agreement["needs_owners"],
        "issued_at": agreement["created_at"],
    }
    return {**made, "due_at": agreement["due_at"]} if "due_at" in agreement else made


def answer(file, case):
    record, second = case["record"], case.get("settlement")
    agreement = record["agreement"]
    if not good(file, record, "agreement") or agreement["terms_digest"] != digest(agreement["terms"].encode()):
        return {"valid": False}
    if second is not None:
        first = digest(strict_json.canonical(without_signatures(record)).encode())
        if not good(file, second, "agreement.settled") or second["prev"] != first or second["subject"] != record["subject"]:
            return {"valid": False}
    entries = record.get("co_signatures", [])[:8]
    own, co_signed = [], []
    for side in record["sides"]:
        address, keys = side["address"], card_keys(case, side["address"])
        if "signature" in side and is_signed(signing(record), side["signature"], "svc-key+jws", keys):
            own.append(address)
        if any(is_signed(record, entry, "svc-record+jws", keys) for entry in entries):
            co_signed.append(address)
    return {"valid": True, "own": own, "co_signed": co_signed}


def main():
    file = json.loads(FILE.read_text("utf-8"))
    wrong = []
    for case in file["cases"]:
        wanted = {name: case[name] for name in ("valid", "own", "co_signed") if name in case}
        found = answer(file, case)
        if found != wanted:
            wrong.append(f"{case['name']}: {found}, not {wanted}")
    for line in wrong:
        print(line)
    print(f"{len(file['cases'])} agreements: {len(wrong)} answered otherwise than they say")
    sys.exit(1 if wrong else 0)


main()
