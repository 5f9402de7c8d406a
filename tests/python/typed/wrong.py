"""Read by a type checker, never run (test_stubs.py): every line below the import is wrong."""
import tenon

text: str = tenon.ones(2).sum()
tenon.ones(2).no_such_method()
tenon.no_such_function
tenon.add(1, 2, 3, 4)
tenon.ones(2).sort(descending="yes")
size: str = tenon.ones(2).shape
