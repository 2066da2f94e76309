"""With --lang zh the errors of the library are Chinese, too."""

import re

import pytest

import rankgauge as rg
from command_line import run


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["explain", "3,2,0", "-m", "nDGC"], "未知的指标 'nDGC'；是否想用 'nDCG'？"),
        (["explain", "3,2,0", "-m", "nDCG", "--rule", "gian=exp2"], "未知的规则 'gian'；是否想用 'gain'？"),
        (
            ["explain", "3,2,0", "-m", "nDCG", "--rule", "gain"],
            "规则应为“名称=取值”的形式，如 gain=exp2，而不是 'gain'",
        ),
        (
            ["explain", "3,2,0", "-m", "nDCG", "--convention", "lightgmb"],
            "未知的预设 'lightgmb'；是否想用 'lightgbm'？",
        ),
    ],
)
def test_errors_of_the_library_are_chinese(capsys, arguments, message):
    assert run([*arguments, "--lang", "zh"]) == 2
    assert message in capsys.readouterr().err


def test_an_error_holds_both_languages_and_prints_english():
    with pytest.raises(rg.ParameterError, match="unknown metric 'nDGC'; did you mean 'nDCG'") as caught:
        rg.parse("nDGC")
    assert caught.value.render("zh").startswith("未知的指标")
    assert rg.ParameterError("only English").render("zh") == "only English"


def test_ranges_of_options_have_chinese_punctuation(capsys):
    assert run(["explain", "--help", "--lang", "zh"]) == 0
    assert "; x>=" not in capsys.readouterr().out


def test_errors_of_files_are_chinese(capsys, tmp_path):
    judgments, ranking = tmp_path / "j.csv", tmp_path / "r.csv"
    judgments.write_text("query,item,grade\nq,a,1\n", encoding="utf-8")
    ranking.write_text("query,item,score\nq,a,bad\n", encoding="utf-8")
    for files, message in (([judgments, tmp_path / "none.csv"], "文件不存在"), ([judgments, ranking], "处理办法：")):
        assert run(["eval", *map(str, files), "--lang", "zh"]) == 3
        assert message in capsys.readouterr().err


@pytest.mark.parametrize(
    ("name", "text", "messages"),
    [
        ("r.csv", "query,item,score\nq,a,bad\n", ["r.csv:2：分数 'bad' 不是数字（查询 'q'，物品 'a'）"]),
        (
            "r.csv",
            "foo,bar\n1,2\n",
            ["缺少 query、item、score 或 rank 列；现有 'foo', 'bar'", "处理办法：指明这些列：--columns ranking.query="],
        ),
        (
            "r.csv",
            "query,item,score\nz,a,1\n",
            ["标注中的查询 'q' 不在排序结果中", "查询在标注中为 'q'，在排序结果中为 'z'"],
        ),
        ("r.csv", "query,item,score\nq,a,1\nq,a,2\n", ["物品 'a' 返回了多次（查询 'q'）"]),
        ("r.csv", "query,item,score\nq,a\n", ["r.csv:2：应有 3 列，实有 2 列：'q,a'"]),
        ("r.csv", "query,item,score\nq,,1\n", ["物品的标识为空"]),
        ("r.txt", "q Q0 a 1\n", ["应有至少 5 列，实有 4 列"]),
        ("r.jsonl", '{"query": "q", "item": "a", "score": 1}\n[2]\n', ["不是 JSON 对象：[2]"]),
        ("r.jsonl", "[1]\n", ["r.jsonl:1：第 1 个元素：应为对象，实为 1"]),
        ("r.csv", "", ["文件中没有数据"]),
    ],
)
def test_findings_in_files_are_chinese_with_their_details(capsys, tmp_path, name, text, messages):
    """The details of a finding were English after a Chinese heading."""
    judgments, ranking = tmp_path / "j.csv", tmp_path / name
    judgments.write_text("query,item,grade\nq,a,1\nq,b,0\n", encoding="utf-8")
    ranking.write_text(text, encoding="utf-8")
    assert run(["eval", str(judgments), str(ranking), "--lang", "zh"]) in {3, 4}
    error = capsys.readouterr().err
    for message in messages:
        assert message in error
    words = re.sub(r"\S*/\S*|'[^']*'|--columns \S+|\[RG\d+\]", "", error)
    assert not re.search(r"[a-z]{2,} [a-z]{2,} [a-z]{2,}", words), error


def test_findings_about_data_in_memory_are_chinese():
    scores = rg.evaluate({"q": {"a": 1.5, "b": 2}, "z": {"c": 1}}, {"q": {"a": 1, "b": 1}}, "RR")
    table = scores.findings.document("zh").to_text()

    assert "小数等级 1.5（查询 'q'，物品 'a'）" in table
    assert "查询 'z'" in table
    assert [finding.examples[0] for finding in scores.findings if finding.code == "RG205"] == [
        "fractional grade 1.5 (query 'q', item 'a')"
    ]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ("explain 3,2 -m nDCG@10(", "'nDCG@10(' 不是指标：多余的 '('（第 8 个字符处）"),
        ("explain 3,2 -m nDCG(foo=1)", "未知的 nDCG 参数 'foo'"),
        ("explain 3,2 -m nDCG(gain=3)", "之一，或一个表、一个函数，而不是 3"),
        ("explain 3,2 --rule ties=foo", "ties 应为 'id'、'id-ascending'"),
        ("explain 3,2 --rule undefined=foo", "undefined 应为有限的数 或 'nan' 或 'skip' 或 'error'，而不是 'foo'"),
        ("explain 3,2 --rule rel=x", "rel 应为有限的数，或 '>0.5' 这样的文本"),
        ("explain 3,2 --scores 1", "scores 有 1 个，而等级有 2 个"),
        (
            "explain judgments.csv keywords.csv",
            "标注中有多个查询；请用 --query 指明其中之一：'space opera'、'功夫片'、'heist'",
        ),
        ("explain judgments.csv keywords.csv --query zz", "查询 'zz' 不在标注中"),
        ("curve 3,2 --k abc", "k 应为 1:20、10:100:10 或 1,5,10 的形式"),
        ("compare judgments.csv keywords.csv", "比较至少需要两个系统"),
        ("compare judgments.csv keywords.csv embeddings.csv --alpha 3", "alpha 应为 0 与 1 之间的数"),
        ("check judgments.csv keywords.csv --fail-if xx", "'xx' 不是条件：没有写明何时失败；请写如 'nDCG@10 < 0.42'"),
        ("check judgments.csv keywords.csv --fail-if AP<x", "< 之后应为数，而不是 'x'"),
        ("check judgments.csv keywords.csv --fail-if APdrops2%", "没有写明何时失败"),
        ("eval judgments.csv keywords.csv -m ItemCoverage@5", "请指定 --side-information items=文件（或其个数）"),
        ("eval judgments.csv keywords.csv -o embeddings.csv", "文件已存在；用 --force"),
        ("eval judgments.csv keywords.csv --side-information foo=3", "未知的 --side-information 表 'foo'"),
        ("reconcile 3,2 --value abc", "value (--value) 应为原样书写的数"),
        ("convert judgments.csv -o x.foo", "扩展名不对应任何格式"),
    ],
)
@pytest.mark.usefixtures("example_folder")
def test_errors_of_every_command_are_chinese(capsys, call, message):
    assert run([*call.split(), "--lang", "zh"]) in {2, 3, 6}
    error = capsys.readouterr().err
    assert message in error
    assert not re.search(r"(must be|expected|unknown|is not|pass|needs) ", error)


def test_defaults_stay_on_one_line_of_the_chinese_help(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    for command in ("serve", "report", "reconcile"):
        assert run([command, "--help", "--lang", "zh"]) == 0
        text = capsys.readouterr().out
        assert not re.search(r"\[\n", text)
        assert "你" not in text
        assert "today" not in text


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["reconcile", "3,2", "-m", "nDCG", "--unit", "x"], "没有选项 --unit。是否指"),
        (["explain", "7,2", "-m", "ERR"], "等级 7 不在 0 到 4 之间；请用 --rule max_grade=7 设定最高等级"),
        (["explain", "1e308,2", "-m", "nDCG", "--rule", "gain=exp2"], "增益之和超出双精度的范围"),
        (["metrics", "-o", "."], ".：是目录；请给出文件名"),
    ],
)
def test_no_english_is_left_in_these_messages(capsys, arguments, message):
    assert run([*arguments, "--lang", "zh"]) in {2, 3}
    assert message in capsys.readouterr().err


def test_pages_of_commands_have_no_english_headings_reasons_and_legends(capsys, tmp_path):
    for name, content in {"j": "q 0 a 1\n", "r": "q Q0 a 1 2 t\n", "s": "q Q0 b 1 2 t\n"}.items():
        (tmp_path / name).write_text(content)
    judgments, first, second = (str(tmp_path / name) for name in "jrs")
    for command, words, english in (
        (["metrics"], ("相容度", "C/W/L 框架的指标"), r"\n(Compatibility|Metrics of)"),
        (["diff", first, second], ("重合@10：前 10 个",), "overlap"),
        (["reconcile", judgments, first, "-m", "AP"], ("它按文本或单位匹配物品",), "it finds"),
        (["audit", "--help"], ("函数写作 package",), "FUNCTION|FORM"),
    ):
        assert run([*command, "--lang", "zh"]) == 0
        page = capsys.readouterr().out
        assert all(word in page for word in words), command
        assert not re.search(english, page), command


def test_messages_about_files_and_measures_are_chinese(capsys, tmp_path):
    contents = {
        "j": "q 0 a 1\n",
        "r": "q Q0 a 1 2 t\n",
        "s": "p Q0 a 1 2 t\n",
        "twice": "q Q0 a 1 2 t\nq Q0 a 2 1 t\n",
        "ids.csv": "query,item,score\nq 1,a,1\n",
        "saved.json": '{"schema": 0, "per_query": {}}',
        "bad.csv": "item,users\na,1,2\n",
    }
    for name, content in contents.items():
        (tmp_path / name).write_text(content)
    for arguments, message in (
        (["diff", "r", "s"], "没有共同的查询"),
        (["diff", "r", "twice"], "物品 'a' 返回了多次（查询 'q'）"),
        (["convert", "ids.csv", "-o", "out.trec"], "请改写为 csv、tsv 或 jsonl"),
        (["check", "j", "r", "--baseline", "saved.json", "--fail-if", "AP drops 0.1"], "结构版本为 0，而不是 1"),
        (["eval", "j", "r", "-m", "ARP", "--side-information", "popularity=bad.csv"], "应有 2 列，实有 3 列"),
        (["eval", "j", "r", "-m", "ndcg_cut"], "是 trec_eval 的一组指标"),
        (["reconcile", "j", "r", "-m", "ItemCoverage"], "reconcile 只支持基于等级的指标"),
        (["eval", "j", "r", "-m", "DCG", "--rule", "averaging=pooled"], "请用 --rule averaging=mean"),
    ):
        known = [str(tmp_path / name) if name in contents or name == "out.trec" else name for name in arguments]
        paths = [name.replace("=bad.csv", f"={tmp_path / 'bad.csv'}") for name in known]
        assert run([*paths, "--lang", "zh"]) != 0, arguments
        assert message in capsys.readouterr().err, arguments


def test_the_name_of_a_convention_alone_suggests_the_command(capsys):
    assert run(["conventions", "ranx", "--lang", "en"]) == 2
    assert "write: rankgauge conventions show ranx" in capsys.readouterr().err
