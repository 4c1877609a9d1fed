#!/usr/bin/env python3
"""Checks the tags of a store's rows from their description alone, sharing no code with the project.

    ./rows.py STORE RING        # for each entity that authenticates its rows: how many there are, and which are not genuine
    ./rows.py example           # the example of the article on the sealed format

It needs no more than Python's own modules and seal.py beside it. RING is an unprotected key ring file.
"""
import hashlib, sqlite3, struct, sys, uuid

from seal import cells, ring_keys, value

ROWS = 11
LABEL = b"transformable row 1"


def tag(key, identifier, store, entity, text):
    place = bytes([ROWS]) + store.bytes + struct.pack("<I", entity) + bytes(4)
    subkey = hashlib.blake2b(place, digest_size=32, key=key, salt=identifier + bytes(8),
                             person=b"tfm sealed 1" + bytes(4)).digest()
    return hashlib.blake2b(text, digest_size=16, key=subkey).digest()


def message(number, version, numbers, row):
    parts = [LABEL, value(number), value(version), struct.pack("<I", len(numbers))]
    return b"".join(parts + [struct.pack("<I", n) + value(x) for n, x in zip(numbers, row)])


def columns(connection, entity):
    """The columns that a tag covers: numbers of attributes, and names."""
    found = [(number, b"", column) for number, column in connection.execute(
        'SELECT id, "column" FROM _transformable_attribute WHERE entity = ? AND state = \'live\'', (entity,))]
    found += [(number, name, column) for number, name, column in connection.execute(
        'SELECT p.attribute, p.name, p."column" FROM _transformable_projection AS p JOIN _transformable_attribute AS a '
        "ON a.id = p.attribute WHERE a.entity = ? AND a.state IN ('live', 'compound') AND p.state = 'live'", (entity,))]
    return [(number, column.decode()) for number, _, column in sorted(found)]


def main(path, ring):
    connection = sqlite3.connect(path)
    connection.text_factory = bytes
    store = uuid.UUID(connection.execute("SELECT uuid FROM _transformable_store").fetchone()[0].decode())
    keys = ring_keys(ring)
    for entity, name in connection.execute("SELECT id, name FROM _transformable_entity WHERE state = 'live'").fetchall():
        names = [row[1] for row in connection.execute('PRAGMA table_info("%s")' % name.decode())]
        if b"_mac" not in names:
            continue
        covered = ([(0, "_tenant")] if b"_tenant" in names else []) + columns(connection, entity)
        wanted = " ".join(["_id", "_version", "_mac"] + [column for _, column in covered])
        count, wrong = 0, []
        for number, version, mac, *row in cells(connection, wanted, '"%s" ORDER BY _id' % name.decode()):
            count += 1
            seal = mac[1] if isinstance(mac, tuple) else b""
            key = keys.get(seal[:8].hex())
            text = message(number, version, [n for n, _ in covered], row)
            if key is None or len(seal) != 24 or tag(key, seal[:8], store, entity, text) != seal[8:]:
                wrong.append(number)
        print(name.decode(), count, "genuine" if not wrong else "not genuine: %s" % wrong)


def example():
    key = bytes.fromhex("3f9fe60d049d295a8f2ddd41614cfcaf385b6704ad54014c741961a4ecc5167d")
    store = uuid.UUID("6f9619ff-8b86-d011-b42d-00cf4fc964ff")
    text = message(5, 2, [6, 7, 7, 8], ["Ada".encode(), None, 258, 1.5])
    print("message", text.hex())
    print("tag    ", tag(key, bytes.fromhex("d3c6ea7378ed9ec6"), store, 3, text).hex())


if __name__ == "__main__":
    example() if sys.argv[1:] == ["example"] else main(*sys.argv[1:])
