# Everything happens in .venv; delete it to start afresh.
PYTHON ?= python3
BIN := .venv/bin
KERNELS := $(wildcard ext/kopsim/*.pyx ext/kopsim/*.pxd ext/include/*.h)
PYTEST := $(BIN)/pytest -n auto --dist loadgroup -q -rs

.DEFAULT_GOAL := build
.PHONY: build odds site docs test test-slow test-debug lint bench readme tables play-outs bounds kontra notebooks closest clean

build: .venv/built

odds: build
	$(BIN)/kopsim odds "A♥ 10♠ Q♣ A♦"

# The web page, from the packaged tables (about a minute); open dist/site/index.html.
site: build
	$(BIN)/kopsim site build --out dist/site

# The documentation in both languages, every command in it run anew; English first, for Polish pages refer to it.
# Open dist/docs/index.html.  The notebook extension leaves its working files beside the pages.
docs: build .venv/docs
	rm -rf build/docs dist/docs
	for lang in en pl; do \
		$(BIN)/sphinx-build -q -W --keep-going -j auto -c docs -D language=$$lang -d build/docs/$$lang docs/$$lang dist/docs/$$lang || exit; \
	done
	rm -rf dist/docs/jupyter_execute
	cp docs/index.html dist/docs/

test: build .venv/tools
	$(PYTEST)

test-slow: build .venv/tools
	$(PYTEST) -m "slow or not slow"

# Tests that ask the kernels for what is hard: the rest asks for the same again.
KERNELS_ASKED := best_defence bridge guaranteed_play kontra layouts odds pair_odds play_out reply_bound search tablebase \
	throwdowns

# These tests with bounds checks in the kernels; afterwards the fast kernels are put back.  Whoever interrupts it builds anew.
test-debug: .venv/tools
	mkdir -p build/fast && cp src/kopsim/*.so build/fast && mv .venv/built build/fast
	KOPSIM_DEBUG=1 KOPSIM_FORCE=1 $(BIN)/python setup.py -q build_ext --inplace --force
	$(PYTEST) $(KERNELS_ASKED:%=tests/test_%.py); status=$$?; \
	cp build/fast/*.so src/kopsim && mv build/fast/built .venv && exit $$status

lint: build .venv/tools
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy src
	MYPYPATH=src $(BIN)/stubtest --ignore-missing-stub kopsim._rules kopsim._layouts kopsim._search kopsim._tablebase kopsim._tally kopsim._knowledge kopsim._best_defence kopsim._hidden_play

bench: build .venv/tools
	$(BIN)/python benchmarks/bench.py

# The output shown in the README, made anew.
readme: build
	PYTHONPATH=tests $(BIN)/python tests/test_readme.py --write

# The packaged odds, counted from all deals (some five minutes); equal to what search gives, see data/README.md.
tables: build
	$(BIN)/kopsim tablebase build --out tables
	$(BIN)/kopsim tablebase build --out tables --rules baska-z-asem --contract zolo
	$(BIN)/kopsim tablebase build --out tables --rules baska-z-asem --contract gran
	cp tables/*.odds data/odds/

# The packaged play-outs, the calling range (first undoubled), and the bounds; every build goes on where it was interrupted.
PLAYED := $(BIN)/kopsim table build --method play-out
NAMED := kop-gorzow-2014

play-outs: build
	for contract in pass wesele zolo zolo-du; do \
		$(PLAYED) --contract $$contract --out data/play_outs/$(NAMED).$$contract.play-out || exit; \
	done
	$(BIN)/kopsim range build --out tables/$(NAMED).undoubled.toml
	$(BIN)/kopsim range double tables/$(NAMED).undoubled.toml --out data/ranges/$(NAMED).toml
	for contract in zolo zolo-du; do \
		$(PLAYED) --contract $$contract --range auto --out data/play_outs/$(NAMED).$$contract.expected.play-out || exit; \
	done

bounds: build
	for contract in zolo zolo-du; do for bound in best-defence reply-bound; do \
		$(BIN)/kopsim table build --method $$bound --contract $$contract \
			--out data/bounds/$(NAMED).$$contract.$$bound.bounds || exit; \
	done; \
		$(BIN)/kopsim table build --method reply-bound --contract $$contract --range auto \
			--out data/bounds/$(NAMED).$$contract.expected.reply-bound.bounds || exit; \
	done

# When defenders double; after the range, which it depends on.
kontra: build
	for contract in zolo zolo-du; do \
		$(BIN)/kopsim table build --method kontra --contract $$contract --out data/kontra/$(NAMED).$$contract.kontra || exit; \
	done
	$(BIN)/kopsim table build --method kontra --contract cicha --deals 1024 --out data/kontra/$(NAMED).cicha.kontra

# The notebooks run anew.
notebooks: build .venv/tools
	$(BIN)/jupyter-execute --inplace notebooks/*.ipynb

# How far the twenty closest decisions can be exploited (three quarters of an hour).
closest: build
	$(BIN)/python benchmarks/closest_decisions.py notebooks/closest_decisions.json

clean:
	rm -rf build dist docs/*/generated docs/en/notebooks src/*.egg-info src/kopsim/*.so .venv

# The environment with what building needs.
.venv/ready: pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "kopsim needs Python 3.11 or newer")'
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install -q --upgrade pip
	$(BIN)/python -m pip install -q "setuptools>=77" "cython>=3.1,<4"
	@touch $@

.venv/built: .venv/ready setup.py $(KERNELS)
	PYTHONWARNINGS=ignore $(BIN)/python -m pip install -q --no-build-isolation -e .
	@touch $@

# What the documentation is built with.
.venv/docs: .venv/built pyproject.toml
	PYTHONWARNINGS=ignore $(BIN)/python -m pip install -q --no-build-isolation -e '.[docs]'
	@touch $@

# What tests, checks and benchmarks need; the bridge solver has no wheel everywhere and may be missing.
.venv/tools: .venv/built pyproject.toml
	PYTHONWARNINGS=ignore $(BIN)/python -m pip install -q --no-build-isolation -e '.[test,lint]'
	$(BIN)/python -m pip install -q endplay || echo "No bridge solver: its cross-check will be skipped."
	@touch $@
