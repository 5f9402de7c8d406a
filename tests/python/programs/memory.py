"""Views, copies, pickles, layouts, conversions."""
import copy
import io
import pickle

import torch

x = torch.arange(12).reshape(3, 4)
y = x.t()
y[0, 0] = 100
print(x[0, 0], x.stride(), y.stride(), y.data_ptr() == x.data_ptr(), x[1:].storage_offset(), x.untyped_storage().nbytes())
print(y.contiguous().stride(), y.reshape(-1).shape, x.view(2, 6)[1, 0], x.unsqueeze(1).squeeze().shape, x.expand(2, 3, 4).stride())
print(x.permute(1, 0).shape, x.flatten().shape, x.narrow(1, 1, 2), x.unfold(1, 2, 1).shape, x.swapaxes(0, 1).shape, x.movedim(0, 1).shape)
print(torch.as_strided(x, (2, 2), (1, 2), 1), x.diagonal(), x.select(0, 1), torch.broadcast_to(torch.tensor([1]), (2, 2)))
a = torch.zeros(2, 3, 4, 5).to(memory_format=torch.channels_last)
print(a.stride(), a.is_contiguous(), a.is_contiguous(memory_format=torch.channels_last), a.clone().stride(), (a + 1).stride())
b = pickle.loads(pickle.dumps(x[:, 1]))
print(b, b.stride(), copy.copy(x).data_ptr() == x.data_ptr(), copy.deepcopy(x).data_ptr() == x.data_ptr())
pair = copy.deepcopy([x, x[0]])
pair[0][0, 1] = -7
print(pair[1], pickle.loads(pickle.dumps((torch.float16, torch.device("cpu"), torch.Size([1])))))
print(x.float().dtype, x.to(torch.int8).element_size(), x.double().sum().item(), x.type(), x.is_floating_point(), x.bool().all())
print(torch.tensor([1, 2]) / 2, torch.tensor([7]) // 2, torch.tensor([-7]) // 2, torch.tensor([-7]) % 3, torch.tensor([2]) ** 3, 2 ** torch.tensor([3.0]), -torch.tensor([1]), ~torch.tensor([True]))
print((torch.tensor([1], dtype=torch.int8) + torch.tensor([1], dtype=torch.uint8)).dtype, (torch.ones(1) + 1j).dtype, (torch.tensor(1) + torch.tensor([1.0])).dtype, torch.result_type(torch.tensor([1]), 1.0), torch.promote_types(torch.int32, torch.float16), torch.can_cast(torch.float32, torch.int32))
torch.set_default_dtype(torch.float64)
print(torch.tensor(1.5), torch.ones(1), torch.get_default_dtype(), torch.tensor([1]) / 3)
torch.set_default_dtype(torch.float32)
print(x == x, (x != x).any(), x.eq(5).nonzero(), torch.equal(x, x.clone()), torch.allclose(torch.ones(2), torch.ones(2) + 1e-9), torch.isclose(torch.tensor([1.0]), torch.tensor([1.1])))
print(torch.zeros_like(x).dtype, torch.full((2,), 3.0), torch.eye(2), torch.ones(2, dtype=torch.int16), x.new_zeros(2).dtype, torch.arange(1, 2, 0.25), torch.logspace(0, 2, 3), torch.empty(0).shape)
x += 1
x *= 2
x.clamp_(0, 20)
x[0].fill_(3)
x.zero_().add_(torch.arange(4)).mul_(2).sub_(1)
print(x, x.is_set_to(x), x.numel(), x.dim(), x.ndim, x.nelement(), x.size(-1), x.device.type, x.layout, x.requires_grad, x.is_cuda)
