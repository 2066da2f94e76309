"""Rankings of several systems in one table: a column names the system of each row."""

import json

import polars as pl
import pytest

import rankgauge as rg
from command_line import here

TRUTH = {"u1": {"a": 1}, "u2": {"b": 1}}
LISTS = {"ALS": {"u1": ["a", "b"], "u2": ["a", "b"]}, "Pop": {"u1": ["b", "a"], "u2": ["a", "c"]}}
RR = {"ALS": 0.75, "Pop": 0.25}


def rows(column="Algorithm", systems=tuple(LISTS), **extra):
    return [
        {column: system, "user": user, "rank": rank, "item": item, "score": 1 / rank, **extra}
        for system in systems
        for user, items in LISTS[system].items()
        for rank, item in enumerate(items, 1)
    ]


def means(ranking, **options):
    return {system: values["RR"] for system, values in rg.evaluate(TRUTH, ranking, "RR", **options).means().items()}


def write(path, records):
    frame = pl.DataFrame(records)
    writers = {
        ".csv": frame.write_csv,
        ".jsonl": frame.write_ndjson,
        ".parquet": frame.write_parquet,
        ".json": lambda to: to.write_text(json.dumps(records)),
    }
    writers[path.suffix](path)
    return path


@pytest.mark.parametrize("suffix", [".csv", ".jsonl", ".parquet", ".json"])
@pytest.mark.parametrize("column", ["system", "Algorithm", "model", "method", "系统"])
def test_each_value_is_a_system_in_every_form(tmp_path, suffix, column):
    path = write(tmp_path / f"recs{suffix}", rows(column))
    assert means(path) == RR
    assert means(rg.read(path)) == RR
    assert [*rg.read(path).rankings] == ["ALS", "Pop"]


def test_frames_and_records_name_systems_too():
    assert means(pl.DataFrame(rows())) == RR
    assert means(pl.DataFrame(rows()).to_pandas()) == RR
    assert means(rows()) == RR
    assert means(rg.read(pl.DataFrame(rows()))) == RR
    assert rg.compare(TRUTH, pl.DataFrame(rows()), "RR").systems == ("ALS", "Pop")


def test_any_column_can_be_named(tmp_path):
    path = write(tmp_path / "recs.csv", rows("variant"))
    with pytest.raises(rg.InputError, match=r"--columns system=NAME"):
        rg.evaluate(TRUTH, path, "RR")
    assert means(path, columns={"system": "variant"}) == RR
    assert means(pl.DataFrame(rows("variant")), columns={"ranking": {"system": "variant"}}) == RR
    (tmp_path / "truth.csv").write_text("user,item,grade\nu1,a,1\nu2,b,1\n")
    result = here("eval", tmp_path / "truth.csv", path, "-m", "RR", "--columns", "system=variant", "-t", "csv")
    assert "recs/ALS" in result.out
    assert "recs/Pop" in result.out


def test_a_column_with_one_value_or_of_items_changes_nothing(tmp_path):
    one = write(tmp_path / "one.csv", rows(systems=["ALS"]))
    assert rg.evaluate(TRUTH, one, "RR").mean("RR") == 0.75
    assert [*rg.read(one).rankings] == ["one"]
    products = [row | {"model": row["item"]} for row in rows("run", ["ALS"])]
    assert rg.evaluate(TRUTH, write(tmp_path / "products.csv", products), "RR").mean("RR") == 0.75
    assert rg.evaluate(TRUTH, pl.DataFrame(products).drop("run"), "RR").mean("RR") == 0.75
    with pytest.raises(rg.ParameterError, match=r"found several \('ALS', 'Pop'\)"):
        rg.explain(TRUTH, write(tmp_path / "two.csv", rows()), "RR", "u1")


def test_invalid_rows_are_reported_once(tmp_path):
    path = write(tmp_path / "recs.csv", rows())
    path.write_text(path.read_text() + "ALS,u1,3,c,high\n")
    with pytest.raises(rg.InputError, match=r"recs.csv:10: score 'high' is not a number"):
        rg.evaluate(TRUTH, path, "RR")
    scores = rg.evaluate(TRUTH, path, "RR", lenient=True)
    assert {finding.code: finding.count for finding in scores.findings}["RG201"] == 1
    assert scores.means()["ALS"]["RR"] == 0.75


def test_doctor_shows_each_system_and_convert_refuses_to_mix_them(tmp_path):
    path = write(tmp_path / "recs.csv", rows())
    assert [profile.info.name for profile in rg.doctor(path).profiles] == [f"{path}: ALS", f"{path}: Pop"]
    with pytest.raises(rg.ParameterError, match="several systems"):
        rg.convert(path, tmp_path / "out.run")
