"""What ``-h`` and ``-v`` say."""

from __future__ import annotations

from collections.abc import Iterator

from rankgauge.trec_eval.formats import FORMATS, all_nicknames, asked, format_of
from rankgauge.trec_eval.formulas import meaning
from rankgauge.trec_eval.measure import Measure
from rankgauge.trec_eval.options import SYNOPSIS, Options

RELEASES = {9: "9.0.8", 10: "10.0"}
"""The releases whose output is reproduced."""
FLAGS = """\
  -q, --query_eval_wanted             a line for each topic, before the summary
  -n, --nosummary                     no summary
  -m, --measure NAME[.PARAMETERS]     a measure, or a nickname of several; official where nothing is said; may be
                                      given more than once. Nicknames: {nicknames}
  -c, --complete_rel_info_wanted      judged topics that are missing from the run count as empty
  -l, --level_for_rel N               from which grade on an item is relevant (1)
  -M, --Max_retrieved_per_topic N     keep the first N items of each topic
  -J, --Judged_docs_only              take unjudged items out first; the others move up
  -N, --Number_docs_in_coll N         how many items there are in all, for utility
  -R, --Rel_info_format FORMAT        the format of the judgments: {formats}
  -T, --Results_format trec_results   the format of the run
  -Z, --Zscore FILE                   standard deviations from the means that FILE gives
  -D, --Debug_level N[.TOPIC]         evaluate this topic only; no debugging output is written
  -o                                  accepted, and without effect
      --compat 9|10                   which version of trec_eval to follow (10)
  -v, --version                       the versions
  -h, --help                          this text, and the meaning of every measure named with -m

The run may be - for standard input; both files may be packed (gz, bz2, xz, zst).
Exit status: 1 wrong arguments, 2 a file or parameter that cannot be read, 4 repeated items or, as in version 10
without -c, a missing topic, 7 no topic in common."""


def manual(options: Options) -> Iterator[str]:
    """The whole help, with the measures that were named."""
    yield f"usage: {SYNOPSIS}\n\nEvaluates a run as trec_eval {RELEASES[options.version]} does.\n\n"
    yield FLAGS.format(formats=", ".join(FORMATS), nicknames=", ".join(all_nicknames())) + "\n"
    if not options.measures:
        names = " ".join(m.name for m in _measures(options) if options.version in m.versions)
        yield f"\nMeasures: {names}\n"
        return
    wanted = asked(options)
    for measure in _measures(options):
        if measure.name in wanted:
            yield f"\n{described(measure)}\n"


def _measures(options: Options) -> list[Measure]:
    return [*format_of(options.judgments_format).MEASURES]


def described(measure: Measure) -> str:
    """A measure in a few lines: its name, its meaning and its parameters."""
    told = [line for text in (meaning(measure), measure.explanation) if text for line in text.split("\n")]
    if measure.default:
        told.append(f"Default: -m {measure.name}.{','.join(f'{number:g}' for number in measure.default)}")
    if measure.versions != (9, 10):
        told.append(f"Only in version {' and '.join(map(str, measure.versions))}.")
    return "\n".join([measure.name, *(f"    {line}" for line in told)])


def versions() -> str:
    """Which releases are reproduced."""
    return f"rankgauge trec_eval, as trec_eval {' or '.join(RELEASES.values())} (--compat 9 or 10)"
