"""A stranger's home: passes the vectors of federation with nothing but the protocol's documents.

    pip install -r interop/python/requirements.txt
    python3 interop/python/judge.py
"""
import base64
import hashlib
import json
import re
import sys
from datetime import timedelta
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from http_message_signatures import HTTPMessageVerifier, HTTPSignatureKeyResolver, algorithms

import item_schema
import requests_between_homes as requests
import state_schema
import strict_json
from signed import counts, instant, is_signed, only, unbase64url, verifies

FOLDER = Path(__file__).parent.parent / "vectors" / "federation"

CODES = re.compile(r"[a-z_]{1,40}")


def listed(homes, home, kid):
    return only(homes.get(home, {"keys": []})["keys"], kid)


# Requests


def take_request(homes, home, now, request):
    read = requests.read(request, home, homes[home]["endpoint"])
    seconds = now / 10**9
    if read["created"] > seconds + 300 or read["expires"] <= seconds:
        raise requests.Refused(401, "clock")
    key = listed(homes, read["origin"], read["kid"])
    if key is None or "request" not in key["uses"] or key["status"] != "active" or not counts(key, now):
        raise requests.Refused(401, "unknown_key")
    if read["digest"] is not None and not requests.is_digest(read["digest"], read["body"]):
        raise requests.bad()
    if not verifies(key, read["signature"], read["base"].encode()):
        raise requests.bad()
    if read["version"] != "1":
        raise requests.Refused(400, "bad_version")
    return read


def request_answer(file, case):
    try:
        read = take_request(file["homes"], "other.example", instant(case.get("now", file["now"])), case["request"])
        return {"valid": True, "base": read["base"]}
    except requests.Refused as refused:
        return {"valid": False, "status": refused.status, "code": refused.code}


class Foreign(HTTPSignatureKeyResolver):
    def __init__(self, keys):
        self.keys = keys

    def resolve_public_key(self, key_id):
        return Ed25519PublicKey.from_public_bytes(unbase64url(self.keys[key_id]["x"]))


class Message:
    def __init__(self, url, request):
        self.method, self.url = request["method"], url
        lines = {}
        for name, value in request["headers"]:
            lines[name] = f"{lines[name]}, {value}" if name in lines else value
        self.headers = lines
        self.body = request["body"]


def foreign_verifies(file, case):
    """The library http-message-signatures of PyPI on a valid request; its clock is that of today."""
    keys = {f"home.example#{key['kid']}": key for key in file["homes"]["home.example"]["keys"]}
    verifier = HTTPMessageVerifier(signature_algorithm=algorithms.ED25519, key_resolver=Foreign(keys))
    verifier.validate_created_and_expires = lambda *args, **more: None
    url = requests.target(file["homes"]["other.example"]["endpoint"], case["request"]["path"])
    results = verifier.verify(Message(url, case["request"]), max_age=timedelta(days=36500), expect_tag="home/1")
    return len(results) == 1


# Items


def equality(item):
    kept = {
        name: value
        for name, value in item.items()
        if name not in ("signature", "co_signatures", "seq", "issued_at", "expires_at")
    }
    return hashlib.sha256(strict_json.canonical(kept).encode()).hexdigest()


def signed_well(item, homes, origin):
    return is_signed(item, item.get("signature"), "svc-envelope+jws", homes.get(origin, {"keys": []})["keys"])


NAME = r"(?=.{1,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
ADDRESS = re.compile(rf"&?[a-z0-9-]{{3,30}}(?:\.ai-[a-z0-9-]{{1,30}})?@({NAME})")
REFERENCE = re.compile(rf"r:(.+):([A-Za-z0-9_-]{{1,64}})")


def home_of(text):
    match = isinstance(text, str) and ADDRESS.fullmatch(text)
    return match[1] if match else None


def referred(text):
    match = isinstance(text, str) and REFERENCE.fullmatch(text)
    return match[1] if match and re.fullmatch(NAME, match[1]) else None


def is_integer(value):
    return type(value) is int


def weigh(file, item, origin, home, now):
    """None for a good item, or the code by which it is refused; schema with the path of the member at fault."""
    if not isinstance(item.get("origin"), str):
        return "bad_signature"
    if item["origin"] != origin:
        return "wrong_origin"
    issued, expires = instant(item.get("issued_at")), instant(item.get("expires_at"))
    if issued is None or expires is None:
        return "schema", "issued_at" if issued is None else "expires_at"
    if not signed_well(item, file["homes"], origin):
        return "bad_signature"
    kind, owner, author = item.get("type"), referred(item.get("id")), item.get("from")
    owned = kind in ("message", "state")
    if owned and owner is not None and owner != origin:
        return "wrong_origin"
    if home_of(author) not in (None, origin):
        return "wrong_origin"
    if item.get("destination") != home:
        return "wrong_destination"
    if expires <= now:
        return "expired"
    if issued > now + 300 * 10**9:
        return "clock"
    if kind not in ("message", "state", "act", "result", "erased", "notice", "skip"):
        return "unknown_type"
    if expires > issued + 14 * 86400 * 10**9:
        return "schema", "expires_at"
    path = item_schema.find_fault(item, origin, home, file["kinds"])
    if path is not None:
        return "schema", path
    code = weigh_body(file, kind, item["body"], origin, home)
    if code is None and len(json.dumps(item, ensure_ascii=False, separators=(",", ":")).encode()) > 65536:
        return "too_large"
    return code


def weigh_body(file, kind, body, origin, home):
    if kind == "act" and body["operation"] not in file["operations"]:
        return "unknown_operation"
    if kind in ("act", "result"):
        return None if referred(body["on" if kind == "act" else "act"]) == home else "wrong_destination"
    if kind == "erased":
        return None if referred(body["id"]) == origin else "wrong_origin"
    return None


def item_answer(file, case):
    item = strict_json.parse(json.dumps(case["item"], ensure_ascii=False))
    code = weigh(file, item, "home.example", "other.example", instant(file["now"]))
    if code is None:
        return {"status": "ok", "digest": equality(item)}
    return {"status": "rejected", **({"code": code} if isinstance(code, str) else {"code": code[0], "path": code[1]})}


def state_answer(case):
    path = state_schema.find_fault(case["kind"], case["id"], case["object"], "home.example")
    return {"status": "ok"} if path is None else {"status": "rejected", "path": path}


# The log


class BadPush(Exception):
    def __init__(self, code, index=None):
        super().__init__(code)
        self.answer = {"code": code} if index is None else {"code": code, "index": index}


def read_push(body, origin, home, now):
    try:
        value = strict_json.parse(body, 34)
    except strict_json.Refused as refused:
        inside = len(refused.path) >= 2 and refused.path[0] == "items" and is_integer(refused.path[1])
        raise BadPush("bad_item", refused.path[1]) if inside else BadPush("bad_json")
    if not isinstance(value, dict):
        raise BadPush("bad_batch")
    epoch, items = value.get("epoch"), value.get("items")
    if value.get("v") != 1 or value.get("origin") != origin or value.get("destination") != home:
        raise BadPush("bad_batch")
    if not is_integer(epoch) or epoch < 1 or epoch > now / 10**9 + 300:
        raise BadPush("bad_batch")
    if not isinstance(items, list) or not 1 <= len(items) <= 200:
        raise BadPush("bad_batch")
    for index, item in enumerate(items):
        if not isinstance(item, dict):
            raise BadPush("bad_item", index)
    first = items[0].get("seq")
    if not is_integer(first) or first < 1 or [item.get("seq") for item in items] != list(range(first, first + len(items))):
        raise BadPush("bad_batch")
    return epoch, first, items


def push_answer(file, case):
    body = case["body"].encode() if "body" in case else base64.b64decode(case["body_base64"])
    try:
        epoch, first, items = read_push(body, "home.example", "other.example", instant(file["now"]))
        return {"epoch": epoch, "first": first, "last": first + len(items) - 1}
    except BadPush as refused:
        return refused.answer


def judge_answer(case):
    push, status = case["push"], case["status"]
    first, last = push["items"][0]["seq"], push["items"][-1]["seq"]
    try:
        value = strict_json.parse(case["body"])
    except strict_json.Refused:
        value = None
    value = value if isinstance(value, dict) else {}
    epoch, seq = value.get("epoch"), value.get("seq")
    placed = is_integer(epoch) and is_integer(seq) and epoch >= 0 and seq >= 0
    if status == 403:
        return {"means": "denied"}
    if status == 409 and placed:
        return {"means": "restored" if epoch == push["epoch"] and seq >= last else "out_of_step"}
    if status == 400 and value.get("code") == "bad_item":
        index = value.get("index")
        return {"means": "bad_item" if is_integer(index) and 0 <= index < len(push["items"]) else "one_by_one"}
    if status == 400 and value.get("code") in ("bad_json", "bad_batch"):
        return {"means": "one_by_one"}
    results = value.get("results")
    if status != 200 or not placed or not isinstance(results, list) or epoch != push["epoch"]:
        return {"means": "again"}
    if seq > last:
        return {"means": "restored"}
    if seq < first - 1 or len(results) != len(push["items"]):
        return {"means": "again"}
    became = []
    for result, sent in zip(results, push["items"]):
        if not isinstance(result, dict) or result.get("id") != sent["id"] or result.get("rev") != sent["rev"]:
            return {"means": "again"}
        if result.get("status") in ("ok", "dup"):
            became.append("delivered")
        elif result.get("status") == "rejected":
            code = result.get("code")
            became.append(code if isinstance(code, str) and CODES.fullmatch(code) else "internal")
        else:
            return {"means": "again"}
    return {"means": "taken", "seq": seq, "results": became}


# Conversations


class Home:
    """A home that holds what another one pushed."""

    def __init__(self):
        self.epoch, self.seq, self.digests, self.revs, self.erased = 0, 0, {}, {}, set()

    def copy(self):
        other = Home()
        other.epoch, other.seq, other.erased = self.epoch, self.seq, set(self.erased)
        other.digests, other.revs = dict(self.digests), dict(self.revs)
        return other

    def push(self, file, body, origin, home, now):
        try:
            epoch, first, items = read_push(body, origin, home, now)
        except BadPush as refused:
            return 400, refused.answer
        follows = epoch == self.epoch and first <= self.seq + 1 or epoch > self.epoch and first == 1
        if not follows:
            return 409, {"code": "out_of_step", "epoch": self.epoch, "seq": self.seq}
        results = [self.settle(file, item, origin, home, now) for item in items]
        last = first + len(items) - 1
        self.seq = last if epoch > self.epoch else max(last, self.seq)
        self.epoch = epoch
        return 200, {"epoch": self.epoch, "seq": self.seq, "results": results}

    def settle(self, file, item, origin, home, now):
        answer, place = {"id": item["id"], "rev": item["rev"]}, (item["id"], item["rev"])
        if self.digests.get(place) == equality(item):
            return {**answer, "status": "dup"}
        code = weigh(file, item, origin, home, now)
        if code is None and place in self.digests:
            code = "conflict"
        if code is None and item["id"] in self.erased:
            code = "erased"
        if code is not None:
            return {**answer, "status": "rejected", "code": code}
        if item["type"] == "state":
            if item["rev"] <= self.revs.get(item["id"], 0):
                return {**answer, "status": "dup"}
            self.revs[item["id"]] = item["rev"]
        if item["type"] == "erased":
            self.erased.add(item["body"]["id"])
        self.digests[place] = equality(item)
        return {**answer, "status": "ok"}


def get_items(log, path):
    query = dict(pair.split("=") for pair in path.split("?")[1].split("&"))
    if not all(re.fullmatch(r"\d{1,15}", value) for value in query.values()):
        return 400, {"code": "bad_batch"}
    epoch, items = log["epoch"], log["items"]
    if int(query["epoch"]) != epoch:
        return 409, {"code": "out_of_step", "epoch": epoch, "seq": len(items)}
    after, limit = int(query.get("after", 0)), int(query.get("limit", 50))
    page = items[after : after + limit]
    return 200, {"epoch": epoch, "items": page, "more": after + len(page) < len(items), "last": len(items)}


def converse(file, case):
    """The first step that was answered otherwise, or None."""
    homes, after, nonces = {}, [], set()
    for number, step in enumerate(case["steps"], 1):
        state = homes.setdefault(step["to"], Home())
        if "restored_to" in step:
            state = homes[step["to"]] = after[step["restored_to"] - 1].copy()
        now = instant(step["at"])
        try:
            read = take_request(file["homes"], step["to"], now, step["request"])
            nonce = (read["origin"], read["kid"], read["nonce"])
            if nonce in nonces:
                raise requests.Refused(401, "replayed")
            nonces.add(nonce)
            if step["request"]["method"] == "GET":
                log = case.get("logs", {}).get(step["to"], {"epoch": 0, "items": []})
                status, answer = get_items(log, step["request"]["path"])
            else:
                status, answer = state.push(file, read["body"], read["origin"], step["to"], now)
        except requests.Refused as refused:
            status, answer = refused.status, {"code": refused.code}
        expected = {name: value for name, value in json.loads(step["answer"]["body"]).items() if name != "error"}
        if (status, answer) != (step["answer"]["status"], expected):
            return f"step {number}: {status} {answer}, not {step['answer']['status']} {expected}"
        after.append(state.copy())
    return None


def expectation(case, *inputs):
    return {name: value for name, value in case.items() if name not in inputs}


def main():
    files = {path.stem: json.loads(path.read_text("utf-8")) for path in FOLDER.glob("*.json")}
    counts_of, wrong = {}, []

    def check(name, case, answer, wanted):
        counts_of[name] = counts_of.get(name, 0) + 1
        if answer != wanted:
            wrong.append(f"{name}: {case['name']}: {answer}, not {wanted}")

    for case in files["requests"]["cases"]:
        check("requests", case, request_answer(files["requests"], case), expectation(case, "name", "now", "request"))
        if case["valid"] and case["name"] != "beside the signature of a proxy":
            check("requests by http-message-signatures", case, foreign_verifies(files["requests"], case), True)
    for case in files["items"]["cases"]:
        check("items", case, item_answer(files["items"], case), expectation(case, "name", "item"))
    for case in files["states"]["cases"]:
        check("states", case, state_answer(case), expectation(case, "name", "kind", "id", "object"))
    for case in files["log"]["pushes"]:
        wanted = expectation(case, "name", "body", "body_base64")
        check("pushes", case, push_answer(files["log"], case), wanted)
    for case in files["log"]["answers"]:
        check("answers", case, judge_answer(case), expectation(case, "name", "push", "status", "body"))
    for case in files["conversations"]["cases"]:
        check("conversations", case, converse(files["conversations"], case), None)
    for line in wrong:
        print(line)
    said = ", ".join(f"{count} {name}" for name, count in counts_of.items())
    print(f"{said}: {len(wrong)} answered otherwise than they say")
    sys.exit(1 if wrong else 0)


main()
