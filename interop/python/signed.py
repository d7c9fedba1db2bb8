"""Signed objects by docs/protocol/records.md: times, keys and signatures."""
import base64
import re
from datetime import datetime, timezone

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

import strict_json


def instant(text):
    """Nanoseconds since 1970."""
    match = isinstance(text, str) and re.fullmatch(r"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?Z", text)
    if not match:
        return None
    try:
        seconds = datetime.strptime(match[1], "%Y-%m-%dT%H:%M:%S").replace(tzinfo=timezone.utc).timestamp()
    except ValueError:
        return None
    return int(seconds) * 10**9 + int((match[2] or "").ljust(9, "0"))


def unbase64url(text):
    if not isinstance(text, str) or not re.fullmatch(r"[A-Za-z0-9_-]*", text):
        return None
    data = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    return data if base64.urlsafe_b64encode(data).decode().rstrip("=") == text else None


def only(keys, kid):
    """The one key of that name; a list with two of them has none."""
    found = [key for key in keys if key["kid"] == kid]
    return found[0] if len(found) == 1 else None


def counts(key, at):
    """Whether the key was good at that moment."""
    start, end = instant(key.get("not_before")), instant(key.get("not_after"))
    if key["status"] not in ("active", "retired") or key.get("revoked_at") or start is None or at < start:
        return False
    return (at < end) if end is not None else key["status"] == "active"


def verifies(key, signature, message):
    try:
        Ed25519PublicKey.from_public_bytes(unbase64url(key["x"])).verify(signature, message)
        return True
    except InvalidSignature:
        return False


def without_signatures(value):
    return {name: member for name, member in value.items() if name not in ("signature", "co_signatures")}


def is_signed(value, entry, typ, keys):
    """Whether this entry is a signature of that type over the object, by one of these keys at its `issued_at`."""
    if not isinstance(entry, dict) or set(entry) != {"protected", "signature"}:
        return False
    header, data = unbase64url(entry["protected"]), unbase64url(entry["signature"])
    if header is None or data is None:
        return False
    head = strict_json.parse(header)
    if set(head) != {"alg", "kid", "typ"} or head["typ"] != typ:
        return False
    key = only(keys, head["kid"])
    if head["alg"] not in ("EdDSA", "Ed25519") or key is None or "record" not in key["uses"]:
        return False
    text = strict_json.canonical(without_signatures(value)).encode()
    payload = base64.urlsafe_b64encode(text).decode().rstrip("=")
    return counts(key, instant(value["issued_at"])) and verifies(key, data, f"{entry['protected']}.{payload}".encode())
