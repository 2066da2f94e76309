"""Compare metrics beyond accuracy with the tools that have them."""

from __future__ import annotations

import json
import math
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

import rankgauge as rg
from rankgauge.rendering.document import Heading, Paragraph, Table
from rankgauge.rendering.language import Lang, Phrase

HERE = Path(__file__).parent
TESTS = HERE.parent / "tests"
sys.path.append(str(TESTS))

from beyond_reference import ItemWorld, random_world  # noqa: E402 (the data sets are those of the tests)

STORED = TESTS / "data" / "beyond"
ENVIRONMENT, K, KEPT, WORLDS = "recommendation", 3, 60, 200
NAMES = {
    "ndeval": "pyndeval",
    "rectools": "RecTools",
    "replay": "RePlay",
    "recpack": "RecPack",
    "recommenders": "Recommenders",
}
Theirs = Callable[[ItemWorld, str, float], float]
"""Takes a data set, a user and the value of rankgauge; returns the expected value of the tool."""


def _same(_: ItemWorld, __: str, value: float) -> float:
    return value


def _every(_: ItemWorld, __: str) -> bool:
    return True


def _itself(world: ItemWorld) -> ItemWorld:
    return world


@dataclass(frozen=True)
class Comparison:
    """A metric of a tool and the corresponding metric of rankgauge, with the differences of definition."""

    tool: str
    theirs: str
    ours: str
    note: Phrase | None = None
    value: Theirs = _same
    counts: Callable[[ItemWorld, str], bool] = _every
    """Whether a user can be compared."""
    of: Callable[[ItemWorld], ItemWorld] = _itself
    """Returns the part of a data set that the tool sees."""
    undefined: Any = "nan"
    rules: Mapping[str, Any] = field(default_factory=dict)
    """Rules of the convention besides ``undefined``."""
    tolerance: float = 1e-9


def _full(world: ItemWorld, user: str) -> float:
    return min(len(world.lists[user]), K) / K


def _has_topics(world: ItemWorld, query: str) -> bool:
    return any(grade for topics in world.subtopics[query].values() for grade in topics.values())


def _all_known(world: ItemWorld) -> bool:
    """Return whether all recommended items are in training and all lists have the same length."""
    known = {item for _, item in world.training}
    return all(item in known for items in world.lists.values() for item in items[:K]) and (
        len({min(len(items), K) for items in world.lists.values()}) == 1
    )


NO_TOPICS = Phrase(
    "queries without a relevant subtopic are 0/0 in rankgauge and 0 (nNRBP: NaN) in the tool",
    "没有相关子主题的查询在 rankgauge 中为 0/0，在该工具中为 0（nNRBP 为 NaN）",
)
OF_NDEVAL = Phrase(
    "under the rule intent_over=ndeval: divided by the value of a list that is relevant to all subtopics, except at cutoff 1",
    "规则 intent_over=ndeval：除以与所有子主题都相关的列表的值，截断为 1 时不除",
)
OF_TRAINING = Phrase(
    "the catalogue is the items in training: pass no items", "以训练数据中的物品为目录：不传入 items 即可"
)


def _ndeval(theirs: str, ours: str, note: Phrase = NO_TOPICS) -> Comparison:
    return Comparison("ndeval", theirs, ours, note, counts=_has_topics, rules={"intent_over": "ndeval"})


COMPARISONS = (
    _ndeval("alpha-nDCG@5", "alphanDCG(alpha=0.3)@5"),
    *(_ndeval(f"alpha-DCG@{k}", f"alphaDCG(alpha=0.3)@{k}", OF_NDEVAL) for k in (1, 5, 20)),
    _ndeval("nERR-IA@5", "nERRIA(alpha=0.3)@5"),
    *(_ndeval(f"ERR-IA@{k}", f"ERRIA(alpha=0.3)@{k}", OF_NDEVAL) for k in (1, 5, 20)),
    _ndeval("nNRBP", "nNRBP(alpha=0.3, beta=0.6)"),
    _ndeval("NRBP", "NRBP(alpha=0.3, beta=0.6)"),
    _ndeval("P-IA@5", "PIA@5"),
    _ndeval("strec@5", "StRecall@5"),
    _ndeval("MAP-IA", "APIA"),
    Comparison("rectools", "MeanInvUserFreq", "MIUF@3"),
    Comparison("rectools", "AvgRecPopularity", "ARP@3"),
    Comparison("rectools", "AvgRecPopularity(normalize=True)", "ARP(unit='interactions')@3"),
    Comparison("rectools", "Serendipity", "PopSerendipity@3"),
    Comparison(
        "rectools", "IntraListDiversity", "ILD(distance='hamming')@3",
        Phrase("the tool counts differing coordinates instead of their share; 0 for a single item", "该工具计不同坐标的个数而非比例；只有一个物品时为 0"),
        lambda _, __, value: value * 3, undefined=0,
    ),
    Comparison("rectools", "SufficientReco", "UserCoverage(least=3)@3"),
    Comparison("rectools", "SufficientReco(deep=True)", "ListFill@3"),
    Comparison("rectools", "CatalogCoverage", "ItemCoverage(count=True)@3"),
    Comparison("rectools", "CatalogCoverage(normalize=True)", "ItemCoverage@3"),
    Comparison(
        "replay", "Surprisal", "MIUF(normalised=True)@3",
        Phrase("the tool divides by k even if the list is shorter", "列表短于 k 时该工具仍除以 k"),
        lambda world, user, value: value * _full(world, user), lambda world, _: world.training_users > 1,
    ),
    Comparison(
        "replay", "Novelty", "Unseen@3", Phrase("only users in training", "只含训练数据中的用户"),
        counts=lambda world, user: bool(world.had(user)),
    ),
    Comparison(
        "replay", "Unexpectedness", "Unexpectedness@3",
        Phrase("the tool divides by k: missing items count as unexpected", "该工具除以 k：空位也算作意外"),
        lambda world, user, value: 1 - (1 - value) * _full(world, user),
    ),
    Comparison(
        "replay", "CategoricalDiversity", "CategoryCoverage@3", Phrase("one category per item", "每个物品只有一个类别"),
        of=lambda world: replace(world, categories={item: names[:1] for item, names in world.categories.items()}),
    ),
    Comparison("replay", "Coverage", "ItemCoverage@3", OF_TRAINING, of=lambda world: replace(world, items=())),
    Comparison(
        "recpack", "IntraListDiversityK", "ILD(distance='jaccard')@3",
        Phrase("0 for a single item: undefined=0", "只有一个物品时为 0：undefined=0"), undefined=0,
    ),
    Comparison("recpack", "CoverageK", "ItemCoverage@3"),
    Comparison(
        "recommenders", "catalog_coverage", "ItemCoverage@3",
        Phrase(
            "the tool also counts items that are not in training, so that values can exceed 1; compared on data sets without such items",
            "该工具把训练数据之外的物品也计入，结果可超过 1：只在没有这类物品的数据集上比较",
        ),
        counts=lambda world, _: _all_known(world), of=lambda world: replace(world, items=()),
    ),
    Comparison("recommenders", "distributional_coverage", "Entropy@3"),
    Comparison("recommenders", "user_diversity", "ILD@3", Phrase("without users with a single item", "不含只有一个物品的用户")),
)  # fmt: skip


def compared(one: Comparison, worlds: list[ItemWorld], values: list[dict[str, Any]]) -> Iterator[tuple[float, float]]:
    """Yield the values of the tool and the expected values."""
    metric = rg.parse(one.ours)
    for world, given in zip(worlds, values, strict=True):
        seen, theirs = one.of(world), given[one.theirs]
        rules = rg.Convention(undefined=one.undefined, **one.rules)
        scores = rg.evaluate(
            seen.judgments, seen.lists, metric, side_information=seen.side_information, convention=rules
        )
        per_user = scores.per_query(metric) or {"": scores.mean(metric)}
        for user, value in (theirs if isinstance(theirs, dict) else {"": theirs}).items():
            if one.counts(world, user) and user in per_user:
                here = one.value(world, user, per_user[user])
                if not (math.isnan(here) and (value is None or math.isnan(value))):
                    yield math.nan if value is None else value, here


def record(one: Comparison, worlds: list[ItemWorld], found: dict[str, Any]) -> dict[str, Any]:
    """Return the number of values and the largest difference, infinite if only one side has a value."""
    apart = [abs(there - here) for there, here in compared(one, worlds, found["values"])]
    largest = max((math.inf if math.isnan(each) else each for each in apart), default=math.inf)
    return {
        "tool": one.tool, "version": found["version"], "theirs": one.theirs, "ours": one.ours,
        "worlds": len(worlds), "values": len(apart), "largest": largest, "agree": largest <= one.tolerance,
    }  # fmt: skip


def item_worlds(rows: list[dict[str, Any]]) -> list[ItemWorld]:
    """Parse stored data sets."""
    return [ItemWorld(**{**row, "training": [tuple(pair) for pair in row["training"]]}) for row in rows]


def run(count: int, folder: Path, python: Path, *, store: bool) -> dict[str, Any]:
    """Run all tools on random data sets, compare them, and store some values for the tests."""
    every = (asdict(random_world(seed)) for seed in range(100, 100 + 3 * count))
    rows = json.loads(json.dumps([world for world in every if all(world["lists"].values())][:count]))
    source = folder / f"beyond-worlds-{count}.json"
    source.write_text(json.dumps(rows), encoding="utf-8")
    worlds, records, errors = item_worlds(rows), [], {}
    for tool, name in NAMES.items():
        target = folder / f"beyond-{tool}.json"
        command = [str(python), "-W", "ignore", str(HERE / "beyond_values.py"), tool, str(source), str(target)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            errors[tool] = (done.stderr.strip().splitlines() or [f"exit {done.returncode}"])[-1]
            continue
        found = json.loads(target.read_text(encoding="utf-8"))
        mine = [record(one, worlds, found) for one in COMPARISONS if one.tool == tool]
        records += mine
        print(
            f"beyond accuracy, {name} {found['version']}: {sum(one['agree'] for one in mine)} of {len(mine)} agree",
            flush=True,
        )
        if store:
            found["values"] = found["values"][:KEPT]
            (STORED / f"{tool}.json").write_text(json.dumps(found) + "\n", encoding="utf-8")
    if store:
        (STORED / "worlds.json").write_text(json.dumps(rows[:KEPT]) + "\n", encoding="utf-8")
    return {"records": records, "errors": errors}


TITLE = Phrase("Beyond accuracy", "准确性之外")
TEXT = Phrase(
    "Values of each tool are compared with those of rankgauge on random data sets with a few users, short lists, new items "
    "and users, and items with several categories; where definitions differ, values are converted as noted. The tests also "
    "compare every metric with a slow reference implementation; metrics that none of the tools has are compared only with it.",
    "在随机的小数据集（少量用户、短列表、冷启动的物品与用户、多类别物品）上比较各工具与 rankgauge 的值；定义不同之处按说明换算。"
    "测试还把每个指标与慢速的参考实现比较；这些工具都没有的指标只与参考实现比较。",
)
COLUMNS = (
    Phrase("metric", "指标"), Phrase("tool", "工具"), Phrase("metric of the tool", "该工具的指标"),
    Phrase("in rankgauge", "rankgauge 的写法"), Phrase("values", "值的个数"), Phrase("largest difference", "最大差异"),
    Phrase("difference in definition", "定义上的差异"),
)  # fmt: skip
NOBODY = Phrase("none of the tools; reference implementation only", "各工具都没有；仅与参考实现比较")
ELLIOT = Phrase(
    "Elliot is not published as a package and was not run; metrics that only Elliot has are tested against reference implementations.",
    "Elliot 未以软件包形式发布，因此未运行；只有 Elliot 提供的指标由测试与参考实现比较。",
)


BEYOND = {"calibration", "coverage", "diversity", "fairness", "intents", "popularity"}
"""Modules of the metrics beyond accuracy."""


def blocks(results: dict[str, Any], lang: Lang) -> list[Any]:
    """Return the section of the page: every metric beyond accuracy, with the tools compared."""
    notes = {(one.tool, one.theirs): one.note for one in COMPARISONS}
    rows = []
    for name, metric in rg.metrics().items():
        if metric.kernel.__module__.rpartition(".")[2] not in BEYOND:
            continue
        mine = [one for one in results["records"] if rg.parse(one["ours"]).name == name]
        for one in mine:
            note = notes.get((one["tool"], one["theirs"]))
            rows.append([
                name, f"{NAMES[one['tool']]} {one['version']}", one["theirs"], one["ours"], f"{one['values']:,}",
                "0" if one["largest"] == 0 else f"{one['largest']:.1e}", note.render(lang) if note else "",
            ])  # fmt: skip
        if not mine:
            rows.append([name, "–", "–", "–", "–", "–", NOBODY.render(lang)])
    table = Table([column.render(lang) for column in COLUMNS], rows, "llllrrl")
    return [Heading(TITLE.render(lang), 2), Paragraph(TEXT.render(lang)), table, Paragraph(ELLIOT.render(lang))]
