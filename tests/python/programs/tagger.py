"""A tagger with a bidirectional LSTM and a conditional random field, in the names of PyTorch's first years."""
import numpy as np
import torch
import torch.autograd as autograd
import torch.nn as nn
import torch.optim as optim
from torch.autograd import Variable
torch.set_default_tensor_type(torch.DoubleTensor)
torch.manual_seed(1)


def to_scalar(var):
    return var.view(-1).data.tolist()[0]


def argmax(vec):
    _, idx = torch.max(vec, 1)
    return to_scalar(idx)


def lse(vec):
    m = vec[0, argmax(vec)]
    return m + torch.log(torch.sum(torch.exp(vec - m.view(1, -1).expand(1, vec.size()[1]))))


class Tagger(nn.Module):

    def __init__(self):
        super(Tagger, self).__init__()
        self.emb = nn.Embedding(9, 5, padding_idx=0)
        self.lstm = nn.LSTM(5, 2, num_layers=1, bidirectional=True)
        self.out = nn.Linear(4, 5)
        self.transitions = nn.Parameter(torch.randn(5, 5))
        self.transitions.data[3, :] = -10000
        self.transitions.data[:, 4] = -10000
        self.emb.weight.data = torch.from_numpy(np.arange(45.0).reshape(9, 5) / 50).type(torch.DoubleTensor)

    def init_hidden(self):
        return (autograd.Variable(torch.randn(2, 1, 2)), autograd.Variable(torch.randn(2, 1, 2)))

    def feats(self, s):
        self.hidden = self.init_hidden()
        o, self.hidden = self.lstm(self.emb(s).view(len(s), 1, -1), self.hidden)
        return self.out(o.view(len(s), 4))

    def alg(self, feats):
        init = torch.Tensor(1, 5).fill_(-10000.0)
        init[0][3] = 0.0
        fv = autograd.Variable(init)
        for feat in feats:
            al = []
            for nt in range(5):
                al.append(lse(fv + self.transitions[nt].view(1, -1) + feat[nt].view(1, -1).expand(1, 5)).view(1))
            fv = torch.cat(al).view(1, -1)
        return lse(fv + self.transitions[4])

    def score(self, feats, tags):
        s = autograd.Variable(torch.Tensor([0]))
        tags = torch.cat([torch.LongTensor([3]), tags])
        for i, f in enumerate(feats):
            s = s + self.transitions[tags[i + 1], tags[i]] + f[tags[i + 1]]
        return s + self.transitions[4, tags[-1]]
m = Tagger()
o = optim.SGD(m.parameters(), lr=0.01, weight_decay=0.0001)
data = [(torch.LongTensor([1, 2, 3, 4, 5]), torch.LongTensor([0, 1, 1, 2, 0])), (torch.LongTensor([6, 7, 8]), torch.LongTensor([2, 2, 0]))]
for e in range(6):
    for s, t in data:
        m.zero_grad()
        f = m.feats(s)
        l = m.alg(f) - m.score(f, t)
        l.backward()
        o.step()
        print(e, f'{l.item():.9f}')
mask = torch.from_numpy(np.triu(np.ones((2, 4, 4)), k=1).astype('uint8'))
pad = torch.LongTensor([[1, 2, 0, 0], [1, 0, 0, 0]]).data.eq(0).unsqueeze(1).expand(2, 4, 4)
print(torch.gt(pad + mask, 0))
print(isinstance(torch.ones(1), Variable), m.state_dict().keys())
x = torch.randn(3, 2, requires_grad=True)
y = x.norm(2, 1, keepdim=True)
(x / (y + 0.0001)).pow(2).mean(1).sum().backward()
print(x.grad)
a = torch.zeros(4, 3)
a[range(4), torch.tensor([0, 1, 2, 0])] = 5.0
a[:, :2] *= 0.5
print(a)
