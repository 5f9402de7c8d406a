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
