# Everything runs in a virtual environment of its own, .venv, made on first use.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt

# simulated runs of most worlds in docs/validity
RUNS ?= 300

# how long make fuzz tries
SECONDS ?= 1200

.DEFAULT_GOAL := help
.PHONY: help demo test full deep golden test-spark test-modin test-mlflow test-inspect test-pyodide fuzz mutants validate browser latex page-types page-bench figures docs bench metrics lists check format lint types layers clean

help:  ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-9s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

demo: $(VENV)/.demo  ## two reports on real data: a published 2x2 table and predictions of ten digits
	@printf '\n$$ howsure report examples/cocaine.csv\n'
	@$(BIN)/howsure report examples/cocaine.csv
	@printf '\n$$ howsure report examples/digits.csv\n'
	@$(BIN)/howsure report examples/digits.csv

PYTEST := $(BIN)/python -m pytest -q -n 2 --dist loadfile --no-loadscope-reorder --max-worker-restart 2 --durations=20 --durations-min=1

test: $(VENV)/.test  ## the fast tests: every room, in two minutes
	$(PYTEST) $(TESTS)

full: $(VENV)/.test  ## what .ci/run adds to them: dearer tests, sweeps, the examples of the documents
	$(PYTEST) --tier full -m full $(TESTS)

deep: $(VENV)/.browser  ## simulations, exhaustive sweeps, random properties, the whole browser suite, seeded faults, fuzz (hours)
	$(PYTEST) --tier deep -m deep $(TESTS)
	$(PYTEST) --tier deep -m browser tests/browser
	$(BIN)/python -m tests.mutants
	$(MAKE) fuzz

# engines that cannot share .venv, or need a Java runtime, have an environment of their own, and share that
test-spark: .engine-envs/engines/.done  ## counting on a local Spark (needs a Java runtime)
	$(ENGINES) --tier full -m spark tests/io/engines/test_engines.py

test-modin: .engine-envs/engines/.done  ## counting on Modin
	$(ENGINES) --tier full -m modin tests/io/engines/test_engines.py

test-mlflow: .engine-envs/engines/.done  ## logging to a real MLflow file store, and ArviZ reading what we export
	$(ENGINES) --tier full -m mlflow tests/integrations/test_trackers_and_frames.py

test-inspect: .engine-envs/engines/.done  ## our metric in evaluations that Inspect itself runs, without a model
	$(ENGINES) --tier full -m inspect tests/integrations/test_inspect.py

ENGINES = $(<D)/bin/python -m pytest -q -o addopts=--import-mode=importlib -W default

# SECONDS of all targets together; TARGETS= names some of them
fuzz: .engine-envs/fuzz/.done  ## try random inputs on every reader, grammar and request (SECONDS=1200; Linux)
	$(<D)/bin/python -m tests.fuzz --seconds $(SECONDS) --folder build/fuzz $(TARGETS)

# FAULTS= names some of them, by a part of the file or of the line
mutants: $(VENV)/.test  ## make each seeded fault in a copy, and see whether the tests notice (many minutes)
	$(BIN)/python -m tests.mutants $(FAULTS)

# what an environment has beside the library
PACKAGES_engines := pyspark 'modin[dask]' mlflow-skinny arviz polars 'inspect-ai>=0.3.280,<0.4' zstandard
PACKAGES_fuzz := 'atheris>=3,<4' duckdb zstandard openpyxl

# what is never imported need not be compiled
.engine-envs/%/.done: pyproject.toml
	@$(PYTHON) -m venv $(@D)
	@$(@D)/bin/python -m pip install --quiet --disable-pip-version-check --no-compile -e '.[cli,frames]' $(PACKAGES_$*) pandas pyarrow pytest hypothesis sybil
	@touch $@

# what commands print stands in tests/golden/answers and in the documents, and nowhere else: read the diff
golden: $(VENV)/.test  ## write again what commands print, in tests/golden and in the documents
	$(BIN)/python -m tests.golden

validate: $(VENV)/.test  ## calibration, coverage and error rates with ten times the runs, and the tables of docs/validity (an hour or more)
	HOWSURE_LONGER=10 $(BIN)/python -m pytest -q --tier validate tests/validation tests/io/counting/test_soak.py
	$(BIN)/python -m pytest -q --tier validate -m validate tests/numerics tests/posterior
	@$(BIN)/python -m tests.validation.tables --runs $(RUNS) --to docs/validity
	@$(BIN)/python docs/make_validity_pictures.py

browser: $(VENV)/.browser  ## open the page in Chromium, if there is one: every mode, by keyboard, on a phone
	$(PYTEST) --tier full -m browser tests/browser

test-pyodide: $(VENV)/.browser  ## the page without a server, by the release of Pyodide in the folder HOWSURE_PYODIDE
	$(BIN)/python -m pytest -q -m pyodide tests/browser/test_static_page.py

latex: $(VENV)/.test  ## compile the LaTeX tables, if there is a pdflatex (and a lualatex, a xelatex)
	$(BIN)/python -m pytest -q --tier full -m latex tests/publish/test_latex.py

page-types: $(VENV)/.test  ## check the types of the page's scripts, if TypeScript is installed
	$(BIN)/python -m pytest -q tests/web/test_assets.py -k types

page-bench: $(VENV)/.browser  ## how fast the page is: first posterior, and a slider that moves
	$(BIN)/python benchmarks/page.py

figures: $(VENV)/.browser  ## draw the gallery of the docs, the figures of the source papers and the pictures of the page (Chromium)
	$(BIN)/python docs/make_figures.py
	$(BIN)/python docs/make_model_picture.py
	$(BIN)/python docs/make_page_picture.py

docs: $(VENV)/.docs  ## make the documentation site, build/site/html; a warning is an error
	$(BIN)/python docs/make_site.py

bench: $(VENV)/.bench  ## time, growth and error against peers, in one run (minutes)
	@{ $(BIN)/python benchmarks/machine.py && \
	   printf '## The price of a law\n\nBuild, central and highest-density 95 %% interval and one probability, ' && \
	   printf 'in units of 20,000 draws and three percentiles.\n\n```text\n' && \
	   $(BIN)/python benchmarks/laws.py && printf '```\n\n## Many laws at once\n\n```text\n' && \
	   $(BIN)/python benchmarks/many_laws.py && printf '```\n\n' && \
	   $(BIN)/python benchmarks/growth.py --envs .bench-envs && \
	   $(BIN)/python benchmarks/scores.py --envs .bench-envs && \
	   $(BIN)/python benchmarks/peers.py --envs .bench-envs && \
	   $(BIN)/python benchmarks/boards.py --envs .bench-envs && \
	   $(BIN)/python benchmarks/reports.py --envs .bench-envs && \
	   $(BIN)/python benchmarks/judges.py --envs .bench-envs && \
	   $(BIN)/python benchmarks/page_file.py && \
	   printf '\n' && $(BIN)/python benchmarks/since.py 2a2fef1 && \
	   printf '\n## Counting\n\n```text\n' && \
	   $(BIN)/python benchmarks/counting.py memory && $(BIN)/python benchmarks/counting.py parquet && \
	   printf '```\n'; } > docs/benchmarks/.measured.txt
	@mv docs/benchmarks/.measured.txt docs/benchmarks/measured.txt

metrics: $(VENV)/.test  ## write the list of metrics in docs/metrics.md
	$(BIN)/python docs/make_metrics.py

lists: metrics  ## write every list that the docs read from the code: metrics, commands, words of columns
	$(BIN)/python docs/make_lists.py

check: $(VENV)/.dev lint types layers test full  ## all that a change must pass: format, lint, types, layers, tests

format: $(VENV)/.dev  ## rewrite the code in the project's format
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

lint: $(VENV)/.dev  ## format and lint, without changing anything
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .

types: $(VENV)/.dev  ## mypy --strict
	$(BIN)/mypy

layers: $(VENV)/.dev  ## imports point down only
	$(BIN)/lint-imports

clean:  ## remove the virtual environment, the site and all caches
	rm -rf $(VENV) build/site .bench-envs .engine-envs .mypy_cache .pytest_cache .ruff_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "howsure needs Python 3.11 or newer; say make PYTHON=python3.12"; exit 1; }
	@$(PYTHON) -m venv $(VENV) || { echo "the venv module is missing (Debian: apt install python3-venv)"; exit 1; }

# one stamp for each set of extras; a larger set serves the smaller ones
SERVES_dev := demo test bench docs
SERVES_bench := demo test
SERVES_browser := demo test
SERVES_test := demo
$(VENV)/.demo $(VENV)/.test $(VENV)/.dev $(VENV)/.bench $(VENV)/.browser $(VENV)/.docs: $(VENV)/.%: $(VENV)/bin/python pyproject.toml constraints.txt
	@echo "installing howsure ($*)"
	@$(PIP) -e '.[$(if $(filter demo,$*),cli,$*)]'
	@touch $(addprefix $(VENV)/.,$* $(SERVES_$*))
