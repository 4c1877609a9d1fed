#!/usr/bin/env python3
"""Writes and reads sealed values from their description alone, sharing no code with the plugin.

    pip install cryptography
    ./sealed.py vectors > vectors.json       # the fixture of the tests
    ./sealed.py chunked > chunked.json       # the fixture for values in chunks
    ./sealed.py tenants > tenants.json       # the fixture for values that belong to tenants
    ./sealed.py open RING < SEALED           # prints the plaintext of a value that is bound to nothing
    ./sealed.py seal RING [NAME] < PLAIN     # seals one
    ./sealed.py seal-chunks RING < PLAIN     # seals one in chunks
    ./sealed.py seal-to RING NAME < PLAIN    # seals one to a public key
    ./sealed.py unprotect RING PASSPHRASE    # prints a protected ring (a test's: its passphrase is no secret)

ChaCha20-Poly1305 is OpenSSL's, BLAKE2b and HMAC are Python's own; HChaCha20 is written out below
(draft-irtf-cfrg-xchacha-03, section 2.2). The nonces of the fixture are not random, so that it can be made again.
"""
import hashlib, hmac, json, os, struct, sys, unicodedata, uuid
import base64
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from cryptography.hazmat.primitives.kdf.argon2 import Argon2id
from cryptography.hazmat.primitives.poly1305 import Poly1305

MAGIC = bytes.fromhex("8f544653")
SEALING, DETERMINISTIC_NONCE, BLIND_INDEX, HMAC_SHA256, HMAC_SHA512, KEY_RING, RECIPIENT, CHUNKS, SLOW_BLIND_INDEX = range(1, 10)


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
    def __init__(self, store=None, entity=None, attribute=None, object=None, tenant=None):
        self.store, self.entity, self.attribute, self.object = store, entity, attribute, object
        self.tenant = tenant

    def without_object(self):
        return Context(self.store, self.entity, self.attribute, tenant=self.tenant)

    def bound(self):
        parts = (self.store, self.entity, self.attribute, self.object, self.tenant)
        return sum(1 << i for i, part in enumerate(parts) if part is not None)

    def place(self):
        store = uuid.UUID(self.store).bytes if self.store else bytes(16)
        return store + struct.pack("<II", self.entity or 0, self.attribute or 0)

    def binding(self):
        return self.place() + struct.pack("<q", self.object or 0) + self.owner()

    def owner(self):
        return b"" if self.tenant is None else struct.pack("<q", self.tenant)


def subkey(secret, key_id, purpose, context):
    return hashlib.blake2b(bytes([purpose]) + context.place() + context.owner(), digest_size=32, key=secret,
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


def seal(secret, key_id, plain, context, padding="block", deterministic=False, nonce=None, purpose=SEALING):
    if deterministic:
        context = context.without_object()
    key = subkey(secret, key_id, purpose, context)
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


def public_key(secret):
    return X25519PrivateKey.from_private_bytes(secret).public_key().public_bytes_raw()


def shared_key(secret, other, sender, recipient):
    """The second half of crypto_kx: what goes from the client, here the sender, to the server."""
    point = X25519PrivateKey.from_private_bytes(secret).exchange(X25519PublicKey.from_public_bytes(other))
    return hashlib.blake2b(point + sender + recipient, digest_size=64).digest()[32:]


def seal_to(recipient, key_id, plain, context, padding="block", sender_secret=None, nonce=None):
    sender_secret = sender_secret or os.urandom(32)
    sender = public_key(sender_secret)
    key = subkey(shared_key(sender_secret, recipient, sender, recipient), key_id, RECIPIENT, context)
    commitment = hashlib.blake2b(b"transformable sealed commitment 1", digest_size=32, key=key).digest()
    header = MAGIC + bytes([1, 3, padding != "none", context.bound()]) + key_id + (nonce or os.urandom(24)) + commitment
    cipher, nonce12 = xchacha(key, header[16:40])
    return header + sender + cipher.encrypt(nonce12, pad(plain, padding), header + context.binding())


class SecretStream:
    """libsodium's crypto_secretstream_xchacha20poly1305."""
    MESSAGE, PUSH, FINAL = 0, 1, 3

    def __init__(self, key, header):
        self.key, self.counter, self.inonce = hchacha20(key, header[:16]), 1, header[16:24]

    def chacha(self, block, data):
        nonce = struct.pack("<II", block, self.counter) + self.inonce
        return Cipher(algorithms.ChaCha20(self.key, nonce), None).encryptor().update(data)

    def mac(self, first, rest, associated):
        poly = Poly1305(self.chacha(0, bytes(32)))
        poly.update(associated + bytes(-len(associated) % 16))
        # The zeros after the ciphertext are as many as libsodium writes, which is not what fills a block of 16.
        poly.update(first + rest + bytes(len(rest) % 16))
        poly.update(struct.pack("<QQ", len(associated), 64 + len(rest)))
        return poly.finalize()

    def advance(self, mac):
        self.inonce = bytes(a ^ b for a, b in zip(self.inonce, mac))
        self.counter += 1

    def push(self, tag, data, associated):
        first = self.chacha(1, bytes([tag]) + bytes(63))
        rest = self.chacha(2, data)
        mac = self.mac(first, rest, associated)
        self.advance(mac)
        return first[:1] + rest + mac

    def pull(self, chunk, associated):
        rest, mac = chunk[1:-16], chunk[-16:]
        tag = self.chacha(1, chunk[:1] + bytes(63))
        first = chunk[:1] + tag[1:]
        assert hmac.compare_digest(self.mac(first, rest, associated), mac), "not the next chunk"
        data = self.chacha(2, rest)
        self.advance(mac)
        return tag[0], data


CHUNK = 65536


def seal_chunks(secret, key_id, plain, context, padding="block", nonce=None):
    key = subkey(secret, key_id, CHUNKS, context)
    commitment = hashlib.blake2b(b"transformable sealed commitment 1", digest_size=32, key=key).digest()
    header = MAGIC + bytes([1, 2, padding != "none", context.bound()]) + key_id + (nonce or os.urandom(24)) + commitment
    stream, text, sealed = SecretStream(key, header[16:40]), pad(plain, padding), header
    for start in range(0, max(len(text), 1), CHUNK):
        chunk = text[start:start + CHUNK]
        ends_here = padding != "none" and start <= len(plain) < start + CHUNK
        tag = stream.FINAL if start + CHUNK >= len(text) else stream.PUSH if ends_here else stream.MESSAGE
        sealed += stream.push(tag, chunk, header + context.binding())
    return sealed


def open_chunks(key, sealed, padded, associated):
    stream, plain, tag, in_padding = SecretStream(key, sealed[16:40]), b"", None, False
    for start in range(72, len(sealed), CHUNK + 17):
        assert tag != stream.FINAL
        tag, data = stream.pull(sealed[start:start + CHUNK + 17], associated)
        if not in_padding:
            in_padding = padded and tag != stream.MESSAGE
            plain += unpad(data) if in_padding else data
    assert tag == stream.FINAL, "cut short"
    return plain


def open_sealed(ring, sealed, context):
    assert sealed[:4] == MAGIC and sealed[4] == 1 and sealed[5] in (1, 2, 3)
    flags, bound, key_id, body = sealed[6], sealed[7], sealed[8:16], sealed[72:]
    if flags & 2:
        context = context.without_object()
    assert bound == context.bound(), "bound to another place"
    secrets = {g["id"]: g["secret"] for k in ring["keys"] for g in k["generations"] if g["state"] != "retired"}
    secret = bytes.fromhex(secrets[key_id.hex()].removeprefix("tfm-key-"))
    if sealed[5] == 3:
        sender, body = body[:32], body[32:]
        secret = shared_key(secret, sender, sender, public_key(secret))
    key = subkey(secret, key_id, {1: SEALING, 2: CHUNKS, 3: RECIPIENT}[sealed[5]], context)
    commitment = hashlib.blake2b(b"transformable sealed commitment 1", digest_size=32, key=key).digest()
    assert hmac.compare_digest(commitment, sealed[40:72]), "another key"
    if sealed[5] == 2:
        return open_chunks(key, sealed, flags & 1, sealed[:72] + context.binding())
    cipher, nonce12 = xchacha(key, sealed[16:40])
    text = cipher.decrypt(nonce12, body, sealed[:72] + context.binding())
    return unpad(text) if flags & 1 else text


def protect(ring, passphrase, operations, memory, salt, nonce=None):
    """A key ring file under a passphrase: `memory` is in bytes, of which Argon2 counts whole KiB."""
    kdf = Argon2id(salt=salt, length=32, iterations=operations, lanes=1, memory_cost=memory // 1024)
    content = seal(kdf.derive(passphrase), bytes(8), json.dumps(ring).encode(), Context(), "buckets",
                   nonce=nonce, purpose=KEY_RING)
    return {"transformableKeyRing": 1, "sealed": base64.b64encode(content).decode(),
            "protection": {"kind": "argon2id", "operations": operations, "memory": memory,
                           "salt": base64.b64encode(salt).decode()}}


def unprotect(file, passphrase):
    how = file["protection"]
    kdf = Argon2id(salt=base64.b64decode(how["salt"]), length=32, iterations=how["operations"], lanes=1,
                   memory_cost=how["memory"] // 1024)
    content = base64.b64decode(file["sealed"])
    key = subkey(kdf.derive(passphrase), bytes(8), KEY_RING, Context())
    assert content[:16] == MAGIC + bytes([1, 1, 1, 0]) + bytes(8)
    commitment = hashlib.blake2b(b"transformable sealed commitment 1", digest_size=32, key=key).digest()
    assert hmac.compare_digest(commitment, content[40:72]), "wrong passphrase"
    cipher, nonce12 = xchacha(key, content[16:40])
    return json.loads(unpad(cipher.decrypt(nonce12, content[72:], content[:72] + bytes(32))))


def blind_index(secret, key_id, text, bits, context, slow=False):
    key = subkey(secret, key_id, SLOW_BLIND_INDEX if slow else BLIND_INDEX, context.without_object())
    value = unicodedata.normalize("NFC", text).encode()
    digest = hashlib.blake2b(bytes([bits]) + value, digest_size=32, key=key).digest()
    if slow:
        salt = hashlib.blake2b(b"transformable slow index salt 1", digest_size=16, key=key).digest()
        digest = Argon2id(salt=salt, length=32, iterations=3, lanes=1, memory_cost=32 << 10).derive(digest)
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

PAIR = generation(4, "primary")
PAIR["public"] = public_key(bytes.fromhex(PAIR["secret"].removeprefix("tfm-key-"))).hex()
RING["keys"].append({"name": "inbox", "kind": "pair", "generations": [PAIR]})

PLACES = {
    "nowhere": {},
    "cell": {"store": "6f9619ff-8b86-d011-b42d-00cf4fc964ff", "entity": 3, "attribute": 258, "object": 4294967299},
    "attribute": {"store": "6f9619ff-8b86-d011-b42d-00cf4fc964ff", "entity": 3, "attribute": 258},
    "negative": {"entity": 4294967295, "attribute": 0, "object": -1},
}


def pattern(count):
    return bytes((7 * i + 3 * (i >> 8) + 128) % 256 for i in range(count))


def key(index):
    g = [g for k in RING["keys"] for g in k["generations"]][index]
    return bytes.fromhex(g["secret"].removeprefix("tfm-key-")), bytes.fromhex(g["id"])


def chunked():
    cases = []
    for index, (count, padding) in enumerate([(0, "none"), (0, "block"), (100, "block"), (65536, "none"), (65536, "block")]):
        nonce = hashlib.sha256(b"transformable test chunks %d" % index).digest()[:24]
        value = seal_chunks(*key(1), pattern(count), Context(**PLACES["cell"]), padding, nonce)
        assert open_sealed(RING, value, Context(**PLACES["cell"])) == pattern(count)
        cases.append({"count": count, "padding": padding, "sealed": base64.b64encode(value).decode()})
    return {"place": PLACES["cell"], "plaintext": "byte i is (7 * i + 3 * (i >> 8) + 128) % 256", "cases": cases}


def vectors():
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
    to_public = []
    for index, (place, plain, padding) in enumerate([
        ("nowhere", b"", "none"), ("nowhere", b"", "block"), ("cell", b"123-45-6789", "block"),
        ("cell", b"123-45-6789", "buckets"), ("attribute", pattern(1500), "block"),
    ]):
        sender = hashlib.sha256(b"transformable test sender %d" % index).digest()
        nonce = hashlib.sha256(b"transformable test nonce to %d" % index).digest()[:24]
        value = seal_to(bytes.fromhex(PAIR["public"]), bytes.fromhex(PAIR["id"]), plain, Context(**PLACES[place]), padding,
                        sender, nonce)
        assert open_sealed(RING, value, Context(**PLACES[place])) == plain
        to_public.append({"place": PLACES[place], "plaintext": plain.hex(), "padding": padding, "sender": sender.hex(),
                          "nonce": nonce.hex(), "sealed": value.hex()})
    texts = ["", "Ada", "Zo\u00eb", "Zoe\u0308", "\U0001F600"]
    secret, key_id = key(1)
    old_secret, old_id = key(0)
    place = Context(**PLACES["attribute"])
    indexes = [{"place": PLACES["attribute"], "text": text, "bits": bits,
                "index": blind_index(secret, key_id, text, bits, place),
                "formerIndex": blind_index(old_secret, old_id, text, bits, place)}
               for text in texts for bits in (1, 16, 32, 63)]
    slow = [{"place": PLACES["attribute"], "text": text, "bits": 32,
             "index": blind_index(secret, key_id, text, 32, place, True),
             "formerIndex": blind_index(old_secret, old_id, text, 32, place, True)} for text in texts[1:3]]
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
    protected = protect(RING, "correct horse \u00e9".encode(), 2, 64 << 10, pattern(16), pattern(24))
    assert unprotect(protected, "correct horse \u00e9".encode()) == RING
    return {"ring": RING, "protectedRing": protected, "sealed": sealed, "sealedToPublicKey": to_public, "blindIndexes": indexes, "slowBlindIndexes": slow, "digests": digests}


def tenants():
    """Every kind of value in one cell, for several tenants, with the second generation of “clinic”."""
    cases = []
    for tenant in (0, 1, 4294967299, -2):
        place = Context(**PLACES["cell"], tenant=tenant)
        label = b"transformable test tenant %d" % tenant
        nonce, sender = hashlib.sha256(label).digest()[:24], hashlib.sha256(label + b" sender").digest()
        plain = b"123-45-6789"
        values = {
            "ordinary": seal(*key(1), plain, place, nonce=nonce),
            "deterministic": seal(*key(1), plain, place, deterministic=True),
            "toPublicKey": seal_to(bytes.fromhex(PAIR["public"]), bytes.fromhex(PAIR["id"]), plain, place,
                                   sender_secret=sender, nonce=nonce),
            "chunked": seal_chunks(*key(1), plain, place, nonce=nonce),
        }
        for value in values.values():
            assert open_sealed(RING, value, place) == plain
        owner = Context(tenant=tenant)
        cases.append({
            "tenant": tenant, "nonce": nonce.hex(), "sender": sender.hex(),
            **{name: value.hex() for name, value in values.items()},
            "blindIndex": blind_index(*key(1), "Ada", 32, place),
            "hmacSHA256": hmac.new(subkey(*key(1), HMAC_SHA256, owner), b"Ada", "sha256").hexdigest(),
            "hmacSHA512": hmac.new(subkey(*key(1), HMAC_SHA512, owner), b"Ada", "sha512").hexdigest(),
        })
    return {"plaintext": b"123-45-6789".hex(), "indexed": "Ada", "cases": cases}


def main():
    verb, arguments = (sys.argv[1:2] or [""])[0], sys.argv[2:]
    if verb == "vectors":
        json.dump(vectors(), sys.stdout, indent=1)
        print()
    elif verb == "chunked":
        json.dump(chunked(), sys.stdout, indent=1)
        print()
    elif verb == "tenants":
        json.dump(tenants(), sys.stdout, indent=1)
        print()
    elif verb in ("open", "seal", "seal-chunks", "seal-to") and arguments:
        ring = json.load(open(arguments[0]))
        data = sys.stdin.buffer.read()
        if verb == "seal-to":
            entry = [g for k in ring["keys"] if k["name"] == arguments[1] for g in k["generations"]][-1]
            sys.stdout.buffer.write(
                seal_to(bytes.fromhex(entry["public"]), bytes.fromhex(entry["id"]), data, Context()))
        elif verb == "open":
            sys.stdout.buffer.write(open_sealed(ring, data, Context()))
        else:
            name = (arguments[1:] or [ring["default"]])[0]
            entry = [g for k in ring["keys"] if k["name"] == name for g in k["generations"] if g["state"] == "primary"][0]
            secret = bytes.fromhex(entry["secret"].removeprefix("tfm-key-"))
            how = seal_chunks if verb == "seal-chunks" else seal
            sys.stdout.buffer.write(how(secret, bytes.fromhex(entry["id"]), data, Context()))
    elif verb == "unprotect" and len(arguments) == 2:
        print(json.dumps(unprotect(json.load(open(arguments[0])), arguments[1].encode())))
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()
