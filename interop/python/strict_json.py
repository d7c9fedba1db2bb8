"""JSON as homes take it (docs/protocol/records.md), and its canonical text (RFC 8785)."""
import re


class Refused(Exception):
    def __init__(self, why, path):
        super().__init__(why)
        self.path = path


SPACE = re.compile(r"[ \t\n\r]*")
NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?")
ESCAPES = {'"': '"', "\\": "\\", "/": "/", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
HEX = re.compile(r"[0-9a-fA-F]{4}")


class Reader:
    def __init__(self, text, deepest):
        self.text, self.at, self.deepest, self.path = text, 0, deepest, []

    def refuse(self, why):
        raise Refused(f"{why} at {self.at}", list(self.path))

    def space(self):
        self.at = SPACE.match(self.text, self.at).end()

    def peek(self):
        return self.text[self.at : self.at + 1]

    def take(self, wanted):
        if not self.text.startswith(wanted, self.at):
            self.refuse(f"no {wanted}")
        self.at += len(wanted)

    def document(self):
        self.space()
        value = self.value()
        self.space()
        if self.at < len(self.text):
            self.refuse("more behind it")
        return value

    def value(self):
        first = self.peek()
        if first == "{":
            return self.object()
        if first == "[":
            return self.array()
        if first == '"':
            return self.string()
        for word, value in (("true", True), ("false", False), ("null", None)):
            if self.text.startswith(word, self.at):
                self.at += len(word)
                return value
        return self.number()

    def enter(self):
        if len(self.path) >= self.deepest:
            self.refuse("too deep")
        self.at += 1
        self.space()

    def object(self):
        found = {}
        self.enter()
        if self.peek() == "}":
            self.at += 1
            return found
        while True:
            name = self.string()
            self.path.append(name)
            if name in found:
                self.refuse("a member twice")
            self.space()
            self.take(":")
            self.space()
            found[name] = self.value()
            self.path.pop()
            self.space()
            if self.peek() == "}":
                self.at += 1
                return found
            self.take(",")
            self.space()

    def array(self):
        found = []
        self.enter()
        if self.peek() == "]":
            self.at += 1
            return found
        while True:
            self.path.append(len(found))
            found.append(self.value())
            self.path.pop()
            self.space()
            if self.peek() == "]":
                self.at += 1
                return found
            self.take(",")
            self.space()

    def unit(self):
        match = HEX.match(self.text, self.at)
        if match is None:
            self.refuse("an escape")
        self.at += 4
        return int(match[0], 16)

    def string(self):
        self.take('"')
        out = []
        while True:
            character = self.peek()
            if character == "" or character < " ":
                self.refuse("a text that is not closed, or a control character")
            self.at += 1
            if character == '"':
                return "".join(out)
            if character == "\\":
                kind = self.peek()
                self.at += 1
                if kind != "u":
                    if kind not in ESCAPES:
                        self.refuse("an escape")
                    out.append(ESCAPES[kind])
                    continue
                unit = self.unit()
                if 0xD800 <= unit < 0xDC00:
                    if not self.text.startswith("\\u", self.at):
                        self.refuse("a lone surrogate")
                    self.at += 2
                    low = self.unit()
                    if not 0xDC00 <= low < 0xE000:
                        self.refuse("a lone surrogate")
                    unit = 0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00)
                elif 0xDC00 <= unit < 0xE000:
                    self.refuse("a lone surrogate")
                character = chr(unit)
            out.append(character)

    def number(self):
        match = NUMBER.match(self.text, self.at)
        if match is None:
            self.refuse("no value")
        if match[1] or match[2]:
            self.refuse("a fraction or an exponent")
        value = int(match[0])
        if abs(value) > 2**53 - 1 or match[0] == "-0":
            self.refuse("an integer out of range")
        self.at = match.end()
        return value


def parse(data, deepest=32):
    try:
        text = data.decode("utf-8") if isinstance(data, bytes) else data
    except UnicodeDecodeError:
        raise Refused("not UTF-8", [])
    return Reader(text, deepest).document()


SHORT = {0x08: "\\b", 0x09: "\\t", 0x0A: "\\n", 0x0C: "\\f", 0x0D: "\\r", 0x22: '\\"', 0x5C: "\\\\"}


def canonical(value):
    if value is None or value is True or value is False:
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, int):
        return str(value)
    if isinstance(value, str):
        escaped = (SHORT.get(ord(c)) or (f"\\u{ord(c):04x}" if ord(c) < 0x20 else c) for c in value)
        return f'"{"".join(escaped)}"'
    if isinstance(value, list):
        return f"[{','.join(canonical(each) for each in value)}]"
    names = sorted(value, key=lambda name: name.encode("utf-16-be"))
    return "{" + ",".join(f"{canonical(name)}:{canonical(value[name])}" for name in names) + "}"
