"""Optimisers and schedules: ten steps of each, and what PyTorch gave."""

import copy
import json

import pytest
import tenon

import optim_cases

with open(optim_cases.RECORDED) as file:
    WANTED = json.load(file)


@pytest.mark.parametrize("resume", [False, True])
@pytest.mark.parametrize("name, settings", [(name, one) for name, every in optim_cases.OPTIMIZERS.items() for one in every])
def test_steps_are_pytorchs(name, settings, resume):
    losses, sums, entries, groups = WANTED["optimizers"][f"{name} {settings}"]
    made, ends, state = optim_cases.train(tenon, name, settings, resume=resume)
    assert made == pytest.approx(losses, rel=1e-8, abs=1e-8) and ends == pytest.approx(sums, rel=1e-7, abs=1e-7)
    assert {str(key): sorted(value) for key, value in state["state"].items()} == entries
    assert json.loads(json.dumps(state["param_groups"])) == groups and list(state["param_groups"][0]) == list(groups[0])


@pytest.mark.parametrize("name", optim_cases.SCHEDULES)
@pytest.mark.filterwarnings("ignore")
def test_learning_rates_are_pytorchs_to_the_last_bit(name):
    assert json.loads(json.dumps(optim_cases.follow(tenon, name))) == WANTED["schedules"][name]


def make(**settings):
    net = tenon.nn.Linear(2, 2)
    net(tenon.ones(1, 2)).sum().backward()
    return net, tenon.optim.Adam(net.parameters(), **settings)


def test_what_a_program_changes_in_the_state_counts():
    net, adam = make()
    adam.step()
    state = adam.state[net.weight]
    assert float(state["step"]) == 1 and state["exp_avg"].shape == (2, 2)
    state["exp_avg"].zero_()
    before = net.weight.detach().clone()
    net.weight.grad.zero_()
    adam.step()
    assert tenon.equal(net.weight, before) and float(adam.state[net.weight]["step"]) == 2
    assert adam.state[net.weight] is state


def test_groups_have_settings_of_their_own_and_can_be_added():
    a, b = tenon.nn.Linear(1, 1), tenon.nn.Linear(1, 1)
    sgd = tenon.optim.SGD([{"params": a.parameters(), "lr": 0.5}], lr=0.1)
    for net in (a, b):
        net(tenon.ones(1, 1)).sum().backward()
    before = a.weight.item(), b.weight.item()
    sgd.step()
    sgd.add_param_group({"params": b.parameters()})
    sgd.param_groups[0]["lr"] = 0.0
    sgd.step()
    assert a.weight.item() == pytest.approx(before[0] - 0.5) and b.weight.item() == pytest.approx(before[1] - 0.1)
    with pytest.raises(ValueError):
        sgd.add_param_group({"params": a.parameters()})
    with pytest.raises(ValueError):
        tenon.optim.SGD([], lr=1)
    with pytest.raises(ValueError):
        tenon.optim.Adam(a.parameters(), lr=-1)


def test_hooks_around_a_step():
    net, adam = make()
    seen = []
    adam.register_step_pre_hook(lambda o, args, kwargs: seen.append("before"))
    handle = adam.register_step_post_hook(lambda o, args, kwargs: seen.append("after"))
    adam.step()
    handle.remove()
    adam.step()
    assert seen == ["before", "after", "before"]


def test_an_optimiser_of_ones_own():
    class Signs(tenon.optim.Optimizer):
        def __init__(self, params, lr):
            super().__init__(params, dict(lr=lr))

        @tenon.no_grad()
        def step(self, closure=None):
            for group in self.param_groups:
                for p in group["params"]:
                    self.state[p]["count"] = self.state[p].get("count", 0) + 1
                    p -= group["lr"] * p.grad.sign()

    net, _ = make()
    signs = Signs(net.parameters(), 0.25)
    before = net.bias.detach().clone()
    signs.step()
    assert tenon.equal(net.bias, before - 0.25)
    again = Signs(net.parameters(), 0.5)
    again.load_state_dict(copy.deepcopy(signs.state_dict()))
    assert again.state[net.bias]["count"] == 1 and again.param_groups[0]["lr"] == 0.25


def test_parameters_that_change_their_dtype_are_still_trained():
    net, _ = make()
    sgd = tenon.optim.SGD(net.parameters(), lr=1.0)
    net.double()
    net.zero_grad()
    net(tenon.ones(1, 2, dtype=tenon.float64)).sum().backward()
    before = net.bias.detach().clone()
    sgd.step()
    assert tenon.equal(net.bias, before - 1)


def test_averages_of_networks():
    from tenon.optim.swa_utils import AveragedModel, get_ema_avg_fn

    net = tenon.nn.Linear(1, 1)
    for average, wanted in ((AveragedModel(net), 1.0), (AveragedModel(net, avg_fn=get_ema_avg_fn(0.5)), 1.25)):
        for value in (0.0, 1.0, 2.0):
            with tenon.no_grad():
                net.weight.fill_(value)
            average.update_parameters(net)
        assert average.module.weight.item() == wanted and int(average.n_averaged) == 3
