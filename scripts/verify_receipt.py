#!/usr/bin/env python3
"""Checks a proof that Caudal gave out, written from docs/chain-format.md alone, with Python's own library.

    verify_receipt.py FILE PUBLIC_KEYS [--witness-keys KEYS]...

FILE is a proof file (/api/remittances/{id}/proof, /api/audit/proof/{position}), a consistency file
(/api/audit/consistency) or a dossier (/api/customer/{id}/dossiers/{position}). PUBLIC_KEYS are those of /api/audit/keys,
from the day you trusted them. Every witness whose keys are given must have signed a proof too. Says what holds and ends with
0, or what does not and ends with 1; 2 for wrong arguments.
"""
import base64
import hashlib
import json
import sys
from datetime import datetime, timedelta, timezone

EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
LEAF, NODE = b"\x00", b"\x01"


class Wrong(Exception):
    """What does not hold."""


def require(holds, what):
    if not holds:
        raise Wrong(what)


# The bytes that are hashed and signed.
def sha(*parts):
    return hashlib.sha256(b"".join(parts)).digest()


def number(value):
    require(type(value) is int, "a number is none")
    return value.to_bytes(8, "big", signed=True)


def field(text):
    raw = text.encode("utf-8")
    return number(len(raw)) + raw


def digest(text):
    require(isinstance(text, str) and len(text) == 64 and text == text.lower(), "a hash is none")
    return bytes.fromhex(text)


def micros(text):
    return (datetime.fromisoformat(text.replace("Z", "+00:00")) - EPOCH) // timedelta(microseconds=1)


def event_hash(previous, tenant, e):
    start = b"caudal.event.1" + previous + field(tenant) + number(e["position"])
    stream = field(e["aggregateType"]) + field(e["aggregateId"]) + number(e["sequence"])
    kind = field(e["eventType"]) + field(e["eventVersion"]) + number(e["recordedAt"])
    return sha(start, stream, kind, field(e["metadata"]), field(e["payload"]))


def checkpoint_message(c):
    require(c["caudal"] == "checkpoint" and c["format"] == 2, "the checkpoint is not of format 2")
    end = number(c["position"]) + digest(c["hash"]) + number(micros(c["recordedAt"])) + number(micros(c["signedAt"]))
    before = c.get("previous") or {"position": -1, "digest": "00" * 32}
    tree = digest(c["root"]) + number(before["position"]) + digest(before["digest"])
    return b"caudal.checkpoint.2" + field(c["tenant"]) + end + tree + field(c["key"])


# The Merkle tree (RFC 6962; the checks are those of RFC 9162, 2.1.3.2 and 2.1.4.2).
def climb(path, here, last):
    """Each sibling on the way from leaf `here` of a tree whose last leaf is `last`, and whether it is on the left."""
    for sibling in path:
        require(last > 0, "a proof is too long")
        is_left = here & 1 or here == last
        while is_left and not here & 1 and here:
            here, last = here >> 1, last >> 1
        yield sibling, is_left
        here, last = here >> 1, last >> 1
    require(last == 0, "a proof is too short")


def check_consistency(first, first_root, second, second_root, path):
    require(0 <= first <= second, "the roots are not in order")
    if first in (0, second):
        require(not path and first_root == (second_root if first == second else sha()), "the roots are not consistent")
        return
    path = list(path) if first & (first - 1) else [first_root] + list(path)
    here, last, one, other = first - 1, second - 1, path[0], path[0]
    while here & 1:
        here, last = here >> 1, last >> 1
    for sibling, is_left in climb(path[1:], here, last):
        one = sha(NODE, sibling, one) if is_left else one
        other = sha(NODE, sibling, other) if is_left else sha(NODE, other, sibling)
    require(one == first_root and other == second_root, "the roots are not consistent")


# Ed25519 (RFC 8032, section 6), verification alone.
P = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P


def point(raw):
    y = int.from_bytes(raw, "little")
    sign, y = y >> 255, y & (1 << 255) - 1
    square = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P:
        x = x * pow(2, (P - 1) // 4, P) % P
    require(y < P and (x * x - square) % P == 0 and (x or not sign), "a key or a signature is no point")
    x = x if x & 1 == sign else P - x
    return (x, y, 1, x * y % P)


def add(one, other):
    a = (one[1] - one[0]) * (other[1] - other[0]) % P
    b = (one[1] + one[0]) * (other[1] + other[0]) % P
    c, d = 2 * one[3] * other[3] * D % P, 2 * one[2] * other[2] % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return (e * f % P, g * h % P, f * g % P, e * h % P)


def times(scalar, of):
    total = (0, 1, 1, 0)
    while scalar:
        total, of, scalar = add(total, of) if scalar & 1 else total, add(of, of), scalar >> 1
    return total


def check_signature(public, message, text, what):
    raw = base64.b64decode(text)
    require(len(public) == 32 and len(raw) == 64, f"{what} has another length")
    s = int.from_bytes(raw[32:], "little")
    h = int.from_bytes(hashlib.sha512(raw[:32] + public + message).digest(), "little") % ORDER
    base = point((4 * pow(5, P - 2, P) % P).to_bytes(32, "little"))
    one, other = times(s, base), add(point(raw[:32]), times(h, point(public)))
    same = all((one[i] * other[2] - other[i] * one[2]) % P == 0 for i in (0, 1))
    require(s < ORDER and same, f"{what} does not hold")


# The files.
def read_keys(path):
    with open(path, encoding="utf-8") as file:
        stored = json.load(file)
    require(isinstance(stored, dict) and "keys" in stored, f"{path} is not a file of public keys: 'keys' is missing")
    return {key["id"]: base64.b64decode(key["publicKey"]) for key in stored["keys"]}


def check_checkpoint(c, tenant, keys):
    require(c is not None, "a root was not signed")
    require(c["tenant"] == tenant, "the checkpoint is another tenant's")
    require(c["key"] in keys, "the checkpoint is signed with an unknown key")
    check_signature(keys[c["key"]], checkpoint_message(c), c["signature"], "the checkpoint's signature")


# What a reader compares with the paper.
TOLD = ("code", "number", "amount", "payout", "currency", "currencyTo", "totalToPay")


def told(of):
    if not isinstance(of, dict):
        return []
    own = [f"{name} {of[name]}" for name in TOLD if isinstance(of.get(name), str)]
    return own + [line for name, part in of.items() if name != "personal" for line in told(part)]


def check_proof(proof, keys, witnesses):
    require(proof["caudal"] == "proof", "the file is no proof")
    tenant, event, signed = proof["tenant"], proof["event"], proof["checkpoint"]
    check_checkpoint(signed, tenant, keys)
    hashed = event_hash(digest(proof["previousHash"]), tenant, event)
    require(hashed == digest(event["hash"]), "the event is not what was hashed")
    index, last, node = event["position"] - 1, signed["position"] - 1, sha(LEAF, hashed)
    require(0 <= index <= last, "the event is not before the end of the signed log")
    for sibling, is_left in climb([digest(node) for node in proof["inclusion"]], index, last):
        node = sha(NODE, sibling, node) if is_left else sha(NODE, node, sibling)
    require(node == digest(signed["root"]), "the event is not in the log that was signed")
    named = sha(checkpoint_message(signed), base64.b64decode(signed["signature"]))
    for trusted in witnesses:
        by = [c for c in proof["cosignatures"] if c["witness"] in trusted]
        require(by, "a witness has not signed the checkpoint")
        message = b"caudal.cosignature.1" + named + number(micros(by[0]["cosignedAt"])) + field(by[0]["witness"])
        check_signature(trusted[by[0]["witness"]], message, by[0]["signature"], "a witness's signature")
    name = f'{event["eventType"]} of {event["aggregateId"]} is event {event["position"]} of {tenant}'
    says = ", ".join(told(json.loads(event["payload"]))) or "no number and no amount"
    return f'{name}, signed up to {signed["position"]}, and by {len(witnesses)} witnesses. It says: {says}'


def check_roots(proof, keys):
    ends = [proof["from"], proof["to"]]
    for end in ends:
        check_checkpoint(end["checkpoint"], proof["tenant"], keys)
        require(all(end["checkpoint"][name] == end[name] for name in ("position", "root")), "a root was not signed")
    (first, one), (second, other) = [(end["position"], digest(end["root"])) for end in ends]
    check_consistency(first, one, second, other, [digest(node) for node in proof["proof"]])
    return f'the log of {proof["tenant"]} up to {second} begins with the one up to {first}'


def check_dossier(signed, keys):
    canonical = json.dumps(signed["dossier"], ensure_ascii=False, separators=(",", ":"), sort_keys=True)
    hashed = sha(canonical.encode("utf-8"))
    require(hashed == digest(signed["digest"]), "the dossier is not what was signed")
    require(signed["key"] in keys, "the dossier is signed with an unknown key")
    check_signature(keys[signed["key"]], b"caudal.dossier.1" + hashed, signed["signature"], "the dossier's signature")
    of = signed["dossier"]
    return f'the dossier of {of["customerId"]} in {of["tenant"]} is as of position {of["position"]}, hash {of["hash"]}'


def main(arguments):
    if len(arguments) < 2 or len(arguments) % 2 or not set(arguments[2::2]) <= {"--witness-keys"}:
        print("usage: verify_receipt.py FILE PUBLIC_KEYS [--witness-keys KEYS]...", file=sys.stderr)
        return 2
    try:
        keys = read_keys(arguments[1])
        witnesses = [read_keys(path) for path in arguments[3::2]]
        with open(arguments[0], encoding="utf-8") as file:
            proof = json.load(file)
        require(isinstance(proof, dict), "not a proof file: it is no JSON object")
        for name in ("format", "caudal"):
            require(name in proof, f"not a proof file: '{name}' is missing")
        require(proof["format"] == 1, "the file is of another format")
        require(proof["caudal"] == "proof" or not witnesses, "witnesses sign no such file: leave their keys out")
        if proof["caudal"] == "dossier":
            print(check_dossier(proof, keys))
        else:
            print(check_roots(proof, keys) if proof["caudal"] == "consistency" else check_proof(proof, keys, witnesses))
    except Wrong as error:
        print(f"refused: {error}")
        return 1
    except OSError as error:
        print(f"refused: {error.filename} can't be read: {error.strerror}")
        return 1
    except json.JSONDecodeError as error:
        print(f"refused: not JSON: {error}")
        return 1
    except KeyError as error:
        print(f"refused: {error} is missing")
        return 1
    except (IndexError, TypeError, ValueError, OverflowError, AttributeError) as error:
        print(f"refused: the file is malformed: {error}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
