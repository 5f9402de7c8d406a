"""coverage.py BUILD FLOOR - how much of the code the run of a counting build has reached, as gcov counts.

Three parts are counted apart: src/, the generated code (BUILD/generated; but not operator_direct.h, which only the tests use) and
the Python extension (python/src).

A kernel's body is compiled for every dtype and every instruction set, and a header's function in every file that includes it. A
line, or a way out of a branch, is reached when any of these copies reached it. gcov lists the ways out of a line's branches one
after the other, for each copy of a function by itself if nothing was inlined, which is why tools/coverage builds that way. Where
the compiler knew the answer to a question for one dtype, that copy has fewer ways out than others; it cannot be told which, so
only the copies with the most count. There are no marks that take lines out of the count.

Prints a line for each folder and the totals, writes what was not reached to BUILD/unreached, and ends with status 1 when a total
is below the one in FLOOR, which has the lines "PART lines PERCENT" and "PART branches PERCENT". A part without counts (there is no
Python with headers) is left out.
"""

import collections
import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys


def part_of(source, build):
    """The name of the part that a source belongs to, or None."""
    if source == f"{build}/generated/operator_direct.h":
        return None
    for name, folder in (("src", "src"), ("generated", f"{build}/generated"), ("python", "python/src")):
        if source.startswith(folder + "/"):
            return name
    return None


def counts_of(data, build):
    """What one object file counted: {source: {line: [reached, [branch reached, ...]]}}."""
    text = subprocess.run(["gcov", "--stdout", "--json-format", "--branch-probabilities", str(data)], capture_output=True, check=True).stdout
    found = collections.defaultdict(dict)
    for piece in text.splitlines():
        for file in json.loads(piece)["files"]:
            source = os.path.normpath(file["file"])
            if part_of(source, build):
                for line in file["lines"]:
                    add(found[source], line["line_number"], line["count"] > 0, [branch["count"] > 0 for branch in line["branches"]])
    return found


def add(lines, number, reached, branches):
    known = lines.setdefault(number, [False, []])
    known[0] = known[0] or reached
    if len(branches) > len(known[1]):
        known[1] = branches
    elif len(branches) == len(known[1]):
        known[1] = [a or b for a, b in zip(known[1], branches)]


def share(reached, total):
    return 100 * reached / total if total else 100.0


def main(build, floor):
    build = os.path.normpath(build)
    data = sorted(pathlib.Path(build, "obj").rglob("*.gcda"))
    if not data:
        sys.exit(f"there are no counts in {build}; run make coverage")
    merged = collections.defaultdict(dict)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for found in pool.map(counts_of, data, [build] * len(data)):
            for source, lines in found.items():
                for number, (reached, branches) in lines.items():
                    add(merged[source], number, reached, branches)
    folders, totals = collections.defaultdict(lambda: [0] * 4), collections.defaultdict(lambda: [0] * 4)
    with open(pathlib.Path(build) / "unreached", "w") as unreached:
        for source, lines in sorted(merged.items()):
            for number, (reached, branches) in sorted(lines.items()):
                for sums in folders[os.path.dirname(source)], totals[part_of(source, build)]:
                    for i, amount in enumerate((reached, 1, sum(branches), len(branches))):
                        sums[i] += amount
                if not reached:
                    unreached.write(f"{source}:{number}: not reached\n")
                elif not all(branches):
                    unreached.write(f"{source}:{number}: {len(branches) - sum(branches)} of {len(branches)} ways out not taken\n")
    for name, sums in [*sorted(folders.items()), *(("all of " + name, sums) for name, sums in totals.items())]:
        print(f"{name:24} lines {share(*sums[:2]):6.2f} % of {sums[1]:6}   branches {share(*sums[2:]):6.2f} % of {sums[3]:6}")
    print(f"what was not reached is in {build}/unreached")
    low = False
    for part, what, least in (line.split() for line in open(floor) if line.strip() and not line.startswith("#")):
        if part not in totals:
            print(f"{part}: nothing was counted")
            continue
        percent = share(*(totals[part][:2] if what == "lines" else totals[part][2:]))
        if percent < float(least):
            print(f"the tests reach {percent:.2f} % of the {what} of {part}, less than the {least} % of {floor}")
            low = True
    return low


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
