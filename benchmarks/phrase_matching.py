"""How fast 200,000 phrases are found in sentences, all matches, overlapping ones included.

Phrases are the most frequent runs of one to seven words of the text itself. Measured on law texts
that stand beside the project; where they are absent, on the Chinese of the built-in sample. The
peer is ahocorasick-rs over characters, which does not ask for borders of words.
"""

from collections import Counter
from collections.abc import Sequence
from itertools import islice

from ahocorasick_rs import AhoCorasick

from benchmarks.measuring import figure, median_in_turn, processor_seconds, say
from benchmarks.rule_accuracy import DATA
from tasks.compiled.arrays import sentences_of
from tasks.readers.opening import open_bytes
from tasks.sample.newswire import generate
from tasks.tagging.matcher import Matcher
from tasks.text.segment import segment

NUM_SENTENCES = 100_000
NUM_PHRASES = 200_000
LONGEST = 7
LAWS = DATA / "laws" / "train.tsv.zst"


def run() -> None:
    """Print the figures."""
    sentences = _sentences()
    phrases = _phrases(sentences)
    texts = ["".join(words) for words in sentences]
    matcher = Matcher(([phrase], place) for place, phrase in enumerate(phrases))
    peer = AhoCorasick(phrases)
    numbered, _ = sentences_of(sentences, blanks=0)
    matcher.find_all(sentences[:10])
    works = {
        "word ids in, arrays out (target 170,000)": lambda: matcher.find_numbered(numbered),
        "words in, arrays out": lambda: matcher.find_all(sentences),
        "ahocorasick-rs over characters, no borders": lambda: [
            peer.find_matches_as_indexes(text, overlapping=True) for text in texts
        ],
    }
    number = len(matcher.find_all(sentences).rows)
    say(f"  {len(sentences):,} sentences, {len(phrases):,} phrases, {number:,} matches")
    for name, seconds in median_in_turn(works, 3).items():
        figure(name, len(sentences) / seconds, "sentences/CPU s")
    some = sentences[:10_000]
    seconds = processor_seconds(lambda: [matcher.find(words) for words in some])
    figure("sentence by sentence", len(some) / seconds, "sentences/CPU s")


def _sentences() -> list[list[str]]:
    if not LAWS.exists():
        say("  ../shared/data/laws is absent: measured on the built-in sample")
        return [list(pair.source_words) for pair in generate(1).train]
    with open_bytes(LAWS) as lines:
        texts = [line.decode().split("\t")[0] for line in islice(lines, NUM_SENTENCES)]
    return [[word.text for word in segment(text)] for text in texts]


def _phrases(sentences: Sequence[Sequence[str]]) -> list[str]:
    counts: Counter[str] = Counter()
    for words in sentences:
        for start in range(len(words)):
            text = ""
            for word in words[start : start + LONGEST]:
                text += word
                counts[text] += 1
    chosen = (text for text, _ in counts.most_common() if text.split() == [text])
    return list(islice(chosen, NUM_PHRASES))
