"""SQLAlchemy on psycopg, doing what it is told a line at a time: `insert 1000`, `fetch 1000`, `sum`.

The argument is the folder of the server's socket. A type decorator transforms each rect into text and back, and another
one seals texts with libsodium (PyNaCl). It pads texts to multiples of 32 bytes, and has a header of 72 bytes as the
library's format has, but cannot bind a value to its row, which a type decorator does not see.
"""
import re
import sys
from os import urandom

from nacl.bindings import (
    crypto_aead_xchacha20poly1305_ietf_decrypt as decrypt,
    crypto_aead_xchacha20poly1305_ietf_encrypt as encrypt,
)
from sqlalchemy import BigInteger, LargeBinary, String, create_engine, func, insert, select
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column
from sqlalchemy.types import TypeDecorator

PATTERN = re.compile(rb"\{\{([^,]+), ([^}]+)\}, \{([^,]+), ([^}]+)\}\}")
KEY = urandom(32)
START = bytes(16)
COMMITMENT = bytes(32)
PLACE = bytes(24)


class Rect(TypeDecorator):
    impl = LargeBinary
    cache_ok = True

    def process_bind_param(self, value, dialect):
        return b"{{%.17g, %.17g}, {%.17g, %.17g}}" % value

    def process_result_value(self, value, dialect):
        return tuple(map(float, PATTERN.fullmatch(value).groups()))


class Sealed(TypeDecorator):
    impl = LargeBinary
    cache_ok = True

    def process_bind_param(self, value, dialect):
        text = value.encode() + b"\x80"
        nonce = urandom(24)
        header = START + nonce + COMMITMENT
        return header + encrypt(text + bytes(-len(text) % 32), header + PLACE, nonce, KEY)

    def process_result_value(self, value, dialect):
        text = decrypt(value[72:], value[:72] + PLACE, value[16:40], KEY).rstrip(b"\0")
        return text[:-1].decode()


class Base(DeclarativeBase):
    pass


class Patient(Base):
    __tablename__ = "sqlalchemy_patient"
    id: Mapped[int] = mapped_column(BigInteger, primary_key=True)
    version: Mapped[int] = mapped_column(BigInteger)
    name: Mapped[str] = mapped_column(String(collation="C"))
    bed: Mapped[tuple] = mapped_column(Rect)
    ssn: Mapped[str] = mapped_column(Sealed)


engine = create_engine(f"postgresql+psycopg://tester@/postgres?host={sys.argv[1]}")
Base.metadata.create_all(engine)


def write(count):
    with Session(engine) as session:
        first = session.scalar(select(func.coalesce(func.max(Patient.id), 0))) + 1
        rows = [
            {
                "id": first + number - 1,
                "version": 1,
                "name": f"Patient {number}",
                "bed": (number, number / 2, number / 3, 4.25),
                "ssn": f"123-45-{number}",
            }
            for number in range(1, count + 1)
        ]
        session.execute(insert(Patient), rows)
        session.commit()


def total():
    with Session(engine) as session:
        patients = session.scalars(select(Patient).execution_options(yield_per=1000))
        return sum(sum(patient.bed) + len(patient.ssn) + len(patient.name) for patient in patients)


print("ready", flush=True)
for line in sys.stdin:
    work, *arguments = line.split()
    if work == "insert":
        write(int(arguments[0]))
    else:
        result = total()
    print(repr(result) if work == "sum" else "done", flush=True)
