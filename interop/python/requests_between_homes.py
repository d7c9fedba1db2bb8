"""Requests between homes (docs/protocol/requests.md): structured fields, the signature base, the checks."""
import base64
import hashlib
import re
from urllib.parse import quote


class Refused(Exception):
    def __init__(self, status, code):
        super().__init__(code)
        self.status, self.code = status, code


def bad():
    return Refused(401, "bad_signature")


KEY = re.compile(r"[a-z*][a-z0-9_.*-]*")
STRING = re.compile(r'"((?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\["\\])*)"')
BYTES = re.compile(r":([A-Za-z0-9+/=]*):")
NUMBER = re.compile(r"-?[0-9]{1,15}(\.[0-9]{1,3})?")
TOKEN = re.compile(r"[A-Za-z*][!#$%&'*+.^_`|~0-9A-Za-z:/-]*")


class Token(str):
    pass


class Fields:
    """A dictionary of RFC 9651; a name that stands twice is refused."""

    def __init__(self, text):
        self.text, self.at = text, 0

    def match(self, pattern):
        match = pattern.match(self.text, self.at)
        if match is not None:
            self.at = match.end()
        return match

    def need(self, pattern):
        match = self.match(pattern)
        if match is None:
            raise bad()
        return match

    def dictionary(self):
        members = {}
        self.match(re.compile(" *"))
        while True:
            name = self.need(KEY)[0]
            if name in members:
                raise bad()
            value = self.member() if self.match(re.compile("=")) else True
            members[name] = (value, self.parameters())
            self.match(re.compile("[ \t]*"))
            if self.at == len(self.text):
                return members
            self.need(re.compile(",[ \t]*"))

    def member(self):
        if not self.match(re.compile(r"\( *")):
            return self.item()
        items = []
        while not self.match(re.compile(r"\)")):
            items.append((self.item(), self.parameters()))
            if not self.match(re.compile(" +")) and self.text[self.at : self.at + 1] != ")":
                raise bad()
        return items

    def parameters(self):
        found = {}
        while self.match(re.compile("; *")):
            name = self.need(KEY)[0]
            if name in found:
                raise bad()
            found[name] = self.item() if self.match(re.compile("=")) else True
        return found

    def item(self):
        if match := self.match(STRING):
            return re.sub(r"\\(.)", r"\1", match[1])
        if match := self.match(BYTES):
            return base64.b64decode(match[1])
        if match := self.match(NUMBER):
            return float(match[0]) if match[1] else int(match[0])
        if match := self.match(re.compile(r"\?([01])")):
            return match[1] == "1"
        return Token(self.need(TOKEN)[0])


def serialize(value):
    if isinstance(value, Token):
        return str(value)
    if isinstance(value, str):
        return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
    return str(value)


def part(text):
    """One way to write a segment, a name or a value."""
    if re.search(r"%(?![0-9A-Fa-f]{2})", text):
        raise bad()
    data = re.sub(
        rb"%([0-9A-Fa-f]{2})", lambda match: bytes([int(match[1], 16)]), text.encode("utf-8")
    )
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        raise bad()
    return quote(data, safe="-._~")


def target(endpoint, path):
    route, mark, query = path.partition("?")
    written = endpoint + "/".join(part(segment) for segment in route.split("/"))
    if not mark:
        return written
    pairs = ["=".join(part(half) for half in pair.split("=", 1)) for pair in query.split("&")]
    return f"{written}?{'&'.join(pairs)}"


def read(request, home, endpoint):
    """The parts of a request, by every rule that needs neither a clock nor a key."""
    body = request["body"].encode("utf-8")
    lines = [(name.lower(), value.strip()) for name, value in request["headers"]]

    def values(name):
        return [value for of, value in lines if of == name]

    def once(name):
        found = values(name)
        if len(found) != 1:
            raise bad()
        return found[0]

    if values("content-encoding") or (body and values("content-type") != ["application/json"]):
        raise Refused(415, "unsupported_media_type")
    if once("home-destination") != home:
        raise Refused(421, "wrong_destination")
    origin = once("home-origin")
    if not re.fullmatch(r"[a-z0-9.:-]+", origin):
        raise bad()
    covered = ["@method", "@target-uri", "home-origin", "home-destination", "home-version"]
    if body:
        covered += ["content-type", "content-digest"]
    of = {name: once(name) for name in covered if not name.startswith("@")}
    of["@method"], of["@target-uri"] = request["method"], target(endpoint, request["path"])
    inputs = Fields(", ".join(values("signature-input"))).dictionary()
    ours = [name for name, (_, given) in inputs.items() if given.get("tag") == "home/1" and not isinstance(given["tag"], Token)]
    if len(ours) != 1:
        raise bad()
    items, given = inputs[ours[0]]
    if not isinstance(items, list) or any(parameters for _, parameters in items):
        raise bad()
    names = [name for name, _ in items]
    if sorted(names) != sorted(covered):
        raise bad()
    if set(given) - {"created", "expires", "nonce", "keyid", "tag", "alg"}:
        raise bad()
    created, expires = given.get("created"), given.get("expires")
    if type(created) is not int or type(expires) is not int or not 1 <= expires - created <= 300:
        raise bad()
    if given.get("alg", "ed25519") != "ed25519":
        raise bad()
    nonce, keyid = given.get("nonce"), given.get("keyid")
    if not isinstance(nonce, str) or not re.fullmatch(r"[A-Za-z0-9_-]{22}", nonce):
        raise bad()
    if not isinstance(keyid, str) or isinstance(keyid, Token):
        raise bad()
    by, _, kid = keyid.partition("#")
    if by != origin or not re.fullmatch(r"[A-Za-z0-9._~:-]{1,128}", kid):
        raise bad()
    signature, more = Fields(", ".join(values("signature"))).dictionary().get(ours[0], (None, None))
    if not isinstance(signature, bytes) or more:
        raise bad()
    written = "".join(f";{name}={serialize(value)}" for name, value in given.items())
    parameters = f"({' '.join(serialize(name) for name in names)}){written}"
    base = "\n".join([f'"{name}": {of[name]}' for name in names] + [f'"@signature-params": {parameters}'])
    return {
        **{"origin": origin, "kid": kid, "created": created, "expires": expires, "nonce": nonce},
        **{"base": base, "signature": signature, "version": of["home-version"], "body": body},
        "digest": of.get("content-digest"),
    }


def is_digest(header, body):
    try:
        members = Fields(header).dictionary()
    except Exception:
        return False
    return members == {"sha-256": (hashlib.sha256(body).digest(), {})}
