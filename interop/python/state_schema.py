"""The objects of states, as docs/protocol/items.md has them: the path of the first member that breaks a rule."""

import re

from item_schema import ADDRESS, INSTANT, REFERENCE

WHOLE = "body.object"
WORD = re.compile(r"[A-Za-z0-9_.:+/@-]{0,300}")
PERSON = {"id": "address", "address": "address", "name": "text", "kind": "word", "age_band": "word", "guest": "flag"}
GROUP = {"id": "id", "name": "text", "address": "address"}
KINDS = {
    "group": {
        **GROUP,
        "settings": {"minors": "word", "join_review": "word"},
        "archived": "flag",
        "time_zone": "word",
        "members": [{"person": PERSON, "role": "word", "joined_at": "time"}],
    },
    "invite": {
        **{"id": "id", "invited_by": "address", "name": "text", "status": "word", "group": GROUP},
        **{"created_at": "time", "expires_at": "time", "needs_review": "flag"},
    },
    "post": {
        **{"id": "id", "group": "id", "from": "address", "from_name": "text", "by_ai": "flag", "text": "text"},
        **{"reply_to": "id", "at": "time", "via": "word"},
    },
    "decision": {
        **{"id": "id", "title": "text", "status": "word", "group": GROUP, "why": "word"},
        "asked_by": {"name": "text", "address": "address"},
        "questions": [{"id": "count", "kind": "word", "prompt": "text", "options": ["text"]}],
        **{"waiting_on": ["address"], "people_asked": "count", "people_answered": "count", "needs": "word"},
        **{"deadline": "time", "at": "time", "time_zone": "word", "revision": "count"},
    },
    "plan": {
        **{"id": "id", "title": "text", "status": "word", "group": "id", "group_name": "text", "by": "address"},
        "options": [
            {
                **{"id": "count", "starts_at": "time", "ends_at": "time", "date": "word"},
                "stances": [{"person": "address", "name": "text", "stance": "word", "at": "time"}],
            }
        ],
        **{"people": [PERSON], "waiting_on": ["address"], "time_zone": "word", "deadline": "time", "why": "word"},
        **{"created_at": "time", "revision": "count"},
    },
    "offer": {
        **{"id": "id", "by": "address", "by_name": "text", "name_verified": "flag", "title": "text"},
        "slots": [{"starts_at": "time", "ends_at": "time", "free": "flag"}],
        **{"time_zone": "word", "place": "text", "status": "word", "expires_at": "time", "created_at": "time"},
        **{"times": "count", "booked": "count"},
    },
    "meeting": {
        **{"id": "id", "uid": "word", "sequence": "count", "offer": "id", "title": "text", "starts_at": "time"},
        **{"ends_at": "time", "time_zone": "word", "place": "text", "with": ["address"], "with_name": "text"},
        **{"name_verified": "flag", "offered": "flag", "status": "word", "booked_at": "time", "revision": "count"},
    },
}
ALWAYS = {
    "group": ["address"],
    "invite": ["status", "group", "created_at", "expires_at"],
    "post": ["group", "at"],
    "decision": ["title", "status", "group", "at", "deadline"],
    "plan": ["title", "status", "created_at", "options", "deadline"],
    "offer": ["status", "slots", "created_at", "expires_at"],
    "meeting": ["status", "starts_at", "ends_at", "booked_at"],
}
LINES = {
    "group": ["name"],
    "invite": ["name", "group.name"],
    "post": ["from_name"],
    "decision": ["title", "group.name"],
    "plan": ["title", "group_name"],
    "offer": [],
    "meeting": [],
}


def find_fault(kind, item_id, value, origin):
    """None for an object whose members are all good, or the path of one that is not."""
    if not isinstance(value, dict) or value.get("id") != item_id:
        return f"{WHOLE}.id"
    fault = typed(KINDS[kind], value, WHOLE)
    if fault is not None:
        return fault
    if not names_good(KINDS[kind], value, origin) or "\0" in "".join(texts(value)):
        return WHOLE
    missing = next((name for name in ALWAYS[kind] if value.get(name) in (None, "", [])), None)
    if missing is not None:
        return f"{WHOLE}.{missing}"
    long = next((path for path in LINES[kind] if not is_line(member(value, path))), None)
    return None if long is None else f"{WHOLE}.{long}"


def typed(shape, value, path):
    """The path of the first member of another type."""
    if isinstance(shape, list):
        if not isinstance(value, list):
            return path
        faults = (typed(shape[0], one, f"{path}[{index}]") for index, one in enumerate(value))
        return next((fault for fault in faults if fault), None)
    if isinstance(shape, dict):
        if not isinstance(value, dict):
            return path
        given = ((name, one) for name, one in value.items() if name in shape and one is not None)
        faults = (typed(shape[name], one, f"{path}.{name}") for name, one in given)
        return next((fault for fault in faults if fault), None)
    if shape == "flag":
        return None if isinstance(value, bool) else path
    if shape == "count":
        return None if type(value) is int and value >= 0 else path
    if not isinstance(value, str):
        return path
    return path if shape == "time" and INSTANT.fullmatch(value) is None else None


def names_good(shape, value, origin):
    """Whether addresses have their home, ids and groups are of the home that sends them, and words are words."""
    if isinstance(shape, list):
        return all(names_good(shape[0], one, origin) for one in value)
    if isinstance(shape, dict):
        return all(names_good(shape[name], one, origin) for name, one in value.items() if name in shape)
    if value == "":
        return True
    if shape == "id":
        match = REFERENCE.fullmatch(value)
        return match is not None and match[1] == origin
    if shape == "address":
        match = ADDRESS.fullmatch(value)
        return match is not None and (match[1] == "" or match[2] is not None or match[3] == origin)
    return shape != "word" or WORD.fullmatch(value) is not None


def texts(value):
    if isinstance(value, str):
        return [value]
    inner = value if isinstance(value, list) else list(value.values()) if isinstance(value, dict) else []
    return [text for one in inner for text in texts(one)]


def member(value, path):
    for name in path.split("."):
        value = value.get(name, "")
    return value


def is_line(text):
    return len(text.encode("utf-16-le")) <= 600 and "\n" not in text
