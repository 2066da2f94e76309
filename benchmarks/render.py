"""Write README.md from results.json: `python benchmarks/render.py`."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import significance
import small
from contest import OURS, Goal, Scenario

HERE = Path(__file__).parent
Results = dict[str, Any]
ENVIRONMENTS = {
    "main": "Environment of rankgauge and most other tools",
    "rectools": "Environment of RecTools",
    "replay": "Environment of RePlay",
    "recommenders": "Environment of Recommenders",
}
INTRODUCTION = """\
`make bench` installs the other tools in separate environments, generates the data from a seed, checks that all tools give the same
values, measures them and writes this page from `results.json`. `benchmarks/run --help` lists the options: single scenarios, smaller data,
growth to 4x and 16x.

Method: before timing, every value of every query is compared between all tools on small data, and a difference of more than 1e-9 stops the
scenario. Each measurement is a new process that imports the tool, makes the same call on small data (the first call, in which ranx compiles
its code), loads data that are not part of the comparison, and then makes the timed call; of short calls and of those on dicts it makes
several, and the median counts. The tools run in turn with their default number of
threads, and the best round counts. Peak memory is that of the process during the call; "before" is its memory at the start of the call:
interpreter, libraries and, if they are in memory, the data.
"""


MISSED_GOALS = """\
Reasons for missed goals:

- TREC files: half of the CPU time is Polars parsing text, while the Polars scan reads only the score column of a memory-mapped file.
  Checking and matching run on the second core at the same time. With gzip, decompression alone keeps one of the two cores busy; the
  extra `gzip` halves it (benchmarks/row_order.md). Decompression alone takes 0.2 s with ISA-L, 0.25 s with Zstandard and 0.7 s with zlib, beside 1.3 to 1.5 s for all.
  With graded judgments, memory grows with the judgments (6 million at 16x), not with the ranking: 52 bytes each
  after reading, of which 40 are the query, the item (text, 16 bytes each) and the grade, and 26 more for the table by query and its keys.
- Rows shuffled inside queries (row_order.md) are read 3.9 times as fast as by trec_eval; the goal was 5 when the C program took 6.9 s, and it takes 4.8 s here. Rows
  in order are read 4.5 times as fast: of 0.94 s, 0.27 are needed for the built-in example, too (commands.md). Sorting the scores of each query takes the other 0.3 s. Zstandard takes 1.24 times the
  time of the plain file, the goal was 1.2: decompression takes 0.25 s, and threads for it have only two cores.
- Frames in any order: 10 million shuffled rows with 2 million shuffled judgments take 2.4 to 3.5 times the CPU time of sorted rows (1.0 to 1.3 s beside
  0.30 to 0.46 s). Larger blocks, larger parts and fewer parts changed nothing. Dividing rows by query
  takes 0.2 s of it, putting them together and in order 0.4 s: every row moves twice; moving it once,
  across 160 MB, took 0.9 s (radix sort 0.67, columns 0.24). The rest is the matching of sorted rows, with 0.04 s for a bisection and 0.02 s for sorting scores.
- Dicts: access to Python objects, spread over 2 GB, takes half of the time: every score is copied once (0.09 s on 6,980 queries, as `numpy copy`),
  and each judged item is looked up and ranked, in 0.5 microseconds: 55 judged items instead of one take rankgauge 0.2 s more, and pytrec_eval 0.1 s
  more. The rest takes 5 % or less each: finding ranks, ties, ids written differently, invalid ids, metrics, a copy of the judgments.
- Beyond accuracy, coverage: RecTools takes the ranks as given and only counts the different items of the rows with a rank of at most ten.
  rankgauge reads every score, which must be finite and descend, and every user, whose rows must be together; it checks that no item
  repeats in the top ten, and it reads the judgments, which say which users count.
- Small: the first call imports 58 modules for dicts and 72 for frames, which takes three quarters of its time. A third of that is `dataclass`, which compiles
  six methods for each class (0.38 ms; a NamedTuple takes 0.09 ms), and polars loads `numpy.ma` (6 ms) when it first takes an array of NumPy. Type hints of kernels,
  statistics, file formats and shapes of records are loaded when they are needed, which took a third of both calls.
- Commands: `compare` needs Student's t from `scipy.special`, whose import loads `numpy.f2py` and `numpy.testing` through its copy of NumPy's
  namespace: a fifth of the time on the built-in example. `eval` spends half of its time on importing NumPy and polars.
- JSONL and Parquet with lists: the file is read once for the judgments, which must be complete before a ranking is matched, and once for the
  ranking. Python's parser of JSON, which refuses repeated keys, needs 0.6 s for 100 MB, so 1.2 s for the two, beside 0.9 s of ijson with its loop;
  then the ids are checked (empty, NUL, repeated queries and items) and hashed. Polars parses JSON lines in 0.2 to 0.4 s, but takes repeated keys and mixed types
  silently. Memory is that of the judgments (5 items a query), of the values of 330,000 queries and, for Parquet, of the row groups that polars
  decodes ahead; fewer rows at a time decode each row group more often.
- JSON with lists: every record becomes Python objects once per side and is checked on its own.
- GPU (gpu.json): 100,000 x 500 with 30 judged items takes 2.2 to 2.4 ms and 594 MB in `BatchEvaluator`, the goals were 1.2 ms and 100 MB. Counting takes 0.45 ms, two
  sorts of 3 million numbers 0.2 ms, and nearly a hundred steps read and write columns of 24 MB. Blocks of rows that replay one smaller graph were tried: 26 MB and 6.6 ms
  with blocks of 500,000 judged items, 79 MB and 2.5 ms with 1.5 million, since each replay takes 0.7 ms. Compiling the recorded work was tried, too (`make_fx`, then `torch.compile`, so the same kernels,
  fused to a dozen): 1.4 ms, of which the device is busy for 0.9, after 30 s of compilation, so it pays after 40,000 calls; it is not built in. `evaluate` at 16,384 x 50,000 takes 4.0 ms, of which findings in the data take about 1, by the load of the host (3.8 to 5.6 when each answer of the device was waited
  for), the goal was 2 ms: the device is busy for 1.5 ms, and the rest is Python, which launches about 120 kernels at 20 microseconds each and waits three times
  before it counts and once for the values. `BatchEvaluator` replays them in 1.25 to 1.7 ms."""


def page(results: Results) -> str:
    """Return the page."""
    parts = [f"# Benchmarks\n\n{INTRODUCTION}", described(results)]
    scenarios = [
        import_module(name).SCENARIO for name in ("trec", "dicts", "frames", "dense", "beyond") if name in results
    ]
    goals = [row for scenario in scenarios for row in goal_rows(scenario, results)] + small_goals(results)
    if goals:
        parts.append(
            "## Goals\n\n" + table(["goal", "limit", "measured", ""], goals, "lrrl") + "\n" + MISSED_GOALS + "\n"
        )
    parts += [section(scenario, results[scenario.name]) for scenario in scenarios]
    if "small" in results:
        parts.append(small_section(results["small"]))
    if "one_list" in results:
        parts.append(one_list_section(results["one_list"]))
    if "significance" in results:
        parts.append(significance_section(results["significance"]))
    return "\n".join(parts)


def table(heads: Sequence[str], rows: Iterable[Sequence[str]], align: str) -> str:
    """Return a Markdown table."""
    rule = ["---:" if side == "r" else "---" for side in align]
    return "".join(f"| {' | '.join(row)} |\n" for row in (heads, rule, *rows))


def described(results: Results) -> str:
    """Describe the machine and the versions in each environment."""
    it = results["machine"]
    versions: dict[str, dict[str, str]] = {}
    for part in results.values():
        for record in part.get("records", ()) if isinstance(part, dict) else ():
            versions.setdefault(record["environment"], {}).update(record.get("versions", {}))
    lines = [
        f"Machine: {it['cpu']}, {it['cores']} cores, {it['memory_gb']} GB of memory, {it['system']}, Python {it['python']}.",
        *(
            f"{ENVIRONMENTS[name]}: {', '.join(f'{package} {version}' for package, version in sorted(of.items()))}."
            for name, of in versions.items()
        ),
    ]
    return "\n".join(f"- {line}" for line in lines) + "\n"


def found(results: Results, scenario: str, key: tuple[str, str, str]) -> dict[str, Any] | None:
    """Return the record of a case, size and tool."""
    for record in results[scenario]["records"]:
        if (record["case"], record["size"], record["tool"]) == key:
            return record
    return None


def measured_goal(goal: Goal, scenario: Scenario, results: Results) -> tuple[float | None, str]:
    """Return the measured value of a goal, or the reason why it is missing."""
    value = 1.0
    for key, power in ((goal.above, 1), (goal.below, -1)):
        if key is None:
            continue
        record = found(results, scenario.name, key)
        if record is None:
            return None, "not measured"
        if "error" in record:
            return None, f"{key[2]}: {plain(record['error'])}"
        value *= record[goal.what] ** power
    return value, ""


def goal_rows(scenario: Scenario, results: Results) -> list[list[str]]:
    """Return each goal with its limit, the measured value and the result."""
    rows = []
    for goal in scenario.goals:
        value, why = measured_goal(goal, scenario, results)
        sign = "≥" if goal.at_least else "≤"
        limit = f"{sign} {goal.limit:g}{goal.unit}"
        text = f"{scenario.title}: {goal.text}"
        if value is None:
            rows.append([text, limit, "", why])
        else:
            met = value >= goal.limit if goal.at_least else value <= goal.limit
            rows.append([text, limit, f"{short(value)}{goal.unit}", "met" if met else "**missed**"])
    return rows


def section(scenario: Scenario, part: Results) -> str:
    """Return the section of a scenario: text, agreement, table."""
    ours = {
        (one["case"], one["size"]): one["seconds"]
        for one in part["records"]
        if one["tool"] == OURS and "seconds" in one
    }
    rows = []
    for one in part["records"]:
        start = [one["case"], one["size"], one["tool"]]
        if "error" in one:
            rows.append([*start, plain(one["error"]), *[""] * 6])
            continue
        base = ours.get((one["case"], one["size"]))
        rows.append([
            *start, short(one["seconds"]), f"{one['seconds'] / base:.1f}" if base else "",
            short(one["processor_seconds"]), growth(one, part["records"]),
            f"{one['peak_mb']:.0f}", f"{one['before_mb']:.0f}", short(one["first_call"]),
        ])  # fmt: skip
    heads = [
        "case",
        "size",
        "tool",
        "seconds",
        "times rankgauge",
        "CPU s",
        "growth",
        "peak MB",
        "before MB",
        "first call s",
    ]
    scale = part["settings"]["scale"]
    reduced = "" if scale == 1 else f"**Reduced: all sizes are {scale:g} of what is written here.**\n\n"
    body = table(heads, rows, "lllrrrrrrr")
    return f"## {scenario.title}\n\n{reduced}{scenario.text}\n\n{agreement(part)}\n\n{body}"


def growth(record: dict[str, Any], records: list[dict[str, Any]]) -> str:
    """Return the time relative to that of the smallest size."""
    same = [
        one for one in records
        if "seconds" in one and (one["case"], one["tool"]) == (record["case"], record["tool"])
    ]  # fmt: skip
    least = min(same, key=lambda one: one["factor"])
    if least is record:
        return ""
    return f"{record['seconds'] / least['seconds']:.1f} ({record['factor'] / least['factor']:g}x data)"


def agreement(part: Results) -> str:
    """Describe what was compared, and the differences between the means of the timed runs."""
    compared: dict[tuple[str, str], list[dict[str, Any]]] = {}
    not_compared = {}
    for one in part["agreement"]:
        if "error" in one:
            not_compared[one["tool"]] = plain(one["error"])
        else:
            compared.setdefault((one["tool"], one["with"]), []).append(one)
    comparisons = [
        f"{tool} with {base}: {sum(one['values'] for one in records):,} values, "
        f"largest difference {max(one['largest_difference'] for one in records):.1g}"
        for (tool, base), records in compared.items()
    ]
    comparisons += [f"{tool} was not compared: {why}" for tool, why in not_compared.items()]
    means = differing_means(part["records"])
    end = (
        f"\n\nWith ties, the means of the timed runs differ from those of rankgauge: {'; '.join(means)}."
        if means
        else ""
    )
    if any(one.get("kept") for one in part["records"]):
        end += "\n\nRows of the largest sizes are from an earlier run with `--growth`."
    how = part["settings"]
    rounds = f"Best of {how['rounds']} rounds; load average at the start: {how.get('load', 'unknown')}."
    return f"Compared query by query before timing: {'; '.join(comparisons)}. {rounds}{end}"


def differing_means(records: list[dict[str, Any]]) -> list[str]:
    """Describe tools whose means differ because they order ties differently."""
    farthest: dict[str, float] = {}
    for one in records:
        base = next((r for r in records if r["tool"] == OURS and same_contest(r, one) and "values" in r), None)
        if base is None or "values" not in one:
            continue
        shared = base["values"].keys() & one["values"].keys()
        apart = max((abs(base["values"][metric] - one["values"][metric]) for metric in shared), default=0.0)
        farthest[one["tool"]] = max(apart, farthest.get(one["tool"], 0.0))
    return [f"{tool} by up to {apart:.1g}" for tool, apart in farthest.items() if apart > 1e-9]


def same_contest(one: dict[str, Any], other: dict[str, Any]) -> bool:
    """Return whether two records belong to the same contest."""
    return (one["case"], one["size"]) == (other["case"], other["size"])


def small_goals(results: Results) -> list[list[str]]:
    """Return the goals for imports and small evaluations."""
    rows = []
    for one in results.get("small", ()):
        if one["limit"] is not None:
            text, limit = f"Small: {one['case']}, {one['size']}", f"≤ {one['limit'] * 1000:g} ms"
            if "error" in one:
                rows.append([text, limit, "", plain(one["error"])])
            else:
                verdict = "met" if one["seconds"] <= one["limit"] else "**missed**"
                rows.append([text, limit, f"{short(one['seconds'] * 1000)} ms", verdict])
    return rows


def small_section(records: list[dict[str, Any]]) -> str:
    """Return the section on imports and ten queries."""
    rows = [
        [one["case"], one["size"], plain(one["error"]), ""]
        if "error" in one
        else [one["case"], one["size"], short(one["seconds"]), f"{one['peak_mb']:.0f}"]
        for one in records
    ]
    return f"## Small\n\n{small.TEXT}\n\n" + table(["what", "when", "seconds", "peak MB"], rows, "llrr")


def one_list_section(part: Results) -> str:
    """Return the section on single lists."""
    ours = {row["items"]: row["microseconds"] for row in part["rows"] if row["tool"].startswith(OURS)}
    rows = [
        [str(row["items"]), row["tool"], f"{row['microseconds']:.0f}", f"{row['microseconds'] / ours[row['items']]:.1f}",
         f"{row['peak_kb']:.0f}"]
        for row in part["rows"]
    ]  # fmt: skip
    others = ", ".join(f"`{metric}` {cost:.0f}" for metric, cost in part["others"].items())
    heads = ["items", "tool", "microseconds per call", "times rankgauge", "peak kB"]
    end = f"\nOther metrics on the list of ten, in microseconds: {others}.\n"
    return (
        "## One list\n\nAll tools give the same value; best of 7 rounds of 2,000 calls.\n\n"
        + table(heads, rows, "rlrrr")
        + end
    )


def significance_section(part: Results) -> str:
    """Return the section on the randomisation test."""
    each = {(row["queries"], row["tool"]): row["seconds"] / row["permutations"] * 1e6 for row in part["rows"]}
    rows = [
        [f"{row['queries']:,}", row["tool"], f"{row['permutations']:,}", f"{row['p']:.4f}", short(row["seconds"]),
         short(each[row["queries"], row["tool"]]), f"{each[row['queries'], row['tool']] / each[row['queries'], OURS]:.1f}"]
        for row in part["rows"]
    ]  # fmt: skip
    heads = ["queries", "tool", "permutations", "p", "seconds", "ms per 1,000", "times rankgauge"]
    return f"## Significance\n\n{significance.TEXT}\n\n" + table(heads, rows, "rlrrrrr")


def short(number: float) -> str:
    """Format a number with three significant digits."""
    return f"{number:,.0f}" if number >= 100 else f"{number:.3g}"


def plain(text: str) -> str:
    """Shorten a message for a table and remove paths."""
    words = (word if not word.strip("'\"(").startswith("/") else "…" for word in text.replace("|", "/").split())
    return " ".join(words)[:70]


if __name__ == "__main__":
    stored = json.loads((HERE / "results.json").read_text(encoding="utf-8"))
    (HERE / "README.md").write_text(page(stored), encoding="utf-8")
