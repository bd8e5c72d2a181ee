#!/usr/bin/env python3
"""Verifies an exported log, written from docs/chain-format.md alone, with nothing but Python's own library.

    verify_log.py LOG [CHECKPOINT PUBLIC_KEYS]

Says the head's hash of a whole log and ends with 0; names the first wrong position and ends with 1 otherwise.
"""
import base64
import hashlib
import json
import sys
from datetime import datetime, timedelta, timezone

EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)


def number(value):
    return value.to_bytes(8, "big", signed=True)


def field(text):
    raw = text.encode("utf-8")
    return len(raw).to_bytes(8, "big") + raw


def genesis(tenant):
    return hashlib.sha256(b"caudal.genesis.1" + field(tenant)).digest()


def event_hash(previous, tenant, event):
    return hashlib.sha256(
        b"caudal.event.1"
        + previous
        + field(tenant)
        + number(event["position"])
        + field(event["aggregateType"])
        + field(event["aggregateId"])
        + number(event["sequence"])
        + field(event["eventType"])
        + field(event["eventVersion"])
        + number(event["recordedAt"])
        + field(event["metadata"])
        + field(event["payload"])
    ).digest()


class Wrong(Exception):
    pass


def verify(lines, checkpoint=None):
    """The head's (tenant, position, hash), or Wrong with the first wrong position."""
    lines = iter(lines)

    def following(position):
        try:
            return json.loads(next(lines))
        except StopIteration:
            raise Wrong(f"position {position}: the file ends without its last line")
        except ValueError as error:
            raise Wrong(f"position {position}: not JSON: {error}")

    first = following(0)
    if first.get("caudal") != "log" or first.get("format") != 1:
        raise Wrong("position 0: not a log of format 1")
    tenant, position, previous, time = first["tenant"], 0, genesis(first["tenant"]), None
    signed = checkpoint and (checkpoint["position"], checkpoint["hash"])
    if signed and signed[0] == 0 and signed[1] != previous.hex():
        raise Wrong("position 0: not what was signed")
    while True:
        line = following(position + 1)
        if line.get("end") is True:
            break
        try:
            found, hash_, at = line["position"], line["hash"], line["recordedAt"]
            expected = event_hash(previous, tenant, line)
        except (KeyError, TypeError, AttributeError, OverflowError, UnicodeEncodeError) as error:
            raise Wrong(f"position {position + 1}: not an event: {error!r}")
        if found != position + 1:
            raise Wrong(f"position {position + 1}: {found} stands there")
        if hash_ != expected.hex():
            raise Wrong(f"position {position + 1}: changed")
        if time is not None and at < time:
            raise Wrong(f"position {position + 1}: recorded before the event before it")
        position, previous, time = found, expected, at
        if signed and signed[0] == position and signed[1] != hash_:
            raise Wrong(f"position {position}: not what was signed")
    for end in (first, line):
        if (end["position"], end["hash"]) != (position, previous.hex()):
            raise Wrong(f"position {min(position, end['position']) + 1}: the log ends elsewhere")
    if position and first["recordedAt"] != time:
        raise Wrong(f"position {position}: the head has another time")
    if signed and signed[0] > position:
        raise Wrong(f"position {position + 1}: cut off, it was signed up to {signed[0]}")
    if next(lines, None) is not None:
        raise Wrong(f"position {position + 1}: something follows the end")
    return tenant, position, previous.hex()


# Ed25519 (RFC 8032, section 6), verification alone.
P = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P
ROOT = pow(2, (P - 1) // 4, P)


def recover_x(y, sign):
    if y >= P:
        return None
    square = (y * y - 1) * pow(D * y * y + 1, P - 2, P)
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P:
        x = x * ROOT % P
    if (x * x - square) % P or (x == 0 and sign):
        return None
    return P - x if x & 1 != sign else x


def add(one, other):
    a = (one[1] - one[0]) * (other[1] - other[0]) % P
    b = (one[1] + one[0]) * (other[1] + other[0]) % P
    c = 2 * one[3] * other[3] * D % P
    d = 2 * one[2] * other[2] % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return (e * f % P, g * h % P, f * g % P, e * h % P)


def times(scalar, point):
    sum_ = (0, 1, 1, 0)
    while scalar:
        if scalar & 1:
            sum_ = add(sum_, point)
        point, scalar = add(point, point), scalar >> 1
    return sum_


def decompress(raw):
    y = int.from_bytes(raw, "little")
    sign, y = y >> 255, y & (1 << 255) - 1
    x = recover_x(y, sign)
    return None if x is None else (x, y, 1, x * y % P)


BASE_Y = 4 * pow(5, P - 2, P) % P
BASE = (recover_x(BASE_Y, 0), BASE_Y, 1, recover_x(BASE_Y, 0) * BASE_Y % P)


def signature_holds(public, message, signature):
    a, r = decompress(public), decompress(signature[:32])
    s = int.from_bytes(signature[32:], "little")
    if a is None or r is None or s >= ORDER:
        return False
    h = int.from_bytes(hashlib.sha512(signature[:32] + public + message).digest(), "little") % ORDER
    one, other = times(s, BASE), add(r, times(h, a))
    return (one[0] * other[2] - other[0] * one[2]) % P == 0 and (one[1] * other[2] - other[1] * one[2]) % P == 0


def micros(text):
    return (datetime.fromisoformat(text.replace("Z", "+00:00")) - EPOCH) // timedelta(microseconds=1)


def check_signature(checkpoint, published):
    keys = {key["id"]: base64.b64decode(key["publicKey"]) for key in published["keys"]}
    if checkpoint["key"] not in keys:
        raise Wrong("the checkpoint's key is not among those published")
    tree = b""
    if checkpoint["format"] == 2:
        previous = checkpoint.get("previous") or {"position": -1, "digest": "00" * 32}
        tree = bytes.fromhex(checkpoint["root"]) + number(previous["position"]) + bytes.fromhex(previous["digest"])
    message = (
        b"caudal.checkpoint.%d" % checkpoint["format"]
        + field(checkpoint["tenant"])
        + number(checkpoint["position"])
        + bytes.fromhex(checkpoint["hash"])
        + number(micros(checkpoint["recordedAt"]))
        + number(micros(checkpoint["signedAt"]))
        + tree
        + field(checkpoint["key"])
    )
    if not signature_holds(keys[checkpoint["key"]], message, base64.b64decode(checkpoint["signature"])):
        raise Wrong("the checkpoint's signature does not hold")


def main(arguments):
    checkpoint = None
    try:
        if len(arguments) == 3:
            with open(arguments[1]) as file, open(arguments[2]) as keys:
                checkpoint = json.load(file)
                check_signature(checkpoint, json.load(keys))
        with open(arguments[0], encoding="utf-8", errors="strict", newline="\n") as log:
            tenant, position, head = verify(log, checkpoint)
        if checkpoint and checkpoint["tenant"] != tenant:
            raise Wrong("the checkpoint is another tenant's")
    except (Wrong, UnicodeDecodeError) as error:
        print(error)
        return 1
    print(f"{tenant} {position} {head}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
