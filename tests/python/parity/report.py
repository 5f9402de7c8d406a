"""The loop over random calls of every operator, and what it prints: for run.py and gradients.py."""

import argparse
import collections
import warnings

import torch

import tenon
from tenon import _core


def compare_all(title, columns, calls, takes, judge):
    """Judges some calls of each form that takes(form) lets in. judge(form, number) gives None for a call that does not count, or one of
    the columns and the text of a difference. Returns what the process should exit with."""
    parser = argparse.ArgumentParser()
    parser.add_argument("-n", type=int, default=calls, help="calls for each form of an operator")
    parser.add_argument("-v", action="store_true", help="every difference, not only the first of each operator")
    parser.add_argument("what", nargs="*")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    counts, examples = collections.defaultdict(collections.Counter), collections.defaultdict(list)
    for form in _core._operators():
        name, _, signature, group, _ = form
        if (options.what and not {name, group} & set(options.what)) or "storage source" in signature or not takes(form):
            continue
        for number in range(options.n):
            judged = judge(form, number)
            if judged is None:
                continue
            kind, text = judged
            counts[group].update(["calls", kind])
            if kind == "differ":
                examples[group, name].append(text)
    total = collections.Counter()
    print(f"{title}Tenon {tenon.__version__} against PyTorch {torch.__version__}\n")
    print(f"{'group':14}" + "".join(f"{column:>12}" for column in columns))
    for group, count in sorted(counts.items()):
        print(f"{group:14}" + "".join(f"{count[column]:12}" for column in columns))
        total.update(count)
    print(f"{'all':14}" + "".join(f"{total[column]:12}" for column in columns))
    for (group, name), texts in sorted(examples.items()):
        for text in texts if options.v else texts[:1]:
            print(f"\n{group}/{name} ({len(texts)})  {text}")
    print(f"\n{total['calls'] - total['differ']} passed, {total['differ']} failed")
    return 1 if total["differ"] or not total["calls"] else 0
