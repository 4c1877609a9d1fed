#!/usr/bin/env python3
"""Writes dates.csv and decimals.csv: texts, what they mean, and how it is written, computed with fractions.

A date is the double nearest to its seconds since 2001 (rounded half to even, as Python divides integers); it is
written with the digits of the shortest text that reads back to that double (Python's repr).
"""

import datetime, fractions, math, os, random, struct
from decimal import Decimal, getcontext
from fractions import Fraction

getcontext().prec = 2000
random.seed(20010101)
EPOCH = datetime.datetime(2001, 1, 1)
CYCLE = 146_097 * 86_400  # seconds of 400 years
FOLDER = os.path.dirname(os.path.abspath(__file__))


def civil_seconds(year, month, day, hour, minute, second):
    """Seconds since 2001; years that datetime lacks are moved by cycles of 400 years."""
    cycles = (year - 2000) // 400
    moment = datetime.datetime(year - cycles * 400, month, day, hour, minute, second) - EPOCH
    return cycles * CYCLE + moment.days * 86_400 + moment.seconds


def year_text(year):
    if 0 <= year <= 9999:
        return f"{year:04d}"
    return f"{'-' if year < 0 else '+'}{abs(year):06d}"


def canonical(double):
    exact = Decimal(int(double)) if double == int(double) else Decimal(repr(double))
    whole = math.floor(exact)
    fraction = exact - whole
    cycles = whole // CYCLE
    moment = EPOCH + datetime.timedelta(seconds=whole - cycles * CYCLE)
    text = f"{year_text(moment.year + cycles * 400)}-{moment:%m-%dT%H:%M:%S}"
    digits = f"{fraction:f}"[2:].rstrip("0") if fraction else ""
    return text + ("." + digits if digits else "") + "Z"


def date_row(year, month, day, hour, minute, second, fraction="", offset=0, zone="Z", mark="T"):
    whole = civil_seconds(year, month, day, hour, minute, second) - offset * 60
    exact = whole + (Fraction(int(fraction), 10 ** len(fraction)) if fraction else 0)
    double = exact.numerator / exact.denominator if isinstance(exact, Fraction) else float(exact)
    text = f"{year_text(year)}-{month:02d}-{day:02d}{mark}{hour:02d}:{minute:02d}:{second:02d}"
    text += ("." + fraction if fraction else "") + zone
    bits = struct.unpack(">Q", struct.pack(">d", double))[0]
    return f"{text},{bits:016x},{canonical(double)}"


def random_time(first, last):
    year = random.randint(first, last)
    return (year, random.randint(1, 12), random.randint(1, 28), random.randint(0, 23), random.randint(0, 59),
            random.randint(0, 59))


def dates():
    rows = [date_row(2024, 5, 22, 0, 59, 0), date_row(2024, 5, 22, 0, 59, 0, "5"), date_row(1974, 3, 2, 21, 50, 41),
            date_row(2001, 1, 1, 0, 0, 0), date_row(2000, 12, 31, 23, 59, 59, "9"), date_row(0, 12, 30, 0, 0, 0),
            date_row(9999, 12, 31, 23, 59, 59), date_row(1, 1, 1, 0, 0, 0), date_row(2000, 2, 29, 12, 0, 0),
            date_row(9999, 12, 31, 23, 59, 59, "9999999999")]
    for _ in range(300):
        rows.append(date_row(*random_time(1900, 2100)))
    for _ in range(300):
        digits = random.choice([1, 2, 3, 3, 3, 6, 6, 7, 9, 9, 12, 17, 40])
        rows.append(date_row(*random_time(1900, 2100), "".join(random.choices("0123456789", k=digits))))
    for _ in range(100):
        minutes = random.randint(-23 * 60, 23 * 60)
        zone = f"{'-' if minutes < 0 else '+'}{abs(minutes) // 60:02d}:{abs(minutes) % 60:02d}"
        rows.append(date_row(*random_time(1, 9998), random.choice(["", "25", "001"]), minutes, zone))
    for _ in range(100):
        rows.append(date_row(*random_time(-200_000_000_000, 200_000_000_000)))
        rows.append(date_row(*random_time(-20_000, 20_000), random.choice(["", "125", "000001"])))
    # Halfway between two doubles, and next to it.
    for _ in range(100):
        double = random.uniform(-4e9, 4e9)
        half = (Fraction(double) + Fraction(math.nextafter(double, math.inf))) / 2
        whole = math.floor(half)
        moment = EPOCH + datetime.timedelta(seconds=whole)
        digits = f"{Decimal((half - whole).numerator) / Decimal((half - whole).denominator):f}"[2:]
        parts = (moment.year, moment.month, moment.day, moment.hour, moment.minute, moment.second)
        rows.append(date_row(*parts, digits))
        rows.append(date_row(*parts, digits + "0001"))
    return rows


def decimal_text(value):
    text = f"{value:f}"
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return "0" if text in ("-0", "") else text


def decimals():
    rows = ["738032340.5,738032340.5", "-0.10,-0.1", "-0,0", "00012,12", ".5,0.5", "+7e2,700"]
    largest = 2**128 - 1
    for mantissa, exponent in [(largest, 0), (largest, 127), (-largest, -128), (1, -128), (1, 127)]:
        rows.append(f"{mantissa}e{exponent},{decimal_text(Decimal(mantissa).scaleb(exponent))}")
    for _ in range(700):
        digits = random.randint(1, 38)
        mantissa = random.choice([-1, 1]) * random.randint(10 ** (digits - 1), 10**digits - 1)
        exponent = random.choice([random.randint(-128, 127 - 38), -random.randint(0, digits), 0])
        value = Decimal(mantissa).scaleb(exponent)
        text = f"{mantissa}e{exponent}" if random.random() < 0.3 else f"{value:f}"
        rows.append(f"{text},{decimal_text(value)}")
    return rows


def write(name, rows):
    with open(os.path.join(FOLDER, name), "w") as file:
        file.write("\n".join(rows) + "\n")


write("dates.csv", ["text,bits,written"] + dates())
write("decimals.csv", ["text,written"] + decimals())
