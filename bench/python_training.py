"""Training from Python beside PyTorch, in one run: python bench/python_training.py [rounds]

Needs PyTorch and a built package: PYTHONPATH=build/python. Each library runs in a process of its own, in turns; the best round
of each counts, in CPU time where one thread works (the machine may have other work), and in wall time where two do.
Prints microseconds and the ratio PyTorch / Tenon.
"""

import json
import subprocess
import sys
import time


def mlp(torch, threads):
    net = torch.nn.Sequential(torch.nn.Linear(64, 64), torch.nn.ReLU(), torch.nn.Linear(64, 10))
    optimizer = torch.optim.Adam(net.parameters(), lr=1e-3)
    x, y = torch.randn(32, 64), torch.randint(0, 10, (32,))

    def step():
        optimizer.zero_grad()
        torch.nn.functional.cross_entropy(net(x), y).backward()
        optimizer.step()
    return step, 200


def gpt(torch, threads, wide=192, heads=6, block=64, batch=12, layers=6, letters=65):
    nn, functional = torch.nn, torch.nn.functional

    class Block(nn.Module):
        def __init__(self):
            super().__init__()
            self.norm1, self.norm2, self.drop = nn.LayerNorm(wide), nn.LayerNorm(wide), nn.Dropout(0.1)
            self.qkv, self.out = nn.Linear(wide, 3 * wide), nn.Linear(wide, wide)
            self.up, self.down = nn.Linear(wide, 4 * wide), nn.Linear(4 * wide, wide)

        def forward(self, x):
            n, t, _ = x.shape
            q, k, v = (part.view(n, t, heads, wide // heads).transpose(1, 2) for part in self.qkv(self.norm1(x)).split(wide, dim=2))
            y = functional.scaled_dot_product_attention(q, k, v, is_causal=True)
            x = x + self.drop(self.out(y.transpose(1, 2).contiguous().view(n, t, wide)))
            return x + self.drop(self.down(functional.gelu(self.up(self.norm2(x)))))

    class GPT(nn.Module):
        def __init__(self):
            super().__init__()
            self.token, self.place = nn.Embedding(letters, wide), nn.Embedding(block, wide)
            self.blocks, self.norm = nn.ModuleList([Block() for _ in range(layers)]), nn.LayerNorm(wide)
            self.head = nn.Linear(wide, letters, bias=False)

        def forward(self, x, y):
            h = self.token(x) + self.place(torch.arange(x.shape[1]))
            for one in self.blocks:
                h = one(h)
            return functional.cross_entropy(self.head(self.norm(h)).view(-1, letters), y.view(-1))

    net = GPT()
    optimizer = torch.optim.AdamW(net.parameters(), lr=1e-3)
    x, y = torch.randint(0, letters, (batch, block)), torch.randint(0, letters, (batch, block))

    def step():
        optimizer.zero_grad(set_to_none=True)
        net(x, y).backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        optimizer.step()
    return step, 2


def loader(torch, threads):
    from torch.utils.data import DataLoader, TensorDataset
    data = TensorDataset(torch.randn(3200, 16), torch.randint(0, 10, (3200,)))
    batches = DataLoader(data, batch_size=32, shuffle=True)
    state = {"at": iter(batches)}

    def step():
        try:
            next(state["at"])
        except StopIteration:
            state["at"] = iter(batches)
            next(state["at"])
    return step, 100


ROWS = {"MLP 64-64-10, batch 32, Adam": (mlp, 1), "character GPT, one thread": (gpt, 1), "character GPT, two threads": (gpt, 2),
        "DataLoader over a TensorDataset": (loader, 1)}


def measure(row):
    """One round in this process: the seconds of a step."""
    import torch
    make, threads = ROWS[row]
    torch.set_num_threads(threads)
    torch.manual_seed(0)
    step, count = make(torch, threads)
    clock = time.process_time if threads == 1 else time.perf_counter
    for _ in range(max(2, count // 10)):
        step()
    best = float("inf")
    for _ in range(8):
        start = clock()
        for _ in range(count):
            step()
        best = min(best, (clock() - start) / count)
    return best


def main():
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 3
    for row in ROWS:
        best = {"torch": float("inf"), "tenon": float("inf")}
        for _ in range(rounds):
            for library, how in (("torch", []), ("tenon", ["-m", "tenon.run"])):
                done = subprocess.run([sys.executable, "-W", "ignore", *how, __file__, "--row", row], capture_output=True, text=True, check=True)
                best[library] = min(best[library], json.loads(done.stdout))
        print(f"{row:34} torch {best['torch'] * 1e6:10.1f} us   tenon {best['tenon'] * 1e6:10.1f} us   {best['torch'] / best['tenon']:6.2f}")


if __name__ == "__main__":
    if "--row" in sys.argv:
        print(json.dumps(measure(sys.argv[-1])))
    else:
        main()
