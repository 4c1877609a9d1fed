"""Reads keyed archives by plistlib, and says where the JSON that we make of them differs.

usage: archives.py FOLDER

For each NAME.archive there are NAME.graph.json, the graph as `Archive.json` writes it, and NAME.KEY.json for
each top object that is a value, as `ArchivedValue.json` writes it. Nothing here is shared with the code under test:
this is the format as plistlib reads it, and a walk of `$objects` by hand.
"""

import base64
import datetime
import json
import math
import pathlib
import plistlib
import struct
import sys

EPOCH = datetime.datetime(2001, 1, 1)


class Instance(dict):
    """The fields of an object, with its class."""


def reference(value):
    """The number of a reference: binary archives have a type for them, XML has a dictionary."""
    if isinstance(value, plistlib.UID):
        return value.data
    if isinstance(value, dict) and list(value) == ["CF$UID"]:
        return value["CF$UID"]
    return None


def seconds(text):
    whole, _, fraction = text.rstrip("Z").partition(".")
    date = datetime.datetime.strptime(whole, "%Y-%m-%dT%H:%M:%S") - EPOCH
    return date.days * 86400 + date.seconds + float("0." + (fraction or "0"))


def scalar(value):
    if isinstance(value, bytes):
        return {"$data": base64.b64encode(value).decode()}
    if isinstance(value, datetime.datetime):
        return {"$date": (value - EPOCH).total_seconds()}
    if isinstance(value, float) and not math.isfinite(value):
        return {"$real": "nan" if math.isnan(value) else "infinity" if value > 0 else "-infinity"}
    return value


# The graph


def node(value):
    number = reference(value)
    if number is not None:
        return {"$ref": number}
    if isinstance(value, list):
        return [node(element) for element in value]
    if isinstance(value, dict):
        return {key: node(field) for key, field in value.items()}
    return scalar(value)


def described(tag, kind):
    names = {tag: kind["$classname"], "$classes": kind.get("$classes", [])}
    return names | ({"$fallbacks": kind["$classhints"]} if kind.get("$classhints") else {})


def graph(archive):
    objects = archive["$objects"]

    def content(number, value):
        if number == 0 and value == "$null":
            return None
        if isinstance(value, dict) and "$class" in value:
            fields = {key: node(field) for key, field in value.items() if key != "$class"}
            return described("$object", objects[reference(value["$class"])]) | {"$fields": fields}
        if isinstance(value, dict) and "$classname" in value:
            return described("$class", value)
        return node(value)

    return {"$top": node(archive["$top"]), "$objects": [content(*pair) for pair in enumerate(objects)]}


# Values


class Walk:
    """Resolves the references of an archive into plain values with tags."""

    def __init__(self, objects):
        self.objects = objects

    def of(self, value):
        number = reference(value)
        if number is None:
            return scalar(value)
        return None if number == 0 else self.object(self.objects[number])

    def object(self, found):
        if not isinstance(found, dict):
            return scalar(found)
        kind = self.objects[reference(found["$class"])]
        fields = {key: field for key, field in found.items() if key != "$class"}
        for name in [kind["$classname"]] + kind.get("$classhints", []):
            make = getattr(self, name.replace("NSMutable", "NS"), None)
            if make:
                return make(fields)
        listed = {key: self.field(field) for key, field in fields.items()}
        return described("$object", kind) | {"$fields": listed}

    def field(self, value):
        if isinstance(value, list):
            return {"$list": [{"$nil": None} if reference(e) == 0 else self.of(e) for e in value]}
        if reference(value) is None:
            return {"$inline": scalar(value)}
        return {"$nil": None} if reference(value) == 0 else self.of(value)

    def members(self, fields, prefix="NS.object.", listed="NS.objects"):
        if listed in fields:
            return [self.of(member) for member in fields[listed]]
        names = [key for key in fields if key.startswith(prefix)]
        return [self.of(fields[key]) for key in sorted(names, key=lambda key: int(key[len(prefix):]))]

    def raw(self, value):
        """Data in a field, or an object of class NSData."""
        return base64.b64decode(self.of(value)["$data"])

    def numbers(self, value):
        """Integers of seven bits a byte."""
        result, number, shift = [], 0, 0
        for byte in self.raw(value):
            number |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                result.append(number)
                number, shift = 0, 0
        return result

    def NSString(self, fields):
        text = self.of(fields.get("NS.string", fields.get("NS.bytes")))
        return base64.b64decode(text["$data"]).decode() if isinstance(text, dict) else text

    def NSData(self, fields):
        return self.of(fields.get("NS.data", fields.get("NS.bytes")))

    def NSArray(self, fields):
        return self.members(fields)

    def NSSet(self, fields):
        return {"$set": self.members(fields)}

    def NSOrderedSet(self, fields):
        return {"$orderedSet": self.members(fields)}

    def NSCountedSet(self, fields):
        count = range(self.of(fields["NS.count"]))
        pairs = [[self.of(fields[f"NS.object{n}"]), self.of(fields[f"NS.count{n}"])] for n in count]
        return {"$countedSet": pairs}

    def NSDictionary(self, fields):
        keys = self.members(fields, "NS.key.", "NS.keys")
        values = self.members(fields)
        if all(isinstance(key, str) and not key.startswith("$") for key in keys):
            return dict(zip(keys, values))
        return {"$dictionary": [list(pair) for pair in zip(keys, values)]}

    def NSNull(self, fields):
        return None

    def NSDate(self, fields):
        return {"$date": float(self.of(fields["NS.time"]))}

    def NSUUID(self, fields):
        text = self.raw(fields["NS.uuidbytes"]).hex().upper()
        return {"$uuid": "-".join([text[:8], text[8:12], text[12:16], text[16:20], text[20:]])}

    def NSURL(self, fields):
        texts = [self.of(fields["NS.relative"])]
        base = self.of(fields.get("NS.base", plistlib.UID(0)))
        if base:
            base = base["$url"]
            texts += base if isinstance(base, list) else [base]
        return {"$url": texts if len(texts) > 1 else texts[0]}

    def NSValue(self, fields):
        kind = fields.get("NS.special")
        if kind in (1, 2, 3):
            name, field = {1: ("$point", "point"), 2: ("$size", "size"), 3: ("$rect", "rect")}[kind]
            text = self.of(fields[f"NS.{field}val"]).replace("{", "").replace("}", "")
            return {name: [float(part) for part in text.split(",")]}
        if kind == 4:
            return {"$range": [self.of(fields["NS.rangeval.location"]), self.of(fields["NS.rangeval.length"])]}
        if kind in (11, 12):
            tag = "$uiEdgeInsets" if kind == 11 else "$edgeInsets"
            return {tag: [float(fields[f"NS.edgeval.{edge}"]) for edge in ("top", "left", "bottom", "right")]}
        if kind == 10:
            return {"$transform": [float(fields[f"NS.atval.{name}"]) for name in ("a", "b", "c", "d", "tx", "ty")]}
        listed = {key: self.field(field) for key, field in fields.items()}
        return {"$object": "NSValue", "$classes": ["NSValue", "NSObject"], "$fields": listed}

    def NSDecimalNumber(self, fields):
        words = struct.unpack((">" if fields["NS.mantissa.bo"] == 2 else "<") + "8H", fields["NS.mantissa"])
        words = words[: fields["NS.length"]]
        if not words and fields["NS.negative"]:
            return {"$decimal": "nan"}
        number = sum(word << (16 * place) for place, word in enumerate(words))
        sign = -1 if fields["NS.negative"] else 1
        return {"$decimal": (sign * number, fields["NS.exponent"])}

    def NSIndexSet(self, fields):
        count = self.of(fields["NSRangeCount"])
        if count == 1:
            return {"$indexSet": [[self.of(fields["NSLocation"]), self.of(fields["NSLength"])]]}
        numbers = self.numbers(fields["NSRangeData"]) if count else []
        return {"$indexSet": [list(pair) for pair in zip(numbers[::2], numbers[1::2])]}

    def NSIndexPath(self, fields):
        count = fields["NSIndexPathLength"]
        if count > 1:
            return {"$indexPath": self.numbers(fields["NSIndexPathData"])}
        return {"$indexPath": [self.of(fields["NSIndexPathValue"])] if count else []}

    def NSLocale(self, fields):
        return {"$locale": self.of(fields["NS.identifier"])}

    def NSTimeZone(self, fields):
        name, rules = self.of(fields["NS.name"]), self.of(fields["NS.data"])
        return {"$timeZone": {"name": name, "data": rules} if rules else name}

    def NSCalendar(self, fields):
        names = {
            "NS.identifier": "identifier",
            "NS.firstwkdy": "firstWeekday",
            "NS.mindays": "minimumDaysInFirstWeek",
            "NS.gstartdate": "gregorianStartDate",
            "NS.locale": "locale",
            "NS.timezone": "timeZone",
        }
        parts = {names[key]: self.of(field) for key, field in fields.items()}
        for name in ("locale", "timeZone"):
            if parts.get(name) is not None:
                parts[name] = parts[name]["$" + name]
        return {"$calendar": {name: part for name, part in parts.items() if part is not None}}

    def NSDateComponents(self, fields):
        names = {"nanosec": "nanosecond", "yearForWOY": "yearForWeekOfYear", "timezone": "timeZone"}
        parts = {}
        for key, field in fields.items():
            name, part = names.get(key[3:], key[3:]), self.of(field)
            if name in ("leapMonth", "isLeapMonth"):
                name, part = "isLeapMonth", True if part else None
            elif name == "repeatedDay":
                name, part = "isRepeatedDay", True if part else None
            elif name in ("calendar", "timeZone"):
                part = part and part["$" + name]
            if part is not None and part != 2**63 - 1:
                parts[name] = part
        return {"$dateComponents": parts}

    def NSError(self, fields):
        pairs = {"domain": self.of(fields["NSDomain"]), "code": fields["NSCode"]}
        info = self.of(fields["NSUserInfo"])
        return {"$error": pairs | ({"userInfo": info} if info else {})}

    def NSNotification(self, fields):
        parts = {name: self.of(fields[f"NS.{name.lower()}"]) for name in ("name", "object", "userInfo")}
        return {"$notification": {name: part for name, part in parts.items() if part is not None}}

    def NSAttributedString(self, fields):
        text = self.of(fields["NSString"])
        attributes = self.of(fields.get("NSAttributes", plistlib.UID(0)))
        if reference(fields.get("NSAttributeInfo", plistlib.UID(0))) == 0:
            length = len(text.encode("utf-16-le")) // 2
            runs = [[length, attributes or {}]] if length else []
        else:
            numbers = self.numbers(fields["NSAttributeInfo"])
            runs = [[length, attributes[index]] for length, index in zip(numbers[::2], numbers[1::2])]
        return {"$attributedString": {"string": text, "runs": runs}}


# Comparison


def canonical(value):
    """A form in which equal values are equal, and 1, 1.0 and true are not."""
    if isinstance(value, bool) or value is None:
        return ("bool", value)
    if isinstance(value, int):
        return ("int", value)
    if isinstance(value, float):
        return ("real", struct.pack(">d", value))
    if isinstance(value, str):
        return ("string", value)
    if isinstance(value, (list, tuple)):
        return ("list", [canonical(element) for element in value])
    if list(value) == ["$date"]:
        text = value["$date"]
        return ("date", round(seconds(text) if isinstance(text, str) else float(text), 9))
    if list(value) == ["$decimal"]:
        return ("decimal", decimal(value["$decimal"]))
    if list(value) in (["$set"], ["$dictionary"], ["$countedSet"]):
        [(tag, members)] = value.items()
        return (tag, sorted(repr(canonical(member)) for member in members))
    return ("object", sorted((key, canonical(member)) for key, member in value.items()))


def decimal(parts):
    """Mantissa without trailing zeros, and exponent."""
    if parts == "nan":
        return parts
    if isinstance(parts, str):
        digits, _, power = parts.lower().partition("e")
        whole, _, fraction = digits.partition(".")
        parts = (int(whole + fraction), int(power or 0) - len(fraction))
    mantissa, exponent = parts
    while mantissa and mantissa % 10 == 0:
        mantissa, exponent = mantissa // 10, exponent + 1
    return (mantissa, exponent if mantissa else 0)


def difference(found, expected, path=""):
    """Where two values differ first."""
    if canonical(found) == canonical(expected):
        return None
    if isinstance(found, dict) and isinstance(expected, dict) and found.keys() == expected.keys():
        pairs = [(key, found[key], expected[key]) for key in found]
    elif isinstance(found, list) and isinstance(expected, list) and len(found) == len(expected):
        pairs = zip(range(len(found)), found, expected)
    else:
        return f"{path}: {found!r}, and expected is {expected!r}"
    for key, one, other in pairs:
        if text := difference(one, other, f"{path}.{key}"):
            return text
    return f"{path}: {found!r}, and expected is {expected!r}"


def main(folder):
    checked, failures = 0, 0
    for path in sorted(pathlib.Path(folder).glob("*.archive")):
        archive = plistlib.loads(path.read_bytes())
        for made in sorted(path.parent.glob(path.stem + ".*.json")):
            key = made.name[len(path.stem) + 1 : -len(".json")]
            isGraph = key == "graph"
            expected = graph(archive) if isGraph else Walk(archive["$objects"]).of(archive["$top"][key])
            checked += 1
            if text := difference(json.loads(made.read_text()), expected):
                failures += 1
                print(f"{path.stem} {key}{text}")
    print(f"{checked} compared")
    return 1 if failures or not checked else 0


sys.exit(main(sys.argv[1]))
