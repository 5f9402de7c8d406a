"""What programs ask before they choose a device: there is only the CPU here."""


def is_available():
    """False."""
    return False


def is_initialized():
    """False."""
    return False


def device_count():
    """0."""
    return 0


def manual_seed(seed):
    """Nothing: the CPU's generator is seeded by tenon.manual_seed."""


def manual_seed_all(seed):
    """Nothing: the CPU's generator is seeded by tenon.manual_seed."""


def empty_cache():
    """Nothing: the CPU's cache is emptied by tenon.empty_cache."""
