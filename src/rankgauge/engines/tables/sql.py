"""The SQL that engines run.

The matching query turns judgments and a ranking into one row per query. It joins both by query and item and marks
the copies of repeated items. Window functions then count, for each item, the items above it, the items tied with it and
the tied items before it; ``rankgauge.matching.apply_rules`` applies the rules to these counts.

Engines with Python workers only bring the rows of each query together.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any, NamedTuple

from rankgauge.conventions import RULES, Convention
from rankgauge.errors import InputError, ParameterError, UnknownNameError, extra, shown
from rankgauge.inputs.codes import Role
from rankgauge.matching.copies import BESIDE, LATER, REMOVED
from rankgauge.rendering.language import Phrase

FAULTS = {"RG208": 1, "RG201": 2, "RG202": 3, "RG204": 4}
"""Codes of invalid rows and their numbers in the query; such a row is left out and counted."""
COUNTED = (*FAULTS, "RG203", "RG301", "RG302", "RG303", "RG305")
"""Findings that the matching query counts, one column each."""
INPUT_DIRECTION = {"input": "ASC", "input-reversed": "DESC"}
"""Tie rules that need a column with the input order, and its direction."""
DIALECTS = ("duckdb", "spark", "bigquery", "databricks", "snowflake")
"""Dialects into which sqlglot translates the query completely; the tests run it in the first two."""
COUNT_EXPRESSIONS = (
    *(f"COUNT(CASE WHEN fault = {number} THEN 1 END) AS {code}" for code, number in FAULTS.items()),
    "COUNT(CASE WHEN ABS(score) = CAST('Infinity' AS DOUBLE) THEN 1 END) AS RG203",
    "COUNT(CASE WHEN copy = 0 AND grade < highest THEN 1 END) AS RG302",
    "COUNT(CASE WHEN copy = 0 AND judged > 1 AND grade = highest THEN 1 END) AS RG303",
)


def matching_scope(convention: Convention, depth: int | None) -> str:
    """The rules and the depth that decide which items the result of a matching query contains."""
    rules = " ".join(f"{name}={getattr(convention, name)}" for name, rule in RULES.items() if rule.decides_rows)
    if convention.duplicates in REMOVED and not removes_copies(convention):
        rules += " copies=kept"
    return f"{rules} depth={'all' if depth is None else depth}"


def removes_copies(convention: Convention) -> bool:
    """Whether later copies of repeated items count for no metric, nor their places."""
    tables = [dict(rules) for rules in dict(convention.per_metric).values()]
    values = {
        rule: {getattr(convention, rule), *(rules[rule] for rules in tables if rule in rules)}
        for rule in ("duplicates", "k_counts")
    }
    return values["duplicates"] <= REMOVED and "returned" not in values["k_counts"]


def check_scopes(scopes: Sequence[str], convention: Convention, depth: int | None) -> None:
    """Refuse a result that was matched under other rules or less deep."""
    needed = matching_scope(convention, depth).partition(" depth=")[0]
    for scope in scopes:
        rules, _, reached = str(scope).partition(" depth=")
        if rules != needed or not (reached == "all" or reached.isdecimal()):
            raise InputError(
                Phrase(
                    f"the result was matched for {shown(rules)}, not for {shown(needed)}; write the query with the "
                    "same convention and run it again",
                    f"该结果按 {shown(rules)} 匹配，而不是 {shown(needed)}；请用相同的约定生成查询语句并重新运行",
                )
            )
        if reached != "all" and (depth is None or int(reached) < depth):
            raise InputError(
                Phrase(
                    f"the result contains the items down to rank {reached} only, which is not deep enough for these "
                    "metrics; write the query for all of them and run it again",
                    f"该结果只含前 {reached} 名的物品，不足以计算这些指标；请为全部指标生成查询语句并重新运行",
                )
            )


class Dialect(NamedTuple):
    """The syntax in which engines differ."""

    mark: str
    """The quotation mark of identifiers."""
    text: str
    """The text type."""

    def quote(self, name: str) -> str:
        """Quote any identifier."""
        return f"{self.mark}{name.replace(self.mark, self.mark * 2)}{self.mark}"


DUCKDB, SPARK = Dialect('"', "VARCHAR"), Dialect("`", "STRING")


@dataclass(frozen=True)
class Side:
    """Judgments or a ranking in an engine."""

    role: Role
    source: str
    """The operand of FROM: a quoted name, or a query in brackets."""
    columns: Mapping[str, str]
    """rankgauge's column names and those of the table."""
    whole_ids: Mapping[str, bool]
    """Whether query and item are compared as whole numbers instead of text."""

    def select(self, dialect: Dialect, convention: Convention) -> str:
        """The query for the side, with rankgauge's column names and types."""
        columns = [
            f"CAST({dialect.quote(self.columns[name])} AS {'BIGINT' if is_whole else dialect.text}) AS {name}"
            for name, is_whole in self.whole_ids.items()
        ]
        if self.role == "judgments":
            columns.append(f"CAST({dialect.quote(self.columns['grade'])} AS DOUBLE) AS grade")
        else:
            columns.append(f"{self._score(dialect, convention)} AS score")
            if convention.ties in INPUT_DIRECTION:
                columns.append(f"{dialect.quote(self.columns['order'])} AS input_order")
        selected = ",\n    ".join(columns)
        return f"SELECT\n    {selected}\n  FROM {self.source}"

    @property
    def lacks_id(self) -> str:
        """The condition for a row without a query or an item; empty text is none."""
        empty = (f"{name} = ''" for name, is_whole in self.whole_ids.items() if not is_whole)
        return " OR ".join(("query IS NULL OR item IS NULL", *empty))

    def _score(self, dialect: Dialect, convention: Convention) -> str:
        if "score" not in self.columns:
            return f"-CAST({dialect.quote(self.columns['rank'])} AS DOUBLE)"
        score = dialect.quote(self.columns["score"])
        number = f"CAST({score} AS FLOAT)" if convention.score_precision == "float32" else score
        return f"CAST({number} AS DOUBLE) + 0.0"  # turns -0.0 into 0.0


def matching_query(judgments: Side, ranking: Side, convention: Convention, depth: int | None = None) -> str:
    """The text of the matching query for DuckDB; items that cannot reach the top ``depth`` are only counted.

    Its columns are ``query``, ``returned`` (number of items), ``matched`` (a list of grade, above, tied, before of the
    items that were returned and judged), ``pool`` (a list of all grades), ``COUNTED``, and ``matched_for``.
    """
    input_order = _input_order(ranking, convention)
    windows, fields, kept = _matched_items(convention, input_order, depth)
    window_columns = ",\n    ".join(windows)
    packed = ", ".join(f"{name} := {expression}" for name, expression in fields.items())
    copies = dict.fromkeys(("RG301", "RG305"), "0")
    copies["RG301" if convention.duplicates == "error" else "RG305"] = "COUNT(CASE WHEN copy > 0 THEN 1 END)"
    counts = ",\n  ".join((*COUNT_EXPRESSIONS, *(f"{count} AS {code}" for code, count in copies.items())))
    return f"""WITH rankgauge_judgments AS (
  {judgments.select(DUCKDB, convention)}
), rankgauge_ranking AS (
  {ranking.select(DUCKDB, convention)}
), judgments AS (
  SELECT query, item, CASE WHEN fault = 0 THEN grade END AS grade, fault FROM (
    SELECT *, CASE
        WHEN {judgments.lacks_id} THEN {FAULTS["RG208"]}
        WHEN grade IS NULL OR grade = CAST('NaN' AS DOUBLE) OR ABS(grade) = CAST('Infinity' AS DOUBLE)
          THEN {FAULTS["RG204"]} ELSE 0 END AS fault
    FROM rankgauge_judgments
  ) AS given
), ranking AS (
  SELECT query, item, CASE WHEN fault = 0 THEN score END AS score, fault{input_order} FROM (
    SELECT *, CASE
        WHEN {ranking.lacks_id} THEN {FAULTS["RG208"]}
        WHEN score IS NULL THEN {FAULTS["RG201"]}
        WHEN score = CAST('NaN' AS DOUBLE) THEN {FAULTS["RG202"]} ELSE 0 END AS fault
    FROM rankgauge_ranking
  ) AS given
), {_paired(convention, input_order)}, ranked AS (
  SELECT query, item, grade, highest, judged, score, copy, fault,
    {window_columns}
  FROM paired
)
SELECT query, COUNT(score) AS returned,
  ARRAY_AGG(STRUCT_PACK({packed})) FILTER (WHERE {kept}) AS matched,
  ARRAY_AGG(grade) FILTER (WHERE grade IS NOT NULL AND copy = 0) AS pool,
  {counts},
  '{matching_scope(convention, depth)}' AS matched_for
FROM ranked
GROUP BY query"""


def _paired(convention: Convention, input_order: str) -> str:
    """Join both sides by query and item; ``copy`` is that of ``Matched``, and a copy to be removed has no score."""
    score = "CASE WHEN r.occurrence = 1 THEN r.score END" if removes_copies(convention) else "r.score"
    first = "score DESC NULLS LAST" + (f"{input_order} {INPUT_DIRECTION[convention.ties]}" if input_order else "")
    return f"""judged AS (
  SELECT query, item, MIN(grade) AS grade, MAX(grade) AS highest, COUNT(grade) AS judged, MAX(fault) AS fault
  FROM judgments
  GROUP BY query, item
), returned AS (
  SELECT query, item, score, fault{input_order},
    ROW_NUMBER() OVER (PARTITION BY query, item ORDER BY {first}) AS occurrence,
    MAX(score) OVER (PARTITION BY query, item) AS best
  FROM ranking
), paired AS (
  SELECT COALESCE(r.query, j.query) AS query, COALESCE(r.item, j.item) AS item,
    j.grade, j.highest, j.judged, {score} AS score,
    CASE WHEN COALESCE(r.occurrence, 1) = 1 THEN 0 WHEN r.score IS NULL THEN -1
      WHEN r.score = r.best THEN {BESIDE} ELSE {LATER} END AS copy,
    CASE WHEN r.fault > 0 OR r.occurrence > 1 THEN r.fault ELSE COALESCE(j.fault, 0) END AS fault{input_order}
  FROM returned AS r
  FULL OUTER JOIN judged AS j ON r.query = j.query AND r.item = j.item
)"""


def _matched_items(
    convention: Convention, input_order: str, depth: int | None
) -> tuple[list[str], dict[str, str], str]:
    """The windows that rank the items of a query, the fields of an item, and the condition for an item to be kept."""
    by_score = "PARTITION BY query ORDER BY score DESC NULLS LAST"
    same_score = f"({by_score} RANGE BETWEEN CURRENT ROW AND CURRENT ROW)"
    windows = [f"RANK() OVER ({by_score}) - 1 AS above", f"COUNT(*) OVER {same_score} AS tied"]
    fields = {"grade": "COALESCE(grade, CAST('NaN' AS DOUBLE))", "above": "above", "tied": "tied"}
    wanted = "grade IS NOT NULL" + " OR copy > 0" * (not removes_copies(convention))
    if not removes_copies(convention):
        fields["copy"] = "copy"
        windows.append("COUNT(CASE WHEN copy > 0 THEN 1 END) OVER (PARTITION BY query) AS copies")
    if convention.hit_if != "returned":
        fields["positive"] = "score > 0"
    down = "ASC" if convention.ties == "id-ascending" else "DESC"
    order = f"CAST(item AS {DUCKDB.text}) {down}, copy ASC"
    match convention.ties:
        case "id" | "id-ascending" | "input" | "input-reversed":
            if input_order:
                order = f"input_order {INPUT_DIRECTION[convention.ties]}, {order}"
            windows.append(f"ROW_NUMBER() OVER ({by_score}, {order}) - 1 AS place")
            fields["before"] = "place - above"
        case "random":
            # SQL cannot compute the shuffle, so all items that tie with a judged item are kept, with their ids.
            windows.append(f"COUNT(grade) OVER {same_score} AS judged_here")
            wanted += " OR (tied > 1 AND judged_here > 0)"
            fields["item"] = f"CASE WHEN tied > 1 THEN CAST(item AS {DUCKDB.text}) END"
    kept = "score IS NOT NULL" + f" AND ({wanted})" * isinstance(convention.unjudged, str)
    if depth is not None:
        kept += f" AND above < {int(depth)}" + " + copies" * (not removes_copies(convention))
    return windows, fields, kept


def union_query(judgments: Side, ranking: Side, convention: Convention) -> str:
    """The text of a query of DuckDB for all rows of both sides.

    Its columns are ``query``, ``item``, ``number`` (a grade or a score), ``is_judgment``, and ``input_order`` if the
    tie rule needs it.
    """
    order = _input_order(ranking, convention)
    return f"""SELECT query, item, grade AS number, TRUE AS is_judgment{", NULL AS input_order" if order else ""} FROM (
  {judgments.select(DUCKDB, convention)}
) AS judgments
UNION ALL
SELECT query, item, score, FALSE{order} FROM (
  {ranking.select(DUCKDB, convention)}
) AS ranking"""


def binned_query(side: Side, convention: Convention, bins: int) -> str:
    """The text of a query of Spark for one side: ``query``, ``item``, ``number``, and the ``bin`` of the query."""
    number = "grade AS number" if side.role == "judgments" else f"score AS number{_input_order(side, convention)}"
    return f"""SELECT query, item, {number},
  CAST(PMOD(XXHASH64(query), {bins}) AS INT) AS bin
FROM (
  {side.select(SPARK, convention)}
) AS {side.role}"""


def _input_order(ranking: Side, convention: Convention) -> str:
    """The additional column if the tie rule orders by input."""
    if convention.ties not in INPUT_DIRECTION:
        return ""
    if "order" not in ranking.columns:
        raise ParameterError(
            Phrase(
                f"ties={convention.ties!r} needs a column with the input order, because the rows of a table have "
                'none: input_order="..."; or choose another tie rule',
                f"ties={convention.ties!r} 需要一列输入次序，因为表中的行没有次序：请指定 "
                'input_order="..."，或改用其他并列规则',
            )
        )
    return ", input_order"


def translate(text: str, dialect: str) -> str:
    """Translate SQL of DuckDB into another dialect; an error if a part of it has no translation.

    >>> translate("SELECT 1", "duckdb")
    'SELECT 1'
    >>> translate("SELECT 1", "oracel")
    Traceback (most recent call last):
    ...
    rankgauge.errors.UnknownNameError: unknown dialect 'oracel'; known: duckdb, spark, bigquery, databricks, snowflake
    """
    if dialect == "duckdb":
        return text
    if dialect not in DIALECTS:
        raise UnknownNameError.closest("dialect", dialect, DIALECTS)
    with extra("sql", f"dialect={dialect!r}"):
        sqlglot: Any = import_module("sqlglot")
    try:
        statements = sqlglot.transpile(
            text, read="duckdb", write=dialect, pretty=True, unsupported_level=sqlglot.ErrorLevel.RAISE
        )
    except sqlglot.errors.SqlglotError as error:
        reason = str(error).splitlines()[0]
        en = f"the query cannot be translated into {shown(dialect)}: {reason}"
        raise ParameterError((en, f"查询语句无法转换为 {shown(dialect)}：{reason}")) from error
    return statements[0]
