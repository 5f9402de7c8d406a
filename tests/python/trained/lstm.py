"""An LSTM that labels sequences of different lengths, through packed sequences; prints its losses. Arguments: steps and dtype."""
import sys

import torch
from torch import nn, optim
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence, pad_sequence


class Tagger(nn.Module):
    def __init__(self, words, tags):
        super().__init__()
        self.embed = nn.Embedding(words, 12, padding_idx=0)
        self.lstm = nn.LSTM(12, 16, num_layers=2, dropout=0.2, bidirectional=True, batch_first=True)
        self.drop = nn.Dropout(0.3)
        self.out = nn.Linear(32, tags)

    def forward(self, x, lengths):
        packed = pack_padded_sequence(self.embed(x), lengths, batch_first=True, enforce_sorted=False)
        output, (h, c) = self.lstm(packed)
        padded, _ = pad_packed_sequence(output, batch_first=True)
        return self.out(self.drop(torch.tanh(padded)))


def main(steps, dtype):
    torch.manual_seed(7)
    torch.set_default_dtype(dtype)
    model, loss_fn = Tagger(30, 5), nn.CrossEntropyLoss(ignore_index=-100)
    optimizer = optim.RMSprop(model.parameters(), lr=5e-3, momentum=0.5)
    for _ in range(steps):
        lengths = torch.randint(3, 9, (6,))
        rows = [torch.randint(1, 30, (int(n),)) for n in lengths]
        x = pad_sequence(rows, batch_first=True)
        y = pad_sequence([row % 5 for row in rows], batch_first=True, padding_value=-100)
        scores = model(x, lengths)
        loss = loss_fn(scores.reshape(-1, 5), y.reshape(-1))
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_value_(model.parameters(), 0.5)
        optimizer.step()
        print(repr(loss.item()))


main(int(sys.argv[1]), getattr(torch, sys.argv[2]))
