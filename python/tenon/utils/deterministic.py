"""torch.utils.deterministic: a setting that is remembered. Memory of empty() is never filled here."""

fill_uninitialized_memory = True
