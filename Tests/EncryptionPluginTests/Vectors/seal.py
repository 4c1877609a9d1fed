#!/usr/bin/env python3
"""Checks the seal of a store from its description alone, sharing no code with the project.

    ./seal.py STORE RING            # prints the key, the counter, and “genuine” or “not genuine”
    ./seal.py STORE RING --reseal   # seals the store as it is, as anyone who has the ring can
    ./seal.py example               # the example of the article on the sealed format

It needs no more than Python's own modules. RING is an unprotected key ring file.
"""
import hashlib, json, sqlite3, struct, sys, uuid

SEAL = 10
LABEL = b"transformable store seal 1"

SECTIONS = [
    ("store", "id uuid format model_version", "_transformable_store ORDER BY id"),
    ("model", "version json", "_transformable_model ORDER BY version"),
    ("entity", "id name state", "_transformable_entity ORDER BY id"),
    ("attribute", "id entity name column type expression signature state", "_transformable_attribute ORDER BY id"),
    ("projection", "id attribute name column expression fingerprint keys state", "_transformable_projection ORDER BY id"),
    ("job", "id kind state detail", "_transformable_job ORDER BY id"),
    ("schema", "type name tbl_name sql",
     "sqlite_master WHERE NOT (type = 'table' AND name IN ('sqlite_stat1', 'sqlite_stat4')) "
     "ORDER BY type, name, tbl_name, sql"),
]


def value(x):
    if x is None:
        return b"\5"
    if isinstance(x, int):
        return b"\1" + struct.pack("<q", x)
    if isinstance(x, float):
        return b"\2" + struct.pack("<d", x)
    kind, content = (4, x[1]) if isinstance(x, tuple) else (3, x)
    return bytes([kind]) + struct.pack("<Q", len(content)) + content


def cells(connection, columns, source):
    # Text comes as its bytes, and a blob as a pair, so that neither is taken for the other.
    quoted = ['"%s"' % name for name in columns.split()]
    kinds = ", ".join("typeof(%s)" % name for name in quoted)
    for row in connection.execute("SELECT %s, %s FROM %s" % (", ".join(quoted), kinds, source)):
        count = len(quoted)
        yield [("blob", x) if kind == "blob" else x for x, kind in zip(row[:count], [k.decode() for k in row[count:]])]


def message(connection, counter):
    parts = [LABEL, value(counter)]
    for name, columns, source in SECTIONS:
        rows = list(cells(connection, columns, source))
        parts += [value(name.encode()), value(len(rows))] + [value(x) for row in rows for x in row]
    return b"".join(parts)


def tag(key, identifier, store, text):
    subkey = hashlib.blake2b(bytes([SEAL]) + store.bytes + bytes(8), digest_size=32, key=key,
                             salt=identifier + bytes(8), person=b"tfm sealed 1" + bytes(4)).digest()
    return hashlib.blake2b(text, digest_size=32, key=subkey).digest()


def ring_keys(path):
    with open(path) as file:
        ring = json.load(file)
    return {generation["id"]: bytes.fromhex(generation["secret"].removeprefix("tfm-key-"))
            for key in ring["keys"] if key.get("kind", "secret") == "secret" for generation in key["generations"]}


def main(path, ring, *options):
    connection = sqlite3.connect(path)
    connection.text_factory = bytes
    version, key, counter, sealed, written = connection.execute(
        'SELECT version, "key", counter, message, tag FROM _transformable_seal WHERE id = 1').fetchone()
    assert version == 1
    identifier = key.decode()
    store = uuid.UUID(connection.execute("SELECT uuid FROM _transformable_store").fetchone()[0].decode())
    counter += 1 if options == ("--reseal",) else 0
    text = message(connection, counter)
    right = tag(ring_keys(ring)[identifier], bytes.fromhex(identifier), store, text)
    if options == ("--reseal",):
        connection.execute("UPDATE _transformable_seal SET counter = ?, message = ?, tag = ?", (counter, text, right))
        connection.commit()
        written, sealed = right, text
    print(identifier, counter, "genuine" if right == written and text == sealed else "not genuine")


def example():
    key = bytes.fromhex("3f9fe60d049d295a8f2ddd41614cfcaf385b6704ad54014c741961a4ecc5167d")
    store = uuid.UUID("6f9619ff-8b86-d011-b42d-00cf4fc964ff")
    text = LABEL + value(1) + value(b"entity") + value(1) + value(3) + value(b"Patient") + value(b"live")
    print("message", text.hex())
    print("tag    ", tag(key, bytes.fromhex("d3c6ea7378ed9ec6"), store, text).hex())


if __name__ == "__main__":
    example() if sys.argv[1:] == ["example"] else main(*sys.argv[1:])
