"""Optimisers and schedules on one small network, with either library, from one seed; what PyTorch gave is in recorded/optim.json."""

import json
import pathlib

RECORDED = pathlib.Path(__file__).parent / "recorded" / "optim.json"

OPTIMIZERS = {
    "SGD": [dict(lr=0.1), dict(lr=0.1, momentum=0.9), dict(lr=0.1, momentum=0.9, nesterov=True, weight_decay=0.01, maximize=True),
            dict(lr=0.1, momentum=0.9, dampening=0.1)],
    "Adam": [{}, dict(amsgrad=True, weight_decay=0.1), dict(maximize=True, lr=0.1)], "AdamW": [{}, dict(lr=0.1, betas=(0.8, 0.9), amsgrad=True)],
    "RMSprop": [{}, dict(momentum=0.9, centered=True, weight_decay=0.1)],
    "Adagrad": [{}, dict(lr_decay=0.1, initial_accumulator_value=0.1, weight_decay=0.1)], "Adadelta": [{}, dict(weight_decay=0.1)],
    "NAdam": [{}, dict(decoupled_weight_decay=True, weight_decay=0.1)], "RAdam": [dict(lr=0.1)], "Adamax": [{}],
    "ASGD": [{}, dict(t0=2, weight_decay=0.1)], "Rprop": [{}], "Adafactor": [{}, dict(eps=(1e-3, 1e-2), weight_decay=0.1)],
    "Muon": [{}, dict(adjust_lr_fn="match_rms_adamw")], "LBFGS": [{}, dict(line_search_fn="strong_wolfe", history_size=3)],
}

SCHEDULES = {
    "LambdaLR": "L.LambdaLR(o, [lambda e: 0.9 ** e, lambda e: 0.5 ** e])", "MultiplicativeLR": "L.MultiplicativeLR(o, lambda e: 0.9)",
    "StepLR": "L.StepLR(o, 3, 0.5)", "MultiStepLR": "L.MultiStepLR(o, [2, 5, 5], 0.5)", "ConstantLR": "L.ConstantLR(o, 0.5, 4)",
    "LinearLR": "L.LinearLR(o, 0.2, 0.9, 4)", "ExponentialLR": "L.ExponentialLR(o, 0.8)", "PolynomialLR": "L.PolynomialLR(o, 6, 2.0)",
    "CosineAnnealingLR": "L.CosineAnnealingLR(o, 5, 0.001)", "CosineAnnealingWarmRestarts": "L.CosineAnnealingWarmRestarts(o, 3, 2, 0.001)",
    "CyclicLR": "L.CyclicLR(o, 0.01, 0.1, 3, mode='triangular2')", "CyclicLR exp": "L.CyclicLR(o, 0.01, 0.1, 3, 4, mode='exp_range', gamma=0.9)",
    "OneCycleLR": "L.OneCycleLR(o, 0.5, 20)",
    "OneCycleLR three": "L.OneCycleLR(o, [0.5, 0.2], epochs=4, steps_per_epoch=5, three_phase=True, anneal_strategy='linear')",
    "SequentialLR": "L.SequentialLR(o, [L.LinearLR(o, 0.1, total_iters=4), L.ExponentialLR(o, 0.9), L.CosineAnnealingLR(o, 5)], [4, 9])",
    "ChainedScheduler": "L.ChainedScheduler([L.ConstantLR(o, 0.1, 4), L.ExponentialLR(o, 0.9)])", "SWALR": "lib.optim.swa_utils.SWALR(o, 0.5, 4)",
    "ReduceLROnPlateau": "L.ReduceLROnPlateau(o, patience=2, cooldown=1)",
}


def train(lib, name, settings, dtype="float64", steps=10, resume=False):
    """Losses, sums of parameters, and the optimiser's state_dict; resume: with a new optimiser in the middle."""
    import copy

    lib.manual_seed(0)
    dtype = getattr(lib, dtype)
    biases = name != "Muon"
    net = lib.nn.Sequential(lib.nn.Linear(4, 5, bias=biases), lib.nn.Tanh(), lib.nn.Linear(5, 2, bias=biases)).to(dtype)
    optimizer = getattr(lib.optim, name)(net.parameters(), **settings)
    x, y = lib.randn(8, 4, dtype=dtype), lib.randn(8, 2, dtype=dtype)
    losses = []

    def closure():
        optimizer.zero_grad()
        loss = ((net(x) - y) ** 2).mean()
        loss.backward()
        return loss

    for i in range(steps):
        losses.append(float(optimizer.step(closure)))
        if resume and i == steps // 2:
            saved = copy.deepcopy(optimizer.state_dict())
            optimizer = getattr(lib.optim, name)(net.parameters(), **settings)
            optimizer.load_state_dict(saved)
    return losses, [float(p.detach().double().sum()) for p in net.parameters()], optimizer.state_dict()


def follow(lib, name, adam=False):
    """The learning rates and momenta of twenty steps, with a new schedule from the state of the old one in the middle."""
    a, b = lib.nn.Linear(2, 2), lib.nn.Linear(2, 2)
    groups = [{"params": a.parameters(), "lr": 0.3}, {"params": b.parameters()}]
    o = lib.optim.Adam(groups, lr=0.1) if adam else lib.optim.SGD(groups, lr=0.1, momentum=0.9)
    scope = {"L": lib.optim.lr_scheduler, "o": o, "lib": lib}
    schedule, told = eval(SCHEDULES[name], scope), []
    for i in range(20):
        told.append([[group["lr"] for group in o.param_groups],
                     [group["momentum"] if "momentum" in group else list(group["betas"]) for group in o.param_groups], list(schedule.get_last_lr())])
        o.step()
        schedule.step(*([[1, 0.9, 0.9, 0.91, 0.92, 0.95, 0.8, 0.9][i % 8]] if name == "ReduceLROnPlateau" else []))
        if i == 7:
            saved = schedule.state_dict()
            schedule = eval(SCHEDULES[name], scope)
            schedule.load_state_dict(saved)
    return told


if __name__ == "__main__":
    import torch

    torch.set_num_threads(1)
    made = {"optimizers": {}, "schedules": {name: follow(torch, name) for name in SCHEDULES}}
    for name, every in OPTIMIZERS.items():
        for settings in every:
            losses, sums, state = train(torch, name, settings)
            groups = [{key: value for key, value in group.items()} for group in state["param_groups"]]
            made["optimizers"][f"{name} {settings}"] = [losses, sums, {str(key): sorted(value) for key, value in state["state"].items()}, groups]
    RECORDED.write_text(json.dumps(made, indent=0).replace("\n", " ").replace("}, ", "},\n") + "\n")
