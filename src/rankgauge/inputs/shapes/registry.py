"""The shapes that records and JSON documents can have: one row here and one module of this folder each.

To add a shape, add a row and a module of the same name with a function ``fit``, which returns a ``Fit`` for a record or
JSON object of the shape and None for any other. ``list_rows`` builds it for rows that hold lists under known names.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any

from rankgauge.rendering.language import Phrase

if TYPE_CHECKING:
    from rankgauge.inputs.shapes.shape import Fit


@dataclass(frozen=True)
class RecordShape:
    """A shape, described without importing the module that reads it."""

    name: str
    title: str
    recognised_by: Phrase
    is_document: bool = False
    """Whether the shape is that of a whole JSON document; otherwise of one record: a line, a row, an element."""
    in_lines: bool = False
    """Whether several such documents may also be the lines or elements of a file."""
    several_systems: bool = False
    """Whether one source may hold the rankings of several systems."""
    is_general: bool = False
    """Whether it is used only if no other shape fits."""

    def may_be(self, *, is_document: bool) -> bool:
        """Whether a whole document, or else one of several records, can have this shape."""
        return self.is_document == is_document or (self.in_lines and not is_document)

    def fit(self, value: object) -> Fit | None:
        """Return the fit of a record or document that has this shape, None for any other."""
        if not isinstance(value, Mapping):
            return None
        function: Callable[[Mapping[str, Any]], Fit | None] = import_module(f"rankgauge.inputs.shapes.{self.name}").fit
        return function(value)


SHAPES = (
    RecordShape(
        "ragas",
        "ragas",
        Phrase(
            "`user_input` (before 0.2 `question`) with `retrieved_context_ids`, `retrieved_contexts`, "
            "`contexts`, `reference_context_ids` or `reference_contexts`",
            "`user_input`（0.2 之前为 `question`），以及 `retrieved_context_ids`、`retrieved_contexts`、"
            "`contexts`、`reference_context_ids` 或 `reference_contexts`",
        ),
    ),
    RecordShape(
        "deepeval",
        "deepeval",
        Phrase(
            "`input` with `retrieval_context` or `context`: lists, or texts with `|` between them",
            "`input`，以及 `retrieval_context` 或 `context`：列表，或以 `|` 分隔的文本",
        ),
    ),
    RecordShape(
        "autorag",
        "AutoRAG",
        Phrase(
            "`qid` with `retrieval_gt` (groups of ids), or `retrieved_ids` and `retrieve_scores`",
            "`qid`，以及 `retrieval_gt`（标识的分组），或 `retrieved_ids` 与 `retrieve_scores`",
        ),
    ),
    RecordShape(
        "trulens",
        "TruLens",
        Phrase(
            "`query` with `expected_chunks`: `[{text, expect_score}]`",
            "`query` 与 `expected_chunks`：`[{text, expect_score}]`",
        ),
    ),
    RecordShape(
        "azure",
        "Azure AI",
        Phrase(
            "`retrieval_ground_truth`: `[{document_id, query_relevance_label}]` and `retrieved_documents`: "
            "`[{document_id, relevance_score}]`; rows without `query` are numbered; in the output of an "
            "evaluation, with `inputs.` before the names",
            "`retrieval_ground_truth`：`[{document_id, query_relevance_label}]` 与 `retrieved_documents`："
            "`[{document_id, relevance_score}]`；没有 `query` 的行按行号命名；评估输出中列名前带有 `inputs.`",
        ),
    ),
    RecordShape(
        "longmemeval",
        "LongMemEval",
        Phrase(
            "`question_id` with `answer_session_ids` or `retrieval_results.ranked_items`; questions that end in "
            "`_abs` are left out",
            "`question_id`，以及 `answer_session_ids` 或 `retrieval_results.ranked_items`；以 `_abs` 结尾的问题不计入",
        ),
    ),
    RecordShape(
        "ragchecker",
        "RAGChecker",
        Phrase(
            "`query_id` and `gt_answer` with `retrieved_context`: `[{doc_id, text}]`, under `results`",
            "`results` 之下的 `query_id`、`gt_answer` 与 `retrieved_context`：`[{doc_id, text}]`",
        ),
    ),
    RecordShape(
        "langsmith",
        "LangSmith",
        Phrase(
            "`run_type`, `inputs` and `outputs`; runs of type `retriever` with `outputs.documents`",
            "`run_type`、`inputs` 与 `outputs`；`retriever` 类型的 run 及其 `outputs.documents`",
        ),
    ),
    RecordShape(
        "langsmith_results",
        "LangSmith experiments",
        Phrase(
            "`inputs` with `reference_outputs` (or `expected_outputs`, or columns `reference.*`) that hold a list of "
            "items, and `outputs` with another",
            "`inputs`，以及含有物品列表的 `reference_outputs`（或 `expected_outputs`、`reference.*` 列）与 `outputs`",
        ),
    ),
    RecordShape(
        "mlflow",
        "MLflow",
        Phrase(
            "`request_id` or `request` with `retrieved_context` or `expected_retrieved_context`: `[{doc_uri}]`",
            "`request_id` 或 `request`，以及 `retrieved_context` 或 `expected_retrieved_context`：`[{doc_uri}]`",
        ),
    ),
    RecordShape(
        "mlflow_traces",
        "MLflow traces",
        Phrase(
            "`info` and `data.spans`; spans of type `RETRIEVER` or `RERANKER` with `mlflow.spanInputs` and "
            "`mlflow.spanOutputs`",
            "`info` 与 `data.spans`；`RETRIEVER` 或 `RERANKER` 类型的 span，含 `mlflow.spanInputs` 与 "
            "`mlflow.spanOutputs`",
        ),
        several_systems=True,
    ),
    RecordShape(
        "flashrag",
        "FlashRAG",
        Phrase(
            "`id` with `output.retrieval_result`: `[{id, contents, score}]`",
            "`id` 与 `output.retrieval_result`：`[{id, contents, score}]`",
        ),
    ),
    RecordShape(
        "bedrock",
        "Amazon Bedrock",
        Phrase(
            "`conversationTurns` with `prompt.content` and `output.retrievedPassages.retrievalResults`; texts "
            "are the ids",
            "`conversationTurns`，含 `prompt.content` 与 `output.retrievedPassages.retrievalResults`；以文本为标识",
        ),
    ),
    RecordShape(
        "vertex",
        "Vertex AI Search",
        Phrase(
            "`queryEntry` with `query` and `targets`: `[{uri, score}]`",
            "`queryEntry`，含 `query` 与 `targets`：`[{uri, score}]`",
        ),
    ),
    RecordShape(
        "trec_rag",
        "TREC RAG",
        Phrase(
            "`metadata.topic_id` or `topic_id` with `references` (ids in order) and `responses` or `answer`",
            "`metadata.topic_id` 或 `topic_id`，以及 `references`（按先后的标识）与 `responses` 或 `answer`",
        ),
        several_systems=True,
    ),
    RecordShape(
        "freshstack",
        "FreshStack",
        Phrase(
            "`query_id` with `nuggets`: `[{text, relevant_corpus_ids, non_relevant_corpus_ids}]`; a document that "
            "supports a nugget is relevant",
            "`query_id` 与 `nuggets`：`[{text, relevant_corpus_ids, non_relevant_corpus_ids}]`；"
            "支持任一要点的文档为相关",
        ),
    ),
    RecordShape(
        "chunking_evaluation",
        "chunking_evaluation",
        Phrase(
            "`question` with `references`: `[{content, start_index, end_index}]`; the excerpts are texts, which "
            '`match="contained"` finds in chunks',
            "`question` 与 `references`：`[{content, start_index, end_index}]`；摘录为文本，"
            '用 `match="contained"` 在文本块中查找',
        ),
    ),
    RecordShape(
        "document_spans",
        "Spans of documents",
        Phrase(
            "`query`, `document`, `start` and `end` in characters, the end not included; with `grade` or `group` "
            "judgments, with `score` or `rank` a ranking; an item is `document[start:end]`",
            "`query`、`document`、`start` 与 `end`（以字符计，不含结束位置）；有 `grade` 或 `group` 时为标注，"
            "有 `score` 或 `rank` 时为排序结果；物品为 `document[start:end]`",
        ),
    ),
    RecordShape(
        "otto",
        "OTTO",
        Phrase(
            "`session` with `labels`: `{clicks, carts, orders}`, or the columns `session_type` and `labels`; a "
            "query is `42_clicks`",
            "`session` 与 `labels`：`{clicks, carts, orders}`，或 `session_type` 与 `labels` 两列；查询形如 "
            "`42_clicks`",
        ),
    ),
    RecordShape(
        "esci",
        "ESCI",
        Phrase(
            "`query_id`, `product_id` and `esci_label`: the letters are the gains E 1, S 0.1, C 0.01 and I 0; a column "
            "`score` is a ranking",
            "`query_id`、`product_id` 与 `esci_label`：字母即增益，E 为 1，S 为 0.1，C 为 0.01，I 为 0；`score` "
            "列为排序结果",
        ),
    ),
    RecordShape(
        "umbrela",
        "umbrela",
        Phrase(
            "`query`, `passage`, `judgment` and `result_status` or `prediction`; the texts are the ids unless there "
            "are others, and status 0 (or a grade 0 that is not in the answer) is unjudged",
            "`query`、`passage`、`judgment` 与 `result_status` 或 `prediction`；没有其他标识时以文本为标识，"
            "状态 0（或回答中并未出现的 0 分）视为未标注",
        ),
    ),
    RecordShape(
        "ragelo",
        "RAGElo",
        Phrase(
            "`qid`, `did` and `answer` with `score` and perhaps `probabilities`; an exception is unjudged",
            "`qid`、`did` 与 `answer`（含 `score`，可有 `probabilities`）；出现异常视为未标注",
        ),
    ),
    RecordShape(
        "mlflow_assessments",
        "MLflow assessments",
        Phrase(
            "`trace_id`, `source.source_type` and `feedback.value` or `expectation.value`; the item is the name of the "
            "assessment",
            "`trace_id`、`source.source_type`，以及 `feedback.value` 或 `expectation.value`；物品为评估的名称",
        ),
    ),
    RecordShape(
        "quepid_ratings",
        "Quepid book (CSV)",
        Phrase(
            "`query`, `docid` and a column for each rater, one of them an address or with a cell `unrateable`; the "
            "grade is the mean of the raters",
            "`query`、`docid` 与每位评分者一列，其中某列名为邮箱地址或某格为 `unrateable`；等级取各评分者的均值",
        ),
    ),
    RecordShape(
        "spans",
        "OpenTelemetry, OpenInference",
        Phrase(
            "spans with `gen_ai.retrieval.documents`, `retrieval.documents` or `reranker.output_documents`: OTLP "
            "JSON, one span per line, or columns of a table",
            "含 `gen_ai.retrieval.documents`、`retrieval.documents` 或 `reranker.output_documents` 的 span：OTLP "
            "JSON、每行一个 span，或表格的列",
        ),
        several_systems=True,
    ),
    RecordShape(
        "lists",
        "lists in columns",
        Phrase(
            "a query column, and columns whose cells hold lists of ids, texts, pairs or objects",
            "查询列，以及单元格为列表（标识、文本、二元组或对象）的列",
        ),
        is_general=True,
    ),
    RecordShape(
        "search_response",
        "_search, _msearch",
        Phrase(
            "`hits.hits` with `_id` and `_score`, one in each line, `responses` of these (names in `queries`), or "
            "`{query: response}`",
            "`hits.hits`（含 `_id` 与 `_score`）、每行一个、由其组成的 `responses`（名称在 `queries` 中），或 "
            "`{查询: 响应}`",
        ),
        is_document=True,
        in_lines=True,
    ),
    RecordShape(
        "rank_eval",
        "_rank_eval",
        Phrase(
            "a request (`requests` with `ratings`, and `metric`) or a response (`details` with `hits` and `rating`)",
            "请求（`requests` 含 `ratings`，以及 `metric`）或响应（`details` 含 `hits` 与 `rating`）",
        ),
        is_document=True,
    ),
    RecordShape(
        "workbench",
        "Search Relevance Workbench",
        Phrase(
            "`judgmentRatings`, or `searchText` with `documentIds`; also in `hits.hits[]._source`",
            "`judgmentRatings`，或 `searchText` 与 `documentIds`；也可在 `hits.hits[]._source` 中",
        ),
        is_document=True,
        several_systems=True,
    ),
    RecordShape(
        "quepid_book",
        "Quepid book",
        Phrase(
            "`query_doc_pairs` with `judgements`; the grade is the mean of the raters",
            "`query_doc_pairs` 及其 `judgements`；等级取各评分者的均值",
        ),
        is_document=True,
    ),
    RecordShape(
        "rre",
        "RRE ratings",
        Phrase(
            "`topics`, `query_groups` or `queries` with `relevant_documents`: `{document: {gain}}` or "
            "`{gain: [documents]}`",
            "`topics`、`query_groups` 或 `queries`，含 `relevant_documents`：`{文档: {gain}}` 或 `{gain: [文档]}`",
        ),
        is_document=True,
    ),
    RecordShape(
        "llama_index",
        "LlamaIndex dataset",
        Phrase("`queries`, `corpus` and `relevant_docs`", "`queries`、`corpus` 与 `relevant_docs`"),
        is_document=True,
    ),
    RecordShape(
        "mteb_predictions",
        "MTEB predictions",
        Phrase(
            "`{subset: {split: {query: {item: score}}}}` or `{split: {query: {item: score}}}`",
            "`{子集: {划分: {查询: {物品: 分数}}}}` 或 `{划分: {查询: {物品: 分数}}}`",
        ),
        is_document=True,
        several_systems=True,
    ),
    RecordShape(
        "by_query",
        "items by query",
        Phrase(
            "`{query: {item: number}}`, or `{query: [items or hits]}`", "`{查询: {物品: 数}}` 或 `{查询: [物品或命中]}`"
        ),
        is_document=True,
        is_general=True,
    ),
)
"""Records and documents in the order in which the documentation lists them."""


def shape_named(name: str | None) -> RecordShape | None:
    """Return the shape of a name, None if there is none."""
    return next((shape for shape in SHAPES if shape.name == name), None)
