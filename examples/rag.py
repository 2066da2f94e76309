"""Evaluate the retrieval step of a RAG system: chunks rolled up to documents, and two retrievers compared.

Run: ``python examples/rag.py report.html`` (``--lang zh`` for Chinese). The data are generated from a fixed seed.
"""

from __future__ import annotations

import argparse
import random

import rankgauge as rg

QUESTIONS, DOCUMENTS, CHUNKS = 40, 30, 4
METRICS = ["R@5", "RR", "nDCG@5", "AllHit@10"]
RULES = rg.Convention(units="rolled-up", duplicates="close-up")
UNITS = "before last _"


def gold(chance: random.Random) -> dict[str, list[str]]:
    """Generate the documents that answer each question."""
    documents = [f"doc{number}" for number in range(DOCUMENTS)]
    return {f"q{number}": chance.sample(documents, chance.randint(1, 3)) for number in range(QUESTIONS)}


def retrieved(chance: random.Random, answers: dict[str, list[str]], skill: float) -> dict[str, dict[str, float]]:
    """Generate scores of chunks: those of an answering document score higher on average."""
    return {
        question: {
            f"doc{number}_{chunk}": chance.gauss(skill if f"doc{number}" in documents else 0.0, 1.0)
            for number in range(DOCUMENTS)
            for chunk in range(CHUNKS)
        }
        for question, documents in answers.items()
    }


def main() -> None:
    """Print the comparison and the steps of one question, and write the report."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("report")
    parser.add_argument("--lang", default="en", choices=["en", "zh"])
    options = parser.parse_args()
    chance = random.Random(4)  # noqa: S311 (made-up data)
    answers = gold(chance)
    systems = {"bm25": retrieved(chance, answers, 1.0), "hybrid": retrieved(chance, answers, 1.8)}
    compared = rg.compare(answers, systems, METRICS, convention=RULES, units=UNITS)
    print(compared.document(options.lang).to_text())
    print(rg.explain(answers, systems["hybrid"], "R@5", "q0", convention=RULES, units=UNITS).to_text(options.lang))
    report = rg.report(answers, systems, METRICS, convention=RULES, units=UNITS, lang=options.lang)
    report.save(options.report)


if __name__ == "__main__":
    main()
