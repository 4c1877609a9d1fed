#!/usr/bin/env python3
"""Writes and reads sealed values from their description alone, sharing no code with the plugin.

    pip install cryptography
    ./sealed.py vectors > vectors.json       # the fixture of the tests
    ./sealed.py open RING < SEALED           # prints the plaintext of a value that is bound to nothing
    ./sealed.py seal RING [NAME] < PLAIN     # seals one

ChaCha20-Poly1305 is OpenSSL's, BLAKE2b and HMAC are Python's own; HChaCha20 is written out below
(draft-irtf-cfrg-xchacha-03, section 2.2). The nonces of the fixture are not random, so that it can be made again.
"""
import hashlib, hmac, json, os, struct, sys, unicodedata, uuid
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

MAGIC = bytes.fromhex("8f544653")
SEALING, DETERMINISTIC_NONCE, BLIND_INDEX, HMAC_SHA256, HMAC_SHA512 = range(1, 6)


def rotate(x, n):
    return ((x << n) | (x >> (32 - n))) & 0xFFFFFFFF


def quarter_round(s, a, b, c, d):
    s[a] = (s[a] + s[b]) & 0xFFFFFFFF; s[d] = rotate(s[d] ^ s[a], 16)
    s[c] = (s[c] + s[d]) & 0xFFFFFFFF; s[b] = rotate(s[b] ^ s[c], 12)
    s[a] = (s[a] + s[b]) & 0xFFFFFFFF; s[d] = rotate(s[d] ^ s[a], 8)
    s[c] = (s[c] + s[d]) & 0xFFFFFFFF; s[b] = rotate(s[b] ^ s[c], 7)


def hchacha20(key, nonce16):
    s = list(struct.unpack("<4I", b"expand 32-byte k")) + list(struct.unpack("<8I", key))
    s += list(struct.unpack("<4I", nonce16))
    for _ in range(10):
        for columns in ((0, 4, 8, 12), (1, 5, 9, 13), (2, 6, 10, 14), (3, 7, 11, 15),
                        (0, 5, 10, 15), (1, 6, 11, 12), (2, 7, 8, 13), (3, 4, 9, 14)):
            quarter_round(s, *columns)
    return struct.pack("<8I", *(s[0:4] + s[12:16]))


def xchacha(key, nonce):
    return ChaCha20Poly1305(hchacha20(key, nonce[:16])), bytes(4) + nonce[16:]


class Context:
    def __init__(self, store=None, entity=None, attribute=None, object=None):
        self.store, self.entity, self.attribute, self.object = store, entity, attribute, object

    def without_object(self):
        return Context(self.store, self.entity, self.attribute)

    def bound(self):
        parts = (self.store, self.entity, self.attribute, self.object)
        return sum(1 << i for i, part in enumerate(parts) if part is not None)

    def place(self):
        store = uuid.UUID(self.store).bytes if self.store else bytes(16)
        return store + struct.pack("<II", self.entity or 0, self.attribute or 0)

    def binding(self):
        return self.place() + struct.pack("<q", self.object or 0)


def subkey(secret, key_id, purpose, context):
    return hashlib.blake2b(bytes([purpose]) + context.place(), digest_size=32, key=secret,
                           salt=key_id + bytes(8), person=b"tfm sealed 1" + bytes(4)).digest()


def padded_count(count, padding):
    n = count + 1
    if padding == "none":
        return count
    if padding == "buckets":
        size = 64
        while size < n:
            size *= 2
        return size
    step = 32
    if n > 1024:
        e = n.bit_length() - 1
        step = 1 << (e - e.bit_length())
    return -(-n // step) * step


def pad(plain, padding):
    if padding == "none":
        return plain
    return plain + b"\x80" + bytes(padded_count(len(plain), padding) - len(plain) - 1)


def unpad(padded):
    plain = padded.rstrip(b"\0")
    assert plain.endswith(b"\x80")
    return plain[:-1]


def seal(secret, key_id, plain, context, padding="block", deterministic=False, nonce=None):
    if deterministic:
        context = context.without_object()
    key = subkey(secret, key_id, SEALING, context)
    flags = (padding != "none") | deterministic << 1
    start = MAGIC + bytes([1, 1, flags, context.bound()]) + key_id
    commitment = hashlib.blake2b(b"transformable sealed commitment 1", digest_size=32, key=key).digest()
    text = pad(plain, padding)
    if deterministic:
        nonce_key = subkey(secret, key_id, DETERMINISTIC_NONCE, context)
        everything = start + bytes(24) + commitment + context.binding() + text
        nonce = hashlib.blake2b(everything, digest_size=24, key=nonce_key).digest()
    header = start + (nonce or os.urandom(24)) + commitment
    cipher, nonce12 = xchacha(key, header[16:40])
    return header + cipher.encrypt(nonce12, text, header + context.binding())


def open_sealed(ring, sealed, context):
    assert sealed[:4] == MAGIC and sealed[4] == 1 and sealed[5] == 1
    flags, bound, key_id = sealed[6], sealed[7], sealed[8:16]
    if flags & 2:
        context = context.without_object()
    assert bound == context.bound(), "bound to another place"
    secrets = {g["id"]: g["secret"] for k in ring["keys"] for g in k["generations"] if g["state"] != "retired"}
    key = subkey(bytes.fromhex(secrets[key_id.hex()].removeprefix("tfm-key-")), key_id, SEALING, context)
    commitment = hashlib.blake2b(b"transformable sealed commitment 1", digest_size=32, key=key).digest()
    assert hmac.compare_digest(commitment, sealed[40:72]), "another key"
    cipher, nonce12 = xchacha(key, sealed[16:40])
    text = cipher.decrypt(nonce12, sealed[72:], sealed[:72] + context.binding())
    return unpad(text) if flags & 1 else text


def blind_index(secret, key_id, text, bits, context):
    key = subkey(secret, key_id, BLIND_INDEX, context.without_object())
    value = unicodedata.normalize("NFC", text).encode()
    digest = hashlib.blake2b(bytes([bits]) + value, digest_size=32, key=key).digest()
    return int.from_bytes(digest, "big") >> (256 - bits)


# --- the fixture ---

def generation(number, state):
    secret = hashlib.sha256(b"transformable test key %d" % number).digest()
    key_id = hashlib.sha256(b"transformable test id %d" % number).digest()[:8]
    return {"id": key_id.hex(), "state": state, "created": "2026-01-0%dT00:00:00Z" % number,
            "secret": "tfm-key-" + secret.hex()}


RING = {"transformableKeyRing": 1, "default": "clinic", "keys": [
    {"name": "clinic", "generations": [generation(1, "active"), generation(2, "primary")]},
    {"name": "lab", "generations": [generation(3, "primary")]},
]}

PLACES = {
    "nowhere": {},
    "cell": {"store": "6f9619ff-8b86-d011-b42d-00cf4fc964ff", "entity": 3, "attribute": 258, "object": 4294967299},
    "attribute": {"store": "6f9619ff-8b86-d011-b42d-00cf4fc964ff", "entity": 3, "attribute": 258},
    "negative": {"entity": 4294967295, "attribute": 0, "object": -1},
}


def pattern(count):
    return bytes((7 * i + 3 * (i >> 8) + 128) % 256 for i in range(count))


def vectors():
    def key(index):
        g = [g for k in RING["keys"] for g in k["generations"]][index]
        return bytes.fromhex(g["secret"].removeprefix("tfm-key-")), bytes.fromhex(g["id"])

    sealed = []
    for index, (place, plain, padding, deterministic, which) in enumerate([
        ("nowhere", b"", "block", False, 1), ("nowhere", b"", "none", False, 1), ("nowhere", b"", "buckets", False, 1),
        ("cell", b"123-45-6789", "block", False, 1), ("cell", b"123-45-6789", "none", False, 1),
        ("cell", b"123-45-6789", "buckets", False, 1), ("cell", b"123-45-6789", "block", False, 0),
        ("cell", b"123-45-6789", "block", False, 2), ("negative", b"\x80\0\0", "block", False, 1),
        ("cell", b"123-45-6789", "block", True, 1), ("cell", b"123-45-6789", "none", True, 1),
        ("cell", b"123-45-6789", "buckets", True, 1), ("nowhere", b"", "block", True, 2),
        ("attribute", bytes(40), "block", False, 1), ("cell", pattern(31), "block", False, 1),
        ("cell", pattern(32), "block", False, 1), ("cell", pattern(1023), "block", False, 1),
        ("cell", pattern(1024), "block", False, 1), ("cell", pattern(2047), "block", False, 1),
        ("cell", pattern(5000), "block", True, 1), ("cell", pattern(4095), "buckets", False, 1),
        ("cell", pattern(4096), "buckets", False, 1),
    ]):
        secret, key_id = key(which)
        nonce = hashlib.sha256(b"transformable test nonce %d" % index).digest()[:24]
        value = seal(secret, key_id, plain, Context(**PLACES[place]), padding, deterministic, nonce)
        assert open_sealed(RING, value, Context(**PLACES[place])) == plain
        sealed.append({"place": PLACES[place], "plaintext": plain.hex(), "padding": padding,
                       "deterministic": deterministic, "key": ["clinic", "clinic", "lab"][which],
                       "isPrimary": which != 0, "nonce": value[16:40].hex(), "sealed": value.hex()})
    texts = ["", "Ada", "Zo\u00eb", "Zoe\u0308", "\U0001F600"]
    secret, key_id = key(1)
    old_secret, old_id = key(0)
    place = Context(**PLACES["attribute"])
    indexes = [{"place": PLACES["attribute"], "text": text, "bits": bits,
                "index": blind_index(secret, key_id, text, bits, place),
                "formerIndex": blind_index(old_secret, old_id, text, bits, place)}
               for text in texts for bits in (1, 16, 32, 63)]
    digests = []
    for text in texts:
        data = text.encode()
        def digest(expression, value):
            digests.append({"expression": expression, "value": data.hex(), "digest": value.hex()})
        digest("sha256", hashlib.sha256(data).digest())
        digest("sha512", hashlib.sha512(data).digest())
        digest("blake2b", hashlib.blake2b(data, digest_size=32).digest())
        digest("blake2b(size: 20)", hashlib.blake2b(data, digest_size=20).digest())
        for name, index in (("clinic", 1), ("lab", 2)):
            for algorithm, purpose in (("sha256", HMAC_SHA256), ("sha512", HMAC_SHA512)):
                derived = subkey(*key(index), purpose, Context())
                digest(f'hmac-{algorithm}(key: "{name}")', hmac.new(derived, data, algorithm).digest())
    return {"ring": RING, "sealed": sealed, "blindIndexes": indexes, "digests": digests}


def main():
    verb, arguments = (sys.argv[1:2] or [""])[0], sys.argv[2:]
    if verb == "vectors":
        json.dump(vectors(), sys.stdout, indent=1)
        print()
    elif verb in ("open", "seal") and arguments:
        ring = json.load(open(arguments[0]))
        data = sys.stdin.buffer.read()
        if verb == "open":
            sys.stdout.buffer.write(open_sealed(ring, data, Context()))
        else:
            name = (arguments[1:] or [ring["default"]])[0]
            entry = [g for k in ring["keys"] if k["name"] == name for g in k["generations"] if g["state"] == "primary"][0]
            secret = bytes.fromhex(entry["secret"].removeprefix("tfm-key-"))
            sys.stdout.buffer.write(seal(secret, bytes.fromhex(entry["id"]), data, Context()))
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()
