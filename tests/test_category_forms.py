"""Categories mean the same in every form: a text is split at `|`, the texts of a list are taken as they are."""

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import rankgauge as rg

LOG = [("u", "a")]
LISTS = {"u": ["a", "b", "c"]}
CELLS = {"a": "drama|war", "b": "war", "c": "comedy"}
SPLIT = {item: cell.split("|") for item, cell in CELLS.items()}
TABLE = {"item": [*CELLS], "genre": [*CELLS.values()]}
FORMS = {
    "dict of texts": CELLS,
    "dict of lists": SPLIT,
    "rows of texts": [*CELLS.items()],
    "rows of lists": [*SPLIT.items()],
    "a row per category": [(item, name) for item, names in SPLIT.items() for name in names],
    "pandas": pd.DataFrame(TABLE),
    "pandas with lists": pd.DataFrame(TABLE | {"genre": [*SPLIT.values()]}),
    "pandas categories": pd.DataFrame(TABLE).astype({"genre": "category"}),
    "polars": pl.DataFrame(TABLE),
    "lazy polars": pl.LazyFrame(TABLE),
    "polars with lists": pl.DataFrame(TABLE | {"genre": [*SPLIT.values()]}),
    "arrow": pa.table(TABLE),
}


def values(categories):
    side = rg.SideInformation(categories=categories)
    return rg.evaluate({"u": {"a": 1}}, LISTS, ["ILD@3", "CategoryCoverage@2", "P@1"], side_information=side).means()


@pytest.mark.parametrize("form", FORMS)
def test_every_form_of_categories_gives_the_same_values(form):
    assert values(FORMS[form]) == values(SPLIT)


@pytest.mark.parametrize("ending", ["csv", "tsv", "parquet", "jsonl"])
def test_every_file_of_categories_gives_the_same_values(ending, tmp_path):
    path, frame = tmp_path / f"genre.{ending}", pl.DataFrame(TABLE)
    write = {"csv": frame.write_csv, "parquet": frame.write_parquet, "jsonl": frame.write_ndjson}
    write.get(ending, lambda place: frame.write_csv(place, separator="\t"))(path)
    assert values(path) == values(SPLIT)


def test_names_in_a_list_are_taken_as_they_are():
    side = {"a": ["drama|war"], "b": ["war"], "c": ["comedy"]}
    assert values(side)["ILD@3"] == 1.0


def test_groups_of_items_are_not_split():
    lists, groups = {"u": ["a", "b", "c"]}, {"a": "x|y", "b": "x", "c": "y"}
    side = rg.SideInformation(item_groups=groups)
    parity = rg.evaluate({"u": {"a": 1}}, lists, "ExposureParity", side_information=side).means()
    renamed = rg.SideInformation(item_groups=groups | {"a": "z"})
    assert parity == rg.evaluate({"u": {"a": 1}}, lists, "ExposureParity", side_information=renamed).means()
