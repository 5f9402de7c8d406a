"""Read by a type checker, never run (test_stubs.py): every line below the import is wrong."""
import tenon

text: str = tenon.ones(2).sum()
tenon.ones(2).no_such_method()
tenon.no_such_function
tenon.add(1, 2, 3, 4)
tenon.ones(2).sort(descending="yes")
size: str = tenon.ones(2).shape
tenon.nn.Linear(3)
tenon.nn.Dropout(p="a")
tenon.optim.SGD(lr=1.0, no_such_option=1)
tenon.utils.data.NoSuchLoader
tenon.nn.Linear("a", 2)
modules: int = tenon.nn.ReLU().named_modules()
tenon.linalg.no_such_factor
tenon.fft.fft(n=3)
tenon.nn.functional.no_such_loss
spectrum: int = tenon.fft.fft(tenon.ones(2))
cross: str = tenon.nn.functional.cross_entropy(tenon.ones(2), tenon.ones(2))
tenon.amp.autocast(dtype=tenon.float16, no_such_option=1)
tenon.optim.swa_utils.NoSuchAverage
tenon.func.no_such_transform
tenon.special.no_such_function
