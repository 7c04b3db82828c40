"""Beside which targets more of their source stands, counted slowly and obviously."""

from collections.abc import Sequence

from tasks.mining.extraction import LinkedPair
from tasks.mining.function_words import is_content_word
from tasks.mining.uses import Phrase


def overhangs_plainly(
    linked: Sequence[LinkedPair], phrase: Phrase, *, max_words: int
) -> tuple[int, int]:
    """Count the places of a source that have the target opposite, and those of them at which a word
    of content beyond the target is linked to the source.
    """
    opposite = beyond = 0
    wanted = phrase[1].split()
    for source, target, links in linked:
        starts = range(len(target))
        if not any(list(target[start : start + len(wanted)]) == wanted for start in starts):
            continue
        for start in range(len(source)):
            for end in range(start + 1, min(start + max_words, len(source)) + 1):
                if "".join(source[start:end]) == phrase[0]:
                    others = {target[t] for s, t in links if start <= s < end} - set(wanted)
                    opposite += 1
                    beyond += any(map(is_content_word, others))
    return opposite, beyond
