"""A deep Q-network that learns to balance a made-up cart; prints its losses. Arguments: steps and dtype."""
import copy
import math
import random
import sys
from collections import deque, namedtuple

import torch
from torch import nn, optim

Transition = namedtuple("Transition", ("state", "action", "next_state", "reward", "done"))


class Cart:
    def __init__(self):
        self.reset()

    def reset(self):
        self.x, self.v, self.a, self.w = (random.uniform(-0.05, 0.05) for _ in range(4))
        return self.state()

    def state(self):
        return [self.x, self.v, self.a, self.w]

    def step(self, action):
        force = 1.0 if action else -1.0
        self.w += 0.1 * (math.sin(self.a) - 0.5 * force * math.cos(self.a))
        self.a += 0.1 * self.w
        self.v += 0.1 * force
        self.x += 0.1 * self.v
        over = abs(self.a) > 0.5 or abs(self.x) > 2
        return self.state(), 0.0 if over else 1.0, over


class DQN(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(4, 24), nn.ReLU(), nn.Dropout(p=0.1), nn.Linear(24, 24), nn.ReLU())
        self.value, self.advantage = nn.Linear(24, 1), nn.Linear(24, 2)

    def forward(self, x):
        x = self.layers(x)
        a = self.advantage(x)
        return self.value(x) + a - a.mean(dim=1, keepdim=True)


def main(steps, dtype):
    random.seed(5)
    torch.manual_seed(5)
    policy = DQN().to(dtype)
    target = copy.deepcopy(policy)
    target.load_state_dict(policy.state_dict())
    target.eval()
    optimizer = optim.AdamW(policy.parameters(), lr=1e-3, amsgrad=True)
    memory, env, done = deque(maxlen=500), Cart(), 0
    state = torch.tensor([env.reset()], dtype=dtype)
    while done < steps:
        if random.random() > 0.3:
            with torch.no_grad():
                action = policy(state).max(1).indices.view(1, 1)
        else:
            action = torch.tensor([[random.randrange(2)]], dtype=torch.long)
        values, reward, over = env.step(action.item())
        following = torch.tensor([values], dtype=dtype)
        memory.append(Transition(state, action, following, torch.tensor([reward], dtype=dtype), over))
        state = torch.tensor([env.reset()], dtype=dtype) if over else following
        if len(memory) < 16:
            continue
        batch = Transition(*zip(*random.sample(memory, 16)))
        going = torch.tensor([not d for d in batch.done], dtype=torch.bool)
        q = policy(torch.cat(batch.state)).gather(1, torch.cat(batch.action))
        following_values = torch.zeros(16, dtype=dtype)
        with torch.no_grad():
            following_values[going] = target(torch.cat(batch.next_state)[going]).max(1).values
        loss = nn.SmoothL1Loss()(q, (torch.cat(batch.reward) + 0.95 * following_values).unsqueeze(1))
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_value_(policy.parameters(), 100)
        optimizer.step()
        with torch.no_grad():
            for mine, theirs in zip(target.parameters(), policy.parameters()):
                mine.mul_(0.95).add_(theirs, alpha=0.05)
        print(repr(loss.item()))
        done += 1


main(int(sys.argv[1]), getattr(torch, sys.argv[2]))
