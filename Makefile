# Two commands are enough: `make run` serves the app, `make test` checks everything.
# Every target may be run again at any time: what is already done is not done twice.

VENV  := .venv
PY    := $(VENV)/bin/python
PORT  ?= 8501
# The newest first. A name may exist and still not run (version managers), so each is tried.
PYTHONS := python3.13 python3.12 python3.11 python3.14 python3 python

export PIP_DISABLE_PIP_VERSION_CHECK := 1
export PIP_NO_INPUT := 1

.DEFAULT_GOAL := help
.PHONY: help run warm test check lint bench format browser clean

help:  ## say what can be done
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /: /; s/^/  make /'

run: $(VENV)/.installed warm  ## serve the app on http://localhost:8501 (PORT=8600 for another)
	$(PY) -m streamlit run app.py --server.port=$(PORT)

warm: $(VENV)/.installed  ## compile what can be compiled ahead, so that the first page is quick
	@$(PY) -m compileall -qq bpe pages app.py || true  # a folder that cannot be written to is no error
	@$(PY) -c "from bpe.acceleration import are_kernels_compiled as ready, warm_up; \
	ready() or print('Compiling the kernels, once: about a minute', flush=True); \
	print(f'The compiled kernels are ready: {warm_up():.0f} s')"

# Two processes, one a core; browser tests by themselves, for what they wait for a busy machine delays.
test: $(VENV)/.installed-dev lint browser warm  ## format, lint, types and every test
	$(PY) -m pytest -m "not browser" -n 2 --dist loadfile
	$(PY) -m pytest -m browser -n 2 --dist loadfile

check: $(VENV)/.installed-dev lint  ## the fast part: format, lint, types, import rules, tests without a browser
	$(PY) -m pytest -m "not browser and not slow" -n 2 --dist loadfile

lint: $(VENV)/.installed-dev  ## format, lint and types, without tests
	$(PY) -m ruff format --check .
	$(PY) -m ruff check .
	$(PY) -m mypy

bench: $(VENV)/.installed-bench warm  ## speed and memory beside other libraries (ARGS=--quick for less)
	$(PY) -m tests.benchmarks.bench $(ARGS)

format: $(VENV)/.installed-dev  ## put the code into the common format and mend what ruff can mend
	$(PY) -m ruff format .
	$(PY) -m ruff check --fix .

browser: $(VENV)/.installed-dev  ## find a Chromium for the browser tests, or install one
	@$(PY) -m tests.browser.chromium || { \
	  if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then \
	    apt-get update -q && apt-get install -q -y --no-install-recommends chromium; \
	  fi; \
	  $(PY) -m tests.browser.chromium || $(PY) -m playwright install chromium \
	    || echo "No Chromium could be installed: the browser tests will be skipped (and fail when CI=true)."; }

clean:  ## remove what the other targets made
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis test-results
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(PY):
	@set -e; \
	for name in $(PYTHONS); do \
	  if "$$name" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; then \
	    echo "Making $(VENV) with $$("$$name" --version)"; \
	    exec "$$name" -m venv $(VENV); \
	  fi; \
	done; \
	echo "BPE Explorer needs Python 3.11 or newer with its venv module; none was found among: $(PYTHONS)." >&2; \
	echo "Here python3 is: $$(python3 --version 2>&1 || true)" >&2; \
	echo "On Debian or Ubuntu: apt-get install python3 python3-venv. Elsewhere: install Python 3.12 and run make again." >&2; \
	exit 1

# A stamp is younger than the list it stands for exactly when that list is installed.
$(VENV)/.installed: requirements.txt | $(PY)
	@$(PY) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "$(VENV) holds $$($(PY) --version 2>&1), but Python 3.11 or newer is needed: make clean, then again." >&2; exit 1; }
	$(PY) -m pip install -q -r requirements.txt
	@touch $@

$(VENV)/.installed-dev: requirements-dev.txt $(VENV)/.installed | $(PY)
	$(PY) -m pip install -q -r requirements-dev.txt
	@touch $@

# One by one: a library without a build for this machine must not keep the others out.
$(VENV)/.installed-bench: requirements-bench.txt $(VENV)/.installed-dev | $(PY)
	@sed -e 's/ *#.*//' -e '/^$$/d' requirements-bench.txt | while read -r library; do \
	  $(PY) -m pip install -q "$$library" || \
	    echo "$$library cannot be installed here: its rows of the benchmark will say so."; \
	done
	@touch $@
