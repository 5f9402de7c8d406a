# The Python package: $(BUILD)/python/tenon, ready for PYTHONPATH=$(BUILD)/python. It needs Python's headers and nothing else;
# where there are none, `make` says so and builds the rest. One build serves every Python from 3.11 on.

PYTHON ?= python3
PYTHON_HEADERS := $(shell $(PYTHON) -c 'import sys, sysconfig, os; path = sysconfig.get_paths()["include"]; \
    print(path if sys.version_info >= (3, 11) and os.path.exists(path + "/Python.h") else "")' 2>/dev/null)

PYTHON_SOURCES := $(sort $(wildcard python/src/*.c))
PYTHON_OBJECTS := $(PYTHON_SOURCES:python/src/%.c=$(BUILD)/obj/python/%.o)
PYTHON_FILES   := $(sort $(wildcard python/tenon/*.py python/tenon/*.pyi python/tenon/*/*.py python/tenon/*/*.pyi python/tenon/*/*/*.py python/tenon/*/*/*.pyi python/tenon/*/*/*/*.py python/tenon/py.typed))
PYTHON_PACKAGE := $(BUILD)/python/tenon

.PHONY: python parity interop

ifneq ($(PYTHON_HEADERS),)

python: $(PYTHON_PACKAGE)/_core.abi3.so $(PYTHON_FILES:python/%=$(BUILD)/python/%) $(PYTHON_PACKAGE)/_core.pyi

$(BUILD)/obj/python/%.o: python/src/%.c $(BUILD)/flags python/python.mk | $(GENERATED)
	$(say) CC $<
	@mkdir -p $(@D)
	$(Q)$(CC) $(BASIC) -fPIC -fno-plt -fvisibility=hidden -isystem $(PYTHON_HEADERS) $(HARDENED) $(CPPFLAGS) $(CFLAGS) -c $< -o $@

# The library is beside the extension and is found by its name, so that a program that embeds Python, and libraries with
# operators of their own (tenon.ops.load_library), share one Tenon with it.
$(PYTHON_PACKAGE)/_core.abi3.so: $(PYTHON_OBJECTS) $(PYTHON_PACKAGE)/$(SONAME)
	$(say) LINK $@
	@mkdir -p $(@D)
	$(Q)$(CC) -shared -Wl,-rpath,'$$ORIGIN' -Wl,--gc-sections -Wl,--as-needed $(CFLAGS) $(HARDENED_LINK) $(LDFLAGS) $^ -o $@ $(LIBRARIES)

$(PYTHON_PACKAGE)/$(SONAME): $(BUILD)/libtenon.so.$(VERSION)
	@mkdir -p $(@D)
	@cp $< $@

$(BUILD)/python/%: python/%
	@mkdir -p $(@D)
	@cp $< $@

# What type checkers and editors read, from the same table, and the page of the array API. A build for another kind of machine, or
# with a sanitizer, cannot be imported here: it says so and does without.
$(PYTHON_PACKAGE)/_core.pyi: python/tools/stubs.py python/tools/array_api.py $(PYTHON_PACKAGE)/_core.abi3.so $(PYTHON_FILES:python/%=$(BUILD)/python/%)
	$(say) STUBS $@
	$(Q)if PYTHONPATH=$(BUILD)/python $(PYTHON) -B python/tools/stubs.py > $@.new 2> $@.why; then mv $@.new $@; \
	    else echo "  NOTE      no type stubs: $$(tail -n 1 $@.why)"; rm -f $@.new; : > $@; fi; rm -f $@.why
	$(Q)if [ -s $@ ] && PYTHONPATH=$(BUILD)/python $(PYTHON) -B python/tools/array_api.py > $@.new; then \
	    cmp -s $@.new docs/array-api.md || { cp $@.new docs/array-api.md && echo "  UPDATE    docs/array-api.md"; }; fi; rm -f $@.new

-include $(PYTHON_OBJECTS:.o=.d)

else

python:
	@echo "  SKIP      the Python package: $(PYTHON) is not Python 3.11 or later with its headers (Debian: python3-dev)"

endif

# Every operator against PyTorch, in a Python environment of its own that is made once. CASES=100 makes more calls for each form,
# WHAT="sum sort index" selects operators and groups.
PARITY := $(BUILD)/parity
CASES  ?= 30

parity: python $(PARITY)/ready
	$(Q)PYTHONPATH=$(BUILD)/python $(PARITY)/bin/python -B -m pytest -p no:cacheprovider tests/python/parity tests/python/test_stubs.py
	$(Q)PYTHONPATH=$(BUILD)/python $(PARITY)/bin/python -B tests/python/parity/run.py -n $(CASES) $(WHAT)
	$(Q)PYTHONPATH=$(BUILD)/python $(PARITY)/bin/python -B tests/python/parity/gradients.py -n 8 $(WHAT)

$(PARITY)/ready: python/python.mk
	$(say) VENV $(PARITY)
	$(Q)$(PYTHON) -m venv $(PARITY)
	$(Q)$(PARITY)/bin/pip install -q "torch==2.13.0" numpy pytest hypothesis mypy array-api-strict
	@touch $@

# Files of PyTorch, safetensors, gguf and ml_dtypes, read and written; the packages are added to the same environment.
interop: python $(PARITY)/ready
	$(Q)$(PARITY)/bin/pip install -q safetensors gguf ml_dtypes
	$(Q)PYTHONPATH=$(BUILD)/python $(PARITY)/bin/python -B -m pytest -q -p no:cacheprovider tests/python/interop
