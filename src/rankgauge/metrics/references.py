"""Where the metrics come from."""

REFERENCES = {
    "aslam2006": "E. Yilmaz and J. A. Aslam. Estimating average precision with incomplete and imperfect judgments. CIKM 2006.",
    "buckley2004": "C. Buckley and E. M. Voorhees. Retrieval evaluation with incomplete information. SIGIR 2004.",
    "buckley2005": "C. Buckley and E. M. Voorhees. Retrieval system evaluation. In: TREC, MIT Press 2005.",
    "chapelle2009": "O. Chapelle, D. Metzler, Y. Zhang and P. Grinspan. Expected reciprocal rank for graded relevance. CIKM 2009.",
    "fawcett2006": "T. Fawcett. An introduction to ROC analysis. Pattern Recognition Letters 27, 2006.",
    "jarvelin2002": "K. Järvelin and J. Kekäläinen. Cumulated gain-based evaluation of IR techniques. ACM TOIS 20(4), 2002.",
    "manning2008": "C. D. Manning, P. Raghavan and H. Schütze. Introduction to Information Retrieval, chapter 8. Cambridge 2008.",
    "moffat2008": "A. Moffat and J. Zobel. Rank-biased precision for measurement of retrieval effectiveness. ACM TOIS 27(1), 2008.",
    "robertson2006": "S. Robertson. On GMAP: and other transformations. CIKM 2006.",
    "robertson2012": "S. Robertson. On smoothing average precision. ECIR 2012.",
    "sakai2004": "T. Sakai. New performance metrics based on multigrade relevance. NTCIR-4, 2004.",
    "sakai2007": "T. Sakai. Alternatives to bpref. SIGIR 2007.",
    "vanrijsbergen1979": "C. J. van Rijsbergen. Information Retrieval, 2nd edition. Butterworths 1979.",
    "voorhees1999": "E. M. Voorhees. The TREC-8 question answering track report. TREC 1999.",
}
"""Citation keys and what they stand for."""
