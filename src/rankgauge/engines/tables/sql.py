"""What engines are asked in SQL.

The matching query turns judgments and a ranking into one row for each query. Both are paired by query and item, and
what stands twice is found on the way. Windows then count how many items stand above each, how many tie with it and
how many of those stand before it; the rules are applied later (``rankgauge.matching.apply_rules``).

Where Python is beside the data, less is asked: to lay the rows of each query together, which engines do best.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from rankgauge.conventions import Convention
from rankgauge.errors import InputError, ParameterError, shown
from rankgauge.inputs.codes import Role

FAULTS = {"RG208": 1, "RG201": 2, "RG202": 3, "RG204": 4}
"""The codes of rows that cannot be matched, as the query numbers them; the row is left out and counted."""
COUNTED = (*FAULTS, "RG203", "RG301", "RG302", "RG303")
"""What the query counts for each query, a column each."""
COUNTING = (
    *(f"COUNT(CASE WHEN fault = {number} THEN 1 END) AS {code}" for code, number in FAULTS.items()),
    "COUNT(CASE WHEN ABS(score) = CAST('Infinity' AS DOUBLE) THEN 1 END) AS RG203",
    "CAST(SUM(repeated) AS BIGINT) AS RG301",
    "COUNT(CASE WHEN grade < highest THEN 1 END) AS RG302",
    "COUNT(CASE WHEN judged > 1 AND grade = highest THEN 1 END) AS RG303",
)
"""How it counts them."""


@dataclass(frozen=True)
class MatchedFor:
    """What decides which rows the matching query keeps, and what it tells of them."""

    rules: str
    depth: int | None

    @classmethod
    def of(cls, convention: Convention, depth: int | None) -> MatchedFor:
        """What metrics that look this deep need under a convention."""
        names = ("ties", "unjudged", "hit_if", "score_precision")
        return cls(" ".join(f"{name}={getattr(convention, name)}" for name in names), depth)

    def __str__(self) -> str:
        return f"{self.rules} depth={'all' if self.depth is None else self.depth}"

    def check(self, answered: Sequence[str]) -> None:
        """Refuse an answer that was matched by other rules, or not as deep."""
        for text in answered:
            rules, _, depth = str(text).partition(" depth=")
            if rules != self.rules or not (depth == "all" or depth.isdecimal()):
                raise InputError(
                    f"the answer was matched for {shown(rules)}, not for {shown(self.rules)}; "
                    "print the query with the same convention and run it anew"
                )
            if depth != "all" and (self.depth is None or int(depth) < self.depth):
                raise InputError(
                    f"the answer tells of the items down to rank {depth} only, which is not deep enough for these "
                    "metrics; print the query for all of them and run it anew"
                )


@dataclass(frozen=True)
class Dialect:
    """The few words in which engines differ."""

    quote: Callable[[str], str]
    """An identifier, whatever stands in it."""
    text: str
    """The type of texts."""


def _quoted(mark: str) -> Callable[[str], str]:
    return lambda name: f"{mark}{name.replace(mark, mark * 2)}{mark}"


def _struct_pack(fields: Mapping[str, str]) -> str:
    listed = ", ".join(f"{name} := {expression}" for name, expression in fields.items())
    return f"STRUCT_PACK({listed})"


def _paired(input_order: str) -> str:
    """Both sides joined by query and item; a row that repeats another has neither score nor grade, and is counted."""
    return f"""judged AS (
  SELECT query, item, MIN(grade) AS grade, MAX(grade) AS highest, COUNT(grade) AS judged, MAX(fault) AS fault
  FROM judgments
  GROUP BY query, item
), returned AS (
  SELECT query, item, score, fault{input_order},
    ROW_NUMBER() OVER (PARTITION BY query, item ORDER BY score DESC NULLS LAST) > 1 AS again
  FROM ranking
), paired AS (
  SELECT COALESCE(r.query, j.query) AS query, COALESCE(r.item, j.item) AS item,
    CASE WHEN r.again THEN NULL ELSE j.grade END AS grade, CASE WHEN r.again THEN NULL ELSE j.highest END AS highest,
    CASE WHEN r.again THEN 0 ELSE j.judged END AS judged, CASE WHEN NOT r.again THEN r.score END AS score,
    CASE WHEN r.again AND r.score IS NOT NULL THEN 1 ELSE 0 END AS repeated,
    CASE WHEN r.fault > 0 OR r.again THEN r.fault ELSE COALESCE(j.fault, 0) END AS fault{input_order}
  FROM returned AS r
  FULL OUTER JOIN judged AS j ON r.query = j.query AND r.item = j.item
)"""


DUCKDB = Dialect(_quoted('"'), "VARCHAR")
SPARK = Dialect(_quoted("`"), "STRING")


BY_INPUT = {"input": "ASC", "input-reversed": "DESC"}
"""Rules for ties that need a column with the order of the rows, and which way it is read."""


@dataclass(frozen=True)
class Side:
    """Judgments or a ranking as the engine holds them."""

    role: Role
    source: str
    """What stands behind FROM: a quoted name, or a query in brackets."""
    columns: Mapping[str, str]
    """Our names of the columns to theirs."""
    whole_ids: Mapping[str, bool]
    """Whether query and item are compared as whole numbers; otherwise they are compared as text."""

    def select(self, dialect: Dialect, convention: Convention) -> str:
        """The side with our names and one type for each column."""
        columns = [
            f"CAST({dialect.quote(self.columns[name])} AS {'BIGINT' if whole else dialect.text}) AS {name}"
            for name, whole in self.whole_ids.items()
        ]
        if self.role == "judgments":
            columns.append(f"CAST({dialect.quote(self.columns['grade'])} AS DOUBLE) AS grade")
        else:
            columns.append(f"{self._score(dialect, convention)} AS score")
            if convention.ties in BY_INPUT:
                columns.append(f"{dialect.quote(self.columns['order'])} AS input_order")
        listed = ",\n    ".join(columns)
        return f"SELECT\n    {listed}\n  FROM {self.source}"

    def _score(self, dialect: Dialect, convention: Convention) -> str:
        if "score" not in self.columns:
            return f"-CAST({dialect.quote(self.columns['rank'])} AS DOUBLE)"
        score = dialect.quote(self.columns["score"])
        if convention.score_precision == "float32":
            return f"CAST(CAST({score} AS FLOAT) AS DOUBLE) + 0.0"
        return f"CAST({score} AS DOUBLE) + 0.0"  # -0.0 becomes 0.0, which it equals


def matching_query(
    judgments: Side, ranking: Side, convention: Convention, dialect: Dialect, depth: int | None = None
) -> str:
    """The text of the query; of items that cannot reach the top ``depth`` only the number is kept.

    It gives ``query``, ``returned`` (how many items), ``matched`` (a list of grade, above, tied, before of what
    was returned and judged), ``pool`` (a list of all grades), a count for each of ``COUNTED``, and ``matched_for``.
    """
    input_order = _input_order(ranking, convention)
    windows, fields, kept = _matched_items(convention, dialect, input_order, depth)
    listed = ",\n    ".join(windows)
    counts = ",\n  ".join(COUNTING)
    return f"""WITH rankgauge_judgments AS (
  {judgments.select(dialect, convention)}
), rankgauge_ranking AS (
  {ranking.select(dialect, convention)}
), judgments AS (
  SELECT query, item, CASE WHEN fault = 0 THEN grade END AS grade, fault FROM (
    SELECT *, CASE
        WHEN query IS NULL OR item IS NULL THEN {FAULTS["RG208"]}
        WHEN {_not_finite("grade")} THEN {FAULTS["RG204"]} ELSE 0 END AS fault
    FROM rankgauge_judgments
  ) AS given
), ranking AS (
  SELECT query, item, CASE WHEN fault = 0 THEN score END AS score, fault{input_order} FROM (
    SELECT *, CASE
        WHEN query IS NULL OR item IS NULL THEN {FAULTS["RG208"]}
        WHEN score IS NULL THEN {FAULTS["RG201"]}
        WHEN score = CAST('NaN' AS DOUBLE) THEN {FAULTS["RG202"]} ELSE 0 END AS fault
    FROM rankgauge_ranking
  ) AS given
), {_paired(input_order)}, ranked AS (
  SELECT query, item, grade, highest, judged, score, repeated, fault,
    {listed}
  FROM paired
)
SELECT query, COUNT(score) AS returned,
  ARRAY_AGG({_struct_pack(fields)}) FILTER (WHERE {kept}) AS matched,
  ARRAY_AGG(grade) FILTER (WHERE grade IS NOT NULL) AS pool,
  {counts},
  '{MatchedFor.of(convention, depth)}' AS matched_for
FROM ranked
GROUP BY query"""


def _matched_items(
    convention: Convention, dialect: Dialect, input_order: str, depth: int | None
) -> tuple[list[str], dict[str, str], str]:
    """The windows that rank the items of a query, what is told of each item, and which items are told of."""
    by_score = "PARTITION BY query ORDER BY score DESC NULLS LAST"
    same_score = f"({by_score} RANGE BETWEEN CURRENT ROW AND CURRENT ROW)"
    windows = [f"RANK() OVER ({by_score}) - 1 AS above", f"COUNT(*) OVER {same_score} AS tied"]
    fields = {"grade": "COALESCE(grade, CAST('NaN' AS DOUBLE))", "above": "above", "tied": "tied"}
    kept = "score IS NOT NULL" + " AND grade IS NOT NULL" * isinstance(convention.unjudged, str)
    if convention.hit_if != "returned":
        fields["positive"] = "score > 0"
    down = "ASC" if convention.ties == "id-ascending" else "DESC"
    order = f"CAST(item AS {dialect.text}) {down}"
    match convention.ties:
        case "id" | "id-ascending" | "input" | "input-reversed":
            if input_order:
                order = f"input_order {BY_INPUT[convention.ties]}, {order}"
            windows.append(f"ROW_NUMBER() OVER ({by_score}, {order}) - 1 AS place")
            fields["before"] = "place - above"
        case "random":
            # Whoever ties with a judged item comes along, by name: the shuffle is not one that SQL knows.
            windows.append(f"COUNT(grade) OVER {same_score} AS judged_here")
            kept = kept.replace("grade IS NOT NULL", "(grade IS NOT NULL OR (tied > 1 AND judged_here > 0))")
            fields["item"] = f"CASE WHEN tied > 1 THEN CAST(item AS {dialect.text}) END"
    if depth is not None:
        kept += f" AND above < {int(depth)}"
    return windows, fields, kept


def end_to_end(judgments: Side, ranking: Side, convention: Convention, dialect: Dialect) -> str:
    """The text of all rows of both sides, laid end to end.

    It gives ``query``, ``item``, ``number`` (a grade or a score) and ``is_judgment``, and ``input_order`` where a rule
    for ties needs it.
    """
    order = _input_order(ranking, convention)
    return f"""SELECT query, item, grade AS number, TRUE AS is_judgment{", NULL AS input_order" if order else ""} FROM (
  {judgments.select(dialect, convention)}
) AS judgments
UNION ALL
SELECT query, item, score, FALSE{order} FROM (
  {ranking.select(dialect, convention)}
) AS ranking"""


def binned(side: Side, convention: Convention, bins: int) -> str:
    """The text of the rows of one side for Spark: ``query``, ``item``, ``number``, and the ``bin`` of the query."""
    number = "grade AS number" if side.role == "judgments" else f"score AS number{_input_order(side, convention)}"
    return f"""SELECT query, item, {number},
  CAST(PMOD(XXHASH64(query), {bins}) AS INT) AS bin
FROM (
  {side.select(SPARK, convention)}
) AS {side.role}"""


def _input_order(ranking: Side, convention: Convention) -> str:
    """The column to add where equal scores are ordered by it."""
    if convention.ties not in BY_INPUT:
        return ""
    if "order" not in ranking.columns:
        raise ParameterError(
            f"ties={convention.ties!r} needs a column that says in which order the rows came, for a table has none: "
            'columns={"order": "..."}; or choose another rule for ties'
        )
    return ", input_order"


def _not_finite(column: str) -> str:
    infinite, nan = "CAST('Infinity' AS DOUBLE)", "CAST('NaN' AS DOUBLE)"
    return f"{column} IS NULL OR {column} = {nan} OR ABS({column}) = {infinite}"
