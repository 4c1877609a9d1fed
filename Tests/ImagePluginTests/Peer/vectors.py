"""Prints what the tests of colors, ThumbHash, and projections expect. Needs Pillow.

    python3 vectors.py

The profiles are assembled here; their colors are computed by Pillow's ImageCms, and by the formulas of the standards.
ThumbHash is a transcription of the reference implementation, https://github.com/evanw/thumbhash (MIT), whose
JavaScript at commit a652ce6 gives the same hashes.
"""
import base64
import io
import math
import struct

from PIL import Image, ImageCms


def s15(number):
    return struct.pack(">i", round(number * 65536))


def profile(space, kind, tags):
    """An ICC profile, version 2.4, of tags that are bytes."""
    table, data = b"", b""
    start = 128 + 4 + 12 * len(tags)
    for name, content in tags.items():
        content += bytes(-len(content) % 4)
        table += name + struct.pack(">II", start + len(data), len(content))
        data += content
    size = start + len(data)
    header = struct.pack(">I4sI4s4s4s", size, b"lcms", 0x02400000, kind, space, b"Lab " if kind == b"prtr" else b"XYZ ")
    header += bytes(12) + b"acsp" + bytes(28) + s15(0.9642) + s15(1) + s15(0.8249)
    return header + bytes(128 - len(header)) + struct.pack(">I", len(tags)) + table + data


def text(tag, letters):
    return tag + bytes(4) + struct.pack(">I", len(letters) + 1) + letters + bytes(1 + 4 + 4 + 2 + 1 + 67)


def xyz(x, y, z):
    return b"XYZ " + bytes(4) + s15(x) + s15(y) + s15(z)


def gamma(number):
    return b"curv" + bytes(4) + struct.pack(">IH", 1, round(number * 256))


WHITE = xyz(0.9642, 1, 0.8249)
# The colorants of Display P3, adapted to D50, with a plain gamma.
WIDE = profile(b"RGB ", b"mntr", {
    b"desc": text(b"desc", b"wide"), b"wtpt": WHITE, b"rXYZ": xyz(0.51512, 0.2412, -0.00105),
    b"gXYZ": xyz(0.29198, 0.69225, 0.04189), b"bXYZ": xyz(0.1571, 0.06657, 0.78407),
    b"rTRC": gamma(1.8), b"gTRC": gamma(1.8), b"bTRC": gamma(1.8),
})
GRAY = profile(b"GRAY", b"mntr", {b"desc": text(b"desc", b"gray"), b"wtpt": WHITE, b"kTRC": gamma(1.0)})


def press():
    """Inks that are not ideal: a table of Lab with two steps for each ink."""
    nodes = b""
    for cyan in (0, 1):
        for magenta in (0, 1):
            for yellow in (0, 1):
                for black in (0, 1):
                    light = 95 - 33 * cyan - 40 * magenta - 6 * yellow
                    light = max(5, light * (0.15 if black else 1))
                    a = (-35 * cyan + 70 * magenta - 5 * yellow) * (0.1 if black else 1)
                    b = (-48 * cyan - 5 * magenta + 85 * yellow) * (0.1 if black else 1)
                    # Lab of version 2: 0xFF00 is 100, and 0x8000 is 0.
                    nodes += struct.pack(">3H", round(light * 652.8), round(a * 256) + 32768, round(b * 256) + 32768)
    identity = struct.pack(">2H", 0, 65535)
    matrix = b"".join(s15(number) for number in (1, 0, 0, 0, 1, 0, 0, 0, 1))
    table = b"mft2" + bytes(4) + bytes([4, 3, 2, 0]) + matrix + struct.pack(">2H", 2, 2)
    table += identity * 4 + nodes + identity * 3
    return profile(b"CMYK", b"prtr", {b"desc": text(b"desc", b"press"), b"wtpt": WHITE, b"A2B0": table})


def converted(data, mode, pixels):
    """The pixels in sRGB, by Little CMS."""
    source = ImageCms.ImageCmsProfile(io.BytesIO(data))
    image = Image.frombytes(mode, (len(pixels) // len(mode), 1), bytes(pixels))
    return list(ImageCms.profileToProfile(image, source, ImageCms.createProfile("sRGB"), outputMode="RGB").tobytes())


def srgb(light):
    light = min(max(light, 0), 1)
    return 12.92 * light if light <= 0.0031308 else 1.055 * light ** (1 / 2.4) - 0.055


def light(sample):
    return sample / 12.92 if sample <= 0.04045 else ((sample + 0.055) / 1.055) ** 2.4


def multiplied(matrix, vector):
    return [sum(a * b for a, b in zip(row, vector)) for row in matrix]


def inverse(m):
    (a, b, c), (d, e, f), (g, h, i) = m
    det = a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)
    return [[(e * i - f * h) / det, (c * h - b * i) / det, (b * f - c * e) / det],
            [(f * g - d * i) / det, (a * i - c * g) / det, (c * d - a * f) / det],
            [(d * h - e * g) / det, (b * g - a * h) / det, (a * e - b * d) / det]]


def to_xyz(white, *primaries):
    columns = [[x / y, 1, (1 - x - y) / y] for x, y in primaries]
    matrix = [list(row) for row in zip(*columns)]
    x, y = white
    scale = multiplied(inverse(matrix), [x / y, 1, (1 - x - y) / y])
    return [[cell * factor for cell, factor in zip(row, scale)] for row in matrix]


D65 = (0.3127, 0.3290)
SRGB = to_xyz(D65, (0.64, 0.33), (0.30, 0.60), (0.15, 0.06))


def from_light(matrix, rgb):
    return [round(255 * srgb(part)) for part in multiplied(inverse(SRGB), multiplied(matrix, rgb))]


def st2084(sample):
    power = sample ** (1 / (2523 / 32))
    m1, c1, c2, c3 = 0.1593017578125, 0.8359375, 18.8515625, 18.6875
    return 10000 * (max(power - c1, 0) / (c2 - c3 * power)) ** (1 / m1)


def inverse_st2084(luminance):
    power = (luminance / 10000) ** 0.1593017578125
    return ((0.8359375 + 18.8515625 * power) / (1 + 18.6875 * power)) ** 78.84375


def mapped(luminance):
    """The EETF of ITU-R BT.2390, section 5.4.1, from 1,000 to 203 cd/m²."""
    source = inverse_st2084(1000)
    e1 = min(inverse_st2084(luminance) / source, 1)
    largest = inverse_st2084(203) / source
    ks = 1.5 * largest - 0.5
    if e1 >= ks:
        t = (e1 - ks) / (1 - ks)
        e1 = ((2 * t**3 - 3 * t**2 + 1) * ks + (t**3 - 2 * t**2 + t) * (1 - ks) + (-2 * t**3 + 3 * t**2) * largest)
    return st2084(e1 * source) / 203


def pq(sample):
    return mapped(st2084(sample / 255))


def hlg(sample):
    a, b, c = 0.17883277, 0.28466892, 0.55991073
    e = sample / 255
    scene = e * e / 3 if e <= 0.5 else (math.exp((e - c) / a) + b) / 12
    return mapped(scene ** 1.2 * 1000)


def thumbhash(w, h, rgba):
    def js_round(number):
        return math.floor(number + 0.5)

    avg = [0.0, 0.0, 0.0]
    avg_a = 0.0
    for j in range(0, w * h * 4, 4):
        alpha = rgba[j + 3] / 255
        for k in range(3):
            avg[k] += alpha / 255 * rgba[j + k]
        avg_a += alpha
    if avg_a:
        avg = [part / avg_a for part in avg]
    has_alpha = avg_a < w * h
    l_limit = 5 if has_alpha else 7
    lx, ly = max(1, js_round(l_limit * w / max(w, h))), max(1, js_round(l_limit * h / max(w, h)))
    l, p, q, a = [], [], [], []
    for j in range(0, w * h * 4, 4):
        alpha = rgba[j + 3] / 255
        red, green, blue = (avg[k] * (1 - alpha) + alpha / 255 * rgba[j + k] for k in range(3))
        l.append((red + green + blue) / 3)
        p.append((red + green) / 2 - blue)
        q.append(red - green)
        a.append(alpha)

    def encode_channel(channel, nx, ny):
        dc, ac, scale = 0, [], 0
        for cy in range(ny):
            cx = 0
            while cx * ny < nx * (ny - cy):
                fx = [math.cos(math.pi / w * cx * (x + 0.5)) for x in range(w)]
                f = 0
                for y in range(h):
                    fy = math.cos(math.pi / h * cy * (y + 0.5))
                    for x in range(w):
                        f += channel[x + y * w] * fx[x] * fy
                f /= w * h
                if cx or cy:
                    ac.append(f)
                    scale = max(scale, abs(f))
                else:
                    dc = f
                cx += 1
        if scale:
            ac = [0.5 + 0.5 / scale * f for f in ac]
        return dc, ac, scale

    l_dc, l_ac, l_scale = encode_channel(l, max(3, lx), max(3, ly))
    p_dc, p_ac, p_scale = encode_channel(p, 3, 3)
    q_dc, q_ac, q_scale = encode_channel(q, 3, 3)
    is_landscape = w > h
    header24 = js_round(63 * l_dc) | js_round(31.5 + 31.5 * p_dc) << 6 | js_round(31.5 + 31.5 * q_dc) << 12
    header24 |= js_round(31 * l_scale) << 18 | has_alpha << 23
    header16 = (ly if is_landscape else lx) | js_round(63 * p_scale) << 3 | js_round(63 * q_scale) << 9
    header16 |= is_landscape << 15
    result = [header24 & 255, header24 >> 8 & 255, header24 >> 16, header16 & 255, header16 >> 8]
    ac = l_ac + p_ac + q_ac
    if has_alpha:
        a_dc, a_ac, a_scale = encode_channel(a, 5, 5)
        result.append(js_round(15 * a_dc) | js_round(15 * a_scale) << 4)
        ac += a_ac
    start = len(result)
    for index, f in enumerate(ac):
        if index % 2 == 0:
            result.append(0)
        result[start + index // 2] |= js_round(15 * f) << (index % 2 * 4)
    return bytes(result)


def pattern(w, h, has_alpha):
    """The pixels of the test, in integers only."""
    pixels = []
    for y in range(h):
        for x in range(w):
            pixels += [x * 255 // w, y * 255 // h, (x * y * 7 + 40) % 256, (x * 37 + y * 11) % 256 if has_alpha else 255]
    return pixels


if __name__ == "__main__":
    p3 = to_xyz(D65, (0.68, 0.32), (0.265, 0.69), (0.15, 0.06))
    rec2020 = to_xyz(D65, (0.708, 0.292), (0.17, 0.797), (0.131, 0.046))
    print("wide", base64.b64encode(WIDE).decode())
    print("wide", converted(WIDE, "RGB", [200, 100, 50, 90, 160, 120, 255, 255, 255]))
    print("gray", base64.b64encode(GRAY).decode())
    print("press", base64.b64encode(press()).decode())
    print("press", converted(press(), "CMYK", [0, 0, 0, 0, 200, 100, 50, 25, 255, 0, 0, 0]))
    print("gamma 1", [round(255 * srgb(sample / 255)) for sample in (0, 55, 128, 255)])
    print("P3", from_light(p3, [light(sample / 255) for sample in (200, 100, 50)]))
    print("PQ", from_light(rec2020, [pq(sample) for sample in (100, 90, 80)]),
          [from_light(rec2020, [pq(sample)] * 3) for sample in (148, 170, 192, 255)])
    print("HLG", from_light(rec2020, [hlg(sample) for sample in (120, 110, 100)]),
          [from_light(rec2020, [hlg(sample)] * 3) for sample in (191, 255)])
    adobe = to_xyz(D65, (0.64, 0.33), (0.21, 0.71), (0.15, 0.06))
    print("Adobe", from_light(adobe, [(sample / 255) ** (563 / 256) for sample in (150, 120, 90)]))
    for size in ((40, 30, False), (30, 40, True), (1, 1, False), (100, 7, False)):
        print(size, base64.b64encode(thumbhash(*size[:2], pattern(*size))).decode())
