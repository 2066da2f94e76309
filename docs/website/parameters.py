"""Texts of parameters that a docstring leaves out because they mean the same everywhere."""

from __future__ import annotations

import inspect
import re

PARAMETERS = {
    "alpha": "Significance level.",
    "alternative": "Which difference the test looks for: ``two-sided``, ``greater`` or ``less``.",
    "clip": "Largest weight of a row; None for no limit.",
    "columns": "Names of the columns that are not recognised, by what they hold.",
    "convention": "The rules: a Convention, or the name of a preset such as ``lightgbm``; None for the default.",
    "f_qrel": "An open file of judgments in the format of TREC.",
    "f_run": "An open file of a ranking in the format of TREC.",
    "first": "The values of the first system, one for each query.",
    "ignore_ties": "Whether equal scores are ordered instead of averaged.",
    "input_order": "The column that has the order of the rows, for rules that depend on it.",
    "interactions": "Rows of user, item and time: a frame or a file.",
    "interval": "The method of the interval: ``t`` or ``bootstrap``.",
    "judgments": "Judgments, as ``rg.evaluate`` takes them.",
    "k": "The cutoff; None for all items.",
    "level": "Confidence level of the interval.",
    "measure": "The name of a measure of trec_eval.",
    "metric": "A metric, as a value or as text.",
    "metrics": "One or several metrics, as values or as text.",
    "options": "Further arguments of ``rg.evaluate``.",
    "p": "The p-values, in any order.",
    "queries": "Number of queries.",
    "ranking": "A ranking, as ``rg.evaluate`` takes it.",
    "rankings": "Rankings by the names of the systems, each as ``rg.evaluate`` takes it.",
    "read": "How data are read; see ReadOptions.",
    "read_options": "How data are read, as one value; see ReadOptions.",
    "reading": "How data are read; see ReadOptions.",
    "resamples": "Number of bootstrap samples.",
    "sample_weight": "The weight of each query; None if all count the same.",
    "samples": "Number of bootstrap samples.",
    "second": "The values of the second system, for the same queries in the same order.",
    "seed": "Seed of the random numbers; the same seed gives the same result.",
    "side_information": "What metrics of the items themselves need; see SideInformation.",
    "system": "The name of the system; not needed if there is only one.",
    "values": "A table of values: one row for each query and one column for each system.",
    "weights": '``{query: weight}`` for ``averaging="weighted"``.',
    "y_score": "Scores, one row for each query.",
    "y_true": "Grades, one row for each query.",
    # Of one function
    "assert_at_least.least": 'The lowest allowed mean of each metric: ``{"nDCG@5": 0.9}``.',
    "cap.high": "The largest value that remains.",
    "combine.weights": "The weight of each column, or a pair of its weight and the rule that grades it.",
    "compare.max_p": "Significance level.",
    "compare.n_permutations": "Number of random permutations of Fisher's test.",
    "compare.random_seed": "Seed of the random numbers.",
    "compare.rounding_digits": "Decimals of the values in the report.",
    "compare.show_percentages": "Whether the report shows percentages.",
    "compare.stat_test": "The test: ``student``, ``fisher`` or ``tukey``.",
    "dcg.predicted": "The predicted reward of each row, for estimators that need one.",
    "dcg.predicted_value": "The predicted mean reward of the target policy, for estimators that need one.",
    "dcg.reward": "The observed reward of each row.",
    "dcg_score.log_base": "Base of the logarithm of the discount.",
    "decay.half_life": "The age after which a value counts half.",
    "diff.first": "The first ranking, as ``rg.evaluate`` takes it.",
    "diff.p": "Persistence of rank-biased overlap, between 0 and 1.",
    "diff.second": "The second ranking, as ``rg.evaluate`` takes it.",
    "evaluate.return_std": "Whether the standard deviation is returned with the mean.",
    "evaluate.save_results_in_run": "Whether the values are also stored in the Run.",
    "kendall_tau.first": "The numbers of the first order, one for each element.",
    "kendall_tau.second": "The numbers of the second order, for the same elements.",
    "leave_one_out.which": "The interaction that is held out: ``last`` or ``random``.",
    "log.base": "Base of the logarithm.",
    "log_report.name": "Name of the artifact.",
    "log_scores.prefix": "What the names of the metrics start with.",
    "log_scores.step": "The step of the run that the values belong to.",
    "make_comparable": "Whether queries that only one side has are added or removed, as in ranx.",
    "matching_sql.con": "A connection to DuckDB.",
    "merge.how": "``sum``, ``max``, ``mean``, ``count`` or ``last``.",
    "only_items.rows": "A frame or a file with a column of items.",
    "parse.text": "The notation of a metric, such as ``nDCG@10`` or ``ndcg_cut_10``.",
    "preset.name": "The name of a preset, such as ``trec_eval-9``.",
    "quantiles.per": "Whose values are compared: those of the same ``user``, or ``all``.",
    "rbo.second": "The other list.",
    "table.grade_of": "The grade of each value.",
    "tau_ap.estimate": "The numbers of the estimated order, one for each element.",
    "threads": "Accepted for compatibility, and ignored.",
    "thresholds.grade_from": "The grade from each threshold on.",
    "total.judged": "The judged items that the kernel receives.",
    "unregister.name": "The name of a metric that was declared with ``rg.metric``.",
}
"""Texts by the name of the parameter, or of the function and the parameter, which takes precedence."""


def undescribed(function: object) -> list[str]:
    """Return the parameters that the docstring of a function does not mention."""
    text = inspect.getdoc(function) or ""
    names = inspect.signature(function).parameters  # type: ignore[arg-type]
    return [name for name in names if name != "self" and not re.search(rf"\b{name}\b", text)]


def text_of(function: object, parameter: str) -> str:
    """Return the text of a parameter that a docstring leaves out, empty if there is none."""
    own = f"{getattr(function, '__name__', '')}.{parameter}"
    return PARAMETERS.get(own) or PARAMETERS.get(parameter, "")


def complete(function: object, lines: list[str]) -> None:
    """Add the parameters that a docstring leaves out to its lines, after those that it has or before the examples."""
    added = [f":param {name}: {text}" for name in undescribed(function) if (text := text_of(function, name))]
    if not added:
        return
    fields = [place for place, line in enumerate(lines) if line.startswith((":param", ":type"))]
    if fields:
        end = fields[-1] + 1
        while end < len(lines) and lines[end].startswith(" "):
            end += 1
        lines[end:end] = added
        return
    rubric = next((place for place, line in enumerate(lines) if line.startswith((".. rubric::", ">>>"))), len(lines))
    lines[rubric:rubric] = ["", *added, ""]
