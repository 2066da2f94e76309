"""Measures of trec_eval for ordinary judgments (``-R qrels``), in its output order."""

from __future__ import annotations

from rankgauge.metric_core.tool_names import FAMILIES, TENTHS
from rankgauge.trec_eval.measure import Measure

OVERRIDE = "Parameters level=gain set the gains of these levels; other levels are their own gain."

RUNID = Measure(
    "runid", "Name of the run: column 6 of its last line.", shown="text", per_query=False, summary="none", formats=()
)
NUM_Q = Measure("num_q", "Number of topics evaluated.", shown="count", per_query=False, summary="none", formats=())


def _count(name: str, explanation: str = "") -> Measure:
    return Measure(name, explanation, shown="count", summary="sum")


def _at(name: str) -> Measure:
    return Measure(name, kind="cutoffs", default=FAMILIES[name])


def _points(name: str) -> Measure:
    return Measure(name, kind="points", default=FAMILIES[name])


def _geometric(name: str) -> Measure:
    note = "Topics with value 0 count as 0.00001. Printed in the summary only."
    return Measure(name, note, per_query=False, summary="exp")


MEASURES = (
    RUNID,
    NUM_Q,
    _count("num_ret"),
    _count("num_rel", "With -c the summary counts every grade above 0, regardless of -l."),
    _count("num_rel_ret"),
    Measure("map"),
    _geometric("gm_map"),
    Measure("Rprec"),
    Measure("bpref"),
    Measure("recip_rank"),
    _points("iprec_at_recall"),
    _at("P"),
    Measure(
        "relstring",
        "Grades of the first items, one character each: 0 to 9, > above 9, - for items that are not judged, . for\n"
        "negative grades. The parameter is the number of items. Printed per topic only.",
        kind="numbers",
        default=(10,),
        shown="text",
        summary="none",
    ),
    _at("recall"),
    Measure("infAP"),
    _geometric("gm_bpref"),
    _points("Rprec_mult"),
    Measure(
        "utility",
        "The four parameters are the values of an item that is relevant and returned, not relevant and returned,\n"
        "relevant and not returned, and neither; the last needs -N, the number of items in the collection.",
        kind="numbers",
        default=(1, -1, 0, 0),
    ),
    Measure("11pt_avg", "The parameters are the recall points to average over.", kind="numbers", default=TENTHS),
    Measure("binG"),
    Measure("G", OVERRIDE, kind="pairs"),
    Measure("dcg", OVERRIDE, kind="pairs", versions=(10,)),
    Measure("ideal_dcg", OVERRIDE, kind="pairs", versions=(10,)),
    Measure("ndcg", f"{OVERRIDE}\nAll grades count, regardless of -l.", kind="pairs"),
    Measure("ndcg_rel", OVERRIDE, kind="pairs"),
    Measure("Rndcg", OVERRIDE, kind="pairs"),
    _at("ndcg_cut"),
    _at("map_cut"),
    _at("relative_P"),
    _at("success"),
    Measure("set_P"),
    Measure("set_relative_P"),
    Measure("set_recall"),
    Measure("set_map"),
    Measure("set_F", "The parameter is beta squared.", kind="numbers", default=(1,)),
    _count("num_nonrel_judged_ret"),
    Measure("yaap"),
    Measure(
        "rbp",
        "Gains are the grades or those set by level=gain, divided by the largest of the topic if that is above 1.\n"
        "p=number sets the persistence, the probability of continuing to the next item (0.9).",
        kind="pairs",
        versions=(10,),
    ),
    Measure(
        "rbp_resid",
        "What unjudged items and the ranks below the list could add to rbp; 0 if all returned items are judged.\n"
        "p=number sets the persistence.",
        kind="pairs",
        versions=(10,),
    ),
    Measure("unj", kind="cutoffs", default=FAMILIES["unj"], versions=(10,)),
)

NOT_IN_ALL_TREC = {"dcg", "ideal_dcg", "yaap"}
NICKNAMES = {
    "official": (
        "runid", "num_q", "num_ret", "num_rel", "num_rel_ret", "map", "gm_map", "Rprec", "bpref", "recip_rank",
        "iprec_at_recall", "P",
    ),
    "set": (
        "runid", "num_q", "num_ret", "num_rel", "num_rel_ret", "utility", "set_P", "set_recall", "set_relative_P",
        "set_map", "set_F",
    ),
    "all_trec": tuple(measure.name for measure in MEASURES if measure.name not in NOT_IN_ALL_TREC),
}  # fmt: skip
"""Names for groups of measures."""
