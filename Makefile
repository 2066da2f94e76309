.DEFAULT_GOAL := help
.PHONY: help demo test test-all audits test-latex test-lowest package fuzz fuzz-proof rules mutants simulate lint types check docs site bench bench-scale bench-spark bench-gpu bench-commands bench-order bench-formats parity partners clean

# Tests start many processes, and each would compile the library anew if bytecode is not written.
export PYTHONDONTWRITEBYTECODE :=
PROGRAMS := $(if $(filter Windows_NT,$(OS)),Scripts,bin)
BIN := .venv/$(PROGRAMS)

help: ## list the targets
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 14

demo: .venv/ready ## evaluate and explain the built-in example
	@$(BIN)/rankgauge demo

test: .venv-core/ready ## run the tests that need nothing large; EXAMPLES=0.2 of the random examples
	RANKGAUGE_QUICK=1 RANKGAUGE_THOROUGH=$(or $(EXAMPLES),0.2) .venv-core/$(PROGRAMS)/python -m pytest -n auto --dist loadgroup

test-all: .venv/ready-test ## run all tests, also those with torch, JAX, Spark, Keras and a browser
	RANKGAUGE_COMPLETE=1 $(BIN)/python -m pytest -n auto --dist loadgroup

test-latex: .venv-core/ready ## compile every LaTeX output with pdflatex and xelatex; installs TeX Live on Debian
	scripts/install-latex
	.venv-core/$(PROGRAMS)/python -m pytest tests/test_latex.py

test-lowest: ## run the tests of `make test` with the lowest versions that pyproject.toml allows
	scripts/test-lowest

package: .venv-package/ready ## build the wheel and the sdist, check both and install them into empty environments
	.venv-package/$(PROGRAMS)/python scripts/package.py

fuzz: .venv/ready-test ## try random input for MINUTES=5; SEED= repeats a run, ONLY=files,forms selects fuzzers
	PYTHONPATH=tests $(BIN)/python -m fuzz --minutes $(or $(MINUTES),5) $(if $(SEED),--seed $(SEED)) --only "$(ONLY)"

fuzz-proof: .venv/ready-test ## remove fixes from copies of the library, and let the fuzzers find the defects again
	PYTHONPATH=tests $(BIN)/python -m fuzz --proof

rules: .venv/ready-test ## compare every value of every rule, and pairs of them, with slow loops for every metric; WORLDS=3 SEED=0
	PYTHONPATH=tests $(BIN)/python tests/rule_matrix.py --worlds $(or $(WORLDS),3) --seed $(or $(SEED),0)

mutants: .venv-mutants/ready ## mutate the library and count the mutants that no test notices; ONLY=kernels,rules SAMPLE=200 SEED=0
	OPENBLAS_NUM_THREADS=1 POLARS_MAX_THREADS=1 PYTHONPATH=tests nice -n 19 .venv-mutants/bin/python -m mutants --only "$(ONLY)" --files "$(FILES)" --tests "$(TESTS)" --sample $(or $(SAMPLE),0) --seed $(or $(SEED),0) $(if $(CONTROL),--control)

audits: .venv/ready-test ## audit every function of the tests, of which `make test-all` audits a third
	RANKGAUGE_COMPLETE=1 RANKGAUGE_THOROUGH=2 $(BIN)/python -m pytest -n auto --dist loadgroup tests/test_audit.py

simulate: .venv/ready-test ## simulate the statistics, and write their rates to docs/compare.md, docs/leaderboards.md and docs/judges.md
	$(BIN)/python tests/statistics_simulation.py
	$(BIN)/python tests/leaderboard_simulation.py
	$(BIN)/python tests/judges_simulation.py

lint: .venv/ready-lint ## check style and formatting
	$(BIN)/ruff check
	$(BIN)/ruff format --check

types: .venv/ready-lint ## check types
	$(BIN)/mypy

check: test-all lint types ## run all tests, style and type checks

docs: .venv/ready ## regenerate the reference pages of docs/
	$(BIN)/python docs/generate.py
	$(BIN)/python docs/architecture.py

site: .venv-site/ready ## build the documentation site in build/site, and check it in Chromium
	PYTHONPATH=docs .venv-site/$(PROGRAMS)/python -m website build/site
	PYTHONPATH=docs .venv-site/$(PROGRAMS)/python -m website.check build/site

bench: ## benchmark against other tools, in separate environments
	benchmarks/run

parity: ## run other tools on random data and compare them with their presets
	parity/run

partners: ## run the packages with drop-ins and compare their values with ours
	partners/run

bench-scale: .venv/ready-test ## benchmark DuckDB on data larger than memory
	$(BIN)/python benchmarks/scale.py $(if $(ROWS),--rows $(ROWS))

bench-spark: ## benchmark against other tools on Spark, in separate environments
	benchmarks/run-spark

bench-gpu: ## benchmark on a GPU; PYTHON is a Python with CUDA torch, Triton and torchmetrics
	PYTHONPATH=src $(or $(PYTHON),python3) benchmarks/gpu.py benchmarks/gpu.json
	$(or $(PYTHON),python3) benchmarks/gpu_page.py
	$(or $(PYTHON),python3) benchmarks/summary.py

bench-commands: .venv/ready ## benchmark whole commands; LABEL names the rows, TREC_EVAL the C program
	$(BIN)/python benchmarks/commands.py $(or $(LABEL),now) $(if $(ONLY),--only $(ONLY))

bench-order: .venv/ready ## benchmark rows in any order; TREC_EVAL names the C program
	$(BIN)/python benchmarks/row_order.py

bench-formats: .venv/ready ## measure eval on files of 1 GB; beside ijson where it is installed
	$(BIN)/python benchmarks/formats.py

clean: ## remove environments, caches and generated data
	rm -rf .venv .venv-* build dist benchmarks/.data parity/.data tests/artefacts .pytest_cache .mypy_cache .ruff_cache .hypothesis .mutants.log .mutants.npz

# Each environment is created once, and again when pyproject.toml or scripts/setup changes.
.venv/ready: pyproject.toml scripts/setup
	@scripts/setup && touch $@

.venv-core/ready: pyproject.toml scripts/setup
	@VENV=.venv-core scripts/setup core && touch $@

.venv-site/ready: pyproject.toml scripts/setup
	@VENV=.venv-site scripts/setup site && touch $@

.venv-package/ready: pyproject.toml scripts/setup
	@VENV=.venv-package scripts/setup package && touch $@

.venv/ready-test: pyproject.toml scripts/setup
	@scripts/setup test && touch $@ .venv/ready

.venv/ready-lint: pyproject.toml scripts/setup
	@scripts/setup test lint && touch $@ .venv/ready-test .venv/ready

.venv-mutants/ready: pyproject.toml scripts/setup
	@VENV=.venv-mutants scripts/setup core mutants && touch $@
