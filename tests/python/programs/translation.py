"""Sequence to sequence with attention and packed sequences."""
import random
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence, pad_sequence
torch.manual_seed(5)
random.seed(5)
torch.set_default_dtype(torch.float64)
PAD, SOS, EOS = (0, 1, 2)


class Enc(nn.Module):

    def __init__(self, v, e, h):
        super().__init__()
        self.emb = nn.Embedding(v, e, padding_idx=PAD)
        self.gru = nn.GRU(e, h, num_layers=2, bidirectional=True, batch_first=True, dropout=0.3)
        self.fc = nn.Linear(2 * h, h)

    def forward(self, x, l):
        p = pack_padded_sequence(self.emb(x), l.cpu(), batch_first=True, enforce_sorted=False)
        o, h = self.gru(p)
        o, _ = pad_packed_sequence(o, batch_first=True, padding_value=0.0)
        return (o, torch.tanh(self.fc(torch.cat((h[-2], h[-1]), dim=1))))


class Attn(nn.Module):

    def __init__(self, h):
        super().__init__()
        self.W = nn.Linear(3 * h, h)
        self.v = nn.Linear(h, 1, bias=False)

    def forward(self, h, enc, mask):
        e = torch.tanh(self.W(torch.cat((h.unsqueeze(1).repeat(1, enc.size(1), 1), enc), 2)))
        a = self.v(e).squeeze(2)
        return F.softmax(a.masked_fill(mask == 0, -10000000000.0), 1)


class Dec(nn.Module):

    def __init__(self, v, e, h):
        super().__init__()
        self.emb = nn.Embedding(v, e)
        self.att = Attn(h)
        self.rnn = nn.GRUCell(e + 2 * h, h)
        self.out = nn.Linear(4 * h - h + e, v)
        self.dr = nn.Dropout(0.2)

    def forward(self, y, h, enc, mask):
        e = self.dr(self.emb(y))
        a = self.att(h, enc, mask)
        c = torch.bmm(a.unsqueeze(1), enc).squeeze(1)
        h = self.rnn(torch.cat([e, c], 1), h)
        return (self.out(torch.cat([h, c, e], 1)), h, a)


e, d = (Enc(20, 8, 16), Dec(20, 8, 16))
for p in list(e.parameters()) + list(d.parameters()):
    if p.dim() > 1:
        nn.init.xavier_uniform_(p)
    else:
        nn.init.constant_(p, 0.01)
opt = torch.optim.Adam([*e.parameters(), *d.parameters()], lr=0.005, amsgrad=True)
crit = nn.CrossEntropyLoss(ignore_index=PAD, label_smoothing=0.1)
for it in range(12):
    seqs = [torch.randint(3, 20, (random.randint(3, 9),)) for _ in range(6)]
    src = pad_sequence(seqs, batch_first=True)
    l = torch.tensor([len(s) for s in seqs])
    tgt = pad_sequence([torch.cat([torch.tensor([SOS]), s.flip(0), torch.tensor([EOS])]) for s in seqs], batch_first=True,
        padding_value=PAD)
    opt.zero_grad()
    enc, h = e(src, l)
    mask = src != PAD
    y = tgt[:, 0]
    loss = 0.0
    outs = []
    for t in range(1, tgt.size(1)):
        o, h, a = d(y, h, enc, mask)
        outs.append(o)
        y = tgt[:, t] if random.random() < 0.5 else o.argmax(1)
    o = torch.stack(outs, 1)
    loss = crit(o.reshape(-1, 20), tgt[:, 1:].reshape(-1))
    loss.backward()
    n = nn.utils.clip_grad_norm_(e.parameters(), 1.0)
    nn.utils.clip_grad_value_(d.parameters(), 0.5)
    opt.step()
    print('%.7f %.7f %.7f' % (loss.item(), n, a.max()))
