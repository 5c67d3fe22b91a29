# With Python 3.11+ and make: `make play` starts the page in the browser, `make test` runs everything.

PYTHON ?= $(firstword $(foreach p,python3 python3.14 python3.13 python3.12 python3.11 python,\
	$(shell $(p) -c 'import sys; sys.version_info >= (3, 11) and print("$(p)")' 2>/dev/null)))
BIN := .venv/bin
WORKERS ?= 2
# Neighbouring tests stay together as long as all workers are busy: what one has compiled the next one uses.
PYTEST := $(BIN)/python -m pytest -n $(WORKERS) --dist worksteal

.PHONY: play test lint lanes bench screenshots clean system
.DELETE_ON_ERROR:

play: .venv/installed
	@$(BIN)/outplay web --open

test: lint lanes
	$(PYTEST)

lint: .venv/installed-test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

# The tests marked `lanes` once more: without the compiler, and compiled anew with checked indices.
lanes: .venv/installed-test system
	OUTPLAY_JIT=0 $(PYTEST) -m lanes
	cache=$$(mktemp -d) && trap 'rm -rf "$$cache"' EXIT && \
		NUMBA_BOUNDSCHECK=1 OUTPLAY_CACHE=$$cache $(PYTEST) -m lanes

screenshots: .venv/installed-test system
	$(BIN)/python docs/screenshots.py

bench: .venv/installed-peers
	@echo "the quick form of every benchmark; $(BIN)/python -m bench measures longer (bench/README.md)"
	$(BIN)/python -m bench --quick

clean:
	rm -rf .venv build dist .pytest_cache .hypothesis .mypy_cache .ruff_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# The environment; installed again only when pyproject.toml changes.
.venv/installed: pyproject.toml | .venv/bin/pip
	$(BIN)/pip install --quiet --editable .
	@touch $@

.venv/installed-test: pyproject.toml | .venv/bin/pip
	$(BIN)/pip install --quiet --editable '.[test]'
	@touch $@ .venv/installed

.venv/installed-peers: pyproject.toml | .venv/bin/pip
	$(BIN)/pip install --quiet --editable '.[peers]'
	@touch $@ .venv/installed

# Debian and Ubuntu keep Python's venv module in a package of its own.
.venv/bin/pip:
	@test -n "$(PYTHON)" || { echo "Outplay needs Python 3.11 or later: none found (make PYTHON=/path/to/python)"; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || $(call install,python3-venv,the virtual environment)
	$(PYTHON) -m venv .venv

# What only the system's package manager has, and only some tests need.
system:
	@command -v tmux >/dev/null || $(call install,tmux,the test of the terminal game)
	@command -v chromium >/dev/null || command -v chromium-browser >/dev/null || \
		command -v google-chrome >/dev/null || $(call install,chromium,the test of the page)
	@command -v firefox-esr >/dev/null || command -v firefox >/dev/null || \
		$(call install,firefox-esr,the test of the page in Firefox)
	@command -v npm >/dev/null || $(call install,npm,the test of the page's types)
	@test -x .venv/node/node_modules/.bin/tsc || command -v tsc >/dev/null || \
		npm install --silent --no-audit --no-fund --prefix .venv/node typescript >/dev/null 2>&1 || \
		echo "missing: typescript (the test of the page's types needs it; npm installs it)"
	@PATH=$$PATH:/usr/games command -v gnubg >/dev/null || $(call install,gnubg,matches against GNU Backgammon)

# $(call install,PACKAGE,FOR WHAT): as root or with a sudo that asks nothing, else one line that says so.
install = { as=$$(test "$$(id -u)" = 0 || echo "sudo -n"); \
	command -v apt-get >/dev/null && $$as true 2>/dev/null && \
	{ $$as apt-get install -qq -y $(1) || $$as apt-get update -qq && $$as apt-get install -qq -y $(1); } >/dev/null 2>&1 || \
	echo "missing: $(1) ($(2) needs it; install it with your package manager)"; }
