.DEFAULT_GOAL := help
.PHONY: help demo test lint types check docs bench bench-scale bench-spark bench-gpu parity clean

BIN := .venv/bin

help: ## list what can be made
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 14

demo: .venv/ready ## evaluate and explain the built-in example
	@$(BIN)/rankgauge demo

test: .venv/ready-test ## run the whole test suite
	RANKGAUGE_COMPLETE=1 $(BIN)/python -m pytest -n auto --dist loadgroup

lint: .venv/ready-lint ## check the style
	$(BIN)/ruff check
	$(BIN)/ruff format --check

types: .venv/ready-lint ## check the types
	$(BIN)/mypy

check: test lint types ## everything that must pass

docs: .venv/ready ## write the generated pages of docs/ anew
	$(BIN)/python docs/generate.py

bench: ## measure beside other tools, in an environment of its own
	benchmarks/run

parity: ## run other tools on random worlds and compare them with their presets
	parity/run

bench-scale: .venv/ready-test ## measure DuckDB on data larger than memory
	$(BIN)/python benchmarks/scale.py $(if $(ROWS),--rows $(ROWS))

bench-spark: ## measure beside other tools on Spark, in environments of their own
	benchmarks/run-spark

bench-gpu: ## measure on a GPU; PYTHON names a Python that has torch for CUDA, Triton and torchmetrics
	PYTHONPATH=src $(or $(PYTHON),python3) benchmarks/gpu.py benchmarks/gpu.json

clean: ## remove what was made here
	rm -rf .venv .venv-bench* .venv-parity* benchmarks/.data parity/.data tests/artefacts .pytest_cache .mypy_cache .ruff_cache .hypothesis

# Each environment is made once, and anew when its description changes.
.venv/ready: pyproject.toml scripts/setup
	@scripts/setup && touch $@

.venv/ready-test: pyproject.toml scripts/setup
	@scripts/setup test && touch $@ .venv/ready

.venv/ready-lint: pyproject.toml scripts/setup
	@scripts/setup test lint && touch $@ .venv/ready-test .venv/ready
