"""The members of an item, as docs/protocol/items.md has them: the path of the first one that breaks a rule."""

import json
import re

LABELS = r"(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
ADDRESS = re.compile(rf"(&?)[a-z0-9-]{{3,30}}(\.ai-[a-z0-9-]{{1,30}})?@((?=.{{1,253}}$){LABELS})")
REFERENCE = re.compile(rf"r:((?=[^:]{{1,253}}:){LABELS}):[A-Za-z0-9_-]{{1,64}}")
INSTANT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z")
AI_STATUSES = ("claimed", "vouched", "unclaimed")
PURPOSES = ("personal", "introduction", "recruiting", "sales", "offer", "other")
OWN_WORDS = ("tap", "passkey", "email")
NOES = ("reply_approval", "decline_agreement", "decline_move", "cancel_meeting", "withdraw_join", "leave_group")


def find_fault(item, origin, home, kinds):
    """None for an item whose members are all good, or the path of one that is not."""

    def home_in(value):
        match = REFERENCE.fullmatch(value) if isinstance(value, str) else None
        return match[1] if match else None

    def party(value, at=origin, kind=None):
        match = ADDRESS.fullmatch(value) if isinstance(value, str) else None
        if match is None or match[3] != at:
            return None
        found = "ai" if match[2] else "group" if match[1] else "person"
        return found if kind in (None, found) else None

    def object_of(**checks):
        def check(value, path):
            if not isinstance(value, dict):
                return path
            for name, one in checks.items():
                name = name.rstrip("_")
                fault = one(value.get(name, ABSENT), f"{path}.{name}" if path else name)
                if fault is not None:
                    return fault
            return None

        return check

    def rule(holds):
        return lambda value, path: None if value is not ABSENT and holds(value) else path

    def optional(check):
        return lambda value, path: None if value is ABSENT else check(value, path)

    def one_of(*texts):
        return rule(lambda value: isinstance(value, str) and value in texts)

    def form(shape):
        return rule(lambda value: isinstance(value, str) and re.fullmatch(shape, value) is not None)

    count = rule(lambda value: type(value) is int and 1 <= value < 2**53)
    flag = rule(lambda value: isinstance(value, bool))
    an_object = rule(lambda value: isinstance(value, dict))
    text = rule(lambda value: isinstance(value, str) and value != "")
    party_id = form(r"[A-Za-z0-9_-]{1,64}")
    name = form("[^\\x00-\\x1f\\x7f-\\x9f\\u2028\\u2029]{1,100}")
    reference = rule(lambda value: home_in(value) is not None)
    of_the_two = rule(lambda value: home_in(value) in (origin, home))
    person_address = rule(lambda value: party(value, kind="person") is not None)
    own_address = rule(lambda value: party(value) is not None)
    ai_address = rule(lambda value: party(value, kind="ai") is not None)
    proof = one_of(*OWN_WORDS, "key")
    via = one_of("web", "mcp", "api", "app", "home")
    sender_of = object_of(
        id=party_id,
        kind=one_of("person", "ai"),
        name=name,
        name_verified=flag,
        status=one_of("person", *AI_STATUSES),
        owner=optional(object_of(address=person_address, name=name)),
        owner_private=optional(rule(lambda value: value is True)),
    )
    bodies = {
        "message": object_of(
            thread=of_the_two,
            reply_to=optional(of_the_two),
            title=optional(text),
            text=text,
            data_json=optional(rule(is_data)),
            request_kind=one_of(*PURPOSES),
            group=optional(of_the_two),
        ),
        "state": object_of(kind=one_of(*kinds), object=object_of(id=reference, final=optional(flag))),
        "act": object_of(
            on=reference,
            operation=form(r"[a-z_]{1,60}"),
            request=an_object,
            seen_rev=optional(count),
            by=one_of("person", "ai", "rule"),
            proof=proof,
            via=via,
            for_=optional(object_of(id=party_id, address=person_address, name=optional(name))),
            owner_approved=optional(object_of(by=one_of("person", "ai"), proof=proof, via=via, ai=optional(ai_address))),
        ),
        "result": object_of(
            act=reference,
            status=rule(lambda value: type(value) is int and 200 <= value <= 599),
            answer=optional(an_object),
            error=optional(object_of(error=text, code=optional(text))),
        ),
        "erased": object_of(id=reference, rev=count),
        "notice": object_of(kind=form(r"[a-z_]{1,40}")),
        "skip": object_of(),
    }
    notices = {
        "card_changed": object_of(address=own_address, id=party_id),
        "moved": object_of(address=own_address, was=own_address, id=party_id),
        "gone": object_of(address=own_address, id=party_id),
        "key_revoked": object_of(kid=form(r"[A-Za-z0-9_-]{43}"), revoked_at=form(INSTANT.pattern)),
    }
    head = object_of(
        v=rule(lambda value: type(value) is int and value == 1),
        id=reference,
        rev=count,
        seq=count,
        from_=optional(rule(lambda value: party(value) in ("person", "ai"))),
    )

    def sender_fault():
        fault = sender_of(item.get("sender", ABSENT), "sender")
        if fault is not None:
            return fault
        sender = item["sender"]
        kind, status = party(item["from"]), sender["status"]
        if sender["kind"] != kind:
            return "sender.kind"
        if (kind == "person") != (status == "person"):
            return "sender.status"
        if status != "claimed":
            return next((f"sender.{one}" for one in ("owner", "owner_private") if one in sender), None)
        return "sender.owner" if ("owner" in sender) == ("owner_private" in sender) else None

    def parties_fault():
        needed = item["type"] in ("message", "act")
        if "from" not in item:
            return "from" if needed or "sender" in item else None
        return sender_fault()

    def recipients_fault():
        least = 1 if item["type"] in ("message", "state") else 0
        if "to" not in item and least == 0:
            return None
        to = item.get("to")
        if not isinstance(to, list) or not least <= len(to) <= 20:
            return "to"
        wrong = next((index for index, one in enumerate(to) if party(one, home) is None), None)
        if wrong is not None:
            return f"to[{wrong}]"
        return "to" if len(set(to)) < len(to) else None

    def act_fault(body):
        by, kind, operation = body["by"], item["sender"]["kind"], body["operation"]
        if by not in ("rule", kind):
            return "body.by"
        if "for" in body and kind != "ai":
            return "body.for"
        if by == "rule" and operation not in NOES:
            return "body.operation"
        approved = body.get("owner_approved")
        if approved is None:
            return proof_fault(body, "body")
        if operation != "sign_agreement" or by != "ai":
            return "body.owner_approved"
        if "ai" in approved and approved["by"] != "ai":
            return "body.owner_approved.ai"
        return proof_fault(body, "body") or proof_fault(approved, "body.owner_approved")

    def proof_fault(word, path):
        given = word["proof"] in OWN_WORDS if word["by"] == "person" else word["proof"] == "key"
        return None if given else f"{path}.proof"

    def body_fault():
        body = item["body"]
        if item["type"] == "state":
            return None if body["object"]["id"] == item["id"] else "body.object.id"
        if item["type"] == "act":
            return act_fault(body)
        if item["type"] == "result":
            return None if ("error" in body) == (body["status"] >= 400) else "body.error"
        if item["type"] == "notice" and body["kind"] in notices:
            return notices[body["kind"]](body, "body")
        return None

    return (
        head(item, "")
        or parties_fault()
        or recipients_fault()
        or bodies[item["type"]](item.get("body", ABSENT), "body")
        or body_fault()
    )


ABSENT = object()


def is_data(value):
    """The JSON text of an object, without a member __proto__."""
    try:
        read = json.loads(value, object_pairs_hook=once_each)
    except (TypeError, ValueError, RecursionError):
        return False
    return isinstance(read, dict) and not has_proto(read)


def once_each(pairs):
    if len({name for name, _ in pairs}) < len(pairs):
        raise ValueError("a member twice")
    return dict(pairs)


def has_proto(value):
    inner = value if isinstance(value, list) else list(value.values()) if isinstance(value, dict) else []
    return (isinstance(value, dict) and "__proto__" in value) or any(has_proto(one) for one in inner)
