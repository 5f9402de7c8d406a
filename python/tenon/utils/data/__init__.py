"""Data for training: datasets, samplers and DataLoader, with torch.utils.data's names and orders."""

_HOMES = {
    "_utils.collate": "default_collate default_convert",
    "_utils.worker": "get_worker_info",
    "dataloader": "DataLoader",
    "dataset": "ChainDataset ConcatDataset Dataset IterableDataset StackDataset Subset TensorDataset random_split",
    "distributed": "DistributedSampler",
    "sampler": "BatchSampler RandomSampler Sampler SequentialSampler SubsetRandomSampler WeightedRandomSampler",
}
_PLACES = {name: home for home, names in _HOMES.items() for name in names.split()}
_MODULES = ("_utils", "dataloader", "dataset", "distributed", "sampler")
__all__ = sorted(_PLACES)


def __getattr__(name):
    import importlib
    if name in _PLACES:
        value = getattr(importlib.import_module(f"tenon.utils.data.{_PLACES[name]}"), name)
        globals()[name] = value
        return value
    if name in _MODULES:
        return importlib.import_module(f"tenon.utils.data.{name}")
    raise AttributeError(f"module 'tenon.utils.data' has no attribute {name!r}")


def __dir__():
    return sorted([*_PLACES, *_MODULES])
