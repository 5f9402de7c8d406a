"""Modules: what they are made of, what they tell, how they are kept, and the numbers that PyTorch gave."""

import copy
import json
import pickle
import warnings

import pytest
import tenon
from tenon import nn

import module_cases

with open(module_cases.RECORDED) as file:
    WANTED = json.load(file)


@pytest.mark.parametrize("case", module_cases.CASES)
def test_a_module_gives_what_pytorch_gave(case):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        made = json.loads(json.dumps(module_cases.rounded(module_cases.run(tenon, case))))
    assert module_cases.differences(made, WANTED[case], tolerance=3e-4) == []


def test_first_values_are_pytorchs_to_the_last_bit():
    tenon.manual_seed(0)
    net = nn.Linear(3, 4)
    assert net.weight.tolist()[0] == [-0.004322517663240433, 0.3097158372402191, -0.4751853346824646]
    assert net.bias[0].item() == -0.55157071352005


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(2, 3)
        self.register_buffer("kept", tenon.ones(2))
        self.register_buffer("left", tenon.zeros(1), persistent=False)
        self.scale = nn.Parameter(tenon.tensor(2.0))
        self.rest = nn.ModuleList([nn.Linear(3, 3), nn.Dropout()])

    def forward(self, x):
        return self.rest[0](self.first(x)) * self.scale


def test_names_of_everything_inside():
    net = Net()
    assert [name for name, _ in net.named_parameters()] == ["scale", "first.weight", "first.bias", "rest.0.weight", "rest.0.bias"]
    assert [name for name, _ in net.named_buffers()] == ["kept", "left"]
    assert list(net.state_dict()) == ["scale", "kept", "first.weight", "first.bias", "rest.0.weight", "rest.0.bias"]
    assert [name for name, _ in net.named_modules()] == ["", "first", "rest", "rest.0", "rest.1"]
    assert net.get_submodule("rest.0") is net.rest[0] and net.get_parameter("first.bias") is net.first.bias
    assert net.state_dict()._metadata["rest.0"] == {"version": 1}


def test_a_state_dict_goes_into_another_module():
    one, other = Net(), Net()
    assert repr(other.load_state_dict(one.state_dict())) == "<All keys matched successfully>"
    x = tenon.randn(4, 2)
    assert tenon.equal(one(x), other(x))
    state = one.state_dict()
    del state["scale"]
    state["more"] = tenon.ones(1)
    state["kept"] = tenon.ones(3)
    with pytest.raises(RuntimeError) as told:
        other.load_state_dict(state)
    assert all(word in str(told.value) for word in ('"scale"', '"more"', "kept", "(2,)", "(3,)"))
    del state["kept"]
    missing, unexpected = other.load_state_dict(state, strict=False)
    assert missing == ["scale", "kept"] and unexpected == ["more"]
    other.load_state_dict(one.state_dict(), assign=True)
    assert other.first.weight.data_ptr() == one.first.weight.data_ptr() and isinstance(other.first.weight, nn.Parameter)


def test_attributes_are_kept_where_they_belong():
    net = Net()
    net.extra = 3
    assert "extra" in net.__dict__ and "first" not in net.__dict__
    with pytest.raises(TypeError):
        net.scale = tenon.ones(1)
    net.scale = None
    assert "scale" not in dict(net.named_parameters())
    net.kept = tenon.zeros(2)
    assert net._buffers["kept"].tolist() == [0, 0]
    with pytest.raises(TypeError):
        net.first = 5
    del net.first
    with pytest.raises(AttributeError):
        net.first
    with pytest.raises(AttributeError):
        type("Early", (nn.Module,), {"__init__": lambda self: setattr(self, "a", nn.Linear(1, 1))})()
    with pytest.raises(KeyError):
        net.register_parameter("a.b", None)
    net.made = nn.Buffer(tenon.ones(1))
    assert "made" in net.state_dict()


def test_copies_and_pickles_are_equal_and_apart():
    net = Net()
    for other in (copy.deepcopy(net), pickle.loads(pickle.dumps(net))):
        assert repr(other) == repr(net)
        for (name, a), (_, b) in zip(net.named_parameters(), other.named_parameters()):
            assert tenon.equal(a, b) and a.data_ptr() != b.data_ptr() and type(b) is nn.Parameter, name


def test_conversions_change_parameters_in_place():
    net = Net()
    before = list(map(id, net.parameters()))
    net(tenon.ones(1, 2)).sum().backward()
    net.double()
    assert [p.dtype for p in net.parameters()] == [tenon.float64] * 5 and list(map(id, net.parameters())) == before
    assert net.first.weight.grad.dtype is tenon.float64 and net.kept.dtype is tenon.float64
    assert net.to(tenon.bfloat16).first.weight.dtype is tenon.bfloat16
    with pytest.raises(TypeError):
        net.to(tenon.int32)


def test_training_mode_reaches_everything():
    net = Net().eval()
    assert not net.rest[1].training and net.train().rest[1].training
    with pytest.raises(ValueError):
        net.train(3)


def test_hooks_see_and_change_what_passes():
    net, seen = nn.Linear(2, 2), []
    first = net.register_forward_pre_hook(lambda module, args: (args[0] * 2,))
    net.register_forward_hook(lambda module, args, out: seen.append(args[0].tolist()) or out + 1)
    plain = net.forward(tenon.ones(1, 2) * 2)
    assert tenon.equal(net(tenon.ones(1, 2)), plain + 1) and seen == [[[2.0, 2.0]]]
    first.remove()
    net(tenon.ones(1, 2))
    assert seen[1] == [[1.0, 1.0]]
    net.register_forward_pre_hook(lambda module, args, kwargs: ((kwargs["input"],), {}), with_kwargs=True)
    net(input=tenon.zeros(1, 2))
    assert seen[2] == [[0.0, 0.0]]


def test_backward_hooks_get_the_gradients_of_inputs_and_outputs():
    net, seen = nn.Linear(2, 3), []
    net.register_full_backward_hook(lambda module, into, out: seen.append((into[0].tolist(), out[0].tolist())))
    net.register_full_backward_pre_hook(lambda module, out: (out[0] * 2,))
    x = tenon.ones(1, 2, requires_grad=True)
    net(x).sum().backward()
    assert seen == [([(net.weight.sum(0) * 2).tolist()], [[2.0, 2.0, 2.0]])]
    assert x.grad.tolist() == seen[0][0]


def test_containers_are_lists_and_dictionaries():
    line = nn.Sequential(nn.Linear(2, 3), nn.ReLU())
    line.append(nn.Linear(3, 1))
    assert len(line) == 3 and isinstance(line[1], nn.ReLU) and len(line[1:]) == 2 and list(line.state_dict())[-1] == "2.bias"
    del line[1]
    assert list(line._modules) == ["0", "1"]
    listed = nn.ModuleList([nn.Linear(1, 1)])
    listed.insert(0, nn.Tanh())
    listed += [nn.ReLU()]
    assert [type(one).__name__ for one in listed] == ["Tanh", "Linear", "ReLU"]
    by_name = nn.ModuleDict({"a": nn.Linear(1, 1)})
    by_name["b"] = nn.Tanh()
    assert list(by_name) == ["a", "b"] and "a" in by_name and list(by_name.state_dict()) == ["a.weight", "a.bias"]
    params = nn.ParameterList([tenon.ones(1), nn.Parameter(tenon.zeros(2))])
    params.append(tenon.ones(3))
    assert len(list(params.parameters())) == 3 and params[2].requires_grad
    with pytest.raises(IndexError):
        params[3]


def test_packed_sequences_are_the_sequences():
    from tenon.nn.utils.rnn import pack_padded_sequence, pack_sequence, pad_packed_sequence, pad_sequence, unpack_sequence

    rows = [tenon.randn(3, 2), tenon.randn(5, 2), tenon.randn(1, 2)]
    packed = pack_sequence(rows, enforce_sorted=False)
    assert packed.batch_sizes.tolist() == [3, 2, 2, 1, 1] and packed.sorted_indices.tolist() == [1, 0, 2]
    assert all(tenon.equal(a, b) for a, b in zip(unpack_sequence(packed), rows))
    net = nn.LSTM(2, 4, batch_first=True)
    out, (h, c) = net(packed)
    padded, lengths = pad_packed_sequence(out, batch_first=True)
    assert lengths.tolist() == [3, 5, 1]
    for i, row in enumerate(rows):
        alone, (last, _) = net(row)
        assert tenon.allclose(padded[i, :len(row)], alone, atol=1e-6) and tenon.allclose(h[:, i], last, atol=1e-6)
    assert pad_sequence(rows, batch_first=True, padding_value=9.0, padding_side="left")[2, 0, 0] == 9
    assert pack_padded_sequence(pad_sequence(rows), [3, 5, 1], enforce_sorted=False).data.shape == (9, 2)


def test_gradients_are_clipped_as_one_vector():
    from tenon.nn.utils import clip_grad_norm_, clip_grad_value_, parameters_to_vector, vector_to_parameters

    net = nn.Linear(2, 1, bias=False)
    net.weight.grad = tenon.tensor([[3.0, 4.0]])
    assert clip_grad_norm_(net.parameters(), 1.0).item() == 5
    assert tenon.allclose(net.weight.grad, tenon.tensor([[0.6, 0.8]]), atol=1e-6)
    clip_grad_value_(net.parameters(), 0.7)
    assert tenon.allclose(net.weight.grad, tenon.tensor([[0.6, 0.7]]), atol=1e-6)
    vector = parameters_to_vector(net.parameters())
    vector_to_parameters(vector.detach() * 0 + 3, net.parameters())
    assert net.weight.tolist() == [[3.0, 3.0]]


def test_a_lazy_module_becomes_another_with_its_first_input():
    net = nn.Sequential(nn.LazyLinear(4), nn.LazyBatchNorm1d())
    assert "LazyLinear" in repr(net) and nn.parameter.is_lazy(net[0].weight)
    net(tenon.randn(5, 3))
    assert type(net[0]) is nn.Linear and net[0].weight.shape == (4, 3) and type(net[1]) is nn.BatchNorm1d
    fresh = nn.LazyLinear(4)
    fresh.load_state_dict(net[0].state_dict())
    assert tenon.equal(fresh.weight, net[0].weight)
