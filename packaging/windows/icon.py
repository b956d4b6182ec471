#!/usr/bin/env python3
"""icon.py OUT PNG...: writes a Windows icon file that contains the pictures.

The format is that of Windows Vista and later, in which pictures are PNG files. A size of 256 is written as 0.
"""
import struct
import sys


def main(out, names):
    pictures = [open(name, "rb").read() for name in names]
    head = struct.pack("<HHH", 0, 1, len(pictures))
    offset = len(head) + 16 * len(pictures)
    for picture in pictures:
        width, height = struct.unpack(">II", picture[16:24])
        head += struct.pack("<BBBBHHII", width % 256, height % 256, 0, 0, 1, 32, len(picture), offset)
        offset += len(picture)
    with open(out, "wb") as file:
        file.write(head + b"".join(pictures))


main(sys.argv[1], sys.argv[2:])
