"""Writes examples/embed_unicode.h from Python's unicodedata: python3 examples/make_unicode.py > examples/embed_unicode.h"""
import sys, unicodedata


def plain(c):  # decomposed, without marks, in lower case
    if 0xAC00 <= c <= 0xD7A3:  # syllables of Hangul are arithmetic
        return None
    text = "".join(x for x in unicodedata.normalize("NFD", chr(c)) if unicodedata.category(x) != "Mn")
    text = "".join(y.lower() if len(y.lower()) == 1 else "".join(z for z in y.lower()) for y in text)
    return None if text == chr(c) else [ord(x) for x in text]


def kind(c):
    category = unicodedata.category(chr(c))
    if chr(c) in "\t\n\r" or category == "Zs" or c in (0x2028, 0x2029, 0x85):
        return 1
    if c in (0, 0xFFFD) or category[0] == "C":
        return 2
    if category[0] == "P" or 33 <= c <= 47 or 58 <= c <= 64 or 91 <= c <= 96 or 123 <= c <= 126:
        return 3
    return 0


ranges, maps, last = [], [], 0
for c in range(0x110000):
    now = kind(c)
    if now and now == last:
        ranges[-1][1] = c
    elif now:
        ranges.append([c, c, now])
    last = now
    if not 0xD800 <= c < 0xE000:
        to = plain(c)
        if to is not None:
            assert len(to) <= 3
            maps.append([c] + (to + [0, 0, 0])[:3])
print("/* embed_unicode.h - what the tokenizer of embed_sentences.c has to know about letters; made by make_unicode.py from Unicode %s. */" % unicodedata.unidata_version)
print("/* clang-format off */")
print("/* From, to, kind: 1 white space, 2 dropped, 3 punctuation. */")
print("static const unsigned unicode_kinds[][3] = {")
for i in range(0, len(ranges), 8):
    print(" ".join("{%d,%d,%d}," % tuple(r) for r in ranges[i:i + 8]))
print("};")
print("/* A letter, and what it is without marks and in lower case: up to 3 letters, ended by 0. */")
print("static const unsigned unicode_plain[][4] = {")
for i in range(0, len(maps), 8):
    print(" ".join("{%d,%d,%d,%d}," % tuple(m) for m in maps[i:i + 8]))
print("};")
print("/* clang-format on */")
