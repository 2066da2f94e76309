"""Names of columns that hold lists, by what the lists are."""

from __future__ import annotations


def names_of(text: str) -> tuple[str, ...]:
    """Return names separated by blanks."""
    return tuple(text.split())


LIST_NAMES: dict[str, tuple[tuple[str, ...], ...]] = {
    "judged": (
        names_of(
            "relevant relevantids relevantdocids relevantdocs relevantitems relevantdocuments gold goldids golddocids "
            "golddocs golditems groundtruth groundtruthids gtids retrievalgt positives positiveids positivedocids "
            "positivepassages positivectxs expectedids expecteddocids expecteddocs expecteditems targetids targets "
            "referenceids answerids referencecontextids qrels neighborsid expectedretrievedcontext actual "
            "goldpassageids goldchunkids relevantpassageids relevantchunkids expectedpassageids expectedchunkids "
            "相关文档id 相关物品 相关商品 相关id 标准文档id 标准答案id 正例"
        ),
        names_of(
            "referencecontexts goldcontexts expectedcontexts expectedchunks relevanttexts goldtexts goldpassages "
            "goldchunks relevantpassages relevantchunks relevantcontexts expectedpassages groundtruthcontexts "
            "相关文档 相关片段 相关段落 标准片段 标准文档 标准段落 标准上下文 标准答案片段 参考片段 参考上下文 黄金片段"
        ),
    ),
    "ranked": (
        names_of(
            "retrieved retrievedids retrieveddocids retrieveddocs retrieveditems retrieveddocuments "
            "retrievedcontextids prediction predictions predicted predictedids predicteditems recommendation "
            "recommendations recommended recommendeditems recs hits ranking ranked rankedids rankeddocids rankeditems "
            "rankedlist results searchresults topk topkids queryresponsehitids retrievalresults retrievedpassageids "
            "retrievedchunkids 检索结果id 召回结果id 检索到的id 推荐结果 推荐列表 排序结果 结果列表 召回列表"
        ),
        names_of(
            "retrievedcontexts retrievedcontext retrievedtexts retrievedchunks retrievedcontents retrievedpassages "
            "contexts ctxs sourcedocuments 检索结果 召回结果 检索到的文档 检索文档 检索片段 检索到的片段 检索上下文 "
            "检索到的上下文 召回文档 召回的文档 召回片段 召回的片段"
        ),
    ),
    "either": (
        names_of(
            "items itemids ids docs docids docnos documents documentids passageids productids articleids movieids "
            "chunkids nodeids 文档列表 文档id列表 物品列表 物品id列表 商品列表 商品id列表"
        ),
        names_of("texts passages chunks"),
    ),
    "scores": (names_of("scores retrievescores retrievalscores similarities retrievedscores predictionscores"),),
    "grades": (names_of("grades ratings relevances gains relevancegrades"),),
}
"""The names of columns that hold lists, normalised: what is relevant, what was returned, or either, and numbers."""

TEXT_LISTS = {name for kind in ("judged", "ranked", "either") for name in LIST_NAMES[kind][1]}
"""The names of columns that hold texts: one that is no list is one text, whatever it contains."""
