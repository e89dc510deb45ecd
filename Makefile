# The short way to everything. What the verbs do is in tools/; docs/build.md explains presets and folders.
PREFIX ?= /usr/local
DESTDIR ?=
BENCH ?=
PEERS ?=
EXAM ?=
FUZZ_SECONDS ?= 60

.PHONY: help demo gallery check check-long exam bench bench-peers fuzz install format lint
help:
	@echo "make demo        set up, build, simulate a flag and draw it"
	@echo "make gallery     draw the pictures of README and docs again (minutes)"
	@echo "make check       set up, build with gcc, clang and sanitizers, run every test (minutes)"
	@echo "make check-long  what check leaves out: long tests with all they have, every scene, the exam (two hours)"
	@echo "make exam        the exam scenes with all their conditions (an hour and a half; EXAM=--resume goes on)"
	@echo "make bench       measure the papers' benchmarks and single parts; results also in out/bench/ (hours)"
	@echo "make bench-peers the drape in Blender and Bullet beside weft"
	@echo "make fuzz        fuzz every reader for FUZZ_SECONDS=$(FUZZ_SECONDS)"
	@echo "make install     into DESTDIR=$(DESTDIR) PREFIX=$(PREFIX)"
	@echo "make format      lay out the sources with clang-format"
	@echo "make lint        clang-tidy and cppcheck"

demo:
	@tools/setup demo
	@tools/build release
	@tools/demo

gallery:
	@tools/setup demo
	@tools/build release
	@tools/gallery

check:
	@tools/setup check
	@tools/check

check-long:
	@tools/setup check
	@tools/build release
	@tools/check-long

exam:
	@tools/setup check
	@tools/build release
	@tools/exam --all --jobs $$(nproc) --limit 1200 --out out/exam-all $(EXAM)

bench:
	@tools/setup demo
	@tools/bench $(BENCH)

bench-peers:
	@tools/setup peers
	@tools/build release
	@tools/bench-peers $(PEERS)

fuzz:
	@tools/setup check
	@FUZZ_SECONDS=$(FUZZ_SECONDS) tools/fuzz

install:
	@tools/setup demo
	@tools/build release -DCMAKE_INSTALL_PREFIX=$(PREFIX)
	@DESTDIR=$(DESTDIR) cmake --install build/release

format:
	@tools/setup check
	@tools/sources | xargs clang-format -i

lint:
	@tools/setup lint
	@tools/lint
