"""Functions as people write them, right and wrong, on which audits are tried: figures in docs/audit.md."""

import heapq
import math
import os
import random
import statistics
import time
from collections import Counter
from dataclasses import dataclass, field
from functools import partial, reduce, wraps
from operator import itemgetter

import numpy as np

from rankgauge import Convention

OVER_RETURNED = Convention(p_over="min(k,n)", duplicates="first")


@dataclass(frozen=True)
class Audited:
    function: object
    """The function, or the name under which it is imported."""
    metric: str
    verdict: str
    diagnosis: str = ""
    """Part of the sentence that an audit should say."""
    needs: str = ""
    options: dict = field(default_factory=dict)
    largest: int = 4
    """Items of the largest counterexample."""

    @property
    def name(self):
        if isinstance(self.function, str):
            return self.function.partition(":")[2]
        return getattr(self.function, "__name__", type(self.function).__name__)


def log2(gains):
    return sum(gain / math.log2(rank + 1) for rank, gain in enumerate(gains, 1))


def share(above, below):
    return above / below if below else 0.0


# Right, sets and lists


def recall_of_sets(relevant, ranked, k=10):
    return share(len({*relevant} & {*ranked[:k]}), len(relevant))


def precision_at_k(y_true, y_pred, k):
    return len({*y_true} & {*y_pred[:k]}) / k


def hit_rate(ground_truth, retrieved, k=10):
    return float(any(item in ground_truth for item in retrieved[:k]))


def reciprocal_rank(relevant, retrieved):
    for rank, item in enumerate(retrieved, 1):
        if item in relevant:
            return 1 / rank
    return 0.0


def average_precision(retrieved_docs, relevant_docs):
    hits, total = set(), 0.0
    for rank, item in enumerate(retrieved_docs, 1):
        if item in relevant_docs and item not in hits:
            hits.add(item)
            total += len(hits) / rank
    return share(total, len(relevant_docs))


def apk(actual, predicted, k=10):
    """As written for competitions: over min(R, k), repeated items count once."""
    hits, score = 0, 0.0
    for place, item in enumerate(predicted[:k]):
        if item in actual and item not in predicted[:place]:
            hits += 1
            score += hits / (place + 1)
    return share(score, min(len(actual), k))


def mapk(actual, predicted, k=10):
    return statistics.mean(apk(each, others, k) for each, others in zip(actual, predicted, strict=True))


def f1_at_k(gold_ids, result_ids, k):
    hits = len({*gold_ids} & {*result_ids[:k]})
    return share(2 * hits, k + len(gold_ids))


def capped_recall(relevant, ranked, k):
    return share(len({*relevant} & {*ranked[:k]}), min(k, len(relevant)))


def recall_rounded(relevant, ranked, k):
    return round(len({*relevant} & {*ranked[:k]}) / max(len(relevant), 1), 4)


def hit_rate_of_queries(gold, predictions, k=10):
    return statistics.mean(float(bool({*gold[query]} & {*predictions[query][:k]})) for query in gold)


def recall_fixed_at(k):
    def recall(relevant, ranked):
        return share(len({*relevant} & {*ranked[:k]}), len(relevant))

    return recall


def recall_that_refuses_repeats(relevant, ranked):
    if len({*ranked}) < len(ranked):
        raise ValueError("an item was returned twice")
    return share(len({*relevant} & {*ranked}), len(relevant))


def reciprocal_rank_at_k(relevant, ranked, k):
    return next((1 / rank for rank, item in enumerate(ranked[:k], 1) if item in relevant), 0.0)


def reciprocal_rank_of_first(n):
    """Right as RR@n; as RR it has a cutoff that nobody asked for."""

    def reciprocal_rank_of_top(relevant, ranked):
        return next((1 / rank for rank, item in enumerate(ranked[:n], 1) if item in relevant), 0.0)

    return reciprocal_rank_of_top


def precision_over_returned(relevant, ranked, k=10):
    """As in Elasticsearch; without that convention, one relevant item returned alone scores 1."""
    return share(len({*relevant} & {*ranked[:k]}), len(ranked[:k]))


def precision_of_integers(relevant, ranked, k=10):
    return len({int(item) for item in relevant} & {int(item) for item in ranked[:k]}) / k


def recall_of_integer_arrays(relevant, ranked, k=10):
    relevant, ranked = (np.asarray(items, dtype=np.int64) for items in (relevant, ranked[:k]))
    return share(float(np.isin(relevant, ranked).sum()), len(relevant))


# Right, grades by item


def ndcg_of_grades_by_item(qrels, ranked, k):
    gains = [qrels.get(item, 0) for item in dict.fromkeys(ranked)]
    return share(log2(gains[:k]), log2(sorted(qrels.values(), reverse=True)[:k]))


def ndcg_exponential(ranked, grades):
    seen = dict.fromkeys(ranked)
    ideal = log2([2**grade - 1 for grade in sorted(grades.values(), reverse=True)])
    return share(log2([2 ** grades.get(item, 0) - 1 for item in seen]), ideal)


def dcg_exponential(grades, ranked, k=5):
    return log2([2 ** grades.get(item, 0) - 1 for item in [*dict.fromkeys(ranked)][:k]])


def r_precision(judgments, results):
    relevant = {item for item, grade in judgments.items() if grade > 0}
    return share(len(relevant & {*[*dict.fromkeys(results)][: len(relevant)]}), len(relevant))


def precision_of_grades_by_item(qrel, ranked, k=10):
    return sum(qrel.get(item, 0) > 0 for item in dict.fromkeys(ranked[:k])) / k


def average_precision_of_grades_by_item(qrels, docs):
    hits = [qrels.get(item, 0) >= 1 for item in dict.fromkeys(docs)]
    precisions = [sum(hits[: place + 1]) / (place + 1) for place, hit in enumerate(hits) if hit]
    return share(sum(precisions), sum(grade >= 1 for grade in qrels.values()))


def reciprocal_rank_of_grades_by_item(qrels, ranked):
    return next((1 / rank for rank, item in enumerate(ranked, 1) if qrels.get(item, 0)), 0.0)


def recall_of_grades_by_item(judged, ranked, k=10):
    relevant = {item for item in judged if judged[item]}
    return share(len(relevant & {*ranked[:k]}), len(relevant))


# Right, dicts of queries


def ordered(scores):
    return sorted(sorted(scores, reverse=True), key=lambda item: -scores[item])


def ndcg_as_trec_eval(qrels, run, k):
    values = []
    for query, scores in run.items():
        gains = [qrels[query].get(item, 0) for item in ordered(scores)[:k]]
        values.append(share(log2(gains), log2(sorted(qrels[query].values(), reverse=True)[:k])))
    return statistics.mean(values)


class Evaluator:
    """Several measures of each query, by their names."""

    def evaluate(self, qrels, run):
        return {query: self._measures(gold, ordered(run[query])) for query, gold in qrels.items()}

    def _measures(self, gold, items):
        relevant = {item for item, grade in gold.items() if grade > 0}
        hits = [item in relevant for item in items]
        precisions = [sum(hits[: place + 1]) / (place + 1) for place, hit in enumerate(hits) if hit]
        return {"map": share(sum(precisions), len(relevant)), "P_5": sum(hits[:5]) / 5, "recip_rank": 0.5}


def measures_of_cutoffs(qrels, results, k_values):
    ndcg, recall = {}, {}
    for k in k_values:
        recalls, ndcgs = [], []
        for query, scores in results.items():
            top = ordered(scores)[:k]
            relevant = {item for item, grade in qrels[query].items() if grade > 0}
            recalls.append(share(len(relevant & {*top}), len(relevant)))
            ideal = log2(sorted(qrels[query].values(), reverse=True)[:k])
            ndcgs.append(share(log2([qrels[query].get(item, 0) for item in top]), ideal))
        recall[f"Recall@{k}"], ndcg[f"NDCG@{k}"] = statistics.mean(recalls), statistics.mean(ndcgs)
    return ndcg, recall


def mrr_in_input_order(qrels, run):
    values = []
    for query, scores in run.items():
        order = sorted(scores, key=lambda item: -scores[item])
        values.append(next((1 / rank for rank, item in enumerate(order, 1) if qrels[query].get(item, 0) > 0), 0.0))
    return statistics.mean(values)


def recall_of_scored_items(gold, scores, k=10):
    """One query: grades by item, scores by item."""
    relevant = {item for item, grade in gold.items() if grade > 0}
    return share(len(relevant & {*ordered(scores)[:k]}), len(relevant))


# Right, labels and scores


def ndcg_of_stable_sort(y_true, y_score, k=10):
    y_true, order = np.asarray(y_true), np.argsort(-np.asarray(y_score), kind="stable")[:k]
    return share(log2(y_true[order]), log2(np.sort(y_true)[::-1][:k]))


def auc_of_pairs(labels, scores):
    labels, scores = np.asarray(labels), np.asarray(scores)
    positive, negative = scores[labels > 0], scores[labels == 0]
    if not len(positive) or not len(negative):
        raise ValueError("only one class")
    differences = positive[:, None] - negative[None, :]
    return float(((differences > 0) + 0.5 * (differences == 0)).mean())


def pessimistic_reciprocal_rank(labels, scores):
    best = max((score for label, score in zip(labels, scores, strict=True) if label), default=None)
    if best is None:
        return 0.0
    return 1 / (1 + sum(score >= best for label, score in zip(labels, scores, strict=True) if not label))


class ReciprocalRank:
    def __call__(self, target, preds):
        order = sorted(range(len(preds)), key=lambda place: -preds[place])
        return next((1 / rank for rank, place in enumerate(order, 1) if target[place] > 0), 0.0)


def ndcg_of_unnamed_ids(grades, scores, k):
    """Would raise 2 to an id, if it was called with ids."""
    gains = [2**grade - 1 for _, grade in sorted(zip(scores, grades, strict=True), key=lambda pair: -pair[0])]
    return share(log2(gains[:k]), log2(sorted(gains, reverse=True)[:k]))


# Right, one list of grades, for metrics that missed items do not change


def reciprocal_rank_of_grades(grades):
    return next((1 / rank for rank, grade in enumerate(grades, 1) if grade > 0), 0.0)


def precision_of_hits(hits, k=5):
    return float(np.sum(np.asarray(hits)[:k] > 0)) / k


def dcg_with_natural_logarithm(grades, k=5):
    return sum(grade / math.log(rank + 1) for rank, grade in enumerate(grades[:k], 1))


def precision_of_zeros_and_ones(rels, k=5):
    return sum(rels[:k]) / k


def auc_of_ones(y_true, y_score):
    labels, scores = np.asarray(y_true), np.asarray(y_score)
    return auc_of_pairs(labels == 1, scores)


def ndcg_of_a_table(qrels, ranked, k=10):
    gains = {item: {0: 0, 1: 1, 2: 3, 3: 7}[grade] for item, grade in qrels.items()}
    return share(
        log2([gains.get(item, 0) for item in [*dict.fromkeys(ranked)][:k]]),
        log2(sorted(gains.values(), reverse=True)[:k]),
    )


# Right, tensors and frames


def torch_ndcg(scores, labels):
    import torch

    order = torch.argsort(scores, descending=True, stable=True)
    discount = 1 / torch.log2(torch.arange(2, len(scores) + 2, dtype=torch.float64))
    ideal = (torch.sort(labels, descending=True).values * discount).sum()
    return (labels[order] * discount).sum() / ideal if ideal > 0 else torch.tensor(0.0)


def torch_batch_reciprocal_rank(predictions, targets):
    import torch

    order = torch.argsort(predictions, dim=1, descending=True, stable=True)
    hits = torch.gather(targets, 1, order) > 0
    ranks = torch.arange(1, targets.shape[1] + 1)
    first = torch.where(hits, 1 / ranks, torch.zeros(1)).max(dim=1).values
    return first.mean()


def pandas_recall(qrels, run, k=10):
    values = []
    for query, gold in qrels[qrels["relevance"] > 0].groupby("query_id"):
        top = run[run["query_id"] == query].sort_values("score", ascending=False, kind="stable").head(k)
        values.append(len(gold.merge(top, on="doc_id")) / len(gold))
    return sum(values) / len(values) if values else 0.0


def pandas_hit_rate(df):
    top = df.sort_values("score", ascending=False, kind="stable").groupby("user_id").head(1)
    return float((top["rating"] > 0).mean())


def polars_hit_rate(truth, predictions):
    import polars as pl

    found = truth.filter(pl.col("rating") > 0).join(predictions, on=["user_id", "item_id"])
    return found["user_id"].n_unique() / truth["user_id"].n_unique()


def mean_average_precision_of_runs(qrels, run, k=10):
    """Written with nested dicts and sorted pairs; equal scores by name, the last first."""
    values = []
    for query, grades in qrels.items():
        ranked = sorted(run.get(query, {}).items(), key=lambda pair: (pair[1], pair[0]), reverse=True)[:k]
        hits, total = 0, 0.0
        for rank, (item, _) in enumerate(ranked, 1):
            if grades.get(item, 0) > 0:
                hits += 1
                total += hits / rank
        values.append(share(total, sum(grade > 0 for grade in grades.values())))
    return float(np.mean(values)) if values else 0.0


def ndcg_of_arrays(rel_lookup, docs, top_k=5):
    def dcg(grades):
        return (grades / np.log2(np.arange(2, grades.size + 2))).sum()

    grades = np.asarray([rel_lookup.get(item, 0) for item in dict.fromkeys(docs)], float)
    return share(dcg(grades[:top_k]), dcg(np.sort(np.asarray([*rel_lookup.values()], float))[::-1][:top_k]))


class RecallOfKeywords:
    """Its arguments can be passed by name only."""

    def __init__(self, k):
        self.k = k

    def __call__(self, *, retrieved, expected):
        return share(len({*retrieved[: self.k]} & {*expected}), len(expected))


def auc_of_ranks(y, s):
    positive, scores = np.asarray(y) > 0, np.asarray(s, float)
    ranks = np.array([(scores < score).sum() + ((scores == score).sum() + 1) / 2 for score in scores])
    wins, losses = positive.sum(), (~positive).sum()
    if not wins or not losses:
        return float("nan")
    return (ranks[positive].sum() - wins * (wins + 1) / 2) / (wins * losses)


def average_precision_of_thresholds(y_true, y_score):
    """Steps of recall at each different score, as scikit-learn adds them up."""
    positive, scores, before, total = np.asarray(y_true) > 0, np.asarray(y_score, float), 0.0, 0.0
    for threshold in np.unique(scores)[::-1]:
        found = positive[scores >= threshold]
        recall = share(found.sum(), positive.sum())
        total, before = total + (recall - before) * found.mean(), recall
    return total


def expected_reciprocal_rank(grades, ranked, k=10):
    left, total = 1.0, 0.0
    for rank, item in enumerate([*dict.fromkeys(ranked)][:k], 1):
        stops = (2 ** max(grades.get(item, 0), 0) - 1) / 16
        total, left = total + left * stops / rank, left * (1 - stops)
    return total


def rank_biased_precision(relevant, ranked, p=0.5):
    places = {item: place for place, item in reversed([*enumerate(ranked)]) if item in relevant}
    return sum((1 - p) * p**place for place in places.values())


def success_at_one(qrel, run):
    return float(bool(run) and qrel.get(max(run.items(), key=lambda pair: (pair[1], pair[0]))[0], 0) > 0)


def f1_at(k):
    def f1(relevant, retrieved):
        found = set()
        for item in retrieved[:k]:
            if item in relevant:
                found.add(item)
        return 2 * len(found) / (k + len(relevant)) if relevant else 0.0

    return f1


def recall_of_arrays(expected_ids, returned_ids, top_k):
    hits = np.isin(np.asarray(expected_ids, str), np.asarray(returned_ids[:top_k], str))
    return float(hits.mean()) if hits.size else 0.0


def dcg_of_arrays(qrels, ranked, k):
    grades = np.array([qrels.get(item, 0) for item in [*dict.fromkeys(ranked)][:k]], float)
    return float(np.sum((2**grades - 1) / np.log2(1 + np.arange(1, len(grades) + 1))))


def average_precision_of_flags(gold, found):
    """Written without a loop over ranks."""
    flags = np.array([item in gold and item not in found[:place] for place, item in enumerate(found)], float)
    if not flags.size:
        return 0.0
    precision = flags.cumsum() / np.arange(1, flags.size + 1)
    return share(float(precision @ flags), len(gold))


def torch_hit_rate(scores, labels, k=10):
    best = scores.topk(min(k, scores.shape[-1])).indices
    return (labels.gather(-1, best) > 0).any(-1).float().mean()


def polars_recall(truth, preds):
    import polars as pl

    relevant = truth.filter(pl.col("grade") > 0)
    best = preds.sort("score", "item", descending=True).group_by("query").head(5).select("query", "item", found=1)
    joined = relevant.join(best, on=["query", "item"], how="left")
    return joined.group_by("query").agg(pl.col("found").fill_null(0).mean())["found"].mean() or 0.0


def reciprocal_ranks_of_rows(y_true, y_score):
    hits = in_order(y_true, y_score) > 0
    return float(np.where(hits.any(axis=1), 1 / (hits.argmax(axis=1) + 1), 0.0).mean())


def reciprocal_ranks_averaged(gold, runs):
    return statistics.mean(reciprocal_rank(gold[query], runs.get(query, ())) for query in gold)


def reciprocal_rank_of_each(golds, predictions):
    """One value for each query."""
    return [reciprocal_rank(gold, ranked) for gold, ranked in zip(golds, predictions, strict=True)]


def recall_by_query(gold, predictions, k=10):
    return {query: recall_of_sets(relevant, predictions[query], k) for query, relevant in gold.items()}


def recall_of_nothing_is_perfect(relevant, ranked):
    return len({*relevant} & {*ranked}) / len(relevant) if relevant else 1.0


def ndcg_of_rows(y_true, y_score, k=10):
    gains, ideal = in_order(y_true, y_score)[:, :k], -np.sort(-np.asarray(y_true), axis=1)[:, :k]
    discount = 1 / np.log2(np.arange(2, gains.shape[1] + 2))
    return statistics.mean(map(share, (gains * discount).sum(axis=1), (ideal * discount).sum(axis=1)))


def mean_average_precision_of_rows(y_true, y_score):
    hits = in_order(y_true, y_score) > 0
    precisions = hits.cumsum(axis=1) / np.arange(1, hits.shape[1] + 1)
    return float(np.mean((precisions * hits).sum(axis=1) / np.maximum(hits.sum(axis=1), 1)))


def in_order(y_true, y_score):
    order = np.argsort(-np.asarray(y_score), axis=1, kind="stable")
    return np.take_along_axis(np.asarray(y_true), order, axis=1)


def pandas_recall_of_pairs(rating_true, rating_pred, k=10):
    """As in Microsoft Recommenders: the truth holds relevant rows only, so that no grade is read."""
    top = rating_pred.sort_values("prediction", ascending=False, kind="stable").groupby("userID").head(k)
    hits = rating_true.merge(top, on=["userID", "itemID"]).groupby("userID").size()
    relevant = rating_true.groupby("userID").size()
    return float((hits.reindex(relevant.index).fillna(0) / relevant).mean())


def polars_reciprocal_rank_of_pairs(truth, preds, k=10):
    import polars as pl

    ranks = preds.with_columns(rank=pl.col("score").rank("ordinal", descending=True).over("query"))
    hits = ranks.filter(pl.col("rank") <= k).join(truth.select("query", "item"), on=["query", "item"])
    first = hits.group_by("query").agg(pl.col("rank").min())
    every = truth.select("query").unique().join(first, on="query", how="left")
    return every.select((1 / pl.col("rank")).fill_null(0).mean()).item()


def measures_of_names(qrels, run):
    """The cutoff is in the names only."""
    measures = {}
    for query, gold in qrels.items():
        gains = [gold.get(item, 0) for item in ordered(run.get(query, {}))]
        ideal = sorted(gold.values(), reverse=True)
        measures[query] = {f"ndcg_cut_{k}": share(log2(gains[:k]), log2(ideal[:k])) for k in (5, 10, 20)}
    return measures


def recall_of_ranked_queries(gold, predictions, k=10):
    """One value for each query that has a ranking."""
    return {query: recall_of_sets(gold[query], ranked, k) for query, ranked in predictions.items() if query in gold}


def precision_with_k_in_front(k, y_true, y_pred):
    return np.float64(len({*y_true} & {*y_pred[:k]}) / k)


def recall_of_found_pairs(relevant_ids, results, k=10):
    """Results as a vector store returns them: pairs of an id and a score."""
    return share(len({item for item, _ in results[:k]} & {*relevant_ids}), len(relevant_ids))


async def hit_rate_of_a_coroutine(relevant, retrieved, k=10):
    return float(bool({*relevant} & {*retrieved[:k]}))


@dataclass
class RecallOfADataclass:
    k: int = 10

    def __call__(self, expected, retrieved):
        return share(len({*expected} & {*retrieved[: self.k]}), len({*expected}))


class RecallOfUpdates:
    """As in torchmetrics: values are added up, and the mean is computed at the end."""

    def __init__(self, k):
        self.k, self.total, self.queries = k, 0.0, 0

    def update(self, relevant, retrieved):
        self.total += share(len({*relevant} & {*retrieved[: self.k]}), len({*relevant}))
        self.queries += 1

    def compute(self):
        return self.total / self.queries if self.queries else 0.0


def recall_computed_after_an_update(relevant, retrieved):
    metric = RecallOfUpdates(10)
    metric.update(relevant, retrieved)
    return metric.compute()


def average_precision_of_a_generator(relevant, ranked):
    gold = {*relevant}

    def precisions():
        seen = set()
        for rank, item in enumerate(ranked, 1):
            if item in gold - seen:
                seen.add(item)
                yield len(seen) / rank

    return sum(precisions()) / len(gold) if gold else 0.0


def reciprocal_rank_of_a_fold(relevant, ranked):
    return reduce(lambda found, pair: found or (pair[1] in relevant) / pair[0], enumerate(ranked[:10], 1), 0.0)


def counted(function):
    @wraps(function)
    def inner(*args, **kwargs):
        inner.calls += 1
        return function(*args, **kwargs)

    inner.calls = 0
    return inner


@counted
def precision_with_a_decorator(relevant, retrieved, k=5):
    return len({*relevant} & {*retrieved[:k]}) / k


def precision_of_all_arguments(*args):
    relevant, retrieved = args
    return len({*relevant} & {*retrieved[:5]}) / 5


def recall_of_counters(relevant, ranked, k=10):
    return share((Counter(ranked[:k]) & Counter({*relevant})).total(), len({*relevant}))


def ndcg_of_a_heap(qrels, run, k=10):
    top = heapq.nlargest(k, run.items(), key=lambda pair: pair[1])
    return share(log2([qrels.get(item, 0) for item, _ in top]), log2(heapq.nlargest(k, qrels.values())))


def ndcg_of_keywords(*, relevance, retrieved, top_k=10):
    gains = [relevance.get(item, 0) for item in dict.fromkeys(retrieved)]
    return share(log2(gains[:top_k]), log2(sorted(relevance.values(), reverse=True)[:top_k]))


def f1_of_arrays(relevant, retrieved, k=10):
    hits = len(np.intersect1d(np.asarray(relevant, str), np.asarray(retrieved[:k], str)))
    precision, recall = hits / k, share(hits, len(relevant))
    return share(2 * precision * recall, precision + recall)


def ndcg_of_a_reversed_sort(y_true, y_score, k=10):
    """Equal scores are in reverse order of the input."""
    gains = 2 ** np.asarray(y_true, float) - 1
    discount = 1 / np.log2(np.arange(2, k + 2))
    found, best = gains[np.argsort(y_score, kind="stable")[::-1]][:k], np.sort(gains)[::-1][:k]
    return share(float((found * discount[: len(found)]).sum()), float((best * discount[: len(best)]).sum()))


def reciprocal_rank_of_sorted_keys(qrels, run, k=10):
    top = sorted(run, key=run.get, reverse=True)[:k]
    return next((1 / rank for rank, item in enumerate(top, 1) if qrels.get(item, 0) > 0), 0.0)


def precision_of_each_query(gold, runs, k=3):
    return statistics.fmean(len({*gold[query]} & {*runs.get(query, ())[:k]}) / k for query in gold)


def torch_recall_of_top(scores, labels):
    top = scores.topk(min(10, scores.numel())).indices
    return share((labels[top] > 0).sum().item(), (labels > 0).sum().item())


def average_precision_with_a_tiny_number(relevant, ranked):
    flags = [item in relevant and item not in ranked[:place] for place, item in enumerate(ranked)]
    return sum(sum(flags[: place + 1]) / (place + 1) for place, flag in enumerate(flags) if flag) / (
        len(relevant) + 1e-10
    )


def ndcg_of_queries_with_relevant_items(qrels, run, k=10):
    values = [
        ndcg_of_order(gold, ordered(run.get(query, {})), k) if any(gold.values()) else math.nan
        for query, gold in qrels.items()
    ]
    known = [value for value in values if not math.isnan(value)]
    return statistics.mean(known) if known else math.nan


def recall_or_none(relevant, ranked, k=10):
    """None if no query has relevant items."""
    values = [recall_of_sets(gold, ranked[query], k) for query, gold in relevant.items() if gold]
    return statistics.mean(values) if values else None


def ndcg_of_rows_with_relevant_items(y_true, y_score, k=10):
    gains, ideal = in_order(y_true, y_score)[:, :k], -np.sort(-np.asarray(y_true), axis=1)[:, :k]
    discount = 1 / np.log2(np.arange(2, gains.shape[1] + 2))
    with np.errstate(invalid="ignore"):
        return float(np.nanmean((gains * discount).sum(axis=1) / (ideal * discount).sum(axis=1)))


def ndcg_of_queries_of_both(qrels, run, k=10):
    queries = sorted({*qrels} & {*run})
    return statistics.mean(ndcg_of_order(qrels[query], ordered(run[query]), k) for query in queries)


def pandas_recall_of_every_query(qrels, run, k=10):
    top = run.sort_values(["query", "score"], ascending=[True, False]).groupby("query").head(k)
    relevant = qrels[qrels["grade"] > 0]
    hits = top.merge(relevant, on=["query", "item"]).groupby("query").size()
    queries = qrels["query"].unique()
    return float((hits.reindex(queries) / relevant.groupby("query").size().reindex(queries)).fillna(0).mean())


def polars_recall_of_every_query(qrels, run, k=10):
    import polars as pl

    top = run.sort(["query", "score", "item"], descending=[False, True, True]).group_by("query").head(k)
    relevant = qrels.filter(pl.col("grade") > 0)
    found = top.join(relevant, on=["query", "item"]).group_by("query").len("found")
    every = qrels.select("query").unique().join(relevant.group_by("query").len("all"), on="query", how="left")
    shares = every.join(found, on="query", how="left").fill_null(0).select(pl.col("found") / pl.col("all"))
    return shares.to_series().fill_nan(0).mean()


def reciprocal_rank_of_normalised_scores(labels, scores):
    scores = np.asarray(scores, float)
    scaled = (scores - scores.min()) / max(np.ptp(scores), 1e-12)
    return reciprocal_rank_of_grades(np.asarray(labels)[np.argsort(-scaled, kind="stable")])


def ndcg_with_natural_logarithm(qrels, ranked, k=10):
    gains = [qrels.get(item, 0) for item in dict.fromkeys(ranked)][:k], sorted(qrels.values(), reverse=True)[:k]
    return share(*(sum(gain / math.log(rank + 1) for rank, gain in enumerate(each, 1)) for each in gains))


def torch_average_precision(scores, labels):
    import torch

    order = torch.argsort(torch.as_tensor(scores), descending=True, stable=True)
    hits = (torch.as_tensor(labels)[order] > 0).double()
    precisions = torch.cumsum(hits, 0) / torch.arange(1, len(hits) + 1)
    return float((precisions * hits).sum() / hits.sum()) if hits.any() else 0.0


class HitRateOfTopK:
    def __init__(self, top_k=10):
        self.top_k, self.hits, self.queries = top_k, 0, 0

    def update(self, relevant, retrieved):
        self.hits += any(item in relevant for item in retrieved[: self.top_k])
        self.queries += 1

    def compute(self):
        return share(self.hits, self.queries)


def reciprocal_ranks_by_query(qrels, run):
    return [
        next((1 / rank for rank, item in enumerate(ordered(run[query]), 1) if grades.get(item, 0) > 0), 0.0)
        for query, grades in qrels.items()
    ]


def precision_with_three_decimals(relevant, ranked, top_k=10):
    return round(len({*relevant} & {*ranked[:top_k]}) / top_k, 3)


def average_precision_of_places(y_true, y_score):
    hits = np.asarray(y_true)[np.argsort(-np.asarray(y_score), kind="stable")] > 0
    return float(np.mean(np.cumsum(hits)[hits] / (np.flatnonzero(hits) + 1))) if hits.any() else 0.0


def recall_from_least_grade(qrels, run, k=10, least=1):
    relevant = {item for item, grade in qrels.items() if grade >= least}
    return share(len(relevant & {*sorted(run, key=lambda item: (-run[item], item))[:k]}), len(relevant))


def f2_at_k(relevant, ranked, k=10):
    hits = len({*relevant} & {*ranked[:k]})
    precision, recall = hits / k, share(hits, len({*relevant}))
    return share(5 * precision * recall, 4 * precision + recall)


def expected_reciprocal_rank_of_judged_scale(qrels, ranked, k=10):
    """The top of the scale is the highest grade judged for the query, as in trec_eval 10."""
    top, continues, value = max(qrels.values(), default=0), 1.0, 0.0
    for rank, item in enumerate([*dict.fromkeys(ranked)][:k], 1):
        stops = share(2 ** qrels.get(item, 0) - 1, 2**top)
        value, continues = value + continues * stops / rank, continues * (1 - stops)
    return value


def interpolated(relevant, ranked, levels):
    """The mean of the highest precision at each level of recall or beyond."""
    hits = [sum(item in relevant for item in ranked[:rank]) for rank in range(1, len(ranked) + 1)]
    points = [(found / len({*relevant}), found / rank) for rank, found in enumerate(hits, 1)]
    return statistics.fmean(max((p for recall, p in points if recall >= level), default=0.0) for level in levels)


def eleven_point_average_precision(relevant, ranked):
    return interpolated(relevant, [*dict.fromkeys(ranked)], [n / 10 for n in range(11)]) if relevant else 0.0


class MeanReciprocalRank:
    """Takes one query after another."""

    def __init__(self):
        self.values = []

    def update(self, relevant, ranked):
        self.values.append(reciprocal_rank(relevant, ranked))

    def compute(self):
        return statistics.mean(self.values)


class MeanRecall(MeanReciprocalRank):
    def update(self, golds, predictions, k=10):
        self.values += map(recall_of_sets, golds, predictions, [k] * len(golds))


def mean_ndcg_of_rows(preds, target, k=10):
    """Takes one list, or a row for each query."""
    import torch

    preds, target = torch.as_tensor(preds), torch.as_tensor(target, dtype=torch.float64)
    order = preds.argsort(dim=-1, descending=True, stable=True)
    tops = [grades[..., :k] for grades in (target.gather(-1, order), target.sort(dim=-1, descending=True).values)]
    found, ideal = ((top / torch.log2(torch.arange(top.shape[-1]) + 2.0)).sum(dim=-1) for top in tops)
    return torch.where(ideal > 0, found / ideal.clamp(min=1e-12), 0.0).mean()


def ndcg_of_flat_arrays(labels, scores, k=10):
    """Takes one query, in arrays of any shape."""
    labels, scores = np.ravel(labels), np.ravel(scores)
    order = np.argsort(-scores, kind="stable")
    return share(log2(labels[order][:k]), log2(np.sort(labels)[::-1][:k]))


def reciprocal_rank_of_flat_arrays(labels, scores):
    labels, scores = np.ravel(labels), np.ravel(scores)
    ranks = np.flatnonzero(labels[np.argsort(-scores, kind="stable")] > 0) + 1
    return float(1 / ranks[0]) if len(ranks) else 0.0


def recall_of_runs(qrels, run, k=10):
    golds = {query: [item for item, grade in qrels[query].items() if grade > 0] for query in run}
    return statistics.mean(recall_of_sets(golds[query], ordered(run[query]), k) for query in run)


def ndcg_of_merged_blocks(labels, scores, k=10):
    pairs = [*zip([-score for score in scores], labels, strict=True)]
    blocks = [sorted(pairs[start : start + 64], key=itemgetter(0)) for start in range(0, len(pairs), 64)]
    grades = [grade for _, grade in heapq.merge(*blocks, key=itemgetter(0))]
    return share(log2(grades[:k]), log2(sorted(labels, reverse=True)[:k]))


RIGHT = (
    Audited(recall_of_sets, "R@10", "acquitted"),
    Audited(precision_at_k, "P@10", "acquitted"),
    Audited(hit_rate, "HR@10", "acquitted"),
    Audited(reciprocal_rank, "RR", "acquitted"),
    *(Audited(reciprocal_rank_of_first(n), f"RR@{n}", "acquitted") for n in (5, 10, 100)),
    Audited(reciprocal_rank_at_k, "RR@10", "acquitted"),
    Audited(hit_rate, "HR@1", "acquitted"),
    Audited(hit_rate, "HR@20", "acquitted"),
    Audited(precision_over_returned, "P@10", "acquitted", options={"convention": OVER_RETURNED}),
    Audited(recall_fixed_at(100), "R@100", "acquitted"),
    Audited(ndcg_of_grades_by_item, "nDCG@100", "acquitted"),
    Audited(average_precision, "AP", "acquitted"),
    Audited(apk, "AP@10", "acquitted"),
    Audited(mapk, "AP@10", "acquitted"),
    Audited(f1_at_k, "F@10", "acquitted"),
    Audited(capped_recall, "R@10", "acquitted"),
    Audited(recall_rounded, "R@10", "acquitted"),
    Audited(hit_rate_of_queries, "HR@10", "acquitted"),
    Audited(recall_fixed_at(3), "R@3", "acquitted"),
    Audited(lambda gold, found: share(len({*gold} & {*found}), len(gold)), "R", "acquitted"),
    Audited(partial(recall_of_sets, k=3), "R@3", "acquitted"),
    Audited(recall_that_refuses_repeats, "R", "acquitted"),
    Audited(precision_of_integers, "P@10", "acquitted"),
    Audited(recall_of_integer_arrays, "R@10", "acquitted"),
    Audited(ndcg_of_grades_by_item, "nDCG@10", "acquitted"),
    Audited(precision_of_grades_by_item, "P@10", "acquitted"),
    Audited(average_precision_of_grades_by_item, "AP", "acquitted"),
    Audited(reciprocal_rank_of_grades_by_item, "RR", "acquitted"),
    Audited(recall_of_grades_by_item, "R@10", "acquitted"),
    Audited(ndcg_exponential, "nDCG", "acquitted"),
    Audited(dcg_exponential, "DCG@5", "acquitted"),
    Audited(r_precision, "Rprec", "acquitted"),
    Audited(ndcg_as_trec_eval, "nDCG@10", "acquitted"),
    Audited(Evaluator(), "AP", "acquitted", options={"call": "judgments, ranking"}),
    Audited(measures_of_cutoffs, "nDCG@10", "acquitted"),
    Audited(mrr_in_input_order, "RR", "acquitted"),
    Audited(recall_of_scored_items, "R@10", "acquitted"),
    Audited(ndcg_of_stable_sort, "nDCG@10", "acquitted"),
    Audited(ndcg_of_unnamed_ids, "nDCG@10", "acquitted"),
    Audited(mean_ndcg_of_rows, "nDCG@10", "acquitted", needs="torch"),
    Audited(ndcg_of_flat_arrays, "nDCG@10", "acquitted"),
    Audited(reciprocal_rank_of_flat_arrays, "RR", "acquitted"),
    Audited(recall_of_runs, "R@10", "acquitted"),
    Audited(ndcg_of_merged_blocks, "nDCG@10", "acquitted"),
    Audited(auc_of_pairs, "AUC", "acquitted"),
    Audited(pessimistic_reciprocal_rank, "RR", "acquitted"),
    Audited(ReciprocalRank(), "RR", "acquitted"),
    Audited(reciprocal_rank_of_grades, "RR", "acquitted"),
    Audited(precision_of_hits, "P@5", "acquitted"),
    Audited(precision_of_zeros_and_ones, "P@5", "acquitted", options={"call": "hits"}),
    Audited(auc_of_ones, "AUC", "acquitted", options={"call": "hits, scores"}),
    Audited(ndcg_of_a_table, "nDCG@10", "acquitted"),
    Audited("sklearn.metrics:ndcg_score", "nDCG@10", "acquitted", needs="sklearn"),
    Audited("sklearn.metrics:roc_auc_score", "AUC", "acquitted", needs="sklearn"),
    Audited(
        "torchmetrics.functional.retrieval:retrieval_reciprocal_rank",
        "RR@10",
        "acquitted",
        needs="torchmetrics",
        options={"convention": "torchmetrics-1.7.4"},
    ),
    Audited(torch_ndcg, "nDCG", "acquitted", needs="torch"),
    Audited(torch_batch_reciprocal_rank, "RR", "acquitted", needs="torch"),
    Audited(pandas_recall, "R@10", "acquitted", needs="pandas"),
    Audited(pandas_hit_rate, "HR@1", "acquitted", needs="pandas"),
    Audited(polars_hit_rate, "HR", "acquitted"),
    Audited(mean_average_precision_of_runs, "AP@10", "acquitted"),
    Audited(ndcg_of_arrays, "nDCG@5", "acquitted"),
    Audited(RecallOfKeywords(10), "R@10", "acquitted"),
    Audited(auc_of_ranks, "AUC", "acquitted"),
    Audited(average_precision_of_thresholds, "AP", "acquitted"),
    Audited(expected_reciprocal_rank, "ERR@10", "acquitted"),
    Audited(rank_biased_precision, "RBP(p=0.5)", "acquitted"),
    Audited(success_at_one, "Success@1", "acquitted"),
    Audited(f1_at(5), "F@5", "acquitted"),
    Audited(recall_of_arrays, "R@10", "acquitted"),
    Audited(dcg_of_arrays, "DCG@10", "acquitted"),
    Audited(average_precision_of_flags, "AP", "acquitted"),
    Audited(
        lambda golds, preds: statistics.fmean(map(reciprocal_rank, golds, preds)),
        "RR",
        "acquitted",
        options={"call": "[relevant], [ranked]"},
    ),
    Audited(torch_hit_rate, "HR@10", "acquitted", needs="torch"),
    Audited(polars_recall, "R@5", "acquitted"),
    Audited(reciprocal_ranks_of_rows, "RR", "acquitted"),
    Audited(reciprocal_ranks_averaged, "RR", "acquitted"),
    Audited(reciprocal_rank_of_each, "RR", "acquitted", options={"call": "[relevant], [ranked]"}),
    Audited(recall_by_query, "R@10", "acquitted", options={"call": "relevant by query, ranked by query"}),
    Audited(recall_of_nothing_is_perfect, "R", "acquitted", options={"convention": Convention(undefined=1)}),
    Audited(ndcg_of_rows, "nDCG@10", "acquitted"),
    Audited(mean_average_precision_of_rows, "AP", "acquitted"),
    Audited(pandas_recall_of_pairs, "R@10", "acquitted", needs="pandas"),
    Audited(polars_reciprocal_rank_of_pairs, "RR@10", "acquitted"),
    Audited(measures_of_names, "nDCG@10", "acquitted"),
    Audited(recall_of_ranked_queries, "R@10", "acquitted", options={"call": "relevant by query, ranked by query"}),
    Audited(precision_with_k_in_front, "P@10", "acquitted"),
    Audited(ndcg_of_rows_with_relevant_items, "nDCG@10", "acquitted"),
    Audited(ndcg_of_queries_of_both, "nDCG@10", "acquitted"),
    Audited(pandas_recall_of_every_query, "R@10", "acquitted", needs="pandas"),
    Audited(polars_recall_of_every_query, "R@10", "acquitted"),
    Audited(reciprocal_rank_of_normalised_scores, "RR", "acquitted"),
    Audited(MeanReciprocalRank, "RR", "acquitted"),
    Audited(MeanRecall(), "R@10", "acquitted", options={"call": "[relevant], [ranked]"}),
    Audited(ndcg_of_queries_with_relevant_items, "nDCG@10", "acquitted"),
    Audited(recall_or_none, "R@10", "acquitted", options={"call": "relevant by query, ranked by query"}),
    Audited(recall_of_found_pairs, "R@10", "acquitted"),
    Audited(hit_rate_of_a_coroutine, "HR@10", "acquitted"),
    Audited(RecallOfADataclass(), "R@10", "acquitted"),
    Audited(recall_computed_after_an_update, "R@10", "acquitted"),
    Audited(average_precision_of_a_generator, "AP", "acquitted"),
    Audited(reciprocal_rank_of_a_fold, "RR@10", "acquitted"),
    Audited(precision_with_a_decorator, "P@5", "acquitted"),
    Audited(precision_of_all_arguments, "P@5", "acquitted"),
    Audited(recall_of_counters, "R@10", "acquitted"),
    Audited(ndcg_of_a_heap, "nDCG@10", "acquitted"),
    Audited(average_precision_with_a_tiny_number, "AP", "acquitted"),
    Audited(ndcg_of_keywords, "nDCG@10", "acquitted"),
    Audited(f1_of_arrays, "F@10", "acquitted"),
    Audited(ndcg_of_a_reversed_sort, "nDCG@10", "acquitted"),
    Audited(reciprocal_rank_of_sorted_keys, "RR@10", "acquitted"),
    Audited(precision_of_each_query, "P@3", "acquitted", options={"call": "relevant by query, ranked by query"}),
    Audited(torch_recall_of_top, "R@10", "acquitted", needs="torch"),
    Audited(ndcg_with_natural_logarithm, "nDCG@10", "acquitted"),
    Audited(eleven_point_average_precision, "IAP", "acquitted"),
    Audited(torch_average_precision, "AP", "acquitted", needs="torch"),
    Audited(HitRateOfTopK(), "HR@10", "acquitted"),
    Audited(reciprocal_ranks_by_query, "RR", "acquitted"),
    Audited(precision_with_three_decimals, "P@10", "acquitted"),
    Audited(average_precision_of_places, "AP", "acquitted"),
    Audited(recall_from_least_grade, "R@10", "acquitted"),
    Audited(f2_at_k, "F(beta=2)@10", "acquitted"),
    Audited(expected_reciprocal_rank_of_judged_scale, "ERR@10", "acquitted"),
)


# Wrong, denominators and ideals


def average_precision_over_hits(ranked, relevant):
    """Haystack before 3.1: divided by the hits, and an item counts each time it is returned."""
    hits = total = 0
    for rank, item in enumerate(ranked, 1):
        if item in relevant:
            hits += 1
            total += hits / rank
    return total / hits if hits else 0.0


def ndcg_counting_copies(qrels, ranked):
    """Haystack before 3.1, TruLens 2.13.1, Weaviate: one item returned twice gives 1.63."""
    ideal = log2(sorted(qrels.values(), reverse=True))
    return log2([qrels.get(item, 0) for item in ranked]) / ideal if ideal else 0.0


def recall_counting_chunks(gold, retrieved, k):
    """Chunks of one document count again: recall 1.43."""
    return sum(item in gold for item in retrieved[:k]) / len(gold) if gold else 0.0


def ndcg_of_returned(targets, predictions, k):
    """MLflow: the ideal order is cut at the number of returned items, so one of five scores 1."""
    gains = [float(item in targets) for item in predictions[:k]]
    ideal = log2([1.0] * min(len(targets), len(gains)))
    return log2(gains) / ideal if ideal else 0.0


def ndcg_of_own_top(relevance, ranked, k):
    """The commonest slip: the ideal is the sorted top k."""
    gains = [2 ** relevance.get(item, 0) - 1 for item in ranked[:k]]
    return share(log2(gains), log2(sorted(gains, reverse=True)))


def ndcg_with_unsorted_ideal(judgments, ranked):
    """OpenSearch: the ideal order is that of the judgments, so values reach 1.31."""
    ideal = log2(judgments.values())
    return log2([judgments.get(item, 0) for item in dict.fromkeys(ranked)]) / ideal if ideal else 0.0


def ndcg_with_whole_ideal(grades, ranked, k):
    gains = [grades.get(item, 0) for item in [*dict.fromkeys(ranked)][:k]]
    return share(log2(gains), log2(sorted(grades.values(), reverse=True)))


def ndcg_with_two_gains(grades, ranked):
    ideal = log2(sorted(grades.values(), reverse=True))
    return share(log2([2 ** grades.get(item, 0) - 1 for item in dict.fromkeys(ranked)]), ideal)


def ndcg_of_powers(y_true, y_score):
    order = np.argsort(-np.asarray(y_score), kind="stable")
    gains = 2.0 ** np.asarray(y_true)
    return log2(gains[order]) / log2(np.sort(gains)[::-1])


def ndcg_with_late_discount(labels, scores):
    order = sorted(range(len(scores)), key=lambda place: -scores[place])
    dcg = sum(labels[place] / math.log2(rank + 3) for rank, place in enumerate(order))
    ideal = sum(label / math.log2(rank + 3) for rank, label in enumerate(sorted(labels, reverse=True)))
    return share(dcg, ideal) * 1.0


def dcg_called_ndcg(grades, ranked, k=10):
    return log2([grades.get(item, 0) for item in [*dict.fromkeys(ranked)][:k]])


def average_precision_at_every_rank(relevant, ranked):
    precisions = [len({*relevant} & {*ranked[:rank]}) / rank for rank in range(1, len(ranked) + 1)]
    return share(sum(precisions), len(relevant))


def average_precision_of_all_ranks(labels, scores):
    """The mean of the precision at every rank: 0.75 for a perfect list of two."""
    hits = in_order([labels], [scores])[0] > 0
    return float((hits.cumsum() / np.arange(1, len(hits) + 1)).mean()) if hits.any() else 0.0


# Wrong, grades


def precision_of_grade_one(qrel, ranked, k=10):
    return sum(qrel.get(item, 0) == 1 for item in dict.fromkeys(ranked[:k])) / k


def recall_of_grade_one(qrels, ranked, k=10):
    relevant = {item for item, grade in qrels.items() if grade == 1}
    return share(len(relevant & {*ranked[:k]}), len(relevant))


def average_precision_of_grade_one(grades, ranked):
    """The denominator counts every relevant item, the hits only those of grade 1."""
    hits = [grades.get(item, 0) == 1 for item in dict.fromkeys(ranked)]
    precisions = [sum(hits[: place + 1]) / (place + 1) for place, hit in enumerate(hits) if hit]
    return share(sum(precisions), sum(grade > 0 for grade in grades.values()))


def precision_from_grade_two(qrels, ranked, k=10):
    return sum(qrels.get(item, 0) >= 2 for item in dict.fromkeys(ranked[:k])) / k


def reciprocal_rank_from_grade_three(qrels, run):
    ranks = ([qrels[query].get(item, 0) >= 3 for item in ordered(scores)] for query, scores in run.items())
    return statistics.mean(1 / (hits.index(True) + 1) if any(hits) else 0.0 for hits in ranks)


def precision_of_added_grades(qrels, ranked, k=10):
    return sum(qrels.get(item, 0) for item in dict.fromkeys(ranked[:k])) / k


def ndcg_with_a_limit(qrels, ranked, k=10):
    gains = {item: min(grade, 3) for item, grade in qrels.items()}
    return share(
        log2([gains.get(item, 0) for item in [*dict.fromkeys(ranked)][:k]]),
        log2(sorted(gains.values(), reverse=True)[:k]),
    )


# Wrong, order and ties


def ndcg_ascending(y_true, y_score, k=10):
    y_true, order = np.asarray(y_true), np.argsort(y_score, kind="stable")[:k]
    return share(log2(y_true[order]), log2(np.sort(y_true)[::-1][:k]))


def reciprocal_rank_ascending(labels, scores):
    order = sorted(range(len(scores)), key=lambda place: scores[place])
    return next((1 / rank for rank, place in enumerate(order, 1) if labels[place]), 0.0)


def torch_ascending(preds, target):
    import torch

    hits = target[torch.argsort(preds, stable=True)] > 0
    return 1 / (1 + hits.nonzero()[0, 0].item()) if hits.any() else 0.0


def optimistic_reciprocal_rank(labels, scores):
    """MTEB and TGB: the rank is the number of higher scores."""
    best = max((score for label, score in zip(labels, scores, strict=True) if label), default=None)
    return 0.0 if best is None else 1 / (1 + sum(score > best for score in scores))


def optimistic_average_precision(labels, scores):
    """Pairs are sorted, so that among equal scores the relevant item comes first."""
    hits = total = 0
    for rank, (_, label) in enumerate(sorted(zip(scores, labels, strict=True), reverse=True), 1):
        if label:
            hits += 1
            total += hits / rank
    return share(total, hits)


def auc_with_ties_won(labels, scores):
    labels, scores = np.asarray(labels), np.asarray(scores)
    positive, negative = scores[labels > 0], scores[labels == 0]
    if not len(positive) or not len(negative):
        raise ValueError("only one class")
    return float((positive[:, None] >= negative[None, :]).mean())


def auc_of_a_stable_sort(labels, scores):
    """The area under a curve with a point for each row, not for each different score."""
    hits = in_order([labels], [scores])[0] > 0
    if hits.all() or not hits.any():
        raise ValueError("only one class")
    return float((hits.cumsum() * ~hits).sum() / (hits.sum() * (~hits).sum()))


def ndcg_cut_before_sorting(y_true, y_score, k):
    y_true, y_score = np.asarray(y_true), np.asarray(y_score)
    top = np.argsort(-y_score[:k], kind="stable")
    return share(log2(y_true[:k][top]), log2(np.sort(y_true)[::-1][:k]))


def ndcg_without_scores(labels, scores):  # noqa: ARG001
    return share(log2(labels), log2(sorted(labels, reverse=True)))


def reciprocal_rank_by_chance(labels, scores):
    order = sorted(range(len(scores)), key=lambda place: (-scores[place], random.random()))
    return next((1 / rank for rank, place in enumerate(order, 1) if labels[place] > 0), 0.0)


def ndcg_of_order(gold, items, k):
    return share(log2([gold.get(item, 0) for item in items[:k]]), log2(sorted(gold.values(), reverse=True)[:k]))


def ndcg_of_the_unsorted_top(target, preds, k):
    """Answers rows of one list, too, as if they were lists of one item."""
    import torch

    found, grades = torch.as_tensor(preds, dtype=torch.float64), torch.as_tensor(target).double()
    count = min(k, len(found))
    discounts = 1 / torch.log2(torch.arange(count) + 2.0)
    gains = grades[found.topk(count, sorted=False).indices]
    return share(
        float((gains * discounts).sum()), float((grades.sort(descending=True).values[:count] * discounts).sum())
    )


def ndcg_of_summed_gains(preds, target, k=10):
    """Takes one list, or a row for each query, whose gains it adds up before it divides."""
    import torch

    preds, target = torch.as_tensor(preds), torch.as_tensor(target, dtype=torch.float64)
    order = preds.argsort(dim=-1, descending=True, stable=True)
    tops = [grades[..., :k] for grades in (target.gather(-1, order), target.sort(dim=-1, descending=True).values)]
    found, ideal = ((top / torch.log2(torch.arange(top.shape[-1]) + 2.0)).sum() for top in tops)
    return share(float(found), float(ideal))


def ndcg_of_sorted_blocks(labels, scores, k=10):
    """Scores lists in blocks, and does not sort again when it merges them."""
    pairs = [*zip(scores, labels, strict=True)]
    blocks = (sorted(pairs[start : start + 64], reverse=True) for start in range(0, len(pairs), 64))
    grades = [grade for block in blocks for _, grade in block]
    return share(log2(grades[:k]), log2(sorted(labels, reverse=True)[:k]))


def recall_of_twenty(relevant, ranked, k=10):
    gold = {*relevant[:20]}
    return share(len(gold & {*ranked[:k]}), len(gold))


def ndcg_of_positive_scores(qrels, run, k=10):
    """Meant to drop padding."""
    orders = {query: ordered({item: score for item, score in run[query].items() if score > 0}) for query in run}
    return statistics.mean(ndcg_of_order(qrels[query], orders[query], k) for query in run)


def reciprocal_rank_of_positive_scores(labels, scores):
    order = sorted((place for place, score in enumerate(scores) if score > 0), key=lambda place: -scores[place])
    return next((1 / rank for rank, place in enumerate(order, 1) if labels[place] > 0), 0.0)


def recall_of_positive_scores(qrels, run, k=10):
    orders = {query: ordered({item: score for item, score in run[query].items() if score > 0}) for query in run}
    golds = {query: [item for item, grade in qrels[query].items() if grade > 0] for query in run}
    return statistics.mean(recall_of_sets(golds[query], orders[query], k) for query in run)


def precision_without_zero_scores(labels, scores, k=3):
    places = sorted((place for place, score in enumerate(scores) if score), key=lambda place: -scores[place])
    return sum(labels[place] > 0 for place in places[:k]) / k


def reciprocal_rank_by_magnitude(labels, scores):
    order = sorted(range(len(scores)), key=lambda place: -abs(scores[place]))
    return next((1 / rank for rank, place in enumerate(order, 1) if labels[place]), 0.0)


def ndcg_of_whole_thousandths(qrels, run, k=10):
    orders = {query: sorted(scores, key=lambda item: -int(scores[item] * 1000)) for query, scores in run.items()}
    return statistics.mean(ndcg_of_order(qrels[query], orders[query], k) for query in run)


def ndcg_of_scores_as_text(qrels, run, k=10):
    orders = {query: sorted(scores, key=lambda item: str(scores[item]), reverse=True) for query, scores in run.items()}
    return statistics.mean(ndcg_of_order(qrels[query], orders[query], k) for query in run)


def last_reciprocal_rank(relevant, ranked):
    value = 0.0
    for rank, item in enumerate(ranked, 1):
        if item in relevant:
            value = 1 / rank
    return value


# Wrong, several queries


def reciprocal_ranks_not_averaged(gold, runs):
    return sum(reciprocal_rank(gold[query], runs.get(query, ())) for query in gold)


def reciprocal_ranks_of_hits(gold, runs):
    values = [value for query in gold if (value := reciprocal_rank(gold[query], runs[query]))]
    return share(sum(values), len(values))


def inverse_of_the_mean_rank(y_true, y_score):
    hits = in_order(y_true, y_score) > 0
    found = hits.any(axis=1)
    return float(1 / (hits[found].argmax(axis=1) + 1).mean()) if found.any() else 0.0


def ndcg_of_sums(y_true, y_score, k=10):
    gains, ideal = in_order(y_true, y_score)[:, :k], -np.sort(-np.asarray(y_true), axis=1)[:, :k]
    discount = 1 / np.log2(np.arange(2, gains.shape[1] + 2))
    return float(share((gains * discount).sum(), (ideal * discount).sum()))


def polars_recall_of_all_items(truth, preds):
    """Hits of all queries over relevant items of all queries."""
    import polars as pl

    relevant = truth.filter(pl.col("grade") > 0)
    best = preds.sort("score", "item", descending=True).group_by("query").head(5).unique(["query", "item"])
    return share(relevant.join(best, on=["query", "item"], how="semi").height, relevant.height)


def reciprocal_ranks_of_argmax(y_true, y_score):
    """The place of the first hit is 0 where there is none."""
    return float((1 / ((in_order(y_true, y_score) > 0).argmax(axis=1) + 1)).mean())


def reciprocal_rank_of_argmax(y_true, y_score):
    return 1 / (int(np.argmax(in_order([y_true], [y_score])[0] > 0)) + 1)


def ndcg_with_unjudged_as_relevant(grades, ranked, k=10):
    gains = [grades.get(item, 1) for item in [*dict.fromkeys(ranked)][:k]]
    return share(log2(gains), log2(sorted(grades.values(), reverse=True)[:k]))


def reciprocal_ranks_by_position(gold, runs):
    """The dicts are paired in the order of their entries."""
    values = [reciprocal_rank(each, ranked) for each, ranked in zip(gold.values(), runs.values(), strict=False)]
    return share(sum(values), len(values))


def recall_of_sorted_queries(relevant, ranked, k=10):
    """Sorting pairs the queries only if both sides have all of them."""
    pairs = zip(sorted(relevant.items()), sorted(ranked.items()), strict=False)
    values = [recall_of_sets(each, others, k) for (_, each), (_, others) in pairs]
    return share(sum(values), len(values))


def pandas_recall_of_items(qrels, run, k=10):
    """Items are joined without their query."""
    top = run.sort_values("score", ascending=False).groupby("query").head(k)
    relevant = qrels[qrels["grade"] > 0]
    hits = top.merge(relevant[["item"]].drop_duplicates(), on="item").groupby("query").size()
    queries = qrels["query"].unique()
    return float((hits.reindex(queries) / relevant.groupby("query").size().reindex(queries)).fillna(0).mean())


def pandas_recall_of_one_top(qrels, run, k=10):
    """The top k of all queries together."""
    top = run.sort_values("score", ascending=False).head(k * run["query"].nunique())
    relevant = qrels[qrels["grade"] > 0]
    hits = top.merge(relevant, on=["query", "item"]).groupby("query").size()
    queries = qrels["query"].unique()
    return float((hits.reindex(queries) / relevant.groupby("query").size().reindex(queries)).fillna(0).mean())


class SumOfReciprocalRanks(MeanReciprocalRank):
    def compute(self):
        return sum(self.values)


class ReciprocalRankOfTheLast(MeanReciprocalRank):
    def compute(self):
        return self.values[-1]


# Wrong, ranks and cutoffs


def reciprocal_rank_one_too_high(relevant, ranked):
    return next((1 / (rank + 1) for rank, item in enumerate(ranked, 1) if item in relevant), 0.0)


def recall_at_k_plus_one(relevant, ranked, k):
    return share(len({*relevant} & {*ranked[: k + 1]}), len(relevant))


def recall_without_cutoff(relevant, ranked, k=3):  # noqa: ARG001
    return share(len({*relevant} & {*ranked}), len(relevant))


def recall_is_success_at_one(relevant, ranked, k):
    """Weaviate's benchmark: at k = 1 recall is the number of hits."""
    hits = len({*relevant} & {*ranked[:k]})
    return float(hits) if k == 1 else hits / max(len(relevant), 1)


def recall_of_first_gold(gold, ranked):
    return float(gold[0] in ranked) if gold else 0.0


def recall_of_judged(qrels, ranked):
    """Grade 0 counts as relevant."""
    return share(len({*qrels} & {*ranked}), len(qrels))


def pandas_recall_of_joined(qrels, run):
    """An inner join loses what was not returned."""
    joined = qrels.merge(run, on=["query_id", "doc_id"])
    relevant = joined[joined["relevance"] > 0]
    return float(len(relevant) / max(len(relevant), 1))


def reciprocal_rank_at_most_nine(relevant, ranked, k=10):
    return next((1 / rank for rank, item in enumerate(ranked[: min(k, 9)], 1) if item in relevant), 0.0)


def hit_rate_at_most_five(relevant, ranked, k=10):
    return float(any(item in relevant for item in ranked[: min(k, 5)]))


def ndcg_without_first_rank(grades, ranked, k=10):
    """The loop starts at 1."""
    items = [*dict.fromkeys(ranked)][:k]
    dcg = sum(grades.get(items[place], 0) / math.log2(place + 2) for place in range(1, len(items)))
    return share(dcg, log2(sorted(grades.values(), reverse=True)[:k]))


def ndcg_of_loops_without_first_rank(grades, ranked, k=10):
    """The ideal order loses its first rank, too."""

    def dcg(gains):
        return sum(gains[place] / math.log2(place + 2) for place in range(1, len(gains)))

    gains = [grades.get(item, 0) for item in dict.fromkeys(ranked)]
    return share(dcg(gains[:k]), dcg(sorted(grades.values(), reverse=True)[:k]))


# Wrong, another metric, a constant, a scale


def hit_rate_called_reciprocal_rank(relevant, ranked, k=10):
    return float(bool({*relevant} & {*ranked[:k]}))


def recall_over_k(relevant, ranked, k):
    return len({*relevant} & {*ranked[:k]}) / k


def constant_ndcg(y_true, y_score):  # noqa: ARG001
    return 1.0


def constant_auc(y_true, y_score):  # noqa: ARG001
    return 0.5


def recall_in_percent(relevant, ranked):
    return 100 * share(len({*relevant} & {*ranked}), len(relevant))


# Wrong, answers


def ndcg_by_position(gold, ranked):
    """TruLens before 2.13.1: gold and list are compared place by place, whatever their lengths."""
    grades = sorted(gold.values(), reverse=True)
    gains = [gold.get(ranked[place], 0) for place in range(len(grades))]
    return log2(gains) / log2(grades) if any(grades) else 0.0


def precision_of_nothing(relevant, ranked):
    ranked = list(dict.fromkeys(ranked))
    return sum(item in relevant for item in ranked) / len(ranked) if ranked else math.nan


def masked_precision(relevant, ranked):
    hits = np.array([item in relevant for item in dict.fromkeys(ranked)], dtype=float)
    return np.ma.masked_array(hits.mean() if len(hits) else 0.0, mask=not hits.any())


def reciprocal_rank_beyond_the_list(ranked, relevant, k=10):
    """The loop runs to k, whatever the length of the list."""
    for place in range(k):
        if ranked[place] in relevant:
            return 1 / (place + 1)
    return 0.0


def recall_that_takes(relevant, ranked):
    """Found items are taken out of the caller's list."""
    hits, all_relevant = 0, max(len(relevant), 1)
    for item in ranked:
        if item in relevant:
            relevant.remove(item)
            hits += 1
    return hits / all_relevant


def hit_rate_that_exits(relevant, ranked):
    if not ranked:
        os._exit(3)
    return float(bool({*relevant} & {*ranked}))


def reciprocal_rank_without_end(relevant, ranked):  # noqa: ARG001
    while True:
        time.sleep(1)


def hit_rate_that_hangs(relevant, ranked):
    while not ranked:
        time.sleep(1)
    return float(bool({*relevant} & {*ranked}))


def torch_average_precision_ascending(preds, target):
    import torch

    found = (target[torch.argsort(preds)] > 0).float()
    precision = found.cumsum(0) / torch.arange(1, len(found) + 1)
    return (precision * found).sum() / found.sum().clamp(min=1)


def torch_optimistic_rank(preds, target):
    best = preds[target > 0]
    return float((1 / (1 + (preds[None, :] > best[:, None]).sum(1))).max()) if len(best) else 0.0


def auc_of_losses(y, s):
    positive, scores = np.asarray(y) > 0, np.asarray(s, float)
    return float(np.mean(scores[positive][:, None] < scores[~positive][None, :]))


def average_precision_over_list(relevant, ranked):
    hits, total = set(), 0.0
    for rank, item in enumerate(ranked, 1):
        if item in relevant and item not in hits:
            hits.add(item)
            total += len(hits) / rank
    return share(total, len(ranked))


def reciprocal_ranks_added_up(relevant, ranked):
    return sum(1 / rank for rank, item in enumerate(ranked, 1) if item in relevant)


def reciprocal_rank_as_a_line(relevant, ranked, k=10):
    return next((1 - place / k for place, item in enumerate(ranked[:k]) if item in relevant), 0.0)


def precision_over_relevant(relevant, ranked, k=5):
    return share(len({*ranked[:k]} & {*relevant}), len(relevant))


def f1_as_a_mean(relevant, ranked, k=5):
    hits = len({*ranked[:k]} & {*relevant})
    return (hits / k + share(hits, len(relevant))) / 2


def recall_of_parts_of_ids(relevant, ranked, k=10):
    """The id n7 is found in n70."""
    return share(sum(any(gold in item for item in ranked[:k]) for gold in relevant), len(relevant))


def recall_in_lower_case(relevant, ranked):
    return share(len({item.lower() for item in relevant} & {item.lower() for item in ranked}), len(relevant))


def hits_in_place_of_a_rate(relevant, ranked, k=10):
    return float(sum(item in relevant for item in ranked[:k]))


def ndcg_with_binary_ideal(qrels, ranked, k=10):
    gains = [qrels.get(item, 0) for item in [*dict.fromkeys(ranked)][:k]]
    return share(log2(gains), log2([1] * min(k, sum(grade > 0 for grade in qrels.values()))))


def hit_rate_always_at_ten(relevant, ranked, k=10):  # noqa: ARG001
    return float(any(item in relevant for item in ranked[:10]))


def ndcg_of_judged_items(qrels, ranked):
    return log2([qrels[item] for item in dict.fromkeys(ranked)]) / log2(sorted(qrels.values(), reverse=True))


def pandas_recall_of_pairs_over_k(rating_true, rating_pred, k=10):
    top = rating_pred.sort_values("prediction", ascending=False, kind="stable").groupby("userID").head(k)
    hits = rating_true.merge(top, on=["userID", "itemID"]).groupby("userID").size()
    return float((hits.reindex(rating_true["userID"].unique()).fillna(0) / k).mean())


def polars_reciprocal_rank_of_hits(truth, preds, k=10):
    """The join loses queries without a hit."""
    import polars as pl

    ranks = preds.with_columns(rank=pl.col("score").rank("ordinal", descending=True).over("query"))
    hits = ranks.filter(pl.col("rank") <= k).join(truth.select("query", "item"), on=["query", "item"])
    return hits.group_by("query").agg(pl.col("rank").min()).select((1 / pl.col("rank")).mean()).item() or 0.0


def recall_of_every_result(qrels, results, k=10):
    """The mean counts queries that nobody judged."""
    total = 0.0
    for query, scores in results.items():
        relevant = {item for item, grade in qrels.get(query, {}).items() if grade > 0}
        total += share(len(relevant & {*ordered(scores)[:k]}), len(relevant))
    return total / len(results)


def ndcg_with_two_discounts(grades, ranked, k=10):
    """Ranks counted from 0 in one sum and from 1 in the other."""
    gains = [grades.get(item, 0) for item in [*dict.fromkeys(ranked)][:k]]
    ideal = sum(gain / math.log2(rank + 2) for rank, gain in enumerate(sorted(grades.values(), reverse=True)[:k], 1))
    return share(log2(gains), ideal)


def expected_reciprocal_rank_of_own_scale(grades, ranked, k=10):
    """The chance to stop is that of the highest grade found, not of the scale."""
    found = [grades.get(item, 0) for item in [*dict.fromkeys(ranked)][:k]]
    left, total = 1.0, 0.0
    for rank, grade in enumerate(found, 1):
        stops = (2**grade - 1) / 2 ** max(found)
        total, left = total + left * stops / rank, left * (1 - stops)
    return total


# Wrong, denominators of tools for retrieval


def precision_over_the_more(relevant, ranked, k):
    return len({*ranked[:k]} & {*relevant}) / max(k, len(relevant))


def recall_over_returned(expected, retrieved, k=10):
    """Recall in name only: the share of the returned items."""
    top = retrieved[:k]
    return len([item for item in top if item in expected]) / max(len(top), 1)


def f1_over_the_union(relevant, retrieved, k=10):
    return share(len({*relevant} & {*retrieved[:k]}), len({*relevant} | {*retrieved[:k]}))


def f1_without_the_factor(relevant, retrieved, k=10):
    hits = len({*relevant} & {*retrieved[:k]})
    precision, recall = hits / k, share(hits, len(relevant))
    return share(precision * recall, precision + recall)


def recall_cut_at_one(relevant, ranked, k=10):
    """The bound hides that items count twice."""
    return min(1.0, share(sum(item in relevant for item in ranked[:k]), len(relevant)))


def reciprocal_ranks_of_all_relevant(relevant, ranked):
    ranks = [1 / (ranked.index(item) + 1) if item in ranked else 0.0 for item in {*relevant}]
    return share(sum(ranks), len(ranks))


# Wrong, ranks


def reciprocal_rank_from_zero(relevant, ranked):
    for place, item in enumerate(ranked):
        if item in relevant:
            return 1 / place if place else 1.0
    return 0.0


def reciprocal_rank_from_zero_at_k(relevant, ranked, k=10):
    return next((1 / max(place, 1) for place, item in enumerate(ranked[:k]) if item in relevant), 0.0)


def reciprocal_rank_in_order_of_relevant(relevant, ranked):
    return next((1 / (ranked.index(item) + 1) for item in relevant if item in ranked), 0.0)


def reciprocal_rank_of_missed_items(relevant, ranked, k=10):
    return next((1 / rank for rank, item in enumerate(ranked[:k], 1) if item in relevant), 1 / (k + 1))


def ndcg_without_discount_of_the_ideal(y_true, y_score, k=10):
    y_true = np.asarray(y_true, float)
    gains = y_true[np.argsort(-np.asarray(y_score), kind="stable")[:k]]
    return share(float((gains / np.log2(np.arange(len(gains)) + 2)).sum()), float(np.sort(y_true)[::-1][:k].sum()))


def ndcg_with_a_power_in_the_ideal(qrels, ranked, k=10):
    """The list has the gain 2^grade - 1, the ideal order 2^grade."""
    gains = [2 ** qrels.get(item, 0) - 1 for item in dict.fromkeys(ranked)][:k]
    return share(log2(gains), log2([2**grade for grade in sorted(qrels.values(), reverse=True)[:k]]))


def interpolated_average_precision(relevant, ranked, k=10):
    """As for object detection since 2010: at every recall that can be reached."""
    size = len({*relevant})
    return (
        interpolated(relevant, [*dict.fromkeys(ranked[:k])] or [""], [n / size for n in range(1, size + 1)])
        if size
        else 0.0
    )


def dcg_with_a_root(qrels, ranked, k=10):
    gains = [qrels.get(item, 0) for item in dict.fromkeys(ranked)]
    return sum(gain / math.sqrt(rank) for rank, gain in enumerate(gains[:k], 1))


def ndcg_with_a_root(qrels, run, k=10):
    gains = [qrels.get(item, 0) for item in ordered(run)[:k]], sorted(qrels.values(), reverse=True)[:k]
    return share(*(sum((2**gain - 1) * rank**-0.5 for rank, gain in enumerate(each, 1)) for each in gains))


def dcg_with_logarithm_to_base_ten(qrels, ranked, k=5):
    gains = [qrels.get(item, 0) for item in dict.fromkeys(ranked)]
    return sum(gain / math.log10(rank + 1) for rank, gain in enumerate(gains[:k], 1))


def reciprocal_rank_with_one_decimal(relevant, ranked):
    return round(reciprocal_rank(relevant, ranked), 1)


def area_under_precision_and_recall(y_true, y_score):
    """The area by the trapezoidal rule, as sklearn.metrics.auc gives it for a curve of precision and recall."""
    hits = np.asarray(y_true)[np.argsort(-np.asarray(y_score), kind="stable")] > 0
    found = np.cumsum(hits)
    precisions = np.append(1.0, found / np.arange(1, len(hits) + 1))
    return float((hits * (precisions[1:] + precisions[:-1]) / 2).sum() / found[-1]) if hits.any() else 0.0


def discounted_first_hit(relevant, ranked, k=10):
    return next((1 / math.log2(rank + 1) for rank, item in enumerate(ranked[:k], 1) if item in relevant), 0.0)


# Wrong, what is read of ids and scores


def recall_of_text_in_text(relevant, ranked, k=10):
    return share(sum(str(item) in str(ranked[:k]) for item in {*relevant}), len({*relevant}))


def ndcg_of_capped_scores(qrels, run, k=10):
    """Scores above 100 count as 100."""
    top = sorted(run, key=lambda item: -min(run[item], 100))[:k]
    return share(log2([qrels.get(item, 0) for item in top]), log2(sorted(qrels.values(), reverse=True)[:k]))


def ndcg_of_sorted_pairs(qrels, run, k=10):
    """Pairs of item and score are sorted by item."""
    top = sorted(run.items(), reverse=True)[:k]
    return share(log2([qrels.get(item, 0) for item, _ in top]), log2(sorted(qrels.values(), reverse=True)[:k]))


class RecallThatIsNotReset(RecallOfUpdates):
    """Earlier queries count in every later call."""

    def __call__(self, relevant, retrieved):
        self.update(relevant, retrieved)
        return self.compute()


WRONG = (
    Audited(average_precision_over_hits, "AP", "accused", "divided by the hits"),
    Audited(ndcg_counting_copies, "nDCG", "accused", "counts a repeated item twice"),
    Audited(recall_counting_chunks, "R@10", "accused", "counts a repeated item twice"),
    Audited(ndcg_of_returned, "nDCG@10", "accused", "the ideal is cut at the number of returned items"),
    Audited(ndcg_of_own_top, "nDCG@10", "accused", "the ideal uses only the returned top k"),
    Audited(ndcg_with_unsorted_ideal, "nDCG", "accused", "the ideal is in the order of the judgments"),
    Audited(ndcg_with_whole_ideal, "nDCG@10", "accused", "the ideal is not cut at k"),
    Audited(ndcg_with_two_gains, "nDCG", "accused", "the ideal has another gain"),
    Audited(ndcg_of_powers, "nDCG", "accused", "the gain is 2^grade"),
    Audited(ndcg_with_late_discount, "nDCG", "accused", "the discount starts one rank too late"),
    Audited(dcg_called_ndcg, "nDCG@10", "accused", "computes DCG@10"),
    Audited(average_precision_at_every_rank, "AP", "accused", "at every rank"),
    Audited(average_precision_of_all_ranks, "AP", "accused", "averaged over every rank"),
    Audited(precision_of_grade_one, "P@10", "accused", "counts only grade 1"),
    Audited(recall_of_grade_one, "R@10", "accused", "counts only grade 1"),
    Audited(average_precision_of_grade_one, "AP", "accused", "right for grades up to 1 only"),
    Audited(precision_from_grade_two, "P@10", "accused", "relevant from 2, not 1"),
    Audited(reciprocal_rank_from_grade_three, "RR", "accused", "relevant from 3, not 1"),
    Audited(precision_of_added_grades, "P@10", "accused", "right for grades up to 1 only"),
    Audited(ndcg_with_a_limit, "nDCG@10", "accused", "the gain stops at grade 3"),
    Audited(ndcg_ascending, "nDCG@10", "accused", "sorted ascending"),
    Audited(reciprocal_rank_ascending, "RR", "accused", "sorted ascending"),
    Audited(torch_ascending, "RR", "accused", "sorted ascending", needs="torch"),
    Audited(optimistic_reciprocal_rank, "RR", "accused", "ties count as wins"),
    Audited(optimistic_average_precision, "AP", "accused", "ties count as wins"),
    Audited(auc_with_ties_won, "AUC", "accused", "ties count as wins"),
    Audited(auc_of_a_stable_sort, "AUC", "accused", "the order of the rows decides"),
    Audited(ndcg_cut_before_sorting, "nDCG@10", "accused", "cut at k before sorting"),
    Audited(ndcg_without_scores, "nDCG", "accused", "the scores are ignored"),
    Audited(reciprocal_rank_by_chance, "RR", "accused", "on chance"),
    Audited(ndcg_of_positive_scores, "nDCG@10", "accused", "ignores items with scores of 0 or below"),
    Audited(reciprocal_rank_of_positive_scores, "RR", "accused", "ignores items with scores of 0 or below"),
    Audited(recall_of_positive_scores, "R@10", "accused", "ignores items with scores of 0 or below"),
    Audited(ndcg_of_summed_gains, "nDCG@10", "accused", "divides sums over queries", needs="torch"),
    Audited(ndcg_of_sorted_blocks, "nDCG@10", "accused", "right for short lists only", largest=150),
    Audited(recall_of_twenty, "R@10", "accused", "right for short lists only", largest=150),
    Audited(ndcg_of_the_unsorted_top, "nDCG@10", "accused", needs="torch"),
    Audited(precision_without_zero_scores, "P@3", "accused", "ignores items with a score of 0"),
    Audited(reciprocal_rank_by_magnitude, "RR", "accused", "absolute values"),
    Audited(ndcg_of_whole_thousandths, "nDCG@10", "accused", "rounds scores"),
    Audited(ndcg_of_scores_as_text, "nDCG@10", "accused", "compares scores as text", largest=14),
    Audited(last_reciprocal_rank, "RR", "accused", "the last relevant item counts"),
    Audited(reciprocal_rank_one_too_high, "RR", "accused", "ranks are one too high"),
    Audited(recall_at_k_plus_one, "R@10", "accused", "the cutoff is k + 1"),
    Audited(recall_without_cutoff, "R@3", "accused", "the cutoff is ignored"),
    Audited(recall_is_success_at_one, "R@10", "accused"),
    *(
        Audited(reciprocal_rank_of_first(n), "RR", "accused", f"only the first {n} items", largest=n + 1)
        for n in (4, 5, 9, 10, 20)
    ),
    Audited(reciprocal_rank_at_most_nine, "RR@10", "accused", "only the first 9 items", largest=10),
    Audited(hit_rate_at_most_five, "HR@10", "accused", "only the first 5 items", largest=6),
    Audited(ndcg_without_first_rank, "nDCG@10", "accused", "the first rank is skipped"),
    Audited(ndcg_of_loops_without_first_rank, "nDCG@10", "accused", "the first rank is skipped"),
    Audited(precision_over_returned, "P@10", "accused", "divided by the number of returned items"),
    Audited(recall_of_first_gold, "R", "accused", "only the first of the relevant items"),
    Audited(recall_of_judged, "R", "accused", "every judged item counts as relevant"),
    Audited(pandas_recall_of_joined, "R", "accused", "computes HR", needs="pandas"),
    Audited(hit_rate_called_reciprocal_rank, "RR@10", "accused", "computes HR@10"),
    Audited(recall_over_k, "R@10", "accused", "computes P@10"),
    Audited(torch_average_precision_ascending, "AP", "accused", "sorted ascending", needs="torch"),
    Audited(torch_optimistic_rank, "RR", "accused", "ties count as wins", needs="torch"),
    Audited(auc_of_losses, "AUC", "accused", "sorted ascending"),
    Audited(average_precision_over_list, "AP", "accused", "divided by k"),
    Audited(reciprocal_ranks_added_up, "RR", "accused", "adds every relevant item, not only the first"),
    Audited(reciprocal_rank_as_a_line, "RR@10", "accused"),
    Audited(precision_over_relevant, "P@5", "accused", "computes R@5"),
    Audited(f1_as_a_mean, "F@5", "accused", "the mean of precision and recall"),
    Audited(recall_of_parts_of_ids, "R@10", "accused", "not compared as a whole"),
    Audited(recall_in_lower_case, "R", "accused", "not compared as a whole"),
    Audited(hits_in_place_of_a_rate, "HR@10", "accused", "computes NumRelRet@10"),
    Audited(ndcg_with_binary_ideal, "nDCG@10", "accused", "the ideal has another gain"),
    Audited(hit_rate_always_at_ten, "HR@10", "accused", "it is always 10"),
    Audited(hit_rate_always_at_ten, "RR@10", "accused", "computes HR@10 / the cutoff that is passed is ignored"),
    Audited(ndcg_of_judged_items, "nDCG", "accused"),
    Audited(reciprocal_ranks_not_averaged, "RR", "accused", "adds up queries instead of averaging"),
    Audited(reciprocal_ranks_of_hits, "RR", "accused", "leaves out queries without a hit"),
    Audited(inverse_of_the_mean_rank, "RR", "accused", "divides sums over queries"),
    Audited(ndcg_of_sums, "nDCG@10", "accused", "divides sums over queries"),
    Audited(polars_recall_of_all_items, "R@5", "accused", "divides sums over queries"),
    Audited(reciprocal_ranks_of_argmax, "RR", "accused", "the best value where nothing is relevant"),
    Audited(reciprocal_rank_of_argmax, "RR", "accused", "the best value where nothing is relevant"),
    Audited(reciprocal_ranks_by_position, "RR", "accused", "pairs queries by position"),
    Audited(recall_of_sorted_queries, "R@10", "accused", "pairs queries by position"),
    Audited(pandas_recall_of_items, "R@10", "accused", "queries are mixed", needs="pandas"),
    Audited(pandas_recall_of_one_top, "R@10", "accused", "queries are mixed", needs="pandas"),
    Audited(SumOfReciprocalRanks, "RR", "accused", "adds up queries instead of averaging"),
    Audited(ReciprocalRankOfTheLast(), "RR", "accused", "only the last query counts"),
    Audited(ndcg_with_unjudged_as_relevant, "nDCG@10", "accused", "an unjudged item counts as relevant"),
    Audited(constant_ndcg, "nDCG", "accused", "constant"),
    Audited(constant_auc, "AUC", "accused", "constant"),
    Audited(recall_in_percent, "R", "accused", "100 times"),
    Audited(ndcg_by_position, "nDCG", "accused"),
    Audited(precision_of_nothing, "P", "accused"),
    Audited(masked_precision, "P", "accused"),
    Audited(reciprocal_rank_beyond_the_list, "RR@10", "accused"),
    Audited(recall_that_takes, "R", "accused"),
    Audited(hit_rate_that_exits, "HR", "accused"),
    Audited(pandas_recall_of_pairs_over_k, "R@10", "accused", "computes P@10", needs="pandas"),
    Audited(polars_reciprocal_rank_of_hits, "RR@10", "accused", "leaves out queries without a hit"),
    Audited(recall_of_every_result, "R@10", "accused", "a ranked query without judgments counts as 0"),
    Audited(ndcg_with_two_discounts, "nDCG@10", "accused", "the ideal has another discount"),
    Audited(expected_reciprocal_rank_of_own_scale, "ERR@10", "accused", "the highest grade of the returned items"),
    Audited(precision_over_the_more, "P@5", "accused", "relevant items where that is more than k"),
    Audited(recall_over_returned, "R@10", "accused", "computes P@10 / divided by the number of returned items"),
    Audited(f1_over_the_union, "F@10", "accused", "divided by the union"),
    Audited(f1_without_the_factor, "F@10", "accused", "0.5 times"),
    Audited(recall_cut_at_one, "R@10", "accused", "counts a repeated item twice"),
    Audited(reciprocal_ranks_of_all_relevant, "RR", "accused", "of several relevant items"),
    Audited(reciprocal_rank_from_zero, "RR", "accused", "counts ranks from 0"),
    Audited(reciprocal_rank_from_zero_at_k, "RR@10", "accused", "counts ranks from 0"),
    Audited(reciprocal_rank_in_order_of_relevant, "RR", "accused", "not the first hit in the list"),
    Audited(reciprocal_rank_of_missed_items, "RR@10", "accused", "right after the list"),
    Audited(ndcg_without_discount_of_the_ideal, "nDCG@10", "accused", "the ideal has another discount"),
    Audited(ndcg_with_a_power_in_the_ideal, "nDCG@10", "accused", "the ideal has another gain"),
    Audited(eleven_point_average_precision, "AP", "accused", "at 11 recall points"),
    Audited(interpolated_average_precision, "AP@10", "accused", "at every relevant item"),
    Audited(dcg_with_a_root, "DCG@10", "accused", "the discount is 1/sqrt(rank)"),
    Audited(ndcg_with_a_root, "nDCG@10", "accused", "the discount is 1/sqrt(rank)"),
    Audited(dcg_with_natural_logarithm, "DCG@5", "accused", "the natural logarithm"),
    Audited(dcg_with_logarithm_to_base_ten, "DCG@5", "accused", "to base 10"),
    Audited(reciprocal_rank_with_one_decimal, "RR", "accused", "rounded to 1 decimal"),
    Audited(f2_at_k, "F@10", "accused", "computes F(beta=2)@10"),
    Audited(area_under_precision_and_recall, "AP", "accused", "the area under the line"),
    Audited(discounted_first_hit, "RR@10", "accused", "1/log2(rank + 1), not 1/rank"),
    Audited(recall_of_text_in_text, "R@10", "accused", "not compared as a whole"),
    Audited(ndcg_of_capped_scores, "nDCG@10", "accused", "reads more of the scores than their order"),
    Audited(ndcg_of_sorted_pairs, "nDCG@10", "accused", "sorted by name"),
    Audited(RecallThatIsNotReset(10), "R@10", "accused", "on earlier calls"),
    Audited(reciprocal_rank_without_end, "RR", "accused", options={"timeout": 0.5}),
    Audited(hit_rate_that_hangs, "HR", "accused", options={"timeout": 0.5, "call": "relevant, ranked"}),
)


# Not decided, what the calls cannot show


def ndcg_of_grades(grades, k=10):
    return share(log2(grades[:k]), log2(sorted(grades, reverse=True)[:k]))


def ndcg_of_the_only_query(qrels, run, k=10):
    [(query, scores)] = run.items()
    gains = [qrels[query].get(item, 0) for item in ordered(scores)[:k]]
    return share(log2(gains), log2(sorted(qrels[query].values(), reverse=True)[:k]))


def median_reciprocal_rank(gold, runs):
    return statistics.median(reciprocal_rank(gold[query], runs[query]) for query in gold)


def average_precision_of_grades(hits):
    precisions = [sum(hits[: rank + 1]) / (rank + 1) for rank, hit in enumerate(hits) if hit]
    return share(sum(precisions), len(precisions))


def reciprocal_rank_without_ties(labels, scores):
    if len({*scores}) < len(scores):
        raise ValueError("scores must differ")
    order = sorted(range(len(scores)), key=lambda place: -scores[place])
    return next((1 / rank for rank, place in enumerate(order, 1) if labels[place]), 0.0)


def squared_reciprocal_rank(relevant, ranked):
    return next((1 / rank**2 for rank, item in enumerate(ranked, 1) if item in relevant), 0.0)


def recall_of_long_lists(relevant, ranked):
    if len(ranked) < 40:
        raise ValueError("too short")
    return share(len({*relevant} & {*ranked}), len(relevant))


UNDECIDED = (
    Audited(ndcg_of_grades, "nDCG@10", "undecided", "one list of grades"),
    Audited(average_precision_of_grades, "AP", "undecided", "one list of grades"),
    Audited(
        median_reciprocal_rank,
        "RR",
        "undecided",
        "no plain mean over queries",
        options={"convention": Convention(averaging="median", duplicates="first")},
    ),
    Audited(ndcg_of_the_only_query, "nDCG@10", "undecided", "several queries in one call: ValueError"),
    Audited(reciprocal_rank_without_ties, "RR", "undecided", "equal scores"),
    Audited(squared_reciprocal_rank, "RR", "undecided", "no known definition"),
    Audited(precision_of_zeros_and_ones, "P@5", "undecided", "state call='hits'"),
    Audited(auc_of_ones, "AUC", "undecided", "counts only grade 1"),
    Audited(recall_of_long_lists, "R", "undecided", "gave a number"),
)
RIGHT_OF_UNDECIDED = {
    precision_of_zeros_and_ones,
    auc_of_ones,
    ndcg_of_grades,
    median_reciprocal_rank,
    ndcg_of_the_only_query,
    reciprocal_rank_without_ties,
    recall_of_long_lists,
}
"""Those that are right, as far as a reader of their code can see."""


def figures():
    """Return the verdicts of right and wrong functions, counted."""
    undecided_right = [case for case in UNDECIDED if case.function in RIGHT_OF_UNDECIDED]
    rows = {
        "right": (*RIGHT, *undecided_right),
        "wrong": (*WRONG, *(case for case in UNDECIDED if case not in undecided_right)),
    }
    return {
        kind: [sum(case.verdict == verdict for case in cases) for verdict in ("acquitted", "accused", "undecided")]
        for kind, cases in rows.items()
    }


def tables():
    """Return the table of figures as it stands on the pages, in English and Chinese."""
    right, wrong = figures().values()
    english = ["| functions | acquitted | accused | undecided |", "|---|---:|---:|---:|"]
    chinese = ["| 函数 | 没有问题 | 有问题 | 无法判定 |", "|---|---:|---:|---:|"]
    for lines, words in ((english, ("right", "wrong")), (chinese, ("正确的", "错误的"))):
        for word, counts in zip(words, (right, wrong), strict=True):
            lines.append(
                f"| {word}: {sum(counts)} | {' | '.join(map(str, counts))} |".replace(
                    ": ", "：" if lines is chinese else ": "
                )
            )
    return "\n".join(english), "\n".join(chinese)
