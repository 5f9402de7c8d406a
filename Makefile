# Tenon's front door. `make help` lists the targets.
#
# `make` alone needs a C compiler and make, nothing else. The other targets install what they need with
# tools/install-packages. Everything that is made goes to $(BUILD).
#
# What others may set: CC, CFLAGS, LDFLAGS, BUILD, PREFIX, DESTDIR, and V=1 to see the commands. Sources are found by
# their place: src/<layer>/*.c is the library, tools/command/*.c the command, tests/*.c the test runner.

BUILD   ?= build
CFLAGS  ?= -O2
HOSTCC  ?= $(CC)
AR      ?= ar
OBJCOPY ?= objcopy
PREFIX  ?= /usr/local
LIBDIR  ?= $(PREFIX)/lib
JOBS    ?= $(shell nproc 2>/dev/null || echo 2)
FUZZ_SECONDS ?= 30

VERSION := $(shell sed -n 's/^\#define TN_VERSION "\(.*\)"/\1/p' include/tenon/base.h)
SONAME  := libtenon.so.$(firstword $(subst ., ,$(VERSION)))

WARNINGS := -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wstrict-prototypes
BASIC := -std=c11 -D_GNU_SOURCE $(WARNINGS) -Iinclude -MMD -MP
# No unwind tables: nothing here throws, and they would be a tenth of the library.
INSIDE := -fPIC -fvisibility=hidden -fno-semantic-interposition -ffunction-sections -fdata-sections -Isrc -I$(BUILD)/generated \
    -fno-asynchronous-unwind-tables -fno-unwind-tables
LIBRARIES := -lm -pthread

LIBRARY_SOURCES := $(sort $(wildcard src/*/*.c))
COMMAND_SOURCES := $(sort $(wildcard tools/command/*.c))
TEST_SOURCES    := $(sort $(wildcard tests/*.c))
BENCH_SOURCES   := $(sort $(wildcard bench/*.c))
EXAMPLE_SOURCES := $(sort $(wildcard examples/*.c))
FUZZ_SOURCES    := $(sort $(wildcard tests/fuzz/*.c))

OBJECTS         := $(LIBRARY_SOURCES:src/%.c=$(BUILD)/obj/%.o)
COMMAND_OBJECTS := $(COMMAND_SOURCES:tools/command/%.c=$(BUILD)/obj/command/%.o)
TEST_OBJECTS    := $(TEST_SOURCES:tests/%.c=$(BUILD)/obj/tests/%.o)
BENCH_OBJECTS   := $(BENCH_SOURCES:bench/%.c=$(BUILD)/obj/bench/%.o)
EXAMPLES        := $(EXAMPLE_SOURCES:examples/%.c=$(BUILD)/examples/%)
FUZZERS         := $(FUZZ_SOURCES:tests/fuzz/%.c=$(BUILD)/fuzz/%)

ifeq ($(V),1)
Q :=
say = @:
else
Q := @
say = @printf '  %-9s %s\n'
MAKEFLAGS += --no-print-directory
endif

# A sub-make uses all cores, unless the caller has already said how many. The scripts start afresh, with settings of their own
# for each build.
PARALLEL = $(if $(findstring jobserver,$(MAKEFLAGS)),,-j$(JOBS))
SCRIPT = env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL MAKE="$(MAKE) -j$(JOBS) --no-print-directory" BUILD="$(BUILD)" V="$(V)"

.PHONY: accuracy all help run quick test check sanitize fuzz bench bench-peers dist examples install clean compiler format FORCE
.SUFFIXES:
.DELETE_ON_ERROR:

all: $(BUILD)/libtenon.a $(BUILD)/libtenon.so $(if $(COMMAND_SOURCES),$(BUILD)/tenon) python

help:
	@echo "make           build/libtenon.a, build/libtenon.so, build/tenon, and build/python where Python's headers are"
	@echo "make run       build everything and show what Tenon does (build/tenon tour)"
	@echo "make quick     one build of the tests, one run; NAME=... selects some"
	@echo "make test      every test, with gcc, clang and as a debug build; examples; the command"
	@echo "make check     format, static analysis, symbols, headers, layers, installation, one-file build"
	@echo "make parity    every operator against PyTorch 2.13, which it installs; WHAT=... selects some"
	@echo "make sanitize  the tests under address, undefined-behaviour and thread sanitizers"
	@echo "make fuzz      each fuzzer in tests/fuzz for FUZZ_SECONDS ($(FUZZ_SECONDS))"
	@echo "make bench     measure; writes build/bench.csv (make bench-peers: PyTorch and NumPy to compare with)"
	@echo "make dist      the library as two files: build/dist/tenon.c, build/dist/tenon.h"
	@echo "make install   to DESTDIR/PREFIX ($(DESTDIR)$(PREFIX))"
	@echo "make format    reformat the sources with clang-format"
	@echo "make clean     remove $(BUILD)"

# ---- what is compiled ------------------------------------------------------------------------------------------------

# Holds the compiler and its flags; changes when they do, so that objects of two configurations never mix.
$(BUILD)/flags: FORCE
	@mkdir -p $(@D)
	@echo '$(CC) $(BASIC) $(INSIDE) $(CPPFLAGS) $(CFLAGS) $(LDFLAGS)' | cmp -s - $@ || \
	    echo '$(CC) $(BASIC) $(INSIDE) $(CPPFLAGS) $(CFLAGS) $(LDFLAGS)' > $@

# The operator table becomes code. The public header and the reference page that come from it are in the repository too;
# they are rewritten only when their content differs.
ifneq ($(wildcard tools/generate.c),)
GENERATED := $(BUILD)/generated/stamp
OBJECTS += $(BUILD)/obj/generated/operator_calls.o

$(BUILD)/generate: tools/generate.c $(wildcard tools/generate_*.h src/dispatch/*.def src/dispatch/signature.* src/dispatch/operator_row.h) include/tenon/dispatch.h | $(BUILD)/flags
	$(say) HOSTCC $<
	$(Q)$(HOSTCC) -std=c11 -O1 -Wall -Wextra -Iinclude -Isrc $< -o $@

$(BUILD)/generated/stamp: $(BUILD)/generate $(if $(wildcard include/tenon/operators.h),,FORCE)
	$(say) GENERATE $(@D)
	@rm -rf $(@D).new && mkdir -p $(@D) $(@D).new
	$(Q)$(BUILD)/generate $(@D).new
	$(Q)$(BUILD)/generate --header > $(@D).new/operators.h.public
	$(Q)$(BUILD)/generate --docs > $(@D).new/operators.md
	@replace() { cmp -s "$$1" "$$2" || { cp "$$1" "$$2.$$$$" && mv "$$2.$$$$" "$$2" && echo "  UPDATE    $$2"; }; }; \
	    replace $(@D).new/operators.h.public include/tenon/operators.h && \
	    replace $(@D).new/operators.md docs/operators.md && \
	    rm $(@D).new/operators.h.public $(@D).new/operators.md && \
	    for file in $(@D).new/*; do replace $$file $(@D)/$${file##*/} >/dev/null || exit 1; done
	@rm -rf $(@D).new && touch $@

$(BUILD)/generated/operator_calls.c: $(BUILD)/generated/stamp ;

$(BUILD)/obj/generated/%.o: $(BUILD)/generated/%.c $(BUILD)/flags
	$(say) CC $<
	@mkdir -p $(@D)
	$(Q)$(CC) $(BASIC) $(INSIDE) $(CPPFLAGS) $(CFLAGS) -c $< -o $@
endif

$(BUILD)/obj/%.o: src/%.c $(BUILD)/flags | $(GENERATED)
	$(say) CC $<
	@mkdir -p $(@D)
	$(Q)$(CC) $(BASIC) $(INSIDE) $(CPPFLAGS) $(CFLAGS) -c $< -o $@

# The command, like any other program, sees only the public headers.
$(BUILD)/obj/command/%.o: tools/command/%.c $(BUILD)/flags | $(GENERATED)
	$(say) CC $<
	@mkdir -p $(@D)
	$(Q)$(CC) $(BASIC) $(CPPFLAGS) $(CFLAGS) -c $< -o $@

$(BUILD)/obj/tests/%.o: tests/%.c $(BUILD)/flags | $(GENERATED)
	$(say) CC $<
	@mkdir -p $(@D)
	$(Q)$(CC) $(BASIC) $(INSIDE) -Itests $(CPPFLAGS) $(CFLAGS) -c $< -o $@

$(BUILD)/obj/bench/%.o: bench/%.c $(BUILD)/flags | $(GENERATED)
	$(say) CC $<
	@mkdir -p $(@D)
	$(Q)$(CC) $(BASIC) -Ibench $(CPPFLAGS) $(CFLAGS) -c $< -o $@

# ---- the library -----------------------------------------------------------------------------------------------------

# One relocatable whose private names are local, so that the archive, too, shows only tn_ names. Without objcopy the
# archive holds the plain objects; it works the same and shows the tni_ names.
$(BUILD)/libtenon.a: $(OBJECTS)
	$(say) AR $@
	@rm -f $@
	$(Q)if command -v $(OBJCOPY) >/dev/null 2>&1 && $(CC) $(filter-out -fsanitize%,$(CFLAGS)) -r -nostdlib -o $(BUILD)/obj/tenon.o $(OBJECTS) 2>/dev/null; \
	    then $(OBJCOPY) --localize-hidden $(BUILD)/obj/tenon.o && $(AR) rcs $@ $(BUILD)/obj/tenon.o; \
	    else $(AR) rcs $@ $(OBJECTS); fi

# Names of private functions are left out unless it is built for a debugger.
$(BUILD)/libtenon.so.$(VERSION): $(OBJECTS) tenon.map
	$(say) LINK $@
	$(Q)$(CC) -shared -Wl,-soname,$(SONAME) -Wl,--version-script=tenon.map -Wl,-Bsymbolic-functions -Wl,--gc-sections -Wl,--as-needed \
	    $(if $(filter -g%,$(CFLAGS)),,-Wl,-s) $(CFLAGS) $(LDFLAGS) $(OBJECTS) -o $@ $(LIBRARIES)

$(BUILD)/libtenon.so: $(BUILD)/libtenon.so.$(VERSION)
	@ln -sf libtenon.so.$(VERSION) $(BUILD)/$(SONAME) && ln -sf $(SONAME) $@

$(BUILD)/tenon: $(COMMAND_OBJECTS) $(BUILD)/libtenon.a
	$(say) LINK $@
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) $^ -o $@ $(LIBRARIES)

$(BUILD)/tests/run: $(TEST_OBJECTS) $(OBJECTS)
	$(say) LINK $@
	@mkdir -p $(@D)
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) $^ -o $@ $(LIBRARIES)

$(BUILD)/bench/run: $(BENCH_OBJECTS) $(BUILD)/libtenon.a
	$(say) LINK $@
	@mkdir -p $(@D)
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) $^ -o $@ $(LIBRARIES)

$(BUILD)/bench/run-shared: $(BENCH_OBJECTS) $(BUILD)/libtenon.so
	$(say) LINK $@
	@mkdir -p $(@D)
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) $^ -o $@ -Wl,-rpath,'$$ORIGIN/..' $(LIBRARIES)

$(BUILD)/bench/start_up: bench/start_up/start_up.c $(BUILD)/flags | $(GENERATED)
	$(say) LINK $@
	@mkdir -p $(@D)
	$(Q)$(CC) $(BASIC) $(CPPFLAGS) $(CFLAGS) $(LDFLAGS) -MF $@.d $< -o $@ -ldl

$(BUILD)/examples/%: examples/%.c $(BUILD)/libtenon.a $(BUILD)/flags
	$(say) EXAMPLE $<
	@mkdir -p $(@D)
	$(Q)$(CC) $(BASIC) $(CPPFLAGS) $(CFLAGS) $(LDFLAGS) -MF $@.d $< $(BUILD)/libtenon.a -o $@ $(LIBRARIES)

examples: $(EXAMPLES)

include python/python.mk

# ---- the two files ---------------------------------------------------------------------------------------------------

dist: $(BUILD)/dist/tenon.c

$(BUILD)/dist/tenon.c: $(LIBRARY_SOURCES) $(wildcard src/*/* src/*/*/* include/tenon/*.h) $(GENERATED) tools/amalgamate
	$(say) DIST "$(@D)/tenon.c $(@D)/tenon.h"
	@mkdir -p $(@D)
	$(Q)tools/amalgamate $(@D) $(BUILD)/generated

# ---- the jobs --------------------------------------------------------------------------------------------------------

# A machine without a compiler gets one; a machine with one is left as it is.
compiler:
	@echo '#include <stdio.h>' | $(CC) -E - >/dev/null 2>&1 || tools/install-packages gcc libc6-dev

run: compiler
	@echo "building, then: $(BUILD)/tenon tour"
	@$(MAKE) $(PARALLEL) all
	@$(BUILD)/tenon tour

# The fast half of `make test`, while working: one build, one run. NAME=... selects tests.
quick: $(BUILD)/tests/run
	@$(BUILD)/tests/run $(NAME)

test: compiler
	@$(SCRIPT) tools/test

check: compiler
	@$(SCRIPT) tools/check

sanitize: compiler
	@$(SCRIPT) tools/sanitize

bench: compiler
	@$(SCRIPT) tools/bench $(BENCH_ARGS)

# PyTorch and NumPy for it, into $(BUILD).
bench-peers:
	@$(SCRIPT) tools/bench --install-peers

# On demand, not part of the tests. ACCURACY is the level (0 baseline, 1 AVX2) and the step: "1 1" tries every float32.
ACCURACY ?= 0 257
accuracy: compiler
	@tools/install-packages libmpfr-dev
	@mkdir -p $(BUILD)
	$(Q)$(CC) -std=c11 -D_GNU_SOURCE -O2 -ftree-vectorize -ffp-contract=off -fno-math-errno -Iinclude -Isrc -Itests \
	    tools/accuracy/float32.c -o $(BUILD)/accuracy-float32 -lm
	$(Q)$(CC) -std=c11 -D_GNU_SOURCE -O2 -Iinclude -Isrc -Itests -Itools tools/accuracy/float64.c -o $(BUILD)/accuracy-float64 \
	    -lmpfr -lgmp -lm
	$(Q)$(BUILD)/accuracy-float32 $(ACCURACY)
	$(Q)$(BUILD)/accuracy-float64

fuzz:
ifeq ($(FUZZ_SOURCES),)
	@echo "make fuzz: there are no fuzzers in tests/fuzz/ yet"
else
	@tools/install-packages clang libclang-rt-14-dev
	@$(MAKE) $(PARALLEL) BUILD=$(BUILD)/fuzz-build CC=clang CFLAGS="-O1 -g -fsanitize=fuzzer-no-link,address,undefined" fuzzers
	@for fuzzer in $(FUZZ_SOURCES:tests/fuzz/%.c=%); do \
	    echo "== fuzz: $$fuzzer, $(FUZZ_SECONDS) s"; \
	    mkdir -p $(BUILD)/corpus/$$fuzzer; \
	    $(BUILD)/fuzz-build/fuzz/$$fuzzer -max_total_time=$(FUZZ_SECONDS) -print_final_stats=0 -verbosity=0 \
	        -artifact_prefix=$(BUILD)/corpus/$$fuzzer. $(BUILD)/corpus/$$fuzzer $(wildcard tests/fuzz/corpus) || exit 1; \
	done
endif

.PHONY: fuzzers
fuzzers: $(FUZZERS)

$(BUILD)/fuzz/%: tests/fuzz/%.c $(OBJECTS)
	$(say) FUZZER $<
	@mkdir -p $(@D)
	$(Q)$(CC) $(BASIC) -Isrc -Itests $(CPPFLAGS) $(CFLAGS) -fsanitize=fuzzer,address,undefined -MF $@.d $< $(OBJECTS) -o $@ $(LIBRARIES)

format:
	@tools/install-packages clang-format
	clang-format -i $(shell find include src tests tools examples bench -name '*.[ch]')

install: all
	@PREFIX="$(PREFIX)" LIBDIR="$(LIBDIR)" DESTDIR="$(DESTDIR)" BUILD="$(BUILD)" VERSION="$(VERSION)" tools/install

clean:
	rm -rf $(BUILD)

-include $(OBJECTS:.o=.d) $(COMMAND_OBJECTS:.o=.d) $(TEST_OBJECTS:.o=.d) $(BENCH_OBJECTS:.o=.d) $(BUILD)/bench/start_up.d $(EXAMPLES:=.d)
