"""The playground of the local page gives the values of the library for any list."""

import asyncio
import json
import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rankgauge as rg
from rankgauge import example

pytest.importorskip("starlette", reason="starlette is not installed: make test installs it")
from rankgauge.serve import playground, uploads
from serving import run_job

GRADES = st.lists(st.sampled_from([None, 0, 1, 2, 4]), min_size=1, max_size=8)
METRICS = ("nDCG@3", "nDCG(gain='exp2')", "DCG@5", "AP", "RR", "P@2", "R@3", "HR@1", "ERR@4", "RBP", "bpref", "F@3")
NAMES = sorted(name for name, metric in rg.metrics().items() if not metric.definition.of_items)


def written(numbers):
    return " ".join("-" if number is None else str(number) for number in numbers)


@settings(max_examples=40)
@given(GRADES, st.lists(st.sampled_from([0, 1, 2, 4]), max_size=3), st.sampled_from(METRICS), st.data())
def test_the_value_equals_that_of_the_library(grades, missed, metric, data):
    scores = data.draw(
        st.none() | st.lists(st.sampled_from([0.1, 0.5, 0.9]), min_size=len(grades), max_size=len(grades))
    )
    ties = data.draw(st.sampled_from(["id", "best", "worst"]))
    pool = [grade for grade in grades if grade is not None] + missed
    fields = {"grades": written(grades), "missed": written(missed), "scores": written(scores or []), "metric": metric}
    request = playground.PlaygroundRequest.of({**fields, "rules": {"ties": ties}})

    expected = rg.parse(metric).of(grades, ideal=pool, scores=scores, convention=rg.Convention(ties=ties))

    assert request.value(request.effective) == pytest.approx(expected, abs=1e-12)
    assert request.explanation().value == pytest.approx(expected, abs=1e-12)


@settings(max_examples=6)
@given(GRADES, st.sampled_from(METRICS))
def test_an_option_shows_the_value_it_gives(grades, metric):
    fields = {"grades": written(grades), "metric": metric}
    for rule in playground.explanation(playground.PlaygroundRequest.of(fields))["rules"]:
        assert rule["chosen"] in [option["text"] for option in rule["options"]]
        for option in rule["options"]:
            request = playground.PlaygroundRequest.of({**fields, "rules": {rule["name"]: option["text"]}})
            if "refused" in option:
                with pytest.raises(rg.RankgaugeError):
                    request.explanation()
            else:
                assert (math.nan if option["value"] is None else option["value"]) == pytest.approx(
                    request.explanation().value, nan_ok=True, abs=1e-12
                )


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("grades", ["3 2 - 0 1", "-1 0"])
def test_every_metric_can_be_explained(name, grades):
    cut = "@3" if "k" in rg.metrics()[name].definition.parameters else ""
    try:
        answer = playground.explanation(playground.PlaygroundRequest.of({"grades": grades, "metric": f"{name}{cut}"}))
    except rg.RankgaugeError:
        return
    assert json.loads(json.dumps(answer, allow_nan=False))["metric"] == f"{name}{cut}"


def test_the_tools_are_compared_under_the_changed_rules():
    answer = json.dumps(
        playground.tools(
            playground.PlaygroundRequest.of({"grades": "3 2 0 1", "metric": "nDCG@3", "rules": {"gain": "exp2"}})
        )
    )

    assert '"yours' in answer
    assert "lightgbm" in answer


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({}, "enter the grades"),
        ({"grades": "1 2", "scores": "1"}, "found 1"),
        ({"grades": "1 2", "missed": "-"}, "must be numbers"),
        ({"grades": "1 x"}, "entry 2 is 'x'"),
        ({"grades": "1", "metric": "Coverage@5"}, "needs more than grades"),
        ({"grades": "1", "metric": "nDGC"}, "did you mean 'nDCG'"),
        ({"grades": "1", "metric": "AP", "convention": "treceval"}, "unknown preset"),
        ({"grades": "1", "metric": "AP", "rules": {"rel": "__import__('os')"}}, "finite number"),
        ({"grades": ["1"]}, "an object of strings"),
        ({"grades": "1", "rules": []}, "an object of strings"),
    ],
)
def test_invalid_requests_are_refused_with_a_reason(fields, message):
    with pytest.raises(rg.RankgaugeError, match=message):
        playground.explanation(playground.PlaygroundRequest.of(fields))


@settings(max_examples=60)
@given(st.lists(st.text(max_size=150), max_size=6))
def test_file_names_on_disk_are_safe(names):
    stored = []
    for name in names:
        stored.append(uploads.safe_name(name, stored))
    assert len({name.lower() for name in stored}) == len(names)
    for name in stored:
        assert not {*name} & {"/", "\\", "\0", ":", "\n"}
        assert not name.startswith((".", "-"))
        assert 0 < len(name.encode()) <= 255


@pytest.mark.parametrize("step", [1, 7, 1000])
def test_uploads_are_split_however_the_bytes_arrive(tmp_path, step):
    contents = {"a.txt": b"first\nfile", "b.txt": b"", "c.txt": bytes(range(256))}
    files = [{"name": name, "role": "auto", "size": len(content)} for name, content in contents.items()]
    upload = json.dumps({"metrics": ["AP"], "files": files}).encode() + b"\n" + b"".join(contents.values())

    async def pieces(of):
        for start in range(0, len(of), step):
            yield of[start : start + step]

    heads = []
    asyncio.run(uploads.receive(pieces(upload), tmp_path, 1000, lambda *head: heads.append(head)))

    ((head, received),) = heads
    assert head == {"metrics": ["AP"]}
    assert {file.name: (tmp_path / file.stored).read_bytes() for file in received} == contents
    for wrong in (upload + b"x", b"x" * (uploads.HEAD + step + 1)):
        with pytest.raises(uploads.TooLargeError):
            asyncio.run(
                uploads.receive(pieces(wrong), tmp_path / "none", 1000, lambda *_: None)
                if wrong[:1] == b"x"
                else _again(pieces(wrong), tmp_path)
            )


async def _again(stream, folder):
    for path in folder.iterdir():
        path.unlink()
    return await uploads.receive(stream, folder, 1000, lambda *_: None)


def test_a_worker_reports_its_progress(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, text in example.files().items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    files = [
        {"name": name, "stored": name, "role": "auto", "size": len(text.encode())}
        for name, text in example.files().items()
    ]
    messages = []

    run_job(
        {"folder": str(tmp_path), "report": str(tmp_path / "r.html"), "files": files, "metrics": ["P@1"]},
        messages.append,
    )

    stages = [message["stage"] for message in messages]
    assert [stage for at, stage in enumerate(stages) if stage not in stages[:at]] == [
        "starting",
        "reading",
        "comparing",
        "writing",
        "done",
    ]
    assert 0 < next(message["read"] for message in messages if message["stage"] == "reading") < 1
    assert (tmp_path / "r.html").read_text(encoding="utf-8").startswith("<!DOCTYPE html>")


def test_the_page_has_one_kind_of_minus_sign():
    fields = {"grades": "2 -1 3", "metric": "nDCG@3", "rules": {"negative": "keep"}}
    texts = json.dumps(playground.explanation(playground.PlaygroundRequest.of(fields))["steps"], ensure_ascii=False)
    assert "−0.630930" in texts
    assert "-0.630930" not in texts
