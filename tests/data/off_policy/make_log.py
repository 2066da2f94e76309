"""Make the small log of this folder, and the estimates of Open Bandit Pipeline (``obp``) for it.

``python tests/data/off_policy/make_log.py`` rewrites ``log.csv`` and ``expected.json``, always the same. With the folder of the
Open Bandit Dataset as an argument it also writes ``open_bandit.json``: estimates for a policy that shows men the items
8 and 9 twice as often as the others, from the log of the policy that chose at random.
"""

from __future__ import annotations

import csv
import gzip
import json
import random
import sys
from importlib.metadata import version
from pathlib import Path

import numpy as np

FOLDER = Path(__file__).parent
ITEMS = 5
CLIP = 3.0


def log() -> list[dict[str, float]]:
    """Rows of item, position, click, propensity, target, and the model's predictions for every item."""
    chance = random.Random(11)
    rows = []
    for _ in range(60):
        logging = [chance.uniform(0.2, 1) for _ in range(ITEMS)]
        wanted = [chance.uniform(0, 1) ** 3 for _ in range(ITEMS)]
        item = chance.choices(range(ITEMS), logging)[0]
        position = chance.choice((1, 2, 3))
        row = {"item": item, "position": position, "click": int(chance.random() < (item + 1) / (6 * position))}
        row["propensity"] = logging[item] / sum(logging)
        row |= {f"target {other}": wanted[other] / sum(wanted) for other in range(ITEMS)}
        row |= {f"predicted {other}": chance.uniform(0, 0.5) for other in range(ITEMS)}
        rows.append(row)
    return rows


def estimates(click, item, propensity, target, predicted) -> dict[str, float]:
    """The values of obp; ``target`` and ``predicted`` have a row for each round and a column for each item."""
    from obp.ope import DoublyRobust, InverseProbabilityWeighting, SelfNormalizedInverseProbabilityWeighting

    position = np.zeros(len(click), dtype=int)
    given = {
        "reward": click,
        "action": item,
        "position": position,
        "pscore": propensity,
        "action_dist": target[:, :, None],
    }
    model = {"estimated_rewards_by_reg_model": predicted[:, :, None]}
    return {
        "IPS": InverseProbabilityWeighting().estimate_policy_value(**given),
        "IPS clipped": InverseProbabilityWeighting(lambda_=CLIP).estimate_policy_value(**given),
        "SNIPS": SelfNormalizedInverseProbabilityWeighting().estimate_policy_value(**given),
        "DR": DoublyRobust().estimate_policy_value(**given, **model),
        "DR clipped": DoublyRobust(lambda_=CLIP).estimate_policy_value(**given, **model),
    }


def columns(rows: list[dict[str, float]]) -> tuple[np.ndarray, ...]:
    """Click, item, propensity, target and prediction of every item."""
    every = [
        np.array([[row[f"{name} {item}"] for item in range(ITEMS)] for row in rows]) for name in ("target", "predicted")
    ]
    single = [np.array([row[name] for row in rows]) for name in ("click", "item", "propensity")]
    return *single, *every


def open_bandit(folder: Path) -> dict[str, float]:
    """The estimates on real data, with the click-through rate of each item as the model."""
    with gzip.open(folder / "random-men.csv.gz", "rt", encoding="utf-8") as file:
        rows = [*csv.DictReader(file)]
    click, item = (np.array([int(row[name]) for row in rows]) for name in ("click", "item_id"))
    propensity = np.array([float(row["propensity_score"]) for row in rows])
    items = int(item.max()) + 1
    wanted = np.ones(items)
    wanted[[8, 9]] = 2
    rate = np.bincount(item, click, items) / np.bincount(item, minlength=items)
    return estimates(
        click, item, propensity, np.tile(wanted / wanted.sum(), (len(rows), 1)), np.tile(rate, (len(rows), 1))
    )


def main() -> None:
    """Write the files."""
    rows = log()
    with (FOLDER / "log.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, rows[0], lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    made = {"obp": version("obp"), **estimates(*columns(rows))}
    (FOLDER / "expected.json").write_text(json.dumps(made, indent=1) + "\n", encoding="utf-8")
    for argument in sys.argv[1:]:
        made = {"obp": version("obp"), **open_bandit(Path(argument))}
        (FOLDER / "open_bandit.json").write_text(json.dumps(made, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
