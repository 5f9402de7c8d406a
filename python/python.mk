# The Python package: $(BUILD)/python/tenon, ready for PYTHONPATH=$(BUILD)/python. It needs Python's headers and nothing else;
# where there are none, `make` says so and builds the rest. One build serves every Python from 3.11 on.

PYTHON ?= python3
PYTHON_HEADERS := $(shell $(PYTHON) -c 'import sys, sysconfig, os; path = sysconfig.get_paths()["include"]; \
    print(path if sys.version_info >= (3, 11) and os.path.exists(path + "/Python.h") else "")' 2>/dev/null)

PYTHON_SOURCES := $(sort $(wildcard python/src/*.c))
PYTHON_OBJECTS := $(PYTHON_SOURCES:python/src/%.c=$(BUILD)/obj/python/%.o)
PYTHON_FILES   := $(sort $(wildcard python/tenon/*.py python/tenon/*/*.py python/tenon/py.typed))
PYTHON_PACKAGE := $(BUILD)/python/tenon

.PHONY: python parity

ifneq ($(PYTHON_HEADERS),)

python: $(PYTHON_PACKAGE)/_core.abi3.so $(PYTHON_FILES:python/%=$(BUILD)/python/%) $(PYTHON_PACKAGE)/_core.pyi

$(BUILD)/obj/python/%.o: python/src/%.c $(BUILD)/flags python/python.mk | $(GENERATED)
	$(say) CC $<
	@mkdir -p $(@D)
	$(Q)$(CC) $(BASIC) -fPIC -fvisibility=hidden -isystem $(PYTHON_HEADERS) $(CPPFLAGS) $(CFLAGS) -c $< -o $@

# Of the library that is linked in, nothing is seen from outside.
$(PYTHON_PACKAGE)/_core.abi3.so: $(PYTHON_OBJECTS) $(BUILD)/libtenon.a
	$(say) LINK $@
	@mkdir -p $(@D)
	$(Q)$(CC) -shared -Wl,--exclude-libs,ALL -Wl,--gc-sections -Wl,--as-needed $(CFLAGS) $(LDFLAGS) $^ -o $@ $(LIBRARIES)

$(BUILD)/python/%: python/%
	@mkdir -p $(@D)
	@cp $< $@

# What type checkers and editors read, from the same table. A build for another kind of machine, or with a sanitizer, cannot be
# imported here and does without.
$(PYTHON_PACKAGE)/_core.pyi: python/tools/stubs.py $(PYTHON_PACKAGE)/_core.abi3.so $(PYTHON_FILES:python/%=$(BUILD)/python/%)
	$(say) STUBS $@
	$(Q)PYTHONPATH=$(BUILD)/python $(PYTHON) -B python/tools/stubs.py > $@.new 2>/dev/null && mv $@.new $@ || { rm -f $@.new; touch $@; }

-include $(PYTHON_OBJECTS:.o=.d)

else

python:
	@echo "  SKIP      the Python package: $(PYTHON) is not Python 3.11 or later with its headers (Debian: python3-dev)"

endif
