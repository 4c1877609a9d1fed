"""Pillow, doing what it is told a line at a time: `write png`, `read jpeg`, `resize`, `thumbnail large`, `fit jpeg`.

The first four lines on standard input are paths: the raw pixels with their size, a PNG, a JPEG, and a JPEG of
12 megapixels. After each piece of work it answers with a line.
"""
import io
import sys

from PIL import Image

lines = iter(sys.stdin.readline, "")
pixels, width, height = next(lines).split()
png, jpeg, large = (next(lines).strip() for _ in range(3))
with open(pixels, "rb") as file:
    picture = Image.frombytes("RGB", (int(width), int(height)), file.read())
files = {name: open(path, "rb").read() for name, path in (("png", png), ("jpeg", jpeg), ("large", large))}


def write(kind):
    options = {"png": {"compress_level": 6}, "jpeg": {"quality": 85, "subsampling": "4:2:0"}}[kind]
    picture.save(io.BytesIO(), kind, **options)


def read(kind):
    Image.open(io.BytesIO(files[kind])).load()


def resize():
    picture.resize((500, 375), Image.Resampling.LANCZOS)


def reduced(kind, side):
    image = Image.open(io.BytesIO(files[kind]))
    image.thumbnail((side, side), Image.Resampling.LANCZOS)
    return image


def thumbnail(kind):
    reduced(kind, 256)


def fit(kind):
    reduced(kind, 1024).save(io.BytesIO(), "jpeg", quality=85, subsampling="4:2:0", optimize=True)


work = {function.__name__: function for function in (write, read, resize, thumbnail, fit)}
print("ready", flush=True)
for line in lines:
    name, *arguments = line.split()
    work[name](*arguments)
    print("done", flush=True)
